"""What the doctor, the dashboard and the alerts say of a service, held against one that runs."""

import json
import re
import socket
from collections.abc import Generator, Mapping
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import httpx
import pytest
import yaml

from deploy import examination
from deploy.databases import MAX_CONNECTIONS, connection
from deploy.examination import Answers, ChecksSaid, Finding, Numbers
from deploy.local import doctor as here
from deploy.local import ports, postgres
from deploy.local.folder import Folder
from deploy.local.operations import ServerAddresses
from shared.checkpoints.folder import SigningFolder, UnusableSigningFolder
from shared.clock import now
from shared.proof.keys import KeyKind, Signer
from tests.databases import FAST
from tests.integration.launching import Platform, free_base, until
from tests.integration.serving import Served, serving

MONITORING = Path(here.__file__).parents[1] / "monitoring"
NAME = re.compile(r"roundlog_\w+")
MET = "insert into inbox.sources (source, incarnation, number) values ('registration', gen_random_uuid(), 3)"
WITNESS = "silent.example"
OK = ChecksSaid(checks={"database": "ok"})


def dashboard() -> dict[str, Any]:
    return json.loads((MONITORING / "dashboard.json").read_text())


def alerts() -> list[dict[str, Any]]:
    (group,) = yaml.safe_load((MONITORING / "alerts.yml").read_text())["groups"]
    return group["rules"]


def expressions() -> Generator[str]:
    for panel in dashboard()["panels"]:
        yield from (target["expr"] for target in panel["targets"])
    yield from (rule["expr"] for rule in alerts())


async def test_dashboard_and_alerts_name_only_what_a_service_shows(database: str, tmp_path: Path) -> None:
    key = Signer(name=WITNESS, kind=KeyKind.WITNESS, seed=bytes(32)).key
    (tmp_path / "witnesses").write_text(f"witness {WITNESS} {key.vkey} http://127.0.0.1:{ports.any_free()}\n")
    async with connection(database) as admin:
        await admin.execute(MET)
    settings: dict[str, Any] = {
        "signing": str(tmp_path / "signing"),
        "deployment": "hall.example",
        "witnesses": str(tmp_path / "witnesses"),
    }
    async with serving(database, service="pairing", **settings) as served:
        until(lambda: "roundlog_checkpoint_position" in numbers(served))
        shown = set(
            NAME.findall("\n".join(line.partition("{")[0] for line in numbers(served).splitlines() if line[0] != "#"))
        )
        named = {name for expression in expressions() for name in NAME.findall(expression)}
        assert named
        assert named <= shown, named - shown
        assert 'roundlog_inbox_position{source="registration"} 3.0' in numbers(served)
        assert 'roundlog_program{service="pairing"' in numbers(served)
        found = await examination.examine([served.url])  # which has no broker
        broker = next(one for one in found.findings if one.wrong.startswith("is not ready, broker: "))
        assert (broker.where, broker.remedy) == ("pairing", examination.REMEDIES["broker"])
        assert checks(served) <= examination.REMEDIES.keys()
        assert 'roundlog_check_failing{check="broker"} 1.0' in numbers(served)
        assert 'roundlog_check_failing{check="database"} 0.0' in numbers(served)


def checks(served: Served) -> set[str]:
    return set(httpx.get(f"{served.url}/readyz").json()["checks"])


def numbers(served: Served) -> str:
    return httpx.get(f"{served.url}/metrics").text


def test_that_a_service_is_not_ready_is_no_request_that_failed() -> None:
    (failing,) = (rule["expr"] for rule in alerts() if rule["alert"] == "Failing")
    assert failing.count("getReadiness") == failing.count("roundlog_requests_total") == 2


def test_every_alert_says_when_how_grave_and_what_to_do() -> None:
    rules = alerts()
    assert len({rule["alert"] for rule in rules}) == len(rules)
    for rule in rules:
        assert rule["labels"]["severity"] in {"page", "ticket"}
        assert rule["annotations"].keys() == {"summary", "remedy"}
    ids = [panel["id"] for panel in dashboard()["panels"]]
    assert len(set(ids)) == len(ids)
    assert all(panel["title"] and panel["targets"] for panel in dashboard()["panels"])


def said(service: str, shown: Mapping[Any, float], **more: Any) -> Answers:
    return Answers(
        place="http://x", service=service, readiness=more.pop("readiness", OK), numbers=Numbers(shown=shown), **more
    )


def wrong(findings: list[Finding]) -> list[str]:
    return [f"{one.where}: {one.wrong}" for one in findings]


def test_what_an_operator_decides_is_named_by_numbers_alone() -> None:
    answers = said(
        "standings",
        {
            ("roundlog_parked", ()): 2,
            ("roundlog_inbox_stopped", ("results",)): 1,
            ("roundlog_inbox_stopped", ("pairing",)): 0,
            ("roundlog_webhooks_stopped", ()): 1,
        },
    )
    found = list(examination.of_service(answers, has_databases=False))
    assert wrong(found) == [
        "standings: has 2 parked",
        "standings: hears nothing more of results",
        "standings: has 1 stopped webhook",
    ]
    assert "`roundlog accept standings results --reason restored-from-backup`" in found[1].remedy
    assert "that of results where `/readyz` of results says so" in found[1].remedy
    assert "the inbox of standings" in found[1].remedy


def test_keys_that_cannot_be_used_accuse_no_database(tmp_path: Path) -> None:
    (tmp_path / "keys").write_text("spoiled")
    with pytest.raises(UnusableSigningFolder) as damaged:
        SigningFolder(tmp_path).signing_keys()
    (tmp_path / "keys").rename(tmp_path / "signed")
    with pytest.raises(UnusableSigningFolder) as missing:
        SigningFolder(tmp_path).signing_keys()
    for why in (damaged.value, missing.value):
        checks = {"checkpoints": f"{why}: nothing is signed until an operator has decided"}
        (found,) = examination.of_service(said("results", {}, readiness=ChecksSaid(checks=checks)), has_databases=True)
        assert "The log is what it was" in found.remedy
    checks = {
        "checkpoints": "event 7 is not what it was when it was signed: nothing is signed until an operator has decided"
    }
    (found,) = examination.of_service(said("results", {}, readiness=ChecksSaid(checks=checks)), has_databases=True)
    assert "find out who could write to it" in found.remedy


def test_what_was_answered_500_is_a_fault_of_the_program() -> None:
    answered = {
        ("roundlog_requests_total", ("getCalendar", "500")): 3.0,
        ("roundlog_requests_total", ("getCalendar", "200")): 9.0,
        ("roundlog_requests_total", ("getReadiness", "503")): 7.0,
    }
    (finding,) = examination.of_service(said("pairing", answered), has_databases=False)
    assert finding.wrong == "has answered 500 to getCalendar, 3 times since it started"
    assert finding.remedy.endswith("`logs/pairing.log` of the data folder says more.")


def test_what_comes_meanwhile_is_not_late_and_what_does_not_is() -> None:
    source = said("results", {("roundlog_log_public", ()): 10})
    behind = said("standings", {("roundlog_inbox_position", ("results",)): 7})
    come = said("standings", {("roundlog_inbox_position", ("results",)): 10})
    assert not list(examination.late([source, behind], [source, come]))
    assert wrong(list(examination.late([source, behind], [source, behind]))) == [
        "standings: lacks 3 messages of results"
    ]


@pytest.mark.parametrize(("minutes", "signed_upto", "grown"), [(10, 5, True), (10, 9, False), (1, 5, False)])
def test_a_log_that_has_grown_and_is_not_signed(minutes: int, signed_upto: int, *, grown: bool) -> None:
    at = (now() - timedelta(minutes=minutes)).timestamp()
    answers = said(
        "results",
        {
            ("roundlog_log_position", ()): 9,
            ("roundlog_checkpoint_position", ()): signed_upto,
            ("roundlog_checkpoint_timestamp_seconds", ()): at,
            ("roundlog_witness_position", (WITNESS,)): signed_upto,
        },
    )
    found = wrong(list(examination.late([answers], [answers])))
    assert found == (["results: signed its log last 10 minutes ago, and it has grown since"] if grown else [])


def test_witnesses_that_are_silent_and_such_that_refuse() -> None:
    at = (now() - timedelta(minutes=5)).timestamp()
    signed_last = {
        ("roundlog_checkpoint_position", ()): 9.0,
        ("roundlog_checkpoint_timestamp_seconds", ()): at,
        ("roundlog_witness_position", (WITNESS,)): 4.0,
    }
    silent = said("results", signed_last)
    assert wrong(list(examination.late([silent], [silent]))) == [
        f"results: witness {WITNESS} has not signed the last checkpoint, of 5 minutes ago"
    ]
    readiness = ChecksSaid(checks={"database": "ok"}, alarms={f"witness {WITNESS}": "it does not know this log"})
    refusing = said("results", signed_last, readiness=readiness)
    assert not list(examination.late([refusing], [refusing]))
    (found,) = examination.of_service(refusing, has_databases=True)
    assert found.wrong == f"witness {WITNESS} refuses to sign: it does not know this log"
    assert "roundlog keys" in found.remedy


def test_versions_that_differ_are_named() -> None:
    same = Answers(place="", service="results", version=examination.version("roundlog"), readiness=OK)
    other = Answers(place="", service="pairing", version="0.0.1", readiness=OK)
    assert not list(examination.versions([same, same]))
    (found,) = examination.versions([same, other])
    assert "pairing 0.0.1" in found.wrong


@pytest.mark.parametrize(("off", "found"), [(-60, -59), (-1, 0), (0, 0), (2, 0), (60, 58)])
def test_a_clock_is_wrong_by_what_the_journey_does_not_explain(off: int, found: int) -> None:
    began, came = datetime(2026, 11, 22, 20, 0, 0, tzinfo=UTC), datetime(2026, 11, 22, 20, 0, 2, tzinfo=UTC)
    date = (began + timedelta(seconds=off)).strftime("%a, %d %b %Y %H:%M:%S GMT")
    assert examination.ahead(date, began, came) == found


@pytest.mark.parametrize(("most", "found"), [(MAX_CONNECTIONS, 0), (100, 1)])
async def test_a_server_has_room_for_all_services(most: int, found: int, tmp_path: Path) -> None:
    async with postgres.running(tmp_path, settings=FAST | {"max_connections": str(most)}) as server:
        addresses = ServerAddresses(server=server.url, databases={}, nats={}, base_port=0)
        said = [one.wrong async for one in here.of_server(addresses, None)]
    assert sum("a process of a service takes up to 60" in wrong for wrong in said) == found


def test_a_disk_is_scarce_by_its_share_and_by_bytes() -> None:
    assert examination.scarce(2**30, 100 * 2**30) == "only 1024 MB free of 102400"
    assert examination.scarce(2**28, 2**30)
    assert examination.scarce(20 * 2**30, 1000 * 2**30) is None
    assert examination.scarce(2**30, 4 * 2**30) is None


def test_backups_are_missing_old_or_fine(tmp_path: Path) -> None:
    assert not list(here.of_backups(None))
    (missing,) = here.of_backups(tmp_path)
    assert missing.wrong == f"{tmp_path} has no base backup"
    (tmp_path / "base" / f"{now() - timedelta(days=3):%Y-%m-%dT%H%M%SZ}").mkdir(parents=True)
    (old,) = here.of_backups(tmp_path)
    assert "72 hours old" in old.wrong
    (tmp_path / "base" / f"{now() + timedelta(days=400):%Y-%m-%dT%H%M%SZ}").mkdir()
    assert list(here.of_backups(tmp_path)) == [old]
    (tmp_path / "base" / f"{now():%Y-%m-%dT%H%M%SZ}").mkdir()
    assert not list(here.of_backups(tmp_path))


def test_where_nothing_runs_it_says_what_a_start_would_meet(tmp_path: Path) -> None:
    platform = Platform(folder=Folder(path=tmp_path / "data"), base_port=free_base())
    fine = platform.run("doctor", f"--base-port={platform.base_port}")
    assert fine.returncode == here.NOTHING
    assert fine.stdout.startswith("Nothing runs here. Nothing is wrong. Looked at this machine: Python ")
    assert not platform.folder.path.exists()
    platform.folder.path.mkdir()
    (platform.folder.path / "letters").touch()
    with socket.create_server(("127.0.0.1", ports.of("nats", platform.base_port))):
        found = platform.run("doctor", f"--base-port={platform.base_port}")
    assert found.returncode == here.NOTHING
    assert f"nats: Port {ports.of('nats', platform.base_port)} is in use by " in found.stdout
    assert "holds something else than Roundlog's data\n    choose another folder with --data." in found.stdout


def test_addresses_at_which_nobody_answers_are_named_without_their_passwords() -> None:
    platform = Platform(folder=Folder(path=Path("/nowhere")), base_port=1)
    found = platform.run("doctor", f"--url=http://me:secret@127.0.0.1:{ports.any_free()}")
    assert found.returncode == here.NOTHING
    assert "does not answer at http://127.0.0.1" in found.stdout
    assert "secret" not in found.stdout + found.stderr
