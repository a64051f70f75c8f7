"""A match that begins with the table of another: as it was if that is over, and else as a seat of it imagines it."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Unpack

from domain.frozen import freeze
from domain.game import Refused, Seat, hidden
from domain.match.lobby import Terms, open_match
from domain.match.state import Chair, Happened, Match, Origin, Place, Step, TableSet, evolve


def may_fork(m: Match, seat: Seat | None) -> None:
    """Refuses a fork of a match that has not begun, and one that would be advice against people."""
    if not m.started:
        raise Refused("PM-22", "not_started", "the match has not started, so there is no table to go on from")
    if m.status == "over":
        return
    if seat is None:
        raise Refused("PM-22", "not_seated", "a match that is being played is forked from a seat of it")
    if not all(_is_a_bot(chair) for other, chair in enumerate(m.chairs) if other != seat):
        raise Refused("PM-22", "people_play", "people play here; the match can be forked when it is over")


def _is_a_bot(chair: Chair) -> bool:
    """Whether nobody plays here who could come back from an absence."""
    return chair.kind == "bot" and (chair.player is None or chair.resigned)


def table_of(then: Match, seat: Seat | None, below: Callable[[int], int]) -> Any:
    """The table to go on from: the true one, or if there is a seat one that the seat could be sitting at."""
    if then.status != "playing" or then.game.outcome(then.table) is not None:
        raise Refused("PM-22", "nothing_to_play", f"at version {then.version} there is nothing to go on with")
    return then.table if seat is None else then.game.imagine(then.table, seat, below)


def fork(
    then: Match,
    table: Any,
    match_id: str,
    *,
    imagined: bool,
    host: str,
    seats: tuple[Place, ...],
    seed: bytes,
    **terms: Unpack[Terms],
) -> Step:
    """A new match whose table stands as `table`, from another as it was then. Options and score are in the table."""
    if len(seats) != len(then.chairs):
        told = f"the table has {len(then.chairs)} seats, not {len(seats)}"
        raise Refused(then.game.seats_rule, "wrong_seats", told)
    origin = Origin(then.id, then.version, imagined)
    opened = open_match(
        then.game,
        match_id,
        host=host,
        seats=seats,
        options=then.options,
        seed=seed,
        forked_from=origin,
        **terms,
    )
    one = Happened(TableSet(then.game.version, hidden(freeze(table))), "host")
    return Step(evolve(opened.match, one), (*opened.happened, one))
