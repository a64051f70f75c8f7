"""Rustle in words: what its fields mean, and its events as sentences."""

from __future__ import annotations

from domain.games.rustle.game import HandDealt, HandScored, PacketsTakenUp
from domain.kit.dealing import DealerChosen
from domain.kit.plays import CardPlayed, TrickTaken
from domain.telling.words import Say, Told, counted, shown, words

GLOSSARY = {
    "cards_points": "the points of each seat for having taken the most cards",
    "cards_taken": "how many cards each seat has taken",
    "each": "how many cards each seat is dealt, all its packets together",
    "face_down": "the packets that lie face down before each seat, the next one on top; null while they are hidden",
    "face_down_counts": "how many cards lie face down before each seat",
    "hand_dealt.face_down": "the packets that lie face down, the one dealt first at the beginning, each by seat",
    "honours": "the points of each seat for the trump honours it has taken",
    "left_out": "the sixes that stay out of the pack, so that it can be dealt evenly",
    "packet_no": "the number of the packet in hand, in the order of dealing; the last one is played first",
    "packets": "in how many packets the cards are dealt",
}


def dealt(told: Told) -> str:
    seen = told.seen
    s = "" if seen["dealer"] == told.reader else "s"
    without = f" without {shown(seen['left_out'])}" if seen["left_out"] else ""
    text = f"{told.name(seen['dealer'])} deal{s} hand {seen['hand_no']}{without}"
    text = f"{text} and turn{s} up {seen['turned']}: {seen['trump']} is trump."
    if below := seen["packets"] - 1:
        more = f"{counted(below, 'more packet')} {'lies' if below == 1 else 'lie'} face down before each player"
        text += f" Everybody takes up {seen['each'] // seen['packets']} cards, and {more}."
    return text


def dealt_to_you(told: Told) -> str:
    return f"{dealt(told)} You hold {shown(told.seen['hands'])}."


def dealt_to_all(told: Told) -> str:
    text = f"{dealt(told)} The hands: {told.each(told.seen['hands'])}."
    for packet_no, packet in reversed(list(enumerate(told.seen["face_down"], start=1))):
        text += f" Packet {packet_no}: {told.each(packet)}."
    return text


def scored(told: Told) -> str:
    seen = told.seen
    rows = []
    for seat, points in enumerate(seen["delta"]):
        items = [f"{seen['honours'][seat]} for honours"] if seen["honours"][seat] else []
        if more := seen["cards_points"][seat]:
            items.append(f"{more} for {counted(seen['cards_taken'][seat], 'card')}")
        rows.append(f"{told.name(seat)} {points}" + (f" ({', '.join(items)})" if items else ""))
    return f"The hand is counted: {'; '.join(rows)}. Totals: {told.each(seen['totals'])}."


WORDS = words(
    Say(DealerChosen, "The lot names {@seat} to deal first."),
    Say(HandDealt, dealt, dealt_to_you, dealt_to_all),
    Say(CardPlayed, "{@seat} play{s|} {card}."),
    Say(TrickTaken, "{@seat} take{s|} trick {trick_no}."),
    Say(
        PacketsTakenUp,
        "Everybody takes up the next packet.",
        "Everybody takes up the next packet; you hold {hands}.",
        "Everybody takes up the next packet: {#hands}.",
    ),
    Say(HandScored, scored),
)
