"""What a seat or a spectator may know of a match."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, TypedDict

from domain.game import ALL, Seat
from domain.match.state import Match, Seed, Sitter, Status, Uuid


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


class MatchFrame(TypedDict):
    """What a view of a match says whatever the game is."""

    id: Uuid
    status: Status
    version: int
    host: Uuid
    spectators: bool
    turn_seconds: int | None
    thinking_ms: int | None
    seed_commitment: Seed
    seats: Sequence[ShownSeat]
    sides: Sequence[Sequence[Seat]]
    you: Seat | None
    to_act: Sequence[Seat]
    draw_offer: ShownOffer | None
    result: Result | None


class MatchView(MatchFrame):
    """A match as one reader may see it."""

    game: str
    options: Mapping[str, Any]
    table: Mapping[str, Any] | None


def view(m: Match, seat: Seat | None) -> MatchView:
    running = m.status == "playing"
    return {
        "id": m.id,
        "game": m.game.slug,
        "status": m.status,
        "version": m.version,
        "host": m.host,
        "options": dict(m.options),
        "spectators": m.spectators,
        "turn_seconds": m.turn_seconds,
        "thinking_ms": m.thinking_ms,
        "seed_commitment": m.commitment,
        "seats": [
            {
                "seat": n,
                "kind": chair.kind,
                "player": chair.player,
                "name": chair.name,
                "level": chair.level,
                "client_seed": chair.client_seed,
                "resigned": chair.resigned,
            }
            for n, chair in enumerate(m.chairs)
        ],
        "sides": m.game.sides(m.table),
        "you": seat,
        "to_act": sorted(m.game.to_act(m.table)) if running else [],
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
    }
