"""Kid-O, rule by rule."""

from __future__ import annotations

import json
import random
from collections.abc import Iterable
from typing import Any

import pytest

from domain.game import ALL, CHANCE, Outcome, Pick, Picked, Refused, Secret, Shuffle, Shuffled, each_its_own, hidden
from domain.games.kid_o import GAME
from domain.games.kid_o.game import HandDealt, HandScored, Table, Taken, TrickTaken
from domain.kit.cards import FULL_PACK, PAUPER, PRINCE, Card
from domain.kit.dealing import DealerChosen
from domain.kit.plays import CardPlayed, PlayCard
from domain.wire import write_event
from tests.domain.onlooker import Objection, follows, read
from tests.domain.playing import Deal
from tests.domain.story import Story, hand, refuses_table, table
from tests.golden.matches import Golden


def the_shown_card_costs_six(events: list[Any]) -> bool:
    """The card that everybody saw at the deal turns out to be the Kid-O card, and falls in an even trick."""
    shown = None
    for event in events:
        if isinstance(event, HandDealt):
            shown = event.first_card
        elif isinstance(event, HandScored) and event.kid_o_card == shown and event.kid_o_trick % 2 == 0:
            return True
    return False


QUICK = {"hands": 2}
SEVERAL = {"hands": 3}
GOLDEN = Golden(
    seats=4,
    options={"hands": 5},
    moment="the card shown at the deal turns out to be the Kid-O card and costs six in an even trick",
    shows=the_shown_card_costs_six,
)


def whole(s: Table) -> Iterable[Any]:
    return FULL_PACK


def pieces(s: Table) -> Iterable[Any]:
    lying = [*s.hands, s.undealt, *(trick.cards for trick in s.tricks)]
    return [*(card for pile in lying for card in pile), *(play.card for play in s.trick)]


# ── What the rule page says, for the common tests ────────────────────────────────────────────────────────────────

SEATS = ("KO-01", range(2, 9))
OPTIONS = {
    "hands": ("KO-21", 7, range(1, 22)),
    "first_dealer": ("KO-R01", "random", "seat"),
    "tie_break": ("KO-R05", "share", ("share", "extra_hand")),
}
REFUSALS = {
    "KO-02": {"not_in_hand"},
    "KO-12": {"wrong_phase"},
    "KO-13": {"not_in_hand", "not_your_turn"},
    "KO-14": {"must_follow"},
    "KO-21": {"wrong_phase"},
}
LETTERS = "CROW"


def deal_map(deal: Deal) -> Iterable[Any]:
    """KO-05 to KO-09, KO-R02: six to each, one at a time from eldest, whose first card is shown to all."""
    cards = list(deal.deck)
    eldest = (deal.dealer + 1) % deal.seats
    hands: list[list[Card]] = [[] for _ in range(deal.seats)]
    for _ in range(6):
        for place in range(deal.seats):
            hands[(eldest + place) % deal.seats].append(cards.pop(0))
    shown = deal.deck[0]
    secrets = tuple(
        Secret(tuple(sorted(held, key=lambda c: (LETTERS.index(c[0]), int(c[2:])))), (seat,))
        for seat, held in enumerate(hands)
    )
    rest = 52 - 6 * deal.seats
    yield HandDealt(deal.hand_no, deal.dealer, eldest, shown, shown[0], rest, secrets, Secret(tuple(cards), ()))


class Notes:
    """KO-06 to KO-22, as an onlooker writes them down card by card."""

    def __init__(self, options: Any, seats: int) -> None:
        self.options, self.seats = options, seats
        self.dealer = None if options.first_dealer == "random" else options.first_dealer
        self.hand_no, self.runs = 0, False
        self.hands: list[list[Card]] = [[] for _ in range(seats)]
        self.undealt = 0
        self.eldest: int | None = None
        self.shown: Card | None = None
        self.named: Card | None = None
        self.turn, self.trick_no, self.trick = 0, 0, list[tuple[int, Card]]()
        self.tricks: list[tuple[int, list[Card]]] = []
        self.totals = [0] * seats

    def hears(self, event: Any) -> None:
        match event:
            case DealerChosen(seat):
                assert self.dealer is None
                self.dealer = seat
            case HandDealt(hand_no, dealer, eldest, first_card, _, _, hands, _):
                self.hand_no, self.dealer, self.eldest, self.runs = hand_no, dealer, eldest, True
                self.hands = [list(held.value) for held in hands]
                self.undealt, self.shown, self.named = 52 - 6 * self.seats, first_card, None
                self.turn, self.trick_no, self.trick, self.tricks = eldest, 1, [], []
            case CardPlayed(seat, card):
                assert seat == self.turn
                self.hands[seat].remove(card)
                self.trick.append((seat, card))
                self.turn = (seat + 1) % self.seats
            case TrickTaken(trick_no, seat, points):
                followed = [(int(c[2:]), player) for player, c in self.trick if c[0] == self.trick[0][1][0]]
                assert len(self.trick) == self.seats
                assert (trick_no, seat, points) == (self.trick_no, max(followed)[1], {1: 0, 0: 1}[trick_no % 2])
                self.tricks.append((seat, [c for _, c in self.trick]))
                self.turn, self.trick, self.trick_no = seat, [], self.trick_no + 1
            case HandScored():
                self.counts(event)

    def counts(self, event: HandScored) -> None:
        """KO-08, KO-17, KO-18, KO-20, KO-23: eight points in six tricks, whichever trick the Kid-O card fell in."""
        assert len(self.tricks) == 6 and not any(self.hands) and self.shown
        suit = [(int(c[2:]), c) for _, cards in self.tricks for c in cards if c[0] == self.shown[0]]
        kid_o = max(suit)[1]
        number = next(no for no in range(1, 7) if kid_o in self.tricks[no - 1][1])
        victim, evens = self.tricks[number - 1][0], tuple(self.tricks[no - 1][0] for no in (2, 4, 6))
        delta = tuple(evens.count(seat) + (5 if seat == victim else 0) for seat in range(self.seats))
        assert sum(delta) == 8
        self.totals = [had + got for had, got in zip(self.totals, delta, strict=True)]
        assert event == HandScored(kid_o, number, victim, evens, delta, tuple(self.totals))
        self.named, self.runs = kid_o, False

    @property
    def acting(self) -> int | None:
        return self.turn if self.runs else None

    def outcome(self) -> Outcome | None:
        best = min(self.totals)
        if self.runs or self.hand_no < self.options.hands:
            return None
        if self.options.tie_break == "extra_hand" and self.totals.count(best) > 1:
            return None
        places = tuple(1 + len([t for t in self.totals if t < mine]) for mine in self.totals)
        return Outcome(places, tuple(self.totals), "fewest_points")

    def view(self, seat: int | None) -> dict[str, Any]:
        costs = [(taker, 1 if no in (2, 4, 6) else 0) for no, (taker, _) in enumerate(self.tricks, start=1)]
        return {
            "phase": "playing" if self.runs else "finished" if self.outcome() else "awaiting_deal",
            "hand_no": self.hand_no,
            "dealer": self.dealer,
            "eldest": self.eldest,
            "first_card": self.shown,
            "kid_o_suit": self.shown[0] if self.shown else None,
            "kid_o_card": self.named,
            "turn": self.acting,
            "hand": None if seat is None else self.hands[seat],
            "hand_counts": [len(held) for held in self.hands],
            "hands": None,
            "undealt_count": self.undealt,
            "undealt": None,
            "trick_no": self.trick_no,
            "trick": [{"seat": player, "card": card} for player, card in self.trick],
            "tricks_taken": [{"seat": taker, "cards": cards} for taker, cards in self.tricks],
            "trick_points": [sum(cost for taker, cost in costs if taker == one) for one in range(self.seats)],
            "totals": self.totals,
        }

    def neutral_first(self, cards: list[Card]) -> list[Card]:
        return sorted(cards, key=lambda c: (LETTERS.index(c[0]), int(c[2:])))

    def objection(self, seat: int, card: Card) -> Objection | None:
        if not self.runs:
            return "KO-21" if self.outcome() else "KO-12", "wrong_phase", {"no hand is being played"}
        if seat != self.turn:
            return "KO-13", "not_your_turn", {f"it is the turn of seat {self.turn}"}
        held = self.hands[seat]
        if card not in held:
            rule = "KO-02" if card in ("PRINCE", "PAUPER") else "KO-13"
            return rule, "not_in_hand", {f"you do not hold {card}"}
        fitting = [c for c in held if self.trick and c[0] == self.trick[0][1][0]]
        if fitting and card not in fitting:
            return "KO-14", "must_follow", {f"you hold {c}, so {card} cannot be played to this trick" for c in fitting}
        return None


def recount(events: Iterable[Any], options: Any, seats: int) -> Outcome | None:
    notes = Notes(options, seats)
    for event in events:
        notes.hears(event)
    return notes.outcome()


@pytest.mark.parametrize("seats", range(2, 9))
@pytest.mark.parametrize("given", [{"hands": 2}, {"hands": 1, "first_dealer": 1, "tie_break": "extra_hand"}])
def test_views_legal_cards_and_refusals_at_every_table(seats: int, given: dict[str, Any]) -> None:
    """KO-06, KO-09, KO-10, KO-12 to KO-18, KO-20, KO-21, KO-23: step by step, for every seat and a spectator."""
    events = follows(GAME, Notes(read(GAME, given, seats), seats), given, (*FULL_PACK, PRINCE, PAUPER))
    assert len([event for event in events if isinstance(event, HandScored)]) >= given["hands"]


def dealt(
    *hands: str, first_card: str = "", dealer: int = 0, hand_no: int = 1, undealt: str = "", **options: Any
) -> Story:
    """A table after a deal of these hands, seat 0 first. Seat 1 is eldest unless another dealer is named; unless
    told otherwise it shows the first card of its hand."""
    held = [hand(h) for h in hands]
    eldest = (dealer + 1) % len(hands)
    shown = Card(first_card) if first_card else held[eldest][0]
    rest = hand(undealt)
    event = HandDealt(hand_no, dealer, eldest, shown, shown.suit, len(rest), each_its_own(held), hidden(rest))
    return table(GAME, len(hands), **options).given(event)


def play(card: str) -> PlayCard:
    return PlayCard(Card(card))


def played(story: Story, cards: str) -> Story:
    """These cards, each by the seat whose turn it is."""
    for card in cards.split():
        story = story.when(story.table.turn, play(card))
    return story


def deck(*hands: str) -> tuple[Card, ...]:
    """A pack that gives these hands, eldest's first, the cards in the order of the deal."""
    front = [card for round_ in zip(*(hand(h) for h in hands), strict=True) for card in round_]
    return (*front, *(card for card in FULL_PACK if card not in front))


# ── Pack and deal ───────────────────────────────────────────────────────────────────────────────────────────────


def test_tables_of_1_and_9_seats_are_refused_KO_E8() -> None:
    """KO-01, KO-R07, KO-E8: nine would need 54 cards."""
    refuses_table(GAME, 1, "KO-01")
    refuses_table(GAME, 9, "KO-01")


def test_prince_and_pauper_are_not_in_the_pack() -> None:
    """KO-02"""
    story = table(GAME, 4, first_dealer=0)
    assert GAME.chance(story.table) == Shuffle(FULL_PACK)
    assert len(FULL_PACK) == 52 and {PRINCE, PAUPER}.isdisjoint(FULL_PACK)
    dealt("C-1 C-2", "R-1 R-2").refuses(1, PlayCard(PRINCE), "KO-02").refuses(1, PlayCard(PAUPER), "KO-02")


def test_chance_names_the_first_dealer_then_the_deal_goes_left_KO_E10() -> None:
    """KO-03, KO-04, KO-12, KO-R01, KO-E10: seven hands of three seats, first dealer 2."""
    story = table(GAME, 3)
    assert GAME.to_act(story.table) == {CHANCE} and GAME.chance(story.table).of == 3  # type: ignore[union-attr]
    story = story.when(CHANCE, Picked(2)).then(DealerChosen(2))
    dealers: list[int | None] = []
    leaders: list[int] = []
    numbers: list[int] = []
    rng = random.Random(10)
    while GAME.outcome(story.table) is None:
        story = story.when(CHANCE, Shuffled(tuple(rng.sample(FULL_PACK, 52))))
        event = story.last(HandDealt)
        dealers.append(event.dealer)
        numbers.append(event.hand_no)
        leaders.append(*GAME.to_act(story.table))
        while story.table.playing:
            assert CHANCE not in GAME.to_act(story.table), "a hand that is dealt is not dealt again"
            story = story.when(story.table.turn, rng.choice(GAME.legal(story.table, story.table.turn)))
    assert numbers == [1, 2, 3, 4, 5, 6, 7]
    assert dealers == [2, 0, 1, 2, 0, 1, 2]
    assert leaders == [0, 1, 2, 0, 1, 2, 0]
    assert table(GAME, 3, first_dealer=1).when(CHANCE, Shuffled(FULL_PACK)).last(HandDealt).dealer == 1
    refuses_table(GAME, 3, "KO-R01", first_dealer=3)


@pytest.mark.parametrize("seats", range(2, 9))
def test_any_seat_can_be_named_to_deal_first(seats: int) -> None:
    """KO-03, KO-05, KO-06, KO-R01: and the whole deal goes round from its left; at random every seat has its lot."""
    assert GAME.chance(table(GAME, seats).table) == Pick(seats)
    for dealer in range(seats):
        pack = tuple(random.Random(dealer).sample(FULL_PACK, len(FULL_PACK)))
        by_lot = table(GAME, seats).when(CHANCE, Picked(dealer)).then(DealerChosen(dealer))
        for story in (table(GAME, seats, first_dealer=dealer), by_lot):
            deal = Deal(pack, dealer, 1, seats, story.table.options, ())
            assert GAME.chance(story.table) == Shuffle(FULL_PACK)
            story.when(CHANCE, Shuffled(pack)).then(*deal_map(deal))


@pytest.mark.parametrize(("seats", "undealt"), [(2, 40), (3, 34), (4, 28), (5, 22), (6, 16), (7, 10), (8, 4)])
def test_six_cards_go_to_each_seat_and_the_rest_stays_face_down_KO_E8(seats: int, undealt: int) -> None:
    """KO-05, KO-06, KO-07, KO-09, KO-R02, KO-E8: one at a time from eldest, who got the card that is shown."""
    story = table(GAME, seats, first_dealer=0).when(CHANCE, Shuffled(FULL_PACK[::-1]))
    event = story.last(HandDealt)
    for place in range(seats):
        seat = (1 + place) % seats
        assert set(event.hands[seat].value) == set(FULL_PACK[::-1][place : 6 * seats : seats])
        assert len(event.hands[seat].value) == 6 and event.hands[seat].to == (seat,)
    assert (event.eldest, event.first_card, event.kid_o_suit) == (1, Card("W-13"), "W")
    assert event.first_card in event.hands[1].value
    assert len(event.undealt.value) == event.undealt_count == undealt
    assert event.undealt.to == (), "nobody sees them"
    for seat in (None, *range(seats)):
        view = GAME.view(story.table, seat)
        assert (view["first_card"], view["eldest"], view["kid_o_suit"]) == ("W-13", 1, "W")
        assert view["undealt_count"] == undealt
        assert not any(f'"{card}"' in json.dumps(view) for card in event.undealt.value)


def test_the_shown_card_is_played_like_any_other() -> None:
    """KO-06"""
    story = dealt("R-9 C-2", "R-4 C-1", first_card="R-4").allows(1, play("R-4"), play("C-1"))
    assert story.when(1, play("R-4")).table.hands[1] == hand("C-1")


# ── The Kid-O card ──────────────────────────────────────────────────────────────────────────────────────────────

ELDEST, DEALER = "R-4 R-11 C-9 O-2 W-13 W-1", "R-8 C-12 C-3 O-7 O-10 W-5"
WHOLE_HAND = "W-1 W-5  O-7 O-2  C-3 C-9  R-4 R-8  C-12 R-11  O-10 W-13"


def test_a_whole_hand_KO_E1() -> None:
    """KO-07, KO-08, KO-13, KO-17, KO-18, KO-20, KO-R06, KO-R08, KO-E1: R-12 and R-13 are undealt, so R-11 costs five."""
    story = table(GAME, 2, first_dealer=0).when(CHANCE, Shuffled(deck(ELDEST, DEALER)))
    assert story.last(HandDealt).first_card == Card("R-4") and {"R-12", "R-13"} < set(story.table.undealt)
    takers, points = [], []
    for card in WHOLE_HAND.split():
        story = story.when(story.table.turn, play(card))
        for event in story.events:
            if isinstance(event, TrickTaken):
                takers.append(event.seat)
                points.append(event.points)
    assert takers == [0, 0, 1, 0, 0, 0]
    assert points == [0, 1, 0, 1, 0, 1]
    story.then(
        CardPlayed(1, Card("W-13")),
        TrickTaken(6, 0, 1),
        HandScored(Card("R-11"), 5, 0, (0, 0, 0), (8, 0), (8, 0)),
    )
    assert GAME.view(story.table, None)["kid_o_card"] == "R-11"


def finished(first_card: str, *tricks: tuple[int, str]) -> HandScored:
    """The count of a hand of four in which the first five tricks went so, and the sixth to its leader, seat 1."""
    taken = tuple(Taken(seat, hand(cards), int(no % 2 == 0)) for no, (seat, cards) in enumerate(tricks, start=1))
    story = dealt("C-1", "C-8", "C-2", "C-3", first_card=first_card).but(tricks=taken, trick_no=6)
    scored: HandScored = played(story, "C-8 C-2 C-3 C-1").last(HandScored)
    return scored


def test_the_kid_o_card_in_trick_4_costs_six_KO_E2() -> None:
    """KO-17, KO-18, KO-E2: five and one for its taker, one each for the other two even tricks."""
    scored = finished("R-2", (0, "W-1"), (0, "W-2"), (3, "W-3"), (2, "R-2 R-9"), (3, "R-5"))
    assert (scored.kid_o_card, scored.kid_o_trick, scored.kid_o_taker) == (Card("R-9"), 4, 2)
    assert scored.even_tricks == (0, 2, 1)
    assert scored.delta == (1, 1, 6, 0)


def test_the_kid_o_card_in_trick_3_costs_five_KO_E3() -> None:
    """KO-17, KO-18, KO-E3: nothing for the trick itself."""
    scored = finished("R-2", (0, "W-1"), (0, "W-2"), (3, "R-2 R-9"), (2, "W-3"), (3, "R-5"))
    assert (scored.kid_o_trick, scored.kid_o_taker, scored.delta) == (3, 3, (1, 1, 1, 5))


def test_the_shown_card_may_be_the_kid_o_card_itself_KO_E4() -> None:
    """KO-08, KO-E4: C-2 was shown, and no other C was dealt."""
    story = dealt("R-13", "C-2", "W-13", undealt="C-3 C-13")
    scored = played(story, "C-2 W-13 R-13").last(HandScored)
    assert (scored.kid_o_card, scored.kid_o_taker, scored.delta) == (Card("C-2"), 1, (0, 5, 0))


def test_the_highest_card_dealt_is_meant_not_the_13_KO_E5() -> None:
    """KO-08, KO-09, KO-E5: of O-6, O-9 and O-12 it is O-12, for O-13 was not dealt."""
    story = dealt("O-9 C-1", "O-6 C-2", "O-12 C-3", undealt="O-13")
    scored = played(story, "O-6 O-12 O-9 C-3 C-1 C-2").last(HandScored)
    assert (scored.kid_o_card, scored.kid_o_trick, scored.kid_o_taker) == (Card("O-12"), 1, 2)


def test_nothing_hints_at_the_kid_o_card_before_the_count() -> None:
    """KO-10, KO-R03: two hands, one with R-8 and one with R-13 in its place, so that R-11 is the Kid-O card or is not,
    look the same to eldest and to a spectator until that card falls, and the same but for its name until the count."""
    low = table(GAME, 2, first_dealer=0).when(CHANCE, Shuffled(deck(ELDEST, DEALER)))
    high = table(GAME, 2, first_dealer=0).when(CHANCE, Shuffled(deck(ELDEST, DEALER.replace("R-8", "R-13"))))
    fallen = False
    for card in WHOLE_HAND.split():
        seen = []
        for story in (low, high):
            views = [GAME.view(story.table, seat) for seat in (None, 1)]
            assert all(view["kid_o_card"] is None for view in views) and story.table.kid_o_card is None
            seen.append(json.dumps([views, [write_event(event).public for event in story.events]]))
        assert ("R-13" in seen[1]) == fallen
        assert seen[0] == seen[1].replace("R-13", "R-8")
        fallen = fallen or card == "R-8"
        low = low.when(low.table.turn, play(card))
        high = high.when(high.table.turn, play(card.replace("R-8", "R-13")))
    assert low.last(HandScored) == HandScored(Card("R-11"), 5, 0, (0, 0, 0), (8, 0), (8, 0))
    assert high.last(HandScored) == HandScored(Card("R-13"), 4, 0, (0, 0, 0), (8, 0), (8, 0))


def test_the_fall_of_the_kid_o_card_costs_nothing_before_the_count() -> None:
    """KO-10: the running score of a hand shows the points of the even tricks only."""
    story = played(dealt("R-13 C-1 C-2", "R-12 W-1 W-2"), "R-12 R-13")
    story.then(CardPlayed(0, Card("R-13")), TrickTaken(1, 0, 0))
    assert GAME.view(story.table, 1)["trick_points"] == (0, 0)
    story = played(story, "C-1 W-1").then(CardPlayed(1, Card("W-1")), TrickTaken(2, 0, 1))
    view = GAME.view(story.table, 1)
    assert view["trick_points"] == (1, 0) and view["totals"] == (0, 0)
    assert view["tricks_taken"][1] == {"seat": 0, "cards": hand("C-1 W-1")}


def test_the_next_deal_takes_the_name_of_the_kid_o_card_back() -> None:
    """KO-10"""
    story = played(dealt("R-13", "R-12"), "R-12 R-13")
    assert GAME.view(story.table, None)["kid_o_card"] == "R-13"
    assert GAME.view(story.when(CHANCE, Shuffled(FULL_PACK)).table, None)["kid_o_card"] is None


# ── Play ────────────────────────────────────────────────────────────────────────────────────────────────────────


def test_no_card_is_played_before_the_deal() -> None:
    """KO-12"""
    table(GAME, 2).refuses(0, play("C-1"), "KO-12")
    table(GAME, 2, first_dealer=0).refuses(1, play("C-1"), "KO-12")


def test_eldest_leads_any_card_and_the_taker_leads_next() -> None:
    """KO-12, KO-13, KO-R04"""
    story = dealt("C-1 O-2", "R-1 O-1", "O-9 W-2").allows(1, play("R-1"), play("O-1")).allows(0).allows(2)
    story.refuses(0, play("C-1"), "KO-13").refuses(2, play("O-9"), "KO-13")
    led = story.when(1, play("O-1")).then(CardPlayed(1, Card("O-1")))
    led.refuses(1, play("R-1"), "KO-13")  # one card a trick
    taken = led.when(2, play("O-9")).when(0, play("O-2")).then(CardPlayed(0, Card("O-2")), TrickTaken(1, 2, 0))
    taken.allows(2, play("W-2")).allows(0).allows(1)


def test_a_card_elsewhere_is_refused_in_the_same_words_wherever_it_lies() -> None:
    """KO-09, KO-13: another hand, the undealt cards, a taken trick and the trick on the table cannot be probed."""
    story = played(dealt("C-1 O-2 C-7", "R-1 O-1 R-7", "O-9 W-2 W-7", undealt="R-13"), "O-1 O-9 O-2 W-2")
    texts = set()
    for card in ("R-1", "R-13", "O-9", "W-2"):
        with pytest.raises(Refused) as refusal:
            GAME.decide(story.table, 0, play(card))
        texts.add((refusal.value.rule, refusal.value.code, refusal.value.text.replace(card, "it")))
    assert texts == {("KO-13", "not_in_hand", "you do not hold it")}


@pytest.mark.parametrize(("held", "allowed"), [("O-3 O-11 W-1", "O-3 O-11"), ("C-5 W-1", "C-5 W-1")])
def test_the_suit_led_must_be_followed_by_who_can_KO_E7(held: str, allowed: str) -> None:
    """KO-14, KO-15, KO-E7: O is led."""
    story = dealt(held, "O-7 C-1").when(1, play("O-7"))
    story.allows(0, *(play(card) for card in allowed.split()))


def test_a_card_of_another_suit_is_refused_to_who_can_follow() -> None:
    """KO-14: whoever holds O-3 cannot throw C-13."""
    dealt("O-3 C-13", "O-7 C-1").when(1, play("O-7")).refuses(0, play("C-13"), "KO-14")


def test_the_kid_o_card_must_be_given_up_to_follow() -> None:
    """KO-14: R-11 is the only R of its holder."""
    story = dealt("R-11 W-1", "R-4 C-1").when(1, play("R-4"))
    story.allows(0, play("R-11")).refuses(0, play("W-1"), "KO-14")


@pytest.mark.parametrize(
    ("cards", "taker"),
    [
        ("O-2 C-13 W-13", 1),  # KO-E6
        ("O-2 O-13 O-12", 2),
        ("O-2 O-1 O-3", 0),
        ("C-2 R-13 W-13", 1),  # KO-11: neither a high card nor the Kid-O suit takes another suit
        ("C-1 C-10 C-9", 2),
    ],
)
def test_the_highest_card_of_the_suit_led_takes_the_trick(cards: str, taker: int) -> None:
    """KO-11, KO-16, KO-R08, KO-E6: R is the Kid-O suit."""
    first, second, third = cards.split()
    story = played(dealt(f"{third} R-1", f"{first} R-2", f"{second} R-3", first_card="R-2"), cards)
    assert story.last(TrickTaken).seat == taker


def test_the_kid_o_card_is_thrown_on_another_suit_KO_E6() -> None:
    """KO-15, KO-18, KO-E6: R-13 on a led C-2, and the leader takes five."""
    story = dealt("R-13", "C-2", "W-13", first_card="R-1")
    scored = played(story, "C-2 W-13 R-13").last(HandScored)
    assert (scored.kid_o_card, scored.kid_o_taker, scored.delta) == (Card("R-13"), 1, (0, 5, 0))


# ── Scoring and end ─────────────────────────────────────────────────────────────────────────────────────────────


def test_only_tricks_2_4_and_6_cost_a_point() -> None:
    """KO-13, KO-17, KO-20"""
    scored = finished("C-1", (0, "W-1"), (2, "W-2"), (0, "W-3"), (3, "W-4"), (0, "W-5"))
    assert scored.even_tricks == (2, 3, 1) and scored.delta == (0, 6, 1, 1)


def last_hand(totals: tuple[int, ...], **options: Any) -> Story:
    """Totals as they stand after the last card of hand 7: seat 1 takes the Kid-O card in its one trick, five points."""
    before = (totals[0], totals[1] - 5, *totals[2:])
    story = dealt("C-1", "C-4", "C-2", "C-3", hand_no=7, **options).but(totals=before)
    return played(story, "C-4 C-2 C-3 C-1")


def test_after_seven_hands_the_lowest_total_wins_and_ties_share_KO_E9() -> None:
    """KO-19, KO-21, KO-22, KO-R05, KO-E9: 9, 17, 9 and 21 are 56 in all, and seats 0 and 2 win together."""
    story = last_hand((9, 17, 9, 21))
    assert story.table.totals == (9, 17, 9, 21)
    result = GAME.outcome(story.table)
    assert result is not None and result.winners == (0, 2) and result.places == (1, 3, 1, 4)
    assert GAME.to_act(story.table) == frozenset()
    for seat in range(4):
        story.refuses(seat, play("C-1"), "KO-21")
    alone = GAME.outcome(last_hand((9, 17, 8, 22)).table)
    assert alone is not None and alone.winners == (2,)


def scored_at(story: Story, totals: tuple[int, ...]) -> Story:
    """A hand is dealt, and after it the totals are these."""
    story = story.when(CHANCE, Shuffled(FULL_PACK))
    return story.given(HandScored(Card("C-1"), 1, 0, (0, 0, 0), (0,) * story.table.seats, totals))


@pytest.mark.parametrize("hands", [1, 7, 21])
@pytest.mark.parametrize("seats", range(2, 9))
def test_extra_hands_are_played_until_one_is_lowest_KO_E9(seats: int, hands: int) -> None:
    """KO-04, KO-21, KO-R05, KO-E9: a tie for the lowest total is played off by all seats, as often as need be, and the
    deal goes on to the left; any other tie does not matter."""
    tied, level, alone = (9, 9, *(21,) * (seats - 2)), (9,) * seats, (9, *(21,) * (seats - 1))
    story = table(GAME, seats, hands=hands, tie_break="extra_hand", first_dealer=seats - 1)
    for hand_no in range(1, hands + 3):
        assert GAME.outcome(story.table) is None and GAME.to_act(story.table) == {CHANCE}
        story = scored_at(story, tied if hand_no % 2 else level)
        assert (story.table.hand_no, story.table.dealer) == (hand_no, (seats - 2 + hand_no) % seats)
    assert GAME.view(story.table, 0)["phase"] == "awaiting_deal"
    story = scored_at(story, alone)
    result = GAME.outcome(story.table)
    assert result == Outcome((1, *(2,) * (seats - 1)), alone, "fewest_points")
    assert GAME.to_act(story.table) == frozenset()
    story.refuses(0, play("C-1"), "KO-21")


@pytest.mark.parametrize("hands", [1, 7, 21])
@pytest.mark.parametrize("seats", range(2, 9))
def test_without_extra_hands_a_tie_is_won_together_KO_E9(seats: int, hands: int) -> None:
    """KO-21, KO-22, KO-R05: after the last hand and not before it."""
    totals = (21, *(9,) * (seats - 1))
    story = table(GAME, seats, hands=hands, first_dealer=0)
    for _ in range(hands):
        assert GAME.outcome(story.table) is None
        story = scored_at(story, totals)
    assert GAME.outcome(story.table) == Outcome((seats, *(1,) * (seats - 1)), totals, "fewest_points")


def test_a_single_lowest_total_needs_no_extra_hand() -> None:
    """KO-R05"""
    assert GAME.outcome(last_hand((9, 17, 8, 22), tie_break="extra_hand").table) is not None
    refuses_table(GAME, 4, "KO-R05", tie_break="kid_o_cards")


def test_the_number_of_hands_is_a_matter_of_the_table() -> None:
    """KO-21"""
    assert GAME.outcome(last_hand((9, 17, 8, 22), hands=8).table) is None
    one = dealt("C-1", "C-4", hands=1)
    assert GAME.outcome(one.table) is None
    assert GAME.outcome(played(one, "C-4 C-1").table) is not None
    refuses_table(GAME, 4, "KO-21", hands=0)
    refuses_table(GAME, 4, "KO-21", hands=22)


# ── Who may see everything, and what a seat can imagine ─────────────────────────────────────────────────────────


def test_whoever_may_see_everything_sees_all_hands_and_the_undealt_cards() -> None:
    """KO-09: of the Kid-O card it is told no sooner than the others."""
    story = dealt("R-9 C-2", "R-4 C-1", undealt="O-1 W-2")
    everything = GAME.view(story.table, ALL)
    assert everything["hand"] is None and everything["hands"] == (hand("R-9 C-2"), hand("R-4 C-1"))
    assert everything["undealt"] == hand("O-1 W-2") and everything["kid_o_card"] is None
    assert all(GAME.view(story.table, seat)["undealt"] is None for seat in (None, 0, 1))


def imagined(story: Story, seat: int) -> list[Table]:
    rng = random.Random(repr(story.table.hands))
    return [GAME.imagine(story.table, seat, rng.randrange) for _ in range(200)]


def test_the_first_card_is_imagined_in_the_hand_of_eldest_until_it_is_played() -> None:
    """KO-06, KO-09: any other card can be in a hand or among those not dealt."""
    story = dealt("R-9 C-2", "R-4 C-1", first_card="R-4", undealt="O-1 W-2")
    tables = imagined(story, 0)
    assert all("R-4" in s.hands[1] for s in tables)
    assert {card for s in tables for card in s.hands[1]} == set(hand("R-4 C-1 O-1 W-2"))
    tables = imagined(story.when(1, play("R-4")), 0)
    assert {card for s in tables for card in s.hands[1]} == set(hand("C-1 O-1 W-2"))
    assert {s.undealt for s in tables} > {hand("O-1 W-2"), hand("W-2 O-1")}


def test_a_suit_that_was_not_followed_is_imagined_among_the_undealt_cards() -> None:
    """KO-09, KO-14: with a new deal nothing of that is known any more."""
    story = played(dealt("W-9 C-2", "R-4 C-1", undealt="R-1 R-2"), "R-4 W-9")
    assert all(s.hands[0] == hand("C-2") and set(s.undealt) == set(hand("R-1 R-2")) for s in imagined(story, 1))
    again = played(story, "C-1 C-2").when(CHANCE, Shuffled(FULL_PACK))
    assert any(card.suit == "R" for s in imagined(again, 1) for card in s.hands[0])


def test_the_order_of_the_undealt_cards_stays_unknown_between_two_hands() -> None:
    """KO-09"""
    story = played(dealt("R-13", "R-12", undealt="R-1 R-2"), "R-12 R-13")
    assert {s.undealt for s in imagined(story, 1)} == {hand("R-1 R-2"), hand("R-2 R-1")}
