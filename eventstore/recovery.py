"""Recovery codes: how a player whose tokens are lost gets back to the account."""

from __future__ import annotations

import datetime as dt
import hashlib
import hmac
import secrets
import uuid
from collections.abc import Callable, Sequence
from typing import Any, Final

from eventstore.db import Database
from eventstore.errors import NotFound, TooOften
from eventstore.networks import network

# Crockford's alphabet has no letters that look like digits. 25 of them are 125 bits: nobody guesses them, and a plain
# hash of them cannot be turned back.
ALPHABET: Final = "0123456789ABCDEFGHJKMNPQRSTVWXYZ"
MISREAD: Final = str.maketrans({"O": "0", "I": "1", "L": "1", "-": None, " ": None})
GROUPS, LETTERS = 5, 5

WINDOW: Final = dt.timedelta(hours=1)  # from the first guess on; later ones do not make it longer
FROM_AN_ADDRESS: Final = 10
AT_A_PLAYER: Final = 100

SET: Final = "UPDATE players SET recovery_hash = %(next)s WHERE player_id = %(player)s AND ended_at IS NULL RETURNING 1"
KEPT: Final = "SELECT recovery_hash FROM players WHERE player_id = %(player)s AND ended_at IS NULL"
# A code works once, however many send it at the same time.
RECOVER: Final = """
WITH found AS (
    UPDATE players SET recovery_hash = %(next)s
    WHERE player_id = %(player)s AND recovery_hash = %(given)s AND ended_at IS NULL
    RETURNING player_id, name, created_at
), made AS (
    INSERT INTO tokens (token_hash, token_id, player_id, scopes, label, created_at)
    SELECT %(hash)s, %(token_id)s, player_id, %(scopes)s, 'recovered', %(now)s FROM found
)
SELECT name, created_at FROM found
"""
# A token that was being made at that moment is not yet seen by the first statement, but by the next.
REVOKE_OTHERS: Final = """
UPDATE tokens SET revoked_at = %(now)s WHERE player_id = %(player)s AND token_id <> %(token_id)s AND revoked_at IS NULL
RETURNING token_id
"""
COUNT: Final = """
INSERT INTO recovery_guesses AS g (who, since, guesses) VALUES (%(who)s, %(now)s, 1)
ON CONFLICT (who) DO UPDATE SET
    guesses = CASE WHEN g.since > %(before)s THEN g.guesses + 1 ELSE 1 END,
    since = CASE WHEN g.since > %(before)s THEN g.since ELSE %(now)s END
RETURNING guesses, since
"""
TAKE_BACK: Final = "UPDATE recovery_guesses SET guesses = guesses - 1 WHERE who = %(who)s"
SWEEP: Final = "DELETE FROM recovery_guesses WHERE since < %(before)s"


def new_code() -> str:
    """
    >>> len(new_code())
    29
    """
    return "-".join("".join(secrets.choice(ALPHABET) for _ in range(LETTERS)) for _ in range(GROUPS))


def hash_of_code(code: str) -> bytes:
    """However it was typed.

    >>> hash_of_code("ABCD0-1") == hash_of_code("abc dol")
    True
    """
    return hashlib.sha256(code.upper().translate(MISREAD).encode()).digest()


class Recovery:
    def __init__(self, database: Database, *, now: Callable[[], dt.datetime] = lambda: dt.datetime.now(dt.UTC)) -> None:
        self._db, self._now = database, now

    def fresh_code(self, player: str) -> str:
        """A new code, which takes the place of the one before."""
        code = new_code()
        if not self._db.run(SET, {"player": player, "next": hash_of_code(code)}):
            raise NotFound(player)
        return code

    def recover(
        self, player: str, code: str, address: str, scopes: Sequence[str], *, revoke_others: bool
    ) -> dict[str, Any]:
        """A new token and a new code for whoever has the code. Guesses are counted before they are looked at."""
        counted = self._count(player, network(address))
        given = hash_of_code(code)
        rows = self._db.run(KEPT, {"player": player})
        kept = rows[0][0] if rows else None
        if not hmac.compare_digest(kept or bytes(len(given)), given):
            raise NotFound("no such code")
        token, token_id, next_code = secrets.token_urlsafe(32), str(uuid.uuid4()), new_code()
        named = {"player": player, "token_id": token_id, "now": self._now()}
        changed = {
            "given": given,
            "next": hash_of_code(next_code),
            "hash": hashlib.sha256(token.encode()).digest(),
            "scopes": list(scopes),
        }
        found = self._db.run(RECOVER, named | changed)
        if not found:
            raise NotFound("no such code")
        while revoke_others and self._db.run(REVOKE_OTHERS, named):
            pass
        for who in counted:
            self._db.run(TAKE_BACK, {"who": who})
        name, created_at = found[0]
        return {"id": player, "name": name, "created_at": created_at, "token": token, "recovery_code": next_code}

    def _count(self, player: str, address: str) -> tuple[str, str]:
        """Counts a guess. An address that has not guessed wrong within the hour is heard whatever others have done:
        strangers who guess all day do not lock the owner out."""
        here, there = f"address {address}", f"player {player}"
        from_here, until = self._counted(here)
        if from_here > FROM_AN_ADDRESS:
            raise TooOften("too many wrong codes came from your address", self._seconds(until))
        at_player, until = self._counted(there)
        if at_player > AT_A_PLAYER and from_here > 1:
            raise TooOften("too many wrong codes came for this player", self._seconds(until))
        return here, there

    def _counted(self, who: str) -> tuple[int, dt.datetime]:
        now = self._now()
        guesses, since = self._db.run(COUNT, {"who": who, "now": now, "before": now - WINDOW})[0]
        return guesses, since + WINDOW

    def _seconds(self, until: dt.datetime) -> int:
        return max(1, int((until - self._now()).total_seconds()))

    def sweep(self) -> None:
        """Forgets guesses of more than an hour ago."""
        self._db.run(SWEEP, {"before": self._now() - WINDOW})
