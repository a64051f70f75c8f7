"""The doorbell: an RQ job for every match in which a bot is to act.

PostgreSQL is the truth: a ring that is lost is rung again.
"""

from __future__ import annotations

import logging
import queue
import threading
from typing import Any, Final

import redis
import rq
import rq.job
from rq.serializers import JSONSerializer
from rq.utils import import_attribute

log = logging.getLogger("parlor.bell")

QUEUE: Final = "bots"
PLAY_BOTS: Final = "workers.jobs.play_bots"
SECONDS_A_JOB: Final = 60
SECONDS_KEPT: Final = 60  # a failed job's id would stay taken for a year


def connect(url: str) -> redis.Redis:
    return redis.Redis.from_url(url, socket_connect_timeout=2, socket_timeout=5, health_check_interval=30)


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


def ring(bots: rq.Queue, match_id: str, version: int, attempt: int) -> None:
    """Asks a worker to look after this match. The id makes a second ring for the same turn fall on deaf ears."""
    job_id = f"{match_id}_{version}_{attempt}"
    try:
        bots.enqueue(
            PLAY_BOTS,
            match_id,
            job_id=job_id,
            unique=True,
            job_timeout=SECONDS_A_JOB,
            result_ttl=0,
            failure_ttl=SECONDS_KEPT,
            ttl=SECONDS_KEPT,
        )
    except rq.exceptions.DuplicateJobError:
        log.debug("%s is on its way", job_id)


class Bell:
    """Rings from a thread of its own, so that no command waits for Redis."""

    def __init__(self, url: str) -> None:
        self._bots = bots_queue(connect(url))
        self._waiting: queue.SimpleQueue[tuple[str, int]] = queue.SimpleQueue()
        self._thread: threading.Thread | None = None
        self._lock = threading.Lock()

    def __call__(self, match_id: str, version: int) -> None:
        if self._thread is None:
            with self._lock:
                if self._thread is None:
                    self._thread = threading.Thread(target=self._run, name="bell", daemon=True)
                    self._thread.start()
        self._waiting.put((match_id, version))

    def _run(self) -> None:
        while True:
            match_id, version = self._waiting.get()
            try:
                ring(self._bots, match_id, version, 0)
            except redis.RedisError as error:
                # The row in the outbox stays; the reconciler rings when Redis is back.
                log.warning("bell for %s not rung: %s", match_id, type(error).__name__)
