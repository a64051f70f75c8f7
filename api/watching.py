"""Eyes on the bots: `parlor bots` shows a table that stays up to date, `/metrics` gives the same as numbers."""

from __future__ import annotations

import contextlib
import datetime as dt
import threading
import time
from collections.abc import Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from concurrent.futures import TimeoutError as TakesTooLong
from typing import Final, NamedTuple

import redis
from prometheus_client.metrics_core import CounterMetricFamily, GaugeMetricFamily, Metric
from rich.console import Console, Group, RenderableType
from rich.live import Live
from rich.table import Table

from eventstore.db import Database
from eventstore.errors import Unavailable
from eventstore.overview import Overview, overview
from workers.bell import bots_queue, connect
from workers.presence import Sight, workers

EVERY: Final = 1.0  # seconds between two looks
PATIENCE: Final = 0.5  # seconds that whoever asks for numbers waits for them
PIPE_WIDTH: Final = 160


class Seen(NamedTuple):
    """How it stood when we looked. What did not answer is None."""

    at: dt.datetime
    overview: Overview | None
    workers: list[Sight] | None
    rings: int | None  # that wait in Redis for a worker


def look(database: Database, bell: redis.Redis) -> Seen:
    now = dt.datetime.now(dt.UTC)
    there: Overview | None = None
    crew: list[Sight] | None = None
    rings: int | None = None
    with contextlib.suppress(Unavailable):
        there = overview(database, now)
    with contextlib.suppress(redis.RedisError):
        crew, rings = workers(bell), bots_queue(bell).count
    return Seen(now, there, crew, rings)


# ── For people ──────────────────────────────────────────────────────────────────────────────────────────────────


def watch(database: Database, redis_url: str, console: Console, *, once: bool) -> bool:
    """Shows how it stands, until Ctrl-C; once where nobody could see it change. False: the database did not answer."""
    bell = connect(redis_url, patience=PATIENCE)
    if once or not console.is_terminal:
        seen = look(database, bell)
        console.print(shown(seen))
        return seen.overview is not None
    first = shown(look(database, bell))
    with contextlib.suppress(KeyboardInterrupt), Live(first, console=console, auto_refresh=False) as live:
        while True:
            time.sleep(EVERY)
            live.update(shown(look(database, bell)), refresh=True)
    return True


def shown(seen: Seen) -> RenderableType:
    return Group(*_lines(seen), _queues(seen), _crew(seen))


def _lines(seen: Seen) -> Iterator[str]:
    yield f"Bots at {seen.at:%Y-%m-%d %H:%M:%S} UTC"
    if seen.overview is None:
        yield "the database does not answer"
    else:
        one = seen.overview
        yield (
            f"oldest waiting turn {one.oldest:.1f} s · fall-backs {one.fallen_back_lately} in the last hour, "
            f"{one.fallen_back} in all · dead letters {one.dead_letters}"
        )
    if seen.workers is None:
        yield "Redis does not answer: bots wait, and workers cannot be seen"
    else:
        rate = sum(worker.rate for worker in seen.workers)
        yield f"{rate:,.1f} turns/s by {len(seen.workers)} workers · rings waiting {seen.rings}"


def _queues(seen: Seen) -> Table:
    found = Table("queue", "waiting", "taken", "tried before", "oldest", title="Turns", title_justify="left")
    for column in found.columns[1:]:
        column.justify = "right"
    for queue in seen.overview.queues if seen.overview else ():
        numbers = map(str, (queue.waiting, queue.taken, queue.retried))
        found.add_row(queue.name, *numbers, f"{queue.oldest:.1f} s")
    return found


def _crew(seen: Seen) -> Table:
    headings = ("worker", "turns", "turns/s", "game", "match", "seat", "level", "for")
    found = Table(*headings, title="Workers, and what they think about", title_justify="left")
    for n in (1, 2, 5, 7):
        found.columns[n].justify = "right"
    for worker in seen.workers or ():
        numbers = (worker.name, f"{worker.turns:,}", f"{worker.rate:,.1f}")
        if not worker.thinking:
            found.add_row(*numbers, "", "", "", "", "")
        for n, one in enumerate(worker.thinking):
            since = max(0.0, (seen.at - one.since).total_seconds())
            what = (one.game, one.match, str(one.seat), one.level, f"{since:.1f} s")
            found.add_row(*(numbers if n == 0 else ("", "", "")), *what)
    return found


# ── For programs ────────────────────────────────────────────────────────────────────────────────────────────────


class Glance:
    """The last look, not older than a second where it can be had. Nobody who asks is kept waiting by a server that does
    not answer."""

    def __init__(self, database_url: str, redis_url: str) -> None:
        self._database = Database(database_url, PATIENCE)
        self._bell = connect(redis_url, patience=PATIENCE)
        self._looking = ThreadPoolExecutor(1, "glance")
        self._lock = threading.Lock()
        self._last: tuple[float, Future[Seen]] | None = None

    def seen(self) -> Seen | None:
        with self._lock:
            if self._last is None or (self._last[1].done() and time.monotonic() - self._last[0] >= EVERY):
                self._last = time.monotonic(), self._looking.submit(look, self._database, self._bell)
            coming = self._last[1]
        try:
            return coming.result(PATIENCE)
        except TakesTooLong:
            return None


def metrics(seen: Seen | None) -> Iterator[Metric]:
    """They name no match: who may read numbers may not therefore know which bot thinks at which table."""
    there, crew = (seen.overview, seen.workers) if seen else (None, None)
    yield GaugeMetricFamily("parlor_database_up", "Whether the database answers", value=there is not None)
    yield GaugeMetricFamily("parlor_redis_up", "Whether Redis answers", value=crew is not None)
    if there is not None:
        yield from _of_queues(there)
    if crew is not None:
        yield from _of_workers(seen, crew) if seen else ()


def _of_queues(there: Overview) -> Iterator[Metric]:
    for name, text in (
        ("waiting", "Turns of bots that a worker could take now"),
        ("taken", "Turns of bots that a worker has, or that are put off after they failed"),
        ("retried", "Turns of bots that have failed before, or whose worker died"),
    ):
        gauge = GaugeMetricFamily(f"parlor_bot_turns_{name}", text, labels=["queue"])
        for queue in there.queues:
            gauge.add_metric([queue.name], queue._asdict()[name])
        yield gauge
    oldest = GaugeMetricFamily("parlor_bot_turns_oldest_seconds", "How long the first has waited", labels=["queue"])
    for queue in there.queues:
        oldest.add_metric([queue.name], queue.oldest)
    yield oldest
    yield CounterMetricFamily("parlor_bots_fallen_back", "Bots that could not decide", value=there.fallen_back)
    yield GaugeMetricFamily("parlor_dead_letters", "Deliveries that no webhook took", value=there.dead_letters)


def _of_workers(seen: Seen, crew: list[Sight]) -> Iterator[Metric]:
    yield GaugeMetricFamily("parlor_rings_waiting", "Calls that wait for a worker", value=seen.rings)
    yield GaugeMetricFamily("parlor_workers", "Workers that told of themselves within seconds", value=len(crew))
    turns = CounterMetricFamily("parlor_worker_turns", "Turns that a worker has played", labels=["worker"])
    rates = GaugeMetricFamily("parlor_worker_turns_per_second", "The same by the second, lately", labels=["worker"])
    thinks = GaugeMetricFamily(
        "parlor_worker_thinking_seconds",
        "How long the thought has taken that a worker is at",
        labels=["worker", "level"],
    )
    for worker in crew:
        turns.add_metric([worker.name], worker.turns)
        rates.add_metric([worker.name], worker.rate)
        for one in worker.thinking[-1:]:
            thinks.add_metric([worker.name, one.level], max(0.0, (seen.at - one.since).total_seconds()))
    yield from (turns, rates, thinks)
