"""Check and Double Check: all rows lie open; only the cards under the top of the Discard are hidden, from everybody,
until they are taken or uncovered."""

from typing import Any

from tests.leaks.declaring import known, news, nobody

EVENTS = {
    "deal_thrown": {"seats": known, "throws": known, "highest": known},
    "hand_dealt": {"hand_no": known, "dealer": known, "rows": news, "discard_top": news, "discard_under": nobody},
    "dice_rolled": {"seat": known, "faces": known, "kind": known, "number": known},
    "cards_taken": {"seat": known, "wanted": known, "cards": news, "top": news},
    "cards_discarded": {"number": known, "seats": known},
    "discard_passed": {"seat": known},
    "hand_won": {"seat": known, "tied": known, "payments": known, "points": known, "balance": known},
}


def places(deck: Any, table: Any) -> Any:
    """The four cards of the Discard: the last of the pack, or the extra ones."""
    if table.options.discard_seed == "misc":
        return [place for place, card in enumerate(deck) if card.endswith("*")]
    return list(range(9 * table.seats, len(deck)))
