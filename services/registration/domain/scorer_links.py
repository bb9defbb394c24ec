"""Links with which somebody enters results of a tournament, without an account. One stream a tournament.

A link is counted, with the official who has made it and until when it is good. It is an office of its own: its subject is
a scorer of the tournament from then on, and revoking it is a dismissal.
"""

from collections.abc import Mapping

import msgspec
from msgspec.structs import replace

from shared.access.captain_tokens import Issuer
from shared.access.scorer_links import ScorerLink, subject_of
from shared.commands.decider import Decider, Fact, Order, classes_of
from shared.refusals import Conflict, NotFound
from shared.values import Value

MOST_LINKS = 1_000  # of one tournament

# Orders


class IssueLinks(Order):
    tournament: str
    count: int
    issuer: Issuer
    issued: int  # seconds since 1970
    expires: int


class RevokeLink(Order):
    number: int


type Command = IssueLinks | RevokeLink

# Facts


class ScorerLinkIssued(Fact):
    """A link was made that opens the desk of a scorer, by this official at this second; the token in it is kept nowhere."""

    tournament: str
    number: int  # 1, 2, 3 … of this tournament; no number is used again
    subject: str  # who acts with it
    issuer: Issuer
    issued: int  # seconds since 1970, as the token says
    expires: int


class ScorerLinkRevoked(Fact):
    """The link opens nothing any more."""

    tournament: str
    number: int
    subject: str


type Event = ScorerLinkIssued | ScorerLinkRevoked

# State


class IssuedLink(Value):
    number: int
    issuer: Issuer
    issued: int
    expires: int
    revoked: bool = False


class ScorerLinks(Value):
    tournament: str = ""
    links: Mapping[int, IssuedLink] = msgspec.field(
        default_factory=dict[int, IssuedLink]
    )  # in the order of their numbers


# Refusals


class LinkUnknown(NotFound):
    """The tournament has no such link."""


class TooManyLinks(Conflict):
    """No hall has so many scorers."""


def decide(state: ScorerLinks, command: Command) -> list[Event]:
    match command:
        case IssueLinks():
            if len(state.links) + command.count > MOST_LINKS:
                raise TooManyLinks(
                    f"A tournament has {MOST_LINKS} links at the most: appoint scorers by their accounts."
                )
            return [issued(state, command, place) for place in range(1, command.count + 1)]
        case RevokeLink():
            if command.number not in state.links:
                raise LinkUnknown(f"There is no link {command.number}: look into the list of links.")
            if state.links[command.number].revoked:
                return []
            subject = subject_of(state.tournament, command.number)
            return [ScorerLinkRevoked(tournament=state.tournament, number=command.number, subject=subject)]


def issued(state: ScorerLinks, command: IssueLinks, place: int) -> ScorerLinkIssued:
    number = len(state.links) + place
    link = ScorerLink(tournament=command.tournament, number=number, issuer=command.issuer)
    return ScorerLinkIssued(
        tournament=command.tournament,
        number=number,
        subject=link.subject,
        issuer=command.issuer,
        issued=command.issued,
        expires=command.expires,
    )


def evolve(state: ScorerLinks, event: Event) -> ScorerLinks:
    match event:
        case ScorerLinkIssued():
            now = IssuedLink(number=event.number, issuer=event.issuer, issued=event.issued, expires=event.expires)
        case ScorerLinkRevoked():
            now = replace(state.links[event.number], revoked=True)
    return ScorerLinks(tournament=event.tournament, links={**state.links, event.number: now})


SCORER_LINKS: Decider[ScorerLinks, Command, Event] = Decider(
    kind="scorer-links", initial=ScorerLinks(), decide=decide, evolve=evolve, events=classes_of(Event)
)
