"""A stage as it is shown, and what a decision about it would change."""

from collections.abc import Sequence

from services.standings.api.bodies import Foreseen, Unresolved
from services.standings.api.permissions import allowed_on_stage
from services.standings.api.stages.bodies import Stage
from services.standings.domain import ranking
from services.standings.domain.ranking import ClosedStage, UnclosedStage
from services.standings.tournaments import EntrantNames, KnownStage
from shared.access.asker import Asker
from shared.http.responses import action
from shared.personal.sentences import all_spoken, spoken
from shared.rulesets.settings import stage_of
from shared.tournament.facts import StageOrder


def stage_view(known: KnownStage, state: ranking.State, asker: Asker) -> Stage:
    closed = state.stage(known.stage)
    order, groups, closed_on = (
        (closed.order, closed.groups, closed.rests_on) if isinstance(closed, ClosedStage) else (None, None, None)
    )
    return Stage(
        tournament=known.tournament,
        stage=known.stage,
        title=stage_of(known.facts.ruleset, known.stage).title,
        status="open" if order is None else "closed",
        round=known.table.round,
        rounds=known.rounds,
        complete=known.table.complete,
        obstacles=list(known.obstacles),
        unresolved=[Unresolved(entrants=list(tie.entrants), needs=tie.needs) for tie in known.ties],
        order=None if order is None else [list(equal) for equal in order],
        closed_on=closed_on,
        groups=list(groups) if groups else None,
        up_to_date=None if order is None else StageOrder(places=order, groups=groups or ()) == known.table.order,
        inputs=str(known.inputs),
        allowed_actions=allowed_on_stage(known, asker),
    )


def named(stage: Stage, names: EntrantNames) -> Stage:
    """As it is shown where the answer is not kept: its sentences say names."""
    actions = {name: action(one.reason and spoken(one.reason, names)) for name, one in stage.allowed_actions.items()}
    return stage.model_copy(update={"obstacles": all_spoken(stage.obstacles, names), "allowed_actions": actions})


def foreseen_shortening(known: KnownStage, rounds: int, events: Sequence[ranking.Event]) -> Foreseen:
    planned = known.rounds
    if not events:
        return Foreseen(changes=[], lost=[])
    return Foreseen(
        changes=[f"The stage is over after round {rounds}, and not after round {planned}."],
        lost=[f"Round {rounds + 1} and those after it are not played."] if rounds < (planned or 0) else [],
    )


def foreseen_closing(known: KnownStage, state: ranking.State, events: Sequence[ranking.Event]) -> Foreseen:
    if not events:
        return Foreseen(changes=[], lost=[])
    count = len(known.table.standings)
    match state.stage(known.stage):
        case UnclosedStage():
            lost: list[str] = []
        case ClosedStage() as closed:
            lost = [f"The order in which it was closed on {closed.rests_on}: the new one takes its place."]
    return Foreseen(changes=[f"The order of {count} entrants is told to all who build on this stage."], lost=lost)
