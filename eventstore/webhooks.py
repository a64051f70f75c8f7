"""Webhooks as their owners see them: where to send word, and what became of it."""

from __future__ import annotations

import datetime as dt
import secrets
import uuid
from collections.abc import Callable
from typing import Any, Final

from eventstore.db import Database
from eventstore.errors import NotAllowed, NotFound, TooMany
from eventstore.players import Caller

# A webhook falls with the token that made it, as all that came of a token does.
_GOOD: Final = "EXISTS (SELECT FROM good_tokens t WHERE t.token_id = w.token_id)"

# The row of the token is held until the webhook is in: whoever revokes it meanwhile waits, and finds it.
ADD: Final = f"""
WITH maker AS (
    SELECT player_id, token_id FROM good_tokens WHERE token_hash = %(token)s FOR SHARE
)
INSERT INTO webhooks (webhook_id, player_id, token_id, url, secret, created_at, connect_at)
SELECT %(id)s, player_id, token_id, %(url)s, %(secret)s, %(now)s, %(now)s FROM maker
WHERE (SELECT count(*) FROM webhooks w WHERE w.player_id = maker.player_id AND {_GOOD}) < %(most)s
RETURNING webhook_id
"""
# Several that came at once may be too many together, which none of them could see.
TAKE_BACK: Final = f"""
DELETE FROM webhooks WHERE webhook_id = %(id)s
   AND (SELECT count(*) FROM webhooks w WHERE w.player_id = %(player)s AND {_GOOD}) > %(most)s
RETURNING webhook_id
"""
LIST: Final = f"""
SELECT w.webhook_id, w.url, w.created_at FROM webhooks w
WHERE w.player_id = %(player)s AND {_GOOD} ORDER BY w.created_at, w.webhook_id
"""
REMOVE: Final = """
WITH gone AS (
    DELETE FROM webhooks WHERE webhook_id = %(id)s AND player_id = %(player)s RETURNING webhook_id
), unsent AS (
    DELETE FROM deliveries USING gone WHERE deliveries.webhook_id = gone.webhook_id
)
SELECT count(*) FROM gone
"""
MINE: Final = f"SELECT 1 FROM webhooks w WHERE w.webhook_id = %(id)s AND w.player_id = %(player)s AND {_GOOD}"
_COLUMNS: Final = (
    "id",
    "match",
    "version",
    "about",
    "state",
    "created_at",
    "due_at",
    "attempts",
    "tried_at",
    "problem",
)
DELIVERIES: Final = """
SELECT delivery_id, match_id, version, about, state, created_at, due_at, attempts, tried_at, problem
FROM deliveries WHERE webhook_id = %(id)s
"""
SEND_AGAIN: Final = """
UPDATE deliveries SET state = 'waiting', due_at = %(now)s, attempts = 0
WHERE webhook_id = %(id)s AND match_id = %(match)s AND version = %(version)s
"""


class Webhooks:
    def __init__(
        self,
        database: Database,
        *,
        most: int = 5,
        now: Callable[[], dt.datetime] = lambda: dt.datetime.now(dt.UTC),
    ) -> None:
        self._db, self._most, self._now = database, most, now

    def add(self, who: Caller, url: str, secret: str | None = None) -> dict[str, Any]:
        """A new webhook with its secret, which is shown this once."""
        made = {"id": str(uuid.uuid4()), "url": url, "secret": secret or secrets.token_urlsafe(32)}
        now = self._now()
        given = {**made, "player": who.player_id, "token": who.token_hash, "now": now, "most": self._most}
        if not self._db.run(ADD, given) or self._db.run(TAKE_BACK, given):
            if not self._db.run("SELECT 1 FROM good_tokens WHERE token_hash = %s", (who.token_hash,)):
                raise NotAllowed("the token is good no longer")
            raise TooMany("too_many_webhooks", f"a player may have {self._most} webhooks here; delete one first")
        return {**made, "created_at": now}

    def of(self, who: Caller) -> list[dict[str, Any]]:
        rows = self._db.run(LIST, {"player": who.player_id})
        return [{"id": str(row[0]), "url": row[1], "created_at": row[2]} for row in rows]

    def remove(self, who: Caller, webhook_id: str) -> None:
        if not self._db.run(REMOVE, {"id": webhook_id, "player": who.player_id})[0][0]:
            raise NotFound(webhook_id)

    def deliveries(
        self,
        who: Caller,
        webhook_id: str,
        limit: int,
        *,
        state: str | None = None,
        before: tuple[dt.datetime, str] | None = None,
    ) -> list[dict[str, Any]]:
        """What was sent or is to be, the newest first."""
        self._check(who, webhook_id)
        query = DELIVERIES
        if state is not None:
            query += " AND state = %(state)s"
        if before is not None:
            query += " AND (created_at, delivery_id) < (%(created_at)s, %(last)s)"
        query += " ORDER BY created_at DESC, delivery_id DESC LIMIT %(limit)s"
        created_at, last = before or (None, None)
        given = {"id": webhook_id, "state": state, "created_at": created_at, "last": last, "limit": limit}
        return [_delivery(row) for row in self._db.run(query, given)]

    def send_again(self, who: Caller, webhook_id: str, delivery_id: str) -> dict[str, Any]:
        self._check(who, webhook_id)
        query = DELIVERIES + " AND delivery_id = %(delivery)s"
        wanted = {"id": webhook_id, "delivery": delivery_id}
        rows = self._db.run(query, wanted)
        if not rows:
            raise NotFound(delivery_id)
        found = _delivery(rows[0])
        named = {"id": webhook_id, "match": found["match"], "version": found["version"], "now": self._now()}
        self._db.run(SEND_AGAIN, named)
        return _delivery(self._db.run(query, wanted)[0])

    def _check(self, who: Caller, webhook_id: str) -> None:
        if not self._db.run(MINE, {"id": webhook_id, "player": who.player_id}):
            raise NotFound(webhook_id)


def _delivery(row: tuple[Any, ...]) -> dict[str, Any]:
    return dict(zip(_COLUMNS, (str(row[0]), str(row[1]), *row[2:]), strict=True))
