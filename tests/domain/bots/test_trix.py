"""Trix: obvious play."""

from __future__ import annotations

from domain.games.trix import GAME
from domain.games.trix.game import FULL, PLAYS, PlayCard
from domain.kit.trixcards import TrixCard
from tests.domain.bots.choosing import by_thumb


def played(mine: str, trick: str = "", seats: int = 3) -> TrixCard:
    """The card that the last seat plays from its hand to this set; with an empty set it leads."""
    own = tuple(map(TrixCard, mine.split()))
    lying = tuple(map(TrixCard, trick.split()))
    rest = [card for card in FULL if card not in (*own, *lying)]
    hands = [tuple(rest[4 * seat : 4 * seat + 4]) for seat in range(seats - 1)]
    table = GAME.open_table({}, seats)._replace(
        playing=True,
        hand_no=1,
        dealer=0,
        set_no=1,
        hands=(*hands, own),
        reserve=tuple(rest[4 * seats :]),
        turn=seats - 1,
        on_table=lying,
    )
    play = by_thumb(GAME, table, seats - 1)
    assert isinstance(play, PlayCard) and play in PLAYS.values()
    return play.card


def test_the_last_to_play_takes_a_set_that_counts() -> None:
    assert played("2-1 4-2 12-12 3-1", "15-10 6-2") == "12-12"


def test_a_set_that_counts_nothing_gets_a_weak_card() -> None:
    assert played("2-1 15-15 15-14 13-13", "9-8 6-2") == "2-1"


def test_the_last_to_play_takes_his_own_trix_card_home() -> None:
    assert played("2-1 15-10 3-1 4-0", "9-8 6-2") == "15-10"


def test_a_set_is_not_taken_with_more_than_it_needs() -> None:
    assert played("15-14 15-15 3-1 4-0", "14-6 6-2") == "15-14"


def test_a_trix_card_goes_to_the_set_that_a_partner_takes() -> None:
    assert played("2-1 10-5 3-1 4-0", "12-12 7-2 15-13", seats=4) == "2-1"
    assert played("2-1 10-5 3-1 4-0", "7-2 14-14 8-3", seats=4) == "10-5"


def test_a_card_that_nothing_beats_waits_for_a_set_that_counts_more() -> None:
    assert played("13-1 1-0 6-3 15-15", "6-4 14-12 12-5 15-12", seats=5) == "1-0"
    assert played("13-1 1-0 6-3 15-15", "6-4 14-11 15-5 15-12", seats=5) == "15-15"


def test_a_trix_card_is_not_thrown_to_the_set_of_a_rival() -> None:
    assert played("4-0 12-8 1-0 13-13", "11-11 12-11 12-10 7-6", seats=5) == "1-0"
    assert played("13-13 12-8 1-1 11-11", "4-0 12-12") == "1-1"


def test_a_table_is_worth_more_to_whoever_plays_last() -> None:
    table = GAME.open_table({}, 3)._replace(
        playing=True,
        hands=tuple(tuple(map(TrixCard, hand)) for hand in (["9-0", "7-1"], ["8-1", "6-2"], ["7-2", "5-3"])),
        reserve=tuple(map(TrixCard, ["15-14", "13-12", "11-10"])),
        turn=0,
    )
    first, second, last = GAME.bot.worth(table)
    assert first < second < last


def test_when_a_hand_is_over_its_points_are_all_that_counts() -> None:
    table = GAME.open_table({}, 3)._replace(side_totals=(100, 150, 170))
    assert GAME.bot.worth(table) == [10_000, 15_000, 17_000]
