"""What can go wrong, with its place."""

from __future__ import annotations

from typing import TYPE_CHECKING, Iterable, NamedTuple, Optional

if TYPE_CHECKING:
    from ._result import Result


class Problem(NamedTuple):
    """One mistake of a deck. Lines and columns count from 1; 0 means the whole file or the whole line."""

    file: str
    line: int
    column: int
    path: str
    """Key in the deck: ``contacts.sole.normal.stiffness``."""
    problem: str
    """What is wrong, the range allowed, and the remedy."""

    def __str__(self) -> str:
        place = self.file
        for number in (self.line, self.column):
            if not number:
                break
            place += f":{number}"
        return ": ".join(part for part in (place, self.path, self.problem) if part)


class RicochetError(Exception):
    """Base of the errors of this package."""


class DeckError(RicochetError, ValueError):
    """A deck or a study cannot be used; nothing was written.

    ``problems`` holds all mistakes; ``file``, ``line``, ``column`` and ``path`` are those of the first. The place of
    a mistake in a `Study` is the line of Python that added the part.
    """

    def __init__(self, problems: Iterable[tuple]):
        self.problems = [Problem(*each) for each in problems]
        super().__init__("\n".join(map(str, self.problems)))

    def __reduce__(self) -> tuple:
        return type(self), ([tuple(each) for each in self.problems],)

    @property
    def file(self) -> str:
        """The deck, or the source of the study."""
        return self.problems[0].file

    @property
    def line(self) -> int:
        """Counts from 1."""
        return self.problems[0].line

    @property
    def column(self) -> int:
        """Counts from 1; 0: the whole line."""
        return self.problems[0].column

    @property
    def path(self) -> str:
        """Key in the deck."""
        return self.problems[0].path


class RunError(RicochetError, RuntimeError):
    """A run did not reach its end."""

    def __init__(self, message: str, status: str = "", time: float = float("nan"), contact: Optional[str] = None,
                 result: Optional["Result"] = None):
        super().__init__(message)
        self.status = status
        """diverged, interrupted, not_converged, step_too_small or stalled"""
        self.time = time
        """Instant that the run reached [s]."""
        self.contact = contact
        """Name of the contact or link that is the cause, or None."""
        self.result = result
        """The run up to there."""


class FileError(RicochetError, OSError):
    """A result cannot be written or read: it exists, its folder does not, or it is none of ours."""

    def __init__(self, message: str):
        super().__init__(message.replace("give --force", "give force=True"))  # the command line has the same texts


class AlreadyComplete(FileError):
    """A run that was to be resumed is complete."""
