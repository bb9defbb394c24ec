"""A tournament: its life and its field in one stream, so that starting it closes the field."""

from services.registration.domain.tournament import (
    closeness,
    entering,
    entry_facts,
    entry_orders,
    expulsion,
    facts,
    level_facts,
    level_orders,
    levels,
    life,
    more,
    orders,
    planning,
    presence,
)
from services.registration.domain.tournament.orders import Command
from services.registration.domain.tournament.plan_facts import HallChanged, PlanChanged
from services.registration.domain.tournament.plan_orders import ChangePlan
from services.registration.domain.tournament.refusals import TournamentUnknown
from services.registration.domain.tournament.states import Event, Known, State, Unknown, evolve
from shared.commands.decider import Decider

__all__ = ["TOURNAMENT", "Command", "Event", "State", "known"]


def decide(state: State, command: Command) -> list[Event]:
    match command:
        case orders.AnnounceTournament():
            return life.announce(state, command)
        case (
            orders.OpenRegistration()
            | orders.OpenCheckIn()
            | orders.AnnounceAdvance()
            | orders.PostponeFirstRound()
            | orders.DecideShownNames()
            | orders.StartTournament()
            | orders.BeginReview()
            | orders.ResumePlay()
            | orders.CompleteTournament()
            | orders.CancelTournament()
        ):
            return life.decide(known(state), command)
        case ChangePlan():
            return planning.change(known(state), command)
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
        case (
            entry_orders.DetailEntry()
            | entry_orders.JudgeEligibility()
            | entry_orders.BringIn()
            | entry_orders.ChooseTeam()
            | entry_orders.NameCaptain()
            | entry_orders.CallReserve()
            | entry_orders.ConfirmPlace()
            | entry_orders.ReleaseUnconfirmed()
            | entry_orders.RecordPayment()
            | entry_orders.RecordRefund()
            | entry_orders.RequestWaiver()
            | entry_orders.GrantWaiver()
            | entry_orders.RefuseWaiver()
            | entry_orders.ArriveLate()
            | entry_orders.ApproveSpectator()
        ):
            return more.decide(known(state), command)
        case (
            level_orders.NameNextLevel()
            | level_orders.NoteOrder()
            | level_orders.ExpectFrom()
            | level_orders.ExpectNoMoreFrom()
            | level_orders.TakeIn()
        ):
            return levels.decide(known(state), command)


def known(state: State) -> Known:
    if isinstance(state, Unknown):
        raise unknown()
    return state


def unknown() -> TournamentUnknown:
    return TournamentUnknown("There is no such tournament: look for it in the list.")


TOURNAMENT: Decider[State, Command, Event] = Decider(
    kind="tournament",
    initial=Unknown(),
    decide=decide,
    evolve=evolve,
    events=(
        facts.TournamentAnnounced,
        facts.ShownNamesDecided,
        PlanChanged,
        HallChanged,
        facts.RegistrationOpened,
        facts.CheckInOpened,
        facts.AdvanceAnnounced,
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
        entry_facts.TournamentPlaced,
        entry_facts.EntryDetailed,
        entry_facts.LineUpChanged,
        entry_facts.EligibilityJudged,
        entry_facts.RegionApproved,
        entry_facts.EntrantWaits,
        entry_facts.ReserveCalled,
        entry_facts.PlaceConfirmed,
        entry_facts.PaymentRecorded,
        entry_facts.RefundDue,
        entry_facts.RefundRecorded,
        entry_facts.WaiverRequested,
        entry_facts.WaiverGranted,
        entry_facts.WaiverRefused,
        entry_facts.MembersPresent,
        entry_facts.EntrantLate,
        entry_facts.SpectatorApproved,
        level_facts.NextLevelNamed,
        level_facts.OrderNoted,
        level_facts.OriginNamed,
        level_facts.OriginDropped,
        level_facts.EntrantQualified,
    ),
)
