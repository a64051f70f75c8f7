"""A request as it comes in: the head is read by llhttp in one go, the body is counted while it arrives."""

from __future__ import annotations

import functools
import io
import sys
from typing import Any, Final
from urllib.parse import unquote_to_bytes

import httptools

from api.gate.follow import UNTIL
from api.gate.proxies import Client, client
from api.problems import Problem
from eventstore.settings import Network

HEAD_LIMIT: Final = 16_384  # bytes of the request line and all headers
TARGET_LIMIT: Final = 8_192
HEADERS: Final = 100
# A chunk of one byte takes six on the wire. Whoever needs more than that wastes our time on purpose.
WIRE_A_BYTE: Final = 8


@functools.lru_cache(maxsize=1024)
def _named(name: bytes) -> str | None:
    """The name of a header as applications know it. With `_` it could pass for another one, so it has none."""
    if b"_" in name or len(name) > 64:
        return None
    text = name.decode("ascii").upper().replace("-", "_")
    return text if text in ("CONTENT_TYPE", "CONTENT_LENGTH") else f"HTTP_{text}"


def bad(detail: str) -> Problem:
    return Problem(400, "bad_request", detail)


class Request:
    """Filled by the parser, head first. It is whole when the body is."""

    def __init__(self, limit: int) -> None:
        self._limit = limit
        self.method, self.version = "", "1.1"
        self.target = self.path = self.query = ""
        self.headers: dict[str, str] = {}
        self.client = Client("", "http")
        self.until: float | None = None  # when its time is up, once it has waited for something to happen
        self.body = bytearray()
        self.left = 0  # bytes of a body of known length that are still to come
        self.chunked = self.keep_alive = self.ended = self._more_followed = False
        self._begun = self._count = self._wire = 0
        self._parser: httptools.HttpRequestParser | None = None

    # ── What the parser calls ──

    def on_message_begin(self) -> None:
        self._begun += 1
        self._more_followed = self._begun > 1

    def on_url(self, url: bytes) -> None:
        if self._begun == 1:
            self.target += url.decode("latin-1")

    def on_header(self, name: bytes, value: bytes) -> None:
        self._count += 1
        key = _named(name)
        if key is None or self._begun > 1 or self.chunked or self._count > HEADERS:
            return  # after the head of a chunked request come trailers, and nobody asked for them
        text = value.decode("latin-1")
        if key in self.headers:
            if key == "HTTP_HOST":
                raise bad("there is more than one Host")
            text = f"{self.headers[key]}, {text}"
        self.headers[key] = text

    def on_headers_complete(self) -> None:
        if self._begun == 1:
            self.chunked = "HTTP_TRANSFER_ENCODING" in self.headers

    def on_body(self, part: bytes) -> None:
        if self._begun == 1:
            self.body += part

    def on_message_complete(self) -> None:
        if self._begun == 1:
            self.ended = True

    # ── What the connection calls ──

    def read_head(self, head: bytes) -> None:
        """Takes a whole head, to the empty line. Raises a problem if it is not a proper one."""
        line = head[: head.index(b"\r\n")]
        if len(line) > TARGET_LIMIT:
            raise too_long()
        self.version = line[-3:].decode("latin-1")
        if not line.endswith((b" HTTP/1.1", b" HTTP/1.0")):
            raise Problem(505, "http_version", "HTTP/1.1 is spoken here")
        upgrade = False
        parser = httptools.HttpRequestParser(self)
        try:
            parser.feed_data(head)
        except httptools.HttpParserUpgrade:
            upgrade = True
        except httptools.HttpParserInvalidMethodError:
            raise Problem(501, "unknown_method", "there is no such method") from None
        except httptools.HttpParserCallbackError as error:
            raise (error.__context__ if isinstance(error.__context__, Problem) else bad(str(error))) from None
        except httptools.HttpParserError as error:
            raise bad(f"this is not HTTP: {error}") from None
        self.method = parser.get_method().decode("ascii")
        if self._count > HEADERS:
            raise Problem(431, "headers_too_large", f"a request has {HEADERS} headers at most")
        self._check(upgrade)
        self._locate()
        if self.chunked:
            self._parser = parser  # and only then: parser and request hold one another

    def _check(self, upgrade: bool) -> None:
        headers = self.headers
        if self._more_followed or self.body:
            raise bad("this is not HTTP: the head ends in two places")
        if self.method == "CONNECT":
            raise Problem(501, "unknown_method", "this server is no proxy")
        if self.version == "1.1" and "HTTP_HOST" not in headers:
            raise bad("there is no Host")
        encoding = headers.pop("HTTP_TRANSFER_ENCODING", None)
        if encoding is not None and (encoding.lower() != "chunked" or upgrade or self.version == "1.0"):
            raise bad("a body can come in chunks of HTTP/1.1, and in no other encoding")
        # An upgrade is not followed, so what comes after this request may not be meant as HTTP.
        closes = upgrade or "close" in headers.pop("HTTP_CONNECTION", "").lower()
        self.keep_alive = self.version == "1.1" and not closes
        if encoding is None:
            self.left = int(headers.get("CONTENT_LENGTH", "0"))
            self.ended = not self.left
        if self.left > self._limit:
            raise self._too_large()

    def _locate(self) -> None:
        if self.target.startswith("/") or self.target == "*":
            path, _, self.query = self.target.partition("?")
        else:
            try:
                url = httptools.parse_url(self.target.encode("latin-1"))
            except httptools.HttpParserError:
                raise bad("this is no address") from None
            path, self.query = (url.path or b"/").decode("latin-1"), (url.query or b"").decode("latin-1")
        self.path = unquote_to_bytes(path).decode("latin-1") if "%" in path else path

    def waits_to_be_asked(self) -> bool:
        return (
            not self.ended and self.version == "1.1" and self.headers.get("HTTP_EXPECT", "").lower() == "100-continue"
        )

    def read_body(self, inbox: bytearray) -> None:
        """Takes from the inbox what belongs to the body."""
        if not self.chunked:
            part = inbox[: self.left]
            del inbox[: self.left]
            self.left -= len(part)
            self.body += part
            self.ended = not self.left
            return
        assert self._parser is not None
        self._wire += len(inbox)
        try:
            self._parser.feed_data(bytes(inbox))
        except httptools.HttpParserError as error:
            if not self.ended:
                raise bad(f"this is not HTTP: {error}") from None
            self._more_followed = True
        inbox.clear()
        if len(self.body) > self._limit or self._wire > WIRE_A_BYTE * self._limit:
            raise self._too_large()
        # Where one chunked request ends and another one begins, only the parser knows. Nobody sends a second one ahead
        # of the first answer; if somebody does, the first is answered and the connection closed.
        self.keep_alive = self.keep_alive and not self._more_followed
        if self.ended:
            self._parser = None

    def _too_large(self) -> Problem:
        return Problem(413, "too_large", f"a body has {self._limit} bytes at most")

    # ── What the application gets ──

    def came_from(self, peer: str, trusted: tuple[Network, ...]) -> None:
        self.client = client(peer, self.headers, trusted)

    def environ(self, common: dict[str, Any]) -> dict[str, Any]:
        """The request as WSGI has it. The body is there in full."""
        environ = {**common, **self.headers}
        environ["REQUEST_METHOD"] = self.method
        environ["PATH_INFO"] = self.path
        environ["QUERY_STRING"] = self.query
        environ["SERVER_PROTOCOL"] = f"HTTP/{self.version}"
        environ["REMOTE_ADDR"] = self.client.address
        environ["wsgi.url_scheme"] = self.client.scheme
        environ["wsgi.input"] = io.BytesIO(self.body)
        if self.until is not None:
            environ[UNTIL] = self.until
        if self.chunked:
            environ["CONTENT_LENGTH"] = str(len(self.body))
        return environ


def too_long() -> Problem:
    return Problem(414, "uri_too_long", f"the first line of a request has {TARGET_LIMIT} bytes at most")


def common_environ(host: str, port: int) -> dict[str, Any]:
    """What the requests of a process have in common."""
    return {
        "SCRIPT_NAME": "",
        "SERVER_NAME": host,
        "SERVER_PORT": str(port),
        "wsgi.version": (1, 0),
        "wsgi.errors": sys.stderr,
        "wsgi.multithread": True,
        "wsgi.multiprocess": True,
        "wsgi.run_once": False,
    }
