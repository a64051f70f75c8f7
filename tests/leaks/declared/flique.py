"""Flique: the rival's hand, the order of the reserve, and a drawn card until it is placed or discarded are hidden."""

from tests.leaks.declaring import its_own, known, news, nobody, to_the_seat

EVENTS = {
    "dealer_chosen": {"seat": news},
    "hand_dealt": {"hand_no": known, "dealer": known, "reserve_count": known, "hands": its_own, "reserve": nobody},
    "card_drawn": {"seat": known, "card": to_the_seat},
    "combination_placed": {"seat": known, "cards": news, "source": known, "onto": known},
    "card_discarded": {"seat": known, "card": known, "was_drawn": known},
    "game_won": {"seat": known, "wins": known},
    "game_drawn": {"passed_out": known},
}
