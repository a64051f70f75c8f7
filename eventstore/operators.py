"""The operator: tokens that are made on the command line alone, and a log of all that is done with them."""

from __future__ import annotations

import datetime as dt
import hashlib
import secrets
import time
import uuid
from typing import Any, Final

from eventstore.db import Database
from eventstore.errors import NotFound

OPERATOR: Final = "operator"  # the scope
NOBODY: Final = str(uuid.UUID(int=0))  # whom such a token belongs to: somebody who has no seat anywhere

ISSUE: Final = """
INSERT INTO tokens (token_hash, token_id, player_id, scopes, label, created_at, expires_at)
VALUES (%(hash)s, %(id)s, %(nobody)s, %(scopes)s, %(label)s, %(now)s, %(expires_at)s)
"""
LIST: Final = """
SELECT token_id, label, created_at, expires_at, last_used_at, revoked_at FROM tokens
WHERE player_id = %s ORDER BY created_at, token_id
"""
REVOKE: Final = """
UPDATE tokens SET revoked_at = coalesce(revoked_at, %(now)s) WHERE player_id = %(nobody)s AND token_id = %(id)s
RETURNING 1
"""
NOTE: Final = """
INSERT INTO operator_log (entry_id, at, token_id, action, target, reason)
VALUES (%(id)s, %(now)s, %(token)s, %(action)s, %(target)s, %(reason)s)
"""
AT_A_STRETCH: Final = 3600.0  # seconds in which one who follows something makes one use of a token
LOG: Final = "SELECT entry_id, at, token_id, action, target, reason FROM operator_log"


class Operators:
    def __init__(self, database: Database) -> None:
        self._db = database
        self._followed: dict[tuple[str, str], float] = {}

    def issue(self, label: str, expires_at: dt.datetime | None) -> tuple[str, str]:
        """A new token and its id."""
        token, token_id = secrets.token_urlsafe(32), str(uuid.uuid4())
        made = {
            "hash": hashlib.sha256(token.encode()).digest(),
            "id": token_id,
            "nobody": NOBODY,
            "scopes": [OPERATOR],
            "label": label,
            "now": dt.datetime.now(dt.UTC),
            "expires_at": expires_at,
        }
        self._db.run(ISSUE, made)
        return token, token_id

    def tokens(self) -> list[dict[str, Any]]:
        names = ("id", "label", "created_at", "expires_at", "last_used_at", "revoked_at")
        return [dict(zip(names, (str(row[0]), *row[1:]), strict=True)) for row in self._db.run(LIST, (NOBODY,))]

    def revoke(self, token_id: str) -> None:
        if not self._db.run(REVOKE, {"id": token_id, "nobody": NOBODY, "now": dt.datetime.now(dt.UTC)}):
            raise NotFound(token_id)

    def note(self, token_id: str, action: str, target: str | None = None, reason: str | None = None) -> None:
        """To be called before anything is done: what cannot be logged is not done."""
        entry = {"id": str(uuid.uuid4()), "now": dt.datetime.now(dt.UTC), "token": token_id}
        self._db.run(NOTE, entry | {"action": action, "target": target, "reason": reason})

    def note_following(self, token_id: str, action: str) -> None:
        """Of what is asked for again and again, such as the next page of the feed, once in a while is enough."""
        now = time.monotonic()
        self._followed = {use: since for use, since in self._followed.items() if now - since < AT_A_STRETCH}
        if (token_id, action) not in self._followed:
            self.note(token_id, action)
            self._followed[token_id, action] = now

    def log(self, limit: int, before: tuple[dt.datetime, str] | None = None) -> list[dict[str, Any]]:
        """What was done, the newest first."""
        at, last = before or (None, None)
        query = LOG + (" WHERE (at, entry_id) < (%(at)s, %(last)s)" if before else "")
        rows = self._db.run(
            query + " ORDER BY at DESC, entry_id DESC LIMIT %(limit)s", {"at": at, "last": last, "limit": limit}
        )
        names = ("id", "at", "token_id", "action", "target", "reason")
        told = ((str(row[0]), row[1], str(row[2]), row[3], str(row[4]) if row[4] else None, row[5]) for row in rows)
        return [dict(zip(names, entry, strict=True)) for entry in told]
