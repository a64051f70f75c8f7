"""What a seat or a spectator may know of a match."""

from __future__ import annotations

import types
from collections.abc import Mapping, Sequence
from typing import Any, Final, TypedDict

from domain.game import ALL, Seat
from domain.match.state import Instant, Match, Origin, Seed, Sitter, Status, Uuid

NO_DEADLINES: Final[Mapping[Seat, str]] = types.MappingProxyType({})

Names = Mapping[str, str]  # by the id of a player
NOBODY: Final[Names] = {}


class ShownSeat(TypedDict):
    """A seat at the table and who has it."""

    seat: Seat
    kind: Sitter
    player: Uuid | None
    name: str | None
    level: str | None
    client_seed: str
    resigned: bool


class ShownOffer(TypedDict):
    """A draw on offer."""

    seat: Seat
    agreed: Sequence[Seat]


class Result(TypedDict):
    """How a match ended."""

    winners: Sequence[Seat]
    places: Sequence[int]
    scores: Sequence[int]
    reason: str
    server_seed: Seed


class ShownOrigin(TypedDict):
    """Where the table of a forked match comes from."""

    match: Uuid
    version: int
    imagined: bool


class MatchFrame(TypedDict):
    """What a view of a match says whatever the game is."""

    id: Uuid
    status: Status
    version: int
    host: Uuid
    spectators: bool
    open_to_all: bool
    spectator_delay: int
    private: bool
    notes: bool
    turn_seconds: int | None
    thinking_ms: int | None
    rated: bool
    published: bool
    forked_from: ShownOrigin | None
    seed_commitment: Seed
    seats: Sequence[ShownSeat]
    sides: Sequence[Sequence[Seat]]
    you: Seat | None
    to_act: Sequence[Seat]
    deadlines: Mapping[str, Instant]
    draw_offer: ShownOffer | None
    result: Result | None
    rematch: Uuid | None


class MatchView(MatchFrame):
    """A match as one reader may see it."""

    game: str
    options: Mapping[str, Any]
    table: Mapping[str, Any] | None


def called(seat: Seat, player: str | None, level: str | None, names: Names) -> str | None:
    """What to call whoever has this seat. A player whose seat a bot keeps is still called by name."""
    if player is not None:
        return names.get(player)
    return None if level is None else f"Bot {seat} ({level})"


def at_table(m: Match, names: Names) -> tuple[str, ...]:
    """What to call those at the table in a sentence. A seat that is still open has no name."""
    return tuple([called(n, chair.player, chair.level, names) or f"seat {n}" for n, chair in enumerate(m.chairs)])


def next_view(
    before: MatchView, m: Match, table: Any, version: int, seat: Seat | None, deadlines: Mapping[Seat, str]
) -> MatchView:
    """The view after one more event of a running match that has changed nothing but the table; a long replay is made of
    these."""
    found = before.copy()
    found["version"] = version
    found["sides"] = m.game.sides(table)
    found["to_act"] = sorted(m.game.to_act(table))
    found["table"] = m.game.view(table, seat)
    if deadlines or before["deadlines"]:
        found["deadlines"] = _told(deadlines)
    return found


def _told(deadlines: Mapping[Seat, str]) -> Mapping[str, Instant]:
    return {str(seat): deadlines[seat] for seat in sorted(deadlines)}


def _origin(origin: Origin | None) -> ShownOrigin | None:
    return origin and {"match": origin.match, "version": origin.version, "imagined": origin.imagined}


def view(
    m: Match,
    seat: Seat | None,
    names: Names = NOBODY,
    deadlines: Mapping[Seat, str] = NO_DEADLINES,
    rematch: str | None = None,
) -> MatchView:
    running = m.status == "playing"
    return {
        "id": m.id,
        "game": m.game.slug,
        "status": m.status,
        "version": m.version,
        "host": m.host,
        "options": dict(m.options),
        "spectators": m.spectators,
        "open_to_all": m.open_to_all,
        "spectator_delay": m.spectator_delay,
        "private": m.private,
        "notes": m.notes,
        "turn_seconds": m.turn_seconds,
        "thinking_ms": m.thinking_ms,
        "rated": m.rated,
        "published": m.published,
        "forked_from": _origin(m.forked_from),
        "seed_commitment": m.commitment,
        "seats": [
            {
                "seat": n,
                "kind": chair.kind,
                "player": chair.player,
                "name": called(n, chair.player, chair.level, names),
                "level": chair.level,
                "client_seed": chair.client_seed,
                "resigned": chair.resigned,
            }
            for n, chair in enumerate(m.chairs)
        ],
        "sides": m.game.sides(m.table),
        "you": None if seat == ALL else seat,
        "to_act": sorted(m.game.to_act(m.table)) if running else [],
        "deadlines": _told(deadlines),
        "draw_offer": {"seat": m.offer.seat, "agreed": sorted(m.offer.agreed)} if m.offer else None,
        # Once the match is over nothing is hidden any more.
        "table": m.game.view(m.table, ALL if m.ended else seat) if m.started else None,
        "result": None
        if m.ended is None
        else {
            "winners": [s for s, place in enumerate(m.ended.places) if place == 1],
            "places": m.ended.places,
            "scores": m.ended.scores,
            "reason": m.ended.reason,
            "server_seed": m.ended.server_seed,
        },
        "rematch": rematch,
    }
