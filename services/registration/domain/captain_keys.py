"""The keys that tokens of captains are signed with, one after the other. One stream for all."""

from shared.commands.decider import Decider
from shared.values import Value

STREAM = "captains"  # also the scope of its events, which are about no single tournament


class IntroduceKey(Value):
    key: str
    public: str


class CaptainKeyIntroduced(Value):
    key: str
    public: str


class NoKey(Value):
    pass


class Signing(Value):
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
