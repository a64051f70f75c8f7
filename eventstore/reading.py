"""Looking at matches: views, legal commands, the log."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from domain import match
from domain.game import Seat
from domain.wire import write_command
from eventstore.chain import redacted
from eventstore.errors import NotFound
from eventstore.permissions import admit
from eventstore.states import States
from eventstore.store import in_chunks


class Reading(States):
    def look(
        self,
        match_id: str,
        player: str,
        *,
        at: int | None = None,
        as_seat: Seat | None = None,
        watches: bool = True,
    ) -> tuple[dict[str, Any], int]:
        """The caller's view of the match, now or at an earlier version, and the version it shows."""
        current = self.fresh(match_id).match
        admit(current, player, watches)
        seat = match.seat_of(current, player)
        if as_seat is not None:
            if not 0 <= as_seat < len(current.chairs) or (as_seat != seat and current.status != "over"):
                raise NotFound(f"seat {as_seat}")
            seat = as_seat
        shown = current if at is None else self.at_version(match_id, at)
        return match.view(shown, seat), shown.version

    def legal(self, match_id: str, player: str, *, watches: bool = True) -> tuple[list[dict[str, Any]], int]:
        current = self.fresh(match_id).match
        admit(current, player, watches)
        seat = match.seat_of(current, player)
        if seat is None or current.status != "playing" or current.chairs[seat].kind == "bot":
            return [], current.version
        return [write_command(command) for command in current.game.legal(current.table, seat)], current.version

    def events(
        self, match_id: str, player: str, *, after: int = 0, limit: int | None = None, watches: bool = True
    ) -> tuple[Iterator[dict[str, Any]], int]:
        """The log as the caller may see it, and the version it reaches."""
        warm = self.fresh(match_id)
        admit(warm.match, player, watches)
        seat = match.seat_of(warm.match, player)
        over = warm.match.status == "over"
        upto = warm.match.version if limit is None else min(warm.match.version, after + limit)
        stored = in_chunks(self.store, match_id, after, upto)
        return (redacted(one, match_id, warm.seed, seat, over) for one in stored), warm.match.version

    def export(self, match_id: str, player: str, ending: str, *, watches: bool = True) -> str:
        """The match in the notation of other programs, from what everybody may see of it."""
        warm = self.fresh(match_id)
        admit(warm.match, player, watches)
        if ending not in warm.match.game.exports:
            raise NotFound(match_id)
        stored = in_chunks(self.store, match_id, 0, warm.match.version)
        return warm.match.game.exports[ending]([(one.parts.type, one.parts.public) for one in stored])
