"""Crown Baseball, rule by rule. Unless a test says otherwise, seat 0 deals and fields, seat 1 bats, and O is trump."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterable, Sequence
from itertools import pairwise
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
from domain.games.crown_baseball import GAME
from domain.games.crown_baseball.diamond import MOVES, Move, moved
from domain.games.crown_baseball.game import (
    FIELD_PACK,
    PLAYING_PACK,
    FieldShuffled,
    FieldTurned,
    Half,
    HalfEnded,
    HandDealt,
    HandExhausted,
    MenMoved,
    Table,
)
from domain.kit.cards import FULL_PACK, PAUPER, PRINCE, Card, Cards
from domain.kit.dealing import DealerChosen
from domain.kit.plays import CardPlayed, PlayCard, TrickTaken
from domain.wire import names, read_command
from tests.domain.playing import Deal, of_type, random_match, to_the_left
from tests.domain.story import Story, hand, refuses_table, table
from tests.golden.matches import Golden

QUICK: dict[str, Any] = {}
GOLDEN = Golden(
    seats=2,
    options={},
    moment="the score is level after nine innings, and an extra inning decides",
    shows=lambda events: any(isinstance(e, HandDealt) and e.inning == 10 for e in events) and len(events) < 520,
)


def whole(s: Table) -> Iterable[Any]:
    return (*FIELD_PACK, *PLAYING_PACK)


def pieces(s: Table) -> Iterable[Any]:
    if not s.playing:
        return ()
    return [*s.field, *s.unused, *s.played, *s.hands[0], *s.hands[1], *(play.card for play in s.trick)]


# ── What the rule page says, for the common tests ────────────────────────────────────────────────────────────────

SEATS = ("CB-06", range(2, 3))
OPTIONS = {
    "first_dealer": ("CB-R1", "random", "seat"),
    "lead": ("CB-R3", "batter", ("batter", "winner")),
    "exhausted": ("CB-R5", "redeal", ("redeal", "retire")),
    "walk_off": ("CB-R11", False, bool),
}
REFUSALS = {
    "CB-02": {"not_in_hand"},
    "CB-04": {"wrong_phase"},
    "CB-08": {"not_your_turn"},
    "CB-09": {"not_in_hand", "must_follow", "not_your_turn"},
    "CB-16": {"wrong_phase"},
    "CB-17": {"wrong_phase"},
}
BY_DEALER = {1: "HOLD", 2: "ADV1", 3: "DP1", 4: "WALK", 5: "HOLD", 6: "SAC", 7: "DP2", 8: "WALK", 9: "FLY"}
BY_BATTER = {1: "TPL", 2: "HOLD", 3: "DBL", 4: "HOLD", 5: "ADV1", 6: "WALK", 7: "ADV1", 8: "HOLD", 9: "ADV1"}


def next_dealer(events: Sequence[Any], options: Any, seats: int) -> int:
    """CB-03, CB-12, CB-16: the former batter, but the same dealer while fewer than three are out."""
    deals_and_ends: list[Any] = [event for event in events if isinstance(event, HandDealt | HalfEnded)]
    match deals_and_ends:
        case []:
            return to_the_left(events, options, seats)
        case [*_, HalfEnded(_, _, batter)]:
            return int(batter)
        case _:
            return int(deals_and_ends[-1].dealer)


def deal_map(deal: Deal) -> Iterable[Any]:
    """CB-02, CB-04, CB-05, CB-R2, CB-R7: first the field pack, which nobody sees; then nine each by turns."""
    orders = of_type(deal.events, "FieldShuffled")
    if len(orders) < deal.hand_no:
        assert sorted(deal.deck) == [f"C-{n}" for n in range(1, 10)]
        yield FieldShuffled(Secret(deal.deck, ()))
        return
    assert sorted(deal.deck) == [f"{letter}-{n}" for letter in "ORW" for n in range(1, 10)]
    halves = len(of_type(deal.events, "HalfEnded"))
    again = isinstance(
        next((e for e in reversed(deal.events) if not isinstance(e, FieldShuffled)), None), HandExhausted
    )
    hands = [sorted(cards, key=lambda c: ("CROW".index(c[0]), c)) for cards in (deal.deck[1:18:2], deal.deck[0:18:2])]
    by_seat = hands if deal.dealer == 0 else hands[::-1]
    yield HandDealt(
        1 + halves // 2,
        "bottom" if halves % 2 else "top",
        deal.dealer,
        again,
        deal.deck[17],
        deal.deck[17][0],
        tuple(Secret(tuple(cards), (seat,)) for seat, cards in enumerate(by_seat)),
        Secret(deal.deck[18:], ()),
    )
    yield FieldTurned(1, orders[-1].field.value[0], 1 - deal.dealer)


def ran(play: str, bases: str, outs: int) -> tuple[str, int, int]:
    """The classes told once more, man by man: what the printed table must agree with."""
    men = {int(base) for base in bases if base != "-"}
    made = 0
    if play in ("HOLD", "DP1", "DP2", "SAC", "FLY"):
        made = 1
        named = {"DP1": 1, "DP2": 2}.get(play)
        if named in men and outs < 2:
            men.discard(named)
            made = 2
        if outs + made < 3 and play == "SAC":
            men = {base + 1 for base in men}
        if outs + made < 3 and play == "FLY":
            men = {base + (base == 3) for base in men}
    elif play == "WALK":
        pushed = next((base for base in (1, 2, 3) if base not in men), 4)
        men |= {pushed}
        men |= {1}
    else:
        gained = {"ADV1": 1, "DBL": 2, "TPL": 3}[play]
        men = {base + gained for base in men} | {gained}
    left = "".join(str(base) if base in men else "-" for base in (1, 2, 3))
    return left, sum(base > 3 for base in men), made


def recount(events: Iterable[Any], options: Any, seats: int) -> Outcome | None:
    """CB-07 to CB-18, trick by trick and man by man."""
    scores: list[list[int]] = [[], []]  # of who bats first, and of who bats last
    halves = bats_last = 0
    half_runs = False
    for event, following in pairwise([*events, None]):
        match event:
            case FieldShuffled(order):
                field = order.value
            case HandDealt(_, _, dealer, redeal, _, trump, dealt):
                batter = 1 - dealer
                hands = [set(kept.value) for kept in dealt]
                if not redeal:
                    bases, outs, runs, half_runs = "---", 0, 0, True
                if not halves:
                    bats_last = dealer
            case FieldTurned(number, card, turn):
                trick: list[tuple[int, Card]] = []
                assert card == field[number - 1]
            case CardPlayed(seat, card):
                assert seat == turn and card in hands[seat]
                hands[seat].remove(card)
                assert not trick or card[0] == trick[0][1][0] or all(c[0] != trick[0][1][0] for c in hands[seat])
                trick.append((seat, card))
                turn = 1 - seat
            case TrickTaken(trick_no, taker):
                best = max(trick, key=lambda one: (one[1][0] == trump, one[1][0] == trick[0][1][0], one[1][2:]))
                assert (len(trick), trick_no, taker) == (2, number, best[0])
            case MenMoved(play, after, scored, made):
                turned = int(field[number - 1][2:])
                assert play == (BY_DEALER if taker == dealer else BY_BATTER)[turned]
                assert (after, scored, made) == ran(play, bases, outs)
                bases, outs, runs = after, outs + made, runs + scored
                inning = 1 + halves // 2
                at_bat_now: Half = "bottom" if halves % 2 else "top"
                ahead = sum(scores[1]) + runs > sum(scores[0])
                if outs == 3:
                    expected: Any = HalfEnded(inning, at_bat_now, batter, runs, "three_out")
                elif options.walk_off and inning >= 9 and halves % 2 and ahead:
                    expected = HalfEnded(inning, at_bat_now, batter, runs, "walk_off")
                elif number < 9:
                    leader = taker if options.lead == "winner" else batter
                    expected = FieldTurned(number + 1, field[number], leader)
                elif options.exhausted == "retire":
                    expected = HalfEnded(inning, at_bat_now, batter, runs, "retired")
                else:
                    expected = HandExhausted(bases, outs)
                assert following == expected
            case HalfEnded():
                scores[halves % 2].append(runs)
                halves, half_runs = halves + 1, False
    first, last = map(sum, scores)
    nine_innings = halves >= 18 and halves % 2 == 0 and first != last
    left_out = options.walk_off and halves >= 17 and halves % 2 == 1 and last > first
    if half_runs or not (nine_innings or left_out):
        return None
    totals = (last, first) if bats_last == 0 else (first, last)
    return Outcome((1, 2) if totals[0] > totals[1] else (2, 1), totals, "more_runs")


# ── Ways to a position ──────────────────────────────────────────────────────────────────────────────────────────


def play(card: str) -> PlayCard:
    return PlayCard(Card(card))


def field(*numbers: int) -> Cards:
    """A field pack that begins with these numbers."""
    first = tuple(Card(f"C-{number}") for number in numbers)
    return (*first, *(card for card in FIELD_PACK if card not in first))


def at_bat(*numbers: int, fielding: str = "R-2", batting: str = "R-3", trump: str = "O", **changes: Any) -> Story:
    """A hand in the first half with these cards; the field pack begins with these numbers."""
    options = {name: changes.pop(name) for name in ("lead", "exhausted", "walk_off") if name in changes}
    dealer = changes.pop("dealer", 0)
    order = field(*numbers)
    hands = (hand(fielding), hand(batting)) if dealer == 0 else (hand(batting), hand(fielding))
    return (
        table(GAME, 2, first_dealer=dealer, **options)
        .given(
            FieldShuffled(hidden(order)),
            HandDealt(1, "top", dealer, False, Card("O-9"), trump, each_its_own(hands), hidden(())),
            FieldTurned(1, order[0], 1 - dealer),
        )
        .but(**changes)
    )


def taken(story: Story, by: str) -> Story:
    """One trick, taken by D, the dealer, or B, the batter: R-5 is led, and the answer is higher or lower."""
    leader = story.table.turn
    led_by_the_dealer = leader == story.table.dealer
    answer = Card("R-4" if led_by_the_dealer == (by == "D") else "R-6")
    cards = [(Card("R-5"),) if seat == leader else (answer,) for seat in (0, 1)]
    story = story.but(hands=tuple(cards)).when(leader, play("R-5")).when(1 - leader, PlayCard(answer))
    assert story.last(TrickTaken).seat == (story.table.dealer if by == "D" else 1 - story.table.dealer)
    return story


def half(plays: str, **changes: Any) -> tuple[list[MenMoved], Story]:
    """`half("5B 4D")`: field card 5 taken by the batter, then 4 by the dealer. What the men did, and the table after."""
    story = at_bat(*(int(word[0]) for word in plays.split()), **changes)
    moves = []
    for word in plays.split():
        story = taken(story, word[1])
        moves.append(story.last(MenMoved))
    return moves, story


def dealt_again(story: Story) -> Story:
    return story.when(CHANCE, Shuffled(FIELD_PACK)).when(CHANCE, Shuffled(PLAYING_PACK))


def refusal(story: Story, seat: int, command: Any) -> Refused:
    with pytest.raises(Refused) as refused:
        GAME.decide(story.table, seat, command)
    return refused.value


# ── Setup ───────────────────────────────────────────────────────────────────────────────────────────────────────


def test_two_seats_and_no_other_number() -> None:
    """CB-06"""
    refuses_table(GAME, 1, "CB-06")
    refuses_table(GAME, 3, "CB-06")


def test_36_cards_of_which_nine_are_the_field_pack() -> None:
    """CB-01, CB-02"""
    assert len(FIELD_PACK) == 9 and {card.suit for card in FIELD_PACK} == {"C"}
    assert len(PLAYING_PACK) == 27 and Counter(card.suit for card in PLAYING_PACK) == {"R": 9, "O": 9, "W": 9}
    assert {card.number for card in (*FIELD_PACK, *PLAYING_PACK)} == set(range(1, 10))


def test_chance_names_the_first_dealer_who_fields_first() -> None:
    """CB-03, CB-06, CB-R1"""
    story = table(GAME, 2)
    assert GAME.chance(story.table) == Pick(2)
    first = dealt_again(story.when(CHANCE, Picked(1)).then(DealerChosen(1)))
    assert (first.last(HandDealt).dealer, first.last(HandDealt).half) == (1, "top")
    assert GAME.to_act(first.table) == {0}  # his opponent bats in the top half
    assert dealt_again(table(GAME, 2, first_dealer=0)).last(HandDealt).dealer == 0
    refuses_table(GAME, 2, "CB-R1", first_dealer=2)


def test_the_field_pack_is_shuffled_by_itself_and_nobody_sees_its_order() -> None:
    """CB-02, CB-07, CB-R7, CB-R12: only the card that is turned up shows."""
    story = table(GAME, 2, first_dealer=0)
    assert GAME.chance(story.table) == Shuffle(FIELD_PACK)
    shuffled = story.when(CHANCE, Shuffled(field(8, 2))).then(FieldShuffled(hidden(field(8, 2))))
    assert GAME.chance(shuffled.table) == Shuffle(PLAYING_PACK)
    dealt = shuffled.when(CHANCE, Shuffled(PLAYING_PACK))
    assert dealt.last(FieldTurned) == FieldTurned(1, Card("C-8"), 1)
    twin = story.when(CHANCE, Shuffled(field(8, 9, 1))).when(CHANCE, Shuffled(PLAYING_PACK))
    for seat in (0, 1, None):
        assert GAME.view(dealt.table, seat) == GAME.view(twin.table, seat)
        assert GAME.view(dealt.table, seat).items() >= field_pack("C-8", 8).items()


def test_nine_cards_each_the_opponent_first_and_the_last_one_is_trump() -> None:
    """CB-04, CB-05, CB-R2: it stays in the dealer's hand; nine cards are not used."""
    deck = tuple(random.Random(1).sample(PLAYING_PACK, 27))
    story = table(GAME, 2, first_dealer=0).when(CHANCE, Shuffled(FIELD_PACK)).when(CHANCE, Shuffled(deck))
    event = story.last(HandDealt)
    assert set(event.hands[1].value) == set(deck[0:18:2]) and set(event.hands[0].value) == set(deck[1:18:2])
    assert [kept.to for kept in event.hands] == [(0,), (1,)]
    assert event.unused == hidden(deck[18:])
    assert (event.trump_card, event.trump) == (deck[17], deck[17].suit)
    assert deck[17] in story.table.hands[0]


def test_what_a_seat_sees() -> None:
    """CB-05: its own hand and the dealer's shown card; never the unused cards or the rival's others."""
    story = dealt_again(table(GAME, 2, first_dealer=0))
    for seat in (0, 1, None):
        seen = GAME.view(story.table, seat)
        own = () if seat is None else story.table.hands[seat]
        assert seen["hand"] == (None if seat is None else own) and seen["hand_counts"] == [9, 9]
        open_cards = {*own, story.table.trump_card, FIELD_PACK[0]}
        assert {card for card in FULL_PACK if f"'{card}'" in repr(seen)} == open_cards


def field_pack(turned: str, face_down: int) -> dict[str, Any]:
    """What anybody sees of the field pack: the cards turned up, and how many are not."""
    return {"field_turned": hand(turned), "field_count": face_down, "field": None}


def men(batter: int, bases: str, *, at_bat: bool = False) -> list[dict[str, Any]]:
    """The men of the side at bat: the batter at home plate, if a hand is played, and those on base."""
    cells = [*(["home"] if at_bat else []), *bases.replace("-", "")]
    return [
        {"cell": cell, "side": batter, "kind": "batter" if cell == "home" else "runner", "count": 1} for cell in cells
    ]


def seen(story: Story, seat: int | None, *leave: str) -> dict[str, Any]:
    return {key: value for key, value in GAME.view(story.table, seat).items() if key not in leave}


@pytest.mark.parametrize("seat", [0, 1, None])
def test_what_everybody_sees_before_the_first_trick(seat: int | None) -> None:
    """CB-02, CB-05, CB-07: no dealer before the lot, no trump before the deal, and nine field cards face down."""
    story = table(GAME, 2)
    nothing = {"phase": "awaiting_deal", "inning": 0, "half": "top", "dealer": None, "batter": None, "turn": None,
               "pieces": [], "bases": "---", "outs": 0, "runs": 0, "line_score": [(), ()], "totals": (0, 0),
               **field_pack("", 0), "trump": None, "turned": None, "turned_by": None, "hand_counts": [0, 0],
               "hands": None, "trick": [], "played": (), "unused_count": 0, "unused": None}  # fmt: skip
    assert seen(story, seat, "hand") == nothing
    named = story.when(CHANCE, Picked(1))
    assert seen(named, seat, "hand") == {**nothing, "dealer": 1, "batter": 0}
    shuffled = named.when(CHANCE, Shuffled(field(8, 2)))
    assert seen(shuffled, seat, "hand") == {**nothing, "dealer": 1, "batter": 0, "field_count": 9}
    dealt = shuffled.when(CHANCE, Shuffled(PLAYING_PACK))
    assert seen(dealt, seat, "hand") == {
        **nothing, "phase": "playing", "inning": 1, "dealer": 1, "batter": 0, "turn": 0, "line_score": [(0,), ()],
        **field_pack("C-8", 8), "trump": "O", "turned": "O-9", "turned_by": 1, "hand_counts": [9, 9],
        "unused_count": 9, "pieces": men(0, "---", at_bat=True),
    }  # fmt: skip
    hands = {0: "R-1 R-3 R-5 R-7 R-9 O-2 O-4 O-6 O-8", 1: "R-2 R-4 R-6 R-8 O-1 O-3 O-5 O-7 O-9"}
    assert GAME.view(dealt.table, seat)["hand"] == (None if seat is None else hand(hands[seat]))


@pytest.mark.parametrize("seat", [0, 1, None])
def test_what_everybody_sees_of_a_half_and_of_its_end(seat: int | None) -> None:
    """CB-07, CB-16, CB-19: the trick, the cards played and the men; after the half no card but those that were played."""
    story = at_bat(5, 3, fielding="R-2 W-2 W-8", batting="R-3 W-3 O-8", inning=2, line=(3, 1), bases="--3", outs=1)
    led = story.when(1, play("R-3"))
    playing = {"phase": "playing", "inning": 2, "half": "top", "dealer": 0, "batter": 1, "turn": 0,
               "bases": "--3", "outs": 1, "runs": 0, "line_score": [(1,), (3, 0)], "totals": (1, 3),
               "pieces": men(1, "--3", at_bat=True), **field_pack("C-5", 8), "trump": "O", "turned": "O-9",
               "turned_by": 0, "hand_counts": [3, 2], "hands": None, "trick": [{"seat": 1, "card": "R-3"}],
               "played": (), "unused_count": 0, "unused": None}  # fmt: skip
    assert seen(led, seat, "hand") == playing
    scored = led.when(0, play("R-2"))
    after = {**playing, "turn": 1, "bases": "1--", "runs": 1, "line_score": [(1,), (3, 1)], "totals": (1, 4),
             "pieces": men(1, "1--", at_bat=True), **field_pack("C-5 C-3", 7), "hand_counts": [2, 2], "trick": [],
             "played": hand("R-3 R-2")}  # fmt: skip
    assert seen(scored, seat, "hand") == after
    ended = scored.when(1, play("W-3")).when(0, play("W-8"))
    assert seen(ended, seat, "hand") == {
        **after, "phase": "awaiting_deal", "turn": None, "bases": "---", "outs": 0, "runs": 0,
        "pieces": [], **field_pack("", 0), "hand_counts": [0, 0], "played": hand("R-3 R-2 W-3 W-8"),
    }  # fmt: skip
    assert GAME.view(ended.table, seat)["hand"] == (None if seat is None else ())
    bottom = seen(dealt_again(ended), seat, "hand")
    assert (bottom["line_score"], bottom["totals"], bottom["played"]) == ([(1, 0), (3, 1)], (1, 4), ())
    assert (bottom["half"], bottom["dealer"], bottom["batter"], bottom["turn"]) == ("bottom", 1, 0, 0)


def told(events: Iterable[Any], seat: int | None) -> dict[str, Any]:
    """The view of a seat, put together from what the events told it and from nothing else."""
    known: dict[str, Any] = {
        "turned": (),
        "face_down": 0,
        "line": [[], []],
        "counts": [0, 0],
        "trick": [],
        "played": (),
        "unused": 0,
        "playing": False,
    }
    known |= {"bases": "---", "outs": 0, "runs": 0, "hand": () if seat is not None else None, "turn": None}
    for event in events:
        match event:
            case FieldShuffled(order):
                known |= {"turned": (), "face_down": len(order.value)}
            case HandDealt(inning, half, dealer, redeal, card, trump, hands):
                known |= {"inning": inning, "half": half, "dealer": dealer, "trump_card": card, "trump": trump}
                known |= {"unused": 9, "playing": True}
                known |= {"counts": [9, 9], "played": (), "hand": None if seat is None else hands[seat].value}
                if not redeal:
                    known["line"][1 - dealer].append(0)
            case FieldTurned(_, card, leader):
                known["turned"] += (card,)
                known |= {"face_down": known["face_down"] - 1, "turn": leader}
            case CardPlayed(player, card):
                known["trick"] = [*known["trick"], {"seat": player, "card": card}]
                known["counts"][player] -= 1
                known["turn"] = 1 - player
                if seat == player:
                    known["hand"] = tuple(held for held in known["hand"] if held != card)
            case TrickTaken():
                known |= {"played": (*known["played"], *(one["card"] for one in known["trick"])), "trick": []}
            case MenMoved(_, bases, runs, outs):
                known |= {"bases": bases, "outs": known["outs"] + outs, "runs": known["runs"] + runs}
                known["line"][1 - known["dealer"]][-1] += runs
            case HandExhausted():
                known |= {"turned": (), "face_down": 0, "turn": None, "unused": 0, "playing": False}
            case HalfEnded():
                known |= {"turned": (), "face_down": 0, "turn": None, "bases": "---", "outs": 0, "runs": 0}
                known |= {"unused": 0, "playing": False, "counts": [0, 0], "hand": () if seat is not None else None}
    return {
        "inning": known["inning"], "half": known["half"], "dealer": known["dealer"], "batter": 1 - known["dealer"],
        "turn": known["turn"], "bases": known["bases"], "outs": known["outs"], "runs": known["runs"],
        "line_score": [tuple(runs) for runs in known["line"]], "totals": tuple(sum(runs) for runs in known["line"]),
        "pieces": men(1 - known["dealer"], known["bases"], at_bat=known["playing"]),
        **field_pack(" ".join(known["turned"]), known["face_down"]), "trump": known["trump"],
        "turned": known["trump_card"], "turned_by": known["dealer"], "hand": known["hand"], "hands": None,
        "hand_counts": known["counts"], "trick": known["trick"], "played": known["played"],
        "unused_count": known["unused"], "unused": None,
    }  # fmt: skip


@pytest.mark.parametrize("options", [{}, {"lead": "winner"}, {"exhausted": "retire"}, {"walk_off": True}])
def test_a_view_shows_what_the_events_told_that_seat_and_no_more(options: dict[str, Any]) -> None:
    """CB-05, CB-07, CB-16, CB-19: at moments all through a game, for both seats and a spectator."""
    events: list[Any] = []
    for number, moment in enumerate(random_match(GAME, 2, options, random.Random(repr(options)))):
        events += moment.events
        if number > 2 and number % 5 < 3:
            for seat in (0, 1, None):
                assert seen(Story(GAME, moment.after), seat, "phase") == told(events, seat)


def test_whose_turn_it_is_stands_in_the_refusal() -> None:
    """CB-08, CB-09"""
    story = at_bat(5, fielding="R-2", batting="R-3 O-2")
    assert refusal(story, 0, play("R-2")).text == "it is for seat 1 to lead"
    assert refusal(story.when(1, play("R-3")), 1, play("O-2")).text == "it is for seat 0 to answer"


# ── Tricks ──────────────────────────────────────────────────────────────────────────────────────────────────────


def test_the_field_card_is_turned_before_each_trick() -> None:
    """CB-07"""
    story = taken(at_bat(5, 4, 7), "B")
    assert story.events[-1] == FieldTurned(2, Card("C-4"), 1)
    assert GAME.view(story.table, None).items() >= field_pack("C-5 C-4", 7).items()


def test_the_batter_leads_any_card_to_every_trick() -> None:
    """CB-08"""
    story = at_bat(5, 4, fielding="R-9 W-1", batting="R-3 O-2")
    story.allows(1, play("R-3"), play("O-2")).allows(0).refuses(0, play("R-9"), "CB-08")
    led = story.when(1, play("R-3")).then(CardPlayed(1, Card("R-3")))
    led.refuses(1, play("O-2"), "CB-09")
    lost = led.when(0, play("R-9"))  # the dealer takes, and still the batter leads
    lost.allows(1, play("O-2")).refuses(0, play("W-1"), "CB-08")


def test_at_some_tables_the_taker_leads() -> None:
    """CB-R3, CB-08, CB-09: `winner`. Whoever answers must follow suit, the batter too."""
    story = at_bat(5, 4, fielding="R-9 W-1", batting="R-3 W-2 O-2", lead="winner")
    story.allows(0).refuses(0, play("R-9"), "CB-08")
    taken_by_dealer = story.when(1, play("R-3")).when(0, play("R-9"))
    assert taken_by_dealer.events[-1] == FieldTurned(2, Card("C-4"), 0)
    taken_by_dealer.refuses(1, play("O-2"), "CB-08")
    led = taken_by_dealer.when(0, play("W-1"))
    led.allows(1, play("W-2")).refuses(1, play("O-2"), "CB-09")


def test_after_a_new_deal_the_batter_leads_at_every_table() -> None:
    """CB-R3: the dealer took the ninth trick, and yet he does not lead."""
    _, story = half("1B 3B 5B 6B 7B 9B 2D 4D 8D", lead="winner")
    assert story.last(TrickTaken).seat == 0 and isinstance(story.events[-1], HandExhausted)
    assert dealt_again(story).last(FieldTurned).leader == 1


def test_the_suit_led_must_be_followed_CB_E11() -> None:
    """CB-09, CB-10, CB-R4, CB-E11"""
    story = at_bat(fielding="R-2 R-9 O-1 W-9", batting="R-7").when(1, play("R-7"))
    story.allows(0, play("R-2"), play("R-9")).refuses(0, play("O-1"), "CB-09").refuses(0, play("W-9"), "CB-09")
    assert refusal(story, 0, play("O-1")).text == "you hold R-2, so O-1 cannot be played to this trick"
    assert story.when(0, play("R-9")).last(TrickTaken).seat == 0
    assert story.when(0, play("R-2")).last(TrickTaken).seat == 1
    void = at_bat(fielding="O-1 W-9", batting="R-7").when(1, play("R-7"))
    void.allows(0, play("O-1"), play("W-9"))
    assert void.when(0, play("O-1")).last(TrickTaken).seat == 0
    assert void.when(0, play("W-9")).last(TrickTaken).seat == 1


@pytest.mark.parametrize(
    ("led", "answer", "taker"),
    [("R-1", "R-9", 0), ("R-9", "R-8", 1), ("O-9", "O-8", 1), ("O-1", "R-9", 1), ("W-9", "O-1", 0), ("W-1", "R-9", 1)],
)
def test_which_card_takes(led: str, answer: str, taker: int) -> None:
    """CB-10, CB-R4"""
    assert at_bat(fielding=answer, batting=led).when(1, play(led)).when(0, play(answer)).last(TrickTaken).seat == taker


def test_a_card_elsewhere_is_refused_in_the_same_words_wherever_it_lies() -> None:
    """CB-09, CB-02: the rival's hand, an unused card, a card played, one left out; a C card by its own rule."""
    story = dealt_again(table(GAME, 2, first_dealer=0))
    story = story.when(1, PlayCard(story.table.hands[1][0]))
    held = [story.table.hands[1][0], story.table.unused[0], story.table.trick[0].card, Card("R-13"), PRINCE, PAUPER]
    said = [refusal(story, 0, PlayCard(card)) for card in (*held, Card("C-3"))]
    assert [no.rule for no in said] == ["CB-09"] * 6 + ["CB-02"]
    assert {no.code for no in said} == {"not_in_hand"}
    assert {no.text.replace(card, "X") for no, card in zip(said, (*held, "C-3"), strict=True)} == {"you do not hold X"}
    for inning in (1, 2, 11):
        later = at_bat(3, inning=inning, line=(0, 0) * (inning - 1))
        later.refuses(1, play("C-3"), "CB-02").refuses(1, play("C-4"), "CB-02").refuses(1, play("W-4"), "CB-09")


# ── Field cards ─────────────────────────────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize("number", range(1, 10))
@pytest.mark.parametrize("dealer", [0, 1])
def test_who_takes_the_trick_decides_what_the_field_card_means(number: int, dealer: int) -> None:
    """CB-11, CB-13, CB-R9"""
    assert taken(at_bat(number, dealer=dealer), "D").last(MenMoved).play == BY_DEALER[number]
    assert taken(at_bat(number, dealer=dealer), "B").last(MenMoved).play == BY_BATTER[number]


@pytest.mark.parametrize("play", ["HOLD", "DP1", "DP2", "SAC", "FLY", "ADV1", "WALK", "DBL", "TPL"])
def test_every_class_with_every_state_of_the_bases_and_of_the_outs(play: Any) -> None:
    """CB-14, CB-15, CB-R6, CB-R8, CB-R10: 216 cells; nobody appears from nowhere, and nobody is lost."""
    for bases in ("---", "1--", "-2-", "--3", "12-", "1-3", "-23", "123"):
        for outs in (0, 1, 2):
            move = moved(play, bases, outs)
            assert move == ran(play, bases, outs), (play, bases, outs)
            men_before, men_after = (sum(sign != "-" for sign in at) for at in (bases, move.bases))
            assert men_before + 1 == men_after + move.runs + move.outs
    assert len(MOVES) == 72


@pytest.mark.parametrize(
    ("bases", "outs", "card", "by", "after", "runs", "made"),
    [
        pytest.param("---", 0, 1, "D", "---", 0, 1, id="CB-E1 dealer"),
        pytest.param("---", 0, 1, "B", "--3", 0, 0, id="CB-E1 batter"),
        pytest.param("1-3", 0, 3, "D", "--3", 0, 2, id="CB-E2"),
        pytest.param("123", 1, 6, "D", "-23", 1, 1, id="CB-E3"),
        pytest.param("--3", 1, 9, "D", "---", 1, 1, id="CB-E4"),
        pytest.param("1-3", 0, 6, "B", "123", 0, 0, id="CB-E5"),
        pytest.param("123", 0, 6, "B", "123", 1, 0, id="CB-E5 again"),
        pytest.param("12-", 0, 3, "B", "-23", 1, 0, id="CB-E6 double"),
        pytest.param("123", 0, 1, "B", "--3", 3, 0, id="CB-E6 triple"),
        pytest.param("-2-", 0, 2, "D", "1-3", 0, 0, id="CB-E7 error"),
        pytest.param("-23", 0, 8, "D", "123", 0, 0, id="CB-E7 walk"),
        pytest.param("123", 0, 7, "D", "1-3", 0, 2, id="CB-E7 double play"),
    ],
)
def test_the_worked_plays(bases: str, outs: int, card: int, by: str, after: str, runs: int, made: int) -> None:
    """CB-13, CB-14, CB-E1, CB-E2, CB-E3, CB-E4, CB-E5, CB-E6, CB-E7"""
    story = taken(at_bat(card, bases=bases, outs=outs), by)
    move = story.last(MenMoved)
    assert (move.bases, move.runs, move.outs) == (after, runs, made)
    seen = GAME.view(story.table, None)
    assert (seen["bases"], seen["outs"], seen["runs"]) == (after, outs + made, runs)


@pytest.mark.parametrize(
    ("bases", "outs", "card", "made"),
    [
        pytest.param("1-3", 1, 3, 2, id="CB-E2: a double play with one out"),
        pytest.param("1-3", 2, 3, 1, id="a double play with two out"),
        pytest.param("123", 2, 6, 1, id="CB-E3: a sacrifice with two out"),
        pytest.param("--3", 2, 9, 1, id="CB-E4: a fly with two out"),
    ],
)
def test_the_third_out_lets_nobody_score(bases: str, outs: int, card: int, made: int) -> None:
    """CB-15, CB-16, CB-R6, CB-E2, CB-E3, CB-E4"""
    story = taken(at_bat(card, bases=bases, outs=outs), "D")
    assert (story.last(MenMoved).runs, story.last(MenMoved).outs) == (0, made)
    assert story.last(HalfEnded) == HalfEnded(1, "top", 1, 0, "three_out")


def test_a_batter_who_takes_an_8_is_struck_out_CB_E12() -> None:
    """CB-11, CB-E12: even with the best trump."""
    story = at_bat(8, fielding="R-1", batting="O-9").when(1, play("O-9")).when(0, play("R-1"))
    assert story.last(TrickTaken).seat == 1
    assert story.last(MenMoved) == MenMoved("HOLD", "---", 0, 1)


# ── Halves ──────────────────────────────────────────────────────────────────────────────────────────────────────


def test_a_half_of_four_runs_CB_E8() -> None:
    """CB-16, CB-E8"""
    moves, story = half("5B 4D 7B 1B 3D 6D 9D")
    assert [move.bases for move in moves[:6]] == ["1--", "12-", "123", "--3", "--3", "---"]
    assert [move.runs for move in moves] == [0, 0, 0, 3, 0, 1, 0]
    assert [move.outs for move in moves] == [0, 0, 0, 0, 1, 1, 1]
    assert story.last(HalfEnded) == HalfEnded(1, "top", 1, 4, "three_out")


def test_a_half_of_four_tricks_CB_E9() -> None:
    """CB-16, CB-E9: five cards of each seat stay unplayed and unseen."""
    moves, _ = half("8D 2D 6D 7D")
    assert [(move.bases, move.runs, move.outs) for move in moves[:3]] == [("1--", 0, 0), ("12-", 0, 0), ("-23", 0, 1)]
    assert (moves[3].runs, moves[3].outs) == (0, 2)
    cards = "R-1 R-2 R-3 R-4 R-5"
    story = at_bat(7, bases="-23", outs=1, fielding=f"W-9 {cards}", batting="W-8 O-1 O-2 O-3 O-4 O-5")
    ended = story.when(1, play("W-8")).when(0, play("W-9"))
    assert ended.last(HalfEnded).reason == "three_out"
    for seat in (0, 1, None):
        assert not [card for card in hand(f"{cards} O-1") if f"'{card}'" in repr(GAME.view(ended.table, seat))]


def test_nine_tricks_without_three_out_are_followed_by_a_new_deal_CB_E10() -> None:
    """CB-12, CB-R5, CB-R7, CB-E10: the same dealer, both packs complete; outs, men and runs stay."""
    moves, story = half("1B 2D 3B 4D 5B 6B 7B 8D 9B")
    assert [move.runs for move in moves] == [0, 1, 0, 0, 1, 1, 1, 1, 1]
    assert story.events[-1] == HandExhausted("123", 0)
    assert GAME.chance(story.table) == Shuffle(FIELD_PACK)
    again = dealt_again(story)
    event = again.last(HandDealt)
    assert (event.inning, event.half, event.dealer, event.redeal) == (1, "top", 0, True)
    assert (again.table.bases, again.table.outs, again.table.runs) == ("123", 0, 6)
    assert GAME.view(again.table, 0)["line_score"] == [(), (6,)]
    assert taken(again.but(field=field(6)), "B").table.runs == 7


def test_two_out_stay_out_over_a_new_deal() -> None:
    """CB-12: and the first out of the new hand ends the half."""
    _, story = half("1B 2D 3B 4D 5B 6B 7B 8B 9D")
    assert story.events[-1] == HandExhausted("12-", 2)
    again = dealt_again(story)
    ended = taken(again.but(field=field(1)), "D")
    assert ended.last(HalfEnded) == HalfEnded(1, "top", 1, again.table.runs, "three_out")


def test_at_some_tables_nine_tricks_retire_the_side() -> None:
    """CB-R5: `retire`"""
    _, story = half("1B 2D 3B 4D 5B 6B 7B 8D 9B", exhausted="retire")
    assert story.events[-1] == HalfEnded(1, "top", 1, 6, "retired")
    event = dealt_again(story).last(HandDealt)
    assert (event.inning, event.half, event.dealer, event.redeal) == (1, "bottom", 1, False)


def test_after_three_out_the_bases_are_cleared_and_the_former_batter_deals() -> None:
    """CB-16, CB-06, CB-17"""
    story = taken(at_bat(1, bases="123", outs=2, runs=2), "D")
    assert GAME.to_act(story.table) == {CHANCE}
    story.refuses(0, play("R-2"), "CB-16").refuses(1, play("R-3"), "CB-16")
    bottom = dealt_again(story)
    event = bottom.last(HandDealt)
    assert (event.inning, event.half, event.dealer, event.redeal) == (1, "bottom", 1, False)
    assert (bottom.table.bases, bottom.table.outs, bottom.table.runs) == ("---", 0, 0)
    assert GAME.to_act(bottom.table) == {0}
    later = taken(at_bat(1, inning=5, line=(0, 1) * 4, outs=2), "D")
    later.refuses(0, play("R-2"), "CB-16").refuses(1, play("R-3"), "CB-16")
    second = dealt_again(taken(bottom.but(field=field(1), outs=2), "D")).last(HandDealt)
    assert (second.inning, second.half, second.dealer) == (2, "top", 0)


def test_nothing_is_played_before_the_deal_and_dealing_is_no_command() -> None:
    """CB-04, CB-06"""
    story = table(GAME, 2, first_dealer=0)
    story.allows(0).allows(1).refuses(0, play("R-2"), "CB-04").refuses(1, play("R-2"), "CB-04")
    for command in ("deal", "move", "turn_field"):
        with pytest.raises(Unreadable):
            read_command(names(GAME.commands), {"type": command})


# ── The game ────────────────────────────────────────────────────────────────────────────────────────────────────


def bottom_of(inning: int, line: tuple[int, ...], *numbers: int, **changes: Any) -> Story:
    """Seat 0 bats last, in the bottom half of this inning; `line` holds the runs of all halves before it."""
    return at_bat(*(numbers or (1,)), dealer=1, inning=inning, half="bottom", line=line, **changes)


THREE_ALL = (1, 0, 0, 1, 0, 0, 2, 2, 0, 0, 0, 0, 0, 0, 0, 0, 0)  # after eight and a half innings: 3 to 3


def test_nine_innings_are_played_and_both_halves_of_each() -> None:
    """CB-17, CB-19, CB-R11: the side batting last leads, and bats all the same."""
    top = at_bat(1, inning=9, half="top", line=(0, 4) * 8, outs=2)
    ended = taken(top, "D")
    assert GAME.outcome(ended.table) is None
    last = dealt_again(ended)
    assert (last.last(HandDealt).inning, last.last(HandDealt).half) == (9, "bottom")
    over = taken(last.but(field=field(1), outs=2), "D")
    result = GAME.outcome(over.table)
    assert result is not None and (result.winners, result.scores) == ((0,), (32, 0))
    assert GAME.to_act(over.table) == frozenset() and GAME.view(over.table, None)["phase"] == "finished"
    over.refuses(1, play("R-2"), "CB-17").refuses(0, play("R-2"), "CB-17")
    eighth = taken(bottom_of(8, (1, 0) * 7 + (1,), outs=2), "D")
    assert GAME.outcome(eighth.table) is None


def test_level_after_nine_innings_a_tenth_is_played_CB_E13() -> None:
    """CB-18, CB-E13: 4 to 3 at its end decides; 4 to 4 goes on to the eleventh."""
    ninth = taken(bottom_of(9, THREE_ALL, outs=2), "D")
    assert GAME.outcome(ninth.table) is None and GAME.to_act(ninth.table) == {CHANCE}
    tenth = dealt_again(ninth)
    assert (tenth.last(HandDealt).inning, tenth.last(HandDealt).half, tenth.last(HandDealt).dealer) == (10, "top", 0)
    led = taken(tenth.but(field=field(1), outs=2, runs=1), "D")
    assert GAME.outcome(led.table) is None  # 4 to 3, but the inning is not over
    bottom = dealt_again(led)
    decided = GAME.outcome(taken(bottom.but(field=field(1), outs=2), "D").table)
    assert decided is not None and (decided.winners, decided.scores) == ((1,), (3, 4))
    level = taken(bottom.but(field=field(1), outs=2, runs=1), "D")
    assert GAME.outcome(level.table) is None
    assert dealt_again(level).last(HandDealt).inning == 11
    for inning in (11, 12, 20):
        still_level = taken(bottom_of(inning, (1, 1) * (inning - 1) + (0,), outs=2), "D")
        assert GAME.outcome(still_level.table) is None
        assert dealt_again(still_level).last(HandDealt).inning == inning + 1


def test_the_line_score_shows_every_inning_and_the_one_being_played() -> None:
    """CB-19"""
    story = bottom_of(9, THREE_ALL, runs=2)
    seen = GAME.view(story.table, None)
    assert seen["line_score"] == [(0, 1, 0, 2, 0, 0, 0, 0, 2), (1, 0, 0, 2, 0, 0, 0, 0, 0)]
    assert seen["totals"] == (5, 3)
    assert (seen["inning"], seen["half"], seen["dealer"], seen["batter"]) == (9, "bottom", 1, 0)


def test_a_walk_off_ends_the_last_half_with_the_play_that_decides() -> None:
    """CB-R11: all runs of that play count; a run that only levels the score does not end it."""
    story = bottom_of(9, THREE_ALL, 1, 5, bases="123", walk_off=True)
    won = taken(story, "B")
    assert won.last(HalfEnded) == HalfEnded(9, "bottom", 0, 3, "walk_off")
    result = GAME.outcome(won.table)
    assert result is not None and (result.winners, result.scores) == ((0,), (6, 3))
    level = taken(bottom_of(9, (*THREE_ALL[:-1], 1), 5, 4, bases="--3", walk_off=True), "B")
    assert level.table.runs == 1 and level.events[-1] == FieldTurned(2, Card("C-4"), 0)
    plain = taken(bottom_of(9, THREE_ALL, 1, 5, bases="123"), "B")
    assert plain.events[-1] == FieldTurned(2, Card("C-5"), 0)  # without the option play goes on
    early = taken(bottom_of(8, THREE_ALL[:15], 1, 5, bases="123", walk_off=True), "B")
    assert early.events[-1] == FieldTurned(2, Card("C-5"), 0)  # and before the ninth inning


def test_a_walk_off_table_leaves_out_a_last_half_that_cannot_matter() -> None:
    """CB-R11: if the side batting last leads after the top of the ninth, the game is over."""
    top = at_bat(1, inning=9, half="top", line=(0, 1) * 8, outs=2, walk_off=True)
    over = GAME.outcome(taken(top, "D").table)
    assert over is not None and (over.winners, over.scores) == ((0,), (8, 0))
    level = at_bat(1, inning=9, half="top", line=(1, 1) * 8, outs=2, walk_off=True)
    assert GAME.outcome(taken(level, "D").table) is None
    behind = at_bat(1, inning=9, half="top", line=(2, 1) * 8, outs=2, walk_off=True)
    assert GAME.outcome(taken(behind, "D").table) is None
    caught_up = at_bat(1, inning=9, half="top", line=(0, 1) * 8, runs=8, outs=2, walk_off=True)
    assert GAME.outcome(taken(caught_up, "D").table) is None  # the runs of the top of the ninth count too
    still_led = at_bat(1, inning=9, half="top", line=(0, 1) * 8, runs=7, outs=2, walk_off=True)
    assert GAME.outcome(taken(still_led, "D").table) == Outcome((1, 2), (8, 7), "more_runs")
    extra = at_bat(1, inning=10, half="top", line=(1, 1) * 9, outs=2, walk_off=True)
    assert dealt_again(taken(extra, "D")).last(HandDealt).half == "bottom"
    eighth = at_bat(1, inning=8, half="top", line=(0, 1) * 7, outs=2, walk_off=True)
    assert GAME.outcome(taken(eighth, "D").table) is None


@pytest.mark.parametrize("options", [{}, {"lead": "winner"}, {"exhausted": "retire"}, {"walk_off": True}])
def test_every_batter_is_accounted_for(options: dict[str, Any]) -> None:
    """CB-14, CB-16, CB-17, CB-18: in whole random games; batters are runs, outs and men left on base."""
    for number in range(6):
        batters = 0
        halves: list[HalfEnded] = []
        last = None
        for moment in random_match(GAME, 2, options, random.Random(repr((number, options)))):
            s = moment.before
            for event in moment.events:
                s = GAME.evolve(s, event)
                if isinstance(event, MenMoved):
                    batters += 1
                    men = sum(sign != "-" for sign in s.bases)
                    assert 0 <= s.outs <= 3 and batters == s.runs + s.outs + men
                if isinstance(event, HalfEnded):
                    batters = 0
                    halves.append(event)
            last = moment.after
        assert last is not None
        expected = [(1 + n // 2, ("top", "bottom")[n % 2]) for n in range(len(halves))]
        assert [(end.inning, end.half) for end in halves] == expected
        assert len(halves) >= (17 if options.get("walk_off") else 18)
        by_seat = [sum(end.runs for end in halves if end.seat == seat) for seat in (0, 1)]
        result = GAME.outcome(last)
        assert result is not None and list(result.scores) == by_seat and by_seat[0] != by_seat[1]


def test_a_move_reads_as_the_page_prints_it() -> None:
    """CB-15: three cells of the printed table."""
    assert MOVES["SAC", "1-3"] == Move("-2-", 1, 1)
    assert MOVES["DBL", "-23"] == Move("-2-", 2, 0)
    assert MOVES["WALK", "--3"] == Move("1-3", 0, 0)


# ── What is told to those who may see everything, and what a seat can imagine ───────────────────────────────────


def test_whoever_may_see_everything_sees_the_unused_cards_and_the_order_of_the_field_pack() -> None:
    """CB-02, CB-04: nothing there is anybody's own."""
    story = table(GAME, 2, first_dealer=0).when(CHANCE, Shuffled(field(8, 2))).when(CHANCE, Shuffled(PLAYING_PACK))
    seen = GAME.view(story.table, ALL)
    assert (seen["hand"], seen["hands"]) == (None, story.table.hands)
    assert seen["unused"] == PLAYING_PACK[18:]
    assert (*seen["field_turned"], *seen["field"]) == field(8, 2)


def test_the_batter_imagines_the_shown_card_where_it_is_and_no_suit_that_the_dealer_is_out_of() -> None:
    """CB-05, CB-09: the shown card stays with the dealer until he plays it; not to follow is to have none of the suit."""
    deck = hand("O-1 W-5 O-3 W-6 R-3 W-7 R-4 W-8 R-5 W-9 R-6 O-2 R-7 O-4 R-8 O-5 R-9 W-1")
    deck += tuple(card for card in PLAYING_PACK if card not in deck)
    story = table(GAME, 2, first_dealer=0).when(CHANCE, Shuffled(FIELD_PACK)).when(CHANCE, Shuffled(deck))
    story = story.when(1, play("R-3")).when(0, play("O-2"))
    rng = random.Random(1)
    worlds = [GAME.imagine(story.table, 1, rng.randrange) for _ in range(400)]
    assert all(Card("W-1") in world.hands[0] for world in worlds)
    assert not any(card.suit == "R" for world in worlds for card in world.hands[0])
    # Seven of the fourteen cards that he may hold, each as likely as the other.
    held = Counter(card for world in worlds for card in world.hands[0])
    free = {card for card in PLAYING_PACK if card.suit != "R"} - {*hand("O-1 O-2 O-3 W-1")}
    assert set(held) == free | {Card("W-1")}
    assert all(0.35 < held[card] / len(worlds) < 0.65 for card in free)
    assert {world.field[2] for world in worlds} == set(FIELD_PACK[2:])
