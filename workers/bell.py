"""The doorbell: an RQ job that says "there is work". What the work is, and whose turn comes first, is in PostgreSQL.

A ring that is lost is rung again.
"""

from __future__ import annotations

import heapq
import logging
import threading
import time
from typing import Any, Final

import redis
import rq
import rq.job
from redis.backoff import NoBackoff
from redis.retry import Retry
from rq.serializers import JSONSerializer
from rq.utils import import_attribute

log = logging.getLogger("parlor.bell")

QUEUE: Final = "bots"
PLAY_BOTS: Final = "workers.jobs.play_bots"
SECONDS_A_JOB: Final = 60
SECONDS_KEPT: Final = 60  # of a failed job; RQ would keep it for a year


def connect(url: str, patience: float | None = None) -> redis.Redis:
    """`patience` is for those who only want to know whether Redis answers: in so many seconds, and asked once."""
    if patience is None:
        return redis.Redis.from_url(url, socket_connect_timeout=2, socket_timeout=5, health_check_interval=30)
    once = Retry(NoBackoff(), 0)
    return redis.Redis.from_url(url, socket_connect_timeout=patience, socket_timeout=patience, retry=once)


class BotJob(rq.job.Job):
    """A job that can be nothing but a bot's turn.

    RQ calls whatever function a job names. Whoever can write to Redis must not be able to run code here, so neither
    pickled arguments nor other names are read.
    """

    @property
    def func(self) -> Any:
        if self.func_name != PLAY_BOTS:
            raise PermissionError(f"a job may not call {self.func_name}")
        return import_attribute(PLAY_BOTS)

    @property
    def success_callback(self) -> None:
        return None

    @property
    def failure_callback(self) -> None:
        return None

    @property
    def stopped_callback(self) -> None:
        return None


def bots_queue(connection: redis.Redis) -> rq.Queue:
    return rq.Queue(QUEUE, connection=connection, serializer=JSONSerializer, job_class=BotJob)


def worker(connection: redis.Redis) -> rq.SimpleWorker:
    """One queue a worker: only then does RQ survive the crash of a worker. No process a job: states stay warm."""
    return rq.SimpleWorker([bots_queue(connection)], connection=connection, serializer=JSONSerializer, job_class=BotJob)


def ring(bots: rq.Queue) -> None:
    """Calls one worker. A ring that waits already will be followed by a look at the table, and that is enough: a worker
    who finds more than one turn calls the next."""
    if not bots.count:
        bots.enqueue(PLAY_BOTS, job_timeout=SECONDS_A_JOB, result_ttl=0, failure_ttl=SECONDS_KEPT)


class Bell:
    """Rings from a thread of its own, so that no command waits for Redis; at once, or when a pause is over."""

    def __init__(self, url: str) -> None:
        self._bots = bots_queue(connect(url))
        self._times: list[float] = []
        self._changed = threading.Condition()
        self._thread: threading.Thread | None = None

    def __call__(self, seconds: float = 0.0) -> None:
        at = time.monotonic() + seconds
        with self._changed:
            if self._thread is None:
                self._thread = threading.Thread(target=self._run, name="bell", daemon=True)
                self._thread.start()
            heapq.heappush(self._times, at)
            if self._times[0] == at:
                self._changed.notify()

    def _run(self) -> None:
        while True:
            self._wait()
            try:
                ring(self._bots)
            except redis.RedisError as error:
                # The rows in the outbox stay; the reconciler rings when Redis is back.
                log.warning("bell not rung: %s", type(error).__name__)

    def _wait(self) -> None:
        """Until a ring is due. All that are due are one ring."""
        with self._changed:
            while not self._times or self._times[0] > time.monotonic():
                self._changed.wait(self._times[0] - time.monotonic() if self._times else None)
            while self._times and self._times[0] <= time.monotonic():
                heapq.heappop(self._times)
