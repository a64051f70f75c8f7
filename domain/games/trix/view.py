"""What a seat may know of Trix."""

from __future__ import annotations

from typing import Any

from domain.game import Seat
from domain.games.trix.game import Table, is_over, worth
from domain.kit.trixcards import shown_trix_hands


def view(s: Table, seat: Seat | None) -> dict[str, Any]:
    covered = s.playing and s.options.hide_totals
    leader = (s.turn - len(s.on_table)) % s.seats
    return {
        "phase": phase(s),
        "hand_no": s.hand_no,
        "dealer": s.dealer,
        "turn": s.turn if s.playing else None,
        **shown_trix_hands(s.hands, seat),
        "reserve_size": len(s.reserve),
        "set_no": s.set_no,
        "set": [{"seat": (leader + n) % s.seats, "card": card} for n, card in enumerate(s.on_table)],
        "taken": None
        if covered
        else [
            {"trix": [card for card in pile if worth(card)], "others": [card for card in pile if not worth(card)]}
            for pile in s.taken
        ],
        "side_of": s.side_of,
        "side_totals": None if covered else s.side_totals,
        "game_scores": s.game_scores,
    }


def phase(s: Table) -> str:
    if s.playing:
        return "play"
    if not s.hand_no:
        return "dealer_draw" if s.dealer is None else "deal"
    return "game_over" if is_over(s) else "hand_over"
