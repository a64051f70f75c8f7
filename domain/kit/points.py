"""Two colours on a track of 24 points: blots, closed points, and the rule that the whole throw must be played.

A side counts how far its men have still to go, so both sides see the board alike: place 24 is the farthest point,
1 the last, 0 is off the board. Place p of one side is place 25 - p of the other. A man that was hit waits on the bar,
a man not yet in play in the hand; both come on by number n at place 25 - n.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import lru_cache
from operator import mul
from typing import Final, Literal, NamedTuple

Men = tuple[int, ...]  # how many men of one colour stand on each place, from OFF to HAND
Numbers = tuple[int, ...]
OFF: Final = 0
HOME: Final = 6  # the last six points; men leave the board from here
BAR: Final = 25
HAND: Final = 26
TO_GO: Final = (*range(BAR + 1), BAR)  # points from each place to the end; a man in hand enters like one on the bar


class Step(NamedTuple):
    """One man, played by one number."""

    start: int
    number: int


Steps = tuple[Step, ...]
PLAYS: Final = tuple(tuple(Step(start, number) for number in range(7)) for start in range(HAND + 1))


def men(**places: int) -> Men:
    """The men of a colour, by the names of places.

    >>> men(p24=2, p6=5, bar=1)[24:]
    (2, 1, 0)
    """
    names = ("off", *(f"p{place}" for place in range(1, BAR)), "bar", "hand")
    return tuple(places.get(name, 0) for name in names)


def pips(mine: Men) -> int:
    """How many points the men have still to go, all together."""
    return sum(map(mul, TO_GO, mine))


# ── One play ────────────────────────────────────────────────────────────────────────────────────────────────────


def landing(start: int, number: int) -> int:
    end = (start if start < HAND else BAR) - number
    return end if end > OFF else OFF


def is_blot(theirs: Men, place: int) -> bool:
    """Whether a lone enemy stands on this place of mine."""
    return place != OFF and theirs[BAR - place] == 1


def carried(side: Men, start: int, end: int, count: int = 1) -> Men:
    """The side with one man taken from one place to another, or with a count of -1 back again."""
    after = list(side)
    after[start] -= count
    after[end] += count
    return tuple(after)


def played(mine: Men, theirs: Men, play: Step) -> tuple[Men, Men]:
    """Both sides after a play; a lone enemy at its end goes to the bar."""
    start, number = play
    end = landing(start, number)
    if end and theirs[BAR - end] == 1:
        theirs = carried(theirs, BAR - end, BAR)
    after = list(mine)
    after[start] -= 1
    after[end] += 1
    return tuple(after), theirs


def shifted(men: tuple[Men, ...], side: int, start: int, end: int, hit: bool, count: int = 1) -> tuple[Men, ...]:
    """Both sides after a play that has been judged already, or with a count of -1 before it."""
    mine, theirs = carried(men[side], start, end, count), men[1 - side]
    if hit:
        theirs = carried(theirs, BAR - end, BAR, count)
    return (theirs, mine) if side else (mine, theirs)


def without(numbers: Numbers, used: int) -> Numbers:
    at = numbers.index(used)
    return numbers[:at] + numbers[at + 1 :]


def shut_out(mine: Men, theirs: Men) -> bool:
    """Whether a man waits on the bar while the enemy holds all six points on which he could come on."""
    return mine[BAR] > 0 and min(theirs[1 : HOME + 1]) > 1


# ── Leaving the board: from which place a number takes a man off, when all men are home ─────────────────────────


def exactly(mine: Men, number: int) -> int:
    """Only from the place of the number."""
    return number if mine[number] else OFF


def or_below(mine: Men, number: int) -> int:
    """From the place of the number, else from the next one below that has a man."""
    return next((place for place in range(number, OFF, -1) if mine[place]), OFF)


def or_highest(mine: Men, number: int) -> int:
    """From the place of the number; when every man stands lower, from the highest of them."""
    return exactly(mine, number) if any(mine[number : HOME + 1]) else or_below(mine, number)


# ── The whole throw ─────────────────────────────────────────────────────────────────────────────────────────────


def any_number(plays: Steps) -> Steps:
    return plays


def higher_number(plays: Steps) -> Steps:
    best = max((play.number for play in plays), default=0)
    return tuple(play for play in plays if play.number == best)


class Law(NamedTuple):
    """What differs between games: how men leave, and which plays remain when only one of two numbers can be used."""

    leaving: Callable[[Men, int], int]
    only_one: Callable[[Steps], Steps]


def starts(leaving: Callable[[Men, int], int], mine: Men, theirs: Men, number: int) -> Sequence[int]:
    """The places from which this number can be played, the farthest first. Men on the bar go before all others."""
    can_enter = theirs[number] < 2
    if mine[BAR]:
        return (BAR,) if can_enter else ()
    mirror = BAR + number
    found = [place for place in range(24, number, -1) if mine[place] and theirs[mirror - place] < 2]
    if mine[HAND] and can_enter:
        found.insert(0, HAND)
    if not any(mine[HOME + 1 :]) and (place := leaving(mine, number)):
        found.append(place)
    return found


@lru_cache(maxsize=1 << 12)
def playable(law: Law, mine: Men, theirs: Men, numbers: Numbers) -> Steps:
    """The plays after which as many of the numbers can be used as any order allows.

    Equal numbers need no look ahead: every play uses up one step of one man and leaves the steps of all other men as
    they were, so that no order of them is shorter than another.
    """
    first, second = numbers[0], numbers[-1]
    by_first = starts(law.leaving, mine, theirs, first)
    if first == second:
        return tuple([PLAYS[start][first] for start in by_first])
    by_second = starts(law.leaving, mine, theirs, second)
    plays = [PLAYS[start][first] for start in by_first if _leaves(law, mine, theirs, start, first, second, by_second)]
    plays += [PLAYS[start][second] for start in by_second if _leaves(law, mine, theirs, start, second, first, by_first)]
    if plays:
        return tuple(plays)
    return law.only_one((*(PLAYS[start][first] for start in by_first), *(PLAYS[start][second] for start in by_second)))


def _leaves(law: Law, mine: Men, theirs: Men, start: int, number: int, other: int, others: Sequence[int]) -> bool:
    """Whether this play leaves one for the other number, or nothing to play for: the last man went off.

    What another man can do now he can still do after it.
    """
    if len(others) > 1 or (others and (others[0] != start or mine[start] > 1)):
        return True
    mine, theirs = played(mine, theirs, PLAYS[start][number])
    return not any(mine[OFF + 1 :]) or bool(starts(law.leaving, mine, theirs, other))


Obstacle = Literal[
    "bar_first", "no_man", "closed", "not_home", "exact_man", "highest_man", "higher_man", "too_high", "higher_number",
    "whole_throw",
]  # fmt: skip


def obstacle(law: Law, mine: Men, theirs: Men, numbers: Numbers, play: Step) -> Obstacle | None:
    """What stands in the way of a play by one of these numbers, or nothing. A game knows the rule that it breaks."""
    if play in playable(law, mine, theirs, numbers):
        return None
    start, number = play
    if mine[BAR] and start != BAR:
        return "bar_first"
    if not mine[start]:
        return "no_man"
    end = landing(start, number)
    if end != OFF and theirs[BAR - end] > 1:
        return "closed"
    if end == OFF:
        if any(mine[HOME + 1 :]):
            return "not_home"
        leaver = law.leaving(mine, number)
        if leaver == OFF:
            return "higher_man" if any(mine[number + 1 :]) else "too_high"
        if leaver != start:
            return "exact_man" if leaver == number else "highest_man"
    in_any_order = playable(law._replace(only_one=any_number), mine, theirs, numbers)
    return "higher_number" if play in in_any_order else "whole_throw"
