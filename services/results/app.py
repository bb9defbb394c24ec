"""Results: what happened at the tables. This file wires it."""

from fastapi import FastAPI

from shared.broker import Broker
from shared.postgres import PostgresStore
from shared.service import create_service
from shared.settings import Settings


def create_app() -> FastAPI:
    settings = Settings.from_environment()
    store = PostgresStore(settings.database)
    broker = Broker(settings.nats, name="results")
    return create_service(
        name="results",
        description="What happened at the tables.",
        routers=[],
        parts=[store.running, broker.running],
        checks={"database": store.head, "broker": broker.check},
    )
