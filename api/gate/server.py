"""The gate of one process: an event loop that holds the connections, and the threads that answer whole requests."""

from __future__ import annotations

import asyncio
import contextlib
import email.utils
import functools
import logging
import signal
import socket
import time
from collections.abc import Callable, Generator, Iterable
from concurrent.futures import ThreadPoolExecutor
from typing import Any, Final, NamedTuple

import uvloop

from api import web
from api.browsers import Origins
from api.gate.connection import PIECE, Answer, Connection, Page
from api.gate.crier import Crier
from api.gate.follow import HELD, Follow, Held, Listen, Wait
from api.gate.hub import Hub
from api.gate.request import Request, common_environ
from api.gate.streams import Streams
from api.gate.turns import Turns
from api.messages import chunk
from api.problems import Problem
from eventstore.networks import network
from eventstore.settings import Settings

log = logging.getLogger("parlor.gate")

BACKLOG: Final = 2048  # connections that the system holds until we accept them
SWEEP_SECONDS: Final = 1.0
STOP_SECONDS: Final = 1.0  # for answers that are being made when the server is told to stop
UNREAD_LIMIT: Final = 32 * 1024 * 1024  # bytes of answers that wait for slow readers, in all
WAITING: Final = 500  # requests with one token from one address that wait for their turn
AHEAD: Final = 4  # commands that are handed to the threads while all of them work
ASIDE: Final = ("/healthz", "/metrics")  # need no database, and are answered even while all threads wait for it

Application = Callable[[dict[str, Any], Callable[..., Any]], Iterable[bytes]]
Headers = list[tuple[str, str]]


class Job(NamedTuple):
    connection: Connection
    request: Request
    turns: Turns[Job]


class Gate:
    def __init__(
        self, application: Application, settings: Settings, hub: Hub, crier: Crier, housekeeping: Callable[[], None]
    ) -> None:
        self.settings = settings
        self.streams = Streams(hub, crier, settings.streams, settings.connections // 2, self.work)
        self._application, self._housekeeping = application, housekeeping
        self._origins = Origins(settings.origins)
        self._common = common_environ(settings.host, settings.port)
        self._connections: set[Connection] = set()
        self._silent: dict[Connection, None] = {}  # whoever has been so longest first
        self._readers: dict[Connection, int] = {}  # those that have bytes to take, the stalest first
        self._unread = 0  # bytes that are kept for them
        self._threads = ThreadPoolExecutor(settings.api_threads, "request")
        # A thread that is done finds the next command without waiting for the loop. Reading, which can take long, never
        # has all threads.
        self._commands = Turns(settings.api_threads + AHEAD, WAITING, self._begin)
        self._reads = Turns(max(1, settings.api_threads // 2), WAITING, self._begin)
        # Long logs are made by a thread of their own, so that many of them at once delay one another and nobody else.
        self._pages = ThreadPoolExecutor(1, "pages")
        self._aside = ThreadPoolExecutor(1, "aside")

    # ── The loop ──

    def run(self, listener: socket.socket) -> None:
        """Serves until SIGTERM or SIGINT."""
        with asyncio.Runner(loop_factory=uvloop.new_event_loop) as runner:
            runner.run(self._serve(listener))

    async def _serve(self, listener: socket.socket) -> None:
        self._loop = asyncio.get_running_loop()
        stopping = asyncio.Event()
        for number in (signal.SIGTERM, signal.SIGINT):
            self._loop.add_signal_handler(number, stopping.set)
        self.streams.start(self._loop)
        server = await self._loop.create_server(lambda: Connection(self), sock=listener, backlog=BACKLOG)
        while not stopping.is_set():
            self._sweep()
            self._aside.submit(self._housekeeping)
            with contextlib.suppress(TimeoutError):
                await asyncio.wait_for(stopping.wait(), SWEEP_SECONDS)
        server.close()
        until = time.monotonic() + STOP_SECONDS
        for connection in list(self._connections):
            connection.end()
        self.streams.end()
        while time.monotonic() < until and any(one.unfinished for one in self._connections):
            await asyncio.sleep(0.02)
        await asyncio.sleep(0)
        self._housekeeping()

    def _sweep(self) -> None:
        now = time.monotonic()
        for connection in [one for one in self._connections if one.deadline < now]:
            connection.overdue()
        self.streams.keep_alive(now)

    # ── What connections report ──

    def joined(self, connection: Connection) -> bool:
        """A newcomer takes the place of whoever has been silent longest, or else of the reader that is the stalest."""
        self._connections.add(connection)
        if len(self._connections) <= self.settings.connections:
            return True
        for dispensable in (self._silent, self._readers):
            if dispensable:
                next(iter(dispensable)).abort()
                return True
        return False

    def left(self, connection: Connection) -> None:
        self._connections.discard(connection)
        self.streams.left(connection)
        self.heard(connection)
        self.taken(connection)

    def silent(self, connection: Connection) -> None:
        """It has sent no whole request, or will send none any more."""
        self._silent[connection] = None

    def heard(self, connection: Connection) -> None:
        self._silent.pop(connection, None)

    def owes(self, connection: Connection, unread: int) -> None:
        """So many bytes are kept for a reader. When they are too many in all, the stalest readers lose theirs."""
        self.taken(connection)
        self._readers[connection] = unread
        self._unread += unread
        while self._unread > UNREAD_LIMIT:
            next(iter(self._readers)).abort()

    def taken(self, connection: Connection) -> None:
        """Nothing is kept for this reader any more."""
        self._unread -= self._readers.pop(connection, 0)

    # ── Requests ──

    def work(self, connection: Connection, request: Request) -> None:
        self.heard(connection)
        request.came_from(connection.peer, self.settings.trusted_proxies)
        if request.target in ASIDE:
            self._aside.submit(self._work, connection, request, None)
            return
        turns = self._reads if request.method in ("GET", "HEAD") else self._commands
        token = request.headers.get("HTTP_AUTHORIZATION", "")
        if not turns.add(network(request.client.address), token, Job(connection, request, turns)):
            told = "too many of your requests wait for an answer; nothing was done of this one"
            problem = Problem(503, "overloaded", told, {"Retry-After": "1"})
            connection.deliver(Answer(self.refusal(problem, request), close=True))

    def _begin(self, job: Job) -> bool:
        if job.connection.open:
            self._threads.submit(self._work, *job)
        return job.connection.open

    def _work(self, connection: Connection, request: Request, turns: Turns[Job] | None) -> None:
        try:
            answer = self._answered(request)
        except Exception:
            log.exception("a request failed before the application could answer")
            failed = Problem(500, "failed", "something went wrong here")
            answer = Answer(self.refusal(failed, request), close=True)
        self._loop.call_soon_threadsafe(self._done, connection, request, answer, turns)

    def _done(self, connection: Connection, request: Request, answer: Answer, turns: Turns[Job] | None) -> None:
        if turns is not None:
            turns.done()
        if answer.held is not None and connection.open:
            if (problem := self.streams.refusal(answer.held)) is not None:
                answer = Answer(self.refusal(problem, request), close=True)
            elif isinstance(answer.held, Wait):
                self.streams.park(connection, request, answer, answer.held)
                return
        connection.deliver(answer)

    def _answered(self, request: Request) -> Answer:
        environ = request.environ(self._common)
        started: list[Any] = []
        body = self._application(environ, lambda status, headers, failure=None: started.extend((status, headers)))
        status, headers = started
        close = not request.keep_alive
        held = environ.get(HELD) if request.method == "GET" else None
        if isinstance(held, Follow | Listen):
            _pieces(body).close()
            return self._stream(request, status, headers, held)
        return self._plain(request, status, headers, body, close)._replace(held=held)

    @staticmethod
    def _stream(request: Request, status: str, headers: Headers, held: Held) -> Answer:
        """The head of an answer that goes on. The connection ends with it."""
        chunked = request.version == "1.1"
        headers = [(name, value) for name, value in headers if name != "Content-Length"]
        if chunked:
            headers.append(("Transfer-Encoding", "chunked"))
        return Answer(_head(status, headers, close=True), close=True, chunked=chunked, held=held)

    @staticmethod
    def _plain(request: Request, status: str, headers: Headers, body: Iterable[bytes], close: bool) -> Answer:
        if request.method == "HEAD" or status[:3] in ("204", "304"):
            _pieces(body).close()
            return Answer(_head(status, headers, close), close)
        if type(body) is list:
            return Answer(_head(status, headers, close) + b"".join(body), close)
        pieces = _pieces(body)
        length = next((int(value) for name, value in headers if name == "Content-Length"), None)
        if length is None:
            # Nothing of it is made before the reader is there to take it.
            chunked = request.version == "1.1"
            if chunked:
                headers.append(("Transfer-Encoding", "chunked"))
            close = close or not chunked
            return Answer(_head(status, headers, close), close, pieces, chunked)
        first = next(pieces, b"")
        whole = len(first) == length
        if whole:
            pieces.close()
        return Answer(_head(status, headers, close) + first, close, None if whole else pieces)

    # ── Long answers ──

    def turn_page(self, connection: Connection, answer: Answer) -> None:
        self._pages.submit(self._turn_page, connection, answer)

    def _turn_page(self, connection: Connection, answer: Answer) -> None:
        assert answer.pages is not None
        try:
            raw = next(answer.pages, None)
            end = b"0\r\n\r\n" if answer.chunked else b""
            page = Page(end, True) if raw is None else Page(chunk(raw) if answer.chunked else raw, False)
        except Exception:
            log.exception("a long answer was cut short")
            page = Page(None, True)
        self._loop.call_soon_threadsafe(connection.deliver_page, answer, page)

    def drop(self, answer: Answer) -> None:
        """Nobody is there to read the rest."""
        if answer.pages is not None:
            self._pages.submit(answer.pages.close)

    # ── Refusals of the gate itself ──

    def refusal(self, problem: Problem, request: Request) -> bytes:
        """The gate's own answer has the form and the headers of all others, and is counted and logged as they are."""
        request_id = web.request_id(request.headers.get("HTTP_X_REQUEST_ID", ""))
        environ = {
            web.REQUEST_ID: request_id,
            web.ENDPOINT: "gate",
            "REMOTE_ADDR": request.client.address,
            "REQUEST_METHOD": request.method or "-",
            "PATH_INFO": request.target.partition("?")[0] or "-",
        }
        web.note(environ, problem.status, 0.0)
        status, headers, body = problem.plainly()
        web.guard(headers, request_id)
        self._origins.tell(headers, request.headers.get("HTTP_ORIGIN"))
        head = _head(status, headers, close=True)
        return head if request.method == "HEAD" else head + b"".join(body)


def _pieces(body: Iterable[bytes]) -> Generator[bytes]:
    """The parts of an answer, gathered until they are worth sending."""
    parts: list[bytes] = []
    size = 0
    try:
        for part in body:
            parts.append(part)
            size += len(part)
            if size >= PIECE:
                yield b"".join(parts)
                parts, size = [], 0
        if parts:
            yield b"".join(parts)
    finally:
        close = getattr(body, "close", None)
        if close is not None:
            close()


def _head(status: str, headers: Headers, close: bool) -> bytes:
    lines = [f"HTTP/1.1 {status}\r\nDate: {_date(int(time.time()))}\r\n"]
    lines += [f"{name}: {value}\r\n" for name, value in headers]
    lines.append("Connection: close\r\n\r\n" if close else "\r\n")
    return "".join(lines).encode("latin-1")


@functools.lru_cache(maxsize=2)
def _date(second: int) -> str:
    return email.utils.formatdate(second, usegmt=True)
