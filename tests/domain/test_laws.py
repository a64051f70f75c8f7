"""Random matches at tables of every size, held against what the rule pages say.

The rule pages speak through the test modules of the games: `tests/domain/playing.py` lists what these answer.
"""

from __future__ import annotations

import functools
import itertools
import random
import typing
from collections.abc import Iterator
from typing import Any

import pytest

from domain.game import CHANCE, Game, Picked, Refused, Shuffled, Template, options_of, read_options
from domain.games import GAMES
from tests.domain import playing

STEPS = 400  # of a match with the usual options; what lies beyond is left to other tests
every_game = pytest.mark.parametrize("game", GAMES, ids=lambda game: game.slug)
every_size = pytest.mark.parametrize(
    ("game", "seats"),
    [pytest.param(game, seats, id=f"{game.slug}-{seats}") for game in GAMES for seats in game.seats],
)


def page_of(game: Game[Any], *names: str) -> Any:
    """The test module, if it answers one of these questions."""
    page = playing.module(game)
    if not any(hasattr(page, name) for name in names):
        pytest.skip(f"{game.slug} does not say {' or '.join(names)} yet")
    return page


def matches(
    game: Game[Any], seats: int, why: str, steps: int
) -> Iterator[tuple[dict[str, Any], Iterator[playing.Moment]]]:
    """A match of several hands, and the first steps of one for every value of every option. Where a game is played at
    many sizes, each takes every third value in turn."""
    turns = 3 if len(game.seats) > 4 else 1
    for place, options in enumerate(playing.sized_tables(game, seats)):
        if place and (place + seats) % turns:
            continue
        rng = random.Random(repr((why, game.slug, seats, sorted(options.items()))))
        yield options, itertools.islice(playing.random_match(game, seats, options, rng), steps if place else STEPS)


# ── The table as it is declared ─────────────────────────────────────────────────────────────────────────────────


@every_game
def test_the_number_of_seats_is_that_of_the_rule_page(game: Game[Any]) -> None:
    assert (game.seats_rule, game.seats) == page_of(game, "SEATS").SEATS


@every_game
def test_the_options_are_those_of_the_rule_page(game: Game[Any]) -> None:
    listed = page_of(game, "OPTIONS").OPTIONS
    for option in options_of(game.options):
        rule, default, values = listed[option.name]
        assert (option.rule, option.default) == (rule, default), option.name
        match values:
            case range():
                assert (option.kind, option.low, option.high) == ("number", values.start, values.stop - 1), option.name
            case tuple():
                assert (option.kind, option.choices) == ("choice", values), option.name
            case list():
                assert (option.kind, [option.low, option.high]) == ("numbers", values), option.name
            case _:
                assert option.kind == ("flag" if values is bool else values), option.name
    assert [option.name for option in options_of(game.options)] == list(listed)


# ── Deals, points, and the end ──────────────────────────────────────────────────────────────────────────────────


@every_size
def test_deals_points_and_the_end_are_those_of_the_rule_page(game: Game[Any], seats: int) -> None:
    page = page_of(game, "deal_map", "recount")
    for options, moments in matches(game, seats, "recount", 200):
        events: tuple[Any, ...] = ()
        given = read_options(game.options, options, seats)
        for moment in moments:
            if moment.seat == CHANCE:
                check_chance(page, moment, events, given, seats)
            events += moment.events
            outcome = game.outcome(moment.after)
            ends = outcome is not None or any(isinstance(event, game.ends_game) for event in moment.events)
            if hasattr(page, "recount") and (ends or CHANCE in game.to_act(moment.after)):
                assert page.recount(events, given, seats) == outcome, f"{options}, after {moment.events}"


def check_chance(page: Any, moment: playing.Moment, events: tuple[Any, ...], options: Any, seats: int) -> None:
    """A lot names the dealer it fell on; a shuffled pack is dealt by him whose turn it is."""
    match moment.command:
        case Picked(index):
            chosen = playing.of_type(moment.events, "DealerChosen")
            assert [event.seat for event in chosen] in ([], [index])
        case Shuffled(deck) if hasattr(page, "deal_map"):
            dealer = getattr(page, "next_dealer", playing.to_the_left)(events, options, seats)
            hand_no = 1 + len(playing.of_type(events, "HandDealt"))
            expected = page.deal_map(playing.Deal(deck, dealer, hand_no, seats, options, events))
            assert list(moment.events) == list(expected), f"{options}, hand {hand_no}"


# ── What can be seen, and what is refused ───────────────────────────────────────────────────────────────────────


@every_size
def test_events_use_declared_words_and_no_seat_sees_less_than_a_spectator(game: Game[Any], seats: int) -> None:
    smallest = next(size for size in game.seats if size in game.usual_seats)
    keys = set(game.view(game.open_table({}, smallest), None))
    for options, moments in matches(game, seats, "views", 100):
        for step, moment in enumerate(moments):
            for event in moment.events:
                check_words(event)
            if step % 5:
                continue
            public = game.view(moment.after, None)
            assert set(public) == keys
            for seat in range(seats):
                assert within(public, game.view(moment.after, seat)), f"seat {seat} with {options}"


def check_words(event: Any) -> None:
    """Where an event declares which words a field can hold, it holds one of them."""
    for name, words in declared_words(event.__class__).items():
        assert getattr(event, name) in words, event


@functools.cache
def declared_words(event: Any) -> dict[str, tuple[Any, ...]]:
    hints = typing.get_type_hints(event)
    return {name: typing.get_args(hint) for name, hint in hints.items() if typing.get_origin(hint) is typing.Literal}


def within(public: Any, own: Any) -> bool:
    """Whether everything that is known to all stands in a seat's view too."""
    if public is None:
        return True
    if isinstance(public, dict) and isinstance(own, dict):
        return public.keys() == own.keys() and all(within(public[key], own[key]) for key in public)
    if isinstance(public, list | tuple) and isinstance(own, list | tuple):
        return len(public) == len(own) and all(map(within, public, own))
    return bool(public == own)


@every_size
def test_whatever_is_refused_is_refused_by_a_rule_and_a_code_that_belong_together(game: Game[Any], seats: int) -> None:
    listed = page_of(game, "REFUSALS").REFUSALS
    assert set(listed) <= set(game.rules)
    rng = random.Random(repr(("refusals", game.slug, seats)))
    pool: list[Any] = []
    for options, moments in matches(game, seats, "refusals", 150):
        for moment in moments:
            if moment.seat >= 0:
                pool.append(moment.command)
            for command in rng.sample(pool, min(2, len(pool))):
                check_refusal(game, moment.after, rng.randrange(seats), command, listed, options)


def check_refusal(game: Game[Any], table: Any, seat: int, command: Any, listed: Any, options: Any) -> None:
    legal = game.legal(table, seat)
    if command in legal or any(isinstance(one, Template) and one.command is type(command) for one in legal):
        return
    with pytest.raises(Refused) as refusal:
        game.decide(table, seat, command)
    assert refusal.value.code in listed.get(refusal.value.rule, ()), f"{refusal.value} for {command} with {options}"
