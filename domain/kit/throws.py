"""The numbers of a throw in words."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from domain.telling.words import joined

COUNTS: Final = ("no", "one", "two", "three", "four")


def thrown(dice: Sequence[int]) -> str:
    """
    >>> thrown((6, 5)), thrown((4, 4)), thrown((6,))
    ('6 and 5', 'double 4', '6')
    """
    if len(dice) == 2 and dice[0] == dice[1]:
        return f"double {dice[0]}"
    return joined([str(number) for number in dice])


def left_over(numbers: Sequence[int]) -> str:
    """
    >>> left_over((6, 5)), left_over((4, 4, 4)), left_over((3,)), left_over((2, 2, 5, 5))
    ('the 6 and the 5', 'the three 4s', 'the 3', 'the two 2s and the two 5s')
    """
    found = {number: numbers.count(number) for number in numbers}
    return joined([f"the {number}" if n == 1 else f"the {COUNTS[n]} {number}s" for number, n in found.items()])
