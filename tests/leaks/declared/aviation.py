"""Aviation: other hands, the order of the stock, and the covered cards of every drome are hidden, the last from their
owners too. The card that comes to the top of a drome is seen by all."""

from tests.leaks.declaring import its_own, known, news, nobody, to_the_seat

EVENTS = {
    "dealer_chosen": {"seat": news},
    "hand_dealt": {
        "hand_no": known,
        "dealer": known,
        "stock_count": known,
        "drome_tops": news,
        "dromes_below": nobody,
        "hands": its_own,
        "stock": nobody,
    },
    "card_played": {"seat": known, "owner": known, "source": known, "card": known, "uncovered": news},
    "pile_taken": {"seat": known, "pile": known, "points": known, "totals": known, "directions": known},
    "cards_given": {"seat": known, "count": known, "cards": to_the_seat},
    "reserve_laid": {"seat": known, "card": known},
    "hand_ended": {"totals": known, "directions": known},
}
