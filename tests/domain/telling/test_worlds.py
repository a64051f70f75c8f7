"""What a game imagines is what could have happened: all of it, and nothing else.

Worlds are found by replaying the log of the hand, so that this test and the imagination of a game have nothing in
common but the rules.
"""

from __future__ import annotations

import random
from typing import Any

import pytest

from domain.game import Game
from domain.games import BY_SLUG, GAMES
from tests.domain import playing
from tests.domain.telling import worlds

every_game = pytest.mark.parametrize("game", GAMES, ids=lambda game: game.slug)

# Games in which a card has one way only: from the deal into a hand, from there onto the table. What lies where then
# follows from the deal alone, and every deal can be tried. (Baffle leaves too many cards unseen for that: its own test
# does the same with fewer.)
PLAIN = ("jack-daw", "kid-o", "prince-and-pauper", "quenette", "rustle")
plain_games = pytest.mark.parametrize("game", [BY_SLUG[slug] for slug in PLAIN], ids=lambda game: game.slug)


@every_game
def test_the_log_could_have_led_to_what_a_seat_imagines(game: Game[Any]) -> None:
    rng = random.Random(f"worlds {game.slug}")
    # Where cards wander unseen, other cards in the same places are not all that can have happened: the game's own test
    # knows how to tell the log anew.
    led_to = getattr(playing.module(game), "led_to", worlds.led_to)
    looked = 0
    for seats, options in playing.tables(game):
        for n, history in enumerate(worlds.histories(game, seats, options, rng)):
            if rng.random() < 0.04:
                seat = rng.randrange(seats)
                imagined = game.imagine(history.table, seat, rng.randrange)
                assert led_to(history, seat, imagined, rng), (seat, history.table, imagined)
                looked += 1
            if n > 120:
                break
    assert looked > 10


@plain_games
def test_every_world_that_fits_is_imagined_as_often_as_it_should(game: Game[Any]) -> None:
    rng = random.Random(f"chances {game.slug}")
    compared = 0
    for seats, options in playing.tables(game):
        for n, history in enumerate(worlds.histories(game, seats, options, rng)):
            seat = rng.randrange(seats)
            if rng.random() < 0.2 and 2 <= len(worlds.unseen(history, seat)) <= 5:
                compare(history, seat, rng)
                compared += 1
            if n > 150 or compared >= 12:
                break
        if compared >= 12:
            break
    assert compared >= 6


def compare(history: worlds.History, seat: int, rng: random.Random, throws: int = 1200) -> None:
    imagined = [history.game.imagine(history.table, seat, rng.randrange) for _ in range(throws)]
    worlds.check_shares(worlds.all_worlds(history, seat), imagined)
