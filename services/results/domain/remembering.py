"""What a score sheet remembers of a single event."""

from msgspec.structs import replace

from services.results.domain.facts import (
    ComplaintAnswered,
    ComplaintMade,
    ResultAgreed,
    ResultCorrected,
    ResultDecided,
    SheetOpened,
)
from services.results.domain.report import Result
from services.results.domain.states import Complaint, Final, Sheet


def opened(event: SheetOpened) -> Sheet:
    return Sheet(
        game=event.game,
        tournament=event.tournament,
        stage=event.stage,
        round=event.round,
        table=event.table,
        seats=event.seats,
        first=event.first,
        option=event.option,
        group=event.group,
        match=event.match,
        number=event.number,
        starts_at=event.starts_at,
    )


def result_of(event: ResultAgreed | ResultDecided | ResultCorrected) -> Result:
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
    )


def complained(state: Final, event: ComplaintMade | ComplaintAnswered) -> Final:
    match event:
        case ComplaintMade():
            made = Complaint(number=event.number, voice=event.by.voice)
            return replace(state, complaints=(*state.complaints, made))
        case ComplaintAnswered():
            answered = tuple(
                replace(one, upheld=event.upheld) if one.number == event.number else one for one in state.complaints
            )
            return replace(state, complaints=answered)
