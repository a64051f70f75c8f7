"""How much one client may ask for: by token, by address, and less of what costs most.

Every request is counted in the process (`api/counting.py`). Sign-ups, new matches and bad tokens are rare and dear, so
Redis is asked about them, which knows of all processes; while it is away each process judges by itself.
"""

from __future__ import annotations

import functools
import logging
import math
import operator
import threading
import time
from collections.abc import Callable, Sequence
from typing import Any, Final, NamedTuple

import limits
import redis
from limits.storage import MemoryStorage, RedisStorage
from limits.strategies import MovingWindowRateLimiter

from api.counting import Counts, Talk
from api.gate.follow import UNTIL
from api.problems import Problem
from eventstore.networks import network
from eventstore.settings import Rates, Settings

log = logging.getLogger("parlor.rates")

HEADERS: Final = "parlor.rate"  # in the environment of a request: what its answer says about the limit
UNCOUNTED: Final = ("/healthz", "/readyz", "/metrics")  # whoever watches the server shall not be told to wait
AWAY_SECONDS: Final = 2.0  # in which Redis is not asked again once it did not answer
SHUT: Final = 10_000  # addresses that are remembered for their bad tokens
TOKEN_LENGTH: Final = 64  # characters; ours are shorter, and what is longer is none

Headers = list[tuple[str, str]]


def policy(name: str, unit: str) -> str:
    return f"{name}-{unit}"


def too_many(detail: str, told: Headers, seconds: int) -> Problem:
    return Problem(429, "too_many", detail, {**dict(told), "Retry-After": str(max(1, seconds))})


class Every:
    """A limit for all requests with one key, counted here."""

    def __init__(self, name: str, rates: Rates, detail: str) -> None:
        self.counted = [Counts(policy(name, rate.unit), rate) for rate in rates]
        self._others, self._detail = self.counted[1:], detail
        listed = ", ".join(f'"{one.name}";q={one.rate.amount};w={one.rate.seconds}' for one in self.counted)
        self._policy = "RateLimit-Policy", listed

    def spend(self, key: str, now: float) -> tuple[int, Counts]:
        """What is left by the rate that leaves least, and that rate. Raises a problem if there was not enough."""
        nearest = self.counted[0]
        least = nearest.spend(key, now)
        for other in self._others:
            if least >= 0 and (left := other.spend(key, now)) < least:
                nearest, least = other, left
        if least < 0:
            raise too_many(self._detail, self.told(0, nearest, now), nearest.seconds_left(now))
        return least, nearest

    def left(self, key: str, now: float) -> tuple[int, Counts]:
        """The same for what was counted before."""
        return min(((one.left(key, now), one) for one in self.counted), key=operator.itemgetter(0))

    def told(self, left: int, counts: Counts, now: float) -> Headers:
        return [self._policy, ("RateLimit", f'"{counts.name}";r={left};t={counts.seconds_left(now)}')]


class Spent(NamedTuple):
    """What is left, and in how many seconds there will be more. Less than nothing is left where it was one too many."""

    left: int
    seconds: int


class Dear(NamedTuple):
    """A limit that Redis is asked about."""

    name: str
    items: tuple[limits.RateLimitItem, ...]
    detail: str

    def told(self, left: int, name: str, seconds: int) -> Headers:
        listed = ", ".join(f'"{item.namespace}";q={item.amount};w={item.get_expiry()}' for item in self.items)
        return [("RateLimit-Policy", listed), ("RateLimit", f'"{name}";r={max(left, 0)};t={seconds}')]


def dear(name: str, rates: Rates, detail: str) -> Dear:
    items = (limits.RateLimitItemPerSecond(rate.amount, rate.seconds, policy(name, rate.unit)) for rate in rates)
    return Dear(name, tuple(items), detail)


class Limits:
    """All limits of one process."""

    def __init__(self, settings: Settings, connection: redis.Redis, remembered: Callable[[str], bool]) -> None:
        self._token = Every("token", settings.rate_token, "too many requests with this token")
        self._address = Every("address", settings.rate_address, "too many requests from your address")
        self._talk = Talk([*self._token.counted, *self._address.counted], connection)
        self._sign_ups = dear("sign-ups", settings.rate_sign_ups, "too many sign-ups and new tokens from your address")
        self._matches = dear("matches", settings.rate_matches, "you have opened too many matches in a short time")
        self._matches_address = dear(
            "matches-address", settings.rate_matches_address, "too many matches were opened from your address"
        )
        self._bad_tokens = dear(
            "bad-tokens", settings.rate_bad_tokens, "too many tokens that nobody knows came from your address"
        )
        self._remembered = remembered
        self._shut: dict[str, tuple[float, str]] = {}  # until when, and by which rate
        self._shutting = threading.Lock()
        self._redis = MovingWindowRateLimiter(RedisStorage("redis://", connection.connection_pool, "parlor:rate"))
        self._away_until = 0.0

    @functools.cached_property
    def _alone(self) -> MovingWindowRateLimiter:
        return MovingWindowRateLimiter(MemoryStorage())

    # ── Every request ──

    def admit(self, environ: dict[str, Any]) -> None:
        """Counts a request, and raises a problem if it is one too many."""
        if environ["PATH_INFO"] in UNCOUNTED:
            return
        now = time.time()
        waited = UNTIL in environ  # and was counted before
        count = Every.left if waited else Every.spend
        address = network(environ.get("REMOTE_ADDR", ""))
        nearest = None
        if self._address.counted:
            nearest = self._address, *count(self._address, address, now)
        token = environ.get("HTTP_AUTHORIZATION", "").partition(" ")[2]
        if token:
            if self._token.counted:
                nearest = self._token, *count(self._token, token[:TOKEN_LENGTH], now)
            if self._shut and not waited:
                until, name = self._shut.get(address, (0.0, ""))
                if now < until and not self._remembered(token):
                    seconds = math.ceil(until - now)
                    raise too_many(self._bad_tokens.detail, self._bad_tokens.told(0, name, seconds), seconds)
        if nearest is not None:
            limit, left, counts = nearest
            environ[HEADERS] = limit.told(left, counts, now)
            self._talk.begin()

    # ── What is dear ──

    def sign_up(self, environ: dict[str, Any]) -> None:
        self._ask(environ, (self._sign_ups, network(environ["REMOTE_ADDR"])))

    def open_match(self, environ: dict[str, Any], player: str) -> None:
        # The player first: what is refused to one who wants too many shall not be missing to the neighbours.
        self._ask(environ, (self._matches, player), (self._matches_address, network(environ["REMOTE_ADDR"])))

    def bad_token(self, environ: dict[str, Any]) -> None:
        """A token was sent that nobody knows. It was answered; who sends many is not looked at for a while."""
        address = network(environ.get("REMOTE_ADDR", ""))
        spent, name = self._spend(self._bad_tokens, address)
        if spent is not None and spent.left < 1:
            with self._shutting:
                self._shut.pop(address, None)  # whoever comes again is the last to be forgotten
                self._shut[address] = time.time() + spent.seconds, name
                if len(self._shut) > SHUT:
                    del self._shut[next(iter(self._shut))]

    def _ask(self, environ: dict[str, Any], *asked: tuple[Dear, str]) -> None:
        """Spends one of each limit. The answer tells of the nearest, or of the one that there was not enough of."""
        nearest: int | None = None
        for limit, key in asked:
            spent, name = self._spend(limit, key)
            if spent is None:
                continue
            if nearest is None or spent.left < nearest:
                nearest, environ[HEADERS] = spent.left, limit.told(spent.left, name, spent.seconds)
            if spent.left < 0:
                raise too_many(limit.detail, [], spent.seconds)

    def _spend(self, limit: Dear, key: str) -> tuple[Spent | None, str]:
        """What is left by the rate that leaves least, and the name of that rate. Nothing where there is no limit."""
        if not limit.items:
            return None, ""
        if time.monotonic() >= self._away_until:
            try:
                return _spend(self._redis, limit.items, key)
            except redis.RedisError as error:
                log.warning("limits are judged by each process, for Redis is away: %s", type(error).__name__)
                self._away_until = time.monotonic() + AWAY_SECONDS
        return _spend(self._alone, limit.items, key)


def _spend(limiter: MovingWindowRateLimiter, items: Sequence[limits.RateLimitItem], key: str) -> tuple[Spent, str]:
    found: list[tuple[Spent, str]] = []
    for item in items:
        enough = limiter.hit(item, key)
        reset, left = limiter.get_window_stats(item, key)
        seconds = max(1, math.ceil(reset - time.time()))
        found.append((Spent(left if enough else -1, seconds), item.namespace))
        if not enough:
            break
    return min(found)
