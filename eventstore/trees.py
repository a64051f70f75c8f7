"""A tree a day over the heads of all matches that changed: one signed root that binds the whole database."""

from __future__ import annotations

import datetime as dt
import functools
import uuid
from typing import Any, Final, NamedTuple

from domain.audit import merkle
from eventstore.chain import instant
from eventstore.db import Database
from eventstore.errors import NotFound
from eventstore.signing import Signed, Signer

LEAF: Final = 16 + 4 + 32  # bytes: the match, its version, its head
SETTLE: Final = dt.timedelta(minutes=1)  # for commits that were begun before and are not done

CHANGED: Final = """
SELECT m.match_id, m.version, e.hash FROM matches m JOIN events e ON e.match_id = m.match_id AND e.version = m.version
WHERE m.updated_at > %(since)s AND m.updated_at <= %(upto)s ORDER BY m.match_id
"""
# Whoever is first has made the tree of the day; the others find it there.
KEEP: Final = """
INSERT INTO trees (day, upto, size, root, leaves, at, key_id, signature)
VALUES (%(day)s, %(upto)s, %(size)s, %(root)s, %(leaves)s, %(at)s, %(key)s, %(signature)s)
ON CONFLICT (day) DO NOTHING RETURNING day
"""
LIST: Final = "SELECT day, size, root, at, key_id, signature FROM trees ORDER BY day DESC LIMIT %(limit)s"
ONE: Final = "SELECT day, size, root, at, key_id, signature FROM trees WHERE day = %(day)s"


class Head(NamedTuple):
    match_id: str
    version: int
    head: str

    @property
    def leaf(self) -> bytes:
        return merkle.leaf(merkle.entry(*self))


def statement(day: dt.date, size: int, root: bytes, at: dt.datetime) -> dict[str, Any]:
    return {"kind": "tree", "day": day.isoformat(), "size": size, "root": root.hex(), "at": instant(at)}


class Trees:
    def __init__(self, database: Database) -> None:
        self._db = database
        self._leaves = functools.lru_cache(maxsize=4)(self._read_leaves)

    def grow(self, signer: Signer, now: dt.datetime) -> bool:
        """The tree of today, if nobody has made it yet: of all that changed since the one before."""
        day = now.astimezone(dt.UTC).date()
        rows = self._db.run("SELECT day, upto FROM trees ORDER BY day DESC LIMIT 1")
        if rows and rows[0][0] >= day:
            return False
        since, upto = rows[0][1] if rows else dt.datetime(1, 1, 2, tzinfo=dt.UTC), now - SETTLE
        found = self._db.run(CHANGED, {"since": since, "upto": upto})
        heads = [Head(str(match_id), version, bytes(head).hex()) for match_id, version, head in found]
        root = merkle.root([head.leaf for head in heads])
        signed = signer.sign(statement(day, len(heads), root, now))
        kept = {
            "day": day,
            "upto": upto,
            "size": len(heads),
            "root": root,
            "leaves": b"".join(_packed(head) for head in heads),
            "at": now,
            "key": signed.key_id,
            "signature": signed.signature,
        }
        return bool(self._db.run(KEEP, kept))

    def newest(self, limit: int) -> list[Signed]:
        return [_signed(row) for row in self._db.run(LIST, {"limit": limit})]

    def root(self, day: dt.date) -> Signed:
        rows = self._db.run(ONE, {"day": day})
        if not rows:
            raise NotFound(f"tree of {day}")
        return _signed(rows[0])

    def proof(self, day: dt.date, match_id: str) -> dict[str, Any]:
        """That the head of a match was among those of a day."""
        signed = self.root(day)
        heads = self._leaves(day)
        place = next((n for n, head in enumerate(heads) if head.match_id == match_id), None)
        if place is None:
            raise NotFound(match_id)
        path = merkle.proof([head.leaf for head in heads], place)
        return {
            "leaf": {"match": match_id, "version": heads[place].version, "head": heads[place].head},
            "place": place,
            "path": [one.hex() for one in path],
            "tree": signed.as_json(),
        }

    def _read_leaves(self, day: dt.date) -> tuple[Head, ...]:
        rows = self._db.run("SELECT leaves FROM trees WHERE day = %s", (day,))
        raw = bytes(rows[0][0]) if rows else b""
        return tuple(_unpacked(raw[at : at + LEAF]) for at in range(0, len(raw), LEAF))


def _signed(row: Any) -> Signed:
    day, size, root, at, key_id, signature = row
    return Signed(statement(day, size, bytes(root), at), key_id, bytes(signature))


def _packed(head: Head) -> bytes:
    return uuid.UUID(head.match_id).bytes + head.version.to_bytes(4, "big") + bytes.fromhex(head.head)


def _unpacked(raw: bytes) -> Head:
    return Head(str(uuid.UUID(bytes=raw[:16])), int.from_bytes(raw[16:20], "big"), raw[20:].hex())
