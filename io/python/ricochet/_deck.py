"""Decks: read, checked, run."""

from __future__ import annotations

import html
import os
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Callable, Dict, Iterator, List, Mapping, Optional, Union

import xarray as xr

from . import _core, _result
from ._errors import AlreadyComplete, DeckError, Problem, RunError
from ._progress import Bar, Progress, progress_callback
from ._result import Result
from ._toml import toml_value

Overrides = Optional[Mapping[str, Any]]
Relocate = Optional[Callable[[Problem, str], Problem]]
"""Finds the place of a mistake in the source of a study, from that in the text of its deck."""
Output = Union[None, bool, str, "os.PathLike[str]"]


class Page(str):
    """A text that a notebook or a terminal shows as it is."""

    def __repr__(self) -> str:
        return str(self)


def manual(name: str = "") -> Page:
    """What the manual says of a law, an obstacle or a scheme, such as "hertz": formula, keys with units, source, example.
    Without a name the list of all pages."""
    return Page(_core.manual(name))


class Preview:
    """What a deck says, without a run: ``scheme``, ``step`` [s], ``stable_step`` [s], ``warnings``, ``choices``,
    ``defaults`` (key, value, unit), ``modes`` (`xarray.Dataset`), ``rows``, ``megabytes`` and ``seconds`` of the run."""

    def __init__(self, seen: Dict[str, Any]):
        modes = seen.pop("modes")
        self.modes: xr.Dataset = _result._xarray_dataset(modes)
        self.warnings: List[str] = seen.pop("warnings")
        self.choices: List[str] = seen.pop("choices")
        self.defaults: List[tuple] = seen.pop("defaults")
        self.title: str = seen.pop("title")
        self.facts = seen
        self.scheme: str = seen["scheme"]
        self.step: float = seen["step"]
        self.stable_step: float = seen["stable_step"]
        self.rows: int = seen["rows"]
        self.megabytes: float = seen["megabytes"]
        self.seconds: Optional[float] = seen["seconds"]

    def _preview_rows(self) -> Iterator[tuple]:
        yield from ((key, value) for key, value in self.facts.items() if value not in (None, [], ""))
        frequency = self.modes["frequency"].values
        if len(frequency):
            yield "frequencies [Hz]", f"{len(frequency)} from {frequency[0]:.6g} to {frequency[-1]:.6g}"
        yield from (("choice", each) for each in self.choices)
        yield from (("warning", each) for each in self.warnings)

    def __repr__(self) -> str:
        return "\n".join([self.title, *(f"{key:<17} {value}" for key, value in self._preview_rows())])

    def _repr_html_(self) -> str:
        rows = "".join(f"<tr><th>{html.escape(str(key))}</th><td style='text-align:left'>{html.escape(str(value))}</td></tr>"
                       for key, value in self._preview_rows())
        return f"<table><caption>{html.escape(self.title)}</caption>{rows}</table>"


class Deck:
    """A deck that was read. It does not change; `with_overrides` makes another one."""

    def __init__(self, core: _core.Deck, relocate: Relocate = None):
        self._core = core
        self._relocate = relocate

    @property
    def title(self) -> str:
        """The title of the deck."""
        return self._core.title

    @property
    def text(self) -> str:
        """The deck as TOML."""
        return self._core.text

    @property
    def file(self) -> Path:
        """The file that was read."""
        return Path(self._core.file)

    @property
    def output(self) -> Path:
        """Where the program would write the result."""
        return Path(self._core.output)

    @property
    def nodes(self) -> List[str]:
        """Names of the nodes."""
        return self._core.nodes

    @property
    def contacts(self) -> List[str]:
        """Names of the contacts."""
        return self._core.contacts

    @property
    def links(self) -> List[str]:
        """Names of the links."""
        return self._core.links

    def with_overrides(self, overrides: Overrides) -> "Deck":
        """The deck with other values: ``{"contacts.sole.friction.coefficient": 0.2}``; keys may be new in their table."""
        if not overrides:
            return self
        with _located_errors(self._relocate, self.text):
            return Deck(self._core.changed(_override_texts(overrides)), self._relocate)

    def check(self, *, overrides: Overrides = None) -> Preview:
        """What ``ricochet check`` tells, without a run."""
        deck = self.with_overrides(overrides)
        with _located_errors(deck._relocate, deck.text):
            return Preview(deck._core.preview())

    def run(self, output: Output = None, **options: Any) -> Result:
        """Runs the deck; see `ricochet.run`."""
        return run(self, output, **options)

    def _repr_html_(self) -> str:
        parts = (("node", self.nodes), ("contact", self.contacts), ("link", self.links))
        counts = ", ".join(f"{len(names)} {kind}{'s' if len(names) > 1 else ''}" for kind, names in parts if names)
        return (f"<details><summary>{html.escape(self.title or self.file.name)}: {counts}</summary>"
                f"<pre>{html.escape(self.text)}</pre></details>")

    def __reduce__(self) -> tuple:
        return _unpickled_deck, (self.text, self.file)

    def __repr__(self) -> str:
        return f"<ricochet.Deck {self.file}: {self.title}>"


def _unpickled_deck(text: str, file: Path) -> Deck:
    """The deck in another process."""
    return Deck(_core.parse_deck(text, file, str(file), []))


DeckLike = Union[Deck, str, "os.PathLike[str]", Any]


def _override_texts(overrides: Mapping[str, Any]) -> List[str]:
    return [f"{path}={toml_value(value)}" for path, value in overrides.items()]


@contextmanager
def _located_errors(relocate: Relocate, text: str = "") -> Iterator[None]:
    """Mistakes of overrides are told as such, those of a study at the line of Python that made them."""

    def relocated_problem(problem: Problem) -> Problem:
        if problem.file.startswith("--set "):
            return problem._replace(file="overrides " + problem.file[6:])
        return relocate(problem, text) if relocate else problem

    try:
        yield
    except DeckError as error:
        raise DeckError(map(relocated_problem, error.problems)) from None


def read_deck(source: Union[str, "os.PathLike[str]"], *, overrides: Overrides = None) -> Deck:
    """Reads a deck from a file, or from a text of several lines.

    ``overrides``: dotted path -> value that replaces one of the deck, as ``--set`` of the program. Throws `DeckError`
    with all mistakes, each with line, column and remedy.
    """
    changes = _override_texts(overrides or {})
    with _located_errors(None):
        if isinstance(source, str) and "\n" in source:
            return Deck(_core.parse_deck(source, "deck.toml", "<text>", changes))
        return Deck(_core.load_deck(os.fspath(source), changes))


def _deck_with_overrides(deck: DeckLike, overrides: Overrides) -> Deck:
    if isinstance(deck, (str, os.PathLike)):
        return read_deck(deck, overrides=overrides)
    read = deck if isinstance(deck, Deck) else deck.deck()
    return read.with_overrides(overrides)


def _output_path(deck: Deck, output: Output) -> Path:
    return deck.output if output is None or isinstance(output, bool) else Path(output)


def run(deck: DeckLike, output: Output = None, *, overrides: Overrides = None, mode: str = "modal",
        force: bool = False, resume: bool = False, progress: Progress = False) -> Result:
    """Runs a deck (`Deck`, `Study`, path or text) and returns its `Result`.

    output: None keeps the result in memory, a path writes a result file there, True where the deck says.
    overrides: dotted path -> value that replaces one of the deck.
    mode: "modal" (generalized coordinates) or "direct" (physical coordinates).
    force: replaces a complete result. resume: goes on with a run that was interrupted.
    progress: True draws a bar; or a function of the fraction done and the number of steps.

    Other threads run meanwhile. Ctrl-C stops the run at the end of a step. Throws `DeckError`, `FileError`, and
    `RunError` for a run that does not reach its end, which holds the result up to there.
    """
    if mode not in ("modal", "direct"):
        raise ValueError(f'mode must be "modal" or "direct", got {mode!r}')
    deck = _deck_with_overrides(deck, overrides)
    callback = progress_callback(progress)
    in_memory = output is None or output is False
    if in_memory and resume:
        raise ValueError("resume takes the output that is to go on")
    try:
        with _located_errors(deck._relocate, deck.text):
            if in_memory:
                summary, groups = _core.run_in_memory(deck._core, mode == "direct", callback)
            else:
                target = _output_path(deck, output)
                summary = _core.run_to_file(deck._core, target, mode == "direct", force, resume, callback)
    except AlreadyComplete:
        return _result.open(target)
    finally:
        if isinstance(callback, Bar):
            callback.close()
    failure = summary.pop("failure")
    contact, status, time = summary.pop("contact"), summary["status"], summary["time"]
    if in_memory:
        result = _result.result_in_memory(groups, deck.text, summary)
    else:
        result = _result.result_of_file(target, summary)
    if failure is not None:
        raise RunError(failure, status, time, contact, result)
    return result


def run_batch(deck: DeckLike, output: Output = None, *, overrides: Overrides = None, threads: int = 0,
              force: bool = False, resume: bool = False, progress: bool = False) -> Result:
    """Runs the variants that ``[batch]`` of a deck asks for, and writes them to a file (default: as the deck says).

    threads: 0 takes one for each processor. The numbers of cases and the reasons of those that failed are in
    ``Result.summary``. Throws `RunError` if cases are missing; ``resume=True`` goes on with them.
    """
    deck = _deck_with_overrides(deck, overrides)
    target = _output_path(deck, output)
    try:
        with _located_errors(deck._relocate, deck.text):
            summary = _core.run_batch(deck._core, target, threads, force, resume, progress)
    except AlreadyComplete:
        return _result.open(target)
    if summary["missing"]:
        status = "interrupted" if summary["interrupted"] else "failed"
        raise RunError(f"{len(summary['missing'])} of {summary['cases']} cases are missing; resume=True goes on", status)
    return _result.result_of_file(target, summary)


class Comparison:
    """A deck in both modes. ``difference``: rms of direct - modal over all displacements, of their size [-]."""

    def __init__(self, seen: Dict[str, Any]):
        names = ("quantity", "where", "units", "largest", "difference", "instant", "rms")
        columns = zip(*seen.pop("histories")) if seen["histories"] else [[]] * len(names)
        self.histories = xr.Dataset({name: ("history", list(column)) for name, column in zip(names, columns)})
        """Each history in both modes: largest |value|, largest difference, its instant [s], rms of the difference."""
        self.events: List[tuple] = seen.pop("events")
        """Contact, kind, number, instant in the modal run [s], in the direct run [s]; None where there is none."""
        self.modal: Dict[str, Any] = seen.pop("modal")
        self.direct: Dict[str, Any] = seen.pop("direct")
        self.causes = seen
        self.difference: float = seen["difference"]

    def __repr__(self) -> str:
        return f"<ricochet.Comparison: direct - modal is {self.difference:.2e} of the displacements>"


def compare(deck: DeckLike, *, overrides: Overrides = None, quick: bool = False, progress: bool = False) -> Comparison:
    """Runs a deck in generalized and in physical coordinates. quick: without the runs that say why they differ."""
    deck = _deck_with_overrides(deck, overrides)
    with _located_errors(deck._relocate, deck.text):
        seen = _core.compare(deck._core, quick, progress)
    for side in ("modal", "direct"):
        if seen[side]["failure"] is not None:
            raise RunError(f"{side}: {seen[side]['failure']}", seen[side]["status"], seen[side]["time"], seen[side]["contact"])
    return Comparison(seen)
