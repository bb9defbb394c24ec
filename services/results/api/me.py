"""What is the caller's own at results: offices with what is open there, the own table, and reports that wait."""

from collections.abc import Mapping, Sequence
from typing import Annotated

from fastapi import APIRouter, Depends, Response
from pydantic import BaseModel, Field

from services.results.api.context import Context
from services.results.api.games import views
from services.results.api.parameters import TOURNAMENT
from services.results.api.permissions import LOOK_INTO, OPEN, SPOKEN
from services.results.api.rounds.bodies import GameListed
from services.results.api.rounds.routes import STATUSES, sheets_of
from services.results.api.rounds.views import ShownTo, listed
from services.results.domain.sheet.states import KnownSheet, reports_of
from services.results.projection import RoundRow, SheetRow, SheetsWanted
from services.results.tournaments import KnownTournament
from shared.access.asker import Asker
from shared.access.grants import Grants
from shared.access.policy import SIGNED_IN
from shared.access.roles import Role
from shared.http.authorization import Door
from shared.http.lazy_route import Router
from shared.http.me import Me, tournaments_of, who_is_asking
from shared.http.responses import PAGE, read_by_content
from shared.values import Value

MOST_GAMES = 500  # open ones of one tournament that are looked through


class RoundToFinish(BaseModel):
    stage: str = Field(examples=["swiss"])
    round: int = Field(examples=[3])
    games: int = Field(examples=[12])
    missing: int = Field(description="How many have no result yet.", examples=[5])


class TournamentUnderWay(BaseModel):
    """In which the caller officiates, as long as a published round waits for results."""

    tournament: str = Field(examples=[TOURNAMENT])
    name: str | None = Field(examples=["Bratislava Open"])
    federation: str | None = Field(examples=["019aa4c2-7d5e-7a40-8f3e-2b6f1f0c9d11"])
    roles: list[Role] = Field(description="Also those in its federation.", examples=[["scorer"]])
    rounds: list[RoundToFinish] = Field(description="Those with games that are still open.")
    unreported: int = Field(description="Open games of which nobody has reported anything.", examples=[3])
    reported: int = Field(description="Those that wait for another word.", examples=[1])
    disputed: int = Field(description="Those about which an official has to decide.", examples=[1])
    director: int = Field(description="Those that wait for the director.", examples=[0])


class OwnGame(GameListed):
    tournament: str = Field(examples=[TOURNAMENT])
    tournament_name: str | None = Field(examples=["Bratislava Open"])


class MeAtResults(Me):
    """Who is asking, and what waits for them here."""

    tournaments: list[TournamentUnderWay] = Field(description="The newest first.")
    tables: list[OwnGame] = Field(description="Open games of the entrant for whom a captain speaks.")
    reports: list[OwnGame] = Field(description="Games in which a report of the caller's stands and waits.")


def routes(*, context: Context, grants: Grants, door: Door) -> APIRouter:
    router = Router(prefix="/v1/me", tags=["me"])

    @router.get(
        "",
        summary="Who am I here, and what waits for me?",
        description="Of tournaments in which you officiate: what is open in published rounds. As a captain: the "
        "own open table, and who has not reported. Of everybody: own reports that wait.",
        operation_id="getMeAtResults",
        response_model=MeAtResults,
        responses=PAGE,
    )
    async def me(asker: Annotated[Asker, Depends(door.reads(SIGNED_IN))]) -> Response:
        who = await who_is_asking(asker, grants)
        rounds = await context.projection.open_rounds(await tournaments_of(who, grants))
        looks = [await look_into(context, asker, grants, one) for one in sorted(rounds, reverse=True)]
        found = MeAtResults(
            **dict(who),
            tournaments=[look.under_way(rounds[look.id], asker) for look in looks if who.captain is None],
            tables=[look.game(row) for look in looks for row in look.rows if who.captain is not None],
            reports=[look.game(row) for look in looks for row in look.rows if look.is_reported_by(row, who)],
        )
        return read_by_content(found)

    return router


class TournamentLooked(Value):
    """What is open in one tournament, as the caller may know it: a captain of the own games alone."""

    id: str
    federation: str | None
    rows: Sequence[SheetRow]
    heard: Mapping[str, KnownSheet]
    shown: ShownTo

    @property
    def known(self) -> KnownTournament:
        return self.shown.known

    def game(self, row: SheetRow) -> OwnGame:
        game = listed(row, self.shown)
        return OwnGame(**dict(game), tournament=self.id, tournament_name=self.known.name or None)

    def is_reported_by(self, row: SheetRow, who: Me) -> bool:
        reports = reports_of(self.heard[row.game]) if row.game in self.heard else ()
        entrant = who.captain and who.captain.entrant
        return any(said.by.person == who.subject or (entrant and said.by.entrant == entrant) for said in reports)

    def under_way(self, rounds: Sequence[RoundRow], asker: Asker) -> TournamentUnderWay:
        def count(show: str) -> int:
            return sum(row.status in STATUSES[show] for row in self.rows)

        scopes = {self.id, self.federation}
        return TournamentUnderWay(
            tournament=self.id,
            name=self.known.name or None,
            federation=self.federation,
            roles=sorted({grant.role for grant in asker.grants if grant.scope in scopes}),
            rounds=[
                RoundToFinish(stage=row.stage, round=row.round, games=row.games, missing=row.missing) for row in rounds
            ],
            unreported=count("unreported"),
            reported=count("reported"),
            disputed=count("disputed"),
            director=sum(views.awaits(state, self.known) for state in self.heard.values()),
        )


async def look_into(context: Context, asker: Asker, grants: Grants, tournament: str) -> TournamentLooked:
    captain = asker.caller and asker.caller.captain
    entrant = captain.entrant if captain else None
    wanted = SheetsWanted(tournament=tournament, statuses=OPEN, entrant=entrant)
    rows = await context.projection.sheets(wanted, after="", limit=MOST_GAMES)
    federation = await grants.above(tournament)
    there = asker.within(tournament, federation) if federation else asker
    heard = await sheets_of(context, [row.game for row in rows if row.status in SPOKEN])
    shown = ShownTo(
        known=await context.tournaments.of(tournament),
        told=await context.names.of_tournament(tournament),
        heard=heard,
        reasons={},
        is_official=captain is not None or there.may(LOOK_INTO, tournament),
    )
    return TournamentLooked(id=tournament, federation=federation, rows=rows, heard=heard, shown=shown)
