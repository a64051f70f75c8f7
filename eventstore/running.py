"""Where the embedded servers of a running Parlor can be reached, for other commands on the same machine."""

from __future__ import annotations

import contextlib
import json
import os
import pathlib
from collections.abc import Iterator
from typing import Final, NamedTuple

import psutil

from eventstore import processes

FILE: Final = "running"  # in the data folder, as long as Parlor runs there


class Addresses(NamedTuple):
    """Of the servers that Parlor has brought itself; None where it uses one that was named to it."""

    database_url: str | None = None
    redis_url: str | None = None


@contextlib.contextmanager
def announced(data: pathlib.Path, addresses: Addresses) -> Iterator[None]:
    """Says where they are. Only who holds the lock of the folder may do it."""
    path = data / FILE
    path.unlink(missing_ok=True)
    handle = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW, 0o600)
    with open(handle, "w") as written:
        json.dump({"pid": os.getpid(), **addresses._asdict()}, written)
    try:
        yield
    finally:
        path.unlink(missing_ok=True)


def found(data: pathlib.Path) -> Addresses:
    """What a Parlor that is running in this folder has said. One that was killed could not take it back."""
    with contextlib.suppress(OSError, ValueError, KeyError, TypeError, psutil.NoSuchProcess):
        told = json.loads((data / FILE).read_text())
        if processes.alive(psutil.Process(told["pid"])):
            return Addresses(told["database_url"], told["redis_url"])
    return Addresses()
