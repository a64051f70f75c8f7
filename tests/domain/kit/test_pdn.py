"""Texts of draughts: positions that can be read back, and whole matches."""

from __future__ import annotations

import random
import re
from typing import Any

import pytest

from domain import match
from domain.games.checkers import GAME
from domain.games.checkers.draughts import DARK, LIGHT, START, Board, Move, after, bits, complete_plays
from domain.games.checkers.events import Compel, Huff, Leave
from domain.games.checkers.pdn import GAME_TYPE, match_text, read_fen, read_move, write_fen
from domain.wire import write_event

SEED = bytes(32)


def test_the_start_is_written_as_usual() -> None:
    """CH-R12"""
    text = "B:W21,22,23,24,25,26,27,28,29,30,31,32:B1,2,3,4,5,6,7,8,9,10,11,12"
    assert write_fen(START, DARK) == text
    assert read_fen(text) == (START, DARK)
    assert read_fen("B:B1-12:W21-32.") == (START, DARK)


def test_positions_of_a_random_game_can_be_read_back() -> None:
    rng = random.Random("fen")
    board, side = START, DARK
    while plays := complete_plays(board, side):
        assert read_fen(write_fen(board, side)) == (board, side)
        board, side = after(board, side, rng.choice(plays)), 1 - side
        if len(write_fen(board, side)) < 30:
            break
    assert read_fen("W:W:BK3") == (Board(bits([3]), 0, bits([3])), LIGHT)


@pytest.mark.parametrize(
    "text",
    [
        "",
        "B",
        "B:W1",
        "X:W1:B2",
        "B:W1:W2",
        "B:W33:B1",
        "B:W0:B1",
        "B:W1:B1",
        "B:W1,1:B2",
        "B:Wx:B1",
        "B:W1,:B2",
        "B:WKK1:B2",
    ],
)
def test_what_is_no_position_cannot_be_read(text: str) -> None:
    with pytest.raises(ValueError, match=r"\w"):
        read_fen(text)


@pytest.mark.parametrize("text", ["", "11", "11-15-18", "11:15", "x11", "11x", "11-15x22"])
def test_what_is_no_move_cannot_be_read(text: str) -> None:
    with pytest.raises(ValueError, match="written"):
        read_move(text)


# ── Matches ─────────────────────────────────────────────────────────────────────────────────────────────────────


class Played:
    """A match between Ann (seat 0) and Bob, and its log."""

    def __init__(self, **options: Any) -> None:
        seats = (match.Place("human", "a", None, ""), match.Place("open", None, None, ""))
        step = match.open_match(GAME, "m-1", host="a", seats=seats, options=options, seed=SEED)
        self.log = list(step.happened)
        self.now = step.match
        self.add(match.take_seat(self.now, 1, "b", ""))
        self.add(match.start(self.now, "a", SEED))

    def add(self, step: match.Step) -> Played:
        self.log += step.happened
        self.now = step.match
        return self

    def does(self, *commands: Any) -> Played:
        for command in commands:
            if isinstance(command, str):
                first, *path = read_move(command)
                command = Move(first, tuple(path))
            self.add(match.play(self.now, self.now.table.turn, command, SEED))
        return self

    def text(self) -> str:
        names = match.at_table(self.now, {"a": "Ann", "b": 'Bob "the king"'})
        return match_text((write_event(one.event)[:2] for one in self.log), names)


def movetext(text: str) -> str:
    return " ".join(text.split("\n\n")[1].split())


def test_a_match_that_has_just_begun() -> None:
    assert Played().does("11-15", "22-18", "15x22").text() == (
        '[Event "m-1"]\n[Round "1"]\n[White "Bob \'the king\'"]\n[Black "Ann"]\n[Result "*"]\n'
        f'[GameType "{GAME_TYPE}"]\n\n1. 11-15 22-18 2. 15x22 *\n'
    )


def test_huff_and_compel_stand_in_comments_and_only_the_corrected_move_is_written() -> None:
    """CH-16, CH-19, CH-20"""
    begun = ["11-15", "22-18", "12-16"]
    assert movetext(Played().does(*begun, Huff(15), "25-22").text()) == "1. 11-15 22-18 2. 12-16 {huff 15} 25-22 *"
    assert movetext(Played().does(*begun, Leave(), "18x11").text()) == "1. 11-15 22-18 2. 12-16 18x11 *"
    compelled = Played().does(*begun, Compel(15), "15x22", "25x18")
    assert movetext(compelled.text()) == "1. 11-15 22-18 2. 15x22 {compel 15} 25x18 *"


def test_a_jump_that_was_broken_off_and_completed_is_written_as_one() -> None:
    """CH-19"""
    events: list[tuple[str, dict[str, Any]]] = [
        ("moved", {"pdn": "1x10"}),
        ("compelled", {"piece": 10, "taken_back": False}),
        ("moved", {"pdn": "10x19"}),
        ("moved", {"pdn": "32-28"}),
    ]
    assert movetext(match_text(events)) == "1. 1x10x19 {compel 10} 32-28 *"


def test_each_game_of_a_match_stands_by_itself_with_colours_changed() -> None:
    """CH-03, CH-24, CH-R16"""
    played = Played().does("11-15")
    played.add(match.offer_draw(played.now, 1, SEED)).add(match.answer_draw(played.now, 0, True, SEED))
    played.does("9-13").add(match.resign(played.now, 0, SEED))
    first, second = played.text().split("\n\n[")
    assert '[Black "Ann"]' in first and first.endswith("1. 11-15 1/2-1/2")
    assert '[White "Ann"]' in second and '[Round "2"]' in second and second.endswith("1. 9-13 0-1\n")


def test_the_moves_of_a_modern_match_lead_to_its_results() -> None:
    """CH-21: the text alone is enough to replay every game, and no line is longer than it should be."""
    rng = random.Random("pdn")
    played = Played(capture_rule="mandatory", games=3)
    while played.now.status == "playing":
        played.does(rng.choice(GAME.legal(played.now.table, played.now.table.turn)))
    text = played.text()
    assert max(map(len, text.splitlines())) <= 80
    results = re.findall(r'\[Result "(.*)"\]', text)
    assert tuple(results) == played.now.table.results
    for game, result in zip(re.split(r"\n\n(?=\[)", text), results, strict=True):
        board, side = START, DARK
        words = [word for word in movetext(game).split() if not word.endswith(".")]
        assert words.pop() == result
        for word in words:
            board = after(board, side, next(p for p in complete_plays(board, side) if p.pdn == word))
            side = 1 - side
        if result != "1/2-1/2":
            assert not complete_plays(board, side) and result == ("1-0" if side == DARK else "0-1")
