"""What a seat may know of Prince and Pauper."""

from __future__ import annotations

from typing import Any

from domain.game import Seat
from domain.games.prince_and_pauper.game import Table, is_over
from domain.kit.cards import shown_hands
from domain.kit.tricks import shown_trick


def view(s: Table, seat: Seat | None) -> dict[str, Any]:
    return {
        "phase": "playing" if s.playing else "finished" if is_over(s) else "awaiting_deal",
        "hand_no": s.hand_no,
        "dealer": s.dealer,
        "trump": s.trump or None,
        "turned": {"card": s.turned, "owner": s.owner},
        "turn": s.turn if s.playing else None,
        **shown_hands(s.hands, seat),
        "trick_no": s.trick_no,
        "trick": shown_trick(s.trick),
        "crowned": s.crowned,
        "tricks": s.tricks,
        "taken": s.taken,
        "totals": s.totals,
    }
