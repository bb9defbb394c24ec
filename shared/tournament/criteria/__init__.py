"""The criteria of standings, registered by the names that rulesets use.

A new criterion, as a tie-break, gets its name in `shared/rulesets/pairing_and_standings.py`: in `MeasureName` when everybody has a
value whoever else is tied, otherwise in `Criterion`. It is registered here as soon as it stands in one of four tuples: `OWN` of
`own_results.py` (the entrant's own games), `OPPONENTS` of `opponents.py` (the results of those), `QUOTIENTS` of `quotients.py`,
or `TIED` of `tied.py` (what separates those who are equal so far). `SAID` of `columns.py` says what its column is called; what else
a new one takes, from a fact that no ledger carries yet to the documents, stands in CONTRIBUTING.md.
"""

from collections.abc import Mapping

from shared.tournament.criteria.criterion import RegisteredCriterion
from shared.tournament.criteria.opponents import OPPONENTS
from shared.tournament.criteria.own_results import OWN
from shared.tournament.criteria.quotients import QUOTIENTS
from shared.tournament.criteria.tied import TIED

CRITERIA: Mapping[str, RegisteredCriterion] = {
    criterion.name: criterion for criterion in (*OWN, *OPPONENTS, *QUOTIENTS, *TIED)
}
