"""Commands and events to plain JSON values and back, compiled once from the fields of their classes.

An event falls into a public part and secret parts by audience. An audience is written `2` for one seat, `1+4` for two,
`table` for nobody before the match is over.
"""

from __future__ import annotations

import re
import types
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import MISSING, fields, is_dataclass
from functools import cache, lru_cache
from typing import Any, Final, Literal, NamedTuple, TypeVar, Union, get_args, get_origin, get_type_hints

from domain.game import Seat, Secret, Template, Unreadable

T = TypeVar("T")
TABLE = "table"
Read = Callable[[Any, str], Any]
Write = Callable[[Any], Any]
MUST_BE = "must be "  # how an objection begins that says what kind of value is wanted
LARGEST = 2**53 - 1  # beyond it JSON numbers stop being exact in most clients


def remembered(make: Callable[[Any], T]) -> Callable[[Any], T]:
    """Forms are worked out once a class."""
    return cache(make)


# What the log adds to an event: what chance drew for it, the command that caused it, and how a bot came to that.
BESIDE: Final = frozenset({"draw", "command", "bot"})


class Parts(NamedTuple):
    """An event on the wire."""

    type: str
    public: dict[str, Any]
    secret: dict[str, dict[str, Any]]


def audience(to: Iterable[Seat]) -> str:
    return "+".join(str(seat) for seat in sorted(to)) or TABLE


@lru_cache(maxsize=1024)
def may_see(key: str, seat: Seat | None) -> bool:
    return seat is not None and key != TABLE and str(seat) in key.split("+")


@remembered
def wire_name(cls: Any) -> str:
    """`PlayCard` is `play_card`."""
    return re.sub(r"(?<=[a-z0-9])(?=[A-Z])", "_", cls.__name__).lower()


def external(name: str) -> str:
    """`from_` is `from` on the wire: a field may be named by a word that Python keeps for itself."""
    return name.rstrip("_")


# ── One codec a field ───────────────────────────────────────────────────────────────────────────────────────────


class Codec(NamedTuple):
    """`read` checks what a client sent; `load` takes back what was written here, and trusts it."""

    read: Read
    load: Write | None  # None: the value is as it should be already
    write: Write | None  # None: the value is plain JSON already


def _read_int(value: Any, where: str) -> int:
    if not isinstance(value, int) or isinstance(value, bool):
        raise Unreadable(where, "must be a whole number")
    if abs(value) > LARGEST:
        raise Unreadable(where, "is too large a number")
    return value


def _read_bool(value: Any, where: str) -> bool:
    if not isinstance(value, bool):
        raise Unreadable(where, "must be true or false")
    return value


def _read_str(value: Any, where: str) -> str:
    if not isinstance(value, str):
        raise Unreadable(where, "must be a text")
    return value


def _named(cls: type[str]) -> Codec:
    """Cards and other named things: texts with a class of their own."""

    def read(value: Any, where: str) -> Any:
        try:
            return cls(_read_str(value, where))
        except ValueError as error:
            raise Unreadable(where, str(error)) from None

    return Codec(read, cls, None)


@remembered
def codec(hint: Any) -> Codec:
    origin, args = get_origin(hint), get_args(hint)
    if hint is int:
        return Codec(_read_int, None, None)
    if hint is bool:
        return Codec(_read_bool, None, None)
    if hint is str:
        return Codec(_read_str, None, None)
    if hint is Any:
        return Codec(lambda value, where: value, None, None)
    if isinstance(hint, type) and issubclass(hint, str):
        return _named(hint)
    if origin is Literal:
        return _literal(args)
    if origin in (Union, types.UnionType):
        return _union(args)
    if origin is tuple:
        return _tuple(args)
    if is_dataclass(hint) or hasattr(hint, "_fields"):
        return _nested(hint)
    raise TypeError(f"no wire format for {hint!r}")


def _literal(words: tuple[Any, ...]) -> Codec:
    asked = ("one of " if len(words) > 1 else "") + ", ".join(map(str, words))

    def read(value: Any, where: str) -> Any:
        if value not in words or isinstance(value, bool):
            raise Unreadable(where, MUST_BE + asked)
        return value

    return Codec(read, None, None)


def _union(args: tuple[Any, ...]) -> Codec:
    members = [codec(arg) for arg in args if arg is not type(None)]
    optional = type(None) in args

    def read(value: Any, where: str) -> Any:
        if value is None and optional:
            return None
        objections = []
        for member in members:
            try:
                return member.read(value, where)
            except Unreadable as objection:
                objections.append(objection)
        raise _none_fits(where, objections, optional)

    if len(members) > 1 and any(member.write or member.load for member in members):
        raise TypeError("a union of records has no wire format")
    load, write = members[0].load, members[0].write
    return Codec(read, _unless_none(load), _unless_none(write))


def _none_fits(where: str, objections: list[Unreadable], optional: bool) -> Unreadable:
    """One objection that names every alternative, unless a value of the right kind has a fault of its own."""
    for objection in objections:
        if objection.field != where or not objection.text.startswith(MUST_BE):
            return objection
    kinds = [objection.text.removeprefix(MUST_BE) for objection in objections] + (["null"] if optional else [])
    return Unreadable(where, MUST_BE + " or ".join(kinds))


def _unless_none(work: Write | None) -> Write | None:
    return work and (lambda value: None if value is None else work(value))


def _tuple(args: tuple[Any, ...]) -> Codec:
    if len(args) == 2 and args[1] is Ellipsis:
        item = codec(args[0])

        def read(value: Any, where: str) -> Any:
            if not isinstance(value, list | tuple):
                raise Unreadable(where, "must be a list")
            return tuple(item.read(part, f"{where}.{i}") for i, part in enumerate(value))

        load, write = item.load, item.write
        return Codec(
            read,
            (lambda value: tuple([load(part) for part in value])) if load else tuple,
            write and (lambda value: [write(part) for part in value]),
        )
    items = [codec(arg) for arg in args]
    if any(item.write or item.load for item in items):
        raise TypeError("a fixed tuple of records has no wire format")

    def read_fixed(value: Any, where: str) -> Any:
        if not isinstance(value, list | tuple) or len(value) != len(items):
            raise Unreadable(where, f"must be a list of {len(items)}")
        return tuple(item.read(part, f"{where}.{i}") for i, (item, part) in enumerate(zip(items, value, strict=True)))

    return Codec(read_fixed, tuple, None)


def _nested(cls: Any) -> Codec:
    names = cls._fields if hasattr(cls, "_fields") else tuple(f.name for f in fields(cls))
    hints = get_type_hints(cls)
    inner = {name: codec(hints[name]) for name in names}
    keys = {name: external(name) for name in names}

    def read(value: Any, where: str) -> Any:
        if not isinstance(value, dict) or set(value) != set(keys.values()):
            raise Unreadable(where, f"must be an object with {', '.join(keys.values())}")
        return cls(**{name: inner[name].read(value[key], f"{where}.{key}") for name, key in keys.items()})

    def load(value: Any) -> Any:
        return cls(**{name: _loaded(inner[name], value[key]) for name, key in keys.items()})

    def write(value: Any) -> Any:
        return {
            key: (put(getattr(value, name)) if (put := inner[name].write) else getattr(value, name))
            for name, key in keys.items()
        }

    return Codec(read, load, write)


def plain(value: Any) -> Any:
    """A record as plain JSON."""
    write = codec(type(value)).write
    return write(value) if write else value


def _loaded(part: Codec, value: Any) -> Any:
    return part.load(value) if part.load else value


# ── Commands ────────────────────────────────────────────────────────────────────────────────────────────────────


class CommandForm(NamedTuple):
    """What a client has to send for one kind of command."""

    cls: type[Any]
    fields: Mapping[str, Codec]
    required: frozenset[str]


@remembered
def form(cls: Any) -> CommandForm:
    hints = get_type_hints(cls)
    codecs = {f.name: codec(hints[f.name]) for f in fields(cls)}
    return CommandForm(cls, codecs, frozenset(f.name for f in fields(cls) if f.default is MISSING))


def write_command(command: Any) -> dict[str, Any]:
    """The command as a client would send it, or what a client may fill in."""
    if isinstance(command, Template):
        return {"type": wire_name(command.command), "fill": dict(command.fill)}
    body: dict[str, Any] = {"type": wire_name(type(command))}
    for name, part in form(type(command)).fields.items():
        value = getattr(command, name)
        body[external(name)] = part.write(value) if part.write else value
    return body


def plain_command(command: Any) -> Any:
    """The command as it stands in a log: with lists, where Python has tuples."""
    return _listed(write_command(command))


def _listed(value: Any) -> Any:
    if isinstance(value, dict):
        return {key: _listed(one) for key, one in value.items()}
    return [_listed(one) for one in value] if isinstance(value, list | tuple) else value


def read_command(classes: Mapping[str, type[Any]], body: Mapping[str, Any]) -> Any:
    kind = body.get("type")
    cls = classes.get(kind) if isinstance(kind, str) else None
    if cls is None:
        raise Unreadable("type", f"must be one of {', '.join(sorted(classes))}")
    shape = form(cls)
    names = {external(name): name for name in shape.fields}
    for key in body:
        if key != "type" and key not in names:
            raise Unreadable(key, f"{kind} has no such field")
    values = {}
    for outside, name in names.items():
        if outside in body:
            values[name] = shape.fields[name].read(body[outside], outside)
        elif name in shape.required:
            raise Unreadable(outside, f"{kind} needs this field")
    return cls(**values)


# ── Events ──────────────────────────────────────────────────────────────────────────────────────────────────────


class _Field(NamedTuple):
    name: str
    key: str  # on the wire
    codec: Codec


class _EventForm(NamedTuple):
    name: str
    public: tuple[_Field, ...]
    secret: tuple[_Field, ...]
    per_seat: tuple[_Field, ...]
    # Of an event without secrets, in the order of its fields: where each lies and how it is loaded.
    open_fields: tuple[tuple[str, Write | None], ...] | None


@remembered
def _event_form(cls: Any) -> _EventForm:
    public, secret, per_seat = [], [], []
    for name, hint in get_type_hints(cls).items():
        if name in BESIDE:
            raise TypeError(f"`{name}` is kept for what stands in the log beside the fields of an event")
        key = external(name)
        if get_origin(hint) is Secret:
            secret.append(_Field(name, key, codec(get_args(hint)[0])))
        elif get_origin(hint) is tuple and get_origin(get_args(hint)[0]) is Secret:
            per_seat.append(_Field(name, key, codec(get_args(get_args(hint)[0])[0])))
        else:
            public.append(_Field(name, key, codec(hint)))
    open_fields = None if secret or per_seat else tuple((field.key, field.codec.load) for field in public)
    return _EventForm(wire_name(cls), tuple(public), tuple(secret), tuple(per_seat), open_fields)


def write_event(event: Any) -> Parts:
    shape = _event_form(type(event))
    public = {}
    for name, key, part in shape.public:
        value = getattr(event, name)
        public[key] = part.write(value) if part.write else value
    secret: dict[str, dict[str, Any]] = {}
    for name, key, part in shape.secret:
        kept = getattr(event, name)
        place = public if kept.to is None else secret.setdefault(audience(kept.to), {})
        place[key] = part.write(kept.value) if part.write else kept.value
    for name, key, part in shape.per_seat:
        for index, kept in enumerate(getattr(event, name)):
            place = public if kept.to is None else secret.setdefault(audience(kept.to), {})
            place.setdefault(key, {})[str(index)] = part.write(kept.value) if part.write else kept.value
    return Parts(shape.name, public, secret)


def read_event(classes: Mapping[str, type[Any]], parts: Parts) -> Any:
    """An event from its parts. They come from our own log and are not checked again."""
    return load_event(classes[parts.type], parts.public, parts.secret)


def load_event(cls: Any, public: Mapping[str, Any], secret: Mapping[str, Any]) -> Any:
    shape = _event_form(cls)
    if shape.open_fields is not None:
        return cls(*[load(public[key]) if load else public[key] for key, load in shape.open_fields])
    values = {name: part.load(public[key]) if part.load else public[key] for name, key, part in shape.public}
    for name, key, part in shape.secret:
        to, raw = next(_places(public, secret, key))
        values[name] = Secret(_loaded(part, raw), to)
    for name, key, part in shape.per_seat:
        found = {int(i): (raw, to) for to, some in _places(public, secret, key) for i, raw in some.items()}
        values[name] = tuple(Secret(_loaded(part, found[i][0]), found[i][1]) for i in range(len(found)))
    return cls(**values)


def _places(
    public: Mapping[str, Any], secret: Mapping[str, Any], key: str
) -> Iterator[tuple[tuple[Seat, ...] | None, Any]]:
    if key in public:
        yield None, public[key]
    for to, part in secret.items():
        if key in part:
            yield () if to == TABLE else tuple(int(seat) for seat in to.split("+")), part[key]


def names(classes: Iterable[type[Any]]) -> dict[str, type[Any]]:
    return {wire_name(cls): cls for cls in classes}
