"""Links of scorers: counted, never used again, and revoked once."""

import pytest

from services.registration.domain.scorer_links import (
    MOST_LINKS,
    SCORER_LINKS,
    Event,
    IssueLinks,
    LinkUnknown,
    RevokeLink,
    ScorerLinkIssued,
    ScorerLinkRevoked,
    TooManyLinks,
)
from shared.access.captain_tokens import Issuer
from shared.access.roles import Role

DORA = Issuer(subject="dora", role=Role.DIRECTOR, scope="open", term=0)
TWO = IssueLinks(tournament="open", count=2, issuer=DORA, issued=1_790_000_000, expires=1_790_003_600)


def issued(number: int) -> ScorerLinkIssued:
    return ScorerLinkIssued(
        tournament="open",
        number=number,
        subject=f"scorer:open:{number}",
        issuer=DORA,
        issued=1_790_000_000,
        expires=1_790_003_600,
    )


def revoked(number: int) -> ScorerLinkRevoked:
    return ScorerLinkRevoked(tournament="open", number=number, subject=f"scorer:open:{number}")


def after(*events: Event, command: IssueLinks | RevokeLink) -> list[Event]:
    return list(SCORER_LINKS.decide(SCORER_LINKS.fold(events, SCORER_LINKS.initial), command))


def test_links_are_counted_on_and_no_number_comes_again() -> None:
    assert after(command=TWO) == [issued(1), issued(2)]
    assert after(issued(1), revoked(1), command=TWO) == [issued(2), issued(3)]


def test_revoking_twice_is_once() -> None:
    assert after(issued(1), issued(2), command=RevokeLink(number=2)) == [revoked(2)]
    assert after(issued(1), revoked(1), command=RevokeLink(number=1)) == []


def test_what_was_never_made_is_not_revoked() -> None:
    with pytest.raises(LinkUnknown):
        after(issued(1), command=RevokeLink(number=2))


def test_there_is_an_end_of_links() -> None:
    with pytest.raises(TooManyLinks):
        after(*map(issued, range(1, MOST_LINKS)), command=TWO)
