"""How log lines are written: one line a record, whatever a request put into it."""

from __future__ import annotations

import logging
import re

CONTROL = re.compile(r"[\x00-\x1f\x7f-\x9f\u2028\u2029]")
INDENT = "    "


def escaped(text: str) -> str:
    return CONTROL.sub(lambda found: found[0].encode("unicode_escape").decode("ascii"), text)


class Lines(logging.Formatter):
    """Nothing that is logged can begin a line of its own or move the cursor. Tracebacks follow, indented."""

    def __init__(self) -> None:
        super().__init__("%(asctime)s %(levelname)s %(name)s %(message)s")

    def formatMessage(self, record: logging.LogRecord) -> str:  # noqa: N802
        return escaped(super().formatMessage(record))

    def formatException(self, ei: object) -> str:  # noqa: N802
        return _indented(super().formatException(ei))  # type: ignore[arg-type]

    def formatStack(self, stack_info: str) -> str:  # noqa: N802
        return _indented(super().formatStack(stack_info))


def _indented(text: str) -> str:
    return "\n".join(INDENT + escaped(line) for line in text.split("\n"))


def setup(level: str) -> None:
    handler = logging.StreamHandler()
    handler.setFormatter(Lines())
    logging.basicConfig(level=level.upper(), handlers=[handler], force=True)
