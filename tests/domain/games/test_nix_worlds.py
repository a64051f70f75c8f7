"""What a seat of Nix imagines, held against every history that fits: all deals of a few cards, all draws."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import combinations
from typing import Any, NamedTuple

import pytest

from domain.game import CHANCE, Pick, Picked, Refused, each_its_own
from domain.games.nix import GAME, paths
from domain.games.nix.events import Cards, Draw, HandDealt, PlayCard
from domain.games.nix.game import Table
from domain.kit.trixcards import TrixCard
from tests.domain.telling.worlds import check_shares, visible


class Step(NamedTuple):
    seat: int
    command: Any
    events: Sequence[Any]


def dealt(hands: Sequence[Cards], wanted: TrixCard, **options: Any) -> Table:
    """A round that begins with these cards; their last double closes it."""
    leader = next((seat for seat, hand in enumerate(hands) if wanted in hand), 0)
    counts = tuple(len(hand) for hand in hands)
    table: Table = GAME.open_table(options, len(hands))
    return GAME.evolve(table, HandDealt(1, 0, counts, leader, wanted, each_its_own(hands)))


def last_cards(seats: int, count: int) -> list[TrixCard]:
    """The last cards of the pack in the order in which they are wanted, and Nix."""
    top = 7 if seats <= 4 else 10
    return [*(TrixCard(f"{top}-{low}") for low in range(top + 2 - count, top + 1)), TrixCard("0-0")]


def answers(table: Table, seat: int, command: Any) -> list[Sequence[Any]]:
    """All that can come of a command: as many things as there are cards to draw."""
    found = GAME.decide(table, seat, command)
    if isinstance(found, Pick):
        return [GAME.decide(table, CHANCE, Picked(n)) for n in range(found.of)]
    assert isinstance(found, list)
    return [found]


def after(table: Table, events: Sequence[Any]) -> Table:
    for event in events:
        table = GAME.evolve(table, event)
    return table


def played(table: Table, steps: int, rng: random.Random) -> tuple[Table, list[Step]]:
    """So many random steps, but not to the close."""
    log: list[Step] = []
    for _ in range(steps):
        command = rng.choice(GAME.legal(table, table.turn))
        events = rng.choice(answers(table, table.turn, command))
        then = after(table, events)
        if not then.playing:
            break
        log.append(Step(table.turn, command, events))
        table = then
    return table, log


def deals(cards: Sequence[TrixCard], sizes: Sequence[int]) -> Iterator[tuple[Cards, ...]]:
    """All ways to deal these cards, whatever order they come in."""
    if not sizes:
        yield ()
        return
    for hand in combinations(cards, sizes[0]):
        for others in deals([card for card in cards if card not in hand], sizes[1:]):
            yield (hand, *others)


def histories(start: Table, log: Sequence[Step], seat: int) -> Iterator[Table]:
    """The table of every deal and every draw in which the seat would have seen the same."""
    seen = [visible(step.events, seat) for step in log]
    unseen = sorted(card for other, hand in enumerate(start.hands) if other != seat for card in hand)
    sizes = [0 if other == seat else len(hand) for other, hand in enumerate(start.hands)]
    assert start.wanted is not None
    for deal in deals(unseen, sizes):
        hands = (*deal[:seat], start.hands[seat], *deal[seat + 1 :])
        if start.wanted not in hands[start.turn]:
            continue  # all have seen who leads
        todo = [(start._replace(hands=hands, dealt=hands), 0)]
        while todo:
            table, n = todo.pop()
            if n == len(log):
                yield table
                continue
            try:
                found = answers(table, log[n].seat, log[n].command)
            except Refused:
                continue
            todo += [(after(table, events), n + 1) for events in found if visible(events, seat) == seen[n]]


def whatever_order(table: Table) -> Table:
    """Without the order in which cards were dealt and lie: it says nothing."""
    hands, dealt_hands = (tuple(tuple(sorted(hand)) for hand in hands) for hands in (table.hands, table.dealt))
    return table._replace(hands=hands, dealt=dealt_hands)


def now_alone(table: Table) -> Table:
    """What lies where at the moment, without the way it came there."""
    return whatever_order(table)._replace(dealt=(), moves=())


@pytest.mark.parametrize("may_hold_back", [False, True])
@pytest.mark.parametrize(("seats", "count", "rounds"), [(3, 8, 12), (4, 8, 12), (5, 9, 5)])
def test_every_history_that_fits_is_imagined_as_often_as_any_other(
    seats: int, count: int, rounds: int, may_hold_back: bool
) -> None:
    """NX-07, NX-R5, NX-R8, NX-R15: deals, draws between others, and cards held back in secret."""
    rng = random.Random(f"nix {seats} {may_hold_back}")
    pack, several = last_cards(seats, count), 0
    for _ in range(rounds):
        shuffled = rng.sample(pack, count)
        start = dealt([tuple(shuffled[seat::seats]) for seat in range(seats)], pack[0], may_hold_back=may_hold_back)
        table, log = played(start, rng.randrange(3, 14), rng)
        seat = rng.randrange(seats)
        found = [whatever_order(one) for one in histories(start, log, seat)]
        imagined = [GAME.imagine(table, seat, rng.randrange) for _ in range(800)]
        several += len(found) > 1
        if len(found) < 200:
            check_shares(found, [whatever_order(one) for one in imagined])
        check_shares([now_alone(one) for one in found], [now_alone(one) for one in imagined])
    assert several > rounds / 3


def test_a_sample_stands_for_all_ways_where_they_are_too_many(monkeypatch: pytest.MonkeyPatch) -> None:
    """A large table is sampled. Here a small one is, with so few ways carried along that most have to go."""
    monkeypatch.setattr(paths, "EXACT", 0)
    monkeypatch.setattr(paths, "SAMPLE", 8)
    rng = random.Random("nix sampled")
    pack = last_cards(4, 9)
    start = dealt([tuple(pack[seat::4]) for seat in range(4)], pack[0], may_hold_back=True)
    paths.counted.cache_clear()
    thinned = 0
    for _ in range(6):
        table, log = played(start, 11, rng)
        for seat in range(4):
            found = {now_alone(one) for one in histories(start, log, seat)}
            assert {now_alone(GAME.imagine(table, seat, rng.randrange)) for _ in range(60)} <= found
            thinned += len(found) > 8
    paths.counted.cache_clear()
    assert thinned


def drawn(table: Table, seat: int, card: str) -> Table:
    """The seat draws, and chance hands it this card."""
    found = (after(table, events) for events in answers(table, seat, Draw()))
    return next(then for then in found if then.moves[-1].card == card)


def with_hands(*hands: str, wanted: str, **options: Any) -> Table:
    return dealt([tuple(TrixCard(word) for word in hand.split()) for hand in hands], TrixCard(wanted), **options)


def imagined_holders(table: Table, seat: int, card: str, times: int) -> Counter[int]:
    rng = random.Random(f"{card} as {seat} sees it")
    hands = (GAME.imagine(table, seat, rng.randrange).hands for _ in range(times))
    return Counter(next(other for other, hand in enumerate(one) if card in hand) for one in hands)


def test_a_card_drawn_from_me_stays_known_while_nobody_draws_from_its_new_hand() -> None:
    """NX-R15: seat 1 drew 7-7 from seat 0. Then seat 2 draws one of seat 1's three cards, and it may be that one."""
    start = with_hands("7-3 7-7 7-6", "6-6 6-5", "7-5 0-0", "7-4 6-4", wanted="7-3")
    begun = after(start, answers(start, 0, PlayCard(TrixCard("7-3")))[0])
    lost = drawn(drawn(begun, 0, "6-4"), 1, "7-7")
    assert imagined_holders(lost, 0, "7-7", 200) == {1: 200}
    passed_on = drawn(lost, 2, "6-6")
    where = imagined_holders(passed_on, 0, "7-7", 3000)
    assert set(where) == {1, 2} and 850 < where[2] < 1150
    assert imagined_holders(passed_on, 1, "6-6", 200) == {2: 200}  # seat 1 has seen what it lost


@pytest.mark.parametrize(("may_hold_back", "holders"), [(False, {2, 3}), (True, {1, 2, 3})])
def test_a_seat_that_draws_lacks_the_wanted_card_unless_it_may_hold_it_back(
    may_hold_back: bool, holders: set[int]
) -> None:
    """NX-07, NX-R5: seat 1 has drawn while 7-2 was wanted; seats 2 and 3 have had no turn yet."""
    start = with_hands("7-1 7-5", "7-3 7-6", "7-4 7-2", "7-7 0-0", wanted="7-1", may_hold_back=may_hold_back)
    begun = after(start, answers(start, 0, PlayCard(TrixCard("7-1")))[0])
    table = drawn(drawn(begun, 0, "7-7"), 1, "7-5")
    assert set(imagined_holders(table, 0, "7-2", 400)) == holders
