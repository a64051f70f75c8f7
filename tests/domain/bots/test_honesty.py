"""Bots know what their seat knows, and do what can be found again."""

from __future__ import annotations

import random
from typing import Any

import pytest

from domain.bots.levels import LEVELS
from domain.game import Game
from domain.games import GAMES
from tests.domain.bots.positions import positions, thought

every_game = pytest.mark.parametrize("game", GAMES, ids=lambda game: game.slug)


@every_game
def test_the_same_turn_is_thought_through_in_the_same_way(game: Game[Any]) -> None:
    for table, seat in positions(game, 3):
        for level in LEVELS:
            assert thought(game, table, seat, level) == thought(game, table, seat, level)


@every_game
def test_a_bot_does_the_same_at_a_table_that_its_seat_cannot_tell_from_its_own(game: Game[Any]) -> None:
    """What it does not see it cannot use: the twin has other cards in all hidden places."""
    rng = random.Random(f"twins of {game.slug}")
    for table, seat in positions(game, 3):
        twin = game.imagine(table, seat, rng.randrange)
        for level in LEVELS:
            assert thought(game, table, seat, level) == thought(game, twin, seat, level)


@every_game
def test_every_level_finds_a_legal_command(game: Game[Any]) -> None:
    for table, seat in positions(game, 3):
        for level in LEVELS:
            game.decide(table, seat, thought(game, table, seat, level, iterations=1).command)
