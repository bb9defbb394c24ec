"""Looking for somebody, or saying why they are not to be found."""

from services.registration.domain.tournament import refusals
from services.registration.domain.tournament.roster import (
    CheckedIn,
    Coming,
    Entered,
    Entrant,
    Roster,
    StruckOff,
    Waiting,
)


def there(field: Roster, entrant: str) -> Entrant:
    found = field.entrants.get(entrant)
    if found is None:
        raise refusals.EntrantUnknown("Nobody has entered under this id: look into the list of entrants.")
    return found


def coming(entrant: Entrant) -> Coming:
    if isinstance(entrant, Entered | CheckedIn):
        return entrant
    raise gone(entrant)


def gone(entrant: Entrant) -> refusals.NotEntered:
    if isinstance(entrant, Waiting):
        return refusals.NotEntered(f"{entrant.entrant} waits for a place: call them once one is free.")
    how = "was struck off" if isinstance(entrant, StruckOff) else "has withdrawn"
    return refusals.NotEntered(f"{entrant.entrant} {how}: enter them again first.")
