"""Nix in words: what its fields mean, and its events as sentences."""

from __future__ import annotations

from domain.game import Seat
from domain.games.nix.events import CardDrawn, CardPlayed, DealCardsDrawn, HandDealt, HandScored, SetCompleted
from domain.telling.words import Say, Told, words

GLOSSARY = {
    "counts": "how many cards each seat gets",
    "drawing_for_deal": "the seats that are still in the running for the first deal",
    "draws_from": "where the seat on turn draws if it cannot play: the nearest seat to its right that has cards",
    "fits": "whether it is the wanted card, which is then played at once",
    "draw.from": "the seat to draw from; it can only be the right neighbour, and need not be named",
    "leader": "the seat that holds the first card and begins",
    "lowest": "the seats with the lowest sum; a single one deals",
    "nix_holder": "the seat that held Nix, 0-0, at the close; null until then",
    "open_set": "the cards of the set that is being built, in order",
    "position": "the place of the card in the neighbour's hand, from 1; it need not be named and changes nothing",
    "set_no": "the number of the set: that of its double",
    "sets": "the completed sets, in order, each with the seat that completed it",
    "victim": "the seat from which the card is drawn",
    "wanted": "the only card that can be played now; null when none is left",
    "card_played.wanted": "the card that is wanted from now on; null when none is left",
}


def _s(told: Told, seat: Seat) -> str:
    """The ending of a verb after this seat's name."""
    return "" if seat == told.reader else "s"


def _first(name: str) -> str:
    return name[:1].upper() + name[1:]


def deal_cards_drawn(told: Told) -> str:
    seen = told.seen
    drawn = ", ".join(f"{told.name(seat)} {card}" for seat, card in zip(seen["seats"], seen["cards"], strict=True))
    least = seen["lowest"]
    if len(least) == 1:
        return f"Cards are drawn for the deal: {drawn}. {_first(told.name(least[0]))} deal{_s(told, least[0])} first."
    return f"Cards are drawn for the deal: {drawn}. {_first(told.people(least))} tie and draw again."


def card_played(told: Told) -> str:
    seat, card, wanted = told.seen["seat"], told.seen["card"], told.seen["wanted"]
    played = f"{told.name(seat)} play{_s(told, seat)} {card}"
    return f"{played}; {wanted} is wanted next." if wanted else f"{played}."


def card_drawn(told: Told) -> str:
    """A card that fits is open to all, another to the two seats between which it goes."""
    seen = told.seen
    seat = seen["seat"]
    drawn = f"{told.name(seat)} draw{_s(told, seat)} {seen.get('card', 'a card')} from {told.name(seen['victim'])}"
    return f"{drawn}, and it fits." if seen["fits"] else f"{drawn} and keep{_s(told, seat)} it."


WORDS = words(
    Say(DealCardsDrawn, deal_cards_drawn),
    Say(
        HandDealt,
        "{@dealer} deal{s|} round {hand_no}, and {@leader} lead{s|} with {wanted}.",
        "{@dealer} deal{s|} round {hand_no}, and {@leader} lead{s|} with {wanted}. You hold {hands}.",
        "{@dealer} deal{s|} round {hand_no}, and {@leader} lead{s|} with {wanted}. The hands: {#hands}.",
    ),
    Say(CardPlayed, card_played),
    Say(SetCompleted, "{@seat} complete{s|} set {set_no} for a point."),
    Say(CardDrawn, card_drawn),
    Say(
        HandScored,
        "Nix alone is left, and {@nix_holder} hold{s|} it for three points. "
        "The round brings: {#delta}. Totals: {#totals}.",
    ),
)
