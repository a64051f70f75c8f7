"""Kid-O in words: what its fields mean, and its events as sentences."""

from __future__ import annotations

from domain.games.kid_o.game import HandDealt, HandScored, TrickTaken
from domain.kit.dealing import DealerChosen
from domain.kit.plays import CardPlayed
from domain.telling.words import Say, Told, counted, words

GLOSSARY = {
    "eldest": "the seat left of the dealer, which was dealt the first card and leads first",
    "even_tricks": "the seats that took tricks 2, 4 and 6, in this order",
    "first_card": "the first card dealt, which all have seen; it is eldest's. Null before the first deal",
    "kid_o_card": "the highest card of the Kid-O suit among those dealt; null until the hand is counted",
    "kid_o_suit": "the suit of the first card; null before the first deal",
    "kid_o_taker": "the seat that took the Kid-O card",
    "kid_o_trick": "the number of the trick in which the Kid-O card fell",
    "points": "what the trick itself costs its taker; the Kid-O card is counted after the hand",
    "trick_points": "what the tricks of this hand have cost each seat so far, the Kid-O card left aside",
    "undealt": "the cards that were not dealt and stay out of play; null to those who may not see them",
    "undealt_count": "how many cards were not dealt",
}

DEALT = (
    "{@dealer} deal{s|} hand {hand_no}. "
    "The first card, {first_card}, goes to {@eldest}: {kid_o_suit} is the Kid-O suit."
)


def taken(told: Told) -> str:
    seen = told.seen
    text = f"{told.name(seen['seat'])} {'take' if seen['seat'] == told.reader else 'takes'} trick {seen['trick_no']}"
    return f"{text}: {counted(seen['points'], 'point')}." if seen["points"] else f"{text}."


WORDS = words(
    Say(DealerChosen, "The lot names {@seat} to deal first."),
    Say(HandDealt, DEALT, DEALT + " You hold {hands}.", DEALT + " The hands: {#hands}. Not dealt: {undealt}."),
    Say(CardPlayed, "{@seat} play{s|} {card}."),
    Say(TrickTaken, taken),
    Say(
        HandScored,
        "The Kid-O card was {kid_o_card}, taken by {@kid_o_taker} in trick {kid_o_trick}. "
        "Points against: {#delta}. Totals: {#totals}.",
    ),
)
