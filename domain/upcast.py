"""Old events read as new ones: pure steps from each schema of an event to the next.

A step stands under (game, event type, schema it reads). Events of the match itself stand under `match`.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Final

from domain.editions import OfLaterRelease
from domain.wire import Parts

Step = Callable[[Parts], Parts]
SCHEMA: Final = 6  # what is written today


def _first_match_rules(parts: Parts) -> Parts:
    """Before the rules of the match had a number, they were the first."""
    return parts._replace(public={**parts.public, "match_rules": 1})


def _usual_thinking(parts: Parts) -> Parts:
    """Before a table could say how long bots think, they thought as long as the server had it."""
    return parts._replace(public={**parts.public, "thinking_ms": None})


def _in_person(parts: Parts) -> Parts:
    """Before programs said that they are, all who sat down passed for people."""
    return parts._replace(public={**parts.public, "kind": "human"})


def _plain_table(parts: Parts) -> Parts:
    """Before tables could be private, rated, have notes, or be watched later or without a token, none was or did. And
    before names were joined when a log is read, each seat had one in it."""
    before = {"open_to_all": False, "spectator_delay": 0, "private": False, "notes": False, "rated": False}
    seats = [{field: value for field, value in seat.items() if field != "name"} for seat in parts.public["seats"]]
    return parts._replace(public={**parts.public, **before, "seats": seats})


def _player_without_name(parts: Parts) -> Parts:
    """The same, for who sits down."""
    return parts._replace(public={field: value for field, value in parts.public.items() if field != "name"})


def _of_its_own(parts: Parts) -> Parts:
    """Before matches could be forked, each began with an empty table. And before tables could be opened as published
    ones, those who had played agreed on it, or nobody read the match."""
    return parts._replace(public={**parts.public, "published": False, "forked_from": None})


def _score_as_totals(parts: Parts) -> Parts:
    """Before Backgammon spoke like the other games, the points of each seat after a game were its score."""
    totals = {"totals" if field == "score" else field: value for field, value in parts.public.items()}
    return parts._replace(public=totals)


STEPS: Final[Mapping[tuple[str, str, int], Step]] = {
    ("match", "match_opened", 1): _first_match_rules,
    ("match", "match_opened", 2): _usual_thinking,
    ("match", "seat_taken", 3): _in_person,
    ("match", "match_opened", 4): _plain_table,
    ("match", "seat_taken", 4): _player_without_name,
    ("match", "match_opened", 5): _of_its_own,
    ("backgammon", "game_won", 5): _score_as_totals,
}

# Fields that events of older schemas lack, by game and type.
ADDED: Final[Mapping[tuple[str, str], frozenset[str]]] = {
    ("match", "match_opened"): frozenset(
        {
            "match_rules",
            "thinking_ms",
            "open_to_all",
            "spectator_delay",
            "private",
            "notes",
            "rated",
            "published",
            "forked_from",
        }
    ),
    ("match", "seat_taken"): frozenset({"kind"}),
    ("backgammon", "game_won"): frozenset({"totals"}),
}


def upcast(
    game: str, parts: Parts, schema: int, steps: Mapping[tuple[str, str, int], Step] = STEPS, newest: int = SCHEMA
) -> Parts:
    """The event as it would be written today. Most events do not change from one schema to the next."""
    if schema == newest:
        return parts
    if schema > newest:
        raise OfLaterRelease(f"an event in schema {schema} is of a later release; this one reads up to {newest}")
    for old in range(schema, newest):
        step = steps.get((game, parts.type, old)) or steps.get(("match", parts.type, old))
        parts = step(parts) if step else parts
    return parts
