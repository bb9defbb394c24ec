"""Standings: who leads. This file wires it."""

from fastapi import FastAPI

from services.standings import publish
from services.standings.api import me
from services.standings.api.awards import routes as awards
from services.standings.api.calculators import routes as calculators
from services.standings.api.seasons import routes as seasons_api
from services.standings.api.seasons.known import KnownSeasons
from services.standings.api.stages import routes as stages
from services.standings.api.tables import routes as tables_api
from services.standings.api.tables.answers import TableAnswers
from services.standings.api.webhooks import WEBHOOKS
from services.standings.corrections import Corrections
from services.standings.domain.differences import CHANGES
from services.standings.domain.qualifying import QUALIFYING
from services.standings.domain.ranking import RANKING
from services.standings.domain.sealed_tables import SEALED_TABLES
from services.standings.domain.season import SEASON
from services.standings.projection.merged_persons import MergedPersons
from services.standings.projection.table_store import TableStore
from services.standings.projection.tables import VERSIONS
from services.standings.projection.traced_tables import TracedTables
from services.standings.reactions import OwnReaction, Reaction
from services.standings.sealing import TableSealing, told
from services.standings.seasons.file import SeasonFile
from services.standings.tournaments import Tournaments
from shared.clock import now
from shared.http import export_api
from shared.http.answer_cache import AnswerCache
from shared.http.authorization import Door
from shared.http.openapi import OwnFormat
from shared.kernel import Kernel
from shared.log.contents import Contents
from shared.log.follower import LogEffects
from shared.messaging.history import Histories
from shared.personal import name_stream
from shared.personal.shown_names import InboxFields, NamesShown
from shared.service import create_service
from shared.settings import ServiceSettings
from shared.tournament.file.form import TournamentFile

NAME = "standings"
OWN = 1  # raised when what was said here has to move the tables once more


def create_app() -> FastAPI:
    kernel = Kernel(NAME, ServiceSettings.from_environment())
    traced = TracedTables(kernel.database, kernel.spans, service=NAME) if kernel.spans else None
    tables = traced or TableStore(kernel.database, service=NAME)
    rankings = kernel.handler(RANKING, publish.of_ranking)
    qualifications = kernel.handler(QUALIFYING, publish.of_qualifying)
    changes = kernel.handler(CHANGES, publish.of_changes)
    contents = Contents(kernel.database)
    sealing = TableSealing(handler=kernel.handler(SEALED_TABLES, told), contents=contents, service=NAME)

    reaction = Reaction(
        tables=tables,
        lots=kernel.lots,
        corrections=Corrections(changes=changes, service=NAME, is_past=tables.is_past),
        qualifying=qualifications,
        sealing=sealing,
    )
    neighbours = kernel.neighbours(reaction, reaction.at_once)
    own = LogEffects(
        name=NAME,
        version=OWN,
        apply=OwnReaction(tables=tables),
        store=kernel.store,
        database=kernel.database,
    )
    heard = Histories(kernel.database, service=NAME)
    fields = InboxFields(kernel.database)
    kept = AnswerCache(kernel.database, kernel.names, also=VERSIONS)
    shown = NamesShown.of_inbox(kernel.names, kernel.grants, fields)
    hearing = name_stream.NameListener(service="standings", broker=kernel.broker, database=kernel.database)
    door = Door(
        grants=kernel.grants,
        operators=kernel.settings.operators,
        reached={**neighbours.reached(), NAME: own.reached},
        scopes={"person_id": kernel.grants.federation_of},
        told=frozenset({"person_id"}),
        own={"person": kernel.grants.own_persons},
        numbered=fields.numbered,
    )
    tournaments = Tournaments(heard, shown)
    persons = MergedPersons(kernel.database)
    books = kernel.handler(SEASON, publish.of_season)
    seasons = KnownSeasons(
        books=books,
        heard=heard,
        tables=tables,
        caught_up=own.caught_up,
        persons=persons,
        grants=kernel.grants,
        names=kernel.names,
        shown=shown,
    )
    return create_service(
        kernel,
        contents=contents,
        description="Who leads: tables, why they are so, and how they end.",
        door=door,
        shown=shown,
        webhooks=WEBHOOKS,
        routers=[
            export_api.routes(facts=kernel.facts, door=door),
            tables_api.routes(
                answers=TableAnswers(tables, tournaments, own=own),
                tournaments=tournaments,
                changes=changes,
                tables=tables,
                streams=kernel.streams,
                door=door,
                kept=kept,
                root=kernel.checkpoints.on_paper,
                pushed=traced.pushed if traced else None,
            ),
            me.routes(tournaments=tournaments, histories=heard, grants=kernel.grants, door=door),
            awards.routes(rankings=rankings, tournaments=tournaments, door=door),
            stages.routes(
                rankings=rankings,
                qualifications=qualifications,
                sealing=sealing,
                lots=kernel.lots,
                notes=kernel.notes,
                tournaments=tournaments,
                door=door,
            ),
            calculators.routes(workers=kernel.workers, door=door),
            seasons_api.routes(books=books, seasons=seasons, lots=kernel.lots, now=now, door=door),
        ],
        called=shown.of_officials,
        parts=[
            tables.running,
            contents.running,
            fields.running,
            kept.running,
            own.running,
            heard.running,
            persons.running,
            neighbours.running,
            hearing.running,
        ],
        checks={"inbox": neighbours.check, "tables": tables.check, "own": own.check, "names": hearing.check},
        formats=(OwnFormat(model=TournamentFile), OwnFormat(model=SeasonFile)),
    )
