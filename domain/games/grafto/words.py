"""Grafto in words: what its fields mean, and its events as sentences."""

from __future__ import annotations

from domain.games.grafto.events import (
    BiddingClosed,
    BidMade,
    BidPassed,
    GraftDeclined,
    Grafted,
    GraftOffered,
    HandDealt,
    HandScored,
    HandThrownIn,
)
from domain.kit.dealing import DealerChosen
from domain.kit.plays import CardPlayed, TrickTaken
from domain.telling.words import Say, Told, counted, words

GLOSSARY = {
    "bid_hands": "how many hands with a bid have been played; these count towards the match",
    "bids": "what each seat has bid: 0 if it passed, null if it has not spoken",
    "bidding_closed.reason": "why the bidding is over: every seat has spoken, or 15 was bid",
    "discard": "the card that is put out for it; null to those who may not see it",
    "five": "the 5 of trumps",
    "forced": "whether the seat had to, because it was dealt the 5 of trumps",
    "graft": "the exchange of a card for the one turned up; null while there has been none",
    "highest_bid": "the highest bid so far; 0 if there is none",
    "leader": "the seat that leads to the first trick",
    "next_dealer": "the seat that deals the next hand",
    "played": "the cards of the tricks that are over",
    "points": "how many points are bid, 1 to 15",
    "result": "what came of the bids: made, set (four tricks without a bid), credit (for a lost 15), or killed",
    "taker": "the seat that took four tricks or more; null if none did",
    "took": "the card that the seat took into its hand",
    "tricks": "how many tricks each seat has taken",
    "turn_up": "the card turned up for trumps",
}


def grafted(told: Told) -> str:
    seen = told.seen
    you = seen["seat"] == told.reader
    who, has_to = told.name(seen["seat"]), "" if not seen["forced"] else " have to" if you else " has to"
    verbs = ("take", "put") if you or seen["forced"] else ("takes", "puts")
    discard = seen.get("discard", "a card unseen")
    return f"{who}{has_to} {verbs[0]} {seen['took']} and {verbs[1]} out {discard}."


def closed(told: Told) -> str:
    leader = told.seen["leader"]
    why = "With 15 the bidding is over" if told.seen["reason"] == "limit" else "All have spoken"
    bids = [f"{told.name(seat)} {bid}" for seat, bid in enumerate(told.seen["bids"]) if bid]
    return f"{why} ({', '.join(bids)}); {told.name(leader)} lead{'' if leader == told.reader else 's'}."


def scored(told: Told) -> str:
    seen = told.seen
    taker, delta = seen["taker"], seen["delta"]
    totals = f"Totals: {told.each(seen['totals'])}."
    if taker is None:
        return f"Nobody has four tricks, and the hand is killed. {totals}"
    you = taker == told.reader
    took = f"{told.name(taker)} {'have' if you else 'has'} {counted(seen['tricks'][taker], 'trick')}"
    gained = {
        "made": f" and {'make' if you else 'makes'} good: {counted(delta[taker], 'point')}",
        "credit": f" and {'are' if you else 'is'} credited the lost 15",
        "set": " without a bid, and scores nothing" if not you else " without a bid, and score nothing",
    }[seen["result"]]
    lost = [f"{told.name(seat)} {-points}" for seat, points in enumerate(delta) if points < 0]
    return f"{took}{gained}.{' Lost: ' + ', '.join(lost) + '.' if lost else ''} {totals}"


WORDS = words(
    Say(DealerChosen, "The lot names {@seat} to deal first."),
    Say(
        HandDealt,
        "{@dealer} deal{s|} hand {hand_no} and turn{s|} up {turn_up}: {trump} is trump.",
        "{@dealer} deal{s|} hand {hand_no} and turn{s|} up {turn_up}: {trump} is trump; you hold {hands}.",
        "{@dealer} deal{s|} hand {hand_no} and turn{s|} up {turn_up}: {trump} is trump; {#hands}; stock {stock}.",
    ),
    Say(GraftOffered, "It is for {@seat} to settle the graft of {five}."),
    Say(Grafted, grafted, grafted),
    Say(GraftDeclined, "{@seat} leave{s|} the Five on the table, out of play."),
    Say(BidMade, "{@seat} bid{s|} {points}."),
    Say(BidPassed, "{@seat} pass{es|}."),
    Say(BiddingClosed, closed),
    Say(HandThrownIn, "Nobody has bid, so the hand is thrown in; {@next_dealer} deal{s|} next."),
    Say(CardPlayed, "{@seat} play{s|} {card}."),
    Say(TrickTaken, "{@seat} take{s|} trick {trick_no}."),
    Say(HandScored, scored),
)
