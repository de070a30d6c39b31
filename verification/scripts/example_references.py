#!/usr/bin/env python3
"""Computes the references of verification/cases/examples without ricochet, and compares the decks with them.

Usage: example_references.py [--print NAME] | --compare        (numpy and scipy; two minutes)

Each function assembles its structure from textbook matrices, integrates it with DOP853 and returns
(quantity, keys, value, limit) of each check.
"""

import argparse
import math
import sys
import tomllib
from pathlib import Path

import numpy as np
from scipy.integrate import solve_ivp
from scipy.linalg import eigh
from scipy.optimize import brentq

FOLDER = Path(__file__).resolve().parents[1] / "cases/examples"


class Modes:
    """M x'' + K x = f in the lowest modes, with one damping ratio; rows(dof) are shapes at a dof."""

    def __init__(self, stiffness, mass, count, ratio):
        squares, shapes = eigh(stiffness, mass)
        self.omega2, self.shapes = squares[:count], shapes[:, :count]
        self.damping = 2 * ratio * np.sqrt(np.maximum(self.omega2, 0.0))
        self.count = count

    def row(self, dof):
        return self.shapes[dof]

    def rate(self, y, force):
        q, v = y[:self.count], y[self.count:]
        return np.concatenate([v, force - self.damping * v - self.omega2 * q])


def hermite(length, elements, bending, line_mass):
    """Bending of a beam (K, M): dofs are deflection and rotation of each node; cubic shapes, consistent mass."""
    h = length / elements
    k = bending / h**3 * np.array([[12, 6 * h, -12, 6 * h], [6 * h, 4 * h * h, -6 * h, 2 * h * h],
                                   [-12, -6 * h, 12, -6 * h], [6 * h, 2 * h * h, -6 * h, 4 * h * h]])
    m = line_mass * h / 420 * np.array([[156, 22 * h, 54, -13 * h], [22 * h, 4 * h * h, 13 * h, -3 * h * h],
                                        [54, 13 * h, 156, -22 * h], [-13 * h, -3 * h * h, -22 * h, 4 * h * h]])
    stiffness, mass = np.zeros((2, 2 * elements + 2, 2 * elements + 2))
    for e in range(elements):
        part = slice(2 * e, 2 * e + 4)
        stiffness[part, part] += k
        mass[part, part] += m
    return stiffness, mass


def without(matrices, fixed):
    """The matrices without fixed dofs, and the place of each dof that is left."""
    free = [i for i in range(len(matrices[0])) if i not in fixed]
    return [matrix[np.ix_(free, free)] for matrix in matrices], {dof: i for i, dof in enumerate(free)}


def integrate(rate, start, end, guards=(), step=np.inf, begin=0.0):
    """The motion, and the instants at which each guard crosses zero: [(rising or falling, instants)]."""
    return solve_ivp(rate, (begin, end), start, method="DOP853", rtol=1e-11, atol=1e-14, dense_output=True,
                     events=list(guards) or None, max_step=step)


def crossings(guard, motion, end, points=100001):
    """Instants at which a function of (t, state) changes its sign, located in the dense output."""
    times = np.linspace(motion.t[0], end, points)
    values = np.array([guard(t, motion.sol(t)) for t in times])
    found = np.nonzero(np.sign(values[1:]) != np.sign(values[:-1]))[0]
    return [brentq(lambda t: guard(t, motion.sol(t)), times[i], times[i + 1], xtol=1e-15) for i in found]


def largest(value, motion, begin, end, points=20001):
    """The largest value in an interval, by a parabola through the three highest points."""
    times = np.linspace(begin, end, points)
    values = np.array([value(t, motion.sol(t)) for t in times])
    i = int(np.argmax(values))
    a, b, c = values[i - 1], values[i], values[i + 1]
    return b + (a - c)**2 / (8 * (2 * b - a - c))


def event(name, kind, index, value, absolute, part="contact"):
    return ("event", {part: name, "kind": kind, "index": index}, value, {"absolute": absolute})


def motion_at(quantity, node, dof, time, value, absolute):
    return (quantity, {"node": node, "dof": dof, "time": time}, value, {"absolute": absolute})


def brake():
    d, w, v = 0.1 * 100 / 1000, math.sqrt(1000), 0.1
    slip = 2 / w * (math.pi - math.atan(d * w / v))
    return [("event", {"kind": "stick_to_slip"}, 0.3, {}), ("event", {"kind": "slip_to_stick"}, 0.3 + slip, {}),
            ("event", {"kind": "stick_to_slip", "index": 3}, 0.3 + 2 * (slip + 2 * d / v), {})]


def cantilever():
    inertia, line = 0.04 * 0.02**3 / 12, 7800 * 0.02 * 0.04
    (stiffness, mass), place = without(hermite(1.0, 20, 2.1e11 * inertia, line), {0, 1})
    modes = Modes(stiffness, mass, 8, 0.01)
    tip = modes.row(place[40])

    def gap(_, y):
        return 1e-3 + tip @ y[:8]

    def force(t, y):
        return 1e6 * max(0.0, -gap(t, y))

    motion = integrate(lambda t, y: modes.rate(y, tip * (force(t, y) - 60 * math.sin(24 * math.pi * t))),
                       np.zeros(16), 0.2, step=2e-4)
    instants = crossings(gap, motion, 0.1)
    return [event("stop", "closing", 1, instants[0], 1e-9), event("stop", "opening", 1, instants[1], 1e-9),
            ("impact_peak", {"contact": "stop", "index": 1},
             largest(force, motion, instants[0], instants[1]), {"relative": 1e-7}),
            motion_at("displacement", "tip", "uy", 0.1, tip @ motion.sol(0.1)[:8], 1e-9)]


class RoughHoles:
    """Nodes of a beam in round holes: a wall of stiffness k, and friction that sticks truly or slides.

    A state of the motion is a word for each hole: 0 open, +1 or -1 sliding this way, 2 stuck: then the force of
    friction is what keeps the slip at zero, with others that stick at the same time.
    """

    def __init__(self, modes, rows, clearance, stiffness, friction):
        self.modes, self.rows, self.n = modes, rows, modes.count
        self.clearance, self.stiffness, self.friction = clearance, stiffness, friction

    def place(self, i, y):
        """Depth, slip, normal and tangent of a hole; y holds q, v of the one plane, then of the other."""
        row, n = self.rows[i], self.n
        u, v = np.array([row @ y[:n], row @ y[2 * n:3 * n]]), np.array([row @ y[n:2 * n], row @ y[3 * n:]])
        normal = u / max(math.hypot(*u), 1e-300)
        tangent = np.array([-normal[1], normal[0]])
        return math.hypot(*u) - self.clearance, tangent @ v, normal, tangent

    def rate(self, t, y, state, load):
        """The rate of y, and the force of friction of each hole along its tangent."""
        force, rubs, stuck = load(t), np.zeros(len(state)), [i for i, s in enumerate(state) if s == 2]
        for i, s in enumerate(state):
            if s == 0:
                continue
            depth, _, normal, tangent = self.place(i, y)
            push = self.stiffness * depth
            rubs[i] = -self.friction * push * s if s != 2 else 0.0
            force = force + np.outer(rubs[i] * tangent - push * normal, self.rows[i])
        n = self.n
        rates = np.concatenate([self.modes.rate(y[:2 * n], force[0]), self.modes.rate(y[2 * n:], force[1])])
        if stuck:
            ways = [np.outer(self.place(i, y)[3], self.rows[i]) for i in stuck]
            accelerations = np.array([rates[n:2 * n], rates[3 * n:]])
            held = np.linalg.solve([[np.sum(a * b) for b in ways] for a in ways],
                                   [-np.sum(a * accelerations) for a in ways])
            for i, way, rub in zip(stuck, ways, held):
                rubs[i] = rub
                rates[n:2 * n] += rub * way[0]
                rates[3 * n:] += rub * way[1]
        return rates, rubs

    def margin(self, i, t, y, state, load):
        """What a stuck hole could still hold [N]."""
        return self.friction * self.stiffness * self.place(i, y)[0] - abs(self.rate(t, y, state, load)[1][i])

    def guards(self, state, load):
        def made(function, direction):
            function.terminal, function.direction = True, direction
            return function
        for i, s in enumerate(state):
            yield i, "wall", made(lambda t, y, i=i: self.place(i, y)[0], 1 if s == 0 else -1)
            if abs(s) == 1:
                yield i, "turn", made(lambda t, y, i=i, s=s: s * self.place(i, y)[1], -1)
            if s == 2:
                yield i, "break", made(lambda t, y, i=i, s=tuple(state): self.margin(i, t, y, s, load), -1)

    def run(self, y, end, load):
        """The pieces of the motion, and (time, hole, what) of all changes."""
        state, time, pieces, changes = [0] * len(self.rows), 0.0, [], []
        while time < end:
            guards = list(self.guards(state, load))
            piece = integrate(lambda t, y, s=tuple(state): self.rate(t, y, s, load)[0], y, end,
                              [g for _, _, g in guards], step=2e-4, begin=time)
            pieces.append(piece)
            time, y = piece.t[-1], piece.y[:, -1]
            for (i, what, _), found in zip(guards, piece.t_events):
                if not len(found):
                    continue
                if what == "wall":
                    what = "closing" if state[i] == 0 else "opening"
                    state[i] = int(math.copysign(1, self.place(i, y)[1])) if state[i] == 0 else 0
                elif what == "turn":
                    state[i] = 2
                    if self.margin(i, time, y, state, load) < 0:
                        state[i] = -int(math.copysign(1, self.rate(time, y, state, load)[1][i]))
                    what = "slip_to_stick" if state[i] == 2 else "slip_reversal"
                else:
                    state[i] = -int(math.copysign(1, self.rate(time, y, state, load)[1][i]))
                    what = "stick_to_slip"
                changes.append((time, i, what))
        return pieces, changes


def tube():
    outer, inner = 0.010, 0.0088
    bending, line = 2.1e11 * math.pi / 4 * (outer**4 - inner**4), 7800 * math.pi * (outer**2 - inner**2)
    (stiffness, mass), place = without(hermite(2.0, 20, bending, line), {0, 40})
    modes = Modes(stiffness, mass, 6, 0.01)
    middle, first = modes.row(place[20]), modes.row(place[16])
    holes = RoughHoles(modes, [first, modes.row(place[28])], 5e-4, 1e6, 0.2)
    pieces, changes = holes.run(np.zeros(24), 0.04, lambda t: np.outer(
        [30 * math.cos(34 * math.pi * t), 18 * math.sin(22 * math.pi * t)], middle))
    print("tube:", changes, file=sys.stderr)

    def when(hole, what, index=1):
        return [t for t, i, kind in changes if (i, kind) == (hole, what)][index - 1]

    end = pieces[-1].y[:, -1]
    return [event("plate_1", "closing", 1, when(0, "closing"), 1e-9),
            event("plate_1", "slip_to_stick", 1, when(0, "slip_to_stick"), 1e-9),
            event("plate_1", "opening", 1, when(0, "opening"), 1e-9),
            event("plate_2", "closing", 1, when(1, "closing"), 1e-9),
            event("plate_1", "closing", 3, when(0, "closing", 3), 1e-8),
            motion_at("displacement", "tube.8", "uy", 0.04, first @ end[:6], 1e-9),
            motion_at("displacement", "tube.8", "uz", 0.04, first @ end[12:18], 1e-9)]


def rotor():
    def contact(y):
        radius = math.hypot(y[0], y[1])
        normal = y[:2] / radius if radius > 0 else np.array([1.0, 0.0])
        tangent = np.array([-normal[1], normal[0]])
        return normal, tangent, radius - 1e-3, tangent @ y[2:4] + 0.1 * y[4]

    def rate(t, y):
        normal, tangent, depth, slip = contact(y)
        push = 2e6 * max(0.0, depth)
        rub = 0.1 * push * math.copysign(1.0, slip)
        force = 40 * np.array([math.cos(200 * t), math.sin(200 * t)]) - 2e5 * y[:2] - 100 * y[2:4] \
            - push * normal - rub * tangent
        return np.concatenate([y[2:4], force / 5, [-0.1 * rub / 0.04]])

    motion = integrate(rate, np.array([0, 0, 0, 0, 200.0]), 0.5, step=1e-3)
    slips = [contact(motion.sol(t))[3] for t in np.linspace(0, 0.5, 20001)]
    touches = crossings(lambda t, y: contact(y)[2], motion, 0.5)
    print("rotor: smallest slip", min(slips), "touches", touches, file=sys.stderr)
    end = motion.sol(0.5)
    return [event("ring", "closing", 1, touches[0], 1e-9), event("ring", "opening", 1, touches[1], 1e-9),
            motion_at("velocity", "disc", "rz", 0.5, end[4], 1e-6),
            motion_at("displacement", "disc", "ux", 0.5, end[0], 1e-9),
            motion_at("displacement", "disc", "uy", 0.5, end[1], 1e-9)]


def gears():
    def mesh(y):
        x = 0.05 * y[0] + 0.1 * y[1]
        return x, 1e7 * math.copysign(max(0.0, abs(x) - 5e-5), x)

    def rate(t, y):
        force = mesh(y)[1]
        torque = 5 + 20 * math.sin(30 * math.pi * t)
        return np.array([y[2], y[3], (torque - 0.05 * force - 0.02 * y[2]) / 0.0025,
                         (-0.1 * force - 4000 * y[1] - 0.5 * y[3]) / 0.04])

    motion = integrate(rate, np.zeros(4), 0.3, step=5e-5)
    flanks = crossings(lambda t, y: abs(mesh(y)[0]) - 5e-5, motion, 0.3)
    print("gears: teeth meet or part", len(flanks), "times; link", [mesh(motion.sol(t))[0] for t in
          np.linspace(0, 0.3, 13)], file=sys.stderr)
    return [motion_at("displacement", "pinion", "rz", t, motion.sol(t)[0], limit) for t, limit in
            ((0.05, 1e-8), (0.1, 1e-7))] + \
           [("link_force", {"link": "mesh", "time": 0.05}, mesh(motion.sol(0.05))[1], {"absolute": 0.1})]


def pounding():
    def gap(_, y):
        return 0.05 + y[1] - y[0]

    def force(t, y):
        depth = -gap(t, y)
        return max(0.0, 5e8 * depth + 2e6 * (y[2] - y[3])) if depth > 0 else 0.0

    def rate(t, y):
        push, ground = force(t, y), 2.5 * math.sin(2.2 * math.pi * t)
        return np.array([y[2], y[3], (-1e7 * y[0] - 0.1 * math.sqrt(1e7 * 4e5) * y[2] - push) / 4e5 - ground,
                         (-2e7 * y[1] - 0.1 * math.sqrt(2e7 * 2e5) * y[3] + push) / 2e5 - ground])

    motion = integrate(rate, np.zeros(4), 2.5, step=1e-4)
    closes = [t for t in crossings(gap, motion, 2.5, 100001)]
    print("pounding: gap is zero at", closes, file=sys.stderr)
    return [event("joint", "closing", 1, closes[0], 1e-8), event("joint", "closing", 2, closes[2], 1e-7),
            motion_at("displacement", "left", "ux", 2.5, motion.sol(2.5)[0], 1e-7),
            motion_at("displacement", "right", "ux", 2.5, motion.sol(2.5)[1], 1e-7)]


def string():
    n, tension, line, length = 40, 70.0, 4e-4, 0.65
    h = length / n
    stiffness = tension / h * (2 * np.eye(n - 1) - np.eye(n - 1, k=1) - np.eye(n - 1, k=-1))
    mass = line * h / 6 * (4 * np.eye(n - 1) + np.eye(n - 1, k=1) + np.eye(n - 1, k=-1))
    modes = Modes(stiffness, mass, 20, 0.0)
    finger, fret, middle = modes.row(15), modes.row(9), modes.row(19)

    def gap(_, y):
        return 1e-3 + fret @ y[:20]

    def force(t, y):
        return 5e4 * max(0.0, -gap(t, y))

    start = np.concatenate([1.5 * finger / modes.omega2, np.zeros(20)])  # pulled up by the finger, off the fret
    motion = integrate(lambda t, y: modes.rate(y, fret * force(t, y)), start, 0.019, step=5e-6)
    shifts = [1e-3 + t for t in crossings(gap, motion, 0.019, 200001)]
    print("string: gap is zero at", shifts[:6], file=sys.stderr)
    kh = math.pi / n
    first = math.sqrt(6 * tension / line / h**2 * (1 - math.cos(kh)) / (2 + math.cos(kh))) / (2 * math.pi)
    return [("frequency", {"mode": 1}, first, {"relative": 1e-9})] + \
           [event("fret", "closing", 1, shifts[0], 1e-9), event("fret", "opening", 1, shifts[1], 1e-9),
            motion_at("displacement", "string.20", "uy", 0.008, middle @ motion.sol(0.007)[:20], 1e-8)]


def blade():
    inertia, line = 0.03 * 0.004**3 / 12, 7800 * 0.004 * 0.03
    (stiffness, mass), place = without(hermite(0.2, 20, 2.1e11 * inertia, line), {0, 1})
    modes = Modes(stiffness, mass, 6, 0.002)
    platform, tip = modes.row(place[10]), modes.row(place[40])
    limit, spring, breaks, catches = 3.0, 2e5, [], []
    state, time, y, side, pieces = "stick", 0.0, np.zeros(13), 0.0, []
    while time < 0.2:  # y[12]: force of the damper; it follows the spring, or is the limit
        def rate(t, y):
            push = tip * 0.5 * math.sin(168 * math.pi * t) - platform * y[12]
            grows = spring * (platform @ y[6:12]) if state == "stick" else 0.0
            return np.concatenate([modes.rate(y[:12], push), [grows]])

        def guard(t, y):
            return limit - abs(y[12]) if state == "stick" else side * (platform @ y[6:12])
        guard.terminal, guard.direction = True, -1
        motion = integrate(rate, y, 0.2, [guard], step=1e-4, begin=time)
        pieces.append(motion)
        time, y = motion.t[-1], motion.y[:, -1].copy()
        if time < 0.2:
            (breaks if state == "stick" else catches).append(time)
            side = math.copysign(1.0, y[12])
            y[12] = side * limit
            state = "slip" if state == "stick" else "stick"
    print("blade:", len(breaks), "breaks, the first", breaks[:3], "catches", catches[:3], file=sys.stderr)
    return [event("damper", "stick_to_slip", 1, breaks[0], 1e-9), event("damper", "slip_to_stick", 1, catches[0], 1e-9),
            event("damper", "stick_to_slip", 10, breaks[9], 1e-8),
            motion_at("displacement", "tip", "uy", 0.2, tip @ y[:6], 1e-9)]


def sphere():
    inertia, line = 0.01**4 / 12, 7800 * 1e-4
    (stiffness, mass), place = without(hermite(0.3, 20, 2.1e11 * inertia, line), {0, 40})
    modes = Modes(stiffness, mass, 10, 0.0)
    middle = modes.row(place[20])

    def depth(_, y):
        return middle @ y[:10] - y[20]

    def force(t, y):
        return 1.5e10 * max(0.0, depth(t, y))**1.5

    start = np.zeros(22)
    start[21] = -0.1
    motion = integrate(lambda t, y: np.concatenate([modes.rate(y[:20], -middle * force(t, y)),
                                                    [y[21], force(t, y) / 0.033]]), start, 2e-3, step=1e-6)
    leaves = crossings(depth, motion, 2e-3, 200001)
    print("sphere: leaves or touches at", leaves, file=sys.stderr)
    end = next(t for t in leaves if t > 1e-6)
    return [("impact_peak", {"contact": "blow", "index": 1}, largest(force, motion, 1e-7, end), {"relative": 1e-7}),
            event("blow", "opening", 1, end, 1e-10),
            motion_at("velocity", "ball", "uy", 2e-3, motion.sol(2e-3)[21], 1e-8),
            motion_at("displacement", "beam.10", "uy", 2e-3, middle @ motion.sol(2e-3)[:10], 1e-11)]


EXAMPLES = (brake, cantilever, tube, rotor, gears, pounding, string, blade, sphere)


def as_toml(checks):
    text = ""
    for quantity, keys, value, limit in checks:
        lines = [f'quantity = "{quantity}"']
        lines += [f'{key} = "{v}"' if isinstance(v, str) else f"{key} = {v!r}" for key, v in keys.items()]
        lines += [f"reference = {float(value)!r}"] + [f"{key} = {v}" for key, v in limit.items()]
        text += "[[checks]]\n" + "\n".join(lines) + '\nsource = "independent integration"\n\n'
    return text


def compare():
    """Every computed value is the reference of a check of its deck, within a tenth of its limit."""
    missed = counted = 0
    for function in EXAMPLES:
        deck = tomllib.loads((FOLDER / f"{function.__name__}.toml").read_text(encoding="utf-8"))
        for quantity, keys, value, _ in function():
            counted += 1
            near = [c for c in deck["checks"] if c["quantity"] == quantity and
                    all(c.get(key) == v for key, v in keys.items()) and abs(c["reference"] - value) <=
                    0.1 * c.get("absolute", c.get("relative", 0.0) * abs(c["reference"]))]
            if not near:
                missed += 1
                print(f"{function.__name__}: no check of {quantity} {keys} has {value!r}")
    print(f"{counted} references, {missed} missed")
    return 1 if missed else 0


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--print", metavar="NAME", choices=[f.__name__ for f in EXAMPLES])
    parser.add_argument("--compare", action="store_true")
    arguments = parser.parse_args()
    if arguments.print:
        print(as_toml(next(f for f in EXAMPLES if f.__name__ == arguments.print)()))
        return 0
    return compare()


if __name__ == "__main__":
    sys.exit(main())
