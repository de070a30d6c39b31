#!/usr/bin/env python3
"""Computes the references of verification/cases/incumbent, without ricochet, and compares the decks with them.

Usage: references.py [--print CASE] | --compare        (numpy and scipy; a minute)
"""

import argparse
import math
import sys
import tomllib
from pathlib import Path

import beam_shocks
import chains
import links
import rotors
import sectors
import shocks
import supports
import truncation
import wear

FOLDER = Path(__file__).resolve().parents[2] / "cases/incumbent"
MODULES = (chains, shocks, truncation, supports, rotors, beam_shocks, links, wear, sectors)
ALSO = {"sdll302b-relative": "sdll302b-all", "sdnl111a-discs": "sdnl111a",
        "sdll113a-parts": "sdll113a"}  # deck: name under which its references go


def everything(prefix=""):
    """{deck: [(key, value)]} of all functions named after a case."""
    found = {}
    for module in MODULES:
        for name in sorted(vars(module)):
            case = name.startswith(("sdl", "sdn", "ssn", "zzzz"))
            if case and name.startswith(prefix) and vars(module)[name].__module__ == module.__name__:
                for key, value in vars(module)[name]().items():
                    values = [t for t, *_ in value] if key[-1] == "events" else value
                    for v in values if isinstance(values, (list, tuple)) else [values]:
                        found.setdefault(key[0], []).append((key[1:], float(v)))
    return found


def compare():
    """Every reference of a deck that is not 0, nor the incumbent's, is one of those computed for it."""
    references = everything()
    missed = counted = 0
    for deck in sorted(FOLDER.glob("*.toml")):
        known = [v for _, v in references.get(ALSO.get(deck.stem, deck.stem), [])]
        for check in tomllib.loads(deck.read_text(encoding="utf-8"))["checks"]:
            reference, source = check["reference"], check["source"]
            if reference == 0.0 or "incumbent" in source:
                continue
            counted += 1
            if not any(math.isclose(reference, v, rel_tol=1e-10) or math.isclose(reference, -v, rel_tol=1e-10)
                       for v in known):
                missed += 1
                print(f"{deck.name}: {check['quantity']} {check.get('time', '')} {reference!r} ({source})")
    print(f"{counted} references compared, {missed} not found")
    return missed > 0


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--print", metavar="CASE")
    parser.add_argument("--compare", action="store_true")
    arguments = parser.parse_args()
    if arguments.compare:
        return compare()
    for deck, values in everything(arguments.print or "").items():
        for key, value in values:
            print(deck, *key, repr(value))
    return 0


if __name__ == "__main__":
    sys.exit(main())
