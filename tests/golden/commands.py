"""The commands of a frozen match, beside its events: `<slug>.commands.ndjson`.

`python -m tests.golden.commands SLUG` finds them: at each step the legal command that yields the stored events. With
them the test decides every step again, the deals and the clock's turns included. A frozen match holds conclusions, and
without the commands nothing would ask the rules whether they still come to them.
"""

from __future__ import annotations

import json
import pathlib
import sys
from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple

from domain import match
from domain.game import CLOCK, Refused, Template
from domain.wire import names, read_command, write_command
from tests.golden import matches


class Line(NamedTuple):
    """Who acted on the match as it stood after so many events, and how. The host starts; the clock has one command."""

    after: int
    actor: str
    command: dict[str, Any] | None


def beside(path: pathlib.Path) -> pathlib.Path:
    return path.with_name(f"{path.stem}.commands.ndjson")


def read(path: pathlib.Path) -> list[Line]:
    return [Line(**json.loads(line)) for line in beside(path).read_text().splitlines()]


def step(now: match.Match, line: Line, seed: bytes) -> match.Step:
    """What the rules make of a line today."""
    if line.actor == "host":
        return match.start(now, now.host, seed)
    if line.actor == match.actor_name(CLOCK):
        return match.time_up(now, seed, {alarm.name for alarm in match.alarms(now)})
    assert line.command is not None
    command = read_command(names(now.game.commands), line.command)
    return match.play_as_bot(now, seat_of(line.actor), command, seed, None)


def bare(happened: Sequence[match.Happened]) -> list[match.Happened]:
    """Without what was sent and why it was decided: the first streams were frozen before these were kept."""
    return [one._replace(sent=None, decided=None) for one in happened]


def seat_of(actor: str) -> int:
    kind, _, seat = actor.partition(":")
    assert kind == "seat", f"{actor} gives no commands"
    return int(seat)


# ── Finding them ────────────────────────────────────────────────────────────────────────────────────────────────


def find(path: pathlib.Path) -> Iterator[Line]:
    steps = list(matches.read(path))
    ended = steps[-1][0].ended
    assert ended is not None
    seed = bytes.fromhex(ended.server_seed)
    stored = tuple(one for _, one, _ in steps)
    after = 1
    while after < len(stored):
        now, actor = steps[after - 1][0], stored[after].actor
        for line in candidates(now, after, actor):
            try:
                happened = step(now, line, seed).happened
            except Refused:
                continue
            if happened and bare(happened) == bare(stored[after : after + len(happened)]):
                yield line
                after += len(happened)
                break
        else:
            raise SystemExit(f"{path.stem}: no legal command of {actor} yields event {after + 1}")


def candidates(now: match.Match, after: int, actor: str) -> Iterator[Line]:
    if not actor.startswith("seat:"):
        yield Line(after, actor, None)
        return
    for command in now.game.legal(now.table, seat_of(actor)):
        for one in filled(command) if isinstance(command, Template) else [command]:
            yield Line(after, actor, write_command(one))


def filled(template: Template) -> Iterator[Any]:
    """Every command that a template stands for: what `sample` makes of every row of numbers it can be given."""
    row: list[int] = []
    while True:
        bounds: list[int] = []

        def below(bound: int, bounds: list[int] = bounds) -> int:
            bounds.append(bound)
            if len(bounds) > len(row):
                row.append(0)
            return row[len(bounds) - 1]

        yield template.sample(below)
        while row and row[-1] + 1 == bounds[len(row) - 1]:
            row.pop()
        if not row:
            return
        row[-1] += 1


def main() -> None:
    for slug in sys.argv[1:] or [path.stem for path in matches.FROZEN]:
        path = matches.FOLDER / f"{slug}.ndjson"
        lines = list(find(path))
        beside(path).write_text("".join(json.dumps(line._asdict(), separators=(",", ":")) + "\n" for line in lines))
        print(f"{beside(path).name}: {len(lines)} commands")


if __name__ == "__main__":
    main()
