"""Whose address counts: that of the peer, or the one that a proxy we trust vouches for."""

from __future__ import annotations

import ipaddress
import re
from collections.abc import Iterable
from typing import NamedTuple

from eventstore.settings import Network

Address = ipaddress.IPv4Address | ipaddress.IPv6Address

PAIR = re.compile(r'\s*(\w+)\s*=\s*("[^"]*"|[^\s;,"]*)\s*')
WITH_PORT = re.compile(r"(\d+\.\d+\.\d+\.\d+):\d+|\[([^\]]*)\](?::\d+)?")


class Client(NamedTuple):
    address: str
    scheme: str


def client(peer: str, headers: dict[str, str], trusted: tuple[Network, ...]) -> Client:
    """Who sent the request. Takes the headers of proxies away, so that nothing behind can believe them by mistake."""
    listed = headers.pop("HTTP_X_FORWARDED_FOR", None)
    scheme = headers.pop("HTTP_X_FORWARDED_PROTO", None)
    forwarded = headers.pop("HTTP_FORWARDED", None)
    if not trusted or not _among(_address(peer), trusted):
        return Client(peer, "http")
    hops = None if listed is None else listed.split(",")
    if forwarded is not None:
        pairs = [dict(_pairs(element)) for element in forwarded.split(",")]
        said = [pair.get("for", "") for pair in pairs]
        if hops is not None and _origin(peer, hops, trusted) != _origin(peer, said, trusted):
            # A proxy writes one of the two and passes the other on as it came, and there is no telling which.
            return Client(peer, "http")
        hops, scheme = said, scheme or pairs[-1].get("proto")
    last = (scheme or "http").rpartition(",")[2].strip().lower()
    return Client(_origin(peer, hops or [], trusted), last if last in ("http", "https") else "http")


def _origin(peer: str, hops: list[str], trusted: tuple[Network, ...]) -> str:
    """The nearest hop that is not a proxy of ours. What stands left of it, anybody may have written."""
    found = peer
    for hop in reversed(hops):
        address = _address(hop)
        if address is None:
            break
        found = str(address)
        if not _among(address, trusted):
            break
    return found


def _pairs(element: str) -> Iterable[tuple[str, str]]:
    for part in element.split(";"):
        if pair := PAIR.fullmatch(part):
            yield pair[1].lower(), pair[2].strip('"')


def _address(text: str) -> Address | None:
    text = text.strip()
    if found := WITH_PORT.fullmatch(text):
        text = found[1] or found[2]
    try:
        address = ipaddress.ip_address(text)
    except ValueError:
        return None
    return getattr(address, "ipv4_mapped", None) or address


def _among(address: Address | None, networks: tuple[Network, ...]) -> bool:
    return address is not None and any(address in network for network in networks)
