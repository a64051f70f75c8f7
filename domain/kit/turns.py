"""Seats round a table: 0 to n - 1 clockwise, the left of s is s + 1."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final, TypeVar

from domain.game import CHANCE, Seat

T = TypeVar("T")

NOBODY: Final[frozenset[Seat]] = frozenset()
CHANCE_ACTS: Final[frozenset[Seat]] = frozenset({CHANCE})
_ALONE: Final = tuple(frozenset({seat}) for seat in range(16))


def only(seat: Seat) -> frozenset[Seat]:
    """The set that holds this seat alone, made once: it is asked for at every turn."""
    return _ALONE[seat]


def left_of(seat: Seat, seats: int) -> Seat:
    return (seat + 1) % seats


def around(first: Seat, seats: int) -> tuple[Seat, ...]:
    """Every seat once, clockwise from `first`.

    >>> around(2, 4)
    (2, 3, 0, 1)
    """
    return tuple((first + step) % seats for step in range(seats))


def put(values: tuple[T, ...], index: int, value: T) -> tuple[T, ...]:
    """The same tuple with one place changed."""
    return (*values[:index], value, *values[index + 1 :])


def plus(totals: Sequence[int], delta: Sequence[int]) -> tuple[int, ...]:
    return tuple(total + change for total, change in zip(totals, delta, strict=True))
