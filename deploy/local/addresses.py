"""Where the databases and the broker of a data folder are, for commands that look into them."""

import os
from dataclasses import dataclass, field

from deploy import SERVICES, databases
from deploy.local import folder as folders
from deploy.local import nats, ports, state
from deploy.local.errors import CannotRun
from deploy.local.folder import Folder


@dataclass(frozen=True, kw_only=True)
class Addresses:
    databases: dict[str, str] = field(repr=False)  # of each service, as the role of that service
    nats: dict[str, str] = field(repr=False)  # of each service, as the user of its account
    server: str = field(repr=False)  # of the databases, as its administrator


def find(folder: Folder) -> Addresses:
    found = state.read(folder.state)
    if found is None or found.base_port is None or state.find(found.launcher) is None:
        raise CannotRun(f"Nothing runs on {folder.path}: start it with `roundlog up`.")
    passwords = folders.passwords(folder)
    own = f"postgresql://postgres:{passwords['postgres']}@127.0.0.1:{ports.of('postgres', found.base_port)}/postgres"
    server = os.environ.get("ROUNDLOG_DATABASE_URL") or own
    broker = os.environ.get("ROUNDLOG_NATS_URL") or f"nats://127.0.0.1:{ports.of('nats', found.base_port)}"
    return Addresses(
        databases={service: databases.own_url(server, service, passwords[service]) for service in SERVICES},
        nats=nats.own_urls(broker, folders.of_broker(passwords)),
        server=server,
    )
