"""Results: what happened at the tables. This file wires it."""

from fastapi import FastAPI

from shared import grants, log_api
from shared.act import Door
from shared.broker import Broker
from shared.grants import Grants
from shared.neighbours import Neighbours
from shared.postgres import PostgresStore
from shared.relay import Relay
from shared.service import create_service
from shared.settings import Settings


def create_app() -> FastAPI:
    settings = Settings.from_environment()
    store = PostgresStore(settings.database)
    broker = Broker(settings.nats, name="results")
    relay = Relay(service="results", store=store, broker=broker, database=settings.database)
    neighbours = Neighbours(
        service="results", sources=["registration"], database=settings.database, broker=broker, effect=grants.react
    )
    appointed = Grants(settings.database)
    door = Door(grants=appointed, operators=settings.operators, reached=neighbours.reached())
    return create_service(
        name="results",
        description="What happened at the tables.",
        settings=settings,
        store=store,
        routers=[log_api.routes(store=store, door=door)],
        parts=[store.running, broker.running, relay.running, neighbours.running, appointed.running],
        checks={"database": store.head, "broker": broker.check, "relay": relay.check, "inbox": neighbours.check},
    )
