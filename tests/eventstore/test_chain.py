"""The hash chain: every seat can follow it, and no byte can be changed unnoticed."""

from __future__ import annotations

import copy
import datetime as dt
import json
import random
from typing import Any

import pytest

from domain import log
from domain.upcast import upcast
from domain.wire import Parts
from eventstore.chain import GENESIS, Stored, chained, redacted, verify
from eventstore.errors import CorruptStream
from tests.golden import matches as golden

SEED = bytes(range(32))
AT = dt.datetime(2026, 1, 2, 3, 4, 5, 678, tzinfo=dt.UTC)


def stream() -> list[Stored]:
    previous, found = GENESIS, []
    for now, one, _ in golden.read(golden.FOLDER / "quenette.ndjson"):
        bare = Stored(now.version, log.write(one), 1, one.actor, "c", AT, b"")
        found.append(chained(previous, SEED, "m", bare))
        previous = found[-1].hash
    return found


def seen_by(seat: int | None, over: bool = False) -> list[dict[str, Any]]:
    """As it comes out of the API: through JSON."""
    return json.loads(json.dumps([redacted(one, "m", SEED, seat, over) for one in stream()]))  # type: ignore[no-any-return]


@pytest.mark.parametrize("seat", [None, 0, 1, 2])
def test_every_seat_and_every_spectator_verifies_the_same_chain(seat: int | None) -> None:
    assert verify(seen_by(seat)) == stream()[-1].hash == verify(seen_by(seat, over=True))


def test_a_seat_gets_its_own_secrets_and_only_commitments_of_the_others() -> None:
    deal = next(event for event in seen_by(1) if event["type"] == "hand_dealt")
    assert {key for key, kept in deal["secret"].items() if "part" in kept} == {"1"}
    assert set(deal["secret"]) == {"0", "1", "2", "table"}
    opened = next(event for event in seen_by(1, over=True) if event["type"] == "hand_dealt")
    assert all("part" in kept for kept in opened["secret"].values())


def places(value: Any, path: tuple[Any, ...] = ()) -> list[tuple[Any, ...]]:
    if isinstance(value, dict):
        return [leaf for key, part in value.items() for leaf in places(part, (*path, key))]
    if isinstance(value, list):
        return [leaf for i, part in enumerate(value) for leaf in places(part, (*path, i))]
    return [path]


def test_any_change_of_any_value_is_found() -> None:
    events = seen_by(0, over=True)[:12]
    rng = random.Random(5)
    for path in rng.sample(places(events), 120):
        forged = copy.deepcopy(events)
        target: Any = forged
        for step in path[:-1]:
            target = target[step]
        old = target[path[-1]]
        target[path[-1]] = (not old) if isinstance(old, bool) else old + 1 if isinstance(old, int) else f"{old}0"
        with pytest.raises(CorruptStream):
            verify(forged)


def test_leaving_out_or_exchanging_events_is_found() -> None:
    events = seen_by(0)
    with pytest.raises(CorruptStream):
        verify(events[:5] + events[6:])
    with pytest.raises(CorruptStream):
        verify([events[1], events[0], *events[2:]])


def test_salts_differ_by_version_and_audience_so_that_cards_cannot_be_tried_out() -> None:
    salts = [kept["salt"] for event in seen_by(0, over=True) for kept in event["secret"].values()]
    assert len(salts) == len(set(salts)) > 4


def test_old_events_are_read_as_new_ones_step_by_step() -> None:
    steps = {
        ("quenette", "card_played", 1): lambda p: p._replace(public={**p.public, "two": True}),
        ("match", "card_played", 3): lambda p: p._replace(public={**p.public, "three": True}),
    }
    old = Parts("card_played", {"seat": 0}, {})
    assert upcast("quenette", old, 1, steps, newest=4).public == {"seat": 0, "two": True, "three": True}
    assert upcast("quenette", old, 2, steps, newest=4).public == {"seat": 0, "three": True}
    assert upcast("quenette", old, 4, steps, newest=4) == old
