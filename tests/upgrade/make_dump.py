"""Fills a database of 0.1.0 over its HTTP API and dumps it. It ran once, against the code of 0.1.0 (commit 4bb3022):

    git worktree add /tmp/parlor-0.1.0 4bb3022
    PYTHONPATH=/tmp/parlor-0.1.0 python tests/upgrade/make_dump.py tests/upgrade

What it left is `parlor-0.1.0.sql.gz`, the database as `pg_dump` wrote it, and `parlor-0.1.0.json.gz`, what the players
knew at that moment: their tokens, their views of every match, and answers that a retry must get again. Both are
frozen. A later release gets a dump and a script of its own; this one is kept to tell what is in the first.
"""

from __future__ import annotations

import collections
import datetime as dt
import gzip
import hashlib
import json
import pathlib
import random
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from typing import Any

import orjson
from dump_world import STRANGER, Move, World, chosen

from domain import match as matches_of
from domain.game import Game, options_of
from domain.games import GAMES
from domain.match import Match
from eventstore.embedded import Postgres, Valkey, postgres_program
from eventstore.migrate import migrate, migrations
from eventstore.service import EVENTS_WORTH_A_SNAPSHOT, Matches
from tests.domain import playing

# Short matches, so that the rest of each can be played in a test.
QUICK: dict[str, dict[str, Any]] = {game.slug: dict(playing.module(game).QUICK) for game in GAMES}
# Running tables whose options later code refuses or takes no notice of: (game, seats, options).
CURIOUS: tuple[tuple[str, int, dict[str, Any]], ...] = (
    ("baffle", 6, {"hand_limit": 0}),
    ("baffle", 3, {"hand_limit": 0, "trump_lead": "refuse"}),
    ("checkers", 2, {"games": 1, "capture_rule": "huff", "draw_no_progress": 0}),
    ("checkers", 2, {"games": 1, "capture_rule": "mandatory", "draw_no_progress": 0}),
    ("secret-seven", 2, {"partners": True}),
    ("secret-seven", 3, {"partners": False}),
    ("secret-seven", 4, {"short_pack": "withdraw7_pick_n", "auto_call": True, "auto_proof": True}),
    ("jack-daw", 2, {"target": 4, "odd_card": "last_trick"}),
    ("jack-daw", 4, {"target": 4, "odd_card": "trick_winner"}),
    ("trix", 3, {"scoring": "progressive", "target": 200, "pack": "short"}),
    ("trix", 9, {"scoring": "progressive", "pack": "short", "max_seats": 9}),
    ("goat", 3, {"hands": 1, "stall_limit": 10, "race": "off", "goat_penalty": 2, "race_timeout_ms": 5000}),
    ("aviation", 2, {"must_build": True, "partner_mode": "player"}),
    ("check-and-double-check", 2, {"target": 10, "discard_mode": "manual", "score_mode": "gross", "max_hands": 3}),
    ("check-and-double-check", 3, {"score_mode": "net", "max_hands": 2, "target": 1000}),
    ("backgammon", 2, {"target": 1, "games": 1, "crawford": False}),
    ("acey-ducey", 2, {"target": 1, "doubles_split": "listed", "partner_chat": True}),
    ("four-nines", 2, {"variant": "two-dice", "start": "highest"}),
    ("four-nines", 2, {"variant": "one-die", "pre_entry_throws": "off", "third_doublet": "unlimited"}),
    ("flique", 2, {"target_wins": 2, "replay_draws": True}),
    ("quenette", 3, {"hands": 2, "extras_view": "none"}),
    ("nix", 4, {"sides": "alternate", "may_hold_back": True, "max_seats": 4}),
)
# Matches with more events than a snapshot is worth: running ones near their end, and finished ones.
LONG_RUNNING: tuple[tuple[str, int, dict[str, Any]], ...] = (
    ("acey-ducey", 2, {"target": 1}),
    ("crown-baseball", 2, {}),
    ("nix", 5, {}),
    ("quenette", 5, {"hands": 8}),
    ("secret-seven", 4, {}),
    ("goat", 5, {"hands": 4, "stall_limit": 30}),
)
LONG_FINISHED: tuple[tuple[str, int, dict[str, Any]], ...] = (
    ("secret-seven", 2, {}),
    ("trix", 2, {"scoring": "progressive", "pack": "short"}),
)
LONG = EVENTS_WORTH_A_SNAPSHOT + 20
MANY = 60  # commands; a match that would take many more is not kept in full


def bot_due(world: World, match_id: str, moves: list[Move], upto: int) -> None:
    """Plays some of a plan and stops where a bot is to act."""
    m = world.now(match_id)
    world.do(match_id, moves[:upto])
    for move in moves[upto:]:
        m = world.now(match_id)
        if m.status == "over" or matches_of.waiting_bots(m):
            return
        world.do(match_id, [move])


# ── What is put into the database ───────────────────────────────────────────────────────────────────────────────


def of_every_game(world: World, game: Game[Any]) -> None:
    quick, least, most = QUICK[game.slug], game.seats[0], seats_with(game, QUICK[game.slug])[-1]
    three = next((n for n in seats_with(game, quick) if n > 2), least)
    for story in (open_tables, draw_on_offer, bots_due, bots_alone, absent_people, taken_over, near_the_end, finished):
        story(world, game, quick, least, three, most)
    print(f"{game.slug}: {len(world.kept)} matches so far", flush=True)


def seats_with(game: Game[Any], options: dict[str, Any]) -> list[int]:
    return [seats for seats in game.seats if playing.opens(game, seats, options)]


def open_tables(world: World, game: Game[Any], quick: dict[str, Any], least: int, three: int, most: int) -> None:
    host, invited = world.company(2)
    kept_for = {"kind": "player", "player": world.people[invited]["id"]}
    free = [{"kind": "open"}] * (least - 1)
    world.keep(world.open(game.slug, [{"kind": "me"}, *free], host, quick, spectators=True), "open seats")
    world.keep(world.open(game.slug, [kept_for, {"kind": "me"}, *free[1:]], host, quick), "an invited player")
    if three > least or least > 2:
        seats = [{"kind": "me"}, kept_for, *[{"kind": "open"}] * (three - 2)]
        found = world.open(game.slug, seats, host, quick, turn_seconds=60, client_seed="lucky")
        other = world.company(3)[2]
        if other not in (host, invited):
            world.ask("POST", f"/v1/matches/{found}/join", other, 200, {"seat": 2, "client_seed": "_-09"})
        world.keep(found, "one of the open seats taken, one kept")
    # Every option at every value worth trying, at the smallest and the largest table that takes it.
    seen = set()
    for seats, options in extremes(game):
        if (text := json.dumps([seats, options], sort_keys=True)) in seen:
            continue
        seen.add(text)
        bots = [{"kind": "bot"}] * (seats - 2)
        host = world.company(1)[0]
        world.keep(world.open(game.slug, [{"kind": "me"}, {"kind": "open"}, *bots], host, options), "extreme option")


def extremes(game: Game[Any]) -> Iterator[tuple[int, dict[str, Any]]]:
    for option in options_of(game.options):
        for value in playing.values(option):
            given = {**QUICK[game.slug], option.name: list(value) if isinstance(value, tuple) else value}
            fitting = seats_with(game, given)
            yield from ((seats, given) for seats in sorted({fitting[0], fitting[-1]}) if fitting)


def draw_on_offer(world: World, game: Game[Any], quick: dict[str, Any], least: int, three: int, most: int) -> None:
    """People among themselves, early in a match; one draw was declined, another is on offer."""
    people = world.company(three)
    found = world.table(game.slug, people, 0, quick, spectators=True)
    moves = world.plan(found, lambda events: events, tries=1)
    world.do(found, moves[:6])
    if world.now(found).status == "playing":
        for name, action in ((people[1], "offer"), (people[0], "decline"), (people[0], "offer")):
            world.ask("POST", f"/v1/matches/{found}/draw", name, 200, {"action": action})
        if three > 2:
            world.ask("POST", f"/v1/matches/{found}/draw", people[2], 200, {"action": "accept"})
    world.keep(found, "draw on offer")


def bots_due(world: World, game: Game[Any], quick: dict[str, Any], least: int, three: int, most: int) -> None:
    """A bot is to act. Its row was rung for in vain in one match, and began to think too often in another."""
    people = world.company(1)
    found = world.table(game.slug, people, least - 1, quick)
    moves = world.plan(found, lambda events: events, tries=3)
    bot_due(world, found, moves, min(len(moves) // 2, MANY // 2))
    for _ in range(3):
        world.store.begin_turn(found, world.clock())
    world.keep(found, "a bot is due")

    people = world.company(max(1, three - 2)) if three > 2 else world.company(1)
    found = world.table(game.slug, people, three - len(people), quick, turn_seconds=3600)
    moves = world.plan(found, lambda events: events, tries=3)
    world.do(found, moves[:1])
    if world.now(found).status == "playing" and matches_of.waiting_bots(world.now(found)):
        world.matches.bot_turn(found, lambda *_: None, fall_back=True)
    moves = world.plan(found, lambda events: events, tries=3)
    bot_due(world, found, moves, min(len(moves) // 3, MANY // 3))
    for _ in range(5):
        world.store.begin_turn(found, world.clock())
    world.keep(found, "a bot fell back once and is due again")


def bots_alone(world: World, game: Game[Any], quick: dict[str, Any], least: int, three: int, most: int) -> None:
    host = world.company(1)[0]
    found = world.open(game.slug, [{"kind": "bot", "level": "random"}] * least, host, quick)
    world.ask("POST", f"/v1/matches/{found}/start", host, 200)
    world.do(found, world.plan(found, lambda events: events, tries=1)[:5])
    world.keep(found, "bots alone")


def absent_people(world: World, game: Game[Any], quick: dict[str, Any], least: int, three: int, most: int) -> None:
    """Time for a turn, and deadlines missed: some forgiven, one or two still counted, the next one running."""
    people = world.company(least)
    found = world.table(game.slug, people, 0, quick, turn_seconds=30)
    moves = world.plan(found, lambda events: events, tries=2)
    world.do(found, moves[: min(len(moves) // 3, 12)])
    for _ in range(2 * least):
        m = world.now(found)
        if m.status != "playing" or max(chair.absences for chair in m.chairs) == 2:
            break
        world.ring(found)
    world.keep(found, "absences counted")


def taken_over(world: World, game: Game[Any], quick: dict[str, Any], least: int, three: int, most: int) -> None:
    """Bots in the seats of people: one was absent too long; where more than two sides play, one resigned."""
    people = world.company(least)
    found = world.table(game.slug, people, 0, quick, turn_seconds=5)
    for _ in range(40):
        m = world.now(found)
        if m.status != "playing" or any(chair.kind == "bot" for chair in m.chairs):
            break
        world.ring(found)
    world.keep(found, "a bot took an absent seat")

    people = world.company(three)
    found = world.table(game.slug, people, 0, quick)
    resigning = len(game.sides(world.now(found).table)) > 2
    if resigning:
        moves = world.plan(found, lambda events: events, tries=3)
        world.do(found, moves[: min(len(moves) // 2, MANY // 2)])
        if world.now(found).status == "playing":
            world.ask("POST", f"/v1/matches/{found}/resign", people[-1], 200)
            moves = world.plan(found, lambda events: events, tries=1)
            bot_due(world, found, moves, 3)
    world.keep(found, "a resigned seat plays on" if resigning else "just started")


def near_the_end(world: World, game: Game[Any], quick: dict[str, Any], least: int, three: int, most: int) -> None:
    seats = most if game.slug in ("goat", "kid-o", "grafto", "rustle", "quenette", "baffle") else least
    people = world.company(2)
    found = world.table(game.slug, people, seats - 2, quick, spectators=True)
    moves = world.plan(found, lambda events: events)
    short = len(moves) < 3 * MANY
    world.do(found, moves[:-5] if short else moves[:MANY])
    world.keep(found, "near its end" if short else "on its way")


def finished(world: World, game: Game[Any], quick: dict[str, Any], least: int, three: int, most: int) -> None:
    people = world.company(least)
    found = world.table(game.slug, people, 0, quick)
    world.do(found, world.plan(found, lambda events: events, tries=2)[:4])
    world.ask("POST", f"/v1/matches/{found}/resign", people[0], 200)
    if world.now(found).status == "playing":
        world.ask("POST", f"/v1/matches/{found}/resign", people[1], 200)
    world.keep(found, "resigned")

    people = world.company(least)
    found = world.table(game.slug, people, 0, quick)
    world.do(found, world.plan(found, lambda events: events, tries=2)[:5])
    for _ in range(12):  # in some games an agreed draw ends one game of the match only
        if world.now(found).status != "playing":
            break
        world.ask("POST", f"/v1/matches/{found}/draw", people[0], 200, {"action": "offer"})
        for name in people[1:]:
            world.ask("POST", f"/v1/matches/{found}/draw", name, 200, {"action": "accept"})
    world.keep(found, "drawn by agreement")

    if game.slug not in [slug for slug, _, _ in LONG_FINISHED]:
        people = world.company(2)
        found = world.table(game.slug, people, least - 2, quick)
        world.do(found, world.plan(found, lambda events: events, tries=30))
        world.keep(found, "played out")


def curious(world: World) -> None:
    """Options that did nothing, or let a match go on for ever."""
    for slug, seats, options in CURIOUS:
        people = world.company(2)
        found = world.table(slug, people, seats - 2, options)
        rng = random.Random(f"{slug} {options}")
        for _ in range(MANY // 3):
            if world.now(found).status == "playing":
                world.do(found, [chosen(world.now(found), rng)])
        world.keep(found, "curious options")


def goat_races(world: World) -> None:
    """Simultaneous play half way through a round, and races: just opened, half answered, with the clock overdue."""
    people = world.company(5)
    found = world.table("goat", people, 1, {"hands": 2, "stall_limit": 10})
    world.do(found, [Move(seat, world.now(found).game.legal(world.now(found).table, seat)[0]) for seat in (1, 3)])
    world.keep(found, "half a round of passing")
    for story, seats, timeout in (
        ("a race just opened", 4, 10_000),
        ("a race half answered", 5, 10_000),
        ("a race without a clock", 4, 0),
        ("a race in play by mail", 3, 86_400_000),
    ):
        found = race(world, seats, timeout)
        if "half" in story:
            m = world.now(found)
            seat = matches_of.waiting_humans(m)[0]
            world.send(found, world.at_seat(m, seat), {"type": "lay_down", "round_no": m.table.round_no}, "race")
        world.keep(found, story)


def race(world: World, seats: int, timeout: int) -> str:
    options = {"hands": 2, "stall_limit": 500, "race_timeout_ms": timeout, "goat_penalty": 1}
    found = world.table("goat", world.company(seats), 0, options)
    while True:
        m = world.now(found)
        if m.game.view(m.table, None)["phase"] == "race" and len(matches_of.waiting_humans(m)) > 1:
            return found
        assert m.status == "playing"
        seat = matches_of.waiting_humans(m)[0]
        books = [c for c in m.game.legal(m.table, seat) if type(c).__name__ == "LayDown"]
        world.do(found, [Move(seat, books[0] if books else collecting(m, seat, world.rng))], keys=False)


def collecting(m: Match, seat: int, rng: random.Random) -> Any:
    """Passes on what there is least of, so that books come about; or anything, so that seats do not go in circles."""
    hand = collections.Counter(card.split("-")[1] for card in m.game.view(m.table, seat)["hand"])
    passes = [c for c in m.game.legal(m.table, seat) if type(c).__name__ == "PassCard"]
    if rng.random() < 0.2:
        return rng.choice(passes)
    return min(passes, key=lambda c: hand[str(c.card).split("-")[1]])


def long_ones(world: World) -> None:
    for story, rows in (("long, near its end", LONG_RUNNING), ("long, played out", LONG_FINISHED)):
        for slug, seats, options in rows:
            people = world.company(2)
            found = world.table(slug, people, seats - 2, options)
            moves = world.plan(found, lambda events: events if events > LONG + 60 else 10_000 - events)
            upto = len(moves) - 12 if rows is LONG_RUNNING else len(moves)
            done, cold = 0, False
            while done < upto:
                world.do(found, moves[done : done + 1], keys=done > upto - 20)
                done += 1
                if not cold and world.now(found).version >= LONG:
                    cold = True
                    Matches(world.store).look(found, world.people[people[0]]["id"])
            assert world.database.run("SELECT count(*) FROM snapshots WHERE match_id = %s", (found,)) == [(1,)], slug
            world.keep(found, story)


# ── What the players know ───────────────────────────────────────────────────────────────────────────────────────


def noted(world: World) -> None:
    for one in world.kept:
        m = world.now(one["id"])
        path = f"/v1/matches/{m.id}"
        host = next(name for name, person in world.people.items() if person["id"] == m.host)
        seated = [(seat, chair) for seat, chair in enumerate(m.chairs) if chair.player and chair.kind != "open"]
        people = {str(seat): world.at_seat(m, seat) for seat, _ in seated}
        lookers = (
            people
            | ({} if host in people.values() else {"host": host})
            | ({"spectator": STRANGER} if m.spectators else {})
        )
        one.update(status=m.status, version=m.version, host=host, people=people)
        one["views"] = {who: world.ask("GET", path, name, 200) for who, name in lookers.items()}
        one["events"] = {who: log_digest(world, path, name) for who, name in lookers.items()}
        if m.status == "playing":
            legal = {who: world.ask("GET", f"{path}/legal", name, 200)["commands"] for who, name in people.items()}
            one["legal"] = legal
        if m.status == "over":
            for seat in range(len(m.chairs)):
                one["views"][f"as={seat}"] = world.ask("GET", f"{path}?as={seat}", host, 200)
        if m.status != "open":
            then = max(1, m.version * 2 // 3)
            one["views"][f"at={then}"] = world.ask("GET", f"{path}?at={then}", host, 200)


def log_digest(world: World, path: str, name: str) -> str:
    """Of all that the log shows to a seat, each event in the fields that it has in 0.1.0."""
    lines = world.ask("GET", f"{path}/events", name, 200, Accept="application/x-ndjson").splitlines()
    names = ("version", "type", "schema", "actor", "command_id", "at", "public", "secret", "hash")
    found = [{key: event[key] for key in names} for event in map(orjson.loads, lines)]
    return hashlib.sha256(orjson.dumps(found, option=orjson.OPT_SORT_KEYS)).hexdigest()


def few_receipts(world: World) -> list[dict[str, Any]]:
    """The last two of each match: what ended it is among them, or what its running state rests on."""
    by_match: dict[str, list[dict[str, Any]]] = collections.defaultdict(list)
    for one in world.receipts:
        by_match[one["match"]].append(one)
    return [one for found in by_match.values() for one in found[-2:]]


def write(folder: pathlib.Path, name: str, text: bytes) -> None:
    packed = gzip.compress(text, 9, mtime=0)
    (folder / name).write_bytes(packed)
    print(f"{name}: {len(packed)} bytes, {len(text)} unpacked")


def main(target: pathlib.Path) -> None:
    assert [one.number for one in migrations()] == [1], "this is not the code of 0.1.0"
    with tempfile.TemporaryDirectory(prefix="parlor-dump-", dir="/tmp") as made:
        folder = pathlib.Path(made)
        folder.chmod(0o755)
        postgres, valkey = Postgres(folder / "postgres"), Valkey(folder / "valkey")
        try:
            migrate(postgres.url)
            world = World(postgres, valkey)
            world.settle_in()
            for game in GAMES:
                of_every_game(world, game)
            curious(world)
            goat_races(world)
            long_ones(world)
            world.store.ring_again(world.clock() + dt.timedelta(minutes=1), limit=10)
            noted(world)
            world.lock_out()
            print(
                world.database.run(
                    "SELECT (SELECT count(*) FROM matches), (SELECT count(*) FROM events), (SELECT count(*) FROM "
                    "commands), (SELECT count(*) FROM bot_turns), (SELECT count(*) FROM snapshots)"
                ),
                "matches, events, commands, bot turns, snapshots",
            )
            dumped = subprocess.run(
                [postgres_program("pg_dump"), "--no-owner", postgres.url], check=True, capture_output=True
            )
            known = {"players": list(world.people.values()), "matches": world.kept, "receipts": few_receipts(world)}
            write(target, "parlor-0.1.0.sql.gz", dumped.stdout)
            write(target, "parlor-0.1.0.json.gz", orjson.dumps(known, option=orjson.OPT_NON_STR_KEYS))
        finally:
            valkey.stop()
            postgres.stop("immediate")


if __name__ == "__main__":
    main(pathlib.Path(sys.argv[1]).absolute())
