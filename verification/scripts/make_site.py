#!/usr/bin/env python3
"""Writes a site: README, guides, a page and pictures for each deck to start from, and the manual, as HTML.

Every deck is run and verified, and the plot commands of its head are executed: a page shows what a reader would see.

Usage: make_site.py --program RICOCHET --output FOLDER        (needs python3-markdown and gnuplot)
"""

import argparse
import html
import re
import shlex
import shutil
import subprocess
import sys
from pathlib import Path

from source_tree import default_root

try:
    import markdown
except ImportError:
    sys.exit("there is no python3-markdown: apt-get install python3-markdown")

STYLE = """body { font: 16px/1.5 sans-serif; max-width: 60rem; margin: auto; padding: 1rem; color: #222; background: #fff }
pre { background: #f4f4f4; padding: .7rem; overflow-x: auto } code { font-size: 90% }
table { border-collapse: collapse } td, th { border: 1px solid #bbb; padding: .2rem .5rem; vertical-align: top }
img { max-width: 100% }
@media (prefers-color-scheme: dark) { body { color: #ddd; background: #181818 } pre { background: #262626 }
a { color: #8bf } img { background: #fff } }"""

GUIDES = {"tutorial": "From a mass and a stop to a tube bundle", "which-scheme": "Which scheme to take",
          "from-dyna-vibra": "Coming from DYNA_VIBRA", "from-calculix": "Coming from CalculiX",
          "from-matlab": "Coming from MATLAB scripts"}


class Site:
    def __init__(self, program, output):
        self.program, self.output, self.root = program.resolve(), output, default_root()
        shutil.rmtree(output, ignore_errors=True)
        (output / "manual").mkdir(parents=True)
        (output / "examples").mkdir()

    def run(self, *arguments, folder=None):
        return subprocess.run([str(self.program), *arguments], check=True, text=True, cwd=folder,
                              stdout=subprocess.PIPE).stdout

    def page(self, place, title, body, up=""):
        links = " · ".join(f'<a href="{up}{file}">{name}</a>' for file, name in
                           (("index.html", "ricochet"), ("tutorial.html", "tutorial"), ("examples/index.html", "examples"),
                            ("manual/index.html", "manual"), ("which-scheme.html", "schemes")))
        (self.output / place).write_text(
            f'<!doctype html><html lang="en"><meta charset="utf-8"><meta name="viewport" '
            f'content="width=device-width"><title>{html.escape(title)}</title><style>{STYLE}</style>'
            f"<body><nav>{links}</nav>\n{body}\n</body></html>\n", encoding="utf-8")

    def markdown(self, text, known):
        """HTML of Markdown; links to pages of the site lead there, others keep their words only."""
        def link(found):
            target = known.get(found[2], found[2] if found[2].startswith("http") else None)
            return f"[{found[1]}]({target})" if target else found[1]
        text = re.sub(r"(?<!!)\[([^\]]*)\]\(([^)]*)\)", link, text)
        return markdown.markdown(text, extensions=["tables", "fenced_code"])

    def write_readme(self):
        picture = "verification/cases/sdnd106-a.svg"
        shutil.copy(self.root / picture, self.output / "shoe.svg")
        text = (self.root / "README.md").read_text(encoding="utf-8").replace(picture, "shoe.svg")
        known = {"verification/cases/examples": "examples/index.html"}
        guides = "\n".join(f"- [{title}]({name}.html)" for name, title in GUIDES.items())
        known |= {f"{name}.html": f"{name}.html" for name in GUIDES}
        known |= {f"io/app/manual/guides/{name}.md": f"{name}.html" for name in GUIDES}
        self.page("index.html", "ricochet", self.markdown(text + "\n\n## Guides\n\n" + guides, known))

    def write_guides(self):
        for name, title in GUIDES.items():
            text = (self.root / f"io/app/manual/guides/{name}.md").read_text(encoding="utf-8")
            self.page(f"{name}.html", title, self.markdown(text, {}))

    def write_example(self, deck):
        folder = self.output / "examples"
        shutil.copy(deck, folder)
        text = deck.read_text(encoding="utf-8")
        self.run("run", "--quiet", deck.name, folder=folder)
        body = f"<h1>{html.escape(re.search(r'^title = .(.*).$', text, re.M)[1])}</h1>\n"
        for number, line in enumerate(re.findall(r"^# +ricochet (plot .*)$", text, re.M)):
            words = shlex.split(re.split(r" {3,}", line)[0])  # a remark stands behind blanks
            if "-o" in words:
                del words[words.index("-o"):words.index("-o") + 2]
            picture = f"{deck.stem}-{number + 1}.svg"
            self.run(*words, "-o", picture, folder=folder)
            body += f'<p><code>ricochet {html.escape(line)}</code></p><img src="{picture}" alt="{html.escape(line)}">\n'
        checks = self.run("verify", deck.name, folder=folder)
        (folder / f"{deck.stem}.h5").unlink()
        body += f'<h2><a href="{deck.name}">{deck.name}</a></h2><pre>{html.escape(text)}</pre>' \
                f"<h2>Its checks</h2><pre>{html.escape(checks)}</pre>"
        self.page(f"examples/{deck.stem}.html", deck.stem, body, "../")

    def write_examples(self):
        rows = ""
        for line in self.run("new").splitlines():
            name, _, subject = line.partition(" ")
            deck = self.root / f"verification/cases/examples/{name}.toml"
            if not deck.exists():
                continue
            self.write_example(deck)
            rows += f'<h2><a href="{name}.html">{name}</a></h2><p>{html.escape(subject.strip())}</p>' \
                    f'<a href="{name}.html"><img src="{name}-1.svg" alt="{name}" width="420"></a>\n'
        self.page("examples/index.html", "Examples", f"<h1>Decks to start from</h1>\n<p>ricochet new NAME</p>\n{rows}", "../")

    def write_manual(self):
        folder = self.output / "manual"
        self.run("manual", "-o", str(folder))
        pages = sorted(folder.glob("*.md"))
        known = {page.name: page.stem + ".html" for page in pages}
        for page in pages:
            self.page(f"manual/{page.stem}.html", page.stem, self.markdown(page.read_text(encoding="utf-8"), known), "../")
            page.unlink()


def broken_links(folder):
    """Links and pictures of the pages that lead nowhere."""
    for page in folder.rglob("*.html"):
        for target in re.findall(r'(?:href|src)="([^"#]*)', page.read_text(encoding="utf-8")):
            if target and not target.startswith("http") and not (page.parent / target).exists():
                yield f"{page.relative_to(folder)}: {target}"


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--program", type=Path, required=True)
    parser.add_argument("--output", type=Path, required=True)
    options = parser.parse_args()
    site = Site(options.program, options.output)
    for write in (site.write_readme, site.write_guides, site.write_examples, site.write_manual):
        write()
    broken = list(broken_links(options.output))
    print("\n".join(broken) or f"{options.output / 'index.html'} ({len(list(options.output.rglob('*.html')))} pages)")
    return 1 if broken else 0


if __name__ == "__main__":
    sys.exit(main())
