"""What happens to a round. The names are for ever."""

from services.pairing.domain.sheet import Doubt, Drafted, Reason, Sheet, Table
from shared.commands.decider import Fact


class RoundDrafted(Fact):
    tournament: str
    stage: str
    round: int
    drafted: Drafted


class PairingOverridden(Fact):
    sheet: Sheet
    doubts: tuple[Doubt, ...]
    reason: Reason | None


class RoundConfirmed(Fact):
    inputs: str
    doubts: tuple[Doubt, ...]
    reason: Reason | None


class RoundPublished(Fact):
    tournament: str
    stage: str
    round: int
    sheet: Sheet
    games: tuple[str, ...]  # table by table
    inputs: str
    starts_at: str | None
    doubts: tuple[Doubt, ...]
    reason: Reason | None


class RecallAsked(Fact):
    tournament: str
    stage: str
    round: int
    recall: str
    games: tuple[str, ...]
    reason: Reason


class RoundRecalled(Fact):
    tournament: str
    stage: str
    round: int
    recall: str


class RecallFailed(Fact):
    recall: str
    game: str  # has begun


class RepairAsked(Fact):
    """`tables` as they are wanted, with the games that they keep; `byes` and `missing` are all of the round."""

    tournament: str
    stage: str
    round: int
    repair: str
    tables: tuple[Table, ...]
    games: tuple[str, ...]  # table by table
    byes: tuple[str, ...]
    starts_at: str | None
    doubts: tuple[Doubt, ...]
    reason: Reason
    missing: tuple[str, ...] | None = None  # as they were


class TablesRepaired(Fact):
    tournament: str
    stage: str
    round: int
    repair: str
    tables: tuple[Table, ...]
    games: tuple[str, ...]
    byes: tuple[str, ...]
    missing: tuple[str, ...] | None = None  # as they were


class RepairFailed(Fact):
    repair: str
    game: str  # has begun


type Event = (
    RoundDrafted
    | PairingOverridden
    | RoundConfirmed
    | RoundPublished
    | RecallAsked
    | RoundRecalled
    | RecallFailed
    | RepairAsked
    | TablesRepaired
    | RepairFailed
)
