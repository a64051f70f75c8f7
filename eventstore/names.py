"""What players are called: joined to what is read, at the last moment, since no log and no list keeps a name."""

from __future__ import annotations

import threading
import time
from collections import OrderedDict
from collections.abc import Callable, Iterable
from typing import Final

from eventstore.db import Database

SECONDS: Final = 5.0  # after which a new name is seen in all processes, and a deleted one in none
REMEMBERED: Final = 10_000


class Directory:
    """The names that this process has looked up a moment ago."""

    def __init__(self, database: Database, *, now: Callable[[], float] = time.monotonic) -> None:
        self._db, self._now = database, now
        self._known: OrderedDict[str, tuple[float, str]] = OrderedDict()
        self._lock = threading.Lock()

    def of(self, players: Iterable[str]) -> dict[str, str]:
        """The names of these players; all that are not known are asked for at once."""
        now = self._now()
        found, missing = {}, []
        for player in set(players):
            since, name = self._known.get(player, (now - SECONDS, ""))
            if now - since < SECONDS:
                found[player] = name
            else:
                missing.append(player)
        if missing:
            asked = self._ask(missing)
            self._remember(asked, now)
            found |= asked
        return found

    def forget(self, player: str) -> None:
        with self._lock:
            self._known.pop(player, None)

    def _ask(self, players: list[str]) -> dict[str, str]:
        rows = self._db.run("SELECT player_id, name FROM players WHERE player_id = ANY (%s::uuid[])", (players,))
        return {str(player): str(name) for player, name in rows}

    def _remember(self, names: dict[str, str], now: float) -> None:
        with self._lock:
            for player, name in names.items():
                self._known[player] = now, name
                self._known.move_to_end(player)
            while len(self._known) > REMEMBERED:
                self._known.popitem(last=False)
