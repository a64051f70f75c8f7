"""Settings come from the environment, are read once at the start, and are refused all together if they are wrong."""

from __future__ import annotations

import ipaddress
import os
import pathlib
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, fields
from typing import Any, Final, NamedTuple

HERE = pathlib.Path(".parlor")


class SettingsError(Exception):
    """Lists everything that is wrong with the environment."""


def _whole(low: int, high: int) -> Callable[[str], int]:
    def read(text: str) -> int:
        if not text.strip().isdigit() or not low <= int(text) <= high:
            raise ValueError(f"must be a whole number from {low} to {high}")
        return int(text)

    return read


def _url(*schemes: str) -> Callable[[str], str]:
    def read(text: str) -> str:
        if not text.startswith(tuple(f"{scheme}:" for scheme in schemes)):
            raise ValueError(f"must begin with {' or '.join(f'{scheme}:' for scheme in schemes)}")
        return text

    return read


def _word(*words: str) -> Callable[[str], str]:
    def read(text: str) -> str:
        if text not in words:
            raise ValueError(f"must be one of {', '.join(words)}")
        return text

    return read


Network = ipaddress.IPv4Network | ipaddress.IPv6Network


def _networks(text: str) -> tuple[Network, ...]:
    try:
        return tuple(ipaddress.ip_network(part.strip()) for part in text.split(","))
    except ValueError:
        raise ValueError("must list addresses or networks such as 10.0.0.0/8, with commas between them") from None


UNITS: Final = {"second": 1, "minute": 60, "hour": 3600, "day": 86_400}


class Rate(NamedTuple):
    """So many in so long."""

    amount: int
    unit: str

    @property
    def seconds(self) -> int:
        return UNITS[self.unit]

    def __str__(self) -> str:
        return f"{self.amount}/{self.unit}"


class Rates(tuple[Rate, ...]):
    """All of them hold. None is no limit.

    >>> str(rates("60/minute, 1000/day")), rates("off")
    ('60/minute, 1000/day', ())
    """

    def __str__(self) -> str:
        return ", ".join(map(str, self)) or "off"


def rates(text: str) -> Rates:
    if text == "off":
        return Rates()
    found = [re.fullmatch(r"\s*([1-9]\d{0,9})/(second|minute|hour|day)\s*", part) for part in text.split(",")]
    units = [one[2] for one in found if one]
    if len(units) < len(found) or len(set(units)) < len(units):
        raise ValueError(
            "must be `off` or rates such as 60/minute, 1000/day, one for each of second, minute, hour, day"
        )
    return Rates(Rate(int(one[1]), one[2]) for one in found if one)


EVERYWHERE: Final = "*"


def _origins(text: str) -> tuple[str, ...]:
    """As browsers write them, so that they can be compared letter by letter."""
    found = tuple(part.strip() for part in text.split(","))
    if found == (EVERYWHERE,):
        return found
    for origin in found:
        proper = re.fullmatch(r"([a-z][a-z0-9+.-]*)://([a-z0-9._-]+|\[[0-9a-f:]+\])(?::([1-9]\d{0,4}))?", origin)
        if not proper or proper[3] == {"http": "80", "https": "443"}.get(proper[1]):
            raise ValueError(
                "must be * or a list of origins as browsers send them, such as https://games.example or "
                "http://localhost:5173: small letters, no path, no usual port"
            )
    return found


def _public(text: str) -> str:
    found = re.fullmatch(r"(https?://(?:[A-Za-z0-9._-]+|\[[0-9A-Fa-f:]+\])(?::[1-9]\d{0,4})?)/?", text)
    if not found:
        raise ValueError("must be an address such as https://games.example, without a path")
    return found[1]


def _flag(text: str) -> bool:
    if text not in ("0", "1"):
        raise ValueError("must be 0 or 1")
    return text == "1"


def _word_or_secret(*words: str) -> Callable[[str], str]:
    def read(text: str) -> str:
        if text not in words and not re.fullmatch(r"[!-~]{16,}", text):
            raise ValueError(f"must be {', '.join(words)} or a token of at least 16 characters without spaces")
        return text

    return read


def _setting(variable: str, default: Any, read: Callable[[str], Any], text: str) -> Any:
    return field(default=default, metadata={"variable": variable, "read": read, "text": text})


def _cores() -> int:
    """Those that we may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


BY_MACHINE = {"api_processes": "up to 4, one a core", "workers": "one a core"}


@dataclass(frozen=True)
class Settings:
    host: str = _setting("PARLOR_HOST", "127.0.0.1", str, "address the API listens on")
    port: int = _setting("PARLOR_PORT", 8000, _whole(1, 65535), "port the API listens on")
    data: pathlib.Path = _setting("PARLOR_DATA", HERE, pathlib.Path, "folder of the embedded servers")
    system_data: pathlib.Path = _setting(
        "PARLOR_SYSTEM_DATA",
        pathlib.Path("/var/lib/parlor"),
        pathlib.Path,
        "for root only: where the embedded servers live when their user cannot reach `PARLOR_DATA`",
    )
    database_url: str | None = _setting(
        "DATABASE_URL", None, _url("postgresql", "postgres"), "a PostgreSQL of your own; without it one is embedded"
    )
    migrate_url: str | None = _setting(
        "PARLOR_MIGRATE_URL",
        None,
        _url("postgresql", "postgres"),
        "the same database for the role that owns its tables; without it `DATABASE_URL` has to own them",
    )
    redis_url: str | None = _setting(
        "REDIS_URL", None, _url("redis", "rediss", "unix"), "a Redis or Valkey of your own; without it one is embedded"
    )
    api_processes: int = _setting(
        "PARLOR_API_PROCESSES", min(4, _cores()), _whole(1, 64), "processes that answer requests"
    )
    api_threads: int = _setting("PARLOR_API_THREADS", 8, _whole(1, 256), "threads in each of them")
    api_pinned: bool = _setting(
        "PARLOR_API_PINNED", True, _flag, "whether each of them stays on one core, where there is one for every core"
    )
    workers: int = _setting(
        "PARLOR_WORKERS", min(64, _cores()), _whole(0, 64), "worker processes that `parlor serve` runs for bots"
    )
    cache: int = _setting("PARLOR_CACHE", 2000, _whole(1, 1_000_000), "folded matches that each process keeps")
    bot_grace_ms: int = _setting(
        "PARLOR_BOT_GRACE_MS", 2000, _whole(50, 600_000), "time for a bot to move before another worker tries"
    )
    bot_matches: int = _setting(
        "PARLOR_BOT_MATCHES", 20, _whole(0, 100_000), "matches of bots alone that each player may have running"
    )
    thinking_ms: int = _setting(
        "PARLOR_THINKING_MS", 600, _whole(1, 60_000), "time for a turn of a bot that searches; tables may ask for less"
    )
    open_hours: int = _setting(
        "PARLOR_OPEN_HOURS", 168, _whole(1, 100_000), "time until a table that nobody joins or leaves is cancelled"
    )
    open_matches: int = _setting(
        "PARLOR_OPEN_MATCHES",
        200,
        _whole(1, 1_000_000),
        "matches that a player may have opened and that are not over",
    )
    webhooks: int = _setting("PARLOR_WEBHOOKS", 5, _whole(0, 1000), "webhooks that each player may have; 0 for none")
    webhook_tries: int = _setting(
        "PARLOR_WEBHOOK_TRIES",
        10,
        _whole(1, 100),
        "times that a delivery to a webhook is tried before it is a dead letter",
    )
    webhook_private: bool = _setting(
        "PARLOR_WEBHOOK_PRIVATE",
        False,
        _flag,
        "with 1, webhooks may lead to private, loopback and link-local addresses, which only you should allow yourself",
    )
    db_timeout_ms: int = _setting(
        "PARLOR_DB_TIMEOUT_MS", 5000, _whole(100, 600_000), "time for a statement; then the answer is 503"
    )
    body_limit: int = _setting("PARLOR_BODY_LIMIT", 65_536, _whole(1024, 1_048_576), "largest request body in bytes")
    request_seconds: int = _setting(
        "PARLOR_REQUEST_SECONDS", 10, _whole(1, 600), "time for a request to arrive in full, from its first byte"
    )
    reader_seconds: int = _setting(
        "PARLOR_READER_SECONDS", 20, _whole(1, 600), "time for a reader to take 64 kB of an answer"
    )
    idle_seconds: int = _setting(
        "PARLOR_IDLE_SECONDS", 60, _whole(1, 3600), "time until a connection without a request is closed"
    )
    connections: int = _setting(
        "PARLOR_CONNECTIONS", 2000, _whole(10, 100_000), "connections that each process keeps open at once"
    )
    streams: int = _setting(
        "PARLOR_STREAMS",
        50,
        _whole(0, 100_000),
        "streams and waiting requests that each player may have open, in each process; 0 for none",
    )
    rate_token: Rates = _setting(
        "PARLOR_RATE_TOKEN", rates("12000/minute"), rates, "requests with one token; `off` for no limit, as below"
    )
    rate_address: Rates = _setting(
        "PARLOR_RATE_ADDRESS", rates("36000/minute"), rates, "requests from one address (IPv6: from one /64, as below)"
    )
    rate_sign_ups: Rates = _setting(
        "PARLOR_RATE_SIGN_UPS",
        rates("60/minute, 1000/day"),
        rates,
        "sign-ups and new tokens from one address; several rates hold together",
    )
    rate_matches: Rates = _setting(
        "PARLOR_RATE_MATCHES", rates("60/minute, 2000/day"), rates, "matches that one player opens"
    )
    rate_matches_address: Rates = _setting(
        "PARLOR_RATE_MATCHES_ADDRESS", rates("240/minute, 10000/day"), rates, "matches that are opened from one address"
    )
    rate_bad_tokens: Rates = _setting(
        "PARLOR_RATE_BAD_TOKENS",
        rates("60/minute"),
        rates,
        "tokens from one address that are unknown; beyond that only tokens that were used before are looked at",
    )
    origins: tuple[str, ...] = _setting(
        "PARLOR_ORIGINS",
        (),
        _origins,
        "origins whose pages may use the API from a browser, with commas between them, or `*` for all",
    )
    public_url: str | None = _setting(
        "PARLOR_PUBLIC_URL",
        None,
        _public,
        "address under which the server is reached, for `Location`, invitations and `servers` of the document; "
        "without it these begin with `/`",
    )
    trusted_proxies: tuple[Network, ...] = _setting(
        "PARLOR_TRUSTED_PROXIES",
        (),
        _networks,
        "addresses and networks whose `X-Forwarded-For`, `X-Forwarded-Proto` and `Forwarded` are believed",
    )
    metrics: str = _setting(
        "PARLOR_METRICS",
        "off",
        _word_or_secret("off", "open"),
        "who may read `/metrics`: nobody (`off`), everybody (`open`), or who sends this token as `Bearer`",
    )
    signing_key: str | None = _setting(
        "PARLOR_SIGNING_KEY",
        None,
        str,
        "the Ed25519 key that heads are signed with, as PEM or as a file; `parlor serve` makes one in its folder",
    )
    log_level: str = _setting(
        "PARLOR_LOG_LEVEL", "info", _word("debug", "info", "warning", "error"), "how much is logged"
    )


RATES: Final = tuple(one.name for one in fields(Settings) if one.name.startswith("rate_"))


def variable(name: str) -> str:
    """What a setting is called in the environment."""
    return next(str(one.metadata["variable"]) for one in fields(Settings) if one.name == name)


def settings(environment: Mapping[str, str] | None = None) -> Settings:
    environment = os.environ if environment is None else environment
    values: dict[str, Any] = {}
    wrong = []
    for setting in fields(Settings):
        text = environment.get(setting.metadata["variable"], "")
        if not text:
            continue
        try:
            values[setting.name] = setting.metadata["read"](text)
        except ValueError as error:
            wrong.append(f"{setting.metadata['variable']} {error}")  # not the value: a URL may hold a password
    if wrong:
        raise SettingsError("\n".join(wrong))
    return Settings(**values)


def table() -> str:
    """The settings as the README shows them."""
    rows = ["| variable | default | meaning |", "|---|---|---|"]
    for setting in fields(Settings):
        default = BY_MACHINE.get(setting.name, setting.default)
        shown = "none" if default in (None, ()) else f"{int(default)}" if isinstance(default, bool) else f"{default}"
        rows.append(f"| `{setting.metadata['variable']}` | {shown} | {setting.metadata['text']} |")
    return "\n".join(rows)
