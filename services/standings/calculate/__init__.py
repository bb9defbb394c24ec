"""Ranks the tournament in a file: for `roundlog rank` and for its operation."""

from collections.abc import Mapping, Sequence
from itertools import pairwise
from typing import TypedDict, Unpack

from services.standings.calculate.bodies import (
    AddendShown,
    Advancing,
    Awaited,
    Cell,
    Explained,
    Prize,
    Ranking,
    Standing,
    TitleWon,
)
from services.standings.calculate.crosstable import in_columns, numbered, round_titles, rounds_of
from shared.csv_lines import written
from shared.numbers import shown
from shared.tournament.awards import awards, titles
from shared.tournament.explaining import ValueExplanation, explain_table, separation
from shared.tournament.facts import Facts
from shared.tournament.file import FileContent, read
from shared.tournament.progression import qualified
from shared.tournament.ranking import Row, Table, final, rank
from shared.tournament.stages import advancing

OPTIONAL = ("number", "group", "left", "above_next")  # columns of a sheet that only some tables have


class RankingOptions(TypedDict, total=False):
    """What somebody may want to know of a file."""

    list_id: str | None
    stage: str | None
    final_order: bool
    explanations: bool
    crosstable: bool


def ranked(content: object, **options: Unpack[RankingOptions]) -> Ranking:
    """The table of a file, from its bytes or from the object in it."""
    reading = read(content)
    return ranking_of(reading.accepted(), table_of(reading, options), options)


def ranked_in_json(content: object, **options: Unpack[RankingOptions]) -> bytes:
    return ranked(content, **options).model_dump_json(exclude_none=True).encode()


def ranked_sheet(content: object, **options: Unpack[RankingOptions]) -> bytes:
    """The same table for spreadsheets, with the names in the file."""
    reading = read(content)
    table = table_of(reading, options)
    rows = ranking_of(reading.accepted(), table, options).standings
    rounds = round_titles(sorted({cell.round for row in rows for cell in row.rounds or ()}))
    called = numbered([row.entrant for row in rows], reading.names)
    lines: list[dict[str, object]] = [
        {
            "number": called[row.entrant] if rounds else None,
            "group": row.group,
            "place": row.place,
            "entrant": row.entrant,
            "name": reading.names.get(row.entrant),
            "left": row.left,
            "above_next": row.above_next,
            **row.values,
            **(row.beside or {}),
            **in_columns(row.rounds or [], rounds, called),
        }
        for row in rows
    ]
    beside = dict.fromkeys(name for row in rows for name in row.beside or ())
    told = (
        "number",
        "group",
        "place",
        "entrant",
        "name",
        *table.criteria,
        *beside,
        *rounds.values(),
        "left",
        "above_next",
    )
    columns = [name for name in told if name not in OPTIONAL or any(line[name] for line in lines)]
    return written(columns, ({name: line.get(name) for name in columns} for line in lines))


def table_of(reading: FileContent, options: RankingOptions) -> Table:
    facts, among = reading.accepted(), options.get("list_id")
    if options.get("final_order"):
        return final(facts, among=among)
    return rank(facts, options.get("stage") or reading.stage, among=among)


def ranking_of(facts: Facts, table: Table, options: RankingOptions) -> Ranking:
    explained: Mapping[str, dict[str, Explained]] = explained_rows(facts, table) if options.get("explanations") else {}
    rounds: Mapping[str, list[Cell]] = rounds_in_form(facts, table.rows) if options.get("crosstable") else {}
    is_whole = options.get("final_order", False) and options.get("list_id") is None
    above: Mapping[str, str] = above_next(facts, table, of_groups=not options.get("final_order")) if explained else {}
    return Ranking(
        standings=[
            Standing(
                place=row.place,
                shared=row.shared,
                entrant=row.entrant,
                group=row.group,
                left=facts.left[row.entrant].why if row.entrant in facts.left else None,
                values={name: shown(value) for name, value in row.values.items()},
                beside={name: shown(value) for name, value in row.beside.items()} or None,
                rounds=rounds.get(row.entrant),
                explained=explained.get(row.entrant),
                above_next=above.get(row.entrant),
            )
            for row in table.rows
        ],
        unresolved=[Awaited(entrants=list(one.entrants), needs=one.needs) for one in table.unresolved],
        titles=titles_won(facts) if is_whole and facts.ruleset.lists else None,
        awards=prizes(facts) if is_whole and facts.ruleset.final.awards else None,
        qualified=going_on(facts) if is_whole and advancing(facts) is not None else None,
    )


def rounds_in_form(facts: Facts, rows: Sequence[Row]) -> Mapping[str, list[Cell]]:
    found = rounds_of(facts, rows)
    return {one: [Cell.model_validate(cell, from_attributes=True) for cell in cells] for one, cells in found.items()}


def explained_rows(facts: Facts, table: Table) -> Mapping[str, dict[str, Explained]]:
    found: dict[str, dict[str, Explained]] = {}
    for (entrant, criterion), explanation in explain_table(facts, table).items():
        found.setdefault(entrant, {})[criterion] = in_public(explanation)
    return found


def in_public(explanation: ValueExplanation) -> Explained:
    addends = [
        AddendShown(
            value=shown(addend.value),
            what=addend.what,
            round=addend.round,
            opponent=addend.opponent,
            counted=addend.counted,
            why=addend.why,
        )
        for addend in explanation.addends
    ]
    return Explained(addends=addends, sentence=explanation.sentence)


def above_next(facts: Facts, table: Table, *, of_groups: bool = False) -> Mapping[str, str]:
    """Why each entrant is above the next. In a table of groups only those of one group are compared."""
    return {
        row.entrant: separation(row, below, left=facts.left, ties=table.unresolved, places=table.final)
        for row, below in pairwise(table.rows)
        if not of_groups or row.group == below.group
    }


def titles_won(facts: Facts) -> list[TitleWon]:
    return [TitleWon(entrant=one.entrant, among=one.among, by_stage=one.by_stage) for one in titles(facts)]


def prizes(facts: Facts) -> list[Prize]:
    return [
        Prize(
            entrant=won.entrant,
            what=won.award.what,
            among=won.award.among,
            place=won.place,
            amount=None if won.award.amount is None else shown(won.award.amount),
            currency=won.award.currency,
            to_choose=won.to_choose,
            choice=won.choice,
            title=won.award.title,
            clause=won.award.rule_id,
        )
        for won in awards(facts)
    ]


def going_on(facts: Facts) -> Advancing:
    found = qualified(facts)
    return Advancing(entrants=list(found.entrants), reserves=list(found.reserves))
