"""Why somebody decided something, as an order and an event say it; and how a refusal names the rule that it comes from."""

from typing import Literal, TypedDict

from shared.rulesets.entry import Entry, Team
from shared.values import Value


class NotedReason(Value):
    """Why somebody decided something: a code, words that are kept beside the log, and the clause that they go by."""

    code: str
    note: str | None = None
    clause: str | None = None


class BecauseFields(TypedDict):
    reason: str | None
    note: str | None
    cited: str | None


def because(reason: NotedReason | None, *, clause: str | None = None) -> BecauseFields:
    """An event cites the clause that was named, otherwise that of the rules."""
    if reason is None:
        return BecauseFields(reason=None, note=None, cited=clause)
    return BecauseFields(reason=reason.code, note=reason.note, cited=reason.clause or clause)


def team_clause(team: Team | None, what: Literal["least", "once", "choice", "frozen", "captain"]) -> str | None:
    return team.rule_ids.get(what, team.rule_id) if team else None


def payment_clause(entry: Entry) -> str | None:
    """The clause about the fees, or about until when they are paid where the announcement names them."""
    dated = (limit.rule_id for limit in entry.deadlines if limit.of == "payment")
    return next((one for one in (*(fee.rule_id for fee in entry.fees), *dated) if one), None)


def once_clause(entry: Entry) -> str | None:
    """Where no other rule says that somebody enters once, it follows from what an entrant is."""
    return entry.rule_ids.get("once", entry.rule_ids.get("kind"))


def cite(rule_id: str | None) -> str:
    """It stands at the end of a sentence, before its full stop or colon."""
    return f" ({rule_id})" if rule_id else ""
