"""The statements that change a match: one for each shape of a change, so that a command is one round trip."""

from __future__ import annotations

from typing import NamedTuple

# The few events of a usual command travel as parameters of their own. Many at once (a command with a long echo, or the
# turns of several bots) come as one JSON value, which is slower to read but needs no statement for every length.
FEW = 4
_MANY_EVENTS = """ROWS FROM (json_to_recordset(%(events)s::json)
             AS (type text, schema smallint, public json, secret json, actor text, command_id text, at timestamptz,
                 hash text))
         WITH ORDINALITY AS e (type, schema, public, secret, actor, command_id, at, hash, n)"""
_MANY_VALUES = "e.command_id, e.at, decode(e.hash, 'hex')"
_FEW_VALUES = "%(command_id)s, %(at)s, e.hash"


def _few_events(count: int) -> str:
    row = "({n}, %(type{n})s, %(schema{n})s::smallint, %(public{n})s::json, %(secret{n})s::json, %(actor{n})s, "
    row += "%(hash{n})s)"
    rows = ", ".join(row.format(n=n) for n in range(1, count + 1))
    return f"(VALUES {rows}) AS e (n, type, schema, public, secret, actor, hash)"


_GOOD_TOKEN = "EXISTS (SELECT FROM good_tokens WHERE token_hash = %(token)s)"
_COME = """, come AS (
    INSERT INTO match_players (match_id, player_id, opened_at)
    SELECT head.match_id, c.player_id, head.opened_at FROM head, unnest(%(concerned)s::uuid[]) AS c (player_id)
    ON CONFLICT DO NOTHING
)"""
_END = "\nSELECT count(*), bool_or(hooked) FROM head"
_SOMEBODY_HAS_A_WEBHOOK = "EXISTS (SELECT FROM webhooks WHERE player_id = ANY (%(concerned)s::uuid[]))"

OPEN = f"""
WITH head AS (
    INSERT INTO matches (match_id, version, game, status, host, spectators, open_to_all, spectator_delay, private,
                         seats, open_seats, bots_only, opened_at, updated_at, seed, hooked)
    SELECT %(id)s, %(last)s, %(game)s, %(status)s, %(host)s, %(spectators)s, %(open_to_all)s, %(spectator_delay)s,
           %(private)s, %(seats)s::jsonb, %(open_seats)s, %(bots_only)s, %(at)s, %(at)s, %(seed)s,
           {_SOMEBODY_HAS_A_WEBHOOK}
    WHERE %(token)s::bytea IS NULL OR {_GOOD_TOKEN}
    RETURNING match_id, opened_at, hooked
), appended AS (
    INSERT INTO events (match_id, version, type, schema, public, secret, actor, command_id, at, hash)
    SELECT head.match_id, e.n, e.type, e.schema, e.public, e.secret, e.actor, {_MANY_VALUES}
    FROM head, {_MANY_EVENTS}
), kept AS (
    INSERT INTO commands (match_id, command_id, digest, first_version, last_version, at)
    SELECT match_id, %(command_id)s, %(digest)s, 1, %(last)s, %(at)s FROM head WHERE %(digest)s::bytea IS NOT NULL
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
    SELECT head.match_id, %(expected)s::int + e.n::int, e.type, e.schema, e.public, e.secret, e.actor, {values}
    FROM head, {events}
)"""
_LOBBY = ", seats = %(seats)s::jsonb, open_seats = %(open_seats)s, bots_only = %(bots_only)s"
_GUARD = f" AND {_GOOD_TOKEN}"
# Whoever knows of no webhook writes no deliveries. If there is one by now, the head row is not the one expected.
_NO_WEBHOOK = " AND NOT hooked"
_CONNECT = f", hooked = hooked OR {_SOMEBODY_HAS_A_WEBHOOK}"
# Spectators who see a match later than others need to know when it began.
_STARTED = ", started_at = coalesce(started_at, CASE WHEN %(status)s = 'playing' THEN %(at)s::timestamptz END)"
# Whoever used it before has moved the head row, so that it cannot be used once too often.
_USED = """, used AS (
    UPDATE invitations SET used = used + 1 FROM head
    WHERE invitations.match_id = head.match_id AND invitations.invitation_id = %(invitation)s
)"""
_RUNNING = """, listed AS (
    UPDATE match_players SET running = %(status)s = 'playing',
           ended_in = CASE WHEN %(status)s = 'over' THEN feed_epoch() END,
           ended_tx = CASE WHEN %(status)s = 'over' THEN pg_current_xact_id() END
    FROM head WHERE match_players.match_id = head.match_id
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
OUTBOX = """, cleared AS (
    DELETE FROM bot_turns USING head WHERE bot_turns.match_id = head.match_id
), ringing AS (
    INSERT INTO bot_turns (match_id, version, seat, ready_at, due_at, attempt, rank, slow)
    SELECT head.match_id, %(last)s, b.seat, %(at)s, %(held_until)s, %(attempt)s, %(rank)s, %(slow)s
    FROM head, unnest(%(bots)s::smallint[]) AS b (seat)
)"""
# A bot whose pause is on keeps the time it was first given, whatever others do meanwhile. What it does itself ends it.
OUTBOX_WITH_PAUSES = """, cleared AS (
    DELETE FROM bot_turns USING head WHERE bot_turns.match_id = head.match_id
    RETURNING bot_turns.seat, bot_turns.ready_at, bot_turns.paused
), waiting AS (
    SELECT b.seat, b.paused, CASE WHEN b.paused AND old.paused AND 'seat:' || b.seat <> %(actor)s THEN old.ready_at
                                  ELSE b.ready_at END AS ready_at
    FROM unnest(%(bots)s::smallint[], %(ready)s::timestamptz[], %(paused)s::boolean[]) AS b (seat, ready_at, paused)
    LEFT JOIN cleared old ON old.seat = b.seat
), ringing AS (
    INSERT INTO bot_turns (match_id, version, seat, ready_at, due_at, attempt, rank, slow, paused)
    SELECT head.match_id, %(last)s, w.seat, w.ready_at, greatest(w.ready_at, %(held_until)s), %(attempt)s, %(rank)s,
           %(slow)s, w.paused
    FROM head, waiting w
)"""


class Shape(NamedTuple):
    """What a statement has to do besides appending so many events of one command, or any number of one or several."""

    lobby: bool
    people: bool
    status: bool
    guard: bool
    hooked: bool
    called: bool
    receipt: bool
    invited: bool
    outbox: str
    events: int | None


def statement(shape: Shape) -> str:
    rows, values = (_MANY_EVENTS, _MANY_VALUES) if shape.events is None else (_few_events(shape.events), _FEW_VALUES)
    connects = shape.people or shape.status
    head = _HEAD.format(
        lobby=_LOBBY * shape.lobby + _STARTED * shape.status + _CONNECT * connects,
        guard=_GUARD * shape.guard + _NO_WEBHOOK * (not shape.hooked and not connects),
        events=rows,
        values=values,
    )
    listed = _PEOPLE * shape.people + _RUNNING * shape.status + _DELIVERIES * shape.called
    return head + listed + _RECEIPT * shape.receipt + _USED * shape.invited + shape.outbox + _END
