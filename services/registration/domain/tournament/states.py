"""The life of a tournament: what it is at any moment, and what an event makes of that."""

import msgspec
from msgspec.structs import replace

from services.registration.domain.seasons import Counting
from services.registration.domain.tournament import entry_facts, facts, level_facts, roster
from services.registration.domain.tournament.plan_facts import HallChanged, PlanChanged
from services.registration.domain.tournament.roster import Roster
from shared.rulesets.entry import ShownNames
from shared.rulesets.schema import Ruleset
from shared.values import Value

NOBODY = Roster()


class Plan(Value):
    """What was announced."""

    tournament: str
    federation: str
    name: str
    ruleset: Ruleset
    time_zone: str
    starts_on: str
    first_round: str
    entries_close: str | None
    postponed: int = 0  # minutes
    advance: int | None = None  # how many go on, once it is announced
    series: str | None = None
    region: str | None = None
    host: str | None = None
    hall: str | None = None
    room: int | None = None  # entrants for whom the hall has room
    override: str | None = None
    competition: str | None = None
    variant: str | None = None
    counting: Counting | None = None  # in a season
    next_level: str | None = None  # the tournament that its best go on to
    otherwise: str | None = None  # and the one of those who get no place there
    shown_names: ShownNames = "full"  # what spectators see of persons
    is_open: bool = False  # whether registration was ever opened: until then it is a matter of officials


class Unknown(Value):
    pass


class Draft(Value):
    plan: Plan
    roster: Roster = NOBODY


class Registering(Value):
    plan: Plan
    roster: Roster = NOBODY


class CheckingIn(Value):
    plan: Plan
    roster: Roster


class Running(Value):
    plan: Plan
    roster: Roster


class UnderReview(Value):
    plan: Plan
    roster: Roster


class Completed(Value):
    plan: Plan
    roster: Roster


class Cancelled(Value):
    plan: Plan
    roster: Roster


type Known = Draft | Registering | CheckingIn | Running | UnderReview | Completed | Cancelled
type State = Unknown | Known
type Event = facts.LifeEvent | facts.RosterEvent


def evolve(state: State, event: Event) -> State:
    if isinstance(state, Unknown) or isinstance(event, facts.TournamentAnnounced):
        return begun(event)
    match event:
        case facts.RegistrationOpened():
            return Registering(plan=replace(state.plan, is_open=True), roster=state.roster)
        case facts.CheckInOpened():
            return CheckingIn(plan=state.plan, roster=state.roster)
        case (
            entry_facts.TournamentPlaced()
            | PlanChanged()
            | HallChanged()
            | facts.AdvanceAnnounced()
            | facts.FirstRoundPostponed()
            | facts.ShownNamesDecided()
        ):
            return replace(state, plan=planned(state.plan, event))
        case level_facts.NextLevelNamed():
            return replace(state, plan=replace(state.plan, next_level=event.next_level, otherwise=event.otherwise))
        case facts.TournamentStarted() | facts.PlayResumed():
            return Running(plan=state.plan, roster=state.roster)
        case facts.ReviewBegun():
            return UnderReview(plan=state.plan, roster=state.roster)
        case facts.TournamentCompleted():
            return Completed(plan=state.plan, roster=state.roster)
        case facts.TournamentCancelled():
            return Cancelled(plan=state.plan, roster=state.roster)
        case _:
            return replace(state, roster=roster.evolve(state.roster, event))


def planned(
    plan: Plan,
    event: entry_facts.TournamentPlaced
    | PlanChanged
    | HallChanged
    | facts.AdvanceAnnounced
    | facts.FirstRoundPostponed
    | facts.ShownNamesDecided,
) -> Plan:
    match event:
        case entry_facts.TournamentPlaced():
            return replace(
                plan,
                series=event.series,
                region=event.region,
                host=event.host,
                hall=event.hall,
                room=event.room,
                override=event.override,
                competition=event.competition,
                variant=event.variant,
            )
        case PlanChanged():
            return replace(
                plan,
                name=event.name,
                ruleset=Ruleset.model_validate_json(bytes(event.ruleset)),
                starts_on=event.starts_on,
                first_round=event.first_round,
                entries_close=event.entries_close,
                override=event.override,
                competition=event.competition,
                variant=event.variant,
            )
        case HallChanged():
            return replace(plan, hall=event.hall, room=event.room)
        case facts.AdvanceAnnounced():
            return replace(plan, advance=event.advance)
        case facts.FirstRoundPostponed():
            return replace(plan, postponed=event.minutes)
        case facts.ShownNamesDecided():
            return replace(plan, shown_names=as_decided(event.shown_names))


def begun(event: Event) -> Draft:
    if not isinstance(event, facts.TournamentAnnounced):
        raise TypeError(f"{type(event).__name__} of a tournament that was never announced")
    return Draft(
        plan=Plan(
            tournament=event.tournament,
            federation=event.federation,
            name=event.name,
            ruleset=Ruleset.model_validate_json(bytes(event.ruleset)),
            time_zone=event.time_zone,
            starts_on=event.starts_on,
            first_round=event.first_round,
            entries_close=event.entries_close,
            counting=counting(event),
            shown_names=as_decided(event.shown_names),
        )
    )


def as_decided(shown_names: str) -> ShownNames:
    """As it stands in the log."""
    return msgspec.convert(shown_names, ShownNames)


def counting(event: facts.TournamentAnnounced) -> Counting | None:
    if event.season is None or event.season_kind is None:
        return None
    return Counting(
        season=event.season,
        kind=event.season_kind,
        rating_list=event.rating_list,
        organisers=event.organisers,
    )


def stored(ruleset: Ruleset) -> msgspec.Raw:
    return msgspec.Raw(ruleset.model_dump_json().encode())
