"""What can be done in Baffle, and what then happens: its commands and events."""

from __future__ import annotations

from typing import Literal

from domain.game import Seat, Secret, record
from domain.kit.cards import Card, Cards
from domain.kit.dealing import DealerChosen
from domain.kit.plays import PlayCard, TrickTaken

Choice = Literal["content", "cop", "resign", "concede"]
Cause = Literal["own_no_trick", "cop_under_two", "trump_not_led"]

# ── Commands ────────────────────────────────────────────────────────────────────────────────────────────────────


@record
class Declare:
    """Say what you do with this hand: play your cards, take the cop hand instead, resign, or concede."""

    choice: Choice


@record
class Exchange:
    """Put a card of the cop hand face down and take the card turned up in its place."""

    discard: Card


@record
class Keep:
    """Keep the cop hand as it is and leave the card turned up on the table."""


Command = Declare | Exchange | Keep | PlayCard

# ── Events ──────────────────────────────────────────────────────────────────────────────────────────────────────


@record
class HandDealt:
    """Six cards are dealt to each seat and six face down to the cop hand, and one card is turned up for trumps."""

    hand_no: int
    dealer: Seat
    turn_up: Card
    stock_count: int
    hands: tuple[Secret[Cards], ...]
    cop: Secret[Cards]
    stock: Secret[Cards]


@record
class Declared:
    """A seat plays its own cards, resigns for this hand, or concedes it to the dealer."""

    seat: Seat
    choice: Literal["content", "resign", "concede"]


@record
class CopTaken:
    """A seat lays its own six cards face down and picks up the cop hand."""

    seat: Seat
    cards: Secret[Cards]


@record
class TurnUpExchanged:
    """The seat with the cop hand takes the card turned up and puts another face down."""

    seat: Seat
    took: Card
    discard: Secret[Card]


@record
class ExchangeDeclined:
    """The seat with the cop hand leaves the card turned up on the table."""

    seat: Seat


@record
class Walkover:
    """A seat that is left alone shows its cards and has all six tricks."""

    seat: Seat
    cards: Cards


@record
class CardPlayed:
    """A card is played to the trick; its player alone is told whether a trump should have been led instead."""

    seat: Seat
    card: Card
    trump_missed: Secret[bool]


@record
class HandScored:
    """The hand is counted: points won come off the score, and each baffled seat gets five back."""

    tricks: tuple[int, ...]
    points: tuple[int, ...]
    low_trump_trick: int | None
    baffled: tuple[tuple[Cause, ...], ...]
    delta: tuple[int, ...]
    totals: tuple[int, ...]


Declaring = Declared | CopTaken | TurnUpExchanged | ExchangeDeclined | Walkover
Event = DealerChosen | HandDealt | Declaring | CardPlayed | TrickTaken | HandScored
