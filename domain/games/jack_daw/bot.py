"""Jack-Daw by rule of thumb: bring the trump 1 and 5 home, catch those of others, and gather tens for Game."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Final

from domain.game import Thumbs
from domain.games.jack_daw.game import GAME_VALUES, POINT_CARDS, HandScored, Table, is_over
from domain.kit.cards import FULL_PACK, SUITS, pack
from domain.kit.odds import SURE, lacks, nobody
from domain.kit.plays import PlayCard

OF_SUIT: Final = {suit: pack(range(1, 14), suit) for suit in SUITS}
POINT: Final = 1000
# What a card counts towards Game to its taker, and what it is worth to hold: a ten is easily lost.
COUNTS: Final = [15 * GAME_VALUES.get(number, 0) for number in range(14)]
KEPT: Final = [COUNTS[number] * {10: 4, 13: 8}.get(number, 6) // 10 + 3 * number for number in range(14)]
# The same of trumps. The 13 is sure of its point whenever it is played.
TRUMP_COUNTS: Final = [COUNTS[number] + POINT * (number in POINT_CARDS) for number in range(14)]
TRUMP_KEPT: Final = [KEPT[number] + 60 + 9 * number + {1: 300, 5: 400, 13: 1000}.get(number, 0) for number in range(14)]
A_TRICK: Final = 10
THE_MATCH: Final = 4  # points that winning it counts for


def rate(view: Mapping[str, Any], commands: Sequence[PlayCard]) -> list[int]:
    """In thousandths of a point: what a card is likely to take, less what it would be worth later."""
    hand, trick, trump, top = view["hand"], view["trick"], view["trump"], view["top"]
    followers = len(view["hand_counts"]) - 1 - len(trick)
    seen = set(hand).union(*view["taken"])
    stake = A_TRICK
    if top is not None:
        # The taker draws it.
        stake += 60 + TRUMP_KEPT[top.number] // 2 if top.suit == trump else KEPT[top.number] // 2
    led, best, ruffed = "", 0, False
    for play in trick:
        card = play["card"]
        suit, number = card.suit, card.number
        seen.add(card)
        led = led or suit
        if suit == trump:
            stake += TRUMP_COUNTS[number]
            if number > best or not ruffed:
                best, ruffed = number, True
        else:
            stake += COUNTS[number]
            if suit == led and number > best and not ruffed:
                best = number
    none_of = lacks(len(hand), len(FULL_PACK) - len(seen))
    out = {suit: [card.number for card in cards if card not in seen] for suit, cards in OF_SUIT.items()}
    found: list[int] = []
    for command in commands:
        suit, number = command.card.suit, command.card.number
        if suit == trump:
            own, kept = TRUMP_COUNTS[number], TRUMP_KEPT[number]
            loses = ruffed and number < best
        else:
            own, kept = COUNTS[number], KEPT[number]
            loses = ruffed or (led != "" and (suit != led or number < best))
        if loses:
            found.append(-kept - own * 3 // 5)
            continue
        wins = SURE
        if followers:
            void = none_of[len(out[led or suit])]
            higher = SURE - none_of[sum([other > number for other in out[suit]])]
            if suit != trump:
                over = min(SURE, higher + void * (SURE - none_of[len(out[trump])]) // SURE)
            else:
                over = higher if led in ("", trump) else higher * void // SURE
            wins = nobody(over, followers)
        found.append((wins * (stake + own) - (SURE - wins) * own * 3 // 5) // SURE - kept)
    return found


def worth(s: Table) -> Sequence[int]:
    if not is_over(s):
        return s.totals
    most = max(s.totals)
    return [total + (THE_MATCH if total == most else 0) for total in s.totals]


THUMBS = Thumbs(rate, worth, ends=(HandScored,))
