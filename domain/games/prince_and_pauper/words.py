"""Prince and Pauper in words: what its fields mean, and its events as sentences."""

from __future__ import annotations

from domain.games.prince_and_pauper.game import CardPlayed, HandDealt, HandScored, HandVoided, TrickTaken
from domain.kit.dealing import DealerChosen
from domain.telling.words import Say, Told, shown, words

GLOSSARY = {
    "basis": "how trumps were found: the suit of the card turned up, C in its stead, or not at all in a void hand",
    "card_played.pauper": "how the Pauper was played: got rid of in time, or as the last card of a hand; else null",
    "counts": "how many cards each seat was dealt",
    "fives": "points for the fives taken, one each",
    "hand_scored.pauper": "points lost by taking the Pauper",
    "hand_voided.reason": "why the hand is void: the card turned up has no suit",
    "most_tricks": "points for having taken the most tricks",
    "next_lead": "the seat that leads next: the taker, or the next seat that has cards; null after the last trick",
    "owner": "the seat that was dealt the card turned up",
    "pauper_taker": "the seat that kept the Pauper to the end and so takes this trick; null while nobody does",
    "prince": "points for taking the Prince",
    "tallies": "what each seat scores, item by item",
    "tens": "points for the tens taken, two each",
    "two_of_trumps": "points for taking the two of trumps",
}

ITEMS = {
    "fives": "fives",
    "tens": "tens",
    "two_of_trumps": "two of trumps",
    "prince": "Prince",
    "pauper": "Pauper",
    "most_tricks": "most tricks",
}


def dealt(told: Told) -> str:
    seen = told.seen
    verb = "deal" if seen["dealer"] == told.reader else "deals"
    whose = "your" if seen["owner"] == told.reader else f"{told.name(seen['owner'])}'s"
    so = {
        "suit": f": {seen['trump']} is trump",
        "fallback": f", which has no suit: {seen['trump']} is trump",
        "void": ", which has no suit: nothing is trump",
    }[seen["basis"]]
    turned = f"The card turned up is {whose} {seen['turned']}{so}."
    return f"{told.name(seen['dealer'])} {verb} hand {seen['hand_no']}. {turned}"


def dealt_to_you(told: Told) -> str:
    return f"{dealt(told)} You hold {shown(told.seen['hands'])}."


def dealt_to_all(told: Told) -> str:
    return f"{dealt(told)} The hands: {told.each(told.seen['hands'])}."


def played(told: Told) -> str:
    seen = told.seen
    name, reads = told.name(seen["seat"]), seen["seat"] == told.reader
    if seen["pauper"] == "disposed":
        return f"{name} {'get' if reads else 'gets'} rid of the PAUPER."
    if seen["pauper"] == "last":
        return f"{name} {'have' if reads else 'has'} only the PAUPER left to play, and it takes the trick."
    return f"{name} {'play' if reads else 'plays'} {seen['card']}."


def taken(told: Told) -> str:
    seen = told.seen
    reads, lead = seen["seat"] == told.reader, seen["next_lead"]
    text = f"{told.name(seen['seat'])} {'take' if reads else 'takes'} trick {seen['trick_no']}"
    if lead is None or lead == seen["seat"]:
        return f"{text}."
    leads = "lead" if lead == told.reader else "leads"
    return f"{text} and {'have' if reads else 'has'} no cards left, so {told.name(lead)} {leads} next."


def scored(told: Told) -> str:
    seen = told.seen
    rows = []
    for seat, (tally, points) in enumerate(zip(seen["tallies"], seen["delta"], strict=True)):
        items = ", ".join(f"{ITEMS[item]} {worth}" for item, worth in tally.items() if worth)
        rows.append(f"{told.name(seat)} {points}" + (f" ({items})" if items else ""))
    return f"The hand is counted: {'; '.join(rows)}. Totals: {told.each(seen['totals'])}."


WORDS = words(
    Say(DealerChosen, "The lot names {@seat} to deal first."),
    Say(HandDealt, dealt, dealt_to_you, dealt_to_all),
    Say(HandVoided, "The hand is void and is dealt again by the same dealer."),
    Say(CardPlayed, played),
    Say(TrickTaken, taken),
    Say(HandScored, scored),
)
