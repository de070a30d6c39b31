#!/usr/bin/env python3
"""Installs a build into an empty prefix, then configures, builds and runs a project that finds it there.

Usage: check_install.py --build FOLDER --generator NAME --compiler PROGRAM --config NAME [--flags FLAGS]
"""

import argparse
import shutil
import subprocess
import sys
from pathlib import Path

from source_tree import default_root


def run(*command):
    print("+", *command, flush=True)
    subprocess.run([str(word) for word in command], check=True)


def check_content(prefix):
    names = [path.relative_to(prefix).as_posix() for path in prefix.rglob("*") if path.is_file()]
    stray = [name for name in names if "verification" in name or "gtest" in name or name.endswith("_test.hpp")]
    if stray:
        raise SystemExit(f"installed by mistake: {stray}")
    headers = [name for name in names if name.startswith("include/")]
    if any(name.startswith("include/ricochet/io/") for name in headers):
        raise SystemExit("headers of io are installed, and only those of a study should be")
    print(f"{len(headers)} headers")
    for pattern in ("include/ricochet/study.hpp", "include/ricochet/engine/study/run.hpp", "*/**/ricochet-config.cmake", "*/**/ricochet-config-version.cmake",
                    "*/**/ricochet.pc", "share/man/man1/ricochet-run.1", "share/ricochet/deck.schema.json"):
        if not any(prefix.glob(pattern)):
            raise SystemExit(f"not installed: {pattern}")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--build", type=Path, required=True)
    parser.add_argument("--generator", required=True)
    parser.add_argument("--compiler", required=True)
    parser.add_argument("--config", required=True)
    parser.add_argument("--flags", default="")
    options = parser.parse_args()

    place = options.build / "verification" / "install"
    shutil.rmtree(place, ignore_errors=True)
    prefix, consumer = place / "prefix", place / "consumer"

    run("cmake", "--install", options.build, "--prefix", prefix, "--config", options.config)
    check_content(prefix)
    program = prefix / "bin" / "ricochet"
    if program.exists():
        run(program, "--help")

    run("cmake", "-S", default_root() / "verification" / "install_consumer", "-B", consumer,
        "-G", options.generator, f"-DCMAKE_BUILD_TYPE={options.config}",
        f"-DCMAKE_CXX_COMPILER={options.compiler}", f"-DCMAKE_CXX_FLAGS={options.flags}",
        f"-DCMAKE_PREFIX_PATH={prefix}")
    run("cmake", "--build", consumer, "--config", options.config)
    run(consumer / "consumer")
    return 0


if __name__ == "__main__":
    sys.exit(main())
