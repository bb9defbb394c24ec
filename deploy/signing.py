"""The keys of the logs on this machine: where they lie, how they are called, how one takes over from another."""

import os
import secrets
from collections.abc import Mapping
from datetime import timedelta
from pathlib import Path

from msgspec.structs import replace

from deploy import SERVICES
from deploy.databases import RENAME_LOG, AdminConnection, at, connection
from deploy.databases import name as database_of
from deploy.local.errors import CannotRun
from shared import files
from shared.checkpoints.folder import SigningFolder, UnusableSigningFolder, new_key
from shared.clock import now
from shared.log.trees import Trees
from shared.messaging import subjects
from shared.proof.findings import ProofFailure
from shared.proof.notes import Checkpoint, Note
from shared.values import Value

DEPLOYMENT = "deployment"
TOGETHER = timedelta(days=30)  # in which an old key signs beside the new one

HEAD = "select incarnation::text as log, position, public from log.head"
LAST_HEARD = """
  select s.number, e.message from inbox.sources s
  left join inbox.events e on e.source = s.source and e.number = s.number and e.lost is null where s.source = $1
"""
SAID = "select message from log.log where public = $1"


def environment(folder: Path, service: str) -> dict[str, str]:
    """What a service of a local run has to be told, so that it signs its log."""
    told = {"ROUNDLOG_SIGNING": str(place(folder, service)), "ROUNDLOG_DEPLOYMENT": deployment(folder)}
    return {name: os.environ.get(name, value) for name, value in told.items()}


def place(folder: Path, service: str) -> Path:
    return folder / "signing" / service


def deployment(folder: Path) -> str:
    """A name that nobody else has. It is made once: another one would be another log."""
    path = folder / "signing" / DEPLOYMENT
    if not path.exists():
        path.parent.mkdir(mode=0o700, exist_ok=True)
        files.write(path, f"local-{secrets.token_hex(6)}\n")
    return path.read_text(encoding="utf-8").strip()


def vkeys(folder: Path) -> Mapping[str, list[str]]:
    """By service, as verifiers and witnesses are told them; none of a service that has signed nothing yet."""
    found = {service: own_keys(SigningFolder(place(folder, service))) for service in SERVICES}
    if not any(found.values()):
        raise CannotRun(
            f"Nothing is signed yet at {folder}: start it with `roundlog up`, or name its folder with --data."
        )
    return found


def own_keys(folder: SigningFolder) -> list[str]:
    try:
        last = folder.last()
        if last is None:
            return []
        origin = Checkpoint.parse(Note.parse(last).text).origin
        return [key.signer(origin).key.vkey for key in folder.signing_keys()]
    except (UnusableSigningFolder, ProofFailure, OSError) as unusable:
        raise CannotRun(f"{folder.path} cannot be read: {unusable}") from unusable


def rotate(folder: Path, service: str, *, at_once: bool) -> str:
    """A new key, which the service names in its log and signs with; the old ones beside it for a while, or no more."""
    signing = SigningFolder(place(folder, service))
    if not own_keys(signing):
        raise CannotRun(f"{service} has signed nothing yet: there is no key to replace.")
    until = now() if at_once else now() + TOGETHER
    old = [key if key.until and key.until < until else replace(key, until=until) for key in signing.signing_keys()]
    signing.keep_keys([*old, new_key()])
    return own_keys(signing)[-1]


class Heard(Value):
    """What a neighbour has heard of a log."""

    neighbour: str
    messages: int
    is_there: bool  # whether the log still says the last of them


class SignedLog(Value):
    """A log as it is now, against what was signed of it and what its neighbours have heard."""

    service: str
    log: str  # its name
    former: str  # the name under which it was signed last
    events: int
    messages: int
    signed: int  # events
    is_signed: bool  # whether these events are there as they were signed
    heard: tuple[Heard, ...]

    @property
    def has_all(self) -> bool:
        return self.is_signed and all(one.is_there for one in self.heard)

    @property
    def is_renamed(self) -> bool:
        return not self.former.endswith(f"/{self.log}")


def signed_last(folder: Path, service: str) -> Checkpoint:
    last = SigningFolder(place(folder, service)).last()
    if last is None:
        raise CannotRun(f"{service} has signed nothing yet: there is nothing that a restored log would contradict.")
    return Checkpoint.parse(Note.parse(last).text)


async def examine(folder: Path, service: str, server: str) -> SignedLog:
    """What of a log is still there, before somebody says that it was restored."""
    last = signed_last(folder, service)
    database = at(server, database=database_of(service))
    trees = Trees(database)
    async with connection(database) as admin, trees.running():
        (head,) = await admin.fetch(HEAD)
        grown = (await trees.head()).position
        is_signed = last.size <= grown and await trees.root("log", last.size) == last.root
        heard = [
            await heard_by(admin, at(server, database=database_of(neighbour)), service, neighbour)
            for neighbour in subjects.readers(service)
        ]
    return SignedLog(
        service=service,
        log=head["log"],
        former=last.origin,
        events=head["position"],
        messages=head["public"],
        signed=last.size,
        is_signed=is_signed,
        heard=tuple(heard),
    )


async def heard_by(log: AdminConnection, inbox: str, service: str, neighbour: str) -> Heard:
    async with connection(inbox) as reader:
        row = await reader.fetchrow(LAST_HEARD, service)
    number, message = (row["number"], row["message"]) if row else (0, None)
    is_there = number == 0 or (message is not None and message == await log.fetchval(SAID, number))
    return Heard(neighbour=neighbour, messages=number, is_there=is_there)


async def rename(found: SignedLog, server: str) -> str:
    """Give the log another name, unless it has one already. Answers the name."""
    if found.is_renamed:
        return found.log
    async with connection(at(server, database=database_of(found.service))) as admin:
        return str(await admin.fetchval(RENAME_LOG))


def say_restored(folder: Path, service: str, note: str) -> None:
    """To whoever signs the log."""
    SigningFolder(place(folder, service)).say_restored(note)


def is_waiting(folder: Path, service: str) -> bool:
    """Whether a log was said to be restored, and its service has not begun to sign it anew."""
    return SigningFolder(place(folder, service)).restored() is not None
