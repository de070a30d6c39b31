"""What a seeded fault is, and how faults become part of a copy of the sources.

All faults are built at once, each behind a condition on a number that the program takes from its environment when it
starts: a build takes minutes, and a choice takes none.
"""

import re
from pathlib import Path
from typing import NamedTuple

VARIABLE = "RICOCHET_SEEDED_FAULT"
DECLARATION = "extern int ricochetSeededFault;  // NOLINT: a fault that is chosen when the program starts\n"

# Set before anything else is: what is initialised at the start of a program may be faulty too. It is no constant that
# would be initialised itself, or the sanitizer of addresses would find it used before.
DEFINITION_FILE = "physical/seeded_fault.cpp"
DEFINITION = f"""\
#include <cstdlib>

extern int ricochetSeededFault;
int ricochetSeededFault = 0;

namespace {{

__attribute__((constructor(101))) void chooseSeededFault() {{
  if (const char* number = std::getenv("{VARIABLE}")) ricochetSeededFault = std::atoi(number);
}}

}}  // namespace
"""

TEMPLATES = {
    "expression": "(@FAULT@ ? ({new}) : (@OLD@))",
    "statement": "{{ if (@FAULT@) {{ {new} }} else {{ @OLD@\n}} }}",
    "text": "{new}",
    "rebuild": "{new}",
}


class Fault(NamedTuple):
    """One mistake of a programmer.

    `old` occurs once in the file; where it has white space the file may have other white space. By kind, `new` is

        expression   of the same type as `old`, which is a whole operand: parentheses around it change nothing
        statement    whole statements like `old`, which declare nothing that is used later
        text         a replacement that says itself where the fault acts: @FAULT@ is the condition, @OLD@ the old text
        rebuild      a replacement for which the program has to be built anew: constants of the compiler

    `tests` are filters of gtest, apart by colons, of tests that are expected to find it; "program:" may stand before.
    `sanitizer` marks mistakes with memory that need a build with the sanitizers to be seen for certain.
    """

    name: str
    room: str
    file: str
    old: str
    new: str
    tests: str
    kind: str = "expression"
    sanitizer: bool = False


class Region(NamedTuple):
    start: int
    end: int
    template: str  # of what stands there instead, with @OLD@ for what stood there


class StaleFault(Exception):
    """A fault does not apply to the sources."""


def places_of(fault, text):
    """Where the old text is, as matches."""
    # the formatter may break the lines elsewhere
    return list(re.finditer(r"\s+".join(map(re.escape, fault.old.split())), text))


def region_of(fault, number, text):
    places = places_of(fault, text)
    if len(places) != 1:
        raise StaleFault(f"{fault.name}: its text is found {len(places)} times in {fault.file}")
    template = fault.new if fault.kind in ("text", "rebuild") else TEMPLATES[fault.kind].format(new=fault.new)
    condition = f"(::ricochetSeededFault == {number})"
    return Region(places[0].start(), places[0].end(), template.replace("@FAULT@", condition))


def rendered(text, start, end, regions):
    """text[start:end], its regions replaced; those that lie inside of another one are part of what stood there."""
    made = []
    at = start
    while regions:
        outer, rest = regions[0], regions[1:]
        inner = [region for region in rest if region.start < outer.end]
        for region in inner:
            if region.end > outer.end:
                raise StaleFault(f"two faults overlap at \"{text[region.start:outer.end]}\": let one hold the other")
        if inner and "@OLD@" not in outer.template:
            raise StaleFault(f"a fault hides another one in \"{text[outer.start:outer.end]}\"")
        old = rendered(text, outer.start, outer.end, inner) if "@OLD@" in outer.template else ""
        made += [text[at:outer.start], outer.template.replace("@OLD@", old)]
        at = outer.end
        regions = rest[len(inner):]
    return "".join(made) + text[at:end]


def faulty_text(text, numbered):
    """The text of a file with (number, fault) in it."""
    regions = [region_of(fault, number, text) for number, fault in numbered]
    regions.sort(key=lambda region: (region.start, -region.end))
    return DECLARATION + rendered(text, 0, len(text), regions)


def faulty_files(root, faults, rebuilt=None):
    """{file: text} with all faults that can be chosen, and the one of kind `rebuild` that has this number."""
    by_file = {}
    for number, fault in enumerate(faults, start=1):
        if fault.kind != "rebuild" or number == rebuilt:
            by_file.setdefault(fault.file, []).append((number, fault))
    texts = {file: faulty_text((Path(root) / file).read_text(encoding="utf-8"), numbered)
             for file, numbered in by_file.items()}
    texts[DEFINITION_FILE] = DEFINITION
    return texts


def stale_faults(root, faults):
    """What keeps faults from applying to these sources, a line for each."""
    problems = []
    names = [fault.name for fault in faults]
    problems += [f"{name}: two faults have this name" for name in sorted({n for n in names if names.count(n) > 1})]
    sound = []
    for fault in faults:
        path = Path(root) / fault.file
        count = len(places_of(fault, path.read_text(encoding="utf-8"))) if path.is_file() else None
        if count is None:
            problems.append(f"{fault.name}: there is no {fault.file}")
        elif count != 1:
            problems.append(f"{fault.name}: its text is found {count} times in {fault.file}")
        elif fault.kind not in TEMPLATES:
            problems.append(f"{fault.name}: there is no kind {fault.kind}")
        else:
            sound.append(fault)
    try:
        faulty_files(root, sound)
        for number, fault in enumerate(sound, start=1):
            if fault.kind == "rebuild":
                faulty_files(root, sound, number)
    except StaleFault as problem:
        problems.append(str(problem))
    return problems
