"""Tricks: who may play what, and who takes them."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Annotated, NamedTuple, TypedDict

from domain.game import Refused, Seat
from domain.kit.cards import Card, Cards
from domain.kit.refusals import must_follow
from domain.kit.turns import put
from domain.telling.parts import part


class TrickCard(NamedTuple):
    """One card of a trick with the seat that played it."""

    seat: Seat
    card: Card


Trick = tuple[TrickCard, ...]


def cards_of(trick: Trick) -> Cards:
    return tuple(play.card for play in trick)


def objection_to_following(rule: str, hand: Cards, trick: Trick, card: Card) -> Refused | None:
    """The suit led must be followed by whoever holds it."""
    if trick and card.suit != (led := trick[0].card.suit):
        for held in hand:
            if held.suit == led:
                return must_follow(rule, held, card)
    return None


Voids = tuple[frozenset[str], ...]  # by seat: the suits that it has shown not to hold


def no_voids(seats: int) -> Voids:
    return (frozenset(),) * seats


def shown_voids(voids: Voids, trick: Trick, seat: Seat, card: Card) -> Voids:
    """A seat that does not follow the suit led has none of it, and all have seen that."""
    if not trick or card.suit == (led := trick[0].card.suit) or led in voids[seat]:
        return voids
    return put(voids, seat, voids[seat] | {led})


def by_number(card: Card) -> int:
    return card.number


def taker(trick: Trick, trump: str | None = None, rank: Callable[[Card], int] = by_number) -> Seat:
    """The highest trump takes, else the highest card of the suit led."""
    ruling = trick[0].card.suit
    if trump is not None and any(play.card.suit == trump for play in trick):
        ruling = trump
    return max((play for play in trick if play.card.suit == ruling), key=lambda play: rank(play.card)).seat


class ShownCard(TypedDict):
    """A card of a trick in a view, with the seat that played it."""

    seat: Seat
    card: Card


ShownTrick = Annotated[Sequence[ShownCard], part("trick")]


def shown_trick(trick: Sequence[TrickCard]) -> Sequence[ShownCard]:
    return [{"seat": play.seat, "card": play.card} for play in trick]


class ShownTaken(TypedDict):
    """A trick in a view, with the seat that took it."""

    seat: Seat
    cards: Annotated[Cards, part("trick")]


TricksTaken = Annotated[Sequence[ShownTaken], part("pile")]
