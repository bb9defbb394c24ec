"""All that is known of a person, put together for them."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from http import HTTPStatus

from fastapi import APIRouter, Depends, Response

from services.registration.api import entry_showing
from services.registration.api.entry_forms import EntryListed
from services.registration.api.forms import PersonId
from services.registration.api.particulars import shown
from services.registration.api.people import People
from services.registration.api.person_forms import Elsewhere, PersonExport, TakingPart
from services.registration.domain import person
from services.registration.domain.tournament.line_ups import with_two_teams
from services.registration.domain.tournament.states import STATUS, AnnouncedTournament
from services.registration.eligibility.judge import Judge
from shared.http.door import Door
from shared.http.export_api import EXPORT
from shared.http.problems import documented
from shared.http.responses import READ, read
from shared.personal.export import PersonalFacts
from shared.personal.particulars import NOTHING_KNOWN

SERVICES = ("pairing", "results", "standings")


def routes(*, people: People, judge: Judge, facts: PersonalFacts, door: Door) -> APIRouter:
    router = APIRouter(prefix="/v1/persons", tags=["persons"])

    @router.get(
        "/{person_id}/export",
        summary="All that is known of a person",
        description="For the person, whom the federation gives it to: name, particulars, every entry, every fact of the "
        "log about them with the words that explain it, and the paths under which the other services answer the same. Of "
        "others in their teams only the ids are shown.",
        operation_id="exportPerson",
        response_model=PersonExport,
        responses=READ | documented(HTTPStatus.NOT_FOUND),
        dependencies=[Depends(door.reads(EXPORT))],
    )
    async def export(person_id: PersonId) -> Response:
        identity = await people.kept(person_id)
        state, version = await people.persons.load(identity)
        federation = person.known(state).federation
        ids = await people.ids_of(identity)
        tournaments = await people.tournaments_of(ids)
        names = await people.names.in_full([identity])
        known = (await people.particulars.of([identity])).get(identity, NOTHING_KNOWN)
        taking_part = [in_tournament(tournament, ids, judge) for tournament in tournaments.values()]
        entrants = [entry.entrant.id for part in taking_part for entry in part.entries]
        exported = PersonExport(
            id=identity,
            duplicates=list(ids[1:]),
            federation=federation,
            name=names.get(identity),
            particulars=shown(identity, known),
            tournaments=taking_part,
            facts=await facts.about([*ids, *entrants], [*ids, *tournaments, federation]),
            elsewhere=list(elsewhere(ids, tournaments, taking_part)),
        )
        return read(exported, version)

    return router


def in_tournament(state: AnnouncedTournament, ids: Sequence[str], judge: Judge) -> TakingPart:
    both, today = with_two_teams(state.roster), judge.today(state.plan)
    entries = [
        about(entry_showing.listed(state, entrant, today, both), ids)
        for entrant in state.roster.entrants.values()
        if {*entrant.said.persons, *state.roster.details_of(entrant.entrant).also.substitutes} & set(ids)
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


def about(entry: EntryListed, ids: Sequence[str]) -> EntryListed:
    """Without what was found out about others of the team."""
    return entry.model_copy(update={"verdicts": [verdict for verdict in entry.verdicts if verdict.person in ids]})


def elsewhere(
    ids: Sequence[str], tournaments: Mapping[str, AnnouncedTournament], taking_part: Iterable[TakingPart]
) -> Iterator[Elsewhere]:
    """Where they have not played nobody knows them: then it is 404."""
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
