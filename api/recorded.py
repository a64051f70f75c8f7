"""`parlor replay` and `parlor what-if`: matches from a server or a file, looked back at or played on in other ways."""

from __future__ import annotations

import hashlib
import json
import multiprocessing
import os
import pathlib
import secrets
import urllib.error
import urllib.request
from collections import Counter
from collections.abc import Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor, as_completed
from typing import Any, Final, NamedTuple

import click
from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn
from rich.table import Table

from api.simulating import Played, standing
from api.terminal.client import Client, Refusal, Trouble
from api.terminal.replaying import Recorded, look_back
from api.terminal.screen import Screen
from domain import log, match
from domain.audit.reading import Logged, event, lines
from domain.audit.report import Wrong
from domain.bots.levels import LEVELS, USUAL
from domain.bots.thinking import at_once, done, thinking
from domain.editions import OfLaterRelease
from domain.frozen import freeze, thaw
from domain.game import ALL, Refused, Seat, read_options
from domain.games import BY_SLUG
from domain.match import Match
from domain.match.story import remarkable, sentence
from domain.upcast import SCHEMA, upcast
from domain.wire import Parts, plain
from eventstore.replaying import actor

PATIENCE: Final = 60.0
BAR: Final = 30  # columns of the longest bar
LONGEST: Final = 20_000  # turns of a match; what takes longer has no end


# ── A match from a file ─────────────────────────────────────────────────────────────────────────────────────────


class Kept(NamedTuple):
    """A log whose secrets are open, and the match after each of its events."""

    events: Sequence[Logged]
    parts: Sequence[Parts]
    states: Sequence[Match]
    names: match.Names


def kept(path: pathlib.Path) -> Kept:
    """A bundle, or the log of a match as NDJSON. It must be open: a seat's part of a running match is not enough."""
    names: dict[str, str] = {}
    events: list[Logged] = []
    try:
        with path.open("rb") as file:
            for number, _, line in lines(file):
                if "format" in line:
                    names = {one["player"]: one["name"] for one in line.get("seats", ()) if one.get("player")}
                elif "end" not in line:
                    events.append(event(line, number))
        return _kept(events, names)
    except Wrong as wrong:
        raise click.ClickException(f"{path} is no log of a match: {wrong}") from None
    except OSError as error:
        raise click.ClickException(f"{path} cannot be read: {error.strerror}") from None


def _kept(events: Sequence[Logged], names: match.Names) -> Kept:
    if not events or events[0].type != "match_opened" or events[0].public.get("game") not in BY_SLUG:
        raise Wrong("format", 0, "it does not begin with the opening of a match that is known here")
    if any(one.schema > SCHEMA for one in events):
        raise Wrong("format", 0, "it was written by a later release")
    if any(part.part is None for one in events for part in one.secret.values()):
        raise click.ClickException("the log is closed in parts: it can be read here when the match is over")
    game = BY_SLUG[events[0].public["game"]]
    classes = match.event_classes(game)
    parts = [
        upcast(
            game.slug,
            Parts(one.type, one.public, {key: kept.part or {} for key, kept in one.secret.items()}),
            one.schema,
        )
        for one in events
    ]
    try:
        first = match.opened(game, log.read(classes, parts[0], events[0].actor).event)
        classes = match.event_classes(first.game)  # of the edition that it was played by
        entries = [(*part, one.actor) for part, one in zip(parts[1:], events[1:], strict=True)]
        states = [first, *(one.whole for one in log.steps(first, classes, entries))]
    except OfLaterRelease as error:
        raise Wrong("format", 0, str(error)) from None
    except Exception as error:  # whatever stands in a file that somebody made
        raise Wrong("commands", 0, f"these are no events of {game.title}: {type(error).__name__} {error}") from None
    return Kept(events, parts, states, names)


def _eyes(wanted: str | None, seats: int) -> Seat | None:
    if wanted is None:
        return None
    if wanted == "table":
        return ALL
    if not wanted.isdecimal() or int(wanted) >= seats:
        raise LookupError(f"There is no seat {wanted}: it is one of 0 to {seats - 1}, or table.")
    return int(wanted)


def steps_of(found: Kept, wanted: str | None) -> list[dict[str, Any]]:
    """The same as a server tells."""
    final = found.states[-1]
    eyes, game, called = _eyes(wanted, len(final.chairs)), final.game, match.at_table(final, found.names)
    notable = remarkable(game)
    return [
        {
            "version": one.version,
            "words": sentence(game, part, eyes, called),
            "actor": actor(one.actor, called),
            "remarkable": one.type in notable,
            "view": match.view(now, eyes, found.names),
        }
        for one, part, now in zip(found.events, found.parts, found.states, strict=True)
    ]


def from_file(path: pathlib.Path) -> Recorded:
    found = kept(path)
    # It brings the whole of the API, which takes long to load: who looks at a server, or is mistaken, need not wait.
    from api.catalogue import described

    first = found.states[0]
    game, seats = first.game, len(first.chairs)
    board = game.board and game.board(read_options(game.options, first.options, seats), seats)
    drawn = json.loads(json.dumps(plain(board))) if board is not None else None
    # As it would come over the wire: lists, and no tuples.
    return Recorded(json.loads(described(game.slug)), drawn, lambda eyes: json.loads(json.dumps(steps_of(found, eyes))))


def from_server(server: str, token: str | None, match_id: str) -> Recorded:
    client = Client(server, token)
    try:
        view = client.look(match_id)
        assert view is not None
        game, board = client.game(view["game"]), client.board(view)
    except Refusal:
        raise Trouble(f"There is no match {match_id} that this token may see.") from None

    def steps(eyes: str | None) -> list[dict[str, Any]]:
        try:
            return client.replay(match_id, eyes)
        except Refusal as refusal:
            raise LookupError(f"It is not shown so: {refusal}.") from None

    return Recorded(game, board, steps)


def replay(recorded: Recorded, at: int | None, eyes: str | None) -> None:
    try:
        look_back(recorded, Screen(), at, eyes)
    except (Trouble, LookupError) as error:
        raise click.ClickException(str(error)) from None


# ── Played on in other ways ─────────────────────────────────────────────────────────────────────────────────────


def fetched(server: str, token: str | None, match_id: str) -> Kept:
    wanted = urllib.request.Request(
        f"{server.rstrip('/')}/v1/matches/{match_id}/events", headers={"Accept": "application/x-ndjson"}
    )
    if token:
        wanted.add_header("Authorization", f"Bearer {token}")
    try:
        with urllib.request.urlopen(wanted, timeout=PATIENCE) as answer:
            return _kept([event(line, number) for number, _, line in lines(answer)], {})
    except urllib.error.HTTPError as error:
        raise click.ClickException(f"the server answers {error.code}: {error.reason}") from None
    except (urllib.error.URLError, TimeoutError) as error:
        raise click.ClickException(f"the log cannot be read: {error}") from None
    except Wrong as wrong:
        raise click.ClickException(f"this is no log of a match: {wrong}") from None


class Position(NamedTuple):
    """What is played out, as it goes to other processes."""

    slug: str
    options: dict[str, Any]
    version: int
    table: Any  # frozen
    levels: tuple[str, ...]
    iterations: int
    seed: str


def position(found: Kept, version: int, levels: Sequence[str], iterations: int, seed: str) -> Position:
    if not 1 <= version <= len(found.events):
        raise click.ClickException(f"the log has the versions 1 to {len(found.events)}")
    then = found.states[version - 1]
    if version < len(found.events):
        one, following = found.events[version - 1], found.events[version]
        together = one.command_id == following.command_id
        if together and not log.was_settled(found.parts[version], following.actor):
            raise click.ClickException(f"version {version} lies in the middle of what one command led to")
    try:
        table = match.table_of(then, None, lambda k: 0)
    except Refused as refusal:
        raise click.ClickException(refusal.text) from None
    seats = len(then.chairs)
    given = tuple(levels) * seats if len(levels) == 1 else tuple(levels) or (USUAL,) * seats
    if len(given) != seats:
        raise click.ClickException(f"the table has {seats} seats: give one level, or {seats}")
    return Position(then.game.slug, dict(then.options), version, freeze(table), given, iterations, seed)


def played_out(wanted: Position, number: int) -> Played:
    """From the position to the end, through the same code that serves players."""
    game, seats = BY_SLUG[wanted.slug], tuple(match.bot_place(level) for level in wanted.levels)
    seed = hashlib.sha256(f"{wanted.seed}|{number}".encode()).digest()
    then = match.open_match(game, "then", host="", seats=seats, options=wanted.options, seed=seed).match
    then = then._replace(version=wanted.version)
    forked = match.fork(then, thaw(wanted.table), "what-if", imagined=False, host="", seats=seats, seed=seed)
    now, turns = match.start(forked.match, "", seed).match, 0
    while now.status == "playing" and turns < LONGEST:
        turns += 1
        if waiting := match.waiting_bots(now):
            thought = at_once(thinking(now, waiting[0], seed, lambda iterations: iterations >= wanted.iterations))
            now = done(now, waiting[0], thought, seed).match
        else:
            now = match.time_up(now, seed, {alarm.name for alarm in match.alarms(now)}).match
    ended = now.ended
    if ended is None:
        return Played(number, (1,) * len(seats), (0,) * len(seats), "too_long", now.version, turns)
    scores = tuple(ended.scores) or (0,) * len(seats)
    return Played(number, tuple(ended.places), scores, ended.reason, now.version, turns)


def all_played_out(wanted: Position, times: int, jobs: int) -> Iterator[Played]:
    if jobs == 1:
        yield from (played_out(wanted, number) for number in range(times))
        return
    with ProcessPoolExecutor(min(jobs, times), multiprocessing.get_context("spawn")) as pool:
        for one in as_completed([pool.submit(played_out, wanted, number) for number in range(times)]):
            yield one.result()


def what_if(wanted: Position, times: int, jobs: int, console: Console) -> None:
    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn())
    found: list[Played] = []
    with Progress(*columns, console=console) as progress:
        bar = progress.add_task(f"{BY_SLUG[wanted.slug].title} from version {wanted.version}", total=times)
        for one in all_played_out(wanted, times, jobs):
            found.append(one)
            progress.advance(bar)
    found.sort()
    console.print(summary(wanted, found))
    for seat in range(len(wanted.levels)):
        console.print(f"seat {seat}, final scores:")
        console.print("\n".join(spread([one.scores[seat] for one in found])), highlight=False)
    reasons = Counter(one.reason for one in found)
    console.print("ended by: " + ", ".join(f"{reason} {count}" for reason, count in reasons.most_common()))


def summary(wanted: Position, found: Sequence[Played]) -> Table:
    shown = Table(title=f"{len(found)} times from version {wanted.version}, seed {wanted.seed}")
    for heading in ("seat", "level", "won", "95 %", "mean score", "± 95 %"):
        shown.add_column(heading, justify="left" if heading == "level" else "right")
    for seat, level in enumerate(wanted.levels):
        one = standing(seat, found)
        low, high = one.share
        won = f"{one.won / len(found):.1%}"
        shown.add_row(str(seat), level, won, f"{low:.1%} to {high:.1%}", f"{one.mean:.2f}", f"{one.error:.2f}")
    return shown


def spread(scores: Sequence[int], bins: int = 8) -> list[str]:
    """A bar for each range of scores.

    >>> print("\\n".join(spread([1, 1, 1, 2])))
      1 to 1   ############################## 3
      2 to 2   ########## 1
    """
    low, high = min(scores), max(scores)
    width = max(1, -(-(high - low + 1) // bins))
    counts = Counter((score - low) // width for score in scores)
    most = max(counts.values())
    drawn = []
    for place in range((high - low) // width + 1):
        first = low + place * width
        bar = "#" * round(BAR * counts[place] / most)
        drawn.append(f"  {f'{first} to {min(high, first + width - 1)}':8} {bar} {counts[place]}")
    return drawn


# ── The command line ────────────────────────────────────────────────────────────────────────────────────────────

SERVER = click.option("--server", metavar="URL", help="a server elsewhere; without it the one on this machine")
TOKEN = click.option("--token", envvar="PARLOR_TOKEN", help="who you are, for that server")


def _local(given: Any) -> str:
    host = "127.0.0.1" if given.host == "0.0.0.0" else given.host
    return f"http://{host}:{given.port}"


@click.command(name="replay")
@click.argument("recorded", metavar="MATCH|FILE")
@click.option("--at", type=click.IntRange(1), help="the version to begin with; through a pipe the only one")
@click.option("--as", "eyes", metavar="SEAT|table", help="whose eyes to look with")
@SERVER
@TOKEN
@click.pass_obj
def replay_command(
    given: Any, recorded: str, at: int | None, eyes: str | None, server: str | None, token: str | None
) -> None:
    """Look back at a match step by step: one of a server by its id, or one in a file, a bundle or a log."""
    path = pathlib.Path(recorded)
    try:
        found = from_file(path) if path.is_file() else from_server(server or _local(given), token, recorded)
    except Trouble as trouble:
        raise click.ClickException(str(trouble)) from None
    replay(found, at, eyes)


@click.command(name="what-if")
@click.argument("recorded", metavar="MATCH|FILE")
@click.argument("version", type=click.IntRange(1))
@click.option(
    "--levels", metavar="LEVEL,...", default=USUAL, show_default=True, help="one for all seats, or one for each"
)
@click.option("--times", default=200, show_default=True, type=click.IntRange(1, 100_000))
@click.option("--iterations", default=8, show_default=True, type=click.IntRange(1, 1_000_000), help="of a search")
@click.option("--jobs", type=click.IntRange(1, 256), help="processes; without it one a core")
@click.option("--seed", help="plays the same again; without it otherwise each time")
@SERVER
@TOKEN
@click.pass_obj
def what_if_command(
    given: Any,
    recorded: str,
    version: int,
    levels: str,
    times: int,
    iterations: int,
    jobs: int | None,
    seed: str | None,
    server: str | None,
    token: str | None,
) -> None:
    """Let bots play on from a VERSION of a match that is over, many times in memory, and show what comes of it."""
    chosen = levels.split(",")
    if unknown := [level for level in chosen if level not in LEVELS]:
        raise click.BadParameter(f"{unknown[0]!r} is none of {', '.join(LEVELS)}", param_hint="--levels")
    path = pathlib.Path(recorded)
    found = kept(path) if path.is_file() else fetched(server or _local(given), token, recorded)
    wanted = position(found, version, chosen, iterations, seed or secrets.token_hex(4))
    what_if(wanted, times, jobs or os.cpu_count() or 1, Console())
