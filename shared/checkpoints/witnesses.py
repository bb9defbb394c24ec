"""Sends checkpoints to witnesses beside the signing, and keeps what they sign (C2SP tlog-witness).

Who is silent is asked again with the next checkpoint, and delays nothing. Who refuses raises an alarm: a line in the log, a
number in `/metrics`, a sentence in `/readyz`, which stays ready, so that no witness can stop a service.
"""

import asyncio
import logging
from collections import Counter
from collections.abc import AsyncGenerator, Iterable, Mapping, Sequence
from contextlib import AsyncExitStack, asynccontextmanager, suppress
from http import HTTPStatus
from pathlib import Path
from typing import TYPE_CHECKING, NoReturn

from shared.background import Work
from shared.checkpoints.checkpoint_store import Checkpoints, KeptCheckpoint
from shared.checkpoints.keeper import CheckpointKeeper
from shared.log.trees import Trees
from shared.proof.findings import ProofFailure
from shared.proof.keys import KeyKind, VerifierKey
from shared.proof.notes import SIZE, Note, Signature
from shared.proof.receipts import WitnessRequest
from shared.proof.tree import between
from shared.refusals import Unavailable
from shared.values import Value

if TYPE_CHECKING:
    import httpx

PATIENCE = 10.0  # seconds that an answer may take
AGAIN = 30.0  # seconds until a silent witness is asked again, if nothing is signed sooner
LONGEST = 65_536  # bytes of an answer
WORDS = 4  # of a line
REFUSALS = {
    HTTPStatus.BAD_REQUEST: "it cannot read what it was sent",
    HTTPStatus.FORBIDDEN: "no key that it knows has signed",
    HTTPStatus.NOT_FOUND: "it does not know this log",
    HTTPStatus.UNPROCESSABLE_ENTITY: "what it has signed before is not continued: there are two histories of this log",
}

logger = logging.getLogger(__name__)


class WitnessesUnreadable(Exception):
    """The file of witnesses says something else than who they are and where."""


class WitnessRefused(Exception):
    """It has answered, and did not sign."""


class WitnessAddress(Value):
    key: VerifierKey
    url: str

    @property
    def name(self) -> str:
        return self.key.name


def read_addresses(path: Path) -> list[WitnessAddress]:
    """Lines `witness <name> <key> <address>` of a policy (C2SP tlog-policy); its other lines are for verifiers."""
    try:
        lines = [line.split() for line in path.read_text(encoding="utf-8").splitlines()]
        found = [line for line in lines if line[:1] == ["witness"] and len(line) == WORDS]
        addresses = [WitnessAddress(key=VerifierKey.parse(key), url=url.rstrip("/")) for _, _, key, url in found]
    except (OSError, UnicodeDecodeError, ProofFailure) as error:
        raise WitnessesUnreadable(f"{path}: {error}") from error
    for one in addresses:
        if one.key.kind is not KeyKind.WITNESS or not one.url.startswith(("https://", "http://")):
            raise WitnessesUnreadable(f"{path}: {one.name} needs a key of a witness, and an address")
    return addresses


class Witnesses:
    """Only where the log is signed they are asked: of several copies by one."""

    def __init__(
        self,
        addresses: Iterable[WitnessAddress],
        *,
        keeper: CheckpointKeeper,
        checkpoints: Checkpoints,
        trees: Trees,
    ) -> None:
        self._addresses = list(addresses)
        self._keeper = keeper
        self._checkpoints = checkpoints
        self._trees = trees
        self._client: httpx.AsyncClient | None = None
        self._refused: dict[str, str] = {}
        self._refusals = Counter[str]()
        self._signed: dict[str, int] = {}

    @asynccontextmanager
    async def running(self) -> AsyncGenerator[None]:
        if not self._addresses:
            yield
            return
        import httpx  # noqa: PLC0415 - only this needs an HTTP client

        async with AsyncExitStack() as stack:
            self._client = await stack.enter_async_context(httpx.AsyncClient(timeout=PATIENCE))
            for address in self._addresses:
                asking = Work(f"asking of {address.name}", lambda address=address: self._ask_on(address))
                await stack.enter_async_context(asking.running())
            yield

    @property
    def alarms(self) -> Mapping[str, str]:
        """Who has refused last, and why."""
        return {f"witness {name}": why for name, why in self._refused.items()}

    @property
    def numbers(self) -> Sequence[tuple[str, int, int]]:
        """Of each witness the size that it has signed last, and how often it has refused since the start."""
        return [(one.name, self._signed.get(one.name, 0), self._refusals[one.name]) for one in self._addresses]

    async def _ask_on(self, address: WitnessAddress) -> NoReturn:
        done = 0
        while True:
            signed, newest = self._keeper.next_signing(), None
            try:
                newest = await self._checkpoints.newest() if self._keeper.is_signing else None
                if newest is not None and newest.number != done:
                    await self._ask(address, newest)
                    done = newest.number
            except WitnessRefused as refused:
                self._raise_alarm(address, str(refused))
                done = newest.number if newest else 0
            # A proof fails where tiles are made anew after a crash.
            except (Unavailable, OSError, ProofFailure) as silent:
                logger.warning("witness %s: %r", address.name, silent)
            with suppress(TimeoutError):
                async with asyncio.timeout(AGAIN):
                    await signed.wait()

    def _raise_alarm(self, address: WitnessAddress, why: str) -> None:
        self._refusals[address.name] += 1
        if self._refused.get(address.name) != why:
            logger.critical("witness %s does not sign: %s", address.name, why)
        self._refused[address.name] = why

    async def _ask(self, address: WitnessAddress, kept: KeptCheckpoint) -> None:
        origin, size = kept.checkpoint.origin, kept.checkpoint.size
        old = min(size, await self._checkpoints.known_to(address.key.vkey, origin))
        status, content = await self._post(address, kept, old)
        if status == HTTPStatus.CONFLICT:
            status, content = await self._post(address, kept, named_size(content, size))
        if status in REFUSALS or status == HTTPStatus.CONFLICT:
            raise WitnessRefused(REFUSALS.get(HTTPStatus(status), "it names one size after the other"))
        if status != HTTPStatus.OK:
            raise Unavailable(f"it answers {status}")
        await self._checkpoints.cosign(kept.number, address.key.vkey, line_of(address.key, kept.note, content))
        self._signed[address.name] = size
        if self._refused.pop(address.name, None):
            logger.warning("witness %s signs again", address.name)

    async def _post(self, address: WitnessAddress, kept: KeptCheckpoint, old: int) -> tuple[int, bytes]:
        import httpx  # noqa: PLC0415 - as above

        proof = await self._trees.proof("log", between(old, kept.checkpoint.size))
        own = Note(text=kept.note.text, signatures=of_log(kept))
        request = bytes(WitnessRequest(old=old, proof=tuple(proof), checkpoint=bytes(own)))
        if self._client is None:
            raise Unavailable("the service is not running")
        try:
            async with (
                asyncio.timeout(PATIENCE),
                self._client.stream("POST", f"{address.url}/add-checkpoint", content=request) as response,
            ):
                content = b""
                async for chunk in response.aiter_bytes():
                    content += chunk
                    if len(content) > LONGEST:
                        raise WitnessRefused("it answers too much")
                return response.status_code, content
        except (httpx.HTTPError, httpx.InvalidURL, TimeoutError) as silent:
            raise Unavailable(f"it does not answer: {silent!r}") from silent


def of_log(kept: KeptCheckpoint) -> tuple[Signature, ...]:
    """The signatures of the log alone: what other witnesses have signed is no witness's business."""
    return tuple(one for one in kept.note.signatures if one.name == kept.checkpoint.origin)


def named_size(content: bytes, size: int) -> int:
    """Where a witness says that the proof has to begin."""
    named = content.decode("ascii", "replace").removesuffix("\n")
    if not SIZE.fullmatch(named):
        raise WitnessRefused("it wants another proof, and does not say from where")
    if int(named) > size:
        raise WitnessRefused(
            f"it has signed {named} events of this log, and here are {size}: some were signed elsewhere"
        )
    return int(named)


def line_of(key: VerifierKey, note: Note, content: bytes) -> Signature:
    """The line of an answer that is of this key, if it holds."""
    try:
        lines = [Signature.parse(line) for line in content.decode().removesuffix("\n").split("\n")]
        (own,) = [line for line in lines if (line.name, line.id) == (key.name, key.id)]
        key.verify(note.text, own.value)
    except (ProofFailure, ValueError) as error:
        raise WitnessRefused(f"what it has answered is no signature of its key: {error}") from error
    return own
