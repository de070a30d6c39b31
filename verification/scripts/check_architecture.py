#!/usr/bin/env python3
"""Checks the rules of the house that the compiler cannot see.

  - rooms.txt lists every folder of the product and the rooms that it may include besides itself; a room names only
    rooms above it in the list, so that there is no circle, and an arrow that no include needs is a fault too
  - a room has at most 40 files, and a README.md of at most 40 lines that names the same arrows
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
from collections import Counter
from pathlib import Path

from source_tree import CPP_SUFFIXES, FOLDERS, LIBRARIES, all_files, blanked, cpp_files, default_root

INCLUDE = re.compile(r'^[ \t]*#[ \t]*include[ \t]*(["<])([^">\n]+)[">]', re.MULTILINE)
SNAKE_CASE = re.compile(r"[a-z0-9]+(_[a-z0-9]+)*$")

# header (as included) -> the only library folder that may include it
RESERVED = [
    (re.compile(r"Spectra/"), "modal"),
    (re.compile(r"(hdf5|H5)[\w/]*\.h"), "io"),
    (re.compile(r"toml\+\+/"), "io"),
    (re.compile(r"CLI/"), "io"),
    (re.compile(r"openssl/"), "io"),
    (re.compile(r"zlib\.h"), "io"),
]


ROOMS = Path("verification/scripts/rooms.txt")
MOST_FILES = 40
MOST_LINES = 40  # of the README of a room


def rooms_of(root):
    """Room -> rooms that it may include, in the order of the list."""
    rooms = {}
    for line in (root / ROOMS).read_text(encoding="utf-8").splitlines():
        if line and not line.startswith("#"):
            name, arrows = line.split(":")
            rooms[name] = arrows.split()
    return rooms


def list_problems(rooms):
    """Rooms that point to themselves or to rooms that do not stand above them."""
    above = set()
    for name, arrows in rooms.items():
        for target in arrows:
            if target not in above:
                yield f"{ROOMS}: {name} points to {target}, which does not stand above it"
        above.add(name)


def readme_problems(root, name, arrows):
    readme = Path(name) / "README.md"
    if not (root / readme).is_file():
        yield f"{readme}: is not there: what lives in the room, what to read first, the formulas"
        return
    lines = (root / readme).read_text(encoding="utf-8").splitlines()
    if len(lines) > MOST_LINES:
        yield f"{readme}: has {len(lines)} lines, and may have {MOST_LINES}"
    expected = f"May include: {', '.join(arrows) if arrows else 'no other room'}."
    if expected not in lines:
        yield f"{readme}: lacks the line \"{expected}\""


def room_problems(root, paths):
    """What is wrong with the rooms themselves; `paths` are all files."""
    rooms = rooms_of(root)
    yield from list_problems(rooms)
    files = Counter(str(path.parent) for path in paths if path.parts[0] in LIBRARIES and len(path.parts) > 1)
    sources = {str(path.parent) for path in paths if path.suffix in CPP_SUFFIXES and path.parts[0] in LIBRARIES}
    for name in sorted(sources - set(rooms)):
        yield f"{ROOMS}: the folder {name} is no room"
    used = {name: set() for name in rooms}
    for path in paths:
        if path.suffix in CPP_SUFFIXES and str(path.parent) in rooms:
            text = blanked((root / path).read_text(encoding="utf-8"), keep_strings=True)
            used[str(path.parent)] |= {str(Path(match.group(2)).parent) for match in INCLUDE.finditer(text)}
    for name, arrows in rooms.items():
        if files[name] > MOST_FILES:
            yield f"{name}: has {files[name]} files, and may have {MOST_FILES}"
        for target in arrows:
            if target not in used[name]:
                yield f"{ROOMS}: {name} does not use {target}"
        yield from readme_problems(root, name, arrows)


def line_of(text, offset):
    return text.count("\n", 0, offset) + 1


def include_problem(path, quote, header, rooms):
    """What is wrong with an include found in a file, or None."""
    folder, room = path.parts[0], str(path.parent)
    target = header.split("/")[0]
    if quote == '"' and ("/" not in header or target not in FOLDERS):
        return f'"{header}": project headers are included from the root ("folder/file.hpp"), others as <...>'
    if folder not in LIBRARIES:
        return None
    if target == "verification" or (target in LIBRARIES and LIBRARIES.index(target) > LIBRARIES.index(folder)):
        return f"{folder}/ must not use {target}/ ({header})"
    other = str(Path(header).parent)
    if quote == '"' and room in rooms and other != room and other not in rooms[room]:
        return f"{room}/ must not use {other}/ ({header}): {ROOMS} has no such arrow"
    for pattern, owner in RESERVED:
        if pattern.match(header) and folder != owner:
            return f"<{header}> belongs to {owner}/ alone"
    return None


def file_problems(root, path, rooms):
    text = (root / path).read_text(encoding="utf-8")
    code = blanked(text)
    for match in INCLUDE.finditer(blanked(text, keep_strings=True)):
        problem = include_problem(path, match.group(1), match.group(2), rooms)
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
    rooms = rooms_of(root)
    found = list(room_problems(root, all_files(root)))
    for path in all_files(root):
        if len(path.parts) > 1 and path.parts[0] not in FOLDERS and not path.parts[0].startswith("."):
            found.append(f"{path}: top-level folder {path.parts[0]}/ is not one of the house")
    for path in cpp_files(root):
        found += [f"{path}:{line}: {problem}" for line, problem in file_problems(root, path, rooms)]
    return found


# files of a sound tree, and for each fault one file that must be refused
SOUND = {
    str(ROOMS): "# rooms\nphysical:\nphysical/parts: physical\nmodal: physical\nengine: modal\nio: engine\n",
    "physical/README.md": "May include: no other room.\n",
    "physical/parts/README.md": "May include: physical.\n",
    "modal/README.md": "May include: physical.\n",
    "engine/README.md": "May include: modal.\n",
    "io/README.md": "May include: engine.\n",
    "physical/a.hpp": "#pragma once\n#include <Eigen/Core>\n",
    "physical/parts/b.hpp": '#pragma once\n#include "physical/a.hpp"\n',
    "modal/a.hpp": "#pragma once\n",
    "modal/solver.cpp": '#include "physical/a.hpp"\n#include <Spectra/SymEigsSolver.h>\n',
    "engine/b.hpp": '#pragma once\n// using namespace std; #include "io/c.hpp"\n#include "modal/a.hpp"\n',
    "io/c.hpp": '#pragma once\n#include "engine/b.hpp"\n#include <hdf5.h>\n#include <toml++/toml.h>\n',
    "io/c.cpp": 'const char* s = "using namespace std;";\nusing namespace std;\n#include <CLI/CLI.hpp>\n',
    "verification/c_test.cpp": '#include "io/c.hpp"\n#include <hdf5.h>\n',
}
FAULTS = {
    "physical/uses_later.hpp": '#pragma once\n#include "modal/a.hpp"\n',
    "physical/uses_below.hpp": '#pragma once\n#include "physical/parts/b.hpp"\n',
    "modal/uses_without_arrow.cpp": '#include "physical/parts/b.hpp"\n',
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
# what replaces a file of the sound tree, and the beginning of the one problem that it makes
CHANGES = [
    (str(ROOMS), "physical:\nphysical/parts: physical\nmodal: physical\nengine: modal\n", f"{ROOMS}: the folder io"),
    (str(ROOMS), SOUND[str(ROOMS)] + "engine/none: io\n", f"{ROOMS}: engine/none does not use io"),
    ("io/README.md", "May include: engine, modal.\n", "io/README.md: lacks"),
    ("io/README.md", "May include: engine.\n" + 40 * "\n", "io/README.md: has 41 lines"),
    ("engine/b.hpp", "#pragma once\n", f"{ROOMS}: engine does not use modal"),
]


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
        for name, text, beginning in CHANGES:
            write(root, {name: text})
            found = problems(root)
            if not any(problem.startswith(beginning) for problem in found):
                failures.append(f"{name} changed: expected {beginning}, found {found}")
            write(root, SOUND)
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
