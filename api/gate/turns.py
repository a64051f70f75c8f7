"""Whose request is next when there are more of them than threads."""

from __future__ import annotations

import collections
from collections.abc import Callable
from typing import Generic, TypeVar

T = TypeVar("T")


class Turns(Generic[T]):
    """So many at once. The others wait, one line for each address, and the lines are served in turn. Within an address
    there is a line for each token, so that nobody stands behind all that another one there has sent; and none of them
    grows longer than told.

    >>> begun = []
    >>> turns = Turns(1, 2, lambda job: not begun.append(job))
    >>> for where, who, job in [("a", "ann", 1), ("a", "ann", 2), ("a", "ann", 3), ("b", "bob", 4), ("a", "cy", 5)]:
    ...     assert turns.add(where, who, job)
    >>> turns.add("a", "ann", 6)
    False
    >>> for _ in range(4):
    ...     turns.done()
    >>> begun
    [1, 2, 4, 5, 3]
    """

    def __init__(self, at_once: int, longest: int, begin: Callable[[T], bool]) -> None:
        self._free, self._longest = at_once, longest
        self._begin = begin  # which says False if nobody wants it any more
        self._lines: collections.OrderedDict[str, Address[T]] = collections.OrderedDict()

    def add(self, where: str, who: str, job: T) -> bool:
        """Whether there was room for it."""
        if self._free:
            self._free -= self._begin(job)
            return True
        line = self._lines.setdefault(where, collections.OrderedDict()).setdefault(who, collections.deque())
        if len(line) >= self._longest:
            return False
        line.append(job)
        return True

    def done(self) -> None:
        """One of those that were begun has ended."""
        while self._lines:
            if self._begin(self._next()):
                return
        self._free += 1

    def _next(self) -> T:
        where, lines = next(iter(self._lines.items()))
        who, line = next(iter(lines.items()))
        job = line.popleft()
        if line:
            lines.move_to_end(who)
        else:
            del lines[who]
        if lines:
            self._lines.move_to_end(where)
        else:
            del self._lines[where]
        return job


Address = collections.OrderedDict[str, collections.deque[T]]  # the lines of one address
