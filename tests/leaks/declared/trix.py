"""Trix: other hands, the order of the Reserve and the cards drawn from it are hidden. A table can cover the points of a
hand until it is over. What is left over at the end is all that was not played, so it is no news to anybody."""

from typing import Any

from tests.leaks.declaring import Field, its_own, known, news, nobody, to_the_seat

covered = Field(lambda event, at, _: () if at.options.hide_totals else None, news=False)

EVENTS = {
    "deal_cards_drawn": {"seats": known, "cards": news, "smallest": news},
    "hand_dealt": {"hand_no": known, "dealer": known, "reserve_size": known, "hands": its_own, "reserve": nobody},
    "card_played": {"seat": known, "card": known},
    "card_drawn": {"seat": known, "reserve_size": known, "card": to_the_seat},
    "set_taken": {"set_no": known, "seat": known, "trix_points": covered, "side_totals": covered},
    "leftover_awarded": {"seat": known, "cards": known, "trix_points": covered, "side_totals": covered},
    "hand_scored": {"side_totals": news, "side": news, "scored": news, "game_scores": news},
}


def retold(table: Any) -> Any:
    """Other points and other piles, where both are covered."""
    if not table.playing or not table.options.hide_totals:
        return None
    return table._replace(taken=table.taken[::-1], side_totals=tuple(total + 5 for total in table.side_totals))
