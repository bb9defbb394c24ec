"""What happens to a round. The names are for ever."""

from dataclasses import dataclass

from services.pairing.domain.sheet import Doubt, Drafted, Reason, Sheet, Table


@dataclass(frozen=True, kw_only=True, slots=True)
class RoundDrafted:
    tournament: str
    stage: str
    round: int
    drafted: Drafted


@dataclass(frozen=True, kw_only=True, slots=True)
class PairingOverridden:
    sheet: Sheet
    doubts: tuple[Doubt, ...]
    reason: Reason | None


@dataclass(frozen=True, kw_only=True, slots=True)
class RoundConfirmed:
    inputs: str
    doubts: tuple[Doubt, ...]
    reason: Reason | None


@dataclass(frozen=True, kw_only=True, slots=True)
class RoundPublished:
    tournament: str
    stage: str
    round: int
    sheet: Sheet
    games: tuple[str, ...]  # table by table
    inputs: str
    starts_at: str | None
    doubts: tuple[Doubt, ...]
    reason: Reason | None


@dataclass(frozen=True, kw_only=True, slots=True)
class RecallAsked:
    tournament: str
    stage: str
    round: int
    recall: str
    games: tuple[str, ...]
    reason: Reason


@dataclass(frozen=True, kw_only=True, slots=True)
class RoundRecalled:
    tournament: str
    stage: str
    round: int
    recall: str


@dataclass(frozen=True, kw_only=True, slots=True)
class RecallFailed:
    recall: str
    game: str  # has begun


@dataclass(frozen=True, kw_only=True, slots=True)
class RepairAsked:
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


@dataclass(frozen=True, kw_only=True, slots=True)
class TablesRepaired:
    tournament: str
    stage: str
    round: int
    repair: str
    tables: tuple[Table, ...]
    games: tuple[str, ...]
    byes: tuple[str, ...]
    missing: tuple[str, ...] | None = None  # as they were


@dataclass(frozen=True, kw_only=True, slots=True)
class RepairFailed:
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
