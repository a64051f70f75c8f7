#!/usr/bin/env python3
"""Verifies a match of Parlor from outside. It needs Python 3.10 or newer and nothing else.

    python verify_match.py match.ndjson [--head HASH]

The file holds the events as `GET /v1/matches/{id}/events` gives them with `Accept: application/x-ndjson`; `-` reads
them from standard input. `--head` is a hash that you or another seat noted during the match: it must be in the chain.
It ends with 0 if all fits, with 1 if something does not. How and why: docs/audit.md.
"""

from __future__ import annotations

import argparse
import hashlib
import hmac
import json
import sys
from collections.abc import Iterable, Iterator
from typing import Any, NamedTuple

FIELDS = {"version", "type", "schema", "actor", "command_id", "at", "public", "secret", "hash"}


class DoesNotFit(Exception):
    """The events were not made by the formulas, or not all of them are here."""


class Report(NamedTuple):
    match_id: str
    game: str
    events: int
    opened: int  # secret parts that were compared with their commitments
    closed: int  # secret parts of which only the commitment is known
    draws: int | None  # None: the seed is not revealed yet, so no draw can be recomputed
    head: str


# Reading and writing JSON


def read(line: str) -> Any:
    """Strict JSON: no fractions, no key twice, so that there is one way only to write the value again."""

    def pairs(found: list[tuple[str, Any]]) -> dict[str, Any]:
        if len({key for key, _ in found}) != len(found):
            raise DoesNotFit("a key stands twice in one object")
        return dict(found)

    def never(text: str) -> Any:
        raise DoesNotFit(f"events hold whole numbers only, not {text}")

    return json.loads(line, object_pairs_hook=pairs, parse_float=never, parse_constant=never)


def canonical(value: Any) -> bytes:
    return json.dumps(value, sort_keys=True, separators=(",", ":"), ensure_ascii=False).encode()


# The chain and the commitments


def follow(event: dict[str, Any], version: int, previous: bytes) -> bytes:
    """Checks one event against the hash before it, and every secret part that is shown. Returns the event's hash."""
    where = f"version {version}"
    if set(event) != FIELDS:
        raise DoesNotFit(f"{where}: not the fields of an event")
    if event["version"] != version:
        raise DoesNotFit(f"{where} is missing or out of order")
    for audience, kept in event["secret"].items():
        if "part" in kept:
            found = hashlib.sha256(bytes.fromhex(kept["salt"]) + canonical(kept["part"])).hexdigest()
            if found != kept["commitment"]:
                raise DoesNotFit(f"{where}: the part for {audience} does not fit its commitment")
    hashed = {name: event[name] for name in FIELDS - {"hash"}}
    hashed["secret"] = {audience: kept["commitment"] for audience, kept in event["secret"].items()}
    found_hash = hashlib.sha256(previous + canonical(hashed)).digest()
    if found_hash.hex() != event["hash"]:
        raise DoesNotFit(f"{where}: the hash does not fit")
    return found_hash


# Chance


def words(seed: bytes, match_id: str, client_seeds: list[str], n: int) -> Iterator[int]:
    """Draw number n as an endless stream of 32-bit numbers."""
    block = 0
    while True:
        message = f"{match_id}|{','.join(client_seeds)}|{n}|{block}"
        digest = hmac.digest(seed, message.encode(), "sha256")
        yield from (int.from_bytes(digest[at : at + 4], "big") for at in range(0, 32, 4))
        block += 1


def below(stream: Iterator[int], k: int) -> int:
    if not 0 < k <= 2**32:
        raise DoesNotFit(f"no number below {k} can be drawn")
    limit = 2**32 - 2**32 % k
    return next(word for word in stream if word < limit) % k


def draw(stream: Iterator[int], kind: str, size: list[int]) -> list[int]:
    if kind == "dice":
        count, faces = size
        return [1 + below(stream, faces) for _ in range(count)]
    if kind == "pick":
        return [below(stream, size[0])]
    if kind == "shuffle":
        order = list(range(size[0]))
        for last in range(size[0] - 1, 0, -1):
            other = below(stream, last + 1)
            order[last], order[other] = order[other], order[last]
        return order
    raise DoesNotFit(f"a draw of an unknown kind: {kind}")


# The whole match


def verify(lines: Iterable[str], head: str | None = None) -> Report:
    try:
        return _verify([read(line) for line in lines if line.strip()], head)
    except (LookupError, TypeError, ValueError, AttributeError, RecursionError) as error:
        raise DoesNotFit(f"this is not the log of a match: {type(error).__name__} {error}") from None


def _verify(events: list[dict[str, Any]], head: str | None) -> Report:
    previous = bytes(32)
    for version, event in enumerate(events, start=1):
        previous = follow(event, version, previous)
    if not events or events[0]["type"] != "match_opened":
        raise DoesNotFit("the log does not begin with match_opened")
    if head is not None and head not in {event["hash"] for event in events}:
        raise DoesNotFit("the hash that was noted is not in this chain")
    parts = [kept for event in events for kept in event["secret"].values()]
    opened = sum("part" in kept for kept in parts)
    first = events[0]["public"]
    over = [event["version"] for event in events if event["type"] == "match_ended"]
    if over and over != [len(events)]:
        raise DoesNotFit("something follows the end of the match")
    draws = _chance(events) if over else None
    return Report(first["match_id"], first["game"], len(events), opened, len(parts) - opened, draws, previous.hex())


def _chance(events: list[dict[str, Any]]) -> int:
    """With the seed: that it is the promised one, that all salts come from it, and all draws. Returns their number."""
    first, last = events[0]["public"], events[-1]["public"]
    seed, match_id = bytes.fromhex(last["server_seed"]), first["match_id"]
    if hashlib.sha256(seed).hexdigest() != first["seed_commitment"]:
        raise DoesNotFit("the seed is not the one that was promised in the first event")
    client_seeds = [seat["client_seed"] for seat in first["seats"]]
    started = drawn = 0
    for event in events:
        where, public = f"version {event['version']}", event["public"]
        for audience, kept in event["secret"].items():
            if "part" not in kept:
                raise DoesNotFit(f"{where}: a part is closed though the match is over; fetch the log again")
            message = f"salt|{match_id}|{event['version']}|{audience}"
            if hmac.digest(seed, message.encode(), "sha256").hex() != kept["salt"]:
                raise DoesNotFit(f"{where}: the salt for {audience} does not come from the seed")
        if event["type"] == "seat_taken":
            client_seeds[public["seat"]] = public["client_seed"]
        if event["type"] == "match_started":
            started += 1
            if public["client_seeds"] != client_seeds:
                raise DoesNotFit(f"{where}: these are not the client seeds that the seats gave")
        closed = event["secret"].get("table", {}).get("part", {}).get("draw")
        if "draw" not in public:
            if closed is not None:
                raise DoesNotFit(f"{where}: the result of a draw that was not announced")
            continue
        record, drawn = public["draw"], drawn + 1
        if not started or record["n"] != drawn:
            raise DoesNotFit(f"{where}: draw {record['n']} is out of order")
        result = closed["result"] if closed is not None else record["result"]
        if len(result) != (1 if record["kind"] == "pick" else record["size"][0]):
            raise DoesNotFit(f"{where}: draw {drawn} does not have the size it says")
        if draw(words(seed, match_id, client_seeds, drawn), record["kind"], record["size"]) != result:
            raise DoesNotFit(f"{where}: draw {drawn} does not come from the seed")
    return drawn


def main(arguments: list[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description="Verifies a match of Parlor.")
    parser.add_argument("file", help="the events as NDJSON; - for standard input")
    parser.add_argument("--head", help="a hash noted during the match, which must be in the chain")
    given = parser.parse_args(arguments)
    try:
        with open(0 if given.file == "-" else given.file, encoding="utf-8") as lines:
            report = verify(lines, given.head and given.head.lower())
    except (DoesNotFit, OSError) as error:
        print(f"FAILED: {error}", file=sys.stderr)
        return 1
    print(f"match {report.match_id} of {report.game}")
    print(f"chain: {report.events} events fit, the last hash is {report.head}")
    print(f"secrets: {report.opened} parts fit their commitments, {report.closed} are closed to you")
    if report.draws is None:
        print("chance: the match is not over, so the seed is not known and no draw could be recomputed")
    else:
        print(f"chance: the seed is the promised one, {report.draws} draws recomputed")
    return 0


if __name__ == "__main__":
    sys.exit(main())
