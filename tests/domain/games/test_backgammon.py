"""Backgammon, rule by rule. Seat 0 is the mover of most positions; the enemy's men are given in the mover's numbering."""

from __future__ import annotations

import random
from collections.abc import Iterable, Iterator
from typing import Any

import pytest

from domain import match
from domain.game import ALL, CHANCE, Dice, Outcome, Rolled
from domain.games.backgammon import GAME
from domain.games.backgammon.game import (
    Adopt,
    DiceAdopted,
    DiceRolled,
    ManMoved,
    Move,
    NumbersLost,
    OpeningCast,
    PlayUndone,
    Roll,
    Table,
    TurnSkipped,
    Undo,
)
from domain.games.backgammon.stakes import (
    Accept,
    Concede,
    ConcessionAnswered,
    ConcessionOffered,
    Double,
    DoubleDropped,
    DoubleOffered,
    DoubleTaken,
    Drop,
    GameWon,
    Refuse,
    Take,
)
from domain.games.backgammon.view import board as geometry
from domain.games.backgammon.view import position
from domain.kit.points import BAR, OFF, Men, pips
from tests.domain.playing import random_match
from tests.domain.retelling import ask_for_everything, recounted, retell
from tests.domain.story import Story, refuses_idle, refuses_table, table
from tests.domain.told.backgammon import Backgammon
from tests.golden.matches import Golden

QUICK = {"target": 2}
SEVERAL = {"target": 7, "cube": True}
NEEDS = {"crawford": {"cube": True}}


def whole(s: Table) -> Iterable[Any]:
    return [0] * 15 + [1] * 15


def pieces(s: Table) -> Iterable[Any]:
    return [seat for seat, side in enumerate(s.men) for _ in range(sum(side))]


def folded(events: Iterable[Any]) -> Iterator[tuple[Table, Any]]:
    """Each event of the game with the table before it."""
    s = GAME.open_table({"target": 1}, 2)
    for event in events:
        if isinstance(event, GAME.events):
            yield s, event
            s = GAME.evolve(s, event)


def hits(s: Table, command: Any) -> bool:
    return isinstance(command, Move) and any(getattr(e, "hit", False) for e in GAME.decide(s, s.turn, command))


def hit_and_shut_out(events: list[Any]) -> bool:
    skipped = any(isinstance(e, TurnSkipped) for e in events)
    return skipped and any(e.hit and hits_were_forced(s) for s, e in folded(events) if isinstance(e, ManMoved))


def hits_were_forced(s: Table) -> bool:
    """Whatever is played here, it hits."""
    return all(hits(s, move) for move in GAME.legal(s, s.turn) if isinstance(move, Move))


GOLDEN = Golden(
    seats=2,
    options={"target": 1, "touch_move": True},
    moment="a hit that no play could avoid, and a player who is shut out and skipped",
    shows=hit_and_shut_out,
    tries=20_000,
)


# ── What the rule page says, for the common tests ────────────────────────────────────────────────────────────────

SEATS = ("BG-01", range(2, 3))
OPTIONS = {
    "target": ("BG-R8", 5, range(1, 26)),
    "games": ("BG-R8", None, range(1, 26)),
    "opening": ("BG-R1", "adopt_or_cast", ("adopt_or_cast", "adopt")),
    "bearing": ("BG-22", "second", ("second", "first")),
    "higher_die": ("BG-R3", True, bool),
    "triple_game": ("BG-R7", False, bool),
    "cube": ("BG-R7", False, bool),
    "crawford": ("BG-34", True, bool),
    "touch_move": ("BG-N4", False, bool),
    "inner_side": ("BG-02", "right", ("right", "left")),
}
REFUSALS = {
    "BG-03": {"wrong_phase"},
    "BG-04": {"nothing_to_adopt"},
    "BG-05": {"no_man"},
    "BG-06": {"no_such_number"},
    "BG-07": {"no_such_number"},
    "BG-08": {"closed"},
    "BG-10": {"whole_throw"},
    "BG-11": {"higher_number"},
    "BG-15": {"closed"},
    "BG-16": {"bar_first"},
    "BG-19": {"not_home"},
    "BG-20": {"exact_man"},
    "BG-22": {"too_high"},
    "BG-23": {"highest_man"},
    "BG-24": {"higher_man"},
    "BG-27": {"no_man"},
    "BG-29": {"not_your_turn", "wrong_phase"},
    "BG-31": {"wrong_phase", "not_your_cube"},
    "BG-32": {"wrong_phase", "nothing_to_answer", "must_roll"},
    "BG-34": {"crawford"},
    "BG-35": {"highest_cube", "dead_cube"},
    "BG-36": {"wrong_phase", "nothing_to_answer", "already_conceded", "wrong_value"},
    "BG-N4": {"touch_move", "nothing_to_undo"},
    "BG-R7": {"no_cube"},
    "BG-R8": {"wrong_phase"},
}


def recount(events: Iterable[Any], options: Any, seats: int) -> Outcome | None:
    """BG-03 to BG-36, on a board of its own."""
    return recounted(Backgammon, events, options, seats)


@pytest.mark.parametrize(
    "options",
    [
        {"target": 9, "cube": True},
        {"target": 1, "bearing": "first"},
        {"target": 1, "higher_die": False, "inner_side": "left"},
        {"games": 9, "cube": True, "triple_game": True, "opening": "adopt", "touch_move": True},
        {"target": 5, "cube": True, "triple_game": True, "crawford": False},
    ],
    ids=str,
)
def test_a_match_is_what_the_rule_page_makes_of_its_events(options: dict[str, Any]) -> None:
    """BG-01 to BG-36: every play, the value of every game, the cube, all views, commands and refusals."""
    assert retell(Backgammon, GAME, 2, options, 700) is not None


def test_whatever_is_asked_for_is_answered_by_the_rule_page() -> None:
    """BG-X1 to BG-X13: of either seat and in later games too."""
    simple = [Adopt(), Roll(), Undo(), Double(), Take(), Drop(), Accept(), Refuse(), *map(Concede, range(5))]
    moves = [move(start, die) for start in ("bar", *range(-1, 27)) for die in (0, 1, 2, 5, 6)]
    options = {"games": 5, "cube": True, "triple_game": True}
    ask_for_everything(Backgammon, GAME, 2, options, [*simple, *moves], 120)


# ── Positions ───────────────────────────────────────────────────────────────────────────────────────────────────


def side(text: str, *, mirrored: bool = False) -> Men:
    """`bar:1 8:2 off:5` as men; mirrored: the points are those of the other side."""
    men = [0] * 27
    for word in text.split():
        place, _, count = word.partition(":")
        at = {"bar": BAR, "off": OFF}.get(place) if not place.isdigit() else int(place)
        assert at is not None
        men[25 - at if mirrored and place.isdigit() else at] += int(count or 1)
    return tuple(men)


def board(mine: str, enemy: str = "off:15", **options: Any) -> Story:
    """Seat 0 is to roll in the middle of a game."""
    story = table(GAME, 2, **options).given(OpeningCast(1, (6, 5), 0, False))
    return story.but(phase="roll", dice=(), turn=0, men=(side(mine), side(enemy, mirrored=True)))


def roll(story: Story, *dice: int) -> Story:
    return story.when(story.table.turn, Roll(), Rolled(dice))


def cast(mine: str, enemy: str, *dice: int, **options: Any) -> Story:
    return roll(board(mine, enemy, **options), *dice)


def play(story: Story, text: str) -> Story:
    """`13/6 8/5`: from which point by which number, `13/6` being the 13 by a six."""
    for word in text.split():
        start, _, die = word.partition("/")
        story = story.when(story.table.turn, move(start, int(die)))
    return story


def move(start: str | int, die: int) -> Move:
    return Move("bar" if start == "bar" else int(start), die)


def moves(story: Story) -> set[str]:
    """The moves on offer, as in `play`."""
    legal = GAME.legal(story.table, story.table.turn)
    return {f"{command.from_}/{command.die}" for command in legal if isinstance(command, Move)}


def results(s: Table, seat: int = 0) -> set[tuple[Men, ...]]:
    """Every position in which this cast can end."""
    if s.turn != seat or s.phase != "play":
        return {s.men}
    found: set[tuple[Men, ...]] = set()
    for command in GAME.legal(s, seat):
        if isinstance(command, Move):
            after = s
            for event in GAME.decide(s, seat, command):
                after = GAME.evolve(after, event)
            found |= results(after, seat)
    return found


def men_of(story: Story, seat: int = 0) -> dict[int, int]:
    return {place: count for place, count in enumerate(story.table.men[seat]) if count}


# ── Board and opening ───────────────────────────────────────────────────────────────────────────────────────────


def test_the_usual_set_up_BG_E1() -> None:
    """BG-01, BG-R14, BG-E1, BG-N6: 24:2 13:5 8:3 6:5 for both, 15 men and 167 pips."""
    story = table(GAME, 2).when(CHANCE, Rolled((4, 2)))
    for seat in (0, 1):
        assert men_of(story, seat) == {24: 2, 13: 5, 8: 3, 6: 5}
        assert pips(story.table.men[seat]) == 167
    assert position(story.table) == "W 24:2 13:5 8:3 6:5 / B 24:2 13:5 8:3 6:5"
    # White's 24 point is Black's ace point, and none of the men stand on one point with the enemy.
    white, black = story.table.men
    assert all(not (white[place] and black[25 - place]) for place in range(1, 25))
    refuses_table(GAME, 1, "BG-01")
    refuses_table(GAME, 3, "BG-01")


@pytest.mark.parametrize(
    ("dice", "count"),
    [((2, 1), 15), ((3, 1), 16), ((4, 2), 18), ((6, 5), 7), ((1, 1), 42), ((5, 5), 4), ((6, 6), 11)],
)
def test_how_many_results_a_first_cast_has_BG_E1(dice: tuple[int, int], count: int) -> None:
    """BG-E1, BG-06, BG-07"""
    story = table(GAME, 2).when(CHANCE, Rolled((6, 5))).when(0, Roll(), Rolled(dice))
    assert len(results(story.table)) == count


def test_the_side_of_the_inner_tables_is_only_shown() -> None:
    """BG-02"""
    left, right = table(GAME, 2, inner_side="left"), table(GAME, 2)
    assert GAME.view(left.table, 0)["inner_side"] == "left"
    assert GAME.view(right.table, 0)["inner_side"] == "right"
    for story in (left, right):
        opened = story.when(CHANCE, Rolled((3, 1))).when(0, Adopt())
        assert len(results(opened.table)) == 16
    refuses_table(GAME, 2, "BG-02", inner_side="below")


def test_the_higher_die_may_adopt_or_cast_BG_E2() -> None:
    """BG-03, BG-04, BG-R1, BG-E2, BG-X2, BG-X3: White 4, Black 2."""
    story = table(GAME, 2)
    assert GAME.to_act(story.table) == {CHANCE} and GAME.chance(story.table) == Dice(2, 6)
    opened = story.when(CHANCE, Rolled((4, 2))).then(OpeningCast(1, (4, 2), 0, False))
    opened.allows(0, Adopt(), Roll()).allows(1)
    opened.refuses(1, Adopt(), "BG-04").refuses(1, Roll(), "BG-29").refuses(0, move(13, 4), "BG-29")
    adopted = opened.when(0, Adopt()).then(DiceAdopted(0, (4, 2), (4, 2)))
    adopted.refuses(0, Adopt(), "BG-04").refuses(0, Roll(), "BG-29")
    fresh = opened.when(0, Roll(), Rolled((1, 1))).then(DiceRolled(0, (1, 1), (1, 1, 1, 1)))
    fresh.refuses(0, Adopt(), "BG-04")
    black = story.when(CHANCE, Rolled((2, 5))).allows(1, Adopt(), Roll())
    black.when(1, Adopt()).then(DiceAdopted(1, (5, 2), (5, 2)))


def test_nobody_acts_before_the_opening() -> None:
    """BG-03: the opening dice are chance's."""
    table(GAME, 2).allows(0).allows(1).refuses(0, Roll(), "BG-03").refuses(1, move(13, 4), "BG-03")


def test_equal_opening_dice_are_cast_again_BG_E2() -> None:
    """BG-03, BG-R2, BG-E2: so an adopted cast is never a doublet, a fresh one may be."""
    tied = table(GAME, 2).when(CHANCE, Rolled((3, 3))).then(OpeningCast(1, (3, 3), None, False))
    assert GAME.to_act(tied.table) == {CHANCE} and GAME.chance(tied.table) == Dice(2, 6)
    again = tied.when(CHANCE, Rolled((1, 6))).then(OpeningCast(1, (1, 6), 1, False))
    again.allows(1, Adopt(), Roll())


def test_by_option_the_opening_dice_must_be_played() -> None:
    """BG-R1: `opening` = `adopt`"""
    story = table(GAME, 2, opening="adopt").when(CHANCE, Rolled((1, 3)))
    story.then(OpeningCast(1, (1, 3), 1, False), DiceAdopted(1, (3, 1), (3, 1)))
    story.refuses(1, Roll(), "BG-29").refuses(1, Adopt(), "BG-04")
    assert "8/3" in moves(story)
    tied = table(GAME, 2, opening="adopt").when(CHANCE, Rolled((2, 2)))
    tied.then(OpeningCast(1, (2, 2), None, False))


def test_three_one_makes_the_five_point_BG_E3() -> None:
    """BG-E3, BG-06, BG-09"""
    story = play(table(GAME, 2).when(CHANCE, Rolled((3, 1))).when(0, Adopt()), "8/3 6/1")
    assert men_of(story) == {24: 2, 13: 5, 8: 2, 6: 4, 5: 2}
    assert story.table.turn == 1


# ── March, dice, held points ────────────────────────────────────────────────────────────────────────────────────


def test_men_march_down_and_against_each_other() -> None:
    """BG-05, BG-X8, BG-X12: a command cannot even name a way back."""
    story = table(GAME, 2).when(CHANCE, Rolled((2, 1))).when(0, Adopt())
    moved = story.when(0, move(24, 2)).then(ManMoved(0, 24, 22, 2, False))
    assert moved.table.men[0][22] == 1
    story.refuses(0, move(7, 1), "BG-05").refuses(0, move("bar", 1), "BG-05")
    story.refuses(0, move(0, 1), "BG-27").refuses(0, move(25, 1), "BG-05").refuses(0, move(-3, 1), "BG-05")
    black = table(GAME, 2).when(CHANCE, Rolled((1, 2))).when(1, Adopt()).when(1, move(24, 2))
    assert black.table.men[1][22] == 1  # White's 3 point


def test_each_die_is_one_play_by_one_man_or_two_in_either_order() -> None:
    """BG-06, BG-X7"""
    story = cast("13:2 6:2", "off:15", 5, 2)
    assert moves(story) == {"13/5", "13/2", "6/5", "6/2"}
    assert men_of(play(story, "13/5 8/2")) == men_of(play(story, "13/2 11/5")) == {13: 1, 6: 3}
    assert men_of(play(story, "13/2 6/5")) == {13: 1, 11: 1, 6: 1, 1: 1}
    story.refuses(0, move(13, 3), "BG-06").refuses(0, move(13, 7), "BG-06")
    play(story, "13/5").refuses(0, move(13, 5), "BG-06")


def test_doublets_are_four_plays() -> None:
    """BG-07, BG-R10, BG-X7"""
    story = cast("13:4", "off:15", 2, 2).then(DiceRolled(0, (2, 2), (2, 2, 2, 2)))
    story.refuses(0, move(13, 4), "BG-07")
    assert men_of(play(story, "13/2 11/2 9/2 7/2")) == {13: 3, 5: 1}
    three = play(story, "13/2 13/2 13/2")
    assert three.table.turn == 0 and three.table.numbers == (2,)
    done = play(three, "13/2")
    assert men_of(done) == {11: 4} and done.table.turn == 1


def test_no_stop_on_a_held_point_but_passing_is_free() -> None:
    """BG-08, BG-X6: neither at the end nor between two parts of a move."""
    story = cast("13:2 8:1", "10:2 6:3 off:10", 3, 4)
    story.refuses(0, move(13, 3), "BG-08")
    assert moves(story) == {"13/4", "8/3", "8/4"}
    play(story, "13/4").refuses(0, move(9, 3), "BG-08").refuses(0, move(13, 3), "BG-08")
    barred = cast("13:1", "9:2 8:2 off:11", 5, 4)
    barred.then(DiceRolled(0, (5, 4), (5, 4)), NumbersLost(0, (5, 4)))  # 4 points is open, both stops are held
    over = cast("13:1 2:1", "10:2 12:2 off:11", 5, 1)
    assert men_of(play(over, "13/5 8/1")) == {7: 1, 2: 1}  # 13 to 8 passes 12 and 10


def test_any_number_of_own_men_may_share_a_point() -> None:
    """BG-09"""
    story = play(cast("6:10 8:4 7:1", "off:15", 2, 2), "8/2 8/2 8/2 8/2")
    assert men_of(story) == {6: 14, 7: 1}


# ── The whole cast ──────────────────────────────────────────────────────────────────────────────────────────────


def test_both_numbers_must_be_used_where_an_order_allows_it_BG_E14() -> None:
    """BG-10, BG-E14, BG-X10: men 13 and 8, the enemy on 4 and 3, cast 6-4: only 8/2 13/9."""
    story = cast("13:1 8:1", "4:2 3:2 off:11", 6, 4)
    assert moves(story) == {"8/6", "13/4"}
    story.refuses(0, move(13, 6), "BG-10").refuses(0, move(8, 4), "BG-08")
    assert results(story.table) == {(side("9:1 2:1"), side("4:2 3:2 off:11", mirrored=True))}


def test_if_only_one_number_can_be_played_it_is_the_higher_BG_E12() -> None:
    """BG-11, BG-R3, BG-E12, BG-X11: man on 13, the enemy on 2, cast 6-5."""
    story = cast("13:1", "2:2 off:13", 6, 5)
    story.allows(0, move(13, 6), Concede(1), Concede(2)).refuses(0, move(13, 5), "BG-11")
    story.when(0, move(13, 6)).then(ManMoved(0, 13, 7, 6, False), NumbersLost(0, (5,)))
    free = cast("13:1", "2:2 off:13", 6, 5, higher_die=False)
    assert moves(free) == {"13/6", "13/5"}
    free.when(0, move(13, 5)).then(ManMoved(0, 13, 8, 5, False), NumbersLost(0, (6,)))


def test_one_number_by_one_man_BG_E13() -> None:
    """BG-11, BG-E13: men 24 and 8, the enemy on 20 and 18, cast 6-4: only 8/2."""
    story = cast("24:1 8:1", "20:2 18:2 off:11", 6, 4)
    assert moves(story) == {"8/6"}
    story.refuses(0, move(8, 4), "BG-11").refuses(0, move(24, 4), "BG-08")


def test_if_only_the_lower_number_can_be_played_it_is_played() -> None:
    """BG-10, BG-11: the six is blocked from the start, so there is nothing to choose."""
    story = cast("13:1", "7:2 2:2 off:11", 6, 5)
    assert moves(story) == {"13/5"}
    story.when(0, move(13, 5)).then(ManMoved(0, 13, 8, 5, False), NumbersLost(0, (6,)))


def test_the_rest_of_a_doublet_is_lost_BG_E17() -> None:
    """BG-10, BG-E17: two men on 13, the enemy on 5, cast 4-4."""
    story = cast("13:2 off:13", "5:2 off:13", 4, 4)
    last = play(story, "13/4 13/4")
    last.then(ManMoved(0, 13, 9, 4, False), NumbersLost(0, (4, 4)))
    assert men_of(last) == {9: 2, 0: 13} and last.table.turn == 1


def test_nothing_playable_loses_the_cast_at_once() -> None:
    """BG-10, BG-18: no command is needed."""
    story = cast("24:2", "23:2 18:2 off:11", 6, 1).then(DiceRolled(0, (6, 1), (6, 1)), NumbersLost(0, (6, 1)))
    assert story.table.turn == 1 and story.table.phase == "roll"


# ── Hitting ─────────────────────────────────────────────────────────────────────────────────────────────────────


def test_a_blot_that_is_hit_goes_to_the_bar() -> None:
    """BG-12"""
    story = cast("13:2", "8:1 off:14", 5, 1).when(0, move(13, 5)).then(ManMoved(0, 13, 8, 5, True))
    assert men_of(story, 1) == {BAR: 1, OFF: 14}


def test_two_blots_in_one_cast_BG_E16() -> None:
    """BG-13, BG-E16: men 8:2 6:2, blots on 7 and 4, cast 4-1."""
    story = play(cast("8:2 6:2", "7:1 4:1 off:13", 4, 1), "8/4 8/1")
    assert men_of(story) == {7: 1, 6: 2, 4: 1} and men_of(story, 1) == {BAR: 2, OFF: 13}


def test_one_man_may_hit_twice_on_his_way() -> None:
    """BG-13"""
    story = play(cast("13:1", "9:1 7:1 off:13", 4, 2), "13/4 9/2")
    assert men_of(story, 1)[BAR] == 2


def test_a_hit_is_forced_only_when_nothing_else_uses_the_cast_BG_E15() -> None:
    """BG-14, BG-R13, BG-E15: man 24, blot on 20, point on 18, cast 6-4: only 24/20*/14."""
    story = cast("24:1", "20:1 18:2 off:12", 6, 4)
    assert moves(story) == {"24/4"}
    forced = story.when(0, move(24, 4)).then(ManMoved(0, 24, 20, 4, True))
    assert men_of(play(forced, "20/6")) == {14: 1}
    free = cast("24:1 13:1", "20:1 18:2 off:12", 6, 4)
    unhit = {mine for mine, enemy in results(free.table) if not enemy[BAR]}
    assert unhit == {side("24:1 3:1")}
    assert any(enemy[BAR] for _, enemy in results(free.table))


# ── The bar ─────────────────────────────────────────────────────────────────────────────────────────────────────


def test_entering_by_one_number_then_the_other_BG_E9() -> None:
    """BG-15, BG-16, BG-18, BG-E9, BG-X4, BG-X5: the enemy on 24 and 22, a blot on 20."""
    mine, enemy = "bar:1 8:2 6:3", "24:2 22:2 20:1 off:10"
    cast(mine, enemy, 3, 1).then(DiceRolled(0, (3, 1), (3, 1)), NumbersLost(0, (3, 1)))
    story = cast(mine, enemy, 5, 3)
    assert moves(story) == {"bar/5"}
    story.refuses(0, move(8, 3), "BG-16").refuses(0, move("bar", 3), "BG-15")
    entered = story.when(0, move("bar", 5)).then(ManMoved(0, "bar", 20, 5, True))
    assert moves(entered) == {"6/3", "8/3", "20/3"}
    assert men_of(entered, 1)[BAR] == 1


def test_two_men_on_the_bar_BG_E10() -> None:
    """BG-16, BG-R11, BG-E10: cast 6-2 enters both; cast 2-1 enters one, and the 1 is lost."""
    mine, enemy = "bar:2 8:2 6:3", "24:2 22:2 21:2 20:2 off:7"
    both = cast(mine, enemy, 6, 2)
    assert men_of(play(both, "bar/6 bar/2")) == {23: 1, 19: 1, 8: 2, 6: 3}
    one = cast(mine, enemy, 2, 1)
    assert moves(one) == {"bar/2"}
    one.when(0, move("bar", 2)).then(ManMoved(0, "bar", 23, 2, False), NumbersLost(0, (1,)))


CLOSED = "24:2 23:2 22:2 21:2 20:2 19:2"


def test_who_is_shut_out_is_skipped_BG_E11() -> None:
    """BG-17, BG-R9, BG-E11: no cast, no command; the enemy goes on until a point opens."""
    story = board("bar:1 6:5", f"{CLOSED} 12:1 13:1 off:1").but(turn=1)
    story = play(roll(story, 2, 1), "13/2")
    back = play(story, "12/1")
    back.then(ManMoved(1, 12, 11, 1, False), TurnSkipped(0, "shut_out"))
    assert back.table.turn == 1 and back.table.phase == "roll"
    back.refuses(0, Roll(), "BG-29").allows(1, Roll(), Concede(1))
    # The six point opens: the man on the bar may cast again.
    opened = play(roll(back, 5, 4), "6/5 6/4")
    assert not any(isinstance(event, TurnSkipped) for event in opened.events)
    opened.allows(0, Roll(), Concede(1), Concede(2))


def test_a_shut_out_player_is_skipped_after_a_lost_cast_too() -> None:
    """BG-17: the enemy cannot play his own cast either."""
    story = board("bar:1 13:2", f"{CLOSED} 7:1 off:2").but(turn=1)
    stuck = roll(story, 6, 6)
    stuck.then(DiceRolled(1, (6, 6), (6,) * 4), NumbersLost(1, (6,) * 4), TurnSkipped(0, "shut_out"))
    assert stuck.table.turn == 1


def test_five_held_points_are_no_shut_out() -> None:
    """BG-17, BG-18: he casts, though he may lose it."""
    story = board("bar:1 6:5", "24:2 23:2 22:2 21:2 20:2 19:1 12:2 off:2").but(turn=1)
    passed = play(roll(story, 2, 1), "13/2 11/1")
    passed.allows(0, Roll(), Concede(1), Concede(2))
    roll(passed, 5, 4).then(DiceRolled(0, (5, 4), (5, 4)), NumbersLost(0, (5, 4)))


# ── Bearing off ─────────────────────────────────────────────────────────────────────────────────────────────────


def test_a_made_up_table_and_four_three_BG_E4() -> None:
    """BG-19, BG-20, BG-E4: bear, play, or one of each: 12 results."""
    story = cast("6:3 5:3 4:3 3:2 2:2 1:2", "off:15", 4, 3)
    assert moves(story) == {"4/4", "6/4", "5/4", "3/3", "6/3", "5/3", "4/3"}
    assert len(results(story.table)) == 12
    assert side("6:3 5:3 4:2 3:1 2:2 1:2 off:2") in {mine for mine, _ in results(story.table)}
    story.when(0, move(4, 4)).then(ManMoved(0, 4, "off", 4, False))


def test_who_cannot_play_inside_must_bear_BG_E5() -> None:
    """BG-21, BG-E5: men 4:3 3:2 2:1 and a 4: only 4/off."""
    story = cast("4:3 3:2 2:1 off:9", "off:15", 4, 4)
    assert moves(story) == {"4/4"}
    assert "4/4" in moves(cast("4:3 3:2 2:1 off:9", "off:15", 4, 1))


def test_the_two_methods_with_six_five_BG_E6() -> None:
    """BG-22, BG-23, BG-R4, BG-R5, BG-E6: men 5:2 2:1."""
    second = cast("5:2 2:1 off:12", "24:2 off:13", 6, 5)
    assert men_of(play(second, "5/6 5/5")) == {2: 1, OFF: 14}
    second.refuses(0, move(2, 6), "BG-23")
    first = cast("5:2 2:1 off:12", "24:2 off:13", 6, 5, bearing="first")
    assert moves(first) == {"5/5"}
    first.refuses(0, move(5, 6), "BG-22")
    first.when(0, move(5, 5)).then(ManMoved(0, 5, "off", 5, False), NumbersLost(0, (6,)))


def test_the_two_methods_with_men_on_four_and_one_BG_E8() -> None:
    """BG-22, BG-23, BG-R4, BG-E8: men 4:2 1:1, cast 6-5."""
    second = cast("4:2 1:1 off:12", "24:2 off:13", 6, 5)
    assert moves(second) == {"4/6", "4/5"}
    assert men_of(play(second, "4/6 4/5")) == {1: 1, OFF: 14}
    first = cast("4:2 1:1 off:12", "24:2 off:13", 6, 5, bearing="first")
    first.then(DiceRolled(0, (6, 5), (6, 5)), NumbersLost(0, (6, 5)))
    refuses_table(GAME, 2, "BG-22", bearing="third")


def test_a_higher_man_must_be_played_down_BG_E7() -> None:
    """BG-24, BG-E7, BG-X9: men on 5 and 3, number 4: not 3/off but 5/1, in both methods."""
    for bearing in ("first", "second"):
        story = cast("5:1 3:1 off:13", "24:2 off:13", 4, 4, bearing=bearing)
        assert moves(story) == {"5/4"}
        story.refuses(0, move(3, 4), "BG-24")
    exact = cast("4:1 3:1 off:13", "24:2 off:13", 4, 4)
    exact.refuses(0, move(3, 4), "BG-20")


def test_no_man_is_borne_while_one_is_outside() -> None:
    """BG-19, BG-X9, BG-N7"""
    story = cast("7:1 6:2 off:12", "24:2 off:13", 6, 1)
    assert moves(story) == {"7/6", "7/1", "6/1"}
    story.refuses(0, move(6, 6), "BG-19")
    assert "6/6" in moves(play(story, "7/1"))
    far = cast("8:1 6:2 off:12", "24:2 off:13", 6, 6)
    far.refuses(0, move(6, 6), "BG-19")
    assert moves(far) == {"8/6"}


def test_whether_all_are_home_is_asked_after_every_play() -> None:
    """BG-R12, BG-25: the second six of a doublet bears when the first has brought the last man home."""
    story = cast("8:1 6:2 off:12", "24:2 off:13", 6, 6)
    home = play(story, "8/6")
    assert moves(home) == {"6/6"}
    last = play(home, "6/6 6/6 2/6")
    assert last.last(GameWon).seat == 0


def test_doublets_bear_or_play_up_to_four_men() -> None:
    """BG-25"""
    story = cast("6:2 4:1 2:3 off:9", "24:2 off:13", 2, 2)
    assert moves(story) == {"6/2", "4/2", "2/2"}
    assert men_of(play(story, "2/2 2/2 2/2 4/2")) == {6: 2, 2: 1, OFF: 12}
    assert men_of(play(story, "6/2 2/2 4/2 2/2")) == {6: 1, 4: 1, 2: 2, OFF: 11}


def test_a_man_hit_while_bearing_must_come_home_again_BG_E18() -> None:
    """BG-26, BG-R6, BG-E18: five men off stay off; no bearing until the man is home."""
    story = cast("bar:1 6:3 5:3 4:3 off:5", "22:2 24:1 off:12", 6, 2)
    assert moves(story) == {"bar/6", "bar/2"}
    low = play(story, "bar/2")
    assert moves(low) == {"23/6"}
    low.refuses(0, move(6, 6), "BG-19")
    high = play(story, "bar/6")
    assert moves(high) == {"19/2", "6/2", "5/2", "4/2"}
    assert all(mine[OFF] == 5 for mine, _ in results(story.table))
    hit = play(cast("13:2 off:13", "8:1 off:14", 5, 1), "13/5")
    assert men_of(hit, 1) == {BAR: 1, OFF: 14}


# ── Winning ─────────────────────────────────────────────────────────────────────────────────────────────────────


def last_man(enemy: str, **options: Any) -> Story:
    """Seat 0 bears his last man."""
    return play(cast("1:1 off:14", enemy, 2, 1, **options), "1/2")


@pytest.mark.parametrize(
    ("enemy", "points"), [("12:15", 2), ("12:14 off:1", 1), ("6:15", 2), ("bar:1 12:14", 2), ("bar:1 12:13 off:1", 1)]
)
def test_a_game_is_won_by_the_fifteenth_man_BG_E19(enemy: str, points: int) -> None:
    """BG-27, BG-28, BG-33, BG-E19: none off counts 2, one off counts 1."""
    story = last_man(enemy)
    off = story.table.men[1][OFF]
    story.then(ManMoved(0, 1, "off", 2, False), GameWon(0, "borne_off", points, 1, points, (15, off), (points, 0)))
    assert GAME.to_act(story.table) == {CHANCE}  # the next opening


def test_the_last_man_may_go_off_by_either_number() -> None:
    """BG-27, BG-10: no number is missed when the game is won."""
    story = cast("6:1 off:14", "12:14 off:1", 6, 5)
    assert moves(story) == {"6/6", "6/5"}
    assert play(story, "6/6").last(GameWon).seat == play(story, "6/5 1/6").last(GameWon).seat == 0


@pytest.mark.parametrize(
    ("enemy", "points"),
    [("bar:1 12:14", 3), ("1:1 12:14", 3), ("6:1 12:14", 3), ("7:1 12:14", 2), ("24:15", 2), ("bar:1 12:13 off:1", 1)],
)
def test_the_triple_game_is_an_option(enemy: str, points: int) -> None:
    """BG-R7, BG-33: the bar or the winner's inner table; without the option such a game counts 2."""
    assert last_man(enemy, triple_game=True).last(GameWon).points == points
    assert last_man(enemy).last(GameWon).points == min(points, 2)


def test_players_alternate_and_cast_once() -> None:
    """BG-29, BG-X1, BG-N1, BG-N2: dice are shown higher first."""
    story = board("24:2 13:5", "9:5 1:2")
    story.refuses(1, Roll(), "BG-29").refuses(0, move(13, 1), "BG-29").refuses(0, Undo(), "BG-29")
    rolled = roll(story, 1, 3).then(DiceRolled(0, (3, 1), (3, 1)))
    rolled.refuses(0, Roll(), "BG-29").refuses(1, move(13, 3), "BG-29").refuses(1, Roll(), "BG-29")
    done = play(rolled, "13/3 13/1")
    done.refuses(0, Roll(), "BG-29").allows(1, Roll(), Concede(1), Concede(2))
    doublets = play(roll(story, 1, 1), "13/1 13/1 13/1 13/1")
    assert doublets.table.turn == 1


def test_the_target_wins_the_match_and_each_game_is_opened_anew() -> None:
    """BG-R8, BG-03"""
    story = last_man("12:15", target=3)
    assert GAME.outcome(story.table) is None
    second = story.when(CHANCE, Rolled((2, 6))).then(OpeningCast(2, (2, 6), 1, False))
    assert men_of(second, 0) == men_of(second, 1) == {24: 2, 13: 5, 8: 3, 6: 5}
    over = last_man("12:15", target=2)
    result = GAME.outcome(over.table)
    assert result is not None and result.winners == (0,) and result.scores == (2, 0)
    over.refuses(1, Roll(), "BG-R8").refuses(0, move(13, 1), "BG-R8").allows(0).allows(1)
    refuses_table(GAME, 2, "BG-R8", target=26)
    refuses_table(GAME, 2, "BG-R8", target=0)


def test_a_number_of_games_may_replace_the_target() -> None:
    """BG-R8: most points win, equal points draw the match."""
    position = {"games": 2, "target": 1}
    assert GAME.outcome(last_man("12:15", **position).table) is None
    drawn = play(cast("1:1 off:14", "12:14 off:1", 2, 1, **position).but(game_no=2, score=(1, 2)), "1/2")
    result = GAME.outcome(drawn.table)
    assert result is not None and result.winners == (0, 1) and result.reason == "games_played"
    won = play(cast("1:1 off:14", "12:15", 2, 1, **position).but(game_no=2, score=(1, 2)), "1/2")
    result = GAME.outcome(won.table)
    assert result is not None and result.winners == (0,)
    refuses_table(GAME, 2, "BG-R8", games=0)


# ── Taking back ─────────────────────────────────────────────────────────────────────────────────────────────────


def test_a_play_can_be_undone_until_the_cast_is_used_up() -> None:
    """BG-N4, BG-N5: hit men and borne men come back."""
    story = cast("bar:1 13:2", "20:1 off:14", 5, 3)
    entered = play(story, "bar/5")
    undone = entered.when(0, Undo()).then(PlayUndone(0, "bar", 20, 5, True))
    assert undone.table == story.table
    undone.refuses(0, Undo(), "BG-N4")
    done = play(entered, "13/3")
    done.refuses(0, Undo(), "BG-29").refuses(1, Undo(), "BG-29")
    borne = play(cast("4:2 3:2 off:11", "24:2 off:13", 4, 4), "4/4 4/4")
    twice = borne.when(0, Undo()).when(0, Undo())
    assert men_of(twice) == {4: 2, 3: 2, OFF: 11} and twice.table.numbers == (4, 4, 4, 4)
    mixed = play(cast("13:2", "off:15", 2, 5), "13/5").when(0, Undo())
    assert mixed.table.numbers == (5, 2)


def test_a_touched_man_must_be_played_by_option() -> None:
    """BG-N4: `touch_move`"""
    story = play(cast("13:2", "off:15", 5, 3, touch_move=True), "13/5")
    story.refuses(0, Undo(), "BG-N4")
    assert Undo() in GAME.legal(play(cast("13:2", "off:15", 5, 3), "13/5").table, 0)


# ── The cube ────────────────────────────────────────────────────────────────────────────────────────────────────


def cubed(mine: str = "13:5 6:5", enemy: str = "10:5 off:1", **options: Any) -> Story:
    return board(mine, enemy, cube=True, **options)


def stakes(story: Story, **fields: Any) -> Story:
    return story.but(stakes=story.table.stakes._replace(**fields))


def test_the_cube_starts_in_the_middle() -> None:
    """BG-30, BG-R7: seen by all; without the option there is none."""
    story = table(GAME, 2, cube=True).when(CHANCE, Rolled((4, 2)))
    for seat in (0, 1, None):
        assert GAME.view(story.table, seat)["cube"] == {"value": 1, "owner": None, "offered_by": None}
    assert GAME.view(table(GAME, 2).table, 0)["cube"] is None


def test_a_new_game_puts_the_cube_back() -> None:
    """BG-30"""
    story = stakes(cubed("1:1 off:14", "12:15", target=9), cube=2, owner=1)
    next_game = play(roll(story, 2, 1), "1/2").when(CHANCE, Rolled((5, 1)))
    assert GAME.view(next_game.table, 0)["cube"] == {"value": 1, "owner": None, "offered_by": None}


def test_when_a_double_may_be_offered() -> None:
    """BG-31: before one's own roll, never before the first play of a game."""
    opened = table(GAME, 2, cube=True).when(CHANCE, Rolled((4, 2)))
    opened.refuses(0, Double(), "BG-31").refuses(1, Double(), "BG-31")
    second = play(opened.when(0, Adopt()), "8/4 6/2")
    second.allows(1, Roll(), Double(), Concede(1), Concede(2)).refuses(0, Double(), "BG-31")
    roll(second, 3, 1).refuses(1, Double(), "BG-31")
    offered = second.when(1, Double()).then(DoubleOffered(1, 2))
    assert GAME.view(offered.table, None)["cube"] == {"value": 1, "owner": None, "offered_by": 1}
    assert GAME.view(offered.table, None)["phase"] == "double_offered"


def test_a_skipped_turn_allows_no_double() -> None:
    """BG-31, BG-17: his turn is over before it began; the enemy may double before his next roll."""
    story = cubed("bar:1 6:5", f"{CLOSED} 12:1 13:1 off:1").but(turn=1)
    back = play(roll(story, 2, 1), "13/2 12/1")
    assert isinstance(back.events[-1], TurnSkipped)
    back.refuses(0, Double(), "BG-31").allows(1, Roll(), Double(), Concede(1))


def test_only_the_opponent_answers_a_double() -> None:
    """BG-32: meanwhile nobody plays."""
    story = cubed().when(0, Double())
    assert GAME.to_act(story.table) == {1}
    story.allows(1, Take(), Drop()).allows(0)
    for command in (Roll(), Double()):
        story.refuses(0, command, "BG-32")
    story.refuses(0, Take(), "BG-32").refuses(1, Roll(), "BG-32").refuses(1, Double(), "BG-32")
    story.refuses(0, Concede(1), "BG-36").refuses(1, Accept(), "BG-36")
    cubed().refuses(1, Take(), "BG-32").refuses(0, Drop(), "BG-32")


def test_a_drop_loses_the_value_before_the_offer_BG_E20() -> None:
    """BG-32, BG-E20: always a single game, though no man has been borne."""
    story = cubed(enemy="12:15").when(0, Double()).when(1, Drop())
    story.then(DoubleDropped(1), GameWon(0, "dropped", 1, 1, 1, (0, 0), (1, 0)))
    redoubled = stakes(cubed(enemy="12:15", target=9), cube=4, owner=0).when(0, Double()).when(1, Drop())
    assert redoubled.last(GameWon).points == 4


def test_a_take_doubles_and_hands_the_cube_over() -> None:
    """BG-32, BG-31: the taker owns it and the doubler must roll. No beavers."""
    story = cubed(target=25).when(0, Double()).when(1, Take()).then(DoubleTaken(1, 2))
    assert GAME.view(story.table, 0)["cube"] == {"value": 2, "owner": 1, "offered_by": None}
    story.allows(0, Roll()).allows(1)
    story.refuses(0, Double(), "BG-31").refuses(1, Double(), "BG-31").refuses(0, Concede(1), "BG-32")
    turned = play(roll(story, 2, 1), "13/2 13/1")
    assert Double() in GAME.legal(turned.table, 1)
    back = turned.when(1, Double()).then(DoubleOffered(1, 4)).when(0, Take()).then(DoubleTaken(0, 4))
    assert GAME.view(back.table, 0)["cube"]["owner"] == 0


def test_who_does_not_own_the_cube_cannot_double() -> None:
    """BG-31"""
    stakes(cubed(target=25), cube=2, owner=1).refuses(0, Double(), "BG-31")
    assert Double() in GAME.legal(stakes(cubed(target=25), cube=2, owner=0).table, 0)


@pytest.mark.parametrize(("enemy", "points"), [("12:15", 4), ("12:14 off:1", 2), ("bar:1 12:14", 6)])
def test_the_cube_multiplies_a_game_borne_out_BG_E20(enemy: str, points: int) -> None:
    """BG-33, BG-E20: double, take, double game: 4 points."""
    story = cubed("1:1 off:14", enemy, triple_game=True, target=25).when(0, Double()).when(1, Take())
    assert play(roll(story, 2, 1), "1/2").last(GameWon).points == points


def test_an_unturned_cube_changes_nothing() -> None:
    """BG-33: a double game counts also with the cube in the middle."""
    assert play(roll(cubed("1:1 off:14", "12:15"), 2, 1), "1/2").last(GameWon).points == 2


def test_a_dead_cube_BG_E21() -> None:
    """BG-35, BG-E21: target 5, score 3-1, the leader owns the cube at 2."""
    story = stakes(cubed().but(score=(3, 1)), cube=2, owner=0)
    story.refuses(0, Double(), "BG-35")
    other = stakes(cubed().but(score=(1, 3)), cube=2, owner=0)
    assert Double() in GAME.legal(other.table, 0)


def test_the_cube_stops_at_64() -> None:
    """BG-35: without a target only this stop applies."""
    for value, allowed in ((32, True), (64, False)):
        story = stakes(cubed(games=3).but(score=(40, 0)), cube=value, owner=0)
        assert (Double() in GAME.legal(story.table, 0)) == allowed
    stakes(cubed(games=3), cube=64, owner=0).refuses(0, Double(), "BG-35")


def second_turn(story: Story) -> Story:
    """A new game after its first play."""
    return play(story.when(CHANCE, Rolled((4, 2))).when(0, Adopt()), "8/4 6/2")


def test_the_crawford_game_BG_E22() -> None:
    """BG-34, BG-35, BG-E22: target 5, 4-2; then 4-3: the leader is refused, the other may double at once."""
    start = table(GAME, 2, cube=True).but(score=(4, 2))
    first = second_turn(start)
    assert GAME.view(first.table, 0)["crawford"]
    first.refuses(1, Double(), "BG-34")
    seat_0 = play(roll(first, 3, 1), "8/3 6/1")
    seat_0.refuses(0, Double(), "BG-34")
    lost = seat_0.but(men=(side("24:15"), side("1:1 off:14")), turn=1)
    after = play(roll(lost, 1, 2), "1/2").but(score=(4, 3))
    later = second_turn(after)
    assert not GAME.view(later.table, 0)["crawford"]
    assert Double() in GAME.legal(later.table, 1)
    play(roll(later, 3, 1), "8/3 6/1").refuses(0, Double(), "BG-35")


def test_crawford_is_an_option_and_never_without_a_target() -> None:
    """BG-34: with target 1 the only game; no Crawford game without cube or target."""
    second_turn(table(GAME, 2, cube=True, target=1)).refuses(1, Double(), "BG-34")
    without = second_turn(table(GAME, 2, cube=True, crawford=False).but(score=(4, 2)))
    assert Double() in GAME.legal(without.table, 1)
    assert not second_turn(table(GAME, 2, cube=True, games=4).but(score=(4, 2))).table.stakes.crawford
    assert not second_turn(table(GAME, 2).but(score=(4, 2))).table.stakes.crawford
    tied = table(GAME, 2, cube=True).but(score=(4, 2)).when(CHANCE, Rolled((3, 3)))
    second_turn(tied).refuses(1, Double(), "BG-34")  # equal opening dice do not use it up


def test_without_the_option_there_is_no_cube() -> None:
    """BG-R7, BG-X13"""
    story = board("13:5", "12:5")
    for command in (Double(), Take(), Drop()):
        story.refuses(0, command, "BG-R7").refuses(1, command, "BG-R7")


# ── Conceding ───────────────────────────────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize(
    ("mine", "triple_game", "most"),
    [("13:5", False, 2), ("13:5", True, 3), ("13:5 off:1", True, 1), ("6:5 off:9", False, 1)],
)
def test_conceding_the_most_ends_the_game_at_once(mine: str, triple_game: bool, most: int) -> None:
    """BG-36, BG-R15"""
    story = board(mine, "12:5 off:3", triple_game=triple_game)
    off = story.table.men[0][OFF]
    story.when(0, Concede(most)).then(
        ConcessionOffered(0, most), GameWon(1, "conceded", most, 1, most, (off, 3), (0, most))
    )
    for value in (0, -1, most + 1):
        story.refuses(0, Concede(value), "BG-36")


def test_conceding_less_waits_for_an_answer() -> None:
    """BG-36, BG-R15: accepted it scores the value times the cube; refused, play goes on where it stood."""
    story = stakes(cubed("13:5", target=25), cube=4, owner=1)
    offered = story.when(0, Concede(1)).then(ConcessionOffered(0, 1))
    assert GAME.view(offered.table, None)["concession"] == 1 and GAME.to_act(offered.table) == {1}
    offered.allows(1, Refuse(), Accept()).refuses(0, Accept(), "BG-36").refuses(0, Roll(), "BG-36")
    offered.refuses(1, Drop(), "BG-32").refuses(0, Double(), "BG-36")
    offered.when(1, Accept()).then(ConcessionAnswered(1, True), GameWon(1, "conceded", 1, 4, 4, (0, 1), (0, 4)))
    refused = offered.when(1, Refuse()).then(ConcessionAnswered(1, False))
    assert refused.table.phase == "roll" and refused.table.turn == 0
    refused.refuses(0, Concede(1), "BG-36").refuses(0, Concede(2), "BG-36").allows(0, Roll())


def test_conceding_after_the_roll_and_once_a_turn() -> None:
    """BG-36: also between two plays; the next turn has its own."""
    rolled = play(cast("13:5", "10:5 off:3", 2, 1), "13/2")
    assert Concede(1) in GAME.legal(rolled.table, 0)
    rolled.refuses(1, Concede(1), "BG-36")
    on = rolled.when(0, Concede(1)).when(1, Refuse())
    assert on.table.numbers == (1,) and on.table.phase == "play"
    on.refuses(0, Concede(1), "BG-36").refuses(0, Accept(), "BG-36")
    theirs = play(on, "13/1")
    mine = play(roll(theirs, 2, 1), "15/1 15/2")
    assert Concede(1) in GAME.legal(mine.table, 0)


def test_no_concession_before_the_first_cast() -> None:
    """BG-36: there is neither roll nor play to go back to."""
    table(GAME, 2).when(CHANCE, Rolled((4, 2))).refuses(0, Concede(1), "BG-36").refuses(0, Refuse(), "BG-36")


def test_resigning_the_match_loses_it_whatever_the_cube() -> None:
    """BG-37"""
    seed = bytes(32)
    places = tuple(match.Place("human", name, None, "") for name in ("ann", "bea"))
    opened = match.open_match(GAME, "m", host="ann", seats=places, options={"cube": True}, seed=seed).match
    started = match.start(opened, "ann", seed).match
    ended = match.resign(started, 0, seed).match.ended
    assert ended is not None and ended.places == (2, 1)


# ── Views and whole matches ─────────────────────────────────────────────────────────────────────────────────────


def test_all_see_the_same() -> None:
    """BG-01, BG-30: there is nothing hidden."""
    story = play(cast("bar:1 13:2", "20:1 off:14", 5, 3), "bar/5")
    views = [GAME.view(story.table, seat) for seat in (0, 1, None, ALL)]
    assert all(view == views[0] for view in views)
    assert views[0]["plays"] == ["bar/20*"] and views[0]["dice"] == (5, 3) and views[0]["numbers"] == (3,)
    assert {"cell": "bar-1", "side": 1, "kind": "man", "count": 1} in views[0]["pieces"]
    assert {"cell": "13", "side": 0, "kind": "man", "count": 2} in views[0]["pieces"]
    assert views[0]["pips"] == (46, 25)
    assert views[0]["position"] == "W 20:1 13:2 / B 25:1 0:14"


def test_both_sides_find_their_points_on_one_board() -> None:
    """BG-01, BG-02: a point has a number for each side, and the inner tables lie where they were agreed to lie."""
    for inner_side, inner in (("right", range(7, 13)), ("left", range(1, 7))):
        board = geometry(GAME.open_table({"inner_side": inner_side}, 2).options, 2)
        cells = {cell.id: cell for cell in board.cells}
        assert cells["13"].names == ("13", "12") and cells["bar-1"].names == ("", "bar")
        assert {cells[str(point)].x for point in (*range(1, 7), *range(19, 25))} == set(inner)
        assert {cells[str(point)].home for point in range(1, 7)} == {0} == {cells["off-0"].home}
        assert cells["1"].links == ("off-0", "2") and cells["24"].links == ("23", "off-1")
        assert cells["bar-0"].links == ("24",) and cells["bar-1"].links == ("1",)


@pytest.mark.parametrize("bearing", ["first", "second"])
def test_whole_matches_keep_the_score(bearing: str) -> None:
    """BG-27, BG-28, BG-29: the points of the games add up to the score, and somebody reaches the target."""
    options = {"target": 3, "bearing": bearing, "triple_game": True, "cube": True}
    won = [
        event
        for moment in random_match(GAME, 2, options, random.Random(bearing))
        for event in moment.events
        if isinstance(event, GameWon)
    ]
    totals = [sum(event.points for event in won if event.seat == seat) for seat in (0, 1)]
    assert tuple(totals) == won[-1].totals and max(totals) >= 3
    assert all(event.points == event.value * event.cube for event in won)


def test_options_that_others_leave_without_effect_are_refused() -> None:
    """BG-R8, BG-R7, BG-34"""
    refuses_idle(GAME, 2, "target", 5, games=3)
    refuses_idle(GAME, 2, "crawford", True)
    refuses_idle(GAME, 2, "crawford", False, cube=True, games=3)
    refuses_idle(GAME, 2, "cube", True, target=1)
    refuses_idle(GAME, 2, "crawford", False, target=1)
    GAME.new_table({"cube": True, "crawford": False, "target": 3, "games": None}, 2)


def test_a_play_that_can_be_taken_back_is_no_reason_for_a_new_deadline() -> None:
    """BG-N4"""
    assert GAME.tentative == (ManMoved, PlayUndone)


def test_refusals_say_what_stands_in_the_way() -> None:
    """BG-05 to BG-36"""
    story = cast("13:2 8:1 6:1", "10:2 off:13", 3, 4)
    assert story.words(0, Roll()) == "you have cast the dice of this turn"
    assert board("13:2").words(0, move(13, 1)) == "you have not cast the dice of this turn"
    assert story.words(1, Roll()) == "it is the turn of seat 0"
    assert story.words(0, move(13, 3)) == "the enemy holds the point 10, so no man of yours may stop there"
    assert story.words(0, move(13, 5)) == "5 is not among the numbers left: 4, 3"
    assert story.words(0, move(25, 3)) == "there is no point 25"
    assert story.words(0, move(5, 3)) == "you have no man on 5"
    higher = cast("13:1", "2:2 off:13", 6, 5)
    assert higher.words(0, move(13, 5)) == "only one number can be played, so it must be the 6"
    home = cast("5:1 3:1 off:13", "24:2 off:13", 4, 4)
    assert home.words(0, move(3, 4)) == "a man of yours stands higher than 4, so it bears none from 3"
    assert cast("4:1 3:1 off:13", "24:2", 4, 4).words(0, move(3, 4)) == "a 4 bears the man on 4, not the one on 3"
    low = cast("5:1 2:2 off:12", "24:2", 6, 1)
    assert low.words(0, move(2, 6)) == "a 6 bears from your highest point, not from 2"
    assert board("6:3 off:1").words(0, Concede(2)) == "you can concede 1, not 2"
    assert board("6:3").words(0, Concede(3)) == "you can concede 1 to 2, not 3"
    dead = stakes(cubed().but(score=(3, 1)), cube=2, owner=0)
    assert dead.words(0, Double()) == "with 3 points you need no more than the 2 on the cube"


def test_an_absent_player_does_not_undo_or_concede() -> None:
    """BG-36, BG-N4: random players and bots leave these aside, and a match can be written down as a mat file."""
    assert GAME.asides == (Undo, Concede)
    assert set(GAME.exports) == {"mat"}
