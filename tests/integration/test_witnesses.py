"""Witnesses of a log: a foreign one signs what ours sends, ours signs what foreign code sends, and each says no to a history
that was made anew; who is silent delays nothing, and who refuses raises an alarm."""

import asyncio
import socket
import stat
import subprocess
import sys
import threading
from collections.abc import AsyncGenerator, Generator, Iterable, Iterator
from contextlib import AsyncExitStack, asynccontextmanager, closing, contextmanager
from hashlib import sha256
from http import HTTPStatus
from pathlib import Path
from typing import override

import aics_tlog as foreign
import pytest
from aics_witness import LogConfig, WitnessClient, WitnessStore, make_server
from aics_witness import Witness as ForeignWitness
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from deploy.databases import at, connection
from deploy.local.errors import CannotRun
from deploy.signing import own_keys
from deploy.witness import Witness, WitnessFolder
from shared.checkpoints import witnesses as asking
from shared.checkpoints.checkpoint_store import KeptCheckpoint
from shared.checkpoints.folder import SigningFolder
from shared.checkpoints.witnesses import WitnessAddress, Witnesses, WitnessesUnreadable, read_addresses
from shared.log.trees import TreeName, Trees
from shared.proof.findings import Malformed
from shared.proof.keys import KeyKind, Signer, VerifierKey
from shared.proof.notes import Checkpoint, Note, open_checkpoint
from shared.proof.receipts import WitnessRequest
from shared.proof.tiles import edge_at, nodes
from shared.proof.tree import Span, between, leaf_hash
from tests.patience import PATIENCE
from tests.proofs import StoredTree, leaves, stored
from tests.signed_logs import Copy, copy, hurry, many

LOG = Signer(name="club.example/results/1", kind=KeyKind.LOG, seed=bytes(range(32)))
SIZE = 3000


@pytest.fixture(autouse=True)
def quick(monkeypatch: pytest.MonkeyPatch) -> None:
    hurry(monkeypatch)
    monkeypatch.setattr(asking, "AGAIN", 0.05)


def free_port() -> int:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        return taken.getsockname()[1]


@contextmanager
def foreign_witness(folder: Path, *vkeys: str) -> Generator[WitnessAddress]:
    """Over HTTP, as `aics-witness serve` runs it."""
    with WitnessStore(folder / "witness.db", create=not (folder / "witness.db").exists()) as store:
        key = Ed25519PrivateKey.from_private_bytes(sha256(b"witness").digest())
        logs = [LogConfig.from_strings(VerifierKey.parse(vkey).name, [vkey]) for vkey in vkeys]
        witness = ForeignWitness("witness.example/1", key, store, logs)
        server = make_server(witness)
        serving = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01})
        serving.start()
        try:
            yield WitnessAddress(key=VerifierKey.parse(witness.vkey_text), url=server.url.rstrip("/"))
        finally:
            server.shutdown()
            serving.join()
            server.server_close()


@asynccontextmanager
async def witnessed(one: Copy, *addresses: WitnessAddress) -> AsyncGenerator[Witnesses]:
    found = Witnesses(addresses, keeper=one.keeper, checkpoints=one.checkpoints, trees=one.trees)
    async with found.running():
        yield found


async def cosigned(one: Copy, size: int, *addresses: WitnessAddress) -> KeptCheckpoint:
    """The newest checkpoint of so many events, as soon as all of these have signed it."""
    async with asyncio.timeout(PATIENCE):
        while True:
            found = await one.checkpoints.newest()
            names = {line.name for line in found.note.signatures} if found else set[str]()
            if found and found.checkpoint.size >= size and {address.name for address in addresses} <= names:
                return found
            await asyncio.sleep(0.01)


async def alarm(found: Witnesses) -> str:
    async with asyncio.timeout(PATIENCE):
        while not found.alarms:
            await asyncio.sleep(0.01)
    return " ".join(found.alarms.values())


def vkeys(place: Path) -> list[str]:
    return own_keys(SigningFolder(place))


async def test_a_foreign_witness_signs_what_we_send_and_all_of_it_is_kept(database: str, tmp_path: Path) -> None:
    place = tmp_path / "signing"
    async with copy(database, place) as one:
        await one.covering(0)
        with foreign_witness(tmp_path, *vkeys(place)) as address:
            async with witnessed(one, address) as found:
                for nr in range(3):
                    await one.store.append(many(f"s{nr}", 100))
                    await cosigned(one, 100 * (nr + 1), address)
                assert (found.alarms, found.numbers) == ({}, [(address.name, 300, 0)])
                content = bytes((await cosigned(one, 300, address)).note)
        keys = [VerifierKey.parse(vkey) for vkey in vkeys(place)]
        assert list(open_checkpoint(content, [*keys, address.key]).witnesses) == [address.key.public]
        theirs = foreign.verify_checkpoint(
            foreign.parse_note(content), foreign.parse_vkey(keys[0].vkey), [foreign.parse_vkey(address.key.vkey)], 1
        )
        assert (theirs.ok, theirs.size) == (True, 300)


async def test_a_witness_that_knows_more_than_we_have_kept_is_asked_once_from_there(
    database: str, server: str, tmp_path: Path
) -> None:
    place = tmp_path / "signing"
    async with copy(database, place) as one:
        await one.store.append(many("a", 100))
        await one.covering(100)
        with foreign_witness(tmp_path, *vkeys(place)) as address:
            async with witnessed(one, address):
                await cosigned(one, 100, address)
            async with connection(at(server, database=database.rpartition("/")[2])) as admin:
                await admin.execute("delete from proof.cosignatures")
            await one.store.append(many("b", 100))
            await one.covering(200)
            async with witnessed(one, address) as found:
                await cosigned(one, 200, address)
                assert found.alarms == {}


async def test_who_is_silent_delays_nothing_and_who_does_not_know_the_log_raises_an_alarm(
    database: str, tmp_path: Path
) -> None:
    place = tmp_path / "signing"
    async with copy(database, place) as one:
        await one.store.append(many("a", 100))
        await one.covering(100)
        key = Signer(name="silent.example", kind=KeyKind.WITNESS, seed=bytes(32)).key
        silent = WitnessAddress(key=key, url=f"http://127.0.0.1:{free_port()}")
        with foreign_witness(tmp_path, LOG.key.vkey) as stranger:
            async with witnessed(one, silent, stranger) as found:
                assert await alarm(found) == "it does not know this log"
                await one.store.append(many("b", 100))
                await one.covering(200)
                assert list(found.alarms) == [f"witness {stranger.name}"]
                assert {name: refusals > 0 for name, _, refusals in found.numbers} == {
                    silent.name: False,
                    stranger.name: True,
                }


class LostTiles(Trees):
    """As after a crash that has taken the end of a tree away: it is made anew from the log in a moment."""

    lost = True

    @override
    async def proof(self, tree: TreeName, spans: Iterable[Span]) -> list[bytes]:
        if self.lost:
            raise Malformed("tile/0/000 has no 100 hashes")
        return await super().proof(tree, spans)


@pytest.mark.parametrize("gone", ["tiles", "note"])
async def test_a_witness_is_asked_again_when_what_it_is_to_sign_can_be_read_again(
    gone: str, database: str, server: str, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    place = tmp_path / "signing"
    async with AsyncExitStack() as stack:
        one = await stack.enter_async_context(copy(database, place))
        await one.store.append(many("a", 100))
        signed = await one.covering(100)
        address = stack.enter_context(foreign_witness(tmp_path, *vkeys(place)))
        admin = await stack.enter_async_context(connection(at(server, database=database.rpartition("/")[2])))
        trees = LostTiles(database)
        await stack.enter_async_context(trees.running())
        if gone == "note":
            await admin.execute("update proof.checkpoints set note = 'spoiled' where number = $1", signed.number)
        trees.lost = gone == "tiles"
        found = Witnesses([address], keeper=one.keeper, checkpoints=one.checkpoints, trees=trees)
        await stack.enter_async_context(found.running())
        async with asyncio.timeout(PATIENCE):
            while f"witness {address.name}" not in caplog.text:
                await asyncio.sleep(0.01)
        trees.lost = False
        own = bytes(Note(text=signed.note.text, signatures=signed.note.signatures[:1]))
        await admin.execute("update proof.checkpoints set note = $2 where number = $1", signed.number, own)
        await cosigned(one, 100, address)
        assert found.alarms == {}


async def test_a_witness_that_has_signed_another_history_raises_an_alarm(
    databases: tuple[str, str], server: str, tmp_path: Path
) -> None:
    """The same key signs two logs of one name: no database knows of it, and only who remembers can tell."""
    place = tmp_path / "signing"
    async with copy(databases[0], place) as one:
        await one.store.append(many("a", 100))
        await one.covering(100)
        incarnation = await one.store.incarnation()
        with foreign_witness(tmp_path, *vkeys(place)) as address:
            async with witnessed(one, address):
                await cosigned(one, 100, address)
            other_place = tmp_path / "other"
            other_place.mkdir()
            (other_place / "keys").write_bytes((place / "keys").read_bytes())
            async with connection(at(server, database=databases[1].rpartition("/")[2])) as admin:
                await admin.execute("update log.head set incarnation = $1", incarnation)
            async with copy(databases[1], other_place) as other:
                await other.store.append(many("b", 50))
                async with witnessed(other, address) as found:
                    assert "some were signed elsewhere" in await alarm(found)
                    await other.store.append(many("c", 100))
                    async with asyncio.timeout(PATIENCE):
                        while "two histories" not in await alarm(found):
                            await asyncio.sleep(0.01)


def test_a_file_of_witnesses_is_a_policy(tmp_path: Path) -> None:
    vkey = Signer(name="silent.example", kind=KeyKind.WITNESS, seed=bytes(32)).key.vkey
    policy = tmp_path / "policy"
    policy.write_text(
        f"log {LOG.key.vkey}\nwitness one {vkey} https://silent.example/w/\nwitness two {vkey}\nquorum one\n"
    )
    (found,) = read_addresses(policy)
    assert (found.name, found.url) == ("silent.example", "https://silent.example/w")
    for wrong in (
        f"witness one {vkey} ftp://x\n",
        f"witness one {LOG.key.vkey} http://x\n",
        "witness one x http://x\n",
    ):
        policy.write_text(wrong)
        with pytest.raises(WitnessesUnreadable):
            read_addresses(policy)


# Ours


@pytest.fixture
def folder(tmp_path: Path) -> WitnessFolder:
    return WitnessFolder(tmp_path / "witness")


@pytest.fixture
def witness(folder: WitnessFolder) -> Witness:
    return Witness(folder, folder.open_up("club.example/witness", [LOG.key.vkey]))


def asked_of(old: int, size: int, tree: StoredTree | None = None) -> bytes:
    tiles = (tree or stored(SIZE)).tiles
    text = Checkpoint(origin=LOG.key.name, size=size, root=edge_at(size, tiles).root).text
    note = bytes(Note(text=text, signatures=()).signed_by(LOG))
    return bytes(WitnessRequest(old=old, proof=tuple(nodes(between(old, size), tiles)), checkpoint=note))


def test_our_witness_signs_what_continues_and_remembers_it_over_a_restart(
    witness: Witness, folder: WitnessFolder
) -> None:
    for old, size in ((0, 0), (0, 260), (260, 260), (260, 2000)):
        answer = witness.add_checkpoint(asked_of(old, size))
        assert answer.status_code == HTTPStatus.OK
        key = folder.open_up(None, []).key
        content = WitnessRequest.parse(asked_of(old, size)).checkpoint + bytes(answer.body)
        assert list(open_checkpoint(content, [LOG.key, key]).witnesses) == [key.public]
    again = Witness(folder, folder.open_up(None, []))
    behind = again.add_checkpoint(asked_of(260, SIZE))
    assert (behind.status_code, behind.body, behind.headers["Content-Type"]) == (409, b"2000\n", "text/x.tlog.size")
    assert again.add_checkpoint(asked_of(2000, SIZE)).status_code == HTTPStatus.OK
    assert {stat.S_IMODE((folder.path / name).stat().st_mode) for name in ("key", "logs")} == {0o600}


def test_our_witness_refuses_a_history_made_anew_and_keeps_the_evidence(
    witness: Witness, folder: WitnessFolder
) -> None:
    witness.add_checkpoint(asked_of(0, 260))
    anew = StoredTree()
    anew.take([*leaves(SIZE)[:100], leaf_hash(b"another result"), *leaves(SIZE)[101:300]])
    for size in (260, 300):
        assert witness.add_checkpoint(asked_of(260, size, anew)).status_code == HTTPStatus.UNPROCESSABLE_ENTITY
    assert {path.read_bytes() for path in (folder.path / "refused").iterdir()} == {
        asked_of(260, size, anew) for size in (260, 300)
    }
    assert witness.add_checkpoint(asked_of(260, 300)).status_code == HTTPStatus.OK


def test_our_witness_says_why_it_does_not_sign(witness: Witness) -> None:
    stranger = Signer(name="stranger.example", kind=KeyKind.LOG, seed=bytes(32))
    text = Checkpoint(origin=stranger.key.name, size=1, root=bytes(32)).text
    unknown = WitnessRequest(old=0, proof=(), checkpoint=bytes(Note(text=text, signatures=()).signed_by(stranger)))
    forged = asked_of(0, 260)[:-10] + b"AAAAAAAA=\n"
    for content, status in ((b"x", 400), (bytes(unknown), 404), (forged, 403), (asked_of(260, 260), 409)):
        assert witness.add_checkpoint(content).status_code == status


def test_a_witness_has_one_name_and_signs_for_logs_alone(folder: WitnessFolder) -> None:
    for name in (None, "with space"):
        with pytest.raises(CannotRun):
            folder.open_up(name, [])
    key = folder.open_up("club.example/witness", [LOG.key.vkey]).key
    for name, log in (("another", LOG.key.vkey), (None, key.vkey), (None, "x")):
        with pytest.raises(CannotRun):
            WitnessFolder(folder.path).open_up(name, [log])


@pytest.fixture
def running(tmp_path: Path) -> Iterator[tuple[str, str]]:
    """The key and the address of a witness, as its command prints them."""
    port = free_port()
    words = ["--name=club.example/witness", f"--log={LOG.key.vkey}", f"--port={port}"]
    command = [sys.executable, "-m", "deploy.cli", "witness", str(tmp_path / "witness"), *words]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:  # noqa: S603 - our own command
        assert process.stdout
        _, _, vkey, url = process.stdout.readline().split()
        yield vkey, url
        process.terminate()


def test_foreign_code_is_answered_by_our_witness(running: tuple[str, str], tmp_path: Path) -> None:
    vkey, url = running
    tree = stored(SIZE)
    state = tmp_path / "state.json"
    with closing(WitnessClient(url, vkey, state_path=state, max_attempts=100, backoff=0.1)) as client:
        for size in (100, 260, SIZE):
            note = WitnessRequest.parse(asked_of(0, size)).checkpoint
            line = client.submit(note, lambda old, new: nodes(between(old, new), tree.tiles))
            assert list(open_checkpoint(note + line.encode(), [LOG.key, VerifierKey.parse(vkey)]).witnesses)
