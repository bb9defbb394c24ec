"""What a signer keeps outside of its database, and in no backup of it, in a folder of its own:

keys     the seeds of its keys
signed   the last note that was signed: written before anybody sees it, so that no restored database signs another one
leaves   the leaf hashes of all that was signed, 32 bytes each, so that the first event that was changed has a number
lock     held by the one process that signs
restored why the log is another one now, where an operator has said so
"""

import asyncio
import fcntl
import os
from base64 import b64decode, b64encode
from collections.abc import AsyncGenerator, Generator, Sequence
from contextlib import asynccontextmanager, contextmanager
from datetime import datetime
from pathlib import Path
from secrets import token_bytes

import msgspec

from shared import files
from shared.proof.keys import KEY, KeyKind, Signer
from shared.proof.tiles import RightEdge, grow
from shared.proof.tree import HASH
from shared.values import Value

OWNER_ONLY = 0o700
PAUSE = 1.0  # seconds between two tries to become the one who signs
AT_ONCE = 4096  # leaves


class UnusableSigningFolder(Exception):
    """What is in the folder cannot be used: only a person can mend that."""


class SigningKey(Value):
    seed: str  # base64
    until: datetime | None = None  # from then on it signs no more

    def signer(self, origin: str) -> Signer:
        """A key is named like its log, so after a restore the same seed is another key."""
        return Signer(name=origin, kind=KeyKind.LOG, seed=b64decode(self.seed))

    def is_good(self, at: datetime) -> bool:
        return self.until is None or at < self.until


class SigningKeys(Value):
    """The oldest first; while one takes over from another there are two."""

    keys: tuple[SigningKey, ...]


class SigningFolder:
    def __init__(self, path: Path) -> None:
        self.path = path
        self._keys = path / "keys"
        self._signed = path / "signed"
        self._leaves = path / "leaves"
        self._restored = path / "restored"

    @asynccontextmanager
    async def held(self) -> AsyncGenerator[None]:
        """By one process at a time: the lock ends with it, however it ends."""
        with usable(self.path):
            self.path.mkdir(mode=OWNER_ONLY, parents=True, exist_ok=True)
            descriptor = os.open(self.path / "lock", os.O_RDWR | os.O_CREAT, 0o600)
        try:
            while True:
                if taken(descriptor):
                    break
                await asyncio.sleep(PAUSE)
            yield
        finally:
            os.close(descriptor)

    def signing_keys(self) -> Sequence[SigningKey]:
        """A first one is made where nothing was ever signed."""
        with usable(self.path):
            if not self._keys.exists() and not self._signed.exists():
                self.keep_keys([new_key()])
        try:
            found = msgspec.json.decode(self._keys.read_bytes(), type=SigningKeys).keys
            if not found or any(len(b64decode(key.seed, validate=True)) != KEY for key in found):
                raise UnusableSigningFolder(f"{self._keys} has no key of {KEY} bytes")
        except FileNotFoundError as missing:
            raise UnusableSigningFolder(
                f"{self._keys} is missing, and something was signed: bring it back"
            ) from missing
        except (OSError, ValueError) as error:  # msgspec's and base64's are such
            raise UnusableSigningFolder(f"{self._keys} has no key that can be read: {error}") from error
        return found

    def keep_keys(self, keys: Sequence[SigningKey]) -> None:
        files.write(self._keys, msgspec.json.encode(SigningKeys(keys=tuple(keys))))

    def last(self) -> bytes | None:
        """The note that was signed last."""
        return self._signed.read_bytes() if self._signed.exists() else None

    def sign(self, note: bytes) -> None:
        """Before anybody sees it. The leaves under it come first."""
        if self._leaves.exists():
            with self._leaves.open("rb") as leaves:
                os.fsync(leaves.fileno())
        files.write(self._signed, note)

    # The leaves. They say which event was changed; whether one was, the signed root says.

    def leaves(self, first: int, many: int) -> bytes:
        """As far as they are kept."""
        if not self._leaves.exists():
            return b""
        with self._leaves.open("rb") as file:
            file.seek(first * HASH)
            return file.read(many * HASH)

    def count_leaves(self) -> int:
        return self._leaves.stat().st_size // HASH if self._leaves.exists() else 0

    def cut_leaves(self, size: int) -> None:
        """What is behind was read, and not signed."""
        self._leaves.touch(mode=0o600)
        os.truncate(self._leaves, min(size, self.count_leaves()) * HASH)

    def add_leaves(self, first: int, hashes: bytes) -> None:
        """Only what follows: where some are missing, nothing is known of those behind."""
        if first == self.count_leaves():
            with self._leaves.open("ab") as file:
                file.write(hashes)

    def root_of_leaves(self, size: int) -> bytes | None:
        """The root over so many of them, if they are there."""
        edge = RightEdge()
        while edge.size < size:
            hashes = self.leaves(edge.size, min(AT_ONCE, size - edge.size))
            if not hashes:
                return None
            edge, _ = grow(edge, [hashes[at : at + HASH] for at in range(0, len(hashes), HASH)])
        return edge.root

    # A log that was restored

    def restored(self) -> str | None:
        """Why it was, where an operator has said that it was: by hand, perhaps at a terminal that writes otherwise."""
        if not self._restored.exists():
            return None
        return self._restored.read_text(encoding="utf-8", errors="replace").replace("\0", "").strip()

    def say_restored(self, reason: str) -> None:
        files.write(self._restored, f"{reason}\n".encode(errors="replace"))

    def begin_anew(self, kept: int) -> None:
        """The last note of the former log stays, under a name of its own."""
        self.cut_leaves(kept)
        if self._signed.exists():
            files.rename(self._signed, self.path / f"signed-before-{self._signed.stat().st_mtime_ns}")
        self.forget_restoration()

    def forget_restoration(self) -> None:
        self._restored.unlink(missing_ok=True)


@contextmanager
def usable(path: Path) -> Generator[None]:
    try:
        yield
    except OSError as refused:
        raise UnusableSigningFolder(f"{path} cannot be used: {refused.strerror}") from refused


def new_key() -> SigningKey:
    return SigningKey(seed=b64encode(token_bytes(KEY)).decode())


def taken(descriptor: int) -> bool:
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    return True
