"""Who may see a match and act in it, as errors that the API knows how to tell."""

from __future__ import annotations

from domain import match
from domain.game import Seat
from domain.match import Match
from eventstore.errors import LacksScope, NotFound


def seat_for(m: Match, player: str) -> Seat:
    """The seat of this player."""
    seat = match.seat_of(m, player)
    if seat is None:
        raise NotFound(m.id)
    return seat


def admit(m: Match, player: str, watches: bool) -> None:
    """Lets in whoever may see the match. A token that only plays does not reach what its owner merely watches."""
    if not match.may_look(m, player):
        raise NotFound(m.id)
    if not watches and not match.may_look(m._replace(spectators=False), player):
        raise LacksScope("match:read")
