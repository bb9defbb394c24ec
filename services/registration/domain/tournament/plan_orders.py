"""What may be asked of a plan once it is announced."""

from shared.commands.decider import Order
from shared.rulesets.schema import Ruleset
from shared.values import Value


class Reason(Value):
    """Why somebody decided something: a code, words that are kept beside the log, and the clause that they go by."""

    code: str
    note: str | None = None
    clause: str | None = None


class Planned(Value):
    """What of a plan can be changed until the start; all of it."""

    name: str
    ruleset: Ruleset
    starts_on: str
    first_round: str
    entries_close: str | None
    competition: str | None = None
    variant: str | None = None
    override: str | None = None  # why on a day on which the rules hold none
    hall: str | None = None
    room: int | None = None


class ChangePlan(Order):
    seen: Planned  # that the change was made from
    planned: Planned
    reason: Reason
