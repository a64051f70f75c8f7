"""What a seat may know of Rustle."""

from __future__ import annotations

from typing import Any

from domain.game import Seat
from domain.games.rustle.game import LEFT_OUT, Table, is_over
from domain.kit.cards import shown_hands
from domain.kit.tricks import shown_trick


def view(s: Table, seat: Seat | None) -> dict[str, Any]:
    return {
        "phase": "playing" if s.playing else "finished" if is_over(s) else "awaiting_deal",
        "hand_no": s.hand_no,
        "dealer": s.dealer,
        "turn": s.turn if s.playing else None,
        "left_out": LEFT_OUT.get(s.seats, ()),
        "turned": s.turned,
        "trump": s.trump or None,
        "packet_no": s.packet_no,
        "packets_face_down": len(s.face_down),  # before each seat
        **shown_hands(s.hands, seat),
        "trick_no": s.trick_no,
        "trick": shown_trick(s.trick),
        "taken": s.taken,
        "totals": s.totals,
    }
