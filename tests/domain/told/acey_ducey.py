"""Acey-Ducey told once more from its rule page, on a board of its own.

A side is a list by spaces: 1 to 24 in its own count, 0 the hand, 25 off the board, 26 the centre. Space k of one colour
is space 25 - k of the other.
"""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Collection, Iterator
from functools import lru_cache
from typing import Any

from domain.game import CHANCE, Dice, Outcome
from domain.games.acey_ducey import game as ad
from tests.domain.retelling import Telling

HAND, OFF, CENTRE = 0, 25, 26
NAMES = {"hand": HAND, "off": OFF, "centre": CENTRE}
WAYS = ([4], [3, 1], [2, 2], [1, 1, 1, 1])  # AD-R2: as listed
Side = tuple[int, ...]
Numbers = tuple[int, ...]


def named(place: int) -> Any:
    return {at: name for name, at in NAMES.items()}.get(place, place)


def place_of(name: Any) -> int:
    return int(NAMES.get(name, name))


def is_open(theirs: Side, space: int) -> bool:
    return theirs[25 - space] < 2


def is_ready(mine: Side) -> bool:
    """AD-18"""
    return not any(mine[space] for space in (*range(19), CENTRE))


def landing(place: int, n: int) -> int:
    return n if place == CENTRE else min(OFF, place + n)


def taken_off(mine: Side, n: int, beyond: str) -> int | None:
    """AD-20 to AD-24: from which space n takes a man off; `beyond` is what the option says for this throw."""
    if mine[25 - n]:
        return 25 - n
    lower = [space for space in range(26 - n, 25) if mine[space]]
    above = any(mine[19 : 25 - n])
    if not lower or beyond == "lost" or (above and beyond != "always"):
        return None
    return lower[0]


def singles(mine: Side, theirs: Side, n: int, beyond: str) -> Iterator[int]:
    if mine[CENTRE]:
        if is_open(theirs, n):
            yield CENTRE
        return
    for place in range(25 - n):
        if mine[place] and is_open(theirs, place + n):
            yield place
    leaver = taken_off(mine, n, beyond) if is_ready(mine) else None
    if leaver is not None:
        yield leaver


def after(mine: Side, place: int, n: int) -> Side:
    side = list(mine)
    side[place] -= 1
    side[landing(place, n)] += 1
    return tuple(side)


def less(numbers: Numbers, n: int) -> Numbers:
    rest = list(numbers)
    rest.remove(n)
    return tuple(rest)


@lru_cache(maxsize=1 << 14)
def most(mine: Side, theirs: Side, numbers: Numbers, beyond: str) -> int:
    """AD-14: how many of the numbers can be used. A kicked enemy leaves his space as open as it was."""
    if mine[OFF] == 15:
        return len(numbers)
    best = 0
    for n in set(numbers):
        for place in singles(mine, theirs, n, beyond):
            best = max(best, 1 + most(after(mine, place, n), theirs, less(numbers, n), beyond))
            if best == len(numbers):
                return best
    return best


@lru_cache(maxsize=1 << 12)
def ends(mine: Side, theirs: Side, n: int, count: int, beyond: str) -> frozenset[Side]:
    """Every position that so many plays of n can lead to."""
    if not count:
        return frozenset({mine})
    found: set[Side] = set()
    for place in singles(mine, theirs, n, beyond):
        found |= ends(after(mine, place, n), theirs, n, count - 1, beyond)
    return frozenset(found)


@lru_cache(maxsize=1 << 12)
def listed_ends(mine: Side, theirs: Side, n: int, beyond: str) -> frozenset[Side]:
    """AD-R2: the same for four plays that fall to men in one of the listed ways, every man being marked."""
    found = set()
    stages: set[tuple[Side, tuple[tuple[int, int], ...]]] = {(mine, ())}
    for _ in range(4):
        longer = set()
        for side, marked in stages:
            for place in singles(side, theirs, n, beyond):
                then, to = after(side, place, n), landing(place, n)
                here = [man for man in marked if man[0] == place]
                if side[place] > len(here):
                    longer.add((then, tuple(sorted((*marked, (to, 1))))))
                for man in set(here):
                    others = Counter(marked) - Counter([man])
                    longer.add((then, tuple(sorted((*others.elements(), (to, man[1] + 1))))))
        stages = longer
    for side, marked in stages:
        if sorted((plays for _, plays in marked), reverse=True) in WAYS:
            found.add(side)
    return frozenset(found)


def cell_of(colour: int, place: int) -> str:
    """Spaces are called as the first colour calls them; each colour has a hand, a centre and a tray of its own."""
    own = {OFF: "off", CENTRE: "centre", HAND: "hand"}
    return f"{own[place]}-{colour}" if place in own else str(25 - place if colour else place)


class AceyDucey(Telling):
    def __init__(self, options: Any, seats: int) -> None:
        super().__init__(options, seats)
        self.phase, self.turn, self.game_no, self.score = "start", 0, 0, [0, 0]
        self.dice: Numbers = ()
        self.rolled: Any = None
        self.begin()

    def begin(self) -> None:
        self.men = [[15] + [0] * 26, [15] + [0] * 26]
        self.clear()

    def clear(self) -> None:
        self.numbers: Numbers = ()
        self.doubles, self.owed, self.free = False, "", False
        self.origin: Side = ()  # the thrower's men before the first play of a double

    def thrown(self, answer: Any) -> None:
        self.rolled = answer

    @property
    def sides(self) -> tuple[Side, Side]:
        return tuple(self.men[self.turn % 2]), tuple(self.men[1 - self.turn % 2])

    @property
    def beyond(self) -> str:
        return str(self.options.doubles_below if self.doubles else self.options.overthrow)

    def unlisted_plays(self) -> set[tuple[int, int]]:
        """AD-14, AD-R9"""
        (mine, theirs), beyond = self.sides, self.beyond
        best = most(mine, theirs, self.numbers, beyond)
        found = {
            (place, n)
            for n in set(self.numbers)
            for place in singles(mine, theirs, n, beyond)
            if 1 + most(after(mine, place, n), theirs, less(self.numbers, n), beyond) == best
        }
        if best == 1 and len(self.numbers) == 2 and not self.doubles and self.options.higher_die:
            return {play for play in found if play[1] == max(n for _, n in found)}
        return found

    def plays(self) -> set[tuple[int, int]]:
        found = self.unlisted_plays()
        if not self.doubles or self.options.doubles_split == "any":
            return found
        (mine, theirs), n, left = self.sides, self.numbers[0], len(self.numbers)
        wanted = listed_ends(self.origin, theirs, n, self.beyond)
        if not wanted:
            return found if left > 1 else set()
        return {
            (place, n)
            for place, _ in found
            if not wanted.isdisjoint(ends(after(mine, place, n), theirs, n, left - 1, self.beyond))
        }

    # ── Events ──────────────────────────────────────────────────────────────────────────────────────────────────

    def may_happen(self, event: Any) -> None:
        match event:
            case ad.StartThrown(_, dice, _):
                assert self.phase == "start" and (self.rolled is None or dice == self.rolled.dice)
            case ad.DiceRolled(seat, dice, _, _, _):
                assert self.phase == "roll" and seat == self.turn
                assert self.rolled is None or sorted(dice) == sorted(self.rolled.dice)
            case ad.DoubleNamed(seat, number, _):
                assert self.phase == "name_double" and seat == self.turn and number in range(1, 7)
            case ad.ManMoved(seat, start, _, number, _):
                assert self.phase == "play" and seat == self.turn
                assert (place_of(start), number) in self.plays()
            case _:
                raise AssertionError(f"nobody can bring about {event}")

    def happens(self, event: Any) -> None:
        match event:
            case ad.StartThrown(game_no, dice, starter):
                tied_before = bool(self.dice)
                assert game_no == self.game_no + (not tied_before)
                assert starter == (None if dice[0] == dice[1] else dice.index(max(dice)))
                self.begin()
                self.game_no = game_no
                self.dice = dice if starter is None else ()
                if starter is not None:
                    self.phase, self.turn = "roll", starter
            case ad.DiceRolled(_, dice, numbers, kind, free):
                high, low = dice
                assert high >= low and numbers == ((high,) * 4 if high == low else dice) and free == self.free
                assert kind == ("doubles" if high == low else "acey_ducey" if dice == (2, 1) else "plain")
                self.dice = dice
                self.gets(numbers, high == low, "double" if dice == (2, 1) else "")
            case ad.DoubleNamed(_, number, numbers):
                assert numbers == (number,) * 4
                self.gets(numbers, True, "throw")
            case ad.ManMoved(_, start, to, number, hit):
                self.moved(place_of(start), to, number, hit)
            case ad.NumbersLost(_, _, bonus_lost):
                self.goes_on("" if bonus_lost else self.owed)
            case ad.GameWon(colour, _, _, points, _):
                self.score[colour] += points
                self.clear()
                self.dice, self.phase = (), "match_over" if max(self.score) >= self.target else "start"

    def gets(self, numbers: Numbers, doubles: bool, owed: str) -> None:
        self.phase, self.numbers, self.doubles, self.owed = "play", numbers, doubles, owed
        self.origin = self.sides[0]
        self.loses_the_rest()

    def loses_the_rest(self) -> None:
        if not self.plays():
            strict = self.options.bonus_needs_full_play and self.owed != ""
            self.due.append(ad.NumbersLost(self.turn, self.numbers, strict))

    def moved(self, place: int, to: Any, number: int, hit: bool) -> None:
        mine, theirs = self.sides
        end = landing(place, number)
        assert named(end) == to and hit == (end != OFF and theirs[25 - end] == 1)
        colour, enemy = self.turn % 2, self.men[1 - self.turn % 2]
        self.men[colour] = list(after(mine, place, number))
        if hit:
            enemy[25 - end] -= 1
            enemy[CENTRE] += 1
        self.numbers = less(self.numbers, number)
        if self.men[colour][OFF] == 15:
            left = 15 - enemy[OFF]
            points = left if self.options.score == "men_left" else 1
            score = [had + points * (side == colour) for side, had in enumerate(self.score)]
            self.due.append(ad.GameWon(colour, tuple(self.seats_of(colour)), left, points, tuple(score)))
        elif self.numbers:
            self.loses_the_rest()
        else:
            self.goes_on(self.owed)

    def goes_on(self, owed: str) -> None:
        """AD-08, AD-16, AD-17"""
        self.numbers, self.doubles, self.owed = (), False, owed
        if owed == "double":
            self.phase = "name_double"
        elif owed == "throw":
            self.phase, self.owed, self.free = "roll", "", True
        else:
            self.phase, self.turn, self.dice, self.free = "roll", (self.turn + 1) % self.seats, (), False

    # ── What must be true ───────────────────────────────────────────────────────────────────────────────────────

    @property
    def target(self) -> int:
        """AD-R13"""
        return self.options.target or {"games": 3, "men_left": 15}[self.options.score]

    def seats_of(self, colour: int) -> list[int]:
        return [seat for seat in range(self.seats) if seat in (colour, colour + 2)]

    def to_act(self) -> set[int]:
        if self.phase == "start":
            return {CHANCE}
        return set() if self.phase == "match_over" else {self.turn}

    def asked_of_chance(self) -> Any:
        return Dice(2, 6)

    def drawn_for(self, command: Any) -> Any:
        return Dice(2, 6) if isinstance(command, ad.Roll) else None

    def outcome(self) -> Outcome | None:
        if max(self.score) < self.target:
            return None
        winners = self.seats_of(self.score.index(max(self.score)))
        places = tuple(1 if seat in winners else 2 for seat in range(self.seats))
        return Outcome(places, tuple((self.score * 2)[: self.seats]), "target_reached")

    def view(self, seat: int | None) -> dict[str, Any]:
        return {
            "phase": {"start": "start_throw", "match_over": "finished"}.get(self.phase, self.phase),
            "game_no": self.game_no,
            "turn": self.turn if self.phase in ("roll", "play", "name_double") else None,
            "pieces": [
                {"cell": cell_of(colour, place), "side": colour, "kind": "man", "count": side[place]}
                for colour, side in enumerate(self.men)
                for place in (OFF, *range(24, 0, -1), CENTRE, HAND)
                if side[place]
            ],
            "dice": self.dice,
            "numbers": self.numbers,
            "doubles": self.doubles,
            "bonus": self.owed or None,
            "free": self.free,
            "side_totals": self.score,
            "target": self.target,
            "partner_chat": self.options.partner_chat,
        }

    def legal(self, seat: int) -> Collection[Any]:
        if seat not in self.to_act():
            return ()
        if self.phase == "play":
            return [ad.Move(named(place), n) for place, n in self.plays()]
        return [ad.Roll()] if self.phase == "roll" else [ad.NameDouble(n) for n in range(1, 7)]

    def refusal(self, seat: int, command: Any) -> tuple[str, str] | None:
        if self.phase in ("start", "match_over"):
            return "AD-27" if self.game_no and not self.dice else "AD-02", "wrong_phase"
        if seat != self.turn:
            return "AD-28" if (seat - self.turn) % 4 == 2 else "AD-08", "not_your_turn"
        match command:
            case ad.Roll():
                rule = {"play": "AD-08", "name_double": "AD-16"}.get(self.phase)
                return (rule, "wrong_phase") if rule else None
            case ad.NameDouble(number):
                if self.phase == "play" and self.owed == "double":
                    return "AD-15", "wrong_phase"
                if self.phase != "name_double":
                    return "AD-16", "wrong_phase"
                return None if number in range(1, 7) else ("AD-16", "no_such_number")
            case ad.Move(start, number):
                if self.phase != "play":
                    return "AD-16" if self.phase == "name_double" else "AD-08", "wrong_phase"
                return self.barred(start, number)
        raise AssertionError(command)

    def barred(self, start: Any, n: int) -> tuple[str, str] | None:
        if n < 0:
            return "AD-09", "backwards"
        if n not in self.numbers:
            return "AD-05", "no_such_number"
        if start not in ("hand", "centre", *range(1, 25)):
            return "AD-R1", "no_man"
        place = place_of(start)
        if (place, n) in self.plays():
            return None
        mine, theirs = self.sides
        if mine[CENTRE] and place != CENTRE:
            return "AD-12", "bar_first"
        if not mine[place]:
            return "AD-05", "no_man"
        end = landing(place, n)
        if end != OFF and not is_open(theirs, end):
            return "AD-10", "closed"
        if end == OFF and not is_ready(mine):
            return "AD-18", "not_home"
        if end == OFF and place != taken_off(mine, n, self.beyond):
            if mine[25 - n]:
                return "AD-24" if self.doubles else "AD-20", "exact_man"
            if taken_off(mine, n, self.beyond) is not None:
                return "AD-24" if self.doubles else "AD-22", "highest_man"
            if any(mine[19 : 25 - n]):
                return "AD-R6" if self.doubles else "AD-21", "higher_man"
            return "AD-R5", "too_high"
        if (place, n) in self.unlisted_plays():
            return "AD-R2", "not_listed"
        best = most(mine, theirs, self.numbers, self.beyond)
        return ("AD-R9", "higher_number") if best == 1 else ("AD-14", "whole_throw")

    def any_command(self, rng: random.Random) -> Any:
        if rng.random() < 0.7:
            held = [named(place) for place, count in enumerate(self.sides[0]) if count and place != OFF]
            start = rng.choice([*held, "hand", "centre", rng.randrange(-1, 28)])
            return ad.Move(start, rng.choice([*self.numbers, rng.randrange(-1, 8)]))
        return rng.choice([ad.Roll(), ad.NameDouble(rng.randrange(-1, 8))])
