"""Registration: who plays. This file wires it."""

from fastapi import FastAPI

from services.registration import api, projection, publish
from services.registration.domain import federation, officials
from shared import log_api
from shared.act import Door
from shared.broker import Broker
from shared.clock import now
from shared.grants import Grants
from shared.handle import Handler
from shared.ids import new_id
from shared.postgres import PostgresStore
from shared.read_model import ReadModel
from shared.relay import Relay
from shared.service import create_service
from shared.settings import Settings


def create_app() -> FastAPI:
    settings = Settings.from_environment()
    store = PostgresStore(settings.database)
    broker = Broker(settings.nats, name="registration")
    relay = Relay(service="registration", store=store, broker=broker, database=settings.database)
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
    offices = Handler(decider=officials.OFFICIALS, publish=publish.of_officials, store=store, now=now, new_id=new_id)
    grants = Grants(settings.database)
    door = Door(
        grants=grants,
        operators=settings.operators,
        reached={"registration": views.reached},
        caught_up=views.caught_up,
    )
    return create_service(
        name="registration",
        description="Who plays: federations, people, entries.",
        settings=settings,
        store=store,
        routers=[
            log_api.routes(store=store, door=door),
            api.routes(
                federations=federations,
                offices=offices,
                views=projection.Federations(views),
                door=door,
                new_id=new_id,
            ),
        ],
        parts=[store.running, broker.running, relay.running, views.running, grants.running],
        checks={"database": store.head, "broker": broker.check, "relay": relay.check, "views": views.check},
    )
