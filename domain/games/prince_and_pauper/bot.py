"""Prince and Pauper by rule of thumb: take what counts, and keep out of the Pauper's way.

Its holder lets the Pauper go as soon as there is a set of 13, so a trick is a danger to whoever takes it as long as the
Pauper may still follow. The holder does not want the lead: only from the third place on can the Pauper go.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Mapping, Sequence
from typing import Any, Final

from domain.game import Thumbs
from domain.games.prince_and_pauper.game import RANKING, VALUES, HandScored, Table, is_over
from domain.kit.cards import PAUPER, PRINCE, SUITS
from domain.kit.odds import SURE, lacks, nobody
from domain.kit.plays import PlayCard

POINT: Final = 100
WORTH: Final = {
    trump: {card: POINT * (2 if card == f"{trump}-2" else points) for card, points in VALUES.items()} for trump in SUITS
}
# The cards from the lowest to the highest, without the Pauper.
LADDER: Final = {trump: sorted(height, key=height.__getitem__)[1:] for trump, height in RANKING.items()}
A_TRICK: Final = 25  # towards the most tricks
THE_LEAD: Final = 100  # what it costs the holder of the Pauper
DISPOSED: Final = 100 * POINT  # there is nothing better
# In hundredths, how often the Pauper's holder can let it go when so many cards lie before him.
SET_OF_13: Final = (0, 0, 8, 28, 50, 70, 82, 90)
THE_MATCH: Final = 30  # points that winning it counts for


def rate(view: Mapping[str, Any], commands: Sequence[PlayCard]) -> list[int]:
    """In hundredths of a point: what a card is likely to take, less what it would be worth later."""
    hand, trick, trump, counts = view["hand"], view["trick"], view["trump"], view["hand_counts"]
    height_of, worth_of = RANKING[trump], WORTH[trump]
    seen = set(hand).union(*view["taken"])
    led, best, stake, followers = "", 0, A_TRICK, sum(map(bool, counts)) - 1
    sums = 1  # a bit for every total that some cards of the trick make; a 13 is no set by itself and adds nothing
    for play in trick:
        card = play["card"]
        seen.add(card)
        stake += worth_of[card]
        followers -= counts[play["seat"]] > 0
        led = led or (trump if card is PRINCE else card.suit)
        best = max(best, height_of[card])
        sums |= sums << card.number % 13
    lost = view["pauper_taker"] is not None
    out = [card for card in LADDER[trump] if card not in seen]
    heights = [height_of[card] for card in out]
    holds_it = PAUPER in hand
    dangerous = PAUPER not in seen
    none_of = lacks(len(hand), len(out) + dangerous)
    suits = "".join([card.suit for card in out])
    of_suit = {suit: suits.count(suit) + (suit == trump and PRINCE in out) for suit in SUITS}
    found: list[int] = []
    for command in commands:
        card = command.card
        if card is PAUPER:
            found.append(DISPOSED)
            continue
        height, own = height_of[card], worth_of[card]
        kept = 3 * height + own // 2 + (150 if card is PRINCE else 0)
        if lost or height < best:
            found.append(-kept - own // 3)
            continue
        gain, wins = stake + own, SURE
        if holds_it:
            gain -= THE_LEAD
        if followers:
            suit = trump if card is PRINCE else card.suit
            void = none_of[of_suit.get(led or suit, 0)]
            wins = nobody(_goes_over(suit, height, led or suit, trump, heights, void, none_of), followers)
            if dangerous:
                gain -= 8 * _pauper(len(trick) + 1, followers, sums | sums << card.number % 13) // (len(counts) - 1)
        found.append((wins * gain - (SURE - wins) * own // 3) // SURE - kept)
    return found


def _goes_over(
    suit: str, height: int, led: str, trump: str, heights: Sequence[int], void: int, none_of: Sequence[int]
) -> int:
    """The odds that one who follows can beat a card: in the suit led, or with any higher card if he has none of it."""
    above = len(heights) - bisect_right(heights, height)
    of_suit = 0
    if suit == led:
        # The heights go in steps of 13 a suit; the Prince stands above the highest trump.
        of_suit = above if led == trump else bisect_right(heights, height + -height % 13) - len(heights) + above
    return min(SURE, SURE - none_of[of_suit] + void * (SURE - none_of[above - of_suit]) // SURE)


def _pauper(lying: int, followers: int, sums: int) -> int:
    """In hundredths, for how many of those who follow the Pauper could go, if they had it."""
    if sums >> 13 & 1:
        return 100 * (followers - (lying < 2))
    return sum(SET_OF_13[min(lying + place, len(SET_OF_13) - 1)] for place in range(followers))


def worth(s: Table) -> Sequence[int]:
    if not is_over(s):
        return s.totals
    most = max(s.totals)
    return [total + (THE_MATCH if total == most else 0) for total in s.totals]


THUMBS = Thumbs(rate, worth, ends=(HandScored,))
