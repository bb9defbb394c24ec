"""What happened to a score sheet, step by step, for those who may look into it."""

import msgspec

from services.results.api import seen, shown
from services.results.api.desk import Desk
from services.results.domain.sheet import facts
from services.results.domain.sheet.decider import GAME, result_of
from shared.log.envelope import Envelope
from shared.log.store import Recorded

ENVELOPES = msgspec.json.Decoder(Envelope)


async def story(desk: Desk, game: str, tournament: str) -> seen.Story:
    recorded = await desk.games.recorded(game)
    events = [GAME.read(one) for one in recorded]
    named = [name for name in map(note, events) if name is not None]
    words = await desk.notes.read(tournament, named)
    return seen.Story(
        steps=[step(one, event, words.get(note(event) or "")) for one, event in zip(recorded, events, strict=True)]
    )


def step(recorded: Recorded, event: facts.Event, reason: str | None) -> seen.Step:
    envelope = ENVELOPES.decode(recorded.event.record)
    decided = isinstance(event, facts.ResultAgreed | facts.ResultDecided | facts.ResultCorrected)
    return seen.Step(
        at=envelope.at,
        what=envelope.type,
        who=envelope.actor,
        version=envelope.version,
        report=seen.Report.model_validate(msgspec.to_builtins(shown.report(event.report)))
        if isinstance(event, facts.ResultReported)
        else None,
        result=seen.Result.model_validate(shown.result(result_of(event))) if decided else None,
        reason=reason,
    )


def note(event: facts.Event) -> str | None:
    match event:
        case (
            facts.ResultDisputed()
            | facts.ResultDecided()
            | facts.ResultCorrected()
            | facts.GamePostponed()
            | facts.GameVoided()
            | facts.ReplayOrdered()
            | facts.ComplaintMade()
            | facts.ComplaintAnswered()
            | facts.ClockChanged()
        ):
            return event.reason
        case (
            facts.SheetOpened()
            | facts.GameStarted()
            | facts.ResultReported()
            | facts.ReportWithdrawn()
            | facts.ResultAgreed()
            | facts.GameResumed()
            | facts.SheetClosed()
            | facts.ChoiceMade()
            | facts.LineUpGiven()
            | facts.BoardsDrawn()
            | facts.SeatsDrawn()
            | facts.WishSaid()
        ):
            return None
