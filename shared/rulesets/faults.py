"""A ruleset from outside: read, or all its faults at once, each with a JSON pointer.

What a ruleset names has to be there, before what rests on it, and only once.
"""

from collections.abc import Container, Iterator, Mapping, Sequence
from fractions import Fraction
from typing import TYPE_CHECKING, Annotated, Any, cast

from pydantic import TypeAdapter, ValidationError

from shared.bounds import rules_faults, value_faults
from shared.faults import Faulty, InputFault, at, of_letters, of_shape
from shared.numbers import exact, shown
from shared.rulesets.entry import Deadline, Eligibility, Fee, known_countries
from shared.rulesets.parts import Part
from shared.rulesets.play import AWARDED, Results
from shared.rulesets.schema import Game, Ruleset
from shared.rulesets.settings import ANNOUNCED, OPTIONS, PAIR, PARTS, VARIANT, plain_settings, settings
from shared.rulesets.stages import (
    Best,
    Bracket,
    Complement,
    Everybody,
    FinalOrder,
    GroupPlaces,
    Players,
    Stage,
    Windows,
)

if TYPE_CHECKING:
    from pydantic.fields import FieldInfo


def twice_in(names: Sequence[str]) -> Iterator[InputFault]:
    """Names that stand in a list more than once."""
    seen: set[str] = set()
    for number, name in enumerate(names):
        if name in seen:
            yield InputFault(at(number), f"{name} stands here twice")
        seen.add(name)


def ending_faults(results: Results) -> Iterator[InputFault]:
    """Endings that are named, and are not there or are somebody else's fault."""
    for field, name, fault in (
        ("when_away", results.when_away, "one"),
        ("when_both_away", results.when_both_away, "both"),
    ):
        if name is not None and (name not in results.endings or results.endings[name].fault != fault):
            yield InputFault(at("results", field), f"there is no ending {name} with {fault} at fault")
    for number, expulsion in enumerate(results.expulsions):
        for field, names in (("of", expulsion.of), ("unmoved", expulsion.unmoved)):
            for which, name in enumerate(names):
                if name not in {*results.endings, AWARDED}:
                    yield InputFault(at("results", "expulsions", number, field, which), f"there is no ending {name}")


def reference_faults(ruleset: Ruleset) -> Iterator[InputFault]:
    """Stages and lists that are named, and are not there, or come too late."""
    ids = [stage.id for stage in ruleset.stages]
    lists = {one.id for one in ruleset.lists}
    earlier: set[str] = set()
    for number, stage in enumerate(ruleset.stages):
        for field, name in before(stage):
            if name not in earlier:
                yield InputFault(at("stages", number, *field), f"there is no earlier stage {name}")
        if isinstance(stage.field, Best) and stage.field.among is not None and stage.field.among not in lists:
            yield InputFault(at("stages", number, "field", "among"), f"there is no list {stage.field.among}")
        if stage.parallel_to is not None and stage.parallel_to not in ids:
            yield InputFault(at("stages", number, "parallel_to"), f"there is no stage {stage.parallel_to}")
        earlier.add(stage.id)
    for number, one in enumerate(ruleset.lists):
        if one.stage is not None and one.stage not in ids:
            yield InputFault(at("lists", number, "stage"), f"there is no stage {one.stage}")
    yield from (fault.below("/final") for fault in final_faults(ruleset.final, ids))
    yield from award_faults(ruleset)


def before(stage: Stage) -> Iterator[tuple[Sequence[str], str]]:
    """Stages that this one rests on, by where they are named."""
    if stage.seats_by is not None:
        yield ("seats_by",), stage.seats_by
    match stage.field:
        case Everybody():
            return
        case Best(unless_in=str(other)):
            yield ("field", "unless_in"), other
            yield ("field", "stage"), stage.field.stage
        case Best() | Complement() | Windows() | GroupPlaces() | Players():
            yield ("field", "stage"), stage.field.stage


def final_faults(final: FinalOrder, ids: Sequence[str]) -> Iterator[InputFault]:
    for number, name in enumerate(final.stages):
        if name not in ids:
            yield InputFault(at("stages", number), f"there is no stage {name}")
    if final.podium is not None:
        podium = final.podium
        named = {"stage": podium.stage, "play_offs": podium.play_offs, "semifinals": podium.semifinals}
        for field, name in (named | {"final": podium.final}).items():
            if name is not None and name not in ids:
                yield InputFault(at("podium", field), f"there is no stage {name}")


def award_faults(ruleset: Ruleset) -> Iterator[InputFault]:
    lists = {one.id for one in ruleset.lists}
    for number, award in enumerate(ruleset.final.awards):
        if award.among is not None and award.among not in lists:
            yield InputFault(at("final", "awards", number, "among"), f"there is no list {award.among}")
        if (award.what == "cash") != (award.amount is not None and award.currency is not None):
            yield InputFault(at("final", "awards", number, "amount"), "goes with cash, together with its currency")
        if (award.what == "title") != (award.title is not None):
            yield InputFault(at("final", "awards", number, "title"), "goes with a title, and is what it is called")


def matches_before(ruleset: Ruleset, stage: Stage) -> Container[str]:
    """The matches of the stage whose players play on here."""
    if not isinstance(stage.field, Players):
        return frozenset[str]()
    played = (one for one in ruleset.stages if one.id == stage.field.stage)
    return {match.id for one in played for bracket in one.brackets for match in bracket.matches}


def bracket_faults(bracket: Bracket, earlier: Container[str]) -> Iterator[InputFault]:
    """A side is a place, or comes from a match that is played before."""
    ids = [match.id for match in bracket.matches]
    yield from (InputFault(f"/matches{one.pointer}/id", one.detail) for one in twice_in(ids))
    rounds = {match.id: match.round for match in bracket.matches}
    for number, match in enumerate(bracket.matches):
        for side, name in enumerate(match.sides):
            kind, colon, other = name.partition(":")
            comes_before = other in earlier or rounds.get(other, match.round) < match.round
            if colon and not (kind in {"winner", "loser"} and comes_before):
                yield InputFault(
                    at("matches", number, "sides", side), f"{name} is nobody: no earlier match is called {other}"
                )
    if bracket.at_most is not None and bracket.at_most < bracket.at_least:
        yield InputFault("/at_most", "is below the least size")


SENTENCE = "This ruleset cannot be used: mend what errors name."
NEEDS_ROUNDS = frozenset({"median-swiss", "cost-swiss", "tables"})
OPENING = "contest.opening"
OPENINGS: Mapping[Game, tuple[str, ...]] = {
    "gomoku-cfp": ("swap", "swap2", "pro"),
    "gomoku-pisqworky": ("swap1", "swap2"),
}
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
    """A ruleset with what a tournament changes for itself."""
    if faults := (*option_faults(ruleset, options), *variant_faults(ruleset, options)):
        raise Faulty("These options cannot be used: mend what errors name.", faults)
    changed = ruleset.model_copy(update={"options": {**ruleset.options, **options}})
    faults = [InputFault("/pairing.rounds", fault.detail) for fault in rounds_faults(changed)]
    if faults := [*faults, *announced_faults(changed, options), *timetable_faults(changed)]:
        raise Faulty("These options cannot be used: mend what errors name.", faults)
    return changed


def timetable_faults(ruleset: Ruleset) -> Iterator[InputFault]:
    """A timetable of its own has rounds of stages that there are."""
    ids = [one.id for one in ruleset.stages]
    own = settings(ruleset, ids[0], size=ruleset.entry.size.least).pairing.timetable
    for index, entry in enumerate(own):
        if entry.stage is not None and entry.stage not in ids:
            detail = f"there is no stage {entry.stage}, but {', '.join(ids)}"
            yield InputFault(at("pairing.timetable", index, "stage"), detail)


def faults_of(ruleset: Ruleset) -> Iterator[InputFault]:
    """What is wrong with a ruleset that has the right form."""
    yield from (InputFault(f"/stages{one.pointer}/id", one.detail) for one in twice_in([s.id for s in ruleset.stages]))
    yield from (InputFault(f"/lists{one.pointer}/id", one.detail) for one in twice_in([s.id for s in ruleset.lists]))
    yield from (fault.below("/standings/criteria") for fault in twice_in(ruleset.standings.criteria))
    yield from play_faults(ruleset)
    yield from reference_faults(ruleset)
    for number, stage in enumerate(ruleset.stages):
        earlier = matches_before(ruleset, stage)
        for which, bracket in enumerate(stage.brackets):
            below = at("stages", number, "brackets", which)
            yield from (fault.below(below) for fault in bracket_faults(bracket, earlier))
    yield from value_faults(ruleset)
    wrong = list(setting_faults(ruleset))
    yield from wrong or rounds_faults(ruleset)
    if not wrong:
        yield from (fault.below("/options") for fault in announced_faults(ruleset, ruleset.options))


def setting_faults(ruleset: Ruleset) -> Iterator[InputFault]:
    """Changes and options that lead nowhere, or whose values do not fit."""
    for number, stage in enumerate(ruleset.stages):
        for pointer, changes in changes_of(number, stage):
            yield from change_faults(changes, pointer)
    of_options = (*option_faults(ruleset, ruleset.options), *variant_faults(ruleset, ruleset.options))
    yield from (fault.below("/options") for fault in of_options)


def play_faults(ruleset: Ruleset) -> Iterator[InputFault]:
    scoring, entry, (least, most) = ruleset.scoring, ruleset.entry, ruleset.contest.seats
    if scoring.score in NEEDS_TOTAL and scoring.total is None:
        yield InputFault("/scoring/total", f"is needed for scores of the kind {scoring.score}")
    if (scoring.score == "list") != (scoring.placement is not None):
        yield InputFault("/scoring/placement", "goes with scores of the kind list, and only with them")
    if scoring.placement is not None and len(scoring.placement) < most:
        yield InputFault("/scoring/placement", "needs points for as many places as a table has seats")
    if not 1 < least <= most:
        yield InputFault("/contest/seats", "should be the least and the greatest number of seats, from 2")
    if (entry.kind == "team" or "team" in entry.kinds_allowed) != (entry.team is not None):
        yield InputFault("/entry/team", "goes with teams, and only with them")
    if isinstance(ruleset.contest.variant, str) and ruleset.contest.variant not in entry.variants:
        yield InputFault(
            "/contest/variant", f"is no variant of these rules: there is {' or '.join(entry.variants) or 'none'}"
        )
    if entry.size.most is not None and entry.size.most < entry.size.least:
        yield InputFault("/entry/size/most", "is below the least size")
    if entry.fee_for == "series" and "pair" in {entry.kind, *entry.kinds_allowed}:
        yield InputFault(
            "/entry/fee_for", "is for persons and teams, which stay the same through a series, and not for pairs"
        )
    yield from (fault.below("/entry/fees") for fault in fee_faults(entry.fees))
    yield from (fault.below("/entry/eligibility") for fault in country_faults(entry.eligibility))
    for index, category in enumerate(entry.categories):
        below = at("entry", "categories", index, "eligibility")
        yield from (fault.below(below) for fault in country_faults(category.eligibility))
    yield from (fault.below("/entry/deadlines") for fault in deadline_faults(entry.deadlines))
    yield from ending_faults(ruleset.results)
    yield from clock_faults(ruleset)


def fee_faults(fees: Sequence[Fee]) -> Iterator[InputFault]:
    """Nobody is paid for playing: what was given back, and what less is enough, are said where they are recorded."""
    for index, fee in enumerate(fees):
        if fee.amount < 0:
            yield InputFault(at(index, "amount"), "is below zero")


def country_faults(conditions: Sequence[Eligibility]) -> Iterator[InputFault]:
    """Nobody could meet a citizenship of a country that there is not."""
    for index, one in enumerate(conditions):
        if one.rule == "citizenship" and one.country not in known_countries():
            yield InputFault(
                at(index, "country"), "should be a country of ISO 3166 with two capital letters, such as SK"
            )


def deadline_faults(deadlines: Sequence[Deadline]) -> Iterator[InputFault]:
    for index, limit in enumerate(deadlines):
        days = [day for day in (limit.weekday, limit.days_before, limit.date) if day is not None]
        if len(days) > 1:
            yield InputFault(at(index), "is on several days: name a weekday, or days before, or a date")
        if not days and limit.time is None:
            yield InputFault(at(index), "is on no day: name a weekday, days before, a date, or a time of the first day")


def clock_faults(ruleset: Ruleset) -> Iterator[InputFault]:
    """Clocks for a whole game, which have to give enough; in Carcassonne only a game of two has them."""
    results, (_, most) = ruleset.results, ruleset.contest.seats
    rule = f" ({results.rule_ids['clock']})" if "clock" in results.rule_ids else ""
    if ruleset.game == "carcassonne" and most > PAIR and results.minutes is not None:
        yield InputFault("/results/minutes", f"is a clock for a whole game, and only a game of two has one{rule}")
    given = [("/results/minutes", results.minutes)]
    for number, stage in enumerate(ruleset.stages):
        for pointer, changes in changes_of(number, stage):
            given.append((pointer + at("results.minutes"), changes.get("results.minutes")))
    for pointer, minutes in given:
        if isinstance(minutes, int | Fraction) and minutes < (results.least_minutes or 0):
            yield InputFault(
                pointer, f"is too little: a clock gives {shown(results.least_minutes or Fraction(0))} at least{rule}"
            )


def changes_of(number: int, stage: Stage) -> Iterator[tuple[str, Mapping[str, Any]]]:
    """All changes of a stage, by where they stand."""
    yield at("stages", number, "changes"), stage.changes
    for which, by_size in enumerate(stage.by_size):
        yield at("stages", number, "by_size", which, "changes"), by_size.changes
    for system, changes in stage.by_system.items():
        yield at("stages", number, "by_system", system), changes


def change_faults(changes: Mapping[str, Any], pointer: str) -> Iterator[InputFault]:
    for path, value in changes.items():
        setting = setting_at(path)
        if setting is None:
            yield InputFault(pointer + at(path), "there is no such setting")
        else:
            yield from (fault.below(pointer + at(path)) for fault in setting_value_faults(setting, value))


def option_faults(ruleset: Ruleset, options: Mapping[str, Any]) -> Iterator[InputFault]:
    known = OPTIONS | ruleset.announced.keys()
    for path in [path for path in options if path not in known]:
        if path in ANNOUNCED:
            yield InputFault(at(path), f"is not left to the announcement by these rules: {leaves(ruleset)}")
        else:
            yield InputFault(at(path), f"is no option: there are {', '.join(sorted(known))}")
    chosen = {path: options[path] for path in options if path in known - {VARIANT}}
    yield from change_faults(chosen, "")
    yield from opening_faults(ruleset, chosen)


def opening_faults(ruleset: Ruleset, options: Mapping[str, Any]) -> Iterator[InputFault]:
    """A tournament announces one of those that its game knows."""
    known = OPENINGS.get(ruleset.game, ())
    if OPENING in options and options[OPENING] not in known:
        yield InputFault(at(OPENING), f"is no opening of {ruleset.game}: there is {', '.join(known) or 'none'}")


def variant_faults(ruleset: Ruleset, options: Mapping[str, Any]) -> Iterator[InputFault]:
    """A tournament chooses among the variants of its rules, and of rules that have none it changes nothing."""
    known = ruleset.entry.variants
    if VARIANT in options and options[VARIANT] not in known:
        yield InputFault(at(VARIANT), f"is no variant of these rules: there is {' or '.join(known) or 'none'}")


def leaves(ruleset: Ruleset) -> str:
    by = ", ".join(sorted({clause for clause in ruleset.announced.values() if clause}))
    return f"they leave {', '.join(sorted(ruleset.announced))} ({by})" if ruleset.announced else "they leave nothing"


MOST_MINUTES = 24 * 60


def announced_faults(ruleset: Ruleset, options: Mapping[str, Any]) -> Iterator[InputFault]:
    """Times that nobody can play by, or that hold in no stage; looked at where a tournament has given any."""
    if ANNOUNCED.isdisjoint(options):
        return
    stages = [plain_settings(ruleset, stage.id, size=10**6) for stage in ruleset.stages]
    for path in sorted(ANNOUNCED & options.keys()):
        section, name = path.split(".")
        if options[path] is not None and all(stage[section][name] is None for stage in stages):
            clause = ruleset.results.rule_ids.get("turn" if name == "minutes_of_turn" else "clock")
            yield InputFault(
                at(path),
                f"holds in no stage{f' ({clause})' if clause else ''}: a clock for a whole game is for two at a table, and a "
                "limit for a turn for tables without one, so set results.minutes to null as well",
            )
    wrong = dict.fromkeys(fault for stage in stages for fault in time_faults(ruleset, stage))
    yield from wrong


def time_faults(ruleset: Ruleset, stage: Mapping[str, Any]) -> Iterator[InputFault]:
    results, periods = stage["results"], stage["contest"]["periods"]
    minutes, limit, least = (
        None if results[name] is None else exact(results[name]) for name in ("minutes", "limit", "least_minutes")
    )
    rule = f" ({ruleset.results.rule_ids['clock']})" if "clock" in ruleset.results.rule_ids else ""
    for name in ("minutes", "minutes_of_turn", "latest_start", "limit"):
        if results[name] is not None and not 0 < exact(results[name]) <= MOST_MINUTES:
            yield InputFault(at(f"results.{name}"), f"should be above 0 and at most {MOST_MINUTES} minutes")
    if minutes is not None and least is not None and minutes < least:
        yield InputFault(at("results.minutes"), f"is too little: a clock gives {shown(least)} at least{rule}")
    if minutes is not None and limit is not None and limit < PAIR * minutes:
        clause = ruleset.announced.get("results.limit")
        yield InputFault(
            at("results.limit"),
            f"ends games too early: the clocks of both have {shown(PAIR * minutes)} minutes and the limit is "
            f"{shown(limit)}{f' ({clause})' if clause else ''}",
        )
    if not all(0 < exact(one["minutes"]) <= MOST_MINUTES for one in periods):
        yield InputFault(at("contest.periods"), f"should have above 0 and at most {MOST_MINUTES} minutes each")
    if any(one.get("moves") is None for one in periods[:-1]):
        yield InputFault(at("contest.periods"), "should name the moves of each period but the last")
    if periods and minutes is not None:
        yield InputFault(at("contest.periods"), "goes without results.minutes: the clock is for a game, or for moves")


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


def setting_value_faults(setting: TypeAdapter[Any], value: object) -> Iterator[InputFault]:
    try:
        found: object = setting.validate_python(value)
    except ValidationError as error:
        yield from of_shape(error, value)
        return
    yield from value_faults(found)
    if isinstance(found, tuple):
        yield from twice_in([one for one in cast("tuple[object, ...]", found) if isinstance(one, str)])


def rounds_faults(ruleset: Ruleset) -> Iterator[InputFault]:
    """In every stage and for every size, a system that does not end by itself needs a number of rounds, and enough of them."""
    for stage in ruleset.stages:
        for size in sizes(ruleset, stage):
            pairing = plain_settings(ruleset, stage.id, size=size)["pairing"]
            if pairing["system"] not in NEEDS_ROUNDS:
                continue
            if pairing["rounds"] is None:
                yield InputFault(
                    "/pairing/rounds", f"stage {stage.id} needs a number of rounds for {pairing['system']}"
                )
                break
            if pairing["rounds"] < (pairing["least_rounds"] or 0):
                least, by = pairing["least_rounds"], ruleset.pairing.by("rounds")
                yield InputFault("/pairing/rounds", f"is too little: stage {stage.id} has {least} rounds at least{by}")
                break


def sizes(ruleset: Ruleset, stage: Stage) -> Iterator[int]:
    """One size of field on each side of every limit."""
    rounds = ruleset.options.get("pairing.rounds", ruleset.pairing.rounds) or 0
    yield 10**6
    for by_size in stage.by_size:
        yield by_size.at_most if isinstance(by_size.at_most, int) else rounds + 1
