"""The public keys that tokens are checked with: a file for the local run, the issuer's own page in production.

Only Ed25519 keys are taken, so a token cannot choose how it is checked.
"""

import asyncio
import logging
import time
from collections.abc import Mapping
from pathlib import Path
from typing import Protocol

import httpx
import jwt
import msgspec

from shared.refusals import Unavailable

ALGORITHM = "EdDSA"
PATIENCE = 3.0  # seconds that the issuer gets to answer
ASK_AT_MOST_EVERY = 60.0  # seconds; anybody can make up a key id
GROWS_OLD = 600.0  # seconds, after which a key that the issuer took back is no longer good

UNREADABLE = (msgspec.DecodeError, jwt.PyJWTError)

logger = logging.getLogger(__name__)

type Keys = Mapping[str, jwt.PyJWK]


class Keyring(Protocol):
    async def key(self, identity: str) -> jwt.PyJWK | None:
        """The key with this id, or none when the issuer has none; `Unavailable` when nobody knows."""
        ...


class KeyFile:
    """Keys that stand in a file. It is read when the first token comes: a service starts without it."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._keys: Keys | None = None

    async def key(self, identity: str) -> jwt.PyJWK | None:
        if self._keys is None:
            try:
                self._keys = parse(self._path.read_bytes())
            except (OSError, *UNREADABLE) as error:
                logger.error("the keys in %s cannot be read: %r", self._path, error)  # noqa: TRY400 - no fault of ours
                raise Unavailable("the keys to check tokens with cannot be read") from error
        return self._keys.get(identity)


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


class NoKeys:
    """Nobody has said who issues tokens, so nobody can sign in."""

    async def key(self, identity: str) -> jwt.PyJWK | None:
        raise Unavailable(f"no issuer of tokens is set, so none knows the key {identity}")


class PublicKey(msgspec.Struct, frozen=True):
    """As RFC 8037 writes it."""

    kty: str
    kid: str = ""
    crv: str = ""
    x: str = ""
    use: str = "sig"
    alg: str = ALGORITHM

    @property
    def is_usable(self) -> bool:
        return (self.kty, self.crv, self.use, self.alg) == ("OKP", "Ed25519", "sig", ALGORITHM) and bool(self.kid)


class KeySet(msgspec.Struct):
    keys: list[PublicKey]


def parse(page: bytes) -> Keys:
    """The Ed25519 keys of a JWKS; others are passed over, as the issuer may have further purposes."""
    keys = msgspec.json.decode(page, type=KeySet).keys
    return {key.kid: jwt.PyJWK(msgspec.structs.asdict(key), ALGORITHM) for key in keys if key.is_usable}
