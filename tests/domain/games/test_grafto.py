"""Grafto, rule by rule."""

from __future__ import annotations

import collections
import itertools
import json
import random
from collections.abc import Iterable, Iterator
from typing import Any

import pytest

from domain.game import (
    ALL,
    CHANCE,
    Outcome,
    Pick,
    Picked,
    Refused,
    Secret,
    Shuffle,
    Shuffled,
    Unreadable,
    each_its_own,
    hidden,
    shown,
)
from domain.games.grafto import GAME
from domain.games.grafto.events import (
    Bid,
    BiddingClosed,
    BidMade,
    BidPassed,
    DeclineGraft,
    Graft,
    GraftDeclined,
    Grafted,
    GraftOffered,
    HandDealt,
    HandScored,
    HandThrownIn,
    PassBid,
)
from domain.games.grafto.game import TRUMPS, Table, taker
from domain.kit.cards import FULL_PACK, PAUPER, PRINCE, Card, Cards
from domain.kit.dealing import DealerChosen
from domain.kit.plays import CardPlayed, PlayCard, TrickTaken
from domain.kit.tricks import TrickCard
from domain.match import Place, open_match, stand_in
from domain.wire import names, read_command
from tests.domain.playing import Deal, random_match, tables
from tests.domain.story import Story, hand, refuses_table, table
from tests.golden.matches import Golden

QUICK = {"hands": 1}
SEVERAL = {"hands": 3}
GOLDEN = Golden(
    seats=4,
    options={"hands": 3},
    moment="a hand is killed, and in another the dealer grafts the Five",
    shows=lambda events: (
        any(isinstance(e, HandScored) and e.result == "killed" for e in events)
        and any(isinstance(e, Grafted) and not e.forced for e in events)
    ),
)


def whole(s: Table) -> Iterable[Any]:
    return FULL_PACK


def pieces(s: Table) -> Iterable[Any]:
    if not s.hand_no:
        return ()
    on_the_table = [s.turn_up] if s.graft is None else []
    return [*on_the_table, *s.stock, *s.played, *(c for h in s.hands for c in h), *(play.card for play in s.trick)]


# ── What the rule page says, for the common tests ────────────────────────────────────────────────────────────────

SEATS = ("GR-01", range(3, 8))
OPTIONS = {
    "hands": ("GR-34", 7, range(1, 22)),
    "first_dealer": ("GR-R01", "random", "seat"),
    "forced_graft": ("GR-R05", "five_out", ("five_out", "any_out")),
    "fifteen_credit": ("GR-R11", "eldest", ("eldest", "any")),
    "dealer_must_bid": ("GR-R13", False, bool),
    "tie_break": ("GR-R12", "share", ("share", "extra_hand")),
}
REFUSALS = {
    "GR-05": {"wrong_phase"},
    "GR-07": {"not_in_hand", "not_your_turn"},
    "GR-08": {"wrong_phase"},
    "GR-09": {"must_graft", "not_your_turn"},
    "GR-10": {"wrong_phase"},
    "GR-11": {"wrong_phase"},
    "GR-16": {"wrong_phase", "not_your_turn", "bid_out_of_range"},
    "GR-17": {"bid_too_low"},
    "GR-18": {"wrong_phase"},
    "GR-21": {"wrong_phase"},
    "GR-22": {"not_in_hand", "not_your_turn"},
    "GR-24": {"must_follow"},
    "GR-26": {"must_follow"},
    "GR-34": {"wrong_phase"},
    "GR-R03": {"wrong_phase"},
    "GR-R13": {"must_bid"},
    "GR-R16": {"five_stays"},
}


def by_letter(cards: Iterable[Card]) -> Cards:
    return tuple(sorted(cards, key=lambda card: ("CROW".index(card[0]), int(card[2:]))))


def deal_map(deal: Deal) -> Iterable[Any]:
    """GR-05 to GR-07, GR-09, GR-R05: seven rounds from eldest, the next card turned up, the rest face down."""
    hands: list[list[Card]] = [[] for _ in range(deal.seats)]
    cards = list(deal.deck)
    for _ in range(7):
        for place in range(1, deal.seats + 1):
            hands[(deal.dealer + place) % deal.seats].append(cards.pop(0))
    turned, trump = cards[0], cards[0][0]
    five = Card(f"{trump}-5")
    secrets = tuple(Secret(by_letter(kept), (seat,)) for seat, kept in enumerate(hands))
    yield HandDealt(deal.hand_no, deal.dealer, turned, trump, len(cards) - 1, secrets, Secret(tuple(cards[1:]), ()))
    holders = [seat for seat, kept in enumerate(hands) if five in kept]
    if turned == five:
        yield GraftOffered(deal.dealer, five)
    elif holders and deal.options.forced_graft == "any_out":
        yield GraftOffered(holders[0], five)
    elif holders:
        yield Grafted(holders[0], turned, True, Secret(five, None))


class Recount:
    """A match of Grafto counted once more, event by event."""

    def __init__(self, options: Any, seats: int) -> None:
        self.options, self.seats = options, seats
        self.totals, self.hands_counted, self.runs = [0] * seats, 0, False

    def hear(self, event: Any) -> None:
        match event:
            case HandDealt(_, dealer, turned, trump, _, hands, _):
                self.runs, self.dealer, self.turned, self.trump = True, dealer, turned, trump
                self.hands = [list(kept.value) for kept in hands]
                self.eldest = self.turn = (dealer + 1) % self.seats
                self.bids: list[int | None] = [None] * self.seats
                self.tricks, self.trick, self.closed = [0] * self.seats, [], False
            case Grafted(seat, took, forced, Secret(discard, to)):
                """GR-07, GR-09: who puts out what, and that nobody else sees a card that was chosen."""
                assert took == self.turned and forced == (self.turned != f"{self.trump}-5")
                chosen = not forced or self.options.forced_graft == "any_out"
                assert to == ((seat,) if chosen else None)
                self.hands[seat].remove(discard)
                self.hands[seat].append(took)
            case BidMade(seat, points):
                assert 1 <= points <= 15 and points > max(bid or 0 for bid in self.bids)
                self.speak(seat, points)
            case BidPassed(seat):
                self.speak(seat, 0)
            case BiddingClosed(bids, reason, leader):
                """GR-16, GR-18, GR-21"""
                assert list(bids) == self.bids and leader == self.eldest
                assert reason == ("limit" if 15 in self.bids else "round")
                assert 15 in self.bids or (None not in self.bids and any(self.bids))
                self.turn, self.closed = self.eldest, True
            case HandThrownIn(next_dealer):
                """GR-20"""
                assert self.bids == [0] * self.seats and next_dealer == self.eldest
                self.runs = False
            case CardPlayed(seat, card):
                assert self.closed and seat == self.turn
                self.hands[seat].remove(card)
                self.trick.append((seat, card))
                self.turn = (seat + 1) % self.seats
            case TrickTaken(number, seat):
                self.tricks[seat] += 1
                assert (number, seat) == (sum(self.tricks), max(self.trick, key=self.might)[0])
                self.turn, self.trick = seat, []
            case HandScored():
                self.score(event)

    def speak(self, seat: int, points: int) -> None:
        assert seat == self.turn and self.bids[seat] is None and not self.closed
        self.bids[seat] = points
        self.turn = (seat + 1) % self.seats

    def might(self, play: tuple[int, Card]) -> tuple[int, int]:
        """GR-13 to GR-15, GR-27: the Five, C-1, the other trumps, the suit led."""
        letter, number = play[1][0], int(play[1][2:])
        led = self.trump if self.trick[0][1] == "C-1" else self.trick[0][1][0]
        if (letter, number) == (self.trump, 5):
            return 4, 0
        if play[1] == "C-1" and self.trump != "C":
            return 3, 0
        return (2 if letter == self.trump else 1 if letter == led else 0), number

    def score(self, scored: HandScored) -> None:
        """GR-28 to GR-33, GR-R11"""
        assert sum(self.tricks) == 7 and not any(self.hands)
        made = [seat for seat in range(self.seats) if self.tricks[seat] >= 4]
        delta = [-(bid or 0) if made else 0 for bid in self.bids]
        result = "set" if made else "killed"
        for seat in made:
            lost = [other for other, bid in enumerate(self.bids) if bid == 15 and other != seat]
            credit = 15 if lost and (lost[0] == self.eldest or self.options.fifteen_credit == "any") else 0
            bid = self.bids[seat]
            delta[seat] = credit + (bid + self.tricks[seat] - 4 if bid else 0)
            result = "made" if bid else "credit" if credit else "set"
        self.totals = [had + got for had, got in zip(self.totals, delta, strict=True)]
        told = (scored.bids, scored.tricks, scored.taker, scored.result, scored.delta, scored.totals)
        taker_of_four = made[0] if made else None
        assert told == (tuple(self.bids), tuple(self.tricks), taker_of_four, result, tuple(delta), tuple(self.totals))
        self.hands_counted, self.runs = self.hands_counted + 1, False

    def outcome(self) -> Outcome | None:
        """GR-34, GR-35, GR-R12"""
        if self.runs or self.hands_counted < self.options.hands:
            return None
        if self.options.tie_break == "extra_hand" and self.totals.count(max(self.totals)) > 1:
            return None
        places = tuple(1 + len([other for other in self.totals if other > mine]) for mine in self.totals)
        return Outcome(places, tuple(self.totals), "most_points")


def recount(events: Iterable[Any], options: Any, seats: int) -> Outcome | None:
    book_keeper = Recount(options, seats)
    for event in events:
        book_keeper.hear(event)
    return book_keeper.outcome()


# ── Ways to a position ──────────────────────────────────────────────────────────────────────────────────────────


def play(card: str) -> PlayCard:
    return PlayCard(Card(card))


def graft(card: str) -> Graft:
    return Graft(Card(card))


def deck(*hands: str, turn_up: str, dealer: int = 0) -> Cards:
    """A pack that deals these hands to seats 0, 1, 2 …: what they leave open is filled up, with no 5."""
    known = [hand(text) for text in hands]
    others = [c for c in FULL_PACK if c != turn_up and not any(c in cards for cards in known)]
    rest = iter(sorted(others, key=lambda card: card.number == 5))
    full = [(*cards, *(next(rest) for _ in range(7 - len(cards)))) for cards in known]
    order = [(dealer + 1 + step) % len(hands) for step in range(len(hands))]
    return (*(full[seat][place] for place in range(7) for seat in order), Card(turn_up), *rest)


def deal(*hands: str, turn_up: str, dealer: int = 0, **options: Any) -> Story:
    """The table after chance has dealt these hands from the top of the pack."""
    story = table(GAME, len(hands), first_dealer=dealer, **options)
    return story.when(CHANCE, Shuffled(deck(*hands, turn_up=turn_up, dealer=dealer)))


def dealt(*hands: str, turn_up: str = "O-2", dealer: int = 0, **options: Any) -> Story:
    """Hands of any size, without a graft."""
    own = each_its_own([hand(text) for text in hands])
    card = Card(turn_up)
    event = HandDealt(1, dealer, card, card.suit, 0, own, hidden(()))
    return table(GAME, len(hands), **options).given(event)


def playing(
    *hands: str, turn_up: str = "O-2", dealer: int = 0, bids: tuple[int | None, ...] = (), **options: Any
) -> Story:
    """The bidding is over, and eldest leads."""
    spoken = bids or (1,) + (0,) * (len(hands) - 1)
    eldest = (dealer + 1) % len(hands)
    story = dealt(*hands, turn_up=turn_up, dealer=dealer, **options)
    return story.but(bids=spoken).given(BiddingClosed(spoken, "round", eldest))


def bidding(*speeches: int, seats: int = 4, dealer: int = 0, **options: Any) -> Story:
    """Seats speak one after the other from eldest; 0 is a pass."""
    story = dealt(*["C-2"] * seats, dealer=dealer, **options)
    for step, points in enumerate(speeches, start=1):
        story = story.when((dealer + step) % seats, Bid(points) if points else PassBid())
    return story


def last_trick(story: Story, tricks: tuple[int, ...]) -> Story:
    """Plays the last trick so that the seats end up with these tricks."""
    seats = len(tricks)
    best = max(range(seats), key=lambda seat: tricks[seat])
    before = tuple(count - (seat == best) for seat, count in enumerate(tricks))
    cards = [Card("O-13") if seat == best else Card(f"O-{6 + seat}") for seat in range(seats)]
    story = story.but(tricks=before, hands=tuple((card,) for card in cards))
    for _ in range(seats):
        story = story.when(story.table.turn, PlayCard(cards[story.table.turn]))
    assert story.last(HandScored).tricks == tricks
    return story


def refusal(story: Story, seat: int, command: Any) -> Refused:
    with pytest.raises(Refused) as refused:
        GAME.decide(story.table, seat, command)
    return refused.value


# ── Deal and turn-up ────────────────────────────────────────────────────────────────────────────────────────────


def test_tables_of_2_and_8_seats_are_refused() -> None:
    """GR-01"""
    refuses_table(GAME, 2, "GR-01")
    refuses_table(GAME, 8, "GR-01")
    assert [table(GAME, seats).table.seats for seats in range(3, 8)] == [3, 4, 5, 6, 7]


def test_the_pack_has_52_cards_without_prince_and_pauper() -> None:
    """GR-02"""
    assert GAME.chance(table(GAME, 3, first_dealer=0).table) == Shuffle(FULL_PACK)
    assert len(set(FULL_PACK)) == 52 and not {PRINCE, PAUPER} & set(FULL_PACK)
    playing("C-2", "R-2", "W-2").refuses(1, PlayCard(PRINCE), "GR-22").refuses(1, PlayCard(PAUPER), "GR-22")


def test_chance_names_the_first_dealer_unless_the_table_does() -> None:
    """GR-03, GR-R01"""
    story = table(GAME, 3)
    assert GAME.chance(story.table) == Pick(3)
    named = story.when(CHANCE, Picked(2)).then(DealerChosen(2))
    assert named.when(CHANCE, Shuffled(FULL_PACK)).last(HandDealt).dealer == 2
    assert table(GAME, 3, first_dealer=1).when(CHANCE, Shuffled(FULL_PACK)).last(HandDealt).dealer == 1
    refuses_table(GAME, 3, "GR-R01", first_dealer=3)


def test_the_deal_goes_left_after_a_hand_that_was_played_and_after_one_thrown_in() -> None:
    """GR-03"""
    scored = last_trick(bidding(3, 0, 0, 0), (1, 2, 2, 2)).when(CHANCE, Shuffled(FULL_PACK))
    assert (scored.last(HandDealt).dealer, scored.last(HandDealt).hand_no) == (1, 2)
    thrown_in = bidding(0, 0, 0, 0).when(CHANCE, Shuffled(FULL_PACK))
    assert (thrown_in.last(HandDealt).dealer, thrown_in.last(HandDealt).hand_no) == (1, 2)


def test_a_hand_is_dealt_once_and_by_no_players_command() -> None:
    """GR-04: while chance deals no seat has anything to do, and then chance has not."""
    story = table(GAME, 3, first_dealer=0)
    assert GAME.to_act(story.table) == {CHANCE}
    for seat in range(3):
        story.allows(seat).refuses(seat, PassBid(), "GR-05").refuses(seat, play("C-2"), "GR-05")
        story.refuses(seat, Bid(1), "GR-05").refuses(seat, graft("C-2"), "GR-05")
    assert GAME.to_act(story.when(CHANCE, Shuffled(FULL_PACK)).table) == {1}
    with pytest.raises(Unreadable):
        read_command(names(GAME.commands), {"type": "deal"})


@pytest.mark.parametrize(("seats", "undealt"), [(3, 30), (4, 23), (5, 16), (6, 9), (7, 2)])
def test_seven_cards_each_one_at_a_time_from_eldest_and_one_is_turned_up(seats: int, undealt: int) -> None:
    """GR-05, GR-06, GR-R02"""
    pack = tuple(random.Random(seats).sample(FULL_PACK, 52))
    event = table(GAME, seats, first_dealer=0).when(CHANCE, Shuffled(pack)).last(HandDealt)
    assert event.hands[1 % seats].value == tuple(sorted(pack[: 7 * seats : seats], key=FULL_PACK.index))
    assert set(event.hands[0].value) == set(pack[seats - 1 : 7 * seats : seats])
    assert (event.turn_up, event.trump) == (pack[7 * seats], pack[7 * seats].suit)
    assert event.stock == hidden(pack[7 * seats + 1 :]) and event.stock_count == undealt
    assert [kept.to for kept in event.hands] == [(seat,) for seat in range(seats)]


def test_C_1_turned_up_makes_C_trump() -> None:
    """GR-06"""
    assert deal("", "", "", turn_up="C-1").last(HandDealt).trump == "C"


# ── Graft ───────────────────────────────────────────────────────────────────────────────────────────────────────


def five_up(**options: Any) -> Story:
    """O-5 is turned up; dealer 0 holds W-2, and R-5 is no Five."""
    return deal("W-2 C-13 R-5", "C-2", "C-3", "C-4", turn_up="O-5", **options)


def test_the_dealer_may_take_a_turned_up_Five_for_any_of_his_cards_GR_E3() -> None:
    """GR-07, GR-11, GR-E3: the discard is seen by nobody else."""
    story = five_up()
    assert story.events[1:] == (GraftOffered(0, Card("O-5")),)
    own = story.table.hands[0]
    story.allows(0, DeclineGraft(), *(Graft(card) for card in own)).allows(1)
    taken = story.when(0, graft("W-2")).then(Grafted(0, Card("O-5"), False, Secret(Card("W-2"), (0,))))
    assert len(taken.table.hands[0]) == 7
    assert set(taken.table.hands[0]) == {*own, Card("O-5")} - {Card("W-2")}
    assert taken.table.stock[-1] == "W-2"  # face down under the pack
    discards = [GAME.view(taken.table, seat)["graft"]["discard"] for seat in (0, 1, 2, 3, None)]
    assert discards == ["W-2", None, None, None, None]
    assert GAME.to_act(taken.table) == {1}


def test_a_declined_Five_is_out_of_play_and_nobody_else_may_have_it_GR_E3() -> None:
    """GR-08, GR-R04, GR-E3"""
    story = five_up().when(0, DeclineGraft()).then(GraftDeclined(0))
    assert not any(Card("O-5") in cards for cards in story.table.hands)
    assert story.table.turn_up == "O-5" and GAME.view(story.table, 1)["graft"] is None
    for seat in range(4):
        story.refuses(seat, Graft(story.table.hands[seat][0]), "GR-08").refuses(seat, DeclineGraft(), "GR-08")
    story.allows(1, PassBid(), *(Bid(points) for points in range(1, 16)))


def test_what_is_no_graft_of_a_turned_up_Five() -> None:
    """GR-07, GR-R16, GR-R03: not the dealer; a card he does not hold; the Five itself; and no bid comes first."""
    story = five_up()
    for seat in (1, 2, 3):
        story.refuses(seat, Graft(story.table.hands[seat][0]), "GR-07").refuses(seat, DeclineGraft(), "GR-07")
        story.refuses(seat, Bid(3), "GR-R03").refuses(seat, PassBid(), "GR-R03")
    story.refuses(0, graft("O-5"), "GR-R16").refuses(0, Bid(3), "GR-R03").refuses(0, play("W-2"), "GR-11")
    elsewhere = [story.table.hands[1][0], story.table.stock[0], PRINCE, Card("R-14")]
    said = [refusal(story, 0, Graft(card)) for card in elsewhere]
    assert {(no.rule, no.code) for no in said} == {("GR-07", "not_in_hand")}
    assert {no.text.replace(card, "X") for no, card in zip(said, elsewhere, strict=True)} == {"you do not hold X"}


def test_who_was_dealt_the_Five_must_give_it_up_for_the_turn_up_GR_E2() -> None:
    """GR-09, GR-11, GR-R05, GR-E2: by itself, and for everybody to see."""
    story = deal("C-2", "C-3", "R-5 W-1", "C-4", turn_up="R-8")
    assert story.events[1:] == (Grafted(2, Card("R-8"), True, shown(Card("R-5"))),)
    assert Card("R-8") in story.table.hands[2] and Card("R-5") not in story.table.hands[2]
    assert [len(cards) for cards in story.table.hands] == [7, 7, 7, 7]
    seen = GAME.view(story.table, None)["graft"]
    assert seen == {"seat": 2, "took": "R-8", "forced": True, "discard": "R-5"}
    assert GAME.to_act(story.table) == {1}
    story.refuses(2, graft("W-1"), "GR-11").refuses(2, DeclineGraft(), "GR-11").refuses(0, graft("C-2"), "GR-11")


def test_a_dealer_with_the_Five_has_no_choice_either() -> None:
    """GR-09"""
    story = deal("R-5", "C-3", "C-2", turn_up="R-13")
    assert story.last(Grafted) == Grafted(0, Card("R-13"), True, shown(Card("R-5")))


def test_at_some_tables_the_holder_keeps_the_Five_and_chooses_another_discard() -> None:
    """GR-R05, GR-09: `any_out`. All know who has the Five; the discard is his secret."""
    story = deal("C-2", "C-3", "R-5 W-1", "C-4", turn_up="R-8", forced_graft="any_out")
    assert story.events[1:] == (GraftOffered(2, Card("R-5")),)
    assert GAME.to_act(story.table) == {2}
    others = [card for card in story.table.hands[2] if card != "R-5"]
    story.allows(2, *(Graft(card) for card in others)).allows(0)
    story.refuses(2, DeclineGraft(), "GR-09").refuses(0, DeclineGraft(), "GR-09").refuses(0, graft("C-2"), "GR-09")
    story.refuses(2, graft("R-5"), "GR-R16").refuses(2, graft("C-2"), "GR-07")
    done = story.when(2, graft("W-1")).then(Grafted(2, Card("R-8"), True, Secret(Card("W-1"), (2,))))
    assert {Card("R-5"), Card("R-8")} < set(done.table.hands[2]) and len(done.table.hands[2]) == 7
    assert [GAME.view(done.table, seat)["graft"]["discard"] for seat in (0, 2, None)] == [None, "W-1", None]


def test_a_turned_up_Five_is_the_dealers_at_every_table() -> None:
    """GR-07: `any_out` changes the forced graft only."""
    five_up(forced_graft="any_out").refuses(1, graft("C-2"), "GR-07").when(0, DeclineGraft())


def test_without_the_Five_there_is_no_graft() -> None:
    """GR-10, GR-11: the turn-up stays on the table, out of play."""
    story = deal("C-2 W-5", "C-3 O-5", "C-4 C-5", turn_up="R-8")
    assert [type(event) for event in story.events] == [HandDealt]
    story.refuses(1, graft("C-3"), "GR-10").refuses(0, graft("C-2"), "GR-10").refuses(0, DeclineGraft(), "GR-10")
    led = story.when(1, Bid(15))
    led.refuses(1, play("R-8"), "GR-22").refuses(1, graft("C-3"), "GR-11").refuses(0, DeclineGraft(), "GR-11")


def test_the_Five_is_in_play_only_when_the_dealer_took_it() -> None:
    """GR-12, GR-11, GR-36: in random matches every seat leads off with seven cards, and no other Five is among them."""
    with_five = 0
    for seats in (3, 5, 7):
        for moment in random_match(GAME, seats, {"hands": 21}, random.Random(seats)):
            if not any(isinstance(event, BiddingClosed) for event in moment.events):
                continue
            s = moment.after
            assert [len(cards) for cards in s.hands] == [7] * seats
            five = Card(f"{s.trump}-5")
            in_play = any(five in cards for cards in s.hands)
            assert in_play == (s.turn_up is five and s.graft is not None)
            assert not in_play or five in s.hands[s.dealer]
            with_five += in_play
    assert with_five


# ── Ranking ─────────────────────────────────────────────────────────────────────────────────────────────────────


def test_the_order_of_the_trumps_GR_E1() -> None:
    """GR-13, GR-14, GR-E1"""
    assert TRUMPS["R"] == hand("R-5 C-1 R-13 R-12 R-11 R-10 R-9 R-8 R-7 R-6 R-4 R-3 R-2 R-1")
    assert TRUMPS["C"] == hand("C-5 C-13 C-12 C-11 C-10 C-9 C-8 C-7 C-6 C-4 C-3 C-2 C-1")
    assert [len(TRUMPS[suit]) for suit in "CROW"] == [13, 14, 14, 14]
    assert TRUMPS["O"][:3] == hand("O-5 C-1 O-13") and TRUMPS["W"][-1] == "W-1"


@pytest.mark.parametrize("trump", "CROW")
def test_every_trump_takes_the_lower_ones_and_all_other_cards(trump: str) -> None:
    """GR-13, GR-14, GR-27: played out two by two, whichever is led."""
    order = TRUMPS[trump]
    plain = [card for card in FULL_PACK if card not in order]
    for place, high in enumerate(order):
        for low in (*order[place + 1 :], *plain):
            assert taker((TrickCard(0, high), TrickCard(1, low)), trump) == 0
            assert taker((TrickCard(0, low), TrickCard(1, high)), trump) == 1


def test_plain_suits_run_from_13_to_1_with_the_5_in_its_place() -> None:
    """GR-15, GR-27: and without a trump only the suit led can take."""
    plain = [Card(f"R-{n}") for n in range(13, 0, -1)]
    for place, high in enumerate(plain):
        for low in (*plain[place + 1 :], Card("W-13"), Card("C-13")):
            assert taker((TrickCard(0, low), TrickCard(1, high)), "O") == (1 if low.suit == "R" else 0)
            assert taker((TrickCard(0, high), TrickCard(1, low)), "O") == 0


@pytest.mark.parametrize(
    ("trump", "cards", "takes"),
    [
        ("O", "R-13 C-1 O-13 R-2", "C-1"),
        ("O", "R-13 C-1 O-13 O-5", "O-5"),
        ("C", "C-13 C-1 R-13 W-13", "C-13"),
        ("O", "C-2 C-13 C-5 W-13", "C-13"),
    ],
)
def test_which_card_takes_a_trick_GR_E12(trump: str, cards: str, takes: str) -> None:
    """GR-27, GR-15, GR-E12"""
    trick = tuple(TrickCard(seat, card) for seat, card in enumerate(hand(cards)))
    assert trick[taker(trick, trump)].card == takes


# ── Bidding ─────────────────────────────────────────────────────────────────────────────────────────────────────


def test_each_seat_speaks_once_and_higher_than_all_before_GR_E4() -> None:
    """GR-16, GR-17, GR-R07, GR-R15, GR-E4: seat 1 bids 3, 2 passes, 3 bids 7; the dealer bids 8 to 15 or passes."""
    first = dealt("C-2", "C-2", "C-2", "C-2")
    first.allows(1, PassBid(), *(Bid(points) for points in range(1, 16))).allows(0).allows(2).allows(3)
    story = first.when(1, Bid(3)).then(BidMade(1, 3)).when(2, PassBid()).then(BidPassed(2)).when(3, Bid(7))
    story.allows(0, PassBid(), *(Bid(points) for points in range(8, 16)))
    story.refuses(0, Bid(7), "GR-17").refuses(0, Bid(3), "GR-17")
    closed = story.when(0, PassBid())
    closed.then(BidPassed(0), BiddingClosed((0, 3, 0, 7), "round", 1))
    assert GAME.view(closed.table, None)["bids"] == (0, 3, 0, 7)


@pytest.mark.parametrize("points", [0, -1, 16, 100])
def test_a_bid_is_a_number_from_1_to_15(points: int) -> None:
    """GR-16"""
    bidding().refuses(1, Bid(points), "GR-16")


def test_half_a_point_cannot_even_be_read() -> None:
    """GR-16"""
    with pytest.raises(Unreadable):
        read_command(names(GAME.commands), {"type": "bid", "points": 2.5})


def test_nobody_speaks_out_of_turn_or_twice() -> None:
    """GR-16, GR-21: and no card is led before the bidding is over."""
    story = bidding(3)
    story.refuses(1, Bid(9), "GR-16").refuses(1, PassBid(), "GR-16").refuses(3, Bid(9), "GR-16")
    story.refuses(0, PassBid(), "GR-16").refuses(2, play("C-2"), "GR-21").refuses(1, play("C-2"), "GR-21")
    over = bidding(3, 0, 7, 0)
    over.refuses(1, Bid(9), "GR-16").refuses(0, PassBid(), "GR-16")


def test_a_bid_of_15_ends_the_bidding_at_once() -> None:
    """GR-18: seats that have not spoken get no turn."""
    story = bidding(2, 15)
    story.then(BidMade(2, 15), BiddingClosed((None, 2, 15, None), "limit", 1))
    assert GAME.to_act(story.table) == {1}
    for seat in range(4):
        story.refuses(seat, Bid(15), "GR-18").refuses(seat, PassBid(), "GR-18")


def test_if_nobody_bids_the_hand_is_thrown_in_GR_E14() -> None:
    """GR-20, GR-R15, GR-E14: dealer 2 of three; no score, the hand does not count, dealer 0 is next."""
    story = bidding(0, 0, 0, seats=3, dealer=2, hands=1)
    story.then(BidPassed(2), HandThrownIn(0))
    assert (story.table.bid_hands, story.table.totals) == (0, (0, 0, 0))
    assert GAME.outcome(story.table) is None and GAME.to_act(story.table) == {CHANCE}
    assert story.when(CHANCE, Shuffled(FULL_PACK)).last(HandDealt).dealer == 0


def test_a_table_may_oblige_the_dealer_to_bid_when_all_others_passed() -> None:
    """GR-R13: what is done for him in his absence is to bid 1."""
    must = bidding(0, 0, 0, dealer_must_bid=True)
    must.refuses(0, PassBid(), "GR-R13").allows(0, *(Bid(points) for points in range(1, 16)))
    assert GAME.legal(must.table, 0)[0] == Bid(1)
    must.when(0, Bid(1)).then(BidMade(0, 1), BiddingClosed((1, 0, 0, 0), "round", 1))
    assert GAME.legal(bidding(0, 0, 4, dealer_must_bid=True).table, 0)[0] == PassBid()
    assert GAME.legal(bidding(0, 0, dealer_must_bid=True).table, 3)[0] == PassBid()  # he is not the dealer
    assert GAME.legal(bidding(0, 0, 0).table, 0)[0] == PassBid()


def test_the_first_choice_for_an_absent_dealer_is_to_leave_the_Five() -> None:
    """GR-07"""
    assert GAME.legal(five_up().table, 0)[0] == DeclineGraft()


# ── Play ────────────────────────────────────────────────────────────────────────────────────────────────────────


def test_eldest_leads_any_card_whoever_bid_and_play_goes_clockwise() -> None:
    """GR-21, GR-22: the only bid is the dealer's."""
    story = playing("C-2 C-3", "R-2 O-4", "W-2 W-3", bids=(5, 0, 0))
    story.allows(1, play("R-2"), play("O-4")).allows(0).allows(2)
    story.refuses(0, play("C-2"), "GR-22").refuses(2, play("W-2"), "GR-22")
    led = story.when(1, play("R-2")).then(CardPlayed(1, Card("R-2")))
    led.refuses(1, play("O-4"), "GR-22").allows(2, play("W-2"), play("W-3"))


def test_the_taker_leads_the_next_trick() -> None:
    """GR-21, GR-R08"""
    story = playing("C-2 C-3", "R-2 C-4", "R-13 W-3").when(1, play("R-2")).when(2, play("R-13")).when(0, play("C-2"))
    story.then(CardPlayed(0, Card("C-2")), TrickTaken(1, 2)).allows(2, play("W-3")).allows(1)


def test_a_card_elsewhere_is_refused_in_the_same_words_wherever_it_lies() -> None:
    """GR-22: another hand, the turn-up, the stock, a trick taken, or no card of this pack."""
    story = deal("C-2", "C-3", "C-4", turn_up="R-8").when(1, Bid(15)).when(1, play("C-3")).when(2, play("C-4"))
    places = [story.table.hands[1][0], Card("C-3"), Card("R-8"), story.table.stock[0], PRINCE, Card("W-14")]
    said = [refusal(story, 0, PlayCard(card)) for card in places]
    assert {(no.rule, no.code) for no in said} == {("GR-22", "not_in_hand")}
    assert {no.text.replace(card, "X") for no, card in zip(said, places, strict=True)} == {"you do not hold X"}


@pytest.mark.parametrize(
    ("led", "cards", "may"),
    [
        pytest.param("R-9", "R-2 O-3 W-9", "R-2 O-3", id="follow or trump"),
        pytest.param("R-9", "R-2 C-1 W-9", "R-2 C-1", id="C-1 trumps"),
        pytest.param("R-9", "W-9 O-3", "W-9 O-3", id="void"),
        pytest.param("R-9", "R-2 W-9", "R-2", id="no other plain suit"),
        pytest.param("O-9", "C-1 C-8 W-2", "C-1", id="trump led, C-1 is one"),
        pytest.param("O-9", "O-5 W-2", "O-5", id="trump led, the Five cannot be held back"),
        pytest.param("O-9", "O-5 C-1 O-3 W-2", "O-5 C-1 O-3", id="trump led, any trump"),
        pytest.param("O-9", "C-8 W-2", "C-8 W-2", id="trump led, none held"),
        pytest.param("C-9", "C-1 W-2", "C-1 W-2", id="C-1 is no C card"),
        pytest.param("C-9", "C-8 C-1 W-2", "C-8 C-1", id="C-1 as a trump on C"),
        pytest.param("C-1", "O-3 C-8 W-2", "O-3", id="C-1 led asks for trumps"),
        pytest.param("C-1", "C-8 W-2", "C-8 W-2", id="C-1 led does not ask for C"),
    ],
)
def test_what_may_be_played_when_O_is_trump_GR_E13(led: str, cards: str, may: str) -> None:
    """GR-23, GR-24, GR-25, GR-26, GR-R06, GR-R09, GR-E13"""
    story = playing("C-2", f"{led} R-3", cards).when(1, play(led))
    story.allows(2, *(PlayCard(card) for card in hand(may)))
    trump_led = led in ("O-9", "C-1")
    for card in set(hand(cards)) - set(hand(may)):
        story.refuses(2, PlayCard(card), "GR-26" if trump_led else "GR-24")
        assert "you hold" in refusal(story, 2, PlayCard(card)).text


def test_C_1_follows_C_only_where_C_is_trump() -> None:
    """GR-26, GR-R06"""
    story = playing("W-3", "C-13 R-3", "C-1 W-2", turn_up="C-9").when(1, play("C-13"))
    story.allows(2, play("C-1")).refuses(2, play("W-2"), "GR-26")


def test_all_seven_tricks_are_played() -> None:
    """GR-22, GR-36: also when a seat has its four long before."""
    story = deal("C-2", "C-1 O-13 O-12 O-11 O-10 O-9 O-8", "C-3", turn_up="O-2").when(1, Bid(15))
    numbers = []
    while GAME.to_act(story.table) != {CHANCE}:
        seat = story.table.turn
        story = story.when(seat, GAME.legal(story.table, seat)[0])
        numbers += [event.trick_no for event in story.events if isinstance(event, TrickTaken)]
    assert numbers == [1, 2, 3, 4, 5, 6, 7]
    assert story.last(HandScored).tricks == (0, 7, 0) and story.last(HandScored).delta == (0, 18, 0)


# ── Scoring ─────────────────────────────────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize(
    ("speeches", "tricks", "result", "delta", "options"),
    [
        pytest.param((3, 0, 7, 0), (1, 5, 1, 0), "made", (0, 4, 0, -7), {}, id="GR-E5: the lower bidder makes good"),
        pytest.param((3, 0, 7, 0), (0, 2, 1, 4), "made", (0, -3, 0, 7), {}, id="GR-E6: the higher one does"),
        pytest.param((3, 0, 7, 0), (4, 1, 1, 1), "set", (0, -3, 0, -7), {}, id="GR-E7: one who did not bid"),
        pytest.param((3, 0, 7, 0), (7, 0, 0, 0), "set", (0, -3, 0, -7), {}, id="GR-E7: no overtricks without a bid"),
        pytest.param((3, 0, 7, 0), (2, 3, 1, 1), "killed", (0, 0, 0, 0), {}, id="GR-E8: killed"),
        pytest.param((15,), (1, 2, 0, 4), "credit", (0, -15, 0, 15), {}, id="GR-E9: eldest's 15 is credited"),
        pytest.param((15,), (1, 1, 0, 5), "credit", (0, -15, 0, 15), {}, id="GR-E9: without overtricks"),
        pytest.param((15,), (2, 3, 1, 1), "killed", (0, 0, 0, 0), {}, id="15 in a killed hand"),
        pytest.param((15,), (0, 7, 0, 0), "made", (0, 18, 0, 0), {}, id="GR-E10: the largest score"),
        pytest.param((15,), (0, 7, 0, 0), "made", (0, 18, 0, 0), {"fifteen_credit": "any"}, id="no credit to oneself"),
        pytest.param((2, 15), (0, 0, 3, 4), "set", (0, -2, -15, 0), {}, id="GR-E11: not eldest's 15"),
        pytest.param((2, 15), (0, 0, 3, 4), "credit", (0, -2, -15, 15), {"fifteen_credit": "any"}, id="GR-E11: any"),
        pytest.param((2, 15), (0, 4, 3, 0), "made", (0, 2, -15, 0), {}, id="GR-E11: the lower bid is made"),
        pytest.param((2, 15), (0, 4, 3, 0), "made", (0, 17, -15, 0), {"fifteen_credit": "any"}, id="GR-E11: and 15"),
        pytest.param((14, 15), (0, 7, 0, 0), "made", (0, 32, -15, 0), {"fifteen_credit": "any"}, id="32 at the most"),
        pytest.param((1, 2, 3, 4), (0, 0, 6, 1), "made", (-4, -1, 4, -3), {}, id="all bids stand"),
    ],
)
def test_what_a_hand_scores(
    speeches: tuple[int, ...], tricks: tuple[int, ...], result: str, delta: tuple[int, ...], options: dict[str, Any]
) -> None:
    """GR-19, GR-28, GR-29, GR-30, GR-31, GR-32, GR-33, GR-R10, GR-R11, GR-R14; GR-E5, GR-E6, GR-E7, GR-E8, GR-E9,
    GR-E10, GR-E11"""
    story = last_trick(bidding(*speeches, **options), tricks)
    scored = story.last(HandScored)
    assert (scored.result, scored.delta, scored.totals) == (result, delta, delta)
    assert scored.taker == next((seat for seat, count in enumerate(tricks) if count >= 4), None)
    assert story.table.bid_hands == 1  # a killed hand counts too


@pytest.mark.parametrize(("tricks", "points"), [(4, 6), (5, 7), (6, 8), (7, 9)])
def test_each_trick_over_four_is_a_point(tricks: int, points: int) -> None:
    """GR-30"""
    assert last_trick(bidding(6, 0, 0, 0), (7 - tricks, tricks, 0, 0)).last(HandScored).delta[1] == points


def test_totals_add_up_and_may_fall_below_nothing() -> None:
    """GR-34"""
    story = last_trick(bidding(3, 0, 7, 0).but(totals=(0, 1, 5, -6)), (4, 1, 1, 1))
    assert story.last(HandScored).totals == (0, -2, 5, -13)


# ── The end ─────────────────────────────────────────────────────────────────────────────────────────────────────


def seventh_hand(totals: tuple[int, ...], **options: Any) -> Story:
    """The seventh hand with a bid; it is killed and leaves the totals as they are."""
    return last_trick(bidding(3, 0, 7, 0, **options).but(totals=totals, bid_hands=6), (2, 3, 1, 1))


def test_after_seven_hands_with_a_bid_the_most_points_win() -> None:
    """GR-33, GR-34: the seventh counts although it was killed; six do not end the match."""
    sixth = last_trick(bidding(3, 0, 7, 0).but(bid_hands=5), (2, 3, 1, 1))
    assert GAME.outcome(sixth.table) is None and GAME.to_act(sixth.table) == {CHANCE}
    story = seventh_hand((4, -9, 12, 11))
    result = GAME.outcome(story.table)
    assert result is not None and (result.winners, result.places) == ((2,), (3, 4, 1, 2))
    assert GAME.to_act(story.table) == frozenset() and GAME.view(story.table, 0)["phase"] == "finished"
    for command in (Bid(15), PassBid(), play("O-13"), graft("C-2"), DeclineGraft()):
        story.refuses(1, command, "GR-34")


def test_a_table_may_agree_on_another_number_of_hands() -> None:
    """GR-34"""
    assert GAME.outcome(last_trick(bidding(3, 0, 7, 0, hands=1), (4, 1, 1, 1)).table) is not None
    assert GAME.outcome(last_trick(bidding(3, 0, 7, 0, hands=2), (4, 1, 1, 1)).table) is None
    refuses_table(GAME, 3, "GR-34", hands=0)
    refuses_table(GAME, 3, "GR-34", hands=22)


def test_equal_totals_win_together() -> None:
    """GR-35, GR-R12"""
    result = GAME.outcome(seventh_hand((12, -9, 12, 11)).table)
    assert result is not None and (result.winners, result.scores) == ((0, 2), (12, -9, 12, 11))


def test_at_some_tables_a_tie_is_played_off_by_extra_hands_with_a_bid() -> None:
    """GR-R12: a hand thrown in changes nothing; a killed one leaves the tie; the next decides."""
    tied = seventh_hand((12, -9, 12, 11), tie_break="extra_hand")
    assert GAME.outcome(tied.table) is None and GAME.to_act(tied.table) == {CHANCE}

    def again(story: Story, *speeches: int) -> Story:
        story = story.when(CHANCE, Shuffled(deck("C-2", "C-3", "C-4", "C-6", turn_up="O-2", dealer=1)))
        for points in speeches:
            story = story.when(story.table.turn, Bid(points) if points else PassBid())
        return story

    thrown_in = again(tied, 0, 0, 0, 0)
    assert GAME.outcome(thrown_in.table) is None and thrown_in.table.bid_hands == 7
    killed = last_trick(again(tied, 4, 0, 0, 0), (2, 3, 1, 1))
    assert GAME.outcome(killed.table) is None and killed.table.bid_hands == 8
    decided = last_trick(again(tied, 4, 0, 0, 0), (1, 1, 4, 1))
    result = GAME.outcome(decided.table)
    assert result is not None and (result.winners, result.scores) == ((2,), (12, -9, 16, 11))
    alone = GAME.outcome(seventh_hand((12, -9, 13, 11), tie_break="extra_hand").table)
    assert alone is not None and alone.winners == (2,)


# ── What is hidden ──────────────────────────────────────────────────────────────────────────────────────────────


def test_a_seat_sees_its_own_hand_and_what_lies_open() -> None:
    """GR-06: other hands and the stock are never shown; a spectator sees no hand at all."""
    story = deal("C-2", "C-3", "C-4", turn_up="R-8").when(1, Bid(15)).when(1, play("C-3"))
    for seat in (0, 1, 2, None):
        seen = GAME.view(story.table, seat)
        assert seen["hand"] == (None if seat is None else story.table.hands[seat])
        assert (seen["turned"], seen["trump"], seen["stock_count"]) == ("R-8", "R", 30)
        assert seen["hand_counts"] == [7, 6, 7] and seen["trick"] == [{"seat": 1, "card": "C-3"}]
        shown_cards = set(hand("C-3 R-8")) | (set() if seat is None else set(story.table.hands[seat]))
        assert not [card for card in FULL_PACK if card not in shown_cards and f"'{card}'" in repr(seen)]


def test_when_all_is_over_the_hands_the_stock_and_the_discard_lie_open() -> None:
    story = five_up().when(0, graft("W-2"))
    seen = GAME.view(story.table, ALL)
    assert seen["hands"] == story.table.hands and seen["stock"] == story.table.stock and seen["stock"][-1] == "W-2"
    assert seen["hand"] is None and seen["graft"]["discard"] == "W-2"
    assert [GAME.view(story.table, seat)["stock"] for seat in (0, 1, None)] == [None] * 3


def small_deals(own: str, others: str, turn_up: str, **options: Any) -> Iterator[Story]:
    """Every deal in which seat 0 has its own cards, seat 1 has three, seat 2 has two and the stock the rest."""
    five = Card(f"{turn_up[0]}-5")
    cards = hand(others)
    for one in itertools.combinations(cards, 3):
        left = [card for card in cards if card not in one]
        for two in itertools.combinations(left, 2):
            for stock in itertools.permutations([card for card in left if card not in two]):
                hands = [hand(own), one, two]
                event = HandDealt(1, 0, Card(turn_up), turn_up[0], 2, each_its_own(hands), hidden(stock))
                story = table(GAME, 3, **options).given(event)
                holders = [seat for seat, kept in enumerate(hands) if five in kept]
                if holders and options.get("forced_graft") == "any_out":
                    yield story.given(GraftOffered(holders[0], five))
                elif holders:
                    yield story.given(Grafted(holders[0], Card(turn_up), True, shown(five)))
                else:
                    yield story


def worlds(stories: Iterable[Story], *log: tuple[int, Any]) -> list[Table]:
    """What has become of these deals when all this was done at them; a graft by another puts out any card it may."""
    for seat, command in log:
        found = []
        for story in stories:
            commands = GAME.legal(story.table, seat)
            wanted = [c for c in commands if isinstance(c, Graft)] if command is Graft else [command]
            found += [story.when(seat, one) for one in wanted if one in commands]
        stories = found
    return [story.table for story in stories]


@pytest.mark.parametrize(
    ("forced_graft", "log"),
    [
        # Seat 1 was dealt the Five, took R-8 and put out something else; seat 2 has no W, or no trump, not even C-1.
        ("any_out", [(1, Graft), (1, Bid(15)), (1, play("W-2")), (2, play("O-3"))]),
        ("any_out", [(1, Graft), (1, Bid(15)), (1, play("R-8")), (2, play("C-3"))]),
        # Nobody had to graft, so that the Five is in the stock.
        ("five_out", [(1, Bid(15)), (1, play("W-2")), (2, play("O-3"))]),
        ("five_out", [(1, PassBid()), (2, PassBid())]),
    ],
)
def test_every_deal_and_every_hidden_discard_that_fits_is_imagined_as_often(
    forced_graft: str, log: list[tuple[int, Any]]
) -> None:
    """GR-07, GR-09, GR-10, GR-24, GR-26: also where C-1 is a trump and no C."""
    possible = worlds(small_deals("O-9 O-10", "C-1 C-3 C-4 R-5 O-3 W-2 W-3", "R-8", forced_graft=forced_graft), *log)
    seen = collections.defaultdict(list)
    for world in possible:
        seen[json.dumps(GAME.view(world, 0), sort_keys=True)].append(world)
    rng = random.Random(1)
    for fitting in seen.values():
        counts = collections.Counter(GAME.imagine(fitting[0], 0, rng.randrange) for _ in range(100 * len(fitting)))
        assert set(counts) == set(fitting) and len(set(fitting)) == len(fitting)
        unlike = sum((counts[world] - 100) ** 2 / 100 for world in fitting)
        assert unlike < len(fitting) + 5 * (2 * len(fitting)) ** 0.5
    assert max(map(len, seen.values())) > 5


def test_every_hand_adds_up() -> None:
    """GR-36, GR-20, GR-33: whole random matches at every seat count and with every option."""
    results = set()
    for seats, options in tables(GAME):
        counted = 0
        for moment in random_match(GAME, seats, {**options, "hands": 4}, random.Random(repr((seats, options)))):
            for event in moment.events:
                if not isinstance(event, HandScored):
                    continue
                counted += 1
                results.add(event.result)
                assert sum(event.tricks) == 7 and any(event.bids)
                changed = {seat for seat, points in enumerate(event.delta) if points}
                bidders = {seat for seat, points in enumerate(event.bids) if points}
                assert changed <= bidders | {event.taker}
                assert (event.result == "killed") == (max(event.tricks) < 4)
        assert counted == 4 or (counted > 4 and options.get("tie_break") == "extra_hand")
    assert results == {"made", "set", "credit", "killed"}


def test_C_1_and_trumps_stand_last_among_the_cards_to_put_out() -> None:
    """GR-09, GR-R05, GR-13: the lowest plain card is the first of the list."""
    story = deal("C-1 O-5 O-2 W-13 W-3 R-9 C-2", "", "", turn_up="O-9", forced_graft="any_out")
    legal = GAME.legal(story.table, story.table.turn)
    assert story.table.turn == 0 and legal[0] == graft("C-2") and legal[-1] == graft("C-1")


def test_an_absent_player_plays_plain_cards_before_C_1_and_trumps() -> None:
    """GR-13, GR-14, GR-21: C-1 is the second trump, unless C is trump; then it is the lowest."""
    story = playing("C-2", "C-1 C-13 O-2 R-4", "C-3")
    assert GAME.legal(story.table, 1) == [play("R-4"), play("C-13"), play("O-2"), play("C-1")]
    clubs = playing("C-2", "C-1 C-13 O-2 R-4", "C-3", turn_up="C-7")
    assert GAME.legal(clubs.table, 1) == [play("O-2"), play("R-4"), play("C-1"), play("C-13")]


# ── The order of the legal list ─────────────────────────────────────────────────────────────────────────────────


def worth_keeping(card: Card, trump: str) -> tuple[int, int]:
    """GR-13, GR-14: plain cards by number, then the trumps, C-1 and the Five."""
    if card == f"{trump}-5":
        return 3, 0
    if card == "C-1" and trump != "C":
        return 2, 0
    return int(card[0] == trump), int(card[2:])


@pytest.mark.parametrize("seats", range(3, 8))
def test_what_is_given_up_for_an_absent_player_is_the_weakest_card_at_every_table(seats: int) -> None:
    """GR-07, GR-08, GR-R05, GR-22: and every card of the hand but the Five may be put out for it."""
    grafts = 0
    for forced in ("five_out", "any_out"):
        moments = random_match(GAME, seats, {"hands": 12, "forced_graft": forced}, random.Random(seats))
        for s in (moment.after for moment in moments):
            for seat in range(seats):
                commands = GAME.legal(s, seat)
                cards = [
                    c.card if isinstance(c, PlayCard) else c.discard
                    for c in commands
                    if isinstance(c, PlayCard | Graft)
                ]
                assert cards == sorted(cards, key=lambda card: worth_keeping(card, s.trump))
            if s.phase == "grafting":
                grafts += 1
                offered = GAME.legal(s, s.turn)
                five = f"{s.trump}-5"
                assert (offered[0] == DeclineGraft()) == (s.turn_up == five)
                assert {c.discard for c in offered if isinstance(c, Graft)} == set(s.hands[s.turn]) - {five}
    assert grafts > 2


def test_what_a_graft_puts_out_is_a_hidden_choice() -> None:
    """GR-07, GR-09: for an absent holder of the Five it is drawn by lot, or all could tell his lowest plain card."""
    assert GAME.hidden_choices == (Graft,)


def test_an_absent_holder_of_the_five_gives_up_any_plain_card_and_never_C_1() -> None:
    """GR-07, GR-13, PM-10"""
    places = tuple(Place("bot", None, "random", "") for _ in range(4))
    now = open_match(GAME, "m", host="h", seats=places, options={"forced_graft": "any_out"}, seed=bytes(32)).match
    story = next(
        moment.after
        for number in range(2000)
        for moment in random_match(GAME, 4, {"hands": 2, "forced_graft": "any_out"}, random.Random(number))
        if moment.after.phase == "grafting"
        and not isinstance(GAME.legal(moment.after, moment.after.turn)[0], DeclineGraft)
        and "C-1" in moment.after.hands[moment.after.turn]
        and moment.after.trump != "C"
    )
    seat, table = story.turn, now._replace(table=story)
    given_up = {stand_in(table, seat, bytes([n] * 32)).discard for n in range(200)}
    plain = {card for card in story.hands[seat] if card != "C-1" and card.suit != story.trump}
    assert given_up == plain


# ── At every table, and in later hands ──────────────────────────────────────────────────────────────────────────

every_table = pytest.mark.parametrize(
    ("seats", "hand_no"), [(seats, hand_no) for seats in range(3, 8) for hand_no in (1, 2)]
)


def all_speak(seats: int, hand_no: int, **options: Any) -> Story:
    """A hand without a graft, seat 0 dealing: seat 1 is to speak."""
    hands = [f"W-{n} R-{n}" for n in (1, 2, 3, 4, 6, 7, 8)[:seats]]
    return dealt(*hands, **options).but(hand_no=hand_no)


@every_table
def test_every_seat_may_pass_or_bid_once_at_every_table(seats: int, hand_no: int) -> None:
    """GR-16, GR-17, GR-20, GR-R15"""
    story = all_speak(seats, hand_no)
    for seat in (*range(1, seats), 0):
        story.allows(seat, PassBid(), *(Bid(points) for points in range(1, 16)))
        story.refuses(seat, Bid(0), "GR-16").refuses(seat, Bid(16), "GR-16").refuses(seat, play("W-1"), "GR-21")
        story.refuses((seat + 1) % seats, Bid(1), "GR-16")
        assert GAME.view(story.table, None)["phase"] == "bidding" and GAME.view(story.table, None)["highest_bid"] == 0
        higher = story.when(seat, Bid(3))
        if seat:
            higher.refuses(seat + 1 if seat + 1 < seats else 0, Bid(3), "GR-17")
            assert GAME.view(higher.table, None)["highest_bid"] == 3
        else:
            higher.then(BidMade(0, 3), BiddingClosed((3, *[0] * (seats - 1)), "round", 1))
        story = story.when(seat, PassBid())
    story.then(BidPassed(0), HandThrownIn(1))
    assert GAME.view(story.table, 0)["phase"] == "awaiting_deal" and GAME.to_act(story.table) == {CHANCE}
    story.refuses(1, Bid(1), "GR-05").refuses(1, graft("W-1"), "GR-05")


@every_table
def test_a_dealer_who_must_bid_is_the_only_one_at_every_table(seats: int, hand_no: int) -> None:
    """GR-R13"""
    story = all_speak(seats, hand_no, dealer_must_bid=True)
    for seat in range(1, seats):
        story = story.when(seat, PassBid())
    story.refuses(0, PassBid(), "GR-R13").allows(0, *(Bid(points) for points in range(1, 16)))
    spoken = all_speak(seats, hand_no, dealer_must_bid=True).when(1, Bid(1))
    for seat in range(2, seats):
        spoken = spoken.when(seat, PassBid())
    spoken.when(0, PassBid()).then(BidPassed(0), BiddingClosed((0, 1, *[0] * (seats - 2)), "round", 1))


@every_table
def test_the_dealer_takes_or_declines_a_turned_up_Five_at_every_table(seats: int, hand_no: int) -> None:
    """GR-07, GR-08, GR-11, GR-R03, GR-R16"""
    five = Card("O-5")
    offered = dealt(*[f"W-{n} R-{n}" for n in (1, 2, 3, 4, 6, 7, 8)[:seats]], turn_up="O-5")
    offered = offered.but(hand_no=hand_no).given(GraftOffered(0, five))
    offered.allows(0, DeclineGraft(), graft("W-1"), graft("R-1"))
    for seat in range(1, seats):
        offered.refuses(seat, DeclineGraft(), "GR-07").refuses(seat, Bid(1), "GR-R03").refuses(
            seat, play("W-2"), "GR-11"
        )
    offered.refuses(0, Graft(five), "GR-R16").refuses(0, graft("W-2"), "GR-07")
    declined = offered.when(0, DeclineGraft())
    assert GAME.to_act(declined.table) == {1} and GAME.view(declined.table, None)["phase"] == "bidding"
    declined.refuses(0, graft("W-1"), "GR-08")
    taken = offered.when(0, graft("W-1")).then(Grafted(0, five, False, Secret(Card("W-1"), (0,))))
    assert GAME.to_act(taken.table) == {1} and GAME.view(taken.table, 0)["hand"] == hand("R-1 O-5")
    taken.refuses(0, graft("R-1"), "GR-11")


@every_table
def test_a_forced_graft_is_the_holders_alone_at_every_table(seats: int, hand_no: int) -> None:
    """GR-09, GR-R05, GR-R16: the last seat holds the Five."""
    hands = [f"W-{n} R-{n}" for n in (1, 2, 3, 4, 6, 7)[: seats - 1]] + ["O-5 W-9"]
    offered = dealt(*hands, turn_up="O-2", forced_graft="any_out").but(hand_no=hand_no)
    offered = offered.given(GraftOffered(seats - 1, Card("O-5")))
    offered.allows(seats - 1, graft("W-9")).refuses(seats - 1, graft("O-5"), "GR-R16")
    offered.refuses(seats - 1, DeclineGraft(), "GR-09").refuses(0, graft("W-1"), "GR-09")
    taken = offered.when(seats - 1, graft("W-9"))
    assert GAME.view(taken.table, seats - 1)["hand"] == hand("O-2 O-5")
    assert [GAME.view(taken.table, seat)["graft"]["discard"] for seat in range(seats)] == [None] * (seats - 1) + ["W-9"]


@every_table
def test_who_must_follow_is_told_by_which_card_at_every_table(seats: int, hand_no: int) -> None:
    """GR-24, GR-26"""
    for led, held, other, rule in (("W-9", "W-2", "R-3", "GR-24"), ("O-9", "O-4", "R-3", "GR-26")):
        hands = ["C-2 C-3", f"{led} C-4", f"{held} {other}", *["C-6 C-7"] * (seats - 3)]
        story = dealt(*hands).but(hand_no=hand_no, phase="playing", bids=(1, *[0] * (seats - 1)))
        story = story.when(1, play(led)).refuses(2, play(other), rule)
        assert story.words(2, play(other)) == f"you hold {held}, so {other} cannot be played to this trick"
        story.refuses(2, graft(held), "GR-11").refuses(2, PassBid(), "GR-16").refuses(0, play("C-2"), "GR-22")
