"""How a whole event stands and who goes on from it, put together from the facts for people."""

from collections.abc import Iterable, Sequence

from services.standings.api.asked import EntrantNames, Situation
from services.standings.api.bodies import Unresolved
from services.standings.api.outcome_bodies import (
    AwardWon,
    FinalRanking,
    FinalRow,
    GoingOn,
    Progression,
    Qualifying,
    Somebody,
    StageToCome,
    TitleHeld,
)
from services.standings.calculate import above_next
from shared.numbers import shown
from shared.personal.sentences import spoken
from shared.rulesets.stages import Everybody, Stage
from shared.tournament import ordering
from shared.tournament.awards import awards, titles
from shared.tournament.completion import not_closed
from shared.tournament.progression import StageOpening, grounds, opening, qualified
from shared.tournament.ranking import advancing, final


def final_ranking(situation: Situation, names: EntrantNames, *, among: str | None) -> FinalRanking:
    facts = situation.facts
    table = final(facts, among=among)
    reasons = above_next(table.rows)
    return FinalRanking(
        tournament=situation.tournament,
        among=among,
        completed=situation.is_over,
        inputs=str(situation.inputs),
        criteria=list(table.criteria),
        standings=[
            FinalRow(
                entrant=row.entrant,
                name=names.get(row.entrant),
                place=row.place,
                shared=row.shared,
                stage=row.stage,
                group=row.group,
                left=facts.left[row.entrant].why if row.entrant in facts.left else None,
                values={name: shown(value) for name, value in row.values.items()},
                separated_by=row.separated_by,
                beside={name: shown(value) for name, value in row.beside.items()},
                above_next=spoken(reasons[row.entrant], names) if row.entrant in reasons else None,
            )
            for row in table.rows
        ],
        unresolved=awaited(table.unresolved),
        titles=[
            TitleHeld(entrant=one.entrant, name=names.get(one.entrant), among=one.among, by_stage=one.by_stage)
            for one in titles(facts)
        ],
        awards=[
            AwardWon(
                entrant=won.entrant,
                name=names.get(won.entrant),
                what=won.award.what,
                among=won.award.among,
                place=won.place,
                amount=None if won.award.amount is None else shown(won.award.amount),
                currency=won.award.currency,
                to_choose=won.to_choose,
                clause=won.award.rule_id,
            )
            for won in awards(facts)
        ],
    )


def progression(situation: Situation, names: EntrantNames) -> Progression:
    later = [one for one in situation.facts.ruleset.stages if not isinstance(one.field, Everybody)]
    return Progression(
        tournament=situation.tournament,
        inputs=str(situation.inputs),
        stages=[to_come(situation, one, names) for one in later],
        qualified=qualifying(situation, names),
    )


def to_come(situation: Situation, stage: Stage, names: EntrantNames) -> StageToCome:
    facts = situation.facts
    there = facts.fields.get(stage.id)
    found = opening(facts, stage.id) if there is None else StageOpening(stage=stage.id, entrants=there)
    obstacle = None if there is not None else found.not_held or not_closed(facts, stage.id)
    why = grounds(facts, stage.id)
    return StageToCome(
        stage=stage.id,
        title=stage.title,
        status="opened"
        if there is not None
        else "not-held"
        if found.not_held
        else "waiting"
        if obstacle or found.awaits
        else "possible",
        entrants=[GoingOn(entrant=one, name=names.get(one), why=why.get(one)) for one in found.entrants],
        reserves=named(found.reserves, names),
        awaits=awaited(found.awaits),
        obstacle=obstacle and spoken(obstacle, names),
    )


def qualifying(situation: Situation, names: EntrantNames) -> Qualifying | None:
    facts = situation.facts
    places = advancing(facts)
    if places is None:
        return None
    found = qualified(facts)
    of = {row.entrant: f"has {'a shared ' if row.shared else ''}place {row.place}" for row in final(facts).rows}
    return Qualifying(
        places=places,
        entrants=[GoingOn(entrant=one, name=names.get(one), why=of.get(one)) for one in found.entrants],
        reserves=named(found.reserves, names),
        awaits=awaited(found.awaits),
    )


def named(entrants: Sequence[str], names: EntrantNames) -> list[Somebody]:
    return [Somebody(entrant=one, name=names.get(one)) for one in entrants]


def awaited(ties: Iterable[ordering.Unresolved]) -> list[Unresolved]:
    return [Unresolved(entrants=list(tie.entrants), needs=tie.needs) for tie in ties]
