"""Matches as they went: every step with what happened, who did it, and what a reader saw after it."""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Final, NamedTuple

from domain import match
from domain.game import ALL, Seat
from domain.match import Match
from domain.match.story import remarkable
from domain.wire import write_command
from eventstore.chain import Stored
from eventstore.errors import CorruptStream, NotFound
from eventstore.reader import Reader
from eventstore.reading import Reading, Sight, perspective
from eventstore.states import Stand
from eventstore.store import row

PAGE: Final = 200  # steps that are worked out at once

Step = dict[str, Any]


class Replay(NamedTuple):
    """What of a match is to be shown, and to whom."""

    sight: Sight
    eyes: Seat | None  # a seat, nobody at the table, or ALL
    first: int
    last: int
    legal: bool


class Replaying(Reading):
    def replay(
        self,
        match_id: str,
        player: str | None,
        *,
        first: int = 1,
        last: int | None = None,
        as_seat: Seat | None = None,
        legal: bool = False,
        watches: bool = True,
    ) -> Iterator[list[Step]]:
        """The steps from one version to another, in pages: what is not visible is refused before the first."""
        sight = self.sight(match_id, player, watches)
        newest = sight.match.version
        if not 1 <= first <= newest:
            raise NotFound(f"version {first}")
        if last is not None and not first <= last <= newest:
            raise NotFound(f"version {last}")
        eyes = perspective(sight.match, sight.seat, as_seat)
        return self._pages(Replay(sight, eyes, first, newest if last is None else last, legal))

    def _pages(self, wanted: Replay) -> Iterator[list[Step]]:
        final = wanted.sight.match
        now = self.at_version(final.id, wanted.first - 1) if wanted.first > 1 else None
        times = Times(self.store.moments(final.id, [one for one in now.since if one]) if now else {})
        after = wanted.first - 1
        while after < wanted.last:
            upto = min(wanted.last, after + PAGE)
            # One more than is shown: whether somebody was to act shows in what came next.
            events = self.store.read(final.id, after, upto + 1 if wanted.legal else upto)
            if not events or events[-1].version < upto:
                raise CorruptStream(f"the log of match {final.id} ends before version {upto}")
            steps, now = self._steps(wanted, now, events, upto, times)
            yield steps
            after = upto

    def _steps(
        self, wanted: Replay, now: Match | None, events: Sequence[Stored], upto: int, times: Times
    ) -> tuple[list[Step], Match]:
        final, eyes = wanted.sight.match, wanted.eyes
        names = self.names(final)
        called = match.at_table(final, names)
        reader = Reader(final, wanted.sight.warm.seed, None if eyes == ALL else eyes, eyes == ALL)
        steps: list[Step] = []
        notable = remarkable(final.game)
        shown = [one for one in events if one.version <= upto]
        view, was = None, now
        after = self._each(final.game.slug, now, map(row, shown))
        for number, (one, then) in enumerate(zip(shown, after, strict=True)):
            if then.turn_seconds is not None or view is None or was is None:
                view = None
            else:
                view = match.next_view(view, was, then, eyes)
            view, was = view or Stand(then, times.deadlines(then, one), names).view(eyes), then
            step = {
                "version": one.version,
                "event": reader.reads(one),
                "words": reader.told(one, called, self.store.names),
                "actor": actor(one.actor, called),
                "remarkable": one.parts.type in notable,
                "view": view,
            }
            if wanted.legal:
                following = events[number + 1] if number + 1 < len(events) else None
                step["legal"] = _legal(then, one, following, eyes)
            steps.append(step)
        assert was is not None
        return steps, was


def actor(name: str, called: Sequence[str]) -> dict[str, Any]:
    """Who acted: a seat, or one of those who have none, such as chance."""
    kind, _, number = name.partition(":")
    seat = int(number) if kind == "seat" else None
    return {"kind": kind, "seat": seat, "name": None if seat is None else called[seat]}


def _legal(now: Match, one: Stored, following: Stored | None, eyes: Seat | None) -> dict[str, Any]:
    """By seat, what could be done then. Between the events of one command nobody can do anything."""
    if now.status != "playing" or (following is not None and following.command_id == one.command_id):
        return {}
    seats = range(len(now.chairs)) if eyes == ALL else [] if eyes is None else [eyes]
    found = {seat: [write_command(command) for command in now.game.legal(now.table, seat)] for seat in seats}
    return {str(seat): commands for seat, commands in found.items() if commands}


class Times:
    """When the seats came to act, which is what their deadlines count from."""

    def __init__(self, began: Mapping[int, dt.datetime]) -> None:
        self._began = dict(began)

    def deadlines(self, now: Match, one: Stored) -> dict[Seat, dt.datetime]:
        if now.turn_seconds is None:
            return {}
        self._began[one.version] = one.at
        time = dt.timedelta(seconds=now.turn_seconds)
        return {seat: self._began[now.since[seat]] + time for seat in match.waiting_humans(now)}
