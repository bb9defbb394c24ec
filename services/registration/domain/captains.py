"""Who speaks for an entrant. One stream an entrant.

Not persons are named here but generations: whoever holds a token of the current one speaks for the entrant. Naming
somebody who is named already hands out another token of the same generation; a dismissal voids all of them at once.
"""

from dataclasses import dataclass

from shared.decider import Decider, NotFound

# Orders


@dataclass(frozen=True, kw_only=True, slots=True)
class NameCaptain:
    tournament: str
    entrant: str


@dataclass(frozen=True, kw_only=True, slots=True)
class DismissCaptain:
    pass


type Command = NameCaptain | DismissCaptain

# Facts


@dataclass(frozen=True, kw_only=True, slots=True)
class CaptainNamed:
    tournament: str
    entrant: str
    generation: int


@dataclass(frozen=True, kw_only=True, slots=True)
class CaptainDismissed:
    tournament: str
    entrant: str
    generation: int  # the first of which a token is good again


type Event = CaptainNamed | CaptainDismissed

# States


@dataclass(frozen=True, kw_only=True, slots=True)
class NeverNamed:
    pass


@dataclass(frozen=True, kw_only=True, slots=True)
class Named:
    tournament: str
    entrant: str
    generation: int


@dataclass(frozen=True, kw_only=True, slots=True)
class Dismissed:
    tournament: str
    entrant: str
    generation: int  # of whoever is named next


type State = NeverNamed | Named | Dismissed

# Refusals


class NoCaptain(NotFound):
    """There is nobody to dismiss."""


def decide(state: State, command: Command) -> list[Event]:
    match state, command:
        case NeverNamed(), NameCaptain():
            return [CaptainNamed(tournament=command.tournament, entrant=command.entrant, generation=1)]
        case Named(), NameCaptain():
            return []
        case Dismissed(), NameCaptain():
            return [CaptainNamed(tournament=state.tournament, entrant=state.entrant, generation=state.generation)]
        case NeverNamed(), DismissCaptain():
            raise NoCaptain("Nobody was ever named to speak for this entrant: there is no token to withdraw.")
        case Named(), DismissCaptain():
            following = state.generation + 1
            return [CaptainDismissed(tournament=state.tournament, entrant=state.entrant, generation=following)]
        case Dismissed(), DismissCaptain():
            return []


def evolve(_: State, event: Event) -> State:
    match event:
        case CaptainNamed():
            return Named(tournament=event.tournament, entrant=event.entrant, generation=event.generation)
        case CaptainDismissed():
            return Dismissed(tournament=event.tournament, entrant=event.entrant, generation=event.generation)


CAPTAIN: Decider[State, Command, Event] = Decider(
    kind="captain",
    initial=NeverNamed(),
    decide=decide,
    evolve=evolve,
    events=(CaptainNamed, CaptainDismissed),
)
