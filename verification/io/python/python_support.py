"""What the tests of the Python package share."""

import math
import sys
import tempfile
import unittest
from pathlib import Path

import ricochet

CASES = Path(__file__).resolve().parents[2] / "cases"

# SDND106: two masses of 5 kg, a spring of 1e4 N/m between them, 3000 N until 0.2 s, N = 1e4 N
MASS, STIFFNESS, FORCE, NORMAL_FORCE = 5.0, 1.0e4, 3000.0, 1.0e4
SLIPS = 0.03512407365520363   # F01, exact rigid friction [s]
STICKS = 0.3149232754474865


def slip_instant(static):
    """Instant at which the spring pulls with mu_s N while the shoe sticks: F (1 - cos w t) = mu_s N."""
    return math.acos(1.0 - static * NORMAL_FORCE / FORCE) / math.sqrt(STIFFNESS / MASS)


def shoe(static=0.3, dynamic=0.2, duration=0.4):
    """The shoe of SDND106 with rigid stick, as a study."""
    study = ricochet.Study("Shoe")
    study.node("shoe")
    study.node("puller", (1.0, 0.0, 0.0))
    study.mass(["shoe", "puller"], MASS)
    study.spring(["shoe", "puller"], [STIFFNESS, 0.0, 0.0])
    study.support("all", ["uy", "uz"])
    study.load("puller", force=[FORCE, 0.0, 0.0], scale=ricochet.series([0.0, 0.2, 0.2], [1, 1, 0], after="constant"))
    study.contact("sole", "shoe", {"type": "none", "normal": [0, 0, 1]}, {"force": NORMAL_FORCE},
                  {"static": static, "dynamic": dynamic})
    study.transient(duration)
    return study


def oscillator(mass=2.0, stiffness=800.0, duration=1.0, **initial):
    """A mass on a spring along x."""
    study = ricochet.Study("Oscillator")
    study.node("mass")
    study.mass("mass", mass)
    if stiffness:
        study.spring("mass", [stiffness, 0.0, 0.0])
    study.support("mass", ["uy", "uz"])
    if initial:
        study.initial(**initial)
    study.transient(duration)
    return study


class FolderTest(unittest.TestCase):
    """A test with a folder of its own."""

    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = Path(folder.name)


def here():
    """Number of the line that calls."""
    return sys._getframe(1).f_lineno
