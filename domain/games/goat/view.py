"""What a seat may know of Goat."""

from __future__ import annotations

from typing import Any

from domain.game import Seat
from domain.games.goat.game import Table, is_over
from domain.kit.cards import shown_hands


def view(s: Table, seat: Seat | None) -> dict[str, Any]:
    scored = s.phase == "awaiting_deal"
    return {
        "phase": "finished" if is_over(s) else s.phase,
        "hand_no": s.hand_no,
        "dealer": s.dealer,
        "round_no": s.round_no,
        "quiet_rounds": s.quiet_rounds,
        **shown_hands(s.hands, seat),
        "choice": s.choices[seat] if seat is not None else None,
        "chosen": [other for other, card in enumerate(s.choices) if card is not None],
        "race": {"open": s.phase == "race", "order": s.race, "claim": s.claim if seat in s.race[:1] else None},
        "books": [
            {"count": len(numbers), "numbers": numbers if scored or s.options.books_shown or seat == owner else None}
            for owner, numbers in enumerate(s.books)
        ],
        "dead_cards": s.hands if scored else None,
        "goats": s.goats,
        "goat_totals": s.goat_totals,
        "totals": s.totals,
    }
