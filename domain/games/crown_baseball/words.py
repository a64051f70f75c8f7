"""Crown Baseball in words: what its fields mean, and its events as sentences."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from domain.games.crown_baseball.game import (
    FieldShuffled,
    FieldTurned,
    HalfEnded,
    HandDealt,
    HandExhausted,
    MenMoved,
)
from domain.kit.dealing import DealerChosen
from domain.kit.plays import CardPlayed, TrickTaken
from domain.telling.words import Say, Told, counted, joined, words

GLOSSARY = {
    "bases": "the bases with a man on them, as in `1-3`; `---` if there is none",
    "batter": "the seat at bat; null while the lot has yet to name the dealer",
    "field": "the field cards still face down, the next one first; null to those who may not see them",
    "field_count": "how many field cards are still face down",
    "field_shuffled.field": "the field pack, the card of the first trick first",
    "field_turned": "the field cards turned up in this deal, the one that counts for this trick last",
    "half": "which half of the inning it is",
    "half_ended.seat": "the seat that was at bat",
    "half_ended.runs": "the runs of this half",
    "inning": "the number of the inning, from 1; 0 before the first",
    "leader": "the seat that leads to the trick",
    "line_score": "by seat, the runs of each inning in which it has batted, the half being played included",
    "men_moved.outs": "how many men this play puts out",
    "men_moved.runs": "the runs that this play brings",
    "outs": "how many men are out in this half",
    "play": "what kind of play it is: the class of the field card by the taker of the trick",
    "played": "the cards of the tricks of this deal that are finished",
    "redeal": "whether it goes on with a half that nine tricks did not end",
    "runs": "the runs of the half being played",
    "trump_card": "the dealer's last card, shown for trumps",
    "unused": "the nine cards that nobody is dealt; null to those who may not see them",
    "unused_count": "how many cards nobody is dealt",
}

# What a field card is worth: taken by the dealer, and taken by the batter.
MEANT: Final[Mapping[str, tuple[str, str]]] = {
    "C-1": ("an out", "a three-base hit"),
    "C-2": ("an error", "an out"),
    "C-3": ("an out or double play", "a two-base hit"),
    "C-4": ("a base on balls", "an out"),
    "C-5": ("an out", "a safe hit"),
    "C-6": ("a sacrifice", "a base on balls"),
    "C-7": ("an out or double play", "a safe hit"),
    "C-8": ("a base on balls", "a strike-out"),
    "C-9": ("an out on a fly", "a safe hit"),
}
PLAYS: Final[Mapping[str, str]] = {
    "HOLD": "The batter is out",
    "DP1": "The batter is out",
    "DP2": "The batter is out",
    "SAC": "The batter is out on a sacrifice",
    "FLY": "The batter is out on a fly",
    "ADV1": "The batter reaches first, and every man moves up a base",
    "WALK": "The batter walks to first",
    "DBL": "A two-base hit",
    "TPL": "A three-base hit",
}
NAMED: Final = {"1": "first", "2": "second", "3": "third"}
BECAUSE: Final = {
    "three_out": "Three are out",
    "retired": "Nine tricks are played",
    "walk_off": "The side batting last has the lead",
}


def turned(told: Told) -> str:
    seen, leader = told.seen, told.seen["leader"]
    by_dealer, by_batter = MEANT[seen["card"]]
    stake = f"Trick {seen['trick_no']} is for {seen['card']}: {by_dealer}, or {by_batter} if the batter takes it"
    return f"{stake}; {told.name(leader)} {'lead' if leader == told.reader else 'leads'}."


def men(bases: str) -> str:
    """
    >>> men("-23"), men("1--"), men("123"), men("---")
    ('men on second and third', 'a man on first', 'the bases are full', 'the bases are empty')
    """
    held = [NAMED[base] for base in bases if base != "-"]
    if len(held) in (0, 3):
        return "the bases are full" if held else "the bases are empty"
    return f"{'a man' if len(held) == 1 else 'men'} on {joined(held)}"


def moved(told: Told) -> str:
    seen = told.seen
    what = PLAYS[seen["play"]]
    if seen["outs"] == 2:
        what = f"A double play: the batter and the man on {'first' if seen['play'] == 'DP1' else 'second'} are out"
    runs = seen["runs"]
    scored = f"; {counted(runs, 'run')} {'scores' if runs == 1 else 'score'}" if runs else ""
    return f"{what}{scored}; {men(seen['bases'])}."


def exhausted(told: Told) -> str:
    out = told.seen["outs"] or "nobody"
    return f"Nine tricks are played with {out} out: the half goes on with a new deal, {men(told.seen['bases'])}."


def ended(told: Told) -> str:
    seen = told.seen
    brought = counted(seen["runs"], "run") if seen["runs"] else "no runs"
    return (
        f"{BECAUSE[seen['reason']]}: the {seen['half']} of inning {seen['inning']} brings {told.name(seen['seat'])} "
        f"{brought}."
    )


WORDS = words(
    Say(DealerChosen, "The lot names {@seat} to deal and field first."),
    Say(FieldShuffled, "The field pack is shuffled.", all="The field pack is shuffled: {field}."),
    Say(
        HandDealt,
        "{@dealer} deal{s|} for the {half} of inning {inning} and show{s|} {trump_card}: {trump} is trump.",
        "{@dealer} deal{s|} for the {half} of inning {inning} and show{s|} {trump_card}: {trump} is trump; "
        "you hold {hands}.",
        "{@dealer} deal{s|} for the {half} of inning {inning} and show{s|} {trump_card}: {trump} is trump; {#hands}; "
        "unused {unused}.",
    ),
    Say(FieldTurned, turned),
    Say(CardPlayed, "{@seat} play{s|} {card}."),
    Say(TrickTaken, "{@seat} take{s|} the trick."),
    Say(MenMoved, moved),
    Say(HandExhausted, exhausted),
    Say(HalfEnded, ended),
)
