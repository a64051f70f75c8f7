"""Ratings come by themselves while the server runs, and anybody who has the feed can work them out."""

from __future__ import annotations

import contextlib
import json
import os
import pathlib
import subprocess
import sys
import threading
import time
import uuid
from collections.abc import Callable
from typing import Any

import flask.testing
import psycopg
import pytest
from openskill.models import BradleyTerryPart

from api.app import Services
from domain.match import Place
from eventstore import running
from eventstore.db import Database
from eventstore.feed import Feed, PostgresNode
from eventstore.migrate import migrate
from eventstore.ratings import Ratings
from eventstore.service import Matches
from eventstore.store import EventStore
from tests.api.people import Person, operator
from tests.conftest import Servers
from workers.bell import bots_queue
from workers.reconciler import Reconciler
from workers.scorer import Scorer

SHOWN = "(SELECT max(book) FROM rating_books WHERE complete)"


def lost(matches: Matches, winner: str, loser: str) -> str:
    seats = tuple(Place("human", player, None, "") for player in (winner, loser))
    m = matches.open("flique", host=winner, seats=seats, options={})
    matches.start(m.id, winner, None)
    matches.resign(m.id, loser, None)
    return m.id


def test_the_reconciler_brings_ratings_up_to_date(matches: Matches, parlor: Services) -> None:
    scorer = Scorer(Ratings(parlor.database, parlor.feed), every=0.05)
    reconciler = Reconciler(matches, bots_queue(parlor.redis), every=0.05, scorer=scorer)
    thread = threading.Thread(target=reconciler.run)
    thread.start()
    try:
        match = lost(matches, str(uuid.uuid4()), str(uuid.uuid4()))
        query = f"SELECT count(*) FROM rating_changes WHERE match_id = %s AND book = {SHOWN}"
        wait_until(lambda: parlor.database.run(query, (match,)) == [(2,)])
    finally:
        reconciler.stop()
        thread.join()


class Counted(Ratings):
    """Ratings that tell how often they were asked for."""

    asked = 0

    def catch_up(self) -> int:
        self.asked += 1
        return super().catch_up()


def test_a_match_of_a_later_release_keeps_the_ratings_waiting_and_is_told_of_once(
    empty: str, caplog: pytest.LogCaptureFixture
) -> None:
    migrate(empty)
    with contextlib.closing(Database(empty)) as database:
        lost(Matches(EventStore(database)), str(uuid.uuid4()), str(uuid.uuid4()))
        ratings = Counted(database, Feed([PostgresNode(database)]))
        scorer = Scorer(ratings, every=0.01)
        thread = threading.Thread(target=scorer.run)
        written_by_rules(empty, 99)
        thread.start()
        try:
            wait_until(lambda: ratings.asked > 5)
            assert [record.exc_info for record in caplog.records if record.name == "parlor.scorer"] == [None]
            assert "Flique by rules 99 is of a later release" in caplog.text
            written_by_rules(empty, 1)
            wait_until(lambda: database.run("SELECT count(*) FROM rating_changes") == [(2,)])
        finally:
            scorer.stop()
            thread.join()


def written_by_rules(url: str, version: int) -> None:
    with psycopg.connect(url) as connection:
        connection.execute("ALTER TABLE events DISABLE TRIGGER events_are_final")
        connection.execute(
            "UPDATE events SET public = jsonb_set(public::jsonb, '{rules_version}', to_jsonb(%s::integer))"
            " WHERE type = 'match_opened'",
            (version,),
        )


def wait_until(true: Callable[[], bool]) -> None:
    until = time.monotonic() + 60
    while not true():
        assert time.monotonic() < until
        time.sleep(0.02)


def rebuild(**environment: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "api.cli", "ratings", "rebuild"]
    return subprocess.run(command, env=os.environ | environment, capture_output=True, text=True, check=False)


def test_the_command_line_finds_the_server_that_runs_in_the_data_folder(
    servers: Servers, tmp_path: pathlib.Path
) -> None:
    nobody = rebuild(DATABASE_URL="", PARLOR_DATA=str(tmp_path))
    assert nobody.returncode == 1 and "no Parlor runs" in nobody.stderr and "Traceback" not in nobody.stderr
    with running.announced(tmp_path, running.Addresses(servers.postgres.app_url)):
        told = rebuild(DATABASE_URL="", PARLOR_DATA=str(tmp_path))
    assert told.returncode == 0 and told.stdout.endswith("matches counted\n"), told.stderr


def test_the_command_line_works_them_out_anew(matches: Matches, parlor: Services, servers: Servers) -> None:
    ratings = Ratings(parlor.database, parlor.feed)
    lost(matches, str(uuid.uuid4()), str(uuid.uuid4()))
    ratings.catch_up()
    query = f"SELECT kind, who, game, mu, sigma, points, matches, won, drawn FROM ratings WHERE book = {SHOWN} ORDER BY 1, 2, 3"
    before, books = parlor.database.run(query), parlor.database.run("SELECT max(book) FROM rating_books")
    told = rebuild(DATABASE_URL=servers.postgres.app_url)
    assert told.returncode == 0, told.stderr
    assert told.stdout.endswith("matches counted\n")
    assert parlor.database.run(query) == before
    assert parlor.database.run("SELECT min(book) FROM rating_books")[0] > books[0]


def test_ratings_can_be_worked_out_from_the_feed_as_the_page_says(
    client: flask.testing.FlaskClient, matches: Matches, parlor: Services
) -> None:
    ann, bob, cat = (Person(client, name) for name in ("Ann", "Bob", "Cat"))
    for winner, loser in ((ann, bob), (bob, cat), (cat, ann), (ann, cat), (ann, bob)):
        lost(matches, winner.id, loser.id)
    Ratings(parlor.database, parlor.feed).catch_up()
    lines = (
        operator(client, parlor.database)
        .get("/v1/feed", headers={"Accept": "application/x-ndjson"})
        .get_data()
        .splitlines()
    )
    worked_out = by_the_page([json.loads(line) for line in lines], "flique")
    for person in (ann, bob, cat):
        (shown,) = ann.get(f"/v1/players/{person.id}").get_json()["ratings"]
        mu, sigma = worked_out[person.id]
        assert (shown["mu"], shown["sigma"]) == pytest.approx((mu, sigma), abs=2e-6)
        assert shown["points"] == round(1000 + 50 * (mu - 3 * sigma))


def by_the_page(entries: list[dict[str, Any]], game: str) -> dict[str, tuple[float, float]]:
    """docs/ratings.md for a game in which everybody plays alone, without anything of ours."""
    model = BradleyTerryPart(mu=25.0, sigma=25 / 3, window_size=32)
    seats: dict[str, list[str]] = {}
    known: dict[str, tuple[float, float]] = {}
    for entry in entries:
        match, event = entry["match"], entry["event"]
        if entry["game"] != game or event["schema"] < 5:
            continue
        if event["type"] == "match_opened" and event["public"]["rated"]:
            seats[match] = [seat["player"] or f"bot:{seat['level']}" for seat in event["public"]["seats"]]
        elif event["type"] == "seat_taken" and match in seats:
            seats[match][event["public"]["seat"]] = event["public"]["player"]
        elif event["type"] == "match_ended" and match in seats:
            places, reason = event["public"]["places"], event["public"]["reason"]
            if not places or reason == "agreed":
                continue
            before = [known.get(who, (25.0, 8.333333)) for who in seats[match]]
            teams = [[model.rating(mu=mu, sigma=sigma)] for mu, sigma in before]
            after = model.rate(teams, ranks=[float(place) for place in places])
            for who, (one,) in zip(seats[match], after, strict=True):
                known[who] = round(one.mu, 6), round(one.sigma, 6)
    return known
