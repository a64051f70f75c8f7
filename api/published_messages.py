"""The schemas of the messages of streams: those of a match, which carry its game, and those that concern a player."""

from __future__ import annotations

from typing import Any, Final, get_args

from api.published import Components, const, record, ref, union
from domain.game import Game
from domain.games import GAMES
from domain.match.words import GLOSSARY
from domain.telling.schema import Schema, pascal
from eventstore.notices import Kind

REASONS: Final = {
    "stopping": "the server stops, or starts anew",
    "slow": "you did not read fast enough",
    "crowded": "your place was needed for somebody who has fewer streams",
    "unavailable": "the server could not read on",
    "token": "the token was revoked",
    "not_yours": "you may no longer see the match",
}
INSTANT: Final[Schema] = {"type": "string", "format": "date-time"}
VERSION: Final[Schema] = {"description": GLOSSARY["version"], "type": "integer"}
POSITION: Final[Schema] = {"description": "what to go on after; null before the first", "type": ["string", "null"]}
SEEN: Final = "how the match stands after it, with `view=1`, on the last event of those told together"
NOW: Final[dict[str, Schema]] = {
    "to_act": {
        "description": "the seats that may act after it; none while more of the same command follows",
        "type": "array",
        "items": {"type": "integer"},
    },
    "deadlines": {
        "description": "until when each of them has time, by seat, where time is limited; with the newest version only",
        "type": "object",
        "additionalProperties": INSTANT,
    },
}


def add_messages(made: Components) -> None:
    for game in GAMES:
        _of_game(made, game)
    for name, said in (("ViewMessage", "How the match stands, all of it."), ("EventMessage", "What happened.")):
        made.add(name, union(said, "game", {game.slug: f"{pascal(game.slug)}{name}" for game in GAMES}))
    result = {"description": "how it ended", **ref("Result")}
    ended = {"kind": const("end", "the match is over"), "version": VERSION, "result": result}
    made.add("EndMessage", record("The last message: nothing more will happen in this match.", ended))
    listed = "; ".join(f"`{reason}`: {text}" for reason, text in REASONS.items())
    left = {
        "kind": const("bye", "the server ends the stream, and there may be more"),
        "reason": {"description": listed, "type": "string"},
        "after": {"description": "what to go on after", "type": ["integer", "string", "null"]},
    }
    made.add("ByeMessage", record("The server ends the stream: come back, and go on where you were.", left))
    kinds = {"view": "ViewMessage", "event": "EventMessage", "end": "EndMessage", "bye": "ByeMessage"}
    members: dict[str, Any] = {"oneOf": [ref(name) for name in kinds.values()]}
    made.add("MatchMessage", {"description": "A message of the stream of a match; `kind` tells which.", **members})
    _notices(made)


def stands(name: str) -> dict[str, Schema]:
    return {"view": {"description": "the match as you may see it", **ref(f"{name}MatchView")}}


def _of_game(made: Components, game: Game[Any]) -> None:
    name, slug = pascal(game.slug), const(game.slug, "the game")
    items = made.schemas[f"{name}Legal"]["properties"]["commands"]["items"]
    now = NOW | {
        "legal": {
            "description": "what you may do now, if it is your turn; with the newest version only",
            "type": "array",
            "items": items,
        },
        "asides": {
            "description": "which kinds of these stand beside the play",
            "type": "array",
            "items": {"type": "string"},
        },
    }
    view = {"kind": const("view", "how the match stands"), "game": slug, **stands(name), **now}
    made.add(f"{name}ViewMessage", record(f"How a match of {game.title} stands.", view, "legal", "asides"))
    told = made.schemas[f"{name}ToldEvent"]["properties"]
    seen = {"view": {"description": SEEN, **ref(f"{name}MatchView")}}
    event: dict[str, Schema] = {"kind": const("event", "something happened"), "game": slug, **told, **now, **seen}
    optional = "legal", "asides", "view"
    made.add(f"{name}EventMessage", record(f"What happened in a match of {game.title}.", event, *optional))


def _notices(made: Components) -> None:
    said: dict[str, Schema] = {
        "kind": {"description": "what it is about", "type": "string", "enum": list(get_args(Kind))},
        "match": {"description": GLOSSARY["match_id"], "type": "string", "format": "uuid"},
        "game": {"description": GLOSSARY["game"], "type": "string"},
        "version": {"description": "the version of the match at which it happened", "type": "integer"},
        "at": {"description": "when, in UTC", **INSTANT},
        "position": POSITION,
    }
    made.add("Notice", record("Something that concerns you.", said))
    hello = {
        "kind": const("hello", "the stream begins"),
        "player": {"description": "your id", "type": "string", "format": "uuid"},
        "position": POSITION,
    }
    made.add("HelloMessage", record("The first message of your stream.", hello))
    members = [ref(name) for name in ("HelloMessage", "Notice", "ByeMessage")]
    made.add("NoticeMessage", {"description": "A message of your stream; `kind` tells which.", "oneOf": members})
