"""What a restore, a failover or a hand in the database leaves behind: nothing of it hangs, and nothing is made worse."""

from __future__ import annotations

import contextlib
import uuid
from collections.abc import Iterator
from typing import Any

import flask.testing
import psycopg
import pytest

import eventstore.states as module
from domain.frozen import freeze, thaw
from domain.games import BY_SLUG
from domain.match import Place
from domain.match.state import Chair
from eventstore.chain import verify
from eventstore.db import Database
from eventstore.errors import CorruptStream, Unavailable
from eventstore.service import Matches
from eventstore.snapshots import FORMAT, sealed
from eventstore.store import EventStore, in_chunks
from tests.api.people import Person, table
from tests.conftest import Servers

ANN, BOB = str(uuid.uuid4()), str(uuid.uuid4())
GAME = "check-and-double-check"
RULES = BY_SLUG[GAME].version


@contextlib.contextmanager
def by_hand(servers: Servers) -> Iterator[psycopg.Connection[Any]]:
    """A superuser who goes around the triggers."""
    with psycopg.connect(servers.postgres.url, autocommit=True) as connection:
        connection.execute("SET session_replication_role = replica")
        yield connection


def restored(servers: Servers, match_id: str, version: int) -> None:
    """The database as it was when the match had this version."""
    with by_hand(servers) as connection:
        connection.execute("DELETE FROM events WHERE match_id = %s AND version > %s", (match_id, version))
        connection.execute("DELETE FROM commands WHERE match_id = %s AND last_version > %s", (match_id, version))
        connection.execute("UPDATE matches SET version = %s WHERE match_id = %s", (version, match_id))


def started(matches: Matches) -> str:
    places = (Place("human", ANN, None, ""), Place("human", BOB, None, ""))
    opened = matches.open(GAME, host=ANN, seats=places, options={})
    matches.start(opened.id, ANN, None)
    return opened.id


def roll(matches: Matches, match_id: str) -> int:
    mover = (ANN, BOB)[matches.look(match_id, ANN)[0]["to_act"][0]]
    return matches.play(match_id, mover, {"type": "roll"}).version


def the_chain_holds(matches: Matches, match_id: str) -> bool:
    return bool(verify(Matches(matches.store).events(match_id, ANN)[0]))


@pytest.mark.timeout(60)
def test_a_log_that_is_shorter_than_its_reader_thinks_ends_where_it_ends(matches: Matches) -> None:
    match_id = started(matches)
    there = matches.look(match_id, ANN)[1]
    assert [one.version for one in in_chunks(matches.store, match_id, 0, there + 5)] == list(range(1, there + 1))


@pytest.mark.timeout(60)
def test_a_state_that_is_newer_than_the_log_is_dropped_and_folded_anew(matches: Matches, servers: Servers) -> None:
    match_id = started(matches)
    early = matches.look(match_id, ANN)
    for _ in range(6):
        roll(matches, match_id)
    restored(servers, match_id, early[1])
    assert matches.look(match_id, ANN) == early
    assert len(list(matches.events(match_id, ANN)[0])) == early[1]
    roll(matches, match_id)
    assert the_chain_holds(matches, match_id)


def test_a_log_that_went_another_way_is_folded_anew(matches: Matches, servers: Servers) -> None:
    match_id = started(matches)
    early = matches.look(match_id, ANN)[1]
    late = roll(matches, match_id)
    restored(servers, match_id, early)
    other = Matches(matches.store)
    while roll(other, match_id) <= late:
        pass
    roll(matches, match_id)
    assert the_chain_holds(matches, match_id)


def test_after_the_database_went_away_no_state_is_trusted_unseen(matches: Matches, servers: Servers) -> None:
    """A failover may lose the last commits, and others may have appended just as many events since."""
    database = Database(servers.postgres.app_url + "&application_name=unlucky")
    ours = Matches(EventStore(database))
    match_id = started(ours)
    view, early = ours.look(match_id, ANN)
    mover = (ANN, BOB)[view["to_act"][0]]
    late = ours.play(match_id, mover, {"type": "roll"}).version
    restored(servers, match_id, early)
    assert matches.play(match_id, mover, {"type": "roll"}).version == late  # the seed gives the same dice
    with psycopg.connect(servers.postgres.url, autocommit=True) as connection:
        connection.execute("SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name = 'unlucky'")
    with pytest.raises(Unavailable):
        ours.look(match_id, ANN)
    mover = (ANN, BOB)[matches.look(match_id, ANN)[0]["to_act"][0]]
    ours.play(match_id, mover, {"type": "roll"})
    assert the_chain_holds(ours, match_id)
    database.close()


@pytest.mark.timeout(60)
def test_events_beyond_the_head_are_told_of_and_left_alone(
    matches: Matches, servers: Servers, client: flask.testing.FlaskClient
) -> None:
    ann, bob = Person(client, "Ann"), Person(client, "Bob")
    match_id = table([ann, bob], first_dealer=0)
    command = bob.legal(match_id)[0]
    version = bob.view(match_id)["version"]
    with by_hand(servers) as connection:
        connection.execute(
            "INSERT INTO events (match_id, version, type, schema, public, actor, command_id, at, hash) "
            "SELECT match_id, version + 1, type, schema, public, actor, command_id, at, hash FROM events "
            "WHERE match_id = %s AND version = %s",
            (match_id, version),
        )
    with pytest.raises(CorruptStream, match="beyond"):
        matches.play(match_id, bob.id, command)
    answer = bob.play(match_id, command)
    assert answer.status_code == 503 and "damaged" in answer.get_json()["detail"]
    assert bob.view(match_id)["version"] == version


@pytest.mark.timeout(60)
def test_a_head_beyond_its_events_is_told_of(matches: Matches, servers: Servers) -> None:
    match_id = started(matches)
    version = matches.look(match_id, ANN)[1]
    with by_hand(servers) as connection:
        connection.execute("UPDATE matches SET version = version + 3 WHERE match_id = %s", (match_id,))
    with pytest.raises(CorruptStream, match=f"ends at version {version}"):
        Matches(matches.store).look(match_id, ANN)


GARBAGE: dict[str, Any] = {
    "a number": 7,
    "a text": "state",
    "a list": [1, 2, 3],
    "nothing known": {"a": 1},
    "a wrong seal": {"format": FORMAT, "state": {"game": "quenette"}, "seal": "00"},
    "a seal of another type": {"format": FORMAT, "state": 1, "seal": 2},
}


@pytest.mark.parametrize("garbage", GARBAGE.values(), ids=GARBAGE.keys())
def test_a_snapshot_that_is_garbage_is_passed_over(
    matches: Matches, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture, garbage: Any
) -> None:
    monkeypatch.setattr(module, "EVENTS_WORTH_A_SNAPSHOT", 1)
    match_id = started(matches)
    view, version = matches.look(match_id, ANN)
    matches.store.keep_snapshot(match_id, version, RULES, garbage)
    assert Matches(matches.store).look(match_id, ANN) == (view, version)
    assert "cannot be read" in caplog.text
    # The fold has left a good one in its place.
    caplog.clear()
    assert Matches(matches.store).look(match_id, ANN) == (view, version)
    assert "cannot be read" not in caplog.text


CHAIR = {"kind": "human", "player": "a", "name": "b", "level": None, "client_seed": ""}
NOT_WRITTEN_HERE: dict[str, Any] = {
    "a class that is gone": {"record": "domain.match:Gone", "of": {}},
    "a class of others": {"record": "subprocess:Popen", "of": {"args": ["true"]}},
    "too few fields": {"record": "domain.match.state:Match", "of": {"id": "a"}},
    "a field with a default is missing": {"record": "domain.match.state:Chair", "of": CHAIR},
    "a field too many": {"record": "domain.game:Picked", "of": {"index": 1, "more": 2}},
    "values without names": {"record": "domain.game:Picked", "of": [1]},
    "a function": {"record": "domain.match:view", "of": {}},
}


@pytest.mark.parametrize("state", NOT_WRITTEN_HERE.values(), ids=NOT_WRITTEN_HERE.keys())
def test_a_state_that_nobody_wrote_is_not_read(state: Any) -> None:
    with pytest.raises((ValueError, AttributeError, TypeError)):
        thaw(state)


def test_fields_that_change_places_are_read_by_their_names() -> None:
    chair = Chair("human", "a", "b", "c")
    frozen = freeze(chair)
    assert thaw({**frozen, "of": dict(reversed(frozen["of"].items()))}) == chair


def test_a_snapshot_of_another_format_is_passed_over_in_silence(
    matches: Matches, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setattr(module, "EVENTS_WORTH_A_SNAPSHOT", 1)
    match_id = started(matches)
    warm = matches.fresh(match_id)
    view, version = matches.look(match_id, ANN)
    other = sealed(warm.match._replace(spectators=not warm.match.spectators), warm.seed)
    for older in ({**other, "format": FORMAT - 1}, {"state": other["state"], "seal": other["seal"]}):
        matches.store.keep_snapshot(match_id, version, RULES, older)
        assert Matches(matches.store).look(match_id, ANN) == (view, version)
        assert "snapshot" not in caplog.text
    matches.store.keep_snapshot(match_id, version, RULES, other)
    assert Matches(matches.store).look(match_id, ANN) != (view, version), "in this format it would be believed"


def test_a_state_that_was_changed_is_no_snapshot(
    matches: Matches, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setattr(module, "EVENTS_WORTH_A_SNAPSHOT", 1)
    match_id, other_id = started(matches), started(matches)
    warm, other = matches.fresh(match_id), matches.fresh(other_id)
    view, version = matches.look(match_id, ANN)
    good = sealed(warm.match, warm.seed)
    assert Matches(matches.store).look(match_id, ANN) == (view, version)
    for wrong in (
        freeze(warm.match),
        sealed(warm.match._replace(table="nonsense"), b"another seed"),
        sealed(warm.match._replace(version=version + 4), warm.seed),
        sealed(other.match, other.seed),
        sealed(other.match, warm.seed),
        good | {"state": freeze(warm.match._replace(table=None))},
    ):
        caplog.clear()
        matches.store.keep_snapshot(match_id, version, RULES, wrong)
        assert Matches(matches.store).look(match_id, ANN) == (view, version)
        assert "cannot be read" in caplog.text
