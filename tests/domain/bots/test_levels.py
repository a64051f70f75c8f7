"""Every level at tables of every game: rules of thumb for whatever may come up, and the same answer in any process."""

from __future__ import annotations

import itertools
import os
import random
import subprocess
import sys
from collections.abc import Iterator
from typing import Any

import pytest

from domain.bots.levels import LEVELS
from domain.game import Game, Template
from domain.games import GAMES
from tests.domain import playing
from tests.domain.bots.positions import positions, thought

STEPS = 80  # of a random match: what comes later is much like it
every_game = pytest.mark.parametrize("game", GAMES, ids=lambda game: game.slug)


def test_a_level_that_changed_at_one_game_has_a_newer_version_there_alone() -> None:
    level = LEVELS["strong"]._replace(version=2, newer={"backgammon": 3})
    assert (level.version_at("backgammon"), level.version_at("kid-o")) == (3, 2)


@every_game
def test_rules_of_thumb_give_whole_numbers_at_any_table(game: Game[Any]) -> None:
    """One for every command, and what the table is worth to every seat."""
    for seats, options in playing.tables(game):
        rng = random.Random(repr(("thumbs", game.slug, seats, sorted(options.items()))))
        match = playing.random_match(game, seats, options, rng)
        for moment in itertools.islice(match, rng.randrange(3), STEPS, 5):
            for seat in range(seats):
                asked = [
                    command.sample(rng.randrange) if isinstance(command, Template) else command
                    for command in game.legal(moment.after, seat)
                ]
                if asked:
                    scores = game.bot.rate(game.view(moment.after, seat), asked)
                    assert [type(score) for score in scores] == [int] * len(asked), (seats, options, asked)
            worth = game.bot.worth(moment.after)
            assert [type(points) for points in worth] == [int] * seats, (seats, options)


@every_game
def test_a_hand_is_judged_after_events_that_the_game_has(game: Game[Any]) -> None:
    assert set(game.bot.ends) <= set(game.events)


def told() -> Iterator[str]:
    """What every level comes to at some tables of every game, and how it weighed its commands."""
    for game, level in itertools.product(GAMES, LEVELS):
        for table, seat in positions(game, 2):
            yield f"{game.slug} {level} {thought(game, table, seat, level)}"


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
