"""The hash chain. Every seat can verify it while the match is on; once the seed is revealed everything opens.

hash(v) = SHA-256(hash(v-1) + canonical JSON of event v), where a secret part enters only as its commitment
SHA-256(salt + canonical JSON of the part). The salt comes from the server seed, the version and the audience, so
nobody can try out cards against a commitment before the seed is known.
"""

from __future__ import annotations

import datetime as dt
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


class Stored(NamedTuple):
    """An event as it lies in the log."""

    version: int
    parts: Parts
    schema: int
    actor: str
    command_id: str
    at: dt.datetime
    hash: bytes
    # By audience, where it was just appended: whoever shows it at once need not seal it again.
    seals: Mapping[str, Seal] | None = None


def canonical(value: Any) -> bytes:
    """Sorted keys, no white space, UTF-8; events hold no fractions, so that every language writes the same bytes."""
    return orjson.dumps(value, option=orjson.OPT_SORT_KEYS)


def instant(at: dt.datetime) -> str:
    return at.astimezone(dt.UTC).isoformat(timespec="microseconds").removesuffix("+00:00") + "Z"


def salt(seed: bytes, match_id: str, version: int, audience: str) -> bytes:
    return hmac.digest(seed, f"salt|{match_id}|{version}|{audience}".encode(), "sha256")


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


def body(stored: Stored, secrets: Mapping[str, Any]) -> dict[str, Any]:
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
    digest = link(previous, body(stored, {key: seal.commitment for key, seal in found.items()}))
    return Stored(*stored[:6], digest, found)


class Closed(NamedTuple):
    """An event as nobody in particular may see it, with all it takes to verify the chain; and how to open the rest."""

    event: dict[str, Any]
    seals: Mapping[str, Seal]
    secret: Mapping[str, Any]

    def to(self, seat: Seat | None, over: bool) -> dict[str, Any]:
        """As one seat may see it."""
        shown = {
            key: {"commitment": seal.commitment, "salt": seal.salt.hex(), "part": self.secret[key]}
            for key, seal in self.seals.items()
            if over or may_see(key, seat)
        }
        return {**self.event, "secret": {**self.event["secret"], **shown}} if shown else self.event


def closed(stored: Stored, match_id: str, seed: bytes) -> Closed:
    found = stored.seals if stored.seals is not None else seals(seed, match_id, stored.version, stored.parts.secret)
    event = body(stored, {key: {"commitment": seal.commitment} for key, seal in found.items()})
    event["hash"] = stored.hash.hex()
    return Closed(event, found, stored.parts.secret)


def redacted(stored: Stored, match_id: str, seed: bytes, seat: Seat | None, over: bool) -> dict[str, Any]:
    """The event as one seat may see it, with all it takes to verify the chain."""
    return closed(stored, match_id, seed).to(seat, over)


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
