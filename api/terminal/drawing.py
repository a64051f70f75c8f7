"""A whole table as text and colours: who plays, what lies on the table, what can be done."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any, Final

from rich import box
from rich.console import Group, RenderableType
from rich.padding import Padding
from rich.rule import Rule
from rich.table import Table
from rich.text import Text

from api.terminal.board import Grid
from api.terminal.choices import Choice
from api.terminal.client import Sentence
from api.terminal.flow import Flow
from api.terminal.pen import NOTHING, QUIET, Pen, keys, range_of, side_colour
from api.terminal.scene import Scene
from api.terminal.schemas import Part, Schema, fitting, in_words, item

CARDS: Final = frozenset({"hand", "pile", "row", "trick", "card"})
BY_PLAYER: Final = ("each", "side")


def table(scene: Scene) -> RenderableType:
    """Everything that the view has for the eye: players above, then the table, your own cards last. What is hidden from
    you, or is not there, is null and takes no room."""
    columns = [column for part in scene.parts if part.owner in BY_PLAYER for column in _columns(scene, part)]
    in_columns = {part.path[:depth] for part in columns for depth in range(1, len(part.path) + 1)}
    rest = [part for part in scene.parts if part.path not in in_columns and _is_there(scene, part)]
    marks = [part for part in rest if part.kind not in (*CARDS, "dice", "pieces")]
    own = [part for part in rest if part.owner == "you" and part not in marks]
    laid = [part for part in rest if part not in marks and part not in own]
    grid = Table.grid(padding=(0, 2))
    grid.add_column(style=QUIET)
    grid.add_column()
    drawer = Drawer(scene)
    for part in laid:
        grid.add_row(drawer.label(part), drawer.draw(part))
    if marks:
        grid.add_row("", Flow([drawer.mark(part) for part in marks], gap=3))
    for part in own:
        grid.add_row(drawer.label(part), drawer.draw(part))
    return Group(players(scene, columns), Padding(grid, (0, 0, 1, 0)))


def _is_there(scene: Scene, part: Part) -> bool:
    return part.value is not None or bool(scene.all_keys(part.name))


def _columns(scene: Scene, part: Part) -> Iterator[Part]:
    """What each seat or side has, as columns of the players' table: one, or one for each of its fields."""
    owners = len(scene.seats) if part.owner == "each" else len(scene.match["sides"])
    if not isinstance(part.value, list) or len(part.value) != owners or part.kind == "pieces":
        return
    first = fitting(item(part.schema, 0), part.value[0])
    if all(isinstance(one, dict) for one in part.value):
        columns = []
        for name, schema in first.get("properties", {}).items():
            values = [one.get(name) for one in part.value]
            inner = {"items": schema, "x-part": part.schema["x-part"]}
            columns.append(Part((*part.path, name), values, inner, part.within))
        if all(_is_short(column) for column in columns):
            yield from columns
    elif _is_short(part):
        yield part


def _is_short(part: Part) -> bool:
    """Whether it has a word, a number or a card for each, or a few numbers; many cards want a line of their own."""
    return all(
        not isinstance(one, dict) and not (isinstance(one, list) and (part.kind in CARDS or len(one) > 10))
        for one in part.value
    )


def players(scene: Scene, columns: Sequence[Part]) -> Table:
    """Who sits there, who is to act, and what each of them has."""
    pen = Pen(scene)
    shown = Table(box=box.SIMPLE, padding=(0, 1), show_edge=False)
    shown.add_column("")
    shown.add_column("player")
    for part in columns:
        shown.add_column(
            Text(part.label) + range_of(scene.all_keys(part.name)),
            justify="right" if part.kind in ("score", "count") else "left",
        )
    for seat in scene.seats:
        waited_for = seat in scene.match["to_act"]
        name = Text(scene.name(seat), f"bold {side_colour(scene.side(seat))}")
        row = [Text("▶" if waited_for else "", "bold"), name]
        for part in columns:
            owner = seat if part.owner == "each" else scene.side(seat)
            row.append(pen.write(part.value[owner], item(part.schema, owner), part.name, cards=part.kind in CARDS))
        shown.add_row(*row)
    return shown


class Drawer:
    """Draws one part."""

    def __init__(self, scene: Scene) -> None:
        self._scene, self._pen = scene, Pen(scene)

    def label(self, part: Part) -> Text:
        """The name of the part with the keys of what is done at it; in a list, whose it is or the place in it."""
        written = Text(part.label, QUIET)
        if any(isinstance(step, int) for step in part.path):
            written = written + Text(" ") + self._whose(part)
        return written + Text(" ") + range_of(self._scene.keys(part.name))

    def _whose(self, part: Part) -> Text:
        for name, field in part.within.schema["properties"].items():
            if field.get("x-is") == "seat" and part.within.value.get(name) is not None:
                return self._pen.player(part.within.value[name])
        return Text(str(1 + next(step for step in reversed(part.path) if isinstance(step, int))))

    def mark(self, part: Part) -> Text:
        return Text(f"{part.label} ", QUIET) + self._written(part) + range_of(self._scene.all_keys(part.name))

    def draw(self, part: Part) -> RenderableType:
        if part.kind == "pieces" and self._scene.board is not None:
            return Grid(self._scene, part)
        if part.kind == "dice":
            return self._pen.dice(part.value, part.name)
        if part.owner in BY_PLAYER and isinstance(part.value, list):
            return self._by_player(part)
        return self._laid(part)

    def _by_player(self, part: Part) -> RenderableType:
        """A line for each seat or side; none where nobody has anything."""
        if not any(part.value):
            return Text(NOTHING, QUIET)
        lines = Table.grid(padding=(0, 1))
        groups = [[seat] for seat in self._scene.seats] if part.owner == "each" else self._scene.match["sides"]
        for owner, (seats, value) in enumerate(zip(groups, part.value, strict=False)):
            inner = {**item(part.schema, owner), "x-part": part.schema["x-part"]}
            found = keys(self._scene.keys(part.name, owner, "seat")) if part.owner == "each" else Text()
            lines.add_row(self._pen.players(seats) + found, self._laid(part._replace(value=value, schema=inner)))
        return lines

    def _laid(self, part: Part) -> RenderableType:
        """Cards in a line; if they are in several heaps, a line for each."""
        value, schema = part.value, fitting(part.schema, part.value)
        if isinstance(value, list) and value:
            first = fitting(item(schema, 0), value[0])
            if isinstance(value[0], dict) and _holds_seat_and_card(first):
                return self._trick(part)
            if any(isinstance(one, list | dict) for one in value):
                lines = Table.grid(padding=(0, 1))
                for place, one in enumerate(value):
                    lines.add_row(Text(f"{place + 1}.", QUIET), self._written(part, one, item(schema, place)))
                return lines
            if part.kind == "hand":
                return self._hand(part)
            return Flow([self._written(part, one, item(schema, place)) for place, one in enumerate(value)], gap=1)
        return self._written(part)

    def _written(self, part: Part, *of: Any) -> Text:
        value, schema = of or (part.value, part.schema)
        down = part.schema["x-part"].get("face") == "down"
        return self._pen.write(value, schema, part.name, cards=part.kind in CARDS, down=down)

    def _trick(self, part: Part) -> RenderableType:
        """Each card under the name of its player."""
        cells = []
        for place, play in enumerate(part.value):
            inner = fitting(item(part.schema, place), play)
            seat = next(name for name, field in inner["properties"].items() if field.get("x-is") == "seat")
            rest = {name: value for name, value in play.items() if name != seat}
            cells.append((self._pen.player(play[seat]), self._pen.write(rest, inner, part.name, cards=True)))
        return Flow(cells, gap=1)

    def _hand(self, part: Part) -> RenderableType:
        """Each card above the keys that choose it."""
        cells = []
        for place, one in enumerate(part.value):
            found = self._scene.keys(part.name, one)
            drawn = self._pen.write(one, item(part.schema, place), at="", cards=True)
            if self._scene.choices and not found:
                drawn.stylize("dim")
            cells.append((drawn, keys(found)))
        return Flow(cells, gap=1)


def _holds_seat_and_card(schema: Schema) -> bool:
    fields = schema.get("properties", {}).values()
    return any(one.get("x-is") == "seat" for one in fields) and any("x-piece" in one for one in fields)


# ── Around the table ────────────────────────────────────────────────────────────────────────────────────────────


def heading(scene: Scene) -> RenderableType:
    """The game, and whom the table waits for."""
    waited_for = scene.match["to_act"]
    if scene.match["status"] == "over":
        status = "the match is over"
    elif scene.you in waited_for:
        others = len(waited_for) - 1
        also = "one other is" if others == 1 else f"{others} others are"
        status = f"you are to act, and {also}" if others else "your turn"
    else:
        status = f"waiting for {scene.names(waited_for)}" if waited_for else "waiting"
    title = Text(scene.game["title"], "bold") + Text(f"  {status}", "bold green" if scene.you in waited_for else QUIET)
    return Rule(title, align="left", style=QUIET)


def story(sentences: Sequence[Sentence], most: int | None = None) -> RenderableType:
    """What has happened, the newest last."""
    left_out = 0 if most is None else max(0, len(sentences) - most)
    lines = [Text(f"  {one.words}") for one in sentences[left_out:]]
    if left_out:
        lines.insert(0, Text(f"  … {left_out} more before this", QUIET))
    return Group(*lines)


def offers(scene: Scene) -> RenderableType:
    """Every choice with its key: a line for each kind of command, in the words of its description."""
    lines: list[RenderableType] = []
    for aside in (False, True):
        for kind in dict.fromkeys(choice.type for choice in scene.choices if choice.aside == aside):
            found = [one for one in scene.choices if one.type == kind and one.aside == aside]
            lines.append(_offer(scene, found))
    if offer := scene.match["draw_offer"]:
        lines.append(Text(f"{scene.name(offer['seat'])} offered a draw: d answers or withdraws it.", "bold"))
    return Group(*lines)


def _offer(scene: Scene, choices: Sequence[Choice]) -> RenderableType:
    schema = scene.game["schemas"]["commands"][choices[0].type]
    what = Text(schema["description"].rstrip("."), "bold")
    told = [settled(scene, choice) for choice in choices]
    if len(choices) == 1:
        return Text(" ").join([keys([choices[0].key]), what + Text(": ") + told[0] if told[0].plain else what])
    each = [keys([choice.key]) + Text(" ") + text for choice, text in zip(choices, told, strict=True)]
    return Flow([what + Text(":"), *each])


def settled(scene: Scene, choice: Choice) -> Text:
    """What a choice decides: the value of its field, or what is not null of several, with names."""
    schema, pen = scene.game["schemas"]["commands"][choice.type], Pen(scene)
    written = []
    for name, value in choice.told:
        text = pen.write(value, schema["properties"][name], at="")
        if len(choice.told) == 1:
            written.append(text)
        elif value is not None:
            written.append(Text(f"{in_words(name)} ", QUIET) + text)
    if choice.template is not None:
        written.append(Text("…"))
    return Text(" ").join(written)


def result(scene: Scene) -> RenderableType:
    """How the match ended."""
    found = scene.match["result"]
    # In Checkers scores are in half points.
    points = (scene.match["table"] or {}).get("totals") or found["scores"] if found["scores"] else ()
    shown = Table(box=box.SIMPLE, padding=(0, 1), show_edge=False)
    for heading in ("place", "player", "score"):
        shown.add_column(heading)
    order = sorted(scene.seats, key=lambda seat: found["places"][seat] if found["places"] else seat)
    for seat in order:
        place = str(found["places"][seat]) if found["places"] else NOTHING
        score = f"{points[seat]:g}" if points else NOTHING
        shown.add_row(place, Pen(scene).player(seat), score)
    return shown
