"""Connections to PostgreSQL: a pool, and one place that turns its failures into ours."""

from __future__ import annotations

import contextlib
import logging
import threading
from collections.abc import Iterator
from typing import Any

import orjson
import psycopg
import psycopg_pool
from psycopg.types.json import set_json_dumps, set_json_loads

from eventstore.errors import Unavailable

log = logging.getLogger("parlor.db")

Connection = psycopg.Connection[tuple[Any, ...]]

set_json_loads(orjson.loads)
set_json_dumps(orjson.dumps)

TRIES = 8  # of a statement that lost against a concurrent one


def _as_application(connection: Connection) -> None:
    """Every connection gives up the right to change or delete events."""
    connection.execute("SET ROLE parlor_app")


class Database:
    """A pool of connections in autocommit mode: every statement is its own transaction, one round trip long."""

    def __init__(self, url: str, *, size: int = 16, wait: float = 2.0) -> None:
        self._pool: psycopg_pool.ConnectionPool[Connection] = psycopg_pool.ConnectionPool(
            url,
            min_size=1,
            max_size=size,
            timeout=wait,
            reconnect_timeout=30,
            configure=_as_application,
            kwargs={"autocommit": True, "prepare_threshold": 0, "connect_timeout": 3},
            open=False,
            name="parlor",
        )
        self._checking = threading.Lock()
        # The pool gives up on a database that stays away for long; asking again must start it again.
        self._pool.open(wait=False)

    @contextlib.contextmanager
    def connection(self) -> Iterator[Connection]:
        try:
            with self._pool.connection() as connection:
                yield connection
        except psycopg_pool.PoolTimeout as error:
            raise Unavailable("no connection to the database") from error
        except psycopg.OperationalError as error:
            if isinstance(error, psycopg.errors.SerializationFailure | psycopg.errors.DeadlockDetected):
                raise
            log.warning("database away: %s", type(error).__name__)
            self._renew()
            raise Unavailable("the database does not answer") from error

    def run(self, query: Any, params: Any = None) -> list[tuple[Any, ...]]:
        """One statement; tried again when it lost against a concurrent one."""
        for attempt in range(TRIES):
            try:
                with self.connection() as connection:
                    cursor = connection.execute(query, params)
                    return cursor.fetchall() if cursor.description else []
            except (psycopg.errors.SerializationFailure, psycopg.errors.DeadlockDetected):
                if attempt == TRIES - 1:
                    raise
        raise AssertionError("not reached")

    def _renew(self) -> None:
        """A connection that broke is seldom the only one: have the others looked at, once at a time."""
        if self._checking.acquire(blocking=False):
            threading.Thread(target=self._check, daemon=True).start()

    def _check(self) -> None:
        try:
            self._pool.check()
        except Exception:  # the next request will find out by itself
            log.debug("pool check failed", exc_info=True)
        finally:
            self._checking.release()

    def ping(self) -> None:
        self.run("SELECT 1")

    def close(self) -> None:
        self._pool.close()
