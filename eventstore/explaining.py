"""How a bot came to its command, worked out again from what its seat saw."""

from __future__ import annotations

from typing import Any, NamedTuple

from domain import log
from domain.bots.thinking import found_again
from domain.bots.turn import Thought
from domain.game import Seat
from domain.match import Decided, Happened, event_classes
from domain.wire import write_command
from eventstore.errors import NotFound
from eventstore.states import States
from eventstore.upcast import upcast


class Explained(NamedTuple):
    """What a bot did, and what it comes to when it thinks again."""

    game: str
    seat: Seat
    decided: Decided
    command: dict[str, Any]  # that the log has
    thought: Thought | None  # nothing if this release has no such bot

    @property
    def same(self) -> bool | None:
        """Whether it is the command that the log has; None where it cannot be checked."""
        return None if self.thought is None else write_command(self.thought.command) == self.command


class Explaining(States):
    def explained(self, match_id: str, version: int) -> Explained:
        """The thought behind the command whose first event has this version."""
        if version < 2:
            raise NotFound(f"version {version}")
        now = self.at_version(match_id, version - 1)
        one = self._happened(match_id, version)
        if one.sent is None or one.decided is None:
            raise NotFound(f"a bot's command at version {version}")
        seed = self.warm(match_id).seed
        thought = found_again(now, one.sent.seat, seed, one.decided)
        return Explained(now.game.slug, one.sent.seat, one.decided, dict(one.sent.command), thought)

    def _happened(self, match_id: str, version: int) -> Happened:
        found = self.store.read(match_id, version - 1, version)
        if not found:
            raise NotFound(f"version {version}")
        game = self.warm(match_id).match.game
        parts = upcast(game.slug, found[0].parts, found[0].schema)
        return log.read(event_classes(game), parts, found[0].actor)
