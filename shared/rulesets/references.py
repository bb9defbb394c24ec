"""What a ruleset names has to be there, before what rests on it, and once."""

from collections.abc import Container, Iterator, Sequence

from shared.faults import Fault, at
from shared.rulesets.play import Results
from shared.rulesets.schema import Ruleset
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


def twice_in(names: Sequence[str]) -> Iterator[Fault]:
    """Names that stand in a list more than once."""
    seen: set[str] = set()
    for number, name in enumerate(names):
        if name in seen:
            yield Fault(at(number), f"{name} stands here twice")
        seen.add(name)


def ending_faults(results: Results) -> Iterator[Fault]:
    """Endings that are named, and are not there or are somebody else's fault."""
    for field, name, fault in (
        ("when_away", results.when_away, "one"),
        ("when_both_away", results.when_both_away, "both"),
    ):
        if name is not None and (name not in results.endings or results.endings[name].fault != fault):
            yield Fault(at("results", field), f"there is no ending {name} with {fault} at fault")
    for number, expulsion in enumerate(results.expulsions):
        for field, names in (("of", expulsion.of), ("unmoved", expulsion.unmoved)):
            for which, name in enumerate(names):
                if name not in results.endings:
                    yield Fault(at("results", "expulsions", number, field, which), f"there is no ending {name}")


def reference_faults(ruleset: Ruleset) -> Iterator[Fault]:
    """Stages and lists that are named, and are not there, or come too late."""
    ids = [stage.id for stage in ruleset.stages]
    lists = {one.id for one in ruleset.lists}
    earlier: set[str] = set()
    for number, stage in enumerate(ruleset.stages):
        for field, name in before(stage):
            if name not in earlier:
                yield Fault(at("stages", number, *field), f"there is no earlier stage {name}")
        if isinstance(stage.field, Best) and stage.field.among is not None and stage.field.among not in lists:
            yield Fault(at("stages", number, "field", "among"), f"there is no list {stage.field.among}")
        if stage.parallel_to is not None and stage.parallel_to not in ids:
            yield Fault(at("stages", number, "parallel_to"), f"there is no stage {stage.parallel_to}")
        earlier.add(stage.id)
    for number, one in enumerate(ruleset.lists):
        if one.stage is not None and one.stage not in ids:
            yield Fault(at("lists", number, "stage"), f"there is no stage {one.stage}")
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


def final_faults(final: FinalOrder, ids: Sequence[str]) -> Iterator[Fault]:
    for number, name in enumerate(final.stages):
        if name not in ids:
            yield Fault(at("stages", number), f"there is no stage {name}")
    if final.podium is not None:
        podium = final.podium
        named = {"stage": podium.stage, "play_offs": podium.play_offs, "semifinals": podium.semifinals}
        for field, name in (named | {"final": podium.final}).items():
            if name is not None and name not in ids:
                yield Fault(at("podium", field), f"there is no stage {name}")


def award_faults(ruleset: Ruleset) -> Iterator[Fault]:
    lists = {one.id for one in ruleset.lists}
    for number, award in enumerate(ruleset.final.awards):
        if award.among is not None and award.among not in lists:
            yield Fault(at("final", "awards", number, "among"), f"there is no list {award.among}")
        if (award.what == "cash") != (award.amount is not None and award.currency is not None):
            yield Fault(at("final", "awards", number, "amount"), "goes with cash, together with its currency")


def matches_before(ruleset: Ruleset, stage: Stage) -> Container[str]:
    """Of the stage whose players play on here."""
    if not isinstance(stage.field, Players):
        return frozenset[str]()
    played = (one for one in ruleset.stages if one.id == stage.field.stage)
    return {match.id for one in played for bracket in one.brackets for match in bracket.matches}


def bracket_faults(bracket: Bracket, earlier: Container[str]) -> Iterator[Fault]:
    """A side is a place, or comes from a match that is played before."""
    ids = [match.id for match in bracket.matches]
    yield from (Fault(f"/matches{one.pointer}/id", one.detail) for one in twice_in(ids))
    rounds = {match.id: match.round for match in bracket.matches}
    for number, match in enumerate(bracket.matches):
        for side, name in enumerate(match.sides):
            kind, colon, other = name.partition(":")
            comes_before = other in earlier or rounds.get(other, match.round) < match.round
            if colon and not (kind in {"winner", "loser"} and comes_before):
                yield Fault(
                    at("matches", number, "sides", side), f"{name} is nobody: no earlier match is called {other}"
                )
    if bracket.at_most is not None and bracket.at_most < bracket.at_least:
        yield Fault("/at_most", "is below the least size")
