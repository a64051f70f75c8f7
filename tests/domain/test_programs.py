"""Programs that players bring: they say that they are, and are otherwise treated as people."""

from __future__ import annotations

from domain import log, match
from domain.games import BY_SLUG
from domain.match import Match, Place, SeatTaken
from domain.match.story import sentence
from domain.upcast import upcast
from domain.wire import Parts
from eventstore.outbox import WITH_PEOPLE, rank
from tests.domain.test_match import ANN, BOT, OPEN, SEED, events, opened, refused, started

PROGRAM = Place("program", "zoe", None, "zoe")


def absent(m: Match) -> Match:
    """Until nobody but bots plays some seat."""
    while all(chair.kind != "bot" for chair in m.chairs):
        m = match.time_up(m, SEED, {alarm.name for alarm in match.alarms(m)}).match
    return m


def test_a_program_that_sits_down_says_so_PM_03() -> None:
    step = match.take_seat(opened("quenette", ANN, OPEN), 1, "zoe", "z", "program")
    assert events(step) == [SeatTaken(1, "zoe", "z", "program")]
    seat = match.view(step.match, 0, {"zoe": "Zoe"})["seats"][1]
    assert (seat["kind"], seat["name"], seat["player"]) == ("program", "Zoe", "zoe")
    told = sentence(BY_SLUG["quenette"], log.write(step.happened[0]), 0, ["Ann", "Zoe"])
    assert told == "Zoe, a program, sits down at seat 1."


def test_the_host_may_be_a_program_too() -> None:
    m = opened("quenette", PROGRAM, ANN)
    assert match.view(m, None)["seats"][0]["kind"] == "program"


def test_a_seat_that_was_taken_before_programs_said_so_is_a_persons() -> None:
    old = Parts("seat_taken", {"seat": 1, "player": "bob", "name": "Bob", "client_seed": ""}, {})
    for schema in (1, 2, 3):
        assert upcast("quenette", old, schema).public == {
            "seat": 1,
            "player": "bob",
            "client_seed": "",
            "kind": "human",
        }
    assert "kind" not in old.public


def test_deadlines_hold_for_programs_as_for_people_PM_07() -> None:
    m = started("quenette", ANN._replace(player="ann"), PROGRAM, turn_seconds=60, first_dealer=0)
    assert match.waiting_bots(m) == [] and match.alarms(m)
    # When its time has run out too often, a bot keeps the seat; and who comes back is the program it was.
    both = started("quenette", PROGRAM, PROGRAM._replace(player="ann"), turn_seconds=60, first_dealer=0)
    m = absent(both)
    seat = next(seat for seat, chair in enumerate(m.chairs) if chair.kind == "bot")
    assert m.chairs[seat].absences == match.ABSENCES_FORGIVEN
    assert match.come_back(m, seat).match.chairs[seat].kind == "program"


def test_a_match_of_programs_is_not_one_of_bots_alone_PM_12() -> None:
    m = started("quenette", PROGRAM._replace(player="ann"), BOT)
    assert rank(m) == WITH_PEOPLE
    refused("PM-12", "people_play", lambda: match.cancel(m, "ann", SEED))
    assert match.resign(m, 0, SEED).match.status == "over"
