"""Asking a bot for its move at a table, as a worker would."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from domain.bots.turn import Search, Thought, Turn
from domain.game import Game


def first(k: int) -> int:
    return 0


def asked(game: Game[Any], table: Any, search: Callable[[Turn], Search], iterations: int = 2) -> Thought:
    """What a bot finds for the seat that is to act, after so many iterations."""
    (seat,) = game.to_act(table)
    legal = game.legal(table, seat)
    turn = Turn(
        game,
        seat,
        game.view(table, seat),
        [command for command in legal if not isinstance(command, game.asides)] or legal,
        lambda below: game.imagine(table, seat, below),
        first,
        lambda done: done >= iterations,
    )
    search_ = search(turn)
    while True:
        try:
            next(search_)
        except StopIteration as found:
            thought: Thought = found.value
            return thought
