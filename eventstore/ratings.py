"""Ratings: worked out from the feed, one rated match after another in its order, and as often as anybody likes.

A book is such a reckoning, with the position it has come to. Whoever writes into it moves its position in the same
statement, from where he found it: so no match is counted twice, however many try, and none is passed over. A new book
can be written while another is shown.
"""

from __future__ import annotations

import datetime as dt
import logging
from collections.abc import Sequence
from typing import Any, Final, NamedTuple

from domain.editions import edition
from domain.game import Refused
from domain.games import BY_SLUG
from domain.log import OF_THE_MATCH, read
from domain.match import Chair, Match, evolve, opened
from domain.match.state import event_classes
from domain.upcast import upcast
from domain.wire import Parts, read_event
from eventstore.db import Database
from eventstore.errors import LostPosition
from eventstore.feed import Entry, Feed
from eventstore.skill import NEWCOMER, Skill, judged, mean

log = logging.getLogger("parlor.ratings")

PAGE: Final = 200
HANDFUL: Final = 5000  # rows of an old book that are removed at once

_BOOK: Final = "SELECT book, position FROM rating_books WHERE complete ORDER BY book DESC LIMIT 1"
# Beyond all that is left of any book: whoever empties the tables may do so in any order.
_BEGIN: Final = """
INSERT INTO rating_books (book, complete, began_at)
SELECT coalesce(greatest((SELECT max(book) FROM rating_books), (SELECT max(book) FROM ratings),
                         (SELECT max(book) FROM rating_changes)), 0) + 1, %(complete)s, %(now)s
ON CONFLICT DO NOTHING RETURNING book
"""
_OF_THE_MATCH: Final = """
SELECT type, schema, public, secret, actor FROM events
WHERE match_id = %(id)s AND version <= %(upto)s AND type = ANY (%(types)s::text[]) ORDER BY version
"""
_KNOWN: Final = """
SELECT r.kind, r.who, r.mu, r.sigma FROM ratings r
JOIN unnest(%(kinds)s::text[], %(whos)s::text[]) AS w (kind, who) ON w.kind = r.kind AND w.who = r.who
WHERE r.book = %(book)s AND r.game = %(game)s
"""
_MOVE: Final = """
WITH moved AS (
    UPDATE rating_books SET position = %(to)s
    WHERE book = %(book)s AND position IS NOT DISTINCT FROM %(from)s::text RETURNING book
)"""
_MOVED: Final = "\nSELECT count(*) FROM moved"
_COUNT: Final = f"""{_MOVE}, noted AS (
    INSERT INTO rating_changes (book, match_id, game, ended_at, seat, kind, who, side, place, result, points,
                                points_after)
    SELECT moved.book, %(id)s, %(game)s, %(at)s, c.*
    FROM moved, unnest(%(seats)s::smallint[], %(kinds)s::text[], %(whos)s::text[], %(sides)s::smallint[],
                       %(places)s::smallint[], %(results)s::text[], %(before)s::integer[], %(after)s::integer[]) AS c
), kept AS (
    INSERT INTO ratings (book, game, kind, who, mu, sigma, points, matches, won, drawn)
    SELECT moved.book, %(game)s, r.*
    FROM moved, unnest(%(r_kinds)s::text[], %(r_whos)s::text[], %(mus)s::float8[], %(sigmas)s::float8[],
                       %(points)s::integer[], %(matches)s::integer[], %(won)s::integer[], %(drawn)s::integer[]) AS r
    ON CONFLICT (book, who, kind, game) DO UPDATE SET
        mu = excluded.mu, sigma = excluded.sigma, points = excluded.points,
        matches = ratings.matches + excluded.matches, won = ratings.won + excluded.won,
        drawn = ratings.drawn + excluded.drawn
){_MOVED}
"""
_FORGET: Final = (
    """DELETE FROM rating_changes c
       USING (SELECT match_id, seat FROM rating_changes WHERE book = %(book)s LIMIT %(most)s) o
       WHERE c.match_id = o.match_id AND c.book = %(book)s AND c.seat = o.seat RETURNING 1""",
    """DELETE FROM ratings r USING (SELECT kind, who, game FROM ratings WHERE book = %(book)s LIMIT %(most)s) o
       WHERE r.book = %(book)s AND r.kind = o.kind AND r.who = o.who AND r.game = o.game RETURNING 1""",
)


class Overtaken(Exception):
    """Somebody else has moved the book on, or thrown it away."""


class Subject(NamedTuple):
    """Who is rated: a person, a program that a player brings, or a level of the server's bots."""

    kind: str
    who: str


class Played(NamedTuple):
    """A seat of a rated match, and how it came off."""

    seat: int
    subject: Subject
    side: int
    place: int
    result: str
    before: Skill
    after: Skill


def subject(chair: Chair) -> Subject:
    """A seat that a bot keeps for its player is still the player's."""
    if chair.player is not None:
        return Subject("program" if chair.program else "human", chair.player)
    return Subject("bot", chair.level or "random")


def counts(m: Match) -> bool:
    """Rule PM-20: what is cancelled has no places, and a draw that the seats agree on says nothing of how they play."""
    return m.rated and m.ended is not None and bool(m.ended.places) and m.ended.reason != "agreed"


def outcome(m: Match, known: dict[Subject, Skill]) -> list[Played]:
    """What a match that counts says of those who played it. A side has the best place of its seats."""
    assert m.ended is not None
    sides = m.game.sides(m.table)
    places = [min(m.ended.places[seat] for seat in side) for side in sides]
    before = [[known.get(subject(m.chairs[seat]), NEWCOMER) for seat in side] for side in sides]
    after = judged(before, places)
    return [
        Played(seat, subject(m.chairs[seat]), n, places[n], _result(places, n), before[n][i], after[n][i])
        for n, side in enumerate(sides)
        for i, seat in enumerate(side)
    ]


def _result(places: Sequence[int], side: int) -> str:
    if places[side] != 1:
        return "lost"
    return "won" if places.count(1) == 1 else "drawn"


def summed(played: Sequence[Played]) -> dict[Subject, list[Played]]:
    found: dict[Subject, list[Played]] = {}
    for one in played:
        found.setdefault(one.subject, []).append(one)
    return found


class Ratings:
    def __init__(self, database: Database, feed: Feed) -> None:
        self._db, self._feed = database, feed

    def catch_up(self) -> int:
        """Counts what ended since the last time, into the book that is shown. Returns how many matches counted."""
        rows = self._db.run(_BOOK)
        if not rows:
            self._begin(complete=True)
            rows = self._db.run(_BOOK)
        book, position = rows[0]
        try:
            self._feed.check(position)
        except LostPosition:
            log.warning("the log was set back: the ratings are worked out anew")
            return self.rebuild()
        try:
            return self._follow(book, position)
        except Overtaken:
            return 0  # another does the same

    def rebuild(self) -> int:
        """Writes a new book from the beginning. The old one is shown until it is done."""
        book = self._begin(complete=False)
        counted = self._follow(book, None)
        if not self._db.run("UPDATE rating_books SET complete = true WHERE book = %s RETURNING 1", (book,)):
            raise Overtaken(f"book {book} was thrown away")
        # What ended while the last page was counted; from now on it is everybody's task.
        counted += self.catch_up()
        self._tidy(book)
        return counted

    def _begin(self, *, complete: bool) -> int:
        while not (made := self._db.run(_BEGIN, {"complete": complete, "now": dt.datetime.now(dt.UTC)})):
            pass  # another began one at the same moment
        return int(made[0][0])

    def _tidy(self, shown: int) -> None:
        """Throws older books away: first the book itself, so that nobody writes into it any more."""
        self._db.run("DELETE FROM rating_books WHERE book < %s", (shown,))
        for statement in _FORGET:
            for book in range(1, shown):
                while self._db.run(statement, {"book": book, "most": HANDFUL}):
                    pass

    # ── Counting ────────────────────────────────────────────────────────────────────────────────────────────────

    def _follow(self, book: int, position: str | None) -> int:
        counted = 0
        while items := self._feed.ends(position, PAGE):
            reached = position  # what the book says; matches that do not count are passed over without a word
            for item in items:
                m = self._readable(item.entry)
                if m is not None and counts(m):
                    self._count(book, reached, item.position, m, item.entry.stored.at)
                    reached = item.position
                    counted += 1
            position = items[-1].position
            if reached != position:
                self._moved(f"{_MOVE}{_MOVED}", {"book": book, "from": reached, "to": position})
        return counted

    def _readable(self, entry: Entry) -> Match | None:
        """A log that was tampered with counts for nothing, and keeps nobody else from being rated."""
        try:
            return self._match(entry)
        except (LookupError, TypeError, ValueError, Refused) as error:
            log.error("match %s cannot be rated: %s: %s", entry.match_id, type(error).__name__, error)
            return None

    def _match(self, entry: Entry) -> Match | None:
        """The match as far as it takes no play to know: who sat where, and how it ended. None if it is not rated."""
        told = {"id": entry.match_id, "upto": entry.stored.version, "types": sorted(OF_THE_MATCH)}
        (first, _), *others = [
            (upcast(entry.game, Parts(kind, public, secret or {}), schema), actor)
            for kind, schema, public, secret, actor in self._db.run(_OF_THE_MATCH, told)
        ]
        if not first.public["rated"]:
            return None
        game = edition(BY_SLUG[entry.game], first.public["rules_version"])
        classes = event_classes(game)
        m = opened(game, read_event(classes, first))
        for parts, actor in others:
            m = evolve(m, read(classes, parts, actor))
        return m

    def _count(self, book: int, reached: str | None, to: str, m: Match, at: dt.datetime) -> None:
        subjects = sorted({subject(chair) for chair in m.chairs})
        kinds, whos = [one.kind for one in subjects], [one.who for one in subjects]
        told = {"book": book, "game": m.game.slug, "kinds": kinds, "whos": whos}
        known = {Subject(kind, who): Skill(mu, sigma) for kind, who, mu, sigma in self._db.run(_KNOWN, told)}
        played = outcome(m, known)
        each = summed(played)
        after = {one: mean([seat.after for seat in seats]) for one, seats in each.items()}
        params: dict[str, Any] = {
            "book": book,
            "from": reached,
            "to": to,
            "id": m.id,
            "game": m.game.slug,
            "at": at,
            "seats": [one.seat for one in played],
            "kinds": [one.subject.kind for one in played],
            "whos": [one.subject.who for one in played],
            "sides": [one.side for one in played],
            "places": [one.place for one in played],
            "results": [one.result for one in played],
            "before": [one.before.points for one in played],
            "after": [after[one.subject].points for one in played],
            "r_kinds": [one.kind for one in each],
            "r_whos": [one.who for one in each],
            "mus": [after[one].mu for one in each],
            "sigmas": [after[one].sigma for one in each],
            "points": [after[one].points for one in each],
            "matches": [len(seats) for seats in each.values()],
            "won": [sum(seat.result == "won" for seat in seats) for seats in each.values()],
            "drawn": [sum(seat.result == "drawn" for seat in seats) for seats in each.values()],
        }
        self._moved(_COUNT, params)

    def _moved(self, statement: str, params: dict[str, Any]) -> None:
        if self._db.run(statement, params) != [(1,)]:
            raise Overtaken(f"book {params['book']} is no longer where it was")
