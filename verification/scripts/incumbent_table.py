#!/usr/bin/env python3
"""Runs the decks of verification/cases/incumbent and writes the table of its README.

A deck belongs to the case before the first "-" of its name. The source of a check names the values of the case that
it stands for: "...; values 1 17 (analytical)", "...; explained 3 (...)" where the incumbent's reference is missed for
a reason that notes.json gives, "what the incumbent computes, no. 3" where its own number is met instead.

Usage: incumbent_table.py --program PATH [--folder FOLDER] [--write]
"""

import argparse
import json
import re
import subprocess
import sys
import tomllib
from pathlib import Path

FOLDER = Path(__file__).resolve().parents[1] / "cases/incumbent"
AGAIN = "what the incumbent computes"


def numbers(source, word):
    """The numbers after a word ("values 1 2 3")."""
    found = []
    for match in re.finditer(rf"\b{word}((?: \d+)+)", source):
        found += [int(n) for n in match.group(1).split()]
    return found


def rows_of(program, deck):
    run = subprocess.run([program, "verify", "--json", deck.name], cwd=deck.parent, capture_output=True, text=True,
                         check=False)
    if not run.stdout:
        sys.exit(f"{deck}: {run.stderr}")
    return json.loads(run.stdout)


def deviation(row):
    """Relative to the reference; None where that is 0 or nothing was computed."""
    if row["computed"] is None or row["reference"] == 0:
        return None
    return abs(row["difference"] / row["reference"])


def largest(rows):
    found = [d for d in map(deviation, rows) if d is not None]
    return max(found) if found else None


def shown(value, digits=2):
    return "-" if value is None else f"{value:.{digits}g}"


class Case:
    def __init__(self, name, note):
        self.name, self.note = name, note
        self.rows, self.again, self.schemes, self.failed = [], [], [], []

    def add(self, deck, rows):
        study = tomllib.loads(deck.read_text(encoding="utf-8"))
        again = [row for row in rows if (row["source"] or "").startswith(AGAIN)]
        exact = [row for row in rows if numbers(row["source"] or "", "(?:values?|explained)")]
        if not self.note["values"]:  # all that is checked
            exact = [row for row in rows if row not in again]
        self.failed += [row for row in rows if not row["passed"]]
        self.rows += exact
        self.again += again
        scheme = study.get("transient", {}).get("scheme", "event")
        if exact and scheme not in self.schemes:
            self.schemes.append(scheme)
        direct = study.get("direct")
        if direct and f"direct {direct['scheme']}" not in self.schemes:
            self.schemes.append(f"direct {direct['scheme']}")

    def of(self, word):
        return sorted({n for row in self.rows for n in numbers(row["source"], word)})

    def passed(self):
        """Those of checks, and those that a test of another kind takes ("elsewhere" of notes.json)."""
        return sorted(set(self.of("values?")) | set(self.note.get("elsewhere", [])))

    def line(self):
        passed, explained = self.passed(), self.of("explained")
        checked = len(set(passed) | set(explained))
        again = "" if not self.again else (
            f"{len(self.again)} of its own numbers met within {shown(largest(self.again))}: "
            f"`{'`, `'.join(sorted({row['deck'] for row in self.again}))}`. ")
        return (f"| {self.name} | {self.note['what']} | {checked}/{self.note['values']} | {len(passed)} | "
                f"{len(explained)} | {shown(largest(self.rows))} | {', '.join(self.schemes)} | "
                f"{again}{self.note.get('note', '')} |")

    def explained(self):
        own = {n: row["reference"] for row in self.again for n in numbers(row["source"], "no.")}
        for row in self.rows:
            which = numbers(row["source"], "explained")
            if which:
                where = row["where"] + ("" if row["time"] is None else f", {row['time']:g} s")
                yield which, (f"| {self.name} {' '.join(map(str, which))} | {row['quantity']} {where} | "
                              f"{row['computed']:.9g} | {row['reference']:.9g} | "
                              f"{shown(own.get(which[0], row['published']), 9)} |")


def text(cases):
    lines = [(FOLDER / "head.txt").read_text(encoding="utf-8").rstrip(), "",
             "| case | what | values | passed | explained | largest deviation | scheme | notes |",
             "|---|---|---|---|---|---|---|---|"]
    lines += [case.line() for case in cases]
    total = [sum(len(case.passed()) for case in cases), sum(len(case.of("explained")) for case in cases)]
    lines += ["", f"{len(cases)} cases, {sum(c.note['values'] for c in cases)} values: {total[0]} passed, "
              f"{total[1]} explained.", "", "Explained values:", "",
              "| value | quantity | computed | reference | the incumbent's |", "|---|---|---|---|---|"]
    for case in cases:
        lines += [line for _, line in sorted(case.explained())]
    return "\n".join(lines) + "\n"


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--program", required=True, type=lambda p: str(Path(p).resolve()))
    parser.add_argument("--write", action="store_true", help="into README.md; otherwise printed")
    arguments = parser.parse_args()
    notes = json.loads((FOLDER / "notes.json").read_text(encoding="utf-8"))
    cases = {name: Case(name, note) for name, note in notes.items()}
    for deck in sorted(FOLDER.glob("*.toml")):
        name = deck.stem.split("-")[0]
        if name not in cases:
            sys.exit(f"{deck.name}: no such case in notes.json")
        cases[name].add(deck, rows_of(arguments.program, deck))
    for case in cases.values():
        for row in case.failed:
            print(f"failed: {row['deck']} {row['quantity']} {row['where']}", file=sys.stderr)
    if arguments.write:
        (FOLDER / "README.md").write_text(text(list(cases.values())), encoding="utf-8")
    else:
        print(text(list(cases.values())), end="")
    return any(case.failed for case in cases.values())


if __name__ == "__main__":
    sys.exit(main())
