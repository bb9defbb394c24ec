"""Pairing: who meets whom. This file wires it."""

from fastapi import FastAPI

from services.pairing import publish
from services.pairing.api import acts, calculators, groups, looking, making, repairing, rooms, sheets
from services.pairing.api.desk import Desk
from services.pairing.api.situation import Situations
from services.pairing.domain.rooms import ROOMS
from services.pairing.domain.round.decisions import ROUND
from services.pairing.domain.stage import STAGE
from services.pairing.reactions import Reaction
from shared.clock import now
from shared.http import export_api
from shared.http.door import Door
from shared.ids import new_id
from shared.kernel import Kernel
from shared.messaging import subjects
from shared.messaging.history import Histories
from shared.messaging.inbox import Neighbours
from shared.personal import name_stream
from shared.personal.shown_names import InboxFields, NamesShown
from shared.service import create_service
from shared.settings import ServiceSettings
from shared.workers import Workers


def create_app() -> FastAPI:
    kernel = Kernel("pairing", ServiceSettings.from_environment())
    rounds = kernel.handler(ROUND, publish.of_round)
    stages = kernel.handler(STAGE, publish.of_stage)
    of_rooms = kernel.handler(ROOMS, publish.of_rooms)
    neighbours = Neighbours(
        service="pairing",
        sources=subjects.SOURCES["pairing"],
        database=kernel.database,
        broker=kernel.broker,
        effect=Reaction(rounds=rounds, lots=kernel.lots),
        done=kernel.store.ring,
    )
    heard = Histories(kernel.database, service="pairing")
    fields = InboxFields(kernel.database)
    shown = NamesShown(
        kernel.names,
        grants=kernel.grants,
        persons_of=kernel.grants.persons_of,
        field=fields.of,
        decided=fields.decided,
    )
    hearing = name_stream.Listener(service="pairing", broker=kernel.broker, database=kernel.database)
    door = Door(
        grants=kernel.grants,
        operators=kernel.settings.operators,
        reached=neighbours.reached(),
        scopes={"person_id": kernel.grants.federation_of},
        told=frozenset({"person_id"}),
    )
    desk = Desk(
        rounds=rounds,
        stages=stages,
        rooms=of_rooms,
        lots=kernel.lots,
        situations=Situations(heard, shown),
        notes=kernel.notes,
        pair=making.pair,
        without_pairing=making.without_pairing,
        check=making.check,
        compare=making.compare,
        workers=Workers(
            most=kernel.settings.workers,
            seconds=kernel.settings.pairing_seconds,
            memory=kernel.settings.worker_memory,
            patience=kernel.settings.pairing_seconds,
            instead="ask the operators for more, which is ROUNDLOG_PAIRING_SECONDS and ROUNDLOG_WORKER_MEMORY",
        ),
        now=now,
        new_id=new_id,
    )
    return create_service(
        kernel,
        description="Who meets whom.",
        door=door,
        routers=[
            looking.routes(desk=desk, door=door),
            sheets.routes(desk=desk, door=door),
            acts.routes(desk=desk, door=door),
            repairing.routes(desk=desk, door=door),
            groups.routes(desk=desk, door=door),
            rooms.routes(desk=desk, door=door),
            calculators.routes(workers=kernel.workers, door=door),
            export_api.routes(facts=kernel.facts, door=door),
        ],
        parts=[heard.running, fields.running, neighbours.running, hearing.running],
        checks={"inbox": neighbours.check, "names": hearing.check},
    )
