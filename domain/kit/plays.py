"""Playing cards to tricks: the command, the events and their consequences that most trick games have in common."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Final, Protocol, Self, TypeVar

from domain.game import Refused, Seat, record
from domain.kit.cards import FULL_PACK, PAUPER, PRINCE, Card, Cards, without
from domain.kit.tricks import Trick, TrickCard, cards_of
from domain.kit.turns import left_of, put


@record
class PlayCard:
    """Play a card from your hand to the trick."""

    card: Card


@record
class CardPlayed:
    """A card is played to the trick."""

    seat: Seat
    card: Card


@record
class TrickTaken:
    """A trick is complete and goes to its taker."""

    trick_no: int
    seat: Seat


PLAYS: Final = {card: PlayCard(card) for card in (*FULL_PACK, PRINCE, PAUPER)}  # made once: legal lists are asked often

# ── What may be played ──────────────────────────────────────────────────────────────────────────────────────────


class InTurn(Protocol):
    """A table at which one seat after the other plays a card."""

    @property
    def playing(self) -> bool: ...
    @property
    def turn(self) -> Seat: ...
    @property
    def hands(self) -> tuple[Cards, ...]: ...


TurnTable = TypeVar("TurnTable", bound=InTurn)


def legal_plays(
    s: TurnTable, seat: Seat, objection: Callable[[TurnTable, Seat, Card], Refused | None]
) -> Sequence[PlayCard]:
    """The cards that the seat on turn can play without objection."""
    if not s.playing or seat != s.turn:
        return ()
    return [PLAYS[card] for card in s.hands[seat] if not objection(s, seat, card)]


# ── The table after an event ────────────────────────────────────────────────────────────────────────────────────


class OfTricks(Protocol):
    """A table at which cards are played to a trick, from hand to hand round the table."""

    @property
    def seats(self) -> int: ...
    @property
    def hands(self) -> tuple[Cards, ...]: ...
    @property
    def trick(self) -> Trick: ...

    def _replace(self, *, hands: tuple[Cards, ...], trick: Trick, turn: Seat) -> Self: ...


class OfPiles(Protocol):
    """A table at which the cards of a trick go to its taker's pile."""

    @property
    def trick_no(self) -> int: ...
    @property
    def trick(self) -> Trick: ...
    @property
    def taken(self) -> tuple[Cards, ...]: ...

    def _replace(self, *, trick: Trick, trick_no: int, taken: tuple[Cards, ...], turn: Seat) -> Self: ...


TrickTable = TypeVar("TrickTable", bound=OfTricks)
PileTable = TypeVar("PileTable", bound=OfPiles)


def with_card_played(s: TrickTable, seat: Seat, card: Card) -> TrickTable:
    """The card goes from the hand to the trick, and the turn to the left."""
    return s._replace(
        hands=put(s.hands, seat, without(s.hands[seat], card)),
        trick=(*s.trick, TrickCard(seat, card)),
        turn=left_of(seat, s.seats),
    )


def with_trick_taken(s: PileTable, seat: Seat) -> PileTable:
    """The cards go to the pile of their taker, who leads to the next trick."""
    taken = put(s.taken, seat, s.taken[seat] + cards_of(s.trick))
    return s._replace(trick=(), trick_no=s.trick_no + 1, taken=taken, turn=seat)
