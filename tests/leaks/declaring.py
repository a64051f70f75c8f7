"""The words in which the rules say who may see what: of every field of every event, and of every field of a command.

The declarations stand in `tests/leaks/declared`, one a game, and are written from the rules. They never look at the
audience that an event names for itself, because that is what they judge. They may look at the values in the event, at
the options of the table, and at what a spectator sees.
"""

from __future__ import annotations

import importlib
from collections.abc import Callable, Collection, Mapping
from typing import Any, NamedTuple

from domain.game import Game, Seat
from domain.wire import Parts, write_event


class Facts(NamedTuple):
    """What a declaration may depend on: things that the whole table knows."""

    game: Game[Any]
    options: Any
    seats: int
    after: Any  # the table after the event, for what all can see there


Values = Mapping[str, Any]  # the fields of an event or a command by their names on the wire
# Who may see a field: these seats, or everybody if it says None. The number is the place in a field with many parts.
Audience = Callable[[Values, Facts, int], Collection[Seat] | None]


class Field(NamedTuple):
    """`news`: may tell those who see it something that they could not know. A field without news follows from what they
    knew and from the open part of the command, so it cannot differ between two tables that look the same."""

    audience: Audience
    news: bool
    each: bool = False  # every part of the field has an audience of its own


def everybody(values: Values, facts: Facts, place: int) -> None:
    return None


known = Field(everybody, news=False)
news = Field(everybody, news=True)
nobody = Field(lambda values, facts, place: (), news=False)
its_own = Field(lambda values, facts, place: (place,), news=True, each=True)  # one part a seat: the hands of a deal


def to(audience: Audience) -> Field:
    return Field(audience, news=True)


def each_to(audience: Audience) -> Field:
    return Field(audience, news=True, each=True)


to_the_seat = to(lambda values, facts, place: (values["seat"],))


class Sudden(dict[str, Field]):
    """The fields of an event whose coming is news by itself: the rules make it follow from hidden cards."""


class Declaration(NamedTuple):
    events: Mapping[str, Mapping[str, Field]]
    # Fields of commands that the others do not see, by command. All other fields can be seen in what they bring about.
    hidden: Mapping[str, frozenset[str]]
    # Brings a shuffled pack into an order that makes rare moments frequent; None where chance is enough.
    steer: Callable[[list[Any], Any, Any], None] | None
    # The places of the pack worth exchanging, where cards do not show on their faces which they are.
    places: Callable[[list[Any], Any], list[int]] | None
    # Exchanges cards at such places so that the twin differs in something rare: a book for a book.
    redealt: Callable[[list[Any], list[int], Any, Any], list[Any]] | None
    # The same table with another secret that no card makes; None where there is no such thing.
    retold: Callable[[Any], Any] | None


def declaration(game: Game[Any]) -> Declaration:
    module = importlib.import_module(f"tests.leaks.declared.{game.slug.replace('-', '_')}")
    hidden = {name: frozenset(fields) for name, fields in getattr(module, "HIDDEN", {}).items()}
    extras = (getattr(module, name, None) for name in ("steer", "places", "redealt", "retold"))
    return Declaration(module.EVENTS, hidden, *extras)


# ── What an event tells ─────────────────────────────────────────────────────────────────────────────────────────


class Undeclared(Exception):
    """An event or a field that the declarations do not know."""


class Part(NamedTuple):
    value: Any
    audience: frozenset[Seat] | None
    news: bool

    def may_see(self, seat: Seat | None) -> bool:
        return self.audience is None or seat in self.audience


class Reading(NamedTuple):
    """An event taken apart: every part of it with those who may see it by the declaration."""

    type: str
    sudden: bool
    parts: Mapping[str, Part]
    wire: Parts


def split(key: str, value: Any, each: bool) -> Mapping[str, Any]:
    """A field with an audience for each of its parts is written as a mapping, by place, or as a list if all see it."""
    if isinstance(value, dict) and value and all(name.isdigit() for name in value):
        return {f"{key}.{place}": part for place, part in value.items()}
    if each:
        return {f"{key}.{place}": part for place, part in enumerate(value)}
    return {key: value}


def read(declared: Declaration, facts: Facts, event: Any) -> Reading:
    wire = write_event(event)
    fields = declared.events.get(wire.type)
    if fields is None:
        raise Undeclared(f"nobody has declared who may see {wire.type}")
    values: dict[str, Any] = dict(wire.public)
    for part in wire.secret.values():
        for key, value in part.items():
            # The parts of one field lie with different audiences, and some perhaps with the public part.
            values[key] = {**values[key], **value} if isinstance(values.get(key), dict) else value
    parts = {}
    for key, value in values.items():
        field = fields.get(key)
        if field is None:
            raise Undeclared(f"nobody has declared who may see {wire.type}.{key}")
        for name, part in split(key, value, field.each).items():
            seats = field.audience(values, facts, int(name.rpartition(".")[2]) if name != key else 0)
            parts[name] = Part(part, None if seats is None else frozenset(seats), field.news)
    return Reading(wire.type, isinstance(fields, Sudden), parts, wire)
