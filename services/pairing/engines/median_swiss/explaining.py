"""The sentences of a median Swiss: what happened in each bracket, and why two meet."""

from collections.abc import Iterator, Sequence
from fractions import Fraction

from services.pairing.engines.explaining import few, said
from services.pairing.engines.field import Field, FieldPlayer
from services.pairing.engines.median_swiss.bracket_pairing import Met, ScoreBracket, Way
from services.pairing.engines.paired_round import named


def points(field: Field, value: int) -> str:
    return said(Fraction(value, field.units))


def called(field: Field, bracket: ScoreBracket, middle: int) -> str:
    which = "The middle bracket" if bracket.value == middle else "The bracket"
    return f"{which} of {points(field, bracket.value)}"


def formed(name: str, bracket: ScoreBracket) -> str:
    several = [
        *([f"{len(bracket.own)} of its own"] if bracket.own else []),
        *([f"moved down into it {names(down)}"] if (down := bracket.moved("down")) else []),
        *([f"moved up into it {names(up)}"] if (up := bracket.moved("up")) else []),
    ]
    return f"{name}: {'; '.join(several)}."


def exchanged(name: str, one: FieldPlayer, other: FieldPlayer | None, way: Way) -> str:
    back = "up" if way == "down" else "down"
    best = "best" if way == "down" else "worst"
    came = (
        f"{other.id} comes {back} for it, the {best} of that bracket who may meet somebody here"
        if other is not None
        else f"nobody comes {back} for it, since no own member of that bracket may meet anybody here"
    )
    return f"{name}: {one.id} may meet nobody in it and moves {way}; {came}."


def floated_as_odd(
    name: str, one: FieldPlayer, *, way: Way, spared: Sequence[FieldPlayer], leaves_pairable: bool
) -> str:
    worst = "worst" if way == "down" else "best"
    if not leaves_pairable:
        return f"{name} is odd: {one.id}, the {worst}-placed, floats {way}."
    kept = f"; without {names(spared)} the others could not all be paired" if spared else ""
    return f"{name} is odd: {one.id}, the {worst}-placed whom the others can be paired without, floats {way}{kept}."


def floated_as_unpairable(name: str, several: Sequence[FieldPlayer], way: Way) -> str:
    return f"{name} cannot be paired as it is: {names(several)} float {way}, as few as make it possible."


def cancelled(middle: ScoreBracket, joining: ScoreBracket, name: str, *, is_lower: bool) -> str:
    above, below = len(middle.moved("down")), len(middle.moved("up"))
    side = "lower" if is_lower else "higher"
    return (
        f"The middle bracket cannot be paired with {above} from above and {below} from below: the pairs of the nearest "
        f"{side} bracket are cancelled. {name} gives {names(joining.members)} to the middle."
    )


def why_they_meet(field: Field, met: Met, middle: int) -> Iterator[str]:
    one, other = met.one, met.other
    which = "the middle bracket" if met.value == middle else "the bracket"
    where = f"{which} of {points(field, met.value)}"
    if met.by == "halves":
        begin = "best" if met.way == "down" else "worst"
        yield f"Half against half in {where}: {one.id} is the {begin} still to be paired, and {other.id} its first possible opponent."
    else:
        best = "best" if met.by == "down" else "worst"
        had = points(field, one.points)
        yield f"{one.id}, with {had}, was moved {met.by} into {where} and gets the {best} possible opponent, {other.id}."
    apart = [player for player in met.passed if not field.may_meet(one, player)]
    banned = [player for player in apart if field.is_banned(one.id, player.id, field.round)]
    before = [player for player in apart if player not in banned]
    needed = [player for player in met.passed if player not in apart]
    if before:
        yield f"{one.id} has already met {names(before)}."
    if banned:
        yield f"{one.id} must not meet {names(banned)} in this round."
    if needed:
        yield f"If {one.id} met {names(needed, 'or')}, the others of the bracket could not all be paired."


def names(several: Sequence[FieldPlayer], word: str = "and") -> str:
    ids = [player.id for player in several]
    return few(ids) if word == "and" else named(ids).replace(" and ", f" {word} ")
