"""What a seat may know of Quenette."""

from __future__ import annotations

from typing import Any

from domain.game import Seat
from domain.games.quenette.game import Table, is_over
from domain.kit.cards import shown_hands
from domain.kit.tricks import shown_trick


def view(s: Table, seat: Seat | None) -> dict[str, Any]:
    # The count shows the extras to everybody, and what was shown stays on the table until the next deal.
    counted = not s.playing
    seen = counted or {"taker": seat == s.extras_taker, "all": True, "none": False}[s.options.extras_view]
    return {
        "phase": "playing" if s.playing else "finished" if is_over(s) else "awaiting_deal",
        "hand_no": s.hand_no,
        "dealer": s.dealer,
        "turn": s.turn if s.playing else None,
        **shown_hands(s.hands, seat),
        "trick_no": s.trick_no,
        "trick": shown_trick(s.trick),
        "extras": {
            "count": len(s.extras),
            "taker": s.extras_taker,
            "cards": s.extras if s.extras_taker is not None and seen else None,
        },
        # Until then they stay out of this list: the table is not to know their O cards.
        "taken": [
            [card for card in pile if counted or owner != s.extras_taker or card not in s.extras]
            for owner, pile in enumerate(s.taken)
        ],
        "totals": s.totals,
    }
