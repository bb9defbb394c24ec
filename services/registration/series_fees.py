"""Fees that are paid once for a series: what is settled in one tournament is told to the others, in the same act."""

from collections.abc import Awaitable, Callable, Sequence

from msgspec.structs import replace

from services.registration.domain.series import NoteFee
from services.registration.domain.tournament.decider import TOURNAMENT, Command
from services.registration.domain.tournament.entrants import EntrantState, ProposedEntry
from services.registration.domain.tournament.payments import (
    GrantWaiver,
    NoteFeeElsewhere,
    RecordPayment,
    RecordRefund,
    RefuseWaiver,
    division_of,
    is_once,
    payer_of,
    payer_with,
    settled_by,
    waived_at_most,
    waiver_clause,
)
from services.registration.domain.tournament.states import AnnouncedTournament, Plan, known
from services.registration.eligibility.judge import Judge
from services.registration.streams import TournamentHandler
from shared.commands.handler import ActPart, Origin, StreamAppend
from shared.values import Value

type HostsOf = Callable[[str, str], Awaitable[frozenset[str]]]  # of a series of a federation: its host schools
type Settling = RecordPayment | RecordRefund | GrantWaiver | RefuseWaiver


class SeriesFees(Value):
    tournaments: TournamentHandler
    judge: Judge
    hosts_of: HostsOf

    async def happening(
        self, order: Command, state: AnnouncedTournament, origin: Origin
    ) -> tuple[Command, Sequence[ActPart]]:
        """An order with all that it is decided on; and what happens with it in the series, and in the other tournaments
        that whoever pays has entered, where it is about a fee that is paid once."""
        plan = state.plan
        if plan.series is None or not is_once(plan):
            return order, ()
        if isinstance(order, GrantWaiver):
            order = replace(order, hosts=await self.hosts_of(plan.federation, plan.series))
        if not isinstance(order, RecordPayment | RecordRefund | GrantWaiver | RefuseWaiver):
            return order, ()
        entrant = state.roster.entrants.get(order.entrant)
        return order, await self._beside(order, entrant, state, origin) if entrant else ()

    async def _beside(
        self, order: Settling, entrant: EntrantState, state: AnnouncedTournament, origin: Origin
    ) -> Sequence[ActPart]:
        plan = state.plan
        payer = payer_of(entrant, state.roster.details_of(order.entrant), plan.ruleset.entry)
        others = await self._others(payer, plan)

        async def noted() -> StreamAppend:
            then = await self._after(order, plan)
            note = note_of(then, order.entrant, payer, others)
            on = await self.judge.series_of(plan)
            return self.judge.series.follow_up(plan.series_id, note, on=on, scope=plan.federation, origin=origin)

        def told(other: str) -> ActPart:
            async def happens() -> StreamAppend:
                then = await self._after(order, plan)
                details = then.roster.details_of(order.entrant)
                is_settled = settled_by(plan.ruleset.entry, details) is not None
                return await self._telling(payer, plan, other, origin, is_settled=is_settled)()

            return happens

        return [noted, *map(told, others)]

    async def paid_with(self, entry: ProposedEntry, plan: Plan, origin: Origin) -> Sequence[ActPart]:
        """Who comes after the start pays with the entry, which says so to the series itself."""
        if not is_once(plan):
            return ()
        payer = payer_with(entry, plan)
        others = await self._others(payer, plan)
        return [self._telling(payer, plan, one, origin, is_settled=True) for one in others]

    async def _others(self, payer: str, plan: Plan) -> tuple[str, ...]:
        series, _ = await self.judge.series_of(plan)
        return tuple(sorted({*series.tournaments_of(payer)} - {plan.tournament}))

    async def _after(self, order: Settling, plan: Plan) -> AnnouncedTournament:
        state, _ = await self.tournaments.load(plan.tournament)
        return known(TOURNAMENT.fold(TOURNAMENT.decide(state, order), state))

    def _telling(self, payer: str, plan: Plan, other: str, origin: Origin, *, is_settled: bool) -> ActPart:
        order = NoteFeeElsewhere(
            division=division_of(plan), payer=payer, elsewhere=plan.tournament, is_settled=is_settled
        )
        return self.tournaments.part(other, order, scope=other, origin=origin)


def note_of(then: AnnouncedTournament, entrant: str, payer: str, others: tuple[str, ...]) -> NoteFee:
    plan, details = then.plan, then.roster.details_of(entrant)
    return NoteFee(
        series=plan.series or "",
        tournament=plan.tournament,
        division=division_of(plan),
        payer=payer,
        settled=settled_by(plan.ruleset.entry, details),
        told=others,
        school=details.also.school,
        waived_at_most=waived_at_most(plan.ruleset.entry, details),
        clause=waiver_clause(then),
    )
