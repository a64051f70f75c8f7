"""Acey-Ducey (W. C. Horn, Bro. & Co., 1943): enter fifteen men, march them round, and take them all off first.

All men start in hand and enter by the dice on spaces 1 to 6. Two men on a space close it; a lone man is kicked to the
centre and must enter again before anything else moves. Doubles are four plays. A player who throws 1 and 2, the
Acey-Ducey, plays them, then names a double of his choice and plays that, and then throws again. When all men stand on
the last six spaces the dice take them off, row by row.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Final, Literal, NamedTuple, assert_never

from domain.game import Dice, Lot, Outcome, Refused, Rolled, Seat, choice, flag, number, record, sides_in_turn
from domain.games.acey_ducey import divisions
from domain.kit import points
from domain.kit.idle import idle
from domain.kit.points import BAR, OFF, PLAYS, Law, Men, Numbers, Steps, landing, playable, played, without
from domain.kit.refusals import not_your_turn
from domain.kit.turns import CHANCE_ACTS, NOBODY, left_of, only, put

Colour = int
Made = tuple[int, ...]  # the places from which men have been played by the present doubles
Start = int | Literal["hand", "centre"]
End = int | Literal["off"]
MEN: Final = 15
IN_HAND: Final = points.men(hand=MEN)
CENTRE: Final = BAR
# A man's place is what he has still to go: space 19 is place 6, and that is also the number of its row.
NAMES: Final[tuple[Any, ...]] = ("off", *range(24, 0, -1), "centre", "hand")
PLACES: Final = {name: place for place, name in enumerate(NAMES)}

# ── The table ───────────────────────────────────────────────────────────────────────────────────────────────────


@record
class Options:
    target: int | None = number(None, 1, 25, rule="AD-R13", text="Games that win the match (3), or points (15).")
    score: str = choice("games", "men_left", rule="AD-R13", text="A game counts 1, or the loser's men not yet off.")
    doubles_split: str = choice("any", "listed", rule="AD-R2", text="How the four plays of doubles may be divided.")
    overthrow: str = choice("take_off", "lost", rule="AD-R5", text="What a number above every occupied row does.")
    doubles_below: str = choice(
        "always", "if_none_above", rule="AD-R6", text="When doubles take men off the rows below their number."
    )
    bonus_needs_full_play: bool = flag(False, rule="AD-R7", text="An Acey-Ducey must be played in full to go on.")
    higher_die: bool = flag(True, rule="AD-R9", text="If only one number can be played, it must be the higher.")
    partner_chat: bool = flag(False, rule="AD-R12", text="Partners may talk while a game runs.")


class Table(NamedTuple):
    options: Options
    seats: int
    phase: str  # start | roll | play | name_double | match_over
    game_no: int
    turn: Seat
    men: tuple[Men, ...]  # by colour
    dice: Numbers  # of this turn, the higher first
    numbers: Numbers  # left to play
    doubles: bool  # whether they are played as doubles, thrown or named
    made: Made
    bonus: str  # what an Acey-Ducey still owes: double | throw
    free: bool  # whether the throw is a free one
    score: tuple[int, ...]


def setup(options: Options, seats: int) -> Table:
    return Table(options, seats, "start", 0, 0, (IN_HAND, IN_HAND), (), (), False, (), "", False, (0, 0))


def idle_options(options: Options, seats: int) -> Mapping[str, str]:
    return idle(
        (seats == 2, "partner_chat", "at a table of two nobody has a partner"),
    )


def colour_of(seat: Seat) -> Colour:
    return seat % 2


def sides(s: Table) -> tuple[tuple[Seat, ...], ...]:
    return sides_in_turn(2, s.seats)


def law(options: Options, doubles: bool) -> Law:
    return LAWS[options.doubles_below if doubles else options.overthrow, options.higher_die]


LAWS: Final = {
    (option, higher_die): Law(leaving, only_one)
    for option, leaving in (
        ("take_off", points.or_highest),
        ("lost", points.exactly),
        ("always", points.or_below),
        ("if_none_above", points.or_highest),
    )
    for higher_die, only_one in ((True, points.higher_number), (False, points.any_number))
}

# ── Commands and events ─────────────────────────────────────────────────────────────────────────────────────────


@record
class Roll:
    """Throw both dice."""


@record
class Move:
    """Play one number with one man."""

    from_: Start
    number: int


@record
class NameDouble:
    """Name the double that your Acey-Ducey lets you play."""

    number: int


Command = Roll | Move | NameDouble
Kind = Literal["plain", "doubles", "acey_ducey"]


@record
class StartThrown:
    """Each colour throws one die for the start; without a starter both are thrown again."""

    game_no: int
    dice: tuple[int, ...]
    starter: Seat | None


@record
class DiceRolled:
    """A seat throws both dice."""

    seat: Seat
    dice: Numbers
    numbers: Numbers
    kind: Kind
    free: bool


@record
class ManMoved:
    """A seat plays one number with one man."""

    seat: Seat
    from_: Start
    to: End
    number: int
    hit: bool


@record
class NumbersLost:
    """What is left of the throw cannot be played."""

    seat: Seat
    numbers: Numbers
    bonus_lost: bool


@record
class DoubleNamed:
    """A seat names the double that its Acey-Ducey lets it play."""

    seat: Seat
    number: int
    numbers: Numbers


@record
class GameWon:
    """A colour has all its men off and wins the game."""

    colour: Colour
    seats: tuple[Seat, ...]
    men_left: int
    points: int
    score: tuple[int, ...]


Event = StartThrown | DiceRolled | ManMoved | NumbersLost | DoubleNamed | GameWon

# ── Whose turn, and what may be done ────────────────────────────────────────────────────────────────────────────


def to_act(s: Table) -> frozenset[Seat]:
    match s.phase:
        case "start":
            return CHANCE_ACTS
        case "match_over":
            return NOBODY
        case _:
            return only(s.turn)


def chance(s: Table) -> Lot:
    return Dice(2, 6)


ROLL: Final = Roll()
MOVES: Final = {play: Move(NAMES[play.start], play.number) for row in PLAYS[1:] for play in row[1:]}
DOUBLES: Final = tuple(NameDouble(n) for n in range(1, 7))


def legal(s: Table, seat: Seat) -> Sequence[Command]:
    if seat not in to_act(s):
        return ()
    match s.phase:
        case "play":
            return [MOVES[play] for play in offered(s)]
        case "roll":
            return (ROLL,)
        case _:
            return DOUBLES


def offered(s: Table) -> Steps:
    colour = colour_of(s.turn)
    return tuple(choices(s.options, s.men[colour], s.men[1 - colour], s.numbers, s.doubles, s.made))


def choices(
    options: Options, mine: Men, theirs: Men, numbers: Numbers, doubles: bool, made: Made
) -> Iterator[points.Step]:
    rules = law(options, doubles)
    for play in playable(rules, mine, theirs, numbers):
        if not doubles or is_divided_well(options, mine, theirs, play, made):
            yield play


def is_divided_well(options: Options, mine: Men, theirs: Men, play: points.Step, made: Made) -> bool:
    """Whether this play of doubles fits the ways in which the table lets them be divided."""
    if options.doubles_split == "any":
        return True
    rules, used = law(options, True), play.number
    origin = divisions.before(mine, used, made)
    if divisions.can_become_listed(rules, origin, theirs, used, ()):
        return divisions.can_become_listed(rules, origin, theirs, used, (*made, play.start))
    # Three plays are part of one of the listed ways, whatever they are; a fourth is not.
    return len(made) < 3


def objection(s: Table, seat: Seat, command: Command) -> Refused | None:
    """Why this command cannot be accepted, or nothing. The one source of legality."""
    if s.phase in ("start", "match_over"):
        if s.game_no and not s.dice:
            return Refused("AD-27", "wrong_phase", "the game is over")
        return Refused("AD-02", "wrong_phase", "the throw for the start is not decided")
    if seat != s.turn:
        rule = "AD-28" if colour_of(seat) == colour_of(s.turn) else "AD-08"
        return not_your_turn(rule, s.turn)
    match command:
        case Roll():
            if s.phase == "name_double":
                return Refused("AD-16", "wrong_phase", "you have a double to name and to play first")
            if s.phase == "play":
                return Refused("AD-08", "wrong_phase", "you have thrown, and there are numbers to play")
            return None
        case NameDouble(number=named):
            return objection_to_name(s, named)
        case Move(from_=from_, number=used):
            return objection_to_move(s, from_, used)
        case _:
            assert_never(command)


def objection_to_name(s: Table, named: int) -> Refused | None:
    if s.phase == "play" and s.bonus == "double":
        return Refused("AD-15", "wrong_phase", "the 1 and the 2 of your Acey-Ducey come first")
    if s.phase != "name_double":
        return Refused("AD-16", "wrong_phase", "a double is named only after an Acey-Ducey")
    if not 1 <= named <= 6:
        return Refused("AD-16", "no_such_number", f"a double is a number from 1 to 6, not {named}")
    return None


def objection_to_move(s: Table, from_: Start, used: int) -> Refused | None:
    if s.phase == "name_double":
        return Refused("AD-16", "wrong_phase", "you have a double to name first")
    if s.phase != "play":
        return Refused("AD-08", "wrong_phase", "you have not thrown the dice yet")
    if used < 0:
        return Refused("AD-09", "backwards", "men go forward only")
    if used not in s.numbers:
        return Refused(
            "AD-05", "no_such_number", f"{used} is not among the numbers left: {', '.join(map(str, s.numbers))}"
        )
    start = PLACES.get(from_, OFF)
    if start == OFF:
        return Refused("AD-R1", "no_man", f"there is no space {from_}")
    play = PLAYS[start][used]
    mine, theirs = s.men[colour_of(s.turn)], s.men[1 - colour_of(s.turn)]
    obstacle = points.obstacle(law(s.options, s.doubles), mine, theirs, s.numbers, play)
    if obstacle is None:
        if not s.doubles or is_divided_well(s.options, mine, theirs, play, s.made):
            return None
        return Refused("AD-R2", "not_listed", "doubles are played here as 4, 3 and 1, 2 and 2, or 1 by four men")
    single, double, text = OBSTACLES[obstacle]
    facts = {"from_": from_, "to": NAMES[landing(start, used)], "n": used, "row": start, "high": max(s.numbers)}
    return Refused(double if s.doubles else single, obstacle, text.format(**facts))


# What stands in the way, the rule of single numbers and that of doubles, and the fact.
OBSTACLES: Final[dict[points.Obstacle, tuple[str, str, str]]] = {
    "bar_first": ("AD-12", "AD-12", "you have a man in the centre, and he must enter first"),
    "no_man": ("AD-05", "AD-05", "you have no man to play from {from_}"),
    "closed": ("AD-10", "AD-10", "space {to} is closed: two or more enemies stand there"),
    "not_home": ("AD-18", "AD-18", "no man is taken off while one of yours is outside the take-off position"),
    "exact_man": ("AD-20", "AD-24", "a {n} takes off the man on row {n}, not the one on row {row}"),
    "highest_man": ("AD-22", "AD-24", "a {n} takes off from the highest row it can, not from row {row}"),
    "higher_man": ("AD-21", "AD-R6", "a man of yours stands on a higher row, so a {n} takes none off row {row}"),
    "too_high": ("AD-R5", "AD-R5", "{n} is above your highest row, so it is lost"),
    "higher_number": ("AD-R9", "AD-R9", "only one number can be played, so it must be the {high}"),
    "whole_throw": ("AD-14", "AD-14", "another order of plays uses more of the throw than this one"),
}

# ── What follows from a command ─────────────────────────────────────────────────────────────────────────────────


def decide(s: Table, seat: Seat, command: Command | Rolled) -> Sequence[Event] | Lot:
    if isinstance(command, Rolled):
        return [throw_for_start(s, command.dice)] if s.phase == "start" else throw(s, command.dice)
    if refusal := objection(s, seat, command):
        raise refusal
    match command:
        case Move(from_=from_, number=used):
            return move(s, seat, PLACES[from_], used)
        case Roll():
            return Dice(2, 6)
        case NameDouble(number=named):
            numbers = (named,) * 4
            return [DoubleNamed(seat, named, numbers), *lost_at_once(s, numbers, True, "throw")]
        case _:
            assert_never(command)


def throw_for_start(s: Table, dice: tuple[int, ...]) -> StartThrown:
    game_no = s.game_no if s.dice else s.game_no + 1  # equal dice on the table: the same game is started again
    if dice[0] == dice[1]:
        return StartThrown(game_no, dice, None)
    return StartThrown(game_no, dice, 0 if dice[0] > dice[1] else 1)


def throw(s: Table, dice: Numbers) -> Sequence[Event]:
    high, low = max(dice), min(dice)
    numbers = (high,) * 4 if high == low else (high, low)
    kind: Kind = "doubles" if high == low else "acey_ducey" if high == 2 else "plain"
    rolled = DiceRolled(s.turn, (high, low), numbers, kind, s.free)
    return [rolled, *lost_at_once(s, numbers, kind == "doubles", "double" if kind == "acey_ducey" else "")]


def lost_at_once(s: Table, numbers: Numbers, doubles: bool, bonus: str) -> Sequence[Event]:
    colour = colour_of(s.turn)
    if any(choices(s.options, s.men[colour], s.men[1 - colour], numbers, doubles, ())):
        return []
    return [lost(s, numbers, bonus)]


def lost(s: Table, numbers: Numbers, bonus: str) -> NumbersLost:
    return NumbersLost(s.turn, numbers, s.options.bonus_needs_full_play and bonus != "")


def move(s: Table, seat: Seat, start: int, used: int) -> Sequence[Event]:
    colour, end = colour_of(seat), landing(start, used)
    moved = ManMoved(seat, NAMES[start], NAMES[end], used, points.is_blot(s.men[1 - colour], end))
    mine, theirs = played(s.men[colour], s.men[1 - colour], PLAYS[start][used])
    if mine[OFF] == MEN:
        return [moved, won(s, colour)]
    left = without(s.numbers, used)
    if not left or any(choices(s.options, mine, theirs, left, s.doubles, (*s.made, start))):
        return [moved]
    return [moved, lost(s, left, s.bonus)]


def won(s: Table, colour: Colour) -> GameWon:
    men_left = MEN - s.men[1 - colour][OFF]
    gained = men_left if s.options.score == "men_left" else 1
    return GameWon(colour, sides(s)[colour], men_left, gained, put(s.score, colour, s.score[colour] + gained))


# ── The table after an event ────────────────────────────────────────────────────────────────────────────────────


def evolve(s: Table, event: Event) -> Table:
    match event:
        case ManMoved(seat=seat, from_=from_, to=to, number=used, hit=hit):
            start = PLACES[from_]
            men = points.shifted(s.men, colour_of(seat), start, PLACES[to], hit)
            left = without(s.numbers, used)
            if not left:
                return go_on(s._replace(men=men))
            return s._replace(men=men, numbers=left, made=(*s.made, start) if s.doubles else ())
        case DiceRolled(dice=dice, numbers=numbers, kind=kind):
            bonus = "double" if kind == "acey_ducey" else ""
            return s._replace(phase="play", dice=dice, numbers=numbers, doubles=kind == "doubles", bonus=bonus)
        case NumbersLost(bonus_lost=bonus_lost):
            return go_on(s._replace(bonus="") if bonus_lost else s)
        case DoubleNamed(numbers=numbers):
            return s._replace(phase="play", numbers=numbers, doubles=True, bonus="throw")
        case GameWon(score=score):
            over = max(score) >= target(s.options)
            cleared = s._replace(dice=(), numbers=(), doubles=False, made=(), bonus="", free=False)
            return cleared._replace(phase="match_over" if over else "start", score=score)
        case StartThrown(game_no=game_no, dice=dice, starter=starter):
            men = (IN_HAND, IN_HAND)
            if starter is None:
                return s._replace(game_no=game_no, men=men, dice=dice)
            return s._replace(phase="roll", game_no=game_no, turn=starter, men=men, dice=())
        case _:
            assert_never(event)


def go_on(s: Table) -> Table:
    """The numbers are used up: an Acey-Ducey goes on with what it still owes, any other turn is over."""
    s = s._replace(numbers=(), doubles=False, made=())
    match s.bonus:
        case "double":
            return s._replace(phase="name_double")
        case "throw":
            return s._replace(phase="roll", bonus="", free=True)
        case _:
            return s._replace(phase="roll", turn=left_of(s.turn, s.seats), dice=(), free=False)


# ── The end ─────────────────────────────────────────────────────────────────────────────────────────────────────


def target(options: Options) -> int:
    return options.target or (3 if options.score == "games" else 15)


def outcome(s: Table) -> Outcome | None:
    if s.phase != "match_over":
        return None
    winner = 0 if s.score[0] > s.score[1] else 1
    places = tuple(1 if colour_of(seat) == winner else 2 for seat in range(s.seats))
    return Outcome(places, tuple(s.score[colour_of(seat)] for seat in range(s.seats)), "target_reached")
