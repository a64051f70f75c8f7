"""The messages of streams, in the two forms they are sent in: server-sent events, and one JSON object a line."""

from __future__ import annotations

from typing import Any, Final, Literal

import orjson

SSE: Final = "text/event-stream"
NDJSON: Final = "application/x-ndjson"

Form = Literal["text/event-stream", "application/x-ndjson"]
RETRY_MS: Final = 1000  # after which a browser comes back
KEEP_ALIVE: Final[dict[Form, bytes]] = {SSE: b":\n\n", NDJSON: b"\n"}


def written(form: Form, kind: str, its_id: int | str | None, body: bytes, *, retry: bool = False) -> bytes:
    """A message. Its body is an object in JSON, and so has no line breaks.

    >>> written("text/event-stream", "end", 7, b'{"version":7}')
    b'id: 7\\nevent: end\\ndata: {"version":7}\\n\\n'
    >>> written("application/x-ndjson", "end", 7, b'{"version":7}')
    b'{"kind":"end","version":7}\\n'
    """
    if form == NDJSON:
        return b'{"kind":"%b",%b\n' % (kind.encode(), body[1:])
    first = b"" if its_id is None else b"id: %b\n" % str(its_id).encode()
    again = b"retry: %d\n" % RETRY_MS if retry else b""
    return b"%b%bevent: %b\ndata: %b\n\n" % (first, again, kind.encode(), body)


def packed(body: dict[str, Any]) -> bytes:
    return orjson.dumps(body)


def chunk(raw: bytes) -> bytes:
    """A part of an answer that goes on, as HTTP/1.1 frames it."""
    return b"%x\r\n%b\r\n" % (len(raw), raw)


def bye(form: Form, reason: str, after: int | str | None) -> bytes:
    """The server's word that it ends the stream although there may be more: come back, and go on after this id."""
    return written(form, "bye", after, packed({"reason": reason, "after": after}), retry=True)
