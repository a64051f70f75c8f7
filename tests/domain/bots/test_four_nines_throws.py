"""The uses of a throw of one die, found for many positions at once, against the rules of the game."""

from __future__ import annotations

import random
from collections.abc import Generator, Iterator

import numpy as np
import pytest

from domain.bots.four_nines import FACES, MOVES, Law, State, expected, judged
from domain.bots.four_nines_throws import EMPTY, PLACES, Positions, forfeited, uses
from domain.bots.four_nines_worth import INPUTS, ONE, Numbers, network, unfolded
from domain.game import CHANCE, Lot, Rolled
from domain.games.four_nines import GAME
from domain.games.four_nines.cross import DISCS
from domain.games.four_nines.cross import PLACES as SEATED
from domain.games.four_nines.events import GameWon
from domain.games.four_nines.game import Table, decide, evolve, legal

tables = pytest.mark.parametrize(
    ("board", "compulsory", "seats"),
    [("cross68", True, 2), ("cross68", False, 3), ("cross68", True, 4), ("cross76", True, 3)],
)


def seen_by(table: Table, seat: int) -> Positions:
    places = SEATED[table.seats]
    found = np.full((PLACES, DISCS), EMPTY, np.int16)
    for place, discs in zip(places, table.discs, strict=True):
        found[(place - places[seat]) % PLACES] = discs
    return found


def after(table: Table, seat: int, command: object) -> Table:
    """After a game is won the discs stay where they are."""
    events = decide(table, seat, command)  # type: ignore[arg-type]
    assert not isinstance(events, Lot)
    for event in events:
        table = table if isinstance(event, GameWon) else evolve(table, event)
    return table


def before_throws(board: str, compulsory: bool, seats: int, count: int) -> Iterator[tuple[Table, random.Random]]:
    """Tables of a random match at which a seat is to throw."""
    rng = random.Random(repr((board, compulsory, seats)))
    new = GAME.open_table({"board": board, "compulsory_moves": compulsory, "start": "seat0"}, seats)
    table = new
    for _ in range(count):
        yield table, rng
        table = after(table, CHANCE, Rolled((rng.choice((1, 2, 3, 4, 5, 5, 6, 6)),)))
        while table.phase == "play":
            table = after(table, table.player, rng.choice(legal(table, table.player)))
        if any(all(progress == table.cross.home for progress in own) for own in table.discs):
            table = new


def all_ends(thrown: Table) -> list[Table]:
    """Every table to which the throw can lead."""
    if thrown.phase != "play":
        return [thrown]
    return [after(thrown, thrown.player, command) for command in legal(thrown, thrown.player)]


def looked_into(search: Generator[None, None, Numbers]) -> Numbers:
    try:
        while True:
            next(search)
    except StopIteration as end:
        found: Numbers = end.value
        return found


@tables
def test_a_number_can_be_used_as_the_rules_say(board: str, compulsory: bool, seats: int) -> None:
    for table, rng in before_throws(board, compulsory, seats, 400):
        position, thrower = seen_by(table, table.turn)[None], table.turn
        die = rng.randint(1, FACES)
        thrown = after(table, CHANCE, Rolled((die,)))
        if die == FACES and thrown.throw_no == 3:
            assert (forfeited(table.cross, position)[0] == seen_by(thrown, thrower)).all()
            continue
        found = uses(table.cross, position, MOVES[die - 1 : die], compulsory)
        ends = {found.positions[0, way].tobytes() for way in found.open[0].nonzero()[0]}
        assert ends == {seen_by(one, thrower).tobytes() for one in all_ends(thrown)}, (table.discs, thrower, die)


@tables
def test_what_is_expected_is_the_mean_over_the_throws_of_the_game(board: str, compulsory: bool, seats: int) -> None:
    for table, rng in before_throws(board, compulsory, seats, 60):
        if rng.randrange(4):
            continue
        law, thrower = Law(table.cross, compulsory, network()), table.turn
        sixes = table.throw_no if table.again else 0
        state = State(seen_by(table, thrower)[None], np.array([sixes]))
        total = np.zeros(PLACES, np.int64)
        for die in range(1, FACES + 1):
            thrown = after(table, CHANCE, Rolled((die,)))
            judgements = []
            for one in all_ends(thrown):
                apart = SEATED[seats][thrower] - SEATED[seats][one.turn]  # the thrower comes first again
                judgements.append(np.roll(judged(law, seen_by(one, one.turn)[None])[0], -apart))
            total += max(judgements, key=lambda values: values[0])
        assert (looked_into(expected(law, state, 1)) == total).all()


def test_who_has_won_is_certain_to_win() -> None:
    table = GAME.open_table({"start": "seat0"}, 3)
    home = table.cross.home
    table = table._replace(discs=((home,) * DISCS, (3, 4, 5, 6), (-1,) * DISCS), turn=1)
    law = Law(table.cross, True, network())
    state = State(seen_by(table, 1)[None], np.array([0]))
    # Seat 0 sits at the place after that of seat 1, in the direction of march.
    assert judged(law, state.positions).tolist() == [[0, ONE, 0, 0]]
    assert looked_into(expected(law, state, 2)).tolist() == [[0, ONE * FACES**2, 0, 0]]


@pytest.mark.parametrize("seats", SEATED)
def test_the_seats_share_the_certainty_and_empty_places_have_none_of_it(seats: int) -> None:
    for table, _ in before_throws("cross68", True, seats, 30):
        position = seen_by(table, table.turn)[None]
        values = network().judge(table.cross, position)[0]
        assert ONE - PLACES <= values.sum() <= ONE
        assert (values[position[0, :, 0] == EMPTY] == 0).all()
        assert (values[position[0, :, 0] != EMPTY] > 0).all()


def test_weights_that_might_be_rounded_are_refused() -> None:
    stored = {"weights": [[1 << 20] * 3] * INPUTS, "bias": [0] * 3, "out": [1 << 10] * 2}
    unfolded(stored)
    with pytest.raises(ValueError, match="too large"):
        unfolded(stored | {"weights": [[1 << 32] * 3] * INPUTS})
    with pytest.raises(ValueError, match="too large"):
        unfolded(stored | {"out": [1 << 24] * 2})
