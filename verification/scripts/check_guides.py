#!/usr/bin/env python3
"""Runs what the guides of the manual tell a reader to run.

A guide holds decks, ```toml file=NAME``` (append=NAME adds to one), and commands, ```sh```. They are carried out in
their order in an empty folder; each command must succeed, and `ricochet check` must find nothing odd in a deck.
"""
import argparse
import os
import pathlib
import re
import subprocess
import sys
import tempfile

BLOCK = re.compile(r"^```(\w+)([^\n]*)\n(.*?)^```$", re.MULTILINE | re.DOTALL)
LIMIT = 300  # [s] of a command


def run(command, folder, environment):
    done = subprocess.run(["sh", "-c", command], cwd=folder, env=environment, timeout=LIMIT, text=True,
                          stdout=subprocess.PIPE, stderr=subprocess.STDOUT, check=False)
    if done.returncode != 0:
        return f"exit status {done.returncode}\n{done.stdout}"
    if command.startswith("ricochet check") and "look at" in done.stdout:
        return f"looks odd\n{done.stdout}"
    return None


def check(guide, environment):
    """The commands that failed, as texts; and how many there were."""
    problems, commands = [], 0
    with tempfile.TemporaryDirectory() as folder:
        for kind, options, text in BLOCK.findall(guide.read_text()):
            target = re.search(r"(file|append)=(\S+)", options)
            if kind == "toml" and target:
                mode = "w" if target.group(1) == "file" else "a"
                with open(pathlib.Path(folder) / target.group(2), mode, encoding="utf-8") as deck:
                    deck.write(("\n" if mode == "a" else "") + text)
            if kind != "sh":
                continue
            for command in text.splitlines():
                commands += 1
                if problem := run(command, folder, environment):
                    problems.append(f"{guide.name}: {command}: {problem}")
    return problems, commands


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("program", type=pathlib.Path)
    parser.add_argument("guides", type=pathlib.Path, nargs="+")
    arguments = parser.parse_args()
    environment = os.environ | {"PATH": f"{arguments.program.resolve().parent}:{os.environ['PATH']}"}
    problems, commands = [], 0
    for guide in arguments.guides:
        found, count = check(guide, environment)
        problems += found
        commands += count
    print("\n".join(problems) or f"guides: {commands} commands, no problem")
    return 1 if problems or commands == 0 else 0


if __name__ == "__main__":
    sys.exit(main())
