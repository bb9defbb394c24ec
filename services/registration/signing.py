"""Signs the tokens of captains and scorers' links, with a key of registration's own whose public part all services learn from an event."""

import asyncio
import logging
import os
from base64 import urlsafe_b64encode
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager, suppress
from datetime import timedelta
from pathlib import Path

import jwt
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from cryptography.hazmat.primitives.serialization import (
    Encoding,
    NoEncryption,
    PrivateFormat,
    PublicFormat,
    load_pem_private_key,
)

from services.registration.domain.captains import KEYS_STREAM, CaptainKeyIntroduced, IntroduceKey, KeyState
from shared.access import captain_tokens
from shared.access.captain_tokens import Captaincy
from shared.access.keys import ALGORITHM
from shared.access.scorer_links import ScorerLink
from shared.clock import Now
from shared.commands.handler import SERVICE, Handler, Origin
from shared.refusals import Unavailable
from shared.settings import WrongSettings

PAUSE = 1.0  # seconds before a key is introduced again, when the database did not answer
PATIENCE = 2.0
REGISTRATION = Origin(actor="registration", role=SERVICE, operation="start")

logger = logging.getLogger(__name__)

type KeysHandler = Handler[KeyState, IntroduceKey, CaptainKeyIntroduced]


class UnusableKey(WrongSettings):
    """The file of the key has none, or cannot be read: only a person can mend that, so the service does not start."""


class Signing:
    """Its key stands in a file, and is made there if there is none; without a path nobody gets a token."""

    def __init__(self, *, path: Path | None, audience: str, keys: KeysHandler, now: Now) -> None:
        self._audience = audience
        self._keys = keys
        self._now = now
        self._private = None if path is None else read_or_make(path)
        self._introduced = asyncio.Event()
        self._introducing: asyncio.Task[None] | None = None

    @asynccontextmanager
    async def running(self) -> AsyncGenerator[None]:
        if self._private is None:
            yield
            return
        self._introducing = asyncio.create_task(self._introduce(public(self._private)), name="introducing of the key")
        try:
            yield
        finally:
            self._introducing.cancel()
            await asyncio.gather(self._introducing, return_exceptions=True)

    async def check(self) -> None:
        task = self._introducing
        if task and task.done() and not task.cancelled() and (error := task.exception()):
            raise Unavailable(f"the key of captains could not be introduced: {error!r}")

    async def require_ready(self) -> Ed25519PrivateKey:
        """Give the key, as soon as the others can know it."""
        if self._private is None:
            raise Unavailable("no key to sign tokens of captains with is set")
        try:
            await asyncio.wait_for(self._introduced.wait(), PATIENCE)
        except TimeoutError as late:
            raise Unavailable("the key to sign tokens of captains with is not introduced yet") from late
        return self._private

    def issued_now(self) -> int:
        """Tokens and the log say the time like this."""
        return int(self._now().timestamp())

    async def sign(
        self, held: Captaincy | ScorerLink, issued: int, *, lasting: timedelta = captain_tokens.LONGEST
    ) -> str:
        """Give the token that was issued then; it is always the same one, as long as the key is."""
        private = await self.require_ready()
        expires = issued + int(lasting.total_seconds())
        usual = {"iss": captain_tokens.ISSUER, "aud": self._audience, "iat": issued, "exp": expires}
        return jwt.encode(usual | held.claims, private, ALGORITHM, headers={"kid": public(private)})

    async def _introduce(self, key: str) -> None:
        """Tell all, once; nothing happens when it is the key that was introduced last."""
        command = IntroduceKey(key=key, public=key)
        while not self._introduced.is_set():
            try:
                await self._keys.handle(
                    KEYS_STREAM,
                    command,
                    scope=KEYS_STREAM,
                    origin=REGISTRATION,
                    respond=lambda _, __: b"",
                )
                self._introduced.set()
            except Unavailable as error:
                logger.warning("introducing the key of captains: %s", error)
                await asyncio.sleep(PAUSE)


def public(key: Ed25519PrivateKey) -> str:
    """A JWK has it like this; it is also the id of the key."""
    return urlsafe_b64encode(key.public_key().public_bytes(Encoding.Raw, PublicFormat.Raw)).decode().rstrip("=")


def read_or_make(path: Path) -> Ed25519PrivateKey:
    try:
        if not path.exists():
            make(path)
        key = load_pem_private_key(path.read_bytes(), password=None)
    except (OSError, ValueError, TypeError) as error:
        raise UnusableKey(f"{path} has no key that can be read: {error}") from None
    if not isinstance(key, Ed25519PrivateKey):
        raise UnusableKey(f"{path} has a key of another kind: make one with `openssl genpkey -algorithm ed25519`")
    return key


def make(path: Path) -> None:
    """The file is complete or not there at all. Another copy of the service that was faster has made the key of
    both."""
    unfinished = path.with_name(f"{path.name}.{os.getpid()}")
    unfinished.unlink(missing_ok=True)
    descriptor = os.open(unfinished, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    with os.fdopen(descriptor, "wb") as file:
        file.write(Ed25519PrivateKey.generate().private_bytes(Encoding.PEM, PrivateFormat.PKCS8, NoEncryption()))
        file.flush()
        os.fsync(file.fileno())
    with suppress(FileExistsError):
        os.link(unfinished, path)
    unfinished.unlink()
