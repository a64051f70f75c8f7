"""Trees as RFC 9162 has them."""

from __future__ import annotations

import hashlib

import pytest

from domain.audit import merkle

# The leaves of the usual test vectors for such trees, and the roots of the first one, two, ... of them.
ENTRIES = [
    bytes.fromhex(text)
    for text in ("", "00", "10", "2021", "3031", "40414243", "5051525354555657", "606162636465666768696a6b6c6d6e6f")
]
ROOTS = (
    "6e340b9cffb37a989ca544e6bb780a2c78901d3fb33738768511a30617afa01d",
    "fac54203e7cc696cf0dfcb42c92a1d9dbaf70ad9e621f4bd8d98662f00e3c125",
    "aeb6bcfe274b70a14fb067a5e5578264db0fa9b51af5e0ba159158f329e06e77",
    "d37ee418976dd95753c1c73862b9398fa2a2cf9b4ff0fdfe8b30cd95209614b7",
    "4e3bbb1f7b478dcfe71fb631631519a3bca12c9aefca1612bfce4c13a86264d4",
    "76e67dadbcdf1e10e1b74ddc608abd2f98dfb16fbce75277b5232a127f2087ef",
    "ddb89be403809e325750d3d263cd78929c2942b7942a34b77e122c9594a74c8c",
    "5dc9da79a70659a9ad559cb701ded9a2ab9d823aad2f4960cfe370eff4604328",
)


def test_the_root_is_that_of_the_published_vectors() -> None:
    leaves = [merkle.leaf(entry) for entry in ENTRIES]
    assert [merkle.root(leaves[:n]).hex() for n in range(1, 9)] == list(ROOTS)
    assert merkle.root([]) == hashlib.sha256().digest()


@pytest.mark.parametrize("size", [1, 2, 3, 5, 8, 13, 64, 100])
def test_every_leaf_has_a_proof_and_no_other_has_it(size: int) -> None:
    leaves = [merkle.leaf(merkle.entry(f"match {n}", n, "ab")) for n in range(size)]
    root = merkle.root(leaves)
    for place, leaf in enumerate(leaves):
        path = merkle.proof(leaves, place)
        assert merkle.root_by_proof(leaf, place, size, path) == root
        assert merkle.root_by_proof(merkle.leaf(b"another"), place, size, path) != root
        assert merkle.root_by_proof(leaf, place, size, [*path, root]) is None
        if path:
            assert merkle.root_by_proof(leaf, place, size, path[:-1]) is None
            assert merkle.root_by_proof(leaf, place ^ 1, size, path) != root
    assert (
        merkle.root_by_proof(leaves[0], size, size, []) is None
        and merkle.root_by_proof(leaves[0], -1, size, []) is None
    )
