"""Goat by rule of thumb: lay down at once, keep what is farthest on its way to a book, fives and tens above all."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Final

from domain.game import NEVER, Thumbs
from domain.games.goat.events import Command, HandScored, LayDown
from domain.games.goat.game import Table, points
from domain.games.goat.hearsay import seen_by

POINT: Final = 64
# What so many cards of a number are worth to whoever holds them, in parts of the book.
SHARE: Final = (0, 2, 8, 24, POINT)
PROMISE: Final = {number: tuple(points(number) * share for share in SHARE) for number in range(1, 14)}
LAY_DOWN: Final = 1 << 20


def rate(view: Mapping[str, Any], commands: Sequence[Command]) -> list[int]:
    """What is lost by giving a card, and what the neighbour may gain by it."""
    counts = [0] * 14
    for card in view["hand"]:
        counts[card.number] += 1
    others = sum([count > 0 for count in view["hand_counts"]]) - 1
    tried: set[int] = set()
    found = []
    for command in commands:
        if isinstance(command, LayDown):
            found.append(LAY_DOWN + (points(command.number) if command.number else 0))
            continue
        number = command.card.number
        if number in tried:
            found.append(NEVER)  # the letter makes no difference
            continue
        tried.add(number)
        promise, held = PROMISE[number], counts[number]
        # Of two the other has all that one lacks; of more it is seldom the neighbour.
        given = (promise[5 - held] - promise[4 - held]) // max(1, others * others)
        found.append(promise[held - 1] - promise[held] - given)
    return found


def worth(s: Table) -> Sequence[int]:
    """Points; in mid-hand also the books so far, and what the cards in hand promise."""
    if s.phase == "awaiting_deal":
        return [POINT * total for total in s.totals]
    found = []
    for seat, hand in enumerate(s.hands):
        counts = [0] * 14
        for card in hand:
            counts[card.number] += 1
        value = sum([PROMISE[number][count] for number, count in enumerate(counts) if count])
        booked = sum(map(points, s.books[seat])) - s.options.goat_penalty * s.goats[seat]
        found.append(POINT * (s.totals[seat] + booked) + value)
    return found


THUMBS = Thumbs(rate, worth, ends=(HandScored,), horizon=18, memory=seen_by)
