"""Pairing: who meets whom. This file wires it."""

from fastapi import FastAPI

from shared import grants, live_api, log_api, names_told
from shared.act import Door
from shared.broker import Broker
from shared.grants import Grants
from shared.live import Hub
from shared.names import Names
from shared.neighbours import Neighbours
from shared.postgres import PostgresStore
from shared.relay import Relay
from shared.service import create_service, streams_of
from shared.settings import Settings


def create_app() -> FastAPI:
    settings = Settings.from_environment()
    store = PostgresStore(settings.database)
    hub = Hub(store)
    streams = streams_of(settings)
    broker = Broker(settings.nats, name="pairing")
    relay = Relay(service="pairing", store=store, broker=broker, database=settings.database)
    neighbours = Neighbours(
        service="pairing", sources=["registration"], database=settings.database, broker=broker, effect=grants.react
    )
    names = Names(settings.database)
    hearing = names_told.Listener(broker=broker, database=settings.database)
    appointed = Grants(settings.database)
    door = Door(grants=appointed, operators=settings.operators, reached=neighbours.reached())
    return create_service(
        name="pairing",
        description="Who meets whom.",
        settings=settings,
        store=store,
        grants=appointed,
        routers=[
            log_api.routes(store=store, door=door),
            live_api.routes(store=store, hub=hub, streams=streams, door=door),
        ],
        streams=streams,
        parts=[
            store.running,
            hub.running,
            broker.running,
            relay.running,
            neighbours.running,
            appointed.running,
            names.running,
            hearing.running,
        ],
        checks={
            "database": store.head,
            "live": hub.check,
            "broker": broker.check,
            "relay": relay.check,
            "inbox": neighbours.check,
            "names": hearing.check,
        },
    )
