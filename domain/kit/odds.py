"""Rough odds for rules of thumb: whole numbers, found at once, and good enough to choose a card by."""

from __future__ import annotations

from functools import cache
from typing import Final

SURE: Final = 1024  # odds are parts of this
_STEPS: Final = 64


def _without(share: int) -> tuple[int, ...]:
    """The odds that none of 0, 1, 2, ... cards are in a place that has this share of all that is unseen."""
    return tuple(SURE * (_STEPS - share) ** cards // _STEPS**cards for cards in range(60))


_LACKS: Final = tuple(_without(share) for share in range(_STEPS + 1))


def lacks(size: int, unseen: int) -> tuple[int, ...]:
    """For 0, 1, 2, ... cards: the odds that a hand of this size out of so many unseen cards holds none of them.

    >>> lacks(5, 10)[:4]
    (1024, 512, 256, 128)
    """
    return _LACKS[min(_STEPS, _STEPS * size // unseen) if unseen else 0]


@cache
def nobody(odds: int, times: int) -> int:
    """The odds that none of so many does what each of them does with these odds.

    >>> nobody(SURE // 2, 2) == SURE // 4
    True
    """
    found = SURE
    for _ in range(times):
        found = found * (SURE - odds) // SURE
    return found
