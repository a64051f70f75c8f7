"""Flique, rule by rule. Seat 0 deals in most tests, so that seat 1 is the non-dealer."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Collection, Iterable
from itertools import combinations, islice, pairwise
from typing import Any

import pytest

from domain.game import ALL, CHANCE, Outcome, Pick, Picked, Refused, Secret, Shuffle, Shuffled
from domain.games.flique import GAME
from domain.games.flique.events import (
    CardDiscarded,
    CardDrawn,
    CombinationPlaced,
    Discard,
    Draw,
    GameDrawn,
    GameWon,
    HandDealt,
    PassOut,
    Place,
    TakeDiscard,
)
from domain.games.flique.game import PACK, Table
from domain.kit.cards import Card
from domain.kit.dealing import DealerChosen
from domain.wire import names, read_command, write_command
from tests.domain.playing import Deal, random_match
from tests.domain.story import Story, hand, refuses_idle, refuses_table, table
from tests.golden.matches import Golden

QUICK: dict[str, Any] = {}
SEVERAL = {"target_wins": 3}
NEEDS = {"replay_draws": {"target_wins": 1}}
GOLDEN = Golden(
    seats=2,
    options={"replay_draws": True},
    moment="after a drawn game the next is won by taking the discard",
    shows=lambda events: (
        any(isinstance(e, GameDrawn) for e in events)
        and any(
            isinstance(e, CombinationPlaced) and e.source == "discard" and isinstance(after, GameWon)
            for e, after in pairwise(events)
        )
        and sum(isinstance(e, HandDealt) for e in events) <= 3
    ),
)

ND_HAND = "C-1 C-2 C-5 R-4 R-9 O-3 O-7 W-2 W-8 W-10"
DL_HAND = "C-4 R-5 R-7 R-10 O-1 O-5 O-9 W-3 W-4 W-6"


def whole(s: Table) -> Iterable[Any]:
    return PACK


def pieces(s: Table) -> Iterable[Any]:
    if not s.hand_no:
        return ()
    drawn = () if s.drawn is None else (s.drawn,)
    placed = [card for own in s.placed for cards in own for card in cards]
    return [*s.reserve, *s.discards, *drawn, *placed, *(card for held in s.hands for card in held)]


# ── What the rule page says, for the common tests ────────────────────────────────────────────────────────────────

SEATS = ("FL-01", range(2, 3))
OPTIONS = {
    "first_dealer": ("FL-R1", "random", "seat"),
    "sets": ("FL-R2", False, bool),
    "lay_from_hand": ("FL-R4", False, bool),
    "extend": ("FL-R5", False, bool),
    "target_wins": ("FL-R9", 1, range(1, 11)),
    "replay_draws": ("FL-R9", False, bool),
}
REFUSALS = {
    "FL-03": {"wrong_phase"},
    "FL-05": {"no_combination"},
    "FL-06": {"too_long", "corner"},
    "FL-07": {"not_in_hand", "one_a_turn", "without_help"},
    "FL-08": {"fixed"},
    "FL-09": {"no_discard"},
    "FL-10": {"wrong_phase", "not_your_turn"},
    "FL-11": {"no_combination"},
    "FL-13": {"not_the_drawn_card"},
    "FL-14": {"wrong_phase", "not_in_hand"},
    "FL-16": {"wrong_phase"},
    "FL-19": {"reserve_empty", "wrong_phase"},
    "FL-20": {"wrong_phase"},
    "FL-R3": {"not_in_hand"},
    "FL-R5": {"helped_card_alone", "no_such_combination"},
}


def by_letter(cards: Iterable[Card]) -> tuple[Card, ...]:
    return tuple(sorted(cards, key=lambda card: ("CROW".index(card[0]), int(card[2:]))))


def deal_map(deal: Deal) -> Iterable[Any]:
    """FL-03, FL-04, FL-E1: packets of three, three and four, the non-dealer first; the rest is seen by nobody."""
    assert sorted(deal.deck) == sorted(f"{letter}-{n}" for letter in "CROW" for n in range(1, 11))
    cards = list(deal.deck)
    hands: dict[int, list[Card]] = {0: [], 1: []}
    for packet in (3, 3, 4):
        for seat in (1 - deal.dealer, deal.dealer):
            hands[seat] += cards[:packet]
            del cards[:packet]
    kept = tuple(Secret(by_letter(hands[seat]), (seat,)) for seat in (0, 1))
    yield HandDealt(deal.hand_no, deal.dealer, 20, kept, Secret(tuple(cards), ()))


def is_combination(cards: Collection[str], options: Any) -> bool:
    """FL-05, FL-06, FL-R2"""
    if not 2 <= len(cards) == len(set(cards)) <= 4:
        return False
    letters, numbers = {card[0] for card in cards}, [int(card[2:]) for card in cards]
    if len(letters) == 1:
        return max(numbers) - min(numbers) == len(cards) - 1
    return bool(options.sets) and len(set(numbers)) == 1


def recount(events: Iterable[Any], options: Any, seats: int) -> Outcome | None:
    """FL-07 to FL-20: the turns of both seats, card by card, and the wins."""
    wins, last = [0, 0], None
    for event, following in pairwise([*events, None]):
        match event:
            case HandDealt(_, dealer, _, hands_dealt, pile):
                hands = [set(kept.value) for kept in hands_dealt]
                reserve, last = list(pile.value), None
                discards: list[Card] = []
                placed: list[list[tuple[Card, ...]]] = [[], []]
                turn, phase, help_ = 1 - dealer, "choosing", None
            case CardDrawn(seat, card):
                help_ = reserve.pop(0)
                assert (seat, phase, card) == (turn, "choosing", Secret(help_, (turn,)))
                phase = "drawn"
            case CombinationPlaced(seat, laid, source, onto):
                assert seat == turn and laid == by_letter(laid) and is_combination(laid, options)
                if source == "hand":
                    assert options.lay_from_hand and (phase, onto) == ("discarding", None)
                    added = set(laid)
                else:
                    help_ = discards.pop() if source == "discard" else help_
                    assert phase == {"discard": "choosing", "drawn": "drawn"}[source]
                    before = () if onto is None else placed[seat][onto]
                    added = set(laid) - {*before, help_}
                    assert help_ in laid and set(before) <= set(laid)
                    assert onto is None or (options.extend and not added)
                assert added <= hands[seat]
                hands[seat] -= added
                placed[seat][len(placed[seat]) if onto is None else onto : None if onto is None else onto + 1] = [laid]
                phase, help_ = "discarding", None
                on_table = sum(map(len, placed[seat]))
                assert isinstance(following, GameWon) == (on_table == 11) and len(hands[seat]) + on_table == 11
            case CardDiscarded(seat, card, was_drawn):
                assert seat == turn and was_drawn == (phase == "drawn")
                if was_drawn:
                    assert card == help_
                else:
                    assert phase == "discarding" and card in hands[seat]
                    hands[seat].remove(card)
                assert len(hands[seat]) + sum(map(len, placed[seat])) == 10
                discards.append(card)
                turn, phase, help_ = 1 - seat, "choosing", None
                extended = options.extend and any(is_combination((*own, card), options) for own in placed[turn])
                fits = any(is_combination((card, other), options) for other in hands[0] | hands[1])
                over = not reserve and not extended and not (hands[turn] and fits)
                assert (following == GameDrawn(False)) == over
            case GameWon(seat, after):
                wins[seat] += 1
                assert seat == turn and list(after) == wins
                last = "eleven_placed"
            case GameDrawn(passed_out):
                assert not reserve and phase == "choosing" and passed_out == (not over)
                last = "drawn_game"
    one_game = options.target_wins == 1 and not options.replay_draws
    if last is None or (max(wins) < options.target_wins and not (one_game and last == "drawn_game")):
        return None
    places = (1, 1) if wins[0] == wins[1] else (1, 2) if wins[0] > wins[1] else (2, 1)
    return Outcome(places, tuple(wins), last)


def told(events: Iterable[Any], seat: int | None) -> dict[str, Any]:
    """The view of a seat, put together from what the events told it and from nothing else."""
    wins: tuple[int, ...] = (0, 0)
    turn: int | None
    hand: tuple[Card, ...]
    discards: tuple[Card, ...]
    placed: list[tuple[tuple[Card, ...], ...]]
    for event in events:
        match event:
            case HandDealt(hand_no, dealer, reserve, hands):
                turn, phase, drawn, discards = 1 - dealer, "choosing", None, ()
                hand = () if seat is None else hands[seat].value
                counts, placed = [10, 10], [(), ()]
            case CardDrawn(_, card):
                reserve, phase = reserve - 1, "drawn"
                drawn = card.value if seat in (card.to or ()) else None
            case CombinationPlaced(placer, cards, source, onto):
                own = placed[placer]
                here = sum(map(len, own))
                placed[placer] = (*own, cards) if onto is None else (*own[:onto], cards, *own[onto + 1 :])
                counts[placer] -= sum(map(len, placed[placer])) - here - (source != "hand")
                discards = discards[:-1] if source == "discard" else discards
                hand = tuple(held for held in hand if held not in cards) if seat == placer else hand
                phase, drawn = "discarding", None
            case CardDiscarded(thrower, card, was_drawn):
                counts[thrower] -= not was_drawn
                hand = tuple(held for held in hand if held != card) if seat == thrower else hand
                discards, turn, phase, drawn = (*discards, card), 1 - thrower, "choosing", None
            case GameWon(_, wins):
                phase, turn = "over", None
            case GameDrawn():
                phase, turn = "over", None
    return {
        "phase": phase, "hand_no": hand_no, "dealer": dealer, "turn": turn,
        "hand": None if seat is None else hand, "hand_counts": counts,
        "hands": None, "drawn": drawn, "stock_count": reserve, "stock": None, "discards": discards, "placed": tuple(placed),
        "placed_counts": [sum(map(len, own)) for own in placed], "totals": wins,
    }  # fmt: skip


def at(
    mine: str,
    other: str = "W-1 W-9",
    *,
    reserve: str = "R-1",
    discards: str = "",
    placed: tuple[str, ...] = (),
    rivals: tuple[str, ...] = (),
    game_no: int = 1,
    **options: Any,
) -> Story:
    """It is the turn of seat 0, who holds `mine` and has placed these combinations."""
    return table(GAME, 2, **options).but(
        dealer=1,
        hand_no=game_no,
        phase="choosing",
        hands=(hand(mine), hand(other)),
        reserve=hand(reserve),
        discards=hand(discards),
        placed=(tuple(hand(c) for c in placed), tuple(hand(c) for c in rivals)),
    )


def drew(card: str, mine: str, **more: Any) -> Story:
    """Seat 0 has drawn this card."""
    rest = more.pop("reserve", "R-1")
    return at(mine, reserve=f"{card} {rest}", **more).when(0, Draw())


def place(cards: str = "", onto: int | None = None) -> Place:
    return Place(hand(cards), onto)


def take(cards: str = "", onto: int | None = None) -> TakeDiscard:
    return TakeDiscard(hand(cards), onto)


def drop(card: str) -> Discard:
    return Discard(Card(card))


def refusal(story: Story, seat: int, command: Any) -> Refused:
    with pytest.raises(Refused) as caught:
        GAME.decide(story.table, seat, command)
    return caught.value


# ── Deal ────────────────────────────────────────────────────────────────────────────────────────────────────────


def test_two_play_with_forty_cards() -> None:
    """FL-01: 11, 12 and 13 are out."""
    refuses_table(GAME, 1, "FL-01")
    refuses_table(GAME, 3, "FL-01")
    assert len(PACK) == 40 and {card.number for card in PACK} == set(range(1, 11))


def test_the_deal_map_FL_E1() -> None:
    """FL-03, FL-04, FL-R1, FL-E1: packets of three, three and four, the non-dealer first; d21 is the top of the reserve."""
    story = table(GAME, 2, first_dealer=0).when(CHANCE, Shuffled(PACK))
    event = story.last(HandDealt)
    assert set(event.hands[1].value) == {*PACK[0:3], *PACK[6:9], *PACK[12:16]}
    assert set(event.hands[0].value) == {*PACK[3:6], *PACK[9:12], *PACK[16:20]}
    assert event.reserve == Secret(PACK[20:], ()) and event.reserve_count == 20
    assert [kept.to for kept in event.hands] == [(0,), (1,)]
    assert story.table.discards == () and GAME.to_act(story.table) == {1}
    assert story.when(1, Draw()).last(CardDrawn) == CardDrawn(1, Secret(PACK[20], (1,)))
    other = table(GAME, 2, first_dealer=1).when(CHANCE, Shuffled(PACK)).last(HandDealt)
    assert other.hands[0].value == event.hands[1].value


def test_chance_names_the_first_dealer_and_the_deal_alternates() -> None:
    """FL-02, FL-R1"""
    story = table(GAME, 2, target_wins=2)
    assert GAME.chance(story.table) == Pick(2)
    first = story.when(CHANCE, Picked(1)).then(DealerChosen(1))
    assert GAME.chance(first.table) == Shuffle(PACK)
    dealt = first.when(CHANCE, Shuffled(PACK))
    second = dealt.given(GameWon(0, (1, 0))).when(CHANCE, Shuffled(PACK))
    assert [dealt.last(HandDealt).dealer, second.last(HandDealt).dealer] == [1, 0]
    assert second.last(HandDealt).hand_no == 2 and second.table.placed == ((), ())


def test_nothing_is_done_before_the_deal() -> None:
    """FL-03"""
    table(GAME, 2).refuses(0, Draw(), "FL-03").refuses(1, drop("C-1"), "FL-03")


# ── Combinations ────────────────────────────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize(
    ("drawn", "with_", "rule"),
    [
        ("C-2", "C-1 C-3 C-4", None),  # FL-E8: 1-2-3-4
        ("R-8", "R-7 R-9", None),  # FL-E8: 7-8-9
        ("O-10", "O-9", None),
        ("C-1", "C-2", None),
        ("C-10", "C-1", "FL-06"),  # FL-E9
        ("C-1", "C-9 C-10", "FL-06"),
        ("C-3", "C-1 C-2 C-4 C-5", "FL-06"),  # FL-E9
        ("C-5", "C-1 C-2 C-3 C-4", "FL-06"),
        ("R-4", "O-4", "FL-05"),  # FL-E10
        ("R-4", "O-5", "FL-05"),
        ("C-3", "C-5", "FL-05"),
        ("C-3", "C-1", "FL-05"),
        ("C-3", "", "FL-05"),
        ("C-3", "C-2 C-2", "FL-05"),
        ("R-4", "R-5 O-6", "FL-05"),
        ("R-6", "C-1 C-2", "FL-07"),  # a combination of the hand alone
    ],
)
def test_what_makes_a_combination(drawn: str, with_: str, rule: str | None) -> None:
    """FL-05, FL-06, FL-07, FL-R2, FL-E8, FL-E9, FL-E10: in the first game and in later ones, for both seats."""
    held = " ".join(dict.fromkeys(with_.split())) or "W-5"
    mine = drew(drawn, f"{held} W-7"), drew(drawn, f"{held} W-7", game_no=3)
    rivals = at("W-9", f"{held} W-7", reserve=drawn, target_wins=2, game_no=2).but(turn=1).when(1, Draw())
    for seat, story in ((0, mine[0]), (0, mine[1]), (1, rivals)):
        if rule:
            story.refuses(seat, place(with_), rule)
        else:
            assert place(with_) in GAME.legal(story.table, seat)
            story.when(seat, place(with_))


@pytest.mark.parametrize("number", range(1, 11))
def test_every_number_makes_a_set_FL_E10(number: int) -> None:
    """FL-R2: from the 1 to the 10, and for a taken discard too."""
    others = [f"R-{number}", f"O-{number}", f"W-{number}"]
    choices = [" ".join(cards) for size in (1, 2, 3) for cards in combinations(others, size)]
    drawn = drew(f"C-{number}", " ".join(others), sets=True)
    drawn.allows(0, drop(f"C-{number}"), *map(place, choices))
    at(" ".join(others), discards=f"C-{number}", sets=True).allows(0, Draw(), *map(take, choices))


def test_12_and_13_are_not_in_the_pack_FL_E8() -> None:
    """FL-R3, FL-E8: the printed example 12-13 cannot be."""
    story = drew("C-10", "C-9 W-7")
    story.refuses(0, place("C-12"), "FL-R3").refuses(0, place("C-9 PRINCE"), "FL-R3").refuses(0, place("C-13"), "FL-R3")
    at("C-9", discards="C-10").refuses(0, take("C-11"), "FL-R3")


def test_one_to_five_can_lie_as_a_two_and_a_three_FL_E9() -> None:
    """FL-07, FL-E9: in two turns, each with its helped card."""
    story = drew("C-2", "C-1 C-3 C-5 W-7 W-9", reserve="R-1 C-4").when(0, place("C-1")).when(0, drop("W-7"))
    story = story.when(1, Draw()).when(1, drop("R-1")).when(0, Draw()).when(0, place("C-3 C-5"))
    assert story.table.placed[0] == (hand("C-1 C-2"), hand("C-3 C-4 C-5"))


def test_cards_of_one_number_count_where_the_table_says_so_FL_E10() -> None:
    """FL-R2, FL-E10: two to four different suits."""
    story = drew("R-4", "C-4 O-4 W-4 R-5 W-7", sets=True)
    story.when(0, place("O-4")).when(0, drop("R-5"))
    choices = ["C-4", "O-4", "W-4", "C-4 O-4", "C-4 W-4", "O-4 W-4", "C-4 O-4 W-4", "R-5"]
    story.allows(0, drop("R-4"), *[place(cards) for cards in choices])
    story.refuses(0, place("C-4 R-5"), "FL-05").refuses(0, place("C-4 C-4"), "FL-05")
    drew("R-4", "C-4 O-4 W-7").allows(0, drop("R-4"))


def test_the_cards_may_be_named_in_any_order() -> None:
    """FL-05: the combination lies in order."""
    story = drew("C-2", "C-1 C-3 W-7").when(0, place("C-3 C-1"))
    assert story.last(CombinationPlaced).cards == hand("C-1 C-2 C-3")


# ── The turn ────────────────────────────────────────────────────────────────────────────────────────────────────


def test_the_first_turn_is_a_draw() -> None:
    """FL-09: there is no discard to take."""
    story = table(GAME, 2, first_dealer=0).when(CHANCE, Shuffled(PACK))
    story.allows(1, Draw()).refuses(1, take("C-1"), "FL-09").refuses(0, Draw(), "FL-10")


def test_placing_with_the_drawn_card_FL_E2() -> None:
    """FL-07, FL-12, FL-14, FL-15, FL-E2"""
    story = drew("C-3", ND_HAND)
    story.allows(0, drop("C-3"), place("C-2"), place("C-1 C-2")).refuses(0, place("C-5"), "FL-05")
    three = story.when(0, place("C-1 C-2")).then(CombinationPlaced(0, hand("C-1 C-2 C-3"), "drawn", None))
    assert len(three.table.hands[0]) == 8 and GAME.view(three.table, 1)["placed_counts"] == [3, 0]
    three.allows(0, *map(Discard, hand("C-5 R-4 R-9 O-3 O-7 W-2 W-8 W-10")))
    done = three.when(0, drop("R-4")).then(CardDiscarded(0, Card("R-4"), False))
    assert len(done.table.hands[0]) == 7 and GAME.to_act(done.table) == {1}


def test_a_card_not_used_is_itself_discarded_FL_E3() -> None:
    """FL-12, FL-13, FL-E3: it is not exchanged for a hand card."""
    story = drew("R-6", ND_HAND)
    story.allows(0, drop("R-6")).refuses(0, drop("W-10"), "FL-13").refuses(0, drop("R-2"), "FL-13")
    done = story.when(0, drop("R-6")).then(CardDiscarded(0, Card("R-6"), True))
    assert len(done.table.hands[0]) == 10 and done.table.placed[0] == () and done.table.discards == hand("R-6")


def test_a_seat_may_wait_though_it_could_place() -> None:
    """FL-12, FL-R6: the first legal command leaves everything as it is."""
    story = drew("C-3", ND_HAND)
    assert GAME.legal(story.table, 0)[0] == drop("C-3")
    assert story.when(0, drop("C-3")).table.placed[0] == ()


def test_taking_the_discard_FL_E4() -> None:
    """FL-10, FL-11, FL-E4"""
    story = at(DL_HAND, discards="W-10 R-6")
    story.allows(0, Draw(), take("R-5"), take("R-7"), take("R-5 R-7"))
    story.refuses(0, take("R-10"), "FL-11").refuses(0, take(), "FL-11").refuses(0, take("R-5 W-6"), "FL-11")
    taken = story.when(0, take("R-5 R-7")).then(CombinationPlaced(0, hand("R-5 R-6 R-7"), "discard", None))
    assert taken.table.discards == hand("W-10") and len(taken.table.hands[0]) == 8
    assert len(taken.when(0, drop("C-4")).table.hands[0]) == 7
    at("W-9 W-2", discards="W-10 R-6").allows(0, Draw())  # FL-11: only the latest
    assert refusal(story, 0, take("R-10")).text.startswith("R-6 can be taken only for a combination")


def test_what_cannot_be_done_in_each_phase() -> None:
    """FL-07, FL-10, FL-13, FL-14: the order of a turn."""
    choosing = at("C-1 C-2 W-7", discards="C-3")
    choosing.refuses(0, place("C-2"), "FL-10").refuses(0, drop("C-1"), "FL-10").refuses(0, PassOut(), "FL-19")
    drawn = drew("C-3", "C-1 C-2 W-7", discards="W-8")
    drawn.refuses(0, take("W-7"), "FL-10").refuses(0, Draw(), "FL-10").refuses(0, PassOut(), "FL-19")
    discarding = drawn.when(0, place("C-2"))
    discarding.refuses(0, Draw(), "FL-14").refuses(0, take("W-7"), "FL-14").refuses(0, PassOut(), "FL-19")
    discarding.refuses(0, place("C-1 W-7"), "FL-07").refuses(0, drop("C-3"), "FL-14").refuses(0, drop("W-9"), "FL-14")
    for story in (choosing, drawn, discarding):
        for command in (Draw(), take("W-9"), place("W-9"), drop("W-9"), PassOut()):
            story.refuses(1, command, "FL-10")


def test_a_card_elsewhere_is_refused_in_the_same_words_wherever_it_lies() -> None:
    """FL-07, FL-14: the rival's hand, the reserve, the discards and the table cannot be probed."""
    story = drew("C-3", "C-1 C-2 W-7", discards="W-8", placed=("O-1 O-2",))
    elsewhere = ("W-1", "R-1", "W-8", "O-1", "C-3")
    assert len({str(refusal(story, 0, place(card))).replace(card, "X") for card in elsewhere}) == 1
    assert len({str(refusal(story, 0, drop(card))).replace(card, "X") for card in elsewhere[:4]}) == 1
    placed = story.when(0, place("C-2"))
    assert len({str(refusal(placed, 0, drop(card))).replace(card, "X") for card in elsewhere}) == 1


def test_who_sees_what() -> None:
    """FL-04, FL-10: a drawn card is its drawer's until it is placed or discarded."""
    story = drew("C-3", ND_HAND, discards="O-9")
    own, rival, nobody = (GAME.view(story.table, seat) for seat in (0, 1, None))
    assert own["drawn"] == "C-3" and rival["drawn"] is None and nobody["drawn"] is None
    assert story.last(CardDrawn).card.to == (0,)
    assert own["hand"] == hand(ND_HAND) and rival["hand"] == hand("W-1 W-9") and nobody["hand"] is None
    assert all(view["stock_count"] == 1 and view["discards"] == hand("O-9") for view in (own, rival, nobody))
    assert all("R-1" not in str(view) for view in (own, rival, nobody))
    everything = GAME.view(story.table, ALL)
    assert (everything["hand"], everything["hands"]) == (None, (hand(ND_HAND), hand("W-1 W-9")))
    assert (everything["drawn"], everything["stock"]) == ("C-3", hand("R-1"))


def test_whoever_has_not_drawn_imagines_the_drawn_card_and_whoever_has_keeps_it() -> None:
    """FL-10: to the rival it may be any card that it has not seen."""
    story = drew("C-3", ND_HAND, discards="O-9")
    rng = random.Random(2)
    unseen = {*hand(f"C-3 R-1 {ND_HAND}")}
    worlds = [GAME.imagine(story.table, 1, rng.randrange) for _ in range(1200)]
    drawn = Counter(world.drawn for world in worlds)
    assert set(drawn) == unseen and all(60 < times < 145 for times in drawn.values())
    assert all({*world.hands[0], world.drawn, *world.reserve} == unseen for world in worlds)
    own = [GAME.imagine(story.table, 0, rng.randrange) for _ in range(60)]
    assert {world.drawn for world in own} == {"C-3"}
    assert {world.reserve for world in own} == {hand("R-1"), hand("W-1"), hand("W-9")}


# ── Winning ─────────────────────────────────────────────────────────────────────────────────────────────────────

EIGHT = ("C-1 C-2 C-3 C-4", "R-1 R-2 R-3 R-4")


def test_eleven_placed_win_without_a_discard_FL_E5() -> None:
    """FL-14, FL-16, FL-17, FL-R7, FL-E5: 4+4+3."""
    story = drew("O-6", "O-4 O-5", placed=EIGHT).when(0, place("O-4 O-5"))
    story.then(CombinationPlaced(0, hand("O-4 O-5 O-6"), "drawn", None), GameWon(0, (1, 0)))
    result = GAME.outcome(story.table)
    assert result is not None and result.winners == (0,) and result.scores == (1, 0)
    assert story.table.hands[0] == () and GAME.to_act(story.table) == frozenset()
    for command in (Draw(), drop("O-4"), place("W-1"), take("W-1"), PassOut()):
        story.refuses(0, command, "FL-16").refuses(1, command, "FL-16")


def test_ten_placed_with_an_empty_hand_cannot_win_FL_E6() -> None:
    """FL-18, FL-E6: the seat goes on drawing and discarding."""
    story = drew("O-3", "O-4 O-5", placed=EIGHT, reserve="W-4 O-2")
    story.allows(0, drop("O-3"), place("O-4"), place("O-4 O-5"))
    dead = story.when(0, place("O-4")).allows(0, drop("O-5")).when(0, drop("O-5"))
    assert GAME.view(dead.table, 0)["placed_counts"][0] == 10 and dead.table.hands[0] == ()
    back = dead.when(1, Draw()).when(1, drop("W-4"))
    back.allows(0, Draw()).when(0, Draw()).allows(0, drop("O-2"))
    won = story.when(0, place("O-4 O-5"))
    assert isinstance(won.events[-1], GameWon)


def test_the_last_card_waits_for_its_neighbour_FL_E7() -> None:
    """FL-16, FL-E7: W-7 or W-5 wins as a Two, W-8 is discarded."""
    nine = ("C-1 C-2 C-3", "R-1 R-2 R-3", "O-1 O-2 O-3")
    for card in ("W-5", "W-7"):
        story = drew(card, "W-6", other="C-9", placed=nine)
        assert story.when(0, place("W-6")).last(GameWon).seat == 0
    drew("W-8", "W-6", other="C-9", placed=nine).allows(0, drop("W-8"))


def test_a_taken_discard_wins_too() -> None:
    """FL-11, FL-16: and nothing is discarded for it."""
    story = at("O-4 O-5", discards="O-6", placed=EIGHT).when(0, take("O-4 O-5"))
    story.then(CombinationPlaced(0, hand("O-4 O-5 O-6"), "discard", None), GameWon(0, (1, 0)))


@pytest.mark.parametrize(
    ("sizes", "helped", "dealt_placed", "dealt_discarded"),
    [((4, 4, 3), 3, 8, 2), ((4, 3, 2, 2), 4, 7, 3), ((3, 3, 3, 2), 4, 7, 3), ((3, 2, 2, 2, 2), 5, 6, 4)],
)
def test_ways_to_eleven_FL_E11(sizes: tuple[int, ...], helped: int, dealt_placed: int, dealt_discarded: int) -> None:
    """FL-15, FL-17, FL-E11: played out turn by turn, every helped card drawn."""
    deck = iter([PACK[10 * suit + n] for suit in range(4) for n in range(10)])
    groups = []
    for size in sizes:
        cards = [next(deck) for _ in range(size)]
        while len({card.suit for card in cards}) > 1:
            cards = [*cards[1:], next(deck)]
        groups.append(cards)
    used = {card for cards in groups for card in cards}
    spare = [card for card in reversed(PACK) if card not in used][: len(sizes) - 1]
    rest = [card for card in PACK if card not in used and card not in spare]
    held = [card for cards in groups for card in cards[1:]] + spare
    assert len(held) == 10 and len(rest) >= len(sizes)
    story = at(" ".join(held), "", reserve=" ".join(f"{cards[0]} {rest[n]}" for n, cards in enumerate(groups)))
    placed = discarded = 0
    for n, cards in enumerate(groups):
        story = story.when(0, Draw()).when(0, place(" ".join(cards[1:])))
        placed += len(cards) - 1
        if n < len(groups) - 1:
            story = story.when(0, drop(spare[n]))
            discarded += 1
            assert len(story.table.hands[0]) + sum(map(len, story.table.placed[0])) == 10
            story = story.when(1, Draw()).when(1, drop(rest[n]))
    assert story.last(GameWon).seat == 0
    assert (len(groups), placed, discarded) == (helped, dealt_placed, dealt_discarded)


# ── The reserve runs out ────────────────────────────────────────────────────────────────────────────────────────


def test_the_game_is_drawn_when_nobody_can_use_the_last_discard_FL_E12() -> None:
    """FL-19, FL-R8, FL-E12: as all can see, no hand holds O-8 or O-10."""
    story = at("W-7", "C-5 R-4", reserve="O-9").when(0, Draw()).when(0, drop("O-9"))
    story.then(CardDiscarded(0, Card("O-9"), True), GameDrawn(False))
    result = GAME.outcome(story.table)
    assert result is not None and result.places == (1, 1) and result.scores == (0, 0)
    story.refuses(1, PassOut(), "FL-20").refuses(1, take("C-5"), "FL-20")


def test_with_the_reserve_gone_the_last_discard_can_be_taken_FL_E12() -> None:
    """FL-19, FL-R8, FL-E12: then a card is discarded, and the rival has that one only."""
    story = at("W-7", "O-10 W-6 W-2", reserve="O-9").when(0, Draw()).when(0, drop("O-9"))
    story.then(CardDiscarded(0, Card("O-9"), True))
    story.allows(1, PassOut(), take("O-10")).refuses(1, Draw(), "FL-19")
    taken = story.when(1, take("O-10")).when(1, drop("W-6"))
    taken.allows(0, PassOut(), take("W-7")).refuses(0, Draw(), "FL-19")
    passed = story.when(1, PassOut()).then(GameDrawn(True))
    assert GAME.outcome(passed.table) is not None


def test_the_end_does_not_tell_who_holds_the_fitting_card() -> None:
    """FL-19, FL-R8: O-10 lies in one of the two hands, and only its holder knows in which."""
    for mine, other in (("O-10 W-7", "C-5 R-4"), ("W-7 C-5", "O-10 R-4")):
        story = at(mine, other, reserve="O-9").when(0, Draw()).when(0, drop("O-9"))
        story.then(CardDiscarded(0, Card("O-9"), True))
        assert GAME.to_act(story.table) == {1}
        assert PassOut() in GAME.legal(story.table, 1)


def test_a_rival_without_cards_ends_the_game() -> None:
    """FL-18, FL-19: with an empty hand nothing can be taken, which everybody sees."""
    story = at("O-10 W-7", "", reserve="O-9").when(0, Draw()).when(0, drop("O-9"))
    assert story.last(GameDrawn) == GameDrawn(False)


def test_a_discard_from_the_hand_may_end_the_game_too() -> None:
    """FL-19: after placing with the last card of the reserve."""
    story = at("C-1 C-2 W-7 W-8", "C-9 R-4", reserve="C-3").when(0, Draw()).when(0, place("C-1 C-2"))
    open_end = story.when(0, drop("W-7"))
    open_end.then(CardDiscarded(0, Card("W-7"), False))  # W-8 is unseen
    closed = at("C-1 C-2 W-7", "C-9 R-4", reserve="C-3").when(0, Draw()).when(0, place("C-1 C-2")).when(0, drop("W-7"))
    assert closed.last(GameDrawn) == GameDrawn(False)


# ── Options ─────────────────────────────────────────────────────────────────────────────────────────────────────


def test_a_combination_on_the_table_is_fixed() -> None:
    """FL-08, FL-R5"""
    story = drew("C-3", "W-7 W-9", placed=("C-1 C-2",))
    story.allows(0, drop("C-3")).refuses(0, place(onto=0), "FL-08")
    at("W-7 W-9", discards="C-3", placed=("C-1 C-2",)).refuses(0, take(onto=0), "FL-08")


def test_a_table_may_allow_to_extend_a_two_or_three() -> None:
    """FL-R5: at either end, four at the most, as the combination of the turn."""
    story = drew("C-3", "C-4 W-7 W-9", placed=("C-1 C-2", "O-1 O-2 O-3 O-4"), extend=True)
    story.allows(0, drop("C-3"), place("C-4"), place(onto=0))
    story.refuses(0, place("C-4", 0), "FL-R5").refuses(0, place(onto=2), "FL-R5").refuses(0, place(onto=-1), "FL-R5")
    story.refuses(0, place(onto=1), "FL-06")
    rival = at("W-9", "C-4 W-7", reserve="C-3", rivals=("C-1 C-2",), extend=True).but(turn=1).when(1, Draw())
    rival.allows(1, drop("C-3"), place("C-4"), place(onto=0))
    for index in (1, -1):
        rival.refuses(1, place(onto=index), "FL-R5")
        at("W-9", discards="C-3", placed=("C-1 C-2",), extend=True).refuses(0, take(onto=index), "FL-R5")
    longer = story.when(0, place(onto=0)).then(CombinationPlaced(0, hand("C-1 C-2 C-3"), "drawn", 0))
    assert longer.table.placed[0] == (hand("C-1 C-2 C-3"), hand("O-1 O-2 O-3 O-4"))
    assert len(longer.table.hands[0]) == 3
    longer.refuses(0, place(onto=0), "FL-07").when(0, drop("W-7"))
    below = at("W-7", discards="C-4", placed=("C-5 C-6 C-7",), extend=True).when(0, take(onto=0))
    below.then(CombinationPlaced(0, hand("C-4 C-5 C-6 C-7"), "discard", 0))
    at("W-7", discards="C-4", placed=("C-6 C-7",), extend=True).refuses(0, take(onto=0), "FL-11")
    drew("O-5", "W-7", placed=("O-1 O-2 O-3 O-4",), extend=True).refuses(0, place(onto=0), "FL-06")


@pytest.mark.parametrize("game_no", [1, 4])
def test_ten_placed_can_still_win_by_extending(game_no: int) -> None:
    """FL-R5, FL-18: the eleventh card wins, drawn or taken, and the tenth does not."""
    twos = ("C-1 C-2", "C-4 C-5", "R-1 R-2", "R-4 R-5", "O-1 O-2")
    drawn = drew("O-3", "", placed=twos, extend=True, game_no=game_no)
    assert drawn.when(0, place(onto=4)).last(GameWon).seat == 0
    taken = at("", discards="R-3", placed=twos, extend=True, game_no=game_no)
    taken.allows(0, Draw(), take(onto=2), take(onto=3))
    assert taken.when(0, take(onto=2)).last(GameWon).seat == 0
    nine = ("C-1 C-2 C-3", "R-1 R-2", "R-4 R-5", "O-1 O-2")
    tenth = drew("O-3", "W-7", placed=nine, extend=True, game_no=game_no).when(0, place(onto=3))
    tenth.then(CombinationPlaced(0, hand("O-1 O-2 O-3"), "drawn", 3)).allows(0, drop("W-7"))


@pytest.mark.parametrize("game_no", [1, 2])
def test_an_extension_counts_as_a_use_of_the_last_discard(game_no: int) -> None:
    """FL-R5, FL-19: combinations lie open, so the end tells nothing new."""
    story = at("W-7", "", reserve="O-9", rivals=("O-7 O-8",), extend=True, game_no=game_no)
    story = story.when(0, Draw()).when(0, drop("O-9"))
    story.then(CardDiscarded(0, Card("O-9"), True)).allows(1, PassOut(), take(onto=0))
    shut = at("W-7", "", reserve="O-10", rivals=("O-7 O-8",), extend=True).when(0, Draw()).when(0, drop("O-10"))
    assert shut.last(GameDrawn) == GameDrawn(False)
    fixed = at("W-7", "", reserve="O-9", rivals=("O-7 O-8",)).when(0, Draw()).when(0, drop("O-9"))
    assert fixed.last(GameDrawn) == GameDrawn(False)


def test_sets_can_be_extended_where_both_are_allowed() -> None:
    """FL-R2, FL-R5"""
    story = drew("R-4", "W-7 W-9", placed=("C-4 O-4", "R-5 R-6", "W-4 R-9"), extend=True, sets=True)
    story.allows(0, drop("R-4"), place(onto=0), place(onto=1))


def test_a_table_may_allow_combinations_from_the_hand() -> None:
    """FL-R4: after the helped one, before the discard."""
    held = "C-1 C-2 O-4 O-5 W-6 W-7 R-9"
    drew("C-3", held, lay_from_hand=True).refuses(0, place("O-4 O-5"), "FL-07")
    story = drew("C-3", held, lay_from_hand=True).when(0, place("C-1 C-2"))
    drops = map(Discard, hand("O-4 O-5 W-6 W-7 R-9"))
    story.allows(0, *drops, place("O-4 O-5"), place("W-6 W-7"))
    assert GAME.legal(story.table, 0)[0] == drop("O-4")
    story.refuses(0, place("O-4"), "FL-05").refuses(0, place("O-5 W-6"), "FL-05").refuses(0, place("O-4", 0), "FL-08")
    more = story.when(0, place("W-6 W-7")).then(CombinationPlaced(0, hand("W-6 W-7"), "hand", None))
    more.when(0, place("O-4 O-5")).allows(0, drop("R-9"))
    drew("C-3", held).when(0, place("C-1 C-2")).refuses(0, place("O-4 O-5"), "FL-07")
    both = drew("C-3", held, lay_from_hand=True, extend=True).when(0, place("C-1 C-2"))
    both.refuses(0, place(onto=0), "FL-R5")


def test_emptying_the_hand_so_wins() -> None:
    """FL-R4, FL-16: the last cards need no discard; after a taken card too."""
    six = ("R-1 R-2 R-3 R-4", "W-1 W-2")
    story = drew("C-3", "C-2 O-4 O-5 O-6", placed=six, lay_from_hand=True).when(0, place("C-2"))
    won = story.when(0, place("O-4 O-5 O-6"))
    won.then(CombinationPlaced(0, hand("O-4 O-5 O-6"), "hand", None), GameWon(0, (1, 0)))
    taken = at("C-2 O-4 O-5 O-6", discards="C-3", placed=six, lay_from_hand=True).when(0, take("C-2"))
    assert taken.when(0, place("O-4 O-5 O-6")).last(GameWon).seat == 0


def drawn_game(wins: tuple[int, int] = (0, 0), **options: Any) -> Story:
    return at("W-7", "C-5", reserve="O-9", **options).but(wins=wins).when(0, Draw()).when(0, drop("O-9"))


def won_game(wins: tuple[int, int] = (0, 0), **options: Any) -> Story:
    return drew("O-6", "O-4 O-5", placed=EIGHT, **options).but(wins=wins).when(0, place("O-4 O-5"))


def test_the_match_is_for_so_many_wins() -> None:
    """FL-20, FL-R9: a drawn game counts for nobody, and the next is dealt by the other seat."""
    assert GAME.outcome(won_game(target_wins=2).table) is None
    won = GAME.outcome(won_game((1, 1), target_wins=2).table)
    assert won is not None and won.winners == (0,) and won.scores == (2, 1) and won.places == (1, 2)
    drawn = drawn_game((1, 1), target_wins=2)
    assert GAME.outcome(drawn.table) is None and drawn.table.wins == (1, 1)
    assert drawn.when(CHANCE, Shuffled(PACK)).last(HandDealt).dealer == 0
    refuses_table(GAME, 2, "FL-R9", target_wins=0)
    refuses_table(GAME, 2, "FL-R9", target_wins=11)


@pytest.mark.parametrize("target", range(1, 11))
def test_the_match_ends_with_the_last_win_and_not_with_the_one_before(target: int) -> None:
    """FL-20, FL-R9: for every number of wins; an offer of a draw lapses with every game, won or drawn."""
    won = GAME.outcome(won_game((target - 1, target - 1), target_wins=target, game_no=9).table)
    assert won == Outcome((1, 2), (target, target - 1), "eleven_placed")
    if target > 1:
        assert GAME.outcome(won_game((target - 2, target - 1), target_wins=target, game_no=9).table) is None
    assert set(GAME.ends_game) == {GameWon, GameDrawn}


def test_a_drawn_game_ends_the_match_or_is_dealt_again() -> None:
    """FL-20, FL-R9: with one win to get."""
    result = GAME.outcome(drawn_game().table)
    assert result is not None and result.winners == (0, 1) and result.reason == "drawn_game"
    again = drawn_game(replay_draws=True)
    assert GAME.outcome(again.table) is None and GAME.to_act(again.table) == {CHANCE}
    assert again.when(CHANCE, Shuffled(PACK)).last(HandDealt).dealer == 0
    assert GAME.outcome(won_game(replay_draws=True).table) is not None


ANY_OPTIONS: list[dict[str, Any]] = [
    {},
    {"sets": True},
    {"extend": True},
    {"lay_from_hand": True},
    {"sets": True, "extend": True, "lay_from_hand": True},
]


@pytest.mark.parametrize("options", ANY_OPTIONS)
def test_everything_that_makes_a_combination_is_legal_and_nothing_else_is(options: dict[str, Any]) -> None:
    """FL-05, FL-07, FL-10, FL-11, FL-13, FL-14, FL-19: every choice of hand cards is tried, in several games."""
    match = random_match(GAME, 2, {"target_wins": 2, **options}, random.Random(repr(options)))
    for moment in islice(match, 300):
        s = moment.after
        if GAME.to_act(s) <= {CHANCE}:
            assert not GAME.legal(s, 0) and not GAME.legal(s, 1)
            continue
        seat = s.turn
        choices = [cards for size in (1, 2, 3, 4) for cards in combinations(s.hands[seat], size)]
        ontos = range(len(s.placed[seat])) if s.options.extend else ()
        expected: set[Any] = set()
        if s.phase == "discarding":
            expected = {Discard(card) for card in s.hands[seat]}
            if s.options.lay_from_hand:
                expected |= {Place(cards) for cards in choices if is_combination(cards, s.options)}
        else:
            make: Any = Place if s.phase == "drawn" else TakeDiscard
            helps = [s.drawn] if s.phase == "drawn" else s.discards[-1:]
            expected = {Discard(s.drawn)} if s.phase == "drawn" else {Draw() if s.reserve else PassOut()}
            for help_ in helps:
                expected |= {make(cards) for cards in choices if is_combination((help_, *cards), s.options)}
                fitting = [n for n in ontos if is_combination((help_, *s.placed[seat][n]), s.options)]
                expected |= {make((), n) for n in fitting}
        legal = GAME.legal(s, seat)
        assert len(legal) == len(set(legal)) and set(map(sets_of, legal)) == set(map(sets_of, expected))
        assert not GAME.legal(s, 1 - seat)
        first = (
            Discard(s.drawn) if s.phase == "drawn" else Discard(s.hands[seat][0]) if s.phase == "discarding" else None
        )
        assert legal[0] == (first or (Draw() if s.reserve else PassOut()))


def sets_of(command: Any) -> Any:
    """A command without the order in which it names its cards."""
    if isinstance(command, Place | TakeDiscard):
        return type(command), frozenset(command.with_), command.onto
    return command


@pytest.mark.parametrize("target_wins", [1, 3])
@pytest.mark.parametrize("options", ANY_OPTIONS)
def test_a_view_shows_what_the_events_told_that_seat_and_no_more(target_wins: int, options: dict[str, Any]) -> None:
    """FL-04, FL-10, FL-20: at moments all through some games, for both seats and a spectator."""
    events: list[Any] = []
    match = random_match(GAME, 2, {"target_wins": target_wins, **options}, random.Random(repr(options)))
    for number, moment in enumerate(islice(match, 250)):
        events += moment.events
        if number > 1 and (number % 5 == 0 or moment.after.phase == "between"):
            for seat in (0, 1, None):
                expected = told(events, seat)
                if expected["phase"] == "over":
                    goes_on = target_wins == 3 > max(expected["totals"])
                    expected["phase"] = "awaiting_deal" if goes_on else "finished"
                assert GAME.view(moment.after, seat) == expected


# ── On the wire, and always ─────────────────────────────────────────────────────────────────────────────────────


def test_with_is_a_field_of_the_commands() -> None:
    """FL-07, FL-11: `with` and the optional `onto`."""
    assert read_command(names(GAME.commands), {"type": "take_discard", "with": ["R-5", "R-7"]}) == take("R-5 R-7")
    assert read_command(names(GAME.commands), {"type": "place", "onto": 1}) == place(onto=1)
    assert write_command(place("C-2")) == {"type": "place", "with": hand("C-2"), "onto": None}


@pytest.mark.parametrize("options", [{}, {"sets": True}, {"extend": True}, {"lay_from_hand": True}])
def test_what_holds_in_every_match(options: dict[str, Any]) -> None:
    """FL-05, FL-15, FL-16, FL-17, FL-19: ten cards a seat after each turn, never one placed, 20 draws at the most."""
    draws = 0
    for moment in random_match(GAME, 2, {"target_wins": 3, **options}, random.Random(3)):
        s = moment.after
        for event in moment.events:
            match event:
                case HandDealt():
                    draws = 0
                case CardDrawn():
                    draws += 1
                    assert draws <= 20
                case CardDiscarded(seat):
                    assert len(s.hands[seat]) + sum(map(len, s.placed[seat])) == 10
                case GameWon(seat):
                    sizes = sorted(map(len, s.placed[seat]), reverse=True)
                    assert sum(sizes) == 11 and s.hands[seat] == ()
                    if not options:
                        assert sizes in ([4, 4, 3], [4, 3, 2, 2], [3, 3, 3, 2], [3, 2, 2, 2, 2])
        for own in s.placed:
            assert sum(map(len, own)) != 1 and all(2 <= len(cards) <= 4 for cards in own)


def test_drawn_games_are_dealt_again_anyway_with_more_wins_to_get() -> None:
    """FL-R9"""
    refuses_idle(GAME, 2, "replay_draws", True, target_wins=2)
    GAME.new_table({"replay_draws": True, "target_wins": 1}, 2)
