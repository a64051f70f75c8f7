"""Both verifiers over one corpus: what was played passes, what was forged is found at its version, garbage is told of."""

from __future__ import annotations

import copy
import io
import json
import pathlib
import random
import resource
from collections.abc import Iterator
from typing import Any

import pytest

from domain.audit.reading import LONGEST
from domain.audit.verifying import verify
from domain.game import Game
from domain.games import GAMES
from tests.audit import vectors
from tests.audit.corpus import played, rechained, second, written
from tests.audit.forgeries import judged, some_of
from tests.golden import commands
from tests.golden import matches as golden

FEW = ("acey-ducey", "grafto", "quenette", "flique")


@pytest.mark.parametrize("game", GAMES, ids=lambda game: game.slug)
def test_a_match_passes_both_verifiers_with_nothing_left_out(game: Game[Any], tmp_path: pathlib.Path) -> None:
    match = played(game.slug)
    path = tmp_path / "bundle.ndjson"
    path.write_bytes(match.bundle())
    report = verify(io.BytesIO(match.bundle()))
    assert report.wrong is None
    assert report.checks["commands"].ok == len({event["command_id"] for event in match.events})
    assert report.checks["bots"].ok and report.checks["result"].ok == report.checks["rules"].ok == 1
    assert not any(check.unchecked for check in report.checks.values())
    (verdict,) = second([path])
    assert verdict.wrong is None, verdict.text
    for kind in ("chain", "commitments", "salts", "draws"):
        assert verdict.ok[kind] == report.checks[kind].ok
    # Which card is drawn blind from a hand depends on all that was played: that is for the rules.
    drawn = [(event["type"], event["public"].get("draw", {}).get("kind")) for event in match.events]
    blind = sum(kind == "pick" and what != "dealer_chosen" for what, kind in drawn)
    assert verdict.ok["deals"] == verdict.ok["draws"] - blind


def test_what_a_seat_has_while_the_match_is_on_passes_both(tmp_path: pathlib.Path) -> None:
    match = played("quenette")
    files = [tmp_path / f"{seat}.ndjson" for seat in range(len(match.seen))]
    for path, seen in zip(files, match.seen, strict=True):
        path.write_bytes(written(seen))
        assert verify(io.BytesIO(path.read_bytes())).wrong is None
    assert [verdict.wrong for verdict in second(files)] == [None] * len(files)


def test_every_forgery_is_found_at_its_version_by_those_whose_check_it_is(tmp_path: pathlib.Path) -> None:
    matches = [played(slug, number) for slug in FEW for number in (1, 2)]
    assert judged(some_of(matches, 8, random.Random("few")), tmp_path) == []


def test_another_instant_is_found_by_a_hash_that_was_noted_and_by_nothing_else() -> None:
    match = played("grafto")
    events = copy.deepcopy(match.events)
    for event in events:
        event["at"] = event["at"].replace("2026", "2025")
    forged = match.bundle(rechained(events, match.seed, match.match.id))
    assert verify(io.BytesIO(forged)).wrong is None
    noted = verify(io.BytesIO(forged), noted=match.events[9]["hash"])
    assert noted.wrong is not None and noted.wrong.kind == "chain"


def test_a_bot_that_did_not_come_to_its_move_by_itself_is_found() -> None:
    match = played("quenette")
    events = copy.deepcopy(match.events)
    by_bots = [event for event in events if "bot" in event["secret"].get("table", {}).get("part", {})]
    event = by_bots[len(by_bots) // 2]
    event["secret"]["table"]["part"]["bot"]["level"] = "random"
    wrong = verify(io.BytesIO(match.bundle(rechained(events, match.seed, match.match.id)))).wrong
    assert wrong is not None and (wrong.kind, wrong.version) == ("bots", event["version"])


def test_the_vectors_of_the_documentation_are_judged_as_it_says() -> None:
    expected = json.loads(vectors.EXPECTED.read_text())
    files = [vectors.FOLDER / name for name in expected]
    assert sorted(files) == sorted(vectors.FOLDER.glob("*.ndjson"))
    for path, verdict in zip(files, second(files), strict=True):
        with path.open("rb") as file:
            wrong = verify(file).wrong
        said = expected[path.name]
        assert (wrong and wrong.version) == (said and said["version"]), path.name
        assert (verdict.wrong is None) == (said is None or said["needs_the_rules"]), path.name


# ── The first and the last line ─────────────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize(
    ("line", "name", "value"),
    [
        (0, "game", "trix"),
        (0, "match", "another"),
        (0, "rules_version", 77),
        (0, "match_rules", 1),
        (0, "options", {"hands": 9}),
        (0, "seed_commitment", "00" * 32),
        (0, "format_version", 2),
        (-1, "head", "00" * 32),
        (-1, "version", 3),
        (-1, "server_seed", None),
    ],
)
def test_what_frames_the_events_must_agree_with_them(line: int, name: str, value: Any, tmp_path: pathlib.Path) -> None:
    lines = [json.loads(raw) for raw in played("grafto").bundle().splitlines()]
    (lines[0] if line == 0 else lines[-1]["end"])[name] = value
    path = tmp_path / "bundle.ndjson"
    path.write_bytes(written(lines))
    wrong = verify(io.BytesIO(path.read_bytes())).wrong
    assert wrong is not None and (wrong.kind, wrong.version) == ("format", 0)
    assert second([path])[0].wrong == ("format", 0)


def test_rules_that_this_release_does_not_have_are_not_judged_by_others() -> None:
    match = played("grafto")
    events = copy.deepcopy(match.events)
    events[0]["public"]["rules_version"] = 77
    report = verify(io.BytesIO(written(rechained(events, match.seed, match.match.id))))
    assert report.wrong is None and not report.checks["commands"].ok
    assert any("77" in why for why in report.checks["commands"].unchecked)


# ── Garbage ─────────────────────────────────────────────────────────────────────────────────────────────────────


def garbage() -> Iterator[tuple[str, bytes]]:
    whole = played("grafto").bundle()
    lines = whole.splitlines(keepends=True)
    yield "nothing", b""
    yield "an empty line", b"\n"
    yield "no UTF-8", b"\xff\xfe\n"
    yield "half a character", b'{"a":"\\ud800"}\n'
    yield "a mark before it", b"\xef\xbb\xbf" + whole
    yield "a list", b"[]\n"
    yield "a fraction", lines[1].replace(b'"schema":', b'"schema":1.0,"x":')
    yield "a key twice", lines[1].replace(b'{"version":1', b'{"version":1,"version":1')
    yield "a large number", lines[1].replace(b'"version":1', b'"version":12345678901234567890')
    yield "deep nesting", b'{"a":' + b"[" * 100_000 + b"]" * 100_000 + b"}\n"
    yield "cut off in a line", whole[: len(whole) // 2]
    yield "cut off after a line", b"".join(lines[:10])
    yield "no first line", b"".join(lines[1:])
    yield "something after the end", whole + lines[3]
    yield "a die without faces", whole.replace(b'"kind":"pick","size":[', b'"kind":"dice","size":[0],"x":[', 1)


@pytest.mark.parametrize(("name", "raw"), list(garbage()), ids=lambda value: value if isinstance(value, str) else "")
def test_garbage_is_told_of_in_a_sentence(name: str, raw: bytes, tmp_path: pathlib.Path) -> None:
    path = tmp_path / "garbage.ndjson"
    path.write_bytes(raw)
    report = verify(io.BytesIO(raw))
    assert report.wrong is not None and report.wrong.text and report.lines()[-1].startswith("WRONG")
    assert second([path])[0].wrong is not None


def test_a_draw_that_would_take_for_ever_is_refused(tmp_path: pathlib.Path) -> None:
    match = played("acey-ducey")
    for number, size in enumerate(([2, 0], [], [2], [2**16, 6], [True, 6], "2")):
        events = copy.deepcopy(match.events)
        first = next(event for event in events if "draw" in event["public"])
        first["public"]["draw"]["size"] = size
        path = tmp_path / f"{number}.ndjson"
        path.write_bytes(match.bundle(rechained(events, match.seed, match.match.id)))
        wrong = verify(io.BytesIO(path.read_bytes())).wrong
        assert wrong is not None and (wrong.kind, wrong.version) == ("draws", first["version"])
        assert second([path])[0].wrong == ("draws", first["version"])


def test_a_line_of_a_hundred_megabytes_is_refused_in_little_memory(tmp_path: pathlib.Path) -> None:
    path = tmp_path / "long.ndjson"
    with path.open("wb") as file:
        file.write(b'{"a":"')
        for _ in range(100):
            file.write(b"x" * LONGEST)
        file.write(b'"}\n')
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    with path.open("rb") as file:
        wrong = verify(file).wrong
    assert wrong is not None and "bytes" in wrong.text
    assert resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before < 50_000
    assert second([path])[0].wrong == ("format", 0)


# ── Matches of 0.1, which kept no commands ──────────────────────────────────────────────────────────────────────


def test_the_commands_of_an_old_match_are_found_again() -> None:
    path = golden.FOLDER / "quenette.ndjson"
    begins = {line.after + 1 for line in commands.read(path)}
    frozen = [json.loads(line) for line in path.read_text().splitlines()[1:]]
    seed, match_id = bytes.fromhex(frozen[-1]["public"]["server_seed"]), frozen[0]["public"]["match_id"]
    command, events = 0, []
    for line in frozen:
        command += line["v"] in begins
        secret = {audience: {"part": part} for audience, part in line.get("secret", {}).items()}
        kept = {name: line[name] for name in ("actor", "schema", "type", "public")}
        events.append({**kept, "secret": secret, "command_id": f"c/{command}", "at": "2026-01-02T03:04:05.000000Z"})
    report = verify(io.BytesIO(written(rechained(events, seed, match_id))))
    assert report.wrong is None
    assert report.checks["commands"].ok == 1 + len(begins) and not report.checks["commands"].unchecked
    assert report.checks["result"].ok == 1
