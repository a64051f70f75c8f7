"""Matches that go on from the table of another."""

from __future__ import annotations

import secrets
import uuid
from collections.abc import Sequence
from typing import Unpack

from domain import chance, match
from domain.game import Refused
from domain.log import was_settled
from domain.match import Match, Place, Terms
from eventstore.errors import NoSuchVersion
from eventstore.lobby import Lobby
from eventstore.reading import Reading
from eventstore.store import Receipt


class Forking(Lobby, Reading):
    def fork(
        self,
        match_id: str,
        player: str,
        at: int,
        seats: Sequence[Place],
        *,
        token: bytes | None = None,
        fork_id: str | None = None,
        receipt: Receipt | None = None,
        watches: bool = True,
        **terms: Unpack[Terms],
    ) -> Match:
        """A new match that goes on from this version of another. The other is not changed, and knows nothing of it."""
        _, shown, seat = self.sight(match_id, player, watches)
        if not 1 <= at <= shown.version:
            raise NoSuchVersion(at, shown.version)
        try:
            match.may_fork(shown, seat)
            self.check_thinking(terms.get("thinking_ms"))
            then = self.at_version(match_id, at)
            self._check_settled(then)
            seed, fork_id = secrets.token_bytes(32), fork_id or str(uuid.uuid4())
            imagines = None if shown.status == "over" else seat
            numbers = chance.beside(seed, "fork", fork_id, at, seat or 0)
            table = match.table_of(then, imagines, lambda k: chance.below(numbers, k))
            step = match.fork(
                then,
                table,
                fork_id,
                imagined=imagines is not None,
                host=player,
                seats=tuple(seats),
                seed=seed,
                **terms,
            )
        except Refused as refusal:
            refusal.game, refusal.version = shown.game.slug, shown.version
            raise
        return self.begin(step, seed, token, receipt)

    def _check_settled(self, then: Match) -> None:
        """Refuses a version in the middle of what one command led to, where nobody is to act yet."""
        around = self.store.read(then.id, then.version - 1, limit=2)
        if len(around) < 2 or around[0].command_id != around[1].command_id:
            return
        if not was_settled(around[1].parts, around[1].actor):
            told = f"version {then.version} lies in the middle of what one command led to; take one before or after it"
            raise Refused("PM-22", "within_a_command", told)
