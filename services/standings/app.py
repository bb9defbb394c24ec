"""Standings: who leads. This file wires it."""

from fastapi import FastAPI
from sqlalchemy import MetaData

from services.standings import publish
from services.standings.api import changed, closing, crosstable, outcome, rank, season, stages, tables
from services.standings.api.acting import Desk
from services.standings.api.asked import Situations
from services.standings.api.seasons import bringing_in, cut, deciding, ending, lists, reading
from services.standings.api.seasons.desk import SeasonDesk
from services.standings.api.seasons.happening import Happening
from services.standings.api.showing import Showing
from services.standings.domain.differences import CHANGES
from services.standings.domain.qualifying import QUALIFYING
from services.standings.domain.ranking import RANKING
from services.standings.noting import Noting
from services.standings.projection.kept import Tables
from services.standings.projection.persons import Persons
from services.standings.reactions import OwnReaction, Reaction
from services.standings.seasons.book import BOOK
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
from shared.read_model import ReadModel
from shared.relay import Relay
from shared.seeds import Seeds
from shared.service import create_service, streams_of
from shared.settings import Settings

NAME = "standings"
SOURCES = ["registration", "pairing", "results"]
OWN = 1  # raised when what was said here has to move the tables once more


def create_app() -> FastAPI:
    settings = Settings.from_environment()
    store = PostgresStore(settings.database)
    hub = Hub(store)
    streams = streams_of(settings)
    broker = Broker(settings.nats, name=NAME)
    relay = Relay(service=NAME, store=store, broker=broker, database=settings.database)
    kept = Tables(settings.database, service=NAME)
    seeds = Seeds(settings.database)
    lots = Lots(
        handler=Handler(decider=LOTS, publish=publish.of_lots, store=store, now=now, new_id=new_id), seeds=seeds
    )
    rankings = Handler(decider=RANKING, publish=publish.of_ranking, store=store, now=now, new_id=new_id)

    qualifying = Handler(decider=QUALIFYING, publish=publish.of_qualifying, store=store, now=now, new_id=new_id)
    changes = Handler(decider=CHANGES, publish=publish.of_changes, store=store, now=now, new_id=new_id)

    def committed() -> None:
        kept.waking.wake()
        store.ring()

    neighbours = Neighbours(
        service=NAME,
        sources=SOURCES,
        database=settings.database,
        broker=broker,
        effect=Reaction(
            tables=kept,
            lots=lots,
            noting=Noting(changes=changes, service=NAME, is_past=kept.is_past),
            qualifying=qualifying,
        ),
        done=committed,
    )
    own = ReadModel(
        name=NAME,
        version=OWN,
        tables=MetaData(schema="views"),
        apply=OwnReaction(tables=kept),
        store=store,
        database=settings.database,
        done=kept.waking.wake,
    )
    heard = Heard(settings.database, service=NAME)
    names = Names(settings.database)
    notes = Notes(settings.database)
    hearing = names_told.Listener(broker=broker, database=settings.database)
    appointed = Grants(settings.database)
    facts = PersonalFacts(settings.database)
    door = Door(
        grants=appointed,
        operators=settings.operators,
        reached={**neighbours.reached(), NAME: own.reached},
        scopes={"person_id": facts.federation_of},
        told=frozenset({"person_id"}),
    )
    situations = Situations(heard, names)
    persons = Persons(settings.database)
    season_desk = SeasonDesk(
        books=Handler(decider=BOOK, publish=publish.of_season, store=store, now=now, new_id=new_id),
        heard=heard,
        tables=kept,
        persons=persons,
        names=names,
        now=now,
    )
    to_season = Happening(desk=season_desk)
    desk = Desk(rankings=rankings, qualifying=qualifying, lots=lots, situations=situations, notes=notes)
    return create_service(
        name=NAME,
        description="Who leads: tables, why they are so, and how they end.",
        settings=settings,
        store=store,
        grants=appointed,
        routers=[
            log_api.routes(store=store, door=door),
            live_api.routes(store=store, hub=hub, streams=streams, door=door),
            person_export.routes(facts=facts, door=door),
            tables.routes(
                showing=Showing(kept, situations),
                situations=situations,
                waking=kept.waking,
                streams=streams,
                door=door,
            ),
            changed.routes(changes=changes, situations=situations, door=door),
            crosstable.routes(situations=situations, door=door),
            outcome.routes(situations=situations, door=door),
            stages.routes(desk=desk, door=door),
            closing.routes(desk=desk, door=door),
            rank.routes(door=door),
            season.routes(door=door),
            reading.routes(desk=season_desk, door=door),
            lists.routes(desk=season_desk, door=door),
            bringing_in.routes(happening=to_season, door=door),
            deciding.routes(happening=to_season, door=door),
            cut.routes(happening=to_season, lots=lots, door=door),
            ending.routes(happening=to_season, lots=lots, door=door),
        ],
        streams=streams,
        parts=[
            store.running,
            hub.running,
            broker.running,
            relay.running,
            kept.running,
            own.running,
            neighbours.running,
            heard.running,
            persons.running,
            seeds.running,
            appointed.running,
            names.running,
            notes.running,
            facts.running,
            hearing.running,
        ],
        checks={
            "database": store.head,
            "live": hub.check,
            "broker": broker.check,
            "relay": relay.check,
            "inbox": neighbours.check,
            "tables": kept.check,
            "own": own.check,
            "names": hearing.check,
        },
    )
