"""Counters of all processes in one answer.

Each process counts in its own memory and puts what it has counted into a slot of memory that all of them share, once in
a while. No file is involved: a full disk, which ends a process that writes to a mapped file, does not touch it.
"""

from __future__ import annotations

import mmap
import struct
import zlib
from collections.abc import Iterable, Iterator
from typing import Any, Final

import orjson
from prometheus_client import REGISTRY, CollectorRegistry, generate_latest
from prometheus_client.metrics_core import Metric

SLOT: Final = 1 << 20  # bytes; memory that was never written takes no room
FRAME: Final = struct.Struct("<II")  # length and checksum
TRIES: Final = 5
OURS: Final = "parlor_"

# A family of metrics by name: its type, its description, and values by (name of the sample, labels).
Families = dict[str, tuple[str, str, dict[tuple[str, tuple[tuple[str, str], ...]], float]]]


class Slots:
    """Shared memory with a place for each process. It is made before they are started."""

    def __init__(self, count: int) -> None:
        self.count = count
        self._memory = mmap.mmap(-1, count * SLOT)

    def write(self, number: int, raw: bytes) -> None:
        if len(raw) > SLOT - FRAME.size:
            raise ValueError("these are more counters than a slot can hold")
        at = number * SLOT
        self._memory[at + FRAME.size : at + FRAME.size + len(raw)] = raw
        FRAME.pack_into(self._memory, at, len(raw), zlib.crc32(raw))

    def read(self, number: int) -> bytes:
        """What was written last. A checksum tells when it was read while it was being written."""
        at = number * SLOT
        for _ in range(TRIES):
            length, checksum = FRAME.unpack_from(self._memory, at)
            raw = self._memory[at + FRAME.size : at + FRAME.size + min(length, SLOT)]
            if zlib.crc32(raw) == checksum:
                return raw
        return b""


class Tally:
    """What this process has counted, and what the others had counted when they last told."""

    def __init__(self, slots: Slots | None = None, number: int = 0) -> None:
        self._slots, self._number = slots, number
        # A process that died is followed by another one in its slot, which goes on counting from there.
        self._before = _read(slots.read(number)) if slots else {}

    def publish(self) -> None:
        if self._slots is not None:
            self._slots.write(self._number, orjson.dumps(_written(self._own())))

    def exposition(self, more: Iterable[Metric] = ()) -> bytes:
        """All counters in the text format of Prometheus, and what was measured for this answer alone."""
        others = [] if self._slots is None else [n for n in range(self._slots.count) if n != self._number]
        total = self._own()
        for number in others:
            assert self._slots is not None
            _add(total, _read(self._slots.read(number)))
        registry = CollectorRegistry()
        registry.register(_Given(total, more))
        return generate_latest(registry)

    def _own(self) -> Families:
        own: Families = {}
        for family in REGISTRY.collect():
            if family.name.startswith(OURS):
                values = {
                    (sample.name, tuple(sorted(sample.labels.items()))): sample.value
                    for sample in family.samples
                    if not sample.name.endswith("_created")
                }
                own[family.name] = (family.type, family.documentation, values)
        _add(own, self._before)
        return own


class _Given:
    """A collector of values that were collected already."""

    def __init__(self, families: Families, more: Iterable[Metric]) -> None:
        self._families, self._more = families, tuple(more)

    def collect(self) -> Iterator[Metric]:
        for name, (kind, text, values) in self._families.items():
            metric = Metric(name, text, kind)
            for (sample, labels), value in values.items():
                metric.add_sample(sample, dict(labels), value)
            yield metric
        yield from self._more


def _add(total: Families, more: Families) -> None:
    for name, (kind, text, values) in more.items():
        there = total.setdefault(name, (kind, text, {}))[2]
        for key, value in values.items():
            there[key] = there.get(key, 0.0) + value


def _written(families: Families) -> list[Any]:
    return [[name, kind, text, list(values.items())] for name, (kind, text, values) in families.items()]


def _read(raw: bytes) -> Families:
    return {
        name: (kind, text, {(sample, tuple(map(tuple, labels))): value for (sample, labels), value in values})
        for name, kind, text, values in (orjson.loads(raw) if raw else [])
    }
