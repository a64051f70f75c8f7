"""What the ratings say: leaderboards, and the record of a player. Names are looked up when it is read."""

from __future__ import annotations

import datetime as dt
from collections.abc import Sequence
from typing import Any, Final, NamedTuple

from eventstore.db import Database
from eventstore.errors import NotFound
from eventstore.ratings import Subject

_NAME: Final = "CASE WHEN p.ended_at IS NULL THEN p.name END"  # null for whoever is no longer there
_BOOK: Final = "(SELECT max(book) FROM rating_books WHERE complete)"
_RATING: Final = "r.mu, r.sigma, r.points, r.matches, r.won, r.drawn, r.matches - r.won - r.drawn"
_FIGURES: Final = ("mu", "sigma", "points", "matches", "won", "drawn", "lost")

LEADERS: Final = f"""
SELECT r.kind, r.who, {_NAME}, {_RATING} FROM ratings r
LEFT JOIN players p ON p.player_id = CASE WHEN r.kind <> 'bot' THEN r.who::uuid END
WHERE r.book = {_BOOK} AND r.game = %(game)s AND r.kind = ANY (%(kinds)s::text[])
  AND (r.points < %(points)s OR r.points = %(points)s AND (r.kind, r.who) > (%(kind)s, %(who)s))
  AND r.points <= %(points)s
ORDER BY r.points DESC, r.kind, r.who LIMIT %(limit)s
"""
OF_PLAYER: Final = f"""
SELECT r.game, r.kind, {_RATING} FROM ratings r WHERE r.book = {_BOOK} AND r.who = %(who)s ORDER BY r.game, r.kind
"""
HISTORY: Final = f"""
SELECT c.match_id, c.game, c.kind, c.place, c.result, c.points, c.points_after, c.ended_at FROM rating_changes c
WHERE c.book = {_BOOK} AND c.who = %(who)s AND (%(game)s::text IS NULL OR c.game = %(game)s)
  AND (c.ended_at, c.match_id) < (%(ended_at)s::timestamptz, %(match)s::uuid)
ORDER BY c.ended_at DESC, c.match_id DESC LIMIT %(limit)s
"""
_CHANGE: Final = ("match", "game", "kind", "place", "result", "points_before", "points", "ended_at")
# Partners are not each other's opponents. Of a level at several seats each counts.
AGAINST: Final = f"""
SELECT count(*), count(*) FILTER (WHERE c.place < o.place), count(*) FILTER (WHERE c.place = o.place),
       count(*) FILTER (WHERE c.place > o.place)
FROM rating_changes c JOIN rating_changes o ON o.match_id = c.match_id AND o.book = c.book AND o.side <> c.side
WHERE c.book = {_BOOK} AND c.who = %(who)s AND (%(game)s::text IS NULL OR c.game = %(game)s)
  AND o.who = %(other)s AND o.kind = ANY (%(kinds)s::text[])
"""
PEOPLE: Final = ("human", "program")
END_OF_TIME: Final = dt.datetime(9999, 1, 1, tzinfo=dt.UTC)
LAST: Final = "ffffffff-ffff-ffff-ffff-ffffffffffff"


class Standing(NamedTuple):
    """Where somebody stands on a leaderboard, so that the next page can begin there."""

    points: int
    kind: str
    who: str
    passed: int
    rank: int


TOP: Final = Standing(2**31 - 1, "", "", 0, 0)


class Records:
    def __init__(self, database: Database) -> None:
        self._db = database

    def leaders(
        self, game: str, kinds: Sequence[str], after: Standing, limit: int
    ) -> list[tuple[dict[str, Any], Standing]]:
        """A piece of a leaderboard, and where each of its rows stands. Equal points share a rank."""
        told = {"game": game, "kinds": list(kinds), "limit": limit, **after._asdict()}
        found = []
        for kind, who, name, *figures in self._db.run(LEADERS, told):
            row = dict(zip(_FIGURES, figures, strict=True))
            rank = after.rank if row["points"] == after.points else after.passed + 1
            after = Standing(row["points"], kind, who, after.passed + 1, rank)
            found.append(({"rank": rank, **shown(Subject(kind, who), name), **row}, after))
        return found

    def player(self, player_id: str) -> dict[str, Any]:
        """Who it is, and the ratings in each game. Somebody who is no longer there is known by his record alone."""
        named = self._db.run(f"SELECT {_NAME} FROM players p WHERE p.player_id = %s", (player_id,))
        rows = self._db.run(OF_PLAYER, {"who": player_id})
        if not named and not rows:
            raise NotFound(player_id)
        name = named[0][0] if named else None
        found = [{"game": row[0], "kind": row[1], **dict(zip(_FIGURES, row[2:], strict=True))} for row in rows]
        return {"id": player_id, "name": name, "deleted": name is None, "ratings": found}

    def history(
        self, player_id: str, game: str | None, before: tuple[dt.datetime, str] | None, limit: int
    ) -> list[dict[str, Any]]:
        """The rated matches of a player, newest first."""
        ended_at, match = before or (END_OF_TIME, LAST)
        told = {"who": player_id, "game": game, "ended_at": ended_at, "match": match, "limit": limit}
        return [dict(zip(_CHANGE, (str(row[0]), *row[1:]), strict=True)) for row in self._db.run(HISTORY, told)]

    def against(self, player_id: str, other: Subject, game: str | None) -> dict[str, int]:
        """How a player came off against another, or against a level of bots, in rated matches."""
        kinds = ["bot"] if other.kind == "bot" else list(PEOPLE)
        told = {"who": player_id, "other": other.who, "kinds": kinds, "game": game}
        return dict(zip(("matches", "won", "drawn", "lost"), self._db.run(AGAINST, told)[0], strict=True))


def shown(one: Subject, name: str | None) -> dict[str, Any]:
    """Who it is, to be read: a player with the name of today, or a level of bots."""
    if one.kind == "bot":
        return {"kind": "bot", "player": None, "level": one.who, "name": f"Bot ({one.who})", "deleted": False}
    return {"kind": one.kind, "player": one.who, "level": None, "name": name, "deleted": name is None}
