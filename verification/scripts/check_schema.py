#!/usr/bin/env python3
"""Validates the decks of verification/cases by the JSON Schema that `ricochet schema` prints.

Every deck has to be valid, and those of examples/ to be invalid once one of their keys is misspelt, or a text stands
where a table is, or a table where a text is. Pieces of decks in io/app/manual/guides have to be valid too. Exit status
77 without python3-jsonschema.

Usage: check_schema.py --program RICOCHET
"""

import argparse
import copy
import json
import re
import subprocess
import sys
import tomllib

from source_tree import default_root

try:
    import jsonschema
except ImportError:
    print("skipped: there is no python3-jsonschema")
    sys.exit(77)

FREE = {"groups", "materials", "sections", "meshes", "functions", "parameters", "outputs", "histories"}


def places(value, path=()):
    """All keys of a deck: (path of the table, key), but for names that are free."""
    if isinstance(value, dict):
        for key, inner in value.items():
            if not (path and path[-1] in FREE):
                yield path, key
            yield from places(inner, path + (key,))
    elif isinstance(value, list):
        for i, inner in enumerate(value):
            yield from places(inner, path + (i,))


def at(deck, path):
    for step in path:
        deck = deck[step]
    return deck


def misspelt(deck, path, key):
    changed = copy.deepcopy(deck)
    table = at(changed, path)
    table[key + "x"] = table.pop(key)
    return changed


def mistyped(deck, path, key):
    """The deck with a table in place of a text, or the other way round; None for other kinds."""
    changed = copy.deepcopy(deck)
    table = at(changed, path)
    if isinstance(table[key], dict):
        table[key] = "a text"
    elif isinstance(table[key], str):
        table[key] = {"a": 1}
    else:
        return None
    return changed


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--program", required=True)
    schema = json.loads(subprocess.run([parser.parse_args().program, "schema"], check=True, capture_output=True,
                                       text=True).stdout)
    jsonschema.Draft7Validator.check_schema(schema)
    validator = jsonschema.Draft7Validator(schema)
    faults, decks, changes = [], 0, 0
    for file in sorted((default_root() / "verification/cases").rglob("*.toml")):
        deck = tomllib.loads(file.read_text(encoding="utf-8"))
        decks += 1
        for error in list(validator.iter_errors(deck))[:3]:
            place = "/".join(str(step) for step in error.absolute_path)
            faults.append(f"{file.name}: {place}: {error.message[:300]}")
        if file.parent.name != "examples":
            continue
        for path, key in places(deck):
            for change in (misspelt, mistyped):
                wrong = change(deck, path, key)
                if wrong is None:
                    continue
                changes += 1
                if validator.is_valid(wrong):
                    faults.append(f"{file.name}: {change.__name__} {path} {key} is taken for valid")
    for file in sorted((default_root() / "io/app/manual/guides").glob("*.md")):
        for block in re.findall(r"```toml[^\n]*\n(.*?)```", file.read_text(encoding="utf-8"), re.DOTALL):
            faults += [f"{file.name}: {error.message[:300]}" for error in validator.iter_errors(tomllib.loads(block))]
    print("\n".join(faults[:40]))
    print(f"{decks} decks, {changes} changes that make one invalid, {len(faults)} faults")
    return 1 if faults or decks == 0 or changes == 0 else 0


if __name__ == "__main__":
    sys.exit(main())
