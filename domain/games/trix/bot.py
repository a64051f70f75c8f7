"""Trix by rule of thumb: strong cards for sets that count, Trix cards to sets of one's own side, else what is weak."""

from __future__ import annotations

from bisect import bisect_left, bisect_right, insort
from collections.abc import Callable, Mapping, Sequence
from typing import Any, Final, NamedTuple

from domain.game import Seat, Thumbs
from domain.games.trix.game import BY_SUM, FULL, PACKS, POWER, HandScored, PlayCard, SetTaken, Table
from domain.games.trix.game import worth as points
from domain.kit.odds import SURE, lacks, nobody
from domain.kit.trixcards import TrixCard

POINT: Final = 100
POINTS: Final = {card: points(card) for card in FULL}
TO_COME: Final = 1  # points that whoever has not played yet adds to a set
LEADING: Final = 150  # what it costs to take a set and lead to the next, where all others know what they play to
LAST: Final = 450  # what it is worth to play last
SETS_AHEAD: Final = 2  # that are played out
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
    """When the hand is ending, late, and before: what a card is worth, by its points and its kind."""
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


class Lying(NamedTuple):
    """The set so far."""

    cards: int = 0
    points: int = 0
    best: int = -1  # the power of the card that would take it
    side: int = -1  # that played it

    def with_card(self, card: TrixCard, side: int) -> Lying:
        power, points = POWER[card], self.points + POINTS[card]
        if power > self.best:
            return Lying(self.cards + 1, points, power, side)
        return Lying(self.cards + 1, points, self.best, self.side)


def rate(view: Mapping[str, Any], commands: Sequence[PlayCard]) -> list[int]:
    side_of = view["side_of"]
    lying = Lying()
    for play in view["trick"]:
        lying = lying.with_card(play["card"], side_of[play["seat"]])
    own, lain = view["hand"], [play["card"] for play in view["trick"]]
    seen = sorted([POWER[card] for cards in (own, lain, *(view["taken"] or ())) for card in cards])
    left = sum(view["hand_counts"]) + view["stock_count"]
    return scores([command.card for command in commands], lying, side_of, view["turn"], seen, left, left - len(own))


def scores(
    cards: Sequence[TrixCard],
    lying: Lying,
    side_of: Sequence[int],
    me: Seat,
    seen: Sequence[int],
    left: int,
    unseen: int,
) -> list[int]:
    """In hundredths of a point: what the set brings with each card, less what the card is worth later. `seen` are the
    powers of the cards that the seat has seen, in order."""
    seats, sides, mine = len(side_of), max(side_of) + 1, side_of[me]
    lain, at_stake, best, owner = lying
    to_come = (left + lain) // seats - 1
    behind = seats - 1 - lain
    friends = [side_of[me - seats + n] for n in range(1, behind + 1)].count(mine) if sides < seats else 0
    none_of = lacks(4, unseen)
    keep = KEPT[seats][_stage(to_come)]
    gone = len(seen)
    found = []
    for card in cards:
        power, more = POWER[card], POINTS[card]
        held = 0
        # What falls short can still be taken by a partner.
        if power > best or owner == mine or friends:
            highest = power if power > best else best
            above = ABOVE[highest] - gone + bisect_right(seen, highest)
            lacking = none_of[above if above < 59 else 59]
            # Whoever could take a set that is worth nothing saves his card for another.
            beats = SURE - lacking if at_stake + more >= 5 else (SURE - lacking) // 2
            held = nobody(beats, behind - friends)
            if power <= best and owner != mine:
                held = (SURE - nobody(beats, friends)) * held // SURE
            elif friends:
                held += (SURE - held) * beats // SURE * friends // (2 * friends + 1)
        lost = (SURE - held) // (sides - 1)
        score = POINT * (at_stake + more + TO_COME * behind) * (held - lost) // SURE
        if to_come:
            above = ABOVE[power] - gone + bisect_right(seen, power)
            score -= keep[more][bisect_left(BEATEN, 1000 * above // (unseen or 1))] + LEADING * held // SURE
        found.append(score)
    return found


# ── What a table is worth ───────────────────────────────────────────────────────────────────────────────────────


def worth(s: Table) -> Sequence[int]:
    gone = sorted([POWER[card] for cards in (s.on_table, *s.taken) for card in cards])
    return standing(s.side_totals, s.hands, len(s.reserve), gone, s.side_of, s.turn)


def standing(
    points_so_far: Sequence[int],
    hands: Sequence[Sequence[TrixCard]],
    reserve: int,
    gone: Sequence[int],
    side_of: Sequence[int],
    turn: Seat,
) -> Sequence[int]:
    """The points of the hand so far, what the cards in hand promise, and what it is worth to play last. `gone` are the
    powers of the cards that were played, in order."""
    totals = [POINT * total for total in points_so_far]
    seats = len(hands)
    left = sum(map(len, hands)) + reserve
    if left >= seats:
        keep = KEPT[seats][_stage(left // seats)]
        for seat, hand in enumerate(hands):
            unseen = left - len(hand) or 1
            own = sorted([POWER[card] for card in hand])
            promised = 0
            for card in hand:
                power = POWER[card]
                above = ABOVE[power] - len(gone) + bisect_right(gone, power) - len(own) + bisect_right(own, power)
                promised += keep[POINTS[card]][bisect_left(BEATEN, 1000 * above // unseen)]
            totals[side_of[seat]] += promised
        totals[side_of[turn]] -= LEADING
        totals[side_of[turn - 1]] += LAST
    return [totals[side] for side in side_of]


# ── A playout ───────────────────────────────────────────────────────────────────────────────────────────────────

# Cards that neither count nor take come first, as among the legal commands.
ORDER: Final = {
    card: n for n, card in enumerate(sorted(FULL, key=lambda card: (POINTS[card], POWER[card], BY_SUM[card])))
}


def played_out(s: Table, seat: Seat, command: PlayCard, below: Callable[[int], int]) -> Sequence[int]:
    """What the general playout finds, in a quarter of its time: no table is made for every card."""
    seats, side_of, in_order = s.seats, s.side_of, ORDER.__getitem__
    hands = [sorted(hand, key=in_order) for hand in s.hands]
    totals = list(s.side_totals)
    gone = sorted([POWER[card] for cards in (s.on_table, *s.taken) for card in cards])
    # Where the taken cards are covered, the rules of thumb go by those of the set alone.
    open_ = [POWER[card] for card in s.on_table] if s.options.hide_totals else gone
    lying, taker = Lying(), seat
    for n, card in enumerate(s.on_table, start=s.turn - len(s.on_table)):
        taker = n % seats if POWER[card] > lying.best else taker
        lying = lying.with_card(card, side_of[taker])
    odd = len(PACKS[s.options.pack]) % seats if s.options.odd_reserve == "leave" else 0
    left, reserve = sum(map(len, hands)) + len(s.reserve), len(s.reserve)
    card, sets = command.card, 0
    while True:
        power = POWER[card]
        hands[seat].remove(card)
        left -= 1
        insort(gone, power)
        if open_ is not gone:
            open_.append(power)
        taker = seat if power > lying.best else taker
        lying = lying.with_card(card, side_of[taker])
        if reserve > odd:
            insort(hands[seat], s.reserve[-reserve], key=in_order)
            reserve -= 1
        seat = (seat + 1) % seats
        if lying.cards == seats:
            totals[side_of[taker]] += lying.points
            seat, lying, sets = taker, Lying(), sets + 1
            if open_ is not gone:
                open_.clear()
            if not all(hands):
                rest = [*(card for hand in hands for card in hand), *(s.reserve[-reserve:] if reserve else ())]
                totals[side_of[taker]] += sum([POINTS[card] for card in rest])
                return [POINT * totals[side] for side in side_of]
            if sets == SETS_AHEAD:
                return standing(totals, hands, reserve, gone, side_of, seat)
        hand = hands[seat]
        card = hand[0]
        if len(hand) > 1:
            seen = sorted([*open_, *[POWER[card] for card in hand]])
            found = scores(hand, lying, side_of, seat, seen, left, left - len(hand))
            best = max(found)
            places = [n for n, score in enumerate(found) if score == best]
            card = hand[places[0] if len(places) == 1 else places[below(len(places))]]


THUMBS = Thumbs(rate, worth, ends=(HandScored,), horizon=SETS_AHEAD, paces=(SetTaken,), played_out=played_out)
