"""How a server process looks after its memory."""

from __future__ import annotations

import gc


def settle() -> None:
    """To be called once, when everything is imported and set up.

    A fold makes thousands of small values, none of them in a cycle. With Python's usual thresholds the collector looks
    through the whole process again and again meanwhile: a third of the time of a replay. What was there at the start
    will stay, and needs no looking at.
    """
    gc.collect()
    gc.freeze()
    gc.set_threshold(50_000, 20, 50)
