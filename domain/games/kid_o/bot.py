"""Kid-O by rule of thumb: spend high cards on free tricks, stay under on the others, and throw the Kid-O card away.

The Kid-O card is the highest of its suit, so it takes every trick to which it follows: only a seat that cannot follow
is rid of it. That is why a suit is given up gladly.

A card is a bit here, and cards are the bits of a number, suit by suit from the lowest card up, as they are held.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, Final

from domain.game import Seat, Thumbs
from domain.games.kid_o.game import KID_O_POINTS, HandScored, Table
from domain.kit.cards import FULL_PACK, Card
from domain.kit.odds import SURE, lacks, nobody
from domain.kit.plays import PlayCard

POINT: Final = 100
KID_O: Final = KID_O_POINTS * POINT
THE_LEAD: Final = 10  # what it costs to lead to the next trick
HALF: Final = SURE // 2

# ── Cards as bits ───────────────────────────────────────────────────────────────────────────────────────────────

PLACE: Final = {card: place for place, card in enumerate(FULL_PACK)}
SUIT: Final = tuple(0b1111111111111 << 13 * (place // 13) for place in range(52))  # all cards of the suit of this one


def as_bits(cards: Iterable[Card]) -> int:
    return sum([1 << PLACE[card] for card in cards])


# ── Which card to play ──────────────────────────────────────────────────────────────────────────────────────────


def rate(view: Mapping[str, Any], commands: Sequence[PlayCard]) -> list[int]:
    trick = [PLACE[play["card"]] for play in view["trick"]]
    hand = as_bits(view["hand"])
    seen = (
        hand | sum([1 << place for place in trick]) | as_bits(c for one in view["tricks_taken"] for c in one["cards"])
    )
    elsewhere = sum(view["hand_counts"]) - len(view["hand"])
    cards = [PLACE[command.card] for command in commands]
    others = len(view["hand_counts"]) - 1
    return scores(cards, hand, seen, trick, view["trick_no"], PLACE[view["first_card"]], others, elsewhere)


def scores(
    cards: Sequence[int],
    hand: int,
    seen: int,
    trick: Sequence[int],
    trick_no: int,
    first_card: int,
    others: int,
    elsewhere: int,
) -> list[int]:
    """In hundredths of a point: what it is worth to be rid of a card, less what the trick would cost with it.
    `elsewhere` is the number of cards that the others hold."""
    led, highest = -1, -1
    for place in trick:
        if led < 0:
            led = highest = place
        elif place // 13 == led // 13 and place > highest:
            highest = place
    followers = others - len(trick)
    size, hidden = hand.bit_count(), len(FULL_PACK) - seen.bit_count()
    none_of = lacks(size, hidden)

    # The highest card of its suit that is known to have been dealt is the Kid-O card, unless a hand hides a higher one.
    kid_o_suit = SUIT[first_card]
    top = max(first_card, (seen & kid_o_suit).bit_length() - 1)
    above = (kid_o_suit & ~seen) >> (top + 1)
    top_costs = KID_O * lacks(elsewhere, hidden)[above.bit_count()] // SURE
    # What somebody who cannot follow would add to the trick.
    thrown = (KID_O - top_costs if seen >> top & 1 else KID_O) // others

    at_stake = POINT if trick_no % 2 == 0 else 0
    # Where the trick is free others play high too.
    eager = SURE // 8 if at_stake else HALF
    if top in trick:
        at_stake += top_costs
    if size > 1:
        at_stake += THE_LEAD
    found: list[int] = []
    for place in cards:
        suit = SUIT[place]
        out = suit & ~seen
        count, lower = out.bit_count(), (out & ((1 << place) - 1)).bit_count()
        own = top_costs if place == top else 0
        rid = 3 * (place % 13 + 1) + (64 * lower // hidden if hidden else 0)
        alone = hand & suit == 1 << place
        if trick and suit != SUIT[led]:
            found.append(own + 2 * rid + (20 if alone else 0))
            continue
        if alone:
            rid += 10
        if place < highest:
            found.append(own + rid)
            continue
        cost = SURE * (at_stake + own)
        if suit != kid_o_suit:
            cost += followers * none_of[count] * thrown
        over = (none_of[lower] * (SURE - eager) // SURE + eager) * (SURE - none_of[count - lower]) // SURE
        found.append(rid - nobody(over, followers) * cost // (SURE * SURE))
    return found


def worth(s: Table) -> Sequence[int]:
    return [-total for total in s.totals]


# ── A playout ───────────────────────────────────────────────────────────────────────────────────────────────────


def played_out(s: Table, seat: Seat, command: PlayCard, below: Callable[[int], int]) -> Sequence[int]:
    """What the general playout finds, in a fraction of its time: no table is made for every card."""
    assert s.first_card is not None
    seats, first_card = s.seats, PLACE[s.first_card]
    hands = [as_bits(hand) for hand in s.hands]
    trick = [PLACE[play.card] for play in s.trick]
    taken = [(one.seat, as_bits(one.cards)) for one in s.tricks]
    totals = list(s.totals)
    for one in s.tricks:
        totals[one.seat] += one.points
    open_ = sum([cards for _, cards in taken]) | sum([1 << place for place in trick])
    held, trick_no, place = sum(map(len, s.hands)), s.trick_no, PLACE[command.card]
    while True:
        hands[seat] ^= 1 << place
        open_ |= 1 << place
        trick.append(place)
        held -= 1
        seat = (seat + 1) % seats
        if len(trick) == seats:
            seat = (seat + trick.index(max([one for one in trick if SUIT[one] == SUIT[trick[0]]]))) % seats
            taken.append((seat, sum([1 << one for one in trick])))
            totals[seat] += trick_no % 2 == 0
            trick_no += 1
            trick = []
            if not held:
                break
        hand = hands[seat]
        legal = (hand & SUIT[trick[0]] or hand) if trick else hand
        if legal & (legal - 1):
            cards = places(legal)
            found = scores(cards, hand, hand | open_, trick, trick_no, first_card, seats - 1, held - hand.bit_count())
            best = max(found)
            equal = [one for one, score in zip(cards, found, strict=True) if score == best]
            place = equal[below(len(equal))] if len(equal) > 1 else equal[0]
        else:
            place = legal.bit_length() - 1
    kid_o = 1 << (open_ & SUIT[first_card]).bit_length() - 1
    totals[next(one for one, cards in taken if cards & kid_o)] += KID_O_POINTS
    return [-total for total in totals]


def places(cards: int) -> list[int]:
    """Of each of these cards, the lowest first."""
    found = []
    while cards:
        found.append((cards & -cards).bit_length() - 1)
        cards &= cards - 1
    return found


THUMBS = Thumbs(rate, worth, ends=(HandScored,), played_out=played_out)
