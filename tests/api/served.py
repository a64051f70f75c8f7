"""`parlor api` as a process of its own, and sockets that speak to it as rudely as one likes."""

from __future__ import annotations

import contextlib
import http.client
import json
import os
import pathlib
import resource
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from typing import Any, NamedTuple

from eventstore.settings import RATES, variable
from tests.conftest import Servers

ROOT = pathlib.Path(__file__).parent.parent.parent
PATIENCE = 120.0  # seconds; whoever needs more hangs, on a machine however busy


class Got(NamedTuple):
    """An answer, read from a socket."""

    status: int
    headers: dict[str, str]
    body: bytes

    def problem(self, status: int, code: str) -> dict[str, Any]:
        assert self.status == status, (self.status, self.body[:300])
        assert self.headers["content-type"] == "application/problem+json"
        told: dict[str, Any] = json.loads(self.body)
        assert told["code"] == code and told["status"] == status and told["title"] and told["detail"]
        return told


class Server:
    def __init__(self, servers: Servers, log: pathlib.Path, **environment: str) -> None:
        self.log = log
        self.port = free_port()
        self.environment = {
            **os.environ,
            "DATABASE_URL": servers.postgres.url,
            "REDIS_URL": servers.valkey.url,
            "PARLOR_PORT": str(self.port),
            "PARLOR_API_PROCESSES": "1",
            "PARLOR_API_THREADS": "2",
            **{variable(name): "off" for name in RATES},
            **environment,
        }
        with log.open("wb") as written:
            self.process = subprocess.Popen(
                [sys.executable, "-m", "api.cli", "api"],
                cwd=ROOT,
                env=self.environment,
                stdout=written,
                stderr=subprocess.STDOUT,
                start_new_session=True,
            )
        self.wait_until(lambda: self.get("/readyz").status == 200)

    def wait_until(self, true: Callable[[], bool], seconds: float = PATIENCE) -> None:
        until = time.monotonic() + seconds
        while time.monotonic() < until:
            with contextlib.suppress(OSError, http.client.HTTPException):
                if true():
                    return
            time.sleep(0.05)
        raise AssertionError(f"this did not happen; the log of the server: {self.log.read_text()[-2000:]}")

    def stop(self) -> None:
        if self.process.poll() is None:
            self.process.send_signal(signal.SIGTERM)
            with contextlib.suppress(subprocess.TimeoutExpired):
                self.process.wait(PATIENCE)
        with contextlib.suppress(ProcessLookupError):
            os.killpg(self.process.pid, signal.SIGKILL)
        self.process.wait()

    def children(self) -> list[int]:
        path = pathlib.Path(f"/proc/{self.process.pid}/task/{self.process.pid}/children")
        return [int(pid) for pid in path.read_text().split()]

    def memory(self) -> int:
        """Bytes that its processes hold."""
        total = 0
        for pid in (self.process.pid, *self.children()):
            pages = int(pathlib.Path(f"/proc/{pid}/statm").read_text().split()[1])
            total += pages * resource.getpagesize()
        return total

    def files(self) -> int:
        """Files that its processes have open, connections included."""
        return sum(len(list(pathlib.Path(f"/proc/{pid}/fd").iterdir())) for pid in self.children())

    # ── Talking to it ──

    def request(self, method: str, path: str, body: bytes | None = None, **headers: str) -> Got:
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=PATIENCE)
        try:
            connection.request(method, path, body, {name.replace("_", "-"): text for name, text in headers.items()})
            answer = connection.getresponse()
            told = {name.lower(): text for name, text in answer.getheaders()}
            return Got(answer.status, told, answer.read())
        finally:
            connection.close()

    def get(self, path: str, **headers: str) -> Got:
        return self.request("GET", path, None, **headers)

    def open(self, raw: bytes = b"", buffer: int | None = None) -> Wire:
        """A connection on which these bytes have been sent."""
        made = Wire(self.port, buffer)
        made.send(raw)
        return made

    def say(self, raw: bytes) -> Got:
        """The first answer to these bytes."""
        with self.open(raw) as wire:
            return wire.answer()


class Wire:
    """A connection, for bytes of any kind."""

    def __init__(self, port: int, buffer: int | None) -> None:
        self._socket = socket.socket()
        if buffer is not None:
            self._socket.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, buffer)
        self._socket.settimeout(PATIENCE)
        self._socket.connect(("127.0.0.1", port))
        self._file = self._socket.makefile("rb")

    def __enter__(self) -> Wire:
        return self

    def __exit__(self, *_: object) -> None:
        self._file.close()
        self._socket.close()

    def send(self, raw: bytes) -> None:
        with contextlib.suppress(ConnectionError):  # it may be refused before it is through
            self._socket.sendall(raw)

    def send_no_more(self) -> None:
        self._socket.shutdown(socket.SHUT_WR)

    def read(self, count: int) -> bytes:
        return self._file.read(count)

    def answer(self, method: str = "GET") -> Got:
        """The next answer."""
        line = self._file.readline()
        assert line.startswith(b"HTTP/1.1 "), f"no answer, but {line!r}"
        headers = {}
        while header := self._file.readline().strip().decode("latin-1"):
            name, _, text = header.partition(": ")
            headers[name.lower()] = text
        return Got(int(line.split()[1]), headers, b"" if method == "HEAD" else self._body(headers))

    def _body(self, headers: dict[str, str]) -> bytes:
        if "content-length" in headers:
            return self._file.read(int(headers["content-length"]))
        if headers.get("transfer-encoding") != "chunked":
            return self._file.read() if headers.get("connection") == "close" else b""
        parts = []
        while size := int(self._file.readline(), 16):
            parts.append(self._file.read(size))
            self._file.readline()
        self._file.readline()
        return b"".join(parts)

    def is_closed(self) -> bool:
        """Reads to the end. False if the other side does not come to one."""
        try:
            while self._file.read(65_536):
                pass
        except TimeoutError:
            return False
        except OSError:
            pass
        return True


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


@contextlib.contextmanager
def serving(servers: Servers, folder: pathlib.Path, **environment: str) -> Iterator[Server]:
    server = Server(servers, folder / f"api-{free_port()}.log", **environment)
    try:
        yield server
    finally:
        server.stop()


@contextlib.contextmanager
def all_open(count: int, make: Callable[[], Wire]) -> Iterator[list[Wire]]:
    """So many connections at once."""
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (min(max(soft, count + 500), hard), hard))
    with contextlib.ExitStack() as stack:
        yield [stack.enter_context(make()) for _ in range(count)]
