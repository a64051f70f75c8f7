"""JSON Schema of what a game says and takes, derived from the classes that say it. Nothing is written twice."""

from __future__ import annotations

import types
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import MISSING, fields, is_dataclass
from typing import (
    Annotated,
    Any,
    Final,
    Literal,
    NamedTuple,
    NotRequired,
    Required,
    Union,
    get_args,
    get_origin,
    get_type_hints,
    is_typeddict,
)

from domain.game import Game, Keyword, Option, Secret, options_of
from domain.telling.parts import Part, as_json
from domain.telling.vocabulary import COMMON
from domain.wire import external, wire_name

Schema = dict[str, Any]
# What stands in the place of a class that has a name of its own: its schema, or a reference to it.
Define = Callable[[str, Schema], Schema]


NOTHING: Final[Mapping[str, Schema]] = {}


class Unexplained(Exception):
    """A field without a meaning. Whoever adds a field says in a line what it is."""


def in_place(name: str, schema: Schema) -> Schema:
    """The schema itself, so that what it is part of can be read without looking elsewhere."""
    return schema


class Scope(NamedTuple):
    """Whose words they are, and what becomes of classes that are used in several places."""

    owner: str  # the name of the game in the names of schemas, or nothing
    of: str  # the command or event whose fields they are
    glossaries: tuple[Mapping[str, str], ...]  # the first that knows a word explains it
    define: Define = in_place

    def explain(self, name: str) -> str:
        for glossary in self.glossaries:
            if meaning := glossary.get(f"{self.of}.{name}") or glossary.get(name):
                return meaning
        raise Unexplained(f"{self.owner}: {self.of or 'the view'} has a field {name} that nobody explains")


def schema_of(hint: Any, scope: Scope) -> Schema:
    """The schema of any type that commands, events and views are made of."""
    origin, args = get_origin(hint), get_args(hint)
    if origin is Annotated:
        found = schema_of(args[0], scope)
        for extra in args[1:]:
            if isinstance(extra, Part):
                found = {**found, "x-part": as_json(extra)}
            elif isinstance(extra, Keyword):
                found = {**found, extra.name: extra.value}
        return found
    if origin in (Required, NotRequired):
        return schema_of(args[0], scope)
    if hint in _PLAIN:
        return dict(_PLAIN[hint])
    if origin is Literal:
        return _words(args)
    if origin in (Union, types.UnionType):
        return _union(args, scope)
    if origin is tuple and args[-1:] != (Ellipsis,):
        return {
            "type": "array",
            "prefixItems": [schema_of(arg, scope) for arg in args],
            "minItems": len(args),
            "maxItems": len(args),
        }
    if origin in (tuple, list, Sequence, frozenset, set):
        return {"type": "array", "items": schema_of(args[0], scope)}
    if origin in (dict, Mapping):
        return {"type": "object", "additionalProperties": schema_of(args[1], scope)}
    if isinstance(hint, type) and issubclass(hint, str):
        return _named(hint, scope)
    if is_typeddict(hint) or is_dataclass(hint) or hasattr(hint, "_fields"):
        return _nested(hint, scope)
    raise TypeError(f"no schema for {hint!r}")


_PLAIN: Mapping[Any, Schema] = {
    int: {"type": "integer"},
    bool: {"type": "boolean"},
    str: {"type": "string"},
    float: {"type": "number"},
    type(None): {"type": "null"},
    Any: {},
}


def _words(words: tuple[Any, ...]) -> Schema:
    kinds = {type(word) for word in words}
    return {**(_PLAIN[kinds.pop()] if len(kinds) == 1 else {}), "enum": list(words)}


def _named(cls: type[str], scope: Scope) -> Schema:
    """Cards and other named things: texts with a class of their own."""
    found: Schema = {"description": doc(cls).partition(". ")[0], "type": "string", "x-piece": wire_name(cls)}
    if pattern := getattr(cls, "pattern", None):
        found["pattern"] = f"^(?:{pattern})$"
    if examples := getattr(cls, "examples", ()):
        found["examples"] = list(examples)
    return scope.define(_name(cls, scope), found)


def _nested(cls: Any, scope: Scope) -> Schema:
    """A record inside another. One that says nothing of itself is explained by the field that holds it."""
    found = record_schema(cls, scope)
    return scope.define(_name(cls, scope), {"description": said, **found}) if (said := doc(cls)) else found


def _name(cls: type[Any], scope: Scope) -> str:
    """What is a game's own has the name of the game before its own."""
    return (scope.owner if cls.__module__.startswith("domain.games.") else "") + cls.__name__


def doc(cls: type[Any]) -> str:
    """The first line of what a class says of itself, as opposed to what Python says of it."""
    said = (cls.__doc__ or "").strip().partition("\n")[0]
    return "" if said.startswith(f"{cls.__name__}(") else said


def _union(args: Iterable[Any], scope: Scope) -> Schema:
    members = [schema_of(arg, scope) for arg in args]
    if all(set(m) <= {"type", "x-is"} and isinstance(m.get("type"), str) for m in members):
        said = next((m for m in members if "x-is" in m), {})
        return {**said, "type": [m["type"] for m in members]}
    return {"anyOf": members}


def record_schema(cls: Any, scope: Scope, **first: Schema) -> Schema:
    """An object with a property for each field; a field that has a default need not be given."""
    hints = get_type_hints(cls, include_extras=True)
    properties = first | {external(name): field_schema(external(name), hint, scope) for name, hint in hints.items()}
    for name in set(hints) - set(first):
        if (default := _default(cls, name)) is not MISSING:
            properties[external(name)]["default"] = default
    return {
        "type": "object",
        "properties": properties,
        "required": [*first, *(external(name) for name in hints if _required(cls, name, hints[name]))],
        "additionalProperties": False,
    }


def field_schema(key: str, hint: Any, scope: Scope) -> Schema:
    """The meaning of a field goes before what its class says of itself."""
    found = schema_of(hint, scope)
    return {"description": scope.explain(key), **{name: said for name, said in found.items() if name != "description"}}


def _default(cls: Any, name: str) -> Any:
    return next(f.default for f in fields(cls) if f.name == name) if is_dataclass(cls) else MISSING


def _required(cls: Any, name: str, hint: Any) -> bool:
    if is_typeddict(cls):
        return name in cls.__required_keys__ and get_origin(hint) is not NotRequired
    return _default(cls, name) is MISSING


# ── What a game says and takes ──────────────────────────────────────────────────────────────────────────────────


def pascal(slug: str) -> str:
    """The name of a game in the names of schemas.

    >>> pascal("acey-ducey")
    'AceyDucey'
    """
    return "".join(word.capitalize() for word in slug.split("-"))


def scope_of(game: Game[Any], of: str = "", define: Define = in_place) -> Scope:
    """A word means what the game says for this event or command, what it says, or what all games say."""
    return Scope(pascal(game.slug), of, (game.glossary, COMMON), define)


def view_schema(game: Game[Any], define: Define = in_place) -> Schema:
    """What `table` of a match view holds."""
    hint = get_type_hints(game.view, include_extras=True)["return"]
    found = record_schema(hint, scope_of(game, define=define))
    return {"description": f"What you may see of a table of {game.title}.", **found}


def meaning(cls: type[Any], owner: str) -> str:
    """What the class of a command or an event says of itself."""
    if not (said := doc(cls)):
        raise Unexplained(f"{owner}: nobody explains {wire_name(cls)}")
    return said


def _kind(kind: str, of_what: str) -> Schema:
    return {"description": f"the kind of {of_what}", "type": "string", "const": kind}


def command_schema(game: Game[Any], cls: type[Any], define: Define = in_place) -> Schema:
    """A command as a client sends it.

    `x-at` names the fields of the view at which the command, or the value of one of its fields, is found on the table.
    """
    kind = wire_name(cls)
    found = record_schema(cls, scope_of(game, kind, define), type=_kind(kind, "command"))
    for name, places in game.touches.get(cls, {}).items():
        touched = found["properties"][external(name)] if name else found
        touched["x-at"] = places.split()
    if cls in game.asides:
        found["x-aside"] = True
    return {"description": meaning(cls, game.slug), **found}


def template_schema(game: Game[Any], cls: type[Any]) -> Schema:
    """What stands in a legal list for more commands of one kind than could be listed."""
    kind = wire_name(cls)
    fill = {
        external(f.name): {"description": f"in words, what to put into `{external(f.name)}`", "type": "string"}
        for f in fields(cls)
    }
    of_all = {"type": "object", "properties": fill, "required": list(fill), "additionalProperties": False}
    return {
        "description": f"Stands for more commands `{kind}` than could be listed; it cannot be sent itself.",
        "type": "object",
        "properties": {
            "type": _kind(kind, "command"),
            "fill": {"description": "what to put into each field", **of_all},
        },
        "required": ["type", "fill"],
        "additionalProperties": False,
    }


def legal_schema(game: Game[Any], define: Define = in_place) -> Schema:
    """The list of all that a seat may do."""
    owner = pascal(game.slug)
    listed = [define(f"{owner}{cls.__name__}", command_schema(game, cls, define)) for cls in game.commands]
    filled = [define(f"{owner}{cls.__name__}Template", template_schema(game, cls)) for cls in game.templates]
    beside = [wire_name(cls) for cls in game.asides]
    return {
        "description": f"All that you may do now at a table of {game.title}.",
        "type": "object",
        "properties": {
            "game": _kind(game.slug, "game"),
            "version": {"description": "the version of the match at which this may be done", "type": "integer"},
            "commands": {
                "description": "each as it can be sent, the most neutral one first; empty when there is nothing to do",
                "type": "array",
                "items": {"anyOf": [*listed, *filled]},
            },
            "asides": {
                "description": "which kinds among these stand beside the play, such as taking back and giving up",
                "type": "array",
                "items": {"type": "string", **({"enum": beside} if beside else {})},
            },
        },
        "required": ["game", "version", "commands", "asides"],
        "additionalProperties": False,
    }


class EventParts(NamedTuple):
    """The fields of an event, as properties. A field that a table option can close is public where it is not closed."""

    description: str
    public: dict[str, Schema]
    secret: dict[str, Schema]

    def public_schema(self, beside: Mapping[str, Schema] = NOTHING) -> Schema:
        """What everybody may see, with what the log may add to it."""
        return _with_properties({**self.public, **self.secret, **beside}, list(self.public))

    def secret_schema(self, beside: Mapping[str, Schema] = NOTHING) -> Schema:
        """What a part can hold. Who may see which field, `x-audience` says: `seat` is each seat its own entry, `some`
        those whom the event names, `sender` the seat whose command it was, `table` nobody before the end."""
        return _with_properties({**self.secret, **beside}, [])


def _with_properties(properties: dict[str, Schema], required: list[str]) -> Schema:
    return {"type": "object", "properties": properties, "required": required, "additionalProperties": False}


def event_schema(game: Game[Any], cls: type[Any], define: Define = in_place) -> EventParts:
    """An event of a game."""
    return event_parts(cls, scope_of(game, wire_name(cls), define))


def event_parts(cls: type[Any], scope: Scope) -> EventParts:
    """The two parts of an event: what all may see, and what some of its audiences may."""
    public: dict[str, Schema] = {}
    secret: dict[str, Schema] = {}
    for name, hint in get_type_hints(cls, include_extras=True).items():
        key = external(name)
        if get_origin(hint) is Secret:
            secret[key] = {**field_schema(key, get_args(hint)[0], scope), "x-audience": "some"}
        elif get_origin(hint) is tuple and get_origin(get_args(hint)[0]) is Secret:
            each = schema_of(get_args(get_args(hint)[0])[0], scope)
            by_seat = {"type": "object", "additionalProperties": each, "x-audience": "seat"}
            secret[key] = {"description": scope.explain(key), **by_seat}
        else:
            public[key] = field_schema(key, hint, scope)
    return EventParts(meaning(cls, scope.owner or "match"), public, secret)


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
            by_lot = {"type": "string", "enum": list(option.choices)}
            found |= {"anyOf": [by_lot, {"type": "integer", "minimum": 0}]}
        case "numbers":
            item = {"type": "integer", "minimum": option.low, "maximum": option.high}
            found |= {"type": "array", "items": item, "minItems": option.length, "maxItems": option.length}
        case _:
            found |= _number(option)
    return {**found, "default": option.default}


def _number(option: Option) -> Schema:
    """With the values that only older matches have, as a view of one can show them."""
    bounds = {"type": "integer", "minimum": option.low, "maximum": option.high}
    if option.retired:
        return {"anyOf": [bounds, {"type": "integer", "enum": list(option.retired), "deprecated": True}]}
    return {**bounds, "type": ["integer", "null"]} if option.optional else bounds
