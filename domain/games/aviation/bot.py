"""Aviation by rule of thumb: build what leads to a pile of one's own, and not what others are waiting for."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, Final

from domain.game import NEVER, Seat, Thumbs
from domain.games.aviation.events import DrawFrom, EndTurn, HandEnded, LayReserve, PlayCard, Source
from domain.games.aviation.flights import CLOSING, STEP, Way, other_way, way_of
from domain.games.aviation.game import HAND_SIZE, PILE_POINTS, WINNING, Table
from domain.kit.cards import Card, in_order
from domain.kit.sides import side_of

BUILD: Final = 100
CLOSE: Final = 1000
GIFT: Final = 150  # a pile that others may complete
NEAR: Final = 4  # so many unseen cards from its end a pile is in reach of those who build on it
SOURCES: Final = {"drome": 30, "hand": 20, "reserve": 10}  # a drome shows a new card, a hand is filled when it is empty


def rate(view: Mapping[str, Any], commands: Sequence[Any]) -> list[int]:
    seat: Seat = view["turn"]
    directions, tops, reserves = view["directions"], view["drome_tops"], view["reserves"]
    way = directions[seat]
    wanted = view["wanted_up"] if way == "U" else view["wanted_down"]
    own = {card.number for card in (*view["hand"], *reserves[seat])}
    if tops[seat]:
        own.add(tops[seat].number)
    others = range(1 - side_of(seat), len(directions), 2)
    rivals = [other for other in others if directions[other] == way]
    theirs = {
        card.number
        for other in others
        if directions[other] != way
        for card in (*reserves[other], *(tops[other : other + 1] if tops[other] else ()))
    }
    reached = _reached(wanted, STEP[way], CLOSING[way], own, theirs)
    completes = reached == CLOSING[way] + STEP[way]
    # Where others build the same way, what falls short of the end may be theirs to complete.
    rest = range(reached, CLOSING[way] + STEP[way], STEP[way])
    gift = 0
    for other in rivals:
        shown = {card.number for card in (*reserves[other], *(tops[other : other + 1] if tops[other] else ()))}
        if not completes and sum(number not in shown for number in rest) <= NEAR:
            gift = GIFT
    found: list[int] = []
    met: set[tuple[type[Any], int, str, int]] = set()
    for command in commands:
        score = 0
        alike: tuple[type[Any], int, str, int]
        match command:
            case PlayCard(card=card, from_=source):
                alike = (PlayCard, card.number, source, seat)
                score = BUILD + SOURCES[source] - gift + CLOSE * (card.number == CLOSING[way])
                if way_of(card) != way:
                    score = -CLOSE
            case DrawFrom(seat=owner, from_=source, card=card):
                alike = (DrawFrom, card.number, source, owner)
                score = BUILD + 25 - gift
            case LayReserve(card=card):
                alike = (LayReserve, card.number, "", seat)
                score = NEVER if completes else _laid(card, way, wanted)
            case _:
                alike = (EndTurn, 0, "", seat)
        # Suits do not matter, so that one card of a number is as good as another in the same place.
        found.append(NEVER if alike in met else score)
        met.add(alike)
    return found


def _reached(wanted: int, step: int, closing: int, own: set[int], theirs: set[int]) -> int:
    """The number that the pile waits for when all is built that can be."""
    last = wanted
    while wanted != closing + step and (wanted in own or (wanted in theirs and wanted != closing)):
        wanted += step
        if wanted - step in own:
            last = wanted  # a card that is drawn must be followed by one's own
    return last


def _laid(card: Card, way: str, wanted: int) -> int:
    """Nobody can draw a card that completes a pile, nor one of the pile that its owner builds."""
    if card.number in (7, 8):
        return 30
    if way_of(card) == way:
        return -5 if card.number == wanted else 20
    return 0


def worth(s: Table) -> Sequence[int]:
    return [s.totals[side_of(seat)] for seat in range(s.seats)]


# ── A playout ───────────────────────────────────────────────────────────────────────────────────────────────────


def played_out(s: Table, seat: Seat, command: Any, below: Callable[[int], int]) -> Sequence[int] | None:
    """What the general playout finds, in a fraction of its time: no table is made for every card. Tables with other
    ways to build are left to that."""
    if s.options.direction != "refuse" or s.options.reserve != "spread":
        return None
    return _Played(s).to_the_end(seat, command, below)


class _Played:
    """A table that is played on by rule of thumb. Suits do not matter: of what lies open the numbers are enough."""

    def __init__(self, s: Table) -> None:
        self.hands = [list(hand) for hand in s.hands]
        self.dromes = [[card.number for card in drome] for drome in s.dromes]
        self.reserves = [[0] * 14 for _ in s.hands]
        for lying, cards in zip(self.reserves, s.reserves, strict=True):
            for card in cards:
                lying[card.number] += 1
        self.stock = s.stock
        self.wanted: dict[Way, int] = {"U": s.centre.wanted("U"), "D": s.centre.wanted("D")}
        self.ways = list(s.directions)
        self.totals = list(s.totals)
        self.owes = s.owes
        self.together, self.must_build = s.options.partner_mode == "side", s.options.must_build

    def to_the_end(self, seat: Seat, command: Any, below: Callable[[int], int]) -> Sequence[int]:
        seats = len(self.hands)
        going_on = self.first(seat, command)
        while going_on is not None:
            seat = seat if going_on else (seat + 1) % seats
            going_on = self.step(seat, below)
        return [self.totals[side_of(seat)] for seat in range(seats)]

    def first(self, seat: Seat, command: Any) -> bool | None:
        """Whether the turn goes on after a command; nothing if the hand is over."""
        match command:
            case PlayCard(card=card, from_=source):
                return self.built(seat, seat, source, card.number, card)
            case DrawFrom(seat=owner, from_=source, card=card):
                return self.built(seat, owner, source, card.number)
            case LayReserve(card=card):
                return self.laid(seat, card)
            case _:
                return None

    def step(self, seat: Seat, below: Callable[[int], int]) -> bool | None:
        """What the rules of thumb put first: to build, unless that makes a gift, else to end the turn."""
        hand, lying, drome, way = self.hands[seat], self.reserves[seat], self.dromes[seat], self.ways[seat]
        wanted, step, closing = self.wanted[way], STEP[way], CLOSING[way]
        others = range(1 - side_of(seat), len(self.hands), 2)
        own = [card.number for card in hand]
        shown = [other for other in others if self.ways[other] != way]
        last = next_ = wanted
        while next_ != closing + step:
            if lying[next_] or next_ in own or drome[-1:] == [next_]:
                next_ += step
                last = next_
            elif next_ != closing and any(self.shows(other, next_) for other in shown):
                next_ += step
            else:
                break
        due = self.owes or (self.must_build and (wanted in own or self.shows(seat, wanted)))
        if last != wanted and (due or not self.is_gift(way, last, others)):
            if drome and drome[-1] == wanted:
                return self.built(seat, seat, "drome", wanted)
            if wanted != closing:
                draws: list[tuple[Seat, Source]] = []
                for other in shown:
                    if self.dromes[other][-1:] == [wanted]:
                        draws.append((other, "drome"))
                    if self.reserves[other][wanted]:
                        draws.append((other, "reserve"))
                if draws and self.follows(wanted + step, step, closing, own, seat, shown):
                    return self.built(seat, *draws[below(len(draws)) if len(draws) > 1 else 0], wanted)
            if wanted in own:
                return self.built(seat, seat, "hand", wanted, hand[own.index(wanted)])
            return self.built(seat, seat, "reserve", wanted)
        if not hand:
            return None
        scores = [_laid(card, way, wanted) for card in hand]
        best = max(scores)
        places = [n for n, score in enumerate(scores) if score == best and own.index(own[n]) == n]
        return self.laid(seat, hand[places[below(len(places)) if len(places) > 1 else 0]])

    def shows(self, seat: Seat, number: int) -> bool:
        return self.reserves[seat][number] > 0 or self.dromes[seat][-1:] == [number]

    def follows(
        self, number: int, step: int, closing: int, own: Sequence[int], seat: Seat, shown: Sequence[Seat]
    ) -> bool:
        """Whether a card of one's own can follow those of others from this number on."""
        while not (number in own or self.shows(seat, number)):
            if number == closing or not any(self.shows(other, number) for other in shown):
                return False
            number += step
        return True

    def is_gift(self, way: Way, reached: int, others: Sequence[Seat]) -> bool:
        """Whether somebody who builds the same way may complete what is left."""
        rest = range(reached, CLOSING[way] + STEP[way], STEP[way])
        rivals = [other for other in others if self.ways[other] == way] if rest else ()
        return any(sum([not self.shows(other, number) for number in rest]) <= NEAR for other in rivals)

    def built(self, seat: Seat, owner: Seat, source: Source, number: int, card: Card | None = None) -> bool | None:
        way = self.ways[seat]
        if source == "drome":
            self.dromes[owner].pop()
        elif source == "reserve":
            self.reserves[owner][number] -= 1
        else:
            self.hands[seat] = [other for other in self.hands[seat] if other is not card]
        self.owes = owner != seat
        self.wanted[way] += STEP[way]
        if number == CLOSING[way]:
            self.wanted[way] = 1 if way == "U" else 13
            side = side_of(seat)
            self.totals[side] += PILE_POINTS
            if self.totals[side] >= WINNING:
                return None
            for other in range(side, len(self.hands), 2) if self.together else (seat,):
                self.ways[other] = other_way(self.ways[other])
        if not self.hands[seat]:
            self.refilled(seat)
        return True

    def laid(self, seat: Seat, card: Card) -> bool | None:
        self.hands[seat] = [other for other in self.hands[seat] if other is not card]
        self.reserves[seat][card.number] += 1
        if not self.hands[seat]:
            if not self.stock:
                return None
            self.refilled(seat)
        return False

    def refilled(self, seat: Seat) -> None:
        self.hands[seat], self.stock = list(in_order(self.stock[:HAND_SIZE])), self.stock[HAND_SIZE:]


THUMBS = Thumbs(rate, worth, ends=(HandEnded,), played_out=played_out)
