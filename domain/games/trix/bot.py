"""Trix by rule of thumb: strong cards for sets that count, Trix cards to sets of one's own side, else what is weak."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Mapping, Sequence
from typing import Any, Final

from domain.game import Thumbs
from domain.games.trix.game import FULL, POWER, HandScored, PlayCard, Table
from domain.games.trix.game import worth as points
from domain.kit.odds import SURE, lacks

POINT: Final = 100
POINTS: Final = {card: points(card) for card in FULL}
TO_COME: Final = 2  # points that whoever has not played yet adds to a set
ABOVE: Final = {power: sum(other > power for other in POWER.values()) for power in POWER.values()}
# How many in a thousand of all cards each card takes.
TAKES: Final = {card: 1000 * sum(POWER[other] < POWER[card] for other in FULL) // len(FULL) for card in FULL}


def kept(seats: int) -> Mapping[Any, int]:
    """What a card is worth while it is held: it will take a set, or at least itself, or it will be lost."""
    found = {}
    for card, takes in TAKES.items():
        power = takes**3 // 1_000_000
        found[card] = power * seats * 2 * POINT // 1000 + points(card) * (2 * power - 1000) * POINT // 1000
    return found


KEPT: Final = {seats: kept(seats) for seats in range(2, 11)}


def rate(view: Mapping[str, Any], commands: Sequence[PlayCard]) -> list[int]:
    """In hundredths of a point: what the set brings with this card, less what the card is worth later."""
    side_of, trick, me = view["side_of"], view["trick"], view["turn"]
    seats, sides = len(side_of), max(side_of) + 1
    seen = [POWER[card] for cards in (view["hand"], *(view["taken"] or ())) for card in cards]
    best, at_stake, ours = -1, 0, False
    for play in trick:
        card = play["card"]
        seen.append(POWER[card])
        at_stake += POINTS[card]
        if POWER[card] > best:
            best, ours = POWER[card], side_of[play["seat"]] == side_of[me]
    seen.sort()
    unseen = len(FULL) - len(seen)
    behind = [side_of[(me + n) % seats] for n in range(1, seats - len(trick))]
    against = sum([side != side_of[me] for side in behind])
    friends = len(behind) - against
    none_of = lacks(4, unseen)
    keep = KEPT[seats]
    found = []
    for command in commands:
        card = command.card
        power = POWER[card]
        mine = ours or power > best
        highest = max(power, best)
        stake = POINT * (at_stake + POINTS[card] + TO_COME * len(behind))
        above = ABOVE[highest] - len(seen) + bisect_right(seen, highest)
        lacking = none_of[min(59, above)]
        # Whoever could take a set that is worth nothing saves his card for another.
        eager = SURE if at_stake + POINTS[card] >= 5 else SURE // 2
        beats = (SURE - lacking) * eager // SURE
        held = SURE
        for _ in range(against):
            held = held * (SURE - beats) // SURE
        if not mine:
            # Only a partner behind can still take it.
            rescued = SURE
            for _ in range(friends):
                rescued = rescued * (SURE - beats) // SURE
            held = (SURE - rescued) * held // SURE
        elif friends:
            held += (SURE - held) * beats // SURE * friends // (2 * friends + 1)
        lost = (SURE - held) // (sides - 1)
        found.append(stake * (held - lost) // SURE - keep[card])
    return found


def worth(s: Table) -> Sequence[int]:
    """The points of the hand so far, and what the cards in hand promise."""
    keep = KEPT[s.seats]
    totals = [POINT * total for total in s.side_totals]
    for seat, hand in enumerate(s.hands):
        totals[s.side_of[seat]] += sum([keep[card] for card in hand])
    return [totals[side] for side in s.side_of]


THUMBS = Thumbs(rate, worth, ends=(HandScored,), horizon=12)
