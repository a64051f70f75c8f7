"""Reading JSON Schemas: which parts a view has, and what a typed text is worth."""

from __future__ import annotations

import re
from collections.abc import Container, Iterator, Mapping
from typing import Any, Final, NamedTuple

Schema = Mapping[str, Any]
Path = tuple[str | int, ...]


class Within(NamedTuple):
    """The object that a field stands in."""

    value: Mapping[str, Any]
    schema: Schema


class Part(NamedTuple):
    """A field of a view that is something to the eye."""

    path: Path
    value: Any
    schema: Schema  # of the value, with `x-part`
    within: Within

    @property
    def kind(self) -> str:
        return self.schema["x-part"]["kind"]  # type: ignore[no-any-return]

    @property
    def owner(self) -> str:
        return self.schema["x-part"].get("owner", "table")  # type: ignore[no-any-return]

    @property
    def name(self) -> str:
        return named(self.path)

    @property
    def label(self) -> str:
        return in_words(self.name)


def named(path: Path) -> str:
    """A field as `x-at` calls it: without the places in lists."""
    return ".".join(step for step in path if isinstance(step, str))


def in_words(name: str) -> str:
    """
    >>> in_words("extras.hand_counts")
    'extras hand counts'
    """
    return name.replace("_", " ").replace(".", " ")


ALONE: Final = Within({}, {})


def parts(
    schema: Schema, value: Any, wanted: Container[str] = (), path: Path = (), within: Within = ALONE
) -> Iterator[Part]:
    """The parts of a view, in its own order; what lies inside a part belongs to it. Fields that are wanted by name are
    taken for words beside the table if nothing is said of them."""
    schema = fitting(schema, value)
    if "x-part" not in schema and path and named(path) in wanted:
        schema = {**schema, "x-part": {"kind": "mark"}}
    if "x-part" in schema:
        yield Part(path, value, schema, within)
    elif isinstance(value, dict):
        for name, inner in schema.get("properties", {}).items():
            if name in value:
                yield from parts(inner, value[name], wanted, (*path, name), Within(value, schema))
    elif isinstance(value, list):
        for place, one in enumerate(value):
            yield from parts(item(schema, place), one, wanted, (*path, place), within)


def item(schema: Schema, place: int) -> Schema:
    """The schema of one element of a list."""
    first = schema.get("prefixItems", ())
    return first[place] if place < len(first) else schema.get("items", {})  # type: ignore[no-any-return]


def fitting(schema: Schema, value: Any) -> Schema:
    """Of several alternatives the one that the value is, together with what is said of all of them."""
    for alternative in schema.get("anyOf", ()):
        if is_like(alternative, value):
            said = {key: told for key, told in schema.items() if key != "anyOf"}
            return fitting({**alternative, **said}, value)
    return schema


TYPES: Mapping[str, tuple[type, ...]] = {
    "string": (str,),
    "integer": (int,),
    "number": (int, float),
    "boolean": (bool,),
    "array": (list,),
    "object": (dict,),
    "null": (type(None),),
}


def is_like(schema: Schema, value: Any) -> bool:
    """Whether the value is of this kind, as far as it takes to tell alternatives apart."""
    if "anyOf" in schema:
        return any(is_like(one, value) for one in schema["anyOf"])
    if "enum" in schema:
        return value in schema["enum"]
    wanted = types_of(schema)
    if wanted and not any(isinstance(value, TYPES[name]) for name in wanted):
        return False
    if isinstance(value, bool) and wanted and "boolean" not in wanted:
        return False
    return not isinstance(value, dict) or set(schema.get("required", ())) <= set(value)


def types_of(schema: Schema) -> list[str]:
    found = schema.get("type", [])
    return [found] if isinstance(found, str) else list(found)


# ── What somebody types ─────────────────────────────────────────────────────────────────────────────────────────


class Unfit(ValueError):
    """A text that is no such value; says what is wanted."""


def read(text: str, schema: Schema) -> Any:
    """The value that a text means.

    >>> read("c-5, O-1", {"type": "array", "items": {"type": "string", "pattern": "^[CROW]-[0-9]+$"}})
    ['C-5', 'O-1']
    >>> read("", {"type": ["integer", "null"]}), read("7", {"type": ["integer", "null"]})
    (None, 7)
    """
    wanted = []
    for alternative in alternatives(schema):
        try:
            return _read(text.strip(), alternative)
        except Unfit as unfit:
            wanted.append(str(unfit))
    raise Unfit(" or ".join(wanted))


def alternatives(schema: Schema) -> Iterator[Schema]:
    if "anyOf" in schema:
        for one in schema["anyOf"]:
            yield from alternatives(one)
    elif len(types_of(schema)) > 1:
        for name in types_of(schema):
            yield {**schema, "type": name}
    else:
        yield schema


def _read(text: str, schema: Schema) -> Any:
    if "enum" in schema:
        return _one_of(text, schema["enum"])
    match types_of(schema):
        case ["null"]:
            if text.lower() not in ("", "none", "null"):
                raise Unfit("nothing")
            return None
        case ["boolean"]:
            return _one_of(text, ("yes", "no")) == "yes"
        case ["integer" | "number"]:
            return _number(text, schema)
        case ["array"]:
            return _list(text, schema)
        case _:
            return _word(text, schema)


def _one_of(text: str, words: Any) -> Any:
    for word in words:
        if str(word).lower() == text.lower():
            return word
    raise Unfit(f"one of {', '.join(map(str, words))}")


def _number(text: str, schema: Schema) -> int:
    low, high = schema.get("minimum"), schema.get("maximum")
    wanted = "a whole number" + ("" if low is None or high is None else f" from {low} to {high}")
    if not re.fullmatch(r"[+-]?[0-9]{1,9}", text):
        raise Unfit(wanted)
    number = int(text)
    if (low is not None and number < low) or (high is not None and number > high):
        raise Unfit(wanted)
    return number


def _list(text: str, schema: Schema) -> list[Any]:
    found = [read(one, item(schema, place)) for place, one in enumerate(filter(None, re.split(r"[,\s]+", text)))]
    low, high = schema.get("minItems", 0), schema.get("maxItems", len(found))
    if not low <= len(found) <= high:
        raise Unfit(f"{low} of them" if low == high else f"{low} to {high} of them")
    return found


def _word(text: str, schema: Schema) -> str:
    for word in (text, text.upper(), text.lower()):
        if word and re.search(schema.get("pattern", ""), word):
            return word
    examples = schema.get("examples", ())
    raise Unfit(f"something such as {' or '.join(map(str, examples))}" if examples else "a word")
