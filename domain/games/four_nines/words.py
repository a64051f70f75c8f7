"""Four Nines in words: what its fields mean, and its events as sentences."""

from __future__ import annotations

from typing import Final

from domain.games.four_nines.cross import CROSSES
from domain.games.four_nines.events import (
    DiceRolled,
    DiscEntered,
    DiscForfeited,
    DiscMoved,
    EntryMissed,
    GameWon,
    GiftGiven,
    PlayEnded,
    StartThrown,
)
from domain.kit.throws import left_over, thrown
from domain.telling.words import Say, Told, counted, words

GLOSSARY = {
    "again": "whether the seat throws again after this",
    "best": "the seats with the best throw; if they are several, they throw again",
    "by": "what brought it in: a 5, a total of 5, or the 5 of another seat",
    "captured": "the disc that was captured and has to wait again; null if none was",
    "captured_counts": "how many captured discs of each seat await their first chance to enter; null with one die",
    "chances": "how many discs the throw can enter",
    "dice_rolled.numbers": "the numbers that the thrower can use; none if the throw lapses or goes to others",
    "disc": "the number of the disc among those of its owner, 0 to 3",
    "discs": "how far each disc of each seat has come: -1 waiting, 0 on the entering circle, and so on until Home",
    "discs_home": "how many discs each seat has Home",
    "entered": "whether each seat has entered a disc in this game",
    "entry_missed.discs": "how many captured discs were not entered",
    "from": "how far the disc had come",
    "game_points": "the points of each seat in this game; they are counted with two dice only",
    "gift_given.numbers": "the numbers that the seat can use",
    "left": "the numbers that can still be used",
    "must_use_count": "how many numbers of this throw must still be used",
    "need": "how many of the numbers must be used",
    "number": "the number used",
    "player": "the seat that uses the numbers: another than the thrower if the throw was given away",
    "points": "the points it brings; they are counted with two dice only",
    "disc_forfeited.reason": "what sent it back",
    "road": "the space of the road it comes to; null if it has left the road",
    "scores": "the points of each seat in this game",
    "sums": "the points of each seat in all games so far",
    "throw_no": "the number of this throw in the turn, from 1",
    "thrower": "the seat that threw the dice",
    "throws": "what each of the seats threw",
    "to": "how far the disc has come now",
    "unused": "the numbers that are left unused",
    "wins": "how many games each seat has won",
    "with": "what to enter by: a 5, or the total of both dice",
}

HOMES: Final = frozenset(cross.home for cross in CROSSES.values())


def started(told: Told) -> str:
    seen = told.seen
    throws = zip(seen["seats"], seen["throws"], strict=True)
    each = ", ".join(f"{told.name(seat)} {sum(dice)}" for seat, dice in throws)
    then = "throw{s|} again" if len(seen["best"]) > 1 else "start{s|}"
    return told.say(f"The throw for the start: {each}; {{@best}} {then}.")


def rolled(told: Told) -> str:
    seen = told.seen
    throws = "now throw{s|}" if seen["throw_no"] > 1 else "throw{s|}"
    it = "it" if len(seen["dice"]) == 1 else "them"
    match bool(seen["numbers"]), seen["again"]:
        case True, True:
            then = " and will throw again"
        case False, True:
            then = f", cannot use {it}, and will throw again"
        case False, False:
            then = f" but cannot use {it}"
        case _:
            then = ""
    return told.say(f"{{@seat}} {throws} {thrown(seen['dice'])}{then}.")


def capture(told: Told) -> str:
    """What else comes of it: a disc that is captured, and points."""
    seen, text = told.seen, ""
    if captured := seen["captured"]:
        text = f" and capture{{s|}} {told.whose(captured['seat'])} disc"
    return text + (f": {counted(seen['points'], 'point')}" if seen["points"] else "")


ENTRIES: Final = {
    "five": "enter{s|} disc {disc} with a 5",
    "sum": "enter{s|} disc {disc} with a total of 5",
    "shared": "enter{s|} disc {disc} by the same throw",
}


def entered(told: Told) -> str:
    return told.say(f"{{@seat}} {ENTRIES[told.seen['by']]}{capture(told)}.")


def moved(told: Told) -> str:
    seen = told.seen
    if seen["road"] is not None:
        return told.say(f"{{@seat}} move{{s|}} disc {{disc}} by {{number}} to space {{road}}{capture(told)}.")
    if seen["to"] in HOMES:
        return told.say(f"{{@seat}} bring{{s|}} disc {{disc}} Home with {{number}}{capture(told)}.")
    return told.say("{@seat} move{s|} disc {disc} by {number} up the column.")


SENT_BACK: Final = {"third_six": "third 6", "third_doublet": "third doublet"}


def forfeited(told: Told) -> str:
    return told.say(f"The {SENT_BACK[told.seen['reason']]} of the turn sends {{@seat's}} disc {{disc}} back to wait.")


def ended(told: Told) -> str:
    return told.say(f"{{@seat}} leave{{s|}} {left_over(told.seen['unused'])} unused.")


def missed(told: Told) -> str:
    discs, lost = counted(told.seen["discs"], "captured disc"), counted(-told.seen["points"], "point")
    return told.say(f"{{@seat}} {{has|have}} not entered {discs} at the first chance and lose{{s|}} {lost}.")


def won(told: Told) -> str:
    seen = told.seen
    points = " Points: {#scores}." if any(seen["scores"]) else ""
    return told.say(f"{{@seats}} win{{s|}} the game. Discs Home: {{#discs_home}}.{points} Games won: {{#wins}}.")


WORDS = words(
    Say(StartThrown, started),
    Say(DiceRolled, rolled),
    Say(GiftGiven, "{@seat} may play {@thrower's} throw: {numbers}."),
    Say(DiscEntered, entered),
    Say(DiscMoved, moved),
    Say(DiscForfeited, forfeited),
    Say(PlayEnded, ended),
    Say(EntryMissed, missed),
    Say(GameWon, won),
)
