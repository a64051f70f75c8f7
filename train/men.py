"""All positions to which a throw can lead, compiled: for the millions of turns of self-play.

The rules are those of `domain.kit.points` with the options at their defaults, once more and for speed only. Before
anything is learned `train.check` plays both side by side. A position is an array of two sides by 27 places, the side
on roll first, each side counting its places as the kit does.
"""

from __future__ import annotations

from typing import Any, Final

import numba
import numpy as np

from domain.kit.points import BAR, HAND, HOME, OFF

SIDES: Final = 2
PLACES: Final = HAND + 1
MOST: Final = 4096  # positions after one throw
BACKGAMMON: Final = 0
ACEY_DUCEY: Final = 1

# What is compiled has no types that a checker could see.
compiled: Any = numba.njit(cache=True, fastmath=True, error_model="numpy")


@compiled
def leaver(men: Any, number: int, below: bool) -> int:
    """From where a number takes a man off, if all are home: its own place, else the highest man if none is above it,
    or by doubles of Acey-Ducey the highest man below it in any case."""
    if men[0, number] > 0:
        return number
    if not below:
        for place in range(number + 1, HOME + 1):
            if men[0, place] > 0:
                return OFF
    for place in range(number - 1, 0, -1):
        if men[0, place] > 0:
            return place
    return OFF


@compiled
def starts(men: Any, number: int, below: bool, found: Any) -> int:
    """Fills in the places from which this number can be played, and says how many there are."""
    count = 0
    can_enter = men[1, number] < 2
    if men[0, BAR] > 0:
        if can_enter:
            found[0] = BAR
            count = 1
        return count
    if men[0, HAND] > 0 and can_enter:
        found[count] = HAND
        count += 1
    highest = HAND if men[0, HAND] > 0 else 0
    for place in range(BAR - 1, 0, -1):
        if men[0, place] > 0:
            if highest == 0:
                highest = place
            if place > number and men[1, BAR + number - place] < 2:
                found[count] = place
                count += 1
    if highest <= HOME:
        place = leaver(men, number, below)
        if place != OFF:
            found[count] = place
            count += 1
    return count


@compiled
def play(men: Any, start: int, number: int, after: Any) -> None:
    for side in range(SIDES):
        for place in range(PLACES):
            after[side, place] = men[side, place]
    end = max(OFF, min(start, BAR) - number)
    after[0, start] -= 1
    after[0, end] += 1
    if end != OFF and after[1, BAR - end] == 1:
        after[1, BAR - end] = 0
        after[1, BAR] += 1


@compiled
def fingerprint(men: Any) -> np.uint64:
    found = np.uint64(1469598103934665603)
    for side in range(SIDES):
        for place in range(PLACES):
            found = (found ^ np.uint64(men[side, place])) * np.uint64(1099511628211)
    return found


@compiled
def add(ends: Any, marks: Any, low: int, count: int) -> int:
    """Keeps the position that was written behind the last one, unless it is there already from `low` on."""
    mark = fingerprint(ends[count])
    for other in range(low, count):
        if marks[other] == mark:
            return count
    marks[count] = mark
    return count + 1 if count + 1 < MOST else count


@compiled
def after_doubles(men: Any, number: int, below: bool, ends: Any, marks: Any) -> tuple[int, int]:
    """Fills in the positions; they stand from the first to before the second number that comes back."""
    found = np.empty(PLACES, np.int64)
    ends[0] = men
    low, high = 0, 1
    for _ in range(4):
        count = high
        for at in range(low, high):
            if ends[at, 0, OFF] == 15:
                return at, at + 1
            for n in range(starts(ends[at], number, below, found)):
                play(ends[at], found[n], number, ends[count])
                count = add(ends, marks, high, count)
        if count == high:
            break
        low, high = high, count
    return low, high


@compiled
def after_two(men: Any, first: int, second: int, ends: Any, marks: Any) -> int:
    found, others = np.empty(PLACES, np.int64), np.empty(PLACES, np.int64)
    between = np.empty((SIDES, PLACES), np.int8)
    count = 0
    for turn in range(2):
        one, other = (first, second) if turn == 0 else (second, first)
        for n in range(starts(men, one, False, found)):
            play(men, found[n], one, between)
            if between[0, OFF] == 15:
                ends[count] = between
                count = add(ends, marks, 0, count)
                continue
            for k in range(starts(between, other, False, others)):
                play(between, others[k], other, ends[count])
                count = add(ends, marks, 0, count)
    if count == 0:
        for number in (max(first, second), min(first, second)):
            for n in range(starts(men, number, False, found)):
                play(men, found[n], number, ends[count])
                count = add(ends, marks, 0, count)
            if count > 0:
                return count
        ends[0] = men
        return 1
    return count


@compiled
def after_throw(men: Any, first: int, second: int, kind: int, ends: Any, marks: Any) -> Any:
    """All positions after a throw, before what an Acey-Ducey brings; the same one if nothing can be played."""
    if first == second:
        return after_doubles(men, first, kind == ACEY_DUCEY, ends, marks)
    return 0, after_two(men, first, second, ends, marks)


@compiled
def turned(men: Any, after: Any) -> None:
    """The position as the other side sees it."""
    for place in range(PLACES):
        after[0, place], after[1, place] = men[1, place], men[0, place]


@compiled
def touching(men: Any) -> bool:
    """Whether men of the two sides have still to pass one another."""
    far = 0
    for side in range(SIDES):
        for place in range(HAND, 0, -1):
            if men[side, place] > 0:
                far += min(place, BAR)
                break
    return far > BAR
