"""Runs that fail, stop, report and go on beside others."""

import os
import pickle
import signal
import subprocess
import sys
import threading
import time
import unittest
from concurrent.futures import ThreadPoolExecutor

import numpy as np
from python_support import FolderTest, oscillator, shoe, slip_instant

import ricochet

LONG = """
import os, signal, sys, threading
sys.path.insert(0, {folder!r})
from python_support import oscillator
import ricochet
study = oscillator(duration=1e9)
study.transient(1e9, scheme="kick_drift", step=1e-3)
study.output(interval=1e8)
threading.Timer(1.0, lambda: os.kill(os.getpid(), signal.SIGINT)).start()
try:
    study.run({output})
    print("ended")
except KeyboardInterrupt:
    print("interrupted")
print(signal.getsignal(signal.SIGINT) is signal.default_int_handler)
try:
    os.kill(os.getpid(), signal.SIGINT)
    import time; time.sleep(5)
except KeyboardInterrupt:
    print("Python's own handler is there again")
"""


def unstable():
    """A run that becomes infinite: a stop that pushes harder the deeper the mass is, on the wrong side."""
    study = oscillator(1.0, 0.0, displacement={"mass": [1.0, 0, 0]})
    study.link("explosion", "mass", lambda x: -1.0e3 * x**5, dof="ux")
    study.transient(10.0, scheme="kick_drift", step=1e-3)
    return study


class Failures(FolderTest):
    def test_run_error(self):
        for output in (None, self.folder / "x.h5"):
            with self.assertRaises(ricochet.RunError) as caught:
                unstable().run(output)
            error = caught.exception
            self.assertEqual(error.status, "diverged")
            self.assertTrue(0.0 < error.time < 10.0)
            self.assertIn("no finite number", str(error))
            x = error.result.history("mass", "ux")
            self.assertTrue(np.isfinite(x.values).all())
            self.assertAlmostEqual(float(x[0]), 1.0)

    def test_exception_of_progress(self):
        study = oscillator()
        study.transient(1e9, scheme="kick_drift", step=1e-3)
        study.output(interval=1e8)

        def refuse(fraction, steps):
            raise ZeroDivisionError("enough")

        with self.assertRaisesRegex(ZeroDivisionError, "enough"):
            study.run(progress=refuse)

    def test_arguments(self):
        with self.assertRaises(ValueError):
            shoe().run(mode="modul")
        with self.assertRaises(ValueError):
            shoe().run(resume=True)


class Progress(unittest.TestCase):
    def test_fractions(self):
        study = oscillator()
        study.transient(5e3, scheme="kick_drift", step=1e-3)
        study.output(interval=1e3)
        seen = []
        study.run(progress=lambda fraction, steps: seen.append((fraction, steps)))
        self.assertGreater(len(seen), 0)
        self.assertEqual(seen, sorted(seen))
        self.assertTrue(all(0.0 <= fraction <= 1.0 and steps > 0 for fraction, steps in seen))


class Contacts(FolderTest):
    def test_totals(self):
        """1 kg strikes a stop of 1e6 N/m at 1 m/s: v sqrt(k m) = 1000 N, once, and turns round: 2 N s. The same in memory,
        in a file, and in one of more than 256 contacts, whose deck is longer than HDF5 keeps in a header."""
        study = ricochet.Study()
        study.node("m")
        study.mass("m", 1.0)
        study.support("m", ["uy", "uz"])
        study.initial(velocity={"m": [1, 0, 0]})
        for i in range(300):
            study.contact(f"c{i}" if i else "stop", "m", {"type": "plane", "normal": [-1, 0, 0], "gap": 9 if i else 0.005},
                          {"stiffness": 1e6 if i == 0 else 1})
            if i == 0 or i == 299:
                study.transient(0.1)
                target = self.folder / f"{i}.h5"
                for result in (study.run(), study.run(target), ricochet.open(target)):
                    totals = result.contact("stop").attrs
                    self.assertAlmostEqual(totals["peak_force"], 1000.0, delta=1e-6)
                    self.assertAlmostEqual(totals["impulse"], 2.0, delta=1e-9)
                    self.assertEqual(totals["impacts"], 1)


class Interrupt(FolderTest):
    def stop(self, output):
        here = os.path.dirname(os.path.abspath(__file__))
        done = subprocess.run([sys.executable, "-B", "-c", LONG.format(folder=here, output=output)], capture_output=True,
                              text=True, timeout=120, check=True)
        self.assertEqual(done.stdout.splitlines(), ["interrupted", "True", "Python's own handler is there again"])

    def test_in_memory(self):
        self.stop("")

    def test_to_file(self):
        target = self.folder / "x.h5"
        self.stop(repr(str(target)))
        self.assertEqual(ricochet.open(target).attrs["status"], "failed")


class Resumed(FolderTest):
    def test_same_bits(self):
        study = oscillator(displacement={"mass": [0.01, 0, 0]})
        study.transient(5e3, scheme="kick_drift", step=1e-3)
        study.output(interval=10.0)

        def stop(fraction, steps):
            raise InterruptedError

        target = self.folder / "x.h5"
        with self.assertRaises(InterruptedError):
            study.run(target, progress=stop)
        self.assertEqual(ricochet.open(target).attrs["status"], "failed")
        resumed = study.run(target, resume=True)
        self.assertGreater(resumed.summary["resumed_at"], 0.0)
        whole = study.run(self.folder / "whole.h5")
        np.testing.assert_array_equal(resumed.transient.displacement.values, whole.transient.displacement.values)
        again = study.run(target, resume=True)  # nothing is left to do
        self.assertEqual(again.attrs["status"], "complete")


class Threads(FolderTest):
    def test_runs_side_by_side(self):
        statics = [0.25, 0.26, 0.27, 0.28, 0.29, 0.3]

        def run(number):
            study = shoe(statics[number])
            return study.run(self.folder / f"{number}.h5" if number % 2 else None)

        with ThreadPoolExecutor(4) as pool:
            results = list(pool.map(run, range(len(statics))))
        for number, result in enumerate(results):
            self.assertAlmostEqual(result.event("sole", "stick_to_slip"), slip_instant(statics[number]), delta=1e-11)
            alone = run(number) if number % 2 == 0 else shoe(statics[number]).run()
            np.testing.assert_array_equal(result.physical.displacement.values, alone.physical.displacement.values)

    def test_others_go_on(self):
        study = oscillator()
        study.transient(1e4, scheme="kick_drift", step=1e-3)
        study.output(interval=1e3)
        ticks = []
        worker = threading.Thread(target=study.run)
        worker.start()
        while worker.is_alive():
            ticks.append(time.monotonic())
            time.sleep(0.005)
        worker.join()
        self.assertGreater(len(ticks), 10)


class Processes(unittest.TestCase):
    """What goes from one process to another."""

    def test_copies(self):
        deck = pickle.loads(pickle.dumps(shoe(0.27).deck()))
        result = pickle.loads(pickle.dumps(deck.run()))
        self.assertAlmostEqual(result.event("sole", "stick_to_slip"), slip_instant(0.27), delta=1e-11)
        with self.assertRaises(ricochet.DeckError) as caught:
            ricochet.read_deck("[transient]\n")
        self.assertEqual(pickle.loads(pickle.dumps(caught.exception)).problems, caught.exception.problems)
        with self.assertRaises(ricochet.RunError) as caught:
            unstable().run()
        error = pickle.loads(pickle.dumps(caught.exception))
        self.assertEqual((error.status, error.time), (caught.exception.status, caught.exception.time))


if __name__ == "__main__":
    signal.signal(signal.SIGINT, signal.default_int_handler)
    unittest.main()
