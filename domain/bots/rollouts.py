"""The general searcher: try every candidate at tables that could be the true one, and see what becomes of it.

Each iteration imagines one table. There every candidate that is still in the running is played, and after it all seats
play on by the rules of thumb of the game, with a slip now and then, to the end of the hand. The candidates share the
table and the random numbers, so that what sets them apart is the candidate and not the luck. Every time the number of
tables has doubled the worse half of the candidates drops out, so that the tables are spent on those between which it
is hard to choose. The favourite of the rules of thumb stays to the end: what it comes to is the measure for the others,
and one of them is preferred only if it did better by more than the luck of so few tables explains.

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

SAMPLES: Final = 48  # candidates that are drawn from a template
WIDEST: Final = 24  # candidates that are tried
SLIP: Final = 10  # once in so many times a seat of a playout plays anything
LONGEST: Final = 400  # steps of a playout, where a hand does not come to its end
FIRST_CUT: Final = 8  # tables before candidates drop out for the first time


def search(turn: Turn) -> Search:
    candidates = listed(turn.commands, turn.below)
    if len(candidates) == 1:
        return Thought(candidates[0])
    candidates, favourite = worth_trying(candidates, turn.game.bot.rate(turn.view, candidates))
    # How much better each did than the favourite of the rules of thumb, in sum, and the squares of that.
    gains, squares = [0] * len(candidates), [0] * len(candidates)
    running = [favourite, *(n for n in range(len(candidates)) if n != favourite)]
    tables, cut = 0, FIRST_CUT
    while not turn.enough(tables):
        table = turn.imagine(turn.below)
        luck = turn.below(1 << 30)
        level = 0
        for n in running:
            value = playout(turn.game, table, turn.seat, candidates[n], _Luck(luck).below)
            if n == favourite:
                level = value
            gains[n] += value - level
            squares[n] += (value - level) ** 2
            yield
        tables += 1
        # Two stay to the end: how soon a choice was clear is nobody's business.
        if tables == cut and len(running) > 2:
            others = sorted(running[1:], key=lambda n: (-gains[n], n))
            stay = (len(running) - 1) // 2
            # What drops out keeps its rank below all that stay, whatever they add to theirs.
            for n in others[stay:]:
                gains[n] -= 1 << 40
            running = [favourite, *others[:stay]]
            cut *= 2
    # Luck alone makes some candidate look better than the favourite: what it gained has to be more than chance.
    values = [gain - isqrt(square) for gain, square in zip(gains, squares, strict=True)]
    order = sorted(range(len(candidates)), key=lambda n: (-values[n], n != favourite, n))
    return Thought(candidates[order[0]], tables, tuple((candidates[n], values[n]) for n in order))


def worth_trying(commands: Sequence[Any], rated: Sequence[int]) -> tuple[Sequence[Any], int]:
    """The commands that the rules of thumb do not rule out, in their order, and the place of their favourite."""
    best = sorted(range(len(commands)), key=lambda n: (-rated[n], n))[:WIDEST]
    kept = sorted(n for n in best if rated[n] > NEVER or n == best[0])
    return [commands[n] for n in kept], kept.index(best[0])


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


# ── A playout ───────────────────────────────────────────────────────────────────────────────────────────────────


def playout(game: Game[Any], table: Any, seat: Seat, command: Any, below: Below) -> int:
    """What a command is worth to a seat at one table: how it stands against the others when the hand is over."""
    bot = game.bot
    actor: Seat = seat
    for _ in range(LONGEST):
        events = game.decide(table, actor, command)
        if isinstance(events, Shuffle | Dice | Pick):
            events = game.decide(table, CHANCE, answer(events, below))
        over = False
        for event in events:
            table = game.evolve(table, event)
            over = over or isinstance(event, bot.ends)
        if over or game.outcome(table) is not None:
            break
        acting = game.to_act(table)
        if CHANCE in acting:
            actor, command = CHANCE, answer(game.chance(table), below)
        elif not acting:
            actor, command = CLOCK, TimeUp()
        else:
            actor = min(acting) if len(acting) == 1 else sorted(acting)[below(len(acting))]
            command = thumb(game, table, actor, below)
    worth = bot.worth(table)
    return len(worth) * worth[seat] - sum(worth)


def thumb(game: Game[Any], table: Any, seat: Seat, below: Below) -> Any:
    """What a seat would do by rule of thumb, but for a slip."""
    commands = game.legal(table, seat)
    if len(commands) == 1:
        return filled(commands[0], below)
    if game.asides:
        commands = [command for command in commands if not isinstance(command, game.asides)] or commands
    if not below(SLIP):
        return filled(commands[below(len(commands))], below)
    commands = [filled(command, below) for command in commands]
    scores = game.bot.rate(game.view(table, seat), commands)
    best = max(scores)
    found = [command for command, score in zip(commands, scores, strict=True) if score == best]
    return found[0] if len(found) == 1 else found[below(len(found))]


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
