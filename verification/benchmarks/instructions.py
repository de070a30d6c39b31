#!/usr/bin/env python3
"""Instructions per step of the transient loop, counted by callgrind.

Runs steps_driver with N and with 2 N steps and takes the difference, so that neither the model nor the start counts.
The count repeats exactly: compare it, and not a time, from one version to the next.

Usage: instructions.py --driver BUILD/verification/steps_driver [--steps N] [--csv FILE]
"""

import argparse
import csv
import re
import subprocess
import sys
import tempfile
from pathlib import Path

SCHEMES = ["kick_drift", "central_difference", "symplectic_euler"]
TUBES = [(20, 4), (10, 1), (50, 10), (100, 40)]


def cases():
    yield from ((("sdnd106", scheme), ()) for scheme in SCHEMES)
    yield from ((("tube", scheme), size) for size in TUBES for scheme in SCHEMES[:2])
    yield from ((("round", scheme), size) for size in TUBES[2:] for scheme in (SCHEMES[0], SCHEMES[2]))


def instructions(driver, words, size, steps, folder):
    """Instructions of a whole run of the driver."""
    command = ["valgrind", "--tool=callgrind", f"--callgrind-out-file={folder / 'out'}", str(driver), *words,
               str(steps), *map(str, size)]
    run = subprocess.run(command, capture_output=True, text=True, check=True)
    return int(re.search(r"Collected : (\d+)", run.stderr).group(1))


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--driver", type=Path, required=True)
    parser.add_argument("--steps", type=int, default=15000, help="N; the steps N to 2 N are counted (h = 1e-5 s)")
    parser.add_argument("--csv", type=Path, help="also write the table here")
    options = parser.parse_args()

    rows = []
    with tempfile.TemporaryDirectory() as name:
        for words, size in cases():
            once, twice = (instructions(options.driver.resolve(), words, size, n * options.steps, Path(name)) for n in (1, 2))
            rows.append((words[0], words[1], *(size or ("", "")), round((twice - once) / options.steps, 1)))
            print("{:8} {:20} m={!s:4} c={!s:4} {:10.1f}".format(*rows[-1]), flush=True)
    if options.csv:
        with options.csv.open("w", newline="", encoding="utf-8") as file:
            writer = csv.writer(file)
            writer.writerow(["case", "scheme", "modes", "contacts", "instructions_per_step"])
            writer.writerows(rows)
    return 0


if __name__ == "__main__":
    sys.exit(main())
