"""Where somebody comes from, whether the rules let them play, and what they claim in a series: found out before deciding."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from zoneinfo import ZoneInfo

from services.registration.api import comer_forms
from services.registration.domain import claims, homes
from services.registration.domain.claims import Claim, Limit, MakeClaims, ReleaseClaim
from services.registration.domain.homes import Home, Homes
from services.registration.domain.tournament import orders
from services.registration.domain.tournament.clauses import of_team
from services.registration.domain.tournament.conditions import from_where, most_of
from services.registration.domain.tournament.details import Details
from services.registration.domain.tournament.entry_facts import Verdict
from services.registration.domain.tournament.entry_orders import Also
from services.registration.domain.tournament.states import Known, Plan
from services.registration.eligibility import deadlines, judging
from shared.act import Act
from shared.clock import Now
from shared.exact import stored
from shared.faults import Fault, Faulty
from shared.handle import Beside, Handler
from shared.particulars import NOTHING_KNOWN, Particulars, ParticularsOf

type HomesHandler = Handler[Homes, homes.Command, homes.Event]
type ClaimsHandler = Handler[claims.Series, claims.Command, claims.Event]

SENTENCE = "This is no entry yet."


def particulars_of(sent: comer_forms.Particulars) -> Particulars:
    return Particulars(born=sent.born, citizenship=sent.citizenship, town=sent.town, email=sent.email, phone=sent.phone)


@dataclass(frozen=True, kw_only=True)
class Judge:
    homes: HomesHandler
    series: ClaimsHandler
    particulars: ParticularsOf
    now: Now

    async def entry(
        self,
        sent: comer_forms.NewEntry,
        plan: Plan,
        *,
        base: tuple[str, ...],
        substitutes: tuple[str, ...],
        captain: str | None,
        new: Mapping[str, Particulars],
    ) -> tuple[Also, tuple[str, ...], tuple[Verdict, ...]]:
        """All else that it says, the lists that it is on, and whether its members may play."""
        also = await self.also(sent, plan, team=sent.team, substitutes=substitutes, captain=captain)
        members = await self._members((*base, *substitutes), plan, new)
        wanted = tuple(sorted(set(sent.lists)))
        if wrong := judging.not_for(plan.ruleset, wanted, members, plan.starts_on):
            raise Faulty(SENTENCE, [Fault("/lists", f"They are too old for {', '.join(wrong)}.")])
        on = judging.lists_of(plan.ruleset, members, plan.starts_on)
        judged = judging.verdicts(plan.ruleset, members, await self._entering(also, plan))
        return also, tuple(sorted({*wanted, *on})), judged

    async def also(
        self,
        sent: comer_forms.AsDetailed,
        plan: Plan,
        *,
        team: str | None,
        substitutes: tuple[str, ...],
        captain: str | None,
    ) -> Also:
        """With the region, the types and the parts that their school or club has now."""
        known, faults = await self._homes(plan), list[Fault]()
        found = {
            kind: home_of(known, identity, kind, faults)
            for kind, identity in (("school", sent.school), ("club", sent.club), ("region", sent.region))
        }
        if faults:
            raise Faulty(SENTENCE, faults)
        school, club = found["school"], found["club"]
        region = sent.region or (school.region if school else None) or (club.region if club else None)
        return Also(
            substitutes=substitutes,
            captain=captain,
            team=team,
            school=sent.school,
            club=sent.club,
            region=region,
            parts=school.parts if school else 1,
            declared=tuple(sorted(set(sent.declared))),
            consents=tuple(sorted(set(sent.consents))),
            needs=tuple(sorted(set(sent.needs))),
            history=sent.history,
            carried=stored(sent.carried),
        )

    async def again(self, entrant: str, also: Also, state: Known) -> tuple[Verdict, ...]:
        """By what is known now."""
        persons = (*state.roster.entrants[entrant].said.persons, *also.substitutes)
        members = await self._members(persons, state.plan, {})
        return judging.verdicts(state.plan.ruleset, members, await self._entering(also, state.plan))

    def passed(self, plan: Plan) -> frozenset[str]:
        starts_on, zone = date.fromisoformat(plan.starts_on), ZoneInfo(plan.time_zone)
        return deadlines.passed(plan.ruleset, starts_on, zone, self.now())

    def is_late(self, plan: Plan) -> bool:
        starts_on, zone = date.fromisoformat(plan.starts_on), ZoneInfo(plan.time_zone)
        return deadlines.check_in_is_over(plan.ruleset, starts_on, zone, self.now(), plan.postponed)

    def today(self, plan: Plan) -> str:
        """There."""
        return self.now().astimezone(ZoneInfo(plan.time_zone)).date().isoformat()

    # What may be had once in a series

    def claims(self, entries: Sequence[orders.Entry], plan: Plan, act: Act) -> Sequence[Beside]:
        team = plan.ruleset.entry.team
        if plan.series is None or team is None or not team.base_once:
            return []
        order = MakeClaims(
            series=plan.series,
            tournament=plan.tournament,
            level=plan.ruleset.id,
            claims=tuple(claim(entry, plan) for entry in entries),
            is_frozen=team.frozen == "season",
            clause=of_team(team, "once"),
            frozen_clause=of_team(team, "frozen"),
        )
        return [self._part(plan, order, act)]

    def release(self, entrant: str, state: Known, act: Act) -> Sequence[Beside]:
        """Whoever withdraws before the start makes room for others."""
        plan = state.plan
        if plan.series is None:
            return []
        details = state.roster.details_of(entrant)
        return [self._part(plan, ReleaseClaim(tournament=plan.tournament, team=team_of(entrant, details)), act)]

    def _part(self, plan: Plan, order: MakeClaims | ReleaseClaim, act: Act) -> Beside:
        identity = f"{plan.federation}.{plan.series}"
        return self.series.part(identity, order, scope=plan.federation, origin=act.origin)

    async def _homes(self, plan: Plan) -> Homes:
        known, _ = await self.homes.load(plan.federation)
        return known

    async def _entering(self, also: Also, plan: Plan) -> judging.Entering:
        school = (await self._homes(plan)).known.get(also.school) if also.school else None
        types = school.types if school else None
        return judging.Entering(declared=frozenset(also.declared), school_types=types, starts_on=plan.starts_on)

    async def _members(
        self, persons: tuple[str, ...], plan: Plan, new: Mapping[str, Particulars]
    ) -> Mapping[str, Particulars]:
        """Nobody is looked up where no rule asks for it."""
        entry = plan.ruleset.entry
        asked = entry.eligibility or entry.particulars or plan.ruleset.lists
        known = await self.particulars.of([one for one in persons if one not in new] if asked else [])
        return {one: new.get(one) or known.get(one, NOTHING_KNOWN) for one in persons}


def home_of(known: Homes, identity: str | None, kind: str, faults: list[Fault]) -> Home | None:
    if identity is None:
        return None
    home = known.known.get(identity)
    if home is None or home.kind != kind:
        faults.append(Fault(f"/{kind}", f"The federation has no {kind} {identity}: register it first."))
        return None
    return home


def claim(entry: orders.Entry, plan: Plan) -> Claim:
    limits = [
        Limit(place=place, most=most_of(quota, entry.also), clause=quota.rule_id)
        for quota in plan.ruleset.entry.quotas
        if (place := from_where(entry.also, quota)) is not None
    ]
    return Claim(
        team=entry.also.team or entry.entrant,
        persons=entry.said.persons,
        substitutes=entry.also.substitutes,
        limits=tuple(limits),
    )


def team_of(entrant: str, details: Details) -> str:
    """The one that an entrant is of, in a series."""
    return details.also.team or entrant
