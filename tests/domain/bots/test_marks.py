"""The numbers that the network is told of a position, against what any book on Backgammon has."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from domain.bots.marks import BEHIND, BLOCKED, CLOSED, HELD, LEAD, LOSS, PRIME, SHOTS, farthest, marks
from domain.kit.points import Men, men


def told(mine: Men, theirs: Men) -> Any:
    """The marks of the first side, and those of the other."""
    positions = np.array([(mine, theirs)], np.uint8)
    return marks(positions, farthest(positions))[0]


# Throws of 36 that hit a lone man so many points away, when nothing stands between.
WAYS_TO_HIT = {1: 11, 2: 12, 3: 14, 4: 15, 5: 15, 6: 17, 7: 6, 8: 6, 9: 5, 10: 3, 11: 2, 12: 3, 15: 1, 16: 1, 18: 1}


@pytest.mark.parametrize(("distance", "ways"), WAYS_TO_HIT.items())
def test_shots_are_the_throws_that_hit(distance: int, ways: int) -> None:
    alone, hunter = men(off=14, p20=1), men(off=14, **{f"p{5 + distance}": 1})
    mine, _ = told(alone, hunter)
    assert mine[SHOTS] == ways
    assert mine[LOSS] == ways * 5 // 36  # from 20 to the bar


def test_a_held_point_on_the_way_takes_shots_away() -> None:
    # Six away with the point three before it held: 3-3 does not hit, nor 2-2 over the point two away.
    hunter = men(off=14, p11=1)
    free = told(men(off=14, p20=1), hunter)[0][SHOTS]
    assert told(men(off=12, p20=1, p17=2), hunter)[0][SHOTS] == free - 1
    assert told(men(off=10, p20=1, p17=2, p18=2), hunter)[0][SHOTS] == free - 2


def test_with_a_man_on_the_bar_others_hit_only_by_the_other_number() -> None:
    # The lone man is six away from the hunter, and out of reach from the bar: one number enters, a six hits, or after
    # the first of four equal numbers 2-2 and 3-3.
    alone = men(off=14, p14=1)
    assert told(alone, men(off=13, p17=1, bar=1))[0][SHOTS] == 13
    assert told(alone, men(off=12, p17=1, bar=2))[0][SHOTS] == 0


def test_nobody_gets_past_six_points_in_a_row() -> None:
    wall = men(off=3, p4=2, p5=2, p6=2, p7=2, p8=2, p9=2)
    mine, theirs = told(men(off=14, p22=1), wall)
    assert mine[HELD] == 36
    assert theirs[PRIME] == 36
    assert mine[BLOCKED] == 4
    assert told(men(off=14, p10=1), wall)[0][HELD] == 0


def test_a_closed_table_keeps_everybody_out() -> None:
    assert told(men(off=3, p1=2, p2=2, p3=2, p4=2, p5=2, p6=2), men(off=14, bar=1))[0][CLOSED] == 36
    assert told(men(off=11, p1=2, p2=2), men(off=14, bar=1))[0][CLOSED] == 4


def test_men_behind_have_still_to_pass_somebody_and_the_lead_is_counted_in_points() -> None:
    mine, theirs = told(men(off=10, p24=2, p6=3), men(off=12, p10=1, p3=2))
    assert (mine[BEHIND], theirs[BEHIND]) == (2, 3)
    assert (mine[LEAD], theirs[LEAD]) == (0, 50)
