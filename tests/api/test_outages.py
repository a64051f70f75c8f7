"""PostgreSQL goes away and comes back: 503 meanwhile, and recovery without a restart."""

from __future__ import annotations

import pathlib
import time
from collections.abc import Iterator

import flask.testing
import pytest

from api.app import create_app, services
from eventstore.embedded import Postgres
from eventstore.migrate import migrate
from eventstore.settings import Settings
from tests.api.people import Person, play_on, table
from tests.conftest import Servers


@pytest.fixture
def own(folder: pathlib.Path) -> Iterator[Postgres]:
    postgres = Postgres(folder / "outage")
    migrate(postgres.url)
    yield postgres
    postgres.stop("immediate")


def test_the_database_goes_away_and_comes_back(own: Postgres, servers: Servers) -> None:
    app = create_app(services(own.url, servers.valkey.url, Settings(api_threads=2)), Settings())
    client: flask.testing.FlaskClient = app.test_client()
    ann, bob = Person(client, "Ann"), Person(client, "Bob")
    match = table([ann, bob], first_dealer=0)
    command = bob.legal(match)[0]
    own.stop("immediate")
    for answer in (
        ann.get(f"/v1/matches/{match}"),
        bob.play(match, command, {"Idempotency-Key": "once"}),
        client.post("/v1/players", json={"name": "Eve"}),
        client.get("/readyz"),
    ):
        assert answer.status_code == 503 and answer.headers["Retry-After"] == "1"
        assert answer.get_json()["code"] == "unavailable"
    assert client.get("/healthz").status_code == 200
    own.start()
    until = time.monotonic() + 30
    while (retry := bob.play(match, command, {"Idempotency-Key": "once"})).status_code == 503:
        assert time.monotonic() < until, "no recovery"
        time.sleep(0.1)
    assert retry.status_code == 200
    assert bob.play(match, command, {"Idempotency-Key": "once"}).get_json() == retry.get_json()
    play_on([ann, bob], match, steps=3)
    assert client.get("/readyz").status_code == 200
