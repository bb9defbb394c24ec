"""Play-offs and finals that the rules do not know: who plays them follows from the table before."""

from collections.abc import Iterator, Mapping, Sequence

from shared.faults import Fault, at
from shared.rulesets.settings import stage_of
from shared.rulesets.stages import Best, Players, Windows
from shared.tournament.facts import Facts
from shared.tournament.file.shape import GameForm, StageForm
from shared.tournament.podium import points
from shared.tournament.progression import opening, pairs_of
from shared.tournament.ranking import rank

type Pairs = Mapping[str, tuple[str, str]]  # by the places that they play for


def play_off_faults(facts: Facts, stages: Sequence[StageForm], *, is_named: bool) -> Iterator[Fault]:
    """Of stages that go on from one that is in the file too; `is_named`: the file has them under `stages`."""
    there = {stage.id for stage in stages}
    for index, stage in enumerate(stages):
        prefix = at("stages", index, "rounds") if is_named else at("rounds")
        field = stage_of(facts.ruleset, stage.id).field
        if isinstance(field, Windows) and field.stage in there:
            yield from (fault.below(prefix) for fault in window_faults(facts, field, stage))
        elif stage.rounds and (sentence := not_held(facts, stage.id, there)):
            yield Fault(prefix, f"cannot be there: {sentence}")


def not_held(facts: Facts, stage: str, there: set[str]) -> str | None:
    """Semifinals of a list that plays none, and the final after them."""
    match stage_of(facts.ruleset, stage).field:
        case Best(unless_in=str()) as field if field.stage in there:
            return opening(facts, stage).not_held
        case Players() as field if field.stage not in there:
            return not_held(facts, field.stage, there)
        case _:
            return None


def window_faults(facts: Facts, field: Windows, stage: StageForm) -> Iterator[Fault]:
    table = rank(facts, field.stage)
    has = {row.entrant: points(row) for row in table.rows}
    names = [f"{better}-{worse}" for better, worse in field.places]
    is_sure = facts.ruleset.final.podium is not None and not table.unresolved  # a lot may still move these places
    pairs = pairs_of(facts) if is_sure else None
    for number, one in enumerate(stage.rounds):
        for which, game in enumerate(one.games):
            below = at(number, "games", which)
            if game.end == "void":
                continue
            if game.match is not None and game.match not in names:
                yield Fault(f"{below}/match", f"should be one of {', '.join(names)}")
            elif len({has.get(seat) for seat in game.seats}) > 1:
                yield Fault(f"{below}/seats", f"{' and '.join(game.seats)} do not have equal points")
            elif pairs is not None and is_somebody_elses(game, pairs):
                none = f"{game.match} is not" if game.match else "no play-off is"
                yield Fault(f"{below}/seats", f"{none} between {' and '.join(game.seats)}")


def is_somebody_elses(game: GameForm, pairs: Pairs) -> bool:
    """Unless an official has let others play it, or somebody has left since it was paired."""
    if game.override or game.end == "forfeit":
        return False
    return set(game.seats) not in [set(pair) for name, pair in pairs.items() if game.match in {None, name}]
