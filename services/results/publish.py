"""What neighbours are told of our events, decided when they are appended: never who reported what, nor reasons."""

from services.results.domain import penalties, protests, rounds
from services.results.domain.sheet import facts
from shared.contracts import results as public


def of_game(
    event: facts.Event,
) -> (
    public.GameStarted | public.ResultFinal | public.ResultCorrected | public.ResultReopened | public.GameVoided | None
):
    match event:
        case facts.GameStarted():
            return public.GameStarted(game=event.game, tournament=event.tournament)
        case facts.ResultAgreed() | facts.ResultDecided():
            return public.ResultFinal(
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
            return public.ResultCorrected(
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
            )
        case facts.GameVoided():
            return public.GameVoided(game=event.game, tournament=event.tournament, stage=event.stage, round=event.round)
        case facts.ReplayOrdered():
            return public.ResultReopened(
                game=event.game, tournament=event.tournament, stage=event.stage, round=event.round
            )
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


def of_protests(_: protests.Event) -> None:
    """Who voted for what is for those who look into the list."""


type OfRound = (
    public.RoundCompleted | public.RecallAccepted | public.RecallRefused | public.RepairAccepted | public.RepairRefused
)


def of_round(event: rounds.Event) -> OfRound | None:
    match event:
        case rounds.RoundCompleted():
            return public.RoundCompleted(tournament=event.tournament, stage=event.stage, round=event.round)
        case rounds.RecallAccepted():
            return public.RecallAccepted(
                tournament=event.tournament, stage=event.stage, round=event.round, recall=event.recall
            )
        case rounds.RecallRefused():
            return public.RecallRefused(
                tournament=event.tournament, stage=event.stage, round=event.round, recall=event.recall, game=event.game
            )
        case rounds.RepairAccepted():
            return public.RepairAccepted(
                tournament=event.tournament, stage=event.stage, round=event.round, repair=event.repair
            )
        case rounds.RepairRefused():
            return public.RepairRefused(
                tournament=event.tournament, stage=event.stage, round=event.round, repair=event.repair, game=event.game
            )
        case rounds.RoundOpened() | rounds.RoundReopened():
            return None  # that a result does not stand any more, ResultReopened has said


def of_penalties(
    event: penalties.Event,
) -> public.PenaltyImposed | public.PenaltyLifted | public.ExpulsionDue | public.ExpulsionLapsed | None:
    match event:
        case penalties.WarningGiven() | penalties.PersonExpelled():
            return None  # it changes nothing that others compute
        case penalties.PenaltyImposed():
            return public.PenaltyImposed(
                penalty=event.penalty,
                tournament=event.tournament,
                entrant=event.entrant,
                stage=event.stage,
                round=event.round,
                points=event.points,
            )
        case penalties.PenaltyLifted():
            return public.PenaltyLifted(penalty=event.penalty, tournament=event.tournament)
        case penalties.ExpulsionDue():
            return public.ExpulsionDue(
                tournament=event.tournament,
                entrant=event.entrant,
                stage=event.stage,
                round=event.round,
                clause=event.clause,
            )
        case penalties.ExpulsionLapsed():
            return public.ExpulsionLapsed(tournament=event.tournament, entrant=event.entrant)


def nothing(_: object) -> None:
    """Word lists, records of games, incidents and objections are a matter of results alone."""
