"""Pairing: who meets whom. This file wires it."""

from fastapi import FastAPI

from services.pairing import publish
from services.pairing.api import calendar, live, me, tournament_file
from services.pairing.api import stages as stage_api
from services.pairing.api.calculators import routes as calculators
from services.pairing.api.groups import routes as group_api
from services.pairing.api.rooms import routes as room_api
from services.pairing.api.rounds import routes as round_api
from services.pairing.api.rounds.drafting import Drafting
from services.pairing.api.webhooks import WEBHOOKS
from services.pairing.domain.rooms import ROOMS
from services.pairing.domain.round import ROUND
from services.pairing.domain.stage import STAGE
from services.pairing.reactions import Reaction
from services.pairing.tournaments import Tournaments
from shared.clock import now
from shared.http import export_api
from shared.http.answer_cache import AnswerCache
from shared.http.authorization import Door
from shared.http.openapi import OwnFormat
from shared.ids import new_id
from shared.kernel import Kernel
from shared.messaging.history import Histories
from shared.personal import name_stream
from shared.personal.shown_names import InboxFields, NamesShown
from shared.service import create_service
from shared.settings import ServiceSettings
from shared.tournament.file.form import TournamentFile
from shared.workers import Workers


def create_app() -> FastAPI:
    kernel = Kernel("pairing", ServiceSettings.from_environment())
    rounds = kernel.handler(ROUND, publish.of_round)
    stages = kernel.handler(STAGE, publish.of_stage)
    rooms = kernel.handler(ROOMS, publish.of_rooms)
    neighbours = kernel.neighbours(Reaction(rounds=rounds, lots=kernel.lots))
    heard = Histories(kernel.database, service="pairing")
    fields = InboxFields(kernel.database)
    kept = AnswerCache(kernel.database, kernel.names)
    shown = NamesShown.of_inbox(kernel.names, kernel.grants, fields)
    hearing = name_stream.NameListener(service="pairing", broker=kernel.broker, database=kernel.database)
    door = Door(
        grants=kernel.grants,
        operators=kernel.settings.operators,
        reached=neighbours.reached(),
        scopes={"person_id": kernel.grants.federation_of},
        told=frozenset({"person_id"}),
    )
    tournaments = Tournaments(heard, shown, rounds)
    computing = Workers(
        most=kernel.settings.workers,
        seconds=kernel.settings.pairing_seconds,
        memory=kernel.settings.worker_memory,
        patience=kernel.settings.pairing_seconds,
        instead="ask the operators for more, which is ROUNDLOG_PAIRING_SECONDS and ROUNDLOG_WORKER_MEMORY",
    )
    drafting = Drafting(lots=kernel.lots, workers=computing)
    running = round_api.RoundOrders(
        rounds=rounds,
        stages=stages,
        tournaments=tournaments,
        drafting=drafting,
        notes=kernel.notes,
        now=now,
        new_id=new_id,
    )
    return create_service(
        kernel,
        live=live.telling(),
        description="Who meets whom.",
        door=door,
        shown=shown,
        webhooks=WEBHOOKS,
        routers=[
            stage_api.routes(tournaments=tournaments, door=door),
            live.routes(tournaments=tournaments, store=kernel.store, hub=kernel.hub, streams=kernel.streams, door=door),
            calendar.routes(tournaments=tournaments, deployment=kernel.settings.deployment, door=door, kept=kept),
            me.routes(tournaments=tournaments, histories=heard, grants=kernel.grants, door=door),
            round_api.reading_routes(
                tournaments=tournaments,
                drafting=drafting,
                notes=kernel.notes,
                door=door,
                kept=kept,
                root=kernel.checkpoints.on_paper,
            ),
            round_api.routes(running=running, door=door),
            round_api.routes_by_hand(running=running, door=door),
            group_api.routes(stages=stages, tournaments=tournaments, lots=kernel.lots, notes=kernel.notes, door=door),
            room_api.routes(rooms=rooms, tournaments=tournaments, door=door),
            calculators.routes(workers=kernel.workers, door=door),
            tournament_file.routes(tournaments=tournaments, lots=kernel.lots, door=door),
            export_api.routes(facts=kernel.facts, door=door),
        ],
        parts=[heard.running, fields.running, kept.running, neighbours.running, hearing.running],
        checks={"inbox": neighbours.check, "names": hearing.check},
        formats=(OwnFormat(model=TournamentFile),),
    )
