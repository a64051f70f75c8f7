"""Every level at tables of every game: it answers with something legal, from what its seat can know, and the same
whenever it is asked again."""

from __future__ import annotations

import functools
import itertools
import os
import random
import subprocess
import sys
from collections.abc import Iterator
from typing import Any, NamedTuple

import pytest

from domain.bots.levels import LEVELS
from domain.bots.thinking import at_once
from domain.bots.turn import Thought, Turn
from domain.game import Game, Template
from domain.games import BY_SLUG, GAMES
from tests.domain import playing

STEPS = 80  # of a random match: what comes later is much like it
ITERATIONS = 2
every_game = pytest.mark.parametrize("game", GAMES, ids=lambda game: game.slug)


class Position(NamedTuple):
    """A table in mid-play, and a seat that may do something."""

    game: Game[Any]
    table: Any
    seat: int

    @property
    def commands(self) -> list[Any]:
        legal = self.game.legal(self.table, self.seat)
        return [command for command in legal if not isinstance(command, self.game.asides)] or list(legal)


def positions(game: Game[Any], seats: int, options: dict[str, Any]) -> Iterator[Position]:
    """In the course of a random match."""
    rng = random.Random(repr(("levels", game.slug, seats, sorted(options.items()))))
    for moment in itertools.islice(playing.random_match(game, seats, options, rng), STEPS):
        for seat in range(seats):
            if game.legal(moment.after, seat):
                yield Position(game, moment.after, seat)


def some_positions(game: Game[Any]) -> Iterator[Position]:
    """One at a small table and one at a large one, with something to choose where there is."""
    usual = list(game.usual_seats)
    for seats in sorted({usual[0], usual[-1]}):
        every = list(positions(game, seats, {}))
        choices = [one for one in every if len(one.commands) > 1 or isinstance(one.commands[0], Template)]
        yield random.Random(game.slug).choice(choices or every)


def thought(level: str, position: Position) -> Thought:
    game, table, seat = position
    turn = Turn(
        game,
        seat,
        game.view(table, seat),
        position.commands,
        lambda below: game.imagine(table, seat, below),
        random.Random(f"numbers of {seat}").randrange,
        lambda iterations: iterations >= ITERATIONS,
    )
    return at_once(LEVELS[level].search(turn))


@functools.cache
def thoughts(slug: str, level: str) -> list[tuple[Position, Thought]]:
    """What a level comes to in some positions of a game."""
    return [(position, thought(level, position)) for position in some_positions(BY_SLUG[slug])]


def told() -> Iterator[str]:
    for slug, level in itertools.product(BY_SLUG, LEVELS):
        for _, found in thoughts(slug, level):
            yield f"{slug} {level} {found.command!r} {found.iterations} {[value for _, value in found.weighed]}"


# ── Rules of thumb ──────────────────────────────────────────────────────────────────────────────────────────────


@every_game
def test_rules_of_thumb_give_whole_numbers_at_any_table(game: Game[Any]) -> None:
    """One for every command, and what the table is worth to every seat."""
    rng = random.Random(game.slug)
    for seats, options in playing.tables(game):
        for table, seat, commands in (
            (position.table, position.seat, position.commands)
            for position in itertools.islice(positions(game, seats, options), rng.randrange(4), None, 7)
        ):
            asked = [one.sample(rng.randrange) if isinstance(one, Template) else one for one in commands]
            scores = game.bot.rate(game.view(table, seat), asked)
            assert [type(score) for score in scores] == [int] * len(asked), (seats, options, asked)
            assert [type(points) for points in game.bot.worth(table)] == [int] * seats, (seats, options)


@every_game
def test_a_hand_is_judged_after_events_that_the_game_has(game: Game[Any]) -> None:
    assert set(game.bot.ends) <= set(game.events)


# ── Levels ──────────────────────────────────────────────────────────────────────────────────────────────────────


@every_game
@pytest.mark.parametrize("level", LEVELS)
def test_a_bot_answers_with_a_command_that_the_game_accepts(game: Game[Any], level: str) -> None:
    for position, found in thoughts(game.slug, level):
        game.decide(position.table, position.seat, found.command)


@every_game
@pytest.mark.parametrize("level", LEVELS)
def test_a_bot_goes_by_nothing_that_its_seat_cannot_know(game: Game[Any], level: str) -> None:
    """Two tables that look the same to a seat get the same answer from it."""
    for position, found in thoughts(game.slug, level):
        twin = game.imagine(position.table, position.seat, random.Random("twin").randrange)
        assert thought(level, position._replace(table=twin)) == found


def test_another_process_with_another_hash_seed_comes_to_the_same() -> None:
    other = subprocess.run(
        [sys.executable, "-c", "from tests.domain.bots.test_levels import told; print(*told(), sep='\\n')"],
        env=os.environ
        | {
            "PYTHONHASHSEED": "2" if os.environ.get("PYTHONHASHSEED") == "1" else "1",
            "PYTHONPATH": os.pathsep.join(sys.path),
        },
        capture_output=True,
        text=True,
    )
    assert other.stdout.splitlines() == list(told()), other.stderr
