"""Tokens in the database: the upgrade, and races between making and revoking."""

from __future__ import annotations

import threading
import uuid

import psycopg

from api.app import Services
from eventstore.db import Database, numbered
from eventstore.migrate import migrate, migrations
from eventstore.players import ISSUE, Players, hash_of
from tests.conftest import Servers


def test_the_oldest_good_token_of_each_player_gets_the_scope_that_manages(empty: str) -> None:
    migrate(empty, [one for one in migrations() if one.number < 4])
    ann, bob, eve = (uuid.uuid4() for _ in range(3))
    tokens = {
        "ann, first": (ann, "2026-01-01", None),
        "ann, second": (ann, "2026-01-02", None),
        "bob, revoked": (bob, "2026-01-01", "2026-01-03"),
        "bob, second": (bob, "2026-01-02", None),
        "eve, revoked": (eve, "2026-01-01", "2026-01-03"),
    }
    with psycopg.connect(empty) as connection:
        for player in (ann, bob, eve):
            connection.execute("INSERT INTO players VALUES (%s, 'x', now())", (player,))
        for label, (player, made, revoked) in tokens.items():
            connection.execute(
                "INSERT INTO tokens (token_hash, token_id, player_id, scopes, label, created_at, revoked_at) "
                "VALUES (%s, %s, %s, %s, %s, %s, %s)",
                (hash_of(label), uuid.uuid4(), player, ["match:play"], label, made, revoked),
            )
    migrate(empty)
    database = Database(empty)
    managing = database.run("SELECT label, scopes FROM tokens WHERE 'token:manage' = ANY (scopes) ORDER BY label")
    assert managing == [
        ("ann, first", ["match:play", "token:manage"]),
        ("bob, second", ["match:play", "token:manage"]),
    ]
    found = Players(database).caller("ann, first")
    assert found is not None and len(Players(database).tokens(found)) == 2
    database.close()


def test_a_token_that_is_being_made_while_its_maker_is_revoked_is_revoked_too(
    parlor: Services, servers: Servers
) -> None:
    players = parlor.players
    _, first = players.sign_up("Ann")
    ann = players.caller(first)
    assert ann is not None
    made, stolen = players.issue(ann, "stolen", ["match:play"])
    with psycopg.connect(servers.postgres.url) as thief:
        params = {"maker": hash_of(stolen), "hash": hash_of("late"), "id": uuid.uuid4(), "scopes": ["match:play"]}
        psycopg.RawCursor(thief).execute(
            *numbered(ISSUE, {**params, "label": "late", "now": "2026-01-01T00:00:00Z", "expires_at": None})
        )  # not committed yet
        revoking = threading.Thread(target=players.revoke, args=(ann, made["id"]))
        revoking.start()
        revoking.join(0.5)
        assert revoking.is_alive()  # it waits for the token that is being made
        thief.commit()
    revoking.join(10)
    assert players.caller(stolen) is None and players.caller("late") is None


def test_two_services_share_no_memory_but_the_database(parlor: Services) -> None:
    here, there = Players(parlor.database), Players(parlor.database)
    _, first = here.sign_up("Ann")
    ann = here.caller(first)
    assert ann is not None
    made, token = here.issue(ann, "phone", ["match:play"])
    known = there.caller(token)
    assert known is not None
    here.revoke(ann, made["id"])
    assert there.caller(token, remembered=True) == known  # which is why an append checks it once more
    assert there.caller(token) is None
    assert there.caller(token, remembered=True) is None


def test_a_long_line_of_tokens_is_revoked_at_once(parlor: Services) -> None:
    players = parlor.players
    _, token = players.sign_up("Ann")
    first = last = players.caller(token)
    assert first is not None and last is not None
    for _ in range(300):
        _, token = players.issue(last, "", ["match:play"])
        last = players.caller(token)
        assert last is not None
    second = next(one for one in players.tokens(first) if one["made_by"] == first.token_id)
    players.revoke(first, second["id"])
    assert players.caller(token) is None
    assert sum(one["revoked_at"] is None for one in players.tokens(first)) == 1
