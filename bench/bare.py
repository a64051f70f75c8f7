"""The least that Flask and psycopg can do for a durable command: read JSON, insert one row, answer JSON.

It is what Parlor's commands are measured against, on the same server, with the same processes, threads and pool.
`python -m bench.bare` serves it by the settings that `parlor api` reads.
"""

from __future__ import annotations

import uuid
from typing import Any

import psycopg
import psycopg_pool
from flask import Flask, request
from granian import Granian
from granian.constants import Interfaces
from psycopg.types.json import Jsonb

from eventstore.settings import Settings, settings

TABLE = (
    "CREATE TABLE IF NOT EXISTS bare_commands "
    "(id uuid PRIMARY KEY, body jsonb NOT NULL, at timestamptz NOT NULL DEFAULT now())"
)


def create() -> Flask:
    given = settings()
    assert given.database_url is not None, "DATABASE_URL is needed here"
    app = Flask(__name__, static_folder=None)
    pool: psycopg_pool.ConnectionPool[psycopg.Connection[Any]] = psycopg_pool.ConnectionPool(
        given.database_url,
        min_size=1,
        max_size=given.api_threads + 2,
        kwargs={"autocommit": True, "prepare_threshold": 0},
        open=True,
    )

    @app.post("/commands")
    def insert() -> dict[str, Any]:
        body = request.get_json()
        row = (uuid.uuid4(), Jsonb(body))
        with pool.connection() as connection:
            connection.execute("INSERT INTO bare_commands (id, body) VALUES (%s, %s)", row)
        return {"id": str(row[0])}

    return app


def serve(given: Settings) -> None:
    assert given.database_url is not None, "DATABASE_URL is needed here"
    with psycopg.connect(given.database_url) as connection:
        connection.execute(TABLE)
    Granian(
        "bench.bare:create",
        factory=True,
        address=given.host,
        port=given.port,
        interface=Interfaces.WSGI,
        workers=given.api_processes,
        blocking_threads=given.api_threads,
        backlog=1024,
        log_access=False,
    ).serve()


if __name__ == "__main__":
    serve(settings())
