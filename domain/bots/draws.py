"""Draws by agreement: what a bot says to one, from what it expects of playing on.

Whoever is behind takes the draw, and whoever is ahead does not. Where neither is clear a bot plays on at first, so that
nobody gets half a match by asking for it at the start, and agrees when the match has gone on for long.
"""

from __future__ import annotations

from collections.abc import Callable, Generator
from math import isqrt
from typing import Any, Final

from domain.bots.rollouts import LOTS, paces, thumb
from domain.bots.rollouts import answer as lot
from domain.bots.turn import Below, Search, Thought, Turn
from domain.game import CHANCE, CLOCK, Game, Seat, TimeUp
from domain.match import AnswerDraw

LONG: Final = 100  # events of a match, after which a bot that is level agrees
FEW: Final = 4  # tables for a bot that answers at once

Prospect = Generator[None, None, int]


def answer(turn: Turn, expected: int, margin: int, iterations: int, *, long: bool | None = None) -> Thought:
    """The answer of a bot that expects so much of playing on, beyond what the draw gives it."""
    lasted = turn.lasted >= LONG if long is None else long
    accept = expected < -margin or (expected <= margin and lasted)
    weighed = (AnswerDraw(True), 0), (AnswerDraw(False), expected)
    return Thought(AnswerDraw(accept), iterations, weighed if accept else weighed[::-1])


def by_lot(turn: Turn) -> Search:
    return Thought(AnswerDraw(not turn.below(2)))
    yield


def declined(turn: Turn) -> Search:
    """The answer of a bot that keeps the seat of an absent player, whose match is not the bot's to give away."""
    return Thought(AnswerDraw(False))
    yield


def at_few_tables(turn: Turn) -> Search:
    return (yield from _by_playouts(turn, lambda tables: tables >= FEW))


def at_many_tables(turn: Turn) -> Search:
    return (yield from _by_playouts(turn, turn.enough))


def _by_playouts(turn: Turn, enough: Callable[[int], bool]) -> Search:
    """All seats play on by rule of thumb at tables that could be the true one. A lead no larger than chance explains is
    none; and who is not behind as the table stands does not give up for what a few playouts say."""
    game, seat = turn.game, turn.seat
    total = squares = tables = ahead = 0
    while not tables or not enough(tables):
        table = turn.imagine(turn.below)
        drawn = _drawn(game, table, seat)
        gain = (yield from _played_on(game, table, seat, turn.below)) - drawn
        ahead += _standing(game, table, seat) - drawn
        total += gain
        squares += gain * gain
        tables += 1
    return answer(turn, total if ahead < 0 else max(total, 0), _doubt(total, squares, tables), tables)


def _doubt(total: int, squares: int, tables: int) -> int:
    """How far a sum of gains is likely to be off: its standard error."""
    return isqrt(squares - total * total // tables)


def _played_on(game: Game[Any], table: Any, seat: Seat, below: Below) -> Prospect:
    """How a seat stands when the hand is over, or as far as the horizon."""
    ahead = game.bot.horizon
    while ahead > 0:
        acting = sorted(game.to_act(table))
        actor = acting[below(len(acting))] if len(acting) > 1 else acting[0] if acting else CLOCK
        events = game.decide(table, actor, _command(game, table, actor, below))
        if isinstance(events, LOTS):
            events = game.decide(table, CHANCE, lot(events, below))
        for event in events:
            table = game.evolve(table, event)
        yield  # some hands are long
        if game.outcome(table) is not None or any(isinstance(event, game.bot.ends) for event in events):
            break
        ahead -= paces(game.bot, events)
    return _standing(game, table, seat)


def _command(game: Game[Any], table: Any, actor: Seat, below: Below) -> Any:
    if actor == CHANCE:
        return lot(game.chance(table), below)
    return TimeUp() if actor == CLOCK else thumb(game, table, actor, below)


def _standing(game: Game[Any], table: Any, seat: Seat) -> int:
    """How a seat stands against the others."""
    worth = game.bot.worth(table)
    return len(worth) * worth[seat] - sum(worth)


def _drawn(game: Game[Any], table: Any, seat: Seat) -> int:
    """How a seat stands after the draw: where it ends the match, like everybody else."""
    if game.draw_agreed is None:
        return 0
    for event in game.draw_agreed(table):
        table = game.evolve(table, event)
    return _standing(game, table, seat)
