"""One game and its score sheet: who decides about each order, and what the sheet remembers. One stream a sheet."""

from typing import get_args

from msgspec import convert
from msgspec.structs import replace

from services.results.domain.sheet import lifecycle, preparation, reporting, rulings
from services.results.domain.sheet.disputes import DISPUTED, is_disputed
from services.results.domain.sheet.facts import (
    BoardsDrawn,
    ChoiceMade,
    ClockChanged,
    ComplaintAnswered,
    ComplaintMade,
    Event,
    GamePostponed,
    GameResumed,
    GameStarted,
    GameVoided,
    LineUpGiven,
    Preparation,
    ReplayOrdered,
    ReportWithdrawn,
    ResultAgreed,
    ResultCorrected,
    ResultDecided,
    ResultDisputed,
    ResultReported,
    SeatsDrawn,
    SheetClosed,
    SheetOpened,
    WishSaid,
)
from services.results.domain.sheet.orders import (
    AnswerComplaint,
    ChangeClock,
    Choose,
    CloseSheet,
    Command,
    Complain,
    ConfirmResult,
    CorrectResult,
    DecideResult,
    DisputeResult,
    DrawBoards,
    DrawSeats,
    DrawWinner,
    GiveLineUp,
    OpenSheet,
    PostponeGame,
    ReportResult,
    ReseatSheet,
    ResetClocks,
    ResumeGame,
    SayWish,
    StartGame,
    VoidGame,
    WithdrawReport,
)
from services.results.domain.sheet.states import (
    ChoiceTaken,
    ClockChange,
    Disputed,
    Final,
    GivenReport,
    KnownSheet,
    Open,
    Pending,
    Postponed,
    Prepared,
    Recalled,
    Reported,
    Result,
    Sheet,
    SheetComplaint,
    SheetObjection,
    Started,
    State,
    UnknownSheet,
    Voided,
    before_reports,
    complaints_of,
    objections_of,
    put_off,
    reports_of,
    status,
)
from shared.commands.decider import Decider


class Impossible(Exception):
    """An event stands in the log where it cannot have happened: the log was not written by this decider."""


def decide(state: State, command: Command) -> list[Event]:  # noqa: C901, PLR0912 - one line a command
    match command:
        case OpenSheet():
            return lifecycle.open_sheet(state, command)
        case StartGame():
            return lifecycle.start(state, command)
        case ReportResult():
            return reporting.report(state, command)
        case WithdrawReport():
            return reporting.withdraw(state, command)
        case ConfirmResult():
            return reporting.confirm(state, command)
        case DisputeResult():
            return reporting.dispute(state, command)
        case DecideResult():
            return rulings.decide_result(state, command)
        case CorrectResult():
            return rulings.correct_result(state, command)
        case PostponeGame():
            return lifecycle.postpone(state, command)
        case ResumeGame():
            return lifecycle.resume(state, command)
        case VoidGame():
            return rulings.void_game(state, command)
        case CloseSheet():
            return lifecycle.close(state, command)
        case ReseatSheet():
            return lifecycle.reseat(state, command)
        case DrawWinner():
            return rulings.draw_winner(state, command)
        case Complain():
            return rulings.complain(state, command)
        case AnswerComplaint():
            return rulings.answer_complaint(state, command)
        case Choose() | GiveLineUp() | DrawBoards() | DrawSeats() | SayWish() | ChangeClock() | ResetClocks():
            return [*preparation.prepare(state, command)]


def evolve(state: State, event: Event) -> State:
    if isinstance(event, SheetOpened):
        return Pending(sheet=sheet_of(event), said=0 if isinstance(state, UnknownSheet) else state.said)
    known = require_known(state, event)
    match event:
        case ResultAgreed() | ResultDecided() | ResultCorrected():
            return Final(
                sheet=known.sheet,
                result=result_of(event),
                reports=reports_of(known),
                said=known.said,
                complaints=complaints_of(known),
                unplayed=isinstance(event, ResultDecided) and event.unplayed,
                corrected=isinstance(event, ResultCorrected),
                correction=event.reason if isinstance(event, ResultCorrected) else None,
            )
        case ComplaintMade() | ComplaintAnswered():
            return complained(require_final(known, event), event)
        case ChoiceMade() | LineUpGiven() | BoardsDrawn() | SeatsDrawn() | WishSaid() | ClockChanged():
            return replace(known, sheet=replace(known.sheet, prepared=remembered(known.sheet.prepared, event)))
        case GameVoided():
            return Voided(sheet=known.sheet, said=known.said)
        case ReplayOrdered():
            return Pending(sheet=known.sheet, said=known.said)
        case SheetClosed():
            return Recalled(sheet=known.sheet, said=known.said)
        case GameStarted() | ResultReported() | ReportWithdrawn() | ResultDisputed() | GamePostponed() | GameResumed():
            return go_on(require_open(known, event), event)


def go_on(
    state: Open,
    event: GameStarted | ResultReported | ReportWithdrawn | ResultDisputed | GamePostponed | GameResumed,
) -> State:
    """As long as nothing is final."""
    before = before_reports(state)
    match event:
        case GameStarted():
            return Started(sheet=state.sheet, first=event.first, said=state.said)
        case GamePostponed():
            return Postponed(sheet=state.sheet, until=event.until, before=before, said=state.said)
        case GameResumed():
            return replace(before, sheet=state.sheet, said=state.said)
        case ResultReported():
            standing = (*reporting.others(reports_of(state), event.report.by), event.report)
            objections = reporting.objections_after(state, event.report.by) if event.then == DISPUTED else ()
            return spoken(state, standing, objections, said=event.report.number)
        case ReportWithdrawn():
            objections = reporting.objections_after(state, event.by) if event.then == DISPUTED else ()
            left = reporting.others(reports_of(state), event.by)
            was = put_off(state)
            if not left and was is not None and event.then == status(was):
                return replace(was, sheet=state.sheet, said=state.said)
            return spoken(state, left, objections, said=state.said)
        case ResultDisputed():
            by, reports = event.by, reports_of(state)
            objection = SheetObjection(
                voice=by.voice,
                person=by.person,
                reason=event.reason,
                entrant=by.entrant,
                against=tuple([said.number for said in reports]),
            )
            return spoken(state, reports, (*objections_of(state), objection), said=state.said)


def spoken(
    state: Open, reports: tuple[GivenReport, ...], objections: tuple[SheetObjection, ...], *, said: int
) -> State:
    before = before_reports(state)
    if not reports:
        return replace(before, sheet=state.sheet, said=said)
    was = put_off(state)
    if is_disputed(reports, objections):
        return Disputed(
            sheet=state.sheet, reports=reports, objections=objections, before=before, said=said, put_off=was
        )
    return Reported(sheet=state.sheet, reports=reports, before=before, said=said, put_off=was)


def sheet_of(event: SheetOpened) -> Sheet:
    return convert(event, Sheet, from_attributes=True)


def result_of(event: ResultAgreed | ResultDecided | ResultCorrected) -> Result:
    """Written out field by field, which is several times faster: every report that makes a result final comes here."""
    return Result(
        scores=event.scores,
        points=event.points,
        end=event.end,
        by=event.by,
        first=event.first,
        deciding=event.deciding,
        winner=event.winner,
        decided_by=event.decided_by,
        draw_wins=event.draw_wins,
        unmoved=event.unmoved,
        end_reason=event.end_reason,
    )


def complained(state: Final, event: ComplaintMade | ComplaintAnswered) -> Final:
    match event:
        case ComplaintMade():
            made = SheetComplaint(number=event.number, voice=event.by.voice, reason=event.reason)
            return replace(state, complaints=(*state.complaints, made))
        case ComplaintAnswered():
            answered = tuple(
                replace(one, upheld=event.upheld) if one.number == event.number else one for one in state.complaints
            )
            return replace(state, complaints=answered)


def remembered(before: Prepared, event: Preparation) -> Prepared:
    match event:
        case ChoiceMade():
            choice = convert(event, ChoiceTaken, from_attributes=True)
            answers = bool(before.choices) and event.entrant != before.choices[0].entrant
            return replace(before, choices=(before.choices[0], choice) if answers else (choice,))
        case LineUpGiven():
            return replace(before, line_ups={**before.line_ups, event.entrant: event.persons}, are_drawn=False)
        case BoardsDrawn():
            return replace(before, line_ups=dict(event.line_ups), are_drawn=True)
        case SeatsDrawn():
            return replace(before, seats=event.order)
        case WishSaid():
            return replace(before, wishes=(*before.wishes, (event.entrant, event.wish)))
        case ClockChanged():
            change = convert(event, ClockChange, from_attributes=True)
            others = (one for one in before.clocks if (one.seat, one.why) != (event.seat, event.why))
            return replace(before, clocks=(*others, change))


def require_known(state: State, event: Event) -> KnownSheet:
    if isinstance(state, UnknownSheet):
        raise Impossible(f"{event} before the sheet was opened")
    return state


def require_final(state: KnownSheet, event: Event) -> Final:
    if not isinstance(state, Final):
        raise Impossible(f"{event} before there was a result")
    return state


def require_open(state: KnownSheet, event: Event) -> Open:
    if isinstance(state, Final | Voided | Recalled):
        raise Impossible(f"{event} after {state}")
    return state


GAME: Decider[State, Command, Event] = Decider(
    kind="game",
    initial=UnknownSheet(),
    decide=decide,
    evolve=evolve,
    events=get_args(Event.__value__),
)
