"""The short versions of `make chaos`, on real processes. Nothing here depends on how fast the machine is."""

from __future__ import annotations

import pathlib
from collections.abc import Iterator
from typing import Literal

import pytest

from tests.chaos import trials
from tests.chaos.house import House, house
from tests.conftest import Servers


def quietly(done: int) -> None:
    pass


@pytest.fixture
def parlor_house(servers: Servers, tmp_path: pathlib.Path) -> Iterator[House]:
    with house(servers, tmp_path) as made:
        made.database.run("DELETE FROM bot_turns")
        made.redis.flushall()
        made.start_reconciler()
        yield made


@pytest.fixture
def open_house(parlor_house: House) -> House:
    parlor_house.start_api()
    return parlor_house


def test_a_worker_that_is_killed_in_mid_turn_costs_no_turn_and_doubles_none(open_house: House) -> None:
    assert len(trials.killed_workers(open_house, 2, quietly, standing_by=1).seconds) == 2


def test_after_a_flush_of_redis_all_matches_go_on(parlor_house: House) -> None:
    assert len(trials.flushed(parlor_house, 2, quietly, count=40).seconds) == 2


@pytest.mark.parametrize("how", ["stopped", "killed"])
def test_people_play_on_while_redis_is_away_and_bots_catch_up(
    open_house: House, servers: Servers, how: Literal["stopped", "killed"]
) -> None:
    people, bots = trials.redis_away(open_house, servers, 2, how, quietly)
    assert people.seconds and len(bots.seconds) == 5


@pytest.mark.parametrize("fault", ["raises", "hangs"])
def test_a_bot_that_fails_is_tried_again_falls_back_and_delays_nobody(
    open_house: House, fault: Literal["raises", "hangs"]
) -> None:
    fallen, others = trials.faulty_bot(open_house, fault, quietly, stuck=0.4)
    assert len(fallen.seconds) == 1
    assert len(others.seconds) > 4, "others were answered only between its attempts"
