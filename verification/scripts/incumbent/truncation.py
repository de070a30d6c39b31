"""References of the incumbent's cases with static correction, energies and bars: {(deck, quantity, ...): value}."""

import numpy as np

from chains import ACCELERATION, DISPLACEMENT, frequencies, table
from linear import System, chain, polynomial, sine

PUSH = np.full(3, -1.0)  # of a foot that accelerates by 1, on three masses of 1 kg


def energies(deck, system, load, a, b):
    """Energies at two instants, from rest at 0 s; without damping the work is the sum of the others."""
    values = {}
    for t, (x, v, _) in zip((a, b), system.motion(load, [a, b])):
        values[deck, "kinetic", t] = float(v @ system.mass @ v / 2)
        values[deck, "elastic", t] = float(x @ system.stiffness @ x / 2)
        values[deck, "external", t] = values[deck, "kinetic", t] + values[deck, "elastic", t]
    return values


def sdld04a():
    """Three masses of 1 kg on springs of 1000 N/m under a foot that accelerates by 2e5 t^2."""
    masses, nodes, derivatives = [1.0] * 3, ["N02", "N03", "N04"], [0.0, 0.0, 4e5]
    system = System(np.eye(3), np.zeros((3, 3)), chain([1000.0] * 3, masses))
    load = [(0.0, polynomial(PUSH, derivatives))]
    times = [0.02, 0.03, 0.04, 0.05, 0.06, 0.07, 0.08, 0.1, 0.11]
    motion = system.motion(load, times)
    values = {**table("sdld04a", nodes, times, motion), **frequencies("sdld04a", system)}
    for (_, quantity, node, dof, time), value in list(table("sdld04a", nodes, times, motion).items()):
        values["sdld04a-twice", quantity, node, dof, time] = 2 * value
        values["sdld04a-later", quantity, node, dof, time] = value
        if quantity == ACCELERATION:
            values["sdld04a", "absolute acceleration", node, dof, time] = value + 2e5 * time**2
    values.update(energies("sdld04a", system, load, 0.06, 0.11))
    later = energies("sdld04a-later", system, load, 0.06, 0.11)
    later["sdld04a-later", "external", 0.11] -= later.pop(("sdld04a-later", "external", 0.06))
    values.update(later)
    part, shapes = system.modal(0.0, 2)
    static = np.linalg.solve(system.stiffness, PUSH)
    missing = static - shapes @ (shapes.T @ PUSH / np.diag(part.stiffness))
    few = part.motion([(0.0, polynomial(shapes.T @ PUSH, derivatives))], times)
    for t, (q, _, _) in zip(times, few):
        for i, node in enumerate(nodes):
            values["sdld04a-corrected", DISPLACEMENT, node, "ux", t] = float((shapes @ q + missing * 2e5 * t**2)[i])
            values["sdld04a-two-modes", DISPLACEMENT, node, "ux", t] = float((shapes @ q)[i])
    return values


def sdld105b():
    """Springs of 1000, 100 and 100 N/m, 5 % on each mode, a foot that accelerates by sin 4 pi t; at 19.4 s."""
    masses, nodes, omega, ratio, t = [1.0] * 3, ["N02", "N03", "N04"], 4 * np.pi, 0.05, 19.4
    whole = System(np.eye(3), np.zeros((3, 3)), chain([1000.0, 100.0, 100.0], masses))
    values = frequencies("sdld105b", whole)
    for deck, count in (("sdld105b", 3), ("sdld105b-residual", 3), ("sdld105b-two-modes", 2), ("sdld105b-corrected", 2)):
        system, shapes = whole.modal(ratio, count)
        q, v, a = system.motion([(0.0, sine(shapes.T @ PUSH, omega))], [t])[0]
        field = shapes @ q
        if deck == "sdld105b-corrected":
            missing = np.linalg.solve(whole.stiffness, PUSH) - shapes @ (
                shapes.T @ PUSH / np.diag(system.stiffness))
            field = field + missing * np.sin(omega * t)
        values.update({(deck, DISPLACEMENT, node, "ux", t): float(x) for node, x in zip(nodes, field)})
    return values


def sdll113a():
    """Ten bar elements, clamped; -100 N at the free end from 0 s on."""
    young, density, length, outer, thickness, elements = 1e10, 1e4, 1.0, 0.1, 0.01, 10
    area = np.pi * (outer**2 - (outer - thickness)**2)
    h = length / elements
    mass, stiffness = np.zeros((elements + 1,) * 2), np.zeros((elements + 1,) * 2)
    for i in range(elements):
        mass[i:i + 2, i:i + 2] += density * area * h / 6 * np.array([[2.0, 1.0], [1.0, 2.0]])
        stiffness[i:i + 2, i:i + 2] += young * area / h * np.array([[1.0, -1.0], [-1.0, 1.0]])
    system = System(mass[1:, 1:], np.zeros((elements,) * 2), stiffness[1:, 1:])
    motion = system.motion([(0.0, polynomial([0.0] * 9 + [-100.0], [1.0]))], [0.0195])
    return table("sdll113a", [f"N{i}" for i in range(1, 11)], [0.0195], motion)
