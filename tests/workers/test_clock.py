"""Deadlines are kept: in their order, fairly, whatever is wrong with other matches and with the clock of the day."""

from __future__ import annotations

import datetime as dt
import threading
import uuid

import pytest

from api.app import Services
from domain.match import Place
from eventstore.service import Matches
from tests.api.people import Person, table
from tests.conftest import Servers
from tests.workers.crew import due_turn, wait_for
from workers.bell import bots_queue, connect
from workers.clock import Clock
from workers.reconciler import Reconciler

pytestmark = pytest.mark.usefixtures("nothing_else")

HOUR = dt.timedelta(hours=1)


class Day:
    """A clock of the day that can be set."""

    def __init__(self) -> None:
        self.now = dt.datetime.now(dt.UTC)

    def __call__(self) -> dt.datetime:
        return self.now

    def passes(self, seconds: float) -> None:
        self.now += dt.timedelta(seconds=seconds)


def two_people(matches: Matches, turn_seconds: int = 5, host: str | None = None) -> str:
    """A match of Quenette that waits for its second seat."""
    people = [host or str(uuid.uuid4()), str(uuid.uuid4())]
    places = tuple(Place("human", person, None, "") for person in people)
    options = {"first_dealer": 0}
    match = matches.open("quenette", host=people[0], seats=places, options=options, turn_seconds=turn_seconds).id
    matches.start(match, people[0], None)
    return match


def timed_out(parlor: Services, match: str) -> int:
    return [event.parts.type for event in parlor.matches.store.read(match)].count("turn_timed_out")


def wake_at(parlor: Services, match: str) -> dt.datetime:
    found: dt.datetime = parlor.database.run("SELECT wake_at FROM matches WHERE match_id = %s", (match,))[0][0]
    return found


# ── In order ────────────────────────────────────────────────────────────────────────────────────────────────────


def test_deadlines_are_served_in_their_order_and_everybodys_first_before_anybodys_second(parlor: Services) -> None:
    day, crowd = Day(), str(uuid.uuid4())
    matches = Matches(parlor.matches.store, now=day)
    many = []
    for _ in range(6):
        many.append(two_people(matches, host=crowd))
        day.passes(0.1)
    stranger = two_people(matches)
    day.passes(0.1)
    third = two_people(matches)
    day.passes(5)
    found = [deadline.match_id for deadline in matches.store.outbox.overdue(day(), 100)]
    assert found == [many[0], stranger, third, *many[1:]]


def test_all_deadlines_that_have_come_are_served_and_no_others(parlor: Services) -> None:
    day = Day()
    matches = Matches(parlor.matches.store, now=day)
    due = [two_people(matches, 5) for _ in range(40)]
    later = two_people(matches, 60)
    day.passes(6)
    assert Clock(matches, now=day).serve() == 40
    assert [timed_out(parlor, match) for match in due] == [1] * 40 and timed_out(parlor, later) == 0
    assert Clock(matches, now=day).serve() == 0


def test_two_clocks_do_not_act_twice(parlor: Services) -> None:
    day = Day()
    setting = Matches(parlor.matches.store, now=day)
    due = [two_people(setting) for _ in range(30)]
    day.passes(6)
    clocks = [Clock(Matches(parlor.matches.store, now=day), now=day) for _ in range(2)]
    threads = [threading.Thread(target=clock.serve) for clock in clocks]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(60)
    assert [timed_out(parlor, match) for match in due] == [1] * 30


def test_a_match_that_takes_long_holds_up_no_other(parlor: Services) -> None:
    day, at_work, go_on = Day(), threading.Event(), threading.Event()

    class Slow(Matches):
        def time_up(self, match_id: str) -> bool:
            if match_id == slow:
                at_work.set()
                go_on.wait()
            return super().time_up(match_id)

    matches = Slow(parlor.matches.store, now=day)
    slow = two_people(matches)
    others = [two_people(matches) for _ in range(80)]
    day.passes(6)
    serving = threading.Thread(target=Clock(matches, now=day).serve)
    serving.start()
    try:
        assert at_work.wait(240)
        wait_for(lambda: all(timed_out(parlor, match) for match in others))
        assert not timed_out(parlor, slow)
    finally:
        go_on.set()
        serving.join()
    assert timed_out(parlor, slow) == 1


def test_the_clock_acts_soon_after_a_deadline(parlor: Services) -> None:
    matches = Matches(parlor.matches.store)
    clock = Clock(matches)
    running = threading.Thread(target=clock.run)
    running.start()
    try:
        match = two_people(matches, 1)
        wait_for(lambda: timed_out(parlor, match))
    finally:
        clock.stop()
        running.join(10)


def test_a_bot_that_follows_a_deadline_is_called_at_once(parlor: Services) -> None:
    day, rings = Day(), list[float]()
    matches = Matches(parlor.matches.store, now=day, ring=rings.append)
    places = (Place("human", str(uuid.uuid4()), None, ""), Place("bot", None, "random", ""))
    options = {"first_dealer": 1}
    match = matches.open("quenette", host=places[0].player or "", seats=places, options=options, turn_seconds=5).id
    matches.start(match, places[0].player or "", None)
    assert not rings
    day.passes(6)
    assert Clock(matches, now=day).serve() == 1
    assert rings == [0.0]


# ── A match that cannot be read ─────────────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize(
    "damage",
    [
        "UPDATE matches SET game = 'no-such-game' WHERE match_id = %s",
        "UPDATE matches SET wakes = '[1]' WHERE match_id = %s",
        "UPDATE matches SET version = version + 5 WHERE match_id = %s",
    ],
)
def test_a_match_that_cannot_be_read_stops_no_other_and_is_left_alone_for_longer_each_time(
    parlor: Services, damage: str
) -> None:
    day = Day()
    setting = Matches(parlor.matches.store, now=day)
    broken, well = two_people(setting), two_people(setting)
    parlor.database.run(damage, (broken,))
    day.passes(6)
    matches = Matches(parlor.matches.store, now=day)
    clock = Clock(matches, now=day)
    assert clock.serve() == 1 and timed_out(parlor, well) == 1
    pauses = []
    for _ in range(4):
        pauses.append(wake_at(parlor, broken) - day())
        day.now = wake_at(parlor, broken)
        clock.serve()
    assert pauses == sorted(pauses) and pauses[-1] >= 4 * pauses[0] > dt.timedelta(0)


# ── A clock that was set back ───────────────────────────────────────────────────────────────────────────────────


def reconciler(matches: Matches, servers: Servers, day: Day) -> Reconciler:
    return Reconciler(matches, bots_queue(connect(servers.valkey.url)), now=day)


def test_a_deadline_is_kept_when_the_clock_was_set_back_an_hour(parlor: Services, servers: Servers) -> None:
    day = Day()
    day.now += HOUR
    match = two_people(Matches(parlor.matches.store, now=day), 20)
    day.now -= HOUR
    matches = Matches(parlor.matches.store, now=day)
    matches.look(match, str(matches.store.read(match)[0].parts.public["host"]))  # it remembers the old instant
    watching = reconciler(Matches(parlor.matches.store, now=day), servers, day)
    watching.sweep()
    assert wake_at(parlor, match) == day() + dt.timedelta(seconds=20)
    day.passes(10)
    reconciler(matches, servers, day).sweep()  # another one begins, and gives no new time
    day.passes(11)
    assert Clock(matches, now=day).serve() == 1 and timed_out(parlor, match) == 1


def test_a_clock_that_is_set_back_while_we_run_is_noticed(parlor: Services, servers: Servers) -> None:
    day = Day()
    matches = Matches(parlor.matches.store, now=day)
    watching = reconciler(matches, servers, day)
    watching.sweep()
    match = two_people(matches, 20)
    day.now -= HOUR
    watching.sweep()
    assert wake_at(parlor, match) == day() + dt.timedelta(seconds=20)


def test_a_command_after_the_clock_was_set_back_brings_deadlines_back(parlor: Services) -> None:
    """PM-07"""
    day = Day()
    matches = Matches(parlor.matches.store, now=day)
    match = two_people(matches, 20)
    day.now -= HOUR
    matches.draw(match, str(matches.store.read(match)[0].parts.public["host"]), "offer", None)
    assert wake_at(parlor, match) == day() + dt.timedelta(seconds=20)


def test_bots_are_rung_for_when_the_clock_was_set_back_an_hour(
    ann: Person, parlor: Services, servers: Servers, monkeypatch: pytest.MonkeyPatch
) -> None:
    day = Day()
    day.now += HOUR
    monkeypatch.setattr(parlor.matches, "now", day)
    monkeypatch.setattr(parlor.matches, "ring", lambda seconds: None)  # so that whoever rings is the reconciler
    connection = connect(servers.valkey.url)
    connection.flushall()
    waiting = table([ann], bots=1, hands=1, first_dealer=0)
    taken = table([ann], bots=1, hands=1, first_dealer=0)
    outbox = parlor.matches.store.outbox
    turn = next(turn for turn in outbox.due(day(), 10) if turn.match_id == taken)
    assert outbox.take(turn, day(), day() + dt.timedelta(seconds=2))
    day.now -= HOUR
    matches = Matches(parlor.matches.store, now=day)
    assert due_turn(matches, waiting) is None
    assert reconciler(matches, servers, day).sweep()
    assert bots_queue(connection).count == 1
    assert {turn.match_id for turn in outbox.due(day(), 10)} == {waiting, taken}
    connection.flushall()
