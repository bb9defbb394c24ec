"""One service as it runs in production: a process on a database, with a broker that is not there."""

import os
import socket
import subprocess
import sys
from collections.abc import AsyncGenerator, Mapping
from contextlib import asynccontextmanager
from http import HTTPStatus
from pathlib import Path
from typing import Any

import httpx
import psutil

from deploy.local.forks import can_fork
from deploy.serve import DRAIN_SECONDS
from shared.values import Value
from tests.api.asking import NOWHERE, issuer
from tests.api.signing import OPERATOR, signed_by
from tests.integration.forking import Forked, forked
from tests.integration.launching import until
from tests.patience import PATIENCE, Patient


class Served(Value):
    url: str
    port: int
    process: subprocess.Popen[bytes] | Forked
    started_within: float  # seconds

    @property
    def soon(self) -> float:
        """Seconds in which it stops where nobody is waited for; a machine on which it starts slowly stops it slowly."""
        return max(DRAIN_SECONDS, self.started_within)

    def connect(self, *, receive_buffer: int | None = None, address: str = "127.0.0.1") -> socket.socket:
        """A connection on which to do what no good client does, from one of the addresses of this machine."""
        connection = socket.socket()
        connection.bind((address, 0))
        if receive_buffer:
            connection.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, receive_buffer)
        connection.settimeout(PATIENCE)
        connection.connect(("127.0.0.1", self.port))
        return connection

    def connections(self) -> int:
        """How many callers it holds."""
        known = psutil.Process(self.process.pid).net_connections(kind="tcp")
        return sum(one.status == psutil.CONN_ESTABLISHED and one.laddr.port == self.port for one in known)

    def memory(self) -> int:
        """Bytes that it has of the machine's."""
        return psutil.Process(self.process.pid).memory_info().rss

    def streams(self) -> int:
        numbers = httpx.get(f"{self.url}/metrics").text
        return next(int(float(line.split()[1])) for line in numbers.splitlines() if line.startswith("roundlog_streams"))

    async def act(self, path: str, **body: Any) -> dict[str, Any]:
        async with httpx.AsyncClient(transport=Patient(httpx.AsyncHTTPTransport())) as client:
            answer = await client.post(f"{self.url}{path}", json=body or None, headers=signed("operator"))
        assert answer.is_success, answer.text
        return answer.json()


def signed(subject: str, *, seconds: int = 3600) -> dict[str, str]:
    return signed_by(issuer().token(subject, seconds=seconds))


@asynccontextmanager
async def serving(
    database: str, *, service: str = "registration", log: Path | str = os.devnull, alone: bool = False, **settings: str
) -> AsyncGenerator[Served]:
    """`alone`: with code that it has loaded by itself, where the start is what is looked at."""
    told = {
        "ROUNDLOG_DATABASE_URL": database,
        "ROUNDLOG_NATS_URL": f"nats://{NOWHERE}",
        "ROUNDLOG_KEYS": str(issuer().page),
        "ROUNDLOG_OPERATORS": OPERATOR,
        **{f"ROUNDLOG_{name.upper()}": value for name, value in settings.items()},
    }
    start = forked if can_fork() and not alone else loaded
    with socket.create_server(("127.0.0.1", 0)) as listening, Path(log).open("ab") as output:  # noqa: ASYNC230 - short
        port = listening.getsockname()[1]
        process = start(service, log=output.fileno(), listening=listening.fileno(), environment=os.environ | told)
    url = f"http://127.0.0.1:{port}"
    try:
        yield Served(url=url, port=port, process=process, started_within=until(lambda: is_alive(url)))
    finally:
        process.kill()
        process.wait(PATIENCE)


def loaded(service: str, *, log: int, listening: int, environment: Mapping[str, str]) -> subprocess.Popen[bytes]:
    return subprocess.Popen(  # noqa: S603 - our own command
        [sys.executable, "-m", "deploy.serve", service, f"--fd={listening}"],
        env=environment,
        pass_fds=[listening],
        stdout=log,
        stderr=log,
    )


def is_alive(url: str) -> bool:
    try:
        return httpx.get(f"{url}/healthz").status_code == HTTPStatus.OK
    except httpx.TransportError:
        return False
