"""Rustle, rule by rule. Where no other is named, R is trump and seat 0 deals."""

from __future__ import annotations

import random
from collections.abc import Iterable, Sequence
from itertools import pairwise
from typing import Any

import pytest

from domain.game import CHANCE, Pick, Picked, Refused, Secret, Shuffle, Shuffled, Unreadable, each_its_own, hidden
from domain.games.rustle import (
    GAME,
    HONOURS,
    PACK,
    PACKS,
    CardPlayed,
    DealerChosen,
    HandDealt,
    HandScored,
    PacketsTakenUp,
    PlayCard,
    Table,
    TrickTaken,
)
from domain.kit.cards import PAUPER, PRINCE, Card, Hand
from domain.wire import names, read_command, write_event
from tests.domain.playing import random_match
from tests.domain.story import Story, hand, refuses_idle, refuses_table, table
from tests.golden.matches import Golden

QUICK = {"target": 30}
GOLDEN = Golden(
    seats=2,
    options={"target": 20},
    moment="both seats pass the target with equal totals, so another hand is dealt",
    shows=lambda events: any(isinstance(e, HandScored) and e.totals[0] == e.totals[1] >= 20 for e in events),
)


def whole(s: Table) -> Iterable[Any]:
    return PACKS[s.seats]


def pieces(s: Table) -> Iterable[Any]:
    if not s.hand_no:
        return ()
    lying = [card for packet in s.face_down for part in packet for card in part]
    return [*lying, *(card for pile in (*s.hands, *s.taken) for card in pile), *(play.card for play in s.trick)]


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


def dealt_by_chance(seats: int, deck: Hand | None = None, dealer: int = 0) -> HandDealt:
    story = table(GAME, seats, first_dealer=dealer)
    return story.when(CHANCE, Shuffled(deck or PACKS[seats])).last(HandDealt)


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
    assert GAME.view(story.table, 0)["packets_face_down"] == 2 and GAME.view(story.table, 0)["hand_counts"] == [6, 6]


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
    assert GAME.view(story.table, 0)["packets_face_down"] == 0


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
    rest = iter(card for card in PACKS[seats] if card not in last and (card.suit != "R" or card.number not in HONOURS))
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


@pytest.mark.parametrize("target", [0, 501])
def test_a_target_out_of_bounds_is_refused(target: int) -> None:
    """RU-R08"""
    refuses_table(GAME, 2, "RU-R08", target=target)
    refuses_table(GAME, 2, "RU-R07", cards_tie="both")


@pytest.mark.parametrize("cards_tie", ["none", "each"])
@pytest.mark.parametrize("seats", range(2, 10))
def test_what_holds_for_every_hand(seats: int, cards_tie: str) -> None:
    """RU-23, RU-24, RU-25, RU-28: honours are 20, the pack is taken in whole tricks, totals never fall."""
    totals: tuple[int, ...] = (0,) * seats
    each = len(PACKS[seats]) // seats
    for moment in random_match(GAME, seats, {"cards_tie": cards_tie}, random.Random(seats)):
        for event in moment.events:
            if not isinstance(event, HandScored):
                continue
            assert sum(event.honours) == 20
            assert sum(event.cards_taken) == len(PACKS[seats])
            assert all(count % seats == 0 for count in event.cards_taken)
            most = max(event.cards_taken)
            alone = event.cards_taken.count(most) == 1
            assert not alone or most > each
            scoring = [seat for seat in range(seats) if event.cards_taken[seat] == most]
            for seat, points in enumerate(event.cards_points):
                assert points == (most - each if seat in scoring and (alone or cards_tie == "each") else 0)
            assert event.delta == tuple(h + c for h, c in zip(event.honours, event.cards_points, strict=True))
            assert event.totals == tuple(t + d for t, d in zip(totals, event.delta, strict=True))
            assert min(event.delta) >= 0
            totals = event.totals


def test_two_who_tie_for_cards_have_none_to_score() -> None:
    """RU-R07"""
    for value in ("none", "each"):
        refuses_idle(GAME, 2, "cards_tie", value)
        GAME.new_table({"cards_tie": value}, 3)


def test_an_absent_player_gives_no_honour_away() -> None:
    """RU-09: plain cards first, then low trumps; the trump 10 last of all."""
    story = dealt("C-6", "C-10 C-1 C-6 R-7 R-1", turned="C-7")
    assert [str(command.card) for command in GAME.legal(story.table, 1)] == ["R-7", "R-1", "C-6", "C-1", "C-10"]
