"""The seasons that come with Roundlog: one file each, named by its id."""

from collections.abc import Iterator
from functools import cache
from pathlib import Path

from pydantic import ValidationError
from pydantic_core import from_json

from shared.bounds import rules_faults, value_faults
from shared.faults import Faulty, InputFault, at, of_letters, of_shape
from shared.refusals import NotFound
from shared.rulesets.season import Kinds, Season

FOLDER = Path(__file__).parent
SENTENCE = "This season cannot be used: mend what errors name."


class SeasonUnknown(NotFound):
    """There are no rules of that season."""


@cache
def ids() -> tuple[str, ...]:
    return tuple(sorted(path.stem for path in FOLDER.glob("*.json")))


@cache
def load(season_id: str) -> Season:
    if season_id not in ids():
        raise SeasonUnknown(f"There is no season {season_id!r}. There are: {', '.join(ids())}.")
    return read(from_json((FOLDER / f"{season_id}.json").read_bytes()))


def read(season: object) -> Season:
    """From an object such as JSON gives."""
    if wrong := (*rules_faults(season),) or of_letters(season):
        raise Faulty(SENTENCE, wrong)
    try:
        found = Season.model_validate(season)
    except ValidationError as error:
        raise Faulty(SENTENCE, of_shape(error, season)) from None
    if faults := tuple(faults_of(found)):
        raise Faulty(SENTENCE, faults)
    return found


def faults_of(season: Season) -> Iterator[InputFault]:
    """What is wrong with a season that has the right form."""
    yield from value_faults(season)
    for pointer, kinds in kinds_in(season):
        for index, kind in enumerate(kinds):
            if kind not in season.kinds:
                yield InputFault(f"{pointer}/{index}", f"{kind} is none of its kinds: {', '.join(season.kinds)}")
    yield from slot_faults(season)
    for name, kind in season.implied.items():
        if kind not in season.kinds:
            yield InputFault(at("implied", name), f"{kind} is none of its kinds: {', '.join(season.kinds)}")
    for index, rating in enumerate(season.ratings):
        if rating.id in {other.id for other in season.ratings[:index]}:
            yield InputFault(at("ratings", index, "id"), f"{rating.id} stands here twice")
        bounds = [step.below for step in rating.steps]
        inner = [bound for bound in bounds[:-1] if bound is not None]
        if bounds[-1] is not None or inner != bounds[:-1] or inner != sorted(set(inner)):
            yield InputFault(at("ratings", index, "steps"), "should rise, and only the last have no upper end")


def slot_faults(season: Season) -> Iterator[InputFault]:
    """Of two slots with the same kind each would take the same best result."""
    filled: set[str] = set()
    for index, slot in enumerate(season.slots):
        for place, kind in enumerate(slot.kinds):
            if kind in filled:
                yield InputFault(
                    at("slots", index, "kinds", place),
                    f"{kind} fills a slot before this one, and a result counts once: name it in one slot, with how many of "
                    "its best results count",
                )
        filled.update(slot.kinds)


def kinds_in(season: Season) -> Iterator[tuple[str, Kinds]]:
    for index, slot in enumerate(season.slots):
        yield at("slots", index, "kinds"), slot.kinds
    for index, bonus in enumerate(season.bonuses):
        yield at("bonuses", index, "kinds"), bonus.kinds
        yield at("bonuses", index, "of"), bonus.of
    yield "/serious_reasons", season.serious_reasons
    if season.cut is not None:
        yield "/cut/kinds", season.cut.kinds
    for index, rating in enumerate(season.ratings):
        yield at("ratings", index, "kinds"), rating.kinds
        yield at("ratings", index, "kept_by"), rating.kept_by
