"""Motion of linear systems under forces that solve a linear equation themselves: exact but for rounding.

M x'' + C x' + K x = G w,  w' = S w:  [x, x', w] goes on by one matrix exponential.
"""

import numpy as np
from scipy.linalg import eigh, expm


class Force:
    """G w(t) from `start` on: columns of `shape` times the components of w, w' = rates w, w(start) = initial."""

    def __init__(self, shape, rates, initial):
        self.shape, self.rates = np.atleast_2d(shape), np.atleast_2d(rates)
        self.initial = np.atleast_1d(np.asarray(initial, float))


def no_force(dofs):
    return Force(np.zeros((dofs, 1)), [[0.0]], [0.0])


def polynomial(vector, derivatives):
    """vector * (d0 + d1 t + d2 t^2/2 + ...) with derivatives = [d0, d1, d2, ...] at the start of the piece."""
    n = len(derivatives)
    shape = np.zeros((len(vector), n))
    shape[:, 0] = vector
    return Force(shape, np.eye(n, k=1), derivatives)


def sine(vector, omega, phase=0.0):
    """vector * sin(omega t + phase), t from the start of the piece."""
    shape = np.zeros((len(vector), 2))
    shape[:, 0] = vector
    return Force(shape, [[0.0, omega], [-omega, 0.0]], [np.sin(phase), np.cos(phase)])


class System:
    def __init__(self, mass, damping, stiffness):
        self.mass, self.damping, self.stiffness = (np.atleast_2d(np.asarray(m, float))
                                                   for m in (mass, damping, stiffness))
        self.dofs = len(self.mass)

    def motion(self, pieces, times, x=None, v=None):
        """(x, v, a) at each of the ascending `times`; pieces = [(start, Force), ...]. At a jump: the value before it."""
        n = self.dofs
        x = np.zeros(n) if x is None else np.asarray(x, float)
        v = np.zeros(n) if v is None else np.asarray(v, float)
        found = []
        now = pieces[0][0]
        for index, (start, force) in enumerate(pieces):
            end = pieces[index + 1][0] if index + 1 < len(pieces) else np.inf
            inverse = np.linalg.inv(self.mass)
            w = force.initial
            scale = np.sqrt(np.max(np.abs(inverse @ self.stiffness)))  # [x omega, v, w]: a matrix of even size
            scale = scale if scale > 0 else 1.0
            size = 2 * n + len(w)
            rate = np.zeros((size, size))
            rate[:n, n:2 * n] = scale * np.eye(n)
            rate[n:2 * n, :n] = -inverse @ self.stiffness / scale
            rate[n:2 * n, n:2 * n] = -inverse @ self.damping
            rate[n:2 * n, 2 * n:] = inverse @ force.shape
            rate[2 * n:, 2 * n:] = force.rates
            state = np.concatenate([scale * x, v, w])

            def at(time):
                s = expm(rate * (time - start)) @ state
                return s[:n] / scale, s[n:2 * n], (rate @ s)[n:2 * n]

            found += [at(t) for t in times if now <= t <= end and (t > now or index == 0)]
            if end < np.inf:
                x, v, _ = at(end)
                now = end
        return found

    def modal(self, ratio, modes=None):
        """The same system with `ratio` on each of its (first) modes: (System in modal coordinates, shapes)."""
        values, shapes = eigh(self.stiffness, self.mass)
        kept = slice(0, modes)
        omega = np.sqrt(np.abs(values[kept]))
        ratios = np.broadcast_to(ratio, omega.shape)
        return System(np.eye(len(omega)), np.diag(2 * ratios * omega), np.diag(omega**2)), shapes[:, kept]

    def frequencies(self):
        return np.sqrt(eigh(self.stiffness, self.mass, eigvals_only=True)) / (2 * np.pi)


def chain(links, masses):
    """Stiffness (or damping) of links in a row, the first (and the last) to the ground."""
    n = len(masses)
    matrix = np.zeros((n, n))
    for i, k in enumerate(links):
        left, right = i - 1, i
        if left >= 0:
            matrix[left, left] += k
        if right < n:
            matrix[right, right] += k
            if left >= 0:
                matrix[left, right] -= k
                matrix[right, left] -= k
    return matrix
