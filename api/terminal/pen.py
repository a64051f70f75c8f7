"""Values as text and colours, by what their schemas say of them."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any, Final

from rich.text import Text

from api.terminal.scene import Scene
from api.terminal.schemas import Schema, fitting, in_words, item

SIDES: Final = ("cyan", "magenta", "green", "yellow", "blue", "red")
SUITS: Final = {"C": "blue", "R": "red", "O": "dark_orange3", "W": "green4"}
NUMBERS: Final = ("grey37", "blue", "red", "green4", "dark_orange3", "purple", "deep_sky_blue4", "deep_pink4")
PAPER: Final = "grey93"
FACES: Final = " ⚀⚁⚂⚃⚄⚅"
QUIET: Final = "dim"
KEY: Final = "bold black on yellow"
NOTHING: Final = "—"


def side_colour(side: int) -> str:
    return SIDES[side % len(SIDES)]


def card_colour(card: str) -> str:
    """By the suit, or by the higher of two numbers."""
    first = card.partition("-")[0]
    return SUITS.get(first) or (NUMBERS[int(first) % len(NUMBERS)] if first.isdigit() else "purple")


def card(value: Any, *, down: bool = False) -> Text:
    """A card on its paper; one that lies face down is seen by few, and looks it."""
    colour = card_colour(str(value))
    return Text(f" {value} ", f"italic {colour} on grey70" if down else f"bold {colour} on {PAPER}")


def keys(found: Iterable[str]) -> Text:
    return Text("").join(Text(f"[{key}]", KEY) for key in found)


def range_of(found: Sequence[str]) -> Text:
    """Many keys in little room: they were given out in order."""
    return keys(found) if len(found) < 4 else keys(found[:1]) + Text("…") + keys(found[-1:])


class Pen:
    def __init__(self, scene: Scene) -> None:
        self._scene = scene

    def player(self, seat: int) -> Text:
        return Text(self._scene.name(seat), side_colour(self._scene.side(seat)))

    def players(self, seats: Sequence[int]) -> Text:
        return Text(" and ").join(self.player(seat) for seat in seats)

    def write(self, value: Any, schema: Schema, at: str, *, cards: bool = False, down: bool = False) -> Text:
        """Any value of the view, with the keys of the choices that are found at it."""
        schema = fitting(schema, value)
        if isinstance(value, list):
            return self._list(value, schema, at, cards=cards, down=down)
        if isinstance(value, dict):
            return self._record(value, schema, at, cards=cards, down=down)
        written = self._leaf(value, schema, cards=cards, down=down)
        is_thing = value is not None and (cards or "x-piece" in schema or "x-is" in schema)
        return written + keys(self._scene.keys(at, value, schema.get("x-is", ""))) if is_thing else written

    def _leaf(self, value: Any, schema: Schema, *, cards: bool, down: bool) -> Text:
        if value is None:
            return Text(NOTHING, QUIET)
        if isinstance(value, bool):
            return Text("yes" if value else "no")
        if schema.get("x-is") == "seat" and value in self._scene.seats:
            return self.player(value)
        if "x-piece" in schema or cards:
            return card(value, down=down)
        return Text(in_words(value) if isinstance(value, str) and "enum" in schema else str(value))

    def _list(self, values: Sequence[Any], schema: Schema, at: str, *, cards: bool, down: bool) -> Text:
        if not values:
            return Text(NOTHING, QUIET)
        written = [self.write(one, item(schema, place), at, cards=cards, down=down) for place, one in enumerate(values)]
        if any(isinstance(one, list | dict) for one in values):
            return Text("; ").join(written)
        on_paper = cards or "x-piece" in fitting(item(schema, 0), values[0])
        return Text(" " if on_paper else ", ").join(written)

    def _record(self, value: dict[str, Any], schema: Schema, at: str, *, cards: bool, down: bool) -> Text:
        """Its fields with their names; seats and cards speak for themselves."""
        fields = {name: fitting(schema.get("properties", {}).get(name, {}), one) for name, one in value.items()}
        marked = [name for name in fields if _speaks_for_itself(fields[name])]
        written = []
        for name, one in value.items():
            text = self.write(one, fields[name], f"{at}.{name}", cards=cards and not marked, down=down)
            plain = name in marked and one not in (None, [])
            written.append(text if plain else Text(f"{in_words(name)} ", QUIET) + text)
        return Text(" ").join(written)

    def dice(self, values: Any, at: str) -> Text:
        """Faces where there are such, with their numbers beside them."""
        thrown = values if isinstance(values, list) else [values]
        drawn = []
        for one in thrown:
            face = f"{FACES[one]} {one}" if isinstance(one, int) and 1 <= one <= 6 else str(one)
            drawn.append(Text(face, "bold") + keys(self._scene.keys(at, one)))
        return Text("   ").join(drawn) if drawn else Text(NOTHING, QUIET)


def _speaks_for_itself(schema: Schema) -> bool:
    return "x-is" in schema or "x-piece" in schema or ("items" in schema and _speaks_for_itself(schema["items"]))
