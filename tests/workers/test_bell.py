"""What the bell says of matches that have moved is heard by whoever listens, and nothing else is believed."""

from __future__ import annotations

import queue

from tests.conftest import Servers
from workers.bell import MOVED, Bell, Ear, Move, connect

PATIENCE = 30.0


def test_what_is_said_on_one_side_is_heard_on_the_other(servers: Servers) -> None:
    heard: queue.SimpleQueue[dict[str, Move]] = queue.SimpleQueue()
    Ear(servers.valkey.url, "", of_all=lambda moves: None, of_others=heard.put).start()
    bell, redis = Bell(servers.valkey.url), connect(servers.valkey.url)
    while dict(redis.pubsub_numsub(MOVED))[MOVED.encode()] == 0:
        pass
    redis.publish(MOVED, "this is no version")
    redis.publish(MOVED, b"\xff\xfe")
    bell.moved("a-match", 7, ["ann", "ben"])
    found: dict[str, Move] = {}
    while "a-match" not in found:
        found |= heard.get(timeout=PATIENCE)
    assert found == {"a-match": Move(7, ["ann", "ben"])}
