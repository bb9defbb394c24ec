"""Servers that are spoken to but not started here, and the preparation of databases on either kind."""

import asyncio
import time
from collections.abc import Callable, Mapping
from pathlib import Path
from urllib.parse import urlsplit

import asyncpg
from nats import errors as nats_errors

from deploy import databases
from deploy.local import nats
from deploy.local.errors import CannotRun
from shared.log.notify import BROKEN

PATIENCE = 5.0
NATS_PORT = 4222
POSTGRES_PORT = 5432
PASSING = ("08", "57")  # classes of SQLSTATE: connection lost, server stopping or starting


def place(url: str) -> str:
    """Host and port, without the password."""
    parts = urlsplit(url)
    default = POSTGRES_PORT if parts.scheme.startswith("postgres") else NATS_PORT
    return f"{parts.hostname or 'localhost'}:{parts.port or default}"


async def prepare(
    server: str, passwords: Mapping[str, str], say: Callable[[str], None], *, patience: float = PATIENCE
) -> dict[str, str]:
    """Prepare the databases; a server that is lost in the middle is waited for."""
    began = time.monotonic()
    while True:
        try:
            prepared = await databases.prepare(server, passwords)
        except databases.DatabaseRefused as refused:
            raise CannotRun(str(refused)) from refused
        except BROKEN as failed:
            if not _passes(failed) or time.monotonic() - began > patience:
                raise CannotRun(f"The databases at {place(server)} cannot be prepared: {failed}") from failed
            await asyncio.sleep(0.25)
        else:
            say(f"  {'databases':13} ready after {time.monotonic() - began:.1f} s")
            return prepared


def _passes(failed: Exception) -> bool:
    if isinstance(failed, asyncpg.PostgresError):
        return (failed.sqlstate or "").startswith(PASSING)
    return True


async def require_nats(server: str, passwords: Mapping[str, str], secrets: Path) -> dict[str, str]:
    """The URL for each service, which has an account there."""
    if "@" in urlsplit(server).netloc:
        raise CannotRun(
            "ROUNDLOG_NATS_URL may say only where the broker is, as in nats://localhost:4222: "
            "each service has a user and a password of its own there."
        )
    urls = nats.own_urls(server, passwords)
    for service, url in urls.items():
        try:
            await nats.require_account(url)
        except (OSError, nats_errors.Error) as failed:
            if "authorization violation" in str(failed).lower():
                raise CannotRun(
                    f"The NATS server at {place(url)} refuses the user {service}: it needs the accounts of "
                    f"deploy/accounts.conf, with the passwords that {secrets} has as nats-{service} and so on."
                ) from failed
            raise CannotRun(
                f"No NATS server with JetStream answers at {place(url)} ({failed or 'no answer in time'}): "
                "start it, or unset ROUNDLOG_NATS_URL."
            ) from failed
    return urls
