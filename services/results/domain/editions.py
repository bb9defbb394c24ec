"""The editions of word lists and dictionaries that a federation has taken in. One stream a federation."""

from collections.abc import Mapping

import msgspec
from msgspec import convert

from shared.commands.decider import Decider, Fact, Order
from shared.refusals import Conflict
from shared.values import Value

# Orders


class TakeEdition(Order):
    federation: str
    name: str
    edition: str
    dated: str
    content: str  # the digest of its words
    words: int
    complete: bool = False  # a dictionary that answers for every word
    faults: int = 0  # in spite of which it is taken
    override: str | None = None  # the id of the reason, which is kept beside the log
    at: str  # RFC 3339


type Command = TakeEdition

# Facts


class EditionTaken(Fact):
    """A federation has taken an edition of a word list over; `content` is the SHA-256 of it."""

    federation: str
    name: str
    edition: str
    dated: str
    content: str
    words: int
    complete: bool
    faults: int
    override: str | None
    at: str


type Event = EditionTaken

# State


class EditionsState(Value):
    """In the order in which they were taken."""

    taken: Mapping[str, EditionTaken] = msgspec.field(default_factory=dict[str, EditionTaken])

    def newest(self, *, until: str) -> Mapping[str, str]:
        """Of each list the last edition that had been taken by then."""
        return {edition.name: identity for identity, edition in self.taken.items() if edition.at <= until}


# Refusals


class EditionTakenAlready(Conflict):
    """An edition never changes: other words are another edition."""


def identity(federation: str, name: str, edition: str) -> str:
    return f"{federation}.{name}.{edition}"


def federation_of(edition: str) -> str:
    return edition.partition(".")[0]


def decide(state: EditionsState, command: Command) -> list[Event]:
    taken = state.taken.get(identity(command.federation, command.name, command.edition))
    if taken is not None:
        if (taken.content, taken.dated, taken.complete) == (command.content, command.dated, command.complete):
            return []
        raise EditionTakenAlready(
            f"Edition {command.edition} of {command.name} is there with other words or another date: an edition never "
            "changes, so give this one another name."
        )
    return [convert(command, EditionTaken, from_attributes=True)]


def evolve(state: EditionsState, event: Event) -> EditionsState:
    return EditionsState(taken={**state.taken, identity(event.federation, event.name, event.edition): event})


EDITIONS: Decider[EditionsState, Command, Event] = Decider(
    kind="editions", initial=EditionsState(), decide=decide, evolve=evolve, events=(EditionTaken,)
)
