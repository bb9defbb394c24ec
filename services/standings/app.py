"""Standings: who leads. This file wires it."""

from fastapi import FastAPI

from shared.broker import Broker
from shared.postgres import PostgresStore
from shared.service import create_service
from shared.settings import Settings


def create_app() -> FastAPI:
    settings = Settings.from_environment()
    store = PostgresStore(settings.database)
    broker = Broker(settings.nats, name="standings")
    return create_service(
        name="standings",
        description="Who leads.",
        routers=[],
        parts=[store.running, broker.running],
        checks={"database": store.head, "broker": broker.check},
    )
