"""The rulesets of a federation's own: posted in versions, each for ever. One stream a ruleset."""

from collections.abc import Mapping
from dataclasses import dataclass, field

import msgspec

from shared.decider import Conflict, Decider, NotFound

# Orders


@dataclass(frozen=True, kw_only=True, slots=True)
class PostRuleset:
    ruleset: str
    version: str
    federation: str
    text: bytes  # the whole of it, as JSON


type Command = PostRuleset

# Facts


@dataclass(frozen=True, kw_only=True, slots=True)
class RulesetPosted:
    ruleset: str
    version: str
    federation: str
    text: msgspec.Raw


type Event = RulesetPosted

# State


@dataclass(frozen=True, kw_only=True, slots=True)
class Posted:
    """Nothing, until there is a version."""

    federation: str = ""
    versions: Mapping[str, bytes] = field(default_factory=dict[str, bytes])  # in the order in which they were posted

    @property
    def newest(self) -> str:
        return list(self.versions)[-1]


# Refusals


class RulesetTaken(Conflict):
    """Another federation has posted a ruleset under this id."""


class VersionTaken(Conflict):
    """A version that was posted stays as it is."""


class VersionUnknown(NotFound):
    """There is no such version of the ruleset."""


def decide(state: Posted, command: Command) -> list[Event]:
    if state.federation and state.federation != command.federation:
        raise RulesetTaken(f"{command.ruleset} is a ruleset of another federation: choose another id.")
    if command.version in state.versions:
        if state.versions[command.version] == command.text:
            return []
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


def evolve(state: Posted, event: Event) -> Posted:
    return Posted(federation=event.federation, versions={**state.versions, event.version: bytes(event.text)})


RULESETS: Decider[Posted, Command, Event] = Decider(
    kind="ruleset", initial=Posted(), decide=decide, evolve=evolve, events=(RulesetPosted,)
)
