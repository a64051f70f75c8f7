"""The dump of 0.1.0, restored and migrated, and what its players knew when it was made.

Whatever is changed on purpose in what they see is told here, in `as_today`, and in `renamed/`, by game.
"""

from __future__ import annotations

import collections
import functools
import gzip
import importlib
import json
import pathlib
import subprocess
import uuid
from typing import Any

import psycopg
from flask.testing import FlaskClient
from werkzeug.test import TestResponse

from eventstore.embedded import postgres_program

FOLDER = pathlib.Path(__file__).parent
SQL, KNOWN = FOLDER / "parlor-0.1.0.sql.gz", FOLDER / "parlor-0.1.0.json.gz"
EVENT_FIELDS = ("version", "type", "schema", "actor", "command_id", "at", "public", "secret", "hash")


# ── What 0.1.0 knew ─────────────────────────────────────────────────────────────────────────────────────────────


@functools.cache
def known() -> dict[str, Any]:
    """Players with their tokens, matches with the views of their seats, and answers to commands with a key."""
    return json.loads(gzip.decompress(KNOWN.read_bytes()))  # type: ignore[no-any-return]


def matches(game: str, status: str | None = None) -> list[dict[str, Any]]:
    return [one for one in known()["matches"] if one["game"] == game and status in (None, one["status"])]


def opened(match: dict[str, Any]) -> dict[str, Any]:
    """Somebody's view of a match, for what is the same in all of them: its seats, host and options."""
    found: dict[str, Any] = next(iter(match["views"].values()))
    return found


def player(name: str) -> dict[str, Any]:
    return next(one for one in known()["players"] if one["name"] == name)


def as_today(game: str, view: dict[str, Any]) -> dict[str, Any]:
    """A view of 0.1.0 as it should look now. Fields may be added at any time, so only what was replaced stands here."""
    table = view["table"]
    if table is None:
        return view
    if view["status"] == "over":
        # Everything lies open now, and nothing is anybody's own.
        table = {name: value for name, value in table.items() if name != "hand"}
    try:
        renamed = importlib.import_module(f"tests.upgrade.renamed.{game.replace('-', '_')}")
    except ModuleNotFoundError:
        return view | {"table": table}
    return view | {"table": renamed.as_today(table, over=view["status"] == "over")}


def legal_today(game: str, commands: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """A legal list of 0.1.0 as it should look now."""
    return commands


def missing(then: Any, now: Any, where: str = "") -> list[str]:
    """What was there and is not any more, or not the same. Objects may have grown; lists may not."""
    if isinstance(then, dict) and isinstance(now, dict):
        lost = [f"{where}/{key} is gone" for key in then if key not in now]
        return lost + [text for key in then if key in now for text in missing(then[key], now[key], f"{where}/{key}")]
    if isinstance(then, list) and isinstance(now, list) and len(then) == len(now):
        return [text for n, pair in enumerate(zip(then, now, strict=True)) for text in missing(*pair, f"{where}/{n}")]
    return [] if then == now else [f"{where} was {then}, is {now}"]


def counted(commands: list[dict[str, Any]]) -> collections.Counter[str]:
    """A legal list without its order."""
    return collections.Counter(json.dumps(command, sort_keys=True) for command in commands)


# ── The database ────────────────────────────────────────────────────────────────────────────────────────────────


def copied(server: str, source: str = "template1") -> str:
    """A new database that is like this one; its address."""
    name = f"upgrade_{uuid.uuid4().hex}"
    with psycopg.connect(server, autocommit=True) as connection:
        connection.execute(f"CREATE DATABASE {name} TEMPLATE {source}".encode())
    return server.replace("/postgres?", f"/{name}?")


def restore(server: str) -> str:
    """The dump in a database of its own, as 0.1.0 left it; its address."""
    url = copied(server)
    command = [postgres_program("psql"), "--no-psqlrc", "--quiet", "--single-transaction", "--set=ON_ERROR_STOP=1", url]
    subprocess.run(command, input=gzip.decompress(SQL.read_bytes()), check=True, stdout=subprocess.DEVNULL)
    return url


def drop(server: str, url: str) -> None:
    with psycopg.connect(server, autocommit=True) as connection:
        connection.execute(f"DROP DATABASE {name_of(url)} WITH (FORCE)".encode())


def name_of(url: str) -> str:
    return url.partition("?")[0].rpartition("/")[2]


# ── The players ─────────────────────────────────────────────────────────────────────────────────────────────────


class Player:
    """Somebody with a token of 0.1.0."""

    def __init__(self, client: FlaskClient, name: str, token: dict[str, Any] | None = None) -> None:
        self._client = client
        self.id = player(name)["id"]
        usable = (t for t in player(name)["tokens"] if not t["revoked"] and "match:create" in t["scopes"])
        self.token = (token or next(usable))["token"]

    def _headers(self, more: dict[str, str]) -> dict[str, str]:
        return {"Authorization": f"Bearer {self.token}", **more}

    def get(self, path: str, **headers: str) -> TestResponse:
        return self._client.get(path, headers=self._headers(headers))

    def post(self, path: str, body: Any = None, **headers: str) -> TestResponse:
        given = {} if body is None else {"json": body}
        return self._client.post(path, headers=self._headers(headers), **given)

    def good(self, answer: TestResponse) -> Any:
        assert answer.status_code in (200, 201), (answer.request.path, answer.status_code, answer.get_json())
        return answer.get_json()

    def view(self, match: str, query: str = "") -> dict[str, Any]:
        return self.good(self.get(f"/v1/matches/{match}{query}"))  # type: ignore[no-any-return]

    def log(self, match: str) -> list[dict[str, Any]]:
        answer = self.get(f"/v1/matches/{match}/events", Accept="application/x-ndjson")
        assert answer.status_code == 200, answer.get_json()
        return [json.loads(line) for line in answer.data.splitlines()]
