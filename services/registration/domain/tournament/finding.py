"""Looking for somebody, or saying why they are not to be found."""

from services.registration.domain.tournament import refusals
from services.registration.domain.tournament.clauses import by
from services.registration.domain.tournament.roster import (
    CheckedIn,
    Coming,
    Entered,
    Entrant,
    Roster,
    StruckOff,
    Waiting,
)
from shared.rulesets.entry import Entry


def there(field: Roster, entrant: str, rule_id: str | None = None) -> Entrant:
    """The rule is that by which they have to be there."""
    found = field.entrants.get(entrant)
    if found is None:
        raise refusals.EntrantUnknown(f"Nobody has entered under this id{by(rule_id)}: look into the list of entrants.")
    return found


def coming(entrant: Entrant, rule_id: str | None = None) -> Coming:
    if isinstance(entrant, Entered | CheckedIn):
        return entrant
    raise gone(entrant, rule_id)


def let_in(field: Roster, entrant: str, rules: Entry) -> Coming:
    """Who is checked in has entered before."""
    rule_id = rules.rule_ids.get("presence")
    return coming(there(field, entrant, rule_id), rule_id)


def gone(entrant: Entrant, rule_id: str | None = None) -> refusals.NotEntered:
    if isinstance(entrant, Waiting):
        return refusals.NotEntered(f"{entrant.entrant} waits for a place{by(rule_id)}: call them once one is free.")
    how = "was struck off" if isinstance(entrant, StruckOff) else "has withdrawn"
    return refusals.NotEntered(f"{entrant.entrant} {how}{by(rule_id)}: enter them again first.")
