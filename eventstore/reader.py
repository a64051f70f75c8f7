"""Events as somebody reads them: what the reader may not see is left out, and what happened is told in words."""

from __future__ import annotations

from typing import Any, NamedTuple

from domain.game import ALL, Seat
from domain.match import Match
from domain.match.story import sentence
from eventstore.chain import Stored, redacted
from eventstore.upcast import upcast


class Reader(NamedTuple):
    """Who reads a match: a seat, or nobody at the table. Once the match is over everything lies open."""

    match: Match
    seed: bytes
    seat: Seat | None
    over: bool
    words: bool = False

    def reads(self, stored: Stored) -> dict[str, Any]:
        """The event as it is hashed, and beside it, if the reader wants words, what it says."""
        event = redacted(stored, self.match.id, self.seed, self.seat, self.over)
        return {"event": event, "words": self.hears(stored)} if self.words else event

    def hears(self, stored: Stored) -> str:
        game = self.match.game
        parts = upcast(game.slug, stored.parts, stored.schema)
        return sentence(game, parts, ALL if self.over else self.seat, names(self.match))


def names(match: Match) -> list[str]:
    """What to call those at the table. A seat that is still open has no name."""
    return [chair.name or f"seat {seat}" for seat, chair in enumerate(match.chairs)]
