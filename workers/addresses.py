"""Where word may be sent. Whoever names an address must not reach through us what only we can reach."""

from __future__ import annotations

import ipaddress
import socket
from typing import Final

Address = ipaddress.IPv4Address | ipaddress.IPv6Address

TRANSLATED: Final = ipaddress.IPv6Network("64:ff9b::/96")  # NAT64: the last four bytes are an address of IPv4


class NotPublic(Exception):
    """The address leads to this machine, or into a network that is not everybody's."""


def is_public(address: Address) -> bool:
    """Whether anybody on the internet could send there. An address that wraps another is judged by both.

    >>> [is_public(ipaddress.ip_address(text)) for text in ("8.8.8.8", "127.0.0.1", "::ffff:10.0.0.1")]
    [True, False, False]
    """
    if isinstance(address, ipaddress.IPv6Address):
        if address.ipv4_mapped is not None:
            return is_public(address.ipv4_mapped)
        if address in TRANSLATED:
            return is_public(ipaddress.IPv4Address(int(address) & 0xFFFFFFFF))
        if address.sixtofour is not None and not is_public(address.sixtofour):
            return False
        if address.is_site_local or address.teredo is not None:
            return False
    return address.is_global and not (
        address.is_private
        or address.is_loopback
        or address.is_link_local
        or address.is_multicast
        or address.is_reserved
        or address.is_unspecified
    )


def resolved(host: str, port: int, *, private: bool = False) -> str:
    """The one address that this name stands for now. A name that has any address which is not public is refused: who
    gives both means to be looked up twice."""
    found = [str(row[4][0]) for row in socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)]
    for text in found:
        if not private and not is_public(ipaddress.ip_address(text.partition("%")[0])):
            raise NotPublic("the address is not a public one")
    return found[0]
