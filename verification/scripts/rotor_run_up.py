#!/usr/bin/env python3
"""Reference of cases/rotor-run-up.toml: a disc on a light shaft runs up through its critical speed.

    m uy'' + k11 uy + k12 rz = Fy        Id rz'' + k12 uy + k22 rz - d/dt(Ip W ry) = 0
    m uz'' + k11 uz - k12 ry = Fz        Id ry'' - k12 uz + k22 ry + d/dt(Ip W rz) = 0

k is the inverse of the flexibility of a pinned beam at a, b from its ends, of deflection and slope:
[a^2 b^2, a b (b - a); a b (b - a), a^2 - a b + b^2] / (3 E I L). W = 40 + 200 t; F is an unbalance of
1e-3 kg m that turns with it. Two tolerances show how many digits stand.
"""

import math

import numpy
from scipy.integrate import solve_ivp

TIMES = (0.4, 0.75, 1.0, 1.6)


m, polar, across = 5.0, 0.035, 0.02
a, b = 0.3, 0.7
flexibility = numpy.array([[a**2 * b**2, a * b * (b - a)], [a * b * (b - a), a**2 - a * b + b**2]])
(k11, k12), (_, k22) = numpy.linalg.inv(flexibility / (3.0 * 2.1e11 * numpy.pi * 1e-8 / 4.0)).tolist()


def rate(t, s):
    w, dw = 40.0 + 200.0 * t, 200.0
    phi = 40.0 * t + 100.0 * t**2
    fy = 1e-3 * (w**2 * math.cos(phi) + dw * math.sin(phi))
    fz = 1e-3 * (w**2 * math.sin(phi) - dw * math.cos(phi))
    uy, uz, ry, rz, vy, vz, wy, wz = s.tolist()
    return [vy, vz, wy, wz,
            (fy - k11 * uy - k12 * rz) / m,
            (fz - k11 * uz + k12 * ry) / m,
            (k12 * uz - k22 * ry - polar * (w * wz + dw * rz)) / across,
            (-k12 * uy - k22 * rz + polar * (w * wy + dw * ry)) / across]


for tolerance in (1e-12, 1e-13):
    found = solve_ivp(rate, (0.0, TIMES[-1]), numpy.zeros(8), "DOP853", TIMES, rtol=tolerance, atol=1e-15)
    for t, values in zip(found.t, found.y.T):
        print(t, *(repr(float(v)) for v in values[:4]))
