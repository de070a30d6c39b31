"""References of the incumbent's linear cases of discrete masses: {(deck, quantity, node, dof, time): value}.

Matrix exponentials of the model (linear.py); what a deck's mode counts is in the place of `time` for frequencies.
"""

import numpy as np

from linear import System, chain, no_force, polynomial, sine

DISPLACEMENT, VELOCITY, ACCELERATION = "displacement", "velocity", "acceleration"
QUANTITIES = (DISPLACEMENT, VELOCITY, ACCELERATION)


def table(deck, nodes, times, motion, dof="ux"):
    """The motion of all nodes at all times under the names of the checks."""
    values = {}
    for time, state in zip(times, motion):
        for quantity, field in zip(QUANTITIES, state):
            for i, node in enumerate(nodes):
                values[deck, quantity, node, dof, time] = float(field[i])
    return values


def frequencies(deck, system):
    return {(deck, "frequency", None, None, i + 1): float(f) for i, f in enumerate(system.frequencies())}


def pulse(vector, end=1.0, ramp=1e-7):
    """1 until `end`, then down to 0 within `ramp`."""
    return [(0.0, polynomial(vector, [1.0])), (end, polynomial(vector, [1.0, -1.0 / ramp])),
            (end + ramp, no_force(len(vector)))]


def sdld22b():
    masses = [10.0] * 8
    system = System(np.diag(masses), chain([50.0] * 9, masses), chain([1e5] * 9, masses))
    times = [0.09, 0.184, 0.272, 0.365, 0.455, 0.544, 0.633, 0.724, 0.812, 0.904, 0.993, 1.089, 1.182, 1.271, 1.362,
             1.452]
    nodes = [f"N{i}" for i in range(2, 10)]
    return table("sdld22b", nodes, times, system.motion(pulse(np.eye(8)[3]), times))


def sdld29a():
    masses = [10.0] * 8
    system = System(np.diag(masses), chain([250.0] + [50.0] * 7 + [25.0], masses), chain([1e5] * 9, masses))
    times = [0.09, 0.18, 0.27, 0.36, 0.45, 0.54, 0.63, 0.72, 0.81, 0.91, 0.99, 1.45]
    nodes = [f"N{i}" for i in range(2, 10)]
    return table("sdld29a", nodes, times, system.motion(pulse(np.eye(8)[3]), times))


def sdld325a():
    system = System(10.0 * np.eye(2), [[100.0, -50.0], [-50.0, 50.0]],
                    [[282800.0, -280000.0], [-280000.0, 280000.0]])
    times = [0.11, 0.27, 0.39, 0.53, 0.66, 0.8, 0.93, 1.11, 1.25, 1.37, 1.51, 1.64, 1.78, 1.9, 2.05, 2.17, 2.31, 2.44,
             2.58, 2.71, 2.85, 2.97]
    return table("sdld325a", ["N2", "N3"], times, system.motion(pulse(np.array([0.0, 5.0])), times))


def sdld31b():
    omega, ratio, exciting = 6.0 * np.pi, 0.001, 20.73451151365
    system = System([[1.0]], [[2 * ratio * omega]], [[omega**2]])
    times = [0.5, 0.7, 1.0]
    values = table("sdld31b", ["N2"], times, system.motion([(0.0, sine([1.0], exciting))], times), "uz")
    values["sdld31b", "frequency", None, None, 1] = 3.0
    values["sdld31b", "complex_frequency", None, None, 1] = 3.0 * np.sqrt(1 - ratio**2)
    values["sdld31b", "complex_damping_ratio", None, None, 1] = ratio
    return values


def sdld321a():
    system = System([[10.0]], [[1000.0]], [[25000.0]])
    times = [0.03, 0.06, 0.09, 0.12, 0.16, 0.19, 0.22, 0.25, 0.28, 0.31, 0.35, 0.38, 0.41, 0.44, 0.47]
    return table("sdld321a", ["N2"], times, system.motion([(0.0, sine([5.0], 50.0))], times))


def sdld321c():
    system = System([[10.0]], [[0.01]], [[25000.0]])
    times = [0.04, 0.06, 0.1, 0.13, 0.22, 0.25, 0.66, 0.69, 1.01, 1.04, 2.32, 2.36, 3.64, 3.68, 4.96, 5.0]
    return table("sdld321c", ["N2"], times, system.motion([(0.0, sine([5.0], 50.0))], times))


def sdld34a():
    omega = np.pi
    values = {("sdld34a", DISPLACEMENT, "N", "ux", 2.0): 1.0, ("sdld34a", VELOCITY, "N", "ux", 1.5): omega,
              ("sdld34a", "frequency", None, None, 1): 0.5}
    return values


def sdll06():
    """Both: m x'' + k x = -m a(t), a triangle of 9.81 m/s^2 and 0.05 s."""
    mass, stiffness, peak, rise = 43800.0, 39420000.0, 9.81, 0.025
    system = System([[mass]], [[0.0]], [[stiffness]])
    slope = peak / rise
    pieces = [(0.0, polynomial([-mass], [0.0, slope])), (rise, polynomial([-mass], [peak, -slope])),
              (2 * rise, no_force(1))]
    a = [0.01, 0.015, 0.02, 0.024, 0.026, 0.03, 0.035, 0.04, 0.045, 0.049, 0.051, 0.055, 0.06, 0.065, 0.07, 0.075, 0.08,
         0.085]
    b = [0.01, 0.02, 0.03, 0.04, 0.05, 0.06, 0.07, 0.08, 0.09, 0.1, 0.12, 0.14, 0.16, 0.18, 0.2]
    return {**table("sdll06a", ["N02"], a, system.motion(pieces, a)),
            **table("sdll06b", ["N02"], b, system.motion(pieces, b))}


def sdld102():
    masses = [1.0] * 3
    system = System(np.eye(3), np.zeros((3, 3)), chain([1.0] * 4, masses))
    motion = system.motion([(0.0, polynomial([1.0, 0.0, 0.0], [1.0]))], [80.0])
    values = {}
    for deck in ("sdld102a", "sdld102b"):
        values.update(table(deck, ["NO2", "NO3", "NO4"], [80.0], motion))
        values.update(frequencies(deck, system))
    return values


def sdld103a():
    """Support 1 accelerates by 2e5 t^2: relative motion under -M u_s a, u_s = (3, 2, 1)/4."""
    masses = [10.0] * 3
    system = System(np.diag(masses), np.zeros((3, 3)), chain([1e4] * 4, masses))
    static = np.array([0.75, 0.5, 0.25])
    times = [0.01 * i for i in range(1, 10)] + [0.1, 0.3, 0.5, 0.7, 1.0]
    nodes = ["NO2", "NO3", "NO4"]
    load = [-10.0 * static[i] for i in range(3)]
    values = {}
    part, shapes = system.modal(0.0, 2)
    for deck, motion in (
            ("sdld103a", system.motion([(0.0, polynomial(load, [0.0, 0.0, 4e5]))], times)),
            ("sdld103a-two-modes", [tuple(shapes @ field for field in state) for state in
                                    part.motion([(0.0, polynomial(shapes.T @ load, [0.0, 0.0, 4e5]))], times)])):
        relative = table(deck, nodes, times, motion)
        values.update(relative)
        for (_, quantity, node, dof, time), value in relative.items():
            if quantity == DISPLACEMENT:
                base = static[nodes.index(node)] * 2e5 * time**4 / 12
                values[deck, "absolute " + quantity, node, dof, time] = value + base
    return values


def sdld110a():
    """P1 moves by sin 2t while P2 and P3 are at rest: absolute motion of P3, with k1 = 1e7 N/m."""
    system = System(np.eye(2), np.zeros((2, 2)), [[1e7 + 1.0, -1.0], [-1.0, 1.0]])
    times = [0.5 * i for i in range(1, 19)]
    return table("sdld110a", ["P2", "P3"], times, system.motion([(0.0, sine([1e7, 0.0], 2.0))], times))
