"""Registration: who plays. This file wires it."""

from collections.abc import Collection, Mapping

from fastapi import FastAPI, Request

from services.registration import projection, publish
from services.registration.api import (
    attendance,
    entrants,
    entries,
    entry_acts,
    entry_sheets,
    history,
    life,
    may,
    person_acts,
    person_export,
    planning,
    presence,
    showing,
    spectators,
    tournament_officials,
)
from services.registration.api import captains as captains_api
from services.registration.api import federations as federations_api
from services.registration.api import homes as homes_api
from services.registration.api import levels as levels_api
from services.registration.api import officials as officials_api
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
from services.registration.backfill import PersonBackfill
from services.registration.domain import officials, ratings, rulesets
from services.registration.domain.captains import CAPTAIN, KEYS
from services.registration.domain.clubs_and_schools import HOMES
from services.registration.domain.federation import FEDERATION
from services.registration.domain.person import PERSON, REGISTER
from services.registration.domain.seasons import SEASONS
from services.registration.domain.series import CLAIMS
from services.registration.domain.tournament import decider as tournament
from services.registration.domain.tournament.states import AnnouncedTournament
from services.registration.eligibility.judge import Judge
from services.registration.levels import Levels
from services.registration.ownership import Ownership
from services.registration.reactions import Reaction
from services.registration.signing import Signing
from shared.access.asker import Asker
from shared.clock import now
from shared.http.door import Door
from shared.ids import new_id
from shared.kernel import Kernel
from shared.log.read_model import ReadModel
from shared.messaging import subjects
from shared.messaging.inbox import Neighbours
from shared.personal import name_stream
from shared.personal.particulars import ParticularsOf
from shared.personal.shown_names import Field, NamesShown
from shared.rulesets.entry import ShownNames
from shared.service import create_service
from shared.settings import Settings


def create_app() -> FastAPI:
    kernel = Kernel("registration", Settings.from_environment())
    views = ReadModel(
        name=projection.NAME,
        version=projection.VERSION,
        tables=projection.TABLES,
        apply=projection.apply,
        store=kernel.store,
        database=kernel.database,
    )
    federations = kernel.handler(FEDERATION, publish.of_federation)
    offices = kernel.handler(officials.OFFICIALS, publish.of_officials)
    tournaments = kernel.handler(tournament.TOURNAMENT, publish.of_tournament)
    persons = kernel.handler(PERSON, publish.of_person)
    speakers = kernel.handler(CAPTAIN, publish.of_captains)
    signing = Signing(
        path=kernel.settings.captain_key,
        audience=kernel.settings.audience,
        keys=kernel.handler(KEYS, publish.of_captain_keys),
        now=now,
    )

    async def known_tournament(tournament_id: str) -> AnnouncedTournament:
        state, _ = await tournaments.load(tournament_id)
        return tournament.known(state)

    async def is_directed(tournament_id: str) -> bool:
        plan = (await known_tournament(tournament_id)).plan
        (here, _), (above, _) = await offices.load(tournament_id), await offices.load(plan.federation)
        return officials.directed(here, above, of_council=plan.ruleset.entry.director_of_council)

    async def entrant_exists(tournament_id: str, entrant_id: str) -> bool:
        return entrant_id in (await known_tournament(tournament_id)).roster.entrants

    async def names_field(tournament_id: str) -> Field:
        state, _ = await tournaments.load(tournament_id)
        return showing.names_field(state)

    async def decided(tournament_ids: Collection[str]) -> Mapping[str, ShownNames]:
        return {one: (await names_field(one)).shown for one in tournament_ids}

    async def conceal_draft(asker: Asker, request: Request) -> None:
        if (tournament_id := request.path_params.get("tournament_id")) is not None:
            state, _ = await tournaments.load(tournament_id)
            may.require_open(state, asker)

    owned = Ownership(grants=kernel.grants, persons=persons, tournaments=tournaments)
    shown = NamesShown(
        kernel.names, grants=kernel.grants, persons_of=owned.persons_of, field=names_field, decided=decided
    )
    particulars = ParticularsOf(kernel.database)
    judge = Judge(
        homes=kernel.handler(HOMES, publish.of_homes),
        series=kernel.handler(CLAIMS, publish.of_claims),
        particulars=particulars,
        persons_of=owned.persons_of,
        now=now,
    )
    shelf = rulesets_api.Shelf(
        posted=kernel.handler(rulesets.RULESETS, publish.of_rulesets), views=projection.Rulesets(views)
    )
    people = People(
        persons=persons,
        tournaments=tournaments,
        series=judge.series,
        views=projection.Persons(views),
        names=kernel.names,
        shown=shown,
        particulars=particulars,
    )
    season_book = kernel.handler(SEASONS, publish.of_seasons)
    lists = kernel.handler(ratings.RATINGS, publish.of_ratings)
    seeding = Seeding(lists=lists, people=people)
    registers = kernel.handler(REGISTER, publish.of_register)
    entrance = Entrance(people=people, names=kernel.names, judge=judge, new_id=new_id)
    levels = Levels(tournaments=tournaments, seasons=season_book, judge=judge, known_here=people.known_here)
    to_entrant = attendance.acts_on_entrants(tournaments, shown)
    introducing = PersonBackfill(database=kernel.database, persons=persons)
    telling = name_stream.Teller(store=kernel.store, broker=kernel.broker, database=kernel.database)
    neighbours = Neighbours(
        service="registration",
        sources=subjects.SOURCES["registration"],
        database=kernel.database,
        broker=kernel.broker,
        effect=Reaction(tournaments=tournaments, lists=lists, levels=levels, names=kernel.names),
        done=kernel.store.ring,
    )
    door = Door(
        grants=kernel.grants,
        operators=kernel.settings.operators,
        reached={**neighbours.reached(), "registration": views.reached},
        caught_up=views.caught_up,
        scopes={"person_id": owned.federation_of_person},
        own={"person": owned.persons, "player": owned.players, "tournament": owned.tournaments},
        conceal=conceal_draft,
    )
    return create_service(
        kernel,
        description="Who plays: federations, people, entries.",
        door=door,
        routers=[
            rulesets_api.routes(shelf=shelf, door=door),
            federations_api.routes(
                federations=federations, offices=offices, views=projection.Federations(views), door=door, new_id=new_id
            ),
            officials_api.routes(federations=federations, offices=offices, door=door),
            persons_api.routes(people=people, door=door, new_id=new_id),
            person_files.routes(registering=Registering(people=people, registers=registers, new_id=new_id), door=door),
            person_acts.routes(people=people, door=door),
            person_export.routes(people=people, judge=judge, facts=kernel.facts, door=door),
            tournaments_api.routes(
                tournaments=tournaments,
                planning=Planning(shelf=shelf, homes=judge.homes, seasons=season_book, persons=persons),
                views=projection.Tournaments(views),
                is_directed=is_directed,
                levels=levels,
                door=door,
                new_id=new_id,
            ),
            planning.routes(tournaments=tournaments, halls=judge.homes, notes=kernel.notes, door=door),
            levels_api.routes(levels=levels, names=kernel.names, door=door),
            life.routes(tournaments=tournaments, is_directed=is_directed, seeding=seeding, lots=kernel.lots, door=door),
            seasons_api.routes(handler=season_book, levels=levels, door=door, new_id=new_id),
            homes_api.routes(handler=judge.homes, door=door, new_id=new_id),
            particulars_api.routes(people=people, door=door),
            entry_sheets.routes(tournaments=tournaments, names=shown, judge=judge, door=door),
            spectators.routes(tournaments=tournaments, notes=kernel.notes, door=door),
            history.routes(tournaments=tournaments, notes=kernel.notes, door=door),
            entry_acts.routes(tournaments=tournaments, names=shown, judge=judge, door=door),
            files_api.routes(importing=Importing(tournaments=tournaments, entrance=entrance, now=now), door=door),
            entries.routes(
                tournaments=tournaments, entrance=entrance, seeding=seeding, notes=kernel.notes, door=door, now=now
            ),
            entrants.routes(tournaments=tournaments, people=people, door=door),
            attendance.routes(
                tournaments=tournaments, to_entrant=to_entrant, judge=judge, notes=kernel.notes, door=door
            ),
            presence.routes(tournaments=tournaments, to_entrant=to_entrant, judge=judge, notes=kernel.notes, door=door),
            tournament_officials.routes(offices=offices, require_tournament=known_tournament, door=door),
            captains_api.routes(
                captains=speakers, offices=offices, signing=signing, entrant_exists=entrant_exists, door=door
            ),
        ],
        called=shown.of_officials,
        parts=[
            views.running,
            particulars.running,
            neighbours.running,
            signing.running,
            introducing.running,
            telling.running,
        ],
        checks={
            "views": views.check,
            "inbox": neighbours.check,
            "captains": signing.check,
            "persons": introducing.check,
            "names": telling.check,
        },
    )
