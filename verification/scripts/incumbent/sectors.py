"""The beam of zzzz405a in a round hole: wear of sectors of a turn (T17), a knock without slip (T16), and the
depths that the incumbent prints for cards with notches (T14 to T16).

python3 sectors.py repeats what the incumbent does and compares with its numbers.
"""

import math

import numpy as np
from scipy.integrate import solve_ivp
from scipy.optimize import brentq

from beams import Frame, bending, modes
from chains import DISPLACEMENT
from switched import Contact, Switched

GAP, SPRING, FRICTION, SECTORS = 5e-4, 4e6, 0.4, 10
YEARS = 10 * 31557600.0  # of T17 [s]
COEFFICIENT = 1e-10  # [m^3/J]


def beam():
    """Omega of seven modes in a plane, and their shapes where it touches and where it is pushed: 2.259 m on its ends."""
    young, density, area, inertia, length = 1.8e11, 1e4, 8e-5, 4e-9, 0.2259
    shear = young / 2.6 * area / 2.0  # G A_s
    frame = Frame()
    for i in range(10):
        frame.add([("v", i), ("r", i), ("v", i + 1), ("r", i + 1)],
                  *bending(length, young * inertia, density * area, 12 * young * inertia / (shear * length**2),
                           inertia / (area * length**2)))
    stiffness, mass = frame.assemble({("v", 0), ("v", 10)})
    omega, shapes = modes(stiffness, mass, 7)
    return omega, shapes.T @ frame.row(("v", 5)), shapes.T @ frame.row(("v", 2))


KNOTS = np.arange(501) * 1e-3
FORCES = -4.0 * np.array([np.sin(40 * np.pi * KNOTS), np.cos(40 * np.pi * KNOTS)])  # along y and z [N]


class Orbit:
    """Seven modes along y, seven along z, 0.5 %; the wall rubs where it is touched: Coulomb, and it never sticks."""

    def __init__(self):
        self.omega, self.touch, self.pushed = beam()
        self.work = np.zeros(SECTORS)
        self.touches = []

    def place(self, state):
        q, v = state[:14].reshape(2, 7), state[14:28].reshape(2, 7)
        return q @ self.touch, v @ self.touch

    def gap(self, state):
        return GAP - math.hypot(*self.place(state)[0])

    def sector(self, state):
        y, z = self.place(state)[0]
        return (math.atan2(z, y) / math.pi + 1.0) * SECTORS / 2.0

    def rate(self, t, state, closed, begin, push, slope):
        q, v = state[:14].reshape(2, 7), state[14:28].reshape(2, 7)
        a = -0.01 * self.omega * v - self.omega**2 * q + np.outer(push + slope * (t - begin), self.pushed)
        power = 0.0
        if closed:
            x, u = q @ self.touch, v @ self.touch
            r = math.hypot(*x)
            out = x / r
            round_about = np.array([-out[1], out[0]])
            slip = u @ round_about
            normal = SPRING * (r - GAP)
            a += np.outer(-normal * out - FRICTION * normal * math.copysign(1.0, slip) * round_about, self.touch)
            power = normal * abs(slip)
        return np.concatenate([v.ravel(), a.ravel(), [power]])

    def cut(self, solution, function, low, high):
        """The first time after low when a function of the state is below 0, or None."""
        for a, b in zip(*(lambda g: (g[:-1], g[1:]))(np.linspace(low, high, 40))):
            if function(solution(b)) < 0.0:
                return brentq(lambda s: function(solution(s)), a, b, xtol=1e-17) if function(solution(a)) > 0.0 else a
        return None

    def run(self):
        state, closed, t = np.zeros(29), False, 0.0
        for begin, push, slope in zip(KNOTS[:-1], FORCES.T[:-1], np.diff(FORCES).T / 1e-3):
            end = begin + 1e-3
            while t < end:
                found = solve_ivp(self.rate, (t, end), state, "DOP853", dense_output=True, rtol=1e-12, atol=1e-16,
                                  args=(closed, begin, push, slope), max_step=1e-4)
                sign = -1.0 if closed else 1.0
                change = self.cut(found.sol, lambda s: sign * self.gap(s), t + (1e-9 if t > begin else 0.0), end)
                stop = end if change is None else change
                if closed:
                    self.add(found.sol, t, stop)
                state, t = found.sol(stop), stop
                if change is not None:
                    closed = not closed
                    self.touches.append((t, math.degrees(math.atan2(*self.place(state)[0][::-1])), closed))
            t = end
        return self

    def add(self, solution, low, high):
        """Work of each sector between two instants; the beam goes one way round."""
        slips = [u[1] * x[0] - u[0] * x[1] for x, u in (self.place(solution(s)) for s in np.linspace(low, high, 60))]
        assert min(slips) * max(slips) > 0.0, "it sticks or turns back"
        first, last = self.sector(solution(low)), self.sector(solution(high))
        step = 1 if last > first else -1
        border = math.floor(first) + (step > 0)
        t, present = low, min(int(first), SECTORS - 1)
        while (last - border) * step > 0:
            then = brentq(lambda s, at=border: self.sector(solution(s)) - at, t, high, xtol=1e-17)
            self.work[present] += solution(then)[28] - solution(t)[28]
            t, present, border = then, present + step, border + step
        self.work[present] += solution(high)[28] - solution(t)[28]


def zzzz405a_orbit():
    orbit = Orbit().run()
    values = {("zzzz405a-orbit", "touches"): sum(closed for _, _, closed in orbit.touches),
              ("zzzz405a-orbit", "sector_wear_work", 0): float(orbit.work.sum()),
              ("zzzz405a-orbit", "wear_volume"): COEFFICIENT * YEARS * float(orbit.work.sum()) / 0.5}
    for i, work in enumerate(orbit.work):
        values["zzzz405a-orbit", "sector_wear_work", i + 1] = float(work)
        values["zzzz405a-orbit", "sector_wear_volume", i + 1] = COEFFICIENT * YEARS * float(work) / 0.5
    values["zzzz405a-orbit", "closings"] = [t for t, _, closed in orbit.touches if closed]
    return values


def zzzz405a_pulse():
    """-5714 N at its height, 0.14 ms long, in the plane x y: it knocks from side to side, and never moves along z."""
    omega, touch, pushed = beam()
    gap = [Contact(side * touch, GAP, SPRING) for side in (1.0, -1.0)]
    top, half = -0.4 * 14285.714285714286, 7e-5

    def system(force, slope):  # w = (force, its slope, 1)
        return Switched(np.eye(7), np.diag(0.02 * omega), np.diag(omega**2), np.outer(pushed, [1.0, 0.0]),
                        [[0.0, 1.0], [0.0, 0.0]], [force, slope], gap)

    q, v = np.zeros(7), np.zeros(7)
    for force, slope in ((0.0, top / half), (top, -top / half)):
        leg = system(force, slope)
        (q, v, *_), = leg.run(leg.start(q, v), [half], 1e-6)[0]
    free, times, begin = system(0.0, 0.0), [0.01, 0.02, 0.05], 2 * half
    motion, events = free.run(free.start(q, v), [t - begin for t in times] + [0.5], 2e-6)
    values = {("zzzz405a-pulse", DISPLACEMENT, t): float(touch @ state[0]) for t, state in zip(times, motion)}
    closings = [begin + t for t, _, kind in events if kind == "closing" and t + begin < 0.5]
    values["zzzz405a-pulse", "closings"] = closings
    values["zzzz405a-pulse", "count"] = len(closings)
    return values


# What the incumbent does, by its public manuals and source; proved by what it prints.

def its_orbit(step=7e-5):
    """Samples (N, |slip|, angle) of its run: v += h a, x += h v, forces at the end of a step."""
    omega, touch, pushed = beam()
    q, v, rows = np.zeros((2, 7)), np.zeros((2, 7)), []
    for i in range(round(0.5 / step) + 1):
        if i:
            v = v + step * a
            q = q + step * v
        push = [np.interp(i * step, KNOTS, f) for f in FORCES]
        a = np.outer(push, pushed) - 0.01 * omega * v - omega**2 * q
        x, u = q @ touch, v @ touch
        r = math.hypot(*x)
        normal = slip = 0.0
        if r >= GAP:
            out = x / r
            slip = u[1] * out[0] - u[0] * out[1]
            normal = SPRING * (r - GAP)
            a += np.outer(-normal * out - FRICTION * normal * np.sign(slip) * np.array([-out[1], out[0]]), touch)
        rows.append((normal, abs(slip), math.degrees(math.atan2(x[1], x[0])) if r > 0 else 0.0))
    return np.array(rows)


def its_sectors(rows, blocks=4):
    """Volumes: k t, the mean over blocks of (work in the sector/time in it), and the share of all samples in it."""
    power, angle = rows[:, 0] * rows[:, 1], rows[:, 2]
    edges, length = np.linspace(-180.0, 180.0, SECTORS + 1), len(rows) // blocks
    mean, counts = np.zeros(SECTORS), np.zeros(SECTORS)
    for s in range(SECTORS):
        for b in range(blocks):
            i = np.arange(b * length, (b + 1) * length - 1)
            i = i[(angle[i] > edges[s]) & (angle[i] <= edges[s + 1])]
            counts[s] += len(i)
            if len(i):
                mean[s] += np.mean((power[i] + power[i + 1]) / 2.0) / blocks
    return COEFFICIENT * YEARS * mean * counts / np.sum(counts)


CARD = (-48.89e3 / 11.0, 106.03 / 11.0, -0.88e-3 / 11.0)  # V = a d^3 + b d^2 + c d of two notches, half of it of one
DEEPEST = 1.44e-3


def card(depth, notches=2):
    return notches / 2.0 * depth * (CARD[2] + depth * (CARD[1] + depth * CARD[0]))


def its_depth(volume, low):
    """Its search for the depth of a card of two notches: Newton's steps between bounds, to below 1 micrometre or 1e-6
    of the depth. Where the bounds are to be halved it takes half their distance times the lower one, which is close
    to 0: where V is negative, and where the next step finds one of the two depths of V = 0."""
    high = DEEPEST
    depth, before = (low + high) / 2.0, high - low
    value = card(depth) - volume
    slope = CARD[2] + depth * (2 * CARD[1] + depth * 3 * CARD[0])
    for _ in range(100):
        if (((depth - high) * slope - value) * ((depth - low) * slope - value) >= 0.0
                or abs(2.0 * value) > abs(before * slope)):
            before = (high - low) / 2.0
            last, depth = low, before * low
        else:
            before = value / slope
            last, depth = depth, depth - before
        if abs(last - depth) <= 1e-6 * abs(depth) or abs(before) < 1e-6:
            return depth
        value = card(depth) - volume
        slope = CARD[2] + depth * (2 * CARD[1] + depth * 3 * CARD[0])
        low, high = (depth, high) if value < 0.0 else (low, depth)
    return math.inf


PRINTED_DEPTHS = {1: 8.38630113802e-06, 3: 2.84813153057e-12, 5: 8.38630746642e-06, 7: 8.38630113803e-06}  # T16
PRINTED_VOLUME = 1.61114036564e-05  # T17, sector 1


def main():
    volumes = its_sectors(its_orbit())
    print(f"T17: sector 1 printed {PRINTED_VOLUME:.12g}, its rule {volumes[0] / PRINTED_VOLUME - 1.0:+.1e}, "
          f"exact {zzzz405a_orbit()['zzzz405a-orbit', 'sector_wear_volume', 1] / PRINTED_VOLUME - 1.0:+.1e}; "
          f"sector 6 its rule {volumes[5]}")
    for growth in (0.0, 1e-20):
        depth, furthest = 0.0, 0.0
        for year in range(1, 8):
            depth = its_depth(growth * year, depth)
            if year in PRINTED_DEPTHS:
                furthest = max(furthest, abs(depth / PRINTED_DEPTHS[year] - 1.0))
        print(f"T16: depths of {growth:g} m3 a year, its search: within {furthest:.1e} of those printed")
    print(f"T16: depths of no volume {[0.0] + sorted(np.roots(CARD))}")
    print(f"T14, T15: a card of two notches has {card(DEEPEST):.6g} m3 at {DEEPEST} m and at most "
          f"{max(card(d) for d in np.linspace(0, 2e-3, 20001)):.6g}; asked for {COEFFICIENT * 0.5 * 31536000.0:.6g}")


if __name__ == "__main__":
    main()
