"""Reading a log line by line: strictly, since there may be one way only to write each value, and within bounds."""

from __future__ import annotations

import calendar
import json
import re
from collections.abc import Iterator, Mapping
from typing import Any, BinaryIO, Final, NamedTuple

from domain.audit.report import Wrong
from domain.wire import LARGEST

LONGEST: Final = 1 << 20  # bytes of a line; events have a few thousand
DEEPEST: Final = 40
FIELDS: Final = frozenset({"version", "type", "schema", "actor", "command_id", "at", "public", "secret", "hash"})
HASH: Final = re.compile(r"[0-9a-f]{64}")
INSTANT: Final = re.compile(r"(\d{4})-(\d\d)-(\d\d)T(\d\d):(\d\d):(\d\d)\.(\d{6})Z", re.ASCII)
AUDIENCE: Final = re.compile(r"table|\d+(\+\d+)*", re.ASCII)
FORMAT: Final = "parlor-audit"
FORMAT_VERSION: Final = 1


class Secret(NamedTuple):
    """A secret part: what was committed to, and the part with its salt if the reader has it."""

    commitment: str
    salt: bytes | None
    part: dict[str, Any] | None


class Logged(NamedTuple):
    """An event as a bundle has it."""

    version: int
    type: str
    schema: int
    actor: str
    command_id: str
    at: str
    public: dict[str, Any]
    secret: Mapping[str, Secret]
    hash: str


# ── Lines ───────────────────────────────────────────────────────────────────────────────────────────────────────


class Line(NamedTuple):
    number: int  # from 1
    size: int  # in bytes
    found: dict[str, Any]


def lines(file: BinaryIO) -> Iterator[Line]:
    """Every line as an object. No line is held longer than it is needed."""
    number = 0
    while raw := file.readline(LONGEST + 1):
        number += 1
        if len(raw) > LONGEST:
            raise Wrong("format", 0, f"line {number} has more than {LONGEST} bytes")
        if not raw.strip(b" \t\r\n"):
            continue
        if not raw.endswith(b"\n") and not raw.rstrip().endswith(b"}"):
            raise Wrong("format", 0, f"line {number} is cut off")
        yield Line(number, len(raw), parsed(raw, f"line {number}"))


def parsed(raw: bytes, what: str) -> dict[str, Any]:
    """An object, read so that there is one way only to write it again."""
    try:
        found = json.loads(
            raw.decode(), object_pairs_hook=_once, parse_float=_never, parse_constant=_never, parse_int=_whole
        )
        if b"\\u" in raw:
            canonical(found)  # half a character can be read, and not be written
    except RecursionError:
        raise Wrong("format", 0, f"{what} is nested too deeply") from None
    except UnicodeError:
        raise Wrong("format", 0, f"{what} is not UTF-8") from None
    except ValueError as error:
        raise Wrong("format", 0, f"{what} is not JSON: {error}") from None
    if not isinstance(found, dict):
        raise Wrong("format", 0, f"{what} is not an object")
    if not _shallow(found, DEEPEST):
        raise Wrong("format", 0, f"{what} is nested too deeply")
    return found


def _once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) != len(pairs):
        raise ValueError("a key stands twice in one object")
    return found


def _never(text: str) -> Any:
    raise ValueError(f"there are whole numbers only, not {text[:20]}")


def _whole(text: str) -> int:
    if len(text) > 17 or abs(number := int(text)) > LARGEST or (text.startswith("-") and number == 0):
        raise ValueError(f"{text[:20]} is not written as a whole number within bounds")
    return number


def _shallow(value: Any, depth: int) -> bool:
    if isinstance(value, dict):
        return depth > 0 and all(_shallow(one, depth - 1) for one in value.values())
    if isinstance(value, list):
        return depth > 0 and all(_shallow(one, depth - 1) for one in value)
    return True


# ── Events ──────────────────────────────────────────────────────────────────────────────────────────────────────


def event(found: Mapping[str, Any], version: int) -> Logged:
    """One line as the event that this version should be."""

    def must(fits: bool, text: str) -> None:
        if not fits:
            raise Wrong("format", version, text)

    must(set(found) == FIELDS, "these are not the fields of an event")
    must(type(found["version"]) is int and found["version"] > 0, "the version is no number from 1 on")
    for name in ("type", "actor", "command_id"):
        must(type(found[name]) is str, f"{name} is no text")
    must(type(found["schema"]) is int and found["schema"] > 0, "schema is no number from 1 on")
    must(type(found["at"]) is str and microseconds(found["at"]) is not None, "at is no instant in UTC")
    must(type(found["hash"]) is str and HASH.fullmatch(found["hash"]) is not None, "hash is no hash")
    must(type(found["public"]) is dict and type(found["secret"]) is dict, "public and secret are objects")
    secrets = {}
    for key, kept in found["secret"].items():
        must(AUDIENCE.fullmatch(key) is not None, f"{key!r} is no audience")
        must(
            type(kept) is dict and set(kept) in ({"commitment"}, {"commitment", "salt", "part"}),
            f"the part for {key} has other fields",
        )
        must(
            type(kept["commitment"]) is str and HASH.fullmatch(kept["commitment"]) is not None,
            f"the commitment for {key} is none",
        )
        if "part" in kept:
            must(type(kept["salt"]) is str and HASH.fullmatch(kept["salt"]) is not None, f"the salt for {key} is none")
            must(type(kept["part"]) is dict, f"the part for {key} is no object")
            secrets[key] = Secret(kept["commitment"], bytes.fromhex(kept["salt"]), kept["part"])
        else:
            secrets[key] = Secret(kept["commitment"], None, None)
    rest = {name: found[name] for name in ("version", "type", "schema", "actor", "command_id", "at", "public", "hash")}
    return Logged(**rest, secret=secrets)


def microseconds(at: str) -> int | None:
    """An instant as a number to reckon with; nothing if there was no such instant."""
    found = INSTANT.fullmatch(at)
    if found is None:
        return None
    year, month, day, hour, minute, second, fraction = map(int, found.groups())
    if not (year > 0 and 1 <= month <= 12 and hour < 24 and minute < 60 and second < 60):
        return None
    if not 1 <= day <= calendar.monthrange(year, month)[1]:
        return None
    return calendar.timegm((year, month, day, hour, minute, second)) * 1_000_000 + fraction


def canonical(value: Any) -> bytes:
    """Sorted keys, no white space, UTF-8."""
    return json.dumps(value, sort_keys=True, separators=(",", ":"), ensure_ascii=False).encode()
