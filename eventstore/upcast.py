"""Old events read as new ones: pure steps from each schema of an event to the next.

A step stands under (game, event type, schema it reads). Events of the match itself stand under `match`.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Final

from domain.wire import Parts

Step = Callable[[Parts], Parts]
SCHEMA: Final = 1  # what is written today
STEPS: Final[Mapping[tuple[str, str, int], Step]] = {}


def upcast(game: str, parts: Parts, schema: int, steps: Mapping[tuple[str, str, int], Step] = STEPS) -> Parts:
    while step := steps.get((game, parts.type, schema)) or steps.get(("match", parts.type, schema)):
        parts, schema = step(parts), schema + 1
    return parts
