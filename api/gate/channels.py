"""A match that is followed in this process, and what is told of it."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from api.commands import with_board
from api.gate.parcels import Stream, Waiter
from api.gate.siblings import Place, places
from api.messages import Form, packed, written
from domain import match
from domain.game import Seat
from domain.match import Match
from eventstore.chain import Stored
from eventstore.following import Happened, Kind, Told
from eventstore.service import Matches
from eventstore.states import News, Warm

Rows = dict[Place, list[Stream]]  # those to whom the same bytes go


class Channel:
    """How far the match is known here. Where a sibling has told what happened, it need not be folded: `warm` is then as
    it stood before, and still says who may see it."""

    def __init__(self, warm: Warm) -> None:
        self.warm = warm
        self.version, self.hash = warm.match.version, warm.hash
        self.heard = self.version + 1  # the newest version that was spoken of; at first it may be any
        self.streams: dict[Stream, None] = {}
        self.waiters: dict[Waiter, None] = {}
        self.places: dict[Stream, Place] = {}  # of those who may see it, for as long as that stands
        self.abreast: Rows | None = None  # all who have been told all there is; None where that is to be found out
        self.thinned = False  # somebody has left since it was told who is here
        self.stirred = False  # it was told of since the last look at the heads, which can do without it

    @property
    def id(self) -> str:
        return self.warm.match.id

    @property
    def folded(self) -> bool:
        return self.warm.match.version == self.version

    def know(self, warm: Warm) -> None:
        if not _same_guests(self.warm.match, warm.match):
            self.places.clear()
        self.warm = warm
        self.went_on(warm.match.version, warm.hash)

    def went_on(self, version: int, digest: bytes) -> None:
        self.version, self.hash, self.stirred, self.abreast = version, digest, True, None

    def ends_with(self, version: int, digest: bytes | None) -> bool:
        """Whether this is the newest event that is known."""
        return self.version == version and self.hash == digest

    def agrees_with(self, news: News) -> bool:
        """Whether what was read goes on from what was told here; after a restore it may not."""
        return all(one.hash == self.hash for one in news.events if one.version == self.version)

    def place(self, stream: Stream) -> Place:
        """From where a reader looks, whether he wants to see the match each time, and how it is written for him."""
        follow = stream.follow
        return match.seat_of(self.warm.match, follow.who.player), follow.views, follow.form


def _same_guests(was: Match, now: Match) -> bool:
    """Whether whoever could see a match still can, and from the same seat. Whatever else that hangs on was settled when
    the match was opened."""
    return (
        was.chairs is now.chairs
        and was.status == now.status
        and was.started == now.started
        and was.sent_away is now.sent_away
    )


class Telling:
    """What happened in a match, told once to each seat, however many sit there."""

    def __init__(
        self, matches: Matches, warm: Warm, before: Match | None, events: Sequence[Stored], visible: int
    ) -> None:
        self.span = events[0].version - 1, visible
        self._matches, self._given = matches, (warm, before, events, visible)
        self._found: Happened | None = None
        self._told: dict[tuple[Seat | None, bool], list[Told]] = {}

    @property
    def _what(self) -> Happened:
        if self._found is None:
            self._found = self._matches.happened(*self._given)
        return self._found

    @property
    def match(self) -> Match:
        """As it stands after it."""
        return self._what.match

    def to(self, seat: Seat | None, views: bool) -> list[Told]:
        told = self._told.get((seat, views))
        if told is None:
            told = self._told[seat, views] = self._matches.told(self._what, seat, view=views)
        return told


def in_one(form: Form, told: Iterable[Told]) -> bytes:
    return b"".join([_written(form, *one) for one in told])


def _written(form: Form, kind: Kind, version: int, body: dict[str, Any]) -> bytes:
    if "view" in body:
        body = body | {"view": with_board(body["view"])}
    return written(form, kind, version, packed(body), retry=kind == "view")


def told_to_all(matches: Matches, warm: Warm, news: News, followed: int) -> dict[Place, bytes] | None:
    """What happened, as it is sent to each place that a match is followed from. None where each reader is to be looked
    at: if those who may see the match now are not those who could before, from where they sat, or see it late."""
    if warm.match.spectator_delay or any(match.moves_guests(one.parts.type) for one in news.events):
        return None
    telling, seats = Telling(matches, warm, None, news.events, news.version), len(warm.match.chairs)
    return {
        (seat, views, form): in_one(form, telling.to(seat, views))
        for seat, views, form in places(followed)
        if seat is None or seat < seats
    }
