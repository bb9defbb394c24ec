"""As whom federations know somebody who signs in: one stream for each subject of tokens.

A subject is at most one person in each federation, and speaks for any number of schools and clubs. That it is a person
holds only as long as the person's own stream says the same: who was merged or erased is nobody's account any more.
"""

from collections.abc import Mapping

import msgspec
from msgspec.structs import replace

from shared.commands.decider import Decider, Fact, Order, classes_of
from shared.refusals import Conflict
from shared.values import Value

# Orders


class LinkPerson(Order):
    subject: str
    federation: str
    person: str
    instead_of: str | None = None  # a person who is gone, or was given to another account


class UnlinkPerson(Order):
    subject: str
    federation: str
    person: str


class LinkHome(Order):
    subject: str
    federation: str
    home: str


class UnlinkHome(Order):
    subject: str
    federation: str
    home: str


type Command = LinkPerson | UnlinkPerson | LinkHome | UnlinkHome

# Facts


class PersonLinked(Fact):
    """This account is that of a person of the federation's register."""

    subject: str
    federation: str
    person: str


class PersonUnlinked(Fact):
    """The account is no longer that of the person."""

    subject: str
    federation: str
    person: str


class HomeLinked(Fact):
    """This account speaks for a club or school of the federation."""

    subject: str
    federation: str
    home: str


class HomeUnlinked(Fact):
    """The account no longer speaks for the club or school."""

    subject: str
    federation: str
    home: str


type Event = PersonLinked | PersonUnlinked | HomeLinked | HomeUnlinked

# States


class LinkedAccount(Value):
    persons: Mapping[str, str] = msgspec.field(default_factory=dict[str, str])  # by federation
    homes: Mapping[str, str] = msgspec.field(
        default_factory=dict[str, str]
    )  # schools and clubs, and the federation of each


# Refusals


class AccountIsSomebody(Conflict):
    """An account is one person in a federation."""


def decide(state: LinkedAccount, command: Command) -> list[Event]:
    match command:
        case LinkPerson():
            known = state.persons.get(command.federation)
            if known == command.person:
                return []
            if known not in {None, command.instead_of}:
                raise AccountIsSomebody(
                    f"The federation knows {command.subject} as {known} already, and an account is one person: take it away "
                    "there first, or merge the two if they are the same."
                )
            return [PersonLinked(subject=command.subject, federation=command.federation, person=command.person)]
        case UnlinkPerson():
            if state.persons.get(command.federation) != command.person:
                return []
            return [PersonUnlinked(subject=command.subject, federation=command.federation, person=command.person)]
        case LinkHome():
            if command.home in state.homes:
                return []
            return [HomeLinked(subject=command.subject, federation=command.federation, home=command.home)]
        case UnlinkHome():
            if command.home not in state.homes:
                return []
            return [HomeUnlinked(subject=command.subject, federation=command.federation, home=command.home)]


def evolve(state: LinkedAccount, event: Event) -> LinkedAccount:
    match event:
        case PersonLinked():
            return replace(state, persons={**state.persons, event.federation: event.person})
        case PersonUnlinked():
            return replace(state, persons={one: who for one, who in state.persons.items() if one != event.federation})
        case HomeLinked():
            return replace(state, homes={**state.homes, event.home: event.federation})
        case HomeUnlinked():
            return replace(state, homes={one: whose for one, whose in state.homes.items() if one != event.home})


ACCOUNT: Decider[LinkedAccount, Command, Event] = Decider(
    kind="account", initial=LinkedAccount(), decide=decide, evolve=evolve, events=classes_of(Event)
)
