"""The directory of persons: under which ids each is known by now, where they take part, and whether two can be one."""

import asyncio
from collections.abc import Callable, Collection, Mapping, Sequence

from msgspec.structs import asdict

from services.registration.domain import person
from services.registration.domain.person import (
    LicenceTaken,
    Merged,
    RegisterPerson,
    Unregistered,
)
from services.registration.domain.series import Series
from services.registration.domain.tournament.states import AnnouncedTournament, Plan, known
from services.registration.eligibility.judge import ClaimsHandler
from services.registration.projection import Persons
from services.registration.streams import TournamentHandler, announced
from shared.commands.handler import ActPart, ChangedSince, Handler, StreamAppend
from shared.http.authorization import Act
from shared.personal.names import Names
from shared.personal.particulars import NOTHING_KNOWN, Particulars, ParticularsOf
from shared.personal.shown_names import NamesShown
from shared.refusals import Conflict
from shared.values import Value

type PersonHandler = Handler[person.State, person.Command, person.Event]


class TakesPartTwice(Conflict):
    """Nobody takes part in one tournament twice, or is in the base of two teams of a series."""


class PersonChangedMeanwhile(ChangedSince):
    """Who is to be entered was merged with somebody, or erased, in this very moment."""


class Directory(Value):
    persons: PersonHandler
    tournaments: TournamentHandler
    series: ClaimsHandler
    views: Persons
    names: Names
    shown: NamesShown
    particulars: ParticularsOf
    forget: Callable[[], None]  # what was remembered of personal facts, once some are erased

    async def kept(self, identity: str) -> str:
        """The id that this one leads to."""
        kept, _, _ = await self._kept(identity)
        return kept

    async def _kept(self, identity: str) -> tuple[str, person.State, int]:
        """The id that this one leads to, and the state and version in which it leads no further."""
        state, version = await self.persons.load(identity)
        while isinstance(state, Merged):
            identity = state.into
            state, version = await self.persons.load(identity)
        return identity, state, version

    async def is_erased(self, identity: str) -> bool:
        _, state, _ = await self._kept(identity)
        return isinstance(state, person.Erased)

    async def ids_of(self, identity: str) -> tuple[str, ...]:
        """The id, and all that lead to it."""
        ids = [identity]
        for one in ids:
            state, _ = await self.persons.load(one)
            if isinstance(state, person.Registered | Merged):
                ids += [other for other in state.duplicates if other not in ids]
        return tuple(ids)

    async def all_ids(self, identity: str) -> tuple[str, ...]:
        """Every id of whoever this one leads to."""
        return await self.ids_of(await self.kept(identity))

    async def known_here(self, identity: str, plan: Plan) -> str | None:
        """The id under which they take part in a tournament, or in its series, already; otherwise the one that counts
        by now. There is none for somebody unknown, or whom another federation knows."""
        kept, state, _ = await self._kept(identity)
        return await self._known_as(kept, state, plan)

    async def _known_as(self, kept: str, state: person.State, plan: Plan) -> str | None:
        if not isinstance(state, person.Registered) or state.federation != plan.federation:
            return None
        if not state.duplicates:
            return kept
        roster = (await announced(self.tournaments, plan.tournament)).roster
        series = await self.series_of(plan)
        for one in await self.ids_of(kept):
            if roster.in_line_up(one) or (series and series.knows(one)):
                return one
        return kept

    async def still_here(self, ids: Collection[str], plan: Plan) -> Mapping[str, int]:
        """The streams of these persons, on which an order that brings them into a tournament relies; each takes part
        under this very id."""

        async def relied(identity: str) -> tuple[str, int]:
            kept, state, version = await self._kept(identity)
            if await self._known_as(kept, state, plan) != identity:
                raise PersonChangedMeanwhile(
                    f"{identity} has just been merged or erased: look who they are now, and send it again."
                )
            return self.persons.decider.stream(kept), version

        return dict(await asyncio.gather(*map(relied, ids)))

    async def series_of(self, plan: Plan) -> Series | None:
        if plan.series is None:
            return None
        state, _ = await self.series.load(plan.series_id)
        return state

    async def tournaments_of(self, ids: Sequence[str]) -> Mapping[str, AnnouncedTournament]:
        """All tournaments in which they were ever entered, in that order."""
        return {tournament: state for tournament, (state, _) in (await self._tournaments_of(ids)).items()}

    async def _tournaments_of(self, ids: Sequence[str]) -> Mapping[str, tuple[AnnouncedTournament, int]]:
        found: dict[str, tuple[AnnouncedTournament, int]] = {}
        for row in await self.views.line_ups(ids):
            if row.tournament not in found:
                state, version = await self.tournaments.load(row.tournament)
                found[row.tournament] = known(state), version
        return found

    async def nowhere_both(self, identity: str, duplicate: str) -> Mapping[str, int]:
        """The streams of all tournaments and series that either is in, on which a merge relies: as one person they would
        take part twice in none of them."""
        ids, others = await self.ids_of(identity), await self.ids_of(duplicate)
        relied = dict[str, int]()
        if duplicate in ids:
            return relied
        for tournament, (state, version) in (await self._tournaments_of([*ids, *others])).items():
            relied[self.tournaments.decider.stream(tournament)] = version
            there = [next((one for one in known if state.roster.in_line_up(one)), None) for known in (ids, others)]
            if all(there):
                raise TakesPartTwice(
                    f"{there[0]} and {there[1]} both take part in tournament {tournament}, {state.plan.name}: one of them "
                    "has to be withdrawn there first, or they are two persons."
                )
            if state.plan.series is not None:
                series, version = await self.series.load(state.plan.series_id)
                relied[self.series.decider.stream(state.plan.series_id)] = version
                require_one_team(series, state.plan, ids, others)
        return relied

    def registering(
        self, new: Sequence[str], known: Mapping[str, Particulars], federation: str, act: Act
    ) -> list[ActPart]:
        """Persons who become known with something else that happens; each has the licence that is known of them."""
        begun = [
            self.persons.beginning(one, RegisterPerson(person=one, federation=federation), scope=one, origin=act.origin)
            for one in new
        ]
        licences = {one: licence for one in new if (licence := known.get(one, NOTHING_KNOWN).licence)}
        if not licences:
            return begun

        async def claimed() -> StreamAppend:
            await self.claim(federation, licences)
            return await begun[0]()

        return [claimed, *begun[1:]]

    async def claim(self, federation: str, licences: Mapping[str, str]) -> None:
        """Claims the numbers before they are known of these persons: nobody else of the federation has them."""
        if not (taken := await self.particulars.claim(federation, licences)):
            return
        known = {holder: await self.persons.load(holder) for holder in taken.values()}
        nobody = [holder for holder, (state, _) in known.items() if isinstance(state, Unregistered)]
        await self.particulars.forget_claims(federation, taken, nobody)
        if taken := await self.particulars.claim(federation, licences):
            raise LicenceTaken(" ".join(whose(licence, holder) for licence, holder in taken.items()))

    async def holders(self, federation: str, licences: Collection[str]) -> Mapping[str, str]:
        """Who has these numbers; a claim of somebody who never became known is nobody's."""
        found = await self.particulars.holders(federation, licences)
        known = {holder: (await self.persons.load(holder))[0] for holder in found.values()}
        return {one: holder for one, holder in found.items() if not isinstance(known[holder], Unregistered)}

    async def put_together(self, identity: str) -> None:
        """Puts together, after a merge, what is known beside the log: the kept one goes first."""
        ids = await self.ids_of(identity)
        found, known = await self.names.in_full(ids), await self.particulars.of(ids)
        together = NOTHING_KNOWN
        for one in reversed(ids):
            together = completed(known.get(one, NOTHING_KNOWN), together)
        name = next((found[one] for one in ids if one in found), None)
        await self.keep(identity, name=name, known=together if known else None)

    async def keep(self, identity: str, *, name: str | None = None, known: Particulars | None = None) -> None:
        """Keeps it by each of their ids, since old entries name them by others. Who is erased meanwhile stays so."""
        ids = await self.ids_of(identity)
        if name is not None:
            await self.names.keep(dict.fromkeys(ids, name))
        if known is not None:
            await self.particulars.keep_all(dict.fromkeys(ids, known))
            await self.particulars.settle(ids, identity, known.licence)
        state, _ = await self.persons.load(identity)
        if isinstance(state, person.Erased):
            await self.names.erase(ids)
            await self.particulars.erase(ids)


def require_one_team(series: Series, plan: Plan, ids: Sequence[str], others: Sequence[str]) -> None:
    teams = [next((team for one in known if (team := series.team_of(one))), None) for known in (ids, others)]
    if all(teams) and teams[0] != teams[1]:
        raise TakesPartTwice(
            f"In the series {series.series} they are in the bases of two teams, {teams[0]} and {teams[1]}: "
            "one of them has to be withdrawn first, or they are two persons."
        )
    both = [next(filter(None, map(series.category_of, known)), None) for known in (ids, others)]
    if plan.ruleset.entry.category_once and all(both) and both[0] != both[1]:
        raise TakesPartTwice(
            f"In the series {series.series} they play in two categories, {both[0]} and {both[1]}: one of them "
            "has to be withdrawn first, or they are two persons."
        )


def whose(licence: str, holder: str) -> str:
    return f"{licence} is the licence of {holder}: name that id if they are the same, or mend the number."


def completed(one: Particulars, other: Particulars) -> Particulars:
    """The particulars of the one, and of the other what is not known of the one."""
    return Particulars(**{name: known or getattr(other, name) for name, known in asdict(one).items()})
