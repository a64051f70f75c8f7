"""Goat: what a seat could imagine, against all courses of small hands."""

from __future__ import annotations

import itertools
import math
import random
from collections import Counter
from collections.abc import Iterable, Iterator
from typing import Any

import pytest

from domain.games.goat import GAME, courses
from domain.games.goat.courses import countable
from domain.games.goat.events import LayDown, PassCard
from domain.games.goat.game import Table
from domain.games.goat.hearsay import plan, seen_by
from domain.kit.cards import Card
from tests.domain.games.test_goat import as_held, choices, dealt, pieces


def small_hand(hands: Iterable[str], rounds: int, rng: random.Random, **options: Any) -> Table:
    """So many rounds among players who like to claim; the last one may be under way, and so may a race."""
    s: Table = dealt(*hands, **options).table
    while s.round_no <= rounds or (s.round_no == rounds + 1 and rng.random() < 0.8):
        seat = rng.choice(sorted(GAME.to_act(s)))
        commands = [c for c in GAME.legal(s, seat) if isinstance(c, PassCard | LayDown)]
        claims = [c for c in commands if isinstance(c, LayDown)]
        after = s
        for event in GAME.decide(s, seat, rng.choice(claims if claims and rng.random() < 0.7 else commands)):
            after = GAME.evolve(after, event)
        if after.phase == "awaiting_deal":
            break
        s = after
    return s


Tried = tuple[Any, ...]  # the hands as dealt, the cards of every step, and the number of an open claim


def courses_that_fit(s: Table, seat: int) -> set[Tried]:
    """Every deal with every choice of the others that shows the seat what it has seen, found by trying them all."""
    others = sorted({card for n, held in enumerate(s.dealt) for card in held if n != seat})
    found: set[Tried] = set()

    def go_on(hands: list[set[Card]], before: tuple[Any, ...]) -> Iterator[tuple[Any, ...]]:
        if len(before) == len(s.steps):
            hidden = s.phase == "race" and s.race[0] != seat
            yield from ((before, n) for n in (whole_books(hands[s.race[0]]) if hidden else [s.claim]))
            return
        givers, cards = s.steps[len(before)].seats, [card for card in s.steps[len(before)].cards if card is not None]
        if len(givers) == 1:
            (owner,), number = givers, cards[0].number
            numbers = [number] if owner == seat or s.options.books_shown else whole_books(hands[owner])
            for n in set(numbers) & set(whole_books(hands[owner])):
                yield from go_on([{c for c in held if c.number != n} for held in hands], (*before, n))
            return
        choices = [sorted(hands[giver]) for giver in givers]
        if seat in givers:
            place = givers.index(seat)
            for known in (place, place - 1):
                choices[known] = [cards[known]] if cards[known] in hands[givers[known]] else []
        for given in itertools.product(*choices):
            after = [set(held) for held in hands]
            for place, giver in enumerate(givers):
                after[giver] = after[giver] - {given[place]} | {given[place - 1]}
            yield from go_on(after, (*before, given))

    for hands in deals(others, [0 if n == seat else len(held) for n, held in enumerate(s.dealt)]):
        start = tuple(s.dealt[seat] if n == seat else as_held(held) for n, held in enumerate(hands))
        found.update((start, *rest) for rest in go_on([set(held) for held in start], ()))
    return found


def whole_books(held: set[Card]) -> list[int]:
    return [n for n in range(1, 14) if {f"{letter}-{n}" for letter in "CROW"} <= held]


def course_of(s: Table) -> Tried:
    steps = [[card for card in step.cards if card is not None] for step in s.steps]
    books = [len(step.seats) == 1 for step in s.steps]
    return (
        s.dealt,
        tuple(cards[0].number if one else tuple(cards) for cards, one in zip(steps, books, strict=True)),
        s.claim,
    )


def deals(cards: list[Card], sizes: list[int]) -> Iterator[list[tuple[Card, ...]]]:
    if not sizes:
        yield []
        return
    for chosen in itertools.combinations(cards, sizes[0]):
        for rest in deals([card for card in cards if card not in chosen], sizes[1:]):
            yield [chosen, *rest]


SMALL = [
    (("C-1 R-1 O-2", "O-1 C-2 R-3", "W-1 R-2 W-3"), 3),
    (("C-1 R-1 O-1 W-1", "C-2 R-2 O-2 C-3", "W-2 R-3 O-3"), 2),
    (("C-1 R-1", "C-2 R-2", "C-3 R-3", "C-4 R-4"), 3),
    (("C-1 R-1", "O-1", "W-1 C-2", "C-3", "R-3"), 5),
    (("C-1 R-1 O-1 W-1", "C-2 R-2 W-2", "O-2 C-3"), 4),
    (("C-1 R-1 O-1 W-1 C-2 R-2", "O-2 W-2 R-3 O-3"), 5),
    (("C-1 C-3", "R-1 O-1 W-1 C-2", "R-2 O-2 W-2 R-3"), 4),
    (("C-1", "R-1 O-1 W-1 C-2 R-2", "O-2 W-2 C-3 R-3"), 3),
]


def small_tables(options: dict[str, Any]) -> Iterator[tuple[Table, int, random.Random]]:
    for hands, rounds in SMALL:
        for seed in range(12):
            rng = random.Random(f"{hands} {seed}")
            yield small_hand(hands, rounds, rng, **options), rng.randrange(len(hands)), rng


@pytest.mark.parametrize("options", [{}, {"race": "off"}, {"books_shown": True}], ids=repr)
def test_all_that_can_have_happened_is_counted(options: dict[str, Any]) -> None:
    """As many courses are counted as there are, and only such are drawn. The cards of a hand can stand in any order."""
    with_books = with_returns = 0
    for s, seat, rng in small_tables(options):
        fitting = courses_that_fit(s, seat)
        seen = seen_by(s, seat)
        start, rows = countable(seen)
        orders = math.prod(math.factorial(len(held)) for n, held in enumerate(s.dealt) if n != seat)
        assert start == 0 and sum(row.ways for row in rows) == len(fitting) * orders
        assert course_of(s) in fitting
        assert all(course_of(GAME.imagine(s, seat, rng.randrange)) in fitting for _ in range(10))
        with_books += bool(plan(seen).claims)
        with_returns += bool(plan(seen).returns)
    assert with_books > 5 and with_returns > 5


def test_every_course_that_fits_is_imagined_as_often_as_any_other() -> None:
    """And every card of a hand as the one chosen in this round."""
    compared = 0
    for s, seat, rng in small_tables({}):
        fitting = courses_that_fit(s, seat)
        chosen = [n for n, card in enumerate(s.choices) if card is not None and n != seat]
        worlds = len(fitting) * math.prod(len(s.hands[n]) for n in chosen)
        if not 2 <= worlds <= 60 or compared >= 12:
            continue
        found: Counter[Any] = Counter()
        for _ in range(100 * worlds):
            imagined = GAME.imagine(s, seat, rng.randrange)
            found[course_of(imagined), imagined.choices] += 1
        assert len(found) == worlds
        unlike = sum((count - 100) ** 2 / 100 for count in found.values())
        assert unlike < worlds + 5 * (2 * worlds) ** 0.5
        compared += 1
    assert compared == 12


def test_a_seat_that_cannot_count_it_all_forgets_the_beginning_and_nothing_else(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """What it imagines fits all that it has seen since then, and what books can have been put away before."""
    monkeypatch.setattr(courses, "MOST_TURNINGS", 12)
    for cached in (courses.suppositions, courses.countable):
        cached.cache_clear()
    forgot = 0
    for options in ({}, {"race": "off"}, {"books_shown": True}):
        for s, seat, rng in small_tables(options):
            imagined = GAME.imagine(s, seat, rng.randrange)
            start, _ = countable(seen_by(s, seat))
            forgot += bool(start)
            assert GAME.view(imagined, seat) == GAME.view(s, seat)
            assert seen_by(imagined, seat) == seen_by(s, seat)
            assert Counter(pieces(imagined)) == Counter(pieces(s))
            assert all(imagined.since[n] == (0 if n == seat else start) for n in range(s.seats))
            for n in range(s.seats):  # the others can imagine there, too
                again = GAME.imagine(imagined, n, rng.randrange)
                assert GAME.view(again, n) == GAME.view(imagined, n)
    assert forgot > 20
    for cached in (courses.suppositions, courses.countable):
        cached.cache_clear()


def test_a_seat_knows_where_the_card_went_that_it_has_just_given() -> None:
    """GO-11: to its left, from where it may have been passed on in the round after."""
    story = choices(dealt("C-1 C-2 C-3", "R-1 R-2 R-3", "O-1 O-2 O-3", "W-1 W-2 W-3"), "C-1", "R-1", "O-1", "W-1")
    rng = random.Random(5)
    assert all("C-1" in GAME.imagine(story.table, 0, rng.randrange).hands[1] for _ in range(50))
    story = choices(story, "C-2", "R-2", "O-2", "W-2")
    held = Counter(
        next(n for n, cards in enumerate(GAME.imagine(story.table, 0, rng.randrange).hands) if "C-1" in cards)
        for _ in range(600)
    )
    assert set(held) == {1, 2} and 350 < held[1] < 450  # one card of three is passed on
