"""Jack-Daw: the cards first dealt to the others and the order of the pack below its top card are hidden. Every card
drawn is seen by all, and so is the one under it."""

from tests.leaks.declaring import its_own, known, news, nobody

EVENTS = {
    "dealer_chosen": {"seat": news},
    "hand_dealt": {
        "hand_no": known,
        "dealer": known,
        "hands": its_own,
        "top": news,
        "trump": news,
        "pack_count": known,
        "pack_under": nobody,
    },
    "card_played": {"seat": known, "card": known},
    "trick_taken": {"trick_no": known, "seat": known},
    "cards_drawn": {"draws": news, "top": news, "pack_count": known},
    "odd_card_taken": {"seat": known, "card": known},
    "hand_scored": {
        "high": known,
        "low": known,
        "jack_daw": known,
        "game": known,
        "game_counts": known,
        "deciding": known,
        "delta": known,
        "totals": known,
    },
}
