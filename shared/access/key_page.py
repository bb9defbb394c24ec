"""The keys that the issuer of tokens shows on a page of its own, as in production."""

import asyncio
import logging
import time

import httpx
import jwt

from shared.access.keys import UNREADABLE, Keys, parse
from shared.refusals import Unavailable

PATIENCE = 3.0  # seconds that the issuer gets to answer
ASK_AT_MOST_EVERY = 60.0  # seconds; anybody can make up a key id
GROWS_OLD = 600.0  # seconds, after which a key that the issuer took back is no longer good

logger = logging.getLogger(__name__)


class KeyPage:
    """Keys that the issuer shows on a page. The last good answer is kept while the issuer is away."""

    def __init__(self, url: str) -> None:
        self._url = url
        self._keys: Keys | None = None
        self._good_until = 0.0
        self._ask_again = 0.0
        self._asking = asyncio.Lock()

    async def key(self, identity: str) -> jwt.PyJWK | None:
        if self._keys is None or identity not in self._keys or time.monotonic() > self._good_until:
            async with self._asking:
                await self._ask()
        if self._keys is None:
            raise Unavailable("the issuer of tokens does not answer")
        return self._keys.get(identity)

    async def _ask(self) -> None:
        if time.monotonic() < self._ask_again:
            return
        self._ask_again = time.monotonic() + ASK_AT_MOST_EVERY
        try:
            async with httpx.AsyncClient(timeout=PATIENCE, follow_redirects=False) as client:
                answer = await client.get(self._url)
            self._keys = parse(answer.raise_for_status().content)
            self._good_until = time.monotonic() + GROWS_OLD
        except (httpx.HTTPError, *UNREADABLE) as error:
            logger.warning("the issuer of tokens does not answer: %r", error)
            if self._keys is None:
                self._ask_again = time.monotonic() + 1
