"""The commands and events of Flique."""

from __future__ import annotations

from typing import Literal

from domain.game import Seat, Secret, record
from domain.kit.cards import Card, Cards
from domain.kit.dealing import DealerChosen


@record
class Draw:
    """Draw the top card of the reserve."""


@record
class TakeDiscard:
    """Take the card just discarded and place it at once, with cards of your hand or onto a combination of yours."""

    with_: Cards = ()
    onto: int | None = None


@record
class Place:
    """Place the drawn card, with cards of your hand or onto a combination of yours; after that, hand cards alone."""

    with_: Cards = ()
    onto: int | None = None


@record
class Discard:
    """Lay a card on the discard pile, which ends your turn."""

    card: Card


@record
class PassOut:
    """Leave the last discard where it lies: the reserve is empty, so the game is drawn."""


Command = Draw | TakeDiscard | Place | Discard | PassOut


@record
class HandDealt:
    """Ten cards are dealt to each seat; the rest is the reserve."""

    hand_no: int
    dealer: Seat
    reserve_count: int
    hands: tuple[Secret[Cards], ...]
    reserve: Secret[Cards]


@record
class CardDrawn:
    """A seat draws the top card of the reserve."""

    seat: Seat
    card: Secret[Card]


@record
class CombinationPlaced:
    """A combination is laid on the table, or grows by a card."""

    seat: Seat
    cards: Cards
    source: Literal["drawn", "discard", "hand"]
    onto: int | None


@record
class CardDiscarded:
    """A card is laid on the discard pile, and the turn is over."""

    seat: Seat
    card: Card
    was_drawn: bool


@record
class GameWon:
    """A seat has placed eleven cards and wins the game."""

    seat: Seat
    wins: tuple[int, ...]


@record
class GameDrawn:
    """The reserve is empty and nobody takes the last discard: nobody wins the game."""

    passed_out: bool  # else nobody could have taken the last discard


Event = DealerChosen | HandDealt | CardDrawn | CombinationPlaced | CardDiscarded | GameWon | GameDrawn
