"""Check and Double Check in words: what its fields mean, and its events as sentences."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from domain.game import Seat
from domain.games.check_and_double_check.events import (
    CHECK,
    CardsDiscarded,
    CardsTaken,
    DealThrown,
    DiceRolled,
    DiscardPassed,
    HandDealt,
    HandWon,
)
from domain.telling.words import Say, Told, counted, joined, words

GLOSSARY = {
    "balance": "the counters that each seat has received, less those it has paid",
    "discard": "the cards of the Discard that have been seen, the top card last",
    "discard_count": "how many cards the Discard has, seen or not",
    "discard_top": "the card that lies open on the Discard",
    "discard_under": "the lowest cards of the Discard, which nobody has seen, bottom first; null while it is played",
    "discard_under_count": "how many cards at the bottom of the Discard nobody has seen",
    "eligible": "the seats that have yet to play or to keep a card of the playing number",
    "faces": "what the two dice show: 1 to 5 or CHECK; empty before the first throw of a hand",
    "dice_rolled.kind": "whether the throw is a sum of two numbers, a CHECK with a number, or a double CHECK",
    "highest": "the seats with the highest throw; a single one deals",
    "number": "the playing number: its cards may be laid away; null if there is none",
    "payments": "how many counters each seat pays to the winner",
    "points": "the counters that each seat has received in the game so far",
    "received": "the counters that each seat has received in the game so far",
    "rows": "the cards that lie open before each seat",
    "throws": "what each of these seats threw",
    "tied": "all the seats that ran out of cards on this throw, in the order in which a tie is decided",
    "top": "the card that lies open on the Discard now; null if none is left",
    "wanted": "how many cards the throw says to take",
}


def throws(told: Told, seat: Seat) -> str:
    return f"{told.name(seat)} throw{_s(told, seat)}"


def _s(told: Told, seat: Seat) -> str:
    """The ending of a verb after this seat's name."""
    return "" if seat == told.reader else "s"


def _dice(faces: Sequence[Any]) -> str:
    return " and ".join(map(str, faces))


def deal_thrown(told: Told) -> str:
    seen = told.seen
    rows = zip(seen["seats"], seen["throws"], strict=True)
    thrown = ", ".join(f"{told.name(seat)} {_dice(faces)}" for seat, faces in rows)
    best = seen["highest"]
    if len(best) == 1:
        return (
            f"The dice are thrown for the deal: {thrown}. {_first(told.name(best[0]))} deal{_s(told, best[0])} first."
        )
    return f"The dice are thrown for the deal: {thrown}. {_first(told.people(best))} tie and throw again."


def _first(name: str) -> str:
    return name[:1].upper() + name[1:]


def dice_rolled(told: Told) -> str:
    seat, faces, number = told.seen["seat"], told.seen["faces"], told.seen["number"]
    match told.seen["kind"]:
        case "sum":
            return f"{throws(told, seat)} {_dice(faces)}: the number is {number}."
        case "check" if number == 1:
            return f"{throws(told, seat)} {_dice(faces)}: nobody has a 1 to lay away."
        case "check":
            return f"{throws(told, seat)} {_dice(faces)}: the number is {number} for the others."
        case _:
            return f"{throws(told, seat)} a double {CHECK}."


def cards_taken(told: Told) -> str:
    seat, cards, top = told.seen["seat"], told.seen["cards"], told.seen["top"]
    if not cards:
        return f"{told.name(seat)} take{_s(told, seat)} nothing, because the Discard is empty."
    short = len(cards) < told.seen["wanted"]
    left = "all it had" if short else "which is now empty" if top is None else f"where {_a(top)} now lies open"
    return f"{told.name(seat)} take{_s(told, seat)} {joined([_a(card) for card in cards])} from the Discard, {left}."


def _a(card: int) -> str:
    return f"an {card}" if card == 8 else f"a {card}"


def cards_discarded(told: Told) -> str:
    seats, card = told.seen["seats"], _a(told.seen["number"])
    if len(seats) == 1:
        return f"{told.name(seats[0])} lay{_s(told, seats[0])} away {card}."
    return f"{told.people(seats)} lay away {card} each."


def hand_won(told: Told) -> str:
    seat, tied, payments = told.seen["seat"], told.seen["tied"][1:], told.seen["payments"]
    out = f"{told.name(seat)} {'have' if seat == told.reader else 'has'} no cards left"
    if tied:
        out += f", like {told.people(tied)}, but come{_s(told, seat)} first"
    gain = "no counters, because nobody has a card left"
    if sum(payments):
        paid = [f"{told.name(other)} pay{_s(told, other)} {count}" for other, count in enumerate(payments) if count]
        gain = f"{counted(sum(payments), 'counter')} ({joined(paid)})"
    return f"{out} and win{_s(told, seat)} the hand: {gain}. Received so far: {told.each(told.seen['points'])}."


WORDS = words(
    Say(DealThrown, deal_thrown),
    Say(
        HandDealt,
        "{@dealer} deal{s|} hand {hand_no}: {#rows}. On the Discard lies {discard_top}.",
        None,
        "{@dealer} deal{s|} hand {hand_no}: {#rows}. On the Discard lies {discard_top}, under it {discard_under}.",
    ),
    Say(DiceRolled, dice_rolled),
    Say(CardsTaken, cards_taken),
    Say(CardsDiscarded, cards_discarded),
    Say(DiscardPassed, "{@seat} keep{s|} the card."),
    Say(HandWon, hand_won),
)
