"""Models made in Python, against closed forms."""

import math
import tomllib
import unittest
from pathlib import Path

import numpy as np
import python_support
from python_support import SLIPS, STICKS, FolderTest, here, oscillator, shoe

import ricochet
from ricochet import _core


class Motion(unittest.TestCase):
    def test_free_oscillation(self):
        result = oscillator(initial_values := 2.0, 800.0, displacement={"mass": [0.01, 0, 0]}).run()
        omega = math.sqrt(800.0 / initial_values)
        x = result.history("mass", "ux")
        np.testing.assert_allclose(x, 0.01 * np.cos(omega * x.time), atol=1e-12)
        v = result.history("mass", "ux", "velocity")
        np.testing.assert_allclose(v, -0.01 * omega * np.sin(omega * v.time), atol=1e-11)
        self.assertEqual(x.attrs["units"], "m")

    def test_load_from_arrays(self):
        # a ramp p t: x = p/k (t - sin(w t)/w)
        study = oscillator(duration=0.8)
        times = np.linspace(0.0, 1.0, 10001)
        study.load("mass", force=[1.0, 0, 0], scale=ricochet.series(times, 30.0 * times))
        omega = 20.0
        x = study.run().history("mass", "ux")
        np.testing.assert_allclose(x, 30.0 / 800.0 * (x.time - np.sin(omega * x.time) / omega), atol=1e-11)

    def test_load_by_function(self):
        # x = p/(k - m W^2) (sin W t - W/w sin w t)
        study = oscillator(duration=0.8)
        study.load("mass", force=[5.0, 0, 0], scale=lambda t: np.sin(30.0 * t))
        x = study.run().history("mass", "ux")
        t = x.time
        np.testing.assert_allclose(x, 5.0 / (800.0 - 2.0 * 900.0) * (np.sin(30 * t) - 1.5 * np.sin(20 * t)), atol=1e-10)

    def test_shoe(self):
        study = shoe()
        study.expect("event", contact="sole", kind="stick_to_slip", index=1, reference=SLIPS, absolute=1e-11)
        study.expect("event", contact="sole", kind="slip_to_stick", index=1, reference=STICKS + 1e-3, absolute=1e-11)
        result = study.run()
        self.assertEqual(result.checks.passed.values.tolist(), [True, False])
        self.assertAlmostEqual(float(result.checks.computed[0]), SLIPS, delta=1e-11)
        self.assertAlmostEqual(result.event("sole", "stick_to_slip"), SLIPS, delta=1e-11)
        self.assertAlmostEqual(result.event("sole", "slip_to_stick"), STICKS, delta=1e-11)

    def test_belt(self):
        # a belt that speeds up by 2 m/s^2 carries a mass that friction could push by 3 m/s^2: x = t^2
        study = oscillator(1.0, 0.0)
        study.contact("belt", "mass", {"type": "none", "normal": [0, 0, 1], "surface_velocity": [lambda t: 2.0 * t, 0.0, 0.0]},
                      {"force": lambda t: 10.0 + 0.0 * t}, {"coefficient": 0.3, "stiffness": 1e7})
        study.transient(0.5, scheme="kick_drift", step=1e-5)
        x = study.run().history("mass", "ux")
        np.testing.assert_allclose(x, x.time**2, atol=1e-6)  # the stick gives way by 2 N/1e7 N/m

    def test_bouncing_ball(self):
        # falls 0.1 m in g, restitution 0.5: touches at t1 = sqrt(2 h/g), then after e v 2/g
        study = ricochet.Study("Ball")
        study.node("ball", (0, 0, 0.1))
        study.mass("ball", 1.0)
        study.support("ball", ["ux", "uy"])
        study.gravity()
        study.contact("floor", "ball", {"type": "plane", "normal": [0, 0, 1], "point": [0, 0, 0]},
                      {"law": "rigid", "restitution": 0.5})
        study.transient(0.3, scheme="event")
        result = study.run()
        fall = math.sqrt(0.2 / 9.81)
        self.assertAlmostEqual(result.event("floor", "closing"), fall, delta=1e-10)
        self.assertAlmostEqual(result.event("floor", "closing", 2), 2 * fall, delta=1e-10)

    def test_cantilever(self):
        # first bending frequency of a slender beam: 1.875104^2/(2 pi L^2) sqrt(E I/(rho A))
        study = ricochet.Study("Beam")
        study.node("clamp")
        study.node("tip", (1.0, 0, 0))
        study.material("steel", 2.1e11, 0.3, 7800.0)
        study.section("bar", "circle", radius=0.005)
        study.beam("rod", ["clamp", "tip"], 20, material="steel", section="bar", theory="euler_bernoulli")
        study.support("clamp", "all")
        study.basis(4)
        seen = study.check()
        exact = 1.8751040687119611**2 / (2 * math.pi) * math.sqrt(2.1e11 * 0.005**2 / 4 / 7800.0)
        self.assertAlmostEqual(float(seen.modes.frequency[0]) / exact, 1.0, delta=1e-4)


class OwnLaw(unittest.TestCase):
    def test_cubic_spring(self):
        # x'' = -b x^3 from rest at A has the period Gamma(1/4)^2 / (A sqrt(pi b))
        study = oscillator(1.0, 0.0, displacement={"mass": [0.02, 0, 0]})
        study.link("spring", "mass", lambda x: 5.0e5 * x**3, dof="ux")
        period = math.gamma(0.25) ** 2 / (0.02 * math.sqrt(math.pi * 5.0e5))
        study.transient(2 * period, scheme="rk54", tolerance={"absolute": 1e-12, "relative": 1e-10})
        study.output(times=[0.5 * period, period, 2 * period])
        x = study.run().history("mass", "ux")
        np.testing.assert_allclose(x, [-0.02, 0.02, 0.02], rtol=1e-6)

    def test_law_with_a_case(self):
        # a spring that pushes on one side only: half a swing w = sqrt(k/m), then flight with w A
        study = oscillator(1.0, 0.0, displacement={"mass": [-0.01, 0, 0]})
        study.link("buffer", "mass", lambda x, v: np.where(x < 0, 400.0 * x, 0.0), dof="ux")
        study.transient(0.3, scheme="rk54", tolerance={"absolute": 1e-12, "relative": 1e-10})
        study.output(times=[0.3])
        leaves = math.pi / 2 / 20.0
        x = study.run().history("mass", "ux")
        self.assertAlmostEqual(float(x[-1]), 0.01 * 20.0 * (0.3 - leaves), delta=1e-8)

    def test_what_cannot_be_noted(self):
        study = oscillator()
        with self.assertRaisesRegex(TypeError, "numpy.where"):
            study.link("a", "mass", lambda x: x if x > 0 else 0.0, dof="ux")
        with self.assertRaisesRegex(TypeError, "numpy"):
            study.link("b", "mass", lambda x: math.sin(x), dof="ux")
        with self.assertRaisesRegex(TypeError, "x, v, t"):
            study.link("c", "mass", lambda a, b, c, d: a, dof="ux")
        with self.assertRaisesRegex(TypeError, "numpy.gcd"):
            study.link("d", "mass", lambda x: np.gcd(x, 2), dof="ux")


class Mistakes(unittest.TestCase):
    def test_place_is_a_line_of_python(self):
        study = oscillator()
        study.contact("stop", "mass", {"type": "plane", "normal": [1, 0, 0], "gap": 0.1}, {"stiffness": -1.0}); line = here()
        with self.assertRaises(ricochet.DeckError) as caught:
            study.run()
        self.assertEqual(Path(caught.exception.file).name, Path(__file__).name)
        self.assertEqual(caught.exception.line, line)
        self.assertEqual(caught.exception.path, "contacts[0].normal.stiffness")

    def test_place_of_what_the_run_finds(self):
        study = shoe()
        study.transient(0.1, scheme="newmark", step=1e-4)  # which cannot follow a true stick
        with self.assertRaises(ricochet.DeckError) as caught:
            study.run()
        lines = Path(python_support.__file__).read_text(encoding="utf-8").splitlines()
        self.assertEqual(Path(caught.exception.file).name, "python_support.py")
        self.assertIn('study.contact("sole"', lines[caught.exception.line - 1])

    def test_place_beside_overrides(self):
        added = {"supports.0.name": "rail", "transient.scheme": "newmark", "transient.step": 1e-4}
        with self.assertRaises(ricochet.DeckError) as caught:
            shoe().run(overrides=added)
        lines = Path(python_support.__file__).read_text(encoding="utf-8").splitlines()
        self.assertIn('study.contact("sole"', lines[caught.exception.line - 1])

    def test_unknown_key(self):
        study = oscillator()
        study.mass("mass", 1.0, offzet=[0, 0, 1])
        with self.assertRaisesRegex(ricochet.DeckError, "offset"):
            study.deck()

    def test_value_of_no_deck(self):
        study = oscillator()
        study.mass("mass", object())
        with self.assertRaisesRegex(TypeError, "object"):
            study.deck()


def study_of(tables):
    """The study that says what the tables of a deck say, by the methods for its parts."""
    study = ricochet.Study(tables.pop("title", ""))
    once = {"transient": study.transient, "basis": study.basis, "output": study.output, "direct": study.direct,
            "statistics": study.statistics, "gravity": study.gravity}
    each = {"nodes": study.node, "masses": study.mass, "springs": study.spring, "dampers": study.dashpot,
            "supports": study.support, "loads": study.load, "contacts": study.contact, "links": study.link,
            "base_motions": study.base_motion, "beams": study.beam, "relations": study.relation}
    named = {"functions": study.function, "materials": study.material, "sections": study.section}
    for table, content in tables.items():
        if table in named:
            for name, keys in content.items():
                named[table](name, **keys)
        elif isinstance(content, list):
            for keys in content:
                each[table](**keys)
        else:
            once[table](**content)
    return study


class EveryLaw(unittest.TestCase):
    """The example of each page of the manual (obstacles, laws, links, schemes), made in Python."""

    def test_examples(self):
        decks = _core.example_decks()
        self.assertGreater(len(decks), 40)
        for name, text in decks.items():
            if name.startswith("table-"):
                continue  # a piece of a deck, which is not whole by itself
            with self.subTest(name):
                study = study_of(tomllib.loads(text))
                self.assertEqual(tomllib.loads(study.to_toml()), tomllib.loads(text))
                self.assertEqual(study.deck().contacts, ricochet.read_deck(text).contacts)

    def test_manual(self):
        self.assertIn("hertz", ricochet.manual())
        self.assertIn("exponent", ricochet.manual("hertz"))
        with self.assertRaisesRegex(ricochet.RicochetError, "hertz"):
            ricochet.manual("herz")


class AsDeck(FolderTest):
    def test_text_runs_too(self):
        path = self.folder / "shoe.toml"
        path.write_text(shoe().to_toml(), encoding="utf-8")
        self.assertAlmostEqual(ricochet.run(path).event("sole", "stick_to_slip"), SLIPS, delta=1e-11)

    def test_numbers_keep_their_bits(self):
        study = oscillator(mass=1.0 / 3.0, stiffness=np.float64(1e5) / 7.0)
        self.assertIn(repr(1.0 / 3.0), study.to_toml())
        self.assertIn(repr(1e5 / 7.0), study.to_toml())

    def test_names_with_quotes(self):
        study = ricochet.Study('a "name" \\ with\nall')
        study.node('n"1')
        study.mass('n"1', 1.0)
        study.support('n"1', ["uy", "uz"])
        study.spring('n"1', [1.0, 0, 0])
        deck = study.deck()
        self.assertEqual(deck.nodes, ['n"1'])
        self.assertEqual(deck.title, study.title)


if __name__ == "__main__":
    unittest.main()
