"""Old events read as new ones: pure steps from each schema of an event to the next.

A step stands under (game, event type, schema it reads). Events of the match itself stand under `match`.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Final

from domain.wire import Parts

Step = Callable[[Parts], Parts]
SCHEMA: Final = 4  # what is written today


def _first_match_rules(parts: Parts) -> Parts:
    """Before the rules of the match had a number, they were the first."""
    return parts._replace(public={**parts.public, "match_rules": 1})


def _usual_thinking(parts: Parts) -> Parts:
    """Before a table could say how long bots think, they thought as long as the server had it."""
    return parts._replace(public={**parts.public, "thinking_ms": None})


def _in_person(parts: Parts) -> Parts:
    """Before programs said that they are, all who sat down passed for people."""
    return parts._replace(public={**parts.public, "kind": "human"})


STEPS: Final[Mapping[tuple[str, str, int], Step]] = {
    ("match", "match_opened", 1): _first_match_rules,
    ("match", "match_opened", 2): _usual_thinking,
    ("match", "seat_taken", 3): _in_person,
}

# Fields that events of older schemas lack, by the event's type.
ADDED: Final[Mapping[str, frozenset[str]]] = {
    "match_opened": frozenset({"match_rules", "thinking_ms"}),
    "seat_taken": frozenset({"kind"}),
}


def upcast(
    game: str, parts: Parts, schema: int, steps: Mapping[tuple[str, str, int], Step] = STEPS, newest: int = SCHEMA
) -> Parts:
    """The event as it would be written today. Most events do not change from one schema to the next."""
    for old in range(schema, newest):
        step = steps.get((game, parts.type, old)) or steps.get(("match", parts.type, old))
        parts = step(parts) if step else parts
    return parts
