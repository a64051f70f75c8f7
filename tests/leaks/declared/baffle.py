"""Baffle: other hands, the untaken cop hand and the stock are hidden; what a seat has laid down or put out is known to
that seat alone. Whether a trump should have been led is between the table and the player until the hand is scored. Who
is left alone in a hand shows his cards."""

from tests.leaks.declaring import its_own, known, news, nobody, to_the_seat

EVENTS = {
    "dealer_chosen": {"seat": news},
    "hand_dealt": {
        "hand_no": known,
        "dealer": known,
        "turn_up": news,
        "stock_count": known,
        "hands": its_own,
        "cop": nobody,
        "stock": nobody,
    },
    "declared": {"seat": known, "choice": known},
    "cop_taken": {"seat": known, "cards": to_the_seat},
    "turn_up_exchanged": {"seat": known, "took": known, "discard": to_the_seat},
    "exchange_declined": {"seat": known},
    "walkover": {"seat": known, "cards": news},
    "card_played": {"seat": known, "card": known, "trump_missed": to_the_seat},
    "trick_taken": {"trick_no": known, "seat": known},
    "hand_scored": {
        "tricks": known,
        "points": known,
        "low_trump_trick": known,
        "baffled": news,
        "delta": news,
        "totals": news,
    },
}

HIDDEN = {"exchange": {"discard"}}
