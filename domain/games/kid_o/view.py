"""What a seat may know of Kid-O."""

from __future__ import annotations

from typing import Any

from domain.game import Seat
from domain.games.kid_o.game import Table, is_over, trick_points
from domain.kit.cards import shown_hands
from domain.kit.tricks import shown_trick


def view(s: Table, seat: Seat | None) -> dict[str, Any]:
    return {
        "phase": "playing" if s.playing else "finished" if is_over(s) else "awaiting_deal",
        "hand_no": s.hand_no,
        "dealer": s.dealer,
        "first_card": {"card": s.first_card, "owner": s.eldest},
        "kid_o_suit": s.first_card.suit if s.first_card else None,
        "kid_o_card": s.kid_o_card,
        "turn": s.turn if s.playing else None,
        **shown_hands(s.hands, seat),
        "undealt_count": len(s.undealt),
        "trick_no": s.trick_no,
        "trick": shown_trick(s.trick),
        "tricks": [trick._asdict() for trick in s.tricks],
        "trick_points": trick_points(s),
        "totals": s.totals,
    }
