"""Registration: who plays. This file wires it."""

from fastapi import FastAPI

from services.registration import projection, publish
from services.registration.api import captains as captains_api
from services.registration.api import federations as federations_api
from services.registration.domain import captain_keys, captains, federation, officials, tournament
from services.registration.signing import Signing
from shared import live_api, log_api, names_told
from shared.act import Door
from shared.broker import Broker
from shared.clock import now
from shared.grants import Grants
from shared.handle import Handler
from shared.ids import new_id
from shared.live import Hub
from shared.names import Names
from shared.postgres import PostgresStore
from shared.read_model import ReadModel
from shared.relay import Relay
from shared.service import create_service, streams_of
from shared.settings import Settings


def create_app() -> FastAPI:
    settings = Settings.from_environment()
    store = PostgresStore(settings.database)
    hub = Hub(store)
    streams = streams_of(settings)
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
    tournaments = Handler(
        decider=tournament.TOURNAMENT, publish=publish.of_tournament, store=store, now=now, new_id=new_id
    )
    speakers = Handler(decider=captains.CAPTAIN, publish=publish.of_captains, store=store, now=now, new_id=new_id)
    signing = Signing(
        path=settings.captain_key,
        audience=settings.audience,
        keys=Handler(decider=captain_keys.KEYS, publish=publish.of_captain_keys, store=store, now=now, new_id=new_id),
        now=now,
    )

    async def entrant_exists(tournament_id: str, entrant_id: str) -> bool:
        state, _ = await tournaments.load(tournament_id)
        return entrant_id in tournament.known(state).roster.entrants

    names = Names(settings.database)
    telling = names_told.Teller(store=store, broker=broker, database=settings.database)
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
        grants=grants,
        routers=[
            log_api.routes(store=store, door=door),
            live_api.routes(store=store, hub=hub, streams=streams, door=door),
            federations_api.routes(
                federations=federations,
                offices=offices,
                views=projection.Federations(views),
                door=door,
                new_id=new_id,
            ),
            captains_api.routes(captains=speakers, signing=signing, entrant_exists=entrant_exists, door=door),
        ],
        streams=streams,
        parts=[
            store.running,
            hub.running,
            broker.running,
            relay.running,
            views.running,
            grants.running,
            signing.running,
            names.running,
            telling.running,
        ],
        checks={
            "database": store.head,
            "live": hub.check,
            "broker": broker.check,
            "relay": relay.check,
            "views": views.check,
            "captains": signing.check,
            "names": telling.check,
        },
    )
