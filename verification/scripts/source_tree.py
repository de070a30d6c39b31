"""What the checks share: the C++ files of a tree, and their text without comments and strings."""

import os
import re
import subprocess
from pathlib import Path

LIBRARIES = ("physical", "modal", "engine", "io")  # each may use itself and those before it
FOLDERS = LIBRARIES + ("verification",)
CPP_SUFFIXES = (".cpp", ".hpp")


def default_root():
    return Path(__file__).resolve().parents[2]


def all_files(root):
    """Paths relative to root: what git knows or would add, or every file where git does not answer."""
    listed = subprocess.run(
        ["git", "-C", str(root), "ls-files", "-z", "--cached", "--others", "--exclude-standard"],
        capture_output=True, check=False) if (root / ".git").exists() else None
    if listed is not None and listed.returncode == 0:
        names = [os.fsdecode(name) for name in listed.stdout.split(b"\0") if name]
        return sorted(Path(name) for name in set(names) if (root / name).is_file())
    found = []
    for folder, subfolders, names in os.walk(root):
        subfolders[:] = [s for s in subfolders if not s.startswith(".") and s != "build"]
        found += [(Path(folder) / name).relative_to(root) for name in names]
    return sorted(found)


def cpp_files(root):
    return [path for path in all_files(root) if path.suffix in CPP_SUFFIXES]


TOKEN = re.compile(
    r"""//(?:\\\n|[^\n])*                                # comment to the end of the line
      | /\*.*?\*/                                        # comment
      | \bR"(?P<mark>[^()\\\s]{0,16})\(.*?\)(?P=mark)"   # raw string
      | "(?:\\.|[^"\\\n])*"                              # string
      | (?<![0-9a-fA-F])'(?:\\.|[^'\\\n])+'              # character, not a separator of digits
    """,
    re.VERBOSE | re.DOTALL)


def blanked(text, keep_strings=False):
    """The text, its comments (and strings) replaced by blanks, each line still in its place."""

    def replace(match):
        token = match.group(0)
        if keep_strings and not token.startswith("/"):
            return token
        return re.sub(r"[^\n]", " ", token)

    return TOKEN.sub(replace, text)
