"""References of the incumbent's cases of beams that knock: {(deck, quantity, ...): value}. Independent elements
(beams.py) and exact piecewise linear motion (switched.py)."""

import numpy as np

from beams import Frame, bar, bending, modes
from chains import ACCELERATION, DISPLACEMENT, VELOCITY
from switched import Contact, Switched

QUANTITIES = (DISPLACEMENT, VELOCITY, ACCELERATION)


def in_modes(omega, ratio, contacts, push=None):
    """A Switched system in modal coordinates; `push` is a constant modal force."""
    n = len(omega)
    shape, rates, initial = ([], [], []) if push is None else (push[:, None], [[0.0]], [1.0])
    return Switched(np.eye(n), np.diag(2 * ratio * omega), np.diag(omega**2), shape, rates, initial, contacts)


def sdnl32a():
    """Free-pinned beam turning at -3.8 rad/s whose end meets a spring: ten modes, 1 %."""
    x = [0.0, 0.0783, 0.1566, 0.2349, 0.3132, 0.3915, 0.462, 0.5481, 0.6264, 0.7047, 0.783]
    young, density, side = 6.7e10, 2400.0, 0.014
    area, inertia = side**2, side**4 / 12
    shear = young / 2 * area * 5 / 6  # G A_s at nu = 0
    frame = Frame()
    for i in range(10):
        h = x[i + 1] - x[i]
        frame.add([("v", i), ("r", i), ("v", i + 1), ("r", i + 1)],
                  *bending(h, young * inertia, density * area, 12 * young * inertia / (shear * h**2),
                           inertia / (area * h**2)))
        frame.add([("u", i), ("u", i + 1)], *bar(h, young * area, density * area))
    stiffness, mass = frame.assemble({("v", 0), ("u", 0)})
    omega, shapes = modes(stiffness, mass, 10)
    start = np.zeros(len(mass))
    for i in range(11):
        start[frame.free["r", i]] = -3.8
        if i:
            start[frame.free["v", i]] = [-0.29754, -0.59508, -0.89262, -1.19016, -1.4877, -1.7556, -2.08278, -2.38032,
                                         -2.67786, -2.96786][i - 1]
    times = [0.001 * i for i in range(1, 13)]
    values = {}
    # what the incumbent makes of the field: the combination of modes nearest to it dof by dof, not in energy
    field = shapes @ np.linalg.lstsq(shapes, start, rcond=None)[0]
    for i in range(11):
        values["sdnl32a", "projected", i + 1] = (float(field[frame.free["v", i]]) if i else 0.0,
                                                 float(field[frame.free["r", i]]))
    for deck, spring in (("sdnl32a-soft", 18000.0), ("sdnl32a-stiff", 45000.0)):
        end = shapes.T @ frame.row(("v", 10))
        # a pair of planes 0.1 m either side of (0.783, 0.1): one at y = 0, the other out of reach
        system = in_modes(omega, 0.01, [Contact(end, 0.0, spring)])
        motion, events = system.run(system.start(np.zeros(10), shapes.T @ mass @ start), times, 2e-6)
        for t, state in zip(times, motion):
            values[deck, DISPLACEMENT, round(t, 6)] = float(end @ state[0])
            values[deck, "normal_force", round(t, 6)] = float(state[3][0])
        values[deck, "events"] = events
        for i, w in enumerate(omega):
            values[deck, "frequency", i + 1] = float(w / (2 * np.pi))
    return values


def sdnl111a():
    """A free bar at -1 m/s against a clamped one: forty modes, 0.1 %, contact of 5e9 N/m and 2e4 N s/m."""
    young, density, area = 2e11, 7800.0, 4e-4
    frame = Frame()
    for side in "ab":
        for i in range(50):
            frame.add([(side, i), (side, i + 1)], *bar(0.02, young * area, density * area))
    stiffness, mass = frame.assemble({("b", 50)})
    omega, shapes = modes(stiffness, mass, 40)
    start = np.array([-1.0 if d[0] == "a" else 0.0 for d in frame.free])
    pair = shapes.T @ (frame.row(("a", 0)) - frame.row(("b", 0)))
    system = in_modes(omega, 0.001, [Contact(pair, 0.0, 5e9, 2e4)])
    times = [0.0002, 0.0004, 0.0006, 0.0008, 0.001]
    motion, events = system.run(system.start(np.zeros(40), shapes.T @ mass @ start), times, 5e-8)
    end = shapes.T @ frame.row(("a", 0))
    values = {("sdnl111a", DISPLACEMENT, t): float(end @ state[0]) for t, state in zip(times, motion)}
    values.update({("sdnl111a", "frequency", i + 1): float(omega[i] / (2 * np.pi)) for i in (0, 1, 2, 10, 39)})
    values["sdnl111a", "events"] = events
    return values


def sdnl104a():
    """Cantilever of ten Euler elements, -1000 N on its tip from 0 s on, a stop 0.1 mm below it; all dofs."""
    young, density, radius = 1e10, 1e6, 0.1
    area, inertia = np.pi * radius**2, np.pi * radius**4 / 4
    frame = Frame()
    for i in range(10):
        frame.add([("v", i), ("r", i), ("v", i + 1), ("r", i + 1)], *bending(0.1, young * inertia, density * area))
    stiffness, mass = frame.assemble({("v", 0), ("r", 0)})
    omega, shapes = modes(stiffness, mass, 20)
    tip = shapes.T @ frame.row(("v", 10))
    system = in_modes(omega, 0.0, [Contact(tip, 1e-4, 1e8)], -1000.0 * tip)
    times = [0.05, 0.1, 0.1315, 0.1566, 0.16]
    motion, events = system.run(system.start(np.zeros(20), np.zeros(20)), times, 2e-6)
    values = {("sdnl104a", "events"): events}
    for t, (q, v, _, force) in zip(times, motion):
        values["sdnl104a", DISPLACEMENT, t] = float(tip @ q)
        values["sdnl104a", VELOCITY, t] = float(tip @ v)
        values["sdnl104a", "kinetic", t] = float(v @ v / 2)
        values["sdnl104a", "normal_force", t] = float(force[0])
    return values


def sdnl105a(count=None):
    """Three clamped beams in a row, 1 mm apart, 1e6 N on the first; modes below 35 Hz."""
    young, density, outer, inner = 1e10, 1e8, 0.1, 0.09
    area, inertia = np.pi * (outer**2 - inner**2), np.pi * (outer**4 - inner**4) / 4
    frame = Frame()
    for beam in "NMO":
        for i in range(3, 13):
            frame.add([("v", beam, i), ("r", beam, i), ("v", beam, i + 1), ("r", beam, i + 1)],
                      *bending(0.1, young * inertia, density * area))
    # links along y: their extension, and the rotations of their ends (which do not move along x)
    stretch, twist = 1e15 * area / 0.1, 1e15 * inertia / 0.1
    for path in ((("N", 1), ("N", 3), ("N", 2), ("M", 3), ("M", 2), ("O", 3), ("O", 2)),
                 (("N", 14), ("N", 13), ("N", 15), ("M", 13), ("M", 15), ("O", 13), ("O", 15))):
        for a, b in zip(path, path[1:]):
            frame.add([("v", *a), ("v", *b)], stretch * np.array([[1.0, -1.0], [-1.0, 1.0]]), np.zeros((2, 2)))
            frame.add([("r", *a), ("r", *b)], twist * np.array([[4.0, 2.0], [2.0, 4.0]]), np.zeros((2, 2)))
    ends = {(k, *n) for k in "vr" for n in (("N", 1), ("N", 14), ("O", 2), ("O", 15))}
    stiffness, mass = frame.assemble(ends)
    massive = np.flatnonzero(np.diag(mass) > 0)
    bare = np.flatnonzero(np.diag(mass) == 0)
    within = np.zeros((len(mass), len(massive)))  # dofs without mass follow
    within[massive, range(len(massive))] = 1.0
    within[bare] = -np.linalg.solve(stiffness[np.ix_(bare, bare)], stiffness[np.ix_(bare, massive)])
    reduced = within.T @ stiffness @ within
    omega, shapes = modes((reduced + reduced.T) / 2, mass[np.ix_(massive, massive)], len(massive))
    count = count or int(np.sum(omega < 2 * np.pi * 35.0))
    omega, shapes = omega[:count], within @ shapes[:, :count]
    middle = {b: shapes.T @ frame.row(("v", b, 8)) for b in "NMO"}
    contacts = [Contact(middle["M"] - middle["N"], 0.001, 1e8), Contact(middle["O"] - middle["M"], 0.001, 1e8)]
    system = in_modes(omega, 0.0, contacts, 1e6 * middle["N"])
    motion, events = system.run(system.start(np.zeros(count), np.zeros(count)), [0.5, 1.0], 2e-5)
    values = {("sdnl105a", "events"): events, ("sdnl105a", "modes"): count}
    for t, (q, v, _, _) in zip((0.5, 1.0), motion):
        for b in "NMO":
            values["sdnl105a", DISPLACEMENT, b + "8", t] = float(middle[b] @ q)
            values["sdnl105a", VELOCITY, b + "8", t] = float(middle[b] @ v)
    values.update({("sdnl105a", "frequency", i + 1): float(w / (2 * np.pi)) for i, w in enumerate(omega)})
    return values
