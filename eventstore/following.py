"""What those who follow a match are told: how it stands, then each event and whom the table waits for after it."""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Sequence
from typing import Any, Final, Literal, NamedTuple

from domain import match
from domain.game import ALL, Seat
from domain.match import Match
from domain.upcast import upcast
from domain.wire import Parts
from eventstore.chain import Closed, Stored, closed, instant
from eventstore.errors import CorruptStream
from eventstore.reader import told
from eventstore.reading import Reading, legal
from eventstore.states import News, Warm
from eventstore.store import row

PAGE: Final = 100  # events that are told at once to somebody who comes late

Kind = Literal["view", "event", "end"]


class Told(NamedTuple):
    """A message, but for the form it is sent in."""

    kind: Kind
    version: int
    body: dict[str, Any]


class Occurrence(NamedTuple):
    """An event, as it would be written today, and whom the table waits for after it."""

    version: int
    parts: Parts
    closed: Closed
    after: Match | None  # None between the events of a command, where it waits for nobody
    awaits: dict[str, Any]


class Happened(NamedTuple):
    """What happened in a match, to be told to each seat: all that is the same for everybody was found out once."""

    warm: Warm
    match: Match  # after it
    occurrences: list[Occurrence]
    over: bool  # everything lies open
    called: Sequence[str]


class Following(Reading):
    def caught_up(self, known: Warm, news: News) -> Warm:
        """The match after all that is new in it, and known as that from now on."""
        if news.before != known.hash:
            raise CorruptStream(f"the log of {known.match.id} is no longer the one that was known, as after a restore")
        folded = self.after(known.match, news.events)
        return self.remember(Warm(folded, known.seed, news.events[-1].hash, news.deadlines, news.hooked))

    def after(self, before: Match, events: Sequence[Stored]) -> Match:
        return self._folded(before.game.slug, before, map(row, events))

    def as_it_stands(self, warm: Warm, shown: Match, seat: Seat | None) -> Told:
        """The first message: the whole view, so that nothing has to be known to understand the next."""
        body: dict[str, Any] = {"game": shown.game.slug, "view": self._seen(warm, shown, seat)}
        body |= self._awaits(warm, shown, shown.version)
        if seat in body["to_act"]:
            body |= _may(warm, shown, seat)
        return Told("view", shown.version, body)

    def _seen(self, warm: Warm, shown: Match, seat: Seat | None) -> match.MatchView:
        newest = shown is warm.match
        stand = self.stands(shown, match.of_seats(warm.deadlines)) if newest else self.stand(shown)
        return stand.view(seat)

    def happened(self, warm: Warm, before: Match | None, events: Sequence[Stored], visible: int) -> Happened:
        """These events, which follow a state.

        A command whose events are not all there yet is left for the next time, unless it is all there is.
        """
        commands: list[Sequence[Stored]] = [events]
        if events[0].command_id != events[-1].command_id:
            commands = [list(group) for _, group in itertools.groupby(events, key=lambda one: one.command_id)]
        whole = events[-1].version == visible
        if not whole and len(commands) > 1:
            commands.pop()
            whole = True
        occurrences: list[Occurrence] = []
        now = before
        for number, command in enumerate(commands, start=1):
            last = command[-1].version
            now = (
                warm.match if last == warm.match.version else self._folded(warm.match.game.slug, now, map(row, command))
            )
            ends = last if whole or number < len(commands) else None
            for one in command:
                parts = upcast(warm.match.game.slug, one.parts, one.schema)
                shut = closed(one, warm.match.id, warm.seed)
                after, awaits = (now, self._awaits(warm, now, visible)) if one.version == ends else (None, NOBODY)
                occurrences.append(Occurrence(one.version, parts, shut, after, awaits))
        assert now is not None
        over = warm.match.status == "over" and visible == warm.match.version
        return Happened(warm, now, occurrences, over, match.at_table(now, self.names(now)))

    def told(self, what: Happened, seat: Seat | None, *, view: bool = False) -> list[Told]:
        """What happened, as messages to a seat. The last of them has the view as well, if it is wanted: whoever has
        read all there is to read also sees how the match stands."""
        warm, now, over, names = what.warm, what.match, what.over, self.store.names
        game, reader = now.game, ALL if over else seat
        found = []
        for version, parts, shut, after, awaits in what.occurrences:
            words = told(game, parts, reader, what.called, names)
            body = {"game": game.slug, "event": shut.to(seat, over), "words": words, **awaits}
            if after is not None and seat in awaits["to_act"]:
                body |= _may(warm, after, seat)
            found.append(Told("event", version, body))
        if view and what.occurrences[-1].after is not None:
            found[-1].body["view"] = self._seen(warm, now, seat)
        return found

    def pages(
        self, warm: Warm, after: int, seat: Seat | None, visible: int, *, view: bool = False
    ) -> Iterator[tuple[list[Told], Match | None]]:
        """All that happened after a version, a page at a time, each with the match after it."""
        now = self.at_version(warm.match.id, after) if after else None
        yield [], now
        while after < visible:
            events = self.store.read(warm.match.id, after, min(visible, after + PAGE))
            if not events:
                raise CorruptStream(f"the log of match {warm.match.id} ends at version {after} instead of {visible}")
            what = self.happened(warm, now, events, visible)
            now = what.match
            after = now.version
            yield self.told(what, seat, view=view), now

    def _awaits(self, warm: Warm, shown: Match, visible: int) -> dict[str, Any]:
        """Whom the table waits for. Until when is said of the newest version alone that the reader may see: what is
        told late can no longer be acted on. It is said whether there is a newer one or not: whoever sees it later could
        tell by it that there is."""
        acting = sorted(shown.game.to_act(shown.table)) if shown.status == "playing" else []
        if shown.version != visible:
            times = {}
        elif visible == warm.match.version:
            times = deadlines(warm)
        else:
            times = {str(seat): instant(at) for seat, at in self.stand(shown).deadlines.items()}
        return {"to_act": acting, "deadlines": times}

    @staticmethod
    def the_end(over: Match) -> Told:
        """The last message: nothing more will happen in this match."""
        return Told("end", over.version, {"version": over.version, "result": match.view(over, None)["result"]})


# Between the events of one command nobody is to act.
NOBODY: Final[dict[str, Any]] = {"to_act": [], "deadlines": {}}


def _may(warm: Warm, shown: Match, seat: Seat | None) -> dict[str, Any]:
    """What the reader may do, for whom the table waits."""
    if seat is None or shown.version != warm.match.version or shown.chairs[seat].kind == "bot":
        return {}
    may = legal(shown, seat)
    return {"legal": may.commands, "asides": may.asides}


def deadlines(warm: Warm) -> dict[str, str]:
    """Until when each seat that a person is to act from has time, where its time is limited."""
    if not warm.deadlines:
        return {}
    named = {str(seat): match.turn_alarm(warm.match, seat) for seat in match.waiting_humans(warm.match)}
    return {seat: instant(warm.deadlines[name]) for seat, name in named.items() if name in warm.deadlines}
