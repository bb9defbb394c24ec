"""Whether an entry can be one at all, whether it was made already, and whether it comes in time."""

from msgspec.structs import replace

from services.registration.domain.tournament import refusals
from services.registration.domain.tournament.clauses import by, of_once, of_team
from services.registration.domain.tournament.entry_orders import Also
from services.registration.domain.tournament.line_ups import require_line_up
from services.registration.domain.tournament.orders import Enter, Leaving
from services.registration.domain.tournament.roster import Left, Roster
from services.registration.domain.tournament.saying import Entry, Said
from services.registration.domain.tournament.states import CheckingIn, Known, Plan
from shared.rulesets.schema import Ruleset

PERSONS = {"individual": 1, "pair": 2}


def has_entered(field: Roster, entry: Entry, ruleset: Ruleset) -> bool:
    """Or the entry cannot be one at all."""
    said, also = entry.said, entry.also
    require_allowed(said, also, ruleset)
    there_are = {found.entrant: found for person in said.persons if (found := field.entrant_of(person)) is not None}
    if not there_are:
        return False
    (first, *_) = there_are.values()
    if len(there_are) == 1 and first.said.sent == said and is_same(field.details_of(first.entrant).also, also):
        return True
    if ruleset.entry.kind == "team" and first.said.persons != said.persons:
        both = [person for person in said.persons if person in first.said.persons]
        team = ruleset.entry.team
        raise refusals.AlreadyInLineUp(
            f"{', '.join(both)} already in the base of {first.entrant}"
            f"{by(of_team(team, 'once'))}: nobody is in the base of two teams."
        )
    if isinstance(first, Left):
        how = "was expelled" if first.why is Leaving.EXPELLED else "has withdrawn"
        raise refusals.AlreadyEntered(
            f"{first.entrant} {how}, and nobody comes in a second time{by(ruleset.entry.rule_ids.get('return'))}: let "
            "them return, if the rules allow it or it was a mistake."
        )
    raise refusals.AlreadyEntered(
        f"{first.entrant} has entered already{by(of_once(ruleset.entry))}: correct that entry, or withdraw it and enter again."
    )


def is_same(known: Also, said: Also) -> bool:
    """A team that was not named got a name of its own."""
    return known == (replace(said, team=known.team) if said.team is None else said)


def require_in_time(state: Known, order: Enter) -> None:
    """Later than announced, somebody comes in only by a decision of the organiser, and only where the rules leave it one."""
    limits = {limit.of: limit for limit in state.plan.ruleset.entry.deadlines}
    if "on-site-entry" in limits and all("on-site" in entry.also.declared for entry in order.entries):
        return
    closes = state.plan.entries_close
    too_late = is_late(state.plan, order)
    if not too_late and not isinstance(state, CheckingIn):
        return
    since = f"since {closes}" if too_late else "since check-in was opened"
    limit = limits.get("entry")
    clause = by(limit.rule_id if limit and too_late else None)
    if too_late and limit is not None and limit.late == "refused":
        raise refusals.EntriesClosed(f"Entries are closed {since}{clause}, and the rules let nobody in later.")
    if order.decision is None:
        raise refusals.EntriesClosed(
            f"Entries are closed {since}{clause}: whoever still comes in needs a decision of the organiser; say which."
        )


def is_late(plan: Plan, order: Enter) -> bool:
    return plan.entries_close is not None and order.at >= plan.entries_close


def late_by(plan: Plan, order: Enter) -> str | None:
    """The clause about who comes in later than announced."""
    limit = next((limit for limit in plan.ruleset.entry.deadlines if limit.of == "entry"), None)
    return limit.rule_id if limit and is_late(plan, order) else None


def require_allowed(said: Said, also: Also, ruleset: Ruleset) -> None:
    wanted = PERSONS.get(ruleset.entry.kind)
    persons = len(set(said.persons))
    if persons != len(said.persons) or (persons != wanted if wanted else not persons):
        raise refusals.WrongNumberOfPersons(
            f"An entrant of this tournament is {wanted or 'one or more'} "
            f"{'person' if wanted == 1 else 'different persons'}{by(ruleset.entry.rule_ids.get('kind'))}: name them."
        )
    require_line_up(said, also, ruleset)
    require_lists(said.lists, ruleset)


def require_lists(lists: tuple[str, ...], ruleset: Ruleset) -> None:
    known = [found.id for found in ruleset.lists]
    if unknown := sorted(set(lists) - set(known)):
        there_are = f"there are {', '.join(known)}" if known else "these rules have none"
        raise refusals.UnknownList(f"No list is called {', '.join(unknown)}: {there_are}.")
