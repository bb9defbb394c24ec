"""What may be asked of a round, by people and by what results has answered."""

from dataclasses import dataclass

from services.pairing.domain.sheet import Doubt, Drafted, Reason, Sheet, Table


@dataclass(frozen=True, kw_only=True, slots=True)
class DraftRound:
    tournament: str
    stage: str
    round: int
    drafted: Drafted


@dataclass(frozen=True, kw_only=True, slots=True)
class OverridePairing:
    sheet: Sheet
    idle: frozenset[str] = frozenset()  # who may rest and be named nowhere
    doubts: tuple[Doubt, ...] = ()  # the rules that it breaks and that bind
    reason: Reason | None = None
    instead_of: DraftRound | None = None  # where the rules leave no pairing: nobody is seated on it


@dataclass(frozen=True, kw_only=True, slots=True)
class ConfirmRound:
    inputs: str  # what is known by now
    doubts: tuple[Doubt, ...] = ()
    reason: Reason | None = None


@dataclass(frozen=True, kw_only=True, slots=True)
class PublishRound:
    games: tuple[str, ...]  # ids for as many games as there are tables, or more
    starts_at: str | None = None
    doubts: tuple[Doubt, ...] = ()
    reason: Reason | None = None


@dataclass(frozen=True, kw_only=True, slots=True)
class AskRecall:
    recall: str
    reason: Reason
    begun: frozenset[str] = frozenset()  # games of the round that are known to have begun


@dataclass(frozen=True, kw_only=True, slots=True)
class AcceptRecall:
    recall: str


@dataclass(frozen=True, kw_only=True, slots=True)
class RefuseRecall:
    recall: str
    game: str


@dataclass(frozen=True, kw_only=True, slots=True)
class AskRepair:
    repair: str
    tables: tuple[Table, ...]
    reason: Reason
    byes: tuple[str, ...] | None = None  # as they are
    away: frozenset[str] = frozenset()  # who is not there, and may be left out
    idle: frozenset[str] = frozenset()  # who may rest and be named nowhere
    doubts: tuple[Doubt, ...] = ()
    begun: frozenset[str] = frozenset()  # games of the round that are known to have begun


@dataclass(frozen=True, kw_only=True, slots=True)
class AcceptRepair:
    repair: str


@dataclass(frozen=True, kw_only=True, slots=True)
class RefuseRepair:
    repair: str
    game: str


type Command = (
    DraftRound
    | OverridePairing
    | ConfirmRound
    | PublishRound
    | AskRecall
    | AcceptRecall
    | RefuseRecall
    | AskRepair
    | AcceptRepair
    | RefuseRepair
)
