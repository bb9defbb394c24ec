"""To which editions of word lists a tournament is bound. One stream a tournament."""

from collections.abc import Mapping
from typing import ClassVar

from shared.commands.decider import Decider, Fact, Order
from shared.refusals import Conflict
from shared.values import Value

# Orders


class BindEditions(Order):
    tournament: str
    editions: Mapping[str, str]  # by the name of the list
    is_started: bool  # as far as is known here


type Command = BindEditions

# Facts


class EditionsBound(Fact):
    """Words of this tournament are judged by these editions of the word lists, whatever is published later."""

    REPLACES: ClassVar[tuple[str, ...]] = ("EditionsBound",)

    tournament: str
    editions: dict[str, str]


type Event = EditionsBound

# State


class Unbound(Value):
    """It plays by the newest editions that its federation had when it started."""


class Bound(Value):
    editions: Mapping[str, str]


type State = Unbound | Bound

# Refusals


class TournamentHasStarted(Conflict):
    """Word lists are replaced only before a tournament."""


def decide(state: State, command: Command) -> list[Event]:
    if isinstance(state, Bound) and state.editions == command.editions:
        return []
    if command.is_started:
        raise TournamentHasStarted(
            "The tournament has started, and word lists are replaced only before one (SK.X-4): it keeps those it has."
        )
    return [EditionsBound(tournament=command.tournament, editions=dict(command.editions))]


def evolve(_: State, event: Event) -> State:
    return Bound(editions=event.editions)


BINDINGS: Decider[State, Command, Event] = Decider(
    kind="bindings", initial=Unbound(), decide=decide, evolve=evolve, events=(EditionsBound,)
)
