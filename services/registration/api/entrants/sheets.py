"""The attendance list of a tournament, for the desk: who is expected and who is there, what they owe, and whom they are close
to. As JSON, for spreadsheets, and as a page to be printed and signed.
"""

from collections.abc import Mapping, Sequence
from http import HTTPStatus

from fastapi import APIRouter, Depends, Response
from pydantic import BaseModel, Field

from services.registration.api.bodies import ENTRANT, PERSON, TOURNAMENT
from services.registration.api.entrants.bodies import EntrantStatus
from services.registration.api.entrants.views import part_in_field
from services.registration.api.entries.bodies import Sum
from services.registration.api.entries.views import due
from services.registration.api.permissions import CHECK_IN
from services.registration.api.personal import called_together
from services.registration.domain.tournament.entrants import EntrantState, StruckOff, WaitingEntrant, Withdrawn
from services.registration.domain.tournament.states import AnnouncedTournament, known
from services.registration.eligibility.judge import Judge
from services.registration.streams import TournamentHandler
from shared.csv_lines import written
from shared.http.authorization import Door
from shared.http.lazy_route import Router
from shared.http.parameters import TournamentId
from shared.http.printed import FileOrPage, PrintedTable, in_each_form, on_paper, printed
from shared.http.problems import documented
from shared.http.responses import read
from shared.personal.shown_names import NamesShown, called

COLUMNS = ("entrant", "name", "number", "rating", "status", "due", "close_to")
HEADINGS = ("Name", "Number", "Rating", "There", "To pay", "Close to", "Signature")
PRESENT = frozenset({"checked-in", "playing"})
ABSENT = (Withdrawn, StruckOff, WaitingEntrant)  # who has no place
FOUND = in_each_form(f"{','.join(COLUMNS)}\r\n{ENTRANT},Mária Nováková,,1700,entered,13 EUR,Ján Novák\r\n")


class ListedAtDesk(BaseModel):
    entrant: str = Field(examples=[ENTRANT])
    persons: list[str] = Field(description="Who plays.", examples=[[PERSON]])
    name: str | None = Field(
        description="Of all who play, or of the team; null when it was erased.", examples=["Mária Nováková"]
    )
    number: int | None = Field(description="The start number, from the start on.", examples=[None])
    rating: int | None = Field(examples=[1700])
    status: EntrantStatus = Field(examples=["entered"])
    due: list[Sum] = Field(description="What is to be paid today, in one of these currencies.")
    close_to: list[str] = Field(
        description="Names of those here who were declared to be close to them.", examples=[["Ján Novák"]]
    )


class AttendanceList(BaseModel):
    tournament: str = Field(examples=[TOURNAMENT])
    name: str = Field(examples=["Košice Cup"])
    expected: int = Field(description="How many have a place.", examples=[24])
    present: int = Field(description="How many of them are there.", examples=[22])
    items: list[ListedAtDesk] = Field(description="Everybody who has a place, by name.")


def routes(*, tournaments: TournamentHandler, names: NamesShown, judge: Judge, door: Door) -> APIRouter:
    router = Router(prefix="/v1/tournaments/{tournament_id}", tags=["entrants"])

    @router.get(
        "/attendance",
        summary="The attendance list",
        description="For the desk: everybody who has a place, whether they are there, what they still have to pay, "
        "and to whom of the others they are close. The page has room to sign.",
        operation_id="getAttendanceList",
        response_model=AttendanceList,
        responses=FOUND | documented(HTTPStatus.NOT_FOUND),
        dependencies=[Depends(door.reads(CHECK_IN))],
    )
    async def attendance(tournament_id: TournamentId, as_format: FileOrPage = None) -> Response:
        state, version = await tournaments.load(tournament_id)
        found = known(state)
        expected = [one for one in found.roster.entrants.values() if not isinstance(one, ABSENT)]
        persons = [person for one in expected for person in one.said.persons]
        full = await names.of_officials([*persons, *(one.entrant for one in expected)])
        shown = attendance_list(found, expected, full, judge.today(found.plan))
        if as_format is None:
            return read(shown, version)
        return on_paper(
            as_format, file=lambda: attendance_file(shown), page=lambda: attendance_page(shown), version=version
        )

    return router


def attendance_list(
    state: AnnouncedTournament, expected: Sequence[EntrantState], names: Mapping[str, str], today: str
) -> AttendanceList:
    items = [listed_at_desk(state, one, names, today) for one in expected]
    return AttendanceList(
        tournament=state.plan.tournament,
        name=state.plan.name,
        expected=len(items),
        present=sum(one.status in PRESENT for one in items),
        items=sorted(items, key=lambda one: (one.name is None, (one.name or "").casefold(), one.entrant)),
    )


def listed_at_desk(
    state: AnnouncedTournament, entrant: EntrantState, names: Mapping[str, str], today: str
) -> ListedAtDesk:
    persons, part = entrant.said.persons, part_in_field(entrant)
    close = {other for pair in state.roster.close for other in pair if {*pair} & {*persons}} - {*persons}
    return ListedAtDesk(
        entrant=entrant.entrant,
        persons=list(persons),
        name=called_together(entrant.entrant, persons, names),
        number=part["number"],
        rating=entrant.said.rating,
        status=part["status"],
        due=due(state, entrant, state.roster.details_of(entrant.entrant), today),
        close_to=sorted(names[one] for one in close if one in names),
    )


def attendance_file(found: AttendanceList) -> bytes:
    return written(
        COLUMNS,
        (
            one.model_dump(exclude={"persons"}) | {"due": in_words(one.due), "close_to": ", ".join(one.close_to)}
            for one in found.items
        ),
    )


def attendance_page(found: AttendanceList) -> Response:
    rows = [
        [
            called(one.name, one.number),
            one.number,
            one.rating,
            "yes" if one.status in PRESENT else None,
            in_words(one.due),
            ", ".join(one.close_to),
            None,
        ]
        for one in found.items
    ]
    table = PrintedTable(title="Attendance", columns=HEADINGS, rows=rows)
    below = f"{found.present} of {found.expected} are there."
    return printed(f"{found.name}: attendance list", below, [table])


def in_words(sums: Sequence[Sum]) -> str:
    """What is due in several currencies is paid in one of them."""
    return " or ".join(f"{one.amount} {one.currency}" for one in sums)
