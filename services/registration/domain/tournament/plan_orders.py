"""What may be asked of a plan once it is announced."""

from dataclasses import dataclass

from shared.rulesets.schema import Ruleset


@dataclass(frozen=True, kw_only=True, slots=True)
class Reason:
    """Why somebody decided something: a code, words that are kept beside the log, and the clause that they go by."""

    code: str
    note: str | None = None
    clause: str | None = None


@dataclass(frozen=True, kw_only=True, slots=True)
class Planned:
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


@dataclass(frozen=True, kw_only=True, slots=True)
class ChangePlan:
    seen: Planned  # that the change was made from
    planned: Planned
    reason: Reason
