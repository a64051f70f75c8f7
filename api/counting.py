"""Requests are counted in the process, so that none of them waits, and told to the others in the background.

A limit holds for a window of the clock, the same for all processes and keys. What a process does not know is what the
others have counted since they last told. So a limit may be passed by a second's worth of requests, and by the little
that is not worth telling; never by more.
"""

from __future__ import annotations

import logging
import math
import threading
import time
from collections.abc import Sequence
from typing import Final

import redis

from eventstore.players import hash_of
from eventstore.settings import Rate

log = logging.getLogger("parlor.rates")

TELL_SECONDS: Final = 1.0
QUIET: Final = 20  # who has spent less than a twentieth is not told about
KEYS: Final = 100_000  # that are counted at once; beyond that the quiet ones are forgotten


class Counts:
    """How often each key came in the present window, here and elsewhere.

    >>> counts = Counts("knocks", Rate(2, "minute"))
    >>> [counts.spend("ann", now) for now in (0, 1.5, 59, 60)]
    [1, 0, -1, 1]
    >>> counts.seconds_left(61.5)
    59
    """

    def __init__(self, name: str, rate: Rate) -> None:
        self.name, self.rate = name, rate
        self._amount, self._seconds, self._quiet = rate.amount, rate.seconds, rate.amount // QUIET
        self._lock = threading.Lock()
        self._begin(-1)

    def _begin(self, window: int) -> None:
        self._window, self._ends = window, (window + 1) * self._seconds
        self._here: dict[str, int] = {}
        self._told: dict[str, int] = {}  # how much of it the others were told
        self._elsewhere: dict[str, int] = {}

    def spend(self, key: str, now: float) -> int:
        """How many are left after this one. Less than none: it was one too many, and is not counted."""
        with self._lock:
            left = self._left(key, now) - 1
            if left >= 0:
                self._here[key] = self._here.get(key, 0) + 1
                if len(self._here) > KEYS:
                    self._here = {key: n for key, n in self._here.items() if n > self._quiet}
            return left if left >= 0 else -1

    def left(self, key: str, now: float) -> int:
        """How many more there may be."""
        with self._lock:
            return max(0, self._left(key, now))

    def _left(self, key: str, now: float) -> int:
        if now >= self._ends or now < self._ends - self._seconds:
            self._begin(int(now // self._seconds))
        left = self._amount - self._here.get(key, 0)
        return left - self._elsewhere.get(key, 0) if self._elsewhere else left

    def seconds_left(self, now: float) -> int:
        """Until the next window."""
        return math.ceil(self._ends - now)

    def untold(self) -> tuple[int, dict[str, int]]:
        """The window, and what the others do not know about it yet, by key."""
        with self._lock:
            told = self._told.get
            return self._window, {key: n - told(key, 0) for key, n in self._here.items() if n > self._quiet}

    def heard(self, window: int, news: dict[str, int], totals: dict[str, int]) -> None:
        """The others know the news now, and all together have counted the totals."""
        with self._lock:
            if window == self._window:
                for key, total in totals.items():
                    told = self._told[key] = self._told.get(key, 0) + news[key]
                    self._elsewhere[key] = max(0, total - told)  # Redis may have forgotten


class Talk:
    """Tells other processes through Redis what was counted here, and hears what was counted there."""

    def __init__(self, counted: Sequence[Counts], connection: redis.Redis) -> None:
        self._counted, self._connection = counted, connection
        self._thread: threading.Thread | None = None
        self._starting = threading.Lock()

    def begin(self) -> None:
        """Called with every request, in the process that counts: threads are not inherited."""
        if self._thread is not None:
            return
        with self._starting:
            if self._thread is None:
                self._thread = threading.Thread(target=self._run, name="rates", daemon=True)
                self._thread.start()

    def _run(self) -> None:
        while True:
            time.sleep(TELL_SECONDS)
            try:
                self.once()
            except redis.RedisError as error:
                # Each process goes on counting by itself.
                log.debug("rates not told: %s", type(error).__name__)

    def once(self) -> None:
        for counts in self._counted:
            window, news = counts.untold()
            if not news:
                continue
            with self._connection.pipeline(transaction=False) as pipe:
                for key, times in news.items():
                    name = f"parlor:rate:{counts.name}:{window}:{hash_of(key).hex()}"  # the key may be a token
                    pipe.incrby(name, times)
                    pipe.expire(name, 2 * counts.rate.seconds)
                totals = pipe.execute()[::2]
            counts.heard(window, news, dict(zip(news, totals, strict=True)))
