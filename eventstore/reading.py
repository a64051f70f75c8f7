"""Looking at matches: views, legal commands, the log."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, NamedTuple

from domain import match
from domain.game import Seat, read_options
from domain.telling.parts import Board
from domain.wire import wire_name, write_command
from eventstore.errors import NotFound
from eventstore.permissions import admit
from eventstore.reader import Reader
from eventstore.states import States
from eventstore.store import in_chunks


class Legal(NamedTuple):
    """What a seat may do at a version."""

    commands: list[dict[str, Any]]
    version: int
    game: str
    asides: list[str]  # which kinds of them stand beside the play


class Page(NamedTuple):
    """A piece of a log, and the newest version of its match."""

    events: Iterator[dict[str, Any]]
    version: int
    game: str


class Reading(States):
    def look(
        self,
        match_id: str,
        player: str,
        *,
        at: int | None = None,
        as_seat: Seat | None = None,
        watches: bool = True,
    ) -> tuple[match.MatchView, int]:
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

    def legal(self, match_id: str, player: str, *, watches: bool = True) -> Legal:
        """What the caller may do now."""
        current = self.fresh(match_id).match
        admit(current, player, watches)
        seat = match.seat_of(current, player)
        if seat is None or current.status != "playing" or current.chairs[seat].kind == "bot":
            return Legal([], current.version, current.game.slug, [])
        game = current.game
        found = game.legal(current.table, seat)
        asides = [wire_name(cls) for cls in game.asides if any(type(command) is cls for command in found)]
        return Legal([write_command(command) for command in found], current.version, game.slug, asides)

    def board(self, match_id: str, player: str, *, watches: bool = True) -> Board | None:
        """What the match is played on, where there is a board. It never changes."""
        current = self.fresh(match_id).match
        admit(current, player, watches)
        game, seats = current.game, len(current.chairs)
        return game.board and game.board(read_options(game.options, current.options, seats), seats)

    def events(
        self,
        match_id: str,
        player: str,
        *,
        after: int = 0,
        limit: int | None = None,
        watches: bool = True,
        words: bool = False,
    ) -> Page:
        """The log as the caller may see it, with what it says if the caller wants words."""
        warm = self.fresh(match_id)
        admit(warm.match, player, watches)
        seat = match.seat_of(warm.match, player)
        reader = Reader(warm.match, warm.seed, seat, warm.match.status == "over", words)
        upto = warm.match.version if limit is None else min(warm.match.version, after + limit)
        stored = in_chunks(self.store, match_id, after, upto)
        return Page(map(reader.reads, stored), warm.match.version, warm.match.game.slug)

    def export(self, match_id: str, player: str, ending: str, *, watches: bool = True) -> str:
        """The match in the notation of other programs, from what everybody may see of it."""
        warm = self.fresh(match_id)
        admit(warm.match, player, watches)
        if ending not in warm.match.game.exports:
            raise NotFound(match_id)
        stored = in_chunks(self.store, match_id, 0, warm.match.version)
        return warm.match.game.exports[ending]([(one.parts.type, one.parts.public) for one in stored])
