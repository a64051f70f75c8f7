"""Connections to PostgreSQL, and one place that turns their failures into ours."""

from __future__ import annotations

import collections
import functools
import itertools
import logging
import re
import time
from collections.abc import Iterable
from typing import Any

import orjson
import psycopg
from psycopg.conninfo import conninfo_to_dict
from psycopg.types.json import set_json_dumps, set_json_loads

from eventstore.errors import Unavailable

log = logging.getLogger("parlor.db")

set_json_loads(orjson.loads)
set_json_dumps(orjson.dumps)

TRIES = 8  # of a statement that lost against a concurrent one
TIMEOUT = 5.0  # seconds that a statement may take
MARGIN = 0.5  # seconds by which we wait longer than the server
CONNECT_SECONDS = 2
PAUSE = 0.5  # seconds in which a server that does not answer is not asked again
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


def array(values: Iterable[Any]) -> str:
    """Ids or numbers as the text of an array: psycopg takes longer to find out what is in a list than PostgreSQL to
    read it.

    >>> array([3, 5])
    '{3,5}'
    """
    return "{" + ",".join(map(str, values)) + "}"


def among(kind: str) -> str:
    """What a column is compared with, to be one of an `array`. The text is read once, in a query of its own: `ANY` by
    itself reads it for every row, where the planner chooses to go through them all.

    >>> among("uuid")
    '= ANY ((SELECT %s::text::uuid[])::uuid[])'
    """
    return f"= ANY ((SELECT %s::text::{kind}[])::{kind}[])"


class Silent(psycopg.OperationalError):
    """No answer came in time. Nobody knows whether the statement was carried out."""


class Bounded(psycopg.Connection[tuple[Any, ...]]):
    """A connection that waits for an answer only so long.

    The server's own time-out is no help against a server that is stopped, or a line that falls silent.
    """

    bound: float | None = None

    def wait(self, gen: Any, interval: float = 0.1, timeout: float | None = None) -> Any:
        try:
            return super().wait(gen, interval, self.bound if timeout is None else timeout)
        except psycopg.errors._WaitTimeout:
            raise Silent("no answer in time") from None


# Transactions are numbered on only where the newest epoch began: elsewhere another one begins. See eventstore/feed.py.
ENTER = """
INSERT INTO feed_epochs (epoch, cluster, began_at)
SELECT newest.epoch + 1, feed_cluster(), now()
FROM (SELECT epoch, cluster FROM feed_epochs ORDER BY epoch DESC LIMIT 1) newest
WHERE newest.cluster <> feed_cluster()
   OR EXISTS (SELECT FROM events e WHERE e.epoch = newest.epoch AND e.tx >= pg_snapshot_xmax(pg_current_snapshot()))
ON CONFLICT DO NOTHING
"""

# The planner's help: our statements look for single keys, and planning them anew each time would cost more than running
# them. Citus plans for the key it is given, and cannot do without it.
SET_UP = """
SELECT set_config('statement_timeout', $1, false),
       set_config('parlor.feed_epoch', newest_feed_epoch()::text, false),
       CASE WHEN NOT EXISTS (SELECT FROM pg_extension WHERE extname = 'citus')
            THEN set_config('plan_cache_mode', 'force_generic_plan', false) END
"""


class Line:
    """A connection with its cursor, kept for the next statement."""

    def __init__(self, url: str, timeout: float) -> None:
        milliseconds = round(timeout * 1000)
        usual = {
            "connect_timeout": CONNECT_SECONDS,
            "keepalives_idle": 10,
            "keepalives_interval": 3,
            "keepalives_count": 3,
            "tcp_user_timeout": milliseconds,
            "application_name": "parlor",
        }
        # Every statement is its own transaction, one round trip long, and prepared at its first use.
        told: dict[str, Any] = usual | conninfo_to_dict(url)
        self.connection = Bounded.connect(autocommit=True, prepare_threshold=0, **told)
        # The server speaks first, if it can: then the outcome is known, and the connection stays.
        self.connection.bound = timeout + MARGIN
        self.cursor = psycopg.RawCursor(self.connection)
        self.cursor.execute(ENTER)
        self.cursor.execute(SET_UP, [str(milliseconds)])


class Database:
    """Lends a connection for one statement at a time. There are as many as there were statements at once.

    A pool that is made for transactions of any length costs a tenth of a command: see docs/adr/0009.
    """

    def __init__(self, url: str, timeout: float = TIMEOUT) -> None:
        self._url, self._timeout = url, timeout
        self._idle: collections.deque[Line] = collections.deque()
        self._open = True
        self._away_until = 0.0
        self.losses = 0  # how often a connection broke; another server may have taken over meanwhile

    def run(self, query: Any, params: Any = None) -> list[tuple[Any, ...]]:
        """One statement; tried again when it lost against a concurrent one, and in no other case."""
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
        except psycopg.Error as error:
            if isinstance(error, Silent) or line.connection.closed:
                self._lost(line, error)
                raise Unavailable("the database does not answer") from error
            self._idle.append(line)
            if isinstance(error, psycopg.OperationalError) and not isinstance(error, LOST_RACES):
                log.warning("the database refuses a statement: %s", type(error).__name__)
                raise Unavailable("the database cannot do that now") from error
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
        now = time.monotonic()
        if now < self._away_until:
            raise Unavailable("the database does not answer")
        if self._away_until:
            # One tries whether it is back. The others need not wait for the outcome.
            self._away_until = now + CONNECT_SECONDS + PAUSE
        try:
            line = Line(self._url, self._timeout)
        except psycopg.OperationalError as error:
            log.warning("database away: %s", type(error).__name__)
            self._away_until = time.monotonic() + PAUSE
            raise Unavailable("no connection to the database") from error
        self._away_until = 0.0
        return line

    def _lost(self, line: Line, error: psycopg.Error) -> None:
        log.warning("database away: %s", type(error).__name__)
        self.losses += 1
        line.connection.close()
        if isinstance(error, Silent):
            self._away_until = time.monotonic() + PAUSE
        self._forget_idle()

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


def connections_left(url: str) -> int:
    """How many connections an ordinary role can have on this server, if nobody else has any."""
    query = """SELECT sum(CASE name WHEN 'max_connections' THEN 1 ELSE -1 END * setting::int) FROM pg_settings
               WHERE name IN ('max_connections', 'superuser_reserved_connections', 'reserved_connections')"""
    with psycopg.connect(url, connect_timeout=5) as connection:
        row = connection.execute(query).fetchone()
    return int(row[0]) if row else 0
