"""How the four plays of a double fall to the men: all to one, three and one, two and two, or one to each of four.

A table may allow these divisions only. Men on one place cannot be told apart, so any reading will do: a play from a
place where one man stood and another arrived may be the second play of the one or the first of the other. What counts
is therefore which places were played from, in whatever order that is possible.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from itertools import permutations
from typing import Final

from domain.kit.points import Law, Men, carried, landing, starts

PLAYS_OF_A_DOUBLE: Final = 4
LISTED: Final = frozenset({(4,), (1, 3), (2, 2), (1, 1, 1, 1)})
Starts = tuple[int, ...]  # the places that were played from, in this order


@lru_cache(maxsize=1 << 8)
def can_become_listed(law: Law, origin: Men, theirs: Men, number: int, made: Starts) -> bool:
    """Whether these plays are a beginning of four that are divided in a listed way."""
    mine = after(origin, number, made)
    return _can_become_listed(law, origin, theirs, number, made, mine, set())


def _can_become_listed(
    law: Law, origin: Men, theirs: Men, number: int, made: Starts, mine: Men, failed: set[Starts]
) -> bool:
    if len(made) == PLAYS_OF_A_DOUBLE:
        return is_listed(law, origin, theirs, number, made)
    for start in starts(law.leaving, mine, theirs, number):
        longer = (*made, start)
        # The order of the plays makes no other position, and so nothing else possible.
        known = tuple(sorted(longer))
        if known in failed:
            continue
        stand = carried(mine, start, landing(start, number))
        if _can_become_listed(law, origin, theirs, number, longer, stand, failed):
            return True
        failed.add(known)
    return False


@lru_cache(maxsize=1 << 10)
def is_listed(law: Law, origin: Men, theirs: Men, number: int, made: Starts) -> bool:
    """Whether these four plays, in this order or in another that is possible, have a listed reading."""
    if has_listed_reading(origin, number, made):
        return True
    # If the men farthest back play first, every man has arrived where another play can go on with him, and no order
    # allows a reading that this one does not.
    if not has_listed_reading(origin, number, sorted(made, reverse=True)):
        return False
    orders = (order for order in set(permutations(made)) if has_listed_reading(origin, number, order))
    return any(is_possible(law, origin, theirs, number, order) for order in orders)


def is_possible(law: Law, mine: Men, theirs: Men, number: int, made: Starts) -> bool:
    for start in made:
        if start not in starts(law.leaving, mine, theirs, number):
            return False
        mine = carried(mine, start, landing(start, number))
    return True


def after(mine: Men, number: int, made: Starts) -> Men:
    for start in made:
        mine = carried(mine, start, landing(start, number))
    return mine


def before(mine: Men, number: int, made: Starts) -> Men:
    """The men as they stood before these plays."""
    for start in reversed(made):
        mine = carried(mine, start, landing(start, number), -1)
    return mine


def has_listed_reading(origin: Men, number: int, made: Sequence[int]) -> bool:
    return not LISTED.isdisjoint(readings(origin, number, made))


def readings(origin: Men, number: int, made: Sequence[int]) -> set[tuple[int, ...]]:
    """How many of these plays fell to each man that was moved, in every reading.

    >>> from domain.kit.points import men
    >>> sorted(readings(men(p10=1, p8=1), 2, [10, 8]))
    [(1, 1), (2,)]
    """
    stand = list(origin)
    moved: set[tuple[tuple[int, int], ...]] = {()}  # where each moved man stands, and how many plays he has had
    for start in made:
        end, longer = landing(start, number), set()
        for men in moved:
            here = [man for man in men if man[0] == start]
            if stand[start] > len(here):
                longer.add(tuple(sorted((*men, (end, 1)))))
            for man in here:
                others = list(men)
                others.remove(man)
                longer.add(tuple(sorted((*others, (end, man[1] + 1)))))
        moved = longer
        stand[start] -= 1
        stand[end] += 1
    return {tuple(sorted(plays for _, plays in men)) for men in moved}
