"""Rustle: other hands are hidden, and the packets that lie face down are hidden from their owners too."""

from tests.leaks.declaring import its_own, known, news, nobody

EVENTS = {
    "dealer_chosen": {"seat": news},
    "hand_dealt": {
        "hand_no": known,
        "dealer": known,
        "each": known,
        "packets": known,
        "left_out": known,
        "turned": news,
        "trump": news,
        "hands": its_own,
        "face_down": nobody,
    },
    "card_played": {"seat": known, "card": known},
    "trick_taken": {"trick_no": known, "seat": known},
    "packets_taken_up": {"packet_no": known, "hands": its_own},
    "hand_scored": {"honours": known, "cards_taken": known, "cards_points": known, "delta": known, "totals": known},
}
