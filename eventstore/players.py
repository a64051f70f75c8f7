"""Players and their tokens. A token is shown once; the database keeps only its hash."""

from __future__ import annotations

import datetime as dt
import hashlib
import secrets
import uuid
from collections import OrderedDict
from collections.abc import Sequence
from typing import Any, Final, NamedTuple

from eventstore.db import Database
from eventstore.errors import NotFound

SCOPES: Final = ("match:read", "match:play", "match:create", "bot:play")
REMEMBERED: Final = 10_000


class Caller(NamedTuple):
    """Who sent a request, and what the token allows."""

    player_id: str
    name: str
    scopes: frozenset[str]
    token_hash: bytes


def hash_of(token: str) -> bytes:
    return hashlib.sha256(token.encode()).digest()


class Players:
    def __init__(self, database: Database) -> None:
        self._db = database
        self._known: OrderedDict[bytes, Caller] = OrderedDict()

    def sign_up(self, name: str, scopes: Sequence[str] = SCOPES) -> tuple[dict[str, Any], str]:
        """A guest needs a name only. Returns the player and the first token."""
        player_id, now, token = str(uuid.uuid4()), dt.datetime.now(dt.UTC), secrets.token_urlsafe(32)
        self._db.run(
            "WITH p AS (INSERT INTO players (player_id, name, created_at) VALUES (%(id)s, %(name)s, %(now)s) "
            "RETURNING player_id) "
            "INSERT INTO tokens (token_hash, token_id, player_id, scopes, label, created_at) "
            "SELECT %(hash)s, %(token_id)s, player_id, %(scopes)s, 'first', %(now)s FROM p",
            {
                "id": player_id,
                "name": name,
                "now": now,
                "hash": hash_of(token),
                "token_id": str(uuid.uuid4()),
                "scopes": list(scopes),
            },
        )
        return {"id": player_id, "name": name, "created_at": now}, token

    def caller(self, token: str, *, remembered: bool = False) -> Caller | None:
        """Who this token belongs to. A remembered answer may be a revoked one: only for appends that check it too."""
        key = hash_of(token)
        if remembered and (known := self._known.get(key)) is not None:
            return known
        rows = self._db.run(
            "SELECT t.player_id, p.name, t.scopes FROM tokens t JOIN players p USING (player_id) "
            "WHERE t.token_hash = %s AND t.revoked_at IS NULL",
            (key,),
        )
        if not rows:
            self._known.pop(key, None)
            return None
        found = Caller(str(rows[0][0]), rows[0][1], frozenset(rows[0][2]), key)
        self._known[key] = found
        if len(self._known) > REMEMBERED:
            self._known.popitem(last=False)
        return found

    def issue(self, caller: Caller, label: str, scopes: Sequence[str]) -> tuple[dict[str, Any], str]:
        token, token_id, now = secrets.token_urlsafe(32), str(uuid.uuid4()), dt.datetime.now(dt.UTC)
        self._db.run(
            "INSERT INTO tokens (token_hash, token_id, player_id, scopes, label, created_at) "
            "VALUES (%s, %s, %s, %s, %s, %s)",
            (hash_of(token), token_id, caller.player_id, list(scopes), label, now),
        )
        return {"id": token_id, "label": label, "scopes": list(scopes), "created_at": now}, token

    def tokens(self, caller: Caller) -> list[dict[str, Any]]:
        rows = self._db.run(
            "SELECT token_id, label, scopes, created_at, revoked_at FROM tokens "
            "WHERE player_id = %s ORDER BY created_at",
            (caller.player_id,),
        )
        names = ("id", "label", "scopes", "created_at", "revoked_at")
        return [dict(zip(names, (str(row[0]), *row[1:]), strict=True)) for row in rows]

    def revoke(self, caller: Caller, token_id: str) -> None:
        rows = self._db.run(
            "UPDATE tokens SET revoked_at = coalesce(revoked_at, now()) WHERE token_id = %s AND player_id = %s "
            "RETURNING token_hash",
            (token_id, caller.player_id),
        )
        if not rows:
            raise NotFound(token_id)
        self._known.pop(rows[0][0], None)

    def named(self, player_id: str) -> str:
        rows = self._db.run("SELECT name FROM players WHERE player_id = %s", (player_id,))
        if not rows:
            raise NotFound(player_id)
        return str(rows[0][0])
