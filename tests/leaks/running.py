"""Runs: matches are played at every kind of table, and from many of their moments twins are led on."""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple

from domain.game import CHANCE, CLOCK, Game, Option, Refused, Seat, Shuffle, Shuffled, Template, options_of
from domain.wire import wire_name
from tests.domain import playing
from tests.leaks.coupling import EXCHANGES, Bench, Leak, Step, Twins
from tests.leaks.declaring import Declaration, declaration, everybody

RETOLD = 3  # tables of a match
TURNS = 4  # of one seat that are tried before the twins may part


class Effort(NamedTuple):
    """How much is done at one table."""

    forward: int  # steps that are not looked at, to come to later hands
    hands: int  # that are played then
    steps: int  # of them at most
    pairs: int
    ahead: int  # steps that twins are led on
    questions: int  # commands asked of a position, twice so many at most


SHORT = Effort(forward=500, hands=2, steps=150, pairs=6, ahead=8, questions=25)
TABLES = 50  # of a game in the short version
LONG = Effort(forward=1000, hands=3, steps=300, pairs=12, ahead=20, questions=50)

# ── Tables ──────────────────────────────────────────────────────────────────────────────────────────────────────


class Setting(NamedTuple):
    seats: int
    options: dict[str, Any]


def every_value(option: Option, seats: int) -> list[Any]:
    """All words, flags and seats; of a range its ends, the default, and what lies next to the low end."""
    match option.kind:
        case "choice":
            return list(option.choices)
        case "flag":
            return [True, False]
        case "seat":
            return [*option.choices, *range(seats)]
        case "numbers":
            return [option.default, (option.low,) * option.length, (option.high,) * option.length]
    found = {option.low, min(option.low + 1, option.high), option.high, option.default}
    return sorted(value for value in found if value is not None) + [None] * option.optional


def any_value(option: Option, seats: int, rng: random.Random) -> Any:
    if option.kind == "number" and rng.random() < 0.5:
        return rng.randint(option.low, option.high)
    if option.kind == "numbers":
        return tuple(rng.randint(option.low, option.high) for _ in range(option.length))
    return rng.choice(every_value(option, seats))


def opens(game: Game[Any], setting: Setting) -> bool:
    try:
        game.new_table(setting.options, setting.seats)
    except Refused:
        return False
    return True


def seated(game: Game[Any], seats: int, options: dict[str, Any]) -> Setting:
    """Some tables open, and some options have an effect, only together with one other option."""
    setting = Setting(seats, options)
    if opens(game, setting):
        return setting
    for option in options_of(game.options):
        wanted = [seats] if option.name == "max_seats" else every_value(option, seats)
        for value in wanted if option.name not in options else ():
            helped = Setting(seats, {**options, option.name: value})
            if opens(game, helped):
                return helped
    return setting


def settings(game: Game[Any]) -> list[Setting]:
    """Every number of seats, and every value of every option at every number of seats where it opens a table."""
    found = [seated(game, seats, {}) for seats in game.seats]
    for option in options_of(game.options):
        for seats in game.seats:
            for value in every_value(option, seats):
                if value != option.default:
                    found.append(seated(game, seats, {option.name: value}))
    return [setting for setting in found if opens(game, setting)]


def some_settings(game: Game[Any]) -> list[Setting]:
    """Every number of seats; every value of every option at the largest table it opens, and at one other."""
    found = [seated(game, seats, {}) for seats in game.seats]
    turn = 0
    for option in options_of(game.options):
        for value in every_value(option, 2):
            if value != option.default:
                fitting = [s for s in (seated(game, n, {option.name: value}) for n in game.seats) if opens(game, s)]
                turn += 1
                found += fitting[-1:] + fitting[:-1][turn % max(1, len(fitting) - 1) :][:1]
    return [setting for setting in found if opens(game, setting)]


def short_settings(game: Game[Any]) -> list[Setting]:
    found = some_settings(game)
    if not hides(declaration(game)):
        return found
    rng = random.Random(game.slug)
    while len(found) < TABLES:
        found.append(mixed(game, game.seats[len(found) % len(game.seats)], rng))
    return found


def mixed(game: Game[Any], seats: int, rng: random.Random) -> Setting:
    """Any options together that open a table."""
    while True:
        options = {o.name: any_value(o, seats, rng) for o in options_of(game.options) if rng.random() < 0.5}
        setting = seated(game, seats, options)
        if opens(game, setting):
            return setting


def covered(setting: Setting) -> set[str]:
    return {f"{setting.seats} seats, {name}={value}" for name, value in {"": "", **setting.options}.items()}


# ── Matches ─────────────────────────────────────────────────────────────────────────────────────────────────────


def chosen(bench: Bench, table: Any) -> Step:
    """A random step, with a pack that was put in order now and then."""
    game, rng = bench.game, bench.rng
    seat, command = playing.choose(game, table, rng)
    if seat not in (CHANCE, CLOCK) and not isinstance(command, game.asides) and rng.random() < 0.6:
        command = STYLES[bench.style](game.legal(table, seat), command, game, rng)
    if isinstance(command, Shuffled) and bench.declared.steer and rng.random() < 0.4:
        cards = list(command.cards)
        bench.declared.steer(cards, table, rng)
        command = Shuffled(tuple(cards))
    answer = wanted = None
    if seat not in (CHANCE, CLOCK):
        wanted = game.decide(table, seat, command)
        if not isinstance(wanted, list | tuple) or hasattr(wanted, "_fields"):
            answer = playing.answer(rng, wanted)  # type: ignore[arg-type]
    return bench.act(table, seat, command, answer, wanted)


def by_kind(commands: Sequence[Any], command: Any, game: Game[Any], rng: random.Random) -> Any:
    """Each kind as likely as the others: claims are few among many cards."""
    kinds: dict[Any, list[Any]] = {}
    for one in commands:
        if not isinstance(one, game.asides):
            kinds.setdefault(type(one), []).append(one)
    return filled(rng.choice(kinds[rng.choice(list(kinds))]), rng)


def neutral(commands: Sequence[Any], command: Any, game: Game[Any], rng: random.Random) -> Any:
    """As it is done for an absent seat, which makes hands long."""
    return filled(commands[0], rng)


def filled(command: Any, rng: random.Random) -> Any:
    return command.sample(rng.randrange) if isinstance(command, Template) else command


# How the seats of a match choose among what is legal; at many tables as it comes.
STYLES = {"any": lambda commands, command, game, rng: command, "by kind": by_kind, "neutral": neutral}


def played(bench: Bench, table: Any, effort: Effort) -> list[Step]:
    """Some hands of a random match, every event of them audited."""
    steps: list[Step] = []
    if hides(bench.declared):
        table = later(bench, table, bench.rng.choice((0, 0, 1, 1, 2, 5)), effort.forward)
    hands = 0
    while len(steps) < effort.steps and bench.game.outcome(table) is None:
        hands += deals(bench, table)
        if hands > effort.hands:
            break
        made_for_absent(bench, table)
        step = chosen(bench, table)
        bench.audit(bench.noted(step))
        steps.append(step)
        table = step.after
    return steps


def deals(bench: Bench, table: Any) -> bool:
    return bench.game.to_act(table) == {CHANCE} and isinstance(bench.game.chance(table), Shuffle)


def later(bench: Bench, table: Any, hands: int, steps: int) -> Any:
    """The table some hands later, or before the last deal if the match is over by then."""
    last_deal = table
    for _ in range(steps):
        if deals(bench, table):
            hands -= 1
            last_deal = table
        if hands < 0:
            return table
        table = chosen(bench, table).after
        if bench.game.outcome(table) is not None:
            return last_deal
    return table


def made_for_absent(bench: Bench, table: Any) -> None:
    """A hidden choice that is made for an absent seat is told to be one: always made alike it would be no secret."""
    for seat in bench.rng.sample(sorted(bench.game.to_act(table)), 1):
        if seat >= 0:
            first = bench.game.legal(table, seat)[0]
            kind = first.command if isinstance(first, Template) else type(first)
            hidden = bench.declared.hidden.get(wire_name(kind), ())
            says = isinstance(first, Template) or any(getattr(first, name) is not None for name in hidden)
            if hidden and says and kind not in bench.game.hidden_choices:
                raise Leak(f"{wire_name(kind)} is made for an absent seat in the open")


# ── Twins along a match ─────────────────────────────────────────────────────────────────────────────────────────


def parts_ways(bench: Bench, step: Step) -> bool:
    """Whether a twin can be told from this step on."""
    if step.seat == CHANCE:
        return not isinstance(step.wanted, tuple) or isinstance(step.wanted, Shuffle)
    return step.answer is not None or wire_name(type(step.command)) in bench.declared.hidden


def start_of(bench: Bench, steps: list[Step], until: int) -> int | None:
    """Where the twin goes its own way: mostly with the last deal, or with what was chosen in secret before it."""
    ways = [at for at in range(until + 1) if parts_ways(bench, steps[at])]
    deals = [at for at in ways if steps[at].seat == CHANCE]
    if not ways:
        return None
    if not deals or bench.rng.random() < 0.3:
        return bench.rng.choice(ways[-40:])
    at = deals[-1]
    while at and parts_ways(bench, steps[at - 1]):
        at -= 1
    return at


def words(value: Any) -> Iterator[str]:
    if isinstance(value, dict):
        value = list(value.values())
    if isinstance(value, list | tuple):
        for part in value:
            yield from words(part)
    elif isinstance(value, str):
        yield str(value)


def moment(bench: Bench, steps: list[Step], observer: Seat | None) -> int:
    """A step after which something may be seen: any, one before a turn of the observer's, or one of a rare kind."""
    rng = bench.rng
    found = list(range(len(steps)))
    way = rng.random()
    if way < 0.5:
        kinds = [tuple(type(event).__name__ for event in step.events) for step in steps]
        kind = rng.choice(sorted(set(kinds)))
        found = [at for at in found if kinds[at] == kind]
    elif way < 0.75:
        found = [at for at in found[:-1] if steps[at + 1].seat == observer] or found
    return rng.choice(found)


def brought_along(twins: Twins, steps: list[Step]) -> bool:
    for step in steps:
        if not twins.follow(step):
            return False
        if twins.bench.rng.random() < 0.2:
            twins.compare()
    return True


def pair(bench: Bench, steps: list[Step], observer: Seat | None, effort: Effort) -> None:
    """Twins of this match for one observer, up to a moment of it and a while beyond."""
    rng = bench.rng
    until = moment(bench, steps, observer)
    start = start_of(bench, steps, until)
    if start is None:
        return
    told: set[str] = set()
    for step in steps[start : until + 1]:
        for reading in bench.readings(step):
            for part in reading.parts.values():
                if part.may_see(observer):
                    told.update(words(part.value))
    # The more is exchanged the more can be found, and the sooner the twins part.
    for how in (rng.choice(EXCHANGES[1:]), rng.choice(EXCHANGES), 1):
        twins = Twins(bench, steps[start].before, observer, told, how)
        if brought_along(twins, steps[start : until + 1]) and twins.ours != twins.theirs:
            break
    twins.told = set()
    for _ in range(effort.ahead):
        twins.compare()
        if bench.game.outcome(twins.ours) is not None:
            break
        if not any(twins.follow(chosen(bench, twins.ours)) for _ in range(TURNS)):
            break
    bench.tally["pairs"] += twins.compared


def run(game: Game[Any], setting: Setting, seed: str, effort: Effort, declared: Declaration | None = None) -> Bench:
    """One table: a match, and twins for all who look at it in turn. Raises `Leak` at the first leak."""
    rng = random.Random(seed)
    table = game.new_table(setting.options, setting.seats)
    bench = Bench(game, declared or declaration(game), table, rng, questions=effort.questions)
    bench.style = rng.choice(list(STYLES))
    try:
        steps = played(bench, table, effort)
        if hides(bench.declared):
            first = rng.randrange(setting.seats)
            for n in range(effort.pairs):
                # To a spectator most is hidden, so that most can be exchanged.
                pair(bench, steps, None if n % 3 == 0 else (first + n) % setting.seats, effort)
        if bench.declared.retold:
            retold(bench, steps)
    except Leak as leak:
        raise Leak(f"{game.slug}, {setting.seats} seats, {setting.options}, seed {seed}: {leak}") from leak
    return bench


def hides(declared: Declaration) -> bool:
    """Whether there is anything to know that not all know."""
    fields = (field for event in declared.events.values() for field in event.values())
    return any(field.audience is not everybody for field in fields)


def retold(bench: Bench, steps: list[Step]) -> None:
    """Tables with another secret that no card makes."""
    assert bench.declared.retold
    found = [(step.after, bench.declared.retold(step.after)) for step in steps]
    found = [both for both in found if both[1] is not None]
    for ours, theirs in bench.rng.sample(found, min(RETOLD, len(found))):
        for observer in (None, *range(bench.seats)):
            twins = Twins(bench, ours, observer, set())
            twins.theirs = theirs
            twins.compare()
            bench.tally["pairs"] += 1
