"""Kid-O: other hands and the undealt cards are hidden. Which card is the Kid-O card shows when the hand is scored; by
then every card that was dealt lies open, so that the score is no news."""

from tests.leaks.declaring import its_own, known, news, nobody

EVENTS = {
    "dealer_chosen": {"seat": news},
    "hand_dealt": {
        "hand_no": known,
        "dealer": known,
        "eldest": known,
        "first_card": news,
        "kid_o_suit": news,
        "undealt_count": known,
        "hands": its_own,
        "undealt": nobody,
    },
    "card_played": {"seat": known, "card": known},
    "trick_taken": {"trick_no": known, "seat": known, "points": known},
    "hand_scored": {
        "kid_o_card": known,
        "kid_o_trick": known,
        "kid_o_taker": known,
        "even_tricks": known,
        "delta": known,
        "totals": known,
    },
}
