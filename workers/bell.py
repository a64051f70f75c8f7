"""The doorbell: an RQ job that says "there is work". What the work is, and whose turn comes first, is in PostgreSQL.

A ring that is lost is rung again.
"""

from __future__ import annotations

import heapq
import logging
import threading
import time
import uuid
from collections.abc import Callable, Sequence
from typing import Any, Final, NamedTuple

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
MOVED: Final = "parlor:moved"  # where matches that have moved are told of
BREATH: Final = 0.01  # seconds after telling, in which more can come together
PAUSE: Final = 0.2  # seconds after Redis has failed us
SILENCE: Final = 15.0  # seconds after which a line is asked whether it is still there
DEAF_SECONDS: Final = 1.0
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


class Move(NamedTuple):
    """A match has come to a version, and these people may want to know."""

    version: int
    people: Sequence[str]


Heard = Callable[[dict[str, Move]], None]


class Bell:
    """Rings from a thread of its own, so that no command waits for Redis; at once, or when a pause is over.

    It also tells the other processes which matches have moved, as far as anybody listens: whoever does not hear it
    finds out a little later.
    """

    def __init__(self, url: str, server: str = "") -> None:
        self._server = server or uuid.uuid4().hex
        self._redis = connect(url)
        self._bots = bots_queue(self._redis)
        self._times: list[float] = []
        self._moved: dict[str, Move] = {}
        self._changed = threading.Condition()
        self._thread: threading.Thread | None = None

    def __call__(self, seconds: float = 0.0) -> None:
        at = time.monotonic() + seconds
        with self._changed:
            self._start()
            heapq.heappush(self._times, at)
            if self._times[0] == at:
                self._changed.notify()

    def moved(self, match_id: str, version: int, people: Sequence[str]) -> None:
        """A match that concerns these people has come to a version."""
        with self._changed:
            self._start()
            self._moved[match_id] = Move(version, people)
            if len(self._moved) == 1:
                self._changed.notify()

    def _start(self) -> None:
        if self._thread is None:
            self._thread = threading.Thread(target=self._run, name="bell", daemon=True)
            self._thread.start()

    def _run(self) -> None:
        while True:
            due, moved = self._wait()
            try:
                if moved:
                    lines = (_written(its_id, move) for its_id, move in moved.items())
                    self._redis.publish(MOVED, "\n".join([self._server, *lines]))
                if due:
                    ring(self._bots)
            except redis.RedisError as error:
                # The rows in the outbox stay; the reconciler rings when Redis is back.
                log.warning("bell not rung: %s", type(error).__name__)
                time.sleep(PAUSE)
            if moved:
                time.sleep(BREATH)

    def _wait(self) -> tuple[bool, dict[str, Move]]:
        """Until there is something to say. All rings that are due are one, and all that moved is told together."""
        with self._changed:
            while not self._moved and not self._due():
                self._changed.wait(self._times[0] - time.monotonic() if self._times else None)
            due = self._due()
            while self._due():
                heapq.heappop(self._times)
            moved, self._moved = self._moved, {}
            return due, moved

    def _due(self) -> bool:
        return bool(self._times) and self._times[0] <= time.monotonic()


class Ear(threading.Thread):
    """Listens for what is said of matches that have moved, as long as Redis is there.

    Some want to hear of all of them, some only of what other servers say: they know of their own already.
    """

    def __init__(self, url: str, server: str, *, of_all: Heard, of_others: Heard) -> None:
        super().__init__(name="ear", daemon=True)
        self._url, self._server, self._of_all, self._of_others = url, server, of_all, of_others

    def run(self) -> None:
        while True:
            try:
                self._listen()
            except redis.RedisError as error:
                log.debug("nothing is heard: %s", type(error).__name__)
            time.sleep(DEAF_SECONDS)

    def _listen(self) -> None:
        with connect(self._url).pubsub(ignore_subscribe_messages=True) as line:
            line.subscribe(MOVED)
            while True:
                message = line.get_message(timeout=SILENCE)
                if message is None:
                    line.ping()
                    continue
                try:
                    server, _, lines = message["data"].decode().partition("\n")
                    moves = dict(map(_read, lines.splitlines()))
                except ValueError:  # whoever can write to Redis can say what he likes
                    log.warning("something was said on %s that is not ours", MOVED)
                    continue
                self._of_all(moves)
                if server != self._server:
                    self._of_others(moves)


def _written(match_id: str, move: Move) -> str:
    return f"{match_id} {move.version} {' '.join(move.people)}"


def _read(line: str) -> tuple[str, Move]:
    match_id, version, *people = line.split()
    return match_id, Move(int(version), people)
