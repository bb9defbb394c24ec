"""Reads a tournament file: first its form, then its ruleset, then what stands in it."""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from pydantic import ValidationError
from pydantic_core import from_json

from shared.decider import NotFound
from shared.faults import Fault, Faulty, at, of_shape
from shared.rulesets import catalogue
from shared.rulesets import faults as ruleset_faults
from shared.rulesets.schema import Ruleset
from shared.rulesets.settings import settings
from shared.rulesets.stages import Best, Stage
from shared.tournament.facts import Facts
from shared.tournament.file.round_faults import Rounds, Span, seats_of
from shared.tournament.file.shape import RequestedByeForm, StageForm, TournamentFile
from shared.tournament.file.writing_down import facts_of

SENTENCE = "The tournament cannot be read: mend what errors name."


@dataclass(frozen=True, kw_only=True, slots=True)
class Reading:
    """What a file says. With faults there are no facts."""

    facts: Facts | None = None
    stage: str = ""  # the last one in the file
    seed: int = 0
    faults: tuple[Fault, ...] = ()

    def accepted(self) -> Facts:
        """The facts, or the refusal that names every fault."""
        if self.facts is None:
            raise Faulty(SENTENCE, self.faults)
        return self.facts


def read(content: object) -> Reading:
    """From the bytes of a file, or from the object in it."""
    if isinstance(content, bytes):
        try:
            content = from_json(content, allow_inf_nan=False)
        except ValueError as error:
            return Reading(faults=(Fault("", f"is no JSON: {error}"),))
    try:
        form = TournamentFile.model_validate(content)
    except ValidationError as error:
        return Reading(faults=of_shape(error, content))
    try:
        ruleset = ruleset_of(form)
    except Faulty as error:
        return Reading(faults=error.faults)
    stages, faults = stages_of(form, ruleset)
    faults += tuple(entrant_faults(form, ruleset))
    if not faults:
        faults = tuple(content_faults(form, ruleset, stages))
    if faults:
        return Reading(faults=faults)
    return Reading(facts=facts_of(form, ruleset, stages), stage=stages[-1].id, seed=form.seed)


def ruleset_of(form: TournamentFile) -> Ruleset:
    """From the catalogue or the file itself, with the options."""
    if isinstance(form.ruleset, str):
        try:
            ruleset = catalogue.load(form.ruleset)
        except NotFound as error:
            raise Faulty(SENTENCE, [Fault("/ruleset", str(error))]) from None
    else:
        try:
            ruleset = ruleset_faults.read(form.ruleset)
        except Faulty as error:
            raise Faulty(SENTENCE, [fault.below("/ruleset") for fault in error.faults]) from None
    try:
        return ruleset_faults.with_options(ruleset, form.options)
    except Faulty as error:
        raise Faulty(SENTENCE, [fault.below("/options") for fault in error.faults]) from None


def stages_of(form: TournamentFile, ruleset: Ruleset) -> tuple[tuple[StageForm, ...], tuple[Fault, ...]]:
    """The stages in the file, in the order of the ruleset."""
    ids = [stage.id for stage in ruleset.stages]
    if form.stages is None:
        stage = form.stage or ids[0]
        known = stage in ids
        faults = () if known else (Fault("/stage", f"there is no stage {stage}, but {', '.join(ids)}"),)
        return (StageForm(id=stage, rounds=form.rounds or ()),), faults
    faults = [
        Fault(f"/{name}", "goes without stages")
        for name, value in (("stage", form.stage), ("rounds", form.rounds))
        if value is not None
    ]
    if not form.stages:
        faults.append(Fault("/stages", "should name at least one stage"))
    reached = -1
    for index, stage in enumerate(form.stages):
        if stage.id not in ids:
            faults.append(Fault(at("stages", index, "id"), f"there is no stage {stage.id}, but {', '.join(ids)}"))
        elif ids.index(stage.id) <= reached:
            faults.append(Fault(at("stages", index, "id"), f"{stage.id} comes before the stage in front of it"))
        else:
            reached = ids.index(stage.id)
    return form.stages, tuple(faults)


def entrant_faults(form: TournamentFile, ruleset: Ruleset) -> Iterator[Fault]:
    ids = Counter[str]()
    numbers = Counter[int]()
    lists = {one.id for one in ruleset.lists}
    for index, one in enumerate(form.entrants):
        ids[one.id] += 1
        if ids[one.id] > 1:
            yield Fault(at("entrants", index, "id"), f"{one.id} stands here twice")
        if one.number is not None:
            numbers[one.number] += 1
            if numbers[one.number] > 1:
                yield Fault(at("entrants", index, "number"), f"the start number {one.number} is given twice")
        if one.carried is None and ruleset.scoring.carry:
            yield Fault(at("entrants", index, "carried"), "is missing: points are brought into this stage")
        if one.left != "withdrew" and one.withdrawn_after is None:
            yield Fault(at("entrants", index, "left"), "goes with withdrawn_after")
        for which, name in enumerate(one.lists):
            if name not in lists:
                yield Fault(at("entrants", index, "lists", which), f"the ruleset has no list {name}")


def content_faults(form: TournamentFile, ruleset: Ruleset, stages: Sequence[StageForm]) -> Iterator[Fault]:
    """What is wrong in a file whose form, ruleset, stages and entrants are right."""
    ids = {one.id for one in form.entrants}
    yield from unknown(ids, names_of(form))
    for index, stage in enumerate(stages):
        spans = spans_of(form, ruleset, stages[: index + 1])
        size = sum(1 for span in spans.values() if span.last != 0)
        rounds = Rounds(settings=settings(ruleset, stage.id, size=size), spans=spans)
        prefix = at("rounds") if form.stages is None else at("stages", index, "rounds")
        yield from (fault.below(prefix) for fault in rounds.faults(stage.rounds))
    if form.advance is None and any(is_announced(stage) for stage in ruleset.stages):
        yield Fault("/advance", "is missing: how many go on has to be announced")
    yield from decision_faults(form, {stage.id for stage in stages})
    yield from next_faults(form)


def is_announced(stage: Stage) -> bool:
    return isinstance(stage.field, Best) and stage.field.count == "announced"


def spans_of(form: TournamentFile, ruleset: Ruleset, stages: Sequence[StageForm]) -> Mapping[str, Span]:
    """Who is there in which rounds of the last of these stages. In a later stage of the ruleset not everybody is.

    Rounds after which somebody comes or goes are those of the first stage in the file.
    """
    *before, stage = stages
    named = {name for one in stage.rounds for _, name, _ in seats_of(one)}
    spans: dict[str, Span] = {}
    for one in form.entrants:
        if stage.id != ruleset.stages[0].id and stage.rounds and one.id not in named:
            continue
        if before:
            spans[one.id] = Span(last=None if one.withdrawn_after is None else 0)
        else:
            spans[one.id] = Span(first=one.from_round, last=one.withdrawn_after)
    return spans


def decision_faults(form: TournamentFile, stages: set[str]) -> Iterator[Fault]:
    for index, decision in enumerate(form.decisions):
        if decision.stage is not None and decision.stage not in stages:
            yield Fault(at("decisions", index, "stage"), f"the file has no stage {decision.stage}")
        names = [name for one in decision.order for name in ([one] if isinstance(one, str) else one)]
        if len(names) != len(set(names)):
            yield Fault(at("decisions", index, "order"), "names somebody twice")
    for index, adjustment in enumerate(form.adjustments):
        if adjustment.stage is not None and adjustment.stage not in stages:
            yield Fault(at("adjustments", index, "stage"), f"the file has no stage {adjustment.stage}")


def next_faults(form: TournamentFile) -> Iterator[Fault]:
    """Nobody is away from the next round for two reasons."""
    seen: set[str] = set()
    absent = [
        *requested(form.next.requested_byes),
        *((at("next", "missing", index), name) for index, name in enumerate(form.next.missing)),
    ]
    for pointer, name in absent:
        if name in seen:
            yield Fault(pointer, f"{name} is named here twice")
        seen.add(name)


def unknown(ids: set[str], names: Iterable[tuple[str, str]]) -> Iterator[Fault]:
    yield from (Fault(pointer, f"there is no entrant {name}") for pointer, name in names if name not in ids)


def names_of(form: TournamentFile) -> Iterator[tuple[str, str]]:
    """Whoever is named outside of the rounds, with the place."""
    for index, ban in enumerate(form.forbidden):
        yield from ((at("forbidden", index, "entrants", which), name) for which, name in enumerate(ban.entrants))
    for index, adjustment in enumerate(form.adjustments):
        yield at("adjustments", index, "entrant"), adjustment.entrant
    yield from ((at("direct", index), name) for index, name in enumerate(form.direct))
    yield from requested(form.next.requested_byes)
    yield from ((at("next", "missing", index), name) for index, name in enumerate(form.next.missing))
    for index, decision in enumerate(form.decisions):
        for which, one in enumerate(decision.order):
            if isinstance(one, str):
                yield at("decisions", index, "order", which), one
            else:
                yield from ((at("decisions", index, "order", which, place), name) for place, name in enumerate(one))


def requested(byes: Sequence[RequestedByeForm]) -> Iterator[tuple[str, str]]:
    yield from ((at("next", "requested_byes", index, "entrant"), bye.entrant) for index, bye in enumerate(byes))
