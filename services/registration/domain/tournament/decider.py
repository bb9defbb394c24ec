"""A tournament: its life and its field in one stream, so that starting it closes the field."""

from services.registration.domain.tournament import (
    check_in,
    close_persons,
    entries,
    levels,
    lifecycle,
    line_ups,
    lots,
    payments,
    places_and_reserves,
    plan,
    presence,
    start,
)
from services.registration.domain.tournament.facts import Event
from services.registration.domain.tournament.states import (
    AnnouncedTournament,
    NotNow,
    Phases,
    State,
    Unannounced,
    evolve,
    known,
    out_of_phase,
    unknown,
)
from shared.commands.decider import Decider, classes_of

__all__ = ["PHASES", "TOURNAMENT", "Command", "Event", "State", "known", "not_now", "unknown"]

type FieldCommand = (
    entries.EntryOrder
    | line_ups.LineUpOrder
    | places_and_reserves.PlaceOrder
    | payments.PaymentOrder
    | payments.NoteFeeElsewhere
    | close_persons.ClosePersonsOrder
    | check_in.CheckInOrder
    | presence.PresenceOrder
    | presence.ExpulsionOrder
)
type Command = (
    lifecycle.AnnounceTournament
    | lifecycle.LifeOrder
    | plan.ChangePlan
    | start.StartTournament
    | levels.LevelOrder
    | lots.LotsOrder
    | FieldCommand
)

PHASES: Phases = {
    **lifecycle.PHASES,
    **plan.PHASES,
    **start.PHASES,
    **entries.PHASES,
    **line_ups.PHASES,
    **places_and_reserves.PHASES,
    **payments.PHASES,
    **close_persons.PHASES,
    **check_in.PHASES,
    **presence.PHASES,
    **levels.PHASES,
    **lots.PHASES,
}


def decide(state: State, command: Command) -> list[Event]:
    happens = decided(state, command)
    if not isinstance(state, Unannounced):
        lots.require_field_open(state, happens)
    return happens


def decided(state: State, command: Command) -> list[Event]:
    match command:
        case lifecycle.AnnounceTournament():
            return lifecycle.announce(state, command)
        case (
            lifecycle.OpenRegistration()
            | lifecycle.OpenCheckIn()
            | lifecycle.AnnounceAdvance()
            | lifecycle.PostponeFirstRound()
            | lifecycle.DecideShownNames()
            | lifecycle.BeginReview()
            | lifecycle.ResumePlay()
            | lifecycle.CompleteTournament()
            | lifecycle.CancelTournament()
        ):
            return lifecycle.decide(known(state), command)
        case plan.ChangePlan():
            return plan.change(known(state), command)
        case start.StartTournament():
            return start.start(known(state), command)
        case (
            levels.NameNextLevel()
            | levels.NoteOrder()
            | levels.ExpectFrom()
            | levels.ExpectNoMoreFrom()
            | levels.TakeIn()
        ):
            return levels.decide(known(state), command)
        case lots.MoveLotSource() | lots.OpenLots():
            return lots.decide(known(state), command)
        case _:
            return decide_field(known(state), command)


def decide_field(state: AnnouncedTournament, command: FieldCommand) -> list[Event]:
    match command:
        case line_ups.BringIn() | line_ups.ChooseTeam() | line_ups.NameCaptain():
            return line_ups.decide(state, command)
        case (
            places_and_reserves.CallReserve()
            | places_and_reserves.ConfirmPlace()
            | places_and_reserves.ReleaseUnconfirmed()
        ):
            return places_and_reserves.decide(state, command)
        case (
            payments.RecordPayment()
            | payments.RecordRefund()
            | payments.RequestWaiver()
            | payments.GrantWaiver()
            | payments.RefuseWaiver()
        ):
            return payments.decide(state, command)
        case payments.NoteFeeElsewhere():
            return [*payments.note_fee(state, command)]
        case close_persons.DeclareClosePersons() | close_persons.RevokeClosePersons():
            return close_persons.decide(state, command)
        case check_in.CheckIn() | check_in.UndoCheckIn() | check_in.ArriveLate():
            return check_in.decide(state, command)
        case presence.AdmitLate() | presence.Leave() | presence.Return() | presence.BeAbsent() | presence.BePresent():
            return presence.decide(state, command)
        case presence.ExpelByRule() | presence.LiftExpulsion():
            return presence.decide_expulsion(state, command)
        case _:
            return entries.decide(state, command)


def not_now(state: AnnouncedTournament, order: type[Command]) -> NotNow | None:
    """Why an order has to wait, or comes too late, as far as the part of the tournament's life decides about that."""
    return out_of_phase(state, PHASES[order])


TOURNAMENT: Decider[State, Command, Event] = Decider(
    kind="tournament", initial=Unannounced(), decide=decide, evolve=evolve, events=classes_of(Event)
)
