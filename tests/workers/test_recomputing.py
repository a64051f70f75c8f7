"""What a bot did can be found again by whoever has the log and the seed."""

from __future__ import annotations

import os
import subprocess
import sys
from functools import partial
from typing import Any

import pytest

from api.app import Services
from domain.games import GAMES
from domain.match import Place
from eventstore.service import Matches
from tests.conftest import Servers
from tests.workers.crew import play_bots
from workers.bots import think

LEVELS = ("strong", "steady", "random")


def played(parlor: Services, game: str, seats: int, **options: Any) -> tuple[Matches, str]:
    """A match of bots of all levels, played for a while."""
    matches = Matches(parlor.matches.store, bot_matches=1000)
    bots = tuple(Place("bot", None, f"Bot {n}", LEVELS[n % 3], "") for n in range(seats))
    match = matches.open(game, host="00000000-0000-0000-0000-000000000001", seats=bots, options=options).id
    matches.start(match, "00000000-0000-0000-0000-000000000001", None)
    return matches, match


def moves(matches: Matches, match: str) -> list[int]:
    """The versions at which bots have acted."""
    return [
        one.version
        for one in matches.store.read(match)
        if any("bot" in part for part in one.parts.secret.values())
    ]


def test_every_move_of_every_level_is_found_again(parlor: Services, servers: Servers) -> None:
    matches, match = played(parlor, "quenette", 3, hands=1)
    play_bots(matches, match, partial(think, budget=0.02))
    versions = moves(matches, match)
    found = [matches.explained(match, version) for version in versions]
    assert {one.decided.level for one in found} == set(LEVELS) and len(found) == 51
    assert all(one.same for one in found)
    assert any(one.decided.iterations > 1 and one.thought and len(one.thought.weighed) > 1 for one in found)
    # By another process, in which sets have another order.
    code = FIND_AGAIN.format(url=servers.postgres.url, match=match, versions=versions[:12])
    for seed in ("1", "2"):
        done = subprocess.run(
            [sys.executable, "-c", code], env=os.environ | {"PYTHONHASHSEED": seed}, capture_output=True, text=True
        )
        assert done.stdout.split() == ["True"] * 12, done.stderr


FIND_AGAIN = """
from eventstore.db import Database
from eventstore.service import Matches
from eventstore.store import EventStore
matches = Matches(EventStore(Database({url!r})))
for version in {versions}:
    print(matches.explained({match!r}, version).same)
"""


def test_a_bot_of_another_version_is_not_checked(parlor: Services, monkeypatch: pytest.MonkeyPatch) -> None:
    matches, match = played(parlor, "quenette", 3, hands=1)
    play_bots(matches, match, partial(think, budget=0.001))
    version = moves(matches, match)[0]
    one = matches.explained(match, version)
    assert one.same is True
    older = one._replace(thought=None)
    assert older.same is None


@pytest.mark.parametrize("game", GAMES, ids=lambda game: game.slug)
def test_moves_are_found_again_in_every_game(game: Any) -> None:
    """Without a server: the same turn, thought through twice, with the iterations that the first thought took."""
    from tests.domain.bots.positions import positions, thought_twice

    for table, seat in positions(game, 4):
        for level in LEVELS:
            first, second = thought_twice(game, table, seat, level)
            assert first == second
