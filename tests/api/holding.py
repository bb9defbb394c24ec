"""Holding a tournament over HTTP, in as few calls as it takes."""

from http import HTTPStatus
from typing import Any

import httpx

from tests.api.asking import Client, founded, issuer, takes_body
from tests.api.signing import signed_by

TOURNAMENTS = "/v1/tournaments"
ANNOUNCED = {
    "name": "Košice Cup",
    "ruleset": "scrabble-sk-2022-qt",
    "time_zone": "Europe/Bratislava",
    "starts_on": "2099-11-21",
}


def path(tournament: str, *steps: str) -> str:
    return "/".join((TOURNAMENTS, tournament, *steps))


async def announce(client: Client, federation: str, **said: Any) -> httpx.Response:
    return await client.post(TOURNAMENTS, json={"federation": federation} | ANNOUNCED | said)


async def announced(client: Client, **said: Any) -> str:
    """A tournament of a federation of its own."""
    response = await announce(client, await founded(client, "SSS"), **said)
    assert response.status_code == HTTPStatus.CREATED, response.text
    return response.json()["id"]


async def act(
    client: Client, tournament: str, /, *steps: str, by: str = "operator", under: str | None = None, **said: Any
) -> httpx.Response:
    headers = signed_by(issuer().token(by)) | ({"Idempotency-Key": under} if under else {})
    url = path(tournament, *steps)
    return await client.post(url, json=said if said or takes_body(url) else None, headers=headers)


async def done(client: Client, tournament: str, /, *steps: str, **said: Any) -> dict[str, Any]:
    response = await act(client, tournament, *steps, **said)
    assert response.is_success, response.text
    return response.json()


async def opened(client: Client, **said: Any) -> str:
    tournament = await announced(client, **said)
    await done(client, tournament, "open")
    return tournament


async def enter(client: Client, tournament: str, name: str, rating: int | None = None, **said: Any) -> httpx.Response:
    return await act(client, tournament, "entrants", person={"name": name}, rating=rating, **said)


async def entered(client: Client, tournament: str, *names: str) -> list[dict[str, Any]]:
    """The first is rated highest."""
    entrants = [{"person": {"name": name}, "rating": 2000 - place} for place, name in enumerate(names)]
    return (await done(client, tournament, "entrants", "import", entrants=entrants))["entrants"]


async def running(client: Client, *names: str, **said: Any) -> tuple[str, list[str]]:
    """The tournament, and its entrants in the order of their numbers."""
    tournament = await opened(client, **said)
    entrants = await entered(client, tournament, *names)
    await done(client, tournament, "open-check-in")
    await done(client, tournament, "check-in")
    await done(client, tournament, "start")
    return tournament, [entrant["id"] for entrant in entrants]
