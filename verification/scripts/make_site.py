#!/usr/bin/python3
"""Makes the site: one folder of pages that open without a server.

README, guides, the manual with its pictures, the lists of keys, commands, quantities and datasets, and a gallery: the
decks of `ricochet new`, each run, drawn and told in a page of `ricochet report`.

    verification/scripts/make_site.py build/release/ricochet site
"""
import argparse
import html
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

import markdown

ROOT = pathlib.Path(__file__).resolve().parents[2]
TEXTS = {  # page of the site -> its text in the tree
    "index": "README.md",
    "commands": "io/app/COMMANDS.md",
    "keys": "io/deck/KEYS.md",
    "quantities": "io/quantities/QUANTITIES.md",
    "result": "io/result/LAYOUT.md",
    "formats": "io/formats/FORMATS.md",
    "trust": "io/TRUST.md",
    "changes": "CHANGELOG.md",
}
STYLE = """
:root { color-scheme: light dark; }
body { margin: 0 auto; max-width: 62rem; padding: 1rem; font: 1rem/1.55 system-ui, sans-serif; }
nav { display: flex; flex-wrap: wrap; gap: 0.3rem 1rem; padding-bottom: 0.6rem; border-bottom: 1px solid #8888; }
pre { overflow-x: auto; padding: 0.7rem; background: #8881; border-radius: 0.4rem; }
code { font-size: 0.92em; }
table { border-collapse: collapse; display: block; overflow-x: auto; }
th, td { border: 1px solid #8886; padding: 0.25rem 0.6rem; text-align: left; vertical-align: top; }
img { max-width: 100%; background: white; }
.gallery { display: grid; grid-template-columns: repeat(auto-fill, minmax(17rem, 1fr)); gap: 1rem; }
.gallery a { text-decoration: none; color: inherit; border: 1px solid #8886; border-radius: 0.4rem; padding: 0.6rem; }
"""


def run(program, *arguments, folder):
    done = subprocess.run([program, *arguments], cwd=folder, text=True, capture_output=True, check=False)
    if done.returncode != 0:
        raise SystemExit(f"ricochet {' '.join(map(str, arguments))}: exit status {done.returncode}\n"
                         f"{done.stdout}{done.stderr}")
    return done.stdout


def title_of(text, otherwise):
    found = re.search(r"^# (.+)$", text, re.MULTILINE)
    return found.group(1) if found else otherwise


class Site:
    def __init__(self, program, folder):
        self.program = program.resolve()
        self.folder = folder.resolve()
        self.guides = sorted((ROOT / "io/app/manual/guides").glob("*.md"),
                             key=lambda guide: (guide.stem != "tutorial", guide.stem))

    def navigation(self, depth):
        up = "../" * depth
        pages = [("index", "ricochet"), *((guide.stem, title_of(guide.read_text(), guide.stem)) for guide in self.guides),
                 ("gallery", "Examples"), ("manual/index", "Manual")]
        pages += [(name, title_of((ROOT / text).read_text(), name)) for name, text in TEXTS.items() if name != "index"]
        return "<nav>" + "".join(f'<a href="{up}{name}.html">{html.escape(title)}</a>' for name, title in pages) + "</nav>"

    def write(self, name, title, body):
        target = self.folder / f"{name}.html"
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_text(f'<!doctype html><html lang="en"><head><meta charset="utf-8">'
                          f'<meta name="viewport" content="width=device-width, initial-scale=1">'
                          f"<title>{html.escape(title)}</title><style>{STYLE}</style></head>"
                          f"<body>{self.navigation(name.count('/'))}<main>{body}</main></body></html>")

    def write_markdown(self, name, text):
        text = re.sub(r"^(```\w*)[^\n`]*$", r"\1", text, flags=re.MULTILINE)  # what follows the language is for tests
        body = markdown.markdown(text, extensions=["tables", "fenced_code"])
        self.write(name, title_of(text, name), self.with_links(body, name))

    def with_links(self, body, name):
        """Links between texts of the tree become links between pages; pictures of the tree are copied."""
        source = (ROOT / TEXTS[name]).parent if name in TEXTS else None

        def target_of(match):
            attribute, link = match.groups()
            if re.match(r"[a-z]+:|#", link):
                return match.group(0)
            path, _, anchor = link.partition("#")
            if source is None:
                is_guide = path.removesuffix(".md") in {guide.stem for guide in self.guides}  # a page beside the folder
                up = "../" * name.count("/") if is_guide else ""
                return f'{attribute}="{up}{re.sub(r"[.]md$", ".html", path)}"'
            found = (source / path).resolve()
            for page, text in TEXTS.items():
                if found == (ROOT / text).resolve():
                    return f'{attribute}="{page}.html{"#" + anchor if anchor else ""}"'
            if found.parent == ROOT / "io/app/manual/guides":
                return f'{attribute}="{found.stem}.html"'
            if attribute == "src" and found.is_file():
                shutil.copy(found, self.folder / found.name)
                return f'src="{found.name}"'
            return f'{attribute}="#"'

        return re.sub(r'(href|src)="([^"]*)"', target_of, body)

    def make_manual(self):
        with tempfile.TemporaryDirectory() as folder:
            run(self.program, "manual", "-o", folder, folder=folder)
            (self.folder / "manual").mkdir(parents=True, exist_ok=True)
            told = {guide.stem for guide in self.guides}
            for each in pathlib.Path(folder).rglob("*"):
                if each.stem in told:
                    continue  # a page of its own
                if each.suffix == ".md":
                    name = "index" if each.stem.lower() in ("index", "readme") else each.stem
                    self.write_markdown(f"manual/{name}", each.read_text())
                elif each.is_file():
                    shutil.copy(each, self.folder / "manual" / each.name)

    def make_gallery(self):
        folder = self.folder / "examples"
        folder.mkdir(parents=True, exist_ok=True)
        cards = []
        for deck in sorted((ROOT / "verification/cases/examples").glob("*.toml")):
            result = folder / f"{deck.stem}.h5"
            run(self.program, "run", deck, "-q", "-o", result, "--force", folder=folder)
            run(self.program, "plot", result, "-o", folder / f"{deck.stem}.svg", "--force", folder=folder)
            run(self.program, "report", result, "-o", folder / f"{deck.stem}.html", "--force", folder=folder)
            result.unlink()
            shutil.copy(deck, folder)
            subject = deck.read_text().splitlines()[0].lstrip("# ")
            cards.append(f'<a href="examples/{deck.stem}.html"><img alt="" src="examples/{deck.stem}.svg">'
                         f"<b>{html.escape(deck.stem)}</b><br>{html.escape(subject)}</a>")
        self.write("gallery", "Examples", "<h1>Examples</h1><p>Each is a deck that <code>ricochet new NAME</code> writes; "
                   f'a click opens its report.</p><div class="gallery">{"".join(cards)}</div>')

    def make(self):
        self.folder.mkdir(parents=True, exist_ok=True)
        for name, text in TEXTS.items():
            self.write_markdown(name, (ROOT / text).read_text())
        for guide in self.guides:
            self.write_markdown(guide.stem, guide.read_text())
        self.make_manual()
        self.make_gallery()


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("program", type=pathlib.Path)
    parser.add_argument("folder", type=pathlib.Path)
    arguments = parser.parse_args()
    Site(arguments.program, arguments.folder).make()
    print(arguments.folder / "index.html")
    return 0


if __name__ == "__main__":
    sys.exit(main())
