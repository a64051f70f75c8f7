"""Trix by rule of thumb: strong cards for sets that count, Trix cards to sets of one's own side, else what is weak."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Mapping, Sequence
from typing import Any, Final

from domain.game import Thumbs
from domain.games.trix.game import FULL, POWER, HandScored, PlayCard, SetTaken, Table
from domain.games.trix.game import worth as points
from domain.kit.odds import SURE, lacks

POINT: Final = 100
POINTS: Final = {card: points(card) for card in FULL}
TO_COME: Final = 1  # points that whoever has not played yet adds to a set
LEADING: Final = 150  # what it costs to take a set and lead to the next, where all others know what they play to
LAST: Final = 450  # what it is worth to play last
ABOVE: Final = {power: sum(other > power for other in POWER.values()) for power in POWER.values()}

# ── What a card is worth while it is held ───────────────────────────────────────────────────────────────────────

# A card is as strong as few of the unseen ones beat it: so many in a thousand, and the last kind are all above.
BEATEN: Final = (0, 12, 22, 35, 55, 85, 120, 170, 250, 360, 500, 650, 820)
ENDING, LATE = 2, 6  # sets that are still to come

Kinds = tuple[int, ...]
# By kind of card, for a card that counts nothing and for every point that it counts, in hundredths of a point: what
# whoever held it took more than the others in the rest of the hand, when these rules of thumb played many hands against
# themselves. For few seats and for many, each when the hand is ending, late, and before.
FEW: Final[tuple[tuple[Kinds, Kinds], ...]] = (
    (
        (2320, 1640, 1230, 980, 830, 750, 710, 710, 500, 200, 30, 0, 0, 0),
        (120, 74, 45, 28, 18, 13, 11, 12, 10, -10, -23, -35, -40, -40),
    ),
    (
        (1960, 1370, 1040, 890, 870, 990, 1000, 670, 320, 230, 70, 10, 10, 0),
        (136, 86, 56, 41, 37, 41, 37, 44, 33, 18, -6, -24, -35, -39),
    ),
    (
        (1140, 600, 570, 520, 300, 110, 50, 10, 10, 10, 10, 0, 0, 0),
        (133, 120, 84, 58, 43, 51, 57, 77, 70, 54, -7, -15, -44, -52),
    ),
)
MANY: Final[tuple[tuple[Kinds, Kinds], ...]] = (
    (
        (3150, 2120, 1530, 1220, 1220, 1220, 1400, 1200, 320, 0, 0, 0, 0, 0),
        (121, 73, 44, 25, 13, 4, 0, 0, -15, -18, -20, -25, -25, -21),
    ),
    (
        (2780, 2050, 1850, 1850, 2070, 1810, 1270, 960, 520, 150, 40, 0, 0, 0),
        (145, 93, 66, 54, 57, 55, 25, 26, 12, 4, -10, -18, -19, -20),
    ),
    (
        (1890, 1760, 1740, 1610, 1250, 970, 680, 440, 220, 80, 50, 20, 20, 0),
        (156, 110, 82, 68, 46, 52, 41, 67, 52, 14, -15, -20, -21, -25),
    ),
)
FEW_SEATS, MANY_SEATS = 3, 5


def _between(few: int, many: int, seats: int) -> int:
    """Past five seats there is little change, and tables of two are like those of three."""
    share = min(max(seats, FEW_SEATS), MANY_SEATS) - FEW_SEATS
    return few + (many - few) * share // (MANY_SEATS - FEW_SEATS)


def kept(seats: int) -> Sequence[Mapping[int, Kinds]]:
    """What cards are worth to those who hold them: when the hand is ending, late, and before, by their points and kind."""
    return [
        {
            count: tuple(
                _between(few[n], many[n], seats) + count * _between(more_of_few[n], more_of_many[n], seats)
                for n in range(len(few))
            )
            for count in sorted({*POINTS.values()})
        }
        for (few, more_of_few), (many, more_of_many) in zip(FEW, MANY, strict=True)
    ]


KEPT: Final = {seats: kept(seats) for seats in range(2, 11)}


def _stage(to_come: int) -> int:
    return 0 if to_come <= ENDING else 1 if to_come <= LATE else 2


# ── Which card to play ──────────────────────────────────────────────────────────────────────────────────────────


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
    left = sum(view["hand_counts"]) + view["stock_count"]
    unseen = left - len(view["hand"])
    to_come = (left + len(trick)) // seats - 1
    behind = [side_of[(me + n) % seats] for n in range(1, seats - len(trick))]
    against = sum([side != side_of[me] for side in behind])
    friends = len(behind) - against
    none_of = lacks(4, unseen)
    keep = KEPT[seats][_stage(to_come)]
    found = []
    for command in commands:
        card = command.card
        power, count = POWER[card], POINTS[card]
        mine = ours or power > best
        highest = max(power, best)
        stake = POINT * (at_stake + count + TO_COME * len(behind))
        above = ABOVE[highest] - len(seen) + bisect_right(seen, highest)
        lacking = none_of[min(59, above)]
        # Whoever could take a set that is worth nothing saves his card for another.
        eager = SURE if at_stake + count >= 5 else SURE // 2
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
        score = stake * (held - lost) // SURE
        if to_come:
            above = ABOVE[power] - len(seen) + bisect_right(seen, power)
            score -= keep[count][bisect_left(BEATEN, 1000 * above // max(1, unseen))] + LEADING * held // SURE
        found.append(score)
    return found


def worth(s: Table) -> Sequence[int]:
    """The points of the hand so far, what the cards in hand promise, and what it is worth to play last."""
    totals = [POINT * total for total in s.side_totals]
    left = sum(map(len, s.hands)) + len(s.reserve)
    if s.playing and left >= s.seats:
        keep = KEPT[s.seats][_stage(left // s.seats)]
        gone = sorted([POWER[card] for cards in (s.on_table, *s.taken) for card in cards])
        for seat, hand in enumerate(s.hands):
            unseen = max(1, left - len(hand))
            own = sorted([POWER[card] for card in hand])
            for card in hand:
                power = POWER[card]
                above = ABOVE[power] - len(gone) + bisect_right(gone, power) - len(own) + bisect_right(own, power)
                totals[s.side_of[seat]] += keep[POINTS[card]][bisect_left(BEATEN, 1000 * above // unseen)]
        totals[s.side_of[s.turn]] -= LEADING
        totals[s.side_of[s.turn - 1]] += LAST
    return [totals[side] for side in s.side_of]


THUMBS = Thumbs(rate, worth, ends=(HandScored,), horizon=2, paces=(SetTaken,))
