"""Four Nines, rule by rule. Seat A is 0 and seat B is 1; at a table of two they sit on places 0 and 2."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterable
from itertools import pairwise
from typing import Any

import pytest

from domain.game import ALL, CHANCE, Dice, Outcome, Rolled
from domain.games.four_nines import GAME
from domain.games.four_nines.cross import CROSSES, PLACES, Captured
from domain.games.four_nines.events import (
    DiceRolled,
    DiscEntered,
    DiscForfeited,
    DiscMoved,
    EndPlay,
    Enter,
    EntryMissed,
    GameWon,
    GiftGiven,
    Move,
    PlayEnded,
    Roll,
    StartThrown,
)
from domain.games.four_nines.game import Table
from domain.games.four_nines.view import board as geometry
from tests.domain.playing import random_match
from tests.domain.retelling import ask_for_everything, recounted, retell
from tests.domain.story import Story, refuses_idle, refuses_table, table
from tests.domain.told.four_nines import FourNines
from tests.golden.matches import Golden

QUICK = {"variant": "two-dice"}
SEVERAL = {"variant": "two-dice", "games": 3}
GOLDEN = Golden(
    seats=2,
    options={},
    moment="a third six sends the leading disc back to the waiting circle",
    shows=lambda events: len(events) < 260 and any(isinstance(e, DiscForfeited) for e in events),
)
TWO: dict[str, Any] = {"variant": "two-dice"}
FIVE, SUM, END = Enter("five"), Enter("sum"), EndPlay()
HOME = 71
O = -1  # noqa: E741  a waiting disc


def whole(s: Table) -> Iterable[Any]:
    return [(seat, disc) for seat in range(s.seats) for disc in range(4)]


def pieces(s: Table) -> Iterable[Any]:
    """Every disc once, and one too many for a space with three discs or with two colours on it."""
    here: dict[Any, list[int]] = {}
    for seat, own in enumerate(s.discs):
        for progress in own:
            if 0 <= progress < s.cross.home:
                road = s.cross.space(PLACES[s.seats][seat], progress)
                here.setdefault((seat, progress) if road is None else road, []).append(seat)
    crowded = [space for space, owners in here.items() if len(owners) > 2 or len(set(owners)) > 1]
    return [*((seat, disc) for seat, own in enumerate(s.discs) for disc in range(len(own))), *crowded]


# ── What the rule page says, for the common tests ────────────────────────────────────────────────────────────────

SEATS = ("FN-R1", range(2, 5))
OPTIONS = {
    "variant": ("FN1-02", "one-die", ("one-die", "two-dice")),
    "board": ("FN-R1", "cross68", ("cross68", "cross76")),
    "games": ("FN1-07", 1, range(1, 11)),
    "start": ("FN-R2", "lowest", ("lowest", "highest", "seat0")),
    "compulsory_moves": ("FN-R7", True, bool),
    "pre_entry_throws": ("FN-R3", "gift", ("gift", "shared5", "off")),
    "third_doublet": ("FN-R15", "penalty", ("penalty", "no_more_throws", "unlimited")),
    "six_is_twelve_two_dice": ("FN-R16", False, bool),
}
REFUSALS = {
    "FN-02": {"nothing_in_play", "no_five", "none_waiting", "not_in_play"},
    "FN-03": {"not_your_throw", "not_your_play"},
    "FN-05": {"space_full"},
    "FN-06": {"safe"},
    "FN-09": {"blockade"},
    "FN-11": {"circle_full"},
    "FN-12": {"no_such_disc"},
    "FN-15": {"past_home"},
    "FN-16": {"at_home"},
    "FN1-02": {"not_your_play", "not_thrown"},
    "FN1-03": {"must_enter"},
    "FN1-04": {"not_thrown"},
    "FN1-05": {"must_move"},
    "FN1-07": {"match_over"},
    "FN2-02": {"no_five"},
    "FN2-03": {"gift"},
    "FN2-05": {"die_used"},
    "FN2-09": {"not_thrown"},
    "FN2-11": {"wastes_numbers", "must_move"},
    "FN2-12": {"blockade_moved"},
    "FN2-18": {"match_over"},
}


def recount(events: Iterable[Any], options: Any, seats: int) -> Outcome | None:
    """FN-01 to FN-16, FN1-01 to FN1-07, FN2-01 to FN2-18, on a cross of its own."""
    return recounted(FourNines, events, options, seats)


WAYS_TO_PLAY: list[dict[str, Any]] = [
    {"start": "highest", "board": "cross76"},
    {"start": "seat0", "compulsory_moves": False},
    {"variant": "two-dice", "pre_entry_throws": "shared5", "third_doublet": "no_more_throws"},
    {"variant": "two-dice", "pre_entry_throws": "off", "six_is_twelve_two_dice": True, "third_doublet": "unlimited"},
    {"variant": "two-dice", "compulsory_moves": False, "board": "cross76"},
]


@pytest.mark.parametrize("seats", [2, 3, 4])
@pytest.mark.parametrize("options", WAYS_TO_PLAY, ids=str)
def test_every_way_to_play_is_that_of_the_rule_page_at_tables_of_every_size(seats: int, options: Any) -> None:
    """FN-R1 to FN-R16: every throw and move, all scores, who throws next, all views, commands and refusals."""
    retell(FourNines, GAME, seats, options, 250)


@pytest.mark.parametrize(
    ("seats", "options"),
    [
        (2, {"games": 2, "start": "highest"}),
        (2, {"variant": "two-dice", "games": 3}),
        (3, {"variant": "two-dice", "games": 2, "pre_entry_throws": "shared5"}),
        (4, {}),
    ],
    ids=str,
)
def test_a_whole_match_is_what_the_rule_page_makes_of_its_events(seats: int, options: dict[str, Any]) -> None:
    """FN-01 to FN2-18: to the end, which the same seats win."""
    assert retell(FourNines, GAME, seats, options, 4000) is not None


@pytest.mark.parametrize("seats", [2, 3, 4])
@pytest.mark.parametrize("variant", ["one-die", "two-dice"])
def test_whatever_is_asked_for_is_answered_by_the_rule_page(seats: int, variant: str) -> None:
    """FN-X1 to FN-X13, of every seat."""
    moves = [Move(disc, number) for disc in (-1, 0, 1, 3, 4) for number in (0, 1, 4, 5, 6, 12)]
    ask_for_everything(FourNines, GAME, seats, {"variant": variant}, [Roll(), FIVE, SUM, END, *moves], 250)


def at(*discs: list[int], turn: int = 0, **options: Any) -> Story:
    """A table in which these discs have come so far, before a throw."""
    story = table(GAME, len(discs), **options)
    return story.but(
        phase="throw",
        starters=(),
        turn=turn,
        player=turn,
        discs=tuple(tuple(own) for own in discs),
        entered=tuple(any(disc >= 0 for disc in own) for own in discs),
    )


def roll(story: Story, *dice: int) -> Story:
    return story.when(story.table.turn, Roll(), Rolled(dice))


def discs(story: Story, seat: int = 0) -> list[int]:
    return list(story.table.discs[seat])


def in_(story: Story, seat: int = 0) -> Story:
    """The same table, where the seat has entered before although all its discs wait again."""
    return story.but(entered=tuple(old or n == seat for n, old in enumerate(story.table.entered)))


NOBODY_IN = [O, O, O, O]
AWAY = [60, O, O, O]  # a disc of B far from everything: on road 31 at a table of two

# ── The board ───────────────────────────────────────────────────────────────────────────────────────────────────


def test_the_cross_of_68_spaces() -> None:
    """FN-R1, FN-R18: the board's data."""
    board = CROSSES["cross68"]
    assert (board.track, board.quarter, board.gate, board.home) == (68, 17, 63, 71)
    assert [board.gate_space(p) for p in range(4)] == [0, 17, 34, 51]
    assert [board.entry_space(p) for p in range(4)] == [5, 22, 39, 56]
    assert sorted(board.circles) == [0, 5, 12, 17, 22, 29, 34, 39, 46, 51, 56, 63]
    for place in range(4):
        assert board.space(place, 63) == board.gate_space(place)
        assert board.space(place, 64) is None and board.space(place, -1) is None


def test_the_cross_of_76_spaces() -> None:
    """FN-R1"""
    board = CROSSES["cross76"]
    assert (board.track, board.quarter, board.gate, board.home) == (76, 19, 71, 80)
    assert sorted(board.circles)[:4] == [0, 5, 14, 19]
    assert roll(at([68, O, O, O], AWAY, board="cross76"), 6).when(0, Move(0, 12)).last(DiscMoved).to == 80
    roll(at([79, 20, O, O], AWAY, board="cross76"), 2).refuses(0, Move(0, 2), "FN-15")
    assert roll(at([70, O, O, O], AWAY, board="cross76"), 1).when(0, Move(0, 1)).last(DiscMoved).road == 0


def test_the_drawing_of_the_road() -> None:
    """FN-R1: rows and columns on a grid of 19."""
    road = CROSSES["cross68"].drawing()
    assert len(set(road)) == 68
    assert road[0] == (18, 9) and road[1] == (18, 10) and road[8] == (11, 10)
    assert road[9] == (10, 11) and road[16] == (10, 18) and road[17] == (9, 18)
    assert road[18] == (8, 18) and road[25] == (8, 11) and road[26] == (7, 10) and road[33] == (0, 10)
    assert road[34] == (0, 9) and road[35] == (0, 8) and road[42] == (7, 8) and road[50] == (8, 0)
    assert road[51] == (9, 0) and road[52] == (10, 0) and road[59] == (10, 7) and road[60] == (11, 8)
    assert road[67] == (18, 8)


def test_every_disc_can_be_followed_along_the_links_from_waiting_to_home() -> None:
    """FN-02, FN-04: round the road to the gate and up the owner's column, cell after cell, each next to the last."""
    for name, steps in (("cross68", 72), ("cross76", 81)):
        options = GAME.open_table({"board": name}, 4).options
        cells = {cell.id: cell for cell in geometry(options, 4).cells}
        assert sum(cell.shape == "circle" for cell in cells.values()) == 12 + 4
        for seat in range(4):
            at = next(cell for cell in cells.values() if cell.kind == "wait" and cell.home == seat)
            way = [at]
            while at.kind != "home":
                after = [cells[link] for link in at.links if cells[link].home in (None, seat)]
                at = next((cell for cell in after if cell.home == seat), after[0])
                way.append(at)
            assert len(way) == 1 + steps and at.home == seat
            assert all(max(abs(a.x - b.x), abs(a.y - b.y)) == 1 for a, b in pairwise(way[1:]))


def test_points_of_the_match_include_the_game_that_is_played() -> None:
    """FN1-07, FN2-18: with one die a game won is a point; with two dice the points of all games are added up."""
    for options in ({"games": 2}, {"variant": "two-dice", "games": 2}):
        last: Any = None
        for moment in random_match(GAME, 2, options, random.Random(5)):
            view = GAME.view(moment.after, None)
            if options.get("variant") is None:
                assert view["totals"] == view["wins"]
            elif moment.after.phase != "game_over":
                had = [0, 0] if view["game_no"] == 1 else moment.after.sums
                assert view["totals"] == tuple(a + b for a, b in zip(had, view["game_points"], strict=True))
            last = moment.after
        outcome = GAME.outcome(last)
        assert outcome is not None and GAME.view(last, ALL)["totals"] == outcome.scores


def test_two_three_or_four_players_each_with_four_waiting_discs_FN_X14() -> None:
    """FN-01, FN-R1, FN-X14: turns go to the left, so places run 0, 3, 2, 1."""
    for seats, places in ((2, (0, 2)), (3, (0, 3, 2)), (4, (0, 3, 2, 1))):
        view = GAME.view(table(GAME, seats).table, ALL)
        assert view["discs"] == ((O, O, O, O),) * seats
        assert [piece["cell"] for piece in view["pieces"]] == [f"wait-{place}" for place in places for _ in range(4)]
        board = geometry(table(GAME, seats).table.options, seats)
        assert {cell.home: cell.id for cell in board.cells if cell.kind == "wait" and cell.home is not None} == {
            seat: f"wait-{place}" for seat, place in enumerate(places)
        }
    for seats in (1, 5):
        refuses_table(GAME, seats, "FN-R1")


# ── Start ───────────────────────────────────────────────────────────────────────────────────────────────────────


def test_the_lowest_throw_starts_and_ties_throw_again() -> None:
    """FN1-01, FN-R2"""
    story = table(GAME, 3)
    assert GAME.chance(story.table) == Dice(3, 6)
    tied = story.when(CHANCE, Rolled((2, 4, 2))).then(StartThrown((0, 1, 2), ((2,), (4,), (2,)), (0, 2)))
    assert GAME.chance(tied.table) == Dice(2, 6)
    assert GAME.to_act(tied.when(CHANCE, Rolled((6, 3))).table) == {2}
    assert GAME.to_act(table(GAME, 3, start="highest").when(CHANCE, Rolled((2, 4, 1))).table) == {1}
    assert GAME.to_act(table(GAME, 3, start="seat0").table) == {0}


def test_with_two_dice_the_lowest_total_starts_FN_E9() -> None:
    """FN2-01, FN-E9"""
    story = table(GAME, 3, **TWO)
    assert GAME.chance(story.table) == Dice(6, 6)
    assert GAME.to_act(story.when(CHANCE, Rolled((3, 4, 1, 3, 5, 4))).table) == {1}
    tied = story.when(CHANCE, Rolled((1, 3, 2, 2, 5, 4)))
    assert tied.last(StartThrown).best == (0, 1) and GAME.chance(tied.table) == Dice(4, 6)


# ── Both games: entering and moving ─────────────────────────────────────────────────────────────────────────────


def test_a_five_enters_a_disc_FN_E1() -> None:
    """FN-02, FN-E1"""
    story = roll(at(NOBODY_IN, NOBODY_IN), 5)
    story.then(DiceRolled(0, (5,), 1, (5,), 0, 0, False)).allows(0, FIVE)
    entered = story.when(0, FIVE).then(DiscEntered(0, 0, "five", 5, None, 0, ()))
    assert discs(entered) == [0, O, O, O] and GAME.to_act(entered.table) == {1}


def test_everyone_throws_in_turn_FN_X13() -> None:
    """FN-03, FN-X13: a useless throw lapses by itself."""
    story = at(NOBODY_IN, NOBODY_IN, NOBODY_IN).allows(0, Roll()).refuses(1, Roll(), "FN-03")
    story = roll(story, 3).then(DiceRolled(0, (3,), 1, (), 0, 0, False))
    assert GAME.to_act(story.table) == {1}
    assert GAME.to_act(roll(roll(story, 1), 2).table) == {0}
    roll(at([10, O, O, O], AWAY), 3).refuses(0, Roll(), "FN-03").refuses(1, Roll(), "FN-03")
    at([10, O, O, O], AWAY).refuses(0, END, "FN1-02").refuses(0, FIVE, "FN1-02")
    at([10, O, O, O], AWAY, **TWO).refuses(0, END, "FN-03").refuses(0, Move(0, 3), "FN-03")


def test_discs_go_round_the_road_and_up_their_own_column() -> None:
    """FN-04"""
    story = roll(at([62, O, O, O], AWAY), 3).when(0, Move(0, 3))
    story.then(DiscMoved(0, 0, 3, 62, 65, None, None, 0, ()))
    other = roll(at(AWAY, [62, O, O, O], turn=1), 1).when(1, Move(0, 1))
    assert other.last(DiscMoved).road == 34  # B's own gate, not A's
    passing = roll(at(AWAY, [27, O, O, O], turn=1), 4).when(1, Move(0, 4))
    assert passing.last(DiscMoved).road == 2  # past A's gate, on along the road


def test_a_column_belongs_to_its_owner_alone() -> None:
    """FN-04, FN-08: a disc on road 2 is not met by one in A's column, though both are past A's gate."""
    story = roll(at([64, O, O, O], [31, O, O, O]), 1).when(0, Move(0, 1))
    assert story.table.cross.space(2, 31) == 2
    assert story.last(DiscMoved).captured is None and discs(story, 1)[0] == 31


def test_landing_on_a_lone_disc_captures_it_FN_E3() -> None:
    """FN-08, FN2-13, FN-E3: no points with one die, 20 with two."""
    story = roll(at([10, O, O, O], [40, O, O, O], turn=1), 4).when(1, Move(0, 4))
    story.then(DiscMoved(1, 0, 4, 40, 44, 15, Captured(0, 0), 0, ()))
    assert discs(story) == NOBODY_IN and story.table.scores == (0, 0)
    two = roll(at([10, O, O, O], [40, O, O, O], turn=1, **TWO), 4, 1).when(1, Move(0, 4))
    assert two.table.scores == (0, 20) and two.last(DiscMoved).points == 20
    roll(two.but(phase="throw", turn=0, player=0), 4, 4).refuses(0, Move(0, 4), "FN-02")  # it needs a new 5


def test_a_disc_on_a_circle_is_safe_and_may_be_passed_FN_E4() -> None:
    """FN-06, FN-E4, FN-X6"""
    story = at([7, O, O, O], [40, O, O, O], turn=1)
    assert roll(story, 1).last(DiceRolled).numbers == ()  # nothing else to move, so the throw lapses
    roll(at([7, O, O, O], [40, 20, O, O], turn=1), 1).refuses(1, Move(0, 1), "FN-06")
    assert roll(story, 2).when(1, Move(0, 2)).last(DiscMoved).road == 13


def test_a_lone_disc_on_its_own_entering_circle_can_be_captured_FN_E5() -> None:
    """FN-07, FN-09, FN-E5"""
    story = roll(at([0, O, O, O], [32, O, O, O], turn=1), 2).when(1, Move(0, 2))
    assert story.last(DiscMoved).captured == Captured(0, 0) and discs(story) == NOBODY_IN
    for number in (2, 3):
        blocked = roll(at([0, 0, O, O], [32, 20, O, O], turn=1), number)
        blocked.refuses(1, Move(0, number), "FN-09")


def test_a_disc_on_anothers_entering_circle_is_safe_but_from_its_owner_FN_E6() -> None:
    """FN-06, FN-10, FN-11, FN-R4, FN-R5, FN-R6, FN-E6"""
    seats: list[list[int]] = [NOBODY_IN, [15, 20, O, O], [34, O, O, O], NOBODY_IN]  # places 0, 3, 2, 1
    story = at(*seats, turn=1)
    assert story.table.cross.space(3, 15) == 3 and story.table.cross.space(2, 34) == 5
    roll(story, 2).refuses(1, Move(0, 2), "FN-06")
    entered = roll(at(*seats), 5).when(0, FIVE)
    entered.then(DiscEntered(0, 0, "five", 5, Captured(2, 0), 0, ()))
    assert discs(entered, 2) == NOBODY_IN
    two = roll(at(*seats, **TWO), 5, 1).when(0, FIVE)
    assert two.last(DiscEntered).points == 20
    full = [NOBODY_IN, [15, 20, O, O], [34, 34, O, O], NOBODY_IN]
    assert roll(at(*full), 5).last(DiceRolled).numbers == ()
    roll(at([10, O, O, O], *full[1:]), 5).refuses(0, FIVE, "FN-11").allows(0, Move(0, 5))
    roll(at([0, 0, O, O], AWAY), 5).refuses(0, FIVE, "FN-11")  # two own discs stop entering too


def test_nobody_passes_a_blockade_and_no_space_takes_three_FN_E7() -> None:
    """FN-05, FN-09, FN-E7, FN-X6"""
    assert discs(roll(at([20, 20, 18, O], AWAY), 1).when(0, Move(2, 1))) == [20, 20, 19, O]
    roll(at([20, 20, 18, O], AWAY), 2).refuses(0, Move(2, 2), "FN-05")
    roll(at([20, 20, 18, O], AWAY), 3).refuses(0, Move(2, 3), "FN-09")
    for number in (2, 3):
        story = at([20, 20, 18, O], [52, 20, O, O], turn=1)
        assert story.table.cross.space(2, 52) == 23
        roll(story, number).refuses(1, Move(0, number), "FN-09")
    opened = roll(at([20, 20, 18, O], [52, O, O, O]), 4).when(0, Move(0, 4))
    assert roll(opened, 3).when(1, Move(0, 3)).last(DiscMoved).road == 26  # one has moved on


def test_two_discs_of_a_column_are_a_blockade_too() -> None:
    """FN-05, FN-09: but Home holds four."""
    roll(at([66, 66, 64, O], AWAY), 2).refuses(0, Move(2, 2), "FN-05")
    roll(at([66, 66, 64, O], AWAY), 4).refuses(0, Move(2, 4), "FN-09")
    assert roll(at([HOME, HOME, 69, O], AWAY), 2).when(0, Move(2, 2)).last(DiscMoved).to == HOME


def test_the_player_chooses_his_disc_FN_X8() -> None:
    """FN-12, FN-X8"""
    story = roll(at([20, 30, O, O], AWAY), 3).allows(0, Move(0, 3), Move(1, 3))
    story.refuses(0, Move(4, 3), "FN-12").refuses(0, Move(-1, 3), "FN-12").refuses(0, Move(2, 3), "FN-02")


def test_nothing_moves_that_has_not_entered_FN_X1() -> None:
    """FN-02, FN-X1, FN-X2"""
    roll(at(NOBODY_IN, AWAY), 5).refuses(0, Move(0, 5), "FN-02")
    at(NOBODY_IN, AWAY).refuses(0, Move(0, 3), "FN-02")
    roll(at([10, O, O, O], AWAY), 3).refuses(0, FIVE, "FN-02").refuses(0, SUM, "FN-02")
    roll(at([10, O, O, O], AWAY, **TWO), 3, 1).refuses(0, FIVE, "FN2-02").refuses(0, SUM, "FN2-02")
    roll(at([10, 20, 30, 40], AWAY, **TWO), 5, 1).refuses(0, FIVE, "FN-02")


def test_home_takes_the_exact_number_FN_E8() -> None:
    """FN-15, FN-E8, FN-X7"""
    for number in (1, 2, 3):
        assert discs(roll(at([68, 10, O, O], AWAY), number).when(0, Move(0, number)))[0] == 68 + number
    roll(at([68, 10, O, O], AWAY), 4).refuses(0, Move(0, 4), "FN-15")
    roll(at([68, 0, 0, O], AWAY), 5).refuses(0, Move(0, 5), "FN-15")
    roll(at([68, 10, O, O], AWAY), 6).refuses(0, Move(0, 12), "FN-15")
    assert discs(roll(at([59, 10, O, O], AWAY), 6).when(0, Move(0, 12)))[0] == HOME
    roll(at([HOME, 10, O, O], AWAY), 2).refuses(0, Move(0, 2), "FN-16")


def test_a_capture_is_never_compulsory() -> None:
    """FN-13, FN1-05: when it is the only move it may be declined, when there is another it may be chosen."""
    only_capture = roll(at([10, O, O, O], [45, O, O, O]), 1).allows(0, Move(0, 1), END)
    assert only_capture.table.cross.space(2, 45) == 16
    only_capture.when(0, END).then(PlayEnded(0, (1,)))
    roll(at([10, 30, O, O], [45, O, O, O]), 1).allows(0, Move(0, 1), Move(1, 1)).refuses(0, END, "FN1-05")


# ── One die ─────────────────────────────────────────────────────────────────────────────────────────────────────


def test_one_throw_moves_one_disc_FN_X5() -> None:
    """FN1-02, FN-X5"""
    story = roll(at([10, 20, O, O], AWAY), 3).refuses(0, Move(0, 4), "FN1-02").when(0, Move(0, 3))
    story.refuses(0, Move(1, 3), "FN1-02")
    assert GAME.to_act(story.table) == {1}


def test_a_five_must_enter_if_it_can_FN_X3() -> None:
    """FN1-03, FN-13, FN-14, FN-R9, FN-X3: also when entering captures."""
    roll(at([10, O, O, O], AWAY), 5).allows(0, FIVE).refuses(0, Move(0, 5), "FN1-03").refuses(0, END, "FN1-03")
    roll(at([10, O, O, O], [34, O, O, O]), 5).allows(0, FIVE)
    roll(at([10, 0, 0, O], AWAY), 5).allows(0, Move(0, 5), Move(1, 5), Move(2, 5))
    roll(at([10, 20, 30, 40], AWAY), 5).allows(0, *(Move(disc, 5) for disc in range(4)))


def test_a_six_moves_twelve_and_throws_again_FN_X4() -> None:
    """FN1-04, FN-X4"""
    story = roll(at([10, O, O, O], AWAY), 6).allows(0, Move(0, 12)).refuses(0, Move(0, 6), "FN1-04")
    moved = story.when(0, Move(0, 12))
    assert discs(moved)[0] == 22 and GAME.to_act(moved.table) == {0}
    assert roll(moved, 4).when(0, Move(0, 4)).table.turn == 1


def test_a_six_that_cannot_be_played_still_earns_its_throw() -> None:
    """FN1-05, FN-R10: also before any disc is in."""
    story = roll(at(NOBODY_IN, AWAY), 6).then(DiceRolled(0, (6,), 1, (), 0, 0, True))
    again = roll(story, 6)
    assert GAME.to_act(again.table) == {0} and again.last(DiceRolled).throw_no == 2
    third = roll(again, 6).then(DiceRolled(0, (6,), 3, (), 0, 0, False))  # FN1-06: nothing to lose
    assert GAME.to_act(third.table) == {1}


def test_the_third_six_costs_the_leading_disc_FN_E2() -> None:
    """FN1-04, FN1-06, FN-E2"""
    story = roll(at([3, 1, O, O], AWAY), 6).when(0, Move(0, 12))
    story = roll(story, 6).when(0, Move(0, 12))
    assert discs(story) == [27, 1, O, O]
    third = roll(story, 6)
    third.then(DiceRolled(0, (6,), 3, (), 0, 0, False), DiscForfeited(0, 0, "third_six"))
    assert discs(third) == [O, 1, O, O] and GAME.to_act(third.table) == {1}


def test_the_third_six_takes_from_the_column_but_not_from_home() -> None:
    """FN1-06, FN-16, FN-R8: of two equally near, the lower number."""
    twice = at([HOME, 66, 66, 12], AWAY).but(throw_no=2, again=True)
    assert roll(twice, 6).last(DiscForfeited).disc == 1
    nothing = at([HOME, HOME, O, O], AWAY).but(throw_no=2, again=True)
    assert len(roll(nothing, 6).events) == 1


def test_sixes_are_counted_within_one_turn() -> None:
    """FN1-06"""
    story = roll(roll(at(NOBODY_IN, NOBODY_IN), 6), 1)  # the turn ends
    assert roll(story, 6).last(DiceRolled).throw_no == 1
    assert roll(roll(story, 6), 6).last(DiceRolled).throw_no == 2


def test_the_first_with_four_discs_home_wins() -> None:
    """FN1-07, FN-16"""
    story = roll(at([HOME, HOME, HOME, 70], AWAY), 1).when(0, Move(3, 1))
    assert story.last(GameWon) == GameWon((0,), (0, 0), (4, 0), (1, 0), (0, 0))
    result = GAME.outcome(story.table)
    assert result is not None and result.winners == (0,) and result.scores == (1, 0)
    story.refuses(1, Roll(), "FN1-07").refuses(0, Move(0, 1), "FN1-07")
    assert GAME.to_act(story.table) == frozenset()


def test_moves_are_free_if_the_table_wants_it_so() -> None:
    """FN-R7: `end_play` is always legal, but a 5 still has to enter."""
    free = {"compulsory_moves": False}
    roll(at([10, O, O, O], AWAY, **free), 3).allows(0, Move(0, 3), END)
    roll(at([10, O, O, O], AWAY, **free), 5).allows(0, FIVE)
    roll(at([10, 20, 30, 40], AWAY, **free, **TWO), 3, 1).when(0, END).then(PlayEnded(0, (3, 1)))
    wasting = roll(at([10, O, O, O], [44, 44, O, O], **free, **TWO), 6, 1)
    assert END in GAME.legal(wasting.table, 0)


# ── Two dice: entering ──────────────────────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize(("dice", "by"), [((5, 2), FIVE), ((1, 4), SUM), ((3, 2), SUM), ((4, 1), SUM), ((5, 5), FIVE)])
def test_a_five_or_a_total_of_five_enters(dice: tuple[int, int], by: Enter) -> None:
    """FN2-02, FN2-05"""
    story = roll(at(NOBODY_IN, AWAY, **TWO), *dice)
    entries = [command for command in GAME.legal(story.table, 0) if isinstance(command, Enter)]
    assert entries == [by]
    assert discs(story.when(0, by))[0] == 0


def test_fifteen_throws_of_36_enter() -> None:
    """FN2-02"""
    entering = 0
    for one in range(1, 7):
        for two in range(1, 7):
            story = roll(at(NOBODY_IN, AWAY, pre_entry_throws="off", **TWO), one, two)
            entering += any(isinstance(command, Enter) for command in GAME.legal(story.table, 0))
    assert entering == 15


def test_the_other_die_is_free_after_a_five_FN_E10() -> None:
    """FN2-04, FN-R11, FN-E10: it may but need not be played, by any disc."""
    story = roll(at(NOBODY_IN, AWAY, **TWO), 5, 3).allows(0, FIVE, END).when(0, FIVE)
    story.then(DiscEntered(0, 0, "five", 5, None, 0, (3,))).allows(0, Move(0, 3), END)
    assert discs(story.when(0, Move(0, 3))) == [3, O, O, O]
    other = roll(at([20, O, O, O], AWAY, **TWO), 5, 3).when(0, FIVE)
    other.allows(0, Move(0, 3), Move(1, 3))
    assert discs(other.when(0, Move(0, 3))) == [23, 0, O, O]


def test_a_total_uses_both_dice_FN_E15() -> None:
    """FN2-05, FN2-14, FN-E15"""
    story = roll(in_(at(NOBODY_IN, AWAY, **TWO)).but(owing=(1, 0)), 3, 2)
    story.when(0, SUM).then(DiscEntered(0, 0, "sum", 5, None, 0, ()))
    late = roll(at([20, O, O, O], AWAY, **TWO), 3, 2).when(0, Move(0, 3))
    late.refuses(0, SUM, "FN2-05")


def test_two_fives_enter_two_discs_FN_E12() -> None:
    """FN2-06, FN-E12"""
    story = roll(at([20, 30, O, O], AWAY, **TWO), 5, 5).when(0, FIVE).when(0, FIVE)
    assert discs(story) == [20, 30, 0, 0]
    one = roll(at([20, 30, 40, O], AWAY, **TWO), 5, 5).when(0, FIVE)
    one.allows(0, *(Move(disc, 5) for disc in range(4)))
    assert discs(one.when(0, Move(3, 5))) == [20, 30, 40, 5]


# ── Two dice: doublets ──────────────────────────────────────────────────────────────────────────────────────────


def test_a_doublet_throws_again_after_it_is_played() -> None:
    """FN2-07"""
    story = roll(at([20, O, O, O], AWAY, **TWO), 3, 3).when(0, Move(0, 3)).when(0, Move(0, 3))
    assert GAME.to_act(story.table) == {0}
    assert roll(story, 2, 6).last(DiceRolled).again is False


@pytest.mark.parametrize(
    ("own", "dice", "numbers"),
    [
        ([20, 30, 40, 50], (2, 2), (2, 2, 5, 5)),
        ([20, 30, 40, O], (2, 2), (2, 2)),
        ([HOME, HOME, HOME, 20], (6, 6), (6, 6, 1, 1)),
        ([20, 30, 40, 50], (2, 3), (2, 3)),
    ],
)
def test_undersides_count_while_no_disc_waits_FN_E11(own: list[int], dice: Any, numbers: Any) -> None:
    """FN2-08, FN2-09, FN-R12, FN-E11"""
    assert roll(at(own, AWAY, **TWO), *dice).last(DiceRolled).numbers == numbers


def test_a_number_that_was_not_thrown_FN_X10() -> None:
    """FN2-09, FN-X10"""
    roll(at([20, 30, 40, O], AWAY, **TWO), 2, 2).refuses(0, Move(0, 5), "FN2-09")
    story = roll(at([20, 30, 40, O], AWAY, **TWO), 2, 3).when(0, Move(0, 2)).refuses(0, Move(0, 2), "FN2-09")
    story.refuses(1, Move(0, 3), "FN-03")


def test_numbers_are_played_one_at_a_time() -> None:
    """FN2-10, FN-R13: every stop must be legal, and captures there count."""
    story = roll(at([10, O, O, O], [45, O, O, O], **TWO), 1, 3).when(0, Move(0, 1))
    assert story.last(DiscMoved).captured == Captured(1, 0)
    assert discs(story.when(0, Move(0, 3)))[0] == 14
    roll(at([10, O, O, O], AWAY, **TWO), 1, 3).refuses(0, Move(0, 4), "FN2-09")


def test_a_blockade_does_not_move_as_a_whole_on_a_doublet_FN_E13() -> None:
    """FN2-11, FN2-12, FN-E13, FN-X9"""
    story = roll(at([10, 10, 30, 41], AWAY, **TWO), 3, 3)
    assert story.last(DiceRolled).numbers == (3, 3, 4, 4) and story.last(DiceRolled).need == 4
    story = story.when(0, Move(0, 3)).refuses(0, Move(1, 3), "FN2-12").when(0, Move(1, 4))
    assert discs(story) == [13, 14, 30, 41]
    story = story.when(0, Move(0, 4)).refuses(0, Move(1, 3), "FN2-12").refuses(0, END, "FN2-11")
    story.allows(0, Move(0, 3), Move(2, 3), Move(3, 3))


def test_what_may_be_done_with_a_blockade() -> None:
    """FN2-12: one may move, both on no doublet, and both into Home."""
    assert roll(at([10, 10, 30, O], AWAY, **TWO), 3, 3).when(0, Move(0, 3)).when(0, Move(2, 3)).table.turn == 0
    plain = roll(at([10, 13, O, O], AWAY, **TWO), 3, 1).when(0, Move(0, 3)).when(0, Move(0, 1))
    assert discs(plain) == [14, 13, O, O]
    home = roll(at([68, 68, 30, O], AWAY, **TWO), 3, 3).when(0, Move(0, 3)).when(0, Move(1, 3))
    assert discs(home)[:2] == [HOME, HOME]
    formed = roll(at([10, 13, 30, 41], AWAY, **TWO), 3, 3).when(0, Move(0, 3)).when(0, Move(0, 4))
    formed.refuses(0, Move(1, 4), "FN2-12")  # tested at every move: they were a blockade on 13


def third_doublet(rule: str) -> Story:
    return roll(at([20, 40, O, O], AWAY, third_doublet=rule, **TWO).but(throw_no=2, again=True), 2, 2)


def test_a_third_doublet() -> None:
    """FN2-16, FN-R15"""
    story = third_doublet("penalty")
    story.then(DiceRolled(0, (2, 2), 3, (), 0, 0, False), DiscForfeited(0, 1, "third_doublet"))
    assert discs(story) == [20, O, O, O] and GAME.to_act(story.table) == {1}
    assert story.table.owing == (0, 0)  # FN-R14: it was not captured
    played = third_doublet("no_more_throws")
    assert played.last(DiceRolled).numbers == (2, 2) and not played.last(DiceRolled).again
    assert GAME.to_act(played.when(0, Move(0, 2)).when(0, Move(0, 2)).table) == {1}
    assert third_doublet("unlimited").last(DiceRolled).again


def test_a_third_doublet_of_one_who_is_not_in_is_no_gift() -> None:
    """FN2-03, FN2-16: nothing happens but that his turn ends."""
    story = roll(at(NOBODY_IN, [20, O, O, O], **TWO).but(throw_no=2, again=True), 2, 2)
    assert len(story.events) == 1 and GAME.to_act(story.table) == {1}
    given = roll(at(NOBODY_IN, [20, O, O, O], third_doublet="unlimited", **TWO).but(throw_no=2, again=True), 2, 2)
    assert given.last(GiftGiven).seat == 1


def test_a_six_moves_six_with_two_dice() -> None:
    """FN2-17, FN-R16"""
    assert roll(at([20, O, O, O], AWAY, **TWO), 6, 1).then(DiceRolled(0, (6, 1), 1, (6, 1), 2, 0, False))
    twelve = {"six_is_twelve_two_dice": True, **TWO}
    assert roll(at([20, O, O, O], AWAY, **twelve), 6, 1).last(DiceRolled).numbers == (12, 1)
    assert roll(at([20, 21, 22, 23], AWAY, **twelve), 6, 6).last(DiceRolled).numbers == (12, 12, 1, 1)


# ── Two dice: full use ──────────────────────────────────────────────────────────────────────────────────────────


def test_only_what_can_be_used_must_be_FN_E18() -> None:
    """FN2-11, FN-E18: a blockade stops the 6, so that only the 1 is needed, and the 6 lapses after it."""
    story = roll(at([10, O, O, O], [46, 46, O, O], **TWO), 6, 1)
    assert story.table.cross.space(2, 46) == 17 and story.last(DiceRolled).need == 1
    story.allows(0, Move(0, 1)).refuses(0, END, "FN2-11")
    assert story.when(0, Move(0, 1)).last(DiscMoved).left == ()


def test_a_capture_may_be_declined_FN_E19() -> None:
    """FN2-11, FN-13, FN-E19"""
    story = roll(at([10, O, O, O], [45, O, O, O], **TWO), 1, 1)
    assert story.last(DiceRolled).need == 0
    story.allows(0, Move(0, 1), END)
    captured = story.when(0, Move(0, 1)).allows(0, Move(0, 1), END)
    assert captured.table.scores == (20, 0)


def test_no_die_may_be_wasted_FN_X12() -> None:
    """FN2-11, FN-X11, FN-X12: 1 first would leave the 3 unplayable, 3 first lets both be played."""
    story = roll(at([67, O, O, O], AWAY, **TWO), 1, 3)  # 67+1+3 and 67+3+1 are both exact
    story.allows(0, Move(0, 1), Move(0, 3)).refuses(0, END, "FN2-11")
    blocked = at([10, 8, O, O], [47, 47, O, O], **TWO)  # a blockade on road 18, progress 13 for A
    assert blocked.table.cross.space(2, 47) == 18
    throw = roll(blocked, 2, 4)  # disc 0 can play 2 only, disc 1 either
    assert throw.last(DiceRolled).need == 2
    throw.refuses(0, Move(1, 2), "FN2-11").allows(0, Move(0, 2), Move(1, 4))


def test_entering_is_never_refused_for_full_use() -> None:
    """FN2-11: nor are the moves after it restricted."""
    story = roll(at([10, 60, O, O], AWAY, **TWO), 5, 4)
    assert story.last(DiceRolled).need == 2
    entered = story.when(0, FIVE).refuses(0, END, "FN2-11")
    entered.allows(0, Move(0, 4), Move(1, 4), Move(2, 4))


# ── Two dice: throws before the first entry ─────────────────────────────────────────────────────────────────────


def test_a_throw_without_an_entering_number_is_a_gift_to_the_others() -> None:
    """FN2-03, FN-R3: each opponent in play uses it, leftwards; those who cannot are skipped."""
    story = roll(at(NOBODY_IN, [20, O, O, O], NOBODY_IN, [30, O, O, O], **TWO), 6, 2)
    story.then(DiceRolled(0, (6, 2), 1, (), 0, 0, False), GiftGiven(1, 0, (6, 2), 2))
    assert GAME.to_act(story.table) == {1} and GAME.view(story.table, 2)["turn"] == 0
    story.refuses(0, Roll(), "FN-03").refuses(3, Move(0, 6), "FN-03").refuses(1, FIVE, "FN2-03")
    after = story.when(1, Move(0, 6)).when(1, Move(0, 2))
    assert after.last(GiftGiven) == GiftGiven(3, 0, (6, 2), 2)  # seat 2 has nothing in play
    done = after.when(3, Move(0, 2)).when(3, Move(0, 6))
    assert GAME.to_act(done.table) == {1} and discs(done, 1)[0] == 28 and discs(done, 3)[0] == 38


def test_a_gift_counts_the_upper_sides_only_and_the_thrower_throws_again() -> None:
    """FN2-03"""
    story = roll(at(NOBODY_IN, [20, 30, 40, 50], **TWO), 4, 4)
    assert story.last(GiftGiven).numbers == (4, 4)  # no undersides, though nothing of seat 1 waits
    done = story.when(1, Move(0, 4)).when(1, Move(1, 4))
    assert GAME.to_act(done.table) == {0} and roll(done, 6, 1).last(DiceRolled).throw_no == 2
    blockade = roll(at(NOBODY_IN, [20, 20, 40, 50], **TWO), 4, 4).when(1, Move(0, 4))
    blockade.refuses(1, Move(1, 4), "FN2-12")


def test_a_gift_is_played_like_a_throw_of_ones_own() -> None:
    """FN2-03, FN2-11, FN2-13, FN2-15, FN2-18"""
    story = roll(at(NOBODY_IN, [10, O, O, O], [20, O, O, O], **TWO), 6, 1)
    story.refuses(1, END, "FN2-11")
    ends = roll(at(NOBODY_IN, [HOME, HOME, HOME, 69], **TWO).but(scores=(0, 30)), 2, 6).when(1, Move(3, 2))
    assert ends.last(GameWon).seats == (1,) and ends.table.scores == (0, 40)
    captures = roll(at(NOBODY_IN, [10, O, O, O], [28, O, O, O], **TWO), 1, 6)
    assert captures.last(GiftGiven).seat == 1


def test_a_gift_gives_no_chance_to_enter() -> None:
    """FN2-03, FN2-14: a captured disc of the one who plays it is not missed."""
    story = roll(at(NOBODY_IN, [20, O, O, O], **TWO).but(owing=(0, 1)), 6, 2)
    done = story.when(1, Move(0, 6)).when(1, Move(0, 2))
    assert done.table.scores == (0, 0) and done.table.owing == (0, 1)


def test_a_throw_with_an_entering_number_is_ones_own() -> None:
    """FN2-03: even if one cannot or does not enter."""
    story = roll(at(NOBODY_IN, [20, O, O, O], **TWO), 5, 1).allows(0, FIVE, END)
    assert GAME.to_act(story.when(0, END).table) == {1} and len(story.when(0, END).events) == 1
    full = roll(at(NOBODY_IN, [34, 34, O, O], **TWO), 5, 1)
    assert full.last(DiceRolled).numbers == () and len(full.events) == 1


def test_from_the_first_entry_on_throws_are_ones_own() -> None:
    """FN2-03: also when all discs wait again."""
    story = roll(in_(at(NOBODY_IN, [20, O, O, O], **TWO)), 6, 2)
    assert len(story.events) == 1 and GAME.to_act(story.table) == {1}


def test_shared_fives_FN_E17() -> None:
    """FN2-03b, FN-R3, FN-E17"""
    shared = {"pre_entry_throws": "shared5", **TWO}
    story = roll(at(NOBODY_IN, NOBODY_IN, NOBODY_IN, **shared), 1, 4)
    assert story.events[1:] == (
        DiscEntered(1, 0, "shared", 56, None, 0, ()),
        DiscEntered(2, 0, "shared", 39, None, 0, ()),
    )
    entered = story.when(0, SUM)
    assert [discs(entered, seat)[0] for seat in range(3)] == [0, 0, 0]
    assert len(roll(entered, 5, 5).events) == 1  # everybody is in
    useless = roll(at(NOBODY_IN, [20, O, O, O], **shared), 6, 2)
    assert len(useless.events) == 1 and GAME.to_act(useless.table) == {1}  # no gifts


def test_a_shared_entry_captures_or_fails_and_is_judged_first() -> None:
    """FN2-03b, FN-10, FN-11: the thrower plays on the position after it."""
    shared = {"pre_entry_throws": "shared5", **TWO}
    story = roll(at([34, 20, 10, 50], NOBODY_IN, **shared), 5, 1)  # A's disc 0 stands on B's circle
    assert story.table.cross.space(0, 34) == 39
    assert story.events[1] == DiscEntered(1, 0, "shared", 39, Captured(0, 0), 20, ())
    assert story.table.scores == (0, 20) and story.last(DiceRolled).chances == 1
    lost = story.when(0, Move(1, 5)).when(0, Move(1, 1))
    assert lost.last(EntryMissed) == EntryMissed(0, 1, -20)
    full = roll(at([34, 34, 10, 50], NOBODY_IN, **shared), 5, 1)
    assert len(full.events) == 1 and not full.table.entered[1]
    third = roll(at([34, 20, 10, 50], NOBODY_IN, **shared).but(throw_no=2, again=True), 5, 5)
    assert not any(isinstance(event, DiscEntered) for event in third.events)  # a third doublet shares nothing
    doublet = roll(at([34, 20, 10, 50], NOBODY_IN, **shared), 5, 5)
    assert doublet.last(DiceRolled).numbers == (5, 5)  # his disc on B's circle waits now: no undersides


def test_neither_gifts_nor_shared_fives() -> None:
    """FN-R3: `off`"""
    off = {"pre_entry_throws": "off", **TWO}
    assert len(roll(at(NOBODY_IN, [20, O, O, O], **off), 6, 2).events) == 1
    assert len(roll(at([20, O, O, O], NOBODY_IN, **off), 5, 2).events) == 1


# ── Two dice: scores ────────────────────────────────────────────────────────────────────────────────────────────


def captured_once(**options: Any) -> Story:
    """FN-E14: B has captured a disc of A, who has one left on 20."""
    story = (
        roll(at([15, 20, O, O], [48, O, O, O], turn=1, **TWO, **options), 1, 2).when(1, Move(0, 1)).when(1, Move(0, 2))
    )
    assert discs(story) == [O, 20, O, O] and story.table.scores == (0, 20) and story.table.owing == (1, 0)
    return story


def test_a_captured_disc_must_enter_at_the_first_chance_FN_E14() -> None:
    """FN2-14, FN-R14, FN-E14"""
    kept = roll(captured_once(), 5, 2).when(0, FIVE).when(0, Move(1, 2))
    assert kept.table.scores == (0, 20) and kept.table.owing == (0, 0)
    missed = roll(captured_once(), 5, 2).when(0, Move(1, 5)).when(0, Move(1, 2))
    assert missed.events[-1] == EntryMissed(0, 1, -20)
    assert missed.table.scores == (-20, 20)  # scores may go below 0
    next_time = roll(missed.but(turn=0, player=0), 5, 1).when(0, Move(1, 5)).when(0, Move(1, 1))
    assert next_time.table.scores == (-20, 20)  # once for each disc


def test_a_total_of_five_is_a_chance_too() -> None:
    """FN2-14, FN-E15: not taken it costs 20."""
    missed = roll(captured_once(), 3, 2).when(0, Move(1, 3)).when(0, Move(1, 2))
    assert missed.last(EntryMissed) == EntryMissed(0, 1, -20)
    assert roll(captured_once(), 3, 2).when(0, SUM).table.scores == (0, 20)


def test_a_throw_gives_as_many_chances_as_it_could_enter_discs() -> None:
    """FN2-14: two captured discs, 5-5, and one, two or no entry."""
    story = roll(at([20, O, O, O], AWAY, **TWO).but(owing=(2, 0)), 5, 5)
    assert story.last(DiceRolled).chances == 2
    none = story.when(0, Move(0, 5)).when(0, Move(0, 5))
    assert none.last(EntryMissed) == EntryMissed(0, 2, -40) and none.table.owing == (0, 0)
    one = story.when(0, FIVE).when(0, Move(0, 5))
    assert one.last(EntryMissed) == EntryMissed(0, 1, -20)
    late = story.when(0, Move(0, 5)).when(0, FIVE)
    assert late.last(EntryMissed) == EntryMissed(0, 1, -20) and late.table.owing == (0, 0)
    assert not any(isinstance(e, EntryMissed) for e in story.when(0, FIVE).when(0, FIVE).events)
    narrow = roll(at([0, 20, O, O], AWAY, **TWO).but(owing=(2, 0)), 5, 5)
    assert narrow.last(DiceRolled).chances == 1  # one place on the circle


def test_entries_pay_off_captured_discs_first() -> None:
    """FN2-14: one captured disc, three waiting, one entry."""
    story = roll(at([20, O, O, O], AWAY, **TWO).but(owing=(1, 0)), 5, 5).when(0, FIVE).when(0, Move(0, 5))
    assert story.table.owing == (0, 0) and story.table.scores == (0, 0)


def test_a_full_circle_is_no_chance_FN_E16() -> None:
    """FN2-14, FN-R6, FN-E16: but after a disc has moved off the 5 may still enter."""
    story = roll(at([0, 0, 30, O], AWAY, **TWO).but(owing=(1, 0)), 5, 2)
    assert story.last(DiceRolled).chances == 0
    story.refuses(0, FIVE, "FN-11")
    moved = story.when(0, Move(0, 2))
    assert discs(moved.when(0, FIVE)) == [2, 0, 30, 0]
    assert moved.when(0, Move(2, 5)).table.scores == (0, 0)


def test_a_third_doublet_is_no_chance() -> None:
    """FN2-14, FN2-16"""
    story = roll(at([20, O, O, O], AWAY, **TWO).but(owing=(1, 0), throw_no=2, again=True), 5, 5)
    assert story.table.scores == (0, 0) and story.table.owing == (1, 0)


def test_ending_the_play_can_miss_a_chance() -> None:
    """FN2-14, FN2-11"""
    story = roll(in_(at(NOBODY_IN, AWAY, **TWO)).but(owing=(1, 0)), 5, 1).when(0, END)
    story.then(PlayEnded(0, (5, 1)), EntryMissed(0, 1, -20))


def test_each_disc_home_scores_ten() -> None:
    """FN2-15"""
    story = roll(at([69, 20, O, O], AWAY, **TWO), 2, 1).when(0, Move(0, 2))
    assert story.last(DiscMoved).points == 10 and story.table.scores == (10, 0)


@pytest.mark.parametrize(
    ("scores", "winners"),
    [
        ((50, 100), (1,)),  # FN-E20: 60 against 100
        ((90, 100), (0,)),  # equal: the finisher
        ((20, 10), (0,)),
    ],
)
def test_the_highest_score_wins_not_the_first_to_arrive_FN_E20(scores: Any, winners: Any) -> None:
    """FN2-18, FN-R17, FN-E20"""
    story = roll(at([HOME, HOME, HOME, 70], [HOME, HOME, 3, O], **TWO).but(scores=scores), 1, 6).when(0, Move(3, 1))
    assert story.last(GameWon).seats == winners
    result = GAME.outcome(story.table)
    assert result is not None and result.winners == winners
    story.refuses(1, Roll(), "FN2-18")


@pytest.mark.parametrize(
    ("scores", "home", "winners"),
    [
        ((130, 140, 110), (4, 2, 2), (0,)),  # FN-E20: 140, 140, 110, the first as finisher
        ((30, 90, 90), (4, 1, 3), (2,)),  # most discs Home
        ((30, 90, 90), (4, 2, 2), (1, 2)),  # a shared win
    ],
)
def test_equal_scores(scores: Any, home: Any, winners: Any) -> None:
    """FN-R17, FN-E20"""
    others = [[HOME] * n + [O] * (4 - n) for n in home[1:]]
    story = roll(at([HOME, HOME, HOME, 70], *others, **TWO).but(scores=scores), 1, 6).when(0, Move(3, 1))
    assert story.last(GameWon).seats == winners


# ── The match ───────────────────────────────────────────────────────────────────────────────────────────────────


def test_a_match_of_several_games() -> None:
    """FN1-07: a new starting throw each time; most games won."""
    story = roll(at([HOME, HOME, HOME, 70], AWAY, games=2), 1).when(0, Move(3, 1))
    assert GAME.outcome(story.table) is None and GAME.to_act(story.table) == {CHANCE}
    assert story.table.discs == ((O,) * 4,) * 2 and story.table.game_no == 2 and story.table.wins == (1, 0)
    drawn = at(AWAY, [HOME, HOME, HOME, 70], turn=1, games=2).but(game_no=2, wins=(1, 0))
    result = GAME.outcome(roll(drawn, 1).when(1, Move(3, 1)).table)
    assert result is not None and result.places == (1, 1)


def test_equal_wins_are_decided_by_the_sum_of_scores_with_two_dice() -> None:
    """FN2-18: a shared win counts for each."""
    story = at([HOME, HOME, HOME, 70], AWAY, games=2, **TWO).but(game_no=2, wins=(0, 1), sums=(30, 60), scores=(50, 0))
    result = GAME.outcome(roll(story, 1, 6).when(0, Move(3, 1)).table)
    assert result is not None and result.scores == (90, 60) and result.places == (1, 2)


# ── Whole games against a slow referee ──────────────────────────────────────────────────────────────────────────


def spaces(s: Table) -> dict[Any, Counter[int]]:
    """Who stands where, by road number or column space."""
    found: dict[Any, Counter[int]] = {}
    for seat, own in enumerate(s.discs):
        for progress in own:
            if 0 <= progress < s.cross.home:
                road = s.cross.space(PLACES[s.seats][seat], progress)
                found.setdefault((seat, progress) if road is None else road, Counter())[seat] += 1
    return found


def step_by_step(s: Table, event: DiscMoved) -> bool:
    """Walks a disc along its way, space by space, as a player would with a finger."""
    held = spaces(s)
    place = PLACES[s.seats][event.seat]
    for progress in range(event.from_ + 1, event.to + 1):
        if progress == s.cross.home:
            return event.to == progress
        road = s.cross.space(place, progress)
        here = held.get((event.seat, progress) if road is None else road, Counter())
        if any(count == 2 for count in here.values()):
            return False
        if progress == event.to:
            others = [seat for seat in here if seat != event.seat]
            if not others:
                return event.captured is None
            safe = road in s.cross.circles and road != s.cross.entry_space(PLACES[s.seats][others[0]])
            return not safe and event.captured is not None and event.captured.seat == others[0]
    return False


@pytest.mark.parametrize("seats", [2, 3, 4])
@pytest.mark.parametrize(
    "options",
    [{}, {"board": "cross76"}, TWO, {"pre_entry_throws": "shared5", **TWO}, {"third_doublet": "unlimited", **TWO}],
)
def test_whole_games_keep_to_the_board(seats: int, options: dict[str, Any]) -> None:
    """FN-04, FN-05, FN-06, FN-08, FN-09, FN-15, FN2-13, FN2-14, FN2-15: every move walked, every score added up."""
    counted = [0] * seats
    for moment in random_match(GAME, seats, options, random.Random(f"{seats} {options}")):
        for event in moment.events:
            if isinstance(event, DiscMoved):
                assert event.to == event.from_ + event.number == moment.after.discs[event.seat][event.disc]
                assert step_by_step(moment.before, event)
            if isinstance(event, DiscMoved | DiscEntered) and options.get("variant") == "two-dice":
                home = isinstance(event, DiscMoved) and event.to == moment.before.cross.home
                assert event.points == 20 * (event.captured is not None) + 10 * home
                counted[event.seat] += event.points
            if isinstance(event, EntryMissed):
                counted[event.seat] += event.points
            if isinstance(event, GameWon):
                assert list(event.scores) == counted
        waiting = [own.count(O) for own in moment.after.discs]
        assert all(0 <= debt <= left for debt, left in zip(moment.after.owing, waiting, strict=True))


@pytest.mark.parametrize(
    ("variant", "option", "value"),
    [
        ("two-dice", "start", "highest"),
        ("one-die", "pre_entry_throws", "off"),
        ("one-die", "third_doublet", "penalty"),
        ("one-die", "six_is_twelve_two_dice", True),
    ],
)
def test_options_of_the_other_game_are_refused(variant: str, option: str, value: Any) -> None:
    """FN-R2, FN-R3, FN-R15, FN-R16"""
    refuses_idle(GAME, 3, option, value, variant=variant)
    other = "one-die" if variant == "two-dice" else "two-dice"
    GAME.new_table({option: value, "variant": other}, 3)


def test_refusals_say_what_stands_in_the_way() -> None:
    """FN-02 to FN2-11"""
    story = roll(at([10, 60, O, O], AWAY, **TWO), 2, 3)
    assert story.words(1, Roll()) == "seat 0 has to play first"
    assert at([10, O, O, O], AWAY).words(1, Roll()) == "seat 0 has to throw first"
    assert story.words(0, Move(0, 5)) == "the throw leaves 2 and 3 to use, not 5"
    assert story.words(0, Move(2, 3)) == "disc 2 is waiting to enter"
    assert story.words(0, FIVE) == "there is no 5 to enter with"
    assert roll(at([10, O, O, O], AWAY), 3).words(0, SUM) == "there is no total of 5 to enter with"
    assert roll(at([68, 10, O, O], AWAY), 4).words(0, Move(0, 4)) == "4 leads past Home, which takes the exact number"
    assert roll(at([10, HOME, O, O], AWAY), 4).words(0, Move(1, 4)) == "disc 1 is Home"
    wasted = roll(at([10, 8, O, O], [47, 47, O, O], **TWO), 2, 4)
    assert wasted.words(0, Move(1, 2)) == "2 numbers could be used of this throw, but not after this move"


def test_options_of_the_other_game_change_nothing_in_a_match_that_was_opened_with_them() -> None:
    """FN1-06, FN2-01, FN-R2, FN-R3, FN-R15, FN-R16"""
    for third in ("no_more_throws", "unlimited"):
        sixes = roll(at([20, 1, O, O], AWAY, third_doublet=third).but(throw_no=2, again=True), 6)
        sixes.then(DiceRolled(0, (6,), 3, (), 0, 0, False), DiscForfeited(0, 0, "third_six"))
    shared = roll(at(NOBODY_IN, NOBODY_IN, pre_entry_throws="shared5"), 5)
    shared.then(DiceRolled(0, (5,), 1, (5,), 0, 0, False))
    assert GAME.to_act(table(GAME, 2, start="seat0", **TWO).table) == {CHANCE}
    assert GAME.to_act(table(GAME, 2, start="highest", **TWO).when(CHANCE, Rolled((6, 5, 1, 2))).table) == {1}


def test_a_full_circle_leaves_nothing_to_do_with_the_second_five() -> None:
    """FN-11, FN2-06: B's blockade stands three spaces before A's circle, where two discs stand after the entry."""
    story = roll(at([0, O, O, O], [37, 37, O, O], **TWO), 5, 5)
    assert story.when(0, FIVE).last(DiscEntered).left == ()
