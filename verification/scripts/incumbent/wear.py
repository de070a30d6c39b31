"""Worn volumes and depths of zzzz405a, by quadrature of what two cylinders share; and the incumbent's own rules.

python3 wear.py prints how near these rules come to its numbers: it takes formulas of small cuts, an angle for its
tangent, a third of the largest section times the length for a cut that falls off evenly (2/5 of it is right where the
section goes with d^(3/2)), and theta d^2 more for a bore with lands of the angle theta between its lobes.
"""

import math

from scipy.integrate import quad
from scipy.optimize import brentq

from sectors import DEEPEST, card

YEAR = 31536000.0
POWER = 0.5
CHOSEN = 1e-10
EDF_MZ = {"coefficient": 1e-13, "exponent": 1.2, "decay": 2.44e-8, "final_rate": 1.14e-16}


def archard(k, years):
    return k * POWER * years * YEAR


def edf_mz(years):
    first, last = EDF_MZ["coefficient"] * POWER ** EDF_MZ["exponent"], EDF_MZ["final_rate"]
    rate = lambda t: last + (first - last) * math.exp(-EDF_MZ["decay"] * t)
    return quad(rate, 0.0, years * YEAR, epsabs=0.0, epsrel=1e-13)[0]


def section(radius, bore=math.inf):
    """Area that a circle has beyond a line, or beyond a larger circle, over its depth."""
    def area(d):
        if d <= 0.0:
            return 0.0

        def left(x):  # of the depth, where x is the distance from the middle
            of_bore = 0.0 if bore == math.inf else x * x / (bore + math.sqrt(bore * bore - x * x))
            return d - x * x / (radius + math.sqrt(radius * radius - x * x)) + of_bore

        curvature = 1.0 / radius - 1.0 / bore
        high = math.sqrt(2.0 * d / curvature)
        end = brentq(left, 0.5 * high, min(2.0 * high, radius), xtol=1e-300, rtol=1e-15)
        # x = end sin f: a smooth integrand
        return 2.0 * quad(lambda f: left(end * math.sin(f)) * end * math.cos(f), 0.0, math.pi / 2,
                          epsabs=0.0, epsrel=1e-13)[0]
    return area


def depth(volume, area, length, degrees=0.0, places=1):
    def worn(d):
        if degrees == 0.0:
            return places * length * area(d)
        slope = math.tan(math.radians(degrees))
        low = math.sqrt(max(0.0, d - length * slope))
        return places * quad(lambda r: 2.0 * r * area(r * r), low, math.sqrt(d), epsabs=0.0, epsrel=1e-12)[0] / slope
    return math.exp(brentq(lambda x: math.log(worn(math.exp(x)) / volume), math.log(1e-12), math.log(0.5), xtol=1e-15,
                           rtol=1e-15))


def ring(volume, length):
    a = volume / (math.pi * length)
    return a / (1.0 + math.sqrt(1.0 - a))


FLAT, BORE = section(1.0), section(1.0, 2.0)


def notched(volume, notches):
    """Of a card with notches, as deep as they are known (sectors.py): the end of the table of the deck, here always."""
    assert volume > card(DEEPEST, notches)
    return DEEPEST


# contact of the deck: years -> (volume, depth)
CASES = {
    "t1": lambda y: (edf_mz(y), depth(edf_mz(y), FLAT, 10.0)),
    "t3": lambda y: (edf_mz(y), 0.5 * depth(2.0 * edf_mz(y), FLAT, 10.0)),
    "i600-z6c13": lambda y: (archard(7.1e-15, y), depth(archard(7.1e-15, y), FLAT, 10.0, 1.0)),
    "t4": lambda y: (archard(CHOSEN, y), 0.5 * depth(2.0 * archard(CHOSEN, y), FLAT, 10.0, 0.7)),
    "i600-i600": lambda y: (archard(1.6e-13, y), ring(archard(1.6e-13, y), 10.0)),
    "t6": lambda y: (archard(CHOSEN, y), depth(archard(CHOSEN, y), BORE, 10.0, places=2)),
    "t7": lambda y: (archard(CHOSEN, y), depth(archard(CHOSEN, y), BORE, 10.0, 1.0, 2)),
    "i600-a405": lambda y: (archard(6.5e-14, y), depth(archard(6.5e-14, y), BORE, 10.0)),
    "t9": lambda y: (archard(CHOSEN, y), depth(archard(CHOSEN, y), BORE, 10.0, 1.0)),
    "i600-z10c13": lambda y: (archard(2.5e-16, y),),
    "t10": lambda y: (archard(5e-16, y), depth(archard(5e-16, y), BORE, 10.0)),
    "t11": lambda y: (archard(2e-10, y), depth(archard(2e-10, y), BORE, 10.0, 1.0)),
    "i600-tube": lambda y: (archard(1.8e-13, y), depth(archard(1.8e-13, y), FLAT, 10.0, 7.0)),
    "a304l": lambda y: (archard(1e-14, y), depth(archard(1e-14, y), BORE, 1.0)),
    "a304l-guide": lambda y: (archard(1.5e-14, y),),
    "chosen": lambda y: (archard(CHOSEN, y),),
    "t14": lambda y: (archard(CHOSEN, y), notched(archard(CHOSEN, y), 1)),
    "t15": lambda y: (archard(CHOSEN, y), notched(archard(CHOSEN, y), 2))}


def zzzz405a():
    found = {("zzzz405a", "power"): POWER}
    for name, worn in CASES.items():
        for years in range(1, 8):
            for what, value in zip(("volume", "depth"), worn(float(years))):
                found[("zzzz405a", name, what, years)] = value
    return found


def own(name, years):
    """The incumbent's depth by its own rule."""
    volume = CASES[name](float(years))[0]
    root = lambda f: brentq(f, 1e-9, 0.2, xtol=1e-300, rtol=1e-14)
    leans = lambda v, degrees: 0.5 ** 0.2 * (15.0 / 8.0 * math.radians(degrees) * v) ** 0.4
    wedge = lambda area, v: root(lambda d: area(d) * d / math.radians(1.0) / 3.0 - v)
    if name in ("t1", "t3"):
        flat = lambda v: 0.5 ** (1.0 / 3.0) * (3.0 * v / 40.0) ** (2.0 / 3.0)
        return flat(volume) if name == "t1" else 0.5 * flat(2.0 * volume)
    if name == "t4":
        return 0.5 * leans(2.0 * volume, 0.7)
    if name in ("i600-z6c13", "i600-tube"):
        return leans(volume, 1.0 if name == "i600-z6c13" else 7.0)
    if name == "t6":
        return root(lambda d: 20.0 * BORE(d) - volume)
    if name == "t7":
        return wedge(BORE, 0.5 * volume)
    land = lambda d: BORE(d) + math.radians(3.0) * d * d
    if name in ("t9", "t11"):
        return wedge(land, volume)
    if name in ("i600-a405", "t10"):
        return root(lambda d: 10.0 * land(d) - volume)
    return root(lambda d: BORE(d) - volume)  # a304l


PRINTED = {  # contact: {years: depth}
    "t1": {2: 1.77037693409e-05, 4: 2.01981942451e-05, 6: 2.07572004243e-05},
    "t3": {2: 1.40514910377e-05, 4: 1.60313173962e-05, 6: 1.64750008948e-05},
    "i600-z6c13": {1: 0.000367586404898, 3: 0.000570437335472, 5: 0.000699757307502, 7: 0.000800568792779},
    "t4": {1: 0.00960013454866, 3: 0.0148979263083, 5: 0.0182753339458, 7: 0.0209081947094},
    "t6": {1: 0.000956453382969, 3: 0.00199022324577, 5: 0.00279848967565, 7: 0.00350307146637},
    "t7": {1: 0.0119397491217, 3: 0.0185541340784, 5: 0.0227803430137, 7: 0.0260799903804},
    "i600-a405": {1: 1.13884161692e-05, 3: 2.36885068371e-05, 5: 3.32991558425e-05, 7: 4.16724389705e-05},
    "t9": {1: 0.0157514363527, 3: 0.024481908268, 5: 0.0300624550909, 7: 0.034420812661},
    "t10": {1: 4.43794306193e-07, 3: 9.2312593864e-07, 5: 1.2976536571e-06, 7: 1.62396535414e-06},
    "t11": {1: 0.0208027809858, 3: 0.0323502948375, 5: 0.0397379344868, 7: 0.045511122227},
    "i600-tube": {1: 0.00291745602948, 3: 0.00452744122643, 5: 0.00555382666154, 7: 0.00635394622974},
    "a304l": {1: 1.51777639985e-05, 3: 3.15711827703e-05, 5: 4.43804871972e-05, 7: 5.55408444711e-05}}


def main():
    for name, printed in PRINTED.items():
        for years, value in printed.items():
            exact = CASES[name](float(years))[1]
            print(f"{name:11} {years} printed {value:.9g}, its rule {own(name, years) / value - 1.0:+.1e}, "
                  f"exact {exact / value - 1.0:+.1e}")


if __name__ == "__main__":
    main()
