"""docs/verify_match.py, which people run without Parlor: it accepts what the code makes, and nothing else."""

from __future__ import annotations

import copy
import datetime as dt
import importlib.util
import itertools
import json
import pathlib
import random
import subprocess
import sys
from collections.abc import Callable, Iterable
from typing import Any

import pytest

from domain import chance, log
from eventstore import chain
from tests.golden import matches as golden

DOCS = pathlib.Path(__file__).parent.parent / "docs"
SCRIPT, EXAMPLE = DOCS / "verify_match.py", DOCS / "example-match.ndjson"
AT = dt.datetime(2026, 1, 2, 3, 4, 5, 678, tzinfo=dt.UTC)
FROZEN = golden.FROZEN
Events = list[dict[str, Any]]

_spec = importlib.util.spec_from_file_location("verify_match", SCRIPT)
assert _spec is not None and _spec.loader is not None
script: Any = importlib.util.module_from_spec(_spec)
sys.modules["verify_match"] = script
_spec.loader.exec_module(script)


def lines(events: Iterable[dict[str, Any]]) -> list[str]:
    return [json.dumps(event) for event in events]


def stored(path: pathlib.Path) -> tuple[str, bytes, list[chain.Stored]]:
    """A frozen match as the event store keeps it."""
    steps = list(golden.read(path))
    final = steps[-1][0]
    assert final.ended is not None
    seed, previous, found = bytes.fromhex(final.ended.server_seed), chain.GENESIS, []
    for now, one, _ in steps:
        bare = chain.Stored(now.version, log.write(one), 1, one.actor, f"c/{now.version}", AT, b"")
        found.append(chain.chained(previous, seed, final.id, bare))
        previous = found[-1].hash
    return final.id, seed, found


def shown(path: pathlib.Path, seat: int | None = None, upto: int | None = None) -> Events:
    """The events as the API gives them: of the whole match after its end, or of its beginning while it is on."""
    match_id, seed, found = stored(path)
    events = [chain.redacted(one, match_id, seed, seat, upto is None) for one in found[:upto]]
    return json.loads(json.dumps(events))  # type: ignore[no-any-return]


def rechained(events: Events) -> Events:
    """The work of a forger who owns the server: every commitment and every hash is made anew."""
    previous = chain.GENESIS
    for event in events:
        for kept in event["secret"].values():
            if "part" in kept:
                kept["commitment"] = chain.commitment(bytes.fromhex(kept["salt"]), kept["part"])
        secrets = {audience: kept["commitment"] for audience, kept in event["secret"].items()}
        previous = chain.link(previous, {k: v for k, v in event.items() if k != "hash"} | {"secret": secrets})
        event["hash"] = previous.hex()
    return events


def drawn(events: Events, kind: str) -> dict[str, Any]:
    return next(event for event in events if event["public"].get("draw", {}).get("kind") == kind)


# ── What it accepts ─────────────────────────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize("path", FROZEN, ids=lambda path: path.stem)
def test_a_match_that_is_over_verifies_down_to_the_last_draw(path: pathlib.Path) -> None:
    events = shown(path)
    report = script.verify(lines(events))
    assert report.head == chain.verify(events).hex() == events[-1]["hash"]
    assert report.draws == sum(one.drawn is not None for _, one, _ in golden.read(path))
    assert (report.events, report.closed) == (len(events), 0)


@pytest.mark.parametrize("seat", [None, 0, 1])
def test_a_match_that_is_on_verifies_for_every_seat_as_far_as_the_seat_can_see(seat: int | None) -> None:
    events = shown(golden.FOLDER / "quenette.ndjson", seat, upto=20)
    report = script.verify(lines(events), events[-1]["hash"])
    assert report.draws is None and report.closed > 0
    assert report.opened == sum("part" in kept for event in events for kept in event["secret"].values())
    assert (report.opened > 0) == (seat is not None)


def test_canonical_json_is_that_of_the_chain_for_names_in_any_script() -> None:
    for text in ("Ann", "Zoë", "李", "🂡", 'a"b\\c/d', "\x00\x1f\x7f\u2028", ""):
        assert script.canonical({"name": text, "a": [1, -2, True, None]}) == chain.canonical(
            {"name": text, "a": [1, -2, True, None]}
        )


def test_it_runs_by_itself(tmp_path: pathlib.Path) -> None:
    def run(*arguments: str, given: str = "") -> subprocess.CompletedProcess[str]:
        command = [sys.executable, "-I", str(SCRIPT), *arguments]
        return subprocess.run(command, input=given, capture_output=True, text=True, cwd=tmp_path, check=False)

    good = EXAMPLE.read_text()
    assert run("-", given=good).returncode == 0
    found = run(str(EXAMPLE), "--head", json.loads(good.splitlines()[5])["hash"])
    assert found.returncode == 0 and "4 draws recomputed" in found.stdout
    assert run(str(EXAMPLE), "--head", "00" * 32).returncode == 1
    forged = run("-", given=good.replace('"Bob"', '"Rob"'))
    assert forged.returncode == 1 and "version 2: the hash does not fit" in forged.stderr
    for nonsense in ("", "[]\n", "{}\n", "{", "1.5", '{"a":1,"a":2}', "[" * 100_000):
        failed = run("-", given=nonsense)
        assert failed.returncode == 1 and failed.stderr.startswith("FAILED:"), nonsense[:9]


# ── What it finds ───────────────────────────────────────────────────────────────────────────────────────────────


def leaves(value: Any, path: tuple[Any, ...] = ()) -> list[tuple[Any, ...]]:
    inner = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else None
    return [path] if inner is None else [leaf for key, part in inner for leaf in leaves(part, (*path, key))]


@pytest.mark.parametrize("path", FROZEN, ids=lambda path: path.stem)
def test_any_change_of_any_value_is_found(path: pathlib.Path) -> None:
    events = shown(path)
    written = lines(events)
    rng = random.Random(path.stem)
    for number, *place in rng.sample(leaves(events), 20):
        forged = copy.deepcopy(events[number])
        target: Any = forged
        for step in place[:-1]:
            target = target[step]
        old = target[place[-1]]
        target[place[-1]] = (not old) if isinstance(old, bool) else old + 1 if isinstance(old, int) else f"{old}0"
        with pytest.raises(script.DoesNotFit):
            script.verify([*written[:number], *lines([forged]), *written[number + 1 :]])


def test_leaving_out_doubling_and_exchanging_events_is_found() -> None:
    events = shown(FROZEN[0])
    for forged in (events[1:], events[:4] + events[5:], [*events[:5], events[4], *events[5:]], events[:1] + events[:1]):
        with pytest.raises(script.DoesNotFit):
            script.verify(lines(forged))
    with pytest.raises(script.DoesNotFit, match="hash that was noted"):
        script.verify(lines(events[:-1]), events[-1]["hash"])


def change_of_a_throw(events: Events) -> None:
    record = drawn(events, "dice")["public"]["draw"]
    record["result"][0] = record["result"][0] % record["size"][1] + 1


def change_of_a_shuffle(events: Events) -> None:
    order = drawn(events, "shuffle")["secret"]["table"]["part"]["draw"]["result"]
    order[0], order[1] = order[1], order[0]


def a_draw_tried_twice(events: Events) -> None:
    drawn(events, "shuffle")["public"]["draw"]["n"] += 1


def a_draw_of_another_size(events: Events) -> None:
    drawn(events, "dice")["public"]["draw"]["size"][0] += 1


def a_draw_without_end(events: Events) -> None:
    drawn(events, "dice")["public"]["draw"]["size"][1] = 2**32 + 1


def a_draw_that_nobody_announced(events: Events) -> None:
    del drawn(events, "shuffle")["public"]["draw"]


def another_seed(events: Events) -> None:
    events[-1]["public"]["server_seed"] = "00" * 32


def another_seed_with_its_commitment(events: Events) -> None:
    another_seed(events)
    events[0]["public"]["seed_commitment"] = chance.commitment(bytes(32))


def a_salt_of_ones_own(events: Events) -> None:
    drawn(events, "shuffle")["secret"]["table"]["salt"] = "00" * 32


def a_client_seed_that_was_not_given(events: Events) -> None:
    started = next(event for event in events if event["type"] == "match_started")
    started["public"]["client_seeds"][0] = "chosen-later"


def a_part_kept_closed(events: Events) -> None:
    kept = drawn(events, "shuffle")["secret"]["table"]
    del kept["part"], kept["salt"]


def an_event_after_the_end(events: Events) -> None:
    events.append({**copy.deepcopy(events[-2]), "version": len(events) + 1})


@pytest.mark.parametrize(
    ("forge", "found"),
    [
        (change_of_a_throw, "does not come from the seed"),
        (change_of_a_shuffle, "does not come from the seed"),
        (a_draw_tried_twice, "out of order"),
        (a_draw_of_another_size, "does not have the size"),
        (a_draw_without_end, "no number below"),
        (a_draw_that_nobody_announced, "not announced"),
        (another_seed, "not the one that was promised"),
        (another_seed_with_its_commitment, "does not come from the seed"),
        (a_salt_of_ones_own, "salt for table"),
        (a_client_seed_that_was_not_given, "client seeds"),
        (a_part_kept_closed, "closed though the match is over"),
        (an_event_after_the_end, "follows the end"),
    ],
    ids=lambda value: getattr(value, "__name__", ""),
)
def test_a_log_that_was_forged_and_chained_anew_is_found(forge: Callable[[Events], None], found: str) -> None:
    """The chain alone cannot help against the owner of the server; the seed can."""
    events = shown(golden.FOLDER / "check-and-double-check.ndjson")
    assert script.verify(lines(rechained(copy.deepcopy(events)))).head == events[-1]["hash"]
    forge(events)
    with pytest.raises(script.DoesNotFit, match=found):
        script.verify(lines(rechained(events)))


# ── The worked example of docs/audit.md ─────────────────────────────────────────────────────────────────────────


def test_the_worked_example_is_what_the_code_computes() -> None:
    """Every number in the text comes from here."""
    text = (DOCS / "audit.md").read_text()
    events = [json.loads(line) for line in EXAMPLE.read_text().splitlines()]
    assert script.verify(lines(events)).draws == 4
    match_id, seed = events[0]["public"]["match_id"], bytes.fromhex(events[-1]["public"]["server_seed"])
    source = chance.Source(seed, match_id, tuple(events[2]["public"]["client_seeds"]))
    deal = events[4]["secret"]["table"]
    assert chain.salt(seed, match_id, 5, "table").hex() == deal["salt"] in text
    assert chain.commitment(bytes.fromhex(deal["salt"]), deal["part"]) == deal["commitment"] in text
    assert chain.canonical(deal["part"]).decode() in text
    assert chance.commitment(seed) == events[0]["public"]["seed_commitment"] in text
    for event in (events[1], events[4]):
        hashed = {k: v for k, v in event.items() if k != "hash"}
        hashed["secret"] = {audience: kept["commitment"] for audience, kept in event["secret"].items()}
        assert chain.canonical(hashed).decode() in text
        assert chain.link(bytes.fromhex(events[event["version"] - 2]["hash"]), hashed).hex() == event["hash"] in text
    assert f"{match_id}|ann-1911,bob-1943|1|0" in text
    for n, count in ((1, 4), (2, 8)):
        for word in itertools.islice(chance.words(source, n), count):
            assert f"{word:08x}" in text and str(word) in text
    order = list(chance.recompute(source, 2, "shuffle", [22]))
    assert order == deal["part"]["draw"]["result"] and str(order) in text
