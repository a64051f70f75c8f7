"""The feed as the operator reads it over HTTP."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

import flask.testing
import pytest

from api.app import Services
from eventstore.chain import GENESIS, verify
from eventstore.feed import NOWHERE, Place, write_position
from tests.api.people import Person, problem, table
from tests.api.people import operator as made_operator


@pytest.fixture
def operator(client: flask.testing.FlaskClient, parlor: Services) -> Person:
    return made_operator(client, parlor.database)


def follow(operator: Person, after: str, limit: int = 7) -> Iterator[dict[str, Any]]:
    while True:
        page = operator.get(f"/v1/feed?after={after}&limit={limit}").get_json()
        if not page["entries"]:
            assert page["next"] == after
            return
        yield from page["entries"]
        after = page["next"]


def test_only_the_operator_reads_the_feed(client: flask.testing.FlaskClient) -> None:
    ann = Person(client, "Ann")
    problem(ann.get("/v1/feed"), 403, "scope_missing")
    problem(client.get("/v1/feed"), 401, "token_missing")
    problem(ann.post("/v1/tokens", json={"label": "", "scopes": ["operator"]}), 422, "does_not_fit")


def test_pages_and_lines_give_every_event_once_in_the_order_of_each_match(
    client: flask.testing.FlaskClient, operator: Person, parlor: Services
) -> None:
    start = parlor.feed.end()
    ann, bob = Person(client, "Ann"), Person(client, "Bob")
    ids = [table([ann, bob]), table([ann, bob], "checkers")]
    paged = list(follow(operator, start))
    for match in ids:
        log = ann.get(f"/v1/matches/{match}/events").get_json()["events"]
        assert [entry["event"]["version"] for entry in paged if entry["match"] == match] == [e["version"] for e in log]
    lines = operator.get(f"/v1/feed?after={start}", headers={"Accept": "application/x-ndjson"})
    assert lines.mimetype == "application/x-ndjson"
    assert [json.loads(line) for line in lines.get_data().splitlines()] == paged
    few = operator.get(f"/v1/feed?after={start}&limit=3", headers={"Accept": "application/x-ndjson"})
    assert [json.loads(line) for line in few.get_data().splitlines()] == paged[:3]


def test_secrets_stay_closed_until_the_match_is_over(
    client: flask.testing.FlaskClient, operator: Person, parlor: Services
) -> None:
    start = parlor.feed.end()
    ann, bob = Person(client, "Ann"), Person(client, "Bob")
    match = table([ann, bob])
    sealed = [part for entry in follow(operator, start) for part in entry["event"]["secret"].values()]
    assert sealed and all(set(part) == {"commitment"} for part in sealed)
    assert verify([entry["event"] for entry in follow(operator, start)]) != GENESIS
    ann.post(f"/v1/matches/{match}/resign")
    opened = [part for entry in follow(operator, start) for part in entry["event"]["secret"].values()]
    assert len(opened) == len(sealed) and all("part" in part for part in opened)


def test_what_is_no_position_or_none_of_this_log_is_told_apart(operator: Person, parlor: Services) -> None:
    told = problem(operator.get("/v1/feed?after=nonsense"), 422, "does_not_fit")
    assert told["errors"].keys() == {"after"} and "send one back as it was given" in told["detail"]
    problem(operator.get("/v1/feed?after="), 422, "does_not_fit")
    problem(operator.get("/v1/feed?limit=0"), 422, "does_not_fit")
    problem(operator.get("/v1/feed?limit=1001"), 422, "does_not_fit")
    problem(operator.get("/v1/feed?follow=1"), 422, "does_not_fit")
    problem(operator.get("/v1/feed", headers={"Accept": "text/html"}), 406, "no_such_format")
    lost = write_position({"0": Place(99, 5, NOWHERE, 0)})
    problem(operator.get(f"/v1/feed?after={lost}"), 410, "position_lost")
    end = parlor.feed.end()
    assert operator.get(f"/v1/feed?after={end}").get_json() == {"entries": [], "next": end}
