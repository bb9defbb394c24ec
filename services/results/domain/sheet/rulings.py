"""What officials decide about a game, each time with a reason: its result, a correction, that it does not count."""

from msgspec.structs import replace

from services.results.domain.sheet import facts, orders
from services.results.domain.sheet.disputes import agree
from services.results.domain.sheet.lifecycle import reopened
from services.results.domain.sheet.outcomes import (
    awaits_lot,
    completed,
    concluded,
    require_at_table,
    require_decisive,
    require_director,
    require_fitting,
    require_needed,
    require_present,
    with_winner,
)
from services.results.domain.sheet.refusals import (
    ComplaintUnknown,
    NotFinalYet,
    NothingToDraw,
    StillDrawn,
    TooLate,
    final,
    refused,
)
from services.results.domain.sheet.states import (
    DRAWN,
    LOT,
    Disputed,
    Final,
    GameTerms,
    Open,
    Pending,
    Postponed,
    Recalled,
    Reported,
    Result,
    Sheet,
    Started,
    State,
    UnknownSheet,
    Voided,
    ends_of,
    merged,
    open_complaints,
)


def decide_result(state: State, command: orders.DecideResult) -> list[facts.Event]:
    match state:
        case UnknownSheet() | Voided() | Recalled():
            raise refused(state)
        case Final():
            require_fitting(state.sheet, command.result)
            if agree(state.result, command.result):
                return []
            if not (state.unplayed and command.unplayed):
                raise final(state)
            return [reopened(state.sheet), decided(Pending(sheet=state.sheet, said=state.said), command)]
        case Pending() | Started() | Postponed() | Reported() | Disputed():
            require_needed(command.terms)
            require_entitled_to(state, command)
            require_ruling(state.sheet, command)
            if awaits_lot(command.result, command.terms):
                raise StillDrawn("All of it was drawn: enter it as a report, and let the lot be drawn.")
            return [decided(state, command)]


def decided(state: Open, command: orders.DecideResult) -> facts.ResultDecided:
    return concluded(
        facts.ResultDecided,
        state.sheet,
        completed(state, command.result),
        reason=command.reason,
        said=command.said,
        unplayed=command.unplayed,
    )


def correct_result(state: State, command: orders.CorrectResult) -> list[facts.Event]:
    match state:
        case UnknownSheet() | Voided() | Recalled():
            raise refused(state)
        case Pending() | Started() | Postponed() | Reported() | Disputed():
            raise NotFinalYet("This game has no final result yet: decide it instead of correcting it.")
        case Final():
            require_entitled_to(state, command)
            require_ruling(state.sheet, command)
            require_changeable(state, command)
            result = following(state, command.result, command.terms)
            if result == state.result:
                return []
            return [concluded(facts.ResultCorrected, state.sheet, result, reason=command.reason, said=command.said)]


def following(state: Final, right: Result, terms: GameTerms) -> Result:
    """Where a correction says nothing of who began or moved, that stays; and so does a lot, where it still decides."""
    stood = state.result
    known = replace(
        right,
        first=right.first or stood.first,
        draw_wins=state.sheet.prepared.draw_wins or right.draw_wins or stood.draw_wins,
        unmoved=right.unmoved if right.unmoved is not None else stood.unmoved,
        end_reason=right.end_reason or (stood.end_reason if has_same_outcome(stood, right) else None),
    )
    if not awaits_lot(right, terms):
        return with_winner(state.sheet, known)
    if stood.decided_by != LOT:
        raise StillDrawn("All of it was drawn: order a replay of the sheet, and let the lot be drawn.")
    return replace(known, winner=stood.winner, decided_by=LOT)


def has_same_outcome(stood: Result, right: Result) -> bool:
    return (stood.end, stood.by, stood.points) == (right.end, right.by, right.points)


def require_ruling(sheet: Sheet, command: orders.DecideResult | orders.CorrectResult) -> None:
    require_fitting(sheet, command.result)
    require_director(command.terms, command.result.end, directs=command.directs)
    require_present(sheet, command.result, command.gone)
    require_decisive(sheet, command.result, command.terms)


def require_entitled_to(
    state: Open | Final, command: orders.DecideResult | orders.CorrectResult | orders.VoidGame
) -> None:
    """What only the director decides is his also where it is reported and waits, or has to be taken back."""
    for end in ends_of(state):
        require_director(command.terms, end, directs=command.directs)


def require_changeable(state: Final, command: orders.CorrectResult | orders.VoidGame) -> None:
    """A complaint that came in time keeps it open, until it is answered with no. Nobody checks what nobody has played."""
    is_open = state.unplayed or any(one.upheld is not False for one in state.complaints)
    if command.settled and not is_open:
        raise TooLate("Nobody complained about this result in time: it stands, and is not changed any more.")


def draw_winner(state: State, command: orders.DrawWinner) -> list[facts.Event]:
    match state:
        case UnknownSheet() | Voided() | Recalled():
            raise refused(state)
        case Final(result=Result(decided_by="lot")):
            return []
        case Final():
            raise final(state)
        case Reported() if drawn_throughout(merged(state.reports)):
            whole = replace(completed(state, merged(state.reports)), winner=command.order[0], decided_by=LOT)
            said = state.reports[0].details.said
            return [concluded(facts.ResultDecided, state.sheet, whole, reason=command.reason, said=said)]
        case Pending() | Started() | Postponed() | Reported() | Disputed():
            raise NothingToDraw("A lot decides only after a drawn match whose deciding duels were all drawn too.")


def drawn_throughout(result: Result) -> bool:
    """Whether nothing but a lot is left. How many duels there are was seen when it was reported."""
    return bool(result.deciding) and result.deciding[-1] == DRAWN


def complain(state: State, command: orders.Complain) -> list[facts.Event]:
    match state:
        case UnknownSheet() | Voided() | Recalled():
            raise refused(state)
        case Pending() | Started() | Postponed() | Reported() | Disputed():
            raise NotFinalYet("This game has no final result yet: object to the report instead.")
        case Final():
            require_at_table(state.sheet, command.by)
            if any(known.reason == command.reason for known in open_complaints(state, command.by.voice)):
                return []
            if not command.in_time:
                raise TooLate(
                    "The time for complaints about this result is over: it stands, unless an official may act."
                )
            number = len(state.complaints) + 1
            return [facts.ComplaintMade(game=state.sheet.game, number=number, by=command.by, reason=command.reason)]


def answer_complaint(state: State, command: orders.AnswerComplaint) -> list[facts.Event]:
    if not isinstance(state, Final) or command.number > len(state.complaints):
        raise ComplaintUnknown("There is no such complaint about a result that stands.")
    if state.complaints[command.number - 1].upheld == command.upheld:
        return []
    return [
        facts.ComplaintAnswered(
            game=state.sheet.game, number=command.number, upheld=command.upheld, reason=command.reason
        )
    ]


def void_game(state: State, command: orders.VoidGame) -> list[facts.Event]:
    match state:
        case UnknownSheet() | Recalled():
            raise refused(state)
        case Pending():
            return [] if command.replay else [voided(state.sheet, command)]
        case Started() | Postponed() | Reported() | Disputed():
            require_entitled_to(state, command)
            return [
                reopened(state.sheet, command.reason, stood=False) if command.replay else voided(state.sheet, command)
            ]
        case Final():
            require_entitled_to(state, command)
            require_changeable(state, command)
            return [reopened(state.sheet, command.reason) if command.replay else voided(state.sheet, command)]
        case Voided():
            return [reopened(state.sheet, command.reason)] if command.replay else []


def voided(sheet: Sheet, command: orders.VoidGame) -> facts.GameVoided:
    return facts.GameVoided(
        game=sheet.game, tournament=sheet.tournament, stage=sheet.stage, round=sheet.round, reason=command.reason
    )
