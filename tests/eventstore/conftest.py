"""Databases of their own, for tests that need an empty or a large one."""

from __future__ import annotations

import uuid
from collections.abc import Iterator

import psycopg
import pytest

from tests.conftest import Servers


@pytest.fixture
def empty(servers: Servers) -> Iterator[str]:
    name = f"empty_{uuid.uuid4().hex}"
    with psycopg.connect(servers.postgres.url, autocommit=True) as connection:
        connection.execute(f"CREATE DATABASE {name}".encode())
    yield servers.postgres.url.replace("/postgres?", f"/{name}?")
    with psycopg.connect(servers.postgres.url, autocommit=True) as connection:
        connection.execute(f"DROP DATABASE {name} WITH (FORCE)".encode())
