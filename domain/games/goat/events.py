"""Goat: what players can do, and what can happen."""

from __future__ import annotations

from typing import Literal

from domain.game import Seat, Secret, record
from domain.kit.cards import Card, Cards
from domain.kit.dealing import DealerChosen

Seats = tuple[Seat, ...]
Ending = Literal["no_four", "stall", "all_booked"]

# ── Commands ────────────────────────────────────────────────────────────────────────────────────────────────────


@record
class PassCard:
    """Choose a card of your hand to give to the left in this round."""

    card: Card
    round_no: int


@record
class LayDown:
    """Lay your hand down: first with the number of a book and the round, and in an open race without either."""

    number: int | None = None
    round_no: int | None = None


Command = PassCard | LayDown

# ── Events ──────────────────────────────────────────────────────────────────────────────────────────────────────


@record
class HandDealt:
    """The whole pack is dealt."""

    hand_no: int
    dealer: Seat
    counts: tuple[int, ...]
    hands: tuple[Secret[Cards], ...]


@record
class PassChosen:
    """A seat has chosen the card that it will give."""

    seat: Seat
    card: Secret[Card]


@record
class RoundPassed:
    """All have chosen: each of these seats gives its card to the next one in the list, the last to the first."""

    round_no: int
    seats: Seats
    cards: tuple[Secret[Card], ...]


@record
class RaceOpened:
    """A seat with a book lays down first; the cards chosen in this round stay where they are."""

    seat: Seat
    number: Secret[int]
    voided_seats: Seats


@record
class LaidDown:
    """A seat lays down in a race."""

    seat: Seat
    place: int
    auto: bool  # by the clock


@record
class BookPutAway:
    """A book leaves its owner's hand, which ends the race for it if there was one."""

    seat: Seat
    number: Secret[int]
    order: Seats
    goat: Seat | None
    voided_seats: Seats  # in a race the choices fell when it was opened


@record
class HandScored:
    """The hand is over, and its books are counted."""

    reason: Ending
    books: tuple[tuple[int, ...], ...]
    dead_cards: tuple[Cards, ...]
    goats: tuple[int, ...]
    goat_totals: tuple[int, ...]
    delta: tuple[int, ...]
    totals: tuple[int, ...]


Event = DealerChosen | HandDealt | PassChosen | RoundPassed | RaceOpened | LaidDown | BookPutAway | HandScored
