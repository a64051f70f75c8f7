"""Crown Baseball: the rival's hand, the nine unused cards, and the order of the field cards not yet turned are hidden.
What is unplayed when a half ends is put away unseen."""

from tests.leaks.declaring import its_own, known, news, nobody

EVENTS = {
    "dealer_chosen": {"seat": news},
    "field_shuffled": {"field": nobody},
    "hand_dealt": {
        "inning": known,
        "half": known,
        "dealer": known,
        "redeal": known,
        "trump_card": news,
        "trump": news,
        "hands": its_own,
        "unused": nobody,
    },
    "field_turned": {"trick_no": known, "card": news, "leader": known},
    "card_played": {"seat": known, "card": known},
    "trick_taken": {"trick_no": known, "seat": known},
    "men_moved": {"play": known, "bases": known, "runs": known, "outs": known},
    "hand_exhausted": {"bases": known, "outs": known},
    "half_ended": {"inning": known, "half": known, "seat": known, "runs": known, "reason": known},
}
