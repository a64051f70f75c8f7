"""Real servers for the tests: PostgreSQL and Valkey in a throw-away folder, one set a test process."""

from __future__ import annotations

import pathlib
import shutil
import tempfile
from collections.abc import Iterator
from typing import NamedTuple

import flask.testing
import pytest

from api.app import Services, create_app, services
from eventstore.embedded import Postgres, Valkey
from eventstore.migrate import migrate
from eventstore.service import Matches
from eventstore.settings import Settings


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
    migrate(found.postgres.url)
    yield found
    found.valkey.stop()
    found.postgres.stop("immediate")


@pytest.fixture(scope="session")
def settings() -> Settings:
    return Settings(bot_grace_ms=300, api_threads=16, metrics="open")


@pytest.fixture(scope="session")
def parlor(servers: Servers, settings: Settings) -> Iterator[Services]:
    made = services(servers.postgres.app_url, servers.valkey.url, settings)
    yield made
    made.database.close()


@pytest.fixture
def matches(parlor: Services) -> Matches:
    """A service with a cold cache on the common database."""
    return Matches(parlor.matches.store)


@pytest.fixture
def client(parlor: Services, settings: Settings) -> flask.testing.FlaskClient:
    return create_app(parlor, settings).test_client()
