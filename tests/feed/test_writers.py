"""A short run of `make feed`."""

from __future__ import annotations

import pathlib

from tests.feed.running import run


def test_sixteen_writers_restarts_and_a_new_cluster_make_the_feed_miss_nothing(folder: pathlib.Path) -> None:
    world, reader = run(folder, 20_000)
    assert reader.objections == []
    assert reader.seen == reader.kept
    assert all(reader.seen[match_id] >= version for match_id, version in world.written.items())
    assert sum(reader.seen.values()) >= 20_000
