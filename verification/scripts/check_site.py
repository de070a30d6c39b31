#!/usr/bin/env python3
"""Makes the site and looks at it: every page is there, and every link and picture leads to a file of it.

By hand: exit status 77 unless RICOCHET_FULL is set, or where python3-markdown or gnuplot is missing.

Usage: check_site.py --program RICOCHET
"""

import argparse
import html
import os
import re
import shutil
import subprocess
import sys
import tempfile
import urllib.parse
from pathlib import Path

from source_tree import default_root

PAGES = ("index", "tutorial", "schemes", "from-calculix", "gallery", "commands", "keys", "manual/index", "manual/table-beams",
         "manual/normal-hertz", "examples/tube")


def broken_links(page, folder):
    """Links of a page to files that are not there; '#' alone stands for a file of the tree that has no page."""
    text = re.sub(r"<script.*?</script>", "", page.read_text(encoding="utf-8"), flags=re.DOTALL)
    for link in re.findall(r'(?:href|src)="([^"]*)"', text):
        path = urllib.parse.unquote(html.unescape(link)).partition("#")[0]
        if path and not re.match(r"[a-z]+:", path) and not (page.parent / path).resolve().is_file():
            yield f"{page.relative_to(folder)}: {link} leads nowhere"


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--program", type=Path, required=True)
    options = parser.parse_args()
    has_markdown = subprocess.run([sys.executable, "-c", "import markdown"], capture_output=True, check=False).returncode == 0
    if "RICOCHET_FULL" not in os.environ or not has_markdown or not shutil.which("gnuplot"):
        print("skipped: RICOCHET_FULL is not set, or python3-markdown or gnuplot is missing")
        return 77
    with tempfile.TemporaryDirectory() as scratch:
        folder = Path(scratch) / "site"
        script = default_root() / "verification/scripts/make_site.py"
        for _ in range(2):  # again over itself
            subprocess.run([sys.executable, "-B", script, options.program, folder], check=True)
        failures = [f"there is no page {name}" for name in PAGES if not (folder / f"{name}.html").is_file()]
        pages = sorted(folder.rglob("*.html"))
        for page in pages:
            failures += broken_links(page, folder)
        cards = (folder / "gallery.html").read_text(encoding="utf-8").count('href="examples/')
        decks = len(list((default_root() / "verification/cases/examples").glob("*.toml")))
        if cards != decks:
            failures.append(f"the gallery shows {cards} of {decks} examples")
    print(*failures, f"{len(pages)} pages", sep="\n")
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
