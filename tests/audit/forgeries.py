"""Forgeries: what somebody could do to the log of a match, with or without making its chain anew.

`make forgeries` flips bytes in a thousand events of all games and tries every other forgery on every match that it fits;
the tests do the same with fewer. A forgery names the version that it spoils and who must find it there.
"""

from __future__ import annotations

import copy
import io
import itertools
import json
import pathlib
import random
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Callable, Iterator
from typing import Any, Final, NamedTuple

import click

from domain import chance
from domain.audit.report import Wrong
from domain.audit.verifying import verify
from domain.games import GAMES
from tests.audit.corpus import Events, Played, Verdict, played, rechained, second

BOTH: Final = ("first", "second")
FIRST: Final = ("first",)


class Forged(NamedTuple):
    """A forged bundle: what was done, the version that is wrong, and whose check finds it."""

    name: str
    version: int
    by: tuple[str, ...]
    bundle: bytes


# ── Without a new chain: by anybody who has the file ────────────────────────────────────────────────────────────


def flipped(match: Played, version: int, rng: random.Random) -> Iterator[Forged]:
    """One bit of one byte, in every field of an event."""
    lines = match.bundle().splitlines(keepends=True)
    raw = lines[version]
    event = json.loads(raw)
    at = 0
    for name, value in event.items():
        field = json.dumps({name: value}, separators=(",", ":"), ensure_ascii=False).encode()[1:-1]
        at = raw.index(field, at)
        place = at + rng.randrange(len(field))
        spoiled = bytearray(raw)
        spoiled[place] ^= 1 << rng.randrange(7)
        yield Forged(f"a byte of {name}", version, BOTH, b"".join([*lines[:version], spoiled, *lines[version + 1 :]]))
        at += len(field)


def out_of_line(match: Played, rng: random.Random) -> Iterator[Forged]:
    events = match.events
    v = rng.randrange(2, len(events) - 1)
    yield Forged("an event dropped", v, BOTH, match.bundle(events[: v - 1] + events[v:]))
    yield Forged("the first event dropped", 1, BOTH, match.bundle(events[1:]))
    swapped = [*events[: v - 1], events[v], events[v - 1], *events[v + 1 :]]
    yield Forged("two events swapped", v, BOTH, match.bundle(swapped))
    repeated = [*events[:v], events[v - 1], *events[v:]]
    yield Forged("an event repeated", v + 1, BOTH, match.bundle(repeated))
    appended = [*events, {**events[v], "version": len(events) + 1}]
    yield Forged("an event appended", len(events) + 1, BOTH, match.bundle(appended))


# ── With a new chain: by somebody who owns the server and has the seed ──────────────────────────────────────────

Forgery = Callable[[Events, random.Random], tuple[int, tuple[str, ...]] | None]


def swapped_cards(events: Events, rng: random.Random) -> tuple[int, tuple[str, ...]] | None:
    """Two hidden cards change hands in a deal."""
    for event in events:
        hands = {
            key: kept["part"]["hands"][key] for key, kept in event["secret"].items() if "hands" in kept.get("part", {})
        }
        if event["type"] == "hand_dealt" and len(hands) > 1:
            one, other = sorted(hands)[:2]
            hands[one][0], hands[other][0] = hands[other][0], hands[one][0]
            return event["version"], BOTH
    return None


def another_die(events: Events, rng: random.Random) -> tuple[int, tuple[str, ...]] | None:
    """The die and its record say both the same, which the seed does not."""
    for event in events:
        draw = event["public"].get("draw")
        if draw and draw["kind"] == "dice":
            draw["result"][0] = draw["result"][0] % 6 + 1
            return event["version"], BOTH
    return None


def die_shown_otherwise(events: Events, rng: random.Random) -> tuple[int, tuple[str, ...]] | None:
    """The record has what was drawn, and the players were shown something else."""
    for event in events:
        shown = event["public"].get("dice")
        if "draw" in event["public"] and shown:
            shown[0] = shown[0] % 6 + 1
            return event["version"], BOTH
    return None


def another_seed(events: Events, rng: random.Random) -> tuple[int, tuple[str, ...]] | None:
    events[-1]["public"]["server_seed"] = "00" * 32
    return len(events), BOTH


def another_promise(events: Events, rng: random.Random) -> tuple[int, tuple[str, ...]] | None:
    events[0]["public"]["seed_commitment"] = "00" * 32
    return len(events), BOTH


def other_places(events: Events, rng: random.Random) -> tuple[int, tuple[str, ...]] | None:
    places = events[-1]["public"]["places"]
    if len(set(places)) < 2:
        return None
    places.reverse()
    if places == places[::-1]:
        places[0] = 3 - places[0]
    return len(events), FIRST


def another_score(events: Events, rng: random.Random) -> tuple[int, tuple[str, ...]] | None:
    scores = events[-1]["public"]["scores"]
    if not scores:
        return None
    scores[0] += 1
    return len(events), FIRST


def another_reason(events: Events, rng: random.Random) -> tuple[int, tuple[str, ...]] | None:
    events[-1]["public"]["reason"] = "by favour"
    return len(events), FIRST


def with_command(events: Events, actor: str = "seat:") -> list[tuple[Any, dict[str, Any]]]:
    return [
        (event, kept["part"])
        for event in events
        for kept in event["secret"].values()
        if "command" in kept["part"] and event["actor"].startswith(actor) and "bot" not in _table(event)
    ]


def _table(event: dict[str, Any]) -> dict[str, Any]:
    return event["secret"].get("table", {}).get("part", {})  # type: ignore[no-any-return]


def another_command(events: Events, rng: random.Random) -> tuple[int, tuple[str, ...]] | None:
    """The command says something else than what came of it."""
    found = [(event, part) for event, part in with_command(events) if len(part["command"]) > 1]
    if not found:
        return None
    event, part = rng.choice(found)
    others = [other["command"] for _, other in found if other["command"] != part["command"]]
    if not others:
        return None
    part["command"] = copy.deepcopy(rng.choice(others))
    return event["version"], FIRST


def unreadable_command(events: Events, rng: random.Random) -> tuple[int, tuple[str, ...]] | None:
    found = with_command(events)
    if not found:
        return None
    event, part = rng.choice(found)
    part["command"] = {"type": "cheat"}
    return event["version"], FIRST


def forgotten_command(events: Events, rng: random.Random) -> tuple[int, tuple[str, ...]] | None:
    """The command is gone; what it led to stays. A schema that keeps commands has to keep this one, too."""
    found = with_command(events)
    if not found:
        return None
    event, part = rng.choice(found)
    del part["command"]
    event["secret"] = {audience: kept for audience, kept in event["secret"].items() if kept["part"]}
    return event["version"], FIRST


def shared_command(events: Events, rng: random.Random) -> tuple[int, tuple[str, ...]] | None:
    """The command stands where its sender and somebody else can read it."""
    found = [(event, part) for event, part in with_command(events) if event["actor"] == "seat:0"]
    if not found:
        return None
    event, part = rng.choice(found)
    shared = event["secret"].setdefault("0,1", {"part": {}})
    shared["part"]["command"] = part.pop("command")
    event["secret"] = {audience: kept for audience, kept in event["secret"].items() if kept["part"]}
    return event["version"], FIRST


def another_actor(events: Events, rng: random.Random) -> tuple[int, tuple[str, ...]] | None:
    event = rng.choice(events[1:])
    event["actor"] = "seat:0" if event["actor"] != "seat:0" else "seat:1"
    return event["version"], FIRST


def illegal_card(events: Events, rng: random.Random) -> tuple[int, tuple[str, ...]] | None:
    """Command and event agree on a card that the seat does not hold."""
    played_cards = [
        (event, part)
        for event, part in with_command(events)
        if event["type"] == "card_played" and set(part["command"]) == {"type", "card"}
    ]
    if len(played_cards) < 2:
        return None
    (before, _), (event, part) = rng.choice(list(itertools.pairwise(played_cards)))
    part["command"]["card"] = event["public"]["card"] = before["public"]["card"]
    return event["version"], FIRST


def somebody_elses_turn(events: Events, rng: random.Random) -> tuple[int, tuple[str, ...]] | None:
    """A perfect command, again: the seat has had its turn."""
    turns = [event for event, part in with_command(events) if event["type"] in ("card_played", "moved", "dice_rolled")]
    if not turns:
        return None
    event = rng.choice(turns)
    events.insert(event["version"], {**copy.deepcopy(event), "command_id": "again"})
    return event["version"] + 1, BOTH if "draw" in event["public"] else FIRST


def end_taken_away(events: Events, rng: random.Random) -> tuple[int, tuple[str, ...]] | None:
    """The match is cancelled by its host, who was about to lose."""
    end = events[-1]["public"]
    if end["reason"] in ("cancelled", "closed"):
        return None
    end |= {"places": [], "scores": [], "reason": "cancelled"}
    events[-1]["actor"] = "host"
    return len(events), FIRST


def secret_opening(events: Events, rng: random.Random) -> tuple[int, tuple[str, ...]] | None:
    """Something is said to have been agreed in secret when the table was opened."""
    events[0]["secret"]["table"] = {"part": {"note": "seat 0 wins"}}
    return 1, FIRST


def cards_without_a_draw(events: Events, rng: random.Random) -> tuple[int, tuple[str, ...]] | None:
    """The last shuffle is forgotten, so that any cards may have been dealt."""
    for event in reversed(events):
        if event["public"].get("draw", {}).get("kind") == "shuffle":
            del event["public"]["draw"], _table(event)["draw"]
            event["secret"] = {audience: kept for audience, kept in event["secret"].items() if kept["part"]}
            return event["version"], BOTH
    return None


def somebody_elses_throw(events: Events, rng: random.Random) -> tuple[int, tuple[str, ...]] | None:
    """The right dice are thrown for the start, by the wrong seats."""
    for event in events:
        throws = event["public"].get("throws", [])
        if throws[::-1] != throws:
            throws.reverse()
            return event["version"], BOTH
    return None


def time_cut_short(events: Events, rng: random.Random) -> tuple[int, tuple[str, ...]] | None:
    """A seat runs out of time as soon as it is to act."""
    for before, event in itertools.pairwise(events):
        if event["type"] == "turn_timed_out" and before["command_id"] != event["command_id"]:
            for one in events:
                one["at"] = before["at"] if one["command_id"] == event["command_id"] else one["at"]
            return event["version"], FIRST
    return None


def draw_that_nobody_offered(events: Events, rng: random.Random) -> tuple[int, tuple[str, ...]] | None:
    """Before anything is decided, the bot in the last seat agrees to a draw."""
    start = next(event for event in events if event["type"] == "match_started")
    settled = [event for event in events if event["command_id"] == start["command_id"]][-1]["version"]
    seat, seats = len(events[0]["public"]["seats"]) - 1, len(events[0]["public"]["seats"])
    how = {"level": "steady", "version": 1, "iterations": 0}
    secret = {
        str(seat): {"part": {"command": {"type": "answer_draw", "accept": True}}},
        "table": {"part": {"bot": how}},
    }
    same = {"schema": start["schema"], "command_id": "agreed", "at": events[settled - 1]["at"]}
    agreed = {"type": "draw_answered", "actor": f"seat:{seat}", "public": {"seat": seat, "accept": True}}
    seed = events[-1]["public"]["server_seed"]
    end = {"places": [1] * seats, "scores": [], "reason": "agreed", "server_seed": seed}
    events[settled:] = [
        {**same, **agreed, "secret": secret},
        {**same, "type": "match_ended", "actor": "match", "public": end, "secret": {}},
    ]
    return settled + 1, FIRST


def _of_bots(events: Events) -> list[dict[str, Any]]:
    return [event for event in events if "bot" in _table(event)]


def stronger_bot(events: Events, rng: random.Random) -> tuple[int, tuple[str, ...]] | None:
    """A bot is said to have thought as one of another level would."""
    if not (found := _of_bots(events)):
        return None
    event = rng.choice(found)
    _table(event)["bot"] |= {"level": "strong", "version": 2, "iterations": 3}
    return event["version"], FIRST


def silent_bot(events: Events, rng: random.Random) -> tuple[int, tuple[str, ...]] | None:
    """Nothing is said of how a bot came to its command."""
    if not (found := _of_bots(events)):
        return None
    event = rng.choice(found)
    del _table(event)["bot"]
    event["secret"] = {audience: kept for audience, kept in event["secret"].items() if kept["part"]}
    return event["version"], FIRST


def draw_passed_over(events: Events, rng: random.Random) -> tuple[int, tuple[str, ...]] | None:
    """What came of the seed was not liked, so the draw after it is taken: it comes of the seed as well."""
    seeds = next((event["public"]["client_seeds"] for event in events if event["type"] == "match_started"), None)
    drawn = [event for event in events if "draw" in event["public"]]
    if seeds is None or not drawn:
        return None
    event = rng.choice(drawn)
    draw = event["public"]["draw"]
    draw["n"] += 1
    source = chance.Source(
        bytes.fromhex(events[-1]["public"]["server_seed"]), events[0]["public"]["match_id"], tuple(seeds)
    )
    place = draw if "result" in draw else _table(event)["draw"]
    place["result"] = list(chance.recompute(source, draw["n"], draw["kind"], draw["size"]))
    return event["version"], BOTH


def person_as_bot(events: Events, rng: random.Random) -> tuple[int, tuple[str, ...]] | None:
    """A bot is said to have come to what a person did."""
    found = [event for event, _ in with_command(events) if "table" not in event["secret"]]
    if not found:
        return None
    event = rng.choice(found)
    event["secret"]["table"] = {"part": {"bot": {"level": "steady", "version": 1, "iterations": 0}}}
    return event["version"], FIRST


def seat_taken_over(events: Events, rng: random.Random) -> tuple[int, tuple[str, ...]] | None:
    """A bot is said to keep the seat of somebody who has never been late."""
    for at, (before, event) in enumerate(itertools.pairwise(events), start=1):
        if before["command_id"] != event["command_id"] and event["actor"] == "seat:0" and "0" in event["secret"]:
            public = {"seat": 0, "level": "steady", "reason": "absent"}
            late = {"type": "bot_took_over", "actor": "clock", "command_id": "late", "public": public, "secret": {}}
            events.insert(at, {**event, **late})
            return at + 1, FIRST
    return None


FORGERIES: Final[tuple[Forgery, ...]] = (
    swapped_cards,
    another_die,
    die_shown_otherwise,
    another_seed,
    another_promise,
    other_places,
    another_score,
    another_reason,
    another_command,
    unreadable_command,
    forgotten_command,
    shared_command,
    another_actor,
    illegal_card,
    somebody_elses_turn,
    end_taken_away,
    secret_opening,
    cards_without_a_draw,
    somebody_elses_throw,
    time_cut_short,
    draw_that_nobody_offered,
    stronger_bot,
    silent_bot,
    draw_passed_over,
    person_as_bot,
    seat_taken_over,
)


def chained_anew(match: Played, rng: random.Random) -> Iterator[Forged]:
    for forge in FORGERIES:
        events = copy.deepcopy(match.events)
        done = forge(events, rng)
        if done is not None:
            version, by = done
            name = forge.__name__.replace("_", " ")
            yield Forged(name, version, by, match.bundle(rechained(events, match.seed, match.match.id)))


def another_tail(match: Played, other: Played, rng: random.Random) -> Forged | None:
    """From some command on the events of another match of the same game, with this one's salts and chain."""
    begins = [
        n
        for n in range(5, min(len(match.events), len(other.events)) - 1)
        if match.events[n - 1]["command_id"] != match.events[n]["command_id"]
        and other.events[n - 1]["command_id"] != other.events[n]["command_id"]
        and match.events[n]["public"].get("draw") != other.events[n]["public"].get("draw")
    ]
    if not begins:
        return None
    n = rng.choice(begins)
    spliced = copy.deepcopy(match.events[:n] + other.events[n:])
    spliced[-1]["public"]["server_seed"] = match.seed.hex()
    return Forged("another tail", n + 1, FIRST, match.bundle(rechained(spliced, match.seed, match.match.id)))


# ── Judging ─────────────────────────────────────────────────────────────────────────────────────────────────────


def unfound(forged: Forged, wrong: Wrong | None, verdict: Verdict) -> str | None:
    """What is amiss with how a forgery was found."""
    if wrong is None or wrong.version != forged.version:
        return f"{forged.name}: version {forged.version} is wrong, the first verifier says: {wrong}"
    found = verdict.wrong[1] if verdict.wrong else None
    # What is not its check it may still notice, by what came of it, and never before the place.
    if found != forged.version if "second" in forged.by else found is not None and found < forged.version:
        return (
            f"{forged.name}: version {forged.version} is wrong, the second verifier says: {verdict.text or 'nothing'}"
        )
    return None


def judged(forgeries: list[Forged], folder: pathlib.Path, step: Callable[[int], None] = lambda n: None) -> list[str]:
    """What is amiss with how these were found. Bots are not asked again: nothing here forges what they do."""
    amiss: list[str] = []
    for start in range(0, len(forgeries), 50):
        some = forgeries[start : start + 50]
        files = [folder / f"{n}.ndjson" for n in range(len(some))]
        for file, forged in zip(files, some, strict=True):
            file.write_bytes(forged.bundle)
        for forged, verdict in zip(some, second(files), strict=True):
            wrong = verify(io.BytesIO(forged.bundle), bots=lambda version: False).wrong
            amiss += [text] if (text := unfound(forged, wrong, verdict)) else []
        step(len(some))
    return amiss


def some_of(matches: list[Played], events: int, rng: random.Random) -> list[Forged]:
    """So many events with a byte flipped in every field, and every other forgery on every match that it fits."""
    made: list[Forged] = []
    for n in range(events):
        match = matches[n % len(matches)]
        made += flipped(match, rng.randrange(1, len(match.events) + 1), rng)
    for match in matches:
        made += out_of_line(match, rng)
        made += chained_anew(match, rng)
    for match, other in itertools.pairwise(matches):
        if match.match.game is other.match.game and (forged := another_tail(match, other, rng)):
            made.append(forged)
    return made


@click.command()
@click.option("--events", default=1000, show_default=True, help="in how many events bytes are flipped")
@click.option("--seed", default="forgeries", show_default=True, help="another word, other forgeries")
def main(events: int, seed: str) -> None:
    """Forge matches of all games, and see whether both verifiers find each at its place."""
    began, rng = time.monotonic(), random.Random(seed)
    with click.progressbar(GAMES, label="playing", show_pos=True) as games:
        matches = [played(game.slug, number) for game in games for number in (1, 2)]
    forgeries = some_of(matches, events, rng)
    with (
        tempfile.TemporaryDirectory() as folder,
        click.progressbar(length=len(forgeries), label="judging", show_pos=True) as bar,
    ):
        amiss = judged(forgeries, pathlib.Path(folder), bar.update)
    for name, count in Counter(forged.name for forged in forgeries).most_common():
        click.echo(f"{count:6} {name}")
    click.echo("\n".join(amiss[:20]))
    found = len(forgeries) - len(amiss)
    total = sum(len(match.events) for match in matches)
    took = time.monotonic() - began
    click.echo(f"{found} of {len(forgeries)} found at the right version, in matches of {total} events, {took:.0f} s")
    sys.exit(1 if amiss else 0)


if __name__ == "__main__":
    main()
