"""A plan changes after it was announced: whatever entries rest on already stays as it is."""

from collections.abc import Iterator
from functools import reduce

from msgspec.structs import replace

from services.registration.domain.homes import Homes
from services.registration.domain.naming import readable
from services.registration.domain.tournament import refusals
from services.registration.domain.tournament.life import require_calendar, require_window
from services.registration.domain.tournament.phases import require
from services.registration.domain.tournament.places import called
from services.registration.domain.tournament.plan_facts import HallChanged, PlanChanged
from services.registration.domain.tournament.plan_orders import ChangePlan, Planned
from services.registration.domain.tournament.states import (
    CheckingIn,
    Draft,
    Event,
    Known,
    Plan,
    Registering,
    evolve,
    stored,
)
from shared.rulesets.schema import Ruleset

BY_DAY = ("age-at-most", "age-below")


def change(state: Known, order: ChangePlan) -> list[Event]:
    require(state, order)
    before, now = planned(state.plan), order.planned
    if before == now:
        return []
    if before != order.seen:
        raise refusals.PlanChangedMeanwhile("The plan has been changed since: look at it again, and decide again.")
    if (now.starts_on, now.competition) != (before.starts_on, before.competition):
        require_window(now)
    require_calendar(now)
    if bound := [*bound_by_entries(state, before, now)]:
        raise refusals.BoundByEntries(" ".join(bound))
    changed = [*changes(state.plan.tournament, before, order)]
    then = reduce(evolve, changed, state)
    return [*changed, *called(then)] if isinstance(then, Draft | Registering | CheckingIn) else changed


def changes(tournament: str, before: Planned, order: ChangePlan) -> Iterator[Event]:
    now, why = order.planned, order.reason
    if (before.hall, before.room) != (now.hall, now.room):
        yield HallChanged(
            tournament=tournament, hall=now.hall, room=now.room, reason=why.code, note=why.note, clause=why.clause
        )
    if replace(before, hall=now.hall, room=now.room) == now:
        return
    yield PlanChanged(
        tournament=tournament,
        name=readable(now.name),
        ruleset=stored(now.ruleset),
        starts_on=now.starts_on,
        first_round=now.first_round,
        entries_close=now.entries_close,
        competition=now.competition,
        variant=now.variant,
        override=now.override,
        reason=why.code,
        note=why.note,
        clause=why.clause,
    )


def planned(plan: Plan) -> Planned:
    return Planned(
        name=plan.name,
        ruleset=plan.ruleset,
        starts_on=plan.starts_on,
        first_round=plan.first_round,
        entries_close=plan.entries_close,
        competition=plan.competition,
        variant=plan.variant,
        override=plan.override,
        hall=plan.hall,
        room=plan.room,
    )


def bound_by_entries(state: Known, before: Planned, now: Planned) -> Iterator[str]:
    """Why not, and what to do first."""
    field, was, will = state.roster, before.ruleset.entry, now.ruleset.entry
    there = len(field.taking_part)
    if (there or field.waiting) and was.kind != will.kind:
        yield f"Who has entered is {a(was.kind)} each: withdraw them before the tournament becomes one of {a(will.kind)}."
    if (there or field.waiting) and was.category != will.category:
        yield f"Who has entered was judged as one of {was.category}: withdraw them first."
    counting = state.plan.counting
    kind_of = (was.kind, before.competition, before.variant)
    if counting is not None and kind_of != (will.kind, now.competition, now.variant):
        yield f"It counts in its season as {counting.kind}: announce a tournament of another kind as another one."
    if will.size.most is not None and there > will.size.most:
        yield f"{there} have a place: withdraw some of them, or announce at least {there} places."
    if was.fees != will.fees and (paid := sum(bool(one.money or one.granted) for one in field.details.values())):
        yield f"{paid} have paid or need not pay by the fees as they are: these stay."
    if (there or field.waiting) and is_judged_by_day(now.ruleset, before.starts_on, now.starts_on):
        yield f"Who has entered was judged by the day {before.starts_on}: withdraw them before it changes, and enter them again."


def is_judged_by_day(ruleset: Ruleset, before: str, now: str) -> bool:
    """Whether who may play, or who is on a list, can be another one on the other day."""
    rules = ruleset.entry.conditions
    by_day = any(one.rule in BY_DAY and one.on is None for one in rules)
    by_year = any(one.rule == "year-age-at-most" for one in rules)
    by_year = by_year or any(one.whom == "year-age-at-most" for one in ruleset.lists)
    return (by_day and before != now) or (by_year and before[:4] != now[:4])


def differences(before: Planned, now: Planned, homes: Homes) -> list[str]:
    """In the words of an organiser."""
    here, there = (homes.known.get(one.hall or "") for one in (before, now))
    was, will = before.ruleset.entry, now.ruleset.entry
    plain = (
        ("The name", before.name, now.name),
        ("The day of the first round", before.starts_on, now.starts_on),
        ("The time of the first round", before.first_round, now.first_round),
        ("The end of entries", before.entries_close or "open", now.entries_close or "open"),
        ("The kind of competition", before.competition or "not said", now.competition or "not said"),
        ("The hall", here.name if here else "not said", there.name if there else "not said"),
        ("The variant", before.variant or "not said", now.variant or "not said"),
        ("An entrant", a(was.kind), a(will.kind)),
        ("The category", was.category or "not said", will.category or "not said"),
        ("The number of places", was.size.most or "not limited", will.size.most or "not limited"),
    )
    found = [f"{what} is {after} instead of {earlier}." for what, earlier, after in plain if earlier != after]
    found += ["There are other fees."] if was.fees != will.fees else []
    found += ["There are other deadlines."] if was.deadlines != will.deadlines else []
    options, then = before.ruleset.options, now.ruleset.options
    found += [
        f"{path} is {then.get(path, 'as by the rules')} instead of {options.get(path, 'as by the rules')}."
        for path in sorted({*options, *then})
        if options.get(path) != then.get(path)
    ]
    return found


def a(kind: str) -> str:
    return "an individual" if kind == "individual" else f"a {kind}"
