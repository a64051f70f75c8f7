"""The server's signature: on the head of a match, so that it cannot take back what it once said.

What is signed is `parlor-signed-v1`, a line feed, and the statement as canonical JSON, by Ed25519.
"""

from __future__ import annotations

import datetime as dt
import hashlib
import os
import pathlib
import threading
from collections.abc import Mapping
from typing import Any, Final, NamedTuple

from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives import serialization
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey, Ed25519PublicKey

from eventstore.chain import canonical, instant
from eventstore.db import Database
from eventstore.errors import NotSigned

PREFIX: Final = b"parlor-signed-v1\n"
RAW: Final = (serialization.Encoding.Raw, serialization.PublicFormat.Raw)
FILE: Final = "signing-key.pem"


class SigningKeyError(Exception):
    """The key cannot be used; says how to mend it."""


class Signed(NamedTuple):
    """A statement with the server's name under it."""

    statement: Mapping[str, Any]
    key_id: str
    signature: bytes

    def as_json(self) -> dict[str, Any]:
        return {"statement": dict(self.statement), "key": self.key_id, "signature": self.signature.hex()}


def key_id_of(public: bytes) -> str:
    return hashlib.sha256(public).hexdigest()[:16]


def message(statement: Mapping[str, Any]) -> bytes:
    return PREFIX + canonical(statement)


def is_good(public: bytes, statement: Mapping[str, Any], signature: bytes) -> bool:
    try:
        Ed25519PublicKey.from_public_bytes(public).verify(signature, message(statement))
    except (InvalidSignature, ValueError):
        return False
    return True


def head_statement(kind: str, match_id: str, version: int, head: bytes, at: dt.datetime) -> dict[str, Any]:
    """`end` for the head of a match that is over, `receipt` for one that was asked for."""
    return {"kind": kind, "match": match_id, "version": version, "head": head.hex(), "at": instant(at)}


# ── The key ─────────────────────────────────────────────────────────────────────────────────────────────────────


def made(folder: pathlib.Path) -> pathlib.Path:
    """The key in a data folder; the first start makes it."""
    path = folder / FILE
    if not path.exists():
        write_new(path)
    return path


def write_new(path: pathlib.Path) -> None:
    pem = Ed25519PrivateKey.generate().private_bytes(
        serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8, serialization.NoEncryption()
    )
    fresh = path.with_suffix(".new")
    fresh.unlink(missing_ok=True)
    with os.fdopen(os.open(fresh, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "wb") as file:
        file.write(pem)
        if os.geteuid() == 0 and path.exists():
            before = path.stat()  # the server that reads it need not be root
            os.fchown(file.fileno(), before.st_uid, before.st_gid)
    fresh.replace(path)


def read_key(given: str) -> Ed25519PrivateKey:
    """A key as PEM, or the path of a file that holds one and that nobody else can read."""
    pem = given.encode()
    if not given.lstrip().startswith("-----BEGIN"):
        path = pathlib.Path(given)
        try:
            mode = path.stat().st_mode & 0o777
            pem = path.read_bytes()
        except OSError as error:
            raise SigningKeyError(f"the signing key {path} cannot be read: {error.strerror}") from None
        if mode & 0o077:
            raise SigningKeyError(f"others can read the signing key {path}: run `chmod 600 {path}`")
    try:
        key = serialization.load_pem_private_key(pem, password=None)
    except (ValueError, TypeError):
        raise SigningKeyError("the signing key is not a private key in PEM without a password") from None
    if not isinstance(key, Ed25519PrivateKey):
        raise SigningKeyError("the signing key is not an Ed25519 key")
    return key


class Signer:
    """Signs with the key of this server, if it has one. A key file that was replaced is read anew."""

    def __init__(self, database: Database, given: str | None) -> None:
        self._db, self._given = database, given
        self._lock = threading.Lock()
        self._known: tuple[float, Ed25519PrivateKey, str] | None = None
        if given is not None:
            read_key(given)  # wrong keys are told of at the start

    @property
    def signs(self) -> bool:
        return self._given is not None

    def sign(self, statement: Mapping[str, Any]) -> Signed:
        key, key_id = self._key()
        return Signed(statement, key_id, key.sign(message(statement)))

    def _key(self) -> tuple[Ed25519PrivateKey, str]:
        if self._given is None:
            raise NotSigned("this server has no signing key (PARLOR_SIGNING_KEY)")
        with self._lock:
            changed = 0.0
            if not self._given.lstrip().startswith("-----BEGIN"):
                changed = pathlib.Path(self._given).stat().st_mtime
            if self._known is None or self._known[0] != changed:
                key = read_key(self._given)
                public = key.public_key().public_bytes(*RAW)
                self._register(public)
                self._known = changed, key, key_id_of(public)
            return self._known[1:]

    def _register(self, public: bytes) -> None:
        """Whoever verifies needs the key for as long as anything it signed is about. The newest is the one in use."""
        now = dt.datetime.now(dt.UTC)
        self._db.run(
            "INSERT INTO signing_keys (key_id, public, since) VALUES (%s, %s, %s) ON CONFLICT (key_id) DO NOTHING",
            (key_id_of(public), public, now),
        )
        self._db.run(
            "UPDATE signing_keys SET retired_at = %s WHERE key_id <> %s AND retired_at IS NULL",
            (now, key_id_of(public)),
        )


def keys(database: Database) -> list[dict[str, Any]]:
    """All public keys that ever signed here, the newest first."""
    rows = database.run("SELECT key_id, public, since, retired_at FROM signing_keys ORDER BY since DESC, key_id")
    return [
        {
            "id": key_id,
            "algorithm": "Ed25519",
            "public": bytes(public).hex(),
            "since": instant(since),
            "until": retired and instant(retired),
        }
        for key_id, public, since, retired in rows
    ]


# ── Finished matches ────────────────────────────────────────────────────────────────────────────────────────────

UNSIGNED: Final = """
SELECT m.match_id, m.version, e.hash FROM matches m JOIN events e ON e.match_id = m.match_id AND e.version = m.version
WHERE m.status = 'over' AND NOT m.signed ORDER BY m.opened_at LIMIT %(limit)s
"""
KEEP: Final = """
WITH kept AS (
    INSERT INTO signatures (match_id, version, head, at, key_id, signature)
    VALUES (%(id)s, %(version)s, %(head)s, %(at)s, %(key)s, %(signature)s) ON CONFLICT DO NOTHING
)
UPDATE matches SET signed = true WHERE match_id = %(id)s AND version = %(version)s
"""


def sign_ended(database: Database, signer: Signer, limit: int = 200) -> int:
    """Signs matches that have ended; tells how many. What was signed once is never signed anew."""
    rows = database.run(UNSIGNED, {"limit": limit})
    for match_id, version, head in rows:
        at = dt.datetime.now(dt.UTC)
        signed = signer.sign(head_statement("end", str(match_id), version, head, at))
        given = {"id": match_id, "version": version, "head": head, "at": at, "key": signed.key_id}
        database.run(KEEP, {**given, "signature": signed.signature})
    return len(rows)


def signatures_of(database: Database, match_id: str) -> list[Signed]:
    """The head of a finished match as it was signed."""
    query = "SELECT version, head, at, key_id, signature FROM signatures WHERE match_id = %s ORDER BY version"
    return [
        Signed(head_statement("end", match_id, version, head, at), key_id, signature)
        for version, head, at, key_id, signature in database.run(query, (match_id,))
    ]
