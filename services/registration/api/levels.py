"""Levels: the tournament that the best of another one, or of a season, go on to, and who has come from where."""

from collections.abc import Container, Iterator, Mapping, Sequence
from typing import Annotated, Literal

from fastapi import APIRouter, Depends, Response
from pydantic import BaseModel, Field

from services.registration.api import permissions
from services.registration.api.bodies import ENTRANT, ID, NEXT, TOURNAMENT, NextLevel
from services.registration.api.entrants.bodies import EntrantStatus
from services.registration.api.entrants.views import part_in_field
from services.registration.api.personal import called_together
from services.registration.api.tournaments.bodies import Tournament, TournamentForeseen
from services.registration.api.tournaments.views import TournamentsShown
from services.registration.domain.tournament import facts
from services.registration.domain.tournament.entrants import CheckedIn, Entered, WaitingEntrant
from services.registration.domain.tournament.facts import Claim, EntrantWaits, Event, ReserveCalled
from services.registration.domain.tournament.levels import (
    Comer,
    ExpectFrom,
    ExpectNoMoreFrom,
    NameNextLevel,
    NoNextLevel,
    NotDecided,
    TakeIn,
    claim_of,
    entrant_from,
    number_by_right,
    obstacle_of,
    way_back,
)
from services.registration.domain.tournament.places_and_reserves import ReleaseUnconfirmed, is_due
from services.registration.domain.tournament.reasons import cite
from services.registration.domain.tournament.states import AnnouncedTournament, Plan, known, unknown
from services.registration.next_levels import FormerLevel, Levels, called_as_before
from services.registration.streams import announced
from shared.access.references import id_of
from shared.commands.handler import ActPart
from shared.commands.handler import Origin as ActOrigin
from shared.http.authorization import Act, Door
from shared.http.bodies import RequestBody
from shared.http.lazy_route import Router
from shared.http.orders import CHANGED, answered_before, run, tried
from shared.http.parameters import TournamentId
from shared.http.responses import FOUND, DryRun, read
from shared.personal.names import Names
from shared.rulesets.entry import Entry
from shared.values import Value


class ToTakeIn(RequestBody):
    tournament: str = Field(
        pattern=ID,
        json_schema_extra=id_of("origin"),
        description="The one that they come from, or the season.",
        examples=[TOURNAMENT],
    )
    advance: int | None = Field(
        default=None,
        ge=1,
        le=1000,
        description="So many by right, where nobody had said so; otherwise as many as there is room for.",
        examples=[None],
    )


class Qualifier(BaseModel):
    former: str = Field(description="The entrant that they were; of a season the person.", examples=[ENTRANT])
    name: str | None = Field(description="As it is shown; null when it was erased.", examples=["Gymnázium Brno 1"])
    place: int = Field(description="That they had there.", examples=[1])
    claim: Claim = Field(
        description="To a place by right; as a reserve of that tournament; or next in line for a place that is left.",
        examples=["by-right"],
    )
    entrant: str | None = Field(description="Who they are here; null: not entered.", examples=[ENTRANT])
    status: EntrantStatus | Literal["not-entered"] = Field(examples=["entered"])
    confirmed: bool = Field(description="Whether they have said that they will come.", examples=[False])
    why: str | None = Field(
        description="What has to be decided about them by an official, where something has.", examples=[None]
    )


class Origin(BaseModel):
    tournament: str = Field(description="Or the season in which they have qualified.", examples=[TOURNAMENT])
    name: str = Field(examples=["Area tournament Brno"])
    decided: bool = Field(description="Whether its order is known.", examples=[True])
    advance: int | None = Field(
        description="How many go on by right; null: nobody has said so, or as many as there is room for.", examples=[2]
    )
    qualifiers: list[Qualifier] = Field(description="Best first.")


class Qualifiers(BaseModel):
    """Who comes from the tournaments before."""

    tournament: str = Field(examples=[NEXT])
    origins: list[Origin]
    open: int = Field(description="About how many of them an official has to decide.", examples=[0])


def routes(*, levels: Levels, shown: TournamentsShown, names: Names, door: Door) -> APIRouter:
    router = Router(prefix="/v1/tournaments/{tournament_id}", tags=["levels"])
    tournaments = levels.tournaments

    @router.post(
        "/next-level",
        summary="Name the tournament that the best go on to",
        description="As soon as the order is decided, they are entered there: by right with a place that they "
        "confirm, the others as reserves. It may be named anew until then. Where the rules do not say how many go on, "
        "announce it before the start.",
        operation_id="nameNextLevel",
        response_model=Tournament,
        responses=CHANGED,
    )
    async def next_level(
        tournament_id: TournamentId, body: NextLevel, act: Annotated[Act, Depends(door.acts(permissions.LEAD_ON))]
    ) -> Response:
        if before := await answered_before(tournaments, act):
            return before
        plan = (await announced(levels.tournaments, tournament_id)).plan
        order = NameNextLevel(next_level=body.tournament, otherwise=body.otherwise)
        leading = LeadingOn(
            identity=tournament_id,
            federation=plan.federation,
            entry=plan.ruleset.entry,
            series=plan.series,
            before=(plan.next_level, plan.otherwise),
        )
        return await run(
            tournaments,
            tournament_id,
            order,
            act,
            await shown.of(tournament_id, act.asker),
            also=await expectations(levels, leading, (body.tournament, body.otherwise), act.origin),
        )

    @router.get(
        "/qualifiers",
        summary="Who comes from the tournaments before",
        description="Of each: its order, what everybody has a claim to, what has become of their entry, and what an "
        "official has to decide.",
        operation_id="listQualifiers",
        response_model=Qualifiers,
        responses=FOUND,
        dependencies=[Depends(door.reads(permissions.OFFICIATE))],
    )
    async def qualifiers(tournament_id: TournamentId) -> Response:
        state, version = await tournaments.load(tournament_id)
        return read(await qualifiers_view(levels, names, known(state)), version)

    @router.post(
        "/take-in",
        summary="Take in who is qualified",
        description="Whoever comes from a tournament before and is not entered yet: it was too late or too early for "
        "it, or a correction came. Who is entered stays, whatever became of the entry.",
        operation_id="takeInQualified",
        response_model=Tournament | TournamentForeseen,
        responses=CHANGED,
    )
    async def take_in(
        tournament_id: TournamentId,
        body: ToTakeIn,
        act: Annotated[Act, Depends(door.acts(permissions.LEAD_ON))],
        dry_run: DryRun = False,
    ) -> Response:
        if not dry_run and (before := await answered_before(tournaments, act)):
            return before
        here = await announced(levels.tournaments, tournament_id)
        order = await take_in_order(levels, here, body)
        entered, claims = await levels.claims(order, tournament_id)
        if dry_run:
            _, events = await tournaments.foresee(tournament_id, order)
            return tried(foreseen(events))
        await names.keep(await called_as_before(names, order, entered))
        claimed = (
            [levels.judge.series.part(here.plan.series_id, claims, scope=here.plan.federation, origin=act.origin)]
            if claims
            else []
        )
        return await run(
            tournaments,
            tournament_id,
            order,
            act,
            await shown.of(tournament_id, act.asker),
            also=claimed,
            relying=lambda: levels.still_here(order.known, here.plan),
        )

    @router.post(
        "/release-unconfirmed",
        summary="Give the places that nobody confirmed to reserves",
        description="Once the time to confirm is over: whoever has not confirmed withdraws, and the next are called. "
        "Who is called as a reserve may confirm later.",
        operation_id="releaseUnconfirmed",
        response_model=Tournament | TournamentForeseen,
        responses=CHANGED,
    )
    async def release(
        tournament_id: TournamentId,
        act: Annotated[Act, Depends(door.acts(permissions.LEAD_ON))],
        dry_run: DryRun = False,
    ) -> Response:
        state = await announced(levels.tournaments, tournament_id)
        order = ReleaseUnconfirmed(passed=levels.judge.passed(state.plan))
        if dry_run:
            _, events = await tournaments.foresee(tournament_id, order)
            return tried(foreseen(events))
        gone = [one.entrant for one in state.roster.coming if is_due(state.roster, one.entrant)]
        return await run(
            tournaments,
            tournament_id,
            order,
            act,
            await shown.of(tournament_id, act.asker),
            also=levels.judge.release(gone, state.plan, tournaments, act),
        )

    return router


async def take_in_order(levels: Levels, here: AnnouncedTournament, body: ToTakeIn) -> TakeIn:
    if body.tournament not in here.roster.origins:
        raise NoNextLevel("Nobody comes from there: name this one as its next level first.")
    order = await levels.coming(body.tournament, here.plan.tournament, advance=body.advance, by_hand=True)
    if order is None:
        raise NotDecided(
            "The order there is not decided yet: the last stage has to be closed, or of a season it has to be published who has qualified."
        )
    return order


def foreseen(events: Sequence[Event]) -> TournamentForeseen:
    """The consequences in the words of an organiser."""
    counts: Mapping[str, int] = {
        "enter": sum(isinstance(event, facts.EntrantEntered) for event in events),
        "wait for a place": sum(isinstance(event, EntrantWaits) for event in events),
        "withdraw": sum(isinstance(event, facts.EntryWithdrawn) for event in events),
        "are called": sum(isinstance(event, ReserveCalled) for event in events),
        "get another place as their key": sum(isinstance(event, facts.EntryCorrected) for event in events),
    }
    changes = [f"{count} {what}." for what, count in counts.items() if count]
    lost = ["Whoever withdraws has no claim to a place any more."] if counts["withdraw"] else []
    return TournamentForeseen(changes=changes, lost=lost)


class LeadingOn(Value):
    """A tournament or a season, and where it leads by now."""

    identity: str
    federation: str
    entry: Entry | None = None  # the rules of a tournament; in a season persons qualify, each alone
    series: str | None = None
    before: Sequence[str | None] = ()


async def expectations(
    levels: Levels, leading: LeadingOn, named: Sequence[str | None], origin: ActOrigin
) -> Sequence[ActPart]:
    """Tells the next tournaments together with it: those that are named now that they have somebody to expect from there,
    and those that were named before that they have nobody any more."""
    now = [one for one in dict.fromkeys(named) if one is not None]
    for following in now:
        await require_fit(levels, leading, following)
    no_more = sorted({one for one in leading.before if one is not None} - {*now})
    orders = [
        *((one, ExpectFrom(origin=leading.identity)) for one in now),
        *((one, ExpectNoMoreFrom(origin=leading.identity)) for one in no_more),
    ]
    return [
        levels.tournaments.part(one, order, scope=one, origin=origin)
        for one, order in orders
        if one != leading.identity
    ]


async def require_fit(levels: Levels, leading: LeadingOn, following: str) -> None:
    plan = (await announced(levels.tournaments, following)).plan
    if plan.federation != leading.federation:
        raise unknown()
    here, there = leading.entry, plan.ruleset.entry
    team = here.team if here else None
    if (here.kind if here else "individual") != there.kind or (team and there.team and team.base != there.team.base):
        raise NoNextLevel(f"{plan.name} is held for another kind of entrants: they could not enter it.")
    if here is not None:
        require_same_series(here, leading.series, plan)
    ahead = [plan.next_level, plan.otherwise]
    for one in ahead:
        if one == leading.identity:
            raise way_back(plan)
        if one is not None:
            further = (await announced(levels.tournaments, one)).plan
            ahead += [later for later in (further.next_level, further.otherwise) if later not in ahead]


def require_same_series(here: Entry, series: str | None, following: Plan) -> None:
    """What holds through a series would not be seen any more in another one."""
    there = following.ruleset.entry
    if (here.holds_through_series or there.holds_through_series) and series != following.series:
        clause = cite(there.rule_ids.get("series", here.rule_ids.get("series")))
        raise NoNextLevel(
            f"{following.name} belongs to {of_series(following.series)}, and this one to {of_series(series)}{clause}: change the "
            "plan of one of them first."
        )
    if None not in {here.division, there.division} and here.division != there.division:
        raise NoNextLevel(f"{following.name} is held for {there.division}, and this one for {here.division}.")


def of_series(series: str | None) -> str:
    return f"the series {series}" if series else "no series"


async def qualifiers_view(levels: Levels, names: Names, here: AnnouncedTournament) -> Qualifiers:
    origins = [await origin_view(levels, names, one, here) for one in here.roster.origins]
    undecided = sum(one.why is not None for several in origins for one in several.qualifiers)
    return Qualifiers(tournament=here.plan.tournament, origins=origins, open=undecided)


async def origin_view(levels: Levels, names: Names, tournament: str, here: AnnouncedTournament) -> Origin:
    there = await levels.origin(tournament, here.plan.federation)
    order = await levels.coming(tournament, here.plan.tournament)
    comers = order.comers if order else ()
    number = number_by_right(here, order) if order else None
    found = [
        qualifier_view(here, tournament, comer, None if number is None else claim_of(order, above=index < number))
        for index, comer in enumerate(comers)
        if order
    ]
    found += [*no_more_qualified(here, tournament, {comer.former for comer in comers})]
    await name_qualifiers(found, there, names)
    return Origin(
        tournament=tournament,
        name=there.name,
        decided=order is not None,
        advance=order.by_right if order else there.advance,
        qualifiers=found,
    )


async def name_qualifiers(found: Sequence[Qualifier], there: FormerLevel, names: Names) -> None:
    persons = {one.former: there.persons(one.former) for one in found}
    called = await names.in_full({*persons, *(person for several in persons.values() for person in several)})
    for one in found:
        one.name = called_together(one.former, persons[one.former], called)


def no_more_qualified(here: AnnouncedTournament, tournament: str, expected: Container[str]) -> Iterator[Qualifier]:
    """Whoever has entered from there and is not among those who come from there by now."""
    for entrant, details in here.roster.details.items():
        qualified, now = details.qualified, here.roster.entrants.get(entrant)
        if qualified is None or qualified.origin != tournament or qualified.former in expected:
            continue
        if isinstance(now, Entered | CheckedIn | WaitingEntrant):
            yield Qualifier(
                former=qualified.former,
                name=None,
                place=qualified.place,
                claim=qualified.claim,
                entrant=entrant,
                status=part_in_field(now)["status"],
                confirmed=details.is_confirmed,
                why="They do not come from there any more, or have a place in another tournament: withdraw them here, or "
                "they stay.",
            )


def qualifier_view(here: AnnouncedTournament, tournament: str, comer: Comer, claim: Claim | None) -> Qualifier:
    """Where no claim follows from numbers they have the one that an official gave them."""
    entrant = entrant_from(here.roster, tournament, comer.former)
    given = here.roster.details_of(entrant).qualified if entrant else None
    claim = claim or (given.claim if given else "next")
    return Qualifier(
        former=comer.former,
        name=None,
        place=comer.place,
        claim=claim,
        entrant=entrant,
        status=part_in_field(here.roster.entrants[entrant])["status"] if entrant else "not-entered",
        confirmed=here.roster.details_of(entrant).is_confirmed if entrant else False,
        why=to_decide(here, comer, claim, entrant),
    )


def to_decide(here: AnnouncedTournament, comer: Comer, claim: Claim, entrant: str | None) -> str | None:
    if entrant is None:
        why = obstacle_of(here.roster, comer, here.plan)
        return why or "They are not entered: take them in." if claim == "by-right" else why
    match here.roster.entrants[entrant]:
        case WaitingEntrant() if claim == "by-right":
            return "They have a right to a place and wait for one: call them, once one is free."
        case Entered() | CheckedIn() if claim == "reserve" and not here.roster.details_of(entrant).is_called:
            return "They have a place and no right to it since a correction: they keep it, or withdraw."
        case _:
            return None
