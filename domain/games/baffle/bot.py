"""Baffle by rule of thumb: stay with a hand that will take a trick, and take those that pay."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Final

from domain.game import Thumbs
from domain.games.baffle.events import HandScored, Keep
from domain.games.baffle.game import BAFFLED, LOWEST_TRUMP, Table
from domain.kit.cards import FULL_PACK, Card

SURE: Final = 1000
TRUMP: Final = 13  # how far a trump stands above a card of another suit


def rate(view: Mapping[str, Any], commands: Sequence[Any]) -> list[int]:
    match view["phase"]:
        case "playing":
            return _plays(view, commands)
        case "declaring":
            return [_declared(view, command.choice) for command in commands]
        case _:
            return [0 if isinstance(command, Keep) else _exchanged(view, command.discard) for command in commands]


# ── Before the play ─────────────────────────────────────────────────────────────────────────────────────────────

# What a card is good for, in hundredths of a point, by its number. Cards that take no trick cost those that would.
TRUMP_POWER: Final = (0, 10, 14, 40, 50, 70, 90, 95, 115, 125, 145, 195, 235, 290)
PLAIN_POWER: Final = (0, -80, -80, -80, -84, -84, -84, -74, -66, -50, -35, -5, 20, 75)
# What else a hand is worth among so many players, and what the cop hand is worth. With it comes a sure trump.
CONTENT: Final = (0, 400, 180, 146, 115, 88, 65, 50)
COP: Final = (0, 700, 480, 280, 160, 54, -40, -100)
RESIGNED: Final = -150  # by the number of seats: the others share what a seat leaves to them
CONCEDED: Final = -500


def power(hand: Sequence[Card], trump: str) -> int:
    return sum((TRUMP_POWER if card.suit == trump else PLAIN_POWER)[card.number] for card in hand)


def _declared(view: Mapping[str, Any], choice: str) -> int:
    choices = view["choices"]
    # Of those who have yet to speak about every second one stays.
    players = 1 + sum(said in ("content", "cop") for said in choices) + choices.count(None) // 2
    match choice:
        case "content":
            return power(view["hand"], view["trump"]) + CONTENT[players]
        case "cop":
            return COP[players]
        case "resign":
            return RESIGNED // len(choices)
        case _:
            return CONCEDED


def _exchanged(view: Mapping[str, Any], discard: Card) -> int:
    """The card turned up is a trump, and takes the place of the weakest card."""
    trump = view["trump"]
    return _might(view["turned"], trump) - _might(discard, trump)


def _might(card: Card, trump: str) -> int:
    return card.number + TRUMP if card.suit == trump else card.number


# ── Playing ─────────────────────────────────────────────────────────────────────────────────────────────────────


def _plays(view: Mapping[str, Any], commands: Sequence[Any]) -> list[int]:
    trump, trick, hand, seat = view["trump"], view["trick"], view["hand"], view["turn"]
    taken, choices = view["tricks_taken"], view["choices"]
    lying = [play["card"] for play in trick]
    seen = {*hand, *lying, *view["laid_down"]}
    for past in taken:
        seen.update(past["cards"])
    if view["turned_by"] is None:
        seen.add(view["turned"])
    unseen = [card for card in FULL_PACK if card not in seen]
    playing = sum(choice in ("content", "cop") for choice in choices)
    behind = playing - 1 - len(lying)
    size = len(hand)
    total = len(unseen)
    away = max(0, total - behind * size)
    lowest = min((card.number for past in taken for card in past["cards"] if card.suit == trump), default=14)
    own_tricks = sum(past["seat"] == seat for past in taken)
    needed = own_tricks < (2 if choices[seat] == "cop" else 1)
    led = lying[0].suit if lying else ""
    best = max((_might(card, trump) for card in lying if card.suit in (led, trump)), default=0)
    paid = 100 + (BAFFLED * 100 // max(1, size - 1) if needed else 0)
    if any(card.suit == trump and card.number < min(lowest, 6) for card in lying):
        paid += 100 * (LOWEST_TRUMP - 1)
    leads_past = not lying and bool(taken) and not view["trump_missed"] and any(card.suit == trump for card in hand)
    found = []
    for command in commands:
        card: Card = command.card
        might = _might(card, trump)
        is_trump = card.suit == trump
        keep = _keep(card, is_trump, size)
        risk = 60 * (is_trump and card.number < min(lowest, 5))  # it may be the lowest, which makes a trick dear
        if leads_past and not is_trump:
            found.append(-100 * BAFFLED - keep)
            continue
        if might < best or (led and not is_trump and card.suit != led):
            found.append(-keep - 2 * risk)
            continue
        above = sum(other.number > card.number for other in unseen if other.suit == card.suit)
        chance = SURE * away**above // total**above if behind and total else SURE
        if behind and not is_trump and total:
            of_suit = sum(other.suit == card.suit for other in unseen)
            void = SURE * (total - of_suit) ** size // total**size
            for _ in range(behind):
                chance = chance * (SURE - void // 2) // SURE
        found.append((paid + risk * 2) * chance // SURE - risk * 2 - keep)
    return found


def _keep(card: Card, is_trump: bool, size: int) -> int:
    """What a card may still be good for, in hundredths of a point."""
    if size == 1:
        return 0
    return 40 + 5 * card.number if is_trump else 4 * max(0, card.number - 6) + card.number // 2


def worth(s: Table) -> Sequence[int]:
    return [-total for total in s.totals]


THUMBS = Thumbs(rate, worth, ends=(HandScored,))
