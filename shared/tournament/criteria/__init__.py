"""The criteria of standings, registered by the names that rulesets use.

A new one gets its name in `Measure` of `shared/rulesets/pairing_and_standings.py`, and is measured here: from the
entrant's own games, from those of the opponents, as a quotient, or among those who are tied.
"""

from collections.abc import Mapping

from shared.tournament.criteria.criterion import Criterion
from shared.tournament.criteria.opponents import OPPONENTS
from shared.tournament.criteria.own_results import OWN
from shared.tournament.criteria.quotients import TABLES
from shared.tournament.criteria.tied import TIED

CRITERIA: Mapping[str, Criterion] = {criterion.name: criterion for criterion in (*OWN, *OPPONENTS, *TABLES, *TIED)}
