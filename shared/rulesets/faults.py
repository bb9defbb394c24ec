"""A ruleset from outside: read, or all its faults at once, each with a JSON pointer."""

from collections.abc import Iterator, Mapping
from fractions import Fraction
from typing import TYPE_CHECKING, Annotated, Any, cast

from pydantic import TypeAdapter, ValidationError

from shared.bounds import number_faults, rules_faults
from shared.faults import Fault, Faulty, at, of_letters, of_shape
from shared.numbers import shown
from shared.rulesets.parts import Part
from shared.rulesets.references import bracket_faults, ending_faults, matches_before, reference_faults, twice_in
from shared.rulesets.schema import Ruleset
from shared.rulesets.settings import OPTIONS, PARTS, plain_settings
from shared.rulesets.stages import (
    Stage,
)

if TYPE_CHECKING:
    from pydantic.fields import FieldInfo

SENTENCE = "This ruleset cannot be used: mend what errors name."
NEEDS_ROUNDS = frozenset({"median-swiss", "cost-swiss", "tables"})
PAIR = 2
NEEDS_TOTAL = frozenset({"fixed-sum", "duels"})


def read(ruleset: object) -> Ruleset:
    """From an object such as JSON gives."""
    if wrong := (*rules_faults(ruleset),) or of_letters(ruleset):
        raise Faulty(SENTENCE, wrong)
    try:
        found = Ruleset.model_validate(ruleset)
    except ValidationError as error:
        raise Faulty(SENTENCE, of_shape(error, ruleset)) from None
    if faults := tuple(faults_of(found)):
        raise Faulty(SENTENCE, faults)
    return found


def with_options(ruleset: Ruleset, options: Mapping[str, Any]) -> Ruleset:
    """The same with what a tournament changes for itself."""
    if faults := tuple(option_faults(options)):
        raise Faulty("These options cannot be used: mend what errors name.", faults)
    changed = ruleset.model_copy(update={"options": {**ruleset.options, **options}})
    if faults := [Fault("/pairing.rounds", fault.detail) for fault in rounds_faults(changed)]:
        raise Faulty("These options cannot be used: mend what errors name.", faults)
    return changed


def faults_of(ruleset: Ruleset) -> Iterator[Fault]:
    """What is wrong with a ruleset that has the right form."""
    yield from (Fault(f"/stages{one.pointer}/id", one.detail) for one in twice_in([s.id for s in ruleset.stages]))
    yield from (Fault(f"/lists{one.pointer}/id", one.detail) for one in twice_in([s.id for s in ruleset.lists]))
    yield from (fault.below("/standings/criteria") for fault in twice_in(ruleset.standings.criteria))
    yield from play_faults(ruleset)
    yield from reference_faults(ruleset)
    for number, stage in enumerate(ruleset.stages):
        earlier = matches_before(ruleset, stage)
        for which, bracket in enumerate(stage.brackets):
            below = at("stages", number, "brackets", which)
            yield from (fault.below(below) for fault in bracket_faults(bracket, earlier))
    yield from number_faults(ruleset)
    wrong = list(setting_faults(ruleset))
    yield from wrong or rounds_faults(ruleset)


def setting_faults(ruleset: Ruleset) -> Iterator[Fault]:
    """Changes and options that lead nowhere, or whose values do not fit."""
    for number, stage in enumerate(ruleset.stages):
        for pointer, changes in changes_of(number, stage):
            yield from change_faults(changes, pointer)
    yield from (fault.below("/options") for fault in option_faults(ruleset.options))


def play_faults(ruleset: Ruleset) -> Iterator[Fault]:
    scoring, entry, (least, most) = ruleset.scoring, ruleset.entry, ruleset.contest.seats
    if scoring.score in NEEDS_TOTAL and scoring.total is None:
        yield Fault("/scoring/total", f"is needed for scores of the kind {scoring.score}")
    if (scoring.score == "list") != (scoring.placement is not None):
        yield Fault("/scoring/placement", "goes with scores of the kind list, and only with them")
    if scoring.placement is not None and len(scoring.placement) < most:
        yield Fault("/scoring/placement", "needs points for as many places as a table has seats")
    if not 1 < least <= most:
        yield Fault("/contest/seats", "should be the least and the greatest number of seats, from 2")
    if (entry.kind == "team" or "team" in entry.kinds_allowed) != (entry.team is not None):
        yield Fault("/entry/team", "goes with teams, and only with them")
    if entry.size.most is not None and entry.size.most < entry.size.least:
        yield Fault("/entry/size/most", "is below the least size")
    yield from ending_faults(ruleset.results)
    yield from clock_faults(ruleset)


def clock_faults(ruleset: Ruleset) -> Iterator[Fault]:
    """Clocks for a whole game, which have to give enough; in Carcassonne only a game of two has them."""
    results, (_, most) = ruleset.results, ruleset.contest.seats
    rule = f" ({results.rule_ids['clock']})" if "clock" in results.rule_ids else ""
    if ruleset.game == "carcassonne" and most > PAIR and results.minutes is not None:
        yield Fault("/results/minutes", f"is a clock for a whole game, and only a game of two has one{rule}")
    given = [("/results/minutes", results.minutes)]
    for number, stage in enumerate(ruleset.stages):
        for pointer, changes in changes_of(number, stage):
            given.append((pointer + at("results.minutes"), changes.get("results.minutes")))
    for pointer, minutes in given:
        if isinstance(minutes, int | Fraction) and minutes < (results.least_minutes or 0):
            yield Fault(
                pointer, f"is too little: a clock gives {shown(results.least_minutes or Fraction(0))} at least{rule}"
            )


def changes_of(number: int, stage: Stage) -> Iterator[tuple[str, Mapping[str, Any]]]:
    """All changes of a stage, by where they stand."""
    yield at("stages", number, "changes"), stage.changes
    for which, by_size in enumerate(stage.by_size):
        yield at("stages", number, "by_size", which, "changes"), by_size.changes
    for system, changes in stage.by_system.items():
        yield at("stages", number, "by_system", system), changes


def change_faults(changes: Mapping[str, Any], pointer: str) -> Iterator[Fault]:
    for path, value in changes.items():
        setting = setting_at(path)
        if setting is None:
            yield Fault(pointer + at(path), "there is no such setting")
        else:
            yield from (fault.below(pointer + at(path)) for fault in value_faults(setting, value))


def option_faults(options: Mapping[str, Any]) -> Iterator[Fault]:
    for path in [path for path in options if path not in OPTIONS]:
        yield Fault(at(path), f"is no option: there are {', '.join(sorted(OPTIONS))}")
    yield from change_faults({path: options[path] for path in options if path in OPTIONS}, "")


def setting_at(path: str) -> TypeAdapter[Any] | None:
    """What a value at this path has to be."""
    section, *names = path.split(".")
    within: Any = PARTS.get(section)
    field: FieldInfo | None = None
    for name in names:
        if not (isinstance(within, type) and issubclass(within, Part)) or name not in within.model_fields:
            return None
        field = within.model_fields[name]
        within = field.annotation
    return None if field is None else TypeAdapter(cast("Any", Annotated[field.annotation, field]))


def value_faults(setting: TypeAdapter[Any], value: object) -> Iterator[Fault]:
    try:
        found: object = setting.validate_python(value)
    except ValidationError as error:
        yield from of_shape(error, value)
        return
    yield from number_faults(found)
    if isinstance(found, tuple):
        yield from twice_in([one for one in cast("tuple[object, ...]", found) if isinstance(one, str)])


def rounds_faults(ruleset: Ruleset) -> Iterator[Fault]:
    """In every stage and for every size, a system that does not end by itself needs a number of rounds."""
    for stage in ruleset.stages:
        for size in sizes(ruleset, stage):
            pairing = plain_settings(ruleset, stage.id, size=size)["pairing"]
            if pairing["system"] in NEEDS_ROUNDS and pairing["rounds"] is None:
                yield Fault("/pairing/rounds", f"stage {stage.id} needs a number of rounds for {pairing['system']}")
                break


def sizes(ruleset: Ruleset, stage: Stage) -> Iterator[int]:
    """One size of field on each side of every limit."""
    rounds = ruleset.options.get("pairing.rounds", ruleset.pairing.rounds) or 0
    yield 10**6
    for by_size in stage.by_size:
        yield by_size.at_most if isinstance(by_size.at_most, int) else rounds + 1
