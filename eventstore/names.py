"""What players are called: joined to what is read, at the last moment, since no log and no list keeps a name."""

from __future__ import annotations

import threading
import time
from collections import OrderedDict
from collections.abc import Callable, Iterable
from itertools import islice
from typing import Final

from eventstore.db import Database, among, array

SECONDS: Final = 5.0  # after which a new name is seen in all processes, and a deleted one in none
REMEMBERED: Final = 10_000
TOGETHER: Final = 1_000
NAMED: Final = f"SELECT player_id, name FROM players WHERE player_id {among('uuid')}"
UNKNOWN: Final = (float("-inf"), None)


class Directory:
    """The names that this process has looked up a moment ago."""

    def __init__(self, database: Database, *, now: Callable[[], float] = time.monotonic) -> None:
        self._db, self._now = database, now
        # When each was looked up, the oldest first; None is the name of nobody.
        self._known: OrderedDict[str, tuple[float, str | None]] = OrderedDict()
        self._wanted: set[str] = set()  # asked for since they were looked up
        self._lock = threading.Lock()

    def of(self, players: Iterable[str]) -> dict[str, str]:
        """The names of these players; all that are not known are asked for at once."""
        now = self._now()
        known = {player: self._known.get(player, UNKNOWN) for player in players}
        self._wanted.update(known)
        if missing := [player for player, (since, _) in known.items() if now - since >= SECONDS]:
            names = self._look_up(missing, now)
            known |= {player: (now, names.get(player)) for player in missing}
        return {player: name for player, (_, name) in known.items() if name is not None}

    def forget(self, player: str) -> None:
        with self._lock:
            self._known.pop(player, None)

    def _look_up(self, missing: list[str], now: float) -> dict[str, str]:
        """These, and in the same question all others that grow old and are still asked for: whoever follows many
        matches would else ask once for each of them."""
        with self._lock:
            oldest = islice(self._known.items(), TOGETHER)
            old = [player for player, (since, _) in oldest if now - since >= SECONDS / 2]
            players = {*missing, *(player for player in old if player in self._wanted)}
        names = self._ask(list(players))
        with self._lock:
            for player in old:
                # Another thread may have looked it up meanwhile.
                if now - self._known.get(player, UNKNOWN)[0] >= SECONDS:
                    self._known.pop(player, None)
            for player in players:
                self._known[player] = now, names.get(player)
                self._known.move_to_end(player)
            self._wanted -= players
            while len(self._known) > REMEMBERED:
                self._wanted.discard(self._known.popitem(last=False)[0])
        return names

    def _ask(self, players: list[str]) -> dict[str, str]:
        rows = self._db.run(NAMED, (array(players),))
        return {str(player): str(name) for player, name in rows}
