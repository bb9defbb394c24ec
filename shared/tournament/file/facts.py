"""The facts that a tournament file without faults tells."""

from collections.abc import Container, Iterator, Mapping, Sequence
from fractions import Fraction

from msgspec.structs import replace

from shared.rulesets.play import Scoring
from shared.rulesets.schema import Ruleset
from shared.rulesets.settings import settings, stage_of
from shared.rulesets.stages import Best
from shared.tournament.brackets import bracket_of, planned
from shared.tournament.criteria.tied import covered
from shared.tournament.facts import Absence, Ban, Entrant, Facts, Game, Left, Penalty, Result, Round, Settlement
from shared.tournament.file.faults import seats_of
from shared.tournament.file.form import GameForm, RoundForm, StageForm, TournamentFile
from shared.tournament.progression import opening
from shared.tournament.scoring import points_of


def facts_of(form: TournamentFile, ruleset: Ruleset, stages: Sequence[StageForm]) -> Facts:
    rounds = {(stage.id, one.number): round_of(stage.id, one) for stage in stages for one in stage.rounds}
    first, last = stages[0], stages[-1]
    scoring = {stage.id: settings(ruleset, stage.id, size=len(form.entrants)).scoring for stage in stages}
    facts = Facts(
        ruleset=ruleset,
        entrants=entrants_of(form, ruleset),
        rounds=rounds,
        results={
            game_id(stage.id, one.number, index): result_of(game, scoring[stage.id])
            for stage, one, index, game in games_of(stages)
            if game.end != "void"
        },
        voided=frozenset(
            game_id(stage.id, one.number, index) for stage, one, index, game in games_of(stages) if game.end == "void"
        ),
        completed=frozenset(rounds),
        left={
            one.id: Left(stage=first.id, after_round=one.withdrawn_after, why=one.left)
            for one in form.entrants
            if one.withdrawn_after is not None
        },
        absences=absences_of(form, last),
        fields=fields_of(form, ruleset, stages),
        bans=tuple(Ban(entrants=frozenset(one.entrants), last_rounds=one.last_rounds) for one in form.forbidden),
        penalties={
            str(index): Penalty(entrant=one.entrant, stage=one.stage or first.id, round=one.round, points=one.points)
            for index, one in enumerate(form.adjustments)
        },
        settled=settled_by(form, last),
        advance=form.advance,
        direct=frozenset(form.direct),
        chosen={one.entrant: one.among for one in form.choices},
    )
    return with_those_who_wait(facts)


def with_those_who_wait(facts: Facts) -> Facts:
    """In a bracket some may pass over a round, or have nobody to meet in it: they are in the stage all the same."""
    for stage, named in facts.fields.items():
        if may_wait(facts, stage):
            found = opening(before_it(facts, stage, named), stage).entrants
            if set(named) < set(found):
                facts = replace(facts, fields={**facts.fields, stage: found})
    return facts


def before_it(facts: Facts, stage: str, named: Container[str]) -> Facts:
    """The facts as they were when it began: whoever plays in it was still there."""
    left = {name: one for name, one in facts.left.items() if name not in named}
    stages = [one.id for one in facts.ruleset.stages]
    earlier = stages[: stages.index(stage)]
    return replace(facts, left=left, fields={name: field for name, field in facts.fields.items() if name in earlier})


def may_wait(facts: Facts, stage: str) -> bool:
    rules, bracket = stage_of(facts.ruleset, stage), bracket_of(facts, stage)
    is_of_the_best = isinstance(rules.field, Best) and bool(rules.brackets)
    return is_of_the_best or (bracket is not None and len(planned(facts, stage)) < len(bracket.matches))


def settled_by(form: TournamentFile, last: StageForm) -> tuple[Settlement, ...]:
    """Of several decisions about the same entrants the last one holds."""
    found: dict[tuple[str, str, frozenset[str]], Settlement] = {}
    for one in form.decisions:
        order = tuple((equal,) if isinstance(equal, str) else equal for equal in one.order)
        settled = Settlement(stage=one.stage or last.id, kind=one.kind, order=order)
        key = settled.stage, settled.kind, covered(settled)
        found.pop(key, None)
        found[key] = settled
    return tuple(found.values())


def entrants_of(form: TournamentFile, ruleset: Ruleset) -> Mapping[str, Entrant]:
    """Who has no start number gets one that is free, by rating and then by the order in the file."""
    unrated = ruleset.entry.seeding.unrated
    lowest = min((one.rating for one in form.entrants if one.rating is not None), default=0) - 1
    usual = lowest if unrated is None else unrated
    taken = {one.number for one in form.entrants if one.number is not None}
    free = iter(number for number in range(1, 2 * len(form.entrants) + 1) if number not in taken)
    by_rating = sorted(form.entrants, key=lambda one: -(usual if one.rating is None else one.rating))
    numbers = {one.id: one.number if one.number is not None else next(free) for one in by_rating}
    return {
        one.id: Entrant(
            id=one.id,
            number=numbers[one.id],
            rating=one.rating,
            lists=frozenset(one.lists),
            school=one.school,
            history=one.history,
            group=one.group,
            carried=one.carried or Fraction(0),
            from_round=one.from_round,
        )
        for one in form.entrants
    }


def games_of(stages: Sequence[StageForm]) -> Iterator[tuple[StageForm, RoundForm, int, GameForm]]:
    for stage in stages:
        for one in stage.rounds:
            yield from ((stage, one, index, game) for index, game in enumerate(one.games))


def game_id(stage: str, number: int, index: int) -> str:
    return f"{stage}.{number}.{index + 1}"


def round_of(stage: str, one: RoundForm) -> Round:
    return Round(
        stage=stage,
        number=one.number,
        games=tuple(
            Game(
                id=game_id(stage, one.number, index),
                table=game.table or index + 1,
                seats=game.seats,
                first=game.first,
                group=game.group,
                match=game.match,
                number=game.game,
            )
            for index, game in enumerate(one.games)
        ),
        byes=one.byes,
        requested_byes={bye.entrant: bye.points for bye in one.requested_byes},
        missing=frozenset(one.missing),
    )


def result_of(game: GameForm, scoring: Scoring) -> Result:
    scores = game.scores or ()
    return Result(
        scores=scores,
        points=game.points or points_of(scoring, scores, by=game.at_fault),
        end=game.end,
        by=frozenset(game.at_fault),
        first=game.first,
        winner=game.winner,
        decided_by=game.decided_by,
        draw_wins=game.draw_wins,
    )


def absences_of(form: TournamentFile, last: StageForm) -> Mapping[Absence, Fraction | None]:
    """From the round that comes next."""
    number = len(last.rounds) + 1
    missing: dict[Absence, Fraction | None] = {
        Absence(entrant=name, stage=last.id, round=number): None for name in form.next.missing
    }
    return missing | {
        Absence(entrant=bye.entrant, stage=last.id, round=number): bye.points for bye in form.next.requested_byes
    }


def fields_of(form: TournamentFile, ruleset: Ruleset, stages: Sequence[StageForm]) -> Mapping[str, tuple[str, ...]]:
    """Of later stages that have begun: whoever plays in them, in the order of the file."""
    fields: dict[str, tuple[str, ...]] = {}
    for stage in stages:
        named = {name for one in stage.rounds for _, name, _ in seats_of(one)}
        if stage.id != ruleset.stages[0].id and named:
            fields[stage.id] = tuple(one.id for one in form.entrants if one.id in named)
    return fields
