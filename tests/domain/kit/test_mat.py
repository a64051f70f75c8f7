"""A match of backgammon in writing, letter by letter as GNU Backgammon writes and reads it."""

from __future__ import annotations

import random
from typing import Any

import pytest

from domain.game import CHANCE, Refused, Rolled
from domain.games.backgammon import GAME
from domain.games.backgammon.game import Adopt, Move, Roll, Undo
from domain.games.backgammon.mat import match_text, rows, whole_match, written
from domain.games.backgammon.stakes import Concede, Double, Drop, Take
from domain.kit.points import men
from domain.wire import write_event
from tests.domain.playing import random_match
from tests.domain.story import Story, table


class Scribe:
    """A story that keeps all its events."""

    def __init__(self, **options: Any) -> None:
        self.story: Story = table(GAME, 2, **options)
        self.events: list[Any] = []

    def then(self, seat: int, *commands: Any) -> Scribe:
        for command in commands:
            drawn = command if isinstance(command, Rolled) else None
            self.story = self.story.when(seat, Roll() if drawn and seat != CHANCE else command, drawn)
            self.events += self.story.events
        return self

    def put(self, **fields: Any) -> Scribe:
        self.story = self.story.but(**fields)
        return self

    def text(self, target: int) -> str:
        return match_text([(p.type, p.public) for p in map(write_event, self.events)], ("Ann", "Bea: jr"), target)


def test_a_match_with_all_that_can_happen() -> None:
    """BG-03, BG-15, BG-17, BG-27, BG-32, BG-36: bar, hits, bearing, cube, a lost cast, a skipped turn, concession."""
    scribe = Scribe(cube=True, target=9)
    scribe.then(CHANCE, Rolled((3, 3)), Rolled((1, 3))).then(1, Adopt(), Move(8, 3), Move(6, 1))
    scribe.then(0, Rolled((6, 4)), Move(24, 6), Undo(), Move(24, 6), Move(18, 4))
    scribe.then(1, Double()).then(0, Take()).then(1, Rolled((1, 1)), Move(24, 1), Move(23, 1), Move(24, 1), Move(23, 1))
    # From here on the men stand where the next lines of the record need them.
    closed = men(p6=2, p5=2, p4=2, p3=2, p2=2, p1=3, p8=2)
    scribe.put(men=(closed, men(bar=1, p13=14)))
    scribe.then(0, Rolled((2, 1)), Move(8, 2), Move(8, 1)).then(0, Rolled((6, 6)), Move(7, 6), Move(6, 6), Move(6, 6))
    scribe.then(0, Move(6, 6)).then(1, Rolled((3, 3)))
    scribe.put(men=(men(off=14, p1=1), men(bar=1, p13=14)))
    scribe.then(0, Rolled((2, 1)), Move(1, 2))
    scribe.then(CHANCE, Rolled((5, 2))).then(0, Rolled((6, 6)), *[Move(24, 6)] * 2, *[Move(13, 6)] * 2)
    scribe.then(1, Double()).then(0, Drop())
    scribe.then(CHANCE, Rolled((5, 2))).then(0, Adopt(), Move(13, 5), Move(13, 2))
    scribe.then(1, Rolled((4, 3)), Concede(2))
    assert scribe.text(9) == (
        " 9 point match\n"
        "\n"
        " Game 1\n"
        " Ann : 0                        Bea jr : 0\n"
        "  1)                             31: 8/5 6/5\n"
        "  2) 64: 24/18 18/14              Doubles => 2\n"
        "  3)  Takes                      11: 24/23 23/22 24/23 23/22\n"
        "  4) 21: 8/6 8/7\n"
        "  5) 66: 7/1 6/0 6/0 6/0         33:\n"
        "      Wins 4 points\n"
        "\n"
        " Game 2\n"
        " Ann : 4                        Bea jr : 0\n"
        "  1) 66: 24/18 24/18 13/7 13/7    Doubles => 2\n"
        "  2)  Drops                       Wins 1 point\n"
        "\n"
        " Game 3\n"
        " Ann : 4                        Bea jr : 1\n"
        "  1) 52: 13/8 13/11\n"
        "      Wins 2 points\n"
    )


def test_plays_of_the_bar_and_off_the_board() -> None:
    """BG-15, BG-20: players write bar and off, the file counts 25 and 0."""
    assert [written("bar", 20, hit=True), written(13, 7), written(6, "off")] == ["bar/20*", "13/7", "6/off"]
    events: list[tuple[str, dict[str, Any]]] = [
        ("opening_cast", {"first": 0}),
        ("dice_rolled", {"seat": 0, "dice": (5, 3)}),
        ("man_moved", {"from": "bar", "to": 20, "hit": True}),
        ("man_moved", {"from": 3, "to": "off", "hit": False}),
    ]
    assert "  1) 53: 25/20* 3/0\n" in match_text(events, ("A", "B"), 0)


def test_rows_without_cells_and_names_without_letters() -> None:
    assert rows([]) == []
    assert match_text([("opening_cast", {"first": 1})], (" : ", "B"), 0) == (
        " 0 point match\n\n Game 1\n ? : 0                          B : 0\n"
    )


def test_every_play_of_a_random_match_is_in_its_text() -> None:
    """BG-R8"""
    events = [e for m in random_match(GAME, 2, {"target": 2, "cube": True}, random.Random(5)) for e in m.events]
    kinds = [write_event(event).type for event in events]
    text = match_text([(p.type, p.public) for p in map(write_event, events)], ("A", "B"), 2)
    assert text.count("/") == kinds.count("man_moved") - kinds.count("play_undone")
    assert text.count("Wins") == text.count(" Game ") == kinds.count("game_won")


NAMES = ("Ann", "Bob")


def game(*events: tuple[str, dict[str, Any]], options: dict[str, Any] | None = None) -> list[tuple[str, Any]]:
    opened = ("match_opened", {"options": options or {}})
    return [opened, ("opening_cast", {"first": 0}), ("dice_rolled", {"seat": 0, "dice": (2, 1)}), *events]


BORNE = ("man_moved", {"seat": 0, "from": 1, "to": "off", "hit": False})


def won(value: int, **others: Any) -> tuple[str, Any]:
    return "game_won", {
        "seat": 0,
        "reason": "borne_off",
        "value": value,
        "points": value,
        "totals": (value, 0),
        **others,
    }


def test_a_game_that_others_would_count_otherwise_is_resigned_in_writing() -> None:
    """BG-28, BG-R7: the loser still has men in the far home, where others count three."""
    assert "Wins 2 points" in (text := whole_match(game(BORNE, won(2)), NAMES)) and "1/0" not in text
    assert "1/0" in whole_match(game(BORNE, won(3)), NAMES)  # the table counts three as well
    # Without a target others count a double game once, unless somebody has doubled.
    assert "1/0" in whole_match(game(BORNE, won(1), options={"games": 3}), NAMES)
    assert "1/0" not in whole_match(game(BORNE, won(2), options={"games": 3}), NAMES)


def test_a_table_that_loses_high_numbers_is_not_written_down() -> None:
    """BG-22"""
    with pytest.raises(Refused) as refusal:
        whole_match(game(BORNE, won(2), options={"bearing": "first"}), NAMES)
    assert (refusal.value.rule, refusal.value.code) == ("BG-22", "export_refused")


def test_names_of_any_length_stay_apart() -> None:
    text = whole_match(game(BORNE), ("A" * 40, "B: 3  :\nC"))
    assert f" {'A' * 40} : 0  B 3 C : 0\n" in text


@pytest.mark.parametrize(
    ("options", "points"), [({"target": 3}, "3 points"), ({"target": 1}, "1 point"), ({"games": 3}, "1 point")]
)
def test_a_resigned_match_has_its_result(options: dict[str, Any], points: str) -> None:
    """BG-37: as much as is missing, and no more than others can resign; the cast that was not played is left out."""
    resigned = ("match_ended", {"reason": "resigned", "places": (2, 1)})
    text = whole_match(game(resigned, options=options), NAMES)
    assert f" Wins {points} and the match\n" in text and "21:" not in text
    between = whole_match(game(BORNE, won(1), resigned, options={"target": 9}), NAMES)
    assert " Game 2\n Ann : 1 " in between and "Wins 3 points and the match" in between
