"""What a seat may know of Flique."""

from __future__ import annotations

from typing import Any

from domain.game import Seat
from domain.games.flique.game import Table, is_over
from domain.kit.cards import shown_hands


def view(s: Table, seat: Seat | None) -> dict[str, Any]:
    waiting = "finished" if is_over(s) else "awaiting_deal"
    return {
        "phase": waiting if s.phase == "between" else s.phase,
        "hand_no": s.hand_no,
        "dealer": s.dealer,
        "turn": None if s.phase == "between" else s.turn,
        **shown_hands(s.hands, seat),
        "drawn": s.drawn if seat == s.turn else None,
        "reserve_count": len(s.reserve),
        "discards": s.discards,
        "placed": s.placed,
        "placed_counts": [sum(map(len, own)) for own in s.placed],
        "wins": s.wins,
    }
