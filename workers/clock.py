"""The clock: acts in matches whose deadlines have come, several at a time, nobody's long after anybody else's."""

from __future__ import annotations

import collections
import datetime as dt
import logging
import random
import threading
from collections.abc import Callable
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait
from typing import Final

from eventstore.errors import Unavailable
from eventstore.outbox import Deadline
from eventstore.service import Matches
from workers.threads import OF_THE_CLOCK
from workers.turns import pause_after

log = logging.getLogger("parlor.clock")

HANDFUL: Final = 32  # deadlines chosen at a time; what comes due meanwhile is weighed at the next choice
KNOWN_FAILURES: Final = 10_000


class Clock:
    def __init__(
        self,
        matches: Matches,
        *,
        every: float = 1.0,
        now: Callable[[], dt.datetime] = lambda: dt.datetime.now(dt.UTC),
    ) -> None:
        self._matches, self._every, self._now = matches, every, now
        self._outbox = matches.store.outbox
        self._failures: collections.Counter[str] = collections.Counter()
        self._stop = threading.Event()
        self._pool = ThreadPoolExecutor(OF_THE_CLOCK, thread_name_prefix="clock")

    def serve(self) -> int:
        """Acts until nothing is due any more. Returns in how many matches."""
        running: dict[Future[bool], str] = {}
        acted = 0
        while not self._stop.is_set():
            if len(running) <= OF_THE_CLOCK:
                busy = set(running.values())
                due = self._outbox.overdue(self._now(), HANDFUL)
                fresh = [deadline for deadline in due if deadline.match_id not in busy]
                # In any order: several clocks that choose the same handful then seldom meet at the same match.
                random.shuffle(fresh)
                running |= {self._pool.submit(self._act, deadline): deadline.match_id for deadline in fresh}
            if not running:
                break
            done, _ = wait(running, return_when=FIRST_COMPLETED)
            acted += sum(one.result() for one in done)
            running = {one: match_id for one, match_id in running.items() if one not in done}
        return acted

    def _act(self, deadline: Deadline) -> bool:
        """One match. Whatever is wrong with it is its own affair, and it is left alone for longer each time."""
        try:
            acted = self._matches.time_up(deadline.match_id)
        except Unavailable:
            raise
        except Exception:
            log.exception("the clock cannot act in match %s", deadline.match_id)
            acted = False
        if acted:
            self._failures.pop(deadline.match_id, None)
            return True
        # Where another clock was faster the deadline has changed, and nothing is put off.
        if len(self._failures) > KNOWN_FAILURES:
            self._failures.clear()
        self._failures[deadline.match_id] += 1
        pause = pause_after(self._failures[deadline.match_id])
        self._outbox.put_off_deadline(deadline, self._now() + pause)
        return False

    def run(self) -> None:
        while not self._stop.wait(self._until_next()):
            try:
                self.serve()
            except Unavailable as error:
                log.warning("the clock waits: %s", error)
            except Exception:
                log.exception("the clock failed")

    def _until_next(self) -> float:
        """Seconds to sleep: a deadline that is not known yet lies further ahead than that."""
        try:
            now = self._now()
            following = self._outbox.next_deadline(now)
        except Exception:
            return self._every
        return self._every if following is None else min(self._every, (following - now).total_seconds())

    def stop(self) -> None:
        self._stop.set()
