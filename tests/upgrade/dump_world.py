"""The people of a 0.1.0 server and the tables they sit at, for `make_dump.py`."""

from __future__ import annotations

import datetime as dt
import itertools
import random
from collections.abc import Callable
from typing import Any, NamedTuple

from api.app import Services, create_app
from domain import match as matches_of
from domain.game import Template
from domain.match import Match
from domain.wire import write_command
from eventstore.db import Database
from eventstore.embedded import Postgres, Valkey
from eventstore.players import Players
from eventstore.service import Matches
from eventstore.settings import Settings
from eventstore.store import EventStore
from workers.bell import Bell, connect

CLOCK = -2
NAMES = ("Ada", "Ben", "Cleo", "Dora", "Emil", "Fay", "Gus", "Hope", "Ivo", "Joan", "Kit", "Lena", "Max", "Nora")
STRANGER = NAMES[-1]


class Clock:
    """Time in the hands of the script: a day ago at the start, a little later at each look."""

    def __init__(self) -> None:
        self._now = dt.datetime.now(dt.UTC) - dt.timedelta(days=1)

    def __call__(self) -> dt.datetime:
        self._now += dt.timedelta(milliseconds=37)
        return self._now

    def forward(self, seconds: float) -> None:
        self._now += dt.timedelta(seconds=seconds)


class Move(NamedTuple):
    seat: int  # or the clock
    command: Any


class World:
    """Everything the script works with, and what it notes for the tests."""

    def __init__(self, postgres: Postgres, valkey: Valkey) -> None:
        self.clock = Clock()
        self.database = Database(postgres.url)
        self.store = EventStore(self.database)
        self.matches = Matches(self.store, ring=Bell(valkey.url), now=self.clock)
        parlor = Services(self.database, Players(self.database), self.matches, connect(valkey.url))
        self.client = create_app(parlor, Settings()).test_client()
        self.rng = random.Random("0.1.0")
        self.people: dict[str, dict[str, Any]] = {}
        self.kept: list[dict[str, Any]] = []
        self.receipts: list[dict[str, Any]] = []
        self._keys = itertools.count()
        self._turn = itertools.count()

    # ── People and their tokens ─────────────────────────────────────────────────────────────────────────────────

    def ask(self, method: str, path: str, name: str | None, wanted: int, body: Any = None, **headers: str) -> Any:
        if name is not None:
            headers["Authorization"] = f"Bearer {self.token(name)}"
        given = {} if body is None else {"json": body}
        answer = self.client.open(path, method=method, headers=headers, **given)
        assert answer.status_code == wanted, (method, path, body, answer.status_code, answer.data)
        return answer.get_json() if answer.data and answer.is_json else answer.data

    def token(self, name: str) -> str:
        """The oldest good token that may do everything."""
        return next(
            token["token"]
            for token in self.people[name]["tokens"]
            if not token["revoked"] and "match:create" in token["scopes"]
        )

    def sign_up(self, name: str) -> None:
        made = self.ask("POST", "/v1/players", None, 201, {"name": name})
        first = {"token": made["token"], "label": "first", "scopes": made["scopes"], "revoked": False}
        self.people[name] = {"id": made["id"], "name": name, "tokens": [first]}
        first["id"] = self.ask("GET", "/v1/tokens", name, 200)["tokens"][0]["id"]

    def issue(self, name: str, label: str, *scopes: str) -> None:
        made = self.ask("POST", "/v1/tokens", name, 201, {"label": label, "scopes": list(scopes)})
        kept = {key: made[key] for key in ("id", "token", "label", "scopes")}
        self.people[name]["tokens"].append({**kept, "revoked": False})

    def revoke(self, name: str, label: str) -> None:
        token = next(token for token in self.people[name]["tokens"] if token["label"] == label)
        self.ask("DELETE", f"/v1/tokens/{token['id']}", name, 204)
        token["revoked"] = True

    def settle_in(self) -> None:
        everything = ("match:read", "match:play", "match:create", "bot:play")
        for name in NAMES:
            self.sign_up(name)
        self.issue("Ada", "telephone", "match:read", "match:play")
        self.issue("Ada", "engine", "bot:play")
        self.issue("Ben", "desk", *everything)  # the first is lost, the next takes its place
        self.issue("Ben", "watch", "match:read")
        self.revoke("Ben", "first")
        self.issue("Dora", "old engine", "bot:play")
        self.issue("Dora", "desk", *everything)
        self.revoke("Dora", "old engine")
        self.issue("Emil", "desk", "match:read")
        self.issue("Emil", "second desk", *everything)
        self.issue("Emil", "third desk", "match:read", "match:play", "match:create")

    def lock_out(self) -> None:
        """At the end, for nothing can be done with these afterwards: one keeps a narrow token only, one has none."""
        for name, label in (("Old Tom", "first"), ("Old Una", "first")):
            self.sign_up(name)
            if name == "Old Tom":
                self.issue(name, "engine", "bot:play")
                self.issue(name, "reader", "match:read")
            self.revoke(name, label)

    # ── Matches ─────────────────────────────────────────────────────────────────────────────────────────────────

    def company(self, count: int) -> list[str]:
        """So many people, others each time."""
        start = next(self._turn)
        pool = [name for name in NAMES if name != STRANGER]
        return [pool[(start + n) % len(pool)] for n in range(count)]

    def open(self, game: str, seats: list[Any], host: str, options: dict[str, Any], **more: Any) -> str:
        body = {"game": game, "seats": seats, "options": options, **more}
        return str(self.ask("POST", "/v1/matches", host, 201, body)["id"])

    def table(self, game: str, people: list[str], bots: int, options: dict[str, Any], **more: Any) -> str:
        """A started match: people first, the second of them invited, then bots."""
        invited = [{"kind": "player", "player": self.people[name]["id"]} for name in people[1:2]]
        seats = [{"kind": "me"}, *invited, *[{"kind": "open"}] * (len(people) - 2), *[{"kind": "bot"}] * bots]
        found = self.open(game, seats, people[0], options, client_seed=f"seed-of-{people[0]}", **more)
        for name in people[1:]:
            self.ask("POST", f"/v1/matches/{found}/join", name, 200, {"client_seed": f"seed-of-{name}"})
        self.ask("POST", f"/v1/matches/{found}/start", people[0], 200)
        return found

    def now(self, match_id: str) -> Match:
        return self.matches._fresh(match_id).match

    def at_seat(self, m: Match, seat: int) -> str:
        return next(name for name, one in self.people.items() if one["id"] == m.chairs[seat].player)

    def foreseen(self, match_id: str, rng: random.Random) -> list[Move]:
        """A whole match of random commands, played in the head only: the seed is known here."""
        warm = self.matches._fresh(match_id)
        m, moves = warm.match, list[Move]()
        while m.status == "playing":
            move = chosen(m, rng)
            moves.append(move)
            if move.seat == CLOCK:
                m = matches_of.time_up(m, warm.seed).match
            else:
                m = matches_of.play(m, move.seat, move.command, warm.seed, by_bot=True).match
        self._foreseen_events = m.version
        return moves

    def plan(self, match_id: str, wanted: Callable[[int], float], tries: int = 12) -> list[Move]:
        """Of some foreseen matches the one whose number of events is wanted most (the smallest value)."""
        found = []
        for number in range(tries):
            moves = self.foreseen(match_id, random.Random(f"{match_id} {number}"))
            found.append((wanted(self._foreseen_events), number, moves))
        return min(found, key=lambda one: one[:2])[2]

    def do(self, match_id: str, moves: list[Move], *, keys: bool = True) -> None:
        for number, move in enumerate(moves):
            m = self.now(match_id)
            if move.seat == CLOCK:
                self.ring(match_id)
            elif m.chairs[move.seat].kind == "bot":
                assert self.matches.bot_turn(match_id, lambda *_, planned=move.command: planned)
            else:
                key = f"key-{next(self._keys)}" if keys and number % 9 in (0, 5) else None
                self.send(match_id, self.at_seat(m, move.seat), write_command(move.command), key)

    def send(self, match_id: str, name: str, body: dict[str, Any], key: str | None) -> None:
        headers = {"Idempotency-Key": key, "If-Match": f'"{self.now(match_id).version}"'} if key else {}
        answer = self.ask("POST", f"/v1/matches/{match_id}/commands", name, 200, body, **headers)
        if key:
            self.receipts.append({"match": match_id, "player": name, "key": key, "body": body, "answer": answer})

    def ring(self, match_id: str) -> None:
        wake = self.matches._fresh(match_id).wake
        assert wake.at is not None
        self.clock.forward(max(0.0, (wake.at - self.clock()).total_seconds()) + 0.1)
        assert self.matches.time_up(match_id)

    def keep(self, match_id: str, story: str) -> None:
        """The end of what is done to a match. What its players see of it is noted when all of them stand still."""
        self.kept.append({"id": match_id, "game": self.now(match_id).game.slug, "story": story})


def chosen(m: Match, rng: random.Random) -> Move:
    """A bot whose turn it is, or a person; in Goat now and then the clock. As a bot of the service would be chosen."""
    bots, people = matches_of.waiting_bots(m), matches_of.waiting_humans(m)
    if m.game.alarm(m.table) is not None and ((not bots and not people) or rng.random() < 0.1):
        return Move(CLOCK, None)
    seat = bots[0] if bots and (not people or rng.random() < 0.5) else rng.choice(people)
    command = rng.choice(list(matches_of.open_to_bot(m, seat)))
    return Move(seat, command.sample(rng.randrange) if isinstance(command, Template) else command)
