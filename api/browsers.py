"""What browsers want: leave for pages from elsewhere (CORS), and answers that take less of the wire.

Nobody is known here by a cookie, so a page from elsewhere can do nothing with its visitor's rights: it has to have a
token. Leave is given to origins all the same, since somebody's page may be the only thing inside somebody's network.
"""

from __future__ import annotations

import gzip
import re
from collections.abc import Iterable
from typing import Any, Final

from eventstore.settings import EVERYWHERE

Headers = list[tuple[str, str]]

EXPOSED: Final = "ETag, Location, Retry-After, RateLimit, RateLimit-Policy, Preference-Applied, X-Request-ID"
METHODS: Final = "GET, HEAD, POST, PUT, PATCH, DELETE"
TAKEN: Final = (
    "Accept, Authorization, Content-Type, Idempotency-Key, If-Match, If-None-Match, Last-Event-ID, Prefer, X-Request-ID"
)
PREFLIGHT_SECONDS: Final = 7200  # more than that no browser believes


class Origins:
    """Whose pages may read answers. An origin is one of these, letter by letter, or it is not."""

    def __init__(self, allowed: Iterable[str]) -> None:
        self._allowed = frozenset(allowed)
        self._all = EVERYWHERE in self._allowed

    def tell(self, headers: Headers, origin: str | None) -> None:
        """Adds to an answer what a page of this origin may do with it."""
        if not self._allowed:
            return
        if not self._all:
            varies(headers, "Origin")
        if self._allows(origin):
            headers.append(("Access-Control-Allow-Origin", EVERYWHERE if self._all else str(origin)))
            headers.append(("Access-Control-Expose-Headers", EXPOSED))

    def _allows(self, origin: str | None) -> bool:
        return origin is not None and (self._all or origin in self._allowed)

    def preflight(self, environ: dict[str, Any]) -> Headers | None:
        """The answer to a browser that asks whether a page may send a request. Nothing if it may not, or does not."""
        if environ["REQUEST_METHOD"] != "OPTIONS" or "HTTP_ACCESS_CONTROL_REQUEST_METHOD" not in environ:
            return None
        if not self._allows(environ.get("HTTP_ORIGIN")):
            return None
        return [
            ("Access-Control-Allow-Methods", METHODS),
            ("Access-Control-Allow-Headers", TAKEN),
            ("Access-Control-Max-Age", str(PREFLIGHT_SECONDS)),
        ]


def varies(headers: Headers, on: str) -> None:
    """Says that the answer depends on one more header of the request."""
    for n, (name, text) in enumerate(headers):
        if name == "Vary":
            if on not in text:
                headers[n] = name, f"{text}, {on}"
            return
    headers.append(("Vary", on))


# ── Compression ─────────────────────────────────────────────────────────────────────────────────────────────────

WORTH_IT: Final = 2048  # bytes; less travels in a packet or two anyway
TOO_LONG: Final = 4 * 1024 * 1024
LEVEL: Final = 5
NONE_OF_IT: Final = re.compile(r"q\s*=\s*0(\.0*)?")
TEXTS: Final = ("application/json", "application/yaml", "text/", "image/svg+xml")


def takes_gzip(accepted: str) -> bool:
    """
    >>> [takes_gzip(text) for text in ("gzip, br", "deflate, GZIP;q=0.5", "gzip;q=0", "*", "*, gzip;q=0.0", "br", "")]
    [True, True, False, True, False, False, False]
    """
    wanted = {}
    for part in accepted.lower().split(","):
        coding, _, weight = part.partition(";")
        wanted[coding.strip()] = not NONE_OF_IT.fullmatch(weight.strip())
    return wanted.get("gzip", wanted.get("*", False))


def worth_compressing(status: str, headers: Headers) -> bool:
    """A whole answer of known length that is text and long.

    Only 200: tokens and secrets stand in answers of 201, and that of a rotated token in one that is never long. Nothing
    that others chose may be compressed with them.
    """
    told = dict(headers)
    length, kind = told.get("Content-Length", ""), told.get("Content-Type", "")
    if not length.isdecimal() or not WORTH_IT <= int(length) <= TOO_LONG or not status.startswith("200"):
        return False
    return kind.startswith(TEXTS) and not kind.startswith("text/event-stream") and "Content-Encoding" not in told


def compressed(headers: Headers, body: Iterable[bytes]) -> tuple[Headers, list[bytes]]:
    """The ETag stays: it names the version of a match, which clients send back, and not the bytes of an answer."""
    smaller = gzip.compress(b"".join(body), LEVEL, mtime=0)
    if close := getattr(body, "close", None):
        close()
    return [("Content-Length", str(len(smaller))), *compressed_head(headers)], [smaller]


def compressed_head(headers: Headers) -> Headers:
    """The headers of a compressed answer whose length nobody has counted."""
    return [*(header for header in headers if header[0] != "Content-Length"), ("Content-Encoding", "gzip")]
