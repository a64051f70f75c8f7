"""What the players of Check and Double Check can do, and what can happen."""

from __future__ import annotations

from typing import Final, Literal

from domain.game import Seat, Secret, record

Face = int | Literal["CHECK"]
CHECK: Final = "CHECK"
Row = tuple[int, ...]


@record
class Roll:
    """Throw both dice."""


@record
class PlayCard:
    """Put a card with the playing number on the Discard."""

    card: int


@record
class Pass:
    """Keep your card, although it has the playing number."""


Command = Roll | PlayCard | Pass


@record
class DealThrown:
    """Each seat that is still in the running for the deal throws both dice."""

    seats: tuple[Seat, ...]
    throws: tuple[tuple[Face, ...], ...]
    highest: tuple[Seat, ...]


@record
class HandDealt:
    """Nine cards are dealt to each seat, face up, and four to the Discard."""

    hand_no: int
    dealer: Seat
    rows: tuple[Row, ...]
    discard_top: int
    discard_under: Secret[Row]


@record
class DiceRolled:
    """The dice are thrown."""

    seat: Seat
    faces: tuple[Face, ...]
    kind: Literal["sum", "check", "double_check"]
    number: int | None


@record
class CardsTaken:
    """The thrower of a CHECK takes cards back: fewer than wanted if the Discard is short."""

    seat: Seat
    wanted: int
    cards: Row
    top: int | None  # the card that lies open now


@record
class CardsDiscarded:
    """Each of these seats puts one card of the playing number on the Discard, in this order."""

    number: int
    seats: tuple[Seat, ...]


@record
class DiscardPassed:
    """A seat keeps its card, although it has the playing number."""

    seat: Seat


@record
class HandWon:
    """A seat has no cards left, and gets a counter for every card of the others."""

    seat: Seat
    tied: tuple[Seat, ...]
    payments: tuple[int, ...]
    points: tuple[int, ...]
    balance: tuple[int, ...]


Event = DealThrown | HandDealt | DiceRolled | CardsTaken | CardsDiscarded | DiscardPassed | HandWon
