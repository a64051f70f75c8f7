"""What a seat may know of Check and Double Check."""

from __future__ import annotations

from typing import Any

from domain.game import Seat
from domain.games.check_and_double_check.game import Table


def view(s: Table, seat: Seat | None) -> dict[str, Any]:
    """All seats see the same table; only the lowest cards of the Discard are seen by nobody."""
    return {
        "phase": s.phase,
        "hand_no": s.hand_no,
        "dealer": s.dealer,
        "turn": s.turn if s.phase in ("throwing", "discarding") else None,
        "rows": s.rows,
        "discard": {"height": len(s.discard), "seen": s.discard[s.unseen :], "unseen": s.unseen},
        "dice": s.faces,
        "number": s.playing_number,
        "eligible": sorted(s.eligible),
        "points": s.points,
        "balance": s.balance,
    }
