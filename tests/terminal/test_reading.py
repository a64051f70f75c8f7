"""What the client makes of schemas and of what somebody types."""

from __future__ import annotations

from typing import Any

import pytest

from api.terminal.choices import first_choices, next_choices
from api.terminal.schemas import Unfit, parts, read

CARD = {"type": "string", "pattern": "^[CROW]-[0-9]+$", "examples": ["C-13"]}


@pytest.mark.parametrize(
    ("text", "schema", "value"),
    [
        ("7", {"type": "integer"}, 7),
        ("-7", {"type": "integer"}, -7),
        ("c-13", CARD, "C-13"),
        ("C-1 O-2, W-3", {"type": "array", "items": CARD}, ["C-1", "O-2", "W-3"]),
        ("Bar", {"anyOf": [{"type": "integer"}, {"enum": ["bar"]}]}, "bar"),
        ("12", {"anyOf": [{"type": "integer"}, {"enum": ["bar"]}]}, 12),
        ("yes", {"type": "boolean"}, True),
        ("none", {"anyOf": [CARD, {"type": "null"}]}, None),
        ("2", {"enum": [1, 2, 3]}, 2),
    ],
)
def test_a_text_is_read_as_its_schema_wants_it(text: str, schema: Any, value: Any) -> None:
    assert read(text, schema) == value


@pytest.mark.parametrize(
    ("text", "schema", "wanted"),
    [
        ("seven", {"type": "integer"}, "a whole number"),
        ("9", {"type": "integer", "minimum": 1, "maximum": 6}, "a whole number from 1 to 6"),
        ("X-1", CARD, "something such as C-13"),
        ("C-1 C-2", {"type": "array", "items": CARD, "minItems": 3, "maxItems": 3}, "3 of them"),
        ("foot", {"anyOf": [{"type": "integer"}, {"enum": ["bar", "off"]}]}, "a whole number or one of bar, off"),
        ("", CARD, "something such as C-13"),
    ],
)
def test_a_text_that_does_not_fit_is_told_what_is_wanted(text: str, schema: Any, wanted: str) -> None:
    with pytest.raises(Unfit, match=f"^{wanted}$"):
        read(text, schema)


def test_parts_are_found_however_deep_and_under_alternatives() -> None:
    mark = {"x-part": {"kind": "mark", "owner": "table"}}
    inner = {"type": "object", "properties": {"bid": {"type": "integer", **mark}, "note": {"type": "string"}}}
    schema = {
        "type": "object",
        "properties": {
            "phase": {"type": "string", **mark},
            "asked": {"anyOf": [inner, {"type": "null"}]},
            "rounds": {"type": "array", "items": inner},
        },
    }
    view = {
        "phase": "bidding",
        "asked": {"bid": 7, "note": "x"},
        "rounds": [{"bid": 1, "note": ""}, {"bid": 2, "note": ""}],
    }
    assert [(part.name, part.path, part.value) for part in parts(schema, view)] == [
        ("phase", ("phase",), "bidding"),
        ("asked.bid", ("asked", "bid"), 7),
        ("rounds.bid", ("rounds", 0, "bid"), 1),
        ("rounds.bid", ("rounds", 1, "bid"), 2),
    ]
    assert [part.name for part in parts(schema, view, {"asked"})] == ["phase", "asked", "rounds.bid", "rounds.bid"]
    assert [part.name for part in parts(schema, {**view, "asked": None})] == ["phase", "rounds.bid", "rounds.bid"]


def command(*fields: str, **said: Any) -> Any:
    return {"description": "Do.", "properties": {"type": {}, **{name: {"x-at": ["hand"]} for name in fields}}, **said}


def test_a_choice_is_made_field_by_field_and_only_where_there_is_one() -> None:
    schemas = {"move": command("from", "die"), "roll": command(), "undo": command(**{"x-aside": True})}
    legal = [{"type": "move", "from": start, "die": die} for start, die in ((6, 1), (6, 2), (8, 1))]
    legal += [{"type": "roll"}, {"type": "undo"}]
    six, eight, roll, undo = first_choices(legal, schemas)
    assert [choice.key for choice in (six, eight, roll, undo)] == ["1", "2", "3", "u"]
    assert six.told == (("from", 6),) and six.command is None
    assert eight.command == legal[2] and roll.command == legal[3]
    assert [(choice.told, choice.command) for choice in next_choices(six, schemas)] == [
        ((("die", 1),), legal[0]),
        ((("die", 2),), legal[1]),
    ]


def test_keys_that_mean_the_same_everywhere_are_given_to_no_command() -> None:
    schemas = {"quit": command(**{"x-aside": True}), "undo": command(**{"x-aside": True})}
    keys = [choice.key for choice in first_choices([{"type": "quit"}, {"type": "undo"}], schemas)]
    assert keys == ["u", "n"]
