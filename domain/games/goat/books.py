"""Books: the four cards of one number, in whatever letters."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

from domain.kit.cards import FULL_PACK, SUITS, Card, Cards

BOOKS: Final = {n: tuple(Card(f"{suit}-{n}") for suit in SUITS) for n in range(1, 14)}
_PLACE: Final = {card: (card.number, SUITS.index(card.suit)) for card in FULL_PACK}


def grouped(cards: Iterable[Card]) -> Cards:
    """A hand as a collector of books would hold it: equal numbers together.

    >>> grouped([Card("R-9"), Card("C-10"), Card("C-9")])
    (Card('C-9'), Card('R-9'), Card('C-10'))
    """
    return tuple(sorted(cards, key=_PLACE.__getitem__))


def books_in(hand: Cards) -> tuple[int, ...]:
    """The numbers of which a grouped hand holds all four cards."""
    return tuple([first.number for first, fourth in zip(hand, hand[3:], strict=False) if first.number == fourth.number])


def book_of(number: int) -> Cards:
    return BOOKS[number]
