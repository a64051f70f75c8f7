"""A replay takes short cuts from step to step. Here every step is also worked out by itself, the long way."""

from __future__ import annotations

import datetime as dt
import itertools
import json
import uuid
from collections.abc import Iterator, Sequence
from typing import Any, Final, NamedTuple

import orjson
import pytest

from api.app import Services
from domain import log, match
from domain.game import ALL, Game, Seat
from domain.games import GAMES
from domain.match import Match
from domain.match.story import remarkable, sentence
from domain.upcast import upcast
from eventstore import replaying
from eventstore.chain import Stored, instant, redacted
from eventstore.service import Matches
from tests.audit.corpus import Table

SOON: Final = dt.timedelta(seconds=60)
TIMES: Final = (None, 60)  # a table without deadlines, and one with


class Kept(NamedTuple):
    """A match in the store, and what it is to be compared with."""

    table: Table
    states: Sequence[Match]  # after each event
    names: dict[str, str]
    stranger: str


def kept(parlor: Services, game: Game[Any], turn_seconds: int | None) -> Kept:
    """A match with everything that happens at tables: people who go, come back, resign, and let their time run out."""
    names = {}
    for n in range(14):
        player, _ = parlor.players.sign_up(("{seat}", "Zo\u00eb", "Mo")[n % 3] + str(n))
        names[player["id"]] = player["name"]
    *people, stranger = names
    terms = {"turn_seconds": turn_seconds, "spectators": True}
    table = Table(game, 7, people, str(uuid.uuid4()), **terms)
    table.play_out()
    classes = match.event_classes(game)
    states: list[Match] = []
    for one in table.log:
        happened = log.read(classes, upcast(game.slug, one.parts, one.schema), one.actor)
        states.append(match.evolve(states[-1], happened) if states else match.opened(game, happened.event))
    return Kept(table, states, names, stranger)


def stored(parlor: Services, found: Kept, upto: int, after: int = 0) -> None:
    """Writes the log up to a version, as it came about."""
    store, states = parlor.matches.store, found.states
    for _, one_command in itertools.groupby(found.table.log[after:upto], key=lambda one: one.command_id):
        events = list(one_command)
        if events[0].version == 1:
            store.open(states[0], found.table.seed, events)
        else:
            store.append(states[events[0].version - 2], states[events[-1].version - 1], events)


def deadlines(found: Kept, now: Match) -> dict[Seat, str]:
    if now.turn_seconds is None:
        return {}
    began = {one.version: one.at for one in found.table.log}
    return {seat: instant(began[now.since[seat]] + SOON) for seat in match.waiting_humans(now)}


def long_way(found: Kept, final: Match, eyes: Seat | None) -> Iterator[dict[str, Any]]:
    """Each step from the log and the state at its version alone."""
    called = match.at_table(final, found.names)
    for one, now in zip(found.table.log[: final.version], found.states, strict=False):
        bare = one._replace(closed=None)
        event = redacted(bare, final.id, found.table.seed, None if eyes == ALL else eyes, eyes == ALL)
        kind, _, seat = one.actor.partition(":")
        yield {
            "version": one.version,
            "event": event,
            "words": sentence(final.game, one.parts, eyes, called_then(found, one, called)),
            "actor": {"kind": kind, "seat": int(seat) if seat else None, "name": called[int(seat)] if seat else None},
            "remarkable": one.parts.type in remarkable(final.game),
            "view": match.view(now, eyes, found.names, deadlines(found, now)),
        }


def called_then(found: Kept, one: Stored, called: Sequence[str]) -> Sequence[str]:
    """Who sits down is called by name, also if another has the seat by now."""
    if one.parts.type != "seat_taken":
        return called
    seat, player = one.parts.public["seat"], one.parts.public["player"]
    return [found.names[player] if n == seat else name for n, name in enumerate(called)]


def written(step: dict[str, Any]) -> bytes:
    return orjson.dumps(step)


def compared(parlor: Services, found: Kept, player: str, eyes: Seat | None, as_seat: Seat | None = None) -> None:
    service = Matches(parlor.matches.store)
    final = service.fresh(found.table.now.id).match
    told = [step for page in service.replay(final.id, player, as_seat=as_seat) for step in page]
    assert len(told) == final.version
    for step, plain in zip(told, long_way(found, final, eyes), strict=True):
        assert written(step) == written(plain), json.dumps([step, plain], indent=1, default=str)


@pytest.mark.parametrize("turn_seconds", TIMES, ids=("without deadlines", "with deadlines"))
@pytest.mark.parametrize("game", GAMES, ids=lambda game: game.slug)
def test_every_step_is_to_the_byte_what_its_version_says_by_itself(
    parlor: Services, monkeypatch: pytest.MonkeyPatch, game: Game[Any], turn_seconds: int | None
) -> None:
    """For each seat and for who watches while the match is on, and afterwards for the open table too."""
    monkeypatch.setattr(replaying, "PAGE", 37)  # so that pages end in the middle of things
    found = kept(parlor, game, turn_seconds)
    newest = found.table.now.version
    stored(parlor, found, newest - 1)
    people = found.table.people
    for seat, player in enumerate(people[:-1]):
        compared(parlor, found, player, seat)
    compared(parlor, found, found.stranger, None)
    stored(parlor, found, newest, after=newest - 1)
    for seat in range(len(people)):
        compared(parlor, found, people[0], seat, as_seat=seat)
    compared(parlor, found, found.stranger, None)
    compared(parlor, found, people[0], ALL, as_seat=ALL)
