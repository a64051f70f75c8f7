"""Backgammon (W. C. Horn, Bro. & Co., 1943): bring fifteen men home past the enemy, and bear them off first.

Each side marches from its 24 point down to its 1 point, and the two march against each other. Each die moves one man;
doublets make four moves. Two men on a point hold it; a lone man can be hit and must then enter again from the bar. As
much of a cast as can be played must be played. Once all men are on the last six points they may be borne off. Winning
before the other side has borne a man counts double; a doubling cube, which the old sheet lacks, is an option.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Final, Literal, NamedTuple, assert_never

from domain.game import Dice, Lot, Outcome, Refused, Rolled, Seat, choice, flag, number, ranked, record
from domain.games.backgammon import mat, stakes
from domain.games.backgammon.stakes import Accept, Concede, Double, Drop, GameWon, Refuse, Stakes, Take, most_to_lose
from domain.kit import points
from domain.kit.idle import idle
from domain.kit.points import BAR, OFF, PLAYS, Law, Men, Numbers, landing, playable, shifted, without
from domain.kit.refusals import not_your_turn
from domain.kit.turns import CHANCE_ACTS, NOBODY, only, put

Start = int | Literal["bar"]
End = int | Literal["off"]
MEN: Final = 15
SET_UP: Final = points.men(p24=2, p13=5, p8=3, p6=5)
NAMES: Final[tuple[Any, ...]] = ("off", *range(1, BAR), "bar")


def places(start: Start, end: End = "off") -> tuple[int, int]:
    return BAR if start == "bar" else start, OFF if end == "off" else end


# ── The table ───────────────────────────────────────────────────────────────────────────────────────────────────


@record
class Options:
    target: int = number(mat.USUAL_TARGET, 1, 25, rule="BG-R8", text="Points that win the match.")
    games: int | None = number(None, 1, 25, rule="BG-R8", text="Play so many games instead; most points win.")
    opening: str = choice("adopt_or_cast", "adopt", rule="BG-R1", text="Whether the opening dice may be cast anew.")
    bearing: str = choice("second", "first", rule="BG-22", text="Whether too high a number bears a man or is lost.")
    higher_die: bool = flag(True, rule="BG-R3", text="If only one number can be played, it must be the higher.")
    triple_game: bool = flag(False, rule="BG-R7", text="Three points for a loser caught on the bar or in the far home.")
    cube: bool = flag(False, rule="BG-R7", text="Play with the doubling cube.")
    crawford: bool = flag(True, rule="BG-34", text="With the cube: one game without it at a point from the target.")
    touch_move: bool = flag(False, rule="BG-N4", text="A man once moved cannot be taken back.")
    inner_side: Literal["right", "left"] = choice(
        "right", "left", rule="BG-02", text="On which side the inner tables are drawn."
    )


class Table(NamedTuple):
    options: Options
    seats: int
    phase: str  # opening | choose | roll | play | match_over
    game_no: int
    turn: Seat
    men: tuple[Men, ...]
    dice: Numbers  # after the opening one die a seat, then the cast, the higher first
    numbers: Numbers  # what is left of the cast
    plays: tuple[ManMoved, ...]  # made of this cast
    stakes: Stakes
    crawford_over: bool
    score: tuple[int, ...]


def setup(options: Options, seats: int) -> Table:
    return Table(options, seats, "opening", 0, 0, (SET_UP, SET_UP), (), (), (), Stakes(), False, (0, 0))


def idle_options(options: Options, seats: int) -> Mapping[str, str]:
    to_one = options.games is None and options.target == 1
    return idle(
        (options.games is not None, "target", "the match goes over a number of games"),
        (to_one, "cube", "a match to one point is won by the first game, whatever it counts"),
        (not options.cube, "crawford", "this table plays without the doubling cube"),
        (options.games is not None, "crawford", "without a target no side is a point from it"),
        (to_one, "crawford", "a match to one point knows no doubles"),
    )


LAWS: Final = {
    (bearing, higher_die): Law(leaving, only_one)
    for bearing, leaving in (("first", points.exactly), ("second", points.or_highest))
    for higher_die, only_one in ((True, points.higher_number), (False, points.any_number))
}


def law(options: Options) -> Law:
    return LAWS[options.bearing, options.higher_die]


# ── Commands and events ─────────────────────────────────────────────────────────────────────────────────────────


@record
class Adopt:
    """Play the opening dice as your first throw."""


@record
class Roll:
    """Throw both dice."""


@record
class Move:
    """Play one number with one man."""

    from_: Start
    die: int


@record
class Undo:
    """Take back your last play of this throw."""


Command = Adopt | Roll | Move | Undo | stakes.Command


@record
class OpeningCast:
    """Each seat casts one die for the first play; without a first player both are cast again."""

    game_no: int
    dice: tuple[int, ...]
    first: Seat | None
    crawford: bool


@record
class DiceAdopted:
    """The first player keeps the opening dice as his throw."""

    seat: Seat
    dice: Numbers
    numbers: Numbers


@record
class DiceRolled:
    """A seat throws both dice."""

    seat: Seat
    dice: Numbers
    numbers: Numbers


@record
class ManMoved:
    """A seat plays one number with one man."""

    seat: Seat
    from_: Start
    to: End
    die: int
    hit: bool


@record
class PlayUndone:
    """A seat takes back its last play."""

    seat: Seat
    from_: Start
    to: End
    die: int
    hit: bool


@record
class NumbersLost:
    """What is left of the throw cannot be played, and the turn ends."""

    seat: Seat
    numbers: Numbers


@record
class TurnSkipped:
    """A seat cannot enter whatever it throws, so it does not throw."""

    seat: Seat
    reason: Literal["shut_out"]


Event = (
    OpeningCast | DiceAdopted | DiceRolled | ManMoved | PlayUndone | NumbersLost | TurnSkipped | stakes.Event | GameWon
)

# ── Whose turn, and what may be done ────────────────────────────────────────────────────────────────────────────


def to_act(s: Table) -> frozenset[Seat]:
    match s.phase:
        case "opening":
            return CHANCE_ACTS
        case "match_over":
            return NOBODY
        case _:
            return only(1 - s.turn if s.stakes.offer else s.turn)


def chance(s: Table) -> Lot:
    return Dice(2, 6)


MOVES: Final = {play: Move(NAMES[play.start], play.number) for row in PLAYS[1 : BAR + 1] for play in row[1:]}
ANSWERS: Final = (Take(), Drop(), Refuse(), Accept())
CONCESSIONS: Final = (Concede(1), Concede(2), Concede(3))
BESIDE_MOVES: Final[dict[str, tuple[Command, ...]]] = {
    "choose": (Adopt(), Roll()),
    "roll": (Roll(), Double(), *CONCESSIONS),
    "play": (Undo(), *CONCESSIONS),
}


def legal(s: Table, seat: Seat) -> Sequence[Command]:
    if seat not in to_act(s):
        return ()
    candidates = ANSWERS if s.stakes.offer else BESIDE_MOVES[s.phase]
    others = [command for command in candidates if not objection(s, seat, command)]
    if s.phase != "play" or s.stakes.offer:
        return others
    plays = playable(law(s.options), s.men[seat], s.men[1 - seat], s.numbers)
    return [*[MOVES[play] for play in plays], *others]


def objection(s: Table, seat: Seat, command: Command) -> Refused | None:
    """Why this command cannot be accepted, or nothing. The one source of legality."""
    if s.phase == "match_over":
        return Refused("BG-R8", "wrong_phase", "the match is over")
    if s.phase == "opening":
        return Refused("BG-03", "wrong_phase", "the opening dice have not been cast")
    match command:
        case Move(from_=from_, die=die):
            return objection_to_turn(s, seat, s.phase == "play") or objection_to_move(s, from_, die)
        case Roll():
            return objection_to_turn(s, seat, s.phase != "play")
        case Undo():
            return objection_to_turn(s, seat, s.phase == "play") or objection_to_undo(s)
        case Concede(value=value):
            on_turn = seat == s.turn and s.phase != "choose"
            most = most_to_lose(s.men[seat], s.options.triple_game)
            return stakes.objection_to_concession(s.stakes, value, most, on_turn)
        case Accept() | Refuse():
            return stakes.objection_to_answer(s.stakes, command, seat != s.turn)
        case Adopt():
            if s.phase != "choose" or seat != s.turn:
                return Refused("BG-04", "nothing_to_adopt", "there are no opening dice for you to adopt")
            return None
    if not s.options.cube:
        return Refused("BG-R7", "no_cube", "this table plays without the doubling cube")
    if isinstance(command, Double):
        to_roll = seat == s.turn and s.phase == "roll"
        target = s.options.target if s.options.games is None else None
        return stakes.objection_to_double(s.stakes, seat, to_roll, s.score[seat], target)
    return stakes.objection_to_answer(s.stakes, command, seat != s.turn)


def objection_to_turn(s: Table, seat: Seat, in_time: bool) -> Refused | None:
    if s.stakes.offer:
        return stakes.objection_while_offered(s.stakes)
    if seat != s.turn:
        return not_your_turn("BG-29", s.turn)
    if not in_time:
        done = "cast" if s.phase == "play" else "not cast"
        return Refused("BG-29", "wrong_phase", f"you have {done} the dice of this turn")
    return None


def objection_to_move(s: Table, from_: Start, die: int) -> Refused | None:
    start, _ = places(from_)
    if start == OFF:
        return Refused("BG-27", "no_man", "a man borne off stays off")
    if not OFF < start < BAR and from_ != "bar":
        return Refused("BG-05", "no_man", f"there is no point {from_}")
    if die not in s.numbers:
        rule = "BG-07" if s.dice[0] == s.dice[1] else "BG-06"
        return Refused(rule, "no_such_number", f"{die} is not among the numbers left: {', '.join(map(str, s.numbers))}")
    mine, theirs = s.men[s.turn], s.men[1 - s.turn]
    obstacle = points.obstacle(law(s.options), mine, theirs, s.numbers, PLAYS[start][die])
    if obstacle is None:
        return None
    rule, text = OBSTACLES[obstacle]
    if obstacle == "closed" and start == BAR:
        rule = "BG-15"
    return Refused(rule, obstacle, text.format(start=from_, end=landing(start, die), die=die, high=max(s.numbers)))


OBSTACLES: Final[dict[points.Obstacle, tuple[str, str]]] = {
    "bar_first": ("BG-16", "you have a man on the bar, and he must enter first"),
    "no_man": ("BG-05", "you have no man on {start}"),
    "closed": ("BG-08", "the enemy holds the point {end}, so no man of yours may stop there"),
    "not_home": ("BG-19", "no man is borne while one of yours is outside your inner table"),
    "exact_man": ("BG-20", "a {die} bears the man on {die}, not the one on {start}"),
    "highest_man": ("BG-23", "a {die} bears from your highest point, not from {start}"),
    "higher_man": ("BG-24", "a man of yours stands higher than {die}, so it bears none from {start}"),
    "too_high": ("BG-22", "{die} is higher than your highest point, so it is lost"),
    "higher_number": ("BG-11", "only one number can be played, so it must be the {high}"),
    "whole_throw": ("BG-10", "another order of plays uses more of the cast than this one"),
}


def objection_to_undo(s: Table) -> Refused | None:
    if s.options.touch_move:
        return Refused("BG-N4", "touch_move", "at this table a man once moved cannot be taken back")
    if not s.plays:
        return Refused("BG-N4", "nothing_to_undo", "no play of this cast can be taken back")
    return None


# ── What follows from a command ─────────────────────────────────────────────────────────────────────────────────


def decide(s: Table, seat: Seat, command: Command | Rolled) -> Sequence[Event] | Lot:
    if isinstance(command, Rolled):
        return open_game(s, command.dice) if s.phase == "opening" else cast(s, command.dice)
    if refusal := objection(s, seat, command):
        raise refusal
    match command:
        case Move(from_=from_, die=die):
            return move(s, seat, places(from_)[0], die)
        case Roll():
            return Dice(2, 6)
        case Adopt():
            return [adopted(seat, s.dice)]
        case Undo():
            last = s.plays[-1]
            return [PlayUndone(seat, last.from_, last.to, last.die, last.hit)]
        case Double():
            return [stakes.DoubleOffered(seat, 2 * s.stakes.cube)]
        case Take():
            return [stakes.DoubleTaken(seat, 2 * s.stakes.cube)]
        case Drop():
            return [stakes.DoubleDropped(seat), stakes.won(s.stakes, 1 - seat, "dropped", 1, s.men, s.score)]
        case Concede(value=value):
            offer = stakes.ConcessionOffered(seat, value)
            if value < most_to_lose(s.men[seat], s.options.triple_game):
                return [offer]
            return [offer, stakes.won(s.stakes, 1 - seat, "conceded", value, s.men, s.score)]
        case Accept():
            value = s.stakes.conceded or 1
            answer = stakes.ConcessionAnswered(seat, True)
            return [answer, stakes.won(s.stakes, seat, "conceded", value, s.men, s.score)]
        case Refuse():
            return [stakes.ConcessionAnswered(seat, False)]
        case _:
            assert_never(command)


def open_game(s: Table, dice: tuple[int, ...]) -> Sequence[Event]:
    one_short = s.options.games is None and max(s.score) == s.options.target - 1
    crawford = s.options.cube and s.options.crawford and one_short and not s.crawford_over
    game_no = s.game_no if s.dice else s.game_no + 1  # equal dice on the table: the same game is opened again
    if dice[0] == dice[1]:
        return [OpeningCast(game_no, dice, None, crawford)]
    first = 0 if dice[0] > dice[1] else 1
    opening = OpeningCast(game_no, dice, first, crawford)
    return [opening, adopted(first, dice)] if s.options.opening == "adopt" else [opening]


def adopted(seat: Seat, dice: Numbers) -> DiceAdopted:
    numbers = (max(dice), min(dice))
    return DiceAdopted(seat, numbers, numbers)


def cast(s: Table, dice: Numbers) -> Sequence[Event]:
    high, low = max(dice), min(dice)
    numbers = (high,) * 4 if high == low else (high, low)
    rolled = DiceRolled(s.turn, (high, low), numbers)
    mine, theirs = s.men[s.turn], s.men[1 - s.turn]
    if playable(law(s.options), mine, theirs, numbers):
        return [rolled]
    return [rolled, NumbersLost(s.turn, numbers), *skipped(s.turn, mine, theirs)]


def move(s: Table, seat: Seat, start: int, die: int) -> Sequence[Event]:
    end = landing(start, die)
    moved = ManMoved(seat, NAMES[start], NAMES[end], die, points.is_blot(s.men[1 - seat], end))
    mine, theirs = points.played(s.men[seat], s.men[1 - seat], PLAYS[start][die])
    if mine[OFF] == MEN:
        value = stakes.worth(theirs, s.options.triple_game)
        return [moved, stakes.won(s.stakes, seat, "borne_off", value, put(s.men, seat, mine), s.score)]
    left = without(s.numbers, die)
    if left and playable(law(s.options), mine, theirs, left):
        return [moved]
    lost = [NumbersLost(seat, left)] if left else []
    return [moved, *lost, *skipped(seat, mine, theirs)]


def skipped(seat: Seat, mine: Men, theirs: Men) -> Sequence[Event]:
    """What follows a turn of `seat`: the turn of an opponent who is shut out is over before it began."""
    return [TurnSkipped(1 - seat, "shut_out")] if points.shut_out(theirs, mine) else []


# ── The table after an event ────────────────────────────────────────────────────────────────────────────────────


def evolve(s: Table, event: Event) -> Table:
    match event:
        case ManMoved(seat=seat, from_=from_, to=to, die=die, hit=hit):
            left = without(s.numbers, die)
            men = shifted(s.men, seat, *places(from_, to), hit)
            if not left:
                return next_turn(s._replace(men=men), seat)
            return s._replace(men=men, numbers=left, plays=(*s.plays, event))
        case DiceRolled(dice=dice, numbers=numbers) | DiceAdopted(dice=dice, numbers=numbers):
            return s._replace(phase="play", dice=dice, numbers=numbers, stakes=stakes.after_roll(s.stakes))
        case NumbersLost(seat=seat) | TurnSkipped(seat=seat):
            return next_turn(s, seat)
        case PlayUndone(seat=seat, from_=from_, to=to, die=die, hit=hit):
            numbers = tuple(sorted((*s.numbers, die), reverse=True))
            men = shifted(s.men, seat, *places(from_, to), hit, -1)
            return s._replace(men=men, numbers=numbers, plays=s.plays[:-1])
        case GameWon(totals=totals):
            ended = next_turn(s, s.turn)._replace(score=totals, crawford_over=s.crawford_over or s.stakes.crawford)
            return ended._replace(phase="match_over" if decided(ended) else "opening")
        case OpeningCast(game_no=game_no, dice=dice, first=first, crawford=crawford):
            return s._replace(
                phase="opening" if first is None else "choose",
                game_no=game_no,
                turn=first or 0,
                men=(SET_UP, SET_UP),
                dice=dice,
                stakes=Stakes(crawford=crawford),
            )
        case _:
            return s._replace(stakes=stakes.after(s.stakes, event))


def next_turn(s: Table, seat: Seat) -> Table:
    return s._replace(phase="roll", turn=1 - seat, dice=(), numbers=(), plays=(), stakes=stakes.after_turn(s.stakes))


# ── The end ─────────────────────────────────────────────────────────────────────────────────────────────────────


def decided(s: Table) -> bool:
    if s.options.games is not None:
        return s.game_no >= s.options.games
    return max(s.score) >= s.options.target


def outcome(s: Table) -> Outcome | None:
    if s.phase != "match_over":
        return None
    return Outcome(ranked(s.score), s.score, "target_reached" if s.options.games is None else "games_played")
