"""What can be checked of an event by itself: its place in the chain, its secret parts, its draw."""

from __future__ import annotations

import hashlib
import hmac
from collections.abc import Mapping
from typing import Any, Final

from domain import chance
from domain.audit.reading import Logged, canonical
from domain.audit.report import Report, Wrong

GENESIS: Final = bytes(32)
CLOSED: Final = "closed to this reader until the match is over"


class Links:
    """Follows the events of a match one by one."""

    def __init__(self, report: Report, seed: bytes | None) -> None:
        self._report, self._seed = report, seed
        self.previous, self.version = GENESIS, 0
        self.match_id = ""
        self.client_seeds: list[str] = []
        self.players: list[Any] = []  # who has each seat, or for whom it is kept
        self._draws = 0
        self._started = False
        self._schema = 1
        self.broken = False  # the seed is not the one that was promised
        self.opened: Mapping[str, Any] = {}  # what the first event says

    def follow(self, one: Logged) -> None:
        self._commitments(one)
        self._chain(one)
        if one.version == 1:
            self._open(one)
        if self._seed is not None:
            self._salts(one, self._seed)
        self._seats(one)
        self._draw(one)

    def _commitments(self, one: Logged) -> None:
        for key, kept in one.secret.items():
            if kept.part is None or kept.salt is None:
                self._report.not_checked("commitments", CLOSED)
            elif hashlib.sha256(kept.salt + canonical(kept.part)).hexdigest() != kept.commitment:
                raise Wrong("commitments", one.version, f"the part for {key} does not fit its commitment")
            else:
                self._report.ok("commitments")

    def _chain(self, one: Logged) -> None:
        if one.version != self.version + 1:
            told = f"events are missing or out of order: version {one.version} stands here"
            raise Wrong("chain", self.version + 1, told)
        if one.schema < self._schema:
            raise Wrong("format", one.version, f"schema {one.schema} follows schema {self._schema}")
        self._schema = one.schema
        hashed = {
            "version": one.version,
            "type": one.type,
            "schema": one.schema,
            "actor": one.actor,
            "command_id": one.command_id,
            "at": one.at,
            "public": one.public,
            "secret": {key: kept.commitment for key, kept in one.secret.items()},
        }
        found = hashlib.sha256(self.previous + canonical(hashed)).digest()
        if found.hex() != one.hash:
            raise Wrong("chain", one.version, "the hash does not fit the event and what came before it")
        self.previous, self.version = found, one.version
        self._report.ok("chain")
        self._report.version, self._report.head = one.version, one.hash

    def _open(self, one: Logged) -> None:
        if one.type != "match_opened":
            raise Wrong("format", 1, "a match begins with match_opened")
        public = self.opened = one.public
        match_id, game, promised = public.get("match_id"), public.get("game"), public.get("seed_commitment")
        seats = public.get("seats")
        if type(match_id) is not str or type(game) is not str or type(promised) is not str or type(seats) is not list:
            raise Wrong("format", 1, "match_opened lacks what every match has")
        self.match_id = self._report.match_id = match_id
        self._report.game = game
        if any(type(seat) is not dict for seat in seats):
            raise Wrong("format", 1, "a seat is no object")
        self.client_seeds = [str(seat.get("client_seed", "")) for seat in seats]
        self.players = [seat.get("player") for seat in seats]
        if self._seed is None:
            self._report.not_checked("seed", "the match is not over, so the seed is secret")
        elif chance.commitment(self._seed) != promised:
            # Nothing can be checked with it; the end of the match, which shows it, is what is wrong.
            self._seed, self.broken = None, True
        else:
            self._report.ok("seed")

    def _salts(self, one: Logged, seed: bytes) -> None:
        for key, kept in one.secret.items():
            if kept.salt is None:
                raise Wrong("salts", one.version, f"the part for {key} is closed, though the match is over")
            message = f"salt|{self.match_id}|{one.version}|{key}"
            if hmac.digest(seed, message.encode(), "sha256") != kept.salt:
                raise Wrong("salts", one.version, f"the salt for {key} does not come from the seed")
            self._report.ok("salts")

    def _seats(self, one: Logged) -> None:
        public = one.public
        seat = public.get("seat")
        changes = one.type in ("seat_taken", "seat_left", "seat_vacated", "invitation_declined")
        if changes and type(seat) is int and 0 <= seat < len(self.client_seeds):
            self.client_seeds[seat] = str(public.get("client_seed", ""))
            self.players[seat] = public.get("player")
        if one.type == "match_started":
            self._started = True
            if public.get("client_seeds") != self.client_seeds:
                raise Wrong("draws", one.version, "these are not the client seeds that the seats gave")

    def _draw(self, one: Logged) -> None:
        hidden = one.secret["table"].part if "table" in one.secret else None
        closed = hidden.get("draw") if hidden else None
        record = one.public.get("draw")
        if record is None:
            if closed is not None:
                raise Wrong("draws", one.version, "the result of a draw that was not announced")
            return
        self._draws += 1
        try:
            n, kind, size = record["n"], record["kind"], record["size"]
            result = record["result"] if kind == "dice" else closed["result"] if closed else None
        except (KeyError, TypeError):
            raise Wrong("draws", one.version, "the record of the draw has not its shape") from None
        if not self._started or type(n) is not int or n != self._draws or not _can_be_drawn(kind, size):
            raise Wrong("draws", one.version, f"draw {self._draws} is out of order, or of no known kind and size")
        if self._seed is None:
            self._report.not_checked("draws", "the match is not over, so the seed is secret")
            return
        source = chance.Source(self._seed, self.match_id, tuple(self.client_seeds))
        if canonical(result) != canonical(chance.recompute(source, n, kind, size)):
            raise Wrong("draws", one.version, f"draw {n} does not come from the seed")
        self._report.ok("draws")


def _can_be_drawn(kind: Any, size: Any) -> bool:
    """Whether there is such a draw, and not one that takes for ever."""
    if type(size) is not list or any(type(one) is not int or not 0 <= one < 2**16 for one in size):
        return False
    sizes = {"shuffle": 1, "pick": 1, "dice": 2}
    # Any number of cards or dice can be wanted, but there is no throw of a die without faces.
    return sizes.get(str(kind)) == len(size) and (kind == "shuffle" or size[-1] > 0)
