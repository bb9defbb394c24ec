"""Where a webhook may lead: to a server of the outside, never to one of ours.

What a name leads to is looked up before each call, all of it is judged, and the call goes to an address that was judged: a name
that leads elsewhere a moment later leads nobody astray. Networks of the inside are open only where a setting names them,
for whoever develops a receiver.
"""

import asyncio
import re
import socket
import time
from collections.abc import Callable, Collection, Sequence
from contextlib import suppress
from ipaddress import IPv4Address, IPv4Network, IPv6Address, IPv6Network, ip_address
from threading import Thread
from typing import Any
from urllib.parse import urlsplit

from shared.refusals import Invalid, Unavailable
from shared.values import Value

type IpAddress = IPv4Address | IPv6Address
type IpNetwork = IPv4Network | IPv6Network
type Resolved = list[tuple[Any, ...]]  # by `socket.getaddrinfo`

LONGEST = 2_000  # characters
VISIBLE = re.compile(r"[!-~]+")
HTTP, HTTPS = 80, 443
FREE_PORTS = 1024  # those below, but for the usual ones, belong to other protocols
LOOKUPS = 16  # names at once: more than webhooks are called at once
PATIENCE = 5.0  # seconds that a name may take, and as many until it is its turn
GLANCE = 0.1  # seconds between two looks whether it is
UNICAST = IPv6Network("2000::/3")
# What leads on to an address of IPv4, or to none: the ground, 6to4, Teredo and its neighbours.
TUNNELS: Sequence[IpNetwork] = (IPv6Network("2002::/16"), IPv6Network("2001::/23"), IPv4Network("192.88.99.0/24"))


class AddressNotForWebhooks(Invalid):
    """A webhook does not lead there."""


class NowhereToCall(Exception):
    """Its name leads to nothing that may be called."""


class WebhookAddress(Value):
    url: str
    is_encrypted: bool
    host: str
    port: int
    target: str  # the path and what is behind it

    @property
    def named(self) -> str:
        """The host, and the port where it is not the usual one, as the header `Host` names them."""
        host = f"[{self.host}]" if ":" in self.host else self.host
        usual = HTTPS if self.is_encrypted else HTTP
        return host if self.port == usual else f"{host}:{self.port}"


def read_address(url: str) -> WebhookAddress:
    """What an address says by itself; where its name leads is looked up later."""
    try:
        if len(url) > LONGEST or not VISIBLE.fullmatch(url):
            raise ValueError(url)
        parts = urlsplit(url)
        port = parts.port
    except ValueError:
        raise AddressNotForWebhooks(
            "The address cannot be read: send one such as https://example.org/roundlog."
        ) from None
    if parts.scheme not in {"https", "http"} or not parts.hostname:
        raise AddressNotForWebhooks("A webhook leads to a page of the web: send an address that begins with https://.")
    if parts.username is not None or parts.password is not None or "#" in url:
        raise AddressNotForWebhooks("Leave names, passwords and what is behind # out of the address.")
    is_encrypted = parts.scheme == "https"
    port = (HTTPS if is_encrypted else HTTP) if port is None else port
    if port not in {HTTP, HTTPS} and port < FREE_PORTS:
        raise AddressNotForWebhooks("Other protocols live at this port: use 443, or one from 1024 on.")
    target = f"{parts.path or '/'}{f'?{parts.query}' if parts.query else ''}"
    return WebhookAddress(url=url, is_encrypted=is_encrypted, host=parts.hostname, port=port, target=target)


class AddressBook:
    """Judges addresses. `inside` are networks of ours that may be called all the same, and without encryption."""

    def __init__(self, inside: Collection[IpNetwork] = ()) -> None:
        self._inside = inside
        self._looking: dict[tuple[str, int], asyncio.Future[Resolved]] = {}

    async def require_callable(self, url: str) -> WebhookAddress:
        """For whoever registers it, in words that say nothing of what is inside."""
        address = read_address(url)
        try:
            await self.to_call(address)
        except NowhereToCall:
            raise AddressNotForWebhooks(
                "This address cannot be called from here: it has to begin with https:// and its name has to lead to "
                "public addresses alone."
            ) from None
        return address

    async def to_call(self, address: WebhookAddress) -> Sequence[IpAddress]:
        """All that its name leads to, each of which may be called."""
        found = await self._looked_up(address)
        if not found:
            raise NowhereToCall("its name leads nowhere")
        for one in found:
            if not (self._is_open(one) or (is_outside(one) and address.is_encrypted)):
                raise NowhereToCall("its name leads to an address that is not called from here")
        return found

    def _is_open(self, one: IpAddress) -> bool:
        return any(one in network for network in self._inside if network.version == one.version)

    async def _looked_up(self, address: WebhookAddress) -> Sequence[IpAddress]:
        place = address.host, address.port
        if place not in self._looking:
            await self._its_turn()
        if place in self._looking:
            looking = self._looking[place]
        else:
            looking = self._looking[place] = looked_up(*place)
            looking.add_done_callback(lambda _: self._done(place))
        try:
            async with asyncio.timeout(PATIENCE):
                found = await asyncio.shield(looking)
        except (OSError, UnicodeError, TimeoutError):
            return ()
        return list(dict.fromkeys(plain(ip_address(where[0])) for *_, where in found))

    async def _its_turn(self) -> None:
        """It is no fault of a name that others take long."""
        began = time.monotonic()
        while len(self._looking) >= LOOKUPS:
            if time.monotonic() - began > PATIENCE:
                raise Unavailable("too many addresses of webhooks are being looked up")
            await asyncio.sleep(GLANCE)

    def _done(self, place: tuple[str, int]) -> None:
        self._looking.pop(place).exception()  # nobody may have waited for so long


def looked_up(host: str, port: int) -> "asyncio.Future[Resolved]":
    """A resolver may take long and cannot be cut off: each has a thread of its own, which not even the end of the process
    waits for."""
    loop = asyncio.get_running_loop()
    answer: asyncio.Future[Resolved] = loop.create_future()

    def look() -> None:
        try:
            found = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)
        except Exception as error:  # noqa: BLE001 - whatever it is, somebody waits for it
            tell(answer.set_exception, error)
        else:
            tell(answer.set_result, found)

    def tell[Told](how: Callable[[Told], None], what: Told) -> None:
        with suppress(RuntimeError):  # the loop has ended
            loop.call_soon_threadsafe(how, what)

    Thread(target=look, name="name of a webhook", daemon=True).start()
    return answer


def plain(one: IpAddress) -> IpAddress:
    """An address of IPv4 in the form of IPv6 is what it is an address of."""
    return one.ipv4_mapped or one if isinstance(one, IPv6Address) else one


def is_outside(one: IpAddress) -> bool:
    if one.is_multicast or not one.is_global or any(one in network for network in of_version(one)):
        return False
    return isinstance(one, IPv4Address) or one in UNICAST


def of_version(one: IpAddress) -> list[IpNetwork]:
    return [network for network in TUNNELS if network.version == one.version]
