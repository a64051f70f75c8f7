"""Real servers for the tests: PostgreSQL and Valkey in a throw-away folder, one set a test process."""

from __future__ import annotations

import gc
import os
import pathlib
import shutil
import signal
import tempfile
import uuid
from collections.abc import Iterator
from typing import Any, NamedTuple

import flask
import flask.testing
import psycopg
import pytest

from api.app import Services, create_app, services
from eventstore.embedded import Postgres, Valkey
from eventstore.migrate import migrate
from eventstore.service import Matches
from eventstore.settings import RATES, Rates, Settings

# Programs are started by the hundred here: what the first of them compiles, the others are to find.
os.environ.pop("PYTHONDONTWRITEBYTECODE", None)

# A shell lets what it starts in the background ignore Ctrl-C, and so would all that is started from here.
if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
    signal.signal(signal.SIGINT, signal.default_int_handler)

UNLIMITED: Any = {name: Rates() for name in RATES}


def pytest_collection_finish() -> None:
    """What was imported and collected stays, and need not be looked through for garbage again and again."""
    gc.collect()
    gc.freeze()


class Servers(NamedTuple):
    postgres: Postgres
    valkey: Valkey


@pytest.fixture(scope="session")
def folder() -> Iterator[pathlib.Path]:
    """Short, because the path of a socket may not be long; readable, because PostgreSQL does not run as root."""
    made = pathlib.Path(tempfile.mkdtemp(prefix="parlor-", dir="/tmp"))
    made.chmod(0o755)
    yield made
    shutil.rmtree(made, ignore_errors=True)


@pytest.fixture(scope="session")
def servers(folder: pathlib.Path) -> Iterator[Servers]:
    found = Servers(Postgres(folder / "postgres"), Valkey(folder / "valkey"))
    with psycopg.connect(found.postgres.url, autocommit=True) as connection:
        # It goes with its folder. Tests of crashes have servers of their own, which wait for the disk.
        connection.execute("ALTER SYSTEM SET fsync = off")
        connection.execute("SELECT pg_reload_conf()")
    migrate(found.postgres.url)
    yield found
    found.valkey.stop()
    found.postgres.stop("immediate")


@pytest.fixture(scope="session")
def settings() -> Settings:
    """Nobody here is told to wait, except by tests of just that."""
    return Settings(bot_grace_ms=300, api_threads=16, metrics="open", open_matches=10_000, **UNLIMITED)


@pytest.fixture(scope="session")
def parlor(servers: Servers, settings: Settings) -> Iterator[Services]:
    made = services(servers.postgres.app_url, servers.valkey.url, settings)
    yield made
    made.database.close()


@pytest.fixture
def matches(parlor: Services) -> Matches:
    """A service with a cold cache on the common database."""
    return Matches(parlor.matches.store)


@pytest.fixture(scope="session")
def app(parlor: Services, settings: Settings) -> flask.Flask:
    """It keeps nothing of what it is asked but numbers for /metrics, and takes a fifth of a second to make."""
    return create_app(parlor, settings)


@pytest.fixture
def client(app: flask.Flask) -> flask.testing.FlaskClient:
    return app.test_client()


@pytest.fixture
def empty(servers: Servers) -> Iterator[str]:
    """A database of its own, for tests that need an empty or a large one."""
    name = f"empty_{uuid.uuid4().hex}"
    with psycopg.connect(servers.postgres.url, autocommit=True) as connection:
        connection.execute(f"CREATE DATABASE {name}".encode())
    yield servers.postgres.url.replace("/postgres?", f"/{name}?")
    with psycopg.connect(servers.postgres.url, autocommit=True) as connection:
        connection.execute(f"DROP DATABASE {name} WITH (FORCE)".encode())
