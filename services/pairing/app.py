"""Pairing: who meets whom. This file wires it."""

from fastapi import FastAPI

from services.pairing import publish
from services.pairing.api import acts, calculators, groups, looking, making, repairing, rooms, sheets
from services.pairing.api.desk import Desk
from services.pairing.api.situation import Situations
from services.pairing.domain.rooms import ROOMS
from services.pairing.domain.round.decisions import ROUND
from services.pairing.domain.stage import STAGE
from services.pairing.reactions import Reaction
from shared import live_api, log_api, names_told, person_export
from shared.act import Door
from shared.broker import Broker
from shared.clock import now
from shared.drawing import LOTS
from shared.grants import Grants
from shared.handle import Handler
from shared.heard import Heard
from shared.ids import new_id
from shared.live import Hub
from shared.lot_seeds import Lots
from shared.names import Names
from shared.neighbours import Neighbours
from shared.notes import Notes
from shared.personal_facts import PersonalFacts
from shared.postgres import PostgresStore
from shared.relay import Relay
from shared.seeds import Seeds
from shared.service import create_service, streams_of
from shared.settings import Settings


def create_app() -> FastAPI:
    settings = Settings.from_environment()
    store = PostgresStore(settings.database)
    hub = Hub(store)
    streams = streams_of(settings)
    broker = Broker(settings.nats, name="pairing")
    relay = Relay(service="pairing", store=store, broker=broker, database=settings.database)
    rounds = Handler(decider=ROUND, publish=publish.of_round, store=store, now=now, new_id=new_id)
    stages = Handler(decider=STAGE, publish=publish.of_stage, store=store, now=now, new_id=new_id)
    of_rooms = Handler(decider=ROOMS, publish=publish.of_rooms, store=store, now=now, new_id=new_id)
    seeds = Seeds(settings.database)
    lots = Lots(
        handler=Handler(decider=LOTS, publish=publish.of_lots, store=store, now=now, new_id=new_id), seeds=seeds
    )
    neighbours = Neighbours(
        service="pairing",
        sources=["registration", "results", "standings"],
        database=settings.database,
        broker=broker,
        effect=Reaction(rounds=rounds, lots=lots),
        done=store.ring,
    )
    heard = Heard(settings.database, service="pairing")
    notes = Notes(settings.database)
    names = Names(settings.database)
    hearing = names_told.Listener(broker=broker, database=settings.database)
    appointed = Grants(settings.database)
    facts = PersonalFacts(settings.database)
    door = Door(
        grants=appointed,
        operators=settings.operators,
        reached=neighbours.reached(),
        scopes={"person_id": facts.federation_of},
        told=frozenset({"person_id"}),
    )
    desk = Desk(
        rounds=rounds,
        stages=stages,
        rooms=of_rooms,
        lots=lots,
        situations=Situations(heard, names.of),
        notes=notes,
        pair=making.pair,
        without_pairing=making.without_pairing,
        check=making.check,
        compare=making.compare,
        now=now,
        new_id=new_id,
    )
    return create_service(
        name="pairing",
        description="Who meets whom.",
        settings=settings,
        store=store,
        grants=appointed,
        routers=[
            looking.routes(desk=desk, door=door),
            sheets.routes(desk=desk, door=door),
            acts.routes(desk=desk, door=door),
            repairing.routes(desk=desk, door=door),
            groups.routes(desk=desk, door=door),
            rooms.routes(desk=desk, door=door),
            calculators.routes(door=door),
            log_api.routes(store=store, door=door),
            live_api.routes(store=store, hub=hub, streams=streams, door=door),
            person_export.routes(facts=facts, door=door),
        ],
        streams=streams,
        parts=[
            store.running,
            hub.running,
            broker.running,
            relay.running,
            neighbours.running,
            appointed.running,
            heard.running,
            seeds.running,
            notes.running,
            facts.running,
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
