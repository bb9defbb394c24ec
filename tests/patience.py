"""How long tests wait where nothing is proved by haste: a machine may be slow, and what is waited for has to come.

A test that does prove haste compares with something that it has measured in the same run.
"""

import asyncio
from http import HTTPStatus

import httpx

PATIENCE = 240.0  # seconds until something has come true, or has been answered
ASKED_ANEW = 5  # times, of a service that says that something is away for the moment
AT_ONCE = {"at_once": True}  # extensions of a request of which the first answer counts, whatever it is


class Patient(httpx.AsyncBaseTransport):
    """A caller who does what a 503 tells him to do: he waits as long as it says, and asks again."""

    def __init__(self, transport: httpx.AsyncBaseTransport) -> None:
        self._transport = transport

    async def handle_async_request(self, request: httpx.Request) -> httpx.Response:
        for _ in range(0 if "at_once" in request.extensions else ASKED_ANEW):
            response = await self._transport.handle_async_request(request)
            if response.status_code != HTTPStatus.SERVICE_UNAVAILABLE or "Retry-After" not in response.headers:
                return response
            await response.aclose()
            await asyncio.sleep(float(response.headers["Retry-After"]))
        return await self._transport.handle_async_request(request)

    async def aclose(self) -> None:
        await self._transport.aclose()
