"""Checkers by rule of thumb and by search: what the bots find, and that they find it again."""

from __future__ import annotations

import os
import random
import subprocess
import sys
from collections.abc import Callable, Iterator
from typing import Any

import pytest

from domain.bots import checkers
from domain.bots.checkers_worth import worth
from domain.bots.levels import LEVELS
from domain.bots.thinking import at_once
from domain.bots.turn import Thought, Turn
from domain.games.checkers import GAME
from domain.games.checkers.draughts import DARK, LIGHT, Board, Move, Side, after, bits, complete_plays, squares
from domain.games.checkers.events import Command, Compel, GameEnded, Huff, Leave, Touch
from domain.games.checkers.game import Table
from tests.domain.games.test_checkers import m, play, position
from tests.domain.playing import random_match, tables
from tests.domain.story import table

MANY = 1_000_000


def turn_at(s: Table, enough: Callable[[int], bool], seed: int = 1) -> Turn:
    below = random.Random(seed).randrange
    return Turn(GAME, s.turn, GAME.view(s, s.turn), GAME.legal(s, s.turn), lambda _: s, below, enough)


def strong(s: Table, iterations: int = 20, seed: int = 1) -> Thought:
    return at_once(LEVELS["strong"].search(turn_at(s, lambda n: n >= iterations, seed)))


def steady(s: Table, seed: int = 1) -> Any:
    return at_once(LEVELS["steady"].search(turn_at(s, lambda n: True, seed))).command


def stepped(s: Table, command: Command) -> Table:
    for event in GAME.decide(s, s.turn, command):
        s = GAME.evolve(s, event)
    return s


def played(s: Table, *levels: Callable[[Table], Command]) -> Iterator[Table]:
    """A match from here on, by the seats' ways to play."""
    while GAME.outcome(s) is None:
        s = stepped(s, levels[s.turn](s))
        yield s


# ── Search ──────────────────────────────────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize(
    ("fen", "shot"),
    [
        ("W:W22,24,25,27,28,29,31:B2,3,5,10,12,15,18", "24-19"),
        ("B:W15,16,20,22,23,26:B2,3,6,7,8,9", "7-11"),
        ("W:W18,22,25,28,30:B7,9,11,12,13,21", "18-14"),
    ],
)
@pytest.mark.parametrize("rule", ["huff", "mandatory"])
def test_a_man_is_given_up_for_two(fen: str, shot: str, rule: str) -> None:
    found = strong(position(fen, capture_rule=rule).table)
    assert found.command == m(shot)
    assert found.weighed[0] == (m(shot), max(value for _, value in found.weighed))


def test_an_ignored_jump_is_huffed_when_that_wins_a_piece() -> None:
    # Given Dark has overlooked 15x24, and has closed the square behind 15
    s = position("B:W19,22,27,31,32:B1,2,6,11,15").when(0, m("6-10")).table
    # Then the piece is taken off first, and the move comes after it
    assert strong(s).command == Huff(15)
    assert isinstance(strong(stepped(s, Huff(15))).command, Move)


@pytest.mark.parametrize(
    ("fen", "fault", "answer"),
    [
        ("W:W15,29:B4,5,8,11,21,25,K27", "15-10", Compel(29)),
        ("B:W16,20,24,25,31,32:B1,2,8,15,22", "2-6", m("25x18x11x4")),
    ],
)
def test_a_jump_is_demanded_or_the_offence_left_where_that_is_better(fen: str, fault: str, answer: Command) -> None:
    story = position(fen)
    s = story.when(story.table.turn, m(fault)).table
    assert s.offence is not None
    assert strong(s).command == answer


def test_a_blocked_seat_saves_itself_by_a_huff() -> None:
    s = position("B:W8:B3,4,16").when(0, m("16-19")).table
    assert isinstance(strong(s).command, Huff)


def test_a_jump_is_never_passed_over() -> None:
    """Even one that loses more than a huff would: it could be demanded."""
    rng = random.Random(3)
    faults_open = 0
    for moment in random_match(GAME, 2, {"games": 4}, rng):
        s = moment.after
        if GAME.outcome(s) is None and any(stepped_into_fault(s, c) for c in GAME.legal(s, s.turn)):
            faults_open += 1
            assert not stepped_into_fault(s, strong(s, iterations=1).command)
    assert faults_open > 30


def stepped_into_fault(s: Table, command: Command) -> bool:
    return isinstance(command, Move) and stepped(s, command).offence is not None


def test_a_touched_piece_that_cannot_jump_is_moved_as_the_answers_to_the_offence_allow() -> None:
    # Given Light could jump with 18 but has touched 32, so that every move is an offence
    s = position("W:W18,32:B14,1,5,20", touch_move=True).when(1, Touch(32)).table
    assert all(stepped_into_fault(s, command) for command in GAME.legal(s, s.turn))
    # Then it is judged by Dark's best answer
    found = strong(s, iterations=50)
    assert found.command in GAME.legal(s, s.turn)
    assert {command for command, _ in found.weighed} == set(GAME.legal(s, s.turn))


def test_a_fault_that_draws_at_once_is_better_than_a_jump_that_loses() -> None:
    """CH-R8: a draw that was put off by an offence comes with the next ply, faulty or not."""
    # Given 32x23 is Light's only jump, and loses
    fen = "W:W6,K32,K12:BK1,K25,K27,K18,K14,K15"
    assert strong(position(fen).table).command == m("32x23")
    # When the draw is due
    s = position(fen, quiet=80).table
    found = strong(s)
    # Then any other move is better
    assert stepped(s, found.command).results == ("1/2-1/2",)
    assert found.weighed[0][1] == 0 and found.weighed[-1][0] == m("32x23") and found.weighed[-1][1] < -100


# ── The huff changes no value ───────────────────────────────────────────────────────────────────────────────────


def test_offences_are_never_worth_more_than_the_best_jump() -> None:
    """Why the tree can leave them out: the whole game with all its answers has the values of compulsory jumps."""
    rng = random.Random(11)
    compared = 0
    while compared < 60:
        board, side = random_board(rng)
        if len(squares(board.dark | board.light)) > 12 or not complete_plays(board, side):
            continue
        s = position("B:W30:B1", draw_no_progress=400).table
        s = s._replace(position=s.position._replace(board=board, to_move=side, seen=()))
        assert with_all_answers(s, 2) == with_compulsory_jumps(board, side, 2)
        compared += 1


def random_board(rng: random.Random) -> tuple[Board, Side]:
    board, side = position("B:W21-32:B1-12").table.position[:2]
    for _ in range(rng.randrange(20, 60)):
        plays = complete_plays(board, side)
        if not plays:
            break
        board, side = after(board, side, rng.choice(plays)), 1 - side
    return board, side


def with_compulsory_jumps(board: Board, side: Side, depth: int) -> int:
    plays = complete_plays(board, side)
    if not plays:
        return -MANY
    if not depth:
        return worth(board, side)
    return max(-with_compulsory_jumps(after(board, side, play), 1 - side, depth - 1) for play in plays)


def with_all_answers(s: Table, depth: int) -> int:
    """The value to the seat to move, by the contract alone. A play under compulsion stands for the one at fault."""
    values = []
    for command in GAME.legal(s, s.turn):
        if isinstance(command, Leave) or command == Compel() or (isinstance(command, Move) and quiet_leaf(s, depth)):
            continue
        cost = isinstance(command, Move) and s.compelled is None
        (*_, event) = events = GAME.decide(s, s.turn, command)
        if isinstance(event, GameEnded):
            values.append(MANY * (event.half_points[s.turn] - s.half_points[s.turn] - 1))
            continue
        then = s
        for event in events:
            then = GAME.evolve(then, event)
        value = with_all_answers(then, depth - cost)
        values.append(value if then.turn == s.turn else -value)
    if quiet_leaf(s, depth):
        values.append(worth(s.position.board, s.position.to_move) if complete_plays(*s.position[:2]) else -MANY)
    return max(values)


def quiet_leaf(s: Table, depth: int) -> bool:
    """Where no ply is left, an offence can still be answered and a compelled jump is still played."""
    return depth == 0 and s.compelled is None


# ── Endgames ────────────────────────────────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize(
    ("fen", "plies"),
    [
        ("B:WK15:BK1,K2", 40),
        ("B:WK32:BK10,K11", 60),
        ("W:WK14,K18,K23:BK1,K5", 80),
        ("B:W21,22:BK15,K18,9", 40),
        ("B:WK29,K1:BK11,K15,K18,22", 80),
    ],
)
def test_won_endgames_are_won(fen: str, plies: int) -> None:
    s = position(fen, games=1).table
    winner = int(fen[0] == "W")
    *_, last = played(s, lambda s: strong(s, 60).command, lambda s: strong(s, 60).command)
    assert last.half_points[winner] == 2
    assert last.position.plies <= 10 + plies


def test_who_is_ahead_does_not_repeat_and_who_is_behind_does() -> None:
    """CH-24: the third occurrence draws."""
    shuffle = ("15-10", "32-28", "10-15", "28-32")
    ahead = play(position("B:WK32:BK15,K18,1", games=1), *shuffle, *shuffle[:3])
    assert strong(ahead.table).command == m("28-32")
    assert stepped(ahead.table, m("28-32")).results == ("1/2-1/2",)
    behind = play(position("B:WK32:BK15,K18,1", games=1), *shuffle)
    assert strong(behind.table).command != m("15-10")


# ── Found again ─────────────────────────────────────────────────────────────────────────────────────────────────


SCRIPT = """
from tests.domain.bots.test_checkers import some_thoughts
print(some_thoughts())
"""


def some_thoughts() -> str:
    found = []
    for number, moment in enumerate(random_match(GAME, 2, {"games": 1}, random.Random(5))):
        s = moment.after
        if number % 10 == 0 and GAME.outcome(s) is None:
            found += [repr(strong(s, 8, number)), repr(steady(s, number))]
    return "\n".join(found)


def test_the_same_is_found_under_other_hash_seeds() -> None:
    here = some_thoughts()
    for seed in ("1", "4711"):
        there = subprocess.run(
            [sys.executable, "-c", SCRIPT],
            env={**os.environ, "PYTHONHASHSEED": seed},
            capture_output=True,
            text=True,
            check=True,
        )
        assert there.stdout.strip() == here


@pytest.mark.parametrize("fen", ["B:W21-32:B1-12", "W:WK14,K18,K23:BK1,K5", "B:W30,31:B1,2,3"])
def test_a_thought_is_found_again_by_its_number_of_iterations(fen: str) -> None:
    s = position(fen).table
    for limit in (0, 1, 2, 3, 7, 20):
        thought = strong(s, limit)
        assert strong(s, thought.iterations) == thought


def test_a_thought_that_came_to_its_end_is_found_again() -> None:
    s = position("B:WK3,22:BK15,K19,12,13").table
    thought = strong(s, MANY)
    assert 1 < thought.iterations < MANY
    assert strong(s, thought.iterations) == thought != strong(s, thought.iterations - 1)


def test_a_search_gives_way_often() -> None:
    """A few hundred boards are a few milliseconds."""
    asked: list[int] = []

    def enough(iterations: int) -> bool:
        asked.append(iterations)
        return iterations > 60

    gave_way = sum(1 for _ in LEVELS["strong"].search(turn_at(table(GAME, 2).table, enough)))
    assert gave_way == len(asked)
    assert max(b - a for a, b in zip([0, *asked], asked, strict=False)) <= 4


def test_the_tree_stands_on_what_the_seat_imagines() -> None:
    # Given a turn with no table but the imagined one, and no commands or view
    s = position("B:W15,16,20,22,23,26:B2,3,6,7,8,9").table
    turn = Turn(GAME, 0, {}, (), lambda _: s, random.Random(1).randrange, lambda n: n >= 20)
    assert at_once(checkers.search(turn)).command == m("7-11")


# ── Any table ───────────────────────────────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize("touch_move", [True, False])
@pytest.mark.parametrize("announce_offence", [True, False])
def test_bots_play_at_every_table(touch_move: bool, announce_offence: bool) -> None:
    rng = random.Random(8)
    others = {"touch_move": touch_move, "announce_offence": announce_offence, "games": 2}
    for _, options in tables(GAME):
        given = {**others, **options}
        if given.get("capture_rule") == "mandatory":
            del given["announce_offence"]
        for number, moment in enumerate(random_match(GAME, 2, given, rng)):
            s = moment.after
            if number % 20 == 0 and GAME.outcome(s) is None:
                legal = GAME.legal(s, s.turn)
                assert strong(s, rng.randrange(2), number).command in legal
                assert steady(s, number) in legal


def test_the_search_beats_chance_and_the_rules_of_thumb_too() -> None:
    rng = random.Random(2)

    def at_random(s: Table) -> Command:
        found: Command = rng.choice(GAME.legal(s, s.turn))
        return found

    *_, last = played(table(GAME, 2, games=2).table, lambda s: strong(s, 4).command, at_random)
    assert last.half_points == (4, 0)
    *_, last = played(table(GAME, 2, games=4).table, at_random, steady)
    assert last.half_points == (0, 8)


# ── Rules of thumb ──────────────────────────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize(
    ("fen", "best"),
    [
        ("B:W18,26,14,32:B9,15", "15x22x31"),  # two men and a crown rather than one
        ("B:W19,27,32:B10,1", "10-14"),  # 10-15 would be jumped
        ("B:W5,12,32:B25,1,2", "25-29"),  # a crown, but not beside an enemy
    ],
)
def test_rules_of_thumb_take_most_and_hang_nothing(fen: str, best: str) -> None:
    assert steady(position(fen).table) == m(best)


def test_rules_of_thumb_huff_the_king_rather_than_a_man() -> None:
    s = position("B:W18,19,31,32:B15,1,K23").when(0, m("1-5")).table
    assert s.offence is not None and set(s.offence.pieces) == {15, 23}
    assert steady(s) == Huff(23)


def test_rules_of_thumb_claim_what_is_not_pointed_out() -> None:
    s = position("B:W18,25,30,31:B2,3,6,15", announce_offence=False).when(0, m("2-7")).table
    assert GAME.view(s, 1)["pending_offence"] is None
    assert steady(s) == Huff(15)


def test_a_board_is_worth_the_same_to_either_side() -> None:
    """Turned round, with the colours exchanged, nothing changes."""
    rng = random.Random(6)
    for _ in range(300):
        board, side = random_board(rng)
        dark, light, kings = ([33 - square for square in squares(some)] for some in board)
        turned = Board(bits(light), bits(dark), bits(kings))
        assert worth(board, side) == worth(turned, 1 - side)
    assert worth(Board(bits([1]), bits([30, 31]), 0), DARK) < 0 < worth(Board(bits([1]), bits([30, 31]), 0), LIGHT)
