"""What a seat may know of Backgammon."""

from __future__ import annotations

from typing import Any

from domain.game import Seat
from domain.games.backgammon import mat
from domain.games.backgammon.game import Table
from domain.kit import points
from domain.kit.points import BAR, OFF


def view(s: Table, seat: Seat | None) -> dict[str, Any]:
    """All see the same. Points are counted from the side of their owner: the first is his 1 point."""
    at_stake = s.stakes
    offered_by = s.turn if at_stake.offer == "double" else None
    return {
        "phase": f"{at_stake.offer}_offered" if at_stake.offer else s.phase,
        "game_no": s.game_no,
        "turn": None if s.phase in ("opening", "match_over") else s.turn,
        "men": [
            {"bar": side[BAR], "points": side[1:BAR], "off": side[OFF], "pips": points.pips(side)} for side in s.men
        ],
        "position": position(s),
        "dice": s.dice,
        "numbers": s.numbers,
        "plays": [mat.written(play.from_, play.to, play.hit) for play in s.plays],
        "cube": {"value": at_stake.cube, "owner": at_stake.owner, "offered_by": offered_by} if s.options.cube else None,
        "crawford": at_stake.crawford,
        "concession": at_stake.conceded if at_stake.offer == "concession" else None,
        "score": s.score,
        "inner_side": s.options.inner_side,
    }


def position(s: Table) -> str:
    """Both sides on one line, the farthest men first: W 24:2 13:5 8:3 6:5 / B 24:2 13:5 8:3 6:5."""
    sides = (" ".join(f"{place}:{side[place]}" for place in range(BAR, -1, -1) if side[place]) for side in s.men)
    return " / ".join(f"{colour} {side}" for colour, side in zip("WB", sides, strict=True))
