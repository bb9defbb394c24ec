"""Where a tournament is held: at places of its own federation, and with no more entrants than a hall has room for."""

from http import HTTPStatus
from typing import Any

from deploy.databases import connection
from tests.api.asking import Client, founded, problem
from tests.api.holding import act, announce, done, entered, path
from tests.logged import happened


async def place(client: Client, federation: str, kind: str, **said: Any) -> str:
    body = {"kind": kind, "name": " ".join([kind, *map(str, said.values())])} | said
    return (await client.post(f"/v1/federations/{federation}/homes", json=body)).json()["id"]


async def test_a_hall_has_a_capacity_and_nothing_else_has(client: Client) -> None:
    federation = await founded(client, "SSS")
    homes = f"/v1/federations/{federation}/homes"
    for body in ({"kind": "hall", "name": "Hall"}, {"kind": "school", "name": "School", "capacity": 30}):
        problem(await client.post(homes, json=body), HTTPStatus.UNPROCESSABLE_ENTITY, "unfit-home")
    hall = await place(client, federation, "hall", capacity=30)
    (listed,) = (await client.get(homes, params={"kind": "hall"})).json()["items"]
    assert (listed["id"], listed["capacity"]) == (hall, 30)


async def test_there_are_no_more_places_than_the_hall_has_room_for(client: Client) -> None:
    federation = await founded(client, "SSS")
    hall = await place(client, federation, "hall", capacity=20)
    announced = (await announce(client, federation, hall=hall)).json()
    assert (announced["hall"], announced["places"]) == (hall, 20)
    pairs = await announce(client, federation, hall=hall, entry={"kind": "pair"})
    assert pairs.json()["places"] == 10
    refused = await announce(client, federation, hall=hall, entry={"most": 24})
    assert [fault["pointer"] for fault in refused.json()["errors"]] == ["/entry/most"]
    small = await place(client, federation, "hall", capacity=2)
    refused = await announce(client, federation, hall=small, entry={"kind": "pair"})
    assert [fault["pointer"] for fault in refused.json()["errors"]] == ["/hall"]


async def test_a_tournament_is_held_where_the_federation_has_places(client: Client) -> None:
    federation, other = await founded(client, "SSS"), await founded(client, "Elsewhere")
    region, school = [await place(client, federation, kind) for kind in ("region", "school")]
    announced = await announce(client, federation, region=region, host=school)
    assert announced.status_code == HTTPStatus.CREATED
    strange = await place(client, other, "region")
    refused = await announce(client, federation, region=strange, host=region, hall=school)
    problem(refused, HTTPStatus.UNPROCESSABLE_ENTITY, "faulty")
    assert [fault["pointer"] for fault in refused.json()["errors"]] == ["/region", "/host", "/hall"]


async def test_another_hall_has_other_places_and_nobody_loses_theirs(client: Client) -> None:
    federation = await founded(client, "SSS")
    small, large = [
        await place(client, federation, "hall", name=name, capacity=capacity)
        for name, capacity in (("Small", 2), ("Large", 40))
    ]
    tournament = (await announce(client, federation, hall=small)).json()["id"]
    await done(client, tournament, "open")
    await entered(client, tournament, "Ann", "Bob", "Cid")
    change = {"hall": large, "reason": {"code": "more-want-to-come"}}
    foreseen = await client.post(path(tournament, "change-plan"), json=change, params={"dry_run": True})
    assert foreseen.json()["changes"] == [
        "The hall is Large instead of Small.",
        "The number of places is 40 instead of 2.",
        "Coming in of those who wait: 1.",
    ]
    changed = await done(client, tournament, "change-plan", **change)
    assert (changed["hall"], changed["places"], changed["entrants"], changed["waiting"]) == (large, 40, 3, 0)
    back = await act(client, tournament, "change-plan", hall=small, reason={"code": "mistake"})
    assert "3 have a place" in problem(back, HTTPStatus.CONFLICT, "bound-by-entries").detail
    refused = await act(client, tournament, "change-plan", hall="nowhere", reason={"code": "mistake"})
    assert [fault["pointer"] for fault in refused.json()["errors"]] == ["/hall"], refused.text
    anywhere = await done(client, tournament, "change-plan", hall=None, reason={"code": "outdoors"})
    assert (anywhere["hall"], anywhere["places"]) == (None, None)
    log = (await client.get("/v1/log")).content
    assert (happened(log, "HallChanged"), happened(log, "PlanChanged")) == (2, 2)


async def test_what_a_school_is_called_is_kept_with_the_names_that_neighbours_get(
    new_client: Client, database: str
) -> None:
    federation = await founded(new_client, "Go")
    homes = f"/v1/federations/{federation}/homes"
    key = {"Idempotency-Key": "once"}
    body = {"kind": "school", "name": "Gymnázium Poštová 9"}
    first, again = [(await new_client.post(homes, json=body, headers=key)).json()["id"] for _ in range(2)]
    assert first == again
    renamed = await new_client.post(f"{homes}/{first}/change", json=body | {"name": "Gymnázium Poštová"})
    assert renamed.json()["name"] == "Gymnázium Poštová"
    async with connection(database) as names:
        kept = await names.fetch("select id, name from names.names where name like 'Gymn%'")
    assert [(row["id"], row["name"]) for row in kept] == [(first, "Gymnázium Poštová")]
