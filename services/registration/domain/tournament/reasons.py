"""Why somebody decided something, as an event says it."""

from typing import TypedDict

from services.registration.domain.tournament.plan_orders import Reason


class Because(TypedDict):
    reason: str | None
    note: str | None
    cited: str | None


def because(reason: Reason | None, *, clause: str | None = None) -> Because:
    """By the clause that was named, otherwise by that of the rules."""
    if reason is None:
        return Because(reason=None, note=None, cited=clause)
    return Because(reason=reason.code, note=reason.note, cited=reason.clause or clause)
