"""The legal commands as choices: a kind of command first, then its fields one after another.

A legal list can be long and its commands alike: every man of a board with every throw of the dice. So a player chooses
the field that comes first, and then among the commands that are left, until one is left. Where there is only one value,
nobody is asked.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Final, NamedTuple

from api.terminal.schemas import Schema

Command = Mapping[str, Any]
Schemas = Mapping[str, Schema]  # of the commands, by type

RESERVED: Final = "bdqrx?"  # keys that mean the same in every game


class Place(NamedTuple):
    """Where on the table a choice is found: at a field of the view, or at a value in it."""

    at: str
    value: str | None  # None: at the field as a whole
    thing: str  # what the value is, if its schema says so: a seat


class Choice(NamedTuple):
    key: str  # what the player types
    type: str
    told: tuple[tuple[str, Any], ...]  # the fields that it settles
    places: tuple[Place, ...]
    commands: tuple[Command, ...]  # those that are left after it
    settled: frozenset[str]  # the fields that are chosen by then
    aside: bool

    @property
    def template(self) -> Command | None:
        """A command that has yet to be filled in."""
        return self.commands[0] if "fill" in self.commands[0] else None

    @property
    def command(self) -> Command | None:
        """What to send, if nothing is left to choose."""
        return self.commands[0] if len(self.commands) == 1 and self.template is None else None


def first_choices(legal: Iterable[Command], schemas: Schemas) -> list[Choice]:
    """The choices at the beginning: numbers for commands of the play, a letter for each kind beside it."""
    groups: dict[tuple[str, bool], list[Command]] = {}
    for command in legal:
        groups.setdefault((command["type"], "fill" in command), []).append(command)
    found: list[Choice] = []
    letters = set(RESERVED)
    for (kind, _), commands in groups.items():
        if schemas[kind].get("x-aside"):
            key = next(letter for letter in kind + "abcdefghijklmnopqrstuvwxyz" if letter not in letters)
            letters.add(key)
            found.append(_choice(commands, schemas[kind], frozenset(), key, aside=True))
        else:
            found += _split(commands, schemas[kind], frozenset())
    return _numbered(found)


def next_choices(chosen: Choice, schemas: Schemas) -> list[Choice]:
    """The choices among the commands that one has left."""
    return _numbered(_split(chosen.commands, schemas[chosen.type], chosen.settled))


def _numbered(choices: Sequence[Choice]) -> list[Choice]:
    numbers = iter(range(1, len(choices) + 1))
    return [one if one.aside else one._replace(key=str(next(numbers))) for one in choices]


def _split(commands: Sequence[Command], schema: Schema, settled: frozenset[str]) -> list[Choice]:
    """A choice for each value of the first field in which the commands differ."""
    field = next((name for name in _fields(schema) if len({_value(one, name) for one in commands}) > 1), None)
    if field is None:
        return [_choice(commands, schema, settled)]
    groups: dict[str, list[Command]] = {}
    for command in commands:
        groups.setdefault(_value(command, field), []).append(command)
    same = {name for name in _fields(schema) if len({_value(one, name) for one in commands}) == 1}
    return [_choice(group, schema, settled | same) for group in groups.values()]


def _choice(
    commands: Sequence[Command], schema: Schema, settled: frozenset[str], key: str = "", *, aside: bool = False
) -> Choice:
    agreed = [name for name in _fields(schema) if len({_value(one, name) for one in commands}) == 1]
    told = tuple((name, commands[0][name]) for name in agreed if name not in settled and name in commands[0])
    places = [Place(at, None, "") for at in schema.get("x-at", ())]
    for name, value in told[:1]:  # it is chosen where its first field is found
        field, spot = schema["properties"][name], _spot(value)
        places += [Place(at, spot, field.get("x-is", "")) for at in field.get("x-at", ()) if spot is not None]
    return Choice(key, commands[0]["type"], told, tuple(places), tuple(commands), settled | set(agreed), aside)


def _spot(value: Any) -> str | None:
    """The one thing that a value points at: of a way over the board its end, of several cards none in particular."""
    if not isinstance(value, list):
        return None if value is None else str(value)
    return str(value[-1]) if value and (len(value) == 1 or isinstance(value[-1], int)) else None


def _fields(schema: Schema) -> list[str]:
    return [name for name in schema["properties"] if name != "type"]


def _value(command: Command, name: str) -> str:
    return json.dumps(command.get(name), sort_keys=True)


def as_sent(command: Command, schema: Schema) -> dict[str, Any]:
    """A legal command without what the list says beside it."""
    return {name: value for name, value in command.items() if name in schema["properties"]}
