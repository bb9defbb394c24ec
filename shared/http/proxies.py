"""Whose address a request comes from: the connection's own, or the one that a proxy says for whom it asks.

Anybody can write `X-Forwarded-For`. It counts only from proxies that the operator has named, and of it only what they
have added: it is read from its end, up to the first address that is none of theirs. `X-Forwarded-Prefix`, what a proxy has
cut off of the path, counts from them alone as well. No other header of this kind is read.
"""

import re
from collections.abc import Iterable
from functools import lru_cache
from ipaddress import IPv4Address, IPv4Network, IPv6Address, IPv6Network, ip_address, ip_network

from starlette.types import Scope

ONE_HOME = 64  # bits of an IPv6 address that one caller has no choice of
MOST_REMEMBERED = 4096
MOST_HOPS = 20
LONGEST_ADDRESS = 64  # characters, with a port
BELOW = "roundlog.below"  # in the scope of a request: what a proxy has cut off of its path
PREFIX = re.compile(rb"(?:/[A-Za-z0-9_-]{1,50}){1,4}")

type Address = IPv4Address | IPv6Address
type Network = IPv4Network | IPv6Network


class Proxies:
    def __init__(self, named: Iterable[Network] = ()) -> None:
        self._named = tuple(named)
        self._is_named = lru_cache(MOST_REMEMBERED)(self._find)
        self._counted = lru_cache(MOST_REMEMBERED)(counted)

    def are(self, host: str) -> bool:
        """Whether a connection from there is one of theirs, which carries the requests of many."""
        return bool(self._named) and self._is_named(host)

    def caller(self, scope: Scope) -> str:
        """Under which address to count a request."""
        host = scope["client"][0] if scope["client"] else ""
        if self._named and self.are(host):
            forwarded = b",".join(value for name, value in scope["headers"] if name == b"x-forwarded-for")
            host = self._behind(host, forwarded.decode("latin-1"))
        return self._counted(host)

    def prefix(self, scope: Scope) -> str:
        """Below what a caller sees the paths of the service; nothing where it is not behind a proxy that says so."""
        if not self._named or not self.are(scope["client"][0] if scope["client"] else ""):
            return ""
        said = [value for name, value in scope["headers"] if name == b"x-forwarded-prefix"]
        return said[0].decode() if len(said) == 1 and PREFIX.fullmatch(said[0]) else ""

    def _behind(self, proxy: str, forwarded: str) -> str:
        """The last one that no proxy of ours has added; what is no address was made up before it came to them."""
        nearest = proxy
        for said in reversed(forwarded.rsplit(",", MOST_HOPS)):
            address = read(said)
            if address is None:
                break
            nearest = str(address)
            if not self._is_named(nearest):
                break
        return nearest

    def _find(self, host: str) -> bool:
        address = read(host)
        return address is not None and any(address in network for network in self._named)


def read(said: str) -> Address | None:
    """An address as proxies write it: some add the port."""
    said = said.strip()[:LONGEST_ADDRESS]
    if said.startswith("["):
        said = said[1:].partition("]")[0]
    elif said.count(":") == 1:
        said = said.partition(":")[0]
    try:
        address = ip_address(said)
    except ValueError:
        return None
    return (address.ipv4_mapped or address) if isinstance(address, IPv6Address) else address


def counted(host: str) -> str:
    """One name for all addresses that one caller may have at once."""
    address = read(host)
    if isinstance(address, IPv6Address):
        return str(ip_network((int(address) >> (128 - ONE_HOME) << (128 - ONE_HOME), ONE_HOME)))
    return host if address is None else str(address)
