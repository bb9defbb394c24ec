"""What the log says of its own keys, and of having been restored: a stream in the log of each service.

None of it is told to neighbours: it is for those who check the log, and they read it there.
"""

from msgspec.structs import replace

from shared.commands.decider import Decider, Fact, Order, classes_of
from shared.values import Value

# Orders


class IntroduceLogKey(Order):
    vkey: str


class RetireLogKey(Order):
    vkey: str


class RecordRestoration(Order):
    former: str
    kept: int
    reason: str | None


type Command = IntroduceLogKey | RetireLogKey | RecordRestoration

# Facts


class LogKeyIntroduced(Fact):
    """From now on this key signs the checkpoints of the log as well; those before it are signed without it."""

    vkey: str


class LogKeyRetired(Fact):
    """This key signs no more: what it is said to have signed behind here counts for nothing."""

    vkey: str


class LogRestored(Fact):
    """The log was brought back from a backup and goes on under another name: this is the last note of the former one."""

    former: str  # the checkpoint, with its signatures
    kept: int  # up to this position both are the same; what the former had behind it was lost
    reason: str | None  # the note that says why


type Event = LogKeyIntroduced | LogKeyRetired | LogRestored

# States


class LogHistory(Value):
    introduced: frozenset[str] = frozenset()
    retired: frozenset[str] = frozenset()
    former: frozenset[str] = frozenset()


type State = LogHistory


def decide(state: State, command: Command) -> list[Event]:
    match command:
        case IntroduceLogKey():
            return [] if command.vkey in state.introduced else [LogKeyIntroduced(vkey=command.vkey)]
        case RetireLogKey():
            return [] if command.vkey in state.retired else [LogKeyRetired(vkey=command.vkey)]
        case RecordRestoration():
            restored = LogRestored(former=command.former, kept=command.kept, reason=command.reason)
            return [] if command.former in state.former else [restored]


def evolve(state: State, event: Event) -> State:
    match event:
        case LogKeyIntroduced():
            return replace(state, introduced=state.introduced | {event.vkey})
        case LogKeyRetired():
            return replace(state, retired=state.retired | {event.vkey})
        case LogRestored():
            return replace(state, former=state.former | {event.former})


SIGNED_LOG: Decider[State, Command, Event] = Decider(
    kind="signed-log",
    initial=LogHistory(),
    decide=decide,
    evolve=evolve,
    events=classes_of(Event),
)
