"""Pairing: who meets whom. This file wires it."""

from fastapi import FastAPI

from shared.broker import Broker
from shared.postgres import PostgresStore
from shared.service import create_service
from shared.settings import Settings


def create_app() -> FastAPI:
    settings = Settings.from_environment()
    store = PostgresStore(settings.database)
    broker = Broker(settings.nats, name="pairing")
    return create_service(
        name="pairing",
        description="Who meets whom.",
        routers=[],
        parts=[store.running, broker.running],
        checks={"database": store.head, "broker": broker.check},
    )
