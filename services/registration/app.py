"""Registration: who plays. This file wires it."""

from fastapi import FastAPI

from services.registration import api, projection, publish
from services.registration.domain import federation
from shared.broker import Broker
from shared.clock import now
from shared.handle import Handler
from shared.ids import new_id
from shared.postgres import PostgresStore
from shared.read_model import ReadModel
from shared.service import create_service
from shared.settings import Settings


def create_app() -> FastAPI:
    settings = Settings.from_environment()
    store = PostgresStore(settings.database)
    broker = Broker(settings.nats, name="registration")
    views = ReadModel(
        name=projection.NAME,
        version=projection.VERSION,
        tables=projection.TABLES,
        apply=projection.apply,
        store=store,
        database=settings.database,
    )
    federations = Handler(
        decider=federation.FEDERATION, publish=publish.of_federation, store=store, now=now, new_id=new_id
    )
    return create_service(
        name="registration",
        description="Who plays: federations, people, entries.",
        routers=[api.routes(federations=federations, views=projection.Federations(views), new_id=new_id)],
        parts=[store.running, broker.running, views.running],
        checks={"database": store.head, "broker": broker.check, "views": views.check},
    )
