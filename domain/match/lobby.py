"""Before the first card: opening a table, taking and leaving seats, the start."""

from __future__ import annotations

from collections.abc import Mapping, Set
from typing import Any, TypedDict

from domain import chance
from domain.game import Game, Refused, Seat, options_of, read_options
from domain.match.looking import is_open_to, seat_of, takes_part
from domain.match.play import Run, resign
from domain.match.state import (
    MATCH_RULES,
    Chair,
    Guest,
    Happened,
    InvitationDeclined,
    Match,
    MatchEnded,
    MatchOpened,
    MatchStarted,
    Origin,
    Place,
    SeatLeft,
    SeatTaken,
    SeatVacated,
    Step,
    actor_name,
    evolve,
    opened,
    people,
)


class Terms(TypedDict, total=False):
    """What holds at a table whatever is played there."""

    spectators: bool
    open_to_all: bool
    spectator_delay: int
    private: bool
    notes: bool
    turn_seconds: int | None
    thinking_ms: int | None
    rated: bool | None
    published: bool


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
    open_to_all: bool = False,
    spectator_delay: int = 0,
    private: bool = False,
    notes: bool = True,
    turn_seconds: int | None = None,
    thinking_ms: int | None = None,
    rated: bool | None = None,
    published: bool = False,
    forked_from: Origin | None = None,
) -> Step:
    """A new table. Unless it is said whether the match is rated, it is where that can be."""
    # A fork has the options of the match it comes from, which may be older than what a new table is held to.
    (game.new_table if forked_from is None else game.open_table)(options, len(seats))
    unfit = _why_not_rated(game, seats, options, thinking_ms, spectator_delay, forked_from)
    if rated and unfit is not None:
        raise Refused("PM-20", "not_rated", unfit)
    event = MatchOpened(
        match_id,
        game.slug,
        game.version,
        MATCH_RULES,
        dict(options),
        host,
        spectators,
        open_to_all,
        spectator_delay,
        private,
        notes,
        turn_seconds,
        thinking_ms,
        unfit is None if rated is None else rated,
        published,
        forked_from,
        seats,
        chance.commitment(seed),
    )
    players = [place.player for place in seats if place.player is not None]
    if len(players) != len(set(players)):
        raise Refused("PM-04", "already_seated", "a player can have only one seat in a match")
    return Step(opened(game, event), (Happened(event, "host"),))


def _why_not_rated(
    game: Game[Any],
    seats: tuple[Place, ...],
    options: Mapping[str, Any],
    thinking_ms: int | None,
    spectator_delay: int,
    forked_from: Origin | None,
) -> str | None:
    """What keeps a match from being rated. Who takes the open seats cannot: each of them is a player of his own."""
    if forked_from is not None:
        return "a match that goes on from another is never rated"
    chosen = read_options(game.options, options, len(seats))
    changed = [option.name for option in options_of(game.options) if getattr(chosen, option.name) != option.default]
    if changed:
        return f"a rated match has the default options, and `{changed[0]}` of this table is not the default"
    if thinking_ms is not None:
        return "in a rated match bots think as long as the server has it; leave out thinking_ms"
    if spectator_delay:
        return "ratings would tell how it ended before those who watch may know; leave out spectator_delay"
    if all(place.kind == "bot" for place in seats):
        return "bots alone play no rated match"
    return None


def _still_open(m: Match, instead: str = "") -> None:
    if m.status == "over":
        raise Refused("PM-08", "match_over", "the match is over")
    if m.status != "open":
        raise Refused("PM-03", "wrong_phase", f"the match has started{instead}")


def _with(m: Match, event: Any, actor: str) -> Step:
    one = Happened(event, actor)
    return Step(evolve(m, one), (one,))


def take_seat(
    m: Match,
    seat: Seat | None,
    player: str,
    client_seed: str,
    kind: Guest = "human",
    *,
    invited: bool = False,
) -> Step:
    """A player sits down; at a private table one who has an invitation, or for whom the seat is kept."""
    _still_open(m)
    if seat_of(m, player) is not None:
        raise Refused("PM-04", "already_seated", "you have a seat in this match")
    free = [n for n, chair in enumerate(m.chairs) if is_open_to(m, chair, player, invited=invited)]
    if not free and player in m.sent_away:
        raise Refused("PM-16", "sent_away", "the host has sent you away from this table")
    # A seat that was kept for this player comes before the seats open to all.
    free.sort(key=lambda n: m.chairs[n].player is None)
    if seat is None and free:
        seat = free[0]
    if seat is None or seat not in free:
        which = "no seat is" if seat is None else f"seat {seat} is not"
        raise Refused("PM-03", "seat_taken", f"{which} open to you")
    return _with(m, SeatTaken(seat, player, client_seed, kind), actor_name(seat))


def leave(m: Match, player: str) -> Step:
    """A player stands up again before the start; the seat is open to all."""
    _still_open(m, ": resign instead")
    seat = seat_of(m, player)
    if seat is None:
        raise Refused("PM-11", "not_seated", "you have no seat to leave")
    return _with(m, SeatLeft(seat), actor_name(seat))


def vacate(m: Match, player: str, seat: Seat) -> Step:
    """The host sends a player away before the start, or keeps a seat no longer."""
    _still_open(m, ": nobody is sent away from it")
    if player != m.host:
        raise Refused("PM-16", "not_the_host", "only the host sends players away")
    if not 0 <= seat < len(m.chairs) or m.chairs[seat].player is None:
        raise Refused("PM-16", "nobody_there", f"nobody has seat {seat}, and it is kept for nobody")
    if m.chairs[seat].player == m.host:
        instead = "is kept for you: decline it" if m.chairs[seat].kind == "open" else "is your own: leave it"
        raise Refused("PM-16", "your_own_seat", f"this seat {instead} instead")
    return _with(m, SeatVacated(seat), "host")


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


def bot_place(level: str) -> Place:
    return Place("bot", None, level, "")


def may_rematch(m: Match, player: str) -> None:
    """Refuses a rematch to those who were not there, and before there is an end to follow."""
    if not takes_part(m, player):
        raise Refused("PM-18", "not_seated", "only those who played may ask for a rematch")
    if m.status != "over":
        raise Refused("PM-18", "not_over", "the match is not over yet")
    if not m.started:
        raise Refused("PM-18", "never_started", "the match was cancelled before it began")


def seats_of_rematch(m: Match, host: str, gone: Set[str] = frozenset()) -> tuple[Place, ...]:
    """Everybody sits one seat further to the left. The host is there; the seats of the others are kept for them, and
    those of players who are gone are open."""
    chairs = m.chairs[-1:] + m.chairs[:-1]
    return tuple(_place_again(chair, host, gone) for chair in chairs)


def _place_again(chair: Chair, host: str, gone: Set[str]) -> Place:
    if chair.player in gone:
        return Place("open", None, None, "")
    if chair.player is None:
        return bot_place(chair.level or "random")
    if chair.player == host:
        return Place("program" if chair.program else "human", chair.player, None, "")
    return Place("open", chair.player, None, "")


def may_publish(m: Match, player: str) -> None:
    """Refuses to publish what is not over, and to those who have no say in it."""
    if player not in whose_say(m):
        raise Refused("PM-21", "not_seated", "those who have a seat agree that a match is published")
    if m.status != "over":
        raise Refused("PM-21", "not_over", "the match is not over yet")


def whose_say(m: Match) -> set[str]:
    """Who must agree before a match is published: all who have a seat, and where bots alone do, who opened it."""
    return people(m) or {m.host}


def may_leave_note(m: Match) -> None:
    """Refuses a note where there are none: at a table that does without them, and while it is played."""
    if not m.notes:
        raise Refused("PM-19", "no_notes", "this table does without notes")
    if m.status == "playing":
        raise Refused("PM-19", "being_played", "the match is being played; notes can be left when it is over")


def close(m: Match, seed: bytes) -> Step:
    """The operator of the server ends a match, whoever plays there."""
    if m.status == "over":
        raise Refused("PM-08", "match_over", "the match is over")
    return _with(m, MatchEnded((), (), "closed", seed.hex()), "operator")


def depart(m: Match, player: str, seed: bytes) -> Step | None:
    """What becomes of a table whose player is no more: nothing where the player has no part in what is to come."""
    seat = seat_of(m, player)
    if m.status == "playing":
        return None if seat is None or m.chairs[seat].kind == "bot" else resign(m, seat, seed)
    if m.status == "over":
        return None
    if m.host == player:
        return cancel(m, player, seed)
    if seat is not None:
        return leave(m, player)
    return decline(m, player) if player in people(m) else None


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
