"""Four Nines told once more from its rule page, on a cross of its own.

Discs are walked along the road space by space, as a player does with a finger.
"""

from __future__ import annotations

import random
from collections.abc import Collection, Iterator
from typing import Any

from domain.game import CHANCE, Dice, Outcome
from domain.games.four_nines import events as fn
from domain.games.four_nines.cross import Captured
from tests.domain.retelling import Telling, places

WAITING, FIVE = -1, 5
SEATED = {2: (0, 2), 3: (0, 3, 2), 4: (0, 3, 2, 1)}  # turns go to the left, places are counted to the right
Numbers = tuple[int, ...]
Own = tuple[int, ...]  # the progress of a seat's four discs
Together = frozenset[frozenset[int]]


class Board:
    """FN-R1: arms of eight rows, or of nine."""

    def __init__(self, name: str) -> None:
        rows = {"cross68": 8, "cross76": 9}[name]
        self.name, self.quarter = name, 2 * rows + 1
        self.track = 4 * self.quarter
        self.gate, self.home = self.track - 5, self.track - 5 + rows
        self.circles = {self.quarter * place + offset for place in range(4) for offset in (0, 5, 2 * rows - 4)}

    def road(self, place: int, progress: int) -> int | None:
        return (self.quarter * place + 5 + progress) % self.track if 0 <= progress <= self.gate else None

    def cell(self, place: int, progress: int) -> str:
        road = self.road(place, progress)
        if road is not None:
            return f"road-{road}"
        if progress in (WAITING, self.home):
            return f"{'wait' if progress == WAITING else 'home'}-{place}"
        return f"column-{place}-{progress - self.gate}"


def less(numbers: Numbers, used: int) -> Numbers:
    rest = list(numbers)
    rest.remove(used)
    return tuple(rest)


class FourNines(Telling):
    def __init__(self, options: Any, seats: int) -> None:
        super().__init__(options, seats)
        self.board, self.seated = Board(options.board), SEATED[seats]
        self.two = options.variant == "two-dice"
        self.wins, self.sums, self.game_no, self.over = [0] * seats, [0] * seats, 0, False
        self.rolled: Any = None
        self.new_game()

    def new_game(self) -> None:
        self.game_no += 1
        self.discs: list[Own] = [(WAITING,) * 4] * self.seats
        self.entered, self.owing = [False] * self.seats, [0] * self.seats
        self.scores, self.starters = [0] * self.seats, tuple(range(self.seats))
        self.phase = "throw" if not self.two and self.options.start == "seat0" else "start_throw"
        self.turn = self.player = self.throw_no = self.chances = 0
        self.again = False
        self.dice: Numbers = ()
        self.takes((), 0, True)

    def takes(self, numbers: Numbers, need: int, enters: bool) -> None:
        """The player has these numbers before him."""
        self.numbers, self.need, self.enters, self.used, self.entries = numbers, need, enters, 0, 0
        self.stood = self.pairs(self.discs[self.player])

    def thrown(self, answer: Any) -> None:
        self.rolled = answer

    # ── The board ───────────────────────────────────────────────────────────────────────────────────────────────

    def standing(self, seat: int, progress: int, own: Own | None = None) -> list[tuple[int, int]]:
        """The discs that a disc of this seat meets at this progress; `own` are the seat's discs, if they differ."""
        found = []
        road = self.board.road(self.seated[seat], progress)
        for owner, discs in enumerate(self.discs):
            for disc, at in enumerate(own if own and owner == seat else discs):
                same = owner == seat and at == progress
                if same or (road is not None and road == self.board.road(self.seated[owner], at)):
                    found.append((owner, disc))
        return found

    def pairs(self, own: Own) -> Together:
        found = set()
        for one in range(4):
            for two in range(one):
                if own[one] == own[two] and 0 <= own[one] < self.board.home:
                    found.add(frozenset({one, two}))
        return frozenset(found)

    def barrier(self, seat: int, own: Own, disc: int, n: int, stood: Together) -> str | None:
        """The rule that keeps a disc from going so far."""
        start, to = own[disc], own[disc] + n
        if start == WAITING:
            return "FN-02"
        if start == self.board.home:
            return "FN-16"
        if to > self.board.home:
            return "FN-15"
        full = None
        for progress in range(start + 1, min(to, self.board.home - 1) + 1):
            here = self.standing(seat, progress, own)
            if len(here) == 2:
                if here[0][0] != seat or progress < to:
                    return "FN-09"
                full = "FN-05"
        if full or to == self.board.home:
            return full
        here = self.standing(seat, to, own)
        if here and here[0][0] != seat and not self.can_be_captured(here[0], to, seat):
            return "FN-06"
        joined = {frozenset({disc, other}) for owner, other in here if owner == seat}
        if self.is_doublet(self.dice) and joined & stood:
            return "FN2-12"
        return None

    def can_be_captured(self, victim: tuple[int, int], progress: int, seat: int) -> bool:
        """FN-06 to FN-08: not on a circle, but for its own entering circle."""
        owner, disc = victim
        return self.board.road(self.seated[seat], progress) not in self.board.circles or self.discs[owner][disc] == 0

    def captured(self, seat: int, progress: int) -> Captured | None:
        others = [Captured(*one) for one in self.standing(seat, progress) if one[0] != seat]
        return others[0] if others else None

    def room(self, seat: int, own: Own | None = None) -> int:
        """FN-10, FN-11: how many waiting discs the circle can take."""
        discs = own or self.discs[seat]
        here = self.standing(seat, 0, discs)
        if len(here) == 2 and here[0][0] != seat:
            return 0
        return min(2 - discs.count(0), discs.count(WAITING))

    def uses(
        self, seat: int, own: Own, numbers: Numbers, stood: Together, captures: bool, entries: bool
    ) -> Iterator[tuple[Own, Numbers, Together]]:
        for n in set(numbers):
            for disc in range(4):
                if self.barrier(seat, own, disc, n, stood):
                    continue
                to = own[disc] + n
                if captures or not any(owner != seat for owner, _ in self.standing(seat, to)):
                    then = (*own[:disc], to, *own[disc + 1 :])
                    yield then, less(numbers, n), stood | self.pairs(then)
            if entries and n == FIVE and self.room(seat, own):
                disc = own.index(WAITING)
                yield (*own[:disc], 0, *own[disc + 1 :]), less(numbers, n), stood

    def most(
        self, seat: int, own: Own, numbers: Numbers, stood: Together, *, captures: bool, entries: bool = False
    ) -> int:
        best = 0
        for then, rest, together in self.uses(seat, own, numbers, stood, captures, entries):
            further = self.most(seat, then, rest, together, captures=captures, entries=entries) if rest else 0
            best = max(best, 1 + further)
            if best == len(numbers):
                break
        return best

    # ── A throw ─────────────────────────────────────────────────────────────────────────────────────────────────

    def is_doublet(self, dice: Numbers) -> bool:
        return len(dice) == 2 and dice[0] == dice[1]

    def is_entering(self, dice: Numbers) -> bool:
        return FIVE in dice or (len(dice) == 2 and sum(dice) == FIVE)

    def tops(self, dice: Numbers) -> Numbers:
        twelve = not self.two or self.options.six_is_twelve_two_dice
        return tuple(12 if pips == 6 and twelve else pips for pips in dice)

    def judged(self, seat: int, numbers: Numbers, enters: bool) -> tuple[Numbers, int]:
        """The numbers that a seat can use of a throw, if any, and how many it must."""
        own = self.discs[seat]
        stood = self.pairs(own)
        can_enter = enters and self.is_entering(self.dice) and self.room(seat)
        if not can_enter and not self.most(seat, own, numbers, stood, captures=True):
            return (), 0
        need = self.most(seat, own, numbers, stood, captures=False) if self.options.compulsory_moves else 0
        return numbers, need

    def throws(self, event: Any) -> None:
        seat, dice = event.seat, event.dice
        number = self.throw_no + 1 if self.again else 1
        repeats = self.is_doublet(dice) or dice == (6,)
        third = self.options.third_doublet if self.two else "penalty"
        opening = self.options.pre_entry_throws if self.two else "off"
        self.throw_no, self.dice, self.chances, self.player = number, dice, 0, seat
        if repeats and number == 3 and third == "penalty":
            self.again = False
            assert event == fn.DiceRolled(seat, dice, 3, (), 0, 0, False)
            self.forfeits(seat)
            return
        self.again = repeats and (number < 3 or third == "unlimited")
        if opening == "gift" and not self.entered[seat] and not self.is_entering(dice):
            assert event == fn.DiceRolled(seat, dice, number, (), 0, 0, self.again)
            self.takes((), 0, False)
            self.give(seat)
            return
        before = list(self.discs)
        if opening == "shared5" and self.is_entering(dice):
            self.due += self.shared(seat)
        tops, own = self.tops(dice), self.discs[seat]
        if self.is_doublet(dice) and WAITING not in own:
            tops += (7 - dice[0],) * 2
        numbers, need = self.judged(seat, tops, True)
        fives = max(dice.count(FIVE), int(len(dice) == 2 and sum(dice) == FIVE))
        self.chances = min(fives, self.room(seat)) if self.two else 0
        assert event == fn.DiceRolled(seat, dice, number, numbers, need, self.chances, self.again)
        self.takes(numbers, need, True)
        self.discs = before
        if numbers:
            self.phase = "play"
        else:
            self.pass_on()

    def forfeits(self, seat: int) -> None:
        """FN1-06, FN2-16"""
        self.takes((), 0, True)
        on_board = [(at, -disc) for disc, at in enumerate(self.discs[seat]) if 0 <= at < self.board.home]
        if on_board:
            reason: Any = "third_doublet" if self.two else "third_six"
            self.due.append(fn.DiscForfeited(seat, -max(on_board)[1], reason))
        self.pass_on()

    def shared(self, thrower: int) -> Iterator[Any]:
        """FN2-03b: the entries that come of the thrower's five; the board is left as it is after them."""
        for seat in self.round_from(thrower)[1:]:
            if not self.entered[seat] and self.room(seat):
                victim = self.captured(seat, 0)
                road = self.board.road(self.seated[seat], 0)
                assert road is not None
                yield fn.DiscEntered(seat, 0, "shared", road, victim, 20 if victim else 0, ())
                self.put(seat, 0, 0, victim)

    def put(self, seat: int, disc: int, to: int, victim: Captured | None) -> None:
        for owner, number, at in [(seat, disc, to), *([(victim.seat, victim.disc, WAITING)] if victim else [])]:
            discs = list(self.discs[owner])
            discs[number] = at
            self.discs[owner] = tuple(discs)

    def give(self, after: int) -> None:
        """FN2-03: the next seat to the left that can use the throw."""
        order = self.round_from(self.turn)
        for seat in order[order.index(after) + 1 :]:
            numbers, need = self.judged(seat, self.tops(self.dice), False)
            if numbers:
                self.due.append(fn.GiftGiven(seat, self.turn, numbers, need))
                return
        self.pass_on()

    def pass_on(self) -> None:
        self.phase, self.numbers = "throw", ()
        self.turn = self.player = self.turn if self.again else (self.turn + 1) % self.seats

    # ── Events ──────────────────────────────────────────────────────────────────────────────────────────────────

    def may_happen(self, event: Any) -> None:
        match event:
            case fn.StartThrown(_, throws, _):
                dice = tuple(pips for thrown in throws for pips in thrown)
                assert self.phase == "start_throw" and (self.rolled is None or dice == self.rolled.dice)
            case fn.DiceRolled(seat, dice):
                assert (self.phase, seat) == ("throw", self.turn) and (self.rolled is None or dice == self.rolled.dice)
            case fn.DiscEntered(seat, _, by):
                assert by != "shared" and self.refusal(seat, fn.Enter(by)) is None
            case fn.DiscMoved(seat, disc, number):
                assert self.refusal(seat, fn.Move(disc, number)) is None
            case fn.PlayEnded(seat, unused):
                assert self.refusal(seat, fn.EndPlay()) is None and unused == self.numbers
            case _:
                raise AssertionError(f"nobody can bring about {event}")

    def happens(self, event: Any) -> None:
        match event:
            case fn.StartThrown(seats, throws, best):
                totals = {seat: sum(dice) for seat, dice in zip(seats, throws, strict=True)}
                highest = not self.two and self.options.start == "highest"
                wanted = (max if highest else min)(totals.values())
                assert seats == self.starters and {len(dice) for dice in throws} == {2 if self.two else 1}
                assert list(best) == [seat for seat, total in totals.items() if total == wanted]
                self.starters = best
                if len(best) == 1:
                    self.phase, self.turn = "throw", best[0]
                    self.player = self.turn
            case fn.DiceRolled():
                self.throws(event)
            case fn.GiftGiven(seat, _, numbers, need):
                self.phase, self.player = "play", seat
                self.takes(numbers, need, False)
            case fn.DiscEntered(seat, disc, by, _, captured, points, left):
                self.enters_board(event, seat, disc, by, captured, points, left)
            case fn.DiscMoved():
                self.moves(event)
            case fn.DiscForfeited(seat, disc, _):
                self.put(seat, disc, WAITING, None)
            case fn.PlayEnded():
                self.numbers = ()
                self.settle()
            case fn.EntryMissed(seat, discs, points):
                self.scores[seat] += points
                self.owing[seat] -= discs
                self.pass_on()
            case fn.GameWon():
                self.wins = [had + (seat in event.seats) for seat, had in enumerate(self.wins)]
                self.sums = [had + got for had, got in zip(self.sums, event.scores, strict=True)]
                if self.game_no == self.options.games:
                    self.over, self.phase, self.numbers = True, "game_over", ()
                else:
                    self.new_game()

    def enters_board(
        self, event: Any, seat: int, disc: int, by: str, captured: Captured | None, points: int, left: Numbers
    ) -> None:
        victim = self.captured(seat, 0)
        self.entered[seat] = True
        assert disc == self.discs[seat].index(WAITING) and captured == victim
        assert event.road == self.board.road(self.seated[seat], 0)
        assert points == (20 if victim and self.two else 0)
        self.counts(seat, disc, 0, captured, points)
        if by == "shared":
            assert left == ()
            return
        self.owing[seat] = max(0, self.owing[seat] - 1)
        self.entries += 1
        self.goes_on(left, () if by == "sum" else less(self.numbers, FIVE), 2 if by == "sum" else 1)

    def moves(self, event: Any) -> None:
        seat, disc, to = event.seat, event.disc, self.discs[event.seat][event.disc] + event.number
        victim = self.captured(seat, to)
        assert (event.from_, event.to) == (self.discs[seat][disc], to) and event.captured == victim
        assert event.road == self.board.road(self.seated[seat], to)
        home = to == self.board.home
        assert event.points == (20 * bool(victim) + 10 * home if self.two else 0)
        self.counts(seat, disc, to, victim, event.points)
        if self.discs[seat].count(self.board.home) == 4:
            self.wins_game(seat)
            return
        self.goes_on(event.left, less(self.numbers, event.number), 1)

    def counts(self, seat: int, disc: int, to: int, captured: Captured | None, points: int) -> None:
        self.put(seat, disc, to, captured)
        self.scores[seat] += points
        if captured:
            self.owing[captured.seat] += 1

    def goes_on(self, left: Numbers, rest: Numbers, used: int) -> None:
        own = self.discs[self.player]
        self.stood |= self.pairs(own)
        usable = rest and self.most(self.player, own, rest, self.stood, captures=True, entries=self.enters)
        assert left == (rest if usable else ())
        self.numbers, self.used = left, self.used + used
        if not left:
            self.settle()

    def settle(self) -> None:
        """FN2-03, FN2-14: the numbers are used, by the thrower or by one whom they were given to."""
        if self.player != self.turn:
            self.give(self.player)
            return
        missed = min(self.owing[self.turn], max(0, self.chances - self.entries))
        if missed:
            self.due.append(fn.EntryMissed(self.turn, missed, -20 * missed))
        else:
            self.pass_on()

    def wins_game(self, finisher: int) -> None:
        """FN1-07, FN2-18, FN-R17"""
        home = [own.count(self.board.home) for own in self.discs]
        ranks = [(score, seat == finisher, home[seat]) for seat, score in enumerate(self.scores)]
        winners = [seat for seat, rank in enumerate(ranks) if rank == max(ranks)] if self.two else [finisher]
        wins = [had + (seat in winners) for seat, had in enumerate(self.wins)]
        sums = [had + got for had, got in zip(self.sums, self.scores, strict=True)]
        self.due.append(fn.GameWon(*map(tuple, (winners, self.scores, home, wins, sums))))

    # ── What must be true ───────────────────────────────────────────────────────────────────────────────────────

    def to_act(self) -> set[int]:
        return {"start_throw": {CHANCE}, "throw": {self.turn}, "play": {self.player}}.get(self.phase, set())

    def asked_of_chance(self) -> Any:
        return Dice(len(self.starters) * (2 if self.two else 1), 6)

    def drawn_for(self, command: Any) -> Any:
        return Dice(2 if self.two else 1, 6) if isinstance(command, fn.Roll) else None

    def outcome(self) -> Outcome | None:
        """Most games won; then, with two dice, the higher sum of scores, and with one, behind the first, discs Home."""
        if not self.over:
            return None
        ranks: list[Any] = list(zip(self.wins, self.sums, strict=True))
        if not self.two:
            home = [own.count(self.board.home) for own in self.discs]
            ranks = [(won, won < max(self.wins) and home[seat]) for seat, won in enumerate(self.wins)]
        scores, reason = (self.sums, "score") if self.two else (self.wins, "four_home")
        return Outcome(tuple(places(ranks)), tuple(scores), reason)

    def view(self, seat: int | None) -> dict[str, Any]:
        playing = self.phase == "play"
        return {
            "phase": {"throw": "roll", "game_over": "finished"}.get(self.phase, self.phase),
            "game_no": self.game_no,
            "turn": self.turn if self.phase in ("throw", "play") else None,
            "player": self.player if playing else None,
            "throw_no": self.throw_no,
            "dice": self.dice,
            "numbers": self.numbers,
            "must_use_count": max(0, self.need - self.used) if playing else 0,
            "pieces": [
                {
                    "cell": self.board.cell(self.seated[side], at),
                    "side": side,
                    "kind": "disc",
                    "count": 1,
                    "name": str(disc),
                }
                for side, own in enumerate(self.discs)
                for disc, at in enumerate(own)
            ],
            "discs": self.discs,
            "entered": self.entered,
            "captured_counts": self.owing if self.two else None,
            "game_points": self.scores,
            "wins": self.wins,
            "totals": self.totals(),
        }

    def totals(self) -> list[int]:
        if not self.two:
            return self.wins
        return self.sums if self.over else [had + got for had, got in zip(self.sums, self.scores, strict=True)]

    def legal(self, seat: int) -> Collection[Any]:
        commands = [fn.Move(disc, n) for disc in range(4) for n in sorted(set(self.numbers))]
        others = [fn.Roll(), fn.Enter("five"), fn.Enter("sum"), fn.EndPlay()]
        return [command for command in [*commands, *others] if self.refusal(seat, command) is None]

    def refusal(self, seat: int, command: Any) -> tuple[str, str] | None:
        if self.over:
            return "FN2-18" if self.two else "FN1-07", "match_over"
        if isinstance(command, fn.Roll):
            return None if (self.phase, self.turn) == ("throw", seat) else ("FN-03", "not_your_throw")
        own = self.discs[seat]
        if isinstance(command, fn.Move) and not any(0 <= at < self.board.home for at in own):
            return "FN-02", "nothing_in_play"
        if (self.phase, self.player) != ("play", seat):
            return "FN-03" if self.two else "FN1-02", "not_your_play"
        if isinstance(command, fn.Enter):
            return self.no_entry(seat, command.with_)
        if isinstance(command, fn.Move) and command.disc not in range(4):
            return "FN-12", "no_such_disc"
        if not self.two and self.dice == (FIVE,) and self.room(seat):
            return "FN1-03", "must_enter"
        if isinstance(command, fn.EndPlay):
            if self.used >= self.need or not self.most(seat, own, self.numbers, self.stood, captures=False):
                return None
            return "FN2-11" if self.two else "FN1-05", "must_move"
        return self.no_move(seat, command.disc, command.number)

    def no_entry(self, seat: int, by: str) -> tuple[str, str] | None:
        if not self.enters:
            return "FN2-03", "gift"
        if not (FIVE in self.numbers if by == "five" else self.two and sum(self.dice) == FIVE):
            return "FN2-02" if self.two else "FN-02", "no_five"
        if by == "sum" and self.used:
            return "FN2-05", "die_used"
        if WAITING not in self.discs[seat]:
            return "FN-02", "none_waiting"
        return None if self.room(seat) else ("FN-11", "circle_full")

    def no_move(self, seat: int, disc: int, n: int) -> tuple[str, str] | None:
        own = self.discs[seat]
        if n not in self.numbers:
            return "FN2-09" if self.two else "FN1-04" if self.dice == (6,) else "FN1-02", "not_thrown"
        rule = self.barrier(seat, own, disc, n, self.stood)
        if rule:
            return rule, CODES[rule]
        if self.entries:
            return None
        then = (*own[:disc], own[disc] + n, *own[disc + 1 :])
        rest, stood = less(self.numbers, n), self.stood | self.pairs(then)
        further = self.most(seat, then, rest, stood, captures=True, entries=self.enters) if rest else 0
        return None if self.used + 1 + further >= self.need else ("FN2-11", "wastes_numbers")

    def any_command(self, rng: random.Random) -> Any:
        if rng.random() < 0.6:
            return fn.Move(
                rng.choice([0, 1, 2, 3, rng.randrange(-1, 6)]), rng.choice([*self.numbers, rng.randrange(13)])
            )
        return rng.choice([fn.Roll(), fn.Enter("five"), fn.Enter("sum"), fn.EndPlay()])


CODES = {
    "FN-02": "not_in_play",
    "FN-05": "space_full",
    "FN-06": "safe",
    "FN-09": "blockade",
    "FN-15": "past_home",
    "FN-16": "at_home",
    "FN2-12": "blockade_moved",
}
