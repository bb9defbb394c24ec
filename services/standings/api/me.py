"""What is the caller's own at standings: offices with the stages that wait to be closed, and the own places."""

import asyncio
from collections.abc import Iterator
from typing import Annotated

from fastapi import APIRouter, Depends, Response
from pydantic import BaseModel, Field

from services.standings.api.bodies import TOURNAMENT
from services.standings.calculate.bodies import Number
from services.standings.domain.table import begun, last_round, obstacles, ranked
from services.standings.tournaments import EntrantNames, KnownTournament, Tournaments
from shared.access.asker import Asker
from shared.access.grants import Grants
from shared.access.policy import SIGNED_IN
from shared.http.authorization import Door
from shared.http.lazy_route import Router
from shared.http.me import MOST_TOURNAMENTS, CaptainHere, Me, tournaments_of, who_is_asking
from shared.http.moments import NotStarted
from shared.http.responses import PAGE, read_by_content
from shared.messaging.history import Histories
from shared.numbers import shown
from shared.personal.sentences import all_spoken
from shared.tournament.ranking import rank


class StageToClose(BaseModel):
    stage: str = Field(examples=["swiss"])
    title: str = Field(examples=["Swiss"])
    round: int = Field(description="The last one published; 0 before the first.", examples=[7])
    obstacles: list[str] = Field(
        description="What keeps it from being closed; none where it can be.",
        examples=[["Round 7 has no result yet at table 4."]],
    )


class TournamentToRank(BaseModel):
    tournament: str = Field(examples=[TOURNAMENT])
    tournament_name: str = Field(examples=["Bratislava Open"])
    stages: list[StageToClose] = Field(description="Those that have begun and are not closed.")


class OwnPlace(BaseModel):
    tournament: str = Field(examples=[TOURNAMENT])
    tournament_name: str = Field(examples=["Bratislava Open"])
    stage: str = Field(examples=["swiss"])
    title: str = Field(examples=["Swiss"])
    round: int = Field(description="The last one in the table; 0 before the first.", examples=[3])
    place: int = Field(examples=[4])
    shared: bool = Field(description="Whether others have the same place.", examples=[False])
    of: int = Field(description="So many are in the table.", examples=[24])
    group: str | None = Field(description="Whose place it is, where there are groups.", examples=[None])
    values: dict[str, Number] = Field(description="Criterion by criterion.", examples=[{"points": 2, "wins": 2}])


class MeAtStandings(Me):
    """Who is asking, and what waits for them here."""

    tournaments: list[TournamentToRank] = Field(
        description="Under way, in which the caller officiates, the newest first; twenty at most."
    )
    places: list[OwnPlace] = Field(description="Of the entrant for whom a captain speaks.")


def routes(*, tournaments: Tournaments, histories: Histories, grants: Grants, door: Door) -> APIRouter:
    router = Router(prefix="/v1/me", tags=["me"])

    @router.get(
        "",
        summary="Who am I here, and what waits for me?",
        description="Of tournaments under way in which you officiate: stages that are not closed, and what keeps "
        "them from it. As a captain: the own place in every table.",
        operation_id="getMeAtStandings",
        response_model=MeAtStandings,
        responses=PAGE,
    )
    async def me(asker: Annotated[Asker, Depends(door.reads(SIGNED_IN))]) -> Response:
        who = await who_is_asking(asker, grants)
        if who.captain:
            return read_by_content(await of_captain(who, who.captain))
        to_rank: list[TournamentToRank] = []
        for one in await histories.under_way(await tournaments_of(who, grants), limit=MOST_TOURNAMENTS):
            known, names = await tournaments.of(one), await tournaments.names(one)
            to_rank.append(await asyncio.to_thread(tournament_to_rank, known, names))
        return read_by_content(MeAtStandings(**dict(who), tournaments=to_rank, places=[]))

    async def of_captain(who: Me, captain: CaptainHere) -> MeAtStandings:
        try:
            known = await tournaments.of(captain.tournament)
        except NotStarted:  # nobody has a place yet
            return MeAtStandings(**dict(who), tournaments=[], places=[])
        places = await asyncio.to_thread(list, own_places(known, captain.entrant))
        return MeAtStandings(**dict(who), tournaments=[], places=places)

    return router


def tournament_to_rank(known: KnownTournament, names: EntrantNames) -> TournamentToRank:
    titles = {stage.id: stage.title for stage in known.facts.ruleset.stages}
    return TournamentToRank(
        tournament=known.tournament,
        tournament_name=known.name or known.tournament,
        stages=[
            StageToClose(
                stage=stage,
                title=titles[stage],
                round=table.round,
                obstacles=all_spoken(obstacles(known.facts, stage, table), names),
            )
            for stage in begun(known.facts)
            if stage not in known.facts.closed
            for table in [ranked(known.facts, known.persons, stage)]
        ],
    )


def own_places(known: KnownTournament, entrant: str) -> Iterator[OwnPlace]:
    titles = {stage.id: stage.title for stage in known.facts.ruleset.stages}
    for stage in begun(known.facts):
        rows = rank(known.facts, stage).rows
        for row in rows:
            if row.entrant == entrant:
                yield OwnPlace(
                    tournament=known.tournament,
                    tournament_name=known.name or known.tournament,
                    stage=stage,
                    title=titles[stage],
                    round=last_round(known.facts, stage, None),
                    place=row.place,
                    shared=row.shared,
                    of=sum(other.group == row.group for other in rows),
                    group=row.group,
                    values={name: shown(value) for name, value in row.values.items()},
                )
