"""The seals of a scope in one log: how many of its events stand up to a position, and the root over them."""

from shared.commands.decider import Decider, Fact, Order
from shared.refusals import Conflict
from shared.values import Value

# Orders


class SealScope(Order):
    scope: str
    upto: int
    count: int
    root: str


# Facts


class ScopeSealed(Fact):
    """So many events of this scope stand in this log up to a position: whoever leaves one of them out is refuted.

    `root` is the root (RFC 6962) over their leaves, in the order of their positions, in hexadecimal.
    """

    scope: str
    upto: int
    count: int
    root: str


# States


class Unsealed(Value):
    """Nothing of the scope is over yet."""


class SealedScope(Value):
    upto: int
    count: int
    root: str


type State = Unsealed | SealedScope

# Refusals


class SealedOtherwise(Conflict):
    """What was sealed is not there any more, or not as it was."""


def decide(state: State, order: SealScope) -> list[ScopeSealed]:
    """A seal that says no more than the last one is none."""
    match state:
        case SealedScope() if (state.count, state.root) == (order.count, order.root) or order.upto <= state.upto:
            return []
        case SealedScope() if order.count <= state.count:
            raise SealedOtherwise(
                f"{state.count} events were sealed up to {state.upto}, and now there are {order.count}."
            )
        case Unsealed() | SealedScope():
            return [ScopeSealed(scope=order.scope, upto=order.upto, count=order.count, root=order.root)]


def evolve(_: State, event: ScopeSealed) -> State:
    return SealedScope(upto=event.upto, count=event.count, root=event.root)


SEALS: Decider[State, SealScope, ScopeSealed] = Decider(
    kind="seal", initial=Unsealed(), decide=decide, evolve=evolve, events=(ScopeSealed,)
)


def told(_: ScopeSealed) -> None:
    """Neighbours know by their own logs what is over; a seal is for whoever reads records."""
