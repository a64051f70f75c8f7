"""What a seat may know of Jack-Daw."""

from __future__ import annotations

from typing import Any

from domain.game import Seat
from domain.games.jack_daw.game import Table, is_over
from domain.kit.cards import shown_hands
from domain.kit.tricks import shown_trick


def view(s: Table, seat: Seat | None) -> dict[str, Any]:
    return {
        "phase": "playing" if s.playing else "finished" if is_over(s) else "awaiting_deal",
        "hand_no": s.hand_no,
        "dealer": s.dealer,
        "turn": s.turn if s.playing else None,
        "trump": s.trump or None,
        "pack": {"count": len(s.pack), "top": s.pack[0] if s.pack else None},
        **shown_hands(s.hands, seat),
        # What the whole table knows of each hand: it saw these cards being drawn and not yet played.
        "known": [[card for card in hand if card in s.drawn] for hand in s.hands],
        "trick_no": s.trick_no,
        "trick": shown_trick(s.trick),
        "taken": s.taken,
        "totals": s.totals,
    }
