"""A match as a file that anybody can judge anew, and the agreement that anybody may have it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple

from domain import match
from domain.audit.fingerprint import fingerprint
from domain.audit.reading import FORMAT, FORMAT_VERSION
from domain.game import Refused, Seat
from domain.match import Match
from eventstore.errors import NotFound
from eventstore.reader import Reader
from eventstore.reading import Reading
from eventstore.signing import signatures_of
from eventstore.store import in_chunks


class Agreement(NamedTuple):
    """How far those at the table are with publishing a match."""

    published: bool
    agreed: list[Seat]
    waiting: list[Seat]


def header(m: Match, names: match.Names, rules_version: int) -> dict[str, Any]:
    """What a bundle begins with. The seats are called as they are now; no event has a name. The number of the rules is
    the one that the log has: an edition can stand for several."""
    return {
        "format": FORMAT,
        "format_version": FORMAT_VERSION,
        "match": m.id,
        "game": m.game.slug,
        "rules_version": rules_version,
        "rules_fingerprint": fingerprint(m.game),
        "match_rules": m.match_rules,
        "options": dict(m.options),
        "seed_commitment": m.commitment,
        "seats": [
            {
                "kind": chair.kind,
                "player": chair.player,
                "level": chair.level,
                "name": match.called(n, chair.player, chair.level, names),
            }
            for n, chair in enumerate(m.chairs)
        ],
    }


def footer(m: Match, head: str, signatures: Sequence[dict[str, Any]]) -> dict[str, Any]:
    """What a bundle ends with."""
    seed = m.ended.server_seed if m.ended else None
    return {"end": {"version": m.version, "head": head, "server_seed": seed, "signatures": list(signatures)}}


class Auditing(Reading):
    def bundle(self, match_id: str, player: str | None, *, watches: bool = True) -> Iterator[dict[str, Any]]:
        """The lines of the bundle: what the match is, every event as the caller may see it, and what it came to."""
        warm, shown, seat = self.sight(match_id, player, watches)
        over = shown.status == "over"
        reader = Reader(shown, warm.seed, seat, over)
        signed = [one.as_json() for one in signatures_of(self.store.database, match_id)] if over else []

        def lines() -> Iterator[dict[str, Any]]:
            head = ""
            for stored in in_chunks(self.store, match_id, 0, shown.version):
                if not head:
                    yield header(shown, self.names(shown), stored.parts.public["rules_version"])
                head = stored.hash.hex()
                yield reader.reads(stored)
            yield footer(shown, head, signed)

        return lines()

    def publish(self, match_id: str, player: str, *, watches: bool = True) -> Agreement:
        """That this player agrees. It cannot be taken back, since what was read once is known."""
        m = self.sight(match_id, player, watches).match
        if not match.takes_part(m, player):
            raise NotFound(match_id)
        try:
            match.may_publish(m, player)
        except Refused as refusal:
            refusal.game, refusal.version = m.game.slug, m.version
            raise
        self.store.publications.agree(match_id, player, self.now())
        agreed = self.store.publications.agreed(match_id)
        seats = {seat: chair.player for seat, chair in enumerate(m.chairs) if chair.player is not None}
        return Agreement(
            m.published or match.whose_say(m) <= agreed,
            [seat for seat, whose in seats.items() if whose in agreed],
            [seat for seat, whose in seats.items() if whose not in agreed],
        )
