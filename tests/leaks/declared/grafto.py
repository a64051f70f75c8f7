"""Grafto: other hands, the stock, and the card that a grafter puts out are hidden. A forced graft puts out the Five
itself for all to see, unless the table lets the holder choose. That somebody must graft tells who was dealt the Five."""

from typing import Any

from domain.kit.cards import Card
from tests.leaks.declaring import Sudden, its_own, known, news, nobody, to


def put_out(event: Any, at: Any, _: Any) -> Any:
    five_out = event["forced"] and at.options.forced_graft == "five_out"
    return None if five_out else (event["seat"],)


EVENTS = {
    "dealer_chosen": {"seat": news},
    "hand_dealt": {
        "hand_no": known,
        "dealer": known,
        "turn_up": news,
        "trump": news,
        "stock_count": known,
        "hands": its_own,
        "stock": nobody,
    },
    "graft_offered": Sudden(seat=news, five=known),
    "grafted": Sudden(seat=news, took=known, forced=known, discard=to(put_out)),
    "graft_declined": {"seat": known},
    "bid_made": {"seat": known, "points": known},
    "bid_passed": {"seat": known},
    "bidding_closed": {"bids": known, "reason": known, "leader": known},
    "hand_thrown_in": {"next_dealer": known},
    "card_played": {"seat": known, "card": known},
    "trick_taken": {"trick_no": known, "seat": known},
    "hand_scored": {"bids": known, "tricks": known, "taker": known, "result": known, "delta": known, "totals": known},
}

HIDDEN = {"graft": {"discard"}}


def steer(deck: Any, table: Any, rng: Any) -> Any:
    """A Five is turned up, or dealt to somebody."""
    turned, five = 7 * table.seats, deck.index(Card(f"{rng.choice('CROW')}-5"))
    deck[turned], deck[five] = deck[five], deck[turned]
    if rng.random() < 0.3:
        other = rng.randrange(turned)
        deck[turned], deck[other] = deck[other], deck[turned]
