"""Plane beams and bars by finite elements, for references of the incumbent's cases.

Bending dofs of a node: deflection v along y and rotation about z. Timoshenko with exact shape functions and rotary
inertia; Euler-Bernoulli is the same with neither shear nor rotary inertia.
"""

import numpy as np
from scipy.linalg import eigh


def bending(length, bend, line, shear=0.0, rotary=0.0):
    """K and M on (v1, theta1, v2, theta2): EI [N m^2], rho A [kg/m], Phi = 12 E I/(G A_s L^2), z = I/(A L^2)."""
    h, p, z = length, shear, rotary
    stiffness = bend / ((1 + p) * h**3) * np.array(
        [[12, 6 * h, -12, 6 * h], [6 * h, (4 + p) * h**2, -6 * h, (2 - p) * h**2],
         [-12, -6 * h, 12, -6 * h], [6 * h, (2 - p) * h**2, -6 * h, (4 + p) * h**2]])
    a = 13 / 35 + 7 * p / 10 + p**2 / 3 + 6 * z / 5
    b = (11 / 210 + 11 * p / 120 + p**2 / 24 + z / 10 - p * z / 2) * h
    c = 9 / 70 + 3 * p / 10 + p**2 / 6 - 6 * z / 5
    d = (13 / 420 + 3 * p / 40 + p**2 / 24 - z / 10 + p * z / 2) * h
    e = (1 / 105 + p / 60 + p**2 / 120 + z * (2 / 15 + p / 6 + p**2 / 3)) * h**2
    f = (1 / 140 + p / 60 + p**2 / 120 + z * (1 / 30 + p / 6 - p**2 / 6)) * h**2
    mass = line * h / (1 + p)**2 * np.array([[a, b, c, -d], [b, e, d, -f], [c, d, a, -b], [-d, -f, -b, e]])
    return stiffness, mass


def bar(length, stretch, line):
    """K and M on (u1, u2): EA [N], rho A [kg/m]."""
    return (stretch / length * np.array([[1.0, -1.0], [-1.0, 1.0]]),
            line * length / 6 * np.array([[2.0, 1.0], [1.0, 2.0]]))


class Frame:
    """Assembles element matrices on named dofs and gives those of the free ones."""

    def __init__(self):
        self.places, self.parts = {}, []

    def add(self, dofs, stiffness, mass):
        places = [self.places.setdefault(d, len(self.places)) for d in dofs]
        self.parts.append((places, stiffness, mass))

    def assemble(self, fixed):
        n = len(self.places)
        stiffness, mass = np.zeros((n, n)), np.zeros((n, n))
        for places, k, m in self.parts:
            at = np.ix_(places, places)
            stiffness[at] += k
            mass[at] += m
        free = [d for d in self.places if d not in fixed]
        held = [d for d in self.places if d in fixed]
        i, j = [self.places[d] for d in free], [self.places[d] for d in held]
        self.free = {d: k for k, d in enumerate(free)}
        self.held = {d: k for k, d in enumerate(held)}
        self.coupling = stiffness[np.ix_(i, j)], mass[np.ix_(i, j)]
        return stiffness[np.ix_(i, i)], mass[np.ix_(i, i)]

    def row(self, dof):
        row = np.zeros(len(self.free))
        row[self.free[dof]] = 1.0
        return row


def modes(stiffness, mass, count):
    """Lowest angular frequencies and mass-normalised shapes; rigid modes are exactly zero."""
    try:  # of the flexibility, whose largest values are the exact ones where stiffnesses differ by far
        inverses, shapes = eigh(mass, stiffness, subset_by_index=[len(mass) - count, len(mass) - 1])
        omega = 1 / np.sqrt(inverses[::-1])
        if np.min(omega) > 1e-6 * np.sqrt(np.max(np.diag(stiffness) / np.diag(mass))):
            return omega, shapes[:, ::-1] * omega
    except np.linalg.LinAlgError:
        pass
    values, shapes = eigh(stiffness, mass, subset_by_index=[0, count - 1])
    values[np.abs(values) < 1e-12 * np.max(np.diag(stiffness) / np.diag(mass))] = 0.0
    return np.sqrt(values), shapes
