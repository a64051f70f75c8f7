"""Imagination: a whole table that a seat could be sitting at, and nothing that it could not know.

Two laws hold for every game. The seat sees the same before and after; and two tables that it cannot tell apart imagine
the same under the same random numbers, so that nothing can cheat through what it imagines.
"""

from __future__ import annotations

import json
import random
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest

from domain.game import CHANCE, Game, Refused, Template
from domain.games import BY_SLUG, GAMES
from domain.wire import write_command
from tests.domain import playing

every_game = pytest.mark.parametrize("game", GAMES, ids=lambda game: game.slug)


def seen(game: Game[Any], table: Any, seat: int, strangers: list[Any]) -> dict[str, str]:
    """All that a seat can ask for, byte by byte: its view, its list, who is to act, and what it would be refused."""
    found = {f"view.{name}": value for name, value in game.view(table, seat).items()}
    found |= {
        "legal": [write_command(command) for command in game.legal(table, seat)],
        "to_act": sorted(game.to_act(table)),
        "alarm": game.alarm(table),
        "refusals": [refusal(game, table, seat, command) for command in strangers],
    }
    return {name: json.dumps(value, sort_keys=True) for name, value in found.items()}


def refusal(game: Game[Any], table: Any, seat: int, command: Any) -> Any:
    try:
        game.decide(table, seat, command)
    except Refused as refused:
        return [refused.rule, refused.code, refused.text]
    return None


def moments(game: Game[Any], rng: random.Random) -> Any:
    """Tables of random matches at every seat count and with every option value, each with a seat that looks at it."""
    for seats, options in playing.tables(game):
        pool: list[Any] = []
        for n, moment in enumerate(playing.random_match(game, seats, options, rng)):
            if moment.seat >= 0 and not isinstance(moment.command, Template):
                pool.append(moment.command)
            if CHANCE in game.to_act(moment.after) or not game.to_act(moment.after):
                continue
            if rng.random() < 0.08:
                yield moment.after, rng.randrange(seats), rng.sample(pool, min(6, len(pool)))
            if n > 120:
                break


@every_game
def test_a_seat_sees_the_same_at_a_table_it_imagines(game: Game[Any]) -> None:
    rng = random.Random(f"imagine {game.slug}")
    looked = 0
    for table, seat, strangers in moments(game, rng):
        imagined = game.imagine(table, seat, rng.randrange)
        ours, theirs = seen(game, table, seat, strangers), seen(game, imagined, seat, strangers)
        assert {name: (ours[name], theirs[name]) for name in ours if ours[name] != theirs[name]} == {}
        looked += 1
    assert looked > 20


@every_game
def test_tables_that_a_seat_cannot_tell_apart_imagine_the_same(game: Game[Any]) -> None:
    """A table and what was imagined from it are such a pair."""
    rng = random.Random(f"twins {game.slug}")
    for table, seat, _ in moments(game, rng):
        twin = game.imagine(table, seat, rng.randrange)
        number = rng.random()
        ours = game.imagine(table, seat, random.Random(number).randrange)
        theirs = game.imagine(twin, seat, random.Random(number).randrange)
        assert ours == theirs


# ── It finds leaks ──────────────────────────────────────────────────────────────────────────────────────────────

LEAKS: dict[str, tuple[str, Callable[[Any], Any]]] = {
    "the secret numbers of Secret Seven": ("secret-seven", lambda s: s.combo),
    "the cards chosen in Goat": ("goat", lambda s: [str(choice) for choice in s.choices]),
    "the silent breach of Baffle": ("baffle", lambda s: s.missed),
    "a hand": ("rustle", lambda s: s.hands[0][:1]),
    "the next card of a stock": ("aviation", lambda s: s.stock[:1]),
}


@pytest.mark.parametrize(("slug", "tell"), LEAKS.values(), ids=LEAKS)
def test_a_view_that_tells_a_hidden_card_or_choice_is_found(slug: str, tell: Callable[[Any], Any]) -> None:
    """A seat would see another view at a table that it cannot tell from its own."""
    honest = BY_SLUG[slug]
    game = replace(honest, view=lambda s, seat: {**honest.view(s, seat), "leak": tell(s)})
    with pytest.raises(AssertionError, match=r"view\.leak"):
        test_a_seat_sees_the_same_at_a_table_it_imagines(game)
