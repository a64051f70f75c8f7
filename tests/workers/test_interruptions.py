"""A search can be left anywhere: others are let in while it computes, and what never returns is stopped."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import cast

import pytest

from api.app import Services
from domain import match
from domain.bots.levels import LEVELS, Level
from domain.bots.turn import Search, Thought, Turn
from domain.games import BY_SLUG
from eventstore.errors import Unavailable
from eventstore.service import Matches
from tests.api.people import Person, table
from tests.workers.crew import due_turn
from workers import bots
from workers.bots import Stuck, think
from workers.turns import Turns

SEED = bytes(32)


def compute(seconds: float) -> None:
    until = time.process_time() + seconds
    while time.process_time() < until:
        pass


@pytest.fixture
def in_one_step(monkeypatch: pytest.MonkeyPatch) -> Callable[[float], None]:
    """Lets bots of the level `strong` compute for so long before they stop for the first time."""

    def install(seconds: float) -> None:
        def search(turn: Turn) -> Search:
            compute(seconds)
            return Thought(turn.commands[-1], 1)
            yield

        monkeypatch.setitem(cast(dict[str, Level], LEVELS), "strong", LEVELS["strong"]._replace(search=search))

    return install


def a_match() -> match.Match:
    places = tuple(match.Place("bot", None, "strong", "") for _ in range(2))
    opened = match.open_match(BY_SLUG["quenette"], "m", host="", seats=places, options={}, seed=SEED)
    return match.start(opened.match, "", SEED).match


def thought(between: Callable[[], float]) -> Thought:
    m = a_match()
    return think(m, match.waiting_bots(m)[0], SEED, between=between)


def test_a_worker_looks_up_also_in_the_middle_of_a_long_step(in_one_step: Callable[[float], None]) -> None:
    in_one_step(0.3)
    looks: list[int] = []

    def look() -> float:
        looks.append(1)
        return 0.0

    m = a_match()
    assert thought(look).command == match.open_to_bot(m, match.waiting_bots(m)[0])[-1]
    assert len(looks) >= 5


def test_what_never_returns_is_stopped_however_often_it_was_interrupted(
    in_one_step: Callable[[float], None], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(bots, "STUCK", 0.2)
    in_one_step(1_000)
    with pytest.raises(Stuck):
        thought(float)
    in_one_step(0)
    assert thought(float).iterations == 1


def test_what_others_compute_meanwhile_is_not_held_against_a_bot(
    in_one_step: Callable[[float], None], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(bots, "STUCK", 0.2)
    in_one_step(0.4)
    played: list[int] = []

    def look() -> float:
        if not played:
            played.append(1)
            compute(0.3)
        return 0.0

    assert thought(look).iterations == 1 and played


def test_an_error_of_what_is_played_meanwhile_leaves_nothing_behind(in_one_step: Callable[[float], None]) -> None:
    in_one_step(0.1)

    def look() -> float:
        raise OSError("away")

    with pytest.raises(OSError, match="away"):
        thought(look)
    in_one_step(0.1)
    assert thought(float).iterations == 1


@pytest.mark.usefixtures("nothing_else")
def test_a_persons_bot_is_played_in_the_middle_of_another_bots_step(
    ann: Person, parlor: Services, in_one_step: Callable[[float], None]
) -> None:
    in_one_step(0.2)
    matches = Matches(parlor.matches.store)
    seats = [{"kind": "bot", "level": "strong"}] * 2
    alone = ann.post("/v1/matches", json={"game": "quenette", "seats": seats, "options": {"hands": 1}}).get_json()["id"]
    ann.post(f"/v1/matches/{alone}/start")
    person = table([ann], bots=1, hands=1, first_dealer=0)
    turn = due_turn(matches, alone)
    assert turn is not None
    order: list[str] = []
    played = matches.commit

    def noted(warm: object, *given: object, **how: object) -> object:
        order.append(warm.match.id)  # type: ignore[attr-defined]
        if len(order) == 2:
            raise Unavailable("that was enough")
        return played(warm, *given, **how)  # type: ignore[arg-type]

    matches.commit = noted  # type: ignore[method-assign, assignment]
    with pytest.raises(Unavailable):
        Turns(matches, think).take(turn)
    assert order == [person, alone]
