"""The keys that tokens of captains are signed with, one after the other. One stream for all."""

from dataclasses import dataclass

from shared.commands.decider import Decider

STREAM = "captains"  # also the scope of its events, which are about no single tournament


@dataclass(frozen=True, kw_only=True, slots=True)
class IntroduceKey:
    key: str
    public: str


@dataclass(frozen=True, kw_only=True, slots=True)
class CaptainKeyIntroduced:
    key: str
    public: str


@dataclass(frozen=True, kw_only=True, slots=True)
class NoKey:
    pass


@dataclass(frozen=True, kw_only=True, slots=True)
class Signing:
    key: str


type State = NoKey | Signing


def decide(state: State, command: IntroduceKey) -> list[CaptainKeyIntroduced]:
    match state:
        case Signing(key=command.key):
            return []
        case NoKey() | Signing():
            return [CaptainKeyIntroduced(key=command.key, public=command.public)]


def evolve(_: State, event: CaptainKeyIntroduced) -> State:
    return Signing(key=event.key)


KEYS: Decider[State, IntroduceKey, CaptainKeyIntroduced] = Decider(
    kind="keys", initial=NoKey(), decide=decide, evolve=evolve, events=(CaptainKeyIntroduced,)
)
