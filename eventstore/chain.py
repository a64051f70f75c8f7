"""The hash chain. Every seat can verify it while the match is on; once the seed is revealed everything opens.

hash(v) = SHA-256(hash(v-1) + canonical JSON of event v), where a secret part enters only as its commitment
SHA-256(salt + canonical JSON of the part). The salt comes from the server seed, the version and the audience, so
nobody can try out cards against a commitment before the seed is known.
"""

from __future__ import annotations

import datetime as dt
import functools
import hashlib
import hmac
from collections.abc import Iterable, Mapping
from typing import Any, NamedTuple

import orjson

from domain.game import Seat
from domain.wire import Parts, may_see
from eventstore.errors import CorruptStream

GENESIS = bytes(32)


class Seal(NamedTuple):
    """What closes a secret part: the salt, and the commitment that stands in the chain."""

    salt: bytes
    commitment: str


Body = dict[str, Any]  # an event as everybody reads it; here its secret parts are as they lie in the log


class Closed(NamedTuple):
    """An event as nobody in particular may see it, with all it takes to verify the chain; and how to open the rest."""

    event: dict[str, Any]
    seals: Mapping[str, Seal]
    secret: Mapping[str, Any]

    def to(self, seat: Seat | None, over: bool) -> dict[str, Any]:
        """As one seat may see it."""
        for key in self.seals:
            if over or may_see(key, seat):
                return {**self.event, "secret": _shown(self.secret, self.seals, seat, over)}
        return self.event


class Stored(NamedTuple):
    """An event as it lies in the log."""

    version: int
    parts: Parts
    schema: int
    actor: str
    command_id: str
    at: dt.datetime
    hash: bytes
    closed: Closed | None = None  # where it was just appended: whoever shows it at once need not close it again


def canonical(value: Any) -> bytes:
    """Sorted keys, no white space, UTF-8; events hold no fractions, so that every language writes the same bytes."""
    return orjson.dumps(value, option=orjson.OPT_SORT_KEYS)


def instant(at: dt.datetime) -> str:
    # A fifth of the time that `isoformat` takes; only whole seconds are written shorter.
    text = orjson.dumps(at.astimezone(dt.UTC), option=orjson.OPT_UTC_Z)[1:-1].decode()
    return text if at.microsecond else f"{text[:-1]}.000000Z"


def salt(seed: bytes, match_id: str, version: int, audience: str) -> bytes:
    """HMAC-SHA-256, keyed with the seed, over `salt|match|version|audience`."""
    found = _begun(seed, match_id).copy()
    found.update(f"{version}|{audience}".encode())
    return found.digest()


@functools.lru_cache(maxsize=256)
def _begun(seed: bytes, match_id: str) -> hmac.HMAC:
    """What all salts of a match have in common: to begin anew takes longer than all the rest."""
    return hmac.new(seed, f"salt|{match_id}|".encode(), "sha256")


def commitment(salt_bytes: bytes, part: Mapping[str, Any]) -> str:
    return hashlib.sha256(salt_bytes + canonical(part)).hexdigest()


def seals(seed: bytes, match_id: str, version: int, secret: Mapping[str, Any]) -> dict[str, Seal]:
    found = {}
    for key, part in secret.items():
        salt_bytes = salt(seed, match_id, version, key)
        found[key] = Seal(salt_bytes, commitment(salt_bytes, part))
    return found


def link(previous: bytes, event: Mapping[str, Any]) -> bytes:
    return hashlib.sha256(previous + canonical(event)).digest()


def body(stored: Stored, secrets: Mapping[str, Any]) -> Body:
    """What is hashed of an event: all of it, its secrets as commitments."""
    return {
        "version": stored.version,
        "type": stored.parts.type,
        "schema": stored.schema,
        "actor": stored.actor,
        "command_id": stored.command_id,
        "at": instant(stored.at),
        "public": stored.parts.public,
        "secret": secrets,
    }


def chained(
    previous: bytes,
    seed: bytes,
    match_id: str,
    stored: Stored,
) -> Stored:
    """The event with its hash, linked to the one before it."""
    found = seals(seed, match_id, stored.version, stored.parts.secret)
    hashed = body(stored, {key: seal.commitment for key, seal in found.items()})
    digest = link(previous, hashed)
    return Stored(*stored[:6], digest, _closed(hashed, found, stored.parts.secret, digest))


def _closed(hashed: Body, found: Mapping[str, Seal], secret: Mapping[str, Any], digest: bytes) -> Closed:
    commitments = {key: {"commitment": seal.commitment} for key, seal in found.items()}
    return Closed({**hashed, "secret": commitments, "hash": digest.hex()}, found, secret)


def closed(stored: Stored, match_id: str, seed: bytes) -> Closed:
    if stored.closed is not None:
        return stored.closed
    found = seals(seed, match_id, stored.version, stored.parts.secret)
    return _closed(body(stored, {}), found, stored.parts.secret, stored.hash)


def redacted(stored: Stored, match_id: str, seed: bytes, seat: Seat | None, over: bool) -> dict[str, Any]:
    """The event as one seat may see it, with all it takes to verify the chain."""
    return closed(stored, match_id, seed).to(seat, over)


def redacted_body(event: Body, match_id: str, seed: bytes, seat: Seat | None, over: bool) -> Body:
    """The same, of an event that was read in the shape of its body."""
    secret = event["secret"]
    if not secret:
        return event
    version, shown = event["version"], {}
    for key, part in secret.items():
        salt_bytes = salt(seed, match_id, version, key)
        shown[key] = _opened(salt_bytes, commitment(salt_bytes, part), part, over or may_see(key, seat))
    return {**event, "secret": shown}


def _shown(secret: Mapping[str, Any], closed: Mapping[str, Seal], seat: Seat | None, over: bool) -> dict[str, Any]:
    return {
        key: _opened(salt_bytes, committed, secret[key], over or may_see(key, seat))
        for key, (salt_bytes, committed) in closed.items()
    }


def _opened(salt_bytes: bytes, committed: str, part: Mapping[str, Any], seen: bool) -> dict[str, Any]:
    """A secret part as somebody reads it: what it is only if he may see it."""
    if not seen:
        return {"commitment": committed}
    return {"commitment": committed, "salt": salt_bytes.hex(), "part": part}


def verify(events: Iterable[Mapping[str, Any]], previous: bytes = GENESIS) -> bytes:
    """Follows a chain of events as the API gives them to any seat, and returns the last hash.

    Everything that the reader may see is checked against its commitment; any byte that was changed is found.
    """
    for event in events:
        try:
            previous = _follow(event, previous)
        except (KeyError, TypeError, ValueError, AttributeError) as error:
            raise CorruptStream(f"an event is not in the shape of one: {error}") from None
    return previous


def _follow(event: Mapping[str, Any], previous: bytes) -> bytes:
    secrets = {}
    for key, kept in event["secret"].items():
        secrets[key] = kept["commitment"]
        if "part" in kept and commitment(bytes.fromhex(kept["salt"]), kept["part"]) != kept["commitment"]:
            raise CorruptStream(f"version {event['version']}: the part for {key} does not fit its commitment")
    hashed = {name: event[name] for name in event if name not in ("hash", "secret")} | {"secret": secrets}
    found = link(previous, hashed)
    if found.hex() != event["hash"]:
        raise CorruptStream(f"version {event['version']}: the hash does not fit")
    return found
