"""The timetable of a tournament: as the rules print it, or as the organiser has it instead."""

from collections.abc import Sequence

from shared.rulesets.parts import PlannedStart, TimetableEntry
from shared.rulesets.schema import Ruleset
from shared.rulesets.settings import Settings, stage_of


def planned_start(ruleset: Ruleset, holds: Settings, stage: str, number: int) -> PlannedStart | None:
    """When a round of a stage begins; what the rules print holds where there are as many rounds, or matches."""
    if holds.pairing.timetable:
        own = (one for one in holds.pairing.timetable if (one.stage, one.round) == (stage, number))
        return next(own, None)
    printed = stage_of(ruleset, stage).timetable
    fits = holds.rounds is None or len(printed) == holds.rounds
    return printed[number - 1] if fits and number <= len(printed) else None


def timetable(ruleset: Ruleset, own: Sequence[TimetableEntry] = ()) -> Sequence[TimetableEntry]:
    """All of it in the order of time."""
    rounds = [
        TimetableEntry(day=one.day, time=one.time, stage=stage.id, round=number)
        for stage in ruleset.stages
        for number, one in enumerate(stage.timetable, start=1)
    ]
    return sorted(own or (*ruleset.programme, *rounds), key=lambda one: (one.day, one.time or ""))


def in_words(ruleset: Ruleset, entry: TimetableEntry) -> str:
    """What happens then."""
    if entry.stage is None:
        return entry.what or ""
    stage = next((one for one in ruleset.stages if one.id == entry.stage), None)
    title = entry.stage if stage is None else stage.title
    return (
        title
        if entry.round == 1 and stage is not None and len(stage.timetable) == 1
        else f"{title}, round {entry.round}"
    )
