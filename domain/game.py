"""The contract of a game: a frozen record of functions over frozen values.

A game never meets a clock, a random number or a database. Chance and the clock are seats like any other: they
answer with commands, and what they decide is logged, so that a replay needs neither of them.
"""

from __future__ import annotations

import types
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, fields
from functools import cache
from typing import TYPE_CHECKING, Annotated, Any, Final, Generic, NamedTuple, TypeVar, dataclass_transform

if TYPE_CHECKING:
    from domain.telling.parts import Board
    from domain.telling.words import Words


class Keyword(NamedTuple):
    """Beside a type: something that JSON Schema can say and the type cannot, such as the pattern of a text."""

    name: str
    value: str


Seat = Annotated[int, Keyword("x-is", "seat")]
CHANCE: Final[Seat] = -1
CLOCK: Final[Seat] = -2
ALL: Final[Seat] = -3  # a reader who may see everything: of a match that is over

T = TypeVar("T")
S = TypeVar("S")


@dataclass_transform(frozen_default=True)
def record(cls: type[T]) -> type[T]:
    """A frozen value with named fields: what commands, events and options are made of."""
    return dataclass(frozen=True, slots=True)(cls)


class Refused(Exception):
    """A command against the rules. It names the rule, and the fact that forbids the command."""

    # Where it was judged. The game itself does not know; whoever asked it notes it here.
    game: str | None = None
    rules_version: int | None = None
    version: int | None = None
    step: int | None = None  # which of several commands it is about

    def __init__(self, rule: str, code: str, text: str) -> None:
        super().__init__(f"{rule}: {text}")
        self.rule, self.code, self.text = rule, code, text

    def by(self, game: Game[Any]) -> None:
        """Notes whose rules it names."""
        self.game, self.rules_version = game.slug, game.version


class Unreadable(Exception):
    """A command that cannot be understood at all, so that no rule can be asked about it."""

    def __init__(self, field: str, text: str) -> None:
        super().__init__(f"{field}: {text}" if field else text)
        self.field, self.text = field, text


# ── Chance and the clock ────────────────────────────────────────────────────────────────────────────────────────


class Shuffle(NamedTuple):
    """Chance is to bring these cards into a random order."""

    cards: tuple[str, ...]


class Dice(NamedTuple):
    """Chance is to throw so many dice with faces 1 to `faces`."""

    dice: int
    faces: int


class Pick(NamedTuple):
    """Chance is to name a number from 0 to `of` - 1."""

    of: int


Lot = Shuffle | Dice | Pick


@record
class Shuffled:
    cards: tuple[Any, ...]


@record
class Rolled:
    dice: tuple[int, ...]


@record
class Picked:
    index: int


Answer = Shuffled | Rolled | Picked


class Alarm(NamedTuple):
    """The clock is to act after so many milliseconds, counted from the moment this name first came up."""

    name: str
    after_ms: int


@record
class TimeUp:
    """The clock's only command: the time of the alarm has run out."""


# ── What an event keeps to itself ───────────────────────────────────────────────────────────────────────────────


class Secret(NamedTuple, Generic[T]):
    """A field of an event that only some seats may see; once the match is over everybody may."""

    value: T
    to: tuple[Seat, ...] | None  # None: public by a table option; (): nobody until the match is over


def hidden(value: T) -> Secret[T]:
    """Secret to the whole table until the match is over: the order of a stock, a face-down card."""
    return Secret(value, ())


def shown(value: T) -> Secret[T]:
    """Open to all. For fields that a table option can close."""
    return Secret(value, None)


def each_its_own(values: Sequence[T]) -> tuple[Secret[T], ...]:
    """One secret a seat: the hands of a deal."""
    return tuple(Secret(value, (seat,)) for seat, value in enumerate(values))


# ── Options ─────────────────────────────────────────────────────────────────────────────────────────────────────


class Option(NamedTuple):
    """A table option as the catalogue shows it. `kind` says which values can be read; `rule` refuses the others."""

    name: str
    kind: str  # choice | number | flag | seat | numbers
    default: Any
    rule: str
    text: str
    choices: tuple[str, ...] = ()
    low: int = 0
    high: int = 0
    length: int = 0
    optional: bool = False  # None is a value too: no limit, or the default of another option
    retired: tuple[Any, ...] = ()  # values that older matches were opened with and no new one is


def _option(kind: str, default: Any, rule: str, text: str, **bounds: Any) -> Any:
    return field(default=default, metadata={"option": Option("", kind, default, rule, text, **bounds)})


def choice(*values: str, rule: str, text: str) -> Any:
    """One of these words; the first is the default."""
    return _option("choice", values[0], rule, text, choices=values)


def number(default: int | None, low: int, high: int, *, rule: str, text: str, retired: tuple[int, ...] = ()) -> Any:
    return _option("number", default, rule, text, low=low, high=high, optional=default is None, retired=retired)


def flag(default: bool, *, rule: str, text: str) -> Any:
    return _option("flag", default, rule, text)


def first_dealer(rule: str, by_lot: str = "random") -> Any:
    """The word for letting chance name the first dealer, or the number of a seat."""
    return _option("seat", by_lot, rule, f"Who deals first: `{by_lot}`, or the number of a seat.", choices=(by_lot,))


def numbers(default: tuple[int, ...], low: int, high: int, *, rule: str, text: str) -> Any:
    return _option("numbers", default, rule, text, low=low, high=high, length=len(default))


def options_of(cls: type[Any]) -> tuple[Option, ...]:
    return tuple(f.metadata["option"]._replace(name=f.name) for f in fields(cls))


def read_options(cls: type[T], given: Mapping[str, Any], seats: int, *, new: bool = False) -> T:
    """The options of a table. A value of the wrong kind is unreadable, one out of bounds is refused by its rule.

    A new table cannot have values that were retired; a match that was opened with one keeps it.
    """
    known = {option.name: option for option in options_of(cls)}
    for name in given:
        if name not in known:
            raise Unreadable(f"options.{name}", "this game has no such option")
    return cls(
        **{
            name: value if not new and _is_retired(known[name], value) else _option_value(known[name], value, seats)
            for name, value in given.items()
        }
    )


def _is_retired(option: Option, value: Any) -> bool:
    return any(value == old and type(value) is type(old) for old in option.retired)


def _out_of_bounds(option: Option, wanted: str) -> Refused:
    return Refused(option.rule, "option_refused", f"{option.name} must be {wanted}")


def _option_value(option: Option, value: Any, seats: int) -> Any:
    where = f"options.{option.name}"
    if value is None and option.optional:
        return None
    match option.kind:
        case "flag":
            if not isinstance(value, bool):
                raise Unreadable(where, "must be true or false")
        case "choice":
            if not isinstance(value, str):
                raise Unreadable(where, "must be a word")
            if value not in option.choices:
                raise Refused(
                    option.rule, "option_refused", f"{option.name} must be one of {', '.join(option.choices)}"
                )
        case "seat":
            if value not in option.choices and (not isinstance(value, int) or isinstance(value, bool)):
                raise Unreadable(where, f"must be {' or '.join(option.choices)} or the number of a seat")
            if isinstance(value, int) and not 0 <= value < seats:
                raise _out_of_bounds(option, f"a seat from 0 to {seats - 1}")
        case "numbers":
            if not isinstance(value, list | tuple) or any(not isinstance(n, int) or isinstance(n, bool) for n in value):
                raise Unreadable(where, "must be a list of whole numbers")
            if len(value) != option.length or any(not option.low <= n <= option.high for n in value):
                raise _out_of_bounds(option, f"{option.length} numbers from {option.low} to {option.high}")
            return tuple(value)
        case _:
            if not isinstance(value, int) or isinstance(value, bool):
                raise Unreadable(where, "must be a whole number")
            if not option.low <= value <= option.high:
                raise Refused(
                    option.rule, "option_refused", f"{option.name} must be from {option.low} to {option.high}"
                )
    return value


Logged = tuple[str, Mapping[str, Any]]  # the name of an event and its public part, as they stand in the log
# From the public part of an event, the options and the totals before it: the totals after it, by seat or by side.
Score = Callable[[Mapping[str, Any], Mapping[str, Any], Sequence[Any]], Sequence[Any]]


# ── Rules, legality, endings ────────────────────────────────────────────────────────────────────────────────────


class Rule(NamedTuple):
    """One rule or ruling in our own words, with the clause of the old sheet that it rests on."""

    id: str
    title: str
    text: str
    source: str


def rules(*rows: tuple[str, str, str, str]) -> Mapping[str, Rule]:
    return types.MappingProxyType({row[0]: Rule(*row) for row in rows})


class Template(NamedTuple):
    """Stands in a legal list for more commands than could be listed: what to fill in, and a random legal instance."""

    command: type[Any]
    fill: Mapping[str, str]
    sample: Callable[[Callable[[int], int]], Any]  # given below(k), a number from 0 to k - 1


@record
class Outcome:
    """How a match ended. `places` holds every seat's place, 1 for a winner; equal places share."""

    places: tuple[int, ...]
    scores: tuple[int, ...]
    reason: str

    @property
    def winners(self) -> tuple[Seat, ...]:
        return tuple(seat for seat, place in enumerate(self.places) if place == 1)


def ranked(scores: Sequence[int], *, low_wins: bool = False) -> tuple[int, ...]:
    """The places that these scores give; equal scores share a place.

    >>> ranked([31, 22, 44, 22], low_wins=True)
    (3, 1, 4, 1)
    """
    keys = [score if low_wins else -score for score in scores]
    return tuple(1 + sum(other < key for other in keys) for key in keys)


@cache
def sides_in_turn(sides: int, seats: int) -> tuple[tuple[Seat, ...], ...]:
    """
    >>> sides_in_turn(2, 4)
    ((0, 2), (1, 3))
    """
    return tuple(tuple(range(side, seats, sides)) for side in range(sides))


def every_seat_alone(state: Any) -> tuple[tuple[Seat, ...], ...]:
    return sides_in_turn(state.seats, state.seats)


def no_alarm(state: Any) -> Alarm | None:
    return None


def clockwise(state: Any) -> Sequence[Seat]:
    return range(state.seats)


def one_round(state: Any) -> int:
    return 0


def nothing_is_dear(state: Any, command: Any) -> bool:
    return False


NEVER: Final = -(1 << 40)  # rates a command that is not worth a thought while there is any other


def never_drawn(view: Mapping[str, Any], command: Any) -> bool:
    return False


def never_faster(state: Any, seat: Seat, command: Any, below: Callable[[int], int]) -> Sequence[int] | None:
    return None


def nothing_more(state: Any, seat: Seat) -> Any:
    """All that a seat has to go by is in its view."""
    return None


class Thumbs(NamedTuple):
    """What a bot goes by in a game: rules of thumb for its commands, and what a table is worth."""

    # A number for every command, from what a seat sees; the highest is the best, and NEVER is no choice at all.
    rate: Callable[[Mapping[str, Any], Sequence[Any]], Sequence[int]]
    worth: Callable[[Any], Sequence[int]]  # to each seat, in points of the game; more is better
    ends: tuple[type[Any], ...] = ()  # events after which a table is best judged: a hand has been counted
    # Steps after which a table is judged as it stands. Where a hand is long, what comes later is luck and takes time.
    horizon: int = 400
    # Events that the horizon counts instead of steps, where a table is hard to judge in between: a trick is taken.
    paces: tuple[type[Any], ...] = ()
    # From a table, a seat and its command, and random numbers: what a playout leads to, as `worth` would have it. Only
    # where that is found much faster than by the game's own functions; it must come to the same. None where it is not.
    played_out: Callable[[Any, Seat, Any, Callable[[int], int]], Sequence[int] | None] = never_faster
    # From what a seat sees, whether the game is drawn for all practical purposes, so that it offers a draw with this
    # command; only now and then, since whoever declines wants to be left in peace.
    drawn: Callable[[Mapping[str, Any], Any], bool] = never_drawn
    # What a seat has seen in the course of a hand and its view does not show, where a searcher of the game uses it.
    memory: Callable[[Any, Seat], Any] = nothing_more


def all_alike(view: Mapping[str, Any], commands: Sequence[Any]) -> Sequence[int]:
    return [0] * len(commands)


def worth_nothing(state: Any) -> Sequence[int]:
    return [0] * int(state.seats)


NO_THUMBS: Final = Thumbs(all_alike, worth_nothing)


def as_it_is(state: S, seat: Seat, below: Callable[[int], int]) -> S:
    """Where all lies open there is nothing to imagine."""
    return state


def at_once(state: Any, seat: Seat) -> tuple[int, int]:
    return 0, 0


def all_of_use(options: Any, seats: int) -> Mapping[str, str]:
    return {}


def no_objection(options: Any, seats: int) -> Refused | None:
    return None


@dataclass(frozen=True)
class Game(Generic[S]):
    """A game of the catalogue. Its functions are pure; only `decide` raises, and only `Refused`.

    `decide` answers a command with events, or with the `Lot` it waits for: a throw of dice belongs to the command
    that called for it. The shell draws, and `decide` gets the result from `CHANCE` in the same state. When chance is
    to act by itself (a deal), `to_act` is `{CHANCE}` and `chance` says what is wanted.

    `to_act` is public and may therefore not depend on hidden cards; `legal` may name commands for a seat outside it.
    The first legal command is the one made for an absent seat, so the most neutral one stands first.
    """

    slug: str
    title: str
    summary: str
    version: int  # of the rules; stored in a match's first event
    seats: range
    options: type[Any]
    rules: Mapping[str, Rule]
    commands: tuple[type[Any], ...]
    events: tuple[type[Any], ...]
    setup: Callable[[Any, int], S]
    to_act: Callable[[S], frozenset[Seat]]
    chance: Callable[[S], Lot]
    legal: Callable[[S, Seat], Sequence[Any]]
    decide: Callable[[S, Seat, Any], Sequence[Any] | Lot]
    evolve: Callable[[S, Any], S]
    view: Callable[[S, Seat | None], Mapping[str, Any]]  # a TypedDict of the game's own
    outcome: Callable[[S], Outcome | None]
    seats_rule: str  # refuses a table with too few or too many seats
    sides: Callable[[S], tuple[tuple[Seat, ...], ...]] = every_seat_alone
    alarm: Callable[[S], Alarm | None] = no_alarm
    asides: tuple[type[Any], ...] = ()  # commands beside the play (undo, concede): random players leave them alone
    templates: tuple[type[Any], ...] = ()  # commands that are too many to list, which `legal` gives as a `Template`
    # The whole match, with what to call its seats, as text that other programs read: by the usual ending of such files.
    exports: Mapping[str, Callable[[Sequence[Logged], Sequence[str]], str]] = field(default_factory=dict)
    # What a score sheet has a row for: the events that count a hand or a game.
    scores: Mapping[type[Any], Score] = field(default_factory=dict)
    draw_rule: str = "PM-06"  # refuses an answer where no draw was offered
    draw_agreed: Callable[[S], Sequence[Any]] | None = None  # where an agreed draw ends less than the whole match
    # Commands whose content the others do not see. Made for an absent seat always in the same way they would be no
    # secret, so a stand-in chooses among all that are legal.
    hidden_choices: tuple[type[Any], ...] = ()
    # Such a choice that a stand-in makes only if it has no other: nobody wants the best card given up.
    dear: Callable[[S, Any], bool] = nothing_is_dear
    # Events that the seat which caused them can take back, and the taking back: they are no reason for a new deadline.
    tentative: tuple[type[Any], ...] = ()
    # Where several seats play at once: the number of the round, since nobody's time runs on from one into the next.
    round: Callable[[S], int] = one_round
    # In which order the clock acts for several seats that let their time run out.
    order: Callable[[S], Sequence[Seat]] = clockwise
    ends_game: tuple[type[Any], ...] = ()  # events that end one game of several in a match
    # The shortest and the longest time in milliseconds that a bot lets pass before it acts, so that people can keep up.
    pause: Callable[[S, Seat], tuple[int, int]] = at_once
    # The options that change nothing at such a table, by name, each with the reason.
    idle_options: Callable[[Any, int], Mapping[str, str]] = all_of_use
    # Why no new match is opened with these options, although older ones may have been.
    objection_to_table: Callable[[Any, int], Refused | None] = no_objection

    # ── What it tells about itself ──
    glossary: Mapping[str, str] = field(default_factory=dict)  # what its own words mean, by field or `event.field`
    words: Words = field(default_factory=dict)  # its events as sentences
    # Where on the table each field of a command is found: names of fields of the view (`hand`, `packet.cards`), or
    # `board` for a cell; "" for the command itself.
    touches: Mapping[type[Any], Mapping[str, str]] = field(default_factory=dict)
    board: Callable[[Any, int], Board] | None = None  # the geometry of a table with these options and seats
    # A whole table that the seat could be sitting at: what it has not seen is drawn anew with `below`.
    imagine: Callable[[S, Seat, Callable[[int], int]], S] = as_it_is
    bot: Thumbs = NO_THUMBS
    past: tuple[Game[S], ...] = ()  # the editions before this one that matches may still be played by, oldest first

    @property
    def usual_seats(self) -> range:
        """The tables that need no option; larger ones are had by `max_seats`, where a game has it."""
        most = next((o.default for o in options_of(self.options) if o.name == "max_seats"), self.seats[-1])
        return range(self.seats.start, most + 1, self.seats.step)

    def new_table(self, given: Mapping[str, Any], seats: int) -> S:
        """The empty table of a match that is opened now. An option that would be given to no effect is refused."""
        table = self.open_table(given, seats)
        options = read_options(self.options, given, seats, new=True)
        if refusal := self.objection_to_table(options, seats):
            raise refusal
        idle = self.idle_options(options, seats)
        for option in options_of(self.options):
            if option.name in idle and given.get(option.name) is not None:
                reason = idle[option.name]
                raise Refused(option.rule, "option_without_effect", f"{option.name} has no effect: {reason}")
        return table

    @property
    def span(self) -> str:
        """How many can play, in words."""
        usual = self.usual_seats
        if usual.step > 1:
            return " or ".join(str(n) for n in usual) + " seats"
        span = f"{usual[0]} to {usual[-1]} seats" if len(usual) > 1 else f"{usual[0]} seats"
        return span if usual[-1] == self.seats[-1] else f"{span}, or up to {self.seats[-1]} by the option max_seats"

    def open_table(self, given: Mapping[str, Any], seats: int) -> S:
        """The empty table, or the reason why these options or this number of seats make none. Matches are folded from
        it, so what was once accepted here is accepted for ever; `new_table` may be stricter."""
        if seats not in self.seats:
            raise Refused(self.seats_rule, "wrong_seats", f"{self.title} is played with {self.span}, not {seats}")
        return self.setup(read_options(self.options, given, seats), seats)
