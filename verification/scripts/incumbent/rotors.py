"""References of the incumbent's rotors: {(deck, quantity, node, dof, time): value}. Independent elements (beams.py);
dofs along the shaft x are v, w and the rotations b about y, c about z."""

from pathlib import Path

import numpy as np
from scipy.integrate import solve_ivp
from scipy.interpolate import CubicSpline
from scipy.linalg import eigh

from beams import Frame, bending, modes
from chains import DISPLACEMENT
from linear import Force, System

CURVE = Path(__file__).resolve().parents[2] / "cases/incumbent/sdnl133-curve.csv"


class Rotor:
    """Solid Timoshenko shaft of shear coefficient 0.9 (the incumbent's for circles), discs, bearings."""

    def __init__(self, places, radius, young, poisson, density):
        self.frame, self.nodes = Frame(), range(len(places))
        self.gyro = []
        area, inertia = np.pi * radius**2, np.pi * radius**4 / 4
        shear = young / (2 * (1 + poisson)) * area * 0.9
        sign = np.diag([1.0, -1.0, 1.0, -1.0])  # of the rotations about y in x-z
        for i in self.nodes[:-1]:
            h = places[i + 1] - places[i]
            phi = 12 * young * inertia / (shear * h**2)
            k, m = bending(h, young * inertia, density * area, phi, inertia / (area * h**2))
            polar = 2 * (m - bending(h, young * inertia, density * area, phi)[1])  # Ip = 2 I
            y = [("v", i), ("c", i), ("v", i + 1), ("c", i + 1)]
            z = [("w", i), ("b", i), ("w", i + 1), ("b", i + 1)]
            self.frame.add(y, k, m)
            self.frame.add(z, sign @ k @ sign, sign @ m @ sign)
            # slopes are c and -b: Ip W (c' on b, -b' on c)
            self.gyro.append((z, y, -sign @ polar))

    def disc(self, node, mass, polar, across):
        self.frame.add([("v", node), ("w", node), ("b", node), ("c", node)], np.zeros((4, 4)),
                       np.diag([mass, mass, across, across]))
        self.gyro.append(([("b", node)], [("c", node)], np.array([[polar]])))

    def matrices(self, fixed, springs, dashpots):
        """K, M, C without spin and G of unit spin about +x; springs = {dof: stiffness}."""
        for dof, k in springs.items():
            self.frame.add([dof], np.array([[k]]), np.zeros((1, 1)))
        stiffness, mass = self.frame.assemble(fixed)
        free = self.frame.free
        damping, gyro = np.zeros_like(mass), np.zeros_like(mass)
        for dof, c in dashpots.items():
            damping[free[dof], free[dof]] += c
        for rows, columns, part in self.gyro:
            for i, a in enumerate(rows):
                for j, b in enumerate(columns):
                    if a in free and b in free:
                        gyro[free[a], free[b]] += part[i, j]
                        gyro[free[b], free[a]] -= part[i, j]
        return stiffness, mass, damping, gyro


def sdll126b(spin=500 * np.pi):
    """Three discs on a shaft at 15000 rpm, 5e-2 kg m out of balance, from rest until 5 s; modes below 3500 Hz."""
    rotor = Rotor([0.1 * i for i in range(14)], 0.05, 2e11, 0.3, 7800.0)
    rotor.disc(2, 14.58013, 0.1232021, 0.06463858)
    rotor.disc(5, 45.945793, 0.97634809, 0.497746)
    rotor.disc(10, 55.134951, 1.1716177, 0.6023493)
    ends = (0, 13)
    stiffness, mass, damping, gyro = rotor.matrices(
        set(), {(d, n): k for n in ends for d, k in (("v", 5e7), ("w", 7e7))},
        {(d, n): c for n in ends for d, c in (("v", 5e3), ("w", 7e3))})
    omega, shapes = modes(stiffness, mass, len(mass))
    count = int(np.sum(omega < 2 * np.pi * 3500.0))
    shapes = shapes[:, :count]
    system = System(np.eye(count), shapes.T @ (damping + spin * gyro) @ shapes, np.diag(omega[:count]**2))
    force, speed = 123370.05501361698, 500 * np.pi
    at = {d: shapes.T @ rotor.frame.row((d, 5)) for d in "vw"}
    push = Force(np.column_stack([force * at["v"], force * at["w"]]), [[0.0, -speed], [speed, 0.0]], [1.0, 0.0])
    values = {("sdll126b", "modes"): count}
    for i in (1, 2, 3, 4, 10):
        values["sdll126b", "frequency", i] = float(omega[i - 1] / (2 * np.pi))
    times = [0.01, 0.05, 4.99791, 4.99893]
    for t, (q, _, _) in zip(times, system.motion([(0.0, push)], times)):
        values["sdll126b", DISPLACEMENT, "N6", "uy", t] = float(at["v"] @ q)
        values["sdll126b", DISPLACEMENT, "N6", "uz", t] = float(at["w"] @ q)
    return values


def sdll144a(rate=43.63323129985824):
    """A disc on a shaft that runs up from rest; six modes. The shaft is along z here: v is x, w is y."""
    rotor = Rotor([0.0, 0.133, 0.266, 0.4], 0.01, 2e11, 0.3, 7800.0)
    rotor.disc(1, 16.47, 0.1861, 0.09427)
    stiffness, mass, damping, gyro = rotor.matrices(
        {("v", 0), ("w", 0), ("v", 3), ("w", 3)}, {("v", 2): 2e5, ("w", 2): 5e5}, {("v", 2): 40.0, ("w", 2): 100.0})
    omega, shapes = modes(stiffness, mass, 6)
    damping, gyro = shapes.T @ damping @ shapes, shapes.T @ gyro @ shapes
    x, y = (shapes.T @ rotor.frame.row((d, 1)) for d in "vw")
    values = {("sdll144a", "frequency", i + 1): float(w / (2 * np.pi)) for i, w in enumerate(omega)}
    values["sdll144a", "next frequency"] = float(modes(stiffness, mass, 7)[0][6] / (2 * np.pi))

    def slope(t, s):
        q, v = s[:6], s[6:]
        spin, turn = rate * t, rate * t**2 / 2
        push = 1.5e-5 * (x * (spin**2 * np.cos(turn) + rate * np.sin(turn))
                         + y * (spin**2 * np.sin(turn) - rate * np.cos(turn)))
        return np.concatenate([v, push - damping @ v - spin * gyro @ v - rate * gyro @ q - omega**2 * q])

    solution = solve_ivp(slope, (0.0, 8.0), np.zeros(12), "DOP853", [2.0, 4.0, 6.0, 7.87235, 8.0], rtol=1e-12, atol=1e-18)
    for t, s in zip(solution.t, solution.y.T):
        values["sdll144a", DISPLACEMENT, "N2", "ux", float(t)] = float(x @ s[:6])
        values["sdll144a", DISPLACEMENT, "N2", "uy", float(t)] = float(y @ s[:6])
    return values


def sdnl133a(step=5e-5):
    """A clamped shaft with a breathing crack in its middle, half of critical damping in all modes of the hinged shaft.

    The moments of the crack are the gradient of K(phi) |r|^2/2, r the rotation across it and phi in axes that turn.
    All modes but the hinge are damped and most of them fast: backward differences of second order, with Newton's method
    for r. The shaft is along x: in the plane of the moment s = -w has the matrices of v.
    """
    spin, frame = -31.41592653589793, Frame()
    matrices = bending(0.2, 2.1e11 * np.pi * 0.4**4 / 4, 7800.0 * np.pi * 0.4**2)
    for node in range(20):
        ends = ["hinged" if node == 10 else f"c{node}", f"c{node + 1}"]
        frame.add([f"v{node}", ends[0], f"v{node + 1}", ends[1]], *matrices)
    square, shapes = eigh(*frame.assemble(["v0", "c0"]))
    square[0] = 0.0  # the hinge
    omega = np.sqrt(square)
    across = (frame.row("c10") - frame.row("hinged")) @ shapes
    turned, shown = frame.row("c20") @ shapes, frame.row("v20") @ shapes
    angle, value = np.loadtxt(CURVE, delimiter=",", skiprows=1).T
    spline = CubicSpline(np.append(angle, angle[0] + 2 * np.pi), np.append(value, value[0]), bc_type="periodic")
    slope = spline.derivative()

    def moments(r, time):
        phi = np.arctan2(r[0], r[1]) + spin * time
        k, half = float(spline(phi)), 0.5 * float(slope(phi))
        return np.array([k * r[0] + half * r[1], k * r[1] - half * r[0]])

    share = 1.0 / (2.25 / step**2 + 1.5 * omega / step + square)
    flexible = float(across**2 @ share)
    q, v = np.zeros((2, 2, len(square))), np.zeros((2, 2, len(square)))  # instant, plane, mode
    found, r = {}, np.zeros(2)
    for i in range(1, round(1.0 / step) + 1):
        time = i * step
        known, rates = 2.0 * q[0] - 0.5 * q[1], 2.0 * v[0] - 0.5 * v[1]
        pushed = known * (1.5 / step**2 + omega / step) + rates / step
        pushed[0] -= min(1.0, time / 0.2) * turned
        free = (pushed * share) @ across
        rest = r - free + flexible * moments(r, time)
        for _ in range(100):
            if np.linalg.norm(rest) < 1e-12 * np.linalg.norm(free):
                break
            tiny = 1e-6 * np.linalg.norm(r) + 1e-20
            bend = np.column_stack([moments(r + tiny * e, time) - moments(r - tiny * e, time) for e in np.eye(2)])
            move = np.linalg.solve(np.eye(2) + flexible / (2.0 * tiny) * bend, rest)
            for part in 0.5 ** np.arange(20):  # K changes a lot with the direction of r
                left = r - part * move - free + flexible * moments(r - part * move, time)
                if np.linalg.norm(left) < np.linalg.norm(rest):
                    break
            r, rest = r - part * move, left
        new = (pushed - np.outer(moments(r, time), across)) * share
        q, v = np.array([new, q[0]]), np.array([(1.5 * new - known) / step, v[0]])
        if i in (round(0.9 / step), round(1.0 / step)):
            found["sdnl133a", DISPLACEMENT, "N4", "uz", round(time, 9)] = -shown @ new[0]
    return found
