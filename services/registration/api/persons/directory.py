"""The directory of persons: under which ids each is known by now, where they take part, and whether two can be one."""

from collections.abc import Callable, Collection, Mapping, Sequence

from msgspec.structs import asdict

from services.registration.api.tournaments import TournamentHandler
from services.registration.domain import person
from services.registration.domain.person import (
    LicenceTaken,
    Merged,
    MergeReason,
    RegisterPerson,
    TakeOver,
    Unregistered,
)
from services.registration.domain.series import Series
from services.registration.domain.tournament.states import AnnouncedTournament, Plan, known
from services.registration.eligibility.judge import ClaimsHandler
from services.registration.projection import Persons
from shared.commands.handler import ActPart, Handler, StreamAppend
from shared.http.authorization import Act
from shared.personal.names import Names
from shared.personal.particulars import NOTHING_KNOWN, Particulars, ParticularsOf
from shared.personal.shown_names import NamesShown
from shared.refusals import Conflict
from shared.values import Value

type PersonHandler = Handler[person.State, person.Command, person.Event]


class TakesPartTwice(Conflict):
    """Nobody takes part in one tournament twice, or is in the base of two teams of a series."""


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
        state, _ = await self.persons.load(identity)
        while isinstance(state, Merged):
            identity = state.into
            state, _ = await self.persons.load(identity)
        return identity

    async def is_erased(self, identity: str) -> bool:
        state, _ = await self.persons.load(await self.kept(identity))
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
        kept = await self.kept(identity)
        state, _ = await self.persons.load(kept)
        if not isinstance(state, person.Registered) or state.federation != plan.federation:
            return None
        if not state.duplicates:
            return kept
        held, _ = await self.tournaments.load(plan.tournament)
        series = await self.series_of(plan)
        for one in await self.ids_of(kept):
            if known(held).roster.in_line_up(one) or (series and series.knows(one)):
                return one
        return kept

    async def series_of(self, plan: Plan) -> Series | None:
        if plan.series is None:
            return None
        state, _ = await self.series.load(f"{plan.federation}.{plan.series}")
        return state

    async def tournaments_of(self, ids: Sequence[str]) -> Mapping[str, AnnouncedTournament]:
        """All tournaments in which they were ever entered, in that order."""
        rows = await self.views.line_ups(ids)
        found: dict[str, AnnouncedTournament] = {}
        for row in rows:
            if row.tournament not in found:
                state, _ = await self.tournaments.load(row.tournament)
                found[row.tournament] = known(state)
        return found

    async def merging(self, identity: str, duplicate: str, reason: MergeReason) -> TakeOver:
        """The order, unless one person would take part twice somewhere."""
        order = TakeOver(duplicate=duplicate, reason=reason)
        ids, others = await self.ids_of(identity), await self.ids_of(duplicate)
        if duplicate in ids:
            return order
        for tournament, state in (await self.tournaments_of([*ids, *others])).items():
            there = [next((one for one in known if state.roster.in_line_up(one)), None) for known in (ids, others)]
            if all(there):
                raise TakesPartTwice(
                    f"{there[0]} and {there[1]} both take part in tournament {tournament}, {state.plan.name}: one of them "
                    "has to be withdrawn there first, or they are two persons."
                )
            if (series := await self.series_of(state.plan)) is not None:
                teams = [
                    next((team for one in known if (team := series.team_of(one))), None) for known in (ids, others)
                ]
                if all(teams) and teams[0] != teams[1]:
                    raise TakesPartTwice(
                        f"In the series {series.series} they are in the bases of two teams, {teams[0]} and {teams[1]}: "
                        "one of them has to be withdrawn first, or they are two persons."
                    )
                both = [next(filter(None, map(series.category_of, known)), None) for known in (ids, others)]
                if state.plan.ruleset.entry.category_once and all(both) and both[0] != both[1]:
                    raise TakesPartTwice(
                        f"In the series {series.series} they play in two categories, {both[0]} and {both[1]}: one of them "
                        "has to be withdrawn first, or they are two persons."
                    )
        return order

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
        if nobody := [holder for holder, (state, _) in known.items() if isinstance(state, Unregistered)]:
            await self.particulars.forget_claims(nobody)
            if not (taken := await self.particulars.claim(federation, licences)):
                return
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


def whose(licence: str, holder: str) -> str:
    return f"{licence} is the licence of {holder}: name that id if they are the same, or mend the number."


def completed(one: Particulars, other: Particulars) -> Particulars:
    """The particulars of the one, and of the other what is not known of the one."""
    return Particulars(**{name: known or getattr(other, name) for name, known in asdict(one).items()})
