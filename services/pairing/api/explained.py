"""Why a round is paired as it is: the grounds of the engine, and what officials decided against a doubt."""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence

from services.pairing.api.bodies import CostPart, Decision, PairExplained, PairingCompared, RoundExplained
from services.pairing.api.desk import Desk
from services.pairing.api.doubts import NEWS
from services.pairing.api.shown import number, players
from services.pairing.api.situation import Situation
from services.pairing.domain.not_there import said_of
from services.pairing.domain.round.states import Plan, State, Told, plan_of
from services.pairing.domain.sheet import Drafted, Outweighed, Sheet
from shared.contracts.results import GameVoided, PenaltyImposed, ResultCorrected, ResultReopened
from shared.messaging import history
from shared.numbers import Number
from shared.personal.notes import Notes
from shared.personal.sentences import all_spoken, spoken
from shared.refusals import NotFound


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
        explanation=all_spoken(
            [*plan.drafted.explanation, *(since(plan, situation) if isinstance(state, Told) else ())],
            situation.names,
        ),
        pairs=tables(plan.sheet, situation.names, entrant=entrant),
        cost=cost(plan.drafted),
        proved=plan.drafted.proved,
        rests_on=plan.drafted.inputs,
        changed_by_hand=plan.by_hand,
        decisions=decisions,
    )


def since(plan: Plan, situation: Situation) -> Iterator[str]:
    """What has happened after it was paired, and what that changes."""
    yield from corrected(plan, situation)
    seated = ((table.table, table.seats) for table in plan.sheet.tables)
    yield from said_of(situation.facts, plan.stage, plan.round, seated)


def corrected(plan: Plan, situation: Situation) -> Iterator[str]:
    """What has changed in earlier rounds since it was paired."""
    found = Counter[tuple[int, str]]()
    for event in situation.history.behind(history.parse(plan.drafted.inputs)):
        match event.contract:
            case ResultCorrected() | ResultReopened() | GameVoided() | PenaltyImposed() as told if (
                told.stage == plan.stage and told.round < plan.round
            ):
                found[told.round, NEWS[event.type]] += 1
            case _:
                pass
    for (round_, news), times in sorted(found.items()):
        often = f" {times} times" if times > 1 else ""
        yield f"Since it was paired, {news}{often} in round {round_}. What is published stands, so nobody is paired anew."


def cost(drafted: Drafted) -> list[CostPart] | None:
    return parts(drafted, drafted.cost)


def parts(drafted: Drafted, costs: Sequence[Number] | None) -> list[CostPart] | None:
    if costs is None:
        return None
    return [CostPart(counts=counts, cost=number(part)) for counts, part in zip(drafted.components, costs, strict=True)]


async def compared(desk: Desk, state: State, situation: Situation, entrants: Sequence[str]) -> PairingCompared:
    """Against the pairing that the engine made, whatever was changed by hand since."""
    plan = plan_of(state)
    facts = situation.history.until(history.parse(plan.drafted.inputs)).facts() or situation.facts
    found = await desk.compared(facts, plan.tournament, plan.stage, entrants)
    drafted = found.drafted
    return PairingCompared(
        would_meet=found.would_meet,
        sentence=spoken(found.sentence, situation.names),
        pairs=None if drafted is None else tables(drafted.sheet, situation.names),
        byes=[] if drafted is None else players(drafted.sheet.byes, situation.names),
        cost=None if drafted is None else cost(drafted),
        difference=None if drafted is None else parts(drafted, found.difference),
    )


def tables(sheet: Sheet, names: Mapping[str, str], *, entrant: str | None = None) -> list[PairExplained]:
    return [
        PairExplained(table=table.table, seats=players(table.seats, names), why=all_spoken(table.why, names))
        for table in sorted(sheet.tables, key=lambda table: table.table)
        if entrant is None or entrant in table.seats
    ]


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
