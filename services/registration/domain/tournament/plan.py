"""A plan changes after it was announced: whatever entries rest on already stays as it is."""

from collections.abc import Iterator
from functools import reduce

import msgspec
from msgspec.structs import replace

from services.registration.domain.homes import Homes
from services.registration.domain.names import readable
from services.registration.domain.tournament import facts
from services.registration.domain.tournament.lots import TooEarlyForLots
from services.registration.domain.tournament.places_and_reserves import call_reserves
from services.registration.domain.tournament.reasons import NotedReason, cite
from services.registration.domain.tournament.states import (
    BEFORE,
    AnnouncedTournament,
    CheckingIn,
    Draft,
    Phases,
    Plan,
    Registering,
    evolve,
    require_phase,
    stored,
)
from shared.commands.decider import Order
from shared.lots import source as sources
from shared.refusals import Conflict, Invalid, Stale
from shared.rulesets.entry import Entry
from shared.rulesets.schema import Ruleset
from shared.values import Value

# Orders


class PlannedTournament(Value):
    """All of a plan that can be changed until the start."""

    name: str
    ruleset: Ruleset
    starts_on: str
    first_round: str
    entries_close: str | None
    competition: str | None = None
    variant: str | None = None
    override: str | None = None  # why on a day on which the rules hold none
    hall: str | None = None
    room: int | None = None
    series: str | None = None
    place: str | None = None  # where it is held, in words


class ChangePlan(Order):
    seen: PlannedTournament  # that the change was made from
    planned: PlannedTournament
    reason: NotedReason


PHASES: Phases = {
    ChangePlan: (Draft, *BEFORE),
}

# Refusals


class PlanChangedMeanwhile(Stale):
    """Somebody else has changed the plan."""


class UnknownCompetition(Invalid):
    """The calendar of the rules has no such kind of competition, or no such variant."""


class OutsideWindow(Conflict):
    """The rules name the days on which such a tournament may be held."""


class NoSeries(Conflict):
    """Rules hold through all tournaments of a series, and none is named."""


class BoundByEntries(Conflict):
    """Entries rest on it already."""


BY_DAY = ("age-at-most", "age-below")


def change(state: AnnouncedTournament, order: ChangePlan) -> list[facts.Event]:
    require_phase(state, order, PHASES)
    before, now = planned(state.plan), order.planned
    if before == now:
        return []
    if before != order.seen:
        raise PlanChangedMeanwhile("The plan has been changed since: look at it again, and decide again.")
    if (now.starts_on, now.competition) != (before.starts_on, before.competition):
        require_window(now.ruleset, now.starts_on, now.competition, override=now.override)
    require_calendar(now.ruleset, now.competition, now.variant)
    require_series(now.ruleset, now.series)
    require_lots_later(state, before, now)
    if bound := [*bound_by_entries(state, before, now)]:
        raise BoundByEntries(" ".join(bound))
    changed = [*changes(state.plan.tournament, before, order)]
    then = reduce(evolve, changed, state)
    return [*changed, *call_reserves(then)] if isinstance(then, Draft | Registering | CheckingIn) else changed


def changes(tournament: str, before: PlannedTournament, order: ChangePlan) -> Iterator[facts.Event]:
    now, why = order.planned, order.reason
    if (before.hall, before.room) != (now.hall, now.room):
        yield facts.HallChanged(
            tournament=tournament, hall=now.hall, room=now.room, reason=why.code, note=why.note, clause=why.clause
        )
    if before.series != now.series:
        yield facts.SeriesNamed(
            tournament=tournament, series=now.series, reason=why.code, note=why.note, clause=why.clause
        )
    if replace(before, hall=now.hall, room=now.room, series=now.series) == now:
        return
    yield facts.PlanChanged(
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
        place=None if now.place is None else readable(now.place),
    )


def planned(plan: Plan) -> PlannedTournament:
    return msgspec.convert(plan, PlannedTournament, from_attributes=True)


def require_series(ruleset: Ruleset, series: str | None) -> None:
    """Without one, nobody would see that a rule about all its tournaments is broken."""
    if series is None and ruleset.entry.holds_through_series:
        clause = cite(ruleset.entry.rule_ids.get("series"))
        raise NoSeries(
            f"By its rules such a tournament belongs to a series{clause}: name the one that its tournaments share, such as "
            "that of the season."
        )


def require_calendar(ruleset: Ruleset, competition: str | None, variant: str | None) -> None:
    rules = ruleset.entry
    for said, known in ((competition, rules.competitions), (variant, rules.variants)):
        if said is not None and said not in known:
            there_are = f"they know {', '.join(known)}" if known else "they know none"
            raise UnknownCompetition(
                f"The rules have no {said} in their calendar{cite(rules.calendar_rule_id)}: {there_are}."
            )


def require_window(ruleset: Ruleset, starts_on: str, competition: str | None, *, override: str | None) -> None:
    windows = [one for one in ruleset.entry.windows if one.competition in (None, competition)]
    if override or not windows or any(one.first <= starts_on <= one.last for one in windows):
        return
    days = " or ".join(f"{one.first} to {one.last}" for one in windows)
    rule_id = next((one.rule_id for one in windows if one.rule_id), None)
    raise OutsideWindow(
        f"By the rules such a tournament is held on {days}{cite(rule_id)}: choose another day, or say why it is held on this one."
    )


def require_lots_later(state: AnnouncedTournament, before: PlannedTournament, now: PlannedTournament) -> None:
    """Entries that are taken longer must not be taken until the lots can be known."""
    source = state.plan.lot_source
    if source is None or before.entries_close == now.entries_close:
        return
    if sources.is_known_before(sources.parse(source), now.entries_close):
        raise TooEarlyForLots(
            f"The lots follow from {source}, which would be known before entries close: move them to a later round first."
        )


def bound_by_entries(state: AnnouncedTournament, before: PlannedTournament, now: PlannedTournament) -> Iterator[str]:
    """Say why the plan cannot change like this, and what to do first."""
    roster, was, will = state.roster, before.ruleset.entry, now.ruleset.entry
    there = len(roster.taking_part)
    if (there or roster.waiting) and was.kind != will.kind:
        yield f"Who has entered is {with_article(was.kind)} each: withdraw them before the tournament becomes one of {with_article(will.kind)}."
    if (there or roster.waiting) and was.category != will.category:
        yield f"Who has entered was judged as one of {was.category}: withdraw them first."
    yield from bound_to_series(state, before, now)
    counting = state.plan.counting
    kind_of = (was.kind, before.competition, before.variant)
    if counting is not None and kind_of != (will.kind, now.competition, now.variant):
        yield f"It counts in its season as {counting.kind}: announce a tournament of another kind as another one."
    if will.size.most is not None and there > will.size.most:
        yield f"{there} have a place: withdraw some of them, or announce at least {there} places."
    if was.fees != will.fees and (paid := sum(bool(one.money or one.granted) for one in roster.details.values())):
        yield f"{paid} have paid or need not pay by the fees as they are: these stay."
    if (there or roster.waiting) and is_judged_by_day(now.ruleset, before.starts_on, now.starts_on):
        yield f"Who has entered was judged by the day {before.starts_on}: withdraw them before it changes, and enter them again."


def bound_to_series(state: AnnouncedTournament, before: PlannedTournament, now: PlannedTournament) -> Iterator[str]:
    """A tournament may get the series that it lacks at any time; what rests on one keeps it."""
    if before.series in {None, now.series}:
        return
    roster = state.roster
    if there := len(roster.taking_part) + len(roster.waiting):
        yield f"What {there} have entered with counts in the series {before.series}: withdraw them first."
    if state.plan.next_level is not None or roster.origins:
        yield f"It is a level of the series {before.series}: name no next level from here, nor this one from elsewhere, first."


def is_judged_by_day(ruleset: Ruleset, before: str, now: str) -> bool:
    """Tell whether other persons may play, or are on a list, on the other day."""
    rules = ruleset.entry.conditions
    by_day = any(one.rule in BY_DAY and one.on is None for one in rules)
    by_year = any(one.rule == "year-age-at-most" for one in rules)
    by_year = by_year or any(one.whom == "year-age-at-most" for one in ruleset.lists)
    return (by_day and before != now) or (by_year and before[:4] != now[:4])


def differences(before: PlannedTournament, now: PlannedTournament, homes: Homes) -> list[str]:
    """Say what changes in the words of an organiser."""
    here, there = (homes.known.get(one.hall or "") for one in (before, now))
    was, will = before.ruleset.entry, now.ruleset.entry
    plain = (
        ("The name", before.name, now.name),
        ("The day of the first round", before.starts_on, now.starts_on),
        ("The time of the first round", before.first_round, now.first_round),
        ("Check-in", check_in_said(was), check_in_said(will)),
        ("The end of entries", before.entries_close or "open", now.entries_close or "open"),
        ("The kind of competition", before.competition or "not said", now.competition or "not said"),
        ("The series", before.series or "not said", now.series or "not said"),
        ("The place", before.place or "not said", now.place or "not said"),
        ("The hall", here.name if here else "not said", there.name if there else "not said"),
        ("The variant", before.variant or "not said", now.variant or "not said"),
        ("An entrant", with_article(was.kind), with_article(will.kind)),
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


def check_in_said(rules: Entry) -> str:
    return f"from {rules.check_in.opens} to {rules.check_in.closes}" if rules.check_in else "not planned"


def with_article(kind: str) -> str:
    return "an individual" if kind == "individual" else f"a {kind}"
