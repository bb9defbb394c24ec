"""The demo on the platform of this machine."""

import functools
from collections.abc import Callable

import httpx

from deploy import SERVICES
from deploy.demo.asking import Network, Refused
from deploy.demo.play import Demo
from deploy.local import table
from deploy.local.errors import CannotRun
from deploy.local.folder import Folder
from deploy.local.state import State
from deploy.tokens import signed
from shared.clock import now

ROUND = 20.0  # seconds that a round takes, so that people can watch
HOURS = 12.0


async def play(running: State, folder: Folder, say: Callable[[str], None], *, pace: float = ROUND) -> None:
    async with httpx.AsyncClient(timeout=15) as client:
        network = Network(
            client=client,
            urls={service: table.url(service, running.base_port or 0) for service in SERVICES},
            token=functools.cache(lambda subject: signed(folder.path / "keys", subject, hours=HOURS)),
        )
        try:
            await Demo(network=network, say=say, today=now().date(), pace=pace).play()
        except (Refused, CannotRun, httpx.HTTPError) as error:
            say(f"The demo cannot go on: {error}")
