"""Tables as they are shown, and why they are so: with names, and numbers that JSON knows."""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence

import msgspec

from services.standings.api.bodies import TableColumn, Unresolved
from services.standings.api.reports.files import ReportFormat, fitting
from services.standings.api.responses import Tagged, in_brief
from services.standings.api.tables.bodies import (
    AwardWon,
    CauseTold,
    ChangeOfRow,
    ChangeOfValue,
    Criterion,
    Explanation,
    FinalRanking,
    FinalRow,
    GoingOn,
    GoingOnSupposed,
    Neighbour,
    Progression,
    Qualifying,
    ResultSupposed,
    RoundStands,
    Somebody,
    StageToCome,
    Supposed,
    TableChange,
    TableSupposed,
    TitleHeld,
    WhatIf,
)
from services.standings.calculate import above_next, in_public, prizes, titles_won
from services.standings.calculate.bodies import Number
from services.standings.calculate.crosstable import FastCell, rounds_of
from services.standings.domain.differences import TableChanged
from services.standings.domain.ranking import Tie, purpose
from services.standings.domain.table import Ranked, RankedRow, last_round
from services.standings.domain.what_if import game_of, going_on_foreseen, supposed, tables_foreseen
from services.standings.tournaments import EntrantNames, KnownTournament
from shared.contracts.parts import Cause, Moved
from shared.faults import Faulty, InputFault, at
from shared.lots.explaining import how_to_draw_again
from shared.numbers import Number as StoredNumber
from shared.numbers import exact, shown
from shared.personal.sentences import spoken
from shared.personal.shown_names import NamesToShow
from shared.rulesets.play import AWARDED
from shared.rulesets.settings import Settings
from shared.rulesets.stages import Everybody, Stage
from shared.tournament import ordering
from shared.tournament.completion import not_closed
from shared.tournament.criteria import CRITERIA
from shared.tournament.criteria.columns import CriterionColumn, columns
from shared.tournament.explaining import NotInTable, explaining, separation
from shared.tournament.explaining import ValueExplanation as Explained
from shared.tournament.facts import Facts, Game, Result
from shared.tournament.ledger import ledger_of
from shared.tournament.ordering import RankingCache
from shared.tournament.progression import StageOpening, grounds, opening, qualified
from shared.tournament.ranking import Row, Table, final, rank
from shared.tournament.scoring import points_of
from shared.tournament.stages import advancing, settings_of
from shared.values import Value


class UnfitResult(Faulty):
    """No game at that table can have such a result."""


WORD = re.compile(r"[0-9A-Za-z-]+")  # as ids are
BEHIND_PLACE = re.compile(rb'"shared":(?:true|false),')  # all else of a row, as it is written
WORDS = {
    "ResultCorrected": "a result was corrected",
    "ResultFinal": "a game has another result",
    "ResultReopened": "a result was taken back",
    "GameVoided": "a game does not count",
    "PenaltyImposed": "a penalty was imposed",
    "PenaltyLifted": "a penalty was lifted",
    "EntrantChanged": "an entry was corrected",
    "EntrantLeft": "somebody left",
    "EntrantReturned": "somebody returned",
}

# The table of a stage


class FastRow(msgspec.Struct, frozen=True, kw_only=True, gc=False):
    place: int
    shared: bool
    entrant: str
    name: str | None
    home: str | None
    group: str | None
    values: Mapping[str, int | float]
    separated_by: str | None
    beside: Mapping[str, int | float]


class TableHead(Value):
    tournament: str
    stage: str
    round: int
    complete: bool
    inputs: str
    among: str | None
    criteria: tuple[str, ...]
    columns: tuple[CriterionColumn, ...]
    corrected: int


class FastTable(TableHead):
    """The `Table` of the document, made in a hurry."""

    standings: tuple[FastRow, ...]


class WrittenTable(TableHead):
    """The same with rows that are written down already."""

    standings: Sequence[msgspec.Raw]
    unresolved: tuple[Tie, ...]


class WrittenRow(msgspec.Struct, frozen=True, gc=False):
    row: RankedRow
    name: str | None
    home: str | None
    behind: bytes  # all of it that stands behind the place
    whole: msgspec.Raw


class WrittenRows:
    """The rows of a table as they were answered last: most are the same in the next one, and written down already. Whoever
    has only another place there, since somebody else has gone past, is written behind that as before.
    """

    def __init__(self) -> None:
        self._known: dict[str, WrittenRow] = {}

    def written(self, row: RankedRow, table: Ranked, told: NamesToShow) -> msgspec.Raw:
        name, home = told.names.get(row.entrant), told.homes.get(row.entrant)
        known = self._known.get(row.entrant)
        if known is not None and (known.name != name or known.home != home):
            known = None
        if known is not None and (known.row is row or known.row == row):
            return known.whole
        if known is not None and is_same_behind_place(known.row, row):
            behind = known.behind
        else:
            behind = BEHIND_PLACE.split(msgspec.json.encode(shown_row(row, table, name, home)), maxsplit=1)[1]
        whole = msgspec.Raw(b'{"place":%d,"shared":%s,%s' % (row.place, b"true" if row.shared else b"false", behind))
        self._known[row.entrant] = WrittenRow(row, name, home, behind, whole)
        return whole


def is_same_behind_place(one: RankedRow, other: RankedRow) -> bool:
    return (
        one.values == other.values
        and one.separated_by == other.separated_by
        and one.group == other.group
        and one.beside == other.beside
    )


def shown_row(row: RankedRow, table: Ranked, name: str | None, home: str | None) -> FastRow:
    return FastRow(
        place=row.place,
        shared=row.shared,
        entrant=row.entrant,
        name=name,
        home=home,
        group=row.group,
        values={
            name: displayed(value) for name, value in zip(table.criteria, row.values, strict=True) if value is not None
        },
        separated_by=row.separated_by,
        beside={name: displayed(value) for name, value in zip(table.shown, row.beside, strict=True)},
    )


def table_answer(
    tournament: str,
    stage: str,
    inputs: str,
    table: Ranked,
    told: NamesToShow,
    among: str | None = None,
    *,
    rows: WrittenRows | None = None,
) -> Tagged:
    rows = rows or WrittenRows()
    answer = WrittenTable(
        tournament=tournament,
        stage=stage,
        round=table.round,
        complete=table.complete,
        inputs=inputs,
        among=among,
        criteria=table.criteria,
        columns=columns(table.criteria, table.shown),
        corrected=table.corrected,
        standings=[rows.written(row, table, told) for row in table.standings],
        unresolved=table.ties,
    )
    called = in_brief(
        name for row in table.standings for name in (told.names.get(row.entrant), told.homes.get(row.entrant))
    )
    return Tagged(inputs=inputs, content=msgspec.json.encode(answer), names=called)


def column_views(criteria: Iterable[str], beside: Iterable[str] = ()) -> list[TableColumn]:
    return [TableColumn.model_validate(column, from_attributes=True) for column in columns(criteria, beside)]


def displayed(value: StoredNumber) -> Number:
    return value if isinstance(value, int) else shown(exact(value))


# Why an entrant stands where it stands


def explanation_view(
    known: KnownTournament,
    names: EntrantNames,
    *,
    stage: str,
    entrant: str,
    through: int | None = None,
    among: str | None = None,
) -> Explanation:
    table = rank(known.facts, stage, through=through, among=among)
    last = last_round(known.facts, stage, through)
    row = next((row for row in table.rows if row.entrant == entrant), None)
    if row is None:
        raise NotInTable(f"Entrant {entrant!r} is not in this table.")
    compared = [other for other in table.rows if other.group == row.group]
    place = compared.index(row)
    found = explaining(known.facts, table, through=through)

    def neighbour(above: Row, below: Row) -> Neighbour:
        other = below if above is row else above
        sentence = separation(above, below, left=known.facts.left, ties=table.unresolved)
        return Neighbour(
            entrant=other.entrant,
            name=names.get(other.entrant),
            separated_by=above.separated_by,
            sentence=with_names(sentence, names),
        )

    return Explanation(
        tournament=known.tournament,
        stage=stage,
        round=last,
        inputs=str(known.inputs),
        entrant=entrant,
        name=names.get(entrant),
        place=row.place,
        shared=row.shared,
        criteria=[
            criterion_view(found.of(row, name), names, drawn_again(known, row, name)) for name in found.criteria(row)
        ],
        above=neighbour(compared[place - 1], row) if place else None,
        below=neighbour(row, compared[place + 1]) if place + 1 < len(compared) else None,
    )


def drawn_again(known: KnownTournament, row: Row, criterion: str) -> Iterable[str]:
    """How anybody draws the lot that has decided, if one has."""
    if criterion != "lot" or row.values.get(criterion) is None:
        return ()
    return how_to_draw_again(known.lots, "standings", [purpose(row.stage)], known.key)


def criterion_view(found: Explained, names: EntrantNames, more: Iterable[str] = ()) -> Criterion:
    public = in_public(found)
    return Criterion(
        criterion=found.criterion,
        value=None if found.value is None else shown(found.value),
        addends=public.addends,
        sentence=" ".join([with_names(public.sentence, names), *more]),
    )


def with_names(sentence: str, names: EntrantNames) -> str:
    """The sentence with names for ids, where there are some."""
    return WORD.sub(lambda word: names.get(word[0], word[0]), sentence)


# Who met whom


class FastCrosstableRow(msgspec.Struct, frozen=True, kw_only=True, gc=False):
    place: int
    shared: bool
    entrant: str
    name: str | None
    group: str | None
    points: Number
    values: Mapping[str, Number]
    rounds: Sequence[FastCell]


class FastCrosstable(Value):
    """The `Crosstable` of the document, made in a hurry."""

    tournament: str
    stage: str
    round: int
    among: str | None
    inputs: str
    columns: tuple[CriterionColumn, ...]
    files: Sequence[ReportFormat]
    rows: Sequence[FastCrosstableRow]


class KnownTurns(Value):
    """From what it follows who met whom in a stage."""

    tournament: str
    stage: str
    facts: Facts
    inputs: str
    table: Table | None = None  # where it is at hand


def crosstable_view(
    known: KnownTurns,
    names: EntrantNames,
    *,
    through: int | None = None,
    among: str | None = None,
    cache: RankingCache | None = None,
) -> FastCrosstable:
    """`cache` is of whoever makes that of the whole stage again and again, one after the other."""
    facts, stage, cache = known.facts, known.stage, cache or RankingCache()
    table = known.table or rank(facts, stage, through=through, among=among, cache=cache)
    ledger = ledger_of(facts, stage, through=through, cache=cache.of(stage)[0])
    rounds = rounds_of(facts, table.rows, names=names, through=through, ledger=ledger)
    return FastCrosstable(
        tournament=known.tournament,
        stage=stage,
        round=last_round(facts, stage, through),
        among=among,
        inputs=known.inputs,
        columns=columns(table.criteria),
        files=fitting(facts, stage),
        rows=[
            FastCrosstableRow(
                place=row.place,
                shared=row.shared,
                entrant=row.entrant,
                name=names.get(row.entrant),
                group=row.group,
                points=shown(ledger.exact(ledger.own_points[row.entrant])),
                values={name: shown(value) for name, value in row.values.items()},
                rounds=rounds[row.entrant],
            )
            for row in table.rows
        ],
    )


def as_json(found: FastCrosstable) -> Tagged:
    return Tagged(
        inputs=found.inputs, content=msgspec.json.encode(found), names=in_brief(row.name for row in found.rows)
    )


# What corrections changed


def change_view(number: int, event: TableChanged, names: EntrantNames) -> TableChange:
    return TableChange(
        number=number,
        stage=event.stage,
        round=event.round,
        was_closed=event.was_closed,
        before=event.before,
        after=event.after,
        causes=[cause_view(one, names) for one in event.causes],
        moved=[moved_view(one, names) for one in event.moved],
    )


def cause_view(cause: Cause, names: EntrantNames) -> CauseTold:
    where = f"In round {cause.round} " if cause.round is not None else ""
    whom = f": {', '.join(called(cause.entrants, names))}" if cause.entrants else ""
    sentence = f"{where}{WORDS[cause.event]}{whom}."
    return CauseTold(
        event=cause.event,
        entrants=list(cause.entrants),
        game=cause.game,
        round=cause.round,
        sentence=sentence[0].upper() + sentence[1:],
    )


def moved_view(moved: Moved, names: EntrantNames) -> ChangeOfRow:
    values = [
        ChangeOfValue(
            criterion=name,
            before=None if before is None else displayed(before),
            after=None if after is None else displayed(after),
        )
        for name, (before, after) in moved.values.items()
    ]
    places = [] if moved.before == moved.after else [f"place {in_words(moved.before)} → {in_words(moved.after)}"]
    others = [f"{CRITERIA[one.criterion].title} {in_words(one.before)} → {in_words(one.after)}" for one in values]
    (name,) = called([moved.entrant], names)
    return ChangeOfRow(
        entrant=moved.entrant,
        name=names.get(moved.entrant),
        before=moved.before,
        after=moved.after,
        values=values,
        sentence=f"{name}: {', '.join([*places, *others])}.",
    )


def called(entrants: Sequence[str], names: EntrantNames) -> list[str]:
    return [names.get(one, one) for one in entrants]


def in_words(value: Number | None) -> str:
    return "none" if value is None else str(value)


# What another result would change


def result_supposed(known: KnownTournament, stage: str, game: Game, body: ResultSupposed) -> Result:
    """As the facts have it. Points that say the same as the rules are taken from the rules, which have them exactly."""
    holds = settings_of(known.facts, stage)
    if faults := list(faults_of_result(holds, game, body)):
        raise UnfitResult("The game cannot have this result: see errors.", faults)
    scores = tuple(map(exact, body.scores))
    by_rules = points_of(holds.scoring, scores, by=body.by)
    points = by_rules if body.points is None else tuple(map(exact, body.points))
    return Result(
        scores=scores,
        points=by_rules if [*map(shown, points)] == [*map(shown, by_rules)] else points,
        end=body.end,
        by=frozenset(body.by),
        first=body.first,
        winner=game.seats[body.winner] if body.decided_by and isinstance(body.winner, int) else None,
        decided_by=body.decided_by,
        draw_wins=None if body.draw_wins is None else game.seats[body.draw_wins],
    )


def faults_of_result(holds: Settings, game: Game, body: ResultSupposed) -> Iterator[InputFault]:
    seats = len(game.seats)
    sides = {side for side in (*body.by, body.draw_wins, body.winner) if isinstance(side, int)}
    if len(body.scores) != seats:
        yield InputFault(at("result", "scores"), f"should have {seats} numbers")
    if body.points and len(body.points) != seats:
        yield InputFault(at("result", "points"), f"should have {seats} numbers")
    if not sides.issubset(range(seats)):
        yield InputFault(at("result"), f"names a seat that is not at the table: there are 0 to {seats - 1}")
    if body.end not in {*holds.results.endings, AWARDED}:
        yield InputFault(at("result", "end"), holds.results.no_such_ending)
    if body.first is not None and body.first not in game.seats:
        yield InputFault(at("result", "first"), "is none of the entrants at this table")


def supposed_view(known: KnownTournament, names: EntrantNames, *, stage: str, body: WhatIf) -> Supposed:
    facts = known.facts
    game = game_of(facts, stage, game=body.game, number=body.round, table=body.table)
    result = None if body.result is None else result_supposed(known, stage, game, body.result)
    after = supposed(facts, game, result)
    titles_of = {one.id: one.title for one in facts.ruleset.stages}
    return Supposed(
        tournament=known.tournament,
        stage=stage,
        game=game.id,
        inputs=str(known.inputs),
        tables=[
            TableSupposed(
                stage=one.stage,
                title=titles_of[one.stage],
                round=one.round,
                was_closed=one.was_closed,
                moved=[moved_view(moved, names) for moved in one.moved],
            )
            for one in tables_foreseen(facts, after)
        ],
        going_on=[
            GoingOnSupposed(
                to=one.to,
                title=one.to and titles_of[one.to],
                gains=somebodies(one.gains, names),
                loses=somebodies(one.loses, names),
            )
            for one in going_on_foreseen(facts, after)
        ],
        rounds=[
            RoundStands(
                stage=of,
                round=number,
                sentence=f"Round {number} of {titles_of[of]} is published and stays as it is: nobody is paired anew.",
            )
            for of, number in rounds_behind(facts, stage, game)
        ],
    )


def rounds_behind(facts: Facts, stage: str, game: Game) -> list[tuple[str, int]]:
    """Those that were paired when it was over: later ones of the stage, and those of later stages."""
    order = [one.id for one in facts.ruleset.stages]
    own = next(number for (of, number), one in facts.rounds.items() if of == stage and game in one.games)
    behind = (
        (of, number)
        for of, number in facts.rounds
        if (of == stage and number > own) or order.index(of) > order.index(stage)
    )
    return sorted(behind, key=lambda one: (order.index(one[0]), one[1]))


# The whole event: how it stands, and who goes on from it


def final_ranking_view(known: KnownTournament, told: NamesToShow, *, among: str | None) -> FinalRanking:
    facts, names = known.facts, told.names
    table = final(facts, among=among)
    reasons = above_next(facts, table)
    return FinalRanking(
        tournament=known.tournament,
        among=among,
        completed=known.is_over,
        inputs=str(known.inputs),
        criteria=list(table.criteria),
        columns=column_views(table.criteria, dict.fromkeys(name for row in table.rows for name in row.beside)),
        standings=[
            FinalRow(
                entrant=row.entrant,
                name=names.get(row.entrant),
                home=told.homes.get(row.entrant),
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
        unresolved=unresolved_views(table.unresolved),
        titles=[TitleHeld(**dict(won), name=names.get(won.entrant)) for won in titles_won(facts)],
        awards=award_views(facts, names),
    )


def award_views(facts: Facts, names: EntrantNames) -> list[AwardWon]:
    return [AwardWon(**dict(won), name=names.get(won.entrant)) for won in prizes(facts)]


def progression_view(known: KnownTournament, names: EntrantNames) -> Progression:
    later = [one for one in known.facts.ruleset.stages if not isinstance(one.field, Everybody)]
    return Progression(
        tournament=known.tournament,
        inputs=str(known.inputs),
        stages=[stage_to_come(known, one, names) for one in later],
        qualified=qualifying_view(known, names),
    )


def stage_to_come(known: KnownTournament, stage: Stage, names: EntrantNames) -> StageToCome:
    facts = known.facts
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
        reserves=somebodies(found.reserves, names),
        awaits=unresolved_views(found.awaits),
        obstacle=obstacle and spoken(obstacle, names),
    )


def qualifying_view(known: KnownTournament, names: EntrantNames) -> Qualifying | None:
    facts = known.facts
    places = advancing(facts)
    if places is None:
        return None
    found = qualified(facts)
    of = {row.entrant: f"has {'a shared ' if row.shared else ''}place {row.place}" for row in final(facts).rows}
    return Qualifying(
        places=places,
        entrants=[GoingOn(entrant=one, name=names.get(one), why=of.get(one)) for one in found.entrants],
        reserves=somebodies(found.reserves, names),
        awaits=unresolved_views(found.awaits),
    )


def somebodies(entrants: Sequence[str], names: EntrantNames) -> list[Somebody]:
    return [Somebody(entrant=one, name=names.get(one)) for one in entrants]


def unresolved_views(ties: Iterable[ordering.OpenTie]) -> list[Unresolved]:
    return [Unresolved(entrants=list(tie.entrants), needs=tie.needs) for tie in ties]
