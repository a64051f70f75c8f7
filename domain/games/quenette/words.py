"""Quenette in words: what its fields mean, and its events as sentences."""

from __future__ import annotations

from domain.games.quenette.game import ExtrasTaken, HandDealt, HandScored
from domain.kit.dealing import DealerChosen
from domain.kit.plays import CardPlayed, TrickTaken
from domain.telling.words import Say, words

GLOSSARY = {
    "extras": "the cards left over from the deal, which fall to the taker of the first trick",
    "extras_count": "how many cards are left over from the deal",
    "taker": "the seat that has taken them; null while they lie on the table",
}

WORDS = words(
    Say(DealerChosen, "The lot names {@seat} to deal first."),
    Say(
        HandDealt,
        "{@dealer} deal{s|} hand {hand_no}.",
        "{@dealer} deal{s|} hand {hand_no}; you hold {hands}.",
        "{@dealer} deal{s|} hand {hand_no}: {#hands}.",
    ),
    Say(CardPlayed, "{@seat} play{s|} {card}."),
    Say(TrickTaken, "{@seat} take{s|} trick {trick_no}."),
    Say(
        ExtrasTaken,
        "{@seat} get{s|} {count:extra card}.",
        "{@seat} get{s|} the extra cards: {cards}.",
    ),
    Say(HandScored, "The hand is counted: {#delta}. Totals: {#totals}."),
)
