"""Lines in, drawings out. At a terminal the screen is drawn anew; through pipes everything is a plain text."""

from __future__ import annotations

import os
import select
import sys
import time
from typing import Final

from rich.console import Console, RenderableType

MOST: Final = 65_536  # bytes read at once


class Ended(Exception):
    """There is nothing more to read."""


class Screen:
    def __init__(self, console: Console | None = None, source: int | None = None) -> None:
        self.console = console or Console(highlight=False, emoji=False, markup=False)
        self._source = sys.stdin.fileno() if source is None else source
        self._read = b""

    @property
    def live(self) -> bool:
        """Whether somebody sits before it."""
        return self.console.is_terminal and os.isatty(self._source)

    def show(self, *drawings: RenderableType) -> None:
        for drawing in drawings:
            self.console.print(drawing)

    def show_unbroken(self, text: str) -> None:
        """For what somebody may want to copy."""
        self.console.print(text, soft_wrap=True)

    def redraw(self, *drawings: RenderableType) -> None:
        """Shows in place of all that was shown before, where that can be done."""
        if self.live:
            self.console.clear()
        self.show(*drawings)

    def ask(self, question: str) -> str:
        """Waits for a line."""
        self.prompt(question)
        line = self.line()
        assert line is not None
        return line

    def prompt(self, question: str) -> None:
        self.console.print(question, end=" ", soft_wrap=True)
        self.console.file.flush()

    def pause(self, seconds: float) -> str | None:
        """Lets so many seconds pass. Somebody who sits before the screen may type something meanwhile; what comes
        through a pipe is the answer to a question that is yet to be asked."""
        if self.live:
            return self.line(seconds)
        time.sleep(seconds)
        return None

    def line(self, seconds: float | None = None) -> str | None:
        """The next line, or nothing if none comes in so many seconds.

        The descriptor is read directly: Python's own buffer would hide from `select` that a line is there.
        """
        until = None if seconds is None else time.monotonic() + seconds
        while b"\n" not in self._read:
            left = None if until is None else max(0.0, until - time.monotonic())
            if not select.select([self._source], [], [], left)[0]:
                return None
            more = os.read(self._source, MOST)
            if not more:
                raise Ended
            self._read += more
        line, _, self._read = self._read.partition(b"\n")
        if not self.live:
            self.console.print()  # nobody pressed Enter on this side
        return line.decode(errors="replace").strip()
