"""What one process of a server tells of a match, its siblings tell too, and nobody gets what is not his."""

from __future__ import annotations

import queue
import re
from collections.abc import Iterator
from typing import Any, NamedTuple

import pytest

from api.app import Services
from api.gate import hub, siblings
from api.gate.follow import Asker, Follow
from api.gate.hub import Hub
from api.gate.parcels import Parcel, Stream
from api.gate.siblings import Family, Passed, Sibling, opened, places
from api.messages import NDJSON, SSE
from domain.match import Match, Place
from eventstore.db import Database
from eventstore.errors import Unavailable
from eventstore.players import Caller, Players, hash_of
from eventstore.service import Matches
from eventstore.states import News, Warm
from eventstore.store import EventStore
from eventstore.tidings import Tidings
from tests.conftest import Servers

PATIENCE = 30.0
ID = "0123abcd-0000-4000-8000-000000000000"


@pytest.fixture(autouse=True)
def never_looks(monkeypatch: pytest.MonkeyPatch) -> None:
    """Nobody finds anything out by himself: all that is told was passed on."""
    monkeypatch.setattr(hub, "TICK", 3600.0)


class Process:
    """What a process has, without its connections."""

    def __init__(self, servers: Servers, family: Family, number: int) -> None:
        self.database = Database(servers.postgres.app_url)
        self.sibling = Sibling(family, number)
        self.matches = Matches(EventStore(self.database), newest=self.sibling.newest, moved=self._moved)
        self.hub = Hub(self.matches, Players(self.database), Tidings(self.database), self.sibling)
        self.sent: queue.SimpleQueue[list[Parcel]] = queue.SimpleQueue()
        self.hub.start(self.sent.put)
        self._heard: dict[Stream, bytes] = {}

    def _moved(self, warm: Warm, news: News) -> None:
        self.sibling.came_to(warm.match.id, news.version)
        self.hub.moved(warm, news)

    def follow(self, match: str, who: Caller) -> Stream:
        made = Stream(Follow(Asker(who.player_id, who.token_hash, who.player_id), match, True, SSE, None))
        self.hub.join(made)
        self.until(made, b"event: view")
        return made

    def until(self, stream: Stream, word: bytes) -> bytes:
        """All that a stream was told, up to a message with a word."""
        while word not in self._heard.get(stream, b""):
            for parcel in self.sent.get(timeout=PATIENCE):
                for one in parcel.to:
                    assert isinstance(one, Stream)
                    self._heard[one] = self._heard.get(one, b"") + parcel.raw
        return self._heard[stream]


class Two(NamedTuple):
    here: Process
    there: Process
    players: tuple[Caller, Caller]
    match: str

    def play(self) -> int:
        """Whoever is to act plays, here. The version after it."""
        view, _ = self.here.matches.look(self.match, self.players[0].player_id)
        player = self.players[view["to_act"][0]]
        command = self.here.matches.legal(self.match, player.player_id).commands[0]
        return self.here.matches.play(self.match, player.player_id, command, token=player.token_hash).version


def signed_up(parlor: Services, name: str) -> Caller:
    player, token = parlor.players.sign_up(name)
    return Caller(player["id"], name, frozenset({"match:read"}), hash_of(token), "")


@pytest.fixture
def two(parlor: Services, servers: Servers) -> Iterator[Two]:
    family = Family(2)
    here, there = Process(servers, family, 0), Process(servers, family, 1)
    ann, ben = signed_up(parlor, "Ann"), signed_up(parlor, "Ben")
    yield Two(here, there, (ann, ben), opened_by(here, ann, ben))
    here.database.close()
    there.database.close()


def opened_by(process: Process, ann: Caller, ben: Caller, delay: int = 0) -> str:
    seats = [Place("human", one.player_id, None, "") for one in (ann, ben)]
    match = process.matches.open(
        "quenette", host=ann.player_id, seats=seats, options={}, spectators=True, spectator_delay=delay
    ).id
    process.matches.start(match, ann.player_id, ann.token_hash)
    return match


def versions(raw: bytes) -> list[int]:
    return [int(one) for one in re.findall(rb"id: (\d+)\nevent: event", raw)]


def test_every_seat_is_told_the_same_by_either_process_and_the_database_is_asked_by_one(two: Two) -> None:
    ann, ben = two.players
    here = [two.here.follow(two.match, one) for one in (ann, ben)]
    there = [two.there.follow(two.match, one) for one in (ann, ben)]
    two.there.until(there[0], b"event: view")
    began = two.here.matches.look(two.match, ann.player_id)[1]
    two.there.hub.join(Stream(Follow(Asker(None, None, "x"), two.match, True, SSE, None)))  # all before it is done
    two.there.sent.get(timeout=PATIENCE)
    two.there.database.run = None  # type: ignore[method-assign, assignment]  # whoever asks fails
    for _ in range(6):
        last = two.play()
    for one, other in zip(here, there, strict=True):
        told = two.here.until(one, b"id: %d\nevent: event" % last)
        assert two.there.until(other, b"id: %d\nevent: event" % last) == told
        assert versions(told) == list(range(began + 1, last + 1))
    assert two.there.until(there[0], b"") != two.there.until(there[1], b"")


def test_a_commit_that_could_not_be_told_at_once_stands_and_is_told_later(
    two: Two, monkeypatch: pytest.MonkeyPatch
) -> None:
    ann, _ = two.players
    stream = two.here.follow(two.match, ann)
    began = two.here.matches.look(two.match, ann.player_id)[1]

    def fails(*given: Any) -> None:
        raise Unavailable("the names cannot be asked for")

    monkeypatch.setattr(hub, "told_to_all", fails)
    last = two.play()
    told = two.here.until(stream, b"id: %d\nevent: event" % last)
    assert versions(told) == list(range(began + 1, last + 1))


def test_what_changes_who_may_see_a_match_is_read_by_each_process(two: Two) -> None:
    _, ben = two.players
    stream = two.there.follow(two.match, ben)
    two.play()
    two.here.matches.resign(two.match, ben.player_id, ben.token_hash)
    told = two.there.until(stream, b"seat_resigned")
    numbers = versions(told)
    assert numbers == list(range(numbers[0], numbers[-1] + 1))


def test_whoever_comes_after_something_was_retold_is_shown_the_match_with_it(two: Two) -> None:
    ann, ben = two.players
    first = two.there.follow(two.match, ann)
    last = two.play()
    two.there.until(first, b"id: %d\nevent: event" % last)
    second = two.there.follow(two.match, ben)
    assert b"id: %d\nretry" % last in two.there.until(second, b"event: view")
    after = two.play()
    for stream in (first, second):
        numbers = versions(two.there.until(stream, b"id: %d\nevent: event" % after))
        assert numbers[-(after - last) :] == list(range(last + 1, after + 1))


def test_both_processes_can_go_on_with_a_match_in_turn(two: Two) -> None:
    ann, _ = two.players
    streams = [process.follow(two.match, ann) for process in (two.here, two.there)]
    began = two.here.matches.look(two.match, ann.player_id)[1]
    for number in range(8):
        last = two._replace(here=(two.here, two.there)[number % 2]).play()
    for process, stream in zip((two.here, two.there), streams, strict=True):
        assert versions(process.until(stream, b"id: %d\nevent: event" % last)) == list(range(began + 1, last + 1))


def test_a_process_that_is_behind_asks_before_it_decides_and_is_not_refused_by_the_append(
    two: Two, monkeypatch: pytest.MonkeyPatch
) -> None:
    ann, _ = two.players
    two.there.matches.fresh(two.match)
    newest = two.play()
    appended: list[int] = []
    append = two.there.matches.store.append

    def watched(before: Match, *given: Any, **more: Any) -> bool:
        appended.append(before.version)
        return append(before, *given, **more)

    monkeypatch.setattr(two.there.matches.store, "append", watched)
    two.there.matches.draw(two.match, ann.player_id, "offer", ann.token_hash)  # which fits the older state as well
    assert appended == [newest]


def test_how_far_a_match_has_come_is_not_said_of_another_one_and_a_later_word_counts() -> None:
    family = Family(2)
    here, there = Sibling(family, 0), Sibling(family, 1)
    here.came_to(ID, 7)
    assert (here.newest(ID), there.newest(ID)) == (7, 7)
    assert (
        there.newest("0123abce-0000-4000-8000-000000000000")
        == there.newest("0123abcd-0001-4000-8000-000000000000")
        == 0
    )
    there.came_to(ID, 5)  # as after a restore
    assert here.newest(ID) == 5
    there.came_to("0123abce-0000-4000-8000-000000000000", 1)
    assert here.newest(ID) == 0


def test_who_sees_a_match_late_is_told_nothing_that_was_passed_on(two: Two, parlor: Services) -> None:
    ann, ben = two.players
    slow = two._replace(match=opened_by(two.here, ann, ben, delay=600))
    eve = slow.there.follow(slow.match, signed_up(parlor, "Eve"))
    seated = slow.there.follow(slow.match, ann)
    last = slow.play()
    slow.there.until(seated, b"id: %d\nevent: event" % last)
    assert versions(slow.there.until(eve, b"event: view")) == []


# ── What is passed on, and what is not ──────────────────────────────────────────────────────────────────────────


def passed(version: int) -> Passed:
    return Passed(ID, version - 1, b"a", version, b"b", {(None, False, SSE): b"x" * 60_000})


def test_nothing_is_passed_on_where_nobody_follows() -> None:
    family = Family(2)
    here, there = Sibling(family, 0), Sibling(family, 1)
    assert not here.followed(ID)
    there.follow(ID, [(None, False, SSE), (1, True, NDJSON)])
    here.follow(ID, [(0, False, SSE)])
    assert places(here.followed(ID)) == ((None, False, SSE), (0, False, SSE), (1, True, NDJSON))
    here.follow_no_more(ID)
    there.follow("0123ffff", [(12, False, SSE)])  # begins alike
    there.follow_no_more(ID)
    assert places(here.followed(ID)) == ((12, False, SSE),)
    Sibling(family, 1)  # the process has died, and another has taken its place
    assert not here.followed(ID)


def test_each_process_gets_what_is_told_to_its_own_places_and_no_more() -> None:
    family, heard = Family(2), queue.SimpleQueue[bytes]()
    here, there = Sibling(family, 0), Sibling(family, 1)
    here.follow(ID, [(0, False, SSE)])
    there.follow(ID, [(1, False, SSE), (2, False, SSE)])  # the last of them has come since it was told
    there.start(heard.put)
    told: dict[siblings.Place, bytes] = {(seat, False, SSE): b"for %d" % seat for seat in (0, 1)}
    here.pass_on(passed(7)._replace(told=told))
    here.send()
    assert opened(heard.get(timeout=PATIENCE)) == [passed(7)._replace(told={(1, False, SSE): b"for 1"})]


def test_what_a_process_does_not_take_in_time_it_hears_to_be_there_to_read() -> None:
    family, heard = Family(2), queue.SimpleQueue[bytes]()
    here, there = Sibling(family, 0), Sibling(family, 1)
    there.follow(ID, [(None, False, SSE)])
    for version in range(1, 101):
        here.pass_on(passed(version))
        here.send()
    there.start(heard.put)
    found: list[Passed] = []
    while not found or found[-1].version < 100:
        here.send()
        found += opened(heard.get(timeout=PATIENCE))
    assert found[0] == passed(1) and found[-1] == passed(100)._replace(told=None)
    assert [one.version for one in found] == sorted({one.version for one in found})
