"""What a seat may know of Secret Seven."""

from __future__ import annotations

from typing import Any

from domain.game import Seat
from domain.games.secret_seven.game import Table, is_over
from domain.kit.cards import shown_hands
from domain.kit.tricks import shown_trick


def view(s: Table, seat: Seat | None) -> dict[str, Any]:
    choosing = s.phase == "selecting" and seat is not None and seat == s.dealer
    knows = bool(s.packet) and (s.packet_open or (seat is not None and seat == s.dealer))
    return {
        "phase": "finished" if is_over(s) else s.phase,
        "hand_no": s.hand_no,
        "dealer": s.dealer,
        "turn": s.turn if s.phase == "playing" else None,
        "pack": s.pack if choosing else None,
        "packet": {
            "count": len(s.packet),
            "cards": s.packet if knows else None,
            "numbers": s.combo if knows else None,
        },
        **shown_hands(s.hands, seat),
        "turned": s.turned,
        "trump": s.turned and s.turned.suit,
        "over_count": len(s.over),
        "trick_no": s.trick_no,
        "trick": shown_trick(s.trick),
        "taken": [{"seat": trick.seat, "cards": trick.cards, "seven": trick.seven} for trick in s.taken],
        "called_trick": s.called_trick,  # its taker has the packet
        "pending": sorted(s.pending),
        "totals": s.totals,
    }
