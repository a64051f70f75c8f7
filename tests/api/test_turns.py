"""Requests that wait for their turn: nobody stands behind all that another one has sent, nor in a line without end."""

from __future__ import annotations

import asyncio
import itertools
import threading
from collections.abc import Callable, Iterable
from typing import Any

from api.app import Services
from api.gate.connection import Answer
from api.gate.request import Request
from api.gate.server import WAITING, Gate
from eventstore.settings import Settings


class Caller:
    """A connection on which somebody waits for an answer."""

    open = True

    def __init__(self, name: str, peer: str, answered: list[Caller]) -> None:
        self.name, self.peer, self.raw, self._answered = name, peer, b"", answered

    def request(self) -> Request:
        made = Request(0)
        made.read_head(f"GET / HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer {self.name}\r\n\r\n".encode())
        return made

    def deliver(self, answer: Answer) -> None:
        self.raw = answer.raw
        self._answered.append(self)


def asked(
    parlor: Services, settings: Settings, names: Iterable[str], addresses: Iterable[str] = itertools.repeat("192.0.2.1")
) -> list[Caller]:
    """All of these ask a gate at once that reads for one at a time. In the order of the answers."""
    all_here = threading.Event()
    answered: list[Caller] = []
    callers = [Caller(name, address, answered) for name, address in zip(names, addresses, strict=False)]

    def application(environ: dict[str, Any], start: Callable[..., Any]) -> list[bytes]:
        all_here.wait()
        start("200 OK", [("Content-Length", "0")])
        return []

    async def ask() -> None:
        gate: Any = Gate(application, settings, parlor.hub, parlor.crier, lambda: None)
        gate._loop = asyncio.get_running_loop()
        for caller in callers:
            gate.work(caller, caller.request())
        all_here.set()
        while len(answered) < len(callers):
            await asyncio.sleep(0.001)

    asyncio.run(ask())
    return answered


ONE_AT_A_TIME = Settings(api_threads=2)


def test_who_shares_an_address_does_not_stand_behind_all_that_another_there_has_sent(parlor: Services) -> None:
    answered = [one.name for one in asked(parlor, ONE_AT_A_TIME, [*["ann"] * 50, "bob"])]
    assert answered.index("bob") < 3


def test_whoever_has_many_addresses_of_one_network_has_one_line(parlor: Services) -> None:
    addresses = [*(f"2001:db8:1:2::{n:x}" for n in range(50)), "2001:db8:1:3::1"]
    answered = [one.name for one in asked(parlor, ONE_AT_A_TIME, [*["ann"] * 50, "bob"], addresses)]
    assert answered.index("bob") < 3


def test_who_sends_more_than_can_wait_is_told_at_once_to_come_back(parlor: Services) -> None:
    answered = asked(parlor, ONE_AT_A_TIME, [*["ann"] * (WAITING + 10), "bob"])
    refused = [one for one in answered if one.raw.startswith(b"HTTP/1.1 503 ")]
    assert {one.name for one in refused} == {"ann"} and len(refused) == 9
    assert answered[:9] == refused  # before the first of those that waited
    head, _, body = refused[0].raw.partition(b"\r\n\r\n")
    assert b"Retry-After: 1" in head and b'"overloaded"' in body
