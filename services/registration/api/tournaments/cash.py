"""The cash summary of a tournament, for the treasurer: as JSON, for spreadsheets, and as a page to be printed."""

from http import HTTPStatus

from fastapi import APIRouter, Depends, Response
from pydantic import BaseModel, Field

from services.registration.api.bodies import TOURNAMENT
from services.registration.api.permissions import SEE_CASH
from services.registration.domain.roll import Roll
from services.registration.domain.tournament.cash import CashLine, cash_lines, lines_of_dues, totals
from services.registration.domain.tournament.states import AnnouncedTournament, known
from services.registration.eligibility.judge import Judge
from services.registration.eligibility.membership import Membership
from services.registration.streams import TournamentHandler
from shared.csv_lines import written
from shared.http.authorization import Door
from shared.http.lazy_route import Router
from shared.http.parameters import TournamentId
from shared.http.printed import FileOrPage, PrintedTable, in_each_form, on_paper, printed
from shared.http.problems import documented
from shared.http.responses import read
from shared.numbers import exact, shown

SUMS = ("due", "waived", "remitted", "paid", "refunded", "kept", "open", "to_refund")
COLUMNS = ("kind", "entrants", "currency", *SUMS)
HEADINGS = (
    "Fee",
    "Number",
    "Currency",
    "Due",
    "Waived",
    "Remitted",
    "Paid",
    "Given back",
    "Kept",
    "Open",
    "To give back",
)
FOUND = in_each_form(f"{','.join(COLUMNS)}\r\nmember,14,EUR,140,0,0,140,0,140,0,0\r\n")

type Amount = float | int


class CashSums(BaseModel):
    currency: str = Field(examples=["EUR"])
    due: Amount = Field(
        description="By the rules; the sum of what was waived, remitted and paid for it and what is open.",
        examples=[140],
    )
    waived: Amount = Field(description="On a ground that the rules name.", examples=[0])
    remitted: Amount = Field(description="What a decision took as enough without its being paid.", examples=[0])
    paid: Amount = Field(examples=[140])
    refunded: Amount = Field(description="Given back.", examples=[0])
    kept: Amount = Field(description="Paid and not given back.", examples=[140])
    open: Amount = Field(description="Still to be paid, by today's fee.", examples=[0])
    to_refund: Amount = Field(description="That the rules give back, and nobody has yet.", examples=[0])


class CashOfKind(CashSums):
    kind: str = Field(
        description="Whose fee it is, as the rules call them: `member`, `everybody` …; `besides`: paid beyond what "
        "was due; `membership`: annual fees that were paid here.",
        examples=["member"],
    )
    entrants: int = Field(description="How many it is about.", examples=[14])


class CashSummary(BaseModel):
    tournament: str = Field(examples=[TOURNAMENT])
    name: str = Field(examples=["Košice Cup"])
    on: str = Field(description="The day that it is true of, at the place of the tournament.", examples=["2026-11-22"])
    kinds: list[CashOfKind] = Field(description="In the order of the rules.")
    totals: list[CashSums] = Field(description="One for each currency.")


def routes(*, tournaments: TournamentHandler, judge: Judge, membership: Membership, door: Door) -> APIRouter:
    router = Router(prefix="/v1/tournaments/{tournament_id}", tags=["tournaments"])

    @router.get(
        "/cash",
        summary="The cash summary of a tournament",
        description="For the organiser and the council: of each kind of fee how many it is about, what was due, "
        "waived, paid and given back, and what is open.",
        operation_id="getCash",
        response_model=CashSummary,
        responses=FOUND | documented(HTTPStatus.NOT_FOUND),
        dependencies=[Depends(door.reads(SEE_CASH))],
    )
    async def cash(tournament_id: TournamentId, as_format: FileOrPage = None) -> Response:
        state, version = await tournaments.load(tournament_id)
        found = known(state)
        roll = await membership.roll_of(found.plan)
        summary = cash_view(found, roll, judge.today(found.plan))
        if as_format is None:
            return read(summary, version)
        return on_paper(as_format, file=lambda: cash_file(summary), page=lambda: cash_page(summary), version=version)

    return router


def cash_view(state: AnnouncedTournament, roll: Roll | None, today: str) -> CashSummary:
    known = roll.members.values() if roll else ()
    dues = ((exact(one.amount), one.currency) for one in known if one.tournament == state.plan.tournament)
    lines = [*cash_lines(state, today), *lines_of_dues(dues)]
    return CashSummary(
        tournament=state.plan.tournament,
        name=state.plan.name,
        on=today,
        kinds=[
            CashOfKind.model_validate({"kind": line.kind, "entrants": line.entrants, **sums(line)}) for line in lines
        ],
        totals=[CashSums.model_validate(sums(line)) for line in totals(lines)],
    )


def sums(line: CashLine) -> dict[str, str | Amount]:
    return {"currency": line.currency} | {name: shown(getattr(line, name)) for name in SUMS}


def cash_file(summary: CashSummary) -> bytes:
    rows = [line.model_dump() for line in summary.kinds]
    return written(COLUMNS, [*rows, *({"kind": "total"} | line.model_dump() for line in summary.totals)])


def cash_page(summary: CashSummary) -> Response:
    rows = [in_columns(line.kind, line.entrants, line) for line in summary.kinds]
    rows += [in_columns("Together", None, line) for line in summary.totals]
    table = PrintedTable(title="Fees by kind", columns=HEADINGS, rows=rows)
    return printed(f"{summary.name}: cash summary", f"As of {summary.on}.", [table])


def in_columns(kind: str, entrants: int | None, line: CashSums) -> list[object]:
    return [kind, entrants, line.currency, *(getattr(line, name) for name in SUMS)]
