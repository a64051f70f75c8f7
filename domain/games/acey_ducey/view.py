"""What can be seen of a game of Acey-Ducey, and the board it is played on."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Annotated, Final, Literal, TypedDict

from domain.game import Seat
from domain.games.acey_ducey.game import NAMES, Options, Table, target
from domain.kit import pointboard
from domain.telling.parts import Board, Pieces, part

Phase = Literal["start_throw", "roll", "play", "name_double", "finished"]
Bonus = Literal["double", "throw"]


class View(TypedDict):
    phase: Annotated[Phase, part("mark")]
    game_no: Annotated[int, part("mark")]
    turn: Annotated[Seat | None, part("turn")]
    pieces: Pieces
    dice: Annotated[Sequence[int], part("dice")]
    numbers: Annotated[Sequence[int], part("dice")]
    doubles: Annotated[bool, part("mark")]
    bonus: Annotated[Bonus | None, part("mark")]
    free: Annotated[bool, part("mark")]
    side_totals: Annotated[Sequence[int], part("score", "side")]
    target: Annotated[int, part("mark")]
    partner_chat: bool


CELLS: Final = pointboard.cells(NAMES)
PHASES: Final[dict[str, Phase]] = {
    "start": "start_throw",
    "roll": "roll",
    "play": "play",
    "name_double": "name_double",
    "match_over": "finished",
}
BONUS: Final[dict[str, Bonus | None]] = {"": None, "double": "double", "throw": "throw"}


def view(s: Table, seat: Seat | None) -> View:
    """Nothing is hidden."""
    return {
        "phase": PHASES[s.phase],
        "game_no": s.game_no,
        "turn": None if s.phase in ("start", "match_over") else s.turn,
        "pieces": pointboard.pieces(CELLS, s.men),
        "dice": s.dice,
        "numbers": s.numbers,
        "doubles": s.doubles,
        "bonus": BONUS[s.bonus],
        "free": s.free,
        "side_totals": s.score,
        "target": target(s.options),
        "partner_chat": s.options.partner_chat,
    }


def board(options: Options, seats: int) -> Board:
    """The spaces as the first colour counts them."""
    return pointboard.board(NAMES)
