"""What a seat may know of Aviation."""

from __future__ import annotations

from typing import Any

from domain.game import Seat
from domain.games.aviation.game import Table, is_over
from domain.kit.cards import shown_hands


def view(s: Table, seat: Seat | None) -> dict[str, Any]:
    return {
        "phase": "playing" if s.playing else "finished" if is_over(s) else "awaiting_deal",
        "hand_no": s.hand_no,
        "dealer": s.dealer,
        "turn": s.turn if s.playing else None,
        "owes": s.owes,
        **shown_hands(s.hands, seat),
        "stock_count": len(s.stock),
        "dromes": [{"top": drome[-1] if drome else None, "count": len(drome)} for drome in s.dromes],
        "reserves": s.reserves,
        "ascension": s.centre.up,
        "descent": s.centre.down,
        "wanted": {"U": s.centre.wanted("U"), "D": s.centre.wanted("D")},
        "taken": s.taken,
        "directions": s.directions,
        "totals": s.totals,
    }
