"""All that is known of a person, put together for them."""

from collections.abc import Iterable, Iterator, Mapping, Sequence

from fastapi import APIRouter, Depends, Response
from pydantic import BaseModel, Field

from services.registration.api.bodies import FEDERATION, OTHER_PERSON, PERSON, TOURNAMENT
from services.registration.api.entries.bodies import EntryListed
from services.registration.api.entries.views import listed_entry_view
from services.registration.api.parameters import PersonId
from services.registration.api.persons.bodies import Particulars
from services.registration.api.persons.directory import Directory
from services.registration.api.persons.views import particulars_view
from services.registration.api.seasons import SeasonsHandler
from services.registration.domain import person
from services.registration.domain.tournament.entrants import EntryDetails
from services.registration.domain.tournament.line_ups import with_two_teams
from services.registration.domain.tournament.states import STATUS, AnnouncedTournament
from services.registration.eligibility.judge import Judge
from shared.http.authorization import Door
from shared.http.export_api import EXPORT
from shared.http.lazy_route import Router
from shared.http.responses import FOUND, read
from shared.personal.export import PersonalFact, PersonalFacts
from shared.personal.particulars import NOTHING_KNOWN


class TakingPart(BaseModel):
    tournament: str = Field(examples=[TOURNAMENT])
    name: str = Field(examples=["Košice Cup"])
    starts_on: str = Field(examples=["2026-11-21"])
    status: str = Field(examples=["completed"])
    entries: list[EntryListed] = Field(description="Those that they were ever in the line-up of.")
    close_to: list[str] = Field(description="Persons who were declared close to them.", examples=[[]])


class Elsewhere(BaseModel):
    service: str = Field(examples=["standings"])
    path: str = Field(
        examples=[f"/v1/persons/{PERSON}/export"],
    )
    what: str = Field(examples=["All that it knows of them."])


class PersonExport(BaseModel):
    """All that registration knows of one person, and where the others say what they know."""

    id: str = Field(examples=[PERSON])
    duplicates: list[str] = Field(description="Other ids of theirs.", examples=[[OTHER_PERSON]])
    federation: str = Field(examples=[FEDERATION])
    name: str | None = Field(examples=["Mária Nováková"])
    particulars: Particulars
    tournaments: list[TakingPart] = Field(description="In the order of their entries.")
    facts: list[PersonalFact] = Field(description="All that the log says of them and of their entries, oldest first.")
    elsewhere: list[Elsewhere] = Field(description="What other services answer.")


SERVICES = ("pairing", "results", "standings")


def routes(
    *, directory: Directory, seasons: SeasonsHandler, judge: Judge, facts: PersonalFacts, door: Door
) -> APIRouter:
    router = Router(prefix="/v1/persons", tags=["persons"])

    @router.get(
        "/{person_id}/export",
        summary="All that is known of a person",
        description="For the person: name, particulars, every entry, every fact of the log about them, and where the "
        "other services answer the same. Of others in their teams only the ids are shown.",
        operation_id="exportPerson",
        response_model=PersonExport,
        responses=FOUND,
        dependencies=[Depends(door.reads(EXPORT))],
    )
    async def export(person_id: PersonId) -> Response:
        identity = await directory.kept(person_id)
        state, version = await directory.persons.load(identity)
        federation = person.known(state).federation
        ids = await directory.ids_of(identity)
        tournaments = await directory.tournaments_of(ids)
        names = await directory.names.in_full([identity])
        known = (await directory.particulars.of([identity])).get(identity, NOTHING_KNOWN)
        taking_part = [in_tournament(tournament, ids, judge) for tournament in tournaments.values()]
        entrants = [entry.entrant.id for part in taking_part for entry in part.entries]
        opened = (await seasons.load(federation))[0].opened
        exported = PersonExport(
            id=identity,
            duplicates=list(ids[1:]),
            federation=federation,
            name=names.get(identity),
            particulars=particulars_view(identity, known),
            tournaments=taking_part,
            facts=await facts.about([*ids, *entrants], [*ids, *tournaments, *opened, federation]),
            elsewhere=list(elsewhere(ids, tournaments, taking_part)),
        )
        return read(exported, version)

    return router


def in_tournament(state: AnnouncedTournament, ids: Sequence[str], judge: Judge) -> TakingPart:
    both, today = with_two_teams(state.roster), judge.today(state.plan)
    entries = [
        about_them(listed_entry_view(state, entrant, today, both), ids)
        for entrant in state.roster.entrants.values()
        if {*entrant.said.persons, *ever_besides(state.roster.details_of(entrant.entrant))} & set(ids)
    ]
    close = {other for pair in state.roster.close if set(pair) & set(ids) for other in pair} - set(ids)
    return TakingPart(
        tournament=state.plan.tournament,
        name=state.plan.name,
        starts_on=state.plan.starts_on,
        status=STATUS[type(state)],
        entries=entries,
        close_to=sorted(close),
    )


def ever_besides(details: EntryDetails) -> tuple[str, ...]:
    """Who could come in, and who was in the line-up until somebody else did."""
    before = details.registered
    return (*details.also.substitutes, *((*before.persons, *before.substitutes) if before else ()))


def about_them(entry: EntryListed, ids: Sequence[str]) -> EntryListed:
    """An entry without what was found out about others of the team."""
    return entry.model_copy(update={"verdicts": [verdict for verdict in entry.verdicts if verdict.person in ids]})


def elsewhere(
    ids: Sequence[str], tournaments: Mapping[str, AnnouncedTournament], taking_part: Iterable[TakingPart]
) -> Iterator[Elsewhere]:
    """Where others may know of them; a service that does not know them answers 404."""
    for service in SERVICES:
        for one in ids:
            yield Elsewhere(service=service, path=f"/v1/persons/{one}/export", what="All that it knows of them.")
    for part in taking_part:
        for entry in part.entries:
            for stage in tournaments[part.tournament].plan.ruleset.stages:
                yield Elsewhere(
                    service="standings",
                    path=f"/v1/tournaments/{part.tournament}/stages/{stage.id}/standings/entrants/{entry.entrant.id}",
                    what="Where they stand, and why.",
                )
