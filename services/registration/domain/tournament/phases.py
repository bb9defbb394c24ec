"""Which order belongs to which part of a tournament's life."""

from collections.abc import Mapping
from typing import Literal

from services.registration.domain.tournament import entry_orders, level_orders, orders
from services.registration.domain.tournament.orders import Command
from services.registration.domain.tournament.plan_orders import ChangePlan
from services.registration.domain.tournament.refusals import NotNow
from services.registration.domain.tournament.states import (
    Cancelled,
    CheckingIn,
    Completed,
    Draft,
    Known,
    Registering,
    Running,
    UnderReview,
)

type TournamentStatus = Literal[
    "draft", "registration", "check-in", "running", "under-review", "completed", "cancelled"
]

STATUS: Mapping[type[Known], TournamentStatus] = {
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

PHASES: Mapping[type[Command], tuple[type[Known], ...]] = {
    ChangePlan: (Draft, *BEFORE),
    orders.DecideShownNames: (Draft, *BEFORE, *DURING, Completed, Cancelled),
    orders.OpenRegistration: (Draft,),
    orders.OpenCheckIn: (Registering,),
    orders.AnnounceAdvance: (Draft, *BEFORE),
    orders.PostponeFirstRound: (Draft, *BEFORE),
    orders.StartTournament: (CheckingIn,),
    orders.BeginReview: (Running,),
    orders.ResumePlay: (UnderReview,),
    orders.CompleteTournament: (UnderReview,),
    orders.CancelTournament: (Draft, *BEFORE, *DURING),
    orders.Enter: BEFORE,
    orders.CorrectEntry: (*BEFORE, *DURING),
    orders.WithdrawEntry: BEFORE,
    orders.StrikeOff: (CheckingIn,),
    orders.CheckIn: (CheckingIn,),
    orders.UndoCheckIn: (CheckingIn,),
    orders.DeclareClosePersons: (*BEFORE, Running),
    orders.RevokeClosePersons: BEFORE,
    orders.AdmitLate: (Running,),
    orders.Leave: DURING,
    orders.Return: DURING,
    orders.BeAbsent: DURING,
    orders.BePresent: DURING,
    orders.ExpelByRule: DURING,
    orders.LiftExpulsion: DURING,
    entry_orders.DetailEntry: (*BEFORE, *DURING),
    entry_orders.JudgeEligibility: BEFORE,
    entry_orders.BringIn: BEFORE,
    entry_orders.ChooseTeam: BEFORE,
    entry_orders.NameCaptain: BEFORE,
    entry_orders.CallReserve: BEFORE,
    entry_orders.ConfirmPlace: BEFORE,
    entry_orders.ReleaseUnconfirmed: BEFORE,
    entry_orders.RecordPayment: (*BEFORE, *DURING),
    entry_orders.RecordRefund: (*BEFORE, *DURING, Completed, Cancelled),
    entry_orders.RequestWaiver: (*BEFORE, *DURING),
    entry_orders.GrantWaiver: (*BEFORE, *DURING),
    entry_orders.RefuseWaiver: (*BEFORE, *DURING),
    entry_orders.ArriveLate: (CheckingIn,),
    entry_orders.ApproveSpectator: (Draft, *BEFORE, Running),
    level_orders.NameNextLevel: (Draft, *BEFORE, *DURING, Completed),
    level_orders.TakeIn: (Draft, *BEFORE),
}

# What leads from a status to the next, for whoever asks too early.
NEXT: Mapping[type[Known], str] = {
    Draft: "open registration",
    Registering: "open check-in",
    CheckingIn: "start it",
    Running: "begin the review",
    UnderReview: "complete it, or resume play",
}


def status(state: Known) -> TournamentStatus:
    return STATUS[type(state)]


def not_now(state: Known, order: type[Command]) -> NotNow | None:
    """Why an order has to wait, or comes too late, as far as the part of its life decides about that."""
    wanted = PHASES.get(order, ())
    if type(state) in wanted:
        return None
    return NotNow(f"The tournament is in {status(state)}, and this belongs to {either(wanted)}{hint(state, wanted)}.")


def require(state: Known, order: Command) -> None:
    if (refusal := not_now(state, type(order))) is not None:
        raise refusal


def either(wanted: tuple[type[Known], ...]) -> str:
    *others, last = [STATUS[phase] for phase in wanted]
    return f"{', '.join(others)} or {last}" if others else last


def hint(state: Known, wanted: tuple[type[Known], ...]) -> str:
    """Only who is too early can do something about it."""
    order = list(STATUS)
    if type(state) not in NEXT or order.index(type(state)) > max(order.index(phase) for phase in wanted):
        return ""
    return f": {NEXT[type(state)]} first"
