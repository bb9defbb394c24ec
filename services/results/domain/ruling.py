"""What officials decide about a game, each time with a reason: its result, a correction, that it does not count."""

from services.results.domain.facts import Event, GameVoided, ReplayOrdered, ResultCorrected, ResultDecided
from services.results.domain.orders import CorrectResult, DecideResult, VoidGame
from services.results.domain.refusals import NotFinalYet, final, refused
from services.results.domain.reporting import require_fitting, require_present, starter
from services.results.domain.states import (
    Closed,
    Disputed,
    Final,
    Pending,
    Postponed,
    Reported,
    Sheet,
    Started,
    State,
    Unknown,
    Voided,
)


def settle(state: State, command: DecideResult) -> list[Event]:
    match state:
        case Unknown() | Voided() | Closed():
            raise refused(state)
        case Final():
            require_fitting(state.sheet, command.result)
            if state.result.agrees_with(command.result):
                return []
            raise final(state)
        case Pending() | Started() | Postponed() | Reported() | Disputed():
            require_fitting(state.sheet, command.result)
            require_present(state.sheet, command.result, command.gone)
            result, sheet = command.result, state.sheet
            return [
                ResultDecided(
                    game=sheet.game,
                    tournament=sheet.tournament,
                    stage=sheet.stage,
                    round=sheet.round,
                    seats=sheet.seats,
                    scores=result.scores,
                    points=result.points,
                    end=result.end,
                    by=result.by,
                    first=starter(state, result),
                    reason=command.reason,
                )
            ]


def correct(state: State, command: CorrectResult) -> list[Event]:
    match state:
        case Unknown() | Voided() | Closed():
            raise refused(state)
        case Pending() | Started() | Postponed() | Reported() | Disputed():
            raise NotFinalYet("This game has no final result yet: decide it instead of correcting it.")
        case Final():
            require_fitting(state.sheet, command.result)
            require_present(state.sheet, command.result, command.gone)
            result, sheet = command.result, state.sheet
            first = result.first or state.result.first
            corrected = ResultCorrected(
                game=sheet.game,
                tournament=sheet.tournament,
                stage=sheet.stage,
                round=sheet.round,
                seats=sheet.seats,
                scores=result.scores,
                points=result.points,
                end=result.end,
                by=result.by,
                first=first,
                reason=command.reason,
            )
            return [] if state.result.agrees_with(result) and first == state.result.first else [corrected]


def void(state: State, command: VoidGame) -> list[Event]:
    match state:
        case Unknown() | Closed():
            raise refused(state)
        case Pending():
            return [] if command.replay else [voided(state.sheet, command)]
        case Started() | Postponed() | Reported() | Disputed():
            return [replayed(state.sheet, command, stood=False) if command.replay else voided(state.sheet, command)]
        case Final():
            return [replayed(state.sheet, command, stood=True) if command.replay else voided(state.sheet, command)]
        case Voided():
            return [replayed(state.sheet, command, stood=True)] if command.replay else []


def voided(sheet: Sheet, command: VoidGame) -> GameVoided:
    return GameVoided(
        game=sheet.game, tournament=sheet.tournament, stage=sheet.stage, round=sheet.round, reason=command.reason
    )


def replayed(sheet: Sheet, command: VoidGame, *, stood: bool) -> ReplayOrdered:
    return ReplayOrdered(
        game=sheet.game,
        tournament=sheet.tournament,
        stage=sheet.stage,
        round=sheet.round,
        reason=command.reason,
        stood=stood,
    )
