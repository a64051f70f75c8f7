"""Who may look at a match, and who may join it."""

from __future__ import annotations

from typing import Final

from domain.game import Seat
from domain.match.state import EVENTS, Chair, Match
from domain.wire import wire_name

_OF_THE_MATCH: Final = frozenset(map(wire_name, EVENTS))


def seat_of(m: Match, player: str | None) -> Seat | None:
    """Where this player sits. A seat that a bot has taken over is still his to look from."""
    if player is None:
        return None
    for seat, chair in enumerate(m.chairs):
        if chair.player == player and chair.kind != "open":
            return seat
    return None


def is_open_to(m: Match, chair: Chair, player: str, *, invited: bool = False) -> bool:
    """Whether this player may take the chair: one that is kept for him, or one that anybody may take."""
    if chair.kind != "open" or chair.player is not None:
        return chair.kind == "open" and chair.player == player
    return (invited or not m.private) and player not in m.sent_away


def may_join(m: Match, player: str) -> bool:
    return m.status == "open" and any(is_open_to(m, chair, player) for chair in m.chairs)


def takes_part(m: Match, player: str | None) -> bool:
    """Whether this player has opened the match, or plays in it."""
    return player is not None and (m.host == player or seat_of(m, player) is not None)


def may_look(m: Match, player: str | None) -> bool:
    """Whether this player may see the match; None is somebody without a token."""
    if player is None:
        return m.spectators and m.open_to_all
    return m.spectators or takes_part(m, player) or may_join(m, player)


def moves_guests(kind: str) -> bool:
    """Whether an event of this kind can change who may see the match, and from where. Those of a game never do."""
    return kind in _OF_THE_MATCH


def watches_late(m: Match, player: str | None) -> bool:
    """Whether this player sees what happens only after a while. Before the start nothing is held back."""
    return m.spectator_delay > 0 and m.started and not takes_part(m, player)


def in_the_lobby(m: Match) -> Match:
    """The match as whoever may not know how it goes on knows it: all seats are taken."""
    return m._replace(status="open", started=False, ended=None, version=m.before_start) if m.started else m
