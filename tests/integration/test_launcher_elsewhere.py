"""The platform on servers that run already."""

from pathlib import Path

from deploy.local import folder as folders
from deploy.local import nats, postgres
from deploy.local.folder import Folder
from tests.integration.launching import Platform, free_base, until


async def test_running_servers_are_used_and_none_are_started(tmp_path: Path) -> None:
    folder = Folder(path=tmp_path / "data")
    folders.prepare(folder)
    own = folders.of_broker(folders.open_up(folder))
    async with (
        postgres.running(tmp_path, settings={"fsync": "off"}) as database,
        nats.running(tmp_path, passwords=own) as broker,
    ):
        platform = Platform(
            folder=folder,
            base_port=free_base(),
            environment={
                "ROUNDLOG_DATABASE_URL": database.url,
                "ROUNDLOG_NATS_URL": f"nats://127.0.0.1:{broker.broker.port}",
                "ROUNDLOG_MOOD": "fair",
            },
        )
        try:
            started = platform.up("--detach")
            assert started.returncode == 0, started.stdout
            said = "ROUNDLOG_MOOD is set, and nothing reads it"
            assert (started.stderr.count(said), started.stdout.count(said)) == (1, 0), "once, by whoever was asked"
            assert f"127.0.0.1:{database.cluster.port} (not started here)" in started.stdout
            assert f"127.0.0.1:{broker.broker.port} (not started here)" in started.stdout
            assert database.cluster.password + "@" not in started.stdout + platform.run("status", "--json").stdout
            assert {process.name() for process in platform.left()} >= {"rl-registration", "rl-standings"}
            assert not {process.name() for process in platform.left()} & {"postgres", "nats-server"}
            assert platform.run("status").returncode == 0
            assert platform.run("down").returncode == 0
            until(platform.is_gone)
        finally:
            platform.clear()
        assert await postgres.answers(database.url)
        assert await nats.ready(broker.broker)


def test_servers_that_do_not_answer_are_named(tmp_path: Path) -> None:
    for name, url in {
        "ROUNDLOG_DATABASE_URL": "postgresql://roundlog:secret@127.0.0.1:1/postgres",
        "ROUNDLOG_NATS_URL": "nats://127.0.0.1:1",
    }.items():
        platform = Platform(folder=Folder(path=tmp_path / name), base_port=free_base(), environment={name: url})
        refused = platform.up()
        assert refused.returncode == 1
        assert "127.0.0.1:1" in refused.stderr
        assert "secret" not in refused.stderr + refused.stdout
        assert "Traceback" not in refused.stderr
        assert not platform.folder.path.exists()


async def test_a_broker_without_our_accounts_is_refused_with_what_to_do(tmp_path: Path) -> None:
    async with nats.running(tmp_path) as broker:
        place = f"127.0.0.1:{broker.broker.port}"
        for url, expected in {
            f"nats://{place}": "refuses the user registration: it needs the accounts of deploy/accounts.conf",
            f"nats://roundlog:secret@{place}": "ROUNDLOG_NATS_URL may say only where the broker is",
        }.items():
            platform = Platform(
                folder=Folder(path=tmp_path / "data"), base_port=free_base(), environment={"ROUNDLOG_NATS_URL": url}
            )
            refused = platform.up()
            assert refused.returncode == 1
            assert expected in refused.stderr
            assert "secret@" not in refused.stderr + refused.stdout
