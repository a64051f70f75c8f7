"""Acey-Ducey at `strong`: whole turns by the network, and with an Acey-Ducey all that it brings."""

from __future__ import annotations

from collections.abc import Generator, Iterable, Sequence
from typing import Final, NamedTuple

from domain.bots.network import MEN, ONE, network
from domain.bots.points import (
    Candidate,
    Choices,
    End,
    Made,
    Rules,
    Scale,
    all_named,
    ends,
    judged,
    named,
    weigh,
)
from domain.bots.turn import Search, Thought, Turn
from domain.games.acey_ducey.game import MOVES, NameDouble, Options, Table, choices, colour_of, target
from domain.kit.points import OFF, Men, Numbers, Step

SWAP: Final = (0, 2, 1)
WIDE: Final = 6  # ends of an Acey-Ducey's 1 and 2 for which all doubles are tried
A_LITTLE: Final = 20  # one part of so many for the men left to the loser, where only the game counts


def search(turn: Turn) -> Search:
    table: Table = turn.imagine(turn.below)
    if len(turn.commands) == 1:
        return Thought(turn.commands[0])
    seen = seen_by(table)
    if table.phase == "name_double":
        candidates = yield from doubles(seen)
    elif table.bonus == "double":
        candidates = yield from acey_ducey(table, seen)
    else:
        candidates = plain(table, seen)
    weighing = yield from weigh(seen.rules, seen.scales, candidates, turn.enough)
    return Thought(weighing.weighed[0][0], weighing.iterations, weighing.weighed)


class Seen(NamedTuple):
    """The table from the side that is on turn."""

    rules: Rules
    scales: tuple[Scale, Scale]
    men: tuple[Men, Men]


def seen_by(table: Table) -> Seen:
    colour = colour_of(table.turn)
    men = table.men[colour], table.men[1 - colour]
    scales = scale(table, colour), scale(table, 1 - colour)
    options = table.options
    rules = Rules(
        network("acey_ducey"),
        lambda doubles: choices_at(options, doubles),
        over,
        SWAP,
        acey_ducey=True,
        full_play=options.bonus_needs_full_play,
        divided=options.doubles_split == "listed",
    )
    return Seen(rules, scales, men)


def choices_at(options: Options, doubles: bool) -> Choices:
    def found(mine: Men, theirs: Men, numbers: Numbers, made: Made) -> Iterable[Step]:
        return choices(options, mine, theirs, numbers, doubles, made)

    return found


def over(winner: Men, loser: Men) -> Sequence[int]:
    return ONE, ONE * (MEN - loser[OFF]) // MEN, 0


def scale(table: Table, colour: int) -> Scale:
    """A game counts one; or it counts the men left to the loser, but no more than are needed for the match."""
    if table.options.score == "games":
        return Scale(0, (ONE, ONE // A_LITTLE, -ONE // A_LITTLE))
    goal = target(table.options)
    mine, theirs = (min(MEN, goal - table.score[side]) for side in (colour, 1 - colour))
    # The first point of a win is had by winning; with few to go the rest of them is worth little.
    ended = MEN - mine + MEN - theirs
    return Scale(0, (ONE * (2 + ended) // 8, ONE * mine // MEN, -ONE * theirs // MEN))


# ── What can come of the turn ───────────────────────────────────────────────────────────────────────────────────


def plain(table: Table, seen: Seen) -> list[Candidate]:
    """Every end of the numbers; if an Acey-Ducey owes something after them, the same side goes on."""
    kept = table.made if table.doubles and seen.rules.divided else None
    found = ends(seen.rules.choices(table.doubles), *seen.men, table.numbers, kept)
    again = table.bonus != "" and (found.full or not seen.rules.full_play)
    judgements = judged(seen.rules, [(men, again) for men in found.first])
    return [Candidate(MOVES[step], end) for step, end in zip(found.first.values(), judgements, strict=True) if step]


def doubles(seen: Seen) -> Generator[None, None, list[Candidate]]:
    """The double to be named: each number with the best that can be made of it."""
    found = yield from all_named(seen.rules, seen.men)
    most: dict[int, End] = {}
    for number, end in found:
        if number not in most or seen.scales[0].value(end.foreseen) > seen.scales[0].value(most[number].foreseen):
            most[number] = end
    return [Candidate(NameDouble(number), end) for number, end in most.items()]


def acey_ducey(table: Table, seen: Seen) -> Generator[None, None, list[Candidate]]:
    """The 1 and the 2: the best of their ends with the best that a double makes of them."""
    candidates = plain(table, seen)
    candidates.sort(key=lambda one: -seen.scales[0].value(one.end.foreseen))
    found = []
    for candidate in candidates[:WIDE]:
        end = candidate.end
        if end.again and end.men[0][OFF] < MEN:
            end = yield from named(seen.rules, seen.scales[0], end.men)
        found.append(Candidate(candidate.command, end))
    return found
