"""What is done and what happens in Four Nines: its commands and events."""

from __future__ import annotations

from typing import Literal

from domain.game import Seat, record
from domain.games.four_nines.cross import Captured, Progress
from domain.games.four_nines.pips import Numbers, Throw


@record
class Roll:
    """Throw the dice."""


@record
class Enter:
    """Bring a waiting disc onto your entering circle."""

    with_: Literal["five", "sum"]


@record
class Move:
    """Move one of your discs by one of the numbers."""

    disc: int
    number: int


@record
class EndPlay:
    """Leave the rest of the throw unused."""


Command = Roll | Enter | Move | EndPlay


@record
class StartThrown:
    """Each seat that is still in the running throws for the start; if one throw is the best, that seat starts."""

    seats: tuple[Seat, ...]
    throws: tuple[Throw, ...]
    best: tuple[Seat, ...]


@record
class DiceRolled:
    """A seat throws the dice."""

    seat: Seat
    dice: Throw
    throw_no: int
    numbers: Numbers
    need: int
    chances: int
    again: bool


@record
class GiftGiven:
    """A seat may play the throw of another that has not entered a disc yet."""

    seat: Seat
    thrower: Seat
    numbers: Numbers
    need: int


@record
class DiscEntered:
    """A disc comes onto its owner's entering circle."""

    seat: Seat
    disc: int
    by: Literal["five", "sum", "shared"]
    road: int
    captured: Captured | None
    points: int
    left: Numbers


@record
class DiscMoved:
    """A seat moves a disc by one number."""

    seat: Seat
    disc: int
    number: int
    from_: Progress
    to: Progress
    road: int | None
    captured: Captured | None
    points: int
    left: Numbers


@record
class DiscForfeited:
    """The third six or doublet of a turn sends a disc back to wait."""

    seat: Seat
    disc: int
    reason: Literal["third_six", "third_doublet"]


@record
class PlayEnded:
    """A seat leaves the rest of the throw unused."""

    seat: Seat
    unused: Numbers


@record
class EntryMissed:
    """A seat has not entered captured discs at the first chance, and pays for it."""

    seat: Seat
    discs: int
    points: int


@record
class GameWon:
    """A seat has four discs Home, and the game is won."""

    seats: tuple[Seat, ...]
    scores: tuple[int, ...]
    discs_home: tuple[int, ...]
    wins: tuple[int, ...]
    sums: tuple[int, ...]


Event = (
    StartThrown | DiceRolled | GiftGiven | DiscEntered | DiscMoved | DiscForfeited | PlayEnded | EntryMissed | GameWon
)
