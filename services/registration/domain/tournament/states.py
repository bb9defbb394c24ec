"""The life of a tournament: its parts, what an event makes of each, and which orders belong to them."""

from collections.abc import Mapping
from typing import Literal

import msgspec
from msgspec.structs import asdict, replace

from services.registration.domain.seasons import Counting
from services.registration.domain.tournament import facts
from services.registration.domain.tournament.roster import Roster, evolve_roster
from shared.commands.decider import Order
from shared.refusals import Conflict, NotFound
from shared.rulesets import stored as stored_rulesets
from shared.rulesets.entry import Deadline, ShownNames
from shared.rulesets.schema import Ruleset
from shared.rulesets.settings import Settings, settings
from shared.values import Value

EMPTY_ROSTER = Roster()


class Plan(Value):
    """What was announced, with all that has changed since."""

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
    place: str | None = None  # where it is held, in words
    override: str | None = None
    competition: str | None = None
    variant: str | None = None
    counting: Counting | None = None  # in a season
    next_level: str | None = None  # the tournament that its best go on to
    otherwise: str | None = None  # and the one of those who get no place there
    shown_names: ShownNames = "full"  # what spectators see of persons
    lot_source: str | None = None  # what lots are mixed with, and its value once that is written down
    lot_value: str | None = None
    is_open: bool = False  # whether registration was ever opened: until then it is a matter of officials

    @property
    def series_id(self) -> str:
        """The stream of its series, where it is in one."""
        return f"{self.federation}.{self.series}"


class Unannounced(Value):
    pass


class Draft(Value):
    plan: Plan
    roster: Roster = EMPTY_ROSTER


class Registering(Value):
    plan: Plan
    roster: Roster = EMPTY_ROSTER


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


type AnnouncedTournament = Draft | Registering | CheckingIn | Running | UnderReview | Completed | Cancelled
type State = Unannounced | AnnouncedTournament


# Refusals


class TournamentUnknown(NotFound):
    """Nothing was announced under this id."""


class NotNow(Conflict):
    """It belongs to another part of a tournament's life."""


class TooLate(Conflict):
    """The rules set a deadline for it, and that is over."""


def known(state: State) -> AnnouncedTournament:
    if isinstance(state, Unannounced):
        raise unknown()
    return state


def unknown() -> TournamentUnknown:
    return TournamentUnknown("There is no such tournament: look for it in the list.")


def evolve(state: State, event: facts.Event) -> State:
    if isinstance(state, Unannounced) or isinstance(event, facts.TournamentAnnounced):
        return begun(event)
    match event:
        case facts.RegistrationOpened():
            return Registering(plan=replace(state.plan, is_open=True), roster=state.roster)
        case facts.CheckInOpened():
            return CheckingIn(plan=state.plan, roster=state.roster)
        case (
            facts.TournamentPlaced()
            | facts.PlanChanged()
            | facts.SeriesNamed()
            | facts.HallChanged()
            | facts.AdvanceAnnounced()
            | facts.FirstRoundPostponed()
            | facts.ShownNamesDecided()
            | facts.LotSourceMoved()
            | facts.LotsOpened()
        ):
            return replace(state, plan=planned(state.plan, event))
        case facts.NextLevelNamed():
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
            return replace(state, roster=evolve_roster(state.roster, event))


def planned(plan: Plan, event: facts.PlanEvent) -> Plan:
    match event:
        case facts.TournamentPlaced():
            return replace(plan, **asdict(event))
        case facts.PlanChanged():
            is_same_time = (event.starts_on, event.first_round) == (plan.starts_on, plan.first_round)
            return replace(
                plan,
                postponed=plan.postponed if is_same_time else 0,  # from the time that was announced before
                name=event.name,
                ruleset=stored_rulesets.read(bytes(event.ruleset)),
                starts_on=event.starts_on,
                first_round=event.first_round,
                entries_close=event.entries_close,
                override=event.override,
                competition=event.competition,
                variant=event.variant,
                place=event.place,
            )
        case facts.SeriesNamed():
            return replace(plan, series=event.series)
        case facts.HallChanged():
            return replace(plan, hall=event.hall, room=event.room)
        case facts.AdvanceAnnounced():
            return replace(plan, advance=event.advance)
        case facts.FirstRoundPostponed():
            return replace(plan, postponed=event.minutes)
        case facts.ShownNamesDecided():
            return replace(plan, shown_names=as_decided(event.shown_names))
        case facts.LotSourceMoved():
            return replace(plan, lot_source=event.source)
        case facts.LotsOpened():
            return replace(plan, lot_value=event.value)


def begun(event: facts.Event) -> Draft:
    if not isinstance(event, facts.TournamentAnnounced):
        raise TypeError(f"{type(event).__name__} of a tournament that was never announced")
    return Draft(
        plan=Plan(
            tournament=event.tournament,
            federation=event.federation,
            name=event.name,
            ruleset=stored_rulesets.read(bytes(event.ruleset)),
            time_zone=event.time_zone,
            starts_on=event.starts_on,
            first_round=event.first_round,
            entries_close=event.entries_close,
            counting=counting(event),
            shown_names=as_decided(event.shown_names),
            lot_source=event.lot_source,
        )
    )


def as_decided(shown_names: str) -> ShownNames:
    """The log has it as text."""
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


# Parts of its life


type TournamentStatus = Literal[
    "draft", "registration", "check-in", "running", "under-review", "completed", "cancelled"
]
# The parts of its life that each order belongs to.
type Phases = Mapping[type[Order], tuple[type[AnnouncedTournament], ...]]

STATUS: Mapping[type[AnnouncedTournament], TournamentStatus] = {
    Draft: "draft",
    Registering: "registration",
    CheckingIn: "check-in",
    Running: "running",
    UnderReview: "under-review",
    Completed: "completed",
    Cancelled: "cancelled",
}

BEFORE = (Registering, CheckingIn)
DURING = (Running, UnderReview)

# How a sentence says what a tournament is.
IS: Mapping[type[AnnouncedTournament], str] = {
    Draft: "a draft",
    Registering: "in registration",
    CheckingIn: "in check-in",
    Running: "running",
    UnderReview: "under review",
    Completed: "completed",
    Cancelled: "cancelled",
}

# What leads from a status to the next, for whoever asks too early.
NEXT: Mapping[type[AnnouncedTournament], str] = {
    Draft: "open registration",
    Registering: "open check-in",
    CheckingIn: "start it",
    Running: "begin the review",
    UnderReview: "complete it, or resume play",
}


def status(state: AnnouncedTournament) -> TournamentStatus:
    return STATUS[type(state)]


def out_of_phase(state: AnnouncedTournament, wanted: tuple[type[AnnouncedTournament], ...]) -> NotNow | None:
    """Say why an order that belongs to these parts of its life has to wait, or comes too late."""
    if type(state) in wanted:
        return None
    return NotNow(f"The tournament is {IS[type(state)]}, and this belongs to {either(wanted)}{hint(state, wanted)}.")


def require_phase(state: AnnouncedTournament, order: Order, phases: Phases) -> None:
    if (refusal := out_of_phase(state, phases[type(order)])) is not None:
        raise refusal


def either(wanted: tuple[type[AnnouncedTournament], ...]) -> str:
    *others, last = [STATUS[phase] for phase in wanted]
    return f"{', '.join(others)} or {last}" if others else last


def hint(state: AnnouncedTournament, wanted: tuple[type[AnnouncedTournament], ...]) -> str:
    """Only who is too early can do something about it."""
    order = list(STATUS)
    if type(state) not in NEXT or order.index(type(state)) > max(order.index(phase) for phase in wanted):
        return ""
    return f": {NEXT[type(state)]} first"


# What its rules say


def deadline_of(plan: Plan, what: str) -> Deadline | None:
    return next((limit for limit in plan.ruleset.entry.deadlines if limit.of == what), None)


class PlaceAnswer(Value):
    """Who has a place says whether they come."""

    rule_id: str | None


def confirmation_of(plan: Plan) -> PlaceAnswer | None:
    """By a day that the rules set; or that the announcement does, where the rules leave it to that."""
    limit = deadline_of(plan, "confirmation")
    if limit is not None:
        return PlaceAnswer(rule_id=limit.rule_id)
    rule_id = plan.ruleset.entry.rule_ids.get("confirmation")
    return PlaceAnswer(rule_id=rule_id) if rule_id and plan.entries_close is not None else None


def first_stage(ruleset: Ruleset, *, size: int) -> Settings:
    return settings(ruleset, ruleset.stages[0].id, size=size)
