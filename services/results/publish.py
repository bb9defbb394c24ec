"""What neighbours are told of our events, decided when they are appended: never who reported what, nor reasons.

Word lists, records of games, incidents, objections and protests are a matter of results alone: they are `untold`.
"""

from msgspec import convert

from services.results.domain import penalties, rounds
from services.results.domain.sheet import facts
from shared.contracts import results as public


def of_game(
    event: facts.Event,
) -> (
    public.GameStarted | public.ResultFinal | public.ResultCorrected | public.ResultReopened | public.GameVoided | None
):
    match event:
        case facts.GameStarted():
            return convert(event, public.GameStarted, from_attributes=True)
        case facts.ResultAgreed() | facts.ResultDecided():
            return public.ResultFinal(  # field by field, which is several times faster: no other message is as frequent
                game=event.game,
                tournament=event.tournament,
                stage=event.stage,
                round=event.round,
                seats=event.seats,
                scores=event.scores,
                points=event.points,
                end=event.end,
                by=event.by,
                first=event.first,
                winner=event.winner,
                decided_by=event.decided_by,
                draw_wins=event.draw_wins,
                unplayed=isinstance(event, facts.ResultDecided) and event.unplayed,
            )
        case facts.ResultCorrected():
            return convert(event, public.ResultCorrected, from_attributes=True)
        case facts.GameVoided():
            return convert(event, public.GameVoided, from_attributes=True)
        case facts.ReplayOrdered():
            return convert(event, public.ResultReopened, from_attributes=True)
        case (
            facts.SheetOpened()
            | facts.ResultReported()
            | facts.ReportWithdrawn()
            | facts.ResultDisputed()
            | facts.GamePostponed()
            | facts.GameResumed()
            | facts.ComplaintMade()
            | facts.ComplaintAnswered()
            | facts.SheetClosed()
            | facts.ChoiceMade()
            | facts.LineUpGiven()
            | facts.BoardsDrawn()
            | facts.SeatsDrawn()
            | facts.WishSaid()
            | facts.ClockChanged()
        ):
            return None


type OfRound = (
    public.RoundCompleted | public.RecallAccepted | public.RecallRefused | public.RepairAccepted | public.RepairRefused
)


def of_round(event: rounds.Event) -> OfRound | None:
    match event:
        case rounds.RoundCompleted():
            return convert(event, public.RoundCompleted, from_attributes=True)
        case rounds.RecallAccepted():
            return convert(event, public.RecallAccepted, from_attributes=True)
        case rounds.RecallRefused():
            return convert(event, public.RecallRefused, from_attributes=True)
        case rounds.RepairAccepted():
            return convert(event, public.RepairAccepted, from_attributes=True)
        case rounds.RepairRefused():
            return convert(event, public.RepairRefused, from_attributes=True)
        case rounds.RoundOpened() | rounds.RoundReopened():
            return None  # that a result does not stand any more, ResultReopened has said


def of_penalties(
    event: penalties.Event,
) -> public.PenaltyImposed | public.PenaltyLifted | public.ExpulsionDue | public.ExpulsionLapsed | None:
    match event:
        case (
            penalties.WarningGiven()
            | penalties.PersonExpelled()
            | penalties.PersonReturned()
            | penalties.RemovedFromHall()
            | penalties.LetIntoHall()
        ):
            return None  # it changes nothing that others compute
        case penalties.PenaltyImposed():
            return convert(event, public.PenaltyImposed, from_attributes=True)
        case penalties.PenaltyLifted():
            return convert(event, public.PenaltyLifted, from_attributes=True)
        case penalties.ExpulsionDue():
            return convert(event, public.ExpulsionDue, from_attributes=True)
        case penalties.ExpulsionLapsed():
            return convert(event, public.ExpulsionLapsed, from_attributes=True)
