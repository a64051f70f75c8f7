"""Before the first card: opening a table, taking and leaving seats, the start; and who may look at it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from domain import chance
from domain.game import Game, Refused, Seat
from domain.match.play import Run
from domain.match.state import (
    MATCH_RULES,
    Guest,
    Happened,
    InvitationDeclined,
    Match,
    MatchEnded,
    MatchOpened,
    MatchStarted,
    Place,
    SeatLeft,
    SeatTaken,
    Step,
    actor_name,
    evolve,
    opened,
)

# ── Who may look, join and act ──────────────────────────────────────────────────────────────────────────────────


def seat_of(m: Match, player: str) -> Seat | None:
    """Where this player sits. A seat that a bot has taken over is still his to look from."""
    for seat, chair in enumerate(m.chairs):
        if chair.player == player and chair.kind != "open":
            return seat
    return None


def may_join(m: Match, player: str) -> bool:
    """Whether a seat is open to this player: one that is kept for him, or one that anybody may take."""
    return m.status == "open" and any(chair.kind == "open" and chair.player in (None, player) for chair in m.chairs)


def may_look(m: Match, player: str) -> bool:
    return m.spectators or m.host == player or seat_of(m, player) is not None or may_join(m, player)


# ── Opening ─────────────────────────────────────────────────────────────────────────────────────────────────────


def open_match(
    game: Game[Any],
    match_id: str,
    *,
    host: str,
    seats: tuple[Place, ...],
    options: Mapping[str, Any],
    seed: bytes,
    spectators: bool = False,
    turn_seconds: int | None = None,
    thinking_ms: int | None = None,
) -> Step:
    game.new_table(options, len(seats))
    event = MatchOpened(
        match_id,
        game.slug,
        game.version,
        MATCH_RULES,
        dict(options),
        host,
        spectators,
        turn_seconds,
        thinking_ms,
        seats,
        chance.commitment(seed),
    )
    players = [place.player for place in seats if place.player is not None]
    if len(players) != len(set(players)):
        raise Refused("PM-04", "already_seated", "a player can take one seat of a match only")
    return Step(opened(game, event), (Happened(event, "host"),))


def _still_open(m: Match, instead: str = "") -> None:
    if m.status == "over":
        raise Refused("PM-08", "match_over", "the match is over")
    if m.status != "open":
        raise Refused("PM-03", "wrong_phase", f"the match has started{instead}")


def _with(m: Match, event: Any, actor: str) -> Step:
    one = Happened(event, actor)
    return Step(evolve(m, one), (one,))


def take_seat(m: Match, seat: Seat | None, player: str, name: str, client_seed: str, kind: Guest = "human") -> Step:
    _still_open(m)
    if seat_of(m, player) is not None:
        raise Refused("PM-04", "already_seated", "you have a seat in this match")
    free = [n for n, chair in enumerate(m.chairs) if chair.kind == "open" and chair.player in (None, player)]
    # A seat that was kept for this player comes before the seats open to all.
    free.sort(key=lambda n: m.chairs[n].player is None)
    if seat is None and free:
        seat = free[0]
    if seat is None or seat not in free:
        raise Refused("PM-03", "seat_taken", "no such seat is open")
    return _with(m, SeatTaken(seat, player, name, client_seed, kind), actor_name(seat))


def leave(m: Match, player: str) -> Step:
    """A player stands up again before the start; the seat is open to all."""
    _still_open(m, ": resign instead")
    seat = seat_of(m, player)
    if seat is None:
        raise Refused("PM-11", "not_seated", "you have no seat to leave")
    return _with(m, SeatLeft(seat), actor_name(seat))


def decline(m: Match, player: str) -> Step:
    """An invited player does not come; the seat is open to all."""
    _still_open(m)
    kept = [n for n, chair in enumerate(m.chairs) if chair.kind == "open" and chair.player == player]
    if not kept:
        raise Refused("PM-11", "not_invited", "no seat is kept for you")
    return _with(m, InvitationDeclined(kept[0]), actor_name(kept[0]))


def cancel(m: Match, player: str, seed: bytes) -> Step:
    """The host gives up a table that has not started, or at which nobody but bots plays."""
    if m.status == "over":
        raise Refused("PM-08", "match_over", "the match is over")
    if player != m.host:
        raise Refused("PM-12", "not_the_host", "only the host cancels the match")
    if m.status == "playing" and any(chair.kind != "bot" for chair in m.chairs):
        raise Refused("PM-12", "people_play", "people play here, so the match ends by play, resignation or agreement")
    return _with(m, MatchEnded((), (), "cancelled", seed.hex()), "host")


def expire(m: Match, seed: bytes) -> Step:
    """A table at which nothing has happened for long is given up."""
    _still_open(m)
    return _with(m, MatchEnded((), (), "cancelled", seed.hex()), "clock")


def start(m: Match, player: str, seed: bytes) -> Step:
    _still_open(m)
    if player != m.host:
        raise Refused("PM-02", "not_the_host", "only the host starts the match")
    waiting = [n for n, chair in enumerate(m.chairs) if chair.kind == "open"]
    if waiting:
        raise Refused("PM-01", "seats_open", f"seat {waiting[0]} is not taken")
    run = Run(m, seed)
    run.note(MatchStarted(tuple(chair.client_seed for chair in m.chairs)), "host")
    return run.settle()
