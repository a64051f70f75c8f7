"""Around a match: invitations to it, notes left at its table, and the match that follows it."""

from __future__ import annotations

import datetime as dt
import uuid

from domain import match
from domain.game import Refused, Seat
from domain.match import Match, Terms
from eventstore import departures
from eventstore.errors import DuplicateCommand, NotFound
from eventstore.invitations import Invitation
from eventstore.lobby import Lobby
from eventstore.notes import Note
from eventstore.permissions import admit
from eventstore.store import Receipt


class Hosting(Lobby):
    # ── Invitations ──

    def invite(
        self,
        match_id: str,
        player: str,
        *,
        seat: Seat | None = None,
        uses: int = 1,
        seconds: int | None = None,
        watches: bool = True,
    ) -> tuple[Invitation, str]:
        """An invitation to a table that has not started, and its code."""
        m = self._hosted(match_id, player, watches)
        if m.status != "open":
            raise self._judged_at(m, Refused("PM-15", "wrong_phase", "the match has started"))
        if seat is not None and not 0 <= seat < len(m.chairs):
            raise self._judged_at(m, Refused("PM-15", "no_such_seat", f"the table has no seat {seat}"))
        now = self.now()
        expires_at = None if seconds is None else now + dt.timedelta(seconds=seconds)
        try:
            return self.store.invitations.make(match_id, seat, uses, now, expires_at)
        except Refused as refusal:
            raise self._judged_at(m, refusal) from None

    def invitations(self, match_id: str, player: str, *, watches: bool = True) -> list[Invitation]:
        self._hosted(match_id, player, watches)
        return self.store.invitations.of(match_id)

    def uninvite(self, match_id: str, player: str, invitation_id: str, *, watches: bool = True) -> None:
        self._hosted(match_id, player, watches)
        self.store.invitations.revoke(match_id, invitation_id, self.now())

    def _hosted(self, match_id: str, player: str, watches: bool) -> Match:
        """A match that this player has opened. Others are told no more than they can see."""
        m = self.fresh(match_id).match
        admit(m, player, watches)
        if m.host != player:
            known = match.in_the_lobby(m) if match.watches_late(m, player) else m
            raise self._judged_at(known, Refused("PM-15", "not_the_host", "only the host invites to the table"))
        return m

    @staticmethod
    def _judged_at(m: Match, refusal: Refused) -> Refused:
        refusal.by(m.game)
        refusal.version = m.version
        return refusal

    # ── Notes ──

    def leave_note(self, match_id: str, player: str, text: str) -> Note:
        m = self._at_its_table(match_id, player)
        try:
            match.may_leave_note(m)
            return self.store.notes.leave(match_id, player, match.seat_of(m, player), text, self.now())
        except Refused as refusal:
            raise self._judged_at(m, refusal) from None

    def notes(self, match_id: str, player: str, after: tuple[dt.datetime, str] | None, limit: int) -> list[Note]:
        self._at_its_table(match_id, player)
        return self.store.notes.read(match_id, after, limit)

    def _at_its_table(self, match_id: str, player: str) -> Match:
        m = self.fresh(match_id).match
        if not match.takes_part(m, player):
            raise NotFound(match_id)
        return m

    # ── Rematch ──

    def rematch(
        self, match_id: str, player: str, token: bytes | None, *, receipt: Receipt | None = None, watches: bool = True
    ) -> tuple[Match, bool]:
        """The one match that follows this one, whoever asks for it and however often; and whether it is new."""
        m = self.fresh(match_id).match
        admit(m, player, watches)
        try:
            match.may_rematch(m, player)
        except Refused as refusal:
            shown = match.in_the_lobby(m) if match.watches_late(m, player) else m
            raise self._judged_at(shown, refusal) from None
        if self.store.rematches.of(match_id) is None:
            self._count_matches(player)  # whoever may open none shall not be agreed on as the one who does
        # Nobody can work its id out: that there is one tells those who see the match later that it is over.
        found, host = self.store.rematches.agree(match_id, str(uuid.uuid4()), player, self.now())
        try:
            known = self.fresh(found).match
        except NotFound:
            try:
                return self._follow(m, found, host, player, token, receipt), True
            except DuplicateCommand:  # another was faster
                known = self.fresh(found).match
        if receipt is not None and self.store.accepted(found, receipt.command_id) is not None:
            return self.first_stand(found, receipt).match, True
        admit(known, player, watches)  # who has lost the seat, or has left it, may not see how the others go on
        return known, False

    def _follow(
        self, m: Match, match_id: str, host: str, asks: str, token: bytes | None, receipt: Receipt | None
    ) -> Match:
        gone = departures.gone(self.store.database, {host, *match.people(m)})
        if host in gone:  # who asked first, and has not come to open it
            host = asks
        terms: Terms = {
            "spectators": m.spectators,
            "open_to_all": m.open_to_all,
            "spectator_delay": m.spectator_delay,
            "private": m.private,
            "notes": m.notes,
            "turn_seconds": m.turn_seconds,
            "thinking_ms": m.thinking_ms,
            # Who played for nothing goes on so. What was rated is so again, as long as it can be.
            "rated": None if m.rated else False,
            "published": m.published,
        }
        seats = match.seats_of_rematch(m, host, gone)
        return self.open(
            m.game.slug,
            host=host,
            seats=seats,
            options=m.options,
            token=token,
            match_id=match_id,
            receipt=receipt,
            **terms,
        )
