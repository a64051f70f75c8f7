"""What a seat may know of Baffle."""

from __future__ import annotations

from typing import Any

from domain.game import Seat
from domain.games.baffle.game import Table, is_over
from domain.kit.cards import shown_hands
from domain.kit.tricks import shown_trick


def view(s: Table, seat: Seat | None) -> dict[str, Any]:
    running = s.phase != "awaiting_deal"
    return {
        "phase": "finished" if is_over(s) else s.phase,
        "hand_no": s.hand_no,
        "dealer": s.dealer,
        "turn": s.turn if running else None,
        "choices": s.choices,
        **shown_hands(s.hands, seat),
        "laid_down": s.laid_down[seat] if seat is not None else None,
        "laid_down_counts": [len(cards) for cards in s.laid_down],
        "cop_count": len(s.cop),
        "turn_up": {"card": s.turn_up, "taken_by": s.turn_up_taker},
        "trump": s.trump or None,
        "stock_count": len(s.stock),
        "trick_no": s.trick_no,
        "trick": shown_trick(s.trick),
        "taken": [{"seat": trick.seat, "cards": trick.cards} for trick in s.taken],
        "trump_missed": s.missed[seat] if seat is not None else None,
        "walkover": None if s.walkover is None else {"seat": s.walkover, "cards": s.hands[s.walkover]},
        "totals": s.totals,
    }
