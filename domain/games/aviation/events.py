"""The commands and events of Aviation."""

from __future__ import annotations

from typing import Literal

from domain.game import Seat, Secret, record
from domain.games.aviation.flights import Way
from domain.kit.cards import Card, Cards
from domain.kit.dealing import DealerChosen

Source = Literal["hand", "drome", "reserve"]
Shown = Literal["drome", "reserve"]


@record
class PlayCard:
    """Build with a card of your own: from your hand, from the top of your drome or from your reserve."""

    card: Card
    from_: Source


@record
class DrawFrom:
    """Build with a card that lies open before an opponent who builds the other way."""

    seat: Seat
    from_: Shown
    card: Card


@record
class LayReserve:
    """Lay a card from your hand open among your reserve cards, which ends your turn."""

    card: Card


@record
class EndTurn:
    """End your turn without a reserve card, since you hold none and the stock is gone."""


Command = PlayCard | DrawFrom | LayReserve | EndTurn


@record
class HandDealt:
    """A drome and four cards are dealt to each seat; the rest is the stock."""

    hand_no: int
    dealer: Seat
    stock_count: int
    drome_tops: Cards
    dromes_below: Secret[tuple[Cards, ...]]
    hands: tuple[Secret[Cards], ...]
    stock: Secret[Cards]


@record
class CardPlayed:
    """A card is laid on the ascension or the descent."""

    seat: Seat
    owner: Seat  # the seat itself, or the opponent that was drawn on
    source: Source
    card: Card
    uncovered: Card | None  # the new top of the owner's drome


@record
class PileTaken:
    """A pile is complete: its taker's side scores and changes direction."""

    seat: Seat
    pile: Way
    points: int  # none where it was the wrong way
    totals: tuple[int, ...]
    directions: tuple[Way, ...]


@record
class CardsGiven:
    """An empty hand is filled from the stock."""

    seat: Seat
    count: int
    cards: Secret[Cards]


@record
class ReserveLaid:
    """A hand card is laid open as a reserve card, and the turn is over."""

    seat: Seat
    card: Card


@record
class HandEnded:
    """The hand is over: a seat has no cards left, and the stock is gone."""

    totals: tuple[int, ...]
    directions: tuple[Way, ...]


Event = DealerChosen | HandDealt | CardPlayed | PileTaken | CardsGiven | ReserveLaid | HandEnded
