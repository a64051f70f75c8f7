"""Checkpoints: matches as they stood at every so many versions, so that no moment is further from one than that.

They are made by whoever has to fold past them to look back, and kept in this process and among the snapshots. The path
of commands neither makes nor reads them.
"""

from __future__ import annotations

import threading
from collections import OrderedDict
from typing import Final

from domain.match import Match

EVERY: Final = 100  # versions
KEPT: Final = 2000  # by a process


class Past:
    """The checkpoints that this process has seen lately."""

    def __init__(self) -> None:
        self._kept: OrderedDict[tuple[str, int], Match] = OrderedDict()
        self._lock = threading.Lock()

    def before(self, match_id: str, version: int) -> Match | None:
        """The last checkpoint up to a version."""
        with self._lock:
            found = self._kept.get((match_id, version // EVERY))
            if found is not None:
                self._kept.move_to_end((match_id, version // EVERY))
        return found

    def keep(self, then: Match) -> None:
        with self._lock:
            self._kept[then.id, then.version // EVERY] = then
            if len(self._kept) > KEPT:
                self._kept.popitem(last=False)

    def forget(self, match_id: str) -> None:
        with self._lock:
            for key in [key for key in self._kept if key[0] == match_id]:
                del self._kept[key]

    def clear(self) -> None:
        with self._lock:
            self._kept.clear()
