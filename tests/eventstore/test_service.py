"""The match service: retries, races, warm states, earlier versions."""

from __future__ import annotations

import datetime as dt
import json
import threading
import uuid
from collections import Counter
from typing import Any

import pytest

from api.app import Services
from domain import match
from domain.frozen import freeze, thaw
from domain.game import Refused
from domain.games import BY_SLUG, EDITIONS
from domain.match import Place
from eventstore import states as module
from eventstore.chain import verify
from eventstore.errors import KeyReused, NotFound, Stale
from eventstore.service import Answer, Matches
from tests.golden import matches as golden

ANN, BOB, EVE = (str(uuid.uuid4()) for _ in range(3))
RULES = BY_SLUG["check-and-double-check"].version


def started(matches: Matches, game: str = "check-and-double-check", **options: Any) -> str:
    places = (Place("human", ANN, None, "a"), Place("human", BOB, None, "b"))
    opened = matches.open(game, host=ANN, seats=places, options=options)
    matches.start(opened.id, ANN, None)
    return opened.id


def plain(answer: Answer) -> Any:
    """As a client gets it."""
    return json.loads(json.dumps(answer))


def turn(matches: Matches, match_id: str) -> str:
    return (ANN, BOB)[matches.look(match_id, ANN)[0]["to_act"][0]]


def test_a_retry_gets_the_first_answer_and_never_plays_twice(matches: Matches) -> None:
    match_id = started(matches)
    who = turn(matches, match_id)
    first = plain(matches.play(match_id, who, {"type": "roll"}, key="k1"))
    assert plain(matches.play(match_id, who, {"type": "roll"}, key="k1")) == first
    other = ANN if who == BOB else BOB
    matches.play(match_id, other, {"type": "roll"}, key="k1")  # a key is its sender's own
    version = matches.look(match_id, ANN)[1]
    # Now it would be this seat's turn again: the same key must still not roll.
    assert plain(matches.play(match_id, who, {"type": "roll"}, key="k1")) == first
    assert matches.look(match_id, ANN)[1] == version


def test_a_key_used_for_another_command_is_refused(matches: Matches) -> None:
    match_id = started(matches, discard_mode="manual")
    who = turn(matches, match_id)
    matches.play(match_id, who, {"type": "roll"}, key="k1")
    with pytest.raises(KeyReused):
        matches.play(match_id, who, {"type": "pass"}, key="k1")


def test_a_retry_with_the_version_it_was_first_sent_on_is_no_stale_command(matches: Matches) -> None:
    match_id = started(matches)
    who, version = turn(matches, match_id), matches.look(match_id, ANN)[1]
    first = plain(matches.play(match_id, who, {"type": "roll"}, key="k1", expected=version))
    assert plain(matches.play(match_id, who, {"type": "roll"}, key="k1", expected=version)) == first
    with pytest.raises(Stale):
        matches.play(match_id, who, {"type": "roll"}, key="k2", expected=version)


def test_a_process_with_an_old_state_judges_on_the_newest(matches: Matches) -> None:
    match_id = started(matches)
    behind = Matches(matches.store)
    behind.look(match_id, ANN)
    who = turn(matches, match_id)
    matches.play(match_id, who, {"type": "roll"})
    with pytest.raises(Refused) as refusal:
        behind.play(match_id, who, {"type": "roll"})
    assert refusal.value.version == matches.look(match_id, ANN)[1]
    behind.play(match_id, ANN if who == BOB else BOB, {"type": "roll"})


def test_sixty_four_writers_on_one_match_lose_nothing(matches: Matches) -> None:
    """Every thread sends rolls for both players through services of its own; each accepted command is in the log once,
    and versions have no gap."""
    match_id = started(matches, target=1000)
    start = matches.look(match_id, ANN)[1]
    services = [Matches(matches.store) for _ in range(4)]
    accepted: list[int] = []
    refusals: set[str] = set()
    barrier = threading.Barrier(64)

    def write(n: int) -> None:
        barrier.wait()
        for _ in range(3):
            for player in (ANN, BOB):
                try:
                    answer = services[n % 4].play(match_id, player, {"type": "roll"}, key=f"{uuid.uuid4()}")
                except Refused as refusal:
                    refusals.add(refusal.rule)
                else:
                    accepted.extend(event["version"] for event in answer.events)

    threads = [threading.Thread(target=write, args=(n,)) for n in range(64)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    events = list(matches.events(match_id, ANN)[0])
    assert [event["version"] for event in events] == list(range(1, len(events) + 1))
    assert sorted(accepted) == list(range(start + 1, len(events) + 1))
    rolls = Counter(event["command_id"] for event in events if event["type"] == "dice_rolled")
    assert set(rolls.values()) == {1}
    assert refusals <= {"CK-10"}
    verify(events)


def test_the_live_state_is_the_fold_of_the_log_at_every_version(matches: Matches) -> None:
    match_id = started(matches, "quenette", hands=1)
    seen = {}
    while True:
        view, version = matches.look(match_id, ANN)
        seen[version] = view, matches.look(match_id, BOB)[0]
        if view["status"] == "over":
            break
        who = turn(matches, match_id)
        matches.play(match_id, who, matches.legal(match_id, who)[0][0])
    cold = Matches(matches.store)
    for version, (ann, bob) in seen.items():
        assert cold.look(match_id, ANN, at=version)[0] == ann
        assert cold.look(match_id, BOB, at=version)[0] == bob
    for version in range(1, max(seen) + 1):
        cold.look(match_id, ANN, at=version)
    with pytest.raises(NotFound):
        cold.look(match_id, ANN, at=max(seen) + 1)


def test_a_long_match_is_read_from_a_snapshot_and_is_the_same_without(
    matches: Matches, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(module, "EVENTS_WORTH_A_SNAPSHOT", 20)
    match_id = started(matches)
    for _ in range(30):
        matches.play(match_id, turn(matches, match_id), {"type": "roll"})
    Matches(matches.store).look(match_id, ANN)  # folds a long way and leaves a snapshot
    assert matches.store.snapshot(match_id, [RULES]) is not None
    assert Matches(matches.store).look(match_id, ANN) == matches.look(match_id, ANN)
    matches.store._db.run("DELETE FROM snapshots WHERE match_id = %s", (match_id,))
    assert Matches(matches.store).look(match_id, ANN) == matches.look(match_id, ANN)


@pytest.mark.parametrize("path", golden.FROZEN, ids=lambda path: path.stem)
def test_the_state_of_every_game_survives_a_snapshot(path: Any) -> None:
    for step, (now, _, _) in enumerate(golden.read(path)):
        if step % 40 == 0:
            assert thaw(freeze(now), EDITIONS) == now


def test_a_snapshot_may_name_nothing_but_the_domain() -> None:
    with pytest.raises(ValueError, match="may not name"):
        thaw({"record": "subprocess:Popen", "of": {"args": ["true"]}})


def test_strangers_find_nothing(matches: Matches) -> None:
    match_id = started(matches)
    for ask in (
        lambda: matches.look(match_id, EVE),
        lambda: matches.legal(match_id, EVE),
        lambda: matches.events(match_id, EVE),
        lambda: matches.play(match_id, EVE, {"type": "roll"}),
        lambda: matches.look(str(uuid.uuid4()), ANN),
        lambda: matches.look(match_id, ANN, as_seat=1),
    ):
        with pytest.raises(NotFound):
            ask()


def test_the_clock_plays_for_a_seat_that_lets_its_time_run_out(matches: Matches) -> None:
    """PM-07: three missed deadlines in a row, and a bot plays the seat on."""
    now = dt.datetime.now(dt.UTC)
    slow = Matches(matches.store, now=lambda: now)
    places = (Place("human", ANN, None, ""), Place("human", BOB, None, ""))
    opened = slow.open("quenette", host=ANN, seats=places, options={"first_dealer": 0}, turn_seconds=5)
    slow.start(opened.id, ANN, None)
    assert not slow.time_up(opened.id)
    for _ in range(5):
        now += dt.timedelta(seconds=6)
        assert slow.time_up(opened.id)
    kinds = [event["type"] for event in slow.events(opened.id, ANN)[0]]
    assert kinds.count("turn_timed_out") == 5
    view = slow.look(opened.id, ANN)[0]
    assert "bot_took_over" in kinds and any(seat["kind"] == "bot" for seat in view["seats"])
    assert match.waiting_bots(slow.fresh(opened.id).match) or view["to_act"]


def test_who_joined_through_another_process_can_play_here_at_once(matches: Matches) -> None:
    places = (Place("human", ANN, None, ""), Place("open", None, None, ""))
    opened = matches.open("quenette", host=ANN, seats=places, options={"first_dealer": 0})
    elsewhere = Matches(matches.store)
    elsewhere.join(opened.id, BOB, None, "", None)
    elsewhere.start(opened.id, ANN, None)
    command = elsewhere.legal(opened.id, BOB)[0][0]
    assert matches.play(opened.id, BOB, command).version > 4
    third = Matches(matches.store)
    third.look(opened.id, ANN)
    assert third.resign(opened.id, BOB, None).match.status == "over"


def test_a_deadline_is_not_put_off_by_offers_of_a_draw(matches: Matches) -> None:
    """PM-07"""
    now = dt.datetime.now(dt.UTC)
    slow = Matches(matches.store, now=lambda: now)
    places = (Place("human", ANN, None, ""), Place("human", BOB, None, ""))
    opened = slow.open("quenette", host=ANN, seats=places, options={"first_dealer": 0}, turn_seconds=10)
    slow.start(opened.id, ANN, None)
    now += dt.timedelta(seconds=8)
    slow.draw(opened.id, BOB, "offer", None)
    slow.draw(opened.id, ANN, "decline", None)
    now += dt.timedelta(seconds=3)
    assert slow.time_up(opened.id)


def test_each_seat_keeps_its_own_deadline_whatever_the_others_do(matches: Matches) -> None:
    """PM-07, in simultaneous play, also in a process that learns of the match later."""
    now = dt.datetime.now(dt.UTC)
    slow = Matches(matches.store, now=lambda: now)
    places = (Place("human", ANN, None, ""), Place("human", BOB, None, ""))
    opened = slow.open("goat", host=ANN, seats=places, options={"first_dealer": 0}, turn_seconds=10)
    slow.start(opened.id, ANN, None)
    now += dt.timedelta(seconds=8)
    slow.play(opened.id, ANN, slow.legal(opened.id, ANN)[0][0])
    now += dt.timedelta(seconds=1)
    elsewhere = Matches(matches.store, now=lambda: now)
    assert not elsewhere.time_up(opened.id)
    now += dt.timedelta(seconds=2)
    assert elsewhere.time_up(opened.id)
    late = [event["public"]["seat"] for event in slow.events(opened.id, ANN)[0] if event["type"] == "turn_timed_out"]
    assert late == [1]


def test_a_deadline_from_before_they_counted_by_seat_still_comes(matches: Matches, parlor: Services) -> None:
    now = dt.datetime.now(dt.UTC)
    slow = Matches(matches.store, now=lambda: now)
    places = (Place("human", ANN, None, ""), Place("human", BOB, None, ""))
    opened = slow.open("quenette", host=ANN, seats=places, options={}, turn_seconds=10)
    slow.start(opened.id, ANN, None)
    old = "UPDATE matches SET wakes = jsonb_build_object('turn 3', wake_at) WHERE match_id = %s"
    parlor.database.run(old, (opened.id,))
    elsewhere = Matches(matches.store, now=lambda: now)
    assert not elsewhere.time_up(opened.id)
    now += dt.timedelta(seconds=11)
    assert elsewhere.time_up(opened.id)


def test_looking_back_a_short_way_leaves_no_snapshots(matches: Matches, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "EVENTS_WORTH_A_SNAPSHOT", 5)
    match_id = started(matches)
    for _ in range(12):
        matches.play(match_id, turn(matches, match_id), {"type": "roll"})
    for version in range(14, 6, -1):
        matches.look(match_id, ANN, at=version)
    assert matches.store.snapshot(match_id, [RULES]) is None


def test_a_snapshot_that_cannot_be_read_is_passed_over(
    matches: Matches, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setattr(module, "EVENTS_WORTH_A_SNAPSHOT", 1)
    match_id = started(matches)
    version = matches.look(match_id, ANN)[1]
    matches.store.keep_snapshot(match_id, version, RULES, {"record": "domain.match:Gone", "of": {}})
    assert Matches(matches.store).look(match_id, ANN) == matches.look(match_id, ANN)
    assert "cannot be read" in caplog.text


def test_idempotency_keys_stay_out_of_the_log(matches: Matches) -> None:
    match_id = started(matches)
    matches.play(match_id, turn(matches, match_id), {"type": "roll"}, key="my-secret-key")
    assert "my-secret-key" not in json.dumps(list(matches.events(match_id, ANN)[0]), default=str)
