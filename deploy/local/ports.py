"""Which ports are free, and who holds the others."""

import errno
import socket
from collections.abc import Callable, Mapping
from contextlib import suppress

import psutil

from deploy import SERVICES
from deploy.local.errors import CannotRun
from shared.values import Value

LOOPBACK = "127.0.0.1"
LISTENED = ("proxy", *SERVICES)  # their sockets stay with the launcher, so that callers wait while one of them restarts
OFFSETS = {name: offset for offset, name in enumerate((*LISTENED, "postgres", "nats"))}
FIRST_BASE, LAST_BASE, STEP = 8000, 9000, 10


class PortTaken(CannotRun):
    def __init__(self, port: int, held_by: str) -> None:
        super().__init__(f"Port {port} is in use by {held_by}: end that, or choose other ports with --base-port.")
        self.port = port
        self.held_by = held_by


def listen(port: int) -> socket.socket:
    """A listening socket; free again for us the moment its last holder is gone."""
    listening = socket.socket(socket.AF_INET, socket.SOCK_STREAM)
    try:
        listening.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        listening.bind((LOOPBACK, port))
        listening.listen(1024)
    except OSError as refused:
        listening.close()
        if refused.errno == errno.EADDRINUSE:
            raise PortTaken(port, holder(port)) from refused
        raise CannotRun(f"Port {port} cannot be used: {refused.strerror}. Choose others with --base-port.") from refused
    return listening


def listen_no_more(listening: socket.socket) -> None:
    """Whoever connects is refused, until whoever serves it listens again. The port stays ours."""
    with suppress(OSError):  # outside of Linux, where callers go on waiting
        listening.shutdown(socket.SHUT_RDWR)


class ClaimedPorts(Value):
    base: int
    listening: Mapping[str, socket.socket]  # of the proxy and each service


def of(name: str, base: int) -> int:
    return base + OFFSETS[name]


def claim(base: int | None, say: Callable[[str], None]) -> ClaimedPorts:
    """Hold a listening socket for the proxy and each service, and find the ports of the servers free."""
    if base is not None:
        return _claim(base)
    for default in range(FIRST_BASE, LAST_BASE, STEP):
        try:
            return _claim(default)
        except PortTaken as taken:
            say(f"  port {taken.port} is in use by {taken.held_by}: trying {default + STEP} and up instead")
    raise CannotRun(f"No free ports were found from {FIRST_BASE} up: choose some with --base-port.")


def _claim(base: int) -> ClaimedPorts:
    listening: dict[str, socket.socket] = {}
    try:
        for name in LISTENED:
            listening[name] = listen(of(name, base))
        for name in OFFSETS.keys() - set(LISTENED):
            require_free(of(name, base))
    except CannotRun:
        for opened in listening.values():
            opened.close()
        raise
    return ClaimedPorts(base=base, listening=listening)


def require_free(port: int) -> None:
    listen(port).close()


def any_free() -> int:
    with socket.socket(socket.AF_INET, socket.SOCK_STREAM) as asking:
        asking.bind((LOOPBACK, 0))
        _, port = asking.getsockname()
        return int(port)


def holder(port: int) -> str:
    """In words; the system may not tell whose process it is."""
    try:
        found = [
            held
            for held in psutil.net_connections("tcp")
            if held.status == psutil.CONN_LISTEN and held.laddr and held.laddr.port == port and held.pid
        ]
        if found:
            process = psutil.Process(found[0].pid)
            return f"{process.name()} (process {process.pid})"
    except (psutil.AccessDenied, psutil.NoSuchProcess):
        pass
    return "another program"
