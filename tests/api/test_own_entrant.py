"""A captain acts for the own entrant alone, and sees of other tables what everybody sees."""

from collections.abc import AsyncGenerator, Mapping
from http import HTTPStatus
from typing import Any

import pytest
from fastapi import APIRouter, Depends

from shared.access.policy import roles
from shared.access.roles import Role
from shared.http.authorization import ActGuard, Door
from shared.http.openapi import Undeclared, policies
from tests.api.asking import problem
from tests.api.hearing import CaptainIssuer
from tests.api.signing import signed_by
from tests.api.tables import GAMES, TOURNAMENT, Answer, Hall, hall, team
from tests.api.test_families import captains, done
from tests.api.test_records import WON_BY_WHITE

PROTESTS = f"/v1/tournaments/{TOURNAMENT}/protests"
REPORT: dict[str, Any] = {"boards": [[0, 1], [0, 1], [0, 1]]}

# What a captain of `ada`, at the table with `ben`, might send for the other side: each field that says for whom.
FOR_THE_OTHER: Mapping[tuple[str, str], tuple[str, dict[str, Any]]] = {
    ("reportResult", "signed_by"): ("/v1/games/g1/reports", REPORT | {"signed_by": [1]}),
    ("reportResultAtTable", "signed_by"): (
        f"/v1/tournaments/{TOURNAMENT}/stages/groups/rounds/1/tables/1/reports",
        REPORT | {"signed_by": [1]},
    ),
    ("makeChoice", "entrant"): ("/v1/games/g1/choose", {"entrant": "ben", "takes": "colour", "first": "ben"}),
    ("giveLineUp", "entrant"): ("/v1/games/g1/line-up", {"entrant": "ben", "persons": team("ben")}),
    ("askFor", "entrant"): ("/v1/games/g1/ask", {"entrant": "ben", "wish": "board-draw"}),
    ("fileProtest", "entrant"): (PROTESTS, {"entrant": "ben", "game": "g1", "reason": "The clock."}),
}
FIELDS = {"entrant", "signed_by"}


@pytest.fixture
async def teams(database: str) -> AsyncGenerator[tuple[Hall, CaptainIssuer]]:
    async with hall(database, games=GAMES, rules="pisqworky-2025-zs-ot", stage="groups") as cup:
        yield cup, await captains(cup)


async def said(cup: Hall, issuer: CaptainIssuer, entrant: str, path: str, body: object = None) -> Answer:
    return await cup.client.post(path, json=body, headers=signed_by(issuer.token(entrant, TOURNAMENT)))


async def seen(cup: Hall, issuer: CaptainIssuer, entrant: str, path: str) -> Answer:
    return await cup.client.get(path, headers=signed_by(issuer.token(entrant, TOURNAMENT)))


async def test_no_captain_starts_a_game_of_others_so_their_line_ups_stay_theirs(
    teams: tuple[Hall, CaptainIssuer],
) -> None:
    cup, issuer = teams
    problem(await said(cup, issuer, "cid", "/v1/games/g1/start", {}), HTTPStatus.FORBIDDEN, "not-permitted")
    line_up = {"entrant": "ada", "persons": team("ada")}
    done(await said(cup, issuer, "ada", "/v1/games/g1/line-up", line_up))
    await cup.recall(1, "r1", "g1", "g2", "g3")
    assert len(await cup.told("RecallAccepted")) == 1


async def test_incidents_rulings_and_the_story_of_a_game_are_for_its_own_table(
    teams: tuple[Hall, CaptainIssuer],
) -> None:
    cup, issuer = teams
    done(await cup.act("g1", "incidents", {"what": "conduct", "words": "Loud."}, by="art"))
    for what in ("incidents", "objections", "history"):
        for own in ("ada", "ben"):
            assert (await seen(cup, issuer, own, f"/v1/games/g1/{what}")).status_code == HTTPStatus.OK
        problem(await seen(cup, issuer, "cid", f"/v1/games/g1/{what}"), HTTPStatus.FORBIDDEN, "not-permitted")


async def test_what_is_not_final_is_shown_to_the_own_table(teams: tuple[Hall, CaptainIssuer]) -> None:
    cup, issuer = teams
    done(await said(cup, issuer, "ada", "/v1/games/g1/line-up", {"entrant": "ada", "persons": team("ada")}))
    for own, line_ups in (("ada", 1), ("ben", 1), ("cid", 0)):
        shown = done(await seen(cup, issuer, own, "/v1/games/g1"))
        assert len(shown["line_ups"]) == line_ups
        assert (shown["reports"] is None) == (own == "cid")
        allowed = {name for name, one in shown["allowed_actions"].items() if one["allowed"]}
        assert ("startGame" in allowed) == (own != "cid")
    assert (await cup.look("g1"))["line_ups"] == []
    done(await said(cup, issuer, "ada", "/v1/games/g1/start", {}))
    assert len((await cup.look("g1"))["line_ups"]) == 1


async def test_whether_a_record_agrees_with_what_is_not_final_is_for_the_own_table(database: str) -> None:
    async with hall(database, rules="gomoku-cfp") as cup:
        issuer = await captains(cup)
        done(await said(cup, issuer, "ada", "/v1/games/g1/records", {"moves": WON_BY_WHITE, "opening": "swap"}))
        done(await said(cup, issuer, "ada", "/v1/games/g1/reports", {"winner": 1, "end_reason": "five_claimed"}))
        for own, agrees in (("ada", False), ("ben", False), ("cid", None)):
            (record,) = done(await seen(cup, issuer, own, "/v1/games/g1/records"))["records"]
            assert record["agrees"] is agrees


async def test_a_captain_reads_no_log_and_lists_no_protests(teams: tuple[Hall, CaptainIssuer]) -> None:
    cup, issuer = teams
    for path in (f"/v1/log/{TOURNAMENT}", PROTESTS):
        problem(await seen(cup, issuer, "ada", path), HTTPStatus.FORBIDDEN, "not-permitted")


async def test_a_captain_protests_for_the_own_entrant(teams: tuple[Hall, CaptainIssuer]) -> None:
    cup, issuer = teams
    protest = {"entrant": "ada", "game": "g1", "reason": "The clock."}
    done(await said(cup, issuer, "ada", PROTESTS, protest))
    for body in ({}, {"entrant": 1}, {"entrant": ["ada"]}):
        problem(await said(cup, issuer, "ada", PROTESTS, body), HTTPStatus.UNPROCESSABLE_ENTITY, "malformed")


async def test_nobody_says_anything_for_the_other_side(teams: tuple[Hall, CaptainIssuer]) -> None:
    """Made from the document: an operation that is new, or has a new field that says for whom, is missed here."""
    cup, issuer = teams
    document = (await cup.client.get("/openapi.json")).json()
    found = {
        (operation["operationId"], field)
        for methods in document["paths"].values()
        for operation in methods.values()
        if operation.get("x-roundlog-may", {}).get("captains")
        for field in FIELDS & fields(operation, document)
    }
    assert found == FOR_THE_OTHER.keys()
    before = await log(cup)
    for path, body in FOR_THE_OTHER.values():
        refused = await said(cup, issuer, "ada", path, body)
        assert refused.status_code == HTTPStatus.FORBIDDEN, (path, refused.text)
    assert await log(cup) == before


@pytest.mark.rule("PQ.RES-14")
@pytest.mark.parametrize("role", [Role.SCORER, Role.COORDINATOR])
async def test_one_scorer_makes_no_match_final_with_a_token_for_each_side(
    teams: tuple[Hall, CaptainIssuer], role: Role
) -> None:
    cup, issuer = teams
    tokens = {side: issuer.token(side, TOURNAMENT, by="sue", role=role) for side in ("ada", "ben")}
    tokens["of another"] = issuer.token("ben", TOURNAMENT, by="sam", role=role, serial=2)

    async def post(what: str, body: object, by: str) -> Answer:
        return await cup.client.post(f"/v1/games/{what}", json=body, headers=signed_by(tokens[by]))

    (report,) = done(await post("g1/reports", REPORT, "ada"))["reports"]
    for what, body in (("g1/confirm", {"report": report["number"]}), ("g1/reports", REPORT)):
        refused = problem(await post(what, body, "ben"), HTTPStatus.FORBIDDEN, "one-for-both")
        assert "let another official issue one of the tokens" in refused.detail
        assert refused.detail.endswith("(PQ.RES-14).")
    assert (await cup.look("g1"))["status"] == "reported"
    assert done(await post("g1/confirm", {"report": report["number"]}, "of another"))["status"] == "final"
    (agreed,) = await cup.told("ResultAgreed")
    assert (agreed["actor"], agreed["data"]["confirmed_by"]["vouched_by"]) == ("captain:ben:1:2", "sam")


async def test_tokens_of_who_may_decide_alone_make_a_match_final(teams: tuple[Hall, CaptainIssuer]) -> None:
    cup, issuer = teams
    (report,) = done(await said(cup, issuer, "ada", "/v1/games/g1/reports", REPORT))["reports"]
    final = await said(cup, issuer, "ben", "/v1/games/g1/confirm", {"report": report["number"]})
    assert done(final)["status"] == "final"


def fields(operation: dict[str, Any], document: dict[str, Any]) -> set[str]:
    content = operation.get("requestBody", {}).get("content", {}).get("application/json", {})
    return fields_of(content.get("schema", {}), document)


def fields_of(schema: dict[str, Any], document: dict[str, Any]) -> set[str]:
    """Also of its parts, and of each form that it may have."""
    if reference := schema.get("$ref"):
        return fields_of(document["components"]["schemas"][reference.rpartition("/")[2]], document)
    parts = [*schema.get("allOf", ()), *schema.get("anyOf", ())]
    return set(schema.get("properties", {})).union(*(fields_of(part, document) for part in parts))


async def log(cup: Hall) -> bytes:
    return (await cup.client.get(f"/v1/log/{TOURNAMENT}", headers=cup.signed("aud"))).content


@pytest.mark.parametrize("whose", ["entrant", "game_id", "scope"])
def test_a_service_does_not_start_with_an_act_of_captains_that_says_not_whose(whose: str) -> None:
    door = Door(grants=None, operators=frozenset(), reached={})  # pyrefly: ignore[bad-argument-type] - never asked
    router = APIRouter()
    policy = roles(scope="tournament_id", captains=whose)

    @router.post(
        "/v1/{tournament_id}/{game_id}", operation_id="act", dependencies=[Depends(ActGuard(door=door, policy=policy))]
    )
    async def act(tournament_id: str, game_id: str) -> None: ...

    with pytest.raises(Undeclared, match=whose):
        policies([router])
