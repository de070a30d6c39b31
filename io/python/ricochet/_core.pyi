"""The engine. The package `ricochet` wraps it; its names may change."""

from os import PathLike
from pathlib import Path
from typing import Any, Callable, Dict, List, Optional, Tuple

version: str

_Variable = Tuple[List[str], Any, Dict[str, Any]]  # axes, array, attributes
_Groups = Dict[str, Dict[str, _Variable]]
_Callback = Optional[Callable[[float, int], None]]

class Deck:
    title: str
    text: str
    file: Path
    output: Path
    nodes: List[str]
    contacts: List[str]
    links: List[str]
    has_batch: bool
    def changed(self, changes: List[str]) -> "Deck": ...
    def preview(self) -> Dict[str, Any]: ...

def load_deck(file: "str | PathLike[str]", changes: List[str]) -> Deck: ...
def parse_deck(text: str, file: "str | PathLike[str]", name: str, changes: List[str]) -> Deck: ...
def run_to_file(deck: Deck, output: "str | PathLike[str]", direct: bool, force: bool, resume: bool,
                progress: _Callback) -> Dict[str, Any]: ...
def run_in_memory(deck: Deck, direct: bool, progress: _Callback) -> Tuple[Dict[str, Any], _Groups]: ...
def run_batch(deck: Deck, output: "str | PathLike[str]", threads: int, force: bool, resume: bool,
              progress: bool) -> Dict[str, Any]: ...
def manual(name: str) -> str: ...
def example_decks() -> Dict[str, str]: ...
def compare(deck: Deck, quick: bool, progress: bool) -> Dict[str, Any]: ...
