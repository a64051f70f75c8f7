"""Four Nines at `strong`: with one die, what every throw of those who come next would leave of each command.

An iteration looks one throw further ahead than the one before; the first judges the position right after the command.
Nothing is left to luck: all six numbers are tried, and whoever has thrown does what leaves him most likely to win.
With two dice the general searcher plays.
"""

from __future__ import annotations

from collections.abc import Generator
from typing import Final, NamedTuple

import numpy as np

from domain.bots import rollouts
from domain.bots.four_nines_throws import (
    ARMS,
    EMPTY,
    PLACES,
    STAY,
    WAYS,
    Index,
    Positions,
    forfeited,
    next_thrower,
    turned,
    uses,
)
from domain.bots.four_nines_worth import ONE, Network, Numbers, network
from domain.bots.turn import Search, Thought, Turn
from domain.game import Lot, Seat
from domain.games.four_nines.cross import DISCS, Cross, Discs
from domain.games.four_nines.cross import PLACES as SEATED
from domain.games.four_nines.events import Command, GameWon
from domain.games.four_nines.game import Table, decide, evolve

DEEPEST: Final = 5  # iterations
FACES: Final = 6
MOVES: Final = np.array([1, 2, 3, 4, 5, 12], np.int16)
AT_ONCE: Final = 36  # positions whose throws are looked at between two stops

Look = Generator[None, None, Numbers]


def search(turn: Turn) -> Search:
    commands = turn.commands
    if len(commands) == 1:
        return Thought(commands[0])
    table: Table = turn.imagine(turn.below)
    if table.options.dice == 2:
        return (yield from rollouts.search(turn))
    law = Law(table.cross, table.options.compulsory_moves, network())
    ends = [end(table, turn.seat, command) for command in commands]
    state = State(np.array([one.position for one in ends], np.int16), np.array([one.sixes for one in ends]))
    own = np.arange(len(ends)), np.array([one.own for one in ends])
    values, iterations = judged(law, state.positions)[own], 1
    while iterations < DEEPEST and not turn.enough(iterations):
        deeper = yield from in_time(turn, iterations, expected(law, state, iterations))
        if deeper is None:
            break
        values, iterations = deeper[own], iterations + 1
    order = sorted(range(len(ends)), key=lambda n: (-values[n], n))
    return Thought(commands[order[0]], iterations, tuple((commands[n], int(values[n])) for n in order))


def in_time(turn: Turn, iterations: int, look: Look) -> Generator[None, None, Numbers | None]:
    """What a look ahead finds, or nothing if the time is over before: the deepest takes longer than all others."""
    while True:
        try:
            next(look)
        except StopIteration as found:
            values: Numbers = found.value
            return values
        if turn.enough(iterations):
            return None
        yield


class End(NamedTuple):
    """What a command leads to, seen from the place of whoever throws next."""

    position: tuple[Discs, ...]
    sixes: int  # that he has thrown already in this turn
    own: int  # the place of the bot


def end(table: Table, seat: Seat, command: Command) -> End:
    events = decide(table, seat, command)
    assert not isinstance(events, Lot)
    for event in events:
        if not isinstance(event, GameWon):
            table = evolve(table, event)
    places = SEATED[table.seats]
    position: list[Discs] = [(EMPTY,) * DISCS] * PLACES
    for place, discs in zip(places, table.discs, strict=True):
        position[(place - places[table.turn]) % PLACES] = discs
    own = (places[seat] - places[table.turn]) % PLACES
    return End(tuple(position), table.throw_no if table.again else 0, own)


# ── Looking ahead ───────────────────────────────────────────────────────────────────────────────────────────────


class Law(NamedTuple):
    on: Cross
    compulsory: bool
    net: Network


class State(NamedTuple):
    positions: Positions
    sixes: Index  # that the first place has thrown already in this turn


class Thrown(NamedTuple):
    """What comes of a throw at each position."""

    state: State
    values: Numbers  # of each place, seen from the new first place
    moved: Index  # which place that is, seen from the old one


def judged(law: Law, positions: Positions) -> Numbers:
    """How likely each place is to win."""
    return with_winners(law, positions, law.net.judge(law.on, positions), ONE)


def with_winners(law: Law, positions: Positions, values: Numbers, certain: int) -> Numbers:
    won = (positions == law.on.home).all(axis=2)
    over = won.any(axis=1)
    if over.any():
        values[over] = won[over] * certain
    return values


def expected(law: Law, state: State, throws: int) -> Look:
    """How likely each place is to win after so many throws, summed up over all that can be thrown."""
    found = np.empty((len(state.sixes), PLACES), np.int64)
    for at in range(0, len(found), AT_ONCE):
        part = State(state.positions[at : at + AT_ONCE], state.sixes[at : at + AT_ONCE])
        die = np.tile(np.arange(1, FACES + 1), len(part.sixes))
        each = State(np.repeat(part.positions, FACES, axis=0), np.repeat(part.sixes, FACES))
        thrown = after_throw(law, each, die)
        yield
        values = thrown.values if throws == 1 else (yield from expected(law, thrown.state, throws - 1))
        back = np.take_along_axis(values, (ARMS - thrown.moved[:, None]) % PLACES, axis=1)
        sums = back.reshape(-1, FACES, PLACES).sum(axis=1)
        found[at : at + AT_ONCE] = with_winners(law, part.positions, sums, ONE * FACES**throws)
    return found


def after_throw(law: Law, state: State, die: Index) -> Thrown:
    """A throw of the first place at each position, used as leaves it most likely to win."""
    positions, sixes = state
    found = uses(law.on, positions, MOVES[die - 1], law.compulsory)
    third = (die == FACES) & (sixes == 2)
    found.positions[third, STAY] = forfeited(law.on, positions[third])
    found.open[third] = np.arange(WAYS) == STAY
    own = positions[:, 0]
    for disc in range(1, DISCS):  # two discs on one space are as good as one another
        found.open[:, disc] &= (own[:, :disc] != own[:, disc : disc + 1]).all(axis=1)
    again = (die == FACES) & ~third
    row, way = found.open.nonzero()
    after = found.positions[row, way]
    first = np.where(again[row], 0, next_thrower(after))
    after = turned(after, first)
    values, candidate = judged(law, after), np.arange(len(row))
    hoped, at = np.full((2, len(positions), WAYS), -1)
    hoped[row, way], at[row, way] = values[candidate, -first % PLACES], candidate
    best = at[np.arange(len(positions)), hoped.argmax(axis=1)]
    return Thrown(State(after[best], np.where(again, sixes + 1, 0)), values[best], first[best])
