"""The demo on the platform of this machine."""

import functools
from collections.abc import AsyncGenerator, Callable, Mapping
from contextlib import asynccontextmanager

import httpx

from deploy import SERVICES
from deploy.demo.asking import Network, Refused
from deploy.demo.founding import Wanted
from deploy.demo.play import play as play_it
from deploy.demo.story import Story
from deploy.local import table
from deploy.local.errors import CannotRun
from deploy.local.folder import Folder
from deploy.local.state import State
from deploy.tokens import signed
from shared.clock import now

HOURS = 12.0
PATIENCE = 15.0  # seconds that one request may take


async def play(running: State, folder: Folder, say: Callable[[str], None], *, ruleset: str, pace: float) -> None:
    """Its end, or that it cannot go on, ends nothing else."""
    urls = {service: table.url(service, running.base_port or 0) for service in SERVICES}
    try:
        async with connected(urls, folder) as network:
            wanted = Wanted(ruleset=ruleset)
            await play_it(network, say, today=now().date(), pace=pace, story=Story(), wanted=wanted)
    except (Refused, CannotRun, httpx.HTTPError) as error:
        say(f"The demo cannot go on: {error}")


@asynccontextmanager
async def connected(urls: Mapping[str, str], folder: Folder) -> AsyncGenerator[Network]:
    """Where everybody signs in with the key of this folder."""

    @functools.cache
    def token(subject: str) -> str:
        return signed(folder.path / "keys", subject, hours=HOURS)

    async with httpx.AsyncClient(timeout=PATIENCE) as client:
        yield Network(client=client, urls=urls, token=token)
