"""What can be seen of a game of Checkers, and the board it is played on."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from typing import Annotated, Literal, TypedDict

from domain.game import Seat
from domain.games.checkers.draughts import BIT, PLACE, STEP, Bits, Square, squares
from domain.games.checkers.game import Options, Table, is_over
from domain.games.checkers.pdn import write_fen
from domain.telling.parts import Board, Cell, Piece, Pieces, part


class PendingOffence(TypedDict):
    kind: Literal["ignored", "stopped"]
    squares: Sequence[Square]


class View(TypedDict):
    phase: Annotated[Literal["move", "compelled", "finished"], part("mark")]
    game_no: Annotated[int, part("mark")]
    dark: Annotated[Seat, part("mark")]
    turn: Annotated[Seat | None, part("turn")]
    pieces: Pieces
    fen: str
    plies: int
    quiet_plies: int
    pending_offence: PendingOffence | None
    answered: Literal["huffed", "left", "failed"] | None
    compelled: Annotated[Square | None, part("mark")]
    touched: Annotated[Square | None, part("mark")]
    results: Sequence[str]
    totals: Annotated[Sequence[float], part("score", "each")]


def view(s: Table, seat: Seat | None) -> View:
    """All lies open, save what a table without announcements leaves to the players' eyes."""
    position = s.position
    pending = s.offence if s.noted and s.compelled is None else None
    return {
        "phase": "finished" if is_over(s) else "move" if s.compelled is None else "compelled",
        "game_no": min(len(s.results) + 1, s.options.games),
        "dark": s.dark,
        "turn": None if is_over(s) else s.turn,
        "pieces": pieces(s),
        "fen": write_fen(position.board, position.to_move),
        "plies": position.plies,
        "quiet_plies": position.quiet,
        "pending_offence": pending and {"kind": pending.kind, "squares": pending.pieces},
        "answered": s.answered,
        "compelled": s.compelled,
        "touched": s.bound,
        "results": s.results,
        "totals": [half / 2 for half in s.half_points],
    }


def pieces(s: Table) -> list[Piece]:
    dark, light, kings = s.position.board
    return [*_of_side(s.dark, dark, dark & kings), *_of_side(1 - s.dark, light, light & kings)]


@lru_cache(maxsize=64)  # most moves leave the pieces of one side where they are
def _of_side(side: Seat, men: Bits, kings: Bits) -> Sequence[Piece]:
    return tuple(
        {"cell": str(square), "side": side, "kind": "king" if BIT[square] & kings else "man", "count": 1}
        for square in squares(men)
    )


def board(options: Options, seats: int) -> Board:
    """The dark squares of a board of eight by eight, numbered from Dark's side as players of checkers do."""
    cells = []
    for square, (row, column) in PLACE.items():
        links = tuple(str(other) for start, other in STEP if start == square)
        cells.append(Cell(str(square), column, row, str(square), links))
    return Board(8, 8, tuple(cells))
