"""The golden corpus: whole matches, frozen once and replayed for ever.

`python -m tests.golden.matches SLUG` plays the match that a game's test module describes as `GOLDEN` and freezes it;
`SLUG.second` the one in `tests/golden/more.py`, and others that stand there.
A frozen stream is never made anew because the code changed: then the code has to read the old stream. Only the hashes
of what can be seen are taken anew, with `--views`, when the words of a view were changed on purpose.
"""

from __future__ import annotations

import hashlib
import json
import pathlib
import random
import sys
from collections.abc import Callable, Iterator
from typing import Any, NamedTuple

from domain import log, match
from domain.editions import edition
from domain.game import Game
from domain.games import BY_SLUG
from domain.upcast import SCHEMA, upcast
from domain.wire import Parts
from tests.domain import playing

FOLDER = pathlib.Path(__file__).parent
FROZEN = sorted(path for path in FOLDER.glob("*.ndjson") if not path.stem.endswith(".commands"))
STEPS_BETWEEN_HASHES = 25


class Golden(NamedTuple):
    """Which match is worth keeping: the table, and the remarkable moment that must be in it."""

    seats: int
    options: dict[str, Any]
    moment: str  # in words
    shows: Callable[[list[Any]], bool]  # whether these events have it
    tries: int = 2000
    rules_version: int | None = None  # where it is of a certain edition


def wanted(stem: str) -> tuple[Game[Any], Golden]:
    """What the file of this name is to show, and the edition it is played by."""
    from tests.golden.more import MORE

    game = BY_SLUG[stem.partition(".")[0]]
    golden = MORE[stem] if "." in stem else playing.module(game).GOLDEN
    return edition(game, golden.rules_version or game.version), golden


def play(game: Game[Any], golden: Golden, number: int) -> tuple[match.Match, list[match.Happened]]:
    """A match of random legal commands between bots, with a seed of its own."""
    seed = hashlib.sha256(f"golden {game.slug} {number}".encode()).digest()
    rng = random.Random(seed)
    places = tuple(match.Place("bot", None, "random", "") for _ in range(golden.seats))
    now, happened = match.open_match(
        game, f"golden-{game.slug}", host="golden", seats=places, options=golden.options, seed=seed
    )
    log_so_far = list(happened)
    step = match.start(now, "golden", seed)
    while True:
        now = step.match
        log_so_far += step.happened
        if now.status == "over":
            return now, log_so_far
        seat, command = playing.choose(game, now.table, rng)
        step = (
            match.time_up(now, seed, {alarm.name for alarm in match.alarms(now)})
            if seat < 0
            else match.play_as_bot(now, seat, command, seed, None)
        )


def state_hash(now: match.Match) -> str:
    """What everybody can see at one version: it must stay the same whatever becomes of the inner state."""
    views = [now.game.view(now.table, seat) for seat in (None, *range(len(now.chairs)))]
    return hashlib.sha256(json.dumps(views, sort_keys=True, separators=(",", ":")).encode()).hexdigest()


def freeze(game: Game[Any], golden: Golden) -> str:
    for number in range(golden.tries):
        now, happened = play(game, golden, number)
        if golden.shows([one.event for one in happened]):
            break
    else:
        raise SystemExit(f"no match in {golden.tries} has it: {golden.moment}")
    lines = [{"game": game.slug, "moment": golden.moment, "events": len(happened), "version": now.version}]
    replayed = None
    for version, one in enumerate(happened, start=1):
        replayed = match.opened(game, one.event) if replayed is None else match.evolve(replayed, one)
        parts = log.write(one)
        line = {"v": version, "actor": one.actor, "schema": SCHEMA, "type": parts.type, "public": parts.public}
        if parts.secret:
            line["secret"] = parts.secret
        if version % STEPS_BETWEEN_HASHES == 0 or version == len(happened):
            line["state"] = state_hash(replayed)
        lines.append(line)
    return "".join(json.dumps(line, separators=(",", ":")) + "\n" for line in lines)


def read(path: pathlib.Path) -> Iterator[tuple[match.Match, match.Happened, str | None]]:
    """The match after each event of a frozen stream, the event, and the state hash where one was kept."""
    head, *lines = [json.loads(line) for line in path.read_text().splitlines()]
    game = edition(BY_SLUG[head["game"]], lines[0]["public"]["rules_version"])
    classes = match.event_classes(game)
    now = None
    for line in lines:
        parts = upcast(game.slug, Parts(line["type"], line["public"], line.get("secret", {})), line["schema"])
        one = log.read(classes, parts, line["actor"])
        now = match.opened(game, one.event) if now is None else match.evolve(now, one)
        yield now, one, line.get("state")


def with_views_of_today(path: pathlib.Path) -> str:
    """The same events, byte by byte, with the hashes that the views have now."""
    head, *lines = path.read_text().splitlines()
    found = [head]
    for line, (now, _, state) in zip(lines, read(path), strict=True):
        found.append(line if state is None else line.replace(state, state_hash(now)))
    return "".join(line + "\n" for line in found)


if __name__ == "__main__":
    anew = "--views" in sys.argv
    for stem in [argument for argument in sys.argv[1:] if argument != "--views"]:
        target = FOLDER / f"{stem}.ndjson"
        if target.exists() and not anew:
            raise SystemExit(f"{target.name} is frozen; a new match needs a new file")
        target.write_text(with_views_of_today(target) if anew else freeze(*wanted(stem)))
        print(f"{target.name}: {len(target.read_text().splitlines()) - 1} events, {target.stat().st_size} bytes")
