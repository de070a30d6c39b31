"""References of the incumbent's cases of masses that knock and rub: {(deck, quantity, node, dof, time): value}."""

import numpy as np
from scipy.optimize import brentq

from chains import ACCELERATION, DISPLACEMENT, VELOCITY, table
from linear import System, polynomial
from switched import Contact, Switched


def shoe(times, start=8.5e-4, omega=100.0, slip=1e-4):
    """r of the released shoe: half periods about -+slip (mu N/k) until it stops within it."""
    found = []
    for t in times:
        half = int(t * omega / np.pi * (1 + 1e-13))
        r = start - 2 * slip * min(half, 4)
        found.append((-1) ** min(half, 4) * r if half >= 4 else
                     (-1) ** half * ((r - slip) * np.cos(omega * t - half * np.pi) + slip))
    return found


def sdnd100():
    values = {}
    extrema = [0.031415926535897934, 0.06283185307179587, 0.09424777960769379, 0.12566370614359174]
    for deck, dof, times in (("sdnd100a", "uy", extrema), ("sdnd100b", "uy", extrema),
                             ("sdnd100c", "ux", [0.0315, 0.063, 0.0945, 0.1255])):
        for t, r in zip(times, shoe(times)):
            values[deck, DISPLACEMENT, "shoe", dof, t] = float(r * np.sqrt(0.5))
    return values


def sdnd101a():
    """Thrown at 1 m/s at a wall: half a period at w1 in contact, half a period at w0 away, ..."""
    mass, spring, wall = 100.0, 1e4, 1e6
    closed, free = np.sqrt((spring + wall) / mass), np.sqrt(spring / mass)
    contact, flight = np.pi / closed, np.pi / free
    return {("sdnd101a", "impact_peak"): wall / closed, ("sdnd101a", "impact_duration"): contact,
            ("sdnd101a", "impulse"): 2 * wall / closed**2, ("sdnd101a", "impact_velocity"): 1.0,
            ("sdnd101a", "peak 1"): contact / 2, ("sdnd101a", "peak 2"): contact * 1.5 + flight,
            ("sdnd101a", "closing 2"): contact + flight, ("sdnd101a", "opening 2"): 2 * contact + flight}


def sdnd102a():
    """Absolute displacement of the mass before a wall 0.5 mm away, its foot accelerating by sin 10 Hz."""
    omega, mass, spring = 20 * np.pi, 25.0, 98696.0
    ratio = 0.07
    times = [0.05, 0.1, 0.156, 0.25, 0.3, 0.4, 0.5, 0.7, 0.8, 0.9, 1.0]
    # w = (sin, cos, 1); relative motion under -m sin; the foot is at -sin/omega^2
    system = Switched(np.array([[mass]]), np.array([[2 * ratio * np.sqrt(spring * mass)]]), np.array([[spring]]),
                      [[-mass, 0.0]], [[0.0, omega], [-omega, 0.0]], [0.0, 1.0],
                      [Contact(np.array([-1.0]), 0.0005, 5.76e7, drive=np.array([1.0 / omega**2, 0.0]))])
    motion, events = system.run(system.start([0.0], [0.0]), times, 1e-4)
    values = {}
    for deck in ("sdnd102a-wall", "sdnd102a-pair"):
        for t, (q, _, _, _) in zip(times, motion):
            values[deck, DISPLACEMENT, "NO2", "ux", t] = float(q[0] - np.sin(omega * t) / omega**2)
        for i, (t, _, kind) in enumerate(events[:4]):
            values[deck, kind, i // 2 + 1] = t
        values[deck, "closings before 1 s"] = sum(kind == "closing" and t < 1.0 for t, _, kind in events)
    return values


def sdnd102b():
    """The same until 0.5 s, in physical coordinates, with the force of the contact at 0.376 s."""
    omega, mass, spring = 20 * np.pi, 25.0, 98696.0
    times = [0.05, 0.1, 0.2, 0.3, 0.376, 0.4]
    system = Switched(np.array([[mass]]), np.array([[0.14 * np.sqrt(spring * mass)]]), np.array([[spring]]),
                      [[-mass, 0.0]], [[0.0, omega], [-omega, 0.0]], [0.0, 1.0],
                      [Contact(np.array([-1.0]), 0.0005, 5.76e7, drive=np.array([1.0 / omega**2, 0.0]))])
    values = {}
    for t, (q, _, _, force) in zip(times, system.run(system.start([0.0], [0.0]), times, 1e-4)[0]):
        for deck in ("sdnd102b-wall", "sdnd102b-pair"):
            values[deck, DISPLACEMENT, "NO2", "ux", t] = float(q[0] - np.sin(omega * t) / omega**2)
            values[deck, "normal_force", t] = force[0]
    values.update({("sdnd102b-support", DISPLACEMENT): -np.sin(0.01 * omega) / omega**2,
                   ("sdnd102b-support", VELOCITY): -np.cos(0.01 * omega) / omega,
                   ("sdnd102b-support", ACCELERATION): np.sin(0.01 * omega)})
    return values


def newmark_sdnd102b(step=1e-3):
    """What the incumbent prints of sdnd102b: Newmark with steps of 1.5 rad of the contact; the force at 0.376 s."""
    omega, mass, spring, wall = 20 * np.pi, 25.0, 98696.0, 5.76e7
    damping = 0.14 * np.sqrt(spring * mass)
    x = v = a = force = 0.0
    for i in range(1, round(0.376 / step) + 1):
        foot, push = -np.sin(omega * i * step) / omega**2, mass * np.sin(omega * i * step)
        x += step * v + step**2 / 4 * a
        v += step / 2 * a
        inertia = mass + damping * step / 2 + spring * step**2 / 4
        rest = -push - damping * v - spring * x
        a = rest / inertia
        depth = x + step**2 / 4 * a + foot - 0.0005
        if depth > 0.0:
            a = (rest - wall * (x + foot - 0.0005)) / (inertia + wall * step**2 / 4)
            depth = x + step**2 / 4 * a + foot - 0.0005
        force = wall * max(0.0, depth)
        x += step**2 / 4 * a
        v += step / 2 * a
    return force


def first_order_sdnd102a(step=2.5e-4):
    """What the incumbent prints of sdnd102a: its scheme, base motion from tables, every eighth step kept."""
    omega, mass, spring, wall = 20 * np.pi, 25.0, 98696.0, 5.76e7
    damping = 0.14 * np.sqrt(spring * mass)
    knots = np.linspace(0.0, 1.0, 10001)
    tables = np.sin(omega * knots), -np.sin(omega * knots) / omega**2
    x = v = a = 0.0
    kept = [0.0]
    for i in range(1, round(1 / step) + 1):
        v += step * a
        x += step * v
        push, foot = (np.interp(i * step, knots, t) for t in tables)
        a = -push - (damping * v + spring * x + wall * max(0.0, x + foot - 0.0005)) / mass
        kept.append(x + foot)
    times = [0.05, 0.156, 0.25, 0.4, 0.5, 0.8, 0.9, 1.0]
    return dict(zip(times, np.interp(times, np.arange(len(kept))[::8] * step, kept[::8])))


def sdnd106a():
    """Rigid Coulomb friction: stick, break-away at t1, slip until v1 = 0 at t3, stick."""
    mass, spring, pull, weight, static, dynamic, cut = 5.0, 1e4, 3000.0, 1e4, 0.3, 0.2, 0.2
    omega = np.sqrt(spring / mass)
    first = np.arccos(1 - static * weight / pull) / omega

    def stuck(t):
        return pull / spring * (1 - np.cos(omega * t)), pull / spring * omega * np.sin(omega * t)

    x2, v2 = stuck(first)
    system = System(mass * np.eye(2), np.zeros((2, 2)), spring * np.array([[1.0, -1.0], [-1.0, 1.0]]))
    rub = np.array([-dynamic * weight, 0.0])
    pieces = [(first, polynomial(rub + [0.0, pull], [1.0])), (cut, polynomial(rub, [1.0]))]

    def slipping(t):
        return system.motion(pieces, [t], [0.0, x2], [0.0, v2])[0]

    last = brentq(lambda t: slipping(t)[1][0], 0.25, 0.33, xtol=1e-16)
    x, v, _ = slipping(last)
    free = System([[mass]], [[0.0]], [[spring]])
    end = 0.339965
    x_end, _, _ = free.motion([(0.0, polynomial([spring * x[0]], [1.0]))], [end - last], [x[1]], [v[1]])[0]
    at = slipping(0.15)[0]
    return {("sdnd106a", DISPLACEMENT, "N1", "ux", 0.02): 0.0, ("sdnd106a", DISPLACEMENT, "N2", "ux", 0.02): stuck(0.02)[0],
            ("sdnd106a", DISPLACEMENT, "N1", "ux", 0.15): float(at[0]), ("sdnd106a", DISPLACEMENT, "N2", "ux", 0.15): float(at[1]),
            ("sdnd106a", VELOCITY, "N1", "ux", end): 0.0, ("sdnd106a", DISPLACEMENT, "N2", "ux", end): float(x_end[0]),
            ("sdnd106a", "stick_to_slip"): float(first), ("sdnd106a", "slip_to_stick"): float(last)}


def sdnd108():
    """Thrown down at 1 m/s under 10 m/s^2, spring of 100 N/m from z = -2 m on."""
    gravity, spring, gap = 10.0, 100.0, 2.0
    touch = (-1 + np.sqrt(1 + 2 * gravity * gap)) / gravity
    speed, omega, weight = -np.sqrt(1 + 2 * gravity * gap), np.sqrt(spring), gravity / spring
    leave = touch + (2 * np.pi - 2 * np.arctan2(-speed / omega, weight)) / omega
    values = {}
    for deck in ("sdnd108a", "sdnd108c"):
        for t in (0.54031242374329, 0.88545615307643, 1.0, 1.1):
            s = t - leave
            z = (-gap - speed * s - gravity * s**2 / 2 if s > 0 else -t - gravity * t**2 / 2 if t <= touch else
                 -gap - weight + weight * np.cos(omega * (t - touch)) + speed / omega * np.sin(omega * (t - touch)))
            values[deck, DISPLACEMENT, "NO1", "uz", t] = float(z)
        values[deck, "closing"], values[deck, "opening"] = float(touch), float(leave)
    return values


def sdnd125a():
    """A mass pushed to and fro between two sprung masses: force between it and the left one."""
    omega = 4 * np.pi
    masses = np.diag([4.5, 10.0, 3.7])
    stiffness = np.diag([1000.0, 0.0, 1000.0]) + 1e-12 * np.array([[1.0, -1.0, 0.0], [-1.0, 2.0, -1.0], [0.0, -1.0, 1.0]])
    contacts = [Contact(np.array([-1.0, 1.0, 0.0]), 0.1, 1e7), Contact(np.array([0.0, -1.0, 1.0]), 0.1, 3e6)]
    system = Switched(masses, np.zeros((3, 3)), stiffness, [[0.0, 0.0], [60.0, 0.0], [0.0, 0.0]],
                      [[0.0, omega], [-omega, 0.0]], [0.0, 1.0], contacts)
    times = [0.3, 0.5, 0.68044, 0.9, 1.0]
    motion, events = system.run(system.start([0.0] * 3, [0.0] * 3), times, 2e-5)
    values = table("sdnd125a", ["N02", "N03", "N04"], times, [state[:3] for state in motion])
    for t, state in zip(times, motion):
        values["sdnd125a", "normal_force", t] = state[3][0]
    values["sdnd125a", "events"] = events
    return values
