"""A receiver of webhooks for the tests: it keeps what it gets, and can be as difficult as one likes."""

from __future__ import annotations

import contextlib
import http.server
import json
import ssl
import threading
import time
from collections.abc import Callable, Iterator
from typing import Any, NamedTuple


class Got(NamedTuple):
    headers: dict[str, str]
    body: bytes

    @property
    def told(self) -> dict[str, Any]:
        return json.loads(self.body)  # type: ignore[no-any-return]


class Receiver:
    def __init__(self, context: ssl.SSLContext | None = None) -> None:
        self.got: list[Got] = []
        self.answers: Callable[[http.server.BaseHTTPRequestHandler], None] = with_status(204)
        outer = self

        class Handler(http.server.BaseHTTPRequestHandler):
            def do_POST(self) -> None:
                body = self.rfile.read(int(self.headers["Content-Length"]))
                outer.got.append(Got({name.lower(): text for name, text in self.headers.items()}, body))
                with contextlib.suppress(OSError):
                    outer.answers(self)

            def log_message(self, format: str, *_: Any) -> None:
                pass

        class Quiet(http.server.ThreadingHTTPServer):
            daemon_threads = True

            def handle_error(self, *_: Any) -> None:
                pass  # clients that go away, as they should

        self._server = Quiet(("127.0.0.1", 0), Handler)
        if context is not None:
            self._server.socket = context.wrap_socket(self._server.socket, server_side=True)
        self.port = int(self._server.server_address[1])
        threading.Thread(target=self._server.serve_forever, kwargs={"poll_interval": 0.05}, daemon=True).start()

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.port}/hooks?for=me"

    def of(self, match: str) -> list[dict[str, Any]]:
        return [one.told for one in self.got if one.told["match"] == match]

    def close(self) -> None:
        self._server.shutdown()
        self._server.server_close()


def with_status(status: int, **headers: str) -> Callable[[http.server.BaseHTTPRequestHandler], None]:
    def answer(request: http.server.BaseHTTPRequestHandler) -> None:
        request.send_response(status)
        for name, text in headers.items():
            request.send_header(name, text)
        request.end_headers()

    return answer


def drop_by_drop(request: http.server.BaseHTTPRequestHandler) -> None:
    """Never silent for long, and never done."""
    request.wfile.write(b"HTTP/1.1 200 OK\r\nX-Slow: ")
    while True:
        request.wfile.write(b"a")
        request.wfile.flush()
        time.sleep(0.1)


def endless(request: http.server.BaseHTTPRequestHandler) -> None:
    request.wfile.write(b"HTTP/1.1 200 OK\r\nContent-Length: 1000000000000\r\n\r\n")
    while True:
        request.wfile.write(b"a" * 65_536)


@contextlib.contextmanager
def receiving(context: ssl.SSLContext | None = None) -> Iterator[Receiver]:
    made = Receiver(context)
    yield made
    made.close()
