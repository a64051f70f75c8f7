"""Prince and Pauper, rule by rule."""

from __future__ import annotations

import random
from collections.abc import Iterable, Sequence
from itertools import combinations
from typing import Any

import pytest

from domain.game import ALL, CHANCE, Outcome, Pick, Picked, Refused, Secret, Shuffle, Shuffled, each_its_own
from domain.games.prince_and_pauper import GAME
from domain.games.prince_and_pauper.game import (
    CardPlayed,
    HandDealt,
    HandScored,
    HandVoided,
    Table,
    Tally,
    TrickTaken,
    count,
)
from domain.kit.cards import PAUPER, PRINCE, Card
from domain.kit.dealing import DealerChosen
from domain.kit.plays import PlayCard
from tests.domain.onlooker import Objection, compare, follows, read
from tests.domain.playing import Deal, of_type, random_match, to_the_left
from tests.domain.story import Story, hand, refuses_table, table
from tests.golden.matches import Golden


def the_pauper_beats_the_prince(events: list[Any]) -> bool:
    """A trick that holds the Prince, taken by the seat that kept the Pauper to its last card."""
    trick: list[CardPlayed] = []
    for event in events:
        if isinstance(event, CardPlayed):
            trick.append(event)
        elif isinstance(event, TrickTaken):
            cards = {play.card for play in trick}
            if PRINCE in cards and any(play.pauper == "last" and play.seat == event.seat for play in trick):
                return True
            trick = []
    return False


QUICK = {"target": 15}
SEVERAL = {"target": 20}
GOLDEN = Golden(
    seats=5,
    options={"target": 12},
    moment="a Pauper kept to the end takes its trick, even from the Prince",
    shows=the_pauper_beats_the_prince,
)


LETTERS = "CROW"
# PP-02: C-13 and W-1 never appear.
PACK = (
    *(Card(f"{letter}-{n}") for letter in LETTERS for n in range(1, 14) if (letter, n) not in {("C", 13), ("W", 1)}),
    PRINCE,
    PAUPER,
)


def whole(s: Table) -> Iterable[Any]:
    return PACK


def pieces(s: Table) -> Iterable[Any]:
    return [*(c for pile in (*s.hands, *s.taken) for c in pile), *(play.card for play in s.trick)]


# ── What the rule page says, for the common tests ────────────────────────────────────────────────────────────────

SEATS = ("PP-01", range(3, 9))
OPTIONS = {
    "target": ("PP-R10", 75, range(1, 501)),
    "first_dealer": ("PP-R01", "random", "seat"),
    "turned_special": ("PP-R02", "c_trump", ("c_trump", "redeal")),
    "most_tricks_tie": ("PP-R09", "none", ("none", "each")),
}
REFUSALS = {
    "PP-02": {"not_in_hand"},
    "PP-15": {"wrong_phase"},
    "PP-16": {"not_in_hand", "not_your_turn"},
    "PP-17": {"pauper_led"},
    "PP-19": {"must_follow"},
    "PP-21": {"pauper_too_early", "no_set_of_13"},
    "PP-22": {"no_set_of_13"},
    "PP-31": {"wrong_phase"},
}


def came_to_nothing(event: Any, options: Any) -> bool:
    """PP-R02: whether this deal is made again."""
    return event.turned in ("PRINCE", "PAUPER") and options.turned_special == "redeal"


def next_dealer(events: Sequence[Any], options: Any, seats: int) -> int:
    """PP-04, PP-R02: to the left, but a deal that came to nothing is made again by the same dealer."""
    deals = of_type(events, "HandDealt")
    if deals and came_to_nothing(deals[-1], options):
        return int(deals[-1].dealer)
    return to_the_left(events, options, seats)


def by_letter(cards: Iterable[Card]) -> list[Card]:
    """PP-10: C, R, O, W, each from 1 to 13; PRINCE and PAUPER at the end."""
    return [card for card in PACK if card in set(cards)]


def deal_map(deal: Deal) -> Iterable[Any]:
    """PP-06 to PP-09, PP-R02: all 52, one at a time from eldest; the seat that gets the last one turns it up."""
    hands: list[list[Card]] = [[] for _ in range(deal.seats)]
    owner = deal.dealer
    for card in deal.deck:
        owner = (owner + 1) % deal.seats
        hands[owner].append(card)
    counts = tuple(len(held) for held in hands)
    more = {3: 1, 4: 0, 5: 2, 6: 4, 7: 3, 8: 4}[deal.seats]
    assert sorted(counts) == [52 // deal.seats] * (deal.seats - more) + [52 // deal.seats + 1] * more
    assert owner == (deal.dealer + more) % deal.seats
    secrets = tuple(Secret(tuple(by_letter(held)), (seat,)) for seat, held in enumerate(hands))
    turned = deal.deck[51]
    trump: str | None = turned[0]
    basis = "suit"
    if turned in ("PRINCE", "PAUPER"):
        trump, basis = ("C", "fallback") if deal.options.turned_special == "c_trump" else (None, "void")
    hand_no = 1 + len([e for e in of_type(deal.events, "HandDealt") if not came_to_nothing(e, deal.options)])
    yield HandDealt(hand_no, deal.dealer, counts, turned, owner, trump, basis, secrets)  # type: ignore[arg-type]
    if basis == "void":
        yield HandVoided("turned_special")


class Notes:
    """PP-08 to PP-31, as an onlooker writes them down card by card."""

    def __init__(self, options: Any, seats: int) -> None:
        self.options, self.seats = options, seats
        self.dealer = None if options.first_dealer == "random" else options.first_dealer
        self.hand_no, self.runs, self.trump = 0, False, ""
        self.turned: Card | None = None
        self.owner: int | None = None
        self.hands: list[list[Card]] = [[] for _ in range(seats)]
        self.turn: int | None = None
        self.crowned: int | None = None
        self.trick_no, self.trick = 0, list[tuple[int, Card]]()
        self.tricks, self.taken = [0] * seats, [list[Card]() for _ in range(seats)]
        self.totals = [0] * seats

    def hears(self, event: Any) -> None:
        match event:
            case DealerChosen(seat):
                assert self.dealer is None
                self.dealer = seat
            case HandDealt(hand_no, dealer, _, turned, owner, trump, _, hands):
                self.hand_no, self.dealer, self.turned, self.owner = hand_no, dealer, turned, owner
                self.trump, self.runs = trump or "", True
                self.hands = [list(held.value) for held in hands]
                self.turn, self.trick_no, self.trick = (dealer + 1) % self.seats, 1, []
                self.tricks, self.taken = [0] * self.seats, [[] for _ in range(self.seats)]
            case HandVoided("turned_special"):
                assert self.turned in (PRINCE, PAUPER) and self.options.turned_special == "redeal"
                self.runs, self.hands = False, [[] for _ in range(self.seats)]
            case CardPlayed(seat, card, pauper):
                assert seat == self.turn
                self.hands[seat].remove(card)
                self.trick.append((seat, card))
                kept_to_the_end = card == PAUPER and not self.hands[seat]
                assert pauper == (None if card != PAUPER else "last" if kept_to_the_end else "disposed")
                self.crowned = seat if kept_to_the_end else self.crowned
                self.turn = self.first_with_cards(seat + 1, without=[player for player, _ in self.trick])
            case TrickTaken(trick_no, seat, next_lead):
                assert self.turn is None, "somebody has still to play"
                assert (trick_no, seat) == (self.trick_no, self.taker())
                self.tricks[seat] += 1
                self.taken[seat] += [card for _, card in self.trick]
                self.turn = self.first_with_cards(seat)
                assert next_lead == self.turn
                self.crowned, self.trick, self.trick_no = None, [], self.trick_no + 1
            case HandScored(tallies, delta, totals):
                assert self.turn is None and not self.trick
                expected = [self.tally(seat) for seat in range(self.seats)]
                assert [tuple(tally) for tally in tallies] == expected
                assert list(delta) == [sum(tally) for tally in expected] and sum(delta) == self.sum_of_the_hand()
                self.totals = [had + got for had, got in zip(self.totals, delta, strict=True)]
                assert list(totals) == self.totals
                self.runs = False

    def first_with_cards(self, start: int, without: Sequence[int] = ()) -> int | None:
        """PP-16, PP-27: seats without cards are passed over."""
        around = [(start + step) % self.seats for step in range(self.seats)]
        return next((seat for seat in around if self.hands[seat] and seat not in without), None)

    def height(self, card: Card) -> tuple[int, int]:
        """PP-11 to PP-14: PRINCE, then trumps, then C, R, O and W; PAUPER below them all."""
        if card in (PRINCE, PAUPER):
            return (6, 0) if card == PRINCE else (0, 0)
        return 5 if card[0] == self.trump else 4 - LETTERS.index(card[0]), int(card[2:])

    def taker(self) -> int:
        """PP-24, PP-25"""
        return self.crowned if self.crowned is not None else max((self.height(c), seat) for seat, c in self.trick)[1]

    def tally(self, seat: int) -> tuple[int, ...]:
        """PP-28, PP-29: fives, tens, the two of trumps, PRINCE, PAUPER, the most tricks."""
        pile, best = self.taken[seat], max(self.tricks)
        alone = self.tricks.count(best) == 1
        most = 3 if self.tricks[seat] == best and (alone or self.options.most_tricks_tie == "each") else 0
        fives = len([c for c in pile if c.endswith("-5")])
        tens = 2 * len([c for c in pile if c.endswith("-10")])
        return fives, tens, 2 * (f"{self.trump}-2" in pile), 3 * (PRINCE in pile), -10 * (PAUPER in pile), most

    def sum_of_the_hand(self) -> int:
        """PP-32, and every card is taken once, in the tricks of the table at PP-07."""
        assert sum(self.tricks) == {3: 18, 4: 13, 5: 11, 6: 9, 7: 8, 8: 7}[self.seats]
        assert sorted(card for pile in self.taken for card in pile) == sorted(PACK)
        tied = self.tricks.count(max(self.tricks))
        return 10 if tied == 1 else 7 if self.options.most_tricks_tie == "none" else 7 + 3 * tied

    @property
    def acting(self) -> int | None:
        return self.turn if self.runs else None

    def outcome(self) -> Outcome | None:
        """PP-30, PP-31"""
        best = max(self.totals)
        if self.runs or best < self.options.target or self.totals.count(best) > 1:
            return None
        places = tuple(1 + len([t for t in self.totals if t > mine]) for mine in self.totals)
        return Outcome(places, tuple(self.totals), "target")

    def view(self, seat: int | None) -> dict[str, Any]:
        return {
            "phase": "playing" if self.runs else "finished" if self.outcome() else "awaiting_deal",
            "hand_no": self.hand_no,
            "dealer": self.dealer,
            "trump": self.trump or None,
            "turned": self.turned,
            "turned_by": self.owner,
            "turn": self.acting,
            "hand": None if seat is None else self.hands[seat],
            "hand_counts": [len(held) for held in self.hands],
            "hands": None,
            "trick_no": self.trick_no,
            "trick": [{"seat": player, "card": card} for player, card in self.trick],
            "pauper_taker": self.crowned,
            "trick_counts": self.tricks,
            "taken": self.taken,
            "totals": self.totals,
        }

    def neutral_first(self, cards: list[Card]) -> list[Card]:
        """What counts against its taker first, what counts for him last; of equal cards the low ones first."""

        def worth(card: Card) -> int:
            if card in (PRINCE, PAUPER):
                return 3 if card == PRINCE else -10
            return 2 if card == f"{self.trump}-2" else {"5": 1, "10": 2}.get(card[2:], 0)

        return sorted(cards, key=lambda card: (worth(card), self.height(card)))

    def objection(self, seat: int, card: Card) -> Objection | None:
        if not self.runs:
            return "PP-31" if self.outcome() else "PP-15", "wrong_phase", {"no hand is being played"}
        if seat != self.turn:
            return "PP-16", "not_your_turn", {f"it is the turn of seat {self.turn}"}
        held = self.hands[seat]
        if card not in held:
            return "PP-16" if card in PACK else "PP-02", "not_in_hand", {f"you do not hold {card}"}
        if card == PAUPER:
            return self.objection_to_the_pauper() if len(held) > 1 else None
        led = self.suit(self.trick[0][1]) if self.trick else ""
        fitting = [c for c in held if led and self.suit(c) == led]
        if fitting and card not in fitting:
            return "PP-19", "must_follow", {f"you hold {c}, so {card} cannot be played to this trick" for c in fitting}
        return None

    def suit(self, card: Card) -> str:
        """PP-13, PP-14, PP-18"""
        return self.trump if card == PRINCE else "" if card == PAUPER else card[0]

    def objection_to_the_pauper(self) -> Objection | None:
        """PP-17, PP-21, PP-22: of a seat that holds another card."""
        if not self.trick:
            return "PP-17", "pauper_led", {"the PAUPER can be led only as your last card"}
        if len(self.trick) == 1:
            return "PP-21", "pauper_too_early", {"the PAUPER waits until two cards lie in the trick"}
        numbers = [int(c[2:]) for _, c in self.trick if c != PRINCE]
        sets = [one for size in range(2, len(numbers) + 1) for one in combinations(numbers, size)]
        if any(sum(one) == 13 for one in sets):
            return None
        if 13 in numbers or len(numbers) < 2:
            return "PP-22", "no_set_of_13", {"neither a 13 by itself nor the PRINCE makes a set of 13"}
        return "PP-21", "no_set_of_13", {"no two or more cards of this trick add up to 13"}


def recount(events: Iterable[Any], options: Any, seats: int) -> Outcome | None:
    notes = Notes(options, seats)
    for event in events:
        notes.hears(event)
    return notes.outcome()


@pytest.mark.parametrize("seats", range(3, 9))
@pytest.mark.parametrize("given", [{"target": 8}, {"target": 12, "first_dealer": 2, "most_tricks_tie": "each"}])
def test_views_legal_cards_and_refusals_at_every_table(seats: int, given: dict[str, Any]) -> None:
    """PP-08, PP-10 to PP-32: step by step, for every seat and a spectator."""
    events = follows(GAME, Notes(read(GAME, given, seats), seats), given, (*PACK, *hand("C-13 W-1 C-14")), steps=160)
    assert of_type(events, "HandScored")


@pytest.mark.parametrize("seats", range(3, 9))
def test_a_deal_that_comes_to_nothing_is_made_again_at_every_table(seats: int) -> None:
    """PP-04, PP-09, PP-R02: in the first hand and in a later one, once and twice; nobody keeps a card of it."""
    given = {"turned_special": "redeal", "first_dealer": seats - 1}
    options = read(GAME, given, seats)
    story, notes, rng = table(GAME, seats, **given), Notes(options, seats), random.Random(seats)
    events: tuple[Any, ...] = ()
    for hand_no, turned in enumerate([PRINCE, PAUPER, Card("O-4"), PAUPER, Card("W-2"), Card("C-1")]):
        dealer = next_dealer(events, options, seats)
        assert dealer == (seats - 1, seats - 1, seats - 1, 0, 0, 1)[hand_no]
        rest = rng.sample([card for card in PACK if card != turned], 51)
        pack = (*rest, turned)
        story = story.when(CHANCE, Shuffled(pack))
        assert list(story.events) == list(deal_map(Deal(pack, dealer, 0, seats, options, events)))
        while True:
            events += story.events
            for event in story.events:
                notes.hears(event)
            if CHANCE in GAME.to_act(story.table):
                break
            turn = story.table.turn
            story = story.when(turn, rng.choice(GAME.legal(story.table, turn)))
        compare(GAME, story.table, notes, range(seats), PACK)
    assert [e.hand_no for e in of_type(events, "HandDealt")] == [1, 1, 1, 2, 2, 3]
    assert len(of_type(events, "HandScored")) == 3


def dealt(*hands: str, dealer: int = 0, trump: str = "R", hand_no: int = 1, **options: Any) -> Story:
    """A table after a deal of these hands, seat 0 first. Seat 1 leads unless another dealer is named."""
    held = [hand(h) for h in hands]
    counts = tuple(len(h) for h in held)
    event = HandDealt(hand_no, dealer, counts, Card(f"{trump}-2"), dealer, trump, "suit", each_its_own(held))
    return table(GAME, len(hands), **options).given(event)


def play(card: str) -> PlayCard:
    return PlayCard(Card(card))


def played(story: Story, cards: str) -> Story:
    """These cards, each by the seat whose turn it is."""
    for card in cards.split():
        story = story.when(story.table.turn, play(card))
    return story


def deck(last: Card) -> tuple[Card, ...]:
    """The pack in order, but for this card, which is turned up."""
    return (*(card for card in PACK if card is not last), last)


# ── Pack and deal ───────────────────────────────────────────────────────────────────────────────────────────────


def test_tables_of_2_and_9_seats_are_refused_by_PP_01() -> None:
    """PP-01"""
    refuses_table(GAME, 2, "PP-01")
    refuses_table(GAME, 9, "PP-01")
    for seats in range(3, 9):
        table(GAME, seats)


def test_the_pack_has_no_C_13_and_no_W_1_PP_E1() -> None:
    """PP-02, PP-E1: four fives, four tens; with the Prince there are 13 C, 14 R, 14 O and 13 W trumps."""
    assert len(PACK) == len(set(PACK)) == 52
    assert {"C-13", "W-1"}.isdisjoint(PACK) and {"PRINCE", "PAUPER"} < set(PACK)
    assert [sum(card.number == n for card in PACK) for n in (5, 10)] == [4, 4]
    assert [1 + sum(card.suit == suit for card in PACK) for suit in "CROW"] == [13, 14, 14, 13]
    story = table(GAME, 4, first_dealer=0)
    assert GAME.chance(story.table) == Shuffle(PACK)
    dealt("C-1 C-2", "R-1 R-2", "O-1 O-2").refuses(1, play("C-13"), "PP-02").refuses(1, play("W-1"), "PP-02")


def test_chance_names_the_first_dealer_then_the_deal_goes_left() -> None:
    """PP-03, PP-04, PP-05, PP-R01"""
    story = table(GAME, 3)
    assert GAME.to_act(story.table) == {CHANCE} and GAME.chance(story.table).of == 3  # type: ignore[union-attr]
    first = story.when(CHANCE, Picked(2)).then(DealerChosen(2)).when(CHANCE, Shuffled(PACK[::-1]))
    assert (first.last(HandDealt).dealer, first.last(HandDealt).hand_no) == (2, 1)
    assert GAME.to_act(first.table) == {0}, "a hand that is dealt is not dealt again"
    second = first.given(HandScored((), (10, 0, 0), (10, 0, 0))).when(CHANCE, Shuffled(PACK[::-1]))
    assert (second.last(HandDealt).dealer, second.last(HandDealt).hand_no) == (0, 2)
    assert table(GAME, 3, first_dealer=1).when(CHANCE, Shuffled(PACK)).last(HandDealt).dealer == 1
    refuses_table(GAME, 3, "PP-R01", first_dealer=3)


@pytest.mark.parametrize("seats", range(3, 9))
def test_any_seat_can_be_named_to_deal_first(seats: int) -> None:
    """PP-03, PP-06, PP-07, PP-R01: and the whole deal goes round from its left; at random every seat has its lot."""
    assert GAME.chance(table(GAME, seats).table) == Pick(seats)
    for dealer in range(seats):
        pack = tuple(random.Random(dealer).sample(PACK, len(PACK)))
        by_lot = table(GAME, seats).when(CHANCE, Picked(dealer)).then(DealerChosen(dealer))
        for story in (table(GAME, seats, first_dealer=dealer), by_lot):
            deal = Deal(pack, dealer, 1, seats, story.table.options, ())
            assert GAME.chance(story.table) == Shuffle(PACK)
            story.when(CHANCE, Shuffled(pack)).then(*deal_map(deal))


@pytest.mark.parametrize(
    ("seats", "each", "with_one_more", "owner", "tricks", "last_trick"),
    [(3, 17, 1, 1, 18, 1), (4, 13, 0, 0, 13, 4), (5, 10, 2, 2, 11, 2), (6, 8, 4, 4, 9, 4), (7, 7, 3, 3, 8, 3),
     (8, 6, 4, 4, 7, 4)],
)  # fmt: skip
def test_all_cards_are_dealt_one_at_a_time_and_the_last_trick_may_be_short(
    seats: int, each: int, with_one_more: int, owner: int, tricks: int, last_trick: int
) -> None:
    """PP-06, PP-07, PP-08, PP-10, PP-27, PP-R08"""
    story = table(GAME, seats, first_dealer=0, turned_special="redeal").when(CHANCE, Shuffled(deck(Card("O-4"))))
    event = story.last(HandDealt)
    eldest_first = [(1 + step) % seats for step in range(seats)]
    counts = [each + (place < with_one_more) for place in range(seats)]
    assert [event.counts[seat] for seat in eldest_first] == counts
    assert (event.turned, event.owner, event.trump, event.basis) == (Card("O-4"), owner % seats, "O", "suit")
    for place, seat in enumerate(eldest_first):
        assert event.hands[seat].value == tuple(by_letter(deck(Card("O-4"))[place::seats]))
        assert event.hands[seat].to == (seat,)
    assert Card("O-4") in story.table.hands[owner % seats]
    sizes = [0]
    rng = random.Random(seats)
    while story.table.playing:
        story = story.when(story.table.turn, rng.choice(GAME.legal(story.table, story.table.turn)))
        sizes[-1] += 1
        if any(isinstance(e, TrickTaken) for e in story.events):
            sizes.append(0)
    assert sizes == [*[seats] * (52 // seats), *([last_trick] if with_one_more else []), 0]
    assert len(sizes) - 1 == sum(story.table.tricks) == tricks


def test_the_card_turned_up_is_seen_by_all_and_played_from_its_owners_hand() -> None:
    """PP-08"""
    story = table(GAME, 4, first_dealer=3).when(CHANCE, Shuffled(deck(Card("W-9"))))
    for seat in (None, 0, 1, 2, 3):
        view = GAME.view(story.table, seat)
        assert (view["turned"], view["turned_by"], view["trump"]) == ("W-9", 3, "W")
    assert "W-9" in GAME.view(story.table, 3)["hand"]
    dealt("W-3", "W-4", "W-8", "W-9 C-1", dealer=3).refuses(0, play("W-9"), "PP-16")
    played(dealt("W-3 C-1", "W-4 C-2", "W-8 C-3", "W-9 C-4", dealer=3), "W-3 W-4 W-8 W-9")


@pytest.mark.parametrize("special", [PRINCE, PAUPER])
def test_a_turned_prince_or_pauper_makes_C_trump_PP_E14(special: Card) -> None:
    """PP-09, PP-R02, PP-E14: dealer 3 of four holds the card, and the two that scores is C-2."""
    story = table(GAME, 4, first_dealer=3).when(CHANCE, Shuffled(deck(special)))
    (event,) = story.events
    assert (event.trump, event.basis, event.turned, event.owner) == ("C", "fallback", special, 3)
    assert special in story.table.hands[3] and GAME.to_act(story.table) == {0}
    tallies = count(story.but(taken=(hand("C-2"), hand("R-2"), hand("O-2"), hand("W-2"))).table)
    assert [tally.two_of_trumps for tally in tallies] == [2, 0, 0, 0]


@pytest.mark.parametrize("special", [PRINCE, PAUPER])
@pytest.mark.parametrize("seats", range(3, 9))
def test_C_is_trump_instead_at_every_table_and_in_later_hands(seats: int, special: Card) -> None:
    """PP-09, PP-R02: the hand is played, and a card that names a suit names the trumps of the next."""
    story = table(GAME, seats, first_dealer=0)
    events: tuple[Any, ...] = ()
    for turned, trump in ((special, "C"), (Card("W-9"), "W"), (special, "C")):
        dealer = next_dealer(events, story.table.options, seats)
        story = story.when(CHANCE, Shuffled(deck(turned)))
        story.then(*deal_map(Deal(deck(turned), dealer, 0, seats, story.table.options, events)))
        assert story.table.trump == trump and GAME.to_act(story.table) == {(dealer + 1) % seats}
        events += story.events
        story = story.given(HandScored((), (0,) * seats, (0,) * seats))


@pytest.mark.parametrize("special", [PRINCE, PAUPER])
def test_a_turned_prince_or_pauper_is_dealt_again_where_the_table_says_so(special: Card) -> None:
    """PP-09, PP-R02: nothing is scored, the hand number is not used up, the same dealer deals again."""
    first = table(GAME, 5, first_dealer=3, turned_special="redeal").when(CHANCE, Shuffled(deck(special)))
    dealt_event, voided = first.events
    assert (dealt_event.trump, dealt_event.basis, dealt_event.turned) == (None, "void", special)
    assert voided == HandVoided("turned_special")
    assert GAME.to_act(first.table) == {CHANCE} and GAME.view(first.table, 4)["phase"] == "awaiting_deal"
    assert first.table.totals == (0,) * 5
    first.refuses(4, play("C-1"), "PP-15")
    again = first.when(CHANCE, Shuffled(deck(special))).when(CHANCE, Shuffled(deck(Card("O-4"))))
    assert (again.last(HandDealt).hand_no, again.last(HandDealt).dealer) == (1, 3)
    scored = again.given(HandScored((), (10, 0, 0, 0, 0), (10, 0, 0, 0, 0)))
    second = scored.when(CHANCE, Shuffled(deck(special))).when(CHANCE, Shuffled(deck(Card("O-4"))))
    assert (second.last(HandDealt).hand_no, second.last(HandDealt).dealer) == (2, 4)
    assert second.table.totals == (10, 0, 0, 0, 0) and GAME.to_act(second.table) == {0}


# ── Ranking ─────────────────────────────────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize(
    ("trump", "cards", "taken_by"),
    [
        ("W", "C-12 R-13 W-2 O-9", "W-2"),  # PP-E2
        ("O", "R-13 C-1 W-13 R-4", "C-1"),  # PP-E3
        ("W", "O-3 O-12 O-13 O-1", "O-13"),  # PP-11
        ("C", "W-13 O-1 W-12 W-11", "O-1"),  # PP-12: the other three keep their order
        ("R", "O-13 W-13 C-1 C-2", "C-2"),
        ("R", "C-12 O-13 W-13 R-1", "R-1"),
        ("O", "O-13 PRINCE O-12 C-12", "PRINCE"),  # PP-13
        ("W", "C-12 PRINCE W-13 R-13", "PRINCE"),
        ("C", "PRINCE C-12 C-1 R-13", "PRINCE"),
    ],
)
def test_the_highest_card_of_the_highest_suit_takes_the_trick(trump: str, cards: str, taken_by: str) -> None:
    """PP-11, PP-12, PP-13, PP-25, PP-E2, PP-E3: a C-1 thrown on a led R-13 takes it when neither is trump."""
    first, second, third, fourth = cards.split()
    story = played(dealt(fourth, first, second, third, trump=trump), cards)
    assert story.last(TrickTaken).seat == (1 + cards.split().index(taken_by)) % 4


def test_every_card_has_its_place_above_or_below_every_other() -> None:
    """PP-11, PP-12, PP-13: all pairs at a table of three, with the lowest card as the third."""
    for trump in LETTERS:
        others = [suit for suit in "CROW" if suit != trump]
        order = [PRINCE, *(Card(f"{s}-{n}") for s in (trump, *others) for n in range(13, 0, -1))]
        order = [card for card in order if card in PACK]
        assert len(order) == 51
        for high, low in combinations(order[:-1], 2):
            story = dealt(str(order[-1]), str(low), str(high), trump=trump)
            taken = played(story, f"{low} {high} {order[-1]}").last(TrickTaken)
            assert taken.seat == 2, f"{high} should take {low} when {trump} is trump"


# ── Play ────────────────────────────────────────────────────────────────────────────────────────────────────────


def test_eldest_leads_and_the_taker_leads_the_next_trick() -> None:
    """PP-15, PP-16, PP-R04"""
    story = dealt("C-1 O-2", "R-1 O-1", "O-9 W-2", trump="W")
    story.allows(1, play("R-1"), play("O-1")).allows(0).allows(2)
    story.refuses(0, play("C-1"), "PP-16").refuses(2, play("W-2"), "PP-16")
    led = story.when(1, play("O-1")).then(CardPlayed(1, Card("O-1"), None))
    led.refuses(1, play("R-1"), "PP-16")
    taken = led.when(2, play("O-9")).when(0, play("O-2"))
    taken.then(CardPlayed(0, Card("O-2"), None), TrickTaken(1, 2, 2))
    assert taken.table.taken == ((), (), hand("O-1 O-9 O-2")) and taken.table.tricks == (0, 0, 1)
    taken.allows(2, play("W-2")).allows(0).allows(1)


def test_no_card_is_played_before_the_deal() -> None:
    """PP-15"""
    table(GAME, 3).refuses(0, play("C-1"), "PP-15")


def test_a_card_elsewhere_is_refused_in_the_same_words_wherever_it_lies() -> None:
    """PP-16: another hand, a taken pile and the trick on the table cannot be probed."""
    story = played(dealt("C-1 O-2 R-7", "R-1 O-1 C-4", "O-9 W-2 PAUPER", trump="W"), "O-1 O-9 O-2 W-2")
    texts = set()
    for card in ("R-1", "PAUPER", "O-9", "W-2", "W-13"):
        with pytest.raises(Refused) as refusal:
            GAME.decide(story.table, 0, play(card))
        texts.add((refusal.value.rule, refusal.value.code, refusal.value.text.replace(card, "it")))
    assert texts == {("PP-16", "not_in_hand", "you do not hold it")}


def test_the_suit_led_must_be_followed() -> None:
    """PP-18, PP-19"""
    story = dealt("C-1", "O-7 C-2", "O-2 W-9 C-12 R-3").when(1, play("O-7"))
    story.allows(2, play("O-2")).refuses(2, play("W-9"), "PP-19").refuses(2, play("C-12"), "PP-19")
    story.refuses(2, play("R-3"), "PP-19")


def test_a_void_seat_plays_what_it_likes_but_not_the_pauper() -> None:
    """PP-20: a higher suit, a lower suit or a trump."""
    story = dealt("C-1", "O-7 C-2", "PAUPER W-9 C-12 R-3 PRINCE").when(1, play("O-7"))
    story.allows(2, play("W-9"), play("C-12"), play("R-3"), play("PRINCE"))


@pytest.mark.parametrize(
    ("led", "held", "allowed"),
    [
        ("O-3", "PRINCE C-9", "PRINCE"),
        ("W-4", "PRINCE W-8", "W-8"),
        ("PRINCE", "C-4 O-1", "O-1"),
        ("O-3", "PRINCE O-9 C-9", "PRINCE O-9"),
        ("PRINCE", "C-4 W-6", "C-4 W-6"),
    ],
)
def test_the_prince_leads_and_follows_as_a_trump_PP_E15(led: str, held: str, allowed: str) -> None:
    """PP-13, PP-18, PP-19, PP-R03, PP-E15: O is trump."""
    story = dealt("R-1 R-2", f"{led} R-3", held, trump="O").when(1, play(led))
    story.allows(2, *(play(card) for card in allowed.split()))
    for card in set(held.split()) - set(allowed.split()):
        story.refuses(2, play(card), "PP-19")


# ── The Pauper ──────────────────────────────────────────────────────────────────────────────────────────────────


def test_the_pauper_is_not_led_while_there_is_another_card() -> None:
    """PP-17, PP-R05"""
    story = dealt("C-1 C-3", "PAUPER C-2", "O-1 O-2")
    story.allows(1, play("C-2")).refuses(1, play("PAUPER"), "PP-17")


def test_a_pauper_led_as_the_only_card_leaves_the_others_free_PP_E16() -> None:
    """PP-17, PP-18, PP-24, PP-27, PP-E16: a short seat leads its last card, the next may play either."""
    story = dealt("W-2", "R-1 R-2", "C-4 R-9", "PAUPER", "C-3", dealer=2).but(trick_no=10)
    story = story.when(3, play("PAUPER")).then(CardPlayed(3, PAUPER, "last"))
    story = played(story, "C-3 W-2").allows(1, play("R-1"), play("R-2")).when(1, play("R-1"))
    story.allows(2, play("C-4"), play("R-9"))
    assert story.when(2, play("R-9")).last(TrickTaken).seat == 3


def test_the_third_player_slips_the_pauper_under_a_six_and_a_seven_PP_E4() -> None:
    """PP-14, PP-21, PP-23, PP-26, PP-R13, PP-E4: O-13 takes the trick and the Pauper with it, ten points less."""
    story = played(dealt("O-13 C-1", "O-6 C-2", "O-7 C-3", "PAUPER O-2 W-9"), "O-6 O-7")
    story.allows(3, play("O-2"), play("PAUPER"))
    disposed = story.when(3, play("PAUPER")).then(CardPlayed(3, PAUPER, "disposed"))
    taken = disposed.when(0, play("O-13"))
    assert taken.last(TrickTaken) == TrickTaken(1, 0, 0)
    assert count(taken.table)[0].pauper == -10 and PAUPER in taken.table.taken[0]
    kept = story.when(3, play("O-2")).when(0, play("O-13"))
    assert PAUPER in kept.table.hands[3], "nobody has to get rid of it"


def test_a_disposed_pauper_takes_nothing_even_under_the_lowest_cards() -> None:
    """PP-14, PP-26"""
    story = played(dealt("W-2 C-1", "W-6 C-2", "W-7 C-3", "PAUPER O-2 C-9"), "W-6 W-7 PAUPER W-2")
    assert story.last(TrickTaken).seat == 2


def test_nine_and_five_make_no_set_but_nine_and_four_do_PP_E5() -> None:
    """PP-21, PP-R06, PP-E5"""
    third = played(dealt("C-4 C-1", "R-9 C-2", "W-5 C-3", "PAUPER W-3"), "R-9 W-5")
    third.allows(3, play("W-3")).refuses(3, play("PAUPER"), "PP-21")
    fourth = played(dealt("PAUPER W-3", "R-9 C-2", "W-5 C-3", "C-4 C-1"), "R-9 W-5 C-4")
    fourth.allows(0, play("W-3"), play("PAUPER"))


@pytest.mark.parametrize(
    ("cards", "allowed", "rule"),
    [
        ("O-2 O-5 R-6", True, ""),  # PP-E6: the three together
        ("R-13 PRINCE", False, "PP-22"),  # PP-E7
        ("R-13 O-1 C-12", True, ""),  # PP-E7: one and twelve
        ("R-13", False, "PP-21"),  # the second player comes too early
        ("R-9 W-5", False, "PP-21"),
        ("R-13 O-2", False, "PP-22"),
        ("PRINCE R-12", False, "PP-22"),
        ("R-1 R-2 C-4", False, "PP-21"),
        ("O-10 O-3 O-1", True, ""),
        ("O-10 PRINCE C-3", True, ""),
        ("O-1 O-2 O-3 O-4 O-5 W-11", True, ""),
        ("O-1 O-2 O-3 O-12 C-12 R-12", True, ""),
        ("O-9 O-10 O-11 O-12 C-12 R-12", False, "PP-21"),
    ],
)
def test_which_tricks_take_the_pauper_PP_E6_PP_E7(cards: str, allowed: bool, rule: str) -> None:
    """PP-21, PP-22, PP-R06, PP-R12, PP-E6, PP-E7: two or more numbers that add up to exactly 13."""
    seat = len(cards.split())
    before = [f"{card} W-{place + 2}" for place, card in enumerate(cards.split())]
    after = ["C-9 C-10"] * max(1, 2 - seat)
    story = played(dealt(*before, "PAUPER C-1", *after, dealer=seat + len(after)), cards)
    if allowed:
        story.allows(seat, play("C-1"), play("PAUPER"))
    else:
        story.allows(seat, play("C-1")).refuses(seat, play("PAUPER"), rule)


def test_cards_after_the_pauper_do_not_matter() -> None:
    """PP-22: a seven that comes later helps nobody who had to play before it."""
    story = played(dealt("O-7 C-1", "O-6 C-2", "O-1 C-3", "PAUPER O-2"), "O-6 O-1")
    story.refuses(3, play("PAUPER"), "PP-21").allows(3, play("O-2"))


def test_the_last_pauper_takes_the_trick_from_the_prince_PP_E8() -> None:
    """PP-24, PP-25, PP-R14, PP-E8: three for the Prince and ten less, whoever played them."""
    story = dealt("O-13", "PRINCE", "C-12", "PAUPER", trump="O").but(trick_no=13, tricks=(5, 4, 2, 1))
    story = played(story, "PRINCE C-12 PAUPER").then(CardPlayed(3, PAUPER, "last")).when(0, play("O-13"))
    assert story.last(TrickTaken) == TrickTaken(13, 3, None)
    assert story.last(HandScored).tallies[3] == Tally(0, 0, 0, 3, -10, 0)
    assert story.last(HandScored).delta == (3, 0, 0, -7)


def test_the_last_pauper_is_no_disposal_even_on_a_set_of_13_PP_E10() -> None:
    """PP-24, PP-27, PP-R07, PP-E10: six and seven lie there, and yet seat 3 takes the trick."""
    story = dealt("C-9", "W-6 O-1", "W-7 O-2", "PAUPER", "C-3").but(trick_no=10)
    story = played(story, "W-6 W-7").allows(3, play("PAUPER"))
    story = story.when(3, play("PAUPER")).then(CardPlayed(3, PAUPER, "last"))
    assert GAME.view(story.table, None)["pauper_taker"] == 3
    story = played(story, "C-3 C-9")
    assert story.last(TrickTaken) == TrickTaken(10, 3, 1)
    assert count(story.table)[3].pauper == -10
    assert GAME.view(story.table, None)["pauper_taker"] is None
    assert played(story, "O-1 O-2").last(TrickTaken).seat == 2, "the next trick is an ordinary one"


def test_the_pauper_is_playable_exactly_when_the_rules_say_so() -> None:
    """PP-17, PP-21, PP-22, PP-23, PP-24: against every subset of the trick, and there is always a legal card."""
    seen = set()
    for seats in range(3, 9):
        for moment in random_match(GAME, seats, QUICK, random.Random(seats)):
            s = moment.before
            if moment.seat < 0:
                continue
            legal = GAME.legal(s, moment.seat)
            assert legal
            held = s.hands[moment.seat]
            if PAUPER not in held:
                continue
            numbers = [p.card.number for p in s.trick if p.card.number]
            sets = [c for size in range(2, len(numbers) + 1) for c in combinations(numbers, size) if sum(c) == 13]
            may = held == (PAUPER,) or (len(s.trick) >= 2 and bool(sets))
            assert (PlayCard(PAUPER) in legal) == may
            seen.add((may, len(held) == 1))
    assert seen == {(True, True), (True, False), (False, False)}


# ── Short tricks ────────────────────────────────────────────────────────────────────────────────────────────────


def test_seats_without_cards_are_passed_over_PP_E9() -> None:
    """PP-07, PP-15, PP-16, PP-27, PP-R08, PP-E9: seat 4 takes trick 10, so seat 1 leads trick 11, then seat 2."""
    event = table(GAME, 5, first_dealer=0).when(CHANCE, Shuffled(PACK)).last(HandDealt)
    assert event.counts == (10, 11, 11, 10, 10) and event.owner == 2
    story = dealt("W-2", "W-3 R-1", "W-4 O-1", "W-5", "W-6").but(trick_no=10)
    story = played(story, "W-3 W-4 W-5 W-6 W-2")
    assert story.last(TrickTaken) == TrickTaken(10, 4, 1)
    story = story.allows(1, play("R-1")).allows(4).when(1, play("R-1")).allows(2, play("O-1"))
    story = story.when(2, play("O-1"))
    assert story.last(TrickTaken) == TrickTaken(11, 1, None) and story.last(HandScored)
    assert story.table.tricks == (0, 1, 0, 0, 1)


def test_a_trick_of_one_card_is_a_trick_PP_E11() -> None:
    """PP-27, PP-28, PP-E11: eldest of three has an eighteenth card, a ten: two points and a trick."""
    assert table(GAME, 3, first_dealer=0).when(CHANCE, Shuffled(PACK)).last(HandDealt).counts == (17, 18, 17)
    story = dealt("C-3", "R-10 C-1", "C-2", trump="O").but(trick_no=17, tricks=(8, 8, 1))
    story = played(story, "C-1 C-2 C-3")
    assert story.last(TrickTaken) == TrickTaken(17, 0, 1)
    story = story.when(1, play("R-10"))
    story.then(
        CardPlayed(1, Card("R-10"), None),
        TrickTaken(18, 1, None),
        HandScored((Tally(0, 0, 0, 0, 0, 0), Tally(0, 2, 0, 0, 0, 0), Tally(0, 0, 0, 0, 0, 0)), (0, 2, 0), (0, 2, 0)),
    )
    assert story.table.tricks == (9, 9, 1)


def test_a_pauper_as_the_eighteenth_card_takes_itself() -> None:
    """PP-17, PP-24, PP-27"""
    story = dealt("C-3", "PAUPER C-1", "C-2", trump="O").but(trick_no=17, tricks=(9, 8, 0))
    story = played(story, "C-1 C-2 C-3").when(1, play("PAUPER"))
    assert story.events[:2] == (CardPlayed(1, PAUPER, "last"), TrickTaken(18, 1, None))
    assert story.last(HandScored).delta == (3, -10, 0)


# ── Scoring and end ─────────────────────────────────────────────────────────────────────────────────────────────

TAKEN = ("C-5 O-5 R-10 PRINCE", "R-5 C-10 R-2", "W-10 PAUPER", "W-5 O-10")


def last_trick(totals: tuple[int, ...] = (0, 0, 0, 0), tricks: tuple[int, ...] = (4, 4, 3, 1), **options: Any) -> Story:
    """The last trick of a hand at which R is trump: seat 0 takes it, and there is nothing in it."""
    story = dealt("W-7", "W-3", "W-4", "W-6", **options)
    story = story.but(totals=totals, tricks=tricks, trick_no=13, taken=tuple(hand(pile) for pile in TAKEN))
    return played(story, "W-3 W-4 W-6 W-7")


def test_a_hand_is_counted_item_by_item_PP_E12() -> None:
    """PP-28, PP-29, PP-R11, PP-E12: tricks 5, 4, 3, 1."""
    scored = last_trick().last(HandScored)
    assert scored.tallies == (
        Tally(fives=2, tens=2, two_of_trumps=0, prince=3, pauper=0, most_tricks=3),
        Tally(fives=1, tens=2, two_of_trumps=2, prince=0, pauper=0, most_tricks=0),
        Tally(fives=0, tens=2, two_of_trumps=0, prince=0, pauper=-10, most_tricks=0),
        Tally(fives=1, tens=2, two_of_trumps=0, prince=0, pauper=0, most_tricks=0),
    )
    assert scored.delta == (10, 5, -8, 3) and sum(scored.delta) == 10


@pytest.mark.parametrize(
    ("tie", "delta"),
    [("none", (7, 5, -8, 3)), ("each", (10, 8, -8, 3))],
)
def test_a_tie_for_the_most_tricks_PP_E12(tie: str, delta: tuple[int, ...]) -> None:
    """PP-29, PP-32, PP-R09, PP-E12: with tricks 5, 5, 2, 1 nobody scores them, or each of the two does."""
    assert last_trick(tricks=(4, 5, 2, 1), most_tricks_tie=tie).last(HandScored).delta == delta


@pytest.mark.parametrize("tie", ["none", "each"])
@pytest.mark.parametrize("seats", range(3, 9))
def test_ties_for_the_most_tricks_at_every_table(seats: int, tie: str) -> None:
    """PP-29, PP-R09: of two seats, of all seats, and none at all; the last trick goes to seat 2."""
    last = [f"C-{4 if seat == 2 else 3}" if seat in (1, 2) else f"W-{6 + seat // 2}" for seat in range(seats)]
    story = dealt(*last, trump="O", most_tricks_tie=tie)
    cards = " ".join([*last[1:], last[0]])
    for before, tied in (((1, 0), {0, 2}), ((1, 1), set(range(seats))), ((0, 0), {2}), ((2, 0), {0})):
        tricks = tuple(0 if seat == 2 else before[seat > 0] for seat in range(seats))
        scored = played(story.but(tricks=tricks), cards).last(HandScored)
        expected = [3 if seat in tied and (len(tied) == 1 or tie == "each") else 0 for seat in range(seats)]
        assert [tally.most_tricks for tally in scored.tallies] == list(scored.delta) == expected


def test_only_the_two_of_trumps_counts() -> None:
    """PP-28"""
    piles = tuple(hand(f"{suit}-2") for suit in "CROW")
    for trump in "CROW":
        story = dealt("C-3", "C-4", "C-6", "C-7", trump=trump).but(taken=piles)
        assert [tally.two_of_trumps for tally in count(story.table)] == [2 * (suit == trump) for suit in "CROW"]


def test_totals_may_fall_below_zero_and_count_only_after_the_hand() -> None:
    """PP-30: a seat past the target in mid-hand has not won, and eight less than two is minus six."""
    story = dealt("W-7 C-1", "W-3 C-2", "W-4 C-3", "W-6 C-4").but(totals=(90, 0, 0, 0))
    assert GAME.outcome(played(story, "W-3 W-4 W-6 W-7").table) is None
    assert last_trick((0, 0, 2, 0)).last(HandScored).totals == (10, 5, -6, 3)


def test_the_higher_total_wins_when_two_pass_the_target_PP_E13() -> None:
    """PP-31, PP-R10, PP-E13: 76, 78, 2 and 5, so seat 1 wins."""
    story = last_trick((66, 73, 10, 2))
    assert story.table.totals == (76, 78, 2, 5)
    result = GAME.outcome(story.table)
    assert result is not None and result.winners == (1,) and result.places == (2, 1, 4, 3)
    assert GAME.to_act(story.table) == frozenset()
    for seat in range(4):
        story.refuses(seat, play("C-1"), "PP-31")


def test_equal_best_totals_play_another_hand_PP_E13() -> None:
    """PP-31, PP-R10, PP-E13: at 77 and 77 another hand is dealt."""
    story = last_trick((67, 72, 10, 2))
    assert story.table.totals[:2] == (77, 77) and GAME.outcome(story.table) is None
    event = story.when(CHANCE, Shuffled(deck(Card("C-1")))).last(HandDealt)
    assert (event.hand_no, event.dealer) == (2, 1)


@pytest.mark.parametrize("target", [1, 75, 500])
@pytest.mark.parametrize("seats", range(3, 9))
def test_hands_are_dealt_until_one_seat_alone_has_the_best_total_from_the_target_on(seats: int, target: int) -> None:
    """PP-04, PP-31, PP-R10: the deal goes on to the left; ties below the best total do not matter."""
    short, tied = (target - 1, *(-3,) * (seats - 1)), (target + 2, *(target,) * (seats - 2), target + 2)
    alone = (target - 9, target, *(target - 1,) * (seats - 2))
    level = (target + 2,) * seats
    story = table(GAME, seats, target=target, first_dealer=1)
    for hand_no, totals in enumerate((short, tied, level, alone), start=1):
        assert GAME.outcome(story.table) is None and GAME.to_act(story.table) == {CHANCE}
        story = story.when(CHANCE, Shuffled(deck(Card("O-4")))).given(HandScored((), (0,) * seats, totals))
        assert (story.table.hand_no, story.table.dealer) == (hand_no, hand_no % seats)
    assert GAME.outcome(story.table) == Outcome((seats, 1, *(2,) * (seats - 2)), alone, "target")
    assert GAME.to_act(story.table) == frozenset()


def test_the_target_is_a_matter_of_the_table() -> None:
    """PP-31, PP-R10"""
    assert GAME.outcome(last_trick((64, 0, 0, 0)).table) is None
    assert GAME.outcome(last_trick((65, 0, 0, 0)).table) is not None
    assert GAME.outcome(last_trick((65, 0, 0, 0), target=76).table) is None
    assert GAME.outcome(last_trick(target=10).table) is not None
    refuses_table(GAME, 4, "PP-R10", target=0)
    refuses_table(GAME, 4, "PP-R10", target=501)
    refuses_table(GAME, 4, "PP-R02", turned_special="no_trump")
    refuses_table(GAME, 4, "PP-R09", most_tricks_tie="split")


# ── Who may see what ────────────────────────────────────────────────────────────────────────────────────────────


def test_a_seat_sees_its_own_hand_and_what_lies_open() -> None:
    """PP-08, PP-16"""
    story = played(dealt("C-1 O-2 R-7", "R-1 O-1 C-4", "O-9 W-2 W-5", trump="W"), "O-1 O-9 O-2 W-2")
    for seat, held in enumerate(("C-1 R-7", "R-1 C-4", "W-5")):
        assert GAME.view(story.table, seat)["hand"] == hand(held)
    spectator = GAME.view(story.table, None)
    assert spectator["hand"] is None and spectator["hand_counts"] == [2, 2, 1]
    assert spectator["trick"] == [{"seat": 2, "card": "W-2"}]
    assert spectator["taken"] == ((), (), hand("O-1 O-9 O-2")) and spectator["trick_counts"] == (0, 0, 1)
    assert not any(card in str(spectator) for card in ("C-1", "R-7", "R-1", "C-4", "W-5"))


def test_whoever_may_see_everything_sees_all_hands_and_none_as_its_own() -> None:
    """PP-16"""
    story = dealt("C-1 O-2", "R-1 O-1", "O-9 W-2")
    everything = GAME.view(story.table, ALL)
    assert everything["hand"] is None and everything["hands"] == (hand("C-1 O-2"), hand("R-1 O-1"), hand("O-9 W-2"))
    assert all(GAME.view(story.table, seat)["hands"] is None for seat in (None, 0, 1, 2))


# ── What a seat can imagine ─────────────────────────────────────────────────────────────────────────────────────


def imagined(story: Story, seat: int, other: int) -> set[str]:
    """The cards that one seat can imagine in the hand of another."""
    rng = random.Random(repr(story.table.hands))
    return {card for _ in range(200) for card in GAME.imagine(story.table, seat, rng.randrange).hands[other]}


def test_a_seat_that_does_not_follow_a_trump_is_not_imagined_with_the_prince() -> None:
    """PP-13, PP-18, PP-19: be the trump a numbered card or the Prince itself; in a plain suit the Prince need not follow."""
    story = played(dealt("C-1 O-2", "R-9 PRINCE C-4", "W-2 C-7 O-8"), "R-9 W-2")
    assert imagined(story, 0, 2) == set(hand("C-4 C-7 O-8")) and PRINCE in imagined(story, 0, 1)
    story = played(dealt("C-1 O-2", "PRINCE R-9 C-4", "W-2 C-7 O-8"), "PRINCE W-2")
    assert imagined(story, 0, 2) == set(hand("C-4 C-7 O-8"))
    story = played(dealt("C-1 O-2", "O-9 PRINCE C-4", "W-2 C-7 R-8"), "O-9 W-2")
    assert imagined(story, 0, 2) == set(hand("PRINCE C-4 C-7 R-8"))


def test_a_pauper_that_is_disposed_of_shows_no_void() -> None:
    """PP-21: its holder may be able to follow."""
    story = played(dealt("PAUPER W-9 O-8", "W-6 R-4 O-6", "W-7 C-1 O-2"), "W-6 W-7 PAUPER")
    assert imagined(story, 1, 0) == imagined(story, 1, 2) == set(hand("W-9 O-8 C-1 O-2"))


def test_all_know_who_holds_the_card_turned_up_until_it_is_played() -> None:
    """PP-08"""
    story = dealt("C-1 W-3", "C-2 W-4", "C-3 R-2", dealer=2)
    assert "R-2" not in imagined(story, 0, 1) and imagined(story, 0, 2) == set(hand("C-2 W-4 C-3 R-2"))
    story = played(story, "C-1 C-2 C-3 R-2")
    assert imagined(story, 0, 1) == {"W-4"} and imagined(story, 0, 2) == set()


def test_an_absent_player_gives_no_points_away_and_lets_the_pauper_go() -> None:
    """PP-12, PP-21, PP-23, PP-28: scoring cards go last, the PAUPER first where it can go at all."""
    lead = dealt("C-1", "R-2 R-7 W-5 W-9 O-10 PRINCE PAUPER", "C-2", trump="R")
    assert [str(command.card) for command in GAME.legal(lead.table, 1)] == [
        "W-9",
        "R-7",
        "W-5",
        "O-10",
        "R-2",
        "PRINCE",
    ]
    third = played(dealt("W-9 PAUPER", "W-6 R-9", "W-7 R-3"), "W-6 W-7")
    assert GAME.legal(third.table, 0)[0] == PlayCard(PAUPER)
