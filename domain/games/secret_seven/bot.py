"""Secret Seven by rule of thumb: take tricks with a seven, but for the one that costs seven."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Final

from domain.game import Seat, Thumbs
from domain.games.secret_seven.events import CallSecret, HandScored, ProveNeglect, SelectSecret
from domain.games.secret_seven.game import PENALTY, SEVEN_TRICK, Table
from domain.games.secret_seven.sevens import holds_numbers, holds_seven, numbers_of
from domain.kit.cards import Card, Cards, pack

SURE: Final = 1000
TRICK: Final = 70  # a trick, in hundredths of a point: those over four count
ODDS: Final = 6  # one seven in so many is the secret, for those who do not know it
PACKS: Final = {
    (seats, sevens): pack((n for n in range(1, 14) if n != 7 or sevens), "CROW"[:seats])
    for seats in (2, 3, 4)
    for sevens in (False, True)
}


def rate(view: Mapping[str, Any], commands: Sequence[Any]) -> list[int]:
    match view["phase"]:
        case "playing":
            return _plays(view, commands)
        case "selecting":
            return [_secret(command) for command in commands]
        case _:
            # A call that is due costs no more than a neglect that is proven.
            return [int(isinstance(command, CallSecret | ProveNeglect)) for command in commands]


def _secret(command: SelectSecret) -> int:
    """Two numbers that lie together often: those who do not know them will step into them."""
    numbers = numbers_of(command.combo)
    return -100 * len(numbers) - sum(card.number in numbers for card in command.cards)


# ── Playing ─────────────────────────────────────────────────────────────────────────────────────────────────────


def _plays(view: Mapping[str, Any], commands: Sequence[Any]) -> list[int]:
    trump, trick, hand, seat, counts = view["trump"], view["trick"], view["hand"], view["turn"], view["hand_counts"]
    seats, sides = len(counts), len(view["side_totals"])
    taken, packet = view["tricks_taken"], view["packet"]
    lying: Cards = tuple([play["card"] for play in trick])
    seen = {*hand, *lying, view["turned"], *(packet["cards"] or ())}
    for past in taken:
        seen.update(past["cards"])
    unseen = [card for card in _pack(view) if card not in seen]
    behind = seats - 1 - len(lying)
    size = len(hand)
    total = len(unseen)
    away = max(0, total - behind * size)
    led = lying[0].suit if lying else ""
    best = max((_might(card, trump) for card in lying if card.suit in (led, trump)), default=0)
    # With partners: who has the trick so far, and whether it would hold.
    friend = False
    if lying and sides < seats:
        leader = next(p["seat"] for p in trick if _might(p["card"], trump) == best and p["card"].suit in (led, trump))
        friend = leader % sides == seat % sides
    theirs = SURE // (sides - 1)
    found = []
    for command in commands:
        card: Card = command.card
        is_trump = card.suit == trump
        might = _might(card, trump)
        if might > best and (not led or is_trump or card.suit == led):
            ours = _holds(card, is_trump, unseen, behind, size, total, away, trump)
        elif friend:
            ours = SURE if not behind else SURE * 7 // 10
        else:
            ours = SURE // 5 if behind > 1 and sides < seats else 0
        value = TRICK + _seven(view, (*lying, card), seat)
        gain = value * (ours * SURE - (SURE - ours) * theirs) // (SURE * SURE)
        found.append(gain - _keep(card, is_trump, size))
    return found


def _holds(
    card: Card, is_trump: bool, unseen: Sequence[Card], behind: int, size: int, total: int, away: int, trump: str
) -> int:
    """The chance that nobody behind can take the trick from this card."""
    if not behind or not total:
        return SURE
    of_suit = [other.number for other in unseen if other.suit == card.suit]
    above = sum(number > card.number for number in of_suit)
    chance: int = SURE * away**above // total**above
    if not is_trump:
        void = SURE * (total - len(of_suit)) ** size // total**size
        for _ in range(behind):
            chance = chance * (SURE - void // 2) // SURE
    return chance


def _seven(view: Mapping[str, Any], cards: Cards, seat: Seat) -> int:
    """What a seven among the cards of a trick adds to it, or takes away."""
    if not holds_seven(cards):
        return 0
    value = 100 * SEVEN_TRICK
    if view["called_trick"] is not None:
        return value
    secret = view["packet"]["secret"]
    if secret is not None:
        return value - 100 * PENALTY * (holds_numbers(cards, secret) and not _passed(view, secret))
    pairs = {n for n in (1, 2, 3) if _pair(cards, n)}
    if pairs and all(any(_pair(past["cards"], n) for past in view["tricks_taken"]) for n in pairs):
        return value  # these have lain there before, and nobody called
    return value - 100 * PENALTY // ODDS


def _passed(view: Mapping[str, Any], secret: tuple[int, ...]) -> bool:
    return any(holds_numbers(past["cards"], secret) for past in view["tricks_taken"])


def _pair(cards: Cards, low: int) -> bool:
    return any(card.number == low for card in cards) and any(card.number == 7 - low for card in cards)


def _might(card: Card, trump: str) -> int:
    return card.number + 13 if card.suit == trump else card.number


def _keep(card: Card, is_trump: bool, size: int) -> int:
    """What a card may still be good for."""
    if size == 1:
        return 0
    return 20 + 3 * card.number if is_trump else 3 * max(0, card.number - 7) + card.number // 3


def _pack(view: Mapping[str, Any]) -> Cards:
    return PACKS[len(view["hand_counts"]), len(view["hand_counts"]) < 4]


def worth(s: Table) -> Sequence[int]:
    return [s.totals[seat % len(s.sides)] for seat in range(s.seats)]


THUMBS = Thumbs(rate, worth, ends=(HandScored,))
