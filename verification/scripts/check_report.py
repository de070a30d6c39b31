#!/usr/bin/env python3
"""Makes pages of results with `ricochet report` and judges them: the numbers by h5py and NumPy, the page in Chromium.

The page must open without an error and without a network, show every panel, zoom, play, change its colours, obey the
keyboard, fit into 380 pixels, and do nothing that a hostile name asks for. Without Chromium or python3-websocket the
numbers are judged alone, and the test says that it was skipped (77).

Usage: check_report.py --program RICOCHET [--screenshots FOLDER]
"""

import argparse
import base64
import concurrent.futures
import json
import re
import subprocess
import sys
import tempfile
from pathlib import Path

import h5py
import numpy

from browser import Browser, missing_for_browser

HOSTILE = '</script><img src=x onerror="window.attacked=1">'
TYPES = {"f4": "<f4", "f8": "<f8", "i4": "<i4", "i1": "i1"}

DECK = """
title = 'shoe & {hostile}'

[[nodes]]
name = '{hostile}'
position = [0.0, 0.0, 0.0]

[[nodes]]
name = "puller"
position = [1.0, 0.0, 0.2]

[[masses]]
nodes = ["puller", '{hostile}']
mass = 5.0

[[springs]]
nodes = ['{hostile}', "puller"]
stiffness = [1.0e4, 0.0, 0.0]

[[supports]]
nodes = "all"
fixed = ["uy", "uz"]

[initial]
displacement = [ {{ node = "puller", value = [0.25, 0, 0] }} ]

[[contacts]]
name = "sole <b>bold</b>"
node = '{hostile}'
obstacle = {{ type = "none", normal = [0, 0, 1] }}
normal = {{ force = 1.0e3 }}
friction = {{ static = 0.3, dynamic = 0.2, stiffness = 5.0e7, damping = 44721.0 }}

[statistics]
contacts = ["sole <b>bold</b>"]

[transient]
duration = 0.4
step = 1.0e-5
scheme = "kick_drift"

[output]
every = 40

[[checks]]
quantity = "energy_error"
reference = 0.0
absolute = 1.0e-4
source = "conservation"

[[checks]]
quantity = "displacement"
node = "puller"
dof = "ux"
time = 0.0
reference = 1.0
absolute = 0.1
source = 'wrong on purpose {hostile}'
"""

# a beam that swings freely: a million numbers, and motions in closed form
LONG_DECK = """
[[nodes]]
name = "left"
position = [0.0, 0.0, 0.0]

[[nodes]]
name = "right"
position = [2.0, 0.0, 0.0]

[materials.steel]
young = 2.1e11
poisson = 0.3
density = 7800.0

[sections.bar]
type = "circle"
radius = 0.01

[[beams]]
name = "bar"
nodes = ["left", "right"]
elements = 30
material = "steel"
section = "bar"

[[supports]]
nodes = ["left", "right"]
fixed = ["ux", "uy", "uz", "rx"]

[basis]
modes = 8

[initial]
velocity = [ { node = "bar.12", value = [0, 0.5, 0.3] } ]

[transient]
duration = 2.0

[output]
interval = 2.0e-4
nodes = "all"
fields = ["displacement"]
"""


BATCH = """
[batch]
method = "grid"

[batch.parameters]
"contacts.sole <b>bold</b>.friction.static" = { from = 0.3, to = 0.5, count = 3 }
"contacts.sole <b>bold</b>.friction.dynamic" = { from = 0.1, to = 0.25, count = 4 }

[batch.outputs]
travel = "last(displacement(puller, ux))"
"""


class Failures(list):
    def expect(self, condition, text):
        if not condition:
            self.append(text)


def element(page, name):
    return re.search(rf'<script id="{name}"[^>]*>(.*?)</script>', page, re.DOTALL).group(1)


class Page:
    """What a page embeds."""

    def __init__(self, path):
        self.text = path.read_text(encoding="utf-8")
        self.content = json.loads(element(self.text, "content"))
        self.block = base64.b64decode(element(self.text, "arrays"))

    def array(self, reference):
        return numpy.frombuffer(self.block, TYPES[reference["type"]], reference["n"], reference["at"])


def stored(values, reference):
    """Values in the precision in which the page keeps them."""
    return values.astype(TYPES[reference["type"]])


def buckets(values, count):
    """Lowest and highest value of each of `count` spans of rows, in their order."""
    edges = [b * len(values) // count for b in range(count + 1)]
    drawn = []
    for first, end in zip(edges, edges[1:]):
        part = values[first:end]
        drawn += [part[i] for i in sorted((int(part.argmin()), int(part.argmax())))]
    return numpy.array(drawn)


def welch(time, values):
    """Amplitude spectrum: Hann, half overlapping segments of the largest power of two."""
    step = (time[-1] - time[0]) / (len(time) - 1)
    values = numpy.interp(time[0] + step * numpy.arange(len(time)), time, values)
    size = min(1 << (len(time).bit_length() - 1), 32768)
    window = 0.5 - 0.5 * numpy.cos(2 * numpy.pi * numpy.arange(size) / size)
    power, starts = numpy.zeros(size // 2 + 1), range(0, len(values) - size + 1, size // 2)
    for start in starts:
        part = values[start:start + size]
        power += numpy.abs(numpy.fft.rfft(window * (part - part.mean()))) ** 2
    return numpy.arange(size // 2 + 1) / (size * step), 2 / window.sum() * numpy.sqrt(power / len(starts))


def judge_series(failures, page, file, run, series):
    reference, shared, label = series["values"], run["times"][series["time"]], series["label"]
    column = file[series["path"]][()].reshape(shared["rows"], -1)[:, int(series["offset"])]
    time = file[str(Path(series["path"]).parent / "time")][()]
    drawn = page.array(reference)
    if shared["reduced"]:
        expected = buckets(column, len(drawn) // 2)
        failures.expect(numpy.array_equal(page.array(series["sampled"]),
                                          stored(column[::int(shared["stride"])], series["sampled"])),
                        f"{label}: the sampled rows differ from those of the file")
    else:
        expected = column
        failures.expect(numpy.array_equal(page.array(shared["values"]), time), f"{label}: the instants differ")
    failures.expect(numpy.array_equal(drawn, stored(expected, reference)), f"{label}: the values differ from the file's")
    failures.expect(drawn.min() == stored(column, reference).min() and drawn.max() == stored(column, reference).max(),
                    f"{label}: a peak is lost")
    if "spectrum" not in series:
        return
    frequency, amplitude = welch(time, column)
    lines, shown = page.array(shared["frequencies"]), page.array(series["spectrum"])
    failures.expect(numpy.allclose(lines[:255], frequency[1:256], rtol=1e-9), f"{label}: the frequencies differ")
    scale = amplitude.max()
    failures.expect(numpy.allclose(shown[:255], amplitude[1:256], rtol=1e-4, atol=1e-6 * scale),
                    f"{label}: the spectrum differs from NumPy's")
    failures.expect(abs(shown.max() - amplitude[1:].max()) <= 1e-4 * scale, f"{label}: the spectrum loses its peak")


def judge_numbers(failures, path, result):
    page = Page(path)
    with h5py.File(result) as file:
        for run in page.content["runs"]:
            failures.expect(run["series"], f"{path.name}: no histories")
            for series in run["series"]:
                judge_series(failures, page, file, run, series)
            events = run["events"]
            if events:
                failures.expect(numpy.array_equal(page.array(events["time"]), file[("/direct" if run["mode"] == "direct" else "") + "/events/time"][()]),
                                "the events differ")
        if "checks" in file:
            passed = [check["passed"] for check in page.content["checks"]["judged"]]
            failures.expect(passed == [bool(each) for each in file["/checks/passed"][()]], "checks differ")
        lines = page.array(page.content["model"]["lines"])
        failures.expect(numpy.array_equal(lines, file["/model/lines"][()].ravel()), "the lines of the structure differ")
    failures.expect(path.stat().st_size <= 5e6, f"{path.name}: has {path.stat().st_size} bytes")
    return page


def shown_number(text):
    return [float(part) for part in text.split()]


def judge_charts(failures, browser):
    """Zooming by mouse and keys, on the panel of histories."""
    browser.click("#tab-histories")
    before = shown_number(browser.value("document.querySelector('#panel-histories .chart').dataset.range"))
    box = browser.box("#panel-histories .chart")
    left, width, middle = box["x"] + 90, box["width"] - 110, box["y"] + box["height"] / 2
    browser.drag(left + 0.3 * width, middle, left + 0.6 * width, middle)
    zoomed = shown_number(browser.value("document.querySelector('#panel-histories .chart').dataset.range"))
    failures.expect(zoomed[1] - zoomed[0] < 0.6 * (before[1] - before[0]), f"dragging does not zoom: {before} {zoomed}")
    ranges = browser.value("[...document.querySelectorAll('#panel-histories .chart')].map((c) => c.dataset.range)")
    failures.expect(len(set(ranges)) == 1, f"the charts of a panel show different times: {ranges}")
    browser.value("document.querySelector('#panel-histories .chart').focus()")
    browser.key("+")
    closer = shown_number(browser.value("document.querySelector('#panel-histories .chart').dataset.range"))
    failures.expect(closer[1] - closer[0] < 0.6 * (zoomed[1] - zoomed[0]), "the key + does not zoom")
    browser.key("0")
    whole = shown_number(browser.value("document.querySelector('#panel-histories .chart').dataset.range"))
    failures.expect(whole[1] - whole[0] > 0.9 * (before[1] - before[0]), "the key 0 does not show all")


def judge_structure(failures, browser):
    browser.click("#tab-structure")
    phase = "document.querySelector('#panel-structure [data-phase]').dataset.phase"
    image = "document.querySelector('#panel-structure canvas').toDataURL()"
    first, drawn = browser.value(phase), browser.value(image)
    browser.press("#panel-structure", "Play")
    browser.wait(f"{phase} !== {json.dumps(first)}", "the animation does not move")
    browser.press("#panel-structure", "Stop")
    failures.expect(browser.value(image) != drawn, "the picture of the structure does not move")


def judge_colours(failures, browser):
    colour = "getComputedStyle(document.body).backgroundColor"
    light = browser.value(colour)
    browser.click("#theme")
    dark = browser.value(colour)
    failures.expect(light != dark, "the button does not change the colours")
    browser.click("#theme")
    failures.expect(browser.value(colour) == light, "the button does not change the colours back")
    browser.prefer("dark")
    browser.wait(f"{colour} === {json.dumps(dark)}", "the page does not follow the colours of the system")
    browser.prefer("light")


def judge_panel(failures, browser, name, width, screenshots):
    """The panel that is open: it shows something, and the page does not scroll sideways. Returns its tab."""
    tab, height, wide = browser.value(
        "(() => { const page = document.documentElement; return ["
        "document.querySelector('[aria-selected=true]').textContent, "
        "document.querySelector('[role=tabpanel]:not([hidden])').offsetHeight, page.scrollWidth - page.clientWidth]; })()")
    failures.expect(height > 30, f"{name}, {width} px: the panel {tab} is empty")
    failures.expect(wide <= 0, f"{name}, {width} px: the panel {tab} scrolls {wide} px sideways")
    if screenshots:
        for theme in ("light", "dark"):
            browser.prefer(theme)
            browser.picture(screenshots / f"{name}-{tab.lower().replace(' ', '-')}-{width}-{theme}.png")
        browser.prefer("light")
    return tab


def judge_panels(failures, browser, name, width, screenshots, shown):
    """Each panel by the arrow keys, or those of `shown` by a click. Returns all tabs of the page."""
    tabs = browser.value("[...document.querySelectorAll('[role=tab]')].map((tab) => tab.textContent)")
    if not screenshots and shown:
        for tab in shown:
            browser.press("[role=tablist]", tab)
            failures.expect(judge_panel(failures, browser, name, width, None) == tab, f"{name}: {tab} does not open")
        return tabs
    browser.value("document.querySelector('[role=tab]').click(), document.querySelector('[role=tab]').focus()")
    seen = []
    for _ in tabs:
        seen.append(judge_panel(failures, browser, name, width, screenshots))
        browser.key("ArrowRight")
    failures.expect(seen == tabs, f"{name}: the arrow keys lead to {seen}")
    return tabs


def judge_page(failures, browser, path, screenshots, shown=()):
    """Of a page with `shown` these panels alone, at 380 pixels; of others all, at both widths, with their controls."""
    browser.size(*((380, 800) if shown and not screenshots else (1600, 1000)))
    browser.open(path)
    browser.wait("document.documentElement?.dataset.ready === 'yes'", f"{path.name}: does not open")
    busy = browser.busy_seconds()
    failures.expect(busy <= 2.0, f"{path.name}: takes {busy:.2f} s of work to open")
    print(f"{path.name}: {path.stat().st_size / 1e6:.2f} MB, {busy:.2f} s of work until it is open")
    if not shown:
        judge_charts(failures, browser)
        judge_structure(failures, browser)
        judge_colours(failures, browser)
    if screenshots or not shown:
        judge_panels(failures, browser, path.stem, 1600, screenshots, shown)
        browser.resize(380, 800)
    seen = judge_panels(failures, browser, path.stem, 380, screenshots, shown)
    failures.expect(browser.value("window.attacked") is None, f"{path.name}: a hostile name was executed")
    failures.expect(browser.value("document.images.length") == 0, f"{path.name}: a hostile name became an element")
    failures.extend(f"{path.name}: {text}" for text in browser.complaints())
    return seen


def judge_batch(failures, page, result):
    with h5py.File(result) as file:
        data = page.content["batch"]["data"]
        for name in ("parameters", "outputs"):
            failures.expect(numpy.array_equal(page.array(data[name]["values"]), file[f"/batch/{name}"][()].ravel()),
                            f"the {name} of the batch differ")


def judge_command(failures, program, page, result):
    """What `report` refuses, with status 2."""
    for words, told in (([result, "-o", page], "give --force"), ([result, "-o", result], "the result itself"),
                        ([page, "-o", page, "--force"], ""), (["absent.h5"], "no such result")):
        outcome = subprocess.run([program, "report", *words], capture_output=True, text=True, check=False)
        failures.expect(outcome.returncode == 2 and told in outcome.stderr, f"report {words}: {outcome}")


def made(program, folder, name, text, command=("run",)):
    deck, result, page = folder / f"{name}.toml", folder / f"{name}.h5", folder / f"{name}.html"
    deck.write_text(text, encoding="utf-8")
    subprocess.run([program, *command, deck, "-o", result], capture_output=True, check=False)
    outcome = subprocess.run([program, "report", result, "-o", page], capture_output=True, text=True, check=False)
    if outcome.returncode == 2 and "was built without" in outcome.stderr:
        print(outcome.stderr)
        sys.exit(77)
    if outcome.returncode != 0:
        sys.exit(f"{name}: {outcome.stdout}{outcome.stderr}")
    return page, result


def judge_results(failures, program, folder):
    """Makes the results and their pages, and judges the numbers."""
    deck = DECK.format(hostile=HOSTILE)
    with concurrent.futures.ThreadPoolExecutor() as pool:
        jobs = [pool.submit(made, program, folder, *each) for each in (
            ("shoe", deck), ("beam", LONG_DECK), ("both", deck, ("compare", "--quick")), ("batch", deck + BATCH, ("batch",)))]
        (shoe, shoe_result), (beam, beam_result), (both, both_result), (batch, batch_result) = [job.result() for job in jobs]
    page = judge_numbers(failures, shoe, shoe_result)
    judge_numbers(failures, both, both_result)
    judge_batch(failures, Page(batch), batch_result)
    judge_command(failures, program, shoe, shoe_result)
    long_page = judge_numbers(failures, beam, beam_result)
    failures.expect(HOSTILE not in page.text, "a hostile name stands in the page as it was written")
    failures.expect(any(time["reduced"] for time in long_page.content["runs"][0]["times"]), "nothing was reduced")
    failures.expect([check["passed"] for check in page.content["checks"]["judged"]] == [True, False],
                    "the checks are not judged as they are")
    return shoe, beam, both, batch


def judge_pages(failures, browser, pages, further, screenshots):
    shoe, beam, both, batch = pages
    seen = judge_page(failures, browser, shoe, screenshots)
    expected = ["Overview", "Structure", "Histories", "Contacts", "Portraits", "Spectra", "Events", "Energy", "Statistics",
                "Checks", "Modes", "Deck"]
    failures.expect(seen == expected, f"the panels are {seen}")
    judge_page(failures, browser, beam, screenshots, ["Structure", "Histories"])
    judge_page(failures, browser, both, screenshots, ["Comparison"])
    judge_page(failures, browser, batch, screenshots, ["Cases"])
    for each in further:
        judge_page(failures, browser, each, screenshots, ["Overview"])


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--program", required=True)
    parser.add_argument("--screenshots", type=Path, help="keep a picture of every panel here")
    parser.add_argument("pages", nargs="*", type=Path, help="further pages to open")
    arguments = parser.parse_args()
    failures, missing = Failures(), missing_for_browser()
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as scratch:
        folder = Path(scratch)
        browser = None if missing else Browser(folder)  # it starts while the results are made
        try:
            pages = judge_results(failures, arguments.program, folder)
            if browser:
                with browser:
                    judge_pages(failures, browser, pages, arguments.pages, arguments.screenshots)
        finally:
            if browser:
                browser.stop()
    print(*failures, sep="\n")
    if missing:
        print(f"the pages were not opened: {missing} is not installed")
    sys.exit(1 if failures else 77 if missing else 0)


if __name__ == "__main__":
    main()
