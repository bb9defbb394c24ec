"""The keys of the logs on this machine: where they lie, how they are called, how one takes over from another."""

import os
import secrets
from collections.abc import Mapping
from datetime import timedelta
from pathlib import Path

from msgspec.structs import replace

from deploy import SERVICES
from deploy.databases import RENAME_LOG, at, connection
from deploy.databases import name as database_of
from deploy.local.errors import CannotRun
from shared import files
from shared.checkpoints.folder import SigningFolder, UnusableSigningFolder, new_key
from shared.clock import now
from shared.proof.findings import ProofFailure
from shared.proof.notes import Checkpoint, Note

DEPLOYMENT = "deployment"
TOGETHER = timedelta(days=30)  # in which an old key signs beside the new one

INCARNATION = "select incarnation::text from log.head"


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


async def restored(folder: Path, service: str, server: str, *, note: str) -> str:
    """Give the log another name, unless it has one already, and say why to whoever signs it. Answers the name."""
    signing = SigningFolder(place(folder, service))
    last = signing.last()
    if last is None:
        raise CannotRun(f"{service} has signed nothing yet: there is nothing that a restored log would contradict.")
    former = Checkpoint.parse(Note.parse(last).text).origin
    async with connection(at(server, database=database_of(service))) as admin:
        incarnation = await admin.fetchval(INCARNATION)
        if former.endswith(f"/{incarnation}"):
            incarnation = str(await admin.fetchval(RENAME_LOG))
    signing.say_restored(note)
    return incarnation
