"""Hands between bots of different levels, and what they tell about the levels.

A hand (or a game, where there are none) is played from an empty table to the first count, and judged by what the table
is then worth to each side; Backgammon is played to the end of the match, where the cube shows what it is good for. The
challenger holds one side, the others are of another level; sides are rotated, seeds are fixed. A deal of cards is then
played by `steady` on every side. There the side leads by nothing on average, so how far it led tells of its luck alone,
and as much of the lead as that explains is taken out.
"""

from __future__ import annotations

import math
import random
from collections.abc import Iterator, Sequence
from typing import Any, Final, NamedTuple

from domain.bots.levels import LEVELS
from domain.bots.rollouts import answer
from domain.bots.strength import Strength
from domain.bots.thinking import at_once
from domain.bots.turn import Turn
from domain.game import CHANCE, CLOCK, Dice, Game, Pick, Shuffle, TimeUp
from domain.games import BY_SLUG

LOOKED_AT: Final = 10  # hands, to see whether anybody has a choice
LONGEST: Final = 5_000  # steps of a hand; what takes longer is judged as it stands
ALIKE: Final = "steady"  # how all play a deal to see whom it favours
MATCHES: Final = ("backgammon",)  # games of which whole matches are played
# Games without a deal: there the same dice favour somebody else as soon as one play is another.
BOARDS: Final = ("acey-ducey", "backgammon", "checkers", "four-nines")


class Setting(NamedTuple):
    slug: str
    seats: int
    challenger: str
    others: str
    iterations: int
    all_seeing: bool = False

    @property
    def sides(self) -> tuple[tuple[int, ...], ...]:
        game = BY_SLUG[self.slug]
        return game.sides(game.new_table({}, self.seats))


class Score(NamedTuple):
    """What came of one hand: the lead of the challenger in points, and whether that won it."""

    lead: float
    won: float
    luck: float = 0.0  # the lead of the same side when all play alike


def hand(setting: Setting, number: int) -> Score:
    """One hand, with the challenger on the side whose turn it is."""
    sides = setting.sides
    ours = frozenset(sides[number % len(sides)])
    score = _score(_played(setting, number, ours), ours)
    if setting.slug in BOARDS:
        return score
    alike = setting._replace(challenger=ALIKE, others=ALIKE)
    return score._replace(luck=_score(_played(alike, number, ours), ours).lead)


def has_choices(slug: str, seats: int) -> bool:
    """Whether anybody ever has a choice at such a table. In Nix and in Check and Double Check, played as they are by
    default, nobody has."""
    setting = Setting(slug, seats, ALIKE, ALIKE, 0)
    return any(choices for number in range(LOOKED_AT) for _, choices in _steps(setting, number, frozenset()))


def _played(setting: Setting, number: int, ours: frozenset[int]) -> Sequence[int]:
    """What the table is worth after a hand with the challenger in these seats."""
    for table, _ in _steps(setting, number, ours):
        last = table
    return BY_SLUG[setting.slug].bot.worth(last)


def _steps(setting: Setting, number: int, ours: frozenset[int]) -> Iterator[tuple[Any, bool]]:
    """The tables of a hand, each with whether the seat that brought it about had a choice."""
    game = BY_SLUG[setting.slug]
    lots = random.Random(f"arena {setting.slug} {setting.seats} {number}")
    table = game.new_table({}, setting.seats)
    for step in range(LONGEST):
        if game.outcome(table) is not None:
            return
        acting, choice = sorted(game.to_act(table)), False
        if CHANCE in acting:
            seat, command = CHANCE, answer(game.chance(table), lots.randrange)
        elif not acting:
            seat, command = CLOCK, TimeUp()
        else:
            seat = acting[0]
            commands = _commands(game, table, seat)
            choice = len(commands) > 1
            # Numbers of its own for every step: how many one bot used makes no difference to the next.
            rng = random.Random(f"bots {setting.slug} {setting.seats} {number} {step}")
            level = setting.challenger if seat in ours else setting.others
            command = _chosen(setting, table, seat, commands, level, rng)
        events = game.decide(table, seat, command)
        if isinstance(events, Shuffle | Dice | Pick):
            events = game.decide(table, CHANCE, answer(events, lots.randrange))
        for event in events:
            table = game.evolve(table, event)
        yield table, choice
        if setting.slug not in MATCHES and any(isinstance(event, game.bot.ends) for event in events):
            return


def _commands(game: Game[Any], table: Any, seat: int) -> Sequence[Any]:
    legal = game.legal(table, seat)
    return [command for command in legal if not isinstance(command, game.asides)] or legal


def _chosen(setting: Setting, table: Any, seat: int, commands: Sequence[Any], level: str, rng: random.Random) -> Any:
    game = BY_SLUG[setting.slug]
    seeing = setting.all_seeing and level == setting.challenger
    turn = Turn(
        game,
        seat,
        game.view(table, seat),
        commands,
        (lambda below: table) if seeing else (lambda below: game.imagine(table, seat, below)),
        rng.randrange,
        lambda iterations: iterations >= setting.iterations,
        remembered=lambda: game.bot.memory(table, seat),
    )
    return at_once(LEVELS[level].search(turn)).command


def _score(worth: Sequence[int], ours: frozenset[int]) -> Score:
    mine = [points for seat, points in enumerate(worth) if seat in ours]
    theirs = [points for seat, points in enumerate(worth) if seat not in ours]
    lead = sum(mine) / len(mine) - sum(theirs) / len(theirs)
    best = max(worth)
    winners = [seat for seat, points in enumerate(worth) if points == best]
    return Score(lead, sum(seat in ours for seat in winners) / len(winners))


def summed(setting: Setting, scores: Sequence[Score]) -> Strength:
    """The mean lead, with as much of the luck taken out as leaves the smallest error."""
    count = len(scores)
    mean = sum(score.lead for score in scores) / count
    together = sum((score.lead - mean) * score.luck for score in scores)
    share = together / (sum(score.luck**2 for score in scores) or 1)
    leads = [score.lead - share * score.luck for score in scores]
    mean = sum(leads) / count
    spread = sum((lead - mean) ** 2 for lead in leads) / max(1, count - 1)
    return Strength(
        level=setting.challenger,
        version=LEVELS[setting.challenger].version_at(setting.slug),
        against=setting.others,
        against_version=LEVELS[setting.others].version_at(setting.slug),
        seats=setting.seats,
        sides=len(setting.sides),
        iterations=setting.iterations if LEVELS[setting.challenger].slow else 0,
        all_seeing=setting.all_seeing,
        hands=count,
        lead=round(mean, 3),
        error=round(math.sqrt(spread / count), 3),
        won=round(sum(score.won for score in scores) / count, 4),
    )
