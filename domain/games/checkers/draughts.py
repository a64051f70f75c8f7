"""The board of English draughts as three bit sets, and every play that is open on it.

Squares are numbered 1 to 32 as in draughts literature: Dark starts on 1-12 and moves towards higher numbers. In a bit
set a spare bit stands after every eight squares, so that a step down the board is a shift by 4 (to the left, as Light
sees it) or by 5 (to the right) from every square, and what would leave the board falls on a spare bit.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from functools import lru_cache
from itertools import pairwise
from typing import Final, Literal, NamedTuple

from domain.game import Refused, record

Square = int
Bits = int  # a set of squares
Side = int  # DARK or LIGHT
DARK: Final = 0
LIGHT: Final = 1


@record
class Move:
    """Move a piece to a square, or jump with it along a path of landings."""

    from_: Square
    path: tuple[Square, ...]


class Ply(NamedTuple):
    """A move with all that it does to the board."""

    squares: tuple[Square, ...]  # where it starts, then where it lands
    start: Bits
    end: Bits
    taken: Bits
    captured: tuple[Square, ...]  # the same pieces in the order of the jump
    pdn: str
    move: Move


class Board(NamedTuple):
    dark: Bits
    light: Bits
    kings: Bits  # of both sides


class Position(NamedTuple):
    """A board in the course of a game."""

    board: Board
    to_move: Side
    plies: int
    quiet: int  # plies since the last capture, huff or move of a man
    seen: tuple[tuple[Board, Side], ...]  # occurrences since then: what was before cannot come back


class Offence(NamedTuple):
    """What was wrong with a play under the huff, and the pieces at fault where they stand after it."""

    kind: Literal["ignored", "stopped"]
    pieces: tuple[Square, ...]


# ── Squares ─────────────────────────────────────────────────────────────────────────────────────────────────────

BIT: Final = {square: 1 << square - 1 + (square - 1) // 8 for square in range(1, 33)}
SQUARE: Final = {bit: square for square, bit in BIT.items()}
WHOLE: Final = sum(SQUARE)


def bits(squares: Iterable[Square]) -> Bits:
    return sum(BIT[square] for square in squares)


def squares(some: Bits) -> tuple[Square, ...]:
    """
    >>> squares(bits((5, 1, 32)))
    (1, 5, 32)
    """
    found = []
    while some:
        low = some & -some
        found.append(SQUARE[low])
        some ^= low
    return tuple(found)


def _row_and_column(square: Square) -> tuple[int, int]:
    row, place = divmod(square - 1, 4)
    return row, 2 * place + (row + 1) % 2


PLACE: Final = {square: _row_and_column(square) for square in BIT}
# How many steps a king would need from one square to another on an empty board.
APART: Final = {
    (one, other): max(abs(PLACE[one][0] - PLACE[other][0]), abs(PLACE[one][1] - PLACE[other][1]))
    for one in BIT
    for other in BIT
}
START: Final = Board(bits(range(1, 13)), bits(range(21, 33)), 0)
KING_ROW: Final = (bits(range(29, 33)), bits(range(1, 5)))  # by the side that is crowned there


# ── All steps and single jumps there can be ─────────────────────────────────────────────────────────────────────


def _play(route: tuple[Square, ...], over: tuple[Square, ...] = ()) -> Ply:
    pdn = ("x" if over else "-").join(map(str, route))
    return Ply(route, BIT[route[0]], BIT[route[-1]], bits(over), over, pdn, Move(route[0], route[1:]))


def _diagonal(shift: int) -> Iterator[tuple[Bits, Bits, Bits]]:
    """Every square with its neighbour in this direction and the square behind; 0 where the board ends."""
    for bit in SQUARE:
        near, far = (bit << shift, bit << 2 * shift) if shift > 0 else (bit >> -shift, bit >> -2 * shift)
        near &= WHOLE
        yield bit, near, far & WHOLE if near else 0


DOWN: Final = (4, 5)  # Dark's forward
UP: Final = (-4, -5)
STEPS_TO: Final = {
    shift: {near: _play((SQUARE[bit], SQUARE[near])) for bit, near, _ in _diagonal(shift) if near}
    for shift in DOWN + UP
}
STEP: Final = {step.squares: step for into in STEPS_TO.values() for step in into.values()}
_HOPS: Final = {
    shift: {bit: _play((SQUARE[bit], SQUARE[far]), (SQUARE[near],)) for bit, near, far in _diagonal(shift) if far}
    for shift in DOWN + UP
}
HOP: Final = {hop.squares: hop for hops in _HOPS.values() for hop in hops.values()}


def _hops(shifts: Iterable[int]) -> dict[Bits, tuple[Ply, ...]]:
    return {bit: tuple(_HOPS[shift][bit] for shift in shifts if bit in _HOPS[shift]) for bit in SQUARE}


# A man that lands in the king row has no hop from there, which is how crowning ends the play.
MAN_HOPS: Final = (_hops(DOWN), _hops(UP))  # by side
KING_HOPS: Final = _hops(DOWN + UP)


# ── What is open on a board ─────────────────────────────────────────────────────────────────────────────────────


def jumpers(board: Board, side: Side) -> Bits:
    """The pieces that could jump."""
    dark, light, kings = board
    empty = WHOLE ^ dark ^ light
    if side == DARK:
        down, up, enemy = dark, dark & kings, light
    else:
        down, up, enemy = light & kings, light, dark
    found = down & (enemy >> 4 & empty >> 8 | enemy >> 5 & empty >> 10) if down else 0
    if up:
        found |= up & (enemy << 4 & empty << 8 | enemy << 5 & empty << 10)
    return found


def jumps(board: Board, side: Side, starting: Bits) -> list[Ply]:
    """Every complete jump of these pieces: a jump goes on as long as a further one is open to the piece."""
    enemy = board.dark if side == LIGHT else board.light
    empty = WHOLE ^ board.dark ^ board.light
    found: list[Ply] = []
    while starting:
        start = starting & -starting
        starting ^= start
        hops = KING_HOPS if start & board.kings else MAN_HOPS[side]
        for hop in hops[start]:
            if hop.taken & enemy and hop.end & empty:
                _finish(hop, enemy ^ hop.taken, empty | start, hops, found)
    return found


def _finish(jump: Ply, enemy: Bits, empty: Bits, hops: dict[Bits, tuple[Ply, ...]], found: list[Ply]) -> None:
    """All the ways to go on with a jump, to their ends. Pieces are taken off as they are jumped."""
    ended = True
    for hop in hops[jump.end]:
        if hop.taken & enemy and hop.end & empty:
            ended = False
            _finish(joined(jump, hop), enemy ^ hop.taken, empty, hops, found)
    if ended:
        found.append(jump)


def joined(jump: Ply, hop: Ply) -> Ply:
    return _jump_along(jump.squares + hop.squares[1:])


# A search meets the same long jumps again and again.
@lru_cache(maxsize=4096)
def _jump_along(route: tuple[Square, ...]) -> Ply:
    return _play(route, tuple([HOP[hop].captured[0] for hop in pairwise(route)]))


def broken_off(jump: Ply) -> Iterator[Ply]:
    """The same jump stopped at each landing before its last."""
    for landings in range(2, len(jump.squares)):
        yield _jump_along(jump.squares[:landings])


def steps(board: Board, side: Side) -> list[Ply]:
    dark, light, kings = board
    empty = WHOLE ^ dark ^ light
    down, up = (dark, dark & kings) if side == DARK else (light & kings, light)
    found = []
    for into, targets in (
        (STEPS_TO[4], down << 4),
        (STEPS_TO[5], down << 5),
        (STEPS_TO[-4], up >> 4),
        (STEPS_TO[-5], up >> 5),
    ):
        targets &= empty
        while targets:
            low = targets & -targets
            found.append(into[low])
            targets ^= low
    return found


def can_move(board: Board, side: Side) -> bool:
    dark, light, kings = board
    empty = WHOLE ^ dark ^ light
    down, up = (dark, dark & kings) if side == DARK else (light & kings, light)
    return bool(down & (empty >> 4 | empty >> 5) or up & (empty << 4 | empty << 5) or jumpers(board, side))


def complete_plays(board: Board, side: Side) -> list[Ply]:
    """The plays of the modern game: complete jumps if there is one, else steps."""
    jumping = jumpers(board, side)
    return jumps(board, side, jumping) if jumping else steps(board, side)


def plays_with_faults(board: Board, side: Side) -> list[Ply]:
    """The plays of the old game, faultless ones first: a jump may be broken off, or passed over for a step."""
    jumping = jumpers(board, side)
    if not jumping:
        return steps(board, side)
    complete = jumps(board, side, jumping)
    stopped = {part.squares: part for jump in complete for part in broken_off(jump)}
    return [*complete, *stopped.values(), *steps(board, side)]


class Plays(NamedTuple):
    by_route: Mapping[tuple[Square, ...], Ply]
    moves: tuple[Move, ...]


def listed(plays: Iterable[Ply]) -> Plays:
    by_route = {play.squares: play for play in plays}
    return Plays(by_route, tuple([play.move for play in by_route.values()]))


# A position is asked about when it is shown, when a move is judged, and again by every bot that thinks about it.
@lru_cache(maxsize=4096)
def open_plays(board: Board, side: Side, huff: bool) -> Plays:
    return listed(plays_with_faults(board, side) if huff else complete_plays(board, side))


def offence_in(board: Board, side: Side, play: Ply) -> Offence | None:
    """A jump that was ignored, or broken off before its end."""
    if play.taken:
        going_on = play.end & jumpers(after(board, side, play), side) and not crowns(board, side, play)
        return Offence("stopped", squares(play.end)) if going_on else None
    capable = jumpers(board, side)
    if capable & play.start:
        capable ^= play.start ^ play.end
    return Offence("ignored", squares(capable)) if capable else None


def misstep(board: Board, side: Side, move: Move) -> Refused:
    """The rule against a move that is not open: the first thing wrong with it as such, else the duty to jump."""
    here = move.from_
    if not BIT.get(here, 0) & board[side]:
        return Refused("CH-05", "no_piece", f"you have no piece on {here}")
    if not move.path:
        return Refused("CH-05", "no_such_move", "a piece must go to another square")
    king = bool(BIT[here] & board.kings)
    enemies = board[1 - side]
    occupied = (board.dark | board.light) ^ BIT[here]
    for there in move.path:
        step, hop = STEP.get((here, there)), HOP.get((here, there))
        if (step or hop) and not king and BIT[here] & KING_ROW[side]:
            return Refused("CH-11", "crowned", f"the man was crowned on {here}, and there the play ends")
        if (step or hop) and not king and (there > here) != (side == DARK):
            return Refused("CH-07", "backward", f"a man cannot go back from {here} to {there}")
        if hop is None:
            if step is None or len(move.path) > 1:
                return Refused("CH-05", "no_such_move", f"no piece can go from {here} to {there} in such a play")
            if step.end & occupied:
                return Refused("CH-05", "occupied", f"{there} is not empty")
            break
        if not hop.taken & enemies:
            return Refused("CH-06", "nothing_to_jump", f"there is no enemy on {hop.captured[0]} to be jumped")
        if hop.end & occupied:
            return Refused("CH-06", "occupied", f"{there}, behind the piece on {hop.captured[0]}, is not empty")
        enemies ^= hop.taken
        occupied ^= hop.taken
        here = there
    jumper = squares(jumpers(board, side))[0]
    return Refused("CH-21", "must_jump", f"the piece on {jumper} can jump, and jumps are compulsory to their end")


# ── What becomes of a board ─────────────────────────────────────────────────────────────────────────────────────


def crowns(board: Board, side: Side, play: Ply) -> bool:
    return bool(play.end & KING_ROW[side] and not play.start & board.kings)


def placed(board: Board, side: Side, start: Bits, end: Bits, taken: Bits, crowned: bool) -> Board:
    """The board with a piece moved and others taken off."""
    dark, light, kings = board
    kings &= ~taken
    if crowned:
        kings |= end
    elif kings & start:
        kings ^= start ^ end
    # Searches make boards by the thousand, and this is the quickest way to make one.
    if side == DARK:
        return tuple.__new__(Board, (dark ^ start ^ end, light ^ taken, kings))
    return tuple.__new__(Board, (dark ^ taken, light ^ start ^ end, kings))


def after(board: Board, side: Side, play: Ply) -> Board:
    _, start, end, taken, _, _, _ = play
    return placed(board, side, start, end, taken, bool(end & KING_ROW[side] and not start & board[2]))


FIRST: Final = Position(START, DARK, 0, 0, ((START, DARK),))


def occurring(position: Position) -> Position:
    """The position as one more occurrence of itself."""
    return position._replace(seen=(*position.seen, (position.board, position.to_move)))


def occurrences(position: Position) -> int:
    return position.seen.count((position.board, position.to_move))


def next_position(p: Position, start: Bits, end: Bits, taken: Bits, crowned: bool, faultless: bool) -> Position:
    """After a play. While an offence is pending the new position does not count as an occurrence."""
    board, enemy = placed(p.board, p.to_move, start, end, taken, crowned), 1 - p.to_move
    progress = taken or not start & p.board.kings
    seen = () if progress else p.seen
    return Position(
        board, enemy, p.plies + 1, 0 if progress else p.quiet + 1, (*seen, (board, enemy)) if faultless else seen
    )


def huffed(p: Position, square: Square) -> Position:
    gone = ~BIT[square]
    board = Board(p.board.dark & gone, p.board.light & gone, p.board.kings & gone)
    return Position(board, p.to_move, p.plies, 0, ((board, p.to_move),))


def perft(board: Board, side: Side, depth: int) -> int:
    """How many lines of so many plays there are: the usual proof of a generator.

    >>> [perft(START, DARK, depth) for depth in (1, 2, 3, 4)]
    [7, 49, 302, 1469]
    """
    plays = complete_plays(board, side)
    if depth == 1:
        return len(plays)
    return sum(perft(after(board, side, play), 1 - side, depth - 1) for play in plays)
