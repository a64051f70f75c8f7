"""Matches as they went: every step with what happened, who did it, and what a reader saw after it."""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import Any, Final, NamedTuple

from domain import match
from domain.game import ALL, Seat
from domain.log import Moment
from domain.match import Match, MatchView
from domain.match.story import remarkable
from domain.match.view import NO_DEADLINES
from domain.upcast import upcast
from domain.wire import Parts, write_command
from eventstore.chain import Body, instant
from eventstore.errors import CorruptStream, NoSuchVersion, NotInMatch
from eventstore.reader import Reader
from eventstore.reading import Reading, Sight, perspective

PAGE: Final = 1000  # steps that are worked out at once

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
            raise NoSuchVersion(first, newest)
        if last is not None and last > newest:
            raise NoSuchVersion(last, newest)
        if last is not None and last < first:
            raise NotInMatch(f"version {last} after version {first}")
        eyes = perspective(sight.match, sight.seat, as_seat)
        return self._pages(Replay(sight, eyes, first, newest if last is None else last, legal))

    def _pages(self, wanted: Replay) -> Iterator[list[Step]]:
        final = wanted.sight.match
        now = self.at_version(final.id, wanted.first - 1) if wanted.first > 1 else None
        times = Times(self.store.moments(final.id, [one for one in now.since if one]) if now else {})
        for events in self._read_ahead(wanted):
            shown = events[: min(PAGE, wanted.last - events[0]["version"] + 1)]
            if final.turn_seconds is not None:
                times.learn(self.store.moments(final.id, range(shown[0]["version"], shown[-1]["version"] + 1)))
            steps, states = self._steps(wanted, now, shown, times)
            if wanted.legal:
                _add_legal(steps, states, events, wanted.eyes)
            yield steps
            now = states[-1].whole

    def _read_ahead(self, wanted: Replay) -> Iterator[list[Body]]:
        """The events of each page. The next page is read while one is worked on."""
        match_id = wanted.sight.match.id

        def read(after: int) -> list[Body]:
            upto = min(wanted.last, after + PAGE)
            # One more than is shown: whether somebody was to act shows in what came next.
            events = self.store.bodies(match_id, after, upto + 1 if wanted.legal else upto)
            if len(events) < upto - after or events[upto - after - 1]["version"] != upto:
                raise CorruptStream(f"the log of match {match_id} ends before version {upto}")
            return events

        first, *rest = range(wanted.first - 1, wanted.last, PAGE)
        if not rest:
            yield read(first)
            return
        with ThreadPoolExecutor(1, "replay") as aside:
            ahead = aside.submit(read, first)
            for after in rest:
                page, ahead = ahead.result(), aside.submit(read, after)
                yield page
            yield ahead.result()

    def _steps(
        self, wanted: Replay, now: Match | None, events: Sequence[Body], times: Times
    ) -> tuple[list[Step], Sequence[Moment]]:
        """A page of steps, and the match after each. One thing at a time for all of them: that took a
        quarter less time than one event after the other."""
        final, eyes = wanted.sight.match, wanted.eyes
        names = self.names(final)
        called = match.at_table(final, names)
        reader = Reader(final, wanted.sight.warm.seed, None if eyes == ALL else eyes, eyes == ALL)
        logged = [
            upcast(final.game.slug, Parts(one["type"], one["public"], one["secret"]), one["schema"]) for one in events
        ]
        entries = ((*parts, one["actor"]) for parts, one in zip(logged, events, strict=True))
        after = list(self._each(final.game.slug, now, entries))
        views = _views(after, eyes, names, times)
        read = [reader.reads_body(one) for one in events]
        words = [reader.told(parts, called, self.store.names) for parts in logged]
        actors = {name: actor(name, called) for name in {one["actor"] for one in events}}
        notable = remarkable(final.game)
        steps = [
            {
                "version": one["version"],
                "event": one,
                "words": said,
                "actor": actors[one["actor"]],
                "remarkable": one["type"] in notable,
                "view": view,
            }
            for one, said, view in zip(read, words, views, strict=True)
        ]
        return steps, after


def _views(after: Sequence[Moment], eyes: Seat | None, names: match.Names, times: Times) -> list[MatchView]:
    """What was seen after each step. Of most of it nothing changes from one to the next."""
    was = after[0].match
    view = match.view(after[0].whole, eyes, names, times.until(was))
    found = [view]
    for then in after[1:]:
        now, until = then.match, times.until(then.match)
        if (now is was and now.status == "playing") or _differ_in_the_table_alone(was, now):
            view = match.next_view(view, now, then.table, then.version, eyes, until)
        else:
            view = match.view(then.whole, eyes, names, until)
        was = now
        found.append(view)
    return found


def _differ_in_the_table_alone(was: Match, now: Match) -> bool:
    return now.status == was.status == "playing" and now.chairs is was.chairs and now.offer is was.offer


def actor(name: str, called: Sequence[str]) -> dict[str, Any]:
    """Who acted: a seat, or one of those who have none, such as chance."""
    kind, _, number = name.partition(":")
    seat = int(number) if kind == "seat" else None
    return {"kind": kind, "seat": seat, "name": None if seat is None else called[seat]}


def _add_legal(steps: Sequence[Step], after: Sequence[Moment], events: Sequence[Body], eyes: Seat | None) -> None:
    """What could be done after each step. Between the events of one command nobody can do anything."""
    for step, then, one, following in zip(steps, after, events, [*events[1:], None], strict=False):
        within = following is not None and following["command_id"] == one["command_id"]
        step["legal"] = {} if within else _legal(then.whole, eyes)


def _legal(now: Match, eyes: Seat | None) -> dict[str, Any]:
    """By seat, what could be done then."""
    if now.status != "playing":
        return {}
    seats = range(len(now.chairs)) if eyes == ALL else [] if eyes is None else [eyes]
    found = {seat: [write_command(command) for command in now.game.legal(now.table, seat)] for seat in seats}
    return {str(seat): commands for seat, commands in found.items() if commands}


class Times:
    """When the seats came to act, which is what their deadlines count from."""

    def __init__(self, began: Mapping[int, dt.datetime]) -> None:
        self._began = dict(began)

    def learn(self, moments: Mapping[int, dt.datetime]) -> None:
        self._began |= moments

    def until(self, now: Match) -> Mapping[Seat, str]:
        """How long each seat that is to act has time."""
        if now.turn_seconds is None:
            return NO_DEADLINES
        time = dt.timedelta(seconds=now.turn_seconds)
        return {seat: instant(self._began[now.since[seat]] + time) for seat in match.waiting_humans(now)}
