"""What a ruleset may name and this version has not yet: said before anything is computed with it."""

from collections.abc import Iterator

from shared.decider import Invalid
from shared.tournament.criteria import CRITERIA
from shared.tournament.facts import Facts
from shared.tournament.stages import settings_of
from shared.tournament.unplayed import REGIMES


class NotAvailable(Invalid):
    """The ruleset is right, but asks for something that does not exist yet."""


def require_available(facts: Facts, stage: str) -> None:
    if lacking := list(lacks(facts, stage)):
        raise NotAvailable(
            f"This version cannot rank stage {stage!r} yet, since it lacks {' and '.join(lacking)}. "
            "Choose others for this tournament with the options standings.criteria and standings.unplayed."
        )


def lacks(facts: Facts, stage: str) -> Iterator[str]:
    standings = settings_of(facts, stage).standings
    if names := [name for name in standings.criteria if name not in CRITERIA]:
        yield f"the criteria {', '.join(names)}" if len(names) > 1 else f"the criterion {names[0]}"
    if standings.unplayed not in REGIMES:
        yield f"the treatment {standings.unplayed} of rounds without a game"
