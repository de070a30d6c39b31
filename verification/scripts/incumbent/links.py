"""References of the incumbent's cases of links: {(deck, quantity, ...): value}, closed forms and own integrations.

Signs are those of the decks: a link counts approach as positive, and a force that pushes its nodes apart.
"""

import math
import tomllib
from pathlib import Path

import numpy as np
from scipy.integrate import solve_ivp
from scipy.linalg import expm
from scipy.optimize import brentq

FOLDER = Path(__file__).resolve().parents[2] / "cases/incumbent"
FORCE, STRETCH, LOST, MOVED = "link_force", "link_displacement", "link_energy", "displacement"
KEPT = "link_variable"
ZENER = (120.0, 10.0, 60.0, 1.7)


def sdnd103a():
    values = {("sdnd103a", "frequency"): math.sqrt(1e5 / 450) / (2 * math.pi)}
    for i, t in enumerate([2.0, 6.0, 10.0, 14.0, 18.0]):
        values["sdnd103a", MOVED, t] = 0.01 * (-1) ** i
        values["sdnd103a", "acceleration", t] = -0.01 * (-1) ** i * (math.pi / 4) ** 2
    return values


def sdnd105():
    """m = k = 1: yields at 1 and holds 1/2; or a plateau of 1 m, a fall over 1 m, then 1/2 and a table of crush."""
    start = 2.828427125
    spent = 0.5 + 1.0 + 0.75  # up to 3 m
    largest = 3.0 + (0.5 * start**2 - spent) / 0.5
    crush, stiffness = np.array([2.0, 3.0, 4.0, 5.0]), np.array([0.2, 0.15, 0.125, 0.1])
    left = float(np.interp(largest, crush + 0.5 / stiffness, crush))
    back = math.sqrt(0.5 * (largest - left))
    soft = math.sqrt(0.5 / (largest - left))

    def force(x):
        return np.interp(x, [0.0, 1.0, 2.0, 3.0], [0.0, 1.0, 1.0, 0.5])

    t, state = 0.0, [0.0, start]
    for end in (1.0, 2.0, 3.0, None):
        def stop(_, y, end=end):
            return y[1] if end is None else y[0] - end
        stop.terminal = True
        part = solve_ivp(lambda _, y: [y[1], -force(y[0])], (t, t + 9), state, "DOP853", events=stop, rtol=1e-13,
                         atol=1e-14)
        t, state = part.t[-1], part.y[:, -1]
    return {("sdnd105a", "residual_crush"): 3.0, ("sdnd105a", "event"): math.pi / 6,
            ("sdnd105c", MOVED): largest, ("sdnd105c", "residual_crush"): left,
            ("sdnd105c", "velocity", "let go"): -back,
            ("sdnd105c", "velocity", 9.0): -back * math.sin(soft * (9.0 - t)),
            ("sdnd105e", MOVED): -largest, ("sdnd105e", "residual_crush"): left,
            ("sdnd105e", "velocity"): 10 * back}


def sdnd107a():
    """F = k1 (x - e) = k2 e + k3 (e - d), c d' = k3 (e - d), from x = -0.1 m."""
    k1, k2, k3, c = ZENER
    by_x, by_d = k1 / (k1 + k2 + k3), k3 / (k1 + k2 + k3)
    system = np.array([[0, 1, 0], [k1 * (by_x - 1), 0, k1 * by_d], [k3 / c * by_x, 0, k3 / c * (by_d - 1)]])
    values = {}
    for t in (0.712, 0.876, 1.744, 1.904, 2.776, 2.936, 3.808, 3.968, 4.84):
        x, _, d = expm(system * t) @ np.array([-0.1, 0.0, 0.0])
        values["sdnd107a", STRETCH, t] = x
        values["sdnd107a", FORCE, t] = k1 * (x - by_x * x - by_d * d)
    return values


def zener(force, rate, stretch, k1=ZENER[0], k2=ZENER[1], k3=ZENER[2], c=ZENER[3], exponent=0.5):
    """dF/dt of the damper; k3 = inf for a rigid one."""
    drive = (force * (1 + k2 / k1) - k2 * stretch) / c
    flow = np.sign(drive) * np.abs(drive) ** (1 / exponent)
    return (rate * (1 + k2 / k3) - flow) / (1 / k1 + 1 / k3 + k2 / (k1 * k3))


def ssnd101c():
    """Stretched by 0.1 m at once: from the force of its springs."""
    k1, k2, k3, _ = ZENER
    times, stretch = [0.08, 0.12, 0.2, 0.28, 0.4, 0.6, 0.68, 1.0], 0.1
    start = stretch / (1 / k1 + 1 / (k2 + k3))
    force = solve_ivp(lambda _, f: zener(f, 0.0, stretch), (0, 1), [start], "DOP853", times, rtol=1e-12, atol=1e-13).y[0]
    values = {}
    for t, f in zip(times, force):
        values["ssnd101c", FORCE, t] = float(f)
        inner = stretch - f / k1  # of k2, and of k3 with the dashpot
        pull = f - k2 * inner
        values["ssnd101c", KEPT, t] = float(inner - pull / k3)
        # nothing moves: what the springs give up is lost
        values["ssnd101c", LOST, t] = float(
            stretch * start / 2 - (f**2 / k1 + k2 * inner**2 + pull**2 / k3) / 2)
    return values


TIMES_101 = [0.004, 0.048, 0.1, 0.136, 0.204, 0.248, 0.304, 0.348, 0.404, 0.5, 0.56, 0.6, 0.64, 0.704, 0.748, 0.804,
             0.848, 0.904, 0.948, 1.0]


def ssnd101d():
    """Stretched by 0.1 sin(10 pi t)."""
    w = 10 * math.pi
    force = solve_ivp(lambda t, f: zener(f, 0.1 * w * math.cos(w * t), 0.1 * math.sin(w * t), k2=0.0, k3=math.inf),
                      (0, 1), [0.0], "DOP853", TIMES_101, rtol=1e-12, atol=1e-13).y[0]
    values = {("ssnd101d", FORCE, t): float(f) for t, f in zip(TIMES_101, force)}
    return values | {("ssnd101d", STRETCH, t): 0.1 * math.sin(w * t) for t in TIMES_101}


def straight_ssnd101d(steps=250):
    """The same as the incumbent sees it, straight between 250 instants: its own values within 1.3e-6."""
    x, force, values = 0.1 * np.sin(np.linspace(0, 10 * math.pi, steps + 1)), 0.0, {}
    for i, rate in enumerate(np.diff(x) * steps):
        force = solve_ivp(lambda _, f, rate=rate: zener(f, rate, 0.0, k2=0.0, k3=math.inf), (0, 1 / steps), [force],
                          "DOP853", rtol=1e-11, atol=1e-12).y[0, -1]
        values[round((i + 1) / steps, 6)] = float(force)
    return values


def sdnd125d():
    def rate(t, y):
        u, v, f = y[:3], y[3:6], y[6:]
        away, apart = np.array([u[1] - u[0], u[1] - u[2]]), np.array([v[1] - v[0], v[1] - v[2]])
        push = 500 * math.sin(4 * math.pi * t)
        acceleration = [(f[0] - 1000 * u[0]) / 4.5, (push - f[0] - f[1]) / 10, (f[1] - 1000 * u[2]) / 3.7]
        return np.concatenate([v, acceleration, zener(f, apart, away)])

    y = solve_ivp(rate, (0, 1), np.zeros(8), "DOP853", [0.5, 1.0], rtol=1e-12, atol=1e-14).y
    return {("sdnd125d", MOVED, 0.5): y[1, 0], ("sdnd125d", MOVED, 1.0): y[1, 1],
            ("sdnd125d", FORCE, "left"): -y[6, 0], ("sdnd125d", FORCE, "right"): y[7, 0]}


def sdnd125f():
    """Three modes, each under 10 sin(8 pi t)."""
    mass = np.diag([4.5, 10.0, 3.7])
    stiffness = np.array([[1.1e5, -1e4, 0.0], [-1e4, 1.2e5, -1e4], [0.0, -1e4, 1.1e5]])
    root = np.diag(1 / np.sqrt(np.diag(mass)))
    squares, shapes = np.linalg.eigh(root @ stiffness @ root)
    shapes, omega = root @ shapes, 8 * math.pi
    values = {}
    for t in (0.5, 1.0):
        w = np.sqrt(squares)
        q = 10 * shapes[1] / (squares - omega**2) * (np.sin(omega * t) - omega / w * np.sin(w * t))
        values["sdnd125f", MOVED, t] = shapes[1] @ q
        values["sdnd125f", FORCE, t] = 1e5 * (shapes[1] @ q)
    return values


def sdnd120a():
    """The masses go with their supports."""
    size, omega, end = 0.66 / (2 * math.pi) ** 2, 2 * math.pi, 0.998
    part = 0.5 - math.sin(2 * omega * end) / (4 * omega * end)
    values = {("sdnd120a", MOVED, "max"): size, ("sdnd120a", MOVED, "rms"): size / math.sqrt(2),
              ("sdnd120a", MOVED, "rms of it"): size * math.sqrt(part)}
    for t in (0.1, 0.4, 0.6, 0.85):
        x, v = size * math.sin(omega * t), size * omega * math.cos(omega * t)
        values["sdnd120a", FORCE, t] = (
            5.3e5 * x + 5.47e6 * x / math.sqrt(1 + (6e6 * x / 1200) ** 2)
            + 7000 * np.sign(v) * abs(v * x / 0.03) ** 0.2)
    return values


class Elastoplastic:
    """A mass between its base and an elastoplastic link, the base shaken by -6 sin(pi t).

    Branch by branch, m x'' = -k x - f + 6 m sin(pi t) with f linear in x: closed forms, ends of branches by roots.
    """

    def __init__(self, mass, spring, table):
        self.mass, self.spring = mass, spring
        self.elastic = table[1, 1] / table[1, 0]
        self.hard, self.limit = table[1:, 0] - table[1:, 1] / self.elastic, table[1:, 1]

    def branch(self, t, state, slope, x0, f0):
        """x(t), v(t) under f = f0 + slope (x - x0)."""
        k, w = self.spring + slope, math.pi
        own, rest = math.sqrt(k / self.mass), (slope * x0 - f0) / k
        forced = 6 * self.mass / (k - self.mass * w * w)
        a = state[0] - rest - forced * math.sin(w * t)
        b = (state[1] - forced * w * math.cos(w * t)) / own

        def motion(s):
            c, d = math.cos(own * (s - t)), math.sin(own * (s - t))
            return (rest + forced * math.sin(w * s) + a * c + b * d,
                    forced * w * math.cos(w * s) + own * (b * c - a * d))
        return motion

    def run(self, times, step=2e-3):
        """Force and approach of the link, work lost, plastic displacement and its sum at the times."""
        t, x, v, u, p, lost = 0.0, 0.0, 0.0, 0.0, 0.0, 0.0
        found, side, times = [], 0.0, list(times)
        while times:
            if side == 0.0:
                slope, top, bottom = self.elastic, *(u + s * self.yields(p) / self.elastic for s in (1, -1))
                motion = self.branch(t, (x, v), slope, u, 0.0)
                watch = [lambda s: motion(s)[0] - top, lambda s: bottom - motion(s)[0]]
            else:
                i = min(int(np.searchsorted(self.hard, p + 1e-13, side="right")) - 1, len(self.hard) - 2)
                steep = (self.limit[i + 1] - self.limit[i]) / (self.hard[i + 1] - self.hard[i])
                slope = self.elastic * steep / (self.elastic + steep)
                force, at, before = side * self.yields(p), x, p
                motion = self.branch(t, (x, v), slope, x, force)
                end = side * self.limit[i + 1] / slope - force / slope + x
                watch = [lambda s: side * (motion(s)[0] - end), lambda s: -side * motion(s)[1]]
            s, ends = t, None
            while ends is None and s < times[0]:
                last, s = s, min(s + step, times[0])
                roots = [(brentq(g, last, s, xtol=1e-15), j) for j, g in enumerate(watch)
                         if g(s) > 0 and g(last) <= 0 and (g(last) < 0 or last > t)]
                ends = min(roots) if roots else None
            s = ends[0] if ends else s
            x, v = motion(s)
            if side != 0.0:
                p = before + slope / steep * side * (x - at)
                u += side * (p - before)
                lost += 0.5 * (self.yields(before) + self.yields(p)) * (p - before)
            t = s
            if ends is None:
                found.append((-self.elastic * (x - u), -x, lost, -u, p))
                times.pop(0)
            elif side == 0.0:
                side = 1.0 if ends[1] == 0 else -1.0
            elif ends[1] == 1:
                side = 0.0
        return found

    def yields(self, p):
        return float(np.interp(p, self.hard, self.limit))

    def mapped(self, x, u, p):
        """Force, plastic displacement and its sum at the end of a straight way to x."""
        trial = self.elastic * (x - u)
        if abs(trial) <= self.yields(p):
            return trial, u, p
        q = brentq(lambda q: abs(trial) - self.elastic * (q - p) - self.yields(q), p, p + abs(trial) / self.elastic,
                   xtol=1e-15)
        return math.copysign(self.yields(q), trial), u + math.copysign(q - p, trial), q


TIMES_124 = [1.275, 2.525, 3.625, 4.525, 5.375, 6.4, 7.525, 8.55, 9.5, 10.45, 11.45, 12.525, 13.525, 14.5, 15.475,
             16.475, 17.5, 18.525, 19.5, 20.5, 21.475, 22.5, 23.525, 24.525, 25.5, 26.475, 27.475, 28.5, 29.525, 30.5,
             31.5]


def sdnd124():
    table = np.loadtxt(FOLDER / "sdnd124-curve.csv", delimiter=",", skiprows=1)
    values = {}
    for t, row in zip(TIMES_124, Elastoplastic(200.0, 400.0, table).run(TIMES_124)):
        for quantity, value in zip((FORCE, STRETCH, LOST, KEPT, KEPT + " sum"), row):
            for deck in ("sdnd124a", "sdnd124b"):
                values[deck, quantity, t] = value
    return values


def ssnd117a():
    """The elastoplastic link of sdnd124 stretched by 2 sin(2 pi t): only the way counts, not the time."""
    table = np.loadtxt(FOLDER / "sdnd124-curve.csv", delimiter=",", skiprows=1)
    link, u, p, lost, values = Elastoplastic(1.0, 1.0, table), 0.0, 0.0, 0.0, {}
    for i in range(1, 30):
        x, t = 2 * math.sin(0.1 * math.pi * i), round(0.05 * i, 6)
        _, u, q = link.mapped(x, u, p)
        between = link.hard[(link.hard > p) & (link.hard < q)]
        way = np.concatenate([[p], between, [q]])
        limit = np.interp(way, link.hard, link.limit)
        lost, p = lost + float(np.sum((limit[1:] + limit[:-1]) * np.diff(way))) / 2, q
        values["ssnd117a", FORCE, t], values["ssnd117a", STRETCH, t] = -link.elastic * (x - u), -x
        values["ssnd117a", LOST, t] = lost
        values["ssnd117a", KEPT, t], values["ssnd117a", KEPT + " sum", t] = -u, p
    return values


def off_curve_ssnd117a():
    """By how much the incumbent's own states miss K (x - u) = f, and the curve where they flow [N].

    That is {t: (miss, distance)}; where its sum has grown since the instant before the state has to lie on the curve.
    """
    table = np.loadtxt(FOLDER / "sdnd124-curve.csv", delimiter=",", skiprows=1)
    link, states, found, before = Elastoplastic(1.0, 1.0, table), {}, {}, 0.0
    for check in tomllib.loads((FOLDER / "ssnd117a.toml").read_text(encoding="utf-8"))["checks"]:
        states.setdefault(check["time"], {})[check.get("variable", check["quantity"])] = check["published"]
    for t, state in sorted(states.items()):
        force, u, p = state[FORCE], state["plastic_displacement_1"], state["accumulated_plastic_displacement"]
        flows = p > before * (1 + 1e-9) and not math.isclose(t % 0.5, 0.0, abs_tol=1e-9)
        found[t] = (link.elastic * (state[STRETCH] - u) - force, abs(force) - link.yields(p) if flows else 0.0)
        before = p
    return found


ROLLER = ([0.0, 0.2, 0.5, 0.7, 0.95, 1.0], [0.0, 400.0, 450.0, 600.0, 700.0, 1000.0])


def roller(depth):
    """The table, straight on beyond its end."""
    return np.interp(depth, *ROLLER) + max(depth - 1.0, 0.0) * 6000.0 if depth > 0.0 else 0.0


def sdnd110a():
    times = [0.05, 0.1, 0.15, 0.2, 0.4, 0.55, 0.75, 0.9, 1.25, 1.4, 1.75, 2.0]
    sines = [(0.625, 2), (0.25, 3), (0.55, 6)]
    return {("sdnd110a", "normal_force", t): float(roller(sum(a * math.sin(n * math.pi * t) for a, n in sines)))
            for t in times}


def ssnd121a():
    ramp = ([0.0, 1.0, 2.0, 3.0, 3.5, 5.0, 8.0, 10.0, 20.0], [0.0, 0.08, 0.2, 0.4, 0.3, 0.0, 0.3, 1.5, 0.0])
    times = [0.5, 1.5, 2.6, 3.0, 3.3, 4.7, 6.0, 7.4, 8.6, 9.4, 10.0, 12.5, 15.0, 17.5, 19.0]
    return {("ssnd121a", "normal_force", t): float(roller(np.interp(t, *ramp))) for t in times}


def sdnd110c():
    """3 kg between springs of 300 N/m, one foot of which moves, before a roller: branches of the table by DOP853."""
    sines, corners = [(0.5, 2), (0.2, 3), (0.44, 6)], ROLLER[0]
    times = [0.1, 0.25, 0.4, 0.7, 1.0, 1.5, 2.0, 3.0, 4.0]
    t, state, values = 0.0, [0.0, 0.5 * sum(a * n * math.pi for a, n in sines)], {}

    def rate(t, y):
        foot = sum(a * math.sin(n * math.pi * t) for a, n in sines)
        return [y[1], (300 * foot - 600 * y[0] - roller(y[0])) / 3]

    ends = [lambda _, y, c=c: y[0] - c for c in corners]
    for end in ends:
        end.terminal = True
    while t < times[-1]:
        due = [s for s in times if s > t]
        part = solve_ivp(rate, (t, due[0]), state, "DOP853", events=ends, rtol=1e-12, atol=1e-13)
        t, state = part.t[-1], part.y[:, -1]
        if part.status == 0:
            values["sdnd110c", MOVED, t], values["sdnd110c", "normal_force", t] = state[0], float(roller(state[0]))
        else:  # on a corner: a step off it before it is watched again
            part = solve_ivp(rate, (t, t + 1e-7), state, "DOP853", rtol=1e-12, atol=1e-13)
            t, state = part.t[-1], part.y[:, -1]
    return values


def newmark_sdnd124a(step=0.025, steps=1280):
    """What Elastoplastic.run gives, by the incumbent's steps: average acceleration, supports moved by displacement.

    Its values are up to 3.1e-4 away: it integrates the law by Runge-Kutta steps, this one exactly.
    """
    table = np.loadtxt(FOLDER / "sdnd124-curve.csv", delimiter=",", skiprows=1)
    link, mass, spring, omega = Elastoplastic(200.0, 400.0, table), 200.0, 400.0, math.pi
    y, v, a, u, p, lost, rows = 0.0, 6 / omega, 0.0, 0.0, 0.0, 0.0, {}
    inertia = 4 * mass / step**2

    for i in range(1, steps + 1):
        base = 6 * math.sin(omega * i * step) / omega**2
        ahead = y + step * v + step**2 / 4 * a
        new = brentq(lambda z: inertia * (z - ahead) + link.mapped(z - base, u, p)[0] + spring * (z - base),
                     ahead - 1, ahead + 1, xtol=1e-14)
        force, u, q = link.mapped(new - base, u, p)
        lost += 0.5 * (link.yields(p) + link.yields(q)) * (q - p)
        v, a, y, p = v + step / 2 * (a + 4 / step**2 * (new - ahead)), 4 / step**2 * (new - ahead), new, q
        rows[round(i * step, 6)] = (-force, base - y, lost, -u, p)
    return rows



TIMES_109 = [0.11, 0.14, 0.2, 0.21, 0.3, 0.37, 0.45, 0.46, 1.03, 1.1, 1.18, 1.22, 1.3, 1.33, 1.68, 1.7, 1.77, 1.86, 2.23,
             2.24, 2.39, 2.51, 2.52, 3.12, 3.14, 3.15, 3.16, 3.17, 3.18, 3.19, 3.2, 3.38, 3.4, 4.21, 4.23, 4.27, 4.46,
             4.48, 5.21, 5.23, 5.26, 5.45, 5.47, 6.28, 6.3, 6.31, 6.5, 6.51, 7.34, 7.35, 7.36, 7.37, 7.49, 7.54, 7.55,
             8.39, 8.4, 8.41, 8.53, 8.57, 8.58, 9.47, 9.48, 9.49, 9.58, 9.59, 9.6, 9.61, 9.62]
LIMIT_109 = ([0.0, 0.2, 0.5, 0.7, 0.95, 1.3, 1.6, 20.0], [400.0, 400.0, 450.0, 400.0, 375.0, 350.0, 300.0, 300.0])


def foot_109():
    """Motion of the foot of the spring: three sines, sampled 400 times in 10 s."""
    t = np.linspace(0, 10, 401)
    return t, sum(a * np.sin(n * math.pi * t) for a, n in ((0.25, 2), (0.1, 3), (0.1, 6)))


def sdnd109a():
    """15 kg under 10 m/s2, drawn by 500 N/m from the foot, against a stop of 2000 N/m that is crushed.

    Free, on the spring of the stop or crushing it: each between corners of the tables by DOP853.
    """
    times, foot = foot_109()
    k, corners = 2000.0, LIMIT_109[0]
    t, state, left, mode, values = 0.0, [0.0, 0.0], 0.0, "free", {}

    def push(x):
        p = x - 0.1
        return {"free": 0.0, "spring": k * (p - left), "crush": float(np.interp(p, *LIMIT_109))}[mode]

    def rate(t, y):
        return [y[1], 10 + (500 * (np.interp(t, times, foot) - y[0]) - push(y[0])) / 15]

    def watch(g):
        g.terminal, g.direction = True, 1
        return g

    ends = {"free": [watch(lambda _, y: y[0] - 0.1 - left)],
            "spring": [watch(lambda _, y: k * (y[0] - 0.1 - left) - np.interp(y[0] - 0.1, *LIMIT_109)),
                       watch(lambda _, y: left - y[0] + 0.1)],
            "crush": [watch(lambda _, y: -y[1])] + [watch(lambda _, y, c=c: y[0] - 0.1 - c) for c in corners]}
    stops = sorted({round(float(s), 9) for s in times} | set(TIMES_109))
    while t < TIMES_109[-1]:
        due = next(s for s in stops if s > t + 1e-12)
        part = solve_ivp(rate, (t, due), state, "DOP853", events=ends[mode], rtol=1e-12, atol=1e-13)
        t, state = part.t[-1], part.y[:, -1]
        if mode == "crush":
            left = state[0] - 0.1 - push(state[0]) / k
        if part.status == 0:
            t = due
            if t in TIMES_109:
                values["sdnd109a", FORCE, t], values["sdnd109a", "link_variable", t] = push(state[0]), left
                values["sdnd109a", MOVED, t] = state[0]
            continue
        which = next(i for i, found in enumerate(part.t_events) if len(found))
        if mode != "crush":
            mode = {"free": "spring", "spring": ("crush", "free")[which]}[mode]
        elif which == 0:
            mode = "spring"
        part = solve_ivp(rate, (t, t + 1e-9), state, "DOP853", rtol=1e-12, atol=1e-13)  # off the corner
        t, state = part.t[-1], part.y[:, -1]
    return values


def newmark_sdnd109a(step=0.005):
    """Force, crush and motion by the incumbent's steps: average acceleration, the law at the end of the step.

    With 0.005 s its first run is met within 0.11 N and 6e-5 m, with 0.01 s its second within 2.8 N and 1.7e-3 m.
    """
    times, foot = foot_109()
    k, x, v, left, rows = 2000.0, 0.0, 0.0, 0.0, {}

    def crushed(x):
        p = x - 0.1
        return max(left, p - float(np.interp(p, *LIMIT_109)) / k)

    def acceleration(t, x):
        return 10 + (500 * (np.interp(t, times, foot) - x) - k * max(0.0, x - 0.1 - crushed(x))) / 15

    a = acceleration(0.0, x)
    for i in range(1, round(9.62 / step) + 1):
        ahead = x + step * v + step**2 / 4 * a
        new = brentq(lambda z: 4 / step**2 * (z - ahead) - acceleration(i * step, z), ahead - 1, ahead + 1, xtol=1e-14)
        v, a, x = v + step / 2 * (a + 4 / step**2 * (new - ahead)), 4 / step**2 * (new - ahead), new
        left = crushed(x)
        rows[round(i * step, 6)] = (k * max(0.0, x - 0.1 - left), left, x)
    return rows
