"""Checkers by rule of thumb: take what can be had, leave nothing to be taken, keep the back row, and go on."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Final

from domain.game import Thumbs
from domain.games.checkers.draughts import (
    APART,
    BIT,
    DARK,
    KING_ROW,
    LIGHT,
    Bits,
    Board,
    Move,
    Ply,
    Side,
    after,
    bits,
    crowns,
    jumpers,
    jumps,
    offence_in,
    open_plays,
    squares,
)
from domain.games.checkers.events import Command, GameEnded, Huff
from domain.games.checkers.game import Table

MAN: Final = 100
KING: Final = 150
CENTRE: Final = bits((14, 15, 18, 19))
LONG: Final = 20  # plies without progress, after which an even game is as good as drawn
BETWEEN_OFFERS: Final = 20  # plies
BESIDE_THE_POINT: Final = -10_000  # a touch, a pardon or a demand


def rate(view: Mapping[str, Any], commands: Sequence[Command]) -> list[int]:
    board, side = _seen(view)
    plays = open_plays(board, side, True).by_route
    suspect = bits(view["pending_offence"]["squares"]) if view["pending_offence"] else jumpers(board, 1 - side)
    found = []
    for command in commands:
        match command:
            case Move(from_=from_, path=path):
                found.append(_play(board, side, plays[(from_, *path)]))
            case Huff(square) if BIT[square] & suspect:
                # A piece for nothing, and the move is still to come. A claim that fails costs nothing either.
                found.append(10 * _weight(board, BIT[square]) + square)
            case _:
                found.append(BESIDE_THE_POINT)
    return found


def _seen(view: Mapping[str, Any]) -> tuple[Board, Side]:
    sides, kings = [0, 0], 0
    for piece in view["pieces"]:
        bit = BIT[int(piece["cell"])]
        sides[piece["side"] != view["dark"]] |= bit
        if piece["kind"] == "king":
            kings |= bit
    return Board(sides[DARK], sides[LIGHT], kings), DARK if view["turn"] == view["dark"] else LIGHT


def _weight(board: Board, some: Bits) -> int:
    return MAN * some.bit_count() + (KING - MAN) * (some & board.kings).bit_count()


def _play(board: Board, side: Side, play: Ply) -> int:
    then = after(board, side, play)
    value = _weight(board, play.taken) - _threat(then, 1 - side)
    if fault := offence_in(board, side, play):
        value -= max(_weight(then, BIT[square]) for square in fault.pieces)
    if crowns(board, side, play):
        return value + KING - MAN
    value += 4 * ((play.end & CENTRE != 0) - (play.start & CENTRE != 0))
    if play.start & board.kings:
        return value + _nearer(board, side, play)
    # A man is wanted at home as long as there are enemies to be crowned there.
    leaves_home = play.start & KING_ROW[1 - side] and board[1 - side] & ~board.kings
    return value - 12 if leaves_home else value + 3


def _threat(board: Board, side: Side) -> int:
    """The most that a side can take, less what is taken back."""
    threats = [0]
    for play in jumps(board, side, jumpers(board, side)):
        then = after(board, side, play)
        back = [_weight(then, reply.taken) for reply in jumps(then, 1 - side, jumpers(then, 1 - side))]
        threats.append(_weight(board, play.taken) - max(back, default=0))
    return max(threats)


def _nearer(board: Board, side: Side, play: Ply) -> int:
    """How much closer a king comes to the nearest enemy."""
    enemies = squares(board[1 - side] & ~play.taken)
    start, end = play.squares[0], play.squares[-1]
    return min((APART[start, enemy] for enemy in enemies), default=0) - min(
        (APART[end, enemy] for enemy in enemies), default=0
    )


def worth(s: Table) -> Sequence[int]:
    """Points of the match, a man counting for a hundredth of one."""
    board = s.position.board
    ahead = _weight(board, board[DARK]) - _weight(board, board[LIGHT]) if len(s.results) < s.options.games else 0
    lead = (ahead, -ahead) if s.dark == 0 else (-ahead, ahead)
    return [5_000 * half + more // 2 for half, more in zip(s.half_points, lead, strict=True)]


def drawn(view: Mapping[str, Any], command: Command) -> bool:
    """Even sides, nothing but kings on the move for long, and nothing to be taken; once in every so many plies."""
    board, side = _seen(view)
    if not isinstance(command, Move) or not BIT[command.from_] & board.kings or jumpers(board, side):
        return False
    quiet = view["quiet_plies"]
    return quiet >= LONG and quiet % BETWEEN_OFFERS < 2 and _weight(board, board.dark) == _weight(board, board.light)


THUMBS = Thumbs(rate, worth, ends=(GameEnded,), drawn=drawn)
