"""Checkers with the huff (W. C. Horn, 1943): take or block all the enemy's pieces.

Dark begins. Men move one square diagonally forward and jump over an enemy to the empty square behind; on the far row
they become kings, which go both ways. Nobody is kept from overlooking a jump or breaking one off. But then the enemy,
before his own move, may huff (take a piece at fault off the board), leave it, or compel the jump to be played.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Final, Literal, NamedTuple, assert_never

from domain.game import Lot, Outcome, Pick, Refused, Seat, Secret, choice, flag, number, ranked, record
from domain.games.checkers import draughts
from domain.games.checkers.draughts import (
    BIT,
    HOP,
    SQUARE,
    Move,
    Offence,
    Plays,
    Ply,
    Position,
    Square,
    can_move,
    squares,
)
from domain.games.checkers.events import (
    ClaimFailed,
    Command,
    Compel,
    Compelled,
    Event,
    GameEnded,
    Huff,
    Huffed,
    Leave,
    Moved,
    OffenceLeft,
    Touch,
    Touched,
)
from domain.kit.idle import idle
from domain.kit.refusals import not_your_turn
from domain.kit.turns import NOBODY, only, plus

# ── The table ───────────────────────────────────────────────────────────────────────────────────────────────────


@record
class Options:
    games: int = number(2, 1, 20, rule="CH-R16", text="How many games make a match; colours change each game.")
    capture_rule: str = choice("huff", "mandatory", rule="CH-R15", text="Huff an overlooked jump, or forbid it.")
    announce_offence: bool = flag(True, rule="CH-R13", text="Whether the table points out offences.")
    touch_move: bool = flag(False, rule="CH-R7", text="Whether a piece can be announced, and must then be moved.")
    draw_repetition: int = number(3, 0, 10, rule="CH-R8", text="Occurrences of a position that draw; 0 for never.")
    draw_no_progress: int = number(80, 0, 400, rule="CH-R8", text="Plies without progress that draw; 0 for never.")


Answered = Literal["huffed", "left", "failed"]


class Table(NamedTuple):
    options: Options
    seats: int
    dark: Seat
    results: tuple[str, ...]
    half_points: tuple[int, ...]
    position: Position = draughts.FIRST
    before: Position | None = None  # the last play, while it can be answered
    offence: Offence | None = None
    noted: bool = True  # whether the table was told if there was an offence
    answered: Answered | None = None  # by the seat to move
    compelled: Square | None = None  # the piece that has to jump
    bound: Square | None = None  # the piece that was touched
    released: tuple[Square, ...] = ()  # touched pieces that could not move

    @property
    def turn(self) -> Seat:
        return self.dark if self.position.to_move == draughts.DARK else 1 - self.dark

    @property
    def own(self) -> draughts.Bits:
        return self.position.board[self.position.to_move]


def setup(options: Options, seats: int) -> Table:
    if not options.draw_repetition and not options.draw_no_progress:
        raise Refused("CH-R8", "option_refused", "without any draw rule a game need not end")
    if options.draw_repetition == 1:
        raise Refused("CH-R8", "option_refused", "a position has to come back before it can draw")
    return Table(options, seats, 0, (), (0,) * seats)


def objection_to_table(options: Options, seats: int) -> Refused | None:
    if options.capture_rule == "huff" and not options.draw_no_progress:
        text = "under the huff a game of offences never repeats a position, so draw_no_progress must be 1 or more"
        return Refused("CH-R8", "option_refused", text)
    return None


def idle_options(options: Options, seats: int) -> Mapping[str, str]:
    return idle(
        (options.capture_rule == "mandatory", "announce_offence", "where jumps are compulsory there are no offences"),
    )


# ── Whose turn, and what may be done ────────────────────────────────────────────────────────────────────────────


def to_act(s: Table) -> frozenset[Seat]:
    return NOBODY if is_over(s) else only(s.turn)


def chance(s: Table) -> Lot:
    return Pick(1)  # never asked for: nothing in Checkers is left to chance


def open_plays(s: Table) -> Plays:
    """The one source of legality for moves: what is not in this list is refused, whatever the reason."""
    board, side = s.position.board, s.position.to_move
    if s.compelled is not None:
        return draughts.listed(draughts.jumps(board, side, BIT[s.compelled]))
    plays = draughts.open_plays(board, side, s.options.capture_rule == "huff")
    if s.bound is not None:
        return draughts.listed(play for play in plays.by_route.values() if play.squares[0] == s.bound)
    return plays


def answerable(s: Table) -> bool:
    """Whether the seat to move can still answer an offence, or claim one where none is announced."""
    return s.before is not None and not s.answered and (s.offence is not None or not s.noted)


def claimable(s: Table) -> tuple[Square, ...]:
    """The pieces at fault, or every enemy piece where offences are not announced."""
    return s.offence.pieces if s.noted and s.offence is not None else squares(s.position.board[1 - s.position.to_move])


HUFFS: Final = {square: Huff(square) for square in BIT}
COMPELS: Final = {square: Compel(square) for square in BIT}
TOUCHES: Final = {square: Touch(square) for square in BIT}
COMPEL: Final = Compel()
LEAVE: Final = Leave()


def legal(s: Table, seat: Seat) -> Sequence[Command]:
    if is_over(s) or seat != s.turn:
        return ()
    others: list[Command] = []
    if answerable(s):
        named = claimable(s)
        others += [*(HUFFS[square] for square in named), *(COMPELS[square] for square in named), COMPEL, LEAVE]
    if s.options.touch_move:
        others += [TOUCHES[square] for square in squares(s.own)]
    moves = open_plays(s).moves
    return [*moves, *(command for command in others if not objection(s, seat, command))] if others else moves


def objection(s: Table, seat: Seat, command: Command) -> Refused | None:
    """Why this command cannot be accepted, or nothing."""
    if is_over(s):
        return Refused("CH-R16", "match_over", "all games of the match have been played")
    match command:
        case Move():
            return objection_to_move(s, seat, command)
        case Touch(square):
            return objection_to_touch(s, seat, square)
        case _:
            return objection_to_answer(s, seat, command)


def objection_to_move(s: Table, seat: Seat, move: Move) -> Refused | None:
    if seat != s.turn:
        if s.compelled is not None:
            return must_complete(s)
        if s.position.plies and (move.from_, *move.path[:1]) in HOP:
            return Refused("CH-12", "play_complete", "your play was complete when you made it; no jump can be added")
        return not_your_turn("CH-02", s.turn)
    if (move.from_, *move.path) in open_plays(s).by_route:
        return None
    if s.compelled is not None:
        return must_complete(s)
    if s.bound is not None and move.from_ != s.bound:
        return Refused("CH-25", "touched", f"you have touched the piece on {s.bound}, so it must be moved")
    return draughts.misstep(s.position.board, s.position.to_move, move)


def objection_to_touch(s: Table, seat: Seat, square: Square) -> Refused | None:
    if not s.options.touch_move:
        return Refused("CH-R7", "not_at_this_table", "at this table a move is the touch")
    if seat != s.turn:
        return not_your_turn("CH-02", s.turn)
    if s.compelled is not None:
        return must_complete(s)
    if s.bound is not None:
        return Refused("CH-25", "touched", f"you have touched the piece on {s.bound}, so it must be moved")
    if not BIT.get(square, 0) & s.own:
        return Refused("CH-25", "no_piece", f"you have no piece on {square}")
    if square in s.released:
        return Refused("CH-25", "released", f"the piece on {square} has been touched, and cannot move")
    return None


def duty(s: Table) -> str:
    """The rule by which a jump is compelled."""
    return "CH-19" if s.offence is not None and s.offence.kind == "stopped" else "CH-20"


def must_complete(s: Table) -> Refused:
    return Refused(duty(s), "must_jump", f"seat {s.turn} has to jump with the piece on {s.compelled}, to the end")


ANSWERED: Final = {
    "huffed": ("CH-15", "answered", "the offence has been answered by a huff"),
    "left": ("CH-18", "answered", "the last play has been left as it is"),
    "failed": ("CH-R13", "answered", "one wrong claim ends the right for this turn"),
}


def objection_to_answer(s: Table, seat: Seat, answer: Huff | Compel | Leave) -> Refused | None:
    if s.options.capture_rule == "mandatory":
        return Refused("CH-21", "not_at_this_table", "jumps are compulsory here, so there are no offences")
    if s.compelled is not None:
        return Refused("CH-15", "answered", "the offence has been answered by compelling the jump")
    if seat != s.turn:
        return Refused("CH-18", "too_late", "an offence is answered before one's own move, and not after it")
    if s.answered:
        return Refused(*ANSWERED[s.answered])
    if not answerable(s):
        rule = "CH-16" if isinstance(answer, Huff) else "CH-15"
        return Refused(rule, "no_offence", "there is no offence to answer")
    if isinstance(answer, Huff) and answer.square not in claimable(s):
        return Refused("CH-16", "not_at_fault", f"no piece on {answer.square} can be huffed")
    if isinstance(answer, Compel):
        rule = duty(s) if s.noted else "CH-20"
        if answer.piece is None and len(claimable(s)) > 1:
            return Refused(rule, "piece_missing", "name the piece that has to jump")
        if answer.piece is not None and answer.piece not in claimable(s):
            return Refused(rule, "not_at_fault", f"no piece on {answer.piece} can be compelled to jump")
    return None


# ── What follows from a command ─────────────────────────────────────────────────────────────────────────────────


def decide(s: Table, seat: Seat, command: Command) -> Sequence[Event]:
    if refusal := objection(s, seat, command):
        raise refusal
    guilty = s.offence.pieces if s.offence is not None else ()
    match command:
        case Move(from_=from_, path=path):
            return play(s, seat, open_plays(s).by_route[(from_, *path)])
        case Huff(square):
            return huff(s, seat, square) if square in guilty else [ClaimFailed(seat, "huff", square), *let_go(s)]
        case Compel(piece):
            named = claimable(s)[0] if piece is None else piece
            return [compel(s, seat, named)] if named in guilty else [ClaimFailed(seat, "compel", named), *let_go(s)]
        case Leave():
            return [OffenceLeft(seat), *let_go(s)]
        case Touch(square):
            stuck = all(move.from_ != square for move in open_plays(s).moves)
            return [Touched(seat, square, stuck), *(let_go(s) if answerable(s) else ())]
        case _:
            assert_never(command)


def play(s: Table, seat: Seat, chosen: Ply) -> Sequence[Event]:
    board, side = s.position.board, s.position.to_move
    huffing = s.options.capture_rule == "huff"
    crowned = draughts.crowns(board, side, chosen)
    offence = draughts.offence_in(board, side, chosen) if huffing and s.compelled is None else None
    then = draughts.next_position(s.position, chosen.start, chosen.end, chosen.taken, crowned, offence is None)
    stuck = not can_move(then.board, then.to_move)
    told = s.options.announce_offence or not huffing or stuck
    kept = Secret(offence, None if told else ())
    moved = Moved(seat, chosen.move.from_, chosen.move.path, chosen.captured, crowned, chosen.pdn, kept)
    if stuck and (offence is None or not then.board[then.to_move]):
        return [moved, ended(s, seat, "blocked" if then.board[then.to_move] else "captured_all")]
    # A draw that falls due with an offence waits for the answer to it, and for one play more.
    overdue = s.position.quiet >= s.options.draw_no_progress and not chosen.taken
    due = then.quiet >= s.options.draw_no_progress and offence is None
    if s.options.draw_no_progress and (overdue or due):
        return [moved, ended(s, None, "no_progress")]
    if offence is None and repeated(s, then):
        return [moved, ended(s, None, "repetition")]
    return [moved]


def repeated(s: Table, position: Position) -> bool:
    return 0 < s.options.draw_repetition <= draughts.occurrences(position)


def huff(s: Table, seat: Seat, square: Square) -> Sequence[Event]:
    huffed = Huffed(seat, square, bool(BIT[square] & s.position.board.kings))
    board, side = draughts.huffed(s.position, square).board, s.position.to_move
    if not board[1 - side]:
        return [huffed, ended(s, seat, "huffed_last")]
    return [huffed] if can_move(board, side) else [huffed, ended(s, 1 - seat, "blocked")]


def compel(s: Table, seat: Seat, piece: Square) -> Compelled:
    assert s.before is not None and s.offence is not None
    if s.offence.kind == "stopped":
        return Compelled(seat, "stopped", piece, piece, False)
    offender = s.before.to_move
    old, new = s.before.board[offender], s.position.board[offender]
    return Compelled(seat, "ignored", piece, piece if BIT[piece] & old else SQUARE[old & ~new], True)


def let_go(s: Table) -> Sequence[Event]:
    """What follows when an offence is pending no longer, the board being as it was."""
    if s.offence is None:
        return []
    if not can_move(s.position.board, s.position.to_move):
        return [ended(s, 1 - s.turn, "blocked")]
    return [ended(s, None, "repetition")] if repeated(s, draughts.occurring(s.position)) else []


def ended(s: Table, winner: Seat | None, reason: Any) -> GameEnded:
    if winner is None:
        return GameEnded(len(s.results) + 1, "1/2-1/2", reason, plus(s.half_points, (1, 1)))
    half_points = plus(s.half_points, (2, 0) if winner == 0 else (0, 2))
    return GameEnded(len(s.results) + 1, "0-1" if winner == s.dark else "1-0", reason, half_points)


def draw_agreed(s: Table) -> Sequence[Event]:
    """An agreed draw ends one game of the match."""
    return [ended(s, None, "agreed")]


# ── The table after an event ────────────────────────────────────────────────────────────────────────────────────


def evolve(s: Table, event: Event) -> Table:
    match event:
        case Moved(from_=from_, path=path, captured=captured, crowned=crowned, offence=offence):
            fault, taken = offence.value, draughts.bits(captured)
            then = draughts.next_position(s.position, BIT[from_], BIT[path[-1]], taken, crowned, fault is None)
            before = s.position if s.compelled is None else None  # a compelled jump cannot be answered
            return Table(s.options, 2, s.dark, s.results, s.half_points, then, before, fault, offence.to is None)
        case Huffed(square=square):
            return s._replace(position=draughts.huffed(s.position, square), offence=None, answered="huffed")
        case Compelled(jumps_from=jumps_from, taken_back=taken_back):
            assert s.before is not None
            offender = s.position._replace(to_move=s.before.to_move, plies=s.before.plies)
            return s._replace(position=s.before if taken_back else offender, before=None, compelled=jumps_from)
        case OffenceLeft():
            return left(s, "left")
        case ClaimFailed():
            return left(s, "failed")
        case Touched(square=square, released=released):
            held = s._replace(released=(*s.released, square)) if released else s._replace(bound=square)
            return left(held, "left" if answerable(s) else s.answered)
        case GameEnded(result=result, half_points=half_points):
            results = (*s.results, result)
            if len(results) < s.options.games:
                return Table(s.options, 2, 1 - s.dark, results, half_points)
            return Table(s.options, 2, s.dark, results, half_points, s.position)
        case _:
            assert_never(event)


def left(s: Table, how: Answered | None) -> Table:
    """The right to answer is gone, and the position counts as one without an offence."""
    position = s.position if s.offence is None else draughts.occurring(s.position)
    return s._replace(position=position, offence=None, answered=how)


# ── The end ─────────────────────────────────────────────────────────────────────────────────────────────────────


def is_over(s: Table) -> bool:
    return len(s.results) == s.options.games


def outcome(s: Table) -> Outcome | None:
    """Scores are half points, so that a draw can be written as a whole number."""
    return Outcome(ranked(s.half_points), s.half_points, "points") if is_over(s) else None
