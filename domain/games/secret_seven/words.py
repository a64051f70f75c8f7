"""Secret Seven in words: what its fields mean, and its events as sentences."""

from __future__ import annotations

from collections.abc import Sequence

from domain.game import Seat
from domain.games.secret_seven.events import (
    CallPassed,
    HandAccepted,
    HandDealt,
    HandScored,
    NeglectProven,
    PacketShown,
    SecretCalled,
    SecretSet,
    TrickTaken,
)
from domain.kit.dealing import DealerChosen
from domain.kit.plays import CardPlayed
from domain.telling.words import Say, Told, counted, joined, shown, words

GLOSSARY = {
    "base": "the points of each side for its tricks, the packet included",
    "call_open": "whether play waits for the dealer to call the trick or let it pass",
    "called_trick": "the number of the trick that the dealer has called, whose taker has the packet; null if none",
    "call_secret.numbers": "the numbers of the Secret Seven",
    "combo": "those of the cards that are the Secret Seven: of different suits, and adding up to 7",
    "over": "the cards that could not be dealt evenly and lie aside; null to those who may not see them",
    "over_count": "how many cards could not be dealt evenly and lie aside unseen",
    "pack": "the cards in use, from which the dealer chooses the packet; null to everybody else",
    "packet": "the cards that the dealer has taken out, among them the Secret Seven",
    "packet_shown.numbers": "the numbers of the Secret Seven, the highest first",
    "penalty": "the points that each side loses for the packet or for a proven neglect",
    "pending": "the opponents of the dealer who have yet to prove a neglect or accept the hand",
    "secret": "the numbers of the Secret Seven, the highest first; null to those who may not see them",
    "secret_called.numbers": "the numbers of the Secret Seven, the highest first",
    "secret_set.numbers": "the numbers of the Secret Seven, the highest first",
    "seven": "whether cards of the trick add up to 7",
    "seven_tricks": "the numbers of the tricks with cards that add up to 7",
    "sevens": "how many tricks of each side pay as sevens",
    "hand_scored.delta": "the points that this hand brings each side",
    "hand_scored.packet": "whether the side has got the packet, by side",
    "hand_scored.totals": "the points of each side so far",
    "prove_neglect.trick": "the number of the first trick that held the secret numbers",
    "tricks": "how many tricks each side has taken, the packet not included",
}


def sum_of(numbers: Sequence[int]) -> str:
    return " + ".join(map(str, numbers))


def chosen(told: Told) -> str:
    seat, seen = told.seen["seat"], told.seen
    verb = "lay" if seat == told.reader else "lays"
    if "cards" not in seen:
        return f"{told.name(seat)} {verb} {counted(seen['count'], 'card')} face down."
    return f"{told.name(seat)} {verb} {shown(seen['cards'])} face down; the Secret Seven is {sum_of(seen['numbers'])}."


def taken(told: Told) -> str:
    seat, seen = told.seen["seat"], told.seen
    took = f"{told.name(seat)} {'take' if seat == told.reader else 'takes'} trick {seen['trick_no']}"
    if not seen["seven"]:
        return f"{took}."
    return f"{took}, which holds a seven{'; the dealer may call it' if seen['call_open'] else ''}."


def called(told: Told) -> str:
    seat, seen = told.seen["seat"], told.seen
    gets = "get" if seat == told.reader else "gets"
    return (
        f"The dealer calls trick {seen['trick_no']}: the Secret Seven is {sum_of(seen['numbers'])}. "
        f"{capital(told.name(seat))} {gets} the packet: {shown(seen['cards'])}."
    )


def packet_shown(told: Told) -> str:
    numbers, cards = sum_of(told.seen["numbers"]), shown(told.seen["cards"])
    return f"The dealer shows the packet: {cards}. The Secret Seven was {numbers}."


def proven(told: Told) -> str:
    seat, trick_no = told.seen["seat"], told.seen["trick_no"]
    if seat is None:
        return f"Trick {trick_no} held the secret, and the dealer did not call it."
    proves = "prove" if seat == told.reader else "proves"
    return f"{told.name(seat)} {proves} that trick {trick_no} held the secret, which the dealer did not call."


def scored(told: Told) -> str:
    """
    >>> event = {"tricks": [7, 4], "packet": [False, True], "sevens": [2, 1], "penalty": [0, 7]}
    >>> print(scored(Told({**event, "delta": [7, -4], "totals": [45, -4]}, 2, tuple("ABCD"))).replace(". ", ".\\n"))
    A and you score 7: 7 tricks and 2 sevens.
    B and D lose 4: 4 tricks, the packet and 1 seven, less 7.
    Totals: A and you 45, B and D -4.
    """
    seen, sides = told.seen, []
    for side, delta in enumerate(seen["delta"]):
        seats = partners(told, side)
        plural = len(seats) > 1 or told.reader in seats
        verb = "score" if delta >= 0 else "lose"
        made = [counted(seen["tricks"][side], "trick")]
        made += ["the packet"] if seen["packet"][side] else []
        made += [counted(seen["sevens"][side], "seven")] if seen["sevens"][side] else []
        less = f", less {seen['penalty'][side]}" if seen["penalty"][side] else ""
        who = capital(told.people(seats))
        sides.append(f"{who} {verb}{'' if plural else 's'} {abs(delta)}: {joined(made)}{less}.")
    totals = [f"{told.people(partners(told, side))} {total}" for side, total in enumerate(seen["totals"])]
    return f"{' '.join(sides)} Totals: {', '.join(totals)}."


def partners(told: Told, side: int) -> list[Seat]:
    """The seats of a side: as many sides as there are totals share the table evenly."""
    return list(range(side, len(told.names), len(told.seen["totals"])))


def capital(text: str) -> str:
    return text[:1].upper() + text[1:]


WORDS = words(
    Say(DealerChosen, "The lot names {@seat} to deal first."),
    Say(SecretSet, chosen, chosen),
    Say(
        HandDealt,
        "{@dealer} deal{s|} hand {hand_no} and show{s|} {turned} for trumps.",
        "{@dealer} deal{s|} hand {hand_no} and show{s|} {turned} for trumps. You hold {hands}.",
        "{@dealer} deal{s|} hand {hand_no} and show{s|} {turned} for trumps. {#hands}; left over: {over}.",
    ),
    Say(CardPlayed, "{@seat} play{s|} {card}."),
    Say(TrickTaken, taken),
    Say(CallPassed, "The dealer does not call trick {trick_no}."),
    Say(SecretCalled, called),
    Say(PacketShown, packet_shown),
    Say(NeglectProven, proven),
    Say(HandAccepted, "{@seat} accept{s|} the hand."),
    Say(HandScored, scored),
)
