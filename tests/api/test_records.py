"""Leaderboards and the records of players over HTTP."""

from __future__ import annotations

import itertools
import uuid
from typing import Any

import flask.testing
import psycopg
import pytest

from api.app import Services
from domain.upcast import SCHEMA
from eventstore.ratings import Ratings
from tests.api.people import Person, problem, table
from tests.conftest import Servers


@pytest.fixture
def ratings(parlor: Services) -> Ratings:
    return Ratings(parlor.database, parlor.feed)


def lost(loser: Person, people: list[Person], game: str = "checkers", bots: int = 0) -> str:
    match = table(people, game, bots)
    assert loser.post(f"/v1/matches/{match}/resign").status_code == 200
    return match


def record(reader: Person, player: str, query: str = "") -> dict[str, Any]:
    found = reader.get(f"/v1/players/{player}{query}")
    assert found.status_code == 200, found.get_json()
    return found.get_json()  # type: ignore[no-any-return]


def leaders(reader: Person, game: str, limit: int = 200, **query: str) -> list[dict[str, Any]]:
    rows: list[dict[str, Any]] = []
    cursor = ""
    while cursor is not None:
        asked = "&".join(f"{name}={value}" for name, value in query.items())
        page = reader.get(f"/v1/leaderboards/{game}?limit={limit}&{asked}{cursor and '&cursor='}{cursor}").get_json()
        rows += page["leaders"]
        cursor = page["next"]
    return rows


def test_a_table_says_whether_it_is_rated_and_a_wish_that_cannot_be_met_is_refused(
    client: flask.testing.FlaskClient,
) -> None:
    ann = Person(client, "Ann")
    seats = [{"kind": "me"}, {"kind": "bot"}]
    asked = {"game": "checkers", "seats": seats}
    assert ann.post("/v1/matches", json=asked).get_json()["rated"] is True
    assert ann.post("/v1/matches", json={**asked, "rated": True}).get_json()["rated"] is True
    assert ann.post("/v1/matches", json={**asked, "rated": False}).get_json()["rated"] is False
    assert ann.post("/v1/matches", json={**asked, "thinking_ms": 5}).get_json()["rated"] is False
    told = problem(ann.post("/v1/matches", json={**asked, "thinking_ms": 5, "rated": True}), 409, "not_rated")
    assert told["rule"]["id"] == "PM-20"
    problem(ann.post("/v1/matches", json={**asked, "rated": "yes"}), 422, "does_not_fit")
    match = ann.post("/v1/matches", json=asked).get_json()["id"]
    first = ann.get(f"/v1/matches/{match}/events").get_json()["events"][0]
    assert first["public"]["rated"] is True and first["schema"] == SCHEMA


def test_a_player_has_ratings_a_history_and_a_head_to_head(client: flask.testing.FlaskClient, ratings: Ratings) -> None:
    ann, bob, cat = (Person(client, name) for name in ("Ann", "Bob", "Cat"))
    played = [lost(bob, [ann, bob]), lost(ann, [ann, bob]), lost(bob, [ann, bob], "quenette"), lost(ann, [cat, ann])]
    ratings.catch_up()
    found = record(ann, ann.id, f"?against={bob.id}")
    assert (found["id"], found["name"], found["deleted"]) == (ann.id, "Ann", False)
    by_game = {one["game"]: one for one in found["ratings"]}
    assert (by_game["checkers"]["matches"], by_game["checkers"]["won"], by_game["checkers"]["lost"]) == (3, 1, 2)
    assert by_game["quenette"]["points"] > 1000 and by_game["quenette"]["kind"] == "human"
    assert [one["match"] for one in found["history"]] == played[::-1]
    assert [one["result"] for one in found["history"]] == ["lost", "won", "lost", "won"]
    checkers = [one for one in found["history"][::-1] if one["game"] == "checkers"]
    assert checkers[0]["points_before"] == 1000 and checkers[-1]["points"] == by_game["checkers"]["points"]
    assert all(one["points"] == two["points_before"] for one, two in itertools.pairwise(checkers))
    assert found["head_to_head"] == {"against": bob.id, "matches": 3, "won": 2, "drawn": 0, "lost": 1}
    in_checkers = record(ann, ann.id, f"?against={bob.id}&game=checkers")
    assert in_checkers["head_to_head"] == {"against": bob.id, "matches": 2, "won": 1, "drawn": 0, "lost": 1}
    assert {one["game"] for one in in_checkers["history"]} == {"checkers"}
    assert record(ann, bob.id, f"?against={ann.id}")["head_to_head"]["won"] == 1
    assert record(ann, ann.id)["head_to_head"] is None


def test_a_history_comes_a_page_at_a_time(client: flask.testing.FlaskClient, ratings: Ratings) -> None:
    ann, bob = Person(client, "Ann"), Person(client, "Bob")
    played = [lost(bob, [ann, bob]) for _ in range(5)]
    ratings.catch_up()
    read, more = [], ""
    while more is not None:
        page = record(ann, ann.id, f"?limit=2{more and '&cursor='}{more}")
        assert len(page["history"]) <= 2
        read += [one["match"] for one in page["history"]]
        more = page["next"]
    assert read == played[::-1]


def test_against_a_level_of_bots(client: flask.testing.FlaskClient, ratings: Ratings) -> None:
    ann = Person(client, "Ann")
    lost(ann, [ann], bots=1)
    ratings.catch_up()
    told = record(ann, ann.id, "?against=bot:steady")["head_to_head"]
    assert told == {"against": "bot:steady", "matches": 1, "won": 0, "drawn": 0, "lost": 1}
    assert record(ann, ann.id, "?against=bot:strong")["head_to_head"]["matches"] == 0
    for wrong in ("bot:clever", "bot", "nobody", "00000000"):
        problem(ann.get(f"/v1/players/{ann.id}?against={wrong}"), 422, "does_not_fit")


def test_only_matches_that_the_reader_may_look_at_are_listed(client: flask.testing.FlaskClient) -> None:
    ann, bob, cat = (Person(client, name) for name in ("Ann", "Bob", "Cat"))
    private = table([ann, bob])
    watched = ann.post(
        "/v1/matches", json={"game": "checkers", "seats": [{"kind": "me"}, {"kind": "bot"}], "spectators": True}
    ).get_json()["id"]
    listed = {reader: [one["id"] for one in record(reader, ann.id)["matches"]] for reader in (ann, bob, cat)}
    assert listed == {ann: [watched, private], bob: [watched, private], cat: [watched]}
    for match in listed[cat]:
        assert cat.get(f"/v1/matches/{match}").status_code == 200


def test_a_leaderboard_is_in_order_and_can_be_narrowed_down(
    client: flask.testing.FlaskClient, ratings: Ratings
) -> None:
    ann, bob = Person(client, "Ann"), Person(client, "Bob")
    lost(bob, [ann, bob], "trix")
    lost(bob, [ann, bob], "trix")
    lost(ann, [ann.with_token("match:create", "match:play", "match:read")], "trix", bots=1)
    ratings.catch_up()
    rows = leaders(ann, "trix")
    assert [row["points"] for row in rows] == sorted((row["points"] for row in rows), reverse=True)
    assert leaders(ann, "trix", limit=1) == rows
    ours = {row["player"]: row for row in rows if row["player"] in (ann.id, bob.id)}
    assert ours[ann.id]["name"] == "Ann" and ours[ann.id]["kind"] == "human"
    assert ours[ann.id]["rank"] < ours[bob.id]["rank"]
    for kind, wanted in (("people", "human"), ("programs", "program"), ("bots", "bot")):
        narrowed = leaders(ann, "trix", kind=kind)
        assert [row["points"] for row in narrowed] == [row["points"] for row in rows if row["kind"] == wanted]
    (level,) = [row for row in leaders(ann, "trix", kind="bots") if row["level"] == "steady"]
    assert level["player"] is None and not level["deleted"]


def test_equal_points_share_a_rank(client: flask.testing.FlaskClient, ratings: Ratings) -> None:
    for _ in range(3):
        ann, bob = Person(client, "Ann"), Person(client, "Bob")
        lost(bob, [ann, bob], "kid-o")
    ratings.catch_up()
    rows = leaders(ann, "kid-o")
    ranks = {row["rank"] for row in rows[:3]}
    assert ranks == {1} and rows[3]["rank"] == 4
    assert leaders(ann, "kid-o", limit=2) == rows


def test_whoever_is_no_longer_there_stays_in_the_record_without_a_name(
    client: flask.testing.FlaskClient, ratings: Ratings, servers: Servers
) -> None:
    ann, bob = Person(client, "Ann"), Person(client, "Bob")
    lost(bob, [ann, bob], "rustle")
    ratings.catch_up()
    with psycopg.connect(servers.postgres.url) as connection:
        connection.execute("DELETE FROM tokens WHERE player_id = %s", (bob.id,))
        connection.execute("DELETE FROM players WHERE player_id = %s", (bob.id,))
    row = next(row for row in leaders(ann, "rustle") if row["player"] == bob.id)
    assert (row["name"], row["deleted"]) == (None, True)
    found = record(ann, bob.id, f"?against={ann.id}")
    assert (found["name"], found["deleted"], found["head_to_head"]["lost"]) == (None, True, 1)


def test_what_is_not_there_is_not_found(client: flask.testing.FlaskClient) -> None:
    ann = Person(client, "Ann")
    problem(ann.get(f"/v1/players/{uuid.uuid4()}"), 404, "not_found")
    problem(ann.get("/v1/players/nobody"), 404, "not_found")
    problem(ann.get("/v1/leaderboards/chess"), 404, "not_found")
    problem(client.get("/v1/leaderboards/checkers"), 401, "token_missing")
    problem(ann.with_token("bot:play").get("/v1/leaderboards/checkers"), 403, "scope_missing")
    for wrong in ("cursor=xx", "cursor=W10=", "limit=0", "kind=dogs", "cursor=WzEsMiwzLDQsNV0="):
        problem(ann.get(f"/v1/leaderboards/checkers?{wrong}"), 422, "does_not_fit")
    for wrong in ("cursor=xx", "limit=201", "game=chess", "against="):
        problem(ann.get(f"/v1/players/{ann.id}?{wrong}"), 422, "does_not_fit")
