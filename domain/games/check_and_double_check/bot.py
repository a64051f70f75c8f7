"""Check and Double Check by rule of thumb: whatever can be laid away is laid away.

Every card is worth the same and all that is left costs a counter, so that keeping one never pays. Where discards are
made for the players there is nothing to decide at all.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Final

from domain.game import NEVER, Thumbs
from domain.games.check_and_double_check.events import Command, HandWon, Pass
from domain.games.check_and_double_check.game import Table, scores

COUNTER: Final = 10


def rate(view: Mapping[str, Any], commands: Sequence[Command]) -> list[int]:
    return [NEVER if isinstance(command, Pass) else 0 for command in commands]


def worth(s: Table) -> Sequence[int]:
    """The counters, and in mid-hand a little less for every card that is still to go."""
    if s.phase not in ("throwing", "discarding"):
        return [COUNTER * score for score in scores(s)]
    return [COUNTER * score - len(row) for score, row in zip(scores(s), s.rows, strict=True)]


THUMBS = Thumbs(rate, worth, ends=(HandWon,))
