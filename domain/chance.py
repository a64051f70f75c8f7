"""Dice and deals that anybody can recompute once the seed is known, and nobody can foretell before.

Lot number n of a match is a stream of 32-byte blocks
    block(i) = HMAC-SHA-256(server seed, "match id|client seeds joined by ,|n|i")
read as big-endian 32-bit numbers. A number at or above the largest multiple of k is thrown away, so that every
residue below k is equally likely.
"""

from __future__ import annotations

import hashlib
import hmac
from collections.abc import Iterator, Sequence
from typing import Final, Literal, NamedTuple, NotRequired, TypedDict

from domain.game import Answer, Dice, Lot, Pick, Picked, Rolled, Shuffle, Shuffled

WORD = 2**32


class Source(NamedTuple):
    """All that the draws of one match come from."""

    seed: bytes
    match_id: str
    client_seeds: tuple[str, ...]


def commitment(seed: bytes) -> str:
    """What the first event of a match says about the seed, long before the seed itself is shown."""
    return hashlib.sha256(seed).hexdigest()


def words(source: Source, n: int) -> Iterator[int]:
    return _stream(source.seed, f"{source.match_id}|{','.join(source.client_seeds)}|{n}|")


def _stream(seed: bytes, prefix: str) -> Iterator[int]:
    block = 0
    while True:
        digest = hmac.digest(seed, f"{prefix}{block}".encode(), "sha256")
        for start in range(0, 32, 4):
            yield int.from_bytes(digest[start : start + 4], "big")
        block += 1


def below(stream: Iterator[int], k: int) -> int:
    """A number from 0 to k - 1 without bias: what lies beyond the last full run of k is thrown away."""
    limit = WORD - WORD % k
    return next(word for word in stream if word < limit) % k


def permutation(stream: Iterator[int], size: int) -> tuple[int, ...]:
    """Fisher-Yates, from the last place down."""
    order = list(range(size))
    for last in range(size - 1, 0, -1):
        other = below(stream, last + 1)
        order[last], order[other] = order[other], order[last]
    return tuple(order)


def beside(seed: bytes, purpose: str, match_id: str, version: int, seat: int) -> Iterator[int]:
    """Numbers for what is no draw of the match, such as the choice of a stand-in. They come from the same seed, so that
    they can be recomputed too, by a stream of their own for each purpose, version and seat:
        block(i) = HMAC-SHA-256(server seed, "purpose|match id|version|seat|i")
    """
    return _stream(seed, f"{purpose}|{match_id}|{version}|{seat}|")


class Drawn(NamedTuple):
    """One draw as it is logged: its number, what was wanted, and the raw numbers that came."""

    n: int
    kind: str
    size: tuple[int, ...]
    result: tuple[int, ...]


class Draw(TypedDict):
    """A draw as all may see it in the public part of an event."""

    n: int
    kind: Literal["shuffle", "dice", "pick"]
    size: Sequence[int]
    result: NotRequired[Sequence[int]]


class DrawResult(TypedDict):
    """What a draw brought, where it stays hidden until the match is over."""

    result: Sequence[int]


DRAWS: Final = {
    "n": "the number of this draw in the match, from 1",
    "kind": "what was drawn: cards in a random order, dice, or one of several",
    "size": "how many cards; how many dice and faces; of how many one was picked",
    "result": "the numbers that came; those of dice are shown at once",
}


def draw(source: Source, n: int, wanted: Lot) -> tuple[Answer, Drawn]:
    stream = words(source, n)
    match wanted:
        case Shuffle(cards):
            order = permutation(stream, len(cards))
            return Shuffled(tuple(cards[i] for i in order)), Drawn(n, "shuffle", (len(cards),), order)
        case Dice(count, faces):
            dice = tuple(1 + below(stream, faces) for _ in range(count))
            return Rolled(dice), Drawn(n, "dice", (count, faces), dice)
        case Pick(of):
            index = below(stream, of)
            return Picked(index), Drawn(n, "pick", (of,), (index,))


def recompute(source: Source, n: int, kind: str, size: Sequence[int]) -> tuple[int, ...]:
    """The raw numbers of a logged draw, from the revealed seed: what an auditor compares."""
    wanted: dict[str, Lot] = {}
    if kind == "shuffle":
        wanted[kind] = Shuffle(("",) * size[0])
    elif kind == "dice":
        wanted[kind] = Dice(size[0], size[1])
    elif kind == "pick":
        wanted[kind] = Pick(size[0])
    return draw(source, n, wanted[kind])[1].result
