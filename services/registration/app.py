"""Registration: who plays. This file wires it."""

from fastapi import FastAPI

from services.registration import projection, publish
from services.registration.api import (
    attendance,
    entrants,
    entries,
    entry_acts,
    entry_sheets,
    history,
    life,
    person_acts,
    person_export,
    planning,
    presence,
    spectators,
    tournament_officials,
)
from services.registration.api import captains as captains_api
from services.registration.api import federations as federations_api
from services.registration.api import homes as homes_api
from services.registration.api import levels as levels_api
from services.registration.api import particulars as particulars_api
from services.registration.api import persons as persons_api
from services.registration.api import rulesets as rulesets_api
from services.registration.api import seasons as seasons_api
from services.registration.api import tournaments as tournaments_api
from services.registration.api.entering import Entrance
from services.registration.api.files import person_files
from services.registration.api.files import routes as files_api
from services.registration.api.files.importing import Importing
from services.registration.api.files.person_files import Registering
from services.registration.api.grounds import Planning
from services.registration.api.people import People
from services.registration.api.seeding import Seeding
from services.registration.domain import (
    captain_keys,
    captains,
    claims,
    federation,
    homes,
    officials,
    person,
    ratings,
    register,
    rulesets,
    seasons,
    tournament,
)
from services.registration.domain.tournament import states
from services.registration.judge import Judge
from services.registration.levels import Levels
from services.registration.publish_tournament import of_tournament
from services.registration.reactions import Reaction
from services.registration.signing import Signing
from shared import live_api, log_api, names_told
from shared.act import Door
from shared.broker import Broker
from shared.clock import now
from shared.drawing import LOTS
from shared.grants import Grants
from shared.handle import Handler
from shared.ids import new_id
from shared.live import Hub
from shared.lot_seeds import Lots
from shared.names import Names
from shared.neighbours import Neighbours
from shared.notes import Notes
from shared.particulars import ParticularsOf
from shared.personal_facts import PersonalFacts
from shared.postgres import PostgresStore
from shared.read_model import ReadModel
from shared.relay import Relay
from shared.seeds import Seeds
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
    tournaments = Handler(decider=tournament.TOURNAMENT, publish=of_tournament, store=store, now=now, new_id=new_id)
    persons = Handler(decider=person.PERSON, publish=publish.of_person, store=store, now=now, new_id=new_id)
    speakers = Handler(decider=captains.CAPTAIN, publish=publish.of_captains, store=store, now=now, new_id=new_id)
    signing = Signing(
        path=settings.captain_key,
        audience=settings.audience,
        keys=Handler(decider=captain_keys.KEYS, publish=publish.of_captain_keys, store=store, now=now, new_id=new_id),
        now=now,
    )

    async def known_tournament(tournament_id: str) -> states.Known:
        state, _ = await tournaments.load(tournament_id)
        return tournament.known(state)

    async def is_directed(tournament_id: str) -> bool:
        plan = (await known_tournament(tournament_id)).plan
        (here, _), (above, _) = await offices.load(tournament_id), await offices.load(plan.federation)
        return officials.directed(here, above, of_council=plan.ruleset.entry.director_of_council)

    async def entrant_exists(tournament_id: str, entrant_id: str) -> bool:
        return entrant_id in (await known_tournament(tournament_id)).roster.entrants

    async def federation_of(person_id: str) -> str | None:
        state, _ = await persons.load(person_id)
        return None if isinstance(state, person.Unknown) else state.federation

    seeds = Seeds(settings.database)
    lots = Lots(
        handler=Handler(decider=LOTS, publish=publish.of_lots, store=store, now=now, new_id=new_id), seeds=seeds
    )
    names, notes = Names(settings.database), Notes(settings.database)
    particulars = ParticularsOf(settings.database)
    facts = PersonalFacts(settings.database)
    judge = Judge(
        homes=Handler(decider=homes.HOMES, publish=publish.of_homes, store=store, now=now, new_id=new_id),
        series=Handler(decider=claims.CLAIMS, publish=publish.of_claims, store=store, now=now, new_id=new_id),
        particulars=particulars,
        now=now,
    )
    shelf = rulesets_api.Shelf(
        posted=Handler(decider=rulesets.RULESETS, publish=publish.of_rulesets, store=store, now=now, new_id=new_id),
        views=projection.Rulesets(views),
    )
    people = People(
        persons=persons,
        tournaments=tournaments,
        series=judge.series,
        views=projection.Persons(views),
        names=names,
        particulars=particulars,
    )
    season_book = Handler(decider=seasons.SEASONS, publish=publish.of_seasons, store=store, now=now, new_id=new_id)
    lists = Handler(decider=ratings.RATINGS, publish=publish.of_ratings, store=store, now=now, new_id=new_id)
    seeding = Seeding(lists=lists, people=people)
    registers = Handler(decider=register.REGISTER, publish=publish.of_register, store=store, now=now, new_id=new_id)
    entrance = Entrance(people=people, names=names, judge=judge, new_id=new_id)
    levels = Levels(tournaments=tournaments, seasons=season_book, judge=judge, known_here=people.known_here)
    to_entrant = attendance.acts_on_entrants(tournaments, names)
    telling = names_told.Teller(store=store, broker=broker, database=settings.database)
    neighbours = Neighbours(
        service="registration",
        sources=["results", "standings"],
        database=settings.database,
        broker=broker,
        effect=Reaction(tournaments=tournaments, lists=lists, levels=levels, names=names),
        done=store.ring,
    )
    grants = Grants(settings.database)
    door = Door(
        grants=grants,
        operators=settings.operators,
        reached={**neighbours.reached(), "registration": views.reached},
        caught_up=views.caught_up,
        scopes={"person_id": federation_of},
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
            rulesets_api.routes(shelf=shelf, door=door),
            federations_api.routes(
                federations=federations,
                offices=offices,
                views=projection.Federations(views),
                door=door,
                new_id=new_id,
            ),
            persons_api.routes(people=people, door=door, new_id=new_id),
            person_files.routes(registering=Registering(people=people, registers=registers, new_id=new_id), door=door),
            person_acts.routes(people=people, door=door),
            person_export.routes(people=people, judge=judge, facts=facts, door=door),
            tournaments_api.routes(
                tournaments=tournaments,
                planning=Planning(shelf=shelf, homes=judge.homes, seasons=season_book, persons=persons),
                views=projection.Tournaments(views),
                is_directed=is_directed,
                levels=levels,
                door=door,
                new_id=new_id,
            ),
            planning.routes(tournaments=tournaments, halls=judge.homes, notes=notes, door=door),
            levels_api.routes(levels=levels, names=names, door=door),
            life.routes(tournaments=tournaments, is_directed=is_directed, seeding=seeding, lots=lots, door=door),
            seasons_api.routes(handler=season_book, levels=levels, door=door, new_id=new_id),
            homes_api.routes(handler=judge.homes, door=door, new_id=new_id),
            particulars_api.routes(people=people, door=door),
            entry_sheets.routes(tournaments=tournaments, names=names, judge=judge, door=door),
            spectators.routes(tournaments=tournaments, notes=notes, door=door),
            history.routes(tournaments=tournaments, notes=notes, door=door),
            entry_acts.routes(tournaments=tournaments, names=names, judge=judge, door=door),
            files_api.routes(importing=Importing(tournaments=tournaments, entrance=entrance, now=now), door=door),
            entries.routes(
                tournaments=tournaments, entrance=entrance, seeding=seeding, notes=notes, door=door, now=now
            ),
            entrants.routes(tournaments=tournaments, people=people, door=door),
            attendance.routes(tournaments=tournaments, to_entrant=to_entrant, judge=judge, notes=notes, door=door),
            presence.routes(tournaments=tournaments, to_entrant=to_entrant, judge=judge, notes=notes, door=door),
            tournament_officials.routes(offices=offices, require_tournament=known_tournament, door=door),
            captains_api.routes(captains=speakers, signing=signing, entrant_exists=entrant_exists, door=door),
        ],
        streams=streams,
        called=people.called,
        parts=[
            store.running,
            hub.running,
            broker.running,
            relay.running,
            views.running,
            neighbours.running,
            grants.running,
            seeds.running,
            signing.running,
            names.running,
            notes.running,
            facts.running,
            particulars.running,
            telling.running,
        ],
        checks={
            "database": store.head,
            "live": hub.check,
            "broker": broker.check,
            "relay": relay.check,
            "views": views.check,
            "inbox": neighbours.check,
            "captains": signing.check,
            "names": telling.check,
        },
    )
