"""What is announced of a tournament, made of what somebody sent: its rules whole, its times in their zone."""

from collections.abc import Callable
from datetime import datetime
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

from services.registration.api.forms import HowEntered, TournamentToAnnounce
from services.registration.domain.tournament.orders import AnnounceTournament
from services.registration.eligibility.deadlines import as_stored, entries_close
from shared.faults import Fault, Faulty, at
from shared.rulesets import catalogue, faults
from shared.rulesets.schema import Ruleset

SENTENCE = "This tournament cannot be announced: mend what errors name."


def announcement(identity: str, body: TournamentToAnnounce) -> AnnounceTournament:
    """Or everything that is wrong with it, at once."""
    found: list[Fault] = []
    ruleset = without_faults(lambda: ruleset_of(body), found)
    zone = without_faults(lambda: zone_of(body.time_zone), found)
    closes = without_faults(lambda: closing(body, ruleset, zone), found) if ruleset and zone else None
    first_round = body.first_round or (usual_time(ruleset) if ruleset else None)
    if ruleset is not None and first_round is None:
        found.append(Fault("/first_round", "is needed, since the ruleset names no usual time"))
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
        override=body.override,
    )


def without_faults[Found](read: Callable[[], Found], faults_so_far: list[Fault]) -> Found | None:
    try:
        return read()
    except Faulty as faulty:
        faults_so_far += faulty.faults
        return None


def ruleset_of(body: TournamentToAnnounce) -> Ruleset:
    """With the options of this tournament."""
    try:
        ruleset = named(body.ruleset) if isinstance(body.ruleset, str) else faults.read(body.ruleset)
    except Faulty as faulty:
        raise Faulty(SENTENCE, [fault.below(at("ruleset")) for fault in faulty.faults]) from None
    ruleset = with_entry(ruleset, body.entry) if body.entry else ruleset
    if ruleset.entry.payment != "recorded" and not ruleset.entry.fees:
        fault = Fault(
            "/entry/fees",
            "are needed: nobody plays unpaid here, and the ruleset leaves the amounts to the announcement",
        )
        raise Faulty(SENTENCE, [fault])
    try:
        return faults.with_options(ruleset, body.options)
    except Faulty as faulty:
        raise Faulty(SENTENCE, [fault.below(at("options")) for fault in faulty.faults]) from None


def with_entry(ruleset: Ruleset, changed: HowEntered) -> Ruleset:
    """With what this tournament changes about entries, as far as the ruleset leaves it open."""
    entry, found = ruleset.entry, list[Fault]()
    kinds = (entry.kind, *entry.kinds_allowed)
    if changed.kind is not None and changed.kind not in kinds:
        found.append(Fault("/entry/kind", f"is not open here: the ruleset has {' or '.join(kinds)}"))
    if changed.most is not None and not entry.size.least <= changed.most <= (entry.size.most or changed.most):
        found.append(
            Fault("/entry/most", f"should be {entry.size.least} to {entry.size.most or 'more'}, as the ruleset says")
        )
    if found:
        raise Faulty(SENTENCE, found)
    size = entry.size.model_copy(update={"most": changed.most or entry.size.most})
    fees = entry.fees if changed.fees is None else changed.fees
    return ruleset.model_copy(
        update={"entry": entry.model_copy(update={"kind": changed.kind or entry.kind, "size": size, "fees": fees})}
    )


def named(ruleset: str) -> Ruleset:
    try:
        return catalogue.load(ruleset)
    except catalogue.RulesetUnknown as unknown:
        raise Faulty(SENTENCE, [Fault("", str(unknown))]) from None


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
    try:
        return entries_close(ruleset, body.starts_on, zone)
    except (ValueError, OverflowError):
        raise Faulty(SENTENCE, [Fault("/ruleset/entry/deadlines", "names a day that there is not")]) from None


def in_zone(moment: datetime, zone: ZoneInfo) -> datetime:
    """A time without an offset is meant there."""
    return moment if moment.tzinfo else moment.replace(tzinfo=zone)
