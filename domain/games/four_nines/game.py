"""Four Nines (Milton Bradley), with one die or with two: bring four discs round the cross and Home.

A 5 enters a disc; then discs go to the right round the road and up their owner's column, and reach Home by the exact
number. A lone disc off the circles can be captured and has to enter anew; two discs together are a blockade that
nobody passes. With one die a 6 moves 12 and gives another throw, and the first player Home wins. With two dice
captures, arrivals and missed entries are scored, doublets give another throw, and the highest score wins.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final, Literal, NamedTuple, assert_never

from domain.game import Dice, Lot, Outcome, Refused, Rolled, Seat, choice, flag, number, ranked, record
from domain.games.four_nines import cross, pips
from domain.games.four_nines.cross import (
    CROSSES,
    DISCS,
    ENTRY,
    PLACES,
    WAITING,
    Ahead,
    Captured,
    Cross,
    Discs,
    Progress,
)
from domain.games.four_nines.events import (
    Command,
    DiceRolled,
    DiscEntered,
    DiscForfeited,
    DiscMoved,
    EndPlay,
    Enter,
    EntryMissed,
    Event,
    GameWon,
    GiftGiven,
    Move,
    PlayEnded,
    Roll,
    StartThrown,
)
from domain.games.four_nines.pips import Numbers, NumbersInHand, Throw
from domain.kit.idle import idle
from domain.kit.turns import CHANCE_ACTS, NOBODY, around, left_of, only, plus, put

CAPTURE: Final = 20
ARRIVAL: Final = 10

# ── The table ───────────────────────────────────────────────────────────────────────────────────────────────────


@record
class Options:
    variant: str = choice("one-die", "two-dice", rule="FN1-02", text="Which of the two games is played.")
    board: str = choice("cross68", "cross76", rule="FN-R1", text="The cross: arms of eight rows, or of nine.")
    games: int = number(1, 1, 10, rule="FN1-07", text="How many games make a match.")
    start: str = choice("lowest", "highest", "seat0", rule="FN-R2", text="One die: who starts, by which throw.")
    compulsory_moves: bool = flag(True, rule="FN-R7", text="Whether numbers must be used, captures apart.")
    pre_entry_throws: str = choice(
        "gift", "shared5", "off", rule="FN-R3", text="Two dice: what throws before a first entry are to the others."
    )
    third_doublet: str = choice(
        "penalty", "no_more_throws", "unlimited", rule="FN-R15", text="Two dice: what a third doublet in a turn means."
    )
    six_is_twelve_two_dice: bool = flag(False, rule="FN-R16", text="Two dice: whether a 6 moves 12.")

    @property
    def dice(self) -> int:
        return 1 if self.variant == "one-die" else 2


class Table(NamedTuple):
    options: Options
    seats: int
    phase: str  # start_throw | throw | play | game_over
    starters: tuple[Seat, ...]  # who throws for the start
    discs: tuple[Discs, ...]
    entered: tuple[bool, ...]  # whether the seat ever entered a disc in this game
    owing: tuple[int, ...]  # captured discs whose first chance to enter is still to come
    scores: tuple[int, ...]
    wins: tuple[int, ...]
    sums: tuple[int, ...]  # scores of finished games
    game_no: int
    turn: Seat = 0  # who throws
    player: Seat = 0  # who uses the numbers: another seat if the throw is a gift
    hand: NumbersInHand = NumbersInHand()  # the throw, and how far it has been used
    throw_no: int = 0
    chances: int = 0  # to enter, given by this throw
    again: bool = False  # whether it earns another throw

    @property
    def cross(self) -> Cross:
        return CROSSES[self.options.board]


def setup(options: Options, seats: int) -> Table:
    return new_game(options, (0,) * seats, (0,) * seats, 1)


def new_game(options: Options, wins: tuple[int, ...], sums: tuple[int, ...], game_no: int) -> Table:
    seats, none = len(wins), (0,) * len(wins)
    phase = "throw" if options.dice == 1 and options.start == "seat0" else "start_throw"
    discs = ((WAITING,) * DISCS,) * seats
    return Table(options, seats, phase, tuple(range(seats)), discs, (False,) * seats, none, none, wins, sums, game_no)


def idle_options(options: Options, seats: int) -> Mapping[str, str]:
    two_dice = options.dice == 2
    return idle(
        (two_dice, "start", "with two dice the lowest throw starts"),
        (not two_dice, "pre_entry_throws", "it is for the game with two dice"),
        (not two_dice, "third_doublet", "it is for the game with two dice"),
        (not two_dice, "six_is_twelve_two_dice", "it is for the game with two dice"),
    )


# ── Whose turn, and what may be done ────────────────────────────────────────────────────────────────────────────


def to_act(s: Table) -> frozenset[Seat]:
    match s.phase:
        case "throw":
            return only(s.turn)
        case "play":
            return only(s.player)
        case "start_throw":
            return CHANCE_ACTS
        case _:
            return NOBODY


def chance(s: Table) -> Lot:
    return Dice(len(s.starters) * s.options.dice, 6)


ROLL, END_PLAY = Roll(), EndPlay()
FIVE, SUM = Enter("five"), Enter("sum")
MOVES = {n: [Move(disc, n) for disc in range(DISCS)] for n in range(1, 13)}


def legal(s: Table, seat: Seat) -> Sequence[Command]:
    if s.phase == "throw" and seat == s.turn:
        return (ROLL,)
    if s.phase != "play" or seat != s.player:
        return ()
    own, way = s.discs[seat], ahead(s, s.discs, seat)
    commands: list[Enter | Move | EndPlay] = [FIVE, SUM] if pips.entering(s.hand.dice) else []
    for n in dict.fromkeys(s.hand.numbers):
        commands += [move for move, progress in zip(MOVES[n], own, strict=True) if WAITING < progress < way.home]
    commands.append(END_PLAY)
    return [command for command in commands if not objection_to_use(s.hand, own, way, command)]


def objection(s: Table, seat: Seat, command: Command) -> Refused | None:
    """Why this command cannot be accepted, or nothing. The one source of legality."""
    one_die = s.options.dice == 1
    if s.phase == "game_over":
        return Refused("FN1-07" if one_die else "FN2-18", "match_over", "the last game has been won")
    if isinstance(command, Roll):
        if s.phase == "throw" and seat == s.turn:
            return None
        start = s.phase == "start_throw"
        told = "the throw for the start comes first" if start else f"seat {s.player} has to {s.phase} first"
        return Refused("FN-03", "not_your_throw", told)
    if isinstance(command, Move) and not cross.in_play(s.discs[seat], s.cross.home):
        return Refused("FN-02", "nothing_in_play", "none of your discs is on the board")
    if s.phase != "play" or seat != s.player:
        return Refused("FN1-02" if one_die else "FN-03", "not_your_play", "you have no throw to use")
    return objection_to_use(s.hand, s.discs[seat], ahead(s, s.discs, seat), command)


def objection_to_use(hand: NumbersInHand, own: Discs, way: Ahead, command: Enter | Move | EndPlay) -> Refused | None:
    match command:
        case Enter(with_=by):
            return pips.objection_to_entry(hand, own, way, by)
        case Move(disc=disc, number=n):
            return pips.objection_to_move(hand, own, way, disc, n)
        case EndPlay():
            return pips.objection_to_end(hand, own, way)
        case _:
            assert_never(command)


def ahead(s: Table, discs: tuple[Discs, ...], seat: Seat) -> Ahead:
    return cross.ahead(s.options.board, discs, seat)


# ── What follows from a command ─────────────────────────────────────────────────────────────────────────────────


def decide(s: Table, seat: Seat, command: Command | Rolled) -> Sequence[Event] | Lot:
    if isinstance(command, Rolled):
        return throw_for_start(s, command.dice) if s.phase == "start_throw" else throw(s, command.dice)
    if refusal := objection(s, seat, command):
        raise refusal
    match command:
        case Roll():
            return Dice(s.options.dice, 6)
        case Enter(with_=by):
            return enter(s, seat, by)
        case Move(disc=disc, number=n):
            return move(s, seat, disc, n)
        case EndPlay():
            return [PlayEnded(seat, s.hand.numbers), *settled(s, s.discs, s.hand.entries)]
        case _:
            assert_never(command)


def throw_for_start(s: Table, dice: Throw) -> Sequence[Event]:
    each = s.options.dice
    throws = tuple(dice[at : at + each] for at in range(0, len(dice), each))
    totals = [sum(thrown) for thrown in throws]
    wanted = max(totals) if each == 1 and s.options.start == "highest" else min(totals)
    best = tuple(seat for seat, total in zip(s.starters, totals, strict=True) if total == wanted)
    return [StartThrown(s.starters, throws, best)]


def throw(s: Table, dice: Throw) -> Sequence[Event]:
    seat, throw_no = s.turn, s.throw_no + 1 if s.again else 1
    repeating = pips.doublet(dice) or dice == (6,)
    third = s.options.third_doublet if s.options.dice == 2 else "penalty"
    if repeating and throw_no == 3 and third == "penalty":
        return [DiceRolled(seat, dice, throw_no, (), 0, 0, False), *forfeited(s, seat)]
    again = repeating and (throw_no < 3 or third == "unlimited")
    opening = s.options.pre_entry_throws if s.options.dice == 2 else "off"
    if opening == "gift" and not s.entered[seat] and not pips.entering(dice):
        return [DiceRolled(seat, dice, throw_no, (), 0, 0, again), *gift(s, dice, s.discs, seat)]
    shared, discs = share(s) if opening == "shared5" and pips.entering(dice) else ([], s.discs)
    own, way = discs[seat], ahead(s, discs, seat)
    hand = in_hand(s, dice, pips.numbers_of(dice, six(s), own), way, own, True)
    chances = pips.entries_possible(dice, way, own) if s.options.dice == 2 else 0
    return [DiceRolled(seat, dice, throw_no, hand.numbers, hand.need, chances, again), *shared]


def six(s: Table) -> int:
    return 12 if s.options.dice == 1 or s.options.six_is_twelve_two_dice else 6


def in_hand(s: Table, dice: Throw, numbers: Numbers, way: Ahead, own: Discs, enters: bool) -> NumbersInHand:
    return pips.in_hand(dice, numbers, way, own, enters=enters, compulsory=s.options.compulsory_moves)


def forfeited(s: Table, seat: Seat) -> Sequence[Event]:
    """The third six or doublet of a turn moves nothing and costs the disc nearest Home."""
    disc = cross.nearest_home(s.discs[seat], s.cross.home)
    if disc is None:
        return []
    return [DiscForfeited(seat, disc, "third_six" if s.options.dice == 1 else "third_doublet")]


def share(s: Table) -> tuple[list[Event], tuple[Discs, ...]]:
    """A throw that enters also enters a first disc for everybody else who has none in yet."""
    events: list[Event] = []
    discs = s.discs
    for seat in around(s.turn, s.seats)[1:]:
        way = ahead(s, discs, seat)
        if not s.entered[seat] and pips.room(way, discs[seat]):
            captured = way.lone.get(ENTRY)
            events.append(DiscEntered(seat, 0, "shared", circle(s, seat), captured, worth(s, captured, ENTRY), ()))
            discs = cross.landed(discs, seat, 0, ENTRY, captured)
    return events, discs


def circle(s: Table, seat: Seat) -> int:
    return s.cross.entry_space(PLACES[s.seats][seat])


def gift(s: Table, dice: Throw, discs: tuple[Discs, ...], after: Seat) -> Sequence[Event]:
    """The next seat to the left that can use the throw of one who has not entered yet."""
    order = around(s.turn, s.seats)
    numbers = pips.numbers_of(dice, six(s), (WAITING,))  # no undersides
    for seat in order[order.index(after) + 1 :]:
        hand = in_hand(s, dice, numbers, ahead(s, discs, seat), discs[seat], False)
        if hand.numbers:
            return [GiftGiven(seat, s.turn, numbers, hand.need)]
    return []


def enter(s: Table, seat: Seat, by: Literal["five", "sum"]) -> Sequence[Event]:
    disc, captured = s.discs[seat].index(WAITING), ahead(s, s.discs, seat).lone.get(ENTRY)
    discs = cross.landed(s.discs, seat, disc, ENTRY, captured)
    left = usable(s, discs, () if by == "sum" else cross.less(s.hand.numbers, 5))
    entered = DiscEntered(seat, disc, by, circle(s, seat), captured, worth(s, captured, ENTRY), left)
    return [entered] if left else [entered, *settled(s, discs, s.hand.entries + 1)]


def move(s: Table, seat: Seat, disc: int, n: int) -> Sequence[Event]:
    start = s.discs[seat][disc]
    to = start + n
    captured = ahead(s, s.discs, seat).lone.get(to)
    discs = cross.landed(s.discs, seat, disc, to, captured)
    left = usable(s, discs, cross.less(s.hand.numbers, n))
    road, points = s.cross.space(PLACES[s.seats][seat], to), worth(s, captured, to)
    moved = DiscMoved(seat, disc, n, start, to, road, captured, points, left)
    if discs[seat].count(s.cross.home) == DISCS:
        return [moved, won(s, discs, put(s.scores, seat, s.scores[seat] + points))]
    return [moved] if left else [moved, *settled(s, discs, s.hand.entries)]


def worth(s: Table, captured: Captured | None, to: Progress) -> int:
    """Points are counted with two dice only."""
    return (CAPTURE if captured else 0) + (ARRIVAL if to == s.cross.home else 0) if s.options.dice == 2 else 0


def usable(s: Table, discs: tuple[Discs, ...], rest: Numbers) -> Numbers:
    """The numbers left over, or none if no use of them is possible any more."""
    return rest if rest and pips.could_use(s.hand, discs[s.player], ahead(s, discs, s.player), rest) else ()


def settled(s: Table, discs: tuple[Discs, ...], entries: int) -> Sequence[Event]:
    """When the numbers have been used: the next seat that the throw is given to, or the price of a missed entry."""
    if s.player != s.turn:
        return gift(s, s.hand.dice, discs, s.player)
    owing = max(0, s.owing[s.turn] - (entries - s.hand.entries))
    missed = min(max(0, s.chances - entries), owing)
    return [EntryMissed(s.turn, missed, -CAPTURE * missed)] if missed else []


def won(s: Table, discs: tuple[Discs, ...], scores: tuple[int, ...]) -> GameWon:
    """The highest score wins, of equals the one with most discs Home.

    Nobody has as many there as the finisher, who therefore comes first among equals; with one die, where nothing is
    scored, all are equal.
    """
    home = tuple(own.count(s.cross.home) for own in discs)
    best = [seat for seat, score in enumerate(scores) if score == max(scores)]
    farthest = max(home[seat] for seat in best)
    winners = tuple(seat for seat in best if home[seat] == farthest)
    wins = tuple(count + (seat in winners) for seat, count in enumerate(s.wins))
    return GameWon(winners, scores, home, wins, plus(s.sums, scores))


# ── The table after an event ────────────────────────────────────────────────────────────────────────────────────


def evolve(s: Table, event: Event) -> Table:
    match event:
        case DiceRolled(seat=seat, dice=dice, numbers=numbers, need=need):
            rolled = s._replace(throw_no=event.throw_no, chances=event.chances, again=event.again)
            return (
                given(rolled, seat, NumbersInHand(dice, numbers, need))
                if numbers
                else used_up(rolled, NumbersInHand(dice))
            )
        case DiscMoved(seat=seat, disc=disc, to=to, captured=captured, points=points, left=left):
            came = landed(s, seat, disc, to, captured, points)
            return spent(came, s.hand._replace(numbers=left, used=s.hand.used + 1))
        case DiscEntered(seat=seat, disc=disc, by=by, captured=captured, points=points, left=left):
            came = landed(s, seat, disc, ENTRY, captured, points)._replace(entered=put(s.entered, seat, True))
            if by == "shared":
                return came
            came = came._replace(owing=put(came.owing, seat, max(0, s.owing[seat] - 1)))
            used = s.hand.used + (2 if by == "sum" else 1)
            return spent(came, s.hand._replace(numbers=left, used=used, entries=s.hand.entries + 1))
        case PlayEnded():
            return used_up(s, s.hand._replace(numbers=()))
        case GiftGiven(seat=seat, thrower=thrower, numbers=numbers, need=need):
            return given(s._replace(turn=thrower), seat, NumbersInHand(s.hand.dice, numbers, need, enters=False))
        case DiscForfeited(seat=seat, disc=disc):
            return s._replace(discs=cross.landed(s.discs, seat, disc, WAITING, None))
        case EntryMissed(seat=seat, discs=discs, points=points):
            scores = put(s.scores, seat, s.scores[seat] + points)
            return s._replace(scores=scores, owing=put(s.owing, seat, s.owing[seat] - discs))
        case StartThrown(best=best):
            if len(best) > 1:
                return s._replace(starters=best)
            return s._replace(phase="throw", starters=(), turn=best[0], player=best[0])
        case GameWon(scores=scores, wins=wins, sums=sums):
            if s.game_no < s.options.games:
                return new_game(s.options, wins, sums, s.game_no + 1)
            return s._replace(phase="game_over", scores=scores, wins=wins, sums=sums, hand=NumbersInHand(s.hand.dice))
        case _:
            assert_never(event)


def landed(s: Table, seat: Seat, disc: int, to: Progress, captured: Captured | None, points: int) -> Table:
    s = s._replace(discs=cross.landed(s.discs, seat, disc, to, captured))
    if captured is not None:
        s = s._replace(owing=put(s.owing, captured.seat, s.owing[captured.seat] + 1))
    return s._replace(scores=put(s.scores, seat, s.scores[seat] + points)) if points else s


def given(s: Table, seat: Seat, hand: NumbersInHand) -> Table:
    """A seat has numbers to use."""
    stood = pips.blockades(hand.dice, s.discs[seat], s.cross.home)
    return s._replace(phase="play", player=seat, hand=hand._replace(stood=stood))


def spent(s: Table, hand: NumbersInHand) -> Table:
    if not hand.numbers:
        return used_up(s, hand)
    return s._replace(hand=hand._replace(stood=pips.stood_now(hand, s.discs[s.player], s.cross.home)))


def used_up(s: Table, hand: NumbersInHand) -> Table:
    """The thrower throws again, or the next one does, unless the throw is given to somebody else still."""
    thrower = s.turn if s.again else left_of(s.turn, s.seats)
    return s._replace(phase="throw", hand=hand, turn=thrower, player=thrower)


# ── The end ─────────────────────────────────────────────────────────────────────────────────────────────────────


def outcome(s: Table) -> Outcome | None:
    if s.phase != "game_over":
        return None
    if s.options.dice == 1:
        return Outcome(places(s), s.wins, "four_home")
    return Outcome(places(s), s.sums, "score")


def places(s: Table) -> tuple[int, ...]:
    """Equal winners share; behind them, with one die, the discs that came Home tell who was nearer."""
    won = standing(s)
    home = [own.count(s.cross.home) if s.options.dice == 1 else 0 for own in s.discs]
    behind = [0 if rank == max(won) else count for rank, count in zip(won, home, strict=True)]
    return ranked([rank * (DISCS + 1) + count for rank, count in zip(won, behind, strict=True)])


def standing(s: Table) -> list[int]:
    """A rank for every seat: most games won; then, with two dice, the higher sum of scores."""
    results = list(zip(s.wins, s.sums, strict=True))
    return [sorted(results).index(result) for result in results]
