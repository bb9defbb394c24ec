"""What may be asked of a round, by people and by what results has answered."""

from services.pairing.domain.sheet import Doubt, Drafted, Reason, Sheet, Table
from shared.commands.decider import Order


class DraftRound(Order):
    tournament: str
    stage: str
    round: int
    drafted: Drafted


class OverridePairing(Order):
    sheet: Sheet
    idle: frozenset[str] = frozenset()  # who may rest and be named nowhere
    doubts: tuple[Doubt, ...] = ()  # the rules that it breaks and that bind
    reason: Reason | None = None
    instead_of: DraftRound | None = None  # where the rules leave no pairing: nobody is seated on it


class ConfirmRound(Order):
    inputs: str  # what is known by now
    doubts: tuple[Doubt, ...] = ()
    reason: Reason | None = None


class PublishRound(Order):
    games: tuple[str, ...]  # ids for as many games as there are tables, or more
    starts_at: str | None = None
    doubts: tuple[Doubt, ...] = ()
    reason: Reason | None = None


class AskRecall(Order):
    recall: str
    reason: Reason
    begun: frozenset[str] = frozenset()  # games of the round that are known to have begun


class AcceptRecall(Order):
    recall: str


class RefuseRecall(Order):
    recall: str
    game: str


class AskRepair(Order):
    repair: str
    tables: tuple[Table, ...]
    reason: Reason
    byes: tuple[str, ...] | None = None  # as they are
    away: frozenset[str] = frozenset()  # who is not there, and may be left out
    idle: frozenset[str] = frozenset()  # who may rest and be named nowhere
    doubts: tuple[Doubt, ...] = ()
    begun: frozenset[str] = frozenset()  # games of the round that are known to have begun


class AcceptRepair(Order):
    repair: str


class RefuseRepair(Order):
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
