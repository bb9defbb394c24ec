"""The first round of a stage opens it, with the groups that it was paired by."""

from services.pairing.api.asked import Asked
from services.pairing.domain.round.states import Confirmed
from services.pairing.domain.stage import Groups, OpenStage, identity
from shared.commands.handler import Beside
from shared.messaging import history as heard
from shared.tournament.groups import in_groups


def opening(wanted: Asked) -> list[Beside]:
    if wanted.number > 1:
        return []
    tournament, stage = wanted.situation.tournament, wanted.stage
    command = OpenStage(
        tournament=tournament,
        stage=stage,
        entrants=wanted.situation.field(stage),
        groups=paired_in(wanted),
    )
    return [wanted.desk.stages.part(identity(tournament, stage), command, scope=tournament, origin=wanted.act.origin)]


def paired_in(wanted: Asked) -> Groups:
    """The groups that were known when the round was paired."""
    if not isinstance(wanted.state, Confirmed):
        return ()
    history = wanted.situation.history.until(heard.parse(wanted.state.plan.drafted.inputs))
    facts = history.facts() or wanted.situation.facts
    return tuple(map(tuple, in_groups(facts.drawn.get(wanted.stage, {})).values()))
