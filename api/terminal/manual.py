"""What `?` shows: the keys, what the words on the table mean, the commands and the rules."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from typing import Any, Final

from rich.console import Group, RenderableType
from rich.padding import Padding
from rich.table import Table
from rich.text import Text

from api.terminal.client import Json
from api.terminal.pen import QUIET
from api.terminal.schemas import Schema, in_words

KEYS: Final = {
    "1, 2, …": "make the choice with this number",
    "b": "take back a choice that is not made in full",
    "a letter": "what stands beside the play, if it is offered",
    "d": "offer a draw, or answer an offer",
    "x": "resign",
    "r": "list the rules; `r QU-11` shows one, `r trump` those that speak of trumps",
    "?": "this page",
    "q": "quit; the match goes on without you",
}


def page(game: Json) -> RenderableType:
    """Everything there is to know before playing, but for the rules."""
    schemas = game["schemas"]
    return Group(
        Text(f"{game['title']}: {game['summary']}", "bold"),
        _listed("Keys", KEYS.items()),
        _listed("What you can do", ((in_words(name), one["description"]) for name, one in schemas["commands"].items())),
        _listed("What you see", meanings(schemas["view"])),
        _listed("Table options", ((option["name"], option["text"]) for option in game["options"])),
        _listed("Levels of bots", levels(game)),
    )


def levels(game: Json) -> Iterator[tuple[str, str]]:
    """How well bots can play, and how well each does against the others."""
    for level in game.get("levels", ()):  # a server that is older does not tell
        found = [row for row in level["strength"] or () if not row["all_seeing"]]
        figures = [f"wins {row['won']:.0%} against {row['against']} at {row['seats']} seats" for row in found]
        usual = " (the usual one)" if level["usual"] else ""
        yield level["level"], f"{level['text']}{usual}; {', '.join(figures) or 'not measured'}"


def _listed(title: str, rows: Iterable[tuple[str, str]]) -> RenderableType:
    grid = Table.grid(padding=(0, 2))
    grid.add_column(style="bold", no_wrap=True)
    grid.add_column()
    for name, text in rows:
        grid.add_row(name, Text(text))
    return Group(Text(title, QUIET), Padding(grid, (0, 0, 1, 2)))


def meanings(schema: Schema, within: str = "") -> Iterator[tuple[str, str]]:
    """The fields of a view with what they mean, those of its records included."""
    for name, field in schema.get("properties", {}).items():
        path = f"{within}{name}"
        yield in_words(path), field.get("description", "")
        for inner in _records(field):
            yield from meanings(inner, f"{path}.")


def _records(schema: Schema) -> Iterator[Schema]:
    if "properties" in schema:
        yield schema
    for inner in (*schema.get("anyOf", ()), *([schema["items"]] if "items" in schema else ())):
        yield from _records(inner)


def rules(found: Iterable[Mapping[str, Any]], wanted: str) -> RenderableType:
    """The titles of all rules; those that were asked for in full, by their id or by a word."""
    found = list(found)
    if not wanted:
        return _listed("Rules", ((rule["id"], rule["title"]) for rule in found))
    exact = [rule for rule in found if rule["id"].lower() == wanted.lower()]
    word = re.compile(re.escape(wanted), re.IGNORECASE)
    chosen = exact or [rule for rule in found if word.search(rule["title"]) or word.search(rule["text"])]
    if not chosen:
        return Text(f"No rule speaks of {wanted!r}.")
    return Group(*(rule_text(rule) for rule in chosen))


def rule_text(rule: Mapping[str, Any]) -> RenderableType:
    return Group(Text(f"{rule['id']}  {rule['title']}", "bold"), Padding(Text(rule["text"]), (0, 0, 1, 2)))
