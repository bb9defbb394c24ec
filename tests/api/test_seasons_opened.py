"""Seasons at registration: opened by a federation, counted in by tournaments, and seeded from."""

from http import HTTPStatus
from typing import Any

import httpx
import pytest

from shared.contracts.parts import RatedPerson
from shared.contracts.standings import RatingListPublished
from shared.rulesets import seasons
from tests.api.asking import Client, founded, issuer, problem, strangers
from tests.api.holding import announce, done, entered
from tests.api.signing import signed_by
from tests.told import done as taken_effect
from tests.told import tell

RULES = "scrabble-sk-2022"
ONLINE = {
    "ruleset": "scrabble-sk-2022-online",
    "first_round": "18:00",
    "entry": {"fees": [{"amount": 5, "currency": "EUR"}]},
}


def pointers(answer: httpx.Response) -> list[str]:
    problem(answer, HTTPStatus.UNPROCESSABLE_ENTITY, "faulty")
    return sorted(fault["pointer"] for fault in answer.json()["errors"])


async def opened(client: Client, federation: str, name: str = "2022/2023") -> str:
    answer = await client.post(f"/v1/federations/{federation}/seasons", json={"name": name, "rules": RULES})
    assert answer.status_code == HTTPStatus.CREATED, answer.text
    return answer.json()["id"]


async def of_season(client: Client, federation: str, season: str, **said: Any) -> dict[str, Any]:
    answer = await announce(client, federation, season=season, **said)
    assert answer.status_code == HTTPStatus.CREATED, answer.text
    return answer.json()


@pytest.mark.rule("SK.STA-6")
async def test_a_season_is_opened_by_rules_that_stay_as_they_are(client: Client) -> None:
    federation = await founded(client, "SSS")
    season = await opened(client, federation)
    path = f"/v1/federations/{federation}/seasons"
    found = (await client.get(f"{path}/{season}")).json()
    assert (found["name"], found["rules"], found["whole"]["places"][:2]) == ("2022/2023", RULES, [40, 35])
    assert [one["id"] for one in (await client.get(path)).json()["items"]] == [season]
    again = await client.post(path, json={"name": "2022/2023", "rules": RULES})
    problem(again, HTTPStatus.CONFLICT, "season-taken")
    own = seasons.load(RULES).model_dump(mode="json") | {"id": "own"}
    changed = await client.post(path, json={"name": "own", "rules": own | {"implied": {"pair": "nothing"}}})
    assert pointers(changed) == ["/rules/implied/pair"]
    twice = own | {"slots": [{"kinds": ["live", "m"], "best": 6}, {"kinds": ["online", "m", "live"]}]}
    changed = await client.post(path, json={"name": "own", "rules": twice})
    assert pointers(changed) == ["/rules/slots/1/kinds/1", "/rules/slots/1/kinds/2"]
    assert "live fills a slot before this one, and a result counts once" in changed.text
    assert pointers(await client.post(path, json={"name": "own", "rules": "elsewhere"})) == ["/rules"]
    stranger = signed_by(issuer().token("somebody"))
    problem(
        await client.post(path, json={"name": "x", "rules": RULES}, headers=stranger),
        HTTPStatus.FORBIDDEN,
        "not-permitted",
    )
    problem(await client.get(f"{path}/elsewhere"), HTTPStatus.NOT_FOUND, "season-unknown")


@pytest.mark.rule("SK.REG-8", "SK.STA-6", "SK.STA-9")
async def test_a_tournament_counts_as_what_it_is(client: Client) -> None:
    federation = await founded(client, "SSS")
    season = await opened(client, federation)
    kinds: dict[str, tuple[dict[str, Any], tuple[str, str | None]]] = {
        "as its ruleset says": ({}, ("live", "live")),
        "of pairs": ({"entry": {"kind": "pair"}}, ("pairs", None)),
        "m": ({"variant": "m"}, ("m", "live")),
        "m by its options": ({"options": {"contest.variant": "m"}}, ("m", "live")),
        "online": (ONLINE, ("online", "online")),
        "instead of a live one": ({**ONLINE, "season_kind": "live-replaced"}, ("live-replaced", "online")),
        "m online": ({**ONLINE, "variant": "m"}, ("m", "online")),
        "an online championship": ({**ONLINE, "competition": "championship"}, ("championship", "online")),
        "the laying-out championship": (
            {"ruleset": "scrabble-sk-2022-ms", "competition": "laying-out"},
            ("laying-out", "live"),
        ),
        "the B tournament": ({"ruleset": "scrabble-sk-2022-ms", "competition": "other"}, ("other", "live")),
        "as was said": ({"variant": "m", "rating_list": "online"}, ("m", "online")),
    }
    for said, expected in kinds.values():
        found = await of_season(client, federation, season, **said)
        assert (found["season"], found["season_kind"], found["rating_list"]) == (season, *expected)


@pytest.mark.rule("SK.STA-6", "SK.STA-8")
async def test_what_cannot_count_so_is_refused_with_all_faults(client: Client) -> None:
    federation = await founded(client, "SSS")
    season = await opened(client, federation)

    async def faults(**said: Any) -> list[str]:
        return pointers(await announce(client, federation, **said))

    assert strangers(await announce(client, federation, organisers=["nobody"])) == ["/organisers/0"]
    assert await faults(season="elsewhere", region="nowhere") == ["/region", "/season"]
    assert await faults(season_kind="live", rating_list="live") == ["/rating_list", "/season_kind"]
    assert await faults(season=season, season_kind="live", entry={"kind": "pair"}) == ["/season_kind"]
    assert await faults(season=season, season_kind="live", variant="m") == ["/season_kind"]
    assert await faults(season=season, entry={"kind": "pair"}, rating_list="live") == ["/rating_list"]
    assert await faults(season=season, season_kind="friendly") == ["/season_kind"]
    assert await faults(season=season, competition="cup") == ["/season_kind"]
    person = await client.post("/v1/persons", json={"federation": federation, "name": "Mária"})
    found = await of_season(client, federation, season, organisers=[person.json()["id"]])
    assert found["organisers"] == [person.json()["id"]]
    change = {"variant": "m", "reason": {"code": "mistake"}}
    changed = await client.post(f"/v1/tournaments/{found['id']}/change-plan", json=change)
    assert "counts in its season as live" in problem(changed, HTTPStatus.CONFLICT, "bound-by-entries").detail


@pytest.mark.rule("SK.REG-7")
async def test_entrants_are_seeded_by_the_list_that_was_published_last(new_client: Client, database: str) -> None:
    federation = await founded(new_client, "SSS")
    tournament = (await announce(new_client, federation)).json()["id"]
    await done(new_client, tournament, "open")
    people = {
        name: (await new_client.post("/v1/persons", json={"federation": federation, "name": name})).json()["id"]
        for name in ("Anna", "Boris", "Cyril", "Again")
    }
    merge = {"duplicate": people["Again"], "reason": "registered-twice"}
    assert (await new_client.post(f"/v1/persons/{people['Cyril']}/merge", json=merge)).is_success
    await entered(new_client, tournament, "Own")
    for name in ("Boris", "Anna", "Cyril"):
        await done(new_client, tournament, "entrants", person={"id": people[name]})
    await done(new_client, tournament, "entrants", person={"name": "New"})

    def published(on: str, called: str, **ratings: int) -> RatingListPublished:
        rows = tuple(RatedPerson(person=people[name], rating=rating) for name, rating in ratings.items())
        return RatingListPublished(season="s", federation=federation, list=called, on=on, ratings=rows)

    await tell(
        database,
        "standings",
        "s",
        published("2026-10-01", "screlo", Anna=2100, Boris=1700, Again=1650),
        published("2026-09-01", "screlo", Anna=1000),
        published("2026-10-02", "screlo-online", Anna=1000),
    )
    await taken_effect(database)
    await done(new_client, tournament, "open-check-in")
    await done(new_client, tournament, "check-in")
    await done(new_client, tournament, "start")
    late = await done(
        new_client, tournament, "entrants", "admit", person={"name": "Late"}, from_round=1, decision="excused"
    )
    assert (late["rating"], late["rating_from"]) == (1600, "rules")
    listed = (await new_client.get(f"/v1/tournaments/{tournament}/entrants?order=number")).json()["items"]
    assert [(one["persons"][0]["name"], one["rating"], one["rating_from"]) for one in listed] == [
        ("Anna", 2100, "list"),
        ("Own", 2000, "entry"),
        ("Boris", 1700, "list"),
        ("Cyril", 1650, "list"),
        ("New", 1600, "rules"),
        ("Late", 1600, "rules"),
    ]
    again = await done(new_client, tournament, "entrants", late["id"], "correct", rating=None, key=3, lists=[])
    assert (again["rating"], again["rating_from"]) == (1600, "rules")
    own = await done(new_client, tournament, "entrants", late["id"], "correct", rating=1900, key=3, lists=[])
    assert (own["rating"], own["rating_from"]) == (1900, "entry")
