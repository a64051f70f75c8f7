"""The event store: append, read, feed. Plain SQL, one match a statement, one round trip a command."""

from __future__ import annotations

import datetime as dt
import uuid
from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple

import orjson
import psycopg

from domain.match import Match, waiting_humans
from domain.wire import Parts
from eventstore.chain import Stored
from eventstore.db import Database
from eventstore.errors import Conflict, CorruptStream, DuplicateCommand, NotAllowed, NotFound
from eventstore.lists import Wanted, page
from eventstore.outbox import NO_DEADLINES, Deadlines, Outbox, Waiting, rank, written


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


class FeedEntry(NamedTuple):
    """An event in the order of the feed. `position` is where to go on from."""

    position: tuple[int, str, int]
    match_id: str
    stored: Stored


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

EVENT_COLUMNS = "version, type, schema, public, secret, actor, command_id, at, hash"

# The few events of a usual command travel as parameters of their own. Many at once (a command with a long echo) come as
# one JSON value, which is slower to read but needs no statement for every length.
FEW = 4
_MANY_EVENTS = """ROWS FROM (json_to_recordset(%(events)s::json)
             AS (type text, schema smallint, public json, secret json, actor text, hash text))
         WITH ORDINALITY AS e (type, schema, public, secret, actor, hash, n)"""


def _few_events(count: int) -> str:
    row = "({n}, %(type{n})s, %(schema{n})s::smallint, %(public{n})s::json, %(secret{n})s::json, %(actor{n})s, "
    row += "%(hash{n})s)"
    rows = ", ".join(row.format(n=n) for n in range(1, count + 1))
    return f"(VALUES {rows}) AS e (n, type, schema, public, secret, actor, hash)"


_GOOD_TOKEN = "EXISTS (SELECT FROM tokens WHERE token_hash = %(token)s AND revoked_at IS NULL)"
_COME = """, come AS (
    INSERT INTO match_players (match_id, player_id, opened_at)
    SELECT head.match_id, c.player_id, head.opened_at FROM head, unnest(%(concerned)s::uuid[]) AS c (player_id)
    ON CONFLICT DO NOTHING
)"""
_END = "\nSELECT count(*), bool_or(hooked) FROM head"
_SOMEBODY_HAS_A_WEBHOOK = "EXISTS (SELECT FROM webhooks WHERE player_id = ANY (%(concerned)s::uuid[]))"

OPEN = f"""
WITH head AS (
    INSERT INTO matches (match_id, version, game, status, host, spectators, seats, open_seats, bots_only, opened_at,
                         updated_at, seed, hooked)
    SELECT %(id)s, %(last)s, %(game)s, %(status)s, %(host)s, %(spectators)s, %(seats)s::jsonb, %(open_seats)s,
           %(bots_only)s, %(at)s, %(at)s, %(seed)s, {_SOMEBODY_HAS_A_WEBHOOK}
    WHERE %(token)s::bytea IS NULL OR {_GOOD_TOKEN}
    RETURNING match_id, opened_at, hooked
), appended AS (
    INSERT INTO events (match_id, version, type, schema, public, secret, actor, command_id, at, hash)
    SELECT head.match_id, e.n, e.type, e.schema, e.public, e.secret, e.actor, %(command_id)s, %(at)s,
           decode(e.hash, 'hex')
    FROM head, {_MANY_EVENTS}
){_COME}{_END}
"""

# The head row decides: whoever moves it from the expected version wins, and all the rest hangs on its row.
_HEAD = """
WITH head AS (
    UPDATE matches SET version = %(last)s, status = %(status)s, updated_at = %(at)s, wake_at = %(wake_at)s,
           wakes = %(wakes)s::jsonb, acting = %(acting)s{lobby}
    WHERE match_id = %(id)s AND version = %(expected)s{guard}
    RETURNING match_id, opened_at, hooked
), appended AS (
    INSERT INTO events (match_id, version, type, schema, public, secret, actor, command_id, at, hash)
    SELECT head.match_id, %(expected)s::int + e.n::int, e.type, e.schema, e.public, e.secret, e.actor,
           %(command_id)s, %(at)s, {hash}
    FROM head, {events}
)"""
_LOBBY = ", seats = %(seats)s::jsonb, open_seats = %(open_seats)s, bots_only = %(bots_only)s"
_GUARD = f" AND {_GOOD_TOKEN}"
# Whoever knows of no webhook writes no deliveries. If there is one by now, the head row is not the one expected.
_NO_WEBHOOK = " AND NOT hooked"
_CONNECT = f", hooked = hooked OR {_SOMEBODY_HAS_A_WEBHOOK}"
_RUNNING = """, listed AS (
    UPDATE match_players SET running = %(status)s = 'playing' FROM head WHERE match_players.match_id = head.match_id
)"""
_DELIVERIES = """, called AS (
    INSERT INTO deliveries (match_id, webhook_id, version, about, created_at, due_at)
    SELECT head.match_id, w.webhook_id, %(last)s, %(about)s, %(at)s, %(at)s
    FROM head, webhooks w WHERE w.player_id = ANY (%(called)s::uuid[])
)"""
_PEOPLE = f""", gone AS (
    DELETE FROM match_players USING head
    WHERE match_players.match_id = head.match_id AND NOT match_players.player_id = ANY (%(concerned)s::uuid[])
){_COME}"""
_RECEIPT = """, kept AS (
    INSERT INTO commands (match_id, command_id, digest, first_version, last_version, at)
    SELECT match_id, %(command_id)s, %(digest)s, %(expected)s + 1, %(last)s, %(at)s FROM head
)"""
_OUTBOX = """, cleared AS (
    DELETE FROM bot_turns USING head WHERE bot_turns.match_id = head.match_id
), ringing AS (
    INSERT INTO bot_turns (match_id, version, seat, ready_at, due_at, attempt, rank, slow)
    SELECT head.match_id, %(last)s, b.seat, %(at)s, %(held_until)s, %(attempt)s, %(rank)s, %(slow)s
    FROM head, unnest(%(bots)s::smallint[]) AS b (seat)
)"""
# A bot whose pause is on keeps the time it was first given, whatever others do meanwhile.
_OUTBOX_WITH_PAUSES = """, cleared AS (
    DELETE FROM bot_turns USING head WHERE bot_turns.match_id = head.match_id
    RETURNING bot_turns.seat, bot_turns.ready_at, bot_turns.paused
), waiting AS (
    SELECT b.seat, b.paused, CASE WHEN b.paused AND old.paused THEN old.ready_at ELSE b.ready_at END AS ready_at
    FROM unnest(%(bots)s::smallint[], %(ready)s::timestamptz[], %(paused)s::boolean[]) AS b (seat, ready_at, paused)
    LEFT JOIN cleared old ON old.seat = b.seat
), ringing AS (
    INSERT INTO bot_turns (match_id, version, seat, ready_at, due_at, attempt, rank, slow, paused)
    SELECT head.match_id, %(last)s, w.seat, w.ready_at, greatest(w.ready_at, %(held_until)s), %(attempt)s, %(rank)s,
           %(slow)s, w.paused
    FROM head, waiting w
)"""


def _hash(events: int) -> str:
    return "decode(e.hash, 'hex')" if events > FEW else "e.hash"


class _Shape(NamedTuple):
    """What a statement of a command has to do besides appending so many events."""

    lobby: bool
    people: bool
    status: bool
    guard: bool
    hooked: bool
    called: bool
    receipt: bool
    outbox: str
    events: int


def _statement(shape: _Shape) -> str:
    rows = _MANY_EVENTS if shape.events > FEW else _few_events(shape.events)
    connects = shape.people or shape.status
    head = _HEAD.format(
        lobby=_LOBBY * shape.lobby + _CONNECT * connects,
        guard=_GUARD * shape.guard + _NO_WEBHOOK * (not shape.hooked and not connects),
        events=rows,
        hash=_hash(shape.events),
    )
    listed = _PEOPLE * shape.people + _RUNNING * shape.status + _DELIVERIES * shape.called
    return head + listed + _RECEIPT * shape.receipt + shape.outbox + _END


class EventStore:
    """Streams of events in PostgreSQL."""

    def __init__(self, database: Database) -> None:
        self._db = database
        self.outbox = Outbox(database)
        self._statements: dict[_Shape, str] = {}

    @property
    def losses(self) -> int:
        """How often the database went away. Whatever was known before may not be what is there now."""
        return self._db.losses

    # ── Writing ─────────────────────────────────────────────────────────────────────────────────────────────────

    def open(self, match: Match, seed: bytes, events: Sequence[Stored], token: bytes | None = None) -> bool:
        """A new stream. It depends on the token as an append does. Tells whether anybody has a webhook."""
        params = {
            "id": match.id,
            "game": match.game.slug,
            "host": match.host,
            "spectators": match.spectators,
            "seed": seed,
            "token": token,
            "concerned": _concerned(match),
            **_rows(events, few=False),
            **_lobby(match),
        }
        opened, hooked = self._db.run(OPEN, params | {"status": match.status})[0]
        if not opened:
            raise NotAllowed("the token was revoked")
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
        token: bytes | None = None,
        hooked: bool = False,
    ) -> bool:
        """The events of one command, all or none, if the stream is still at the version they were decided on.

        `token` makes the append depend on a token that is still good, without a round trip of its own. A worker that
        goes on with the turns of the `bots` itself holds them until a time. Where the match is `hooked`, deliveries are
        written for those who are to act, and for all at the end; tells whether it is from now on.
        """
        status = before.status != after.status
        lobby = before.chairs is not after.chairs or status
        people = lobby and _concerned(before) != _concerned(after)
        called = _called(before, after) if hooked or people or status else []
        outbox = _OUTBOX if any(chair.kind == "bot" for chair in after.chairs) else ""
        params = {
            "id": after.id,
            "expected": before.version,
            "status": after.status,
            "acting": _acting(after),
            **written(deadlines),
            "token": token,
            **_rows(events, few=len(events) <= FEW),
        }
        if receipt is not None:
            params |= {"digest": receipt.digest}
        if lobby:
            params |= _lobby(after)
        if people or status:
            params |= {"concerned": _concerned(after)}
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
            outbox = _OUTBOX_WITH_PAUSES
            params |= {"ready": [bot.ready_at for bot in bots], "paused": [bot.paused for bot in bots]}
        shape = _Shape(
            lobby,
            people,
            status,
            token is not None,
            hooked,
            bool(called),
            receipt is not None,
            outbox,
            min(len(events), FEW + 1),
        )
        if shape not in self._statements:
            self._statements[shape] = _statement(shape)
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
        query = "SELECT 1 FROM tokens WHERE token_hash = %s AND revoked_at IS NULL"
        if token is not None and not self._db.run(query, (token,)):
            raise NotAllowed("the token was revoked")

    # ── Reading ─────────────────────────────────────────────────────────────────────────────────────────────────

    def head(self, match_id: str) -> Head:
        query = "SELECT version, game, status, seed, wakes, hooked FROM matches WHERE match_id = %s"
        rows = self._db.run(query, (match_id,))
        if not rows:
            raise NotFound(match_id)
        return _head(match_id, rows[0])

    def tail(self, match_id: str, after: int) -> Tail:
        """The head of a stream and the few events that follow a version, in one round trip."""
        rows = self._db.run(TAIL, {"id": match_id, "after": after})
        if not rows:
            raise NotFound(match_id)
        *head, digest, raw, before = rows[0]
        return Tail(_head(match_id, head), digest, orjson.loads(raw) if raw else [], before)

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
        return [_stored(row) for row in self._db.run(query, params)]

    def accepted(self, match_id: str, command_id: str) -> Accepted | None:
        query = "SELECT digest, first_version, last_version FROM commands WHERE match_id = %s AND command_id = %s"
        rows = self._db.run(query, (match_id, command_id))
        return Accepted(*rows[0]) if rows else None

    def matches(self, wanted: Wanted, limit: int) -> list[dict[str, Any]]:
        """What the lobby lists, newest first."""
        return page(self._db, wanted, limit)

    def running_of_bots(self, host: str) -> int:
        """How many matches of bots alone, opened by this player, are running."""
        query = "SELECT count(*) FROM matches WHERE host = %s AND bots_only AND status = 'playing'"
        return int(self._db.run(query, (host,))[0][0])

    # ── The feed ────────────────────────────────────────────────────────────────────────────────────────────────

    def feed(self, after: tuple[int, str, int] | None = None, limit: int = 500) -> list[FeedEntry]:
        """All events of all streams in an order without gaps: what was handed out is never followed by something
        older. Only transactions that are surely finished are read, whatever order they commit in."""
        tx, match_id, version = after or (0, str(uuid.UUID(int=0)), 0)
        rows = self._db.run(
            f"SELECT tx::text, match_id, {EVENT_COLUMNS} FROM events "
            "WHERE (tx, match_id, version) > (%s::text::xid8, %s::uuid, %s) "
            "AND tx < pg_snapshot_xmin(pg_current_snapshot()) ORDER BY events.tx, match_id, version LIMIT %s",
            (str(tx), match_id, version, limit),
        )
        return [FeedEntry((int(row[0]), str(row[1]), row[2]), str(row[1]), _stored(row[2:])) for row in rows]

    # ── Snapshots ───────────────────────────────────────────────────────────────────────────────────────────────

    def snapshot(self, match_id: str, rules_version: int, upto: int = 2**31 - 1) -> Any | None:
        rows = self._db.run(
            "SELECT state FROM snapshots WHERE match_id = %s AND rules_version = %s AND version <= %s "
            "ORDER BY version DESC LIMIT 1",
            (match_id, rules_version, upto),
        )
        return rows[0][0] if rows else None

    def keep_snapshot(self, match_id: str, version: int, rules_version: int, state: Any) -> None:
        self._db.run(
            "INSERT INTO snapshots (match_id, version, rules_version, state) VALUES (%s, %s, %s, %s::jsonb) "
            "ON CONFLICT (match_id, version, rules_version) DO UPDATE SET state = excluded.state",
            (match_id, version, rules_version, orjson.dumps(state).decode()),
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


def _head(match_id: str, row: Sequence[Any]) -> Head:
    version, game, status, seed, deadlines, hooked = row
    instants = {name: dt.datetime.fromisoformat(at) for name, at in (deadlines or {}).items()}
    return Head(match_id, version, game, status, seed, instants, hooked)


def _row(stored: Stored) -> dict[str, Any]:
    row = {
        "type": stored.parts.type,
        "schema": stored.schema,
        "public": stored.parts.public,
        "actor": stored.actor,
        "hash": stored.hash.hex(),
    }
    if stored.parts.secret:
        row["secret"] = stored.parts.secret
    return row


def _lobby(match: Match) -> dict[str, Any]:
    seats = [{"kind": c.kind, "player": c.player, "name": c.name, "level": c.level} for c in match.chairs]
    free = any(chair.kind == "open" and chair.player is None for chair in match.chairs)
    return {
        "seats": orjson.dumps(seats).decode(),
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


def _concerned(match: Match) -> list[str]:
    """In whose lists the match stands: its host, who sits there, and who was invited."""
    return sorted({match.host, *(chair.player for chair in match.chairs if chair.player is not None)})


def _stored(row: Sequence[Any]) -> Stored:
    version, kind, schema, public, secret, actor, command_id, at, digest = row
    return Stored(version, Parts(kind, public, secret or {}), schema, actor, command_id, at, digest)


def in_chunks(store: EventStore, match_id: str, after: int, upto: int, size: int = 500) -> Iterator[Stored]:
    """A long stream a page at a time, so that no reader holds all of it."""
    while after < upto:
        page = store.read(match_id, after, upto, size)
        if not page:  # the log is shorter than it was, as after a restore
            return
        for stored in page:
            yield stored
            after = stored.version
