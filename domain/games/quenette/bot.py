"""Quenette by rule of thumb: stay under, be rid of high cards while it is free, and give away what hurts."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Final

from domain.game import Thumbs
from domain.games.quenette.game import HandScored, Table
from domain.kit.cards import SUITS, Card, pack
from domain.kit.odds import SURE, lacks, nobody
from domain.kit.plays import PlayCard

OF_SUIT: Final = {suit: pack(range(1, 14), suit) for suit in SUITS}
O_5: Final = Card("O-5")
POINT: Final = 100


def penalty(card: Card) -> int:
    return 0 if card.suit != "O" else 5 if card.number == 5 else 1


def rate(view: Mapping[str, Any], commands: Sequence[PlayCard]) -> list[int]:
    """In hundredths of a point: what it is worth to be rid of a card, less what the trick would cost with it."""
    hand, trick, extras = view["hand"], view["trick"], view["extras"]
    seen = set(hand).union(*view["taken"], extras["cards"] or ())
    led, highest, at_stake = "", 0, 0
    for play in trick:
        card = play["card"]
        seen.add(card)
        at_stake += penalty(card)
        led = led or card.suit
        if card.suit == led and card.number > highest:
            highest = card.number
    others = len(view["hand_counts"]) - 1
    followers = others - len(trick)
    none_of = lacks(len(hand), len(hand) * others + extras["count"])
    five_is_out = O_5 not in seen
    # What somebody who cannot follow would add to the trick.
    thrown = 3 * POINT if five_is_out else POINT if any(card not in seen for card in OF_SUIT["O"]) else 0
    unseen: dict[str, list[int]] = {}
    found: list[int] = []
    for command in commands:
        card = command.card
        suit, number = card.suit, card.number
        if suit not in unseen:
            unseen[suit] = [other.number for other in OF_SUIT[suit] if other not in seen]
        out = unseen[suit]
        lower = sum([other < number for other in out])
        # The more cards there are that can slip under it, the worse it is to keep.
        rid = 6 * lower + number
        if suit == "O":
            rid += 4 * POINT if number == 5 else 4 * number
        if led and suit != led:
            found.append(2 * rid)
        elif number < highest:
            found.append(rid)
        else:
            void = none_of[len(out)]
            cost = POINT * SURE * (at_stake + penalty(card)) + followers * void * thrown
            if suit == "O":
                cost += followers * (SURE - void) * POINT
                if five_is_out and number > 5:
                    cost += 4 * POINT * SURE * followers // others
            # Whoever follows goes under it if he can.
            over = none_of[lower] * (SURE - none_of[len(out) - lower]) // SURE
            found.append(rid - nobody(over, followers) * cost // (SURE * SURE))
    return found


def worth(s: Table) -> Sequence[int]:
    return [-total for total in s.totals]


THUMBS = Thumbs(rate, worth, ends=(HandScored,))
