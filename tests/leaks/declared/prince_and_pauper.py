"""Prince and Pauper: other hands are hidden. All cards are dealt, and the last one is turned up for all to see."""

from typing import Any

from domain.kit.cards import PAUPER, PRINCE
from tests.leaks.declaring import its_own, known, news

EVENTS = {
    "dealer_chosen": {"seat": news},
    "hand_dealt": {
        "hand_no": known,
        "dealer": known,
        "counts": known,
        "turned": news,
        "owner": known,
        "trump": news,
        "basis": news,
        "hands": its_own,
    },
    "hand_voided": {"reason": known},
    "card_played": {"seat": known, "card": known, "pauper": known},
    "trick_taken": {"trick_no": known, "seat": known, "next_lead": known},
    "hand_scored": {"tallies": known, "delta": known, "totals": known},
}


def steer(deck: Any, table: Any, rng: Any) -> Any:
    """The Prince or the Pauper is turned up."""
    if rng.random() < 0.3:
        place = deck.index(rng.choice((PRINCE, PAUPER)))
        deck[-1], deck[place] = deck[place], deck[-1]
