#!/usr/bin/env python3
"""Runs the fuzz targets of a build, each for some seconds, from a corpus of the files that tests read.

Usage: run_fuzz.py BUILD [--seconds N] [--only NAME ...] [--keep FOLDER] [--jobs N]

BUILD: a folder made with the preset `fuzz`. Exits with 1 where a target crashes, leaks, or takes more than 10 s or
2 GB for one input; the input lies in KEEP/NAME/ then (default: a temporary folder, which is left). Prints a line for
each: inputs tried, edges of the program that were reached, inputs kept.
"""

import argparse
import re
import shutil
import subprocess
import sys
import tempfile
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
VERIFICATION = ROOT / "verification"


def formulas():
    found = set()
    for deck in sorted((VERIFICATION / "cases").glob("*.toml")):
        found.update(re.findall(r'formula = "([^"]*)"', deck.read_text(encoding="utf-8")))
    return [formula.encode() for formula in sorted(found)]


def files(*patterns):
    return [path.read_bytes() for pattern in patterns for path in sorted(VERIFICATION.glob(pattern))
            if path.stat().st_size < 200_000]


def results(build):
    program = build / "ricochet"
    with tempfile.TemporaryDirectory() as folder:
        made = []
        for name in ("ladder-at-rest", "crushing-stop", "sdnd106-a"):
            target = Path(folder) / f"{name}.h5"
            subprocess.run([program, "run", VERIFICATION / "cases" / f"{name}.toml", "-q", "-o", target], check=False,
                           stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
            if target.exists():
                made.append(target.read_bytes())
        return made


SEEDS = {
    "deck": lambda build: files("cases/*.toml", "bad_decks/*.toml"),
    "formula": lambda build: formulas(),
    "mesh": lambda build: files("data/meshes/*.msh", "data/meshes/*.med"),
    "matrix": lambda build: [b"\0" + text for text in files("cases/*.mtx", "cases/*.pch", "cases/*.sti")],
    "table": lambda build: files("cases/*.csv", "data/*.csv"),
    "result": results,
}


def run_one(name, options, folder):
    corpus = folder / name
    corpus.mkdir(parents=True, exist_ok=True)
    seeds = SEEDS[name](options.build)
    longest = max([65536, *map(len, seeds)])
    for number, text in enumerate(seeds):
        (corpus / f"seed-{number}").write_bytes(text)
    found = subprocess.run(
        [options.build / "verification" / f"{name}_fuzz", f"-max_total_time={options.seconds}", "-timeout=10",
         "-rss_limit_mb=2048", f"-max_len={longest}", "-print_final_stats=1", f"-artifact_prefix={corpus}/", corpus],
        capture_output=True, text=True, errors="replace", check=False)
    edges = re.findall(r"cov: (\d+)", found.stderr)
    tried = re.search(r"stat::number_of_executed_units: (\d+)", found.stderr)
    line = (f"{name:8} {tried.group(1) if tried else '?':>9} inputs  {edges[-1] if edges else '?':>6} edges  "
            f"{len(list(corpus.iterdir())):>6} kept")
    if found.returncode == 0:
        return True, line
    return False, f"{line}  FAILED, exit status {found.returncode}\n{found.stderr[-3000:]}"


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("build", type=Path)
    parser.add_argument("--seconds", type=int, default=60, help="for each target (60)")
    parser.add_argument("--only", nargs="*", default=list(SEEDS), choices=list(SEEDS), metavar="NAME")
    parser.add_argument("--keep", type=Path, help="folder of the corpora; they are gone on with")
    parser.add_argument("--jobs", type=int, default=2)
    options = parser.parse_args()
    options.build = options.build.resolve()
    folder = options.keep or Path(tempfile.mkdtemp(prefix="fuzz-"))
    with ThreadPoolExecutor(options.jobs) as pool:
        outcomes = list(pool.map(lambda name: run_one(name, options, folder), options.only))
    for _, line in outcomes:
        print(line)
    if all(passed for passed, _ in outcomes):
        if not options.keep:
            shutil.rmtree(folder)
        return 0
    print(f"the inputs that fail: {folder}")
    return 1


if __name__ == "__main__":
    sys.exit(main())
