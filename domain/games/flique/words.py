"""Flique in words: what its fields mean, and its events as sentences."""

from __future__ import annotations

from domain.games.flique.events import CardDiscarded, CardDrawn, CombinationPlaced, GameDrawn, GameWon, HandDealt
from domain.kit.dealing import DealerChosen
from domain.telling.words import Say, Told, words

GLOSSARY = {
    "combination_placed.cards": "the combination as it lies now",
    "discards": "the discard pile, the latest card last",
    "drawn": "the card that the seat on turn has drawn; null to those who may not see it",
    "onto": "the index of the combination of yours that the card is added to, from 0; null where a new one is laid",
    "passed_out": "whether a seat chose to leave the last discard; otherwise nobody could have taken it",
    "placed": "the combinations of each seat",
    "placed_counts": "how many cards each seat has placed; eleven win",
    "reserve": "the reserve, the next card first",
    "reserve_count": "how many cards the reserve has",
    "source": "where the card came from that helped to form it; `hand` where none did",
    "was_drawn": "whether it is the card just drawn",
    "wins": "the games that each seat has won",
    "with": "the cards of your hand to place it with",
}


def placed(told: Told) -> str:
    match told.seen["source"], told.seen["onto"]:
        case "drawn", None:
            return told.say("{@seat} place{s|} {cards} with the card drawn.")
        case "discard", None:
            return told.say("{@seat} take{s|} the discard and place{s|} {cards}.")
        case "drawn", _:
            return told.say("{@seat} add{s|} the card drawn to a combination, which is now {cards}.")
        case "discard", _:
            return told.say("{@seat} take{s|} the discard and add{s|} it to a combination, which is now {cards}.")
        case _:
            return told.say("{@seat} place{s|} {cards} from hand as well.")


def discarded(told: Told) -> str:
    return told.say("{@seat} discard{s|} {card}" + (", the card just drawn." if told.seen["was_drawn"] else "."))


def drawn_game(told: Told) -> str:
    why = "nobody has taken" if told.seen["passed_out"] else "nobody can take"
    return f"The reserve is empty and {why} the last discard: the game is drawn."


WORDS = words(
    Say(DealerChosen, "The lot names {@seat} to deal first."),
    Say(
        HandDealt,
        "{@dealer} deal{s|} game {hand_no}.",
        "{@dealer} deal{s|} game {hand_no}; you hold {hands}.",
        "{@dealer} deal{s|} game {hand_no}: {#hands}; in the reserve: {reserve}.",
    ),
    Say(CardDrawn, "{@seat} draw{s|} from the reserve.", "{@seat} draw{s|} {card} from the reserve."),
    Say(CombinationPlaced, placed),
    Say(CardDiscarded, discarded),
    Say(GameWon, "{@seat} {has|have} placed eleven cards and win{s|} the game. Games won: {#wins}."),
    Say(GameDrawn, drawn_game),
)
