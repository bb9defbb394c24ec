"""What is the caller's own at pairing: offices with the round that is next there, and the own table."""

from collections.abc import Iterator
from datetime import datetime
from typing import Annotated, Literal

from fastapi import APIRouter, Depends, Response
from pydantic import BaseModel, Field

from services.pairing.api.bodies import Player
from services.pairing.api.players import players
from services.pairing.api.rounds import views
from services.pairing.api.rounds.bodies import Pair
from services.pairing.api.stages import RoundAhead, next_step, rounds_ahead
from services.pairing.engines.attendance import who_is_in
from services.pairing.tournaments import KnownTournament, Tournaments
from shared.access.asker import Asker
from shared.access.grants import Grants
from shared.access.policy import SIGNED_IN
from shared.contracts.pairing import RoundPublished
from shared.http.authorization import Door
from shared.http.lazy_route import Router
from shared.http.me import MOST_TOURNAMENTS, Me, tournaments_of, who_is_asking
from shared.http.responses import PAGE, read_by_content
from shared.messaging.history import Histories
from shared.tournament.stages import settings_of

type Rest = Literal["bye", "requested-bye", "missing", "by-plan"]


class TournamentToPair(BaseModel):
    tournament: str = Field(examples=["019aa4c2-7d5e-7a40-8f3e-2b6f1f0c9d11"])
    tournament_name: str = Field(examples=["Bratislava Open"])
    next: RoundAhead | None = Field(description="The round to be paired next; null when nothing is left to be paired.")


class OwnRound(BaseModel):
    """Where the own entrant is in the last round that is published of a stage."""

    tournament: str = Field(examples=["019aa4c2-7d5e-7a40-8f3e-2b6f1f0c9d11"])
    tournament_name: str = Field(examples=["Bratislava Open"])
    stage: str = Field(examples=["swiss"])
    title: str = Field(examples=["Swiss"])
    round: int = Field(examples=[3])
    starts_at: datetime | None = Field(description="Null where it starts when it is published.")
    tables: list[Pair] = Field(description="The own ones: of a match of several games there may be more than one.")
    against: list[Player] = Field(description="Everybody else at them.")
    rests: Rest | None = Field(
        description="Why there is no table; by-plan: in groups and round robins the others play, and nothing is counted for it.",
        examples=[None],
    )


class MeAtPairing(Me):
    """Who is asking, and what waits for them here."""

    tournaments: list[TournamentToPair] = Field(
        description="Under way, in which the caller officiates, the newest first; twenty at most."
    )
    rounds: list[OwnRound] = Field(description="Of the entrant for whom a captain speaks.")


def routes(*, tournaments: Tournaments, histories: Histories, grants: Grants, door: Door) -> APIRouter:
    router = Router(prefix="/v1/me", tags=["me"])

    @router.get(
        "",
        summary="Who am I here, and what waits for me?",
        description="Of tournaments under way in which you officiate: the round that is next, and "
        "what stands in its way. As a captain: the own table in the last round.",
        operation_id="getMeAtPairing",
        response_model=MeAtPairing,
        responses=PAGE,
    )
    async def me(asker: Annotated[Asker, Depends(door.reads(SIGNED_IN))]) -> Response:
        who = await who_is_asking(asker, grants)
        under_way = await histories.under_way(await tournaments_of(who, grants), limit=MOST_TOURNAMENTS)
        known = [await tournaments.of(one) for one in under_way]
        found = MeAtPairing(
            **dict(who),
            tournaments=[]
            if who.captain
            else [
                TournamentToPair(tournament=one.id, tournament_name=one.name, next=next_step(one, rounds_ahead(one)))
                for one in known
            ],
            rounds=[own for one in known for own in (own_rounds(one, who.captain.entrant) if who.captain else ())],
        )
        return read_by_content(found)

    return router


def own_rounds(known: KnownTournament, entrant: str) -> Iterator[OwnRound]:
    """Stage by stage, the newest last."""
    for stage in known.facts.ruleset.stages:
        published = known.published(stage.id)
        if published and (own := own_round(known, published[max(published)], entrant)):
            yield own


def own_round(known: KnownTournament, told: RoundPublished, entrant: str) -> OwnRound | None:
    tables = [game for game in told.games if entrant in game.seats]
    rests = None if tables else resting(known, told, entrant)
    if not tables and rests is None:
        return None
    others = dict.fromkeys(seat for game in tables for seat in game.seats if seat != entrant)
    return OwnRound(
        tournament=known.id,
        tournament_name=known.name,
        stage=told.stage,
        title=known.title(told.stage),
        round=told.round,
        starts_at=views.time(told.starts_at),
        tables=views.pairs(tables, [game.game for game in tables], known),
        against=players(others, known),
        rests=rests,
    )


def resting(known: KnownTournament, told: RoundPublished, entrant: str) -> Rest | None:
    if entrant in told.byes:
        return "bye"
    if entrant in told.requested_byes:
        return "requested-bye"
    if entrant in told.missing:
        return "missing"
    is_in = any(one.id == entrant for one in who_is_in(known.facts, told.stage, told.round))
    return "by-plan" if is_in and settings_of(known.facts, told.stage).goes_by_plan else None
