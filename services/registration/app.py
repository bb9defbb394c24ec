"""Registration: who plays. This file wires it."""

from collections.abc import Collection, Mapping

from fastapi import FastAPI, Request

from services.registration import projection, publish
from services.registration.accounts import Accounts
from services.registration.api import accounts as accounts_api
from services.registration.api import federations as federations_api
from services.registration.api import homes as homes_api
from services.registration.api import levels as levels_api
from services.registration.api import me as me_api
from services.registration.api import notices as notices_api
from services.registration.api import officials as officials_api
from services.registration.api import permissions
from services.registration.api import roll as roll_api
from services.registration.api import rulesets as rulesets_api
from services.registration.api import scorer_links as scorer_links_api
from services.registration.api import seasons as seasons_api
from services.registration.api import series as series_api
from services.registration.api.captains import routes as captains_api
from services.registration.api.captains import sheets as captain_sheets
from services.registration.api.entrants import routes as entrants_api
from services.registration.api.entrants import sheets as attendance
from services.registration.api.entries import files as entry_files
from services.registration.api.entries import routes as entries_api
from services.registration.api.entries.intake import Intake
from services.registration.api.entries.own_entries import OwnEntries
from services.registration.api.persons import export as person_export
from services.registration.api.persons import files as person_files
from services.registration.api.persons import routes as persons_api
from services.registration.api.persons.directory import Directory
from services.registration.api.tournaments import cash, lifecycle
from services.registration.api.tournaments import lots as lots_api
from services.registration.api.tournaments import routes as tournaments_api
from services.registration.api.tournaments.announcement import GroundsFinder
from services.registration.api.tournaments.views import TournamentsShown, field_of_names
from services.registration.backfill import PersonBackfill
from services.registration.domain import (
    captains,
    federation,
    notices,
    officials,
    person,
    ratings,
    roll,
    rulesets,
    seasons,
)
from services.registration.domain.accounts import ACCOUNT
from services.registration.domain.captains import KEYS
from services.registration.domain.homes import HOMES
from services.registration.domain.person import REGISTER
from services.registration.domain.scorer_links import SCORER_LINKS
from services.registration.domain.series import CLAIMS
from services.registration.domain.tournament.decider import TOURNAMENT
from services.registration.domain.tournament.states import Unannounced
from services.registration.eligibility.judge import Judge
from services.registration.eligibility.membership import Membership
from services.registration.next_levels import Levels
from services.registration.ownership import Ownership
from services.registration.reactions import Reaction
from services.registration.series_fees import SeriesFees
from services.registration.signing import Signing
from services.registration.streams import announced
from services.registration.tournaments import KnownTournaments
from shared.access.asker import Asker
from shared.clock import now
from shared.http.answer_cache import AnswerCache
from shared.http.authorization import Door
from shared.ids import new_id
from shared.kernel import Kernel
from shared.log.read_model import ReadModel
from shared.messaging.history import Histories
from shared.personal import name_stream
from shared.personal.particulars import ParticularsOf
from shared.personal.shown_names import NameField, NamesShown
from shared.rulesets.entry import ShownNames
from shared.service import create_service
from shared.settings import ServiceSettings


def create_app() -> FastAPI:
    kernel = Kernel("registration", ServiceSettings.from_environment())
    views = ReadModel(
        name=projection.NAME,
        version=projection.VERSION,
        tables=projection.TABLES,
        apply=projection.apply,
        store=kernel.store,
        database=kernel.database,
    )
    federations = kernel.handler(federation.FEDERATION, publish.of_federation)
    offices = kernel.handler(officials.OFFICIALS, publish.of_officials)
    tournaments = kernel.handler(TOURNAMENT, publish.of_tournament)
    persons = kernel.handler(person.PERSON, publish.of_person)
    speakers = kernel.handler(captains.CAPTAIN, publish.of_captains)
    signing = Signing(
        path=kernel.settings.captain_key,
        audience=kernel.settings.audience,
        keys=kernel.handler(KEYS, publish.of_captain_keys),
        now=now,
    )

    async def require_tournament(tournament_id: str) -> None:
        await announced(tournaments, tournament_id)

    async def entrant_exists(tournament_id: str, entrant_id: str) -> bool:
        return entrant_id in (await announced(tournaments, tournament_id)).roster.entrants

    async def numbered(tournament_id: str, number: int) -> str | None:
        state, _ = await tournaments.load(tournament_id)
        return None if isinstance(state, Unannounced) else state.roster.numbered(number)

    async def names_field(tournament_id: str) -> NameField:
        state, _ = await tournaments.load(tournament_id)
        return field_of_names(state)

    async def decided(tournament_ids: Collection[str]) -> Mapping[str, ShownNames]:
        return {one: (await names_field(one)).shown for one in tournament_ids}

    async def conceal_draft(asker: Asker, request: Request) -> None:
        if (tournament_id := request.path_params.get("tournament_id")) is not None:
            state, _ = await tournaments.load(tournament_id)
            permissions.require_open(state, asker)

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
    shelf = rulesets_api.RulesetShelf(
        posted=kernel.handler(rulesets.RULESETS, publish.of_rulesets), views=projection.Rulesets(views)
    )
    directory = Directory(
        persons=persons,
        tournaments=tournaments,
        series=judge.series,
        views=projection.Persons(views),
        names=kernel.names,
        shown=shown,
        particulars=particulars,
        forget=kernel.openings.forget,
    )
    accounts = Accounts(
        accounts=kernel.handler(ACCOUNT, publish.of_accounts),
        persons=persons,
        tournaments=tournaments,
        ids_of=directory.ids_of,
    )
    season_book = kernel.handler(seasons.SEASONS, publish.of_seasons)
    lists = kernel.handler(ratings.RATINGS, publish.of_ratings)
    rating_lists = lifecycle.SeedingRatings(lists=lists, directory=directory)
    registers = kernel.handler(REGISTER, publish.of_register)
    membership = Membership(
        rolls=kernel.handler(roll.ROLL, publish.of_roll),
        seasons=season_book,
        lists=lists,
        ids_of=directory.all_ids,
        tournaments_of=directory.tournaments_of,
    )
    intake = Intake(directory=directory, judge=judge, membership=membership, new_id=new_id)
    listed = projection.Tournaments(views)
    heard = Histories(kernel.database, service="registration")
    rounds = KnownTournaments(histories=heard)
    held = TournamentsShown(tournaments=tournaments, homes=judge.homes, names=shown, offices=offices, rounds=rounds)

    fees = SeriesFees(tournaments=tournaments, judge=judge, hosts_of=listed.hosts)
    entry_orders = entries_api.EntryOrders(
        tournaments=tournaments, names=shown, judge=judge, membership=membership, fees=fees
    )
    own = OwnEntries(accounts=accounts, directory=directory)
    levels = Levels(
        tournaments=tournaments,
        seasons=season_book,
        judge=judge,
        membership=membership,
        known_here=directory.known_here,
        is_erased=directory.is_erased,
        still_here=directory.still_here,
    )
    board = notices_api.NoticeBoard(
        handler=kernel.handler(notices.NOTICES, publish.of_notices),
        tournaments=tournaments,
        notes=kernel.notes,
        now=now,
    )
    kept = AnswerCache(kernel.database, kernel.names)
    introducing = PersonBackfill(database=kernel.database, persons=persons)
    telling = name_stream.Teller(store=kernel.store, broker=kernel.broker, database=kernel.database)
    neighbours = kernel.neighbours(Reaction(tournaments=tournaments, lists=lists, levels=levels, names=kernel.names))
    door = Door(
        grants=kernel.grants,
        operators=kernel.settings.operators,
        reached={**neighbours.reached(), "registration": views.reached},
        caught_up=views.caught_up,
        scopes={"person_id": owned.federation_of_person},
        own={"person": owned.persons, "player": owned.players, "tournament": owned.tournaments},
        is_own=accounts.is_own,
        numbered=numbered,
        conceal=conceal_draft,
    )
    return create_service(
        kernel,
        description="Who plays: federations, people, entries.",
        door=door,
        shown=shown,
        routers=[
            rulesets_api.routes(shelf=shelf, door=door),
            federations_api.routes(
                federations=federations, offices=offices, views=projection.Federations(views), door=door, new_id=new_id
            ),
            officials_api.federation_routes(federations=federations, offices=offices, door=door),
            accounts_api.my_routes(
                known=accounts_api.Acquaintance(
                    accounts=accounts, directory=directory, federations=federations, homes=judge.homes
                ),
                door=door,
                new_id=new_id,
            ),
            me_api.routes(own=own, judge=judge, names=shown, grants=kernel.grants, views=listed, door=door, now=now),
            persons_api.routes(directory=directory, door=door, new_id=new_id),
            person_files.routes(
                importing=person_files.PersonImport(directory=directory, registers=registers, new_id=new_id), door=door
            ),
            persons_api.merge_routes(directory=directory, door=door),
            accounts_api.person_routes(accounts=accounts, directory=directory, door=door),
            accounts_api.home_routes(links=accounts.accounts, homes=judge.homes, door=door),
            person_export.routes(directory=directory, seasons=season_book, judge=judge, facts=kernel.facts, door=door),
            tournaments_api.routes(
                tournaments=tournaments,
                grounds=GroundsFinder(shelf=shelf, homes=judge.homes, seasons=season_book, persons=persons),
                views=listed,
                shown=held,
                offices=offices,
                levels=levels,
                notes=kernel.notes,
                lots=kernel.lots,
                door=door,
                now=now,
                new_id=new_id,
            ),
            notices_api.routes(board=board, hub=kernel.hub, streams=kernel.streams, door=door),
            cash.routes(tournaments=tournaments, judge=judge, membership=membership, door=door),
            levels_api.routes(levels=levels, shown=held, names=kernel.names, door=door),
            lifecycle.routes(
                tournaments=tournaments,
                shown=held,
                judge=judge,
                ratings=rating_lists,
                lots=kernel.lots,
                door=door,
            ),
            lots_api.routes(tournaments=tournaments, shown=held, lots=kernel.lots, heard=heard, door=door, now=now),
            seasons_api.routes(handler=season_book, levels=levels, door=door, new_id=new_id),
            series_api.routes(tournaments=tournaments, views=listed, door=door),
            homes_api.routes(handler=judge.homes, names=kernel.names, door=door, new_id=new_id),
            persons_api.particulars_routes(directory=directory, door=door),
            entries_api.query_routes(tournaments=tournaments, names=shown, judge=judge, door=door),
            tournaments_api.spectator_routes(tournaments=tournaments, notes=kernel.notes, door=door),
            entries_api.own_routes(orders=entry_orders, own=own, door=door),
            entries_api.routes(orders=entry_orders, shown=held, notes=kernel.notes, door=door),
            roll_api.routes(
                desk=roll_api.RollDesk(
                    membership=membership, directory=directory, tournaments=tournaments, judge=judge
                ),
                door=door,
            ),
            entry_files.routes(
                importing=entry_files.EntryImport(tournaments=tournaments, intake=intake, now=now), door=door
            ),
            entries_api.entering_routes(
                tournaments=tournaments,
                intake=intake,
                fees=fees,
                ratings=rating_lists,
                notes=kernel.notes,
                own=own,
                rounds=rounds,
                door=door,
                now=now,
            ),
            entrants_api.routes(tournaments=tournaments, directory=directory, door=door, kept=kept),
            entrants_api.attendance_routes(
                tournaments=tournaments,
                names=shown,
                judge=judge,
                notes=kernel.notes,
                own=own,
                rounds=rounds,
                door=door,
            ),
            attendance.routes(tournaments=tournaments, names=shown, judge=judge, door=door),
            officials_api.tournament_routes(offices=offices, require_tournament=require_tournament, door=door),
            captains_api.routes(
                captains=speakers, offices=offices, signing=signing, entrant_exists=entrant_exists, door=door
            ),
            scorer_links_api.routes(
                desk=scorer_links_api.ScorerDesk(
                    links=kernel.handler(SCORER_LINKS, publish.of_scorer_links),
                    offices=offices,
                    signing=signing,
                    page=kernel.settings.captain_page,
                ),
                tournaments=tournaments,
                door=door,
            ),
            captain_sheets.routes(
                issuing=captain_sheets.FieldIssuing(
                    captains=speakers, tournaments=tournaments, offices=offices, signing=signing, names=shown
                ),
                page=kernel.settings.captain_page,
                door=door,
            ),
        ],
        called=shown.of_officials,
        parts=[
            views.running,
            heard.running,
            particulars.running,
            neighbours.running,
            signing.running,
            introducing.running,
            telling.running,
            kept.running,
        ],
        checks={
            "views": views.check,
            "inbox": neighbours.check,
            "captains": signing.check,
            "persons": introducing.check,
            "names": telling.check,
        },
        formats=(*rulesets_api.FORMATS, *seasons_api.FORMATS),
    )
