"""What a game says fits the schemas that it publishes, and every field is explained."""

from __future__ import annotations

import json
import random
from collections.abc import Iterator
from dataclasses import fields
from typing import Any

import pytest
from jsonschema_rs import Draft202012Validator

from domain.game import ALL, Game, Template
from domain.games import BY_SLUG, GAMES
from domain.telling.schema import command_schema, event_schema, options_schema, template_schema, view_schema
from domain.telling.vocabulary import COMMON
from domain.wire import wire_name, write_command, write_event
from tests.domain import playing

every_game = pytest.mark.parametrize("game", GAMES, ids=lambda game: game.slug)


@every_game
def test_views_commands_events_and_options_fit_their_schemas(game: Game[Any]) -> None:
    rng = random.Random(f"schemas {game.slug}")
    views = Draft202012Validator(view_schema(game))
    commands = {wire_name(cls): Draft202012Validator(command_schema(game, cls)) for cls in game.commands}
    events = {wire_name(cls): event_schema(game, cls) for cls in game.events}
    public = {kind: Draft202012Validator(parts.public_schema()) for kind, parts in events.items()}
    secret = {kind: Draft202012Validator(parts.secret_schema()) for kind, parts in events.items()}
    templates = {wire_name(cls): Draft202012Validator(template_schema(game, cls)) for cls in game.templates}
    options = Draft202012Validator(options_schema(game))
    for seats, given in playing.tables(game):
        options.validate(json.loads(json.dumps(given)))
        for n, moment in enumerate(playing.random_match(game, seats, given, rng)):
            for event in moment.events:
                parts = json.loads(json.dumps(write_event(event)._asdict()))
                public[parts["type"]].validate(parts["public"])
                for part in parts["secret"].values():
                    secret[parts["type"]].validate(part)
            if rng.random() < 0.2:
                for seat in (None, ALL, *range(seats)):
                    views.validate(json.loads(json.dumps(game.view(moment.after, seat))))
                for seat in range(seats):
                    for command in game.legal(moment.after, seat):
                        body = json.loads(json.dumps(write_command(command)))
                        (templates if isinstance(command, Template) else commands)[body["type"]].validate(body)
            if n > 150:
                break


def shape(schema: Any) -> Any:
    """What a client has to be ready for, without what is said of it: all kinds of cards, and all words, are texts."""
    if isinstance(schema, list):
        return [shape(one) for one in schema]
    if not isinstance(schema, dict):
        return schema
    if "enum" in schema:
        return {"type": "string"}
    # Null to readers who may not see it, or where a table option covers it: that can be so of any word.
    rest = [one for one in schema.get("anyOf", ()) if one != {"type": "null"}]
    if len(rest) == 1:
        return shape(rest[0])
    passed_over = {"description", "x-part", "x-piece", "x-is", "pattern", "examples"}
    found = {key: shape(value) for key, value in schema.items() if key not in passed_over}
    return found | ({"type": "number"} if found.get("type") in ("integer", ["integer", "null"]) else {})


def test_a_number_that_is_a_seat_says_so() -> None:
    fields = view_schema(BY_SLUG["quenette"])["properties"]
    assert fields["dealer"]["x-is"] == "seat" and fields["trick"]["items"]["properties"]["seat"]["x-is"] == "seat"
    assert "x-is" not in fields["hand_no"]


def test_a_word_has_one_shape_in_the_views_of_all_games() -> None:
    shapes: dict[str, dict[str, list[str]]] = {}
    for game in GAMES:
        for name, schema in view_schema(game)["properties"].items():
            found = json.dumps(shape(schema), sort_keys=True)
            shapes.setdefault(name, {}).setdefault(found, []).append(game.slug)
    assert {name: found for name, found in shapes.items() if len(found) > 1} == {}


def test_no_game_gives_a_common_word_a_meaning_of_its_own() -> None:
    """It may say more of a field of one event or command: those keys have a dot."""
    for game in GAMES:
        assert not set(game.glossary) & set(COMMON), game.slug


@every_game
def test_a_game_explains_no_word_that_it_does_not_use(game: Game[Any]) -> None:
    schemas: list[Any] = [view_schema(game), *(command_schema(game, cls) for cls in game.commands)]
    used = set(_names(schemas))
    for cls in game.events:
        parts = event_schema(game, cls)
        fields = {*parts.public, *parts.secret, *_names([parts.public, parts.secret])}
        used |= fields | {f"{wire_name(cls)}.{name}" for name in fields}
    for cls in game.commands:
        used |= {f"{wire_name(cls)}.{name}" for name in _names([command_schema(game, cls)])}
    assert set(game.glossary) <= used


def _names(schemas: Any) -> Iterator[str]:
    """The names of all properties, however deep."""
    if isinstance(schemas, list):
        for one in schemas:
            yield from _names(one)
    elif isinstance(schemas, dict):
        yield from schemas.get("properties", ())
        for one in schemas.values():
            yield from _names(one)


@every_game
def test_commands_are_found_at_fields_that_the_view_has(game: Game[Any]) -> None:
    view = view_schema(game)
    for cls, places in game.touches.items():
        assert cls in game.commands
        for field, at in places.items():
            assert not field or field in {f.name for f in fields(cls)}
            for path in at.split():
                assert (path == "board" and game.board is not None) or _finds(view, path.split(".")), path


def _finds(schema: dict[str, Any], path: list[str]) -> bool:
    if not path:
        return True
    options = [schema, *schema.get("anyOf", ()), *([schema["items"]] if "items" in schema else ())]
    return any(path[0] in one.get("properties", {}) and _finds(one["properties"][path[0]], path[1:]) for one in options)


@every_game
def test_every_field_of_a_command_is_found_somewhere_or_is_a_plain_choice(game: Game[Any]) -> None:
    """A program that knows no game can then offer the command at its place."""
    for cls in game.commands:
        assert cls in game.touches or not fields(cls), f"{cls.__name__}: where on the table is it made?"
