"""Backgammon in words: what its fields mean, and its events as sentences."""

from __future__ import annotations

from typing import Final

from domain.games.backgammon.game import (
    DiceAdopted,
    DiceRolled,
    ManMoved,
    NumbersLost,
    OpeningCast,
    PlayUndone,
    TurnSkipped,
)
from domain.games.backgammon.stakes import (
    ConcessionAnswered,
    ConcessionOffered,
    DoubleDropped,
    DoubleOffered,
    DoubleTaken,
    GameWon,
)
from domain.kit.throws import left_over, thrown
from domain.telling.words import Say, Told, words

GLOSSARY = {
    "accepted": "whether the concession was accepted",
    "concede.value": "what you would lose: 1 for a single game, 2 for a double one, 3 for a triple one",
    "concession": "the value of the concession that waits for an answer: 1, 2 or 3; null if there is none",
    "concession_offered.value": "what would be lost: 1 for a single game, 2 for a double one, 3 for a triple one",
    "crawford": "whether this is the Crawford game, in which nobody may double",
    "cube": "the doubling cube; null at a table that plays without it",
    "dice_adopted.numbers": "the numbers to be played",
    "dice_rolled.numbers": "the numbers to be played: four of them after a doublet",
    "die": "the number played",
    "first": "the seat that has the first play; null if both are to cast again",
    "from": "the point the man starts from, as his owner counts, or `bar`",
    "game_won.cube": "what the cube showed; 1 at a table without it",
    "hit": "whether it hit a lone enemy, who went to the bar",
    "inner_side": "on which side of the board the inner tables lie",
    "men_off": "how many men each seat had borne off",
    "numbers_lost.numbers": "the numbers that could not be played",
    "offered_by": "the seat whose double waits for an answer; null if none does",
    "opening_cast.dice": "what each seat cast",
    "owner": "the seat that owns the cube; null while it is in the middle",
    "pips": "how many points the men of each seat have still to go, all together",
    "plays": "the plays made of this throw, as players write them: 13/8, bar/20* with a hit, 6/off",
    "points": "the points won: the value of the game times the cube",
    "position": "where all men stand, on one line: places as each side counts them, 25 for the bar, 0 for off",
    "game_won.totals": "the points of each seat after this game",
    "to": "the point the man comes to, as his owner counts, or `off`",
    "turn_skipped.reason": "why the turn is skipped",
    "value": "what the cube shows",
    "double_offered.value": "what the cube would show",
    "game_won.value": "1 for a single game, 2 for a double one, 3 for a triple one",
}

GAMES: Final = ("no", "a single", "a double", "a triple")
REASONS: Final = {
    "borne_off": "{@seat} {has|have} borne off all fifteen men and win{s|}",
    "dropped": "{@seat} win{s|}",
    "conceded": "By concession {@seat} win{s|}",
}


def opened(told: Told) -> str:
    seen = told.seen
    if seen["first"] is None:
        return told.say(f"Game {seen['game_no']}: both players cast {seen['dice'][0]} and have to cast again.")
    crawford = " In this game nobody may double." if seen["crawford"] else ""
    return told.say(f"Game {seen['game_no']} opens with {{#dice}}: {{@first}} {{has|have}} the first play.{crawford}")


def adopted(told: Told) -> str:
    return told.say(f"{{@seat}} keep{{s|}} the opening dice, {thrown(told.seen['dice'])}.")


def rolled(told: Told) -> str:
    return told.say(f"{{@seat}} throw{{s|}} {thrown(told.seen['dice'])}.")


def moved(told: Told) -> str:
    seen = told.seen
    hit = f" and hit{{s|}} {told.whose(1 - seen['seat'])} man there" if seen["hit"] else ""
    if seen["from"] == "bar":
        return told.say(f"{{@seat}} enter{{s|}} a man from the bar on {{to}}{hit}.")
    if seen["to"] == "off":
        return told.say("{@seat} bear{s|} off a man from {from} with {die}.")
    return told.say(f"{{@seat}} move{{s|}} a man from {{from}} to {{to}}{hit}.")


def undone(told: Told) -> str:
    seen = told.seen
    man = "the man just borne off" if seen["to"] == "off" else f"the man on {seen['to']}"
    back = "to the bar" if seen["from"] == "bar" else f"to {seen['from']}"
    hit = ", and the man that was hit leaves the bar" if seen["hit"] else ""
    return told.say(f"{{@seat}} take{{s|}} {man} back {back}{hit}.")


def lost(told: Told) -> str:
    return told.say(f"{{@seat}} cannot play {left_over(told.seen['numbers'])}.")


def conceded(told: Told) -> str:
    return told.say(f"{{@seat}} offer{{s|}} to concede {GAMES[told.seen['value']]} game.")


def answered(told: Told) -> str:
    verb = "accept" if told.seen["accepted"] else "refuse"
    return told.say(f"{{@seat}} {verb}{{s|}} the concession.")


def won(told: Told) -> str:
    seen = told.seen
    cube = f" with the cube at {seen['cube']}" if seen["cube"] > 1 else ""
    how = f"{REASONS[seen['reason']]} {GAMES[seen['value']]} game"
    return told.say(f"{how}{cube}: {{points:point}}. Totals: {{#totals}}.")


WORDS = words(
    Say(OpeningCast, opened),
    Say(DiceAdopted, adopted),
    Say(DiceRolled, rolled),
    Say(ManMoved, moved),
    Say(PlayUndone, undone),
    Say(NumbersLost, lost),
    Say(TurnSkipped, "{@seat} {is|are} shut out: the enemy holds every point on which a man could enter."),
    Say(DoubleOffered, "{@seat} offer{s|} to double the stakes to {value}."),
    Say(DoubleTaken, "{@seat} take{s|} the double and own{s|} the cube, which now shows {value}."),
    Say(DoubleDropped, "{@seat} decline{s|} the double and lose{s|} the game."),
    Say(ConcessionOffered, conceded),
    Say(ConcessionAnswered, answered),
    Say(GameWon, won),
)
