#!/usr/bin/env python3
"""Checks the rules of the house that the compiler cannot see.

  - physical -> modal -> engine -> io: a folder includes itself and those before it
  - Spectra in modal/ alone; HDF5, TOML, command line and digests in io/ alone
  - project headers are included from the root of the tree
  - every header has #pragma once, none has `using namespace`
  - names of C++ files are snake_case; no top-level folder but those of the house

Usage: check_architecture.py [--root FOLDER] | --self-test
"""

import argparse
import re
import sys
import tempfile
from pathlib import Path

from source_tree import FOLDERS, LIBRARIES, all_files, blanked, cpp_files, default_root

INCLUDE = re.compile(r'^[ \t]*#[ \t]*include[ \t]*(["<])([^">\n]+)[">]', re.MULTILINE)
SNAKE_CASE = re.compile(r"[a-z0-9]+(_[a-z0-9]+)*$")

# header (as included) -> the only library folder that may include it
RESERVED = [
    (re.compile(r"Spectra/"), "modal"),
    (re.compile(r"(hdf5|H5)[\w/]*\.h"), "io"),
    (re.compile(r"toml\+\+/"), "io"),
    (re.compile(r"CLI/"), "io"),
    (re.compile(r"openssl/"), "io"),
]


def line_of(text, offset):
    return text.count("\n", 0, offset) + 1


def include_problem(folder, quote, header):
    """What is wrong with an include found in a folder, or None."""
    target = header.split("/")[0]
    if quote == '"' and ("/" not in header or target not in FOLDERS):
        return f'"{header}": project headers are included from the root ("folder/file.hpp"), others as <...>'
    if folder not in LIBRARIES:
        return None
    if target == "verification" or (target in LIBRARIES and LIBRARIES.index(target) > LIBRARIES.index(folder)):
        return f"{folder}/ must not use {target}/ ({header})"
    for pattern, owner in RESERVED:
        if pattern.match(header) and folder != owner:
            return f"<{header}> belongs to {owner}/ alone"
    return None


def file_problems(root, path):
    text = (root / path).read_text(encoding="utf-8")
    code = blanked(text)
    for match in INCLUDE.finditer(blanked(text, keep_strings=True)):
        problem = include_problem(path.parts[0], match.group(1), match.group(2))
        if problem:
            yield line_of(text, match.start()), problem
    if path.suffix == ".hpp":
        if not re.search(r"^#pragma once$", code, re.MULTILINE):
            yield 1, "header without #pragma once"
        for match in re.finditer(r"\busing\s+namespace\b", code):
            yield line_of(text, match.start()), "`using namespace` in a header"
    if not SNAKE_CASE.match(path.stem):
        yield 1, "file name is not snake_case"


def problems(root):
    found = []
    for path in all_files(root):
        if len(path.parts) > 1 and path.parts[0] not in FOLDERS and not path.parts[0].startswith("."):
            found.append(f"{path}: top-level folder {path.parts[0]}/ is not one of the house")
    for path in cpp_files(root):
        found += [f"{path}:{line}: {problem}" for line, problem in file_problems(root, path)]
    return found


# files of a sound tree, and for each fault one file that must be refused
SOUND = {
    "physical/a.hpp": "#pragma once\n#include <Eigen/Core>\n",
    "modal/solver.cpp": '#include "physical/a.hpp"\n#include <Spectra/SymEigsSolver.h>\n',
    "engine/b.hpp": '#pragma once\n// using namespace std; #include "io/c.hpp"\n#include "modal/a.hpp"\n',
    "io/c.hpp": '#pragma once\n#include "engine/b.hpp"\n#include <hdf5.h>\n#include <toml++/toml.h>\n',
    "io/c.cpp": 'const char* s = "using namespace std;";\nusing namespace std;\n#include <CLI/CLI.hpp>\n',
    "verification/c_test.cpp": '#include "io/c.hpp"\n#include <hdf5.h>\n',
}
FAULTS = {
    "physical/uses_later.hpp": '#pragma once\n#include "modal/a.hpp"\n',
    "modal/uses_later.cpp": '#include "engine/b.hpp"\n',
    "engine/uses_later.cpp": '  #  include "io/c.hpp"\n',
    "engine/uses_in_brackets.cpp": "#include <io/c.hpp>\n",
    "io/uses_tests.cpp": '#include "verification/support/a.hpp"\n',
    "engine/eigen_solver.cpp": "#include <Spectra/SymEigsSolver.h>\n",
    "engine/file.cpp": "#include <hdf5.h>\n",
    "modal/file.cpp": "#include <H5Cpp.h>\n",
    "engine/deck.cpp": "#include <toml++/toml.h>\n",
    "physical/arguments.cpp": "#include <CLI/CLI.hpp>\n",
    "engine/relative.cpp": '#include "../physical/a.hpp"\n',
    "engine/beside.cpp": '#include "b.hpp"\n',
    "io/twice.hpp": "// #pragma once\n",
    "io/spill.hpp": "#pragma once\nusing namespace std;\n",
    "io/CamelCase.cpp": "\n",
    "utilities/a.cpp": "\n",
}


def write(root, files):
    for name, text in files.items():
        path = root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")


def self_test():
    failures = []
    with tempfile.TemporaryDirectory() as folder:
        root = Path(folder)
        write(root, SOUND)
        failures += [f"a sound tree is refused: {problem}" for problem in problems(root)]
        for name, text in FAULTS.items():
            write(root, {name: text})
            found = problems(root)
            if len(found) != 1 or not found[0].startswith(name):
                failures.append(f"{name}: expected one problem in this file, found {found}")
            (root / name).unlink()
    return failures


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--root", type=Path, default=default_root())
    parser.add_argument("--self-test", action="store_true")
    options = parser.parse_args()
    found = self_test() if options.self_test else problems(options.root)
    print("\n".join(found) if found else "architecture: no problem")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
