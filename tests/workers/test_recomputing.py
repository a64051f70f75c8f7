"""What a bot did can be found again by whoever has the log and the seed."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from functools import partial
from typing import Any, cast

import click
import pytest

from api.app import Services
from api.explaining import from_log
from domain.bots import levels as bots
from domain.bots.levels import Level
from domain.match import Place
from domain.wire import write_command
from eventstore.errors import NotFound
from eventstore.service import Matches
from tests.api.people import Person
from tests.conftest import Servers
from tests.workers.crew import bots_only, play_bots
from workers.bots import think

LEVELS = ("strong", "steady", "random")


def played(parlor: Services, game: str, seats: int, **options: Any) -> tuple[Matches, str]:
    """A match of bots of all levels, played for a while."""
    matches = Matches(parlor.matches.store, bot_matches=1000)
    bots = tuple(Place("bot", None, LEVELS[n % 3], "") for n in range(seats))
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


def test_parlor_explain_tells_the_candidates_and_whether_the_log_is_right(
    ann: Person, parlor: Services, servers: Servers
) -> None:
    match = bots_only(ann, hands=1, levels=LEVELS)
    play_bots(Matches(parlor.matches.store), match, partial(think, most_ms=10))
    lines = ann.get(f"/v1/matches/{match}/events", {"Accept": "application/x-ndjson"}).data.splitlines()
    events = [json.loads(line) for line in lines]
    decided = {event["version"]: event["secret"].get("table", {}).get("part", {}).get("bot", {}) for event in events}
    # Where it held one card that it could play there was nothing to weigh.
    strong = next(version for version, bot in decided.items() if bot.get("level") == "strong" and bot["iterations"])
    found = from_log(events, strong)
    assert found.same is True and found.thought is not None and len(found.thought.weighed) > 1
    # The same for the operator, from the database, on the command line.
    env = os.environ | {"DATABASE_URL": servers.postgres.url, "REDIS_URL": servers.valkey.url}
    told = subprocess.run(
        [sys.executable, "-m", "api.cli", "explain", match, str(strong)], env=env, capture_output=True, text=True
    )
    assert told.returncode == 0 and "candidate" in told.stdout and "the same as in the log" in told.stdout, told.stderr
    with pytest.raises(click.ClickException, match="until the match is over"):
        from_log(events[:-1], strong)
    with pytest.raises(click.ClickException, match="no command of a bot"):
        from_log(events, 2)


def test_a_command_that_the_bot_would_not_have_made_is_told(ann: Person, parlor: Services) -> None:
    """The chain is not the question here: whoever forges a log computes it anew."""
    match = bots_only(ann, hands=1, levels=("steady", "steady", "steady"))
    matches = Matches(parlor.matches.store)
    play_bots(matches, match)
    for version in moves(matches, match):
        one = matches.explained(match, version)
        assert one.same is True
        if one.thought is not None and len(one.thought.weighed) > 1:
            other = write_command(one.thought.weighed[-1][0])
            assert one._replace(command=other).same is False
            return
    raise AssertionError("no bot had a choice")
