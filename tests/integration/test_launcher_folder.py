"""The data folder: who may use it, what it refuses, and what a dead launcher may leave in it."""

import json
import os
import shutil
import socket
import subprocess
from collections.abc import Generator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import NamedTuple

import pytest
from click.testing import CliRunner, Result

from deploy import SERVICES
from deploy.cli import main
from deploy.local import folder as folders
from deploy.local import lock, operations, ports, state
from deploy.local.errors import CannotRun
from deploy.local.folder import Folder
from deploy.local.state import Copy, RunState
from deploy.parked_messages import Said
from tests.integration.launching import free_base, until


class Usage(NamedTuple):
    total: int
    used: int
    free: int


def nearly_full(_: Path) -> Usage:
    return Usage(total=2**40, used=2**40 - 150 * 2**20, free=150 * 2**20)


@pytest.fixture
def folder(tmp_path: Path) -> Folder:
    return Folder(path=tmp_path / "data")


def roundlog(*words: str) -> Result:
    return CliRunner().invoke(main, words)


def refused(*words: str) -> str:
    """Errors are a sentence, and exit code 1."""
    result = roundlog(*words)
    assert result.exit_code == 1, result.output
    assert isinstance(result.exception, SystemExit)
    assert result.output.startswith("Error: ")
    return result.output


def test_a_newer_format_is_refused(folder: Folder) -> None:
    folder.path.mkdir()
    folder.format.write_text("2\n")
    assert "another version of Roundlog (format 2, this one reads 1)" in refused("up", f"--data={folder.path}")


def test_a_folder_of_something_else_is_left_alone(folder: Folder) -> None:
    folder.path.mkdir(mode=0o755)
    (folder.path / "thesis.tex").touch()
    assert "something else" in refused("up", f"--data={folder.path}")
    assert "not a data folder" in refused("reset", "--yes", f"--data={folder.path}")
    assert [entry.name for entry in folder.path.iterdir()] == ["thesis.tex"]
    assert folder.path.stat().st_mode & 0o777 == 0o755


def test_a_file_is_no_folder(folder: Folder) -> None:
    folder.path.touch()
    assert "is not a folder" in refused("up", f"--data={folder.path}")
    assert "Nothing runs" in refused("parked", f"--data={folder.path}")
    assert "Nothing runs" in roundlog("status", f"--data={folder.path}").output


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("parked",), "The database of registration could not be asked: PostgreSQL does not answer."),
        (
            ("retry", "pairing", "cup", "--reason=other"),
            "The database of pairing could not be asked: PostgreSQL does not answer.",
        ),
        (
            ("skip", "pairing", "cup", "--reason=other"),
            "The database of pairing could not be asked: PostgreSQL does not answer.",
        ),
        (("accept", "pairing", "results", "--reason=other", "--yes"), "the broker does not answer"),
        (("republish", "pairing"), "the broker does not answer"),
        (("scrub",), "the broker does not answer"),
    ],
)
def test_an_operator_hears_which_server_does_not_answer_and_never_waits_for_it_for_ever(
    folder: Folder, words: tuple[str, ...], said: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(operations, "PATIENCE", 0.3)
    folder.path.mkdir()
    secrets = dict.fromkeys(folders.WITH_PASSWORD, "of-tests")
    folder.secrets.write_text(json.dumps(secrets))
    state.write(folder.state, RunState(phase="ready", base_port=free_base(), launcher=state.myself("launcher")))
    assert said in refused(*words, f"--data={folder.path}")


@pytest.mark.parametrize("act", ["retry", "skip"])
def test_words_in_another_encoding_are_kept_as_far_as_they_can_be_read(
    folder: Folder, act: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    kept: list[tuple[str, Said]] = []

    def decide(_: Folder, scope: str, said: Said, *, act: str) -> str:
        kept.append((scope, said))
        return act

    monkeypatch.setattr(operations, "decide", decide)
    latin = os.fsdecode("kaviareň".encode("latin2"))
    told = roundlog(
        act, "pairing", latin, "--reason=other", "--as=operator", f"--note={latin}", f"--data={folder.path}"
    )
    ((scope, said),) = kept
    assert (told.exit_code, scope, said.note) == (0, "kaviare?", "kaviare?")


@pytest.mark.parametrize("words", [("backup", "/nowhere"), ("parked",), ("doctor",)])
@pytest.mark.parametrize("kept", [None, "{}"])
def test_without_the_passwords_an_operator_hears_what_is_missing(
    folder: Folder, words: tuple[str, ...], kept: str | None
) -> None:
    folder.path.mkdir()
    if kept is not None:
        folder.secrets.write_text(kept)
    state.write(folder.state, RunState(phase="ready", base_port=1, launcher=state.myself("launcher")))
    held = lock.attempt(folder.lock)
    try:
        assert "secrets.json is missing, or lacks passwords" in refused(*words, f"--data={folder.path}")
    finally:
        os.close(held or 0)


@pytest.mark.parametrize("words", [("backup", "/nowhere"), ("parked",), ("scrub",), ("doctor",)])
@pytest.mark.parametrize(
    ("used", "named", "said"),
    [
        (None, "postgresql://root:secret@127.0.0.1:9/postgres", "and ROUNDLOG_DATABASE_URL says 127.0.0.1:9: unset it"),
        ("127.0.0.1:7", None, "uses 127.0.0.1:7, and ROUNDLOG_DATABASE_URL is not set: set it"),
        ("127.0.0.1:7", "postgresql://root:secret@127.0.0.1:9/postgres", "uses 127.0.0.1:7, and ROUNDLOG_DATABASE_URL"),
    ],
)
def test_nothing_is_done_to_a_server_that_the_platform_does_not_use(
    folder: Folder,
    words: tuple[str, ...],
    used: str | None,
    named: str | None,
    said: str,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    folder.path.mkdir()
    folder.secrets.write_text(json.dumps(dict.fromkeys(folders.WITH_PASSWORD, "of-tests")))
    elsewhere = {"postgres": used} if used else {}
    running = RunState(phase="ready", base_port=1, launcher=state.myself("launcher"), elsewhere=elsewhere)
    state.write(folder.state, running)
    monkeypatch.delenv("ROUNDLOG_DATABASE_URL", raising=False)
    if named:
        monkeypatch.setenv("ROUNDLOG_DATABASE_URL", named)
    held = lock.attempt(folder.lock)
    try:
        answer = refused(*words, f"--data={folder.path}")
    finally:
        os.close(held or 0)
    assert said in answer
    assert "secret" not in answer


def test_a_place_that_cannot_be_written_is_refused() -> None:
    assert "is not writable" in refused("up", "--data=/proc/roundlog")


@pytest.mark.skipif(os.geteuid() != 0, reason="only root can give a folder away")
def test_a_folder_of_another_user_is_refused(folder: Folder) -> None:
    folder.path.mkdir()
    os.chown(folder.path, 12345, 12345)
    assert "belongs to user 12345" in refused("up", f"--data={folder.path}")


@pytest.mark.skipif(os.geteuid() != 0, reason="only root can be somebody else for a while")
@pytest.mark.parametrize("words", [("status",), ("down",), ("parked",), ("reset", "--yes")])
def test_whoever_may_not_look_into_a_folder_hears_so(words: tuple[str, ...]) -> None:
    with TemporaryDirectory() as place:
        Path(place).chmod(0o755)
        closed = Path(place) / "data"
        closed.mkdir(mode=0o700)
        roundlog(*words, f"--data={place}/nothing")  # it imports what may be closed as well
        os.seteuid(65534)
        try:
            said = refused(*words, f"--data={closed}")
        finally:
            os.seteuid(0)
        assert (f"{closed}" in said, "closed to you" in said) == (True, True)


def test_a_full_disk_is_refused(folder: Folder, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(shutil, "disk_usage", nearly_full)
    said = refused("up", f"--data={folder.path}")
    assert "Only 150 MB are free" in said
    assert "200 MB are needed" in said
    assert not folder.format.exists()


def test_lost_passwords_are_missed_before_new_ones_are_made(folder: Folder) -> None:
    folders.prepare(folder)
    folders.open_up(folder)
    (folder.path / "postgres").mkdir()
    folder.secrets.unlink()
    with pytest.raises(CannotRun, match=r"secrets\.json is missing"):
        folders.open_up(folder)


def test_passwords_stay_the_same(folder: Folder) -> None:
    folders.prepare(folder)
    assert folders.open_up(folder) == folders.open_up(folder)


def test_a_folder_of_a_time_with_one_password_for_the_broker_gets_one_for_each_service(folder: Folder) -> None:
    folders.prepare(folder)
    folders.open_up(folder)
    before = {"postgres": "a", **dict.fromkeys(SERVICES, "b"), "nats": "c"}
    folder.secrets.write_text(json.dumps(before))
    after = folders.open_up(folder)
    assert before.items() <= after.items()
    assert len(set(folders.of_broker(after).values())) == len(SERVICES)
    assert folders.open_up(folder) == after


def test_reset_asks(folder: Folder) -> None:
    folders.prepare(folder)
    folders.open_up(folder)
    assert CliRunner().invoke(main, ["reset", f"--data={folder.path}"], input="n\n").exit_code == 1
    assert folder.path.exists()
    assert CliRunner().invoke(main, ["reset", f"--data={folder.path}"], input="y\n").exit_code == 0
    assert not folder.path.exists()


def test_nothing_is_deleted_or_brought_back_that_a_copy_of_a_service_works_with(folder: Folder, tmp_path: Path) -> None:
    folders.prepare(folder)
    folders.open_up(folder)
    state.add_copy(folder.copies, Copy(service="results", port=8103, process=state.myself("results")))
    (tmp_path / "base").mkdir()
    for words in (("reset", "--yes"), ("restore", str(tmp_path), "--note=lost")):
        assert "is in use: stop it first with `roundlog down`" in refused(*words, f"--data={folder.path}")
    assert folder.path.exists()


def test_a_port_in_use_is_named_with_its_holder(folder: Folder) -> None:
    base = free_base()
    with ports.listen(base + 3):
        said = refused("up", f"--data={folder.path}", f"--base-port={base}")
    assert f"Port {base + 3} is in use by " in said
    assert f"(process {os.getpid()})" in said
    assert not folder.path.exists()
    folders.prepare(folder)  # one that was there stays
    with ports.listen(base):
        assert f"Port {base} is in use by " in refused("up", f"--data={folder.path}", f"--base-port={base}")
    assert folder.path.exists()


@pytest.mark.parametrize("offset", range(7))
def test_without_a_wish_the_next_free_ports_are_taken(offset: int, monkeypatch: pytest.MonkeyPatch) -> None:
    base = free_base()
    monkeypatch.setattr(ports, "FIRST_BASE", base)
    monkeypatch.setattr(ports, "LAST_BASE", base + 1000)
    said: list[str] = []
    with ports.listen(base + offset), ExitStack() as stack:
        claimed = ports.claim(None, said.append)
        for listening in claimed.listening.values():
            stack.enter_context(listening)
    assert claimed.base > base
    assert f"port {base + offset} is in use by " in said[0]


def test_ports_are_free_again_at_once() -> None:
    """Connections of a service that was just stopped linger for a minute; they must not keep the next one out."""
    port = ports.any_free()
    with ports.listen(port) as listening, socket.create_connection(("127.0.0.1", port)):
        accepted, _ = listening.accept()
        accepted.close()
    ports.require_free(port)


@contextmanager
def a_server_left_behind(folder: Folder) -> Generator[int]:
    """A process that holds the inherited lock, as a server does whose launcher was killed."""
    held = lock.attempt(folder.lock)
    assert held is not None
    with subprocess.Popen(["/bin/sleep", "60"], pass_fds=(held,)) as server:
        os.close(held)
        yield server.pid
        server.kill()


@contextmanager
def a_stranger() -> Generator[subprocess.Popen[bytes]]:
    with subprocess.Popen(["/bin/sleep", "60"]) as stranger:
        yield stranger
        stranger.kill()


async def test_servers_left_behind_are_waited_for_and_then_killed(
    folder: Folder, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(lock, "PATIENCE", 0.3)
    said: list[str] = []
    folders.prepare(folder)
    with a_server_left_behind(folder) as pid:
        await lock.take(folder, said.append)
    assert said == [
        "waiting for the servers of an instance that was killed",
        f"killing sleep (process {pid}), which a killed instance left",
    ]


async def test_a_number_that_now_belongs_to_another_process_is_not_killed(
    folder: Folder, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(lock, "PATIENCE", 0.3)
    folders.prepare(folder)
    with a_stranger() as stranger, a_server_left_behind(folder):
        recorded = state.recorded("postgres", stranger.pid)
        assert recorded is not None
        earlier = state.ProcessRecord(name="postgres", pid=stranger.pid, born=recorded.born - 100)
        dead = state.ProcessRecord(name="launcher", pid=2**22 - 1, born=1)
        state.write(folder.state, RunState(phase="ready", base_port=1, launcher=dead, processes=(earlier,)))
        await lock.take(folder, lambda _: None)
        assert stranger.poll() is None


async def test_a_folder_deleted_while_one_waits_for_it_is_not_held(folder: Folder) -> None:
    folders.prepare(folder)
    with folder.lock.open() as opened:
        folder.lock.unlink()
        folder.lock.touch()
        assert not os.path.samestat(os.fstat(opened.fileno()), folder.lock.stat())
    held = lock.attempt(folder.lock)
    assert held is not None
    assert lock.attempt(folder.lock) is None
    os.close(held)
    until(lambda: lock.is_free(folder))


def test_databases_and_what_signs_their_logs_are_there_together(tmp_path: Path) -> None:
    data = Folder(path=tmp_path)
    folders.require_kept_together(data)
    (tmp_path / "postgres").mkdir()
    with pytest.raises(CannotRun, match="signing is missing, and the databases are there"):
        folders.require_kept_together(data)
    signed = tmp_path / "signing" / "results" / "signed"
    signed.parent.mkdir(parents=True)
    folders.require_kept_together(data)
    signed.touch()
    (tmp_path / "postgres").rmdir()
    with pytest.raises(CannotRun, match="no databases: bring them back"):
        folders.require_kept_together(data)


@pytest.mark.parametrize(
    "damaged", [b"junk", b"{}", b'{"kty": "\xff"}', b'{"kty": "OKP", "crv": "Ed25519", "x": "!!", "d": "aa"}']
)
def test_a_damaged_key_for_tokens_is_told_with_what_to_do(folder: Folder, damaged: bytes) -> None:
    keys = folder.path / "keys"
    keys.mkdir(parents=True)
    (keys / "private.json").write_bytes(damaged)
    assert "is damaged: bring it back, or remove it" in refused("token", "operator", f"--data={folder.path}")


@pytest.mark.parametrize("damaged", [b"junk", b"[]", b'{"postgres": "\xff"}'])
def test_damaged_passwords_are_told_with_what_to_do(tmp_path: Path, damaged: bytes) -> None:
    data = Folder(path=tmp_path)
    data.secrets.write_bytes(damaged)
    with pytest.raises(CannotRun, match=r"is damaged .*: restore it"):
        folders.passwords(data)


def test_where_nothing_is_signed_no_empty_policy_is_printed(folder: Folder) -> None:
    assert "Nothing is signed yet" in refused("keys", "--policy", f"--data={folder.path}")


def test_a_witness_without_a_folder_of_its_own_is_refused() -> None:
    assert "cannot be used" in refused("witness", "/proc/roundlog", "--name=club.example/witness")


@pytest.mark.parametrize(("hours", "code"), [("nan", 1), ("inf", 2), ("0", 2)])
def test_a_token_is_good_for_a_number_of_hours(folder: Folder, hours: str, code: int) -> None:
    told = roundlog("token", "operator", f"--hours={hours}", f"--data={folder.path}")
    assert (told.exit_code, type(told.exception)) == (code, SystemExit)
    assert "hours" in told.output
