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
from eventstore.errors import NotAllowed, NotFound

MANAGE: Final = "token:manage"
SCOPES: Final = ("match:read", "match:play", "match:create", "bot:play", MANAGE)
REMEMBERED: Final = 10_000

# The row of the maker is held until the new token is in: whoever revokes the maker meanwhile waits, and finds it.
ISSUE: Final = """
WITH maker AS (
    SELECT player_id, token_id FROM tokens WHERE token_hash = %(maker)s AND revoked_at IS NULL FOR SHARE
)
INSERT INTO tokens (token_hash, token_id, player_id, scopes, label, created_at, made_by)
SELECT %(hash)s, %(id)s, player_id, %(scopes)s, %(label)s, %(now)s, token_id FROM maker RETURNING made_by
"""

# A token and all that came of it: what it made, and what those made.
_LINE: Final = """
WITH RECURSIVE line (token_id) AS (
    SELECT token_id FROM tokens WHERE token_id = %(root)s AND player_id = %(player)s
    UNION
    SELECT made.token_id FROM tokens made JOIN line ON made.made_by = line.token_id WHERE made.player_id = %(player)s
)"""

LIST: Final = f"""{_LINE}
SELECT token_id, label, scopes, created_at, revoked_at, made_by FROM tokens
WHERE player_id = %(player)s AND (%(all)s OR token_id IN (SELECT token_id FROM line)) ORDER BY created_at, token_id
"""

WITHIN_REACH: Final = f"{_LINE} SELECT 1 FROM line WHERE token_id = %(wanted)s"

# Whoever revokes the token that made theirs keeps their own: that is how a token is replaced by another.
REVOKE: Final = f"""{_LINE}, kept (token_id) AS (
    SELECT token_id FROM line WHERE token_id = %(caller)s AND token_id <> %(root)s
    UNION
    SELECT made.token_id FROM tokens made JOIN kept ON made.made_by = kept.token_id WHERE made.player_id = %(player)s
)
UPDATE tokens SET revoked_at = %(now)s
WHERE player_id = %(player)s AND token_id IN (SELECT token_id FROM line)
  AND token_id NOT IN (SELECT token_id FROM kept) AND revoked_at IS NULL
RETURNING token_hash
"""


class Caller(NamedTuple):
    """Who sent a request, and what the token allows."""

    player_id: str
    name: str
    scopes: frozenset[str]
    token_hash: bytes
    token_id: str


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
            "SELECT t.player_id, p.name, t.scopes, t.token_id FROM tokens t JOIN players p USING (player_id) "
            "WHERE t.token_hash = %s AND t.revoked_at IS NULL",
            (key,),
        )
        if not rows:
            self._known.pop(key, None)
            return None
        found = Caller(str(rows[0][0]), rows[0][1], frozenset(rows[0][2]), key, str(rows[0][3]))
        self._known[key] = found
        if len(self._known) > REMEMBERED:
            self._known.popitem(last=False)
        return found

    def issue(self, caller: Caller, label: str, scopes: Sequence[str]) -> tuple[dict[str, Any], str]:
        token, token_id, now = secrets.token_urlsafe(32), str(uuid.uuid4()), dt.datetime.now(dt.UTC)
        made = self._db.run(
            ISSUE,
            {
                "maker": caller.token_hash,
                "hash": hash_of(token),
                "id": token_id,
                "scopes": list(scopes),
                "label": label,
                "now": now,
            },
        )
        if not made:
            raise NotAllowed("the token was revoked")
        shown = {"id": token_id, "label": label, "scopes": list(scopes), "created_at": now, "made_by": str(made[0][0])}
        return shown, token

    def tokens(self, caller: Caller) -> list[dict[str, Any]]:
        """All tokens of the owner with `token:manage`; otherwise the caller's own and what came of it."""
        rows = self._db.run(LIST, {"player": caller.player_id, "root": caller.token_id, "all": MANAGE in caller.scopes})
        names = ("id", "label", "scopes", "created_at", "revoked_at", "made_by")
        return [
            dict(zip(names, (str(row[0]), *row[1:5], str(row[5]) if row[5] else None), strict=True)) for row in rows
        ]

    def revoke(self, caller: Caller, token_id: str) -> None:
        """Revokes a token and all that came of it."""
        reach = {"player": caller.player_id, "root": caller.token_id, "wanted": token_id}
        if MANAGE in caller.scopes:
            reach["root"] = token_id
        if not self._db.run(WITHIN_REACH, reach):
            raise NotFound(token_id)
        ends = {"player": caller.player_id, "root": token_id, "caller": caller.token_id, "now": dt.datetime.now(dt.UTC)}
        # A token that was being made at that moment is not yet seen by the first statement, but by the next.
        while revoked := self._db.run(REVOKE, ends):
            for (token_hash,) in revoked:
                self._known.pop(token_hash, None)

    def named(self, player_id: str) -> str:
        rows = self._db.run("SELECT name FROM players WHERE player_id = %s", (player_id,))
        if not rows:
            raise NotFound(player_id)
        return str(rows[0][0])
