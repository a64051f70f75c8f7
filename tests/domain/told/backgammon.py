"""Backgammon told once more from its rule page, on a board of its own.

Every side counts its own points: 25 is the bar, 0 is off the board, and point k of one side is 25 - k of the other.
"""

from __future__ import annotations

import random
from collections.abc import Collection, Iterator
from functools import lru_cache
from typing import Any

from domain.game import CHANCE, Dice, Outcome
from domain.games.backgammon import game as bg
from domain.games.backgammon import stakes as st
from tests.domain.retelling import Telling, places

BAR, OFF = 25, 0
Side = tuple[int, ...]
Numbers = tuple[int, ...]


def set_up() -> list[int]:
    """BG-01, BG-R14"""
    side = [0] * 26
    side[24], side[13], side[8], side[6] = 2, 5, 3, 5
    return side


def singles(mine: Side, theirs: Side, n: int, bearing: str) -> Iterator[int]:
    """BG-08, BG-15, BG-16, BG-19 to BG-24: from where one man can be played by this number, whatever comes after."""
    if mine[BAR]:
        if theirs[n] < 2:
            yield BAR
        return
    highest = max(point for point in range(26) if mine[point])
    for point in range(1, 25):
        if not mine[point]:
            continue
        if point > n:
            if theirs[25 - (point - n)] < 2:
                yield point
        elif highest <= 6 and (point == n or (bearing == "second" and point == highest)):
            yield point


def after(mine: Side, theirs: Side, point: int, n: int) -> tuple[Side, Side]:
    to, own, other = max(0, point - n), list(mine), list(theirs)
    own[point] -= 1
    own[to] += 1
    if to and other[25 - to] == 1:
        other[25 - to] = 0
        other[BAR] += 1
    return tuple(own), tuple(other)


@lru_cache(maxsize=1 << 14)
def most(mine: Side, theirs: Side, numbers: Numbers, bearing: str) -> int:
    """BG-10: how many of the numbers can be used in the best order. Whoever bears his last man misses none."""
    if mine[OFF] == 15:
        return len(numbers)
    best = 0
    for n in set(numbers):
        rest = less(numbers, n)
        for point in singles(mine, theirs, n, bearing):
            best = max(best, 1 + most(*after(mine, theirs, point, n), rest, bearing))
            if best == len(numbers):
                return best
    return best


def less(numbers: Numbers, n: int) -> Numbers:
    rest = list(numbers)
    rest.remove(n)
    return tuple(rest)


def cell_of(side: int, at: int) -> str:
    """Points are called as seat 0 calls them; each seat has a bar and a tray of its own."""
    if at in (BAR, OFF):
        return f"{'bar' if at == BAR else 'off'}-{side}"
    return str(25 - at if side else at)


class Backgammon(Telling):
    def __init__(self, options: Any, seats: int) -> None:
        super().__init__(options, seats)
        self.phase, self.turn, self.games_won, self.score = "opening", 0, 0, [0, 0]
        self.game_no, self.crawford_played, self.rolled = 0, False, None
        self.begin(False)
        self.dice: Numbers = ()

    def begin(self, crawford: bool) -> None:
        self.men = [set_up(), set_up()]
        self.numbers: Numbers = ()
        self.made: list[Any] = []
        self.cube, self.crawford, self.must_roll = 1, crawford, False
        self.owner: int | None = None
        self.offer: str | None = None
        self.conceded: int | None = None

    def thrown(self, answer: Any) -> None:
        self.rolled = answer

    def sides(self, seat: int) -> tuple[Side, Side]:
        return tuple(self.men[seat]), tuple(self.men[1 - seat])

    def plays(self) -> set[tuple[int, int]]:
        """BG-10, BG-11: the plays that leave as much of the cast to be used as can be."""
        mine, theirs = self.sides(self.turn)
        best = most(mine, theirs, self.numbers, self.options.bearing)
        found = set()
        for n in set(self.numbers):
            for point in singles(mine, theirs, n, self.options.bearing):
                then = after(mine, theirs, point, n)
                if 1 + most(*then, less(self.numbers, n), self.options.bearing) == best:
                    found.add((point, n))
        if best == 1 and len(self.numbers) == 2 and self.options.higher_die:
            found = {play for play in found if play[1] == max(n for _, n in found)}
        return found

    # ── Events ──────────────────────────────────────────────────────────────────────────────────────────────────

    def may_happen(self, event: Any) -> None:
        chances = (bg.OpeningCast, bg.DiceRolled)
        if isinstance(event, chances) and self.rolled is not None:
            assert sorted(event.dice) == sorted(self.rolled.dice)
        match event:
            case bg.OpeningCast():
                assert self.phase == "opening"
                assert self.rolled is None or event.dice == self.rolled.dice
            case bg.DiceAdopted():
                assert self.phase == "choose" and self.options.opening == "adopt_or_cast"
            case bg.DiceRolled():
                assert self.phase in ("choose", "roll") and not self.offer
            case bg.ManMoved(seat, start, _, die, _):
                assert self.phase == "play" and not self.offer
                assert seat == self.turn and (BAR if start == "bar" else start, die) in self.plays()
            case bg.PlayUndone(seat, start, to, die, hit):
                assert bg.ManMoved(seat, start, to, die, hit) == self.made[-1][0] and not self.options.touch_move
            case st.DoubleOffered(seat, value):
                assert self.refusal(seat, st.Double()) is None and value == 2 * self.cube
            case st.DoubleTaken(seat, value):
                assert (seat, value) == (1 - self.turn, 2 * self.cube) and self.offer == "double"
            case st.DoubleDropped(seat):
                assert seat == 1 - self.turn and self.offer == "double"
            case st.ConcessionOffered(seat, value):
                assert self.refusal(seat, st.Concede(value)) is None
            case st.ConcessionAnswered(seat, _):
                assert seat == 1 - self.turn and self.offer == "concession"
            case _:
                raise AssertionError(f"nobody can bring about {event}")

    def happens(self, event: Any) -> None:
        match event:
            case bg.OpeningCast(game_no, dice, first, crawford):
                one_short = self.options.games is None and max(self.score) == self.options.target - 1
                expected = self.options.cube and self.options.crawford and one_short and not self.crawford_played
                higher = None if dice[0] == dice[1] else dice.index(max(dice))
                assert (game_no, first, crawford) == (self.games_won + 1, higher, expected)
                self.begin(crawford)
                self.game_no, self.dice = game_no, dice
                if first is not None:
                    self.phase, self.turn = "choose", first
                    if self.options.opening == "adopt":
                        high_first = tuple(sorted(dice, reverse=True))
                        self.due.append(bg.DiceAdopted(first, high_first, high_first))
            case bg.DiceAdopted(seat, dice, numbers):
                assert seat == self.turn and dice == numbers == tuple(sorted(self.dice, reverse=True))
                self.phase, self.dice, self.numbers = "play", dice, numbers
            case bg.DiceRolled(seat, dice, numbers):
                assert seat == self.turn and dice == tuple(sorted(dice, reverse=True))
                assert numbers == (dice * 2 if dice[0] == dice[1] else dice)
                self.phase, self.dice, self.numbers, self.must_roll = "play", dice, numbers, False
                if not self.plays():
                    self.due.append(bg.NumbersLost(seat, numbers))
            case bg.ManMoved(seat, start, to, die, hit):
                self.moved(event, seat, BAR if start == "bar" else start, to, die, hit)
            case bg.PlayUndone():
                _, self.men, self.numbers = self.made.pop()
            case bg.NumbersLost(seat, _) | bg.TurnSkipped(seat, _):
                self.pass_on()
            case st.DoubleOffered():
                self.offer = "double"
            case st.DoubleTaken(seat, value):
                self.cube, self.owner, self.offer, self.must_roll = value, seat, None, True
            case st.DoubleDropped(seat):
                self.offer = None
                self.won(1 - seat, "dropped", 1)
            case st.ConcessionOffered(seat, value):
                self.offer, self.conceded = "concession", value
                if value == self.most_to_lose(seat):
                    self.won(1 - seat, "conceded", value)
            case st.ConcessionAnswered(seat, accepted):
                self.offer = None
                if accepted:
                    self.won(seat, "conceded", self.conceded or 0)
            case st.GameWon(seat, _, _, _, points, _, _):
                self.games_won += 1
                self.score[seat] += points
                self.crawford_played = self.crawford_played or self.crawford
                self.clear()
                self.phase = "match_over" if self.is_over() else "opening"

    def moved(self, event: Any, seat: int, point: int, to: Any, die: int, hit: bool) -> None:
        mine, theirs = self.sides(seat)
        end = max(0, point - die)
        assert to == (end or "off") and hit == (end > 0 and theirs[25 - end] == 1)
        self.made.append((event, [list(side) for side in self.men], self.numbers))
        self.men[seat], self.men[1 - seat] = map(list, after(mine, theirs, point, die))
        self.numbers = less(self.numbers, die)
        if self.men[seat][OFF] == 15:
            loser = self.men[1 - seat]
            caught = self.options.triple_game and any(loser[19:])
            self.won(seat, "borne_off", 1 if loser[OFF] else 3 if caught else 2)
        elif not self.numbers:
            self.pass_on()
        elif not self.plays():
            self.due.append(bg.NumbersLost(seat, self.numbers))

    def pass_on(self) -> None:
        """BG-17, BG-29"""
        self.clear()
        self.phase, self.turn = "roll", 1 - self.turn
        mine, theirs = self.sides(self.turn)
        if mine[BAR] and all(count > 1 for count in theirs[1:7]):
            self.due.append(bg.TurnSkipped(self.turn, "shut_out"))

    def clear(self) -> None:
        self.dice, self.numbers, self.made, self.offer, self.conceded = (), (), [], None, None

    def won(self, seat: int, reason: Any, value: int) -> None:
        points = value * self.cube
        score = [had + points * (seat == side) for side, had in enumerate(self.score)]
        off = (self.men[0][OFF], self.men[1][OFF])
        self.due.append(st.GameWon(seat, reason, value, self.cube, points, off, tuple(score)))

    def most_to_lose(self, seat: int) -> int:
        """BG-36"""
        return 1 if self.men[seat][OFF] else 3 if self.options.triple_game else 2

    # ── What must be true ───────────────────────────────────────────────────────────────────────────────────────

    def is_over(self) -> bool:
        if self.options.games is not None:
            return bool(self.games_won == self.options.games)
        return bool(max(self.score) >= self.options.target)

    def to_act(self) -> set[int]:
        if self.phase == "opening":
            return {CHANCE}
        return set() if self.phase == "match_over" else {1 - self.turn if self.offer else self.turn}

    def asked_of_chance(self) -> Any:
        return Dice(2, 6)

    def drawn_for(self, command: Any) -> Any:
        return Dice(2, 6) if isinstance(command, bg.Roll) else None

    def outcome(self) -> Outcome | None:
        if not self.is_over():
            return None
        reason = "target_reached" if self.options.games is None else "games_played"
        return Outcome(tuple(places(self.score)), tuple(self.score), reason)

    def view(self, seat: int | None) -> dict[str, Any]:
        lines = [" ".join(f"{at}:{side[at]}" for at in range(25, -1, -1) if side[at]) for side in self.men]
        cube = {"value": self.cube, "owner": self.owner, "offered_by": self.turn if self.offer == "double" else None}
        phases = {"opening": "start_throw", "match_over": "finished"}
        return {
            "phase": f"{self.offer}_offered" if self.offer else phases.get(self.phase, self.phase),
            "game_no": self.game_no,
            "turn": None if self.phase in ("opening", "match_over") else self.turn,
            "pieces": [
                {"cell": cell_of(side, at), "side": side, "kind": "man", "count": men[at]}
                for side, men in enumerate(self.men)
                for at in range(26)
                if men[at]
            ],
            "pips": [sum(at * men[at] for at in range(26)) for men in self.men],
            "position": f"W {lines[0]} / B {lines[1]}",
            "dice": self.dice,
            "numbers": self.numbers,
            "plays": [f"{e.from_}/{e.to}{'*' if e.hit else ''}" for e, _, _ in self.made],
            "cube": cube if self.options.cube else None,
            "crawford": self.crawford,
            "concession": self.conceded if self.offer == "concession" else None,
            "totals": self.score,
            "inner_side": self.options.inner_side,
        }

    def legal(self, seat: int) -> Collection[Any]:
        if seat not in self.to_act():
            return ()
        plays = self.plays() if self.phase == "play" else ()
        others = [bg.Adopt(), bg.Roll(), bg.Undo(), st.Double(), st.Take(), st.Drop(), st.Accept(), st.Refuse()]
        commands = [bg.Move("bar" if at == BAR else at, n) for at, n in plays]
        return [
            command
            for command in [*commands, *others, *map(st.Concede, (1, 2, 3))]
            if self.refusal(seat, command) is None
        ]

    def refusal(self, seat: int, command: Any) -> tuple[str, str] | None:
        if self.phase == "match_over":
            return "BG-R8", "wrong_phase"
        if self.phase == "opening":
            return "BG-03", "wrong_phase"
        on_turn = seat == self.turn
        match command:
            case bg.Adopt():
                return None if on_turn and self.phase == "choose" else ("BG-04", "nothing_to_adopt")
            case bg.Roll():
                return self.not_now(seat, self.phase in ("choose", "roll"))
            case bg.Undo():
                late = self.not_now(seat, self.phase == "play")
                if late or not self.options.touch_move:
                    return late or (None if self.made else ("BG-N4", "nothing_to_undo"))
                return "BG-N4", "touch_move"
            case bg.Move(start, die):
                return self.not_now(seat, self.phase == "play") or self.barred(start, die)
            case st.Accept() | st.Refuse():
                return None if self.offer == "concession" and not on_turn else ("BG-36", "nothing_to_answer")
            case st.Concede(value):
                return self.no_concession(seat, value)
        if not self.options.cube:
            return "BG-R7", "no_cube"
        if isinstance(command, st.Double):
            return self.no_double(seat)
        return None if self.offer == "double" and not on_turn else ("BG-32", "nothing_to_answer")

    def not_now(self, seat: int, in_time: bool) -> tuple[str, str] | None:
        if self.offer:
            return "BG-32" if self.offer == "double" else "BG-36", "wrong_phase"
        if seat != self.turn:
            return "BG-29", "not_your_turn"
        return None if in_time else ("BG-29", "wrong_phase")

    def no_concession(self, seat: int, value: int) -> tuple[str, str] | None:
        if seat != self.turn or self.offer or self.phase == "choose":
            return "BG-36", "wrong_phase"
        if self.must_roll:
            return "BG-32", "must_roll"
        if self.conceded is not None:
            return "BG-36", "already_conceded"
        return None if 1 <= value <= self.most_to_lose(seat) else ("BG-36", "wrong_value")

    def no_double(self, seat: int) -> tuple[str, str] | None:
        """BG-31, BG-34, BG-35"""
        if self.offer:
            return "BG-32" if self.offer == "double" else "BG-36", "wrong_phase"
        if seat != self.turn or self.phase != "roll":
            return "BG-31", "wrong_phase"
        if self.crawford:
            return "BG-34", "crawford"
        if self.cube == 64:
            return "BG-35", "highest_cube"
        if self.options.games is None and self.score[seat] + self.cube >= self.options.target:
            return "BG-35", "dead_cube"
        return None if self.owner in (None, seat) else ("BG-31", "not_your_cube")

    def barred(self, start: Any, n: int) -> tuple[str, str] | None:
        """Why the player on turn cannot play this man by this number."""
        if start == 0:
            return "BG-27", "no_man"
        if start != "bar" and not 1 <= start <= 24:
            return "BG-05", "no_man"
        if n not in self.numbers:
            return "BG-07" if self.dice[0] == self.dice[1] else "BG-06", "no_such_number"
        point = BAR if start == "bar" else start
        mine, theirs = self.sides(self.turn)
        plays = self.plays()
        if (point, n) in plays:
            return None
        if mine[BAR] and point != BAR:
            return "BG-16", "bar_first"
        if not mine[point]:
            return "BG-05", "no_man"
        if point > n and theirs[25 - (point - n)] > 1:
            return "BG-15" if point == BAR else "BG-08", "closed"
        if point <= n and any(mine[7:]):
            return "BG-19", "not_home"
        if point < n:
            if mine[n]:
                return "BG-20", "exact_man"
            if any(mine[n:]):
                return "BG-24", "higher_man"
            if self.options.bearing == "first":
                return "BG-22", "too_high"
            if any(mine[point + 1 :]):
                return "BG-23", "highest_man"
        best = most(mine, theirs, self.numbers, self.options.bearing)
        return ("BG-11", "higher_number") if best == 1 else ("BG-10", "whole_throw")

    def any_command(self, rng: random.Random) -> Any:
        if rng.random() < 0.6:
            start: Any = rng.choice(
                ["bar", *(at for at in range(1, 25) if self.men[self.turn][at]), rng.randrange(-1, 27)]
            )
            return bg.Move(start, rng.choice([*self.numbers, rng.randrange(0, 8)]))
        values = map(st.Concede, range(5))
        others = [st.Take(), st.Drop(), st.Accept(), st.Refuse(), *values]
        return rng.choice([bg.Adopt(), bg.Roll(), bg.Undo(), st.Double(), *others])
