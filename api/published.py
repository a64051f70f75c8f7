"""The schemas of the document that carry a game: a union by `game`, with one schema a game.

What a game says and takes comes from the domain. A class that is used in several places stands here once, and all names
are unique: `BackgammonRoll`, `QuenetteView`, `CheckersMovedEvent`.

What a client sends is closed: a field that is not listed is refused. What it only reads is open, since later versions
may say more.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any, Final

from domain.game import Game
from domain.games import GAMES
from domain.log import public_beside, secret_beside
from domain.match import EVENTS, AnswerDraw, DrawAnswered, MatchFrame, MatchOpened, TableSet
from domain.match.words import GLOSSARY
from domain.telling.parts import GEOMETRY, Board
from domain.telling.schema import (
    EventParts,
    Schema,
    Scope,
    command_schema,
    event_parts,
    event_schema,
    legal_schema,
    options_schema,
    pascal,
    record_schema,
    schema_of,
    template_schema,
    view_schema,
)
from domain.telling.vocabulary import COMMON
from domain.upcast import ADDED
from domain.wire import wire_name
from eventstore.commands import MOST_STEPS

AUDIENCE: Final = r"^(table|[0-9]+(\+[0-9]+)*)$"
HASH: Final[Schema] = {"type": "string", "pattern": "^[0-9a-f]{64}$"}
UNION: Final = {
    "NewMatch": "A match to be opened.",
    "MatchView": "A match as you may see it.",
    "Legal": "All that you may do now.",
    "EventPage": "A piece of the log, as you may see it.",
    "CommandAnswer": "What a command brought about, as you may see it.",
}


def ref(name: str) -> Schema:
    return {"$ref": f"#/components/schemas/{name}"}


def opened(schema: Schema) -> Schema:
    """The same, with room for what later versions add."""

    def inside(value: Any) -> Any:
        if isinstance(value, list):
            return [inside(one) for one in value]
        return opened(value) if isinstance(value, dict) else value

    return {key: inside(value) for key, value in schema.items() if key != "additionalProperties" or value is not False}


def record(description: str, properties: Mapping[str, Schema], *optional: str) -> Schema:
    return {
        "description": description,
        "type": "object",
        "properties": dict(properties),
        "required": [name for name in properties if name not in optional],
    }


def const(value: str, description: str) -> Schema:
    return {"description": description, "type": "string", "const": value}


def union(description: str, by: str, members: Mapping[str, str]) -> Schema:
    """One of several, told apart by a field."""
    return {
        "description": description,
        "oneOf": [ref(name) for name in members.values()],
        "discriminator": {
            "propertyName": by,
            "mapping": {key: ref(name)["$ref"] for key, name in members.items()},
        },
    }


STEPS: Final[Schema] = {
    "description": "Several commands of one seat, which are played as a whole or not at all.",
    "type": "object",
    "properties": {
        "steps": {
            "description": "in order; none may follow one that leaves something to chance or shows you something new",
            "type": "array",
            "items": ref("Command"),
            "minItems": 1,
            "maxItems": MOST_STEPS,
        }
    },
    "required": ["steps"],
    "additionalProperties": False,
}


class Components:
    """Schemas by name."""

    def __init__(self) -> None:
        self.schemas: dict[str, Schema] = {}

    def add(self, name: str, schema: Schema) -> Schema:
        if self.schemas.setdefault(name, schema) != schema:
            raise TypeError(f"two schemas are called {name}")
        return ref(name)

    def read(self, name: str, schema: Schema) -> Schema:
        """For what clients only read. Where games explain a class in different words, each does so at its place."""
        schema = opened(schema)
        return ref(name) if self.schemas.setdefault(name, schema) == schema else schema

    def sent(self, name: str, schema: Schema) -> Schema:
        """For what clients send."""
        return ref(name) if self.schemas.setdefault(name, schema) == schema else schema


def components(new_match: Schema) -> Components:
    """All that carries a game. A match to be opened is given as it is read, without what the game is to say of it."""
    made = Components()
    made.add("MatchFrame", _match_frame(made))
    made.add("EventFrame", EVENT_FRAME)
    shared = {wire_name(cls): _match_event(made, cls) for cls in EVENTS if cls is not MatchOpened}
    for game in GAMES:
        _game(made, game, new_match, shared)
    for name, description in UNION.items():
        members = {game.slug: f"{pascal(game.slug)}{name}" for game in GAMES}
        made.add(name, union(description, "game", members))
    commands = [ref(f"{pascal(game.slug)}Command") for game in GAMES]
    made.add("Command", {"description": "A command of the game that is played.", "anyOf": commands})
    made.add("CommandSteps", STEPS)
    made.read("Board", {"description": "What a match is played on.", **schema_of(Board, _of_match(made, GEOMETRY))})
    return made


def _of_match(made: Components, *glossaries: Mapping[str, str], of: str = "") -> Scope:
    return Scope("", of, (*glossaries, GLOSSARY, COMMON), made.read)


def _match_frame(made: Components) -> Schema:
    found = opened(record_schema(MatchFrame, _of_match(made)))
    found["properties"]["board_href"] = {
        "description": "where the geometry of the board is; null where there is no board",
        "type": ["string", "null"],
    }
    found["required"].append("board_href")
    return {"description": "What a view of a match says whatever the game is.", **found}


def _game(made: Components, game: Game[Any], new_match: Schema, match_events: Mapping[str, str]) -> None:
    name, title = pascal(game.slug), game.title
    slug = const(game.slug, "the game")
    options = made.add(f"{name}Options", options_schema(game))
    table = made.add(f"{name}View", opened(view_schema(game, made.read)))

    opening = {**new_match, "description": f"A match of {title} to be opened."}
    said = new_match["properties"]["options"]["description"]
    opening["properties"] = {**new_match["properties"], "game": slug, "options": {"description": said, **options}}
    made.add(f"{name}NewMatch", opening)

    own = {
        "game": slug,
        "options": {"description": GLOSSARY["options"], **options},
        "table": {
            "description": "what you may see of the game; null before the start",
            "anyOf": [table, {"type": "null"}],
        },
    }
    view = record(f"A match of {title} as you may see it.", own)
    made.add(f"{name}MatchView", _within("MatchFrame", view))

    _legal(made, game, slug)
    event = _events(made, game, match_events)
    version = {"description": "the newest version of the match", "type": "integer"}
    told = record(
        f"An event of a match of {title}, and what it says.",
        {"event": event, "words": {"description": "what happened, in a sentence for you", "type": "string"}},
    )
    told["properties"]["event"] = {"description": "the event as it is hashed", **event}
    either = {"anyOf": [event, made.add(f"{name}ToldEvent", told)]}
    events = {"description": "in order; with `words` each beside what it says", "type": "array", "items": either}
    after = {"description": "`after` of the next page; null on the last", "type": ["integer", "null"]}
    page = {"game": slug, "version": version, "events": events, "next": after}
    made.add(f"{name}EventPage", record(f"A piece of the log of a match of {title}.", page))
    answer = {"game": slug, "version": version, "events": events}
    preferred = {
        "view": {"description": "with `Prefer: return=representation`: the match after it", **ref(f"{name}MatchView")},
        "legal": {"description": "likewise: all that you may do then", **ref(f"{name}Legal")},
    }
    told = record(f"What a command of {title} brought about.", answer | preferred, *preferred)
    made.add(f"{name}CommandAnswer", told)


def _within(frame: str, schema: Schema) -> Schema:
    """A schema that adds to what another has."""
    description = schema.pop("description")
    return {"description": description, "allOf": [ref(frame), schema]}


def _legal(made: Components, game: Game[Any], slug: Schema) -> None:
    name = pascal(game.slug)
    commands = {wire_name(cls): f"{name}{cls.__name__}" for cls in game.commands}
    for cls in game.commands:
        made.add(f"{name}{cls.__name__}", command_schema(game, cls, made.sent))
    made.add(f"{name}Command", union(f"A command of {game.title}.", "type", commands))
    templates = [made.add(f"{name}{cls.__name__}Template", template_schema(game, cls)) for cls in game.templates]
    found = opened(legal_schema(game))
    found["properties"]["game"] = slug
    command = ref(f"{name}Command")
    found["properties"]["commands"]["items"] = {"anyOf": [command, *templates]} if templates else command
    made.add(f"{name}Legal", found)


# ── Events ──────────────────────────────────────────────────────────────────────────────────────────────────────


EVENT_FRAME: Final = record(
    "What every event has.",
    {
        "version": {"description": "its place in the log, from 1 without gap", "type": "integer"},
        "schema": {
            "description": "the shape of its parts, which later releases may change",
            "type": "integer",
        },
        "actor": {
            "description": "who caused it: `seat:2`, `host`, `chance`, `clock`, `match` or `operator`",
            "type": "string",
            "pattern": "^(seat:[0-9]+|host|chance|clock|match|operator)$",
        },
        "command_id": {"description": "the same for all events of one command", "type": "string"},
        "at": {"description": "when, in UTC", "type": "string", "format": "date-time"},
        "hash": {"description": "the link of the hash chain", **HASH},
    },
)


def _events(made: Components, game: Game[Any], match_events: Mapping[str, str]) -> Schema:
    name = pascal(game.slug)
    named = {wire_name(MatchOpened): _match_opened(made, game), **match_events}
    for cls in game.events:
        named[wire_name(cls)] = f"{name}{cls.__name__}Event"
        lacks = ADDED.get((game.slug, wire_name(cls)), ())
        _game_event(made, name, cls.__name__, wire_name(cls), event_schema(game, cls, made.read), lacks)
    return made.add(f"{name}Event", union(f"An event of a match of {game.title}.", "type", named))


def _game_event(made: Components, owner: str, name: str, kind: str, parts: EventParts, lacks: Iterable[str]) -> None:
    """An event of a game, and what its secret parts hold if it has any of its own."""
    beside = secret_beside(ref(f"{owner}Command"), made.read)
    if parts.secret:
        said = f"A secret part of `{kind}`: its commitment, and for those who may see it all of it."
        part = made.add(f"{owner}{name}Secret", _sealed(said, opened(parts.secret_schema(beside))))
    else:
        said = "A secret part of an event that has no secret fields: the command that caused it, or what chance drew."
        part = made.add(f"{owner}Secret", _sealed(said, opened(parts.secret_schema(beside))))
    _event(made, f"{owner}{name}Event", kind, parts, public_beside(made.read), _by_audience(part), lacks)


def _event(
    made: Components,
    name: str,
    kind: str,
    parts: EventParts,
    beside: Mapping[str, Schema],
    secret: Schema,
    lacks: Iterable[str] = (),
) -> str:
    public = opened(parts.public_schema(beside))
    public["required"] = [field for field in public["required"] if field not in lacks]
    own = {
        "type": const(kind, "what happened"),
        "public": {"description": "what everybody who may see the match may know", **public},
        "secret": {"description": "its secret parts, by audience", **secret},
    }
    made.add(name, _within("EventFrame", record(parts.description, own)))
    return name


def _sealed(description: str, part: Schema) -> Schema:
    held = {
        "commitment": {"description": "SHA-256 of the salt and the part", **HASH},
        "salt": {"description": "what the commitment was salted with, if you may see the part", **HASH},
        "part": {"description": "the part itself, if you may see it", **part},
    }
    return record(description, held, "salt", "part")


OPEN: Final[Schema] = {"type": "object", "maxProperties": 0}  # most events of the match hide nothing of their own


def _match_event(made: Components, cls: type[Any]) -> str:
    kind = wire_name(cls)
    hiding = {DrawAnswered: _answer_of_a_bot, TableSet: _table_of_another}
    secret = _by_audience(hiding[cls](made)) if cls in hiding else OPEN
    added = ADDED.get(("match", kind), ())
    return _event(made, f"{cls.__name__}Event", kind, _match_parts(made, cls), {}, secret, added)


def _answer_of_a_bot(made: Components) -> Schema:
    """The one event of the match behind which there may be a thought."""
    answer = {
        "type": const(wire_name(AnswerDraw), "an answer"),
        "accept": {"description": GLOSSARY["accept"], "type": "boolean"},
    }
    beside = secret_beside(record("A bot's answer to a draw.", answer), made.read)
    part = {"type": "object", "properties": {name: beside[name] for name in ("command", "bot")}}
    return made.add("DrawAnsweredSecret", _sealed("How a bot came to its answer; a person's has no such part.", part))


def _table_of_another(made: Components) -> Schema:
    """Hidden from all until the end, since it has every hand."""
    table = {"description": GLOSSARY["table_set.table"], "type": "object"}
    part = {"type": "object", "properties": {"table": table}}
    return made.add("TableSetSecret", _sealed("The table that a fork goes on from.", part))


def _by_audience(part: Schema) -> Schema:
    return {"type": "object", "propertyNames": {"pattern": AUDIENCE}, "additionalProperties": part}


def _match_parts(made: Components, cls: type[Any]) -> EventParts:
    return event_parts(cls, _of_match(made, of=wire_name(cls)))


def _match_opened(made: Components, game: Game[Any]) -> str:
    """The one event of the match that speaks of the game."""
    parts = _match_parts(made, MatchOpened)
    name, kind = pascal(game.slug), wire_name(MatchOpened)
    public = parts.public | {
        "game": const(game.slug, GLOSSARY["game"]),
        "options": {"description": GLOSSARY["options"], **ref(f"{name}Options")},
    }
    parts = parts._replace(public=public)
    return _event(made, f"{name}MatchOpenedEvent", kind, parts, {}, OPEN, ADDED["match", kind])
