"""What holds for the drawing of every table: nothing that the view has for the eye is left out, and nothing legal."""

from __future__ import annotations

import functools
import random
import re
from collections.abc import Iterator
from typing import Any

import pytest

from api.terminal import drawing
from api.terminal.board import man
from api.terminal.choices import as_sent, next_choices
from api.terminal.scene import Scene
from domain.game import ALL, Game
from domain.games import BY_SLUG, GAMES
from tests.domain import playing
from tests.terminal import drawings, scenes

every_game = pytest.mark.parametrize("game", GAMES, ids=lambda game: game.slug)

TABLES = 30  # of each game


@functools.cache
def tables(slug: str) -> list[Any]:
    """Tables from the beginning, the middle and the end of random matches, at all seat counts and options."""
    game, rng = BY_SLUG[slug], random.Random(f"terminal {slug}")
    found = []
    for seats, options in playing.tables(game):
        for n, moment in enumerate(playing.random_match(game, seats, options, rng)):
            found.append(moment.after)
            if n > 150:
                break
    return rng.sample(found, min(TABLES, len(found)))


def texts(value: Any, schema: Any, names: list[str]) -> Iterator[str]:
    """The texts that a reader looks for where a value is drawn."""
    for one in schema.get("anyOf", ()):
        if (value is None) == (one.get("type") == "null"):
            schema = {**one, **{key: said for key, said in schema.items() if key != "anyOf"}}
    if isinstance(value, dict):
        for key, inner in value.items():
            yield from texts(inner, schema["properties"][key], names)
    elif isinstance(value, list):
        for inner in value:
            yield from texts(inner, schema["items"], names)
    elif isinstance(value, bool):
        yield "yes" if value else "no"
    elif value is not None and schema.get("x-is") == "seat":
        yield names[value]
    elif value is not None:
        yield str(value).replace("_", " ") if "enum" in schema else str(value)


@every_game
def test_every_part_of_a_view_is_drawn(game: Game[Any]) -> None:
    for table in tables(game.slug)[:12]:
        for seat in (None, ALL, table.seats - 1):
            scene = scenes.scene(game, table, seat)
            names = [scene.name(seat) for seat in scene.seats]
            picture = scenes.drawn(drawing.table(scene), width=600)
            for part in scene.parts:
                if part.value is None:
                    continue
                if part.kind == "pieces":
                    for side in range(len(scene.match["sides"])):  # each man, counted, and one in the legend
                        men = [piece["count"] for piece in part.value if piece["side"] == side]
                        counted = re.findall(man(side) + r"[A-Z]?(?:×(\d+))?", picture)
                        assert sum(int(count or 1) for count in counted) == 1 + sum(men)
                else:
                    assert part.path[0].replace("_", " ") in picture, f"{part.label} in\n{picture}"  # type: ignore[union-attr]
                    for text in texts(part.value, part.schema, names):
                        assert text in picture, f"{part.label}: {text} in\n{picture}"


@every_game
def test_every_legal_command_can_be_chosen(game: Game[Any]) -> None:
    chosen = 0
    for table in tables(game.slug):
        for seat in range(table.seats):
            scene = scenes.scene(game, table, seat)
            commands = scene.game["schemas"]["commands"]
            found = list(scenes.leaves(list(scene.choices), commands))
            sent = [as_sent(one.command, commands[one.type]) if one.command else one.template for one in found]
            assert sorted(map(str, sent)) == sorted(map(str, scenes.legal(game, table, seat)))
            check_keys(scene)
            chosen += len(sent)
    assert chosen


def check_keys(scene: Scene) -> None:
    """At each step every choice has a key of its own, and the key is offered."""
    picture = scenes.drawn(drawing.offers(scene), width=200)
    keys = [choice.key for choice in scene.choices]
    assert len(set(keys)) == len(keys)
    assert all(f"[{key}]" in picture for key in keys)
    for choice in scene.choices:
        if choice.command is None and choice.template is None:
            check_keys(
                Scene(scene.game, scene.match, scene.board, next_choices(choice, scene.game["schemas"]["commands"]))
            )


@every_game
def test_choices_are_offered_at_their_place(game: Game[Any]) -> None:
    """A kind of command that is made at a place of the table is seen there, and not only in the list below it."""
    for table in tables(game.slug):
        for seat in range(table.seats):
            scene = scenes.scene(game, table, seat)
            placed = [choice for choice in scene.choices if choice.places]
            picture = scenes.drawn(drawing.table(scene), width=200) if placed else ""
            seen = {choice.type for choice in placed if f"[{choice.key}]" in picture}
            assert {choice.type for choice in placed} == seen, picture


def test_the_end_shows_the_points_that_stand_at_the_table() -> None:
    game = BY_SLUG["checkers"]
    seats, options = next(iter(playing.tables(game)))
    *_, last = playing.random_match(game, seats, options, random.Random("the end"))
    scene = scenes.scene(game, last.after, 0)
    totals, half_points = scene.match["table"]["totals"], list(last.after.half_points)
    scene.match["result"] = {"places": [1, 2], "scores": half_points}
    rows = [line.split() for line in scenes.drawn(drawing.result(scene)).splitlines()]
    assert [row[-1] for row in rows if row and row[0] in "12"] == [f"{total:g}" for total in totals]
    assert totals != half_points


@pytest.mark.parametrize("slug", drawings.TABLES)
def test_a_table_is_drawn_as_it_was(slug: str) -> None:
    assert drawings.picture(slug) == drawings.file(slug).read_text()
