"""How soon a bot acts tells nothing about its hand: a move without a choice takes as long as one with."""

from __future__ import annotations

import datetime as dt
import uuid

import pytest

from api.app import Services
from domain.match import Place, open_to_bot, waiting_bots
from eventstore.service import Matches
from tests.workers.crew import due_turn
from workers.bots import think
from workers.turns import Turns

pytestmark = pytest.mark.usefixtures("nothing_else")

PERSON = Place("human", str(uuid.UUID(int=7)), None, "")
STRONG = Place("bot", None, "strong", "")
BEGAN = dt.datetime(2030, 1, 1, tzinfo=dt.UTC)


class Table:
    """A match of Flique between a person and a bot that searches, on a clock that moves only while the bot is waited
    for. The bot takes any command, and no time of its own."""

    def __init__(self, parlor: Services, server_ms: int, table_ms: int | None) -> None:
        self.now, self._database = BEGAN, parlor.database
        allowed = max(server_ms, table_ms or 0)
        self.matches = Matches(parlor.matches.store, now=lambda: self.now, thinking_ms=allowed)
        opened = self.matches.open(
            "flique", host=str(PERSON.player), seats=(PERSON, STRONG), options={}, thinking_ms=table_ms
        )
        self.id = opened.id
        self.matches.thinking_ms = server_ms  # the operator may have taken time back since
        self.matches.start(self.id, str(PERSON.player), None)

    def waits(self) -> dict[bool, set[int]]:
        """The milliseconds that the bot waits before it acts, where it has a choice and where it has none."""
        found: dict[bool, set[int]] = {True: set(), False: set()}
        turns = Turns(self.matches, lambda *given, **how: think(*given, **how, most_ms=1), now=lambda: self.now)
        while (m := self.matches.fresh(self.id).match).status == "playing":
            if not waiting_bots(m):
                person = str(PERSON.player)
                self.matches.play(self.id, person, self.matches.legal(self.id, person)[0][0])
                continue
            began, choice = self.now, len(open_to_bot(m, 1)) > 1
            turn = due_turn(self.matches, self.id, self.now)
            if turn is None:
                self.now = self._ready_at()
                turn = due_turn(self.matches, self.id, self.now)
            assert turn is not None and turns.take(turn)
            found[choice].add(round((self.now - began).total_seconds() * 1000))
        return found

    def _ready_at(self) -> dt.datetime:
        at: dt.datetime = self._database.run("SELECT ready_at FROM bot_turns WHERE match_id = %s", (self.id,))[0][0]
        return at


@pytest.mark.parametrize(
    ("server_ms", "table_ms", "thinks_ms"),
    [(600, None, 600), (150, None, 150), (2_000, None, 2_000), (600, 80, 80), (50, 600, 50)],
)
def test_with_a_person_seated_a_forced_move_takes_the_time_that_a_thought_may_take(
    parlor: Services, server_ms: int, table_ms: int | None, thinks_ms: int
) -> None:
    """Also the second of two in a row, and whatever the operator and the table have set."""
    waits: dict[bool, set[int]] = {True: set(), False: set()}
    while not all(waits.values()):  # a short match may have no choice, or nothing else
        for choice, found in Table(parlor, server_ms, table_ms).waits().items():
            waits[choice] |= found
    assert waits[True] == {0}, "where there is a choice the search itself takes the time"
    assert waits[False] == {thinks_ms}
