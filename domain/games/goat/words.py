"""Goat in words: what its fields mean, and its events as sentences."""

from __future__ import annotations

from domain.games.goat.events import (
    BookPutAway,
    HandDealt,
    HandScored,
    LaidDown,
    PassChosen,
    RaceOpened,
    RoundPassed,
)
from domain.kit.dealing import DealerChosen
from domain.telling.words import Say, Told, words

GLOSSARY = {
    "auto": "whether the clock did it, because the time of the race was up",
    "book_counts": "how many books each seat has put away in this hand",
    "books": "the numbers of the books that each seat has put away; null to those who may not see them",
    "choice": "the card you have chosen to give in this round; null while you have not",
    "choices": "the card that each seat has chosen to give in this round, for those who may see everything",
    "chosen": "the seats that have chosen the card they will give",
    "claim": "the number of the book that opened the race; null to those who may not see it",
    "counts": "how many cards each seat is dealt",
    "dead_cards": "the cards that are left in each hand when it is over; null before that",
    "goat": "the last to lay down; null if there was no race",
    "goat_counts": "how often each seat was the goat in this hand",
    "goat_totals": "how often each seat was the goat in the match so far",
    "goats": "how often each seat was the goat in this hand",
    "lay_down.number": "the number of your book; none is needed in an open race",
    "lay_down.round_no": "the round in which you hold the book; not needed in an open race",
    "number": "the number of the book",
    "open": "whether the race is on",
    "order": "the seats that have laid down, in order; of the last race when none is on",
    "place": "which place the seat takes in the race, from 1",
    "quiet_rounds": "how many rounds in a row have been passed without a book",
    "race": "who lays down after whom when somebody has a book",
    "round_no": "the number of the round of passing, from 1 in the first hand on",
    "round_passed.cards": "the card that each of the seats gives, for its giver and its receiver",
    "voided_seats": "the seats whose chosen cards stay in their hands because a book stops the round",
}

ENDINGS = {
    "no_four": "nobody has four cards left",
    "stall": "there was no book for too long",
    "all_booked": "one player alone has cards left",
}


def verb(told: Told, seat: int, own: str, other: str) -> str:
    return f"{told.name(seat)} {own if seat == told.reader else other}"


def passed(told: Told) -> str:
    """To a seat what it gave and what it got, to those who may see everything all that was passed."""
    seats, cards, round_no = told.seen["seats"], told.seen["cards"], told.seen["round_no"]
    if told.reader in seats:
        place = seats.index(told.reader)
        to, giver = told.name(seats[(place + 1) % len(seats)]), told.name(seats[place - 1])
        got = cards[str((place - 1) % len(seats))]
        return f"In round {round_no} you give {cards[str(place)]} to {to} and get {got} from {giver}."
    rows = [
        f"{told.name(seat)} gives {cards[str(place)]} to {told.name(seats[(place + 1) % len(seats)])}"
        for place, seat in enumerate(seats)
    ]
    return f"In round {round_no} {', '.join(rows)}."


def taken_back(told: Told) -> str:
    seats = told.seen["voided_seats"]
    if not seats:
        return ""
    return f" What {told.people(seats)} had chosen stays in hand."


def opened(told: Told) -> str:
    book = f"a book of {told.seen['number']}s" if "number" in told.seen else "a book"
    return f"{verb(told, told.seen['seat'], 'have', 'has')} {book}, and the race is on!{taken_back(told)}"


def laid_down(told: Told) -> str:
    seat, place = told.seen["seat"], told.seen["place"]
    if told.seen["auto"]:
        return f"The time is up, and {verb(told, seat, 'are', 'is')} laid down in place {place}."
    return f"{verb(told, seat, 'lay', 'lays')} down in place {place}."


def put_away(told: Told) -> str:
    book = f"a book of {told.seen['number']}s" if "number" in told.seen else "a book"
    goat = told.seen["goat"]
    last = "" if goat is None else f"; {verb(told, goat, 'are', 'is')} the goat"
    return f"{verb(told, told.seen['seat'], 'put', 'puts')} away {book}{last}.{taken_back(told)}"


def scored(told: Told) -> str:
    books = [(told.name(seat), numbers) for seat, numbers in enumerate(told.seen["books"]) if numbers]
    listed = "; ".join(f"{name} {', '.join(map(str, numbers))}" for name, numbers in books) or "none"
    points = f"Points: {told.each(told.seen['delta'])}. Totals: {told.each(told.seen['totals'])}."
    return f"The hand is over: {ENDINGS[told.seen['reason']]}. Books: {listed}. {points}"


WORDS = words(
    Say(DealerChosen, "The lot names {@seat} to deal first."),
    Say(
        HandDealt,
        "{@dealer} deal{s|} hand {hand_no}.",
        "{@dealer} deal{s|} hand {hand_no}; you hold {hands}.",
        "{@dealer} deal{s|} hand {hand_no}: {#hands}.",
    ),
    Say(PassChosen, "{@seat} choose{s|} a card to give.", "{@seat} choose{s|} to give {card}."),
    Say(RoundPassed, "In round {round_no} everybody passes a card to the left.", passed),
    Say(RaceOpened, opened, opened),
    Say(LaidDown, laid_down),
    Say(BookPutAway, put_away, put_away),
    Say(HandScored, scored),
)
