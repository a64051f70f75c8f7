"""Rustle by rule of thumb: take what counts as cheaply as it can be had, and bring the trump 10 home."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Final

from domain.game import Thumbs
from domain.games.rustle.game import HONOURS, LOW_TO_HIGH, PACKS, HandScored, Table, is_over
from domain.kit.odds import SURE, lacks, nobody
from domain.kit.plays import PlayCard

HEIGHT: Final = {number: height for height, number in enumerate(LOW_TO_HIGH)}
POINT: Final = 100
BY_HEIGHT: Final = tuple(POINT * HONOURS.get(number, 0) for number in LOW_TO_HIGH)  # of trumps
# What an honour is worth in the hand: the 1 takes its trick whenever it is played, the others may be caught.
KEPT: Final = {1: 380, 13: 210, 12: 100, 11: 40, 10: 400}
THE_MATCH: Final = 30  # points that winning it counts for


def rate(view: Mapping[str, Any], commands: Sequence[PlayCard]) -> list[int]:
    """In hundredths of a point: what a card is likely to take, less what it would be worth later."""
    hand, trick, trump = view["hand"], view["trick"], view["trump"]
    others = len(view["hand_counts"]) - 1
    followers = others - len(trick)
    seen = set(hand).union(*view["taken"])
    # Every trick helps towards the most cards, which fewer players share.
    stake = 450 // (others + 1)
    led, best, ruffed = "", -1, False
    for play in trick:
        card = play["card"]
        seen.add(card)
        suit, height = card.suit, HEIGHT[card.number]
        led = led or suit
        if suit == trump:
            stake += BY_HEIGHT[height]
            if height > best or not ruffed:
                best, ruffed = height, True
        elif suit == led and height > best and not ruffed:
            best = height
    out: dict[str, list[int]] = {"C": [], "R": [], "O": [], "W": []}
    for card in PACKS[others + 1]:
        if card not in seen:
            out[card.suit].append(HEIGHT[card.number])
    trumps = out[trump]
    none_of = lacks(len(hand), sum(map(len, out.values())))
    found: list[int] = []
    for command in commands:
        suit, number = command.card.suit, command.card.number
        height = HEIGHT[number]
        if suit == trump:
            own, kept = BY_HEIGHT[height], 60 + 22 * height + KEPT.get(number, 0)
            loses = ruffed and height < best
        else:
            own, kept = 0, 6 * height
            loses = ruffed or (led != "" and (suit != led or height < best))
        if loses:
            found.append(-kept - own // 3)
            continue
        gain, wins = stake + own, SURE
        if followers:
            void = none_of[len(out[led or suit])]
            higher = SURE - none_of[sum([other > height for other in out[suit]])]
            if suit != trump:
                over = min(SURE, higher + void * (SURE - none_of[len(trumps)]) // SURE)
            else:
                over = higher if led in ("", trump) else higher * void // SURE
            wins = nobody(over, followers)
            if suit == trump and not led:
                # Honours below it may be forced to fall.
                gain += sum([BY_HEIGHT[other] for other in trumps if other < height]) * 3 // 10
        found.append((wins * gain - (SURE - wins) * own // 3) // SURE - kept)
    return found


def worth(s: Table) -> Sequence[int]:
    if not is_over(s):
        return s.totals
    most = max(s.totals)
    return [total + (THE_MATCH if total == most else 0) for total in s.totals]


THUMBS = Thumbs(rate, worth, ends=(HandScored,))
