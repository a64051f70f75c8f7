"""Deliveries as their sender sees them: what is due, who has it in hand, and what came of it.

The rows are written by the commits that they tell of. Every statement that writes names one match or one webhook.
"""

from __future__ import annotations

import datetime as dt
import uuid
from collections.abc import Collection
from typing import Any, Final, NamedTuple

from eventstore.db import Database

KEPT: Final = dt.timedelta(days=14)
# A commit that saw no webhook may still be under way when the webhook is there: no statement takes this long.
SETTLED: Final = dt.timedelta(seconds=15)


class Delivery(NamedTuple):
    """Word that is to be sent to a webhook."""

    match_id: str
    webhook_id: str
    version: int
    id: str
    about: str
    attempts: int
    url: str | None  # None: the webhook is gone, or the token that made it
    secret: str | None
    player_id: str | None
    moved_on: bool  # the match is at a later version


class Webhook(NamedTuple):
    id: str
    player_id: str
    created_at: dt.datetime


# Everybody's first comes before anybody's second: whoever has a thousand letters at once delays nobody else's.
DUE: Final = """
SELECT due.match_id, due.webhook_id, due.version, due.delivery_id, due.about, due.attempts, w.url, w.secret,
       w.player_id, coalesce(m.version > due.version, true)
FROM (
    SELECT d.*, row_number() OVER (PARTITION BY d.webhook_id ORDER BY d.due_at) AS n
    FROM deliveries d
    WHERE d.state = 'waiting' AND d.due_at <= %(now)s AND NOT d.webhook_id = ANY (%(busy)s::uuid[])
) AS due
LEFT JOIN (
    webhooks w JOIN good_tokens t ON t.token_id = w.token_id
) ON w.webhook_id = due.webhook_id
LEFT JOIN matches m ON m.match_id = due.match_id
WHERE due.n <= %(each)s
ORDER BY due.n, due.due_at LIMIT %(limit)s
"""
_THIS: Final = """
WHERE match_id = %(match_id)s AND webhook_id = %(webhook_id)s AND version = %(version)s AND attempts = %(attempts)s
  AND state = 'waiting'
"""
TAKE: Final = (
    f"UPDATE deliveries SET attempts = attempts + 1, due_at = %(until)s, tried_at = %(now)s {_THIS} RETURNING 1"
)
SETTLE: Final = f"UPDATE deliveries SET state = %(state)s, problem = %(problem)s {_THIS}"
PUT_OFF: Final = f"UPDATE deliveries SET due_at = %(at)s, problem = %(problem)s {_THIS}"
FORGET: Final = f"DELETE FROM deliveries {_THIS}"

TO_CONNECT: Final = """
SELECT webhook_id, player_id, created_at FROM webhooks WHERE connect_at <= %(now)s ORDER BY connect_at LIMIT 10
"""
PLAYED: Final = """
SELECT match_id FROM match_players WHERE player_id = %(player)s AND running AND match_id > %(after)s
ORDER BY match_id LIMIT 500
"""
# From the first of these on, every commit in the match writes its deliveries. What is due already is told at once.
CONNECT: Final = """
WITH head AS (
    UPDATE matches SET hooked = true WHERE match_id = %(match)s AND status = 'playing' AND NOT hooked
)
INSERT INTO deliveries (match_id, webhook_id, version, about, created_at, due_at)
SELECT m.match_id, %(webhook)s, m.version, 'turn', %(now)s, %(now)s FROM matches m
WHERE m.match_id = %(match)s AND m.status = 'playing' AND EXISTS (
    SELECT FROM jsonb_array_elements(m.seats) WITH ORDINALITY AS s (chair, n)
    WHERE s.chair->>'player' = %(player)s AND s.chair->>'kind' <> 'bot' AND (m.acting >> (s.n::int - 1)) & 1 = 1
)
ON CONFLICT DO NOTHING
"""
CONNECTED: Final = "UPDATE webhooks SET connect_at = %(again)s WHERE webhook_id = %(id)s"
ALL: Final = "SELECT webhook_id FROM webhooks WHERE webhook_id > %(after)s ORDER BY webhook_id LIMIT 500"
SWEEP: Final = "DELETE FROM deliveries WHERE webhook_id = %(id)s AND created_at < %(before)s AND state <> 'waiting'"
NOBODY: Final = str(uuid.UUID(int=0))


class Deliveries:
    def __init__(self, database: Database) -> None:
        self._db = database

    def due(self, now: dt.datetime, limit: int, each: int, busy: Collection[str] = ()) -> list[Delivery]:
        """What may be sent now, of each webhook so many at the most, and none of those that are busy."""
        rows = self._db.run(DUE, {"now": now, "busy": sorted(busy), "each": each, "limit": limit})
        return [_delivery(row) for row in rows]

    def take(self, one: Delivery, now: dt.datetime, until: dt.datetime) -> Delivery | None:
        """Takes a delivery in hand for a while; nothing if another sender was faster."""
        if not self._db.run(TAKE, {**_named(one), "now": now, "until": until}):
            return None
        return one._replace(attempts=one.attempts + 1)

    def settle(self, one: Delivery, state: str, problem: str | None = None) -> None:
        self._db.run(SETTLE, {**_named(one), "state": state, "problem": problem})

    def put_off(self, one: Delivery, at: dt.datetime, problem: str) -> None:
        self._db.run(PUT_OFF, {**_named(one), "at": at, "problem": problem})

    def forget(self, one: Delivery) -> None:
        """Of a webhook that is gone."""
        self._db.run(FORGET, _named(one))

    # ── Webhooks that have come ─────────────────────────────────────────────────────────────────────────────────

    def to_connect(self, now: dt.datetime) -> list[Webhook]:
        return [Webhook(str(row[0]), str(row[1]), row[2]) for row in self._db.run(TO_CONNECT, {"now": now})]

    def connect(self, webhook: Webhook, now: dt.datetime) -> None:
        """Lets the matches that are being played know of a webhook. Done twice, since a commit that began before the
        webhook came may end after the first time."""
        after = NOBODY
        while rows := self._db.run(PLAYED, {"player": webhook.player_id, "after": after}):
            for (match_id,) in rows:
                told = {"match": match_id, "webhook": webhook.id, "player": webhook.player_id, "now": now}
                self._db.run(CONNECT, told)
            after = str(rows[-1][0])
        settled = webhook.created_at + SETTLED
        self._db.run(CONNECTED, {"id": webhook.id, "again": settled if now < settled else None})

    def sweep(self, now: dt.datetime) -> None:
        """Forgets what was sent or given up long ago."""
        after = NOBODY
        while rows := self._db.run(ALL, {"after": after}):
            for (webhook_id,) in rows:
                self._db.run(SWEEP, {"id": webhook_id, "before": now - KEPT})
            after = str(rows[-1][0])


def _named(one: Delivery) -> dict[str, Any]:
    named = one._asdict()
    return {name: named[name] for name in ("match_id", "webhook_id", "version", "attempts")}


def _delivery(row: tuple[Any, ...]) -> Delivery:
    match_id, webhook_id, version, delivery_id, about, attempts, url, secret, player, moved_on = row
    ids = str(match_id), str(webhook_id)
    return Delivery(
        *ids, version, str(delivery_id), about, attempts, url, secret, str(player) if player else None, moved_on
    )
