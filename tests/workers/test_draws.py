"""Draws with bots at the table, through the API and the workers."""

from __future__ import annotations

import datetime as dt
import json
from typing import Any

import pytest

from api.app import Services
from api.explaining import from_log
from eventstore.chain import verify
from eventstore.service import Matches
from tests.api.people import Person, problem
from tests.workers.crew import Crew, bots_only, due_turn, play_bots, wait_for
from workers.turns import ATTEMPTS_BEFORE_FALLING_BACK, Turns


def against(ann: Person, level: str, game: str = "checkers", **options: Any) -> str:
    seats = [{"kind": "me"}, {"kind": "bot", "level": level}]
    match: str = ann.post("/v1/matches", json={"game": game, "seats": seats, "options": options}).get_json()["id"]
    assert ann.post(f"/v1/matches/{match}/start").status_code == 200
    return match


def offer(ann: Person, match: str) -> dict[str, Any]:
    answer = ann.post(f"/v1/matches/{match}/draw", json={"action": "offer"})
    assert answer.status_code == 200, answer.get_json()
    return answer.get_json()  # type: ignore[no-any-return]


def log(ann: Person, match: str) -> list[dict[str, Any]]:
    answer = ann.get(f"/v1/matches/{match}/events", {"Accept": "application/x-ndjson"})
    return [json.loads(line) for line in answer.data.splitlines()]


def test_a_bot_answers_in_the_background_although_it_is_not_to_act(ann: Person, crew: Crew) -> None:
    match = against(ann, "steady")
    assert offer(ann, match)["draw_offer"] == {"seat": 0, "agreed": []} and ann.view(match)["to_act"] == [0]
    crew.start("worker")
    crew.start("reconcile")
    wait_for(lambda: ann.view(match)["draw_offer"] is None)
    last = log(ann, match)[-1]
    assert (last["type"], last["public"], last["actor"]) == ("draw_answered", {"seat": 1, "accept": False}, "seat:1")
    assert ann.play(match, ann.legal(match)[0]).status_code == 200


@pytest.mark.parametrize("level", ["random", "steady", "strong"])
def test_an_answer_can_be_explained_when_the_match_is_over(ann: Person, parlor: Services, level: str) -> None:
    matches = Matches(parlor.matches.store)
    match = against(ann, level)
    offer(ann, match)
    play_bots(matches, match)
    events = log(ann, match)
    answered = next(event for event in events if event["type"] == "draw_answered")
    # Nobody is told how the bot came to it while the match is on, not even that it was a long thought.
    assert set(answered["secret"]) == {"1", "table"}
    assert all(set(part) == {"commitment"} for part in answered["secret"].values())
    assert matches.explained(match, answered["version"]).same is True
    ann.post(f"/v1/matches/{match}/resign")
    events = log(ann, match)
    verify(events)
    found = from_log(events, answered["version"])
    assert found.same is True and found.decided.level == level
    assert found.command == {"type": "answer_draw", "accept": answered["public"]["accept"]}
    assert found._replace(command={**found.command, "accept": not found.command["accept"]}).same is False


def test_a_match_ends_when_all_bots_agree(ann: Person, parlor: Services) -> None:
    """`random` agrees by lot: sooner or later both do, and till then the match goes on."""
    matches = Matches(parlor.matches.store)
    seats = [{"kind": "me"}, {"kind": "bot", "level": "random"}, {"kind": "bot", "level": "random"}]
    match = ann.post("/v1/matches", json={"game": "quenette", "seats": seats}).get_json()["id"]
    ann.post(f"/v1/matches/{match}/start")
    for _ in range(60):
        play_bots(matches, match)
        offer(ann, match)
        play_bots(matches, match)
        if ann.view(match)["status"] == "over":
            break
        assert ann.play(match, ann.legal(match)[0]).status_code == 200
    result = ann.view(match)["result"]
    assert result["reason"] == "agreed" and result["places"] == [1, 1, 1]
    types = [event["type"] for event in log(ann, match)]
    assert types[-3:] == ["draw_answered", "draw_answered", "match_ended"]


def test_a_bot_that_keeps_failing_declines_and_an_event_says_so(ann: Person, parlor: Services) -> None:
    """PM-06, PM-10"""
    matches = Matches(parlor.matches.store)
    now = dt.datetime.now(dt.UTC)

    def broken(*_: Any, **__: Any) -> Any:
        raise RuntimeError("no idea")

    turns = Turns(matches, broken, now=lambda: now)
    match = against(ann, "steady")
    offer(ann, match)
    for _ in range(ATTEMPTS_BEFORE_FALLING_BACK + 1):
        now += dt.timedelta(minutes=1)
        turn = due_turn(matches, match, now)
        assert turn is not None and turns.take(turn)
    assert [event["type"] for event in log(ann, match)[-2:]] == ["bot_fell_back", "draw_answered"]
    assert ann.view(match)["draw_offer"] is None and due_turn(matches, match, now) is None


def test_an_offer_that_is_withdrawn_leaves_nothing_to_answer(ann: Person, parlor: Services) -> None:
    matches = Matches(parlor.matches.store)
    match = against(ann, "steady")
    offer(ann, match)
    assert due_turn(matches, match) is not None
    ann.post(f"/v1/matches/{match}/draw", json={"action": "withdraw"})
    assert due_turn(matches, match) is None
    refused = ann.post(f"/v1/matches/{match}/draw", json={"action": "offer"})
    assert problem(refused, 409, "draw_offered_before")["rule"]["id"] == "PM-06"


def test_a_program_with_its_own_token_has_no_say_in_a_draw(ann: Person) -> None:
    match = against(ann, "steady")
    problem(
        ann.with_token("bot:play").post(f"/v1/matches/{match}/draw", json={"action": "offer"}), 403, "scope_missing"
    )


def test_bots_among_themselves_come_to_an_end(ann: Person, parlor: Services) -> None:
    match = bots_only(ann, "checkers", 2, ("steady", "steady"), games=1, draw_repetition=0)
    play_bots(Matches(parlor.matches.store), match)
    assert ann.view(match)["status"] == "over"
    verify(log(ann, match))
