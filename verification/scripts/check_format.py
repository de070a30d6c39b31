#!/usr/bin/env python3
"""Every C++ file is as clang-format 14 would write it. Skipped (77) where that version is absent.

Usage: check_format.py [--fix]
"""

import argparse
import re
import shutil
import subprocess
import sys

from source_tree import cpp_files, default_root

VERSION = "14"  # another one breaks lines elsewhere
SKIPPED = 77


def formatter():
    for name in (f"clang-format-{VERSION}", "clang-format"):
        program = shutil.which(name)
        if program:
            answer = subprocess.run([program, "--version"], capture_output=True, text=True, check=False).stdout
            if re.search(rf"version {VERSION}\.", answer):
                return program
    return None


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--fix", action="store_true", help="rewrite the files")
    options = parser.parse_args()
    program = formatter()
    if program is None:
        print(f"format: clang-format {VERSION} is not installed, skipped")
        return SKIPPED
    root = default_root()
    files = [str(path) for path in cpp_files(root)]
    if not files:
        return 0
    action = ["-i"] if options.fix else ["--dry-run", "-Werror"]
    return subprocess.run([program, *action, *files], cwd=root, check=False).returncode


if __name__ == "__main__":
    sys.exit(main())
