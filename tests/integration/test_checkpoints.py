"""What a log that is signed promises: each checkpoint continues the one before, whatever happens between; whoever changes
what was signed, with all rights on the database, is told by the event; and an operator decides how it goes on."""

import asyncio
import errno
import os
import stat
from contextlib import AsyncExitStack
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest
from msgspec.structs import replace

from deploy.databases import at, connection
from deploy.examination import OF_KEYS, remedy_of
from shared.checkpoints import keeper as keepers
from shared.checkpoints.folder import SigningFolder, new_key
from shared.checkpoints.stream import SIGNED_LOG, LogKeyIntroduced, LogKeyRetired, LogRestored, RetireLogKey
from shared.clock import now
from shared.log.store import Append, Head
from shared.personal.notes import Notes
from shared.proof import moments
from shared.proof.keys import VerifierKey
from shared.proof.notes import open_checkpoint
from shared.proof.tree import between, verify_consistency
from shared.refusals import Unavailable
from tests.events import everything
from tests.patience import PATIENCE
from tests.provable import WITNESSES
from tests.signed_logs import Copy, copy, happened, hurry, many

WHOLE_HOUR = 3600.0


@pytest.fixture(autouse=True)
def quick(monkeypatch: pytest.MonkeyPatch) -> None:
    hurry(monkeypatch)


def keys(place: Path, origin: str) -> list[VerifierKey]:
    return [key.signer(origin).key for key in SigningFolder(place).signing_keys()]


async def require_continued(copy: Copy, place: Path) -> None:
    """Every checkpoint of the log as it is now was signed by it, and the next one continues it."""
    last, newest = None, await copy.covering(1)
    for kept in await copy.checkpoints.following(0):
        found = open_checkpoint(bytes(kept.note), keys(place, kept.checkpoint.origin)).checkpoint
        if last and last.origin == newest.checkpoint.origin:
            proof = await copy.trees.proof("log", between(last.size, found.size))
            verify_consistency(old=last.size, old_root=last.root, size=found.size, root=found.root, proof=proof)
        last = found


async def test_what_has_grown_is_signed_and_goes_on_after_a_restart(database: str, tmp_path: Path) -> None:
    place = tmp_path / "signing"
    async with copy(database, place) as one:
        for nr in range(5):
            await one.store.append(many(f"s{nr}", 60))
            await one.covering(60 * (nr + 1))
        signed = (await one.covering(300)).checkpoint
        assert signed.origin == f"club.example/results/{await one.store.incarnation()}"
        assert signed.root == await one.trees.root("log", 300)
    async with copy(database, place) as one:
        await one.store.append(many("more", 500))
        await one.covering(800)
        await require_continued(one, place)
        assert SigningFolder(place).count_leaves() == 800
    assert {path.name: stat.S_IMODE(path.stat().st_mode) for path in place.iterdir()} == dict.fromkeys(
        ("keys", "signed", "leaves", "lock"), 0o600
    )
    assert stat.S_IMODE(place.stat().st_mode) == 0o700


async def test_what_others_rest_on_is_signed_at_once_and_all_else_each_minute(
    database: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(moments, "EVERY", WHOLE_HOUR)
    async with copy(database, tmp_path) as one:
        await one.covering(0)  # nothing, so that witnesses and verifiers may know its key
        await one.store.append(many("b", 10))
        await asyncio.sleep(0.3)
        assert await one.checkpoints.covering(1) is None
        await one.store.append(Append(expected={"c": 0}, events=[happened("c", 1, "RoundPublished")]))
        assert (await one.covering(1)).checkpoint.size == 11


async def test_what_is_behind_a_scope_is_what_most_witnesses_have_signed_and_of_these_the_first(
    database: str, tmp_path: Path
) -> None:
    """A witness that was away when a tournament was over signs only what comes later, which proves as much."""
    async with copy(database, tmp_path) as one:
        await one.store.append(many("a", 10))
        first = await one.covering(10)
        assert await one.checkpoints.behind_scopes(["scope"]) == first
        for nr, names in enumerate(((), ("club",), ("club", "university"), ("club", "university"), ("university",))):
            others = [happened(f"b{nr}", 1, scope="another")]
            await one.store.append(Append(expected={f"b{nr}": 0}, events=others))
            signed = await one.covering(11 + nr)
            for name in names:
                line = signed.note.signed_by(WITNESSES[name], at=1).signatures[-1]
                await one.checkpoints.cosign(signed.number, name, line)
        found = await one.checkpoints.behind_scopes(["scope"])
        assert found is not None
        assert found.checkpoint.size == 13
        assert await one.checkpoints.behind_scopes(["nothing"]) is None


async def test_a_note_that_was_signed_and_not_kept_is_kept_by_the_next_start(
    database: str, server: str, tmp_path: Path
) -> None:
    async with copy(database, tmp_path) as one:
        await one.store.append(many("a", 10))
        signed = await one.covering(10)
    async with connection(as_administrator(server, database)) as admin:
        await admin.execute("delete from proof.checkpoints")
    async with copy(database, tmp_path) as one:
        assert (await one.covering(10)).note == signed.note


async def test_two_processes_on_one_folder_sign_one_history(database: str, tmp_path: Path) -> None:
    async with AsyncExitStack() as first:
        one = await first.enter_async_context(copy(database, tmp_path))
        await one.store.append(many("a", 10))
        await one.covering(10)
        async with copy(database, tmp_path) as other:
            await other.store.append(many("b", 10))
            await other.covering(20)
            await first.aclose()
            await other.store.append(many("c", 10))
            await other.covering(30)
            await require_continued(other, tmp_path)


def as_administrator(server: str, database: str) -> str:
    return at(server, database=database.rpartition("/")[2])


# All of them also make the trees anew, so that nothing in the database contradicts anything else there.
ANEW = "truncate proof.tiles; update proof.head set position = 0, public = 0;"
CHANGED = {
    "a record": (
        """update log.log set record = convert_to(replace(convert_from(record, 'UTF8'), 'somebody', 'somebxdy'), 'UTF8')
        where position = 400""",
        "event 400 is not what it was when it was signed",
    ),
    "two events in another order": (
        """update log.log set position = -1 where position = 500;
        update log.log set position = 500 where position = 499;
        update log.log set position = 499 where position = -1""",
        "event 499 is not what it was",
    ),
    "one dropped and the others moved up": (
        """delete from log.log where position = 300;
        update log.log set position = position - 1000 where position > 300;
        update log.log set position = position + 999 where position < 0;
        update log.head set position = position - 1""",
        "event 300 is not what it was when it was signed, and the log ends with event 599, and 600 were signed",
    ),
    "one put between": (
        """update log.log set position = position + 1000 where position > 300;
        update log.log set position = position - 999 where position > 1000;
        insert into log.log select 301, stream, 601, gen_random_uuid(), type, scope, record, public, message
          from log.log where position = 300;
        update log.head set position = position + 1""",
        "event 301 is not what it was when it was signed",
    ),
    "the last ones dropped": (
        "delete from log.log where position > 580; update log.head set position = 580",
        "the log ends with event 580, and 600 were signed",
    ),
    "another incarnation": ("update log.head set incarnation = gen_random_uuid()", "roundlog restored"),
}  # fmt: skip


@pytest.mark.parametrize(("statements", "said"), CHANGED.values(), ids=list(CHANGED))
async def test_who_changes_the_log_and_its_trees_is_told_by_the_event(
    statements: str, said: str, database: str, server: str, tmp_path: Path
) -> None:
    async with copy(database, tmp_path) as one:
        await one.store.append(many("a", 600))
        await one.covering(600)
    signed = SigningFolder(tmp_path).last()
    async with connection(as_administrator(server, database)) as admin:
        await admin.execute(f"{statements}; {ANEW}")
    async with copy(database, tmp_path) as one:
        assert said in await one.wrong()
        await one.store.append(many("b", 10))
        await asyncio.sleep(0.1)
        assert SigningFolder(tmp_path).last() == signed
        assert [one.checkpoint.size for one in await one.checkpoints.following(0)][-1] == 600


async def test_without_the_leaves_it_is_known_between_which_checkpoints(
    database: str, server: str, tmp_path: Path
) -> None:
    async with copy(database, tmp_path) as one:
        for nr in range(3):
            await one.store.append(many(f"s{nr}", 100))
            await one.covering(100 * (nr + 1))
    (tmp_path / "leaves").unlink()
    statements, _ = CHANGED["a record"]
    async with connection(as_administrator(server, database)) as admin:
        await admin.execute(f"{statements.replace('400', '150')}; {ANEW}")
    async with copy(database, tmp_path) as one:
        assert "one of the events from 101 on is not what it was when 300 were signed" in await one.wrong()


OF_LOG = "tree = 'log' and level = 0 and number = 0"
OTHER_TILE = "update proof.tiles set hashes = set_byte(hashes, 100, 255 - get_byte(hashes, 100)) where"
TREES = {
    "a leaf of the log": (f"{OTHER_TILE} {OF_LOG}", "the tree of the log was changed at event 4, and the events"),
    "a hash above": (
        f"{OTHER_TILE.replace('100', '10')} {OF_LOG.replace('0', '1', 1)}",
        "the tree of the log was changed at hash 0 on level 1, and the events",
    ),
}


@pytest.mark.parametrize("is_running", [False, True])
@pytest.mark.parametrize(("statement", "said"), TREES.values(), ids=list(TREES))
async def test_where_only_a_tree_was_changed_no_event_is_accused(
    statement: str,
    said: str,
    database: str,
    server: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    *,
    is_running: bool,
) -> None:
    monkeypatch.setattr(keepers, "SLOWEST", 1e6 if is_running else 50.0)
    async with copy(database, tmp_path) as one, connection(as_administrator(server, database)) as admin:
        await one.store.append(many("a", 600))
        await one.covering(600)
        await admin.execute(statement)
        if is_running:
            assert said in await one.wrong()
    async with copy(database, tmp_path) as one:
        assert said in await one.wrong()
    async with connection(as_administrator(server, database)) as admin:
        await admin.execute(ANEW)
    async with copy(database, tmp_path) as one:
        await one.store.append(many("b", 10))
        await one.covering(610)


async def test_where_nothing_was_signed_an_event_or_the_tree_may_have_been_changed(
    database: str, server: str, tmp_path: Path
) -> None:
    async with copy(database, tmp_path) as one:
        await one.store.append(many("a", 600))
        await one.covering(600)
    (tmp_path / "leaves").unlink()
    async with connection(as_administrator(server, database)) as admin:
        await admin.execute(f"{OTHER_TILE} {OF_LOG}")
    async with copy(database, tmp_path) as one:
        wrong = await one.wrong()
    assert "event 4 is not what it was when the tree of the log took it, or that tree was changed" in wrong


async def test_a_damaged_file_of_leaves_accuses_nobody_and_is_made_anew(database: str, tmp_path: Path) -> None:
    async with copy(database, tmp_path) as one:
        await one.store.append(many("a", 600))
        await one.covering(600)
    whole = (tmp_path / "leaves").read_bytes()
    for damaged in (whole[:5000] + b"\0" + whole[5001:], whole[:7000], b""):
        (tmp_path / "leaves").write_bytes(damaged)
        async with copy(database, tmp_path) as one:
            await one.store.append(Append(expected={}, events=()))
            async with asyncio.timeout(PATIENCE):
                while (tmp_path / "leaves").read_bytes() != whole:
                    await one.keeper.check()
                    await asyncio.sleep(0.01)


async def test_a_change_is_found_while_it_runs_and_signing_goes_on_when_it_is_mended(
    database: str, server: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(keepers, "SLOWEST", 1e6)
    statements, said = CHANGED["a record"]
    async with copy(database, tmp_path) as one, connection(as_administrator(server, database)) as admin:
        await one.store.append(many("a", 600))
        await one.covering(600)
        await admin.execute(statements)
        assert said in await one.wrong()
        await admin.execute(statements.replace("'somebody', 'somebxdy'", "'somebxdy', 'somebody'"))
        async with asyncio.timeout(PATIENCE):
            while True:
                try:
                    await one.keeper.check()
                    break
                except Unavailable:
                    await asyncio.sleep(0.01)
        await one.store.append(many("b", 10))
        await one.covering(610)


async def test_a_restored_log_goes_on_under_another_name_and_says_what_it_has_lost(
    database: str, server: str, tmp_path: Path
) -> None:
    async with copy(database, tmp_path) as one:
        await one.store.append(many("a", 600))
        former = (await one.covering(600)).note
    lost, _ = CHANGED["the last ones dropped"]
    async with connection(as_administrator(server, database)) as admin:
        await admin.execute(f"{lost}; {ANEW} update log.head set incarnation = gen_random_uuid()")
    async with copy(database, tmp_path) as one:
        await one.store.append(many("new", 3))
        assert "roundlog restored" in await one.wrong()
        SigningFolder(tmp_path).say_restored("the disk was lost")
        async with asyncio.timeout(PATIENCE):
            while (last := (await everything(one.store))[-1]).event.type != "LogRestored":
                await asyncio.sleep(0.01)
        said = SIGNED_LOG.read(last)
        assert isinstance(said, LogRestored)
        assert (said.former, said.kept) == (bytes(former).decode(), 580)
        own = f"club.example/results/{await one.store.incarnation()}"
        async with asyncio.timeout(PATIENCE):
            while not (found := await one.checkpoints.newest()) or found.checkpoint.origin != own:
                await asyncio.sleep(0.01)
        assert (await one.covering(last.position)).checkpoint.origin == own
        await one.keeper.check()
        notes = Notes(database)
        async with notes.running():
            assert await notes.read("results", [said.reason or ""]) == {said.reason: "the disk was lost"}
    assert b"disk" not in last.event.record
    async with copy(database, tmp_path) as one:
        await one.store.append(many("more", 3))
        await one.covering(last.position + 3)
        await require_continued(one, tmp_path)


@pytest.mark.parametrize("written", ["výpadek disku\n".encode("iso-8859-2"), "the disk was lost".encode("utf-16"), b""])
async def test_however_it_is_written_that_a_log_was_restored_it_goes_on(
    written: bytes, database: str, server: str, tmp_path: Path
) -> None:
    async with copy(database, tmp_path) as one:
        await one.store.append(many("a", 10))
        await one.covering(10)
    async with connection(as_administrator(server, database)) as admin:
        await admin.execute("update log.head set incarnation = gen_random_uuid()")
    async with copy(database, tmp_path) as one:
        assert "roundlog restored" in await one.wrong()
        (tmp_path / "restored").write_bytes(written)
        await one.mended()
        assert (await everything(one.store))[-1].event.type == "LogRestored"


def test_words_that_no_terminal_would_show_can_be_said_of_a_restored_log(tmp_path: Path) -> None:
    SigningFolder(tmp_path).say_restored(os.fsdecode(b"v\xfdpadek"))
    assert SigningFolder(tmp_path).restored() == "v?padek"


async def test_a_key_that_is_added_while_another_is_retired_is_not_lost(
    database: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    signing, added = SigningFolder(tmp_path), new_key()

    def retire(*, vkey: str) -> RetireLogKey:
        signing.keep_keys([*signing.signing_keys(), added])
        return RetireLogKey(vkey=vkey)

    async with copy(database, tmp_path) as one:
        await one.store.append(many("a", 10))
        await one.covering(10)
        (old,) = signing.signing_keys()
        monkeypatch.setattr("shared.checkpoints.keeper.RetireLogKey", retire)
        signing.keep_keys([replace(old, until=now()), new := new_key()])
        await one.covering(12)
        async with asyncio.timeout(PATIENCE):
            while replace(old, until=None) in [replace(key, until=None) for key in signing.signing_keys()]:
                await asyncio.sleep(0.01)
        assert list(signing.signing_keys()) == [new, added]


async def test_what_a_restored_log_signs_first_says_that_it_was_restored(
    database: str, server: str, tmp_path: Path
) -> None:
    async with copy(database, tmp_path) as one:
        await one.store.append(many("a", 10))
        await one.covering(10)
    administrator = as_administrator(server, database)
    async with connection(administrator) as admin:
        await admin.execute("update log.head set incarnation = gen_random_uuid()")
    SigningFolder(tmp_path).say_restored("the disk was lost")
    async with AsyncExitStack() as slow:
        admin = await slow.enter_async_context(connection(administrator))
        await slow.enter_async_context(admin.transaction())
        await admin.execute("select from proof.head for update")  # the trees are behind the log
        async with copy(database, tmp_path) as one:
            async with asyncio.timeout(PATIENCE):
                while (last := (await everything(one.store))[-1]).event.type != "LogRestored":
                    await asyncio.sleep(0.01)
            await asyncio.sleep(0.3)
            await slow.aclose()
            await one.covering(last.position)
            signed = [kept.checkpoint for kept in await one.checkpoints.following(0)]
            own = f"club.example/results/{await one.store.incarnation()}"
            assert [found.size for found in signed if found.origin == own] == [last.position]


async def test_the_same_holds_where_it_is_restored_under_a_running_service_and_the_database_goes_away_then(
    database: str, server: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with copy(database, tmp_path) as one:
        await one.store.append(many("a", 10))
        await one.covering(10)
        head, grow, may_go_on = one.trees.head, one.trees.grow, asyncio.Event()
        failures = [Unavailable("the database does not answer")]

        async def head_or_not() -> Head:
            if failures and (await one.store.head()).position > 11:
                raise failures.pop()
            return await head()

        async def grow_late(before: Head, after: Head, changed: Any) -> None:
            if after.position > 11:
                await may_go_on.wait()
            await grow(before, after, changed)

        monkeypatch.setattr(one.trees, "head", head_or_not)
        monkeypatch.setattr(one.trees, "grow", grow_late)
        SigningFolder(tmp_path).say_restored("the disk was lost")
        async with connection(as_administrator(server, database)) as admin:
            await admin.execute("update log.head set incarnation = gen_random_uuid()")
        await one.store.append(many("b", 1))
        async with asyncio.timeout(PATIENCE):
            while failures:
                await asyncio.sleep(0.01)
        await asyncio.sleep(0.3)
        may_go_on.set()
        await one.covering(12)
        own = f"club.example/results/{await one.store.incarnation()}"
        signed = [kept.checkpoint for kept in await one.checkpoints.following(0)]
        assert [found.size for found in signed if found.origin == own] == [12]


async def test_a_key_takes_over_from_another_and_the_log_says_so(database: str, tmp_path: Path) -> None:
    signing = SigningFolder(tmp_path)
    async with copy(database, tmp_path) as one:
        await one.store.append(many("a", 10))
        origin = (await one.covering(10)).checkpoint.origin
        (old,) = signing.signing_keys()
        signing.keep_keys([replace(old, until=now() + timedelta(days=30)), new := new_key()])
        of_both = await one.covering(11)
        assert [type(said) for said in await said_of_keys(one)] == [LogKeyIntroduced]
        signers = open_checkpoint(bytes(of_both.note), keys(tmp_path, origin)).signers
        assert list(signers) == keys(tmp_path, origin)
        signing.keep_keys([replace(old, until=now()), new])
        of_new = await one.covering(12)
        assert [said.vkey for said in await said_of_keys(one)] == [
            new.signer(origin).key.vkey,
            old.signer(origin).key.vkey,
        ]
        assert list(signing.signing_keys()) == [new]
        assert list(open_checkpoint(bytes(of_new.note), keys(tmp_path, origin)).signers) == keys(tmp_path, origin)


async def said_of_keys(copy: Copy) -> list[LogKeyIntroduced | LogKeyRetired]:
    said = [SIGNED_LOG.read(one) for one in await everything(copy.store) if one.event.type.startswith("LogKey")]
    return [one for one in said if isinstance(one, LogKeyIntroduced | LogKeyRetired)]


async def test_a_folder_that_cannot_be_used_is_named_and_nothing_else_stops(database: str, tmp_path: Path) -> None:
    async with copy(database, tmp_path) as one:
        await one.store.append(many("a", 10))
        await one.covering(10)
    kept = (tmp_path / "keys").read_bytes()
    for content, said in ((b"{}", "has no key that can be read"), (None, "is missing")):
        (tmp_path / "keys").unlink()
        if content is not None:
            (tmp_path / "keys").write_bytes(content)
        async with copy(database, tmp_path) as one:
            assert said in await one.wrong()
            await one.store.append(many(said, 1))
            (tmp_path / "keys").write_bytes(kept)
            await one.mended()
            await one.covering(11)


async def test_a_full_disk_is_said_of_the_folder_and_of_nothing_else(
    database: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(*_: object) -> None:
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    async with copy(database, tmp_path) as one:
        monkeypatch.setattr(SigningFolder, "sign", refuse)
        await one.store.append(many("a", 10))
        said = await one.wrong()
        assert f"{tmp_path} cannot be used: No space left on device" in said
        assert remedy_of("checkpoints", "results", said) == OF_KEYS
