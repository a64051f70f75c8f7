"""Grafto: what players can do, and what can happen."""

from __future__ import annotations

from typing import Literal

from domain.game import Seat, Secret, record
from domain.kit.cards import Card, Cards
from domain.kit.dealing import DealerChosen
from domain.kit.plays import CardPlayed, PlayCard, TrickTaken

Bids = tuple[int | None, ...]  # by seat; None: has not spoken, 0: passed

# ── Commands ────────────────────────────────────────────────────────────────────────────────────────────────────


@record
class Graft:
    """Take the turned-up card into your hand and put out another one face down."""

    discard: Card


@record
class DeclineGraft:
    """Leave the turned-up Five where it is."""


@record
class Bid:
    """Bid that you will take four tricks, for this many points."""

    points: int


@record
class PassBid:
    """Make no bid."""


Command = Graft | DeclineGraft | Bid | PassBid | PlayCard

# ── Events ──────────────────────────────────────────────────────────────────────────────────────────────────────


@record
class HandDealt:
    """Seven cards are dealt to each seat, and the next card is turned up for trumps."""

    hand_no: int
    dealer: Seat
    turn_up: Card
    trump: str
    stock_count: int
    hands: tuple[Secret[Cards], ...]
    stock: Secret[Cards]


@record
class GraftOffered:
    """The dealer may take the turned-up Five, or the holder of the Five has to choose what to put out."""

    seat: Seat
    five: Card


@record
class Grafted:
    """A seat takes the turned-up card into its hand and puts out another card."""

    seat: Seat
    took: Card
    forced: bool
    discard: Secret[Card]


@record
class GraftDeclined:
    """The dealer leaves the turned-up Five, and it is out of play."""

    seat: Seat


@record
class BidMade:
    """A seat bids."""

    seat: Seat
    points: int


@record
class BidPassed:
    """A seat makes no bid."""

    seat: Seat


@record
class BiddingClosed:
    """The bidding is over, and the play begins."""

    bids: Bids
    reason: Literal["round", "limit"]
    leader: Seat


@record
class HandThrownIn:
    """Nobody has bid, so the hand is not played and does not count."""

    next_dealer: Seat


@record
class HandScored:
    """The seven tricks are played and the bids are counted."""

    bids: Bids
    tricks: tuple[int, ...]
    taker: Seat | None  # of four tricks or more
    result: Literal["made", "set", "credit", "killed"]
    delta: tuple[int, ...]
    totals: tuple[int, ...]


Dealing = DealerChosen | HandDealt
Grafting = GraftOffered | Grafted | GraftDeclined
Bidding = BidMade | BidPassed | BiddingClosed | HandThrownIn
Playing = CardPlayed | TrickTaken | HandScored
Event = Dealing | Grafting | Bidding | Playing
