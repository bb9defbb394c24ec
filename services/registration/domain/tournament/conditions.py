"""What an entry has to meet besides its line-up: eligibility, quotas, regions, deadlines."""

from collections.abc import Iterable, Mapping

from services.registration.domain.tournament import refusals
from services.registration.domain.tournament.clauses import by
from services.registration.domain.tournament.entry_facts import Verdict
from services.registration.domain.tournament.entry_orders import Also, RegionReason
from services.registration.domain.tournament.roster import Roster
from services.registration.domain.tournament.states import Plan
from shared.numbers import exact
from shared.rulesets.entry import Deadline, Quota
from shared.rulesets.stages import Complement


def require_eligible(verdicts: Iterable[Verdict]) -> None:
    """Who does not meet a condition stays out; of whom too little is known comes in, and cannot start before it is."""
    if failed := [verdict for verdict in verdicts if verdict.met is False]:
        named = dict.fromkeys(f"{one.person}: {one.sentence.rstrip('.')}{by(one.clause)}" for one in failed)
        raise refusals.NotEligible(f"The entry does not meet the rules. {'; '.join(named)}.")


def require_quota(entrant: str, also: Also, field: Roster, plan: Plan) -> None:
    for quota in plan.ruleset.entry.quotas:
        place = from_where(also, quota)
        if place is None:
            raise refusals.QuotaReached(
                f"Say of which {quota.by} they are{by(quota.rule_id)}: only so many may come from one."
            )
        most = most_of(quota, also)
        there = sum(
            from_where(field.details_of(other.entrant).also, quota) == place
            for other in (*field.taking_part, *field.waiting)
            if other.entrant != entrant
        )
        if there >= most:
            raise refusals.QuotaReached(
                f"From one {quota.by} {most} may enter, and {there} have{by(quota.rule_id)}: withdraw one of them first."
            )


def most_of(quota: Quota, also: Also) -> int:
    return quota.most * (also.parts if quota.times_merged else 1)


def from_where(also: Also, quota: Quota) -> str | None:
    places: Mapping[str, str | None] = {"school": also.school, "club": also.club, "region": also.region}
    return places[quota.by]


def away(also: Also, plan: Plan) -> bool:
    """Whether they come from another region than the tournament's where that matters."""
    return plan.ruleset.entry.home_region and plan.region is not None and also.region != plan.region


def require_region(also: Also, plan: Plan, approval: RegionReason | None) -> None:
    if away(also, plan) and approval is None:
        raise refusals.RegionNotApproved(
            f"They are of another region than {plan.region}{by(plan.ruleset.entry.home_region_rule_id)}: this needs the "
            "approval of a coordinator, with its reason."
        )


def require_source(also: Also, plan: Plan) -> None:
    """Who has played semifinals of earlier championships meets others in the first round, so it has to be shown."""
    if also.history and plan.ruleset.entry.history and also.history_source is None:
        raise refusals.HistoryUnsourced(
            "They are said to have played a semifinal of an earlier championship: say in history_source of which, or in "
            "which list it stands."
        )
    if also.history_source is not None and not also.history:
        raise refusals.HistoryUnsourced("A history_source goes with history: leave it out, or say history.")


def require_qualified(entrant: str, also: Also, field: Roster, plan: Plan) -> None:
    """Who goes straight to a later stage brings points along, and there are only so many places there."""
    if not also.direct:
        require_carried(also, plan)
        return
    later = next((one.field for one in plan.ruleset.stages if isinstance(one.field, Complement)), None)
    if later is None and plan.ruleset.entry.size.most is not None and len(plan.ruleset.stages) == 1:
        require_direct_source(also, plan.ruleset.entry.size.rule_id)
        require_carried(also, plan)
        return
    if later is None:
        raise refusals.NotQualified(
            f"By these rules nobody is qualified beforehand{by(plan.ruleset.entry.rule_ids.get('kind'))}: everybody enters, "
            "and begins with the first stage."
        )
    require_direct_source(also, later.rule_ids.get("source"))
    if exact(also.carried) <= 0:
        raise refusals.NotQualified(
            f"Who is qualified beforehand brings points along{by(later.rule_ids.get('carried'))}: say how many as carried."
        )
    others = sum(field.details_of(other.entrant).also.direct for other in field.taking_part if other.entrant != entrant)
    if others >= later.up_to:
        raise refusals.NotQualified(
            f"{others} are qualified beforehand, for {later.up_to} places{by(later.rule_ids.get('field'))}: "
            "nobody more can be."
        )


def require_carried(also: Also, plan: Plan) -> None:
    """Points of somewhere else are brought where they count in a stage, or say who is seeded first."""
    stages = (plan.ruleset.scoring.carry, *(stage.changes.get("scoring.carry") for stage in plan.ruleset.stages))
    if exact(also.carried) and not any(stages) and plan.ruleset.entry.seeding.by != "carried":
        raise refusals.NotQualified("By these rules nobody brings points along: leave carried out.")


def require_direct_source(also: Also, rule_id: str | None) -> None:
    if also.direct_source is None:
        raise refusals.NotQualified(f"Say in direct_source at which tournament they were qualified{by(rule_id)}.")


def require_on_time(also: Also, before: Also, plan: Plan, passed: frozenset[str]) -> None:
    """What had been said already stays."""
    if "special-needs" in passed and (asked := sorted(set(also.needs) - set(before.needs))):
        limit = limit_of(plan, "special-needs")
        raise refusals.TooLate(
            f"{', '.join(asked)} had to be asked for in time{by(limit.rule_id if limit else None)}: leave it out."
        )
    if "on-site-entry" in passed and "on-site" in also.declared and "on-site" not in before.declared:
        limit = limit_of(plan, "on-site-entry")
        raise refusals.EntriesClosed(
            f"Entries on site are closed{by(limit.rule_id if limit else None)}, and the rules let nobody in later."
        )


def limit_of(plan: Plan, what: str) -> Deadline | None:
    return next((limit for limit in plan.ruleset.entry.deadlines if limit.of == what), None)
