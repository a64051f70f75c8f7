"""The general searcher: try every candidate at tables that could be the true one, and see what becomes of it.

Each iteration imagines one table. There every candidate that is still in the running is played, and after it all seats
play on by the rules of thumb of the game to the end of the hand. Nobody slips: a slip tells nothing about the candidate
and needs more tables to be averaged out. The candidates share the table and the random numbers, so that what sets them
apart is the candidate and not the luck. Every time the number of tables has doubled the worse half of the candidates
drops out, so that the tables are spent on those between which it is hard to choose.

The candidate that the rules of thumb put first is the favourite. It stays to the end, and another is played only if it
did better by half of what chance explains: the best of ten guesses looks better than it is, and a search with little
time would otherwise play worse than no search at all. Half is what paid best where the true values were known: with no
doubt at all it plays what only looks better, with a whole standard error it leaves too much to the favourite.

Why no tree: from where a bot sits, a hand of cards is wide and short of repetition. With the some hundred playouts that
fit into a turn, a tree over information sets gets past its second level nowhere, and what it gains there it loses by
judging the first level by fewer tables. A playout by good rules of thumb is a one-step improvement of those rules
wherever it is made, and that is where the strength comes from.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import isqrt
from typing import Any, Final

from domain.bots.turn import Below, Search, Thought, Turn
from domain.game import (
    CHANCE,
    CLOCK,
    NEVER,
    Dice,
    Game,
    Lot,
    Pick,
    Picked,
    Rolled,
    Seat,
    Shuffle,
    Shuffled,
    Template,
    TimeUp,
)

SAMPLES: Final = 12  # candidates that are drawn from a template
LOTS: Final = (Shuffle, Dice, Pick)
WIDEST: Final = 24  # candidates that are tried
FIRST_CUT: Final = 8  # tables before candidates drop out for the first time


def search(turn: Turn) -> Search:
    found = listed(turn.commands, turn.below)
    if len(found) == 1:
        return Thought(found[0])
    candidates = worth_trying(found, turn.game.bot.rate(turn.view, found))
    if len(candidates) == 1:
        candidates += tuple(command for command in found if command != candidates[0])[:1]
    # By how much each does better than the favourite, which is the one that the rules of thumb put first.
    gains = [0] * len(candidates)
    squares = [0] * len(candidates)
    running = list(range(1, len(candidates)))
    dropped: list[int] = []
    tables, cut = 0, FIRST_CUT
    while not turn.enough(tables):
        table = turn.imagine(turn.below)
        luck = turn.below(1 << 30)
        usual = playout(turn.game, table, turn.seat, candidates[0], _Luck(luck).below)
        yield
        for n in running:
            gain = playout(turn.game, table, turn.seat, candidates[n], _Luck(luck).below) - usual
            gains[n] += gain
            squares[n] += gain * gain
            yield
        tables += 1
        # One stays beside the favourite to the end: how soon a choice was clear is nobody's business.
        if tables == cut and len(running) > 1:
            running.sort(key=lambda n: (-gains[n], n))
            half = (len(running) + 1) // 2
            running, dropped = running[:half], running[half:] + dropped
            cut *= 2
    values = [gains[n] - _doubt(gains[n], squares[n], tables) for n in range(len(candidates))]
    order = sorted([0, *running], key=lambda n: (-values[n], n)) + dropped
    return Thought(candidates[order[0]], tables, tuple((candidates[n], values[n]) for n in order))


def _doubt(gain: int, squares: int, tables: int) -> int:
    """How far a sum of gains may well be off: half its standard error."""
    return isqrt(squares - gain * gain // tables) // 2 if tables else 0


def listed(commands: Sequence[Any], below: Below) -> Sequence[Any]:
    """Every command of the list, and some of those that a template stands for."""
    found: dict[Any, None] = {}
    for command in commands:
        if isinstance(command, Template):
            for _ in range(SAMPLES):
                found[command.sample(below)] = None
        else:
            found[command] = None
    return list(found)


def worth_trying(commands: Sequence[Any], rated: Sequence[int]) -> tuple[Any, ...]:
    """The commands that the rules of thumb do not rule out, their favourite first."""
    best = sorted(range(len(commands)), key=lambda n: (-rated[n], n))[:WIDEST]
    return tuple(commands[n] for n in best if rated[n] > NEVER or n == best[0])


# ── A playout ───────────────────────────────────────────────────────────────────────────────────────────────────


def playout(game: Game[Any], table: Any, seat: Seat, command: Any, below: Below) -> int:
    """What a command is worth to a seat at one table: how it stands against the others when the hand is over, or as far
    as the horizon."""
    bot, decide, evolve, to_act, outcome = game.bot, game.decide, game.evolve, game.to_act, game.outcome
    actor: Seat = seat
    worth: Sequence[int] | None = None
    for _ in range(bot.horizon):
        events = decide(table, actor, command)
        if isinstance(events, LOTS):
            events = decide(table, CHANCE, answer(events, below))
        over = False
        for event in events:
            table = evolve(table, event)
            if isinstance(event, bot.ends):
                over = True
        if over or outcome(table) is not None or (worth := bot.rest(table, below)) is not None:
            break
        acting = to_act(table)
        if len(acting) == 1:
            (actor,) = acting
            command = answer(game.chance(table), below) if actor == CHANCE else thumb(game, table, actor, below)
        elif acting:
            actor = sorted(acting)[below(len(acting))]
            command = thumb(game, table, actor, below)
        else:
            actor, command = CLOCK, TimeUp()
    if worth is None:
        worth = bot.worth(table)
    return len(worth) * worth[seat] - sum(worth)


def thumb(game: Game[Any], table: Any, seat: Seat, below: Below) -> Any:
    """What a seat would do by rule of thumb; among equals the lot decides."""
    commands = game.legal(table, seat)
    if len(commands) == 1:
        return filled(commands[0], below)
    if game.asides:
        commands = [command for command in commands if not isinstance(command, game.asides)] or commands
    if game.templates:
        commands = [filled(command, below) for command in commands]
    scores = game.bot.rate(game.view(table, seat), commands)
    best = max(scores)
    if scores.count(best) == 1:
        return commands[scores.index(best)]
    found = [command for command, score in zip(commands, scores, strict=True) if score == best]
    return found[below(len(found))]


def filled(command: Any, below: Below) -> Any:
    return command.sample(below) if isinstance(command, Template) else command


def answer(wanted: Lot, below: Below) -> Any:
    match wanted:
        case Shuffle(cards):
            found = list(cards)
            for last in range(len(found) - 1, 0, -1):
                other = below(last + 1)
                found[last], found[other] = found[other], found[last]
            return Shuffled(tuple(found))
        case Dice(dice, faces):
            return Rolled(tuple(1 + below(faces) for _ in range(dice)))
        case Pick(of):
            return Picked(below(of))


class _Luck:
    """Random numbers that can be had again: the candidates of one table are tried with the same luck.

    SplitMix64; the bias of the last step is below one in four billion.
    """

    __slots__ = ("_state",)

    def __init__(self, seed: int) -> None:
        self._state = seed

    def below(self, k: int) -> int:
        self._state = state = (self._state + 0x9E3779B97F4A7C15) & 0xFFFFFFFFFFFFFFFF
        state = ((state ^ (state >> 30)) * 0xBF58476D1CE4E5B9) & 0xFFFFFFFFFFFFFFFF
        state = ((state ^ (state >> 27)) * 0x94D049BB133111EB) & 0xFFFFFFFFFFFFFFFF
        return (state ^ (state >> 31)) % k
