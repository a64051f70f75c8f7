"""How a bot came to a command of a match that is stored here."""

from __future__ import annotations

import itertools

from domain import log
from domain.bots.explaining import Explained, explained
from domain.match import Happened, event_classes
from domain.upcast import upcast
from eventstore.errors import NotFound
from eventstore.states import States


class Explaining(States):
    def explained(self, match_id: str, version: int) -> Explained:
        """The thought behind the command whose first event has this version."""
        if version < 2:
            raise NotFound(f"version {version}")
        now = self.at_version(match_id, version - 1)
        found = explained(now, self._happened(match_id, version), self.warm(match_id).seed)
        if found is None:
            raise NotFound(f"a bot's command at version {version}")
        return found

    def _happened(self, match_id: str, version: int) -> list[Happened]:
        """What one command led to, from this version on."""
        found = self.store.read(match_id, version - 1)
        if not found:
            raise NotFound(f"version {version}")
        game = self.warm(match_id).match.game
        together = itertools.takewhile(lambda stored: stored.command_id == found[0].command_id, found)
        return [
            log.read(event_classes(game), upcast(game.slug, stored.parts, stored.schema), stored.actor)
            for stored in together
        ]
