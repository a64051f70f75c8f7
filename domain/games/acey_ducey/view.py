"""What a seat may know of Acey-Ducey."""

from __future__ import annotations

from typing import Any

from domain.game import Seat
from domain.games.acey_ducey.game import CENTRE, Table, sides, target
from domain.kit.points import HAND, OFF


def view(s: Table, seat: Seat | None) -> dict[str, Any]:
    """All see the same. Spaces are counted by their owner: the first is his space 1."""
    return {
        "phase": s.phase,
        "game_no": s.game_no,
        "turn": None if s.phase in ("start", "match_over") else s.turn,
        "colours": [
            {
                "seats": sides(s)[colour],
                "hand": men[HAND],
                "centre": men[CENTRE],
                "spaces": men[24:OFF:-1],
                "off": men[OFF],
                "score": s.score[colour],
            }
            for colour, men in enumerate(s.men)
        ],
        "dice": s.dice,
        "numbers": s.numbers,
        "doubles": s.doubles,
        "bonus": s.bonus or None,
        "free": s.free,
        "target": target(s.options),
        "partner_chat": s.options.partner_chat,
    }
