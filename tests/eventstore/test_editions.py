"""Matches of an older edition are stored, played and read beside those of today."""

from __future__ import annotations

import uuid
from dataclasses import replace
from typing import Any

import pytest

from domain import match
from domain.game import Game
from domain.games import BY_SLUG
from domain.match import Happened, Place, Step
from eventstore import states
from eventstore.chain import GENESIS
from eventstore.errors import OfLaterRelease
from eventstore.outbox import NO_DEADLINES
from eventstore.service import Matches
from eventstore.states import Warm

ANN, BOB, SEED = str(uuid.uuid4()), str(uuid.uuid4()), bytes(range(32))
FOUR_NINES = BY_SLUG["four-nines"]
(FIRST,) = FOUR_NINES.past


def opened(matches: Matches, game: Game[Any], rules_version: int) -> str:
    """A table as a release wrote it that had these rules."""
    seats = (Place("human", ANN, None, ""), Place("human", BOB, None, ""))
    now, (first,) = match.open_match(game, str(uuid.uuid4()), host=ANN, seats=seats, options={}, seed=SEED)
    written = Happened(replace(first.event, rules_version=rules_version), "host")
    empty = Warm(now._replace(version=0), SEED, GENESIS, NO_DEADLINES)
    matches.store.open(now, SEED, matches.stored(empty, Step(now, (written,)), "open"))
    return now.id


def test_a_running_match_of_an_older_edition_plays_on_by_it(matches: Matches, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(states, "EVENTS_WORTH_A_SNAPSHOT", 20)
    match_id = opened(matches, FIRST, 1)
    matches.start(match_id, ANN, None)
    for _ in range(30):
        view, _ = matches.look(match_id, ANN)
        who = (ANN, BOB)[view["to_act"][0]]
        matches.play(match_id, who, matches.legal(match_id, who).commands[0])
    cold = Matches(matches.store)
    assert cold.fresh(match_id).match.game is FIRST  # folded from the log
    assert matches.store.snapshot(match_id, [1]) is not None and matches.store.snapshot(match_id, [2]) is None
    cached = Matches(matches.store)
    assert cached.fresh(match_id).match == cold.fresh(match_id).match  # begun from the snapshot
    new = matches.open(
        "four-nines", host=ANN, seats=(Place("human", ANN, None, ""), Place("human", BOB, None, "")), options={}
    )
    assert new.game is FOUR_NINES


def test_rules_of_a_later_release_are_an_error_and_change_nothing(matches: Matches) -> None:
    match_id = opened(matches, FOUR_NINES, 99)
    for attempt in (lambda: matches.look(match_id, ANN), lambda: matches.start(match_id, ANN, None)):
        with pytest.raises(OfLaterRelease, match="by rules 99 is of a later release"):
            attempt()
    assert matches.store.head(match_id).version == 1
