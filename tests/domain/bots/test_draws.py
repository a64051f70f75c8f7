"""What bots say to a draw, and when they offer one."""

from __future__ import annotations

import hashlib
import random
from collections.abc import Callable
from typing import Any

import pytest

from domain import match
from domain.bots.levels import LEVELS
from domain.bots.thinking import at_once, done, found_again, thinking, turn_of
from domain.bots.turn import Thought
from domain.game import Game
from domain.games import BY_SLUG, GAMES
from domain.games.checkers.draughts import Move
from domain.match import AnswerDraw, Happened, Match, Place
from tests.domain.bots.positions import positions, turn_at
from tests.domain.games.test_checkers import position

SEED = hashlib.sha256(b"draws").digest()
LONG = 1_000  # events: a match that has gone on for a while
LEVEL_NAMES = ("steady", "strong")


def says(slug: str, table: Any, seat: int, level: str, *, lasted: int = LONG, iterations: int = 6) -> bool:
    turn = turn_at(BY_SLUG[slug], table, seat, iterations)._replace(lasted=lasted)
    command = at_once(LEVELS[level].answer(turn)).command
    assert isinstance(command, AnswerDraw)
    return command.accept


def quiet(fen: str, plies: int, **options: Any) -> Any:
    """A table of Checkers at which nothing but kings has moved for so long."""
    table = position(fen, **options).table
    return table._replace(position=table.position._replace(quiet=plies))


# ── Checkers ────────────────────────────────────────────────────────────────────────────────────────────────────

EVEN = "W:WK18,K22:BK1,K5"
AHEAD = "W:W21,22,23,24,25,29,30,31:B1,2,3"  # White, seat 1


@pytest.mark.parametrize("level", LEVEL_NAMES)
def test_who_is_ahead_declines_and_who_is_behind_accepts(level: str) -> None:
    table = position(AHEAD).table
    assert [says("checkers", table, seat, level) for seat in (0, 1)] == [True, False]
    other_to_move = position(AHEAD.replace("W:W", "B:W")).table
    assert [says("checkers", other_to_move, seat, level) for seat in (0, 1)] == [True, False]


def test_at_checkers_an_even_game_is_played_on_until_nothing_has_happened_for_long() -> None:
    for seat in (0, 1):
        assert not says("checkers", quiet(EVEN, 4), seat, "strong")
        assert says("checkers", quiet(EVEN, 30), seat, "strong")


def test_a_lead_that_comes_to_nothing_for_long_is_none() -> None:
    ahead = "W:WK18,K22,K27:BK1,K5"
    assert not says("checkers", quiet(ahead, 10), 1, "strong")
    assert says("checkers", quiet(ahead, 70), 1, "strong")


def test_the_last_game_is_agreed_on_by_whoever_wins_the_match_with_it() -> None:
    last = quiet(EVEN, 30)._replace(results=("1-0",), half_points=(2, 0))
    assert last.options.games == 2
    assert [says("checkers", last, seat, "strong") for seat in (0, 1)] == [True, False]
    first_of_many = quiet(EVEN, 30, games=4)._replace(results=("1-0",), half_points=(2, 0))
    assert [says("checkers", first_of_many, seat, "strong") for seat in (0, 1)] == [True, True]


def offers(level: str, table: Any, iterations: int = 6) -> bool:
    turn = turn_at(BY_SLUG["checkers"], table, table.turn, iterations)
    return at_once(LEVELS[level].search(turn)).offers


@pytest.mark.parametrize("level", LEVEL_NAMES)
def test_a_draw_is_offered_where_nothing_happens_any_more_and_seldom(level: str) -> None:
    told = [plies for plies in range(0, 80, 2) if offers(level, quiet(EVEN, plies))]
    assert told == [20, 40, 60]
    assert not offers(level, quiet("W:WK18,K22,K27:BK1,K5", 40))


@pytest.mark.parametrize("level", LEVEL_NAMES)
def test_no_draw_is_offered_with_a_play_that_gets_on(level: str) -> None:
    man = "W:WK18,22:BK1,5"
    turn = turn_at(BY_SLUG["checkers"], quiet(man, 40), 1, 6)
    thought = at_once(LEVELS[level].search(turn))
    drawn = BY_SLUG["checkers"].bot.drawn
    for command in turn.commands:
        if isinstance(command, Move) and command.from_ == 22:
            assert not drawn(turn.view, command)
    assert isinstance(thought.command, Move) and thought.offers == (thought.command.from_ == 18)


def test_random_offers_nothing_and_answers_by_lot() -> None:
    assert not any(offers("random", quiet(EVEN, plies)) for plies in range(0, 80, 2))
    game, table = BY_SLUG["checkers"], position(EVEN).table
    said = [at_once(LEVELS["random"].answer(turn_at(game, table, 1, 1, str(n)))).command.accept for n in range(60)]
    assert 15 < sum(said) < 45


# ── Other games ─────────────────────────────────────────────────────────────────────────────────────────────────


def dealt(slug: str, seats: int, **options: Any) -> Match:
    places = tuple(Place("bot", None, "random", "") for _ in range(seats))
    opened = match.open_match(BY_SLUG[slug], "m", host="", seats=places, options=options, seed=SEED).match
    return match.start(opened, "", SEED).match


@pytest.mark.parametrize("level", LEVEL_NAMES)
def test_at_cards_the_score_decides(level: str) -> None:
    table = dealt("quenette", 3).table
    behind, ahead = table._replace(totals=(90, 20, 20)), table._replace(totals=(0, 60, 60))
    assert says("quenette", behind, 0, level) and not says("quenette", ahead, 0, level)


@pytest.mark.parametrize("level", LEVEL_NAMES)
def test_at_the_start_of_a_match_no_bot_gives_half_of_it_away(level: str) -> None:
    for slug in ("backgammon", "checkers", "quenette"):
        game, table = BY_SLUG[slug], dealt(slug, 2).table
        for n in range(10):
            turn = turn_at(game, table, n % 2, 2, f"start {n}")._replace(lasted=4)
            assert at_once(LEVELS[level].answer(turn)).command == AnswerDraw(False)


def test_at_backgammon_the_chance_to_win_the_match_decides() -> None:
    table = dealt("backgammon", 2, target=5).table
    assert [says("backgammon", table._replace(score=score), 0, "strong") for score in ((4, 0), (0, 4))] == [False, True]
    level = table._replace(score=(2, 2))
    assert says("backgammon", level, 0, "strong") and not says("backgammon", level, 0, "strong", lasted=4)


@pytest.mark.parametrize("game", GAMES, ids=lambda game: game.slug)
def test_every_level_answers_at_every_seat_from_what_it_sees(game: Game[Any]) -> None:
    """Also one that is not to act; and at a table that the seat cannot tell from its own it says the same."""
    rng = random.Random(f"twins of {game.slug}")
    for table, _ in positions(game, 2):
        seat = rng.randrange(table.seats)
        twin = game.imagine(table, seat, rng.randrange)
        for level in LEVELS:
            said = [at_once(LEVELS[level].answer(turn_at(game, one, seat, 1))) for one in (table, table, twin)]
            assert isinstance(said[0].command, AnswerDraw)
            assert said[0] == said[1] == said[2]


# ── At a match ──────────────────────────────────────────────────────────────────────────────────────────────────


def seated(m: Match, *levels: str | None) -> Match:
    """The same match with bots of these levels, and a person where there is none."""
    chairs = [
        match.Chair("human", f"player {n}") if level is None else match.Chair("bot", None, level)
        for n, level in enumerate(levels)
    ]
    return m._replace(chairs=tuple(chairs))


def thought_of(m: Match, seat: int, enough: Callable[[int], bool] = lambda n: n >= 4) -> Thought:
    return at_once(thinking(m, seat, SEED, enough))


def test_an_answer_is_found_again_and_so_is_an_offer() -> None:
    m = seated(dealt("checkers", 2)._replace(table=quiet(EVEN, 40)), None, "strong")
    offered = match.offer_draw(m, 0, SEED).match
    thought = thought_of(offered, 1)
    step = done(offered, 1, thought, SEED)
    known = step.happened[0].decided
    assert known is not None and found_again(offered, 1, SEED, known) == thought
    own = done(m, 1, thought_of(m, 1), SEED)
    assert own.happened[-1].event == match.DrawOffered(1) and own.happened[0].decided is not None
    again = found_again(m, 1, SEED, own.happened[0].decided)
    assert again is not None and again.offers


def test_a_bot_that_keeps_a_seat_declines_for_its_player() -> None:
    m = seated(dealt("checkers", 2)._replace(table=quiet(EVEN, 40)), None, None)
    m = match.evolve(m, Happened(match.BotTookOver(1, "strong", "absent"), "match"))
    offered = match.offer_draw(m, 0, SEED).match
    assert thought_of(offered, 1).command == AnswerDraw(False)
    assert thought_of(match.offer_draw(seated(m, None, "strong"), 0, SEED).match, 1).command == AnswerDraw(True)


def test_bots_among_themselves_agree_and_the_match_ends() -> None:
    m = seated(
        dealt("checkers", 2, games=1)._replace(table=quiet(EVEN, 18, games=1, draw_repetition=0)), *["strong"] * 2
    )
    happened: list[Any] = []
    while m.status == "playing":
        seat = match.waiting_bots(m)[0]
        step = done(m, seat, thought_of(m, seat), SEED)
        happened += [one.event for one in step.happened]
        m = step.match
    kinds = [type(event).__name__ for event in happened]
    assert kinds.count("DrawOffered") == kinds.count("DrawAnswered") == 1
    assert m.ended is not None and m.ended.places == (1, 1) and happened[-2].reason == "agreed"


def test_a_turn_tells_how_long_the_match_has_lasted() -> None:
    m = match.offer_draw(seated(dealt("checkers", 2), None, "steady"), 0, SEED).match
    assert turn_of(m, 1, SEED, lambda n: True).lasted == m.version
