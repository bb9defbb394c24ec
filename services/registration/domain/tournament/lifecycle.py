"""How a tournament is announced, and goes from one part of its life to the next."""

from collections.abc import Mapping
from functools import reduce

import msgspec
from msgspec.structs import replace

from services.registration.domain.names import readable
from services.registration.domain.seasons import Counting
from services.registration.domain.tournament import facts
from services.registration.domain.tournament.levels import require_others
from services.registration.domain.tournament.payments import refunds_of_all
from services.registration.domain.tournament.plan import require_calendar, require_series, require_window
from services.registration.domain.tournament.reasons import NotedReason, cite
from services.registration.domain.tournament.states import (
    BEFORE,
    DURING,
    AnnouncedTournament,
    Cancelled,
    CheckingIn,
    Completed,
    Draft,
    Phases,
    Registering,
    Running,
    Unannounced,
    UnderReview,
    evolve,
    known,
    require_phase,
    stored,
)
from shared.commands.decider import Order
from shared.refusals import Conflict, Invalid, NeedsReason
from shared.rulesets.entry import ShownNames
from shared.rulesets.schema import Ruleset
from shared.rulesets.settings import announces_advance, stage_of

# Orders


class AnnounceTournament(Order):
    tournament: str
    federation: str
    name: str
    ruleset: Ruleset  # whole, with what this tournament changes in it
    time_zone: str
    starts_on: str  # a date there
    first_round: str  # a time of that day there
    entries_close: str | None  # a moment in UTC, such as 2026-11-19T23:00:00Z
    series: str | None = None
    region: str | None = None
    host: str | None = None  # a school
    override: str | None = None  # why on a day on which the rules hold none
    competition: str | None = None  # what it is in the calendar
    variant: str | None = None
    hall: str | None = None
    room: int | None = None  # entrants for whom the hall has room
    next_level: str | None = None  # the tournament that its best go on to
    otherwise: str | None = None  # and the one of those who get no place there
    counting: Counting | None = None  # in a season
    shown_names: ShownNames | None = None  # what spectators see of persons, where that is not as the ruleset says
    place: str | None = None  # where it is held, in words
    lot_source: str | None = None  # what lots are mixed with, whose value nobody knows yet
    over: tuple[str, ...] = ()  # what of it lies in the past already, in words
    reason: NotedReason | None = None  # why all the same
    opens: bool = False  # registration is opened with it


class DecideShownNames(Order):
    """Spectators see so much of the names of persons."""

    shown_names: ShownNames


class OpenRegistration(Order):
    """For the first time, or again after check-in was opened too early: whoever is checked in stays so."""


class OpenCheckIn(Order):
    pass


class AnnounceAdvance(Order):
    """So many go on, where the rules leave that to the announcement."""

    advance: int


class PostponeFirstRound(Order):
    minutes: int  # from the time that was announced


class BeginReview(Order):
    pass


class ResumePlay(Order):
    pass


class CompleteTournament(Order):
    unplayed: Mapping[tuple[str, int], int] = msgspec.field(
        default_factory=dict[tuple[str, int], int]
    )  # published rounds, by stage, in which so many games have no result


class CancelTournament(Order):
    pass


type LifeOrder = (
    OpenRegistration
    | OpenCheckIn
    | AnnounceAdvance
    | PostponeFirstRound
    | DecideShownNames
    | BeginReview
    | ResumePlay
    | CompleteTournament
    | CancelTournament
)

PHASES: Phases = {
    DecideShownNames: (Draft, *BEFORE, *DURING, Completed, Cancelled),
    OpenRegistration: (Draft, CheckingIn),
    OpenCheckIn: (Registering,),
    AnnounceAdvance: (Draft, *BEFORE),
    PostponeFirstRound: (Draft, *BEFORE),
    BeginReview: (Running,),
    ResumePlay: (UnderReview,),
    CompleteTournament: (UnderReview,),
    CancelTournament: (Draft, *BEFORE, *DURING),
}

# The part of its life that an order leads to: asked for once more, nothing happens.
LEADS_TO: Mapping[type[Order], type[AnnouncedTournament]] = {
    OpenRegistration: Registering,
    OpenCheckIn: CheckingIn,
    ResumePlay: Running,
    BeginReview: UnderReview,
    CompleteTournament: Completed,
    CancelTournament: Cancelled,
}

# Refusals


class AlreadyAnnounced(Conflict):
    """The id is taken by another tournament."""


class NobodyAdvances(Invalid):
    """The rules leave nothing open about who goes on."""


class StillPlayed(Conflict):
    """Games of a published round have no result yet: once a tournament is completed no round can be played any more."""


class TooMuchDelay(Invalid):
    """The rules limit by how much the first round may be put back."""


ANY_DELAY = 24 * 60  # minutes, where the rules set no limit


def announce(state: Unannounced | AnnouncedTournament, order: AnnounceTournament) -> list[facts.Event]:
    counting, reason = order.counting, order.reason
    announced = facts.TournamentAnnounced(
        tournament=order.tournament,
        federation=order.federation,
        name=readable(order.name),
        ruleset_id=order.ruleset.id,
        ruleset=stored(order.ruleset),
        time_zone=order.time_zone,
        starts_on=order.starts_on,
        first_round=order.first_round,
        entries_close=order.entries_close,
        season=counting.season if counting else None,
        season_kind=counting.kind if counting else None,
        rating_list=counting.rating_list if counting else None,
        organisers=counting.organisers if counting else (),
        shown_names=order.shown_names or order.ruleset.entry.shown_names,
        reason=reason.code if reason else None,
        note=reason.note if reason else None,
        clause=reason.clause if reason else None,
        lot_source=order.lot_source,
    )
    if not isinstance(state, Unannounced):
        raise AlreadyAnnounced("A tournament with this id exists: choose another id.")
    happens = [announced, *placement(order), *next_levels(order)]
    if order.over and reason is None:
        raise NeedsReason(f"{' '.join(order.over)} Mend the date, or send a reason why it is to be so all the same.")
    draft = reduce(evolve, happens, state)
    return [*happens, *(decide(known(draft), OpenRegistration()) if order.opens else [])]


def placement(order: AnnounceTournament) -> list[facts.Event]:
    """There is nothing to note where nothing is said about it."""
    require_window(order.ruleset, order.starts_on, order.competition, override=order.override)
    require_calendar(order.ruleset, order.competition, order.variant)
    place = None if order.place is None else readable(order.place)
    said = (order.series, order.region, order.host, order.hall, order.override, order.competition, order.variant, place)
    if all(one is None for one in said):
        return []
    return [replace(msgspec.convert(order, facts.TournamentPlaced, from_attributes=True), place=place)]


def next_levels(order: AnnounceTournament) -> list[facts.Event]:
    require_others(order.tournament, order.next_level, order.otherwise)
    if order.next_level is None:
        return []
    return [facts.NextLevelNamed(tournament=order.tournament, next_level=order.next_level, otherwise=order.otherwise)]


def decide(state: AnnouncedTournament, order: LifeOrder) -> list[facts.Event]:
    if LEADS_TO.get(type(order)) is type(state):
        return []
    require_phase(state, order, PHASES)
    tournament = state.plan.tournament
    match order:
        case OpenRegistration():
            require_series(state.plan.ruleset, state.plan.series)
            return [facts.RegistrationOpened(tournament=tournament)]
        case OpenCheckIn():
            return [facts.CheckInOpened(tournament=tournament)]
        case AnnounceAdvance() | PostponeFirstRound() | DecideShownNames():
            return announce_more(state, order)
        case BeginReview():
            return [facts.ReviewBegun(tournament=tournament)]
        case ResumePlay():
            return [facts.PlayResumed(tournament=tournament)]
        case CompleteTournament():
            require_played(state.plan.ruleset, order)
            return [facts.TournamentCompleted(tournament=tournament)]
        case CancelTournament():
            return [facts.TournamentCancelled(tournament=tournament), *refunds_of_all(state)]


def require_played(ruleset: Ruleset, order: CompleteTournament) -> None:
    missing = [
        f"{games} of round {number} of {stage_of(ruleset, stage).title}"
        for (stage, number), games in order.unplayed.items()
    ]
    if missing:
        raise StillPlayed(
            f"Games have no result yet, {' and '.join(missing)}: enter or decide them, or take the round back, before the "
            "tournament is completed."
        )


def announce_more(
    state: AnnouncedTournament, order: AnnounceAdvance | PostponeFirstRound | DecideShownNames
) -> list[facts.Event]:
    match order:
        case DecideShownNames():
            if order.shown_names == state.plan.shown_names:
                return []
            return [facts.ShownNamesDecided(tournament=state.plan.tournament, shown_names=order.shown_names)]
        case AnnounceAdvance():
            return advance(state, order)
        case PostponeFirstRound():
            return postpone(state, order)


def advance(state: AnnouncedTournament, order: AnnounceAdvance) -> list[facts.Event]:
    if not announces_advance(state.plan.ruleset) and state.plan.next_level is None:
        raise NobodyAdvances(
            "The rules of this tournament say by themselves who goes on, and it has no next level: nothing is announced."
        )
    if order.advance == state.plan.advance:
        return []
    return [facts.AdvanceAnnounced(tournament=state.plan.tournament, advance=order.advance)]


def postpone(state: AnnouncedTournament, order: PostponeFirstRound) -> list[facts.Event]:
    check_in = state.plan.ruleset.entry.check_in
    most = check_in.most_postponed if check_in else ANY_DELAY
    if not 0 <= order.minutes <= most:
        raise TooMuchDelay(
            f"The first round may start up to {most} minutes later than announced, and that was "
            f"{state.plan.first_round}{cite(check_in.rule_id if check_in else None)}."
        )
    if order.minutes == state.plan.postponed:
        return []
    return [facts.FirstRoundPostponed(tournament=state.plan.tournament, minutes=order.minutes)]
