"""Builds a copy of the sources with seeded faults in it, and runs its tests under one of them."""

import fnmatch
import json
import os
import re
import shutil
import signal
import subprocess
import tempfile
import time
from pathlib import Path

from seeded_fault import VARIABLE
from source_tree import all_files

FAILED = re.compile(r"\[  FAILED  \] ([\w/.]+)")
BEGUN = re.compile(r"\[ RUN      \] ([\w/.]+)")
FAILED_ENTRY = re.compile(r"^\s*\d+ - (\S+) \((.+)\)$", re.MULTILINE)
# those look at the text of the sources, or build what lies beside them
NOT_OF_THE_TIER = "^(source|install)$"

# A fault may make a loop endless, which fills the memory or the disk of who looks on.
GUARDED = 'ulimit -f 8388608; [ "$0" = 0 ] || ulimit -v "$0"; exec "$@"'
MOST_MEMORY = 24 << 20  # KiB of addresses


def copy_tree(root, place, texts):
    """Makes `place` a copy of the sources with these texts; what is as it was keeps its time: no new build of it."""
    names = [*all_files(root), *(path.relative_to(root) for path in (root / ".cmake").glob("*"))]
    wanted = {path.as_posix(): None for path in names} | texts
    for name, text in wanted.items():
        content = (root / name).read_bytes() if text is None else text.encode("utf-8")
        target = place / name
        if not target.is_file() or target.read_bytes() != content:
            target.parent.mkdir(parents=True, exist_ok=True)
            target.write_bytes(content)
            if text is None:
                shutil.copymode(root / name, target)
    for path in all_files(place):
        if path.as_posix() not in wanted:
            (place / path).unlink()


def run_limited(command, limit, memory=0, **options):
    """(exit status, output) of a command; the status is None where it took longer, and nothing of it goes on then."""
    with tempfile.TemporaryFile() as output:
        process = subprocess.Popen(["/bin/sh", "-c", GUARDED, str(memory), *map(str, command)],
                                   stdin=subprocess.DEVNULL, stdout=output, stderr=subprocess.STDOUT,
                                   start_new_session=True, **options)
        try:
            status = process.wait(limit)
        except subprocess.TimeoutExpired:
            status = None
        try:
            os.killpg(process.pid, signal.SIGKILL)  # the group that was started here, or what is left of it
        except ProcessLookupError:
            pass
        process.wait()
        output.seek(0)
        return status, output.read().decode("utf-8", errors="replace")


def inherited(presets, name, key):
    """A value of a preset, or of the first it inherits from that has one; of maps all entries together."""
    preset = presets[name]
    parents = preset.get("inherits", [])
    found = [inherited(presets, parent, key) for parent in ([parents] if isinstance(parents, str) else parents)]
    own = preset.get(key)
    if isinstance(own, dict) or any(isinstance(each, dict) for each in found):
        return {k: v for each in reversed(found) for k, v in (each or {}).items()} | (own or {})
    return own if own is not None else next((each for each in found if each is not None), None)


class Tier:
    """The tests that CI runs with a preset, in a copy of the tree."""

    def __init__(self, place, preset, limit):
        self.place = place
        self.preset = preset
        self.limit = limit  # s, of the tests that a fault names
        self.whole_limit = 7200.0  # s, of all of them
        described = json.loads((place / "CMakePresets.json").read_text(encoding="utf-8"))
        configure = {each["name"]: each for each in described["configurePresets"]}
        test = {each["name"]: each for each in described["testPresets"]}
        folder = inherited(configure, preset, "binaryDir")
        self.build = Path(folder.replace("${sourceDir}", str(place)).replace("${presetName}", preset))
        self.environment = inherited(test, preset, "environment") or {}
        self.tests = {}  # of each program

    def make(self):
        """Configures and builds the test programs, and lists their tests; None, or what went wrong."""
        # faults draw warnings
        problem = self.command(["cmake", "--preset", self.preset, "-DRICOCHET_WERROR=OFF"])
        problem = problem or self.compile()
        if problem:
            return problem
        for program in sorted((self.build / "verification").glob("*_tests")):
            if program.is_file() and os.access(program, os.X_OK):
                self.tests[program] = self.listed(program)
        return None if self.tests else f"there is no test program in {self.build / 'verification'}"

    def compile(self):
        """Builds what CI builds with the preset."""
        return self.command(["cmake", "--build", "--preset", self.preset, "--parallel", str(os.cpu_count())])

    def command(self, command):
        made = subprocess.run(command, cwd=self.place, capture_output=True, text=True, check=False)
        return None if made.returncode == 0 else (made.stdout + made.stderr)[-4000:]

    def sanitizes(self):
        cache = (self.build / "CMakeCache.txt").read_text(encoding="utf-8")
        kind = re.search(r"^CMAKE_BUILD_TYPE:\w+=(.*)$", cache, re.MULTILINE)
        names = ["CMAKE_CXX_FLAGS", f"CMAKE_CXX_FLAGS_{(kind.group(1) if kind else '').upper()}"]
        return any(re.search(rf"^{name}:\w+=.*fsanitize", cache, re.MULTILINE) for name in names)

    def listed(self, program):
        """Full names of the tests of a program."""
        names, suite = [], ""
        _, text = run_limited([program, "--gtest_list_tests"], 120, env=os.environ | self.environment)
        for line in text.splitlines():
            word = line.split("#")[0].rstrip()
            if line.startswith("  ") and suite:
                names.append(suite + word.strip())
            elif re.fullmatch(r"[\w/]+\.", word):
                suite = word
        return names

    def programs_for(self, hint):
        """[(program, filter)] of the tests that a hint names."""
        program, _, rest = hint.partition(":")
        named = [each for each in self.tests if each.name == program]
        pattern = rest if named else hint
        wanted, _, unwanted = pattern.partition("-")

        def matches(name):
            return (any(fnmatch.fnmatchcase(name, each) for each in wanted.split(":"))
                    and not any(fnmatch.fnmatchcase(name, each) for each in unwanted.split(":") if each))

        return [(each, pattern) for each in named or self.tests if any(map(matches, self.tests[each]))]

    def surroundings(self, number, folder):
        """The environment of a run: two of them at a time write their files apart."""
        env = {k: v for k, v in os.environ.items() if not k.startswith(("GTEST_", "RICOCHET_SEEDED"))}
        return env | self.environment | {VARIABLE: str(number), "TMPDIR": folder, "TEST_TMPDIR": folder}

    def memory(self):
        return 0 if self.sanitizes() else MOST_MEMORY

    def by_hint(self, hint, number, folder):
        """The first test that fails of those that a hint names; None where they pass."""
        env = self.surroundings(number, folder)
        for program, pattern in self.programs_for(hint):
            command = [program, f"--gtest_filter={pattern}", "--gtest_fail_fast"]
            options = {"limit": self.limit, "memory": self.memory(), "env": env, "cwd": self.build}
            status, text = run_limited([*command, "--gtest_brief=1"], **options)
            if status == 0:
                continue
            if status is None:
                return f"{pattern} (endless)"
            if failed := FAILED.search(text):
                return failed.group(1)
            # a program that broke down names the test that it was at only where it tells all of them
            _, text = run_limited(command, **options)
            begun = BEGUN.findall(text)
            return f"{begun[-1] if begun else program.name} (crash, exit status {status})"
        return None

    def whole(self, number, folder, share=1):
        """The first entry of the whole tier that fails; None where all pass."""
        cpus = max(1, (os.cpu_count() or 1) // share)
        command = ["ctest", "--preset", self.preset, "--stop-on-failure", "--parallel", str(cpus),
                   "--label-exclude", NOT_OF_THE_TIER]
        begin = time.monotonic()
        status, text = run_limited(command, self.whole_limit, self.memory(), env=self.surroundings(number, folder),
                                   cwd=self.place)
        if status == 0:
            if number == 0:
                self.whole_limit = 600.0 + 4.0 * share * (time.monotonic() - begin)
            return None
        if status is None:
            return "(endless)"
        failed, entry = FAILED.search(text), FAILED_ENTRY.search(text)
        if failed:
            return failed.group(1)
        return f"{entry.group(1)} ({entry.group(2)})" if entry else f"(ctest, exit status {status}): {text[-500:]}"

    def first_failure(self, fault, number, share):
        with tempfile.TemporaryDirectory(prefix="sf", ignore_cleanup_errors=True) as folder:
            return self.by_hint(fault.tests, number, folder) or self.whole(number, folder, share)
