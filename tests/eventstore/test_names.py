"""Names: looked up when they are shown, remembered for a moment, and left out of what old logs are folded to."""

from __future__ import annotations

import copy
import uuid

import pytest

from api.app import Services
from domain.upcast import SCHEMA, upcast
from domain.wire import Parts
from eventstore import names
from eventstore.names import SECONDS, Directory

OPENED = {
    "match_id": "m",
    "seats": [
        {"kind": "human", "player": "a", "name": "Ann", "level": None, "client_seed": "x"},
        {"kind": "bot", "player": None, "name": "Bot 1 (random)", "level": "random", "client_seed": ""},
    ],
}


class Counting(Directory):
    """Counts how often the database is asked, and has a clock that can be set."""

    def __init__(self, parlor: Services) -> None:
        super().__init__(parlor.database, now=lambda: self.day)
        self.day, self.asked = 0.0, 0

    def _ask(self, players: list[str]) -> dict[str, str]:
        self.asked += 1
        return super()._ask(players)


def player(parlor: Services, name: str) -> str:
    return str(parlor.players.sign_up(name)[0]["id"])


def test_all_names_that_are_not_known_are_asked_for_at_once_and_remembered(parlor: Services) -> None:
    people = {player(parlor, name): name for name in ("Ann", "Bob", "Cat")}
    directory = Counting(parlor)
    assert directory.of(people) == people and directory.asked == 1
    assert directory.of(list(people)[:2]) == dict(list(people.items())[:2]) and directory.asked == 1


def test_a_name_is_asked_for_again_after_seconds(parlor: Services) -> None:
    ann = player(parlor, "Ann")
    directory = Counting(parlor)
    directory.of([ann])
    parlor.players.rename(ann, "Anna")
    directory.day = SECONDS - 0.1
    assert directory.of([ann]) == {ann: "Ann"}
    directory.day = SECONDS
    assert directory.of([ann]) == {ann: "Anna"} and directory.asked == 2


def test_names_that_grew_old_are_asked_for_together_and_only_if_anybody_wanted_them(parlor: Services) -> None:
    """Else whoever follows many matches would ask once for each of them, every few seconds."""
    ann, bob, cat, dan = (player(parlor, name) for name in ("Ann", "Bob", "Cat", "Dan"))
    directory = Counting(parlor)
    directory.of([ann, bob, cat])
    directory.of([ann, bob])
    directory.day = SECONDS
    assert directory.of([ann]) == {ann: "Ann"} and directory.asked == 2
    assert directory.of([bob]) == {bob: "Bob"} and directory.asked == 2
    assert directory.of([cat, dan]) == {cat: "Cat", dan: "Dan"} and directory.asked == 3


def test_names_that_were_asked_for_one_after_the_other_come_to_be_asked_for_together(parlor: Services) -> None:
    ann, bob = player(parlor, "Ann"), player(parlor, "Bob")
    directory = Counting(parlor)
    directory.of([ann])
    directory.day = SECONDS / 2
    directory.of([bob])
    for day in (SECONDS, SECONDS * 3 / 2):
        directory.day = day
        assert directory.of([ann, bob]) == {ann: "Ann", bob: "Bob"} and directory.asked == 3


def test_nobody_is_asked_for_again_and_again(parlor: Services) -> None:
    directory = Counting(parlor)
    nobody = str(uuid.uuid4())
    assert [directory.of([nobody]) for _ in range(3)] == [{}] * 3 and directory.asked == 1


def test_a_name_that_was_changed_here_is_forgotten_here(parlor: Services) -> None:
    ann = player(parlor, "Ann")
    directory = Counting(parlor)
    directory.of([ann])
    parlor.players.rename(ann, "Anna")
    directory.forget(ann)
    assert directory.of([ann]) == {ann: "Anna"}


def test_who_is_unknown_has_no_name(parlor: Services) -> None:
    assert Directory(parlor.database).of([str(uuid.uuid4())]) == {}


def test_only_so_many_names_are_remembered(parlor: Services, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(names, "REMEMBERED", 2)
    people = [player(parlor, name) for name in ("Ann", "Bob", "Cat")]
    directory = Counting(parlor)
    for one in people:
        directory.of([one])
    asked = directory.asked
    directory.of(people[1:])
    assert directory.asked == asked
    directory.of(people[:1])
    assert directory.asked == asked + 1


@pytest.mark.parametrize("schema", [2, 3, 4])
def test_names_are_dropped_from_the_first_event_of_old_logs(schema: int) -> None:
    old = Parts("match_opened", copy.deepcopy(OPENED), {})
    read = upcast("quenette", old, schema).public["seats"]
    assert read == [{k: v for k, v in seat.items() if k != "name"} for seat in OPENED["seats"]]  # type: ignore[attr-defined]
    assert old.public == OPENED, "what is stored stays"


@pytest.mark.parametrize("schema", [1, 2, 3, 4])
def test_names_are_dropped_from_who_sat_down_in_old_logs(schema: int) -> None:
    stored = {"seat": 1, "player": "b", "name": "Bob", "client_seed": ""} | ({"kind": "human"} if schema == 4 else {})
    read = upcast("quenette", Parts("seat_taken", stored, {}), schema).public
    assert read == {"seat": 1, "player": "b", "client_seed": "", "kind": "human"}
    assert upcast("quenette", Parts("seat_taken", read, {}), SCHEMA).public == read
