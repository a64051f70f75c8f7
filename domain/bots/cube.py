"""What the points of a game are worth to a side, and when to turn the doubling cube.

A stake is a function: so many points won (or lost, below zero) are worth so much, in parts of ONE. In a match to a
target that is the chance to win the match from the score they lead to; nothing of it is copied, the table is computed
from the shortest matches up, by the same judgement of the cube that is used at play.

The judgement lies between two simple views. The cube is dead: nobody ever turns it again, and the value of a position
grows evenly with the chance to win. Or it is alive: chances change so smoothly that everybody doubles exactly when the
other side can just as well drop as take, so that the value grows evenly between these points. The truth is nearer to
the living cube.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cache
from itertools import pairwise
from typing import Final, NamedTuple

from domain.bots.network import ONE
from domain.games.backgammon.stakes import HIGHEST

ALIVE: Final = (17, 25)  # how near
# Of the games that are won between equal players, how many are double ones, in parts of 100.
DOUBLE_GAMES: Final = 27
POINT: Final = ONE >> 16  # so little is a point worth for its own sake, when a series is decided already

Stake = Callable[[int], int]


class Chances(NamedTuple):
    """Of a side, in parts of ONE: to win at all, double, triple; to lose double, triple."""

    win: int
    win_double: int
    win_triple: int
    lose_double: int
    lose_triple: int

    def turned(self) -> Chances:
        return Chances(ONE - self.win, self.lose_double, self.lose_triple, self.win_double, self.win_triple)


class Sight(NamedTuple):
    """A game in which a cube may be turned, as one side looks at it."""

    stake: Stake
    # Whether a side (mine: 0) could ever turn a cube of this value, if it had it.
    may_double: Callable[[int, int], bool]
    triple_game: bool

    def turned(self) -> Sight:
        stake, may_double = self.stake, self.may_double
        return Sight(lambda points: -stake(-points), lambda side, cube: may_double(1 - side, cube), self.triple_game)


def when_won(sight: Sight, chances: Chances, cube: int) -> int:
    """What a game that is won at this cube is worth on the average."""
    return _average(sight, cube, chances.win, chances.win_double, chances.win_triple)


def when_lost(sight: Sight, chances: Chances, cube: int) -> int:
    return _average(sight, -cube, ONE - chances.win, chances.lose_double, chances.lose_triple)


def _average(sight: Sight, cube: int, all_: int, double: int, triple: int) -> int:
    stake = sight.stake
    if all_ <= 0:
        return stake(cube)
    triple = min(triple, double, all_) if sight.triple_game else 0
    double = min(double, all_)
    more = (stake(2 * cube) - stake(cube)) * double + (stake(3 * cube) - stake(2 * cube)) * triple
    return stake(cube) + more // all_


def take_point(sight: Sight, chances: Chances, cube: int) -> int:
    """From which chance to win on one should take a double of this cube."""
    lost, dropped = when_lost(sight, chances, 2 * cube), sight.stake(-cube)
    if sight.may_double(0, 2 * cube):
        # I would double again when the other side has no more than its own take point.
        cash, top = ONE - take_point(sight.turned(), chances.turned(), 2 * cube), sight.stake(2 * cube)
    else:
        cash, top = ONE, when_won(sight, chances, 2 * cube)
    if top <= lost:
        return ONE if dropped > lost else 0
    return min(ONE, max(0, cash * (dropped - lost) // (top - lost)))


def worth(sight: Sight, chances: Chances, cube: int, mine: bool, theirs: bool) -> int:
    """What the game is worth with the cube at this value, and who has access to it."""
    lost, won, win = when_lost(sight, chances, cube), when_won(sight, chances, cube), chances.win
    dead = lost + (won - lost) * win // ONE
    points = [(0, lost)]
    if theirs and sight.may_double(1, cube):
        points.append((take_point(sight, chances, cube), sight.stake(-cube)))
    if mine and sight.may_double(0, cube):
        points.append((ONE - take_point(sight.turned(), chances.turned(), cube), sight.stake(cube)))
    points.append((ONE, won))
    alive = _on_the_line(points, win, dead)
    return dead + (alive - dead) * ALIVE[0] // ALIVE[1]


def _on_the_line(points: Sequence[tuple[int, int]], x: int, otherwise: int) -> int:
    """The value at x on the line through these points; where they do not follow one another, there is no such line."""
    for (low, below), (high, above) in pairwise(points):
        if low <= x <= high and low < high:
            return below + (above - below) * (x - low) // (high - low)
    return otherwise


def doubles(sight: Sight, chances: Chances, cube: int, owned: bool) -> bool:
    """Whether to double before the throw; `owned` or else the cube lies in the middle."""
    taken = worth(sight, chances, 2 * cube, False, True)
    dropped = sight.stake(cube)
    if taken < dropped:
        return taken > worth(sight, chances, cube, True, not owned)
    # The other side drops. To play on for more, the game alone must promise it: that one can double later, as the
    # living cube has it, is of no help to somebody who should have done so already.
    return dropped >= worth(sight, chances, cube, False, False)


def takes(sight: Sight, chances: Chances, cube: int) -> bool:
    """Whether to take a double of a cube of this value."""
    return worth(sight, chances, 2 * cube, True, False) >= sight.stake(-cube)


# ── What points are worth ───────────────────────────────────────────────────────────────────────────────────────


class Terms(NamedTuple):
    """The options that matter for the worth of points."""

    target: int | None  # else so many games
    games: int
    cube: bool
    crawford: bool
    triple_game: bool


def even_chances() -> Chances:
    double = ONE * DOUBLE_GAMES // 200
    return Chances(ONE // 2, double, 0, double, 0)


@cache
def match_worth(terms: Terms, mine: int, theirs: int, crawford_over: bool) -> int:
    """From -ONE to ONE: a match in which each side has still so many points to go, before a game of it."""
    if mine <= 0 or theirs <= 0:
        return ONE if mine <= 0 else -ONE
    if mine == theirs:
        return 0
    if mine > theirs:
        return -match_worth(terms, theirs, mine, crawford_over)
    short = terms.cube and terms.crawford and mine == 1
    crawford = short and not crawford_over
    sight = match_sight(terms, mine, theirs, crawford, crawford_over)
    return worth(sight, even_chances(), 1, True, True)


def match_sight(terms: Terms, mine: int, theirs: int, crawford: bool, crawford_over: bool) -> Sight:
    over = crawford_over or crawford

    def stake(points: int) -> int:
        return match_worth(terms, mine - max(0, points), theirs - max(0, -points), over)

    def may_double(side: int, cube: int) -> bool:
        to_go = theirs if side else mine
        return terms.cube and not crawford and cube < min(to_go, HIGHEST)

    return Sight(stake, may_double, terms.triple_game)


@cache
def series_worth(ahead: int, games: int) -> int:
    """From -ONE to ONE: so many points ahead with so many games to go, when the most points win."""
    if not games or abs(ahead) > 2 * games:
        return ONE if ahead > 0 else -ONE if ahead < 0 else 0
    singles = sum(series_worth(ahead + points, games - 1) for points in (-1, 1))
    double = sum(series_worth(ahead + points, games - 1) for points in (-2, 2))
    return (singles * (100 - DOUBLE_GAMES) + double * DOUBLE_GAMES) // 200


def series_sight(terms: Terms, ahead: int, games_after: int) -> Sight:
    return Sight(
        lambda points: series_worth(ahead + points, games_after) + POINT * points,
        lambda side, cube: terms.cube and cube < HIGHEST,
        terms.triple_game,
    )
