"""What a seat may know of Grafto."""

from __future__ import annotations

from typing import Any

from domain.game import Seat
from domain.games.grafto.game import Grafted, Table, highest_bid, is_over
from domain.kit.cards import shown_hands
from domain.kit.tricks import shown_trick


def view(s: Table, seat: Seat | None) -> dict[str, Any]:
    return {
        "phase": "finished" if is_over(s) else s.phase,
        "hand_no": s.hand_no,
        "bid_hands": s.bid_hands,
        "dealer": s.dealer,
        "turn": s.turn if s.phase != "awaiting_deal" else None,
        "trump": s.trump or None,
        "turn_up": s.turn_up,
        "graft": shown_graft(s.graft, seat),
        "stock_count": len(s.stock),
        **shown_hands(s.hands, seat),
        "bids": s.bids,
        "highest_bid": highest_bid(s),
        "trick_no": sum(s.tricks) + 1,
        "trick": shown_trick(s.trick),
        "tricks": s.tricks,
        "played": s.played,
        "totals": s.totals,
    }


def shown_graft(graft: Grafted | None, seat: Seat | None) -> dict[str, Any] | None:
    if graft is None:
        return None
    seen = graft.discard.to is None or seat in graft.discard.to
    discard = graft.discard.value if seen else None
    return {"seat": graft.seat, "took": graft.took, "forced": graft.forced, "discard": discard}
