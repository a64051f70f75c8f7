"""Bots at a match: the turn that a seat of it gets, and thinking it through to the end."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

from domain import chance, match
from domain.bots import draws
from domain.bots.levels import LEVELS, Level
from domain.bots.turn import Search, Thought, Turn
from domain.game import Seat
from domain.match import AnswerDraw, Decided, Match, Step


class Numbers:
    """The random numbers of one bot at one version, which the match's seed gives."""

    def __init__(self, seed: bytes, m: Match, seat: Seat) -> None:
        self._stream = chance.beside(seed, "bot", m.id, m.version, seat)

    def below(self, k: int) -> int:
        return chance.below(self._stream, k)


def turn_of(m: Match, seat: Seat, seed: bytes, enough: Callable[[int], bool]) -> Turn:
    """What a bot in this seat has to go by. The table itself stays here, behind what the seat can imagine."""
    table, game = m.table, m.game

    def imagine(below: Callable[[int], int]) -> Any:
        return game.imagine(table, seat, below)

    return Turn(
        game,
        seat,
        game.view(table, seat),
        match.open_to_bot(m, seat),
        imagine,
        Numbers(seed, m, seat).below,
        enough,
        m.version,
        lambda: game.bot.memory(table, seat),
    )


def thinking(m: Match, seat: Seat, seed: bytes, enough: Callable[[int], bool]) -> Search:
    """The search of the bot in this seat, at its level."""
    return _search(m, seat, LEVELS[m.chairs[seat].level or "random"], turn_of(m, seat, seed, enough))


def _search(m: Match, seat: Seat, level: Level, turn: Turn) -> Search:
    if not match.owes_answer(m, seat):
        return level.search(turn)
    return level.answer(turn) if m.chairs[seat].player is None else draws.declined(turn)


def done(m: Match, seat: Seat, thought: Thought, seed: bytes) -> Step:
    """What comes of a thought."""
    known = decided(m, seat, thought)
    if isinstance(thought.command, AnswerDraw):
        return match.answer_draw_as_bot(m, seat, thought.command, seed, known)
    return match.play_as_bot(m, seat, thought.command, seed, known, offer=thought.offers)


def decided(m: Match, seat: Seat, thought: Thought) -> Decided:
    """What the log keeps of it."""
    name = m.chairs[seat].level or "random"
    return Decided(name, LEVELS[name].version_at(m.game.slug), thought.iterations)


def at_once(search: Search) -> Thought:
    """A search that nobody interrupts."""
    try:
        while True:
            next(search)
    except StopIteration as end:
        thought: Thought = end.value
        return thought


def found_again(m: Match, seat: Seat, seed: bytes, known: Decided) -> Thought | None:
    """What a bot comes to with the iterations that the log has; nothing if this release has no such bot."""
    level = LEVELS.get(known.level)
    if level is None or level.version_at(m.game.slug) != known.version:
        return None
    return at_once(_search(m, seat, level, turn_of(m, seat, seed, partial(_reached, known.iterations))))


def _reached(wanted: int, iterations: int) -> bool:
    return iterations >= wanted
