"""Nix, rule by rule. Seats go leftwards: the right of seat 0 at a table of three is seat 2."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterable
from typing import Any

import pytest

from domain.game import ALL, CHANCE, Outcome, Pick, Picked, Refused, Secret, Shuffle, Shuffled, each_its_own, shown
from domain.games.nix import GAME
from domain.games.nix.events import (
    CardDrawn,
    CardPlayed,
    DealCardsDrawn,
    Draw,
    HandDealt,
    HandScored,
    PlayCard,
    SetCompleted,
)
from domain.games.nix.game import LONG_PACK, NIX, SHORT_PACK, Table, pack
from domain.kit.trixcards import TrixCard, trix_pack
from domain.wire import names, read_command
from tests.domain.playing import Deal, Moment, random_match
from tests.domain.retelling import Telling, places, recounted, retell
from tests.domain.story import Story, refuses_idle, refuses_table, table
from tests.golden.matches import Golden


def three_fitting_draws_in_a_row(events: list[Any]) -> bool:
    draws = [e for e in events if isinstance(e, CardDrawn)]
    runs = zip(draws, draws[1:], draws[2:], strict=False)
    return any(all(e.fits for e in run) and len({e.seat for e in run}) == 1 for run in runs)


QUICK: dict[str, Any] = {}
GOLDEN = Golden(
    seats=3,
    options={},
    moment="a seat draws the wanted card three times running, in a game of three rounds",
    shows=lambda events: three_fitting_draws_in_a_row(events) and sum(isinstance(e, HandScored) for e in events) == 3,
)


def whole(s: Table) -> Iterable[Any]:
    return pack(s)


def pieces(s: Table) -> Iterable[Any]:
    """The hands, and the cards before the wanted one: they have been played."""
    if not s.playing:
        return ()
    cards = pack(s)
    played = cards[1 : cards.index(s.wanted)] if s.wanted else cards[1:]
    return [*played, *(card for hand in s.hands for card in hand)]


# ── What the rule page says, for the common tests ────────────────────────────────────────────────────────────────

SEATS = ("NX-R3", range(3, 11))
OPTIONS = {
    "target": ("NX-R10", 15, range(15, 101)),
    "max_seats": ("NX-R3", 8, range(3, 11)),
    "may_hold_back": ("NX-R5", False, bool),
    "sides": ("NX-R11", "none", ("none", "alternate")),
}
REFUSALS = {
    "NX-03": {"wrong_phase"},
    "NX-04": {"not_wanted"},
    "NX-06": {"not_your_turn", "not_in_hand"},
    "NX-07": {"not_your_turn", "wrong_neighbour", "no_such_position"},
    "NX-09": {"not_your_turn"},
    "NX-12": {"out"},
    "NX-15": {"nix_stays"},
    "NX-18": {"wrong_phase"},
    "NX-R5": {"must_play", "nobody_to_draw_from"},
}


def two_numbers(card: str) -> tuple[int, int]:
    high, low = card.split("-")
    return int(high), int(low)


def in_play_order(seats: int) -> list[str]:
    """NX-01, NX-04: set after set, each from its blank to its double; Nix, in no set, is left out."""
    return [f"{n}-{low}" for n in range(1, 8 if seats <= 4 else 11) for low in range(n + 1)]


def next_dealer(events: Iterable[Any], options: Any, seats: int) -> int | None:
    """NX-02, NX-19, NX-R12: the lowest card, drawn for until one is alone; then the deal goes to the left."""
    dealer = None
    for event in events:
        if isinstance(event, DealCardsDrawn) and len(event.lowest) == 1:
            dealer = event.lowest[0]
        elif isinstance(event, HandScored) and dealer is not None:
            dealer = (dealer + 1) % seats
    return dealer


def deal_map(deal: Deal) -> Iterable[Any]:
    """NX-02, NX-03, NX-05, NX-R9, NX-R12: cards for the deal, or all cards one at a time from the dealer's left."""
    if next_dealer(deal.events, deal.options, deal.seats) is None:
        drawers = deal.events[-1].lowest if deal.events else tuple(range(deal.seats))
        drawn = dict(zip(drawers, deal.deck, strict=False))
        sums = {seat: sum(two_numbers(card)) for seat, card in drawn.items()}
        lowest = tuple(seat for seat in drawers if sums[seat] == min(sums.values()))
        yield DealCardsDrawn(drawers, tuple(drawn.values()), lowest)
        return
    hands: list[list[TrixCard]] = [[] for _ in range(deal.seats)]
    receiver = deal.dealer
    for card in deal.deck:
        receiver = (receiver + 1) % deal.seats
        hands[receiver].append(card)
    leader = next(seat for seat, hand in enumerate(hands) if "1-0" in hand)
    secrets = tuple(Secret(tuple(hand), (seat,)) for seat, hand in enumerate(hands))
    counts = tuple(len(hand) for hand in hands)
    yield HandDealt(deal.hand_no, deal.dealer, counts, leader, TrixCard("1-0"), secrets)


def by_lot(moments: Iterable[Moment], table: Table) -> tuple[Moment, ...]:
    """NX-03, NX-R8: the same moves, but dealt and drawn as this table has it."""
    hands, moves, found = [list(hand) for hand in table.dealt], iter(table.moves), []
    for moment in moments:
        if any(isinstance(event, HandDealt) for event in moment.events):
            places = [(table.dealer or 0) + 1 + n for n in range(len(pack(table)))]
            deck = tuple(table.dealt[place % table.seats][n // table.seats] for n, place in enumerate(places))
            moment = moment._replace(command=Shuffled(deck))
        elif not isinstance(moment.command, Shuffled):
            move = next(moves)
            if move.victim is None:
                hands[move.seat].remove(move.card)
            else:
                moment = moment._replace(answer=Picked(hands[move.victim].index(move.card)))
                hands[move.victim].remove(move.card)
                hands[move.seat].append(move.card)
        found.append(moment)
    return tuple(found)


class NixTold(Telling):
    """Nix as the rule page tells it."""

    def __init__(self, options: Any, seats: int) -> None:
        super().__init__(options, seats)
        self.drawing = tuple(range(seats))
        self.dealer: int | None = None
        self.hand_no, self.runs = 0, False
        self.hands: list[list[str]] = [[] for _ in range(seats)]
        self.to_come: list[str] = []
        self.sets: list[int] = []
        self.nix_holder: int | None = None
        self.totals = [0] * seats

    def all_held(self) -> list[str]:
        return [card for hand in self.hands for card in hand]

    def wanted(self) -> str | None:
        return self.to_come[0] if self.to_come else None

    def at_right(self, seat: int) -> int:
        """NX-07, NX-12, NX-R6: whoever comes last in the round to the left, and has cards."""
        return next(at for at in reversed(self.round_from(seat)) if self.hands[at])

    def at_left(self, seat: int) -> int:
        """NX-09, NX-12: the next with cards; perhaps the seat itself, after all the others."""
        return next(at for at in self.round_from(seat + 1) if self.hands[at])

    def thrown(self, answer: Any) -> None:
        if isinstance(answer, Shuffled):
            dealer = next_dealer(self.events, self.options, self.seats)
            events = tuple(self.events)
            self.due = [*deal_map(Deal(answer.cards, dealer or 0, self.hand_no + 1, self.seats, self.options, events))]

    def may_happen(self, event: Any) -> None:
        match event:
            case DealCardsDrawn(seats):
                assert self.dealer is None and seats == self.drawing
            case HandDealt(hand_no):
                assert self.dealer is not None and not self.runs and hand_no == self.hand_no + 1
            case CardPlayed(seat, card):
                assert self.refusal(seat, PlayCard(card)) is None
            case CardDrawn(seat, victim, _, Secret(card)):
                assert self.refusal(seat, Draw()) is None
                assert victim == self.at_right(seat) and card in self.hands[victim]
            case _:
                raise AssertionError(f"{event} comes by itself")

    def happens(self, event: Any) -> None:
        match event:
            case DealCardsDrawn(_, _, lowest):
                self.drawing, self.dealer = ((), lowest[0]) if len(lowest) == 1 else (lowest, None)
            case HandDealt(hand_no, dealer, _, _, _, hands):
                self.hand_no, self.dealer, self.runs = hand_no, dealer, True
                self.hands = [[str(card) for card in kept.value] for kept in hands]
                assert Counter(self.all_held()) == Counter(["0-0", *in_play_order(self.seats)])
                self.turn = next(seat for seat, hand in enumerate(self.hands) if "1-0" in hand)
                self.to_come, self.sets, self.nix_holder = in_play_order(self.seats), [], None
                self.new_card_wanted()
            case CardPlayed(seat, card, wanted):
                """NX-06, NX-10, NX-11, NX-14"""
                self.hands[seat].remove(self.to_come.pop(0))
                assert wanted == self.wanted()
                self.new_card_wanted()
                high, low = two_numbers(card)
                if high == low:
                    self.due = [SetCompleted(high, seat)]
                if not self.hands[seat]:
                    self.turn = self.at_left(seat)
            case SetCompleted(_, seat):
                self.sets.append(seat)
                if not self.to_come:
                    self.close()
            case CardDrawn(seat, victim, fits, Secret(card, to)):
                """NX-08, NX-09, NX-R5, NX-R15"""
                assert fits == (card == self.wanted())
                assert to == (None if fits else tuple(sorted({seat, victim})))
                if self.wanted() in self.hands[seat]:
                    self.held_back.add(seat)
                self.hands[victim].remove(card)
                self.hands[seat].append(card)
                self.must_play, self.passed = fits, None if fits else seat
                self.turn = seat if fits else self.at_left(seat)
            case HandScored(nix_holder, _, totals):
                self.nix_holder, self.totals, self.runs = nix_holder, list(totals), False

    def new_card_wanted(self) -> None:
        self.held_back: set[int] = set()
        self.must_play, self.passed = False, None

    def close(self) -> None:
        """NX-16, NX-17: a point a set, and three for the only card that is left."""
        assert self.all_held() == ["0-0"]
        nix_holder = self.hands.index(["0-0"])
        delta = [self.sets.count(seat) for seat in range(self.seats)]
        delta[nix_holder] += 3
        totals = tuple(had + got for had, got in zip(self.totals, delta, strict=True))
        self.due = [HandScored(nix_holder, tuple(delta), totals)]

    def points(self) -> list[int]:
        """NX-R11"""
        return [sum(self.totals[0::2]), sum(self.totals[1::2])] if self.options.sides == "alternate" else self.totals

    def outcome(self) -> Outcome | None:
        """NX-18, NX-R10, NX-R11"""
        points = self.points()
        if self.runs or max(points) < self.options.target or points.count(max(points)) > 1:
            return None
        each = self.seats // len(points)
        return Outcome(tuple(places(points) * each), tuple(points * each), "target")

    def to_act(self) -> set[int]:
        return {self.turn} if self.runs else set() if self.outcome() else {CHANCE}

    def asked_of_chance(self) -> Shuffle:
        return Shuffle(("0-0", *in_play_order(self.seats)))

    def drawn_for(self, command: Any) -> Pick:
        """NX-R8: any card of the right neighbour."""
        return Pick(len(self.hands[self.at_right(self.turn)]))

    def phase(self) -> str:
        if self.runs:
            return "playing"
        return "dealer_draw" if self.dealer is None else "finished" if self.outcome() else "awaiting_deal"

    def view(self, seat: int | None) -> dict[str, Any]:
        wanted = self.wanted()
        return {
            "phase": self.phase(),
            "hand_no": self.hand_no,
            "dealer": self.dealer,
            "drawing_for_deal": self.drawing,
            "turn": self.turn if self.runs else None,
            "draws_from": self.at_right(self.turn) if self.runs else None,
            "hand": None if seat is None else sorted(self.hands[seat], key=two_numbers),
            "hand_counts": [len(hand) for hand in self.hands],
            "hands": None,
            "wanted": wanted,
            "open_set": [f"{wanted.split('-')[0]}-{low}" for low in range(two_numbers(wanted)[1])] if wanted else [],
            "sets": [{"set_no": 1 + at, "seat": owner} for at, owner in enumerate(self.sets)],
            "nix_holder": self.nix_holder,
            "totals": self.totals,
            "side_totals": self.points(),
        }

    def legal(self, seat: int) -> list[Any]:
        wanted = self.wanted()
        possible = [PlayCard(TrixCard(wanted)), Draw()] if wanted else []
        return [command for command in possible if self.refusal(seat, command) is None]

    def refusal(self, seat: int, command: Any) -> tuple[str, str] | None:
        if not self.runs:
            return ("NX-18" if self.outcome() else "NX-03"), "wrong_phase"
        if not self.hands[seat]:
            return "NX-12", "out"
        match command:
            case PlayCard() if seat != self.turn:
                return "NX-06", "not_your_turn"
            case PlayCard("0-0"):
                return "NX-15", "nix_stays"
            case PlayCard(card) if card not in self.hands[seat]:
                return "NX-06", "not_in_hand"
            case PlayCard(card):
                return None if card == self.wanted() else ("NX-04", "not_wanted")
            case Draw() if seat != self.turn:
                return ("NX-09" if seat == self.passed else "NX-07"), "not_your_turn"
        if self.wanted() in self.hands[seat]:
            """NX-R5: once for each wanted card, and never one that was just drawn."""
            if not self.options.may_hold_back or self.must_play or seat in self.held_back:
                return "NX-R5", "must_play"
            if self.at_right(seat) == seat:
                return "NX-R5", "nobody_to_draw_from"
        if command.from_ is not None and command.from_ != self.at_right(seat):
            return "NX-07", "wrong_neighbour"
        if command.position is not None and command.position not in range(1, len(self.hands[self.at_right(seat)]) + 1):
            return "NX-07", "no_such_position"
        return None

    def any_command(self, rng: random.Random) -> Any:
        card = TrixCard(rng.choice([*LONG_PACK, TrixCard("16-2")]))
        held = TrixCard(rng.choice(self.all_held() or ["0-0"]))
        place = Draw(rng.randrange(16), rng.choice([None, *range(self.seats)]))
        return rng.choice([PlayCard(card), PlayCard(held), PlayCard(NIX), Draw(), place])

    def known_cards(self, seat: int) -> list[str]:
        return [*self.hands[seat], self.wanted() or ""]


def recount(events: Iterable[Any], options: Any, seats: int) -> Outcome | None:
    return recounted(NixTold, events, options, seats)


def large(seats: int) -> dict[str, Any]:
    return {"max_seats": seats} if seats > 8 else {}


@pytest.mark.parametrize("seats", range(3, 11))
def test_a_whole_match_goes_as_the_rule_page_tells_it(seats: int) -> None:
    """NX-01 to NX-19, NX-R6, NX-R7, NX-R8, NX-R10, NX-R15: to the end at every table."""
    assert retell(NixTold, GAME, seats, large(seats), 6000) is not None


@pytest.mark.parametrize("seats", range(3, 11))
def test_held_back_cards_and_partners_go_as_the_rule_page_tells_it(seats: int) -> None:
    """NX-R5, NX-R11: for two rounds and more at every table, with partners where they can sit down."""
    together = {} if seats % 2 else {"sides": "alternate"}
    retell(NixTold, GAME, seats, {"may_hold_back": True, **together, **large(seats)}, 600)


def cards(text: str) -> tuple[TrixCard, ...]:
    return tuple(TrixCard(word) for word in text.split())


def at(*hands: str, wanted: str, turn: int, **options: Any) -> Story:
    """A round in which these cards are left. Earlier sets are left out, so that the count shows the ending alone."""
    story = table(GAME, len(hands), **options)
    return story.but(
        dealer=0,
        drawing_for_deal=(),
        hand_no=1,
        playing=True,
        hands=tuple(cards(hand) for hand in hands),
        wanted=TrixCard(wanted),
        turn=turn,
    )


def dealt(*hands: str, leader: int, dealer: int = 0) -> Story:
    each = [cards(hand) for hand in hands]
    counts = tuple(len(hand) for hand in each)
    event = HandDealt(1, dealer, counts, leader, TrixCard("1-0"), each_its_own(each))
    return table(GAME, len(hands)).given(event)


def play(card: str) -> PlayCard:
    return PlayCard(TrixCard(card))


def draw(story: Story, seat: int, card: str) -> Story:
    """The seat draws, and chance hands it this card of its victim's fan."""
    wanted = GAME.decide(story.table, seat, Draw())
    assert isinstance(wanted, Pick)
    victims = [hand for hand in story.table.hands if TrixCard(card) in hand]
    assert len(victims[0]) == wanted.of
    return story.when(seat, Draw(), Picked(victims[0].index(TrixCard(card))))


def plays(story: Story, seat: int, *some: str) -> Story:
    for card in some:
        story = story.when(seat, play(card))
    return story


def refusal(story: Story, seat: int, command: Any) -> Refused:
    with pytest.raises(Refused) as caught:
        GAME.decide(story.table, seat, command)
    return caught.value


# ── Cards, dealer, deal ─────────────────────────────────────────────────────────────────────────────────────────


def test_the_pack_goes_with_the_number_of_seats_NX_E1() -> None:
    """NX-01, NX-E1: 36 cards to 7-7 for three and four, 66 to 10-10 for more; a set has one card more than its number."""
    packs = {seats: pack(table(GAME, seats, max_seats=10).table) for seats in GAME.seats}
    assert [len(packs[seats]) for seats in range(3, 11)] == [36, 36, 66, 66, 66, 66, 66, 66]
    assert (SHORT_PACK[-1], LONG_PACK[-1]) == ("7-7", "10-10") and len(set(LONG_PACK)) == 66
    assert [c for c in SHORT_PACK if c.high == 5] == ["5-0", "5-1", "5-2", "5-3", "5-4", "5-5"]
    for seats, points in ((3, 10), (5, 13)):
        scored = next(
            e for m in random_match(GAME, seats, {}, random.Random(1)) for e in m.events if type(e) is HandScored
        )
        assert sum(scored.delta) == points


def test_a_card_can_be_written_either_way_and_read_even_where_it_does_not_exist() -> None:
    """NX-X3: 16-2 is a card that nobody holds, `7` is none at all."""
    assert TrixCard("3-7") is TrixCard("7-3") and TrixCard("3-7") == "7-3"
    assert (TrixCard("10-4").high, TrixCard("4-10").low, TrixCard("4-10").sum) == (10, 4, 14)
    assert (TrixCard("16-2").high, TrixCard("2-16")) == (16, "16-2")
    assert repr(TrixCard("3-7")) == "TrixCard('7-3')" and trix_pack(1) == ("0-0", "1-0", "1-1")
    for unreadable in ("7", "7-", "07-3", "7-3-1", "C-3", "100-1", "٣-1"):
        with pytest.raises(ValueError, match="must be a card"):
            TrixCard(unreadable)
    at("7-6", "0-0", "7-7", wanted="7-6", turn=0).refuses(0, play("16-2"), "NX-06").refuses(0, play("8-0"), "NX-06")


def test_tables_of_two_and_nine_seats_are_refused_NX_X10() -> None:
    """NX-R3, NX-X10: nine and ten sit down only where the table says so."""
    refuses_table(GAME, 2, "NX-R3")
    refuses_table(GAME, 9, "NX-R3")
    refuses_table(GAME, 11, "NX-R3", max_seats=10)
    refuses_table(GAME, 5, "NX-R3", max_seats=4)
    with pytest.raises(Refused, match=r"a table of 9 needs .* it is 8"):
        GAME.open_table({}, 9)
    refuses_table(GAME, 3, "NX-R3", max_seats=11)
    assert table(GAME, 10, max_seats=10).table.seats == 10


def test_the_lowest_card_deals_first_and_ties_draw_again() -> None:
    """NX-02, NX-R12: sums count, and 0-0 is the lowest of all."""
    story = table(GAME, 4)
    assert GAME.to_act(story.table) == {CHANCE} and GAME.chance(story.table) == Shuffle(SHORT_PACK)
    tied = story.when(CHANCE, Shuffled(cards("3-0 2-1 7-7 2-2 0-0")))
    tied.then(DealCardsDrawn((0, 1, 2, 3), cards("3-0 2-1 7-7 2-2"), (0, 1)))
    assert tied.table.dealer is None and GAME.view(tied.table, 3)["drawing_for_deal"] == (0, 1)
    again = tied.when(CHANCE, Shuffled(cards("1-0 0-0 7-7")))
    again.then(DealCardsDrawn((0, 1), cards("1-0 0-0"), (1,)))
    assert again.table.dealer == 1
    assert again.when(CHANCE, Shuffled(SHORT_PACK)).last(HandDealt).dealer == 1


@pytest.mark.parametrize(
    ("seats", "counts"),
    [
        (3, (12, 12, 12)),
        (4, (9, 9, 9, 9)),
        (5, (13, 14, 13, 13, 13)),  # NX-E11
        (6, (11,) * 6),
        (7, (9, 10, 10, 10, 9, 9, 9)),
        (8, (8, 9, 9, 8, 8, 8, 8, 8)),
    ],
)
def test_all_cards_are_dealt_one_at_a_time_from_the_dealers_left(seats: int, counts: tuple[int, ...]) -> None:
    """NX-03, NX-R9, NX-E11: with dealer 0 the extra cards fall to seats 1, 2, 3."""
    story = table(GAME, seats).but(dealer=0, drawing_for_deal=())
    deck = pack(story.table)
    event = story.when(CHANCE, Shuffled(deck)).last(HandDealt)
    assert event.counts == counts == tuple(len(kept.value) for kept in event.hands)
    assert [kept.to for kept in event.hands] == [(seat,) for seat in range(seats)]
    assert deck[0] in event.hands[1].value and deck[seats - 1] in event.hands[0].value
    assert deck[seats] in event.hands[1].value


def test_the_deal_goes_left_and_the_lead_lies_with_1_0() -> None:
    """NX-05, NX-19, NX-R14: whoever deals."""
    close = at("7-7", "0-0", "", wanted="7-7", turn=0).when(0, play("7-7"))
    assert GAME.to_act(close.table) == {CHANCE}
    deck = cards("0-0 1-1 1-0") + SHORT_PACK[3:]
    second = close.when(CHANCE, Shuffled(deck)).last(HandDealt)
    assert (second.hand_no, second.dealer, second.leader, second.wanted) == (2, 1, 1, "1-0")
    deck = cards("1-0 0-0 1-1") + SHORT_PACK[3:]
    assert close.when(CHANCE, Shuffled(deck)).last(HandDealt).leader == 2


def test_the_holder_of_1_0_leads_and_goes_on_NX_E2() -> None:
    """NX-04, NX-05, NX-06, NX-10, NX-11, NX-E2: 1-0, 1-1 and 2-0 in one go, then 2-1 is needed."""
    story = dealt("2-1 7-7", "1-0 1-1 2-0 5-5", "0-0 2-2", leader=1)
    story.allows(1, play("1-0")).allows(0).refuses(0, play("2-1"), "NX-06")
    first = story.when(1, play("1-0")).then(CardPlayed(1, TrixCard("1-0"), TrixCard("1-1")))
    double = first.when(1, play("1-1")).then(CardPlayed(1, TrixCard("1-1"), TrixCard("2-0")), SetCompleted(1, 1))
    third = double.when(1, play("2-0"))
    assert third.table.wanted == "2-1" and third.table.turn == 1
    assert GAME.view(third.table, None)["sets"] == [{"set_no": 1, "seat": 1}]
    assert GAME.view(third.table, None)["open_set"] == ("2-0",)
    third.allows(1, Draw())


# ── Playing and drawing ─────────────────────────────────────────────────────────────────────────────────────────


def test_a_drawn_card_that_does_not_fit_is_kept_and_the_turn_passes_left() -> None:
    """NX-07, NX-09, NX-R8: drawn at random from all the cards of the right neighbour."""
    story = at("5-5 0-0", "3-3", "4-1 3-0", wanted="3-0", turn=0)
    assert GAME.decide(story.table, 0, Draw()) == Pick(2) == GAME.decide(story.table, 0, Draw(2, 2))
    missed = story.when(0, Draw(), Picked(0))
    missed.then(CardDrawn(0, 2, False, Secret(TrixCard("4-1"), (0, 2))))
    assert missed.table.hands[0] == cards("5-5 0-0 4-1") and missed.table.hands[2] == cards("3-0")
    missed.allows(1, Draw()).allows(0)


def test_a_drawn_card_that_fits_is_played_and_the_turn_goes_on() -> None:
    """NX-08: draw, play, play from the hand, draw again."""
    story = draw(at("5-5 3-1", "3-3", "3-0 3-2 4-4", wanted="3-0", turn=0), 0, "3-0")
    story.then(CardDrawn(0, 2, True, shown(TrixCard("3-0"))))
    story.allows(0, play("3-0")).refuses(0, Draw(), "NX-R5").refuses(1, Draw(), "NX-07")
    stuck = plays(story, 0, "3-0", "3-1").allows(0, Draw())
    again = draw(stuck, 0, "3-2").when(0, play("3-2"))
    again.allows(0, Draw())
    assert draw(again, 0, "4-4").table.turn == 1


def test_the_completer_begins_the_next_set_or_draws() -> None:
    """NX-10, NX-11, NX-R4, NX-R13: the set is his alone; the left has an ordinary turn after his failed draw."""
    able = at("3-3 4-0 5-0", "0-0 4-1", "5-1 5-2", wanted="3-3", turn=0).when(0, play("3-3"))
    able.then(CardPlayed(0, TrixCard("3-3"), TrixCard("4-0")), SetCompleted(3, 0)).allows(0, play("4-0"))
    unable = at("3-3 5-0", "0-0 4-1", "5-1 4-0", wanted="3-3", turn=0).when(0, play("3-3"))
    unable.allows(0, Draw())
    passed = draw(unable, 0, "5-1").allows(1, Draw())
    assert draw(passed, 1, "5-0").table.turn == 2


def test_seats_without_cards_are_passed_over_on_both_sides() -> None:
    """NX-12, NX-R6, NX-X9: five seats, of which 0 and 3 are out."""
    story = at("", "9-9 0-0", "10-1", "", "10-0 10-10 10-5", wanted="10-0", turn=1)
    story.allows(1, Draw()).refuses(0, Draw(), "NX-12").refuses(3, play("10-0"), "NX-12")
    assert GAME.view(story.table, 2)["draws_from"] == 4
    missed = draw(story, 1, "10-5")
    assert missed.table.turn == 2
    assert draw(missed, 2, "9-9").table.turn == 4  # over seat 3


def test_a_seat_runs_out_by_playing_or_by_being_drawn_from() -> None:
    """NX-13, NX-14"""
    played = at("7-5", "7-6 0-0", "7-7", wanted="7-5", turn=0).when(0, play("7-5"))
    assert played.table.turn == 1
    played.refuses(0, Draw(), "NX-12").refuses(0, play("7-7"), "NX-12")
    robbed = draw(at("7-5", "0-0", "7-6 7-7", wanted="7-6", turn=1), 1, "7-5")
    robbed.refuses(0, Draw(), "NX-12")
    assert robbed.table.turn == 2 and GAME.view(robbed.table, 0)["hand_counts"] == [0, 2, 2]


def test_the_last_double_is_played_by_the_seat_that_ran_on_NX_E3() -> None:
    """NX-E3"""
    story = at("7-5 0-0", "7-6", "7-7", wanted="7-5", turn=0).when(0, play("7-5"))
    story = draw(story, 0, "7-7")
    assert story.table.hands == (cards("0-0 7-7"), cards("7-6"), ())
    story = story.when(1, play("7-6")).when(0, play("7-7"))
    assert story.events[1] == SetCompleted(7, 0)
    assert story.last(HandScored).delta == (1 + 3, 0, 0)


def test_going_out_on_a_drawn_card_NX_E4() -> None:
    """NX-E4: seat 1 draws the last double from a hand of one card and closes."""
    story = at("7-3 7-5", "7-6 0-0", "7-4 7-7", wanted="7-3", turn=0).when(0, play("7-3"))
    story = plays(draw(story, 0, "7-4"), 0, "7-4", "7-5")
    story.refuses(0, Draw(), "NX-12")
    story = draw(story.when(1, play("7-6")), 1, "7-7").when(1, play("7-7"))
    assert story.last(HandScored).delta == (0, 4, 0)


def test_the_other_draw_from_the_same_start_NX_E5() -> None:
    """NX-E5"""
    story = at("7-3 7-5", "7-6 0-0", "7-4 7-7", wanted="7-3", turn=0).when(0, play("7-3"))
    story = draw(draw(story, 0, "7-7"), 1, "7-7")
    story = story.when(2, play("7-4")).when(0, play("7-5"))
    assert plays(story, 1, "7-6", "7-7").last(HandScored).delta == (0, 4, 0)


def test_the_turn_passes_over_a_seat_whose_last_card_was_drawn_NX_E6() -> None:
    """NX-E6"""
    story = draw(at("7-7", "0-0", "7-6", wanted="7-6", turn=1), 1, "7-7")
    story = story.when(2, play("7-6"))
    assert story.table.turn == 1
    assert story.when(1, play("7-7")).last(HandScored).delta == (0, 4, 0)


def test_a_second_draw_goes_past_the_seat_that_is_out_NX_E7() -> None:
    """NX-08, NX-R6, NX-E7"""
    story = draw(at("7-6", "0-0", "7-7", wanted="7-6", turn=1), 1, "7-6").when(1, play("7-6"))
    assert GAME.view(story.table, None)["draws_from"] == 2
    story = draw(story, 1, "7-7").when(1, play("7-7"))
    assert story.last(HandScored).delta == (0, 4, 0)


def test_a_completer_without_cards_gives_the_turn_to_the_left_NX_E8() -> None:
    """NX-14, NX-R7, NX-E8"""
    seven = " ".join(f"7-{low}" for low in range(8))
    story = at("0-0", "6-6", seven, wanted="6-6", turn=1).when(1, play("6-6"))
    story.then(CardPlayed(1, TrixCard("6-6"), TrixCard("7-0")), SetCompleted(6, 1))
    assert story.table.turn == 2
    closed = plays(story, 2, *seven.split())
    assert closed.last(HandScored) == HandScored(0, (3, 1, 1), (3, 1, 1))


def test_the_round_closes_with_the_last_double_NX_E9() -> None:
    """NX-16, NX-17, NX-E9: only Nix is left, and its holder's turn never comes."""
    story = plays(at("7-6 7-7", "0-0", "", wanted="7-6", turn=0), 0, "7-6", "7-7")
    story.then(CardPlayed(0, TrixCard("7-7"), None), SetCompleted(7, 0), HandScored(1, (1, 3, 0), (1, 3, 0)))
    assert story.table.hands == ((), (NIX,), ())
    story.refuses(1, Draw(), "NX-03").allows(1)
    assert GAME.view(story.table, None)["nix_holder"] == 1


# ── Refusals ────────────────────────────────────────────────────────────────────────────────────────────────────


def test_what_a_seat_may_not_do() -> None:
    """NX-X1, NX-X2, NX-X3, NX-X4, NX-X5, NX-X7, NX-X8; NX-15"""
    story = at("3-0 3-1 0-0", "5-1", "4-4 5-5", wanted="3-0", turn=0)
    story.refuses(1, play("5-1"), "NX-06").refuses(1, Draw(), "NX-07")  # NX-X1
    story.refuses(0, play("3-1"), "NX-04")  # NX-X2
    story.refuses(0, play("4-4"), "NX-06")  # NX-X3
    story.refuses(0, PlayCard(NIX), "NX-15")  # NX-X4
    story.refuses(0, Draw(), "NX-R5")  # NX-X5
    drawing = story.but(wanted=TrixCard("5-1")).allows(0, Draw())
    drawing.refuses(0, Draw(position=3), "NX-07").refuses(0, Draw(position=0), "NX-07")  # NX-X7
    drawing.refuses(0, Draw(from_=1), "NX-07").refuses(0, Draw(from_=-1), "NX-07")  # NX-X8
    body = {"type": "draw", "position": 2, "from": 2}
    assert read_command(names(GAME.commands), body) == Draw(2, 2)
    drawing.when(0, Draw(2, 2), Picked(0))


def test_a_second_draw_after_a_failed_one_is_refused_NX_X6() -> None:
    """NX-09, NX-X6: also when the next seat has gone on and on; a seat that did not draw is merely not on turn."""
    story = draw(at("5-5", "3-3 3-0", "4-1 4-2", wanted="3-0", turn=0), 0, "4-1")
    story.refuses(0, Draw(), "NX-09").refuses(2, Draw(), "NX-07").refuses(0, play("5-5"), "NX-06")
    later = story.when(1, play("3-0"))
    later.refuses(0, Draw(), "NX-07")


def test_a_card_elsewhere_is_refused_in_the_same_words_wherever_it_lies() -> None:
    """NX-06, NX-X3: in a hand, on the table, in a completed set or outside the pack."""
    story = at("3-1 0-0", "5-1", "4-4", wanted="3-1", turn=0)
    told = [refusal(story, 0, play(card)) for card in ("5-1", "4-4", "3-0", "1-0", "9-9", "16-2")]
    assert {(r.rule, r.code) for r in told} == {("NX-06", "not_in_hand")}
    assert {r.text.split(" hold ")[0] for r in told} == {"you do not"}
    elsewhere = story.but(turn=1, wanted=TrixCard("5-1"))
    assert refusal(elsewhere, 1, PlayCard(NIX)).text == refusal(elsewhere.but(turn=0), 0, PlayCard(NIX)).text


def test_nothing_is_played_before_the_deal_or_after_the_game() -> None:
    """NX-03, NX-18"""
    table(GAME, 3).refuses(0, Draw(), "NX-03").refuses(0, play("1-0"), "NX-03")
    over = at("7-7", "0-0", "", wanted="7-7", turn=0).but(totals=(20, 0, 0)).when(0, play("7-7"))
    over.refuses(0, Draw(), "NX-18").refuses(1, PlayCard(NIX), "NX-18")
    assert GAME.to_act(over.table) == frozenset()


# ── Who knows what ──────────────────────────────────────────────────────────────────────────────────────────────


def test_a_drawn_card_is_known_to_drawer_and_victim_only() -> None:
    """NX-15, NX-R15: Nix too moves unseen, and a card that fits is seen by all."""
    story = at("5-5", "3-3 3-0", "0-0 4-2", wanted="3-0", turn=0)
    missed = draw(story, 0, "0-0")
    assert missed.last(CardDrawn).card == Secret(NIX, (0, 2))
    views = [GAME.view(missed.table, seat) for seat in (0, 1, 2, None)]
    assert [view["hand"] for view in views] == [("0-0", "5-5"), ("3-0", "3-3"), ("4-2",), None]
    assert "0-0" in views[0]["hand"] and all("0-0" not in str(view) for view in views[1:])
    assert all(view["hand_counts"] == [2, 2, 1] and view["nix_holder"] is None for view in views)
    assert draw(at("5-5", "4-4", "3-0 0-0", wanted="3-0", turn=0), 0, "3-0").last(CardDrawn).card.to is None


# ── Holding back ────────────────────────────────────────────────────────────────────────────────────────────────


def test_a_table_may_allow_to_hold_the_wanted_card_back_once() -> None:
    """NX-R5: it looks to the others like any draw that did not fit, and is a choice made once for a wanted card."""
    story = at("3-0 5-5", "3-1", "4-4 0-0", wanted="3-0", turn=0, may_hold_back=True)
    story.allows(0, play("3-0"), Draw())
    assert GAME.legal(story.table, 0)[0] == play("3-0")
    kept = draw(story, 0, "4-4").then(CardDrawn(0, 2, False, Secret(TrixCard("4-4"), (0, 2))))
    assert kept.table.turn == 1
    back = draw(draw(kept, 1, "5-5"), 2, "3-1")
    assert back.table.turn == 0
    back.allows(0, play("3-0")).refuses(0, Draw(), "NX-R5")
    assert "3-0" not in str({**GAME.view(kept.table, 1), "wanted": None})


def test_another_wanted_card_may_be_held_back_again() -> None:
    """NX-R5: once for each card, not once in a round."""
    story = at("3-0 3-1", "5-1 0-0", "4-4 5-5", wanted="3-0", turn=0, may_hold_back=True)
    story = draw(draw(draw(story, 0, "4-4"), 1, "4-4"), 2, "0-0")
    story.when(0, play("3-0")).allows(0, play("3-1"), Draw())


def test_a_wanted_card_just_drawn_is_never_held_back() -> None:
    """NX-R5"""
    story = draw(at("5-5 3-1", "4-1 0-0", "3-0 4-4", wanted="3-0", turn=0, may_hold_back=True), 0, "3-0")
    story.allows(0, play("3-0")).refuses(0, Draw(), "NX-R5")
    story.when(0, play("3-0")).allows(0, play("3-1"), Draw())


def test_nobody_holds_back_when_no_other_seat_has_cards() -> None:
    """NX-R5: and who draws the last card of the others has the turn again."""
    alone = at("7-6 7-7 0-0", "", "", wanted="7-6", turn=0, may_hold_back=True)
    alone.allows(0, play("7-6")).refuses(0, Draw(), "NX-R5")
    last = draw(at("7-6 0-0", "7-7", "", wanted="7-6", turn=0, may_hold_back=True), 0, "7-7")
    assert last.table.turn == 0
    last.allows(0, play("7-6"))


# ── The game ────────────────────────────────────────────────────────────────────────────────────────────────────


def closing(totals: tuple[int, ...], sets: tuple[int, ...], **options: Any) -> Story:
    """Seat 0 plays the last double, and seat 1 is left with Nix."""
    story = at("7-7", "0-0", *[""] * (len(totals) - 2), wanted="7-7", turn=0, **options)
    return story.but(totals=totals, sets=sets).when(0, play("7-7"))


def test_equal_best_scores_play_another_round_NX_E10() -> None:
    """NX-18, NX-R10, NX-E10: 16, 16 and 10."""
    story = closing((11, 12, 9), (0, 0, 0, 0, 1, 2))
    assert story.last(HandScored).delta == (5, 4, 1) and story.last(HandScored).totals == (16, 16, 10)
    assert GAME.outcome(story.table) is None and GAME.to_act(story.table) == {CHANCE}


def test_the_highest_score_at_or_above_the_target_wins() -> None:
    """NX-17, NX-18, NX-R10: 15 by default, more by agreement, and only after the round."""
    won = GAME.outcome(closing((11, 13, 9), (0, 0, 0, 0, 1, 2)).table)
    assert won is not None and won.winners == (1,) and won.scores == (16, 17, 10) and won.places == (2, 1, 3)
    assert GAME.outcome(closing((9, 10, 9), (0, 0, 0, 0, 1, 2)).table) is None
    exact = GAME.outcome(closing((10, 10, 9), (0, 0, 0, 0, 1, 2)).table)
    assert exact is not None and exact.winners == (0,)
    assert GAME.outcome(closing((11, 13, 9), (0, 0, 0, 0, 1, 2), target=18).table) is None
    refuses_table(GAME, 3, "NX-R10", target=14)
    refuses_table(GAME, 3, "NX-R10", target=101)
    assert GAME.outcome(at("7-7", "0-0", "", wanted="7-7", turn=0).but(totals=(20, 0, 0)).table) is None


def test_whoever_may_see_everything_sees_all_hands() -> None:
    story = at("0-0 5-5 3-1", "3-3", "4-2 3-0", wanted="3-0", turn=2)
    seen = GAME.view(story.table, ALL)
    assert seen["hand"] is None and seen["hands"] == [cards("0-0 3-1 5-5"), cards("3-3"), cards("3-0 4-2")]
    assert GAME.view(story.table, 0)["hands"] is None


def test_every_second_seat_may_form_a_side() -> None:
    """NX-R11: points of a side are added, its hands stay apart."""
    refuses_table(GAME, 3, "NX-R11", sides="alternate")
    story = closing((4, 9, 5, 0), (0, 2, 2, 0, 0, 2), sides="alternate")
    assert GAME.sides(story.table) == ((0, 2), (1, 3))
    assert story.last(HandScored).totals == (8, 12, 8, 0)
    won = GAME.outcome(story.table)
    assert won is not None and won.places == (1, 2, 1, 2) and won.scores == (16, 12, 16, 12)
    tied = closing((4, 13, 5, 0), (0, 2, 2, 0, 0, 2), sides="alternate")
    assert GAME.outcome(tied.table) is None
    six = table(GAME, 6, sides="alternate").table
    assert GAME.sides(six) == ((0, 2, 4), (1, 3, 5))
    assert GAME.sides(table(GAME, 3).table) == ((0,), (1,), (2,))
    partners = at("3-0", "4-4", "5-5", "0-0", wanted="3-0", turn=0, sides="alternate")
    assert "5-5" not in str(GAME.view(partners.table, 0))


@pytest.mark.parametrize(("seats", "may_hold_back"), [(3, False), (5, False), (8, False), (3, True), (6, True)])
def test_the_wanted_card_is_in_a_hand_and_soon_played(seats: int, may_hold_back: bool) -> None:
    """NX-20, NX-16, NX-R1, NX-R2: seen in whole random matches, read in the order of the rulings."""
    rng, failed, rounds = random.Random(seats), 0, 0
    for moment in random_match(GAME, seats, {"may_hold_back": may_hold_back}, rng):
        s = moment.before
        assert not s.playing or sum(s.wanted in hand for hand in s.hands) == 1
        for event in moment.events:
            if isinstance(event, CardDrawn):
                failed = 0 if event.fits else failed + 1
                assert failed <= (seats - 1 if not may_hold_back else 2 * seats)
            elif isinstance(event, CardPlayed):
                failed = 0
            elif isinstance(event, HandScored):
                rounds += 1
                assert Counter(card for hand in moment.after.hands for card in hand) == {NIX: 1}
                assert len(moment.after.sets) == pack(s)[-1].high
    assert rounds >= 2


def between_rounds(totals: tuple[int, ...], hand_no: int = 3, **options: Any) -> Story:
    """So many rounds have been counted, and seat 1 dealt the last of them."""
    story = table(GAME, len(totals), **large(len(totals)), **options)
    return story.but(dealer=1, drawing_for_deal=(), hand_no=hand_no, totals=totals)


@pytest.mark.parametrize("seats", range(3, 11))
def test_a_tie_at_the_top_is_played_off_at_every_table(seats: int) -> None:
    """NX-18, NX-19, NX-R10: all play one more round, dealt by the next dealer; a tie further down decides nothing."""
    low = (9,) * (seats - 3)
    for hand_no, totals in (
        (3, (16, *low, 16, 3)),
        (9, (3, 15, *low, 15)),
        (2, (14, 13, *low, 12)),
        (7, (*low, *[18] * 3)),
    ):
        story = between_rounds(totals, hand_no)
        assert GAME.outcome(story.table) is None and GAME.to_act(story.table) == {CHANCE}
        assert GAME.view(story.table, None)["phase"] == "awaiting_deal"
        extra = story.when(CHANCE, Shuffled(pack(story.table)))
        assert (extra.last(HandDealt).hand_no, extra.last(HandDealt).dealer) == (hand_no + 1, 2)
        assert extra.table.totals == totals
    won = GAME.outcome(between_rounds((15, *low, 16, 15)).table)
    assert won is not None and won.winners == (seats - 2,) and won.places[0] == won.places[-1] == 2
    assert GAME.outcome(between_rounds((15, *low, 16, 15), target=17).table) is None


@pytest.mark.parametrize("seats", [4, 6, 8, 10])
def test_two_sides_that_are_level_play_another_round(seats: int) -> None:
    """NX-R10, NX-R11: the points of a side are those of all its seats, the last included."""
    rest = (0,) * (seats - 4)
    level = between_rounds((*rest, 10, 2, 7, 15), sides="alternate")
    assert GAME.outcome(level.table) is None and GAME.to_act(level.table) == {CHANCE}
    won = GAME.outcome(between_rounds((*rest, 10, 2, 7, 16), sides="alternate").table)
    assert won is not None and won.scores == (17, 18) * (seats // 2) and won.places == (2, 1) * (seats // 2)
    assert GAME.outcome(between_rounds((*rest, 7, 5, 7, 6), sides="alternate").table) is None
    assert GAME.sides(level.table) == (tuple(range(0, seats, 2)), tuple(range(1, seats, 2)))


@pytest.mark.parametrize("seats", range(3, 11))
def test_options_that_change_nothing_are_refused(seats: int) -> None:
    """NX-R3, NX-R11: sides at an uneven table, and a limit that the table does not reach."""
    more = large(seats)
    if seats % 2:
        refuses_idle(GAME, seats, "sides", "none", **more)
        with pytest.raises(Refused, match=f"{seats} seats make no two equal sides") as uneven:
            GAME.open_table({"sides": "alternate", **more}, seats)
        assert (uneven.value.rule, uneven.value.code) == ("NX-R11", "uneven_sides")
    else:
        assert GAME.new_table({"sides": "none", **more}, seats) == GAME.new_table(more, seats)
    if seats <= 8:
        refuses_idle(GAME, seats, "max_seats", 10)
        refuses_idle(GAME, seats, "max_seats", seats)
    else:
        assert GAME.new_table(more, seats).seats == seats


def test_a_large_table_is_told_how_it_is_had() -> None:
    """NX-R3"""
    assert GAME.usual_seats == range(3, 9)
    for seats in (9, 11):
        with pytest.raises(Refused, match="max_seats"):
            GAME.new_table({}, seats)
