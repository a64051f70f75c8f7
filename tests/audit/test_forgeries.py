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
from tests.audit.forgeries import FORGERIES, another_tail, judged, some_of
from tests.golden import commands
from tests.golden import matches as golden

FEW = ("four-nines", "flique", "grafto", "goat")  # short ones, that have between them all that can be forged


@pytest.mark.parametrize("game", GAMES, ids=lambda game: game.slug)
def test_a_match_passes_both_verifiers_with_nothing_left_out(game: Game[Any], tmp_path: pathlib.Path) -> None:
    match = played(game.slug)
    path = tmp_path / "bundle.ndjson"
    path.write_bytes(match.bundle())
    report = verify(io.BytesIO(match.bundle()))
    assert report.wrong is None
    assert report.checks["commands"].ok == len({event["command_id"] for event in match.events})
    assert report.checks["bots"].ok and report.checks["result"].ok == report.checks["rules"].ok == 1
    failed = sum(event["type"] == "bot_fell_back" for event in match.events)
    assert sum(check.unchecked.total() for check in report.checks.values()) == failed
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
    rng = random.Random("few")
    made = some_of([played(slug) for slug in FEW], 8, rng)
    made += [tail for slug in FEW if (tail := another_tail(played(slug), played(slug, 2), rng))]
    missing = {forge.__name__.replace("_", " ") for forge in FORGERIES} - {forged.name for forged in made}
    assert not missing and made[-1].name == "another tail"
    assert judged(made, tmp_path) == []


def test_another_instant_is_found_by_a_hash_that_was_noted_and_by_nothing_else() -> None:
    match = played("grafto")
    events = copy.deepcopy(match.events)
    for event in events:
        event["at"] = event["at"].replace("2026", "2025")
    forged = match.bundle(rechained(events, match.seed, match.match.id))
    assert verify(io.BytesIO(forged)).wrong is None
    noted = verify(io.BytesIO(forged), noted=match.events[9]["hash"])
    assert noted.wrong is not None and noted.wrong.kind == "chain"


def test_a_bot_looked_ahead_as_often_as_is_said() -> None:
    match = played("quenette")
    events = copy.deepcopy(match.events)
    event = next(event for event in events if "bot" in event["secret"].get("table", {}).get("part", {}))
    event["secret"]["table"]["part"]["bot"]["iterations"] = 7
    wrong = verify(io.BytesIO(match.bundle(rechained(events, match.seed, match.match.id)))).wrong
    assert wrong is not None and (wrong.kind, wrong.version) == ("bots", event["version"])


def test_a_server_whose_clock_was_set_back_is_not_accused() -> None:
    match = played("quenette", 2)
    late = next(event for event in match.events if event["type"] == "turn_timed_out")
    events = copy.deepcopy(match.events)
    for event in events[late["version"] - 1 :]:
        event["at"] = event["at"].replace("2026", "2025")
    report = verify(io.BytesIO(match.bundle(rechained(events, match.seed, match.match.id))))
    assert report.wrong is None
    assert any("set back" in why for why in report.checks["commands"].unchecked)


def test_a_bot_that_did_not_come_to_its_move_by_itself_is_found() -> None:
    match = played("quenette")
    events = copy.deepcopy(match.events)
    by_bots = [event for event in events if "bot" in event["secret"].get("table", {}).get("part", {})]
    for said in (events[0]["public"]["seats"][-1], *(event["secret"]["table"]["part"]["bot"] for event in by_bots)):
        said["level"] = "random"
    wrong = verify(io.BytesIO(match.bundle(rechained(events, match.seed, match.match.id)))).wrong
    assert wrong is not None and wrong.kind == "bots"
    assert wrong.version in [event["version"] for event in by_bots]


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
        (-1, "signatures", "none"),
        (0, "seats", []),
        (0, "rules_fingerprint", None),
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


@pytest.mark.parametrize(
    ("line", "name", "value", "told"),
    [
        (0, "rules_version", 77, "rules_version up to 1, not 77"),
        (0, "match_rules", 77, "match_rules up to"),
        (30, "schema", 77, "events up to schema"),
    ],
)
def test_what_is_of_a_later_release_is_not_judged_by_this_one(line: int, name: str, value: int, told: str) -> None:
    match = played("grafto")
    events = copy.deepcopy(match.events)
    for event in events[line:] if name == "schema" else []:
        event["schema"] = value
    if name != "schema":
        events[0]["public"][name] = value
    report = verify(io.BytesIO(written(rechained(events, match.seed, match.match.id))))
    assert report.wrong is None and report.checks["draws"].ok
    assert any(told in why for why in report.checks["commands"].unchecked)


@pytest.mark.parametrize("number", [1, 2])
def test_a_match_of_an_older_number_of_the_rules_is_judged_by_the_edition_that_stands_for_it(number: int) -> None:
    """Goat has had one edition for two numbers."""
    match = played("goat")
    events = copy.deepcopy(match.events)
    events[0]["public"]["rules_version"] = number
    report = verify(io.BytesIO(match.bundle(rechained(events, match.seed, match.match.id))), bots=lambda version: False)
    assert report.wrong is None and report.checks["rules"].ok == 1


def test_who_sat_at_a_table_is_checked_while_the_match_is_on(tmp_path: pathlib.Path) -> None:
    match = played("grafto")
    lines = [json.loads(raw) for raw in match.bundle(match.seen[0]).splitlines()]
    lines[-1]["end"]["server_seed"] = None
    path = tmp_path / "bundle.ndjson"
    path.write_bytes(written(lines))
    assert verify(io.BytesIO(path.read_bytes())).wrong is None and second([path])[0].wrong is None
    lines[0]["seats"][0]["player"] = lines[0]["seats"][1]["player"]
    path.write_bytes(written(lines))
    wrong = verify(io.BytesIO(path.read_bytes())).wrong
    assert wrong is not None and (wrong.kind, wrong.version) == ("format", 0)
    assert second([path])[0].wrong == ("format", 0)


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
    yield "no such day", lines[1].replace(b"2026-01-02T", b"2026-02-30T")
    yield "digits of another script", lines[1].replace(b"2026-01-02T", "٢٠٢٦-01-02T".encode())
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


def test_values_of_the_wrong_kind_are_told_of_and_not_tripped_over(tmp_path: pathlib.Path) -> None:
    match = played("check-and-double-check")
    dealt = next(event["version"] for event in match.events if event["type"] == "hand_dealt")
    files = []
    for number, value in enumerate((5, "x", {"a": 1}, [[[]]])):
        for place, name in enumerate(("rows", "dealer", "discard_top", "misc_cards", "salt")):
            events = copy.deepcopy(match.events)
            if name == "misc_cards":
                events[0]["public"]["options"][name] = value
            elif name != "salt":
                events[dealt - 1]["public"][name] = value
            events = rechained(events, match.seed, match.match.id)
            if name == "salt":
                events[dealt - 1]["secret"]["table"]["salt"] = [events[dealt - 1]["secret"]["table"]["salt"], value]
            files.append(tmp_path / f"{number}-{place}.ndjson")
            files[-1].write_bytes(written(events))
    for path, verdict in zip(files, second(files), strict=True):
        wrong = verify(io.BytesIO(path.read_bytes()), bots=lambda version: False).wrong
        assert wrong is not None and verdict.wrong is not None and verdict.wrong[1] == dealt, path.name


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
