"""Where one thing becomes another by its fields' names, none of them is left behind by mistake."""

import msgspec
import pytest

from services.results.domain import editions, penalties, protests, records, rounds
from services.results.domain.sheet import facts, orders, states
from shared.contracts import results as public

COPIED: list[tuple[type[msgspec.Struct], type[msgspec.Struct], set[str]]] = [
    (orders.OpenSheet, facts.SheetOpened, set()),
    (facts.SheetOpened, states.Sheet, {"prepared"}),
    (facts.ChoiceMade, states.ChoiceTaken, set()),
    (facts.ClockChanged, states.ClockChange, set()),
    (rounds.OpenRound, rounds.RoundOpened, set()),
    (rounds.AnswerRecall, rounds.RecallAccepted, set()),
    (rounds.AnswerRepair, rounds.RepairAccepted, set()),
    (penalties.Warn, penalties.WarningGiven, set()),
    (penalties.RemoveFromHall, penalties.RemovedFromHall, set()),
    (penalties.LetBackIn, penalties.LetIntoHall, set()),
    (penalties.ExpelPerson, penalties.PersonExpelled, set()),
    (penalties.ReturnPerson, penalties.PersonReturned, set()),
    (penalties.ImposePenalty, penalties.PenaltyImposed, set()),
    (penalties.ImposePenalty, penalties.Imposed, set()),
    (penalties.LiftPenalty, penalties.PenaltyLifted, set()),
    (penalties.CountDefaults, penalties.ExpulsionDue, {"reason"}),
    (penalties.CountDefaults, penalties.ExpulsionLapsed, set()),
    (penalties.Disqualify, penalties.ExpulsionDue, {"games"}),
    (protests.FileProtest, protests.ProtestFiled, set()),
    (protests.DecideProtest, protests.ProtestDecided, {"upheld"}),
    (protests.RecordVote, protests.PublicVoteHeld, {"carried"}),
    (records.AttachRecord, records.RecordAttached, set()),
    (editions.TakeEdition, editions.EditionTaken, set()),
    (facts.GameStarted, public.GameStarted, set()),
    (facts.ResultCorrected, public.ResultCorrected, set()),
    (facts.GameVoided, public.GameVoided, set()),
    (facts.ReplayOrdered, public.ResultReopened, set()),
    (rounds.RoundCompleted, public.RoundCompleted, set()),
    (rounds.RecallAccepted, public.RecallAccepted, set()),
    (rounds.RecallRefused, public.RecallRefused, set()),
    (rounds.RepairAccepted, public.RepairAccepted, set()),
    (rounds.RepairRefused, public.RepairRefused, set()),
    (penalties.PenaltyImposed, public.PenaltyImposed, set()),
    (penalties.PenaltyLifted, public.PenaltyLifted, set()),
    (penalties.ExpulsionDue, public.ExpulsionDue, {"by_official"}),
    (penalties.ExpulsionLapsed, public.ExpulsionLapsed, set()),
]


@pytest.mark.parametrize(("source", "target", "left"), COPIED)
def test_every_field_of_the_copy_has_its_source(
    source: type[msgspec.Struct], target: type[msgspec.Struct], left: set[str]
) -> None:
    assert set(target.__struct_fields__) - set(source.__struct_fields__) == left
