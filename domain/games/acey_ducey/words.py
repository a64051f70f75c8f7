"""Acey-Ducey in words: what its fields mean, and its events as sentences."""

from __future__ import annotations

from collections.abc import Sequence

from domain.game import Seat
from domain.games.acey_ducey.game import DiceRolled, DoubleNamed, GameWon, ManMoved, NumbersLost, StartThrown, colour_of
from domain.kit.throws import left_over, thrown
from domain.telling.words import Say, Told, counted, words

GLOSSARY = {
    "bonus": "what an Acey-Ducey still brings: a double to name, or another throw; null if nothing",
    "bonus_lost": "whether the rest of an Acey-Ducey is lost with them",
    "colour": "the side that won: 0 for the even seats, 1 for the odd ones",
    "dice_rolled.kind": "what was thrown: two different numbers, doubles, or the Acey-Ducey of 1 and 2",
    "dice_rolled.numbers": "the numbers to be played: four of them after doubles",
    "double_named.number": "the number that is played as doubles",
    "double_named.numbers": "the numbers to be played",
    "doubles": "whether the numbers are played as doubles, be they thrown or named",
    "free": "whether the throw is the free one that follows an Acey-Ducey",
    "from": "the space the man starts from, as his owner counts, or `hand` or `centre`",
    "hit": "whether it kicked a lone enemy to the centre",
    "men_left": "how many men the other side had not yet taken off",
    "name_double.number": "the number to play as doubles, 1 to 6",
    "number": "the number played",
    "numbers_lost.numbers": "the numbers that could not be played",
    "partner_chat": "whether partners may talk while a game runs",
    "points": "the points won",
    "score": "the points of each side after this game",
    "start_thrown.dice": "what the first seat of each colour threw",
    "starter": "the seat that starts; null if both have to throw again",
    "target": "how many points win the match",
    "to": "the space the man comes to, as his owner counts, or `off`",
}


def started(told: Told) -> str:
    seen = told.seen
    if seen["starter"] is None:
        both = told.people((0, 1))
        return f"Game {seen['game_no']}: {both} both throw {seen['dice'][0]} and have to throw again."
    return told.say(f"Game {seen['game_no']} opens with {{#dice}}: {{@starter}} start{{s|}}.")


def rolled(told: Told) -> str:
    seen = told.seen
    throws = "use{s|} the free throw:" if seen["free"] else "throw{s|}"
    if seen["kind"] == "acey_ducey":
        return told.say(f"{{@seat}} {throws} 1 and 2, an Acey-Ducey!")
    return told.say(f"{{@seat}} {throws} {thrown(seen['dice'])}.")


def moved(told: Told) -> str:
    seen = told.seen
    kick = f" and kick{{s|}} {whose(told, 1 - colour_of(seen['seat']))} man to the centre" if seen["hit"] else ""
    match seen["from"], seen["to"]:
        case "hand", to:
            return told.say(f"{{@seat}} enter{{s|}} a man on {to}{kick}.")
        case "centre", to:
            return told.say(f"{{@seat}} bring{{s|}} a man back in from the centre on {to}{kick}.")
        case start, "off":
            return told.say(f"{{@seat}} take{{s|}} a man off from {start} with {{number}}.")
        case start, to:
            return told.say(f"{{@seat}} move{{s|}} a man from {start} to {to}{kick}.")


def owners(told: Told, colour: int) -> Sequence[Seat]:
    return range(colour, len(told.names), 2)


def whose(told: Told, colour: int) -> str:
    seats = owners(told, colour)
    return "your" if told.reader in seats else f"{told.people(seats)}'s"


def lost(told: Told) -> str:
    bonus = ", and the rest of the Acey-Ducey is lost with it" if told.seen["bonus_lost"] else ""
    return told.say(f"{{@seat}} cannot play {left_over(told.seen['numbers'])}{bonus}.")


def won(told: Told) -> str:
    seen = told.seen
    left = counted(seen["men_left"], "enemy man/enemy men")
    totals = ", ".join(f"{told.people(owners(told, side))} {points}" for side, points in enumerate(seen["score"]))
    return told.say(
        f"{{@seats}} {{has|have}} taken off all fifteen men, with {left} left, and win{{s|}} "
        f"{{points:point}}. Totals: {totals}."
    )


WORDS = words(
    Say(StartThrown, started),
    Say(DiceRolled, rolled),
    Say(ManMoved, moved),
    Say(NumbersLost, lost),
    Say(DoubleNamed, "{@seat} name{s|} double {number}."),
    Say(GameWon, won),
)
