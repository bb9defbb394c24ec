"""A service's part of a bundle is what its log has of a tournament, and both verifiers read it."""

import asyncio
from collections.abc import AsyncGenerator
from http import HTTPStatus
from pathlib import Path

import pytest

from deploy.bundles.verification import verified
from deploy.signing import own_keys
from shared.bundle.container import opened
from shared.bundle.report import BundleFinding
from shared.checkpoints.folder import SigningFolder
from tests.api.asking import Client, founded, issuer, problem, service
from tests.api.holding import announce, done, running
from tests.api.signing import signed_by
from tests.databases import lent
from tests.patience import AT_ONCE, PATIENCE
from tests.provable import alone

AUDITOR, PLAYER, OTHER = "4d8fe120", "ada-1", "bea-2"


class Registration:
    def __init__(self, client: Client, folder: Path, tournament: str) -> None:
        self.client = client
        self.folder = folder
        self.path = f"/v1/tournaments/{tournament}"
        self.tournament = tournament

    @property
    def policy(self) -> bytes:
        keys = own_keys(SigningFolder(self.folder))
        return "".join([*(f"log {vkey}\n" for vkey in keys), "quorum none\n"]).encode()


@pytest.fixture(scope="module")
async def registration(server: str, tmp_path_factory: pytest.TempPathFactory) -> AsyncGenerator[Registration]:
    folder = tmp_path_factory.mktemp("signing")
    async with lent(server) as (database,), service(database, signing=str(folder), deployment="club.example") as client:
        tournament, _ = await running(client, "Ann Malá", "Bea Nová", "Cyril Dub", "Dora Veselá")
        await running(client, "Emil Starý", "Fero Suchý", "Gita Tichá", "Hana Bystrá")
        yield Registration(client, folder, tournament)


async def part(registration: Registration, tournament: str | None = None, **query: str) -> bytes:
    path = f"/v1/tournaments/{tournament or registration.tournament}/bundle"
    async with asyncio.timeout(PATIENCE):
        while True:
            answer = await registration.client.get(path, params=query, extensions=AT_ONCE)
            if answer.status_code == HTTPStatus.OK:
                return answer.content
            await asyncio.sleep(0.05)


async def test_its_part_holds_and_only_the_end_of_the_tournament_is_missing(
    registration: Registration, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    bundle, policy = tmp_path / "part.zip", tmp_path / "policy"
    bundle.write_bytes(await part(registration))
    policy.write_bytes(registration.policy)
    found = verified(bundle, policy, lambda _: None).report
    assert [str(one) for one in found.findings if one.verdict == "refuted"] == []
    recomputed = {one.clause for one in found.findings if one.verdict == "recomputed"}
    assert recomputed >= {"inclusion", "consistency", "messages", "lives", "offices"}
    assert {one.clause for one in found.findings if one.verdict == "missing"} <= {"seals"}
    assert alone().main([str(bundle), "--trust", str(policy)]) == found.exit_status
    assert "refuted" not in capsys.readouterr().out


async def test_it_has_the_events_of_one_tournament_and_no_name_of_anybody(
    registration: Registration, tmp_path: Path
) -> None:
    path = tmp_path / "part.zip"
    path.write_bytes(await part(registration))
    with opened(path) as bundle:
        bundle.require_undamaged()
        records = list(bundle.lines("logs/registration/records"))
        whole = b"\n".join(bundle.content(name) for name in bundle.list.files)
    assert bundle.list.tournament == registration.tournament
    assert sum(b'"type":"EntrantAdmitted"' in record for record in records) == 4
    assert not any(name.encode() in whole for name in ("Malá", "Starý", "Dora"))


async def test_it_has_whose_accounts_acted_and_on_request_what_is_personal_until_it_is_erased(
    registration: Registration, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    client, bundle, policy = registration.client, tmp_path / "part.zip", tmp_path / "policy"
    policy.write_bytes(registration.policy)
    federation = await founded(client, "SSS")
    tournament = (await announce(client, federation)).json()["id"]
    await done(client, tournament, "open")
    url = f"/v1/federations/{federation}/me"
    for who, name in ((OTHER, "Bea Stará"), (PLAYER, "Ada Nová")):
        known = await client.post(url, json={"name": name}, headers=signed_by(issuer().token(who)))
    entry = await done(client, tournament, "entrants", by=PLAYER, person=known.json()["person"])
    await done(client, tournament, "entrants", entry["id"], "detail", needs=["wheelchair-access"])
    await done(client, tournament, "entrants", entry["id"], "withdraw", by=PLAYER, reason={"code": "ill"})
    await done(client, tournament, "cancel")  # behind which it is signed at once

    async def judged(**query: str) -> list[BundleFinding]:
        records = b""
        async with asyncio.timeout(PATIENCE):
            while b'"type":"TournamentCancelled"' not in records:
                bundle.write_bytes(await part(registration, tournament, **query))
                with opened(bundle) as found:
                    records = b"".join(found.pieces("logs/registration/records"))
        report = verified(bundle, policy, lambda _: None).report
        assert [str(one) for one in report.findings if one.verdict == "refuted"] == []
        assert alone().main([str(bundle), "--trust", str(policy)]) == report.exit_status
        assert "refuted" not in capsys.readouterr().out
        assert (PLAYER.encode() in records, OTHER.encode() in records) == (True, False)
        return [one for one in report.findings if one.clause in ("contents", "offices")]

    assert "1 acts of entrants, by their own accounts" in [one.text for one in await judged()]
    assert {one.verdict for one in await judged(opened="true") if one.clause == "contents"} == {"recomputed"}
    erased = await client.delete(f"/v1/persons/{known.json()['person']}")
    assert erased.status_code == HTTPStatus.OK, erased.text
    gone = [one for one in await judged(opened="true") if one.clause == "contents"]
    assert [(one.verdict, "were erased" in one.text) for one in gone] == [("not checkable", True)]


async def test_it_is_for_auditors_and_for_a_tournament_that_there_is(registration: Registration) -> None:
    client = registration.client
    stranger = await client.get(f"{registration.path}/bundle", headers=signed_by(issuer().token(AUDITOR)))
    assert stranger.status_code == HTTPStatus.FORBIDDEN
    officials = f"{registration.path}/officials"
    await client.post(officials, json={"subject": AUDITOR, "role": "auditor"})
    auditor = await client.get(f"{registration.path}/bundle", headers=signed_by(issuer().token(AUDITOR)))
    assert auditor.status_code == HTTPStatus.OK, auditor.text
    nowhere = await client.get("/v1/tournaments/019aa4c2-0000-7000-8000-000000000000/bundle")
    problem(nowhere, HTTPStatus.NOT_FOUND, "nothing-here")
