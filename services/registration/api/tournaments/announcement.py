"""What is announced of a tournament, made of what somebody sent: its rules whole, its times in their zone."""

from collections.abc import Callable, Iterator
from datetime import date, datetime, time, timedelta
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

from services.registration.api.rulesets import RulesetShelf
from services.registration.api.seasons import SeasonsHandler
from services.registration.api.tournaments.bodies import CheckInTimes, HowEntered, PlanToChange, TournamentToAnnounce
from services.registration.domain import person
from services.registration.domain.homes import Homes
from services.registration.domain.person import Unregistered
from services.registration.domain.rulesets import RulesetGone, VersionUnknown
from services.registration.domain.seasons import Counting, SaidOfSeason, Seasons, counted_as
from services.registration.domain.tournament.lifecycle import AnnounceTournament
from services.registration.domain.tournament.lots import TooEarlyForLots, TooLateForLots, require_to_come
from services.registration.domain.tournament.plan import PlannedTournament
from services.registration.domain.tournament.reasons import cite, payment_clause
from services.registration.domain.tournament.states import Plan
from services.registration.eligibility.deadlines import DAY, as_stored, entries_close, moment
from services.registration.eligibility.judge import HomesHandler
from shared.bounds import value_faults
from shared.commands.handler import Handler
from shared.faults import Faulty, InputFault, at
from shared.lots import source as lot_sources
from shared.lots.source import SourceUnclear
from shared.rulesets import catalogue, faults
from shared.rulesets.catalogue import RulesetUnknown
from shared.rulesets.entry import CheckIn, Entry
from shared.rulesets.schema import Ruleset
from shared.rulesets.settings import VARIANT, in_variant, variant_by_rules
from shared.values import Value

SENTENCE = "This tournament cannot be announced: mend what errors name."
OF_SEASON = ("season_kind", "rating_list", "organisers")
PLACES = {"region": ("region",), "host": ("school", "club"), "hall": ("hall",)}


class Grounds(Value):
    ruleset: Ruleset | InputFault | None  # none was named
    homes: Homes
    seasons: Seasons
    strangers: tuple[int, ...] = ()  # of the organisers, by their place: nobody whom the federation knows

    def named(self) -> Ruleset:
        if isinstance(self.ruleset, Ruleset):
            return self.ruleset
        raise Faulty(SENTENCE, [self.ruleset] if self.ruleset else [])

    def place_faults(self, body: TournamentToAnnounce) -> Iterator[InputFault]:
        for name in PLACES:
            yield from unknown_places(name, getattr(body, name), self.homes)

    def counting(self, body: TournamentToAnnounce, ruleset: Ruleset, variant: str | None) -> Counting | None:
        """The season that it counts in, and as what."""
        found = [InputFault(at("organisers", place), "is no person of the federation") for place in self.strangers]
        if body.season is None:
            said = [name for name in OF_SEASON if getattr(body, name)]
            found += [InputFault(at(name), "goes with a season: name it, or leave this out") for name in said]
        elif body.season not in self.seasons.opened:
            found.append(InputFault("/season", "is no season of the federation: open it first"))
        if found or body.season is None:
            return require_none(found)
        announced = SaidOfSeason(
            kind=body.season_kind,
            rating_list=body.rating_list,
            competition=body.competition,
            variant=variant,
        )
        kind, rating_list = counted_as(self.seasons.opened[body.season].rules, ruleset, announced, found)
        require_none(found)
        return Counting(season=body.season, kind=kind, rating_list=rating_list, organisers=body.organisers)


class GroundsFinder(Value):
    """Finds what an announcement rests on."""

    shelf: RulesetShelf
    homes: HomesHandler
    seasons: SeasonsHandler
    persons: Handler[person.State, person.Command, person.Event]

    async def of(self, body: TournamentToAnnounce) -> Grounds:
        homes, _ = await self.homes.load(body.federation)
        seasons, _ = await self.seasons.load(body.federation)
        known = [await self._is_known(person, body.federation) for person in body.organisers]
        return Grounds(
            ruleset=await named_ruleset(body, self.shelf),
            homes=homes,
            seasons=seasons,
            strangers=tuple(place for place, is_known in enumerate(known) if not is_known),
        )

    async def _is_known(self, identity: str, federation: str) -> bool:
        state, _ = await self.persons.load(identity)
        return not isinstance(state, Unregistered) and state.federation == federation


async def named_ruleset(body: TournamentToAnnounce, shelf: RulesetShelf) -> Ruleset | InputFault | None:
    if not isinstance(body.ruleset, str):
        return None
    try:
        return await shelf.offered(body.ruleset, body.ruleset_version)
    except RulesetUnknown as unknown:
        return InputFault("/ruleset", str(unknown))
    except VersionUnknown as unknown:
        return InputFault("/ruleset_version", str(unknown))
    except RulesetGone as gone:
        return InputFault("/ruleset_version" if body.ruleset_version else "/ruleset", str(gone))


def announcement(identity: str, body: TournamentToAnnounce, grounds: Grounds, now: datetime) -> AnnounceTournament:
    """The order to announce it, or everything that is wrong with it at once."""
    found: list[InputFault] = [*grounds.place_faults(body)]
    ruleset = found_or_faults(lambda: ruleset_of(body, grounds), found)
    zone = found_or_faults(lambda: zone_of(body.time_zone), found)
    days = [*day_faults(body.entry, ruleset, body.starts_on, zone)] if ruleset and zone else []
    found += days
    closes = (
        found_or_faults(lambda: closing_time(body, ruleset, zone, now), found)
        if ruleset and zone and not days
        else None
    )
    first_round = body.first_round or (usual_time(ruleset) if ruleset else None)
    if ruleset is not None and first_round is None:
        found.append(InputFault("/first_round", "is needed, since the ruleset names no usual time"))
    found += [*series_faults(body, ruleset)] if ruleset else []
    variant = found_or_faults(lambda: variant_of(body, ruleset), found) if ruleset else None
    found += begins_too_early(body.entry, ruleset, first_round)
    counting = found_or_faults(lambda: grounds.counting(body, ruleset, variant), found) if ruleset else None
    source = found_or_faults(lambda: lot_source_of(body, closes, now), found)
    if found or ruleset is None or zone is None or first_round is None:
        raise Faulty(SENTENCE, found)
    return AnnounceTournament(
        tournament=identity,
        federation=body.federation,
        name=body.name,
        ruleset=in_variant(ruleset, variant),
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
        variant=variant,
        counting=counting,
        next_level=body.next_level.tournament if body.next_level else None,
        otherwise=body.next_level.otherwise if body.next_level else None,
        shown_names=body.shown_names,
        place=body.place,
        lot_source=source,
        over=tuple(days_over(body, ruleset, zone, now)),
        opens=body.open,
    )


def lot_source_of(body: TournamentToAnnounce, closes: datetime | None, now: datetime) -> str | None:
    """As it is written down; of a beacon a round that nobody knows while entries are taken."""
    if body.lot_source is None:
        return None
    try:
        source = lot_sources.parse(body.lot_source)
        require_to_come(source, int(now.timestamp()))
    except (SourceUnclear, TooEarlyForLots, TooLateForLots) as refused:
        raise Faulty(SENTENCE, [InputFault("/lot_source", str(refused))]) from None
    if lot_sources.is_known_before(source, as_stored(closes) if closes else None):
        detail = "is known before entries close, and then a field could be chosen for it: name a later round"
        raise Faulty(SENTENCE, [InputFault("/lot_source", detail)])
    return source.text


def days_over(body: TournamentToAnnounce, ruleset: Ruleset, zone: ZoneInfo, now: datetime) -> Iterator[str]:
    """What was said of a time that is over, which most often is a slip of the pen; a day that the rules name is none."""
    is_named = any(one.first <= body.starts_on.isoformat() <= one.last for one in ruleset.entry.windows)
    if body.starts_on < now.astimezone(zone).date() and not is_named:
        yield f"The day of the first round, {body.starts_on}, is over."
    if body.entries_close is not None and in_zone(body.entries_close, zone) < now:
        yield f"The end of entries, {body.entries_close.isoformat()}, is over."


def series_faults(body: TournamentToAnnounce, ruleset: Ruleset) -> Iterator[InputFault]:
    if body.series is None and ruleset.entry.holds_through_series:
        clause = cite(ruleset.entry.rule_ids.get("series"))
        words = f"is needed{clause}: rules hold through all tournaments of a series, so name the one that they share"
        yield InputFault("/series", words)


def changed_plan(body: PlanToChange, plan: Plan, homes: Homes, now: datetime) -> PlannedTournament:
    """All that is planned from now on; what is not named stays."""
    found: list[InputFault] = [*unknown_places("hall", body.hall, homes)]
    hall = body.hall if "hall" in body.model_fields_set else plan.hall
    room = plan.room if hall == plan.hall else room_for(plan.ruleset, capacity(hall, homes))
    ruleset = found_or_faults(lambda: changed_ruleset(body, plan, room), found) or plan.ruleset
    starts_on = body.starts_on or date.fromisoformat(plan.starts_on)
    days = [*day_faults(body.entry, ruleset, starts_on, ZoneInfo(plan.time_zone))]
    found += days
    closes = None if days else found_or_faults(lambda: changed_closing_time(body, plan, ruleset, starts_on, now), found)
    variant = found_or_faults(lambda: variant_of(body, ruleset), found) or plan.variant
    found += begins_too_early(body.entry, ruleset, body.first_round or plan.first_round)
    if found:
        raise Faulty("The plan cannot be changed: mend what errors name.", found)
    return PlannedTournament(
        name=body.name or plan.name,
        ruleset=in_variant(ruleset, variant),
        starts_on=starts_on.isoformat(),
        first_round=body.first_round or plan.first_round,
        entries_close=closes,
        competition=body.competition or plan.competition,
        variant=variant,
        override=body.override or plan.override,
        hall=hall,
        room=room,
        series=body.series if "series" in body.model_fields_set else plan.series,
        place=body.place if "place" in body.model_fields_set else plan.place,
    )


def variant_of(body: TournamentToAnnounce | PlanToChange, ruleset: Ruleset) -> str | None:
    """As it is announced, or as the options say it, which cannot be two things."""
    by_options = body.options.get(VARIANT)
    if body.variant is not None and by_options not in {None, body.variant}:
        detail = f"is {body.variant}, and the options have {VARIANT} {by_options}: say it once"
        raise Faulty(SENTENCE, [InputFault("/variant", detail)])
    return body.variant or variant_by_rules(ruleset)


def found_or_faults[Found](read: Callable[[], Found], faults_so_far: list[InputFault]) -> Found | None:
    try:
        return read()
    except Faulty as faulty:
        faults_so_far += faulty.faults
        return None


def require_none(faults: list[InputFault]) -> None:
    if faults:
        raise Faulty(SENTENCE, faults)


def unknown_places(name: str, place: str | None, homes: Homes) -> Iterator[InputFault]:
    """Names a region, host or hall that is none of the federation's."""
    home, kinds = homes.known.get(place) if place else None, PLACES[name]
    if place and (home is None or home.kind not in kinds):
        yield InputFault(f"/{name}", f"is no {' or '.join(kinds)} of the federation: register it first")


def capacity(hall: str | None, homes: Homes) -> int | None:
    home = homes.known.get(hall) if hall else None
    return home.capacity if home else None


def room_for(ruleset: Ruleset, capacity: int | None) -> int | None:
    """How many entrants there is room for."""
    if capacity is None:
        return None
    entry = ruleset.entry
    match entry.kind:
        case "individual":
            return capacity
        case "pair":
            return capacity // 2
        case "team":
            return capacity // (entry.team.base if entry.team else 1)


def ruleset_of(body: TournamentToAnnounce, grounds: Grounds) -> Ruleset:
    """The whole ruleset, with the options of this tournament."""
    try:
        ruleset = grounds.named() if isinstance(body.ruleset, str) else faults.read(body.ruleset)
    except Faulty as faulty:
        below = "" if isinstance(body.ruleset, str) else at("ruleset")
        raise Faulty(SENTENCE, [fault.below(below) for fault in faulty.faults]) from None
    ruleset = with_entry(ruleset, body.entry, most=ruleset.entry.size.most) if body.entry else ruleset
    wanted = body.entry.most if body.entry else None
    ruleset = within_room(ruleset, room_for(ruleset, capacity(body.hall, grounds.homes)), wanted)
    if ruleset.entry.categories and ruleset.entry.category is None:
        several = ruleset.entry.categories
        clause = cite(next((one.rule_id for one in several if one.rule_id), None))
        words = f"is needed{clause}: {' or '.join(one.id for one in several)}, which are held apart"
        raise Faulty(SENTENCE, [InputFault("/entry/category", words)])
    if ruleset.entry.payment != "recorded" and not ruleset.entry.fees:
        fault = InputFault(
            "/entry/fees",
            f"are needed{cite(payment_clause(ruleset.entry))}: nobody plays unpaid here, and the ruleset leaves the amounts to "
            "the announcement",
        )
        raise Faulty(SENTENCE, [fault])
    try:
        return faults.with_options(ruleset, body.options)
    except Faulty as faulty:
        raise Faulty(SENTENCE, [fault.below(at("options")) for fault in faulty.faults]) from None


def changed_ruleset(body: PlanToChange, plan: Plan, room: int | None) -> Ruleset:
    ruleset = plan.ruleset
    if room != plan.room == ruleset.entry.size.most:  # the old hall had set it
        ruleset = with_most(ruleset, places_of(ruleset))
    if body.entry:
        ruleset = with_entry(ruleset, body.entry, most=places_of(ruleset))
    ruleset = within_room(ruleset, room, body.entry.most if body.entry else None)
    try:
        return faults.with_options(ruleset, body.options)
    except Faulty as faulty:
        raise Faulty(SENTENCE, [fault.below(at("options")) for fault in faulty.faults]) from None


def with_entry(ruleset: Ruleset, changed: HowEntered, *, most: int | None) -> Ruleset:
    """The ruleset with what this tournament changes about entries, as far as it leaves that open."""
    entry, found = ruleset.entry, list[InputFault]()
    kinds = (entry.kind, *entry.kinds_allowed)
    if changed.kind is not None and changed.kind not in kinds:
        clause = cite(entry.rule_ids.get("kind"))
        found.append(InputFault("/entry/kind", f"is not open here{clause}: the ruleset has {' or '.join(kinds)}"))
    categories = [one.id for one in entry.categories]
    if changed.category is not None and changed.category not in categories:
        found.append(InputFault("/entry/category", f"should be {' or '.join(categories) or 'left out: there is none'}"))
    if changed.most is not None and not entry.size.least <= changed.most <= (most or changed.most):
        clause = cite(entry.size.rule_id)
        words = f"should be {entry.size.least} to {most or 'more'}, as the ruleset says{clause}"
        found.append(InputFault("/entry/most", words))
    check_in = found_or_faults(lambda: changed_check_in(entry, changed.check_in), found)
    found += value_faults(changed, "entry")
    found += (fault.below("/entry/fees") for fault in faults.fee_faults(changed.fees or ()))
    found += (fault.below("/entry/deadlines") for fault in faults.deadline_faults(changed.deadlines or ()))
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
        "check_in": check_in,
    }
    return ruleset.model_copy(update={"entry": entry.model_copy(update=update)})


def changed_check_in(entry: Entry, said: CheckInTimes | None) -> CheckIn | None:
    """The first round begins with the end of check-in, where the ruleset has it so."""
    now = entry.check_in
    if said is None:
        return now
    if now is None or not now.announced:
        clause = cite(now.rule_id if now else None)
        left = "these rules name the times" if now else "these rules have none"
        raise Faulty(SENTENCE, [InputFault("/entry/check_in", f"is not left to the announcement{clause}: {left}")])
    opens, closes = said.opens or now.opens, said.closes or now.closes
    if opens >= closes:
        words = f"should be later than it opens, at {opens}"
        raise Faulty(SENTENCE, [InputFault("/entry/check_in/closes", words)])
    update = {"opens": opens, "closes": closes, "first_round": closes if now.first_round else None}
    return now.model_copy(update=update)


def begins_too_early(said: HowEntered | None, ruleset: Ruleset | None, first_round: str | None) -> Iterator[InputFault]:
    """Tell where the first round would begin before check-in, as it is announced, has ended."""
    check_in = ruleset.entry.check_in if ruleset and said and said.check_in else None
    if check_in is not None and first_round is not None and first_round < check_in.closes:
        yield InputFault("/first_round", f"should not be before check-in closes, at {check_in.closes}")


def with_most(ruleset: Ruleset, most: int | None) -> Ruleset:
    size = ruleset.entry.size.model_copy(update={"most": most})
    return ruleset.model_copy(update={"entry": ruleset.entry.model_copy(update={"size": size})})


def within_room(ruleset: Ruleset, room: int | None, wanted: int | None) -> Ruleset:
    """The ruleset with no more places than the hall has."""
    if room is None:
        return ruleset
    size = ruleset.entry.size
    if room < size.least:
        raise Faulty(SENTENCE, [InputFault("/hall", f"has room for {room} entrants, and the rules want {size.least}")])
    if wanted is not None and wanted > room:
        raise Faulty(SENTENCE, [InputFault("/entry/most", f"is more than the hall has room for: {room}")])
    return with_most(ruleset, min(room, size.most or room))


def places_of(ruleset: Ruleset) -> int | None:
    """How many places the rules allow, whatever was announced."""
    size = ruleset.entry.size
    if ruleset.id in catalogue.ids():
        return catalogue.load(ruleset.id).entry.size.most
    return size.most if size.rule_id else None


def zone_of(name: str) -> ZoneInfo:
    try:
        return ZoneInfo(name)
    except (ZoneInfoNotFoundError, ValueError, OSError):  # also names that are paths
        fault = InputFault("/time_zone", "is no time zone of the IANA database, such as Europe/Bratislava")
        raise Faulty(SENTENCE, [fault]) from None


def usual_time(ruleset: Ruleset) -> str | None:
    check_in = ruleset.entry.check_in
    return (check_in.first_round or check_in.closes) if check_in else None


def closing_time(body: TournamentToAnnounce, ruleset: Ruleset, zone: ZoneInfo, now: datetime) -> datetime | None:
    if body.entries_close:
        return by_the_first_day(in_zone(body.entries_close, zone), body.starts_on, zone, now)
    return entries_close(ruleset, body.starts_on, zone)


def changed_closing_time(
    body: PlanToChange, plan: Plan, ruleset: Ruleset, starts_on: date, now: datetime
) -> str | None:
    """When entries close by what is said, or by the rules where that or the day is said anew."""
    zone = ZoneInfo(plan.time_zone)
    if body.entries_close is not None:
        return as_stored(by_the_first_day(in_zone(body.entries_close, zone), starts_on, zone, now))
    has_moved = starts_on.isoformat() != plan.starts_on or ruleset.entry.deadlines != plan.ruleset.entry.deadlines
    if "entries_close" not in body.model_fields_set and not has_moved:
        return plan.entries_close
    closes = entries_close(ruleset, starts_on, zone)
    return as_stored(closes) if closes else None


def by_the_first_day(closes: datetime, starts_on: date, zone: ZoneInfo, now: datetime) -> datetime:
    """Later than that it can only be a slip of the pen, but for a tournament that is written down when it is over."""
    ends = datetime.combine(starts_on + timedelta(days=1), time.min, zone)
    if closes > ends > now:
        detail = "is after the day of the first round: name an earlier time; who comes later is admitted one by one"
        raise Faulty(SENTENCE, [InputFault("/entries_close", detail)])
    return closes


def day_faults(said: HowEntered | None, ruleset: Ruleset, starts_on: date, zone: ZoneInfo) -> Iterator[InputFault]:
    """What is to happen so many days before the first one, on a day that no calendar goes back to."""
    is_own = said is not None and said.deadlines is not None
    for index, limit in enumerate(ruleset.entry.deadlines):
        if not is_there(lambda limit=limit: moment(limit, starts_on, zone)):
            pointer = at(*(() if is_own else ("ruleset",)), "entry", "deadlines", index)
            yield InputFault(pointer, "names a day that there is not")
    for index, duty in enumerate(ruleset.entry.duties):
        if not is_there(lambda days=duty.days_before or 0: starts_on - days * DAY):
            yield InputFault(at("ruleset", "entry", "duties", index), "names a day that there is not")


def is_there(reckon: Callable[[], date]) -> bool:
    try:
        reckon()
    except (ValueError, OverflowError):
        return False
    return True


def in_zone(moment: datetime, zone: ZoneInfo) -> datetime:
    """A time without an offset is meant there."""
    return moment if moment.tzinfo else moment.replace(tzinfo=zone)
