"""Backgammon in writing: single plays, and whole matches in the `.mat` text that GNU Backgammon and others read.

A `.mat` game has two columns, one a player. A cell is a cast with its plays, a word of the cube, or who won.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Final, Literal, NamedTuple

from domain.game import Logged

Point = int | Literal["bar", "off"]
USUAL_TARGET: Final = 5


def written(start: Point, end: Point, hit: bool = False) -> str:
    """A play as players write it.

    >>> written(24, 18), written("bar", 20, hit=True), written(6, "off")
    ('24/18', 'bar/20*', '6/off')
    """
    return f"{start}/{end}{'*' if hit else ''}"


class Cell(NamedTuple):
    """One entry in the column of a player: words, or a cast followed by its plays."""

    column: int
    text: str
    plays: list[str]

    def __str__(self) -> str:
        """The file counts the bar as 25 and off the board as 0."""
        return " ".join((self.text, *self.plays)).replace("bar", "25").replace("off", "0")


class Record(NamedTuple):
    """A game as it is written down: the score before it, and its entries in the order of play."""

    score: tuple[int, ...]
    cells: list[Cell]


def cast(column: int, dice: Sequence[int], *plays: str) -> Cell:
    """A cast and what is played of it.

    >>> str(cast(0, (5, 3), "bar/20*", "6/3"))
    '53: 25/20* 6/3'
    """
    return Cell(column, f"{''.join(map(str, dice))}:", list(plays))


def whole_match(events: Sequence[Logged]) -> str:
    """A match from its log, which says who plays and for how much."""
    names, target = ["", ""], 0
    for kind, event in events:
        if kind == "match_opened":
            names = [place["name"] or "" for place in event["seats"]]
            options = event["options"]
            target = 0 if options.get("games") else options.get("target", USUAL_TARGET)
        elif kind == "seat_taken":
            names[event["seat"]] = event["name"]
    return match_text(events, names, target)


def match_text(events: Iterable[Logged], names: Sequence[str], target: int) -> str:
    """The whole match, or as much of it as was played. A target of 0 stands for games without one."""
    lines = [f" {target} point match"]
    for number, game in enumerate(records(events), start=1):
        left, right = (f"{plain(name)} : {score}" for name, score in zip(names, game.score, strict=True))
        lines += ["", f" Game {number}", f" {left:<31}{right}", *rows(game.cells)]
    return "\n".join(lines) + "\n"


def records(events: Iterable[Logged]) -> list[Record]:
    """The games of a match from its events; those that leave no trace on paper are passed over."""
    games: list[Record] = []
    score: tuple[int, ...] = (0, 0)
    for kind, event in events:
        match kind:
            case "opening_cast":
                if event["first"] is not None:
                    games.append(Record(score, []))
            case "dice_adopted" | "dice_rolled":
                games[-1].cells.append(cast(event["seat"], event["dice"]))
            case "man_moved":
                games[-1].cells[-1].plays.append(written(event["from"], event["to"], event["hit"]))
            case "play_undone":
                games[-1].cells[-1].plays.pop()
            case "double_offered":
                games[-1].cells.append(Cell(event["seat"], f" Doubles => {event['value']}", []))
            case "double_taken":
                games[-1].cells.append(Cell(event["seat"], " Takes", []))
            case "double_dropped":
                games[-1].cells.append(Cell(event["seat"], " Drops", []))
            case "game_won":
                unit = "point" if event["points"] == 1 else "points"
                games[-1].cells.append(Cell(event["seat"], f" Wins {event['points']} {unit}", []))
                score = tuple(event["score"])
    return games


def plain(name: str) -> str:
    """A name that cannot be mistaken for the parts of a line."""
    return " ".join(name.replace(":", " ").split()) or "?"


def rows(cells: Sequence[Cell]) -> list[str]:
    """Two columns in numbered rows. A blank stands where a player has not begun or his turn was skipped."""
    pairs: list[list[str]] = []
    for cell in cells:
        if cell.column == 0 or not pairs or pairs[-1][1]:
            pairs.append(["", ""])
        pairs[-1][cell.column] = str(cell)
    lines = [f"{number:>3}) {left:<27} {right}" for number, (left, right) in enumerate(pairs, start=1)]
    if pairs and "Wins" in (pairs[-1][0] or pairs[-1][1]):
        lines[-1] = "     " + lines[-1][5:]  # a result on a row of its own goes without a number
    return [line.rstrip() for line in lines]
