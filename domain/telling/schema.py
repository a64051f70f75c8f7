"""JSON Schema of what a game says and takes, derived from the classes that say it. Nothing is written twice."""

from __future__ import annotations

import types
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import MISSING, fields, is_dataclass
from typing import (
    Annotated,
    Any,
    Literal,
    NotRequired,
    Required,
    Union,
    get_args,
    get_origin,
    get_type_hints,
    is_typeddict,
)

from domain.game import Game, Option, Secret, Template, options_of
from domain.telling.parts import Part, as_json
from domain.telling.vocabulary import COMMON
from domain.wire import external, wire_name

Schema = dict[str, Any]
Explain = Callable[[str], str]  # the meaning of a field, by its name on the wire


class Unexplained(Exception):
    """A field without a meaning. Whoever adds a field says in a line what it is."""


def schema_of(hint: Any, explain: Explain) -> Schema:
    """The schema of any type that commands, events and views are made of."""
    origin, args = get_origin(hint), get_args(hint)
    if origin is Annotated:
        found = schema_of(args[0], explain)
        for extra in args[1:]:
            if isinstance(extra, Part):
                found = {**found, "x-part": as_json(extra)}
        return found
    if origin in (Required, NotRequired):
        return schema_of(args[0], explain)
    if hint in _PLAIN:
        return dict(_PLAIN[hint])
    if origin is Literal:
        return {"enum": list(args), **({"type": "string"} if all(isinstance(a, str) for a in args) else {})}
    if origin in (Union, types.UnionType):
        return _union(args, explain)
    if origin is tuple and args[-1:] != (Ellipsis,):
        return {
            "type": "array",
            "prefixItems": [schema_of(arg, explain) for arg in args],
            "minItems": len(args),
            "maxItems": len(args),
        }
    if origin in (tuple, list, Sequence, frozenset, set):
        return {"type": "array", "items": schema_of(args[0], explain)}
    if origin in (dict, Mapping):
        return {"type": "object", "additionalProperties": schema_of(args[1], explain)}
    if isinstance(hint, type) and issubclass(hint, str):
        return _named(hint)
    if is_typeddict(hint) or is_dataclass(hint) or hasattr(hint, "_fields"):
        return record_schema(hint, explain)
    raise TypeError(f"no schema for {hint!r}")


_PLAIN: Mapping[Any, Schema] = {
    int: {"type": "integer"},
    bool: {"type": "boolean"},
    str: {"type": "string"},
    float: {"type": "number"},
    type(None): {"type": "null"},
    Any: {},
}


def _named(cls: type[str]) -> Schema:
    """Cards and other named things: texts with a class of their own."""
    found: Schema = {"type": "string", "x-piece": wire_name(cls)}
    if pattern := getattr(cls, "pattern", None):
        found["pattern"] = f"^(?:{pattern})$"
    if examples := getattr(cls, "examples", ()):
        found["examples"] = list(examples)
    return found


def _union(args: Iterable[Any], explain: Explain) -> Schema:
    members = [schema_of(arg, explain) for arg in args]
    simple = [m for m in members if set(m) == {"type"} and isinstance(m["type"], str)]
    if len(simple) == len(members):
        return {"type": [m["type"] for m in members]}
    return {"anyOf": members}


def record_schema(cls: Any, explain: Explain, **first: Schema) -> Schema:
    """An object with a property for each field; a field that has a default need not be given."""
    hints = get_type_hints(cls, include_extras=True)
    properties = dict(first)
    for name, hint in hints.items():
        properties[external(name)] = {"description": explain(external(name)), **schema_of(hint, explain)}
    return {
        "type": "object",
        "properties": properties,
        "required": [*first, *(external(name) for name in hints if _required(cls, name, hints[name]))],
        "additionalProperties": False,
    }


def _required(cls: Any, name: str, hint: Any) -> bool:
    if is_typeddict(cls):
        return name in cls.__required_keys__ and get_origin(hint) is not NotRequired
    if is_dataclass(cls):
        return next(f.default is MISSING for f in fields(cls) if f.name == name)
    return True


# ── What a game says and takes ──────────────────────────────────────────────────────────────────────────────────


def explainer(game: Game[Any], of: str = "") -> Explain:
    """The meaning of a word: as the game has it for this event or command, as the game has it, as all games have it."""

    def explain(name: str) -> str:
        for source, key in ((game.glossary, f"{of}.{name}"), (game.glossary, name), (COMMON, name)):
            if key in source:
                return source[key]
        raise Unexplained(f"{game.slug}: {of or 'view'} has a field {name} that nobody explains")

    return explain


def view_schema(game: Game[Any]) -> Schema:
    """What `table` of a match view holds."""
    hint = get_type_hints(game.view, include_extras=True)["return"]
    return {"description": f"What you may see of a table of {game.title}.", **record_schema(hint, explainer(game))}


def meaning(game: Game[Any], cls: type[Any]) -> str:
    """The first line of what the class of a command or an event says of itself."""
    said = cls.__doc__ or ""
    if not said or said.startswith(f"{cls.__name__}("):
        raise Unexplained(f"{game.slug}: nobody explains {wire_name(cls)}")
    return said.strip().partition("\n")[0]


def command_schema(game: Game[Any], cls: type[Any]) -> Schema:
    """A command as a client sends it.

    `x-at` names the fields of the view at which the command, or the value of one of its fields, is found on the table.
    """
    kind = wire_name(cls)
    found = record_schema(cls, explainer(game, kind), type={"const": kind, "description": "the kind of command"})
    for name, places in game.touches.get(cls, {}).items():
        touched = found["properties"][external(name)] if name else found
        touched["x-at"] = places.split()
    if cls in game.asides:
        found["x-aside"] = True
    return {"description": meaning(game, cls), **found}


def event_schema(game: Game[Any], cls: type[Any], explain: Explain | None = None) -> Schema:
    """The two parts of an event: what all may see, and what some of its audiences may."""
    explain = explain or explainer(game, wire_name(cls))
    public, secret = {}, {}
    for name, hint in get_type_hints(cls, include_extras=True).items():
        key, said = external(name), {"description": explain(external(name))}
        if get_origin(hint) is Secret:
            secret[key] = {**said, **schema_of(get_args(hint)[0], explain)}
        elif get_origin(hint) is tuple and get_origin(get_args(hint)[0]) is Secret:
            each = schema_of(get_args(get_args(hint)[0])[0], explain)
            secret[key] = {**said, "type": "object", "additionalProperties": each}
        else:
            public[key] = {**said, **schema_of(hint, explain)}
    return {"description": meaning(game, cls), "public": public, "secret": secret}


def options_schema(game: Game[Any]) -> Schema:
    """Table options as they may be given; none has to be."""
    return {
        "type": "object",
        "description": f"Table options of {game.title}.",
        "properties": {option.name: option_schema(option) for option in options_of(game.options)},
        "additionalProperties": False,
    }


def option_schema(option: Option) -> Schema:
    found: Schema = {"description": option.text, "x-rule": option.rule}
    match option.kind:
        case "flag":
            found |= {"type": "boolean"}
        case "choice":
            found |= {"type": "string", "enum": list(option.choices)}
        case "seat":
            found |= {"anyOf": [{"enum": list(option.choices)}, {"type": "integer", "minimum": 0}]}
        case "numbers":
            item = {"type": "integer", "minimum": option.low, "maximum": option.high}
            found |= {"type": "array", "items": item, "minItems": option.length, "maxItems": option.length}
        case _:
            kind: Any = ["integer", "null"] if option.optional else "integer"
            found |= {"type": kind, "minimum": option.low, "maximum": option.high}
    return {**found, "default": option.default}


def template_schema(game: Game[Any], template: Template) -> Schema:
    return {
        "type": "object",
        "properties": {
            "type": {"const": wire_name(template.command), "description": "the kind of command"},
            "fill": {
                "type": "object",
                "description": "what to put into each field",
                "properties": {name: {"type": "string"} for name in template.fill},
            },
        },
        "required": ["type", "fill"],
    }
