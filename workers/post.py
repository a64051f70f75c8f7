"""The post: sends word to webhooks, at least once, and never where it should not go.

It runs in the process of the reconciler, in a thread with an event loop of its own: many receivers are slow or away,
and waiting for them costs nothing there. All that has to be remembered is in the database.
"""

from __future__ import annotations

import asyncio
import collections
import datetime as dt
import functools
import hashlib
import hmac
import logging
import socket
import ssl
import threading
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import Any, Final, TypeVar

import httpx
import orjson

from eventstore.deliveries import Deliveries, Delivery
from eventstore.errors import StoreError
from workers.addresses import NotPublic, resolved

log = logging.getLogger("parlor.post")

SECONDS: Final = 5.0  # for all of a delivery: the name, the connection, the answer
AT_ONCE: Final = 128
EACH: Final = 4  # of a webhook at once
LOOKUPS: Final = 16  # names that are looked up at once
LONGEST_PAUSE: Final = dt.timedelta(hours=1)
BETWEEN_SWEEPS: Final = 3600.0
T = TypeVar("T")


class NotTaken(Exception):
    """The receiver did not take the delivery. What it says is shown to the owner."""


def signature(secret: str, timestamp: str, body: bytes) -> str:
    """What the receiver can work out too, and nobody else."""
    signed = hmac.new(secret.encode(), timestamp.encode() + b"." + body, hashlib.sha256)
    return f"sha256={signed.hexdigest()}"


def letter(one: Delivery) -> bytes:
    """Ids and the version: what a match is like is told to those who ask with a token."""
    return orjson.dumps(
        {
            "delivery": one.id,
            "webhook": one.webhook_id,
            "player": one.player_id,
            "about": one.about,
            "match": one.match_id,
            "version": one.version,
        }
    )


class Post:
    def __init__(
        self,
        deliveries: Deliveries,
        *,
        private: bool = False,
        tries: int = 10,
        every: float = 0.25,
        seconds: float = SECONDS,
        first_pause: dt.timedelta = dt.timedelta(seconds=1),
        trusted: ssl.SSLContext | None = None,
        now: Callable[[], dt.datetime] = lambda: dt.datetime.now(dt.UTC),
    ) -> None:
        self._deliveries, self._private, self._tries = deliveries, private, tries
        self._every, self._seconds, self._first_pause, self._now = every, seconds, first_pause, now
        self._trusted = trusted or ssl.create_default_context()
        # One thread for the database, so that the loop never waits and one connection is enough.
        self._database = ThreadPoolExecutor(1, thread_name_prefix="post")
        self._names = ThreadPoolExecutor(LOOKUPS, thread_name_prefix="names")
        self._stop = threading.Event()
        self._in_hand: collections.Counter[str] = collections.Counter()  # by webhook
        self._swept = 0.0

    # ── Running ─────────────────────────────────────────────────────────────────────────────────────────────────

    def run(self) -> None:
        asyncio.run(self._run())

    def stop(self) -> None:
        self._stop.set()

    def empty(self) -> int:
        """Sends all that is due now, once. Returns how many were tried."""
        return asyncio.run(self._round())

    async def _round(self) -> int:
        async with self._client() as client:
            sending = await self._some(client)
            await asyncio.gather(*sending)
            return len(sending)

    async def _run(self) -> None:
        sending: set[asyncio.Task[None]] = set()
        async with self._client() as client:
            while not self._stop.is_set():
                began: set[asyncio.Task[None]] = set()
                try:
                    began = await self._some(client)
                except StoreError as error:
                    log.warning("the post waits: %s", error)
                except Exception:
                    log.exception("the post failed")
                sending = {task for task in sending | began if not task.done()}
                if not began:
                    await asyncio.sleep(self._every)
            # What is under way is sent again by whoever comes next: twice is better than not at all.
            for task in sending:
                task.cancel()

    def _client(self) -> httpx.AsyncClient:
        # A connection is never used again: the next delivery to the same address may be for another name.
        return httpx.AsyncClient(
            verify=self._trusted,
            trust_env=False,
            follow_redirects=False,
            timeout=self._seconds,
            limits=httpx.Limits(max_connections=AT_ONCE, max_keepalive_connections=0),
        )

    async def _stored(self, work: Callable[..., T], *given: Any) -> T:
        return await asyncio.get_running_loop().run_in_executor(self._database, functools.partial(work, *given))

    # ── Choosing ────────────────────────────────────────────────────────────────────────────────────────────────

    async def _some(self, client: httpx.AsyncClient) -> set[asyncio.Task[None]]:
        """Takes what is due and begins to send it."""
        now = self._now()
        for webhook in await self._stored(self._deliveries.to_connect, now):
            await self._stored(self._deliveries.connect, webhook, now)
        if time.monotonic() - self._swept > BETWEEN_SWEEPS or not self._swept:
            await self._stored(self._deliveries.sweep, now)
            self._swept = time.monotonic()
        free = AT_ONCE - self._in_hand.total()
        if not free:
            return set()
        busy = [webhook for webhook, count in self._in_hand.items() if count >= EACH]
        began = set()
        for one in await self._stored(self._deliveries.due, now, free, EACH, busy):
            if one.url is None:
                await self._stored(self._deliveries.forget, one)
            elif one.about == "turn" and one.moved_on and one.attempts:
                # A later one tells of the turn as it is now, if there still is one.
                await self._stored(self._deliveries.settle, one, "past")
            elif self._in_hand[one.webhook_id] < EACH:
                until = self._now() + dt.timedelta(seconds=2 * self._seconds)
                mine = await self._stored(self._deliveries.take, one, self._now(), until)
                if mine is not None:
                    self._in_hand[mine.webhook_id] += 1
                    began.add(asyncio.create_task(self._send(client, mine)))
        return began

    async def _send(self, client: httpx.AsyncClient, one: Delivery) -> None:
        try:
            problem = await self._tried(client, one)
            if problem is None:
                await self._stored(self._deliveries.settle, one, "delivered")
            elif one.attempts >= self._tries:
                log.info("delivery %s is a dead letter: %s", one.id, problem)
                await self._stored(self._deliveries.settle, one, "dead", problem)
            else:
                pause = min(self._first_pause * 4 ** min(one.attempts - 1, 10), LONGEST_PAUSE)
                await self._stored(self._deliveries.put_off, one, self._now() + pause, problem)
        except StoreError as error:
            log.warning("what became of delivery %s is not known, so it is sent again: %s", one.id, error)
        finally:
            self._in_hand[one.webhook_id] -= 1
            if not self._in_hand[one.webhook_id]:
                del self._in_hand[one.webhook_id]

    # ── Sending ─────────────────────────────────────────────────────────────────────────────────────────────────

    async def _tried(self, client: httpx.AsyncClient, one: Delivery) -> str | None:
        """What is wrong, if anything."""
        try:
            async with asyncio.timeout(self._seconds):
                await self._deliver(client, one)
        except (NotPublic, NotTaken) as error:
            return str(error)
        except TimeoutError:
            return f"no answer within {self._seconds:g} s"
        except socket.gaierror:
            return "the name cannot be resolved"
        except (httpx.HTTPError, httpx.InvalidURL, OSError, ValueError) as error:
            return f"{type(error).__name__}: {error}"[:200]
        return None

    async def _deliver(self, client: httpx.AsyncClient, one: Delivery) -> None:
        assert one.url is not None and one.secret is not None
        url = httpx.URL(one.url)
        host, port = url.raw_host.decode(), url.port or {"https": 443}.get(url.scheme, 80)
        find = functools.partial(resolved, host, port, private=self._private)
        address = await asyncio.get_running_loop().run_in_executor(self._names, find)
        body, timestamp = letter(one), str(int(self._now().timestamp()))
        # To the address that was checked, and to no other; the name goes into `Host` and into the handshake.
        async with client.stream(
            "POST",
            url.copy_with(host=address),
            content=body,
            headers={
                "Host": url.netloc.decode(),
                "Content-Type": "application/json",
                "User-Agent": "Parlor",
                "Parlor-Delivery": one.id,
                "Parlor-Timestamp": timestamp,
                "Parlor-Signature": signature(one.secret, timestamp, body),
            },
            extensions={"sni_hostname": host},
        ) as answer:
            if answer.is_redirect or 300 <= answer.status_code < 400:
                raise NotTaken(f"answered {answer.status_code}; redirects are not followed")
            if not answer.is_success:
                raise NotTaken(f"answered {answer.status_code}")
