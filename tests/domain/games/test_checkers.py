"""Checkers, rule by rule. Seat 0 has Dark in the first game; positions are written as FEN, moves as PDN."""

from __future__ import annotations

import random
from collections.abc import Iterable
from typing import Any

import pytest

from domain import match
from domain.game import Outcome, Refused, Secret, hidden, shown
from domain.games.checkers import GAME
from domain.games.checkers.draughts import LIGHT, START, WHOLE, Move, Offence, Position, squares
from domain.games.checkers.events import (
    ClaimFailed,
    Compel,
    Compelled,
    GameEnded,
    Huff,
    Huffed,
    Leave,
    Moved,
    OffenceLeft,
    Touch,
    Touched,
)
from domain.games.checkers.game import Table
from domain.games.checkers.pdn import read_fen, read_move, write_fen
from domain.wire import names, read_event, write_command, write_event
from tests.domain.playing import random_match
from tests.domain.story import Story, refuses_idle, refuses_table, table
from tests.golden.matches import Golden

QUICK = {"games": 1, "draw_no_progress": 30}
SEVERAL = {"games": 3, "draw_no_progress": 30}
NEEDS = {"draw_no_progress": {"capture_rule": "mandatory"}}
GOLDEN = Golden(
    seats=2,
    options={"games": 2, "draw_no_progress": 20},
    moment="a huff in one game, and a move taken back to play the jump it forgot",
    shows=lambda events: (
        any(isinstance(e, Huffed) for e in events)
        and any(isinstance(e, Compelled) and e.taken_back for e in events)
        and len(events) < 220
    ),
)


def whole(s: Table) -> Iterable[Any]:
    return range(1, 33)


def pieces(s: Table) -> Iterable[Any]:
    """Every square once: two pieces on one square, or a crown without a piece, would give one too many."""
    dark, light, kings = s.position.board
    rest = WHOLE & ~(dark | light)
    return [*squares(dark), *squares(light), *squares(rest), *squares(kings & ~(dark | light))]


# ── What the rule page says, for the common tests ────────────────────────────────────────────────────────────────

SEATS = ("CH-01", range(2, 3))
OPTIONS = {
    "games": ("CH-R16", 2, range(1, 21)),
    "capture_rule": ("CH-R15", "huff", ("huff", "mandatory")),
    "announce_offence": ("CH-R13", True, bool),
    "touch_move": ("CH-R7", False, bool),
    "draw_repetition": ("CH-R8", 3, range(11)),
    "draw_no_progress": ("CH-R8", 80, range(401)),
}
REFUSALS = {
    "CH-02": {"not_your_turn"},
    "CH-05": {"no_piece", "no_such_move", "occupied"},
    "CH-06": {"nothing_to_jump", "occupied"},
    "CH-07": {"backward"},
    "CH-11": {"crowned"},
    "CH-12": {"play_complete"},
    "CH-15": {"answered", "no_offence"},
    "CH-16": {"no_offence", "not_at_fault"},
    "CH-18": {"answered", "too_late"},
    "CH-19": {"must_jump", "not_at_fault", "piece_missing"},
    "CH-20": {"must_jump", "not_at_fault", "piece_missing"},
    "CH-21": {"must_jump", "not_at_this_table"},
    "CH-25": {"no_piece", "released", "touched"},
    "CH-R7": {"not_at_this_table"},
    "CH-R13": {"answered"},
    "CH-R16": {"match_over"},
}

Place = tuple[int, int]  # row and column, Dark's back row first


def place(square: int) -> Place:
    row, nth = divmod(square - 1, 4)
    return row, 2 * nth + (row + 1) % 2


SQUARE_AT = {place(square): square for square in range(1, 33)}


class Recount:
    """A match of Checkers played once more on a board of its own: a piece is `d`, `D`, `l` or `L`, kings large."""

    def __init__(self, options: Any) -> None:
        self.options, self.dark, self.half_points, self.games = options, 0, [0, 0], 0
        self.new_game()

    def new_game(self) -> None:
        self.board = {square: "d" if square <= 12 else "l" for square in range(1, 33) if square <= 12 or square > 20}
        self.before, self.turn, self.quiet, self.compelled = dict(self.board), self.dark, 0, False

    def own(self, seat: int) -> list[int]:
        colour = "d" if seat == self.dark else "l"
        return [square for square, piece in self.board.items() if piece.lower() == colour]

    def ways(self, square: int, far: int) -> list[tuple[int, int]]:
        """Where a piece can step (far = 1) or jump (far = 2), with the square it passes over."""
        piece, (row, column) = self.board[square], place(square)
        forward = {"d": (1,), "l": (-1,)}.get(piece, (1, -1))
        found = []
        for down in forward:
            for across in (1, -1):
                target = SQUARE_AT.get((row + far * down, column + far * across))
                over = SQUARE_AT.get((row + down, column + across))
                passed = self.board.get(over or 0, "")
                if target is None or target in self.board:
                    continue
                if far == 1 or (passed and passed.lower() != piece.lower()):
                    found.append((target, over or 0))
        return found

    def jumpers(self, seat: int) -> list[int]:
        return [square for square in self.own(seat) if self.ways(square, 2)]

    def can_move(self, seat: int) -> bool:
        return any(self.ways(square, far) for square in self.own(seat) for far in (1, 2))

    def hear(self, event: Any) -> None:
        match event:
            case Moved():
                self.move(event)
            case Huffed(seat, square, was_king):
                """CH-16, CH-17"""
                assert seat == self.turn and square in self.own(1 - seat)
                assert was_king == self.board.pop(square).isupper()
                self.quiet = 0
            case Compelled(seat, kind, _, jumps_from, taken_back):
                """CH-19, CH-20: the offender is on turn again."""
                assert seat == self.turn and taken_back == (kind == "ignored")
                if taken_back:
                    self.board, self.quiet = dict(self.before), self.quiet_before
                self.turn, self.compelled = 1 - seat, True
                assert jumps_from in self.jumpers(self.turn)
            case GameEnded():
                self.end(event)

    def move(self, moved: Moved) -> None:
        """CH-05 to CH-14: one piece, its captures in order, its crown, and what is wrong with the play."""
        assert moved.seat == self.turn and moved.from_ in self.own(self.turn)
        able = self.jumpers(self.turn)
        self.before, self.quiet_before = dict(self.board), self.quiet
        captured, here = [], moved.from_
        was_man = self.board[here].islower()
        for there in moved.path:
            far = abs(place(there)[0] - place(here)[0])
            over = dict(self.ways(here, far))[there]
            self.board[there] = self.board.pop(here)
            if far == 2:
                captured.append(over)
                del self.board[over]
            here = there
        assert list(moved.captured) == captured and (captured or len(moved.path) == 1)
        assert moved.pdn == ("x" if captured else "-").join(map(str, (moved.from_, *moved.path)))
        assert moved.crowned == (was_man and place(here)[0] == (7 if self.turn == self.dark else 0))
        goes_on = captured and not moved.crowned and self.ways(here, 2)
        if moved.crowned:
            self.board[here] = self.board[here].upper()
        fault = None
        if goes_on:
            fault = Offence("stopped", (here,))
        elif able and not captured:
            fault = Offence("ignored", tuple(sorted(here if square == moved.from_ else square for square in able)))
        if self.options.capture_rule == "mandatory" or self.compelled:
            assert fault is None
        assert moved.offence.value == fault
        self.quiet = 0 if captured or was_man else self.quiet + 1
        self.turn, self.compelled = 1 - self.turn, False

    def end(self, ended: GameEnded) -> None:
        """CH-03, CH-22 to CH-24, CH-R9, CH-R16: who has nothing left, or cannot move, has lost."""
        self.games += 1
        loser = next((seat for seat in (0, 1) if not self.own(seat)), None)
        if ended.reason == "blocked":
            assert loser is None and not self.can_move(self.turn)
            loser = self.turn
        assert (loser is None) == (ended.reason in {"repetition", "no_progress", "agreed"})
        if ended.reason == "no_progress":
            assert self.quiet >= self.options.draw_no_progress
        if loser is None:
            self.half_points = [points + 1 for points in self.half_points]
        else:
            self.half_points[1 - loser] += 2
        result = "1/2-1/2" if loser is None else "1-0" if loser == self.dark else "0-1"
        assert (ended.game_no, ended.result, ended.half_points) == (self.games, result, tuple(self.half_points))
        self.dark = 1 - self.dark
        self.new_game()


def recount(events: Iterable[Any], options: Any, seats: int) -> Outcome | None:
    book_keeper = Recount(options)
    for event in events:
        book_keeper.hear(event)
    if book_keeper.games < options.games:
        return None
    ours, theirs = book_keeper.half_points
    return Outcome((1 + (ours < theirs), 1 + (theirs < ours)), (ours, theirs), "points")


def m(pdn: str) -> Move:
    first, *path = read_move(pdn)
    return Move(first, tuple(path))


def moves(*texts: str) -> list[Move]:
    return [m(text) for text in texts]


def position(fen: str, quiet: int = 0, **options: Any) -> Story:
    board, side = read_fen(fen)
    return table(GAME, 2, **options).but(position=Position(board, side, 10, quiet, ((board, side),)))


def play(story: Story, *texts: str) -> Story:
    for text in texts:
        story = story.when(story.table.turn, m(text))
    return story


def fen(story: Story) -> str:
    return write_fen(story.table.position.board, story.table.position.to_move)


def offence(story: Story) -> Offence | None:
    kept: Secret[Offence | None] = story.last(Moved).offence
    return kept.value


def legal_moves(story: Story) -> set[Move]:
    return {command for command in GAME.legal(story.table, story.table.turn) if isinstance(command, Move)}


def opening(**options: Any) -> Story:
    """CH-E2: after 11-15 22-18 Dark has one jump, 15x22."""
    return play(table(GAME, 2, **options), "11-15", "22-18")


# ── Start and turns ─────────────────────────────────────────────────────────────────────────────────────────────


def test_dark_begins_with_seven_choices_CH_E1() -> None:
    """CH-01, CH-02, CH-R12, CH-E1, CH-X1"""
    story = table(GAME, 2)
    assert fen(story) == "B:W21,22,23,24,25,26,27,28,29,30,31,32:B1,2,3,4,5,6,7,8,9,10,11,12"
    story.allows(0, *moves("9-13", "9-14", "10-14", "10-15", "11-15", "11-16", "12-16")).allows(1)
    story.refuses(1, m("22-18"), "CH-02")
    then = story.when(0, m("11-15")).then(Moved(0, 11, (15,), (), False, "11-15", shown(None)))
    then.refuses(0, m("15-19"), "CH-02")
    assert GAME.to_act(then.table) == {1}


def test_a_move_reads_on_the_wire_as_on_paper() -> None:
    """CH-02: `from` for the command and for the event alike."""
    moved = table(GAME, 2).when(0, m("11-15")).events[0]
    assert write_command(m("11-15")) == {"type": "move", "from": 11, "path": (15,)}
    assert write_event(moved).public["from"] == 11
    assert read_event(names(GAME.events), write_event(moved)) == moved


def test_checkers_is_for_two() -> None:
    """CH-01"""
    refuses_table(GAME, 1, "CH-01")
    refuses_table(GAME, 3, "CH-01")


# ── Men ─────────────────────────────────────────────────────────────────────────────────────────────────────────


def test_a_man_steps_forward_to_an_empty_square() -> None:
    """CH-05, CH-07, CH-X2, CH-X3, CH-X4"""
    story = position("B:W23,32:B18,15")
    story.allows(0, *moves("18-22", "18x27", "15-19"))
    story.refuses(0, m("23-19"), "CH-05").refuses(0, m("14-17"), "CH-05").refuses(0, Move(99, (1,)), "CH-05")
    story.refuses(0, m("18-14"), "CH-07").refuses(0, m("15-18"), "CH-05")
    story.refuses(0, Move(18, ()), "CH-05").refuses(0, Move(18, (0,)), "CH-05").refuses(0, m("18-28"), "CH-05")
    story.refuses(0, Move(18, (22, 25)), "CH-05")


def test_a_man_jumps_an_enemy_with_an_empty_square_behind() -> None:
    """CH-06, CH-X5: not over nothing, not over an own piece, not onto another piece."""
    story = position("B:W22,23,26,32:B18,14,17")
    jumped = story.when(0, m("18x27"))
    jumped.then(Moved(0, 18, (27,), (23,), False, "18x27", shown(None)))
    assert fen(jumped) == "W:W22,26,32:B14,17,27"
    story.refuses(0, m("14x23"), "CH-06")
    story.refuses(0, m("17x26"), "CH-06")
    position("B:W32:B18,14").refuses(0, m("18x27"), "CH-06").refuses(0, m("14x23"), "CH-06")
    position("B:W22,25,32:B18").refuses(0, m("18x25"), "CH-06")


def test_men_do_not_jump_back_CH_E9() -> None:
    """CH-07, CH-10, CH-E9"""
    story = position("B:W14,32:B18").allows(0, *moves("18-22", "18-23"))
    story.refuses(0, m("18x9"), "CH-07")
    crowned = position("B:W14,32:BK18")
    assert m("18x9") in legal_moves(crowned)
    assert fen(crowned.when(0, m("18x9"))) == "W:W32:BK9"


def test_a_jump_goes_on_with_the_same_piece() -> None:
    """CH-08, CH-R14: each piece is taken off as it is jumped."""
    story = position("B:W6,15,32:B1").when(0, m("1x10x19"))
    story.then(Moved(0, 1, (10, 19), (6, 15), False, "1x10x19", shown(None)))
    assert fen(story) == "W:W32:B19"


def test_a_king_goes_round_and_never_takes_a_piece_twice() -> None:
    """CH-08, CH-10, CH-R14: four pieces taken, back to where it started."""
    story = position("B:W6,7,14,15,32:BK2", capture_rule="mandatory")
    assert legal_moves(story) == set(moves("2x9x18x11x2", "2x11x18x9x2"))
    round_trip = story.when(0, m("2x9x18x11x2"))
    assert round_trip.last(Moved).captured == (6, 14, 15, 7)
    assert fen(round_trip) == "W:W32:BK2"


def test_the_player_chooses_among_jumps_CH_E13() -> None:
    """CH-13, CH-R6, CH-E13"""
    story = position("B:W22,23,32:B18")
    for text in ("18x25", "18x27"):
        assert offence(story.when(0, m(text))) is None
    longer = position("B:W6,15,8,32:B1,3", capture_rule="mandatory")
    longer.allows(0, *moves("1x10x19", "3x12"))  # no duty to take the most


# ── Kings ───────────────────────────────────────────────────────────────────────────────────────────────────────


def test_a_man_on_the_far_row_is_crowned_at_once() -> None:
    """CH-09, CH-R11"""
    story = position("B:W1,2,12:B27").when(0, m("27-31"))
    story.then(Moved(0, 27, (31,), (), True, "27-31", shown(None)))
    assert fen(story) == "W:W1,2,12:BK31"
    light = position("W:W7:B27,32").when(1, m("7-2"))
    assert light.last(Moved).crowned and fen(light) == "B:WK2:B27,32"
    assert not position("B:W1:BK27").when(0, m("27-31")).last(Moved).crowned


def test_a_king_moves_one_square_in_all_directions() -> None:
    """CH-10: kings do not fly."""
    position("B:W32:BK18").allows(0, *moves("18-14", "18-15", "18-22", "18-23"))
    position("B:W32:BK18").refuses(0, m("18-11"), "CH-06").refuses(0, m("18-9"), "CH-06")


def test_crowning_ends_the_play_CH_E8() -> None:
    """CH-11, CH-R1, CH-E8, CH-X7"""
    story = position("B:W26,27,1:B22")
    story.refuses(0, m("22x31x24"), "CH-11")
    crowned = story.when(0, m("22x31"))
    crowned.then(Moved(0, 22, (31,), (26,), True, "22x31", shown(None)))  # and no offence
    assert m("22x31x24") in legal_moves(position("B:W26,27,1:BK22"))
    position("B:W26,27,1:B22", capture_rule="mandatory").allows(0, m("22x31"))


@pytest.mark.parametrize(
    ("fen_text", "routes", "taken"),
    [
        ("W:WK32:B27,18,10", {"32x23x14x7"}, 3),
        ("W:WK3:B7,15,23,24", {"3x10x19x26", "3x10x19x28"}, 3),
    ],
)
def test_kings_on_long_routes_CH_E12(fen_text: str, routes: set[str], taken: int) -> None:
    """CH-10, CH-13, CH-E12"""
    story = position(fen_text, capture_rule="mandatory")
    assert legal_moves(story) == set(moves(*routes))
    for route in routes:
        assert len(story.when(1, m(route)).last(Moved).captured) == taken


# ── Offences ────────────────────────────────────────────────────────────────────────────────────────────────────


def test_under_the_huff_every_play_is_accepted_and_seven_of_eight_are_offences_CH_E2() -> None:
    """CH-14, CH-R2, CH-R15, CH-E2"""
    story = opening()
    every = moves("7-11", "8-11", "9-13", "9-14", "10-14", "12-16", "15-19", "15x22")
    story.allows(0, *every)
    faulty = [move for move in every if offence(story.when(0, move))]
    assert faulty == every[:-1]


def test_under_mandatory_only_complete_jumps_are_legal_CH_E2() -> None:
    """CH-21, CH-E2, CH-X6"""
    opening(capture_rule="mandatory").allows(0, m("15x22")).refuses(0, m("9-13"), "CH-21")
    story = position("B:W6,15,32:B1", capture_rule="mandatory").allows(0, m("1x10x19"))
    story.refuses(0, m("1x10"), "CH-21").refuses(0, m("1-5"), "CH-21")
    after = play(opening(capture_rule="mandatory"), "15x22")
    for command in (Huff(22), Compel(22), Leave()):
        after.refuses(1, command, "CH-21")


def test_a_full_jump_by_one_of_several_pieces_is_no_offence() -> None:
    """CH-R3"""
    assert offence(position("B:W14,15,32:B1,9,11").when(0, m("9x18"))) is None


def ignored(**options: Any) -> Story:
    """CH-E3: Dark ignores 15x22 and plays 12-16."""
    return play(opening(**options), "12-16")


def test_an_ignored_jump_can_be_huffed_and_the_huff_is_no_move_CH_E3() -> None:
    """CH-15, CH-16, CH-17, CH-E3"""
    story = ignored()
    story.then(Moved(0, 12, (16,), (), False, "12-16", shown(Offence("ignored", (15,)))))
    assert GAME.view(story.table, 0)["pending_offence"] == {"kind": "ignored", "squares": (15,)}
    huffed = story.when(1, Huff(15)).then(Huffed(1, 15, False))
    assert len(squares(huffed.table.position.board.dark)) == 11
    assert huffed.table.turn == 1
    huffed.allows(1, *moves("18-14", "18-15", "21-17", "23-19", "24-19", "24-20", "25-22", "26-22"))


def test_one_answer_to_one_offence() -> None:
    """CH-15, CH-18, CH-X8, CH-X9, CH-X10, CH-X11"""
    story = ignored().refuses(1, Huff(16), "CH-16").refuses(1, Huff(18), "CH-16").refuses(1, Huff(40), "CH-16")
    story.refuses(1, Compel(16), "CH-20").refuses(0, Huff(18), "CH-18")
    huffed = story.when(1, Huff(15))
    huffed.refuses(1, Huff(16), "CH-15").refuses(1, Compel(16), "CH-15").refuses(1, Leave(), "CH-15")
    moved = play(story, "18x11").refuses(1, Huff(16), "CH-18").refuses(1, Compel(16), "CH-18")
    assert not [c for c in GAME.legal(moved.table, 0) if not isinstance(c, Move)]  # 18x11 was faultless
    for command, rule in ((Huff(9), "CH-16"), (Compel(9), "CH-15"), (Leave(), "CH-15")):
        play(table(GAME, 2), "9-13").refuses(1, command, rule)


def test_an_offence_is_left_by_moving_CH_E4() -> None:
    """CH-18, CH-R5, CH-E4"""
    moved = play(ignored(), "18x11")
    assert moved.last(Moved).captured == (15,)
    assert {move for move in legal_moves(moved) if move.path[0] - move.from_ > 5} == {m("8x15")}
    moved.refuses(1, Huff(16), "CH-18")


def test_an_offence_may_be_left_in_so_many_words() -> None:
    """CH-18, CH-R5"""
    story = ignored().when(1, Leave()).then(OffenceLeft(1))
    assert story.table.turn == 1 and GAME.view(story.table, None)["pending_offence"] is None
    story.refuses(1, Huff(15), "CH-18").refuses(1, Compel(15), "CH-18").refuses(1, Leave(), "CH-18")
    assert m("18x11") in legal_moves(story)


def test_a_compelled_player_takes_back_and_jumps_CH_E5() -> None:
    """CH-20, CH-R4, CH-E5, CH-X12"""
    story = ignored().when(1, Compel(15)).then(Compelled(1, "ignored", 15, 15, True))
    assert fen(story) == fen(opening())
    assert GAME.view(story.table, 1)["phase"] == "compelled" and GAME.to_act(story.table) == {0}
    story.allows(0, m("15x22"))
    story.refuses(0, m("12-16"), "CH-20").refuses(0, m("9-13"), "CH-20").refuses(1, m("18x11"), "CH-20")
    story.refuses(1, Huff(15), "CH-15").refuses(0, Touch(15), "CH-R7")
    jumped = story.when(0, m("15x22")).then(Moved(0, 15, (22,), (18,), False, "15x22", shown(None)))
    assert {move for move in legal_moves(jumped) if move.from_ in (25, 26)} >= set(moves("25x18", "26x17"))
    jumped.refuses(1, Huff(22), "CH-16")


def test_a_compelled_piece_need_not_be_named_if_it_is_the_only_one() -> None:
    """CH-20: both ways of saying it are legal."""
    ignored().when(1, Compel()).then(Compelled(1, "ignored", 15, 15, True))
    legal = GAME.legal(ignored().table, 1)
    assert Compel() in legal and Compel(15) in legal
    two = position("B:W14,15,32:B1,9,11").when(0, m("1-5"))
    two.refuses(1, Compel(), "CH-20")


def test_the_piece_at_fault_may_have_moved_CH_E6() -> None:
    """CH-16, CH-20, CH-E6: it is named where it stands, and jumps from where it stood."""
    story = play(opening(), "15-19")
    assert offence(story) == Offence("ignored", (19,))
    assert fen(story.when(1, Huff(19))) == fen(story).replace(",19", "")
    story.refuses(1, Huff(15), "CH-16")
    compelled = story.when(1, Compel(19)).then(Compelled(1, "ignored", 19, 15, True))
    compelled.allows(0, m("15x22"))


def stopped(**options: Any) -> Story:
    """CH-E7: Dark stops the jump 1x10x19 on 10."""
    return position("B:W6,15,32:B1", **options).when(0, m("1x10"))


def test_a_jump_may_be_stopped_and_its_piece_huffed_CH_E7() -> None:
    """CH-14, CH-16, CH-23, CH-R9, CH-E7: the last piece huffed loses at once."""
    story = stopped()
    assert offence(story) == Offence("stopped", (10,))
    huffed = story.when(1, Huff(10))
    huffed.then(Huffed(1, 10, False), GameEnded(1, "1-0", "huffed_last", (0, 2)))


def test_a_stopped_jump_can_be_compelled_to_its_end_CH_E7() -> None:
    """CH-19, CH-R10, CH-E7, CH-X12, CH-X13"""
    story = stopped().refuses(0, m("10x19"), "CH-12").refuses(1, Compel(32), "CH-19")
    compelled = story.when(1, Compel(10)).then(Compelled(1, "stopped", 10, 10, False))
    compelled.allows(0, m("10x19")).refuses(0, m("10-14"), "CH-19").refuses(1, m("15-11"), "CH-19")
    done = compelled.when(0, m("10x19")).then(Moved(0, 10, (19,), (15,), False, "10x19", shown(None)))
    assert fen(done) == "W:W32:B19" and done.table.position.plies == 11
    done.refuses(1, Huff(19), "CH-16")


def test_a_compelled_jump_must_be_finished() -> None:
    """CH-19, CH-20, CH-R10, CH-X12: complete jumps only, by a route of the offender's choice."""
    story = position("W:WK3,32:B7,15,23,24").when(1, m("3x10"))
    compelled = story.when(0, Compel(10))
    compelled.allows(1, *moves("10x19x26", "10x19x28")).refuses(1, m("10x19"), "CH-19")
    stepped = position("W:WK3,32:B7,15,23,24").when(1, m("32-28")).when(0, Compel(3))
    stepped.allows(1, *moves("3x10x19x26", "3x10x19x28")).refuses(1, m("3x10"), "CH-20")


def test_one_piece_is_huffed_of_several_at_fault_CH_E10() -> None:
    """CH-16, CH-R3, CH-E10"""
    story = position("B:W14,15,32:B1,9,11").when(0, m("1-5"))
    assert offence(story) == Offence("ignored", (9, 11))
    for square in (9, 11):
        huffed = story.when(1, Huff(square))
        huffed.refuses(1, Huff(20 - square), "CH-15")


def test_an_offender_cannot_add_the_jump_he_forgot() -> None:
    """CH-12, CH-X13"""
    ignored().refuses(0, m("15x22"), "CH-12")


def test_an_offence_is_judged_after_the_huff() -> None:
    """CH-14: with 15 huffed Light has no jump, so 25-22 is faultless; without the huff it ignores 18x11."""
    assert offence(ignored().when(1, m("25-22"))) == Offence("ignored", (18,))
    assert offence(ignored().when(1, Huff(15)).when(1, m("25-22"))) is None


def test_only_the_move_is_taken_back() -> None:
    """CH-20: a huff made before it stands, and an offence left by it stays left."""
    story = position("B:W6,27,32:B1,18").when(0, m("18-23")).when(1, Huff(1)).when(1, m("6-2"))
    assert offence(story) == Offence("ignored", (27,))
    back = story.when(0, Compel(27))
    assert fen(back) == "W:W6,27,32:B23"
    back.allows(1, m("27x18"))
    leaving = ignored().when(1, m("25-22")).when(0, Compel(18))
    assert fen(leaving) == fen(ignored())
    leaving.allows(1, m("18x11")).refuses(1, Huff(15), "CH-15")


# ── Block, capture of all, draws ────────────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize(
    ("fen_text", "move"),
    [("W:W16,23:B12", "23-19"), ("W:W9,18:B5", "18-14")],
)
def test_who_cannot_move_loses_CH_E11(fen_text: str, move: str) -> None:
    """CH-04, CH-22, CH-E11"""
    story = position(fen_text).when(1, m(move))
    assert story.last(GameEnded) == GameEnded(1, "1-0", "blocked", (0, 2))


def test_a_side_without_pieces_has_lost() -> None:
    """CH-04, CH-23"""
    story = position("B:W15:B11").when(0, m("11x18"))
    assert story.last(GameEnded) == GameEnded(1, "0-1", "captured_all", (2, 0))


def blocked_by_an_offence(**options: Any) -> Story:
    """CH-E14: Dark ignores 3x12 and 4x11 and plays 16-19; Light, on 8, has no move."""
    return position("B:W8:B3,4,16", **options).when(0, m("16-19"))


def test_a_blocked_seat_may_still_answer_an_offence_CH_E14() -> None:
    """CH-22, CH-E14"""
    story = blocked_by_an_offence()
    assert offence(story) == Offence("ignored", (3, 4)) and len(story.events) == 1
    story.allows(1, Huff(3), Huff(4), Compel(3), Compel(4), Leave())
    story.when(1, Huff(3)).allows(1, m("8-3"))
    assert story.when(1, Compel(3)).when(0, m("3x12")).last(GameEnded) == GameEnded(1, "0-1", "captured_all", (2, 0))
    story.when(1, Leave()).then(OffenceLeft(1), GameEnded(1, "0-1", "blocked", (2, 0)))


def test_a_huff_that_brings_no_move_loses() -> None:
    """CH-22, CH-R9: 8-11 ignores 20x11 and shuts Light in; huffing the king on 20 does not open a square."""
    story = position("B:W16:B7,8,12,19,K20").when(0, m("8-11"))
    assert offence(story) == Offence("ignored", (20,))
    story.when(1, Huff(20)).then(Huffed(1, 20, True), GameEnded(1, "0-1", "blocked", (2, 0)))


def test_a_position_that_comes_a_third_time_draws() -> None:
    """CH-24, CH-R8"""
    shuffle = ("1-6", "32-27", "6-1", "27-32")
    story = play(position("B:WK32:BK1"), *shuffle, *shuffle[:3])
    assert story.table.results == ()
    story.when(1, m("27-32")).then(
        Moved(1, 27, (32,), (), False, "27-32", shown(None)), GameEnded(1, "1/2-1/2", "repetition", (1, 1))
    )
    twice = play(position("B:WK32:BK1", draw_repetition=2), *shuffle)
    assert twice.last(GameEnded).reason == "repetition"
    never = play(position("B:WK32:BK1", draw_repetition=0), *shuffle * 5)
    assert never.table.results == ()


ROUND = ("27-32", "28-24", "32-27", "24-28")  # the last ply ignores 24x31


def test_only_positions_without_a_pending_offence_count_as_occurrences() -> None:
    """CH-R8: with a pending offence the same position comes a third time, and only the one after it draws."""
    faulty = position("W:WK32:BK27,K1").when(1, m("32-28"))
    third = play(faulty, *ROUND, *ROUND)
    assert fen(third) == fen(faulty) and offence(third) == Offence("ignored", (28,))
    assert third.table.results == ()
    assert third.when(0, m("27-32")).last(GameEnded).reason == "repetition"


def test_a_position_counts_when_its_offence_has_been_left() -> None:
    """CH-R8, CH-18"""
    story = position("W:WK32:BK27,K1").when(1, m("32-28")).when(0, Leave())
    story = play(story, *ROUND).when(0, Leave()).then(OffenceLeft(0))
    story = play(story, *ROUND).when(0, Leave())
    story.then(OffenceLeft(0), GameEnded(1, "1/2-1/2", "repetition", (1, 1)))


def test_plies_without_progress_draw() -> None:
    """CH-24, CH-R8: only kings moved, nothing was taken."""
    story = position("B:WK32,30:BK1", quiet=78)
    assert play(story, "1-6", "32-28").last(GameEnded) == GameEnded(1, "1/2-1/2", "no_progress", (1, 1))
    assert play(story, "1-6", "30-26").table.position.quiet == 0
    short = play(position("B:WK32,30:BK1", draw_no_progress=2), "1-6", "32-28")
    assert short.last(GameEnded).reason == "no_progress"
    endless = position("B:WK32,30:BK1", quiet=500, draw_no_progress=0).when(0, m("1-6"))
    assert endless.table.results == ()


def faulty_last_ply() -> Story:
    """The 80th quiet ply is an offence: K25-22 ignores 1x10."""
    story = position("B:W6,K32:BK1,K25", quiet=79).when(0, m("25-22"))
    assert offence(story) == Offence("ignored", (1,)) and story.table.results == ()
    return story


def test_a_draw_that_falls_due_with_an_offence_waits_one_ply() -> None:
    """CH-R8"""
    story = faulty_last_ply()
    for answer in ("32-27", "6-2"):  # a king's move or a man's
        assert story.when(1, m(answer)).last(GameEnded).reason == "no_progress"
    assert story.when(1, Leave()).when(1, m("32-27")).last(GameEnded).reason == "no_progress"
    huffed = story.when(1, Huff(1)).when(1, m("32-27"))
    assert huffed.table.results == () and huffed.table.position.quiet == 1
    compelled = story.when(1, Compel(1)).when(0, m("1x10"))
    assert compelled.table.results == () and compelled.table.position.quiet == 0
    again = position("B:W6,K32:BK1,K25,K27", quiet=79).when(0, m("25-22")).when(1, m("32-28"))
    assert offence(again) is not None and again.last(GameEnded).reason == "no_progress"  # faulty or not
    taken = position("B:W6,K32:BK1,K25,K27", quiet=79).when(0, m("25-22")).when(1, m("32x23"))
    assert taken.table.results == ()


def test_a_play_taken_back_counts_neither_as_ply_nor_as_occurrence() -> None:
    """CH-R8"""
    story = position("B:W6,K32:BK1,K25", quiet=5)
    back = story.when(0, m("25-22")).when(1, Compel(1))
    assert back.table.position == story.table.position


def test_the_two_automatic_draws_cannot_both_be_off() -> None:
    """CH-R8"""
    refuses_table(GAME, 2, "CH-R8", draw_repetition=0, draw_no_progress=0)
    refuses_table(GAME, 2, "CH-R8", draw_repetition=1)


# ── Touch ───────────────────────────────────────────────────────────────────────────────────────────────────────


def test_a_touched_piece_must_be_moved() -> None:
    """CH-25, CH-R7, CH-X14"""
    story = table(GAME, 2, touch_move=True)
    assert {c.square for c in GAME.legal(story.table, 0) if isinstance(c, Touch)} == set(range(1, 13))
    touched = story.when(0, Touch(11)).then(Touched(0, 11, False))
    touched.allows(0, *moves("11-15", "11-16")).refuses(0, m("9-13"), "CH-25").refuses(0, Touch(9), "CH-25")
    assert GAME.view(touched.table, 1)["touched"] == 11
    assert touched.when(0, m("11-15")).table.bound is None
    story.refuses(0, Touch(15), "CH-25").refuses(1, Touch(22), "CH-02")
    table(GAME, 2).refuses(0, Touch(11), "CH-R7")


def test_a_touched_piece_without_a_move_is_released() -> None:
    """CH-25"""
    story = table(GAME, 2, touch_move=True).when(0, Touch(1)).then(Touched(0, 1, True))
    story.refuses(0, Touch(1), "CH-25")
    assert m("9-13") in legal_moves(story)
    assert story.when(0, Touch(9)).last(Touched).released is False
    must = opening(touch_move=True, capture_rule="mandatory").when(0, Touch(9))
    must.then(Touched(0, 9, True)).refuses(0, m("9-13"), "CH-21")


def test_a_touch_leaves_an_offence() -> None:
    """CH-18, CH-R7"""
    story = ignored(touch_move=True).when(1, Touch(25))
    story.refuses(1, Huff(15), "CH-18").refuses(1, Compel(15), "CH-18")
    blocked = blocked_by_an_offence(touch_move=True).when(1, Touch(8))
    blocked.then(Touched(1, 8, True), GameEnded(1, "0-1", "blocked", (2, 0)))
    play(table(GAME, 2, touch_move=True), "9-13").when(1, Touch(22)).refuses(1, Huff(13), "CH-16")
    compelled = ignored(touch_move=True).when(1, Compel(15))
    compelled.refuses(0, Touch(15), "CH-20")


# ── Offences that nobody points out ─────────────────────────────────────────────────────────────────────────────


def test_offences_are_not_pointed_out_if_the_table_wants_it_so() -> None:
    """CH-R13: a faulty play looks like any other, and every enemy piece may be claimed after it."""
    story = ignored(announce_offence=False)
    story.then(Moved(0, 12, (16,), (), False, "12-16", hidden(Offence("ignored", (15,)))))
    faultless = play(opening(announce_offence=False), "15x22")
    assert faultless.last(Moved).offence == hidden(None)
    for one in (story, faultless):
        assert GAME.view(one.table, 1)["pending_offence"] is None
        enemy = squares(one.table.position.board.dark)
        claims = [c for c in GAME.legal(one.table, 1) if not isinstance(c, Move)]
        assert claims == [*map(Huff, enemy), *map(Compel, enemy), Leave()]
        one.refuses(1, Huff(25), "CH-16").refuses(1, Compel(25), "CH-20").refuses(1, Compel(), "CH-20")
    first = table(GAME, 2, announce_offence=False)
    first.refuses(0, Huff(22), "CH-16")  # before the first play there is nothing to claim


def test_a_right_claim_is_as_good_as_ever() -> None:
    """CH-R13, CH-16, CH-20"""
    story = ignored(announce_offence=False)
    story.when(1, Huff(15)).then(Huffed(1, 15, False)).refuses(1, Huff(16), "CH-15")
    story.when(1, Compel(15)).then(Compelled(1, "ignored", 15, 15, True)).when(0, m("15x22")).refuses(
        1, Huff(22), "CH-16"
    )


def test_one_wrong_claim_ends_the_right_for_the_turn() -> None:
    """CH-R13"""
    story = ignored(announce_offence=False)
    failed = story.when(1, Huff(16)).then(ClaimFailed(1, "huff", 16))
    failed.refuses(1, Huff(15), "CH-R13").refuses(1, Compel(15), "CH-R13").refuses(1, Leave(), "CH-R13")
    assert failed.table.turn == 1
    story.when(1, Compel(9)).then(ClaimFailed(1, "compel", 9))
    after = play(failed, "23-19", "8-11")  # ignores 15x22 and 16x23: a new play, a new right
    after.when(1, Huff(15)).then(Huffed(1, 15, False))


def test_a_blocked_seat_is_told_of_the_offence() -> None:
    """CH-R13"""
    story = blocked_by_an_offence(announce_offence=False)
    assert story.last(Moved).offence == shown(Offence("ignored", (3, 4)))
    story.allows(1, Huff(3), Huff(4), Compel(3), Compel(4), Leave())


# ── The match ───────────────────────────────────────────────────────────────────────────────────────────────────


def test_colours_change_and_points_are_counted_over_the_match() -> None:
    """CH-03, CH-R16"""
    first = position("B:W15:B11").when(0, m("11x18"))
    assert first.table.dark == 1 and first.table.turn == 1 and first.table.position.board == START
    assert GAME.view(first.table, 0)["totals"] == [1.0, 0.0] and GAME.outcome(first.table) is None
    board, side = read_fen("B:W15:B11")
    second = first.but(position=Position(board, side, 10, 0, ())).when(1, m("11x18"))
    assert second.last(GameEnded) == GameEnded(2, "0-1", "captured_all", (2, 2))
    result = GAME.outcome(second.table)
    assert result is not None and result.places == (1, 1) and result.scores == (2, 2)
    second.refuses(0, m("11-15"), "CH-R16").refuses(1, Huff(3), "CH-R16")
    alone = GAME.outcome(position("B:W15:B11", games=1).when(0, m("11x18")).table)
    assert alone is not None and alone.winners == (0,)


def people() -> match.Match:
    seed = bytes(32)
    seats = tuple(match.Place("human", f"p{n}", None, "") for n in (0, 1))
    now = match.open_match(GAME, "m", host="p0", seats=seats, options={}, seed=seed).match
    return match.start(now, "p0", seed).match


def test_an_agreed_draw_ends_the_current_game_CH_X15() -> None:
    """CH-24, CH-R8, CH-X15: colours change, the match goes on, and a draw can be offered anew."""
    seed = bytes(32)
    now = people()
    with pytest.raises(Refused) as refusal:
        match.answer_draw(now, 1, True, seed)
    assert refusal.value.rule == "CH-24"
    offered = match.offer_draw(match.play(now, 0, m("11-15"), seed).match, 1, seed)
    agreed = match.answer_draw(offered.match, 0, True, seed)
    assert agreed.happened[-1].event == GameEnded(1, "1/2-1/2", "agreed", (1, 1))
    assert agreed.match.table.dark == 1 and agreed.match.status == "playing"
    assert match.fold(offered.match, agreed.happened) == agreed.match  # also for those who only read the log
    second = match.answer_draw(match.offer_draw(agreed.match, 0, seed).match, 1, True, seed)
    assert second.match.ended is not None and second.match.ended.scores == (2, 2)


def test_resignation_and_conduct_are_not_matters_of_this_game() -> None:
    """CH-26"""
    assert {cls.__name__ for cls in GAME.commands} == {"Move", "Huff", "Compel", "Leave", "Touch"}
    resigned = match.resign(people(), 0, bytes(32)).match
    assert resigned.ended is not None and resigned.ended.places == (2, 1)


@pytest.mark.parametrize(
    "options", [{}, {"capture_rule": "mandatory"}, {"announce_offence": False}, {"touch_move": True}]
)
def test_no_piece_gets_lost_in_random_games(options: dict[str, Any]) -> None:
    """CH-01, CH-06, CH-16: what stands on the board, what was taken and what was huffed make 24."""
    for number in range(3):
        gone = 0
        for moment in random_match(GAME, 2, {"games": 1, **options}, random.Random(number)):
            for event in moment.events:
                gone += len(event.captured) if isinstance(event, Moved) else isinstance(event, Huffed)
            board = moment.after.position.board
            assert len(squares(board.dark)) + len(squares(board.light)) + gone == 24
            assert not board.dark & board.light and not board.kings & ~(board.dark | board.light)
            if isinstance(moment.command, Move) and options.get("capture_rule") == "mandatory":
                assert moment.events[0].offence == shown(None)


def test_light_moves_towards_lower_numbers() -> None:
    """CH-05, CH-07"""
    story = position("W:W18:B1,2").allows(1, *moves("18-14", "18-15")).refuses(1, m("18-22"), "CH-07")
    assert story.table.position.to_move == LIGHT


def test_under_the_huff_the_draw_for_want_of_progress_stays_on() -> None:
    """CH-R8: players who only commit offences never repeat a position. Matches that were opened so can be folded."""
    refuses_table(GAME, 2, "CH-R8", draw_no_progress=0)
    refuses_table(GAME, 2, "CH-R8", draw_no_progress=0, capture_rule="huff", draw_repetition=2)
    GAME.new_table({"draw_no_progress": 0, "capture_rule": "mandatory"}, 2)
    assert GAME.open_table({"draw_no_progress": 0}, 2).options.draw_no_progress == 0


def test_players_who_only_commit_offences_are_drawn_by_want_of_progress() -> None:
    """CH-R8: the kings on 15 and 18 could take each other and never do, so that no position counts as repeated."""
    rounds = ("1-5", "32-28", "5-1", "28-32") * 6
    endless = play(position("B:WK18,K32:BK15,K1", draw_no_progress=0), *rounds)
    assert endless.table.results == ()
    drawn = play(position("B:WK18,K32:BK15,K1", draw_no_progress=8), *rounds[:9])
    assert drawn.last(GameEnded).reason == "no_progress"


def test_offences_are_not_announced_where_there_are_none() -> None:
    """CH-R13, CH-21"""
    for value in (True, False):
        refuses_idle(GAME, 2, "announce_offence", value, capture_rule="mandatory")


# ── In later games of a match, and where offences are not announced ─────────────────────────────────────────────


def test_without_announcements_every_enemy_piece_may_be_claimed_in_every_game_of_the_match() -> None:
    """CH-R13: what the list allows does not tell whether there is an offence, nor by which piece."""
    offered = 0
    options = {"games": 3, "draw_no_progress": 30, "announce_offence": False}
    for moment in random_match(GAME, 2, options, random.Random(13)):
        s, last = moment.after, moment.events[-1]
        if not isinstance(last, Moved) or isinstance(moment.before.compelled, int):
            continue
        enemies = set(squares(s.position.board[1 - s.position.to_move]))
        claims = GAME.legal(s, s.turn)
        if last.offence.to is None:  # a seat that cannot move is told
            continue
        offered += 1
        assert {c.square for c in claims if isinstance(c, Huff)} == enemies
        assert {c.piece for c in claims if isinstance(c, Compel)} == enemies | ({None} if len(enemies) == 1 else set())
        assert Leave() in claims
    assert offered > 50


def test_without_announcements_a_refusal_does_not_tell_what_the_offence_was() -> None:
    """CH-R13, CH-19, CH-20: an unnamed piece is refused by one rule, be a jump stopped, ignored or neither."""
    stopped = play(position("B:W6,14,22,29:B1,5", announce_offence=False), "1x10")
    assert offence(stopped) == Offence("stopped", (10,))
    ignoring, faultless = ignored(announce_offence=False), play(table(GAME, 2, announce_offence=False), "11-15")
    for story in (stopped, ignoring, faultless):
        story.refuses(1, Compel(), "CH-20").refuses(1, Compel(32), "CH-20")


def test_touching_a_piece_after_a_wrong_claim_does_not_bring_the_right_back() -> None:
    """CH-R13, CH-25"""
    failed = ignored(announce_offence=False, touch_move=True).when(1, Huff(16))
    touched = failed.when(1, Touch(23))
    assert GAME.view(failed.table, 1)["answered"] == GAME.view(touched.table, 1)["answered"] == "failed"
    touched.refuses(1, Huff(15), "CH-R13")


@pytest.mark.parametrize("results", [(), ("0-1",)])
def test_draws_come_about_in_every_game_of_the_match_alike(results: tuple[str, ...]) -> None:
    """CH-24, CH-R8"""
    there = {"results": results, "half_points": (2, 0) if results else (0, 0)}
    halves = (3, 1) if results else (1, 1)
    king_walk = ["1-6", "32-27", "6-1", "27-32"]
    never = play(position("B:WK32:BK1", draw_repetition=0).but(**there), *king_walk * 3)
    assert len(never.table.results) == len(results)
    twice = play(position("B:WK32:BK1", draw_repetition=2).but(**there), *king_walk)
    twice_ended = twice.last(GameEnded)
    assert twice_ended == GameEnded(len(results) + 1, "1/2-1/2", "repetition", halves)
    assert GAME.draw_agreed is not None
    agreed = GAME.draw_agreed(table(GAME, 2).but(**there).table)
    assert list(agreed) == [GameEnded(len(results) + 1, "1/2-1/2", "agreed", halves)]


def test_a_square_that_is_not_on_the_board_holds_no_piece() -> None:
    """CH-05: square 1 is not mistaken for it, although Dark has a man there."""
    for square in (0, 33, 99):
        table(GAME, 2).refuses(0, Move(square, (1,)), "CH-05").refuses(0, Touch(square), "CH-R7")
        table(GAME, 2, touch_move=True).refuses(0, Touch(square), "CH-25")
