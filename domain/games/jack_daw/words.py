"""Jack-Daw in words: what its fields mean, and its events as sentences."""

from __future__ import annotations

from domain.games.jack_daw.game import CardsDrawn, HandDealt, HandScored, OddCardTaken
from domain.kit.dealing import DealerChosen
from domain.kit.plays import CardPlayed, TrickTaken
from domain.telling.words import Say, Told, words

GLOSSARY = {
    "deciding": "the point that reached the target and ended the count; null if none did",
    "draws": "who drew which card, in order",
    "game": "the seat with the best count of all cards taken; null if the best count is shared",
    "game_counts": "what the cards of each seat count for Game",
    "high": "the seat that took the 13 of trumps",
    "jack_daw": "the seat that took the 5 of trumps",
    "known": "the cards of each hand that everybody knows, because all saw them being drawn",
    "low": "the seat that took the 1 of trumps",
    "pack_count": "how many cards are left in the pack, the top card included",
    "pack_under": "the cards below the top card of the pack, the next one first",
    "top": "the top card of the pack, which lies face up; null when the pack is gone",
}

POINTS = {"high": "High", "low": "Low", "jack_daw": "Jack-Daw", "game": "Game"}


def drew(told: Told) -> str:
    """
    >>> drew(Told({"draws": [{"seat": 0, "card": "C-1"}, {"seat": 1, "card": "O-5"}], "top": None}, 1, ("Ann", "Bob")))
    'Ann draws C-1 and you draw O-5. The pack is gone.'
    """
    each = [
        f"{told.name(one['seat'])} {'draw' if one['seat'] == told.reader else 'draws'} {one['card']}"
        for one in told.seen["draws"]
    ]
    top = told.seen["top"]
    return f"{', '.join(each[:-1])} and {each[-1]}. " + ("The pack is gone." if top is None else f"{top} is next.")


def scored(told: Told) -> str:
    """
    >>> event = {"high": 1, "low": 0, "jack_daw": 1, "game": None, "deciding": None, "game_counts": [40, 40]}
    >>> scored(Told({**event, "totals": [1, 2]}, 1, ("Ann", "Bob")))
    'High goes to you, Low to Ann, Jack-Daw to you, Game to nobody (Ann 40, you 40). Totals: Ann 1, you 2.'
    """
    seen = told.seen
    booked: list[str] = []
    for point, title in POINTS.items():
        booked.append(f"{title} {'to' if booked else 'goes to'} {told.name(seen[point])}")
        if point == seen["deciding"]:
            break
    game = f" ({told.each(seen['game_counts'])})" if len(booked) == len(POINTS) else ""
    decided = "" if seen["deciding"] is None else f" {POINTS[seen['deciding']]} decides the match."
    return f"{', '.join(booked)}{game}.{decided} Totals: {told.each(seen['totals'])}."


WORDS = words(
    Say(DealerChosen, "The lot names {@seat} to deal first."),
    Say(
        HandDealt,
        "{@dealer} deal{s|} hand {hand_no} and turn{s|} up {top}: {trump} is trump.",
        "{@dealer} deal{s|} hand {hand_no} and turn{s|} up {top}: {trump} is trump. You hold {hands}.",
        "{@dealer} deal{s|} hand {hand_no} and turn{s|} up {top}: {trump} is trump. {#hands}; "
        "below {top}: {pack_under}.",
    ),
    Say(CardPlayed, "{@seat} play{s|} {card}."),
    Say(TrickTaken, "{@seat} take{s|} trick {trick_no}."),
    Say(CardsDrawn, drew),
    Say(OddCardTaken, "{@seat} also get{s|} the card left over: {card}."),
    Say(HandScored, scored),
)
