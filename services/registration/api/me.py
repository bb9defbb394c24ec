"""What is the caller's own: the entries for which they speak, with what each lacks and owes."""

from collections.abc import Iterable
from typing import Annotated, Literal

from fastapi import APIRouter, Depends, Response
from msgspec.structs import replace
from pydantic import BaseModel, Field

from services.registration.accounts import Own
from services.registration.api.bodies import ENTRANT, FEDERATION, TOURNAMENT, next_page
from services.registration.api.entries.bodies import EntryListed
from services.registration.api.entries.own_entries import OwnEntries
from services.registration.api.entries.views import hide_subjects, listed_entry_view
from services.registration.api.federations import FederationListed
from services.registration.api.permissions import ENTRANT_ACTIONS, ENTRY_ACTIONS, entry_actions
from services.registration.api.tournaments.bodies import TournamentListed
from services.registration.api.tournaments.views import tournaments_listed
from services.registration.domain.tournament.line_ups import with_two_teams
from services.registration.domain.tournament.roster import entrant_of_id
from services.registration.domain.tournament.states import (
    AnnouncedTournament,
    Cancelled,
    Completed,
    TournamentStatus,
    Unannounced,
    status,
)
from services.registration.eligibility.judge import Judge
from services.registration.projection import Tournaments
from services.registration.projection.tournaments import PageEnd, Wanted
from shared.access.asker import Asker, Concerned
from shared.access.grants import Grants
from shared.access.policy import SIGNED_IN
from shared.clock import Now
from shared.http.authorization import Door
from shared.http.lazy_route import Router
from shared.http.me import Me, who_is_asking
from shared.http.responses import BAD, PAGE, Actions, After, Limit, allowed, items_behind, page, unversioned
from shared.personal.shown_names import NamesShown

MOST_SHOWN = 100


class MyEntry(BaseModel):
    federation: str = Field(examples=[FEDERATION])
    tournament: str = Field(examples=[TOURNAMENT])
    name: str = Field(description="Of the tournament.", examples=["Košice Cup"])
    starts_on: str = Field(examples=["2026-11-21"])
    entries_close: str | None = Field(
        description="Until when entries are taken; null: as long as registration is open.",
        examples=["2026-11-19T23:00:00Z"],
    )
    status: TournamentStatus = Field(examples=["registration"])
    capacity: Literal["player", "captain", "school", "club"] = Field(
        description="As what you speak for the entrant.", examples=["player"]
    )
    entry: EntryListed
    allowed_actions: Actions = allowed(*ENTRANT_ACTIONS, *ENTRY_ACTIONS)


class MyEntries(BaseModel):
    items: list[MyEntry] = Field(description="In the order of their entry, also those that were withdrawn.")
    next: str | None = next_page(ENTRANT)


class MeAtRegistration(Me):
    federations: list[FederationListed] = Field(description="What those of your offices are called.")
    tournaments: list[TournamentListed] = Field(
        description="In which you hold an office, or in their federation: what is under way, what is to come, what is "
        f"over; {MOST_SHOWN} at most."
    )
    entries: list[MyEntry] = Field(description="For which you speak, in tournaments that are not over yet.")


def routes(
    *, own: OwnEntries, judge: Judge, names: NamesShown, grants: Grants, views: Tournaments, door: Door, now: Now
) -> APIRouter:
    router = Router(prefix="/v1/me", tags=["me"])
    tournaments = own.directory.tournaments

    @router.get(
        "",
        summary="Who I am here",
        description="Your offices, the tournaments in which they hold, and the entries for which you speak.",
        operation_id="getMe",
        response_model=MeAtRegistration,
        responses=BAD,
    )
    async def me(asker: Annotated[Asker, Depends(door.reads(SIGNED_IN))]) -> Response:
        known = await who_is_asking(asker, grants)
        scopes = {office.scope for office in known.offices}
        begin = PageEnd(order="next", today=now().date().isoformat())
        rows, _ = await views.page(Wanted(scopes=scopes), after=begin, limit=MOST_SHOWN, officiating=scopes)
        called = await views.federations({office.federation or office.scope for office in known.offices})
        found = [one for one in await entries_of(asker) if not isinstance(one[0], Completed | Cancelled)]
        entries = [my_entry(state, entrant, speaker, asker, judge) for state, entrant, speaker in found[:MOST_SHOWN]]
        await name_own((one.entry for one in entries), names)
        shown = MeAtRegistration(
            **dict(known),
            federations=[FederationListed(id=one, name=name) for one, name in sorted(called.items())],
            tournaments=await tournaments_listed(rows, views),
            entries=entries,
        )
        return unversioned(shown)

    @router.get(
        "/entries",
        summary="My entries",
        description="Those for which you speak, in all federations: your own, of teams whose captain you are, of "
        "schools and clubs that are entrusted to you. Each with what it lacks, what is due or comes back, and what "
        "you may do about it.",
        operation_id="listMyEntries",
        response_model=MyEntries,
        responses=PAGE,
    )
    async def mine(
        asker: Annotated[Asker, Depends(door.reads(SIGNED_IN))], after: After = "", limit: Limit = 100
    ) -> Response:
        found = await entries_of(asker)
        items, following = items_behind(after, found, limit, lambda one: one[1])
        shown = [my_entry(state, entrant, speaker, asker, judge) for state, entrant, speaker in items]
        await name_own((one.entry for one in shown), names)
        return page(MyEntries(items=shown, next=following), "/v1/me/entries", following, {"limit": limit})

    async def entries_of(asker: Asker) -> list[tuple[AnnouncedTournament, str, Own]]:
        caller = asker.caller
        if caller is None:
            return []
        if caller.captain is not None:
            state, _ = await tournaments.load(caller.captain.tournament)
            speaker = Own(subject=caller.subject, entrant=caller.captain.entrant)
            if isinstance(state, Unannounced) or not speaker.speaks_as(state, caller.captain.entrant):
                return []
            return [(state, caller.captain.entrant, speaker)]
        account = await own.accounts.of(caller.subject)
        found: list[tuple[AnnouncedTournament, str, Own]] = []
        for federation in sorted({*account.persons, *account.homes.values()}):
            speaker = await own.accounts.own(caller.subject, federation)
            found += [(state, entrant, speaker) for state, entrant in await own.entries(speaker)]
        return sorted(found, key=lambda one: one[1])

    return router


def my_entry(state: AnnouncedTournament, entrant: str, own: Own, asker: Asker, judge: Judge) -> MyEntry:
    plan, capacity = state.plan, own.speaks_as(state, entrant)
    if capacity is None:
        raise TypeError("an entry is listed for whoever speaks for it")
    mine = frozenset({entrant})
    here = replace(asker, scope=plan.tournament, own=mine, concerned=Concerned(entrants=mine))
    both = with_two_teams(state.roster)
    entry = listed_entry_view(state, entrant_of_id(state.roster, entrant), judge.today(plan), both)
    hide_subjects(entry, asker)
    return MyEntry(
        federation=plan.federation,
        tournament=plan.tournament,
        name=plan.name,
        starts_on=plan.starts_on,
        entries_close=plan.entries_close,
        status=status(state),
        capacity=capacity,
        entry=entry,
        allowed_actions=entry_actions(entrant, state, here),
    )


async def name_own(entries: Iterable[EntryListed], names: NamesShown) -> None:
    """Whoever speaks for an entry sees in full who plays in it."""
    found = [entry.entrant for entry in entries]
    persons = [person for entrant in found for person in (*entrant.persons, *entrant.substitutes)]
    known = await names.of_own([*(person.id for person in persons), *(entrant.id for entrant in found)])
    for person in persons:
        person.name = known.get(person.id)
    for entrant in found:
        entrant.name = known.get(entrant.id)
