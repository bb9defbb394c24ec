"""The criteria of standings, registered by the names that rulesets use."""

from collections.abc import Mapping

from shared.tournament.criteria.kinds import Criterion
from shared.tournament.criteria.opponents import OPPONENTS
from shared.tournament.criteria.own import OWN
from shared.tournament.criteria.quotients import TABLES
from shared.tournament.criteria.tied import TIED

CRITERIA: Mapping[str, Criterion] = {criterion.name: criterion for criterion in (*OWN, *OPPONENTS, *TABLES, *TIED)}
