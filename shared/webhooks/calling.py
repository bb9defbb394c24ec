"""One call of a webhook: a POST over a connection of its own to an address that was judged, and the code of its answer.

Nothing else of the answer is read, kept or followed, so that whoever may name an address learns nothing of what is there.
"""

import asyncio
import re
import ssl
from collections.abc import Mapping
from contextlib import suppress
from functools import cache
from http import HTTPStatus

from shared.program import made_by
from shared.values import Value
from shared.webhooks.addresses import AddressBook, IpAddress, NowhereToCall, WebhookAddress

SECONDS = 10.0  # for all of it
MOST_TRIED = 3  # addresses of one name
LONGEST_HEAD = 16_384  # bytes of an answer that are looked at
STATUS = re.compile(rb"HTTP/1\.[01] ([1-5]\d\d)(?: |\r)")
END_OF_HEAD = b"\r\n\r\n"


class CallOutcome(Value):
    """What came of a call."""

    code: int | None = None
    problem: str | None = None  # none: it was taken

    @property
    def is_gone(self) -> bool:
        return self.code == HTTPStatus.GONE


class WebhookCaller:
    def __init__(self, book: AddressBook, *, seconds: float = SECONDS) -> None:
        self._book = book
        self._seconds = seconds

    async def call(self, address: WebhookAddress, headers: Mapping[str, str], body: bytes) -> CallOutcome:
        try:
            async with asyncio.timeout(self._seconds):
                return judged(await self._posted(address, headers, body))
        except TimeoutError:
            return CallOutcome(problem=f"it did not answer within {self._seconds:g} seconds")
        except NowhereToCall as nowhere:
            return CallOutcome(problem=str(nowhere))
        except ssl.SSLError:
            return CallOutcome(problem="its certificate does not vouch for it, or it does not speak TLS")
        except (OSError, EOFError):
            return CallOutcome(problem="it could not be reached, or has closed the connection")
        except asyncio.LimitOverrunError:
            return CallOutcome(problem="its answer is not one of HTTP")

    async def _posted(self, address: WebhookAddress, headers: Mapping[str, str], body: bytes) -> int | None:
        reader, writer = await self._connected(address)
        try:
            writer.write(request(address, headers, body))
            await writer.drain()
            return await code_of_answer(reader)
        finally:
            writer.transport.abort()  # nothing more is expected of it

    async def _connected(self, address: WebhookAddress) -> tuple[asyncio.StreamReader, asyncio.StreamWriter]:
        """One of a name's addresses may be out of order: the others are tried, before anything is told."""
        *others, last = (await self._book.to_call(address))[:MOST_TRIED]
        for where in others:
            with suppress(OSError):
                async with asyncio.timeout(self._seconds / (MOST_TRIED + 1)):
                    return await connection(address, where)
        return await connection(address, last)


async def connection(address: WebhookAddress, where: IpAddress) -> tuple[asyncio.StreamReader, asyncio.StreamWriter]:
    return await asyncio.open_connection(
        str(where),
        address.port,
        ssl=encryption() if address.is_encrypted else None,
        server_hostname=address.host if address.is_encrypted else None,
        limit=LONGEST_HEAD,
    )


def request(address: WebhookAddress, headers: Mapping[str, str], body: bytes) -> bytes:
    fields = {
        "Host": address.named,
        "User-Agent": made_by("webhooks"),
        "Content-Type": "application/json",
        "Content-Length": str(len(body)),
        "Connection": "close",
        **headers,
    }
    lines = [f"POST {address.target} HTTP/1.1", *(f"{name}: {value}" for name, value in fields.items())]
    return "\r\n".join(lines).encode("ascii") + END_OF_HEAD + body


async def code_of_answer(reader: asyncio.StreamReader) -> int | None:
    """What is said before the answer (1xx) is passed over."""
    for _ in range(10):
        head = await reader.readuntil(END_OF_HEAD)
        found = STATUS.match(head)
        if found is None:
            return None
        if (code := int(found[1])) >= HTTPStatus.OK:
            return code
    return None


def judged(code: int | None) -> CallOutcome:
    if code is None:
        return CallOutcome(problem="its answer is not one of HTTP")
    if HTTPStatus.OK <= code < HTTPStatus.MULTIPLE_CHOICES:
        return CallOutcome(code=code)
    if code < HTTPStatus.BAD_REQUEST:
        return CallOutcome(
            code=code, problem="it leads elsewhere, which is not followed: register the address that answers"
        )
    return CallOutcome(code=code, problem="it did not take it")


@cache
def encryption() -> ssl.SSLContext:
    return ssl.create_default_context()
