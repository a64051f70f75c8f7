"""Frozen matches replay to the states they had when they were frozen."""

from __future__ import annotations

import pathlib
from typing import Any

import pytest

from domain import chance, log
from domain.game import Game
from domain.games import GAMES
from tests.golden import commands, matches, stories


@pytest.mark.parametrize("game", GAMES, ids=lambda game: game.slug)
def test_every_game_has_two_golden_matches(game: Game[Any]) -> None:
    for stem in (game.slug, f"{game.slug}.second"):
        assert matches.FOLDER / f"{stem}.ndjson" in matches.FROZEN
        assert matches.wanted(stem)[1].moment


@pytest.mark.parametrize("path", matches.FROZEN, ids=lambda path: path.stem)
def test_a_frozen_match_folds_to_the_states_it_had(path: pathlib.Path) -> None:
    now = None
    events = []
    for now, one, state in matches.read(path):
        events.append(one.event)
        assert log.read({**_classes(now)}, log.write(one), one.actor) == one
        if state is not None:
            assert matches.state_hash(now) == state, f"at version {now.version}"
    assert now is not None and now.status == "over"
    _, golden = matches.wanted(path.stem)
    assert golden.rules_version in (None, now.game.version)
    assert golden.shows(events), f"the remarkable moment is gone: {golden.moment}"


@pytest.mark.parametrize("path", matches.FROZEN, ids=lambda path: path.stem)
def test_every_draw_of_a_frozen_match_can_be_recomputed_from_the_revealed_seed(path: pathlib.Path) -> None:
    steps = list(matches.read(path))
    final = steps[-1][0]
    assert final.ended is not None
    seed = bytes.fromhex(final.ended.server_seed)
    assert chance.commitment(seed) == final.commitment
    source = chance.Source(seed, final.id, tuple(chair.client_seed for chair in final.chairs))
    drawn = [one.drawn for _, one, _ in steps if one.drawn is not None]
    assert [one.n for one in drawn] == list(range(1, len(drawn) + 1))
    for one in drawn:
        assert chance.recompute(source, one.n, one.kind, one.size) == one.result


@pytest.mark.parametrize("path", matches.FROZEN, ids=lambda path: path.stem)
def test_a_frozen_match_is_decided_again_as_it_was(path: pathlib.Path) -> None:
    """Every command, from the state before it, with the draws recomputed from the seed: deals and the clock included."""
    steps = list(matches.read(path))
    stored = [one for _, one, _ in steps]
    ended = steps[-1][0].ended
    assert ended is not None
    seed = bytes.fromhex(ended.server_seed)
    after = 1
    for line in commands.read(path):
        assert line.after == after
        now = steps[after - 1][0]
        happened = commands.step(now, line, seed).happened
        expected = stored[after : after + len(happened)]
        assert commands.bare(happened) == commands.bare(expected), f"{line} at version {after}"
        after += len(happened)
    assert after == len(stored)


@pytest.mark.parametrize("path", matches.FROZEN, ids=lambda path: path.stem)
def test_a_frozen_match_is_told_as_its_story_stands(path: pathlib.Path) -> None:
    assert stories.story(path) == stories.file(path).read_text()


def _classes(now: Any) -> dict[str, type[Any]]:
    from domain.match import event_classes

    return event_classes(now.game)
