"""Imagination: a whole table that a seat could be sitting at, and nothing that it could not know.

Two laws hold for every game. The seat sees the same before and after; and two tables that it cannot tell apart imagine
the same under the same random numbers, so that nothing can cheat through what it imagines.
"""

from __future__ import annotations

import json
import random
from typing import Any

import pytest

from domain.game import CHANCE, Game, Refused, Template
from domain.games import GAMES
from domain.wire import write_command
from tests.domain import playing

every_game = pytest.mark.parametrize("game", GAMES, ids=lambda game: game.slug)


def seen(game: Game[Any], table: Any, seat: int, strangers: list[Any]) -> str:
    """All that a seat can ask for, byte by byte: its view, its list, who is to act, and what it would be refused."""
    legal = [write_command(command) for command in game.legal(table, seat)]
    asked = [refusal(game, table, seat, command) for command in strangers]
    return json.dumps(
        [game.view(table, seat), legal, sorted(game.to_act(table)), game.alarm(table), asked], sort_keys=True
    )


def refusal(game: Game[Any], table: Any, seat: int, command: Any) -> Any:
    try:
        game.decide(table, seat, command)
    except Refused as refused:
        return [refused.rule, refused.code, refused.text]
    return None


def moments(game: Game[Any], rng: random.Random) -> Any:
    """Tables of random matches at every seat count and with every option value, each with a seat that looks at it."""
    for seats, options in playing.tables(game):
        pool: list[Any] = []
        for n, moment in enumerate(playing.random_match(game, seats, options, rng)):
            if moment.seat >= 0 and not isinstance(moment.command, Template):
                pool.append(moment.command)
            if CHANCE in game.to_act(moment.after) or not game.to_act(moment.after):
                continue
            if rng.random() < 0.15:
                yield moment.after, rng.randrange(seats), rng.sample(pool, min(6, len(pool)))
            if n > 120:
                break


@every_game
def test_a_seat_sees_the_same_at_a_table_it_imagines(game: Game[Any]) -> None:
    rng = random.Random(f"imagine {game.slug}")
    looked = 0
    for table, seat, strangers in moments(game, rng):
        imagined = game.imagine(table, seat, rng.randrange)
        assert seen(game, imagined, seat, strangers) == seen(game, table, seat, strangers)
        looked += 1
    assert looked > 20


@every_game
def test_tables_that_a_seat_cannot_tell_apart_imagine_the_same(game: Game[Any]) -> None:
    """A table and what was imagined from it are such a pair."""
    rng = random.Random(f"twins {game.slug}")
    for table, seat, _ in moments(game, rng):
        twin = game.imagine(table, seat, rng.randrange)
        number = rng.random()
        ours = game.imagine(table, seat, random.Random(number).randrange)
        theirs = game.imagine(twin, seat, random.Random(number).randrange)
        assert ours == theirs
