"""Checkers: the board is open. A table that does not announce offences leaves it to the players' eyes whether a jump was
overlooked, until the offence is answered or nothing else can be done."""

from typing import Any

from domain.games.checkers.draughts import Move, Offence, squares
from tests.leaks.declaring import Field, Sudden, known


def announced(event: Any, at: Any, _: Any) -> Any:
    if at.options.announce_offence or at.options.capture_rule == "mandatory":
        return None
    # An enemy who cannot move is told, because the game ends there if nothing was wrong.
    stuck = not any(isinstance(command, Move) for command in at.game.legal(at.after, at.after.turn))
    return None if stuck else ()


EVENTS = {
    "moved": {
        "seat": known,
        "from": known,
        "path": known,
        "captured": known,
        "crowned": known,
        "pdn": known,
        "offence": Field(announced, news=False),
    },
    "huffed": Sudden(seat=known, square=known, was_king=known),
    "compelled": Sudden(seat=known, kind=known, piece=known, jumps_from=known, taken_back=known),
    "offence_left": {"seat": known},
    "claim_failed": Sudden(seat=known, claim=known, square=known),
    "touched": {"seat": known, "square": known, "released": known},
    "game_ended": Sudden(game_no=known, result=known, reason=known, half_points=known),
}


def retold(table: Any) -> Any:
    """The same board with an offence that nobody was told of, or without it."""
    if table.noted or table.before is None or table.answered or table.compelled is not None:
        return None
    if table.offence is not None:
        return table._replace(offence=None)
    enemy = squares(table.position.board[1 - table.position.to_move])
    return table._replace(offence=Offence("ignored", enemy[:1]))
