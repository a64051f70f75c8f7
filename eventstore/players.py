"""Players and their tokens. A token is shown once; the database keeps only its hash."""

from __future__ import annotations

import datetime as dt
import hashlib
import secrets
import uuid
from collections import OrderedDict
from collections.abc import Collection, Sequence
from typing import Any, Final, NamedTuple

from eventstore.db import Database, among, array
from eventstore.errors import NotAllowed, NotFound
from eventstore.operators import NOBODY, Operators
from eventstore.recovery import Recovery, hash_of_code, new_code
from eventstore.uses import Uses

MANAGE: Final = "token:manage"
OPERATOR: Final = "operator"  # of whoever runs the server; no player gets it by signing up
SCOPES: Final = ("match:read", "match:play", "match:create", "bot:play", MANAGE)
REMEMBERED: Final = 10_000

# The row of the maker is held until the new token is in: whoever revokes the maker meanwhile waits, and finds it.
ISSUE: Final = """
WITH maker AS (
    SELECT player_id, token_id, expires_at FROM good_tokens WHERE token_hash = %(maker)s FOR SHARE
)
INSERT INTO tokens (token_hash, token_id, player_id, scopes, label, created_at, made_by, expires_at)
SELECT %(hash)s, %(id)s, player_id, %(scopes)s, %(label)s, %(now)s, token_id,
       least(expires_at, %(expires_at)s::timestamptz) -- which passes over nulls: none outlives its maker
FROM maker RETURNING made_by, expires_at
"""

# A token and all that came of it: what it made, and what those made.
_LINE: Final = """
WITH RECURSIVE line (token_id) AS (
    SELECT token_id FROM tokens WHERE token_id = %(root)s AND player_id = %(player)s
    UNION
    SELECT made.token_id FROM tokens made JOIN line ON made.made_by = line.token_id WHERE made.player_id = %(player)s
)"""

LIST: Final = f"""{_LINE}
SELECT token_id, label, scopes, created_at, expires_at, last_used_at, revoked_at, made_by FROM tokens
WHERE player_id = %(player)s AND (%(all)s OR token_id IN (SELECT token_id FROM line)) ORDER BY created_at, token_id
"""

WITHIN_REACH: Final = f"{_LINE} SELECT 1 FROM line WHERE token_id = %(wanted)s"

STILL_GOOD: Final = f"SELECT token_hash FROM good_tokens WHERE token_hash {among('bytea')}"

# The last line is judged anew where another rotation, or a revocation, came first: whoever is told of a secret has one
# that is good.
ROTATE: Final = """
UPDATE tokens SET token_hash = %(hash)s
WHERE token_id = (SELECT token_id FROM good_tokens WHERE token_id = %(wanted)s AND player_id = %(player)s)
  AND EXISTS (SELECT FROM good_tokens WHERE token_hash = %(caller)s)
  AND revoked_at IS NULL AND (token_id <> %(caller_id)s OR token_hash = %(caller)s)
RETURNING label, scopes, created_at, expires_at, last_used_at, made_by
"""

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
    expires_at: dt.datetime | None = None


def hash_of(token: str) -> bytes:
    return hashlib.sha256(token.encode()).digest()


class Players:
    def __init__(self, database: Database) -> None:
        self._db = database
        self._known: OrderedDict[bytes, Caller] = OrderedDict()
        self.uses = Uses(database)
        self.recovery = Recovery(database)
        self.operators = Operators(database)

    def sign_up(self, name: str, scopes: Sequence[str] = SCOPES) -> tuple[dict[str, Any], str]:
        """A guest needs a name only. Returns the player, with the recovery code, and the first token."""
        player_id, now, token = str(uuid.uuid4()), dt.datetime.now(dt.UTC), secrets.token_urlsafe(32)
        code = new_code()
        self._db.run(
            "WITH p AS (INSERT INTO players (player_id, name, created_at, recovery_hash) "
            "VALUES (%(id)s, %(name)s, %(now)s, %(code)s) RETURNING player_id) "
            "INSERT INTO tokens (token_hash, token_id, player_id, scopes, label, created_at) "
            "SELECT %(hash)s, %(token_id)s, player_id, %(scopes)s, 'first', %(now)s FROM p",
            {
                "id": player_id,
                "name": name,
                "now": now,
                "code": hash_of_code(code),
                "hash": hash_of(token),
                "token_id": str(uuid.uuid4()),
                "scopes": list(scopes),
            },
        )
        return {"id": player_id, "name": name, "created_at": now, "recovery_code": code}, token

    def remembers(self, token: str) -> bool:
        """Whether the token was good when it was last looked at here."""
        return hash_of(token) in self._known

    def caller(self, token: str, *, remembered: bool = False) -> Caller | None:
        """Who this token belongs to. A remembered one may be good no longer: only for appends that check it too."""
        key = hash_of(token)
        if remembered and (known := self._known.get(key)) is not None:
            self.uses.note(key)
            return known
        rows = self._db.run(
            "SELECT t.player_id, p.name, t.scopes, t.token_id, t.expires_at FROM good_tokens t "
            "JOIN players p USING (player_id) WHERE t.token_hash = %s",
            (key,),
        )
        if not rows:
            self._known.pop(key, None)
            return None
        found = Caller(str(rows[0][0]), rows[0][1], frozenset(rows[0][2]), key, str(rows[0][3]), rows[0][4])
        self._known[key] = found
        self.uses.note(key)
        if len(self._known) > REMEMBERED:
            self._known.popitem(last=False)
        return found

    def good(self, tokens: Collection[bytes]) -> set[bytes]:
        """Those of these hashes whose tokens are still good."""
        hashes = array(rf"\\x{token.hex()}" for token in tokens)
        return {token_hash for (token_hash,) in self._db.run(STILL_GOOD, (hashes,))}

    def issue(
        self, caller: Caller, label: str, scopes: Sequence[str], expires_at: dt.datetime | None = None
    ) -> tuple[dict[str, Any], str]:
        """A further token, which expires with the caller's at the latest."""
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
                "expires_at": expires_at,
            },
        )
        if not made:
            raise NotAllowed("the token is good no longer")
        maker, expires_at = made[0]
        shown = {"id": token_id, "label": label, "scopes": list(scopes), "created_at": now, "expires_at": expires_at}
        return shown | {"last_used_at": None, "made_by": str(maker)}, token

    def tokens(self, caller: Caller) -> list[dict[str, Any]]:
        """All tokens of the owner with `token:manage`; otherwise the caller's own and what came of it."""
        rows = self._db.run(LIST, {"player": caller.player_id, "root": caller.token_id, "all": MANAGE in caller.scopes})
        names = ("id", "label", "scopes", "created_at", "expires_at", "last_used_at", "revoked_at", "made_by")
        return [
            dict(zip(names, (str(row[0]), *row[1:7], str(row[7]) if row[7] else None), strict=True)) for row in rows
        ]

    def rotate(self, caller: Caller, token_id: str) -> tuple[dict[str, Any], str]:
        """A new secret for a token; the one before is good no longer. All else about it stays, what it made too."""
        self._within_reach(caller, token_id)
        token = secrets.token_urlsafe(32)
        given = {"wanted": token_id, "player": caller.player_id, "caller": caller.token_hash, "hash": hash_of(token)}
        rows = self._db.run(ROTATE, {**given, "caller_id": caller.token_id})
        if not rows:
            raise NotFound(token_id) if self.good([caller.token_hash]) else NotAllowed("the token is good no longer")
        *told, maker = rows[0]
        names = ("label", "scopes", "created_at", "expires_at", "last_used_at")
        shown = {"id": token_id, **dict(zip(names, told, strict=True)), "made_by": str(maker) if maker else None}
        return shown, token

    def _within_reach(self, caller: Caller, token_id: str) -> None:
        root = token_id if MANAGE in caller.scopes else caller.token_id
        if not self._db.run(WITHIN_REACH, {"player": caller.player_id, "root": root, "wanted": token_id}):
            raise NotFound(token_id)

    def revoke(self, caller: Caller, token_id: str) -> None:
        """Revokes a token and all that came of it."""
        self._within_reach(caller, token_id)
        ends = {"player": caller.player_id, "root": token_id, "caller": caller.token_id, "now": dt.datetime.now(dt.UTC)}
        # A token that was being made at that moment is not yet seen by the first statement, but by the next.
        while revoked := self._db.run(REVOKE, ends):
            for (token_hash,) in revoked:
                self._known.pop(token_hash, None)

    def rename(self, player_id: str, name: str) -> None:
        query = "UPDATE players SET name = %(name)s WHERE player_id = %(id)s AND ended_at IS NULL RETURNING 1"
        if not self._db.run(query, {"id": player_id, "name": name}):
            raise NotFound(player_id)

    def plays(self, player_id: str) -> bool:
        """Whether there is such a player, who can still sit down somewhere."""
        query = "SELECT 1 FROM players WHERE player_id = %s AND ended_at IS NULL AND player_id <> %s"
        return bool(self._db.run(query, (player_id, NOBODY)))
