"""Reads a tournament file: first its form, then its ruleset, then what stands in it."""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from typing import cast

from pydantic import ValidationError

from shared.bounds import MOST_ENTRANTS, MOST_GAMES, MOST_OTHERS, MOST_ROUNDS, MOST_STAGES, list_faults, member
from shared.faults import Faulty, InputFault, at, of_shape, unpacked
from shared.refusals import NotFound
from shared.rulesets import catalogue
from shared.rulesets import faults as ruleset_faults
from shared.rulesets.faults import before
from shared.rulesets.schema import Ruleset
from shared.rulesets.settings import Settings, announces_advance, fixed_size, settings, stage_of
from shared.rulesets.stages import BracketMatch, Complement
from shared.tournament.facts import Facts
from shared.tournament.file.facts import facts_of
from shared.tournament.file.faults import (
    UNLESS,
    RoundChecks,
    Stay,
    decision_faults,
    match_faults,
    names_of,
    next_faults,
    play_off_faults,
    seats_of,
    unknown,
    void_seats,
)
from shared.tournament.file.form import StageForm, TournamentFile
from shared.tournament.progression import opening
from shared.tournament.scoring import POINTS_APART
from shared.values import Value

MOST = {
    "stages": MOST_STAGES,
    "entrants": MOST_ENTRANTS,
    **dict.fromkeys(("direct", "forbidden", "decisions", "adjustments"), MOST_OTHERS),
}
AT_MOST_GAMES = f"at most {MOST_GAMES} are computed with"
SENTENCE = "The tournament cannot be read: mend what errors name."


class FileContent(Value):
    """What a file says. With faults there are no facts."""

    facts: Facts | None = None
    stage: str = ""  # the last one in the file
    lots: bytes = b"0"  # what every lot that is drawn while reading it follows from
    is_mixed: bool = False  # with what nobody chose
    names: Mapping[str, str] = {}  # of entrants, for people
    faults: tuple[InputFault, ...] = ()

    def accepted(self) -> Facts:
        """The facts, or the refusal that names every fault."""
        if self.facts is None:
            raise Faulty(SENTENCE, self.faults)
        return self.facts


def read(content: object) -> FileContent:
    """From the bytes of a file, or from the object in it."""
    try:
        content = unpacked(content, SENTENCE)
        if too_large := tuple(size_faults(content)):
            return FileContent(faults=too_large)
        form = TournamentFile.model_validate(content)
        ruleset = ruleset_of(form)
    except ValidationError as error:
        return FileContent(faults=of_shape(error, content))
    except Faulty as error:
        return FileContent(faults=error.faults)
    stages, unknown_stages = stages_of(form, ruleset)
    faults = (*unknown_stages, *entrant_faults(form, ruleset, stages))
    if not unknown_stages:
        faults += tuple(content_faults(form, ruleset, stages))
    if faults:
        return FileContent(faults=faults)
    facts = facts_of(form, ruleset, stages)
    faults = (*play_off_faults(facts, stages, is_named=form.stages is not None), *field_faults(facts, stages))
    if faults:
        return FileContent(faults=faults)
    names = {one.id: one.name for one in form.entrants if one.name is not None}
    return FileContent(
        facts=facts, stage=stages[-1].id, lots=lots_of(form.seed), is_mixed=form.lots is not None, names=names
    )


def lots_of(seed: int | str) -> bytes:
    return bytes.fromhex(seed) if isinstance(seed, str) else str(seed).encode()


def ruleset_of(form: TournamentFile) -> Ruleset:
    """From the catalogue or the file itself, with the options."""
    if isinstance(form.ruleset, str):
        try:
            ruleset = catalogue.load(form.ruleset)
        except NotFound as error:
            raise Faulty(SENTENCE, [InputFault("/ruleset", str(error))]) from None
    else:
        try:
            ruleset = ruleset_faults.read(form.ruleset)
        except Faulty as error:
            raise Faulty(SENTENCE, [fault.below("/ruleset") for fault in error.faults]) from None
    try:
        return ruleset_faults.with_options(ruleset, form.options)
    except Faulty as error:
        raise Faulty(SENTENCE, [fault.below("/options") for fault in error.faults]) from None


def stages_of(form: TournamentFile, ruleset: Ruleset) -> tuple[tuple[StageForm, ...], tuple[InputFault, ...]]:
    """The stages in the file, in the order of the ruleset."""
    ids = [stage.id for stage in ruleset.stages]
    if form.stages is None:
        stage = form.stage or ids[0]
        known = stage in ids
        faults = () if known else (InputFault("/stage", f"there is no stage {stage}, but {', '.join(ids)}"),)
        return (StageForm(id=stage, rounds=form.rounds or ()),), faults
    faults = [
        InputFault(f"/{name}", "goes without stages")
        for name, value in (("stage", form.stage), ("rounds", form.rounds))
        if value is not None
    ]
    if not form.stages:
        faults.append(InputFault("/stages", "should name at least one stage"))
    named, earlier = [stage.id for stage in form.stages], stages_before(ruleset)
    for index, name in enumerate(named):
        if name not in ids:
            faults.append(InputFault(at("stages", index, "id"), f"there is no stage {name}, but {', '.join(ids)}"))
        elif name in named[:index]:
            faults.append(InputFault(at("stages", index, "id"), f"{name} stands here twice"))
        elif any(name in earlier.get(other, ()) for other in named[:index]):
            faults.append(InputFault(at("stages", index, "id"), f"{name} comes before the stage in front of it"))
    return form.stages, tuple(faults)


def stages_before(ruleset: Ruleset) -> Mapping[str, frozenset[str]]:
    """Those that each stage rests on. Stages that do not rest on each other may be played in any order."""
    found: dict[str, frozenset[str]] = {}
    for stage, last in zip(ruleset.stages, (None, *ruleset.stages), strict=False):
        named = frozenset(() if last is None else {name for _, name in before(stage)} or {last.id})
        found[stage.id] = named.union(*(found[name] for name in named))
    return found


def who_brings_points(form: TournamentFile, ruleset: Ruleset, stages: Sequence[StageForm]) -> frozenset[str]:
    """Whose points have to be told: who plays where points are brought along, and not in the stage that gives them."""
    if ruleset.scoring.carry:
        return frozenset(one.id for one in form.entrants)
    there = {one.id for one in stages}
    known = {one.id: one for one in ruleset.stages}
    found: set[str] = set()
    for stage in stages:
        if stage.id in known and settings(ruleset, stage.id, size=len(form.entrants)).scoring.carry:
            gives = {name for _, name in before(known[stage.id])} & there
            named = {name for one in stage.rounds for _, name, _ in seats_of(one)}
            found |= named & set(form.direct) if gives else named
    return frozenset(found)


def entrant_faults(form: TournamentFile, ruleset: Ruleset, stages: Sequence[StageForm]) -> Iterator[InputFault]:
    bringing = who_brings_points(form, ruleset, stages)
    ids = Counter[str]()
    numbers = Counter[int]()
    lists = {one.id for one in ruleset.lists}
    for index, one in enumerate(form.entrants):
        ids[one.id] += 1
        if ids[one.id] > 1:
            yield InputFault(at("entrants", index, "id"), f"{one.id} stands here twice")
        if one.number is not None:
            numbers[one.number] += 1
            if numbers[one.number] > 1:
                yield InputFault(at("entrants", index, "number"), f"the start number {one.number} is given twice")
        if one.carried is None and one.id in bringing:
            yield InputFault(at("entrants", index, "carried"), "is missing: points are brought into this stage")
        if one.left != "withdrew" and one.withdrawn_after is None:
            yield InputFault(at("entrants", index, "left"), "goes with withdrawn_after")
        for which, name in enumerate(one.lists):
            if name not in lists:
                yield InputFault(at("entrants", index, "lists", which), f"the ruleset has no list {name}")


def content_faults(form: TournamentFile, ruleset: Ruleset, stages: Sequence[StageForm]) -> Iterator[InputFault]:
    """What is wrong in a file whose form, ruleset and stages are right."""
    ids = {one.id for one in form.entrants}
    yield from unknown(ids, names_of(form))
    for index, stage in enumerate(stages):
        spans = spans_of(form, ruleset, stages[: index + 1])
        size = sum(1 for span in spans.values() if span.last != 0)
        holds = settings(ruleset, stage.id, size=size)
        groups = {one.id: one.group for one in form.entrants if one.group}
        rounds = RoundChecks(
            settings=holds, spans=spans, groups=groups, bans=form.forbidden, apart=ruleset.game in POINTS_APART
        )
        prefix = at("rounds") if form.stages is None else at("stages", index, "rounds")
        yield from (fault.below(prefix) for fault in rounds.faults(stage.rounds))
        best_of = {match.id: match.games for match in matches_in(ruleset, stage.id)}
        yield from (fault.below(prefix) for fault in match_faults(stage.rounds, holds, best_of))
        if stage is stages[-1]:
            yield from next_faults(form, holds.scoring.win)
        yield from planned_faults(form, holds, size, prefix)
        if stage.rounds or stage.id == ruleset.stages[0].id:
            place = at("stages", index, "rounds", 0) if form.stages is not None and stage.rounds else None
            if not stage.rounds or stage.rounds[0].override is None:
                yield from size_of_field_faults(ruleset, stage.id, size, place)
    if form.advance is None and announces_advance(ruleset):
        yield InputFault("/advance", "is missing: how many go on has to be announced")
    yield from (
        InputFault("/direct", f"names {len(form.direct)}: the field has {stage.field.up_to} places")
        for stage in ruleset.stages
        if isinstance(stage.field, Complement) and len(form.direct) > stage.field.up_to
    )
    yield from decision_faults(form, {stage.id for stage in stages})


def size_of_field_faults(ruleset: Ruleset, stage: str, size: int, place: str | None = None) -> Iterator[InputFault]:
    """Where the rules fix how many are in a stage: said of the first round that others were in, if there is one."""
    wanted = fixed_size(ruleset, stage, size=size)
    if wanted in (None, size):
        return
    by = settings(ruleset, stage, size=size).pairing.by("field")
    option = "the option pairing.field is any"
    if place is None:
        yield InputFault("/entrants", f"should be {wanted}, not {size}{by}, unless {option}")
    else:
        yield InputFault(place, f"should have {wanted} entrants, not {size}{by}{UNLESS}, or {option}")


def field_faults(facts: Facts, stages: Sequence[StageForm]) -> Iterator[InputFault]:
    """A later stage that is to begin: who is in it follows from the ones before, unless it waits for something."""
    for stage in stages:
        if stage.rounds or stage.id == facts.ruleset.stages[0].id:
            continue
        found = opening(facts, stage.id)
        if found.not_held is None and not found.awaits:
            yield from size_of_field_faults(facts.ruleset, stage.id, len(found.entrants))


def planned_faults(form: TournamentFile, holds: Settings, size: int, rounds: str) -> Iterator[InputFault]:
    """Where everybody meets everybody, the plan is made of all their games at once."""
    if holds.is_round_robin:
        fields = [size]
    elif holds.pairing.system == "groups":
        letters = Counter(one.group for one in form.entrants)
        fields = letters.values() if None not in letters else [size]
    else:
        return
    games = sum(number * (number - 1) // 2 for number in fields)
    games *= 2 if holds.pairing.system == "double-round-robin" else 1
    if games > MOST_GAMES:
        yield InputFault(rounds, f"of everybody against everybody would have {games} games: {AT_MOST_GAMES}")


def size_faults(content: object) -> Iterator[InputFault]:
    """What is so large that nothing else of it is looked at."""
    yield from list_faults(content, MOST)
    yield from list_faults(member(content, "next"), dict.fromkeys(("requested_byes", "missing"), MOST_ENTRANTS))
    stages = member(content, "stages")
    several = [("", content)]
    if isinstance(stages, list) and len(cast("list[object]", stages)) <= MOST_STAGES:
        several += [(at("stages", index), stage) for index, stage in enumerate(cast("list[object]", stages))]
    games = 0
    for pointer, stage in several:
        yield from (fault.below(pointer) for fault in list_faults(stage, {"rounds": MOST_ROUNDS}))
        rounds = member(stage, "rounds")
        for one in cast("list[object]", rounds) if isinstance(rounds, list) else ():
            for name in ("games", "byes", "requested_byes", "missing"):
                played = member(one, name)
                games += len(cast("list[object]", played)) if isinstance(played, list) else 0
    if games > MOST_GAMES:
        yield InputFault("", f"has {games} games, byes and rounds that somebody missed: {AT_MOST_GAMES}")


def matches_in(ruleset: Ruleset, stage: str) -> Iterator[BracketMatch]:
    for bracket in stage_of(ruleset, stage).brackets:
        yield from bracket.matches


def spans_of(form: TournamentFile, ruleset: Ruleset, stages: Sequence[StageForm]) -> Mapping[str, Stay]:
    """Who is there in which rounds of the last of these stages. In a later stage of the ruleset not everybody is.

    Rounds after which somebody comes or goes are those of the first stage in the file.
    """
    *before, stage = stages
    named = {name for one in stage.rounds for name in [*void_seats(one), *(name for _, name, _ in seats_of(one))]}
    leads_on = any(isinstance(one.field, Complement) and one.field.stage == stage.id for one in ruleset.stages)
    spans: dict[str, Stay] = {}
    for one in form.entrants:
        if leads_on and one.id in form.direct:
            continue
        if stage.id != ruleset.stages[0].id and stage.rounds and one.id not in named:
            continue
        if before:
            spans[one.id] = Stay(last=None if one.withdrawn_after is None else 0)
        else:
            spans[one.id] = Stay(first=one.from_round, last=one.withdrawn_after)
    return spans
