"""Jack-Daw, rule by rule. Where no other is named, O is trump and seat 0 deals."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from itertools import chain, pairwise, permutations
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
from domain.games.jack_daw import GAME
from domain.games.jack_daw.game import CardsDrawn, Drawn, HandDealt, HandScored, OddCardTaken, Table
from domain.kit.cards import FULL_PACK, PAUPER, PRINCE, Card
from domain.kit.dealing import DealerChosen
from domain.kit.plays import CardPlayed, PlayCard, TrickTaken
from domain.wire import names, read_command, write_event
from tests.domain.playing import Deal, random_match
from tests.domain.reading import (
    by_letter,
    check_refusals_tell_nothing,
    check_views,
    following,
    number_of,
    read,
    refusal_of,
    winner_of,
)
from tests.domain.story import Story, hand, refuses_idle, refuses_table, table
from tests.golden.matches import Golden


def photo_finish(events: Sequence[Any], target: int) -> bool:
    """Whether more than one seat would have reached the target, had counting not stopped."""
    for e in events:
        if isinstance(e, HandScored) and e.deciding is not None:
            made = [e.high, e.low, e.jack_daw, e.game]
            reach = [t - d + made.count(seat) for seat, (t, d) in enumerate(zip(e.totals, e.delta, strict=True))]
            return sum(total >= target for total in reach) > 1
    return False


QUICK = {"target": 4}
SEVERAL = {"target": 8}
GOLDEN = Golden(
    seats=3,
    options={"target": 4},
    moment="two seats could reach the target in the last hand, and the one whose point is counted first wins",
    shows=lambda events: photo_finish(events, 4),
)


def whole(s: Table) -> Iterable[Any]:
    return FULL_PACK


def pieces(s: Table) -> Iterable[Any]:
    if not s.hand_no:
        return ()
    return [*s.pack, *(card for pile in (*s.hands, *s.taken) for card in pile), *(play.card for play in s.trick)]


# ── What the rule page says, for the common tests ────────────────────────────────────────────────────────────────

SEATS = ("JD-03", range(2, 5))
OPTIONS = {
    "target": ("JD-R8", 10, range(1, 51)),
    "first_dealer": ("JD-R1", "random", "seat"),
    "odd_card": ("JD-R3", "trick_winner", ("trick_winner", "last_trick")),
}
REFUSALS = {
    "JD-01": {"not_in_hand"},
    "JD-06": {"wrong_phase"},
    "JD-07": {"not_in_hand", "must_follow"},
    "JD-09": {"not_your_turn"},
    "JD-21": {"wrong_phase"},
}
COUNTS_FOR_GAME = {13: 4, 12: 3, 11: 2, 10: 10, 5: 1}  # JD-18


def deal_map(deal: Deal) -> Iterable[Any]:
    """JD-03, JD-04, JD-05: three cards to each from the dealer's left, and three more; the rest is the pack."""
    cards = list(deal.deck)
    hands: list[list[Card]] = [[] for _ in range(deal.seats)]
    for _ in range(2):
        for step in range(1, deal.seats + 1):
            hands[(deal.dealer + step) % deal.seats] += [cards.pop(0), cards.pop(0), cards.pop(0)]
    secrets = tuple(Secret(by_letter(held), (seat,)) for seat, held in enumerate(hands))
    count, top = len(cards), cards.pop(0)
    yield HandDealt(deal.hand_no, deal.dealer, secrets, top, top[0], count, Secret(tuple(cards), ()))


def recount(events: Iterable[Any], options: Any, seats: int) -> Outcome | None:
    return read(Reading, events, options, seats)


class Reading:
    """JD-06 to JD-22, card by card."""

    def __init__(self, options: Any, seats: int) -> None:
        self.options, self.seats = options, seats
        self.dealer = None if options.first_dealer == "random" else options.first_dealer
        self.hand_no, self.trick_no, self.phase, self.winner = 0, 0, "awaiting_deal", -1
        self.turn: int | None = None
        self.trump: str | None = None
        self.odd_due = False
        self.pack: list[Card] = []
        self.trick: list[tuple[int, Card]] = []
        self.hands: list[list[Card]] = [[] for _ in range(seats)]
        self.drawn: list[list[Card]] = [[] for _ in range(seats)]
        self.piles: list[list[Card]] = [[] for _ in range(seats)]
        self.totals = [0] * seats

    def note(self, event: Any) -> None:
        assert self.phase != "finished"
        assert not self.odd_due or isinstance(event, OddCardTaken)
        match event:
            case DealerChosen(seat):
                self.dealer = seat
            case HandDealt():
                self.__dict__.update(Reading(self.options, self.seats).__dict__ | {"totals": self.totals})
                self.dealer, self.hand_no, self.trump = event.dealer, event.hand_no, event.trump
                self.phase, self.trick_no, self.turn = "playing", 1, (event.dealer + 1) % self.seats
                self.hands = [list(kept.value) for kept in event.hands]
                self.pack = [event.top, *event.pack_under.value]
            case CardPlayed(seat, card):
                assert seat == self.turn and card in following(self.hands[seat], self.trick)
                assert self.trick or len({len(held) for held in self.hands}) == 1  # JD-12
                self.hands[seat].remove(card)
                self.drawn[seat] = [known for known in self.drawn[seat] if known != card]
                self.trick.append((seat, card))
                self.turn = (seat + 1) % self.seats
            case TrickTaken(number, seat):
                assert (number, len(self.trick), seat) == (
                    self.trick_no,
                    self.seats,
                    winner_of(self.trick, self.trump or ""),
                )
                self.piles[seat] += [card for _, card in self.trick]
                self.trick, self.turn, self.winner, self.trick_no = [], seat, seat, number + 1
                now = self.options.odd_card == "trick_winner" or not self.hands[seat]
                self.odd_due = 0 < len(self.pack) < self.seats and now
            case CardsDrawn(draws, top, count):
                assert len(self.pack) >= self.seats == len(draws)
                for step, draw in enumerate(draws):
                    seat = (self.winner + step) % self.seats
                    assert draw == (seat, self.pack[0])
                    self.hands[seat].append(self.pack[0])
                    self.drawn[seat].append(self.pack.pop(0))
                assert (top, count) == (self.pack[0] if self.pack else None, len(self.pack))
            case OddCardTaken(seat, card):
                assert self.odd_due and self.pack == [card] and seat == self.winner
                self.piles[seat] += self.pack
                self.pack, self.odd_due = [], False
            case HandScored():
                assert not any(self.hands) and sorted(chain(*self.piles)) == sorted(FULL_PACK)
                self.phase, self.turn = "awaiting_deal", None
                self.count(event)

    def count(self, event: HandScored) -> None:
        counts = [sum(COUNTS_FOR_GAME.get(number_of(card), 0) for card in pile) for pile in self.piles]
        best = [seat for seat in range(self.seats) if counts[seat] == max(counts)]
        takers = {card: seat for seat, pile in enumerate(self.piles) for card in pile}
        made = [takers[Card(f"{self.trump}-{number}")] for number in (13, 1, 5)]
        made += best if len(best) == 1 else [None]  # type: ignore[list-item]
        assert [event.high, event.low, event.jack_daw, event.game] == made
        assert list(event.game_counts) == counts and sum(counts) == 80
        before, deciding = list(self.totals), None
        for point, seat in zip(("high", "low", "jack_daw", "game"), made, strict=True):
            if deciding is None and seat is not None:
                self.totals[seat] += 1
                deciding = point if self.totals[seat] == self.options.target else None
        assert event.deciding == deciding and list(event.totals) == self.totals
        assert list(event.delta) == [now - was for now, was in zip(self.totals, before, strict=True)]
        self.phase = "finished" if deciding else "awaiting_deal"

    def outcome(self) -> Outcome | None:
        if self.phase != "finished":
            return None
        places = tuple(1 + len([other for other in self.totals if other > mine]) for mine in self.totals)
        return Outcome(places, tuple(self.totals), "target")

    def may(self, seat: int) -> list[PlayCard]:
        if seat != self.turn:
            return []
        return [PlayCard(card) for card in following(self.hands[seat], self.trick)]

    def view(self, seat: int | None) -> dict[str, Any]:
        return {
            "phase": self.phase,
            "hand_no": self.hand_no,
            "dealer": self.dealer,
            "turn": self.turn,
            "trump": self.trump,
            "top": self.pack[0] if self.pack else None,
            "stock_count": len(self.pack),
            "stock": self.pack if seat == ALL else None,
            "hand": None if seat is None or seat == ALL else by_letter(self.hands[seat]),
            "hands": [by_letter(held) for held in self.hands] if seat == ALL else None,
            "hand_counts": [len(held) for held in self.hands],
            "known": [by_letter(seen) for seen in self.drawn],
            "trick_no": self.trick_no,
            "trick": [{"seat": player, "card": card} for player, card in self.trick],
            "taken": self.piles,
            "totals": self.totals,
        }


def dealt(*hands: str, pack: str = "", trump: str = "O", **options: Any) -> Story:
    """A hand dealt by seat 0, with what is left of the pack from its top."""
    lying = hand(pack) or hand(f"{trump}-2")
    event = HandDealt(
        hand_no=1,
        dealer=0,
        hands=each_its_own([hand(h) for h in hands]),
        top=lying[0],
        trump=trump,
        pack_count=len(lying),
        pack_under=hidden(lying[1:]),
    )
    return table(GAME, len(hands), **options).given(event).but(pack=hand(pack))


def pack_of(view: Mapping[str, Any]) -> tuple[int, str | None]:
    """How many cards a view counts in the pack, and the one it shows on top."""
    return view["stock_count"], view["top"]


def play(card: str) -> PlayCard:
    return PlayCard(Card(card))


def played(story: Story, *plays: tuple[int, str]) -> Story:
    for seat, card in plays:
        story = story.when(seat, play(card))
    return story


def whole_hand(seats: int, seed: int = 1, **options: Any) -> list[Any]:
    """Every event of one hand of random play."""
    events: list[Any] = []
    for moment in random_match(GAME, seats, options, random.Random(seed)):
        events += moment.events
        if isinstance(events[-1], HandScored):
            break
    return events


# ── Deal ────────────────────────────────────────────────────────────────────────────────────────────────────────


def test_tables_of_1_and_5_seats_are_refused() -> None:
    """JD-03: the title says two, three or four; each plays for himself (JD-R6)."""
    refuses_table(GAME, 1, "JD-03")
    refuses_table(GAME, 5, "JD-03")
    for seats in (2, 3, 4):
        assert GAME.sides(table(GAME, seats).table) == tuple((seat,) for seat in range(seats))


def test_the_pack_is_the_full_52_without_prince_and_pauper() -> None:
    """JD-01"""
    assert GAME.chance(table(GAME, 2, first_dealer=0).table) == Shuffle(FULL_PACK)
    for seats in (2, 3, 4):
        story = dealt(*("C-1 C-2", "R-1 R-2", "W-1 W-2", "O-1 O-3")[:seats])
        for stranger in (PRINCE, PAUPER, Card("C-14")):
            story.refuses(1, PlayCard(stranger), "JD-01")
        story.refuses(1, play("W-13"), "JD-07")


def test_chance_names_the_first_dealer_then_the_deal_goes_left() -> None:
    """JD-02, JD-22, JD-R1"""
    story = table(GAME, 3)
    assert GAME.chance(story.table) == Pick(3)
    story = story.when(CHANCE, Picked(2)).then(DealerChosen(2))
    for hand_no, dealer in ((1, 2), (2, 0), (3, 1), (4, 2)):
        story = story.when(CHANCE, Shuffled(FULL_PACK))
        assert (story.last(HandDealt).hand_no, story.last(HandDealt).dealer) == (hand_no, dealer)
        story = story.given(HandScored(0, 0, 0, None, (80, 0, 0), None, (0, 0, 0), (0, 0, 0)))
    for seat in range(3):
        event = table(GAME, 3, first_dealer=seat).when(CHANCE, Shuffled(FULL_PACK)).last(HandDealt)
        assert event.dealer == seat
    refuses_table(GAME, 3, "JD-R1", first_dealer=3)


def test_dealing_and_drawing_are_nobodys_commands() -> None:
    """JD-02, JD-10, JD-R10: chance deals by itself, and every draw follows from the trick."""
    for word in ("deal", "draw"):
        with pytest.raises(Unreadable):
            read_command(names(GAME.commands), {"type": word})
    story = table(GAME, 2, first_dealer=0)
    assert GAME.to_act(story.table) == {CHANCE}
    assert GAME.to_act(story.when(CHANCE, Shuffled(FULL_PACK)).table) == {1}


def test_two_rounds_of_three_and_the_rest_face_up_JD_E1() -> None:
    """JD-03, JD-04, JD-05, JD-E1: the thirteenth card lies on top and shows the trump suit; 40 in the pack."""
    d = FULL_PACK
    story = table(GAME, 2, first_dealer=0).when(CHANCE, Shuffled(d))
    event = story.last(HandDealt)
    assert event.hands[1].value == d[0:3] + d[6:9] and event.hands[0].value == d[3:6] + d[9:12]
    assert (event.top, event.trump, event.pack_count) == (d[12], "C", 40)
    assert event.pack_under.value == d[13:] and event.pack_under.to == ()
    assert story.table.turn == 1


@pytest.mark.parametrize(("seats", "in_pack"), [(2, 40), (3, 34), (4, 28)])
def test_six_each_whoever_deals(seats: int, in_pack: int) -> None:
    """JD-03, JD-04: the last round of three ends with the dealer."""
    for dealer in range(seats):
        event = table(GAME, seats, first_dealer=dealer).when(CHANCE, Shuffled(FULL_PACK)).last(HandDealt)
        assert [len(kept.value) for kept in event.hands] == [6] * seats and event.pack_count == in_pack
        assert set(FULL_PACK[6 * seats - 3 : 6 * seats]) < set(event.hands[dealer].value)
        assert event.top == FULL_PACK[6 * seats] and event.trump == event.top.suit


def test_only_the_top_of_the_pack_is_seen() -> None:
    """JD-04, JD-11, JD-R2: all see the top card and the height of the pack, nobody what lies below."""
    story = table(GAME, 2, first_dealer=0).when(CHANCE, Shuffled(FULL_PACK))
    event = story.last(HandDealt)
    parts = write_event(event)
    assert set(parts.secret) == {"0", "1", "table"}
    shown = repr([parts.public, parts.secret["0"], parts.secret["1"]])
    for seat in (0, 1, None):
        view = GAME.view(story.table, seat)
        assert pack_of(view) == (40, "C-13") and view["trump"] == "C"
        shown += repr(view)
    assert not [card for card in event.pack_under.value if f"'{card}'" in shown]
    assert GAME.view(story.table, None)["hand"] is None
    assert GAME.view(story.table, 1)["hand"] == hand("C-1 C-2 C-3 C-7 C-8 C-9")


# ── Tricks ──────────────────────────────────────────────────────────────────────────────────────────────────────


def test_the_dealers_left_leads_any_card_and_play_goes_clockwise() -> None:
    """JD-06, JD-09"""
    story = dealt("C-1 R-2", "O-1 W-1", "W-3 W-2")
    story.allows(1, play("O-1"), play("W-1")).allows(0).allows(2)
    story.refuses(0, play("C-1"), "JD-09").refuses(2, play("W-3"), "JD-09")
    led = story.when(1, play("W-1")).then(CardPlayed(1, Card("W-1")))
    led.refuses(1, play("O-1"), "JD-09").refuses(0, play("C-1"), "JD-09").allows(2, play("W-3"), play("W-2"))
    taken = played(led, (2, "W-3"), (0, "C-1")).then(CardPlayed(0, Card("C-1")), TrickTaken(1, 2))
    assert taken.table.taken == ((), (), hand("W-1 W-3 C-1"))
    taken.allows(2, play("W-2")).allows(1).refuses(1, play("O-1"), "JD-09")


def test_nothing_can_be_played_before_the_deal_or_after_the_match() -> None:
    """JD-06, JD-21"""
    table(GAME, 2).refuses(0, play("C-1"), "JD-06")
    over = counted("", "O-13", target=1)
    assert GAME.outcome(over.table) is not None and GAME.to_act(over.table) == frozenset()
    over.refuses(0, play("C-2"), "JD-21").refuses(1, play("O-13"), "JD-21")


@pytest.mark.parametrize("seats", [2, 3, 4])
def test_between_two_hands_the_deal_is_awaited_and_after_the_match_nothing(seats: int) -> None:
    """JD-06, JD-21, JD-22: at every table, after the first hand and after later ones."""
    pauses = 0
    for moment in random_match(GAME, seats, {"target": 9}, random.Random(seats)):
        story = Story(GAME, moment.after)
        if GAME.to_act(moment.after) == {CHANCE}:
            pauses += 1
            story.refuses(seats - 1, play("C-1"), "JD-06").allows(seats - 1)
    assert pauses > 2  # the lot, and more than one hand
    story.refuses(0, play("C-1"), "JD-21").allows(0)


def test_the_suit_led_is_followed_from_the_first_trick_while_the_pack_lasts() -> None:
    """JD-07, JD-R7"""
    story = dealt("C-9 O-10", "C-8 R-6", pack="O-2 R-2 R-3 R-4").when(1, play("C-8"))
    story.allows(0, play("C-9")).refuses(0, play("O-10"), "JD-07")


def test_who_is_void_may_trump_or_throw_away() -> None:
    """JD-07: nobody has to trump or to beat."""
    dealt("O-10 W-6", "C-8 R-6").when(1, play("C-8")).allows(0, play("O-10"), play("W-6"))
    dealt("C-13 C-6", "C-8 R-6").when(1, play("C-8")).allows(0, play("C-13"), play("C-6"))


def test_following_after_a_draw_JD_E12() -> None:
    """JD-07, JD-E12: W-13 must be played to W-4 though O-2 is held, and so must a W card that has just been drawn."""
    bound = dealt("W-13 O-2", "W-4 R-6", pack="C-1 C-2 C-3 C-4").but(trick_no=3).when(1, play("W-4"))
    bound.allows(0, play("W-13")).refuses(0, play("O-2"), "JD-07")
    story = dealt("C-7 O-3 R-3", "C-8 W-4 R-5", pack="R-9 W-9")
    story = played(story, (1, "C-8"), (0, "C-7"))
    assert story.last(CardsDrawn) == CardsDrawn((Drawn(1, Card("R-9")), Drawn(0, Card("W-9"))), None, 0)
    led = story.when(1, play("W-4"))
    led.allows(0, play("W-9")).refuses(0, play("O-3"), "JD-07").refuses(0, play("R-3"), "JD-07")


def test_a_card_elsewhere_is_refused_in_the_same_words_wherever_it_lies() -> None:
    """JD-07: the visible pack card, the pack below, another hand, a taken card and one's own played card."""
    story = dealt("C-7 C-10 R-8", "C-8 R-10 R-9", pack="W-1 W-2 W-3 W-4")
    story = played(story, (1, "C-8"), (0, "C-10"))
    assert GAME.view(story.table, 0)["top"] == "W-3"
    texts = set()
    for card in ("W-3", "W-4", "R-10", "W-2", "C-8", "C-10"):
        story.refuses(0, play(card), "JD-07")
        with pytest.raises(Refused) as refusal:
            GAME.decide(story.table, 0, play(card))
        texts.add((refusal.value.code, refusal.value.text.replace(card, "X")))
    assert texts == {("not_in_hand", "you do not hold X")}


@pytest.mark.parametrize(
    ("cards", "taker"),
    [
        (("C-12", "C-13", "O-1", "C-4"), 2),  # JD-E5
        (("O-5", "O-1", "O-9", "W-13"), 2),  # JD-E6
        (("C-2", "W-13", "R-13", "C-1"), 0),
        (("C-13", "O-2", "O-3", "O-1"), 2),
        (("R-1", "R-10", "R-11"), 2),
        (("W-1", "R-13"), 0),
    ],
)
def test_who_takes_a_trick(cards: tuple[str, ...], taker: int) -> None:
    """JD-08, JD-09, JD-E5, JD-E6: `taker` counts from the leader, trump is O."""
    seats = len(cards)
    order = [(1 + place) % seats for place in range(seats)]
    # A second card keeps the hand going. It is never of the suit led, so that nobody is bound by it.
    second = "W" if cards[0].startswith("R") else "R"
    hands = [""] * seats
    for seat, card in zip(order, cards, strict=True):
        hands[seat] = f"{card} {second}-{5 + seat}"
    story = played(dealt(*hands), *zip(order, cards, strict=True))
    assert story.last(TrickTaken).seat == order[taker]
    assert set(story.table.taken[order[taker]]) == set(hand(" ".join(cards)))


@pytest.mark.parametrize("suit", "CROW")
def test_thirteen_is_high_and_one_is_low_in_every_suit(suit: str) -> None:
    """JD-08"""
    other = "R" if suit != "R" else "C"
    for low, high in pairwise(range(1, 14)):
        for led, answer in ((low, high), (high, low)):
            story = dealt(f"{suit}-{answer} {other}-1", f"{suit}-{led} {other}-2")
            story = played(story, (1, f"{suit}-{led}"), (0, f"{suit}-{answer}"))
            assert story.last(TrickTaken).seat == (1 if led == high else 0)


def test_low_falls_to_the_trump_that_takes_a_plain_trick_JD_E5() -> None:
    """JD-16, JD-E5: O-1 takes C-12, C-13 and C-4, and its player gets Low."""
    story = dealt("C-4", "C-12", "C-13", "O-1").but(taken=(rest_without("C-4 C-12 C-13 O-1"), (), (), ()))
    scored = played(story, (1, "C-12"), (2, "C-13"), (3, "O-1"), (0, "C-4")).last(HandScored)
    assert (scored.high, scored.low, scored.jack_daw) == (0, 3, 0)


def test_low_and_jack_daw_are_the_takers_JD_E6() -> None:
    """JD-16, JD-17, JD-E6: O-9 takes O-5 and O-1."""
    story = dealt("W-13", "O-5", "O-1", "O-9").but(taken=(rest_without("W-13 O-5 O-1 O-9"), (), (), ()))
    scored = played(story, (1, "O-5"), (2, "O-1"), (3, "O-9"), (0, "W-13")).last(HandScored)
    assert (scored.high, scored.low, scored.jack_daw) == (0, 3, 3)


# ── Drawing ─────────────────────────────────────────────────────────────────────────────────────────────────────


def test_the_winner_draws_first_JD_E2() -> None:
    """JD-10, JD-11, JD-E2: seat 0 draws d13 and seat 1 d14, d15 is shown, and 38 cards are left."""
    d = FULL_PACK
    story = table(GAME, 2, first_dealer=0).when(CHANCE, Shuffled(d))
    assert GAME.view(story.table, 1)["top"] == d[12]  # known before the trick is played
    story = played(story, (1, "C-1"), (0, "C-4"))
    story.then(
        CardPlayed(0, Card("C-4")),
        TrickTaken(1, 0),
        CardsDrawn((Drawn(0, d[12]), Drawn(1, d[13])), d[14], 38),
    )
    assert pack_of(GAME.view(story.table, None)) == (38, d[14])
    assert d[12] in story.table.hands[0] and d[13] in story.table.hands[1]
    assert GAME.to_act(story.table) == {0}


def test_the_others_draw_clockwise_JD_E3() -> None:
    """JD-10, JD-R9, JD-E3"""
    story = dealt("C-1 R-1", "C-2 R-2", "C-9 R-3", "C-4 R-4", pack="R-9 C-3 W-11 O-5 W-12")
    story = played(story, (1, "C-2"), (2, "C-9"), (3, "C-4"), (0, "C-1"))
    draws = ((2, "R-9"), (3, "C-3"), (0, "W-11"), (1, "O-5"))
    drawn = tuple(Drawn(seat, Card(card)) for seat, card in draws)
    assert story.last(CardsDrawn) == CardsDrawn(drawn, Card("W-12"), 1)
    assert story.table.hands == (hand("R-1 W-11"), hand("R-2 O-5"), hand("R-3 R-9"), hand("C-3 R-4"))


def test_all_know_a_drawn_card_until_it_is_played() -> None:
    """JD-11: the cards of the deal stay unknown to others."""
    story = dealt("C-1 R-1", "C-2 R-2", pack="W-9 W-3 W-4 W-5")
    story = played(story, (1, "C-2"), (0, "C-1"))
    for seat in (0, 1, None):
        assert GAME.view(story.table, seat)["known"] == [["W-3"], ["W-9"]]
    story = played(story, (1, "W-9"), (0, "W-3"))
    assert GAME.view(story.table, 0)["known"] == [["W-5"], ["W-4"]]


def test_a_new_deal_makes_all_hands_unknown_again() -> None:
    """JD-11"""
    story = counted("O-13 O-1 O-5").but(drawn=FULL_PACK).when(CHANCE, Shuffled(FULL_PACK))
    assert GAME.view(story.table, 0)["known"] == [[], []]


def test_trump_stays_when_the_turned_card_is_drawn_JD_E13() -> None:
    """JD-05, JD-E13: the winner of trick 1 draws O-9; W-5 lies on top, and still O is trump."""
    story = dealt("C-1 O-2 R-1", "C-2 R-13 R-2", pack="O-9 W-3 W-5 W-6")
    story = played(story, (1, "C-2"), (0, "C-1"))
    assert GAME.view(story.table, 0)["top"] == "W-5" and Card("O-9") in story.table.hands[1]
    story = played(story, (1, "O-9"), (0, "O-2"))
    assert story.table.trump == "O" and GAME.view(story.table, 1)["trump"] == "O"
    ruff = dealt("O-2 W-1", "C-13 R-2", pack="").but(trick_no=5)
    assert played(ruff, (1, "C-13"), (0, "O-2")).last(TrickTaken).seat == 0


@pytest.mark.parametrize(("seats", "draws", "tricks"), [(2, 20, 26), (3, 11, 17), (4, 7, 13)])
def test_everybody_holds_six_until_the_pack_cannot_serve_all_JD_E4(seats: int, draws: int, tricks: int) -> None:
    """JD-12, JD-13, JD-14, JD-E4: with three the pack counts 31, 28, ... 4, 1, and the last card goes to trick 12."""
    events = whole_hand(seats, first_dealer=0)
    counts = [event.pack_count for event in events if isinstance(event, CardsDrawn)]
    full = 52 - 6 * seats
    assert counts == [full - seats * (n + 1) for n in range(draws)] and counts[-1] == (1 if seats == 3 else 0)
    assert [event.trick_no for event in events if isinstance(event, TrickTaken)] == list(range(1, tricks + 1))
    odd = [(before, event) for before, event in pairwise(events) if isinstance(event, OddCardTaken)]
    if seats == 3:
        ((before, event),) = odd
        assert isinstance(before, TrickTaken) and (before.trick_no, before.seat) == (12, event.seat)
    else:
        assert not odd
    story = Story(GAME, GAME.open_table({"first_dealer": 0}, seats))
    for event in events:
        if isinstance(event, CardPlayed) and not story.table.trick:
            held = {len(cards) for cards in story.table.hands}
            assert held == {6 - max(0, story.table.trick_no - draws - 1)}
        story = story.given(event)
    assert sum(len(pile) for pile in story.table.taken) == 52


def rest_without(cards: str, *more: str) -> tuple[Card, ...]:
    return tuple(card for card in FULL_PACK if card not in hand(" ".join((cards, *more))))


def three_with_an_odd_card(odd: str, **options: Any) -> Story:
    """Two cards each and one in the pack, as at trick 12 but shorter; seat 1 leads, seat 2 takes this trick."""
    held = ("C-2 W-2", "C-3 W-3", "C-4 W-1")
    story = dealt(*held, pack=odd, **options).but(trick_no=12, taken=(rest_without(odd, *held), (), ()))
    return played(story, (1, "C-3"), (2, "C-4"), (0, "C-2"))


def test_the_odd_card_joins_the_taken_cards_of_the_winner_JD_E15() -> None:
    """JD-13, JD-R3, JD-E15: O-5 gives the winner of trick 12 the Jack-Daw point and one count."""
    story = three_with_an_odd_card("O-5")
    story.then(CardPlayed(0, Card("C-2")), TrickTaken(12, 2), OddCardTaken(2, Card("O-5")))
    assert story.table.hands == (hand("W-2"), hand("W-3"), hand("W-1")) and story.table.taken[2][-1] == "O-5"
    assert pack_of(GAME.view(story.table, 1)) == (0, None)
    scored = played(story, (2, "W-1"), (0, "W-2"), (1, "W-3")).last(HandScored)
    assert scored.jack_daw == 2 and scored.game_counts == (79, 0, 1)


def test_the_odd_card_may_wait_for_the_last_trick_JD_E14() -> None:
    """JD-R3, JD-E14: it lies face up until then, and counts still sum to 80."""
    story = three_with_an_odd_card("O-5", odd_card="last_trick")
    story.then(CardPlayed(0, Card("C-2")), TrickTaken(12, 2))
    assert pack_of(GAME.view(story.table, 0)) == (1, "O-5")
    last = played(story, (2, "W-1"), (0, "W-2"), (1, "W-3"))
    assert last.events[:3] == (CardPlayed(1, Card("W-3")), TrickTaken(13, 1), OddCardTaken(1, Card("O-5")))
    assert last.last(HandScored).jack_daw == 1 and last.last(HandScored).game_counts == (79, 1, 0)
    events = whole_hand(3, odd_card="last_trick")
    before, event = next(pair for pair in pairwise(events) if isinstance(pair[1], OddCardTaken))
    assert (before.trick_no, before.seat) == (17, event.seat)
    assert sum(events[-1].game_counts) == 80
    refuses_table(GAME, 3, "JD-R3", odd_card="in_hand")


def test_high_can_be_the_odd_card() -> None:
    """JD-15: the 13 of trumps counts for whoever got it, also from the pack."""
    story = three_with_an_odd_card("O-13")
    assert played(story, (2, "W-1"), (0, "W-2"), (1, "W-3")).last(HandScored).high == 2


# ── Scoring ─────────────────────────────────────────────────────────────────────────────────────────────────────


def counted(*piles: str, seats: int = 2, rest: int = 0, totals: Sequence[int] = (), **options: Any) -> Story:
    """The last trick of a hand after which the seats have taken these cards; seat `rest` has all the others."""
    last = ("C-2", "C-3", "C-4", "C-6")[:seats]
    taken = [hand(pile) for pile in (*piles, *[""] * (seats - len(piles)))]
    taken[rest] += rest_without(" ".join(last), *piles)
    story = dealt(*last, **options).but(taken=tuple(taken), totals=tuple(totals) or (0,) * seats)
    return played(story, *((seat, last[seat]) for seat in [*range(1, seats), 0]))


@pytest.mark.parametrize("trump", "CROW")
@pytest.mark.parametrize(("number", "point"), [(13, "high"), (1, "low"), (5, "jack_daw")])
def test_three_points_go_to_the_takers_of_three_trumps(number: int, point: str, trump: str) -> None:
    """JD-15, JD-16, JD-17"""
    scored = counted("", f"{trump}-{number}", trump=trump).last(HandScored)
    made = {"high": scored.high, "low": scored.low, "jack_daw": scored.jack_daw}
    assert made == {"high": 0, "low": 0, "jack_daw": 0, point: 1}
    assert (scored.game, scored.delta) == (0, (3, 1))


def test_high_falls_to_its_player() -> None:
    """JD-15: nothing beats the 13 of trumps; checked in whole random hands of two and four."""
    for seats in (2, 4):
        for seed in range(20):
            events = whole_hand(seats, seed)
            trump = next(event.trump for event in events if isinstance(event, HandDealt))
            player = next(e.seat for e in events if isinstance(e, CardPlayed) and e.card == f"{trump}-13")
            assert events[-1].high == player


@pytest.mark.parametrize(
    ("number", "points"),
    [(1, 0), (2, 0), (3, 0), (4, 0), (5, 1), (6, 0), (7, 0), (8, 0), (9, 0), (10, 10), (11, 2), (12, 3), (13, 4)],
)
def test_what_counts_for_game(number: int, points: int) -> None:
    """JD-18: the same in every suit, and 80 in all."""
    for suit in "ROW":
        assert counted("", f"{suit}-{number}").last(HandScored).game_counts == (80 - points, points)


THREE_13S = "C-13 R-13 W-13 O-12 C-11 R-11 C-10 R-10 C-5 R-5"
FOUR_13S = "C-13 R-13 W-13 O-13 C-12 C-10 R-10 C-5"


def test_forty_one_makes_game_JD_E7() -> None:
    """JD-18, JD-19, JD-E7: 12+3+4+20+2 = 41 against 39."""
    scored = counted(THREE_13S, rest=1).last(HandScored)
    assert scored.game_counts == (41, 39) and scored.game == 0
    assert (scored.high, scored.low, scored.jack_daw, scored.delta) == (1, 1, 1, (1, 3))


def test_a_tied_game_is_nobodys_JD_E8() -> None:
    """JD-19, JD-R4, JD-E8: 16+3+20+1 = 40 on both sides, three points this hand."""
    scored = counted(FOUR_13S, rest=1).last(HandScored)
    assert scored.game_counts == (40, 40) and scored.game is None
    assert scored.delta == (1, 2) and sum(scored.delta) == 3


LOW_COUNTS = "C-12 R-12 O-12 W-12 C-11 R-11 C-5 R-5 O-5 W-5"  # 20


@pytest.mark.parametrize(
    ("piles", "counts", "game"),
    [
        (("C-10 R-10 C-13 R-13 O-11", "O-10 W-10 O-13 W-13 W-11"), (30, 30, 20), None),
        (("C-10 R-10 C-13 R-13 O-13 O-11", "O-10 W-10 W-13 W-11"), (34, 26, 20), 0),
        (("O-10 W-10 W-13 W-11", "C-10 R-10 C-13 R-13 O-13 O-11"), (26, 34, 20), 1),
    ],
)
@pytest.mark.parametrize("seats", [3, 4])
def test_game_with_three_or_four_JD_E9(
    piles: tuple[str, ...], counts: tuple[int, ...], game: int | None, seats: int
) -> None:
    """JD-20, JD-R4, JD-E9: 41 is not needed, a shared best count is nobody's."""
    scored = counted(*piles, LOW_COUNTS, seats=seats, rest=2).last(HandScored)
    assert scored.game_counts == (*counts, 0)[:seats] and scored.game == game


# ── The end of the match ────────────────────────────────────────────────────────────────────────────────────────


def test_high_is_counted_before_game_JD_E10() -> None:
    """JD-21, JD-R5, JD-E10: A makes Game, but B holds High and wins 10 to 9."""
    story = counted("", "O-13", totals=(9, 9))
    scored = story.last(HandScored)
    assert (scored.high, scored.game, scored.deciding) == (1, 0, "high")
    assert scored.delta == (0, 1) and scored.totals == (9, 10)
    result = GAME.outcome(story.table)
    assert result is not None and (result.winners, result.scores) == ((1,), (9, 10))


def test_counting_stops_at_jack_daw_JD_E11() -> None:
    """JD-21, JD-E11: C has High, A Low and Jack-Daw, B Game: A wins 10-9-1; with High B wins 10-8-0 before Low."""
    story = counted("O-1 O-5", "", "O-13", seats=3, rest=1, totals=(8, 9, 0))
    scored = story.last(HandScored)
    assert (scored.high, scored.low, scored.jack_daw, scored.game) == (2, 0, 0, 1)
    assert scored.totals == (10, 9, 1) and scored.deciding == "jack_daw"
    result = GAME.outcome(story.table)
    assert result is not None and result.places == (1, 2, 3)
    other = counted("O-1 O-5", "O-13", seats=3, rest=1, totals=(8, 9, 0)).last(HandScored)
    assert other.totals == (8, 10, 0) and other.deciding == "high" and other.delta == (0, 1, 0)


@pytest.mark.parametrize(
    ("totals", "deciding", "after"),
    [
        ((9, 0, 0, 0), "high", (10, 0, 0, 0)),
        ((0, 9, 9, 9), "low", (1, 10, 9, 9)),
        ((0, 0, 9, 9), "jack_daw", (1, 1, 10, 9)),
        ((0, 0, 0, 9), "game", (1, 1, 1, 10)),
        ((8, 8, 8, 8), None, (9, 9, 9, 9)),
    ],
)
def test_points_are_booked_in_the_order_of_the_list(
    totals: tuple[int, ...], deciding: str | None, after: tuple[int, ...]
) -> None:
    """JD-21, JD-22: seats 0 to 3 make High, Low, Jack-Daw and Game; without a winner the next hand is dealt."""
    story = counted("O-13", "O-1", "O-5", "", seats=4, rest=3, totals=totals)
    scored = story.last(HandScored)
    assert (scored.deciding, scored.totals) == (deciding, after)
    assert GAME.to_act(story.table) == (frozenset({CHANCE}) if deciding is None else frozenset())
    if deciding is None:
        assert story.when(CHANCE, Shuffled(FULL_PACK)).last(HandDealt).dealer == 1


@pytest.mark.parametrize(("target", "over"), [(1, True), (3, True), (4, False), (50, False)])
def test_the_target_can_be_agreed(target: int, over: bool) -> None:
    """JD-R8: seat 0 makes three points."""
    assert (GAME.outcome(counted("", "O-5", target=target).table) is not None) == over


def test_the_target_is_ten_if_nothing_is_said_and_from_1_to_50() -> None:
    """JD-R8"""
    assert table(GAME, 2).table.options.target == 10
    refuses_table(GAME, 2, "JD-R8", target=0)
    refuses_table(GAME, 2, "JD-R8", target=51)


@pytest.mark.parametrize("odd_card", ["trick_winner", "last_trick"])
@pytest.mark.parametrize("seats", [2, 3, 4])
def test_what_holds_for_every_hand(seats: int, odd_card: str) -> None:
    """JD-18, JD-21, JD-22: counts are 80, a hand gives four points or three, scores never fall, and one seat wins."""
    totals: tuple[int, ...] = (0,) * seats
    for seed in range(3):
        for moment in random_match(GAME, seats, {"odd_card": odd_card}, random.Random(seed)):
            for event in moment.events:
                if isinstance(event, HandScored):
                    assert sum(event.game_counts) == 80
                    assert event.deciding or sum(event.delta) == (3 if event.game is None else 4)
                    assert event.totals == tuple(t + d for t, d in zip(totals, event.delta, strict=True))
                    assert min(event.delta) >= 0 and sum(total >= 10 for total in event.totals) <= 1
                    totals = event.totals
        assert totals.count(10) == 1 and max(totals) == 10
        totals = (0,) * seats


@pytest.mark.parametrize("seats", [2, 4])
def test_without_a_card_left_over_nobody_asks_who_gets_it(seats: int) -> None:
    """JD-13, JD-R3"""
    for value in ("trick_winner", "last_trick"):
        refuses_idle(GAME, seats, "odd_card", value)
        GAME.new_table({"odd_card": value}, 3)


# ── An absent player ────────────────────────────────────────────────────────────────────────────────────────────


def offered(story: Story, seat: int) -> str:
    """The cards in the order in which they would be played for an absent player."""
    return " ".join(command.card for command in GAME.legal(story.table, seat))


def test_an_absent_player_gives_no_point_away() -> None:
    """JD-15, JD-16, JD-17, JD-18: Low and Jack-Daw go last, after the tens and court cards."""
    story = dealt("R-2", "C-1 C-5 C-3 R-10 R-13 W-4", trump="C")
    assert offered(story, 1) == "W-4 C-3 R-13 R-10 C-1 C-5"
    high = dealt("R-2", "C-13 R-10 W-5 W-9 W-1 C-2", trump="C")
    assert offered(high, 1) == "W-1 W-9 C-2 W-5 R-10 C-13"  # a plain 5 counts one, a plain 1 nothing
    same = dealt("R-2", "C-12 R-12 W-12", trump="R")
    assert offered(same, 1) == "C-12 W-12 R-12"  # of equal counts the trump is kept


@pytest.mark.parametrize("seats", [2, 3, 4])
def test_in_no_hand_is_a_point_the_first_thing_to_go(seats: int) -> None:
    """JD-15, JD-16, JD-17, JD-18: whoever is absent, and whatever has been played before."""
    for moment in random_match(GAME, seats, {"target": 8}, random.Random(seats)):
        trump = GAME.view(moment.after, None)["trump"]
        cards = [command.card for seat in range(seats) for command in GAME.legal(moment.after, seat)]
        precious = [card[0] == trump and number_of(card) in (13, 1, 5) for card in cards]
        assert precious == sorted(precious)
        counts = [COUNTS_FOR_GAME.get(number_of(card), 0) for card in cards if not precious[cards.index(card)]]
        assert counts == sorted(counts)


# ── Several hands, from the outside ─────────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize("seats", [2, 3, 4])
@pytest.mark.parametrize("target", [1, 7])
def test_every_field_of_every_view_follows_from_the_events(seats: int, target: int) -> None:
    """JD-04, JD-07, JD-11, JD-22: to its own seat a hand, to all what was drawn; also after the hand and the match."""
    for odd_card in ("trick_winner", "last_trick") if seats == 3 else ("trick_winner",):
        check_views(GAME, Reading, seats, {"target": target, "odd_card": odd_card}, steps=400)


@pytest.mark.parametrize("seats", [2, 3, 4])
def test_no_refusal_tells_of_a_hidden_card(seats: int) -> None:
    """JD-04, JD-07: neither what is in another hand nor what lies below the top of the pack."""
    check_refusals_tell_nothing(GAME, [PlayCard(card) for card in FULL_PACK], seats, {"target": 6}, steps=200)


@pytest.mark.parametrize("seats", [2, 3, 4])
def test_who_must_follow_is_told_a_card_of_the_own_hand(seats: int) -> None:
    """JD-07, JD-R7"""
    hands = ("R-9 W-2 O-3", "R-1 C-2 O-4", "R-5 W-6 O-5", "R-4 W-8 O-6")[:seats]
    story = dealt(*hands).when(1, play("R-1"))
    seat = 2 % seats
    refusal = refusal_of(GAME, story.table, seat, play(hands[seat].split()[2]))
    assert (
        refusal.text == f"you hold {hands[seat].split()[0]}, so {hands[seat].split()[2]} cannot be played to this trick"
    )


# ── What could be ───────────────────────────────────────────────────────────────────────────────────────────────


def test_a_seat_imagines_every_deal_that_fits_and_each_as_often() -> None:
    """JD-07, JD-11: seat 0 was out of W when W was led, and has drawn W-4 since, as all saw."""
    story = dealt("C-2 C-3 C-4", "W-9 W-2 R-2", pack="W-5 W-4 R-7 W-6 R-8")
    story = played(story, (1, "W-9"), (0, "C-2"))
    assert story.table.hands[0] == hand("C-3 C-4 W-4") and story.table.pack == hand("R-7 W-6 R-8")
    # Not seen: C-3, C-4, W-6, R-8. Two of them are in seat 0's hand, and not W-6; two lie below R-7.
    unseen = hand("C-3 C-4 R-8 W-6")
    expected = {
        (frozenset({*held, Card("W-4")}), (Card("R-7"), *under))
        for *held, one, other in permutations(unseen)
        for under in [(one, other)]
        if Card("W-6") not in held
    }
    rng = random.Random(5)
    drawn = Counter[Any]()
    for _ in range(1200):
        imagined = GAME.imagine(story.table, 1, rng.randrange)
        assert imagined.hands[1] == story.table.hands[1] and imagined.drawn == story.table.drawn
        drawn[frozenset(imagined.hands[0]), imagined.pack] += 1
    assert set(drawn) == expected and len(expected) == 6
    assert all(140 < count < 260 for count in drawn.values())
