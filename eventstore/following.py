"""What those who follow a match are told: how it stands, then each event and whom the table waits for after it."""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Sequence
from typing import Any, Final, Literal, NamedTuple

from domain import match
from domain.game import Seat
from domain.match import Match
from eventstore.chain import Stored, instant
from eventstore.errors import CorruptStream
from eventstore.reader import Reader
from eventstore.reading import Reading, legal
from eventstore.states import Warm
from eventstore.store import row
from eventstore.tidings import Since

PAGE: Final = 100  # events that are told at once to somebody who comes late

Kind = Literal["view", "event", "end"]


class Told(NamedTuple):
    """A message, but for the form it is sent in."""

    kind: Kind
    version: int
    body: dict[str, Any]


class Following(Reading):
    def caught_up(self, known: Warm, news: Since) -> Warm:
        """The match after all that is new in it, and known as that from now on."""
        if news.before != known.hash:
            raise CorruptStream(f"the log of {known.match.id} is no longer the one that was known, as after a restore")
        head, last = news.head, news.events[-1]
        folded = self._folded(head.game, known.match, map(row, news.events))
        return self.remember(Warm(folded, head.seed, last.hash, head.deadlines, head.hooked))

    def as_it_stands(self, warm: Warm, shown: Match, seat: Seat | None) -> Told:
        """The first message: the whole view, so that nothing has to be known to understand the next."""
        body = {"game": shown.game.slug, "view": self._seen(warm, shown, seat), **_now(warm, shown, seat)}
        return Told("view", shown.version, body)

    def _seen(self, warm: Warm, shown: Match, seat: Seat | None) -> match.MatchView:
        newest = shown is warm.match
        stand = self.stands(shown, match.of_seats(warm.deadlines)) if newest else self.stand(shown)
        return stand.view(seat)

    def what_happened(
        self,
        warm: Warm,
        before: Match | None,
        events: Sequence[Stored],
        seat: Seat | None,
        visible: int,
        *,
        view: bool = False,
    ) -> tuple[list[Told], Match]:
        """These events, which follow a state, as messages to a seat; and the match after them. The last of them has the
        view as well, if it is wanted: whoever has read all there is to read also sees how the match stands.

        A command whose events are not all there yet is left for the next time, unless it is all there is.
        """
        commands = [list(group) for _, group in itertools.groupby(events, key=lambda one: one.command_id)]
        whole = events[-1].version == visible
        if not whole and len(commands) > 1:
            commands.pop()
            whole = True
        told: list[tuple[Stored, dict[str, Any]]] = []
        now = before
        for number, command in enumerate(commands, start=1):
            last = command[-1].version
            now = (
                warm.match if last == warm.match.version else self._folded(warm.match.game.slug, now, map(row, command))
            )
            told += [(one, NOBODY) for one in command[:-1]]
            told.append((command[-1], _now(warm, now, seat) if whole or number < len(commands) else NOBODY))
        assert now is not None
        if view and whole:
            last_event, then = told[-1]
            told[-1] = last_event, {**then, "view": self._seen(warm, now, seat)}
        over = warm.match.status == "over" and visible == warm.match.version
        reader = Reader(now, warm.seed, seat, over, self.store.names)
        game = now.game.slug
        return [Told("event", one.version, {"game": game, **reader.reads(one), **then}) for one, then in told], now

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
            told, now = self.what_happened(warm, now, events, seat, visible, view=view)
            after = now.version
            yield told, now

    @staticmethod
    def the_end(over: Match) -> Told:
        """The last message: nothing more will happen in this match."""
        return Told("end", over.version, {"version": over.version, "result": match.view(over, None)["result"]})


# Between the events of one command nobody is to act.
NOBODY: Final[dict[str, Any]] = {"to_act": [], "deadlines": {}}


def _now(warm: Warm, shown: Match, seat: Seat | None) -> dict[str, Any]:
    """Whom the table waits for. Until when, and what the reader may do, is said of the newest version alone: what is
    told late can no longer be acted on."""
    playing = shown.status == "playing"
    acting = sorted(shown.game.to_act(shown.table)) if playing else []
    if shown.version != warm.match.version:
        return {"to_act": acting, "deadlines": {}}
    found: dict[str, Any] = {"to_act": acting, "deadlines": deadlines(warm)}
    if seat in acting and shown.chairs[seat].kind != "bot":
        may = legal(shown, seat)
        found |= {"legal": may.commands, "asides": may.asides}
    return found


def deadlines(warm: Warm) -> dict[str, str]:
    """Until when each seat that a person is to act from has time, where its time is limited."""
    named = {str(seat): match.turn_alarm(warm.match, seat) for seat in match.waiting_humans(warm.match)}
    return {seat: instant(warm.deadlines[name]) for seat, name in named.items() if name in warm.deadlines}
