"""What a bot did can be found again by whoever has the log and the seed."""

from __future__ import annotations

import os
import subprocess
import sys
from functools import partial
from typing import Any, cast

import pytest

from api.app import Services
from domain.bots import levels as bots
from domain.bots.levels import Level
from domain.match import Place
from eventstore.errors import NotFound
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
        one.version for one in matches.store.read(match) if any("bot" in part for part in one.parts.secret.values())
    ]


def test_every_move_of_every_level_is_found_again(parlor: Services, servers: Servers) -> None:
    matches, match = played(parlor, "quenette", 3, hands=1)
    play_bots(matches, match, partial(think, most_ms=20))
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


def test_a_bot_that_this_release_does_not_have_is_not_checked(
    parlor: Services, monkeypatch: pytest.MonkeyPatch
) -> None:
    matches, match = played(parlor, "quenette", 3, hands=1)
    play_bots(matches, match, partial(think, most_ms=1))
    version = moves(matches, match)[0]
    assert matches.explained(match, version).same is True
    level = matches.explained(match, version).decided.level
    newer = bots.LEVELS[level]._replace(version=bots.LEVELS[level].version + 1)
    monkeypatch.setitem(cast(dict[str, Level], bots.LEVELS), level, newer)
    assert matches.explained(match, version).thought is None
    assert matches.explained(match, version).same is None


def test_what_no_bot_decided_cannot_be_explained(parlor: Services) -> None:
    matches, match = played(parlor, "quenette", 3, hands=1)
    for version in (0, 1, 2, 10_000):
        with pytest.raises(NotFound):
            matches.explained(match, version)
