"""What a service proves to whoever asks: foreign code walks its tiles, and checks its notes, receipts and continuity."""

import asyncio
from collections.abc import AsyncGenerator
from contextlib import AbstractAsyncContextManager
from http import HTTPStatus
from pathlib import Path

import aics_tlog as foreign
import msgspec
import pytest

from deploy.signing import own_keys
from shared.checkpoints.folder import SigningFolder
from shared.proof.keys import VerifierKey
from shared.proof.leaves import entry
from shared.proof.notes import Checkpoint, Note, open_checkpoint
from shared.proof.receipts import Receipt, WitnessRequest
from shared.proof.tiles import tile_path
from shared.proof.tree import leaf_hash, verify_consistency
from shared.values import Value
from tests.api.asking import Client, founded, problem, service
from tests.databases import lent
from tests.foreign.golang import asked
from tests.patience import AT_ONCE, PATIENCE
from tests.proofs import all_tiles

CHECKPOINT = "/v1/proof/checkpoint"


class LoggedHalves(Value):
    record: msgspec.Raw
    message: msgspec.Raw  # or null


class SignedService:
    def __init__(self, client: Client, folder: Path) -> None:
        self.client = client
        self.folder = folder

    @property
    def vkeys(self) -> list[str]:
        return own_keys(SigningFolder(self.folder))

    async def checkpoint(self, size: int = 0) -> bytes:
        """As soon as it has so many events."""
        async with asyncio.timeout(PATIENCE):
            while True:
                answer = await self.client.get(CHECKPOINT)
                if (
                    answer.status_code == HTTPStatus.OK
                    and Checkpoint.parse(Note.parse(answer.content).text).size >= size
                ):
                    return answer.content
                await asyncio.sleep(0.01)

    async def entries(self) -> list[bytes]:
        """Of the records as auditors get them, and what was said of them."""
        lines = (await self.client.get("/v1/log")).content.splitlines()[1:]
        found = [msgspec.json.decode(line, type=LoggedHalves) for line in lines]
        return [entry(bytes(one.record), None if one.message == b"null" else bytes(one.message)) for one in found]


def signing(database: str, folder: Path) -> AbstractAsyncContextManager[Client]:
    return service(database, signing=str(folder), deployment="club.example")


@pytest.fixture(scope="module")
async def signed(server: str, tmp_path_factory: pytest.TempPathFactory) -> AsyncGenerator[SignedService]:
    """Registration, with more events than a tile has, and all of them signed."""
    folder = tmp_path_factory.mktemp("signing")
    async with lent(server) as (database,):
        async with signing(database, folder) as client:
            await asyncio.gather(*(founded(client, f"Association {nr}") for nr in range(300)))
        async with signing(database, folder) as client:  # which signs at once what has grown meanwhile
            found = SignedService(client, folder)
            await found.checkpoint(300)
            yield found


async def test_a_checkpoint_is_open_to_all_and_go_opens_it(signed: SignedService) -> None:
    content = await signed.checkpoint()
    keys = [VerifierKey.parse(vkey) for vkey in signed.vkeys]
    found = open_checkpoint(content, keys).checkpoint
    assert found.origin.startswith("club.example/registration/")
    answer = await signed.client.get(CHECKPOINT, params={"size": found.size}, headers={"Authorization": ""})
    assert (answer.content, answer.headers["Content-Type"]) == (content, "text/plain; charset=utf-8")
    text, _, _ = content.decode().rpartition("\n\n")
    assert asked([("note", content, [keys[0].vkey.encode()])]) == [f"1 {f'{text}\n'.encode().hex()}"]
    assert foreign.parse_checkpoint(f"{text}\n").size == found.size
    problem(await signed.client.get(CHECKPOINT, params={"size": 299}), HTTPStatus.NOT_FOUND, "checkpoint-unknown")


async def test_foreign_code_walks_the_tiles_and_finds_every_record_under_the_root(signed: SignedService) -> None:
    found = Checkpoint.parse(Note.parse(await signed.checkpoint()).text)
    paths = [tile_path(*tile) for tile in all_tiles(found.size)]
    paths += [tile_path("entries", number, width) for level, number, width in all_tiles(found.size) if level == 0]
    served = {path: await signed.client.get(f"/v1/proof/{path}", headers={"Authorization": ""}) for path in paths}
    assert {answer.status_code for answer in served.values()} == {HTTPStatus.OK}
    assert {answer.headers["Cache-Control"] for answer in served.values()} == {"public, max-age=31536000, immutable"}
    reader = foreign.MemoryTileReader({path: answer.content for path, answer in served.items()})
    foreign.audit_tiles(reader, found.size, found.root)
    assert foreign.MerkleTree((await signed.entries())[: found.size]).root() == found.root


async def test_a_receipt_is_checked_without_asking_anybody(signed: SignedService) -> None:
    keys = [VerifierKey.parse(vkey) for vkey in signed.vkeys]
    entries = await signed.entries()
    for position in (1, 2, 256, 257, 300):
        answer = await signed.client.get(f"/v1/proof/receipt/{position}", headers={"Authorization": ""})
        receipt = Receipt.parse(answer.content)
        assert receipt.index == position - 1
        receipt.verify(leaf_hash(entries[position - 1]), keys)
        size, root = (said := Checkpoint.parse(Note.parse(receipt.checkpoint).text)).size, said.root
        leaf = leaf_hash(entries[position - 1])
        assert foreign.verify_inclusion(leaf, position - 1, size, list(receipt.proof), root)
    size = len(entries)
    problem(await signed.client.get(f"/v1/proof/receipt/{size + 1000}"), HTTPStatus.NOT_FOUND, "position-unknown")
    problem(await signed.client.get("/v1/proof/receipt/0"), HTTPStatus.UNPROCESSABLE_ENTITY, "malformed")


async def test_any_older_size_is_shown_to_be_continued(signed: SignedService) -> None:
    entries = await signed.entries()
    for old in (0, 1, 255, 256, 299):
        answer = await signed.client.get(f"/v1/proof/consistency/{old}", headers={"Authorization": ""})
        found = WitnessRequest.parse(answer.content)
        said = Checkpoint.parse(Note.parse(found.checkpoint).text)
        old_root = foreign.MerkleTree(entries[:old]).root()
        verify_consistency(old=old, old_root=old_root, size=said.size, root=said.root, proof=found.proof)
    problem(await signed.client.get("/v1/proof/consistency/9999"), HTTPStatus.NOT_FOUND, "position-unknown")


@pytest.mark.parametrize(
    "path", ["0/000.p/257", "0/999", "7/000", "entries/999", "0/0", "0/000.p/0", "x", "0/000/", "-1/000"]
)
async def test_a_tile_that_is_not_there_is_not_made_up(path: str, signed: SignedService) -> None:
    problem(await signed.client.get(f"/v1/proof/tile/{path}"), HTTPStatus.NOT_FOUND, "tile-unknown")


async def test_what_is_not_signed_yet_is_said_with_when_to_come_back(signed: SignedService, client: Client) -> None:
    """A log that nobody signs has no checkpoint; one that is signed each minute has it later."""
    problem(await client.get(CHECKPOINT), HTTPStatus.NOT_FOUND, "checkpoint-unknown")
    problem(await client.get("/v1/proof/receipt/1"), HTTPStatus.NOT_FOUND, "checkpoint-unknown")
    for _ in range(2):  # once more where its minute has ended in between
        size = Checkpoint.parse(Note.parse(await signed.checkpoint()).text).size
        await founded(signed.client, "The newest")
        answer = await signed.client.get(f"/v1/proof/receipt/{size + 1}", extensions=AT_ONCE)
        if answer.status_code != HTTPStatus.OK:
            break
    problem(answer, HTTPStatus.SERVICE_UNAVAILABLE, "unavailable")
    assert int(answer.headers["Retry-After"]) >= 60
