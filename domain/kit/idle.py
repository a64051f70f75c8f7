"""Options that change nothing at a table, and why."""

from __future__ import annotations

from collections.abc import Mapping


def idle(*rows: tuple[bool, str, str]) -> Mapping[str, str]:
    """The options that have no effect when what is said of them is so, each with its reason.

    >>> idle((True, "odd_card", "no card is left over"), (False, "target", "hands are counted"))
    {'odd_card': 'no card is left over'}
    """
    return {name: reason for is_so, name, reason in rows if is_so}
