#!/usr/bin/env python3
"""Checks that every promise of io/TRUST.md names tests, and that all tests and files it names are there.

Usage: check_trust.py
"""

import re
import sys

from source_tree import default_root

SECTIONS_WITHOUT_TESTS = {"What is not promised"}


def suites_of(root):
    """Suites of the tests, and the names of their tests."""
    found = {}
    for source in (root / "verification").rglob("*_test.cpp"):
        text = source.read_text(encoding="utf-8")
        for suite, name in re.findall(r"^(?:TYPED_)?TEST(?:_F|_P)?\((\w+),\s*(\w+)\)", text, re.MULTILINE):
            found.setdefault(suite, set()).add(name)
    return found


def problem_with(name, suites, root):
    if "/" in name and not name.startswith("Name/"):
        path = name.split()[0]
        there = (root / "verification" / path).exists() or (root / path).exists()
        return None if there else f"there is no file {path}"
    suite, _, test = name.removeprefix("Name/").partition(".")
    if suite not in suites:
        return f"there is no suite {suite}"
    return None if test == "*" or test in suites[suite] else f"{suite} has no test {test}"


def main():
    root = default_root()
    suites = suites_of(root)
    problems, section, promises = [], "", 0
    lines = (root / "io/TRUST.md").read_text(encoding="utf-8").splitlines()
    for number, line in enumerate(lines, start=1):
        if line.startswith("## "):
            section = line[3:]
        cells = [cell.strip() for cell in line.strip().strip("|").split(" | ")]
        if not line.startswith("|") or section in SECTIONS_WITHOUT_TESTS or cells[0] == "promise" or "---" in cells[0]:
            continue
        promises += 1
        names = re.findall(r"`([^`]+)`", cells[-1])
        if not names:
            problems.append(f"io/TRUST.md:{number}: names no test")
        for name in names:
            if name.startswith("./"):
                continue  # a command
            problem = problem_with(name, suites, root)
            if problem:
                problems.append(f"io/TRUST.md:{number}: {problem}")
    print("\n".join(problems) if problems else f"trust: {promises} promises, all with tests")
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
