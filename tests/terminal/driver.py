"""`parlor play` as a process, driven through its pipes as a person would drive it."""

from __future__ import annotations

import contextlib
import os
import pathlib
import random
import re
import select
import signal
import subprocess
import sys
import time
from collections.abc import Callable

ROOT = pathlib.Path(__file__).parent.parent.parent
PATIENCE = 60.0  # seconds; whoever needs more hangs
KEY = re.compile(r"\[([0-9]+)\]")


class Terminal:
    def __init__(self, *arguments: str, **environment: str) -> None:
        self.text = ""  # all that was written so far
        self._answered = 0  # how much of it stood there when the last line was typed
        self.process = subprocess.Popen(
            [sys.executable, "-m", "api.cli", "play", *arguments],
            cwd=ROOT,
            env={**os.environ, "PYTHONPATH": str(ROOT), "COLUMNS": "160", **environment},
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
        )

    def __enter__(self) -> Terminal:
        return self

    def __exit__(self, *_: object) -> None:
        self.process.kill()
        self.process.wait()
        for pipe in (self.process.stdin, self.process.stdout):
            assert pipe is not None
            with contextlib.suppress(BrokenPipeError):
                pipe.close()

    @property
    def news(self) -> str:
        """What was written since the last line was typed."""
        return self.text[self._answered :]

    def is_asking(self) -> bool:
        """Reads until it asks something. False if it has ended instead."""
        assert self.process.stdout is not None
        until = time.monotonic() + PATIENCE
        while not self.news.endswith("> "):
            ready, _, _ = select.select([self.process.stdout], [], [], max(0.0, until - time.monotonic()))
            assert ready, f"it hangs:\n{self.text[-3000:]}"
            read = os.read(self.process.stdout.fileno(), 65_536)
            if not read:
                return False
            self.text += read.decode()
        return True

    def type(self, line: str) -> None:
        assert self.process.stdin is not None
        self._answered = len(self.text)
        self.process.stdin.write(f"{line}\n".encode())
        self.process.stdin.flush()

    def answer(self, line: str) -> str:
        """Waits for a question and answers it; what was written before."""
        assert self.is_asking(), self.text[-3000:]
        said = self.news
        self.type(line)
        return said

    def interrupt(self) -> None:
        """Ctrl-C."""
        self._answered = len(self.text)
        self.process.send_signal(signal.SIGINT)

    def close(self) -> None:
        """Ends the input."""
        self._answered = len(self.text)
        assert self.process.stdin is not None
        self.process.stdin.close()

    def end(self) -> tuple[int, str]:
        """How it ended: the status, and the last of what it wrote."""
        assert not self.is_asking(), f"it asks on:\n{self.news}"
        return self.process.wait(PATIENCE), self.news


def play_at_random(
    terminal: Terminal, rng: random.Random, fill: Callable[[str], str] | None = None, steps: int | None = None
) -> bool:
    """Makes random choices until the match is over or so many were made; whether it goes on. `fill` answers questions
    about single fields."""
    made = 0
    while terminal.is_asking():
        if made == steps:
            return True
        question = terminal.news.rsplit("\n", 1)[-1]
        if question.startswith("Your choice"):
            terminal.type(rng.choice(offered(terminal.news)))
            made += 1
        else:
            assert fill is not None, question
            terminal.type(fill(question))
    return False


def offered(said: str) -> list[str]:
    """The numbers that can be chosen from the last drawing."""
    last = re.split(r"^\S.* ─+$", said, flags=re.MULTILINE)[-1]
    return sorted(set(KEY.findall(last)), key=int)
