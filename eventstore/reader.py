"""Events as somebody reads them: what the reader may not see is left out, and what happened is told in words."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

from domain.game import ALL, Game, Seat
from domain.match import Match, at_table, people
from domain.match.story import sentence
from domain.upcast import upcast
from domain.wire import Parts
from eventstore.chain import Body, Stored, redacted, redacted_body
from eventstore.names import Directory


class Reader(NamedTuple):
    """Who reads a match: a seat, or nobody at the table. Once the match is over everything lies open."""

    match: Match
    seed: bytes
    seat: Seat | None
    over: bool
    names: Directory | None = None  # for a reader who wants words

    def reads(self, stored: Stored) -> dict[str, Any]:
        """The event as it is hashed, and beside it, if the reader wants words, what it says."""
        event = redacted(stored, self.match.id, self.seed, self.seat, self.over)
        return {"event": event, "words": self.hears(stored, self.names)} if self.names else event

    def reads_body(self, event: Body) -> Body:
        """The same without words, of an event that was read in the shape of its body."""
        return redacted_body(event, self.match.id, self.seed, self.seat, self.over)

    def hears(self, stored: Stored, names: Directory) -> str:
        parts = upcast(self.match.game.slug, stored.parts, stored.schema)
        return self.told(parts, at_table(self.match, names.of(people(self.match))), names)

    def told(self, parts: Parts, called: Sequence[str], names: Directory) -> str:
        """The same, of an event as it would be written today, where it is known what to call those at the table."""
        return told(self.match.game, parts, ALL if self.over else self.seat, called, names)


def told(game: Game[Any], parts: Parts, reader: Seat | None, called: Sequence[str], names: Directory) -> str:
    """What an event says to a reader."""
    if parts.type == "seat_taken":  # by somebody who may have left it since
        player, seat = parts.public["player"], parts.public["seat"]
        called = [*called[:seat], names.of([player]).get(player, f"seat {seat}"), *called[seat + 1 :]]
    return sentence(game, parts, reader, called)
