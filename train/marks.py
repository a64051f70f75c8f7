"""What `domain.bots.marks` finds for many positions at once, for one, compiled."""

from __future__ import annotations

from typing import Any, Final

import numpy as np

from domain.bots.marks import (
    AHEAD,
    BEHIND,
    BLOCKED,
    CLOSED,
    ESCAPES,
    FROM,
    HELD,
    HELD_BY,
    LEAD,
    LOSS,
    MARKS,
    NINTHS,
    PRIME,
    SHOTS,
)  # fmt: skip
from domain.kit.points import BAR, HAND, HOME
from train.men import SIDES, compiled

KINDS: Final = len(MARKS)
PARTS: Final = 2
MOST: Final = tuple(mark.most for mark in MARKS)
MOST_BLOCKED, MOST_LEAD = MARKS[BLOCKED].most, MARKS[LEAD].most
NEXT: Final = (1 << AHEAD) - 1


def part_table() -> Any:
    """What the network is told of each mark and value, each part up to 1."""
    table = np.zeros((KINDS, max(MOST) + 1, PARTS), np.float32)
    for kind, mark in enumerate(MARKS):
        table[kind, : mark.most + 1] = mark.parts() / np.array([mark.knee, mark.most - mark.knee])
    return table


@compiled
def reached(men: int, free: int, high: int, low: int) -> int:
    if high == low:
        found = 0
        for _ in range(4):
            men = (men >> high) & free
            found |= men
        return found
    one, two = men >> high, men >> low
    return one | two | ((one & free) >> low) | ((two & free) >> high)


@compiled
def entered(others: int, free: int, high: int, low: int) -> int:
    found = 0
    for turn in range(1 if high == low else 2):
        first, second = (high, low) if turn == 0 else (low, high)
        came = ((1 << BAR) >> first) & free
        found |= came
        if came > 0 and others > 0:
            at = others | came
            for _ in range(3 if high == low else 1):
                at = (at >> second) & free
                found |= at
    return found


@compiled
def shots_at(attackers: int, targets: int, free: int, on_bar: int, found: Any) -> None:
    shots, loss = 0, 0
    others = attackers & ~(1 << BAR) if on_bar == 1 else 0
    for high in range(1, 7):
        for low in range(1, high + 1):
            if on_bar == 0:
                hit = targets & reached(attackers, free, high, low)
            else:
                hit = targets & entered(others, free, high, low)
            if hit > 0:
                ways = 1 if high == low else 2
                shots += ways
                place = BAR
                while (hit >> place) == 0:
                    place -= 1
                loss += ways * place
    found[SHOTS], found[LOSS] = shots, loss // 36


@compiled
def marks(men: Any, found: Any) -> None:
    """Fills in the value of each mark for both sides."""
    for side in range(SIDES):
        mine, theirs = men[side], men[1 - side]
        holding, closed, targets, attackers, farthest, pips = 0, 0, 0, 0, 0, 0
        behind_all, home = 0, 0
        for place in range(1, BAR):
            if mine[place] > 1:
                closed |= 1 << (BAR - place)
                home += 1 if place <= HOME else 0
            elif mine[place] == 1:
                targets |= 1 << (BAR - place)
            if theirs[place] > 0:
                attackers |= 1 << place
                farthest = place
                if theirs[place] > 1:
                    holding |= 1 << place
            pips += place * (theirs[place] - mine[place])
        pips += BAR * (theirs[BAR] + theirs[HAND] - mine[BAR] - mine[HAND])
        if theirs[BAR] > 0 or theirs[HAND] > 0:
            attackers |= 1 << BAR
            farthest = BAR
        if targets > 0:
            shots_at(attackers, targets, ~closed, theirs[BAR], found[side])
        else:
            found[side, SHOTS], found[side, LOSS] = 0, 0
        own_far = BAR
        if mine[BAR] == 0 and mine[HAND] == 0:
            own_far = BAR - 1
            while own_far > 0 and mine[own_far] == 0:
                own_far -= 1
        found[side, HELD] = 36 - ESCAPES[(holding >> (BAR - own_far + 1)) & NEXT]
        blocked = 0
        for place in range(FROM, BAR + 1):
            if mine[place] > 0:
                blocked += mine[place] * (36 - ESCAPES[(holding >> (BAR - place + 1)) & NEXT])
        found[side, BLOCKED] = min(blocked // NINTHS, MOST_BLOCKED)
        for place in range(BAR - farthest + 1, HAND + 1):
            behind_all += mine[place]
        found[side, BEHIND] = behind_all
        found[side, CLOSED] = home * home
        found[side, LEAD] = min(max(pips, 0), MOST_LEAD)
        prime = 0
        for start in range(HELD_BY):
            prime = max(prime, 36 - ESCAPES[(holding >> (start + 1)) & NEXT])
        found[1 - side, PRIME] = prime
