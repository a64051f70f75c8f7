"""Blocks of text side by side, in as many rows as the width asks for. A block is never broken."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from rich.console import Console, ConsoleOptions
from rich.measure import Measurement
from rich.text import Text

Block = Sequence[Text]  # its lines


class Flow:
    def __init__(self, blocks: Sequence[Block | Text], gap: int = 2) -> None:
        found: list[Block] = [[block] if isinstance(block, Text) else block for block in blocks]
        height = max((len(block) for block in found), default=0)
        self._blocks = [[*block, *[Text()] * (height - len(block))] for block in found]
        self._gap = gap

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> Iterator[Text]:
        for row in self._rows(options.max_width):
            for lines in zip(*row, strict=True):
                line = Text(" " * self._gap).join(
                    _padded(text, width(block)) for text, block in zip(lines, row, strict=True)
                )
                line.rstrip()
                line.no_wrap = width(row[0]) <= options.max_width
                yield line

    def __rich_measure__(self, console: Console, options: ConsoleOptions) -> Measurement:
        widths = [width(block) for block in self._blocks]
        return Measurement(max(widths, default=0), sum(widths) + self._gap * max(0, len(widths) - 1)).with_maximum(
            options.max_width
        )

    def _rows(self, most: int) -> Iterator[Sequence[Block]]:
        row: list[Block] = []
        used = 0
        for block in self._blocks:
            if row and used + self._gap + width(block) > most:
                yield row
                row, used = [], 0
            used += width(block) + (self._gap if row else 0)
            row.append(block)
        if row:
            yield row


def width(block: Block) -> int:
    return max((line.cell_len for line in block), default=0)


def _padded(text: Text, wanted: int) -> Text:
    copy = text.copy()
    copy.pad_right(wanted - text.cell_len)
    return copy
