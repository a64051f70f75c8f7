"""The watchdog: reads what it is told until whoever started it is gone, and then ends and removes what is left.

It is a process of its own because nobody can tidy up after his own kill -9.
"""

from __future__ import annotations

import contextlib
import json
import shutil
import signal
import sys

import psutil

from eventstore.processes import Ending, end


def main() -> None:
    for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
        signal.signal(number, signal.SIG_IGN)
    endings: dict[str, Ending] = {}
    folders: dict[str, str] = {}
    for line in sys.stdin:
        try:
            told = json.loads(line)
        except ValueError:  # a line that was cut off in the middle
            continue
        if "retire" in told:
            return
        key = told["key"]
        if "forget" in told:
            endings.pop(key, None)
            folders.pop(key, None)
        elif "remove" in told:
            folders[key] = told["remove"]
        else:
            with contextlib.suppress(psutil.NoSuchProcess):
                steps = tuple((number, seconds) for number, seconds in told["steps"])
                endings[key] = Ending(psutil.Process(told["pid"]), steps, told["folder"])
    end(endings.values())
    for folder in folders.values():
        shutil.rmtree(folder, ignore_errors=True)


if __name__ == "__main__":
    main()
