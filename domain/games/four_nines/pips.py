"""A throw of Four Nines in the hand of a seat: the numbers it gives, how many must be used, and what they may do.

One die and two dice differ in little here: with one die a 5 has to enter, with two it may, also as a total.
"""

from __future__ import annotations

from typing import Literal, NamedTuple

from domain.game import Refused
from domain.games.four_nines.cross import (
    BARRIERS,
    DISCS,
    ENTRY,
    WAITING,
    Ahead,
    Discs,
    Pairs,
    barrier,
    less,
    most,
    pairs,
)
from domain.kit.turns import put

Throw = tuple[int, ...]
Numbers = tuple[int, ...]


class NumbersInHand(NamedTuple):
    """The numbers of a throw, and what its player has done with them."""

    dice: Throw = ()
    numbers: Numbers = ()  # still to be used
    need: int = 0  # how many must be used
    enters: bool = True  # not so if the throw was given to another seat
    used: int = 0
    entries: int = 0
    stood: Pairs | None = None  # on a doublet: discs that have been a blockade


# ── What a throw gives ──────────────────────────────────────────────────────────────────────────────────────────


def doublet(dice: Throw) -> bool:
    return len(dice) == 2 and dice[0] == dice[1]


def total_five(dice: Throw) -> bool:
    return len(dice) == 2 and sum(dice) == 5


def entering(dice: Throw) -> bool:
    """
    >>> sum(entering((one, two)) for one in range(1, 7) for two in range(1, 7))
    15
    """
    return 5 in dice or total_five(dice)


def numbers_of(dice: Throw, six: int, own: Discs) -> Numbers:
    """The upper sides, and on a doublet while no disc waits the undersides too.

    >>> numbers_of((2, 2), 6, (0, 8, 9, 71)), numbers_of((2, 2), 6, (0, 8, 9, -1)), numbers_of((6, 3), 12, (-1,))
    ((2, 2, 5, 5), (2, 2), (12, 3))
    """
    upper = tuple([six if pips == 6 else pips for pips in dice])
    return upper + (7 - dice[0],) * 2 if doublet(dice) and WAITING not in own else upper


def room(way: Ahead, own: Discs) -> int:
    """How many of the waiting discs the entering circle could take now."""
    return 0 if ENTRY in way.walls else min(2 - own.count(ENTRY), own.count(WAITING))


def entries_possible(dice: Throw, way: Ahead, own: Discs) -> int:
    """How many discs the throw could enter as the board stands: a total of 5 counts for one."""
    return min(max(dice.count(5), int(total_five(dice))), room(way, own)) if entering(dice) else 0


def in_hand(dice: Throw, numbers: Numbers, way: Ahead, own: Discs, *, enters: bool, compulsory: bool) -> NumbersInHand:
    """The throw as it comes to a seat: nothing to use if nothing can be used; all that can be, must be."""
    stood = blockades(dice, own, way.home)
    if not (enters and entries_possible(dice, way, own)) and not most(way, own, numbers, stood, freely=True):
        return NumbersInHand(dice)
    need = most(way, own, numbers, stood, freely=False) if compulsory else 0
    return NumbersInHand(dice, numbers, need, enters, stood=stood)


def blockades(dice: Throw, own: Discs, home: int) -> Pairs | None:
    return pairs(own, home) if doublet(dice) else None


# ── What it may do ──────────────────────────────────────────────────────────────────────────────────────────────


def objection_to_entry(hand: NumbersInHand, own: Discs, way: Ahead, by: Literal["five", "sum"]) -> Refused | None:
    if not hand.enters:
        return Refused("FN2-03", "gift", "a throw that was given to you enters nobody")
    if not (5 in hand.numbers if by == "five" else total_five(hand.dice)):
        rule = "FN-02" if len(hand.dice) == 1 else "FN2-02"
        return Refused(rule, "no_five", f"there is no {'5' if by == 'five' else 'total of 5'} to enter with")
    if by == "sum" and hand.used:
        return Refused("FN2-05", "die_used", "entering by a total takes both dice, and one has been used")
    if WAITING not in own:
        return Refused("FN-02", "none_waiting", "none of your discs is waiting")
    if not room(way, own):
        return Refused("FN-11", "circle_full", "two discs stand on your entering circle")
    return None


def duty_to_enter(hand: NumbersInHand, own: Discs, way: Ahead) -> Refused | None:
    if len(hand.dice) == 1 and 5 in hand.numbers and room(way, own):
        return Refused("FN1-03", "must_enter", "a disc is waiting, and the 5 has to enter it")
    return None


def objection_to_move(hand: NumbersInHand, own: Discs, way: Ahead, disc: int, number: int) -> Refused | None:
    if not 0 <= disc < DISCS:
        return Refused("FN-12", "no_such_disc", "your discs are numbered 0 to 3")
    if refusal := duty_to_enter(hand, own, way):
        return refusal
    if number not in hand.numbers:
        rule = "FN2-09" if len(hand.dice) == 2 else "FN1-04" if hand.dice == (6,) else "FN1-02"
        left = " and ".join(map(str, hand.numbers))
        return Refused(rule, "not_thrown", f"the throw leaves {left} to use, not {number}")
    if rule := barrier(way, own, disc, number, hand.stood):
        code, text = BARRIERS[rule]
        return Refused(rule, code, text.format(disc=disc, number=number))
    if hand.entries or hand.used + 1 >= hand.need:
        return None
    then = put(own, disc, own[disc] + number)
    if hand.used + 1 + could_use(hand, then, way, less(hand.numbers, number)) >= hand.need:
        return None
    return Refused(
        "FN2-11", "wastes_numbers", f"{hand.need} numbers could be used of this throw, but not after this move"
    )


def objection_to_end(hand: NumbersInHand, own: Discs, way: Ahead) -> Refused | None:
    if refusal := duty_to_enter(hand, own, way):
        return refusal
    if hand.used >= hand.need or not most(way, own, hand.numbers, hand.stood, freely=False):
        return None
    rule = "FN1-05" if len(hand.dice) == 1 else "FN2-11"
    return Refused(rule, "must_move", "a number can be used without a capture")


def could_use(hand: NumbersInHand, own: Discs, way: Ahead, numbers: Numbers) -> int:
    """How many of these numbers could be used, captures and entries included, if the discs stood like this."""
    return most(way, own, numbers, stood_now(hand, own, way.home), freely=True, entering=hand.enters)


def stood_now(hand: NumbersInHand, own: Discs, home: int) -> Pairs | None:
    return None if hand.stood is None else hand.stood | pairs(own, home)
