"""Bots on the track of 24 points: Backgammon and Acey-Ducey at `strong` and `steady`."""

from __future__ import annotations

import json
import os
import random
import subprocess
import sys
from collections.abc import Generator
from typing import Any

import numpy as np
import pytest

from domain.bots import backgammon as backgammon_bot
from domain.bots.levels import LEVELS
from domain.bots.network import ONE, network
from domain.bots.points import Candidate, Weighing, ends, judged, weigh
from domain.bots.turn import Thought
from domain.game import Game
from domain.games.acey_ducey import GAME as ACEY_DUCEY
from domain.games.acey_ducey.game import Move as AceyMove
from domain.games.acey_ducey.game import NameDouble
from domain.games.backgammon import GAME as BACKGAMMON
from domain.games.backgammon.game import SET_UP, Adopt, Move, Roll, Undo, law
from domain.games.backgammon.stakes import Accept, Concede, Double, Drop, Refuse, Stakes, Take
from domain.kit.points import men, playable
from tests.domain import playing
from tests.domain.bots.positions import thought, turn_at

BOTS = (BACKGAMMON, ACEY_DUCEY)


def asked(game: Game[Any], table: Any, level: str, iterations: int = 2) -> Thought:
    (seat,) = game.to_act(table)
    return thought(game, table, seat, level, iterations)


def strong_backgammon(table: Any, iterations: int = 2) -> Thought:
    return asked(BACKGAMMON, table, "strong", iterations)


def strong_acey_ducey(table: Any, iterations: int = 2) -> Thought:
    return asked(ACEY_DUCEY, table, "strong", iterations)


def backgammon(white: Any, black: Any, *, options: dict[str, Any] | None = None, **fields: Any) -> Any:
    table = BACKGAMMON.open_table(options or {}, 2)
    dice = fields.pop("dice", ())
    numbers = dice * 2 if dice and dice[0] == dice[1] else dice
    usual = {"phase": "play" if dice else "roll", "game_no": 1, "dice": dice, "numbers": numbers}
    return table._replace(men=(white, black), **(usual | fields))


def acey_ducey(first: Any, second: Any, *, options: dict[str, Any] | None = None, **fields: Any) -> Any:
    table = ACEY_DUCEY.open_table(options or {}, 2)
    return table._replace(men=(first, second), game_no=1, **fields)


# ── Moves that anybody would make ───────────────────────────────────────────────────────────────────────────────


def test_strong_bears_off_the_last_men_and_wins() -> None:
    table = backgammon(men(off=13, p6=1, p3=1), men(off=14, p1=1), dice=(6, 3))
    found = strong_backgammon(table)
    assert found.command in (Move(6, 6), Move(3, 3))
    after = playing.step(BACKGAMMON, table, 0, found.command, random.Random(1)).after
    assert strong_backgammon(after).command in (Move(6, 6), Move(3, 3))


def test_strong_makes_the_five_point_with_three_and_one() -> None:
    table = backgammon(SET_UP, SET_UP, dice=(3, 1))
    first = strong_backgammon(table, iterations=8).command
    after = playing.step(BACKGAMMON, table, 0, first, random.Random(1)).after
    assert {first, strong_backgammon(after, iterations=8).command} == {Move(8, 3), Move(6, 1)}


def test_strong_hits_the_man_that_would_win_the_race() -> None:
    # Black has two men to go, one of them alone before White's home.
    table = backgammon(men(p6=5, p5=5, p4=3, p13=2), men(off=13, p1=1, p18=1), dice=(6, 3))
    assert strong_backgammon(table).command == Move(13, 6)


def test_steady_hits_and_covers_rather_than_leaving_men_alone() -> None:
    table = backgammon(men(p6=5, p5=5, p4=3, p13=2), men(off=13, p1=1, p18=1), dice=(6, 3))
    assert asked(BACKGAMMON, table, "steady").command == Move(13, 6)


def test_the_later_plays_of_a_throw_lead_where_the_first_one_wanted_to_go() -> None:
    rng = random.Random(7)
    moments = [m for m in playing.random_match(BACKGAMMON, 2, {"target": 1}, rng) if m.before.phase == "play"]
    for moment in moments[:70:7]:
        table = moment.before._replace(stakes=Stakes())
        wanted = strong_backgammon(table, iterations=8).weighed
        if len(wanted) < 2:
            continue
        turn = table.turn
        while table.phase == "play" and table.turn == turn:
            command = strong_backgammon(table, iterations=8)
            if command.weighed:
                assert command.weighed[0][1] >= wanted[0][1]
            table = playing.step(BACKGAMMON, table, turn, command.command, rng).after


# ── The cube and concessions ────────────────────────────────────────────────────────────────────────────────────

CUBE = {"cube": True, "target": 9}


def test_strong_doubles_when_far_ahead_and_drops_when_far_behind() -> None:
    table = backgammon(men(off=8, p3=4, p2=3), men(off=6, p6=3, p5=3, p4=3), options=CUBE)
    assert strong_backgammon(table).command == Double()
    offered = playing.step(BACKGAMMON, table, 0, Double(), random.Random(1)).after
    assert strong_backgammon(offered).command == Drop()


def test_strong_takes_a_double_in_an_even_game() -> None:
    table = backgammon(SET_UP, SET_UP, options=CUBE, stakes=Stakes(offer="double"))
    assert strong_backgammon(table).command == Take()


def test_strong_does_not_double_at_the_start_of_a_game() -> None:
    assert strong_backgammon(backgammon(SET_UP, SET_UP, options=CUBE)).command == Roll()


def test_strong_doubles_at_once_when_the_other_side_is_a_point_from_the_match() -> None:
    # After the Crawford game the side behind has nothing to lose.
    table = backgammon(SET_UP, SET_UP, options=CUBE, score=(5, 8), crawford_over=True)
    assert strong_backgammon(table).command == Double()


def test_strong_plays_on_for_a_double_game_that_is_certain() -> None:
    table = backgammon(men(off=11, p1=4), men(p24=5, p23=5, p20=5), options=CUBE)
    assert strong_backgammon(table).command == Roll()


def test_strong_concedes_what_is_lost_at_its_value_and_not_more() -> None:
    lost = backgammon(men(off=1, p6=7, p5=7), men(off=13, p1=2), options={"target": 5})
    assert strong_backgammon(lost).command == Concede(1)


def test_strong_does_not_concede_while_it_can_win() -> None:
    assert strong_backgammon(backgammon(SET_UP, SET_UP)).command == Roll()
    close = backgammon(men(off=12, p2=3), men(off=12, p2=3))
    assert strong_backgammon(close).command == Roll()


def test_strong_accepts_a_fair_concession_and_refuses_one_that_is_too_small() -> None:
    fair = backgammon(men(off=1, p6=7, p5=7), men(off=13, p1=2), stakes=Stakes(offer="concession", conceded=1))
    assert strong_backgammon(fair).command == Accept()
    small = backgammon(men(p24=5, p23=5, p20=5), men(off=11, p1=4), stakes=Stakes(offer="concession", conceded=1))
    assert strong_backgammon(small).command == Refuse()


def test_strong_adopts_a_good_opening_and_casts_a_poor_one_anew() -> None:
    good = backgammon(SET_UP, SET_UP, phase="choose", dice=(3, 1))
    poor = backgammon(SET_UP, SET_UP, phase="choose", dice=(4, 1))
    assert strong_backgammon(good).command == Adopt()
    assert strong_backgammon(poor).command == Roll()


# ── Acey-Ducey ──────────────────────────────────────────────────────────────────────────────────────────────────


def test_strong_names_the_double_that_wins_the_game() -> None:
    table = acey_ducey(men(off=11, p6=4), men(off=14, p1=1), phase="name_double", bonus="double", dice=(2, 1))
    assert strong_acey_ducey(table).command == NameDouble(6)
    assert asked(ACEY_DUCEY, table, "steady").command == NameDouble(6)


def test_strong_takes_its_last_men_off() -> None:
    table = acey_ducey(men(off=13, p6=1, p3=1), men(off=14, p1=1), phase="play", dice=(6, 3), numbers=(6, 3))
    assert strong_acey_ducey(table).command in (AceyMove(19, 6), AceyMove(22, 3))


def test_strong_kicks_the_man_that_would_win_the_race() -> None:
    table = acey_ducey(
        men(p6=5, p5=5, p4=3, p13=2), men(off=13, p1=1, p18=1), phase="play", dice=(6, 3), numbers=(6, 3)
    )
    assert strong_acey_ducey(table).command == AceyMove(12, 6)


# ── At any table ────────────────────────────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize("game", BOTS, ids=lambda game: game.slug)
def test_bots_find_a_legal_command_at_every_table(game: Game[Any]) -> None:
    rng = random.Random(11)
    for seats, options in playing.tables(game):
        moments = [m for m in playing.random_match(game, seats, options, rng) if m.seat >= 0]
        for moment in rng.sample(moments, min(3, len(moments))):
            (seat,) = game.to_act(moment.before)
            for level in ("strong", "steady"):
                found = asked(game, moment.before, level, iterations=1).command
                assert found in game.legal(moment.before, seat)
                assert not isinstance(found, Undo)


@pytest.mark.parametrize("game", BOTS, ids=lambda game: game.slug)
def test_a_search_stops_between_the_positions_that_it_looks_into(game: Game[Any]) -> None:
    rng = random.Random(5)
    table = next(
        m.before
        for m in playing.random_match(game, 2, {}, rng)
        if m.seat >= 0 and len(game.legal(m.before, m.seat)) > 4
    )
    (seat,) = game.to_act(table)
    thinking = LEVELS["strong"].search(turn_at(game, table, seat, iterations=4))
    stops = sum(1 for _ in thinking)
    assert stops >= 4


HASHED = """
import json, random
from domain.bots.levels import SPECIAL
from domain.games import BY_SLUG
from tests.domain import playing
from tests.domain.bots.positions import thought, turn_at
found = []
for slug in ("backgammon", "acey-ducey"):
    rng = random.Random(3)
    moments = [m for m in playing.random_match(BY_SLUG[slug], 2, {}, rng) if m.before.phase == "play"]
    for moment in moments[5:65:20]:
        made = thought(BY_SLUG[slug], moment.before, moment.before.turn, "strong", iterations=30)
        found.append([repr(made.command), made.iterations, [[repr(c), v] for c, v in made.weighed]])
print(json.dumps(found))
"""


def test_what_a_bot_finds_does_not_hang_on_the_order_of_sets() -> None:
    runs = [
        subprocess.run(
            [sys.executable, "-c", HASHED],
            env={**os.environ, "PYTHONHASHSEED": seed},
            capture_output=True,
            text=True,
            check=True,
            timeout=120,
        ).stdout
        for seed in ("1", "77")
    ]
    assert runs[0] == runs[1]
    assert all(iterations for _, iterations, weighed in json.loads(runs[0]) if len(weighed) > 1)


def test_a_search_that_was_stopped_anywhere_is_found_again_by_its_iterations() -> None:
    table = backgammon(SET_UP, men(p24=1, p23=1, p13=5, p8=3, p6=5), dice=(4, 1))
    for wanted in (0, 1, 4, 11, 26, 40, 80):
        stopped = strong_backgammon(table, iterations=wanted)
        assert stopped.iterations >= wanted
        assert strong_backgammon(table, iterations=stopped.iterations) == stopped


def test_many_positions_looked_into_at_once_are_judged_as_one_by_one() -> None:
    table = backgammon(SET_UP, men(p24=1, p23=1, p13=5, p8=3, p6=5), dice=(4, 1))
    seen = backgammon_bot.seen_by(table, 0)
    found = ends(seen.rules.choices(False), *seen.men, table.numbers, None)
    judgements = judged(seen.rules, [(end, False) for end in found.first])
    candidates = [Candidate(n, end) for n, end in enumerate(judgements)]
    together, alone = (
        weighed(weigh(rules, seen.scales, candidates, lambda iterations: iterations >= 60))
        for rules in (seen.rules, seen.rules._replace(law=None))
    )
    assert together.weighed == alone.weighed
    assert together.iterations >= alone.iterations == 60


def weighed(weighing: Generator[None, None, Weighing]) -> Weighing:
    while True:
        try:
            next(weighing)
        except StopIteration as end:
            found: Weighing = end.value
            return found


# ── The network ─────────────────────────────────────────────────────────────────────────────────────────────────


def test_a_position_is_judged_alike_alone_and_among_others() -> None:
    rng = random.Random(2)
    seen = [
        (m.before.men[0], m.before.men[1])
        for m in playing.random_match(BACKGAMMON, 2, {"games": 3}, rng)
        if m.before.phase == "roll"
    ]
    assert len(seen) > 50
    together = network("backgammon").judge(seen)
    alone = np.concatenate([network("backgammon").judge([position]) for position in seen])
    assert (together == alone).all()
    assert together.min() >= 0
    assert together.max() <= ONE


def test_the_network_knows_who_is_ahead() -> None:
    near, far = men(off=10, p2=3, p1=2), men(off=1, p6=7, p5=7)
    (ahead, behind) = network("backgammon").judge([(near, far), (far, near)])[:, 0]
    assert ahead > ONE * 98 // 100
    assert behind < ONE * 2 // 100


def test_all_ends_of_a_throw_use_as_much_of_it_as_the_rules_demand() -> None:
    rules = backgammon_bot.rules_of(BACKGAMMON.options())
    found = ends(rules.choices(False), SET_UP, SET_UP, (6, 6, 6, 6), None)
    assert found.full
    assert len(found.first) == len(set(found.first))
    assert set(found.first.values()) <= set(playable(law(BACKGAMMON.options()), SET_UP, SET_UP, (6,) * 4))
