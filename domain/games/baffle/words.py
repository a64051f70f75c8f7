"""Baffle in words: what its fields mean, and its events as sentences."""

from __future__ import annotations

from domain.games.baffle.events import (
    CardPlayed,
    CopTaken,
    Declared,
    ExchangeDeclined,
    HandDealt,
    HandScored,
    TurnUpExchanged,
    Walkover,
)
from domain.kit.dealing import DealerChosen
from domain.kit.plays import TrickTaken
from domain.telling.words import Say, Told, counted, joined, words

GLOSSARY = {
    "all_laid_down": "what each seat has laid face down; only for those who may see everything",
    "baffled": "why each seat is baffled: one reason, several, or none",
    "choice": "what the seat does with this hand: play its own cards (content), take the cop hand, resign, or concede",
    "choices": "what each seat has chosen to do with this hand; null while it has yet to choose",
    "cop": "the six cards of the cop hand; null to those who may not see them",
    "cop_count": "how many cards lie in the middle as the cop hand: none once somebody has taken it",
    "discard": "the card that is put face down for the one turned up",
    "laid_down": "what you have laid face down: cards resigned or set aside for the cop hand, an exchanged one last",
    "laid_down_counts": "how many cards each seat has laid face down",
    "low_trump_trick": "the number of the trick with the lowest trump, which counts three; null if there was none",
    "points": "the points that come off each seat's score",
    "took": "the card turned up, which the seat took into its hand",
    "tricks": "how many tricks each seat has taken",
    "trump_missed": "whether you have led past a trump in this hand, which will baffle you",
    "card_played.trump_missed": "whether a trump should have been led instead",
    "trump_missed_by": "the seats that have led past a trump in this hand; only for those who may see everything",
    "turn_up": "the card turned up for trumps",
    "walkover": "the seat that was left alone, with the cards it showed; null if none was",
}

SPOKEN = {
    "content": ("is content with the cards dealt", "are content with the cards dealt"),
    "resign": ("resigns", "resign"),
    "concede": ("concedes the hand to the dealer", "concede the hand to the dealer"),
}
CAUSES = {
    "own_no_trick": "took no trick",
    "cop_under_two": "took fewer than two tricks with the cop hand",
    "trump_not_led": "led past a trump",
}


def declared(told: Told) -> str:
    seat, choice = told.seen["seat"], told.seen["choice"]
    return f"{told.name(seat)} {SPOKEN[choice][seat == told.reader]}."


def played(told: Told) -> str:
    seat = told.seen["seat"]
    verb, missed = ("play" if seat == told.reader else "plays"), told.seen.get("trump_missed")
    return f"{told.name(seat)} {verb} {told.seen['card']}{', and should have led a trump' if missed else ''}."


def scored(told: Told) -> str:
    """
    >>> event = {"tricks": [6, 0], "points": [8, 0], "low_trump_trick": 3, "totals": [12, 25]}
    >>> print(scored(Told({**event, "baffled": [[], ["own_no_trick"]]}, 1, ("Ann", "Bob"))).replace(". ", ".\\n"))
    Ann wins 8 points with 6 tricks; trick 3 had the lowest trump.
    You took no trick and are baffled.
    Totals: Ann 12, you 25.
    """
    seen = told.seen
    won: list[str] = []
    for seat, (points, tricks) in enumerate(zip(seen["points"], seen["tricks"], strict=True)):
        if points:
            you = seat == told.reader
            first = f"{'win' if you else 'wins'} {counted(points, 'point')}"
            count = f" with {counted(tricks, 'trick') if not won else tricks}" if tricks else ""
            won.append(f"{told.name(seat)} {points if won else first}{count}")
    lowest = seen["low_trump_trick"]
    low = "" if lowest is None else f"; trick {lowest} had the lowest trump"
    baffled = [
        f" {told.name(seat)} {joined([CAUSES[cause] for cause in causes])} and"
        f" {'are' if seat == told.reader else 'is'} baffled."
        for seat, causes in enumerate(seen["baffled"])
        if causes
    ]
    # A sentence begins with a capital, also where it begins with "you".
    sentences = "".join(f" {one[1].upper()}{one[2:]}" for one in baffled)
    return f"{joined(won)}{low}.{sentences} Totals: {told.each(seen['totals'])}."


WORDS = words(
    Say(DealerChosen, "The lot names {@seat} to deal first."),
    Say(
        HandDealt,
        "{@dealer} deal{s|} hand {hand_no} and turn{s|} up {turn_up} for trumps.",
        "{@dealer} deal{s|} hand {hand_no} and turn{s|} up {turn_up} for trumps. You hold {hands}.",
        "{@dealer} deal{s|} hand {hand_no} and turn{s|} up {turn_up} for trumps. {#hands}; the cop hand {cop}.",
    ),
    Say(Declared, declared),
    Say(
        CopTaken,
        "{@seat} set{s|} the cards dealt aside and take{s|} the cop hand.",
        "{@seat} set{s|} the cards dealt aside and take{s|} the cop hand: {cards}.",
    ),
    Say(
        TurnUpExchanged,
        "{@seat} take{s|} {took} for a card of the cop hand.",
        "{@seat} take{s|} {took} for {discard}.",
    ),
    Say(ExchangeDeclined, "{@seat} leave{s|} the card turned up where it lies."),
    Say(Walkover, "{@seat} {is|are} left alone with {cards} and ha{s|ve} all six tricks."),
    Say(CardPlayed, played, played),
    Say(TrickTaken, "{@seat} take{s|} trick {trick_no}."),
    Say(HandScored, scored),
)
