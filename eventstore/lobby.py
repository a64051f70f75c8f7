"""The lobby: opening a match, taking and leaving seats, the start."""

from __future__ import annotations

import contextlib
import datetime as dt
import secrets
import threading
import uuid
from collections.abc import Callable, Mapping, Sequence
from typing import Any, Unpack

from domain import match
from domain.game import Refused, Seat
from domain.games import BY_SLUG
from domain.match import Guest, Match, Place, Step, Terms
from eventstore import permissions
from eventstore.chain import GENESIS
from eventstore.changes import USUAL_THINKING_MS, Changes, Moved
from eventstore.errors import Conflict, DuplicateCommand, NotFound, TooMany
from eventstore.outbox import NO_DEADLINES
from eventstore.states import News, Stand, Warm
from eventstore.store import EventStore, Receipt


class Lobby(Changes):
    def __init__(
        self,
        store: EventStore,
        *,
        ring: Callable[[float], None] = lambda seconds: None,
        moved: Moved = lambda warm, news: None,
        now: Callable[[], dt.datetime] = lambda: dt.datetime.now(dt.UTC),
        newest: Callable[[str], int] = lambda match_id: 0,
        cache_size: int = 2000,
        bot_matches: int = 20,
        open_matches: int = 200,
        thinking_ms: int = USUAL_THINKING_MS,
    ) -> None:
        super().__init__(
            store, ring=ring, moved=moved, now=now, newest=newest, cache_size=cache_size, thinking_ms=thinking_ms
        )
        self._bot_matches = bot_matches  # of bots alone, that a player may have running at once
        self._open_matches = open_matches  # that a player may have opened and that are not over
        self._starting = threading.Lock()

    def open(
        self,
        game: str,
        *,
        host: str,
        seats: Sequence[Place],
        options: Mapping[str, Any],
        token: bytes | None = None,
        match_id: str | None = None,
        receipt: Receipt | None = None,
        **terms: Unpack[Terms],
    ) -> Match:
        """A new match. With its id and the receipt of a request it is the one that the request opened first."""
        if game not in BY_SLUG:
            raise NotFound(game)
        seed = secrets.token_bytes(32)
        match_id = match_id or str(uuid.uuid4())
        try:
            self.check_thinking(terms.get("thinking_ms"))
            step = match.open_match(
                BY_SLUG[game],
                match_id,
                host=host,
                seats=tuple(seats),
                options=options,
                seed=seed,
                **terms,
            )
        except Refused as refusal:
            refusal.by(BY_SLUG[game])
            raise
        return self.begin(step, seed, token, receipt)

    def check_thinking(self, wanted: int | None) -> None:
        if wanted is not None and wanted > self.thinking_ms:
            told = f"bots may think for {self.thinking_ms} ms here, not {wanted}"
            raise Refused("PM-13", "thinks_too_long", told)

    def begin(self, step: Step, seed: bytes, token: bytes | None, receipt: Receipt | None) -> Match:
        """The first events of a match; or the match that a request with this receipt began before."""
        match_id, host = step.match.id, step.match.host
        if receipt is None or self.store.accepted(match_id, receipt.command_id) is None:
            self._count_matches(host)
        empty = Warm(step.match._replace(version=0), seed, GENESIS, NO_DEADLINES)
        events = self.stored(empty, step, receipt.command_id if receipt else f"open/{uuid.uuid4()}")
        try:
            hooked = self.store.open(step.match, seed, events, token, receipt)
        except DuplicateCommand:
            if receipt is None or self.store.accepted(match_id, receipt.command_id) is None:
                raise
            self.store.check_token(token)
            return self.first_stand(match_id, receipt).match
        warm = self.remember(Warm(step.match, seed, events[-1].hash, NO_DEADLINES, hooked))
        self.moved(warm, News(step.match.version, GENESIS, events, NO_DEADLINES, hooked))
        return warm.match

    def begun(self, match_id: str, receipt: Receipt) -> Match | None:
        """The match that a request with this receipt began before, as it stood then."""
        if self.store.accepted(match_id, receipt.command_id) is None:
            return None
        return self.first_stand(match_id, receipt).match

    def _count_matches(self, host: str) -> None:
        """Those that are opened at this moment are not seen, so that a few too many may come to be; never more."""
        there = self.store.not_over(host)
        if there >= self._open_matches:
            told = f"{there} matches that you opened are not over; end, resign or cancel one before you open the next"
            raise TooMany("too_many_matches", told)

    def join(
        self,
        match_id: str,
        player: str,
        seat: Seat | None,
        client_seed: str,
        token: bytes | None,
        *,
        expected: int | None = None,
        watches: bool = True,
        program: bool = False,
        invitation: str | None = None,
        receipt: Receipt | None = None,
    ) -> Stand:
        kind: Guest = "program" if program else "human"
        found = self.store.invitations.find(match_id, invitation) if invitation is not None else None

        def admit(m: Match) -> None:
            # A table that stands in the list is no secret to those who come too late for its seats.
            too_late = m.listed and m.status == "open" and not match.may_look(m, player)
            if found is None and not too_late:
                permissions.admit(m, player, watches)
            permissions.only_before_the_start(m, player, lambda before: decide(before, b""), expected)

        def decide(m: Match, seed: bytes) -> Step:
            wanted = seat
            if invitation is not None and match.seat_of(m, player) is None:
                wanted = self._invited_to(match_id, invitation, seat)
            return match.take_seat(m, wanted, player, client_seed, kind, invited=found is not None)

        used = found.id if found else None
        return self.changed(
            match_id,
            admit,
            lambda warm: decide(warm.match, warm.seed),
            token,
            expected,
            receipt=receipt,
            invitation=used,
        )

    def _invited_to(self, match_id: str, code: str, seat: Seat | None) -> Seat | None:
        """The seat that an invitation leads to, if it is still good."""
        found = self.store.invitations.find(match_id, code)
        if found is None:
            raise Refused("PM-15", "invitation_unknown", "there is no such invitation to this table")
        if objection := found.objection(self.now()):
            raise objection
        if found.seat is not None and seat not in (None, found.seat):
            raise Refused("PM-15", "other_seat", f"the invitation is to seat {found.seat}, not to seat {seat}")
        return seat if found.seat is None else found.seat

    def start(
        self, match_id: str, player: str, token: bytes | None, *, expected: int | None = None, watches: bool = True
    ) -> Stand:
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
    ) -> Stand:
        return self._at_the_table(match_id, player, lambda m, seed: match.leave(m, player), token, expected, watches)

    def vacate(
        self,
        match_id: str,
        player: str,
        token: bytes | None,
        *,
        seat: Seat,
        expected: int | None = None,
        watches: bool = True,
    ) -> Stand:
        return self._at_the_table(
            match_id, player, lambda m, seed: match.vacate(m, player, seat), token, expected, watches
        )

    def decline(
        self, match_id: str, player: str, token: bytes | None, *, expected: int | None = None, watches: bool = True
    ) -> Stand:
        return self._at_the_table(match_id, player, lambda m, seed: match.decline(m, player), token, expected, watches)

    def cancel(
        self, match_id: str, player: str, token: bytes | None, *, expected: int | None = None, watches: bool = True
    ) -> Stand:
        return self._at_the_table(
            match_id, player, lambda m, seed: match.cancel(m, player, seed), token, expected, watches
        )

    def close(self, match_id: str, token: bytes | None, *, expected: int | None = None) -> Stand:
        """Ends a match on the operator's word."""
        return self.changed(match_id, lambda m: None, lambda warm: match.close(warm.match, warm.seed), token, expected)

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
    ) -> Stand:
        """A change that the rules of the match judge, asked for by somebody who may see the match."""

        def admit(m: Match) -> None:
            permissions.admit(m, player, watches)
            permissions.only_before_the_start(m, player, lambda before: decide(before, b""), expected)

        return self.changed(match_id, admit, lambda warm: decide(warm.match, warm.seed), token, expected)
