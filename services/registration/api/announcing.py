"""What is announced of a tournament, made of what somebody sent: its rules whole, its times in their zone."""

from collections.abc import Callable
from datetime import date, datetime
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

from services.registration.api.grounds import SENTENCE, Grounds, capacity, room_for, strange, with_most, within
from services.registration.api.plan_forms import HowEntered, PlanToChange, TournamentToAnnounce
from services.registration.domain.clubs_and_schools import Homes
from services.registration.domain.tournament.lifecycle import AnnounceTournament
from services.registration.domain.tournament.plan import PlannedTournament
from services.registration.domain.tournament.reasons import cite, payment_clause
from services.registration.domain.tournament.states import Plan
from services.registration.eligibility.deadlines import as_stored, entries_close
from shared.faults import Fault, Faulty, at
from shared.rulesets import catalogue, faults
from shared.rulesets.schema import Ruleset


def announcement(identity: str, body: TournamentToAnnounce, grounds: Grounds) -> AnnounceTournament:
    """Or everything that is wrong with it, at once."""
    found: list[Fault] = [*grounds.place_faults(body)]
    ruleset = without_faults(lambda: ruleset_of(body, grounds), found)
    zone = without_faults(lambda: zone_of(body.time_zone), found)
    closes = without_faults(lambda: closing(body, ruleset, zone), found) if ruleset and zone else None
    first_round = body.first_round or (usual_time(ruleset) if ruleset else None)
    if ruleset is not None and first_round is None:
        found.append(Fault("/first_round", "is needed, since the ruleset names no usual time"))
    counting = without_faults(lambda: grounds.counting(body, ruleset), found) if ruleset else None
    if found or ruleset is None or zone is None or first_round is None:
        raise Faulty(SENTENCE, found)
    return AnnounceTournament(
        tournament=identity,
        federation=body.federation,
        name=body.name,
        ruleset=ruleset,
        time_zone=body.time_zone,
        starts_on=body.starts_on.isoformat(),
        first_round=first_round,
        entries_close=as_stored(closes) if closes else None,
        series=body.series,
        region=body.region,
        host=body.host,
        hall=body.hall,
        room=room_for(ruleset, capacity(body.hall, grounds.homes)),
        override=body.override,
        competition=body.competition,
        variant=body.variant,
        counting=counting,
        next_level=body.next_level.tournament if body.next_level else None,
        otherwise=body.next_level.otherwise if body.next_level else None,
        shown_names=body.shown_names,
    )


def changed_plan(body: PlanToChange, plan: Plan, homes: Homes) -> PlannedTournament:
    """All that is planned from now on; what is not named stays."""
    found: list[Fault] = [*strange("hall", body.hall, homes)]
    hall = body.hall if "hall" in body.model_fields_set else plan.hall
    room = plan.room if hall == plan.hall else room_for(plan.ruleset, capacity(hall, homes))
    ruleset = without_faults(lambda: changed_ruleset(body, plan, room), found) or plan.ruleset
    starts_on = body.starts_on or date.fromisoformat(plan.starts_on)
    closes = without_faults(lambda: closing_anew(body, plan, ruleset, starts_on), found)
    if found:
        raise Faulty("The plan cannot be changed: mend what errors name.", found)
    return PlannedTournament(
        name=body.name or plan.name,
        ruleset=ruleset,
        starts_on=starts_on.isoformat(),
        first_round=body.first_round or plan.first_round,
        entries_close=closes,
        competition=body.competition or plan.competition,
        variant=body.variant or plan.variant,
        override=body.override or plan.override,
        hall=hall,
        room=room,
    )


def changed_ruleset(body: PlanToChange, plan: Plan, room: int | None) -> Ruleset:
    ruleset = plan.ruleset
    if room != plan.room == ruleset.entry.size.most:  # the old hall had set it
        ruleset = with_most(ruleset, places_of(ruleset))
    if body.entry:
        ruleset = with_entry(ruleset, body.entry, most=places_of(ruleset))
    ruleset = within(ruleset, room, body.entry.most if body.entry else None)
    try:
        return faults.with_options(ruleset, body.options)
    except Faulty as faulty:
        raise Faulty(SENTENCE, [fault.below(at("options")) for fault in faulty.faults]) from None


def places_of(ruleset: Ruleset) -> int | None:
    """As many as the rules allow, whatever was announced."""
    size = ruleset.entry.size
    if ruleset.id in catalogue.ids():
        return catalogue.load(ruleset.id).entry.size.most
    return size.most if size.rule_id else None


def closing_anew(body: PlanToChange, plan: Plan, ruleset: Ruleset, starts_on: date) -> str | None:
    """By what is said, or by the rules where that or the day is said anew."""
    zone = ZoneInfo(plan.time_zone)
    if body.entries_close is not None:
        return as_stored(in_zone(body.entries_close, zone))
    has_moved = starts_on.isoformat() != plan.starts_on or ruleset.entry.deadlines != plan.ruleset.entry.deadlines
    if "entries_close" not in body.model_fields_set and not has_moved:
        return plan.entries_close
    closes = by_the_rules(ruleset, starts_on, zone)
    return as_stored(closes) if closes else None


def without_faults[Found](read: Callable[[], Found], faults_so_far: list[Fault]) -> Found | None:
    try:
        return read()
    except Faulty as faulty:
        faults_so_far += faulty.faults
        return None


def ruleset_of(body: TournamentToAnnounce, grounds: Grounds) -> Ruleset:
    """With the options of this tournament."""
    try:
        ruleset = grounds.named() if isinstance(body.ruleset, str) else faults.read(body.ruleset)
    except Faulty as faulty:
        below = "" if isinstance(body.ruleset, str) else at("ruleset")
        raise Faulty(SENTENCE, [fault.below(below) for fault in faulty.faults]) from None
    ruleset = with_entry(ruleset, body.entry, most=ruleset.entry.size.most) if body.entry else ruleset
    wanted = body.entry.most if body.entry else None
    ruleset = within(ruleset, room_for(ruleset, capacity(body.hall, grounds.homes)), wanted)
    if ruleset.entry.categories and ruleset.entry.category is None:
        several = ruleset.entry.categories
        clause = cite(next((one.rule_id for one in several if one.rule_id), None))
        words = f"is needed{clause}: {' or '.join(one.id for one in several)}, which are held apart"
        raise Faulty(SENTENCE, [Fault("/entry/category", words)])
    if ruleset.entry.payment != "recorded" and not ruleset.entry.fees:
        fault = Fault(
            "/entry/fees",
            f"are needed{cite(payment_clause(ruleset.entry))}: nobody plays unpaid here, and the ruleset leaves the amounts to "
            "the announcement",
        )
        raise Faulty(SENTENCE, [fault])
    try:
        return faults.with_options(ruleset, body.options)
    except Faulty as faulty:
        raise Faulty(SENTENCE, [fault.below(at("options")) for fault in faulty.faults]) from None


def with_entry(ruleset: Ruleset, changed: HowEntered, *, most: int | None) -> Ruleset:
    """With what this tournament changes about entries, as far as the ruleset leaves it open."""
    entry, found = ruleset.entry, list[Fault]()
    kinds = (entry.kind, *entry.kinds_allowed)
    if changed.kind is not None and changed.kind not in kinds:
        clause = cite(entry.rule_ids.get("kind"))
        found.append(Fault("/entry/kind", f"is not open here{clause}: the ruleset has {' or '.join(kinds)}"))
    categories = [one.id for one in entry.categories]
    if changed.category is not None and changed.category not in categories:
        found.append(Fault("/entry/category", f"should be {' or '.join(categories) or 'left out: there is none'}"))
    if changed.most is not None and not entry.size.least <= changed.most <= (most or changed.most):
        clause = cite(entry.size.rule_id)
        words = f"should be {entry.size.least} to {most or 'more'}, as the ruleset says{clause}"
        found.append(Fault("/entry/most", words))
    if found:
        raise Faulty(SENTENCE, found)
    size = entry.size.model_copy(update={"most": changed.most or entry.size.most})
    update = {
        "kind": changed.kind or entry.kind,
        "category": changed.category or entry.category,
        "size": size,
        "fees": entry.fees if changed.fees is None else changed.fees,
        "channels": entry.channels if changed.channels is None else changed.channels,
        "deadlines": entry.deadlines if changed.deadlines is None else changed.deadlines,
    }
    return ruleset.model_copy(update={"entry": entry.model_copy(update=update)})


def zone_of(name: str) -> ZoneInfo:
    try:
        return ZoneInfo(name)
    except (ZoneInfoNotFoundError, ValueError, OSError):  # also names that are paths
        fault = Fault("/time_zone", "is no time zone of the IANA database, such as Europe/Bratislava")
        raise Faulty(SENTENCE, [fault]) from None


def usual_time(ruleset: Ruleset) -> str | None:
    check_in = ruleset.entry.check_in
    return (check_in.first_round or check_in.closes) if check_in else None


def closing(body: TournamentToAnnounce, ruleset: Ruleset, zone: ZoneInfo) -> datetime | None:
    if body.entries_close:
        return in_zone(body.entries_close, zone)
    return by_the_rules(ruleset, body.starts_on, zone)


def by_the_rules(ruleset: Ruleset, starts_on: date, zone: ZoneInfo) -> datetime | None:
    try:
        return entries_close(ruleset, starts_on, zone)
    except (ValueError, OverflowError):
        raise Faulty(SENTENCE, [Fault("/ruleset/entry/deadlines", "names a day that there is not")]) from None


def in_zone(moment: datetime, zone: ZoneInfo) -> datetime:
    """A time without an offset is meant there."""
    return moment if moment.tzinfo else moment.replace(tzinfo=zone)
