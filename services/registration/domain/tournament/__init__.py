"""A tournament: its life and its field in one stream, so that starting it closes the field."""

from services.registration.domain.tournament import closeness, entering, expulsion, facts, life, orders, presence
from services.registration.domain.tournament.orders import Command
from services.registration.domain.tournament.refusals import TournamentUnknown
from services.registration.domain.tournament.states import Event, Known, State, Unknown, evolve
from shared.decider import Decider

__all__ = ["TOURNAMENT", "Command", "Event", "State", "known"]


def decide(state: State, command: Command) -> list[Event]:
    match command:
        case orders.AnnounceTournament():
            return life.announce(state, command)
        case (
            orders.OpenRegistration()
            | orders.OpenCheckIn()
            | orders.PostponeFirstRound()
            | orders.StartTournament()
            | orders.BeginReview()
            | orders.ResumePlay()
            | orders.CompleteTournament()
            | orders.CancelTournament()
        ):
            return life.decide(known(state), command)
        case (
            orders.Enter()
            | orders.CorrectEntry()
            | orders.WithdrawEntry()
            | orders.StrikeOff()
            | orders.CheckIn()
            | orders.UndoCheckIn()
        ):
            return entering.decide(known(state), command)
        case orders.DeclareClosePersons() | orders.RevokeClosePersons():
            return closeness.decide(known(state), command)
        case orders.AdmitLate() | orders.Leave() | orders.Return() | orders.BeAbsent() | orders.BePresent():
            return presence.decide(known(state), command)
        case orders.ExpelByRule() | orders.LiftExpulsion():
            return expulsion.decide(known(state), command)


def known(state: State) -> Known:
    if isinstance(state, Unknown):
        raise TournamentUnknown("There is no such tournament: look for it in the list.")
    return state


TOURNAMENT: Decider[State, Command, Event] = Decider(
    kind="tournament",
    initial=Unknown(),
    decide=decide,
    evolve=evolve,
    events=(
        facts.TournamentAnnounced,
        facts.RegistrationOpened,
        facts.CheckInOpened,
        facts.FirstRoundPostponed,
        facts.TournamentStarted,
        facts.ReviewBegun,
        facts.PlayResumed,
        facts.TournamentCompleted,
        facts.TournamentCancelled,
        facts.EntrantEntered,
        facts.EntryCorrected,
        facts.EntryWithdrawn,
        facts.EntrantStruckOff,
        facts.EntrantCheckedIn,
        facts.CheckInUndone,
        facts.ClosePersonsDeclared,
        facts.ClosePersonsRevoked,
        facts.EntrantAdmitted,
        facts.EntrantChanged,
        facts.MeetingForbidden,
        facts.EntrantLeft,
        facts.EntrantReturned,
        facts.EntrantAbsent,
        facts.EntrantPresent,
    ),
)
