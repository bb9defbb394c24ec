"""A live stream of a service that is killed under it: who comes back hears the rest, each thing once."""

import asyncio
import json
from contextlib import suppress

import httpx

from tests.e2e.signed_in import signed
from tests.integration.launching import Platform, kill
from tests.listening import Listener, listening
from tests.patience import PATIENCE

RENAMES = 60
KILLED_AT = (15, 40)


async def test_nothing_is_lost_or_repeated_when_the_service_is_killed(platform: Platform) -> None:
    operator = signed(platform, "operator")
    url = platform.below("registration")
    federation = httpx.post(f"{url}/v1/federations", json={"name": "Go"}, headers=operator).json()["id"]  # noqa: ASYNC210 - once
    heard: list[tuple[str | None, str]] = []
    has_begun = asyncio.Event()

    async def listen() -> None:
        behind: str | None = "0"
        while len(heard) < RENAMES:
            with suppress(httpx.TransportError):
                async with listening(f"{url}/v1/live/{federation}", operator, behind=behind) as listener:
                    has_begun.set()
                    while len(heard) < RENAMES:
                        behind = await hear(listener)

    async def hear(listener: Listener) -> str | None:
        told = await listener.next_event()
        if told.event == "FederationRenamed":
            heard.append((told.id, json.loads(told.data or "")["data"]["name"]))
        return told.id

    async def act() -> None:
        await has_begun.wait()
        for number in range(RENAMES):
            if number in KILLED_AT:
                kill(platform.pid("registration"))
            await rename(f"{url}/v1/federations/{federation}/rename", f"Go {number}", operator)

    async with asyncio.timeout(PATIENCE), asyncio.TaskGroup() as group:
        group.create_task(listen())
        group.create_task(act())
    assert [name for _, name in heard] == [f"Go {number}" for number in range(RENAMES)]
    assert len({position for position, _ in heard}) == RENAMES


async def rename(url: str, name: str, who: dict[str, str]) -> None:
    """Until it is answered: the key makes it one act however often it is sent."""
    async with httpx.AsyncClient(timeout=PATIENCE) as client:
        while True:
            with suppress(httpx.TransportError):
                answer = await client.post(url, json={"name": name}, headers=who | {"Idempotency-Key": name})
                if answer.is_success:
                    return
            await asyncio.sleep(0.05)
