#!/usr/bin/env python3
"""Puts known faults into the engine, one at a time, and requires that a test fails for each.

Copies the sources (tracked and untracked, not ignored) to a temporary folder, builds there the unit and conformance
tests that need no more than the engine, checks that they pass, then for each fault: edit, build, run until the first
failure, put back. Prints a table fault -> first failing test. Exits with 1 when a fault survives, and with 2 when one no
longer applies to the sources (its text has changed: update the list) or the unchanged sources fail.

Run by hand, before a release and when tests or the engine's loop have changed. Not part of CTest: a fault in a header
rebuilds nearly everything, about a minute each.

Usage: seeded_faults.py [--only WORD ...] [--keep FOLDER] [--jobs N] [--list]
"""

import argparse
import re
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

from fault_list import FAULTS
from source_tree import default_root

TIME_LIMIT = 600  # s; a fault may make a loop endless
INCLUDE = re.compile(r'^#include "([^"]+)"', re.MULTILINE)

CMAKE = """\
cmake_minimum_required(VERSION 3.25)
project(ricochet VERSION 0.0.0 LANGUAGES CXX)
list(APPEND CMAKE_MODULE_PATH "${PROJECT_SOURCE_DIR}/.cmake")
set(RICOCHET_WERROR OFF)
set(RICOCHET_VERIFY_HEADERS OFF)
include(RicochetWarnings)
include(RicochetLibrary)
add_subdirectory(physical)
add_subdirectory(modal)
add_subdirectory(engine)
find_package(GTest REQUIRED)
add_executable(tests @TESTS@)
target_link_libraries(tests PRIVATE ricochet::engine GTest::gtest_main)
target_precompile_headers(tests PRIVATE <gtest/gtest.h> <Eigen/Core> <vector> <string>)
"""


def copy_sources(root, place):
    names = subprocess.run(["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"], cwd=root,
                           capture_output=True, check=True).stdout.decode().split("\0")
    for name in filter(None, names):
        if (root / name).is_file():
            (place / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy2(root / name, place / name)


def folders_seen_by(place, path, seen):
    """Folders of the headers that a source includes, directly or not."""
    for header in INCLUDE.findall((place / path).read_text(encoding="utf-8")):
        if header not in seen:
            seen.add(header)
            if (place / header).is_file():
                folders_seen_by(place, header, seen)
    return {header.split("/")[0] for header in seen}


def is_about_the_engine(place, path):
    """Whether a source sees engine/ and not io/, which takes long to build."""
    folders = folders_seen_by(place, path, set())
    return "io" not in folders and ("engine" in folders or "/support/" in path)


def prepare(place, build):
    sources = []
    for pattern in ("verification/support/*.cpp", "verification/*_test.cpp", "verification/conformance/*_test.cpp"):
        names = sorted(path.relative_to(place).as_posix() for path in place.glob(pattern))
        sources += [name for name in names if is_about_the_engine(place, name)]
    (place / "CMakeLists.txt").write_text(CMAKE.replace("@TESTS@", " ".join(sources)), encoding="utf-8")
    subprocess.run(["cmake", "-S", place, "-B", build, "-G", "Ninja", "-DCMAKE_BUILD_TYPE=None",
                    "-DCMAKE_CXX_FLAGS=-O1"], check=True, capture_output=True)


def first_failure(build, jobs):
    """Name of the first test that fails, a word for what else went wrong, or None when all pass."""
    made = subprocess.run(["cmake", "--build", build, "--target", "tests", "-j", str(jobs)], capture_output=True,
                          text=True, check=False)
    if made.returncode != 0:
        print(made.stdout[-3000:])
        return "(does not compile)"
    try:
        run = subprocess.run([build / "tests", "--gtest_fail_fast", "--gtest_brief=1"], capture_output=True, text=True,
                             timeout=TIME_LIMIT, check=False)
    except subprocess.TimeoutExpired:
        return "(endless)"
    failed = re.search(r"\[  FAILED  \] ([\w/.]+)", run.stdout)
    if failed:
        return failed.group(1)
    return None if run.returncode == 0 else f"(crash, exit status {run.returncode})"


def try_fault(fault, place, build, jobs):
    path = place / fault.file
    sound = path.read_text(encoding="utf-8")
    # the formatter may break the lines elsewhere
    places = list(re.finditer(r"\s+".join(map(re.escape, fault.old.split())), sound))
    if len(places) != 1:
        return f"(text found {len(places)} times)"
    path.write_text(sound[: places[0].start()] + fault.new + sound[places[0].end() :], encoding="utf-8")
    try:
        return first_failure(build, jobs)
    finally:
        path.write_text(sound, encoding="utf-8")


def run_all(faults, place, build, jobs):
    survivors, stale = [], []
    for fault in faults:
        outcome = try_fault(fault, place, build, jobs)
        print(f"{fault.name:58} {outcome or 'SURVIVES'}", flush=True)
        if outcome is None:
            survivors.append(fault.name)
        elif outcome.startswith(("(text", "(does not")):
            stale.append(fault.name)
    print(f"{len(faults)} faults, {len(survivors)} survive, {len(stale)} do not apply")
    return 1 if survivors else 2 if stale else 0


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--only", nargs="*", default=[""], help="faults whose name contains one of these")
    parser.add_argument("--keep", type=Path, help="work here and leave it, instead of a temporary folder")
    parser.add_argument("--jobs", type=int, default=1)
    parser.add_argument("--list", action="store_true", help="print the faults and stop")
    options = parser.parse_args()
    faults = [fault for fault in FAULTS if any(word in fault.name for word in options.only)]
    if options.list:
        print("\n".join(fault.name for fault in faults))
        return 0
    with tempfile.TemporaryDirectory() as name:
        folder = options.keep or Path(name)
        place, build = folder / "source", folder / "build"
        place.mkdir(parents=True, exist_ok=True)
        copy_sources(default_root(), place)
        prepare(place, build)
        sound = first_failure(build, options.jobs)
        if sound is not None:
            print(f"the unchanged sources fail: {sound}")
            return 2
        return run_all(faults, place, build, options.jobs)


if __name__ == "__main__":
    sys.exit(main())
