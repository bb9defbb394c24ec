"""What callers write down: each act that was asked, and what it was answered, one line of JSON each, before anybody goes on."""

import base64
import json
import os
from collections import Counter
from pathlib import Path
from typing import Any, override

import httpx


def subject(authorization: str) -> str | None:
    """Whom the log should name."""
    if not authorization:
        return None
    claims = authorization.split(".")[1]
    return json.loads(base64.urlsafe_b64decode(claims + "=" * (-len(claims) % 4)))["sub"]


class Journal:
    def __init__(self, path: Path) -> None:
        self._file = path.open("ab", buffering=0)
        self.statuses = Counter[str]()

    def note(self, **said: Any) -> None:
        """On its way to the disk before it counts as answered; that a caller loses its own notes is not what is tried here."""
        os.write(self._file.fileno(), json.dumps(said, ensure_ascii=False).encode() + b"\n")

    def close(self) -> None:
        self._file.close()


class Noted(httpx.AsyncBaseTransport):
    """Sends as usual, and notes every answer that has come whole, and every one that has not come."""

    def __init__(self, transport: httpx.AsyncBaseTransport, journal: Journal) -> None:
        self._transport = transport
        self._journal = journal

    @override
    async def handle_async_request(self, request: httpx.Request) -> httpx.Response:
        try:
            response = await self._transport.handle_async_request(request)
            await response.aread()
        except httpx.TransportError as error:
            self._journal.statuses["no answer"] += 1
            self._note(request, None, None, repr(error))
            raise
        self._journal.statuses[str(response.status_code)] += 1
        if request.method == "POST" or response.status_code >= 500:
            self._note(request, response.status_code, response.headers.get("Roundlog-Position"), response.text)
        return response

    @override
    async def aclose(self) -> None:
        await self._transport.aclose()

    def _note(self, request: httpx.Request, status: int | None, position: str | None, answer: str) -> None:
        self._journal.note(
            method=request.method,
            path=request.url.path,
            key=request.headers.get("Idempotency-Key"),
            by=subject(request.headers.get("Authorization", "")),
            sent=request.content.decode(),
            status=status,
            position=position,
            answer=answer,
        )
