"""The connections that are held: those on which a match is followed, and requests that wait for something to happen.

This is the side of the event loop. What there is to say comes from the hub.
"""

from __future__ import annotations

import asyncio
import collections
import time
from collections.abc import Callable
from typing import TYPE_CHECKING, Final

from api.gate.crier import Crier
from api.gate.follow import Follow, Held, Listen, Wait
from api.gate.hub import Hub
from api.gate.parcels import Listener, Parcel, Reader, Stream, Waiter
from api.messages import KEEP_ALIVE, bye, chunk
from api.problems import Problem

if TYPE_CHECKING:
    from api.gate.connection import Answer, Connection
    from api.gate.request import Request

STREAM_UNREAD: Final = 262_144  # bytes that a reader may leave unread
KEEP_ALIVE_SECONDS: Final = 10.0
RETRY: Final = {"Retry-After": "10"}


class Open:
    """A stream and its connection."""

    def __init__(self, connection: Connection, follow: Follow | Listen) -> None:
        self.connection = connection
        self.reader = Stream(follow) if isinstance(follow, Follow) else Listener(follow)
        self.upto: int | str | None = follow.after  # what was sent last
        self.spoke_at = time.monotonic()


class Parked:
    """A request that waits, and the answer to it if nothing happens."""

    def __init__(self, connection: Connection, request: Request, answer: Answer, wait: Wait) -> None:
        self.connection, self.request, self.answer = connection, request, answer
        self.reader = Waiter(wait)
        self.timer: asyncio.TimerHandle | None = None


class Streams:
    def __init__(
        self, hub: Hub, crier: Crier, for_each: int, in_all: int, ask_again: Callable[[Connection, Request], None]
    ) -> None:
        self._hub, self._crier, self._ask_again = hub, crier, ask_again
        self._for_each, self._in_all = for_each, in_all
        self._held: dict[Connection, Open | Parked] = {}
        self._of: dict[Reader, Open | Parked] = {}
        self._ended = False
        self._players: dict[str, dict[Connection, None]] = collections.defaultdict(dict)  # the oldest first

    def start(self, loop: asyncio.AbstractEventLoop) -> None:
        self._loop = loop

        def send(parcels: list[Parcel]) -> None:
            loop.call_soon_threadsafe(self._hand_out, parcels)

        self._hub.start(send)
        self._crier.start(send)

    # ── Coming ──

    def refusal(self, held: Held) -> Problem | None:
        """Why there is no place for one more. When all places are taken, whoever has most of them gives one up to
        somebody who has fewer."""
        own = len(self._players.get(held.who.counted, ()))
        if own >= self._for_each:
            told = f"you have {own} streams open, as many as a player may have here"
            return Problem(429, "too_many_streams", told, RETRY)
        if len(self._held) < self._in_all:
            return None
        most = max(self._players.values(), key=len)
        if len(most) <= own + 1:
            return Problem(503, "overloaded", "there are too many streams", RETRY)
        self._let_go(next(iter(most)), "crowded")
        return None

    def begin(self, connection: Connection, held: Held) -> None:
        assert not isinstance(held, Wait)
        one = Open(connection, held)
        self._keep(one)
        if self._ended:
            self._let_go(connection, "stopping")
            return
        connection.notice_absence()
        if isinstance(one.reader, Listener):
            self._crier.join(one.reader)
        else:
            self._hub.join(one.reader)

    def park(self, connection: Connection, request: Request, answer: Answer, wait: Wait) -> None:
        """The request is asked again when something has happened, or when its time is up."""
        if self._ended:
            connection.deliver(answer._replace(held=None))
            return
        one = Parked(connection, request, answer, wait)
        if request.until is None:
            request.until = time.monotonic() + wait.seconds
        self._keep(one)
        one.timer = self._loop.call_later(max(0.0, request.until - time.monotonic()), self._wake, one)
        self._hub.join(one.reader)

    def _keep(self, one: Open | Parked) -> None:
        self._held[one.connection] = self._of[one.reader] = one
        self._players[one.reader.follow.who.counted][one.connection] = None

    # ── Going ──

    def left(self, connection: Connection) -> Open | Parked | None:
        """The connection is held no longer, for whatever reason."""
        one = self._held.pop(connection, None)
        if one is None:
            return None
        if isinstance(one, Parked) and one.timer is not None:
            one.timer.cancel()
        del self._of[one.reader]
        player = one.reader.follow.who.counted
        del self._players[player][connection]
        if not self._players[player]:
            del self._players[player]
        if isinstance(one.reader, Listener):
            self._crier.leave(one.reader)
        else:
            self._hub.leave(one.reader)
        return one

    def _let_go(self, connection: Connection, reason: str) -> None:
        """Ends it from our side, with a word if it is a stream, and with what is known if it is a request."""
        one = self.left(connection)
        if isinstance(one, Parked):
            connection.deliver(one.answer._replace(held=None))
        elif one is not None:
            said = bye(one.reader.follow.form, reason, one.upto)
            connection.follow_on(said, chunk(said))
            connection.follow_no_more()

    def end(self) -> None:
        """The server stops. Everybody is told to come back."""
        self._ended = True
        for connection in list(self._held):
            self._let_go(connection, "stopping")

    # ── Speaking ──

    def _hand_out(self, parcels: list[Parcel]) -> None:
        now = time.monotonic()
        for parcel in parcels:
            framed = chunk(parcel.raw)
            for reader in parcel.to:
                one = self._of.get(reader)
                if isinstance(one, Open):
                    self._speak(one, parcel, framed, now)
                elif one is not None:
                    self._wake(one)

    def _speak(self, one: Open, parcel: Parcel, framed: bytes, now: float) -> None:
        connection = one.connection
        if not connection.writable and connection.unread > STREAM_UNREAD:
            self._let_go(connection, "slow")
            return
        connection.follow_on(parcel.raw, framed)
        one.upto, one.spoke_at = parcel.upto, now
        if parcel.last:
            self.left(connection)
            connection.follow_no_more()
        elif connection.writable:
            self._turn_page(one)

    def taken(self, connection: Connection) -> None:
        """There is room for more, if there is more."""
        one = self._held.get(connection)
        if isinstance(one, Open):
            self._turn_page(one)

    def _turn_page(self, one: Open) -> None:
        if isinstance(one.reader, Stream) and one.reader.pages is not None:
            self._hub.more(one.reader)

    def _wake(self, one: Parked) -> None:
        self.left(one.connection)
        self._ask_again(one.connection, one.request)

    def keep_alive(self, now: float) -> None:
        for one in list(self._held.values()):
            if isinstance(one, Open) and now - one.spoke_at >= KEEP_ALIVE_SECONDS and one.connection.writable:
                one.spoke_at = now
                sign = KEEP_ALIVE[one.reader.follow.form]
                one.connection.follow_on(sign, chunk(sign))
