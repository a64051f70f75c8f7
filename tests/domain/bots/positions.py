"""Turns of bots at tables of random matches."""

from __future__ import annotations

import random
from collections.abc import Iterator
from typing import Any

from domain.bots.levels import LEVELS
from domain.bots.thinking import at_once
from domain.bots.turn import Thought, Turn
from domain.game import Game, Template
from tests.domain import playing


def positions(game: Game[Any], count: int) -> Iterator[tuple[Any, int]]:
    """Tables at which a seat has something to choose, at several sizes and with several options."""
    rng = random.Random(f"positions {game.slug}")
    tables = list(playing.tables(game))
    for _ in range(count):
        seats, options = rng.choice(tables)
        wanted = rng.randrange(2, 60)
        for n, moment in enumerate(playing.random_match(game, seats, options, rng)):
            acting = [seat for seat in game.to_act(moment.after) if seat >= 0 and _chooses(game, moment.after, seat)]
            if n >= wanted and acting:
                yield moment.after, rng.choice(acting)
                break


def _chooses(game: Game[Any], table: Any, seat: int) -> bool:
    commands = game.legal(table, seat)
    return len(commands) > 1 or any(isinstance(command, Template) for command in commands)


def turn_at(game: Game[Any], table: Any, seat: int, iterations: int, seed: str = "a bot") -> Turn:
    rng = random.Random(seed)
    legal = game.legal(table, seat)
    commands = [command for command in legal if not isinstance(command, game.asides)] or legal
    return Turn(
        game,
        seat,
        game.view(table, seat),
        commands,
        lambda below: game.imagine(table, seat, below),
        rng.randrange,
        lambda done: done >= iterations,
        remembered=lambda: game.bot.memory(table, seat),
    )


def thought(game: Game[Any], table: Any, seat: int, level: str, iterations: int = 3) -> Thought:
    return at_once(LEVELS[level].search(turn_at(game, table, seat, iterations)))
