"""Who I am at pairing and at standings, and what waits for me there."""

from http import HTTPStatus
from typing import Any

import pytest

from shared.access.roles import Role
from shared.contracts.registration import EntrantAdmitted, OfficialAppointed, TournamentAnnounced, TournamentCompleted
from shared.ids import new_id
from tests.api.asking import Client, issuer, service
from tests.api.hearing import CaptainIssuer
from tests.api.signing import signed_by
from tests.played import completed, published, result, started
from tests.told import done, tell

CAPTAINS = CaptainIssuer()
FEDERATION = "019aa4c2-7d5e-7a40-8f3e-2b6f1f0c9d11"


async def cup(database: str, name: str, entrants: list[str]) -> str:
    """A tournament of four with a round of which one result is missing."""
    identity = str(new_id())
    plan = TournamentAnnounced(
        tournament=identity,
        federation=FEDERATION,
        name=name,
        ruleset="scrabble-sk-2022-qt",
        time_zone="Europe/Bratislava",
        starts_on="2026-03-14",
    )
    dora = OfficialAppointed(scope=FEDERATION, subject="dora", role=Role.DIRECTOR)
    await tell(database, "registration", FEDERATION, CAPTAINS.introduced, dora)
    await tell(database, "registration", identity, plan, *started(identity, entrants))
    one, two, three, four = entrants
    await tell(database, "pairing", identity, published(identity, 1, [(one, two), (three, four)]))
    await tell(database, "results", identity, result(identity, 1, 1, (one, two), (400, 300)))
    await done(database)
    return identity


async def me(client: Client, token: str) -> dict[str, Any]:
    answer = await client.get("/v1/me", headers=signed_by(token))
    assert answer.status_code == HTTPStatus.OK, answer.text
    return answer.json()


@pytest.fixture
def entrants() -> list[str]:
    return [str(new_id()) for _ in range(4)]


async def test_officials_see_what_is_next_and_captains_their_table(database: str, entrants: list[str]) -> None:
    async with service(database, name="pairing", signed_in=False) as client:
        identity = await cup(database, "Danube Open", entrants)
        found = await me(client, issuer().token("dora"))
        assert [(one["scope"], one["role"]) for one in found["offices"]] == [(FEDERATION, "director")]
        (one,) = found["tournaments"]
        assert (one["tournament"], one["tournament_name"], found["rounds"]) == (identity, "Danube Open", [])
        assert one["next"]["round"] == 2
        found = await me(client, CAPTAINS.token(entrants[3], identity))
        (own,) = found["rounds"]
        assert (own["round"], own["title"].split(",")[0], own["rests"]) == (1, "Swiss", None)
        assert [(pair["table"], pair["status"]) for pair in own["tables"]] == [(2, "pending")]
        assert [(player["entrant"], player["number"]) for player in own["against"]] == [(entrants[2], 3)]
        stranger = await me(client, issuer().token("a-stranger"))
        assert (stranger["offices"], stranger["tournaments"], stranger["rounds"]) == ([], [], [])
        await tell(database, "registration", identity, TournamentCompleted(tournament=identity))
        await done(database)
        assert (await me(client, issuer().token("dora")))["tournaments"] == []


async def test_officials_see_what_is_to_be_closed_and_captains_their_place(database: str, entrants: list[str]) -> None:
    async with service(database, name="standings", signed_in=False) as client:
        identity = await cup(database, "Danube Open", entrants)
        (one,) = (await me(client, issuer().token("dora")))["tournaments"]
        (stage,) = one["stages"]
        assert "table 2" in " ".join(stage["obstacles"])
        last = result(identity, 1, 2, entrants[2:], (350, 350))
        await tell(database, "results", identity, last, completed(identity, 1))
        await done(database)
        (place,) = (await me(client, CAPTAINS.token(entrants[0], identity)))["places"]
        assert (place["place"], place["of"], place["values"]["points"]) == (1, 4, 1)
        late = str(new_id())
        admitted = EntrantAdmitted(entrant=late, tournament="not-started", persons=("p",), number=1)
        await tell(database, "registration", "not-started", admitted)
        await done(database)
        assert (await me(client, CAPTAINS.token(late, "not-started")))["places"] == []
