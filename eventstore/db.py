"""Connections to PostgreSQL, and one place that turns their failures into ours."""

from __future__ import annotations

import collections
import functools
import itertools
import logging
import re
from typing import Any

import orjson
import psycopg
from psycopg.types.json import set_json_dumps, set_json_loads

from eventstore.errors import Unavailable

log = logging.getLogger("parlor.db")

Connection = psycopg.Connection[tuple[Any, ...]]

set_json_loads(orjson.loads)
set_json_dumps(orjson.dumps)

TRIES = 8  # of a statement that lost against a concurrent one
LOST_RACES = (psycopg.errors.SerializationFailure, psycopg.errors.DeadlockDetected)


@functools.cache
def _with_numbers(query: str) -> tuple[str, tuple[str, ...]]:
    """The statement with PostgreSQL's own placeholders, and the names that they stand for."""
    names = tuple(dict.fromkeys(re.findall(r"%\((\w+)\)s", query)))
    if not names:
        count = itertools.count(1)
        return re.sub(r"%s", lambda _: f"${next(count)}", query), ()
    return re.sub(r"%\((\w+)\)s", lambda found: f"${names.index(found[1]) + 1}", query), names


def numbered(query: str, params: Any) -> tuple[str, Any]:
    """Names are for readers. They are worked out once a statement, and not at every execution."""
    text, names = _with_numbers(query)
    return text, [params[name] for name in names] if names else params


class Line:
    """A connection with its cursor, kept for the next statement."""

    def __init__(self, url: str) -> None:
        # Every statement is its own transaction, one round trip long, and prepared at its first use.
        self.connection: Connection = psycopg.connect(url, autocommit=True, prepare_threshold=0, connect_timeout=3)
        self.cursor = psycopg.RawCursor(self.connection)
        # Every connection gives up the right to change or delete events.
        self.cursor.execute("SET ROLE parlor_app")
        # Our statements look for single keys: planning them anew each time would cost more than running them.
        self.cursor.execute("SET plan_cache_mode = force_generic_plan")


class Database:
    """Lends a connection for one statement at a time. There are as many as there were statements at once.

    A pool that is made for transactions of any length costs a tenth of a command: see docs/adr/0009.
    """

    def __init__(self, url: str) -> None:
        self._url = url
        self._idle: collections.deque[Line] = collections.deque()
        self._open = True

    def run(self, query: Any, params: Any = None) -> list[tuple[Any, ...]]:
        """One statement; tried again when it lost against a concurrent one."""
        for _ in range(TRIES - 1):
            try:
                return self._run(query, params)
            except LOST_RACES:
                log.debug("a statement lost a race and is tried again")
        return self._run(query, params)

    def _run(self, query: Any, params: Any) -> list[tuple[Any, ...]]:
        line = self._lend()
        try:
            cursor = line.cursor.execute(*numbered(query, params))
            rows = cursor.fetchall() if cursor.description else []
        except LOST_RACES:
            self._idle.append(line)
            raise
        except psycopg.OperationalError as error:
            line.connection.close()
            self._forget_idle()
            log.warning("database away: %s", type(error).__name__)
            raise Unavailable("the database does not answer") from error
        except psycopg.Error:
            self._idle.append(line)
            raise
        except BaseException:
            line.connection.close()
            raise
        self._idle.append(line)
        return rows

    def _lend(self) -> Line:
        if not self._open:
            raise Unavailable("the database was closed")
        try:
            return self._idle.pop()
        except IndexError:
            pass
        try:
            return Line(self._url)
        except psycopg.OperationalError as error:
            log.warning("database away: %s", type(error).__name__)
            raise Unavailable("no connection to the database") from error

    def _forget_idle(self) -> None:
        """A connection that broke is seldom the only one: the others are not worth trying."""
        while self._idle:
            try:
                self._idle.pop().connection.close()
            except IndexError:
                return

    def ping(self) -> None:
        self.run("SELECT 1")

    def close(self) -> None:
        self._open = False
        self._forget_idle()
