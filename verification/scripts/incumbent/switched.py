"""Piecewise linear motion with unilateral springs and dashpots, exact but for rounding.

Between two changes of contact the motion is one matrix exponential; a change is where a guard, sampled every
`scan` seconds, crosses zero, found by bisection to rounding.
"""

from dataclasses import dataclass

import numpy as np
from scipy.linalg import expm
from scipy.optimize import brentq


@dataclass
class Contact:
    """gap = offset + row.q + drive.w; force = max(0, -stiffness gap - damping gap') along `row` while gap < 0."""

    row: np.ndarray
    offset: float
    stiffness: float
    damping: float = 0.0
    drive: np.ndarray | None = None


class Switched:
    """M q'' + C q' + K q = G w + sum of row force, w' = S w. The last w is the constant 1."""

    def __init__(self, mass, damping, stiffness, shape, rates, initial, contacts):
        n, m = len(mass), len(initial) + 1
        inverse = np.linalg.inv(mass)
        self.n, self.m, self.contacts = n, m, contacts
        self.scale = float(np.sqrt(np.max(np.abs(inverse @ stiffness))))
        self.rate = np.zeros((2 * n + m, 2 * n + m))
        self.rate[:n, n:2 * n] = self.scale * np.eye(n)
        self.rate[n:2 * n, :n] = -inverse @ stiffness / self.scale
        self.rate[n:2 * n, n:2 * n] = -inverse @ damping
        if m > 1:
            self.rate[n:2 * n, 2 * n:-1] = inverse @ np.reshape(shape, (n, m - 1))
            self.rate[2 * n:-1, 2 * n:-1] = rates
        self.w = np.append(np.asarray(initial, float), 1.0)
        self.gaps, self.forces, self.pushes = [], [], []
        for c in contacts:
            gap = np.zeros(2 * n + m)
            gap[:n], gap[-1] = c.row / self.scale, c.offset
            if c.drive is not None:
                gap[2 * n:2 * n + len(c.drive)] = c.drive
            rise = gap @ self.rate  # of the gap: without the contact's own force, which acts on q'' only
            self.gaps.append(gap)
            self.forces.append(-c.stiffness * gap - c.damping * rise)
            push = np.zeros(2 * n + m)
            push[n:2 * n] = inverse @ c.row
            self.pushes.append(push)
        self.cache = {}

    def start(self, q, v):
        return np.concatenate([self.scale * np.asarray(q, float), np.asarray(v, float), self.w])

    def matrix(self, closed, scan):
        if closed not in self.cache:
            rate = self.rate.copy()
            for i in closed:
                rate += np.outer(self.pushes[i], self.forces[i])
            self.cache[closed] = (rate, expm(rate * scan))
        return self.cache[closed]

    def guards(self, closed, y):
        """Positive while the states hold."""
        return np.array([self.forces[i] @ y if i in closed else max(self.gaps[i] @ y, -(self.forces[i] @ y))
                         for i in range(len(self.contacts))])

    def run(self, y, times, scan, closed=frozenset()):
        """([(q, v, q'', forces)] at the ascending times, [(time, contact, 'closing' or 'opening')])."""
        found, events, t, pending = [], [], 0.0, list(times)
        while pending:
            rate, step = self.matrix(closed, scan)
            after = step @ y
            h = scan
            crossed = None
            guards = self.guards(closed, after)
            for i in np.flatnonzero(guards < 0):
                f = lambda s, i=i: self.guards(closed, expm(rate * s) @ y)[i]
                low = 1e-9 * scan if self.guards(closed, y)[i] <= 0 else 0.0
                root = brentq(f, low, scan, xtol=1e-18, rtol=1e-15) if f(low) > 0 else 0.0
                if root < h or crossed is None:
                    h, crossed = root, i
            while pending and pending[0] <= t + h * (1 + 1e-12):
                z = expm(rate * (pending.pop(0) - t)) @ y
                d = rate @ z
                found.append((z[:self.n] / self.scale, z[self.n:2 * self.n], d[self.n:2 * self.n],
                              [max(0.0, f @ z) if i in closed else 0.0 for i, f in enumerate(self.forces)]))
            y = after if crossed is None else expm(rate * h) @ y
            t += h
            if crossed is not None:
                events.append((t, int(crossed), "opening" if crossed in closed else "closing"))
                closed = closed ^ {int(crossed)}
        return found, events
