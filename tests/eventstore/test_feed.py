"""The order of the feed: nothing is missed, nothing comes late, and a position outlives the cluster it was given in."""

from __future__ import annotations

import uuid
from typing import Any

import psycopg
import pytest

from domain.match import Match, Place
from eventstore.db import Database
from eventstore.errors import LostPosition, UnreadablePosition
from eventstore.feed import Feed, Item, PostgresNode, read_position, write_position
from eventstore.migrate import migrate
from eventstore.service import Matches
from eventstore.store import EventStore
from tests.conftest import Servers

OPEN = Place("open", None, None, "")


def player() -> str:
    return str(uuid.uuid4())


def person(player_id: str) -> Place:
    return Place("human", player_id, None, "")


@pytest.fixture
def database(empty: str) -> Any:
    migrate(empty)
    made = Database(empty)
    yield made
    made.close()


@pytest.fixture
def feed(database: Database) -> Feed:
    return Feed([PostgresNode(database)])


@pytest.fixture
def matches(database: Database) -> Matches:
    return Matches(EventStore(database))


def table(matches: Matches, host: str, *others: Place) -> Match:
    return matches.open("quenette", host=host, seats=(person(host), *(others or (OPEN,))), options={})


def seen(items: list[Item]) -> list[tuple[str, int]]:
    return [(item.entry.match_id, item.entry.stored.version) for item in items]


def test_whoever_goes_on_from_a_position_gets_what_follows_it(matches: Matches, feed: Feed) -> None:
    first, second = table(matches, player()), table(matches, player())
    matches.join(first.id, player(), None, "", None)
    everything = feed.read()
    assert seen(everything) == [(first.id, 1), (second.id, 1), (first.id, 2)]
    for n, item in enumerate(everything):
        assert feed.read(item.position) == everything[n + 1 :]
    assert feed.read(everything[0].position, limit=1) == everything[1:2]


def test_an_event_is_held_back_while_an_older_transaction_may_still_bring_one(
    matches: Matches, feed: Feed, empty: str
) -> None:
    earlier = table(matches, player())
    before = feed.read()[-1].position
    with psycopg.connect(empty) as slow:
        slow.execute("SELECT pg_current_xact_id()")
        matches.join(earlier.id, player(), None, "", None)
        assert feed.read(before) == []
    assert seen(feed.read(before)) == [(earlier.id, 2)]


def test_from_the_end_only_what_is_new_follows(matches: Matches, feed: Feed) -> None:
    table(matches, player())
    end = feed.end()
    feed.check(end)
    assert feed.read(end) == []
    new = table(matches, player())
    assert seen(feed.read(end)) == [(new.id, 1)]


def elsewhere(url: str, ahead: int = 1_000_000_000) -> None:
    """The database believes that it was brought from another cluster, where far more had happened."""
    with psycopg.connect(url) as connection:
        connection.execute("ALTER TABLE events DISABLE TRIGGER events_are_final")
        connection.execute("UPDATE events SET tx = (tx::text::bigint + %s)::text::xid8", (ahead,))
        connection.execute("UPDATE match_players SET ended_tx = (ended_tx::text::bigint + %s)::text::xid8", (ahead,))
        connection.execute("UPDATE feed_epochs SET cluster = 'another'")
        connection.execute("ALTER TABLE events ENABLE TRIGGER events_are_final")


def test_in_another_cluster_the_feed_goes_on_where_it_was(matches: Matches, feed: Feed, empty: str) -> None:
    host = player()
    first, second = table(matches, host), table(matches, player())
    elsewhere(empty)
    database = Database(empty)
    try:
        there, feed_there = Matches(EventStore(database)), Feed([PostgresNode(database)])
        old = feed_there.read()
        assert seen(old) == [(first.id, 1), (second.id, 1)]
        there.join(first.id, player(), None, "", None)
        for follow in (feed_there.read, lambda after: feed_there.concerning(host, after)):
            assert seen(follow(old[-1].position)) == [(first.id, 2)]
        feed_there.check(old[-1].position)
        assert [item.entry.place.epoch for item in feed_there.read()] == [1, 1, 2]
    finally:
        database.close()


def test_numbers_that_begin_anew_begin_an_epoch_even_if_the_cluster_has_the_same_name(
    matches: Matches, empty: str
) -> None:
    table(matches, player())
    with psycopg.connect(empty) as connection:
        connection.execute("ALTER TABLE events DISABLE TRIGGER events_are_final")
        connection.execute("UPDATE events SET tx = '9000000000'")
    database = Database(empty)
    try:
        assert database.run("SELECT feed_epoch()") == [(2,)]
        assert Database(empty).run("SELECT feed_epoch()") == [(2,)]
    finally:
        database.close()


def test_a_cluster_that_is_come_back_to_begins_an_epoch_too(database: Database, empty: str) -> None:
    """What was written elsewhere meanwhile stands before what is written here now."""
    assert database.run("SELECT feed_epoch()") == [(1,)]
    database.run("INSERT INTO feed_epochs VALUES (2, 'elsewhere', now())")
    assert Database(empty).run("SELECT feed_epoch()") == [(3,)]


def test_a_position_that_the_log_never_gave_out_is_refused(matches: Matches, feed: Feed) -> None:
    m = table(matches, player())
    given = feed.read()[-1]
    feed.check(given.position)
    feed.check(None)
    place = given.entry.place
    for lost in (
        place._replace(tx=place.tx + 1_000_000),
        place._replace(version=2),
        place._replace(epoch=7),
        place._replace(epoch=0),
        place._replace(match_id=player()),
        place._replace(tx=place.tx + 1_000_000, version=0),
    ):
        with pytest.raises(LostPosition):
            feed.check(write_position({"0": lost}))
    with pytest.raises(LostPosition):
        feed.check(write_position({"nowhere": place}))
    assert m.version == 1


def test_what_was_written_after_the_dump_that_was_restored_is_no_position_any_more(
    matches: Matches, feed: Feed, empty: str
) -> None:
    first, second = table(matches, player()), table(matches, player())
    kept, gone = feed.read()
    end = feed.end()
    with psycopg.connect(empty) as connection:
        connection.execute("ALTER TABLE events DISABLE TRIGGER events_are_final")
        connection.execute("DELETE FROM events WHERE match_id = %s", (second.id,))
    elsewhere(empty, ahead=0)
    database = Database(empty)
    try:
        restored = Feed([PostgresNode(database)])
        assert database.run("SELECT feed_epoch()") == [(2,)]
        restored.check(kept.position)
        restored.check(end)
        assert restored.read(kept.position) == []
        with pytest.raises(LostPosition):
            restored.check(gone.position)
        Matches(EventStore(database)).join(first.id, player(), None, "", None)
        with pytest.raises(LostPosition):
            restored.check(gone.position)
        assert seen(restored.read(kept.position)) == [(first.id, 2)]
    finally:
        database.close()


@pytest.mark.parametrize(
    "text",
    ["", "x", "-1", "0", "AAAA", "MDox", "é", "MDoxLjIuMy40", "%00", "A" * 5000, " MDox", "MDoxLjIuMC4w\n"],
)
def test_what_is_no_position_is_refused(text: str) -> None:
    with pytest.raises(UnreadablePosition):
        read_position(text)


def test_a_position_is_written_in_one_way_only(matches: Matches, feed: Feed) -> None:
    table(matches, player())
    position = feed.read()[-1].position
    assert write_position(read_position(position)) == position
    with pytest.raises(UnreadablePosition):
        read_position(position + "=")


# ── The matches of a player ─────────────────────────────────────────────────────────────────────────────────────


def test_a_player_follows_the_matches_that_concern_him(matches: Matches, feed: Feed) -> None:
    me, other = player(), player()
    hosted = table(matches, me)
    table(matches, other)
    invited = table(matches, other, OPEN._replace(player=me))
    joined = table(matches, other)
    start = feed.read()[-1].position
    matches.join(joined.id, me, None, "", None)
    matches.join(hosted.id, other, None, "", None)
    matches.start(hosted.id, me, None)
    matches.decline(invited.id, me, None)
    mine = feed.concerning(me, start)
    assert {item.entry.match_id for item in mine} == {hosted.id, joined.id}
    assert seen(mine) == [one for one in seen(feed.read(start)) if one[0] in (hosted.id, joined.id)]
    assert [item.position for item in feed.concerning(me, mine[1].position)] == [i.position for i in mine[2:]]
    page = feed.concerning(me, start, limit=2)
    assert page + feed.concerning(me, page[-1].position) == mine


def test_the_end_of_a_match_is_followed_and_what_ended_before_is_passed_over(
    matches: Matches, feed: Feed, database: Database
) -> None:
    me = player()
    old, running = table(matches, me), table(matches, me)
    matches.cancel(old.id, me, None)
    between = feed.read()[-1].position
    matches.cancel(running.id, me, None)
    assert seen(feed.concerning(me, between)) == [(running.id, 2)]
    assert seen(feed.concerning(me)) == seen(feed.read())
    assert feed.concerning(me, feed.end()) == []


# ── Several nodes ───────────────────────────────────────────────────────────────────────────────────────────────


def test_each_node_counts_for_itself(matches: Matches, database: Database, servers: Servers) -> None:
    """Two databases stand for two nodes: their numbers have nothing to do with one another."""
    url = servers.postgres.url
    name = f"second_{uuid.uuid4().hex}"
    with psycopg.connect(url, autocommit=True) as connection:
        connection.execute(f"CREATE DATABASE {name}".encode())
    migrate(second_url := url.replace("/postgres?", f"/{name}?"))
    second = Database(second_url)
    try:
        there, me = Matches(EventStore(second)), player()
        both = Feed([PostgresNode(database, "a"), PostgresNode(second, "b")])
        opened = [table(matches, me), table(there, me), table(matches, me)]
        elsewhere(second_url)
        second.close()
        second = Database(second_url)
        both = Feed([PostgresNode(database, "a"), PostgresNode(second, "b")])
        items = both.read()
        assert seen(items) == [(m.id, 1) for m in opened]
        for n, item in enumerate(items):
            both.check(item.position)
            assert both.read(item.position) == items[n + 1 :]
            assert both.concerning(me, item.position) == items[n + 1 :]
        assert both.read(both.end()) == []
    finally:
        second.close()
        with psycopg.connect(url, autocommit=True) as connection:
            connection.execute(f"DROP DATABASE {name} WITH (FORCE)".encode())
