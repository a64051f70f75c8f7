"""The bots' thinking. A bot sees what its seat sees, and nothing else."""

from __future__ import annotations

import secrets
from collections.abc import Callable, Mapping, Sequence
from typing import Any, Final

from eventstore.service import sample

Thinker = Callable[[Mapping[str, Any], Sequence[Any]], Any]


def at_random(view: Mapping[str, Any], legal: Sequence[Any]) -> Any:
    """Any legal command, each as likely as the others."""
    return sample(legal[secrets.randbelow(len(legal))], secrets.randbelow)


LEVELS: Final[Mapping[str, Thinker]] = {"random": at_random}


def think(level: str, view: Mapping[str, Any], legal: Sequence[Any]) -> Any:
    return LEVELS[level](view, legal)
