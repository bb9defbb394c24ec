"""Who looks for what was done: what `/readyz` of a service asks, both verifiers of an export, and a witness."""

import asyncio
import io
import time
import zipfile
from collections.abc import AsyncGenerator, AsyncIterator, Awaitable, Callable, Iterable, Sequence
from contextlib import redirect_stdout
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, cast, override

import httpx
import msgspec

from deploy.bundles.export import join
from deploy.bundles.verification import verified
from shared.bundle.container import BundleWriter, opened
from shared.bundle.part import PROGRAM, BundleParts, NothingHere
from shared.bundle.report import HOLDS, REFUTED, BundleFinding
from shared.checkpoints.folder import SigningFolder
from shared.checkpoints.keeper import CheckpointKeeper
from shared.checkpoints.stream import SIGNED_LOG
from shared.clock import now
from shared.commands.decider import untold
from shared.commands.handler import Handler
from shared.ids import new_id
from shared.log.trees import TreeDiffers, TreeFollower
from shared.messaging.broker import Broker
from shared.messaging.inbox import Receiver, SourceChanged
from shared.messaging.relay import Relay
from shared.messaging.subjects import SOURCES, ReplayRequest
from shared.proof.findings import Malformed
from shared.refusals import Unavailable
from shared.service import ABOVE, LINKING
from tests.integration.serving import serving
from tests.patience import PATIENCE
from tests.provable import SERVICES, alone
from tests.tampering.ground import DEPLOYMENT, Ground, ServiceGround

if TYPE_CHECKING:
    from shared.log.postgres import Pool
    from shared.messaging.reactions import Reactions

UNREADABLE = 2
WAITS_FOR_THE_OTHER = 1.0  # seconds: where the trees go on no more, the keeper may have more to say


# What `/readyz` says


async def readiness(ground: Ground, services: Iterable[str]) -> AsyncGenerator[str]:
    """Of these services, each with the inboxes that it has or is heard in; whatever is found first comes first."""
    touched = list(services)
    for service in touched:
        async for said in self_check(ground, service):
            yield said
    for reader in SERVICES:
        for source in SOURCES[reader]:
            if (reader in touched or source in touched) and (heard := await held_against(ground, reader, source)):
                yield heard


async def self_check(ground: Ground, service: str) -> AsyncGenerator[str]:
    one = ground.services[service]
    following = TreeFollower(trees=one.trees, store=one.store, database=one.url)
    keeper = CheckpointKeeper(
        service=service,
        deployment=DEPLOYMENT,
        folder=SigningFolder(ground.signing_copy(service)),
        store=one.store,
        trees=one.trees,
        follower=following,
        checkpoints=one.checkpoints,
        history=Handler(decider=SIGNED_LOG, publish=untold, store=one.store, now=now, new_id=new_id, service=service),
        notes=one.notes,
        now=now,
    )
    async with following.running(), keeper.running():
        stumbled = 0.0
        while not keeper.is_signing:
            if (said := await wrong(keeper.check)) is not None:
                yield said
                break
            if (said := await wrong(following.check)) is not None:
                stumbled = stumbled or time.monotonic()
                if time.monotonic() > stumbled + WAITS_FOR_THE_OTHER:
                    yield said
                    break
            await asyncio.sleep(0.002)
    if (found := await one.beside.difference()) is not None:
        yield found


async def wrong(check: Callable[[], Awaitable[object]]) -> str | None:
    try:
        await check()
    except Unavailable as unavailable:
        return str(unavailable)
    return None


class DirectBroker(Broker):
    """What a neighbour answers when it is asked, without a server between."""

    def __init__(self, relay: Relay) -> None:
        super().__init__("", name="direct")
        self._relay = relay

    @override
    async def ask(self, subject: str, body: bytes) -> bytes:
        wanted = msgspec.json.decode(body, type=ReplayRequest)
        return msgspec.msgpack.encode(await self._relay._replay(wanted))


async def held_against(ground: Ground, reader: str, source: str) -> str | None:
    """What a receiver says of its neighbour and of its own inbox when it begins."""
    speaking, listening = ground.services[source], ground.services[reader]
    ground.asked.add(reader)
    unused = Broker("", name="unused")
    relay = Relay(service=source, store=speaking.store, broker=unused, trees=speaking.trees, database=speaking.url)
    receiver = Receiver(
        service=reader,
        source=source,
        database=listening.url,
        broker=DirectBroker(relay),
        reactions=cast("Reactions", None),
    )
    inbox = cast("Pool", listening.admin)
    try:
        cursor = await receiver._load(inbox)
        await receiver._recognise(inbox)
        head = await relay._tree_head()
        if cursor and head and not await receiver._tree.agrees(inbox, cursor.log, head):
            return await receiver._difference(inbox, head)
    except (SourceChanged, Unavailable) as stopped:
        return str(stopped)
    return None


async def served(ground: Ground, service: str, is_said: Callable[[str], bool]) -> str:
    """What `/readyz` of the service itself says, as a process of its own, as soon as that is said; there is no broker."""
    one = ground.services[service]
    async with serving(
        one.url, service=service, signing=str(ground.signing_copy(service)), deployment=DEPLOYMENT
    ) as process:
        until, said = time.monotonic() + PATIENCE, ""
        while time.monotonic() < until and not is_said(said):
            await asyncio.sleep(0.2)
            checks = (await asyncio.to_thread(httpx.get, f"{process.url}/readyz")).json()["checks"]
            said = "; ".join(checks[name] for name in ("checkpoints", "trees", "beside"))
    return said


# What is exported, and what both verifiers say


@dataclass(frozen=True)
class Verdicts:
    ours: int
    theirs: int
    findings: Sequence[BundleFinding]
    text: str  # what the one file has said

    @property
    def refuted(self) -> list[str]:
        return [str(one) for one in self.findings if one.verdict == "refuted"]

    @property
    def is_refuted_by_ours(self) -> bool:
        return self.ours in (REFUTED, UNREADABLE)

    @property
    def is_found(self) -> bool:
        return HOLDS not in (self.ours, self.theirs)


async def exported(ground: Ground, path: Path) -> None:
    """As `roundlog export` joins the parts of the services."""
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        writer = BundleWriter(archive, tournament=ground.logs.tournament, program=PROGRAM)
        for service, one in ground.services.items():
            try:
                content = b"".join([piece async for piece in part(one, service, ground)])
            except NothingHere:
                continue
            (place := path.with_suffix(f".{service}")).write_bytes(content)
            with opened(place) as found:
                join(writer, found, lambda _: None)
        writer.finish()


async def part(one: ServiceGround, service: str, ground: Ground) -> AsyncIterator[bytes]:
    parts = BundleParts(
        service=service,
        store=one.store,
        trees=one.trees,
        checkpoints=one.checkpoints,
        contents=one.contents if service == "standings" else None,
        also=ABOVE.get(service, frozenset()),
        linking=LINKING if service == "registration" else frozenset(),
    )
    kept = await parts.checkpoint(ground.logs.tournament, ground.logs.federation)
    async for piece in parts.pieces(ground.logs.tournament, ground.logs.federation, kept):
        yield piece


def verdicts(bundle: Path, policy: Path) -> Verdicts:
    findings: Sequence[BundleFinding] = ()
    try:
        report = verified(bundle, policy, lambda _: None).report
        ours, findings = report.exit_status, report.findings
    except Malformed:
        ours = UNREADABLE
    with redirect_stdout(io.StringIO()) as said:
        theirs: int = alone().main([str(bundle), "--trust", str(policy)])
    return Verdicts(ours, theirs, findings, said.getvalue())


async def verified_export(ground: Ground, trust: bytes | None = None) -> Verdicts | str:
    """Or why nothing can be exported."""
    bundle, policy = ground.folder / "bundle.zip", ground.folder / "policy"
    policy.write_bytes(trust or ground.policy)
    try:
        await exported(ground, bundle)
    except (Malformed, TreeDiffers, Unavailable, msgspec.DecodeError) as refused:
        return repr(refused)
    return verdicts(bundle, policy)
