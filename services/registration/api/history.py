"""What has happened to an entry: who did it, when, why, and by which clause."""

from collections.abc import Iterable
from datetime import datetime
from http import HTTPStatus

import msgspec
from fastapi import APIRouter, Depends, Response
from pydantic import BaseModel, Field

from services.registration.api import may
from services.registration.api.forms import EntrantId, TournamentId
from services.registration.api.tournaments import TournamentHandler
from services.registration.domain.tournament import facts
from services.registration.domain.tournament.decider import TOURNAMENT
from services.registration.domain.tournament.roster import entrant_of_id
from services.registration.domain.tournament.states import known
from shared.http.door import Door
from shared.http.problems import documented, slug
from shared.http.responses import READ, read
from shared.log.envelope import Envelope
from shared.log.store import Recorded
from shared.personal.notes import Notes

WHY = ("reason", "decision", "why", "effect")
BY = ("cited", "clause")


class HappenedToEntry(BaseModel):
    what: str = Field(description="The name of the event, such as `entry-withdrawn`.", examples=["entrant-struck-off"])
    at: datetime
    by: str = Field(description="Who did it, as their token calls them.", examples=["d0f3c1"])
    why: str | None = Field(description="The code that was given.", examples=["absent"])
    clause: str | None = Field(description="That it goes by.", examples=["SK.REG-4"])
    words: str | None = Field(description="Null where none were given, or they were erased.", examples=["Nobody came."])


class HistoryOfEntry(BaseModel):
    items: list[HappenedToEntry] = Field(description="In the order in which it happened.")


def routes(*, tournaments: TournamentHandler, notes: Notes, door: Door) -> APIRouter:
    router = APIRouter(prefix="/v1/tournaments/{tournament_id}", tags=["entries"])

    @router.get(
        "/entrants/{entrant_id}/history",
        summary="What has happened to an entry",
        description="For officials: who did what, when, why and by which clause. The words that were given to a reason "
        "are shown as long as nobody has erased them.",
        operation_id="getEntryHistory",
        response_model=HistoryOfEntry,
        responses=READ | documented(HTTPStatus.NOT_FOUND),
        dependencies=[Depends(door.reads(may.LOOK))],
    )
    async def history(tournament_id: TournamentId, entrant_id: EntrantId) -> Response:
        state, version = await tournaments.load(tournament_id)
        entrant_of_id(known(state).roster, entrant_id)
        found = about(await tournaments.recorded(tournament_id), entrant_id)
        named = [note for _, event in found if (note := getattr(event, "note", None)) is not None]
        words = await notes.read(tournament_id, named)
        items = [happened(envelope, event, words.get(getattr(event, "note", None) or "")) for envelope, event in found]
        return read(HistoryOfEntry(items=items), version)

    return router


def about(recorded: Iterable[Recorded], entrant: str) -> list[tuple[Envelope, facts.Event]]:
    told = [(one, TOURNAMENT.read(one)) for one in recorded]
    return [
        (msgspec.json.decode(one.event.record, type=Envelope), event)
        for one, event in told
        if getattr(event, "entrant", None) == entrant
    ]


def happened(envelope: Envelope, event: facts.Event, words: str | None) -> HappenedToEntry:
    return HappenedToEntry(
        what=slug(envelope.type),
        at=envelope.at,
        by=envelope.actor,
        why=first(event, WHY),
        clause=first(event, BY),
        words=words,
    )


def first(event: facts.Event, fields: Iterable[str]) -> str | None:
    return next((value for name in fields if (value := getattr(event, name, None)) is not None), None)
