"""Check and Double Check, rule by rule. Dice are given as pips: 6 stands for the CHECK face."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterable
from typing import Any

import pytest

from domain.game import ALL, CHANCE, Dice, Outcome, Refused, Rolled, Secret, Shuffle, Shuffled
from domain.games.check_and_double_check import GAME
from domain.games.check_and_double_check.events import (
    CHECK,
    CardsDiscarded,
    CardsTaken,
    DealThrown,
    DiceRolled,
    DiscardPassed,
    HandDealt,
    HandWon,
    Pass,
    PlayCard,
    Roll,
)
from domain.games.check_and_double_check.game import Table, pack
from tests.domain.playing import Deal, Moment, of_type, random_match
from tests.domain.retelling import Telling, places, recounted, retell
from tests.domain.story import Story, refuses_idle, refuses_table, table
from tests.golden.matches import Golden

QUICK = {"target": 10}
SEVERAL = {"target": 40}
NEEDS = {"max_hands": {"score_mode": "net"}}
GOLDEN = Golden(
    seats=3,
    options={"target": 10},
    moment="two seats run out of cards on one throw",
    shows=lambda events: any(isinstance(e, HandWon) and len(e.tied) > 1 for e in events),
)


def whole(s: Table) -> Iterable[Any]:
    return [int(card.rstrip("*")) for card in pack(s)]


def pieces(s: Table) -> Iterable[Any]:
    return [*s.discard, *(card for row in s.rows for card in row)]


# ── What the rule page says, for the common tests ────────────────────────────────────────────────────────────────

SEATS = ("CK-R13", range(2, 9))
OPTIONS = {
    "target": ("CK-R11", 100, range(10, 1001)),
    "max_seats": ("CK-R13", 4, range(2, 9)),
    "first_dealer": ("CK-04", "throw", "seat"),
    "discard_mode": ("CK-R4", "auto", ("auto", "manual")),
    "discard_seed": ("CK-R3", "shuffled", ("shuffled", "misc")),
    "misc_cards": ("CK-R2", (4, 5, 6, 7), [2, 10]),
    "score_mode": ("CK-R10", "gross", ("gross", "net")),
    "max_hands": ("CK-R10", 200, range(1, 1001)),
}
REFUSALS = {
    "CK-05": {"wrong_phase"},
    "CK-10": {"not_your_turn", "wrong_phase"},
    "CK-11": {"wrong_number"},
    "CK-12": {"not_in_hand", "wrong_phase"},
    "CK-13": {"already_answered"},
    "CK-14": {"no_discard"},
    "CK-18": {"no_discard"},
    "CK-25": {"wrong_phase"},
    "CK-R4": {"not_at_this_table", "nothing_to_answer"},
}


def next_dealer(events: Iterable[Any], options: Any, seats: int) -> int:
    """CK-04, CK-26, CK-R8, CK-R9: who threw most, or was agreed upon; then the deal goes to the left."""
    throws = of_type(events, "DealThrown")
    first = throws[-1].highest[0] if throws else options.first_dealer
    return int((first + len(of_type(events, "HandWon"))) % seats)


def deal_map(deal: Deal) -> Iterable[Any]:
    """CK-05, CK-06, CK-R3: nine each, one at a time from the dealer's left, then four to the Discard, the last on top.
    The extra cards bear a star; with `misc` they are the Discard, in the order that the shuffle gave them."""
    to_deal = list(deal.deck)
    if deal.options.discard_seed == "misc":
        to_deal = [card for card in deal.deck if "*" not in card] + [card for card in deal.deck if "*" in card]
    numbers = [int(card.replace("*", "")) for card in to_deal]
    given: list[list[int]] = [[] for _ in range(deal.seats)]
    for _ in range(9):
        for place in range(1, deal.seats + 1):
            given[(deal.dealer + place) % deal.seats].append(numbers.pop(0))
    *under, top = numbers
    assert len(under) == 3
    yield HandDealt(deal.hand_no, deal.dealer, tuple(tuple(sorted(row)) for row in given), top, Secret((*under,), ()))


def by_lot(moments: Iterable[Moment], table: Table) -> tuple[Moment, ...]:
    """CK-R3, CK-R14: the same deal, but with the unseen cards of the Discard in the order that this table has them."""
    found = []
    for moment in moments:
        if isinstance(moment.command, Shuffled):
            deck = list(moment.command.cards)
            places = [n for n, card in enumerate(deck) if "*" in card] if table.options.discard_seed == "misc" else []
            lowest = (places or [*range(9 * table.seats, len(deck))])[: table.unseen]
            left = [deck[n] for n in lowest]
            for n, number in zip(lowest, table.discard, strict=False):
                deck[n] = left.pop(next(at for at, card in enumerate(left) if int(card.rstrip("*")) == number))
            moment = moment._replace(command=Shuffled(tuple(deck)))
        found.append(moment)
    return tuple(found)


class CheckTold(Telling):
    """Check and Double Check as the rule page tells it."""

    def __init__(self, options: Any, seats: int) -> None:
        super().__init__(options, seats)
        agreed = options.first_dealer != "throw"
        self.dealer: int | None = options.first_dealer if agreed else None
        self.throwing = tuple(range(seats))
        self.phase, self.hand_no = "deal" if agreed else "dealer_throw", 0
        self.rows: list[list[int]] = [[] for _ in range(seats)]
        self.discard: list[int] = []
        self.seen = 0  # of the Discard, from its top
        self.faces: tuple[Any, ...] = ()
        self.number: int | None = None
        self.thrower = -1
        self.asked: list[int] = []
        self.answered: list[int] = []
        self.points, self.balance = [0] * seats, [0] * seats

    def thrown(self, answer: Any) -> None:
        """CK-R1: the sixth face is CHECK."""
        if isinstance(answer, Rolled):
            self.due = [self.as_thrown(["CHECK" if pips == 6 else pips for pips in answer.dice])]
        elif isinstance(answer, Shuffled):
            dealer = next_dealer(self.events, self.options, self.seats)
            events = tuple(self.events)
            self.due = [*deal_map(Deal(answer.cards, dealer, self.hand_no + 1, self.seats, self.options, events))]

    def as_thrown(self, faces: list[Any]) -> Any:
        """CK-04, CK-11, CK-R8: what these faces say."""
        if self.phase == "dealer_throw":
            pairs = tuple(zip(faces[::2], faces[1::2], strict=True))
            spots = [sum(face for face in pair if face != "CHECK") for pair in pairs]
            best = tuple(seat for seat, total in zip(self.throwing, spots, strict=True) if total == max(spots))
            return DealThrown(self.throwing, pairs, best)
        checks = faces.count("CHECK")
        number = None if checks == 2 else sum(face for face in faces if face != "CHECK")
        kind: Any = {0: "sum", 1: "check", 2: "double_check"}[checks]
        return DiceRolled(self.turn, tuple(faces), kind, number)

    def may_happen(self, event: Any) -> None:
        match event:
            case HandDealt(hand_no):
                assert self.phase == "deal" and hand_no == self.hand_no + 1
            case CardsDiscarded(card, (seat,)):
                assert self.refusal(seat, PlayCard(card)) is None
            case DiscardPassed(seat):
                assert self.refusal(seat, Pass()) is None
            case DealThrown(_, throws):
                assert event == self.as_thrown([face for pair in throws for face in pair])
            case DiceRolled(_, faces):
                assert event == self.as_thrown(list(faces))
            case _:
                raise AssertionError(f"{event} comes by itself")

    def happens(self, event: Any) -> None:
        match event:
            case DealThrown(_, _, highest):
                self.throwing = highest
                if len(highest) == 1:
                    self.dealer, self.phase = highest[0], "deal"
            case HandDealt(hand_no, dealer, rows, top, under):
                self.hand_no, self.dealer, self.phase = hand_no, dealer, "throwing"
                self.rows, self.discard, self.seen = [list(row) for row in rows], [*under.value, top], 1
                assert sorted([*self.discard, *(card for row in self.rows for card in row)]) == sorted(
                    [*(n for n in range(2, 11) for _ in range(self.seats)), *self.options.misc_cards]
                )
                self.turn = (dealer + 1) % self.seats
                self.faces, self.number, self.thrower, self.asked, self.answered = (), None, -1, [], []
            case DiceRolled(seat, faces, _, number):
                self.throw(seat, faces, number)
            case CardsTaken(seat, _, cards):
                """CK-14, CK-18, CK-R14: what lies on top now is seen by all."""
                for card in cards:
                    assert self.discard.pop() == card
                self.rows[seat] = sorted([*self.rows[seat], *cards])
                self.seen = max(self.seen - len(cards), 1 if self.discard else 0)
            case CardsDiscarded(card, seats):
                for seat in seats:
                    self.rows[seat].remove(card)
                    self.discard.append(card)
                    self.seen += 1
                self.answer(seats)
            case DiscardPassed(seat):
                self.answer((seat,))
            case HandWon(_, _, _, points, balance):
                self.points, self.balance = list(points), list(balance)
                self.phase = "game_over" if self.decided() else "deal"

    def throw(self, seat: int, faces: tuple[Any, ...], number: int | None) -> None:
        """CK-10 to CK-19, CK-R5"""
        assert seat == self.turn
        self.thrower, self.faces, self.number, self.answered = seat, faces, number, []
        checks = faces.count("CHECK")
        if checks:
            taken = tuple(reversed(self.discard))[:checks]
            below = self.discard[: len(self.discard) - len(taken)]
            self.due = [CardsTaken(seat, checks, taken, below[-1] if below else None)]
        may = self.round_from(seat)[1 if checks else 0 :]
        holders = [at for at in may if number in self.rows[at]]
        self.asked = holders if self.options.discard_mode == "manual" else []
        self.phase = "discarding" if self.asked else "throwing"
        if not self.asked:
            self.turn = (seat + 1) % self.seats
        if holders and not self.asked:
            assert number is not None
            self.due.append(CardsDiscarded(number, tuple(holders)))

    def answer(self, seats: tuple[int, ...]) -> None:
        """CK-20, CK-21: the throw is settled when the last card of it lies."""
        if self.options.discard_mode == "manual":
            self.answered += seats
            self.asked = [seat for seat in self.asked if seat not in seats]
            if self.asked:
                return
            self.phase, self.turn = "throwing", (self.thrower + 1) % self.seats
        out = [seat for seat in self.round_from(self.thrower) if not self.rows[seat]]
        if out:
            """CK-22, CK-24, CK-R12"""
            left = [len(row) for row in self.rows]
            points, balance = list(self.points), [had - paid for had, paid in zip(self.balance, left, strict=True)]
            points[out[0]] += sum(left)
            balance[out[0]] += sum(left)
            self.due = [HandWon(out[0], tuple(out), tuple(left), tuple(points), tuple(balance))]

    def scores(self) -> list[int]:
        return self.points if self.options.score_mode == "gross" else self.balance

    def decided(self) -> bool:
        """CK-25, CK-R10, CK-R11"""
        ranking = sorted(self.scores(), reverse=True)
        if self.options.score_mode == "net" and self.hand_no >= self.options.max_hands:
            return ranking[0] > ranking[1]
        return ranking[0] >= self.options.target and ranking[0] > ranking[1]

    def outcome(self) -> Outcome | None:
        if self.phase != "game_over":
            return None
        reason = "target" if max(self.scores()) >= self.options.target else "max_hands"
        return Outcome(tuple(places(self.scores())), tuple(self.scores()), reason)

    def to_act(self) -> set[int]:
        return {
            "throwing": {self.turn} if self.hand_no else set(),
            "discarding": set(self.asked),
            "game_over": set(),
        }.get(self.phase, {CHANCE})

    def asked_of_chance(self) -> Any:
        """CK-02, CK-04, CK-R2"""
        if self.phase == "dealer_throw":
            return Dice(2 * len(self.throwing), 6)
        return Shuffle(
            (*list("23456789") * self.seats, *["10"] * self.seats, *(f"{n}*" for n in self.options.misc_cards))
        )

    def drawn_for(self, command: Any) -> Dice:
        return Dice(2, 6)

    def view(self, seat: int | None) -> dict[str, Any]:
        """CK-07, CK-R14"""
        height = len(self.discard)
        return {
            "phase": {"deal": "awaiting_deal", "game_over": "finished"}.get(self.phase, self.phase),
            "hand_no": self.hand_no,
            "dealer": self.dealer,
            "turn": self.turn if self.phase in {"throwing", "discarding"} else None,
            "rows": self.rows,
            "discard": self.discard[height - self.seen :],
            "discard_count": height,
            "discard_under": None,
            "discard_under_count": height - self.seen,
            "faces": self.faces,
            "number": self.number,
            "eligible": sorted(self.asked),
            "totals": self.scores(),
            "received": self.points,
            "balance": self.balance,
        }

    def legal(self, seat: int) -> list[Any]:
        possible = [Roll(), Pass(), *(PlayCard(n) for n in range(2, 11))]
        return [command for command in possible if self.refusal(seat, command) is None]

    def refusal(self, seat: int, command: Any) -> tuple[str, str] | None:
        if command == Roll():
            match self.phase:
                case "game_over":
                    return "CK-25", "wrong_phase"
                case "dealer_throw" | "deal":
                    return "CK-05", "wrong_phase"
                case "discarding":
                    return "CK-10", "wrong_phase"
            return None if seat == self.turn else ("CK-10", "not_your_turn")
        if self.options.discard_mode == "auto":
            return "CK-R4", "not_at_this_table"
        if command == Pass():
            return None if seat in self.asked else ("CK-R4", "nothing_to_answer")
        if self.faces == ("CHECK", "CHECK"):
            return "CK-18", "no_discard"
        if seat in self.answered:
            return "CK-13", "already_answered"
        if seat == self.thrower and "CHECK" in self.faces:
            return "CK-14", "no_discard"
        if self.phase != "discarding":
            return "CK-12", "wrong_phase"
        if command.card not in self.rows[seat]:
            return "CK-12", "not_in_hand"
        return None if command.card == self.number else ("CK-11", "wrong_number")

    def any_command(self, rng: random.Random) -> Any:
        return rng.choice([Roll(), Pass(), PlayCard(rng.randrange(1, 12)), PlayCard(self.number or 2)])


def recount(events: Iterable[Any], options: Any, seats: int) -> Outcome | None:
    return recounted(CheckTold, events, options, seats)


def even_or_odd(seats: int) -> dict[str, Any]:
    """What each table size is tried with: at every second one the extra cards lie on the Discard."""
    extra = {"discard_seed": "misc", "misc_cards": [2, 9, 10, 10]} if seats % 2 else {}
    return extra | ({"max_seats": seats} if seats > 4 else {})


@pytest.mark.parametrize("seats", range(2, 9))
def test_a_whole_match_goes_as_the_rule_page_tells_it(seats: int) -> None:
    """CK-01 to CK-26, CK-R1 to CK-R14: to the end at every table, by counters and by balance."""
    gross, net = {"target": 5 + 5 * seats}, {"score_mode": "net", "target": 2 + 4 * seats, "max_hands": 3}
    for scoring in (gross, net):
        assert retell(CheckTold, GAME, seats, {**scoring, **even_or_odd(seats)}, 20_000) is not None


@pytest.mark.parametrize("seats", range(2, 9))
def test_a_match_with_answers_goes_as_the_rule_page_tells_it(seats: int) -> None:
    """CK-10 to CK-22, CK-R4: every seat that holds the number plays it or passes, in any order."""
    retell(CheckTold, GAME, seats, {"discard_mode": "manual", **even_or_odd(seats)}, 900)


def dealt(*rows: list[int], discard: list[int] | None = None, turn: int = 0, **options: Any) -> Story:
    stack = tuple(discard or ())
    story = table(GAME, len(rows), first_dealer=0, **options)
    return story.but(phase="throwing", hand_no=1, rows=tuple(tuple(r) for r in rows), discard=stack, turn=turn)


def roll(story: Story, *dice: int) -> Story:
    return story.when(story.table.turn, Roll(), Rolled(dice))


def rows(story: Story) -> list[list[int]]:
    return [sorted(row) for row in story.table.rows]


# ── Pack, deal, turns ───────────────────────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize(("seats", "cards"), [(2, 22), (3, 31), (4, 40), (5, 49), (6, 58), (8, 76)])
def test_nine_cards_a_seat_and_four_more_CK_E12(seats: int, cards: int) -> None:
    """CK-02, CK-03, CK-05, CK-E12: nine each are dealt and four are left at every table."""
    story = table(GAME, seats, first_dealer=0, max_seats=8)
    deck = pack(story.table)
    assert len(deck) == cards
    event = story.when(CHANCE, Shuffled(deck)).last(HandDealt)
    assert [len(row) for row in event.rows] == [9] * seats
    assert len(event.discard_under.value) == 3 and event.discard_under.to == ()
    assert int(deck[0]) in event.rows[1]  # the first card goes to the dealer's left


def test_the_dice_name_the_first_dealer_and_ties_throw_again() -> None:
    """CK-04, CK-R8: CHECK counts nothing; only the tied throw again."""
    story = table(GAME, 3)
    assert GAME.chance(story.table) == Dice(6, 6)
    tied = story.when(CHANCE, Rolled((5, 6, 3, 2, 1, 1)))
    tied.then(DealThrown((0, 1, 2), ((5, CHECK), (3, 2), (1, 1)), (0, 1)))
    assert GAME.chance(tied.table) == Dice(4, 6)
    assert tied.when(CHANCE, Rolled((1, 2, 2, 6))).table.dealer == 0
    assert table(GAME, 3, first_dealer=2).table.dealer == 2


def test_the_extra_cards_alone_may_start_the_discard() -> None:
    """CK-R2, CK-R3, CK-06"""
    story = table(GAME, 2, first_dealer=0, discard_seed="misc", misc_cards=[2, 2, 9, 10])
    deck = tuple(reversed(pack(story.table)))
    event = story.when(CHANCE, Shuffled(deck)).last(HandDealt)
    assert sorted((*event.discard_under.value, event.discard_top)) == [2, 2, 9, 10]
    refuses_table(GAME, 2, "CK-R2", misc_cards=[1, 5, 6, 7])  # CK-X11


def test_rows_are_open_and_uneven_rows_stay() -> None:
    """CK-07, CK-08, CK-R14: all see the same; of the Discard the top card and its height."""
    story = table(GAME, 2, first_dealer=0)
    dealt_out = story.when(CHANCE, Shuffled(tuple(sorted(pack(story.table)))))
    views = [GAME.view(dealt_out.table, seat) for seat in (0, 1, None)]
    assert views[0] == views[1] == views[2]
    assert views[0]["discard_count"] == 4 and len(views[0]["discard"]) == 1
    assert max(dealt_out.table.rows[0].count(n) for n in range(2, 11)) > 1


def test_whoever_may_see_everything_sees_the_bottom_of_the_discard() -> None:
    """CK-R14: it is shown when the match is over; until then nobody has seen it."""
    story = dealt([6, 9], [3], discard=[2, 7, 4, 8]).but(unseen=3)
    for seat in (None, 0, 1):
        seen = GAME.view(story.table, seat)
        assert (seen["discard"], seen["discard_under"], seen["discard_under_count"]) == ((8,), None, 3)
    assert GAME.view(story.table, ALL)["discard_under"] == (2, 7, 4)


def test_a_seat_imagines_the_bottom_of_the_discard_in_any_order() -> None:
    """CK-R14: which cards they are follows from those in sight, so that only their order is open."""
    story = dealt([6, 9], [3], discard=[2, 7, 7, 8]).but(unseen=3)
    rng = random.Random(7)
    found = Counter(GAME.imagine(story.table, 0, rng.randrange).discard for _ in range(3000))
    assert set(found) == {(2, 7, 7, 8), (7, 2, 7, 8), (7, 7, 2, 8)}
    assert all(850 < count < 1150 for count in found.values())
    assert all(
        GAME.imagine(story.table, 0, rng.randrange)._replace(discard=story.table.discard) == story.table
        for _ in range(9)
    )


def test_the_dealers_left_throws_first_and_each_throw_is_a_turn() -> None:
    """CK-09, CK-10, CK-X1, CK-X2"""
    story = table(GAME, 3, first_dealer=0)
    story = story.when(CHANCE, Shuffled(pack(story.table)))
    story.allows(1, Roll()).allows(0).refuses(2, Roll(), "CK-10")
    after = roll(story, 1, 1)
    after.refuses(1, Roll(), "CK-10").allows(2, Roll())
    doubles = roll(after, 2, 2)
    doubles.allows(0, Roll())  # no throw earns another


def test_no_throw_before_the_deal_or_after_the_game() -> None:
    """CK-X10, CK-X3: dealing is chance's and needs no command."""
    table(GAME, 2).refuses(0, Roll(), "CK-05")
    over = roll(dealt([2], [3] * 10, target=10), 1, 1)
    over.refuses(1, Roll(), "CK-25")


# ── Throws ──────────────────────────────────────────────────────────────────────────────────────────────────────


def test_everybody_with_the_sum_lays_one_card_away_CK_E1() -> None:
    """CK-01, CK-11, CK-12, CK-13, CK-R5, CK-E1"""
    story = roll(dealt([6, 9], [6, 6, 3], [10], discard=[2, 3, 4, 8]), 4, 2)
    story.then(DiceRolled(0, (4, 2), "sum", 6), CardsDiscarded(6, (0, 1)))
    assert rows(story) == [[9], [3, 6], [10]] and story.table.discard == (2, 3, 4, 8, 6, 6)


def test_a_check_takes_first_and_opponents_discard_after_CK_E2() -> None:
    """CK-14, CK-15, CK-16, CK-E2"""
    story = roll(dealt([4, 9], [4, 4, 3], [10], discard=[2, 3, 4, 8]), 4, 6)
    story.then(DiceRolled(0, (4, CHECK), "check", 4), CardsTaken(0, 1, (8,), 4), CardsDiscarded(4, (1,)))
    assert rows(story) == [[4, 8, 9], [3, 4], [10]] and story.table.discard == (2, 3, 4, 4)


def test_a_double_check_takes_two_CK_E3() -> None:
    """CK-18, CK-E3"""
    story = roll(dealt([4, 9], [4, 4, 3], [10], discard=[2, 3, 4, 8]), 6, 6)
    story.then(DiceRolled(0, (CHECK, CHECK), "double_check", None), CardsTaken(0, 2, (8, 4), 3))
    assert rows(story) == [[4, 4, 8, 9], [3, 4, 4], [10]] and story.table.discard == (2, 3)


def test_a_short_discard_gives_what_it_has_CK_E4_CK_E5() -> None:
    """CK-19, CK-R6, CK-E4, CK-E5"""
    one = roll(dealt([4, 9], [3], discard=[8]), 6, 6)
    assert one.last(CardsTaken) == CardsTaken(0, 2, (8,), None) and one.table.discard == ()
    none = roll(dealt([4, 9], [4, 4, 3]), 6, 4)
    assert none.last(CardsTaken) == CardsTaken(0, 1, (), None)
    assert rows(none) == [[4, 9], [3, 4]] and none.table.discard == (4,)


@pytest.mark.parametrize(("discard", "paid"), [([], 2), ([9], 3), ([9, 9], 3)])
def test_the_thrower_of_a_check_pays_for_what_he_could_take(discard: list[int], paid: int) -> None:
    """CK-14, CK-19, CK-23, CK-24: an opponent runs out on the throw; from an empty Discard nothing was taken."""
    won = roll(dealt([4, 9], [4], discard=discard), 6, 4).last(HandWon)
    assert (won.seat, won.payments, won.points, won.balance) == (1, (paid, 0), (0, paid), (-paid, paid))


def test_single_numbers_do_not_count_CK_E6() -> None:
    """CK-11, CK-E6"""
    assert rows(roll(dealt([5, 3], [8, 9]), 5, 3)) == [[3, 5], [9]]


def test_a_check_with_a_one_lets_nobody_discard_CK_E11() -> None:
    """CK-17, CK-R7, CK-E11"""
    story = roll(dealt([2, 2], [3], [7], discard=[2, 9], turn=1), 1, 6)
    assert rows(story) == [[2, 2], [3, 9], [7]] and story.table.discard == (2,)


# ── Winning a hand and the game ─────────────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize(
    ("hands", "turn", "dice", "discard", "winner", "payments"),
    [
        pytest.param([[8], [8], [5, 3]], 0, (5, 3), [], 0, (0, 0, 2), id="CK-E7"),
        pytest.param([[8, 8], [8], [8]], 0, (5, 3), [], 1, (1, 0, 0), id="CK-E8"),
        pytest.param([[8, 8], [4], [4, 5], [4]], 2, (6, 4), [2], 3, (2, 0, 3, 0), id="CK-E9"),
        pytest.param([[6], [6, 2, 3, 10], [9, 9]], 0, (4, 2), [], 0, (0, 3, 2), id="CK-E10"),
        pytest.param([[6], [6]], 1, (4, 2), [], 1, (0, 0), id="CK-E13"),
    ],
)
def test_who_wins_a_hand_and_what_it_pays(
    hands: list[list[int]], turn: int, dice: tuple[int, int], discard: list[int], winner: int, payments: tuple[int, ...]
) -> None:
    """CK-20, CK-21, CK-22, CK-23, CK-24, CK-R12; CK-E7, CK-E8, CK-E9, CK-E10, CK-E13"""
    story = roll(dealt(*hands, discard=discard, turn=turn), *dice)
    won = story.last(HandWon)
    assert (won.seat, won.payments, won.points[winner]) == (winner, payments, sum(payments))
    assert sum(won.balance) == 0
    deal = story.when(CHANCE, Shuffled(pack(story.table)))
    assert deal.last(HandDealt).dealer == 1  # CK-26, CK-R9: the deal passes in any case


def test_the_first_to_reach_the_target_wins_the_game() -> None:
    """CK-25, CK-R11"""
    short = roll(dealt([2], [3] * 9, target=10), 1, 1)
    assert GAME.outcome(short.table) is None
    result = GAME.outcome(roll(dealt([2], [3] * 10, target=10), 1, 1).table)
    assert result is not None and result.winners == (0,) and result.scores == (10, 0)


def test_a_net_game_counts_the_balance_and_ends_after_its_last_hand() -> None:
    """CK-R10"""
    tied = roll(dealt([2], [3, 3], score_mode="net", max_hands=1).but(balance=(-4, 0)), 1, 1)
    assert tied.table.balance == (-2, -2) and GAME.outcome(tied.table) is None  # equal: one more hand
    led = GAME.outcome(roll(dealt([2], [3, 3], score_mode="net", max_hands=1), 1, 1).table)
    assert led is not None and led.scores == (2, -2)


def test_larger_tables_are_an_option() -> None:
    """CK-R13, CK-X11"""
    refuses_table(GAME, 5, "CK-R13")
    assert table(GAME, 8, max_seats=8).table.seats == 8


# ── The manual game ─────────────────────────────────────────────────────────────────────────────────────────────


def manual(*hands: list[int], dice: tuple[int, int], **more: Any) -> Story:
    return roll(dealt(*hands, discard_mode="manual", discard=[2, 3], **more), *dice)


def test_eligible_seats_answer_in_any_order() -> None:
    """CK-R4"""
    story = manual([6, 9], [6, 6, 3], [10], dice=(4, 2))
    assert GAME.to_act(story.table) == {0, 1}
    story.allows(1, Pass(), PlayCard(6)).allows(2).refuses(2, Pass(), "CK-R4").refuses(2, PlayCard(6), "CK-12")
    kept = story.when(1, Pass()).then(DiscardPassed(1))
    done = kept.when(0, PlayCard(6)).then(CardsDiscarded(6, (0,)))
    assert rows(done) == [[9], [3, 6, 6], [10]]
    done.allows(1, Roll())


def test_the_hand_is_won_when_the_last_answer_is_in() -> None:
    """CK-20, CK-21, CK-R4"""
    story = manual([6], [6, 3], dice=(4, 2)).when(0, PlayCard(6))
    assert story.when(1, PlayCard(6)).last(HandWon).payments == (0, 1)
    assert story.when(1, Pass()).last(HandWon).payments == (0, 2)


def test_what_manual_seats_may_not_do() -> None:
    """CK-X4, CK-X5, CK-X6, CK-X7, CK-X8, CK-X9"""
    manual([5, 8], [3], dice=(5, 3)).refuses(0, PlayCard(5), "CK-11").refuses(0, PlayCard(7), "CK-12")
    twice = manual([6, 6], [6, 3], dice=(4, 2)).when(0, PlayCard(6))
    twice.refuses(0, PlayCard(6), "CK-13").refuses(0, Roll(), "CK-10")
    manual([4, 9], [4, 3], dice=(6, 4)).refuses(0, PlayCard(4), "CK-14")
    manual([4, 9], [4, 3], dice=(6, 6)).refuses(1, PlayCard(4), "CK-18")
    roll(dealt([6, 6], [3]), 4, 2).refuses(0, PlayCard(6), "CK-R4").refuses(0, Pass(), "CK-R4")


def test_a_seat_that_does_not_answer_passes() -> None:
    """CK-R4: the first legal command, which the clock makes for an absent seat, is to pass."""
    assert GAME.legal(manual([6, 9], [3], dice=(4, 2)).table, 0)[0] == Pass()


def test_dice_show_one_to_five_and_check() -> None:
    """CK-R1: every face turns up, and every sum from 2 to 10."""
    thrown = [
        event
        for moment in random_match(GAME, 2, {"target": 30}, random.Random(4))
        for event in moment.events
        if isinstance(event, DiceRolled)
    ]
    assert {face for event in thrown for face in event.faces} == {1, 2, 3, 4, 5, CHECK}
    assert {event.number for event in thrown if event.kind == "sum"} == set(range(2, 11))


def test_a_second_card_of_a_throw_is_refused_as_such() -> None:
    """CK-13, also when the dice have passed on to the seat that plays it, and lie with a CHECK."""
    story = roll(dealt([9, 9], [4, 4, 8], discard=[2, 3], discard_mode="manual"), 6, 4)
    settled = story.when(1, PlayCard(4))
    assert settled.table.turn == 1
    settled.refuses(1, PlayCard(4), "CK-13")


def test_who_has_thrown_a_check_may_not_discard_after_the_others_either() -> None:
    """CK-14, CK-X6: before the others have answered, afterwards, and when nobody had to answer."""
    waiting = roll(dealt([4, 9], [4, 4, 8], discard=[2, 3], discard_mode="manual"), 6, 4)
    waiting.refuses(0, PlayCard(4), "CK-14")
    waiting.when(1, PlayCard(4)).refuses(0, PlayCard(4), "CK-14")
    nobody = roll(dealt([4, 9], [8, 8], discard=[2, 3], discard_mode="manual"), 6, 4)
    nobody.refuses(0, PlayCard(4), "CK-14").refuses(1, PlayCard(8), "CK-12")


def test_a_net_game_that_the_last_hand_ended_says_so() -> None:
    """CK-R10"""
    options: dict[str, Any] = {"score_mode": "net", "target": 100, "discard_mode": "auto"}
    ended = roll(dealt([2], [3, 3], max_hands=1, **options), 1, 1)
    by_hands = GAME.outcome(ended.table)
    assert by_hands is not None and by_hands.reason == "max_hands"
    reached = roll(dealt([2], [3] * 10, max_hands=200, score_mode="net", target=10), 1, 1)
    by_target = GAME.outcome(reached.table)
    assert by_target is not None and by_target.reason == "target"


def test_options_that_change_nothing_are_refused() -> None:
    """CK-R10, CK-R13"""
    for seats in range(2, 9):
        more = {"max_seats": seats} if seats > 4 else {}
        refuses_idle(GAME, seats, "max_hands", 200, **more)
        GAME.new_table({"max_hands": 200, "score_mode": "net", **more}, seats)
        if seats <= 4:
            refuses_idle(GAME, seats, "max_seats", seats)
            refuses_idle(GAME, seats, "max_seats", 8)


def everyone_with_an_eight(seats: int, thrower: int) -> list[list[int]]:
    """The thrower has a card more, the seat to his left another number."""
    hands = [[8] for _ in range(seats)]
    hands[thrower] = [8, 9]
    hands[(thrower + 1) % seats] = [3, 3, 3]
    return hands


@pytest.mark.parametrize("discard_mode", ["auto", "manual"])
@pytest.mark.parametrize("seats", range(3, 9))
def test_of_several_without_cards_the_first_to_the_left_of_the_thrower_wins(seats: int, discard_mode: str) -> None:
    """CK-20, CK-22, CK-24, CK-R12: for every thrower at every table, in whatever order they answer, in any hand."""
    for thrower in range(seats):
        hands = everyone_with_an_eight(seats, thrower)
        before = tuple(range(10, 10 + seats))
        story = dealt(*hands, turn=thrower, discard_mode=discard_mode, max_seats=8).but(hand_no=3, points=before)
        won = roll(story, 5, 3)
        for seat in sorted(won.table.eligible, reverse=True):
            won = won.when(seat, PlayCard(8))
        out = tuple((thrower + step) % seats for step in range(2, seats))
        payments = tuple({thrower: 1, (thrower + 1) % seats: 3}.get(seat, 0) for seat in range(seats))
        points = tuple(had + 4 * (seat == out[0]) for seat, had in enumerate(before))
        balance = tuple(4 if seat == out[0] else -paid for seat, paid in enumerate(payments))
        assert won.last(HandWon) == HandWon(out[0], out, payments, points, balance)


@pytest.mark.parametrize("seats", range(2, 9))
def test_a_level_net_game_goes_on_at_every_table(seats: int) -> None:
    """CK-R10: after the last hand, and at the target too; one more hand at a time, until one leads."""
    low = (-9,) * (seats - 2)
    for target, max_hands, hand_no in ((10, 200, 3), (1000, 3, 3), (1000, 3, 6)):
        hands = [*([5],) * (seats - 2), [3, 3, 3], [2]]
        options: dict[str, Any] = {"score_mode": "net", "target": target, "max_hands": max_hands, "max_seats": 8}
        story = dealt(*hands, turn=seats - 1, **options).but(hand_no=hand_no)
        # The last seat is paid three and one for every other, and the last but one pays three.
        gain = 3 + (seats - 2)
        level = roll(story.but(balance=(*low, 15, 12 - gain)), 1, 1)
        assert level.table.balance[-2:] == (12, 12)
        assert GAME.outcome(level.table) is None and GAME.to_act(level.table) == {CHANCE}
        extra = level.when(CHANCE, Shuffled(pack(level.table)))
        assert (extra.last(HandDealt).hand_no, extra.last(HandDealt).dealer) == (hand_no + 1, 1)
        led = GAME.outcome(roll(story.but(balance=(*low, 15, 13 - gain)), 1, 1).table)
        assert led is not None and led.winners == (seats - 1,) and led.scores[-2:] == (12, 13)
        assert led.reason == ("target" if target == 10 else "max_hands")


def test_absent_seats_are_passed_for_from_the_thrower_on() -> None:
    """CK-R4, CK-R5: in the order in which the cards would lie."""
    story = manual([6, 9], [6, 3], [6, 10], dice=(4, 2), turn=1)
    assert tuple(GAME.order(story.table)) == (1, 2, 0)
    assert all(GAME.legal(story.table, seat)[0] == Pass() for seat in range(3))


def test_a_large_table_is_told_how_it_is_had() -> None:
    """CK-R13"""
    assert GAME.usual_seats == range(2, 5)
    for seats in (5, 9):
        with pytest.raises(Refused, match="max_seats"):
            GAME.new_table({}, seats)
    assert GAME.new_table({"max_seats": 5}, 5).seats == 5
