"""The reconciler: whatever was lost on the way, it finds by looking at the database, and sets going again."""

from __future__ import annotations

import datetime as dt
import logging
import threading
import time
from collections.abc import Callable
from typing import Final

import redis
import rq

from eventstore.errors import StoreError
from eventstore.recovery import Recovery
from eventstore.service import Matches
from workers.bell import ring
from workers.clock import Clock
from workers.notary import Notary
from workers.post import Post
from workers.scorer import Scorer

log = logging.getLogger("parlor.reconciler")

SET_BACK: Final = 2.0  # seconds that the clock of the day may fall behind the one that only counts
BETWEEN_REVIEWS: Final = 30.0


class Reconciler:
    def __init__(
        self,
        matches: Matches,
        bots: rq.Queue,
        *,
        every: float = 1.0,
        open_hours: int = 168,
        post: Post | None = None,
        scorer: Scorer | None = None,
        notary: Notary | None = None,
        now: Callable[[], dt.datetime] = lambda: dt.datetime.now(dt.UTC),
    ) -> None:
        self._matches, self._bots, self._every, self._now = matches, bots, every, now
        self._outbox = matches.store.outbox
        self._patience = dt.timedelta(hours=open_hours)  # with tables that do not start
        self._recovery = Recovery(matches.store.database, now=now)
        self.clock = Clock(matches, every=every, now=now)
        # What runs beside it, each in a thread of its own.
        self._beside = [one for one in (self.clock, post, scorer, notary) if one is not None]
        self._stop = threading.Event()
        self._reviewed: tuple[float, dt.datetime] | None = None

    def sweep(self) -> bool:
        """One look at the bots: rings if any is to act. Other workers than those at play may be free."""
        if self._review_is_due():
            self.review()
        self._matches.see_off()
        waiting = bool(self._outbox.due(self._now(), 1))
        if waiting:
            ring(self._bots)
        return waiting

    # ── A clock that was set back ───────────────────────────────────────────────────────────────────────────────

    def _review_is_due(self) -> bool:
        """At the start, when our clock was set back, and now and then, because another machine's may have been."""
        if self._reviewed is None:
            return True
        counted, told = self._reviewed
        passed = time.monotonic() - counted
        return passed > BETWEEN_REVIEWS or (self._now() - told).total_seconds() < passed - SET_BACK

    def review(self) -> None:
        """Nobody waits for a time that a clock gave which was ahead."""
        now = self._now()
        self._reviewed = (time.monotonic(), now)
        for turn in self._outbox.stranded(now):
            log.warning("a bot's turn in match %s lay ahead of the clock", turn.match_id)
            self._outbox.bring_back(turn, now)
        for match_id in self._outbox.from_the_future(now):
            try:
                self._matches.mend_deadlines(match_id)
            except Exception:
                log.exception("the deadlines of match %s cannot be mended", match_id)
        for match_id in self._outbox.stale_tables(now - self._patience):
            try:
                self._matches.expire(match_id)
            except Exception:
                log.exception("match %s, which nobody joins, cannot be cancelled", match_id)
        self._recovery.sweep()

    # ── Running ─────────────────────────────────────────────────────────────────────────────────────────────────

    def run(self) -> None:
        threads = [threading.Thread(target=one.run, name=type(one).__name__.lower()) for one in self._beside]
        for thread in threads:
            thread.start()
        while not self._stop.wait(self._every):
            try:
                self.sweep()
            except (StoreError, redis.RedisError) as error:
                log.warning("sweep put off: %s: %s", type(error).__name__, error)
            except Exception:
                log.exception("sweep failed")
        for thread in threads:
            thread.join()

    def stop(self) -> None:
        self._stop.set()
        for one in self._beside:
            one.stop()
