"""Secret Seven, rule by rule."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from itertools import combinations, islice, permutations
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
    Template,
    each_its_own,
    hidden,
)
from domain.games.secret_seven import GAME
from domain.games.secret_seven.events import (
    Accept,
    CallPassed,
    CallSecret,
    HandAccepted,
    HandDealt,
    HandScored,
    NeglectProven,
    NoCall,
    PacketShown,
    ProveNeglect,
    SecretCalled,
    SecretSet,
    SelectSecret,
    TrickTaken,
)
from domain.games.secret_seven.game import Table, Taken, trick_points
from domain.games.secret_seven.sevens import holds_numbers, holds_seven
from domain.kit.cards import FULL_PACK, PAUPER, Card, pack
from domain.kit.dealing import DealerChosen
from domain.kit.plays import CardPlayed, PlayCard
from domain.match import Place, open_match, stand_in
from domain.wire import may_see, write_event
from tests.domain import playing
from tests.domain.playing import Deal, Moment, of_type, random_match
from tests.domain.reading import (
    by_letter,
    check_refusals_tell_nothing,
    check_views,
    following,
    number_of,
    read,
    refusal_of,
    steered_match,
    winner_of,
)
from tests.domain.story import Story, hand, refuses_idle, refuses_table, table
from tests.domain.telling.worlds import History, check_shares, replay
from tests.golden.matches import Golden

QUICK: dict[str, Any] = {}
GOLDEN = Golden(
    seats=4,
    options={},
    moment="a dealer lets the Secret Seven pass, and an opponent proves it",
    shows=lambda events: any(isinstance(e, NeglectProven) for e in events) and len(events) < 450,
    tries=4000,
)

PACKET = "C-5 R-2 O-12 W-9"
PLAIN = "C-13 R-12 O-11 W-10"
SEVEN = "O-6 W-1 C-9 R-8"
SECRET = "O-5 W-2 C-10 R-11"


def whole(s: Table) -> Iterable[Any]:
    return s.pack


def pieces(s: Table) -> Iterable[Any]:
    if s.phase in ("selecting", "awaiting_deal"):
        return ()
    piles = (s.packet, s.over, *s.hands, *(trick.cards for trick in s.taken))
    return [*(card for pile in piles for card in pile), *(play.card for play in s.trick)]


# ── What the rule page says, for the common tests ────────────────────────────────────────────────────────────────

SEATS = ("SS-01", range(2, 5))
OPTIONS = {
    "short_pack": ("SS-R1", "keep7_pick4", ("keep7_pick4", "withdraw7_pick4", "withdraw7_pick_n")),
    "partners": ("SS-R16", True, bool),
    "require_possible": ("SS-R5", False, bool),
    "called_trick_bonus": ("SS-R12", True, bool),
    "auto_call": ("SS-R13", False, bool),
    "auto_proof": ("SS-R13", False, bool),
}
REFUSALS = {
    "SS-01": {"not_in_pack"},
    "SS-02b": {"not_your_turn", "wrong_count"},
    "SS-02c": {"not_in_packet", "not_a_seven", "cannot_recur"},
    "SS-02d": {"wrong_phase"},
    "SS-04a": {"not_your_turn", "not_in_hand"},
    "SS-04b": {"must_follow"},
    "SS-05d": {"not_the_dealer", "wrong_numbers", "not_the_secret"},
    "SS-05h": {"neglected"},
    "SS-05i": {"call_pending", "no_call_open"},
    "SS-05j": {"wrong_phase", "not_an_opponent", "already_accepted", "no_proof"},
    "SS-06b": {"wrong_phase"},
}
# By seats and short_pack: the suits, whether the 7s are in, the packet, cards for each, cards over. SS-01, SS-R1
PACKS = {
    (2, "keep7_pick4"): ("CR", True, 4, 11, 0),
    (2, "withdraw7_pick4"): ("CR", False, 4, 10, 0),
    (2, "withdraw7_pick_n"): ("CR", False, 2, 11, 0),
    (3, "keep7_pick4"): ("CRO", True, 4, 11, 2),
    (3, "withdraw7_pick4"): ("CRO", False, 4, 10, 2),
    (3, "withdraw7_pick_n"): ("CRO", False, 3, 11, 0),
    (4, "keep7_pick4"): ("CROW", False, 4, 11, 0),
}
PRICES = {5: 1, 6: 2, 7: 3, 8: 5, 9: 7, 10: 9, 11: 11, 12: 13}  # of so many tricks; fewer are worth nothing. SS-05a/b


def pack_in_use(seats: int, short_pack: str) -> list[Card]:
    suits, sevens, *_ = PACKS[seats, short_pack]
    return [Card(f"{suit}-{n}") for suit in suits for n in range(1, 14) if n != 7 or sevens]


def deal_map(deal: Deal) -> Iterable[Any]:
    """SS-03a, SS-03b, SS-03c: what the dealer left in goes round one by one; the last card dealt is shown for trump."""
    *_, each, over = PACKS[deal.seats, deal.options.short_pack]
    packet = of_type(deal.events, "SecretSet")[-1].cards.value
    assert sorted((*deal.deck, *packet)) == sorted(pack_in_use(deal.seats, deal.options.short_pack))
    hands: list[list[Card]] = [[] for _ in range(deal.seats)]
    for at in range(each * deal.seats):
        seat = (deal.dealer + 1 + at) % deal.seats
        hands[seat].append(deal.deck[at])
    assert seat == deal.dealer
    secrets = tuple(Secret(by_letter(held), (player,)) for player, held in enumerate(hands))
    left = deal.deck[each * deal.seats :]
    yield HandDealt(deal.hand_no, deal.dealer, hands[seat][-1], over, secrets, Secret(left, ()))


def chosen(command: Any, after: Table) -> SelectSecret:
    """The choice of a dealer that leads to this table: the first of several that do."""
    some = (cards for size in range(2, 5) for cards in combinations(after.packet, size))
    numbers = sorted(after.combo)
    combo = next(c for c in some if sorted(map(number_of, c)) == numbers and len({card[0] for card in c}) == len(c))
    return SelectSecret(after.packet, combo)


def recount(events: Iterable[Any], options: Any, seats: int) -> Outcome | None:
    return read(Reading, events, options, seats)


def makes_seven(found: Iterable[int]) -> bool:
    found = list(found)
    return any(sum(some) == 7 for size in range(2, len(found) + 1) for some in combinations(found, size))


class Reading:
    """SS-02a to SS-06b, card by card."""

    def __init__(self, options: Any, seats: int) -> None:
        self.options, self.seats = options, seats
        _, _, self.size, self.each, _ = PACKS[seats, options.short_pack]
        self.pack = pack_in_use(seats, options.short_pack)
        self.sides = 2 if seats == 4 and options.partners else seats
        self.totals = [0] * self.sides
        self.phase, self.hand_no = "selecting", 0
        self.dealer: int | None = None
        self.turned: Card | None = None
        self.called: int | None = None
        self.gather()
        self.lay(((),) * seats)

    def gather(self) -> None:
        self.packet: list[Card] = []
        self.secret: list[int] = []
        self.open, self.proven = False, False
        self.over: Sequence[Card] = ()
        self.waiting: set[int] = set()

    def lay(self, hands: Iterable[Iterable[Card]]) -> None:
        self.hands = [list(held) for held in hands]
        self.trick: list[tuple[int, Card]] = []
        self.tricks: list[tuple[int, list[Card]]] = []
        self.turn, self.due = -1, ""

    @property
    def first(self) -> int | None:
        """The number of the first trick with the secret numbers."""
        for number, (_, cards) in enumerate(self.tricks, start=1):
            if not Counter(self.secret) - Counter(map(number_of, cards)):
                return number
        return None

    def note(self, event: Any) -> None:
        name = type(event).__name__
        assert self.due in ("", name), f"{name} in place of {self.due}"
        self.due = ""
        match event:
            case DealerChosen(seat):
                assert self.dealer is None
                self.dealer = seat
            case SecretSet(seat, count, cards, secret):
                assert (self.phase, seat, count, cards.to, secret.to) == (
                    "selecting", self.dealer, self.size, (seat,), (seat,),
                )  # fmt: skip
                self.phase, self.packet, self.secret = "awaiting_deal", list(cards.value), list(secret.value)
                self.check_secret()
            case HandDealt():
                assert (self.phase, event.dealer) == ("awaiting_deal", self.dealer)
                self.lay(kept.value for kept in event.hands)
                self.phase, self.hand_no, self.turned = "playing", event.hand_no, event.turned
                assert event.over_count == len(event.over.value)
                self.over, self.called, self.turn = event.over.value, None, (event.dealer + 1) % self.seats
            case CardPlayed(seat, card):
                assert self.phase == "playing" and seat == self.turn
                assert card in following(self.hands[seat], self.trick)
                self.hands[seat].remove(card)
                self.trick.append((seat, card))
                self.turn = (seat + 1) % self.seats
                self.due = "TrickTaken" if len(self.trick) == self.seats else ""
            case TrickTaken():
                self.note_trick(event)
            case SecretCalled(trick_no, secret, seat, cards):
                assert self.called is None and self.phase == ("playing" if self.options.auto_call else "calling")
                assert trick_no == len(self.tricks) == self.first and seat == self.tricks[-1][0]
                assert (list(cards), list(secret)) == (self.packet, self.secret)
                self.phase, self.called, self.open = "playing", trick_no, True
                self.after_the_pause()
            case CallPassed(trick_no):
                assert (self.phase, trick_no) == ("calling", len(self.tricks))
                self.phase = "playing"
                self.after_the_pause()
            case PacketShown(cards, secret):
                assert (list(cards), list(secret)) == (self.packet, self.secret)
                self.phase, self.open = "proving", True
                self.waiting = {s for s in range(self.seats) if (s - (self.dealer or 0)) % self.sides}
                if self.options.auto_proof:
                    self.due = "HandScored" if self.first is None else "NeglectProven"
            case NeglectProven(seat, trick_no):
                assert trick_no == self.first and self.phase == "proving"
                assert seat is None if self.options.auto_proof else seat in self.waiting
                self.proven, self.due = True, "HandScored"
            case HandAccepted(seat):
                assert self.phase == "proving" and not self.options.auto_proof
                self.waiting.remove(seat)
                self.due = "" if self.waiting else "HandScored"
            case HandScored():
                self.count(event)
                self.gather()
                self.phase, self.dealer = "selecting", ((self.dealer or 0) + 1) % self.seats

    def check_secret(self) -> None:
        """SS-02b, SS-02c, SS-R5"""
        assert len(set(self.packet)) == self.size and set(self.packet) <= set(self.pack)
        assert tuple(self.packet) == by_letter(self.packet) and self.secret == sorted(self.secret, reverse=True)
        some = (cards for size in range(2, 5) for cards in combinations(self.packet, size))
        sevens = [cards for cards in some if len({card[0] for card in cards}) == len(cards)]
        assert (
            self.secret in [sorted(map(number_of, cards), reverse=True) for cards in sevens] and sum(self.secret) == 7
        )
        left = Counter(number_of(card) for card in self.pack if card not in self.packet)
        assert not self.options.require_possible or not Counter(self.secret) - left

    def note_trick(self, event: TrickTaken) -> None:
        assert self.turned is not None and len(self.trick) == self.seats
        cards = [card for _, card in self.trick]
        winner, seven = winner_of(self.trick, self.turned[0]), makes_seven(map(number_of, cards))
        pause = seven and self.called is None and not self.options.auto_call
        self.tricks.append((winner, cards))
        assert event == TrickTaken(len(self.tricks), winner, seven, pause)
        self.turn, self.trick = winner, []
        if pause:
            self.phase = "calling"
        elif self.options.auto_call and self.called is None and self.first is not None:
            self.due = "SecretCalled"
        else:
            self.after_the_pause()

    def after_the_pause(self) -> None:
        if len(self.tricks) == self.each:
            self.due = "PacketShown" if self.called is None and not self.options.auto_call else "HandScored"

    def count(self, event: HandScored) -> None:
        """SS-05a to SS-05k"""
        assert not any(self.hands) and len(self.tricks) == self.each
        assert self.called is None or not self.proven
        for side in range(self.sides):
            mine = [no for no, (taker, _) in enumerate(self.tricks, start=1) if taker % self.sides == side]
            paying = [no for no in mine if no != self.called or self.options.called_trick_bonus]
            sevens = len([no for no in paying if makes_seven(map(number_of, self.tricks[no - 1][1]))])
            has_packet = self.called in mine
            base = PRICES.get(len(mine) + has_packet, 0)
            loses = has_packet or (self.proven and (self.dealer or 0) % self.sides == side)
            delta = base + 2 * sevens - 7 * loses
            self.totals[side] += delta
            parts = (event.tricks, event.packet, event.base, event.sevens, event.penalty, event.delta)
            assert [part[side] for part in parts] == [len(mine), has_packet, base, sevens, 7 * loses, delta]
        assert list(event.totals) == self.totals and {len(part) for part in parts} == {self.sides}

    def outcome(self) -> Outcome | None:
        best = max(self.totals)
        if self.phase != "selecting" or best < 49 or self.totals.count(best) > 1:
            return None
        scores = [self.totals[seat % self.sides] for seat in range(self.seats)]
        return Outcome(tuple(1 + len([s for s in scores if s > mine]) for mine in scores), tuple(scores), "target")

    def may(self, seat: int) -> list[Any]:
        if self.outcome():
            return []
        if self.phase == "selecting" and seat == self.dealer:
            return [SelectSecret]
        if self.phase == "playing" and seat == self.turn:
            return [PlayCard(card) for card in following(self.hands[seat], self.trick)]
        if self.phase == "calling" and seat == self.dealer:
            return [NoCall(), *([CallSecret(tuple(self.secret))] if self.first == len(self.tricks) else [])]
        if self.phase == "proving" and seat in self.waiting:
            return [Accept(), *([] if self.first is None else [ProveNeglect(self.first)])]
        return []

    def view(self, seat: int | None) -> dict[str, Any]:
        is_dealer = seat is not None and seat == self.dealer
        knows = self.open or ((is_dealer or seat == ALL) and bool(self.packet))
        return {
            "phase": "finished" if self.outcome() else self.phase,
            "hand_no": self.hand_no,
            "dealer": self.dealer,
            "turn": self.turn if self.phase == "playing" else None,
            "pack": self.pack if is_dealer and self.phase == "selecting" else None,
            "packet": {
                "count": len(self.packet),
                "cards": self.packet if knows else None,
                "secret": self.secret if knows else None,
            },
            "hand": None if seat is None or seat == ALL else by_letter(self.hands[seat]),
            "hands": [by_letter(held) for held in self.hands] if seat == ALL else None,
            "hand_counts": [len(held) for held in self.hands],
            "turned": self.turned,
            "trump": self.turned and self.turned[0],
            "over_count": len(self.over),
            "over": self.over if seat == ALL else None,
            "trick_no": 1 + len(self.tricks) if self.hand_no else 0,
            "trick": [{"seat": player, "card": card} for player, card in self.trick],
            "tricks_taken": [{"seat": taker, "cards": cards} for taker, cards in self.tricks],
            "seven_tricks": [
                number for number, (_, cards) in enumerate(self.tricks, start=1) if makes_seven(map(number_of, cards))
            ],
            "called_trick": self.called,
            "pending": sorted(self.waiting),
            "side_totals": self.totals,
        }


def with_dealer(seats: int, dealer: int = 0, **options: Any) -> Story:
    return table(GAME, seats, **options).given(DealerChosen(dealer))


def select(cards: str, combo: str) -> SelectSecret:
    return SelectSecret(hand(cards), hand(combo))


def dealt(
    *hands: str,
    dealer: int = 0,
    packet: str = PACKET,
    combo: Sequence[int] = (5, 2),
    turned: str = "O-13",
    **options: Any,
) -> Story:
    """A hand in play. Hands may be shorter than eleven: only the last trick needs the whole count."""
    to = (dealer,)
    return with_dealer(len(hands), dealer, **options).given(
        SecretSet(dealer, len(hand(packet)), Secret(hand(packet), to), Secret(tuple(combo), to)),
        HandDealt(1, dealer, Card(turned), 0, each_its_own([hand(h) for h in hands]), hidden(())),
    )


def play(card: str) -> PlayCard:
    return PlayCard(Card(card))


def played(story: Story, cards: str) -> Story:
    """The seats whose turn it is play these cards."""
    for card in cards.split():
        story = story.when(story.table.turn, play(card))
    return story


def one_trick(cards: str, **given: Any) -> Story:
    """Seats 1, 2, 3, 0 play these cards to a trick; each holds one more."""
    order = cards.split()
    hands = [f"{card} W-{3 + seat}" for seat, card in enumerate([order[3], *order[:3]])]
    return played(dealt(*hands, **given), cards)


def before_last(
    taken: Sequence[tuple[int, str]], last: Sequence[str], called: int | None = None, leader: int = 0, **given: Any
) -> Story:
    """All tricks but one are taken; each seat holds one card, and the leader is to lead."""
    totals = given.pop("totals", None)
    story = dealt(*last, **given)
    tricks = tuple(Taken(seat, hand(cards), holds_seven(hand(cards))) for seat, cards in taken)
    return story.but(
        taken=tricks, trick_no=len(tricks) + 1, called_trick=called, packet_open=called is not None, turn=leader,
        totals=totals or story.table.totals,
    )  # fmt: skip


def played_out(taken: Sequence[tuple[int, str]], called: int | None = None, seats: int = 4, **given: Any) -> Story:
    """A hand to its end; the last trick is a plain one and goes to the last of these takers."""
    *before, (winner, _) = taken
    last = [f"C-{10 + seat}" for seat in range(seats)]
    last[winner] = "C-13"
    story = before_last(before, last, called, **given)
    for seat in range(seats):
        story = story.when(seat, play(last[seat]))
    return story


def tricks(*runs: tuple[int, int, str]) -> list[tuple[int, str]]:
    """`(8, 0, PLAIN)` is eight plain tricks to seat 0."""
    return [(seat, cards) for times, seat, cards in runs for _ in range(times)]


def seen(story: Story, seat: int | None) -> list[Any]:
    """What a seat sees of the last events."""
    parts = [write_event(event) for event in story.events]
    return [(p.type, p.public, [own for to, own in p.secret.items() if may_see(to, seat)]) for p in parts]


# ── The pack and the packet ─────────────────────────────────────────────────────────────────────────────────────


def test_tables_of_1_and_5_seats_are_refused() -> None:
    """SS-01"""
    refuses_table(GAME, 1, "SS-01")
    refuses_table(GAME, 5, "SS-01")


@pytest.mark.parametrize(
    ("seats", "short_pack", "suits", "sevens", "packet", "each", "over"),
    [
        (4, "keep7_pick4", "CROW", False, 4, 11, 0),
        (4, "withdraw7_pick4", "CROW", False, 4, 11, 0),
        (4, "withdraw7_pick_n", "CROW", False, 4, 11, 0),
        (3, "keep7_pick4", "CRO", True, 4, 11, 2),
        (3, "withdraw7_pick4", "CRO", False, 4, 10, 2),
        (3, "withdraw7_pick_n", "CRO", False, 3, 11, 0),
        (2, "keep7_pick4", "CR", True, 4, 11, 0),
        (2, "withdraw7_pick4", "CR", False, 4, 10, 0),
        (2, "withdraw7_pick_n", "CR", False, 2, 11, 0),
    ],
)
def test_the_packs_of_two_three_and_four_SS_E1(
    seats: int, short_pack: str, suits: str, sevens: bool, packet: int, each: int, over: int
) -> None:
    """SS-01, SS-02b, SS-03a, SS-03c, SS-R1, SS-R2, SS-R3, SS-E1"""
    story = with_dealer(seats, seats - 1, short_pack=short_pack)
    cards = pack([n for n in range(1, 14) if n != 7 or sevens], suits)
    assert GAME.view(story.table, seats - 1)["pack"] == cards
    assert GAME.view(story.table, 0)["pack"] is None
    (template,) = GAME.legal(story.table, seats - 1)
    assert isinstance(template, Template)
    story = story.when(seats - 1, template.sample(lambda k: k // 2))
    assert story.last(SecretSet).count == packet == len(story.table.packet)
    wanted = GAME.chance(story.table)
    assert isinstance(wanted, Shuffle) and set(wanted.cards) == set(cards) - set(story.table.packet)
    story = story.when(CHANCE, Shuffled(wanted.cards))
    event = story.last(HandDealt)
    assert [len(kept.value) for kept in event.hands] == [each] * seats
    assert event.over_count == over == len(event.over.value)
    assert event.over.to == ()  # nobody sees them
    assert event.over.value == wanted.cards[len(wanted.cards) - over :]
    assert len(story.table.pack) == packet + each * seats + over


def test_the_dealer_is_drawn_and_then_each_deals_in_turn() -> None:
    """SS-02a"""
    story = table(GAME, 3)
    assert GAME.to_act(story.table) == {CHANCE} and GAME.chance(story.table) == Pick(3)
    first = story.when(CHANCE, Picked(2)).then(DealerChosen(2))
    assert GAME.to_act(first.table) == {2}
    ended = played_out(tricks((11, 0, PLAIN)), auto_call=True, dealer=3)
    assert GAME.to_act(ended.table) == {0} and GAME.view(ended.table, None)["phase"] == "selecting"


@pytest.mark.parametrize(
    ("cards", "combo", "numbers"),
    [
        ("C-4 R-3 O-12 W-9", "C-4 R-3", (4, 3)),
        ("C-2 R-1 O-4 W-13", "C-2 R-1 O-4", (4, 2, 1)),
        ("C-4 R-3 O-2 W-1", "C-4 R-3", (4, 3)),  # SS-R5: one of two sevens is fixed
        ("C-4 R-3 O-2 W-1", "W-1 C-4 O-2", (4, 2, 1)),
        ("C-4 R-1 O-1 W-1", "C-4 R-1 O-1 W-1", (4, 1, 1, 1)),  # it cannot come up again, and is allowed
    ],
)
def test_the_packet_is_known_to_the_dealer_alone_SS_E2(cards: str, combo: str, numbers: tuple[int, ...]) -> None:
    """SS-02b, SS-02c, SS-02d, SS-R5, SS-E2"""
    story = with_dealer(4).when(0, select(cards, combo))
    story.then(SecretSet(0, 4, Secret(hand(cards), (0,)), Secret(numbers, (0,))))
    assert seen(story, 1) == seen(story, None) == [("secret_set", {"seat": 0, "count": 4}, [])]
    assert GAME.view(story.table, 0)["packet"] == {"count": 4, "cards": hand(cards), "secret": numbers}
    assert GAME.view(story.table, 2)["packet"] == {"count": 4, "cards": None, "secret": None}


@pytest.mark.parametrize(
    ("cards", "combo", "rule"),
    [
        ("C-4 C-3 R-10 O-9", "C-4 C-3", "SS-02c"),  # of one suit
        ("C-4 C-2 R-1 O-9", "C-4 C-2 R-1", "SS-02c"),  # SS-R4: pairwise different is meant
        ("C-4 R-2 O-10 W-9", "C-4 R-2", "SS-02c"),  # no seven
        ("C-4 R-2 O-10 W-9", "C-4 R-2 O-10", "SS-02c"),
        ("C-4 R-3 O-10 W-9", "C-4", "SS-02c"),  # one card
        ("C-4 R-3 O-10 W-9", "", "SS-02c"),
        ("C-4 R-3 O-10 W-9", "C-5 R-2", "SS-02c"),  # not in the packet
        ("C-4 R-3 O-10 W-9", "C-4 O-3", "SS-02c"),
        ("C-4 R-3 O-10", "C-4 R-3", "SS-02b"),  # three cards
        ("C-4 R-3 O-10 W-9 W-8", "C-4 R-3", "SS-02b"),  # five
        ("C-4 R-3 O-10 O-10", "C-4 R-3", "SS-02b"),  # one card twice
        ("C-4 R-3 O-10 W-7", "C-4 R-3", "SS-01"),  # the 7s are out
        ("C-4 R-3 O-10 PAUPER", "C-4 R-3", "SS-01"),
        ("C-4 R-3 O-10 W-14", "C-4 R-3", "SS-01"),
    ],
)
def test_a_packet_without_a_proper_seven_is_refused_SS_E2(cards: str, combo: str, rule: str) -> None:
    """SS-01, SS-02b, SS-02c, SS-R4, SS-E2"""
    with_dealer(4).refuses(0, select(cards, combo), rule)


def test_the_pack_in_use_decides_which_cards_can_be_taken_out() -> None:
    """SS-01, SS-R1: a 7 at three seats only with `keep7_pick4`, an O card never at two."""
    with_sevens = select("C-4 R-3 O-7 O-9", "C-4 R-3")
    assert with_dealer(3).when(0, with_sevens).last(SecretSet).cards.value == hand("C-4 R-3 O-7 O-9")
    with_dealer(3, short_pack="withdraw7_pick4").refuses(0, with_sevens, "SS-01")
    with_dealer(2).refuses(0, select("C-4 R-3 O-8 C-9", "C-4 R-3"), "SS-01")
    with_dealer(3, short_pack="withdraw7_pick_n").refuses(0, select("C-4 R-3 O-8 O-9", "C-4 R-3"), "SS-02b")
    assert PAUPER not in with_dealer(4).table.pack


def test_only_the_dealer_takes_cards_out_and_only_before_the_deal() -> None:
    """SS-02b, SS-02d"""
    command = select("C-4 R-3 O-12 W-9", "C-4 R-3")
    story = with_dealer(4, dealer=2)
    story.refuses(0, command, "SS-02b").refuses(1, command, "SS-02b")
    story.refuses(2, play("C-1"), "SS-02d").refuses(3, play("C-1"), "SS-02d")  # no packet, no deal
    chosen = story.when(2, command)
    assert GAME.to_act(chosen.table) == {CHANCE}
    chosen.refuses(2, command, "SS-02b").refuses(3, play("C-1"), "SS-02d")
    dealt("C-1", "C-2", "C-3", "C-4").refuses(0, command, "SS-02b")


def every_choice(seats: int, **options: Any) -> list[SelectSecret]:
    (template,) = GAME.legal(with_dealer(seats, **options).table, 0)
    assert isinstance(template, Template)
    ways: list[int] = []
    template.sample(lambda k: ways.append(k) or 0)  # type: ignore[func-returns-value]
    return [template.sample(lambda k, at=at: at) for at in range(ways[0])]  # type: ignore[misc]


def test_the_dealer_is_told_what_to_fill_in() -> None:
    """SS-02b, SS-02c: how many cards, and what makes a secret."""
    for seats, size in ((2, 2), (3, 3)):
        (template,) = GAME.legal(with_dealer(seats, short_pack="withdraw7_pick_n").table, 0)
        assert isinstance(template, Template) and template.command is SelectSecret
        assert set(template.fill) == {"cards", "combo"}
        assert template.fill["cards"].startswith(f"{size} cards") and "add up to 7" in template.fill["combo"]


def numbers(command: SelectSecret) -> str:
    return "+".join(str(card.number) for card in sorted(command.combo, key=lambda card: -card.number))


TEN = ["6+1", "5+2", "4+3", "5+1+1", "4+2+1", "3+3+1", "3+2+2", "4+1+1+1", "3+2+1+1", "2+2+2+1"]


@pytest.mark.parametrize(
    ("seats", "possible", "combos"),
    [
        (4, False, TEN),
        (3, False, TEN[:7]),
        (2, False, TEN[:3]),
        (4, True, [combo for combo in TEN if combo not in ("4+1+1+1", "2+2+2+1")]),
        (3, True, ["6+1", "5+2", "4+3", "4+2+1"]),
        (2, True, ["6+1", "5+2", "4+3"]),
    ],
)
def test_which_secrets_are_possible(seats: int, possible: bool, combos: list[str]) -> None:
    """SS-02e, SS-02c, SS-R4, SS-R5"""
    choices = every_choice(seats, require_possible=possible)
    assert {numbers(command) for command in choices} == set(combos)
    assert len(set(choices)) == len(choices)


@pytest.mark.parametrize("options", [{}, {"require_possible": True}, {"short_pack": "withdraw7_pick_n"}])
def test_the_sample_gives_every_legal_choice_once_and_no_other(options: dict[str, Any]) -> None:
    """SS-02b, SS-02c, SS-R5: of two suits the secret is always a pair, with any other cards beside it."""
    story = with_dealer(2, **options)
    cards = pack_in_use(2, options.get("short_pack", "keep7_pick4"))
    size = 2 if "short_pack" in options else 4
    wanted = set()
    for low in range(1, 7):
        pair = {Card(f"C-{low}"), Card(f"R-{7 - low}")}
        others = [card for card in cards if card not in pair]
        if options.get("require_possible"):  # the other card of each number must stay in
            others = [card for card in others if number_of(card) not in (low, 7 - low)]
        wanted |= {(frozenset({*pair, *rest}), frozenset(pair)) for rest in combinations(others, size - 2)}
    choices = every_choice(2, **options)
    assert len(choices) == len(wanted)
    assert {(frozenset(command.cards), frozenset(command.combo)) for command in choices} == wanted
    rng = random.Random(7)
    for packet in [*(rng.sample(cards, size) for _ in range(150)), *(rng.choice(choices).cards for _ in range(50))]:
        for combo in (some for count in range(size + 1) for some in combinations(packet, count)):
            command = SelectSecret(tuple(packet), combo)
            if (frozenset(packet), frozenset(combo)) in wanted:
                assert story.when(0, command).table.phase == "awaiting_deal"
            else:
                story.refuses(0, command, "SS-02c")


def test_four_players_have_39980_choices() -> None:
    """SS-02c, SS-02e: 36 pairs with two of 46 other cards, 60 triples with one of 45, and 20 sets of four."""
    choices = every_choice(4)
    assert len(choices) == 36 * (46 * 45 // 2) + 60 * 45 + 20 == len(set(choices))
    story = with_dealer(4)
    for command in random.Random(7).sample(choices, 300):
        GAME.decide(story.table, 0, command)


def test_a_table_may_ask_that_the_secret_can_come_up() -> None:
    """SS-02c, SS-R5: the pack without the packet must hold the numbers again."""
    thrice = select("C-4 R-1 O-1 W-1", "C-4 R-1 O-1 W-1")
    with_dealer(4, require_possible=True).refuses(0, thrice, "SS-02c")
    twice = select("C-5 R-1 O-1 W-1", "C-5 R-1 O-1")  # the fourth 1 alone is left
    with_dealer(4, require_possible=True).refuses(0, twice, "SS-02c")
    enough = select("C-5 R-1 O-1 W-9", "C-5 R-1 O-1")
    assert with_dealer(4, require_possible=True).when(0, enough).last(SecretSet).numbers.value == (5, 1, 1)
    assert with_dealer(4).when(0, thrice).last(SecretSet).numbers.value == (4, 1, 1, 1)
    with_dealer(2, require_possible=True).refuses(0, select("C-4 R-3 R-4 C-9", "C-4 R-3"), "SS-02c")
    with_dealer(3, require_possible=True).refuses(0, select("C-5 R-1 O-1 O-9", "C-5 R-1 O-1"), "SS-02c")
    with_dealer(3, require_possible=True).refuses(0, select("C-5 R-2 O-5 R-5", "C-5 R-2"), "SS-02c")
    assert (
        with_dealer(3, require_possible=True).when(0, select("C-5 R-2 O-5 R-9", "C-5 R-2")).table.phase
        == "awaiting_deal"
    )


# ── The deal leaks nothing ──────────────────────────────────────────────────────────────────────────────────────


def full_deal(packet: str, combo: str, swap: dict[str, str]) -> Story:
    """Seat 0 deals; O-4, O-3, O-10 and O-11 lie with seats 1, 2, 3 and 0. `swap` renames cards of the dealer's hand."""
    hands: dict[int, list[Card]] = {
        0: list(hand("C-4 R-3 O-11")),
        1: [Card("O-4")],
        2: [Card("O-3")],
        3: [Card("O-10")],
    }
    placed = {card for cards in hands.values() for card in cards}
    rest = [card for card in with_dealer(4).table.pack if card not in placed and card not in hand("C-5 R-2 O-12 W-9")]
    for cards in hands.values():
        while len(cards) < 11:
            cards.append(rest.pop())
    hands[0] = [Card(swap.get(card, card)) for card in hands[0]]
    deck = tuple(hands[(1 + at) % 4][at // 4] for at in range(44))
    chosen = with_dealer(4).when(0, select(packet, combo))
    wanted = GAME.chance(chosen.table)
    assert isinstance(wanted, Shuffle) and sorted(wanted.cards) == sorted(deck)  # always 44 cards
    return chosen.when(CHANCE, Shuffled(deck))


def test_nobody_else_can_tell_one_secret_from_another() -> None:
    """SS-05i, SS-02b: the size of the shuffle, the views, the events and the pause for a call are the same, also when
    one dealer could call and the other could not."""
    left = full_deal("C-5 R-2 O-12 W-9", "C-5 R-2", {})
    right = full_deal("C-4 R-3 O-12 W-9", "C-4 R-3", {"C-4": "C-5", "R-3": "R-2"})
    for step in ("deal", "O-4", "O-3", "O-10", "O-11", "no_call"):
        if step == "no_call":
            left.allows(0, NoCall())
            right.allows(0, CallSecret((4, 3)), NoCall())
            left, right = left.when(0, NoCall()), right.when(0, NoCall())
        elif step != "deal":
            left, right = played(left, step), played(right, step)
        for seat in (1, 2, 3, None):
            assert seen(left, seat) == seen(right, seat)
            assert GAME.view(left.table, seat) == GAME.view(right.table, seat)
            assert seat is None or GAME.legal(left.table, seat) == GAME.legal(right.table, seat)
        assert GAME.to_act(left.table) == GAME.to_act(right.table)


def test_the_last_card_dealt_is_the_dealers_and_makes_trump() -> None:
    """SS-03a, SS-03b, SS-R6"""
    story = with_dealer(3, dealer=1).when(1, select("C-4 R-3 O-12 O-9", "C-4 R-3"))
    deck = GAME.chance(story.table).cards  # type: ignore[union-attr]
    event = story.when(CHANCE, Shuffled(deck)).last(HandDealt)
    assert deck[0] in event.hands[2].value and deck[1] in event.hands[0].value and deck[2] in event.hands[1].value
    assert event.turned == deck[32] and event.turned in event.hands[1].value
    assert [kept.to for kept in event.hands] == [(0,), (1,), (2,)]
    view = GAME.view(story.when(CHANCE, Shuffled(deck)).table, 0)
    assert (view["turned"], view["trump"], view["hand_counts"]) == (deck[32], deck[32][0], [11, 11, 11])


# ── Play ────────────────────────────────────────────────────────────────────────────────────────────────────────


def test_the_dealers_left_leads_any_card_and_the_suit_led_is_followed() -> None:
    """SS-04a, SS-04b"""
    story = dealt("C-9 C-1 O-1", "C-8 O-2", "R-5 O-3", "C-11 R-9")
    story.allows(1, play("C-8"), play("O-2")).allows(0).allows(2)
    story.refuses(0, play("C-9"), "SS-04a").refuses(2, play("R-5"), "SS-04a")
    led = story.when(1, play("C-8")).then(CardPlayed(1, Card("C-8")))
    led.allows(2, play("R-5"), play("O-3"))  # void: trump or throw away
    followed = led.when(2, play("R-5"))
    followed.allows(3, play("C-11")).refuses(3, play("R-9"), "SS-04b")
    last = followed.when(3, play("C-11"))
    last.allows(0, play("C-9"), play("C-1")).refuses(0, play("O-1"), "SS-04b")  # trumps do not excuse


def test_a_card_that_is_not_held_is_refused_in_the_same_words_wherever_it_lies() -> None:
    """SS-04a: another hand, the packet, a taken trick, outside the pack; also the dealer cannot play the packet."""
    story = played(dealt("C-9 R-8", "C-8 R-9", "C-3 R-6", "C-11 W-1", dealer=3), "C-9 C-8 C-3 C-11").but(turn=3)
    story.refuses(3, play("C-5"), "SS-04a")
    texts = set()
    for card in ("R-8", "C-5", "C-11", "W-7", "W-6"):
        with pytest.raises(Refused) as refusal:
            GAME.decide(story.table, 3, play(card))
        texts.add((refusal.value.rule, refusal.value.code, refusal.value.text.replace(card, "X")))
    assert texts == {("SS-04a", "not_in_hand", "you do not hold X")}


@pytest.mark.parametrize(
    ("cards", "taker"),
    [
        ("C-8 C-13 C-9 C-10", 2),
        ("C-8 R-13 W-13 C-6", 1),
        ("C-8 O-1 C-13 C-10", 2),
        ("C-8 O-8 O-9 C-10", 3),
        ("O-9 O-8 C-13 O-10", 0),
    ],
)
def test_the_highest_trump_takes_else_the_highest_of_the_suit_led(cards: str, taker: int) -> None:
    """SS-04c, SS-04a, SS-R7: O is trump; the taker leads next."""
    story = one_trick(cards)
    assert story.last(TrickTaken) == TrickTaken(1, taker, False, False)
    assert story.table.turn == taker and GAME.to_act(story.table) == {taker}


# ── Sevens and the call ─────────────────────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize(
    ("numbers", "seven"),
    [
        ((4, 3, 9, 12), True),
        ((3, 3, 1, 12), True),
        ((6, 6, 2, 13), False),
        ((1, 1, 5, 8), True),
        ((4, 4, 4, 4), False),
        ((2, 2, 2, 1), True),
        ((5, 2, 1, 4), True),
        ((7, 10, 12), False),  # SS-R1: a 7 alone is no seven trick
        ((7, 7), False),
        ((6, 1), True),
    ],
)
def test_which_tricks_hold_a_seven_SS_E4(numbers: tuple[int, ...], seven: bool) -> None:
    """SS-05c, SS-E4"""
    assert holds_seven(tuple(Card(f"{suit}-{n}") for suit, n in zip("CROW", numbers, strict=False))) is seven


@pytest.mark.parametrize(
    ("cards", "combo", "held"),
    [
        (SECRET, (5, 2), True),
        ("O-5 W-1 C-2 R-8", (5, 2), True),
        (SEVEN, (5, 2), False),
        ("C-5 R-1 O-1 W-9", (5, 1, 1), True),
        ("C-5 R-1 O-2 W-9", (5, 1, 1), False),  # the 1 is wanted twice
        ("C-4 R-1 O-1 W-1", (4, 1, 1, 1), True),
        ("C-2 C-5 C-9 C-8", (5, 2), True),  # suits do not matter
    ],
)
def test_a_trick_holds_the_secret_when_it_has_its_numbers_SS_E3(cards: str, combo: tuple[int, ...], held: bool) -> None:
    """SS-05d, SS-E3: 5 and 2 with a 1 beside them are still 5 and 2."""
    assert holds_numbers(hand(cards), combo) is held


def test_the_dealer_calls_the_first_secret_trick_and_its_taker_gets_the_packet_SS_E3() -> None:
    """SS-05d, SS-05i, SS-E3: O-5 W-2 C-10 R-11 with the secret 5 and 2."""
    story = one_trick(SECRET)
    assert story.last(TrickTaken) == TrickTaken(1, 1, True, True)
    assert GAME.to_act(story.table) == {0} and GAME.view(story.table, 2)["phase"] == "calling"
    story.allows(0, CallSecret((5, 2)), NoCall()).allows(1).allows(2)
    called = story.when(0, CallSecret((2, 5)))  # in whichever order the dealer says them
    called.then(SecretCalled(1, (5, 2), 1, hand(PACKET)))
    assert GAME.to_act(called.table) == {1}
    for seat in (0, 1, 2, 3, None):
        view = GAME.view(called.table, seat)
        assert view["packet"] == {"count": 4, "cards": hand(PACKET), "secret": (5, 2)} and view["called_trick"] == 1
    # With the packet gone no trick opens a pause any more.
    again = called.but(hands=tuple(hand(f"{card} C-1") for card in ("R-8", "O-6", "W-1", "C-9")), turn=1)
    assert played(again, SEVEN).last(TrickTaken) == TrickTaken(2, 1, True, False)


def test_play_waits_for_the_dealers_word_after_every_seven() -> None:
    """SS-05i, SS-R13"""
    story = one_trick(SEVEN)
    assert story.last(TrickTaken) == TrickTaken(1, 1, True, True)
    story.refuses(1, play("W-4"), "SS-05i").refuses(0, play("W-3"), "SS-05i")  # the next lead has to wait
    story.refuses(1, CallSecret((5, 2)), "SS-05d").refuses(2, NoCall(), "SS-05d")  # it is not theirs to say
    passed = story.when(0, NoCall()).then(CallPassed(1))
    passed.allows(1, play("W-4"))
    plain = one_trick(PLAIN)
    assert plain.last(TrickTaken).call_open is False and GAME.to_act(plain.table) == {plain.last(TrickTaken).seat}
    for seat in (0, 1):
        plain.refuses(seat, CallSecret((5, 2)), "SS-05i").refuses(seat, NoCall(), "SS-05i")


@pytest.mark.parametrize("seats", [2, 3, 4])
def test_nobody_but_the_dealer_learns_from_a_refused_call(seats: int) -> None:
    """SS-05d, SS-05i, SS-R13: the same words for right numbers and wrong ones, be the secret in the trick or not."""
    answers = set()
    for pair in (("C-6", "C-1"), ("C-5", "C-2")):
        pause = dealt(*[f"{card} R-{4 + at}" for at, card in enumerate((*pair, "C-12", "C-13")[:seats])])
        pause = played(pause, " ".join([*(pair[1], "C-12", "C-13")[: seats - 1], pair[0]]))
        assert GAME.view(pause.table, None)["phase"] == "calling"
        for seat in range(1, seats):
            for said in ((5, 2), (6, 1), (1, 6), ()):
                refusal = refusal_of(GAME, pause.table, seat, CallSecret(said))
                answers.add((refusal.rule, refusal.code, refusal.text))
    assert answers == {("SS-05d", "not_the_dealer", "only the dealer knows what to call")}


def test_a_false_call_is_refused_and_costs_nothing_SS_E3() -> None:
    """SS-05d, SS-R13, SS-E3: O-6 W-1 C-9 R-8 is a seven, but not 5 and 2."""
    story = one_trick(SEVEN)
    story.refuses(0, CallSecret((5, 2)), "SS-05d").refuses(0, CallSecret((6, 1)), "SS-05d").allows(0, NoCall())
    due = one_trick(SECRET)
    for wrong in ((6, 1), (5,), (5, 2, 2), (), (4, 3)):
        due.refuses(0, CallSecret(wrong), "SS-05d")
    assert due.when(0, CallSecret((5, 2))).table.called_trick == 1  # the right one may still be made


def test_who_let_the_first_secret_trick_pass_can_call_no_later_one() -> None:
    """SS-05h, SS-05i: the pause comes all the same, for nobody else may know."""
    story = one_trick(SECRET).when(0, NoCall())
    later = story.but(hands=tuple(hand(f"{card} C-1") for card in ("R-11", "O-5", "W-2", "C-10")), turn=1)
    later = played(later, SECRET)
    assert later.last(TrickTaken) == TrickTaken(2, 1, True, True)
    later.refuses(0, CallSecret((5, 2)), "SS-05h").allows(0, NoCall())


def test_the_dealer_must_call_the_own_sides_trick_too() -> None:
    """SS-05e, SS-R11: whoever took it gets the packet."""
    own = one_trick("O-2 W-9 O-5 O-6")  # seat 0, the dealer, takes it
    assert own.when(0, CallSecret((5, 2))).last(SecretCalled).seat == 0
    partners = one_trick("O-2 O-6 O-5 R-1")  # seat 2
    assert partners.when(0, CallSecret((5, 2))).last(SecretCalled).seat == 2
    mine = played_out(tricks((1, 0, SECRET), (10, 1, PLAIN)), called=1)
    assert mine.last(HandScored).penalty == (7, 0)


def test_the_table_may_call_for_the_dealer() -> None:
    """SS-R13: `auto_call` knows no pause; the call follows the first secret trick at once."""
    story = one_trick(SECRET, auto_call=True)
    assert story.events[1:] == (TrickTaken(1, 1, True, False), SecretCalled(1, (5, 2), 1, hand(PACKET)))
    assert GAME.to_act(story.table) == {1}
    other = one_trick(SEVEN, auto_call=True)
    assert other.events[1:] == (TrickTaken(1, 1, True, False),)
    other.refuses(0, CallSecret((5, 2)), "SS-05i").refuses(0, NoCall(), "SS-05i")
    # A second secret trick is a trick like others.
    again = story.but(hands=tuple(hand(f"{card} C-1") for card in ("R-11", "O-5", "W-2", "C-10")), turn=1)
    assert played(again, SECRET).events[1:] == (TrickTaken(2, 1, True, False),)


def test_a_secret_in_the_last_trick_can_still_be_called() -> None:
    """SS-05i, SS-05d, SS-05j"""
    story = before_last(tricks((10, 0, PLAIN)), ["O-5", "O-2", "C-10", "R-11"])
    story = played(story, "O-5 O-2 C-10 R-11")
    assert story.last(TrickTaken) == TrickTaken(11, 0, True, True)
    called = story.when(0, CallSecret((5, 2)))
    assert [type(event) for event in called.events] == [SecretCalled, HandScored]
    assert called.last(HandScored).delta == (13 + 2 - 7, 0)
    passed = story.when(0, NoCall())
    assert passed.events == (CallPassed(11), PacketShown(hand(PACKET), (5, 2)))
    assert passed.when(1, ProveNeglect(11)).last(HandScored).delta == (11 + 2 - 7, 0)
    automatic = before_last(tricks((10, 0, PLAIN)), ["O-5", "O-2", "C-10", "R-11"], auto_call=True)
    automatic = played(automatic, "O-5 O-2 C-10 R-11")
    assert [type(event) for event in automatic.events] == [CardPlayed, TrickTaken, SecretCalled, HandScored]
    assert automatic.last(HandScored).delta == (8, 0)


# ── Neglect and proof ───────────────────────────────────────────────────────────────────────────────────────────

NEGLECT = tricks((3, 0, PLAIN), (1, 1, SECRET), (1, 3, SEVEN), (3, 1, PLAIN), (2, 0, PLAIN), (1, 0, PLAIN))


def test_an_uncalled_packet_is_shown_after_the_last_trick_to_all() -> None:
    """SS-05j"""
    story = played_out(NEGLECT)
    assert story.last(PacketShown) == PacketShown(hand(PACKET), (5, 2))
    assert story.table.phase == "proving" and GAME.to_act(story.table) == {1, 3}
    for seat in (0, 1, 2, 3, None):
        assert GAME.view(story.table, seat)["packet"] == {"count": 4, "cards": hand(PACKET), "secret": (5, 2)}
    story.allows(1, Accept(), ProveNeglect(4)).allows(3, Accept(), ProveNeglect(4)).allows(0).allows(2)


def test_a_proven_neglect_costs_the_dealers_side_seven_SS_E8() -> None:
    """SS-05h, SS-05j, SS-05k, SS-E8: X has six tricks, Y five with two sevens; the packet is nobody's trick."""
    story = played_out(NEGLECT).when(3, ProveNeglect(4))
    scored = HandScored((6, 5), (False, False), (2, 1), (0, 2), (7, 0), (-5, 5), (-5, 5))
    story.then(NeglectProven(3, 4), scored)
    assert GAME.to_act(story.table) == {1}  # the next dealer


def test_an_unproven_neglect_costs_nothing_SS_E8() -> None:
    """SS-05h, SS-05j, SS-E8: acceptance by all opponents closes the hand."""
    story = played_out(NEGLECT).when(3, Accept()).then(HandAccepted(3))
    assert GAME.to_act(story.table) == {1}
    story.refuses(3, ProveNeglect(4), "SS-05j").refuses(3, Accept(), "SS-05j")  # once each
    ended = story.when(1, Accept())
    scored = HandScored((6, 5), (False, False), (2, 1), (0, 2), (0, 0), (2, 5), (2, 5))
    ended.then(HandAccepted(1), scored)
    assert story.when(1, ProveNeglect(4)).last(HandScored).delta == (-5, 5)  # one proof is enough


def test_who_may_prove_what_and_when() -> None:
    """SS-05j: opponents only, the first trick with the secret only, after the last trick only."""
    story = played_out(NEGLECT)
    for seat in (0, 2):  # the dealer and the dealer's partner
        story.refuses(seat, ProveNeglect(4), "SS-05j").refuses(seat, Accept(), "SS-05j")
    for trick in (1, 3, 5, 11, 12, 0, -1):
        story.refuses(1, ProveNeglect(trick), "SS-05j")
    story.refuses(1, play("C-1"), "SS-05j").refuses(0, CallSecret((5, 2)), "SS-05i")
    early = one_trick(SECRET)
    early.refuses(1, ProveNeglect(1), "SS-05j").refuses(1, Accept(), "SS-05j")
    early.when(0, NoCall()).refuses(1, ProveNeglect(1), "SS-05j")
    # Of two tricks with the secret the first is the proof.
    twice = played_out(tricks((2, 0, PLAIN), (2, 1, SECRET), (7, 0, PLAIN)))
    twice.refuses(1, ProveNeglect(4), "SS-05j").allows(1, Accept(), ProveNeglect(3))


def test_without_a_secret_trick_there_is_nothing_to_prove_SS_E10() -> None:
    """SS-05j, SS-E10"""
    story = played_out(tricks((6, 0, PLAIN), (3, 1, SEVEN), (2, 0, PLAIN)))
    for trick in range(1, 12):
        story.refuses(1, ProveNeglect(trick), "SS-05j")
    story.allows(1, Accept())
    ended = story.when(1, Accept()).when(3, Accept())
    assert ended.last(HandScored).penalty == (0, 0) and ended.last(HandScored).delta == (5, 6)


def test_of_single_players_all_others_are_opponents() -> None:
    """SS-05j, SS-R16: with four single players, and with two."""
    story = played_out(NEGLECT, partners=False, dealer=2)
    assert GAME.to_act(story.table) == {0, 1, 3}
    assert story.when(0, ProveNeglect(4)).last(HandScored).penalty == (0, 0, 7, 0)
    pair = played_out(tricks((1, 0, "C-5 R-2"), (10, 1, "C-13 R-8")), seats=2, dealer=1)
    assert GAME.to_act(pair.table) == {0}
    assert pair.when(0, ProveNeglect(1)).last(HandScored).delta == (2, 9 - 7)


def test_the_table_may_prove_for_the_opponents() -> None:
    """SS-R13: `auto_proof` shows the packet and counts at once."""
    story = played_out(NEGLECT, auto_proof=True)
    shown, proven, scored = story.events[2:]
    assert (shown, proven) == (PacketShown(hand(PACKET), (5, 2)), NeglectProven(None, 4))
    assert scored.delta == (-5, 5)
    clean = played_out(tricks((11, 0, PLAIN)), auto_proof=True)
    assert [type(event) for event in clean.events[2:]] == [PacketShown, HandScored]
    assert clean.last(HandScored).penalty == (0, 0)
    called = played_out(tricks((1, 1, SECRET), (10, 0, PLAIN)), called=1, auto_proof=True)
    assert [type(event) for event in called.events[2:]] == [HandScored]


def test_where_the_table_calls_no_packet_is_shown_and_nothing_is_asked() -> None:
    """SS-R13: `auto_call` skips the proof; a packet that never came up stays hidden from the next dealer, too."""
    story = played_out(tricks((11, 0, PLAIN)), auto_call=True)
    assert [type(event) for event in story.events[2:]] == [HandScored]
    assert GAME.to_act(story.table) == {1}
    assert all("W-9" not in str(GAME.view(story.table, seat)["packet"]) for seat in (0, 1, 2, 3, None))


# ── Scoring ─────────────────────────────────────────────────────────────────────────────────────────────────────


def test_the_price_of_tricks() -> None:
    """SS-05a, SS-05b, SS-R8"""
    assert [trick_points(n) for n in range(13)] == [0, 0, 0, 0, 0, 1, 2, 3, 5, 7, 9, 11, 13]


@pytest.mark.parametrize(
    ("taken", "called", "delta"),
    [
        # SS-E5: eight tricks with three sevens against three, one of them called
        (tricks((1, 1, SECRET), (2, 3, PLAIN), (3, 0, SEVEN), (5, 2, PLAIN)), 1, (11, -5)),
        # SS-E6: seven tricks with two sevens against four
        (tricks((2, 0, SEVEN), (1, 3, SECRET), (3, 1, PLAIN), (5, 0, PLAIN)), 3, (7, -4)),
        # SS-E7: the packet is the eighth trick
        (tricks((4, 1, PLAIN), (1, 2, SECRET), (6, 0, PLAIN)), 5, (0, 0)),
        # SS-E12: a sweep with the called trick and two more sevens
        (tricks((1, 0, SECRET), (2, 2, SEVEN), (8, 0, PLAIN)), 1, (13 + 6 - 7, 0)),
        # SS-05k: the secret shows up again, and costs nothing
        (tricks((2, 1, SECRET), (9, 0, PLAIN)), 1, (7, 4 - 7)),
    ],
)
def test_hands_with_a_called_packet(taken: list[tuple[int, str]], called: int, delta: tuple[int, int]) -> None:
    """SS-05a, SS-05b, SS-05c, SS-05e, SS-05f, SS-05g, SS-05k, SS-R9, SS-R10, SS-E5, SS-E6, SS-E7, SS-E12"""
    scored = played_out(taken, called).last(HandScored)
    assert scored.delta == scored.totals == delta
    assert sum(scored.packet) == 1 and sorted(scored.penalty) == [0, 7]


def test_the_called_trick_may_be_denied_its_bonus() -> None:
    """SS-05g, SS-R12"""
    taken = tricks((1, 1, SECRET), (2, 3, PLAIN), (3, 0, SEVEN), (5, 2, PLAIN))
    assert played_out(taken, 1, called_trick_bonus=False).last(HandScored).delta == (11, -7)
    # Only the called trick: a repeat pays.
    assert played_out(tricks((2, 1, SECRET), (9, 0, PLAIN)), 1, called_trick_bonus=False).last(HandScored).delta == (
        7,
        -5,
    )


@pytest.mark.parametrize("seats", [2, 3])
def test_the_bonus_of_the_called_trick_is_an_option_of_small_tables_too(seats: int) -> None:
    """SS-05e, SS-05f, SS-05g, SS-R12: seat 1 takes the called trick and one seven more, seat 0 all others."""
    secret, seven, plain = (" ".join(cards.split()[:seats]) for cards in ("C-5 R-2 O-9", "C-6 R-1 O-9", PLAIN))
    taken = tricks((1, 1, secret), (1, 1, seven), (9, 0, plain))
    with_bonus, without = (
        played_out(taken, 1, seats=seats, called_trick_bonus=bonus).last(HandScored) for bonus in (True, False)
    )
    assert (with_bonus.sevens[1], with_bonus.delta[:2]) == (2, (7, 4 - 7))
    assert (without.sevens[1], without.delta[:2]) == (1, (7, 2 - 7))


def test_one_seven_trick_pays_two_whatever_else_was_taken_SS_E9() -> None:
    """SS-05c, SS-E9: three players; one takes a single trick, 4 and 3 with a 12."""
    plain = "C-13 R-12 O-11"
    scored = played_out(tricks((1, 2, "C-4 R-3 O-12"), (5, 0, plain), (5, 1, plain)), seats=3, auto_call=True)
    assert scored.last(HandScored).delta == (1, 1, 2)
    twice = played_out(tricks((1, 2, "C-5 R-2 O-1 W-4"), (10, 0, PLAIN)), combo=(6, 1), auto_call=True)
    assert twice.last(HandScored).sevens == (1, 0)  # 5+2 and 4+2+1 in one trick: once


def test_partners_score_together_and_single_players_alone() -> None:
    """SS-05a, SS-R16"""
    taken = tricks((4, 0, PLAIN), (4, 2, PLAIN), (2, 1, PLAIN), (1, 0, PLAIN))
    together = played_out(taken, auto_call=True)
    assert together.last(HandScored).tricks == (9, 2) and together.last(HandScored).delta == (7, 0)
    assert GAME.sides(together.table) == ((0, 2), (1, 3))
    alone = played_out(taken, auto_call=True, partners=False)
    assert alone.last(HandScored).tricks == (5, 2, 4, 0) and alone.last(HandScored).delta == (1, 0, 0, 0)
    assert GAME.sides(alone.table) == ((0,), (1,), (2,), (3,))
    assert GAME.sides(table(GAME, 3).table) == ((0,), (1,), (2,))


def test_scores_may_fall_below_zero() -> None:
    """SS-06a, SS-R14"""
    story = played_out(tricks((1, 1, SECRET), (10, 0, PLAIN)), 1, totals=(0, 3))
    assert story.last(HandScored).totals == (9, -2)


# ── The end ─────────────────────────────────────────────────────────────────────────────────────────────────────


def test_49_wins_for_both_partners_SS_E11() -> None:
    """SS-06b, SS-E11: 45 and 38 with 7 and -4."""
    taken = tricks((2, 0, SEVEN), (1, 3, SECRET), (3, 1, PLAIN), (5, 0, PLAIN))
    story = played_out(taken, called=3, totals=(45, 38))
    assert story.last(HandScored).totals == (52, 34)
    result = GAME.outcome(story.table)
    assert result is not None and result.winners == (0, 2)
    assert (result.places, result.scores) == ((1, 3, 1, 3), (52, 34, 52, 34))
    assert GAME.to_act(story.table) == frozenset() and GAME.view(story.table, 0)["phase"] == "finished"
    story.refuses(1, select("C-4 R-3 O-12 W-9", "C-4 R-3"), "SS-06b").refuses(1, play("C-1"), "SS-06b")
    story.allows(1)
    exact = played_out(taken, called=3, totals=(42, 38))
    assert exact.last(HandScored).totals[0] == 49 and GAME.outcome(exact.table) is not None
    assert GAME.outcome(played_out(taken, called=3, totals=(41, 38)).table) is None


def test_a_tie_over_49_plays_on_and_the_highest_of_several_wins_SS_E11() -> None:
    """SS-06b, SS-R15, SS-E11"""
    plain, seven = "C-13 R-12 O-11", "C-6 R-1 O-9"
    given: dict[str, Any] = {"seats": 3, "auto_call": True, "totals": (47, 48, 10)}
    tied = played_out(tricks((1, 1, seven), (2, 1, plain), (1, 2, plain), (7, 0, plain)), **given)
    assert tied.last(HandScored).delta == (3, 2, 0) and tied.last(HandScored).totals == (50, 50, 10)
    assert GAME.outcome(tied.table) is None and GAME.to_act(tied.table) == {1}
    ahead = played_out(tricks((1, 1, seven), (1, 0, seven), (2, 1, plain), (2, 2, plain), (5, 0, plain)), **given)
    assert ahead.last(HandScored).totals == (51, 50, 10)
    result = GAME.outcome(ahead.table)
    assert result is not None and result.winners == (0,) and result.places == (1, 2, 3)


@pytest.mark.parametrize("hand_no", [1, 2, 9, 40])
@pytest.mark.parametrize(("seats", "partners"), [(2, False), (3, False), (4, False), (4, True)])
def test_equal_highest_scores_play_on_in_whichever_hand(seats: int, partners: bool, hand_no: int) -> None:
    """SS-06b, SS-R15: until one stands alone at 49 or more, who wins with all that are beside him."""
    options = {"partners": partners} if seats == 4 else {}
    units = 2 if partners else seats
    for totals, winners in (
        ((60, 60), None),
        ((49, 49), None),
        ((48, 12), None),
        ((60, 61), {1, 3} if partners else {1}),
        ((49, 48), {0, 2} if partners else {0}),
    ):
        scores = (*totals, *[20] * units)[:units]
        between = with_dealer(seats, **options).but(hand_no=hand_no, totals=scores)
        result = GAME.outcome(between.table)
        assert (None if result is None else set(result.winners)) == winners
        assert result is None or result.scores == tuple(scores[seat % units] for seat in range(seats))
        assert GAME.to_act(between.table) == (frozenset({0}) if winners is None else frozenset())


def test_an_absent_dealer_chooses_something_and_never_neglects() -> None:
    """SS-02b, SS-05d, SS-05j: the first legal command, as stand-ins chose until they had rules of thumb."""
    places = tuple(Place("bot", None, "random", "") for _ in range(4))
    now = open_match(GAME, "m", host="h", seats=places, options={}, seed=bytes(32)).match._replace(match_rules=2)
    story = with_dealer(4)
    assert story.when(0, stand_in(now._replace(table=story.table), 0, bytes(32))).table.phase == "awaiting_deal"
    assert stand_in(now._replace(table=one_trick(SECRET).table), 0, bytes(32)) == CallSecret((5, 2))
    assert stand_in(now._replace(table=one_trick(SEVEN).table), 0, bytes(32)) == NoCall()
    assert stand_in(now._replace(table=played_out(NEGLECT).table), 1, bytes(32)) == Accept()


# ── Several hands, from the outside ─────────────────────────────────────────────────────────────────────────────


def several_tables(seats: int) -> Iterable[dict[str, Any]]:
    """The usual table of this size, and one for each thing that can be agreed there."""
    yield {}
    if seats == 4:
        yield {"partners": False}
    else:
        yield from ({"short_pack": short_pack} for short_pack in ("withdraw7_pick4", "withdraw7_pick_n"))
    yield from ({"auto_call": True}, {"auto_proof": True}, {"called_trick_bonus": False}, {"require_possible": True})


def keep_for_last(s: Table, commands: Sequence[Any]) -> Sequence[Any]:
    """Cards with the secret numbers are kept as long as possible: among few seats the secret comes up rarely else."""
    return [one for one in commands if not isinstance(one, PlayCard) or number_of(one.card) not in s.combo]


@pytest.mark.parametrize("seats", [2, 3, 4])
def test_every_field_of_every_view_follows_from_the_events(seats: int) -> None:
    """SS-02d, SS-05d, SS-05i, SS-05j, SS-R13: the packet is the dealer's secret until it is called or shown."""
    happened: Counter[str] = Counter()
    for options in several_tables(seats):
        happened += check_views(GAME, Reading, seats, options, steps=170, prefer=keep_for_last)
    assert min(happened[name] for name in ("SecretCalled", "NeglectProven", "HandAccepted", "CallPassed")) > 0


@pytest.mark.parametrize("seats", [2, 3, 4])
def test_no_refusal_tells_of_a_hidden_card(seats: int) -> None:
    """SS-04a, SS-05d, SS-05j: not of another hand, nor of the packet or the cards over."""
    calls = [CallSecret((5, 2)), CallSecret((6, 1)), CallSecret((4, 3)), NoCall()]
    proofs = [Accept(), *(ProveNeglect(trick) for trick in range(13))]
    asked = [*(PlayCard(card) for card in FULL_PACK), *calls, *proofs]
    check_refusals_tell_nothing(GAME, asked, seats, {}, steps=200)


@pytest.mark.parametrize("seats", [2, 3, 4])
def test_in_no_hand_does_an_absent_dealer_neglect_or_an_absent_opponent_accuse(seats: int) -> None:
    """SS-05d, SS-05h, SS-05j: a call that is due stands first, and so does accepting."""
    firsts: Counter[str] = Counter()
    for moment in islice(steered_match(GAME, seats, {}, random.Random(seats), keep_for_last), 500):
        for seat in range(seats):
            first, *others = GAME.legal(moment.after, seat) or [None]
            firsts[type(first).__name__] += bool(others)
            assert not isinstance(first, NoCall | ProveNeglect) or not others
    assert firsts["Accept"] > 0 and firsts["CallSecret"] > 0


@pytest.mark.parametrize("seats", [2, 3, 4])
def test_the_dealers_left_speaks_first_and_the_dealer_last(seats: int) -> None:
    """SS-04a, SS-05j"""
    for dealer in range(seats):
        order = GAME.order(with_dealer(seats, dealer).table)
        assert list(order) == [(dealer + step) % seats for step in range(1, seats + 1)]


@pytest.mark.parametrize("seats", [2, 3, 4])
def test_whole_matches_end_as_the_page_says(seats: int) -> None:
    """SS-03a, SS-05e, SS-05f, SS-05h, SS-05i, SS-06a, SS-06b, SS-R13: each hand has one secret, called or shown."""
    events: list[Any] = []
    for moment in random_match(GAME, seats, {}, random.Random(seats)):
        events += moment.events
    happened = Counter(type(event).__name__ for event in events)
    assert happened["HandScored"] == happened["SecretSet"] == happened["HandDealt"] == moment.after.hand_no > 2
    assert happened["SecretCalled"] + happened["PacketShown"] == happened["HandScored"]
    assert happened["NeglectProven"] + happened["HandAccepted"] > 0 and happened["CallPassed"] > 0
    result = GAME.outcome(moment.after)
    assert result is not None and recount(events, moment.after.options, seats) == result


def test_options_for_another_number_of_players_are_refused() -> None:
    """SS-R1, SS-R16"""
    for seats in (2, 3):
        for value in (True, False):
            refuses_idle(GAME, seats, "partners", value)
    refuses_idle(GAME, 4, "short_pack", "withdraw7_pick4")
    GAME.new_table({"partners": False}, 4)


def test_options_that_others_leave_without_effect_are_refused() -> None:
    """SS-R5, SS-R13: of two cards taken out of two suits the numbers are always there once more."""
    refuses_idle(GAME, 3, "auto_proof", True, auto_call=True)
    refuses_idle(GAME, 2, "require_possible", True, short_pack="withdraw7_pick_n")
    GAME.new_table({"require_possible": True, "short_pack": "withdraw7_pick_n"}, 3)
    for seats in (2, 3, 4):
        for options in several_tables(seats):
            GAME.new_table(options, seats)
            GAME.new_table({"called_trick_bonus": True, **options}, seats)
        refuses_idle(GAME, seats, "auto_proof", False, auto_call=True)
        GAME.new_table({"auto_proof": True, "auto_call": False}, seats)


def test_the_secret_is_a_hidden_choice() -> None:
    """SS-02b: made for an absent dealer always in the same way it would be no secret."""
    assert GAME.hidden_choices == (SelectSecret,)


# ── What could be ───────────────────────────────────────────────────────────────────────────────────────────────

# Nine cards, of which three are taken out and the others dealt. C-4 makes 7 with two cards of the same number.
FEW = "C-1 C-4 C-9 R-3 R-5 R-9 O-2 O-3 O-9"


def of_few_cards(seats: int, rng: random.Random, **options: Any) -> Iterator[History]:
    """A hand with a small pack, after each of its steps."""
    start = now = GAME.open_table(options, seats)._replace(pack=hand(FEW), packet_size=3, dealer=0)
    moments: list[Moment] = []
    while True:
        moments.append(playing.step(GAME, now, *playing.choose(GAME, now, rng), rng))
        now = moments[-1].after
        if now.phase == "selecting":
            return
        if now.phase != "awaiting_deal":
            yield History(GAME, start, tuple(moments))


def worlds_of_few(history: History, seat: int) -> list[Table]:
    """Every choice of the dealer with every order of the other cards, played as it was: what the seat did not notice."""
    first, shuffle, *others = history.moments
    found = []
    for choice in choices_of_few() if seat else [first.command]:
        if (set_out := replayed(history.start, [first._replace(command=choice)], seat)) is None:
            continue
        for deck in permutations(card for card in hand(FEW) if card not in choice.cards):
            if deck[-1] == history.table.turned:  # else the seat would have noticed at once
                there = replayed(set_out, [shuffle._replace(command=Shuffled(deck)), *others], seat)
                found += [] if there is None else [there]
    return found


def choices_of_few() -> Iterator[SelectSecret]:
    for packet in combinations(hand(FEW), 3):
        for combo in (cards for size in (2, 3) for cards in combinations(packet, size)):
            if sum(map(number_of, combo)) == 7 and len({card[0] for card in combo}) == len(combo):
                yield SelectSecret(packet, combo)


def replayed(start: Table, moments: Iterable[Moment], seat: int) -> Table | None:
    return replay(History(GAME, start, tuple(moments)), seat, {})


@pytest.mark.parametrize(
    "options", [{}, {"auto_call": True}, {"require_possible": True}], ids=["", "auto_call", "require_possible"]
)
def test_a_seat_imagines_every_packet_that_fits_as_often_as_it_should(options: dict[str, Any]) -> None:
    """SS-02b, SS-02c, SS-03a, SS-04b, SS-05d, SS-R5, SS-R13: also when a suit was not followed, when the table has not
    called a trick with a seven, and when a packet is not allowed because its numbers could not come up."""
    rng = random.Random(f"few cards {options}")
    closed: list[int] = []
    for _ in range(3):
        for number, history in enumerate(of_few_cards(3, rng, **options)):
            if number % 2:
                continue
            seat = rng.choice([0, 1, 1, 2, 2])
            found = worlds_of_few(history, seat)
            check_shares(found, [GAME.imagine(history.table, seat, rng.randrange) for _ in range(1200)])
            closed.append(len({(world.packet, world.combo) for world in found}))
    assert max(closed) > 4 and sum(count > 1 for count in closed) > 3


def test_a_trick_that_the_table_did_not_call_cannot_have_held_the_secret() -> None:
    """SS-05d, SS-R13: a dealer can be silent, a table that calls by itself cannot."""
    rng = random.Random(6)
    for options, possible in ({}, True), ({"auto_call": True}, False):
        trick = "C-5 W-2 C-10 R-11"
        story = one_trick(trick, packet="C-6 R-1 O-12 W-9", combo=(6, 1), turned="W-6", **options)
        table = story.table._replace(pack=hand(f"{trick} C-6 R-1 O-12 W-9 W-3 W-4 W-5 W-6 O-5 R-2 O-2"))
        imagined = {GAME.imagine(table, 2, rng.randrange).combo for _ in range(300)}
        assert ((5, 2) in imagined) == possible and (6, 1) in imagined


def test_of_a_packet_that_nobody_has_opened_those_who_may_see_everything_see_all() -> None:
    """SS-02d: a match can be ended before the secret is called."""
    story = dealt("C-1 O-13", "C-2 C-3", "C-4 C-5")
    view = GAME.view(story.table, ALL)
    assert view["packet"] == {"count": 4, "cards": hand(PACKET), "secret": (5, 2)}
    assert (view["hand"], view["pack"], view["hands"][1]) == (None, None, hand("C-2 C-3"))
