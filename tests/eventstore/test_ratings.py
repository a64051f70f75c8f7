"""Ratings as a projection of the feed."""

from __future__ import annotations

import itertools
import random
import threading
import uuid
from typing import Any

import psycopg
import pytest

from domain import match
from domain.bots.thinking import at_once, decided, thinking
from domain.game import Refused, options_of
from domain.games import BY_SLUG
from domain.match import Match, Place
from eventstore.db import Database
from eventstore.feed import START, Feed, PostgresNode, write_position
from eventstore.migrate import migrate
from eventstore.ratings import Overtaken, Ratings
from eventstore.service import Matches
from eventstore.skill import NEWCOMER, Skill, judged
from eventstore.store import EventStore

ANN, BOB, CAT, DAN = (str(uuid.UUID(int=n)) for n in range(1, 5))
OPEN = Place("open", None, None, "")


def human(player: str) -> Place:
    return Place("human", player, None, "")


def program(player: str) -> Place:
    return Place("program", player, None, "")


def bot(level: str = "steady") -> Place:
    return Place("bot", None, level, "")


@pytest.fixture
def database(empty: str) -> Any:
    migrate(empty)
    made = Database(empty)
    yield made
    made.close()


@pytest.fixture
def matches(database: Database) -> Matches:
    return Matches(EventStore(database))


@pytest.fixture
def ratings(database: Database) -> Ratings:
    return Ratings(database, Feed([PostgresNode(database)]))


def opened(matches: Matches, *seats: Place, game: str = "checkers", **table: Any) -> Match:
    host = next(place.player for place in seats if place.player)
    return matches.open(game, host=host, seats=seats, options=table.pop("options", {}), **table)


def started(matches: Matches, *seats: Place, **table: Any) -> Match:
    m = opened(matches, *seats, **table)
    return matches.start(m.id, m.host, None).match


def lost_by(matches: Matches, loser: str, *seats: Place, **table: Any) -> Match:
    m = started(matches, *seats, **table)
    return matches.resign(m.id, loser, None).match


SHOWN = """
SELECT kind, who, game, mu, sigma, points, matches, won, drawn FROM ratings
WHERE book = (SELECT max(book) FROM rating_books WHERE complete) ORDER BY 1, 2, 3
"""


def book(database: Database) -> list[Any]:
    return database.run(SHOWN)


def changes(database: Database) -> list[Any]:
    columns = "match_id, seat, kind, who, game, side, place, result, points, points_after, ended_at"
    shown = "(SELECT max(book) FROM rating_books WHERE complete)"
    return database.run(f"SELECT {columns} FROM rating_changes WHERE book = {shown} ORDER BY 1, 2")


def points(database: Database, kind: str, who: str) -> int:
    return next(int(row[5]) for row in book(database) if row[:2] == (kind, who))


# ── Which matches are rated ─────────────────────────────────────────────────────────────────────────────────────


def test_PM_20_a_match_is_rated_if_it_can_be(matches: Matches) -> None:
    assert opened(matches, human(ANN), OPEN).rated
    assert opened(matches, human(ANN), bot()).rated
    assert opened(matches, human(ANN), OPEN, turn_seconds=30).rated
    assert not opened(matches, human(ANN), OPEN, rated=False).rated
    assert not opened(matches, human(ANN), bot(), thinking_ms=5).rated
    assert opened(matches, human(ANN), OPEN, spectators=True).rated
    # What ratings tell at once, those who watch late would know too soon.
    assert not opened(matches, human(ANN), OPEN, spectators=True, spectator_delay=60).rated
    assert not matches.open("checkers", host=ANN, seats=(bot(), bot()), options={}).rated


def test_PM_20_other_options_make_no_rated_match_and_the_usual_ones_may_be_given(matches: Matches) -> None:
    option = next(one for one in options_of(BY_SLUG["quenette"].options) if one.kind == "number")
    name, usual, other = option.name, {option.name: option.default}, {option.name: option.default + 1}
    assert opened(matches, human(ANN), OPEN, game="quenette", options=usual).rated
    assert not opened(matches, human(ANN), OPEN, game="quenette", options=other).rated
    with pytest.raises(Refused) as refused:
        opened(matches, human(ANN), OPEN, game="quenette", options=other, rated=True)
    assert (refused.value.rule, refused.value.code) == ("PM-20", "not_rated") and name in refused.value.text


def test_PM_20_what_cannot_be_rated_is_refused_if_it_is_asked_for(matches: Matches) -> None:
    with pytest.raises(Refused, match="thinking_ms"):
        opened(matches, human(ANN), bot(), thinking_ms=5, rated=True)
    with pytest.raises(Refused, match="spectator_delay"):
        opened(matches, human(ANN), OPEN, spectators=True, spectator_delay=60, rated=True)
    with pytest.raises(Refused, match="bots alone"):
        matches.open("checkers", host=ANN, seats=(bot(), bot()), options={}, rated=True)
    assert opened(matches, human(ANN), bot(), rated=True).rated


def test_cancelled_agreed_and_unrated_matches_do_not_count(
    matches: Matches, ratings: Ratings, database: Database
) -> None:
    m = started(matches, human(ANN), bot())
    with pytest.raises(Refused):
        matches.cancel(m.id, ANN, None)
    cancelled = opened(matches, human(ANN), OPEN)
    matches.cancel(cancelled.id, ANN, None)
    lost_by(matches, ANN, human(ANN), human(BOB), rated=False)
    agreed = started(matches, human(ANN), human(BOB), game="quenette")
    matches.draw(agreed.id, ANN, "offer", None)
    over = matches.draw(agreed.id, BOB, "accept", None).match
    assert over.ended is not None and over.ended.reason == "agreed" and over.rated
    assert ratings.catch_up() == 0
    assert book(database) == [] and changes(database) == []


# ── Who is rated ────────────────────────────────────────────────────────────────────────────────────────────────


def test_the_winner_rises_and_the_loser_falls(matches: Matches, ratings: Ratings, database: Database) -> None:
    m = lost_by(matches, ANN, human(ANN), human(BOB))
    assert ratings.catch_up() == 1
    (won,), (lost,) = judged([[NEWCOMER], [NEWCOMER]], [1, 2])
    assert book(database) == [
        ("human", ANN, "checkers", lost.mu, lost.sigma, lost.points, 1, 0, 0),
        ("human", BOB, "checkers", won.mu, won.sigma, won.points, 1, 1, 0),
    ]
    assert [row[:10] for row in changes(database)] == [
        (uuid.UUID(m.id), 0, "human", ANN, "checkers", 0, 2, "lost", 1000, lost.points),
        (uuid.UUID(m.id), 1, "human", BOB, "checkers", 1, 1, "won", 1000, won.points),
    ]
    assert lost.points < 1000 < won.points


def test_people_programs_and_levels_of_bots_are_rated_apart(
    matches: Matches, ratings: Ratings, database: Database
) -> None:
    lost_by(matches, ANN, human(ANN), bot("random"))
    lost_by(matches, ANN, program(ANN), bot("steady"))
    lost_by(matches, ANN, human(ANN), bot("steady"), game="quenette")
    ratings.catch_up()
    assert [row[:3] for row in book(database)] == [
        ("bot", "random", "checkers"),
        ("bot", "steady", "checkers"),
        ("bot", "steady", "quenette"),
        ("human", ANN, "checkers"),
        ("human", ANN, "quenette"),
        ("program", ANN, "checkers"),
    ]


def test_partners_rise_and_fall_together(matches: Matches, ratings: Ratings, database: Database) -> None:
    m = started(matches, *map(human, (ANN, BOB, CAT, DAN)), game="aviation")
    assert m.game.sides(m.table) == ((0, 2), (1, 3))
    matches.resign(m.id, BOB, None)
    ratings.catch_up()
    assert [row[7] for row in changes(database)] == ["won", "lost", "won", "lost"]
    assert points(database, "human", ANN) == points(database, "human", CAT) > 1000
    assert points(database, "human", BOB) == points(database, "human", DAN) < 1000


def test_a_level_at_several_seats_is_one_and_the_same(matches: Matches, ratings: Ratings, database: Database) -> None:
    table = next(g for g in BY_SLUG.values() if 4 in g.seats and len(g.sides(g.open_table({}, 4))) == 4)
    m = started(matches, human(ANN), human(BOB), bot(), bot(), game=table.slug)
    matches.resign(m.id, ANN, None)
    matches.resign(m.id, BOB, None)
    for _ in range(100_000):
        found = matches.fresh(m.id).match
        if found.status == "over":
            break
        _play_a_bot(matches, found)
    ratings.catch_up()
    rows = [row for row in book(database) if row[0] == "bot"]
    assert len(rows) == 1 and rows[0][6] == 2
    assert len(changes(database)) == 4


def _play_a_bot(matches: Matches, m: Match) -> None:
    warm = matches.fresh(m.id)
    seat = match.waiting_bots(warm.match)[0]
    thought = at_once(thinking(warm.match, seat, warm.seed, lambda n: n >= 1))
    step = match.play_as_bot(warm.match, seat, thought.command, warm.seed, decided(warm.match, seat, thought))
    matches.append(warm, step, f"bot/{uuid.uuid4()}")


def test_a_seat_that_a_bot_keeps_is_still_its_players(matches: Matches, ratings: Ratings, database: Database) -> None:
    table = next(g for g in BY_SLUG.values() if 3 in g.seats)
    m = started(matches, *map(human, (ANN, BOB, CAT)), game=table.slug)
    matches.resign(m.id, ANN, None)
    matches.resign(m.id, BOB, None)
    ratings.catch_up()
    assert [(row[2], row[3], row[7]) for row in changes(database)] == [
        ("human", ANN, "lost"),
        ("human", BOB, "lost"),
        ("human", CAT, "won"),
    ]


# ── Counting once, in order ─────────────────────────────────────────────────────────────────────────────────────


def season(matches: Matches, count: int, seed: int = 1) -> None:
    """Matches among four people, and with bots; some are not rated."""
    rng = random.Random(seed)
    for _ in range(count):
        one, two = rng.sample((ANN, BOB, CAT, DAN), 2)
        other = rng.choice((human(two), program(two), bot("random"), bot("strong")))
        game = rng.choice(("checkers", "quenette"))
        lost_by(matches, rng.choice((one, other.player or one)), human(one), other, game=game, rated=rng.random() < 0.8)


def test_worked_out_anew_the_ratings_are_the_same(matches: Matches, ratings: Ratings, database: Database) -> None:
    for part in range(4):
        season(matches, 10, part)
        ratings.catch_up()
    shown, told = book(database), changes(database)
    assert shown and ratings.rebuild() == len({row[0] for row in told})
    assert (book(database), changes(database)) == (shown, told)
    assert database.run("SELECT DISTINCT book FROM ratings UNION SELECT book FROM rating_changes") == [(2,)]
    assert database.run("SELECT book FROM rating_books") == [(2,)]
    season(matches, 5, 9)
    assert ratings.catch_up() > 0
    shown = book(database)
    ratings.rebuild()
    assert book(database) == shown


@pytest.mark.parametrize("left", [(), ("ratings",), ("rating_changes",), ("ratings", "rating_changes")])
def test_dropped_ratings_come_back_whatever_is_left_of_them(
    matches: Matches, ratings: Ratings, database: Database, left: tuple[str, ...]
) -> None:
    season(matches, 10)
    ratings.catch_up()
    shown, told = book(database), changes(database)
    for table in ("rating_books", "ratings", "rating_changes"):
        if table not in left:
            database.run(f"DELETE FROM {table}")
    assert ratings.catch_up() > 0
    assert (book(database), changes(database)) == (shown, told)
    ratings.rebuild()
    assert (book(database), changes(database)) == (shown, told)
    ((last,),) = database.run("SELECT book FROM rating_books")
    assert database.run("SELECT DISTINCT book FROM ratings UNION SELECT book FROM rating_changes") == [(last,)]


def test_nothing_is_counted_twice(matches: Matches, ratings: Ratings, database: Database) -> None:
    season(matches, 10)
    assert ratings.catch_up() > 0
    shown = book(database)
    assert ratings.catch_up() == 0
    assert book(database) == shown


def test_many_scorers_and_a_rebuild_at_once_count_each_match_once(
    matches: Matches, ratings: Ratings, database: Database
) -> None:
    done = threading.Event()

    def score() -> None:
        while not done.is_set():
            ratings.catch_up()

    scorers = [threading.Thread(target=score) for _ in range(4)]
    for thread in scorers:
        thread.start()
    season(matches, 15)
    ratings.rebuild()
    season(matches, 15, 2)
    done.set()
    for thread in scorers:
        thread.join()
    ratings.catch_up()
    shown, told = book(database), changes(database)
    ratings.rebuild()
    assert (book(database), changes(database)) == (shown, told)


def test_a_book_that_was_thrown_away_is_not_completed(
    matches: Matches, ratings: Ratings, database: Database, monkeypatch: pytest.MonkeyPatch
) -> None:
    season(matches, 3)
    ratings.catch_up()
    shown = book(database)

    def thrown_away(*_: Any) -> int:
        database.run("DELETE FROM rating_books WHERE NOT complete")
        return 0

    monkeypatch.setattr(ratings, "_follow", thrown_away)
    with pytest.raises(Overtaken):
        ratings.rebuild()
    assert book(database) == shown


def test_a_log_that_cannot_be_read_keeps_nobody_else_from_being_rated(
    matches: Matches, ratings: Ratings, database: Database, empty: str
) -> None:
    damaged = lost_by(matches, ANN, human(ANN), human(BOB))
    with psycopg.connect(empty) as connection:
        connection.execute("ALTER TABLE events DISABLE TRIGGER events_are_final")
        connection.execute("UPDATE events SET public = '{}' WHERE match_id = %s AND version = 1", (damaged.id,))
    lost_by(matches, CAT, human(CAT), human(DAN))
    assert ratings.catch_up() == 1
    assert [row[1] for row in book(database)] == [CAT, DAN]


def test_a_log_that_was_set_back_is_worked_out_anew(matches: Matches, ratings: Ratings, database: Database) -> None:
    season(matches, 5)
    ratings.catch_up()
    shown = book(database)
    ahead = write_position({"0": START._replace(epoch=50)})
    database.run("UPDATE rating_books SET position = %s", (ahead,))
    assert ratings.catch_up() > 0
    assert book(database) == shown


# ── How much a match says ───────────────────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize("sides", range(2, 14))
def test_a_better_place_is_never_worth_less(sides: int) -> None:
    rng = random.Random(sides)
    for _ in range(20):
        places = sorted(rng.randint(1, sides) for _ in range(sides))
        places = [places.index(place) + 1 for place in places]
        after = [side[0] for side in judged([[NEWCOMER]] * sides, places)]
        for (better, one), (worse, two) in itertools.combinations(zip(places, after, strict=True), 2):
            assert (one == two) if better == worse else (one.mu > two.mu)


def test_who_beats_a_stronger_one_gains_more() -> None:
    strong, weak = Skill(35.0, 2.0), Skill(15.0, 2.0)
    (over_strong,), _ = judged([[Skill(25.0, 5.0)], [strong]], [1, 2])
    (over_weak,), _ = judged([[Skill(25.0, 5.0)], [weak]], [1, 2])
    assert over_strong.mu > over_weak.mu > 25.0
    assert over_strong.sigma < 5.0


def test_the_order_of_seats_makes_no_difference() -> None:
    skills = [Skill(25.0, 8.0), Skill(30.0, 3.0), Skill(20.0, 5.0)]
    there = judged([[one] for one in skills], [2, 1, 3])
    back = judged([[one] for one in skills[::-1]], [3, 1, 2])
    assert there == back[::-1]
