"""References of sdll302b: a clamped beam whose ends shake by accelerograms."""

import csv
from pathlib import Path

import numpy as np

from beams import Frame, bending, modes
from linear import System, polynomial

MOTION = Path(__file__).resolve().parents[2] / "cases/incumbent/sdll302b.csv"


def motions():
    """Columns of the file by name."""
    with open(MOTION, encoding="utf-8") as file:
        rows = list(csv.DictReader((line for line in file if not line.startswith("#")), delimiter=";"))
    return {name: np.array([float(row[name]) for row in rows]) for name in rows[0]}


def beam():
    young, density, poisson, high, wide = 2.068e11, 7780.0, 0.3, 0.0508, 0.0254
    area, inertia, h = high * wide, wide * high**3 / 12, 7.62 / 20
    shear = young / (2 * (1 + poisson)) * area * 5 / 6
    frame = Frame()
    for i in range(20):
        frame.add([("v", i), ("r", i), ("v", i + 1), ("r", i + 1)],
                  *bending(h, young * inertia, density * area, 12 * young * inertia / (shear * h**2),
                           inertia / (area * h**2)))
    stiffness, mass = frame.assemble({("v", 0), ("r", 0), ("v", 20), ("r", 20)})
    return frame, stiffness, mass


def sdll302b():
    frame, stiffness, mass = beam()
    table = motions()
    knots = np.round(table["time"], 9)
    middle = frame.row(("v", 10))
    coupled, inertial = frame.coupling
    values, statics, loads = {}, [], []
    for end in (("v", 0), ("v", 20)):
        static = -np.linalg.solve(stiffness, coupled[:, frame.held[end]])
        statics.append(middle @ static)
        loads.append(-(mass @ static + inertial[:, frame.held[end]]))  # of 1 m/s^2 of this end
    accelerations = [table["first_acceleration"], table["last_acceleration"]]
    displacements = [table["first_displacement"], table["last_displacement"]]
    for deck, count in (("sdll302b", 6), ("sdll302b-all", len(mass))):
        omega, shapes = modes(stiffness, mass, count)
        system = System(np.eye(count), np.zeros((count, count)), np.diag(omega**2))
        pieces = []
        for i in range(len(knots) - 1):
            step = knots[i + 1] - knots[i]
            start = sum(l * a[i] for l, a in zip(loads, accelerations))
            slope = sum(l * (a[i + 1] - a[i]) / step for l, a in zip(loads, accelerations))
            force = polynomial(shapes.T @ start, [1.0, 0.0])
            force.shape[:, 1] = shapes.T @ slope
            force.rates, force.initial = np.array([[0.0, 0.0], [1.0, 0.0]]), np.array([1.0, 0.0])
            pieces.append((knots[i], force))
        times = [round(0.1 * k, 9) for k in range(1, 20)] + [1.99, 2.0]
        for t, (q, _, _) in zip(times, system.motion(pieces, times)):
            relative = float(middle @ shapes @ q)
            values[deck, "relative", t] = relative
            values[deck, "absolute", t] = relative + sum(
                s * np.interp(t, knots, d) for s, d in zip(statics, displacements))
        for i in range(6):
            values[deck, "frequency", i + 1] = float(omega[i] / (2 * np.pi))
    return values
