"""Scores: when a total wins."""

from __future__ import annotations

from collections.abc import Sequence

from domain.game import Score


def leads_alone(totals: Sequence[int], *, low_wins: bool = False) -> bool:
    """Whether the best total is had once only.

    >>> leads_alone([31, 22, 44, 22]), leads_alone([31, 22, 44, 22], low_wins=True)
    (True, False)
    """
    return totals.count(min(totals) if low_wins else max(totals)) == 1


def reached_alone(totals: Sequence[int], target: int) -> bool:
    """Whether the highest total is at the target, and had once only: a tie is played on."""
    return max(totals) >= target and leads_alone(totals)


def said(field: str) -> Score:
    """An event that names the totals after it."""
    return lambda event, options, before: event[field]
