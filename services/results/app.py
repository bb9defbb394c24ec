"""Results: what happened at the tables. This file wires it."""

from fastapi import FastAPI

from services.results import projection, publish
from services.results.api import calculators, incidents, live, me, tournament_records
from services.results.api.context import Context, GamePlaces
from services.results.api.games import routes as games
from services.results.api.games.addresses import ADDRESSES
from services.results.api.objections import routes as objections
from services.results.api.penalties import routes as penalties
from services.results.api.protests import routes as protests
from services.results.api.records import routes as records
from services.results.api.rounds import routes as rounds
from services.results.api.rulings import routes as rulings
from services.results.api.webhooks import WEBHOOKS
from services.results.api.words import routes as words
from services.results.domain.bound_word_lists import BINDINGS
from services.results.domain.editions import EDITIONS
from services.results.domain.incidents import INCIDENTS
from services.results.domain.objections import OBJECTIONS
from services.results.domain.penalties import PENALTIES
from services.results.domain.protests import PROTESTS
from services.results.domain.records import RECORDS
from services.results.domain.rounds import ROUND
from services.results.domain.sheet.decider import GAME
from services.results.projection import Projection
from services.results.reactions.absences import Absences
from services.results.reactions.results import Consequences
from services.results.reactions.rounds import Reaction
from services.results.tournaments import Tournaments
from services.results.word_lists import Library
from shared.clock import now
from shared.commands.decider import untold
from shared.http import export_api
from shared.http.answer_cache import AnswerCache
from shared.http.authorization import Door
from shared.ids import new_id
from shared.kernel import Kernel
from shared.log.contents import Contents
from shared.log.database import Database
from shared.log.read_model import ReadModel
from shared.personal import name_stream
from shared.personal.shown_names import InboxFields, NamesShown
from shared.service import create_service
from shared.settings import ServiceSettings

SHEETS_REMEMBERED = 48 * 2**20  # bytes: some 60 000 sheets that wait for their results, or 20 000 that have them


def create_app() -> FastAPI:
    kernel = Kernel("results", ServiceSettings.from_environment())
    model = ReadModel(
        name=projection.NAME,
        version=projection.VERSION,
        tables=projection.TABLES,
        apply=projection.apply,
        store=kernel.store,
        database=kernel.database,
    )
    of_games = kernel.handler(GAME, publish.of_game, remembered=SHEETS_REMEMBERED)
    of_rounds = kernel.handler(ROUND, publish.of_round)
    of_penalties = kernel.handler(PENALTIES, publish.of_penalties)
    of_protests = kernel.handler(PROTESTS, untold)
    asked = Projection(model=model)
    tournaments = Tournaments(kernel.database)
    contents = Contents(kernel.database)
    inbox = Database(kernel.database)
    library = Library(
        editions=kernel.handler(EDITIONS, untold),
        bindings=kernel.handler(BINDINGS, untold),
        contents=contents,
        database=inbox,
    )
    shelf = words.WordContext(library=library, tournaments=tournaments, notes=kernel.notes, now=now)
    neighbours = kernel.neighbours(
        Reaction(
            games=of_games,
            rounds=of_rounds,
            lots=kernel.lots,
            tournaments=tournaments,
            absences=Absences(games=of_games, tournaments=tournaments),
        )
    )
    consequences = Consequences(
        projection=asked, tournaments=tournaments, games=of_games, rounds=of_rounds, penalties=of_penalties
    )
    places = GamePlaces(of_games, tournaments, asked)
    fields = InboxFields(kernel.database)
    kept = AnswerCache(kernel.database, kernel.names)
    shown = NamesShown.of_inbox(kernel.names, kernel.grants, fields)
    hearing = name_stream.NameListener(service="results", broker=kernel.broker, database=kernel.database)
    door = Door(
        grants=kernel.grants,
        operators=kernel.settings.operators,
        reached={**neighbours.reached(), "results": model.reached},
        scopes={"game_id": places.tournament, "person_id": kernel.grants.federation_of},
        entrants={"game_id": places.table},
        seated={"table": places.seated},
        told=frozenset({"person_id"}),
        own={"edition": library.editions_of},
    )
    context = Context(
        games=of_games,
        rounds=of_rounds,
        penalties=of_penalties,
        protests=of_protests,
        lots=kernel.lots,
        tournaments=tournaments,
        places=places,
        projection=asked,
        notes=kernel.notes,
        names=shown,
        new_id=new_id,
    )
    archive = records.RecordContext(context=context, records=kernel.handler(RECORDS, untold), contents=contents)
    return create_service(
        kernel,
        live=live.telling(of_games, of_protests),
        description="What happened at the tables: score sheets, who agrees with them, and what officials decide.",
        door=door,
        shown=shown,
        webhooks=WEBHOOKS,
        routers=[
            export_api.routes(facts=kernel.facts, door=door),
            games.reports(context=context, door=door),
            *(games.routes(address=address, context=context, door=door) for address in ADDRESSES),
            games.postponement(context=context, door=door),
            *(rulings.decisions(address=address, context=context, door=door, now=now) for address in ADDRESSES),
            rulings.routes(context=context, door=door, now=now),
            games.preparation(context=context, door=door, now=now),
            rounds.games_of_round(context=context, door=door, kept=kept),
            rounds.entry_sheet(context=context, door=door),
            penalties.impositions(context=context, door=door),
            penalties.expulsions(context=context, door=door),
            penalties.removals(context=context, door=door),
            protests.routes(context=context, door=door),
            tournament_records.routes(context=context, door=door),
            records.routes(archive=archive, door=door),
            incidents.routes(context=context, incidents=kernel.handler(INCIDENTS, untold), door=door),
            objections.routes(
                context=context, library=library, objections=kernel.handler(OBJECTIONS, untold), door=door
            ),
            words.routes(shelf=shelf, door=door),
            me.routes(context=context, grants=kernel.grants, door=door),
            calculators.routes(workers=kernel.workers, door=door),
        ],
        parts=[
            model.running,
            tournaments.running,
            contents.running,
            inbox.running,
            neighbours.running,
            consequences.running,
            hearing.running,
            fields.running,
            kept.running,
        ],
        checks={
            "views": model.check,
            "inbox": neighbours.check,
            "names": hearing.check,
            "consequences": consequences.check,
        },
    )
