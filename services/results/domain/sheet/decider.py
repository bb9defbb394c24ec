"""One game and its score sheet: who decides about each order, and what the sheet remembers. One stream a sheet."""

from msgspec import convert
from msgspec.structs import replace

from services.results.domain.sheet import facts, lifecycle, orders, preparation, reporting, rulings
from services.results.domain.sheet.disputes import DISPUTED, is_disputed
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
from shared.commands.decider import Decider, classes_of


class Impossible(Exception):
    """An event stands in the log where it cannot have happened: the log was not written by this decider."""


def decide(state: State, command: orders.Command) -> list[facts.Event]:  # noqa: C901, PLR0912 - one line a command
    match command:
        case orders.OpenSheet():
            return lifecycle.open_sheet(state, command)
        case orders.StartGame():
            return lifecycle.start(state, command)
        case orders.ReportResult():
            return reporting.report(state, command)
        case orders.WithdrawReport():
            return reporting.withdraw(state, command)
        case orders.ConfirmResult():
            return reporting.confirm(state, command)
        case orders.DisputeResult():
            return reporting.dispute(state, command)
        case orders.DecideResult():
            return rulings.decide_result(state, command)
        case orders.CorrectResult():
            return rulings.correct_result(state, command)
        case orders.PostponeGame():
            return lifecycle.postpone(state, command)
        case orders.ResumeGame():
            return lifecycle.resume(state, command)
        case orders.VoidGame():
            return rulings.void_game(state, command)
        case orders.CloseSheet():
            return lifecycle.close(state, command)
        case orders.ReseatSheet():
            return lifecycle.reseat(state, command)
        case orders.DrawWinner():
            return rulings.draw_winner(state, command)
        case orders.Complain():
            return rulings.complain(state, command)
        case orders.AnswerComplaint():
            return rulings.answer_complaint(state, command)
        case (
            orders.Choose()
            | orders.GiveLineUp()
            | orders.DrawBoards()
            | orders.DrawSeats()
            | orders.SayWish()
            | orders.ChangeClock()
            | orders.ResetClocks()
        ):
            return [*preparation.prepare(state, command)]


def evolve(state: State, event: facts.Event) -> State:
    if isinstance(event, facts.SheetOpened):
        said = 0 if isinstance(state, UnknownSheet) else state.said
        return Pending(sheet=convert(event, Sheet, from_attributes=True), said=said)
    known = require_known(state, event)
    match event:
        case (
            facts.GameStarted()
            | facts.ResultReported()
            | facts.ReportWithdrawn()
            | facts.ResultDisputed()
            | facts.GamePostponed()
            | facts.GameResumed()
        ):
            return go_on(require_open(known, event), event)
        case facts.ResultAgreed() | facts.ResultDecided() | facts.ResultCorrected():
            return Final(
                sheet=known.sheet,
                result=result_of(event),
                reports=reports_of(known),
                said=known.said,
                complaints=complaints_of(known),
                unplayed=isinstance(event, facts.ResultDecided) and event.unplayed,
                corrected=isinstance(event, facts.ResultCorrected),
                correction=event.reason if isinstance(event, facts.ResultCorrected) else None,
            )
        case facts.ComplaintMade() | facts.ComplaintAnswered():
            return complained(require_final(known, event), event)
        case (
            facts.ChoiceMade()
            | facts.LineUpGiven()
            | facts.BoardsDrawn()
            | facts.SeatsDrawn()
            | facts.WishSaid()
            | facts.ClockChanged()
        ):
            return replace(known, sheet=replace(known.sheet, prepared=remembered(known.sheet.prepared, event)))
        case facts.GameVoided():
            return Voided(sheet=known.sheet, said=known.said)
        case facts.ReplayOrdered():
            return Pending(sheet=known.sheet, said=known.said)
        case facts.SheetClosed():
            return Recalled(sheet=known.sheet, said=known.said)


def go_on(
    state: Open,
    event: facts.GameStarted
    | facts.ResultReported
    | facts.ReportWithdrawn
    | facts.ResultDisputed
    | facts.GamePostponed
    | facts.GameResumed,
) -> State:
    """As long as nothing is final."""
    before = before_reports(state)
    match event:
        case facts.GameStarted():
            return Started(sheet=state.sheet, first=event.first, said=state.said)
        case facts.GamePostponed():
            return Postponed(sheet=state.sheet, until=event.until, before=before, said=state.said)
        case facts.GameResumed():
            return replace(before, sheet=state.sheet, said=state.said)
        case facts.ResultReported():
            standing = (*reporting.others(reports_of(state), event.report.by), event.report)
            objections = reporting.objections_after(state, event.report.by) if event.then == DISPUTED else ()
            return spoken(state, standing, objections, said=event.report.number)
        case facts.ReportWithdrawn():
            objections = reporting.objections_after(state, event.by) if event.then == DISPUTED else ()
            left = reporting.others(reports_of(state), event.by)
            was = put_off(state)
            if not left and was is not None and event.then == status(was):
                return replace(was, sheet=state.sheet, said=state.said)
            return spoken(state, left, objections, said=state.said)
        case facts.ResultDisputed():
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


def result_of(event: facts.Outcome) -> Result:
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


def complained(state: Final, event: facts.ComplaintMade | facts.ComplaintAnswered) -> Final:
    match event:
        case facts.ComplaintMade():
            made = SheetComplaint(number=event.number, voice=event.by.voice, reason=event.reason)
            return replace(state, complaints=(*state.complaints, made))
        case facts.ComplaintAnswered():
            answered = tuple(
                replace(one, upheld=event.upheld) if one.number == event.number else one for one in state.complaints
            )
            return replace(state, complaints=answered)


def remembered(before: Prepared, event: facts.Preparation) -> Prepared:
    match event:
        case facts.ChoiceMade():
            choice = convert(event, ChoiceTaken, from_attributes=True)
            answers = bool(before.choices) and event.entrant != before.choices[0].entrant
            return replace(before, choices=(before.choices[0], choice) if answers else (choice,))
        case facts.LineUpGiven():
            return replace(before, line_ups={**before.line_ups, event.entrant: event.persons}, are_drawn=False)
        case facts.BoardsDrawn():
            return replace(before, line_ups=dict(event.line_ups), are_drawn=True)
        case facts.SeatsDrawn():
            return replace(before, seats=event.order)
        case facts.WishSaid():
            return replace(before, wishes=(*before.wishes, (event.entrant, event.wish)))
        case facts.ClockChanged():
            change = convert(event, ClockChange, from_attributes=True)
            others = (one for one in before.clocks if (one.seat, one.why) != (event.seat, event.why))
            return replace(before, clocks=(*others, change))


def require_known(state: State, event: facts.Event) -> KnownSheet:
    if isinstance(state, UnknownSheet):
        raise Impossible(f"{event} before the sheet was opened")
    return state


def require_final(state: KnownSheet, event: facts.Event) -> Final:
    if not isinstance(state, Final):
        raise Impossible(f"{event} before there was a result")
    return state


def require_open(state: KnownSheet, event: facts.Event) -> Open:
    if isinstance(state, Final | Voided | Recalled):
        raise Impossible(f"{event} after {state}")
    return state


GAME: Decider[State, orders.Command, facts.Event] = Decider(
    kind="game",
    initial=UnknownSheet(),
    decide=decide,
    evolve=evolve,
    events=classes_of(facts.Event),
)
