"""Decks read, checked and run; results opened."""

import unittest

import numpy as np
from python_support import CASES, SLIPS, STICKS, FolderTest, oscillator, slip_instant

import ricochet

RIGID = CASES / "sdnd106-batch.toml"
PENALISED = CASES / "sdnd106-a.toml"


def short(duration):
    """The penalised shoe for a time, without checks."""
    text = PENALISED.read_text(encoding="utf-8").split("[[checks]]")[0]
    return ricochet.read_deck(text, overrides={"transient.duration": duration})



class ReadDeck(FolderTest):
    def test_names(self):
        deck = ricochet.read_deck(RIGID)
        self.assertEqual((deck.nodes, deck.contacts, deck.links), (["shoe", "puller"], ["sole"], []))
        self.assertEqual(deck.text, RIGID.read_text(encoding="utf-8"))

    def test_text(self):
        deck = ricochet.read_deck(RIGID.read_text(encoding="utf-8"))
        self.assertEqual(deck.title, ricochet.read_deck(str(RIGID)).title)

    def test_mistakes_have_places(self):
        text = RIGID.read_text(encoding="utf-8").replace("mass = 5.0", "mass = -5.0").replace("static = 0.3", "statik = 0.3")
        path = self.folder / "wrong.toml"
        path.write_text(text, encoding="utf-8")
        lines = text.splitlines()
        with self.assertRaises(ricochet.DeckError) as caught:
            ricochet.read_deck(path)
        first, *others = caught.exception.problems
        self.assertEqual(caught.exception.file, str(path))
        self.assertEqual(caught.exception.line, lines.index("mass = -5.0") + 1)
        self.assertEqual(caught.exception.column, len("mass = ") + 1)
        self.assertEqual(caught.exception.path, "masses[0].mass")
        self.assertIn("got -5", first.problem)
        self.assertIn(f"{path}:{first.line}:{first.column}: masses[0].mass: ", str(caught.exception))
        self.assertTrue(any("static" in each.problem for each in others))  # the nearest known key
        self.assertIsInstance(caught.exception, ValueError)

    def test_mistake_found_after_reading(self):
        text = RIGID.read_text(encoding="utf-8").replace('scheme = "event"', 'scheme = "newmark"')
        with self.assertRaises(ricochet.DeckError) as caught:
            ricochet.read_deck(text).check()
        self.assertEqual(caught.exception.file, "<text>")
        self.assertGreater(caught.exception.line, 1)

    def test_no_run(self):
        text = RIGID.read_text(encoding="utf-8").split("[transient]")[0]
        with self.assertRaises(ricochet.DeckError) as caught:
            ricochet.run(text)
        self.assertEqual(caught.exception.path, "transient")

    def test_overrides(self):
        deck = ricochet.read_deck(RIGID, overrides={"contacts.sole.friction.static": 0.28, "contacts.sole.friction.dynamic": 0.1})
        self.assertIn("static = 0.28", deck.text)
        self.assertAlmostEqual(deck.run().event("sole", "stick_to_slip"), slip_instant(0.28), delta=1e-11)

    def test_override_of_nothing(self):
        with self.assertRaises(ricochet.DeckError) as caught:
            ricochet.read_deck(RIGID, overrides={"contacts.sole.friktion.static": 0.2})
        self.assertTrue(caught.exception.file.startswith("overrides contacts.sole.friktion"))

    def test_preview(self):
        seen = ricochet.read_deck(PENALISED).check()
        self.assertEqual(seen.scheme, "kick_drift")
        self.assertEqual(seen.step, 1e-5)
        np.testing.assert_allclose(seen.modes.frequency, [0.0, np.sqrt(2 * 1e4 / 5.0) / (2 * np.pi)], atol=1e-9)
        self.assertAlmostEqual(seen.rows, 3501, delta=1)
        self.assertIn("kick_drift", seen._repr_html_())
        self.assertIn("2 nodes, 1 contact<", ricochet.read_deck(PENALISED)._repr_html_())


class RunDeck(FolderTest):
    def test_instants_in_memory(self):
        result = ricochet.run(RIGID)
        self.assertIsNone(result.path)
        self.assertAlmostEqual(result.event("sole", "stick_to_slip"), SLIPS, delta=1e-11)
        self.assertAlmostEqual(result.event("sole", "slip_to_stick"), STICKS, delta=1e-11)
        with self.assertRaises(LookupError):
            result.event("sole", "closing")

    def test_file_and_memory_agree(self):
        target = self.folder / "shoe.h5"
        written = ricochet.run(PENALISED, target)
        memory = ricochet.run(PENALISED)
        self.assertEqual(written.path, target)
        for group in ("transient", "physical", "contacts/sole", "energy", "events", "checks"):
            self.assertEqual(set(memory[group].variables), set(written[group].variables), group)
            for name, variable in memory[group].variables.items():
                self.assertEqual(variable.dims, written[group][name].dims, f"{group}/{name}")
                np.testing.assert_array_equal(variable.values, written[group][name].values, f"{group}/{name}")
                self.assertEqual(variable.attrs.get("units"), written[group][name].attrs.get("units"), f"{group}/{name}")
        np.testing.assert_array_equal(memory.modes.effective_mass, written.modes.effective_mass)
        self.assertTrue(bool(written.checks.passed.all()))
        self.assertEqual(list(written).count("checks"), 1)

    def test_checks_of_a_file(self):
        # of an energy no instant is asked for, and nothing is published
        target = self.folder / "oscillator.h5"
        study = oscillator(displacement={"mass": [1e-3, 0, 0]})
        study.expect("displacement", node="mass", dof="ux", time=0.5, reference=2e-3, published=2e-3, absolute=1e-9)
        study.expect("energy_error", reference=0.0, absolute=1e-9)
        for run in (study.run(), study.run(target), ricochet.open(target)):
            np.testing.assert_array_equal(run.checks.time, [0.5, np.nan])
            np.testing.assert_array_equal(run.checks.published, [2e-3, np.nan])
            self.assertEqual((~run.checks.passed).values.tolist(), [True, False])
            self.assertEqual(list(run).count("checks"), 1)
            self.assertNotIn("1e300", run.checks.time.attrs["long_name"])

    def test_opened_result(self):
        target = self.folder / "shoe.h5"
        ricochet.run(short(0.05), target)
        result = ricochet.open(target)
        self.assertEqual(result.attrs["status"], "complete")
        self.assertIn("duration = 0.05", result.deck_text)
        sole = result.contact("sole")
        self.assertEqual(sole.normal_force.attrs["units"], "N")
        self.assertEqual(sole.tangential_force.dims, ("time", "tangent"))
        self.assertEqual(sole.state.attrs["flag_meanings"], "open stick slip")
        history = result.history("puller", "ux")
        self.assertEqual(history.dims, ("time",))
        # the shoe sticks: x = F/k (1 - cos w t) but for the elastic stick
        at = float(history.interp(time=0.02))
        self.assertAlmostEqual(at, 0.11221031264077058, delta=1e-4)
        self.assertIn("contacts/sole", result)
        self.assertNotIn("checkpoint", set(result))
        self.assertIn("contacts/sole", result._repr_html_())
        with self.assertRaises(KeyError):
            result["contacts/soul"]
        self.assertEqual(history.attrs["units"], "m")
        self.assertEqual(result.history("puller", "ux", "velocity").attrs["units"], "m/s")
        with self.assertRaisesRegex(KeyError, "no histories of node pullet; the result holds .*puller"):
            result.history("pullet", "ux")
        with self.assertRaisesRegex(KeyError, "no histories of component uw; .*ux"):
            result.history("puller", "uw")

    def test_existing_result_is_kept(self):
        target = self.folder / "shoe.h5"
        ricochet.run(short(0.01), target)
        before = target.read_bytes()
        with self.assertRaisesRegex(ricochet.FileError, "give force=True"):
            ricochet.run(short(0.01), target)
        self.assertEqual(target.read_bytes(), before)
        ricochet.run(short(0.01), target, force=True)
        with self.assertRaises(ricochet.FileError):
            ricochet.run(short(0.01), self.folder / "no" / "shoe.h5")
        with self.assertRaisesRegex(OSError, "none.h5: there is no such result"):
            ricochet.open(self.folder / "none.h5")

    def test_direct(self):
        result = ricochet.run(short(0.05), mode="direct")
        self.assertIn("direct/physical", result)
        self.assertAlmostEqual(result.event("sole", "stick_to_slip"), SLIPS, delta=1e-4)

    def test_arrays_are_those_of_the_engine(self):
        force = ricochet.run(short(0.01)).contact("sole").normal_force
        self.assertFalse(force.values.flags.owndata)  # a view of what the capsule of the engine owns
        self.assertEqual(type(force.values.base).__name__, "PyCapsule")
        self.assertTrue(force.values.flags.c_contiguous and force.values.flags.writeable)


class Batch(FolderTest):
    def deck(self):
        text = RIGID.read_text(encoding="utf-8").replace("count = 41", "count = 5").replace("count = 61", "count = 3")
        return ricochet.read_deck(text)

    def test_against_closed_form(self):
        result = ricochet.run_batch(self.deck(), self.folder / "map.h5", threads=2)
        self.assertEqual(result.summary["complete"], 15)
        cases = result.batch
        static = result.batch.parameters.sel(parameter="contacts.sole.friction.static").values
        np.testing.assert_allclose(sorted(set(static)), [0.25, 0.275, 0.3, 0.325, 0.35], rtol=1e-15)
        breakaway = result.batch.outputs.sel(output="breakaway").values
        np.testing.assert_allclose(breakaway, [slip_instant(each) for each in static], atol=1e-10)

    def test_deck_without_batch(self):
        with self.assertRaises(ricochet.DeckError) as caught:
            ricochet.run_batch(short(0.01), self.folder / "map.h5")
        self.assertIn("batch", str(caught.exception))


class Compare(unittest.TestCase):
    def test_shoe(self):
        # a complete basis of two modes: both modes solve the same equations, up to the step of the direct run
        compared = ricochet.compare(short(0.05), quick=True)
        self.assertLess(compared.difference, 1e-4)
        self.assertEqual(compared.histories.quantity.values[0], "displacement")
        contact, kind, number, modal, direct = compared.events[0]
        self.assertEqual((contact, kind, number), ("sole", "stick_to_slip", 1))
        self.assertAlmostEqual(modal, direct, delta=1e-5)


if __name__ == "__main__":
    unittest.main()
