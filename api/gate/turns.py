"""Whose request is next when there are more of them than threads."""

from __future__ import annotations

import collections
from collections.abc import Callable
from typing import Generic, TypeVar

T = TypeVar("T")


class Turns(Generic[T]):
    """So many at once. The others wait, one line for each address, and the lines are served in turn.

    >>> begun = []
    >>> turns = Turns(1, lambda job: not begun.append(job))
    >>> for who, job in [("ann", 1), ("ann", 2), ("ann", 3), ("bob", 4)]:
    ...     turns.add(who, job)
    >>> for _ in range(3):
    ...     turns.done()
    >>> begun
    [1, 2, 4, 3]
    """

    def __init__(self, at_once: int, begin: Callable[[T], bool]) -> None:
        self._free, self._begin = at_once, begin  # which says False if nobody wants it any more
        self._lines: collections.OrderedDict[str, collections.deque[T]] = collections.OrderedDict()

    def add(self, who: str, job: T) -> None:
        if not self._free:
            self._lines.setdefault(who, collections.deque()).append(job)
        elif self._begin(job):
            self._free -= 1

    def done(self) -> None:
        """One of those that were begun has ended."""
        while self._lines:
            if self._begin(self._next()):
                return
        self._free += 1

    def _next(self) -> T:
        who, line = next(iter(self._lines.items()))
        job = line.popleft()
        if line:
            self._lines.move_to_end(who)
        else:
            del self._lines[who]
        return job
