"""Play-offs and semifinals that the rules do not know: who plays them follows from the table before."""

from collections.abc import Iterator, Mapping, Sequence

from shared.faults import Fault, at
from shared.rulesets.settings import stage_of
from shared.rulesets.stages import Best, Windows
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
        match stage_of(facts.ruleset, stage.id).field:
            case Windows() as field if field.stage in there:
                yield from (fault.below(prefix) for fault in window_faults(facts, field, stage))
            case Best(unless_in=str()) as field if field.stage in there and stage.rounds:
                if sentence := opening(facts, stage.id).not_held:
                    yield Fault(prefix, f"cannot be there: {sentence}")
            case _:
                pass


def window_faults(facts: Facts, field: Windows, stage: StageForm) -> Iterator[Fault]:
    table = rank(facts, field.stage)
    has = {row.entrant: points(row) for row in table.rows}
    names = [f"{better}-{worse}" for better, worse in field.places]
    pairs: Pairs = {} if table.unresolved else pairs_of(facts)  # a lot may still put others on these places
    for number, one in enumerate(stage.rounds):
        for which, game in enumerate(one.games):
            below = at(number, "games", which)
            if game.end == "void":
                continue
            if game.match is not None and game.match not in names:
                yield Fault(f"{below}/match", f"should be one of {', '.join(names)}")
            elif len({has.get(seat) for seat in game.seats}) > 1:
                yield Fault(f"{below}/seats", f"{' and '.join(game.seats)} do not have equal points")
            elif is_somebody_elses(game, pairs):
                yield Fault(f"{below}/seats", f"{game.match} is not between {' and '.join(game.seats)}")


def is_somebody_elses(game: GameForm, pairs: Pairs) -> bool:
    """Unless an official has let others play it."""
    if game.match is None or not pairs or game.override:
        return False
    return game.match not in pairs or set(pairs[game.match]) != set(game.seats)
