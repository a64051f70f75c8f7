"""How `strong` plays on the track of 24 points: whole turns, judged by the network, and then over the dice.

A throw is played in single commands, but it is thought of as a whole: every position in which it can end is judged, and
for the best of them all 21 throws of whoever throws next are tried, each answered by what the network puts first. Those
that then seem best are looked into once more, a turn deeper, as many as there is time for: all 21 throws after each of
these answers. Since every command of a turn finds the same ends of it, the later commands of a throw go where the first
one wanted to go, or somewhere better.
"""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterable, Sequence
from typing import Final, NamedTuple, TypeVar

import numpy as np
from numpy.typing import NDArray

from domain.bots.network import MEN, ONE, Network, Position
from domain.bots.network import Numbers as Array
from domain.bots.throws import THROWS, WAYS, Rows, spread
from domain.kit.points import OFF, Law, Men, Numbers, Step, played

T = TypeVar("T")
Made = tuple[int, ...]
Flags = NDArray[np.bool_]
# The next plays of a side with these numbers left, after what was made of the throw already.
Choices = Callable[[Men, Men, Numbers, Made], Iterable[Step]]
WIDTH: Final = 10  # ends of a throw that are looked into
DEEP: Final = 6  # of these, those that are looked into a turn deeper
# How far behind the best an end may be to be looked into: one part of so many of what lies between a game won and lost.
NEAR: Final = 6
NEARER: Final = 12  # and to be looked into deeper
TOGETHER: Final = 3  # positions that are looked into at once: more go faster, and keep others waiting


class Scale(NamedTuple):
    """What a side plays for: the value of what is foreseen for it."""

    base: int
    weights: tuple[int, ...]

    def value(self, foreseen: Sequence[int] | Array, whole: int = 1) -> int:
        """`whole` is by what the numbers have been multiplied."""
        total = sum(w * int(x) for w, x in zip(self.weights, foreseen, strict=True))
        return self.base + total // whole

    def values(self, foreseen: Array) -> Array:
        return foreseen @ np.array(self.weights, np.int64)


class Rules(NamedTuple):
    """A game as the search sees it, at one table."""

    network: Network
    # The choices of a throw, or of one that is named; the second number says whether doubles are played.
    choices: Callable[[bool], Choices]
    over: Callable[[Men, Men], Sequence[int]]  # what came of a game for its winner: his men, and those of the loser
    swap: tuple[int, ...]  # where the side that does not throw finds its own foresight, behind the chance to win
    acey_ducey: bool = False  # whether 1 and 2 bring a double of one's choice and another throw
    full_play: bool = False  # and only if they have been played in full
    divided: bool = False  # whether what was made of doubles changes what may follow
    law: Law | None = (
        None  # by which the ends of all throws are found at once, where a throw is nothing but its numbers
    )


def turned(foreseen: Array, swap: tuple[int, ...], whole: int = ONE) -> Array:
    """The same for the other side."""
    found = foreseen[..., swap]
    found[..., 0] = whole - foreseen[..., 0]
    return found


# ── The ends of a throw ─────────────────────────────────────────────────────────────────────────────────────────


class Ends(NamedTuple):
    first: dict[Position, Step | None]  # each with the first play towards it; the thrower's men come first
    full: bool  # whether all numbers were used


def ends(choices: Choices, mine: Men, theirs: Men, numbers: Numbers, made: Made | None) -> Ends:
    """Every position in which these numbers can end. `made` is kept where it changes what may follow."""
    found: dict[Position, Step | None] = {}
    level: dict[tuple[Men, Men, Numbers, Made], Step | None] = {(mine, theirs, numbers, made or ()): None}
    full = True
    while level:
        after: dict[tuple[Men, Men, Numbers, Made], Step | None] = {}
        for (men, others, left, so_far), first in level.items():
            stuck = True
            for step in choices(men, others, left, so_far):
                stuck = False
                position = played(men, others, step)
                rest = left[1:] if step.number == left[0] else left[:-1]
                if not rest or position[0][OFF] == MEN:
                    found.setdefault(position, first or step)
                    continue
                key = (*position, rest, so_far if made is None else (*so_far, step.start))
                if key not in after:
                    after[key] = first or step
            if stuck:
                found.setdefault((men, others), first)
                full = False
        level = after
    return Ends(found, full)


# ── Judging ─────────────────────────────────────────────────────────────────────────────────────────────────────


class End(NamedTuple):
    """A position after a throw, and what is foreseen for the thrower."""

    men: Position  # the thrower's men first
    again: bool  # whether he throws again
    foreseen: Array


Judgeable = Sequence[tuple[Position, bool]]  # positions after throws, the men of the thrower first; if he throws again


def foreseen_at(rules: Rules, men: Rows, again: Flags) -> Array:
    """What is foreseen for the thrower, a row for each position."""
    found = np.empty((len(men), len(rules.swap)), np.int64)
    over = men[:, 0, OFF] == MEN
    for on, passed in ((~over & again, False), (~over & ~again, True)):
        if on.any():
            judged = rules.network.judge_men(men[on][:, ::-1] if passed else men[on])
            found[on] = turned(judged, rules.swap) if passed else judged
    for at in np.flatnonzero(over):
        found[at] = rules.over(*as_position(men[at]))
    return found


def as_rows(positions: Sequence[Position]) -> Rows:
    flat = b"".join([bytes(side) for position in positions for side in position])
    return np.frombuffer(flat, np.uint8).reshape(len(positions), 2, -1)


def as_position(row: Rows) -> Position:
    mine, theirs = row.tolist()
    return tuple(mine), tuple(theirs)


def judged(rules: Rules, positions: Judgeable) -> list[End]:
    found = foreseen_at(rules, as_rows([men for men, _ in positions]), np.array([again for _, again in positions]))
    return [End(men, again, found[n]) for n, (men, again) in enumerate(positions)]


def best(scale: Scale, found: Sequence[End]) -> End:
    values = scale.values(np.stack([end.foreseen for end in found]))
    return found[int(values.argmax())]


def replies(rules: Rules, scale: Scale, positions: Sequence[Position]) -> Generator[None, None, list[list[End]]]:
    """What the side on roll makes of each of the 21 throws, at first sight, at each position."""
    men, again, starts = yield from all_ends(rules, positions)
    found = foreseen_at(rules, men, again)
    yield
    throw = np.repeat(np.arange(len(starts)), np.diff(starts, append=len(men)))
    first = np.lexsort((-scale.values(found), throw))[starts]
    answers = [End(as_position(men[at]), bool(again[at]), found[at]) for at in first]
    if rules.acey_ducey:
        for at in range(THROWS.index((2, 1)), len(answers), len(THROWS)):
            if answers[at].again and answers[at].men[0][OFF] < MEN:
                answers[at] = yield from named(rules, scale, answers[at].men)
    return slices(answers, len(THROWS))


def all_ends(rules: Rules, positions: Sequence[Position]) -> Generator[None, None, tuple[Rows, Flags, Array]]:
    """The ends of all throws, whether the same side throws again after each, and where those of each throw begin."""
    if rules.law is not None:
        men, starts = spread(rules.law, as_rows(positions))
        yield
        return men, np.zeros(len(men), np.bool_), starts
    found: list[tuple[Position, bool]] = []
    begins = []
    for mine, theirs in positions:
        for high, low in THROWS:
            begins.append(len(found))
            found += after_throw(rules, mine, theirs, high, low)
            yield
    return as_rows([men for men, _ in found]), np.array([again for _, again in found]), np.array(begins)


def after_throw(rules: Rules, mine: Men, theirs: Men, high: int, low: int) -> list[tuple[Position, bool]]:
    doubles = high == low
    numbers = (high,) * 4 if doubles else (high, low)
    found = ends(rules.choices(doubles), mine, theirs, numbers, () if doubles and rules.divided else None)
    again = rules.acey_ducey and (high, low) == (2, 1) and (found.full or not rules.full_play)
    return [(men, again) for men in found.first]


def named(rules: Rules, scale: Scale, men: Position) -> Generator[None, None, End]:
    """The best that can be made of a double of one's own choice, before the free throw."""
    found = yield from all_named(rules, men)
    return best(scale, [end for _, end in found])


def all_named(rules: Rules, men: Position) -> Generator[None, None, list[tuple[int, End]]]:
    positions: list[tuple[Position, bool]] = []
    numbers: list[int] = []
    for number in range(1, 7):
        found = ends(rules.choices(True), *men, (number,) * 4, () if rules.divided else None)
        again = found.full or not rules.full_play
        positions += [(end, again) for end in found.first]
        numbers += [number] * len(found.first)
        yield
    return list(zip(numbers, judged(rules, positions), strict=True))


def averaged(answers: Sequence[Array | End]) -> Array:
    """What is foreseen before the throw, times 36."""
    rows = [answer.foreseen if isinstance(answer, End) else answer for answer in answers]
    return np.array(WAYS, np.int64) @ np.stack(rows)


# ── Choosing ────────────────────────────────────────────────────────────────────────────────────────────────────


class Candidate(NamedTuple):
    """A command that leads to an end of the throw; commands without an end of their own are weighed beforehand."""

    command: object
    end: End


class Weighing(NamedTuple):
    iterations: int
    weighed: tuple[tuple[object, int], ...]  # by value, the best first


def weigh(
    rules: Rules, scales: tuple[Scale, Scale], candidates: Sequence[Candidate], enough: Callable[[int], bool]
) -> Generator[None, None, Weighing]:
    """Puts ends of a throw in order. The scales are the thrower's and the other side's."""
    first_sight = scales[0].values(np.stack([one.end.foreseen for one in candidates])).tolist()
    order = sorted(range(len(candidates)), key=lambda n: (-first_sight[n], n))
    values = {n: scales[0].base + first_sight[n] for n in order}
    game, iterations = scales[0].weights[0] * ONE, 0
    if len(order) == 1 or candidates[order[0]].end.men[0][OFF] == MEN:
        return Weighing(iterations, tuple((candidates[n].command, values[n]) for n in order))

    looked: dict[int, list[End]] = {}
    wanted = [n for n in order[:WIDTH] if values[n] >= values[order[0]] - game // NEAR]
    for some in slices(wanted, together(rules)):
        if enough(iterations):
            break
        found = yield from one_throw_on(rules, scales, [candidates[n].end for n in some])
        for n, (foreseen, looked[n]) in zip(some, found, strict=True):
            values[n] = scales[0].value(foreseen, 36)
        iterations += len(some)
    ahead = sorted(looked, key=lambda n: (-values[n], n))

    deeper: dict[int, int] = {}
    close = [n for n in ahead[:DEEP] if values[n] >= values[ahead[0]] - game // NEARER]
    for n in close if len(looked) == len(wanted) and len(close) > 1 else ():
        total = np.zeros(len(rules.swap), np.int64)
        for answers in slices(list(zip(WAYS, looked[n], strict=True)), together(rules)):
            if enough(iterations):
                break
            total += yield from two_throws_on(rules, scales, candidates[n].end, answers)
            iterations += len(answers)
        else:
            deeper[n] = scales[0].value(total, 36 * 36)
            continue
        break
    if len(deeper) > 1:
        values |= deeper
        ahead = sorted(deeper, key=lambda n: (-values[n], n)) + [n for n in ahead if n not in deeper]
    order = ahead + [n for n in order if n not in looked]
    return Weighing(iterations, tuple((candidates[n].command, values[n]) for n in order))


def together(rules: Rules) -> int:
    return 1 if rules.law is None else TOGETHER


def slices(all_: list[T], size: int) -> list[list[T]]:
    return [all_[start : start + size] for start in range(0, len(all_), size)]


def one_throw_on(
    rules: Rules, scales: tuple[Scale, Scale], found: Sequence[End]
) -> Generator[None, None, list[tuple[Array, list[End]]]]:
    """What is foreseen for the thrower of each end after the next throw, times 36, and the answers to each throw."""
    again = found[0].again  # where there are several, nobody throws again
    men = [end.men if again else (end.men[1], end.men[0]) for end in found]
    answers = yield from replies(rules, scales[0 if again else 1], men)
    after = [averaged(some) for some in answers]
    mine = [one if again else turned(one, rules.swap, 36 * ONE) for one in after]
    return list(zip(mine, answers, strict=True))


def two_throws_on(
    rules: Rules, scales: tuple[Scale, Scale], end: End, answers: Sequence[tuple[int, End]]
) -> Generator[None, None, Array]:
    """What is foreseen for the thrower of this end after these answers and one more throw, times 36, added up with the
    number of throws of 36 that are answered so."""
    total = np.zeros(len(rules.swap), np.int64)
    on = []
    for ways, answer in answers:
        if answer.men[0][OFF] == MEN:
            total += ways * 36 * answer.foreseen
        else:
            on.append((ways, answer))
    if on:
        turn = scales if end.again else (scales[1], scales[0])
        found = yield from one_throw_on(rules, turn, [answer for _, answer in on])
        for (ways, _), (after, _) in zip(on, found, strict=True):
            total += ways * after
    often = sum(ways for ways, _ in answers)
    return total if end.again else turned(total, rules.swap, often * 36 * ONE)
