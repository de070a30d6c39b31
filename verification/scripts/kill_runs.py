#!/usr/bin/env python3
"""Kills runs at random instants, resumes them, and compares the results with that of a run nobody killed.

Each kill is SIGKILL at an instant drawn uniformly over the time the whole run takes. What it left is opened
with h5py (a look, not needed for resuming), then the run is resumed; every third is killed again meanwhile.
All datasets and attributes have to be the same, byte for byte, but the date of creation.

Usage: kill_runs.py PROGRAM [--kills N] [--seed S] [--only WORD]
"""

import argparse
import random
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import h5py
import numpy

MODEL = """
[[nodes]]
name = "a"
position = [0.0, 0.0, 0.0]
[[nodes]]
name = "b"
position = [1.0, 0.0, 0.0]
[[masses]]
nodes = "all"
mass = 2.0
[[springs]]
nodes = ["a"]
stiffness = [2.0e4, 1.0e4, 0]
[[springs]]
nodes = ["a", "b"]
stiffness = [5.0e4, 2.0e4, 0]
[[dampers]]
nodes = ["a", "b"]
damping = [12.0, 9.0, 0]
[[supports]]
nodes = "all"
fixed = ["uz"]
[functions.sine]
formula = "sin(210*t)"
[[loads]]
nodes = ["b"]
force = [300.0, 150.0, 0]
scale = "sine"
[basis]
all = true
[initial]
velocity = [ { node = "b", value = [0.9, -0.4, 0] } ]
[[contacts]]
name = "stop"
node = "b"
obstacle = { type = "slot", axis = [0, 0, 1], direction = [1, 0, 0], center = [1, 0, 0], gap = 0.002 }
normal = { stiffness = 1.0e5, damping = 9.0 }
friction = { static = 0.3, dynamic = 0.2, stiffness = 4.0e4, damping = 10.0 }
[[checks]]
quantity = "displacement"
node = "b"
dof = "ux"
time = 0.25
reference = 0.0
absolute = 1.0
source = "a place in the run that has to be seen once"
"""

# scheme, mode, duration [s], archived every; long enough to be killed
RUNS = [
    ("kick_drift", "modal", 12.0, 1),
    ("kick_drift", "modal", 30.0, 50),
    ("newmark", "modal", 6.0, 2),
    ("devogelaere", "modal", 8.0, 3),
    ("rk54", "modal", 15.0, 1),
    ("adaptive_central", "modal", 15.0, 1),
    ("moreau", "modal", 6.0, 2),
    ("event", "modal", 30.0, 1),
    ("hht", "direct", 6.0, 2),
]


def deck(scheme, mode, duration, every):
    text = MODEL + f'[transient]\nduration = {duration}\n'
    if mode == "modal":
        text += f'scheme = "{scheme}"\n'
    if scheme not in ("event", "rk54", "adaptive_central"):
        text += "step = 2.0e-5\n"
    if mode == "direct":
        text += f'[direct]\nscheme = "{scheme}"\n'
        text = text.replace("[[checks]]\n", '[[checks]]\nmode = "direct"\n')
    return text + f'[output]\nevery = {every}\nnodes = ["a", "b"]\nfields = ["displacement", "velocity"]\n'


def contents(file):
    """Bytes of all that an HDF5 file holds, by path."""
    found = {}

    def add(name, thing):
        for key, value in thing.attrs.items():
            if key in ("created", "REFERENCE_LIST", "DIMENSION_LIST"):
                continue
            found[f"{name}@{key}"] = repr(numpy.asarray(value).tolist())
        if isinstance(thing, h5py.Dataset):
            values = numpy.asarray(thing[()])
            raw = values.tolist() if thing.dtype.hasobject else values.tobytes()
            found[name] = (thing.shape, str(thing.dtype), raw)

    with h5py.File(file, "r") as result:
        add("/", result)
        result.visititems(add)
    return found


def opens(file):
    try:
        with h5py.File(file, "r") as result:
            result.visititems(lambda _, thing: thing[-1:] if isinstance(thing, h5py.Dataset) and thing.shape else None)
        return True
    except Exception:  # whatever h5py says
        return False


def state_of(journal):
    """Whether the file has been flushed once, and whether the journal holds something to put back."""
    if not journal.exists():
        return False, False
    head = journal.read_bytes()[:16]
    if len(head) < 16:
        return True, False
    return int.from_bytes(head[8:], "little") > 0, journal.stat().st_size > 16


def kill_after(command, folder, delay):
    process = subprocess.Popen(command, cwd=folder, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)
    try:
        process.communicate(timeout=delay)
        return process.returncode == 0
    except subprocess.TimeoutExpired:
        process.kill()
        process.communicate()
        return False


def one_run(program, run, kills, dice, count):
    with tempfile.TemporaryDirectory(prefix="ricochet-kill-") as name:
        folder = Path(name)
        (folder / "run.toml").write_text(deck(*run))
        command = [program, "run", "run.toml", "-q", "--mode", run[1]]
        begin = time.monotonic()
        subprocess.run(command + ["-o", "whole.h5"], cwd=folder, check=True)
        length = time.monotonic() - begin
        whole = contents(folder / "whole.h5")
        for i in range(kills):
            for file in folder.glob("run.h5*"):
                file.unlink()
            done = kill_after(command, folder, dice.uniform(0.0, length))
            count["kills"] += 0 if done else 1
            if not done and i % 3 == 0:
                done = kill_after(command + ["--resume"], folder, dice.uniform(0.0, length))
                count["kills"] += 0 if done else 1
            left = folder / "run.h5.partial"
            if not done and left.exists():
                flushed, hot = state_of(folder / "run.h5.partial.journal")
                count["between flushes"] += 1 if flushed and not hot else 0
                count["with a journal"] += 1 if flushed and hot else 0
                count["of these not opened without it"] += 1 if flushed and not opens(left) else 0
            if not done and not (folder / "run.h5").exists():
        
                flag = ["--resume"] if left.exists() else []
                ended = subprocess.run(command + flag, cwd=folder, capture_output=True, text=True)
                named = "is complete" in ended.stderr or "was complete" in ended.stderr
                if ended.returncode != 0 and not named:
                    count["failures"] += 1
                    print(f"  {run}: resuming ends with {ended.returncode}: {ended.stderr}")
                    continue
            count["results"] += 1
            result = contents(folder / "run.h5")
            unlike = [key for key in sorted(set(whole) | set(result)) if whole.get(key) != result.get(key)]
            if unlike:
                count["failures"] += 1
                print(f"  {run}: differs in {', '.join(unlike)}")
        print(f"{run[0]:<17} {run[1]:<7} {length:5.1f} s, {kills} results compared")


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("program", type=lambda path: str(Path(path).resolve()))
    parser.add_argument("--kills", type=int, default=50, help="runs that are killed")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--only", default="", help="runs whose scheme has this name")
    given = parser.parse_args()
    dice = random.Random(given.seed)
    count = dict.fromkeys(["kills", "between flushes", "with a journal", "of these not opened without it",
                           "results", "failures"], 0)
    runs = [run for run in RUNS if given.only in run[0]]
    for i, run in enumerate(runs):
        one_run(given.program, run, given.kills // len(runs) + (i < given.kills % len(runs)), dice, count)
    print(", ".join(f"{value} {key}" for key, value in count.items()))
    return 1 if count["failures"] else 0


if __name__ == "__main__":
    sys.exit(main())
