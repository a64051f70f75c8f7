"""Commands of players: judged, appended, and answered once, however often they are sent."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Mapping
from typing import Any, Final, NamedTuple

from domain import match
from domain.game import Game, Refused, Seat, Unreadable
from domain.games import EDITIONS
from domain.match import Match, MatchView, Step
from domain.wire import names, read_command
from eventstore.chain import canonical
from eventstore.changes import REFUSALS, Changes
from eventstore.errors import DuplicateCommand, NotFound, Stale
from eventstore.permissions import seat_for
from eventstore.reader import Reader
from eventstore.reading import Legal, legal
from eventstore.states import Stand, Warm
from eventstore.store import Receipt

MOST_STEPS: Final = 50  # commands that are sent at once
COMMANDS: Final = {key: names(game.commands) for key, game in EDITIONS.items()}
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
    view: MatchView | None = None  # if the sender wants to see the match, and what may be done in it
    legal: Legal | None = None


class Asked(NamedTuple):
    """How a command is to be judged and answered."""

    key: str | None = None  # a retry gets the first answer instead of playing twice
    expected: int | None = None
    token: bytes | None = None
    words: bool = False
    view: bool = False
    dry_run: bool = False  # it is judged, and nothing comes of it


def receipt_for(prefix: str, key: str, body: Any) -> Receipt:
    """All may see the id of a command in the log; the key itself stays between its sender and us."""
    kept = hashlib.sha256(key.encode()).hexdigest()[:32]
    return Receipt(f"{prefix}/{kept}", hashlib.sha256(canonical(body)).digest())


def read_commands(game: Game[Any], body: Mapping[str, Any]) -> list[Any]:
    """A command, or several that are to be played as one."""
    known = COMMANDS[game.slug, game.version]
    if "steps" not in body or "type" in body:
        return [read_command(known, body)]
    steps, *others = body["steps"], *(name for name in body if name != "steps")
    if others:
        raise Unreadable(others[0], "does not go with steps")
    if not isinstance(steps, list) or not 1 <= len(steps) <= MOST_STEPS:
        raise Unreadable("steps", f"must be a list of 1 to {MOST_STEPS} commands")
    return [_read_step(known, number, step) for number, step in enumerate(steps)]


def _read_step(known: Mapping[str, type[Any]], number: int, step: Any) -> Any:
    if not isinstance(step, dict):
        raise Unreadable(f"steps.{number}", "must be an object with a type")
    try:
        return read_command(known, step)
    except Unreadable as objection:
        raise Unreadable(f"steps.{number}.{objection.field}", objection.text) from None


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
        view: bool = False,
        dry_run: bool = False,
    ) -> Answer:
        """A player's command of the game, or several at once.

        The append finds out if the token was revoked. What is not appended is refused only to a token that is good.
        """
        try:
            return self._play(match_id, player, body, Asked(key, expected, token, words, view, dry_run))
        except REFUSALS:
            self.store.check_token(token)
            raise

    def _play(self, match_id: str, player: str, body: Mapping[str, Any], asked: Asked) -> Answer:
        warm = self.warm(match_id)
        if warm.match.status == "open" or match.seat_of(warm.match, player) is None:
            warm = self.fresh(match_id)  # seats may have been taken and left through another process
        seat = seat_for(warm.match, player)
        commands = read_commands(warm.match.game, body)
        receipt = receipt_for(str(seat), asked.key, body) if asked.key else None

        def admit(current: Match) -> None:
            if match.seat_of(current, player) != seat:
                raise NotFound(match_id)

        def decide(current: Warm) -> Step:
            if "steps" in body:
                return match.play_all(current.match, seat, commands, current.seed)
            return match.play(current.match, seat, commands[0], current.seed)

        if asked.dry_run:
            return self._judged(match_id, admit, decide, asked)
        try:
            done = self.change(
                match_id,
                decide,
                admit=admit,
                warm=warm,
                receipt=receipt,
                expected=asked.expected,
                token=asked.token,
            )
        except DuplicateCommand:
            assert receipt is not None
            self.store.check_token(asked.token)
            return self._first_answer(match_id, seat, receipt, asked)
        names = self.store.names if asked.words else None
        reader = Reader(done.match, done.seed, seat, done.match.status == "over", names)
        answer = Answer(done.match.game.slug, done.match.version, [reader.reads(one) for one in done.events])
        if not asked.view:
            return answer
        return _with_view(answer, self.stands(done.match, match.of_seats(done.deadlines)), seat)

    def _judged(
        self, match_id: str, admit: Callable[[Match], None], decide: Callable[[Warm], Step], asked: Asked
    ) -> Answer:
        """That a command would be accepted now, and not what would come of it."""
        warm = self.fresh(match_id)
        admit(warm.match)
        if asked.expected not in (None, warm.match.version):
            raise Stale(warm.match.version)
        try:
            decide(warm)
        except Refused as refusal:
            refusal.by(warm.match.game)
            refusal.version = warm.match.version
            raise
        self.store.check_token(asked.token)
        return Answer(warm.match.game.slug, warm.match.version, [])

    def resign(self, match_id: str, player: str, token: bytes | None, *, expected: int | None = None) -> Stand:
        return self._from_a_seat(match_id, player, match.resign, token, expected)

    def come_back(self, match_id: str, player: str, token: bytes | None, *, expected: int | None = None) -> Stand:
        return self._from_a_seat(match_id, player, lambda m, seat, seed: match.come_back(m, seat), token, expected)

    def draw(
        self, match_id: str, player: str, action: str, token: bytes | None, *, expected: int | None = None
    ) -> Stand:
        return self._from_a_seat(match_id, player, DRAWS[action], token, expected)

    def _from_a_seat(
        self,
        match_id: str,
        player: str,
        decide: Callable[[Match, Seat, bytes], Step],
        token: bytes | None,
        expected: int | None,
    ) -> Stand:
        def admit(m: Match) -> Seat:
            return seat_for(m, player)

        return self.changed(
            match_id, admit, lambda warm: decide(warm.match, admit(warm.match), warm.seed), token, expected
        )

    def _first_answer(self, match_id: str, seat: Seat, receipt: Receipt, asked: Asked) -> Answer:
        kept = self.first(match_id, receipt)
        warm = self.fresh(match_id)
        events = self.store.read(match_id, kept.first_version - 1, kept.last_version)
        # As it was then: what the end of the match opens was still closed, unless this command brought the end.
        ended = events[-1].parts.type == "match_ended"
        reader = Reader(warm.match, warm.seed, seat, ended, self.store.names if asked.words else None)
        answer = Answer(warm.match.game.slug, kept.last_version, [reader.reads(one) for one in events])
        if not asked.view:
            return answer
        return _with_view(answer, self.stand(self.at_version(match_id, kept.last_version)), seat)


def _with_view(answer: Answer, stand: Stand, seat: Seat) -> Answer:
    return answer._replace(view=stand.view(seat), legal=legal(stand.match, seat))
