"""Commands of players: judged, appended, and answered once, however often they are sent."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Mapping
from typing import Any, Final, NamedTuple

from domain import match
from domain.game import Seat
from domain.games import BY_SLUG
from domain.match import Match, Step
from domain.wire import names, read_command
from eventstore.chain import canonical
from eventstore.changes import REFUSALS, Changes, Done
from eventstore.errors import DuplicateCommand, KeyReused, NotFound, Unavailable
from eventstore.permissions import seat_for
from eventstore.reader import Reader
from eventstore.states import Warm
from eventstore.store import Receipt

COMMANDS: Final = {slug: names(game.commands) for slug, game in BY_SLUG.items()}
DRAWS: Final[Mapping[str, Callable[[Match, Seat, bytes], Step]]] = {
    "offer": match.offer_draw,
    "withdraw": match.withdraw_draw,
    "accept": lambda m, seat, seed: match.answer_draw(m, seat, True, seed),
    "decline": lambda m, seat, seed: match.answer_draw(m, seat, False, seed),
}


class Answer(NamedTuple):
    """What an accepted command brought about, as its sender may see it."""

    game: str
    version: int
    events: list[dict[str, Any]]


class Commands(Changes):
    def play(
        self,
        match_id: str,
        player: str,
        body: Mapping[str, Any],
        *,
        key: str | None = None,
        expected: int | None = None,
        token: bytes | None = None,
        words: bool = False,
    ) -> Answer:
        """A player's command of the game. With a key, a retry gets the first answer instead of playing twice.

        The append finds out if the token was revoked. What is not appended is refused only to a token that is good.
        """
        try:
            return self._play(match_id, player, body, key, expected, token, words)
        except REFUSALS:
            self.store.check_token(token)
            raise

    def _play(
        self,
        match_id: str,
        player: str,
        body: Mapping[str, Any],
        key: str | None,
        expected: int | None,
        token: bytes | None,
        words: bool,
    ) -> Answer:
        warm = self.warm(match_id)
        if warm.match.status == "open" or match.seat_of(warm.match, player) is None:
            warm = self.fresh(match_id)  # seats may have been taken and left through another process
        seat = seat_for(warm.match, player)
        command = read_command(COMMANDS[warm.match.game.slug], body)
        # All may see the id of a command in the log; the key itself stays between its sender and us.
        kept = hashlib.sha256((key or "").encode()).hexdigest()[:32]
        receipt = Receipt(f"{seat}/{kept}", hashlib.sha256(canonical(body)).digest()) if key else None

        def admit(current: Match) -> None:
            if match.seat_of(current, player) != seat:
                raise NotFound(match_id)

        def decide(current: Warm) -> Step:
            return match.play(current.match, seat, command, current.seed)

        try:
            done = self.change(
                match_id, decide, admit=admit, warm=warm, receipt=receipt, expected=expected, token=token
            )
        except DuplicateCommand:
            assert receipt is not None
            self.store.check_token(token)
            return self._first_answer(match_id, seat, receipt, words)
        return self._answer(done, seat, words)

    def resign(self, match_id: str, player: str, token: bytes | None, *, expected: int | None = None) -> Match:
        return self._from_a_seat(match_id, player, match.resign, token, expected)

    def come_back(self, match_id: str, player: str, token: bytes | None, *, expected: int | None = None) -> Match:
        return self._from_a_seat(match_id, player, lambda m, seat, seed: match.come_back(m, seat), token, expected)

    def draw(
        self, match_id: str, player: str, action: str, token: bytes | None, *, expected: int | None = None
    ) -> Match:
        return self._from_a_seat(match_id, player, DRAWS[action], token, expected)

    def _from_a_seat(
        self,
        match_id: str,
        player: str,
        decide: Callable[[Match, Seat, bytes], Step],
        token: bytes | None,
        expected: int | None,
    ) -> Match:
        def admit(m: Match) -> Seat:
            return seat_for(m, player)

        return self.changed(
            match_id, admit, lambda warm: decide(warm.match, admit(warm.match), warm.seed), token, expected
        )

    def _first_answer(self, match_id: str, seat: Seat, receipt: Receipt, words: bool) -> Answer:
        kept = self.store.accepted(match_id, receipt.command_id)
        if kept is None:
            raise Unavailable("the first answer cannot be read yet")
        if kept.digest != receipt.digest:
            raise KeyReused
        warm = self.fresh(match_id)
        events = self.store.read(match_id, kept.first_version - 1, kept.last_version)
        # As it was then: what the end of the match opens was still closed, unless this command brought the end.
        ended = events[-1].parts.type == "match_ended"
        reader = Reader(warm.match, warm.seed, seat, ended, words)
        return Answer(warm.match.game.slug, kept.last_version, [reader.reads(one) for one in events])

    @staticmethod
    def _answer(done: Done, seat: Seat, words: bool) -> Answer:
        reader = Reader(done.match, done.seed, seat, done.match.status == "over", words)
        return Answer(done.match.game.slug, done.match.version, [reader.reads(one) for one in done.events])
