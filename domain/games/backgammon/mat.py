"""Backgammon in writing: single plays, and whole matches in the `.mat` text that GNU Backgammon and others read.

A `.mat` game has two columns, one a player. A cell is a cast with its plays, a word of the cube, or who won. Others
count the men on the board for themselves. Where they would come to other points than this table, the last cast is left
out: to them the loser has resigned, for the points that are written down.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Final, Literal, NamedTuple

from domain.game import Logged, Refused

Point = int | Literal["bar", "off"]
USUAL_TARGET: Final = 5
MOST_RESIGNED: Final = 3  # times the cube: more cannot be lost in a game, as others know it
SET_UP: Final = {"24": 2, "13": 5, "8": 3, "6": 5}
FAR_HOME: Final = ("bar", *map(str, range(19, 25)))


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


def whole_match(events: Sequence[Logged], names: Sequence[str]) -> str:
    """A match from its log, which says for how much it is played."""
    options: Mapping[str, Any] = next((event["options"] for kind, event in events if kind == "match_opened"), {})
    if options.get("bearing") == "first":
        told = "other programs bear a man with a number that is too high, which this table loses; they would go astray"
        raise Refused("BG-22", "export_refused", told)
    target = 0 if options.get("games") else options.get("target", USUAL_TARGET)
    return match_text(events, names, target)


def match_text(events: Iterable[Logged], names: Sequence[str], target: int) -> str:
    """The whole match, or as much of it as was played. A target of 0 stands for games without one."""
    lines = [f" {target} point match"]
    for number, game in enumerate(records(events, target), start=1):
        left, right = (f"{plain(name)} : {score}" for name, score in zip(names, game.score, strict=True))
        lines += ["", f" Game {number}", f" {left:<29}  {right}", *rows(game.cells)]
    return "\n".join(lines) + "\n"


def records(events: Iterable[Logged], target: int) -> list[Record]:
    """The games of a match from its events; those that leave no trace on paper are passed over."""
    games: list[Record] = []
    cube = 1
    score: tuple[int, ...] = (0, 0)
    for kind, event in events:
        match kind:
            case "opening_cast":
                if event["first"] is not None:
                    games.append(Record(score, []))
                    cube = 1
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
                cube = event["value"]
            case "double_dropped":
                games[-1].cells.append(Cell(event["seat"], " Drops", []))
            case "game_won":
                winner, cells = event["seat"], games[-1].cells
                jacoby = not target and cube == 1
                if event["reason"] == "borne_off" and event["value"] != value_to_others(cells, winner, jacoby):
                    cells.pop()
                elif event["reason"] == "conceded":
                    drop_unplayed(cells)
                cells.append(wins(winner, event["points"]))
                score = tuple(event["totals"])
            case "match_ended" if event["reason"] == "resigned" and games:
                winner = event["places"].index(1)
                if games[-1].cells and "Wins" in games[-1].cells[-1].text:
                    games.append(Record(score, []))
                    cube = 1
                drop_unplayed(games[-1].cells)
                missing = target - score[winner] if target else score[1 - winner] - score[winner] + 1
                games[-1].cells.append(wins(winner, max(1, min(missing, MOST_RESIGNED * cube)), " and the match"))
    return games


def wins(winner: int, points: int, what: str = "") -> Cell:
    return Cell(winner, f" Wins {points} {'point' if points == 1 else 'points'}{what}", [])


def drop_unplayed(cells: list[Cell]) -> None:
    """Who gives up leaves a cast without plays or a double without an answer, of which others make what they want."""
    if cells and not cells[-1].plays and (cells[-1].text.endswith(":") or "Doubles" in cells[-1].text):
        cells.pop()


def value_to_others(cells: Sequence[Cell], winner: int, jacoby: bool) -> int:
    """What a game that was played to its end is worth to others, the cube left aside. Without a target they think of
    money, where by the rule of Jacoby a game counts once as long as nobody has doubled."""
    men = [Counter(SET_UP), Counter(SET_UP)]
    for cell in cells:
        for play in cell.plays:
            start, end = play.removesuffix("*").split("/")
            men[cell.column][start] -= 1
            men[cell.column][end] += 1
            if play.endswith("*"):
                men[1 - cell.column][str(25 - int(end))] -= 1
                men[1 - cell.column]["bar"] += 1
    loser = men[1 - winner]
    if loser["off"] or jacoby:
        return 1
    return 3 if any(loser[point] for point in FAR_HOME) else 2


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
