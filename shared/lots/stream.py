"""The lots of a tournament in one service, as a stream: the secret is fixed, lots are drawn, the secret is revealed."""

from msgspec.structs import replace

from shared.commands.decider import Decider, Fact, Order, classes_of
from shared.contracts import lots as public
from shared.refusals import Conflict
from shared.values import Value

# Orders


class CommitSeed(Order):
    """To a secret, and to a source; to another source where that has moved."""

    tournament: str
    commitment: str
    source: str | None = None


class Lot(Value):
    purpose: str
    order: tuple[str, ...]


class RecordLots(Order):
    """What was drawn, for whatever happens together with it."""

    tournament: str
    lots: tuple[Lot, ...]


class RevealSeed(Order):
    tournament: str
    seed: str


type Command = CommitSeed | RecordLots | RevealSeed

# Facts


class LotSeedCommitted(Fact):
    """The secret from which all lots of the tournament follow in this service is fixed: this is its SHA-256."""

    tournament: str
    commitment: str
    source: str | None = None  # none: lots follow from the secret alone


class LotDrawn(Fact):
    """A lot put these in this order, for this purpose; it follows from the secret."""

    tournament: str
    purpose: str
    order: tuple[str, ...]


class LotSeedRevealed(Fact):
    """The secret of the lots, so that everybody can draw each of them again."""

    tournament: str
    seed: str  # hexadecimal


type Event = LotSeedCommitted | LotDrawn | LotSeedRevealed

# States


class Unfixed(Value):
    """Whoever drew now could draw until they like it."""


class SeedFixed(Value):
    commitment: str
    source: str | None = None
    drawn: frozenset[Lot] = frozenset()


class Revealed(Value):
    commitment: str
    source: str | None
    drawn: frozenset[Lot]


type State = Unfixed | SeedFixed | Revealed

# Refusals


class SeedNotCommitted(Conflict):
    """A lot can only be drawn from a secret that is fixed."""


class AnotherSeedCommitted(Conflict):
    """The lots of a tournament follow from one secret."""


class SeedRevealed(Conflict):
    """Everybody can compute what would be drawn."""


def decide(state: State, command: Command) -> list[Event]:
    match command:
        case CommitSeed():
            return commit(state, command)
        case RecordLots():
            return record(state, command)
        case RevealSeed():
            return reveal(state, command)


def commit(state: State, command: CommitSeed) -> list[Event]:
    committed = LotSeedCommitted(tournament=command.tournament, commitment=command.commitment, source=command.source)
    match state:
        case Unfixed():
            return [committed]
        case SeedFixed() | Revealed():
            if (state.source, state.commitment) == (command.source, command.commitment):
                return []
            if isinstance(state, SeedFixed) and state.source != command.source and not state.drawn:
                return [committed]
            raise AnotherSeedCommitted("The lots here follow from another secret: restore it from the backup.")


def record(state: State, command: RecordLots) -> list[Event]:
    """The same lot drawn again gives the same order, so it is recorded once."""
    match state:
        case Unfixed():
            if not command.lots:
                return []
            raise SeedNotCommitted("The secret of this tournament's lots is not fixed yet: try again.")
        case SeedFixed() | Revealed():
            new = [lot for lot in dict.fromkeys(command.lots) if lot not in state.drawn]
            if new and isinstance(state, Revealed):
                raise SeedRevealed("The tournament is over and its lots are open to all: none is drawn any more.")
            return [LotDrawn(tournament=command.tournament, purpose=lot.purpose, order=lot.order) for lot in new]


def reveal(state: State, command: RevealSeed) -> list[Event]:
    match state:
        case Unfixed() | Revealed():
            return []
        case SeedFixed():
            return [LotSeedRevealed(tournament=command.tournament, seed=command.seed)]


def evolve(state: State, event: Event) -> State:
    match event:
        case LotSeedCommitted():
            return SeedFixed(commitment=event.commitment, source=event.source)
        case LotDrawn():
            lot = Lot(purpose=event.purpose, order=event.order)
            return replace(state, drawn=state.drawn | {lot}) if isinstance(state, SeedFixed) else state
        case LotSeedRevealed():
            if not isinstance(state, SeedFixed):
                return state
            return Revealed(commitment=state.commitment, source=state.source, drawn=state.drawn)


LOTS: Decider[State, Command, Event] = Decider(
    kind="lots",
    initial=Unfixed(),
    decide=decide,
    evolve=evolve,
    events=classes_of(Event),
)


def told(event: Event) -> public.LotSeedCommitted | public.LotDrawn | public.LotSeedRevealed:
    """Neighbours hear all of it: a lot is worth what everybody can check."""
    match event:
        case LotSeedCommitted():
            return public.LotSeedCommitted(
                tournament=event.tournament, commitment=event.commitment, source=event.source
            )
        case LotDrawn():
            return public.LotDrawn(tournament=event.tournament, purpose=event.purpose, order=event.order)
        case LotSeedRevealed():
            return public.LotSeedRevealed(tournament=event.tournament, seed=event.seed)
