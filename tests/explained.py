"""Why one value of a table is what it is."""

from shared.tournament.explaining import ValueExplanation, explain_table
from shared.tournament.facts import Facts
from shared.tournament.ranking import rank


def explain(facts: Facts, stage: str, entrant: str, criterion: str) -> ValueExplanation:
    return explain_table(facts, rank(facts, stage))[entrant, criterion]
