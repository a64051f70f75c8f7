"""The reconciler: whatever was lost on the way, it finds by looking at the database, and sets going again."""

from __future__ import annotations

import datetime as dt
import logging
import threading

import redis
import rq

from eventstore.errors import StoreError
from eventstore.service import Matches
from workers.bell import ring

log = logging.getLogger("parlor.reconciler")


class Reconciler:
    def __init__(self, matches: Matches, bots: rq.Queue, *, every: float = 1.0) -> None:
        self._matches, self._bots, self._every = matches, bots, every
        self._stop = threading.Event()

    def sweep(self) -> int:
        """One look: rings for overdue bots, lets the clock act where it is due. Returns how much it found."""
        now = dt.datetime.now(dt.UTC)
        overdue = self._matches.store.overdue(now)
        for match_id in overdue:
            self._matches.time_up(match_id)
        late = self._matches.store.ring_again(now)
        for match_id, version, attempt in late:
            ring(self._bots, match_id, version, attempt)
        if late:
            log.info("rang again for %d turns", len(late))
        return len(overdue) + len(late)

    def run(self) -> None:
        while not self._stop.wait(self._every):
            try:
                self.sweep()
            except (StoreError, redis.RedisError) as error:
                log.warning("sweep put off: %s: %s", type(error).__name__, error)
            except Exception:
                log.exception("sweep failed")

    def stop(self) -> None:
        self._stop.set()
