"""Backgammon at `strong`: whole turns by the network, and the cube and concessions by what they are worth."""

from __future__ import annotations

from collections.abc import Generator, Iterable, Sequence
from typing import Final, NamedTuple

from domain.bots import cube, draws
from domain.bots.cube import Chances, Sight, Terms
from domain.bots.network import ONE, network
from domain.bots.points import (
    Candidate,
    End,
    Made,
    Rules,
    Scale,
    averaged,
    best,
    ends,
    judged,
    replies,
    weigh,
)
from domain.bots.turn import Search, Thought, Turn
from domain.game import Seat
from domain.games.backgammon.game import MOVES, Adopt, Options, Roll, Table, law, legal
from domain.games.backgammon.stakes import Accept, Concede, Double, Drop, Refuse, Take, worth
from domain.kit.points import BAR, Law, Men, Numbers, Step, playable

SWAP: Final = (0, 3, 4, 1, 2)
CERTAIN: Final = ONE // 400  # what is less likely than this does not happen
LEVEL: Final = ONE // 10  # of the match; a lead of no more is none
NO_SIGN: Final = ONE // 100  # how far apart what happens must be from what is foreseen to be believed


def search(turn: Turn) -> Search:
    table: Table = turn.imagine(turn.below)
    seen = seen_by(table, turn.seat)
    if len(turn.commands) == 1 and not may_be_lost(seen.men):
        return Thought(turn.commands[0])
    if table.stakes.offer:
        return (yield from answered(turn, table, seen))
    match table.phase:
        case "choose":
            return (yield from opened(table, seen))
        case "roll":
            return (yield from before_the_throw(turn, table, seen))
        case _:
            return (yield from moved(turn, table, seen))


class Seen(NamedTuple):
    """The table from one seat."""

    rules: Rules
    sight: Sight
    scales: tuple[Scale, Scale]
    men: tuple[Men, Men]


def seen_by(table: Table, seat: Seat) -> Seen:
    sight = sight_of(table, seat)
    at_stake = table.stakes.cube
    scales = scale(sight, at_stake), scale(sight.turned(), at_stake)
    return Seen(rules_of(table.options), sight, scales, (table.men[seat], table.men[1 - seat]))


def rules_of(options: Options) -> Rules:
    rules: Law = law(options)

    def choices(mine: Men, theirs: Men, numbers: Numbers, made: Made) -> Iterable[Step]:
        return playable(rules, mine, theirs, numbers)

    return Rules(network("backgammon"), lambda doubles: choices, over, SWAP, law=rules)


def over(winner: Men, loser: Men) -> Sequence[int]:
    value = worth(loser, True)
    return ONE, ONE * (value > 1), ONE * (value > 2), 0, 0


def sight_of(table: Table, seat: Seat) -> Sight:
    options, score = table.options, table.score
    terms = Terms(
        None if options.games is not None else options.target,
        options.games or 0,
        options.cube,
        options.crawford,
        options.triple_game,
    )
    if terms.target is None:
        return cube.series_sight(terms, score[seat] - score[1 - seat], terms.games - table.game_no)
    mine, theirs = terms.target - score[seat], terms.target - score[1 - seat]
    return cube.match_sight(terms, mine, theirs, table.stakes.crawford, table.crawford_over)


def scale(sight: Sight, at_stake: int) -> Scale:
    """What the network foresees, in what the points would be worth at this cube."""
    lost, won = ([sight.stake(sign * at_stake * value) for value in (1, 2, 3)] for sign in (-1, 1))
    triple = sight.triple_game
    weights = (
        won[0] - lost[0],
        won[1] - won[0],
        (won[2] - won[1]) * triple,
        lost[1] - lost[0],
        (lost[2] - lost[1]) * triple,
    )
    return Scale(lost[0] * ONE, weights)


# ── The men ─────────────────────────────────────────────────────────────────────────────────────────────────────


def moved(turn: Turn, table: Table, seen: Seen) -> Search:
    rules = seen.rules
    found = ends(rules.choices(False), *seen.men, table.numbers, None)
    judgements = judged(rules, [(men, False) for men in found.first])
    candidates = [
        Candidate(MOVES[step], end) for step, end in zip(found.first.values(), judgements, strict=True) if step
    ]
    after = best(seen.scales[0], judgements)
    if concession := conceded(table, turn.seat, Chances(*(int(x) for x in after.foreseen))):
        return Thought(concession)
    weighing = yield from weigh(rules, seen.scales, candidates, turn.enough)
    return Thought(weighing.weighed[0][0], weighing.iterations, weighing.weighed)


def opened(table: Table, seen: Seen) -> Search:
    """The opening dice, or a throw of one's own."""
    high, low = max(table.dice), min(table.dice)
    found = ends(seen.rules.choices(False), *seen.men, (high, low), None)
    kept = best(seen.scales[0], judged(seen.rules, [(men, False) for men in found.first]))
    (answers,) = yield from replies(seen.rules, seen.scales[0], [seen.men])
    values = (Adopt(), seen.scales[0].value(kept.foreseen)), (Roll(), seen.scales[0].value(averaged(answers), 36))
    weighed = sorted(values, key=lambda pair: -pair[1])
    return Thought(weighed[0][0], 1, tuple(weighed))


# ── The stakes ──────────────────────────────────────────────────────────────────────────────────────────────────


def chances_of(rules: Rules, scale: Scale, men: tuple[Men, Men]) -> Generator[None, None, Chances]:
    """Of the side on roll, all throws considered."""
    (answers,) = yield from replies(rules, scale, [men])
    return Chances(*(int(x) // 36 for x in averaged(answers)))


def before_the_throw(turn: Turn, table: Table, seen: Seen) -> Search:
    roll, double = Roll(), Double()
    if double not in turn.commands and not may_be_lost(seen.men):
        return Thought(roll)
    chances = yield from chances_of(seen.rules, seen.scales[0], seen.men)
    if double in turn.commands:
        stakes = table.stakes
        if cube.doubles(seen.sight, chances, stakes.cube, stakes.owner is not None):
            return Thought(double, 1)
    return Thought(conceded(table, turn.seat, chances) or roll, 1)


def answered(turn: Turn, table: Table, seen: Seen) -> Search:
    """To a double or a concession: the other side is on turn."""
    men = seen.men[1], seen.men[0]
    if table.stakes.offer == "double":
        theirs = yield from chances_of(seen.rules, seen.scales[1], men)
        take = cube.takes(seen.sight, theirs.turned(), table.stakes.cube)
        return Thought(Take() if take else Drop(), 1)
    value, stake = table.stakes.conceded or 1, seen.sight.stake
    at_stake = table.stakes.cube
    on = yield from played_on(table, turn.seat, seen)
    accept = stake(value * at_stake) >= on - NO_SIGN * abs(stake(at_stake)) // ONE
    return Thought(Accept() if accept else Refuse(), 1)


def answer_draw(turn: Turn) -> Search:
    """A draw ends the match, and is worth as much to both."""
    table: Table = turn.imagine(turn.below)
    expected = yield from played_on(table, turn.seat, seen_by(table, turn.seat))
    return draws.answer(turn, expected, LEVEL, 1)


def played_on(table: Table, seat: Seat, seen: Seen) -> Generator[None, None, int]:
    """What the game is worth to a seat, whoever is on turn."""
    side = int(table.turn != seat)
    men = (seen.men[1], seen.men[0]) if side else seen.men
    if table.phase == "play":
        found = ends(seen.rules.choices(False), *men, table.numbers, None)
        after: End = best(seen.scales[side], judged(seen.rules, [(end, False) for end in found.first]))
        chances = Chances(*(int(x) for x in after.foreseen))
    else:
        chances = yield from chances_of(seen.rules, seen.scales[side], men)
    stakes, cubed = table.stakes, table.options.cube
    mine, theirs = (cubed and stakes.owner in (None, one) for one in (seat, 1 - seat))
    return cube.worth(seen.sight, chances.turned() if side else chances, stakes.cube, mine, theirs)


def conceded(table: Table, seat: Seat, chances: Chances) -> Concede | None:
    """The concession that is due. It stands beside the play, so it is not among the commands that a bot is given."""
    if not may_be_lost((table.men[seat], table.men[1 - seat])):
        return None
    for command in legal(table, seat):
        if isinstance(command, Concede) and is_lost(chances, command.value, table.options.triple_game):
            return command
    return None


def may_be_lost(men: tuple[Men, Men]) -> bool:
    """Only a race is ever given up: while men have to pass one another, anything can happen."""
    return sum(max(place for place, count in enumerate(side) if count) for side in men) <= BAR


def is_lost(chances: Chances, value: int, triple_game: bool) -> bool:
    """Whether the game is as good as lost, and at just this value."""
    double = chances.lose_double
    triple = chances.lose_triple if triple_game else 0
    at_least = (ONE - chances.win, double, triple)[value - 1]
    more = (double, triple, 0)[value - 1]
    return chances.win < CERTAIN and at_least > ONE - CERTAIN and more < CERTAIN
