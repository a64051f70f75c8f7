"""Random play through the contract, for the tests that hold for every game.

What the common tests cannot know they ask the test module of the game. What it answers is written from the rule page,
and never with the help of the game's own functions, since two equal mistakes agree:

`whole(table)`, `pieces(table)`
    All pieces there are, and those that lie about now; nothing where no hand is dealt. No step may lose or double one.
`QUICK`, `SEVERAL`
    Options that make random matches short; options that make them a few hands long, three at least (else `QUICK`).
`NEEDS`
    Other options that an option must be given with, or it would have no effect: `{option: {other: value}}`.
`SEATS`
    The rule that says how many can play, and the tables it allows: `("QU-01", range(2, 14))`.
`OPTIONS`
    Every option: `{name: (rule, default, values)}`. The values are a range of numbers, a tuple of words, `bool`, or
    `"seat"` for words and seats; a `list` holds the least and the most that each of several numbers can be.
`REFUSALS`
    The code that goes with each refusing rule: `{rule: {codes}}`. Nothing else is ever refused.
`deal_map(deal)`
    The events of a deal in full, with who may see which card: at every table, in every hand, for every dealer.
`next_dealer(events, options, seats)`
    Who is to deal, from the events so far. Need not be given where the deal goes to the left after each hand.
`recount(events, options, seats)`
    The outcome of a match, or nothing while it goes on, from its events alone: all points are counted once more, and
    so is who took what. It asserts what it finds wrong on the way, and is asked whenever chance is to act or a game
    of the match ends.
`chosen(command, table)`
    The hidden choice that leads to this table, in place of the one that was made. Need not be given where such a choice
    is of cards alone, which can be told from where they lie.
`led_to(history, seat, imagined, rng)`
    Whether the log of a hand could have led to a table that a seat imagines. Need not be given where every such table
    is the true one with other cards in the same places.
`GOLDEN`
    Which match is worth freezing: see `tests/golden/matches.py`.
"""

from __future__ import annotations

import importlib
import random
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from typing import Any, NamedTuple

from domain.game import (
    CHANCE,
    CLOCK,
    Answer,
    Dice,
    Game,
    Lot,
    Option,
    Pick,
    Picked,
    Refused,
    Rolled,
    Shuffle,
    Shuffled,
    Template,
    TimeUp,
    options_of,
)

LONGEST = 60_000  # steps; a random match that takes longer is taken for endless


def answer(rng: random.Random, wanted: Lot) -> Answer:
    match wanted:
        case Shuffle(cards):
            return Shuffled(tuple(rng.sample(cards, len(cards))))
        case Dice(count, faces):
            return Rolled(tuple(rng.randint(1, faces) for _ in range(count)))
        case Pick(of):
            return Picked(rng.randrange(of))


class Moment(NamedTuple):
    """A step of a random match: the table before it, who acted and how, what came of it, the table after it."""

    before: Any
    seat: int
    command: Any
    answer: Answer | None
    events: tuple[Any, ...]
    after: Any


def choose(game: Game[Any], table: Any, rng: random.Random) -> tuple[int, Any]:
    """A random seat to act with a random legal command; now and then a seat outside the public list, or the clock."""
    acting = sorted(game.to_act(table))
    if CHANCE in acting:
        return CHANCE, answer(rng, game.chance(table))
    if game.alarm(table) is not None and rng.random() < 0.1:
        return CLOCK, TimeUp()
    seat = rng.choice(acting)
    # Whoever is to act has a legal command, so there is always one to choose from.
    if (len(acting) > 1 or game.alarm(table) is not None) and rng.random() < 0.3:
        seat = rng.choice([s for s in range(table.seats) if game.legal(table, s)])
    commands = game.legal(table, seat)
    if game.asides and rng.random() < 0.995:
        commands = [command for command in commands if not isinstance(command, game.asides)] or commands
    command = commands[rng.randrange(len(commands))]
    if isinstance(command, Template):
        command = command.sample(rng.randrange)
    return seat, command


def step(game: Game[Any], table: Any, seat: int, command: Any, rng: random.Random) -> Moment:
    events = game.decide(table, seat, command)
    drawn = None
    if isinstance(events, Shuffle | Dice | Pick):
        drawn = answer(rng, events)
        events = game.decide(table, CHANCE, drawn)
        assert not isinstance(events, Shuffle | Dice | Pick)
    after = table
    for event in events:
        after = game.evolve(after, event)
    return Moment(table, seat, command, drawn, tuple(events), after)


def random_match(game: Game[Any], seats: int, options: dict[str, Any], rng: random.Random) -> Iterator[Moment]:
    table = game.open_table(options, seats)
    for _ in range(LONGEST):
        if game.outcome(table) is not None:
            return
        moment = step(game, table, *choose(game, table, rng), rng)
        yield moment
        table = moment.after
    raise AssertionError(f"{game.slug} with {seats} seats and {options} does not end")


def values(option: Option) -> list[Any]:
    """Every value of an option, or those worth trying of a range."""
    match option.kind:
        case "choice":
            return list(option.choices)
        case "flag":
            return [True, False]
        case "seat":
            return [*option.choices, 0, 1]
        case "numbers":
            return [option.default, (option.low,) * option.length, (option.high,) * option.length]
        case _:
            found = {option.low, option.high, option.default}
            return [value for value in found if value is None or option.low <= value <= option.high]


def tables(game: Game[Any]) -> Iterator[tuple[int, dict[str, Any]]]:
    """Every seat count with the defaults, and every option value at the smallest, a middle and the largest table."""
    quick = dict(getattr(module(game), "QUICK", {}))
    needs = getattr(module(game), "NEEDS", {})
    for seats in game.seats:
        if opens(game, seats, quick):
            yield seats, quick
        elif opens(game, seats, {**quick, "max_seats": seats}):
            yield seats, {**quick, "max_seats": seats}
    for option in options_of(game.options):
        for value in values(option):
            own = {option.name: value}
            # Options that leave one another without effect are not given together.
            for given in ({**quick, **own}, own, {**quick, **needs.get(option.name, {}), **own}):
                fitting = [seats for seats in game.seats if opens(game, seats, given)]
                for seats in sorted({fitting[0], fitting[len(fitting) // 2], fitting[-1]}) if fitting else ():
                    yield seats, given
                if fitting:
                    break


def sized_tables(game: Game[Any], seats: int) -> Iterator[dict[str, Any]]:
    """For a table of this size: options for several hands, and these with every value of every option."""
    page = module(game)
    several = dict(getattr(page, "SEVERAL", getattr(page, "QUICK", {})))
    needs = getattr(page, "NEEDS", {})
    more = {} if seats in game.usual_seats else {"max_seats": seats}
    own = [{option.name: value} for option in options_of(game.options) for value in values(option)]
    for one in [{}, *own]:
        wanted = {name: value for key in one for name, value in needs.get(key, {}).items()}
        for given in ({**several, **more, **one}, {**several, **more, **wanted, **one}, {**more, **one}):
            if opens(game, seats, given):
                yield given
                break


class Deal(NamedTuple):
    """What is known when the cards have been shuffled: all that a deal can depend on."""

    deck: tuple[Any, ...]
    dealer: int  # whose turn it is to deal by the rules, whatever the game may think
    hand_no: int
    seats: int
    options: Any
    events: tuple[Any, ...]  # of the match so far


def of_type(events: Iterable[Any], name: str) -> list[Any]:
    return [event for event in events if type(event).__name__ == name]


def to_the_left(events: Sequence[Any], options: Any, seats: int) -> int:
    """The usual next dealer: after each hand the seat to the left, and first whom the table or the lot named."""
    hands = of_type(events, "HandDealt")
    if hands:
        return int((hands[-1].dealer + 1) % seats)
    chosen = of_type(events, "DealerChosen")
    return int(chosen[-1].seat if chosen else options.first_dealer)


def opens(game: Game[Any], seats: int, options: dict[str, Any]) -> bool:
    try:
        game.new_table(options, seats)
    except Refused:
        return False
    return True


def module(game: Game[Any]) -> Any:
    """The test module of a game, which answers what is listed above."""
    return importlib.import_module(f"tests.domain.games.test_{game.slug.replace('-', '_')}")


def pieces(game: Game[Any], table: Any) -> Counter[Any]:
    return Counter(module(game).pieces(table))
