"""Merkle trees as RFC 9162 has them: one root for many leaves, and a short proof that a leaf is among them.

leaf(entry)    = SHA-256(0x00 + entry)
node(l, r)     = SHA-256(0x01 + l + r)
root of n > 1  = node(root of the first k, root of the rest), k the largest power of two below n
root of none   = SHA-256 of nothing
"""

from __future__ import annotations

import hashlib
from collections.abc import Sequence

from domain.audit.reading import canonical


def entry(match_id: str, version: int, head: str) -> bytes:
    """What a tree says of a match."""
    return canonical({"head": head, "match": match_id, "version": version})


def leaf(of: bytes) -> bytes:
    return hashlib.sha256(b"\x00" + of).digest()


def node(left: bytes, right: bytes) -> bytes:
    return hashlib.sha256(b"\x01" + left + right).digest()


def root(leaves: Sequence[bytes]) -> bytes:
    if not leaves:
        return hashlib.sha256().digest()
    if len(leaves) == 1:
        return leaves[0]
    k = _split(len(leaves))
    return node(root(leaves[:k]), root(leaves[k:]))


def proof(leaves: Sequence[bytes], place: int) -> list[bytes]:
    """What has to be joined to a leaf, from the bottom up, to come to the root."""
    if len(leaves) <= 1:
        return []
    k = _split(len(leaves))
    if place < k:
        return [*proof(leaves[:k], place), root(leaves[k:])]
    return [*proof(leaves[k:], place - k), root(leaves[:k])]


def root_by_proof(found: bytes, place: int, size: int, path: Sequence[bytes]) -> bytes | None:
    """The root that a leaf at this place of so many leads to; nothing if the proof has another length."""
    if not 0 <= place < size:
        return None
    last = size - 1
    for one in path:
        if last == 0:
            return None
        if place & 1 or place == last:
            found = node(one, found)
            while not place & 1 and place:
                place, last = place >> 1, last >> 1
        else:
            found = node(found, one)
        place, last = place >> 1, last >> 1
    return found if last == 0 else None


def _split(size: int) -> int:
    """The largest power of two below."""
    return 1 << (size - 1).bit_length() - 1
