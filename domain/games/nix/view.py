"""What a seat may know of Nix."""

from __future__ import annotations

from typing import Any

from domain.game import Seat
from domain.games.nix.game import Table, is_over, right_with_cards


def view(s: Table, seat: Seat | None) -> dict[str, Any]:
    return {
        "phase": phase(s),
        "hand_no": s.hand_no,
        "dealer": s.dealer,
        "drawing_for_deal": s.drawing_for_deal,
        "turn": s.turn if s.playing else None,
        "draws_from": right_with_cards(s.hands, s.turn) if s.playing else None,
        "hand": sorted(s.hands[seat], key=lambda card: (card.high, card.low)) if seat is not None else None,
        "hand_counts": [len(hand) for hand in s.hands],
        "wanted": s.wanted,
        "open_set": [f"{s.wanted.high}-{low}" for low in range(s.wanted.low)] if s.wanted else [],
        "sets": [{"set": n, "seat": owner} for n, owner in enumerate(s.sets, start=1)],
        "nix_holder": s.nix_holder,
        "totals": s.totals,
    }


def phase(s: Table) -> str:
    if s.playing:
        return "playing"
    if s.dealer is None:
        return "dealer_draw"
    return "finished" if is_over(s) else "awaiting_deal"
