"""Why a round is paired as it is: the grounds of the engine, and what officials decided against a doubt."""

from services.pairing.api.bodies import Decision, PairExplained, RoundExplained
from services.pairing.api.shown import number, players
from services.pairing.api.situation import Situation
from services.pairing.domain.round.states import Plan, State, plan_of
from services.pairing.domain.sheet import Outweighed
from shared.decider import NotFound
from shared.notes import Notes


class EntrantUnknown(NotFound):
    """Nobody with this id is on the sheet."""


async def explained(
    state: State, situation: Situation, notes: Notes, *, entrant: str | None, official: bool
) -> RoundExplained:
    plan = plan_of(state)
    if entrant is not None and entrant not in plan.sheet.entrants():
        raise EntrantUnknown("Nobody with this id is on the sheet of this round: look at the round.")
    decisions = await decided(plan, situation.tournament, notes) if official else []
    return RoundExplained(
        method=plan.drafted.method,
        explanation=list(plan.drafted.explanation),
        pairs=[
            PairExplained(table=table.table, seats=players(table.seats, situation.names), why=list(table.why))
            for table in sorted(plan.sheet.tables, key=lambda table: table.table)
            if entrant is None or entrant in table.seats
        ],
        cost=None if plan.drafted.cost is None else [number(part) for part in plan.drafted.cost],
        proved=plan.drafted.proved,
        rests_on=plan.drafted.inputs,
        changed_by_hand=plan.by_hand,
        decisions=decisions,
    )


async def decided(plan: Plan, tournament: str, notes: Notes) -> list[Decision]:
    named = [one.reason.note for one in plan.outweighed if one.reason and one.reason.note]
    words = await notes.read(tournament, named)
    return [decision(one, words.get(one.reason.note or "") if one.reason else None) for one in plan.outweighed]


def decision(outweighed: Outweighed, words: str | None) -> Decision:
    return Decision(
        act=outweighed.act,
        doubts=[doubt.detail for doubt in outweighed.doubts],
        reason=outweighed.reason.code if outweighed.reason else None,
        words=words,
    )
