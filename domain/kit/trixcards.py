"""Trix cards: named like dominoes by two numbers, the higher first."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Annotated, ClassVar, TypedDict

from domain.game import ALL, Seat
from domain.telling.parts import part


class TrixCard(str):
    """A Trix card, written `7-3`. The numbers may be read in either order. Equal cards are one object.

    >>> TrixCard("3-7"), TrixCard("7-3").high, TrixCard("7-3").low, TrixCard("7-3").sum
    (TrixCard('7-3'), 7, 3, 10)
    """

    __slots__ = ("high", "low", "sum")
    examples: ClassVar[tuple[str, ...]] = ("7-3", "0-0")
    pattern: ClassVar[str] = "(0|[1-9][0-9]?)-(0|[1-9][0-9]?)"
    _known: ClassVar[dict[str, TrixCard]] = {}
    high: int
    low: int
    sum: int

    def __new__(cls, text: str) -> TrixCard:
        card = cls._known.get(text)
        if card is not None:
            return card
        if not re.fullmatch(cls.pattern, text):
            raise ValueError("must be a card such as 7-3 or 0-0")
        low, high = sorted(map(int, text.split("-")))
        card = cls._known.get(f"{high}-{low}") or super().__new__(cls, f"{high}-{low}")
        card.high, card.low, card.sum = high, low, high + low
        # A number past 15 can be read, so that a rule may refuse it; only the true cards are worth keeping.
        if high <= 15:
            cls._known[text] = cls._known[card] = card
        return card

    def __repr__(self) -> str:
        return f"TrixCard({str(self)!r})"


def trix_pack(top: int) -> tuple[TrixCard, ...]:
    """All cards from 0-0 to top-top, by the higher number, then by the lower."""
    return tuple(TrixCard(f"{high}-{low}") for high in range(top + 1) for low in range(high + 1))


class TrixHands(TypedDict):
    """The hands in a view: to a seat its own, and of the others how many cards they are."""

    hand: Annotated[tuple[TrixCard, ...] | None, part("hand", "you")]
    hand_counts: Annotated[Sequence[int], part("count", "each", of="hand")]
    hands: Annotated[Sequence[tuple[TrixCard, ...]] | None, part("hand", "each")]


def shown_trix_hands(hands: Sequence[tuple[TrixCard, ...]], seat: Seat | None) -> TrixHands:
    return {
        "hand": hands[seat] if seat is not None and seat >= 0 else None,
        "hand_counts": [len(hand) for hand in hands],
        "hands": hands if seat == ALL else None,
    }
