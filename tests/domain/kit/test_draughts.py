"""The bit sets of draughts, against known counts and against a slow generator that walks rows and columns."""

from __future__ import annotations

import random

import pytest

from domain.games.checkers.draughts import (
    BIT,
    DARK,
    LIGHT,
    START,
    Board,
    Side,
    Square,
    after,
    can_move,
    complete_plays,
    jumpers,
    jumps,
    perft,
    squares,
    steps,
)


@pytest.mark.parametrize(("depth", "lines"), list(enumerate((7, 49, 302, 1469, 7361, 36768), start=1)))
def test_the_number_of_lines_from_the_start(depth: int, lines: int) -> None:
    """CH-R12, CH-21: the published counts of English draughts."""
    assert perft(START, DARK, depth) == lines


# ── A slow generator ────────────────────────────────────────────────────────────────────────────────────────────

Place = tuple[int, int]


def place(square: Square) -> Place:
    row = (square - 1) // 4
    return row, 2 * ((square - 1) % 4) + (row % 2 == 0)


AT = {place(square): square for square in range(1, 33)}


def directions(side: Side, king: bool) -> list[Place]:
    forward = 1 if side == DARK else -1
    rows = (forward, -forward) if king else (forward,)
    return [(row, col) for row in rows for col in (-1, 1)]


def slow_steps(board: Board, side: Side) -> set[tuple[Square, ...]]:
    found: set[tuple[Square, ...]] = set()
    taken = {*squares(board.dark), *squares(board.light)}
    for square in squares(board[side]):
        row, col = place(square)
        for down, right in directions(side, bool(BIT[square] & board.kings)):
            there = AT.get((row + down, col + right))
            if there is not None and there not in taken:
                found.add((square, there))
    return found


Way = tuple[tuple[Square, ...], frozenset[Square]]  # the squares of a jump, and the enemies that are left


def slow_jumps(board: Board, side: Side) -> set[tuple[Square, ...]]:
    found: set[tuple[Square, ...]] = set()
    for square in squares(board[side]):
        king = bool(BIT[square] & board.kings)
        free = set(range(1, 33)) - {*squares(board.dark), *squares(board.light)} | {square}
        start: Way = ((square,), frozenset(squares(board[1 - side])))
        ways = [start]
        while ways:
            route, enemies = ways.pop()
            row, col = place(route[-1])
            longer: list[Way] = []
            for down, right in directions(side, king):
                over, there = AT.get((row + down, col + right)), AT.get((row + 2 * down, col + 2 * right))
                if over in enemies and there is not None and there in free:
                    longer.append(((*route, there), enemies - {over}))
            if not longer and len(route) > 1:
                found.add(route)
            ways += longer
    return found


def scattered(rng: random.Random) -> Board:
    """Some pieces anywhere, men not on their king row."""
    places = rng.sample(range(1, 33), rng.randint(2, 20))
    dark = light = kings = 0
    for square in places:
        side = rng.choice((DARK, LIGHT))
        if side == DARK:
            dark |= BIT[square]
        else:
            light |= BIT[square]
        if rng.random() < 0.3 or square in ((29, 30, 31, 32) if side == DARK else (1, 2, 3, 4)):
            kings |= BIT[square]
    return Board(dark, light, kings)


def test_both_generators_agree_on_scattered_boards() -> None:
    """CH-05, CH-06, CH-07, CH-08, CH-10, CH-R14"""
    rng = random.Random("scattered")
    for _ in range(600):
        board, side = scattered(rng), rng.choice((DARK, LIGHT))
        assert {play.squares for play in steps(board, side)} == slow_steps(board, side)
        able = jumpers(board, side)
        assert {play.squares for play in jumps(board, side, able)} == slow_jumps(board, side)
        assert set(squares(able)) == {route[0] for route in slow_jumps(board, side)}
        assert can_move(board, side) == bool(slow_steps(board, side) or slow_jumps(board, side))


def test_a_play_moves_one_piece_and_takes_what_it_jumped() -> None:
    """CH-06, CH-09"""
    rng = random.Random("after")
    for _ in range(300):
        board, side = scattered(rng), rng.choice((DARK, LIGHT))
        for play in complete_plays(board, side):
            then = after(board, side, play)
            own, enemy = set(squares(board[side])), set(squares(board[1 - side]))
            assert set(squares(then[side])) == own - {play.squares[0]} | {play.squares[-1]}
            assert set(squares(then[1 - side])) == enemy - set(play.captured)
            far = play.squares[-1] in ((29, 30, 31, 32) if side == DARK else (1, 2, 3, 4))
            assert bool(then.kings & play.end) == (far or bool(board.kings & play.start))
