"""Looking at matches: views, legal commands, the log."""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterator
from typing import Any, NamedTuple

from domain import match
from domain.game import ALL, Refused, Seat, read_options
from domain.match import Match
from domain.telling.parts import Board
from domain.telling.sheet import exports_of
from domain.upcast import upcast
from domain.wire import wire_name, write_command
from eventstore.errors import LacksScope, NoSuchVersion, NotFound, NotInMatch
from eventstore.lists import Listed, Wanted, with_names
from eventstore.permissions import admit
from eventstore.reader import Reader
from eventstore.states import States, Warm
from eventstore.store import in_chunks, listed_seats


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


class Sight(NamedTuple):
    """A match as far as somebody may see it now."""

    warm: Warm
    match: Match  # perhaps not the newest
    seat: Seat | None


def legal(m: Match, seat: Seat | None) -> Legal:
    """What may be done from a seat."""
    if seat is None or m.status != "playing" or m.chairs[seat].kind == "bot":
        return Legal([], m.version, m.game.slug, [])
    found = m.game.legal(m.table, seat)
    asides = [wire_name(cls) for cls in m.game.asides if any(type(command) is cls for command in found)]
    return Legal([write_command(command) for command in found], m.version, m.game.slug, asides)


def perspective(m: Match, seat: Seat | None, wanted: Seat | None) -> Seat | None:
    """From where the reader at a seat looks: from there, and once the match is over from any, or from all (ALL)."""
    if wanted is None or wanted == seat:
        return seat
    if m.status != "over" or not (wanted == ALL or 0 <= wanted < len(m.chairs)):
        raise NotInMatch("the whole table" if wanted == ALL else f"seat {wanted}")
    return wanted


class Reading(States):
    def visible(self, m: Match, player: str | None) -> int:
        """The newest version that this player may see now; None is somebody without a token.

        At a table with a delay those who have no seat see only what is old enough, and nothing that follows it.
        """
        if not match.watches_late(m, player):
            return m.version
        hidden = self.store.first_after(m.id, m.before_start, self.now() - dt.timedelta(seconds=m.spectator_delay))
        return m.version if hidden is None else min(hidden - 1, m.version)

    def sight(self, match_id: str, player: str | None, watches: bool, invitation: str | None = None) -> Sight:
        """What a player may see of a match; all that is read goes through here."""
        warm = self.fresh(match_id)
        self.let_in(warm.match, player, watches, invitation is not None and self.is_invited(warm.match, invitation))
        shown = self.behind(warm, self.visible(warm.match, player))
        return Sight(warm, shown, match.seat_of(shown, player))

    def let_in(self, m: Match, player: str | None, watches: bool, invited: bool = False) -> None:
        """Lets in whoever may see the match, and anybody where it is published."""
        try:
            admit(m, player, watches, invited)
        except (NotFound, LacksScope):
            # Whoever sees a match later is not told by its publication that it is over.
            if not self.is_published(m) or self.visible(m, player) < m.version:
                raise

    def is_published(self, m: Match) -> bool:
        """Whether anybody may read the match, with a token or without."""
        if m.status != "over":
            return False
        return m.published or match.whose_say(m) <= self.store.publications.agreed(m.id)

    def is_invited(self, m: Match, code: str) -> bool:
        """Whether this code lets somebody in before the start."""
        found = self.store.invitations.find(m.id, code) if m.status == "open" else None
        return found is not None and found.objection(self.now()) is None

    def look(
        self,
        match_id: str,
        player: str | None,
        *,
        at: int | None = None,
        as_seat: Seat | None = None,
        watches: bool = True,
        invitation: str | None = None,
    ) -> tuple[match.MatchView, int]:
        """The caller's view of the match, now or at an earlier version, and the version it shows."""
        warm, newest, seat = self.sight(match_id, player, watches, invitation)
        seat = perspective(newest, seat, as_seat)
        if at is not None and not 1 <= at <= newest.version:
            raise NoSuchVersion(at, newest.version)
        if at is None and newest is warm.match:
            stand = self.stands(newest, match.of_seats(warm.deadlines))
        else:
            stand = self.stand(newest if at is None else self.at_version(match_id, at))
        rematch = self._rematch(newest, player) if stand.match.status == "over" else None
        return stand.view(seat, rematch), stand.match.version

    def _rematch(self, m: Match, player: str | None) -> str | None:
        """The match that follows this one, for those who may see it."""
        found = self.store.rematches.of(m.id)
        try:
            return found.match_id if found and match.may_look(self.fresh(found.match_id).match, player) else None
        except NotFound:
            return None  # it was agreed upon, and is about to be opened

    def legal(self, match_id: str, player: str | None, *, watches: bool = True) -> Legal:
        """What the caller may do now."""
        _, shown, seat = self.sight(match_id, player, watches)
        return legal(shown, seat)

    def board(self, match_id: str, player: str | None, *, watches: bool = True) -> Board | None:
        """What the match is played on, where there is a board. It never changes."""
        current = self.sight(match_id, player, watches).match
        game, seats = current.game, len(current.chairs)
        return game.board and game.board(read_options(game.options, current.options, seats), seats)

    def events(
        self,
        match_id: str,
        player: str | None,
        *,
        after: int = 0,
        limit: int | None = None,
        watches: bool = True,
        words: bool = False,
    ) -> Page:
        """The log as the caller may see it, with what it says if the caller wants words."""
        warm, shown, seat = self.sight(match_id, player, watches)
        reader = Reader(shown, warm.seed, seat, shown.status == "over", self.store.names if words else None)
        upto = shown.version if limit is None else min(shown.version, after + limit)
        stored = in_chunks(self.store, match_id, after, upto)
        return Page(map(reader.reads, stored), shown.version, shown.game.slug)

    def export(self, match_id: str, player: str | None, ending: str, *, watches: bool = True) -> str:
        """The match in the notation of other programs, from what everybody may see of it."""
        return self.written(self.sight(match_id, player, watches).match, ending)

    def written(self, m: Match, ending: str) -> str:
        """A match in such a notation, as far as it is given."""
        known = exports_of(m.game)
        if ending not in known:
            raise NotInMatch(f"{m.game.slug} as {ending}")
        stored = in_chunks(self.store, m.id, 0, m.version)
        called = match.at_table(m, self.names(m))
        read = (upcast(m.game.slug, one.parts, one.schema) for one in stored)
        try:
            return known[ending]([(parts.type, parts.public) for parts in read], called)
        except Refused as refusal:
            refusal.by(m.game)
            raise

    def listed(self, wanted: Wanted, limit: int) -> list[Listed]:
        """A page of a list, each match in it as whoever asks may see it."""
        found = self.store.matches(wanted._replace(now=self.now()), limit)
        return [self._as_seen(one, wanted.player) if one.late or one.to_act is None else one for one in found]

    def _as_seen(self, one: Listed, player: str | None) -> Listed:
        warm = self.fresh(one.match_id)
        shown = self.behind(warm, self.visible(warm.match, player))
        acting = sorted(seat for seat in shown.game.to_act(shown.table) if seat >= 0)
        one = one._replace(to_act=acting if shown.status == "playing" else [])
        if not one.late:
            return one
        stand = self.stand(shown)
        return one._replace(
            version=shown.version,
            status=shown.status,
            seats=with_names(listed_seats(shown), stand.names),
            deadlines=stand.deadlines,
            updated_at=self.store.moments(shown.id, [shown.version])[shown.version],
        )
