"""Playouts: how far they go, and that the faster ones come to the same."""

from __future__ import annotations

import random
from dataclasses import replace
from itertools import islice
from typing import Any

import pytest

from domain.bots.rollouts import played_out
from domain.game import Game, never_faster
from domain.games import GAMES, aviation, trix
from tests.domain import playing

FASTER = [game for game in GAMES if game.bot.played_out is not never_faster]
STEPS = 150  # of a random match: into its second hand
ENOUGH = 100  # playouts of a game, over all its tables


def found(game: Game[Any], table: Any, command: Any, faster: bool) -> list[int] | None:
    """What a playout of this command comes to, with luck that is always the same."""
    (seat,) = game.to_act(table)
    luck = random.Random("luck").randrange
    if not faster:
        return list(played_out(game, table, seat, command, luck))
    worth = game.bot.played_out(table, seat, command, luck)
    return None if worth is None else list(worth)


@pytest.mark.parametrize("game", FASTER, ids=lambda game: game.slug)
def test_a_faster_playout_comes_to_the_same_as_the_general_one(game: Game[Any]) -> None:
    tables, compared = list(playing.tables(game)), 0
    apart = max(1, STEPS * len(tables) // (4 * ENOUGH))
    for seats, options in tables:
        rng = random.Random(repr(("playouts", game.slug, seats, sorted(options.items()))))
        match = playing.random_match(game, seats, options, rng)
        for moment in islice(match, rng.randrange(2, 2 + apart), STEPS, apart):
            table = moment.after
            for seat in sorted(game.to_act(table) & frozenset(range(seats))):
                command = rng.choice(game.legal(table, seat))
                worth = found(game, table, command, faster=True)
                if worth is not None:
                    compared += 1
                    assert worth == found(game, table, command, faster=False), (seats, options, table, command)
    assert compared > ENOUGH


def test_a_faster_playout_of_aviation_ends_with_the_match() -> None:
    game, compared = aviation.GAME, 0
    for moment in islice(playing.random_match(game, 2, {}, random.Random("near the end")), 2, 60, 3):
        table = moment.after._replace(totals=(45, 45))
        for command in game.legal(table, table.turn)[:2]:
            worth = found(game, table, command, faster=True)
            compared += worth is not None and max(worth) == 50
            assert worth == found(game, table, command, faster=False)
    assert compared


def test_a_playout_of_trix_ends_with_the_second_set() -> None:
    """In the middle of a set nobody can say who will have its points."""
    game, rng = trix.GAME, random.Random("sets")
    judged: list[Any] = []
    table = next(
        moment.after for moment in islice(playing.random_match(game, 5, {}, rng), 20, None) if moment.after.playing
    )

    def worth(s: Any) -> list[int]:
        judged.append(s)
        return [0] * s.seats

    looking = replace(game, bot=game.bot._replace(worth=worth))
    played_out(looking, table, table.turn, game.legal(table, table.turn)[0], rng.randrange)
    assert [(s.set_no - table.set_no, s.on_table) for s in judged] == [(2, ())]
