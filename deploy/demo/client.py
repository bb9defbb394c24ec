"""Somebody on a bad network: asks again, with the same key, until there is an answer."""

import asyncio
import time
import uuid
from collections.abc import Callable, Mapping
from http import HTTPStatus
from typing import Any

import httpx

from shared.ids import new_id
from shared.values import Value

PATIENCE = 90.0  # seconds; a service that was killed is back long before
PAUSE = 0.2
PASSING = frozenset({HTTPStatus.REQUEST_TIMEOUT, HTTPStatus.TOO_MANY_REQUESTS, HTTPStatus.SERVICE_UNAVAILABLE})


class RequestRefused(Exception):
    """The answer is no, and will stay so."""

    def __init__(self, problem: Mapping[str, Any]) -> None:
        super().__init__(f"{problem.get('type')}: {problem.get('detail')} {problem.get('errors', '')}")
        self.type = str(problem.get("type", "")).rpartition("/")[2]


class Reply(Value):
    body: Any
    position: str | None  # of the log that was written; whoever reads after it sees what was done


class Services(Value):
    """Where the services are, and how somebody signs in there."""

    client: httpx.AsyncClient
    urls: Mapping[str, str]
    token: Callable[[str], str]
    patience: float = PATIENCE

    def person(self, subject: str) -> "User":
        return User(network=self, token=self.token(subject))

    def anybody(self) -> "User":
        return User(network=self, token=None)


class User(Value):
    network: Services
    token: str | None

    async def act(
        self, service: str, path: str, body: object = None, *, after: str | None = None, key: uuid.UUID | None = None
    ) -> Reply:
        """Happens once, however often it has to be asked."""
        return await self._ask("POST", service, path, body, {"Idempotency-Key": str(key or new_id())}, after)

    async def look(self, service: str, path: str, *, after: str | None = None) -> Any:
        return (await self._ask("GET", service, path, None, {}, after)).body

    async def _ask(
        self, method: str, service: str, path: str, body: object, headers: dict[str, str], after: str | None
    ) -> Reply:
        if self.token:
            headers["Authorization"] = f"Bearer {self.token}"
        if after:
            headers["Roundlog-Min-Position"] = after
        until = time.monotonic() + self.network.patience
        while True:
            try:
                response = await self.network.client.request(
                    method, f"{self.network.urls[service]}{path}", json=body, headers=headers
                )
                if response.status_code not in PASSING or time.monotonic() > until:
                    return answered(response)
            except httpx.TransportError:
                if time.monotonic() > until:
                    raise
            await asyncio.sleep(PAUSE)


def answered(response: httpx.Response) -> Reply:
    if response.is_error:
        raise RequestRefused(response.json())
    return Reply(body=response.json(), position=response.headers.get("Roundlog-Position"))
