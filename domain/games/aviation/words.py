"""Aviation in words: what its fields mean, and its events as sentences."""

from __future__ import annotations

from domain.games.aviation.events import CardPlayed, CardsGiven, HandDealt, HandEnded, PileTaken, ReserveLaid
from domain.games.aviation.flights import NAME, way_of
from domain.kit.cards import Card
from domain.kit.dealing import DealerChosen
from domain.telling.words import Say, Told, words

GLOSSARY = {
    "ascension": "the pile that is built up from 1 to 7",
    "descent": "the pile that is built down from 13 to 8",
    "directions": "which way each seat builds now: U on the ascension, D on the descent",
    "drome_counts": "how many cards each seat's drome has",
    "drome_tops": "the top card of each seat's drome; null where it is used up",
    "dromes": "the whole drome of each seat; null to those who may not see the covered cards",
    "dromes_below": "the covered cards of each seat's drome",
    "draw_from.seat": "the opponent before whom the card lies",
    "from": "where the card lies",
    "hand_ended.totals": "the points of each side so far",
    "owes": "whether the seat on turn has drawn a card and has yet to follow it with one of its own",
    "owner": "the seat whose card it was",
    "pile": "which pile it is: U the ascension, D the descent",
    "pile_taken.totals": "the points of each side so far",
    "points": "what it brings: 5, or 0 if it was built the wrong way",
    "reserves": "the reserve cards of each seat, in the order in which they were laid",
    "source": "where the card lay",
    "uncovered": "the card that comes to the top of the drome; null where none does",
    "wanted_down": "the number that the descent waits for",
    "wanted_up": "the number that the ascension waits for",
}


def played(told: Told) -> str:
    seen = told.seen
    if seen["owner"] != seen["seat"]:
        what = "{@seat} draw{s|} {card} from {@owner's} {source}"
    else:
        what = (
            "{@seat} play{s|} {card} from hand"
            if seen["source"] == "hand"
            else "{@seat} play{s|} {card} from the {source}"
        )
    uncovered = "; {uncovered} comes to light" if seen["uncovered"] else ""
    return told.say(f"{what} onto {NAME[way_of(Card(seen['card']))]}{uncovered}.")


def side_points(told: Told) -> str:
    seats = len(told.seen["directions"])
    return ", ".join(
        f"{told.people(range(side, seats, 2))} {points}" for side, points in enumerate(told.seen["totals"])
    )


def taken(told: Told) -> str:
    pile = NAME[told.seen["pile"]]
    if not told.seen["points"]:
        return told.say(f"{{@seat}} complete{{s|}} {pile} while due to build the other way, so it scores nothing.")
    return told.say(f"{{@seat}} complete{{s|}} {pile}: {{points:point}}. Totals: {side_points(told)}.")


def ended(told: Told) -> str:
    return f"A hand is empty and the stock is gone, so the hand is over. Totals: {side_points(told)}."


WORDS = words(
    Say(DealerChosen, "The lot names {@seat} to deal first."),
    Say(
        HandDealt,
        "{@dealer} deal{s|} hand {hand_no}; on the dromes lie: {#drome_tops}.",
        "{@dealer} deal{s|} hand {hand_no}; on the dromes lie: {#drome_tops}; you hold {hands}.",
        "{@dealer} deal{s|} hand {hand_no}; on the dromes lie: {#drome_tops}; below them: {#dromes_below}; "
        "in hand: {#hands}; in the stock: {stock}.",
    ),
    Say(CardPlayed, played),
    Say(PileTaken, taken),
    Say(
        CardsGiven,
        "{@seat} get{s|} {count:new card} from the stock.",
        "{@seat} get{s|} {cards} from the stock.",
    ),
    Say(ReserveLaid, "{@seat} lay{s|} {card} in reserve and end{s|} the turn."),
    Say(HandEnded, ended),
)
