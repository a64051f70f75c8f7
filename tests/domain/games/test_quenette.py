"""Quenette, rule by rule."""

from __future__ import annotations

import random
from collections.abc import Iterable
from typing import Any

import pytest

from domain.game import CHANCE, Outcome, Picked, Secret, Shuffled, each_its_own, hidden
from domain.games.quenette import GAME
from domain.games.quenette.game import ExtrasTaken, HandDealt, HandScored, Table, penalty
from domain.kit.cards import FULL_PACK, PAUPER, PRINCE, Card
from domain.kit.dealing import DealerChosen
from domain.kit.plays import CardPlayed, PlayCard, TrickTaken
from tests.domain.playing import Deal, random_match
from tests.domain.story import Story, hand, refuses_idle, refuses_table, table
from tests.golden.matches import Golden

QUICK = {"hands": 2}
SEVERAL = {"hands": 3}
GOLDEN = Golden(
    seats=3,
    options={"hands": 2},
    moment="the taker of the first trick finds O-5 among the extra cards",
    shows=lambda events: any(isinstance(e, ExtrasTaken) and Card("O-5") in e.cards.value for e in events),
)


def whole(s: Table) -> Iterable[Any]:
    return FULL_PACK


def pieces(s: Table) -> Iterable[Any]:
    extras = () if s.extras_taker is not None else s.extras
    if not s.hand_no:
        return ()
    return [*extras, *(c for pile in (*s.hands, *s.taken) for c in pile), *(play.card for play in s.trick)]


# ── What the rule page says, for the common tests ────────────────────────────────────────────────────────────────

SEATS = ("QU-01", range(2, 14))
OPTIONS = {
    "hands": ("QU-18", 7, range(1, 22)),
    "first_dealer": ("QU-R02", "random", "seat"),
    "extras_view": ("QU-R05", "taker", ("taker", "all", "none")),
    "tie_break": ("QU-R08", "share", ("share", "extra_hand")),
}
REFUSALS = {
    "QU-02": {"not_in_hand"},
    "QU-09": {"wrong_phase"},
    "QU-10": {"not_in_hand", "not_your_turn"},
    "QU-11": {"must_follow"},
    "QU-18": {"wrong_phase"},
}
LETTERS = "CROW"


def deal_map(deal: Deal) -> Iterable[Any]:
    """QU-03, QU-05, QU-06, QU-R09: round by round from eldest; what does not come out even stays face down."""
    eldest_first = [(deal.dealer + 1 + n) % deal.seats for n in range(deal.seats)]
    cards = list(deal.deck)
    hands: dict[int, list[Card]] = {seat: [] for seat in eldest_first}
    while len(cards) >= deal.seats:
        for seat in eldest_first:
            hands[seat].append(cards.pop(0))
    by_letter = {
        seat: tuple(sorted(kept, key=lambda c: (LETTERS.index(c[0]), int(c[2:])))) for seat, kept in hands.items()
    }
    secrets = tuple(Secret(by_letter[seat], (seat,)) for seat in range(deal.seats))
    yield HandDealt(deal.hand_no, deal.dealer, len(cards), secrets, Secret(tuple(cards), ()))


def recount(events: Iterable[Any], options: Any, seats: int) -> Outcome | None:
    """QU-07 to QU-20, card by card."""
    totals, hands_counted, hand_runs = [0] * seats, 0, False
    for event in events:
        match event:
            case HandDealt(_, dealer, _, _, extras):
                hand_runs, turn, trick = True, (dealer + 1) % seats, []
                left_over, tricks = extras.value, 0
                piles: list[list[Card]] = [[] for _ in range(seats)]
            case CardPlayed(seat, card):
                assert seat == turn
                trick.append((seat, card))
                turn = (turn + 1) % seats
            case TrickTaken(number, seat):
                tricks += 1
                followed = [(int(c[2:]), player) for player, c in trick if c[0] == trick[0][1][0]]
                assert (len(trick), number, seat) == (seats, tricks, max(followed)[1])
                piles[seat] += [c for _, c in trick]
                turn, trick = seat, []
            case ExtrasTaken(seat, count, cards):
                seen_by = {"taker": (seat,), "all": None, "none": ()}[options.extras_view]
                assert left_over, "nobody takes extra cards that are not there"
                assert (tricks, seat, count, cards) == (1, turn, len(left_over), Secret(left_over, seen_by))
                piles[seat] += left_over
            case HandScored(extras, delta, after):
                assert extras == left_over and sorted(c for pile in piles for c in pile) == sorted(FULL_PACK)
                assert list(delta) == [len([c for c in pile if c[0] == "O"]) + 4 * ("O-5" in pile) for pile in piles]
                totals = [had + got for had, got in zip(totals, delta, strict=True)]
                assert list(after) == totals
                hands_counted, hand_runs = hands_counted + 1, False
    if hand_runs or hands_counted < options.hands:
        return None
    if options.tie_break == "extra_hand" and totals.count(min(totals)) > 1:
        return None
    return Outcome(tuple(1 + len([t for t in totals if t < mine]) for mine in totals), tuple(totals), "smallest_total")


def dealt(*hands: str, dealer: int = 0, extras: str = "", hand_no: int = 1, **options: Any) -> Story:
    event = HandDealt(hand_no, dealer, len(hand(extras)), each_its_own([hand(h) for h in hands]), hidden(hand(extras)))
    return table(GAME, len(hands), **options).given(event)


def play(card: str) -> PlayCard:
    return PlayCard(Card(card))


# ── Pack and deal ───────────────────────────────────────────────────────────────────────────────────────────────


def test_tables_of_1_and_14_seats_are_refused_by_QU_01() -> None:
    refuses_table(GAME, 1, "QU-01")
    refuses_table(GAME, 14, "QU-01")


def test_prince_and_pauper_are_not_in_the_pack_QU_02() -> None:
    """QU-02"""
    dealt("C-1 C-2", "R-1 R-2").refuses(1, PlayCard(PRINCE), "QU-02").refuses(1, PlayCard(PAUPER), "QU-02")


def test_chance_names_the_first_dealer_then_the_deal_goes_left() -> None:
    """QU-03, QU-04, QU-R02"""
    story = table(GAME, 3)
    assert story.game.chance(story.table).of == 3  # type: ignore[union-attr]
    first = story.when(-1, Picked(2)).then(DealerChosen(2)).when(-1, Shuffled(FULL_PACK))
    assert first.last(HandDealt).dealer == 2
    second = first.given(HandScored((), (17, 0, 0), (17, 0, 0))).when(-1, Shuffled(FULL_PACK))
    assert (second.last(HandDealt).dealer, second.last(HandDealt).hand_no) == (0, 2)
    assert table(GAME, 3, first_dealer=1).when(-1, Shuffled(FULL_PACK)).last(HandDealt).dealer == 1


@pytest.mark.parametrize(
    ("seats", "each", "over"),
    [(2, 26, 0), (3, 17, 1), (4, 13, 0), (5, 10, 2), (6, 8, 4), (7, 7, 3), (8, 6, 4), (9, 5, 7), (10, 5, 2),
     (11, 4, 8), (12, 4, 4), (13, 4, 0)],
)  # fmt: skip
def test_the_pack_is_dealt_as_far_as_it_goes_evenly(seats: int, each: int, over: int) -> None:
    """QU-05, QU-06, QU-E3: n=4 and n=13 leave no extras, n=7 leaves three."""
    event = table(GAME, seats, first_dealer=0).when(-1, Shuffled(FULL_PACK)).last(HandDealt)
    assert [len(kept.value) for kept in event.hands] == [each] * seats
    assert len(event.extras.value) == event.extras_count == over
    assert event.extras.to == ()  # nobody sees them
    assert event.extras.value == FULL_PACK[52 - over :]  # QU-R09
    eldest = 1 % seats
    assert FULL_PACK[0] in event.hands[eldest].value and FULL_PACK[seats - 1] in event.hands[0].value


# ── Extra cards ─────────────────────────────────────────────────────────────────────────────────────────────────


def three_with_an_extra(**options: Any) -> Story:
    story = dealt("C-11 R-1", "C-4 R-2", "C-9 R-3", extras="O-5", **options)
    return story.when(1, play("C-4")).when(2, play("C-9")).when(0, play("C-11"))


def test_the_taker_of_the_first_trick_takes_the_extras_QU_E1() -> None:
    """QU-07, QU-E1: seat 0 takes the trick and the O-5, five points already."""
    story = three_with_an_extra()
    story.then(CardPlayed(0, Card("C-11")), TrickTaken(1, 0), ExtrasTaken(0, 1, Secret(hand("O-5"), (0,))))
    assert penalty(story.table.taken[0]) == 5
    assert story.table.hands[0] == hand("R-1")


@pytest.mark.parametrize(
    ("extras_view", "to", "seen"), [("taker", (0,), {0}), ("all", None, {0, 1, 2}), ("none", (), set())]
)
def test_who_may_look_at_the_extras(extras_view: str, to: Any, seen: set[int]) -> None:
    """QU-08, QU-R05"""
    story = three_with_an_extra(extras_view=extras_view)
    assert story.last(ExtrasTaken).cards.to == to
    views = [story.game.view(story.table, seat) for seat in range(3)]
    assert {seat for seat, view in enumerate(views) if view["extras"]["cards"]} == seen
    assert all("O-5" not in pile for view in views for pile in view["taken"])


def test_extras_of_six_seats_count_against_their_taker_QU_E2() -> None:
    """QU-E2: O-1 and O-2 among the extras are two points."""
    story = dealt(*["C-1", "C-2", "C-3", "C-4", "C-5", "C-6"], extras="O-1 O-2 R-7 W-3")
    for seat in (1, 2, 3, 4, 5):
        story = story.when(seat, play(f"C-{seat + 1}"))
    assert story.when(0, play("C-1")).last(HandScored).delta == (0, 0, 0, 0, 0, 2)


# ── Play ────────────────────────────────────────────────────────────────────────────────────────────────────────


def test_eldest_leads_any_card_and_play_goes_clockwise() -> None:
    """QU-09, QU-10"""
    story = dealt("C-1 O-2", "R-1 O-1", "W-1 W-2")
    story.allows(1, play("R-1"), play("O-1")).allows(0).allows(2)
    story.refuses(0, play("C-1"), "QU-10").refuses(2, play("W-1"), "QU-10")
    led = story.when(1, play("O-1")).then(CardPlayed(1, Card("O-1")))
    led.refuses(1, play("R-1"), "QU-10").allows(2, play("W-1"), play("W-2"))


def test_a_card_elsewhere_is_refused_in_the_same_words_wherever_it_lies() -> None:
    """QU-10: another hand, the extras and a taken pile cannot be probed."""
    story = three_with_an_extra()
    texts = set()
    for card in ("R-2", "O-5", "C-4"):
        story.refuses(0, play(card), "QU-10")
        try:
            story.game.decide(story.table, 0, play(card))
        except Exception as refusal:
            texts.add(str(refusal).replace(card, "X"))
    assert len(texts) == 1


def test_nothing_can_be_played_before_the_deal_or_after_the_last_hand() -> None:
    """QU-09, QU-18"""
    table(GAME, 2).refuses(0, play("C-1"), "QU-09")
    over = dealt("C-1", "C-2", hands=1).when(1, play("C-2")).when(0, play("C-1"))
    over.refuses(0, play("C-1"), "QU-18")


def test_the_letter_led_must_be_followed_QU_E11() -> None:
    """QU-11, QU-12, QU-E11"""
    led = dealt("O-5 C-1", "R-3 W-9").when(1, play("R-3"))
    led.allows(0, play("O-5"), play("C-1"))
    bound = dealt("R-13 O-5", "R-3 W-9").when(1, play("R-3"))
    bound.allows(0, play("R-13")).refuses(0, play("O-5"), "QU-11")
    dealt("O-5 C-2", "O-3 W-9").when(1, play("O-3")).refuses(0, play("C-2"), "QU-11")


def trick(*cards: str) -> Story:
    """Four seats play these cards, seat 1 first; each holds one more card of no account."""
    order = [cards[-1], *cards[:-1]]
    story = dealt(*[f"{card} C-{10 + seat}" for seat, card in enumerate(order)])
    for seat in (1, 2, 3, 0):
        story = story.when(seat, play(order[seat]))
    return story


@pytest.mark.parametrize(
    ("cards", "taker", "points"),
    [
        (("R-3", "R-10", "O-13", "R-7"), 2, 1),
        (("W-2", "W-13", "O-5", "W-1"), 2, 5),
        (("O-4", "O-1", "O-12", "O-8"), 3, 4),
    ],
)
def test_the_highest_card_of_the_letter_led_takes(cards: tuple[str, ...], taker: int, points: int) -> None:
    """QU-13, QU-E5: R-10 takes over O-13, one point."""
    story = trick(*cards)
    assert story.last(TrickTaken).seat == taker
    assert penalty(story.table.taken[taker]) == points


def test_the_leader_takes_when_all_others_are_void_QU_E6() -> None:
    """QU-E6: W-2 takes C-13, O-5 and R-13."""
    story = dealt("R-13 R-1", "W-2 W-3", "C-13 C-1", "O-5 O-1")
    for seat, card in ((1, "W-2"), (2, "C-13"), (3, "O-5"), (0, "R-13")):
        story = story.when(seat, play(card))
    assert story.last(TrickTaken).seat == 1 and penalty(story.table.taken[1]) == 5


def test_O_may_be_led_to_the_first_trick_and_the_taker_leads_next_QU_E7() -> None:
    """QU-14, QU-R06, QU-E7: O-12 takes O-4, O-1 and C-8, three points."""
    story = dealt("C-8 C-1", "O-4 C-2", "O-1 C-3", "O-12 C-4")
    for seat, card in ((1, "O-4"), (2, "O-1"), (3, "O-12"), (0, "C-8")):
        story = story.when(seat, play(card))
    assert story.last(TrickTaken).seat == 3 and penalty(story.table.taken[3]) == 3
    story.allows(3, play("C-4")).allows(0)


def test_before_the_first_deal_the_table_is_empty() -> None:
    """QU-03, QU-04"""
    view = GAME.view(table(GAME, 3).table, None)
    assert (view["phase"], view["hand_no"], view["trick_no"], view["dealer"], view["turn"]) == (
        "awaiting_deal", 0, 0, None, None,
    )  # fmt: skip
    assert (view["trick"], view["taken"], view["totals"]) == ([], [(), (), ()], (0, 0, 0))


def test_between_two_hands_the_table_awaits_the_deal() -> None:
    """QU-04, QU-18"""
    phases = []
    for moment in random_match(GAME, 3, {"hands": 3}, random.Random(3)):
        if any(isinstance(event, HandScored) for event in moment.events):
            phases.append(GAME.view(moment.after, None)["phase"])
    assert phases == ["awaiting_deal", "awaiting_deal", "finished"]


# ── Scoring and end ─────────────────────────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize(
    ("taken", "points"),
    [
        ("O-5 O-9 O-13 R-5", 7),  # QU-E4
        ("O-1 O-2 O-3", 3),  # QU-E8
        ("O-5", 5),
        ("O-4 O-6 O-7 O-8 O-9 O-10", 6),
        ("O-11 O-12 O-13", 3),
        ("O-1 O-2 O-3 O-4 O-5 O-6 O-7 O-8 O-9 O-10 O-11 O-12 O-13", 17),  # QU-E9
        ("R-5 C-13 W-1", 0),
    ],
)
def test_each_O_card_is_a_point_and_O_5_is_five(taken: str, points: int) -> None:
    """QU-15, QU-16, QU-17, QU-E4, QU-E8, QU-E9"""
    assert penalty(hand(taken)) == points


def last_trick(totals: tuple[int, ...], **options: Any) -> Story:
    """The last trick of hand 7, in which nobody takes an O card."""
    story = dealt("C-1", "C-2", "C-3", "C-4", hand_no=7, **options).but(totals=totals)
    for seat in (1, 2, 3, 0):
        story = story.when(seat, play(f"C-{seat + 1}"))
    return story


def test_after_seven_hands_the_smallest_total_wins_and_ties_share_QU_E10() -> None:
    """QU-18, QU-19, QU-20, QU-R08, QU-E10"""
    story = last_trick((31, 22, 44, 22))
    result = GAME.outcome(story.table)
    assert result is not None and result.winners == (1, 3) and result.places == (3, 1, 4, 1)
    alone = GAME.outcome(last_trick((31, 21, 44, 23)).table)
    assert alone is not None and alone.winners == (1,)


@pytest.mark.parametrize("seats", range(2, 14))
def test_a_tie_for_the_smallest_total_is_shared_or_played_off_at_every_table(seats: int) -> None:
    """QU-19, QU-20, QU-R08: a tie further up decides nothing."""
    low, high = (3, 3, *[9] * (seats - 2)), (3, *[9] * (seats - 1))
    for tie_break, goes_on in (("share", False), ("extra_hand", True)):
        given = {"hands": 2, "tie_break": tie_break}
        tied, alone = (table(GAME, seats, **given).but(hand_no=2, dealer=0, totals=t) for t in (low, high))
        outcome = GAME.outcome(alone.table)
        assert outcome is not None and outcome.places == (1, *[2] * (seats - 1))
        assert (GAME.outcome(tied.table) is None) == goes_on
        assert (GAME.to_act(tied.table) == {CHANCE}) == goes_on


def test_an_extra_hand_is_played_until_one_is_lowest_QU_E10() -> None:
    """QU-R08, QU-E10"""
    story = last_trick((31, 22, 44, 22), tie_break="extra_hand")
    assert GAME.outcome(story.table) is None
    eighth = story.when(-1, Shuffled(FULL_PACK))
    assert eighth.last(HandDealt).hand_no == 8


def test_every_hand_gives_17_points_and_takes_52_cards() -> None:
    """QU-17, QU-21: checked in whole random matches."""
    for seats in (2, 3, 6, 13):
        scored = [
            event
            for moment in random_match(GAME, seats, {"hands": 3}, random.Random(seats))
            for event in moment.events
            if isinstance(event, HandScored)
        ]
        assert [sum(event.delta) for event in scored] == [17, 17, 17]
        assert [sum(event.totals) for event in scored] == [17, 34, 51]


@pytest.mark.parametrize("extras_view", ["taker", "all", "none"])
def test_extras_that_the_count_has_shown_stay_on_the_table(extras_view: str) -> None:
    """QU-08, QU-R05: in the view of every seat, with the taker's other cards, until the next deal."""
    story = three_with_an_extra(extras_view=extras_view, hands=1)
    scored = story.when(0, play("R-1")).when(1, play("R-2")).when(2, play("R-3"))
    assert scored.last(HandScored).extras == hand("O-5")
    for seat in (None, 0, 1, 2):
        view = GAME.view(scored.table, seat)
        assert view["phase"] == "finished" and view["extras"]["cards"] == hand("O-5")
        assert Card("O-5") in view["taken"][0]


@pytest.mark.parametrize("seats", [2, 4, 13])
def test_without_extras_nobody_asks_who_may_see_them(seats: int) -> None:
    """QU-06, QU-R05"""
    refuses_idle(GAME, seats, "extras_view", "taker")
    GAME.new_table({"extras_view": "taker"}, 3)


def test_two_who_cannot_tie_need_no_tie_break() -> None:
    """QU-21, QU-R08: 17 points a hand are an odd sum over an odd number of hands."""
    refuses_idle(GAME, 2, "tie_break", "extra_hand", hands=7)
    refuses_idle(GAME, 2, "tie_break", "share", hands=3)
    GAME.new_table({"tie_break": "extra_hand", "hands": 2}, 2)
    GAME.new_table({"tie_break": "extra_hand", "hands": 7}, 3)
