"""Lists of matches follow an index, however many matches there are."""

from __future__ import annotations

import datetime as dt
import itertools
import json
import uuid
from typing import Any

import psycopg
import pytest

from api.app import Services
from domain.match import Place
from eventstore.db import numbered
from eventstore.lists import Show, Wanted, listing
from eventstore.migrate import migrate, migrations
from eventstore.service import Matches

MANY = """
INSERT INTO matches (match_id, version, game, status, host, spectators, open_to_all, seats, open_seats, opened_at,
                     updated_at, seed)
SELECT gen_random_uuid(), 1, (ARRAY['quenette', 'checkers', 'goat'])[1 + n % 3],
       (ARRAY['open', 'playing', 'over', 'over'])[1 + n % 4],
       ('00000000-0000-4000-8000-' || lpad((n % {players})::text, 12, '0'))::uuid, n % 3 = 0, n % 6 = 0, '[]', n % 4 = 0,
       now() - n * interval '1 second', now(), ''
FROM generate_series(1, 20000) n
"""
ANN = "00000000-0000-4000-8000-000000000001"
ALL_LISTS: list[tuple[str | None, Show]] = [
    (ANN, "mine"),
    (ANN, "joinable"),
    (ANN, "watchable"),
    (None, "watchable"),
]


def plan_of(connection: psycopg.Connection[Any], wanted: Wanted) -> list[dict[str, Any]]:
    """The nodes of the plan that the server keeps for this statement."""
    params = {**wanted._asdict(), "opened_at": None, "last": None, "limit": 51}
    text, _ = numbered(listing(wanted), params)
    row = psycopg.RawCursor(connection).execute(b"EXPLAIN (GENERIC_PLAN, FORMAT JSON) " + text.encode()).fetchone()
    assert row is not None

    def nodes(node: dict[str, Any]) -> list[dict[str, Any]]:
        return [node, *itertools.chain.from_iterable(nodes(one) for one in node.get("Plans", []))]

    found = json.loads(row[0]) if isinstance(row[0], str) else row[0]
    return nodes(found[0]["Plan"])


@pytest.mark.parametrize("players", [2, 2000])
def test_no_list_reads_all_matches(empty: str, players: int) -> None:
    migrate(empty)
    with psycopg.connect(empty, autocommit=True) as connection:
        connection.execute(MANY.format(players=players).encode())
        connection.execute(
            "INSERT INTO match_players SELECT match_id, host, opened_at, status = 'playing' FROM matches"
        )
        connection.execute("ANALYZE")
        earlier = (dt.datetime.now(dt.UTC), str(uuid.uuid4()))
        for (player, show), game, status, before in itertools.product(
            ALL_LISTS, (None, "goat"), (None, "open", "over"), (None, earlier)
        ):
            plan = plan_of(connection, Wanted(player, show, None, game, status, before))
            assert all(node["Node Type"] != "Seq Scan" for node in plan), (show, game, status, plan)
            ordered = [node for node in plan if node.get("Index Name", "").startswith(("match_players_l", "matches_"))]
            assert ordered, plan
            if before and show != "mine":
                assert "ROW(" in ordered[0]["Index Cond"]  # it goes on where the last page ended
        for before in (None, earlier):
            plan = plan_of(connection, Wanted(ANN, before=before, my_turn=True))
            names = {node.get("Index Name") for node in plan}
            assert {"match_players_running", "matches_pkey"} <= names, plan  # what is over is not looked at
            assert all(node["Node Type"] != "Seq Scan" for node in plan), plan


def test_pages_leave_nothing_out_where_matches_were_opened_in_the_same_instant(parlor: Services) -> None:
    now = dt.datetime.now(dt.UTC)
    matches, ann = Matches(parlor.matches.store, now=lambda: now), str(uuid.uuid4())
    seats = [Place("human", ann, None, ""), Place("open", None, None, "")]
    opened = {matches.open("quenette", host=ann, seats=seats, options={}).id for _ in range(7)}
    found: list[str] = []
    before = None
    while page := matches.store.matches(Wanted(ann, before=before), 2):
        found += [one.match_id for one in page]
        before = (page[-1].opened_at, page[-1].match_id)
    assert sorted(found) == sorted(opened)


def test_a_match_is_listed_for_its_host_its_seats_and_those_invited(parlor: Services) -> None:
    matches = parlor.matches
    host, invited, guest = (str(uuid.uuid4()) for _ in range(3))
    seats = [Place("open", invited, None, ""), Place("open", None, None, "")]
    match_id = matches.open("quenette", host=host, seats=seats, options={}).id

    def listed() -> list[bool]:
        return [bool(matches.store.matches(Wanted(player), 10)) for player in (host, invited, guest)]

    assert listed() == [True, True, False]
    matches.join(match_id, guest, None, "", None)
    assert listed() == [True, True, True]
    matches.decline(match_id, invited, None)
    assert listed() == [True, False, True]
    matches.leave(match_id, guest, None)
    assert listed() == [True, False, False]
    assert [one.match_id for one in matches.store.matches(Wanted(host, status="open", game="quenette"), 10)] == [
        match_id
    ]
    assert matches.store.matches(Wanted(host, status="over"), 10) == []
    assert matches.store.matches(Wanted(host, "joinable", status="playing"), 10) == []


def test_lists_of_older_matches_are_there_after_the_upgrade(empty: str) -> None:
    migrate(empty, [one for one in migrations() if one.number < 4])
    host, guest = uuid.uuid4(), uuid.uuid4()
    with psycopg.connect(empty) as connection:
        for seated in ([guest], [host, guest], []):
            connection.execute(
                "INSERT INTO matches (match_id, version, game, status, host, spectators, seats, players, open_seats, "
                "opened_at, updated_at, seed) "
                "VALUES (gen_random_uuid(), 1, 'goat', 'open', %s, false, '[]', %s, true, now(), now(), '')",
                (host, seated),
            )
    migrate(empty)
    with psycopg.connect(empty) as connection:
        count = "SELECT count(*) FROM match_players WHERE player_id = %s"
        assert connection.execute(count, (host,)).fetchone() == (3,)
        assert connection.execute(count, (guest,)).fetchone() == (2,)
