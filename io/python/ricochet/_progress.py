"""Progress of a run in a terminal or a notebook."""

from __future__ import annotations

import sys
import time
from typing import Callable, Optional, Union

Progress = Union[bool, Callable[[float, int], None], None]


class Bar:
    """A line that is written over: ten updates per second; runs of less than half a second show nothing."""

    WIDTH = 30

    def __init__(self) -> None:
        self._start = time.monotonic()
        self._drawn = 0

    def __call__(self, fraction: float, steps: int) -> None:
        elapsed = time.monotonic() - self._start
        if elapsed < 0.5:
            return
        full = int(fraction * self.WIDTH)
        left = elapsed * (1 - fraction) / fraction if fraction > 0 else float("inf")
        line = f"[{'#' * full}{'.' * (self.WIDTH - full)}] {100 * fraction:3.0f} %  {steps / elapsed:.3g} steps/s  {left:.0f} s left"
        sys.stderr.write("\r" + line.ljust(self._drawn))
        sys.stderr.flush()
        self._drawn = len(line)

    def close(self) -> None:
        if self._drawn:
            sys.stderr.write("\r" + " " * self._drawn + "\r")
            sys.stderr.flush()


def progress_callback(progress: Progress) -> Optional[Callable[[float, int], None]]:
    if progress is True:
        return Bar()
    return progress or None
