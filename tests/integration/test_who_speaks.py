"""Captains: a token that registration gives is good at another service, until its captain is dismissed."""

import asyncio
import time
from collections.abc import AsyncGenerator
from datetime import timedelta
from http import HTTPStatus
from pathlib import Path

import httpx
import jwt
import msgspec
import pytest

from deploy.databases import connection
from deploy.local import nats
from shared.access import captain_tokens
from shared.access.roles import Role
from shared.clock import now
from shared.contracts.registration import CaptainNamed
from shared.log.database import Database
from shared.log.postgres import PostgresStore
from tests.api.asking import issuer, problem
from tests.api.hearing import CaptainIssuer, announced, appointed, hear
from tests.api.signing import signed_by
from tests.integration.speaking import (
    ANOTHER,
    FEDERATION,
    OFFICIALS,
    TOURNAMENT,
    accepted,
    appoint,
    path,
    registration,
    report,
    results,
    token,
)

LAST_LOOK = 2  # what is remembered is not enough to refuse somebody
REVOKED_WITHIN = 2.0  # seconds: one that services remember, and the way
STEPS = 20  # of the way, none longer than a report takes meanwhile


@pytest.fixture
async def broker(tmp_path: Path) -> AsyncGenerator[nats.NatsServer]:
    async with nats.running(tmp_path / "nats") as running:
        yield running


async def test_a_captain_speaks_for_their_entrant_at_another_service(
    broker: nats.NatsServer, databases: tuple[str, str], tmp_path: Path
) -> None:
    async with (
        registration(databases[0], broker.urls, tmp_path / "key") as here,
        results(databases[1], broker.urls) as there,
    ):
        issued = await here.post(path("ann", "/token"))
        assert issued.json()["captain"] | {"allowed_actions": {}} == {
            "tournament": TOURNAMENT,
            "entrant": "ann",
            "named": True,
            "generation": 1,
            "allowed_actions": {},
        }
        answer = await accepted(there, issued.json()["token"])
        assert answer.json() == {"game": "game-1", "by": "captain:ann:1:1", "for": "ann"}
        elsewhere = await report(there, issued.json()["token"], "game-2")
        problem(elsewhere, HTTPStatus.FORBIDDEN, "not-permitted")
        unknown = await report(there, issued.json()["token"], "game-3")
        problem(unknown, HTTPStatus.NOT_FOUND, "nothing-there")
        assert (await there.post("/v1/games/game-3/reports")).status_code == HTTPStatus.UNAUTHORIZED


async def test_a_dismissal_voids_all_tokens_so_far_everywhere_and_at_once(
    broker: nats.NatsServer, databases: tuple[str, str], tmp_path: Path
) -> None:
    async with (
        registration(databases[0], broker.urls, tmp_path / "key") as here,
        results(databases[1], broker.urls) as there,
    ):
        first, second, other = await token(here, "ann"), await token(here, "ann"), await token(here, "bob")
        for good in (first, second, other):
            assert (await accepted(there, good)).status_code == HTTPStatus.OK
        foreseen = await here.post(path("ann", "/dismiss"), params={"dry_run": True})
        assert foreseen.json()["lost"] == ["All tokens of generation 1 are void at once."]
        steps: list[float] = []

        async def reported(captain: str) -> httpx.Response:
            began = time.monotonic()
            answer = await report(there, captain)
            steps.append(time.monotonic() - began)
            return answer

        began = time.monotonic()
        dismissed = await here.post(path("ann", "/dismiss"))
        assert (dismissed.json()["named"], dismissed.json()["generation"]) == (False, 2)
        for void in (first, second):
            while (await reported(void)).status_code == HTTPStatus.OK:
                await asyncio.sleep(0.01)
            problem(await reported(void), HTTPStatus.UNAUTHORIZED, "unauthenticated")
        assert time.monotonic() - began < REVOKED_WITHIN + STEPS * max(steps)
        assert (await report(there, other)).status_code == HTTPStatus.OK
        again = await token(here, "ann")
        assert (await report(there, again)).json()["by"] == "captain:ann:2:3"


async def test_whoever_names_the_dismissal_is_judged_by_it(
    broker: nats.NatsServer, databases: tuple[str, str], tmp_path: Path
) -> None:
    async with (
        registration(databases[0], broker.urls, tmp_path / "key") as here,
        results(databases[1], broker.urls) as there,
    ):
        void = await token(here, "ann")
        assert (await accepted(there, void)).status_code == HTTPStatus.OK
        dismissed = await here.post(path("ann", "/dismiss"))
        after_it = {"Roundlog-Min-Position": dismissed.headers["Roundlog-Position"]}
        refused = await there.post("/v1/games/game-1/reports", headers=signed_by(void) | after_it)
        problem(refused, HTTPStatus.UNAUTHORIZED, "unauthenticated")


async def test_a_token_ends_with_the_office_in_which_it_was_issued_and_a_new_appointment_revives_none(
    broker: nats.NatsServer, databases: tuple[str, str], tmp_path: Path
) -> None:
    async with (
        registration(databases[0], broker.urls, tmp_path / "key") as here,
        results(databases[1], broker.urls) as there,
    ):
        sue = signed_by(issuer().token("sue"))
        office = {"subject": "sue", "role": "scorer"}

        async def issued_by_sue() -> str:
            answer = await here.post(path("ann", "/token"), headers=sue)
            assert (answer.status_code, answer.json()["issued_as"]) == (HTTPStatus.OK, "scorer"), answer.text
            return answer.json()["token"]

        await appoint(here, databases[0], office)
        of_scorer, of_director = await issued_by_sue(), await token(here, "bob")
        for good in (of_scorer, of_director):
            assert (await accepted(there, good)).status_code == HTTPStatus.OK
        dismissed = await here.post(OFFICIALS + "/dismiss", json=office)
        after_it = {"Roundlog-Min-Position": dismissed.headers["Roundlog-Position"]}
        refused = await there.post("/v1/games/game-1/reports", headers=signed_by(of_scorer) | after_it)
        problem(refused, HTTPStatus.UNAUTHORIZED, "unauthenticated")
        assert (await report(there, of_director)).status_code == HTTPStatus.OK
        problem(await here.post(path("ann", "/token"), headers=sue), HTTPStatus.FORBIDDEN, "not-permitted")
        await appoint(here, databases[0], office)
        problem(await report(there, of_scorer), HTTPStatus.UNAUTHORIZED, "unauthenticated")
        anew = await issued_by_sue()
        assert (await report(there, anew)).json()["by"] == "captain:ann:1:2"


async def test_the_log_says_of_each_token_who_has_issued_it(
    broker: nats.NatsServer, databases: tuple[str, str], tmp_path: Path
) -> None:
    async with registration(databases[0], broker.urls, tmp_path / "key") as here:
        await appoint(here, databases[0], {"subject": "sue", "role": "scorer"})
        for by in ("dora", "sue", "dora"):
            issued = await here.post(path("ann", "/token"), headers=signed_by(issuer().token(by)))
            assert issued.json()["subject"] == f"captain:ann:1:{issued.json()['serial']}"
        store = PostgresStore(databases[0])
        async with store.running():
            records = [msgspec.json.decode(row.event.record) for row in await store.read()]
    told = [record for record in records if record["type"] == "CaptainTokenIssued"]
    assert [(one["actor"], one["data"]["serial"], one["data"]["issuer"]["role"]) for one in told] == [
        ("dora", 1, "director"),
        ("sue", 2, "scorer"),
        ("dora", 3, "director"),
    ]


async def test_a_token_is_never_kept(broker: nats.NatsServer, databases: tuple[str, str], tmp_path: Path) -> None:
    async with registration(databases[0], broker.urls, tmp_path / "key") as here:
        key = {"Idempotency-Key": "once"}
        first = await here.post(path("ann", "/token"), headers=key)
        again = await here.post(path("ann", "/token"), headers=key)
        assert again.json() == first.json()
        assert again.headers["ETag"] == first.headers["ETag"]
        async with connection(databases[0]) as database:
            kept = await database.fetch("select response from log.answers")
        assert kept
        for row in kept:
            assert first.json()["token"].encode() not in row["response"]
        await here.post(path("ann", "/dismiss"))
        problem(await here.post(path("ann", "/token"), headers=key), HTTPStatus.CONFLICT, "dismissed-since")


async def test_only_for_entrants_and_only_by_officials(
    broker: nats.NatsServer, databases: tuple[str, str], tmp_path: Path
) -> None:
    async with registration(databases[0], broker.urls, tmp_path / "key") as here:
        problem(await here.post(path("cid", "/token")), HTTPStatus.NOT_FOUND, "entrant-unknown")
        problem(await here.post(path("cid", "/dismiss")), HTTPStatus.NOT_FOUND, "entrant-unknown")
        problem(await here.post(path("ann", "/dismiss")), HTTPStatus.NOT_FOUND, "no-captain")
        assert (await here.get(path("ann"))).json()["generation"] == 0
        refused = await here.post(path("cid", "/token", ANOTHER))
        problem(refused, HTTPStatus.FORBIDDEN, "not-permitted")
        captain = await token(here, "ann")
        refused = await here.post(path("bob", "/token"), headers=signed_by(captain))
        assert refused.status_code in {HTTPStatus.SERVICE_UNAVAILABLE, HTTPStatus.FORBIDDEN}  # its tables may lag


async def test_a_token_that_is_not_quite_right_is_none(broker: nats.NatsServer, databases: tuple[str, str]) -> None:
    issuing, forger = CaptainIssuer(), CaptainIssuer()
    named = CaptainNamed(entrant="ann", tournament=TOURNAMENT, generation=3)
    await hear(databases[1], issuing.introduced, named)
    bad: dict[str, str] = {
        "expired": issuing.token("ann", TOURNAMENT, generation=3, seconds=-60),
        "for another audience": issuing.token("ann", TOURNAMENT, generation=3, claims={"aud": "elsewhere"}),
        "as if by the issuer": issuing.token("ann", TOURNAMENT, generation=3, claims={"iss": "roundlog"}),
        "of an old generation": issuing.token("ann", TOURNAMENT, generation=2),
        "with another subject": issuing.token("ann", TOURNAMENT, generation=3, claims={"sub": "captain:bob:3:1"}),
        "of the version before": issuing.token(
            "ann", TOURNAMENT, generation=3, claims={"sub": "captain:ann:3", "serial": None, "issuer": None}
        ),
        "of who knows when issued by whom": issuing.token("ann", TOURNAMENT, generation=3, claims={"issuer": None}),
        "without a tournament": issuing.token("ann", TOURNAMENT, generation=3, claims={"tournament": None}),
        "of another key": forger.token("ann", TOURNAMENT, generation=3),
        "of a forged key": forger.token("ann", TOURNAMENT, generation=3, kid=issuing.introduced.key),
        "of no key": forger.token("ann", TOURNAMENT, generation=3, kid="\x00"),
    }
    async with results(databases[1], broker.urls) as there:
        assert (await report(there, issuing.token("ann", TOURNAMENT, generation=3))).status_code == HTTPStatus.OK
        for kind, wrong in bad.items():
            assert (await report(there, wrong)).status_code == HTTPStatus.UNAUTHORIZED, kind


async def test_a_captain_of_whom_nobody_has_heard_yet_is_taken_at_their_word(
    broker: nats.NatsServer, databases: tuple[str, str]
) -> None:
    issuing = CaptainIssuer()
    await hear(databases[1], issuing.introduced)
    async with results(databases[1], broker.urls) as there:
        assert (await report(there, issuing.token("ann", TOURNAMENT, generation=7))).status_code == HTTPStatus.OK


@pytest.mark.parametrize(("ago", "status"), [(11, HTTPStatus.OK), (13, HTTPStatus.UNAUTHORIZED)])
async def test_a_key_that_was_replaced_is_good_for_as_long_as_its_tokens(
    ago: int, status: HTTPStatus, broker: nats.NatsServer, databases: tuple[str, str]
) -> None:
    before, after = CaptainIssuer(), CaptainIssuer()
    await hear(databases[1], before.introduced, at=now() - timedelta(hours=48))
    await hear(databases[1], after.introduced, at=now() - timedelta(hours=ago))
    async with results(databases[1], broker.urls) as there:
        assert (await report(there, before.token("ann", TOURNAMENT))).status_code == status
        assert (await report(there, after.token("ann", TOURNAMENT))).status_code == HTTPStatus.OK


async def test_a_second_key_is_introduced_and_the_first_stays_good(
    broker: nats.NatsServer, databases: tuple[str, str], tmp_path: Path
) -> None:
    async with results(databases[1], broker.urls) as there:
        tokens: list[str] = []
        for name in ("one", "two", "two"):
            async with registration(databases[0], broker.urls, tmp_path / name) as here:
                tokens.append(await token(here, "ann"))
                assert (await accepted(there, tokens[-1])).status_code == HTTPStatus.OK
        assert (await report(there, tokens[0])).status_code == HTTPStatus.OK
        store = PostgresStore(databases[0])
        async with store.running():
            introduced = [row for row in await store.read() if row.event.type == "CaptainKeyIntroduced"]
        assert len(introduced) == 2


async def test_a_token_says_little_and_not_for_long(
    broker: nats.NatsServer, databases: tuple[str, str], tmp_path: Path
) -> None:
    async with registration(databases[0], broker.urls, tmp_path / "key") as here:
        claims = jwt.decode(await token(here, "ann"), options={"verify_signature": False})
        assert claims["exp"] - claims["iat"] == captain_tokens.LONGEST.total_seconds()
        assert claims.keys() == {
            "iss",
            "aud",
            "sub",
            "iat",
            "exp",
            "tournament",
            "entrant",
            "generation",
            "serial",
            "issuer",
        }


async def test_a_federations_director_acts_for_its_tournaments_at_another_service(
    broker: nats.NatsServer, databases: tuple[str, str]
) -> None:
    director = issuer().token("dora")
    await hear(databases[1], announced(TOURNAMENT, FEDERATION), appointed(FEDERATION, "dora", Role.DIRECTOR))
    async with results(databases[1], broker.urls) as there:
        assert (await report(there, director)).json()["for"] == "anybody"
        problem(await report(there, director, "game-2"), HTTPStatus.SERVICE_UNAVAILABLE, "unavailable")
        await hear(databases[1], announced(ANOTHER, FEDERATION))
        assert (await report(there, director, "game-2")).status_code == HTTPStatus.OK
        problem(await report(there, issuer().token("somebody")), HTTPStatus.FORBIDDEN, "not-permitted")


async def test_an_official_is_not_refused_because_registration_is_heard_while_they_ask(
    broker: nats.NatsServer, databases: tuple[str, str], monkeypatch: pytest.MonkeyPatch
) -> None:
    fetch = Database.fetch
    looked_up: list[object] = []

    async def overtaken(self: Database, query: str, *arguments: object) -> object:
        found = await fetch(self, query, *arguments)
        if "inbox.grants" in query:
            looked_up.append(found)
        if len(looked_up) == LAST_LOOK:
            await hear(databases[1], appointed(FEDERATION, "dora", Role.DIRECTOR), announced(TOURNAMENT, FEDERATION))
        return found

    monkeypatch.setattr(Database, "fetch", overtaken)
    async with results(databases[1], broker.urls) as there:
        asked = await report(there, issuer().token("dora"))
        problem(asked, HTTPStatus.SERVICE_UNAVAILABLE, "unavailable")
        assert looked_up == [[]] * LAST_LOOK
        assert (await report(there, issuer().token("dora"))).status_code == HTTPStatus.OK


async def test_nobody_is_refused_for_a_key_that_registration_has_not_told_of_yet(
    broker: nats.NatsServer, databases: tuple[str, str]
) -> None:
    issuing = CaptainIssuer()
    async with results(databases[1], broker.urls) as there:
        late = await report(there, issuing.token("ann", TOURNAMENT))
        problem(late, HTTPStatus.SERVICE_UNAVAILABLE, "unavailable")
        await hear(databases[1], issuing.introduced)
        assert (await report(there, issuing.token("ann", TOURNAMENT))).status_code == HTTPStatus.OK
        forged = await report(there, CaptainIssuer().token("ann", TOURNAMENT))
        problem(forged, HTTPStatus.UNAUTHORIZED, "unauthenticated")


async def test_who_may_is_not_asked_of_the_database_with_each_request(
    broker: nats.NatsServer, databases: tuple[str, str], monkeypatch: pytest.MonkeyPatch
) -> None:
    asked: list[str] = []
    fetch = Database.fetch

    async def counted(self: Database, query: str, *arguments: object) -> object:
        if "proof." not in query:  # of the trees, which grow by themselves
            asked.append(query)
        return await fetch(self, query, *arguments)

    monkeypatch.setattr(Database, "fetch", counted)
    issuing, director = CaptainIssuer(), issuer().token("dora")
    known = announced(TOURNAMENT, FEDERATION), appointed(FEDERATION, "dora", Role.DIRECTOR), issuing.introduced
    await hear(databases[1], *known)
    captain = issuing.token("ann", TOURNAMENT)
    began = time.monotonic()
    async with results(databases[1], broker.urls) as there:
        for _ in range(100):
            for somebody in (director, captain):
                assert (await report(there, somebody)).status_code == HTTPStatus.OK
    seconds = time.monotonic() - began
    assert len(asked) <= 4 + 2 * seconds
    assert sum("inbox.parents" in query for query in asked) == 1
