"""How a tournament goes from one part of its life to the next."""

from services.registration.domain.naming import readable
from services.registration.domain.tournament import entry_facts, facts, level_facts, orders, refusals
from services.registration.domain.tournament.clauses import by
from services.registration.domain.tournament.levels import require_others
from services.registration.domain.tournament.orders import LifeOrder
from services.registration.domain.tournament.phases import require
from services.registration.domain.tournament.plan_orders import Planned
from services.registration.domain.tournament.starting import start
from services.registration.domain.tournament.states import (
    Cancelled,
    CheckingIn,
    Completed,
    Event,
    Known,
    Registering,
    Running,
    UnderReview,
    Unknown,
    stored,
)
from shared.rulesets.settings import announces_advance

ANY_DELAY = 24 * 60  # minutes, where the rules set no limit


def announce(state: Unknown | Known, order: orders.AnnounceTournament) -> list[Event]:
    counting = order.counting
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
    )
    if isinstance(state, Unknown):
        return [announced, *placed(order), *led_on(order)]
    raise refusals.AlreadyAnnounced("A tournament with this id exists: choose another id.")


def placed(order: orders.AnnounceTournament) -> list[Event]:
    """Nothing where nothing is said about it."""
    require_window(order)
    require_calendar(order)
    said = (order.series, order.region, order.host, order.hall, order.override, order.competition, order.variant)
    if all(one is None for one in said):
        return []
    where = entry_facts.TournamentPlaced(
        tournament=order.tournament,
        series=order.series,
        region=order.region,
        host=order.host,
        hall=order.hall,
        room=order.room,
        override=order.override,
        competition=order.competition,
        variant=order.variant,
    )
    return [where]


def led_on(order: orders.AnnounceTournament) -> list[Event]:
    require_others(order.tournament, order.next_level, order.otherwise)
    if order.next_level is None:
        return []
    return [
        level_facts.NextLevelNamed(tournament=order.tournament, next_level=order.next_level, otherwise=order.otherwise)
    ]


def require_calendar(order: orders.AnnounceTournament | Planned) -> None:
    rules = order.ruleset.entry
    for said, known in ((order.competition, rules.competitions), (order.variant, rules.variants)):
        if said is not None and said not in known:
            there_are = f"they know {', '.join(known)}" if known else "they know none"
            raise refusals.UnknownCompetition(
                f"The rules have no {said} in their calendar{by(rules.calendar_rule_id)}: {there_are}."
            )


def require_window(order: orders.AnnounceTournament | Planned) -> None:
    windows = [one for one in order.ruleset.entry.windows if one.competition in (None, order.competition)]
    if order.override or not windows or any(one.first <= order.starts_on <= one.last for one in windows):
        return
    days = " or ".join(f"{one.first} to {one.last}" for one in windows)
    rule_id = next((one.rule_id for one in windows if one.rule_id), None)
    raise refusals.OutsideWindow(
        f"By the rules such a tournament is held on {days}{by(rule_id)}: choose another day, or say why it is held on this one."
    )


def decide(state: Known, order: LifeOrder) -> list[Event]:
    if is_so(state, order):
        return []
    require(state, order)
    tournament = state.plan.tournament
    match order:
        case orders.OpenRegistration():
            return [facts.RegistrationOpened(tournament=tournament)]
        case orders.OpenCheckIn():
            return [facts.CheckInOpened(tournament=tournament)]
        case orders.AnnounceAdvance() | orders.PostponeFirstRound() | orders.DecideShownNames():
            return announce_more(state, order)
        case orders.StartTournament():
            return start(state, order)
        case orders.BeginReview():
            return [facts.ReviewBegun(tournament=tournament)]
        case orders.ResumePlay():
            return [facts.PlayResumed(tournament=tournament)]
        case orders.CompleteTournament():
            return [facts.TournamentCompleted(tournament=tournament)]
        case orders.CancelTournament():
            return [facts.TournamentCancelled(tournament=tournament)]


def is_so(state: Known, order: LifeOrder) -> bool:
    """Whether what is asked has led here already: twice is once."""
    match order:
        case orders.OpenRegistration():
            return isinstance(state, Registering)
        case orders.OpenCheckIn():
            return isinstance(state, CheckingIn)
        case orders.StartTournament() | orders.ResumePlay():
            return isinstance(state, Running)
        case orders.BeginReview():
            return isinstance(state, UnderReview)
        case orders.CompleteTournament():
            return isinstance(state, Completed)
        case orders.CancelTournament():
            return isinstance(state, Cancelled)
        case orders.DecideShownNames():
            return order.shown_names == state.plan.shown_names
        case orders.PostponeFirstRound() | orders.AnnounceAdvance():
            return False


def announce_more(
    state: Known, order: orders.AnnounceAdvance | orders.PostponeFirstRound | orders.DecideShownNames
) -> list[Event]:
    match order:
        case orders.DecideShownNames():
            return [facts.ShownNamesDecided(tournament=state.plan.tournament, shown_names=order.shown_names)]
        case orders.AnnounceAdvance():
            return advance(state, order)
        case orders.PostponeFirstRound():
            return postpone(state, order)


def advance(state: Known, order: orders.AnnounceAdvance) -> list[Event]:
    if not announces_advance(state.plan.ruleset) and state.plan.next_level is None:
        raise refusals.NobodyAdvances(
            "The rules of this tournament say by themselves who goes on, and it has no next level: nothing is announced."
        )
    if order.advance == state.plan.advance:
        return []
    return [facts.AdvanceAnnounced(tournament=state.plan.tournament, advance=order.advance)]


def postpone(state: Known, order: orders.PostponeFirstRound) -> list[Event]:
    check_in = state.plan.ruleset.entry.check_in
    most = check_in.most_postponed if check_in else ANY_DELAY
    if not 0 <= order.minutes <= most:
        raise refusals.TooMuchDelay(
            f"The first round may start up to {most} minutes later than announced, and that was "
            f"{state.plan.first_round}{by(check_in.rule_id if check_in else None)}."
        )
    if order.minutes == state.plan.postponed:
        return []
    return [facts.FirstRoundPostponed(tournament=state.plan.tournament, minutes=order.minutes)]
