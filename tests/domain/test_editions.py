"""A match goes on by the rules it began with."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from domain import log, match
from domain.editions import OfLaterRelease, edition, editions
from domain.game import Game
from domain.games import BY_SLUG, GAMES
from domain.upcast import SCHEMA, upcast
from domain.wire import Parts
from tests.golden.matches import Golden, play

FOUR_NINES = BY_SLUG["four-nines"]
QUENETTE = BY_SLUG["quenette"]


def numbered(*versions: int) -> Game[Any]:
    """Quenette with editions of these numbers, the last one of today."""
    past = tuple(replace(QUENETTE, version=version) for version in versions[:-1])
    return replace(QUENETTE, version=versions[-1], past=past)


def opened(game: Game[Any], rules_version: int, **changed: Any) -> match.Match:
    seats = tuple(match.Place("bot", None, "easy", "") for _ in range(game.seats[0]))
    step = match.open_match(game, "m", host="ann", seats=seats, options={}, seed=bytes(32))
    return match.opened(game, replace(step.happened[0].event, rules_version=rules_version, **changed))


def places(game: Game[Any], table: Any) -> tuple[int, ...]:
    outcome = game.outcome(table)
    assert outcome is not None
    return outcome.places


@pytest.mark.parametrize(("number", "found"), [(1, 2), (2, 2), (3, 4), (4, 4), (5, 5)])
def test_a_number_between_two_editions_belongs_to_the_later_one(number: int, found: int) -> None:
    assert edition(numbered(2, 4, 5), number).version == found
    assert opened(numbered(2, 4, 5), number).game.version == found


def test_rules_of_a_later_release_are_not_guessed() -> None:
    with pytest.raises(OfLaterRelease, match="Quenette by rules 6 is of a later release; this one knows them up to 5"):
        opened(numbered(2, 4, 5), 6)
    with pytest.raises(OfLaterRelease, match="match rules"):
        opened(QUENETTE, 1, match_rules=match.MATCH_RULES + 1)
    with pytest.raises(OfLaterRelease, match="schema"):
        upcast("quenette", Parts("card_played", {}, {}), SCHEMA + 1)


@pytest.mark.parametrize("game", GAMES, ids=lambda game: game.slug)
def test_editions_are_whole_games_in_the_order_of_their_numbers(game: Game[Any]) -> None:
    numbers = [one.version for one in editions(game)]
    assert numbers == sorted(set(numbers)) and numbers[-1] == game.version
    for old in game.past:
        assert (old.slug, old.past) == (game.slug, ())
        assert [rule for rule in game.rules.values() if rule not in old.rules.values()], "an edition without a reason"


@pytest.mark.parametrize(
    "old", [old for game in GAMES for old in game.past], ids=lambda old: f"{old.slug}-{old.version}"
)
def test_a_match_of_an_old_edition_is_played_and_seen_like_any_other(old: Game[Any]) -> None:
    now, happened = play(old, Golden(old.seats[0], {}, "", lambda events: True), 0)
    assert now.game is old and now.status == "over"
    first = log.write(happened[0])
    assert first.public["rules_version"] == old.version
    read = match.opened(BY_SLUG[old.slug], log.read(match.event_classes(old), first, "host").event)
    assert read.game is old
    final = match.fold(read, happened[1:])
    assert final.ended == now.ended and old.outcome(final.table) == old.outcome(now.table)


def test_four_nines_ranks_those_behind_the_winner_since_its_second_edition() -> None:
    """FN-R19."""
    (first,) = FOUR_NINES.past
    assert "FN-R19" in FOUR_NINES.rules and "FN-R19" not in first.rules
    end = FOUR_NINES.open_table({}, 4)
    home = end.cross.home
    discs = ((home,) * 4, (home, home, 3, -1), (home, 5, 3, -1), (home, home, 9, 4))
    end = end._replace(phase="game_over", wins=(1, 0, 0, 0), discs=discs)
    assert places(FOUR_NINES, end) == (1, 2, 4, 2)
    assert places(first, end) == (1, 2, 2, 2)
    # Equal winners share, however many discs they had Home in the last game; and two dice have their scores.
    shared = end._replace(wins=(2, 2, 1, 1), options=replace(end.options, games=6))
    assert places(FOUR_NINES, shared) == (1, 1, 4, 3)
    two = end._replace(options=replace(end.options, variant="two-dice"), sums=(50, 40, 40, 10))
    assert places(FOUR_NINES, two) == places(first, two) == (1, 2, 2, 4)
