"""What a verification found: how much was checked, what could not be, and the first thing that is wrong."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from typing import Final, Literal

Kind = Literal[
    "format", "chain", "commitments", "seed", "salts", "draws", "rules", "commands", "bots", "result", "signatures"
]

MEANINGS: Final[dict[Kind, str]] = {
    "format": "lines that have the shape of a bundle",
    "chain": "hashes that fit the events before them",
    "commitments": "secret parts that fit what was committed to",
    "seed": "the seed is the one that was promised",
    "salts": "salts that come from the seed",
    "draws": "dice, shuffles and lots that come from the seed",
    "rules": "the rules of the game are those that this release has",
    "commands": "commands judged anew by the rules",
    "bots": "moves of bots found again",
    "result": "the result follows from the play",
    "signatures": "signatures of the server",
}


MOST_REASONS: Final = 20  # a forger could give one of his own for every event


class Wrong(Exception):
    """Something does not fit. `version` is that of the first event that is wrong, 0 for the file as a whole."""

    def __init__(self, kind: Kind, version: int, text: str) -> None:
        super().__init__(text)
        self.kind, self.version, self.text = kind, version, text

    def __str__(self) -> str:
        return f"version {self.version}: {self.text}" if self.version else self.text


@dataclass
class Check:
    """One kind of check: how often it held, and how often and why it could not be made."""

    ok: int = 0
    unchecked: Counter[str] = field(default_factory=Counter)


@dataclass
class Report:
    match_id: str = ""
    game: str = ""
    version: int = 0
    head: str = ""
    checks: dict[Kind, Check] = field(default_factory=lambda: {kind: Check() for kind in MEANINGS})
    wrong: Wrong | None = None

    def ok(self, kind: Kind, times: int = 1) -> None:
        self.checks[kind].ok += times

    def not_checked(self, kind: Kind, reason: str) -> None:
        counted = self.checks[kind].unchecked
        counted[reason if reason in counted or len(counted) < MOST_REASONS else "other reasons"] += 1

    def lines(self) -> list[str]:
        """A line for each kind of check, and the verdict."""
        told = [f"match {self.match_id} of {self.game}, version {self.version}"] if self.match_id else []
        for kind, check in self.checks.items():
            state = f"{check.ok} ok" if check.ok else "nothing to check"
            reasons = [f"{count} not checked: {reason}" for reason, count in check.unchecked.most_common()]
            if reasons:
                state = ", ".join(([state] if check.ok else []) + reasons)
            if self.wrong is not None and self.wrong.kind == kind:
                state = f"{check.ok} ok, then WRONG"
            told.append(f"{kind + ':':13}{state} ({MEANINGS[kind]})")
        if self.wrong is not None:
            told.append(f"WRONG: {self.wrong}")
        elif self.version:
            told.append(f"All that could be checked fits. The last hash is {self.head}")
        return told
