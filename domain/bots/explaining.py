"""How a bot came to its command, worked out again from what its seat saw."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

from domain.bots.thinking import found_again
from domain.bots.turn import Thought
from domain.game import Seat
from domain.match import Decided, DrawOffered, Happened, Match, may_offer_as_bot
from domain.wire import plain_command


class Explained(NamedTuple):
    """What a bot did, and what it comes to when it thinks again."""

    game: str
    seat: Seat
    decided: Decided
    command: dict[str, Any]  # that the log has
    thought: Thought | None  # nothing if this release has no such bot
    offered: bool = False  # whether the log has the offer of a draw with it

    @property
    def same(self) -> bool | None:
        """Whether it is the command that the log has; None where it cannot be checked."""
        if self.thought is None:
            return None
        return plain_command(self.thought.command) == self.command and self.thought.offers == self.offered


def explained(now: Match, happened: Sequence[Happened], seed: bytes) -> Explained | None:
    """The thought behind the command that led from here to these events; nothing if it was no bot's."""
    first = happened[0]
    if first.sent is None or first.decided is None:
        return None
    seat = first.sent.seat
    thought = found_again(now, seat, seed, first.decided)
    if thought is not None and not may_offer_as_bot(now, seat):
        thought = thought._replace(offers=False)
    offered = any(isinstance(one.event, DrawOffered) for one in happened)
    return Explained(now.game.slug, seat, first.decided, dict(first.sent.command), thought, offered)
