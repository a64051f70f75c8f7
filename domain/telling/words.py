"""Events as sentences: one line of English for each reader, from the parts of the event that this reader may see.

A sentence is data where it can be:

    Say(CardPlayed, "{@seat} play{s|} {card}.")

| in a sentence | becomes |
|---|---|
| `{card}` | the field's value; a list is joined with commas |
| `{count:card}` | the number with its noun: "1 card", "3 cards" (`{count:ox/oxen}` where an s does not do) |
| `{@seat}` | the player's name, or "you"; several seats are joined with "and" |
| `{@seat's}` | "Ann's", or "your" |
| `{s|}` | what stands before the bar after one other player, what stands after it after "you" or several |
| `{#totals}` | what each seat has, with the names: "Ann 12, you 3" |

Three kinds of reader have a sentence each, of which only the first must be given:

- `public` is for everybody. It can name public fields only, which is checked when the module is loaded, so that no
  secret can slip into what everybody reads.
- `own` is for a reader who may see the secret fields that it names.
- `all` is for a reader who may see everything, since the match is over.

Where a sentence needs a choice, it is a function of the `Told` event, which holds what the reader may see and nothing
else.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from functools import lru_cache
from typing import Any, Final, NamedTuple, get_args, get_origin, get_type_hints

from domain.game import ALL, Seat, Secret
from domain.wire import BESIDE, Parts, external, may_see, wire_name

_HOLE: Final = re.compile(r"\{([^{}]*)\}")
_VEILED: Final = {ord("{"): "\ue000", ord("}"): "\ue001"}


class Told(NamedTuple):
    """An event as one reader may see it."""

    seen: Mapping[str, Any]
    reader: Seat | None
    names: Sequence[str]

    def name(self, seat: Seat | None) -> str:
        if seat is None:
            return "nobody"
        return "you" if seat == self.reader else self.names[seat]

    def whose(self, seat: Seat) -> str:
        return "your" if seat == self.reader else f"{self.names[seat]}'s"

    def people(self, seats: Sequence[Seat]) -> str:
        return joined([self.name(seat) for seat in seats])

    def each(self, values: Sequence[Any] | Mapping[str, Any]) -> str:
        """What each seat has. Lists are told apart by semicolons."""
        rows = values.items() if isinstance(values, Mapping) else enumerate(values)
        found = [(self.name(int(seat)), value) for seat, value in rows]
        between = "; " if any(isinstance(value, list | tuple) for _, value in found) else ", "
        return between.join(f"{name} {shown(value)}" for name, value in found)

    def say(self, sentence: str) -> str:
        """A sentence with holes, filled: for a function that chooses one of several."""
        return _filled(sentence, self)


Telling = Callable[[Told], str]


class Say(NamedTuple):
    """The sentence of an event for everybody, and for those who may see more."""

    event: type[Any]
    public: str | Telling
    own: str | Telling | None = None
    all: str | Telling | None = None


Words = Mapping[str, Say]  # by the event's name on the wire


class Indiscreet(TypeError):
    """A sentence for everybody names a field that not everybody may see, or one that is not there."""


def words(*rows: Say) -> Words:
    """The sentences of a game, checked against the classes of their events."""
    for row in rows:
        secret, public = _fields(row.event)
        _check(row.event, row.public, public)
        _check(row.event, row.own, public | secret)
        _check(row.event, row.all, public | secret)
        if isinstance(row.own, str) and "you" in row.own and row.all is None:
            raise TypeError(f"{wire_name(row.event)}: what is told to a seat as its own needs words for all as well")
    return {wire_name(row.event): row for row in rows}


def _fields(cls: type[Any]) -> tuple[set[str], set[str]]:
    secret: set[str] = set()
    public: set[str] = set()
    for name, hint in get_type_hints(cls).items():
        inner = get_args(hint)[0] if get_origin(hint) is tuple and get_args(hint) else hint
        (secret if Secret in (get_origin(hint), get_origin(inner)) else public).add(external(name))
    return secret, public


def _check(cls: type[Any], sentence: str | Telling | None, known: set[str]) -> None:
    if not isinstance(sentence, str):
        return
    for hole in _HOLE.findall(sentence):
        if "|" not in hole and _field(hole) not in known:
            raise Indiscreet(f"{wire_name(cls)}: a sentence names {_field(hole)}, which its readers cannot see")


def _field(hole: str) -> str:
    return hole.lstrip("@#").partition(":")[0].removesuffix("'s")


def tell(sentences: Words, parts: Parts, reader: Seat | None, names: Sequence[str]) -> str:
    """What happened, to one reader: a seat, anybody (None), or one who may see everything (ALL)."""
    say = sentences[parts.type]
    seen = _seen(parts, reader)
    # A player may be called "{card}": braces of a name are no holes, wherever the name comes to stand.
    told = Told(seen, reader, _veiled(tuple(names)))
    sentence = say.public
    if say.own is not None and _can_tell(say.own, seen, parts):
        sentence = say.own
    if reader == ALL and say.all is not None and _can_tell(say.all, seen, parts):
        sentence = say.all
    text = _filled(sentence, told) if isinstance(sentence, str) else sentence(told)
    text = text.replace("\ue000", "{").replace("\ue001", "}")
    return text[:1].upper() + text[1:]


def _seen(parts: Parts, reader: Seat | None) -> Mapping[str, Any]:
    """The fields of an event that this reader may see."""
    more: dict[str, Any] = {}
    for key, part in parts.secret.items():
        if reader == ALL or may_see(key, reader):
            for name, value in part.items():
                if name in BESIDE:
                    continue
                # A field by place can lie in several parts that the reader may see.
                known = more.get(name, parts.public.get(name))
                more[name] = {**known, **value} if isinstance(value, dict) and isinstance(known, dict) else value
    if not more:
        return parts.public
    own = {name: value if name in parts.public else _own(value, reader) for name, value in more.items()}
    return {**parts.public, **own}


@lru_cache(maxsize=1024)
def _veiled(names: tuple[str, ...]) -> Sequence[str]:
    return [name.translate(_VEILED) for name in names]


def _own(value: Any, reader: Seat | None) -> Any:
    """Of a field that holds something for each seat, what it holds for the reader."""
    return value[str(reader)] if isinstance(value, dict) and set(value) == {str(reader)} else value


def _can_tell(sentence: str | Telling, seen: Mapping[str, Any], parts: Parts) -> bool:
    if isinstance(sentence, str):
        return all(not piece.field or piece.field in seen for piece in _pieces(sentence))
    return len(seen) > len(parts.public)


# ── Sentences with holes ────────────────────────────────────────────────────────────────────────────────────────

_TEXT, _VERB, _SEATS, _WHOSE, _EACH, _COUNT, _VALUE = range(7)


class _Piece(NamedTuple):
    """A hole of a sentence, or the text between two."""

    kind: int
    field: str  # what it shows; nothing where that hangs on no field
    text: str = ""  # of a count the noun, of a verb how it ends after one other player
    after_you: str = ""


@lru_cache(maxsize=1024)
def _pieces(sentence: str) -> tuple[_Piece, ...]:
    """A sentence is taken apart once, not each time it is said."""
    texts = _HOLE.split(sentence)  # text and hole in turns
    found = [_hole(piece) if n % 2 else _Piece(_TEXT, "", piece) for n, piece in enumerate(texts)]
    return tuple(piece for piece in found if piece.kind != _TEXT or piece.text)


def _hole(hole: str) -> _Piece:
    field, noun = _field(hole), hole.partition(":")[2]
    if "|" in hole:
        return _Piece(_VERB, "", *hole.split("|"))
    if hole.startswith("@"):
        return _Piece(_WHOSE if hole.endswith("'s") else _SEATS, field)
    if hole.startswith("#"):
        return _Piece(_EACH, field)
    return _Piece(_COUNT, field, noun) if ":" in hole else _Piece(_VALUE, field)


def _filled(sentence: str, told: Told) -> str:
    as_you = False  # whether the verb stands as after "you", which is also how it stands after several
    said = []
    for kind, field, text, after_you in _pieces(sentence):
        if not field:
            said.append(after_you if as_you and kind == _VERB else text)
            continue
        value = told.seen[field]
        if kind in (_SEATS, _WHOSE):
            seats = list(value) if isinstance(value, list | tuple) else [value]
            as_you = len(seats) > 1 or seats == [told.reader]
            if kind == _SEATS:
                said.append(told.people(seats))
            else:
                said.append("your" if as_you else f"{told.name(value)}'s")
        elif kind == _EACH:
            said.append(told.each(value))
        else:
            said.append(counted(value, text) if kind == _COUNT else shown(value))
    return "".join(said)


def shown(value: Any) -> str:
    if isinstance(value, list | tuple):
        return ", ".join(shown(one) for one in value) or "nothing"
    return "none" if value is None else str(value)


def joined(names: Sequence[str]) -> str:
    """
    >>> joined(["Ann", "Bob", "you"])
    'Ann, Bob and you'
    """
    return " and ".join([", ".join(names[:-1]), names[-1]]) if len(names) > 1 else "".join(names) or "nobody"


def counted(count: int, noun: str) -> str:
    """
    >>> counted(1, "point"), counted(12, "point"), counted(2, "man/men")
    ('1 point', '12 points', '2 men')
    """
    one, _, several = noun.partition("/")
    return f"{count} {one if abs(count) == 1 else several or one + 's'}"
