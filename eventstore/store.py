"""The event store: append and read. Plain SQL, one match a statement, one round trip a command."""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, NamedTuple

import orjson
import psycopg

from domain.match import Match, waiting_humans
from domain.wire import Parts
from eventstore.chain import Body, Stored
from eventstore.db import Database
from eventstore.errors import Conflict, CorruptStream, DuplicateCommand, NotAllowed, NotFound
from eventstore.invitations import Invitations
from eventstore.lists import Listed, Wanted, page
from eventstore.names import Directory
from eventstore.notes import Notes
from eventstore.outbox import NO_DEADLINES, Deadlines, Outbox, Waiting, rank, written
from eventstore.publications import Publications
from eventstore.rematches import Rematches
from eventstore.statements import FEW, OPEN, OUTBOX, OUTBOX_WITH_PAUSES, Shape, statement


class Head(NamedTuple):
    """What the head row of a stream knows."""

    match_id: str
    version: int
    game: str
    status: str
    seed: bytes
    deadlines: Deadlines
    hooked: bool


Row = tuple[str, int, dict[str, Any], dict[str, Any] | None, str]  # type, schema, public, secret, actor


class Tail(NamedTuple):
    """What somebody who knows a stream up to a version has to learn."""

    head: Head
    hash: bytes  # of the newest event
    events: list[Row]
    before: bytes | None  # the hash of the event at the known version, if there still is one


class Accepted(NamedTuple):
    """A command that was accepted once, and the versions it brought about."""

    digest: bytes
    first_version: int
    last_version: int


class Receipt(NamedTuple):
    """What makes a retry find its first answer."""

    command_id: str
    digest: bytes


ROWS = """
SELECT type, schema, public::text, secret::text, actor, CASE WHEN version = %(upto)s THEN hash END
FROM events WHERE match_id = %(id)s AND version > %(after)s AND version <= %(upto)s ORDER BY version
"""

TAIL = """
SELECT m.version, m.game, m.status, m.seed, m.wakes, m.hooked,
       (SELECT e.hash FROM events e WHERE e.match_id = m.match_id AND e.version = m.version),
       (SELECT json_agg(json_build_array(e.type, e.schema, e.public, e.secret, e.actor) ORDER BY e.version)::text
        FROM events e WHERE e.match_id = m.match_id AND e.version > %(after)s AND e.version <= m.version),
       (SELECT e.hash FROM events e WHERE e.match_id = m.match_id AND e.version = %(after)s)
FROM matches m WHERE m.match_id = %(id)s
"""

# What everybody reads of an event, written by the server where that costs less than to do it here.
BODIES = """
SELECT version, type, schema, actor, command_id, to_char(at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"'),
       public::text, secret::text, encode(hash, 'hex')
FROM events WHERE match_id = %s AND version > %s AND version <= %s ORDER BY version
"""

# JSON as text: to read it here is three times as fast as to let the driver do it, value by value.
EVENT_COLUMNS = "version, type, schema, public::text, secret::text, actor, command_id, at, hash"


class EventStore:
    """Streams of events in PostgreSQL."""

    def __init__(self, database: Database) -> None:
        self._db = self.database = database
        self.outbox = Outbox(database)
        self.invitations = Invitations(database)
        self.names = Directory(database)
        self.notes = Notes(database)
        self.publications = Publications(database)
        self.rematches = Rematches(database)
        self._statements: dict[Shape, str] = {}

    @property
    def losses(self) -> int:
        """How often the database went away. Whatever was known before may not be what is there now."""
        return self._db.losses

    # ── Writing ─────────────────────────────────────────────────────────────────────────────────────────────────

    def open(
        self,
        match: Match,
        seed: bytes,
        events: Sequence[Stored],
        token: bytes | None = None,
        receipt: Receipt | None = None,
    ) -> bool:
        """A new stream. It depends on the token as an append does. Tells whether anybody has a webhook."""
        params = {
            "id": match.id,
            "game": match.game.slug,
            "host": match.host,
            "spectators": match.spectators,
            "open_to_all": match.open_to_all,
            "spectator_delay": match.spectator_delay,
            "private": match.private,
            "seed": seed,
            "token": token,
            "digest": receipt.digest if receipt else None,
            "concerned": concerned(match),
            **_rows(events, few=False),
            **_lobby(match),
        }
        try:
            opened, hooked = self._db.run(OPEN, params | {"status": match.status})[0]
        except psycopg.errors.UniqueViolation:
            raise DuplicateCommand from None  # its id was made from a key that was used before
        if not opened:
            raise NotAllowed("the token is good no longer")
        return bool(hooked)

    def append(
        self,
        before: Match,
        after: Match,
        events: Sequence[Stored],
        *,
        deadlines: Deadlines = NO_DEADLINES,
        bots: Sequence[Waiting] = (),
        held_until: dt.datetime | None = None,
        receipt: Receipt | None = None,
        invitation: str | None = None,
        token: bytes | None = None,
        hooked: bool = False,
    ) -> bool:
        """The events of a command or several, all or none, if the stream is still at the version they were decided on.

        `token` makes the append depend on a token that is still good, without a round trip of its own. A worker that
        goes on with the turns of the `bots` itself holds them until a time. Where the match is `hooked`, deliveries are
        written for those who are to act, and for all at the end; tells whether it is from now on.
        """
        status = before.status != after.status
        lobby = before.chairs is not after.chairs or status
        people = lobby and concerned(before) != concerned(after)
        called = _called(before, after) if hooked or people or status else []
        outbox = OUTBOX if any(chair.kind == "bot" for chair in after.chairs) else ""
        few = len(events) <= FEW and events[0].command_id == events[-1].command_id
        params = {
            "id": after.id,
            "expected": before.version,
            "status": after.status,
            "acting": _acting(after),
            **written(deadlines),
            "token": token,
            **_rows(events, few=few),
        }
        if receipt is not None:
            params |= {"digest": receipt.digest}
        if invitation is not None:
            params |= {"invitation": invitation}
        if lobby:
            params |= _lobby(after)
        if people or status:
            params |= {"concerned": concerned(after)}
        if called:
            params |= {"called": called, "about": "turn" if after.status == "playing" else "end"}
        if outbox:
            params |= {
                "bots": [bot.seat for bot in bots],
                "slow": any(bot.slow for bot in bots),
                "held_until": held_until or events[-1].at,
                "attempt": 0 if held_until is None else 1,
                "rank": rank(after),
            }
        if any(bot.paused for bot in bots):
            outbox = OUTBOX_WITH_PAUSES
            params |= {"ready": [bot.ready_at for bot in bots], "paused": [bot.paused for bot in bots]}
            params |= {"actor": events[0].actor}
        shape = Shape(
            lobby,
            people,
            status,
            token is not None,
            hooked,
            bool(called),
            receipt is not None,
            invitation is not None,
            outbox,
            len(events) if few else None,
        )
        if shape not in self._statements:
            self._statements[shape] = statement(shape)
        try:
            won, hooked_now = self._db.run(self._statements[shape], params)[0]
        except psycopg.errors.UniqueViolation as error:
            if (error.diag.constraint_name or "").startswith("commands_pkey"):  # a shard adds its number
                raise DuplicateCommand from None
            # The head row was ours, so nobody else can have appended: these versions are there and should not be.
            raise CorruptStream(f"match {after.id} has events beyond version {before.version}, its newest") from error
        if not won:
            self.check_token(token)
            raise Conflict
        return bool(hooked_now)

    def hooked_at(self, match_id: str, version: int) -> bool:
        """Whether the match stands at this version, and somebody whom it concerns has a webhook."""
        query = "SELECT 1 FROM matches WHERE match_id = %s AND version = %s AND hooked"
        return bool(self._db.run(query, (match_id, version)))

    def check_token(self, token: bytes | None) -> None:
        """Whether a remembered token is still good, where no append will find out."""
        query = "SELECT 1 FROM good_tokens WHERE token_hash = %s"
        if token is not None and not self._db.run(query, (token,)):
            raise NotAllowed("the token is good no longer")

    # ── Reading ─────────────────────────────────────────────────────────────────────────────────────────────────

    def head(self, match_id: str) -> Head:
        query = "SELECT version, game, status, seed, wakes, hooked FROM matches WHERE match_id = %s"
        rows = self._db.run(query, (match_id,))
        if not rows:
            raise NotFound(match_id)
        return read_head(match_id, rows[0])

    def tail(self, match_id: str, after: int) -> Tail:
        """The head of a stream and the few events that follow a version, in one round trip."""
        rows = self._db.run(TAIL, {"id": match_id, "after": after})
        if not rows:
            raise NotFound(match_id)
        *head, digest, raw, before = rows[0]
        return Tail(read_head(match_id, head), digest, orjson.loads(raw) if raw else [], before)

    def rows(self, match_id: str, after: int, upto: int) -> tuple[list[Row], bytes]:
        """What a fold needs of the events after one version and up to another, and the hash of the last of them.

        Nothing else is fetched or converted: this is where the time of a replay goes.
        """
        found = self._db.run(ROWS, {"id": match_id, "after": after, "upto": upto})
        loads = orjson.loads
        events: list[Row] = [
            (kind, schema, loads(public), loads(secret) if secret else None, actor)
            for kind, schema, public, secret, actor, _ in found
        ]
        return events, found[-1][5] if found else b""

    def read(self, match_id: str, after: int = 0, upto: int | None = None, limit: int | None = None) -> list[Stored]:
        """The events of a stream in order, `after` exclusive, `upto` inclusive."""
        query = f"SELECT {EVENT_COLUMNS} FROM events WHERE match_id = %s AND version > %s AND version <= %s"
        query += " ORDER BY version"
        params: list[Any] = [match_id, after, 2**31 - 1 if upto is None else upto]
        if limit is not None:
            query, params = query + " LIMIT %s", [*params, limit]
        return [read_stored(row) for row in self._db.run(query, params)]

    def bodies(self, match_id: str, after: int, upto: int) -> list[Body]:
        """The same as `chain.body` makes of what `read` finds, its hash beside it, for whoever reads a whole match."""
        loads = orjson.loads
        return [
            {
                "version": version,
                "type": kind,
                "schema": schema,
                "actor": actor,
                "command_id": command_id,
                "at": at,
                "public": loads(public),
                "secret": loads(secret) if secret else {},
                "hash": digest,
            }
            for version, kind, schema, actor, command_id, at, public, secret, digest in self._db.run(
                BODIES, (match_id, after, upto)
            )
        ]

    def accepted(self, match_id: str, command_id: str) -> Accepted | None:
        query = "SELECT digest, first_version, last_version FROM commands WHERE match_id = %s AND command_id = %s"
        rows = self._db.run(query, (match_id, command_id))
        return Accepted(*rows[0]) if rows else None

    def first_after(self, match_id: str, version: int, at: dt.datetime) -> int | None:
        """The first event after a version that is younger than this."""
        query = "SELECT version FROM events WHERE match_id = %s AND version > %s AND at > %s ORDER BY version LIMIT 1"
        rows = self._db.run(query, (match_id, version, at))
        return int(rows[0][0]) if rows else None

    def moments(self, match_id: str, versions: Sequence[int]) -> dict[int, dt.datetime]:
        """When these versions came about."""
        query = "SELECT version, at FROM events WHERE match_id = %s AND version = ANY (%s)"
        return dict(self._db.run(query, (match_id, list(versions))))

    def matches(self, wanted: Wanted, limit: int) -> list[Listed]:
        """What the lobby lists, newest first."""
        return page(self._db, self.names, wanted, limit)

    def running_of_bots(self, host: str) -> int:
        """How many matches of bots alone, opened by this player, are running."""
        query = "SELECT count(*) FROM matches WHERE host = %s AND bots_only AND status = 'playing'"
        return int(self._db.run(query, (host,))[0][0])

    def not_over(self, host: str) -> int:
        """How many matches that this player opened are not over."""
        return int(self._db.run("SELECT count(*) FROM matches WHERE host = %s AND status <> 'over'", (host,))[0][0])

    # ── Snapshots ───────────────────────────────────────────────────────────────────────────────────────────────

    def snapshot(self, match_id: str, rules_versions: Sequence[int], upto: int = 2**31 - 1) -> Any | None:
        rows = self._db.run(
            "SELECT state FROM snapshots WHERE match_id = %s AND rules_version = ANY (%s) AND version <= %s "
            "ORDER BY version DESC LIMIT 1",
            (match_id, list(rules_versions), upto),
        )
        return rows[0][0] if rows else None

    def keep_snapshot(self, match_id: str, version: int, rules_version: int, state: Any) -> None:
        self.keep_snapshots(match_id, rules_version, [(version, state)])

    def keep_snapshots(self, match_id: str, rules_version: int, states: Sequence[tuple[int, Any]]) -> None:
        versions = [version for version, _ in states]
        written = [orjson.dumps(state).decode() for _, state in states]
        self._db.run(
            "INSERT INTO snapshots (match_id, version, rules_version, state) "
            "SELECT %s::uuid, version, %s::integer, state::jsonb "
            "FROM unnest(%s::integer[], %s::text[]) AS kept (version, state) "
            "ON CONFLICT (match_id, version, rules_version) DO UPDATE SET state = excluded.state",
            (match_id, rules_version, versions, written),
        )


def _rows(events: Sequence[Stored], *, few: bool) -> dict[str, Any]:
    rows: dict[str, Any] = {"last": events[-1].version, "at": events[-1].at, "command_id": events[-1].command_id}
    if not few:
        return rows | {"events": orjson.dumps([_row(one) for one in events]).decode()}
    for n, one in enumerate(events, start=1):
        rows[f"type{n}"], rows[f"schema{n}"], rows[f"actor{n}"] = one.parts.type, one.schema, one.actor
        rows[f"public{n}"] = orjson.dumps(one.parts.public).decode()
        rows[f"secret{n}"] = orjson.dumps(one.parts.secret).decode() if one.parts.secret else None
        rows[f"hash{n}"] = one.hash
    return rows


def read_head(match_id: str, row: Sequence[Any]) -> Head:
    version, game, status, seed, deadlines, hooked = row
    return Head(match_id, version, game, status, seed, read_deadlines(deadlines), hooked)


def read_deadlines(kept: Mapping[str, str] | None) -> Deadlines:
    return {name: dt.datetime.fromisoformat(at) for name, at in (kept or {}).items()}


def _row(stored: Stored) -> dict[str, Any]:
    row = {
        "type": stored.parts.type,
        "schema": stored.schema,
        "public": stored.parts.public,
        "actor": stored.actor,
        "command_id": stored.command_id,
        "at": stored.at,
        "hash": stored.hash.hex(),
    }
    if stored.parts.secret:
        row["secret"] = stored.parts.secret
    return row


def listed_seats(match: Match) -> list[dict[str, Any]]:
    return [{"kind": c.kind, "player": c.player, "level": c.level} for c in match.chairs]


def _lobby(match: Match) -> dict[str, Any]:
    free = not match.private and any(chair.kind == "open" and chair.player is None for chair in match.chairs)
    return {
        "seats": orjson.dumps(listed_seats(match)).decode(),
        "open_seats": free and match.status == "open",
        "bots_only": all(chair.kind == "bot" for chair in match.chairs),
    }


def _acting(match: Match) -> int:
    """The seats that are to act, a bit for each."""
    if match.status != "playing":
        return 0
    return sum(1 << seat for seat in match.game.to_act(match.table) if seat >= 0)


def _called(before: Match, after: Match) -> list[str]:
    """Whose webhooks are told of a change: those who are to act, and at the end all who have or had a seat."""
    if after.status == "playing":
        found = {after.chairs[seat].player for seat in waiting_humans(after)}
    elif after.status == "over" and before.status != "over":
        found = {chair.player for chair in after.chairs if chair.kind != "open"}
    else:
        return []
    return sorted(player for player in found if player is not None)


def concerned(match: Match) -> list[str]:
    """In whose lists the match stands: its host, who sits there, and who was invited."""
    return sorted({match.host, *(chair.player for chair in match.chairs if chair.player is not None)})


def read_stored(row: Sequence[Any]) -> Stored:
    version, kind, schema, public, secret, actor, command_id, at, digest = row
    parts = Parts(kind, orjson.loads(public), orjson.loads(secret) if secret else {})
    return Stored(version, parts, schema, actor, command_id, at, digest)


def row(stored: Stored) -> Row:
    """What a fold needs of an event."""
    parts = stored.parts
    return parts.type, stored.schema, parts.public, parts.secret, stored.actor


def in_chunks(store: EventStore, match_id: str, after: int, upto: int, size: int = 500) -> Iterator[Stored]:
    """A long stream a page at a time, so that no reader holds all of it."""
    while after < upto:
        page = store.read(match_id, after, upto, size)
        if not page:  # the log is shorter than it was, as after a restore
            return
        for stored in page:
            yield stored
            after = stored.version
