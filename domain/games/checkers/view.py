"""What a seat may know of Checkers with the huff."""

from __future__ import annotations

from typing import Any

from domain.game import Seat
from domain.games.checkers.draughts import squares
from domain.games.checkers.game import Table, is_over
from domain.games.checkers.pdn import write_fen


def view(s: Table, seat: Seat | None) -> dict[str, Any]:
    """All lies open, save what a table without announcements leaves to the players' eyes."""
    board, to_move, plies, quiet, _ = s.position
    pending = s.offence if s.noted and s.compelled is None else None
    return {
        "phase": "game_over" if is_over(s) else "move" if s.compelled is None else "compelled",
        "game_no": min(len(s.results) + 1, s.options.games),
        "dark": s.dark,
        "turn": None if is_over(s) else s.turn,
        "board": {"dark": squares(board.dark), "light": squares(board.light), "kings": squares(board.kings)},
        "fen": write_fen(board, to_move),
        "plies": plies,
        "quiet_plies": quiet,
        "pending_offence": pending and pending._asdict(),
        "answered": s.answered or None,
        "compelled": s.compelled,
        "touched": s.bound,
        "results": s.results,
        "points": [half / 2 for half in s.half_points],
    }
