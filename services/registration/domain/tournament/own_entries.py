"""What is asked of those who act for themselves: it is before the start, open to everybody, and they keep their word."""

from services.registration.domain.tournament.facts import Asked
from services.registration.domain.tournament.reasons import cite
from services.registration.domain.tournament.states import BEFORE, AnnouncedTournament, confirmation_of, out_of_phase
from shared.refusals import Conflict


class StartedAlready(Conflict):
    """From the start on, entries are a matter of the officials."""


class ByQualification(Conflict):
    """Nobody enters themselves where places are earned elsewhere."""


class BoundByAnswer(Conflict):
    """Who has confirmed a place has promised to come."""


def require_before_start(state: AnnouncedTournament, asked: Asked | None) -> None:
    if asked is not None and (refusal := out_of_phase(state, BEFORE)) is not None:
        raise StartedAlready(f"{str(refusal).rstrip('.')}: ask an official of the tournament.")


def require_open_to_all(state: AnnouncedTournament) -> None:
    """Whoever has qualified is taken in; whoever is missing there asks the organiser."""
    entry = state.plan.ruleset.entry
    if entry.open_to == "qualified" or state.roster.origins:
        clause = cite(entry.size.rule_id)
        raise ByQualification(
            f"Places in this tournament are earned in another one{clause}: whoever has qualified is taken in. Ask the "
            "organiser if you are missing."
        )


def require_not_bound(state: AnnouncedTournament, entrant: str, asked: Asked | None) -> None:
    """Who cannot keep their word has to say so to the organiser, who withdraws them."""
    limit = confirmation_of(state.plan)
    if asked is not None and limit is not None and state.roster.details_of(entrant).is_confirmed:
        raise BoundByAnswer(
            f"You have confirmed this place, and that binds you{cite(limit.rule_id)}: tell the organiser why you cannot "
            "come, who withdraws you."
        )
