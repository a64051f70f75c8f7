"""`parlor simulate`: matches between bots in memory, on all cores, and what they say about the levels."""

from __future__ import annotations

import collections
import csv
import hashlib
import math
import multiprocessing
import os
import pathlib
import secrets
import time
from collections.abc import Iterator, Mapping, Sequence
from concurrent.futures import Executor, Future, ProcessPoolExecutor, as_completed
from concurrent.futures.process import BrokenProcessPool
from typing import Any, Final, NamedTuple

import click
from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn
from rich.table import Table

from api.typed import table_option
from domain import match
from domain.bots.levels import LEVELS
from domain.bots.thinking import at_once, decided, thinking
from domain.game import Refused, Unreadable
from domain.games import BY_SLUG

SURE: Final = 1.96  # standard errors: 95 %
LARGEST_BATCH: Final = 50  # matches that a process is given at once


class Asked(NamedTuple):
    """What is to be played. The same is played whenever the same is asked for, on however many cores."""

    slug: str
    levels: tuple[str, ...]  # by seat
    options: Mapping[str, Any]
    iterations: int
    seed: str


class Played(NamedTuple):
    """What became of one match."""

    number: int
    places: tuple[int, ...]
    scores: tuple[int, ...]
    reason: str
    events: int
    turns: int = 0


def one_match(asked: Asked, number: int) -> Played:
    """From the first deal to the last, through the same code that serves players."""
    seed = hashlib.sha256(f"{asked.seed}|{number}".encode()).digest()
    places = tuple(match.Place("bot", None, level, "") for level in asked.levels)
    game = BY_SLUG[asked.slug]
    opened = match.open_match(game, "simulated", host="", seats=places, options=asked.options, seed=seed)
    now = match.start(opened.match, "", seed).match
    turns = 0
    while now.status == "playing":
        turns += 1
        seat = match.waiting_bots(now)[0]
        thought = at_once(thinking(now, seat, seed, lambda iterations: iterations >= asked.iterations))
        now = match.play_as_bot(now, seat, thought.command, seed, decided(now, seat, thought)).match
    assert now.ended is not None
    return Played(number, tuple(now.ended.places), tuple(now.ended.scores), now.ended.reason, now.version, turns)


def _batch(asked: Asked, numbers: range) -> list[Played]:
    return [one_match(asked, number) for number in numbers]


def played(asked: Asked, count: int, jobs: int) -> Iterator[list[Played]]:
    """All matches, in batches as they come."""
    size = max(1, min(LARGEST_BATCH, count // (8 * jobs)))
    batches = [range(first, min(first + size, count)) for first in range(0, count, size)]
    if jobs == 1:
        yield from (_batch(asked, numbers) for numbers in batches)
        return
    # Begun anew and not forked: whoever asks may have threads.
    pool = ProcessPoolExecutor(min(jobs, len(batches)), multiprocessing.get_context("spawn"))
    try:
        yield from _in(pool, asked, batches)
    except BrokenProcessPool:
        raise click.ClickException("one of the processes was killed; is there enough memory for --jobs?") from None
    finally:
        pool.shutdown(cancel_futures=True)


def _in(pool: Executor, asked: Asked, batches: Sequence[range]) -> Iterator[list[Played]]:
    running: list[Future[list[Played]]] = [pool.submit(_batch, asked, numbers) for numbers in batches]
    for one in as_completed(running):
        yield one.result()


# ── What they come to ───────────────────────────────────────────────────────────────────────────────────────────


class Standing(NamedTuple):
    """How a seat has done."""

    won: int  # shared first places among them
    share: tuple[float, float]  # of matches won: from, to
    mean: float
    error: float  # of the mean score


def standing(seat: int, matches: Sequence[Played]) -> Standing:
    count = len(matches)
    won = sum(one.places[seat] == 1 for one in matches)
    scores = [one.scores[seat] for one in matches]
    mean = sum(scores) / count
    spread = sum((score - mean) ** 2 for score in scores) / max(1, count - 1)
    return Standing(won, interval(won, count), mean, SURE * math.sqrt(spread / count))


def interval(won: float, count: int, sure: float = SURE) -> tuple[float, float]:
    """Wilson's: where the true share lies, 95 times in 100. It is right also for few matches, and near 0 and 1.

    >>> [f"{bound:.3f}" for bound in interval(5, 10)], [f"{bound:.3f}" for bound in interval(10, 10)]
    (['0.237', '0.763'], ['0.722', '1.000'])
    """
    share, z = won / count, sure * sure / count
    middle, reach = share + z / 2, math.sqrt(z * (share * (1 - share) + z / 4))
    return max(0.0, (middle - reach) / (1 + z)), min(1.0, (middle + reach) / (1 + z))


def simulate(asked: Asked, count: int, jobs: int, file: pathlib.Path | None, console: Console) -> None:
    title = BY_SLUG[asked.slug].title
    found: list[Played] = []
    began = time.perf_counter()
    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn())
    with Progress(*columns, console=console) as progress:
        bar = progress.add_task(title, total=count)
        for batch in played(asked, count, jobs):
            found += batch
            progress.advance(bar, len(batch))
    took = time.perf_counter() - began
    found.sort()
    if file is not None:
        write(file, asked, found)
    console.print(summary(f"{count} matches of {title}, seed {asked.seed}", asked, found))
    reasons = collections.Counter(one.reason for one in found)
    ended = ", ".join(f"{reason} {times}" for reason, times in reasons.most_common())
    events = sum(one.events for one in found)
    console.print(f"{events / count:,.0f} events a match, {events / took:,.0f} events/s; ended by: {ended}")


def summary(title: str, asked: Asked, matches: Sequence[Played]) -> Table:
    found = Table(title=title)
    for heading in ("seat", "level", "won", "share", "95 %", "mean score", "± 95 %"):
        found.add_column(heading, justify="left" if heading == "level" else "right")
    for seat, level in enumerate(asked.levels):
        one = standing(seat, matches)
        low, high = one.share
        share = f"{one.won / len(matches):.1%}"
        found.add_row(
            str(seat), level, str(one.won), share, f"{low:.1%} to {high:.1%}", f"{one.mean:.2f}", f"{one.error:.2f}"
        )
    return found


def write(file: pathlib.Path, asked: Asked, matches: Sequence[Played]) -> None:
    """A row for every seat of every match."""
    with file.open("w", newline="") as target:
        rows = csv.writer(target)
        rows.writerow(["match", "seat", "level", "place", "score", "reason", "events"])
        for one in matches:
            for seat, level in enumerate(asked.levels):
                rows.writerow([one.number, seat, level, one.places[seat], one.scores[seat], one.reason, one.events])


# ── The command ─────────────────────────────────────────────────────────────────────────────────────────────────


@click.command(name="simulate")
@click.argument("game", type=click.Choice(sorted(BY_SLUG)))
@click.option("--matches", "count", default=100, show_default=True, type=click.IntRange(1, 1_000_000))
@click.option("--seats", type=click.IntRange(1, 16), help="number of seats; without it the smallest table")
@click.option("--level", default="random", show_default=True, type=click.Choice(sorted(LEVELS)))
@click.option("--seat", "seated", multiple=True, metavar="SEAT=LEVEL", help="another level for a seat; may be repeated")
@click.option("--option", "options", multiple=True, metavar="NAME=VALUE", help="a table option; may be repeated")
@click.option("--iterations", default=8, show_default=True, type=click.IntRange(1, 1_000_000), help="of a search")
@click.option("--jobs", type=click.IntRange(1, 256), help="processes; without it one a core")
@click.option("--seed", help="plays the same matches again; without it others each time")
@click.option("--csv", "file", type=click.Path(dir_okay=False, writable=True, path_type=pathlib.Path))
def simulate_command(
    game: str,
    count: int,
    seats: int | None,
    level: str,
    seated: tuple[str, ...],
    options: tuple[str, ...],
    iterations: int,
    jobs: int | None,
    seed: str | None,
    file: pathlib.Path | None,
) -> None:
    """Play matches between bots, in memory, and sum them up."""
    given = dict(table_option(text) for text in options)
    seats = seats or BY_SLUG[game].seats[0]
    try:
        BY_SLUG[game].new_table(given, seats)
    except (Refused, Unreadable) as error:
        raise click.ClickException(str(error)) from None
    if file is not None and not file.parent.is_dir():
        raise click.ClickException(f"there is no folder {file.parent} for {file.name}")
    levels = {**dict.fromkeys(range(seats), level), **dict(_seated(text, seats) for text in seated)}
    asked = Asked(game, tuple(levels.values()), given, iterations, seed or secrets.token_hex(4))
    simulate(asked, count, jobs or os.cpu_count() or 1, file, Console())


def _seated(text: str, seats: int) -> tuple[int, str]:
    seat, _, level = text.partition("=")
    if not seat.isdigit() or int(seat) >= seats or level not in LEVELS:
        known = ", ".join(sorted(LEVELS))
        raise click.BadParameter(f"{text!r} is not SEAT=LEVEL with a seat from 0 to {seats - 1} and one of {known}")
    return int(seat), level
