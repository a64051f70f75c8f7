"""What bots do in whole matches among themselves: huff, double, take, drop, concede what is lost, and come to an end."""

from __future__ import annotations

import collections
import hashlib
from collections.abc import Iterator
from functools import cache
from typing import Any

import pytest

from domain import match
from domain.bots.thinking import at_once, done, thinking
from domain.games import BY_SLUG
from domain.games.checkers.events import Huffed
from domain.match import Happened, MatchEnded, Place

MATCHES = 3


def played(slug: str, levels: tuple[str, ...], number: int, iterations: int, **options: Any) -> Iterator[Happened]:
    """A match from the start to the end, through the same code that serves players."""
    seed = hashlib.sha256(f"habits {slug} {levels} {number}".encode()).digest()
    seats = tuple(Place("bot", None, level, "") for level in levels)
    opened = match.open_match(BY_SLUG[slug], "m", host="", seats=seats, options=options, seed=seed).match
    now = match.start(opened, "", seed).match
    while now.status == "playing":
        seat = match.waiting_bots(now)[0]
        thought = at_once(thinking(now, seat, seed, lambda n: n >= iterations))
        step = done(now, seat, thought, seed)
        yield from step.happened
        now = step.match


@pytest.mark.parametrize("level", ["steady", "strong"])
def test_at_checkers_bots_huff_who_overlooks_jumps(level: str) -> None:
    huffs = [
        one.event.seat
        for number in range(MATCHES)
        for one in played("checkers", (level, "random"), number, 2, games=1)
        if isinstance(one.event, Huffed)
    ]
    assert huffs.count(0) >= MATCHES


@cache
def stakes() -> collections.Counter[str]:
    """How often each thing happened over some short matches of Backgammon with the cube."""
    return collections.Counter(
        type(one.event).__name__
        for number in range(MATCHES)
        for one in played("backgammon", ("strong", "strong"), number, 0, target=3, cube=True)
    )


def test_at_backgammon_bots_double_take_and_drop() -> None:
    assert stakes()["DoubleOffered"] == stakes()["DoubleTaken"] + stakes()["DoubleDropped"]
    assert stakes()["DoubleTaken"] and stakes()["DoubleDropped"]


def test_at_backgammon_bots_concede_what_is_lost() -> None:
    assert stakes()["ConcessionOffered"]


@pytest.mark.parametrize("level", ["random", "steady"])
def test_matches_of_bots_come_to_an_end(level: str) -> None:
    """Also where neither a position that comes back nor anything but patience ends a game."""
    options = {"games": 1, "draw_repetition": 0, "draw_no_progress": 400}
    *_, last = played("checkers", (level, level), 1, 1, **options)
    assert isinstance(last.event, MatchEnded)
