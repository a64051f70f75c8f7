"""Acey-Ducey, rule by rule. Seat 0 is the mover of most positions; the enemy's men are given in the mover's spaces."""

from __future__ import annotations

import random
import time
from collections.abc import Iterable
from typing import Any

import pytest

from domain import match
from domain.game import ALL, CHANCE, Dice, Outcome, Rolled
from domain.games.acey_ducey import GAME
from domain.games.acey_ducey.game import (
    DiceRolled,
    DoubleNamed,
    GameWon,
    ManMoved,
    Move,
    NameDouble,
    NumbersLost,
    Roll,
    StartThrown,
    Table,
)
from domain.games.acey_ducey.view import board as geometry
from domain.kit.points import BAR, HAND, OFF, Men
from tests.domain.playing import random_match
from tests.domain.retelling import ask_for_everything, recounted, retell
from tests.domain.story import Story, refuses_idle, refuses_table, table
from tests.domain.told.acey_ducey import AceyDucey
from tests.golden.matches import Golden

QUICK = {"target": 1}


def chained(events: list[Any]) -> bool:
    """Three Acey-Duceys of one seat in one turn, the second and third as free throws; in a match short enough to keep."""
    if len(events) > 450:
        return False
    row = 0
    for event in events:
        if isinstance(event, DiceRolled):
            row = row + 1 if event.kind == "acey_ducey" and (event.free or not row) else int(event.kind == "acey_ducey")
            if row == 3:
                return True
    return False


GOLDEN = Golden(
    seats=4,
    options={"target": 1},
    moment="an Acey-Ducey whose free throw is another, and the free throw of that one yet another",
    shows=chained,
)


def whole(s: Table) -> Iterable[Any]:
    return [0] * 15 + [1] * 15


def pieces(s: Table) -> Iterable[Any]:
    return [colour for colour, men in enumerate(s.men) for _ in range(sum(men))]


# ── What the rule page says, for the common tests ────────────────────────────────────────────────────────────────

SEATS = ("AD-28", range(2, 5, 2))
OPTIONS = {
    "target": ("AD-R13", None, range(1, 26)),
    "score": ("AD-R13", "games", ("games", "men_left")),
    "doubles_split": ("AD-R2", "any", ("any", "listed")),
    "overthrow": ("AD-R5", "take_off", ("take_off", "lost")),
    "doubles_below": ("AD-R6", "always", ("always", "if_none_above")),
    "bonus_needs_full_play": ("AD-R7", False, bool),
    "higher_die": ("AD-R9", True, bool),
    "partner_chat": ("AD-R12", False, bool),
}
REFUSALS = {
    "AD-02": {"wrong_phase"},
    "AD-05": {"no_such_number", "no_man"},
    "AD-08": {"wrong_phase", "not_your_turn"},
    "AD-09": {"backwards"},
    "AD-10": {"closed"},
    "AD-12": {"bar_first"},
    "AD-14": {"whole_throw"},
    "AD-15": {"wrong_phase"},
    "AD-16": {"wrong_phase", "no_such_number"},
    "AD-18": {"not_home"},
    "AD-20": {"exact_man"},
    "AD-21": {"higher_man"},
    "AD-22": {"highest_man"},
    "AD-24": {"exact_man", "highest_man"},
    "AD-27": {"wrong_phase"},
    "AD-28": {"not_your_turn"},
    "AD-R1": {"no_man"},
    "AD-R2": {"not_listed"},
    "AD-R5": {"too_high"},
    "AD-R6": {"higher_man"},
    "AD-R9": {"higher_number"},
}


def recount(events: Iterable[Any], options: Any, seats: int) -> Outcome | None:
    """AD-01 to AD-28, on a board of its own."""
    return recounted(AceyDucey, events, options, seats)


@pytest.mark.parametrize(
    ("seats", "options"),
    [
        (2, {"target": 2}),
        (4, {"target": 2, "partner_chat": True, "higher_die": False}),
        (4, {"score": "men_left", "target": 9, "overthrow": "lost", "bonus_needs_full_play": True}),
        (2, {"target": 1, "doubles_below": "if_none_above", "bonus_needs_full_play": True}),
        (4, {"target": 1, "doubles_split": "listed"}),
    ],
    ids=str,
)
def test_a_match_is_what_the_rule_page_makes_of_its_events(seats: int, options: dict[str, Any]) -> None:
    """AD-01 to AD-28: every play, the points of every game, whose throw it is, all views, commands and refusals."""
    assert retell(AceyDucey, GAME, seats, options, 3000) is not None


@pytest.mark.parametrize("seats", [2, 4])
def test_whatever_is_asked_for_is_answered_by_the_rule_page(seats: int) -> None:
    """AD-X1 to AD-X13, of every seat."""
    simple = [Roll(), *map(NameDouble, range(-1, 8))]
    moves = [move(place, number) for place in ("hand", "centre", *range(-1, 27, 2)) for number in (-1, 0, 1, 2, 5, 6)]
    ask_for_everything(AceyDucey, GAME, seats, {"target": 2}, [*simple, *moves], 250)


# ── Positions ───────────────────────────────────────────────────────────────────────────────────────────────────


def men(text: str, *, mirrored: bool = False) -> Men:
    """`hand:3 centre:1 19:2 off:9` as men of a colour; mirrored: the spaces are those of the other colour."""
    places = [0] * 27
    for word in text.split():
        place, _, count = word.partition(":")
        if place.isdigit():
            at = int(place) if mirrored else 25 - int(place)
        else:
            at = {"hand": HAND, "centre": BAR, "off": OFF}[place]
        places[at] += int(count or 1)
    return tuple(places)


def rows(text: str, off: int = 0) -> str:
    """`6:2 5:1` in rows of the take-off position, as spaces."""
    spaces = [f"{25 - int(row)}:{count}" for row, _, count in (word.partition(":") for word in text.split())]
    return " ".join([*spaces, f"off:{off}"])


def board(mine: str, enemy: str = "hand:15", seats: int = 2, **options: Any) -> Story:
    """Seat 0 is to throw in the middle of a game."""
    story = table(GAME, seats, **options).given(StartThrown(1, (6, 5), 0))
    return story.but(men=(men(mine), men(enemy, mirrored=True)))


def roll(story: Story, *dice: int) -> Story:
    return story.when(story.table.turn, Roll(), Rolled(dice))


def thrown(mine: str, enemy: str, *dice: int, **options: Any) -> Story:
    return roll(board(mine, enemy, **options), *dice)


def start(*dice: int, **options: Any) -> Story:
    return thrown("hand:15", "hand:15", *dice, **options)


def move(place: str | int, number: int) -> Move:
    return Move(int(place) if str(place).lstrip("-").isdigit() else place, number)  # type: ignore[arg-type]


def play(story: Story, text: str) -> Story:
    """`hand/6 2/5`: from which place by which number."""
    for word in text.split():
        place, _, number = word.partition("/")
        story = story.when(story.table.turn, move(place, int(number)))
    return story


def moves(story: Story) -> set[str]:
    legal = GAME.legal(story.table, story.table.turn)
    return {f"{command.from_}/{command.number}" for command in legal if isinstance(command, Move)}


def standing(side: Men) -> str:
    """The men of a colour on the board, by space."""
    return " ".join(f"{25 - place}:{side[place]}" for place in range(24, 0, -1) if side[place])


def spaces(story: Story, colour: int = 0) -> str:
    return standing(story.table.men[colour])


def on(story: Story, cell: str) -> tuple[int, int] | None:
    """The side that stands there, and with how many men."""
    pieces = GAME.view(story.table, None)["pieces"]
    return next(((piece["side"], piece["count"]) for piece in pieces if piece["cell"] == cell), None)


def results(story: Story, *, hand: bool = False) -> set[str]:
    """Every way in which the numbers on the table can end up, as the mover's men on the board."""
    start = story.table
    colour = start.turn % 2

    def explore(s: Table) -> set[Men]:
        if s.phase != "play" or s.turn != start.turn or s.bonus != start.bonus:
            return {s.men[colour]}
        found: set[Men] = set()
        for command in GAME.legal(s, s.turn):
            after = s
            for event in GAME.decide(s, s.turn, command):
                after = GAME.evolve(after, event)
            found |= explore(after)
        return found

    return {standing(side) + (f" hand:{side[HAND]}" if hand else "") for side in explore(start)}


# ── The start ───────────────────────────────────────────────────────────────────────────────────────────────────


def test_all_men_start_in_hand_and_three_seats_are_refused() -> None:
    """AD-01, AD-R1, AD-X12"""
    story = table(GAME, 2).when(CHANCE, Rolled((4, 2)))
    for colour in (0, 1):
        assert story.table.men[colour] == men("hand:15")
        assert on(story, f"hand-{colour}") == (colour, 15)
    for seats in (1, 3, 5):
        refuses_table(GAME, seats, "AD-28")


def test_the_higher_die_starts_and_throws_both_dice_anew() -> None:
    """AD-02, AD-03, AD-R11, AD-R18: the dice of the start are not played; ties throw again."""
    story = table(GAME, 2)
    assert GAME.to_act(story.table) == {CHANCE} and GAME.chance(story.table) == Dice(2, 6)
    story.refuses(0, Roll(), "AD-02").refuses(1, move("hand", 1), "AD-02")
    tied = story.when(CHANCE, Rolled((3, 3))).then(StartThrown(1, (3, 3), None))
    assert GAME.to_act(tied.table) == {CHANCE}
    tied.refuses(0, Roll(), "AD-02")
    black = tied.when(CHANCE, Rolled((2, 5))).then(StartThrown(1, (2, 5), 1))
    black.allows(1, Roll()).refuses(0, Roll(), "AD-08").refuses(1, move("hand", 5), "AD-08")
    assert black.game.decide(black.table, 1, Roll()) == Dice(2, 6)
    black.when(1, Roll(), Rolled((4, 6))).then(DiceRolled(1, (6, 4), (6, 4), "plain", False))


# ── Entering and moving ─────────────────────────────────────────────────────────────────────────────────────────


def test_six_and_five_enter_two_men_or_one_on_eleven_AD_E1() -> None:
    """AD-04, AD-05, AD-E1"""
    assert results(start(6, 5)) == {"5:1 6:1", "11:1"}
    start(6, 5).when(0, move("hand", 6)).then(ManMoved(0, "hand", 6, 6, False))


def test_doubles_by_men_on_one_space_AD_E2() -> None:
    """AD-07, AD-R2, AD-E2: 24 spaces by one man is impossible, for he is not ready to be taken off."""
    story = thrown("1:4 off:11", "hand:15", 6, 6).then(DiceRolled(0, (6, 6), (6, 6, 6, 6), "doubles", False))
    assert results(story) == {"7:4", "1:1 7:2 13:1", "1:2 13:2", "1:2 7:1 19:1"}


def test_doubles_from_the_hand_AD_E3() -> None:
    """AD-06, AD-07, AD-E3: five results, hand 11, 12, 13, 13, 14."""
    assert results(start(3, 3), hand=True) == {
        "3:4 hand:11", "3:2 6:1 hand:12", "6:2 hand:13", "3:1 9:1 hand:13", "12:1 hand:14",
    }  # fmt: skip


def test_doubles_only_as_listed() -> None:
    """AD-R2: 2n + n + n is not listed; some reading of which man moved suffices."""
    assert results(thrown("1:4 off:11", "hand:15", 6, 6, doubles_split="listed")) == {"7:4", "1:2 13:2", "1:2 7:1 19:1"}
    assert results(start(3, 3, doubles_split="listed"), hand=True) == {
        "3:4 hand:11", "6:2 hand:13", "3:1 9:1 hand:13", "12:1 hand:14",
    }  # fmt: skip
    # One man goes 1 to 7 to 13 and two go 2 to 8: no reading makes that a listed way.
    story = thrown("1:2 2:2 off:11", "hand:15", 6, 6, doubles_split="listed")
    spoiled = play(story, "1/6 7/6 2/6")
    spoiled.refuses(0, move(2, 6), "AD-R2").refuses(0, move(1, 6), "AD-R2")
    assert moves(spoiled) == {"8/6", "13/6"}


def test_doubles_may_be_read_in_the_way_that_is_listed() -> None:
    """AD-R2: men on 1 and 7 move to 7 and 13, which might be one man or two."""
    story = thrown("1:2 7:1 2:1 off:11", "hand:15", 6, 6, doubles_split="listed")
    assert "7:2 8:1 13:1" in results(story)  # 1-7, 1-7, 2-8 and 7-13: four men, one play each
    final = play(story, "1/6 7/6 1/6")
    assert "2/6" in moves(final)


def test_a_listed_way_must_itself_be_playable() -> None:
    """AD-R2, AD-24: 5 to 2 and off needs row 3 empty, so that the man of row 6 cannot be the one taken off there."""
    mine = rows("6:1 5:2 4:1 3:1", 10)
    spoiled = "20:1 21:1 22:1"
    assert spoiled in results(thrown(mine, "hand:15", 3, 3))
    assert spoiled not in results(thrown(mine, "hand:15", 3, 3, doubles_split="listed"))


def test_if_four_plays_fit_no_listed_way_three_are_played() -> None:
    """AD-R2: as many plays as possible of one of the listed ways."""
    # Men on 1, 2 and 3; all but 7, 13, 8 and 9 are closed to them: 2n + n + n is all that four plays could be.
    enemy = "14:2 15:2 19:2 hand:9"
    free = thrown("1:1 2:1 3:1 off:12", enemy, 6, 6)
    assert results(free) == {"8:1 9:1 13:1"}
    story = thrown("1:1 2:1 3:1 off:12", enemy, 6, 6, doubles_split="listed")
    assert results(story) == {"7:1 8:1 9:1", "2:1 9:1 13:1", "3:1 8:1 13:1"}
    last = play(story, "1/6 2/6 3/6")
    last.then(ManMoved(0, 3, 9, 6, False), NumbersLost(0, (6,), False))
    assert last.table.turn == 1


def test_the_listed_ways_are_for_doubles_alone() -> None:
    """AD-R2: by sixes the men on 1 and 2 can go twice, the man on 3 once, so that no double may begin with him."""
    mine, enemy = "1:1 2:1 3:1 off:12", "15:2 19:2 20:2 hand:9"
    assert moves(thrown(mine, enemy, 6, 6, doubles_split="listed")) == {"1/6", "2/6"}
    single = thrown(mine, enemy, 6, 1, doubles_split="listed")
    assert "3/6" in moves(single)
    single.when(0, move(3, 6)).then(ManMoved(0, 3, 9, 6, False))


def test_a_closed_space_turns_the_throw_AD_E4() -> None:
    """AD-04, AD-10, AD-14, AD-E4, AD-X4, AD-X10: only 5 and on to 11; with both closed nothing."""
    story = thrown("hand:15", "6:2 hand:13", 6, 5)
    assert moves(story) == {"hand/5"}
    story.refuses(0, move("hand", 6), "AD-10")
    assert results(story) == {"11:1"}
    play(story, "hand/5").refuses(0, move("hand", 6), "AD-10")
    both = thrown("hand:15", "6:2 5:2 hand:11", 6, 5)
    both.then(DiceRolled(0, (6, 5), (6, 5), "plain", False), NumbersLost(0, (6, 5), False))
    assert both.table.turn == 1


def test_men_may_move_while_others_are_in_hand() -> None:
    """AD-06, AD-R10, AD-09: always forward."""
    story = thrown("hand:13 4:2", "hand:15", 6, 3)
    assert moves(story) == {"hand/6", "hand/3", "4/6", "4/3"}
    assert spaces(play(story, "4/6 4/3")) == "7:1 10:1"
    story.refuses(0, move(4, -3), "AD-09").refuses(0, move(9, 3), "AD-05").refuses(0, move(0, 3), "AD-R1")
    story.refuses(0, move(25, 3), "AD-R1").refuses(0, move("centre", 3), "AD-05")


def test_numbers_that_are_not_there() -> None:
    """AD-05, AD-X2: not thrown, or used up."""
    story = start(6, 5).refuses(0, move("hand", 4), "AD-05").refuses(0, move("hand", 7), "AD-05")
    play(story, "hand/6").refuses(0, move("hand", 6), "AD-05")
    used = play(start(2, 2), "hand/2")
    used.refuses(0, move(2, 4), "AD-05")


def test_a_lone_enemy_is_kicked_AD_E5() -> None:
    """AD-11, AD-E5: 2 to 7 kicks; the 3 enters or carries on to 10."""
    story = thrown("2:1 hand:14", "7:1 hand:14", 5, 3).when(0, move(2, 5)).then(ManMoved(0, 2, 7, 5, True))
    assert on(story, "centre-1") == (1, 1)
    assert moves(story) == {"hand/3", "7/3"}


def test_two_men_protect_each_other_and_may_be_passed() -> None:
    """AD-10, AD-13, AD-X4"""
    story = thrown("2:1 off:14", "7:2 4:9 hand:4", 5, 6)
    story.refuses(0, move(2, 5), "AD-10")
    assert results(story) == {"13:1"}  # 2 to 8 passes over both spaces, and 8 to 13
    crowd = play(thrown("3:12 2:1 1:2", "hand:15", 1, 1), "2/1 1/1 2/1 1/1")
    assert spaces(crowd) == "2:1 3:14"


def test_kicked_men_come_first_AD_E6() -> None:
    """AD-12, AD-E6, AD-X3: centre to 4, then the 1: 3 to 4, 4 to 5 or 10 to 11, not hand to 1."""
    story = thrown("centre:1 3:2 10:1 hand:11", "1:2 hand:13", 1, 4)
    assert moves(story) == {"centre/4"}
    for place in ("hand", 3, 10):
        story.refuses(0, move(place, 4), "AD-12")
    story.refuses(0, move("centre", 1), "AD-10")
    entered = story.when(0, move("centre", 4)).then(ManMoved(0, "centre", 4, 4, False))
    assert moves(entered) == {"3/1", "4/1", "10/1"}
    entered.refuses(0, move("hand", 1), "AD-10")


def test_no_kicked_man_can_enter_AD_E7() -> None:
    """AD-12, AD-14, AD-E7"""
    story = thrown("centre:1 3:2 10:1 hand:11", "1:2 4:2 hand:11", 1, 4)
    story.then(DiceRolled(0, (4, 1), (4, 1), "plain", False), NumbersLost(0, (4, 1), False))


def test_two_kicked_men_and_one_open_space_AD_E8() -> None:
    """AD-12, AD-E8"""
    story = thrown("centre:2 8:3 hand:10", "4:2 hand:13", 4, 3)
    assert moves(story) == {"centre/3"}
    story.when(0, move("centre", 3)).then(ManMoved(0, "centre", 3, 3, False), NumbersLost(0, (4,), False))


def test_the_whole_throw_must_be_played() -> None:
    """AD-14, AD-R9, AD-X10"""
    # Spaces in the mover's count: from 12 the six goes to 18, from 17 it is closed.
    story = thrown("12:1 17:1 off:13", "21:2 22:2 hand:11", 6, 4)
    assert moves(story) == {"17/6", "12/4"}
    story.refuses(0, move(12, 6), "AD-14").refuses(0, move(17, 4), "AD-10")


def test_if_only_one_number_can_be_played_it_is_the_higher() -> None:
    """AD-R9: option `higher_die`"""
    mine, enemy = "12:1 off:14", "23:2 hand:13"
    story = thrown(mine, enemy, 6, 5)
    assert moves(story) == {"12/6"}
    story.refuses(0, move(12, 5), "AD-R9")
    story.when(0, move(12, 6)).then(ManMoved(0, 12, 18, 6, False), NumbersLost(0, (5,), False))
    assert moves(thrown(mine, enemy, 6, 5, higher_die=False)) == {"12/6", "12/5"}


def test_a_turn_is_one_throw_doubles_included() -> None:
    """AD-08, AD-X1, AD-X11"""
    story = play(start(2, 2), "hand/2 hand/2 hand/2")
    story.refuses(0, Roll(), "AD-08").refuses(1, Roll(), "AD-08").refuses(1, move("hand", 2), "AD-08")
    done = play(story, "hand/2")
    done.refuses(0, Roll(), "AD-08").allows(1, Roll())


# ── Acey-Ducey ──────────────────────────────────────────────────────────────────────────────────────────────────


def test_an_acey_ducey_is_played_then_named_then_thrown_again_AD_E9() -> None:
    """AD-15, AD-16, AD-17, AD-R16, AD-E9: {1, 2} or {3}; four men on 6, nine in hand; then a free throw."""
    story = start(1, 2).then(DiceRolled(0, (2, 1), (2, 1), "acey_ducey", False))
    assert results(story) == {"1:1 2:1", "3:1"}
    story.refuses(0, NameDouble(6), "AD-15").refuses(0, Roll(), "AD-08")
    both = play(story, "hand/1 hand/2")
    both.allows(0, *(NameDouble(n) for n in range(1, 7)))
    both.refuses(0, Roll(), "AD-16").refuses(0, move("hand", 6), "AD-16").refuses(1, NameDouble(6), "AD-08")
    named = both.when(0, NameDouble(6)).then(DoubleNamed(0, 6, (6, 6, 6, 6)))
    named.refuses(0, NameDouble(6), "AD-16").refuses(0, Roll(), "AD-08")
    done = play(named, "hand/6 hand/6 hand/6 hand/6")
    assert spaces(done) == "1:1 2:1 6:4" and done.table.men[0][HAND] == 9
    done.allows(0, Roll()).allows(1)
    free = roll(done, 5, 4).then(DiceRolled(0, (5, 4), (5, 4), "plain", True))
    passed = play(free, "hand/5 hand/4")
    roll(passed, 6, 5).then(DiceRolled(1, (6, 5), (6, 5), "plain", False))


def test_naming_without_an_acey_ducey_or_out_of_range() -> None:
    """AD-16, AD-X8, AD-X9"""
    board("hand:15").refuses(0, NameDouble(3), "AD-16")
    start(6, 5).refuses(0, NameDouble(3), "AD-16")
    start(4, 4).refuses(0, NameDouble(3), "AD-16")
    waiting = play(start(2, 1), "hand/1 hand/2")
    for number in (0, 7, -1):
        waiting.refuses(0, NameDouble(number), "AD-16")


def acey_ducey(story: Story, name: int) -> Story:
    """The 1 and the 2 by men from hand, then four of the number named."""
    played = play(roll(story, 2, 1), "hand/1 hand/2").when(story.table.turn, NameDouble(name))
    return play(played, " ".join([f"hand/{name}"] * 4))


def test_acey_duceys_follow_each_other_without_limit() -> None:
    """AD-17, AD-R17"""
    story = acey_ducey(acey_ducey(board("hand:15"), 6), 5)
    again = roll(story, 1, 2).then(DiceRolled(0, (2, 1), (2, 1), "acey_ducey", True))
    assert again.table.turn == 0 and again.table.bonus == "double"


def test_a_free_throw_has_all_rights() -> None:
    """AD-17: doubles too are four plays, and then the dice pass."""
    doubles = roll(acey_ducey(board("hand:15"), 6), 3, 3).then(DiceRolled(0, (3, 3), (3,) * 4, "doubles", True))
    done = play(doubles, "hand/3 hand/3 hand/3 hand/3")
    assert done.table.turn == 1 and not done.table.free


def test_a_named_one_or_two_is_no_acey_ducey() -> None:
    """AD-R15"""
    for name in (1, 2):
        story = acey_ducey(board("hand:15"), name)
        story.allows(0, Roll()).refuses(0, NameDouble(3), "AD-16")


def test_a_number_that_cannot_be_played_may_be_named() -> None:
    """AD-R8: it loses the plays, and the free throw follows."""
    story = play(thrown("hand:15", "6:2 hand:13", 2, 1), "hand/1 hand/2")
    named = story.when(0, NameDouble(6))
    # The men on 1 and 2 can play sixes; with them closed as well nothing is left.
    assert moves(named) == {"1/6", "2/6"}
    stuck = play(thrown("hand:15", "6:2 7:2 8:2 hand:9", 2, 1), "hand/1 hand/2").when(0, NameDouble(6))
    stuck.then(DoubleNamed(0, 6, (6, 6, 6, 6)), NumbersLost(0, (6, 6, 6, 6), False))
    stuck.allows(0, Roll())


def test_a_lost_ace_or_deuce_changes_nothing() -> None:
    """AD-R7: named double and free throw follow."""
    nothing = thrown("centre:1 hand:14", "1:2 2:2 hand:11", 2, 1)
    nothing.then(DiceRolled(0, (2, 1), (2, 1), "acey_ducey", False), NumbersLost(0, (2, 1), False))
    named = nothing.when(0, NameDouble(5))
    assert moves(named) == {"centre/5"}
    half = play(thrown("centre:2 hand:13", "1:2 hand:13", 2, 1), "centre/2").then(
        ManMoved(0, "centre", 2, 2, False), NumbersLost(0, (1,), False)
    )
    half.allows(0, *(NameDouble(n) for n in range(1, 7)))


def test_by_option_the_bonus_needs_full_play() -> None:
    """AD-R7: `bonus_needs_full_play`"""
    strict = {"bonus_needs_full_play": True}
    nothing = thrown("centre:1 hand:14", "1:2 2:2 hand:11", 2, 1, **strict)
    assert nothing.last(NumbersLost).bonus_lost
    nothing.allows(1, Roll()).allows(0)
    half = play(thrown("centre:2 hand:13", "1:2 hand:13", 2, 1, **strict), "centre/2")
    half.then(ManMoved(0, "centre", 2, 2, False), NumbersLost(0, (1,), True)).allows(1, Roll())
    full = play(thrown("hand:15", "6:2 7:2 8:2 hand:9", 2, 1, **strict), "hand/1 hand/2")
    stuck = full.when(0, NameDouble(6)).then(DoubleNamed(0, 6, (6,) * 4), NumbersLost(0, (6,) * 4, True))
    stuck.allows(1, Roll())
    partly = play(full.when(0, NameDouble(3)), "hand/3 hand/3 hand/3 hand/3")
    partly.allows(0, Roll())  # all four named plays were made
    plain = thrown("centre:1 hand:14", "1:2 4:2 hand:11", 4, 1, **strict)
    assert not plain.last(NumbersLost).bonus_lost


# ── Taking off ──────────────────────────────────────────────────────────────────────────────────────────────────


def ready(text: str, *dice: int, off: int | None = None, enemy: str = "hand:15", **options: Any) -> Story:
    """All men of the mover in these rows, the others off."""
    count = sum(int(word.partition(":")[2]) for word in text.split())
    return thrown(rows(text, 15 - count if off is None else off), enemy, *dice, **options)


def left(story: Story) -> set[str]:
    """The results, in rows."""
    return {
        " ".join(f"{25 - int(s)}:{n}" for s, _, n in (word.partition(":") for word in text.split()))
        for text in results(story)
    }


def test_rows_are_counted_from_the_end_AD_E10() -> None:
    """AD-19, AD-20, AD-21, AD-23, AD-R3, AD-R4, AD-E10: rows 6, 5, 4, 3 one man each, throw 6-4."""
    story = ready("6:1 5:1 4:1 3:1", 6, 4)
    assert left(story) == {"5:1 3:1", "4:1 3:1 1:1", "4:1 3:1 2:1"}
    story.when(0, move(19, 6)).then(ManMoved(0, 19, "off", 6, False))
    down = play(story, "19/4")
    assert moves(down) == {"20/6"}  # row 5 is the highest now
    assert story.table.men[1][HAND] == 15  # the enemy's state does not matter


def test_a_man_of_a_higher_row_moves_down_AD_E11() -> None:
    """AD-21, AD-R4, AD-E11: rows 6:2, 5:2, 3:1, throw 6-4, nobody on row 4."""
    story = ready("6:2 5:2 3:1", 6, 4)
    assert left(story) == {"6:1 5:1 3:1 1:1", "5:2 3:1 2:1"}
    story.refuses(0, move(22, 4), "AD-21")


def test_the_row_itself_is_taken_off_not_a_lower_one() -> None:
    """AD-20, AD-X6: single 4, row 4 empty, a man on row 6: row 3 stays."""
    ready("6:1 3:2", 4, 1).refuses(0, move(22, 4), "AD-21")
    ready("4:1 3:2", 4, 1).refuses(0, move(22, 4), "AD-20")
    ready("3:1 2:2", 4, 1).refuses(0, move(23, 4), "AD-22")


def test_a_blocked_higher_man_loses_the_number() -> None:
    """AD-21: he moves only if the space is open, and no lower man goes off instead."""
    story = ready("6:1 3:2", 4, 4, enemy="23:2 hand:13", doubles_below="if_none_above")
    story.then(DiceRolled(0, (4, 4), (4,) * 4, "doubles", False), NumbersLost(0, (4,) * 4, False))
    single = ready("6:1 3:2", 4, 1, enemy="23:2 24:2 hand:11")
    assert moves(single) == {"19/1"}
    single.refuses(0, move(22, 4), "AD-21")
    play(single, "19/1").then(ManMoved(0, 19, 20, 1, False), NumbersLost(0, (4,), False))


def test_a_number_above_every_row_AD_E12() -> None:
    """AD-22, AD-R5, AD-E12: rows 3, 2 and two on row 1, throw 6-4."""
    story = ready("3:1 2:1 1:2", 6, 4)
    assert left(story) == {"1:2"}
    lost = ready("3:1 2:1 1:2", 6, 4, overthrow="lost")
    lost.then(DiceRolled(0, (6, 4), (6, 4), "plain", False), NumbersLost(0, (6, 4), False))
    half = ready("4:1 2:1 1:2", 6, 4, overthrow="lost")
    half.refuses(0, move(21, 6), "AD-R5")
    assert left(half) == {"2:1 1:2"}


def test_doubles_take_four_men_from_the_row_and_below_AD_E13() -> None:
    """AD-24, AD-R6, AD-E13: rows 6:2, 5:1, 3:3, throw 6-6."""
    story = ready("6:2 5:1 3:3", 6, 6)
    assert left(story) == {"3:2"}
    story.refuses(0, move(20, 6), "AD-24")
    play(story, "19/6 19/6").refuses(0, move(22, 6), "AD-24")


def test_doubles_take_from_below_even_with_men_above_AD_E14() -> None:
    """AD-24, AD-R6, AD-E14: rows 6:2, 4:1, 3:1, 2:2, throw 4-4."""
    assert left(ready("6:2 4:1 3:1 2:2", 4, 4)) == {"2:4", "6:1 2:2", "6:2"}
    strict = ready("6:2 4:1 3:1 2:2", 4, 4, doubles_below="if_none_above")
    assert left(strict) == {"2:4"}
    play(strict, "21/4").refuses(0, move(22, 4), "AD-R6")


def test_overthrow_is_about_single_numbers() -> None:
    """AD-24, AD-R5, AD-R6: doubles complete from below whatever that option says."""
    for below in ("always", "if_none_above"):
        assert left(ready("3:2 1:3", 6, 6, overthrow="lost", doubles_below=below)) == {"1:1"}


def test_an_acey_ducey_when_ready_AD_E15() -> None:
    """AD-25, AD-24, AD-E15: rows 6:2, 5:2, 4:1, throw 1-2: eight results; then name 6; then a free throw."""
    story = ready("6:2 5:2 4:1", 1, 2)
    assert len(results(story)) == 8 and "6:1 5:1 4:3" in left(story)
    named = play(story, "19/2 20/1").when(0, NameDouble(6))
    done = play(named, "19/6 20/6 21/6 21/6")
    assert done.table.men[0] == men(rows("4:1", 14))
    roll(done, 6, 5).then(DiceRolled(0, (6, 5), (6, 5), "plain", True))
    one = ready("6:1 1:1", 1, 2)
    assert "24/1" in moves(one)  # row 1 has a man: the 1 may take him off


def test_nobody_is_taken_off_while_a_man_is_elsewhere_AD_E16() -> None:
    """AD-18, AD-E16, AD-X5: in hand, on 18, in the centre."""
    in_hand = thrown("hand:1 19:14", "hand:15", 6, 6)
    assert moves(in_hand) == {"hand/6"}
    in_hand.refuses(0, move(19, 6), "AD-18")
    outside = thrown("18:1 19:14", "hand:15", 6, 6)
    assert moves(outside) == {"18/6"}
    outside.refuses(0, move(19, 6), "AD-18")
    kicked = thrown("centre:1 19:14", "hand:15", 6, 6)
    kicked.refuses(0, move(19, 6), "AD-12")
    assert moves(kicked) == {"centre/6"}
    assert moves(play(outside, "18/6")) == {"19/6"}  # ready now


def test_a_closed_last_space_AD_E17() -> None:
    """AD-10, AD-14, AD-E17: two men on row 5, the enemy on space 24, throw 4-1."""
    story = ready("5:2", 4, 1, enemy="24:2 hand:13")
    story.refuses(0, move(20, 4), "AD-10")
    assert left(story) == {"5:1"}
    assert moves(story) == {"20/1"}


def test_a_kicked_man_makes_the_colour_unready() -> None:
    """AD-26: men off stay off."""
    story = thrown("6:1 hand:14", "11:1 off:14", 5, 1)
    kicked = play(story, "6/5")
    assert [(piece["cell"], piece["count"]) for piece in GAME.view(kicked.table, None)["pieces"] if piece["side"]] == [
        ("off-1", 14),
        ("centre-1", 1),
    ]
    enemy = play(kicked, "hand/1")
    back = roll(enemy, 6, 2)
    assert moves(back) == {"centre/6", "centre/2"}
    assert play(back, "centre/6 6/2").table.men[1] == men("8:1 off:14")


# ── The end ─────────────────────────────────────────────────────────────────────────────────────────────────────


def test_fifteen_men_off_win_and_the_rest_lapses() -> None:
    """AD-27, AD-X13: unused plays too, also where another order would have used both numbers."""
    assert moves(ready("6:1", 6, 5)) == {"19/6", "19/5"}
    play(ready("6:1", 6, 5), "19/6").then(ManMoved(0, 19, "off", 6, False), GameWon(0, (0,), 15, 1, (1, 0)))
    story = play(ready("6:1", 6, 6), "19/6")
    story.then(ManMoved(0, 19, "off", 6, False), GameWon(0, (0,), 15, 1, (1, 0)))
    assert GAME.to_act(story.table) == {CHANCE}
    for command in (move(19, 6), Roll(), NameDouble(1)):
        story.refuses(0, command, "AD-27")
    bonus = play(ready("2:1 1:1", 2, 1), "23/2 24/1").then(
        ManMoved(0, 24, "off", 1, False), GameWon(0, (0,), 15, 1, (1, 0))
    )
    bonus.refuses(0, NameDouble(6), "AD-27")


@pytest.mark.parametrize(
    ("options", "score", "gained"),
    [
        ({}, (2, 2), 1),
        ({"target": 3}, (2, 2), 1),
        ({"score": "men_left"}, (9, 14), 6),
        ({"score": "men_left", "target": 9}, (3, 8), 6),
    ],
)
def test_the_target_of_a_match(options: dict[str, Any], score: tuple[int, int], gained: int) -> None:
    """AD-R13: three games, or fifteen points when the loser's men are counted."""
    story = play(ready("6:1", 6, 5, enemy="3:4 hand:2 off:9", **options).but(score=score, game_no=4), "19/6")
    assert story.last(GameWon) == GameWon(0, (0,), 6, gained, (score[0] + gained, score[1]))
    result = GAME.outcome(story.table)
    assert result is not None and result.winners == (0,) and result.places == (1, 2)
    story.refuses(1, Roll(), "AD-27")


@pytest.mark.parametrize(
    ("options", "target"),
    [({}, 3), ({"score": "men_left"}, 15), ({"target": 7}, 7), ({"score": "men_left", "target": 8}, 8)],
)
def test_one_short_of_the_target_the_match_goes_on(options: dict[str, Any], target: int) -> None:
    """AD-R13: for either colour, and the target is shown to all."""
    for seats in (2, 4):
        story = play(
            ready("6:1", 6, 5, enemy="3:1 off:14", seats=seats, **options).but(score=(target - 2, target - 1)), "19/6"
        )
        assert GAME.outcome(story.table) is None and GAME.to_act(story.table) == {CHANCE}
        assert story.last(GameWon).score == (target - 1, target - 1)
        assert GAME.view(story.table, None)["target"] == target


def test_below_the_target_a_new_game_begins_with_a_new_start() -> None:
    """AD-R13, AD-02"""
    story = play(ready("6:1", 6, 5).but(score=(1, 2)), "19/6")
    assert GAME.outcome(story.table) is None
    again = story.when(CHANCE, Rolled((1, 4))).then(StartThrown(2, (1, 4), 1))
    assert again.table.men == (men("hand:15"), men("hand:15"))
    refuses_table(GAME, 2, "AD-R13", target=0)
    refuses_table(GAME, 2, "AD-R13", score="pips")


# ── Four players ────────────────────────────────────────────────────────────────────────────────────────────────


def test_four_players_throw_in_turn_AD_E18() -> None:
    """AD-28, AD-E18, AD-R11, AD-X1: A1, B1, A2, B2; the partner is refused by AD-28."""
    story = board("hand:15", seats=4)
    for seat in (0, 1, 2, 3, 0):
        assert GAME.to_act(story.table) == {seat}
        story.refuses((seat + 2) % 4, Roll(), "AD-28").refuses((seat + 1) % 4, Roll(), "AD-08")
        rolled = roll(story, 6, 5)
        rolled.refuses((seat + 2) % 4, move("hand", 5), "AD-28")
        story = play(rolled, "hand/5 hand/6")
    assert sum(story.table.men[0][1:25]) == 6 and sum(story.table.men[1][1:25]) == 4


def test_after_an_acey_ducey_of_B1_he_throws_again_then_A2_AD_E18() -> None:
    """AD-17, AD-28, AD-E18"""
    story = play(roll(board("hand:15", seats=4), 6, 5), "hand/5 hand/6")
    again = acey_ducey(story, 4)
    assert GAME.to_act(again.table) == {1}
    passed = play(roll(again, 6, 5), "hand/5 hand/6")
    assert GAME.to_act(passed.table) == {2}


def test_if_B_starts_the_order_is_B1_A2_B2_A1() -> None:
    """AD-R11: one throw a colour, by A1 and B1."""
    story = table(GAME, 4).when(CHANCE, Rolled((2, 6))).then(StartThrown(1, (2, 6), 1))
    order = []
    for _ in range(4):
        order.append(story.table.turn)
        story = play(roll(story, 6, 5), "hand/5 hand/6")
    assert order == [1, 2, 3, 0]


def test_partners_share_the_men_and_the_win() -> None:
    """AD-28, AD-27: and resigning loses for both."""
    story = play(ready("6:1", 6, 5, seats=4, target=1), "19/6")
    story.then(ManMoved(0, 19, "off", 6, False), GameWon(0, (0, 2), 15, 1, (1, 0)))
    result = GAME.outcome(story.table)
    assert result is not None and result.winners == (0, 2) and result.scores == (1, 0, 1, 0)
    assert GAME.sides(story.table) == ((0, 2), (1, 3))
    seed = bytes(32)
    places = tuple(match.Place("human", name, None, "") for name in ("ann", "bea", "cy", "dan"))
    opened = match.open_match(GAME, "m", host="ann", seats=places, options={}, seed=seed).match
    ended = match.resign(match.start(opened, "ann", seed).match, 2, seed).match.ended
    assert ended is not None and ended.places == (2, 1, 2, 1)


def test_partners_may_talk_only_by_option() -> None:
    """AD-R12"""
    assert GAME.view(board("hand:15", seats=4).table, 0)["partner_chat"] is False
    assert GAME.view(board("hand:15", seats=4, partner_chat=True).table, 0)["partner_chat"] is True


def test_all_see_the_same() -> None:
    """AD-01, AD-R14: there is nothing hidden."""
    story = play(thrown("2:1 hand:14", "7:1 hand:14", 5, 3, seats=4), "2/5")
    views = [GAME.view(story.table, seat) for seat in (0, 1, 2, 3, None, ALL)]
    assert all(view == views[0] for view in views)
    assert on(story, "7") == (0, 1) and views[0]["numbers"] == (3,)


def test_both_colours_find_their_spaces_on_one_board() -> None:
    """AD-R1: a space has a number for each colour; men wait beside the space by which they come in."""
    for seats in (2, 4):
        cells = {cell.id: cell for cell in geometry(GAME.open_table({}, seats).options, seats).cells}
        assert cells["20"].names == ("20", "5") and cells["hand-1"].names == ("", "hand")
        assert cells["hand-0"].links == ("1",) == cells["centre-0"].links and cells["24"].links == ("off-0", "23")
        assert cells["hand-1"].links == ("24",) and cells["1"].links == ("2", "off-1")
        assert [cells[str(space)].home for space in (18, 19, 24, 1, 6, 7)] == [None, 0, 0, 1, 1, None]


def test_a_random_game_takes_about_190_throws() -> None:
    """AD-08, AD-17: a named double for every Acey-Ducey, and a free throw after it unless the game is over."""
    events = [event for moment in random_match(GAME, 2, {"target": 3}, random.Random(3)) for event in moment.events]
    throws = [event for event in events if isinstance(event, DiceRolled)]
    games = sum(isinstance(event, GameWon) for event in events)
    aceys = sum(event.kind == "acey_ducey" for event in throws)
    assert 100 < len(throws) / games < 350
    free = sum(event.free for event in throws)
    assert aceys - games <= free <= aceys


def test_partners_who_are_not_there_have_nothing_to_say() -> None:
    """AD-R12"""
    refuses_idle(GAME, 2, "partner_chat", True)
    GAME.new_table({"partner_chat": True}, 4)


def test_after_a_won_game_no_doubles_are_left_on_the_table() -> None:
    """AD-27: the last man went off by the first of four plays."""
    story = play(ready("6:1", 6, 6), "19/6")
    assert story.last(GameWon).colour == 0
    assert GAME.view(story.table, 0)["doubles"] is False and GAME.view(story.table, 0)["numbers"] == ()


def test_listed_doubles_are_judged_quickly() -> None:
    """AD-R2: men on a dozen places open thousands of ways to play a double, and all that a command needs to know is
    whether one of them is listed. Trying all of them takes a hundred times as long as is allowed here."""
    began = time.process_time()
    for space in (6, 9, 11, 13, 15, 17, 20, 21, 22, 23):
        men = f"hand:2 1:1 2:1 3:1 4:1 5:1 7:1 8:1 10:1 12:1 14:1 16:1 18:1 {space}:1"
        story = thrown(men, "hand:15", 1, 1, doubles_split="listed")
        assert len(GAME.legal(story.table, 0)) == 14
        story.refuses(0, move(24, 1), "AD-05")
        story.when(0, move("hand", 1))
    assert time.process_time() - began < 1


def test_refusals_say_what_stands_in_the_way() -> None:
    """AD-05 to AD-28"""
    story = thrown("hand:15", "6:2 hand:13", 6, 5)
    assert story.words(1, Roll()) == "it is the turn of seat 0"
    assert story.words(0, move("hand", 6)) == "space 6 is closed: two or more enemies stand there"
    assert story.words(0, move("hand", 4)) == "4 is not among the numbers left: 6, 5"
    assert story.words(0, move(30, 5)) == "there is no space 30"
    assert story.words(0, move(7, 5)) == "you have no man to play from 7"
    higher = thrown("12:1 off:14", "23:2 hand:13", 6, 5)
    assert higher.words(0, move(12, 5)) == "only one number can be played, so it must be the 6"
    assert ready("4:1 3:2", 4, 1).words(0, move(22, 4)) == "a 4 takes off the man on row 4, not the one on row 3"
    assert ready("3:1 2:2", 4, 1).words(0, move(23, 4)) == "a 4 takes off from the highest row it can, not from row 2"
    above = "a man of yours stands on a higher row, so a 4 takes none off row 3"
    assert ready("6:1 3:2", 4, 1).words(0, move(22, 4)) == above
    lost = ready("4:1 2:1", 6, 4, overthrow="lost")
    assert lost.words(0, move(21, 6)) == "6 is above your highest row, so it is lost"
    naming = play(start(2, 1), "hand/1 hand/2")
    assert naming.words(0, NameDouble(7)) == "a double is a number from 1 to 6, not 7"
