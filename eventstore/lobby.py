"""The lobby: opening a match, taking and leaving seats, the start."""

from __future__ import annotations

import contextlib
import datetime as dt
import secrets
import threading
import uuid
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from domain import match
from domain.game import Refused, Seat
from domain.games import BY_SLUG
from domain.match import Guest, Match, Place, Step
from eventstore import permissions
from eventstore.chain import GENESIS
from eventstore.changes import USUAL_THINKING_MS, Changes
from eventstore.errors import Conflict, NotFound
from eventstore.outbox import NO_DEADLINES
from eventstore.states import Warm
from eventstore.store import EventStore


class Lobby(Changes):
    def __init__(
        self,
        store: EventStore,
        *,
        ring: Callable[[float], None] = lambda seconds: None,
        now: Callable[[], dt.datetime] = lambda: dt.datetime.now(dt.UTC),
        cache_size: int = 2000,
        bot_matches: int = 20,
        thinking_ms: int = USUAL_THINKING_MS,
    ) -> None:
        super().__init__(store, ring=ring, now=now, cache_size=cache_size)
        self._bot_matches = bot_matches  # of bots alone, that a player may have running at once
        self._thinking_ms = thinking_ms  # at most, for a turn of a bot that searches
        self._starting = threading.Lock()

    def open(
        self,
        game: str,
        *,
        host: str,
        seats: Sequence[Place],
        options: Mapping[str, Any],
        spectators: bool = False,
        turn_seconds: int | None = None,
        thinking_ms: int | None = None,
        token: bytes | None = None,
    ) -> Match:
        if game not in BY_SLUG:
            raise NotFound(game)
        if thinking_ms is not None and thinking_ms > self._thinking_ms:
            told = f"bots may think for {self._thinking_ms} ms here, not {thinking_ms}"
            raise Refused("PM-13", "thinks_too_long", told)
        seed = secrets.token_bytes(32)
        match_id = str(uuid.uuid4())
        try:
            step = match.open_match(
                BY_SLUG[game],
                match_id,
                host=host,
                seats=tuple(seats),
                options=options,
                seed=seed,
                spectators=spectators,
                turn_seconds=turn_seconds,
                thinking_ms=thinking_ms,
            )
        except Refused as refusal:
            refusal.game = game
            raise
        empty = Warm(step.match._replace(version=0), seed, GENESIS, NO_DEADLINES)
        events = self.stored(empty, step, f"open/{uuid.uuid4()}")
        hooked = self.store.open(step.match, seed, events, token)
        return self.remember(Warm(step.match, seed, events[-1].hash, NO_DEADLINES, hooked)).match

    def join(
        self,
        match_id: str,
        player: str,
        name: str,
        seat: Seat | None,
        client_seed: str,
        token: bytes | None,
        *,
        expected: int | None = None,
        watches: bool = True,
        program: bool = False,
    ) -> Match:
        kind: Guest = "program" if program else "human"

        def decide(m: Match, seed: bytes) -> Step:
            return match.take_seat(m, seat, player, name, client_seed, kind)

        return self._at_the_table(match_id, player, decide, token, expected, watches)

    def start(
        self, match_id: str, player: str, token: bytes | None, *, expected: int | None = None, watches: bool = True
    ) -> Match:
        def decide(m: Match, seed: bytes) -> Step:
            step = match.start(m, player, seed)
            if all(chair.kind == "bot" for chair in m.chairs):
                self._count_matches_of_bots(player)
            return step

        known = self.known(match_id)
        people = known is not None and any(chair.kind != "bot" for chair in known.match.chairs)
        # Whoever starts many matches of bots at once has them counted one after another.
        with contextlib.nullcontext() if people else self._starting:
            return self._at_the_table(match_id, player, decide, token, expected, watches)

    def _count_matches_of_bots(self, host: str) -> None:
        running = self.store.running_of_bots(host)
        if running >= self._bot_matches:
            told = f"{running} matches of bots alone that you opened are running; the next can start when one is over"
            raise Refused("PM-14", "too_many_bot_matches", told)

    def leave(
        self, match_id: str, player: str, token: bytes | None, *, expected: int | None = None, watches: bool = True
    ) -> Match:
        return self._at_the_table(match_id, player, lambda m, seed: match.leave(m, player), token, expected, watches)

    def decline(
        self, match_id: str, player: str, token: bytes | None, *, expected: int | None = None, watches: bool = True
    ) -> Match:
        return self._at_the_table(match_id, player, lambda m, seed: match.decline(m, player), token, expected, watches)

    def cancel(
        self, match_id: str, player: str, token: bytes | None, *, expected: int | None = None, watches: bool = True
    ) -> Match:
        return self._at_the_table(
            match_id, player, lambda m, seed: match.cancel(m, player, seed), token, expected, watches
        )

    def expire(self, match_id: str) -> bool:
        """Cancels a table that nobody has joined or left for so long."""
        warm = self.fresh(match_id)
        if warm.match.status != "open":
            return False
        try:
            self.append(warm, match.expire(warm.match, warm.seed), f"expire/{uuid.uuid4()}")
        except Conflict:
            return False  # somebody came after all
        return True

    def _at_the_table(
        self,
        match_id: str,
        player: str,
        decide: Callable[[Match, bytes], Step],
        token: bytes | None,
        expected: int | None,
        watches: bool,
    ) -> Match:
        """A change that the rules of the match judge, asked for by somebody who may see the match."""

        def admit(m: Match) -> None:
            permissions.admit(m, player, watches)

        return self.changed(match_id, admit, lambda warm: decide(warm.match, warm.seed), token, expected)
