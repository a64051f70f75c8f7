"""One connection: it reads a request, waits for the answer, and writes it as fast as the other side takes it.

All of this runs on the event loop. A thread is asked only for what a whole request needs, and for the next page of a
long answer when the last one has been taken.
"""

from __future__ import annotations

import asyncio
import contextlib
import enum
import math
import socket
import time
from collections.abc import Generator
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from api.gate.follow import Held
from api.gate.request import HEAD_LIMIT, TARGET_LIMIT, Request, too_long
from api.problems import Problem
from eventstore.networks import network

if TYPE_CHECKING:
    from api.gate.server import Gate

PIECE: Final = 65_536  # bytes that are written before the reader has to take some
AHEAD: Final = 65_536  # bytes of later requests that are kept while one is answered
LINGER_SECONDS: Final = 2.0
CONTINUE: Final = b"HTTP/1.1 100 Continue\r\n\r\n"


class Doing(enum.Enum):
    RESTING = enum.auto()  # no request has begun
    READING = enum.auto()  # one has begun and is not whole
    WORKING = enum.auto()  # a thread makes the answer, or a page of it
    WRITING = enum.auto()  # the reader has to take some
    FOLLOWING = enum.auto()  # the answer goes on whenever there is something to say
    LEAVING = enum.auto()  # everything was said; what still comes in is thrown away


class Answer(NamedTuple):
    """What a thread made of a request: bytes to send, and perhaps where more of them come from."""

    raw: bytes
    close: bool
    pages: Generator[bytes] | None = None
    chunked: bool = False
    held: Held | None = None  # it is to come later, or to go on


class Page(NamedTuple):
    """A further part of a long answer, already framed. None if it could not be made."""

    raw: bytes | None
    last: bool


def is_near(peer: str) -> bool:
    """Whether there is no network between, as there is none to a proxy on this machine.

    >>> [is_near(peer) for peer in ("127.0.0.1", "::1", "::ffff:127.0.0.1", "192.0.2.7", "2001:db8::1", "")]
    [True, True, True, False, False, False]
    """
    return peer == "::1" or network(peer).startswith("127.")


def unpaced(connection: Any) -> None:
    """What is sent goes out at once. A system may spread it over time (BBR) to spare the network, at the price of a
    timer for every message; the congestion control that every Linux has does not."""
    if hasattr(socket, "TCP_CONGESTION"):
        with contextlib.suppress(OSError):  # some containers allow no choice
            connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_CONGESTION, b"reno")


class Connection(asyncio.Protocol):
    def __init__(self, gate: Gate) -> None:
        self._gate = gate
        self.doing = Doing.RESTING
        self.deadline = math.inf
        self.peer = ""
        self.open = True
        self._inbox = bytearray()
        self._scanned = 0
        self._request: Request | None = None
        self._outbox = memoryview(b"")
        self._answer: Answer | None = None
        self.writable = True
        self._reading_paused = False
        self._last_request = False
        self._transport: Any = None

    # ── What the event loop calls ──

    def connection_made(self, transport: Any) -> None:
        self._transport = transport
        self.peer = (transport.get_extra_info("peername") or ("",))[0]
        if is_near(self.peer):
            unpaced(transport.get_extra_info("socket"))
        if self._gate.joined(self):
            self._rest()
        else:
            self._refuse(Problem(503, "overloaded", "there are too many connections", {"Retry-After": "1"}))

    def data_received(self, data: bytes) -> None:
        if self.doing is Doing.LEAVING:
            return
        self._inbox += data
        if self.doing in (Doing.RESTING, Doing.READING):
            self._read()
        elif len(self._inbox) > AHEAD and not self._reading_paused:
            self._transport.pause_reading()
            self._reading_paused = True

    def eof_received(self) -> bool:
        """The other side will send no more. It may still wait for an answer."""
        self._last_request = True
        return self.doing in (Doing.WORKING, Doing.WRITING)

    def pause_writing(self) -> None:
        self.writable = False
        if self.doing is Doing.FOLLOWING:
            self.deadline = time.monotonic() + self._gate.settings.reader_seconds

    def resume_writing(self) -> None:
        self.writable = True
        if self.doing is Doing.WRITING:
            self._write()
        elif self.doing is Doing.FOLLOWING:
            self.deadline = math.inf
            self._gate.taken(self)
            self._gate.streams.taken(self)

    def connection_lost(self, error: Exception | None) -> None:
        self.open = False
        self._gate.left(self)
        self._request = None
        self._outbox = memoryview(b"")
        if self._answer is not None and self.doing is not Doing.WORKING:
            self._gate.drop(self._answer)
        self._answer = None

    # ── What the gate calls ──

    def overdue(self) -> None:
        """The time for what it does is up."""
        if self.doing is Doing.READING:
            limit = self._gate.settings.request_seconds
            self._refuse(Problem(408, "too_slow", f"a request must be here in full within {limit} seconds"))
        elif self.doing is Doing.RESTING and not self._transport.get_write_buffer_size():
            self._transport.close()
            self._leave(LINGER_SECONDS)
        else:
            self._transport.abort()

    def end(self) -> None:
        """The server stops. Who waits for an answer still gets it."""
        self._last_request = True
        if self.doing in (Doing.RESTING, Doing.READING):
            self._transport.abort()

    @property
    def unfinished(self) -> bool:
        """Whether an answer is being made, or the last of one is on its way."""
        return self.doing is Doing.WORKING or (self.doing is Doing.LEAVING and self.unread > 0)

    def abort(self) -> None:
        """At once, whatever it does."""
        self._gate.left(self)
        self._transport.abort()

    # ── Reading ──

    def _rest(self) -> None:
        self.doing = Doing.RESTING
        self.deadline = time.monotonic() + self._gate.settings.idle_seconds
        self._gate.silent(self)

    def _read(self) -> None:
        try:
            if self.doing is Doing.RESTING and not self._begin():
                return
            if self._request is None and not self._read_head():
                return
            request = self._request
            assert request is not None
            if not request.ended:
                request.read_body(self._inbox)
        except Problem as problem:
            self._refuse(problem)
            return
        if request.ended:
            self.doing, self.deadline = Doing.WORKING, math.inf
            self._gate.work(self, request)

    def _begin(self) -> bool:
        self._inbox = self._inbox.lstrip(b"\r\n")  # allowed before a request, and meant by nobody
        if not self._inbox:
            return False
        self.doing = Doing.READING
        self.deadline = time.monotonic() + self._gate.settings.request_seconds
        self._scanned, self._request = 0, None
        return True

    def _read_head(self) -> bool:
        inbox = self._inbox
        end = inbox.find(b"\r\n\r\n", self._scanned, HEAD_LIMIT)
        if end < 0:
            self._scanned = max(0, len(inbox) - 3)
            if len(inbox) > TARGET_LIMIT and inbox.find(b"\r\n", 0, TARGET_LIMIT + 2) < 0:
                raise too_long()
            if len(inbox) >= HEAD_LIMIT:
                raise Problem(431, "headers_too_large", f"a request and its headers have {HEAD_LIMIT} bytes at most")
            return False
        self._request = request = Request(self._gate.settings.body_limit)
        head = bytes(inbox[: end + 4])
        del inbox[: end + 4]
        request.read_head(head)
        if request.waits_to_be_asked() and not inbox:
            self._transport.write(CONTINUE)
        return True

    # ── Writing ──

    def deliver(self, answer: Answer) -> None:
        """A thread has made the answer."""
        if not self.open:
            self._gate.drop(answer)
            return
        self._answer, self._outbox = answer, memoryview(answer.raw)
        self._write()

    def deliver_page(self, answer: Answer, page: Page) -> None:
        if not self.open:
            self._gate.drop(answer)
            return
        if page.raw is None:
            self._transport.abort()  # the reader sees that the end is missing
            return
        self._answer = answer._replace(pages=None) if page.last else answer
        self._outbox = memoryview(page.raw)
        self._write()

    def _write(self) -> None:
        while self._outbox and self.writable:
            self._transport.write(self._outbox[:PIECE])
            self._outbox = self._outbox[PIECE:]
        answer = self._answer
        assert answer is not None
        if not self.writable and (self._outbox or answer.pages is not None):
            self.doing = Doing.WRITING
            self.deadline = time.monotonic() + self._gate.settings.reader_seconds
            self._gate.owes(self, len(self._outbox))
            return
        self._gate.taken(self)
        if answer.pages is not None:
            self.doing, self.deadline = Doing.WORKING, math.inf
            self._gate.turn_page(self, answer)
            return
        if answer.held is not None:
            self.doing, self.deadline = Doing.FOLLOWING, math.inf
            self._gate.streams.begin(self, answer.held)
            return
        self._answer = self._request = None
        if answer.close or self._last_request:
            self._transport.close()
            self._leave(self._gate.settings.reader_seconds)
            return
        self._rest()
        if self._reading_paused:
            self._reading_paused = False
            self._transport.resume_reading()
        if self._inbox:
            self._read()

    # ── Following ──

    @property
    def unread(self) -> int:
        """Bytes that the reader has not taken, nor the system for it."""
        return int(self._transport.get_write_buffer_size()) if self.open else 0

    def notice_absence(self) -> None:
        """A reader that is gone without a word is found out by what it does not take."""
        if hasattr(socket, "TCP_USER_TIMEOUT"):
            patience = 1000 * self._gate.settings.reader_seconds
            self._transport.get_extra_info("socket").setsockopt(socket.IPPROTO_TCP, socket.TCP_USER_TIMEOUT, patience)

    def follow_on(self, raw: bytes, framed: bytes) -> None:
        """A further part of a stream, as it is and as a chunk, which is made once for all who get it. How much a reader
        may leave unread is for others to see to."""
        if self.doing is not Doing.FOLLOWING:
            return
        assert self._answer is not None
        self._transport.write(framed if self._answer.chunked else raw)
        if not self.writable:
            self._gate.owes(self, self.unread)

    def follow_no_more(self) -> None:
        """The stream has ended, and the connection with it. The reader has time to take the rest."""
        if self.doing is not Doing.FOLLOWING:
            return
        assert self._answer is not None
        if self._answer.chunked:
            self._transport.write(b"0\r\n\r\n")
        self._answer = self._request = None
        self._transport.close()
        self._leave(self._gate.settings.reader_seconds)

    def _refuse(self, problem: Problem) -> None:
        """Says what is wrong, and reads on for a moment: a socket closed over unread bytes takes the answer with it."""
        request = self._request or Request(0)
        request.came_from(self.peer, self._gate.settings.trusted_proxies)
        self._transport.write(self._gate.refusal(problem, request))
        self._request = None
        self._inbox.clear()
        if self._transport.can_write_eof():
            self._transport.write_eof()
        self._leave(LINGER_SECONDS)

    def _leave(self, seconds: float) -> None:
        self.doing = Doing.LEAVING
        self.deadline = time.monotonic() + seconds
        self._gate.silent(self)
