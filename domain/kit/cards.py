"""Crown cards: four letters for suits, numbers 1 to 13, and the two cards without a suit."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from typing import Annotated, ClassVar, Final, TypedDict

from domain.game import ALL, Seat
from domain.telling.parts import part

SUITS: Final = "CROW"


class Card(str):
    """A Crown card, written `C-13`, `PRINCE` or `PAUPER`. Equal cards are one object, so comparing is cheap.

    >>> Card("C-13").suit, Card("C-13").number
    ('C', 13)
    """

    __slots__ = ("number", "suit")
    examples: ClassVar[tuple[str, ...]] = ("C-13", "O-5")
    pattern: ClassVar[str] = "[CROW]-[1-9][0-9]?|PRINCE|PAUPER"
    _known: ClassVar[dict[str, Card]] = {}
    suit: str
    number: int

    def __new__(cls, text: str) -> Card:
        card = cls._known.get(text)
        if card is not None:
            return card
        if not re.fullmatch(cls.pattern, text):
            raise ValueError("must be a card such as C-13, O-5, PRINCE or PAUPER")
        card = super().__new__(cls, text)
        card.suit, card.number = (text[0], int(text[2:])) if text[1] == "-" else ("", 0)
        # A number past 13 can be read, so that a rule may refuse it; only the true cards are worth keeping.
        if card.number <= 13:
            cls._known[text] = card
        return card

    def __repr__(self) -> str:
        return f"Card({str(self)!r})"


Cards = tuple[Card, ...]
PRINCE: Final = Card("PRINCE")
PAUPER: Final = Card("PAUPER")


def pack(numbers: Iterable[int], suits: str = SUITS) -> Cards:
    """Every suit with these numbers, in the order of the suits."""
    wanted = tuple(numbers)
    return tuple(Card(f"{suit}-{number}") for suit in suits for number in wanted)


FULL_PACK: Final = pack(range(1, 14))


def in_order(cards: Iterable[Card]) -> Cards:
    """A hand as a player would hold it: by suit, then by number; PRINCE and PAUPER last."""
    return tuple(sorted(cards, key=_place))


def _place(card: Card) -> tuple[int, int]:
    return (SUITS.index(card.suit), card.number) if card.suit else (len(SUITS), card == PAUPER)


def without(hand: Cards, card: Card) -> Cards:
    return tuple([held for held in hand if held is not card])


class Hands(TypedDict):
    """The hands in a view: to a seat its own, and of the others how many cards they are."""

    hand: Annotated[Cards | None, part("hand", "you")]
    hand_counts: Annotated[Sequence[int], part("count", "each", of="hand")]
    hands: Annotated[Sequence[Cards] | None, part("hand", "each")]


def shown_hands(hands: Sequence[Cards], seat: Seat | None) -> Hands:
    return {
        "hand": hands[seat] if seat is not None and seat >= 0 else None,
        "hand_counts": [len(hand) for hand in hands],
        "hands": hands if seat == ALL else None,
    }
