"""What an entry has to meet: persons, line-up, lists, eligibility, quotas, regions, deadlines."""

from collections.abc import Iterable, Mapping
from enum import StrEnum

from msgspec.structs import replace

from services.registration.domain.tournament import facts
from services.registration.domain.tournament.entrants import (
    NOTHING_ELSE,
    Also,
    EntrySaid,
    Leaving,
    LeftEntrant,
    ProposedEntry,
)
from services.registration.domain.tournament.line_ups import AlreadyInLineUp, require_line_up
from services.registration.domain.tournament.reasons import cite, once_clause, team_clause
from services.registration.domain.tournament.roster import Roster
from services.registration.domain.tournament.states import Plan, TooLate, deadline_of
from shared.numbers import exact
from shared.refusals import Conflict, Invalid
from shared.rulesets.entry import Quota
from shared.rulesets.schema import Ruleset
from shared.rulesets.stages import Complement


class RegionReason(StrEnum):
    """Why somebody may play outside their own region."""

    FULL_AT_HOME = "full-at-home"
    NONE_AT_HOME = "none-at-home"
    OTHER = "other"


# Refusals


class EntriesClosed(Conflict):
    """Entries are closed: now it takes a decision of the organiser."""


class AlreadyEntered(Conflict):
    """This person takes part already, and what is said now differs."""


class WrongNumberOfPersons(Invalid):
    """An entrant is one person, a pair or a team, as the rules say."""


class UnknownList(Invalid):
    """The rules have no such list."""


class NotQualified(Conflict):
    """Somebody is said to be qualified beforehand, and the rules say otherwise."""


class HistoryUnsourced(Invalid):
    """Where earlier championships count, it is kept which of them says so; and nothing, where none does."""


class NotEligible(Conflict):
    """Somebody does not meet a condition of the rules."""


class QuotaReached(Conflict):
    """From one place only so many may enter."""


class RegionNotApproved(Conflict):
    """Who plays outside their own region needs the approval of a coordinator."""


# Whether an entry was made already, or cannot be one at all


PERSONS = {"individual": 1, "pair": 2}


def has_entered(roster: Roster, entry: ProposedEntry, ruleset: Ruleset) -> bool:
    """Tell whether somebody has entered with just this; whatever cannot be an entry at all is refused."""
    said, also = entry.said, entry.also
    require_allowed(said, also, ruleset)
    there_are = {found.entrant: found for person in said.persons if (found := roster.entrant_of(person)) is not None}
    if not there_are:
        return False
    (first, *_) = there_are.values()
    is_there = len(there_are) == 1 and not isinstance(first, LeftEntrant)
    if is_there and first.said.sent == said and is_same(roster.details_of(first.entrant).also, also):
        return True
    if ruleset.entry.kind == "team" and first.said.persons != said.persons:
        both = [person for person in said.persons if person in first.said.persons]
        team = ruleset.entry.team
        raise AlreadyInLineUp(
            f"{', '.join(both)} already in the base of {first.entrant}"
            f"{cite(team_clause(team, 'once'))}: nobody is in the base of two teams."
        )
    if isinstance(first, LeftEntrant):
        how = "was expelled" if first.why is Leaving.EXPELLED else "has withdrawn"
        raise AlreadyEntered(
            f"{first.entrant} {how}, and nobody comes in a second time{cite(ruleset.entry.rule_ids.get('return'))}: let "
            "them return, if the rules allow it or it was a mistake."
        )
    raise AlreadyEntered(
        f"{first.entrant} has entered already{cite(once_clause(ruleset.entry))}: correct that entry, or withdraw it and enter again."
    )


def is_same(known: Also, said: Also) -> bool:
    """A team that was not named got a name of its own, which makes no difference."""
    return known == (replace(said, team=known.team) if said.team is None else said)


def require_allowed(said: EntrySaid, also: Also, ruleset: Ruleset) -> None:
    wanted = PERSONS.get(ruleset.entry.kind)
    persons = len(set(said.persons))
    if persons != len(said.persons) or (persons != wanted if wanted else not persons):
        raise WrongNumberOfPersons(
            f"An entrant of this tournament is {wanted or 'one or more'} "
            f"{'person' if wanted == 1 else 'different persons'}{cite(ruleset.entry.rule_ids.get('kind'))}: name them."
        )
    require_line_up(said, also, ruleset)
    require_lists(said.lists, ruleset)


def require_lists(lists: tuple[str, ...], ruleset: Ruleset) -> None:
    known = [found.id for found in ruleset.lists]
    if unknown := sorted(set(lists) - set(known)):
        there_are = f"there are {', '.join(known)}" if known else "these rules have none"
        raise UnknownList(f"No list is called {', '.join(unknown)}: {there_are}.")


# What the rules ask for


def require_met(
    roster: Roster, entry: ProposedEntry, plan: Plan, passed: frozenset[str], approval: RegionReason | None
) -> None:
    require_source(entry.also, plan)
    require_qualified(entry.entrant, entry.also, roster, plan)
    require_on_time(entry.also, NOTHING_ELSE, plan, passed)
    require_eligible(entry.verdicts)
    require_quota(entry.entrant, entry.also, roster, plan)
    require_region(entry.also, plan, approval)


def require_eligible(verdicts: Iterable[facts.ConditionVerdict]) -> None:
    """Who does not meet a condition stays out. Of whom too little is known comes in, and cannot start before it is."""
    if failed := [verdict for verdict in verdicts if verdict.met is False]:
        named = dict.fromkeys(f"{one.person}: {one.sentence.rstrip('.')}{cite(one.clause)}" for one in failed)
        raise NotEligible(f"The entry does not meet the rules. {'; '.join(named)}.")


def require_quota(entrant: str, also: Also, roster: Roster, plan: Plan) -> None:
    for quota in plan.ruleset.entry.quotas:
        place = from_where(also, quota)
        if place is None:
            raise QuotaReached(
                f"Say of which {quota.by} they are{cite(quota.rule_id)}: only so many may come from one."
            )
        most = most_of(quota, also)
        there = sum(
            from_where(roster.details_of(other.entrant).also, quota) == place
            for other in (*roster.taking_part, *roster.waiting)
            if other.entrant != entrant
        )
        if there >= most:
            raise QuotaReached(
                f"From one {quota.by} {most} may enter, and {there} have{cite(quota.rule_id)}: withdraw one of them first."
            )


def most_of(quota: Quota, also: Also) -> int:
    return quota.most * (also.parts if quota.times_merged else 1)


def from_where(also: Also, quota: Quota) -> str | None:
    places: Mapping[str, str | None] = {"school": also.school, "club": also.club, "region": also.region}
    return places[quota.by]


def away(also: Also, plan: Plan) -> bool:
    """Tell whether they come from another region than the tournament, where that matters."""
    return plan.ruleset.entry.home_region and plan.region is not None and also.region != plan.region


def require_region(also: Also, plan: Plan, approval: RegionReason | None) -> None:
    if away(also, plan) and approval is None:
        raise RegionNotApproved(
            f"They are of another region than {plan.region}{cite(plan.ruleset.entry.home_region_rule_id)}: this needs the "
            "approval of a coordinator, with its reason."
        )


def require_source(also: Also, plan: Plan) -> None:
    """Who has played semifinals of earlier championships meets others in the first round, so it has to be shown."""
    if also.history and plan.ruleset.entry.history and also.history_source is None:
        raise HistoryUnsourced(
            "They are said to have played a semifinal of an earlier championship: say in history_source of which, or in "
            "which list it stands."
        )
    if also.history_source is not None and not also.history:
        raise HistoryUnsourced("A history_source goes with history: leave it out, or say history.")


def require_qualified(entrant: str, also: Also, roster: Roster, plan: Plan) -> None:
    """Who goes straight to a later stage brings points along, and there are only so many places there."""
    if not also.direct:
        require_carried(also, plan)
        return
    later = next((one.field for one in plan.ruleset.stages if isinstance(one.field, Complement)), None)
    if later is None and plan.ruleset.entry.size.most is not None and len(plan.ruleset.stages) == 1:
        require_direct_source(also, plan.ruleset.entry.size.rule_id)
        require_carried(also, plan)
        if plan.ruleset.scoring.carry:
            require_points(also, plan.ruleset.entry.size.rule_id)
        return
    if later is None:
        raise NotQualified(
            f"By these rules nobody is qualified beforehand{cite(plan.ruleset.entry.rule_ids.get('kind'))}: everybody enters, "
            "and begins with the first stage."
        )
    require_direct_source(also, later.rule_ids.get("source"))
    require_points(also, later.rule_ids.get("carried"))
    others = sum(
        roster.details_of(other.entrant).also.direct for other in roster.taking_part if other.entrant != entrant
    )
    if others >= later.up_to:
        raise NotQualified(
            f"{others} are qualified beforehand, for {later.up_to} places{cite(later.rule_ids.get('field'))}: "
            "nobody more can be."
        )


def require_points(also: Also, rule_id: str | None) -> None:
    """There is no silent zero of points that count on (CC.D4)."""
    if exact(also.carried) <= 0:
        raise NotQualified(f"Who is qualified beforehand brings points along{cite(rule_id)}: say how many as carried.")


def require_carried(also: Also, plan: Plan) -> None:
    """Points of an earlier tournament are taken where they count in a stage, or where they seed."""
    stages = (plan.ruleset.scoring.carry, *(stage.changes.get("scoring.carry") for stage in plan.ruleset.stages))
    if exact(also.carried) and not any(stages) and plan.ruleset.entry.seeding.by != "carried":
        raise NotQualified("By these rules nobody brings points along: leave carried out.")


def require_direct_source(also: Also, rule_id: str | None) -> None:
    if also.direct_source is None:
        raise NotQualified(f"Say in direct_source at which tournament they were qualified{cite(rule_id)}.")


def require_on_time(also: Also, before: Also, plan: Plan, passed: frozenset[str]) -> None:
    """What had been said before the deadline stays."""
    if "special-needs" in passed and (asked := sorted(set(also.needs) - set(before.needs))):
        limit = deadline_of(plan, "special-needs")
        raise TooLate(
            f"{', '.join(asked)} had to be asked for in time{cite(limit.rule_id if limit else None)}: leave it out."
        )
    if "on-site-entry" in passed and "on-site" in also.declared and "on-site" not in before.declared:
        limit = deadline_of(plan, "on-site-entry")
        raise EntriesClosed(
            f"Entries on site are closed{cite(limit.rule_id if limit else None)}, and the rules let nobody in later."
        )
