"""What the players of Nix can do, and what can happen."""

from __future__ import annotations

from domain.game import Seat, Secret, record
from domain.kit.trixcards import TrixCard

Cards = tuple[TrixCard, ...]


@record
class PlayCard:
    """Play the wanted card from your hand."""

    card: TrixCard


@record
class Draw:
    """Draw a card unseen from your right neighbour.

    Its place in the neighbour's hand may be named, and so may the seat it comes from: neither changes anything.
    """

    position: int | None = None
    from_: Seat | None = None


Command = PlayCard | Draw


@record
class DealCardsDrawn:
    """Each seat that is still in the running for the deal draws an open card; the lowest sum deals."""

    seats: tuple[Seat, ...]
    cards: Cards
    lowest: tuple[Seat, ...]


@record
class HandDealt:
    """The whole pack is dealt, and the seat that holds the first card leads."""

    hand_no: int
    dealer: Seat
    counts: tuple[int, ...]
    leader: Seat
    wanted: TrixCard  # the card that the leader holds
    hands: tuple[Secret[Cards], ...]


@record
class CardPlayed:
    """The wanted card is played."""

    seat: Seat
    card: TrixCard
    wanted: TrixCard | None  # from now on


@record
class SetCompleted:
    """The double of a set is played, and the set counts for the seat that played it."""

    set_no: int
    seat: Seat


@record
class CardDrawn:
    """A seat draws a card unseen from its right neighbour."""

    seat: Seat
    victim: Seat
    fits: bool
    card: Secret[TrixCard]


@record
class HandScored:
    """Only Nix is left: the sets and Nix are counted."""

    nix_holder: Seat
    delta: tuple[int, ...]
    totals: tuple[int, ...]


Event = DealCardsDrawn | HandDealt | CardPlayed | SetCompleted | CardDrawn | HandScored
