"""Secret Seven: the packet and its numbers are known to the dealer alone until they are called or shown; other hands and
the cards over are hidden. Where the table calls for the dealer, the call comes by itself."""

from tests.leaks.declaring import Sudden, its_own, known, news, nobody, to_the_seat

EVENTS = {
    "dealer_chosen": {"seat": news},
    "secret_set": {"seat": known, "count": known, "cards": to_the_seat, "numbers": to_the_seat},
    "hand_dealt": {
        "hand_no": known,
        "dealer": known,
        "turned": news,
        "over_count": known,
        "hands": its_own,
        "over": nobody,
    },
    "card_played": {"seat": known, "card": known},
    "trick_taken": {"trick_no": known, "seat": known, "seven": known, "call_open": known},
    "call_passed": {"trick_no": known},
    "secret_called": Sudden(trick_no=known, numbers=news, seat=known, cards=news),
    "packet_shown": {"cards": news, "numbers": news},
    "neglect_proven": {"seat": known, "trick_no": known},
    "hand_accepted": {"seat": known},
    "hand_scored": {
        "tricks": known,
        "packet": known,
        "base": known,
        "sevens": known,
        "penalty": known,
        "delta": known,
        "totals": known,
    },
}

HIDDEN = {"select_secret": {"cards", "combo"}}
