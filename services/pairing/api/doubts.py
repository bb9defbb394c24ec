"""What speaks against an act: not forbidden, but to be done knowingly and with a reason."""

from collections import Counter
from collections.abc import Mapping
from datetime import datetime, timedelta

from msgspec.structs import replace

from services.pairing.api.situation import Situation
from services.pairing.domain.sheet import Doubt
from shared.contracts.results import GameVoided, ResultCorrected, ResultFinal
from shared.messaging import history
from shared.tournament.facts import Facts
from shared.tournament.stages import settings_of

# What may change a pairing, for people.
NEWS: Mapping[str, str] = {
    "EntrantAdmitted": "somebody was admitted",
    "EntrantChanged": "an entrant was corrected",
    "EntrantLeft": "somebody left",
    "EntrantReturned": "somebody returned",
    "EntrantAbsent": "somebody will be absent",
    "EntrantPresent": "somebody will be there after all",
    "MeetingForbidden": "a meeting was forbidden",
    "GroupsDrawn": "the groups were drawn",
    "RoundPublished": "a round was published",
    "RoundRecalled": "a round was recalled",
    "TablesRepaired": "tables of a round were changed",
    "ResultFinal": "a result came in",
    "ResultCorrected": "a result was corrected",
    "ResultReopened": "a result was reopened",
    "GameVoided": "a game was voided",
    "PenaltyImposed": "a penalty was imposed",
    "PenaltyLifted": "a penalty was lifted",
    "TieSettled": "a tie was settled",
    "StageClosed": "a stage was closed",
}


def newer_facts(situation: Situation, inputs: str) -> list[Doubt]:
    """What has come since, if the facts are others now."""
    before = history.parse(inputs)
    if without_completions(situation.history.until(before).facts()) == without_completions(situation.facts):
        return []
    found = Counter(NEWS[event.type] for event in situation.history.behind(before) if event.type in NEWS)
    said = ", ".join(f"{news} ({times} times)" if times > 1 else news for news, times in found.items())
    return [Doubt(kind="newer-facts", detail=f"It rests on {inputs}, and since then {said or 'facts have changed'}.")]


def without_completions(facts: Facts | None) -> Facts | None:
    """That a round is complete follows from its results. It is told a moment after them, and changes no pairing."""
    return facts and replace(facts, completed=frozenset())


def too_early(situation: Situation, stage: str, number: int, start: datetime) -> list[Doubt]:
    """Whether the players have their rest between two rounds."""
    minutes = settings_of(situation.facts, stage).pairing.minutes_between_rounds
    ended = last_result(situation, stage, number - 1)
    if ended is None or start >= ended + timedelta(minutes=minutes):
        return []
    earliest = (ended + timedelta(minutes=minutes)).isoformat(timespec="seconds")
    return [
        Doubt(
            kind="too-early",
            detail=f"The last result of round {number - 1} came less than {minutes} minutes before this start: "
            f"begin at {earliest} or later.",
        )
    ]


def last_result(situation: Situation, stage: str, number: int) -> datetime | None:
    """When the last game of a round got its result; a correction afterwards prolongs no game."""
    ended: dict[str, datetime] = {}
    for event in situation.history.events:
        match event.contract:
            case ResultFinal() | ResultCorrected() | GameVoided() as told if (told.stage, told.round) == (
                stage,
                number,
            ):
                ended.setdefault(told.game, event.at)
            case _:
                pass
    return max(ended.values(), default=None)
