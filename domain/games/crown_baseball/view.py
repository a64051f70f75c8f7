"""What a seat may know of Crown Baseball."""

from __future__ import annotations

from typing import Any

from domain.game import Seat
from domain.games.crown_baseball.game import Table, is_over, line_score, other, totals
from domain.kit.cards import shown_hands
from domain.kit.tricks import shown_trick


def view(s: Table, seat: Seat | None) -> dict[str, Any]:
    return {
        "phase": "playing" if s.playing else "finished" if is_over(s) else "awaiting_deal",
        "inning": s.inning,
        "half": s.half,
        "dealer": s.dealer,
        "batter": other(s.dealer) if s.dealer is not None else None,
        "turn": s.turn if s.playing else None,
        "bases": s.bases,
        "outs": s.outs,
        "runs": s.runs,
        "line_score": [line_score(s, side) for side in range(s.seats)],
        "totals": totals(s),
        "field": {"turned": s.field[: s.turned], "face_down": len(s.field) - s.turned if s.field else 0},
        "trump": s.trump or None,
        "trump_card": s.trump_card,
        **shown_hands(s.hands, seat),
        "trick": shown_trick(s.trick),
        "played": s.played,
    }
