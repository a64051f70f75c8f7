"""Who counts as one neighbor: an address of IPv4, or a network of IPv6."""

from __future__ import annotations

import functools
import ipaddress
from typing import Final

NETWORK_BITS: Final = 64  # of an IPv6 address: one customer has all that begin alike


@functools.lru_cache(maxsize=4096)
def network(address: str) -> str:
    """What counts as one address.

    >>> network("192.0.2.7"), network("2001:db8:1:2:a::7"), network("::ffff:192.0.2.7")
    ('192.0.2.7', '2001:db8:1:2::/64', '192.0.2.7')
    """
    if ":" not in address:
        return address
    try:
        found = ipaddress.IPv6Address(address.partition("%")[0])
    except ValueError:
        return address
    if found.ipv4_mapped is not None:
        return str(found.ipv4_mapped)
    return str(ipaddress.IPv6Network((found, NETWORK_BITS), strict=False))
