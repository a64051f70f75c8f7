"""Answers that save a request: the view with the answer to a command, several commands at once, and judging alone."""

from __future__ import annotations

from typing import Any

import flask.testing
import pytest

from api.app import Services
from tests.api.people import Person, problem, table
from tests.api.test_commands import PLAIN, WITH_A_CHARSET
from tests.api.test_lobby import ME, OPEN, opened

SHOWN = {"Prefer": "return=representation"}


@pytest.fixture
def people(client: flask.testing.FlaskClient) -> list[Person]:
    return [Person(client, "Ann"), Person(client, "Bob")]


def to_act(people: list[Person], match: str) -> Person:
    seat: int = people[0].view(match)["to_act"][0]
    return people[seat]


def thrown(people: list[Person]) -> tuple[str, Person, list[dict[str, Any]]]:
    """A match of Backgammon in which somebody has thrown; who, and two moves that can be made one after the other."""
    match = table(people, "backgammon")
    while True:
        mover = to_act(people, match)
        legal = mover.legal(match)
        if legal[0]["type"] == "move":
            first = legal[0]
            after = mover.play(match, first, SHOWN).get_json()["legal"]
            seconds = [command for command in after["commands"] if command["type"] == "move"]
            if seconds:
                assert mover.play(match, {"type": "undo"}).status_code == 200
                return match, mover, [first, seconds[0]]
        else:
            assert mover.play(match, legal[0]).status_code == 200


# ── The view with the answer ────────────────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize("content_type", [PLAIN, WITH_A_CHARSET])
def test_the_answer_to_a_command_has_the_view_and_the_legal_list_if_wanted(
    people: list[Person], content_type: str
) -> None:
    match = table(people)
    mover = to_act(people, match)
    wanted = {**SHOWN, "Idempotency-Key": "one"}
    command = mover.legal(match)[0]
    before = mover.view(match)["version"]
    path = f"/v1/matches/{match}/commands"
    plain = mover.post(path, json=command, headers={"Prefer": "return=minimal"}, query_string={"dry_run": "1"})
    assert set(plain.get_json()) == {"game", "version", "events"} and "Preference-Applied" not in plain.headers
    first = mover.post(path, wanted, json=command, content_type=content_type)
    told = first.get_json()
    assert first.headers["Preference-Applied"] == "return=representation"
    assert told["view"] == mover.view(match) and told["version"] == told["view"]["version"] > before
    assert told["legal"] == mover.get(f"/v1/matches/{match}/legal").get_json()
    # However far the match has gone on, a retry is answered as it was then.
    other = to_act(people, match)
    assert other.play(match, other.legal(match)[0]).status_code == 200
    again = mover.post(path, wanted, json=command, content_type=content_type)
    assert again.get_json() == told and again.headers["Preference-Applied"]
    without = mover.post(path, {"Idempotency-Key": "one"}, json=command, content_type=content_type)
    assert set(without.get_json()) == {"game", "version", "events"}


def test_a_retry_is_told_the_deadlines_of_then(people: list[Person]) -> None:
    match = opened(people[0], ME, OPEN, turn_seconds=3600, options={"first_dealer": 0})
    people[1].post(f"/v1/matches/{match}/join", json={})
    started = people[0].post(f"/v1/matches/{match}/start").get_json()
    assert list(started["deadlines"]) == ["1"] and started["deadlines"] == people[1].view(match)["deadlines"]
    headers = {**SHOWN, "Idempotency-Key": "one"}
    first = people[1].play(match, command := people[1].legal(match)[0], headers).get_json()
    assert list(first["view"]["deadlines"]) == ["0"]
    assert people[0].play(match, people[0].legal(match)[0]).status_code == 200
    assert people[1].play(match, command, headers).get_json() == first
    assert (
        people[0].get(f"/v1/matches/{match}?at={first['version']}").get_json()["deadlines"]
        == (first["view"]["deadlines"])
    )


@pytest.mark.parametrize("prefer", ["return=representation; x=y", 'wait=5, RETURN="representation"'])
def test_a_preference_is_found_among_others(people: list[Person], prefer: str) -> None:
    match = table(people)
    mover = to_act(people, match)
    assert "view" in mover.play(match, mover.legal(match)[0], {"Prefer": prefer}).get_json()


@pytest.mark.parametrize("prefer", ["", "return=minimal", "representation", "xreturn=representation", "return"])
def test_any_other_preference_is_left_alone(people: list[Person], prefer: str) -> None:
    match = table(people)
    mover = to_act(people, match)
    assert "view" not in mover.play(match, mover.legal(match)[0], {"Prefer": prefer}).get_json()


# ── Several commands at once ────────────────────────────────────────────────────────────────────────────────────


def test_the_moves_of_a_throw_are_made_at_once_PM_17(people: list[Person]) -> None:
    match, mover, moves = thrown(people)
    before = mover.view(match)["version"]
    key = {"Idempotency-Key": "throw", "If-Match": f'"{before}"'}
    done = mover.play(match, {"steps": moves}, key)
    told = done.get_json()
    assert done.status_code == 200, told
    kinds = [event["type"] for event in told["events"]]
    assert kinds[:2] == ["man_moved", "man_moved"] and len({event["command_id"] for event in told["events"]}) == 1
    seat = str(mover.view(match)["you"])
    sent = [event["secret"][seat]["part"]["command"] for event in told["events"][:2]]
    assert sent == moves  # each stands in the log with what came of it
    assert mover.play(match, {"steps": moves}, key).get_json() == told
    problem(mover.play(match, {"steps": moves[:1]}, key), 422, "key_reused")
    problem(mover.play(match, {"steps": moves}, {"If-Match": f'"{before}"'}), 412, "stale_version")


def test_all_commands_of_a_list_are_played_or_none_PM_17(people: list[Person]) -> None:
    match, mover, moves = thrown(people)
    before = mover.view(match)
    told = problem(mover.play(match, {"steps": [moves[0], {"type": "roll"}]}), 409, "wrong_phase")
    assert told["step"] == 1 and told["version"] == before["version"]
    assert problem(mover.play(match, {"steps": [{"type": "roll"}, *moves]}), 409, "wrong_phase")["step"] == 0
    assert mover.view(match) == before


def test_nothing_follows_a_throw_of_dice_in_a_list_PM_17(people: list[Person]) -> None:
    match = table(people, "four-nines")
    mover = to_act(people, match)
    before = mover.view(match)
    told = problem(mover.play(match, {"steps": [mover.legal(match)[0]] * 2}), 409, "step_after_news")
    assert (told["step"], told["rule"]["id"]) == (1, "PM-17") and mover.view(match) == before


def test_nothing_follows_what_may_show_a_hidden_card_PM_17(people: list[Person]) -> None:
    match = table(people)
    mover = to_act(people, match)
    cards = mover.legal(match)[:2]
    before = mover.view(match)
    for dry in ("", "?dry_run=1"):
        told = problem(mover.post(f"/v1/matches/{match}/commands{dry}", json={"steps": cards}), 409, "step_after_news")
        assert told["step"] == 1
    assert mover.view(match) == before
    assert mover.play(match, {"steps": cards[:1]}).status_code == 200


@pytest.mark.parametrize(
    ("body", "where"),
    [
        ({"steps": []}, "steps"),
        ({"steps": {}}, "steps"),
        ({"steps": [{}] * 10_000}, "steps"),
        ({"steps": [{}] * 51}, "steps"),
        ({"steps": [7]}, "steps.0"),
        ({"steps": [{"type": "roll"}, {"type": "fly"}]}, "steps.1.type"),
        ({"steps": [{"type": "roll", "how": "high"}]}, "steps.0.how"),
        ({"steps": [{"steps": [{"type": "roll"}]}]}, "steps.0.type"),
        ({"steps": [{"type": "roll"}], "then": 1}, "then"),
        ({"steps": [{"type": "roll"}], "type": "roll"}, "steps"),
    ],
)
def test_a_list_that_is_none_is_refused_before_any_rule_is_asked(
    people: list[Person], body: dict[str, Any], where: str
) -> None:
    match = table(people, "four-nines")
    mover = to_act(people, match)
    assert where in problem(mover.play(match, body), 422, "does_not_fit")["errors"]


# ── Judging alone ───────────────────────────────────────────────────────────────────────────────────────────────


def test_a_dry_run_judges_and_nothing_comes_of_it(people: list[Person], parlor: Services) -> None:
    match = table(people, "check-and-double-check")
    mover = to_act(people, match)
    other = next(person for person in people if person is not mover)
    path, before = f"/v1/matches/{match}/commands?dry_run=1", mover.view(match)
    for _ in range(3):
        judged = mover.post(path, {**SHOWN, "Idempotency-Key": "roll"}, json={"type": "roll"})
        assert judged.get_json() == {"game": before["game"], "version": before["version"], "events": []}
    assert mover.view(match) == before
    assert parlor.database.run("SELECT count(*) FROM commands WHERE match_id = %s", (match,)) == [(0,)]
    refused = problem(other.post(path, json={"type": "roll"}), 409, "not_your_turn")
    assert refused == problem(other.play(match, {"type": "roll"}), 409, "not_your_turn")
    problem(mover.post(path, {"If-Match": '"1"'}, json={"type": "roll"}), 412, "stale_version")
    problem(mover.post(path, json={"type": "fly"}), 422, "does_not_fit")
    problem(mover.post(path.replace("=1", "=maybe"), json={"type": "roll"}), 422, "does_not_fit")
    # The key was not used: it still plays.
    assert mover.play(match, {"type": "roll"}, {"Idempotency-Key": "roll"}).get_json()["events"]


def test_a_dry_run_is_not_for_strangers_or_revoked_tokens(
    people: list[Person], client: flask.testing.FlaskClient
) -> None:
    match = table(people, "check-and-double-check")
    path = f"/v1/matches/{match}/commands?dry_run=1"
    problem(Person(client, "Eve").post(path, json={"type": "roll"}), 404, "not_found")
    mover = to_act(people, match)
    token = mover.with_token("match:play")
    assert token.post(path, json={"type": "roll"}).status_code == 200
    mover.delete(f"/v1/tokens/{token.token_id}")
    problem(token.post(path, json={"type": "roll"}), 401, "token_unknown")
