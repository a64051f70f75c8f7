"""The `eventsourcing` library on the same database, as its documentation has it used."""

from __future__ import annotations

import contextlib
import uuid
from collections.abc import Callable, Iterator
from typing import Any

import psycopg.conninfo

from bench.stage import Stage

MISSING = ""
try:
    from eventsourcing.application import Application
    from eventsourcing.domain import Aggregate, event
except ImportError:
    MISSING = "the library `eventsourcing` is missing: `pip install -e '.[bench]'` brings it"
else:

    class Table(Aggregate):
        """A table at which dice are rolled; its event holds what ours holds."""

        def __init__(self) -> None:
            self.turn = 0
            self.number: int | None = None
            self.draws = 0

        @event("DiceRolled")
        def roll(self, seat: int, faces: list[int], kind: str, number: int, draw: dict[str, Any]) -> None:
            self.turn = 1 - seat
            self.number = number
            self.draws = draw["n"]


def roll(table: Any) -> None:
    draw = {"n": table.draws + 1, "kind": "dice", "size": [2, 6], "result": [3, 4]}
    table.roll(seat=table.turn, faces=[3, 4], kind="sum", number=7, draw=draw)


@contextlib.contextmanager
def application(on: Stage) -> Iterator[Any]:
    where = psycopg.conninfo.conninfo_to_dict(on.database_url)
    made = Application[uuid.UUID](
        env={
            "PERSISTENCE_MODULE": "eventsourcing.postgres",
            "POSTGRES_DBNAME": str(where["dbname"]),
            "POSTGRES_HOST": str(where["host"]),
            "POSTGRES_PORT": str(where.get("port", 5432)),
            "POSTGRES_USER": str(where["user"]),
            "POSTGRES_PASSWORD": "none is asked for",
        }
    )
    try:
        yield made
    finally:
        made.close()


def saver(app: Any) -> Callable[[], None]:
    """Saves one event a call, to one aggregate."""
    table = Table()
    app.save(table)

    def save() -> None:
        roll(table)
        app.save(table)

    return save


def aggregate(app: Any, events: int) -> uuid.UUID:
    """An aggregate of so many events, the first one included."""
    table: Any = Table()
    for number in range(events - 1):
        roll(table)
        if number % 50 == 0:  # thousands at once can stop its pipeline for good
            app.save(table)
    app.save(table)
    found: uuid.UUID = table.id
    return found
