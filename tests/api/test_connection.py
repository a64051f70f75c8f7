"""What a connection asks of the system, on a real socket of the loopback."""

from __future__ import annotations

import asyncio
import pathlib
import socket

import pytest

from api.gate.connection import Connection
from eventstore.settings import Settings

AVAILABLE = pathlib.Path("/proc/sys/net/ipv4/tcp_available_congestion_control")
OTHERS = [name for name in AVAILABLE.read_text().split() if name != "reno"] if AVAILABLE.exists() else []
NAME_LENGTH = 16


class House:
    """A gate that lets everybody in, and has nothing else to do."""

    settings = Settings()

    def joined(self, one: Connection) -> bool:
        return True

    def silent(self, one: Connection) -> None:
        pass

    def left(self, one: Connection) -> None:
        pass


@pytest.mark.skipif(not OTHERS, reason="this system has one congestion control for all")
def test_what_is_sent_to_somebody_on_this_machine_is_not_spread_over_time() -> None:
    async def chosen() -> bytes:
        made: list[Connection] = []

        def answer() -> Connection:
            made.append(Connection(House()))  # type: ignore[arg-type]
            return made[-1]

        with socket.create_server(("127.0.0.1", 0)) as door:
            door.setsockopt(socket.IPPROTO_TCP, socket.TCP_CONGESTION, OTHERS[0].encode())
            await asyncio.get_running_loop().create_server(answer, sock=door)
            _, writer = await asyncio.open_connection(*door.getsockname())
            while not (made and made[0].peer):
                await asyncio.sleep(0)
            taken = made[0]._transport.get_extra_info("socket")
            found: bytes = taken.getsockopt(socket.IPPROTO_TCP, socket.TCP_CONGESTION, NAME_LENGTH)
            writer.close()
            return found

    assert asyncio.run(chosen()).rstrip(b"\0") == b"reno"
