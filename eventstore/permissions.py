"""Who may see a match and act in it, as errors that the API knows how to tell."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from domain import match
from domain.game import Refused, Seat
from domain.match import Match
from eventstore.errors import LacksScope, NotFound, Stale
from eventstore.operators import NOBODY


def seat_for(m: Match, player: str) -> Seat:
    """The seat of this player."""
    seat = match.seat_of(m, player)
    if seat is None:
        raise NotFound(m.id)
    return seat


def admit(m: Match, player: str | None, watches: bool, invited: bool = False) -> None:
    """Lets in whoever may see the match. A token that only plays does not reach what its owner merely watches."""
    if player == NOBODY or (invited and m.status == "open"):
        return  # the operator watches as anybody would where spectators may
    if not match.may_look(m, player):
        raise NotFound(m.id)
    if not watches and not match.may_look(m._replace(spectators=False), player):
        raise LacksScope("match:read")


def only_before_the_start(m: Match, player: str, decide: Callable[[Match], Any], expected: int | None) -> None:
    """Whoever may not know how a match goes on is judged as if it had not begun, and not told how far it has come."""
    if not m.started or (match.may_look(m, player) and not match.watches_late(m, player)):
        return
    before = match.in_the_lobby(m)
    if expected not in (None, before.version):
        raise Stale(before.version)
    try:
        decide(before)
    except Refused as refusal:
        refusal.version = before.version
        raise
    raise NotFound(m.id)
