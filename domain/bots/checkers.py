"""Checkers by search: alpha-beta over the boards, deeper and deeper for as long as there is time.

The huff is in the tree wherever it can matter. While an offence can be answered, every huff and every demand is weighed
against simply moving on. A play that forgoes a jump is looked at where there is no other (of a piece that was touched)
or where it ends the game, and then it is judged by the best answer to it. Everywhere else it can be left out without
changing any value: whoever ignores a jump, or stops one, can be made to play it after all, so that no offence is ever
worth more than the best jump.
"""

from __future__ import annotations

from collections.abc import Callable, Generator, Sequence
from typing import Final, NamedTuple

from domain.bots import draws
from domain.bots.checkers_worth import MAN, worth
from domain.bots.turn import Search, Thought, Turn
from domain.game import Seat
from domain.games.checkers.bot import LONG
from domain.games.checkers.draughts import Board, Move, Ply, Side, Square, after, can_move, jumpers, jumps, steps
from domain.games.checkers.events import Command, Compel, GameEnded, Huff
from domain.games.checkers.game import Table, answerable, decide, evolve, legal

CHUNK: Final = 256  # boards that make an iteration
DEEPEST: Final = 48
WON: Final = 30_000  # and more, the sooner the game is over
SURE: Final = WON - 1_000  # beyond it lie the games that were played out
ENDLESS: Final = 1_000_000
EVEN: Final = MAN // 2  # a lead of no more is none
STUCK: Final = 2 * LONG  # plies without progress, after which a lead is none either

Value = Generator[None, None, int]


def search(turn: Turn) -> Search:
    """The best command to be found, with the values of all; those that fell short can be worth no more than theirs."""
    table: Table = turn.imagine(turn.below)
    branches = branches_of(table)
    if len(branches) == 1:
        return Thought(branches[0].command)
    for last in range(len(branches) - 1, 0, -1):  # among equals the lot decides
        other = turn.below(last + 1)
        branches[last], branches[other] = branches[other], branches[last]
    ranked, iterations = yield from deepened(Tree(table, turn.enough), branches)
    command, value = ranked[0][0].command, ranked[0][1]
    offers = abs(value) <= EVEN and turn.game.bot.drawn(turn.view, command)
    return Thought(command, iterations, tuple((branch.command, value) for branch, value in ranked), offers)


def deepened(tree: Tree, branches: Sequence[Branch]) -> Generator[None, None, tuple[list[tuple[Branch, int]], int]]:
    """The branches by value, the best first, and the iterations that it took."""
    ranked = [(branch, 0) for branch in branches]
    try:
        for depth in range(1, DEEPEST):
            found: list[tuple[Branch, int]] = []
            try:
                yield from tree.weigh([branch for branch, _ in ranked], depth, found)
            finally:
                # An unfinished depth counts as far as it came: it began with the best command of the one before.
                ranked = sorted(found, key=_by_value) + ranked[len(found) :]
            if abs(ranked[0][1]) >= SURE:
                break
        return ranked, tree.iterations + 1  # it ended by itself, so nothing may stop it when it is done again
    except Enough:
        return ranked, tree.iterations


def answer_draw(turn: Turn) -> Search:
    """A draw ends one game. The last one is agreed on by whoever wins the match with it, and by nobody who loses it."""
    table: Table = turn.imagine(turn.below)
    ranked, iterations = yield from deepened(Tree(table, turn.enough), branches_of(table))
    value = ranked[0][1] if table.turn == turn.seat else -ranked[0][1]
    lead = table.half_points[turn.seat] - table.half_points[1 - turn.seat]
    if lead and len(table.results) + 1 == table.options.games:
        value = -WON if lead > 0 else WON
    quiet = table.position.quiet
    if EVEN < value < SURE and quiet >= STUCK:
        value = 0
    return draws.answer(turn, value, EVEN, iterations, long=quiet >= LONG)


# ── Commands and what comes of them ─────────────────────────────────────────────────────────────────────────────


class Branch(NamedTuple):
    command: Command
    seat: Seat  # that gives it
    after: Table
    result: int | None  # to that seat, if it ends the game
    cost: int  # how much of the depth it takes


def branches_of(table: Table) -> list[Branch]:
    """What is worth a thought at a table: no touch, no wrong claim, and no fault unless it is all there is."""
    guilty = table.offence.pieces if answerable(table) and table.offence is not None else ()
    found: list[Branch] = []
    faulty: list[Branch] = []
    for command in legal(table, table.turn):
        match command:
            case Huff(square) if square in guilty:
                found.append(branch(table, command))
            case Compel(piece) if piece in guilty:
                found.append(branch(table, command))
            case Move():
                made = branch(table, command)
                (faulty if made.result is None and made.after.offence is not None else found).append(made)
    return found or faulty


def branch(table: Table, command: Command) -> Branch:
    seat, then, result = table.turn, table, None
    for event in decide(table, seat, command):
        then = evolve(then, event)
        if isinstance(event, GameEnded):
            result = WON * (event.half_points[seat] - table.half_points[seat] - 1)
    # What is played under compulsion stands for the play that was at fault, whose depth is spent.
    return Branch(command, seat, then, result, int(isinstance(command, Move) and table.compelled is None))


def _by_value(pair: tuple[Branch, int]) -> int:
    return -pair[1]


# ── The tree ────────────────────────────────────────────────────────────────────────────────────────────────────


class Enough(Exception):
    """The time is up."""


Entry = tuple[int, int, int, Ply]  # depth, the least and the most a board is worth, the best play


class Tree:
    """All that one turn finds out. Sets and dictionaries are only ever asked, never gone through."""

    def __init__(self, table: Table, enough: Callable[[int], bool]) -> None:
        self.enough = enough
        self.nodes = self.iterations = 0
        self.known: tuple[dict[Board, Entry], ...] = ({}, {})  # by the side to move
        self.line: tuple[set[Board], ...] = (set(), set())  # boards that lead here: coming back to one is a draw
        for board, side in table.position.seen:
            self.line[side].add(board)
        self.credit: tuple[dict[tuple[Square, ...], int], ...] = ({}, {})  # of plays that have proved good elsewhere
        self.patience = table.options.draw_no_progress or ENDLESS

    def weigh(
        self, branches: Sequence[Branch], depth: int, found: list[tuple[Branch, int]]
    ) -> Generator[None, None, None]:
        best = -ENDLESS
        for branch in branches:
            if found:
                value = yield from self.of_branch(branch, depth, best, best + 1)
                if value > best:
                    value = yield from self.of_branch(branch, depth, best, ENDLESS)
            else:
                value = yield from self.of_branch(branch, depth, -ENDLESS, ENDLESS)
            found.append((branch, value))
            best = max(best, value)

    def of_branch(self, branch: Branch, depth: int, alpha: int, beta: int) -> Value:
        """To the seat that gives the command."""
        if branch.result is not None:
            return branch.result + (depth if branch.result > 0 else -depth if branch.result else 0)
        if branch.after.turn == branch.seat:
            return (yield from self.of_table(branch.after, depth - branch.cost, alpha, beta))
        return -(yield from self.of_table(branch.after, depth - branch.cost, -beta, -alpha))

    def of_table(self, table: Table, depth: int, alpha: int, beta: int) -> Value:
        """To the seat that is to act. As long as an offence is open, the game itself says what can be done."""
        if table.compelled is None and not (table.offence and answerable(table)):
            position = table.position
            if depth <= 0:
                return self.settled(position.board, position.to_move, 0, alpha, beta)
            return (yield from self.of_board(position.board, position.to_move, depth, alpha, beta, position.quiet))
        best = -ENDLESS
        for branch in branches_of(table):
            best = max(best, (yield from self.of_branch(branch, depth, max(alpha, best), beta)))
            if best >= beta:
                break
        return best

    def of_board(self, board: Board, side: Side, depth: int, alpha: int, beta: int, quiet: int) -> Value:
        """To the side that is to move, with compulsory jumps."""
        self.nodes += 1
        if self.nodes >= (self.iterations + 1) * CHUNK:
            self.iterations = self.nodes // CHUNK
            yield
            if self.enough(self.iterations):
                raise Enough
        line = self.line[side]
        if quiet and (quiet >= self.patience or board in line):
            return 0
        entry = self.known[side].get(board)
        first = None
        if entry is not None:
            reached, least, most, first = entry
            if reached >= depth:
                if least >= beta or least == most:
                    return least
                if most <= alpha:
                    return most
        jumping = jumpers(board, side)
        plays = jumps(board, side, jumping) if jumping else steps(board, side)
        if not plays:
            return -WON - depth
        credit = self.credit[side]
        if len(plays) > 1:
            plays.sort(key=lambda play: -credit.get(play[0], 0))
            if first is not None and first in plays:
                plays.remove(first)
                plays.insert(0, first)
        deeper = depth if jumping and len(plays) == 1 else depth - 1
        enemy, kings = 1 - side, board[2]
        best, low, found = -ENDLESS, alpha, plays[0]
        line.add(board)
        for number, play in enumerate(plays):
            child = after(board, side, play)
            if deeper <= 0:
                value = -self.settled(child, enemy, 0, -beta, -low)
            else:
                calm = quiet + 1 if play[1] & kings and not jumping else 0
                # What comes late is seldom best: it is looked at less deeply at first, and against the best only.
                late = number > 2 and depth > 2 and not jumping
                if late or (number and beta - low > 1):
                    value = -(yield from self.of_board(child, enemy, deeper - late, -low - 1, -low, calm))
                    if late and value > low:
                        value = -(yield from self.of_board(child, enemy, deeper, -low - 1, -low, calm))
                    if low < value < beta:
                        value = -(yield from self.of_board(child, enemy, deeper, -beta, -low, calm))
                else:
                    value = -(yield from self.of_board(child, enemy, deeper, -beta, -low, calm))
            if value > best:
                best, found = value, play
                if value > low:
                    low = value
                    if value >= beta:
                        credit[play[0]] = credit.get(play[0], 0) + depth * depth
                        break
        line.discard(board)
        self.known[side][board] = (depth, best if best > alpha else -ENDLESS, best if best < beta else ENDLESS, found)
        return best

    def settled(self, board: Board, side: Side, depth: int, alpha: int, beta: int) -> int:
        """Jumps are played to their end before a board is judged."""
        self.nodes += 1
        jumping = jumpers(board, side)
        if not jumping:
            return worth(board, side) if can_move(board, side) else -WON - depth
        best = -ENDLESS
        for play in jumps(board, side, jumping):
            value = -self.settled(after(board, side, play), 1 - side, depth - 1, -beta, -max(alpha, best))
            if value > best:
                best = value
                if value >= beta:
                    break
        return best
