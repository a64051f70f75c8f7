"""Matches of checkers as pydraughts reads and replays them."""

from __future__ import annotations

import random
from typing import Any

import pytest

from domain import match
from domain.games.checkers import GAME
from domain.games.checkers.draughts import DARK, START, after, complete_plays
from domain.games.checkers.events import Moved
from domain.games.checkers.pdn import read_fen
from tests.domain.kit.test_pdn import SEED, Played

elsewhere: Any = pytest.importorskip("draughts", reason="pydraughts is not installed: nobody else reads the files")
PDN: Any = pytest.importorskip("draughts.PDN")


def played(number: int, **options: Any) -> Played:
    """A match of random moves; in some of them a draw is agreed upon, and some are resigned."""
    rng = random.Random(f"{options} {number}")
    found = Played(**options)
    while found.now.status == "playing":
        plies = found.now.table.position.plies
        if plies > 20 and number % 3 == 1 and rng.random() < 0.05:
            seat = rng.randrange(2)
            found.add(match.offer_draw(found.now, seat, SEED)).add(match.answer_draw(found.now, 1 - seat, True, SEED))
        elif plies > 20 and number % 3 == 2 and rng.random() < 0.02:
            found.add(match.resign(found.now, rng.randrange(2), SEED))
        else:
            found.does(rng.choice(GAME.legal(found.now.table, found.now.table.turn)))
    return found


def results(found: Played) -> list[str]:
    """How each game ended. One that was resigned ends with the match, and is no game of its table."""
    ended = found.now.ended
    assert ended is not None
    if ended.reason != "resigned":
        return list(found.now.table.results)
    dark_won = ended.places[found.now.table.dark] == 1
    return [*found.now.table.results, "0-1" if dark_won else "1-0"]


@pytest.mark.parametrize("number", range(6))
def test_every_position_of_a_modern_match_is_the_same_elsewhere(number: int) -> None:
    """CH-21, CH-24: captures, kings, agreed draws and resignations included."""
    found = played(number, capture_rule="mandatory", games=3)
    games = PDN.PDNReader(found.text()).games
    assert [game.game_ending for game in games] == results(found)
    assert [game.tags["Result"] for game in games] == results(found)
    assert {game.variant for game in games} == {"english"}
    for game in games:
        theirs = elsewhere.Board(variant="english", fen="startpos")
        ours, side = START, DARK
        for move in game.moves:
            theirs.push(elsewhere.Move(theirs, pdn_move=move))
            ours, side = (
                after(ours, side, next(play for play in complete_plays(ours, side) if play.pdn == move)),
                1 - side,
            )
            assert read_fen(theirs.fen) == (ours, side)
        if number % 3 == 0 and game.game_ending != "1/2-1/2":
            assert theirs.is_over()


def test_these_matches_have_captures_kings_draws_and_resignations() -> None:
    texts = [played(number, capture_rule="mandatory", games=3) for number in range(6)]
    told = "\n".join(one.text() for one in texts)
    assert "x" in told and "1/2-1/2" in told and "1-0" in told and "0-1" in told
    assert any(one.now.ended and one.now.ended.reason == "resigned" for one in texts)
    assert any(isinstance(one.event, Moved) and one.event.crowned for one in texts[0].log)


@pytest.mark.parametrize("number", range(3))
def test_every_game_of_a_match_with_huffs_is_found_elsewhere(number: int) -> None:
    """CH-16: what a huffing player did stands in a comment, which others leave out."""
    found = played(number, games=2)
    games = PDN.PDNReader(found.text()).games
    assert [game.game_ending for game in games] == results(found)
    assert [game.tags["Round"] for game in games] == [str(n + 1) for n in range(len(games))]
