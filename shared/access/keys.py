"""The public keys that tokens are checked with. Here from a file, for the local run; in `key_page.py` from the issuer's page.

Only Ed25519 keys are taken, so a token cannot choose how it is checked.
"""

import logging
from collections.abc import Mapping
from pathlib import Path
from typing import Protocol

import jwt
import msgspec

from shared.refusals import Unavailable

ALGORITHM = "EdDSA"

UNREADABLE = (ValueError, jwt.PyJWTError)  # of msgspec, and of what is no text

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
