"""The rulesets of a federation's own: posted in versions that stay as they are. One stream a ruleset.

A version that is withdrawn can be read and goes on holding where it holds, but no tournament is announced by it any more.
"""

from collections.abc import Collection, Mapping

import msgspec
from msgspec.structs import replace

from shared.commands.decider import Decider, Fact, Order, classes_of
from shared.refusals import Conflict, NotFound
from shared.values import Value

# Orders


class PostRuleset(Order):
    ruleset: str
    version: str
    federation: str
    text: bytes  # the whole of it, as JSON


class WithdrawRuleset(Order):
    federation: str
    version: str | None = None  # all of them


type Command = PostRuleset | WithdrawRuleset

# Facts


class RulesetPosted(Fact):
    """The federation has this version of a ruleset of its own; `text` is all of it."""

    ruleset: str
    version: str
    federation: str
    text: msgspec.Raw


class RulesetWithdrawn(Fact):
    """Nobody may announce a tournament by these versions any more; those that play by them go on."""

    ruleset: str
    federation: str
    versions: tuple[str, ...]


type Event = RulesetPosted | RulesetWithdrawn

# State


class Posted(Value):
    """It is empty until there is a version."""

    ruleset: str = ""
    federation: str = ""
    versions: Mapping[str, bytes] = msgspec.field(default_factory=dict[str, bytes])  # in the order of their posting
    withdrawn: frozenset[str] = frozenset()

    @property
    def offered(self) -> list[str]:
        """The versions that were not withdrawn, the newest one last."""
        return [version for version in self.versions if version not in self.withdrawn]


# Refusals


class RulesetTaken(Conflict):
    """Another federation has posted a ruleset under this id."""


class VersionTaken(Conflict):
    """A version that was posted stays as it is."""


class RulesetGone(Conflict):
    """It was withdrawn: no tournament is announced by it any more."""


class NotPosted(NotFound):
    """The federation has no ruleset of that id."""


class VersionUnknown(NotFound):
    """There is no such version of the ruleset."""


def decide(state: Posted, command: Command) -> list[Event]:
    match command:
        case PostRuleset():
            return post(state, command)
        case WithdrawRuleset():
            return withdraw(state, command)


def post(state: Posted, command: PostRuleset) -> list[Event]:
    if state.federation and state.federation != command.federation:
        raise RulesetTaken(f"{command.ruleset} is a ruleset of another federation: choose another id.")
    if command.version in state.offered and state.versions[command.version] == command.text:
        return []
    if command.version in state.versions and state.versions[command.version] != command.text:
        raise VersionTaken(
            f"Version {command.version} of {command.ruleset} says something else, and may be played by already: give the "
            "new text another version."
        )
    return [
        RulesetPosted(
            ruleset=command.ruleset,
            version=command.version,
            federation=command.federation,
            text=msgspec.Raw(command.text),
        )
    ]


def withdraw(state: Posted, command: WithdrawRuleset) -> list[Event]:
    if state.federation != command.federation:
        raise NotPosted("The federation has posted no ruleset under this id: look for it in the list.")
    wanted = state.offered if command.version is None else [command.version]
    if command.version is not None:
        require_version(state.ruleset, command.version, state.versions)
    gone = tuple(version for version in wanted if version not in state.withdrawn)
    return [RulesetWithdrawn(ruleset=state.ruleset, federation=state.federation, versions=gone)] if gone else []


def require_version(ruleset: str, version: str, there_are: Collection[str]) -> None:
    if version not in there_are:
        raise VersionUnknown(f"{ruleset} has no version {version}: there are {', '.join(there_are)}.")


def evolve(state: Posted, event: Event) -> Posted:
    match event:
        case RulesetPosted():
            versions = {name: text for name, text in state.versions.items() if name != event.version}
            return Posted(
                ruleset=event.ruleset,
                federation=event.federation,
                versions={**versions, event.version: bytes(event.text)},
                withdrawn=state.withdrawn - {event.version},
            )
        case RulesetWithdrawn():
            return replace(state, withdrawn=state.withdrawn | {*event.versions})


RULESETS: Decider[Posted, Command, Event] = Decider(
    kind="ruleset", initial=Posted(), decide=decide, evolve=evolve, events=classes_of(Event)
)
