"""What happened, as it stands in the log: an event's parts, with the record of what chance drew for it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Any, Final, NamedTuple

from domain.chance import DRAWS, Draw, Drawn, DrawResult
from domain.game import CHANCE
from domain.match import EVENTS, Decided, Happened, Match, Sent, actor_name, evolve
from domain.telling.schema import Define, Schema, Scope, in_place, schema_of
from domain.wire import TABLE, Parts, audience, load_event, names, read_event, write_event

OF_THE_MATCH: Final = frozenset(names(EVENTS))


def write(happened: Happened) -> Parts:
    parts = write_event(happened.event)
    drawn, sent, decided = happened.drawn, happened.sent, happened.decided
    if sent is not None:
        # To its sender alone: it may say more than what came of it, such as which card was chosen face down.
        parts.secret.setdefault(audience((sent.seat,)), {})["command"] = sent.command
    if decided is not None:
        # To nobody while the match is on: how long a bot thought tells about its hand.
        parts.secret.setdefault(TABLE, {})["bot"] = decided._asdict()
    if drawn is None:
        return parts
    parts.public["draw"] = {"n": drawn.n, "kind": drawn.kind, "size": list(drawn.size)}
    # Dice lie open on the table. A shuffle or a blind pick would give away hidden cards before the end.
    place = parts.public["draw"] if drawn.kind == "dice" else parts.secret.setdefault(TABLE, {}).setdefault("draw", {})
    place["result"] = list(drawn.result)
    return parts


def read(classes: Mapping[str, type[Any]], parts: Parts, actor: str) -> Happened:
    drawn, sent, decided = None, None, None
    for key, part in parts.secret.items():
        if "command" in part:
            sent = Sent(int(key), part["command"])
        if "bot" in part:
            decided = Decided(**part["bot"])
    if "draw" in parts.public:
        open_part = parts.public["draw"]
        result = open_part["result"] if "result" in open_part else parts.secret[TABLE]["draw"]["result"]
        drawn = Drawn(open_part["n"], open_part["kind"], tuple(open_part["size"]), tuple(result))
    return Happened(read_event(classes, parts), actor, drawn, sent, decided)


# ── What it adds to the fields of an event ──────────────────────────────────────────────────────────────────────

_MEANINGS: Final = {
    **DRAWS,
    "level": "the level of the bot",
    "version": "the version of the bot",
    "iterations": "how many times it looked ahead",
}


def _beside(cls: Any, meaning: str, define: Define) -> Schema:
    found = schema_of(cls, Scope("", "", (_MEANINGS,), define))
    return {"description": meaning, **{name: value for name, value in found.items() if name != "description"}}


def public_beside(define: Define = in_place) -> dict[str, Schema]:
    """What the public part of an event of a game can hold beside its fields, as schemas."""
    return {"draw": _beside(Draw, "what chance drew for it, in the first event that came of the draw", define)}


def secret_beside(command: Schema, define: Define = in_place) -> dict[str, Schema]:
    """What its secret parts can hold beside its fields. The schema of a command comes from the game."""
    nobody = {"x-audience": "table"}
    said = "the command that caused it, in the first event that came of the command"
    return {
        "draw": {**_beside(DrawResult, "what chance drew, where it is hidden until the end", define), **nobody},
        "command": {"description": said, **command, "x-audience": "sender"},
        "bot": {**_beside(Decided, "how a bot came to its command", define), **nobody},
    }


def was_settled(parts: Parts, actor: str) -> bool:
    """Whether somebody was to act, be it chance, before this event, though it is of the same command as the one before
    it: nobody sent for the draw, or a further command was sent, or it is of the match, which leaves the table alone."""
    return (
        parts.type in OF_THE_MATCH
        or (actor == actor_name(CHANCE) and "draw" in parts.public)
        or any("command" in part for part in parts.secret.values())
    )


# ── Folding ─────────────────────────────────────────────────────────────────────────────────────────────────────

# An event as it is stored: its type, its public part, its secret parts, and who caused it.
Entry = tuple[str, dict[str, Any], dict[str, Any], str]


class Moment(NamedTuple):
    """A match after an event: as it was when anything but its table changed last, and its table. A replay has one for
    each event, and a whole match has thirty fields to copy."""

    match: Match
    table: Any
    version: int
    draws: int

    @property
    def whole(self) -> Match:
        return self.match._replace(table=self.table, version=self.version, draws=self.draws)


def moment(m: Match) -> Moment:
    return Moment(m, m.table, m.version, m.draws)


def steps(m: Match, classes: Mapping[str, type[Any]], entries: Iterable[Entry]) -> Iterator[Moment]:
    """The match after each of these events."""
    _, table, version, draws = moment(m)
    evolve_table, timed = m.game.evolve, m.turn_seconds is not None
    for kind, public, secret, actor in entries:
        if timed or m.offered or kind in OF_THE_MATCH:
            m = m._replace(table=table, version=version, draws=draws)
            m = evolve(m, read(classes, Parts(kind, public, secret), actor))
            _, table, version, draws = moment(m)
        else:
            table = evolve_table(table, load_event(classes[kind], public, secret))
            version += 1
            if "draw" in public:
                draws = public["draw"]["n"]
        yield Moment(m, table, version, draws)


def fold(m: Match, classes: Mapping[str, type[Any]], entries: Iterable[Entry]) -> Match:
    """The match after these events. Long runs of events of the game itself touch nothing but the table."""
    table, version, draws = m.table, m.version, m.draws
    evolve_table, timed = m.game.evolve, m.turn_seconds is not None
    for kind, public, secret, actor in entries:
        if timed or m.offered or kind in OF_THE_MATCH:
            m = m._replace(table=table, version=version, draws=draws)
            m = evolve(m, read(classes, Parts(kind, public, secret), actor))
            table, version, draws = m.table, m.version, m.draws
        else:
            table = evolve_table(table, load_event(classes[kind], public, secret))
            version += 1
            if "draw" in public:
                draws = public["draw"]["n"]
    return m._replace(table=table, version=version, draws=draws)
