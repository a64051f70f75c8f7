"""Sides at one table: partners sit evenly spread, so that with two sides every second seat belongs together."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from domain.game import Outcome, Seat, ranked, sides_in_turn


def side_of(seat: Seat) -> int:
    return seat % 2


def two_sides(state: Any) -> tuple[tuple[Seat, ...], ...]:
    return sides_in_turn(2, state.seats)


def side_outcome(points: Sequence[int], seats: int, reason: str) -> Outcome:
    """How a match of sides with these points ended: partners share their side's place and show its points.

    >>> side_outcome([35, 50], 4, "fifty_points")
    Outcome(places=(2, 1, 2, 1), scores=(35, 50, 35, 50), reason='fifty_points')
    """
    places = ranked(points)
    each = [seat % len(points) for seat in range(seats)]
    return Outcome(tuple(places[side] for side in each), tuple(points[side] for side in each), reason)
