"""Kid-O by rule of thumb: spend high cards on free tricks, stay under on the others, and throw the Kid-O card away.

The Kid-O card is the highest of its suit, so it takes every trick to which it follows: only a seat that cannot follow
is rid of it. That is why a suit is given up gladly.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Final

from domain.game import Thumbs
from domain.games.kid_o.game import KID_O_POINTS, HandScored, Table
from domain.kit.cards import FULL_PACK, SUITS, pack
from domain.kit.odds import SURE, lacks, nobody
from domain.kit.plays import PlayCard

OF_SUIT: Final = {suit: pack(range(1, 14), suit) for suit in SUITS}
POINT: Final = 100
KID_O: Final = KID_O_POINTS * POINT
THE_LEAD: Final = 10  # what it costs to lead to the next trick
HALF: Final = SURE // 2


def rate(view: Mapping[str, Any], commands: Sequence[PlayCard]) -> list[int]:
    """In hundredths of a point: what it is worth to be rid of a card, less what the trick would cost with it."""
    hand, trick, kid_o_suit, top = view["hand"], view["trick"], view["kid_o_suit"], view["first_card"]
    seen = set(hand)
    for taken in view["tricks_taken"]:
        seen.update(taken["cards"])
    led, highest = "", 0
    for play in trick:
        card = play["card"]
        seen.add(card)
        led = led or card.suit
        if card.suit == led and card.number > highest:
            highest = card.number
    others = len(view["hand_counts"]) - 1
    followers = others - len(trick)
    size, hidden = len(hand), len(FULL_PACK) - len(seen)
    none_of = lacks(size, hidden)

    # The highest card of its suit that is known to have been dealt is the Kid-O card, unless a hand hides a higher one.
    for card in OF_SUIT[kid_o_suit]:
        if card in seen and card.number > top.number:
            top = card
    unseen = {kid_o_suit: [card.number for card in OF_SUIT[kid_o_suit] if card not in seen]}
    above = sum([number > top.number for number in unseen[kid_o_suit]])
    top_costs = KID_O * lacks(sum(view["hand_counts"]) - size, hidden)[above] // SURE
    # What somebody who cannot follow would add to the trick.
    thrown = (KID_O - top_costs if top in seen else KID_O) // others

    at_stake = POINT if view["trick_no"] % 2 == 0 else 0
    # Where the trick is free others play high too.
    eager = SURE // 8 if at_stake else HALF
    for play in trick:
        if play["card"] is top:
            at_stake += top_costs
    if size > 1:
        at_stake += THE_LEAD
    found: list[int] = []
    for command in commands:
        card = command.card
        suit, number = card.suit, card.number
        if suit not in unseen:
            unseen[suit] = [other.number for other in OF_SUIT[suit] if other not in seen]
        out = unseen[suit]
        lower = sum([other < number for other in out])
        own = top_costs if card is top else 0
        rid = 3 * number + (64 * lower // hidden if hidden else 0)
        alone = sum([held.suit == suit for held in hand]) == 1
        if led and suit != led:
            found.append(own + 2 * rid + (20 if alone else 0))
            continue
        if alone:
            rid += 10
        if number < highest:
            found.append(own + rid)
            continue
        cost = SURE * (at_stake + own)
        if suit != kid_o_suit:
            cost += followers * none_of[len(out)] * thrown
        over = (none_of[lower] * (SURE - eager) // SURE + eager) * (SURE - none_of[len(out) - lower]) // SURE
        found.append(rid - nobody(over, followers) * cost // (SURE * SURE))
    return found


def worth(s: Table) -> Sequence[int]:
    return [-total for total in s.totals]


THUMBS = Thumbs(rate, worth, ends=(HandScored,))
