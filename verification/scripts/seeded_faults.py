#!/usr/bin/env python3
"""Puts known faults into the program, and requires that a test which CI runs finds each.

Copies the sources to a folder, puts all faults of fault_list.py into the copy, each behind a condition on its number
(seeded_fault.py), and builds the test programs once with a preset of CMake. Without a number all tests of the preset
have to pass. Then each fault is chosen by the environment: first the tests that it names run, then, where these pass,
the whole tier. Faults that need a build of their own come last.

Mistakes with memory are tried where the preset has the sanitizers (`check`), the others where it has none (`release`).
Exits with 1 when a fault survives, and with 2 when one does not apply to the sources (its text has changed: mend the
list), or when the copy without a fault fails.

Run by hand, before a release and when tests have changed: a build, and some seconds for each fault. CTest runs
`--check` only, which says whether all faults apply.

Usage: seeded_faults.py [--preset NAME] [--only WORD ...] [--all] [--keep FOLDER] [--trust] [--jobs N] [--limit SECONDS]
                        [--markdown FILE]
       seeded_faults.py --check | --list
"""

import argparse
import sys
import tempfile
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from fault_list import FAULTS
from fault_runs import Tier, copy_tree
from seeded_fault import faulty_files, stale_faults
from source_tree import default_root

WIDTH = max(len(fault.name) for fault in FAULTS)


class Outcomes:
    """What found each fault, by its number."""

    def __init__(self):
        self.found = {}
        self.broken = []  # numbers of faults that do not compile

    def add(self, number, test):
        self.found[number] = test
        fault = FAULTS[number - 1]
        print(f"{fault.name:{WIDTH}}  {fault.room:20}  {test or 'SURVIVES'}", flush=True)

    def survivors(self):
        return [number for number, test in self.found.items() if test is None]

    def summary(self):
        return (f"{len(self.found)} faults, {len(self.survivors())} survive, "
                f"{len(self.found) - len(self.survivors()) - len(self.broken)} found, "
                f"{len(self.broken)} do not compile")

    def markdown(self):
        lines = ["| fault | folder | first failing test |", "|---|---|---|"]
        for number in sorted(self.found):
            fault, test = FAULTS[number - 1], self.found[number]
            lines.append(f"| {fault.name} | {fault.room} | {'`' + test + '`' if test else '**survives**'} |")
        return "\n".join([*lines, "", self.summary() + ".", ""])

    def status(self):
        return 1 if self.survivors() else 2 if self.broken else 0


def chosen_faults(options, sanitizes):
    """Numbers of the faults to try in this build."""
    return [number for number, fault in enumerate(FAULTS, start=1)
            if any(word in fault.name or word in fault.room for word in options.only)
            and (options.all or fault.sanitizer == sanitizes)]


def try_rebuilt(root, tier, number, outcomes):
    copy_tree(root, tier.place, faulty_files(root, FAULTS, number))
    problem = tier.compile()
    if problem:
        print(problem)
        outcomes.broken.append(number)
        outcomes.add(number, "(does not compile)")
    else:
        outcomes.add(number, tier.first_failure(FAULTS[number - 1], number, 1))


def try_all(root, tier, options):
    outcomes = Outcomes()
    numbers = chosen_faults(options, tier.sanitizes())
    for number in numbers:
        if not tier.programs_for(FAULTS[number - 1].tests):
            print(f"note: {FAULTS[number - 1].name}: no program has a test that it names")
    built = [number for number in numbers if FAULTS[number - 1].kind != "rebuild"]
    with ThreadPoolExecutor(options.jobs) as pool:
        def attempt(number):
            outcomes.add(number, tier.first_failure(FAULTS[number - 1], number, options.jobs))

        list(pool.map(attempt, built))
    for number in numbers:
        if FAULTS[number - 1].kind == "rebuild":
            try_rebuilt(root, tier, number, outcomes)
    copy_tree(root, tier.place, faulty_files(root, FAULTS))  # as it was, for who keeps it
    print(outcomes.summary())
    if options.markdown:
        options.markdown.write_text(outcomes.markdown(), encoding="utf-8")
    return outcomes.status()


def run(options, folder):
    root, place = default_root(), folder.resolve() / "source"
    place.mkdir(parents=True, exist_ok=True)
    copy_tree(root, place, faulty_files(root, FAULTS))
    tier = Tier(place, options.preset, options.limit)
    print(f"building {len(FAULTS)} faults with the preset {options.preset} in {place}", flush=True)
    problem = tier.make()
    if problem:
        print(f"the copy with all faults is not built:\n{problem}")
        return 2
    with tempfile.TemporaryDirectory(prefix="sf", ignore_cleanup_errors=True) as scratch:
        failure = None if options.trust else tier.whole(0, scratch)
    if failure:
        print(f"the copy fails without a fault: {failure}")
        return 2
    return try_all(root, tier, options)


def arguments():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--preset", default="release", help="preset of CMake and CTest (release)")
    parser.add_argument("--only", nargs="*", default=[""], help="faults whose name or folder has one of these words")
    parser.add_argument("--all", action="store_true", help="with or without the sanitizers, whatever a fault needs")
    parser.add_argument("--keep", type=Path, help="work here and leave it, instead of a temporary folder")
    parser.add_argument("--trust", action="store_true", help="do not run the tests without a fault")
    parser.add_argument("--jobs", type=int, default=2, help="faults at a time (2)")
    parser.add_argument("--limit", type=float, default=300.0, help="of the tests that a fault names [s] (300)")
    parser.add_argument("--markdown", type=Path, help="write the table here too")
    parser.add_argument("--check", action="store_true", help="say whether all faults apply to the sources, and stop")
    parser.add_argument("--list", action="store_true", help="print the faults and stop")
    return parser.parse_args()


def main():
    options = arguments()
    if options.list:
        print("\n".join(f"{number:4}  {fault.name:{WIDTH}}  {fault.room}{', sanitizers' if fault.sanitizer else ''}"
                        for number, fault in enumerate(FAULTS, start=1)))
        return 0
    stale = stale_faults(default_root(), FAULTS)
    if stale:
        print("\n".join(stale))
        return 2
    if options.check:
        print(f"seeded faults: all {len(FAULTS)} apply")
        return 0
    if options.keep:
        return run(options, options.keep)
    with tempfile.TemporaryDirectory(prefix="seeded-faults-", ignore_cleanup_errors=True) as folder:
        return run(options, Path(folder))


if __name__ == "__main__":
    sys.exit(main())
