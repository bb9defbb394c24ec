"""Where a tournament is held: at places of its own federation, and with no more entrants than a hall has room for."""

from http import HTTPStatus
from typing import Any

from tests.api.asking import Client, founded, problem
from tests.api.holding import announce


async def place(client: Client, federation: str, kind: str, **said: Any) -> str:
    body = {"kind": kind, "name": f"A {kind}"} | said
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
