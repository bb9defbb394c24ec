"""Two services, each with only what is about captains: one gives them tokens, at the other one they report."""

import asyncio
from collections.abc import AsyncGenerator, Mapping
from contextlib import asynccontextmanager
from http import HTTPStatus
from pathlib import Path
from typing import Annotated

import httpx
from fastapi import Depends, FastAPI

from services.registration import publish
from services.registration.api import officials as tournament_officials
from services.registration.api.captains import routes as captains_api
from services.registration.domain import captains, officials
from services.registration.domain.captains import KEYS
from services.registration.signing import Signing
from shared.access import grants
from shared.access.asker import Concerned
from shared.access.policy import roles
from shared.access.roles import Role
from shared.clock import now
from shared.commands.handler import Origin
from shared.http.authorization import Act, Door
from shared.http.lazy_route import Router
from shared.kernel import Kernel
from shared.messaging.inbox import Neighbours
from shared.personal.shown_names import InboxFields, NamesShown
from shared.service import create_service
from shared.settings import ServiceSettings
from tests.api.asking import Client, issuer
from tests.api.hearing import announced, appointed, hear
from tests.api.signing import signed_by
from tests.documents import checked, declared_by
from tests.patience import AT_ONCE, PATIENCE, Patient

FEDERATION, TOURNAMENT, ANOTHER = "federation-1", "tournament-1", "tournament-2"
ENTRANTS = {TOURNAMENT: {"ann", "bob"}, ANOTHER: {"cid"}}
GAMES = {"game-1": TOURNAMENT, "game-2": ANOTHER}
OFFICIALS = f"/v1/tournaments/{TOURNAMENT}/officials"
REPORT = roles(Role.SCORER, Role.DIRECTOR, scope="game_id", captains="game_id")


def settings(database: str, broker: str) -> ServiceSettings:
    return ServiceSettings.model_validate(
        {"database_url": database, "nats_url": broker, "keys": issuer().page, "operators": "operator"}
    )


async def tournament_exists(tournament: str) -> object:
    return ENTRANTS[tournament]


async def entrant_exists(tournament: str, entrant: str) -> bool:
    return entrant in ENTRANTS.get(tournament, set())


async def table_of(game: str) -> Concerned:
    return Concerned(entrants=ENTRANTS[GAMES[game]])


async def tournament_of(game: str) -> str | None:
    return GAMES.get(game)


@asynccontextmanager
async def asked(app: FastAPI, name: str) -> AsyncGenerator[Client]:
    async with app.router.lifespan_context(app):
        transport = httpx.ASGITransport(app=app, raise_app_exceptions=False)
        async with httpx.AsyncClient(transport=Patient(transport), base_url=f"http://{name}") as client:
            yield client


@asynccontextmanager
async def registration(database: str, broker_urls: Mapping[str, str], key: Path) -> AsyncGenerator[Client]:
    """Of registration only what is about captains."""
    await hear(database, announced(TOURNAMENT, FEDERATION), appointed(FEDERATION, "dora", Role.DIRECTOR))
    kernel = Kernel("registration", settings(database, broker_urls["registration"]))
    keys = kernel.handler(KEYS, publish.of_captain_keys)
    offices = kernel.handler(officials.OFFICIALS, publish.of_officials)
    speakers = kernel.handler(captains.CAPTAIN, publish.of_captains)
    signing = Signing(path=key, audience=kernel.settings.audience, keys=keys, now=now)
    door = Door(grants=kernel.grants, operators=kernel.settings.operators, reached={})
    app = create_service(
        kernel,
        description="Captains.",
        door=door,
        routers=[
            captains_api.routes(
                captains=speakers, offices=offices, signing=signing, entrant_exists=entrant_exists, door=door
            ),
            tournament_officials.tournament_routes(offices=offices, require_tournament=tournament_exists, door=door),
        ],
        parts=[signing.running],
        checks={},
        shown=NamesShown.of_inbox(kernel.names, kernel.grants, InboxFields(database)),
    )
    async with asked(app, "registration") as client:
        client.headers.update(signed_by(issuer().token("dora")))
        await offices.handle(
            FEDERATION,
            officials.AppointOfficial(scope=FEDERATION, subject="dora", role=Role.DIRECTOR, by="operator"),
            scope=FEDERATION,
            origin=Origin(actor="operator"),
            respond=lambda _, __: b"",
        )
        yield checked(client, app.openapi(), declared_by(app))


@asynccontextmanager
async def results(database: str, broker_urls: Mapping[str, str]) -> AsyncGenerator[Client]:
    """Another service, where captains report."""
    kernel = Kernel("results", settings(database, broker_urls["results"]))
    neighbours = Neighbours(
        service="results", sources=["registration"], database=database, broker=kernel.broker, effect=grants.react
    )
    door = Door(
        grants=kernel.grants,
        operators=kernel.settings.operators,
        reached=neighbours.reached(),
        scopes={"game_id": tournament_of},
        entrants={"game_id": table_of},
    )
    router = Router()

    @router.post("/v1/games/{game_id}/reports", summary="Report", description="A result.", operation_id="reportResult")
    async def report(game_id: str, act: Annotated[Act, Depends(door.acts(REPORT))]) -> dict[str, str]:
        captain = act.asker.caller and act.asker.caller.captain
        return {"game": game_id, "by": act.origin.actor, "for": captain.entrant if captain else "anybody"}

    app = create_service(
        kernel,
        description="Reports.",
        door=door,
        routers=[router],
        parts=[neighbours.running],
        checks={},
        shown=NamesShown.of_inbox(kernel.names, kernel.grants, InboxFields(database)),
    )
    async with asked(app, "results") as client:
        yield client


async def appoint(client: Client, database: str, office: Mapping[str, str]) -> None:
    """Registration's own tables know it, too, which here nothing fills from its log."""
    answer = await client.post(OFFICIALS, json=office)
    assert answer.status_code == HTTPStatus.OK, answer.text
    await hear(database, appointed(TOURNAMENT, office["subject"], Role(office["role"])))


def path(entrant: str, act: str = "", tournament: str = TOURNAMENT) -> str:
    return f"/v1/tournaments/{tournament}/entrants/{entrant}/captain{act}"


async def token(client: Client, entrant: str) -> str:
    issued = await client.post(path(entrant, "/token"))
    assert issued.status_code == HTTPStatus.OK, issued.text
    assert issued.headers["Cache-Control"] == "no-store"
    return issued.json()["token"]


async def report(client: Client, token: str, game: str = "game-1") -> httpx.Response:
    return await client.post(f"/v1/games/{game}/reports", headers=signed_by(token), extensions=AT_ONCE)


NOT_YET = {HTTPStatus.UNAUTHORIZED, HTTPStatus.SERVICE_UNAVAILABLE}  # of a second key, and of the first


async def accepted(client: Client, token: str) -> httpx.Response:
    """As soon as the key is known there."""
    async with asyncio.timeout(PATIENCE):
        while (answer := await report(client, token)).status_code in NOT_YET:
            await asyncio.sleep(0.02)
    return answer
