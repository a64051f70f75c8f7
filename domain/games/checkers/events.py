"""Checkers: what a player can do, and what comes of it. The first command, `Move`, is one of the board's own."""

from __future__ import annotations

from typing import Literal

from domain.game import Seat, Secret, record
from domain.games.checkers.draughts import Move, Offence, Square


@record
class Huff:
    """Remove the enemy piece that should have jumped."""

    square: Square


@record
class Compel:
    """Make the enemy take the jump that was overlooked."""

    piece: Square | None = None  # need not be named if only one is at fault


@record
class Leave:
    """Let the enemy's offence pass."""


@record
class Touch:
    """Announce the piece that you are going to move."""

    square: Square


Command = Move | Huff | Compel | Leave | Touch


@record
class Moved:
    """A piece is moved, perhaps with an offence; a table that does not announce offences hides that."""

    seat: Seat
    from_: Square
    path: tuple[Square, ...]
    captured: tuple[Square, ...]
    crowned: bool
    pdn: str
    offence: Secret[Offence | None]


@record
class Huffed:
    """A piece that should have jumped is removed."""

    seat: Seat
    square: Square
    was_king: bool


@record
class Compelled:
    """The enemy has to jump: from where he stopped, or from where the piece stood before its move was taken back."""

    seat: Seat
    kind: Literal["ignored", "stopped"]
    piece: Square
    jumps_from: Square
    taken_back: bool


@record
class OffenceLeft:
    """An offence is let pass."""

    seat: Seat


@record
class ClaimFailed:
    """A huff or a jump is claimed where there was no offence."""

    seat: Seat
    claim: Literal["huff", "compel"]
    square: Square


@record
class Touched:
    """A piece is announced, and has to move if it can."""

    seat: Seat
    square: Square
    released: bool


@record
class GameEnded:
    """A game of the match is over. The result stands as in PDN: `1-0` when Light has won."""

    game_no: int
    result: Literal["1-0", "0-1", "1/2-1/2"]
    reason: Literal["captured_all", "blocked", "huffed_last", "agreed", "repetition", "no_progress"]
    half_points: tuple[int, ...]


Event = Moved | Huffed | Compelled | OffenceLeft | ClaimFailed | Touched | GameEnded
