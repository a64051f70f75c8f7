"""Goat: other hands are hidden. What a seat has chosen to pass is its own secret until the round is resolved; then the
giver and the receiver know it. The number of a book is its owner's secret until the hand is scored, unless books are
shown. The books that a stalled hand leaves unclaimed come to light by themselves."""

from typing import Any

from tests.leaks.declaring import Sudden, each_to, its_own, known, news, to, to_the_seat


def giver_and_receiver(event: Any, at: Any, place: Any) -> Any:
    seats = event["seats"]
    return seats[place], seats[(place + 1) % len(seats)]


def owner(event: Any, at: Any, _: Any) -> Any:
    return None if at.options.books_shown else (event["seat"],)


EVENTS = {
    "dealer_chosen": {"seat": news},
    "hand_dealt": {"hand_no": known, "dealer": known, "counts": known, "hands": its_own},
    "pass_chosen": {"seat": known, "card": to_the_seat},
    "round_passed": {"round_no": known, "seats": known, "cards": each_to(giver_and_receiver)},
    "race_opened": {"seat": known, "number": to_the_seat, "voided_seats": known},
    "laid_down": {"seat": known, "place": known, "auto": known},
    "book_put_away": Sudden(seat=news, number=to(owner), order=known, goat=known, voided_seats=known),
    "hand_scored": {
        "reason": known,
        "books": news,
        "dead_cards": news,
        "goats": known,
        "goat_totals": known,
        "delta": news,
        "totals": news,
    },
}

HIDDEN = {"pass_card": {"card"}, "lay_down": {"number"}}


def steer(deck: Any, table: Any, rng: Any) -> Any:
    """Some seat is dealt four cards of a number, or three of them."""
    seat, number = rng.randrange(table.seats), rng.randint(1, 13)
    wanted = [card for card in deck if card.number == number][: rng.choice((3, 4))]
    places = range(seat, len(deck), table.seats)
    for place, card in zip(rng.sample(places, min(len(wanted), len(places))), wanted, strict=False):
        other = deck.index(card)
        deck[place], deck[other] = deck[other], deck[place]


def redealt(deck: Any, places: Any, table: Any, rng: Any) -> Any:
    """Who was dealt a book is dealt another."""
    free = set(places)
    at = {number: [place for place, card in enumerate(deck) if card.number == number] for number in range(1, 14)}
    whole = [number for number, found in at.items() if free.issuperset(found)]
    books = [number for number in whole if len({place % table.seats for place in at[number]}) == 1]
    deck = list(deck)
    if books and len(whole) > 1:
        book = rng.choice(books)
        other = rng.choice([number for number in whole if number != book])
        for place, twin in zip(at[book], at[other], strict=True):
            deck[place], deck[twin] = deck[twin], deck[place]
    return deck
