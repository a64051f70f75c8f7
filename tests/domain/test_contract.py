"""What every game of the catalogue promises. A game is tested here by standing in GAMES."""

from __future__ import annotations

import itertools
import json
import random
from collections import Counter
from typing import Any

import pytest

from domain.game import CHANCE, CLOCK, Game, Refused, Template, options_of
from domain.games import GAMES
from domain.wire import names, read_command, read_event, wire_name, write_command, write_event
from tests.domain import playing

every_game = pytest.mark.parametrize("game", GAMES, ids=lambda game: game.slug)
every_table = pytest.mark.parametrize(
    ("game", "seats", "options"),
    [
        pytest.param(game, seats, options, id=f"{game.slug}-{seats}-{'-'.join(f'{k}={v}' for k, v in options.items())}")
        for game in GAMES
        for seats, options in playing.tables(game)
    ],
)


CLOSELY = 120  # steps of a match that are all looked at; of those after it, one in ten


def seed(*parts: Any) -> random.Random:
    return random.Random(repr(parts))


@every_table
def test_a_random_match_ends_and_keeps_its_promises(game: Game[Any], seats: int, options: dict[str, Any]) -> None:
    rng = seed(game.slug, seats, sorted(options.items()))
    classes = names(game.events)
    pool: list[Any] = []
    whole = Counter(playing.module(game).whole(game.open_table(options, seats)))
    for number, moment in enumerate(playing.random_match(game, seats, options, rng)):
        if number > CLOSELY and rng.random() < 0.9:
            continue
        table = moment.before
        acting = game.to_act(table)
        assert acting and (acting == {CHANCE} or all(0 <= seat < seats for seat in acting))
        assert moment.events, f"{moment.command} changed nothing"
        for event in moment.events:
            parts = write_event(event)
            parts = parts._replace(
                public=json.loads(json.dumps(parts.public)), secret=json.loads(json.dumps(parts.secret))
            )
            assert read_event(classes, parts) == event
        counted = playing.pieces(game, moment.after)
        # To compare them as dictionaries is quicker, and they differ only where one counts a piece that is not there.
        assert not counted or dict.__eq__(counted, whole) or counted == whole, (
            f"{moment.events}: {whole - counted} missing, {counted - whole} too many"
        )
        if moment.seat not in (CHANCE, CLOCK):
            body = json.loads(json.dumps(write_command(moment.command)))
            assert read_command(names(game.commands), body) == moment.command
            pool.append(moment.command)
        if rng.random() < 0.04:
            check_legality(game, table, seats, pool, rng)
            assert game.outcome(table) is None
    outcome = game.outcome(moment.after)
    assert outcome is not None and len(outcome.places) == seats and min(outcome.places) == 1
    assert game.to_act(moment.after) == frozenset()
    for seat in range(seats):
        assert not game.legal(moment.after, seat)
        json.dumps(game.view(moment.after, seat))
    for command in rng.sample(pool, min(5, len(pool))):
        with pytest.raises(Refused):
            game.decide(moment.after, rng.randrange(seats), command)


def check_legality(game: Game[Any], table: Any, seats: int, pool: list[Any], rng: random.Random) -> None:
    """Every legal command is accepted; what is not legal is refused by a rule of the game."""
    strangers = rng.sample(pool, min(12, len(pool)))
    for seat in range(seats):
        commands = game.legal(table, seat)
        if seat in game.to_act(table):
            assert commands, f"seat {seat} is to act and has nothing to do"
        for command in commands:
            game.decide(table, seat, command.sample(rng.randrange) if isinstance(command, Template) else command)
        assert list(commands) == list(game.legal(table, seat))
        open_ended = {command.command for command in commands if isinstance(command, Template)}
        for command in strangers:
            if command in commands or type(command) in open_ended:
                continue
            with pytest.raises(Refused) as refusal:
                game.decide(table, seat, command)
            assert refusal.value.rule in game.rules
            assert refusal.value.code and refusal.value.text


@every_game
def test_a_game_declares_what_it_is(game: Game[Any]) -> None:
    assert game.summary and game.title and game.version >= 1
    for rule in game.rules.values():
        assert rule.title and rule.text and rule.source
    for option in options_of(game.options):
        assert option.rule in game.rules, f"{option.name} rests on {option.rule}, which is not stated"
        assert option.text
    assert game.seats_rule in game.rules
    assert set(game.hidden_choices) <= set(game.commands)
    assert set(game.tentative) <= set(game.events)
    assert len({wire_name(cls) for cls in (*game.commands, *game.events)}) == len(game.commands) + len(game.events)


@every_game
def test_options_that_are_said_to_have_no_effect_have_none(game: Game[Any]) -> None:
    """Matches with the same random numbers and different values of the option run alike."""
    for seats in {game.seats[0], game.seats[len(game.seats) // 2], game.seats[-1]}:
        more = {"max_seats": seats} if seats not in game.usual_seats else {}
        others: list[dict[str, Any]] = [
            {o.name: value} for o in options_of(game.options) for value in playing.values(o)
        ]
        for given in ({**more, **other} for other in [{}, *others]):
            if not playing.opens(game, seats, given):
                continue
            for name in set(game.idle_options(game.open_table(given, seats).options, seats)) - set(given):
                told = [
                    beginning(game, seats, {**given, option.name: value})
                    for option in options_of(game.options)
                    for value in playing.values(option)
                    if option.name == name
                ]
                ran = [moments for moments in told if moments]
                assert all(moments == ran[0] for moments in ran), f"{name} at {seats} seats with {given}"


def beginning(game: Game[Any], seats: int, options: dict[str, Any]) -> list[Any]:
    """The first moves of a random match and what they led to; none where a value makes no table at all."""
    moments = playing.random_match(game, seats, options, seed("beginning", game.slug))
    try:
        return [
            (moment.seat, moment.command, moment.answer, [type(event) for event in moment.events])
            for moment in itertools.islice(moments, 150)
        ]
    except Refused:
        return []


@every_game
def test_too_few_and_too_many_seats_are_refused(game: Game[Any]) -> None:
    for seats in (0, 1, max(game.seats) + 1):
        if seats not in game.seats:
            with pytest.raises(Refused) as refusal:
                game.open_table({}, seats)
            assert refusal.value.rule == game.seats_rule
