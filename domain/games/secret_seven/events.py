"""What can be done in Secret Seven, and what then happens: its commands and events."""

from __future__ import annotations

from domain.game import Seat, Secret, record
from domain.games.secret_seven.sevens import Numbers
from domain.kit.cards import Card, Cards
from domain.kit.dealing import DealerChosen
from domain.kit.plays import CardPlayed, PlayCard

# ── Commands ────────────────────────────────────────────────────────────────────────────────────────────────────


@record
class SelectSecret:
    """Take cards out of the pack before you deal, and choose those among them that are the Secret Seven."""

    cards: Cards
    combo: Cards


@record
class CallSecret:
    """Call the trick just taken: it is the first that holds the numbers of your Secret Seven."""

    numbers: Numbers


@record
class NoCall:
    """Let the trick just taken pass without a call."""


@record
class ProveNeglect:
    """Name the first trick that held the secret numbers, which the dealer let pass."""

    trick: int


@record
class Accept:
    """Accept the hand as it was played, without a proof against the dealer."""


Command = SelectSecret | PlayCard | CallSecret | NoCall | ProveNeglect | Accept

# ── Events ──────────────────────────────────────────────────────────────────────────────────────────────────────


@record
class SecretSet:
    """The dealer has laid the packet face down; the numbers of the Secret Seven are among its cards."""

    seat: Seat
    count: int
    cards: Secret[Cards]
    numbers: Secret[Numbers]


@record
class HandDealt:
    """The rest of the pack is dealt, and the dealer's last card is shown for trump."""

    hand_no: int
    dealer: Seat
    turned: Card
    over_count: int
    hands: tuple[Secret[Cards], ...]
    over: Secret[Cards]


@record
class TrickTaken:
    """A trick is complete and goes to its taker; if it could be the secret, play waits for the dealer's word."""

    trick_no: int
    seat: Seat
    seven: bool
    call_open: bool  # follows from the open cards alone


@record
class CallPassed:
    """The dealer does not call the trick."""

    trick_no: int


@record
class SecretCalled:
    """The dealer calls the trick: the packet is shown and goes to the seat that took it."""

    trick_no: int
    numbers: Numbers
    seat: Seat
    cards: Cards


@record
class PacketShown:
    """The hand is played out without a call, and the packet is shown."""

    cards: Cards
    numbers: Numbers


@record
class NeglectProven:
    """An opponent proves that the dealer let the secret pass."""

    seat: Seat | None  # None: by the table, where it proves for the opponents
    trick_no: int


@record
class HandAccepted:
    """An opponent accepts the hand as it was played."""

    seat: Seat


@record
class HandScored:
    """The hand is counted, by side: tricks, sevens, and seven points off for the packet or a proven neglect."""

    tricks: tuple[int, ...]  # won in play; the packet is one more to the side that got it
    packet: tuple[bool, ...]
    base: tuple[int, ...]
    sevens: tuple[int, ...]
    penalty: tuple[int, ...]
    delta: tuple[int, ...]
    totals: tuple[int, ...]


Closing = CallPassed | SecretCalled | PacketShown | NeglectProven | HandAccepted | HandScored
Event = DealerChosen | SecretSet | HandDealt | CardPlayed | TrickTaken | Closing
