"""Dealing: who deals, what chance is asked for before a hand, and how the cards go round."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Protocol, TypeVar

from domain.game import Lot, Pick, Seat, Secret, Shuffle, record
from domain.kit.turns import around, left_of

T = TypeVar("T")


@record
class DealerChosen:
    """The lot names the first dealer."""

    seat: Seat


class WithDealer(Protocol):
    """A table at which somebody deals, or will as soon as chance has named him."""

    @property
    def seats(self) -> int: ...
    @property
    def dealer(self) -> Seat | None: ...


class OfHands(WithDealer, Protocol):
    """A table at which one hand is dealt after the other."""

    @property
    def hand_no(self) -> int: ...


def named_dealer(first_dealer: str | int) -> Seat | None:
    """The seat that the option of this name says; nobody while the lot has yet to fall."""
    return first_dealer if isinstance(first_dealer, int) else None


def lot_or_shuffle(s: WithDealer, cards: tuple[str, ...]) -> Lot:
    """What chance is asked for before a hand: who deals, while nobody does, and then these cards in a random order."""
    return Pick(s.seats) if s.dealer is None else Shuffle(cards)


def next_dealer(s: OfHands) -> Seat:
    """The dealer of the first hand is known before it; after that the deal passes to the left."""
    assert s.dealer is not None
    return s.dealer if s.hand_no == 0 else left_of(s.dealer, s.seats)


def dealt(deck: Sequence[T], dealer: Seat, seats: int, each: int | None = None) -> tuple[tuple[T, ...], ...]:
    """One card at a time from the dealer's left: so many to each, or all there are. The hands by seat number.

    >>> dealt("ABCDEFGH", dealer=0, seats=3)
    (('C', 'F'), ('A', 'D', 'G'), ('B', 'E', 'H'))
    """
    end = len(deck) if each is None else each * seats
    hands: list[tuple[T, ...]] = [()] * seats
    for place, seat in enumerate(around(left_of(dealer, seats), seats)):
        hands[seat] = tuple(deck[place:end:seats])
    return tuple(hands)


def unsealed(secrets: Iterable[Secret[T]]) -> tuple[T, ...]:
    """What lies in these secrets: the hands of a deal as the table keeps them."""
    return tuple([secret.value for secret in secrets])
