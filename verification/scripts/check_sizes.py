#!/usr/bin/env python3
"""A C++ file has at most 400 lines and a function at most 60, from its signature to its closing brace.

Functions are found by matching braces, not by parsing: a block is a function when parentheses stand
before its brace outside of any other function. size_exceptions.txt lists what may be longer.

Usage: check_sizes.py [--root FOLDER] | --self-test
"""

import argparse
import re
import sys
import tempfile
from pathlib import Path

from source_tree import blanked, cpp_files, default_root

FILE_LIMIT = 400
FUNCTION_LIMIT = 60
EXCEPTIONS = Path("verification/scripts/size_exceptions.txt")

# what opens a block that is not a function
NOT_A_FUNCTION = re.compile(r"^(template\s*<.*>\s*)?(namespace|struct|class|union|enum|extern|concept)\b", re.DOTALL)


def without_directives(code):
    """Preprocessor lines, with their continuations, replaced by blanks."""
    return re.sub(r"^[ \t]*#(?:\\\n|[^\n])*", lambda m: re.sub(r"[^\n]", " ", m.group(0)), code, flags=re.MULTILINE)


def name_of(header):
    match = re.search(r"(operator\s*\S+?|[~\w:]+)\s*\(", header)
    name = match.group(1) if match else "?"
    if name in ("TEST", "TEST_F", "TEST_P", "TYPED_TEST", "TYPED_TEST_P"):
        arguments = re.search(r"\(([^)]*)\)", header)
        return ".".join(part.strip() for part in arguments.group(1).split(",")) if arguments else name
    return name


def is_function(header):
    header = re.sub(r"\[\[.*?\]\]", "", header).strip()
    return "(" in header and not NOT_A_FUNCTION.match(header)


def functions(text):
    """(name, first line, last line) of each function."""
    code = without_directives(blanked(text))
    line = 1
    depth = 0           # of braces
    parentheses = 0     # of those since the header began
    opened_at = None    # depth at which the current function opened
    start, header = None, ""
    for position, character in enumerate(code):
        if character == "\n":
            line += 1
        if opened_at is None and character not in "{};" and not (start is None and character.isspace()):
            start = line if start is None else start
            header += character
            parentheses += (character == "(") - (character == ")")
        if character == "{":
            if opened_at is None and parentheses == 0:
                if is_function(header):
                    opened_at = depth
                else:
                    start, header = None, ""
            depth += 1
        elif character == "}":
            depth -= 1
            if opened_at == depth:
                opened_at = None
                # the brace of a member initializer is followed by the next one or by the body
                following = code[position + 1:].lstrip()[:1]
                if following in (",", "{") and following:
                    continue
                yield name_of(header), start, line
                start, header = None, ""
            elif opened_at is None and parentheses == 0:
                start, header = None, ""
        elif character == ";" and opened_at is None and parentheses == 0:
            start, header = None, ""
        elif character == ":" and header.strip() in ("public:", "private:", "protected:"):
            start, header = None, ""


def read_exceptions(root):
    """{path or path:function: limit}"""
    listed = {}
    path = root / EXCEPTIONS
    lines = path.read_text(encoding="utf-8").splitlines() if path.exists() else []
    for line in lines:
        words = line.split("#")[0].split()
        if words:
            listed[words[0]] = int(words[1])
    return listed


def problems(root):
    exceptions = read_exceptions(root)
    unused = set(exceptions)
    found = []

    def check(key, where, what, length, limit):
        if length > limit:
            unused.discard(key)
        if length > exceptions.get(key, limit):
            found.append(f"{where}: {what} has {length} lines, at most {exceptions.get(key, limit)} are allowed")

    for path in cpp_files(root):
        text = (root / path).read_text(encoding="utf-8")
        check(str(path), path, "file", len(text.splitlines()), FILE_LIMIT)
        for name, first, last in functions(text):
            check(f"{path}:{name}", f"{path}:{first}", name, last - first + 1, FUNCTION_LIMIT)
    found += [f"{EXCEPTIONS}: {key} needs no exception" for key in sorted(unused)]
    return found


def function_of(lines, signature="int f(int a)"):
    return "\n".join([signature + " {"] + ["  if (a) { g(a); }"] * (lines - 2) + ["}"]) + "\n"


LONG = FUNCTION_LIMIT + 1
SOUND = {
    "function.cpp": function_of(FUNCTION_LIMIT),
    "many.cpp": "namespace a {\n" + function_of(50) * 7 + "}\n",
    "class.hpp": "struct A {\n" + "  int f() { return 0; }\n" * 100 + "};\n",
    "table.cpp": "const int table[] = {\n" + "  1,\n" * 100 + "};\n",
    "file.cpp": "\n" * FILE_LIMIT,
    "text.cpp": 'const char* text = R"(\nint f() {\n' + "\n" * 100 + ')";\nint f() { return \'{\' + 1\'000; }\n',
    "listed.cpp": function_of(LONG, "int listed(int a)"),
    str(EXCEPTIONS): f"listed.cpp:listed {LONG}  # a reason\n",
}
FAULTS = {
    "function.cpp": function_of(LONG),
    "member.cpp": "namespace a {\nclass B {\n public:\n" + function_of(LONG) + "};\n}\n",
    "template.cpp": function_of(LONG, "template <class T>\n  requires(sizeof(T) > 1)\n[[nodiscard]] T f(T a) noexcept"),
    "constructor.cpp": function_of(LONG, "A::A(int a) : a_{a}, b_{(a)}, c_(a)"),
    "operator.cpp": function_of(LONG, "bool operator()(int a)"),
    "test.cpp": function_of(LONG, "TEST(Subject, Does)"),
    "lambda.cpp": function_of(LONG, "const auto f = [](int a)").replace("\n}\n", "\n};\n"),
    "file.cpp": "\n" * (FILE_LIMIT + 1),
    "listed.cpp": function_of(LONG + 1, "int listed(int a)"),
    str(EXCEPTIONS): f"listed.cpp:listed {LONG}\nunused.cpp 500\n",
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
            write(root, SOUND)
    return failures


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--root", type=Path, default=default_root())
    parser.add_argument("--self-test", action="store_true")
    options = parser.parse_args()
    found = self_test() if options.self_test else problems(options.root)
    print("\n".join(found) if found else "sizes: no problem")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
