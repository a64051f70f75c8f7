"""Streams as a client reads them, for the tests."""

from __future__ import annotations

import functools
import http.client
import json
from collections.abc import Callable, Iterator
from typing import Any, NamedTuple

from tests.api.published import Published, committed
from tests.api.served import PATIENCE, Server

SSE = "text/event-stream"
NDJSON = "application/x-ndjson"


class Message(NamedTuple):
    kind: str
    id: str | None
    body: dict[str, Any]


@functools.cache
def document() -> Published:
    return Published(committed())


class Followed:
    """An answer that goes on. Every message is compared with what the document says of it."""

    def __init__(self, port: int, path: str, token: str | None, accept: str = SSE, **headers: str) -> None:
        self._connection = http.client.HTTPConnection("127.0.0.1", port, timeout=PATIENCE)
        told = {"Accept": accept, **{name.replace("_", "-"): text for name, text in headers.items()}}
        if token is not None:
            told["Authorization"] = f"Bearer {token}"
        self._connection.request("GET", path, headers=told)
        self._answer = self._connection.getresponse()
        self.status, self.headers = self._answer.status, self._answer.headers
        self._sse = accept == SSE
        self._message = "NoticeMessage" if path.startswith("/v1/events") else "MatchMessage"
        self.raw = b""
        self.kept_alive = 0

    def __enter__(self) -> Followed:
        return self

    def __exit__(self, *_: object) -> None:
        self._answer.close()
        self._connection.close()

    def problem(self, status: int, code: str) -> dict[str, Any]:
        body: dict[str, Any] = json.loads(self._answer.read())
        assert (self.status, body["code"]) == (status, code), body
        return body

    def _line(self) -> str | None:
        line = self._answer.readline()
        self.raw += line
        return line.decode().rstrip("\n") if line else None

    def read(self) -> Message | None:
        """The next message; nothing at the end."""
        fields: dict[str, str] = {}
        while (line := self._line()) is not None:
            if not self._sse:
                if line:
                    body = json.loads(line)
                    return self._checked(body.pop("kind"), None, body)
                self.kept_alive += 1
            elif line.startswith(":"):
                self.kept_alive += 1
            elif line:
                name, _, text = line.partition(": ")
                fields[name] = text
            elif fields:
                return self._checked(fields["event"], fields.get("id"), json.loads(fields["data"]))
        return None

    def _checked(self, kind: str, id: str | None, body: dict[str, Any]) -> Message:
        document().check(self._message, {"kind": kind, **body})
        return Message(kind, id, body)

    def says_nothing(self) -> bool:
        """Whether the next that comes is a sign of life, and no message."""
        return self._line() in ("", ":")

    def next(self) -> Message:
        found = self.read()
        assert found is not None, "the stream has ended"
        return found

    def until(self, true: Callable[[Message], bool]) -> list[Message]:
        """All messages up to the first of which this is true."""
        found = [self.next()]
        while not true(found[-1]):
            found.append(self.next())
        return found

    def up_to(self, version: int) -> list[Message]:
        """All messages up to the event of this version."""
        return self.until(lambda one: one.kind == "event" and one.body["event"]["version"] == version)

    def rest(self) -> Iterator[Message]:
        while (found := self.read()) is not None:
            yield found


def follow(
    server: Server, match: str, token: str | None, query: str = "", accept: str = SSE, **headers: str
) -> Followed:
    return Followed(server.port, f"/v1/matches/{match}/events{query}", token, accept, **headers)
