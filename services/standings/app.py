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
from shared.clock import now
from shared.http import export_api
from shared.http.door import Door
from shared.kernel import Kernel
from shared.log.read_model import ReadModel
from shared.messaging import subjects
from shared.messaging.history import Histories
from shared.messaging.inbox import Neighbours
from shared.personal import name_stream
from shared.personal.shown_names import InboxFields, NamesShown
from shared.service import create_service
from shared.settings import ServiceSettings

NAME = "standings"
OWN = 1  # raised when what was said here has to move the tables once more


def create_app() -> FastAPI:
    kernel = Kernel(NAME, ServiceSettings.from_environment())
    kept = Tables(kernel.database, service=NAME)
    rankings = kernel.handler(RANKING, publish.of_ranking)
    qualifying = kernel.handler(QUALIFYING, publish.of_qualifying)
    changes = kernel.handler(CHANGES, publish.of_changes)

    def committed() -> None:
        kept.waking.wake()
        kernel.store.ring()

    neighbours = Neighbours(
        service=NAME,
        sources=subjects.SOURCES[NAME],
        database=kernel.database,
        broker=kernel.broker,
        effect=Reaction(
            tables=kept,
            lots=kernel.lots,
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
        store=kernel.store,
        database=kernel.database,
        done=kept.waking.wake,
    )
    heard = Histories(kernel.database, service=NAME)
    fields = InboxFields(kernel.database)
    shown = NamesShown(
        kernel.names,
        grants=kernel.grants,
        persons_of=kernel.grants.persons_of,
        field=fields.of,
        decided=fields.decided,
    )
    hearing = name_stream.Listener(service="standings", broker=kernel.broker, database=kernel.database)
    door = Door(
        grants=kernel.grants,
        operators=kernel.settings.operators,
        reached={**neighbours.reached(), NAME: own.reached},
        scopes={"person_id": kernel.grants.federation_of},
        told=frozenset({"person_id"}),
        own={"person": kernel.grants.own_persons},
    )
    situations = Situations(heard, shown)
    persons = Persons(kernel.database)
    season_desk = SeasonDesk(
        books=kernel.handler(BOOK, publish.of_season),
        heard=heard,
        tables=kept,
        persons=persons,
        grants=kernel.grants,
        names=kernel.names,
        shown=shown,
        now=now,
    )
    to_season = Happening(desk=season_desk)
    desk = Desk(rankings=rankings, qualifying=qualifying, lots=kernel.lots, situations=situations, notes=kernel.notes)
    return create_service(
        kernel,
        description="Who leads: tables, why they are so, and how they end.",
        door=door,
        routers=[
            export_api.routes(facts=kernel.facts, door=door),
            tables.routes(
                showing=Showing(kept, situations),
                situations=situations,
                waking=kept.waking,
                streams=kernel.streams,
                door=door,
            ),
            changed.routes(changes=changes, situations=situations, door=door),
            crosstable.routes(situations=situations, door=door),
            outcome.routes(situations=situations, door=door),
            stages.routes(desk=desk, door=door),
            closing.routes(desk=desk, door=door),
            rank.routes(workers=kernel.workers, door=door),
            season.routes(workers=kernel.workers, door=door),
            reading.routes(desk=season_desk, door=door),
            lists.routes(desk=season_desk, door=door),
            bringing_in.routes(happening=to_season, door=door),
            deciding.routes(happening=to_season, door=door),
            cut.routes(happening=to_season, lots=kernel.lots, door=door),
            ending.routes(happening=to_season, lots=kernel.lots, door=door),
        ],
        parts=[
            kept.running,
            fields.running,
            own.running,
            heard.running,
            persons.running,
            neighbours.running,
            hearing.running,
        ],
        checks={"inbox": neighbours.check, "tables": kept.check, "own": own.check, "names": hearing.check},
    )
