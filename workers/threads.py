"""How many threads act side by side. Who counts connections need not load the rules for it."""

from __future__ import annotations

from typing import Final

OF_THE_CLOCK: Final = 4
