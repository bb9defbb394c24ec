"""What the campaign begins with: tournaments that were played, as they lie in the databases of four services, signed and witnessed.

Each database has a copy of itself in the schema `kept`, from which it is made good again behind every disturbance.
"""

import asyncio
import shutil
from collections.abc import AsyncGenerator, Iterable, Mapping, Sequence
from contextlib import AsyncExitStack, asynccontextmanager
from copy import deepcopy
from dataclasses import dataclass, field
from hashlib import sha256
from http import HTTPStatus
from itertools import count
from pathlib import Path
from uuid import UUID

import msgspec
from starlette.responses import Response

from deploy.databases import AdminConnection, at, connection
from deploy.signing import own_keys
from deploy.witness import Witness, WitnessFolder
from services.registration.domain.tournament import facts as tournament_facts
from services.registration.publish import of_tournament
from shared.access import grants
from shared.checkpoints.beside import BesideCheck
from shared.checkpoints.checkpoint_store import Checkpoints
from shared.checkpoints.folder import SigningFolder
from shared.commands.personal_facts import SaltedValue, commitment
from shared.log.contents import Contents, keep_within
from shared.log.envelope import MESSAGES
from shared.log.follower import PROGRESS as FOLLOWER_PROGRESS
from shared.log.postgres import PostgresStore
from shared.log.trees import Edges, Trees
from shared.lots import formula
from shared.lots import stream as lots
from shared.messaging.subjects import SOURCES
from shared.personal.notes import Notes
from shared.personal.openings import Openings
from shared.proof.continuity import signed_next
from shared.proof.keys import Signer
from shared.proof.notes import Checkpoint, Signature
from shared.proof.receipts import WitnessRequest
from shared.proof.tree import between
from shared.rulesets import catalogue
from tests.databases import OWN, ROLE, TEMPLATE, lent_url
from tests.provable import SERVICES, Logs, opaque, secret_of

DEPLOYMENT = "club.example"
WITNESS = "witness.example/campaign"
CHECKPOINTS = 4  # of each log
NEXT = opaque("the next tournament")
SOURCE, VALUE = "dice 10", "3 1 6 6 2 5 4 1 1 3"

LOG_COLUMNS = ("position", "stream", "version", "id", "type", "scope", "record", "public", "message")
INBOX_COLUMNS = ("source", "number", "scope", "type", "message", "state")
WORDS = ("The sheet was added up anew.", "Both sides have agreed.", "Somebody fell ill.")

PRINTS = """
  select format('select %L as name, coalesce(sum(hashtextextended(t::text, 0)::numeric), 0) as print from %s t', name, name)
  from unnest($1::text[]) name
"""

numbers = count(1)


@dataclass
class ServiceGround:
    """One service: its database, who administers it, the folder of its signer, and what of the service reads all that."""

    service: str
    url: str  # as its own role
    admin: AdminConnection
    signing: Path
    incarnation: UUID
    store: PostgresStore
    trees: Trees
    checkpoints: Checkpoints
    notes: Notes
    contents: Contents
    beside: BesideCheck
    tables: Sequence[str] = ()
    prints: str = ""
    as_it_was: Mapping[str, int] = field(default_factory=dict[str, int])

    @property
    def origin(self) -> str:
        return f"{DEPLOYMENT}/{self.service}/{self.incarnation}"

    @asynccontextmanager
    async def running(self) -> AsyncGenerator[None]:
        async with AsyncExitStack() as stack:
            for part in (self.store, self.trees, self.checkpoints, self.notes, self.contents, self.beside._database):
                await stack.enter_async_context(part.running())
            yield

    async def remember(self) -> None:
        rows = [row[0] for row in await self.admin.fetch(OWN)]
        self.tables = [name for name in rows if name != "public.migrations"]
        await self.admin.execute("create schema kept")
        for name in self.tables:
            await self.admin.execute(f"create table {copy_of(name)} as table {name}")
        parts = [row[0] for row in await self.admin.fetch(PRINTS, self.tables)]
        self.prints = " union all ".join(parts)
        self.as_it_was = await self._prints()

    async def changed(self) -> list[str]:
        now = await self._prints()
        return [name for name in self.tables if now[name] != self.as_it_was[name]]

    async def make_good(self) -> None:
        if names := await self.changed():
            if "proof.checkpoints" in names:
                names = [*names, "proof.cosignatures"]
            known = dict.fromkeys(names)
            filling = (f"insert into {name} overriding system value select * from {copy_of(name)}" for name in known)
            lines = ["set session_replication_role = replica", f"truncate {', '.join(known)}", *filling]
            await self.admin.execute(";".join([*lines, "set session_replication_role = origin"]))

    async def _prints(self) -> Mapping[str, int]:
        return {row["name"]: row["print"] for row in await self.admin.fetch(self.prints)}


@dataclass
class Ground:
    logs: Logs
    folder: Path
    services: Mapping[str, ServiceGround]
    witness: Witness
    policy: bytes
    asked: set[str] = field(default_factory=set[str])  # receivers, which write down that they have stopped

    async def make_good(self, services: Iterable[str]) -> None:
        for service in {*services, *self.asked}:
            await self.services[service].make_good()
        self.asked.clear()

    def signing_copy(self, service: str) -> Path:
        """What a signer writes down is not believed by the next one."""
        place = self.folder / "copies" / service
        shutil.rmtree(place, ignore_errors=True)
        shutil.copytree(self.services[service].signing, place)
        return place


def copy_of(table: str) -> str:
    return f"kept.{table.replace('.', '_')}"


@asynccontextmanager
async def ground(server: str, folder: Path, logs: Logs) -> AsyncGenerator[Ground]:
    """`server` has a template of databases (`tests/databases.py`)."""
    made: dict[str, ServiceGround] = {}
    logs = with_lots_to_come(logs)
    async with AsyncExitStack() as stack:
        for service in SERVICES:
            one = made[service] = await stack.enter_async_context(laid_out(server, folder, service))
            await stack.enter_async_context(one.running())
        for one in made.values():
            await filled(one, logs, {name: other.incarnation for name, other in made.items()})
        kept = WitnessFolder(folder / "witness")
        signer = kept.open_up(WITNESS, [])
        witness = Witness(kept, signer)
        for one in made.values():
            await signed(one, kept, witness, signer)
            await one.remember()
        vkeys = [vkey for one in made.values() for vkey in own_keys(SigningFolder(one.signing))]
        lines = [*(f"log {vkey}" for vkey in vkeys), f"witness w {signer.key.vkey}", "quorum w"]
        policy = "".join(f"{line}\n" for line in lines).encode()
        yield Ground(logs=logs, folder=folder, services=made, witness=witness, policy=policy)


def with_lots_to_come(logs: Logs) -> Logs:
    """Besides, there is another tournament whose lots are opened, and nobody has drawn any yet."""
    anew = deepcopy(logs)
    announced = tournament_facts.TournamentAnnounced(
        tournament=NEXT,
        federation=logs.federation,
        name="Cup of December",
        ruleset_id="gomoku-cfp",
        ruleset=msgspec.Raw(catalogue.load("gomoku-cfp").model_dump_json().encode()),
        time_zone="Europe/Bratislava",
        starts_on="2026-12-12",
        first_round="09:00",
        entries_close=None,
        lot_source=SOURCE,
    )
    fixed = formula.commitment(secret_of("pairing"), service="pairing", tournament=NEXT, source=SOURCE)
    committed = lots.LotSeedCommitted(tournament=NEXT, commitment=fixed, source=SOURCE)
    lots_opened = tournament_facts.LotsOpened(
        tournament=NEXT, source=SOURCE, value=VALUE, commitments={"pairing": fixed}
    )
    for service, kind, event, told in (
        ("registration", "tournament", announced, of_tournament(announced)),
        ("pairing", "lots", committed, lots.told(committed)),
        ("registration", "tournament", lots_opened, of_tournament(lots_opened)),
    ):
        anew.write(service, kind, NEXT, event, told, scope=NEXT)
    return anew


@asynccontextmanager
async def laid_out(server: str, folder: Path, service: str) -> AsyncGenerator[ServiceGround]:
    name = f"tampering_{next(numbers)}_{service}"
    async with connection(server) as admin:
        await admin.execute(f"create database {name} template {TEMPLATE}")
    url = lent_url(server, name)
    async with connection(at(server, database=name)) as own:
        incarnation = await own.fetchval("update log.head set incarnation = gen_random_uuid() returning incarnation")
        yield ServiceGround(
            service=service,
            url=url,
            admin=own,
            signing=folder / "signing" / service,
            incarnation=incarnation,
            store=PostgresStore(url),
            trees=Trees(url),
            checkpoints=Checkpoints(url),
            notes=Notes(url),
            contents=Contents(url),
            beside=BesideCheck(url, service=service),
        )


async def filled(one: ServiceGround, logs: Logs, incarnations: Mapping[str, UUID]) -> None:
    """As the service itself would have written it."""
    own = logs.logs[one.service]
    async with one.admin.transaction():
        await one.admin.copy_records_to_table("log", schema_name="log", records=own.rows(), columns=LOG_COLUMNS)
        head = len(own.events), own.said
        await one.admin.execute("update log.head set position = $1, public = $2", *head)
        for source in SOURCES[one.service]:
            said = logs.logs[source]
            rows = heard(source, said.messages)
            await one.admin.copy_records_to_table("events", schema_name="inbox", records=rows, columns=INBOX_COLUMNS)
            await one.admin.execute(
                "insert into inbox.sources (source, incarnation, number) values ($1, $2, $3)",
                source,
                incarnations[source],
                said.said,
            )
        await grants.apply(one.admin, logs.logs["registration"].messages)
        if one.service == "registration":
            await one.admin.execute(FOLLOWER_PROGRESS)
            await one.admin.execute(f"grant select on views.progress to {ROLE}")
            await one.admin.execute("insert into views.progress values ('registration', 1, $1)", len(own.events))
        if one.service == "pairing":
            for tournament in (logs.tournament, NEXT):
                await one.admin.execute("insert into beside.seeds values ($1, $2)", tournament, secret_of("pairing"))
        if one.service == "standings":
            for content in logs.tables.values():
                await keep_within(one.admin, content)
    await lay_beside(one, logs)


def heard(source: str, messages: Iterable[bytes]) -> list[tuple[object, ...]]:
    told = [(message, MESSAGES.decode(message)) for message in messages]
    return [
        (source, number, one.scope, one.type, message, "done") for number, (message, one) in enumerate(told, start=1)
    ]


async def lay_beside(one: ServiceGround, logs: Logs) -> None:
    """What people have written, and what is personal."""
    for words in WORDS:
        async with one.notes.kept(logs.tournament, words, None):
            pass
    openings = Openings(one.url)
    async with openings.running():
        for number, words in enumerate(WORDS):
            salt, value = sha256(words.encode()).digest(), b'"%d"' % number
            said = SaltedValue(
                commitment=commitment(salt, value),
                scope=logs.tournament,
                about=("somebody",),
                salt=salt,
                value=value,
            )
            await openings.keep([said])


async def signed(one: ServiceGround, folder: WitnessFolder, witness: Witness, signer: Signer) -> None:
    """Again and again while it grew, each time by the witness as well."""
    store, trees, signing = one.store, one.trees, SigningFolder(one.signing)
    async with signing.held():
        (key,) = signing.signing_keys()
        folder.open_up(None, [key.signer(one.origin).key.vkey])
        edges, last = Edges(), None
        size = (await store.head()).position
        for number in range(1, CHECKPOINTS + 1):
            until = size * number // CHECKPOINTS
            while edges.log.size < until:
                page = await store.read(after=edges.log.size, limit=min(500, until - edges.log.size))
                leaves = edges.leaves(page)
                grown, changed = edges.grown_by(leaves)
                await trees.grow(edges.head, grown.head, changed)
                signing.add_leaves(edges.log.size, b"".join(leaf for leaf, _ in leaves))
                edges = grown
            new = Checkpoint(origin=one.origin, size=until, root=edges.log.root)
            old = last.size if last else 0
            proof = await trees.proof("log", between(old, until))
            note = signed_next(last, new, proof=proof, signers=[key.signer(one.origin)])
            signing.sign(bytes(note))
            kept = await one.checkpoints.keep(new, note)
            request = WitnessRequest(old=old, proof=tuple(proof), checkpoint=bytes(note))
            answer = await asyncio.to_thread(witness.add_checkpoint, bytes(request))
            await one.checkpoints.cosign(kept, signer.key.vkey, Signature.parse(line_of(answer)))
            last = new


def line_of(answer: Response) -> str:
    assert answer.status_code == HTTPStatus.OK, bytes(answer.body)
    return bytes(answer.body).decode().removesuffix("\n")
