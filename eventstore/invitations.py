"""Invitations to tables: codes that a host gives away. The database keeps only their hashes."""

from __future__ import annotations

import datetime as dt
import hashlib
import secrets
import uuid
from typing import Any, Final, NamedTuple

from domain.game import Refused, Seat
from eventstore.db import Database
from eventstore.errors import NotFound

MOST: Final = 50  # invitations to one table

MAKE: Final = """
INSERT INTO invitations (match_id, invitation_id, code_hash, seat, uses, created_at, expires_at)
SELECT %(match)s, %(id)s, %(hash)s, %(seat)s::smallint, %(uses)s, %(now)s, %(expires_at)s::timestamptz
WHERE (SELECT count(*) FROM invitations WHERE match_id = %(match)s) < %(most)s
RETURNING invitation_id
"""
_COLUMNS: Final = "invitation_id, seat, uses, used, created_at, expires_at, revoked_at"
LIST: Final = f"SELECT {_COLUMNS} FROM invitations WHERE match_id = %s ORDER BY created_at, invitation_id"
FIND: Final = f"SELECT {_COLUMNS} FROM invitations WHERE match_id = %s AND code_hash = %s"
REVOKE: Final = """
UPDATE invitations SET revoked_at = coalesce(revoked_at, %(now)s)
WHERE match_id = %(match)s AND invitation_id = %(id)s RETURNING invitation_id
"""


class Invitation(NamedTuple):
    """Lets those in who have its code."""

    id: str
    seat: Seat | None
    uses: int
    used: int
    created_at: dt.datetime
    expires_at: dt.datetime | None
    revoked_at: dt.datetime | None

    def objection(self, now: dt.datetime) -> Refused | None:
        """Why it lets nobody in any more."""
        if self.revoked_at is not None:
            return Refused("PM-15", "invitation_revoked", "the host has taken this invitation back")
        if self.expires_at is not None and self.expires_at <= now:
            return Refused("PM-15", "invitation_expired", "this invitation has expired")
        if self.used >= self.uses:
            return Refused("PM-15", "invitation_used", "this invitation has been used already")
        return None


class Invitations:
    def __init__(self, database: Database) -> None:
        self._db = database

    def make(
        self, match_id: str, seat: Seat | None, uses: int, now: dt.datetime, expires_at: dt.datetime | None
    ) -> tuple[Invitation, str]:
        """An invitation and its code, which cannot be had a second time."""
        code = secrets.token_urlsafe(24)
        made = Invitation(str(uuid.uuid4()), seat, uses, 0, now, expires_at, None)
        params = {**made._asdict(), "match": match_id, "hash": _hash(code), "now": now, "most": MOST}
        if not self._db.run(MAKE, params):
            raise Refused(
                "PM-15",
                "too_many_invitations",
                f"a table has {MOST} invitations at the most, with those that were taken back",
            )
        return made, code

    def of(self, match_id: str) -> list[Invitation]:
        return [_invitation(row) for row in self._db.run(LIST, (match_id,))]

    def find(self, match_id: str, code: str) -> Invitation | None:
        rows = self._db.run(FIND, (match_id, _hash(code)))
        return _invitation(rows[0]) if rows else None

    def revoke(self, match_id: str, invitation_id: str, now: dt.datetime) -> None:
        if not self._db.run(REVOKE, {"match": match_id, "id": invitation_id, "now": now}):
            raise NotFound(invitation_id)


def _hash(code: str) -> bytes:
    return hashlib.sha256(code.encode()).digest()


def _invitation(row: Any) -> Invitation:
    return Invitation(str(row[0]), *row[1:])
