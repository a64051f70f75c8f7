"""Quenette: other hands are hidden; the extras are hidden from all until the first trick is taken, and then from all
but the taker (from nobody, or from him too, by option) until the hand is scored."""

from tests.leaks.declaring import its_own, known, news, nobody, to

EXTRAS_SEEN = {"taker": lambda taker: (taker,), "all": lambda taker: None, "none": lambda taker: ()}

EVENTS = {
    "dealer_chosen": {"seat": news},
    "hand_dealt": {"hand_no": known, "dealer": known, "extras_count": known, "hands": its_own, "extras": nobody},
    "card_played": {"seat": known, "card": known},
    "trick_taken": {"trick_no": known, "seat": known},
    "extras_taken": {
        "seat": known,
        "count": known,
        "cards": to(lambda event, at, _: EXTRAS_SEEN[at.options.extras_view](event["seat"])),
    },
    "hand_scored": {"extras": news, "delta": news, "totals": news},
}
