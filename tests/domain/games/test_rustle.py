"""Rustle, rule by rule. Where no other is named, R is trump and seat 0 deals."""

from __future__ import annotations

import random
from collections.abc import Iterable, Sequence
from itertools import pairwise, permutations
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
)
from domain.games.rustle import GAME
from domain.games.rustle.game import HandDealt, HandScored, PacketsTakenUp, Table
from domain.kit.cards import PAUPER, PRINCE, Card, Cards
from domain.kit.dealing import DealerChosen
from domain.kit.plays import CardPlayed, PlayCard, TrickTaken
from domain.wire import names, read_command, write_event
from tests.domain.onlooker import Objection, follows, read
from tests.domain.playing import Deal, of_type, random_match
from tests.domain.story import Story, hand, refuses_idle, refuses_table, table
from tests.golden.matches import Golden

QUICK = {"target": 30}
SEVERAL = {"target": 60}
GOLDEN = Golden(
    seats=2,
    options={"target": 20},
    moment="both seats pass the target with equal totals, so another hand is dealt",
    shows=lambda events: any(isinstance(e, HandScored) and e.totals[0] == e.totals[1] >= 20 for e in events),
)


LETTERS, LOW_TO_HIGH = "CROW", (6, 7, 8, 9, 10, 11, 12, 13, 1)  # RU-12
PACK = tuple(Card(f"{letter}-{number}") for letter in LETTERS for number in LOW_TO_HIGH)  # RU-02
LEFT_OUT = {5: "W-6", 7: "W-6", 8: "C-6 R-6 O-6 W-6"}  # RU-07, RU-R03
PACKS = {seats: tuple(card for card in PACK if card not in LEFT_OUT.get(seats, "").split()) for seats in range(2, 10)}
DEALT = {2: 18, 3: 12, 4: 9, 5: 7, 6: 6, 7: 5, 8: 4, 9: 4}
WORTH = {"1": 4, "13": 3, "12": 2, "11": 1, "10": 10}  # of trumps, RU-21


def whole(s: Table) -> Iterable[Any]:
    return PACKS[s.seats]


def pieces(s: Table) -> Iterable[Any]:
    if not s.hand_no:
        return ()
    lying = [card for packet in s.face_down for part in packet for card in part]
    return [*lying, *(card for pile in (*s.hands, *s.taken) for card in pile), *(play.card for play in s.trick)]


# ── What the rule page says, for the common tests ────────────────────────────────────────────────────────────────

SEATS = ("RU-01", range(2, 10))
OPTIONS = {
    "target": ("RU-R08", 72, range(1, 501)),
    "first_dealer": ("RU-R02", "random", "seat"),
    "cards_tie": ("RU-R07", "none", ("none", "each")),
}
REFUSALS = {
    "RU-02": {"not_in_hand"},
    "RU-07": {"not_in_hand"},
    "RU-14": {"wrong_phase"},
    "RU-16": {"not_in_hand", "not_your_turn"},
    "RU-17": {"must_follow"},
    "RU-27": {"wrong_phase"},
}


def by_letter(cards: Iterable[Card]) -> tuple[Card, ...]:
    """C, R, O, W, each from the 6 up to the 1, which is highest."""
    held = set(cards)
    return tuple(card for card in PACK if card in held)


def deal_map(deal: Deal) -> Iterable[Any]:
    """RU-05 to RU-10: packet by packet, one card at a time from eldest; the packets dealt last are taken up."""
    seats, cards = deal.seats, list(deal.deck)
    packets = {2: 3, 3: 2}.get(seats, 1)
    layers = []
    for _ in range(packets):
        parts: list[list[Card]] = [[] for _ in range(seats)]
        for _ in range(DEALT[seats] // packets):
            for place in range(1, seats + 1):
                parts[(deal.dealer + place) % seats].append(cards.pop(0))
        layers.append(tuple(tuple(part) for part in parts))
    turned = deal.deck[-1]
    *below, last = layers
    assert not cards and last[deal.dealer][-1] == turned
    yield HandDealt(
        hand_no=deal.hand_no,
        dealer=deal.dealer,
        each=DEALT[seats],
        packets=packets,
        left_out=hand(LEFT_OUT.get(seats, "")),
        turned=turned,
        trump=turned[0],
        hands=tuple(Secret(by_letter(part), (seat,)) for seat, part in enumerate(last)),
        face_down=Secret(tuple(below), ()),
    )


class Notes:
    """RU-09 to RU-28, as an onlooker writes them down card by card."""

    def __init__(self, options: Any, seats: int) -> None:
        self.options, self.seats = options, seats
        self.dealer = None if options.first_dealer == "random" else options.first_dealer
        self.hand_no, self.runs, self.packet_no = 0, False, 0
        self.turned: Card | None = None
        self.hands: list[list[Card]] = [[] for _ in range(seats)]
        self.below: list[Any] = []
        self.turn, self.trick_no, self.trick = 0, 0, list[tuple[int, Card]]()
        self.taken: list[list[Card]] = [[] for _ in range(seats)]
        self.totals = [0] * seats

    @property
    def trump(self) -> str | None:
        return self.turned[0] if self.turned else None

    def hears(self, event: Any) -> None:
        match event:
            case DealerChosen(seat):
                assert self.dealer is None
                self.dealer = seat
            case HandDealt():
                self.hand_no, self.dealer, self.turned, self.runs = event.hand_no, event.dealer, event.turned, True
                self.hands = [list(held.value) for held in event.hands]
                self.packet_no, self.below = event.packets, list(event.face_down.value)
                self.turn, self.trick_no, self.trick = (event.dealer + 1) % self.seats, 1, []
                self.taken = [[] for _ in range(self.seats)]
            case CardPlayed(seat, card):
                assert seat == self.turn
                self.hands[seat].remove(card)
                self.trick.append((seat, card))
                self.turn = (seat + 1) % self.seats
            case TrickTaken(trick_no, seat):
                assert (len(self.trick), trick_no, seat) == (self.seats, self.trick_no, self.taker())
                self.taken[seat] += [card for _, card in self.trick]
                self.turn, self.trick, self.trick_no = seat, [], self.trick_no + 1
            case PacketsTakenUp(packet_no, hands):
                assert not any(self.hands) and not self.trick and (self.trick_no - 1) % 6 == 0
                on_top = self.below.pop()
                assert hands == tuple(Secret(by_letter(part), (seat,)) for seat, part in enumerate(on_top))
                self.packet_no -= 1
                assert packet_no == self.packet_no == 1 + len(self.below)
                self.hands = [list(held.value) for held in hands]
            case HandScored():
                self.counts(event)

    def taker(self) -> int:
        """RU-12, RU-13, RU-19"""
        trumps = [(seat, c) for seat, c in self.trick if c[0] == self.trump]
        ruling = trumps or [(seat, c) for seat, c in self.trick if c[0] == self.trick[0][1][0]]
        return max((LOW_TO_HIGH.index(int(c[2:])), seat) for seat, c in ruling)[1]

    def counts(self, event: HandScored) -> None:
        """RU-20 to RU-28, RU-R07, RU-R09"""
        assert not any(self.hands) and not self.below and self.trick_no == DEALT[self.seats] + 1
        assert sorted(card for pile in self.taken for card in pile) == sorted(PACKS[self.seats])
        honours = [sum(WORTH.get(c[2:], 0) for c in pile if c[0] == self.trump) for pile in self.taken]
        assert sum(honours) == 20
        heaps = [len(pile) for pile in self.taken]
        scoring = [seat for seat in range(self.seats) if heaps[seat] == max(heaps)]
        if len(scoring) > 1 and self.options.cards_tie == "none":
            scoring = []
        cards = [heaps[seat] - DEALT[self.seats] if seat in scoring else 0 for seat in range(self.seats)]
        delta = [got + more for got, more in zip(honours, cards, strict=True)]
        assert min(delta) >= 0
        self.totals = [had + got for had, got in zip(self.totals, delta, strict=True)]
        assert event == HandScored(*map(tuple, (honours, heaps, cards, delta, self.totals)))
        self.runs = False

    @property
    def acting(self) -> int | None:
        return self.turn if self.runs else None

    def outcome(self) -> Outcome | None:
        """RU-27"""
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
            "turn": self.acting,
            "left_out": LEFT_OUT.get(self.seats, "").split(),
            "turned": self.turned,
            "turned_by": self.dealer if self.turned else None,
            "trump": self.trump,
            "packet_no": self.packet_no,
            "face_down_counts": [6 * len(self.below)] * self.seats,
            "face_down": None,
            "hand": None if seat is None else self.hands[seat],
            "hand_counts": [len(held) for held in self.hands],
            "hands": None,
            "trick_no": self.trick_no,
            "trick": [{"seat": player, "card": card} for player, card in self.trick],
            "taken": self.taken,
            "totals": self.totals,
        }

    def neutral_first(self, cards: list[Card]) -> list[Card]:
        """Plain cards, then trumps, then trump honours by what they count; of equal cards the low ones first."""

        def place(card: Card) -> tuple[int, bool, int]:
            is_trump = card[0] == self.trump
            return is_trump * WORTH.get(card[2:], 0), is_trump, LOW_TO_HIGH.index(int(card[2:]))

        return sorted(cards, key=place)

    def objection(self, seat: int, card: Card) -> Objection | None:
        if not self.runs:
            return "RU-27" if self.outcome() else "RU-14", "wrong_phase", {"no hand is being played"}
        if seat != self.turn:
            return "RU-16", "not_your_turn", {f"it is the turn of seat {self.turn}"}
        held = self.hands[seat]
        if card not in held:
            rule = "RU-02" if card not in PACK else "RU-16" if card in PACKS[self.seats] else "RU-07"
            return rule, "not_in_hand", {f"you do not hold {card}"}
        fitting = [c for c in held if self.trick and c[0] == self.trick[0][1][0]]
        if fitting and card not in fitting:
            return "RU-17", "must_follow", {f"you hold {c}, so {card} cannot be played to this trick" for c in fitting}
        return None


def recount(events: Iterable[Any], options: Any, seats: int) -> Outcome | None:
    notes = Notes(options, seats)
    for event in events:
        notes.hears(event)
    return notes.outcome()


@pytest.mark.parametrize("seats", range(2, 10))
@pytest.mark.parametrize("given", [{"target": 45}, {"target": 25, "first_dealer": 1, "cards_tie": "each"}])
def test_views_legal_cards_and_refusals_at_every_table(seats: int, given: dict[str, Any]) -> None:
    """RU-09 to RU-28: step by step, for every seat and a spectator; packets face down are seen and named by nobody."""
    strangers = (Card("C-2"), Card("O-5"), Card("W-14"), PRINCE, PAUPER)
    events = follows(GAME, Notes(read(GAME, given, seats), seats), given, (*PACK, *strangers), steps=150)
    assert of_type(events, "HandScored")


def dealt(*hands: str, face_down: Sequence[Sequence[str]] = (), turned: str = "R-7", **options: Any) -> Story:
    """A hand dealt by seat 0; the packets face down stand in the order of dealing."""
    event = HandDealt(
        hand_no=1,
        dealer=0,
        each=len(hand(hands[0])) * (1 + len(face_down)),
        packets=1 + len(face_down),
        left_out=(),
        turned=Card(turned),
        trump=turned[0],
        hands=each_its_own([hand(h) for h in hands]),
        face_down=hidden(tuple(tuple(hand(part) for part in packet) for packet in face_down)),
    )
    return table(GAME, len(hands), **options).given(event)


def play(card: str) -> PlayCard:
    return PlayCard(Card(card))


def played(story: Story, *plays: tuple[int, str]) -> Story:
    for seat, card in plays:
        story = story.when(seat, play(card))
    return story


def dealt_by_chance(seats: int, deck: Cards | None = None, dealer: int = 0) -> HandDealt:
    story = table(GAME, seats, first_dealer=dealer)
    dealt: HandDealt = story.when(CHANCE, Shuffled(deck or PACKS[seats])).last(HandDealt)
    return dealt


# ── Pack and deal ───────────────────────────────────────────────────────────────────────────────────────────────


def test_tables_of_1_and_10_seats_are_refused() -> None:
    """RU-01, RU-R01"""
    refuses_table(GAME, 1, "RU-01")
    refuses_table(GAME, 10, "RU-01")
    for seats in range(2, 10):
        assert GAME.sides(table(GAME, seats).table) == tuple((seat,) for seat in range(seats))  # RU-R10


def test_the_pack_is_36_cards_without_2_3_4_5() -> None:
    """RU-02"""
    assert len(PACK) == 36 and {card.number for card in PACK} == {1, 6, 7, 8, 9, 10, 11, 12, 13}
    assert GAME.chance(table(GAME, 4, first_dealer=0).table) == Shuffle(PACK)
    story = dealt("C-1 C-6", "R-1 R-6")
    for stranger in (Card("C-2"), Card("O-5"), Card("W-14"), PRINCE, PAUPER):
        story.refuses(1, PlayCard(stranger), "RU-02")


def test_chance_names_the_first_dealer_then_the_deal_goes_left() -> None:
    """RU-03, RU-R02"""
    story = table(GAME, 3)
    assert GAME.chance(story.table) == Pick(3)
    story = story.when(CHANCE, Picked(2)).then(DealerChosen(2))
    for hand_no, dealer in ((1, 2), (2, 0), (3, 1), (4, 2)):
        story = story.when(CHANCE, Shuffled(PACK))
        assert (story.last(HandDealt).hand_no, story.last(HandDealt).dealer) == (hand_no, dealer)
        story = story.given(HandScored((0,) * 3, (12,) * 3, (0,) * 3, (0,) * 3, (0,) * 3))
    assert [dealt_by_chance(3, dealer=seat).dealer for seat in range(3)] == [0, 1, 2]
    refuses_table(GAME, 3, "RU-R02", first_dealer=3)


@pytest.mark.parametrize("seats", range(2, 10))
def test_any_seat_can_be_named_to_deal_first(seats: int) -> None:
    """RU-03, RU-08, RU-09, RU-R02: and the whole deal goes round from its left; at random every seat has its lot."""
    assert GAME.chance(table(GAME, seats).table) == Pick(seats)
    for dealer in range(seats):
        pack = tuple(random.Random(dealer).sample(PACKS[seats], len(PACKS[seats])))
        by_lot = table(GAME, seats).when(CHANCE, Picked(dealer)).then(DealerChosen(dealer))
        for story in (table(GAME, seats, first_dealer=dealer), by_lot):
            deal = Deal(pack, dealer, 1, seats, story.table.options, ())
            assert GAME.chance(story.table) == Shuffle(PACKS[seats])
            story.when(CHANCE, Shuffled(pack)).then(*deal_map(deal))


def test_dealing_is_nobodys_command_and_happens_once_a_hand() -> None:
    """RU-04: between hands chance acts by itself, within a hand only the seat to play."""
    with pytest.raises(Unreadable):
        read_command(names(GAME.commands), {"type": "deal"})
    story = table(GAME, 2, first_dealer=0)
    assert GAME.to_act(story.table) == {CHANCE}
    assert GAME.to_act(story.when(CHANCE, Shuffled(PACK)).table) == {1}


def test_nothing_can_be_played_before_the_deal_or_after_the_match() -> None:
    """RU-14, RU-27"""
    table(GAME, 2).refuses(0, play("C-1"), "RU-14")
    over = played(dealt("C-1", "R-10", target=10), (1, "R-10"), (0, "C-1"))
    assert GAME.outcome(over.table) is not None
    over.refuses(0, play("C-1"), "RU-27").allows(0).allows(1)


def test_two_players_get_three_packets_of_six_RU_E9() -> None:
    """RU-05, RU-08, RU-09, RU-R04, RU-E9: odd cards go to seat 1, even ones to seat 0, card 36 is seat 0's and turned."""
    event = dealt_by_chance(2)
    assert (event.each, event.packets, event.turned) == (18, 3, PACK[35])
    assert set(event.hands[1].value) == set(PACK[24:36:2]) and set(event.hands[0].value) == set(PACK[25:36:2])
    first, second = event.face_down.value
    assert first == (PACK[1:12:2], PACK[0:12:2]) and second == (PACK[13:24:2], PACK[12:24:2])


def test_three_players_get_two_packets_of_six() -> None:
    """RU-06, RU-08"""
    event = dealt_by_chance(3, dealer=1)
    assert (event.each, event.packets, event.turned) == (12, 2, PACK[35])
    assert event.face_down.value == ((PACK[1:18:3], PACK[2:18:3], PACK[0:18:3]),)
    assert [set(kept.value) for kept in event.hands] == [set(PACK[n:36:3]) for n in (19, 20, 18)]


@pytest.mark.parametrize(
    ("seats", "cards", "each", "left_out"),
    [(4, 36, 9, ""), (5, 35, 7, "W-6"), (6, 36, 6, ""), (7, 35, 5, "W-6"), (8, 32, 4, "C-6 R-6 O-6 W-6"), (9, 36, 4, "")],
)  # fmt: skip
def test_four_or_more_divide_the_cards_equally_RU_E10(seats: int, cards: int, each: int, left_out: str) -> None:
    """RU-07, RU-R03, RU-R09, RU-E10: 5 and 7 play without W-6, 8 without sixes; the last card is turned, the dealer's."""
    story = table(GAME, seats, first_dealer=2)
    assert GAME.chance(story.table) == Shuffle(PACKS[seats])
    deck = tuple(reversed(PACKS[seats]))
    event = story.when(CHANCE, Shuffled(deck)).last(HandDealt)
    assert len(deck) == cards and event.left_out == hand(left_out) and set(PACK) - set(deck) == set(event.left_out)
    assert (event.each, event.packets, event.face_down.value) == (each, 1, ())
    assert [len(kept.value) for kept in event.hands] == [each] * seats
    assert deck[0] in event.hands[3 % seats].value  # eldest
    assert event.turned == deck[-1] and event.turned in event.hands[2].value
    assert GAME.view(story.table, 0)["left_out"] == hand(left_out)


def test_a_six_left_out_cannot_be_played() -> None:
    """RU-07: where it is in use, the same six is a card like others."""
    for seats, card in ((5, "W-6"), (7, "W-6"), (8, "C-6"), (8, "W-6")):
        story = table(GAME, seats, first_dealer=0).when(CHANCE, Shuffled(PACKS[seats]))
        story.refuses(1, play(card), "RU-07")
    four = table(GAME, 4, first_dealer=0).when(CHANCE, Shuffled(PACK))
    assert Card("W-6") in four.table.hands[0]
    four.refuses(1, play("W-6"), "RU-16")
    five = table(GAME, 5, first_dealer=0).when(CHANCE, Shuffled(PACKS[5]))
    assert Card("C-6") in five.table.hands[1] and play("C-6") in GAME.legal(five.table, 1)


def test_the_last_card_shows_the_trump_suit_for_all_packets() -> None:
    """RU-09, RU-R11: the turn-up is in the dealer's hand from the start, and all know it."""
    story = table(GAME, 2, first_dealer=0).when(CHANCE, Shuffled(tuple(reversed(PACK))))
    assert story.last(HandDealt).turned == Card("C-6") and Card("C-6") in story.table.hands[0]
    for seat in (0, 1, None):
        assert (GAME.view(story.table, seat)["turned"], GAME.view(story.table, seat)["trump"]) == ("C-6", "C")
    later = two_packets(turned="O-6")
    assert later.table.packet_no == 1 and later.table.trump == "O"
    # The first trick of the second packet is trumped by that suit.
    later = played(later, (1, "C-13"), (0, "O-7"))
    assert later.last(TrickTaken).seat == 0


# ── Packets ─────────────────────────────────────────────────────────────────────────────────────────────────────


def two_packets(turned: str = "R-7") -> Story:
    """The packet in hand has just been played out, seat 1 took its last trick, and the one below is taken up."""
    below = ("O-7 O-8", "C-13 O-9")
    return played(dealt("C-7", "C-8", face_down=[below], turned=turned), (1, "C-8"), (0, "C-7"))


def test_nobody_sees_a_packet_face_down() -> None:
    """RU-10: neither a view nor an event shows it, to its owner or to others, before it is taken up."""
    story = table(GAME, 2, first_dealer=0).when(CHANCE, Shuffled(PACK))
    event = story.last(HandDealt)
    lying = {card for packet in event.face_down.value for part in packet for card in part}
    assert len(lying) == 24 and event.face_down.to == ()
    parts = write_event(event)
    assert set(parts.secret) == {"0", "1", "table"}
    shown = repr([GAME.view(story.table, seat) for seat in (0, 1, None)])
    shown += repr([parts.public, parts.secret["0"], parts.secret["1"]])
    assert not [card for card in lying if f"'{card}'" in shown]
    view = GAME.view(story.table, 0)
    assert view["face_down_counts"] == (12, 12) and view["hand_counts"] == [6, 6]


def test_a_packet_taken_up_is_seen_by_its_owner_alone() -> None:
    """RU-10, RU-11"""
    story = two_packets()
    story.then(
        CardPlayed(0, Card("C-7")),
        TrickTaken(1, 1),
        PacketsTakenUp(1, (Secret(hand("O-7 O-8"), (0,)), Secret(hand("C-13 O-9"), (1,)))),
    )
    assert GAME.view(story.table, 0)["hand"] == hand("O-7 O-8")
    assert GAME.view(story.table, 1)["hand"] == hand("C-13 O-9")
    assert GAME.view(story.table, None)["hand"] is None
    assert GAME.view(story.table, 0)["face_down_counts"] == (0, 0)


@pytest.mark.parametrize(("seats", "packets", "tricks"), [(2, [2, 1], 18), (3, [1], 12)])
def test_packets_are_played_from_the_last_dealt_to_the_first_RU_E9(seats: int, packets: list[int], tricks: int) -> None:
    """RU-11, RU-R05, RU-E9: tricks 1 to 6 from the last packet, 7 to 12 from the one below, and so on."""
    story = table(GAME, seats, first_dealer=0).when(CHANCE, Shuffled(PACK))
    layers = story.last(HandDealt).face_down.value
    assert story.table.packet_no == packets[0] + 1
    found, last = [], 0
    while story.table.playing:
        seat = story.table.turn
        story = story.when(seat, GAME.legal(story.table, seat)[0])
        for event in story.events:
            if isinstance(event, TrickTaken):
                last = event.trick_no
            if isinstance(event, PacketsTakenUp):
                found.append((event.packet_no, last))
                assert [set(kept.value) for kept in event.hands] == [set(p) for p in layers[event.packet_no - 1]]
    assert found == [(no, 6 * (nth + 1)) for nth, no in enumerate(packets)] and last == tricks


def test_the_taker_leads_the_first_trick_of_a_new_packet_RU_E9() -> None:
    """RU-15, RU-R06, RU-E9: whoever took the last trick leads, eldest or not."""
    two_packets().allows(1, play("C-13"), play("O-9")).allows(0)
    story = played(dealt("C-9", "C-8", face_down=[("O-7", "C-13")]), (1, "C-8"), (0, "C-9"))
    assert story.last(TrickTaken).seat == 0
    story.allows(0, play("O-7")).allows(1)


def test_a_void_is_judged_by_the_packet_in_hand_alone_RU_E11() -> None:
    """RU-17, RU-18, RU-E11: the seat may trump although clubs lie in its packet below."""
    story = dealt("R-6 O-7", "C-8 W-9", face_down=[("C-9 C-10", "O-8 O-9")]).when(1, play("C-8"))
    story.allows(0, play("R-6"), play("O-7"))
    assert story.when(0, play("R-6")).last(TrickTaken).seat == 0


def test_a_card_elsewhere_is_refused_in_the_same_words_wherever_it_lies() -> None:
    """RU-16, RU-10: own and foreign packets, another hand, a taken pile and one's own played card cannot be probed."""
    story = dealt("C-7 C-10", "C-8 O-10", face_down=[("O-7 O-8", "C-13 O-9")])
    story = played(story, (1, "C-8"), (0, "C-10"))
    texts = set()
    for card in ("O-7", "C-13", "O-10", "C-8", "C-10", "W-12"):
        story.refuses(0, play(card), "RU-16")
        with pytest.raises(Refused) as refusal:
            GAME.decide(story.table, 0, play(card))
        texts.add((refusal.value.code, refusal.value.text.replace(card, "X")))
    assert texts == {("not_in_hand", "you do not hold X")}


# ── Play ────────────────────────────────────────────────────────────────────────────────────────────────────────


def test_eldest_leads_any_card_and_play_goes_clockwise() -> None:
    """RU-14, RU-16"""
    story = dealt("C-1 O-6", "R-1 O-1", "W-1 W-6")
    story.allows(1, play("R-1"), play("O-1")).allows(0).allows(2)  # a trump may be led
    story.refuses(0, play("C-1"), "RU-16").refuses(2, play("W-1"), "RU-16")
    led = story.when(1, play("R-1")).then(CardPlayed(1, Card("R-1")))
    led.refuses(1, play("O-1"), "RU-16").allows(2, play("W-1"), play("W-6"))
    taken = played(led, (2, "W-6"), (0, "O-6")).then(CardPlayed(0, Card("O-6")), TrickTaken(1, 1))
    taken.allows(1, play("O-1")).allows(2)


def test_the_suit_led_must_be_followed() -> None:
    """RU-17: not even a trump may be played instead; nor a plain card when the only trump is the ten."""
    dealt("C-9 R-10", "C-8 O-6").when(1, play("C-8")).allows(0, play("C-9")).refuses(0, play("R-10"), "RU-17")
    dealt("R-10 W-6", "R-8 O-6").when(1, play("R-8")).allows(0, play("R-10")).refuses(0, play("W-6"), "RU-17")


def test_who_is_void_may_trump_or_throw_away() -> None:
    """RU-18: there is no duty to trump, nor to beat."""
    dealt("R-10 W-6", "C-8 O-6").when(1, play("C-8")).allows(0, play("R-10"), play("W-6"))
    dealt("C-1 C-6", "C-8 O-6").when(1, play("C-8")).allows(0, play("C-1"), play("C-6"))


@pytest.mark.parametrize(
    ("cards", "taker"),
    [
        (("C-13", "C-1"), 1),  # RU-E6
        (("R-6", "R-10", "R-9"), 1),  # RU-E6
        (("C-1", "R-6", "C-13"), 1),  # RU-E7
        (("R-13", "R-10", "R-1"), 2),  # RU-E7
        (("W-7", "O-1", "C-1"), 0),  # RU-E8
        (("C-1", "R-6", "R-9"), 2),
        (("O-12", "O-13", "O-11", "O-10", "O-9", "O-8", "O-7", "O-6", "O-1"), 8),
        (("O-12", "O-13", "O-11", "O-10", "O-9", "O-8", "O-7", "O-6", "W-1"), 1),
    ],
)
def test_who_takes_a_trick(cards: tuple[str, ...], taker: int) -> None:
    """RU-12, RU-13, RU-19, RU-E6, RU-E7, RU-E8: `taker` counts from the leader, trump is R."""
    seats = len(cards)
    order = [(1 + place) % seats for place in range(seats)]
    hands = [""] * seats
    for seat, card in zip(order, cards, strict=True):
        hands[seat] = card
    story = played(dealt(*hands), *zip(order, cards, strict=True))
    assert story.last(TrickTaken).seat == order[taker]


@pytest.mark.parametrize("suit", "CROW")
def test_in_every_suit_the_one_is_highest_then_thirteen_down_to_six(suit: str) -> None:
    """RU-12: trumps included; each card of this order is beaten by the one before it and by no other below it."""
    for high, low in pairwise((1, 13, 12, 11, 10, 9, 8, 7, 6)):
        for led, other in ((high, low), (low, high)):
            story = dealt(f"{suit}-{other}", f"{suit}-{led}")
            story = played(story, (1, f"{suit}-{led}"), (0, f"{suit}-{other}"))
            assert story.last(TrickTaken).seat == (1 if led == high else 0)


def test_the_trick_of_example_7_is_worth_seventeen() -> None:
    """RU-E7, RU-21: 3 for the thirteen, 10 for the ten, 4 for the one."""
    story = played(dealt("R-1", "R-13", "R-10"), (1, "R-13"), (2, "R-10"), (0, "R-1"))
    assert story.last(HandScored).honours == (17, 0, 0)


# ── Scoring and end ─────────────────────────────────────────────────────────────────────────────────────────────


def counted(cards: Sequence[int], honours: Sequence[str], totals: Sequence[int] = (), **options: Any) -> Story:
    """The last trick of a hand after which the seats have taken so many cards and these honours of trump R."""
    seats = len(cards)
    ahead = max(range(seats), key=lambda seat: cards[seat])
    low = iter(card for card in PACKS[seats] if card.suit == "C" and card.number != 1)
    last = [Card("C-1") if seat == ahead else next(low) for seat in range(seats)]
    rest = iter(card for card in PACKS[seats] if card not in last and (card[0] != "R" or card[2:] not in WORTH))
    taken = []
    for seat in range(seats):
        pile = hand(honours[seat]) if seat < len(honours) else ()
        want = cards[seat] - (seats if seat == ahead else 0) - len(pile)
        taken.append((*pile, *(next(rest) for _ in range(want))))
    story = dealt(*last, **options).but(taken=tuple(taken), totals=tuple(totals) or (0,) * seats)
    return played(story, *((seat, last[seat]) for seat in [*range(1, seats), 0]))


def test_cards_above_those_dealt_count_one_each_RU_E1() -> None:
    """RU-22, RU-E1: 22 and 14 are four points for the first player."""
    scored = counted((22, 14), ("", "R-1 R-13 R-12 R-11 R-10")).last(HandScored)
    assert scored.cards_taken == (22, 14) and scored.cards_points == (4, 0)


def test_honours_are_added_RU_E2() -> None:
    """RU-20, RU-21, RU-E2: 16 + 4 and 3 + 1."""
    story = counted((22, 14), ("R-1 R-12 R-10", "R-13 R-11"))
    assert story.last(HandScored) == HandScored((16, 4), (22, 14), (4, 0), (20, 4), (20, 4))
    assert sum(story.last(HandScored).delta) == 24


@pytest.mark.parametrize("cards_tie", ["none", "each"])
def test_eighteen_each_is_nothing_for_cards_RU_E3(cards_tie: str) -> None:
    """RU-23, RU-E3: the honours alone are scored."""
    scored = counted((18, 18), ("R-1 R-12 R-10", "R-13 R-11"), cards_tie=cards_tie).last(HandScored)
    assert scored.cards_points == (0, 0) and scored.delta == (16, 4) and sum(scored.delta) == 20


@pytest.mark.parametrize(("cards", "points"), [((18, 12, 6), (6, 0, 0)), ((16, 8, 8, 4), (7, 0, 0, 0))])
def test_cards_with_three_and_four_RU_E4(cards: tuple[int, ...], points: tuple[int, ...]) -> None:
    """RU-22, RU-R09, RU-R12, RU-E4: twelve were dealt to each of three, nine to each of four."""
    assert counted(cards, ("R-1 R-13", "R-12", "R-10 R-11")).last(HandScored).cards_points == points


@pytest.mark.parametrize(("cards_tie", "points"), [("none", (0, 0, 0, 0)), ("each", (3, 3, 3, 0))])
def test_a_tie_for_most_cards_RU_E5(cards_tie: str, points: tuple[int, ...]) -> None:
    """RU-23, RU-R07, RU-E5"""
    scored = counted((12, 12, 12, 0), ("R-1 R-13", "R-12", "R-10 R-11"), cards_tie=cards_tie).last(HandScored)
    assert scored.cards_points == points and scored.honours == (7, 2, 11, 0)


@pytest.mark.parametrize("cards_tie", ["none", "each"])
@pytest.mark.parametrize("seats", range(3, 10))
def test_ties_for_most_cards_at_every_table(seats: int, cards_tie: str) -> None:
    """RU-22, RU-23, RU-R07: half of the tricks to each of two seats, the odd one to a third; and all to one seat."""
    tricks = DEALT[seats]
    half, odd, none = seats * (tricks // 2), seats * (tricks % 2), (0,) * (seats - 3)
    for cards in ((half, odd, *none, half), (odd, half, half, *none), (0, 0, *none, seats * tricks)):
        most = [seat for seat in range(seats) if cards[seat] == max(cards)]
        honours = ["R-1 R-13 R-12 R-11 R-10" if seat == most[0] else "" for seat in range(seats)]
        scored = counted(cards, honours, cards_tie=cards_tie).last(HandScored)
        points = max(cards) - tricks if len(most) == 1 or cards_tie == "each" else 0
        assert scored.cards_taken == cards
        assert list(scored.cards_points) == [points if seat in most else 0 for seat in range(seats)]


@pytest.mark.parametrize(
    ("taken", "points"),
    [("R-1", 4), ("R-13", 3), ("R-12", 2), ("R-11", 1), ("R-10", 10), ("R-9 R-8 R-7 R-6", 0), ("O-10 W-1 W-13 O-11", 0)],
)  # fmt: skip
def test_the_worth_of_trumps(taken: str, points: int) -> None:
    """RU-21: other trumps and all plain cards are worth nothing."""
    story = dealt("C-6", "C-1").but(taken=(hand(taken), ()))
    assert played(story, (1, "C-1"), (0, "C-6")).last(HandScored).honours == (points, 0)


def test_an_honour_is_scored_by_its_taker_RU_26() -> None:
    """RU-26, RU-20: the dealer turned up and was dealt the ten, and eldest takes it."""
    story = dealt("R-10", "R-1", turned="R-10")
    assert played(story, (1, "R-1"), (0, "R-10")).last(HandScored).honours == (0, 14)


def test_nothing_is_scored_before_the_last_packet_is_played() -> None:
    """RU-20: counting is done once a hand."""
    story = played(dealt("R-10", "R-1", face_down=[("C-7", "C-8")]), (1, "R-1"), (0, "R-10"))
    assert not [event for event in story.events if isinstance(event, HandScored)] and story.table.totals == (0, 0)
    scored = played(story, (1, "C-8"), (0, "C-7")).last(HandScored)
    assert scored.cards_taken == (0, 4) and scored.delta == (0, 16)


@pytest.mark.parametrize(
    ("seats", "best"), [(2, 38), (3, 44), (4, 47), (5, 48), (6, 50), (7, 50), (8, 48), (9, 52)]
)  # fmt: skip
def test_the_best_hand_takes_everything_RU_E13(seats: int, best: int) -> None:
    """RU-28, RU-E13: 36 - 4 for cards and 20 for honours are 52 with nine seats."""
    scored = counted((len(PACKS[seats]), *[0] * (seats - 1)), ("R-1 R-13 R-12 R-11 R-10",)).last(HandScored)
    assert scored.delta == (best, *[0] * (seats - 1))


def test_the_best_total_of_72_or_more_wins_RU_E12() -> None:
    """RU-27, RU-R08, RU-E12: 70 + 4 is enough, but 66 + 20 is more."""
    story = counted((14, 22), ("R-13 R-11", "R-1 R-12 R-10"), totals=(70, 66))
    assert story.last(HandScored).totals == (74, 86)
    result = GAME.outcome(story.table)
    assert result is not None and (result.winners, result.scores, result.places) == ((1,), (74, 86), (2, 1))
    assert GAME.to_act(story.table) == frozenset()


def test_equal_best_totals_play_another_hand_RU_E12() -> None:
    """RU-27, RU-E12: 80 to 80, and the next dealer deals."""
    story = counted((14, 22), ("R-13 R-11", "R-1 R-12 R-10"), totals=(76, 60))
    assert story.last(HandScored).totals == (80, 80) and GAME.outcome(story.table) is None
    again = story.when(CHANCE, Shuffled(PACK)).last(HandDealt)
    assert (again.hand_no, again.dealer) == (2, 1)


@pytest.mark.parametrize(("totals", "over"), [((51, 60), False), ((52, 60), True), ((51, 68), True)])
def test_seventy_two_must_be_reached_RU_27(totals: tuple[int, int], over: bool) -> None:
    """RU-27: 71 is not enough, 72 is."""
    story = counted((22, 14), ("R-1 R-12 R-10", "R-13 R-11"), totals=totals)
    assert (GAME.outcome(story.table) is not None) == over


@pytest.mark.parametrize(("target", "over"), [(1, True), (20, True), (21, False), (500, False)])
def test_the_target_can_be_agreed(target: int, over: bool) -> None:
    """RU-R08"""
    story = counted((22, 14), ("R-1 R-12 R-10", "R-13 R-11"), target=target)
    assert (GAME.outcome(story.table) is not None) == over


@pytest.mark.parametrize("target", [1, 72, 500])
@pytest.mark.parametrize("seats", range(2, 10))
def test_hands_are_dealt_until_one_seat_alone_has_the_best_total_from_the_target_on(seats: int, target: int) -> None:
    """RU-03, RU-27, RU-R08: the deal goes on to the left; ties below the best total do not matter."""
    short, tied = (target - 1, *(0,) * (seats - 1)), (target + 2, *(target,) * (seats - 2), target + 2)
    alone = (target + 3, *(target,) * (seats - 1))
    level = (target + 2,) * seats
    story = table(GAME, seats, target=target, first_dealer=1)
    for hand_no, totals in enumerate((short, tied, level, alone), start=1):
        assert GAME.outcome(story.table) is None and GAME.to_act(story.table) == {CHANCE}
        nothing = (0,) * seats
        story = story.when(CHANCE, Shuffled(PACKS[seats])).given(HandScored(nothing, nothing, nothing, nothing, totals))
        assert (story.table.hand_no, story.table.dealer) == (hand_no, hand_no % seats)
    assert GAME.outcome(story.table) == Outcome((1, *(2,) * (seats - 1)), alone, "target")
    assert GAME.to_act(story.table) == frozenset()


@pytest.mark.parametrize("target", [0, 501])
def test_a_target_out_of_bounds_is_refused(target: int) -> None:
    """RU-R08"""
    refuses_table(GAME, 2, "RU-R08", target=target)
    refuses_table(GAME, 2, "RU-R07", cards_tie="both")


def test_two_who_tie_for_cards_have_none_to_score() -> None:
    """RU-R07"""
    for value in ("none", "each"):
        refuses_idle(GAME, 2, "cards_tie", value)
        GAME.new_table({"cards_tie": value}, 3)


def test_an_absent_player_gives_no_honour_away() -> None:
    """RU-09: plain cards first, then low trumps; the trump 10 last of all."""
    story = dealt("C-6", "C-10 C-1 C-6 R-7 R-1", turned="C-7")
    assert [str(command.card) for command in GAME.legal(story.table, 1)] == ["R-7", "R-1", "C-6", "C-1", "C-10"]


@pytest.mark.parametrize("seats", range(2, 10))
def test_cards_come_a_trick_at_a_time_and_no_total_ever_falls(seats: int) -> None:
    """RU-24, RU-25: whoever alone has most has more than were dealt to a seat, so that nobody ever loses a point."""
    before = (0,) * seats
    hands = 0
    for moment in random_match(GAME, seats, {"target": 60}, random.Random(f"gains {seats}")):
        for event in moment.events:
            if not isinstance(event, HandScored):
                continue
            hands += 1
            each = sum(event.cards_taken) // seats
            assert all(taken % seats == 0 for taken in event.cards_taken)
            most = max(event.cards_taken)
            assert event.cards_taken.count(most) > 1 or most > each
            assert min(event.delta) >= 0
            assert event.totals == tuple(old + new for old, new in zip(before, event.delta, strict=True))
            before = event.totals
    assert hands > 1


# ── Who may see everything, and what a seat can imagine ─────────────────────────────────────────────────────────


def test_whoever_may_see_everything_sees_all_hands_and_the_packets_face_down() -> None:
    """RU-10, RU-11: before each seat, the packet on top last."""
    story = dealt("C-7", "C-8", face_down=[("O-7", "O-8"), ("W-7", "W-8")])
    everything = GAME.view(story.table, ALL)
    assert everything["hand"] is None and everything["hands"] == (hand("C-7"), hand("C-8"))
    assert everything["face_down"] == [hand("O-7 W-7"), hand("O-8 W-8")]
    for seat in (None, 0, 1):
        view = GAME.view(story.table, seat)
        assert view["face_down"] is None and view["face_down_counts"] == (2, 2)


def imagined(story: Story, seat: int) -> list[Table]:
    rng = random.Random(repr(story.table.hands))
    return [GAME.imagine(story.table, seat, rng.randrange) for _ in range(300)]


def test_a_seat_imagines_its_own_packet_face_down_too() -> None:
    """RU-10: every card that it does not see can lie in any packet, in any order."""
    story = dealt("C-7", "C-8", face_down=[("O-7", "O-8")], turned="R-7")
    unseen = hand("C-8 O-7 O-8")
    assert {(s.hands[1], *s.face_down[0]) for s in imagined(story, 0)} == {
        tuple((card,) for card in order) for order in permutations(unseen)
    }


def test_the_card_turned_up_is_imagined_in_the_hand_of_the_dealer_until_it_is_played() -> None:
    """RU-09, RU-R11"""
    story = dealt("R-7 C-9", "C-8 C-10", face_down=[("O-7 O-9", "O-8 O-10")], turned="R-7")
    assert all("R-7" in s.hands[0] for s in imagined(story, 1))
    story = played(story, (1, "C-8"), (0, "C-9"), (0, "R-7"))
    assert all(s.hands[0] == () and "R-7" not in repr(s.face_down) for s in imagined(story, 1))


def test_a_void_shown_says_nothing_of_the_packets_below() -> None:
    """RU-17, RU-E11: the suit that was not followed can lie face down, and be in hand with the next packet."""
    story = dealt("W-7 C-9", "C-8 W-10", face_down=[("C-7 O-9", "C-6 O-10")])
    story = played(story, (1, "W-10"), (0, "W-7"), (1, "C-8"))
    assert {card for s in imagined(story, 1) for card in s.hands[0]} == set(hand("C-9 C-7 O-9 C-6 O-10"))
    story = dealt("R-8 O-11 O-9", "C-8 C-9 W-10", face_down=[("C-7 C-10 O-12", "C-6 O-10 O-13")])
    story = played(story, (1, "C-8"), (0, "O-11"))
    assert all(card[0] != "C" for s in imagined(story, 1) for card in s.hands[0])
    assert {"C-7", "C-6", "R-8"} <= {card for s in imagined(story, 1) for card in s.face_down[0][1]}
    story = played(story, (1, "C-9"), (0, "O-9"), (1, "W-10"), (0, "R-8"))
    assert story.table.packet_no == 1 and "C-7" in {card for s in imagined(story, 1) for card in s.hands[0]}
