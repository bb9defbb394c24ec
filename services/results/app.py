"""Results: what happened at the tables. This file wires it."""

from fastapi import FastAPI

from services.results import projection, publish
from services.results.api import (
    before,
    calculators,
    entry_sheets,
    expelling,
    games,
    incidents,
    objections,
    protests,
    records,
    rounds,
    rulings,
    words,
)
from services.results.api import penalties as penalties_api
from services.results.api.desk import Desk
from services.results.api.place import Places
from services.results.away import Away
from services.results.consequences import Consequences
from services.results.domain.bindings import BINDINGS
from services.results.domain.editions import EDITIONS
from services.results.domain.game import GAME
from services.results.domain.incidents import INCIDENTS
from services.results.domain.objections import OBJECTIONS
from services.results.domain.penalties import PENALTIES
from services.results.domain.protests import PROTESTS
from services.results.domain.records import RECORDS
from services.results.domain.rounds import ROUND
from services.results.library import Library
from services.results.reactions import Reacting
from services.results.tournaments import Tournaments
from services.results.views import Views
from shared import live_api, log_api, names_told, person_export
from shared.act import Door
from shared.broker import Broker
from shared.clock import now
from shared.contents import Contents
from shared.database import Database
from shared.drawing import LOTS
from shared.grants import Grants
from shared.handle import Handler
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

SHEETS_REMEMBERED = 10_000  # some 20 MB


def create_app() -> FastAPI:
    settings = Settings.from_environment()
    store = PostgresStore(settings.database)
    hub = Hub(store)
    streams = streams_of(settings)
    broker = Broker(settings.nats, name="results")
    relay = Relay(service="results", store=store, broker=broker, database=settings.database)
    model = ReadModel(
        name=projection.NAME,
        version=projection.VERSION,
        tables=projection.TABLES,
        apply=projection.apply,
        store=store,
        database=settings.database,
    )
    of_games = Handler(
        decider=GAME, publish=publish.of_game, store=store, now=now, new_id=new_id, remembered=SHEETS_REMEMBERED
    )
    of_rounds = Handler(decider=ROUND, publish=publish.of_round, store=store, now=now, new_id=new_id)
    of_penalties = Handler(decider=PENALTIES, publish=publish.of_penalties, store=store, now=now, new_id=new_id)
    of_protests = Handler(decider=PROTESTS, publish=publish.of_protests, store=store, now=now, new_id=new_id)
    seeds = Seeds(settings.database)
    lots = Lots(
        handler=Handler(decider=LOTS, publish=publish.of_lots, store=store, now=now, new_id=new_id), seeds=seeds
    )
    views = Views(model=model)
    tournaments = Tournaments(settings.database)
    notes = Notes(settings.database)
    names = Names(settings.database)
    contents = Contents(settings.database)
    inbox = Database(settings.database)
    editions = Handler(decider=EDITIONS, publish=publish.nothing, store=store, now=now, new_id=new_id)
    bindings = Handler(decider=BINDINGS, publish=publish.nothing, store=store, now=now, new_id=new_id)
    library = Library(editions=editions, bindings=bindings, contents=contents, database=inbox)
    shelf = words.Shelf(library=library, editions=editions, bindings=bindings, contents=contents, notes=notes, now=now)
    neighbours = Neighbours(
        service="results",
        sources=["registration", "pairing"],
        database=settings.database,
        broker=broker,
        effect=Reacting(
            games=of_games, rounds=of_rounds, lots=lots, away=Away(games=of_games, tournaments=tournaments)
        ).react,
        done=store.ring,
    )
    consequences = Consequences(
        views=views, tournaments=tournaments, games=of_games, rounds=of_rounds, penalties=of_penalties
    )
    places = Places(of_games)
    hearing = names_told.Listener(broker=broker, database=settings.database)
    appointed = Grants(settings.database)
    facts = PersonalFacts(settings.database)
    door = Door(
        grants=appointed,
        operators=settings.operators,
        reached={**neighbours.reached(), "results": model.reached},
        scopes={"game_id": places.tournament, "person_id": facts.federation_of},
        told=frozenset({"person_id"}),
    )
    desk = Desk(
        games=of_games,
        rounds=of_rounds,
        penalties=of_penalties,
        protests=of_protests,
        lots=lots,
        tournaments=tournaments,
        places=places,
        views=views,
        notes=notes,
        new_id=new_id,
    )
    archive = records.Archive(
        desk=desk,
        records=Handler(decider=RECORDS, publish=publish.nothing, store=store, now=now, new_id=new_id),
        contents=contents,
    )
    return create_service(
        name="results",
        description="What happened at the tables: score sheets, who agrees with them, and what officials decide.",
        settings=settings,
        store=store,
        grants=appointed,
        routers=[
            log_api.routes(store=store, door=door),
            live_api.routes(store=store, hub=hub, streams=streams, door=door),
            person_export.routes(facts=facts, door=door),
            games.reports(desk=desk, door=door),
            games.routes(desk=desk, door=door),
            rulings.routes(desk=desk, door=door, now=now),
            before.routes(desk=desk, door=door, now=now),
            rounds.routes(desk=desk, door=door),
            entry_sheets.routes(desk=desk, door=door, names=names),
            penalties_api.routes(desk=desk, door=door),
            expelling.routes(desk=desk, door=door),
            protests.routes(desk=desk, door=door),
            records.routes(archive=archive, door=door),
            incidents.routes(
                desk=desk,
                incidents=Handler(decider=INCIDENTS, publish=publish.nothing, store=store, now=now, new_id=new_id),
                door=door,
            ),
            objections.routes(
                desk=desk,
                library=library,
                objections=Handler(decider=OBJECTIONS, publish=publish.nothing, store=store, now=now, new_id=new_id),
                door=door,
            ),
            words.routes(shelf=shelf, door=door),
            calculators.routes(door=door),
        ],
        streams=streams,
        parts=[
            store.running,
            hub.running,
            broker.running,
            relay.running,
            model.running,
            tournaments.running,
            notes.running,
            facts.running,
            seeds.running,
            names.running,
            contents.running,
            inbox.running,
            neighbours.running,
            consequences.running,
            appointed.running,
            hearing.running,
        ],
        checks={
            "database": store.head,
            "live": hub.check,
            "broker": broker.check,
            "relay": relay.check,
            "views": model.check,
            "inbox": neighbours.check,
            "names": hearing.check,
            "consequences": consequences.check,
        },
    )
