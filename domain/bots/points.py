"""How `strong` plays on the track of 24 points: whole turns, judged by the network, and then over the dice.

A throw is played in single commands, but it is thought of as a whole: every position in which it can end is judged, and
for the best of them all 21 throws of whoever throws next are tried, each answered by what the network puts first. While
there is time the best two or three are looked into once more, a turn deeper. Since every command of a turn finds the
same ends of it, the later commands of a throw go where the first one wanted to go, or somewhere better.
"""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterable, Sequence
from itertools import pairwise
from typing import Final, NamedTuple

import numpy as np

from domain.bots.network import MEN, ONE, Network, Position
from domain.bots.network import Numbers as Array
from domain.kit.points import OFF, Men, Numbers, Step, played

Made = tuple[int, ...]
# The next plays of a side with these numbers left, after what was made of the throw already.
Choices = Callable[[Men, Men, Numbers, Made], Iterable[Step]]
THROWS: Final = tuple((high, low) for high in range(1, 7) for low in range(1, high + 1))
WAYS: Final = tuple(1 if high == low else 2 for high, low in THROWS)  # of 36
WIDTH: Final = 8  # ends of a throw that are looked into
DEEP: Final = 3  # of these, those that are looked into a turn deeper


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


def foreseen_at(rules: Rules, positions: Judgeable) -> Array:
    """What is foreseen for the thrower, a row for each position."""
    found = np.empty((len(positions), len(rules.swap)), np.int64)
    on = [n for n, ((mine, _), _) in enumerate(positions) if mine[OFF] < MEN]
    if on:
        foreseen = rules.network.judge(
            [men if again else (men[1], men[0]) for men, again in (positions[n] for n in on)]
        )
        passed = np.array([not positions[n][1] for n in on])
        foreseen[passed] = turned(foreseen[passed], rules.swap)
        found[on] = foreseen
    if len(on) < len(positions):
        for n, (men, _) in enumerate(positions):
            if men[0][OFF] == MEN:
                found[n] = rules.over(*men)
    return found


def judged(rules: Rules, positions: Judgeable) -> list[End]:
    found = foreseen_at(rules, positions)
    return [End(men, again, found[n]) for n, (men, again) in enumerate(positions)]


def best(scale: Scale, found: Sequence[End]) -> End:
    values = scale.values(np.stack([end.foreseen for end in found]))
    return found[int(values.argmax())]


def replies(rules: Rules, scale: Scale, men: Position) -> Generator[None, None, list[End]]:
    """What the side on roll makes of each of the 21 throws, at first sight."""
    mine, theirs = men
    positions: list[tuple[Position, bool]] = []
    marks = [0]
    for high, low in THROWS:
        positions += after_throw(rules, mine, theirs, high, low)
        marks.append(len(positions))
        yield
    found = foreseen_at(rules, positions)
    yield
    values = scale.values(found)
    first = [low + int(values[low:high].argmax()) for low, high in pairwise(marks)]
    answers = [End(*positions[at], found[at]) for at in first]
    if rules.acey_ducey:
        at = THROWS.index((2, 1))
        if answers[at].again and answers[at].men[0][OFF] < MEN:
            answers[at] = yield from named(rules, scale, answers[at].men)
    return answers


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
    iterations = 0
    if len(order) == 1 or candidates[order[0]].end.men[0][OFF] == MEN:
        return Weighing(iterations, tuple((candidates[n].command, values[n]) for n in order))

    looked: dict[int, list[End]] = {}
    for n in order[:WIDTH]:
        if enough(iterations):
            break
        found, looked[n] = yield from one_throw_on(rules, scales, candidates[n].end)
        values[n] = scales[0].value(found, 36)
        iterations += 1
    ahead = sorted(looked, key=lambda n: (-values[n], n))

    deeper: dict[int, Array] = {n: np.zeros(len(rules.swap), np.int64) for n in ahead[:DEEP]}
    whole = len(deeper) > 1 and len(looked) == min(WIDTH, len(order))
    for at in range(len(THROWS) if whole else 0):
        for n in deeper:
            if enough(iterations):
                whole = False
                break
            deeper[n] += WAYS[at] * (yield from two_throws_on(rules, scales, candidates[n].end, looked[n][at]))
            iterations += 1
        if not whole:
            break
    if whole:
        for n, total in deeper.items():
            values[n] = scales[0].value(total, 36 * 36)
        ahead = sorted(deeper, key=lambda n: (-values[n], n)) + ahead[len(deeper) :]
    order = ahead + [n for n in order if n not in looked]
    return Weighing(iterations, tuple((candidates[n].command, values[n]) for n in order))


def one_throw_on(rules: Rules, scales: tuple[Scale, Scale], end: End) -> Generator[None, None, tuple[Array, list[End]]]:
    """What is foreseen for the thrower of this end after the next throw, times 36, and the answers to each throw."""
    side, men = (0, end.men) if end.again else (1, (end.men[1], end.men[0]))
    answers = yield from replies(rules, scales[side], men)
    found = averaged(answers)
    return (found if end.again else turned(found, rules.swap, 36 * ONE)), answers


def two_throws_on(rules: Rules, scales: tuple[Scale, Scale], end: End, answer: End) -> Generator[None, None, Array]:
    """What is foreseen for the thrower of this end after this answer and one more throw, times 36."""
    if answer.men[0][OFF] == MEN:
        found = answer.foreseen * 36
    else:
        found, _ = yield from one_throw_on(rules, scales if end.again else (scales[1], scales[0]), answer)
    return found if end.again else turned(found, rules.swap, 36 * ONE)
