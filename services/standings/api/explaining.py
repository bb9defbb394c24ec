"""Why an entrant stands where it stands, in sentences about people."""

import re

from services.standings.api.asked import EntrantNames, Situation
from services.standings.api.bodies import Criterion, Explanation, Neighbour
from services.standings.calculate import in_public
from services.standings.domain.table import last_round
from shared.numbers import shown
from shared.tournament.explaining import Explanation as Explained
from shared.tournament.explaining import NotInTable, explaining, separation
from shared.tournament.ranking import Row, rank

WORD = re.compile(r"[0-9A-Za-z-]+")  # as ids are


def explanation(
    situation: Situation,
    stage: str,
    entrant: str,
    names: EntrantNames,
    *,
    through: int | None = None,
    among: str | None = None,
) -> Explanation:
    table = rank(situation.facts, stage, through=through, among=among)
    last = last_round(situation.facts, stage, through)
    row = next((row for row in table.rows if row.entrant == entrant), None)
    if row is None:
        raise NotInTable(f"Entrant {entrant!r} is not in this table.")
    compared = [other for other in table.rows if other.group == row.group]
    place = compared.index(row)
    found = explaining(situation.facts, table, through=through)
    return Explanation(
        tournament=situation.tournament,
        stage=stage,
        round=last,
        inputs=str(situation.inputs),
        entrant=entrant,
        name=names.get(entrant),
        place=row.place,
        shared=row.shared,
        criteria=[of_criterion(found.of(row, name), names) for name in found.criteria(row)],
        above=neighbour(compared[place - 1], row, row, names) if place else None,
        below=neighbour(row, compared[place + 1], row, names) if place + 1 < len(compared) else None,
    )


def of_criterion(found: Explained, names: EntrantNames) -> Criterion:
    public = in_public(found)
    return Criterion(
        criterion=found.criterion,
        value=None if found.value is None else shown(found.value),
        addends=public.addends,
        sentence=called(public.sentence, names),
    )


def neighbour(above: Row, below: Row, seen_from: Row, names: EntrantNames) -> Neighbour:
    other = below if seen_from is above else above
    return Neighbour(
        entrant=other.entrant,
        name=names.get(other.entrant),
        separated_by=above.separated_by,
        sentence=called(separation(above, below), names),
    )


def called(sentence: str, names: EntrantNames) -> str:
    """With names for ids, where there are some."""
    return WORD.sub(lambda word: names.get(word[0], word[0]), sentence)
