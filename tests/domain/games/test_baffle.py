"""Baffle, rule by rule."""

from __future__ import annotations

import random
from collections.abc import Iterable, Sequence
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
    each_its_own,
    hidden,
    options_of,
)
from domain.games.baffle import GAME
from domain.games.baffle.events import (
    CardPlayed,
    CopTaken,
    Declare,
    Declared,
    Exchange,
    ExchangeDeclined,
    HandDealt,
    HandScored,
    Keep,
    TurnUpExchanged,
    Walkover,
)
from domain.games.baffle.game import Table, Taken
from domain.kit.cards import FULL_PACK, PRINCE, Card
from domain.kit.dealing import DealerChosen
from domain.kit.plays import PlayCard, TrickTaken
from domain.match import Place, open_match, stand_in
from domain.wire import may_see, write_event
from tests.domain.playing import Deal, Moment, random_match
from tests.domain.reading import (
    by_letter,
    check_refusals_tell_nothing,
    check_views,
    following,
    number_of,
    read,
    winner_of,
)
from tests.domain.story import Story, hand, refuses_idle, refuses_table, table
from tests.domain.telling.worlds import History, check_shares, worlds_of_a_table
from tests.golden.matches import Golden

# Careless seats that may miss a trump lead gather points faster than they lose them, so quick matches refuse it.
QUICK = {"trump_lead": "refuse", "hand_limit": 12}
SEVERAL = {"hand_limit": 4}
GOLDEN = Golden(
    seats=4,
    options={"hand_limit": 6},
    moment="a seat left alone walks over, and in another hand a missed trump lead comes to light",
    shows=lambda events: (
        any(isinstance(e, Walkover) for e in events)
        and any(isinstance(e, HandScored) and any("trump_not_led" in causes for causes in e.baffled) for e in events)
    ),
)

COP = "C-2 C-3 R-5 R-6 W-7 W-8"


def whole(s: Table) -> Iterable[Any]:
    return FULL_PACK


def pieces(s: Table) -> Iterable[Any]:
    if not s.hand_no:
        return ()
    turn_up = () if s.turn_up_taker is not None else (s.turn_up,)
    piles = (*s.hands, *s.laid_down, s.cop, turn_up, s.stock, *(trick.cards for trick in s.taken))
    return [*(card for pile in piles for card in pile), *(play.card for play in s.trick)]


# ── What the rule page says, for the common tests ────────────────────────────────────────────────────────────────

SEATS = ("BA-01", range(2, 8))
OPTIONS = {
    "first_dealer": ("BA-R2", "random", "seat"),
    "lone_player": ("BA-R5", "walkover", ("walkover", "dealer_must_play")),
    "trump_lead": ("BA-R6", "penalty", ("penalty", "refuse")),
    "baffle_per_cause": ("BA-R9", False, bool),
    "hand_limit": ("BA-R13", 200, range(1, 1001)),
}
REFUSALS = {
    "BA-06": {"wrong_phase"},
    "BA-08": {"already_declared", "not_your_turn"},
    "BA-10": {"cop_taken"},
    "BA-11": {"exchange_pending", "wrong_phase", "not_your_turn", "not_in_hand"},
    "BA-12": {"resigned"},
    "BA-13": {"forced_seat", "not_forced"},
    "BA-15": {"dealer_must_play"},
    "BA-17": {"wrong_phase"},
    "BA-18": {"must_follow"},
    "BA-20": {"not_your_turn", "not_in_hand"},
    "BA-21": {"must_lead_trump"},
    "BA-29": {"wrong_phase"},
}


def deal_map(deal: Deal) -> Iterable[Any]:
    """BA-06, BA-07, BA-R3: threes from the dealer's left, before the dealer's the cop hand's, twice; one turned up."""
    cards = list(deal.deck)
    hands: list[list[Card]] = [[] for _ in range(deal.seats)]
    cop: list[Card] = []
    for _ in range(2):
        for step in range(1, deal.seats):
            hands[(deal.dealer + step) % deal.seats] += [cards.pop(0), cards.pop(0), cards.pop(0)]
        cop += [cards.pop(0), cards.pop(0), cards.pop(0)]
        hands[deal.dealer] += [cards.pop(0), cards.pop(0), cards.pop(0)]
    turn_up = cards.pop(0)
    assert len(cards) == 52 - 6 * (deal.seats + 1) - 1
    secrets = tuple(Secret(by_letter(held), (seat,)) for seat, held in enumerate(hands))
    stock = Secret(tuple(cards), ())
    yield HandDealt(deal.hand_no, deal.dealer, turn_up, len(cards), secrets, Secret(by_letter(cop), ()), stock)


def recount(events: Iterable[Any], options: Any, seats: int) -> Outcome | None:
    return read(Reading, events, options, seats)


class Reading:
    """BA-04 to BA-30, word by word and card by card."""

    def __init__(self, options: Any, seats: int) -> None:
        self.options, self.seats = options, seats
        self.dealer = None if options.first_dealer == "random" else options.first_dealer
        self.totals = [20] * seats
        self.hand_no, self.phase, self.due = 0, "awaiting_deal", ""
        self.turn_up: Card | None = None
        self.taken_by: int | None = None
        self.walkover: int | None = None
        self.turn, self.trump, self.cop = -1, "", 0
        self.cop_cards: Sequence[Card] = ()
        self.stock: Sequence[Card] = ()
        self.said: list[str | None] = [None] * seats
        self.hands: list[list[Card]] = [[] for _ in range(seats)]
        self.down: list[list[Card]] = [[] for _ in range(seats)]
        self.missed = [False] * seats
        self.trick: list[tuple[int, Card]] = []
        self.tricks: list[tuple[int, list[Card]]] = []

    @property
    def staying(self) -> list[int]:
        return [seat for seat in range(self.seats) if self.said[seat] in ("content", "cop")]

    def after(self, seat: int) -> int:
        """The next seat to the left that has not resigned."""
        left = [(seat + step) % self.seats for step in range(1, self.seats + 1)]
        return next(other for other in left if self.said[other] != "resign")

    def owed(self, seat: int) -> list[Card]:
        """The trumps of which a leader must play one: from the second trick on."""
        leads = self.tricks and not self.trick
        return [card for card in self.hands[seat] if leads and card[0] == self.trump]

    def note(self, event: Any) -> None:
        name = type(event).__name__
        assert self.due in ("", name), f"{name} in place of {self.due}"
        assert self.outcome() is None
        self.due = ""
        match event:
            case DealerChosen(seat):
                assert self.dealer is None
                self.dealer = seat
            case HandDealt():
                assert self.phase == "awaiting_deal"
                self.__dict__.update(Reading(self.options, self.seats).__dict__ | {"totals": self.totals})
                self.phase, self.dealer, self.hand_no = "declaring", event.dealer, event.hand_no
                self.turn, self.turn_up, self.trump = (event.dealer + 1) % self.seats, event.turn_up, event.turn_up[0]
                assert event.stock_count == len(event.stock.value)
                self.cop, self.stock = len(event.cop.value), event.stock.value
                self.cop_cards = event.cop.value
                self.hands = [list(kept.value) for kept in event.hands]
            case Declared(seat, choice):
                assert Declare(choice) in self.may(seat)
                self.said[seat] = choice
                if choice == "resign":
                    self.down[seat], self.hands[seat] = self.hands[seat], []
                self.spoken(seat)
            case CopTaken(seat, cards):
                assert Declare("cop") in self.may(seat) and cards == Secret(self.cop_cards, (seat,))
                self.said[seat], self.phase, self.cop = "cop", "exchanging", 0
                self.down[seat], self.hands[seat] = self.hands[seat], list(cards.value)
            case TurnUpExchanged(seat, took, discard):
                assert Exchange(discard.value) in self.may(seat) and discard.to == (seat,) and took == self.turn_up
                self.hands[seat].remove(discard.value)
                self.hands[seat].append(took)
                self.down[seat].append(discard.value)
                self.taken_by = seat
                self.spoken(seat)
            case ExchangeDeclined(seat):
                assert Keep() in self.may(seat)
                self.spoken(seat)
            case Walkover(seat, cards):
                assert [seat] == self.staying and cards == by_letter(self.hands[seat])
                self.walkover, self.due = seat, "HandScored"
            case CardPlayed(seat, card, missed):
                assert PlayCard(card) in self.may(seat)
                breach = bool(self.owed(seat)) and card[0] != self.trump
                assert missed == Secret(breach, (seat,))
                self.missed[seat] = self.missed[seat] or breach
                self.hands[seat].remove(card)
                self.trick.append((seat, card))
                self.turn = self.after(seat)
                self.due = "TrickTaken" if len(self.trick) == len(self.staying) else ""
            case TrickTaken(number, seat):
                assert (number, seat) == (len(self.tricks) + 1, winner_of(self.trick, self.trump))
                self.tricks.append((seat, [card for _, card in self.trick]))
                self.trick, self.turn = [], seat
                self.due = "HandScored" if number == 6 else ""
            case HandScored():
                self.count(event)
                self.phase = "awaiting_deal"

    def spoken(self, seat: int) -> None:
        self.phase, self.turn = "declaring", (seat + 1) % self.seats
        if self.said[seat] == "concede":
            self.due = "HandScored"
        elif seat == self.dealer:
            self.phase, self.turn = "playing", self.after(seat)
            self.due = "Walkover" if len(self.staying) == 1 else ""

    def count(self, event: HandScored) -> None:
        """BA-14, BA-16, BA-24 to BA-28"""
        tricks, points = [0] * self.seats, [0] * self.seats
        lowest = None
        if "concede" in self.said:
            points[self.dealer or 0] = 5
        elif self.walkover is not None:
            tricks[self.walkover] = 6
            points[self.walkover] = 8 if any(c[0] == self.trump for c in self.hands[self.walkover]) else 6
        else:
            trumps = [card for _, cards in self.tricks for card in cards if card[0] == self.trump]
            low = min(trumps, key=number_of, default=None)
            for number, (taker, cards) in enumerate(self.tricks, start=1):
                tricks[taker] += 1
                points[taker] += 3 if low in cards else 1
                lowest = number if low in cards else lowest
            assert len(self.tricks) == 6 and sum(points) == (8 if trumps else 6) and not any(self.hands)
        assert (list(event.tricks), list(event.points), event.low_trump_trick) == (tricks, points, lowest)
        for seat, causes in enumerate(event.baffled):
            wanted = ["own_no_trick"] if self.said[seat] == "content" and tricks[seat] == 0 else []
            wanted += ["cop_under_two"] if self.said[seat] == "cop" and tricks[seat] < 2 else []
            wanted += ["trump_not_led"] if self.missed[seat] else []
            assert list(causes) == wanted
            fives = len(wanted) if self.options.baffle_per_cause else bool(wanted)
            self.totals[seat] += 5 * fives - points[seat]
            assert event.delta[seat] == 5 * fives - points[seat]
        assert list(event.totals) == self.totals

    def outcome(self) -> Outcome | None:
        least = min(self.totals)
        if self.phase != "awaiting_deal" or self.totals.count(least) > 1:
            return None
        if least > 0 and self.hand_no < self.options.hand_limit:
            return None
        places = tuple(1 + len([other for other in self.totals if other < mine]) for mine in self.totals)
        return Outcome(places, tuple(self.totals), "hand_limit" if least > 0 else "reduced_to_nothing")

    def may(self, seat: int) -> list[Any]:
        if seat != self.turn or self.phase == "awaiting_deal":
            return []
        if self.phase == "exchanging":
            return [Keep(), *map(Exchange, self.hands[seat])]
        if self.phase == "declaring":
            before = [self.said[other] for other in range(self.seats) if other not in (seat, self.dealer)]
            forced = (seat + 1) % self.seats == self.dealer and set(before) <= {"resign"}
            bound = self.options.lone_player == "dealer_must_play" and seat == self.dealer and len(self.staying) == 1
            words = ["content", "cop" if self.cop else "", "concede" if forced else "", "resign"]
            return [Declare(word) for word in words if word and (word != "resign" or not (forced or bound))]  # type: ignore[arg-type]
        owed = self.owed(seat) if self.options.trump_lead == "refuse" else []
        return [PlayCard(card) for card in owed or following(self.hands[seat], self.trick)]

    def view(self, seat: int | None) -> dict[str, Any]:
        own = None if seat == ALL else seat
        return {
            "phase": "finished" if self.outcome() else self.phase,
            "hand_no": self.hand_no,
            "dealer": self.dealer,
            "turn": None if self.phase == "awaiting_deal" else self.turn,
            "choices": self.said,
            "hand": None if own is None else by_letter(self.hands[own]),
            "hand_counts": [len(held) for held in self.hands],
            "hands": [by_letter(held) for held in self.hands] if seat == ALL else None,
            "laid_down": None if own is None else self.down[own],
            "laid_down_counts": [len(pile) for pile in self.down],
            "all_laid_down": self.down if seat == ALL else None,
            "cop_count": self.cop,
            "cop": self.cop_cards[: self.cop] if seat == ALL else None,
            "turned": self.turn_up,
            "turned_by": self.taken_by,
            "trump": self.trump or None,
            "stock_count": len(self.stock),
            "stock": self.stock if seat == ALL else None,
            "trick_no": 1 + len(self.tricks) if self.hand_no else 0,
            "trick": [{"seat": player, "card": card} for player, card in self.trick],
            "tricks_taken": [{"seat": taker, "cards": cards} for taker, cards in self.tricks],
            "trump_missed": None if own is None else self.missed[own],
            "trump_missed_by": [who for who in range(self.seats) if self.missed[who]] if seat == ALL else None,
            "walkover": None
            if self.walkover is None
            else {"seat": self.walkover, "cards": by_letter(self.hands[self.walkover])},
            "totals": self.totals,
        }


def dealt(*hands: str, dealer: int = 0, turn_up: str = "O-8", cop: str = COP, stock: str = "", **options: Any) -> Story:
    event = HandDealt(
        1,
        dealer,
        Card(turn_up),
        len(hand(stock)),
        each_its_own([hand(h) for h in hands]),
        hidden(hand(cop)),
        hidden(hand(stock)),
    )
    return table(GAME, len(hands), **options).given(event)


def four(**options: Any) -> Story:
    return dealt("C-4 O-1", "C-5 O-2", "C-6 O-3", "C-7 O-4", dealer=3, **options)


CONTENT, COP_HAND, RESIGN, CONCEDE = (Declare(c) for c in ("content", "cop", "resign", "concede"))


def declared(story: Story, *choices: str) -> Story:
    """The next seats declare in turn; who takes the cop hand leaves the turn-up."""
    for chosen in choices:
        story = story.when(story.table.turn, Declare(chosen))  # type: ignore[arg-type]
        if chosen == "cop":
            story = story.when(story.table.turn, Keep())
    return story


def play(card: str) -> PlayCard:
    return PlayCard(Card(card))


def played(story: Story, cards: str) -> Story:
    """The seats whose turn it is play these cards."""
    for card in cards.split():
        story = story.when(story.table.turn, play(card))
    return story


def seen(story: Story, seat: int | None) -> list[Any]:
    """What a seat sees of the last events."""
    parts = [write_event(event) for event in story.events]
    return [(p.type, p.public, [own for to, own in p.secret.items() if may_see(to, seat)]) for p in parts]


def sixth_trick(
    takers: Sequence[int],
    choices: tuple[str, ...] = ("content", "content", "content"),
    low: int | None = None,
    totals: tuple[int, ...] | None = None,
    missed: int | None = None,
    **options: Any,
) -> Story:
    """The last trick of a hand whose six tricks go to these takers; trick number `low` holds the only trump."""
    seats = len(choices)
    taken = tuple(
        Taken(seat, hand("O-7 R-9" if number == low else "R-7 R-9")) for number, seat in enumerate(takers[:5], start=1)
    )
    last = tuple(
        hand("C-13" if seat == takers[5] else f"C-{seat + 1}" if choices[seat] != "resign" else "")
        for seat in range(seats)
    )
    first = next(seat for seat in (*range(1, seats), 0) if choices[seat] != "resign")
    story = dealt(*[""] * seats, **options).but(
        phase="playing", choices=choices, hands=last, taken=taken, trick_no=6, turn=first,
        totals=totals or (20,) * seats, missed=tuple(seat == missed for seat in range(seats)),
    )  # fmt: skip
    while story.table.phase == "playing":
        story = story.when(story.table.turn, GAME.legal(story.table, story.table.turn)[0])
    return story


# ── Pack and deal ───────────────────────────────────────────────────────────────────────────────────────────────


def test_tables_of_1_and_8_seats_are_refused() -> None:
    """BA-01, BA-R1, BA-E2: eight seats would need 55 cards."""
    refuses_table(GAME, 1, "BA-01")
    refuses_table(GAME, 8, "BA-01")


def test_chance_names_the_first_dealer_and_the_deal_goes_left_after_every_hand() -> None:
    """BA-05, BA-02, BA-R2: the whole pack is shuffled for every hand."""
    story = table(GAME, 3)
    assert GAME.chance(story.table) == Pick(3)
    first = story.when(CHANCE, Picked(2)).then(DealerChosen(2))
    assert GAME.chance(first.table) == Shuffle(FULL_PACK)
    first = first.when(CHANCE, Shuffled(FULL_PACK))
    assert (first.last(HandDealt).hand_no, first.last(HandDealt).dealer) == (1, 2)
    conceded = declared(first, "resign", "concede")
    assert GAME.chance(conceded.table) == Shuffle(FULL_PACK)
    second = conceded.when(CHANCE, Shuffled(FULL_PACK))
    assert (second.last(HandDealt).hand_no, second.last(HandDealt).dealer) == (2, 0)
    assert table(GAME, 3, first_dealer=1).when(CHANCE, Shuffled(FULL_PACK)).last(HandDealt).dealer == 1
    refuses_table(GAME, 3, "BA-R2", first_dealer=3)


def test_prince_and_pauper_are_in_nobodys_hand() -> None:
    """BA-02"""
    assert PRINCE not in FULL_PACK and len(FULL_PACK) == 52
    declared(dealt("C-1 C-4", "R-1 R-4"), "content", "content").refuses(1, PlayCard(PRINCE), "BA-20")


def places(*spans: tuple[int, int]) -> set[Card]:
    return {FULL_PACK[n - 1] for first, last in spans for n in range(first, last + 1)}


def test_three_at_a_time_with_the_cop_hand_before_the_dealer_BA_E1() -> None:
    """BA-06, BA-07, BA-R3, BA-E1: the deal map of three seats."""
    event = table(GAME, 3, first_dealer=0).when(CHANCE, Shuffled(FULL_PACK)).last(HandDealt)
    assert set(event.hands[1].value) == places((1, 3), (13, 15))
    assert set(event.hands[2].value) == places((4, 6), (16, 18))
    assert set(event.cop.value) == places((7, 9), (19, 21))
    assert set(event.hands[0].value) == places((10, 12), (22, 24))
    assert event.turn_up == FULL_PACK[24]
    assert event.stock.value == FULL_PACK[25:] and event.stock_count == 27


@pytest.mark.parametrize(("seats", "used"), [(2, 19), (3, 25), (4, 31), (5, 37), (6, 43), (7, 49)])
def test_six_each_six_in_the_middle_and_one_turned_up_BA_E2(seats: int, used: int) -> None:
    """BA-01, BA-06, BA-07, BA-E2: at seven seats three cards are left."""
    story = table(GAME, seats, first_dealer=seats - 1).when(CHANCE, Shuffled(FULL_PACK))
    event = story.last(HandDealt)
    assert [len(kept.value) for kept in event.hands] == [6] * seats and len(event.cop.value) == 6
    assert event.stock_count == 52 - used and event.turn_up == FULL_PACK[used - 1]
    assert [kept.to for kept in event.hands] == [(seat,) for seat in range(seats)]
    assert event.cop.to == () and event.stock.to == ()  # nobody looks at either
    assert FULL_PACK[0] in event.hands[0].value  # left of the dealer
    view = GAME.view(story.table, 1)
    assert view["trump"] == event.turn_up.suit and (view["turned"], view["turned_by"]) == (event.turn_up, None)
    assert (view["hand"], view["cop_count"]) == (event.hands[1].value, 6)


def test_everybody_starts_with_20() -> None:
    """BA-04"""
    assert GAME.view(table(GAME, 5).table, None)["totals"] == (20,) * 5


# ── Declarations ────────────────────────────────────────────────────────────────────────────────────────────────


def test_each_seat_declares_once_from_the_dealers_left_to_the_dealer() -> None:
    """BA-08, BA-09, BA-15"""
    story = four()
    story.allows(0, CONTENT, COP_HAND, RESIGN).allows(1).allows(3)
    story.refuses(1, CONTENT, "BA-08").refuses(3, RESIGN, "BA-08")
    two_spoken = story.when(0, CONTENT).then(Declared(0, "content")).when(1, RESIGN).then(Declared(1, "resign"))
    two_spoken.refuses(0, RESIGN, "BA-08").refuses(1, CONTENT, "BA-08").refuses(3, CONTENT, "BA-08")
    last = two_spoken.when(2, CONTENT)
    last.allows(3, CONTENT, COP_HAND, RESIGN)
    playing = last.when(3, CONTENT)
    assert playing.table.phase == "playing" and playing.table.hands[0] == hand("C-4 O-1")
    playing.refuses(0, RESIGN, "BA-08")
    assert GAME.view(playing.table, None)["choices"] == ("content", "resign", "content", "content")


def test_a_declaration_out_of_turn_is_refused_by_BA_08() -> None:
    """BA-08: seat 3 cannot declare in seat 2's turn."""
    story = declared(dealt(*["C-1"] * 5, dealer=4), "content", "content")
    story.refuses(3, CONTENT, "BA-08").refuses(3, CONCEDE, "BA-08")


def test_the_cop_hand_is_there_for_one_player() -> None:
    """BA-10, BA-R12: its cards are told to that player alone; the six dealt lie face down and cannot be played."""
    story = four().when(0, COP_HAND).then(CopTaken(0, Secret(hand(COP), (0,))))
    assert story.table.hands[0] == hand(COP) and story.table.laid_down[0] == hand("C-4 O-1")
    assert seen(story, 1) == [("cop_taken", {"seat": 0}, [])]
    taken = story.when(0, Keep())
    taken.refuses(1, COP_HAND, "BA-10").allows(1, CONTENT, RESIGN)
    playing = declared(taken, "content", "content", "content")
    playing.refuses(0, play("C-4"), "BA-20").allows(0, *(play(card) for card in COP.split()))
    assert GAME.view(playing.table, 0)["laid_down"] == hand("C-4 O-1")
    for other in (1, None):
        assert "O-1" not in str(GAME.view(playing.table, other)) and "W-8" not in str(GAME.view(playing.table, other))
    assert GAME.view(playing.table, 1)["laid_down_counts"] == [2, 0, 0, 0]


def test_the_cop_player_may_take_the_turn_up_at_once_or_never() -> None:
    """BA-11, BA-R4"""
    story = four().when(0, COP_HAND)
    story.allows(0, Keep(), *(Exchange(card) for card in hand(COP)))
    story.refuses(1, CONTENT, "BA-11").refuses(0, CONTENT, "BA-11")  # the exchange is pending
    swapped = story.when(0, Exchange(Card("R-6")))
    swapped.then(TurnUpExchanged(0, Card("O-8"), Secret(Card("R-6"), (0,))))
    assert set(swapped.table.hands[0]) == set(hand("C-2 C-3 R-5 O-8 W-7 W-8"))
    assert seen(swapped, 1) == [("turn_up_exchanged", {"seat": 0, "took": "O-8"}, [])]
    view = GAME.view(swapped.table, 1)
    assert (view["turned"], view["turned_by"]) == ("O-8", 0)
    assert GAME.view(swapped.table, 0)["laid_down"] == hand("C-4 O-1 R-6")
    swapped.refuses(0, Exchange(Card("C-2")), "BA-11").refuses(0, Keep(), "BA-11")
    swapped.allows(1, CONTENT, RESIGN)
    kept = story.when(0, Keep()).then(ExchangeDeclined(0))
    assert kept.table.hands[0] == hand(COP)
    kept.allows(1, CONTENT, RESIGN).refuses(0, Exchange(Card("C-2")), "BA-11")


def test_an_exchange_is_refused_to_all_others_and_for_cards_outside_the_cop_hand() -> None:
    """BA-11"""
    four().refuses(0, Exchange(Card("C-4")), "BA-11").refuses(0, Keep(), "BA-11")  # nobody has the cop hand
    story = declared(four(), "content").when(1, COP_HAND)
    story.refuses(0, Exchange(Card("C-4")), "BA-11").refuses(0, Keep(), "BA-11")  # a content player
    for card in ("C-5", "C-6", "O-8", "O-13"):  # set aside, in another hand, the turn-up itself, in the stock
        story.refuses(1, Exchange(Card(card)), "BA-11")
    playing = declared(four(), "content", "content", "content", "content")
    playing.refuses(0, Exchange(Card("C-4")), "BA-11")


def test_who_resigns_lays_the_cards_face_down_and_plays_nothing() -> None:
    """BA-12, BA-R12"""
    story = declared(four(), "content", "resign", "content", "content")
    story.refuses(1, play("C-5"), "BA-12")
    declared(four(), "resign").refuses(0, play("C-4"), "BA-12")
    assert story.table.laid_down[1] == hand("C-5 O-2") and story.table.hands[1] == ()
    assert GAME.view(story.table, 1)["laid_down"] == hand("C-5 O-2")
    assert all("O-2" not in str(GAME.view(story.table, other)) for other in (0, 2, 3, None))
    assert played(story, "C-4 C-6").table.turn == 3  # the turn passes over seat 1


def test_the_seat_right_of_the_dealer_is_forced_when_all_before_it_resign() -> None:
    """BA-13"""
    story = declared(four(), "resign", "resign")
    story.allows(2, CONTENT, COP_HAND, CONCEDE).refuses(2, RESIGN, "BA-13")
    four().refuses(0, CONCEDE, "BA-13")
    declared(four(), "resign").refuses(1, CONCEDE, "BA-13").allows(1, CONTENT, COP_HAND, RESIGN)
    free = declared(four(), "resign", "content")
    free.refuses(2, CONCEDE, "BA-13").allows(2, CONTENT, COP_HAND, RESIGN)
    declared(story, "content").refuses(3, CONCEDE, "BA-13").allows(3, CONTENT, COP_HAND, RESIGN)


def test_conceding_gives_the_dealer_five_and_ends_the_hand_BA_E7() -> None:
    """BA-14, BA-05, BA-E7: the dealer goes from 20 to 15, and seat 0 deals next."""
    story = declared(four(), "resign", "resign").when(2, CONCEDE)
    none = (0, 0, 0, 0)
    scored = HandScored(none, (0, 0, 0, 5), None, ((),) * 4, (0, 0, 0, -5), (20, 20, 20, 15))
    story.then(Declared(2, "concede"), scored)
    assert GAME.to_act(story.table) == {CHANCE}
    assert story.when(CHANCE, Shuffled(FULL_PACK)).last(HandDealt).dealer == 0


def test_of_two_players_the_one_who_does_not_deal_is_always_forced_BA_E11() -> None:
    """BA-R1, BA-13, BA-E11"""
    story = dealt("C-1 C-4", "R-1 R-4")
    story.allows(1, CONTENT, COP_HAND, CONCEDE).refuses(1, RESIGN, "BA-13")
    declared(story, "content").allows(0, CONTENT, COP_HAND, RESIGN)
    declared(story, "cop").allows(0, CONTENT, RESIGN)
    assert story.when(1, CONCEDE).last(HandScored).totals == (15, 20)


@pytest.mark.parametrize(
    ("cards", "left"), [("C-4 C-9 O-1 O-9 R-2 R-3", 12), ("C-4 C-9 R-1 R-9 W-2 W-3", 14)]
)  # with and without a trump
def test_a_seat_left_alone_has_all_six_tricks_and_shows_its_cards_BA_E8(cards: str, left: int) -> None:
    """BA-16, BA-25, BA-R5, BA-E8"""
    story = declared(dealt(cards, "C-5", "C-6", "C-7", dealer=3), "content", "resign", "resign").when(3, RESIGN)
    points = (20 - left, 0, 0, 0)
    delta = (left - 20, 0, 0, 0)
    scored = HandScored((6, 0, 0, 0), points, None, ((),) * 4, delta, (left, 20, 20, 20))
    story.then(Declared(3, "resign"), Walkover(0, hand(cards)), scored)
    assert GAME.view(story.table, 2)["walkover"] == {"seat": 0, "cards": hand(cards)}


def test_a_lone_cop_player_counts_the_turn_up_as_a_trump() -> None:
    """BA-16: the cop hand has no trump of its own, the exchanged turn-up is one."""
    story = declared(four(), "resign", "resign").when(2, COP_HAND)
    assert story.when(2, Keep()).when(3, RESIGN).last(HandScored).totals == (20, 20, 14, 20)
    assert story.when(2, Exchange(Card("C-2"))).when(3, RESIGN).last(HandScored).totals == (20, 20, 12, 20)


def test_the_dealer_may_be_made_to_play_against_a_lone_seat() -> None:
    """BA-15, BA-R5: with `dealer_must_play` a resignation that leaves one alone is refused."""
    story = declared(four(lone_player="dealer_must_play"), "content", "resign", "resign")
    story.refuses(3, RESIGN, "BA-15").allows(3, CONTENT, COP_HAND)
    two_stay = declared(four(lone_player="dealer_must_play"), "content", "content", "resign")
    two_stay.allows(3, CONTENT, COP_HAND, RESIGN)
    # Without the cop hand the dealer has one choice left.
    declared(four(lone_player="dealer_must_play"), "cop", "resign", "resign").allows(3, CONTENT)


def test_an_absent_player_resigns_and_never_breaks_the_trump_lead() -> None:
    """BA-12, BA-21: what is done for an absent player costs it nothing that could be avoided."""
    places = tuple(Place("bot", None, "random", "") for _ in range(4))
    now = open_match(GAME, "m", host="h", seats=places, options={}, seed=bytes(32)).match._replace(match_rules=2)
    assert stand_in(now._replace(table=four().table), 0, bytes(32)) == RESIGN
    assert stand_in(now._replace(table=declared(four(), "resign", "resign").table), 2, bytes(32)) == CONTENT
    assert stand_in(now._replace(table=four().when(0, COP_HAND).table), 0, bytes(32)) == Keep()
    leading = declared(dealt("C-13 C-4 O-1", "C-5 C-1 O-2"), "content", "content").but(trick_no=2)
    assert stand_in(now._replace(table=leading.table), 1, bytes(32)) == play("O-2")


# ── Play ────────────────────────────────────────────────────────────────────────────────────────────────────────


def test_the_first_that_stays_leads_any_card() -> None:
    """BA-17"""
    story = declared(four(), "resign", "content", "content", "content")
    story.allows(1, play("C-5"), play("O-2"))  # a plain card although a trump is held
    four().refuses(0, play("C-4"), "BA-17")
    four().when(0, COP_HAND).refuses(0, play("C-2"), "BA-17")
    assert not story.when(1, play("C-5")).last(CardPlayed).trump_missed.value


def test_nothing_can_be_done_before_the_deal() -> None:
    """BA-06"""
    table(GAME, 3).refuses(0, play("C-1"), "BA-06").refuses(0, CONTENT, "BA-06").refuses(0, Keep(), "BA-06")


def test_the_suit_led_must_be_followed_and_nothing_else_is_asked() -> None:
    """BA-18, BA-19"""
    story = declared(dealt("C-9 C-1 O-1 R-2", "C-5 R-1", "O-13 W-2"), "content", "content", "content")
    led = story.when(1, play("C-5"))
    led.allows(2, play("O-13"), play("W-2"))  # void: free to trump or to throw away
    bound = led.when(2, play("W-2"))
    bound.allows(0, play("C-9"), play("C-1"))  # low or high, as it likes
    bound.refuses(0, play("O-1"), "BA-18").refuses(0, play("R-2"), "BA-18")


def test_cards_are_played_in_turn_and_from_the_own_hand_only() -> None:
    """BA-20, BA-11: another hand, the cop hand, the turn-up and the stock cannot be told apart by asking."""
    story = declared(four(stock="W-13"), "content", "content", "content", "content")
    story.refuses(1, play("C-5"), "BA-20").refuses(3, play("C-7"), "BA-20")
    texts = set()
    for card in ("C-5", "C-2", "O-8", "W-13"):
        story.refuses(0, play(card), "BA-20")
        with pytest.raises(Refused) as refusal:
            GAME.decide(story.table, 0, play(card))
        texts.add((refusal.value.code, refusal.value.text.replace(card, "X")))
    assert texts == {("not_in_hand", "you do not hold X")}


@pytest.mark.parametrize(
    ("cards", "taker"),
    [
        ("C-5 C-13 C-9 C-1", 1),  # the highest of the suit led: 13 is high and 1 is low
        ("C-5 R-13 W-13 C-1", 0),  # other suits do not count
        ("C-5 O-1 C-13 C-1", 1),  # any trump is more
        ("C-5 O-1 O-9 O-4", 2),  # the highest trump
        ("O-2 O-1 C-13 R-13", 0),
    ],
)
def test_the_highest_trump_takes_else_the_highest_of_the_suit_led(cards: str, taker: int) -> None:
    """BA-03, BA-20: the taker leads next."""
    hands = [f"{card} W-{1 + at}" for at, card in enumerate(cards.split())]
    story = played(declared(dealt(*hands, dealer=3), *["content"] * 4), cards)
    assert story.last(TrickTaken) == TrickTaken(1, taker)
    assert story.table.turn == taker


def test_the_turn_goes_clockwise_over_those_who_stay() -> None:
    """BA-20"""
    story = declared(dealt(*["C-1", "C-2", "C-3", "C-4", "C-5"], dealer=2), *["resign", "content"] * 2, "content")
    turns = []
    for card in ("C-5", "C-2"):
        turns.append(story.table.turn)
        story = story.when(story.table.turn, play(card))
    assert [*turns, story.table.turn] == [4, 1, 2]


# ── The trump lead ──────────────────────────────────────────────────────────────────────────────────────────────


def second_lead(leader: str, **options: Any) -> Story:
    """Seat 1 has taken the first trick and leads to the second."""
    story = dealt("C-4 W-2 W-4 R-5", f"C-13 {leader}", "C-6 W-3 W-5 R-6", **options)
    return played(declared(story, "content", "content", "content"), "C-13 C-6 C-4")


def test_a_missed_trump_lead_is_accepted_and_told_to_its_player_alone() -> None:
    """BA-21, BA-22, BA-R6"""
    story = second_lead("O-2 O-9 W-9").when(1, play("W-9"))
    story.then(CardPlayed(1, Card("W-9"), Secret(True, (1,))))
    assert seen(story, 1) == [("card_played", {"seat": 1, "card": "W-9"}, [{"trump_missed": True}])]
    assert seen(story, 0) == seen(story, None) == [("card_played", {"seat": 1, "card": "W-9"}, [])]
    assert GAME.view(story.table, 1)["trump_missed"] is True
    assert [GAME.view(story.table, seat)["trump_missed"] for seat in (0, 2, None)] == [False, False, None]


def test_others_cannot_tell_a_missed_trump_lead_from_a_leader_without_trumps() -> None:
    """BA-R6: the same events, views and legal lists for all others until the hand is counted."""
    guilty = played(second_lead("O-2 W-9 R-1"), "W-9")
    innocent = played(second_lead("R-4 W-9 R-1"), "W-9")
    for seat in (0, 2, None):
        assert seen(guilty, seat) == seen(innocent, seat)
        assert GAME.view(guilty.table, seat) == GAME.view(innocent.table, seat)
        assert seat is None or GAME.legal(guilty.table, seat) == GAME.legal(innocent.table, seat)
    assert all(list(write_event(s.last(CardPlayed)).secret) == ["1"] for s in (guilty, innocent))


def test_any_trump_will_do_and_a_leader_without_trumps_is_free() -> None:
    """BA-21"""
    for story in (second_lead("O-2 O-9 W-9"), second_lead("O-2 O-9 W-9", trump_lead="refuse")):
        for card in ("O-2", "O-9"):
            assert not story.when(1, play(card)).last(CardPlayed).trump_missed.value
    free = second_lead("R-2 W-9 C-1", trump_lead="refuse")
    free.allows(1, play("R-2"), play("W-9"), play("C-1"))
    assert not free.when(1, play("W-9")).last(CardPlayed).trump_missed.value


def test_followers_owe_no_trump_lead() -> None:
    """BA-21: who is void may throw away a plain card and keep the trump."""
    story = played(second_lead("W-9 R-1 R-2"), "W-9 W-3").but(hands=(hand("O-1 R-5"), hand("R-1 R-2"), hand("W-5")))
    assert not story.when(0, play("R-5")).last(CardPlayed).trump_missed.value


def test_a_table_may_refuse_the_breach() -> None:
    """BA-21, BA-22, BA-R6: `trump_lead=refuse`"""
    story = second_lead("O-2 O-9 W-9", trump_lead="refuse")
    story.refuses(1, play("W-9"), "BA-21").allows(1, play("O-2"), play("O-9"))


# ── Whole hands ─────────────────────────────────────────────────────────────────────────────────────────────────


def the_example(**options: Any) -> Story:
    """Seat 1 is content, seat 2 has the cop hand with O-8 for R-2, seat 0 is content; two tricks are played."""
    story = dealt(
        "O-5 C-9 R-13 R-4 W-13 W-1",
        "O-13 O-2 C-12 C-4 R-9 W-3",
        "C-1 C-2 C-3 C-5 C-6 C-7",
        cop="O-11 C-13 R-10 R-2 W-12 W-5",
        **options,
    )
    story = story.when(1, CONTENT).when(2, COP_HAND).when(2, Exchange(Card("R-2"))).when(0, CONTENT)
    story = played(story, "C-12 C-13 C-9")
    assert story.last(TrickTaken).seat == 2
    story = played(story, "O-11 O-5 O-13")
    assert story.last(TrickTaken).seat == 1
    return story


def taken_by(story: Story, *tricks: str) -> tuple[list[int], HandScored]:
    takers = []
    for cards in tricks:
        story = played(story, cards)
        takers.append(story.last(TrickTaken).seat)
    return takers, story.last(HandScored)


def test_a_full_hand_BA_E3() -> None:
    """BA-23, BA-24, BA-25, BA-28, BA-R7, BA-R8, BA-E3: O-2 is the lowest trump played, so trick 3 counts three."""
    takers, scored = taken_by(the_example(), "O-2 O-8 W-1", "W-12 W-13 W-3", "R-13 R-9 R-10", "R-4 C-4 W-5")
    assert takers == [2, 0, 0, 0]
    assert scored == HandScored((3, 1, 2), (3, 1, 4), 3, ((), (), ()), (-3, -1, -4), (17, 19, 16))


def test_a_missed_trump_lead_costs_five_BA_E4() -> None:
    """BA-21, BA-22, BA-26, BA-28, BA-E4: seat 1 gains four points and pays five."""
    takers, scored = taken_by(the_example(), "C-4 O-8 W-1", "W-12 W-13 W-3", "R-13 R-9 R-10", "R-4 O-2 W-5")
    assert takers == [2, 0, 0, 1]
    assert scored.points == (2, 4, 2) and scored.low_trump_trick == 6
    assert scored.baffled == ((), ("trump_not_led",), ())
    assert scored.totals == (18, 21, 18)
    the_example(trump_lead="refuse").refuses(1, play("C-4"), "BA-21")


@pytest.mark.parametrize(
    ("takers", "low", "total"),
    [
        ((1, 2, 1, 1, 1, 1), 1, 24),
        ((2, 1, 1, 1, 1, 1), 1, 22),
        ((1, 1, 1, 1, 1, 1), 1, 25),
        ((2, 2, 1, 1, 1, 1), 5, 18),
    ],
)
def test_the_cop_hand_needs_two_tricks_BA_E5(takers: tuple[int, ...], low: int, total: int) -> None:
    """BA-26, BA-28, BA-R10, BA-E5: one plain trick, only the lowest-trump trick, none, and two tricks."""
    scored = sixth_trick(takers, ("resign", "content", "cop"), low).last(HandScored)
    assert scored.totals[2] == total
    assert scored.baffled[2] == (() if total == 18 else ("cop_under_two",))


def test_the_own_hand_needs_one_trick_and_a_resigned_seat_none_BA_E6() -> None:
    """BA-12, BA-26, BA-E6"""
    scored = sixth_trick((1, 1, 1, 1, 1, 1), ("resign", "content", "content")).last(HandScored)
    assert scored.totals == (20, 14, 25)
    assert scored.baffled == ((), (), ("own_no_trick",))
    one_trick = sixth_trick((1, 1, 2, 1, 1, 1), ("resign", "content", "content")).last(HandScored)
    assert one_trick.totals == (20, 15, 19)


def test_without_a_trump_played_no_trick_counts_three_BA_E9() -> None:
    """BA-24, BA-25, BA-E9: six points in all."""
    scored = sixth_trick((0, 1, 2, 0, 1, 2)).last(HandScored)
    assert scored.points == (2, 2, 2) and scored.low_trump_trick is None
    assert sum(sixth_trick((0, 1, 2, 0, 1, 2), low=4).last(HandScored).points) == 8


def test_two_causes_are_one_baffle_unless_the_table_counts_each_BA_E12() -> None:
    """BA-27, BA-R9, BA-E12"""
    hand_of = {"takers": (2, 1, 1, 1, 1, 1), "choices": ("resign", "content", "cop"), "missed": 2}
    once = sixth_trick(**hand_of).last(HandScored)  # type: ignore[arg-type]
    assert once.baffled[2] == ("cop_under_two", "trump_not_led") and once.totals[2] == 24
    assert sixth_trick(**hand_of, baffle_per_cause=True).last(HandScored).totals[2] == 29  # type: ignore[arg-type]
    one_cause = sixth_trick((1,) * 6, ("resign", "content", "cop"), baffle_per_cause=True).last(HandScored)
    assert one_cause.totals[2] == 25


@pytest.mark.parametrize("seats", range(2, 8))
def test_at_every_table_five_points_are_due_once_or_for_each_cause(seats: int) -> None:
    """BA-26, BA-27, BA-R9: the last seat has the cop hand, one trick and a missed trump lead."""
    choices = (*["resign"] * (seats - 2), "content", "cop")
    takers = (seats - 1, *[seats - 2] * 5)
    for per_cause, last in ((False, 24), (True, 29)):
        story = sixth_trick(takers, choices, missed=seats - 1, baffle_per_cause=per_cause)
        assert story.last(HandScored).totals == (*[20] * (seats - 2), 15, last)
        later = sixth_trick(takers, choices, missed=seats - 1, baffle_per_cause=per_cause, totals=(31,) * seats)
        assert later.last(HandScored).totals == (*[31] * (seats - 2), 26, last + 11)


# ── The end ─────────────────────────────────────────────────────────────────────────────────────────────────────


def test_the_lowest_score_at_nothing_or_below_wins_BA_E10() -> None:
    """BA-29, BA-30, BA-R10, BA-R11, BA-E10: 3, 2 and 9 less 4, 2 and 2."""
    story = sixth_trick((0, 0, 1, 1, 2, 2), low=1, totals=(3, 2, 9))
    assert story.last(HandScored).totals == (-1, 0, 7)
    result = GAME.outcome(story.table)
    assert result is not None and result.winners == (0,) and result.places == (1, 2, 3)
    assert result.reason == "reduced_to_nothing"
    story.refuses(0, play("C-1"), "BA-29").refuses(0, CONTENT, "BA-29")
    assert GAME.to_act(story.table) == frozenset() and GAME.view(story.table, None)["phase"] == "finished"


def test_equal_lowest_scores_play_another_hand_BA_E10() -> None:
    """BA-30, BA-R11, BA-E10: 2, 2 and 9 less 2, 2 and 4."""
    story = sixth_trick((2, 2, 0, 0, 1, 1), low=1, totals=(2, 2, 9))
    assert story.last(HandScored).totals == (0, 0, 5)
    assert GAME.outcome(story.table) is None
    again = story.when(CHANCE, Shuffled(FULL_PACK))
    assert again.last(HandDealt).hand_no == 2
    # A third seat that overtakes both ends it as well.
    later = sixth_trick((2, 2, 2, 2, 0, 1), low=1, totals=(0, 0, 5))
    result = GAME.outcome(later.table)
    assert later.last(HandScored).totals == (-1, -1, -1) and result is None
    ended = sixth_trick((2, 2, 2, 2, 0, 0), ("content", "resign", "content"), low=1, totals=(0, 0, 5))
    result = GAME.outcome(ended.table)
    assert ended.last(HandScored).totals == (-2, 0, -1) and result is not None and result.winners == (0,)


def test_an_exact_zero_wins_and_one_does_not() -> None:
    """BA-29: also by a conceded hand."""
    four_left = declared(four().but(totals=(20, 20, 20, 5)), "resign", "resign", "concede")
    assert four_left.last(HandScored).totals == (20, 20, 20, 0)
    result = GAME.outcome(four_left.table)
    assert result is not None and result.winners == (3,)
    assert GAME.outcome(declared(four().but(totals=(20, 20, 20, 6)), "resign", "resign", "concede").table) is None


def test_nobody_wins_in_the_middle_of_a_hand() -> None:
    """BA-29: only a hand that is counted decides, and the five points of a baffle count with it."""
    story = sixth_trick((1, 1, 1, 1, 1, 2), ("resign", "content", "cop"), totals=(9, 9, 1))
    assert story.last(HandScored).totals == (9, 4, 5)
    assert GAME.outcome(story.table) is None


def test_after_the_hand_limit_the_lowest_score_wins_whatever_it_is() -> None:
    """BA-29, BA-R13"""
    takers, totals = (1, 1, 1, 2, 2, 0), (30, 31, 33)
    story = sixth_trick(takers, totals=totals, hand_limit=1)
    result = GAME.outcome(story.table)
    assert story.last(HandScored).totals == (29, 28, 31)
    assert result is not None and (result.winners, result.reason) == ((1,), "hand_limit")
    tied = sixth_trick((1, 1, 1, 2, 2, 0), totals=(29, 31, 33), hand_limit=1)
    assert tied.last(HandScored).totals == (28, 28, 31)
    assert GAME.outcome(tied.table) is None and GAME.to_act(tied.table) == {CHANCE}
    for limit in (2, 0):
        assert GAME.outcome(sixth_trick(takers, totals=totals, hand_limit=limit).table) is None


@pytest.mark.parametrize("seats", range(2, 8))
@pytest.mark.parametrize(
    ("hand_no", "totals", "reason"),
    [
        (3, (1, 2), None),
        (3, (0, 0), None),
        (3, (-4, -4), None),
        (3, (0, 1), "reduced_to_nothing"),
        (4, (-5, -4), "reduced_to_nothing"),
        (5, (9, 9), None),  # at the limit, but nobody stands alone
        (5, (-1, -1), None),
        (5, (9, 10), "hand_limit"),
        (6, (9, 9), None),  # an extra hand that settled nothing
        (6, (21, 30), "hand_limit"),
        (7, (0, 9), "reduced_to_nothing"),
    ],
)
def test_the_lowest_wins_only_if_alone_and_in_time(
    seats: int, hand_no: int, totals: tuple[int, ...], reason: str | None
) -> None:
    """BA-29, BA-30, BA-R11, BA-R13: the last two seats are lowest, and the limit is five hands."""
    scores = (*[40] * (seats - 2), *totals)
    between = table(GAME, seats, hand_limit=5, first_dealer=0).but(hand_no=hand_no, totals=scores)
    result = GAME.outcome(between.table)
    assert (result and result.reason) == reason
    assert GAME.to_act(between.table) == ({CHANCE} if reason is None else set())
    if result:
        assert (result.winners, result.scores) == ((seats - 2,), scores)
        assert result.places == (*[3] * (seats - 2), 1, 2)


# ── Several hands, from the outside ─────────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize("seats", range(2, 8))
def test_every_field_of_every_view_follows_from_the_events(seats: int) -> None:
    """BA-10, BA-11, BA-12, BA-22, BA-R12: what lies face down is shown to its owner, the stock and the cop hand to
    nobody, and a missed trump lead to who missed it."""
    for own in ({}, {"trump_lead": "refuse"}, {"lone_player": "dealer_must_play"}, {"baffle_per_cause": True}):
        check_views(GAME, Reading, seats, {"hand_limit": 5, **own}, steps=130)


@pytest.mark.parametrize("seats", range(2, 8))
def test_no_refusal_tells_of_a_hidden_card(seats: int) -> None:
    """BA-11, BA-20, BA-R12: not of another hand, of the cop hand, nor of what lies face down or in the stock."""
    words = [Declare(word) for word in ("content", "cop", "resign", "concede")]
    asked = [*map(PlayCard, FULL_PACK), *map(Exchange, FULL_PACK), *words, Keep()]
    check_refusals_tell_nothing(GAME, asked, seats, {"hand_limit": 5}, steps=150)


@pytest.mark.parametrize("seats", range(2, 8))
def test_in_no_hand_is_an_absent_player_baffled_who_could_help_it(seats: int) -> None:
    """BA-12, BA-13, BA-21: to resign stands first where it is allowed, to keep before exchanges, a trump to be led."""
    for moment in random_match(GAME, seats, {"hand_limit": 6}, random.Random(seats)):
        commands = [GAME.legal(moment.after, seat) for seat in GAME.to_act(moment.after) if seat != CHANCE]
        for first, *others in commands:
            assert RESIGN not in others and Keep() not in others
            if isinstance(first, PlayCard):
                trump = GAME.view(moment.after, None)["trump"]
                later_lead = bool(moment.after.taken) and not moment.after.trick
                trumps = [command for command in (first, *others) if command.card[0] == trump]
                assert not later_lead or not trumps or first in trumps


@pytest.mark.parametrize("per_cause", [False, True])
@pytest.mark.parametrize("seats", range(2, 8))
def test_a_hand_moves_the_scores_within_bounds(seats: int, per_cause: bool) -> None:
    """BA-14, BA-16, BA-23, BA-25, BA-27, BA-28: eight points at most are won, and five or nine lost."""
    for moment in random_match(GAME, seats, {"hand_limit": 12, "baffle_per_cause": per_cause}, random.Random(seats)):
        for event in moment.events:
            if isinstance(event, HandScored):
                assert all(-8 <= change <= (9 if per_cause else 5) for change in event.delta)
                assert (sum(event.tricks), sum(event.points)) in ((0, 5), (6, 6), (6, 8))


def test_no_match_is_opened_without_a_limit_of_hands() -> None:
    """BA-R13: careless players are baffled more often than they score, and would never come to an end."""
    refuses_table(GAME, 6, "BA-R13", hand_limit=0)
    refuses_table(GAME, 6, "BA-R13", hand_limit=1001)
    assert next(option.low for option in options_of(GAME.options) if option.name == "hand_limit") == 1


def test_a_match_that_was_opened_without_a_limit_ends_after_a_thousand_hands() -> None:
    """BA-R13: such matches were opened once, and are folded and played on."""
    story = sixth_trick((1, 1, 1, 2, 2, 0), totals=(30, 31, 33), hand_limit=0)
    assert GAME.outcome(story.but(hand_no=999).table) is None
    result = GAME.outcome(story.but(hand_no=1000).table)
    assert result is not None and (result.winners, result.reason) == ((1,), "hand_limit")


def test_six_careless_players_come_to_an_end() -> None:
    """BA-R13: at the default limit, or soon after it where two are lowest."""
    *_, last = random_match(GAME, 6, {"baffle_per_cause": True}, random.Random(6))
    assert last.after.hand_no <= 220 and GAME.outcome(last.after) is not None


def test_causes_are_not_counted_apart_where_there_can_be_one_only() -> None:
    """BA-R9, BA-R6"""
    for seats in range(2, 8):
        for value in (True, False):
            refuses_idle(GAME, seats, "baffle_per_cause", value, trump_lead="refuse")
            GAME.new_table({"baffle_per_cause": value, "trump_lead": "penalty"}, seats)


def test_what_is_put_out_for_the_turn_up_is_a_hidden_choice() -> None:
    """BA-R12; but an absent player keeps what he has."""
    assert GAME.hidden_choices == (Exchange,)


# ── What could be ───────────────────────────────────────────────────────────────────────────────────────────────


def cop_against_own(cop: str, *leads: str, **options: Any) -> History:
    """Seat 1 plays its own cards against seat 2, who has taken the cop hand and put W-4 out for the turn-up. Seat 2
    trumps the first trick with it, having no R, and leads these cards."""
    story = dealt("W-9", "R-3 C-5 C-9 C-11", "R-10", cop=cop, stock="O-2", **options)
    start, moments = story.table, []
    steps = [
        *((1, CONTENT), (2, COP_HAND), (2, Exchange(Card("W-4"))), (0, RESIGN)),
        *((1, play("R-3")), (2, play("O-8"))),
        *((2, play(card)) for card in leads),
    ]
    for seat, command in steps:
        story, before = story.when(seat, command), story.table
        moments.append(Moment(before, seat, command, None, story.events, story.table))
    return History(GAME, start, tuple(moments))


def check_imagination(history: History, cards: str) -> list[Table]:
    """What seat 1 imagines is what could have led to what it saw; these cards it has not seen."""
    rng = random.Random(8)
    found = worlds_of_a_table(history, 1, hand(cards))
    check_shares(found, [GAME.imagine(history.table, 1, rng.randrange) for _ in range(8000)])
    assert all(GAME.view(world, 1) == GAME.view(history.table, 1) for world in found)
    return found


def test_a_seat_imagines_a_silent_breach_as_often_as_the_cards_allow() -> None:
    """BA-22, BA-R6, BA-R12: seat 2 has led W-2 past O-1. To seat 1 any two of five cards could be left in that hand,
    and with a trump among them it was a breach: so in seven of ten worlds."""
    history = cop_against_own("C-6 O-1 W-2 W-4", "W-2")
    assert history.table.missed == (False, False, True)
    found = check_imagination(history, "C-6 O-1 O-2 R-10 W-4 W-9")
    assert len(set(found)) == 240 and not any("R-10" in world.hands[2] for world in found)
    assert sum(world.missed[2] for world in found) * 10 == len(found) * 7


def test_where_a_lead_past_trumps_is_refused_it_shows_that_there_is_none() -> None:
    """BA-21: whoever leads W-2 holds no trump, so O-2 can only lie in the stock or face down."""
    history = cop_against_own("C-6 C-7 W-2 W-4", "W-2", trump_lead="refuse")
    found = check_imagination(history, "C-6 C-7 O-2 R-10 W-4 W-9")
    assert found and not any("O-2" in world.hands[2] or world.missed[2] for world in found)


def test_before_the_first_lead_all_that_lies_face_down_can_lie_anywhere() -> None:
    """BA-06, BA-10: the cop hand, the stock, and what the others hold."""
    story = dealt("C-2", "C-3", "C-4", cop="C-5", stock="C-6 C-7")
    rng = random.Random(3)
    imagined = {GAME.imagine(story.table, 0, rng.randrange) for _ in range(2000)}
    assert len(imagined) == 120 and {world.hands[0] for world in imagined} == {hand("C-2")}


def test_those_who_may_see_everything_see_who_led_past_a_trump_and_all_that_lies_face_down() -> None:
    """BA-R6, BA-R12: after the match nothing is hidden."""
    view = GAME.view(cop_against_own("C-6 O-1 W-2 W-4", "W-2").table, ALL)
    assert (view["trump_missed"], view["trump_missed_by"]) == (None, [2])
    assert (view["laid_down"], view["all_laid_down"]) == (None, (hand("W-9"), (), hand("R-10 W-4")))
    assert view["stock"] == hand("O-2") and view["hands"][2] == hand("C-6 O-1")
