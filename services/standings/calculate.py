"""Ranks the tournament in a file: for `roundlog rank` and for its operation."""

from collections.abc import Mapping
from typing import Literal

from pydantic import BaseModel, Field

from shared.exact import shown
from shared.tournament.explaining import Explanation, separation
from shared.tournament.facts import Facts
from shared.tournament.file import read
from shared.tournament.ranking import Row, Table, explain_table, final, rank

type Number = int | float


class AddendShown(BaseModel):
    """One part of a value."""

    value: Number = Field(examples=[1.5])
    what: str = Field(
        description="Where it comes from: game, bye, requested-bye, missing, away, void, carried, penalty.",
        examples=["game"],
    )
    round: int | None = Field(default=None, examples=[1])
    opponent: str | None = Field(default=None, examples=["B"])
    counted: bool = Field(default=True, description="Whether it counts, or is cut.")
    why: str | None = Field(default=None, examples=["the lowest is left out"])


class Explained(BaseModel):
    """Of what a value is made."""

    addends: list[AddendShown] = Field(description="Their sum is the value, as far as they count.")
    sentence: str = Field(
        examples=["points 3: 1 (round 1, against D) + 1 (round 2, against B) + 1 (round 3, the bye)."]
    )


class Standing(BaseModel):
    """One row of a table."""

    place: int = Field(examples=[1])
    shared: bool = Field(description="Whether others have the same place.")
    entrant: str = Field(examples=["A"])
    group: str | None = Field(
        default=None, description="Whose places these are, where there are groups.", examples=["A"]
    )
    left: Literal["withdrew", "expelled"] | None = Field(
        default=None, description="Why it takes part no more; it keeps its place.", examples=["expelled"]
    )
    values: dict[str, Number] = Field(
        description="Criterion by criterion, in the order of the ruleset, as far as there is something to show.",
        examples=[{"points": 3, "wins": 2, "median_buchholz": 4, "buchholz": 7.5, "score_difference": 40}],
    )
    explained: dict[str, Explained] | None = Field(
        default=None,
        description="Of each criterion, where that was asked for.",
        examples=[
            {
                "points": {
                    "addends": [{"value": 1, "what": "game", "round": 1, "opponent": "D"}],
                    "sentence": "points 1: 1 (round 1, against D).",
                }
            }
        ],
    )
    above_next: str | None = Field(
        default=None,
        description="Why it stands above the next row, where explanations were asked for.",
        examples=["A is above B by wins: 2 and 1."],
    )


class Awaited(BaseModel):
    """A tie that only the world can break."""

    entrants: list[str] = Field(examples=[["C", "D"]])
    needs: str = Field(description="`lot` or `duel`: answer with an entry in `decisions`.", examples=["lot"])


class Ranking(BaseModel):
    standings: list[Standing] = Field(description="Best first.")
    unresolved: list[Awaited]


NOTHING_EXPLAINED: Mapping[str, dict[str, Explained]] = {}


def ranked(
    content: object,
    *,
    list_id: str | None = None,
    stage: str | None = None,
    final_order: bool = False,
    explanations: bool = False,
) -> Ranking:
    """From the bytes of a file, or from the object in it."""
    reading = read(content)
    facts = reading.accepted()
    table = final(facts, among=list_id) if final_order else rank(facts, stage or reading.stage, among=list_id)
    explained = explained_rows(facts, table) if explanations else NOTHING_EXPLAINED
    return Ranking(
        standings=[standing(facts, row, explained.get(row.entrant), below) for row, below in with_next(table.rows)],
        unresolved=[Awaited(entrants=list(one.entrants), needs=one.needs) for one in table.unresolved],
    )


def with_next(rows: tuple[Row, ...]) -> list[tuple[Row, Row | None]]:
    return list(zip(rows, [*rows[1:], None], strict=False))


def explained_rows(facts: Facts, table: Table) -> Mapping[str, dict[str, Explained]]:
    found: dict[str, dict[str, Explained]] = {}
    for (entrant, criterion), explanation in explain_table(facts, table).items():
        found.setdefault(entrant, {})[criterion] = in_public(explanation)
    return found


def in_public(explanation: Explanation) -> Explained:
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


def standing(facts: Facts, row: Row, explained: dict[str, Explained] | None, below: Row | None) -> Standing:
    return Standing(
        place=row.place,
        shared=row.shared,
        entrant=row.entrant,
        group=row.group,
        left=facts.left[row.entrant].why if row.entrant in facts.left else None,
        values={name: shown(value) for name, value in row.values.items()},
        explained=explained,
        above_next=separation(row, below) if explained is not None and below and row.group == below.group else None,
    )
